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

"""Processor time of methods that take turns, after a check that all give the same answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
import gc
from statistics import median
from time import process_time

from mechanisms import Workload
from methods import depth_first, Method, Package, RESIDUAL
import numpy as np
from peers import MOST_JOINTS, PEERS
from riod_urdf_ros.robot.model import Joint
from riod_urdf_ros.robot.transforms import Array, cross_matrix

SAMPLES = 1000
SECONDS = 1.5
"""Of one method in one round, about: a slow one does fewer samples."""

AGREEMENT = 1e-6
"""Largest difference of a joint position between methods, rad and m."""

OWN = 'riod_urdf_ros'

_TURNS = 10  # of each method in a round


@dataclass(frozen=True)
class Measurement:
    """
    What was measured on one mechanism.

    :param times: microseconds a sample, round by round; methods that failed have none.
    :param residual: the package's largest, m and rad.
    :param load: processor time that the package takes to analyse and compile, s.
    """

    workload: Workload
    times: Mapping[str, list[float]]
    residual: float
    load: float

    def ratio(self, peer: str, own: str = OWN) -> float:
        """Return the median over the rounds of one method's time over another's."""
        return median(a / b for a, b in zip(self.times[own], self.times[peer]))


def measure(workload: Workload, peers: tuple[str, ...], rounds: int) -> Measurement:
    """
    Time the package and some peers on a mechanism.

    A peer that does not reach the residual, or gives other answers, is left out of the times.
    """
    rows = workload.motion(SAMPLES).tolist()
    start = process_time()
    package = Package(workload)
    load = process_time() - start
    oracle = Oracle(workload)
    answers, residual = oracle.answers(package, rows)
    methods: dict[str, tuple[Method, int]] = {OWN: (package, len(answers))}
    for name in peers:
        if len(workload.robot.moving_joints) > MOST_JOINTS.get(name, np.inf):
            continue
        peer: Method = PEERS[name](workload)
        theirs, error = oracle.answers(peer, rows)
        count = min(len(theirs), len(answers))
        if error <= RESIDUAL \
                and np.abs(theirs[:count] - answers[:count]).max() <= AGREEMENT:
            methods[name] = peer, len(theirs)
    times: dict[str, list[float]] = {name: [] for name in methods}
    for _ in range(rounds):
        for name, total in one_round(methods, rows).items():
            times[name].append(total)
    return Measurement(workload, times, residual, load)


def one_round(
        methods: Mapping[str, tuple[Method, int]], rows: list[list[float]]) -> dict[str, float]:
    """
    Let the methods take turns.

    :param methods: with the number of samples that each does.
    :return: microseconds a sample.
    """
    totals = dict.fromkeys(methods, 0.0)
    for method, _ in methods.values():
        method.start()
    gc.collect()
    for turn in range(_TURNS):
        for name, (method, count) in methods.items():
            solve = method.solve
            part = rows[count * turn // _TURNS:count * (turn + 1) // _TURNS]
            start = process_time()
            for row in part:
                solve(row)
            totals[name] += process_time() - start
    return {name: 1e6 * total / methods[name][1] for name, total in totals.items()}


class Oracle:
    """Measures answers by multiplying matrices, those of all samples at once."""

    def __init__(self, workload: Workload) -> None:
        self._robot = workload.robot
        self._names = [joint.name for joint in workload.robot.moving_joints]

    def answers(self, method: Method, rows: list[list[float]]) -> tuple[Array, float]:
        """
        Run a method for the samples that it can do in :data:`SECONDS`, at least 20.

        :return: positions of the moving joints, shape (samples, joints), rad and m; the largest
            residual, m and rad.
        """
        method.start()
        answers, spent = [], 0.0
        for row in rows:
            start = process_time()
            answer = method.solve(row)
            spent += process_time() - start
            positions = method.positions(answer)
            answers.append([positions[name] for name in self._names])
            if spent > SECONDS and len(answers) >= 20:
                break
        return np.array(answers), self._residual(np.array(answers))

    def _residual(self, positions: Array) -> float:
        """Return the largest gap and angle of all closures at all positions."""
        column = dict(zip(self._names, positions.T))
        poses = {self._robot.root: np.eye(4)[None]}
        for joint in depth_first(self._robot):
            T = poses[joint.parent] @ joint.T_parent_joint
            if joint.moving:
                T = T @ _motion(joint, column[joint.name])
            poses[joint.child] = T
        worst = 0.0
        for closure in self._robot.closures:
            a, b = poses[closure.frame_a], poses[closure.frame_b]
            worst = max(worst, float(np.linalg.norm(a[:, :3, 3] - b[:, :3, 3], axis=-1).max()))
            if closure.kind == 'rigid':
                between = a[:, :3, :3].transpose(0, 2, 1) @ b[:, :3, :3]
                # Of a small rotation, the skew part is the angle.
                skew = 0.5 * (between - between.transpose(0, 2, 1))
                worst = max(worst, float(np.abs(skew).max()))
        return worst


def _motion(joint: Joint, positions: Array) -> Array:
    """Return what a joint does, shape (samples, 4, 4)."""
    T = np.tile(np.eye(4), (positions.size, 1, 1))
    if joint.kind == 'prismatic':
        T[:, :3, 3] = positions[:, None] * joint.axis
    else:
        K, angle = cross_matrix(joint.axis), positions[:, None, None]
        T[:, :3, :3] += np.sin(angle) * K + (1.0 - np.cos(angle)) * (K @ K)
    return T
