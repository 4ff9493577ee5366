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

"""``riod_urdf sweep``: how far each motor can go with all loops closed."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
import json
import math
import sys
from typing import Any

from .console import Cell, Console, Progress, Style
from .joint_arguments import add_home_argument, add_joint_argument, check_independent
from .model_file import solver_for
from ..range_of_motion.joint_range import find_range, Range
from ..range_of_motion.range_end import End, Reason, REASONS
from ..robot.model import Robot
from ..solver.closure_solver import ClosureSolver
from ..wording import printable, shorten

_SENTENCES: dict[Reason, str] = {
    'out_of_reach': 'dead centre (links in line), out of reach beyond',
    'singular': 'singular position, from which the motors do not determine the way on',
    'tied': 'other actuated joints of its loops would have to move too',
    'strained': 'the closures contradict each other beyond',
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        'Tell how far each actuated joint can go, the others standing still, with the loops '
        'closed; where it ends and why; and which limits of passive joints it crosses.')
    parser.add_argument('model', metavar='MODEL', help='URDF or xacro file')
    add_home_argument(parser)
    add_joint_argument(parser, '--joint', 'sweep this joint only', False)
    add_joint_argument(
        parser, '--from', 'position to start from instead of home, rad or m', True)
    parser.add_argument('--json', action='store_true', help='write one JSON object')


def run(arguments: argparse.Namespace) -> int:
    """
    Sweep.

    :return: exit status.
    """
    solver = solver_for(
        arguments.model, mappings=arguments.mappings, home=dict(arguments.home))
    if solver is None:
        return 1
    start = dict(vars(arguments)['from'])
    check_independent(solver, start, '--from')
    check_independent(solver, arguments.joint, '--joint')
    names = arguments.joint or [
        name for name in solver.independent
        if any(name in group.independent for group in solver.groups)]
    ranges = _sweep_all(solver, list(dict.fromkeys(names)), start)
    if arguments.json:
        print(json.dumps({'joints': {found.joint: _json(solver.robot, found)
                                     for found in ranges}}, indent=2))
    else:
        _print(Console(sys.stdout), solver, ranges)
    return 0


def _sweep_all(solver: ClosureSolver, names: Sequence[str], start: dict[str, float],
               ) -> list[Range]:
    ranges = []
    with Progress(sys.stderr, 'joints') as progress:
        for i, name in enumerate(names):
            progress.update(i, len(names))
            ranges.append(find_range(solver, name, start))
    return ranges


def _json(robot: Robot, found: Range) -> dict[str, Any]:
    """Return a range as JSON can hold it, rad and m."""
    return {
        'unit': robot.by_name[found.joint].unit,
        'start': found.start,
        **{side: {'value': end.value, 'reason': end.reason, 'closures': list(end.closures)}
           for side, end in (('lower', found.lower), ('upper', found.upper))},
        'passive_limits': [
            {'joint': crossing.joint, 'side': crossing.side, 'limit': crossing.limit,
             'at': crossing.at} for crossing in found.crossings],
        'notes': [{'at': at, 'note': note} for at, note in found.notes],
    }


def _print(console: Console, solver: ClosureSolver, ranges: Sequence[Range]) -> None:
    if not ranges:
        console.write('No actuated joint moves a loop.')
        return
    units = {joint.name: joint.unit for joint in solver.robot.moving_joints}
    console.table(('JOINT', 'FROM', '', 'END', 'TO', '', 'END'), [
        [(shorten([found.joint]), 'actuated'),
         *_amount(found.lower.value, units[found.joint]), _end(found.lower),
         *_amount(found.upper.value, units[found.joint]), _end(found.upper)]
        for found in ranges])
    for found in ranges:
        sentences = list(_remarks(found, units[found.joint]))
        if sentences:
            console.write()
            console.write(f'  {console.paint(printable(found.joint), "bold")}')
        for sentence in sentences:
            console.paragraph(printable(sentence), indent='      ', first='    ')


def _end(end: End) -> Cell:
    style: Style = ('plain' if end.reason in ('limit', 'no_end')
                    else 'good' if end.reason == 'whole_turn' else 'warning')
    return REASONS[end.reason], style


def _remarks(found: Range, unit: str) -> Iterator[str]:
    """Say what a person should know about a range."""
    for end in (found.lower, found.upper):
        if end.reason in _SENTENCES:
            opened = f'; loop {shorten(end.closures)} opens' if end.closures else ''
            yield f'ends at {_amount(end.value, unit)[1]}: {_SENTENCES[end.reason]}{opened}'
    for crossing in found.crossings:
        side = 'above' if crossing.at >= found.start else 'below'
        yield (f'{side} {_amount(crossing.at, unit)[1]}: passive joint '
               f'{crossing.joint} goes beyond its {crossing.side} limit {crossing.limit:g}')
    for at, note in found.notes:
        yield f'at {_amount(at, unit)[1]}: {note}'


def _amount(value: float, unit: str) -> tuple[str, str]:
    """Return a position in the unit of the file, and in the one people think in."""
    return (f'{value:.6f} m', f'{1000.0 * value:.2f} mm') if unit == 'm' \
        else (f'{value:.6f} rad', f'{math.degrees(value):.2f} deg')
