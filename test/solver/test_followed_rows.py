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


"""Rows in machine code: as single states, up to the first that cannot be followed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from riod_urdf_ros.constraints.machine_code import AVAILABLE
from riod_urdf_ros.robot.model import Robot
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from riod_urdf_ros.solver.followed_rows import can_follow, follow_rows
from riod_urdf_ros.solver.switching_step import SwitchingStep
from riod_urdf_ros.urdf.parser import parse
from support.inline import four_bar, four_bar_rocker, robot
from support.mechanisms import stewart
from support.oracles_spatial import Stewart

pytestmark = pytest.mark.skipif(not AVAILABLE, reason='llvmlite is not installed')

FOUR_BAR = robot(*four_bar())


def in_machine_code(mechanism: Robot) -> ClosureSolver:
    solver = ClosureSolver(mechanism)
    for group in solver._groups:
        for step in group.state.choice.steps:
            assert isinstance(step, SwitchingStep)
            step.switch()
    return solver


def test_rows_are_on_the_circles_of_the_four_bar() -> None:
    (group,) = in_machine_code(FOUR_BAR)._groups
    crank = np.linspace(0.02, 13.98, 699)
    rows = follow_rows(group, crank[:, None])
    assert len(rows) == len(crank)
    assert [math.remainder(q[-1] - four_bar_rocker(q[0]), math.tau) for q in rows.tolist()] \
        == pytest.approx([0.0] * len(crank), abs=1e-11)


@pytest.mark.parametrize('mechanism', [FOUR_BAR, parse(stewart(Stewart()).text()).robot])
def test_a_batch_goes_on_from_machine_code_as_single_states_do(mechanism: Robot) -> None:
    solver = in_machine_code(mechanism)
    phases = 0.02 * np.arange(200)[:, None] * (1.0 + 0.1 * np.arange(len(solver.independent)))
    table = 0.05 * np.sin(phases)
    rows = [dict(zip(solver.independent, row)) for row in table.tolist()]
    single = np.array([list(solver.solve(row).positions.values()) for row in rows])
    solver.reset()
    for row in rows[:3]:
        solver.solve(row)
    assert all(can_follow(group) for group in solver._groups)
    batch = solver.solve_batch(table[3:])
    assert not batch.states.any()
    assert batch.positions == pytest.approx(single[3:], abs=1e-11)
    # The solver is where the last row is: the next state goes on from there.
    again = solver.solve(rows[-1])
    assert list(again.positions.values()) == pytest.approx(single[-1].tolist(), abs=1e-11)


def test_it_ends_before_the_first_row_that_is_not_proven() -> None:
    (group,) = in_machine_code(FOUR_BAR)._groups
    crank = np.array([0.01, 0.02, 0.03, 2.0, 2.01])
    rows = follow_rows(group, crank[:, None])
    assert len(rows) == 3
    assert group.state.q == rows[-1].tolist()
    assert group.state.u == [0.03]


def test_no_row_at_all_leaves_the_group_where_it_was() -> None:
    (group,) = in_machine_code(FOUR_BAR)._groups
    before = group.state
    assert follow_rows(group, np.array([[2.0]])).shape == (0, 3)
    assert group.state is before
