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

"""``riod_urdf solve``: complete positions, for one state or a stream of them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
import io
import os
import sys
from typing import TextIO

from .console import Console, Progress
from .joint_arguments import add_home_argument, add_joint_argument, check_independent
from .model_file import solver_for
from .state_input import bounded_lines, InputError, read_states
from .state_solver import StateSolver
from ..wording import printable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        'Complete joint positions from those of the motors. A joint that is not given stays '
        'where it was; at first that is the position of --joint, else home. The exit status is 1 '
        'if a state is not closed.')
    parser.add_argument('model', metavar='MODEL', help='URDF or xacro file')
    add_home_argument(parser)
    add_joint_argument(parser, '--joint', 'position of an independent joint, rad or m', True)
    add_joint_argument(
        parser, '--known', 'joint whose position is known, instead of those of the motors that '
        'it is tied to (the encoder on a passive hinge)', False)
    parser.add_argument(
        '--input', metavar='FILE',
        help='states to solve one after the other (- for stdin): CSV with joint names as header, '
             'or JSON lines {"positions": {JOINT: VALUE, ...}, "velocities": {...}}; a column or '
             'key time or stamp is passed through')
    parser.add_argument('--from-home', action='store_true',
                        help='reach each state from home on its own, not from the one before')
    parser.add_argument(
        '--wrap', action='store_true', help='write solved joints that turn without end within '
        'half a turn of zero; else they count their turns, without a jump in a stream')
    parser.add_argument(
        '--json', action='store_true', help='write JSON lines, with velocities, gaps and notes; '
        'else one state is written as a table, and many as CSV')


def run(arguments: argparse.Namespace) -> int:
    """
    Solve.

    :return: exit status.
    """
    solver = solver_for(
        arguments.model, arguments.known, arguments.mappings, dict(arguments.home))
    if solver is None:
        return 1
    given = dict(arguments.joint)
    check_independent(solver, given, '--joint')
    states = StateSolver(solver, given, from_home=arguments.from_home,
                         as_json=arguments.json, wrap=arguments.wrap)
    if arguments.input is None:
        return states.one()
    try:
        with opened(arguments.input) as (file, name, size):
            found = read_states(bounded_lines(file, name), name, solver.robot)
            if not size:
                return states.stream(found)
            # On one terminal, the bar and the answers would be in each other's way.
            with Progress(sys.stderr, 'bytes', wanted=not sys.stdout.isatty()) as progress:
                return states.batch(
                    found, lambda: progress.update(file.buffer.tell(), size))
    except InputError as error:
        return refused(error)


def refused(error: InputError) -> int:
    """Say what cannot be read, after what was written before; return the exit status."""
    sys.stdout.flush()
    console = Console(sys.stderr)
    console.write(f'{console.paint(printable(error.where), "bold")}: '
                  f'{console.paint("error:", "error")} {printable(error.message)}')
    return 1


@contextmanager
def opened(path: str) -> Iterator[tuple[TextIO, str, int]]:
    """Open the input; give it, its name for messages, and its size if it is all there already."""
    if path == '-':
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(encoding='utf-8', errors='replace', newline='')
        yield sys.stdin, 'stdin', 0
        return
    try:
        file = open(path, encoding='utf-8', errors='replace', newline='')
    except (OSError, ValueError) as error:
        # A ValueError is a path with a NUL in it.
        raise InputError(path, f'cannot be read: {getattr(error, "strerror", error)}') from None
    with file:
        yield file, path, os.path.getsize(path) if os.path.isfile(path) else 0
