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

"""Whether closures and passive joints make loops that can move."""

import pytest
from support.slider_crank import (
    ACTUATED,
    add,
    assert_faults,
    change,
    EXTRA_JOINT,
    EXTRA_LINK,
    faults,
    joint,
    LIMIT_J1,
    SLIDER,
)

# name: text, and for each expected problem its level, line, and words of the message
FAULTS = {
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
    'no actuated joint': (change(LIMIT_J1, LIMIT_J1 + ACTUATED),
                          [('warning', 8, ['pin', 'no actuated joint'])]),
    'floating on a loop': (
        change('type="continuous"', 'type="floating"').replace(ACTUATED, '', 1),
        [('error', 8, ['pin', 'floating', 'j2', 'line 5'])]),
    'planar on a loop': (change('type="continuous"', 'type="planar"').replace(ACTUATED, '', 1),
                         [('error', 8, ['pin', 'planar', 'j2'])]),
}


@pytest.mark.parametrize('name', FAULTS)
def test_fault(name: str) -> None:
    assert_faults(*FAULTS[name])


def test_passive_joint_on_a_loop_only_through_its_mimic_is_on_the_loop() -> None:
    # j3 follows the passive j5, which is not on the loop itself.
    text = joint('continuous', ACTUATED).replace(
        '<limit lower="-1" upper="1" effort="1" velocity="1"/>' + ACTUATED,
        '<limit lower="-1" upper="1" effort="1" velocity="1"/><mimic joint="j5"/>')
    assert faults(text) == []


def test_loops_that_move_together_need_one_motor() -> None:
    # The second loop has passive joints only, and shares j3 with the first.
    text = add(EXTRA_LINK + EXTRA_JOINT.format('continuous', ACTUATED)
               + '<riod:loop_closure name="second" frameA="more" frameB="block"/>')
    assert faults(text) == []
    assert len(faults(text.replace(LIMIT_J1, LIMIT_J1 + ACTUATED))) == 1


def test_faulty_numbers_do_not_hide_what_is_wrong_with_loops() -> None:
    text = FAULTS['rigid body'][0].replace('rpy="0 0 1.5"', 'rpy="0 0 x"')
    assert [line for _, line, _ in faults(text)] == [5, 8]
