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

"""``riod_urdf reach``: motor positions for wanted poses of frames."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
import json
import sys

import numpy as np

from .console import Console
from .joint_arguments import add_home_argument, add_joint_argument, check_independent
from .model_file import solver_for
from .solve import opened, refused
from .state_input import InputError
from .state_output import csv_line, print_solution
from .target_input import read_targets, Wanted
from ..exceptions import UsageError
from ..robot.transforms import rotation_from_rpy
from ..solver.closure_solver import ClosureSolver
from ..solver.reaching import Reach, Target
from ..wording import listing, printable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        'Find positions of the motors that bring a frame to where it is wanted, within their '
        'limits, along a path from --joint or home. The exit status is 1 if it is not reached.')
    parser.add_argument('model', metavar='MODEL', help='URDF or xacro file')
    add_home_argument(parser)
    parser.add_argument('--frame', metavar='LINK', default='', help='whose place is wanted')
    for option, names, text in (
            ('--position', ('X', 'Y', 'Z'), 'of its origin, m'),
            ('--rpy', ('ROLL', 'PITCH', 'YAW'), 'of its axes, rad'),
            ('--direction', ('X', 'Y', 'Z'), 'where its --axis should point; turning about '
             'that is free'),
            ('--axis', ('X', 'Y', 'Z'), 'in the frame; z if not given')):
        parser.add_argument(option, nargs=3, type=float, metavar=names, help=text)
    parser.add_argument('--reference', metavar='LINK', default='',
                        help='link in which all this is given; the root if not given')
    add_joint_argument(parser, '--joint', 'position to start from, rad or m', True)
    add_joint_argument(parser, '--known', 'joint to find the position of, instead of those of '
                       'the motors that it is tied to', False)
    parser.add_argument(
        '--input', metavar='FILE',
        help='wanted places, each reached from the one before (- for stdin): CSV with columns x, '
             'y, z, roll, pitch, yaw, or JSON lines {"targets": [{"frame": "LINK", "position": '
             '[...], "rpy": [...], "direction": [...], "axis": [...], "reference": "LINK"}]}; a '
             'column or key time or stamp is passed through')
    parser.add_argument('--json', action='store_true', help='write JSON lines; else one place is '
                        'written as a table, and many as CSV')


def run(arguments: argparse.Namespace) -> int:
    """
    Reach.

    :return: exit status.
    """
    one = [arguments.position, arguments.rpy, arguments.direction]
    if (arguments.input is None) == (one == [None] * 3):
        raise UsageError('give --position, --rpy or --direction, or else --input')
    if arguments.input is None and not arguments.frame:
        raise UsageError('give the link by --frame')
    solver = solver_for(
        arguments.model, arguments.known, arguments.mappings, dict(arguments.home))
    if solver is None:
        return 1
    start = dict(arguments.joint)
    check_independent(solver, start, '--joint')
    solver.solve({**{name: solver.home[name] for name in solver.independent}, **start})
    if arguments.input is None:
        given = {key: np.array(value) for key in ('position', 'direction', 'axis')
                 if (value := getattr(arguments, key)) is not None}
        rotation = None if arguments.rpy is None else rotation_from_rpy(arguments.rpy)
        return _one(solver, Target(arguments.frame, rotation=rotation,
                                   reference=arguments.reference, **given), arguments.json)
    try:
        with opened(arguments.input) as (file, name, _):
            return _stream(solver, read_targets(
                file, name, arguments.frame, arguments.reference), arguments.json)
    except InputError as error:
        return refused(error)


def _one(solver: ClosureSolver, target: Target, as_json: bool) -> int:
    found = solver.reach([target])
    if as_json:
        print(_json_line(found, {}))
    else:
        console = Console(sys.stdout)
        print_solution(console, found.solution, found.solution.positions,
                       solver.robot.moving_joints, (), ())
        console.write()
        console.write(_verdict(found))
    return int(found.verdict != 'reached')


def _stream(solver: ClosureSolver, rows: Iterable[Wanted], as_json: bool) -> int:
    """Answer each as soon as it is asked for."""
    missed, labels = 0, None
    for wanted in rows:
        try:
            found = solver.reach(wanted.targets)
        except UsageError as error:
            raise InputError(wanted.where, str(error)) from None
        if as_json:
            print(_json_line(found, dict(wanted.label)))
        else:
            if labels is None:
                labels = tuple(wanted.label)
                print(csv_line([*labels, *found.solution.positions, 'verdict',
                                'position_error', 'orientation_error']))
            print(csv_line([*(wanted.label.get(key, '') for key in labels),
                            *found.solution.positions.values(), found.verdict,
                            found.position_error, found.orientation_error]))
        sys.stdout.flush()
        if found.verdict != 'reached':
            missed += 1
            print(f'{wanted.where}: {_verdict(found)}', file=sys.stderr)
    return int(missed > 0)


def _json_line(found: Reach, label: dict[str, object]) -> str:
    return json.dumps({
        **label, 'verdict': found.verdict, 'positions': dict(found.solution.positions),
        'position_error': found.position_error, 'orientation_error': found.orientation_error,
        'at_limit': list(found.at_limit), 'certain': found.certain,
        'notes': list(found.solution.notes)}, allow_nan=False)


def _verdict(found: Reach) -> str:
    """Say what a search came to, on one line."""
    if found.verdict == 'reached':
        return 'reached' if found.certain else \
            'reached; another assembly mode cannot be excluded'
    what = {'out of reach': 'out of reach: no motion from there leads nearer',
            'nearest': 'not reached; nearer was not found'}[found.verdict]
    held = f'; at the limit of {listing(found.at_limit)}' if found.at_limit else ''
    return printable(f'{what}; missing are {found.position_error:.6g} m and '
                     f'{found.orientation_error:.6g} rad{held}')
