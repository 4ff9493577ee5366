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
The package and other ways to the same joint positions, each as its competent user writes it.

The plain Pinocchio user takes what the documentation offers: constraint Jacobian, least squares,
until the residual is small. The expert predicts from the last three samples, solves the normal
equations by Cholesky and stops as soon as the next correction must vanish; the tuned one also
calls LAPACK directly and reads Pinocchio's memory through views kept from the start.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol

from mechanisms import Workload
import mujoco
import numpy as np
import pinocchio as pin
from riod_urdf_ros import ClosureSolver
from riod_urdf_ros.model import Joint, Robot
from riod_urdf_ros.transforms import Array, cross_matrix
from scipy.linalg import cho_factor, cho_solve
from scipy.linalg.lapack import dposv
from scipy.optimize import least_squares

RESIDUAL = 1e-9
"""What everybody has to reach, m."""

# Newton's method squares its error: after a correction below this, nothing above 1e-10 is left
# on a mechanism of 100 m.
_LAST_CORRECTION = 1e-6


class Method(Protocol):
    """A way to follow a mechanism, message by message."""

    def start(self) -> None:
        """Go back home."""

    def solve(self, values: Sequence[float]) -> Any:
        """
        Find all joint positions, going on from the last ones.

        :param values: of the independent joints, rad and m.
        """

    def positions(self, answer: Any) -> Mapping[str, float]:
        """Give an answer of :meth:`solve` by joint, rad and m."""


class Package:
    """This package: its public interface, called once a message, as the node does."""

    def __init__(self, workload: Workload) -> None:
        self._solver = ClosureSolver(workload.robot)
        self._names = workload.independent

    def start(self) -> None:
        """Go back home."""
        self._solver.reset()

    def solve(self, values: Sequence[float]) -> Any:
        """Find all joint positions."""
        return self._solver.solve(dict(zip(self._names, values)))

    def positions(self, answer: Any) -> Mapping[str, float]:
        """Give an answer by joint."""
        return answer.positions  # type: ignore[no-any-return]


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
        """Give what the closures are open by, shape (3 * closures,), m."""
        return np.concatenate(
            [data.oMc1.translation - data.oMc2.translation for _, data in self._pairs])

    def jacobian(self) -> Array:
        """Give its derivative by q."""
        return pin.getConstraintsJacobian(  # type: ignore[no-any-return]
            self.model, self.data, self.constraints, self.constraint_data)


@lru_cache(maxsize=1)
def pinocchio_model(robot: Robot) -> PinocchioModel:
    """Give the model, once for all peers: Pinocchio's data takes gigabytes for 400 joints."""
    return PinocchioModel(robot)


class _Peer:
    """What the peers share: a vector q, in which some joints are known and the others wanted."""

    def __init__(self, workload: Workload, columns: Mapping[str, int]) -> None:
        self._columns = columns
        self.known = np.array([columns[name] for name in workload.independent])
        self.unknown = np.setdiff1d(np.arange(len(columns)), self.known)
        self.q = np.zeros(len(columns))

    def start(self) -> None:
        """Go back home."""
        self.q[:] = 0.0

    def positions(self, answer: Any) -> Mapping[str, float]:
        """Give an answer by joint."""
        return dict(zip(self._columns, answer[list(self._columns.values())].tolist()))


class Pinocchio(_Peer):
    """The plain use of Pinocchio's RigidConstraintModel."""

    def __init__(self, workload: Workload) -> None:
        self.pinocchio = pinocchio_model(workload.robot)
        super().__init__(workload, self.pinocchio.columns)

    def solve(self, values: Sequence[float]) -> Any:
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
        return q.copy()


class _Expert(_Peer):
    """Predictor, normal equations, early stop."""

    def start(self) -> None:
        """Go back home."""
        super().start()
        self._last = [np.zeros(len(self.unknown))] * 3

    def evaluate(self, q: Array) -> tuple[Array, Array]:
        """Give the residual and its derivative by q."""
        raise NotImplementedError

    def solve(self, values: Sequence[float]) -> Any:
        """Find all joint positions."""
        q, unknown, (x2, x1, x0) = self.q, self.unknown, self._last
        q[self.known] = values
        x = 3.0 * (x0 - x1) + x2
        for _ in range(50):
            q[unknown] = x
            r, J = self.evaluate(q)
            J = J[:, unknown]
            dx = self._normal_equations(J.T @ J, J.T @ r)
            x = x - dx
            if dx @ dx < _LAST_CORRECTION ** 2:
                break
        q[unknown] = x
        self._last = [x1, x0, x]
        return q.copy()

    def _normal_equations(self, A: Array, b: Array) -> Array:
        return cho_solve(  # type: ignore[no-any-return]
            cho_factor(A, check_finite=False), b, check_finite=False)


class PinocchioExpert(_Expert):
    """Pinocchio in expert hands."""

    def __init__(self, workload: Workload) -> None:
        self.pinocchio = pinocchio_model(workload.robot)
        super().__init__(workload, self.pinocchio.columns)

    def evaluate(self, q: Array) -> tuple[Array, Array]:
        """Give the residual and its derivative by q."""
        self.pinocchio.place(q)
        return self.pinocchio.residual(), self.pinocchio.jacobian()


class PinocchioTuned(PinocchioExpert):
    """The same with every call counted."""

    def __init__(self, workload: Workload) -> None:
        super().__init__(workload)
        poses = [(data.oMc1, data.oMc2) for data in self.pinocchio.constraint_data]
        self._from = [a.translation for a, _ in poses]
        self._to = [b.translation for _, b in poses]

    def evaluate(self, q: Array) -> tuple[Array, Array]:
        """Give the residual and its derivative by q."""
        self.pinocchio.place(q)
        return (np.concatenate(self._from) - np.concatenate(self._to),
                self.pinocchio.jacobian())

    def _normal_equations(self, A: Array, b: Array) -> Array:
        return dposv(A, b)[1]  # type: ignore[no-any-return]


class MujocoExpert(_Expert):
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
        """Give the residual and its derivative by q."""
        model, data = self._model, self._data
        data.qpos = q
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_makeConstraint(model, data)
        return data.efc_pos, data.efc_J.reshape(data.nefc, model.nv)


class Scipy(_Peer):
    """What one writes without a robotics library: matrices and scipy's least_squares."""

    def __init__(self, workload: Workload) -> None:
        robot = workload.robot
        self._tree = depth_first(robot)
        self._root = robot.root
        self._frames = [(closure.frame_a, closure.frame_b) for closure in robot.closures]
        self._cross = {joint.name: cross_matrix(joint.axis) for joint in self._tree}
        moving = [joint.name for joint in self._tree if joint.moving]
        super().__init__(workload, {name: i for i, name in enumerate(moving)})

    def solve(self, values: Sequence[float]) -> Any:
        """Find all joint positions."""
        q = self.q
        q[self.known] = values

        def residual(x: Array) -> Array:
            q[self.unknown] = x
            return self._residual(q)

        q[self.unknown] = least_squares(
            residual, q[self.unknown], method='lm', xtol=1e-13, ftol=1e-13, gtol=1e-13).x
        return q.copy()

    def _residual(self, q: Array) -> Array:
        poses = {self._root: np.eye(4)}
        for joint in self._tree:
            T = poses[joint.parent] @ joint.T_parent_joint
            if joint.kind == 'prismatic':
                T[:3, 3] += T[:3, :3] @ joint.axis * q[self._columns[joint.name]]
            elif joint.moving:
                angle, K = q[self._columns[joint.name]], self._cross[joint.name]
                T[:3, :3] = T[:3, :3] @ (
                    np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * (K @ K))
            poses[joint.child] = T
        return np.concatenate([poses[b][:3, 3] - poses[a][:3, 3] for a, b in self._frames])


MOST_JOINTS = dict.fromkeys(('Pinocchio', 'Pinocchio expert', 'Pinocchio tuned'), 450)
"""Where a peer stops: the memory that Pinocchio takes grows with the cube, 7 GB for 600 joints."""

PEERS: dict[str, Callable[[Workload], Method]] = {
    'Pinocchio': Pinocchio,
    'Pinocchio expert': PinocchioExpert,
    'Pinocchio tuned': PinocchioTuned,
    'MuJoCo expert': MujocoExpert,
    'scipy': Scipy,
}


def depth_first(robot: Robot) -> list[Joint]:
    """Give the joints in an order in which the joints of every subtree are neighbours."""
    behind: dict[str, list[Joint]] = {}
    for joint in robot.joints:
        behind.setdefault(joint.parent, []).append(joint)
    order: list[Joint] = []
    waiting = behind[robot.root][::-1]
    while waiting:
        order.append(waiting.pop())
        waiting += behind.get(order[-1].child, [])[::-1]
    return order


def _pinocchio_joint(joint: Joint) -> Any:
    """Give the cheapest joint model for an axis; angles count on beyond a whole turn."""
    kind = 'P' if joint.kind == 'prismatic' else 'R'
    for letter, axis in zip('XYZ', np.eye(3)):
        if np.array_equal(joint.axis, axis):
            return getattr(pin, f'JointModel{kind}{letter}')()
    if kind == 'P':
        return pin.JointModelPrismaticUnaligned(joint.axis)
    return pin.JointModelRevoluteUnaligned(joint.axis)
