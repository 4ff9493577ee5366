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

"""How far an independent joint can go, the others standing still, with its loops closed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
import math
from typing import Literal

from .range_end import End, find_end
from .swept_joint import SweptJoint
from ..solver.closure_solver import ClosureSolver
from ..solver.solution import Solution

_PRECISION = 1e-7
# How far a joint without limits is swept, rad or sizes of the robot.
_FAR = 20.0 * math.pi


@dataclass(frozen=True)
class Crossing:
    """
    Where a passive joint leaves its limits.

    :param limit: rad or m.
    :param at: position of the joint that is swept, rad or m.
    """

    joint: str
    side: Literal['lower', 'upper']
    limit: float
    at: float


@dataclass(frozen=True)
class Range:
    """
    The range of one joint.

    :param start: where the sweep began, rad or m.
    :param crossings: limits of passive joints crossed on the way from the start.
    :param notes: what the solver said on the way, with the position, rad or m.
    """

    joint: str
    start: float
    lower: End
    upper: End
    crossings: tuple[Crossing, ...]
    notes: tuple[tuple[float, str], ...]


def find_range(solver: ClosureSolver, name: str, positions: Mapping[str, float]) -> Range:
    """
    Find the range of one joint.

    :param name: an independent joint.
    :param positions: of the other independent joints, and where the joint itself starts, rad
        and m; those left out are at home.
    :raises UsageError: if the loops are not closed at the start.
    """
    joint = SweptJoint(solver, name, positions)
    way = _Way(joint)
    if joint.locked:
        joint.begin()
        lower = upper = End(joint.start, 'tied')
    elif joint.closures:
        upper = way.march(1.0)
        if upper.reason == 'whole_turn':
            upper = replace(upper, value=joint.start + math.pi)
            lower = End(joint.start - math.pi, 'whole_turn')
        else:
            lower = way.march(-1.0)
    else:
        lower, upper = _own_end(joint, -1.0), _own_end(joint, 1.0)
    return Range(name, joint.start, lower, upper,
                 tuple(sorted(way.crossings.values(), key=lambda crossing: crossing.at)),
                 tuple((at, note) for note, at in way.notes.items()))


def _own_end(joint: SweptJoint, direction: float) -> End:
    """Return the end that the joint itself has, or where to stop looking for one."""
    limit = joint.upper if direction > 0.0 else joint.lower
    if math.isfinite(limit):
        return End(limit, 'limit')
    if joint.joint.kind == 'continuous':
        return End(joint.start + direction * 2.0 * math.pi, 'whole_turn')
    return End(joint.start + direction * _FAR * joint.unit, 'no_end')


class _Way:
    """The way of a joint from its start, and what was seen on it."""

    def __init__(self, joint: SweptJoint) -> None:
        self._joint = joint
        self.crossings: dict[tuple[str, bool], Crossing] = {}
        self.notes: dict[str, float] = {}

    def march(self, direction: float) -> End:
        """Go from the start in small steps to the first end."""
        joint, end = self._joint, _own_end(self._joint, direction)
        last, solution = joint.start, joint.begin()
        for name in solution.limit_violations:
            self._cross(name, solution, last)
        beyond = set(solution.limit_violations)
        count = max(math.ceil(abs(end.value - last) / joint.step), 1)
        for i in range(1, count + 1):
            value = joint.start + (end.value - joint.start) * i / count
            solution = joint.at(value)
            if not joint.closed(solution):
                return find_end(joint, last, value)
            for note in joint.notes(solution):
                self.notes.setdefault(note, value)
            now = set(solution.limit_violations)
            for name in sorted(now - beyond):
                self._cross(name, solution, self._crossing(name, last, value))
            if now - beyond:
                joint.at(value)
            last, beyond = value, now
        return end

    def _crossing(self, name: str, inside: float, outside: float) -> float:
        def is_inside(solution: Solution) -> bool:
            return name not in solution.limit_violations

        return self._joint.bisect(inside, outside, is_inside, _PRECISION)

    def _cross(self, name: str, solution: Solution, at: float) -> None:
        joint = self._joint.solver.robot.by_name[name]
        lower, upper = joint.limits
        found = Crossing(name, 'lower', lower, at) \
            if joint.excess(solution.positions[name]) < 0.0 else Crossing(name, 'upper', upper, at)
        self.crossings.setdefault((f'{name} {found.side}', at < self._joint.start), found)
