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

"""Through change points, and away from singular positions that a mechanism starts in."""

from __future__ import annotations

import numpy as np

from .block import Block
from .path import Path, Point, store, unknowns

# Where the smallest singular value is below this part of the largest, a change point may be near.
NEAR_SINGULAR = 0.05
# Residual (characteristic lengths) below which two branches meet: what file rounding makes of
# an exact change point. Above, they only pass each other, and the mechanism turns off.
_MEETING = 2e-6


def crossing(path: Path, points: list[Point], t: float) -> float:
    """
    Return the step that goes through the next change point, or onto it at the path's end.

    With u, v the singular vectors of a block's smallest singular value, ``u^T J v`` is about
    linear along the path and vanishes where J loses rank. At a change point the known joints
    do not move the closures along u; where they do, it is a dead centre, the path's end.

    :return: the step size, infinite where there is no change point near.
    """
    small = min(1e-3, 1.0 - t)
    nearest = np.inf
    for block, point in zip(path.blocks, points):
        s = point.parts.s
        if point.singularity > NEAR_SINGULAR or point.singular:
            continue
        ahead = path.at(t + small)
        for other, its in zip(path.blocks, points):
            store(other, its.x + small * its.rate, ahead)
        u, v = point.parts.U[:, block.n - 1], point.parts.Vt[block.n - 1]
        if abs(u @ point.drive) > 0.2 * np.linalg.norm(point.drive):
            continue
        slope = (float(u @ path.linearise(block, ahead)[1] @ v) - float(s[-1])) / small
        if slope < 0.0:
            nearest = min(nearest, -2.0 * float(s[-1]) / slope)
    return min(nearest, 1.0 - t) if nearest < np.inf else np.inf


def pass_straight(
        path: Path, block: Block, point: Point, q: list[float], t: float, h: float,
        rates: dict[int, float]) -> Point | None:
    """
    Go straight on where two branches meet (a change point, such as a flat parallelogram).

    Accepted if, corrected without the singular direction, the way stays on the closures up
    to file rounding in the middle and at the end, and leaves in the direction it came in.
    Where branches only pass close by each other, the middle is not closed.
    """
    for part in (0.5, 1.0):
        there = path.at(t + part * h) if part < 1.0 else q
        for i in rates:
            if i not in path.target:  # a joint of an earlier block, solved at the end only
                there[i] = path.walk.q[i] + part * (q[i] - path.walk.q[i])
        x = point.x + part * h * point.rate
        path.correct(block, there, x, block.n - 1, 1e-12)
        if part < 1.0 and float(np.linalg.norm(block.residual(there))) > _MEETING:
            return None
        if np.linalg.norm(unknowns(block, there) - x) > 0.1 * np.linalg.norm(x - point.x):
            return None
    end = path.point(
        block, unknowns(block, q), *path.linearise(block, q)[1:], rates)
    if end.parts.s[-1] > 1e-3 * end.parts.s[0]:
        corrected = path.correct(block, q, end.x, block.n, 1e-12)
        if corrected is None:
            return None
        end = path.point(block, *corrected, rates)
        turned = float(np.linalg.norm(end.rate - point.rate))
        if turned > 0.3 * float(np.linalg.norm(point.rate)):
            return None
        path.walk.notes.append('passed a change point straight on, the way it was moving')
    elif float(np.linalg.norm(block.residual(q))) > _MEETING:
        return None
    return end


def leave(
        path: Path, block: Block, point: Point, q: list[float], h: float,
        rates: dict[int, float]) -> Point | None:
    """
    Leave a singular position that the mechanism started in.

    From a change point ``x`` goes on about like h, from a dead centre like the square root of
    h. Of the ways on that lead back to the start like this, the one that moves least is taken.
    """
    move = h * point.rate
    sideways = point.parts.Vt[point.parts.rank()]
    best: tuple[float, list[float], Point] | None = None
    for size in (0.0, h, -h, np.sqrt(h), -np.sqrt(h)):
        guess = move + size * sideways
        trial = list(q)
        corrected = path.correct(block, trial, point.x + guess, block.n, 1e-12)
        if corrected is None:
            continue
        end = path.point(block, *corrected, rates)
        gone = end.x - point.x
        moved = float(np.linalg.norm(gone))
        if end.singular or min(
                float(np.linalg.norm(gone - k * h * end.rate)) for k in (1, 2)) > 0.25 * moved:
            continue
        if best is None or moved < best[0] - 1e-9:
            best = moved, trial, end
    if best is None:
        return None
    q[:] = best[1]
    path.walk.certain = False
    path.walk.notes.append(
        'started from a singular position: another assembly mode cannot be excluded')
    return best[2]
