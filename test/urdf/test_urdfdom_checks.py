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

"""What urdfdom refuses or drops is warned of; what it reads as it is written is not."""

from __future__ import annotations

import random
import re
import shutil
import subprocess

import pytest
from support.slider_crank import (
    add,
    assert_faults,
    AXIS_J1,
    change,
    EXTRA_JOINT,
    faults,
    joint,
    problems,
    SLIDER,
)

MASS = '<mass value="1"/>'
INERTIA = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
BOX = '<geometry><box size="1 1 1"/></geometry>'


def link(inside: str) -> str:
    return add(f'<link name="more">{inside}</link>' + EXTRA_JOINT.format('fixed', ''))


# name: text, and for each expected problem its level, line, and words of the message
FAULTS = {
    'version': (change('<robot ', '<robot version="1.1" '), [('warning', 2, ["'1.1'", '1.0'])]),
    'inertial without mass': (link(f'<inertial>{INERTIA}</inertial>'),
                              [('warning', 8, ['more', 'no <mass>', 'drops'])]),
    'mass without value': (link(f'<inertial><mass/>{INERTIA}</inertial>'),
                           [('warning', 8, ['<mass>', 'no value'])]),
    'mass no number': (link(f'<inertial><mass value="1 kg"/>{INERTIA}</inertial>'),
                       [('warning', 8, ['<mass>', "'1 kg'", 'one number'])]),
    'inertial without inertia': (link(f'<inertial>{MASS}</inertial>'),
                                 [('warning', 8, ['no <inertia>', 'ixx'])]),
    'inertia incomplete': (link(f'<inertial>{MASS}<inertia ixx="1"/></inertial>'),
                           [('warning', 8, ['<inertia>', 'no ixy'])]),
    'inertial origin': (link(f'<inertial><origin xyz="0"/>{MASS}{INERTIA}</inertial>'),
                        [('warning', 8, ['<origin> of <inertial>', 'three numbers'])]),
    'visual without geometry': (link('\n<visual/>'),
                                [('warning', 9, ['<visual>', 'no <geometry>', '<box>'])]),
    'empty geometry': (link('<collision><geometry/></collision>'),
                       [('warning', 8, ['<geometry> of <collision>', 'empty'])]),
    'unknown shape': (link('<visual><geometry><cone/></geometry></visual>'),
                      [('warning', 8, ['<cone>', '<sphere>'])]),
    'box without size': (link('<visual><geometry><box/></geometry></visual>'),
                         [('warning', 8, ['<box>', 'no size'])]),
    'cylinder without length': (
        link('<visual><geometry><cylinder radius="1"/></geometry></visual>'),
        [('warning', 8, ['<cylinder>', 'no length'])]),
    'sphere no number': (link('<visual><geometry><sphere radius="r"/></geometry></visual>'),
                         [('warning', 8, ['<sphere>', "'r'"])]),
    'mesh without file': (link('<visual><geometry><mesh/></geometry></visual>'),
                          [('warning', 8, ['<mesh>', 'filename'])]),
    'mesh scale': (link('<visual><geometry><mesh filename="a" scale="1"/></geometry></visual>'),
                   [('warning', 8, ['<mesh>', 'scale', 'three numbers'])]),
    'only the first fault of a link': (link('<visual/><visual/><collision/>'),
                                       [('warning', 8, ['<visual>'])]),
    'visual material without name': (link(f'<visual>{BOX}<material/></visual>'),
                                     [('warning', 8, ['<material>', 'no name'])]),
    'material not defined': (
        add('<material name="gray"><color rgba="1 1 1 1"/></material><link name="more">'
            + f'<visual>{BOX}<material name="grey"/></visual>' * 2 + '</link>'
            + EXTRA_JOINT.format('fixed', '')),
        [('warning', 8, ["'grey'", 'not defined', "'gray'"])]),
    'material without colour': (add('<material name="grey"><color/></material>'),
                                [('warning', 8, ['grey', 'rgba'])]),
    'material without name': (add('<material><color rgba="1 1 1 1"/></material>'),
                              [('warning', 8, ['material', 'no name'])]),
    'material twice': (add('<material name="a"><color rgba="1 1 1 1"/></material>' * 2),
                       [('warning', 8, ['two materials', "'a'"])]),
    'three colours': (add('<material name="a"><color rgba="1 1 1"/></material>'),
                      [('warning', 8, ['<color>', 'four numbers'])]),
    'colours to 255': (add('<material name="a"><color rgba="255 0 0 1"/></material>'),
                       [('warning', 8, ['<color>', '0 to 1'])]),
    'empty dynamics': (joint('continuous', '<dynamics/>'),
                       [('warning', 8, ['j5', '<dynamics>', 'damping', 'refuses'])]),
    'damping no number': (joint('continuous', '<dynamics damping="low"/>'),
                          [('warning', 8, ['<dynamics>', "'low'"])]),
    'empty safety controller': (joint('continuous', '<safety_controller/>'),
                                [('warning', 8, ['<safety_controller>', 'k_velocity'])]),
    'calibration': (joint('fixed', '<calibration rising="up"/>'),
                    [('warning', 8, ['<calibration>', "'up'"])]),
    'axis without xyz': (change(AXIS_J1, '<axis/>' + AXIS_J1.partition('/>')[2]),
                         [('warning', 4, ['j1', '<axis>', 'zero'])]),
    'tab in numbers': (change('0.1 0 0', '0.1\t0 0'), [('warning', 5, ['j2', 'xyz', 'tabs'])]),
    'line break in numbers': (change('0 0 1.5', '0\n0 1.5'), [('warning', 5, ['rpy', 'line'])]),
    'space after a number': (change('upper="2"', 'upper="2 "'),
                             [('warning', 4, ['j1', 'upper', 'space at the end'])]),
    'processing instruction': (add('<?x y?>'), [('warning', 8, ['processing instruction'])]),
    'processing instruction after a comment': (
        SLIDER.replace('<robot', '<!-- a -->\n<?x y?>\n<robot', 1),
        [('warning', 3, ['processing instruction'])]),
}


@pytest.mark.parametrize('name', FAULTS)
def test_fault(name: str) -> None:
    assert_faults(*FAULTS[name])


@pytest.mark.parametrize('text', [
    link(f'<inertial><origin xyz=" 1  2 3 "/>{MASS}{INERTIA}</inertial>'),
    link(f'<visual>{BOX}<material name="a"><color rgba="1 0 0 1"/></material></visual>'
         f'<visual>{BOX}<material name="a"/></visual>'),
    link(f'<visual>{BOX}<material name="a"><texture filename="b"/></material></visual>'),
    link(f'<collision>{BOX}<material/></collision>'),
    joint('continuous', '<dynamics friction="1"/><safety_controller k_velocity="1"/>'),
    add('<gazebo><visual/><inertial/><material/></gazebo>'),
    change('rpy="0 0 1.5"', '\n\trpy="0 0 1.5"\n'),
    SLIDER.replace('<robot', '<?a b?>\n<?c d?><!-- e --><robot', 1),
    joint('floating', '<axis xyz="x"/>'),
])
def test_what_urdfdom_reads_is_not_told(text: str) -> None:
    assert faults(text) == []


SOUND = f"""<robot name="r" version="1.0">
<material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
<link name="base"><inertial><origin xyz="0 0 0" rpy="0 0 0"/>{MASS}{INERTIA}</inertial>
<visual>{BOX}<material name="grey"/></visual>
<visual><geometry><mesh filename="a.stl" scale="1 1 1"/></geometry>
<material name="own"><color rgba="1 0 0 1"/></material></visual>
<collision><origin xyz="0 0 1"/><geometry><cylinder radius="1" length="2"/></geometry></collision>
</link><link name="a"/><link name="b"/>
<joint name="j1" type="revolute"><origin xyz="0 0 1" rpy="0 0 0"/><parent link="base"/>
<child link="a"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/>
<dynamics damping="1" friction="0"/><safety_controller soft_lower_limit="-1" k_velocity="1"/>
<calibration rising="1"/></joint>
<joint name="j2" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/>
<mimic joint="j1" multiplier="2" offset="0.5"/></joint>
</robot>
"""
VALUES = ['', 'x', '1', '1 2', '1 2 3', '1 2 3 4', 'nan', '1e999', '0x10', '1,2,3', '1 ', ' 1',
          '1\t2\t3', '1.', '.5', '1_0', '1.1', '256 0 0 1', 'grey', 'base', 'revolute']


def mutations() -> list[str]:
    """Return the sound description with one attribute or element missing, changed or doubled."""
    found = []
    for match in re.finditer(r' (\w+)="([^"]*)"', SOUND):
        for other in ('', f' {match[1]}x="{match[2]}"', *(f' {match[1]}="{v}"' for v in VALUES)):
            found.append(SOUND[:match.start()] + other + SOUND[match.end():])
    for match in re.finditer(r'<(\w+)( [^<>]*)?/>', SOUND):
        for other in ('', match[0] * 2, f'<{match[1]}/>', f'<{match[1]}x/>',
                      f'<{match[1]}/>{match[0]}'):
            found.append(SOUND[:match.start()] + other + SOUND[match.end():])
    return found


def test_nothing_that_urdfdom_complains_of_passes_without_a_word() -> None:
    check_urdf = shutil.which('check_urdf')
    if check_urdf is None:
        pytest.skip('check_urdf of liburdfdom-tools is not installed')
    assert problems(SOUND) == ()
    complaints = 0
    for text in random.Random(12).sample(mutations(), 120):
        done = subprocess.run([check_urdf, '/dev/stdin'], input=text, capture_output=True,
                              text=True, timeout=30)
        if done.returncode or 'Error' in done.stdout + done.stderr:
            complaints += 1
            assert problems(text), (text, done.stdout + done.stderr)
    assert complaints > 50
