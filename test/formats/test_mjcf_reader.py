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

"""From MJCF to URDF: MuJoCo itself is the oracle."""

from __future__ import annotations

from pathlib import Path
import sys

import numpy as np
import pytest
from riod_urdf_ros.exceptions import DescriptionError
from riod_urdf_ros.formats.conversion import convert
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from support.conversions import converted, robot_of
from support.mjcf_models import FOUR_BAR, ODD, WELD

mujoco = pytest.importorskip('mujoco')
from support.mujoco_oracle import equality_residual, pose_error  # noqa: E402


@pytest.mark.parametrize('text', [FOUR_BAR, ODD, WELD], ids=['four_bar', 'odd', 'weld'])
def test_bodies_are_where_mujoco_has_them(text: str, tmp_path: Path) -> None:
    robot = robot_of(converted(text, tmp_path, 'in.xml'))
    m = mujoco.MjModel.from_xml_string(text)
    names = {m.body(body).name for body in range(m.nbody)}
    assert len(names & set(robot.links)) >= m.nbody - 1
    assert pose_error(m, robot, np.random.default_rng(1)) < 1e-12


@pytest.mark.parametrize('text', [FOUR_BAR, WELD], ids=['four_bar', 'weld'])
def test_solved_states_satisfy_the_equalities_of_mujoco(text: str, tmp_path: Path) -> None:
    solver = ClosureSolver(robot_of(converted(text, tmp_path, 'in.xml')))
    m = mujoco.MjModel.from_xml_string(text)
    assert equality_residual(m, solver, np.random.default_rng(2)) < 1e-9


def test_what_a_joint_is_comes_along(tmp_path: Path) -> None:
    done = converted(FOUR_BAR, tmp_path, 'in.xml')
    robot = robot_of(done)
    assert {joint.name: joint.role for joint in robot.moving_joints} == {
        'motor': 'actuated', 'pin': 'passive', 'pivot': 'passive'}
    assert robot.by_name['motor'].limits == pytest.approx((-np.pi / 2, np.pi / 2), abs=1e-15)
    assert 'effort="3"' in done.text
    assert '<dynamics damping="0.1"/>' in done.text


def test_shapes_and_inertia_are_kept(tmp_path: Path) -> None:
    text = converted(FOUR_BAR, tmp_path, 'in.xml').text
    assert text.count('<visual>') == text.count('<collision>') == 4  # a capsule is three shapes
    assert '<box size="0.2 0.04 0.02"/>' in text
    assert '<mass value="0.3"/>' in text
    assert 'ixx="0.01"' in text and 'iyy="0.02"' in text and 'izz="0.025"' in text


@pytest.mark.parametrize(('what', 'line'), [
    ("the spring of joint 'pivot'", 10), ("keyframe 'bent'", 16)])
def test_what_is_not_kept_has_a_line(what: str, line: int, tmp_path: Path) -> None:
    assert [remark.line for remark in converted(FOUR_BAR, tmp_path, 'in.xml').remarks
            if what in remark.message] == [line]


def test_a_free_root_and_shapes_without_a_counterpart_are_told(tmp_path: Path) -> None:
    messages = '\n'.join(map(str, converted(ODD, tmp_path, 'in.xml').remarks))
    assert "'hull' moves freely in the world" in messages
    assert 'has the shape ellipsoid' in messages


def test_a_coupling_becomes_a_mimic_of_the_joint_with_the_motor(tmp_path: Path) -> None:
    robot = robot_of(converted(ODD, tmp_path, 'in.xml'))
    mimic = robot.by_name['idle'].mimic
    assert mimic is not None
    assert (mimic.joint, mimic.multiplier, mimic.offset) == ('roll', -2.0, 0.1)
    turned = ODD.replace('<motor joint="roll"/>', '<motor joint="idle"/>')
    mimic = robot_of(converted(turned, tmp_path, 'in.xml')).by_name['roll'].mimic
    assert mimic is not None
    assert (mimic.joint, mimic.multiplier) == ('idle', -0.5)
    assert mimic.offset == pytest.approx(0.05)


def test_a_coupling_of_higher_degree_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(DescriptionError, match="'idle' to 'roll' has polycoef 0.1 -2 0.5 0 0"):
        converted(ODD.replace('-2 0 0 0', '-2 0.5 0 0'), tmp_path, 'in.xml')


def test_a_tendon_drives_the_one_that_the_others_follow(tmp_path: Path) -> None:
    text = ODD.replace('<motor joint="roll"/>', '<motor name="grip" tendon="split"/>').replace(
        '<actuator>', '<tendon><fixed name="split"><joint joint="roll" coef="0.5"/>'
        '<joint joint="idle" coef="0.5"/></fixed></tendon><actuator>')
    done = converted(text, tmp_path, 'in.xml')
    robot = robot_of(done)
    assert robot.by_name['roll'].role == 'actuated'
    assert robot.by_name['idle'].role == 'mimic'
    assert any("by a tendon; the motor is 'roll'" in remark.message for remark in done.remarks)
    assert not any('does not tie' in remark.message for remark in done.remarks)


def test_a_tendon_that_ties_joints_is_told_with_them(tmp_path: Path) -> None:
    text = ODD.replace('<actuator>', '<tendon><fixed name="belt"><joint joint="roll" coef="1"/>'
                       '<joint joint="twist" coef="1"/></fixed></tendon><actuator>')
    done = converted(text, tmp_path, 'in.xml')
    assert any("tendon 'belt'" in r.message and "does not tie 'roll', 'twist'" in r.message
               for r in done.remarks)


def test_an_equality_that_holds_a_joint_fixes_it(tmp_path: Path) -> None:
    text = ODD.replace('joint2="roll" polycoef="0.1 -2 0 0 0"', 'polycoef="0.1 0 0 0 0"')
    robot = robot_of(converted(text, tmp_path, 'in.xml'))
    assert robot.by_name['idle'].kind == 'fixed'
    R = robot.by_name['idle'].T_parent_joint[:3, :3]
    assert np.arctan2(R[2, 1], R[2, 2]) == pytest.approx(0.1)  # from where ref has it


def test_without_mujoco_there_is_a_clear_word(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, 'mujoco', None)
    with pytest.raises(DescriptionError, match='not installed: pip install mujoco'):
        converted(FOUR_BAR, tmp_path, 'in.xml')


def test_a_mesh_is_found_where_mujoco_found_it(tmp_path: Path) -> None:
    (tmp_path / 'meshes').mkdir()
    (tmp_path / 'meshes' / 'wedge.obj').write_text(
        'v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n')
    text = """<mujoco><compiler meshdir="meshes"/>
      <asset><mesh name="wedge" file="wedge.obj" scale="0.1 0.2 -0.3"/></asset>
      <worldbody><body name="a"><joint name="j"/>
        <geom type="mesh" mesh="wedge" pos="1 2 3" quat="0.9 0.1 0.2 0.3"/></body></worldbody>
      </mujoco>"""
    (tmp_path / 'out').mkdir()
    (tmp_path / 'in.xml').write_text(text)
    done = convert(tmp_path / 'in.xml', tmp_path / 'out' / 'out.urdf')
    assert 'filename="../meshes/wedge.obj" scale="0.1 0.2 -0.3"' in done.text
    # The shape is where the file had it before MuJoCo moved its frame into the middle.
    assert done.text.count('<origin xyz="1 2 3"') == 2


@pytest.mark.parametrize(('folder', 'file'), [('', '/etc/hostname'), ('..', 'wedge.stl')])
def test_a_mesh_from_elsewhere_is_done_without(folder: str, file: str, tmp_path: Path) -> None:
    text = f"""<mujoco><compiler meshdir="{folder}"/><asset><mesh name="m" file="{file}"/>
      <texture name="t" file="/etc/passwd" type="2d"/><material name="n" texture="t"/></asset>
      <worldbody><body name="a"><joint name="j"/><geom type="mesh" mesh="m"/>
      <geom size="1" material="n"/></body></worldbody></mujoco>"""
    (tmp_path / 'wedge.stl').write_text('solid')
    (tmp_path / 'in').mkdir()
    done = converted(text, tmp_path / 'in', 'in.xml')
    assert '<mesh' not in done.text
    assert '<sphere' in done.text
    messages = '\n'.join(map(str, done.remarks))
    assert f"mesh '{file}', which is not below the folder" in messages
    assert '1 texture' in messages


@pytest.mark.parametrize(('text', 'message', 'line'), [
    ('<mujoco>\n<worldbody>\n<body nme="x"/></worldbody></mujoco>', "attribute: 'nme'", 3),
    ('<mujoco>\n<worldbody><body><joint/></body></worldbody></mujoco>', 'mjMINVAL', 2),
    ('<mujoco>\n<include file="../other.xml"/></mujoco>', 'not below the folder', 2),
    ('<mujoco>\n<include file="/etc/passwd"/></mujoco>', 'not below the folder', 2),
    ('<mujoco>\n<asset>\n<hfield file="/etc/hostname"/></asset></mujoco>', 'not below', 3),
    ('<mujoco><compiler assetdir="../.."/>\n<asset><hfield file="a.png"/></asset></mujoco>',
     'not below', 2),
    ('<mujoco><worldbody>\n<replicate count="1000"><replicate count="1000"><geom size="1"/>'
     '</replicate></replicate></worldbody></mujoco>', 'made 1e\\+06 times', 2),
    ('<mujoco>\n<size nuser_body="999999999"/></mujoco>', 'more than 10000 is not made', 2),
    ('<mujoco>\n<asset><mesh name="m" file="none.stl"/></asset><worldbody>'
     '<geom type="mesh" mesh="m"/></worldbody></mujoco>', 'none.stl', 0),
    ('<mujoco><worldbody>\n<body pos="NaN 0 0"><geom size="1"/></body></worldbody></mujoco>',
     'it has to be finite', 2),
    ('<mujoco><worldbody>\n<body pos="1e300 0 0"><geom size="1"/></body></worldbody></mujoco>',
     "pose of body '' is not finite or far too large", 2),
    ('<!DOCTYPE mujoco [<!ENTITY a "b">]>\n<mujoco/>', 'DTD', 1),
    ('<mujoco>\n<worldbody>', 'cut off', 2)])
def test_what_cannot_be_read_has_a_line(
        text: str, message: str, line: int, tmp_path: Path) -> None:
    with pytest.raises(DescriptionError, match=message) as caught:
        converted(text, tmp_path, 'in.xml')
    assert caught.value.problems[0].line == line
