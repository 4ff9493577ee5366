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

"""Search for wanted frames against inverse kinematics in closed form."""

from __future__ import annotations

import numpy as np
import pytest
from riod_urdf_ros import ClosureSolver, load, Target, UsageError
from riod_urdf_ros.robot.kinematics import forward_kinematics
from support.checks import solver_of
from support.inline import joint, robot
from support.mechanisms import delta, five_bar, stewart
from support.oracles import FiveBar
from support.oracles_spatial import Ankle, Delta, Stewart
from support.paths import EXAMPLES
from support.tree import from_rpy, turn

ANKLE = EXAMPLES / 'ankle.urdf'


def test_a_delta_goes_where_its_platform_is_wanted() -> None:
    size, rng = Delta(), np.random.default_rng(1)
    solver = solver_of(delta(size))
    places = size.home + rng.uniform(-0.15, 0.15, (15, 3))
    rows = [[Target('platform', position=place)] for place in places]
    for place, found in zip(places, solver.reach_rows(rows)):
        assert (found.verdict, found.certain) == ('reached', True)
        assert np.allclose([*found.positions.values()], size.inverse(place), atol=1e-9)
        assert found.position_error < 1e-9


def test_a_stewart_platform_takes_its_pose() -> None:
    size, rng = Stewart(), np.random.default_rng(1)
    solver = solver_of(stewart(size))
    for _ in range(8):
        R, place = from_rpy(*rng.uniform(-0.25, 0.25, 3)), rng.uniform(-0.1, 0.1, 3)
        place[2] += size.height
        found = solver.reach([Target('platform', position=place, rotation=R)])
        assert (found.verdict, found.certain) == ('reached', True)
        legs = [found.positions[f'leg_{i + 1}'] for i in range(6)]
        assert np.allclose(legs, size.inverse(R, place), atol=1e-9)


def test_there_and_back_is_the_identity() -> None:
    solver = ClosureSolver(load(ANKLE).robot)
    rng = np.random.default_rng(3)
    for left, right in rng.uniform(-0.35, 0.35, (10, 2)):
        there = solver.solve({'left_motor': left, 'right_motor': right}).positions
        R = forward_kinematics(solver.robot, there)['foot'][:3, :3]
        solver.reset()
        back = solver.reach([Target('foot', rotation=R)])
        assert back.verdict == 'reached'
        assert np.allclose([*back.positions.values()], [left, right], atol=1e-9)


def test_an_ankle_points_its_foot() -> None:
    size = Ankle()
    solver = ClosureSolver(load(ANKLE).robot)
    R = turn([0, 1, 0], 0.2) @ turn([1, 0, 0], -0.1)
    found = solver.reach([Target('foot', direction=5.0 * R[:, 2])])
    expected = size.joints(0.2, -0.1)
    assert found.verdict == 'reached'
    for name, position in found.positions.items():
        assert position == pytest.approx(expected[name], abs=1e-9)


def test_limits_of_motors_are_kept_and_named() -> None:
    solver = ClosureSolver(load(ANKLE).robot)
    found = solver.reach([Target('foot', rotation=turn([0, 1, 0], 0.9))])
    # Both cranks and the foot are of one length: the foot pitches as far as they turn.
    assert found.verdict == 'out of reach'
    assert found.orientation_error == pytest.approx(0.4, abs=1e-8)
    assert found.at_limit == ('left_motor', 'right_motor')
    assert [*found.positions.values()] == pytest.approx([0.5, 0.5], abs=1e-9)
    assert solver.now['left_motor'] == pytest.approx(0.5)


def test_limits_hold_where_the_motors_are_solved_for() -> None:
    solver = ClosureSolver(load(ANKLE).robot, known_joints=['ankle_pitch', 'ankle_roll'])
    found = solver.reach([Target('foot', rotation=turn([0, 1, 0], 0.9))])
    assert found.orientation_error == pytest.approx(0.4, abs=1e-6)
    assert found.positions['ankle_pitch'] == pytest.approx(0.5, abs=1e-6)


def test_what_is_too_far_is_told_with_the_distance() -> None:
    # The tip of a five-bar that stretches both of its arms.
    solver = solver_of(five_bar(FiveBar(1.0, 1.4, 1.0, 1.4, 0.8), (2.2, 0.9)))
    tip = next(c for c in solver.robot.closures).frame_a
    base = forward_kinematics(solver.robot, solver.home)[tip][:3, 3]
    assert solver.reach([Target(tip, position=base + [0.1, 0.2, 0.0])]).verdict == 'reached'
    solver.reset()
    off_plane = solver.reach([Target(tip, position=base + [0.0, 0.1, 0.25])])
    assert off_plane.verdict == 'out of reach'
    assert off_plane.position_error == pytest.approx(0.25, abs=1e-8)
    solver.reset()
    far = solver.reach([Target(tip, position=np.array([0.4, 9.0, base[2]]))])
    # Both arms stretched: the left tip is 2.4 from its pivot, 0.4 aside.
    assert far.verdict != 'reached'
    assert far.position_error == pytest.approx(9.0 - np.sqrt(2.4**2 - 0.4**2), abs=1e-2)


def test_a_redundant_arm_moves_least() -> None:
    # Three equal hinges in a plane: the direction of the tip takes a third of each.
    arm = robot(joint('j0', 'revolute', 'base'), joint('j1', 'revolute', 'j0', (1.0, 0.0, 0.0)),
                joint('j2', 'revolute', 'j1', (1.0, 0.0, 0.0)))
    solver = ClosureSolver(arm)
    tip = solver.robot.by_name['j2'].child
    axis = solver.robot.by_name['j2'].axis
    found = solver.reach([Target(tip, rotation=turn(axis, 0.6))])
    assert [*found.positions.values()] == pytest.approx([0.2, 0.2, 0.2], abs=1e-9)


def test_wanted_of_one_frame_as_seen_from_another() -> None:
    solver = ClosureSolver(load(ANKLE).robot)
    there = solver.solve({'left_motor': 0.2, 'right_motor': -0.1}).positions
    poses = forward_kinematics(solver.robot, there)
    R = poses['left_crank'][:3, :3].T @ poses['foot'][:3, :3]
    solver.reset()
    found = solver.reach([Target('foot', rotation=R, reference='left_crank')])
    assert found.verdict == 'reached'
    poses = forward_kinematics(solver.robot, found.solution.positions)
    assert np.allclose(poses['left_crank'][:3, :3].T @ poses['foot'][:3, :3], R, atol=1e-9)


def test_what_cannot_be_wanted_is_refused() -> None:
    solver = ClosureSolver(load(ANKLE).robot)
    for target, message in (
            (Target('nothing'), "no link 'nothing'"),
            (Target('foot', position=np.zeros(2)), 'position of foot'),
            (Target('foot', position=np.full(3, np.nan)), 'position of foot'),
            (Target('foot', rotation=2.0 * np.eye(3)), 'no rotation matrix'),
            (Target('foot', direction=np.zeros(3)), 'have a length')):
        with pytest.raises(UsageError, match=message):
            solver.reach([target])
