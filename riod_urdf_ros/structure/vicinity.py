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
Poses next to home in which the closures hold, and what can really move there.

Home itself may be singular: flat, folded, coaxial, or at a right angle where a locked loop
moves to first order. So ranks are taken at poses a finite motion away from it, on each branch
that leaves it, and a freedom counts where a finite motion follows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .ranks import free_motions, levers, Linearisation, rank
from ..constraints.least_squares import Decomposition
from ..constraints.numerics import (
    DIRECTIONS,
    FEWEST_DIRECTIONS,
    STRUCTURE_TOLERANCE,
    VICINITY_SIZES,
)
from ..robot.transforms import Array


def correct(linearisation: Linearisation, x: Array, free: Sequence[int]) -> Array:
    """
    Move some joints back to where the closures hold, by Gauss-Newton steps of minimum norm.

    Directions in which the closures hardly change are left alone: they are freedoms, with what
    rounding makes of them.

    :param x: scaled positions, shape (n,).
    :param free: columns of the joints to move.
    :return: shape (n,).
    """
    x = x.copy()
    for _ in range(20):
        r, J = linearisation(x)
        factors = levers(J[:, free])
        parts = Decomposition.of(J[:, free] * factors)
        dx = factors * parts.solve(r, parts.rank(STRUCTURE_TOLERANCE))
        size = float(np.linalg.norm(dx))
        x[free] -= dx if size < 0.5 else dx * (0.5 / size)
        if size < 1e-10:
            break
    return x


@dataclass(frozen=True, eq=False)
class Vicinity:
    """
    Where ranks are taken.

    :param x: a closed pose next to home, scaled, shape (n,); home where nothing moves.
    :param J: the Jacobian there, shape (m, n). Where nothing moves, that of an open pose next
        to home: home may be one of those that a locked loop moves in to first order.
    :param motions: orthonormal basis of the motions of its joints that are more than
        instantaneous, shape (n, freedoms).
    :param mobile: whether anything moves.
    """

    x: Array
    J: Array
    motions: Array
    mobile: bool

    @classmethod
    def of(cls, linearisation: Linearisation, home: Array, wanted: Sequence[int],
           held: Sequence[int] = ()) -> Vicinity:
        """
        Look for the closed pose that determines most of the joints wanted.

        :param home: the assembled configuration, scaled, shape (n,).
        :param wanted: columns of the joints to be determined.
        :param held: columns of joints that stay at home while others move from it.
        """
        poses = _poses_near(linearisation, home, wanted, held)
        if poses:
            x, J = poses[0]
            motions = _real_motions(linearisation, x)
            return cls(x, J, motions, True)
        motions = np.zeros((home.size, 0))
        if held:
            motions = _real_motions(linearisation, home)
        return cls(home, _open_jacobian(linearisation, home), motions, motions.shape[1] > 0)


def _poses_near(
        linearisation: Linearisation, home: Array, wanted: Sequence[int],
        held: Sequence[int] = ()) -> list[tuple[Array, Array]]:
    """
    Find closed poses a finite motion away from home, on as many branches as there are.

    Random motions that home allows to first order are corrected back onto the closures: each
    branch catches some of them. The choice is the same in every run, whatever the names.

    :param home: the assembled configuration, scaled, shape (n,).
    :param wanted: columns of the dependent joints; the search goes on until all are determined.
    :param held: columns whose joints stay at home.
    :return: poses (n,) and Jacobians (m, n) there, the one that determines most first; empty
        where nothing moves.
    """
    r, J = linearisation(home)
    gap = float(np.linalg.norm(r))
    free = [i for i in range(home.size) if i not in held]
    basis = free_motions(J[:, free])
    wishes = np.random.default_rng(1).standard_normal((DIRECTIONS, home.size))
    found: list[tuple[Array, Array]] = []
    best = 0
    for attempt, wish in enumerate(wishes if basis.size else ()):
        if attempt >= FEWEST_DIRECTIONS and best == len(wanted):
            break
        motion = np.zeros(home.size)
        motion[free] = basis @ (basis.T @ wish[linearisation.order][free])
        motion /= np.linalg.norm(motion)
        for size in VICINITY_SIZES:
            x = correct(linearisation, home + size * motion, free)
            r, J = linearisation(x)
            moved = float(np.linalg.norm(x - home))
            if np.linalg.norm(r) <= gap + STRUCTURE_TOLERANCE * size + 1e-9 \
                    and 0.5 * size < moved < 2.0 * size:
                found.append((x, J))
                best = max(best, rank(J[:, wanted]))
                break
    return sorted(found, key=lambda pose: (-rank(pose[1][:, wanted]), -rank(pose[1])))


def _open_jacobian(linearisation: Linearisation, home: Array) -> Array:
    """Return the Jacobian of the highest rank at home or next to it, the loops left open."""
    best = linearisation(home)[1]
    allowed = free_motions(best)
    wishes = np.random.default_rng(1).standard_normal((FEWEST_DIRECTIONS, home.size))
    for wish in wishes if allowed.size else ():
        motion = allowed @ (allowed.T @ wish[linearisation.order])
        J = linearisation(home + 0.1 * motion / np.linalg.norm(motion))[1]
        best = J if rank(J) > rank(best) else best
    return best


def _real_motions(linearisation: Linearisation, x: Array) -> Array:
    """
    Return an orthonormal basis of the motions that closures leave for more than an instant.

    Each motion that the Jacobian allows is made, and corrected back onto the closures: one that
    is real stays where it has led to, any other one returns.

    :param x: a closed pose, scaled, shape (n,).
    :return: basis as columns, shape (n, freedoms).
    """
    free = range(x.size)
    allowed = free_motions(linearisation(x)[1])
    if not allowed.size:
        return allowed
    for size in (0.05, 0.01):
        made = np.column_stack([
            correct(linearisation, x + size * v, free) - x for v in allowed.T]) / size
        turned = Decomposition.of(allowed.T @ made)
        count = int(np.sum(turned.s > 0.5))
        if count:
            break
    motions: Array = allowed @ turned.Vt[:count].T
    return motions
