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

"""The configuration of RViz, made to measure for a robot."""

from __future__ import annotations

import numpy as np

from ..resources import share_directory
from ..robot.kinematics import forward_kinematics
from ..robot.model import Robot

# Distance over extent: with RViz's field of view of 45 degrees the robot fills half the height.
_DISTANCE = 2.5
_SMALLEST = 0.05
"""Extent of a robot whose links all have their origins in one place, m."""


def rviz_config(robot: Robot, frame_prefix: str = '') -> str:
    """
    Return the packaged configuration with what depends on the robot.

    RViz cannot find a distance by itself, nor a fixed frame: the eye is set so far away that
    the origins of all links are seen, and the root link stands still.

    :param frame_prefix: of the robot's frames in TF.
    """
    home = {joint.name: 0.0 for joint in robot.moving_joints}
    places = np.array([pose[:3, 3] for pose in forward_kinematics(robot, home).values()])
    lower, upper = places.min(axis=0), places.max(axis=0)
    extent = max(float(np.linalg.norm(upper - lower)), _SMALLEST)
    x, y, z = (0.5 * (lower + upper)).tolist()
    text = (share_directory() / 'config' / 'closure.rviz').read_text(encoding='utf-8')
    for old, new in (
            ('Distance: 1\n', f'Distance: {_DISTANCE * extent:.4f}\n'
             f'      Focal Point:\n        X: {x:.4f}\n        Y: {y:.4f}\n        Z: {z:.4f}\n'),
            ('Fixed Frame: base_link\n', f'Fixed Frame: {_yaml(frame_prefix + robot.root)}\n'),
            ('Cell Size: 0.1\n', f'Cell Size: {0.1 * extent:.4f}\n'),
            ('Marker Scale: 0.1\n', f'Marker Scale: {0.3 * extent:.4f}\n'),
            # RViz puts the slash after it.
            ('TF Prefix: ""\n', f'TF Prefix: {_yaml(frame_prefix.removesuffix("/"))}\n')):
        if text.count(old) != 1:
            raise ValueError(f'closure.rviz lacks a line {old!r}')
        text = text.replace(old, new)
    return text


def _yaml(text: str) -> str:
    """Return a text in YAML's single quotes, in which nothing but the quote is special."""
    return "'" + text.replace("'", "''") + "'"
