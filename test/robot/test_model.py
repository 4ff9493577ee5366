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

"""Paths in the spanning tree, and mimic chains."""

from __future__ import annotations

import pytest
from riod_urdf_ros.robot.model import Mimic
from support.inline import joint, point, robot

ROBOT = robot(
    joint('trunk', 'revolute', 'base'),
    joint('left', 'revolute', 'trunk'), joint('left_tip', 'fixed', 'left'),
    joint('right', 'prismatic', 'trunk', passive=True), joint('right_tip', 'fixed', 'right'),
    joint('head', 'floating', 'trunk'),
    point('across', 'left_tip', 'right_tip'), point('down', 'left_tip', 'trunk'))


def names(joints: tuple[object, ...]) -> list[str]:
    return [getattr(joint, 'name') for joint in joints]


def test_chain_goes_from_the_root_to_a_link() -> None:
    assert names(ROBOT.chain('left_tip')) == ['trunk', 'left', 'left_tip']
    assert ROBOT.chain('base') == ()
    with pytest.raises(KeyError):
        ROBOT.chain('nowhere')


def test_a_loop_begins_at_the_lowest_common_ancestor() -> None:
    across, down = ROBOT.closures
    assert [names(side) for side in ROBOT.loop(across)] == [
        ['left', 'left_tip'], ['right', 'right_tip']]
    assert [names(side) for side in ROBOT.loop(down)] == [['left', 'left_tip'], []]


def test_moving_joints_are_those_of_a_joint_state() -> None:
    assert names(ROBOT.moving_joints) == ['trunk', 'left', 'right']
    assert not ROBOT.by_name['head'].moving
    assert ROBOT.by_child['left_tip'].parent == 'left'


def test_a_mimic_chain_is_followed_to_its_end() -> None:
    chained = robot(
        joint('a', 'revolute', 'base'),
        joint('b', 'revolute', 'base', mimic=Mimic('a', 3.0, 0.5)),
        joint('c', 'revolute', 'base', mimic=Mimic('b', -2.0, 0.1)))
    source, multiplier, offset = chained.source(chained.by_name['c'])
    # c = -2 b + 0.1 = -2 (3 a + 0.5) + 0.1
    assert (source.name, multiplier) == ('a', -6.0)
    assert offset == pytest.approx(-0.9)
    assert chained.source(chained.by_name['a'])[1:] == (1.0, 0.0)
