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
Following a mechanism from one configuration to another without leaving its assembly mode.

The independent joints go along the straight path ``u(t) = u_0 + t (u_1 - u_0)``, t from 0 to 1.
Each sub-step predicts along the tangent ``dx/dt = -J^+ J_u du/dt`` and corrects by Gauss-Newton.
It counts only if the Jacobian has not changed much from its start to its end,

    | J(end)^+ J(start) - I |_F <= 1/2,

because then J is regular all along, the solution there is unique, and no other assembly mode
can have been reached (Newton-Kantorovich; Allgower and Georg 2003, chapter 6); a common turn of
the rows does not count. Else it is shortened. Near a singular position, where this would take
for ever, a sub-step may go straight through a change point: see :func:`_passes_straight`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from .block import Block
from .least_squares import Decomposition, minimise
from .transforms import Array

# Evaluations times unknowns that a path may take, and evaluations that it always may; beyond, it
# counts as blocked. Near-rhombic four-bars take some 2000 evaluations for a turn.
_BUDGET, _LEAST_BUDGET = 8000, 400
_SMALLEST_STEP = 1e-8
# Change of the Jacobian that a sub-step may make, and that the next one is chosen to make.
ALLOWED_CHANGE, _WANTED_CHANGE = 0.5, 0.35
# Where the smallest singular value is below this part of the largest, a change point may be near.
NEAR_SINGULAR = 0.05
# It is worth a try if the step through it is at most so many times the one that failed.
_NEAR = 8.0
# Residual (characteristic lengths) below which two branches meet: what file rounding makes of
# an exact change point. Above, they only pass each other, and the mechanism turns off.
_MEETING = 2e-6


@dataclass
class Walk:
    """
    How far a path could be followed.

    :param q: the configuration reached (configuration vector, rad and m).
    :param reached: part of the path that was followed; 1 at its end.
    :param singular: whether J has lost rank there.
    :param certain: whether no other assembly mode can have been reached.
    :param evaluations: of one block's residual and Jacobian.
    """

    q: list[float]
    reached: float = 0.0
    singular: bool = False
    certain: bool = True
    evaluations: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether the end of the path was reached."""
        return self.reached == 1.0


@dataclass
class _Point:
    """
    A block at an accepted configuration, scaled.

    :param x: the unknowns.
    :param drive: ``J_u du/dt``, what the known joints do to the closures.
    :param rate: ``dx/dt``.
    """

    x: Array
    J: Array
    parts: Decomposition
    drive: Array
    rate: Array

    @property
    def singularity(self) -> float:
        s = self.parts.s
        return float(s[-1] / s[0]) if s.size and s[0] else 0.0

    @property
    def singular(self) -> bool:
        return self.parts.rank() < self.x.size


def unknowns(block: Block, q: Sequence[float]) -> Array:
    """Give a block's unknown joints out of the configuration vector, scaled, shape (n,)."""
    return np.array([q[i] for i in block.columns]) / block.scale


def store(block: Block, x: Array, q: list[float]) -> None:
    """Write a block's unknown joints (scaled, shape (n,)) into the configuration vector."""
    for i, value in zip(block.columns, (x * block.scale).tolist()):
        q[i] = value


def best_fit(block: Block, q: list[float]) -> None:
    """Move the unknown joints to where the closures fit best, from where they are."""
    def linearise(x: Array) -> tuple[Array, Array]:
        store(block, x, q)
        r, J, _ = block.linearise(q)
        return r, J

    store(block, minimise(linearise, unknowns(block, q)), q)


def follow(blocks: Sequence[Block], start: Sequence[float], target: Mapping[int, float]) -> Walk:
    """
    Follow the straight path of the independent joints.

    :param blocks: in the order of solving.
    :param start: a configuration where the closures hold (configuration vector, rad and m).
    :param target: where the independent joints go, by their place in the vector.
    :return: the walk; its evaluations are bounded whatever the path does.
    """
    path = _Path(blocks, list(start), target)
    t, h = 0.0, 1.0
    refused = np.inf  # how near the singular position was when the way straight on was refused
    points = path.points(path.walk.q)
    budget = max(_LEAST_BUDGET, _BUDGET // max((block.n for block in blocks), default=1))
    if all(start[i] == end for i, end in target.items()):
        t = path.walk.reached = 1.0
    while t < 1.0:
        if h < _SMALLEST_STEP or path.walk.evaluations > budget:
            return path.walk
        h = min(h, 1.0 - t)
        step = None
        singularity = min((point.singularity for point in points), default=1.0)
        if singularity > NEAR_SINGULAR:
            refused = np.inf
        elif singularity < 0.5 * refused:
            crossing = path.crossing(points, t)
            if crossing <= _NEAR * h:
                step = path.step(points, t, crossing, straight=True)
                h, refused = (h, singularity) if step is None else (crossing, np.inf)
        if step is None:
            step = path.step(points, t, h)
        factor = min(max(_WANTED_CHANGE / max(path.change, 1e-9), 0.1), 2.0)
        if step is not None:
            path.walk.q, points = step
            t = path.walk.reached = t + h if h < 1.0 - t else 1.0
            h *= factor
        else:
            h *= min(factor, 0.5)
    path.walk.singular = any(point.singular for point in points)
    return path.walk


class _Path:
    """The straight path, and what is evaluated on it."""

    def __init__(
            self, blocks: Sequence[Block], start: list[float], target: Mapping[int, float],
    ) -> None:
        self.blocks = blocks
        self.walk = Walk(start)
        self._from = {i: start[i] for i in target}
        self._target = target
        self.change = 0.0  # of the Jacobian over the last sub-step tried, the worst block's

    def points(self, q: list[float]) -> list[_Point]:
        """Evaluate all blocks; rates come from those of the blocks before."""
        rates, points = self._rates(), []
        for block in self.blocks:
            points.append(self._point(
                block, unknowns(block, q), *self._linearise(block, q)[1:], rates))
            rates.update(zip(block.columns, (points[-1].rate * block.scale).tolist()))
        return points

    def _rates(self) -> dict[int, float]:
        """Give the rates of the independent joints, by their place in the vector."""
        return {i: value - self._from[i] for i, value in self._target.items()}

    def _linearise(self, block: Block, q: list[float]) -> tuple[Array, Array, Array]:
        self.walk.evaluations += 1
        return block.linearise(q)

    def _point(
            self, block: Block, x: Array, J: Array, J_known: Array, rates: dict[int, float],
    ) -> _Point:
        known = np.array([rates.get(i, 0.0) for i in block.known_columns]) / block.known_scale
        parts, drive = Decomposition.of(J), J_known @ known
        return _Point(x, J, parts, drive, -parts.solve(drive, parts.rank()))

    def _at(self, t: float) -> list[float]:
        """Give the configuration with the independent joints on their way."""
        q = list(self.walk.q)
        for i, end in self._target.items():
            q[i] = end if t >= 1.0 else self._from[i] + t * (end - self._from[i])
        return q

    def step(
            self, points: list[_Point], t: float, h: float, straight: bool = False,
    ) -> tuple[list[float], list[_Point]] | None:
        """
        Try a sub-step.

        :param straight: whether a block may go straight through a change point.
        :return: the configuration and its points, or None.
        """
        q, rates, reached = self._at(t + h), self._rates(), []
        tolerance = 1e-12 if t + h >= 1.0 else 1e-7
        self.change = 0.0
        for block, point in zip(self.blocks, points):
            if point.singular:
                end = self._leave(block, point, q, h, rates)
            else:
                end = self._advance(block, point, q, h, rates, tolerance)
                if end is None and straight:
                    end = self._passes_straight(block, point, q, t, h, rates)
            if end is None:
                return None
            rates.update(zip(block.columns, (end.rate * block.scale).tolist()))
            reached.append(end)
        return q, reached

    def crossing(self, points: list[_Point], t: float) -> float:
        """
        Give the step that goes through the next change point, or onto it at the path's end.

        With u, v the singular vectors of a block's smallest singular value, ``u^T J v`` is about
        linear along the path and vanishes where J loses rank. At a change point the known joints
        do not move the closures along u; where they do, it is a dead centre, the path's end.

        :return: the step size, infinite where there is no change point near.
        """
        small = min(1e-3, 1.0 - t)
        nearest = np.inf
        for block, point in zip(self.blocks, points):
            s = point.parts.s
            if point.singularity > NEAR_SINGULAR or point.singular:
                continue
            ahead = self._at(t + small)
            for other, its in zip(self.blocks, points):
                store(other, its.x + small * its.rate, ahead)
            u, v = point.parts.U[:, block.n - 1], point.parts.Vt[block.n - 1]
            if abs(u @ point.drive) > 0.2 * np.linalg.norm(point.drive):
                continue
            slope = (float(u @ self._linearise(block, ahead)[1] @ v) - float(s[-1])) / small
            if slope < 0.0:
                nearest = min(nearest, -2.0 * float(s[-1]) / slope)
        return min(nearest, 1.0 - t) if nearest < np.inf else np.inf

    def _correct(
            self, block: Block, q: list[float], x: Array, rank: int, tolerance: float,
    ) -> tuple[Array, Array, Array] | None:
        """
        Correct a prediction by Gauss-Newton steps; q holds the result.

        :param rank: number of singular directions to use.
        :param tolerance: of the last correction, whose square is left as an error.
        :return: x, J and J_known, or None if the steps do not contract.
        """
        last = np.inf
        for _ in range(12):
            store(block, x, q)
            r, J, J_known = self._linearise(block, q)
            dx = Decomposition.of(J).solve(r, rank)
            size = float(np.linalg.norm(dx))
            if not (size < 0.7 * last or size < 1e-10):
                return None
            x = x - dx
            if size < tolerance or (size < 1e-10 and size > 0.1 * last):
                store(block, x, q)
                return x, J, J_known
            last = size
        return None

    def _advance(
            self, block: Block, point: _Point, q: list[float], h: float,
            rates: dict[int, float], tolerance: float) -> _Point | None:
        """Predict and correct a regular sub-step; None where it might have left the branch."""
        move = h * point.rate
        size = float(np.linalg.norm(move))
        if not size < 1.0:
            self.change = max(self.change, size)
            return None
        corrected = self._correct(block, q, point.x + move, block.n, tolerance)
        if corrected is None:
            self.change = 1.0
            return None
        end = self._point(block, *corrected, rates)
        if float(np.linalg.norm(end.x - point.x - move)) > 0.5 * size + 1e-6:
            self.change = 1.0
            return None
        if end.parts.rank(1e-9) < block.n:
            self.change = 1.0
            return None
        change = min(float(np.linalg.norm(end.parts.solve(J, block.n) - np.eye(block.n)))
                     for J in (point.J, _turned(point.J, end.J)))
        self.change = max(self.change, change)
        return end if change <= ALLOWED_CHANGE else None

    def _passes_straight(
            self, block: Block, point: _Point, q: list[float], t: float, h: float,
            rates: dict[int, float]) -> _Point | None:
        """
        Go straight on where two branches meet (a change point, such as a flat parallelogram).

        Accepted if, corrected without the singular direction, the way stays on the closures up
        to file rounding in the middle and at the end, and leaves in the direction it came in.
        Where branches only pass close by each other, the middle is not closed.
        """
        for part in (0.5, 1.0):
            there = self._at(t + part * h) if part < 1.0 else q
            for i in rates:
                if i not in self._target:  # a joint of an earlier block, solved at the end only
                    there[i] = self.walk.q[i] + part * (q[i] - self.walk.q[i])
            x = point.x + part * h * point.rate
            self._correct(block, there, x, block.n - 1, 1e-12)
            if part < 1.0 and float(np.linalg.norm(block.residual(there))) > _MEETING:
                return None
            if np.linalg.norm(unknowns(block, there) - x) > 0.1 * np.linalg.norm(x - point.x):
                return None
        end = self._point(
            block, unknowns(block, q), *self._linearise(block, q)[1:], rates)
        if end.parts.s[-1] > 1e-3 * end.parts.s[0]:
            corrected = self._correct(block, q, end.x, block.n, 1e-12)
            if corrected is None:
                return None
            end = self._point(block, *corrected, rates)
            turned = float(np.linalg.norm(end.rate - point.rate))
            if turned > 0.3 * float(np.linalg.norm(point.rate)):
                return None
            self.walk.notes.append('passed a change point straight on, the way it was moving')
        elif float(np.linalg.norm(block.residual(q))) > _MEETING:
            return None
        return end

    def _leave(
            self, block: Block, point: _Point, q: list[float], h: float,
            rates: dict[int, float]) -> _Point | None:
        """
        Leave a singular position that the mechanism started in.

        From a change point ``x`` goes on about like h, from a dead centre like the square root of
        h. Of the ways on that lead back to the start like this, the one that moves least is taken.
        """
        move = h * point.rate
        sideways = point.parts.Vt[point.parts.rank()]
        best: tuple[float, list[float], _Point] | None = None
        for size in (0.0, h, -h, np.sqrt(h), -np.sqrt(h)):
            guess = move + size * sideways
            trial = list(q)
            corrected = self._correct(block, trial, point.x + guess, block.n, 1e-12)
            if corrected is None:
                continue
            end = self._point(block, *corrected, rates)
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
        self.walk.certain = False
        self.walk.notes.append(
            'started from a singular position: another assembly mode cannot be excluded')
        return best[2]


def _turned(J: Array, towards: Array) -> Array:
    """
    Turn the rows of a Jacobian towards another one (orthogonal Procrustes), if not far.

    Links that turn together turn the rows of J: near a singular position that is a large change
    of ``J^-1 J``, but says nothing of the rank. A far turn could hide a mirror image.

    :param J: shape (m, n).
    :param towards: shape (m, n).
    """
    across = towards @ J.T
    identity = np.eye(J.shape[0])
    U, _, Vt = np.linalg.svd(across + 1e-6 * np.linalg.norm(across) * identity)
    R = U @ Vt
    return R @ J if np.linalg.norm(R - identity) < 0.5 else J
