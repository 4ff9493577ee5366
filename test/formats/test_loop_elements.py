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

"""Loops that dialects of URDF write as elements: closed forms of the mechanisms are the oracle."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from riod_urdf_ros.exceptions import DescriptionError
from support.conversions import assert_is_the_four_bar, converted, robot_of
from support.robots import B, C, D, hinge

_TREE = ('<robot name="bars">\n<link name="base"><visual><geometry><sphere radius="0.1"/>'
         '</geometry></visual></link>\n' + hinge('crank', 'base', 'crank_link', (0.0, 0.0))
         + hinge('coupler', 'crank_link', 'coupler_link', B)
         + hinge('rocker', 'base', 'rocker_link', D))
_ENDS = (f'{C[0] - B[0]!r} {C[1] - B[1]!r} 0', f'{C[0] - D[0]!r} {C[1] - D[1]!r} 0')
ROBOT_MODEL = f"""<constraint name="pin" type="{{kind}}">
  <parent link="coupler_link"/><parent_origin xyz="{_ENDS[0]}"/><parent_axis xyz="0 0 1"/>
  <child link="rocker_link"/><child_origin xyz="{_ENDS[1]}"/></constraint>"""
ISAAC = f"""<loop_joint name="pin" type="{{kind}}"><link1 link="coupler_link" xyz="{_ENDS[0]}"/>
  <link1 link="rocker_link" xyz="{_ENDS[1]}"/><axis xyz="0 0 1"/></loop_joint>"""
URDF_PLUS = f"""<loop name="pin" type="{{kind}}">
  <predecessor link="coupler_link"><origin xyz="{_ENDS[0]}"/></predecessor>
  <successor link="rocker_link"><origin xyz="{_ENDS[1]}"/></successor>
  <axis xyz="0 0 1"/></loop>"""
DIALECTS = [
    pytest.param(ROBOT_MODEL, 'revolute', id='robot_model-revolute'),
    pytest.param(ROBOT_MODEL, 'spherical', id='robot_model-spherical'),
    pytest.param(ISAAC, 'spherical', id='isaac-spherical'),
    pytest.param(ISAAC, 'revolute', id='isaac-revolute'),
    pytest.param(URDF_PLUS, 'revolute', id='urdf+-revolute'),
    pytest.param(URDF_PLUS, 'continuous', id='urdf+-continuous')]


@pytest.mark.parametrize(('element', 'kind'), DIALECTS)
def test_a_four_bar_moves_as_its_closed_form(element: str, kind: str, tmp_path: Path) -> None:
    done = converted(f'{_TREE}{element.format(kind=kind)}\n</robot>', tmp_path)
    assert_is_the_four_bar(done.text)
    assert [closure.kind for closure in robot_of(done).closures] == ['point']
    assert '<sphere radius="0.1"/>' in done.text
    assert element.split()[0] not in done.text


def test_the_choice_of_motors_is_told(tmp_path: Path) -> None:
    done = converted(f'{_TREE}{ISAAC.format(kind="spherical")}</robot>', tmp_path)
    assert any("taken: 'crank'; say --actuated" in remark.message for remark in done.remarks)


def test_transmissions_name_the_motors(tmp_path: Path) -> None:
    drive = '<transmission name="t"><joint name="rocker"/></transmission>'
    robot = robot_of(converted(f'{_TREE}{ROBOT_MODEL.format(kind="revolute")}{drive}</robot>',
                               tmp_path))
    assert [joint.name for joint in robot.moving_joints if joint.actuated] == ['rocker']


def test_independent_joints_of_urdf_plus_are_the_motors(tmp_path: Path) -> None:
    tree = _TREE
    for name in ('crank', 'coupler'):
        tree = tree.replace(f'<joint name="{name}"', f'<joint independent="false" name="{name}"')
    tree = tree.replace('<joint name="rocker"', '<joint independent="true" name="rocker"')
    robot = robot_of(converted(f'{tree}{URDF_PLUS.format(kind="revolute")}</robot>', tmp_path))
    assert [joint.name for joint in robot.moving_joints if joint.actuated] == ['rocker']


_WHEEL = hinge('wheel', 'base', 'wheel_link', (0.0, 1.0))


@pytest.mark.parametrize(('dependent', 'follower', 'leader', 'multiplier'), [
    ('wheel', 'wheel', 'crank', -2.5), ('crank', 'crank', 'wheel', -0.4)])
def test_a_coupling_lets_the_dependent_joint_follow(
        dependent: str, follower: str, leader: str, multiplier: float, tmp_path: Path) -> None:
    text = (_TREE + _WHEEL).replace(f'<joint name="{dependent}"',
                                    f'<joint independent="false" name="{dependent}"')
    done = converted(text + '<coupling name="gear"><predecessor link="crank_link"/>'
                     '<successor link="wheel_link"/><ratio value="-2.5"/></coupling></robot>',
                     tmp_path)
    mimic = robot_of(done).by_name[follower].mimic
    assert mimic is not None
    assert (mimic.joint, mimic.multiplier, mimic.offset) == (leader, multiplier, 0.0)


def test_a_coupling_of_three_joints_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DescriptionError, match="'gear' ties 'crank', 'coupler' to 'wheel'"):
        converted(f'{_TREE}{_WHEEL}<coupling name="gear"><predecessor link="coupler_link"/>'
                  '<successor link="wheel_link"/><ratio value="2"/></coupling></robot>', tmp_path)


# A hinge about z carries an arm with a hinge about x; both ends of a bar are spatial.
_SPATIAL = (
    '<robot name="spatial"><link name="base"/>' + hinge('a', 'base', 'a_link', (0.0, 0.0))
    + hinge('b', 'base', 'b_link', (1.0, 0.0)).replace('0 0 1"/>', '0 1 0"/>')
    + hinge('c', 'b_link', 'c_link', (0.0, 0.5)).replace('0 0 1"/>', '1 0 0"/>'))
_ON = ('<loop name="cut" type="{kind}"><predecessor link="a_link"><origin xyz="1 0.5 0"/>'
       '</predecessor><successor link="c_link"/><axis xyz="0 0 1"/></loop></robot>')


@pytest.mark.parametrize(('kind', 'closures', 'joints'), [
    ('revolute', ['point', 'point'], 3), ('prismatic', ['rigid'], 4), ('fixed', ['rigid'], 3)])
def test_a_cut_in_a_spatial_loop_is_written_with_what_it_takes(
        kind: str, closures: list[str], joints: int, tmp_path: Path) -> None:
    done = converted(_SPATIAL + _ON.format(kind=kind), tmp_path)
    robot = robot_of(done)
    assert [closure.kind for closure in robot.closures] == closures
    assert len(robot.moving_joints) == joints
    assert any('the loop is cut at' in remark.message for remark in done.remarks)


def test_two_points_leave_the_axis_of_the_hinge(tmp_path: Path) -> None:
    robot = robot_of(converted(_SPATIAL + _ON.format(kind='revolute'), tmp_path))
    near, far = (robot.undisplaced[closure.frame_a][:3, 3] for closure in robot.closures)
    assert math.dist(near[:2], far[:2]) < 1e-12
    assert abs(near[2] - far[2]) > 0.05


@pytest.mark.parametrize(('element', 'message'), [
    (ISAAC.format(kind='screw'), "has the type 'screw'"),
    (ISAAC.format(kind='spherical').replace('rocker_link', 'rockr'), "unknown link 'rockr'"),
    (ISAAC.format(kind='spherical').replace('0 0 1', '0 0 0'), 'xyz of <axis> is zero'),
    (URDF_PLUS.format(kind='fixed').replace(_ENDS[0], '1 nan 0'), "'1 nan 0'"),
    (URDF_PLUS.format(kind='fixed').replace('name="pin" ', ''), '<loop> has no name'),
    ('<loop_joint name="x" type="fixed"><link1 link="base"/></loop_joint>', 'has 1 of them')])
def test_faults_have_a_line(element: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DescriptionError) as caught:
        converted(f'{_TREE}{element}</robot>', tmp_path)
    problem, = caught.value.problems
    assert message in problem.message
    assert problem.line >= _TREE.count('\n') + 1
