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

"""Where exactly, and why, a joint can go no further."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
import math
from typing import Literal

from .swept_joint import SweptJoint
from ..solver.solution import Solution

Reason = Literal['limit', 'whole_turn', 'out_of_reach', 'singular', 'tied', 'strained', 'no_end']

# What to say of them.
REASONS: Mapping[Reason, str] = {
    'limit': 'own limit', 'whole_turn': 'whole turn', 'out_of_reach': 'out of reach',
    'singular': 'singular', 'tied': 'tied', 'strained': 'contradiction', 'no_end': 'no end found'}

# All of these are in the joint's unit (rad, or the size of the robot).
_PRECISION = 1e-7
# Where nothing nearer can be seen, an estimate that has settled so far will do.
_SETTLED = 1e-5
_LOOKS = 100
# How far beyond an end is looked for what is wrong there.
_BEYOND = 1e-3


@dataclass(frozen=True)
class End:
    """
    Where a range ends.

    :param value: rad or m.
    :param reason: the joint's own limit; a whole turn was possible; no position closes the loops
        beyond; the solver cannot go on for a singular position; other independent joints would
        have to move too; the closures contradict each other beyond; no end was found.
    :param closures: those that are open beyond it.
    """

    value: float
    reason: Reason
    closures: tuple[str, ...] = ()


def find_end(joint: SweptJoint, good: float, bad: float) -> End:
    """
    Find the end between a closed position and one that is not.

    :param good: rad or m.
    :param bad: rad or m.
    """
    value, good = _approach(joint, good, bad)
    there = joint.at(good)
    beyond = joint.at(value + math.copysign(_BEYOND * joint.unit, bad - good))
    opened = tuple(
        name for name in joint.closures
        if joint.gap(beyond, name) > 10.0 * joint.gap(there, name) + 1e-3 * _BEYOND * joint.size)
    return End(value, _reason(joint, bool(opened), there), opened)


def _approach(joint: SweptJoint, good: float, bad: float) -> tuple[float, float]:
    """
    Return the last position at which the loops are closed, and the last one that was seen.

    Towards a dead centre the square of the singularity falls linearly to zero, so the end is
    extrapolated, from closer and closer; going beyond it would cost time, and the branch. Where
    this does not lead to an end, the distance is halved.
    """
    last, square = _again(joint, good)
    estimate = math.inf
    for _ in range(_LOOKS):
        if abs(bad - good) <= _PRECISION * joint.unit:
            break
        now = joint.singularity(joint.at(good)) ** 2
        before, estimate, middle = estimate, math.inf, 0.5 * (good + bad)
        if good != last and now < square:
            estimate = good + (good - last) * now / (square - now)
            if abs(estimate - before) <= _PRECISION * joint.unit:
                return estimate, good
            if abs(estimate - good) < 2.0 * abs(bad - good):
                middle = 0.5 * (good + estimate)
        if joint.closed(joint.at(middle)):
            last, square, good = good, now, middle
            continue
        if abs(estimate - before) <= _SETTLED * joint.unit:
            return estimate, good
        bad = middle
        last, square = _again(joint, good)
    return good, good


def _again(joint: SweptJoint, end: float) -> tuple[float, float]:
    """
    Go the way from the start once more, as far as it was good.

    :return: a position shortly before its end, and the square of the singularity there.
    """
    joint.begin()
    count = math.ceil(abs(end - joint.start) / joint.step)
    before, square = joint.start, 0.0
    for i in [*range(1, count), count - 0.5]:
        before = joint.start + (end - joint.start) * max(i, 0.0) / max(count, 1)
        square = joint.singularity(joint.at(before)) ** 2
    joint.closed(joint.at(end))
    return before, square


def _reason(joint: SweptJoint, opens: bool, there: Solution) -> Reason:
    structure = joint.solver.structure
    if any(joint.name in names for names in structure.over_actuated) \
            or not set(structure.locked).isdisjoint(joint.closures):
        return 'tied'
    if not opens:
        return 'singular'
    return 'out_of_reach' if joint.near_singular(there) else 'strained'
