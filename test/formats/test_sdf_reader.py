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

"""From SDF to URDF: the closed form of each mechanism is the oracle."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from riod_urdf_ros.exceptions import DescriptionError
from riod_urdf_ros.robot.kinematics import forward_kinematics
from riod_urdf_ros.robot.transforms import rotation_about
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from support.conversions import assert_is_the_four_bar, converted, robot_of
from support.robots import B, C, D

# Links stand anywhere, one joint points backwards, another has its axis from a frame.
FOUR_BAR = f"""<sdf version="1.9"><model name="bars"><pose>5 6 7 0 0 0</pose>
  <link name="base"><visual name="v"><geometry><box><size>1 2 3</size></box></geometry>
    <material><diffuse>1 0 0</diffuse></material></visual></link>
  <frame name="tilted" attached_to="base"><pose degrees="true">0 0 0 90 0 0</pose></frame>
  <link name="crank_link"><pose>0.3 -0.2 0 0.4 0.5 0.6</pose>
    <inertial><pose>0.1 0.2 0.3 0 0 0</pose><mass>2</mass>
      <inertia><ixx>0.1</ixx><iyy>0.2</iyy><izz>0.25</izz></inertia></inertial></link>
  <link name="coupler_link"><pose relative_to="crank_link">0.1 0.1 0 0 0 0</pose></link>
  <link name="rocker_link"/>
  <joint name="crank" type="revolute"><pose relative_to="base"/>
    <parent>base</parent><child>crank_link</child><axis><xyz>0 0 1</xyz></axis></joint>
  <joint name="coupler" type="revolute"><pose relative_to="base">{B[0]} {B[1]} 0 0 0 0</pose>
    <parent>crank_link</parent><child>coupler_link</child>
    <axis><xyz expressed_in="tilted">0 1 0</xyz></axis></joint>
  <joint name="rocker" type="revolute"><pose relative_to="base">{D[0]} {D[1]} 0 0 0 0</pose>
    <parent>rocker_link</parent><child>base</child><axis><xyz>0 0 -1</xyz></axis></joint>
  <joint name="pin" type="PIN"><pose relative_to="base">{C[0]} {C[1]} 0 0 0 0</pose>
    <parent>coupler_link</parent><child>rocker_link</child><axis><xyz>0 0 1</xyz></axis></joint>
  MORE</model></sdf>"""
BEND = 0.4  # of the shafts, rad
CARDAN = f"""<sdf version="1.7"><model name="cardan">
  <link name="base"/>
  <link name="in"><pose>0.1 0 0 0 0 0</pose></link>
  <link name="out"><pose>{0.1 * math.cos(BEND)} {0.1 * math.sin(BEND)} 0 0 0 {BEND}</pose></link>
  <joint name="turn_in" type="revolute"><parent>base</parent><child>in</child>
    <axis><xyz>1 0 0</xyz></axis></joint>
  <joint name="turn_out" type="revolute"><parent>base</parent><child>out</child>
    <axis><xyz>1 0 0</xyz></axis></joint>
  <joint name="cross" type="universal"><pose relative_to="base"/><parent>in</parent>
    <child>out</child><axis><xyz>0 0 1</xyz></axis>
    <axis2><xyz expressed_in="out">0 1 0</xyz></axis2></joint>
  </model></sdf>"""


def four_bar(kind: str = 'revolute', more: str = '') -> str:
    return FOUR_BAR.replace('PIN', kind).replace('MORE', more)


@pytest.mark.parametrize('kind', ['revolute', 'ball'])
def test_a_four_bar_moves_as_its_closed_form(kind: str, tmp_path: Path) -> None:
    done = converted(four_bar(kind), tmp_path, 'in.sdf')
    assert_is_the_four_bar(done.text)
    assert [closure.kind for closure in robot_of(done).closures] == ['point']
    assert any(f'cut at {kind} joint' in remark.message for remark in done.remarks)


def test_drakes_ball_constraint_is_a_point(tmp_path: Path) -> None:
    text = four_bar().replace(
        FOUR_BAR[FOUR_BAR.index('  <joint name="pin"'):FOUR_BAR.index('MORE')].replace(
            'PIN', 'revolute'), f"""
        <link name="tip"><pose>{C[0]} {C[1]} 0 0.1 0.2 0.3</pose></link>
        <joint name="weld" type="fixed"><parent>coupler_link</parent><child>tip</child></joint>
        <drake:ball_constraint>
          <drake:ball_constraint_body_A>tip</drake:ball_constraint_body_A>
          <drake:ball_constraint_p_AP>0 0 0</drake:ball_constraint_p_AP>
          <drake:ball_constraint_body_B>rocker_link</drake:ball_constraint_body_B>
          <drake:ball_constraint_p_BQ>{C[0]} {C[1]} 0</drake:ball_constraint_p_BQ>
        </drake:ball_constraint>""")
    assert 'name="pin"' not in text
    assert_is_the_four_bar(converted(text, tmp_path, 'in.sdf').text)


def test_a_universal_joint_turns_as_cardan_found(tmp_path: Path) -> None:
    done = converted(CARDAN, tmp_path, 'in.sdf')
    robot = robot_of(done)
    assert [closure.kind for closure in robot.closures] == ['rigid']
    solver = ClosureSolver(robot)
    assert solver.independent == ('turn_in',)
    for angle in (0.3, 0.7, 1.2):
        found = solver.solve({'turn_in': angle}).positions['turn_out']
        assert found == pytest.approx(math.atan(math.cos(BEND) * math.tan(angle)), abs=1e-9)


def test_a_universal_joint_can_be_passed_backwards(tmp_path: Path) -> None:
    text = CARDAN.replace('<parent>in</parent>\n    <child>out</child>',
                          '<parent>out</parent><child>in</child>')
    i, j = text.index('  <joint name="turn_out"'), text.index('  <joint name="cross"')
    robot = robot_of(converted(text[:i] + text[j:], tmp_path, 'in.sdf'))
    assert robot.closures == ()
    first, second = 0.3, -0.7
    poses = forward_kinematics(robot, {'cross_1': first, 'cross_2': second})
    # SDF: the child is turned about the parent's axis, then about its own.
    axis = [-math.sin(BEND), math.cos(BEND), 0.0]
    expected = poses['in'][:3, :3] @ (
        rotation_about([0.0, 0.0, 1.0], first) @ rotation_about(axis, second)).T
    bend = rotation_about([0.0, 0.0, 1.0], BEND)
    assert poses['out'][:3, :3] == pytest.approx(expected @ bend, abs=1e-12)


def test_a_limited_hinge_at_the_cut_stays_a_joint(tmp_path: Path) -> None:
    # Two hinges with other directions make the loop spatial.
    limit = '<limit><lower>-1</lower><upper>1</upper></limit>'
    hinges = ''.join(
        f'<joint name="{name}" type="revolute"><parent>{parent}</parent><child>{child}</child>'
        f'<axis><xyz>{axis}</xyz>{limit}</axis></joint>' for name, parent, child, axis in (
            ('a', 'base', 'one', '0 0 1'), ('b', 'one', 'two', '1 0 0'),
            ('c', 'base', 'two', '0 1 0')))
    text = (f'<sdf version="1.9"><model name="m"><link name="base"/><link name="one"/>'
            f'<link name="two"/>{hinges}</model></sdf>')
    done = converted(text, tmp_path, 'in.sdf')
    robot = robot_of(done)
    assert [closure.kind for closure in robot.closures] == ['rigid']
    assert robot.by_name['c'].limits == (-1.0, 1.0)
    assert robot.by_name['c'].role == 'passive'
    assert any('whose limits are watched' in remark.message for remark in done.remarks)


def test_the_world_is_the_root_where_a_joint_leads_to_it(tmp_path: Path) -> None:
    hold = ('<joint name="hold" type="fixed"><parent>world</parent><child>base</child></joint>')
    robot = robot_of(converted(four_bar(more=hold), tmp_path, 'in.sdf'))
    assert robot.root == 'world'
    assert robot.undisplaced['base'][:3, 3].tolist() == [5.0, 6.0, 7.0]


def test_nested_models_and_placement_frames(tmp_path: Path) -> None:
    text = """<sdf version="1.9"><model name="outer"><link name="base"/>
      <model name="inner" placement_frame="grip"><pose>1 2 3 0 0 1.5707963267948966</pose>
        <link name="arm"><pose>0.5 0 0 0 0 0</pose></link>
        <frame name="grip" attached_to="arm"><pose>0.25 0 0 0 0 0</pose></frame></model>
      <joint name="a" type="prismatic"><parent>base</parent><child>inner::arm</child>
        <axis><xyz expressed_in="base">0 1 0</xyz>
          <limit><lower>-1</lower><upper>2</upper><effort>7</effort></limit></axis></joint>
      </model></sdf>"""
    robot = robot_of(converted(text, tmp_path, 'in.sdf'))
    assert robot.by_name['a'].limits == (-1.0, 2.0)
    T = forward_kinematics(robot, {'a': 0.5})['inner__arm']
    # The grip is at 1 2 3; turned by a quarter, the arm is 0.25 below it in y; then it slides.
    assert T[:3, 3] == pytest.approx([1.0, 1.75 + 0.5, 3.0], abs=1e-12)
    assert T[:3, 0] == pytest.approx([0.0, 1.0, 0.0], abs=1e-12)


def test_parts_stay_where_they_are(tmp_path: Path) -> None:
    done = converted(four_bar(), tmp_path, 'in.sdf')
    assert '<box size="1 2 3"/>' in done.text
    assert 'rgba="1 0 0 1"' in done.text
    # The mass point of the crank in the world: its link is moved to the joint, not turned.
    T_link = robot_of(done).undisplaced['crank_link']
    xyz = done.text.split('<inertial>')[1].split('xyz="')[1].split('"')[0]
    at = T_link[:3, :3] @ np.array(xyz.split(), dtype=float) + T_link[:3, 3]
    expected = T_link[:3, :3] @ [0.1, 0.2, 0.3] + [0.3, -0.2, 0.0]
    assert at == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize('told', [
    '<plugin name="p" filename="f"><joint_name>rocker</joint_name></plugin>', 'effort'])
def test_motors_are_those_that_the_file_tells(told: str, tmp_path: Path) -> None:
    text = four_bar(more='' if told == 'effort' else told)
    if told == 'effort':
        for axis in ('<xyz>0 0 1</xyz>', '<xyz expressed_in="tilted">0 1 0</xyz>'):
            text = text.replace(axis, f'{axis}<limit><effort>0</effort></limit>')
    robot = robot_of(converted(text, tmp_path, 'in.sdf'))
    assert [joint.name for joint in robot.moving_joints if joint.actuated] == ['rocker']


def test_a_mimic_with_a_reference(tmp_path: Path) -> None:
    more = """<link name="wheel"/><joint name="roll" type="continuous"><parent>base</parent>
      <child>wheel</child><axis><xyz>0 0 1</xyz><mimic joint="crank" axis="axis">
      <multiplier>3</multiplier><offset>0.5</offset><reference>0.1</reference></mimic></axis>
      </joint>"""
    mimic = robot_of(converted(four_bar(more=more), tmp_path, 'in.sdf')).by_name['roll'].mimic
    assert mimic is not None
    assert (mimic.joint, mimic.multiplier) == ('crank', 3.0)
    assert mimic.offset == pytest.approx(0.2)


def test_what_is_not_kept_has_a_line(tmp_path: Path) -> None:
    more = """
      <include><uri>model://far</uri></include>
      <plugin name="wind" filename="w"/>"""
    text = four_bar(more=more).replace('<xyz>0 0 -1</xyz>', '<xyz>0 0 -1</xyz><dynamics>'
                                       '<spring_stiffness>2</spring_stiffness></dynamics>')
    found = {remark.message.split(':')[0]: remark.line
             for remark in converted(text, tmp_path, 'in.sdf').remarks if remark.kind == 'lost'}
    assert [line for message, line in found.items() if 'spring' in message] == [15]
    assert [line for message, line in found.items() if 'wind' in message] == [
        four_bar(more=more)[:four_bar(more=more).index('<plugin')].count('\n') + 1]
    assert any('far' in message or '<include>' in message for message in found)


@pytest.mark.parametrize(('old', 'new', 'message'), [
    ('type="PIN"', 'type="screw"', "has the type 'screw'"),
    ('<child>rocker_link</child>', '<child>rockr</child>', "'rockr' is no link"),
    ('<child>rocker_link</child>', '', 'has no <child>'),
    ('relative_to="crank_link"', 'relative_to="coupler_link"', 'is relative to itself'),
    ('<pose relative_to="base"/>', '<pose>1 2 3</pose>', "is '1 2 3'; it has to be 6 finite"),
    ('0.4 0.5 0.6', '0.4 0.5 nan', '6 finite numbers'),
    ('<xyz>0 0 -1</xyz>', '<xyz>0 0 0</xyz>', 'xyz of <axis> is zero'),
    ('version="1.9"', 'version="x"', 'the version of <sdf>'),
    ('version="1.9"', 'version="1.4"', 'gz sdf -p'),
    ('<link name="base">', '<link name="lost"/><link name="base">', 'not joined to'),
    ('</model>', '</model><model name="b"/>', 'there are 2 models'),
    ('attached_to="base"', 'attached_to="nowhere"', "'nowhere' is not in the model"),
    ('name="crank_link"', 'name="base"', 'the name is taken'),
    ('<mass>2</mass>', '<mass>heavy</mass>', "the mass of <inertial> is 'heavy'")])
def test_faults_are_told(old: str, new: str, message: str, tmp_path: Path) -> None:
    text = FOUR_BAR.replace(old, new, 1).replace('PIN', 'revolute').replace('MORE', '')
    with pytest.raises(DescriptionError) as caught:
        converted(text, tmp_path, 'in.sdf')
    assert message in str(caught.value)
