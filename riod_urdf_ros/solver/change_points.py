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

"""
Through change points, and away from singular positions that a mechanism starts in.

At a change point two branches meet and J loses rank. The branch on which the mechanism arrives
goes on smoothly on the other side, and so does its tangent: this is what is looked for there.
It is a choice, not a proof, and is told as one.
"""

from __future__ import annotations

import numpy as np

from .block import Block
from .path import Path, Point
from ..constraints.numerics import FAST, MEETING, NEAR_SINGULAR, PLACES, REGULAR, STRETCH, TURN
from ..robot.transforms import Array


def crossing(path: Path, points: list[Point], t: float) -> float:
    """
    Return the step that goes through the next change point, or onto it at the path's end.

    With u, v the singular vectors of a block's smallest singular value, ``u^T J v`` is about
    linear along the path and vanishes where J loses rank.

    :return: the step size, infinite where there is no change point near.
    """
    small = min(1e-3, 1.0 - t)
    nearest = np.inf
    for block, point in zip(path.blocks, points):
        s = point.parts.s
        if point.singularity > NEAR_SINGULAR or point.singular:
            continue
        u, v = point.parts.U[:, block.n - 1], point.parts.Vt[block.n - 1]
        speed = float(np.linalg.norm(point.rate))
        others = float(np.linalg.norm(point.rate - (point.rate @ v) * v)
                       + np.linalg.norm(point.known_rate))
        if abs(point.rate @ v) > FAST * others:
            continue
        ahead = path.at(t + small)
        for other, its in zip(path.blocks, points):
            other.store(its.x + small * its.rate, ahead)
        path.walk.evaluations += 1
        slope = (float(u @ block.single(ahead)[1][:, :block.n] @ v) - float(s[-1])) / small
        distance = float(s[-1]) / max(-slope, 1e-300)
        stretch = max(2.0 * distance, STRETCH / max(speed, 1e-300))
        if slope < 0.0 and distance * speed < 0.5 * STRETCH:
            nearest = min(nearest, stretch)
    return min(nearest, 1.0 - t) if nearest < np.inf else np.inf


def cross(
        path: Path, block: Block, points: list[Point], point: Point, q: list[float], h: float,
        rates: dict[int, float]) -> Point | None:
    """
    Go through a change point, such as a flat parallelogram, on the branch it was reached on.

    Accepted if there is a solution beyond which goes on in the direction of the one before, and
    if the closures hold all along the cubic between the two, up to file rounding. Where branches
    only pass close by each other, they do not.

    :param h: the step; the known joints of q are at its end.
    :param rates: of the known joints there.
    """
    path.correct(block, q, point.x + h * point.rate, block.n - 1, 1e-12)
    path.walk.evaluations += 1
    end = path.point(block, q, block.unknowns(q), block.single(q)[1], rates)
    if end.singularity > REGULAR:
        corrected = path.correct(block, q, end.x, block.n, 1e-12)
        if corrected is None:
            return None
        end = path.point(block, q, *corrected, rates)
        speed = float(np.linalg.norm(point.rate))
        if float(np.linalg.norm(end.rate - point.rate)) > TURN * speed:
            return None
    elif float(np.linalg.norm(block.residual(q))) > MEETING:
        return None
    else:
        end.rate = point.rate
    for part in PLACES:
        if not _meets(path, block, points, point, end, q, h, part, rates):
            return None
    if end.singularity <= REGULAR:
        # It ends here, next to the change point: the nearest pose that closes, if there is one.
        trial = list(q)
        corrected = path.correct(block, trial, end.x, block.n, 1e-12)
        if corrected is not None and np.linalg.norm(corrected[0] - end.x) < 0.1 * STRETCH:
            q[:] = trial
            end = path.point(block, q, *corrected, rates)
            end.rate = point.rate
    path.walk.certain = False
    path.walk.notes.append(
        f'passed a change point straight on, the way it was moving ({_signs(block, point)})')
    return end


def _meets(
        path: Path, block: Block, points: list[Point], point: Point, end: Point, q: list[float],
        h: float, part: float, rates: dict[int, float]) -> bool:
    """Whether the closures hold on the cubic from point to end, at a part of the way."""
    there = list(q)
    for other, its in zip(path.blocks, points):
        if other is block:
            break
        final = other.unknowns(q)
        slope = np.array([rates[i] for i in other.columns]) / other.scale
        other.store(_cubic(its.x, its.rate, final, slope, h, part), there)
    for i in path.target:
        there[i] = path.walk.q[i] + part * (q[i] - path.walk.q[i])
    x = _cubic(point.x, point.rate, end.x, end.rate, h, part)
    path.correct(block, there, x, block.n - 1, 1e-12)
    moved = float(np.linalg.norm(block.unknowns(there) - x))
    return moved < 0.1 * h * float(np.linalg.norm(point.rate)) + 1e-9 \
        and float(np.linalg.norm(block.residual(there))) <= MEETING


def _cubic(a: Array, da: Array, b: Array, db: Array, h: float, s: float) -> Array:
    """Interpolate between two points with slopes (Hermite), s from 0 to 1."""
    return ((1.0 + 2.0 * s) * (1.0 - s) ** 2 * a + s * (1.0 - s) ** 2 * h * da
            + s * s * (3.0 - 2.0 * s) * b - s * s * (1.0 - s) * h * db)


def _signs(block: Block, point: Point) -> str:
    """Say which way the unknown joints go."""
    largest = float(np.abs(point.rate).max())
    return ', '.join(f'{name} {"+" if rate > 0.0 else "-"}'
                     for name, rate in zip(block.unknown, point.rate.tolist())
                     if abs(rate) > 1e-3 * largest)


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
        end = path.point(block, trial, *corrected, rates)
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
        'started from a singular position: another assembly mode cannot be excluded '
        f'({_signs(block, best[2])})')
    return best[2]
