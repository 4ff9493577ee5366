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
Ranks of the constraint Jacobian, and what they leave free.

The Jacobian is scaled: lengths in characteristic lengths, joints by their gears. For a rank its
columns are made equally long as well, so that a short lever counts as much as a long one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ..constraints.compiled_jacobian import SparseJacobian
from ..constraints.least_squares import Decomposition
from ..constraints.numerics import NO_LEVER, STRUCTURE_TOLERANCE
from ..constraints.recordings import ClosureCode
from ..robot.loops import loop_joints
from ..robot.model import LoopClosure
from ..robot.transforms import Array


class Linearisation:
    """
    Residual and Jacobian of some closures over the joints on their loops.

    :param names: the columns.
    :param order: place of each column in an order that names do not decide, shape (n,).
    :param turns: whether a whole turn of each column's joint changes nothing, shape (n,).
    """

    def __init__(self, code: ClosureCode, closures: Sequence[LoopClosure]) -> None:
        """Compile."""
        recording = code.record(closures)
        self.length, self.row_closure = recording.length, recording.names
        self.names = tuple(dict.fromkeys(
            name for closure in closures for name in loop_joints(code.robot, closure)))
        self.scale = code.scales(self.names, self.length)
        self.order = np.argsort(np.argsort([code.order[name] for name in self.names]))
        followed = {joint.mimic.joint for joint in code.robot.moving_joints
                    if joint.mimic is not None}
        self.turns = np.array([code.robot.by_name[name].unit == 'rad' and name not in followed
                               for name in self.names], bool)
        self.order.flags.writeable = self.turns.flags.writeable = False
        self._joints = [code.robot.by_name[name] for name in self.names]
        self._run = SparseJacobian(recording, self.names, {
            code.index[name]: place for place, name in enumerate(self.names)})

    def __call__(self, x: Array) -> tuple[Array, Array]:
        """
        Evaluate the residual and its Jacobian.

        :param x: scaled positions, shape (n,).
        :return: r (m,) and J (m, n).
        """
        return self._run((x * self.scale).tolist())

    def beyond_limits(self, x: Array, columns: Sequence[int]) -> float:
        """Return by how much some joints are beyond their limits in sum, scaled."""
        return float(sum(
            abs(self._joints[i].excess(x[i] * self.scale[i])) / self.scale[i] for i in columns))

    def column(self, names: Iterable[str]) -> list[int]:
        """Return the columns of some joints; names that are not on the loops are left out."""
        where = {name: i for i, name in enumerate(self.names)}
        return [where[name] for name in names if name in where]

    def scaled(self, positions: Mapping[str, float]) -> Array:
        """Return scaled positions of the columns' joints, from rad and m by joint."""
        x: Array = np.array([positions[name] for name in self.names]) / self.scale
        return x

    def positions(self, x: Array) -> dict[str, float]:
        """Return positions in rad and m by joint."""
        return dict(zip(self.names, (x * self.scale).tolist()))


def levers(J: Array) -> Array:
    """
    Return the factors that make the columns of a Jacobian equally long, rounding left small.

    :param J: shape (m, n).
    :return: shape (n,).
    """
    norms = np.linalg.norm(J, axis=0)
    longest = float(norms.max(initial=0.0)) or 1.0
    factors: Array = 1.0 / np.where(norms > NO_LEVER * longest, norms, longest)
    return factors


def rank(J: Array) -> int:
    """
    Count the independent columns.

    :param J: shape (m, n).
    """
    return Decomposition.of(J * levers(J)).rank(STRUCTURE_TOLERANCE)


def free_motions(J: Array) -> Array:
    """
    Return an orthonormal basis of the motions that the closures leave.

    :param J: shape (m, n).
    :return: basis as columns, shape (n, n - rank).
    """
    factors = levers(J)
    basis = Decomposition.of(J * factors).null_space(STRUCTURE_TOLERANCE)
    return np.asarray(np.linalg.qr(factors[:, None] * basis)[0])


def new_rows(J: Array) -> Array:
    """
    Tell which rows are independent of those before them (Gram-Schmidt, twice over).

    :param J: shape (m, n).
    :return: one boolean a row, shape (m,).
    """
    J = J * levers(J)
    basis = np.zeros((min(J.shape), J.shape[1]))
    largest = float(np.linalg.norm(J, axis=1).max(initial=1e-12))
    count, new = 0, np.zeros(J.shape[0], bool)
    for i, row in enumerate(J):
        used = basis[:count]
        rest = row - used.T @ (used @ row)
        rest -= used.T @ (used @ rest)
        norm = float(np.linalg.norm(rest))
        if count < basis.shape[0] and norm > STRUCTURE_TOLERANCE * largest:
            basis[count] = rest / norm
            count, new[i] = count + 1, True
    return new


def determined_columns(J: Array, order: Sequence[Any]) -> list[int]:
    """
    Choose as many independent columns as the rank, so that they are as independent as can be.

    The others are those that take the greatest part in the motions that are left free: the
    determinants of complementary minors of a matrix and of its null space are proportional.

    :param J: shape (m, n).
    :param order: of two equal columns the one is taken whose entry here is smaller.
    :return: columns in their order.
    """
    chosen = sorted(range(J.shape[1]), key=lambda i: order[i], reverse=True)
    motions = free_motions(J)
    for _ in range(motions.shape[1]):
        parts = np.linalg.norm(motions[chosen], axis=1)
        most = chosen[int(np.argmax(parts >= parts.max() * (1.0 - 1e-6)))]
        unit = motions[most] / np.linalg.norm(motions[most])
        motions = motions - np.outer(motions @ unit, unit)
        chosen.remove(most)
    return sorted(chosen)
