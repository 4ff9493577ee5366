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

"""When a closure counts as closed: the tolerances, and what they are measured against."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from ..constraints.numerics import STRAINED
from ..robot.closure_error import closure_error, ClosureError
from ..robot.closure_state import State, worst
from ..robot.kinematics import forward_kinematics
from ..robot.model import LoopClosure, Robot
from ..robot.read_only import Frozen
from ..robot.transforms import Array, rotation_about, rotation_vector


@dataclass(frozen=True, eq=False)
class ClosureStatus(Frozen):
    """
    How one closure stands.

    :param gap_vector: from the origin of frame A to that of frame B, in frame A, shape (3,), m.
    :param angle: between the frames, rad; 0 for a point closure.
    :param state: 'closed', 'strained' or 'open', by the tolerances.
    """

    gap_vector: Array
    angle: float
    state: State

    def __post_init__(self) -> None:
        """Keep the array as it is."""
        self.gap_vector.flags.writeable = False

    @property
    def gap(self) -> float:
        """Distance between the frames' origins, m."""
        return float(np.linalg.norm(self.gap_vector))


@dataclass(frozen=True, eq=False)
class Tolerances(Frozen):
    """
    Judges closures by their gaps, where nothing else is known of the solver.

    A gap is measured from zero or, where that is less, from the gap that the assembled mechanism
    has at home: pins drawn in two planes stay as far apart as they were drawn.

    :param at_home: the errors of the closures at home, by name.
    :param position: gap up to which a closure is closed, m.
    :param orientation: the same for the angle of a rigid closure, rad.
    """

    robot: Robot
    at_home: Mapping[str, ClosureError]
    position: float
    orientation: float

    def status(self, closure: LoopClosure, poses: Mapping[str, Array]) -> ClosureStatus:
        """
        Measure one closure.

        :param poses: ``T_root_link``, shape (4, 4), by link.
        """
        error, home = closure_error(closure, poses), self.at_home[closure.name]
        gap = min(error.distance, float(np.linalg.norm(error.gap - home.gap)))
        angle = error.angle
        if angle > self.orientation and home.angle > 0.0:
            turned = _rotation(home).T @ _rotation(error)
            angle = min(angle, float(np.linalg.norm(rotation_vector(turned))))
        parts = _part(gap, self.position), _part(angle, self.orientation)
        # Asked of each, so that what is no number is open.
        state: State = 'closed' if all(part <= 1.0 for part in parts) \
            else 'strained' if all(part <= STRAINED for part in parts) else 'open'
        return ClosureStatus(error.gap, error.angle, state)

    def state(self, closures: Iterable[LoopClosure], positions: Mapping[str, float]) -> State:
        """
        Return the worst state of some closures.

        :param positions: rad and m, by joint.
        """
        poses = forward_kinematics(self.robot, positions)
        return worst(self.status(closure, poses).state for closure in closures)

    def misfit(self, length: float) -> float:
        """
        Return a square of scaled errors below which closures are closed without further looking.

        :param length: the characteristic length of the rows, m.
        """
        return min(self.position / length, self.orientation) ** 2


def _rotation(error: ClosureError) -> Array:
    return rotation_about(error.turn / error.angle, error.angle)


def _part(value: float, allowed: float) -> float:
    """Return a value in terms of what is allowed, which may be nothing."""
    return value / allowed if allowed > 0.0 else 0.0 if value <= 1e-9 else np.inf
