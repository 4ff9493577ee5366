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


"""Numbers and poses, from and to the text of XML attributes."""

from __future__ import annotations

from collections.abc import Iterable
import math

import numpy as np
from numpy.typing import ArrayLike

from ..robot.transforms import Array, transform

# Far below what any file states; what a product of rotations leaves instead of zero.
_NOISE = 1e-15


def number(value: float) -> str:
    """Return the shortest text that reads as the same double."""
    value = float(value)
    if abs(value) < _NOISE:
        return '0'
    return repr(value).removesuffix('.0')


def vector(values: Iterable[float]) -> str:
    """Return numbers, separated by spaces."""
    return ' '.join(number(value) for value in values)


def rpy_of(R: Array) -> Array:
    """
    Return roll, pitch and yaw of a rotation, exact at pitch +-pi/2 too.

    There only the sum of roll and yaw is determined: yaw is what it comes out as, and roll is
    what the rotation still lacks.

    :param R: shape (3, 3).
    :return: shape (3,), rad.
    """
    yaw = math.atan2(R[1, 0], R[0, 0])
    sine, cosine = math.sin(yaw), math.cos(yaw)
    rest = np.array([[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]]) @ R
    return np.array([
        math.atan2(-rest[1, 2], rest[1, 1]), math.atan2(-rest[2, 0], rest[0, 0]), yaw])


def rotation_from_wxyz(quaternion: ArrayLike) -> Array:
    """
    Return the rotation of a quaternion, scalar part first.

    :param quaternion: of any length but zero, shape (4,).
    :return: shape (3, 3).
    """
    w, x, y, z = np.asarray(quaternion, dtype=float) / np.linalg.norm(quaternion)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def pose_from_wxyz(position: ArrayLike, quaternion: ArrayLike) -> Array:
    """Return a pose, shape (4, 4), from a position (m) and a quaternion, scalar part first."""
    return transform(rotation_from_wxyz(quaternion), position)


def translation(position: ArrayLike) -> Array:
    """Return the pose that is moved only, shape (4, 4)."""
    return transform(np.eye(3), position)
