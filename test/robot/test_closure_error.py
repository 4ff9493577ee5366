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

"""How far frames are apart, against poses worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from riod_urdf_ros.robot.closure_error import closure_error, closure_errors
from riod_urdf_ros.robot.kinematics import forward_kinematics
from riod_urdf_ros.robot.transforms import rotation_from_rpy, transform
from support.inline import joint, point, rigid, robot, X

# A frame that turns about z, 1 m along x; a slide along x with a turned tip.
APART = robot(
    joint('a', 'revolute', 'base', (1, 0, 0)), joint('b', 'prismatic', 'base', axis=X),
    joint('tip', 'fixed', 'b', (1.0, 0.2, 0), rpy=(0, 0, 0.5)),
    point('open', 'a', 'tip'), rigid('turned', 'a', 'tip'))
POSITIONS = {'a': math.pi / 2, 'b': 0.3}


def test_gap_and_turn_are_seen_in_frame_a() -> None:
    error = closure_error(APART.closures[1], forward_kinematics(APART, POSITIONS))
    # In the base the tip is 0.3 along x and 0.2 along y from a, whose x is along y.
    assert error.gap == pytest.approx([0.2, -0.3, 0.0])
    assert error.distance == pytest.approx(math.sqrt(0.13))
    # a is turned by pi/2 about z, the tip by 0.5.
    assert error.turn == pytest.approx([0.0, 0.0, 0.5 - math.pi / 2])
    assert error.angle == pytest.approx(math.pi / 2 - 0.5)


def test_a_point_closure_has_no_turn() -> None:
    errors = closure_errors(APART, POSITIONS)
    assert list(errors) == ['open', 'turned']
    assert errors['open'].gap == pytest.approx(errors['turned'].gap)
    assert errors['open'].angle == 0.0 and not errors['open'].turn.any()


def test_the_same_error_whatever_carries_both_frames() -> None:
    carried = transform(rotation_from_rpy((0.3, -0.7, 1.1)), (5.0, -2.0, 3.0))
    poses = forward_kinematics(APART, POSITIONS)
    still = closure_error(APART.closures[1], poses)
    moved = closure_error(APART.closures[1], {k: carried @ T for k, T in poses.items()})
    np.testing.assert_allclose(moved.gap, still.gap, atol=1e-12)
    np.testing.assert_allclose(moved.turn, still.turn, atol=1e-12)


def test_the_error_of_a_joint_that_is_not_a_number_is_none_either() -> None:
    assert math.isnan(closure_errors(APART, {'a': math.nan, 'b': 0.0})['open'].distance)
