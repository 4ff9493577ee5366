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

"""MJCF for the tests, and MuJoCo's own word on it as the oracle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import mujoco
import numpy as np
from riod_urdf_ros.robot.kinematics import forward_kinematics
from riod_urdf_ros.robot.model import Robot
from riod_urdf_ros.robot.transforms import Array
from riod_urdf_ros.solver.closure_solver import ClosureSolver


def qpos_of(m: Any, positions: Mapping[str, float]) -> Array:
    """
    Return MuJoCo's configuration for positions from qpos0; others stay.

    A ball's quaternion is that of three turns, about x, then the turned y, then the turned z.
    """
    qpos: Array = m.qpos0.copy()
    for joint in range(m.njnt):
        name, address = m.joint(joint).name, m.jnt_qposadr[joint]
        if int(m.jnt_type[joint]) >= int(mujoco.mjtJoint.mjJNT_SLIDE):  # or a hinge
            qpos[address] += positions.get(name, 0.0)
        elif m.jnt_type[joint] == mujoco.mjtJoint.mjJNT_BALL:
            quaternion = np.array([1.0, 0.0, 0.0, 0.0])
            for letter, axis in zip('xyz', np.eye(3)):
                turn = np.zeros(4)
                mujoco.mju_axisAngle2Quat(turn, axis, positions[f'{name}_{letter}'])
                product = np.zeros(4)
                mujoco.mju_mulQuat(product, quaternion, turn)
                quaternion = product
            qpos[address:address + 4] = quaternion
    return qpos


def kinematics(m: Any, positions: Mapping[str, float]) -> Any:
    """Return MuJoCo's data with everything computed that depends on the configuration."""
    data = mujoco.MjData(m)
    data.qpos[:] = qpos_of(m, positions)
    mujoco.mj_fwdPosition(m, data)
    return data


def body_pose(m: Any, data: Any, body: int) -> Array:
    """Return the pose of a body at the anchor of its last joint, shape (4, 4)."""
    T = np.eye(4)
    T[:3, :3] = data.xmat[body].reshape(3, 3)
    T[:3, 3] = data.xpos[body]
    count = m.body_jntnum[body]
    if count:
        last = m.body_jntadr[body] + count - 1
        if m.jnt_type[last] != mujoco.mjtJoint.mjJNT_FREE:
            T[:3, 3] += T[:3, :3] @ m.jnt_pos[last]
    return T


def pose_error(m: Any, robot: Robot, rng: np.random.Generator, reference: str = '') -> float:
    """
    Return the largest difference of a body's pose at random configurations, m and entries.

    :param reference: body in which poses are compared; the robot's root if not given.
    """
    worst = 0.0
    for _ in range(5):
        positions = {joint.name: float(rng.uniform(-1.0, 1.0)) for joint in robot.moving_joints
                     if joint.mimic is None}
        poses = forward_kinematics(robot, positions)
        for joint in robot.moving_joints:
            if joint.mimic is not None:
                positions[joint.name] = (joint.mimic.multiplier * positions[joint.mimic.joint]
                                         + joint.mimic.offset)
        data = kinematics(m, positions)
        name = reference or robot.root
        root = next(body for body in range(m.nbody) if m.body(body).name == name)
        T_world_root = body_pose(m, data, root)
        for body in range(m.nbody):
            if m.body(body).name in poses:
                expected = np.linalg.solve(T_world_root, body_pose(m, data, body))
                found = np.linalg.solve(poses[name], poses[m.body(body).name])
                if m.body(body).name != 'world' or not reference:
                    worst = max(worst, float(np.abs(expected - found).max()))
    return worst


def equality_residual(m: Any, solver: ClosureSolver, rng: np.random.Generator, count: int = 50,
                      span: float = 0.15) -> float:
    """Return the largest entry of MuJoCo's own residual of all equalities at solved states."""
    worst = 0.0
    for _ in range(count):
        solution = solver.solve({name: float(rng.uniform(-span, span))
                                 for name in solver.independent})
        assert not any(status.held for status in solution.groups)
        data = kinematics(m, solution.positions)
        rows = data.efc_type[:data.nefc] == mujoco.mjtConstraint.mjCNSTR_EQUALITY
        assert rows.any()
        worst = max(worst, float(np.abs(data.efc_pos[:data.nefc][rows]).max()))
    return worst
