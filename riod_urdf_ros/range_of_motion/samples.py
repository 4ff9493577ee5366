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

"""The motion of one independent joint through its range, in samples to draw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
import math

from .joint_range import find_range, Range
from ..exceptions import UsageError
from ..solver.closure_solver import ClosureSolver
from ..solver.solution import Solution
from ..wording import quote

_SAMPLES = 90  # on either side of the start


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
class SampledRange:
    """
    A joint on its way, the other independent joints at rest.

    :param wanted: the range that the joint has by itself, rad or m.
    :param start: where the motion began, both ways; in that range.
    :param samples: as far as the joint's loops can be closed, its position ascending.
    :param turns: whether the ends of the wanted range are one position.
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


def sample_range(
        solver: ClosureSolver, name: str, positions: Mapping[str, float]) -> SampledRange:
    """
    Move a joint from where it is to either end of its range.

    :param name: of an independent joint.
    :param positions: of all independent joints, rad and m.
    :raises UsageError: if there is no range, or the loops are open already at the start.
    """
    joint = solver.robot.by_name[name]
    turns = joint.kind == 'continuous'
    own = joint.limits
    if not turns and (own[0] == own[1] or not all(map(math.isfinite, own))):
        raise UsageError(f'joint {quote(name)} has no range to sweep; give it a <limit> with '
                         'lower and upper')
    found = find_range(solver, name, positions)
    low, high = found.lower.value, found.upper.value
    # A part of a turn is shown in the middle of a whole one.
    centre = 0.5 * (low + high)
    wanted = (centre - math.pi, centre + math.pi) if turns else own
    up = list(_samples(solver, found, positions, high))
    down = list(_samples(solver, found, positions, low))
    return SampledRange(
        name, joint.unit, wanted, found.start, (*reversed(down[1:]), *up), turns)


def _samples(solver: ClosureSolver, found: Range, positions: Mapping[str, float],
             end: float) -> Iterator[Sample]:
    """Go from the start to an end, in steps that become smaller: what is singular is there."""
    solver.reset()
    for i in range(_SAMPLES + 1) if end != found.start else (0,):
        value = end if i == _SAMPLES else found.start + (end - found.start) * math.sin(
            0.5 * math.pi * i / _SAMPLES)
        solution = solver.solve({**positions, found.joint: value})
        if i and any(status.state == 'open' for status in solution.groups):
            return
        yield Sample(value, solution, {
            group.name: status.singularity
            for group, status in zip(solver.groups, solution.groups, strict=True)
            if found.joint in group.independent})
