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

"""What is recorded of a robot's closures, and in which units."""

from __future__ import annotations

import numpy as np
import pytest
from riod_urdf_ros.constraints.recordings import ClosureCode
from riod_urdf_ros.robot.model import Mimic
from support.inline import four_bar, joint, point, rigid, robot, X, Z

FOUR_BAR = robot(*four_bar())


def test_the_length_is_the_longest_lever() -> None:
    code = ClosureCode(FOUR_BAR)
    # From the crank's pivot (0, 0) to the closure at (1.5, 1.6).
    assert code.length(FOUR_BAR.closures) == pytest.approx(np.hypot(1.5, 1.6))
    small = robot(*four_bar(size=1e-3))
    assert ClosureCode(small).length(small.closures) == pytest.approx(1e-3 * np.hypot(1.5, 1.6))


def test_a_mechanism_in_one_place_has_unit_length() -> None:
    wrist = robot(joint('a', 'revolute', 'base', axis=X),
                  joint('b', 'revolute', 'base', axis=Z, passive=True), point('loop', 'a', 'b'))
    assert ClosureCode(wrist).length(wrist.closures) == 1.0


def test_prismatic_positions_are_counted_in_characteristic_lengths() -> None:
    mixed = robot(joint('a', 'revolute', 'base'), joint('b', 'prismatic', 'a', passive=True),
                  joint('c', 'continuous', 'b', mimic=Mimic('a')))
    code = ClosureCode(mixed)
    assert code.joints == ('a', 'b')
    assert code.scales(['b', 'a'], 0.25) == pytest.approx([0.25, 1.0])


def test_rows_that_cannot_change_are_left_out() -> None:
    recording = ClosureCode(FOUR_BAR).record(FOUR_BAR.closures)
    assert recording.names == ('loop', 'loop')  # nothing moves along z
    assert all(set(by_joint) == {'crank', 'coupler', 'rocker'} for _, by_joint in recording.rows)


def test_rows_of_sliders_alone_have_no_turns() -> None:
    """A rigid closure of prismatic joints has one row that can change, not one more."""
    sliders = robot(joint('a', 'prismatic', 'base', axis=X),
                    joint('b', 'prismatic', 'base', axis=X, passive=True), rigid('loop', 'a', 'b'))
    assert ClosureCode(sliders).record(sliders.closures).names == ('loop',)


def test_a_set_of_closures_is_recorded_once() -> None:
    code = ClosureCode(FOUR_BAR)
    assert code.record(FOUR_BAR.closures) is code.record(list(FOUR_BAR.closures))


def test_joints_above_the_loop_do_not_matter() -> None:
    carried = robot(joint('trunk', 'revolute', 'base'), *four_bar(root='trunk'))
    code = ClosureCode(carried)
    recording = code.record(carried.closures)
    assert {name for _, by_joint in recording.rows for name in by_joint} == {
        'crank', 'coupler', 'rocker'}
    assert recording.length == pytest.approx(np.hypot(1.5, 1.6))
