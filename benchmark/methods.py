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

"""Ways to the same joint positions and velocities: what they have in common, and the package."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from mechanisms import Workload
import numpy as np
from riod_urdf_ros import ClosureSolver
from riod_urdf_ros.constraints import machine_code
from riod_urdf_ros.constraints.numerics import COMPILED_AFTER
from riod_urdf_ros.robot.model import Joint, Robot
from riod_urdf_ros.robot.transforms import Array
from scipy.linalg.lapack import dgesv, dposv

RESIDUAL = 1e-9
"""What everybody has to reach, m."""

# Newton's method squares its error: what is left after a correction below this is less than
# RESIDUAL on a mechanism of 1 m. Nobody is asked to be more exact than that.
LAST_CORRECTION = 3e-5


class Answer(NamedTuple):
    """All joints by name, rad and m; velocities in rad/s and m/s where they were asked for."""

    positions: Mapping[str, float]
    velocities: Mapping[str, float]


class Method(Protocol):
    """A way to follow a mechanism, message by message."""

    def start(self) -> None:
        """Go back home."""

    def solve(self, values: Sequence[float], rates: Sequence[float] = ()) -> Any:
        """
        Find all joint positions, going on from the last ones.

        :param values: of the independent joints, rad and m.
        :param rates: their velocities, where those of all joints are wanted, rad/s and m/s.
        """

    def read(self, answer: Any) -> Answer:
        """Return an answer of :meth:`solve` by joint."""


class Package:
    """This package: its public interface, called once a message, as the node does."""

    def __init__(self, workload: Workload) -> None:
        self.solver = ClosureSolver(workload.robot)
        self._names = workload.independent

    def start(self) -> None:
        """Go back home."""
        self.solver.reset()

    def solve(self, values: Sequence[float], rates: Sequence[float] = ()) -> Any:
        """Find all joint positions."""
        if rates:
            return self.solver.solve(dict(zip(self._names, values)), dict(zip(self._names, rates)))
        return self.solver.solve(dict(zip(self._names, values)))

    def read(self, answer: Any) -> Answer:
        """Return an answer by joint."""
        return Answer(answer.positions, answer.velocities)


class PackageInMachineCode(Package):
    """The package with its extra ``[fast]``, when it has compiled what it needs."""

    def __init__(self, workload: Workload) -> None:
        super().__init__(workload)
        rest = dict.fromkeys(workload.independent, 0.0)
        for _ in range(COMPILED_AFTER):
            self.solver.solve(rest)
        machine_code.WORKSHOP.wait()


class PackageInPython(Package):
    """The package without it."""

    def __init__(self, workload: Workload) -> None:
        available, machine_code.AVAILABLE = machine_code.AVAILABLE, False
        super().__init__(workload)
        machine_code.AVAILABLE = available


PACKAGES: dict[str, Callable[[Workload], Package]] = {
    **({'with [fast]': PackageInMachineCode} if machine_code.AVAILABLE else {}),
    'without': PackageInPython}


class Peer:
    """
    What the peers share: a vector q, in which some joints are known and the others wanted.

    Their answers are q, or q and its rates.

    :param columns: place of each joint in q.
    """

    def __init__(self, workload: Workload, columns: Mapping[str, int]) -> None:
        self.columns = columns
        self.known = np.array([columns[name] for name in workload.independent])
        self.unknown = np.setdiff1d(np.arange(len(columns)), self.known)
        self.q = np.zeros(len(columns))

    def start(self) -> None:
        """Go back home."""
        self.q[:] = 0.0

    def read(self, answer: Any) -> Answer:
        """Return an answer by joint."""
        q, rates = answer if isinstance(answer, tuple) else (answer, None)
        return Answer({name: float(q[i]) for name, i in self.columns.items()}, {}
                      if rates is None else {n: float(rates[i]) for n, i in self.columns.items()})


class Tuned(Peer):
    """
    An expert's loop: every call counts.

    Cubic prediction; LAPACK called directly, once an evaluation; a second evaluation only where
    the first correction was not small; velocities from the last Jacobian and factorisation.
    """

    def start(self) -> None:
        """Go back home."""
        super().start()
        self._past = [np.zeros(len(self.unknown))] * 4

    def evaluate(self, q: Array) -> tuple[Array, Array]:
        """Return the residual and its derivative by q."""
        raise NotImplementedError

    def solve(self, values: Sequence[float], rates: Sequence[float] = ()) -> Any:
        """Find all joint positions."""
        q, unknown, (x3, x2, x1, x0) = self.q, self.unknown, self._past
        q[self.known] = values
        x = 4.0 * (x0 + x2) - 6.0 * x1 - x3
        for _ in range(50):
            q[unknown] = x
            r, J_all = self.evaluate(q)
            J = J_all.take(unknown, 1)
            if rates:
                r = np.array([r, J_all.take(self.known, 1) @ rates]).T
            if J.shape[0] == J.shape[1]:
                solved = dgesv(J, r)[2]
            else:
                solved = dposv(J.T @ J, J.T @ r)[1]
            dx = solved[:, 0] if rates else solved
            x = x - dx
            if dx @ dx < LAST_CORRECTION ** 2:
                break
        q[unknown] = x
        self._past = [x2, x1, x0, x]
        if not rates:
            return q.copy()
        dq = np.empty(len(q))
        dq[self.known], dq[unknown] = rates, -solved[:, 1]
        return q.copy(), dq


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
