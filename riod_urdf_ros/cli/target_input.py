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

"""Places and directions of frames as a user asks for them: CSV of one frame, or JSON lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
import csv
import json
from typing import Any, NamedTuple

import numpy as np

from .state_input import InputError, LABELS
from ..robot.transforms import Array, rotation_from_rpy
from ..solver.reaching import Target
from ..wording import quote

_PLACE, _TURN = ('x', 'y', 'z'), ('roll', 'pitch', 'yaw')
_KEYS = ('frame', 'position', 'rpy', 'direction', 'axis', 'reference')


class Wanted(NamedTuple):
    """
    What is wanted at once.

    :param where: ``file:line``.
    :param label: time or stamp, to be passed through.
    """

    where: str
    targets: tuple[Target, ...]
    label: Mapping[str, Any]


def read_targets(lines: Iterable[str], name: str, frame: str, reference: str) -> Iterator[Wanted]:
    """
    Read what is wanted, each as soon as its line is there.

    :param lines: JSON lines ``{"targets": [{"frame": ..., "position": [...]}]}``, if the first
        begins with a brace; else CSV with columns x, y, z, roll, pitch, yaw, all or three.
    :param name: of the file, for messages.
    :param frame: of CSV, and of JSON that names none; so is the reference.
    :raises InputError: at the first line that cannot be read.
    """
    reader = None
    for number, line in enumerate(lines, 1):
        where = f'{name}:{number}'
        line = line.removeprefix('\ufeff') if number == 1 else line
        if not line.strip():
            continue
        if reader is None and line.lstrip().startswith('{'):
            reader = 'json'
        if reader == 'json':
            yield _json(line, where, frame, reference)
        elif reader is None:
            reader, header = 'csv', [cell.strip() for cell in next(csv.reader([line]))]
            _check_header(header, where, frame)
        else:
            yield _row(next(csv.reader([line])), header, where, frame, reference)
    if reader is None:
        raise InputError(f'{name}:1', 'nothing is wanted: the input is empty')


def _check_header(header: list[str], where: str, frame: str) -> None:
    known = (*_PLACE, *_TURN, *LABELS)
    wrong = [column for column in header if column not in known]
    groups = [sum(column in header for column in part) for part in (_PLACE, _TURN)]
    if wrong or len(set(header)) < len(header) or set(groups) not in ({3}, {0, 3}):
        raise InputError(where, 'the header has to have x, y, z or roll, pitch, yaw or both, and '
                         + f'may have {" or ".join(LABELS)}; it is {", ".join(header)}')
    if not frame:
        raise InputError(where, 'CSV names no frame: give it by --frame')


def _row(cells: list[str], header: list[str], where: str, frame: str, reference: str) -> Wanted:
    if len(cells) != len(header):
        raise InputError(where, f'{len(cells)} values under {len(header)} columns')
    row = dict(zip(header, cells))
    place, turn = ([row[column] for column in part] if part[0] in row else None
                   for part in (_PLACE, _TURN))
    return Wanted(where, (_target({'frame': frame, 'reference': reference, **{
        key: value for key, value in (('position', place), ('rpy', turn))
        if value is not None}}, where),),
        {key: row[key] for key in LABELS if key in row})


def _json(line: str, where: str, frame: str, reference: str) -> Wanted:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise InputError(where, 'not a JSON object on one line') from None
    targets = row.get('targets') if isinstance(row, dict) else None
    if not isinstance(targets, list) or not all(isinstance(entry, dict) for entry in targets):
        raise InputError(where, 'there are no "targets"; write {"targets": [{"frame": "LINK", '
                         '"position": [x, y, z]}]}')
    for key in row:
        if key not in ('targets', *LABELS):
            raise InputError(where, f'unknown key {quote(key)}')
    given = {key: value for key, value in (('frame', frame), ('reference', reference)) if value}
    return Wanted(where, tuple(_target({**given, **entry}, where) for entry in targets),
                  {key: row[key] for key in LABELS if key in row})


def _target(entry: Mapping[str, Any], where: str) -> Target:
    for key in entry:
        if key not in _KEYS:
            raise InputError(where, f'unknown key {quote(key)}; there are: ' + ', '.join(_KEYS))
    if not isinstance(entry.get('frame'), str) or not isinstance(entry.get('reference', ''), str):
        raise InputError(where, '"frame" and "reference" have to be names of links')
    values = {key: _three(entry[key], key, where)
              for key in ('position', 'rpy', 'direction', 'axis') if key in entry}
    if not values.keys() - {'axis'}:
        raise InputError(where, 'neither position nor rpy nor direction is wanted')
    rpy = values.pop('rpy', None)
    return Target(entry['frame'], reference=entry.get('reference', ''), **values,
                  rotation=None if rpy is None else rotation_from_rpy(rpy))


def _three(value: Any, key: str, where: str) -> Array:
    try:
        if isinstance(value, (list, tuple)) and not any(isinstance(v, bool) for v in value):
            numbers = np.array([float(v) for v in value])
            if numbers.shape == (3,) and np.isfinite(numbers).all():
                return numbers
    except (TypeError, ValueError):
        pass
    raise InputError(where, f'{key} has to be three finite numbers, it is {value!r}')
