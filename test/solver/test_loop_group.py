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

"""One loop group while it moves: fast steps, holding, the way back, velocities."""

from __future__ import annotations

import math
from time import perf_counter

import numpy as np
import pytest
from riod_urdf_ros.robot.model import Robot
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from riod_urdf_ros.solver.loop_group import LoopGroup, shorter_way
from riod_urdf_ros.solver.recovery import solve
from support.inline import (
    four_bar,
    four_bar_rocker,
    joint,
    parallelogram,
    point,
    robot,
    tied_sliders,
    X,
)

ROCKER = -1  # place of the rocker among the group's variables
REACH = math.sqrt(2.0) - 1.0  # of the elbow's slider from home


def group_of(robot: Robot) -> LoopGroup:
    (group,) = ClosureSolver(robot)._groups
    return group


def elbow() -> Robot:
    """Write two bars of hypot(1, 1)/2 whose end a slider pulls, from a right angle at home."""
    return robot(
        joint('slider', 'prismatic', 'base', (1, 0, 0), axis=X),
        joint('upper', 'revolute', 'base', passive=True),
        joint('lower', 'revolute', 'upper', (0.5, 0.5, 0), passive=True),
        joint('end', 'fixed', 'lower', (0.5, -0.5, 0)), point('loop', 'end', 'slider'))


def elbow_angle(slider: float) -> float:
    """Return the upper bar's turn from home by half the isosceles triangle."""
    return math.acos((1.0 + slider) / math.sqrt(2.0)) - math.pi / 4.0


def test_a_smooth_motion_takes_one_or_two_evaluations_a_step() -> None:
    group = group_of(robot(*four_bar()))
    counts = []
    for k in range(400):
        status = solve(group, [0.02 * k])
        counts.append(status.iterations)
        assert status.state == 'closed'
        assert math.remainder(group.state.q[ROCKER] - four_bar_rocker(0.02 * k), math.tau) \
            == pytest.approx(0.0, abs=1e-11)
    assert max(counts) <= 5  # the first, which knows of no motion yet
    assert max(counts[2:]) <= 3
    assert np.mean(counts[10:]) < 2.1


def test_standing_still_moves_nothing() -> None:
    group = group_of(robot(*four_bar()))
    solve(group, [0.3])
    before = list(group.state.q)
    for _ in range(50):
        assert solve(group, [0.3]).iterations <= 1
    assert group.state.q == pytest.approx(before, abs=1e-15)


def test_a_step_too_far_is_not_taken() -> None:
    group = group_of(robot(*four_bar()))
    before = list(group.state.q)
    assert not group.step([3.0])
    assert group.state.q == before
    assert group.step([0.05])


def test_the_shortest_way_round() -> None:
    group = group_of(robot(*four_bar()))
    solve(group, [3.0])
    assert shorter_way([-3.0], group.state.u, [True]) == pytest.approx([math.tau - 3.0])
    assert shorter_way([-3.0], group.state.u, [False]) == [-3.0]
    solve(group, [20.0])
    assert shorter_way([0.0], group.state.u, [True]) == pytest.approx([6.0 * math.pi])


def test_out_of_reach_is_held_and_the_way_back_found() -> None:
    group = group_of(elbow())
    solve(group, [0.3])
    held = list(group.state.q)
    for beyond in (0.5, 1.0, 0.6, 30.0):
        status = solve(group, [beyond])
        assert (status.state, status.held) == ('open', True)
        assert status.iterations < 2000
        assert group.state.q == held
        assert group.velocities([1.0]) == [0.0, 0.0]
    status = solve(group, [0.2])
    assert (status.state, status.held) == ('closed', False)
    assert group.state.q[1] == pytest.approx(elbow_angle(0.2), abs=1e-10)


@pytest.mark.parametrize('beyond, state', [(5e-5, 'closed'), (5e-4, 'strained'), (2e-3, 'open')])
def test_a_little_beyond_reach_is_followed_as_the_best_fit(beyond: float, state: str) -> None:
    group = group_of(elbow())
    solve(group, [0.3])
    status = solve(group, [REACH + beyond])
    assert (status.state, status.held) == (state, state == 'open')
    if state != 'open':
        assert status.residual == pytest.approx(beyond, rel=1e-3)
        assert group.state.q[1] == pytest.approx(-math.pi / 4.0, abs=0.01)
    # It comes back as it went.
    assert solve(group, [0.3]).state == 'closed'
    assert group.state.q[1] == pytest.approx(elbow_angle(0.3), abs=1e-10)


def test_strained_motors_are_weighed_and_still_followed() -> None:
    group = group_of(tied_sliders())
    for k in range(1, 20):
        status = solve(group, [0.1 * k, 0.1 * k + 6e-4])
        assert (status.state, status.held) == ('strained', False)
        assert group.state.q[2] == pytest.approx(0.1 * k + 3e-4)
    assert solve(group, [1.0, 1.1]).held


def test_reset_starts_again_from_home() -> None:
    group = group_of(robot(*four_bar()))
    solve(group, [2.0])
    group.reset()
    assert group.state.q == [0.0, 0.0, 0.0]
    assert solve(group, [0.0]).state == 'closed'


@pytest.mark.parametrize('crank', [0.0, 1.0, 2.5, 5.0])
def test_velocities_are_the_derivative(crank: float) -> None:
    group = group_of(robot(*four_bar()))
    solve(group, [crank])
    expected = (four_bar_rocker(crank + 1e-6) - four_bar_rocker(crank - 1e-6)) / 2e-6
    assert group.velocities([0.5])[-1] == pytest.approx(0.5 * expected, abs=1e-8)


def test_velocities_are_bounded_near_a_singular_position() -> None:
    """At the end of its reach the elbow would have to be infinitely fast."""
    group = group_of(elbow())
    for short in (1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 0.0):
        status = solve(group, [REACH - short])
        assert status.state == 'closed'
        assert np.all(np.abs(group.velocities([1.0])) < 3000.0)


def test_singularity_and_residual_are_measured_when_asked() -> None:
    group = group_of(elbow())
    far = solve(group, [0.0]).singularity
    near = solve(group, [REACH - 1e-4]).singularity
    assert 0.0 < near < 0.1 * far < 1.0
    assert group.state.status.residual < 1e-9


def test_a_dead_centre_is_reported_and_left_the_way_it_was_moving() -> None:
    group = group_of(parallelogram(1.0))
    flat = math.pi - 1.0
    for angle in np.linspace(0.0, flat, 30)[1:]:
        status = solve(group, [float(angle)])
    assert status.state == 'closed'
    assert any('singular' in note for note in status.notes)
    status = solve(group, [flat + 0.1])
    assert status.state == 'closed'
    assert group.state.q == pytest.approx([flat + 0.1, -flat - 0.1, flat + 0.1], abs=1e-8)


def test_what_takes_too_long_goes_on_with_the_next_solve() -> None:
    """Thousands of turns are left half way, told, and gone on with; the end is the same."""
    group = group_of(robot(*four_bar(crank='revolute')))
    target, told = [300.0], 0
    while solve(group, target, deadline=perf_counter() + 0.005).state == 'unsolved':
        told += 1
        assert any('not solved in time' in note for note in group.state.status.notes)
        assert group.state.status.held
        assert group.state.q == group.home
    assert 0 < told < 1000
    assert group.state.status.state == 'closed'
    assert math.remainder(group.state.q[ROCKER] - four_bar_rocker(300.0), math.tau) \
        == pytest.approx(0.0, abs=1e-10)


@pytest.mark.parametrize('rate', [1.0, -0.3])
def test_velocities_at_a_change_point_follow_the_motion(rate: float) -> None:
    """A parallelogram stays one: coupler and rocker turn with the crank where it is flat, too."""
    group = group_of(parallelogram(1.0))
    solve(group, [math.pi - 1.0 - 0.2])
    solve(group, [math.pi - 1.0])
    assert group.velocities([rate]) == pytest.approx([-rate, rate], abs=1e-6)
