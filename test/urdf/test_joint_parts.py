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

"""The parts of a joint: repeated ones, unknown attributes, and numbers."""

import pytest
from support.slider_crank import assert_faults, AXIS_J1, change, joint

# name: text, and for each expected problem its level, line, and words of the message
FAULTS = {
    'parent twice': (change('<parent link="crank"/>', '<parent link="crank"/><parent link="q"/>'),
                     [('warning', 5, ['j2', '<parent>', 'first'])]),
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
    'nan axis': (change(AXIS_J1, AXIS_J1.replace('0 0 1', '0 nan 1')),
                 [('error', 4, ['j1', 'axis', 'finite'])]),
    'limit nan': (change('upper="2"', 'upper="nan"'), [('error', 4, ['j1', 'upper', 'finite'])]),
    'long word': (change('0.1 0 0', '1' * 100_000 + 'x 0 0'),
                  [('error', 5, ['j2', '100001 characters'])]),
    'xacro number': (change('0.1 0 0', '${l} 0 0'),
                     [('error', 5, ['j2', '${l}', 'three numbers', 'xacro'])]),
}


@pytest.mark.parametrize('name', FAULTS)
def test_fault(name: str) -> None:
    assert_faults(*FAULTS[name])
