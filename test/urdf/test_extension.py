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

"""The two elements of the extension: where they may stand, and what they may say."""

import pytest
from riod_urdf_ros.urdf.parser import parse
from support.slider_crank import ACTUATED, add, assert_faults, change, joint

# name: text, and for each expected problem its level, line, and words of the message
FAULTS = {
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
    'closures of one name': (
        add('<riod:loop_closure name="pin" frameA="tip" frameB="base"/>\n'),
        [('error', 9, ['two', "'pin'", 'line 8'])]),
    'closures of the same frames': (
        add('<riod:loop_closure frameA="block" frameB="tip" type="rigid"/>\n'),
        [('warning', 9, ["'tip'", "'block'", 'line 8', 'redundant'])]),
}


@pytest.mark.parametrize('name', FAULTS)
def test_fault(name: str) -> None:
    assert_faults(*FAULTS[name])


def test_unnamed_closures_are_called_after_their_frames() -> None:
    pair = '<riod:loop_closure frameA="tip" frameB="block"/>'
    robot = parse(change('name="pin" ', 'name="tip-block" ').replace(
        '</robot>', pair + pair + '</robot>')).robot
    assert [closure.name for closure in robot.closures] == [
        'tip-block', 'tip-block-2', 'tip-block-3']
    assert parse(change('name="pin" ', 'name="" ')).robot.closures[0].name == 'tip-block'
