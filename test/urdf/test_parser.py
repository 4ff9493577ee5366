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

"""A description as a whole: all its faults in one go, and everything else left alone."""

from __future__ import annotations

from pathlib import Path
import random
import time

import numpy as np
import pytest
from riod_urdf_ros.exceptions import DescriptionError
from riod_urdf_ros.urdf.parser import parse
from support.commands import CASE_MODELS
from support.slider_crank import (
    ACTUATED,
    add,
    assert_faults,
    change,
    EXTRA_JOINT,
    EXTRA_LINK,
    faults,
    LIMIT_J1,
    SLIDER,
    XMLNS,
)

# name: text, and for each expected problem its level, line, and words of the message
FAULTS = {
    'root': ('<model name="a"/>', [('error', 1, ['<model>', '<robot>'])]),
    'robot without name': ('<robot><link name="a"/></robot>', [('error', 1, ['no name'])]),
    'no link': ('<robot name="a"/>', [('error', 1, ['no <link>'])]),
    'xacro element': (
        add('<xacro:include xmlns:xacro="http://www.ros.org/wiki/xacro" filename="a"/>'),
        [('error', 8, ['<xacro:include>', 'unexpanded'])]),
    'xacro undeclared': (add('<xacro:foo/>'), [('error', 8, ['<xacro:foo>', 'unexpanded'])]),
}


@pytest.mark.parametrize('name', FAULTS)
def test_fault(name: str) -> None:
    assert_faults(*FAULTS[name])


def test_all_problems_come_in_one_go_and_in_order() -> None:
    text = change('0.1 0 0', 'nan 0 0').replace('frameB="block"', 'frameB="blok"').replace(
        LIMIT_J1, '').replace('<link name="base"/>', '<link name="base" riod:x="1"/>')
    assert [(level, line) for level, line, _ in faults(text)] == [
        ('warning', 3), ('error', 4), ('error', 5), ('error', 8)]


def test_model() -> None:
    description = parse(SLIDER)
    robot = description.robot
    assert description.problems == ()
    assert description.text == SLIDER
    assert (robot.name, robot.root) == ('slider', 'base')
    assert robot.links == ('base', 'crank', 'rod', 'block', 'tip')
    assert [joint.name for joint in robot.moving_joints] == ['j1', 'j2', 'j3']
    assert [joint.actuated for joint in robot.joints] == [True, False, False, True]
    j1, j2, j3, j4 = robot.joints
    assert (j1.kind, j1.lower, j1.upper, j1.parent, j1.child) == (
        'revolute', -1.0, 2.0, 'base', 'crank')
    assert (j2.lower, j2.upper, j2.mimic) == (None, None, None)
    np.testing.assert_array_equal(j3.axis, [1.0, 0.0, 0.0])
    np.testing.assert_allclose(j2.T_parent_joint, [
        [np.cos(1.5), -np.sin(1.5), 0, 0.1], [np.sin(1.5), np.cos(1.5), 0, 0], [0, 0, 1, 0],
        [0, 0, 0, 1]], atol=1e-15)
    assert [j4.line, robot.closures[0].line] == [7, 8]
    closure = robot.closures[0]
    assert (closure.name, closure.kind, closure.frame_a, closure.frame_b) == (
        'pin', 'point', 'tip', 'block')


@pytest.mark.parametrize('noise', [
    '<material name="a"><color rgba="1 0 0 1"/></material><capability/>',
    '<gazebo reference="nobody"><x a="1"/></gazebo>',
    '<ros2_control><hardware/><joint name="j1"><x/></joint></ros2_control>',
    '<transmission/><transmission name="a"><type>x</type><joint name="j9"/></transmission>',
    '<sensor name="a"><parent link="q"/></sensor><nothing/>text',
    '<x:y xmlns:x="urn:x" x:z="1"><riodx/></x:y>',
    '<joint name="j5" type="fixed"><axis xyz="0 0 0"/><parent link="base"/><child link="more"/>'
    '<limit effort="1" velocity="1"/><dynamics damping="1"/><safety_controller k_velocity="1"/>'
    '<calibration/><unknown/></joint>' + EXTRA_LINK,
    '<joint name="j5" type="floating"><axis xyz="nan"/><parent link="base"/>'
    '<child link="more"/></joint><link name="more"><visual><geometry><box size="1 1 1"/><box/>'
    '</geometry><material name="a"><texture filename="x.png"/></material></visual></link>',
    EXTRA_LINK + EXTRA_JOINT.format('planar', '<axis xyz="0 0 1"/>'),
], ids=['material', 'gazebo', 'ros2_control', 'transmission', 'unknown', 'namespace', 'fixed',
        'floating', 'planar'])
def test_what_is_none_of_our_business_is_left_alone(
        noise: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert faults(add(noise)) == []
    assert capfd.readouterr() == ('', '')


def test_urdf_parser_py_refusing_is_one_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(text: str) -> None:
        raise AssertionError('no\nreason')
    monkeypatch.setattr('urdf_parser_py.urdf.Robot.from_xml_string', refuse)
    assert faults(SLIDER) == [
        ('error', 2, 'urdf_parser_py refuses the description: no reason')]


def test_plain_urdf() -> None:
    text = change(XMLNS, '').replace(ACTUATED, '').replace(
        '<riod:loop_closure name="pin" frameA="tip" frameB="block"/>', '')
    description = parse(text)
    assert (description.problems, description.robot.closures) == ((), ())


def test_random_damage(capfd: pytest.CaptureFixture[str]) -> None:
    generator = random.Random(20261130)
    data = SLIDER.encode()
    for _ in range(400):
        damaged = bytearray(data)
        for _ in range(generator.choice((1, 2, 8, 64))):
            place = generator.randrange(len(damaged))
            if generator.random() < 0.5:
                damaged[place] = generator.randrange(256)
            elif generator.random() < 0.5:
                damaged[place] = generator.choice(b'<>/"\'&:= \n-!?[]${}e.0')
            else:
                end = place + generator.randrange(40)
                damaged[place:end] = damaged[:generator.randrange(30)]
        _survives(bytes(damaged))
        _survives(generator.randbytes(200))
        _survives('<' + generator.randbytes(200).decode('latin-1'))
    assert capfd.readouterr() == ('', '')


def _survives(text: str | bytes) -> None:
    try:
        parse(text)
    except DescriptionError as error:
        assert error.problems


@pytest.mark.parametrize('inside', [
    '<a/>' * 40000, '<joint/>' * 10000, '<x:y/>' * 40000, '<!--' * 500000, '<![CDATA[' * 40000,
    ''.join(f'<p{i}:y/>' for i in range(2000)),
    ''.join(f'<riod:z xmlns:riod="u{i}"/>' for i in range(10000)),
    EXTRA_LINK + '<link name="m"/>' + '<riod:loop_closure frameA="more" frameB="m"/>' * 20000,
    ''.join(f'<link name="l{i}"/>' for i in range(20000)) + ''.join(
        f'<riod:loop_closure frameA="{i}" frameB="l{i}l"/>' for i in range(20000)),
], ids=['elements', 'joints', 'prefixes', 'comments', 'cdata', 'many prefixes', 'bindings',
        'closures', 'names'])
def test_rubbish_in_quantity_is_refused_soon(inside: str) -> None:
    start = time.process_time()
    with pytest.raises(DescriptionError) as caught:
        parse(f'<robot name="r"{XMLNS}>{inside}</robot>')
    assert len(caught.value.problems) <= 1002
    assert time.process_time() - start < 20.0


@pytest.mark.parametrize('path', CASE_MODELS)
def test_real_mechanism(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    start = time.process_time()
    description = parse(path.read_bytes())
    assert time.process_time() - start < 0.5
    assert [problem for problem in description.problems if problem.level == 'error'] == []
    assert description.robot.closures
    assert capfd.readouterr() == ('', '')
