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

"""Which joints are independent, by default and by choice."""

from __future__ import annotations

import pytest
from riod_urdf_ros.constraints.recordings import ClosureCode
from riod_urdf_ros.robot.model import Mimic, Robot
from riod_urdf_ros.structure.independent_joints import independent_joints
from support.inline import four_bar, joint, point, robot, tied_sliders, X


def chosen(robot: Robot, *known: str) -> list[str]:
    return independent_joints(
        ClosureCode(robot), known, {joint.name: 0.0 for joint in robot.moving_joints})


def test_the_actuated_joints_by_default() -> None:
    mechanism = robot(*four_bar(), joint('arm', 'prismatic', 'base', axis=X),
                      joint('gear', 'revolute', 'base', mimic=Mimic('arm')),
                      joint('caster', 'continuous', 'base', passive=True))
    assert chosen(mechanism) == ['crank', 'arm']


@pytest.mark.parametrize('known', ['coupler', 'rocker', 'crank'])
def test_a_known_joint_takes_the_place_of_the_motor(known: str) -> None:
    assert chosen(robot(*four_bar()), known) == [known]


def test_motors_of_other_loops_stay() -> None:
    mechanism = robot(*four_bar('a_'), *four_bar('b_'))
    assert chosen(mechanism, 'b_rocker') == ['a_crank', 'b_rocker']


def test_a_motor_that_the_known_joints_do_not_tie_stays() -> None:
    """A loop of two freedoms needs a second joint."""
    loop = robot(
        joint('a', 'prismatic', 'base', axis=X), joint('b', 'revolute', 'a'),
        joint('b_end', 'fixed', 'b', (1, 1, 0)),
        joint('c', 'revolute', 'base', (2, 0, 0), passive=True),
        joint('d', 'prismatic', 'c', (-1, 1, 0), axis=X, passive=True),
        point('loop', 'b_end', 'd'))
    assert chosen(loop) == ['a', 'b']
    assert chosen(loop, 'c') in (['a', 'c'], ['b', 'c'])
    assert chosen(loop, 'c', 'd') == ['c', 'd']


def test_a_known_joint_on_no_loop_is_known_besides() -> None:
    mechanism = robot(*four_bar(), joint('caster', 'continuous', 'base', passive=True))
    assert chosen(mechanism, 'caster') == ['crank', 'caster']


def test_all_tied_motors_stay_unless_others_are_named() -> None:
    assert chosen(tied_sliders()) == ['left', 'right']
    assert chosen(tied_sliders(), 'slider') == ['slider']
