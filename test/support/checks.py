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

"""From a mechanism to a solver and from its answer to a verdict, for all tests of the solver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from riod_urdf_ros.robot.model import Robot
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from riod_urdf_ros.solver.solution import Solution
from riod_urdf_ros.urdf.parser import parse
from support.oracles import wrap
from support.tree import Mechanism


def solver_of(
        mechanism: Mechanism | str | bytes, known: Sequence[str] = (), scale: float = 1.0,
) -> ClosureSolver:
    """
    Make a solver.

    :param scale: of the mechanism, whose position tolerance grows with it.
    """
    text = mechanism.text() if isinstance(mechanism, Mechanism) else mechanism
    return ClosureSolver(parse(text).robot, known_joints=known, position_tolerance=1e-4 * scale)


def difference(robot: Robot, name: str, a: float, b: float) -> float:
    """Return how far two positions are apart; whole turns are none if continuous."""
    return abs(wrap(a - b) if robot.by_name[name].kind == 'continuous' else a - b)


def worst(robot: Robot, got: Mapping[str, float], expected: Mapping[str, float],
          ) -> tuple[float, str]:
    """Return the largest difference among the expected joints, and whose it is."""
    return max(((difference(robot, name, got[name], value), name)
                for name, value in expected.items()), default=(0.0, ''))


def assert_near(robot: Robot, got: Mapping[str, float], expected: Mapping[str, float],
                tolerance: float = 1e-8) -> None:
    """Compare positions, rad and m."""
    error, name = worst(robot, got, expected)
    assert error <= tolerance, \
        f'{name}: {got[name]!r}, expected {expected[name]!r} (off by {error:.3g})'


def assert_closed(solution: Solution) -> None:
    """See every loop closed to the floor of double precision, and followed, not held."""
    for name, closure in solution.closures.items():
        assert closure.state == 'closed', f'{name} is {closure.state}: {closure.gap:.3g} m'
        assert closure.gap < 1e-9
        assert closure.angle < 1e-9
    assert not any(status.held for status in solution.groups)


def steps(start: float, stop: float, count: int) -> list[float]:
    """Return so many steps from start (left out) to stop."""
    return [float(x) for x in np.linspace(start, stop, count + 1)[1:]]
