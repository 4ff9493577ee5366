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

"""Poses of the links for given joint positions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from .model import Joint, Robot
from .transforms import Array, rotation_about, transform


def joint_transform(joint: Joint, position: float) -> Array:
    """
    Return the pose of a joint's child link in its parent link.

    :param position: rad or m; of no influence on a fixed, floating or planar joint.
    :return: ``T_parent_child``, shape (4, 4).
    """
    if joint.kind in ('revolute', 'continuous'):
        return joint.T_parent_joint @ transform(rotation_about(joint.axis, position), np.zeros(3))
    if joint.kind == 'prismatic':
        return joint.T_parent_joint @ transform(np.eye(3), joint.axis * position)
    return joint.T_parent_joint


def with_mimics(robot: Robot, positions: Mapping[str, float]) -> dict[str, float]:
    """
    Return the position of every moving joint, each mimic joint following its source.

    :param positions: rad or m, by joint; joints not named are at 0, mimic joints not read.
    :return: rad or m, every moving joint in document order.
    """
    complete = {}
    for joint in robot.moving_joints:
        source, multiplier, offset = robot.source(joint)
        complete[joint.name] = multiplier * positions.get(source.name, 0.0) + offset
    return complete


def forward_kinematics(robot: Robot, positions: Mapping[str, float]) -> dict[str, Array]:
    """
    Return the pose of every link.

    :param positions: rad or m, by joint; joints not named are at 0, mimic joints follow.
    :return: ``T_root_link``, shape (4, 4), by link.
    """
    complete = with_mimics(robot, positions)
    poses = {robot.root: np.eye(4)}
    for joint in robot.outward:
        poses[joint.child] = poses[joint.parent] @ joint_transform(
            joint, complete.get(joint.name, 0.0))
    return poses


def poses_of(
        robot: Robot, positions: Mapping[str, float], links: Iterable[str]) -> dict[str, Array]:
    """
    Return the poses of some links and of those that lead to them, without looking at the others.

    :param positions: rad or m, by joint; joints not named are at 0, mimic joints follow.
    :param links: names.
    :return: ``T_root_link``, shape (4, 4), by link.
    """
    poses = {robot.root: np.eye(4)}
    for link in links:
        climbed = []
        while link not in poses:
            climbed.append(robot.by_child[link])
            link = climbed[-1].parent
        for joint in reversed(climbed):
            source, multiplier, offset = robot.source(joint)
            position = multiplier * positions.get(source.name, 0.0) + offset
            poses[joint.child] = poses[joint.parent] @ joint_transform(joint, position)
    return poses
