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

"""The tree of links and joints with its closures, as Graphviz text or as a drawing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from matplotlib.figure import Figure

from .plain_text import plain
from .symbols import COLOURS
from ..colours import darker, TREE
from ..robot.model import Joint, Robot

# In inches: from one row to the next, of a letter, around names, of the picture's edge, and from
# one closure to the next.
_ROW, _LETTER, _ROOM, _EDGE, _RAIL = 0.34, 0.078, 0.3, 0.3, 0.15
_FONT, _SMALL = 9.0, 7.5  # points


def dot(robot: Robot) -> str:
    """Return the graph as Graphviz reads it."""
    lines = [f'digraph {_quoted(robot.name)} {{', '  node [shape=box];']
    lines += [f'  {_quoted(link)};' for link in robot.links]
    for joint in robot.joints:
        lines.append(f'  {_quoted(joint.parent)} -> {_quoted(joint.child)} [label='
                     f'{_quoted(f"{joint.name} ({_remark(joint)})")}, color="{_colour(joint)}"];')
    for closure in robot.closures:
        lines.append(
            f'  {_quoted(closure.frame_a)} -> {_quoted(closure.frame_b)} [label='
            f'{_quoted(f"{closure.name} ({closure.kind})")}, color="{COLOURS["closed"]}", '
            'style=dashed, dir=none, constraint=false];')
    return '\n'.join([*lines, '}', ''])


def _quoted(text: str) -> str:
    escaped = text.replace('\\', '\\\\').replace('"', '\\"')
    return f'"{escaped}"'


def _remark(joint: Joint) -> str:
    return joint.kind if joint.kind == joint.role else f'{joint.kind}, {joint.role}'


def _colour(joint: Joint) -> str:
    return COLOURS.get(joint.role, TREE)


def save_graph(robot: Robot, path: Path) -> None:
    """
    Write the graph.

    :param path: ``.dot`` for Graphviz, or a suffix that matplotlib writes.
    :raises OSError: if it cannot be written.
    """
    if path.suffix.lower() == '.dot':
        path.write_text(dot(robot), encoding='utf-8')
        return
    places = dict(_places(robot))
    columns = _columns(robot, places)
    longest = max((len(closure.name) for closure in robot.closures), default=0)
    right = _LETTER * longest + _ROOM + max(
        columns[column] + _LETTER * len(link) for link, (column, _) in places.items())
    width = right + _RAIL * len(robot.closures) + 2.0 * _EDGE
    height = _ROW * (1 + max(row for _, row in places.values())) + 2.0 * _EDGE
    figure = Figure(figsize=(width, height), dpi=150)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_xlim(-_EDGE, width - _EDGE)
    axes.set_ylim(height - _EDGE - 0.5 * _ROW, -_EDGE - 0.5 * _ROW)
    axes.axis('off')

    def at(link: str) -> tuple[float, float]:
        column, row = places[link]
        return columns[column], _ROW * row

    for link in robot.links:
        axes.text(*at(link), plain(link), fontsize=_FONT, va='center', zorder=3,
                  bbox={'boxstyle': 'round,pad=0.2', 'facecolor': 'white', 'edgecolor': TREE})
    for joint in robot.joints:
        (x0, y0), (x1, y1) = at(joint.parent), at(joint.child)
        colour = _colour(joint)
        start = x0 + 0.12
        axes.plot([start, start, x1 - 0.06], [y0, y1, y1], color=colour, linewidth=1.6, zorder=1)
        axes.text(x1 - 0.12, y1 - 0.03, plain(joint.name), fontsize=_SMALL, ha='right',
                  va='bottom', color=darker(colour), zorder=2)
    # Every link has a row of its own, so nothing is in the way to its right.
    for i, closure in enumerate(robot.closures):
        (x0, y0), (x1, y1) = at(closure.frame_a), at(closure.frame_b)
        rail = right + _RAIL * (i + 1)
        axes.plot([x0, rail, rail, x1], [y0, y0, y1, y1], color=COLOURS['closed'],
                  linestyle='--', linewidth=1.6, zorder=2)
        axes.text(right, y0 - 0.03, plain(closure.name), fontsize=_SMALL, ha='right',
                  va='bottom', color=darker(COLOURS['closed']), zorder=4)
    figure.savefig(path, bbox_inches='tight', pad_inches=0.1)


def _places(robot: Robot) -> Iterator[tuple[str, tuple[int, int]]]:
    """Return for each link its column, which is its depth, and a row of its own."""
    children: dict[str, list[str]] = {}
    for joint in robot.joints:
        children.setdefault(joint.parent, []).append(joint.child)
    row, waiting = -1, [(robot.root, 0)]
    while waiting:
        link, depth = waiting.pop()
        row += 1
        yield link, (depth, row)
        waiting += [(child, depth + 1) for child in reversed(children.get(link, []))]


def _columns(robot: Robot, places: dict[str, tuple[int, int]]) -> list[float]:
    """Return where each column begins: the names of the joints have room before it."""
    longest = [0] * (1 + max(column for column, _ in places.values()))
    for joint in robot.joints:
        column = places[joint.child][0]
        longest[column] = max(longest[column], len(joint.name))
    starts = [0.0]
    for length in longest[1:]:
        starts.append(starts[-1] + 0.85 * _LETTER * length + _ROOM)
    return starts
