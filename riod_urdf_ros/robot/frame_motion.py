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
Motion of a frame of the tree for given motion of its joints, for many configurations at once.

All that is done here is analytic, so that it runs on complex numbers as well, whose imaginary part
carries a derivative (see :mod:`~riod_urdf_ros.constraints.jacobian_rate`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .model import Robot
from .transforms import cross_matrix

FRAME_ROWS = ('vx', 'vy', 'vz', 'wx', 'wy', 'wz')
"""Velocity of a frame's origin, m/s, then its angular velocity, rad/s."""


def frame_motion(
        robot: Robot, frame: str, positions: NDArray[Any], reference: str = '',
) -> tuple[NDArray[Any], NDArray[Any]]:
    """
    Return where a frame is, and how each joint by itself moves it.

    :param frame: name of a link.
    :param positions: columns as :attr:`Robot.moving_joints`, rad and m, shape (k, n).
    :param reference: link from which, and in whose axes, motion is seen; empty for the root.
    :return: ``T_reference_frame``, shape (k, 4, 4), and the columns, shape (k, 6, n), rows as
        :data:`FRAME_ROWS`.
    """
    T, columns = _from_root(robot, frame, positions)
    if reference in ('', robot.root):
        return T, columns
    T_r, columns_r = _from_root(robot, reference, positions)
    R = T_r[:, :3, :3].swapaxes(1, 2)
    apart = T[:, :3, 3] - T_r[:, :3, 3]
    carried = np.cross(columns_r[:, 3:], apart[:, :, None], axis=1)
    seen = np.concatenate([
        R @ (columns[:, :3] - columns_r[:, :3] - carried),
        R @ (columns[:, 3:] - columns_r[:, 3:])], axis=1)
    relative = np.zeros_like(T)
    relative[:, :3, :3] = R @ T[:, :3, :3]
    relative[:, :3, 3] = (R @ apart[:, :, None])[:, :, 0]
    relative[:, 3, 3] = 1.0
    return relative, seen


def _from_root(
        robot: Robot, frame: str, positions: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    count = len(positions)
    place = {joint.name: i for i, joint in enumerate(robot.moving_joints)}
    T = np.zeros((count, 4, 4), positions.dtype)
    T[:] = np.eye(4)
    columns = np.zeros((count, 6, len(place)), positions.dtype)
    passed = []
    for joint in robot.chain(frame):
        T = T @ joint.T_parent_joint
        if not joint.moving:
            continue
        q = positions[:, place[joint.name]]
        axis = T[:, :3, :3] @ joint.axis
        motion = np.zeros((count, 4, 4), positions.dtype)
        motion[:] = np.eye(4)
        if joint.kind == 'prismatic':
            motion[:, :3, 3] = q[:, None] * joint.axis
        else:
            K = cross_matrix(joint.axis)
            motion[:, :3, :3] += np.sin(q)[:, None, None] * K \
                + (1.0 - np.cos(q))[:, None, None] * (K @ K)
        passed.append((joint, axis, T[:, :3, 3]))
        T = T @ motion
    for joint, axis, origin in passed:
        column = columns[:, :, place[joint.name]]
        if joint.kind == 'prismatic':
            column[:, :3] = axis
        else:
            column[:, :3] = np.cross(axis, T[:, :3, 3] - origin)
            column[:, 3:] = axis
    return T, columns
