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


"""The motion of one independent joint through its range, as far as the loops stay closed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
import math

import numpy as np

from .exceptions import UsageError
from .model import Joint
from .problems import quote
from .solution import Solution
from .solver import ClosureSolver

_STEPS = 90  # on either side of the start
_BISECTIONS = 10  # to find where the loops open


@dataclass(frozen=True)
class Sample:
    """
    The mechanism on its way.

    :param value: position of the moved joint, rad or m.
    :param singularity: distance to it by loop group that the joint moves, from 0 to 1.
    """

    value: float
    solution: Solution
    singularity: Mapping[str, float]


@dataclass(frozen=True)
class MotionOfJoint:
    """
    A joint on its way, the other independent joints at rest.

    :param wanted: the range of the joint, rad or m.
    :param start: where the motion began, both ways; in that range.
    :param samples: where all loops are closed or strained, the joint's position ascending.
    :param turns: whether the ends of the range are one position.
    """

    joint: str
    unit: str
    wanted: tuple[float, float]
    start: float
    samples: tuple[Sample, ...]
    turns: bool

    @property
    def values(self) -> list[float]:
        """Positions of the moved joint, ascending, rad or m."""
        return [sample.value for sample in self.samples]

    @property
    def whole(self) -> bool:
        """Whether the loops stay closed over the whole range."""
        return (self.values[0], self.values[-1]) == self.wanted


def move_joint(
        solver: ClosureSolver, name: str, positions: Mapping[str, float]) -> MotionOfJoint:
    """
    Move a joint from where it is to either end of its range.

    :param name: of an independent joint.
    :param positions: of all independent joints, rad and m.
    :raises UsageError: if there is no range, or the loops are open already at the start.
    """
    joint = solver.robot.by_name[name]
    low, high = _range(joint)
    start = min(max(positions[name], low), high)
    first = _sample(solver, name, positions, start, again=True)
    if first is None:
        raise UsageError(f'no motion of {quote(name)} to draw: the loops are open where it would '
                         f'begin, at {start:.6g}')
    down = list(_one_way(solver, name, positions, start, low))
    _sample(solver, name, positions, start, again=True)
    up = list(_one_way(solver, name, positions, start, high))
    return MotionOfJoint(
        name, 'm' if joint.kind == 'prismatic' else 'rad', (low, high), start,
        (*reversed(down), first, *up), joint.kind == 'continuous')


def _range(joint: Joint) -> tuple[float, float]:
    if joint.kind == 'continuous':
        return -math.pi, math.pi
    if joint.lower is None or joint.upper is None or joint.lower == joint.upper:
        raise UsageError(f'joint {quote(joint.name)} has no range to sweep: give it a <limit> '
                         'with lower and upper')
    return joint.lower, joint.upper


def _one_way(solver: ClosureSolver, name: str, positions: Mapping[str, float], start: float,
             end: float) -> Iterable[Sample]:
    """Go from the start (left out) to an end, or to where the loops open."""
    last = start
    for value in np.linspace(start, end, _STEPS + 1)[1:] if start != end else ():
        sample = _sample(solver, name, positions, float(value))
        if sample is not None:
            last = float(value)
            yield sample
            continue
        opened = float(value)
        for _ in range(_BISECTIONS):
            middle = 0.5 * (last + opened)
            sample = _sample(solver, name, positions, middle)
            if sample is None:
                opened = middle
            else:
                last = middle
                yield sample
        return


def _sample(solver: ClosureSolver, name: str, positions: Mapping[str, float], value: float,
            again: bool = False) -> Sample | None:
    """Solve for one position of the joint; None if a loop is open."""
    if again:
        solver.reset()
    solution = solver.solve({**positions, name: value})
    if any(status.state == 'open' for status in solution.groups):
        return None
    return Sample(value, solution, {
        group.name: status.singularity
        for group, status in zip(solver.groups, solution.groups, strict=True)
        if name in group.independent})
