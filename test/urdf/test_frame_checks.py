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

"""A closure that names the link beside the one that was meant is told which that is."""

from __future__ import annotations

import pytest
from riod_urdf_ros.urdf.parser import parse
from support.slider_crank import assert_faults, faults

# A parallelogram, closed at home between rod_end and rocker_end.
CLOSED = """<robot name="p" xmlns:riod="https://github.com/Origitech/urdf-extensions">
<link name="base"/><link name="crank"/><link name="rod"/><link name="rod_end"/>
<link name="rocker"/><link name="rocker_end"/><link name="rod_mark"/>
<joint name="crank" type="continuous"><parent link="base"/><child link="crank"/>
<axis xyz="0 0 1"/><origin rpy="0 0 1"/></joint>
<joint name="rod" type="continuous"><parent link="crank"/><child link="rod"/><axis xyz="0 0 1"/>
<origin xyz="1 0 0" rpy="0 0 -1"/><riod:actuated value="false"/></joint>
<joint name="re" type="fixed"><parent link="rod"/><child link="rod_end"/><origin xyz="2 0 0"/>
</joint><joint name="rm" type="fixed"><parent link="rod"/><child link="rod_mark"/>
<origin xyz="1 0 0"/></joint>
<joint name="rocker" type="continuous"><parent link="base"/><child link="rocker"/>
<axis xyz="0 0 1"/><origin xyz="2 0 0" rpy="0 0 1"/><riod:actuated value="false"/></joint>
<joint name="ke" type="fixed"><parent link="rocker"/><child link="rocker_end"/>
<origin xyz="1 0 0"/></joint>
<riod:loop_closure name="pin" frameA="rod_end" frameB="rocker_end"/>
</robot>
"""


def closed_between(frame_a: str, frame_b: str) -> str:
    return CLOSED.replace('frameA="rod_end" frameB="rocker_end"',
                          f'frameA="{frame_a}" frameB="{frame_b}"')


@pytest.mark.parametrize('frame_a, frame_b, words', [
    ('rod', 'rocker_end', ["'rocker_end' is 2 m from 'rod'", "did you mean frameA='rod_end'",
                           "fixed to 'rod'"]),
    ('rod_end', 'rocker', ["'rocker' is 1 m", "did you mean frameB='rocker_end'"]),
    ('rod_mark', 'rocker', ["frameA='rod_end'", "and frameB='rocker_end'"])])
def test_the_frame_that_coincides_is_named(frame_a: str, frame_b: str, words: list[str]) -> None:
    assert_faults(closed_between(frame_a, frame_b), [('warning', 15, words)])


def test_a_closure_that_is_closed_or_that_no_frame_closes_is_not_told() -> None:
    assert faults(CLOSED) == []
    assert faults(CLOSED.replace('"rod_end"/><origin xyz="2 0 0"/>',
                                 '"rod_end"/><origin xyz="2.01 0 0"/>')) == []
    assert len(parse(CLOSED).robot.closures) == 1
