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

"""The structure report, fact by fact, on mechanisms small enough to count by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from riod_urdf_ros.robot.model import Mimic, Robot
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from riod_urdf_ros.structure.mobility import Structure
from riod_urdf_ros.urdf.parser import parse
from support.inline import (
    four_bar,
    joint,
    parallelogram,
    point,
    rigid,
    robot,
    spinning_rod,
    tied_sliders,
    X,
    Z,
)
from support.mechanisms import ball_rod, delta, stewart
from support.oracles_spatial import Delta, Stewart
from support.tree import Mechanism
from support.variants import scaled


def structure_of(robot: Robot | Mechanism, known: Sequence[str] = ()) -> Structure:
    if isinstance(robot, Mechanism):
        robot = parse(robot.text()).robot
    return ClosureSolver(robot, known_joints=known).structure


def facts(structure: Structure) -> tuple[object, ...]:
    """Return what must not depend on the size of a mechanism."""
    return (structure.mobility, structure.undetermined, structure.undetermined_dof,
            structure.over_actuated, structure.locked, structure.singular_home,
            {name: closure.redundant_rows for name, closure in structure.closures.items()},
            [(g.closures, g.independent, g.mobility, g.rank, g.redundant_rows)
             for g in structure.groups])


def test_a_four_bar_has_one_freedom_and_one_redundant_row() -> None:
    structure = structure_of(robot(*four_bar()))
    assert structure.mobility == 1
    assert (structure.actuated, structure.passive) == (('crank',), ('coupler', 'rocker'))
    assert structure.closures['loop'].redundant_rows == 1
    assert structure.closures['loop'].gap_at_home == pytest.approx(0.0, abs=1e-15)
    (group,) = structure.groups
    assert (group.closures, group.independent, group.dependent) == (
        ('loop',), ('crank',), ('coupler', 'rocker'))
    assert (group.mobility, group.rank, group.redundant_rows) == (1, 2, 1)
    assert not structure.undetermined
    assert not structure.over_actuated
    assert not structure.locked
    assert not structure.singular_home


def test_the_gap_at_home_is_that_of_the_description() -> None:
    open_bars = robot(*[part for part in four_bar() if part.name != 'rocker_end'],
                      joint('rocker_end', 'fixed', 'rocker', (0.003, 1.6, 0.004)))
    closure = structure_of(open_bars).closures['loop']
    assert closure.gap_at_home == pytest.approx(0.005)
    assert closure.gap_vector_at_home == pytest.approx((0.003, 0.0, 0.004))


def test_redundant_rows_are_those_of_the_later_closure() -> None:
    """A hinge written as two points on its axis: in a plane the second one says nothing new."""
    hinge = robot(*four_bar(), joint('above_c', 'fixed', 'coupler_end', (0, 0, 0.2)),
                  joint('above_r', 'fixed', 'rocker_end', (0, 0, 0.2)),
                  point('upper', 'above_c', 'above_r'))
    structure = structure_of(hinge)
    assert {name: c.redundant_rows for name, c in structure.closures.items()} == {
        'loop': 1, 'upper': 3}
    assert structure.groups[0].redundant_rows == 4


def test_undetermined_joints_by_name() -> None:
    along, askew = structure_of(ball_rod(spin_last=True)), structure_of(ball_rod(spin_last=False))
    assert along.undetermined == ('rod_3',)
    assert askew.undetermined == ('rod_1', 'rod_2', 'rod_3')
    assert along.undetermined_dof == askew.undetermined_dof == 1
    assert along.mobility == askew.mobility == 2


def test_a_loop_without_a_motor_stays_where_it_is() -> None:
    bars = robot(*four_bar(), joint('motor', 'revolute', 'base'))
    free = replace(bars, joints=tuple(replace(j, actuated=j.name == 'motor') for j in bars.joints))
    structure = structure_of(free)
    assert structure.undetermined == ('crank', 'coupler', 'rocker')
    assert structure.undetermined_dof == 1
    assert structure.mobility == 2
    assert not structure.locked


def test_over_actuated_groups_name_the_joints_that_are_tied() -> None:
    assert structure_of(tied_sliders()).over_actuated == (('left', 'right'),)
    two = robot(*four_bar(), joint('spare', 'revolute', 'base'))
    driven = replace(two, joints=tuple(
        replace(j, actuated=True) if j.name == 'rocker' else j for j in two.joints))
    structure = structure_of(driven)
    assert structure.over_actuated == (('crank', 'rocker'),)
    assert structure.mobility == 2
    assert not structure_of(delta(Delta())).over_actuated


def test_a_hinge_that_is_cut_rigidly_is_locked() -> None:
    bars = parallelogram(0.7)
    level = joint('level', 'fixed', 'rocker_end', rpy=(0, 0, -0.7))
    solver = ClosureSolver(robot(*bars.joints, level, rigid('loop', 'coupler_end', 'level'),
                                 *four_bar('free_')))
    assert solver.structure.locked == ('loop',)
    assert solver.structure.mobility == 1
    assert any('cannot move' in problem.message for problem in solver.problems)


def test_a_motor_that_cannot_move_is_locked_whatever_else_can() -> None:
    structure = structure_of(spinning_rod())
    assert structure.mobility == 1
    assert structure.undetermined_dof == 1
    assert structure.locked == ('rod',)


@pytest.mark.parametrize('home, singular', [(0.0, True), (0.7, False)])
def test_singular_home(home: float, singular: bool) -> None:
    solver = ClosureSolver(parallelogram(home))
    assert solver.structure.singular_home is singular
    assert solver.structure.mobility == 1
    assert any('singular' in problem.message for problem in solver.problems) is singular


def test_mimic_joints_are_no_freedoms() -> None:
    geared = robot(
        joint('turn', 'revolute', 'base'),
        joint('slide', 'prismatic', 'base', (1, 0, 0), axis=X, mimic=Mimic('turn', 0.1)),
        joint('a', 'revolute', 'turn', (0, 1, 0), passive=True),
        joint('a_end', 'fixed', 'a', (1.0, 0.5, 0)),
        joint('b', 'revolute', 'slide', passive=True), joint('b_end', 'fixed', 'b', (0, 1.5, 0)),
        point('loop', 'a_end', 'b_end'))
    structure = structure_of(geared)
    assert structure.mobility == 1
    assert structure.actuated == ('turn',)
    assert structure.groups[0].independent == ('turn',)


def test_groups_are_independent_of_each_other() -> None:
    structure = structure_of(robot(*four_bar('a_'), *four_bar('b_', root='a_coupler')))
    assert [group.closures for group in structure.groups] == [('a_loop',), ('b_loop',)]
    known = structure_of(robot(*four_bar('a_'), *four_bar('b_')), ['b_rocker'])
    assert [group.independent for group in known.groups] == [('a_crank',), ('b_rocker',)]


def test_spatial_robots() -> None:
    assert structure_of(delta(Delta())).mobility == 3
    platform = structure_of(stewart(Stewart()))
    assert platform.mobility == 6
    assert sum(c.redundant_rows for c in platform.closures.values()) == 0


@pytest.mark.parametrize('factor', [1e-3, 1e-2, 1e2])
def test_the_report_does_not_depend_on_the_size(factor: float) -> None:
    for mechanism in (ball_rod(spin_last=False), delta(Delta()), stewart(Stewart())):
        assert facts(structure_of(scaled(mechanism, factor))) == facts(structure_of(mechanism))
    for small, large in ((robot(*four_bar(size=factor)), robot(*four_bar())),):
        assert facts(structure_of(small)) == facts(structure_of(large))


def test_a_passive_joint_on_no_loop_is_in_no_group() -> None:
    structure = structure_of(robot(
        *four_bar(), joint('caster', 'continuous', 'base', axis=Z, passive=True)))
    assert structure.mobility == 2
    assert 'caster' in structure.passive
    assert structure.undetermined == ()
