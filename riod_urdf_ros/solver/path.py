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

"""Points on the straight path of the independent joints, and regular sub-steps between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from .block import Block
from ..constraints.least_squares import Decomposition
from ..robot.transforms import Array

# Change of the Jacobian that a sub-step may make.
ALLOWED_CHANGE = 0.5


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
class Point:
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
        """Smallest over largest singular value, 0 where singular."""
        s = self.parts.s
        return float(s[-1] / s[0]) if s.size and s[0] else 0.0

    @property
    def singular(self) -> bool:
        """Whether J has lost rank."""
        return self.parts.rank() < self.x.size


def unknowns(block: Block, q: Sequence[float]) -> Array:
    """Return a block's unknown joints out of the configuration vector, scaled, shape (n,)."""
    return np.array([q[i] for i in block.columns]) / block.scale


def store(block: Block, x: Array, q: list[float]) -> None:
    """Write a block's unknown joints (scaled, shape (n,)) into the configuration vector."""
    for i, value in zip(block.columns, (x * block.scale).tolist()):
        q[i] = value


class Path:
    """The straight path, and what is evaluated on it."""

    def __init__(
            self, blocks: Sequence[Block], start: list[float], target: Mapping[int, float],
    ) -> None:
        """Begin at the start."""
        self.blocks = blocks
        self.walk = Walk(start)
        self._from = {i: start[i] for i in target}
        self.target = target
        self.change = 0.0  # of the Jacobian over the last sub-step tried, the worst block's

    def points(self, q: list[float]) -> list[Point]:
        """Evaluate all blocks; rates come from those of the blocks before."""
        rates, points = self.rates(), []
        for block in self.blocks:
            points.append(self.point(
                block, unknowns(block, q), *self.linearise(block, q)[1:], rates))
            rates.update(zip(block.columns, (points[-1].rate * block.scale).tolist()))
        return points

    def rates(self) -> dict[int, float]:
        """Return the rates of the independent joints, by their place in the vector."""
        return {i: value - self._from[i] for i, value in self.target.items()}

    def linearise(self, block: Block, q: list[float]) -> tuple[Array, Array, Array]:
        """Evaluate a block, and count that."""
        self.walk.evaluations += 1
        return block.linearise(q)

    def point(
            self, block: Block, x: Array, J: Array, J_known: Array, rates: dict[int, float],
    ) -> Point:
        """Return a block's point; the known joints move at the rates given."""
        known = np.array([rates.get(i, 0.0) for i in block.known_columns]) / block.known_scale
        parts, drive = Decomposition.of(J), J_known @ known
        return Point(x, J, parts, drive, -parts.solve(drive, parts.rank()))

    def at(self, t: float) -> list[float]:
        """Return the configuration with the independent joints on their way."""
        q = list(self.walk.q)
        for i, end in self.target.items():
            q[i] = end if t >= 1.0 else self._from[i] + t * (end - self._from[i])
        return q

    def correct(
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
            r, J, J_known = self.linearise(block, q)
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

    def advance(
            self, block: Block, point: Point, q: list[float], h: float,
            rates: dict[int, float], tolerance: float) -> Point | None:
        """Predict and correct a regular sub-step; None where it might have left the branch."""
        move = h * point.rate
        size = float(np.linalg.norm(move))
        if not size < 1.0:
            self.change = max(self.change, size)
            return None
        corrected = self.correct(block, q, point.x + move, block.n, tolerance)
        if corrected is None:
            self.change = 1.0
            return None
        end = self.point(block, *corrected, rates)
        if float(np.linalg.norm(end.x - point.x - move)) > 0.5 * size + 1e-6:
            self.change = 1.0
            return None
        if end.parts.rank(1e-9) < block.n:
            self.change = 1.0
            return None
        change = min(float(np.linalg.norm(end.parts.solve(J, block.n) - np.eye(block.n)))
                     for J in (point.J, turned_towards(point.J, end.J)))
        self.change = max(self.change, change)
        return end if change <= ALLOWED_CHANGE else None


def turned_towards(J: Array, towards: Array) -> Array:
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
