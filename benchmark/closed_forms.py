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

"""What one can write by hand for two mechanisms only: formulas, no iteration, no library."""

from __future__ import annotations

from collections.abc import Sequence
import math
from typing import Any

from mechanisms import Workload
from methods import Answer


class FourBar:
    """The packaged crank-rocker: where two circles meet."""

    def __init__(self, _: Workload) -> None:
        self._names = ('crank', 'coupler', 'rocker')
        self._crank, self._coupler, self._rocker, self._ground = 0.06, 0.2, 0.14, 0.18  # m
        self._home = [0.0, 0.0]
        self.start()
        self._home = self.solve([0.0])[1:]

    def start(self) -> None:
        """Go back home."""
        self._last = 0.0

    def solve(self, values: Sequence[float], rates: Sequence[float] = ()) -> Any:
        """Find both angles, and their rates by the theorem of sines."""
        crank, a, b, c = 0.5 * math.pi + values[0], self._crank, self._coupler, self._rocker
        x, y = a * math.cos(crank) - self._ground, a * math.sin(crank)
        square = x * x + y * y
        rocker = math.atan2(y, x) - math.acos((square + c * c - b * b) / (
            2.0 * c * math.sqrt(square)))
        coupler = math.atan2(c * math.sin(rocker) - y, c * math.cos(rocker) - x)
        q_coupler = coupler - crank - self._home[0]
        q_coupler = self._last = self._last + math.remainder(q_coupler - self._last, math.tau)
        q_rocker = math.remainder(rocker - self._home[1], math.tau)
        if not rates:
            return values[0], q_coupler, q_rocker
        over = rates[0] * a / math.sin(coupler - rocker)
        return (values[0], q_coupler, q_rocker), (
            rates[0], over / b * math.sin(rocker - crank) - rates[0],
            over / c * math.sin(coupler - crank))

    def read(self, answer: Any) -> Answer:
        """Return an answer by joint."""
        if len(answer) == 3:
            return Answer(dict(zip(self._names, answer)), {})
        return Answer(*(dict(zip(self._names, part)) for part in answer))


class Scissor:
    """The scissor lift: all angles are the first one or twice that."""

    def __init__(self, workload: Workload) -> None:
        self._names = tuple(joint.name for joint in workload.robot.moving_joints)
        self._cells = len(workload.robot.closures)

    def start(self) -> None:
        """Need nothing: there is no memory."""

    def solve(self, values: Sequence[float], rates: Sequence[float] = ()) -> Any:
        """Find all positions."""
        (turn,) = values
        slide = 0.4 * (math.cos(0.5 - turn) - math.cos(0.5))
        return [slide, turn, -2.0 * turn, *(2.0 * turn, -2.0 * turn) * (self._cells - 1)]

    def read(self, answer: Any) -> Answer:
        """Return an answer by joint."""
        return Answer(dict(zip(self._names, answer)), {})
