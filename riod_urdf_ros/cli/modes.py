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

"""``riod_urdf modes``: all poses in which the loops close while the motors stand still."""

from __future__ import annotations

import argparse
import json
import sys

from .console import Cell, Console
from .joint_arguments import add_home_argument, add_joint_argument, check_independent
from .model_file import solver_for
from ..solver.assembly_modes import AssemblyMode
from ..wording import printable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        'List the assembly modes: all poses that close the loops for given positions of the '
        'motors, found from many starts. The exit status is 1 if a loop closes in none.')
    parser.add_argument('model', metavar='MODEL', help='URDF or xacro file')
    add_home_argument(parser)
    add_joint_argument(parser, '--joint', 'position of an independent joint, rad or m; the '
                       'others are at home', True)
    add_joint_argument(parser, '--known', 'joint whose position is known, instead of those of '
                       'the motors that it is tied to', False)
    parser.add_argument('--json', action='store_true', help='write one JSON object')


def run(arguments: argparse.Namespace) -> int:
    """
    List the modes.

    :return: exit status.
    """
    solver = solver_for(
        arguments.model, arguments.known, arguments.mappings, dict(arguments.home))
    if solver is None:
        return 1
    given = dict(arguments.joint)
    check_independent(solver, given, '--joint')
    found = solver.assembly_modes(given)
    if arguments.json:
        print(json.dumps({
            group: [{'positions': dict(mode.positions), 'followed': mode.followed,
                     'reachable': mode.reachable} for mode in modes]
            for group, modes in found.items()}, indent=2))
    else:
        console = Console(sys.stdout)
        for group, modes in found.items():
            console.write(f'{console.paint(printable(group), "bold")}: {_number(len(modes))}')
            if modes:
                console.table(('JOINT', *(str(i + 1) for i in range(len(modes)))), [
                    *([printable(name), *(f'{mode.positions[name]:.6g}' for mode in modes)]
                      for name in modes[0].positions),
                    ['', *(_remark(mode) for mode in modes)]])
    return 0 if all(found.values()) else 1


def _number(count: int) -> str:
    return 'closes in no pose' if not count else '1 mode' if count == 1 else f'{count} modes'


def _remark(mode: AssemblyMode) -> Cell:
    if mode.followed:
        return 'followed', 'good'
    return ('reachable', 'plain') if mode.reachable else ('apart', 'dim')
