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
Mechanisms to measure on, and smooth motions of their motors.

Scissors and chains are generated: cell k stands on cell k - 1 and its loop does not reach farther
down than that, so that a method may cost as much a cell for 200 cells as for 10.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from riod_urdf_ros import ClosureSolver, load
from riod_urdf_ros.robot.model import Joint, JointKind, LoopClosure, Robot
from riod_urdf_ros.robot.transforms import Array, inverse, rotation_about, transform

RATE = 200.0
"""Samples a second of all motions."""

SLOW, FAST = 0.5, 4.0  # Hz

EXAMPLES = Path(__file__).parents[1] / 'urdf'

_X, _Y, _Z = np.eye(3)


@dataclass(frozen=True, eq=False)
class Workload:
    """
    A mechanism and what its motors do, from home on.

    :param independent: names of the columns of the motion.
    :param amplitude: of the sine that a motor follows, rad or m; None: it turns steadily.
    :param frequency: of the cycles of the motors, about, Hz.
    """

    name: str
    robot: Robot
    independent: tuple[str, ...]
    amplitude: float | None
    frequency: float = SLOW

    def motion(self, samples: int) -> tuple[Array, Array]:
        """
        Return the positions and velocities of the independent joints.

        :return: rad or m and rad/s or m/s, each of shape (samples, number of independent joints).
        """
        time = np.arange(1, samples + 1)[:, None] / RATE
        # Every motor has a rhythm of its own.
        w = 2.0 * np.pi * self.frequency * (1.0 + 0.4 * np.sin(np.arange(len(self.independent))))
        if self.amplitude is None:
            return w * time, np.tile(w, (samples, 1))
        return self.amplitude * np.sin(w * time), self.amplitude * w * np.cos(w * time)


def example(name: str, amplitude: float | None) -> Workload:
    """Return a packaged example, such as ``four_bar.urdf``, moving slowly."""
    robot = load(EXAMPLES / name).robot
    return Workload(
        name.partition('.')[0].replace('_', '-'), robot, ClosureSolver(robot).independent,
        amplitude)


def fast(workload: Workload) -> Workload:
    """Let the motors cycle at :data:`FAST`."""
    return replace(workload, name=f'{workload.name}, fast', frequency=FAST)


def turned(workload: Workload) -> Workload:
    """Turn every link frame but the root's at random, as CAD exports do; nothing else changes."""
    rng = np.random.default_rng(1)
    robot = workload.robot
    turns = {robot.root: np.eye(4)}
    for joint in robot.joints:
        axis = rng.normal(size=3)
        turns[joint.child] = transform(
            rotation_about(axis / np.linalg.norm(axis), rng.uniform(-np.pi, np.pi)), np.zeros(3))
    joints = tuple(
        replace(joint, axis=turns[joint.child][:3, :3].T @ joint.axis,
                T_parent_joint=inverse(turns[joint.parent]) @ joint.T_parent_joint
                @ turns[joint.child])
        for joint in robot.joints)
    return replace(workload, name=f'{workload.name}, turned', robot=replace(robot, joints=joints))


def scissor(cells: int) -> Workload:
    """
    Return a scissor lift: bars a_k and b_k crossed at their middles, one motor at the foot of a_1.

    In the tree b_k hangs on a_k, and a_k on the head of b_(k-1); the foot of b_k is tied to the
    head of a_(k-1), that of b_1 to a slider on the ground.
    """
    bar, home = 0.4, 0.5
    joints = [_joint('slider', 'prismatic', 'base', 'slide', [bar * np.cos(home), 0.0, 0.0])]
    closures = []
    below, place, angle, foot = 'base', [0.0, 0.0, 0.0], -home, 'slide'
    for k in range(1, cells + 1):
        a, b = f'bar_a_{k}', f'bar_b_{k}'
        joints += [
            _joint(f'a_{k}', 'revolute', below, a, place, angle, actuated=k == 1),
            _joint(f'b_{k}', 'revolute', a, b, [bar / 2, 0.0, 0.0], 2.0 * home - np.pi),
            _joint(f'foot_{k}_fixed', 'fixed', b, f'foot_{k}', [-bar / 2, 0.0, 0.0]),
            _joint(f'head_{k}_fixed', 'fixed', a, f'head_{k}', [bar, 0.0, 0.0])]
        closures.append(LoopClosure(f'cell_{k}', 'point', f'foot_{k}', foot))
        below, place, angle, foot = b, [bar / 2, 0.0, 0.0], np.pi - 2.0 * home, f'head_{k}'
    return Workload(f'scissor {cells}', _robot(joints, closures), ('a_1',), 0.25)


def chain(cells: int, *, rigid: bool = False) -> Workload:
    """
    Give four-bars on one another: the ground of each is the coupler of the one before.

    Every cell has a motor at its crank, and its loop is independent of the others.

    :param rigid: whether loops are cut behind the last hinge instead of in it.
    """
    crank, coupler, rocker, ground = 0.1, 0.3, 0.22, 0.3
    # At home the crank stands straight up; the rest is where two circles meet.
    x, y = _meeting((0.0, crank), coupler, (ground, 0.0), rocker)
    along, across = float(np.arctan2(y - crank, x)), float(np.arctan2(y, x - ground))
    joints, closures, below = [], [], 'base'
    for k in range(1, cells + 1):
        links = [f'{name}_{k}_bar' for name in ('crank', 'coupler', 'rocker')]
        joints += [
            _joint(f'crank_{k}', 'revolute', below, links[0], [0.0] * 3, -np.pi / 2,
                   actuated=True),
            _joint(f'coupler_{k}', 'revolute', links[0], links[1], [crank, 0.0, 0.0],
                   np.pi / 2 - along),
            _joint(f'rocker_{k}', 'revolute', below, links[2], [ground, 0.0, 0.0],
                   -across),
            _joint(f'pin_{k}', 'revolute' if rigid else 'fixed', links[1], f'pin_{k}_a',
                   [coupler, 0.0, 0.0], along - across),
            _joint(f'pin_{k}_b_fixed', 'fixed', links[2], f'pin_{k}_b', [rocker, 0.0, 0.0])]
        closures.append(LoopClosure(
            f'loop_{k}', 'rigid' if rigid else 'point', f'pin_{k}_a', f'pin_{k}_b'))
        below = links[1]
    return Workload(f'chain {cells}{", rigid" * rigid}', _robot(joints, closures),
                    tuple(f'crank_{k}' for k in range(1, cells + 1)), 0.4)


def _joint(name: str, kind: JointKind, parent: str, child: str, xyz: Iterable[float],
           pitch: float = 0.0, *, actuated: bool = False) -> Joint:
    """Return a joint of a mechanism in the x-z plane; a positive angle turns z towards x."""
    return Joint(name, kind, parent, child,
                 transform(rotation_about(_Y, pitch), np.fromiter(xyz, float)),
                 _X if kind == 'prismatic' else _Y, actuated=actuated)


def _robot(joints: list[Joint], closures: list[LoopClosure]) -> Robot:
    return Robot('generated', 'base', ('base', *(joint.child for joint in joints)),
                 tuple(joints), tuple(closures))


def _meeting(a: tuple[float, float], radius_a: float, b: tuple[float, float],
             radius_b: float) -> tuple[float, float]:
    """Return the upper point that is so far from two points."""
    towards = np.subtract(b, a)
    distance = float(np.linalg.norm(towards))
    along = (distance**2 + radius_a**2 - radius_b**2) / (2.0 * distance)
    x, y = towards / distance
    beside = float(np.sqrt(radius_a**2 - along**2))
    return a[0] + along * x - beside * y, a[1] + along * y + beside * x
