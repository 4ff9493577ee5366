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


"""The closures of a robot as tasks of placo, for its inverse kinematics."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..robot.model import Robot

_WEIGHT = 1e3  # beside 1 of what is wished for


def placo_tasks(robot: Robot, solver: Any) -> dict[str, Any]:
    """
    Add one task a closure: the relative position of a point, the relative frame if rigid.

    They are soft and heavy: placo refuses hard ones as soon as a row is redundant, as one is in
    every planar loop.

    placo (``pip install placo``) is given the same URDF:
    ``solver = placo.KinematicsSolver(placo.RobotWrapper(path))``.

    :param robot: its description.
    :param solver: the ``placo.KinematicsSolver``.
    :return: the tasks by closure.
    """
    tasks = {}
    for closure in robot.closures:
        frames = closure.frame_a, closure.frame_b
        task = (solver.add_relative_frame_task(*frames, np.eye(4)) if closure.kind == 'rigid'
                else solver.add_relative_position_task(*frames, np.zeros(3)))
        task.configure(closure.name, 'soft', _WEIGHT)
        tasks[closure.name] = task
    return tasks
