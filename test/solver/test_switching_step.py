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


"""Steps that go on in machine code: when, that nothing changes by it, and copies of solvers."""

from __future__ import annotations

from copy import deepcopy
import pickle

import numpy as np
import pytest
from riod_urdf_ros.constraints import machine_code
from riod_urdf_ros.constraints.machine_code import AVAILABLE, WORKSHOP
from riod_urdf_ros.constraints.numerics import COMPILED_AFTER
from riod_urdf_ros.robot.model import Robot
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from riod_urdf_ros.solver.switching_step import SwitchingStep
from riod_urdf_ros.urdf.parser import parse
from support.inline import four_bar, robot
from support.mechanisms import stewart
from support.oracles_spatial import Stewart

pytestmark = pytest.mark.skipif(not AVAILABLE, reason='llvmlite is not installed')

FOUR_BAR = robot(*four_bar())
each_robot = pytest.mark.parametrize(
    'mechanism', [FOUR_BAR, parse(stewart(Stewart()).text()).robot])


def motion(solver: ClosureSolver, steps: int) -> list[dict[str, float]]:
    """Move all independent joints smoothly, from home on."""
    return [{name: 0.05 * np.sin(0.02 * k * (1.0 + 0.1 * i))
             for i, name in enumerate(solver.independent)} for k in range(steps)]


def follow(solver: ClosureSolver, rows: list[dict[str, float]]) -> list[list[float]]:
    return [list(solver.solve(row).positions.values()) for row in rows]


def steps_of(solver: ClosureSolver) -> list[SwitchingStep]:
    (group,) = solver._groups
    steps = [step for step in group.state.choice.steps if isinstance(step, SwitchingStep)]
    assert steps
    return steps


@each_robot
def test_a_motion_is_the_same_in_machine_code(
        mechanism: Robot, monkeypatch: pytest.MonkeyPatch) -> None:
    solver = ClosureSolver(mechanism)
    rows = motion(solver, COMPILED_AFTER + 200)
    half = COMPILED_AFTER + 50
    first = follow(solver, rows[:half])
    WORKSHOP.wait()
    assert all(step._kernel is not None for step in steps_of(solver))
    second = follow(solver, rows[half:])
    monkeypatch.setattr(machine_code, 'AVAILABLE', False)
    assert np.array(first + second) == pytest.approx(
        np.array(follow(ClosureSolver(mechanism), rows)), abs=1e-12)


@each_robot
def test_copies_go_on_where_the_solver_was(mechanism: Robot) -> None:
    solver = ClosureSolver(mechanism)
    for step in steps_of(solver):
        step.switch()
    rows = motion(solver, 20)
    follow(solver, rows[:10])
    sent = pickle.loads(pickle.dumps(solver))
    assert all(step._kernel is None for step in steps_of(sent))
    copied = deepcopy(solver)
    expected = np.array(follow(solver, rows[10:]))
    assert np.array(follow(sent, rows[10:])) == pytest.approx(expected, abs=1e-12)
    assert np.array(follow(copied, rows[10:])) == pytest.approx(expected, abs=1e-12)


def test_a_short_program_does_not_compile() -> None:
    solver = ClosureSolver(FOUR_BAR)
    follow(solver, motion(solver, COMPILED_AFTER - 1))
    WORKSHOP.wait()
    assert all(step._kernel is None for step in steps_of(solver))


def test_what_is_no_number_is_an_error_in_machine_code_too() -> None:
    solver = ClosureSolver(FOUR_BAR)
    step, *_ = steps_of(solver)
    step.switch()
    memory = step.remember([0.0] * 3)
    with pytest.raises(TypeError):
        step([None, 0.0, 0.0], [], memory, (1.0, 0.0, 0.0, 0.0))  # type: ignore[list-item]


@each_robot
def test_velocities_in_machine_code_are_those_of_python(
        mechanism: Robot, monkeypatch: pytest.MonkeyPatch) -> None:
    solver = ClosureSolver(mechanism)
    for step in steps_of(solver):
        step.switch()
    rows = motion(solver, 20)
    rates = {name: 0.3 + 0.1 * i for i, name in enumerate(solver.independent)}
    fast = [list(solver.solve(row, rates).velocities.values()) for row in rows]
    monkeypatch.setattr(machine_code, 'AVAILABLE', False)
    plain = ClosureSolver(mechanism)
    slow = [list(plain.solve(row, rates).velocities.values()) for row in rows]
    assert np.array(fast) == pytest.approx(np.array(slow), abs=1e-11)
