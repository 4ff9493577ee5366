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

"""Arguments that name joints: reading, checking, and completing them in the shell."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
import json
import math

from ..exceptions import UsageError
from ..robot.model import Joint, Robot
from ..solver.closure_solver import ClosureSolver
from ..urdf.loader import load
from ..urdf.problem_list import ProblemList
from ..wording import quote


def add_joint_argument(
        parser: argparse.ArgumentParser, option: str, help_text: str, value: bool) -> None:
    """
    Add an option that may be given many times.

    :param value: whether a joint's position belongs to it (``NAME=VALUE``).
    """
    argument = parser.add_argument(
        option, action='append', default=[], type=joint_value if value else str,
        metavar='NAME=VALUE' if value else 'NAME', help=help_text)
    # Where argcomplete looks for it.
    argument.completer = _completer('=' if value else '')  # type: ignore[attr-defined]


def add_home_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option that says where a mechanism is assembled."""
    add_joint_argument(
        parser, '--home', 'position of a joint in the pose to assemble from, rad or m (default: '
        '0); where several ways leave home, those of passive joints choose one', True)


def _completer(end: str) -> Callable[..., list[str]]:
    def complete(prefix: str, parsed_args: argparse.Namespace, **_: object) -> list[str]:
        robot = load(parsed_args.model).robot
        return [joint.name + end for joint in robot.moving_joints
                if joint.mimic is None and joint.name.startswith(prefix)]

    return complete


def joint_value(text: str) -> tuple[str, float]:
    """
    Read ``NAME=VALUE``.

    :raises argparse.ArgumentTypeError: if it is something else.
    """
    name, equals, value = text.rpartition('=')
    if not equals or not name:
        raise argparse.ArgumentTypeError(f'{quote(text)} is not NAME=VALUE')
    try:
        return name, finite(value)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f'joint {quote(name)}: {error}') from None


def finite(value: object) -> float:
    """
    Return a value as a finite number.

    :raises ValueError: if it is not one.
    """
    try:
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            raise ValueError
        number = float(value)
    except (OverflowError, ValueError):
        shown = quote(value if isinstance(value, str) else json.dumps(value))
        raise ValueError(f'{shown} is not a number') from None
    if not math.isfinite(number):
        raise ValueError(f'{quote(str(value))} is not finite')
    return number


def find_moving(robot: Robot, name: str) -> Joint:
    """
    Find a joint that has a position.

    :raises UsageError: if there is none of that name, with the names that may have been meant.
    """
    joint = robot.by_name.get(name)
    if joint is not None and joint.moving:
        return joint
    what = (f'unknown joint {quote(name)}' if joint is None
            else f'joint {quote(name)} is {joint.kind} and has no position')
    raise UsageError(
        what + ProblemList().near(name, [moving.name for moving in robot.moving_joints]))


def check_independent(solver: ClosureSolver, names: Iterable[str], option: str) -> None:
    """
    See that positions of joints are free to choose.

    :param option: that they were given with.
    :raises UsageError: at the first joint whose position is not.
    """
    for name in names:
        try:
            mimic = find_moving(solver.robot, name).mimic
        except UsageError as error:
            raise UsageError(f'{option}: {error}') from None
        if mimic is not None:
            raise UsageError(f'{option}: joint {quote(name)} follows {quote(mimic.joint)} '
                             '(<mimic>); give that one')
        if name not in solver.independent:
            raise UsageError(
                f'{option}: joint {quote(name)} is solved for; give '
                f'{", ".join(map(quote, solver.independent))}, or make it known by --known {name}')
