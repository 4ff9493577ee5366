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
Compare the package with its tuned peers, and print the goals and what is reached.

Ratios are medians over rounds in which the methods take turns, of processor time, so that other
work on the machine hardly matters.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
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

from casadi_peer import CasadiCompiled
from mechanisms import chain, example, EXAMPLES, fast, scissor, turned, Workload
from methods import PACKAGES, RESIDUAL
import numpy as np
from oracle import Oracle
from peers import CASADI, PEERS, PLACO, PLAIN, TUNED
from pinocchio_peers import Pinocchio
from riod_urdf_ros import load
from timing import AGREEMENT, calls_of, measure, Measurement, one_round, SAMPLES, SECONDS

CELLS = (10, 50, 200)
BATCH = 100_000
BATCH_IN_PYTHON = 2_000  # of these rows, for a peer that takes one after the other in Python

FIRST_SOLVE = """
import sys
from riod_urdf_ros import ClosureSolver, load
solver = ClosureSolver(load(sys.argv[1]).robot)
solver.solve(dict.fromkeys(solver.independent, 0.01))
"""

Limits = Mapping[str, float]  # by the name in PACKAGES


@dataclass(frozen=True)
class Goal:
    """A line of the table of goals; what was not reached because a peer failed is None."""

    name: str
    at_most: Limits
    reached: Mapping[str, float | None]

    @property
    def line(self) -> str:
        """Return the line."""
        cells = ''
        for package in PACKAGES:
            limit, value = self.at_most.get(package), self.reached.get(package)
            cells += f'{"-" if limit is None else format(limit, ".3g"):>10}'
            cells += f'{"-" if value is None else format(value, ".3g"):>10}'
            cells += '  ' if limit is None or value is None or value <= limit else ' !'
        return f'{self.name:<56}{cells}'


def limits(with_fast: float | None, without: float | None) -> Limits:
    """Return the limits for both kinds of the package."""
    both = {'with [fast]': with_fast, 'without': without}
    return {name: limit for name, limit in both.items() if limit is not None}


@dataclass
class Report:
    """What has been found so far."""

    rounds: int
    goals: list[Goal] = field(default_factory=list)
    measurements: list[Measurement] = field(default_factory=list)
    residuals: list[float] = field(default_factory=list)

    def measure(
            self, workload: Workload, *, velocities: bool = False, cold: bool = False,
    ) -> Measurement:
        """Measure a mechanism and keep the result."""
        result = measure(workload, self.rounds, velocities=velocities, cold=cold)
        progress(f'{result.name}, us a sample: ' + ', '.join(
            f'{name} {median(times):.1f}' for name, times in result.times.items()))
        self.measurements.append(result)
        self.residuals.append(result.residual)
        return result

    def against(self, peer: str, result: Measurement, at_most: Limits) -> None:
        """Add the goal of a measurement against a peer."""
        self.goals.append(Goal(f'{result.name} against {peer}', at_most,
                               {package: result.ratio(package, peer) for package in PACKAGES}))

    def turns(self, name: str, workload: Workload, other: Workload, limit: float) -> None:
        """Let the package take turns on two mechanisms whose motors move alike."""
        progress(name)
        calls, reached = calls_of(other, SAMPLES), {}
        counts = dict.fromkeys(('this', 'other'), SAMPLES)
        for package, make in PACKAGES.items():
            methods = {'this': make(workload), 'other': make(other)}
            rounds = [one_round(methods, calls, counts) for _ in range(self.rounds)]
            reached[package] = median(times['this'] / times['other'] for times in rounds)
        self.goals.append(Goal(name, limits(limit, limit), reached))


def progress(text: str) -> None:
    """Say what is being done."""
    print(f'  {text}', file=sys.stderr, flush=True)


def examples() -> list[Workload]:
    """Return the three examples that are timed."""
    return [example('four_bar.urdf', None), example('delta.urdf.xacro', 0.3),
            example('stewart.urdf.xacro', 0.05)]


def single(report: Report) -> None:
    """One message after the other on the examples, slow and fast."""
    for workload, tuned, placo in zip(examples(), (0.8, 2.0, 2.0), (1.0, 1.5, 1.5)):
        for motion in (workload, fast(workload)):
            result = report.measure(motion)
            report.against(TUNED, result, limits(0.35, tuned))
            report.against(PLACO, result, limits(0.3, placo))


def velocities(report: Report) -> None:
    """Likewise with the velocities of all joints."""
    for workload in examples():
        for motion in (workload, fast(workload)):
            result = report.measure(motion, velocities=True)
            report.against(TUNED, result, limits(0.35, 1.5))


def cold(report: Report) -> None:
    """Likewise with other things in the caches before every message, as in a node."""
    for workload in examples():
        report.measure(workload, cold=True)


def growth(report: Report) -> None:
    """Cost over the number of cells."""
    goals = {'scissor 50': limits(0.1, 0.8), 'scissor 200': limits(0.02, 0.16)}
    for make in (scissor, chain):
        for cells in CELLS:
            result = report.measure(make(cells))
            if result.name in goals:
                report.against(TUNED, result, goals[result.name])
    report.turns('scissor 200 against scissor 50', scissor(200), scissor(50), 5.0)


def batch(report: Report) -> None:
    """Many rows of a smooth motion at once, against loops over them."""
    for workload, at_most in zip(examples(), (0.05, 0.12, 0.12)):
        u, _ = workload.motion(BATCH)
        rows = u[:BATCH_IN_PYTHON].tolist()
        packages = {name: make(workload).solver for name, make in PACKAGES.items()}
        plain = Pinocchio(workload)
        c_loop = CasadiCompiled(workload) if PEERS[CASADI].here else None
        ratios: dict[tuple[str, str], list[float]] = {}
        same = dict.fromkeys((PLAIN, CASADI), True)
        for _ in range(report.rounds):
            spent = {}
            plain.start()
            start = process_time()
            theirs = [plain.solve(row) for row in rows]
            spent[PLAIN] = (process_time() - start) / len(rows)
            if c_loop is not None:
                c_loop.start()
                start = process_time()
                in_c = c_loop.batch(u)
                spent[CASADI] = (process_time() - start) / BATCH
            for name, solver in packages.items():
                solver.reset()
                start = process_time()
                ours = solver.solve_batch(u)
                spent[name] = (process_time() - start) / BATCH
                for peer in spent.keys() & same.keys():
                    ratios.setdefault((name, peer), []).append(spent[name] / spent[peer])
                columns = {j.name: i for i, j in enumerate(workload.robot.moving_joints)}
                same[PLAIN] &= not ours.states.any() and bool(np.abs(
                    np.array(theirs)[:, list(plain.columns.values())]
                    - ours.positions[:len(rows), [columns[n] for n in plain.columns]],
                ).max() <= AGREEMENT)
                if c_loop is not None:
                    same[CASADI] &= bool(np.abs(
                        in_c - ours.positions[:, [columns[n] for n in c_loop.unknown]],
                    ).max() <= AGREEMENT)
        progress(f'batch, {workload.name}, us a row: ' + ', '.join(
            f'{name} {1e6 * seconds:.2f}' for name, seconds in spent.items()))
        for peer, limit in ((CASADI, limits(1.0, None)), (PLAIN, limits(0.01, at_most))):
            report.goals.append(Goal(
                f'batch of {BATCH:,}, {workload.name}, against {peer} in a loop', limit,
                {name: median(ratios[name, peer]) for name in packages
                 if same[peer] and (name, peer) in ratios}))


def frames(report: Report) -> None:
    """CAD-turned link frames against frames as a person writes them."""
    for workload in examples():
        report.turns(f'{workload.name}, CAD-turned frames against aligned ones',
                     turned(workload), workload, 1.2)


# What the package took before it had kernels.
_START = {'with [fast]': 1.1 * 2.2, 'without': 2.2}


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
        'import + load + first solve of Stewart against import numpy', _START,
        {[*PACKAGES][0]: median(ours / numpy for ours, numpy in rounds[1:])}))


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
        calls = calls_of(workload, SAMPLES)
        for make in PACKAGES.values():
            report.residuals.append(
                Oracle(workload).answers(make(workload), calls, SECONDS)[1])
    report.goals.append(Goal(
        'residual where a solution exists, m and rad', limits(RESIDUAL, RESIDUAL),
        dict.fromkeys(PACKAGES, max(report.residuals))))


PARTS: dict[str, Callable[[Report], None]] = {
    'single': single, 'velocities': velocities, 'cold': cold, 'growth': growth, 'batch': batch,
    'frames': frames, 'start': start, 'residual': residual}


def print_times(measurements: list[Measurement]) -> None:
    """Print microseconds a sample, mechanisms down, methods across."""
    methods = [name for name in (*PACKAGES, *PEERS)
               if any(name in result.times for result in measurements)]
    print('\nMicroseconds a sample (-: another solution, or none)\n')
    print(' ' * 26 + ''.join(f'{name:>18}' for name in methods) + f'{"load, ms":>10}')
    for result in measurements:
        print(f'{result.name:<26}' + ''.join(
            f'{median(result.times[name]) if name in result.times else "-":>18.5}'
            for name in methods) + f'{1e3 * result.load:>10.0f}')


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
        f'{name} {version(name)}' for name in ('numpy', 'pin', 'mujoco', 'casadi', 'scipy')))
    if report.measurements:
        print_times(report.measurements)
    print('\n' + ' ' * 56 + ''.join(f'{name:>20}  ' for name in PACKAGES))
    print(f'{"goal":<56}' + f'{"at most":>10}{"reached":>10}  ' * len(PACKAGES) + '\n')
    for goal in report.goals:
        print(goal.line)
    print('node, CPU a message at 1 kHz, against a bare relay: see benchmark/soak.py')


if __name__ == '__main__':
    main()
