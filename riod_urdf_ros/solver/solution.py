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

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from .group_status import GroupStatus, State
from ..robot.kinematics import forward_kinematics
from ..robot.transforms import Array

if TYPE_CHECKING:
    from .closure_solver import ClosureSolver


@dataclass(frozen=True, eq=False)
class ClosureStatus:
    """
    How one closure stands.

    :param gap_vector: from the origin of frame A to that of frame B, in frame A, shape (3,), m.
    :param angle: between the frames, rad; 0 for a point closure.
    """

    gap_vector: Array
    angle: float
    state: State

    @property
    def gap(self) -> float:
        """Distance between the frames' origins, m."""
        return float(np.linalg.norm(self.gap_vector))


@dataclass(eq=False)
class Solution:
    """
    The result of one solve.

    :param positions: every moving joint that is known, in document order, rad and m.
    :param velocities: those that are known, rad/s and m/s.
    :param missing: independent joints of loops that were not given.
    :param groups: in the order of :attr:`ClosureSolver.groups`.
    """

    positions: dict[str, float]
    velocities: dict[str, float]
    missing: tuple[str, ...]
    groups: tuple[GroupStatus, ...]
    _solver: ClosureSolver

    @cached_property
    def closures(self) -> dict[str, ClosureStatus]:
        """Closures by name; those with unknown joints are left out."""
        solver = self._solver
        poses = forward_kinematics(solver.robot, self.positions)
        result = {}
        for group, status in zip(solver.groups, self.groups):
            if status.state != 'missing':
                for name in group.closures:
                    result[name] = solver.closure_status(name, poses)
        return {name: result[name] for name in solver.tolerances if name in result}

    @cached_property
    def limit_violations(self) -> dict[str, float]:
        """Dependent joints outside their limits, and by how much, rad and m."""
        beyond = {}
        for name, lower, upper in self._solver.dependent_limits:
            excess = max(lower - self.positions[name], self.positions[name] - upper) \
                if name in self.positions else 0.0
            if excess > 1e-9:
                beyond[name] = excess
        return beyond

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what a person should know about this solve."""
        return (*(note for status in self.groups for note in status.notes),
                *(f'{name} is beyond its limit by {excess:.6g}'
                  for name, excess in self.limit_violations.items()))
