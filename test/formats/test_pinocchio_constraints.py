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

"""Pinocchio's own residual of the constraint models at solved states."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from riod_urdf_ros.exceptions import UsageError
from riod_urdf_ros.formats.pinocchio_constraints import pinocchio_constraints
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from riod_urdf_ros.urdf.loader import load
from support.commands import needs_xacro
from support.paths import EXAMPLES
from support.robots import FOUR_BAR

pinocchio = pytest.importorskip('pinocchio')


@pytest.mark.parametrize('path', sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_constraints_hold_at_solved_states(path: Path) -> None:
    needs_xacro(path)
    description = load(path)
    solver = ClosureSolver(description.robot)
    model = pinocchio.buildModelFromXML(description.text)
    data = model.createData()
    constraints = pinocchio_constraints(description.robot, model)
    assert [constraint.name for constraint in constraints] == [
        closure.name for closure in description.robot.closures]
    assert [constraint.type == pinocchio.ContactType.CONTACT_6D for constraint in constraints] == [
        closure.kind == 'rigid' for closure in description.robot.closures]
    positions = solver.solve(dict.fromkeys(solver.independent, 0.03)).positions
    q = pinocchio.neutral(model)
    for name, value in positions.items():
        joint = model.joints[model.getJointId(name)]
        q[joint.idx_q:joint.idx_q + joint.nq] = value if joint.nq == 1 else (
            np.cos(value), np.sin(value))
    pinocchio.forwardKinematics(model, data, q)
    for constraint in constraints:
        a = data.oMi[constraint.joint1_id] * constraint.joint1_placement
        b = data.oMi[constraint.joint2_id] * constraint.joint2_placement
        assert np.abs(a.translation - b.translation).max() < 1e-9
        if constraint.type == pinocchio.ContactType.CONTACT_6D:
            assert np.abs(a.rotation - b.rotation).max() < 1e-9


def test_a_model_of_another_robot_is_told() -> None:
    robot = load(EXAMPLES / 'four_bar.urdf').robot
    with pytest.raises(UsageError, match='is it of the same URDF'):
        pinocchio_constraints(robot, pinocchio.buildModelFromXML(FOUR_BAR))
