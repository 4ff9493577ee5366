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

"""Rotations and transforms against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from riod_urdf_ros.robot.transforms import (
    Array,
    cross_matrix,
    inverse,
    quaternion_xyzw,
    rotation_about,
    rotation_from_rpy,
    rotation_vector,
    transform,
)
from support.tree import turn

AXES = [*np.eye(3), np.array([1.0, 2.0, -2.0]) / 3.0, np.array([-2.0, 6.0, 3.0]) / 7.0]


def test_rpy_turns_about_the_fixed_x_then_y_then_z_axis() -> None:
    x, y, z = np.eye(3)
    assert rotation_from_rpy([np.pi / 2, 0, 0]) @ y == pytest.approx(z, abs=1e-15)
    assert rotation_from_rpy([0, np.pi / 2, 0]) @ z == pytest.approx(x, abs=1e-15)
    assert rotation_from_rpy([0, 0, np.pi / 2]) @ x == pytest.approx(y, abs=1e-15)
    # Roll takes y to z, pitch z to x, yaw x to y.
    assert rotation_from_rpy([np.pi / 2] * 3) @ y == pytest.approx(y, abs=1e-15)
    roll, pitch, yaw = 0.3, -1.2, 2.5
    assert rotation_from_rpy([roll, pitch, yaw]) == pytest.approx(
        turn(z, yaw) @ turn(y, pitch) @ turn(x, roll), abs=1e-15)


def test_inverse_undoes_a_transform() -> None:
    T = transform(rotation_from_rpy([0.1, 0.2, 0.3]), [1.0, -2.0, 3.0])
    assert inverse(T) @ T == pytest.approx(np.eye(4), abs=1e-15)
    assert T[3] == pytest.approx([0, 0, 0, 1])
    assert (T @ [0, 0, 0, 1])[:3] == pytest.approx([1.0, -2.0, 3.0])


def test_cross_matrix_is_the_cross_product() -> None:
    v, w = np.random.default_rng(1).normal(size=(2, 3))
    assert cross_matrix(v) @ w == pytest.approx(np.cross(v, w))


@pytest.mark.parametrize('axis', AXES)
def test_rotation_about_an_axis(axis: Array) -> None:
    for angle in np.linspace(-7.0, 7.0, 29):
        assert rotation_about(axis, angle) == pytest.approx(turn(axis, angle), abs=1e-14)


@pytest.mark.parametrize('axis', AXES)
@pytest.mark.parametrize('angle', [0.0, 1e-12, 1e-8, 1e-4, 1.0, 3.0, np.pi - 1e-3, np.pi - 1e-6])
def test_rotation_vector_is_the_logarithm(axis: Array, angle: float) -> None:
    for sign in (1.0, -1.0):
        vector = rotation_vector(rotation_about(sign * axis, angle))
        assert vector == pytest.approx(sign * angle * axis, abs=1e-9)


@pytest.mark.parametrize('axis', AXES)
@pytest.mark.parametrize('short', [0.0, 1e-16, 1e-9, 9e-8, 1.1e-7])
def test_rotation_vector_of_half_a_turn(axis: Array, short: float) -> None:
    """Either sign of the axis is right, as far as what is short of half a turn allows."""
    vector = rotation_vector(rotation_about(axis, np.pi - short))
    assert abs(vector @ axis) == pytest.approx(np.pi, abs=3e-7)
    assert np.linalg.norm(np.cross(vector, axis)) < 1e-6


@pytest.mark.parametrize('axis', AXES)
@pytest.mark.parametrize('angle', [0.0, 1e-10, 0.5, 2.0, np.pi - 1e-5, np.pi, 4.0, -3.0])
def test_quaternion_turns_vectors_as_the_matrix(axis: Array, angle: float) -> None:
    R = rotation_about(axis, angle)
    *vector, w = quaternion_xyzw(R)
    assert w >= 0.0
    assert np.linalg.norm([*vector, w]) == pytest.approx(1.0, abs=1e-12)
    for v in np.eye(3):  # v + 2 q x (q x v + w v)
        turned = v + 2.0 * np.cross(vector, np.cross(vector, v) + w * v)
        assert turned == pytest.approx(R @ v, abs=1e-7)
