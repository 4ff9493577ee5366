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

"""Every fault of a description is told by line and in words; everything else is read."""

from pathlib import Path
import random
import time

import numpy as np
import pytest
from riod_urdf_ros.exceptions import DescriptionError
from riod_urdf_ros.parser import parse
from riod_urdf_ros.xml_text import MAX_BYTES, MAX_TAGS

MECHANISMS = Path(__file__).parents[1] / '../shared/cases/mechanisms'

# A slider-crank. Line 2 has the root, 3 the links, 4 to 7 the joints, 8 the closure.
SLIDER = """<?xml version="1.0"?>
<robot name="slider" xmlns:riod="https://github.com/Origitech/urdf-extensions">
<link name="base"/><link name="crank"/><link name="rod"/><link name="block"/><link name="tip"/>
<joint name="j1" type="revolute"><parent link="base"/><child link="crank"/><axis xyz="0 0 1"/><limit lower="-1" upper="2" effort="1" velocity="1"/></joint>
<joint name="j2" type="continuous"><origin xyz="0.1 0 0" rpy="0 0 1.5"/><parent link="crank"/><child link="rod"/><axis xyz="0 0 1"/><riod:actuated value="false"/></joint>
<joint name="j3" type="prismatic"><origin xyz="0.4 0 0"/><parent link="base"/><child link="block"/><limit lower="-1" upper="1" effort="1" velocity="1"/><riod:actuated value="false"/></joint>
<joint name="j4" type="fixed"><origin xyz="0.3 0 0"/><parent link="rod"/><child link="tip"/></joint>
<riod:loop_closure name="pin" frameA="tip" frameB="block"/>
</robot>
"""  # noqa: E501

EXTRA_LINK = '<link name="more"/>'
EXTRA_JOINT = ('<joint name="j5" type="{}"><parent link="base"/><child link="more"/>{}</joint>')


def change(old, new):
    assert old in SLIDER, old
    return SLIDER.replace(old, new, 1)


def add(text):
    """Put text on line 8, before the closure."""
    return change('<riod:loop_closure', text + '<riod:loop_closure')


def joint(kind, inside=''):
    """Add a link and a joint to it on line 8."""
    return add(EXTRA_LINK + EXTRA_JOINT.format(kind, inside))


def problems(text):
    try:
        return parse(text).problems
    except DescriptionError as error:
        assert any(problem.level == 'error' for problem in error.problems)
        return error.problems


def faults(text):
    return [(problem.level, problem.line, problem.message) for problem in problems(text)]


AXIS_J1 = '<axis xyz="0 0 1"/><limit'
LIMIT_J1 = '<limit lower="-1" upper="2" effort="1" velocity="1"/>'
ACTUATED = '<riod:actuated value="false"/>'
XMLNS = ' xmlns:riod="https://github.com/Origitech/urdf-extensions"'

# name: text, and for each expected problem its level, line, and words of the message
FAULTS = {
    'empty': ('', [('error', 1, ['empty'])]),
    'blank': (' \n\t\n', [('error', 1, ['empty'])]),
    'json': ('\n{"robot": 1}', [('error', 2, ['not XML', 'robot'])]),
    'truncated': (SLIDER[:SLIDER.index('<joint name="j3"')],
                  [('error', 6, ['not well-formed', 'cut off'])]),
    'no quotes': (change('link="rod"', 'link=rod'), [('error', 5, ['quotes'])]),
    'ampersand': (add('a & b'), [('error', 8, ['&amp;'])]),
    'attribute twice': (change('<link name="base"', '<link name="a" name="b"'),
                        [('error', 3, ['name redefined'])]),
    'dtd': (change('<robot', '<!DOCTYPE robot>\n<robot'), [('error', 2, ['DTD'])]),
    'entity': (change('value="false"', 'value="&no;"'), [('error', 5, ['entities'])]),
    'root': ('<model name="a"/>', [('error', 1, ['<model>', '<robot>'])]),
    'robot without name': ('<robot><link name="a"/></robot>', [('error', 1, ['no name'])]),
    'no link': ('<robot name="a"/>', [('error', 1, ['no <link>'])]),
    'declaration not first': ('\n<?xml version="1.0"?><robot/>', [('error', 2, ['first'])]),
    'deep': ('<robot name="a">' + '<b>' * 400 + '</b>' * 400 + '</robot>',
             [('error', 1, ['256 deep'])]),
    'large': ('<robot name="' + 'a' * MAX_BYTES + '"/>', [('error', 1, [str(MAX_BYTES)])]),
    'many tags': ('<robot name="a">' + '<b/>' * MAX_TAGS + '</robot>',
                  [('error', 1, ['tags', str(MAX_TAGS)])]),
    'not UTF-8': (b'<robot name="a">\n\xff</robot>', [('error', 2, ['byte 18', 'utf-8'])]),
    'unknown encoding': (b'<?xml version="1.0" encoding="klingon"?><robot/>',
                         [('error', 1, ['klingon'])]),
    'surrogate': ('<robot>\n\ud800</robot>', [('error', 2, ['surrogate'])]),

    'other URI': (change('urdf-extensions"', 'urdf_extensions"'),
                  [('error', 2, ['urdf_extensions', 'urdf-extensions'])]),
    'other URI, unused': (
        f'<robot name="a"\n {XMLNS.replace("https", "http")}><link name="a"/></robot>',
        [('error', 1, ['http:', 'https:'])]),
    'other URI inside': (change('<riod:loop_closure', '<riod:loop_closure xmlns:riod="urn:x"'),
                         [('error', 8, ['urn:x'])]),
    'not declared': (change(XMLNS, ''),
                     [('error', 5, ['not declared', XMLNS.strip(), '<robot>'])]),
    'other prefix undeclared': (add('<foo:bar/><foo:bar/>'),
                                [('warning', 8, ['foo', 'not declared'])]),
    'other prefix': (SLIDER.replace('riod:', 'ext:').replace('xmlns:riod', 'xmlns:ext'),
                     [('warning', 5, ['prefix ext', 'prefix riod'])]),
    'default namespace': (
        change('<riod:loop_closure', f'<loop_closure{XMLNS.replace(":riod", "")}'),
        [('warning', 8, ['no prefix', 'prefix riod'])]),
    'forgotten prefix': (add('<loop_closure frameA="tip" frameB="block"/>'),
                         [('warning', 8, ['<loop_closure>', '<riod:loop_closure>'])]),
    'forgotten prefix, other case': (
        add('<LoopClosure frameA="tip" frameB="block"/>'),
        [('warning', 8, ['<LoopClosure>', '<riod:loop_closure>'])]),
    'prefix of other case, not declared': (
        change(ACTUATED, '<Riod:actuated value="false"/>'),
        [('error', 5, ['<Riod:actuated>', '<riod:actuated>']),
         ('warning', 5, ['Riod', 'not declared'])]),
    'prefix of other case, of other URI': (
        change('<riod:loop_closure', '<RIOD:loop_closure xmlns:RIOD="urn:x"'),
        [('error', 8, ['<RIOD:loop_closure>', '<riod:loop_closure>'])]),
    'prefix with other punctuation': (
        change(ACTUATED, '<riod_actuated value="false"/>'),
        [('error', 5, ['<riod_actuated>', '<riod:actuated>'])]),
    'unknown element': (add('<riod:loop_closer/>'),
                        [('warning', 8, ['<riod:loop_closer>', "'loop_closure'"])]),
    'element of other case': (change(ACTUATED, '<riod:Actuated value="false"/>'),
                              [('error', 5, ['<riod:Actuated>', '<riod:actuated>'])]),
    'element of other punctuation': (
        change('riod:loop_closure', 'riod:loop-closure'),
        [('error', 8, ['<riod:loop-closure>', '<riod:loop_closure>'])]),
    'unknown element elsewhere': (add('<gazebo><plugin><riod:gear/></plugin></gazebo>'),
                                  [('warning', 8, ['<riod:gear>'])]),
    'unknown attribute': (change('frameA="tip"', 'frameA="tip" tipe="rigid"'),
                          [('warning', 8, ['tipe', 'pin', "'type'"])]),
    'attribute with prefix': (change('<link name="base"', '<link riod:mass="1" name="base"'),
                              [('warning', 3, ['riod:mass', '<link>'])]),
    'known attribute with prefix': (
        change('frameA="tip"', 'riod:frameA="tip"'),
        [('error', 8, ['pin', 'no frameA']), ('warning', 8, ['without the prefix'])]),
    'actuated in robot': (add(ACTUATED), [('error', 8, ['<riod:actuated>', '<joint>'])]),
    'actuated in a part': (
        change('<axis xyz="0 0 1"/><limit', f'<axis xyz="0 0 1">{ACTUATED}</axis><limit'),
        [('error', 4, ['inside <axis>', '<joint>'])]),
    'actuated in a transmission': (
        add(f'<transmission><joint name="j1">{ACTUATED}</joint></transmission>'),
        [('error', 8, ['inside <joint>', 'child of <robot>'])]),
    'closure in link': (change('<link name="tip"/>', '<link name="tip"><riod:loop_closure '
                               'frameA="a" frameB="b"/></link>'),
                        [('error', 3, ["<link> 'tip'", '<robot>'])]),
    'closure in gazebo': (add('<gazebo><riod:loop_closure/></gazebo>'),
                          [('error', 8, ['<gazebo>', '<robot>'])]),
    'actuated twice': (change(ACTUATED, ACTUATED + '\n<riod:actuated value="true"/>'),
                       [('error', 6, ['j2', '2 times', 'line 5'])]),
    'no value': (change(ACTUATED, '<riod:actuated/>'), [('error', 5, ['j2', 'no value'])]),
    'value': (change(ACTUATED, '<riod:actuated value="False"/>'),
              [('error', 5, ['j2', "'False'", 'true or false'])]),
    'value spaces': (change(ACTUATED, '<riod:actuated value=" false"/>'),
                     [('error', 5, ['j2', "' false'"])]),
    'actuated fixed': (change('<parent link="rod"/>', f'<parent link="rod"/>{ACTUATED}'),
                       [('error', 7, ['j4', 'fixed'])]),
    'actuated floating': (joint('floating', ACTUATED), [('error', 8, ['j5', 'floating'])]),
    'actuated planar': (joint('planar', ACTUATED), [('error', 8, ['j5', 'planar'])]),
    'no frameA': (change('frameA="tip" ', ''), [('error', 8, ['pin', 'frameA'])]),
    'no frames': (change('frameA="tip" frameB="block"', ''),
                  [('error', 8, ['frameA']), ('error', 8, ['frameB'])]),
    'unknown frame': (change('frameB="block"', 'frameB="Block1"'),
                      [('error', 8, ['frameB', "'Block1'", "'block'"])]),
    'joint as frame': (change('frameB="block"', 'frameB="j3"'),
                       [('error', 8, ['frameB', "'j3'", 'joint', 'child link'])]),
    'same frame': (change('frameB="block"', 'frameB="tip"'), [('error', 8, ["'tip'", 'itself'])]),
    'closure type': (change('name="pin"', 'name="pin" type="Rigid"'),
                     [('error', 8, ["'Rigid'", 'point', 'rigid'])]),
    'rigid body': (change('frameA="tip"', 'frameA="rod"').replace('frameB="block"', 'frameB="tip"')
                   .replace(ACTUATED, ''),
                   [('error', 8, ['pin', 'rigid body', '0.3 m'])]),
    'rigid body, turned': (
        add(EXTRA_LINK + EXTRA_JOINT.format('fixed', '<origin rpy="0 0 0.5"/>')
            + '<riod:loop_closure type="rigid" frameA="base" frameB="more"/>'),
        [('error', 8, ["'base-more'", '0.5 rad'])]),
    'no passive joint': (SLIDER.replace(ACTUATED, ''), [('warning', 8, ['pin', 'no passive'])]),
    'passive on no loop': (joint('continuous', '\n' + ACTUATED),
                           [('warning', 9, ['j5', 'loop', 'else 0'])]),
    'passive, closure forgotten': (
        change('<riod:loop_closure name="pin" frameA="tip" frameB="block"/>', ''),
        [('warning', 5, ['j2']), ('warning', 6, ['j3'])]),
    'closures of one name': (
        add('<riod:loop_closure name="pin" frameA="tip" frameB="base"/>\n'),
        [('error', 9, ['two', "'pin'", 'line 8'])]),
    'closures of the same frames': (
        add('<riod:loop_closure frameA="block" frameB="tip" type="rigid"/>\n'),
        [('warning', 9, ["'tip'", "'block'", 'line 8', 'redundant'])]),
    'no actuated joint': (change(LIMIT_J1, LIMIT_J1 + ACTUATED),
                          [('warning', 8, ['pin', 'no actuated joint'])]),
    'passive mimic': (change(ACTUATED, ACTUATED + '<mimic joint="j1"/>'),
                      [('warning', 5, ['j2', 'mimic', 'closures decide'])]),
    'floating on a loop': (
        change('type="continuous"', 'type="floating"').replace(ACTUATED, '', 1),
        [('error', 8, ['pin', 'floating', 'j2', 'line 5'])]),
    'planar on a loop': (change('type="continuous"', 'type="planar"').replace(ACTUATED, '', 1),
                         [('error', 8, ['pin', 'planar', 'j2'])]),

    'two roots': (add(EXTRA_LINK), [('error', 8, ["'base'", "'more'", 'root'])]),
    'cycle': (change('<parent link="base"/><child link="crank"/>',
                     '<parent link="tip"/><child link="crank"/>'),
              [('error', 4, ['j1', 'j2', 'j4', 'circle'])]),
    'self loop': (add('<link name="x"/><joint name="j5" type="fixed"><parent link="x"/>'
                      '<child link="x"/></joint>'), [('error', 8, ['j5', 'itself'])]),
    'two parents': (joint('fixed').replace('link="more"', 'link="tip"').replace(EXTRA_LINK, ''),
                    [('error', 8, ["'tip'", 'j4', 'j5', 'loop_closure'])]),
    'unknown parent': (change('<parent link="crank"', '<parent link="crak"'),
                       [('error', 5, ['j2', "'crak'", "'crank'"])]),
    'unknown child': (change('<child link="rod"', '<child link="rodd"'),
                      [('error', 5, ['j2', "'rodd'", "'rod'"])]),
    'no parent': (change('<parent link="crank"/>', ''), [('error', 5, ['j2', 'parent'])]),
    'child without link': (change('<child link="rod"/>', '<child/>'),
                           [('error', 5, ['j2', 'child'])]),
    'parent twice': (change('<parent link="crank"/>', '<parent link="crank"/><parent link="q"/>'),
                     [('warning', 5, ['j2', '<parent>', 'first'])]),
    'link name twice': (add('<link name="rod"/>'), [('error', 8, ["'rod'", 'line 3'])]),
    'joint name twice': (joint('fixed').replace('"j5"', '"j4"'),
                         [('error', 8, ["'j4'", 'line 7'])]),
    'link without name': (add('<link/>'), [('error', 8, ['<link>', 'no name'])]),
    'joint without name': (joint('fixed').replace(' name="j5"', ''),
                           [('error', 8, ['<joint>', 'no name'])]),
    'joint type': (change('type="continuous"', 'type="hinge"'), [('error', 5, ['j2', "'hinge'"])]),
    'joint type near': (change('type="continuous"', 'type="Continuous"'),
                        [('error', 5, ['j2', "'continuous'"])]),
    'no joint type': (change(' type="continuous"', ''), [('error', 5, ['j2', 'type'])]),
    'mimic of unknown': (joint('continuous', '\n<mimic joint="j11"/>'),
                         [('error', 9, ['j5', "'j11'", "'j1'"])]),
    'mimic of fixed': (joint('continuous', '<mimic joint="j4"/>'),
                       [('error', 8, ['j5', 'j4', 'fixed'])]),
    'mimic of floating': (
        add('<link name="y"/><joint name="j6" type="floating"><parent link="base"/>'
            '<child link="y"/></joint>' + EXTRA_LINK
            + EXTRA_JOINT.format('continuous', '<mimic joint="j6"/>')),
        [('error', 8, ['j5', 'j6', 'floating'])]),
    'mimic of itself': (joint('continuous', '<mimic joint="j5"/>'), [('error', 8, ['itself'])]),
    'mimic cycle': (
        joint('continuous', '<mimic joint="j1"/>').replace(
            LIMIT_J1, LIMIT_J1 + '<mimic joint="j5"/>'),
        [('error', 4, ['j1', 'j5', 'circle'])]),
    'xacro in mimic': (joint('continuous', '<mimic joint="${p}j"/>'),
                       [('error', 8, ['j5', '${p}j'])]),
    'mimic without joint': (joint('continuous', '<mimic/>'), [('error', 8, ['j5', 'mimic'])]),
    'mimic in fixed': (joint('fixed', '<mimic joint="j1"/>'),
                       [('warning', 8, ['j5', 'fixed', 'ignored'])]),
    'mimic number': (joint('continuous', '<mimic joint="j1" multiplier="-1,5"/>'),
                     [('error', 8, ['j5', 'multiplier', "'-1,5'"])]),

    'nan': (change('0.1 0 0', 'NaN 0 0'), [('error', 5, ['j2', 'NaN', 'finite'])]),
    'inf': (change('0 0 1.5', '0 0 -inf'), [('error', 5, ['j2', 'rpy', 'inf', 'finite'])]),
    'overflow': (change('0.1 0 0', '1e999 0 0'), [('error', 5, ['j2', '1e999', 'finite'])]),
    'absurd': (change('0.1 0 0', '1e200 0 0'), [('error', 5, ['j2', 'large'])]),
    'hex': (change('0.1 0 0', '0x1p3 0 0'), [('error', 5, ['j2', "'0x1p3'"])]),
    'underscore': (change('0.1 0 0', '1_0 0 0'), [('error', 5, ['j2', "'1_0'"])]),
    'Arabic digits': (change('0.1 0 0', '\u0661 0 0'), [('error', 5, ['j2', 'decimal'])]),
    'words': (change('0.1 0 0', 'here'), [('error', 5, ['j2', "'here'", 'three numbers'])]),
    'two numbers': (change('0.1 0 0', '0.1 0'), [('error', 5, ['j2', 'three numbers', 'not 2'])]),
    'no numbers': (change('0.1 0 0', ''), [('error', 5, ['j2', 'three numbers', 'not 0'])]),
    'commas': (change('0.1 0 0', '0.1, 0, 0'), [('error', 5, ['j2', 'spaces'])]),
    'unknown attribute of origin': (change('rpy=', 'rpz='), [('warning', 5, ['rpz', "'rpy'"])]),
    'quaternion': (change('rpy="0 0 1.5"', 'quat_xyzw="0 0 0 1"'),
                   [('error', 5, ['j2', 'quat_xyzw', 'rpy'])]),
    'zero axis': (change(AXIS_J1, AXIS_J1.replace('0 0 1', '0 0 0')),
                  [('error', 4, ['j1', 'axis', 'zero'])]),
    'nan axis': (change(AXIS_J1, AXIS_J1.replace('0 0 1', '0 nan 1')),
                 [('error', 4, ['j1', 'axis', 'finite'])]),
    'long axis': (change(AXIS_J1, AXIS_J1.replace('0 0 1', '0 0 -2')),
                  [('warning', 4, ['j1', 'axis', 'unit', 'normalised'])]),
    'no limit': (change(LIMIT_J1, ''), [('error', 4, ['j1', 'revolute', '<limit>'])]),
    'no prismatic limit': (
        change('<limit lower="-1" upper="1" effort="1" velocity="1"/>', ''),
        [('error', 6, ['j3', 'prismatic', '<limit>'])]),
    'limit without bounds': (change('lower="-1" upper="2" ', ''),
                             [('warning', 4, ['j1', 'lower', 'upper', '0 to 0'])]),
    'limits crossed': (change('lower="-1" upper="2"', 'lower="3" upper="2"'),
                       [('error', 4, ['j1', '3', '2', 'above'])]),
    'lower above the default': (change('lower="-1" upper="2"', 'lower="3"'),
                                [('error', 4, ['j1', '3', '0', 'above'])]),
    'limit nan': (change('upper="2"', 'upper="nan"'), [('error', 4, ['j1', 'upper', 'finite'])]),
    'limit without effort': (change('upper="2" effort="1"', 'upper="2"'),
                             [('warning', 4, ['j1', 'effort', 'robot_state_publisher'])]),

    'xacro element': (
        add('<xacro:include xmlns:xacro="http://www.ros.org/wiki/xacro" filename="a"/>'),
        [('error', 8, ['<xacro:include>', 'unexpanded'])]),
    'xacro undeclared': (add('<xacro:foo/>'), [('error', 8, ['<xacro:foo>', 'unexpanded'])]),
    'xacro number': (change('0.1 0 0', '${l} 0 0'),
                     [('error', 5, ['j2', '${l}', 'three numbers', 'xacro'])]),
    'xacro name': (SLIDER.replace('"tip"', '"${p}tip"'),
                   [('error', 3, ['${p}tip', 'xacro']), ('error', 7, ['j4', 'xacro'])]),
}


@pytest.mark.parametrize('name', FAULTS)
def test_fault(name):
    text, expected = FAULTS[name]
    found = faults(text)
    assert [(level, line) for level, line, _ in found] == [
        (level, line) for level, line, _ in expected], found
    for (_, _, message), (_, _, words) in zip(found, expected):
        assert all(word in message for word in words), message
        assert len(message) < 400 and '\n' not in message


def test_all_problems_come_in_one_go_and_in_order():
    text = change('0.1 0 0', 'nan 0 0').replace('frameB="block"', 'frameB="blok"').replace(
        LIMIT_J1, '').replace('<link name="base"/>', '<link name="base" riod:x="1"/>')
    assert [(level, line) for level, line, _ in faults(text)] == [
        ('warning', 3), ('error', 4), ('error', 5), ('error', 8)]


def test_faulty_numbers_do_not_hide_what_is_wrong_with_loops():
    text = FAULTS['rigid body'][0].replace('rpy="0 0 1.5"', 'rpy="0 0 x"')
    assert [line for _, line, _ in faults(text)] == [5, 8]


def test_lines_are_those_on_which_tags_begin_however_far_down():
    text = change('<link name="base"/>', '\n' * 70000 + '<!-- <link> -->\n<link name="base"/>')
    text = text.replace('<riod:loop_closure name="pin"', '<riod:loop_closure\n\n name="pin"')
    closure = parse(text).robot.closures[0]
    assert text.splitlines()[closure.line - 1] == '<riod:loop_closure'
    for end in ('\r\n', '\n'):
        lines = [joint.line for joint in parse(text.replace('\n', end)).robot.joints]
        assert lines == [70005, 70006, 70007, 70008]


def test_model():
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


def test_axis_is_normalised_and_limits_without_bounds_mean_zero():
    text = change(AXIS_J1, AXIS_J1.replace('0 0 1', '0 3e3 4e3')).replace(
        'lower="-1" upper="2" ', '')
    j1 = parse(text).robot.joints[0]
    np.testing.assert_allclose(j1.axis, [0.0, 0.6, 0.8])
    assert (j1.lower, j1.upper) == (0.0, 0.0)


def test_mimic():
    text = joint('continuous', '<mimic joint="j2" multiplier="-2" offset=".5"/>')
    mimic = parse(text).robot.by_name['j5'].mimic
    assert (mimic.joint, mimic.multiplier, mimic.offset) == ('j2', -2.0, 0.5)
    mimic = parse(joint('continuous', '<mimic joint="j1"/>')).robot.by_name['j5'].mimic
    assert (mimic.multiplier, mimic.offset) == (1.0, 0.0)
    assert parse(FAULTS['passive mimic'][0]).robot.by_name['j2'].mimic is None


def test_passive_joint_on_a_loop_only_through_its_mimic_is_on_the_loop():
    # j3 follows the passive j5, which is not on the loop itself.
    text = joint('continuous', ACTUATED).replace(
        '<limit lower="-1" upper="1" effort="1" velocity="1"/>' + ACTUATED,
        '<limit lower="-1" upper="1" effort="1" velocity="1"/><mimic joint="j5"/>')
    assert faults(text) == []


def test_loops_that_move_together_need_one_motor():
    # The second loop has passive joints only, and shares j3 with the first.
    text = add(EXTRA_LINK + EXTRA_JOINT.format('continuous', ACTUATED)
               + '<riod:loop_closure name="second" frameA="more" frameB="block"/>')
    assert faults(text) == []
    assert len(faults(text.replace(LIMIT_J1, LIMIT_J1 + ACTUATED))) == 1


def test_unnamed_closures_are_called_after_their_frames():
    pair = '<riod:loop_closure frameA="tip" frameB="block"/>'
    robot = parse(change('name="pin" ', 'name="tip-block" ').replace(
        '</robot>', pair + pair + '</robot>')).robot
    assert [closure.name for closure in robot.closures] == [
        'tip-block', 'tip-block-2', 'tip-block-3']
    assert parse(change('name="pin" ', 'name="" ')).robot.closures[0].name == 'tip-block'


@pytest.mark.parametrize('text', [
    SLIDER.replace('<?xml version="1.0"?>', '<?xml version="1.0" encoding="UTF-16"?>'),
    '\ufeff' + SLIDER,
    SLIDER.encode(),
    b'\xef\xbb\xbf' + SLIDER.encode(),
    SLIDER.replace('"1.0"', '"1.0" encoding="UTF-16"').encode('utf-16'),
    SLIDER.replace('"1.0"', '"1.0" encoding="UTF-16"').encode(),
    SLIDER.replace('"1.0"', '"1.0" encoding=\'latin-1\'').replace('rod', 'bi\xe8le').encode(
        'latin-1'),
    SLIDER.replace('rod', '\u9023\u687f'),
    SLIDER.replace('<robot ', '<robot xmlns="http://www.ros.org" '),
    SLIDER.replace('<robot ', '<robot version="1.1" '),
    SLIDER.replace('frameA="tip"', "\n\tframeA = 'tip'\n"),
    SLIDER.replace('<joint', '<!-- <riod:x/> --><![CDATA[<riod:y/>]]><?z <riod:z/>?><joint'),
], ids=['declared in str', 'BOM', 'bytes', 'BOM in bytes', 'UTF-16', 'declared wrongly',
        'latin-1', 'CJK', 'default namespace', 'version', 'white space', 'comments'])
def test_text_in_any_form(text):
    description = parse(text)
    assert description.problems == ()
    assert len(description.robot.joints) == 4
    assert len(description.robot.closures) == 1
    assert description.text.startswith('<')


@pytest.mark.parametrize('noise', [
    '<material/><material name="a"/><material name="b"><color rgba="1 2"/></material>',
    '<gazebo reference="nobody"><x a="1"/></gazebo>',
    '<ros2_control><hardware/><joint name="j1"><x/></joint></ros2_control>',
    '<transmission/><transmission name="a"><type>x</type><joint name="j9"/></transmission>',
    '<sensor name="a"><parent link="q"/></sensor><nothing/>text',
    '<x:y xmlns:x="urn:x" x:z="1"><riodx/></x:y>',
    '<joint name="j5" type="fixed"><axis xyz="0 0 0"/><parent link="base"/><child link="more"/>'
    '<limit effort="1" velocity="1"/><dynamics damping="x"/><safety_controller/>'
    '<calibration/><unknown/></joint>' + EXTRA_LINK,
    '<joint name="j5" type="floating"><axis xyz="nan"/><parent link="base"/>'
    '<child link="more"/></joint><link name="more"><visual/><visual><geometry><box/><box/>'
    '</geometry></visual><inertial><mass value="heavy"/></inertial></link>',
    EXTRA_LINK + EXTRA_JOINT.format('planar', '<axis xyz="0 0 1"/>'),
], ids=['material', 'gazebo', 'ros2_control', 'transmission', 'unknown', 'namespace', 'fixed',
        'floating', 'planar'])
def test_what_is_none_of_our_business_is_left_alone(noise, capfd):
    assert faults(add(noise)) == []
    assert capfd.readouterr() == ('', '')


def test_urdf_parser_py_refusing_is_one_problem(monkeypatch):
    def refuse(text):
        raise AssertionError('no\nreason')
    monkeypatch.setattr('urdf_parser_py.urdf.Robot.from_xml_string', refuse)
    assert faults(SLIDER) == [
        ('error', 2, 'urdf_parser_py refuses the description: no reason')]


def test_plain_urdf():
    text = change(XMLNS, '').replace(ACTUATED, '').replace(
        '<riod:loop_closure name="pin" frameA="tip" frameB="block"/>', '')
    description = parse(text)
    assert (description.problems, description.robot.closures) == ((), ())


def test_truncated_anywhere():
    data = SLIDER.rstrip().encode()
    for length in range(0, len(data), 7):
        with pytest.raises(DescriptionError) as caught:
            parse(data[:length])
        assert all(problem.line >= 1 for problem in caught.value.problems), length


def test_random_damage(capfd):
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


def _survives(text):
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
def test_rubbish_in_quantity_is_refused_soon(inside):
    start = time.process_time()
    with pytest.raises(DescriptionError) as caught:
        parse(f'<robot name="r"{XMLNS}>{inside}</robot>')
    assert len(caught.value.problems) <= 1002
    assert time.process_time() - start < 20.0


def _mechanisms():
    paths = sorted(MECHANISMS.glob('*/model.urdf'))
    return paths or [pytest.param(None, marks=pytest.mark.skip('no ../shared/cases/mechanisms'))]


@pytest.mark.parametrize('path', _mechanisms(), ids=lambda path: path and path.parent.name)
def test_real_mechanism(path, capfd):
    start = time.process_time()
    description = parse(path.read_bytes())
    assert time.process_time() - start < 0.5
    assert [problem for problem in description.problems if problem.level == 'error'] == []
    assert description.robot.closures
    assert capfd.readouterr() == ('', '')
