# Copyright 2026 RioD URDF ROS developers
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

"""
Compare the package with Pinocchio, MuJoCo and scipy, and print the goals and what is reached.

All numbers are processor time, so that other work on the machine hardly matters; ratios are
medians over rounds in which the methods take turns.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version
import os
from pathlib import Path
import platform
import resource
from statistics import median
import subprocess
import sys
from tempfile import TemporaryDirectory
from time import process_time

if 'numpy' not in sys.modules:
    # Has to be said before; threads help no method on systems of this size.
    os.environ.update(OPENBLAS_NUM_THREADS='1', OMP_NUM_THREADS='1', MKL_NUM_THREADS='1')

from mechanisms import chain, example, EXAMPLES, scissor, turned, Workload
from methods import Package, RESIDUAL
import numpy as np
from peers import PEERS
from pinocchio_peers import Pinocchio
from riod_urdf_ros import ClosureSolver, load
from timing import AGREEMENT, measure, Measurement, one_round, Oracle, OWN, SAMPLES

EXPERT = 'Pinocchio expert'
ON_LARGE = tuple(name for name in PEERS if name != 'scipy')  # it takes seconds a sample there
CELLS = (10, 50, 200)
BATCH = 10_000

FIRST_SOLVE = """
import sys
from riod_urdf_ros import ClosureSolver, load
solver = ClosureSolver(load(sys.argv[1]).robot)
solver.solve(dict.fromkeys(solver.independent, 0.01))
"""


@dataclass(frozen=True)
class Goal:
    """A line of the table of goals; ``reached`` is None where a peer gave no answer to compare."""

    name: str
    at_most: float
    reached: float | None

    @property
    def line(self) -> str:
        """Return the line."""
        if self.reached is None:
            return f'{self.name:<58}{self.at_most:>10.3g}{"-":>10}   the peer failed'
        met = 'met' if self.reached <= self.at_most else 'NOT met'
        return f'{self.name:<58}{self.at_most:>10.3g}{self.reached:>10.3g}   {met}'


@dataclass
class Report:
    """What has been found so far."""

    rounds: int
    goals: list[Goal] = field(default_factory=list)
    measurements: list[Measurement] = field(default_factory=list)
    residuals: list[float] = field(default_factory=list)

    def measure(self, workload: Workload, peers: tuple[str, ...]) -> Measurement:
        """Measure a mechanism and keep the result."""
        progress(workload.name)
        result = measure(workload, peers, self.rounds)
        progress('  us a sample: ' + ', '.join(
            f'{name} {median(times):.1f}' for name, times in result.times.items()))
        self.measurements.append(result)
        self.residuals.append(result.residual)
        return result

    def turns(self, workload: Workload, other: Workload) -> float:
        """Let the package take turns on two mechanisms whose motors move alike."""
        rows = other.motion(SAMPLES).tolist()
        methods = {'this': (Package(workload), SAMPLES), 'other': (Package(other), SAMPLES)}
        rounds = [one_round(methods, rows) for _ in range(self.rounds)]
        return median(times['this'] / times['other'] for times in rounds)

    def against_expert(self, result: Measurement, at_most: float) -> None:
        """Add the goal of a mechanism against the Pinocchio expert."""
        self.goals.append(Goal(
            f'{result.workload.name} against {EXPERT}', at_most,
            result.ratio(EXPERT) if EXPERT in result.times else None))


def progress(text: str) -> None:
    """Say what is being done."""
    print(f'  {text}', file=sys.stderr, flush=True)


def examples() -> list[Workload]:
    """Return the three examples that are timed."""
    return [example('four_bar.urdf', None), example('delta.urdf.xacro', 0.3),
            example('stewart.urdf.xacro', 0.05)]


def single(report: Report) -> None:
    """One message after the other on the examples."""
    for workload, at_most in zip(examples(), (0.25, 0.9, 0.9)):
        report.against_expert(report.measure(workload, tuple(PEERS)), at_most)


def growth(report: Report) -> None:
    """Cost over the number of cells."""
    for make in (scissor, chain):
        results = [report.measure(make(cells), ON_LARGE) for cells in CELLS]
        if make is scissor:
            report.against_expert(results[-1], 0.1)
    progress('scissor 200 against scissor 50')
    report.goals.append(Goal('scissor 200 against scissor 50', 5.0, report.turns(
        scissor(200), scissor(50))))


def batch(report: Report) -> None:
    """Many configurations at once, against a loop over Pinocchio."""
    for workload in examples():
        progress(f'batch, {workload.name}')
        motion = workload.motion(BATCH)
        rows = motion.tolist()
        solver, peer, ratios = ClosureSolver(workload.robot), Pinocchio(workload), []
        for _ in range(report.rounds):
            solver.reset()
            peer.start()
            start = process_time()
            ours = solver.solve_batch(motion)
            middle = process_time()
            theirs = [peer.solve(row) for row in rows]
            ratios.append((middle - start) / (process_time() - middle))
        columns = [peer.pinocchio.columns[j.name] for j in workload.robot.moving_joints]
        same = np.abs(np.array(theirs)[:, columns] - ours.positions).max() <= AGREEMENT
        report.goals.append(Goal(
            f'batch of {BATCH:,}, {workload.name}, against Pinocchio in a loop', 0.05,
            median(ratios) if same and not ours.states.any() else None))


def frames(report: Report) -> None:
    """CAD-turned link frames against frames as a person writes them."""
    for workload in examples():
        progress(f'turned frames, {workload.name}')
        report.goals.append(Goal(
            f'{workload.name}, CAD-turned frames against aligned ones', 1.2,
            report.turns(turned(workload), workload)))


def start(report: Report) -> None:
    """Whole processes: import, load, first solve."""
    progress('import, load and first solve')
    with TemporaryDirectory() as folder:
        # A node gets its description expanded; xacro's own time is not the package's.
        path = Path(folder) / 'stewart.urdf'
        path.write_text(load(EXAMPLES / 'stewart.urdf.xacro').text, encoding='utf-8')
        # Bytecode is kept, as that of an installed package is.
        environment = {**os.environ, 'PYTHONPYCACHEPREFIX': folder}
        environment.pop('PYTHONDONTWRITEBYTECODE', None)
        commands = [[sys.executable, '-c', FIRST_SOLVE, str(path)],
                    [sys.executable, '-c', 'import numpy']]
        rounds = [[_child_time(command, environment) for command in commands]
                  for _ in range(max(9, report.rounds) + 1)]
    report.goals.append(Goal(
        'import + load + first solve of Stewart against import numpy', 2.5,
        median(ours / numpy for ours, numpy in rounds[1:])))  # the first one writes bytecode


def _child_time(command: list[str], environment: dict[str, str]) -> float:
    """Return the processor time of a process, s."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def residual(report: Report) -> None:
    """Largest residual over all samples; with mimic joints and rigid closures, too."""
    for workload in (*examples(), example('gripper.urdf.xacro', 0.3),
                     example('excavator.urdf.xacro', 0.05), chain(10, rigid=True), scissor(10)):
        progress(f'residual, {workload.name}')
        rows = workload.motion(SAMPLES).tolist()
        report.residuals.append(Oracle(workload).answers(Package(workload), rows)[1])
    report.goals.append(Goal(
        'residual where a solution exists, m and rad', RESIDUAL, max(report.residuals)))


PARTS: dict[str, Callable[[Report], None]] = {
    'single': single, 'growth': growth, 'batch': batch, 'frames': frames, 'start': start,
    'residual': residual}


def print_times(measurements: list[Measurement]) -> None:
    """Print microseconds a sample, methods down, mechanisms across."""
    names = [result.workload.name for result in measurements]
    print('\nMicroseconds a sample (processor time; -: another solution, or none)\n')
    print(' ' * 18 + ''.join(f'{name:>13}' for name in names))
    for method in (OWN, *PEERS):
        cells = [median(result.times[method]) if method in result.times else None
                 for result in measurements]
        if any(cells):
            print(f'{method:<18}' + ''.join(
                f'{"-" if cell is None else format(cell, ".1f"):>13}' for cell in cells))
    print(f'{"load, ms":<18}' + ''.join(f'{1e3 * r.load:>13.0f}' for r in measurements))


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.strip().split('\n')[0])
    parser.add_argument('--only', nargs='+', choices=PARTS, default=list(PARTS), metavar='NAME',
                        help='parts to run: ' + ', '.join(PARTS))
    parser.add_argument('--rounds', type=int, default=5, help='of all methods (default 5)')
    options = parser.parse_args()
    report = Report(options.rounds)
    for name in PARTS:
        if name in options.only:
            PARTS[name](report)
    print(f'Python {platform.python_version()}, ' + ', '.join(
        f'{name} {version(name)}' for name in ('numpy', 'pin', 'mujoco', 'scipy')))
    if report.measurements:
        print_times(report.measurements)
    print(f'\n{"goal":<58}{"at most":>10}{"reached":>10}\n')
    for goal in report.goals:
        print(goal.line)
    print(f'{"node, CPU a message at 1 kHz, against a bare relay":<58}{1.4:>10.3g}'
          '             see benchmark/soak.py')


if __name__ == '__main__':
    main()
