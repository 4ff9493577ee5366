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

"""What one writes without a robotics library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mechanisms import Workload
from methods import depth_first, Peer
import numpy as np
from riod_urdf_ros.robot.transforms import Array, cross_matrix
from scipy.optimize import least_squares


class Scipy(Peer):
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
                T[:3, 3] += T[:3, :3] @ joint.axis * q[self.columns[joint.name]]
            elif joint.moving:
                angle, K = q[self.columns[joint.name]], self._cross[joint.name]
                T[:3, :3] = T[:3, :3] @ (
                    np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * (K @ K))
            poses[joint.child] = T
        return np.concatenate([poses[b][:3, 3] - poses[a][:3, 3] for a, b in self._frames])
