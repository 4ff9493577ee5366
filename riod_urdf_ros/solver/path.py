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

"""Points on the straight path of the independent joints, and proven sub-steps between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from .block import Block
from ..constraints.least_squares import Decomposition
from ..constraints.numerics import LARGEST_CHANGE
from ..robot.transforms import Array


@dataclass
class Walk:
    """
    How far a path could be followed.

    :param q: the configuration reached (configuration vector, rad and m).
    :param reached: part of the path that was followed; 1 at its end.
    :param singular: whether J has lost rank there.
    :param certain: whether it is proven that no other assembly mode has been reached.
    :param evaluations: of one block's residual and Jacobian.
    :param late: whether time ran out.
    :param tangent: where it ends at a change point: the motion of all joints there, as q.
    """

    q: list[float]
    reached: float = 0.0
    singular: bool = False
    certain: bool = True
    evaluations: int = 0
    late: bool = False
    tangent: list[float] | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether the end of the path was reached."""
        return self.reached == 1.0


@dataclass
class Point:
    """
    A block at an accepted configuration, scaled.

    :param x: the unknown joints, shape (n,).
    :param known: the known joints, shape (k,).
    :param J: by the unknown, then the known joints, shape (m, n + k).
    :param parts: singular values of the former.
    :param known_rate: ``du/dt``, shape (k,).
    :param rate: ``dx/dt``, shape (n,).
    """

    x: Array
    known: Array
    J: Array
    parts: Decomposition
    known_rate: Array
    rate: Array

    @property
    def singularity(self) -> float:
        """Smallest over largest singular value, 0 where singular."""
        s = self.parts.s
        return float(s[-1] / s[0]) if s.size and s[0] else 0.0

    @property
    def singular(self) -> bool:
        """Whether J has lost rank."""
        return self.parts.rank() < self.x.size


class Path:
    """
    The straight path, and what is evaluated on it.

    :param target: where the independent joints go, by their place in the vector.
    :param deadline: time of ``perf_counter`` after which to give up, s.
    """

    def __init__(
            self, blocks: Sequence[Block], start: list[float], target: Mapping[int, float],
            deadline: float = np.inf) -> None:
        """Begin at the start."""
        self.blocks = blocks
        self.walk = Walk(start)
        self._from = {i: start[i] for i in target}
        self._deadline = deadline
        self.target = target
        self.change = 0.0  # of the Jacobian over the last sub-step tried, the worst block's

    @property
    def late(self) -> bool:
        """Whether time has run out."""
        self.walk.late = perf_counter() > self._deadline
        return self.walk.late

    def points(self, q: list[float]) -> list[Point]:
        """Evaluate all blocks; rates come from those of the blocks before."""
        rates, points = self.rates(), []
        for block in self.blocks:
            self.walk.evaluations += 1
            points.append(self.point(block, q, block.unknowns(q), block.single(q)[1], rates))
            rates.update(zip(block.columns, (points[-1].rate * block.scale).tolist()))
        return points

    def rates(self) -> dict[int, float]:
        """Return the rates of the independent joints, by their place in the vector."""
        return {i: value - self._from[i] for i, value in self.target.items()}

    def point(
            self, block: Block, q: list[float], x: Array, J: Array, rates: dict[int, float],
    ) -> Point:
        """Return a block's point; the known joints are those of q and move at the rates given."""
        known_rate = np.array([rates.get(i, 0.0) for i in block.known_columns]) / block.known_scale
        parts = Decomposition.of(J[:, :block.n])
        rate = -parts.solve(J[:, block.n:] @ known_rate, parts.rank())
        return Point(x, block.knowns(q), J, parts, known_rate, rate)

    def at(self, t: float) -> list[float]:
        """Return the configuration with the independent joints on their way."""
        q = list(self.walk.q)
        for i, end in self.target.items():
            q[i] = end if t >= 1.0 else self._from[i] + t * (end - self._from[i])
        return q

    def ended(self, points: list[Point]) -> Walk:
        """Say of the walk how it ends."""
        walk = self.walk
        walk.singular = any(point.singular for point in points)
        if walk.singular and not walk.certain:
            walk.tangent = [0.0] * len(walk.q)
            for i, rate in self.rates().items():
                walk.tangent[i] = rate
            for block, point in zip(self.blocks, points):
                block.store(point.rate, walk.tangent)
        return walk

    def correct(
            self, block: Block, q: list[float], x: Array, rank: int, tolerance: float,
    ) -> tuple[Array, Array] | None:
        """
        Correct a prediction by Gauss-Newton steps; q holds the result.

        :param rank: number of singular directions to use.
        :param tolerance: of the last correction, whose square is left as an error.
        :return: x and J, or None if the steps do not contract.
        """
        last = np.inf
        for _ in range(12):
            block.store(x, q)
            self.walk.evaluations += 1
            r, J = block.single(q)
            dx = Decomposition.of(J[:, :block.n]).solve(r, rank)
            size = float(np.linalg.norm(dx))
            if not (size < 0.7 * last or size < 1e-10):
                return None
            x = x - dx
            if size < tolerance or (size < 1e-10 and size > 0.1 * last):
                block.store(x, q)
                return x, J
            last = size
        return None

    def advance(
            self, block: Block, point: Point, q: list[float], h: float,
            rates: dict[int, float], bent: list[float], tolerance: float) -> Point | None:
        """
        Predict and correct a sub-step.

        :param bent: how far joints are from their chords half way, rad and m, as in q; the
            block's own are written.
        :return: None where it is not proven that it stays on the branch.
        """
        move = h * point.rate
        size = float(np.linalg.norm(move))
        if not size < 1.0:
            self.change = max(self.change, size)
            return None
        corrected = self.correct(block, q, point.x + move, block.n, tolerance)
        if corrected is None:
            self.change = np.inf
            return None
        end = self.point(block, q, *corrected, rates)
        if end.parts.rank(1e-9) < block.n:
            self.change = np.inf
            return None
        there = np.concatenate([end.x, end.known])
        known_bent = np.array([bent[i] for i in block.known_columns]) / block.known_scale \
            if any(block.bent) else None
        change, curve = block.certificate.change(
            end.parts.solve(np.eye(block.m), block.n), point.J, end.J,
            there - np.concatenate([point.x, point.known]), there, known_bent)
        self.change = max(self.change, change) if change == change else np.inf
        block.store(curve, bent)
        return end if change <= LARGEST_CHANGE else None
