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
The ways that leave a home in which branches of the mechanism meet.

In a flat, folded or coaxial home the motors do not determine where the other joints go: several
branches of the closures' solutions meet there (a bifurcation), or two that mirror one another
begin (a dead centre). Next to it they are apart: with the motors moved a little, each way is
a pose of its own that closes the loops and is regular. Those are found here by starting from many
places around home; a pose is on a way from home if it comes back to it with the motors.

Which way is taken is decided by, in this order,

1. the passive joints' positions in the given home: the way that goes towards them;
2. their limits: the way that breaks them least;
3. least motion;
4. the first joint, in an order that names do not decide, that goes up on one way and not on
   the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from .ranks import Linearisation
from ..constraints.least_squares import Decomposition, minimise
from ..constraints.numerics import (
    RANK_TOLERANCE,
    STRUCTURE_TOLERANCE,
    WAY_BACK,
    WAY_SIZES,
    WAY_STARTS,
)
from ..robot.read_only import Frozen, read_only, ReadOnly
from ..robot.transforms import Array


@dataclass(frozen=True, eq=False)
class Way:
    """
    A pose next to home on one of the ways that leave it.

    :param positions: of all joints on the group's loops, rad and m: the loops are closed, the
        independent joints are at ``home + part * direction``.
    :param part: how far they have gone.
    :param power: the dependent joints go about like ``part ** power``: 1, or 0.5 from a dead
        centre.
    :param regular: whether the independent joints determine the others there.
    """

    positions: Mapping[str, float]
    part: float
    power: float
    regular: bool


@dataclass(frozen=True, eq=False)
class Bifurcation(Frozen):
    """
    A singular home of a loop group.

    :param home: scaled positions of all joints on the loops, shape (n,).
    :param driven: columns of the independent joints.
    :param unknown: columns of the dependent joints that the closures determine.
    :param given: positions of joints in the given home, rad and m, by name.
    """

    linearisation: Linearisation
    home: Array
    driven: tuple[int, ...]
    unknown: tuple[int, ...]
    given: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Own what could be changed."""
        object.__setattr__(self, 'home', read_only(self.home))
        object.__setattr__(self, 'given', ReadOnly(self.given))

    def towards(self, direction: Sequence[float]) -> tuple[Way, ...]:
        """
        Return the ways that leave home while the independent joints move.

        :param direction: motion of the independent joints in the order of ``driven``, rad and m;
            not all zero.
        :return: the one that the rule takes first; empty where the motion is blocked. Poses
            that are not regular come last: the closures hold there, but determine too little.
        """
        drive = np.zeros(self.home.size)
        drive[list(self.driven)] = direction
        drive /= self.linearisation.scale
        norm = float(np.linalg.norm(drive))
        for size in WAY_SIZES:
            found = self._poses(drive / norm, size)
            if any(regular for *_, regular in found):
                break
        ways = [(not regular, self._rank(x), x, power, regular) for x, power, regular in found]
        return tuple(
            Way(self.linearisation.positions(x), size / norm, power, regular)
            for _, _, x, power, regular in sorted(ways, key=lambda way: way[:2]))

    def _poses(self, drive: Array, size: float) -> list[tuple[Array, float, bool]]:
        """Return closed poses with the motors moved by a size: pose, power and regularity."""
        unknown = list(self.unknown)
        J = self.linearisation(self.home)[1]
        parts = Decomposition.of(J[:, unknown])
        straight = -size * parts.solve(J @ drive, parts.rank(STRUCTURE_TOLERANCE))
        free = parts.null_space(STRUCTURE_TOLERANCE)
        rng = np.random.default_rng(2)
        wishes = rng.standard_normal((WAY_STARTS * free.shape[1], self.home.size))
        lengths = (0.5 * size, 1.5 * size, 4.0 * size, np.sqrt(size))
        starts = [straight]
        for i, wish in enumerate(wishes):
            sideways = free @ (free.T @ wish[self.linearisation.order][unknown])
            sideways *= lengths[i // 2 % len(lengths)] / np.linalg.norm(sideways)
            starts += [straight + sideways, straight - sideways]
        found: list[tuple[Array, float, bool]] = []
        for start in starts:
            x = self._closed(drive * size, start)
            if x is None or any(np.linalg.norm(x - other) < 0.02 * np.linalg.norm(x - self.home)
                                for other, *_ in found):
                continue
            s = Decomposition.of(self.linearisation(x)[1][:, unknown]).s
            regular = bool(s.size == len(unknown) and s[-1] > RANK_TOLERANCE * s[0])
            if not regular and any(not other for *_, other in found):
                continue  # one of a whole family
            power = self._power(drive * size, x)
            if power is not None:
                found.append((x, power, regular))
        return found

    def _closed(self, moved: Array, start: Array) -> Array | None:
        """Close the loops from a start next to home; None where they do not close near it."""
        x = self.home + moved
        unknown = list(self.unknown)

        def at(part: Array) -> tuple[Array, Array]:
            x[unknown] = part
            r, J = self.linearisation(x)
            return r, J[:, unknown]

        x[unknown] = minimise(at, self.home[unknown] + start)
        size = float(np.linalg.norm(moved))
        gap = float(np.linalg.norm(self.linearisation(self.home)[0]))
        closed = np.linalg.norm(self.linearisation(x)[0]) <= \
            gap + STRUCTURE_TOLERANCE * size + 1e-9
        return x if closed and np.linalg.norm(x - self.home) < 5.0 * np.sqrt(size) else None

    def _power(self, moved: Array, x: Array) -> float | None:
        """Go back towards home with the motors; None where the pose does not come along."""
        gone = (x - self.home)[list(self.unknown)]
        for power in (1.0, 0.5):
            back = self._closed(WAY_BACK * moved, WAY_BACK ** power * gone)
            if back is not None:
                part = float(np.linalg.norm(back - self.home) / np.linalg.norm(x - self.home))
                if abs(part / WAY_BACK ** power - 1.0) < 0.4:
                    return power
        return None

    def _rank(self, x: Array) -> tuple[float, ...]:
        """Return what the rule compares, smallest first."""
        unknown, names = list(self.unknown), self.linearisation.names
        moved = (x - self.home)[unknown]
        wanted = np.array([
            self.given[names[i]] / self.linearisation.scale[i] - self.home[i]
            if names[i] in self.given else 0.0 for i in unknown])
        wanted[np.abs(wanted) < 1e-9] = 0.0
        there = moved * (wanted != 0.0)
        size = float(np.linalg.norm(wanted) * np.linalg.norm(there))
        agreement = float(wanted @ there) / size if size else 0.0
        beyond = self.linearisation.beyond_limits(x, unknown)
        up = [-round(float(moved[i]), 6) for i in np.argsort(self.linearisation.order[unknown])]
        least = round(float(np.linalg.norm(moved)), 5)
        return (-round(agreement, 3), round(beyond, 6), least, *up)
