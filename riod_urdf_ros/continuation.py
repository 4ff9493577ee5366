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
can have been reached (Newton-Kantorovich; Allgower and Georg 2003, chapter 6). Else it is
halved. Near a singular position, where this would take for ever, a sub-step may go straight
through a change point: see :func:`_passes_straight`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from .block import Block
from .least_squares import Decomposition, minimise, RANK_TOLERANCE
from .transforms import Array

# Evaluations of one block that a path may take; beyond, it counts as blocked.
_BUDGET = 1500
_SMALLEST_STEP = 1e-7
# Where the smallest singular value is below this part of the largest, a change point may be near.
_NEAR_SINGULAR = 0.05
# Residual (characteristic lengths) below which two branches meet: what file rounding makes of
# an exact change point. Above, they only pass each other, and the mechanism turns off.
_MEETING = 1e-5


@dataclass
class Walk:
    """
    How far a path could be followed.

    :param q: the configuration reached (configuration vector, rad and m).
    :param complete: whether that is the end of the path.
    :param singular: whether J has lost rank there.
    :param evaluations: of one block's residual and Jacobian.
    """

    q: list[float]
    complete: bool = False
    singular: bool = False
    evaluations: int = 0
    notes: list[str] = field(default_factory=list)


@dataclass
class _Point:
    """A block at an accepted configuration: unknowns (scaled), Jacobian, rate of the unknowns."""

    x: Array
    J: Array
    parts: Decomposition
    rate: Array

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
    points = path.points(path.walk.q)
    while t < 1.0:
        h = min(h, 1.0 - t)
        step, proposal = path.step(points, t, h)
        if step is None and proposal is not None and proposal < 1.0 - t + 1e-12:
            h = proposal
            step, _ = path.step(points, t, h, straight=True)
        if step is not None:
            path.walk.q, points = step
            t = t + h if h < 1.0 - t else 1.0
            h *= 2.0
        elif h < _SMALLEST_STEP or path.walk.evaluations > _BUDGET:
            return path.walk
        else:
            h *= 0.5
    path.walk.complete = True
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

    def points(self, q: list[float]) -> list[_Point]:
        """Evaluate all blocks; rates come from those of the blocks before."""
        rates = {i: value - self._from[i] for i, value in self._target.items()}
        return [self._point(block, q, rates) for block in self.blocks]

    def _point(self, block: Block, q: list[float], rates: dict[int, float]) -> _Point:
        _, J, J_known = block.linearise(q)
        self.walk.evaluations += 1
        known = np.array([rates.get(i, 0.0) for i in block.known_columns]) / block.known_scale
        parts = Decomposition.of(J)
        rate = -parts.solve(J_known @ known, parts.rank())
        rates.update(zip(block.columns, (rate * block.scale).tolist()))
        return _Point(unknowns(block, q), J, parts, rate)

    def _at(self, t: float) -> list[float]:
        """Give the configuration with the independent joints on their way."""
        q = list(self.walk.q)
        for i, end in self._target.items():
            q[i] = end if t >= 1.0 else self._from[i] + t * (end - self._from[i])
        return q

    def step(
            self, points: list[_Point], t: float, h: float, straight: bool = False,
    ) -> tuple[tuple[list[float], list[_Point]] | None, float | None]:
        """
        Try a sub-step.

        :param straight: whether a block may go straight through a change point.
        :return: the configuration and its points, or None; and a step size worth trying with
            ``straight``, or None.
        """
        q = self._at(t + h)
        rates = {i: value - self._from[i] for i, value in self._target.items()}
        reached = []
        for block, point in zip(self.blocks, points):
            if point.singular:
                end = self._leave(block, point, q, h, rates)
            else:
                end = self._advance(block, point, q, h, rates)
                if end is None and straight:
                    end = self._passes_straight(block, point, q, t, h, rates)
            if end is None:
                return None, None if straight else self._crossing(block, point, q, h, t)
            reached.append(end)
        return (q, reached), None

    def _correct(
            self, block: Block, q: list[float], x: Array, rank: int | None = None) -> bool:
        """
        Correct a prediction by Gauss-Newton steps; q holds the result.

        :param rank: singular directions to use, None for all.
        :return: whether the steps contracted to nothing.
        """
        last = np.inf
        for _ in range(12):
            store(block, x, q)
            r, J, _ = block.linearise(q)
            self.walk.evaluations += 1
            dx = Decomposition.of(J).solve(r, block.n if rank is None else rank)
            size = float(np.linalg.norm(dx))
            if not size < 0.7 * last and size > 1e-10:
                return False
            x = x - dx
            if size < 1e-12 or (size < 1e-10 and size > 0.1 * last):
                store(block, x, q)
                return True
            last = size
        return False

    def _advance(
            self, block: Block, point: _Point, q: list[float], h: float,
            rates: dict[int, float]) -> _Point | None:
        """Predict and correct a regular sub-step; None where it might have left the branch."""
        move = h * point.rate
        if not float(np.linalg.norm(move)) < 1.0:
            return None
        if not self._correct(block, q, point.x + move):
            return None
        stray = float(np.linalg.norm(unknowns(block, q) - point.x - move))
        if stray > 0.5 * float(np.linalg.norm(move)) + 1e-9:
            return None
        end = self._point(block, q, dict(rates))
        if end.parts.s[-1] <= 1e-9 * end.parts.s[0]:
            return None
        change = end.parts.solve(point.J, block.n) - np.eye(block.n)
        if float(np.linalg.norm(change)) > 0.5:
            return None
        rates.update(zip(block.columns, (end.rate * block.scale).tolist()))
        return end

    def _crossing(
            self, block: Block, point: _Point, q: list[float], h: float, t: float,
    ) -> float | None:
        """
        Propose a step that goes through a singular position ahead, or onto it if it is the end.

        With u, v the singular vectors of the smallest singular value, ``u^T J v`` is about
        linear along the path and vanishes where J loses rank.
        """
        s = point.parts.s
        if s[-1] > _NEAR_SINGULAR * s[0]:
            return None
        u, v = point.parts.U[:, block.n - 1], point.parts.Vt[block.n - 1]
        small = min(h, 1e-3)
        ahead = self._straight_ahead(block, point, q, small)
        value = float(u @ block.linearise(ahead)[1] @ v)
        self.walk.evaluations += 1
        slope = (value - float(s[-1])) / small
        if slope >= 0.0:
            return None
        return min(-2.0 * float(s[-1]) / slope, 1.0 - t)

    def _straight_ahead(
            self, block: Block, point: _Point, q: list[float], h: float) -> list[float]:
        """Give q with this block's joints moved on by their rates for a part of the path."""
        ahead = list(q)
        store(block, point.x + h * point.rate, ahead)
        return ahead

    def _passes_straight(
            self, block: Block, point: _Point, q: list[float], t: float, h: float,
            rates: dict[int, float]) -> _Point | None:
        """
        Go straight on where two branches meet (a change point, such as a flat parallelogram).

        Accepted if, corrected without the singular direction, the way stays on the closures up
        to file rounding in the middle and at the end, and leaves in the direction it came in.
        Where branches only pass close by each other, the middle is not closed.
        """
        rank = block.n - 1
        for part in (0.5, 1.0):
            there = self._at(t + part * h) if part < 1.0 else q
            for i, value in rates.items():
                if i not in self._target:  # an earlier block's joint, solved at the end only
                    there[i] = self.walk.q[i] + part * (q[i] - self.walk.q[i])
            x = point.x + part * h * point.rate
            self._correct(block, there, x, rank)
            if float(np.linalg.norm(block.residual(there))) > _MEETING:
                return None
            if np.linalg.norm(unknowns(block, there) - x) > 0.1 * np.linalg.norm(x - point.x):
                return None
        end = self._point(block, q, dict(rates))
        if end.parts.s[-1] > 1e-3 * end.parts.s[0]:
            if not self._correct(block, q, unknowns(block, q)):
                return None
            end = self._point(block, q, dict(rates))
            turned = float(np.linalg.norm(end.rate - point.rate))
            if turned > 0.3 * float(np.linalg.norm(point.rate)):
                return None
            self.walk.notes.append(
                f'passed a change point of {_names(block)} straight on, the way it was moving')
        rates.update(zip(block.columns, (end.rate * block.scale).tolist()))
        return end

    def _leave(
            self, block: Block, point: _Point, q: list[float], h: float,
            rates: dict[int, float]) -> _Point | None:
        """
        Leave a singular position that the mechanism started in.

        Of the ways on that lead straight back to the start, the one that moves least is taken.
        """
        move = h * point.rate
        size = float(np.linalg.norm(move))
        sideways = point.parts.Vt[point.parts.rank()] * max(size, h)
        best: tuple[float, list[float], _Point] | None = None
        for guess in (move, move + sideways, move - sideways):
            trial = list(q)
            if not self._correct(block, trial, point.x + guess):
                continue
            end = self._point(block, trial, dict(rates))
            gone = end.x - point.x
            moved = float(np.linalg.norm(gone))
            if end.singular or np.linalg.norm(gone - h * end.rate) > 0.25 * moved:
                continue
            if best is None or moved < best[0] - 1e-9:
                best = moved, trial, end
        if best is None:
            return None
        q[:] = best[1]
        rates.update(zip(block.columns, (best[2].rate * block.scale).tolist()))
        self.walk.notes.append(
            f'{_names(block)} started from a singular position: '
            'another assembly mode cannot be excluded')
        return best[2]


def _names(block: Block) -> str:
    return ', '.join(closure.name for closure in block.closures)
