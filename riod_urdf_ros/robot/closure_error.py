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
The error of a loop closure: how far, and along what, its frames are apart.

With ``T_a_b`` the pose of frame B in frame A: the gap is its translation, the turn is the
rotation vector of its rotation. Both are vectors seen in frame A, so that errors at two
configurations can be subtracted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .kinematics import forward_kinematics
from .model import LoopClosure, Robot
from .read_only import Frozen, ReadOnly
from .transforms import Array, inverse, rotation_vector


@dataclass(frozen=True, eq=False)
class ClosureError(Frozen):
    """
    How far a closure is from being closed.

    :param gap: from the origin of frame A to that of frame B, in frame A, shape (3,), m.
    :param turn: rotation vector from frame A to frame B, in frame A, shape (3,), rad; zero for a
        point closure.
    """

    gap: Array
    turn: Array

    def __post_init__(self) -> None:
        """Keep the arrays as they are."""
        self.gap.flags.writeable = self.turn.flags.writeable = False

    @property
    def distance(self) -> float:
        """Distance between the frames' origins, m."""
        return float(np.linalg.norm(self.gap))

    @property
    def angle(self) -> float:
        """Angle between the frames, rad; 0 for a point closure."""
        return float(np.linalg.norm(self.turn))


def closure_error(closure: LoopClosure, poses: Mapping[str, Array]) -> ClosureError:
    """
    Measure one closure.

    :param poses: ``T_root_link``, shape (4, 4), of its two frames at least.
    """
    T_a_b = inverse(poses[closure.frame_a]) @ poses[closure.frame_b]
    turn = rotation_vector(T_a_b[:3, :3]) if closure.kind == 'rigid' else np.zeros(3)
    return ClosureError(T_a_b[:3, 3], turn)


def closure_errors(robot: Robot, positions: Mapping[str, float]) -> dict[str, ClosureError]:
    """
    Measure all closures of a robot.

    :param positions: rad or m, by joint; joints not named are at 0, mimic joints follow.
    :return: by name of the closure, in document order.
    """
    poses = forward_kinematics(robot, positions)
    return ReadOnly({closure.name: closure_error(closure, poses) for closure in robot.closures})
