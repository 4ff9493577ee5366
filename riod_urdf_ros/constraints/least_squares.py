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

"""Linear and nonlinear least squares with minimum-norm steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .numerics import BOUND_TOLERANCE, RANK_TOLERANCE
from ..robot.transforms import Array


class Decomposition(NamedTuple):
    """A singular value decomposition ``J = U diag(s) Vt``, Vt with all its rows."""

    U: Array
    s: Array
    Vt: Array

    @classmethod
    def of(cls, J: Array) -> Decomposition:
        """
        Decompose a matrix.

        :param J: shape (m, n).
        """
        if 0 in J.shape:
            return cls(np.zeros((J.shape[0], 0)), np.zeros(0), np.eye(J.shape[1]))
        return cls(*np.linalg.svd(J, full_matrices=True))

    def rank(self, tolerance: float = RANK_TOLERANCE) -> int:
        """Count the singular values that are not zero."""
        return int(np.sum(self.s > tolerance * max(self.s[0], 1e-12))) if self.s.size else 0

    def null_space(self, tolerance: float = RANK_TOLERANCE) -> Array:
        """Return an orthonormal basis of the null space as columns, shape (n, n - rank)."""
        basis: Array = self.Vt[self.rank(tolerance):].T
        return basis

    def solve(self, right: Array, rank: int) -> Array:
        """
        Return the least squares solution of minimum norm.

        :param right: shape (m,) or (m, k).
        :param rank: how many singular values to use.
        """
        # Nothing is divided by an exact zero, wherever the caller sees the rank.
        scaled = (self.U[:, :rank].T @ right).T / np.maximum(self.s[:rank], 1e-300)
        solution: Array = self.Vt[:rank].T @ scaled.T
        return solution


def minimise(
        linearise: Callable[[Array], tuple[Array, Array]], x: Array, iterations: int = 60,
) -> Array:
    """
    Find a local minimum of ``|r(x)|`` near x.

    Levenberg-Marquardt with the damping of Nielsen (1999): by how well the last step did.

    :param linearise: gives r (m,) and its Jacobian (m, n) at x.
    :param x: start, shape (n,); directions that do not matter are left as they are.
    :param iterations: at most so many evaluations.
    :return: shape (n,).
    """
    r, J = linearise(x)
    damping, growth = 1e-6 * float(np.sum(J * J)), 2.0
    for _ in range(iterations):
        U, s, Vt = np.linalg.svd(J, full_matrices=False)
        if not s.size or s[0] == 0.0:
            break
        kept = s > 1e-9 * s[0]
        along = (U.T @ r)[kept]
        dx = Vt[kept].T @ (s[kept] / (s[kept] ** 2 + damping) * along)
        norm = float(np.linalg.norm(dx))
        if norm < 1e-12:
            break
        if norm > 0.5:  # farther than the linearisation of an angle reaches
            dx *= 0.5 / norm
        r_new, J_new = linearise(x - dx)
        foreseen = float(r @ r) - float(np.sum((r - J @ dx) ** 2))
        gain = (float(r @ r) - float(r_new @ r_new)) / max(foreseen, 1e-300)
        if gain > 0.0:
            x, r, J = x - dx, r_new, J_new
            growth = 2.0
            damping *= max(1.0 / 3.0, 1.0 - (2.0 * min(gain, 1.0) - 1.0) ** 3)
        else:
            damping, growth = damping * growth, growth * 2.0
    return x


def bounded_solution(J: Array, right: Array) -> Array:
    """
    Solve ``J x = right`` with ``|x| <= |right| / (BOUND_TOLERANCE |J|)``.

    Where the plain solution is larger, small singular values have made it so; they are left out.
    """
    try:
        x = np.linalg.solve(J, right) if J.shape[0] == J.shape[1] \
            else np.linalg.solve(J.T @ J, J.T @ right)
        if np.linalg.norm(x) * BOUND_TOLERANCE * np.linalg.norm(J) <= np.linalg.norm(right):
            return np.asarray(x)
    except np.linalg.LinAlgError:
        pass
    parts = Decomposition.of(J)
    return parts.solve(right, parts.rank(BOUND_TOLERANCE))
