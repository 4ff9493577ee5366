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

"""The spanning tree of a robot, drawn, with its joints' roles and its closures marked."""

from __future__ import annotations

from collections.abc import Iterator

from .console import Cell, Console
from ..robot.model import Joint, Robot
from ..wording import printable

_LINES = ('├─ ', '└─ ', '│  ', '   ')
_PLAIN = ('|- ', '`- ', '|  ', '   ')


def print_tree(console: Console, robot: Robot) -> None:
    """Write the tree: a line for each link, with the joint that leads to it."""
    marks: dict[str, list[str]] = {}
    for closure in robot.closures:
        marks.setdefault(closure.frame_a, []).append(f'{closure.name} (A)')
        marks.setdefault(closure.frame_b, []).append(f'{closure.name} (B)')
    lines = _LINES if console.can_show(''.join(_LINES)) else _PLAIN
    rows: list[list[Cell]] = []
    for stem, link in _branches(robot, lines):
        joint = robot.by_child.get(link)
        name, kind, role = (joint.name, joint.kind, _role(joint)) if joint else ('', '', '')
        rows.append([stem + printable(link), printable(name), kind, role,
                     printable(', '.join(marks.get(link, [])))])
    console.table(('LINK', 'JOINT', 'TYPE', 'ROLE', 'LOOP CLOSURE'), rows)


def _role(joint: Joint) -> Cell:
    if not joint.moving:
        return ''
    if joint.mimic is not None:
        mimic = joint.mimic
        offset = f' {mimic.offset:+g}' if mimic.offset else ''
        return printable(f'mimic: {mimic.multiplier:g} {mimic.joint}{offset}'), 'mimic'
    return (joint.role, 'actuated' if joint.actuated else 'passive')


def _branches(robot: Robot, lines: tuple[str, str, str, str]) -> Iterator[tuple[str, str]]:
    """Return each link with the lines that lead to it; children in document order."""
    children: dict[str, list[str]] = {}
    for joint in robot.joints:
        children.setdefault(joint.parent, []).append(joint.child)
    tee, corner, bar, blank = lines
    waiting = [('', '', robot.root)]
    while waiting:
        stem, below, link = waiting.pop()
        yield stem, link
        inner = children.get(link, [])
        waiting += [
            (below + (corner if last else tee), below + (blank if last else bar), child)
            for child in reversed(inner) for last in [child is inner[-1]]]
