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

"""Solved states for people (a table) and for programs (CSV, JSON lines)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
import csv
import io
import json
import math
from typing import Any

from .console import Cell, Console, Style
from .structure_report import opening
from ..robot.model import Joint
from ..solver.solution import Solution
from ..wording import printable

_STYLES: dict[str, Style] = {'closed': 'good', 'strained': 'warning', 'open': 'error'}


def json_line(solution: Solution, positions: Mapping[str, float], label: Mapping[str, Any],
              ) -> str:
    """
    Return one state as one line of JSON; m, rad, m/s, rad/s.

    :param positions: of the solution, wrapped where that is wanted.
    :param label: its time or stamp.
    """
    return json.dumps({
        **label,
        'positions': dict(positions),
        'velocities': dict(solution.velocities),
        'closures': {name: {'gap': status.gap, 'angle': status.angle, 'state': status.state}
                     for name, status in solution.closures.items()},
        'notes': list(solution.notes),
    }, allow_nan=False)


def csv_line(values: Iterable[object]) -> str:
    """Return one row of CSV, without its line end; numbers in full."""
    row = io.StringIO()
    csv.writer(row, lineterminator='').writerow(
        [repr(value) if isinstance(value, float) else value for value in values])
    return row.getvalue()


def print_solution(
        console: Console, solution: Solution, positions: Mapping[str, float],
        joints: Sequence[Joint], given: Collection[str], independent: Collection[str]) -> None:
    """
    Write one state as tables.

    :param positions: of the solution, wrapped where that is wanted, rad and m.
    :param joints: the moving ones.
    :param given: names of those that the user gave a position.
    :param independent: names of those whose positions are not solved for.
    """
    rows: list[list[Cell]] = []
    for joint in joints:
        position = positions[joint.name]
        role: tuple[str, Style] = (
            (f'mimics {joint.mimic.joint}', 'mimic') if joint.mimic is not None
            else ('given', 'actuated') if joint.name in given
            else ('not given: at home', 'dim') if joint.name in independent
            else ('solved', 'passive'))
        rows.append([printable(joint.name), *_in_units(joint, position),
                     (printable(role[0]), role[1]), _beyond(joint, position)])
    console.table(('JOINT', 'POSITION', '', 'ROLE', ''), rows)
    if solution.closures:
        console.write()
        console.table(('LOOP CLOSURE', 'STATE', 'GAP'), (
            (printable(name), (status.state, _STYLES[status.state]),
             opening(status.gap, status.angle))
            for name, status in solution.closures.items()))
    # Limits are in the table already.
    notes = dict.fromkeys(note for status in solution.groups for note in status.notes)
    if notes:
        console.write()
    for note in notes:
        console.paragraph(printable(note), indent='        ', first='  note: ')


def _in_units(joint: Joint, position: float) -> tuple[str, str]:
    if joint.unit == 'm':
        return f'{position:13.9f} m', f'{1000.0 * position:9.3f} mm'
    return f'{position:13.9f} rad', f'{math.degrees(position):9.3f} deg'


def _beyond(joint: Joint, position: float) -> Cell:
    excess, (lower, upper) = joint.excess(position), joint.limits
    if abs(excess) <= 1e-9:
        return ''
    name, limit = ('lower', lower) if excess < 0.0 else ('upper', upper)
    return f'beyond its {name} limit {limit:g}', 'warning'
