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

"""How closures are judged, and that nothing but the tolerances themselves decides it."""

from __future__ import annotations

import copy
from dataclasses import replace
import math

import numpy as np
import pytest
from riod_urdf_ros.robot.closure_error import closure_errors
from riod_urdf_ros.robot.transforms import transform
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from riod_urdf_ros.solver.tolerances import Tolerances
from support.inline import joint, rigid, robot, tied_sliders

TURNED = robot(joint('a', 'revolute', 'base'), joint('b', 'revolute', 'base'),
               rigid('loop', 'a', 'b'))
APART = {'left': 0.0, 'right': 1.2e-3}  # each pin is 0.6 mm off


def judged(position: float, orientation: float) -> Tolerances:
    return Tolerances(TURNED, closure_errors(TURNED, {}), position, orientation)


@pytest.mark.parametrize('gap, angle, state', [
    (0.0, 0.0, 'closed'), (0.9e-3, 0.9e-2, 'closed'), (1.1e-3, 0.0, 'strained'),
    (0.0, 1.1e-2, 'strained'), (9.9e-3, 0.0, 'strained'), (10.1e-3, 0.0, 'open'),
    (0.0, 0.101, 'open')])
def test_up_to_the_tolerance_is_closed_and_up_to_ten_times_is_strained(
        gap: float, angle: float, state: str) -> None:
    cosine, sine = math.cos(angle), math.sin(angle)
    turned = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    poses = {'a': np.eye(4), 'b': transform(turned, (gap, 0, 0))}
    status = judged(1e-3, 1e-2).status(TURNED.closures[0], poses)
    assert (status.gap, status.angle) == pytest.approx((gap, angle))
    assert status.state == state


@pytest.mark.parametrize('allowed', [1e-3, 0.0])
@pytest.mark.parametrize('part', ['gap', 'angle'])
def test_what_is_no_number_is_open(part: str, allowed: float) -> None:
    pose = np.eye(4)
    pose[(slice(0, 3), 3) if part == 'gap' else (slice(0, 3), slice(0, 3))] = np.nan
    status = judged(allowed, allowed).status(TURNED.closures[0], {'a': np.eye(4), 'b': pose})
    assert status.state == 'open'


def test_a_solution_says_the_same_after_the_tolerances_of_its_solver_have_changed() -> None:
    solver = ClosureSolver(tied_sliders())
    solution = solver.solve(APART)
    solver.position_tolerance = 1.0
    solver.orientation_tolerance = 1.0
    assert {status.state for status in solution.closures.values()} == {'strained'}
    assert solution.tolerances.position == 1e-4
    assert {status.state for status in solver.solve(APART).closures.values()} == {'closed'}


def test_a_deep_copy_judges_by_its_own_tolerances() -> None:
    solver = ClosureSolver(tied_sliders())
    twin = copy.deepcopy(solver)
    twin.position_tolerance = 1e-2
    for judge, state in ((solver, 'strained'), (twin, 'closed'), (solver, 'strained')):
        solution = judge.solve(APART)
        assert solution.groups[0].state == solution.closures['left_pin'].state == state
    solver.position_tolerance = 1e-5
    assert twin.solve(APART).groups[0].state == 'closed'
    assert solver.solve(APART).groups[0].state == 'open'


def test_tolerances_are_changed_by_new_ones_only() -> None:
    tolerances = judged(1e-3, 1e-2)
    with pytest.raises(AttributeError):
        tolerances.position = 1.0  # type: ignore[misc]
    assert replace(tolerances, position=1.0).orientation == 1e-2
