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

"""What a person would draw of a mechanism: bars between joint centres, slides, closures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..robot.kinematics import forward_kinematics
from ..robot.model import Joint, Robot
from ..robot.transforms import Array


class Pin(NamedTuple):
    """
    A point of a link.

    :param offset: in the link's frame, shape (3,), m.
    """

    link: str
    offset: Array

    def at(self, poses: Mapping[str, Array]) -> Array:
        """Return the point in the root link's frame, shape (3,), m."""
        T = poses[self.link]
        return np.asarray(T[:3, :3] @ self.offset + T[:3, 3])


@dataclass(frozen=True, eq=False)
class Body:
    """
    Links that are fixed to one another, drawn as one bar or plate.

    :param on_loop: whether it is part of a closed loop.
    """

    pins: tuple[Pin, ...]
    is_root: bool
    on_loop: bool


@dataclass(frozen=True, eq=False)
class Slide:
    """
    A prismatic joint, drawn from one pin to the other.

    :param is_cylinder: whether both its ends are pins of their bodies, as those of a hydraulic
        cylinder are; else it runs along a rail that starts where the joint is zero.
    """

    joint: Joint
    start: Pin
    end: Pin
    is_cylinder: bool


class Skeleton:
    """
    The bodies and joints of a robot as they are drawn.

    :param home: position of every moving joint of the assembled mechanism, rad or m.
    :param normal: of the drawing plane in the root link's frame at home, shape (3,); points that
        differ only along it count as one. None for a spatial drawing.
    """

    def __init__(self, robot: Robot, home: Mapping[str, float], normal: Array | None) -> None:
        """Find the bodies, their pins and the slides."""
        self.robot = robot
        self._home = forward_kinematics(robot, home)
        self._normal = np.zeros(3) if normal is None else normal
        self._body_of = self._bodies_of_links()
        pins = self._pins()
        self.slides = tuple(
            self._slide(joint, pins) for joint in robot.moving_joints
            if joint.kind == 'prismatic')
        for slide in self.slides:
            # A cylinder's barrel and rod are drawn as the slide, not as bars below it. And a
            # rail in the air is no part of the base.
            place = self._home[slide.joint.child][:3, 3]
            for pin, link in ((slide.start, slide.joint.parent), (slide.end, slide.joint.child)):
                in_air = normal is None and self._body_of[link] == self._body_of[robot.root]
                apart = np.linalg.norm(self._flat(pin.at(self._home) - place))
                if in_air or slide.is_cylinder and apart > 1e-3 * robot.size:
                    self._drop(pins[self._body_of[link]], place)
        on_loop = {self._body_of[link] for closure in robot.closures
                   for side in robot.loop(closure) for joint in side
                   for link in (joint.parent, joint.child)}
        root = self._body_of[robot.root]
        self.bodies = tuple(
            Body(tuple(members), body == root, body in on_loop) for body, members in pins.items())

    def _bodies_of_links(self) -> dict[str, str]:
        """Return for every link the one that its body is called after."""
        bodies = {}
        for link in self.robot.links:
            top = link
            for joint in reversed(self.robot.chain(link)):
                if joint.kind != 'fixed':
                    break
                top = joint.parent
            bodies[link] = top
        return bodies

    def _pins(self) -> dict[str, list[Pin]]:
        """Return the points between which each body is drawn."""
        robot, zero = self.robot, np.zeros(3)
        pins: dict[str, list[Pin]] = {body: [] for body in self._body_of.values()}
        ends = dict.fromkeys(pins, True)
        for joint in robot.joints:
            if joint.kind != 'fixed':
                pins[self._body_of[joint.child]].append(Pin(joint.child, zero))
                pins[self._body_of[joint.parent]].append(
                    Pin(joint.parent, joint.T_parent_joint[:3, 3]))
                ends[self._body_of[joint.parent]] = False
        for closure in robot.closures:
            for frame in (closure.frame_a, closure.frame_b):
                pins[self._body_of[frame]].append(Pin(frame, zero))
        parents = {joint.parent for joint in robot.joints}
        closed = {frame for c in robot.closures for frame in (c.frame_a, c.frame_b)}
        for body, is_end in ends.items():
            # Where the robot ends, the tool is worth a line: the farthest frame on that body.
            tips = [link for link in robot.links if self._body_of[link] == body
                    and link not in parents and link not in closed and link != body]
            if is_end and tips:
                entry = self._home[body][:3, 3]
                pins[body].append(Pin(max(tips, key=lambda link: float(
                    np.linalg.norm(self._home[link][:3, 3] - entry))), zero))
        return pins

    def _flat(self, vector: Array) -> Array:
        return np.asarray(vector - (vector @ self._normal) * self._normal)

    def _slide(self, joint: Joint, pins: Mapping[str, list[Pin]]) -> Slide:
        """Choose between which pins to draw a prismatic joint."""
        frame = self._home[joint.child]
        axis = frame[:3, :3] @ joint.axis
        rail = Pin(joint.parent, joint.T_parent_joint[:3, 3])
        moved = Pin(joint.child, np.zeros(3))

        def on_axis(body: str) -> list[tuple[float, Pin]]:
            found = []
            for pin in pins[self._body_of[body]]:
                away = self._flat(pin.at(self._home) - frame[:3, 3])
                along = float(away @ axis)
                if np.linalg.norm(away - along * axis) < 1e-3 * self.robot.size:
                    found.append((along, pin))
            return sorted(found, key=lambda item: item[0])

        starts, ends = on_axis(joint.parent), on_axis(joint.child)
        low, high = starts[0], ends[-1]
        if high[0] - low[0] < abs(ends[0][0] - starts[-1][0]):
            low, high = starts[-1], ends[0]
        if abs(high[0] - low[0]) > 1e-2 * self.robot.size:
            return Slide(joint, low[1], high[1], True)
        return Slide(joint, rail, moved, False)

    def _drop(self, pins: list[Pin], place: Array) -> None:
        """Take what is at a place at home out of some pins."""
        pins[:] = [pin for pin in pins if np.linalg.norm(
            self._flat(pin.at(self._home) - place)) > 1e-6 * self.robot.size]

    def centre(self, joint: Joint, poses: Mapping[str, Array]) -> Array:
        """Return the place of a joint's symbol in the root link's frame, shape (3,), m."""
        for slide in self.slides:
            if slide.joint is joint:
                start, end = slide.start.at(poses), slide.end.at(poses)
                return start + 0.4 * (end - start) if slide.is_cylinder else end
        return np.asarray(poses[joint.child][:3, 3])
