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

"""Closing the loops at home."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from riod_urdf_ros.constraints.recordings import ClosureCode
from riod_urdf_ros.exceptions import DescriptionError, Problem
from riod_urdf_ros.robot.closure_error import closure_error
from riod_urdf_ros.robot.kinematics import forward_kinematics
from riod_urdf_ros.robot.model import Mimic, Robot
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from riod_urdf_ros.structure.assembly import assemble
from support.inline import (
    four_bar,
    four_bar_rocker,
    joint,
    parallelogram,
    point,
    rigid,
    robot,
    tied_sliders,
    X,
    Y,
)


def assembled(robot: Robot) -> tuple[dict[str, float], tuple[Problem, ...]]:
    return assemble(ClosureCode(robot), 1e-4, 1e-3)


def gap(robot: Robot, positions: dict[str, float]) -> float:
    """Return the worst gap of all closures, angles counted as metres."""
    poses = forward_kinematics(robot, positions)
    errors = [closure_error(closure, poses) for closure in robot.closures]
    return max(error.distance + error.angle for error in errors)


def opened(dx: float, dy: float, dz: float = 0.0) -> Robot:
    """Return a four-bar whose rocker ends somewhere else."""
    bars = robot(*four_bar())
    return replace(bars, joints=tuple(
        joint('rocker_end', 'fixed', 'rocker', (dx, 1.6 + dy, dz))
        if j.name == 'rocker_end' else j for j in bars.joints))


def test_what_is_closed_stays_as_it_is() -> None:
    home, problems = assembled(robot(*four_bar()))
    assert home == {'crank': 0.0, 'coupler': 0.0, 'rocker': 0.0}
    assert problems == ()


def test_within_the_tolerance_no_joint_moves_and_no_word_is_said() -> None:
    bars = opened(5e-5, 0.0)
    home, problems = assembled(bars)
    assert problems == ()
    assert home == {'crank': 0.0, 'coupler': 0.0, 'rocker': 0.0}


@pytest.mark.parametrize('reach, upward', [(0.6, 1.0), (0.4, 1.0), (0.55, -1.0)])
def test_a_boom_that_is_drawn_flat_is_assembled_off_the_saddle(
        reach: float, upward: float) -> None:
    """The sides of a triangle: boom 'reach', cylinder 0.5 m long, their pivots 0.2 m apart."""
    flat = robot(joint('boom', 'revolute', 'base', axis=upward * Y, passive=True),
                 joint('pin', 'fixed', 'boom', (reach, 0, 0)),
                 joint('barrel', 'continuous', 'base', (0.2, 0, 0), axis=upward * Y, passive=True),
                 joint('stroke', 'prismatic', 'barrel', (0.5, 0, 0), axis=X),
                 point('cylinder', 'stroke', 'pin'))
    home, (problem,) = assembled(flat)
    assert home['stroke'] == 0.0
    angle = np.arccos((reach**2 + 0.2**2 - 0.5**2) / (2.0 * reach * 0.2))
    assert abs(home['boom']) == pytest.approx(angle, abs=1e-9)
    assert 'flat' in problem.message
    assert 'would do as well' in problem.message
    names = {name: f'z{i}' for i, name in enumerate(reversed(list(home)))}
    renamed = replace(flat, joints=tuple(
        replace(j, name=names.get(j.name, j.name)) for j in flat.joints))
    again, _ = assembled(renamed)
    assert [again[names[name]] for name in home] == pytest.approx(list(home.values()))


def test_of_mirror_images_the_one_within_the_limits_is_taken() -> None:
    for lower, upper in ((-2.0, 0.0), (0.0, 2.0)):
        flat = robot(joint('boom', 'revolute', 'base', axis=Y, passive=True),
                     joint('pin', 'fixed', 'boom', (0.6, 0, 0)),
                     joint('barrel', 'continuous', 'base', (0.2, 0, 0), axis=Y, passive=True),
                     joint('stroke', 'prismatic', 'barrel', (0.5, 0, 0), axis=X),
                     point('cylinder', 'stroke', 'pin'))
        limited = replace(flat, joints=tuple(
            replace(j, lower=lower, upper=upper) if j.name == 'boom' else j for j in flat.joints))
        home, _ = assembled(limited)
        assert lower < home['boom'] < upper


def test_a_given_home_is_where_assembly_starts() -> None:
    bars = opened(0.0, 0.0)
    home, problems = assemble(ClosureCode(bars), 1e-4, 1e-3, {'crank': 0.7})
    assert home['crank'] == 0.7
    assert home['rocker'] == pytest.approx(four_bar_rocker(0.7), abs=1e-9)
    assert 'in the given home' in problems[0].message


def test_a_gap_along_the_hinges_is_told_as_one_that_no_joint_changes() -> None:
    home, (problem,) = assembled(opened(0.0, 0.0, 0.2))
    assert home == {'crank': 0.0, 'coupler': 0.0, 'rocker': 0.0}
    assert 'along the axes of its hinges' in problem.message


def test_a_gap_is_closed_with_the_motors_held_and_told_as_a_vector() -> None:
    bars = opened(0.003, -0.002)
    home, problems = assembled(bars)
    assert home['crank'] == 0.0
    assert gap(bars, home) < 1e-9
    (problem,) = problems
    assert problem.level == 'warning'
    assert "loop 'loop'" in problem.message
    assert '3.000 -2.000 0.000 mm' in problem.message
    assert 'left' not in problem.message


def test_a_gap_across_the_plane_remains_and_is_allowed() -> None:
    bars = opened(0.0, 0.0, 0.004)
    home, problems = assembled(bars)
    assert gap(bars, home) == pytest.approx(0.004)
    (problem,) = problems
    assert 'with 4 mm left' in problem.message
    solver = ClosureSolver(bars)
    for crank in (0.5, 2.0):
        assert solver.solve({'crank': crank}).closures['loop'].state == 'closed'


def test_a_loop_that_cannot_be_closed_is_an_error() -> None:
    with pytest.raises(DescriptionError) as caught:
        assembled(opened(0.0, 0.0, 1.5))
    (problem,) = caught.value.problems
    assert problem.level == 'error'
    assert '1500' in problem.message


def test_motors_are_moved_where_nothing_else_helps() -> None:
    slider = robot(joint('motor', 'prismatic', 'base', axis=X),
                   joint('turn', 'revolute', 'base', passive=True),
                   joint('arm', 'fixed', 'turn', (0.5, 0, 0)),
                   joint('tip', 'fixed', 'motor', (0.2, 0, 0)), point('loop', 'arm', 'tip'))
    home, problems = assembled(slider)
    assert home['motor'] == pytest.approx(0.3)
    assert 'actuated joints elsewhere' in problems[0].message


@pytest.mark.parametrize('second', [0.0, 0.05])
def test_loops_on_one_motor_are_closed_together(second: float) -> None:
    """The first loop needs the motor at 0.3; the second closes wherever it is."""
    both = robot(
        joint('motor', 'prismatic', 'base', (0.2, 0, 0), axis=X),
        joint('turn', 'revolute', 'base', passive=True),
        joint('arm', 'fixed', 'turn', (0.5, 0, 0)),
        joint('rail', 'fixed', 'base', (0, 0.5, 0)),
        joint('slide', 'prismatic', 'rail', axis=X, passive=True),
        joint('pusher', 'fixed', 'motor', (second - 0.2, 0.5, 0)),
        point('first', 'arm', 'motor'), point('second', 'slide', 'pusher'))
    home, _ = assembled(both)
    assert gap(both, home) < 1e-9


def test_mimic_offsets_and_rigid_closures_are_closed_too() -> None:
    turned = robot(
        joint('motor', 'revolute', 'base'),
        joint('gear', 'revolute', 'base', (0.3, 0, 0), mimic=Mimic('motor', -1.0, 0.2)),
        joint('wheel', 'revolute', 'base', (0.3, 0, 0), passive=True),
        rigid('loop', 'gear', 'wheel'))
    home, problems = assembled(turned)
    assert home['wheel'] == pytest.approx(0.2)
    assert home['gear'] == pytest.approx(0.2)
    assert 'turned by 11.5 deg' in problems[0].message


def test_warnings_about_the_structure() -> None:
    for mechanism, words in ((parallelogram(0.0), 'singular'), (tied_sliders(), 'left, right'),
                             (robot(*four_bar()), '')):
        problems = ClosureSolver(mechanism).problems
        assert [problem.level for problem in problems] == ['warning'] * bool(words)
        assert all(words in problem.message for problem in problems)
