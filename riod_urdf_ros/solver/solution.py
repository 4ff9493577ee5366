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

"""What a solve gives, measured when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from .group_status import GroupStatus
from .tolerances import ClosureStatus, Tolerances
from ..robot.kinematics import forward_kinematics
from ..robot.read_only import Frozen, ReadOnly


@dataclass(frozen=True, eq=False)
class Solution(Frozen):
    """
    The result of one solve; it does not change when the solver goes on.

    :param positions: every moving joint that is known, in document order, rad and m.
    :param velocities: those that are known, rad/s and m/s.
    :param missing: independent joints of loops that were not given.
    :param groups: in the order of :attr:`ClosureSolver.groups`.
    :param dependent: joints that the closures decide.
    :param tolerances: what the closures are judged by.
    """

    positions: Mapping[str, float]
    velocities: Mapping[str, float]
    missing: tuple[str, ...]
    groups: tuple[GroupStatus, ...]
    dependent: frozenset[str] = field(repr=False)
    tolerances: Tolerances = field(repr=False)

    @cached_property
    def closures(self) -> Mapping[str, ClosureStatus]:
        """Closures by name; those with unknown joints are left out."""
        robot, poses = self.tolerances.robot, forward_kinematics(
            self.tolerances.robot, self.positions)
        return ReadOnly({
            closure.name: self.tolerances.status(closure, poses) for closure in robot.closures
            if all(robot.source(joint)[0].name in self.positions
                   for side in robot.loop(closure) for joint in side if joint.moving)})

    @cached_property
    def limit_violations(self) -> Mapping[str, float]:
        """Passive joints on loops outside their limits, and by how much, rad and m."""
        robot = self.tolerances.robot
        beyond = {name: abs(robot.by_name[name].excess(position))
                  for name, position in self.positions.items() if name in self.dependent}
        return ReadOnly({name: excess for name, excess in beyond.items() if excess > 1e-9})

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what a person should know about this solve."""
        return (*(note for status in self.groups for note in status.notes),
                *(f'{name} is beyond its limit by {excess:.6g}'
                  for name, excess in self.limit_violations.items()))
