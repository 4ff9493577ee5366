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

"""The reports of ../shared/cases that concern the solver; skipped where the folder is missing."""

from __future__ import annotations

from collections.abc import Mapping
import json
from typing import Any

import numpy as np
import pytest
from riod_urdf_ros.completion.completer import Completer
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from riod_urdf_ros.urdf.loader import load
from support.checks import assert_near
from support.paths import CASES

REPORTS = CASES / 'reports'
if not REPORTS.is_dir():
    pytest.skip(f'no reports in {CASES}', allow_module_level=True)


def opened(name: str, model: str = 'model.urdf') -> tuple[ClosureSolver, dict[str, Any]]:
    """Return a solver of a report's model, and its messages."""
    folder = REPORTS / name
    return (ClosureSolver(load(folder / model).robot),
            json.loads((folder / 'input.json').read_text(encoding='utf-8')))


def stated(message: Mapping[str, Any]) -> dict[str, float]:
    """Return the positions of a message by joint."""
    state = message['joint_state']
    return dict(zip(state['name'], state['position']))


def completed(completer: Completer, message: Mapping[str, Any]) -> dict[str, float]:
    """Send a message through the completer."""
    state = message['joint_state']
    result = completer.complete(state['name'], state['position'], state.get('velocity', ()),
                                state.get('effort', ()))
    assert result is not None
    return dict(zip(result.names, result.positions))


def test_01_mirror_branch_over_a_crank_turn() -> None:
    solver, data = opened('01_mirror_branch_over_crank_turn')
    for message in data['messages']:
        assert_near(solver.robot, solver.solve(stated(message)).positions,
                    message['expect_passive'], message['tolerance'])
    for message in data['messages']:
        solver.reset()
        assert_near(solver.robot, solver.solve(stated(message)).positions,
                    message['expect_passive'], message['tolerance'])


@pytest.mark.parametrize('name', [
    '03_hydraulic_ram_on_passive_boom', '04_passive_values_in_the_message'])
def test_03_04_stale_passive_values_have_no_influence(name: str) -> None:
    solver, data = opened(name)
    completer = Completer(solver)
    for message in data['messages']:
        positions = completed(completer, message)
        assert_near(solver.robot, positions, message['expect_passive'], message['tolerance'])


def test_04_fed_back_output_is_no_input() -> None:
    solver, data = opened('04_passive_values_in_the_message')
    completer = Completer(solver)
    message = data['messages'][1]
    positions = completed(completer, message)
    for _ in range(3):
        # The drive of the message that was answered: nothing new, or the same answer again.
        again = completer.complete(list(positions), list(positions.values()))
        assert again is None or list(again.positions) == pytest.approx(list(positions.values()))
    after = completed(completer, data['messages'][2])
    assert_near(solver.robot, after, data['messages'][2]['expect_passive'], 1e-8)


@pytest.mark.parametrize('way', ['point', 'hinge'])
def test_06_a_hinge_is_a_point_or_a_rigid_cut_with_a_hinge(way: str) -> None:
    solver, data = opened('06_hinge_closed_rigid_locks_the_loop', f'model_{way}.urdf')
    assert solver.structure.mobility == 1
    for message in data['messages']:
        assert_near(solver.robot, solver.solve(stated(message)).positions,
                    message[f'expect_passive_{way}'], message['tolerance'])


def test_06_a_rigid_cut_of_a_hinge_is_told_to_lock_the_loop() -> None:
    solver, data = opened('06_hinge_closed_rigid_locks_the_loop', 'model_locked.urdf')
    structure = solver.structure
    assert structure.mobility == 0
    assert structure.locked == tuple(closure.name for closure in solver.robot.closures)
    assert any('cannot move' in problem.message for problem in solver.problems)
    for message in data['messages']:
        solution = solver.solve(stated(message))
        assert [status.state for status in solution.groups] == ['open']
        assert [closure.state for closure in solution.closures.values()] == ['open']
    assert_near(solver.robot, solver.solve({'drive': 0.0}).positions,
                dict.fromkeys(solution.positions, 0.0))


def test_09_one_link_more_than_the_motors_hold() -> None:
    solver, data = opened('09_one_link_more_than_the_motors')
    structure = solver.structure
    assert structure.undetermined_dof == data['undetermined_dof'] == 1
    assert set(structure.undetermined) == {'hinge1', 'hinge2', 'hinge3'}
    before, at = dict.fromkeys(('hinge1', 'hinge2', 'hinge3'), 0.0), 0.0
    for message in data['messages']:
        (target,) = stated(message).values()
        for hinge0 in np.linspace(at, target, 21)[1:]:
            solution = solver.solve({'hinge0': float(hinge0)})
            (closure,) = solution.closures.values()
            assert closure.gap < message['expect_closure_residual_below']
            change = max(abs(solution.positions[name] - before[name]) for name in before)
            assert change < 10.0 * abs(target - at) / 20
            before = {name: solution.positions[name] for name in before}
        at = target
    for _ in range(100):
        for hinge0 in (0.1, -0.2, at):
            solution = solver.solve({'hinge0': hinge0})
    assert_near(solver.robot, solution.positions, before, 1e-9)


def test_12_no_drift_over_long_runs() -> None:
    solver, data = opened('12_no_drift_over_long_runs')
    checkpoints = {row['k']: row for row in data['checkpoints']}
    for k in range(20_001):
        solution = solver.solve({'drive': 2.0 * np.pi * k / 500})
        assert solution.groups[0].residual < 1e-8
        if k in checkpoints:
            assert_near(solver.robot, solution.positions, {
                name: checkpoints[k][f'expect_{name}_mod_2pi'] for name in ('follow', 'couple')},
                data['tolerance'])
    end = solver.solve({'drive': 0.0}).positions
    assert_near(solver.robot, end, {'follow': 0.0, 'couple': 0.0}, 1e-9)
    assert end['follow'] == pytest.approx(0.0, abs=1e-9)
