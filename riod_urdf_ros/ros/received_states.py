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

"""What a person wants to see of a running mechanism, from the states that arrive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
import math

from ..robot.closure_state import worst
from ..robot.kinematics import forward_kinematics
from ..solver.closure_solver import ClosureSolver
from ..solver.tolerances import ClosureStatus

JOINTS_SHOWN = 6


class ReceivedStates:
    """
    Judges complete joint states by where they put the frames, trusting nobody's word for them.

    :ivar received: how many there were.
    """

    def __init__(self, solver: ClosureSolver) -> None:
        """Judge as the solver does, without solving."""
        self._solver, self._robot = solver, solver.robot
        self._positions: dict[str, float] = {}
        self._worst: dict[str, ClosureStatus] = {}
        self.received = 0
        self._reported = 0
        self._seen: set[str] = set()
        self._failed: set[str] = set()

    @property
    def closed(self) -> bool:
        """Whether every loop was seen, and all of them were closed at all times."""
        loops = {closure.name for closure in self._robot.closures}
        return bool(self._positions) and self._seen == loops and not self._failed

    def add(self, positions: Mapping[str, float]) -> None:
        """Take in a state: rad or m, by joint. Loops of which a joint is missing are left out."""
        self._positions = dict(positions)
        self.received += 1
        poses = forward_kinematics(self._robot, positions)
        for closure in self._robot.closures:
            sides = self._robot.loop(closure)
            if all(joint.name in positions for side in sides for joint in side if joint.moving):
                self._judge(closure.name, self._solver.tolerances.status(closure, poses))

    def _judge(self, name: str, status: ClosureStatus) -> None:
        if not math.isfinite(status.gap + status.angle):
            status = replace(status, state='open')  # not a number: nothing to compare
        self._seen.add(name)
        if status.state != 'closed':
            self._failed.add(name)
        known = self._worst.get(name)
        if known is None or _is_worse(status, known):
            self._worst[name] = status

    def report(self, seconds: float) -> str:
        """
        Say what arrived since the last report.

        :param seconds: the time since then.
        """
        rate = (self.received - self._reported) / seconds
        lines = [f'{rate:.0f} complete joint states a second']
        for closure in self._robot.closures:
            lines.append(f'  {closure.name}: {self._stand(closure.name, closure.kind == "rigid")}')
        lines.append(f'  {self._joints()}')
        self._reported, self._worst = self.received, {}
        return '\n'.join(lines)

    def _stand(self, name: str, rigid: bool) -> str:
        """Say how a loop stood at its worst."""
        status = self._worst.get(name)
        if status is None:
            return 'not known'
        state = 'closed' if status.state == 'closed' else status.state.upper()
        angle = f', {math.degrees(status.angle):.4f} deg' if rigid else ''
        return f'{state}, gap {1e3 * status.gap:.6f} mm{angle}'

    def _joints(self) -> str:
        known = sorted(
            (joint for joint in self._robot.moving_joints if joint.name in self._positions),
            key=lambda joint: joint.role != 'actuated')  # the motors first
        words = [
            f'{joint.name}{"*" if joint.role == "passive" else ""} '
            f'{self._positions[joint.name]:+.4f}' for joint in known[:JOINTS_SHOWN]]
        if len(known) > JOINTS_SHOWN:
            words.append(f'and {len(known) - JOINTS_SHOWN} more')
        return '  '.join(words)


def _is_worse(status: ClosureStatus, known: ClosureStatus) -> bool:
    if status.state != known.state:
        return worst((status.state, known.state)) == status.state
    return (status.gap, status.angle) > (known.gap, known.angle)
