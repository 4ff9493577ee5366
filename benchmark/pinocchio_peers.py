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

"""
Pinocchio, as its competent users write it.

The plain user takes what the documentation offers: constraint Jacobian, least squares, until the
residual is small. The tuned one is an expert who also calls LAPACK directly and reads Pinocchio's
memory through views kept from the start.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from mechanisms import Workload
from methods import depth_first, Peer, RESIDUAL, Tuned
import numpy as np
import pinocchio as pin
from riod_urdf_ros.robot.model import Joint, Robot
from riod_urdf_ros.robot.transforms import Array


class PinocchioModel:
    """
    A robot in Pinocchio: its tree, and point closures as rigid constraints.

    :param columns: place of every moving joint in q.
    """

    def __init__(self, robot: Robot) -> None:
        model = pin.Model()
        places = {robot.root: (0, pin.SE3.Identity())}
        self.columns: dict[str, int] = {}
        for joint in depth_first(robot):
            parent, placement = places[joint.parent]
            placement = placement * pin.SE3(joint.T_parent_joint)
            if joint.moving:
                index = model.addJoint(parent, _pinocchio_joint(joint), placement, joint.name)
                self.columns[joint.name] = model.joints[index].idx_v
                places[joint.child] = index, pin.SE3.Identity()
            else:
                places[joint.child] = parent, placement
        self.model, self.data = model, model.createData()
        self.constraints = pin.StdVec_RigidConstraintModel()
        for closure in robot.closures:
            self.constraints.append(pin.RigidConstraintModel(
                pin.ContactType.CONTACT_3D, model, *places[closure.frame_a],
                *places[closure.frame_b], pin.LOCAL_WORLD_ALIGNED))
        self.constraint_data = pin.StdVec_RigidConstraintData()
        self.constraint_data.extend([c.createData() for c in self.constraints])
        # Items of these vectors are made anew at every access, which costs more than calc().
        self._pairs = list(zip(self.constraints, self.constraint_data))

    def place(self, q: Array) -> None:
        """Compute joint Jacobians and where the frames of the closures are."""
        pin.computeJointJacobians(self.model, self.data, q)
        for constraint, data in self._pairs:
            constraint.calc(self.model, self.data, data)

    def residual(self) -> Array:
        """Return what the closures are open by, shape (3 * closures,), m."""
        return np.concatenate(
            [data.oMc1.translation - data.oMc2.translation for _, data in self._pairs])

    def jacobian(self) -> Array:
        """Return its derivative by q."""
        return pin.getConstraintsJacobian(  # type: ignore[no-any-return]
            self.model, self.data, self.constraints, self.constraint_data)


@lru_cache(maxsize=1)
def pinocchio_model(robot: Robot) -> PinocchioModel:
    """Return the model, once for all peers: Pinocchio's data takes gigabytes for 400 joints."""
    return PinocchioModel(robot)


class Pinocchio(Peer):
    """The plain use of Pinocchio's RigidConstraintModel."""

    def __init__(self, workload: Workload) -> None:
        self.pinocchio = pinocchio_model(workload.robot)
        super().__init__(workload, self.pinocchio.columns)

    def solve(self, values: Sequence[float], rates: Sequence[float] = ()) -> Any:
        """Find all joint positions."""
        q, pinocchio = self.q, self.pinocchio
        q[self.known] = values
        for _ in range(50):
            pinocchio.place(q)
            r = pinocchio.residual()
            if np.linalg.norm(r) < RESIDUAL:
                break
            J = pinocchio.jacobian()[:, self.unknown]
            q[self.unknown] -= np.linalg.lstsq(J, r, rcond=None)[0]
        if not rates:
            return q.copy()
        J = pinocchio.jacobian()
        dq = np.empty(len(q))
        dq[self.known] = rates
        dq[self.unknown] = -np.linalg.lstsq(
            J[:, self.unknown], J[:, self.known] @ rates, rcond=None)[0]
        return q.copy(), dq


class PinocchioTuned(Tuned):
    """Pinocchio in expert hands, its memory read through views that are kept."""

    def __init__(self, workload: Workload) -> None:
        self.pinocchio = pinocchio_model(workload.robot)
        super().__init__(workload, self.pinocchio.columns)
        poses = [(data.oMc1, data.oMc2) for data in self.pinocchio.constraint_data]
        self._from = [a.translation for a, _ in poses]
        self._to = [b.translation for _, b in poses]

    def evaluate(self, q: Array) -> tuple[Array, Array]:
        """Return the residual and its derivative by q."""
        self.pinocchio.place(q)
        return (np.concatenate(self._from) - np.concatenate(self._to),
                self.pinocchio.jacobian())


def _pinocchio_joint(joint: Joint) -> Any:
    """Return the cheapest joint model for an axis; angles count on beyond a whole turn."""
    kind = 'P' if joint.kind == 'prismatic' else 'R'
    for letter, axis in zip('XYZ', np.eye(3)):
        if np.array_equal(joint.axis, axis):
            return getattr(pin, f'JointModel{kind}{letter}')()
    if kind == 'P':
        return pin.JointModelPrismaticUnaligned(joint.axis)
    return pin.JointModelRevoluteUnaligned(joint.axis)
