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

"""Ways to the same joint positions: what they have in common, and the package itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from mechanisms import Workload
import numpy as np
from riod_urdf_ros import ClosureSolver
from riod_urdf_ros.robot.model import Joint, Robot
from riod_urdf_ros.robot.transforms import Array
from scipy.linalg import cho_factor, cho_solve

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
        """Return an answer of :meth:`solve` by joint, rad and m."""


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
        """Return an answer by joint."""
        return answer.positions  # type: ignore[no-any-return]


class Peer:
    """What the peers share: a vector q, in which some joints are known and the others wanted."""

    def __init__(self, workload: Workload, columns: Mapping[str, int]) -> None:
        self.columns = columns
        self.known = np.array([columns[name] for name in workload.independent])
        self.unknown = np.setdiff1d(np.arange(len(columns)), self.known)
        self.q = np.zeros(len(columns))

    def start(self) -> None:
        """Go back home."""
        self.q[:] = 0.0

    def positions(self, answer: Any) -> Mapping[str, float]:
        """Return an answer by joint."""
        return dict(zip(self.columns, answer[list(self.columns.values())].tolist()))


class Expert(Peer):
    """Predictor, normal equations, early stop."""

    def start(self) -> None:
        """Go back home."""
        super().start()
        self._last = [np.zeros(len(self.unknown))] * 3

    def evaluate(self, q: Array) -> tuple[Array, Array]:
        """Return the residual and its derivative by q."""
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
            dx = self.normal_equations(J.T @ J, J.T @ r)
            x = x - dx
            if dx @ dx < _LAST_CORRECTION ** 2:
                break
        q[unknown] = x
        self._last = [x1, x0, x]
        return q.copy()

    def normal_equations(self, A: Array, b: Array) -> Array:
        """Solve ``A dx = b``, A symmetric and positive definite."""
        return cho_solve(  # type: ignore[no-any-return]
            cho_factor(A, check_finite=False), b, check_finite=False)


def depth_first(robot: Robot) -> list[Joint]:
    """Return the joints in an order in which the joints of every subtree are neighbours."""
    behind: dict[str, list[Joint]] = {}
    for joint in robot.joints:
        behind.setdefault(joint.parent, []).append(joint)
    order: list[Joint] = []
    waiting = behind[robot.root][::-1]
    while waiting:
        order.append(waiting.pop())
        waiting += behind.get(order[-1].child, [])[::-1]
    return order
