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
Ranks of the constraint Jacobian at generic configurations.

Home itself may be singular, so ranks are taken near it, where the closures still hold. The
Jacobian is scaled (lengths in characteristic lengths), so one tolerance fits all sizes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ..constraints.compiled_jacobian import SparseJacobian
from ..constraints.least_squares import minimum_norm, RANK_TOLERANCE
from ..constraints.recordings import ClosureCode
from ..robot.loops import loop_joints
from ..robot.model import LoopClosure
from ..robot.transforms import Array


class Linearisation:
    """
    Residual and Jacobian of some closures over the joints on their loops.

    :param names: the columns.
    """

    def __init__(self, code: ClosureCode, closures: Sequence[LoopClosure]) -> None:
        """Compile."""
        recording = code.record(closures)
        self.length, self.row_closure = recording.length, recording.names
        self.names = tuple(dict.fromkeys(
            name for closure in closures for name in loop_joints(code.robot, closure)))
        self.scale = code.scales(self.names, self.length)
        self._run = SparseJacobian(recording, self.names, {
            code.index[name]: place for place, name in enumerate(self.names)})

    def __call__(self, x: Array) -> tuple[Array, Array]:
        """
        Evaluate the residual and its Jacobian.

        :param x: rad and characteristic lengths, shape (n,).
        :return: r (m,) and J (m, n).
        """
        return self._run((x * self.scale).tolist())

    def column(self, names: Iterable[str]) -> list[int]:
        """Return the columns of some joints; names that are not on the loops are left out."""
        where = {name: i for i, name in enumerate(self.names)}
        return [where[name] for name in names if name in where]


def generic_jacobian(
        linearisation: Linearisation, home: Array, held: Sequence[int] = ()) -> Array:
    """
    Return the Jacobian at a generic configuration near home where the closures still hold.

    A random motion along the null space at home is corrected back onto the closures; of a few
    such configurations the one of highest rank counts. The choice is the same in every run.

    :param home: the assembled configuration, scaled, shape (n,).
    :param held: columns whose joints stay at home.
    :return: shape (m, n).
    """
    r, best = linearisation(home)
    gap = float(np.linalg.norm(r))
    free = np.setdiff1d(np.arange(home.size), np.array(held, int))
    rng = np.random.default_rng(1)
    directions = {name: rng.standard_normal(3) for name in sorted(linearisation.names)}
    at_home = best[:, free]
    for attempt in range(3):
        wish = np.array([directions[linearisation.names[i]][attempt] for i in free])
        motion = np.zeros(home.size)
        motion[free] = wish - minimum_norm(at_home, at_home @ wish)
        norm = float(np.linalg.norm(motion))
        if norm < 1e-6 * float(np.linalg.norm(wish)):
            break  # nothing moves
        for size in (0.3, 0.1, 0.03):
            x = home + motion * (size / norm)
            for _ in range(20):
                r, J = linearisation(x)
                dx = minimum_norm(J[:, free], r)
                x[free] -= dx
                if np.linalg.norm(dx) < 1e-10:
                    break
            r, J = linearisation(x)
            moved = float(np.linalg.norm(x - home))
            if np.linalg.norm(r) <= gap + 1e-9 and 0.3 * size < moved < 3.0 * size:
                if attempt == 0 or rank(J) > rank(best):
                    best = J
                break
    return best


def rank(J: Array) -> int:
    """
    Count the singular values that are not zero.

    :param J: shape (m, n).
    """
    s = np.linalg.svd(J, compute_uv=False) if J.size else np.zeros(0)
    return int(np.sum(s > RANK_TOLERANCE * max(s[0], 1e-12))) if s.size else 0


def new_rows(J: Array) -> Array:
    """
    Tell which rows are independent of those before them (Gram-Schmidt, twice over).

    :param J: shape (m, n).
    :return: one boolean a row, shape (m,).
    """
    basis = np.zeros((min(J.shape), J.shape[1]))
    largest = float(np.linalg.norm(J, axis=1).max(initial=1e-12))
    count, new = 0, np.zeros(J.shape[0], bool)
    for i, row in enumerate(J):
        used = basis[:count]
        rest = row - used.T @ (used @ row)
        rest -= used.T @ (used @ rest)
        norm = float(np.linalg.norm(rest))
        if count < basis.shape[0] and norm > RANK_TOLERANCE * largest:
            basis[count] = rest / norm
            count, new[i] = count + 1, True
    return new


def determined_columns(J: Array, names: Sequence[str]) -> list[int]:
    """
    Choose as many independent columns as the rank, largest first (pivoted Gram-Schmidt).

    Equal columns are taken in the order of their names, so that the order of the joints in
    the file is of no influence.

    :param J: shape (m, n).
    :param names: of the columns.
    :return: columns in their order.
    """
    remaining = sorted(range(len(names)), key=lambda i: names[i])
    rest, chosen = J.astype(float).copy(), []
    for _ in range(rank(J)):
        norms = np.linalg.norm(rest[:, remaining], axis=0)
        best = remaining[int(np.argmax(norms >= norms.max() * (1.0 - 1e-6)))]
        unit = rest[:, best] / np.linalg.norm(rest[:, best])
        rest -= np.outer(unit, unit @ rest)
        chosen.append(best)
        remaining.remove(best)
    return sorted(chosen)
