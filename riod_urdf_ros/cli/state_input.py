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
from functools import partial
import itertools
import json
from typing import Any, TextIO

from .joint_arguments import find_moving, finite
from ..exceptions import RiodUrdfError, UsageError
from ..robot.model import Robot
from ..urdf.problem_list import ProblemList
from ..wording import count, quote

# What may stand beside the joints of a state, and is written out again.
LABELS = ('time', 'stamp')
# What else our own output has: a column of CSV, keys of JSON.
_STATE = 'state'
# Thousands of joints, each written in full.
_LONGEST_LINE = 1_000_000
_KEYS = ('positions', 'velocities', *LABELS, 'closures', 'notes')


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
    :param label: 'time' or 'stamp' and its value as it was written, to be passed through; empty
        if there is none.
    """

    where: str
    positions: Mapping[str, float]
    velocities: Mapping[str, float] = field(default_factory=dict)
    label: Mapping[str, Any] = field(default_factory=dict)


def bounded_lines(file: TextIO, name: str) -> Iterator[str]:
    """
    Return the lines of a file, none of which may fill the memory.

    :param name: of the file, for messages.
    :raises InputError: at a line that no state is as long as.
    """
    for number in itertools.count(1):
        line = file.readline(_LONGEST_LINE + 1)
        if not line:
            return
        if len(line) > _LONGEST_LINE:
            raise InputError(f'{name}:{number}', f'the line is longer than {_LONGEST_LINE} '
                             'characters; write one state a line')
        yield line


def read_states(lines: Iterable[str], name: str, robot: Robot) -> Iterator[State]:
    """
    Read states one by one, each as soon as its line is there.

    What this package writes, it reads: results among the columns or keys are skipped.

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
            row = json.loads(line, object_pairs_hook=partial(_object, where))
        except (ValueError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else 'nested too deep'
            raise InputError(where, f'not a JSON object on one line: {reason}') from None
        if not isinstance(row, dict) or 'positions' not in row:
            raise InputError(where, 'there are no "positions"; write '
                             '{"positions": {"JOINT": VALUE, ...}}')
        for key in row:
            if key not in _KEYS:
                raise InputError(
                    where, f'unknown key {quote(key)}' + ProblemList().near(key, _KEYS))
        positions, velocities = (_by_joint(row.get(key, {}), key, where, robot)
                                 for key in ('positions', 'velocities'))
        yield State(where, positions, velocities, {
            key: row[key] for key in LABELS if key in row})


def _object(where: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make a JSON object of its pairs; the standard lets the last of equal keys win."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise InputError(where, f'{quote(key)} is there twice')
        found[key] = value
    return found


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
    # A joint may be called like one of our own columns.
    labels = [i for i, key in enumerate(header) if key in LABELS and key not in robot.by_name]
    results = [i for i, key in enumerate(header) if key == _STATE and key not in robot.by_name]
    joints = [i for i in range(len(header)) if i not in (*labels, *results)]
    for i, key in enumerate(header):
        if i in joints:
            _check_known(key, where, robot)
        if key in header[:i]:
            raise InputError(where, f'two columns are named {quote(key)}')
    for where, row in rows:
        if len(row) != len(header):
            raise InputError(where, f'{count(len(row), "value")}, but the header has '
                             f'{count(len(header), "column")}')
        yield State(where, {header[i]: _number(row[i], where, f'joint {quote(header[i])}')
                            for i in joints}, label={header[i]: row[i] for i in labels})


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
