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
Which joints on a closure's loop can change its error.

A hinge whose axis goes through the closure's point moves nothing of it. Seen from that point
towards the root, a revolute joint is without influence on a point closure if the point lies on
its axis and whatever moves the point behind it moves it along that axis.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .numerics import ON_AXIS
from ..robot.model import Joint, LoopClosure, Robot
from ..robot.transforms import Array


def influential_joints(robot: Robot, closure: LoopClosure) -> frozenset[str]:
    """Return the moving joints of a loop that can change the closure's error, mimics as such."""
    return frozenset(
        name for side, frame in zip(robot.loop(closure), (closure.frame_a, closure.frame_b))
        for name in _on_side(robot, [joint for joint in side if joint.moving], frame,
                             closure.kind == 'rigid'))


def _on_side(robot: Robot, joints: Sequence[Joint], frame: str, rigid: bool) -> list[str]:
    if rigid:
        return [joint.name for joint in joints]
    tip, found = robot.undisplaced[frame][:3, 3], []
    tolerance = ON_AXIS * robot.size
    moved_along: list[Array | None] = []  # by slides, along their axes; by hinges: None
    for joint in reversed(joints):
        pose = robot.undisplaced[joint.child]
        axis = pose[:3, :3] @ joint.axis
        if joint.kind != 'prismatic' \
                and np.linalg.norm(np.cross(axis, tip - pose[:3, 3])) <= tolerance \
                and all(other is not None and np.linalg.norm(np.cross(axis, other)) <= ON_AXIS
                        for other in moved_along):
            continue
        found.append(joint.name)
        moved_along.append(axis if joint.kind == 'prismatic' else None)
    return found
