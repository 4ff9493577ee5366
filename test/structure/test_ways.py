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

"""The ways that leave a singular home, against closed forms, whatever the joints are called."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
import math

import numpy as np
import pytest
from riod_urdf_ros.constraints.recordings import ClosureCode
from riod_urdf_ros.robot.model import Robot
from riod_urdf_ros.structure.assembly import assemble
from riod_urdf_ros.structure.findings import structure_problems
from riod_urdf_ros.structure.independent_joints import independent_joints
from riod_urdf_ros.structure.mobility import analyse, GroupStructure
from riod_urdf_ros.structure.ways import Way
from support.inline import four_bar, joint, parallelogram, point, robot, X


def group_of(mechanism: Robot, given: dict[str, float] | None = None) -> GroupStructure:
    code = ClosureCode(mechanism)
    home, _ = assemble(code, 1e-4, 1e-3)
    (group,) = analyse(code, independent_joints(code, (), home), home, given or {}).groups
    return group


def ways(group: GroupStructure, *direction: float) -> tuple[Way, ...]:
    assert group.bifurcation is not None
    return group.bifurcation.towards(direction)


def coaxial_five_bar(upper: float = 0.115, lower: float = 0.2) -> Robot:
    """Write two legs on one axis, straight and on each other at home."""
    parts = []
    for side in ('l', 'r'):
        parts += [joint(f'm{side}', 'continuous', 'base'),
                  joint(f'k{side}', 'continuous', f'm{side}', (upper, 0, 0), passive=True),
                  joint(f'toe_{side}', 'fixed', f'k{side}', (lower, 0, 0))]
    return robot(*parts, point('toe', 'toe_l', 'toe_r'))


def folded_knee(length: float = 0.38) -> Robot:
    """Write two equal bars between a hinge and a slide, folded onto each other at home."""
    return robot(
        joint('slide', 'prismatic', 'base', axis=X),
        joint('hip', 'continuous', 'base', passive=True),
        joint('knee', 'continuous', 'hip', (0, length, 0), passive=True),
        joint('heel', 'fixed', 'knee', (0, -length, 0)), point('ankle', 'heel', 'slide'))


def renamed(mechanism: Robot, names: dict[str, str]) -> Robot:
    """Call joints otherwise; links keep their names."""
    return replace(mechanism, joints=tuple(
        replace(j, name=names.get(j.name, j.name)) for j in mechanism.joints))


def test_a_regular_home_has_no_ways() -> None:
    assert group_of(robot(*four_bar())).bifurcation is None
    assert group_of(parallelogram(0.7)).bifurcation is None


@pytest.mark.parametrize('way', [1.0, -1.0])
def test_a_flat_parallelogram_has_two_ways_and_moves_least_as_one(way: float) -> None:
    """Crank and rocker 1, ground and coupler 2: parallel, or crossed (tan b/2 = -3 tan a/2)."""
    first, second = ways(group_of(parallelogram(0.0)), way)
    for found in (first, second):
        assert found.regular
        assert found.power == 1.0
        assert found.positions['crank'] == pytest.approx(found.part * way, abs=1e-12)
    angle = first.positions['crank']
    assert first.positions['rocker'] == pytest.approx(angle, abs=1e-9)
    assert first.positions['coupler'] == pytest.approx(-angle, abs=1e-9)
    crossed = second.positions['rocker']
    end = np.array([2.0 + math.cos(crossed), math.sin(crossed)])
    start = np.array([math.cos(angle), math.sin(angle)])
    assert np.linalg.norm(end - start) == pytest.approx(2.0, abs=1e-9)
    assert crossed * angle < 0.0


def test_the_given_home_decides_before_least_motion() -> None:
    crossed, parallel = ways(group_of(parallelogram(0.0), {'rocker': -0.2}), 1.0)
    assert crossed.positions['rocker'] < 0.0 < parallel.positions['rocker']


def test_the_limits_of_passive_joints_decide_before_least_motion() -> None:
    flat = parallelogram(0.0)
    limited = replace(flat, joints=tuple(
        replace(j, lower=-2.0, upper=0.0) if j.name == 'rocker' else j for j in flat.joints))
    assert ways(group_of(limited), 1.0)[0].positions['rocker'] < 0.0
    assert ways(group_of(limited), -1.0)[0].positions['rocker'] < 0.0


@pytest.mark.parametrize('names', list(permutations(['a', 'b', 'y', 'z']))[::3])
def test_motors_on_one_axis_leave_on_the_bisector_whatever_they_are_called(
        names: tuple[str, ...]) -> None:
    """The toe stays on the bisector of the upper bars: upper / sin(knee/2 ...) by the sine law."""
    upper, lower = 0.115, 0.2
    names_of = dict(zip(['ml', 'kl', 'mr', 'kr'], names))
    group = group_of(renamed(coaxial_five_bar(upper, lower), names_of))
    assert group.rank == 2
    assert group.mobility == 2
    order = [group.independent.index(names_of[motor]) for motor in ('ml', 'mr')]
    for left, right in ((1.0, -1.0), (-1.0, 1.0), (1.0, 0.0), (0.3, -0.4)):
        direction = [0.0, 0.0]
        direction[order[0]], direction[order[1]] = left, right
        (way, *others) = ways(group, *direction)
        assert not any(other.regular for other in others)
        assert way.regular
        half = 0.5 * (way.positions[names_of['ml']] - way.positions[names_of['mr']])
        knee = half + math.asin(upper * math.sin(half) / lower)
        assert way.positions[names_of['kl']] == pytest.approx(-knee, abs=1e-9)
        assert way.positions[names_of['kr']] == pytest.approx(knee, abs=1e-9)


def test_motors_on_one_axis_that_turn_together_leave_on_no_regular_way() -> None:
    assert not any(way.regular for way in ways(group_of(coaxial_five_bar()), 1.0, 1.0))


@pytest.mark.parametrize('names', permutations(['a', 'b', 'c']))
def test_a_folded_knee_has_one_way(names: tuple[str, ...]) -> None:
    names_of = dict(zip(['slide', 'hip', 'knee'], names))
    group = group_of(renamed(folded_knee(), names_of))
    for sign in (1.0, -1.0):
        (way,) = (way for way in ways(group, sign) if way.regular)
        stroke = way.positions[names_of['slide']]
        knee = 2.0 * math.asin(stroke / 0.76)
        assert way.positions[names_of['knee']] == pytest.approx(knee, abs=1e-9)
        assert way.positions[names_of['hip']] == pytest.approx(-knee / 2.0, abs=1e-9)


def test_a_dead_centre_is_left_on_two_mirrored_ways_and_on_one_side_only() -> None:
    """A slide drives a crank of 0.5 m with a rod of 1 m, in line at home."""
    engine = robot(
        joint('slide', 'prismatic', 'base', (1.5, 0, 0), axis=X),
        joint('crank', 'continuous', 'base', passive=True),
        joint('rod', 'continuous', 'crank', (0.5, 0, 0), passive=True),
        joint('end', 'fixed', 'rod', (1.0, 0, 0)), point('pin', 'end', 'slide'))
    group = group_of(engine)
    assert ways(group, 1.0) == ()
    up, down = ways(group, -1.0)
    assert up.power == down.power == 0.5
    x = 1.5 + up.positions['slide']
    crank = math.acos((x * x + 0.25 - 1.0) / x)
    assert up.positions['crank'] == pytest.approx(crank, abs=1e-9)
    assert down.positions['crank'] == pytest.approx(-crank, abs=1e-9)


def test_the_report_lists_the_ways_with_their_signs() -> None:
    flat = parallelogram(0.0)
    code = ClosureCode(flat)
    home, _ = assemble(code, 1e-4, 1e-3)
    (problem,) = structure_problems(flat, analyse(code, ['crank'], home))
    assert 'flat, folded or coaxial' in problem.message
    assert 'with crank going up it takes (coupler -, rocker +), not (coupler -, rocker -)' \
        in problem.message
