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

"""Which joints a loop has, which loops belong together, and how far apart frames are."""

from __future__ import annotations

from riod_urdf_ros.robot.loops import connected, loop_joints
from riod_urdf_ros.robot.model import Mimic
from support.inline import four_bar, joint, point, robot


def test_loop_joints_take_mimics_by_their_source() -> None:
    geared = robot(
        joint('trunk', 'revolute', 'base'), joint('motor', 'revolute', 'base'),
        joint('a', 'revolute', 'trunk', mimic=Mimic('motor', 2.0)),
        joint('b', 'revolute', 'trunk', passive=True), joint('tip', 'fixed', 'b'),
        point('loop', 'a', 'tip'))
    assert loop_joints(geared, geared.closures[0]) == ('motor', 'b')


def test_closures_that_share_joints_belong_together() -> None:
    both = robot(*four_bar('l_'), *four_bar('r_'), joint('bridge', 'revolute', 'base'),
                 point('x', 'l_coupler_end', 'r_coupler_end'))

    def names(joints: list[str]) -> list[list[str]]:
        return [[closure.name for closure in part]
                for part in connected(both, both.closures, joints)]

    assert names(['l_rocker', 'r_rocker']) == [['l_loop'], ['r_loop'], ['x']]
    assert names(['l_coupler', 'r_rocker']) == [['l_loop', 'x'], ['r_loop']]
    assert names(['l_coupler', 'r_coupler']) == [['l_loop', 'r_loop', 'x']]
    assert names([]) == [['l_loop'], ['r_loop'], ['x']]
