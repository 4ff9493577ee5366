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

"""Whether links and joints make a tree, and what mimics follow."""

import pytest
from riod_urdf_ros.robot.model import Mimic
from riod_urdf_ros.urdf.parser import parse
from support.slider_crank import (
    ACTUATED,
    add,
    assert_faults,
    change,
    EXTRA_JOINT,
    EXTRA_LINK,
    joint,
    LIMIT_J1,
)

# name: text, and for each expected problem its level, line, and words of the message
FAULTS = {
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
    'passive mimic': (change(ACTUATED, ACTUATED + '<mimic joint="j1"/>'),
                      [('warning', 5, ['j2', 'mimic', 'closures decide'])]),
    'mimic of unknown': (joint('continuous', '\n<mimic joint="j11"/>'),
                         [('error', 9, ['j5', "'j11'", "'j1'"])]),
    'mimic of fixed': (joint('continuous', '<mimic joint="j4"/>'),
                       [('error', 8, ['j5', 'j4', 'fixed'])]),
    'mimic of floating': (
        add('<link name="y"/><joint name="j6" type="floating"><parent link="base"/>'
            '<child link="y"/></joint>' + EXTRA_LINK
            + EXTRA_JOINT.format('continuous', '<mimic joint="j6"/>')),
        [('error', 8, ['j5', 'j6', 'floating'])]),
    'mimics that overflow': (
        add(''.join(
            f'\n<link name="m{i}"/><joint name="m{i}" type="continuous"><parent link="base"/>'
            f'<child link="m{i}"/><mimic joint="{"j1" if i == 1 else f"m{i - 1}"}" '
            'multiplier="-1e80"/></joint>' for i in (3, 2, 1))),
        [('error', 10, ["'m2'", 'multipliers', 'overflow'])]),
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
}


@pytest.mark.parametrize('name', FAULTS)
def test_fault(name: str) -> None:
    assert_faults(*FAULTS[name])


def test_mimic() -> None:
    text = joint('continuous', '<mimic joint="j2" multiplier="-2" offset=".5"/>')
    assert parse(text).robot.by_name['j5'].mimic == Mimic('j2', -2.0, 0.5)
    text = joint('continuous', '<mimic joint="j1"/>')
    assert parse(text).robot.by_name['j5'].mimic == Mimic('j1', 1.0, 0.0)
    assert parse(FAULTS['passive mimic'][0]).robot.by_name['j2'].mimic is None
