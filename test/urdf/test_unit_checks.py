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

"""Millimetres and degrees are noticed; cranes, turns and missing limits are not taken for them."""

from __future__ import annotations

import math

import pytest
from support.slider_crank import assert_faults, change, faults, joint, SLIDER

MILLIMETRES = SLIDER.replace('0.1 0 0', '100 0 0').replace('0.4 0 0', '400 0 0').replace(
    '0.3 0 0', '300 0 0')
MESH = ('<link name="base"><visual><geometry><mesh filename="a" scale="0.001 0.001 0.001"/>'
        '</geometry></visual></link>')

# name: text, and for each expected problem its level, line, and words of the message
FAULTS = {
    'millimetres': (MILLIMETRES, [('warning', 6, ["'j3'", '400 m', 'millimetres', '1000'])]),
    'millimetres and a mesh': (MILLIMETRES.replace('<link name="base"/>', MESH),
                               [('warning', 6, ['mesh on line 3', '0.001', 'millimetres'])]),
    'limits': (change('lower="-1" upper="2"', 'lower="-45" upper="90"'),
               [('warning', 4, ["'j1'", 'limits', '-45', 'degrees', '-0.785398'])]),
    'rpy': (change('0 0 1.5', '0 22.5 90'),
            [('warning', 5, ["'j2'", 'rpy', '22.5', 'degrees', '0.392699'])]),
    'rpy of many': (SLIDER.replace('rpy="0 0 1.5"', 'rpy="0 0 90"').replace(
        '<origin xyz="0.3 0 0"', '<origin xyz="0.3 0 0" rpy="-90 0 0"'),
        [('warning', 5, ["'j2', 'j4'", '90', '1.5708'])]),
    'mimic offset': (joint('continuous', '<mimic joint="j1" offset="180"/>'),
                     [('warning', 8, ["'j5'", 'offset', '180', 'degrees'])]),
}


@pytest.mark.parametrize('name', FAULTS)
def test_fault(name: str) -> None:
    assert_faults(*FAULTS[name])


@pytest.mark.parametrize('text', [
    SLIDER.replace('0.1 0 0', '15 0 0').replace('0.4 0 0', '40 0 0').replace('0.3 0 0', '15 0 0'),
    change('lower="-1" upper="2"', f'lower="{-10 * math.pi}" upper="{20 * math.pi}"'),
    change('lower="-1" upper="2"', 'lower="-6" upper="12"'),
    change('lower="-1" upper="2"', 'lower="-1e6" upper="1e6"'),
    change('0 0 1.5', f'0 0 {-2.5 * math.pi}'),
    joint('prismatic', '<limit lower="0" upper="90" effort="1" velocity="1"/>'),
], ids=['crane', 'turns', 'a few turns', 'no limits', 'more than a turn', 'slide'])
def test_what_may_be_meant_is_not_told(text: str) -> None:
    assert faults(text) == []
