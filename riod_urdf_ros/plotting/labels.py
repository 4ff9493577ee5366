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

"""Names beside the things they name, where there is room."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
import math
from typing import TYPE_CHECKING

import numpy as np

from ..robot.transforms import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Place as seen, text, and kind: role of a joint, 'closure', or 'ground' for a place whose symbol
# has to be kept free.
Label = tuple[Array, str, str]

# More names than these make a picture of names.
_MOST = 18
_LEAST_WANTED = ('passive', 'mimic', 'actuated')
# In points: size of the letters, half that of a symbol, how far a name may be from its place.
_FONT, _SYMBOL, _DISTANCES = 7.5, 5.0, (8.0, 15.0, 24.0)
# What a place for a name costs; above the limit the name is left out.
_ON_TEXT, _OUTSIDE, _ON_SYMBOL, _ON_LINE, _FAR, _LIMIT = 50.0, 50.0, 6.0, 2.0, 0.2, 50.0
# Where a ground symbol is, in points from its pivot.
_GROUND = ((-9.0, -9.0), (0.0, -9.0), (9.0, -9.0))


def add_labels(axes: Axes, labels: Iterable[Label], colours: Mapping[str, str]) -> None:
    """
    Write names next to places, none over another.

    Where there are too many, passive joints stay without, then mimic and actuated ones. The
    figure has to be laid out before.

    :param colours: by kind.
    """
    everything = list(labels)
    chosen = _chosen([label for label in everything if label[2] != 'ground'])
    scale = axes.figure.dpi / 72.0
    frame = axes.get_window_extent().expanded(1.0, 1.0)
    places = [axes.transData.transform(place[:2]) for place, _, _ in chosen]
    symbols = np.array([
        axes.transData.transform(place[:2]) + scale * np.array(offset)
        for place, _, kind in everything
        for offset in (_GROUND if kind == 'ground' else ((0.0, 0.0),))]).reshape(-1, 2)
    lines = _points_on_lines(axes)
    taken: list[Array] = []
    for place, (_, text, kind) in zip(places, chosen, strict=True):
        written = axes.annotate(
            text, (0.0, 0.0), xycoords='data', fontsize=_FONT, zorder=6,
            color=colours[kind], annotation_clip=False,
            bbox={'facecolor': 'white', 'alpha': 0.6, 'linewidth': 0, 'pad': 0.5})
        extent = written.get_window_extent()

        def cost(box: Array) -> float:
            overlaps = sum(bool(np.all(box[0] < other[1]) and np.all(other[0] < box[1]))
                           for other in taken)
            outside = box[0, 0] < frame.x0 or box[1, 0] > frame.x1 \
                or box[0, 1] < frame.y0 or box[1, 1] > frame.y1
            near = np.array([box[0] - _SYMBOL * scale, box[1] + _SYMBOL * scale])
            far = np.linalg.norm(np.clip(place, box[0], box[1]) - place) / scale  # noqa: B023
            return float(
                _ON_TEXT * overlaps + _OUTSIDE * outside + _ON_SYMBOL * _inside(symbols, near)
                + _ON_LINE * _inside(lines, box) + _FAR * far)

        boxes = _boxes(place, extent.width, extent.height, scale)
        best = min(boxes, key=cost)
        if cost(best) >= _LIMIT:
            written.remove()
            continue
        x, y = axes.transData.inverted().transform(best[0])
        written.set_position((float(x), float(y)))
        taken.append(best)


def _chosen(labels: list[Label]) -> list[Label]:
    for kind in _LEAST_WANTED:
        if len(labels) > _MOST:
            labels = [label for label in labels if label[2] != kind]
    return labels[:_MOST]


def _boxes(place: Array, width: float, height: float, scale: float) -> list[Array]:
    """Return the boxes around a place that its name may be in; lower and upper corner, pixels."""
    boxes = []
    for distance in _DISTANCES:
        for eighth in (1, 7, 3, 5, 0, 4, 2, 6):
            angle = eighth * math.pi / 4.0
            direction = np.array([math.cos(angle), math.sin(angle)])
            middle = place + distance * scale * direction \
                + 0.5 * np.array([width, height]) * np.sign(np.round(direction, 6))
            half = 0.5 * np.array([width, height])
            boxes.append(np.array([middle - half, middle + half]))
    return boxes


def _inside(points: Array, box: Array) -> int:
    return int(np.sum(np.all((points > box[0]) & (points < box[1]), axis=1)))


def _points_on_lines(axes: Axes) -> Array:
    """Sample the drawn links, pixels; the floor and the ghosts may have names on them."""
    points: list[Array] = [np.zeros((0, 2))]
    for line in axes.lines:
        corners = axes.transData.transform(np.asarray(line.get_xydata(), dtype=float))
        if line.get_zorder() < 2.0:
            continue
        for start, end in zip(corners[:-1], corners[1:], strict=True):
            count = int(np.linalg.norm(end - start) / 4.0) + 2
            points.append(start + np.linspace(0.0, 1.0, count)[:, None] * (end - start))
    return np.vstack(points)
