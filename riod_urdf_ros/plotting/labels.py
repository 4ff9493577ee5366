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

"""Names beside the symbols of joints and closures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
import math
from typing import TYPE_CHECKING

import numpy as np

from .plain_text import plain
from ..colours import darker
from ..robot.transforms import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Place as seen, text, and kind: role of a joint, state of a closure, or 'ground' for a place
# whose symbol has to be kept free.
Label = tuple[Array, str, str]

# More names than these make a picture of names.
_MOST = 18
_LEAST_WANTED = ('passive', 'mimic', 'actuated')
# In points: half the size of a symbol, how far a name may be from its place, and from where on
# a line leads to it.
_SYMBOL, _DISTANCES, _LEADER = 5.0, (8.5, 11.0, 16.0, 24.0, 34.0), 12.0
_DIRECTIONS = 16
# What a place for a name costs; above the limit the name is left out.
_ON_TEXT, _OUTSIDE, _FOREIGN, _ON_SYMBOL, _ON_LINE, _FAR, _LIMIT = (
    50.0, 50.0, 40.0, 6.0, 2.0, 0.25, 50.0)
# Rounds in which every name may find a better place, the others being where they are.
_ROUNDS = 3
# Where a ground symbol is, in points from its pivot.
_GROUND = ((-9.0, -9.0), (0.0, -9.0), (9.0, -9.0))


@dataclass(frozen=True, eq=False)
class Placed:
    """
    A name that has found its place.

    :param offset: of its lower left corner from its symbol, shape (2,), points.
    :param size: width and height, shape (2,), points.
    """

    index: int
    offset: Array
    size: Array


def place_labels(axes: Axes, labels: Sequence[Label], font: float) -> list[Placed]:
    """
    Find places for names, none over another, each nearer to its own symbol than to others.

    Where there are too many, passive joints stay without, then mimic and actuated ones. The
    figure has to be laid out before.

    :param font: size of the letters, points.
    """
    scale = axes.figure.dpi / 72.0
    frame = np.array(axes.get_window_extent().extents).reshape(2, 2) / scale
    points = axes.transData.transform([place[:2] for place, _, _ in labels]) / scale \
        if labels else np.zeros((0, 2))
    symbols = np.vstack([points[i] + offset for i, label in enumerate(labels) for offset in (
        _GROUND if label[2] == 'ground' else ((0.0, 0.0),))] or [np.zeros((0, 2))])
    lines = _points_on_lines(axes, scale)
    chosen = _chosen(labels)
    sizes = {i: _size(axes, labels[i][1], font) / scale for i in chosen}

    def cost(i: int, box: Array) -> float:
        """Return what a place costs, other names left aside."""
        outside = bool(np.any(box[0] < frame[0]) or np.any(box[1] > frame[1]))
        near = np.array([box[0] - _SYMBOL, box[1] + _SYMBOL])
        away = np.linalg.norm(np.clip(points, box[0], box[1]) - points, axis=1)
        elsewhere = np.linalg.norm(points - points[i], axis=1) > 1.0
        foreign = bool(np.any(away[elsewhere] < away[i] + 2.0))
        return float(_OUTSIDE * outside + _FOREIGN * foreign + _ON_SYMBOL * _inside(symbols, near)
                     + _ON_LINE * _inside(lines, box) + _FAR * away[i])

    candidates = {i: _boxes(points[i], sizes[i]) for i in chosen}
    alone = {i: [cost(i, box) for box in candidates[i]] for i in chosen}
    found: dict[int, tuple[float, Array]] = {}
    for _ in range(_ROUNDS):
        # Those with the least freedom first.
        for i in sorted(chosen, key=lambda i: -min(alone[i])):
            others = [box for j, (_, box) in found.items() if j != i]
            found[i] = min(
                ((price + _ON_TEXT * _overlaps(box, others), box)
                 for price, box in zip(alone[i], candidates[i], strict=True)),
                key=lambda pair: pair[0])
    return [Placed(i, box[0] - points[i], sizes[i]) for i, (price, box) in found.items()
            if price < _LIMIT]


def _overlaps(box: Array, others: Iterable[Array]) -> int:
    return sum(bool(np.all(box[0] < other[1]) and np.all(other[0] < box[1])) for other in others)


def write_labels(axes: Axes, labels: Sequence[Label], placed: Iterable[Placed],
                 colours: Mapping[str, str], font: float) -> None:
    """
    Write names beside their symbols, wherever these are now.

    :param colours: by kind.
    :param font: size of the letters, points.
    """
    for one in placed:
        seen, text, kind = labels[one.index]
        place = float(seen[0]), float(seen[1])
        x, y = one.offset.tolist()
        nearest = np.clip(np.zeros(2), one.offset, one.offset + one.size)
        if np.linalg.norm(nearest) > _LEADER:
            axes.annotate(
                '', place, xytext=(float(nearest[0]), float(nearest[1])),
                textcoords='offset points', zorder=5.9, annotation_clip=False, arrowprops={
                    'arrowstyle': '-', 'color': colours[kind], 'linewidth': 0.8, 'shrinkA': 0,
                    'shrinkB': _SYMBOL})
        axes.annotate(
            plain(text), place, xytext=(x, y), textcoords='offset points', fontsize=font,
            zorder=6, color=darker(colours[kind]), annotation_clip=False, va='bottom', ha='left',
            bbox={'facecolor': 'white', 'alpha': 0.6, 'linewidth': 0, 'pad': 0.3})


def _size(axes: Axes, text: str, font: float) -> Array:
    """Measure a name, pixels."""
    written = axes.annotate(plain(text), (0.0, 0.0), xycoords='axes fraction', fontsize=font)
    extent = written.get_window_extent()
    written.remove()
    return np.array([extent.width, extent.height])


def _chosen(labels: Sequence[Label]) -> list[int]:
    chosen = [i for i, label in enumerate(labels) if label[2] != 'ground']
    for kind in _LEAST_WANTED:
        if len(chosen) > _MOST:
            chosen = [i for i in chosen if labels[i][2] != kind]
    return chosen[:_MOST]


def _boxes(place: Array, size: Array) -> list[Array]:
    """Return the boxes around a place that its name may be in; lower and upper corner, points."""
    boxes = []
    for distance in _DISTANCES:
        for k in range(_DIRECTIONS):
            angle = 2.0 * math.pi * k / _DIRECTIONS
            direction = np.array([math.cos(angle), math.sin(angle)])
            # From the side of the box that looks at the place, for a name is wide.
            middle = place + distance * direction + 0.5 * size * np.clip(2.0 * direction, -1, 1)
            boxes.append(np.array([middle - 0.5 * size, middle + 0.5 * size]))
    return boxes


def _inside(points: Array, box: Array) -> int:
    return int(np.sum(np.all((points > box[0]) & (points < box[1]), axis=1)))


def _points_on_lines(axes: Axes, scale: float) -> Array:
    """Sample the drawn links, points; the floor and the ghosts may have names on them."""
    points: list[Array] = [np.zeros((0, 2))]
    for line in axes.lines:
        corners = axes.transData.transform(np.asarray(line.get_xydata(), dtype=float)) / scale
        if line.get_zorder() < 2.0:
            continue
        for start, end in zip(corners[:-1], corners[1:], strict=True):
            number = int(np.linalg.norm(end - start) / 3.0) + 2
            points.append(start + np.linspace(0.0, 1.0, number)[:, None] * (end - start))
    return np.vstack(points)
