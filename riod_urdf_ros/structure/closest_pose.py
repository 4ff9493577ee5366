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
The pose next to a start in which closures hold, or hold as well as they can.

Least squares alone do not find it: a start that is drawn flat is a saddle of theirs, and of the
poses that close a loop they reach one, not the nearest. So they are started from several places
around the start, along the motions in which they curve least (at a saddle: down) and in others
spread evenly, the same in every run. What is found is pulled towards the start as far as the
closures let it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .ranks import free_motions, Linearisation
from .vicinity import correct
from ..constraints.least_squares import minimise
from ..constraints.numerics import AS_NEAR, CURVED, NEAREST, SPREAD, START_SIZES
from ..robot.transforms import Array


@dataclass(frozen=True, eq=False)
class ClosestPose:
    """
    The outcome of a search.

    :param x: scaled positions, shape (n,).
    :param tried: number of starts.
    :param mirrored: another pose as near that closes as well, or None.
    """

    x: Array
    tried: int
    mirrored: Array | None = None


def closest_pose(
        linearisation: Linearisation, start: Array, free: Sequence[int], tolerance: float,
) -> ClosestPose:
    """
    Move some joints to the nearest pose in which the closures fit.

    :param start: scaled positions, shape (n,).
    :param free: columns of the joints to move.
    :param tolerance: residual up to which the closures count as closed, scaled.
    """
    free = list(free)
    if not free:
        return ClosestPose(start, 1)
    first = _fit(linearisation, start, start, free)
    found = [first]
    if misfit(linearisation, first) > tolerance or _distance(first, start) > NEAREST:
        found += [_fit(linearisation, place, start, free)
                  for place in _places(linearisation, start, first, free)]
    allowed = max(tolerance, 1.01 * min(misfit(linearisation, x) for x in found) + 1e-9)
    fitting = [_pulled(linearisation, x, start, free, allowed) for x in found
               if misfit(linearisation, x) <= allowed]
    nearest = min(_distance(x, start) for x in fitting)
    order = np.argsort(linearisation.order)
    # Of equals the one that breaks the limits least; else that on which the first joint goes up,
    # in an order that names do not decide.
    equals = sorted(
        (x for x in fitting if _distance(x, start) <= nearest + AS_NEAR),
        key=lambda x: (round(linearisation.beyond_limits(x, free), 3),
                       *-np.round(x - start, 3)[order]))
    return ClosestPose(equals[0], len(found), next(
        (x for x in equals if _distance(x, equals[0]) > 10.0 * AS_NEAR), None))


def misfit(linearisation: Linearisation, x: Array) -> float:
    """Return the norm of the residual, scaled."""
    return float(np.linalg.norm(linearisation(x)[0]))


def _distance(a: Array, b: Array) -> float:
    return float(np.linalg.norm(a - b))


def _fit(linearisation: Linearisation, place: Array, start: Array, free: list[int]) -> Array:
    """Go from a place to where the closures fit best; whole turns are taken back."""
    x: Array = place.copy()

    def at(part: Array) -> tuple[Array, Array]:
        x[free] = part
        r, J = linearisation(x)
        return r, J[:, free]

    x[free] = minimise(at, place[free], 100)
    turned: Array = x.copy()
    for i in free:
        if linearisation.turns[i]:
            turned[i] = start[i] + np.remainder(x[i] - start[i] + np.pi, 2.0 * np.pi) - np.pi
    return turned


def _places(
        linearisation: Linearisation, start: Array, stuck: Array, free: list[int]) -> list[Array]:
    """Return other places to start from, the same whatever the joints are called."""
    directions = []
    for centre in (start, stuck):
        gradients = []
        for i in free:
            step = np.zeros(start.size)
            step[i] = 1e-4
            gradients.append([
                np.array([J[:, free].T @ r for r, J in [linearisation(centre + sign * step)]])[0]
                for sign in (1.0, -1.0)])
        hessian = np.array([(up - down) / 2e-4 for up, down in gradients])
        curved = np.linalg.eigh(0.5 * (hessian + hessian.T))[1].T
        directions += [(centre, v) for v in curved[:CURVED]]
    wishes = np.random.default_rng(3).standard_normal((SPREAD, start.size))
    directions += [(start, wish[linearisation.order][free]) for wish in wishes]
    places = []
    for centre, v in directions:
        for size in START_SIZES:
            for sign in (1.0, -1.0):
                place = centre.copy()
                place[free] += sign * size * v / np.linalg.norm(v)
                places.append(place)
    return places


def _pulled(linearisation: Linearisation, x: Array, start: Array, free: list[int],
            allowed: float) -> Array:
    """Pull a pose towards the start, along the motions that the closures leave."""
    part = 1.0
    for _ in range(60):
        basis = free_motions(linearisation(x)[1][:, free])
        pull = np.zeros(x.size)
        pull[free] = basis @ (basis.T @ (start - x)[free])
        if np.linalg.norm(pull) < 1e-6 or part < 1e-3:
            break
        nearer = correct(linearisation, x + part * pull, free)
        if misfit(linearisation, nearer) <= allowed \
                and _distance(nearer, start) < _distance(x, start):
            x, part = nearer, min(1.0, 2.0 * part)
        else:
            part *= 0.5
    return x
