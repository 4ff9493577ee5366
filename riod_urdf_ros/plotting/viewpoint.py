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

"""From where a mechanism is looked at, and where its points are in the picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
import math

import numpy as np

from ..robot.kinematics import forward_kinematics
from ..robot.model import Joint, Robot
from ..robot.transforms import Array

_PARALLEL = 1e-3
# A plane mechanism is drawn in its plane if at most this part of the joints moves out of it.
_OUT_OF_PLANE = 0.25
# So many points suffice to compare views.
_POINTS = 300
# Points nearer than this part of the mechanism's size are together from wherever one looks.
_NEAR = 0.04


class Viewpoint:
    """
    A parallel projection.

    A plane mechanism is seen along its hinges, in the link that carries it, so that it stays in
    the picture when the robot turns; a spatial one from above and aside, in the root link.

    :param robot: its description.
    :param home: position of every moving joint of the assembled mechanism, rad or m.
    """

    def __init__(self, robot: Robot, home: Mapping[str, float]) -> None:
        """Choose where to look from."""
        poses = forward_kinematics(robot, home)
        self.link, joints = _carrier(robot)
        self.normal = _normal(robot, poses, joints)
        if self.normal is None:
            self.link = robot.root
            rotation = _best_rotation(_along_links(robot, poses), robot.size)
        else:
            rotation = _upright(self.normal)
        # The rows point right, up and to the viewer, in the carrying link.
        self.rotation = rotation @ poses[self.link][:3, :3]

    @property
    def planar(self) -> bool:
        """Whether the mechanism is drawn in its plane."""
        return self.normal is not None

    def project(self, points: Array, poses: Mapping[str, Array]) -> Array:
        """
        Find points in the picture.

        :param points: in the root link's frame, shape (k, 3), m.
        :return: right, up and towards the viewer, shape (k, 3), m; the same depth for all in a
            drawing in the plane.
        """
        T = poses[self.link]
        seen = (np.asarray(points).reshape(-1, 3) - T[:3, 3]) @ T[:3, :3] @ self.rotation.T
        if self.planar:
            seen[:, 2] = 0.0
        return np.asarray(seen)

    def axis_names(self) -> tuple[str, str]:
        """Say what the picture's axes are, as well as the frame's own axes allow."""
        names = []
        for row in self.rotation[:2]:
            k = int(np.argmax(np.abs(row)))
            exact = abs(row[k]) > 1.0 - 1e-6
            names.append(('-' if row[k] < 0.0 else '') + 'xyz'[k] if exact else 'in the plane')
        return names[0], names[1]


def _carrier(robot: Robot) -> tuple[str, list[Joint]]:
    """Return the last link that all loops hang on, and the moving joints behind it."""
    chains = [robot.chain(frame) for closure in robot.closures
              for frame in (closure.frame_a, closure.frame_b)]
    if not chains:
        return robot.root, list(robot.moving_joints)
    common = 0
    while all(len(chain) > common and chain[common] is chains[0][common] for chain in chains):
        common += 1
    while common and chains[0][common - 1].kind == 'fixed':
        common -= 1
    link = chains[0][common - 1].child if common else robot.root
    behind = {joint.name for chain in chains for joint in chain[common:] if joint.moving}
    return link, [joint for joint in robot.moving_joints if joint.name in behind]


def _normal(
        robot: Robot, home: Mapping[str, Array], joints: Sequence[Joint]) -> Array | None:
    """Return the normal of the plane that the loops move in, in the root's frame; None if none."""
    def axis(joint: Joint) -> Array:
        return np.asarray(home[joint.child][:3, :3] @ joint.axis)

    def fits(joint: Joint, normal: Array) -> bool:
        cosine = abs(float(axis(joint) @ normal))
        return cosine < _PARALLEL if joint.kind == 'prismatic' else cosine > 1.0 - _PARALLEL

    hinges = [axis(joint) for joint in joints if joint.kind != 'prismatic']
    if hinges:
        normal = hinges[0]
    elif len(joints) > 1:
        normal = np.cross(axis(joints[0]), axis(joints[1]))
        if np.linalg.norm(normal) < 0.1:
            return None
        normal = normal / np.linalg.norm(normal)
    else:
        return None
    if not all(fits(joint, normal) for joint in joints):
        return None
    others = sum(not fits(joint, normal) for joint in robot.moving_joints)
    return normal if others <= _OUT_OF_PLANE * len(robot.moving_joints) else None


def _upright(normal: Array) -> Array:
    """Look along a normal with z up, or y where z is towards the viewer."""
    up = np.array([0.0, 0.0, 1.0])
    if abs(normal[2]) > 0.9:
        up, normal = np.array([0.0, 1.0, 0.0]), normal * np.sign(normal[2])
    up = up - (up @ normal) * normal
    up /= np.linalg.norm(up)
    right = np.cross(up, normal)
    if right[int(np.argmax(np.abs(right)))] < 0.0:
        right, normal = -right, -normal
    return np.array([right, up, normal])


def _along_links(robot: Robot, home: Mapping[str, Array]) -> Array:
    """Return points along the links, which a view may put over one another, shape (k, 3), m."""
    points = [home[robot.root][:3, 3]]
    for joint in robot.joints:
        start, end = home[joint.parent][:3, 3], home[joint.child][:3, 3]
        points += [start + part * (end - start) for part in np.linspace(0.1, 1.0, 10)]
    distinct = np.unique(np.round(points, 6), axis=0)
    return distinct[::1 + len(distinct) // _POINTS]


def _best_rotation(points: Array, size: float) -> Array:
    """Look at points from where they hide one another least; size of the robot, m."""
    pairs = np.nonzero(np.triu(
        np.linalg.norm(points[:, None] - points[None], axis=2) > _NEAR * size))

    def hidden(rotation: Array) -> float:
        flat = points @ rotation[:2].T
        apart = np.linalg.norm(flat[pairs[0]] - flat[pairs[1]], axis=1) / size
        return float(np.sum(1.0 / (apart * apart + 1e-4)))

    return min(_rotations(), key=hidden)


def _rotations() -> Iterable[Array]:
    for elevation in np.radians((20, 30)):
        for azimuth in np.radians(np.arange(-75, -10, 5)):
            ca, sa = math.cos(azimuth), math.sin(azimuth)
            ce, se = math.cos(elevation), math.sin(elevation)
            yield np.array([[-sa, ca, 0.0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]])
