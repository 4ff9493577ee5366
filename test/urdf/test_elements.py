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

"""Whose elements are whose: namespaces and prefixes, right and wrong."""

import pytest
from support.slider_crank import ACTUATED, add, assert_faults, change, SLIDER, XMLNS

# name: text, and for each expected problem its level, line, and words of the message
FAULTS = {
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
}


@pytest.mark.parametrize('name', FAULTS)
def test_fault(name: str) -> None:
    assert_faults(*FAULTS[name])
