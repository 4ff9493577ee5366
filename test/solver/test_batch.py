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

"""Arrays of configurations against single solves, row by row."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from riod_urdf_ros.exceptions import UsageError
from riod_urdf_ros.robot.closure_state import STATES
from riod_urdf_ros.robot.model import Mimic, Robot
from riod_urdf_ros.robot.transforms import Array
from riod_urdf_ros.solver.batch import BatchSolution
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from riod_urdf_ros.urdf.parser import parse
from support.inline import (
    four_bar,
    four_bar_rocker,
    joint,
    parallelogram,
    point,
    rigid,
    robot,
    spinning_rod,
    tied_sliders,
    X,
)
from support.mechanisms import stewart
from support.oracles_spatial import Stewart

both_ways = pytest.mark.parametrize('from_home', [False, True])
FOUR_BAR = robot(*four_bar())
SHORT = replace(FOUR_BAR, joints=tuple(  # a crank longer than the rest allows to turn
    joint('crank', 'revolute', 'base', (0, 0, 0)) if j.name == 'crank' else
    joint('coupler', 'revolute', 'crank', (0.5, -1, 0), passive=True) if j.name == 'coupler' else
    joint('coupler_end', 'fixed', 'coupler', (1.0, 2.6, 0)) if j.name == 'coupler_end' else j
    for j in FOUR_BAR.joints))


def one_by_one(robot: Robot, rows: Array, from_home: bool) -> BatchSolution:
    """Do the same with single solves."""
    solver = ClosureSolver(robot)
    positions, states = [], []
    for row in rows:
        if from_home:
            solver.reset()
        solution = solver.solve(dict(zip(solver.independent, row.tolist())))
        positions.append(list(solution.positions.values()))
        states.append([STATES.index(status.state) for status in solution.closures.values()])
    return BatchSolution(np.array(positions), np.array(states, np.int8))


def assert_same(robot: Robot, rows: Array, from_home: bool, tolerance: float = 1e-8) -> None:
    batch = ClosureSolver(robot).solve_batch(rows, from_home=from_home)
    single = one_by_one(robot, rows, from_home)
    assert batch.states.tolist() == single.states.tolist()
    assert batch.positions == pytest.approx(single.positions, abs=tolerance)


def sweep(count: int, *amplitudes: float) -> Array:
    t = np.linspace(0.0, 1.0, count)
    return np.column_stack([a * np.sin((3 + i) * t + 0.3 * i) for i, a in enumerate(amplitudes)])


@both_ways
@pytest.mark.parametrize('count', [1, 2, 3, 4, 5, 64, 65, 300])
def test_any_number_of_rows(from_home: bool, count: int) -> None:
    assert_same(FOUR_BAR, sweep(count, 1.5), from_home)


@both_ways
def test_no_rows(from_home: bool) -> None:
    result = ClosureSolver(FOUR_BAR).solve_batch(np.zeros((0, 1)), from_home=from_home)
    assert result.positions.shape == (0, 3)
    assert result.states.shape == (0, 1)


@both_ways
def test_rows_far_apart(from_home: bool) -> None:
    assert_same(FOUR_BAR, np.random.default_rng(6).uniform(-3, 3, (80, 1)), from_home)


@both_ways
def test_a_spike_in_a_smooth_stream(from_home: bool) -> None:
    rows = sweep(200, 1.0)
    rows[[77, 78, 130]] += 2.0
    assert_same(FOUR_BAR, rows, from_home)


def test_turns_are_counted_on_and_wrapped_input_is_understood() -> None:
    turns = np.linspace(0.0, 40.0, 500)
    wrapped = (turns + np.pi) % (2.0 * np.pi) - np.pi
    result = ClosureSolver(FOUR_BAR).solve_batch(wrapped[:, None])
    rocker = [four_bar_rocker(float(angle)) for angle in turns]
    assert result.positions[:, 2] == pytest.approx(rocker, abs=1e-9)
    assert result.positions[:, 0] == pytest.approx(wrapped)
    assert np.all(np.abs(np.diff(result.positions[:, 1])) < 0.3)  # the coupler turns on
    assert_same(FOUR_BAR, wrapped[:, None], False)


@both_ways
def test_rows_out_of_reach_are_held(from_home: bool) -> None:
    rows = 1.6 * np.sin(np.linspace(0.0, 6.0, 40))[:, None]
    batch = ClosureSolver(SHORT).solve_batch(rows, from_home=from_home)
    assert 0 < np.count_nonzero(batch.states) < 35
    assert_same(SHORT, rows, from_home, 1e-6)


def test_a_first_row_out_of_reach_holds_what_was_before() -> None:
    assert_same(SHORT, np.array([[2.5], [0.1], [0.2], [0.25]]), False)


@both_ways
def test_strained_rows_are_told(from_home: bool) -> None:
    rows = np.column_stack([np.linspace(0.0, 1.2e-3, 150), np.zeros(150)])
    assert_same(tied_sliders(), rows, from_home)


@both_ways
def test_a_closure_that_nothing_can_close_is_measured_in_every_row(from_home: bool) -> None:
    arms = robot(joint('left', 'revolute', 'base'), joint('left_tip', 'fixed', 'left', (1, 0, 0)),
                 joint('right', 'revolute', 'base'),
                 joint('right_tip', 'fixed', 'right', (1, 0, 0)),
                 point('touch', 'left_tip', 'right_tip'))
    rows = np.zeros((150, 2))
    rows[40:43, 0] = [2e-4, 5e-4, 0.5]
    assert_same(arms, rows, from_home)


@both_ways
def test_one_singular_row_does_not_spoil_the_others(from_home: bool) -> None:
    """At the length 0 the arm may point anywhere."""
    telescope = robot(
        joint('turn', 'revolute', 'base', passive=True),
        joint('stroke', 'prismatic', 'turn', (0.5, 0, 0), axis=X),
        joint('slider', 'prismatic', 'base', (0.5, 0, 0), axis=X, passive=True),
        point('loop', 'stroke', 'slider'))
    rows = np.array([[0.8], [0.16], [-0.5], [0.3]])
    result = ClosureSolver(telescope).solve_batch(rows, from_home=from_home)
    assert result.positions[[0, 1, 3], 2] == pytest.approx([0.8, 0.16, 0.3], abs=1e-9)


@both_ways
def test_sliders_closed_rigidly(from_home: bool) -> None:
    sliders = robot(joint('a', 'prismatic', 'base', axis=X),
                    joint('b', 'prismatic', 'base', axis=X, passive=True), rigid('loop', 'a', 'b'))
    assert_same(sliders, sweep(100, 0.4), from_home)


@both_ways
def test_mimic_joints_inside_the_loop(from_home: bool) -> None:
    geared = robot(
        joint('turn', 'revolute', 'base'),
        joint('slide', 'prismatic', 'base', (1, 0, 0), axis=X, mimic=Mimic('turn', 0.1)),
        joint('a', 'revolute', 'turn', (0, 1, 0), passive=True),
        joint('a_end', 'fixed', 'a', (1.0, 0.5, 0)),
        joint('b', 'revolute', 'slide', passive=True), joint('b_end', 'fixed', 'b', (0, 1.5, 0)),
        point('loop', 'a_end', 'b_end'))
    assert_same(geared, sweep(200, 0.6), from_home)


@both_ways
def test_groups_and_joints_on_no_loop(from_home: bool) -> None:
    pair = robot(*four_bar('a_'), joint('arm', 'prismatic', 'base', axis=X),
                 *four_bar('b_', root='a_rocker'),
                 joint('caster', 'continuous', 'base', passive=True))
    assert ClosureSolver(pair).independent == ('a_crank', 'arm', 'b_crank', 'caster')
    assert_same(pair, sweep(130, 1.0, 0.5, 1.2, 0.3), from_home)


@both_ways
def test_a_spatial_platform(from_home: bool) -> None:
    assert_same(parse(stewart(Stewart()).text()).robot, sweep(80, *[0.04] * 6), from_home)


@both_ways
def test_a_parallelogram_through_its_flat_positions(from_home: bool) -> None:
    angles = np.linspace(0.0, 10.0, 90)
    result = ClosureSolver(parallelogram(1.0)).solve_batch(angles[:, None], from_home=from_home)
    assert not result.states.any()
    assert result.positions[:, 2] == pytest.approx(angles, abs=1e-5)


def test_undetermined_joints_stay() -> None:
    result = ClosureSolver(spinning_rod()).solve_batch(np.zeros((50, 1)))
    assert result.positions == pytest.approx(np.zeros((50, 4)), abs=1e-12)


def test_a_batch_goes_on_from_the_last_solve_and_is_gone_on_from() -> None:
    solver, single = ClosureSolver(SHORT), ClosureSolver(SHORT)
    solver.solve({'crank': 0.5})
    rows = np.linspace(0.5, 0.9, 30)[:, None]
    solver.solve_batch(rows)
    for row in rows:
        single.solve({'crank': float(row[0])})
    after, expected = (s.solve({'crank': 5.0}).positions for s in (solver, single))
    assert after == pytest.approx(expected, abs=1e-8)  # both are held where they were


@pytest.mark.parametrize('rows', [np.zeros(3), np.zeros((3, 2)), np.array([[np.nan]]),
                                  np.array([[0.0], [np.inf]])])
def test_impossible_input_is_refused(rows: Array) -> None:
    with pytest.raises(UsageError):
        ClosureSolver(FOUR_BAR).solve_batch(rows)
