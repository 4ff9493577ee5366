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

"""Markers that show each closure in RViz: its two frames, the gap between them and its state."""

from __future__ import annotations

from collections.abc import Sequence

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Point
import numpy as np
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from ..colours import rgb, STATES
from ..robot.kinematics import forward_kinematics
from ..robot.model import Robot
from ..robot.transforms import Array
from ..solver.solution import Solution
from ..wording import millimetres, printable

# Size of the drawn frames against the robot's, so that grippers and cranes look alike.
_RELATIVE_SIZE = 0.05
# A gap below this, m, is nothing that anybody could measure.
_ROUNDING = 1e-6


def closure_markers(robot: Robot, solution: Solution, stamp: Time,
                    frame_prefix: str = '') -> MarkerArray:
    """
    Draw the closures of one solution in the root link's frame.

    :param solution: closures without a state (a joint is missing) are not drawn.
    :param frame_prefix: of the robot's frames in TF.
    :return: three markers a closure: both frames, the gap as a line, and its size as text;
        before them one that removes what was drawn earlier.
    """
    poses = forward_kinematics(robot, solution.positions)
    size = _RELATIVE_SIZE * robot.size
    markers = [Marker(action=Marker.DELETEALL)]
    for index, closure in enumerate(robot.closures):
        status = solution.closures.get(closure.name)
        if status is None or status.state not in STATES:
            continue
        colour = [part / 255.0 for part in rgb(STATES[status.state])]
        a, b = poses[closure.frame_a], poses[closure.frame_b]
        frames = _marker('frames', index, Marker.LINE_LIST, 0.06 * size)
        for pose in (a, b):
            _draw_frame(frames, pose, size)
        gap = _marker('gap', index, Marker.LINE_LIST, 0.12 * size, colour)
        gap.points = [_point(a[:3, 3]), _point(b[:3, 3])]
        text = _marker('text', index, Marker.TEXT_VIEW_FACING, 0.6 * size, colour)
        text.pose.position = _point(0.5 * (a[:3, 3] + b[:3, 3]) + [0.0, 0.0, 1.5 * size])
        text.text = printable(f'{closure.name}: ' + (
            'closed' if status.gap < _ROUNDING else millimetres(status.gap)))
        markers += [frames, gap, text]
    for marker in markers:
        marker.header.frame_id = frame_prefix + robot.root
        marker.header.stamp = stamp
    return MarkerArray(markers=markers)


def _marker(namespace: str, index: int, kind: int, scale: float,
            colour: Sequence[float] = (1.0, 1.0, 1.0)) -> Marker:
    marker = Marker(ns=namespace, id=index, type=kind, action=Marker.ADD)
    marker.pose.orientation.w = 1.0
    # Lines read their width from x, text its height from z.
    marker.scale.x = marker.scale.z = scale
    marker.color = _colour(colour)
    return marker


def _draw_frame(marker: Marker, pose: Array, size: float) -> None:
    """Add the three axes of a frame: x red, y green, z blue, as RViz draws them."""
    for axis in range(3):
        marker.points += [_point(pose[:3, 3]), _point(pose[:3, 3] + size * pose[:3, axis])]
        marker.colors += [_colour(np.eye(3)[axis])] * 2


def _point(place: Sequence[float] | Array) -> Point:
    x, y, z = (float(value) for value in place)
    return Point(x=x, y=y, z=z)


def _colour(rgb: Sequence[float] | Array) -> ColorRGBA:
    r, g, b = (float(value) for value in rgb)
    return ColorRGBA(r=r, g=g, b=b, a=1.0)
