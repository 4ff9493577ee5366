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

"""Placo, the robotics library with the fastest solver for closed loops as it comes."""

from __future__ import annotations

from collections.abc import Sequence
import os
from pathlib import Path
import pickle
import subprocess
from typing import Any
from xml.etree import ElementTree

from mechanisms import Workload
from methods import Answer, LAST_CORRECTION
import numpy as np
from riod_urdf_ros.robot.model import Robot
from riod_urdf_ros.robot.transforms import Array

PYTHON = os.environ.get('PLACO_PYTHON')
"""An interpreter that can import placo; without one, placo is left out."""


class Placo:
    """Closures as soft tasks, in another process; its clock runs there."""

    def __init__(self, workload: Workload) -> None:
        robot = workload.robot
        self._process = subprocess.Popen(
            [str(PYTHON), Path(__file__).with_name('placo_worker.py')],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self._send((_urdf(robot), [(c.frame_a, c.frame_b) for c in robot.closures],
                    list(workload.independent), LAST_CORRECTION))

    def __del__(self) -> None:
        """End the process: its input is at its end."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._process.wait()

    def _send(self, message: Any) -> None:
        assert self._process.stdin is not None
        pickle.dump(message, self._process.stdin)
        self._process.stdin.flush()

    def _ask(self, *message: Any) -> Any:
        self._send(message)
        assert self._process.stdout is not None
        return pickle.load(self._process.stdout)

    def start(self) -> None:
        """Go back home."""
        self._ask('start')

    def solve(self, values: Sequence[float], rates: Sequence[float] = ()) -> Any:
        """Find all joint positions."""
        return self._ask('solve', values)

    def time(self, rows: Sequence[Sequence[float]]) -> float:
        """Return the processor time that the other process needs for some rows, s."""
        seconds: float = self._ask('time', rows)
        return seconds

    def read(self, answer: Any) -> Answer:
        """Return an answer by joint."""
        return Answer(answer, {})


def _urdf(robot: Robot) -> str:
    """Write the tree: placo reads nothing but text."""
    root = ElementTree.Element('robot', name=robot.name)
    for link in robot.links:
        inertial = ElementTree.SubElement(ElementTree.SubElement(root, 'link', name=link),
                                          'inertial')
        ElementTree.SubElement(inertial, 'mass', value='1')
        ElementTree.SubElement(inertial, 'inertia', ixx='1', iyy='1', izz='1', ixy='0', ixz='0',
                               iyz='0')
    for joint in robot.joints:
        # Angles count on beyond a whole turn.
        kind = 'revolute' if joint.kind == 'continuous' else joint.kind
        element = ElementTree.SubElement(root, 'joint', name=joint.name, type=kind)
        ElementTree.SubElement(element, 'parent', link=joint.parent)
        ElementTree.SubElement(element, 'child', link=joint.child)
        T = joint.T_parent_joint
        ElementTree.SubElement(element, 'origin', xyz=_text(T[:3, 3]), rpy=_text(_rpy(T)))
        if joint.moving:
            ElementTree.SubElement(element, 'axis', xyz=_text(joint.axis))
            ElementTree.SubElement(element, 'limit', lower='-1e6', upper='1e6', effort='1',
                                   velocity='1e6')
    return ElementTree.tostring(root, encoding='unicode')


def _text(values: Array) -> str:
    return ' '.join(repr(float(value)) for value in values)


def _rpy(T: Array) -> Array:
    """Return roll, pitch and yaw of a rotation, rad; at a pitch of a right angle yaw is 0."""
    across = np.hypot(T[0, 0], T[1, 0])
    pitch = np.arctan2(-T[2, 0], across)
    if across < 1e-12:
        return np.array([np.arctan2(-T[1, 2], T[1, 1]), pitch, 0.0])
    return np.array([np.arctan2(T[2, 1], T[2, 2]), pitch, np.arctan2(T[1, 0], T[0, 0])])
