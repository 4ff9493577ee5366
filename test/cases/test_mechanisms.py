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

"""The mechanisms of ../shared/cases against their references; skipped where it is missing."""

from __future__ import annotations

from collections.abc import Mapping
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from riod_urdf_ros.robot.closure_state import STATES
from riod_urdf_ros.robot.kinematics import forward_kinematics
from riod_urdf_ros.robot.transforms import quaternion_xyzw
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from riod_urdf_ros.solver.solution import Solution
from riod_urdf_ros.urdf.loader import load
from support.checks import assert_near, worst
from support.paths import CASES

FOLDERS = sorted((CASES / 'mechanisms').glob('*/'))
if not FOLDERS:
    pytest.skip(f'no mechanisms in {CASES}', allow_module_level=True)

FLAT = 'hard_grbda_four_bar_flat_singular'
UNASSEMBLED = 'hard_drake_four_bar_unassembled'

every = pytest.mark.parametrize('folder', FOLDERS, ids=lambda folder: folder.name)
solvable = pytest.mark.parametrize(
    'folder', [folder for folder in FOLDERS if folder.name != FLAT],
    ids=lambda folder: folder.name)


def opened(folder: Path) -> tuple[ClosureSolver, dict[str, Any]]:
    """Return a solver of the mechanism and its references."""
    return (ClosureSolver(load(folder / 'model.urdf').robot),
            json.loads((folder / 'case.json').read_text(encoding='utf-8')))


def check(solver: ClosureSolver, solution: Solution, case: Mapping[str, Any]) -> None:
    """Compare joints, mimics and link poses; where the loop is to be open, that."""
    tolerance = case['tolerance']
    allowed = case.get('state', 'closed').split('|')
    assert all(status.state in allowed for status in solution.groups)
    if allowed == ['open']:
        assert all(status.held for status in solution.groups)
        return
    if 'valid_solutions' in case:
        assert min(worst(solver.robot, solution.positions, valid)[0]
                   for valid in case['valid_solutions']) <= tolerance
    else:
        assert_near(solver.robot, solution.positions,
                    {**case['actuated'], **case['passive'], **case.get('mimic', {})}, tolerance)
    poses = forward_kinematics(solver.robot, solution.positions)
    for link, place in case.get('link_positions', {}).items():
        assert np.linalg.norm(poses[link][:3, 3] - place) <= 3 * tolerance, link
    for link, quaternion in case.get('link_quaternions_xyzw', {}).items():
        # Unit quaternions of one orientation have a product of 1 or -1.
        ours, theirs = quaternion_xyzw(poses[link][:3, :3]), np.array(quaternion)
        distance = min(np.linalg.norm(ours - theirs), np.linalg.norm(ours + theirs))
        assert distance <= 3 * tolerance, link


def branch(solver: ClosureSolver, solution: Solution, case: Mapping[str, Any]) -> int:
    """Return which of the valid solutions this is."""
    return int(np.argmin([worst(solver.robot, solution.positions, valid)[0]
                          for valid in case['valid_solutions']]))


@solvable
def test_in_the_given_order(folder: Path) -> None:
    solver, data = opened(folder)
    branches = set()
    for case in data['cases']:
        solution = solver.solve(case['actuated'])
        check(solver, solution, case)
        if case.get('one_branch'):
            branches.add(branch(solver, solution, case))
    assert len(branches) <= 1


@solvable
def test_each_in_one_jump_from_zero(folder: Path) -> None:
    solver, data = opened(folder)
    branches = set()
    for case in data['cases']:
        solver.reset()
        solution = solver.solve(case['actuated'])
        check(solver, solution, case)
        if case.get('one_branch'):
            branches.add(branch(solver, solution, case))
    assert len(branches) <= 1


@solvable
def test_velocities(folder: Path) -> None:
    solver, data = opened(folder)
    cases = [case for case in data['cases'] if 'passive_velocity' in case]
    if not cases:
        pytest.skip('no velocities given')
    for case in cases:
        solver.reset()
        solution = solver.solve(case['actuated'], case['actuated_velocity'])
        for name, expected in case['passive_velocity'].items():
            assert solution.velocities[name] == pytest.approx(
                expected, abs=case['velocity_tolerance']), name


@solvable
def test_all_at_once_as_a_batch(folder: Path) -> None:
    solver, data = opened(folder)
    names = [joint.name for joint in solver.robot.moving_joints]
    rows = np.array([[case['actuated'][name] for name in solver.independent]
                     for case in data['cases']])
    result = solver.solve_batch(rows, from_home=True)
    for case, row, states in zip(data['cases'], result.positions, result.states):
        allowed = case.get('state', 'closed').split('|')
        assert all(STATES[state] in allowed for state in states)
        if allowed != ['open']:
            found = dict(zip(names, row.tolist()))
            assert min(worst(solver.robot, found, valid)[0] for valid in case.get(
                'valid_solutions', [case.get('passive')])) <= case['tolerance']


@every
def test_structure(folder: Path) -> None:
    solver, data = opened(folder)
    structure = solver.structure
    mimics = {joint.name for joint in solver.robot.moving_joints if joint.mimic is not None}
    assert len(structure.passive) == data['n_passive']
    assert len(structure.actuated) == data['n_actuated']
    assert len(mimics) == data['n_mimic']
    rank = sum(group.rank for group in structure.groups)
    redundant = sum(closure.redundant_rows for closure in structure.closures.values())
    if folder.name == FLAT:
        # Its numbers are those at home; generically one row less is redundant.
        assert structure.singular_home
        assert (rank, redundant, structure.undetermined_dof) == (2, 1, 0)
        return
    # Flat and open at zero, some are not singular in the home they are assembled to.
    assert structure.singular_home <= data.get('singular_at_zero', False)
    assert structure.singular_home >= (
        data['closed_at_zero'] and data.get('singular_at_zero', False))
    assert rank == data['passive_jacobian_rank']
    assert redundant == data['redundant_rows']
    assert structure.undetermined_dof == data['undetermined_dof']
    assert set(structure.undetermined) == set(data['undetermined_passive'])
    assert structure.mobility == data['n_moving'] - data['n_mimic'] - rank
    assert (structure.over_actuated, structure.locked) == ((), ())


@every
def test_says_when_the_file_is_not_closed_at_zero(folder: Path) -> None:
    solver, data = opened(folder)
    warned = any('not closed' in problem.message for problem in solver.problems)
    assert warned == (data['residual_at_zero'] > solver.position_tolerance)
    largest = max(closure.gap_at_home for closure in solver.structure.closures.values())
    if set(data['closure_types']) == {'point'}:
        assert largest <= data['residual_at_zero'] + 1e-12


def test_the_unassembled_one_is_not_mirrored() -> None:
    folder = CASES / 'mechanisms' / UNASSEMBLED
    if not folder.is_dir():
        pytest.skip(f'no {folder}')
    solver, data = opened(folder)
    for case in data['cases']:
        positions = solver.solve(case['actuated']).positions
        assert worst(solver.robot, positions, case['other_branch'])[0] > 0.1


def test_the_flat_one_takes_one_of_its_two_ways_and_says_so() -> None:
    folder = CASES / 'mechanisms' / FLAT
    if not folder.is_dir():
        pytest.skip(f'no {folder}')
    solver, data = opened(folder)
    assert any('singular' in problem.message for problem in solver.problems)
    for stream in (True, False):
        solver.reset()
        for case in data['cases']:
            if not stream:
                solver.reset()
            solution = solver.solve(case['actuated'])
            assert all(closure.gap < 1e-9 for closure in solution.closures.values())
            assert min(worst(solver.robot, solution.positions, valid)[0]
                       for valid in case['valid_solutions']) <= case['tolerance']
