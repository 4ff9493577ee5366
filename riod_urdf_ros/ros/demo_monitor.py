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

"""What a person wants to see of a running mechanism, from the messages that arrive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
import math

import numpy as np

from ..robot.kinematics import forward_kinematics
from ..robot.model import LoopClosure, Robot
from ..robot.transforms import inverse, rotation_vector
from ..solver.closure_solver import ClosureSolver

JOINTS_SHOWN = 6


@dataclass(frozen=True)
class Gap:
    """How far apart the frames of a closure are: m and, for a rigid closure, rad."""

    distance: float = 0.0
    angle: float = 0.0

    def within(self, allowed: Gap) -> bool:
        """Whether it is no wider than another, and a number at all."""
        return self.distance <= allowed.distance and self.angle <= allowed.angle


def measure_gap(robot: Robot, closure: LoopClosure, positions: Mapping[str, float]) -> Gap:
    """
    Measure a loop's gap in a received state.

    :param positions: rad or m, by joint.
    """
    poses = forward_kinematics(robot, positions)
    T_a_b = inverse(poses[closure.frame_a]) @ poses[closure.frame_b]
    angle = np.linalg.norm(rotation_vector(T_a_b[:3, :3])) if closure.kind == 'rigid' else 0.0
    return Gap(float(np.linalg.norm(T_a_b[:3, 3])), float(angle))


class Monitor:
    """
    Judges the complete joint states that were received, trusting nobody's word for them.

    :ivar received: how many there were.
    """

    def __init__(self, solver: ClosureSolver) -> None:
        """Take the tolerances from the solver, which widens them by the gap at home."""
        self._robot = solver.robot
        home = solver.solve(dict.fromkeys(solver.independent, 0.0)).closures
        self._allowed = {
            name: Gap(solver.position_tolerance + status.gap,
                      solver.orientation_tolerance + status.angle)
            for name, status in home.items()}
        self._positions: dict[str, float] = {}
        self._worst: dict[str, Gap] = {}
        self.received = 0
        self._reported = 0
        self._seen: set[str] = set()
        self._opened: set[str] = set()

    @property
    def closed(self) -> bool:
        """Whether every loop was seen, and none of them open at any time."""
        loops = {closure.name for closure in self._robot.closures}
        return bool(self._positions) and self._seen == loops and not self._opened

    def add(self, positions: Mapping[str, float]) -> None:
        """Take in a state: rad or m, by joint. Loops of which a joint is missing are left out."""
        self._positions = dict(positions)
        self.received += 1
        for closure in self._robot.closures:
            sides = self._robot.loop(closure)
            if all(joint.name in positions for side in sides for joint in side if joint.moving):
                self._add_gap(closure, measure_gap(self._robot, closure, positions))

    def _add_gap(self, closure: LoopClosure, gap: Gap) -> None:
        worst = self._worst.get(closure.name, Gap())
        self._worst[closure.name] = Gap(
            max(worst.distance, gap.distance), max(worst.angle, gap.angle))
        self._seen.add(closure.name)
        if not gap.within(self._allowed[closure.name]):
            self._opened.add(closure.name)

    def report(self, seconds: float) -> str:
        """
        Say what arrived since the last report.

        :param seconds: the time since then.
        """
        rate = (self.received - self._reported) / seconds
        lines = [f'{rate:.0f} complete joint states a second']
        for closure in self._robot.closures:
            lines.append(f'  {closure.name}: {self._verdict(closure)}')
        lines.append(f'  {self._joints()}')
        self._reported, self._worst = self.received, {}
        return '\n'.join(lines)

    def _verdict(self, closure: LoopClosure) -> str:
        gap = self._worst.get(closure.name)
        if gap is None:
            return 'not known'
        closed = gap.within(self._allowed[closure.name])
        angle = f', {math.degrees(gap.angle):.4f} deg' if closure.kind == 'rigid' else ''
        return f'{"closed" if closed else "OPEN"}, gap {1e3 * gap.distance:.6f} mm{angle}'

    def _joints(self) -> str:
        known = [joint for joint in self._robot.moving_joints if joint.name in self._positions]
        words = [
            f'{joint.name}{"" if joint.actuated else "*"} {self._positions[joint.name]:+.4f}'
            for joint in known[:JOINTS_SHOWN]]
        if len(known) > JOINTS_SHOWN:
            words.append(f'and {len(known) - JOINTS_SHOWN} more')
        return '  '.join(words)
