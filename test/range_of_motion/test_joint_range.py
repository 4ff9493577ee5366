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

"""Ends of ranges where the geometry says they are."""

from __future__ import annotations

from math import acos, asin, pi

import numpy as np
import pytest
from riod_urdf_ros import ClosureSolver, parse
from riod_urdf_ros.exceptions import UsageError
from riod_urdf_ros.range_of_motion.joint_range import find_range
from support.checks import solver_of
from support.mechanisms import five_bar, four_bar, parallelogram, slider
from support.oracles import direction, FiveBar, FourBar, ray
from support.robots import HIGH_SLIDE
from support.variants import limited


def cosine_law(a: float, b: float, opposite: float) -> float:
    """Return the angle between the sides a and b of a triangle."""
    return acos((a * a + b * b - opposite * opposite) / (2.0 * a * b))


@pytest.mark.parametrize('scale', [0.001, 1.0, 100.0])
def test_a_rocker_ends_where_the_other_bars_are_in_line(scale: float) -> None:
    """Not a Grashof linkage: the crank swings between two dead centres."""
    bars = FourBar(1.2 * scale, 0.8 * scale, 1.1 * scale, 1.5 * scale)
    home = 0.7
    reach = cosine_law(bars.crank, bars.ground, bars.coupler + bars.rocker)
    found = find_range(solver_of(four_bar(bars, home), scale=scale), 'crank', {})
    assert found.upper.value == pytest.approx(reach - home, abs=1e-6)
    assert found.lower.value == pytest.approx(-reach - home, abs=1e-6)
    for end in (found.lower, found.upper):
        assert end.reason == 'out_of_reach'
        assert end.closures == ('loop',)


@pytest.mark.parametrize('start', [0.0, 1.0])
def test_a_crank_turns_all_the_way(start: float) -> None:
    solver = solver_of(four_bar(FourBar(0.06, 0.2, 0.14, 0.18), 1.0))
    found = find_range(solver, 'crank', {'crank': start})
    assert found.lower.reason == found.upper.reason == 'whole_turn'
    assert (found.lower.value, found.upper.value) == (start - pi, start + pi)


def test_a_parallelogram_turns_through_its_change_points() -> None:
    found = find_range(solver_of(parallelogram(0.3, 0.5, 0.9)), 'crank', {})
    assert found.upper.reason == 'whole_turn'


def test_a_sweep_starts_from_a_singular_position_either_way() -> None:
    found = find_range(solver_of(parallelogram(0.3, 0.5, 0.0)), 'crank', {})
    assert found.upper.reason == found.lower.reason == 'whole_turn'
    assert any('another assembly mode' in note for _, note in found.notes)


def test_a_slide_ends_where_crank_and_rod_are_in_line() -> None:
    mechanism = slider(0.2, 0.5, 0.0, 1.0)
    solver = solver_of(mechanism, known=['slider'])
    found = find_range(solver, 'slider', {})
    travel = found.upper.value - found.lower.value
    assert found.upper.reason == found.lower.reason == 'out_of_reach'
    assert travel == pytest.approx(2.0 * 0.2, abs=1e-6)


def test_the_others_stand_where_they_are_told() -> None:
    bars, left, right = FiveBar(0.3, 0.3, 0.3, 0.3, 0.5), 1.2, 1.9
    solver = solver_of(five_bar(bars, (left, right)))
    for turn in (0.0, -0.3):
        elbow = ray(0.3, right + turn) + [0.5, 0.0]
        # The forearms are in line where the elbows are 0.6 m apart.
        reach = direction(elbow) + cosine_law(0.3, float(np.hypot(*elbow)), 0.6)
        found = find_range(solver, 'left', {'right': turn})
        assert found.upper.value == pytest.approx(reach - left, abs=1e-6)
        assert found.upper.reason == 'out_of_reach'


def test_limits_that_are_crossed_on_the_way() -> None:
    bars = FourBar(0.06, 0.2, 0.14, 0.18)
    swing = [bars.joints(1.0, crank)['rocker'] for crank in np.linspace(0.0, 2 * pi, 100)]
    lower, upper = 0.5 * min(swing), 0.5 * max(swing)
    mechanism = limited(four_bar(bars, 1.0), 'rocker', (lower, upper))
    found = find_range(solver_of(mechanism), 'crank', {})
    assert {crossing.side for crossing in found.crossings} == {'lower', 'upper'}
    for crossing in found.crossings:
        assert crossing.joint == 'rocker'
        assert crossing.limit == {'lower': lower, 'upper': upper}[crossing.side]
        there = bars.joints(1.0, crossing.at)['rocker']
        assert there == pytest.approx(crossing.limit, abs=1e-6)


def test_its_own_limit_comes_first() -> None:
    mechanism = limited(four_bar(FourBar(0.06, 0.2, 0.14, 0.18), 1.0), 'crank', (-0.5, 0.25))
    found = find_range(solver_of(mechanism), 'crank', {})
    assert (found.lower.value, found.upper.value) == (-0.5, 0.25)
    assert found.lower.reason == found.upper.reason == 'limit'


def test_a_start_that_is_out_of_reach() -> None:
    solver = solver_of(five_bar(FiveBar(0.3, 0.3, 0.3, 0.3, 0.5), (1.2, 1.9)))
    with pytest.raises(UsageError, match="loops of joint 'left'"):
        find_range(solver, 'left', {'left': 1.5, 'right': -1.5})


def test_a_range_starts_where_the_loops_close_if_they_do_not_at_zero() -> None:
    found = find_range(ClosureSolver(parse(HIGH_SLIDE).robot), 'crank', {})
    # The coupler is upright at both ends: sin(crank) = 1.2 - 0.5.
    assert found.lower.value == pytest.approx(asin(0.7), abs=1e-6)
    assert found.upper.value == pytest.approx(pi - asin(0.7), abs=1e-6)
    assert found.lower.reason == found.upper.reason == 'out_of_reach'
    assert found.lower.value < found.start < found.upper.value


@pytest.mark.parametrize('kind, axis', [('rigid', '0 1 0'), ('point', '0 0 1')])
def test_a_locked_motor_goes_from_where_it_is_to_where_it_is(kind: str, axis: str) -> None:
    """An engine whose wrist is welded (home moves to first order), or whose rod turns askew."""
    solver = ClosureSolver(parse(LOCKED_ENGINE.format(kind=kind, axis=axis)).robot)
    found = find_range(solver, 'crank', {})
    assert (found.lower.value, found.upper.value) == (0.0, 0.0)
    assert found.lower.reason == found.upper.reason == 'tied'
    (problem,) = solver.problems
    assert 'cannot move' in problem.message
    assert ("axis of 'crank' or 'rod'" in problem.message) == (kind == 'point')


LOCKED_ENGINE = """<robot name="engine" xmlns:riod="https://github.com/Origitech/urdf-extensions">
  <link name="base"/><link name="crank"/><link name="rod"/><link name="end"/><link name="piston"/>
  <joint name="crank" type="continuous"><parent link="base"/><child link="crank"/>
    <axis xyz="0 1 0"/></joint>
  <joint name="rod" type="continuous"><origin xyz="0 0 0.04"/><parent link="crank"/>
    <child link="rod"/><axis xyz="{axis}"/><riod:actuated value="false"/></joint>
  <joint name="end" type="fixed"><origin xyz="0.16 0 -0.04"/><parent link="rod"/>
    <child link="end"/></joint>
  <joint name="piston" type="prismatic"><origin xyz="0.16 0 0"/><parent link="base"/>
    <child link="piston"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" effort="0" velocity="1"/><riod:actuated value="false"/></joint>
  <riod:loop_closure name="wrist" type="{kind}" frameA="end" frameB="piston"/>
</robot>
"""
