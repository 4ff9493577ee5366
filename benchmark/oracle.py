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

"""A judge of answers: kinematics by multiplying matrices, those of all samples at once."""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time
from typing import Any

from mechanisms import Workload
from methods import depth_first, Method
import numpy as np
from riod_urdf_ros.robot.model import Joint
from riod_urdf_ros.robot.transforms import Array, cross_matrix

_STEP = 1e-4  # s, to both sides


class Oracle:
    """Measures what answers leave open."""

    def __init__(self, workload: Workload) -> None:
        self._robot = workload.robot
        self._names = [joint.name for joint in workload.robot.moving_joints]

    def answers(self, method: Method, calls: Sequence[tuple[Any, ...]], seconds: float,
                ) -> tuple[Array, float]:
        """
        Run a method for the samples that it can do in so many seconds, at least 20.

        :return: positions of the moving joints and, where rates are given, behind them their
            velocities, shape (samples, columns), rad and m, rad/s and m/s; the largest residual,
            m and rad. Velocities that open a closure by 1e-3 m/s make it infinite.
        """
        method.start()
        answers, spent = [], 0.0
        for call in calls:
            start = process_time()
            answer = method.solve(*call)
            spent += process_time() - start
            positions, velocities = method.read(answer)
            answers.append([positions[name] for name in self._names]
                           + [velocities[name] for name in self._names if len(call) > 1])
            if spent > seconds and len(answers) >= 20:
                break
        table = np.array(answers)
        q, dq = table[:, :len(self._names)], table[:, len(self._names):]
        residual = float(np.abs(self.residual(q)).max())
        if dq.size:
            opening = (self.residual(q + _STEP * dq) - self.residual(q - _STEP * dq)) / _STEP / 2
            # The central difference itself errs by the square of the step.
            if np.abs(opening).max() > 1e-3 * (1.0 + np.abs(dq).max()):
                residual = np.inf
        return table, residual

    def residual(self, positions: Array) -> Array:
        """
        Return the gaps and angles of all closures.

        :param positions: of the moving joints, shape (samples, joints).
        :return: m and rad, shape (samples, rows).
        """
        column = dict(zip(self._names, positions.T))
        poses = {self._robot.root: np.eye(4)[None]}
        for joint in depth_first(self._robot):
            T = poses[joint.parent] @ joint.T_parent_joint
            if joint.moving:
                T = T @ _motion(joint, column[joint.name])
            poses[joint.child] = T
        rows = []
        for closure in self._robot.closures:
            a, b = poses[closure.frame_a], poses[closure.frame_b]
            rows.append(a[:, :3, 3] - b[:, :3, 3])
            if closure.kind == 'rigid':
                between = a[:, :3, :3].transpose(0, 2, 1) @ b[:, :3, :3]
                # Of a small rotation, the skew part is the angle.
                skew = 0.5 * (between - between.transpose(0, 2, 1))
                rows.append(skew[:, [0, 0, 1], [1, 2, 2]])
        return np.concatenate(rows, axis=1)


def _motion(joint: Joint, positions: Array) -> Array:
    """Return what a joint does, shape (samples, 4, 4)."""
    T = np.tile(np.eye(4), (positions.size, 1, 1))
    if joint.kind == 'prismatic':
        T[:, :3, 3] = positions[:, None] * joint.axis
    else:
        K, angle = cross_matrix(joint.axis), positions[:, None, None]
        T[:, :3, :3] += np.sin(angle) * K + (1.0 - np.cos(angle)) * (K @ K)
    return T
