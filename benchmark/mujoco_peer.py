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

"""MuJoCo's constraint Jacobian in expert hands."""

from __future__ import annotations

from mechanisms import Workload
from methods import depth_first, Tuned
import mujoco
import numpy as np
from riod_urdf_ros.robot.transforms import Array


class MujocoTuned(Tuned):
    """MuJoCo's constraint Jacobian in expert hands: only what it needs of a forward pass."""

    def __init__(self, workload: Workload) -> None:
        spec = mujoco.MjSpec()
        spec.option.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
        bodies = {workload.robot.root: spec.worldbody}
        columns: dict[str, int] = {}
        for joint in depth_first(workload.robot):
            T = joint.T_parent_joint
            quaternion = np.zeros(4)
            mujoco.mju_mat2Quat(quaternion, T[:3, :3].ravel())
            body = bodies[joint.parent].add_body(
                name=joint.child, pos=T[:3, 3], quat=quaternion, mass=1.0, inertia=[1.0] * 3,
                explicitinertial=True)
            if joint.moving:
                kind = mujoco.mjtJoint.mjJNT_SLIDE if joint.kind == 'prismatic' \
                    else mujoco.mjtJoint.mjJNT_HINGE
                body.add_joint(name=joint.name, type=kind, axis=joint.axis)
                columns[joint.name] = len(columns)
            body.add_site(name=joint.child)
            bodies[joint.child] = body
        for closure in workload.robot.closures:
            spec.add_equality(
                name=closure.name, type=mujoco.mjtEq.mjEQ_CONNECT,
                objtype=mujoco.mjtObj.mjOBJ_SITE, name1=closure.frame_a, name2=closure.frame_b)
        self._model = spec.compile()
        self._data = mujoco.MjData(self._model)
        super().__init__(workload, columns)

    def evaluate(self, q: Array) -> tuple[Array, Array]:
        """Return the residual and its derivative by q."""
        model, data = self._model, self._data
        data.qpos = q
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_makeConstraint(model, data)
        return data.efc_pos, data.efc_J.reshape(data.nefc, model.nv)
