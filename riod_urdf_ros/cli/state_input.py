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

"""States as a user gives them: CSV with joint names as header, or JSON lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
import csv
from dataclasses import dataclass, field
import itertools
import json
from typing import Any

from .joint_arguments import find_moving, finite
from ..exceptions import RiodUrdfError, UsageError
from ..robot.model import Robot
from ..wording import quote


class InputError(RiodUrdfError):
    """
    A state that cannot be read.

    :param where: ``file:line``.
    """

    def __init__(self, where: str, message: str) -> None:
        """Keep both."""
        super().__init__(f'{where}: {message}')
        self.where, self.message = where, message


@dataclass(frozen=True)
class State:
    """
    One state to solve.

    :param where: ``file:line``.
    :param positions: rad and m, by joint; finite.
    :param velocities: rad/s and m/s; finite.
    """

    where: str
    positions: Mapping[str, float]
    velocities: Mapping[str, float] = field(default_factory=dict)


def read_states(lines: Iterable[str], name: str, robot: Robot) -> Iterator[State]:
    """
    Read states one by one, each as soon as its line is there.

    :param lines: JSON lines, if the first that is not empty begins with a brace; else CSV with
        joint names as header.
    :param name: of the file, for messages.
    :raises InputError: at the first line that is no state.
    """
    numbered = iter(lines)
    number = 0
    for number, line in enumerate(numbered, 1):
        line = line.removeprefix('\ufeff') if number == 1 else line
        if line.strip():
            rest = itertools.chain([line], numbered)
            read = _json_lines if line.lstrip().startswith('{') else _csv
            yield from read(rest, number, name, robot)
            return
    raise InputError(f'{name}:{number or 1}', 'there is no state: the input is empty')


def _json_lines(lines: Iterable[str], first: int, name: str, robot: Robot) -> Iterator[State]:
    for number, line in enumerate(lines, first):
        where = f'{name}:{number}'
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else 'nested too deep'
            raise InputError(where, f'not a JSON object on one line: {reason}') from None
        if not isinstance(row, dict) or 'positions' not in row:
            raise InputError(where, 'there are no "positions"; write '
                             '{"positions": {"JOINT": VALUE, ...}}')
        parts = [_by_joint(row.get(key, {}), key, where, robot)
                 for key in ('positions', 'velocities')]
        yield State(where, *parts)


def _by_joint(values: Any, key: str, where: str, robot: Robot) -> dict[str, float]:
    if not isinstance(values, dict):
        raise InputError(where, f'"{key}" has to be an object of joint names and numbers')
    for joint in values:
        _check_known(joint, where, robot)
    return {joint: _number(value, where, f'"{key}", joint {quote(joint)}')
            for joint, value in values.items()}


def _csv(lines: Iterable[str], first: int, name: str, robot: Robot) -> Iterator[State]:
    reader = csv.reader(lines, skipinitialspace=True)
    rows = _csv_rows(reader, first, name)
    where, header = next(rows)
    for i, joint in enumerate(header):
        _check_known(joint, where, robot)
        if joint in header[:i]:
            raise InputError(where, f'two columns are named {quote(joint)}')
    for where, row in rows:
        if len(row) != len(header):
            raise InputError(where, f'{len(row)} values, but the header has {len(header)} joints')
        yield State(where, {joint: _number(value, where, f'joint {quote(joint)}')
                            for joint, value in zip(header, row, strict=True)})


def _csv_rows(reader: Any, first: int, name: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Return the rows that are not empty, with their places."""
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise InputError(f'{name}:{first + reader.line_num - 1}',
                             f'not CSV: {error}') from None
        if row:
            yield f'{name}:{first + reader.line_num - 1}', [cell.strip() for cell in row]


def _check_known(joint: str, where: str, robot: Robot) -> None:
    try:
        find_moving(robot, joint)
    except UsageError as error:
        raise InputError(where, str(error)) from None


def _number(value: object, where: str, what: str) -> float:
    try:
        return finite(value)
    except ValueError as error:
        raise InputError(where, f'{what}: {error}') from None
