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
Placo's kinematics solver, in an interpreter of its own: its wheels need an older Pinocchio.

Started by ``placo_peer.py``; knows nothing of the package. Takes pickled pairs of a command and
its arguments from the standard input, and writes pickled results to the standard output.
"""

from __future__ import annotations

import pickle
import sys
from time import process_time
from typing import Any

import numpy as np
import placo


class Follower:
    """
    Closures as soft tasks, motors masked; cubic prediction, until a correction is small.

    :param urdf: description of the tree.
    :param closures: names of two links each.
    :param independent: names of the joints that are known.
    :param last_correction: below which it stops, rad and m.
    """

    def __init__(self, urdf: str, closures: list[tuple[str, str]], independent: list[str],
                 last_correction: float) -> None:
        self._robot = robot = placo.RobotWrapper('', placo.Flags.ignore_collisions, urdf)
        self._solver = solver = placo.KinematicsSolver(robot)
        solver.mask_fbase(True)
        solver.enable_joint_limits(False)
        for a, b in closures:
            task = solver.add_relative_position_task(a, b, np.zeros(3))
            task.configure(f'{a} {b}', 'soft', 1.0)
        for name in independent:
            solver.mask_dof(name)
        self.names = list(robot.joint_names())
        self._places = np.array([robot.get_joint_offset(name) for name in self.names])
        self._known = np.array([robot.get_joint_offset(name) for name in independent])
        self._last = last_correction
        self.start()

    def start(self) -> None:
        """Go back home."""
        self._robot.reset()
        self._past = [self._robot.state.q.copy()] * 4

    def solve(self, values: list[float]) -> Any:
        """Find all joint positions."""
        robot, solver = self._robot, self._solver
        x3, x2, x1, x0 = self._past
        q = 4.0 * (x0 + x2) - 6.0 * x1 - x3
        q[self._known] = values
        robot.state.q = q
        for _ in range(50):
            robot.update_kinematics()
            dq = solver.solve(True)
            if dq @ dq < self._last ** 2:
                break
        q = robot.state.q.copy()
        self._past = [x2, x1, x0, q]
        return q

    def positions(self, q: Any) -> dict[str, float]:
        """Return an answer by joint."""
        return dict(zip(self.names, q[self._places].tolist()))


def main() -> None:
    """Serve."""
    stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
    follower = Follower(*pickle.load(stdin))
    while True:
        try:
            command, *arguments = pickle.load(stdin)
        except EOFError:
            return
        if command == 'start':
            follower.start()
            result: Any = None
        elif command == 'solve':
            result = follower.positions(follower.solve(*arguments))
        else:
            start = process_time()
            for row in arguments[0]:
                follower.solve(row)
            result = process_time() - start
        pickle.dump(result, stdout)
        stdout.flush()


if __name__ == '__main__':
    main()
