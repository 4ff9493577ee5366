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

"""Pairs of closing frames: what onshape-to-robot writes closes as the closed form has it."""

from __future__ import annotations

from pathlib import Path

from riod_urdf_ros.formats.closing_frames import closing_pairs
from support.conversions import assert_is_the_four_bar, converted
from support.robots import B, C, D, hinge, tip

TEXT = ('<robot name="bars"><link name="base"/>' + hinge('crank', 'base', 'crank_link', (0.0, 0.0))
        + hinge('coupler', 'crank_link', 'coupler_link', B)
        + tip('closing_pin_1', 'coupler_link', (C[0] - B[0], C[1] - B[1]))
        + hinge('rocker', 'base', 'rocker_link', D)
        + tip('closing_pin_2', 'rocker_link', (C[0] - D[0], C[1] - D[1])) + '</robot>')


def test_a_pair_is_closed(tmp_path: Path) -> None:
    done = converted(TEXT, tmp_path)
    assert done.source == 'onshape'
    assert_is_the_four_bar(done.text)


def test_only_pairs_are_pairs() -> None:
    assert closing_pairs(['base', 'closing_a_1', 'closing_b_2', 'closing_a_2', 'closing_c']) == {
        'a': ('closing_a_1', 'closing_a_2')}


def test_marks_that_are_there_stay(tmp_path: Path) -> None:
    mark = '<riod:actuated value="false"/>'
    text = TEXT.replace('<robot ', '<robot xmlns:riod="https://github.com/Origitech/'
                        'urdf-extensions" ')
    for name in ('crank', 'coupler'):
        text = text.replace(f'<child link="{name}_link"/>', f'<child link="{name}_link"/>{mark}')
    done = converted(text, tmp_path)
    assert done.text.count('riod:actuated') == 2
    assert not any('which joints have motors' in remark.message for remark in done.remarks)
