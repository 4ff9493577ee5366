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

"""Links and joints: names, types, axes and limits."""

import numpy as np
import pytest
from riod_urdf_ros.urdf.parser import parse
from support.slider_crank import add, assert_faults, AXIS_J1, change, joint, LIMIT_J1, SLIDER

# name: text, and for each expected problem its level, line, and words of the message
FAULTS = {
    'no parent': (change('<parent link="crank"/>', ''), [('error', 5, ['j2', 'parent'])]),
    'child without link': (change('<child link="rod"/>', '<child/>'),
                           [('error', 5, ['j2', 'child'])]),
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
    'zero axis': (change(AXIS_J1, AXIS_J1.replace('0 0 1', '0 0 0')),
                  [('error', 4, ['j1', 'axis', 'zero'])]),
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
    'limit without effort': (change('upper="2" effort="1"', 'upper="2"'),
                             [('warning', 4, ['j1', 'effort', 'robot_state_publisher'])]),
    'line break in a name': (SLIDER.replace('"tip"', '"t&#10;p"'),
                             [('error', 3, [r"'t\np'", 'line break'])]),
    'control character in a name': (change('"j1"', '"j&#x85;1"'),
                                    [('error', 4, [r"'j\x851'", 'printable'])]),
    'line break in the name of the robot': (change('"slider"', '"sli&#10;der"'),
                                            [('error', 2, ['robot', r"'sli\nder'"])]),
    'line break in the name of a closure': (change('"pin"', '"p&#x2028;in"'),
                                            [('error', 8, ['closure', r"'p\u2028in'"])]),
    'xacro name': (SLIDER.replace('"tip"', '"${p}tip"'),
                   [('error', 3, ['${p}tip', 'xacro']), ('error', 7, ['j4', 'xacro'])]),
}


@pytest.mark.parametrize('name', FAULTS)
def test_fault(name: str) -> None:
    assert_faults(*FAULTS[name])


def test_axis_is_normalised_and_limits_without_bounds_mean_zero() -> None:
    text = change(AXIS_J1, AXIS_J1.replace('0 0 1', '0 3e3 4e3')).replace(
        'lower="-1" upper="2" ', '')
    j1 = parse(text).robot.joints[0]
    np.testing.assert_allclose(j1.axis, [0.0, 0.6, 0.8])
    assert (j1.lower, j1.upper) == (0.0, 0.0)
