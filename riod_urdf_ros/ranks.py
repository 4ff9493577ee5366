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

from .block import SparseJacobian
from .closure_code import ClosureCode
from .least_squares import Decomposition
from .loops import loop_joints
from .model import LoopClosure
from .transforms import Array


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
        """Give the columns of some joints; names that are not on the loops are left out."""
        where = {name: i for i, name in enumerate(self.names)}
        return [where[name] for name in names if name in where]


def generic_jacobian(
        linearisation: Linearisation, home: Array, held: Sequence[int] = ()) -> Array:
    """
    Give the Jacobian at a generic configuration near home where the closures still hold.

    A random motion along the null space at home is corrected back onto the closures; of a few
    such configurations the one of highest rank counts. The choice is the same in every run.

    :param home: the assembled configuration, scaled, shape (n,).
    :param held: columns whose joints stay at home.
    :return: shape (m, n).
    """
    r, best = linearisation(home)
    free = np.setdiff1d(np.arange(home.size), np.array(held, int))
    gap = float(np.linalg.norm(r))
    rng = np.random.default_rng(1)
    directions = {name: rng.standard_normal(3) for name in sorted(linearisation.names)}
    null = Decomposition.of(best[:, free]).null_space()
    for attempt in range(3):
        wish = np.array([directions[linearisation.names[i]][attempt] for i in free])
        motion = np.zeros(home.size)
        motion[free] = null @ (null.T @ wish)
        norm = float(np.linalg.norm(motion))
        if norm == 0.0:
            break
        for size in (0.3, 0.1, 0.03):
            x = home + motion * (size / norm)
            for _ in range(20):
                r, J = linearisation(x)
                parts = Decomposition.of(J[:, free])
                dx = parts.solve(r, parts.rank(1e-9))
                x[free] -= dx
                if np.linalg.norm(dx) < 1e-10:
                    break
            r, J = linearisation(x)
            moved = float(np.linalg.norm(x - home))
            if np.linalg.norm(r) <= gap + 1e-9 and 0.3 * size < moved < 3.0 * size:
                if Decomposition.of(J).rank() > Decomposition.of(best).rank():
                    best = J
                elif attempt == 0:
                    best = J
                break
    return best


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
    for _ in range(Decomposition.of(J).rank()):
        norms = np.linalg.norm(rest[:, remaining], axis=0)
        best = remaining[int(np.argmax(norms >= norms.max() * (1.0 - 1e-6)))]
        unit = rest[:, best] / np.linalg.norm(rest[:, best])
        rest -= np.outer(unit, unit @ rest)
        chosen.append(best)
        remaining.remove(best)
    return sorted(chosen)
