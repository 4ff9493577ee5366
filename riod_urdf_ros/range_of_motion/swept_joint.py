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

"""One independent joint that is moved while the others stand still."""

from __future__ import annotations

from collections.abc import Callable, Mapping
import math

from ..exceptions import UsageError
from ..solver.closure_solver import ClosureSolver
from ..solver.solution import Solution

_ANGLE_STEP = math.radians(2.0)
_STEPS_OF_A_SLIDE = 50.0
# Gap that the rounding of a file does not explain near a singular position (sizes), and what
# part of the usual distance to singularity counts as near.
_GAP, _NEAR_SINGULAR = 1e-7, 0.1
# What counts as near wherever the joint was before: the nearest home may be next to its end.
_SINGULAR = 0.01


class SweptJoint:
    """
    A joint on its way, and whether its loops are closed there.

    :param name: an independent joint.
    :param positions: of the other independent joints, and where the joint itself starts, rad
        and m; those left out are at home.
    """

    def __init__(self, solver: ClosureSolver, name: str, positions: Mapping[str, float]) -> None:
        """Find out how large its steps may be."""
        self.solver, self.name, self.joint = solver, name, solver.robot.by_name[name]
        at_home = {name: solver.home[name] for name in solver.independent}
        self._base = {**at_home, **positions}
        self._groups = [i for i, group in enumerate(solver.groups) if name in group.independent]
        self.closures = tuple(closure for i in self._groups
                              for closure in solver.groups[i].closures)
        self.locked = not set(solver.structure.locked).isdisjoint(self.closures)
        self.size = solver.robot.size
        slide = self.joint.kind == 'prismatic'
        self.unit = self.size if slide else 1.0
        self.step = self.size / _STEPS_OF_A_SLIDE if slide else _ANGLE_STEP
        self.lower, self.upper = self.joint.limits
        self.start = min(max(self._base[name], self.lower), self.upper)
        self._last_gap = self._regular = 0.0

    def at(self, value: float) -> Solution:
        """Solve with the joint at a position, rad or m, going on from the last one."""
        return self.solver.solve({**self._base, self.name: value})

    def begin(self) -> Solution:
        """
        Go to the start from home.

        :raises UsageError: if the joint's loops are not closed there.
        """
        self.solver.reset()
        solution = self.at(self.start)
        if not self._all_closed(solution):
            raise UsageError(
                f'the loops of joint {self.name!r} cannot be closed where its sweep has to '
                f'start, at {self.start:.6g}')
        self._last_gap, self._regular = self.gap(solution), self.singularity(solution)
        return solution

    def notes(self, solution: Solution) -> list[str]:
        """Return what the solver says of the joint's loops."""
        return [note for i in self._groups for note in solution.groups[i].notes]

    def _all_closed(self, solution: Solution) -> bool:
        return all(solution.groups[i].state == 'closed' for i in self._groups)

    def closed(self, solution: Solution) -> bool:
        """Return whether the joint's loops were followed to where they are, and are closed."""
        if not self._all_closed(solution):
            return False
        # A closed position beyond a blocked path may be one of another assembly mode.
        if not all(solution.groups[i].followed for i in self._groups):
            return False
        # Beyond a dead centre the gap grows from nothing: what is within the tolerance counts
        # as closed, but is out of reach.
        gap = self.gap(solution)
        if gap > 10.0 * self._last_gap + _GAP * self.size and self.near_singular(solution):
            return False
        self._last_gap = gap
        self._regular = max(self._regular, self.singularity(solution))
        return True

    def near_singular(self, solution: Solution) -> bool:
        """Return whether a singular position is near, compared to where the joint was before."""
        return self.singularity(solution) < max(_SINGULAR, _NEAR_SINGULAR * self._regular)

    def singularity(self, solution: Solution) -> float:
        """Return the distance to the next singular position, from 0 to 1; the worst loop's."""
        return min((solution.groups[i].singularity for i in self._groups), default=1.0)

    def gap(self, solution: Solution, closure: str | None = None) -> float:
        """Return how far a closure (or else the worst) is open; angles times the size, m."""
        return max((solution.closures[name].gap + self.size * solution.closures[name].angle
                    for name in self.closures if closure in (None, name)), default=0.0)

    def bisect(self, good: float, bad: float, holds: Callable[[Solution], bool],
               precision: float) -> float:
        """Return the last position at which something holds, rad or m."""
        while abs(bad - good) > precision * self.unit:
            middle = 0.5 * (good + bad)
            if holds(self.at(middle)):
                good = middle
            else:
                bad = middle
        return good
