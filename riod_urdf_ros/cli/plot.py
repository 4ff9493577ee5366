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

"""``riod_urdf plot``: the mechanism as a person would draw it, at rest or along a sweep."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
import sys

from .console import Progress
from .joint_arguments import add_home_argument, add_joint_argument, check_independent
from .model_file import solver_for
from ..exceptions import UsageError
from ..range_of_motion.samples import sample_range, SampledRange
from ..robot.kinematics import with_mimics
from ..solver.closure_solver import ClosureSolver
from ..solver.solution import Solution
from ..wording import millimetres, quote

_FORMATS, _GRAPH_FORMATS = ('.png', '.svg', '.gif'), ('.png', '.svg', '.dot')


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        'Draw a mechanism: at home, at given joint positions, or along the motion of one joint. A '
        'plane mechanism is drawn in its plane. The exit status is 1 if a loop is open.')
    parser.add_argument('model', metavar='MODEL', help='URDF or xacro file')
    add_home_argument(parser)
    add_joint_argument(parser, '--joint', 'position of an independent joint, rad or m; the '
                       'others are at home', value=True)
    add_joint_argument(parser, '--known', 'joint whose position is given instead of those of '
                       'the motors that it is tied to', value=False)
    parser.add_argument('--sweep', metavar='NAME', help='joint to move through its range')
    parser.add_argument('-o', '--output', metavar='FILE', type=Path,
                        help='picture to write: .png, .svg, or with --sweep .gif, which moves '
                        '(default: a PNG called after the model, in the current directory)')
    parser.add_argument('--graph', action='store_true',
                        help='draw the tree of links and joints with its closures instead, as '
                        '.svg, .png or .dot (for Graphviz)')
    parser.add_argument('--modes', action='store_true',
                        help='add the other assembly modes: poses that close the loops as well')
    parser.add_argument('--curves', action='store_true',
                        help='with --sweep: add the passive joints and the distance to '
                        'singularity along the way')


def run(arguments: argparse.Namespace) -> int:
    """
    Draw.

    :return: exit status.
    """
    output = _output(arguments)
    if find_spec('matplotlib') is None:
        print('riod_urdf plot: error: matplotlib is not installed (the ROS way: sudo apt install '
              'python3-matplotlib; with pip: pip install matplotlib)', file=sys.stderr)
        return 2
    solver = solver_for(
        arguments.model, arguments.known, arguments.mappings, dict(arguments.home))
    if solver is None:
        return 1
    if arguments.graph:
        from ..plotting.graph import save_graph
        with _written(output):
            save_graph(solver.robot, output)
        print(f'wrote {output}')
        return 0
    given = {name: solver.home[name] for name in solver.independent}
    check_independent(solver, dict(arguments.joint), '--joint')
    given.update(arguments.joint)
    motion = None
    if arguments.sweep is not None:
        check_independent(solver, [arguments.sweep], '--sweep')
        motion = sample_range(solver, arguments.sweep, given)
        given[arguments.sweep] = motion.start
    solver.reset()
    solution = solver.solve(given)
    # Not before there is something to draw: matplotlib takes its time to load.
    from ..plotting.picture import Picture
    with _written(output), Progress(sys.stderr, 'frames') as progress:
        Picture(solver, solution, motion, arguments.curves,
                _other_modes(solver, solution) if arguments.modes else ()).save(
                    output, progress.update)
    return _report(solver, solution, motion, output)


def _other_modes(solver: ClosureSolver, solution: Solution) -> list[dict[str, float]]:
    """Return whole postures, each with one loop group in another mode than the one followed."""
    given = {name: solution.positions[name] for name in solver.independent}
    return [with_mimics(solver.robot, {**solution.positions, **mode.positions})
            for modes in solver.assembly_modes(given).values()
            for mode in modes if not mode.followed]


@contextmanager
def _written(output: Path) -> Iterator[None]:
    """Say if a file cannot be written."""
    try:
        yield
    except OSError as error:
        raise UsageError(f'cannot write {output}: {error.strerror or error}') from None


def _output(arguments: argparse.Namespace) -> Path:
    """Choose the file to write, and see that it goes with the other arguments."""
    name = Path(arguments.model).name.removesuffix('.xacro').removesuffix('.urdf')
    output: Path = arguments.output or Path(f'{name}.png')
    formats = _GRAPH_FORMATS if arguments.graph else _FORMATS
    if output.suffix.lower() not in formats:
        raise UsageError(f'cannot write {quote(str(output))}: its name has to end in '
                         f'{", ".join(formats[:-1])} or {formats[-1]}')
    if arguments.graph and (arguments.sweep is not None or arguments.joint):
        raise UsageError('--graph shows no posture; leave --sweep and --joint out')
    if arguments.sweep is None:
        for wanted, what in ((output.suffix.lower() == '.gif', 'a .gif moves: it'),
                             (arguments.curves, '--curves')):
            if wanted:
                raise UsageError(f'{what} needs --sweep NAME')
    return output


def _report(solver: ClosureSolver, solution: Solution, motion: SampledRange | None,
            output: Path) -> int:
    """Say what was drawn, and what is not as it should be."""
    print(f'wrote {output}')
    if motion is not None and not motion.whole:
        print(f'{motion.joint}: the loops stay closed from {motion.values[0]:.4g} to '
              f'{motion.values[-1]:.4g} {motion.unit}, of {motion.wanted[0]:.4g} to '
              f'{motion.wanted[1]:.4g}')
    opened: Mapping[str, str] = {
        name: f'gap {millimetres(status.gap)}' for name, status in solution.closures.items()
        if status.state == 'open'}
    for name, gap in opened.items():
        print(f'riod_urdf plot: loop {quote(name)} is open there: {gap}', file=sys.stderr)
    return int(bool(opened))
