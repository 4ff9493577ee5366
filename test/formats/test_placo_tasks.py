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

"""placo closes the loops by the tasks as the solver of this package does."""

from __future__ import annotations

from pathlib import Path

import pytest
from riod_urdf_ros.formats.placo_tasks import placo_tasks
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from riod_urdf_ros.urdf.parser import parse
from support.robots import FOUR_BAR, four_bar_angles

# Wheels of placo are made for one version of Boost each.
placo = pytest.importorskip('placo', exc_type=ImportError)


def test_a_four_bar_is_closed(tmp_path: Path) -> None:
    (tmp_path / 'robot.urdf').write_text(FOUR_BAR)
    wrapper = placo.RobotWrapper(str(tmp_path / 'robot.urdf'))
    solver = placo.KinematicsSolver(wrapper)
    solver.mask_fbase(True)
    robot = parse(FOUR_BAR).robot
    tasks = placo_tasks(robot, solver)
    assert list(tasks) == ['pin']
    motor = solver.add_joints_task()
    motor.set_joints({'crank': 0.3})
    motor.configure('motor', 'hard', 1.0)
    for _ in range(20):
        wrapper.update_kinematics()
        solver.solve(True)
    expected = dict(zip(('coupler', 'rocker'), four_bar_angles(0.3)))
    found = ClosureSolver(robot).solve({'crank': 0.3}).positions
    for name, angle in expected.items():
        assert wrapper.get_joint(name) == pytest.approx(angle, abs=1e-6)
        assert found[name] == pytest.approx(angle, abs=1e-9)
