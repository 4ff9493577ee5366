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

"""
Rigid transforms as 4x4 matrices.

``T_a_b`` is the pose of frame b in frame a, so ``T_a_c = T_a_b @ T_b_c``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def rotation_from_rpy(rpy: ArrayLike) -> Array:
    """
    Return the rotation of URDF's ``rpy``: about the fixed x, then y, then z axis.

    :param rpy: roll, pitch and yaw, shape (3,), rad.
    :return: rotation matrix ``Rz(yaw) @ Ry(pitch) @ Rx(roll)``, shape (3, 3).
    """
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy), np.sin(rpy)
    return np.array([
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr]])


def transform(rotation: ArrayLike, translation: ArrayLike) -> Array:
    """
    Put a rotation and a translation together.

    :param rotation: shape (3, 3).
    :param translation: shape (3,), m.
    :return: shape (4, 4).
    """
    result = np.eye(4)
    result[:3, :3] = rotation
    result[:3, 3] = translation
    return result


def inverse(T_a_b: Array) -> Array:
    """
    Invert a rigid transform.

    :param T_a_b: pose of b in a, shape (4, 4).
    :return: ``T_b_a``, shape (4, 4).
    """
    R = T_a_b[:3, :3].T
    return transform(R, -R @ T_a_b[:3, 3])


def cross_matrix(v: ArrayLike) -> Array:
    """
    Return the matrix ``V`` of the cross product with v: ``V @ w == cross(v, w)``.

    :param v: shape (3,).
    :return: skew-symmetric, shape (3, 3).
    """
    x, y, z = np.asarray(v, dtype=float)
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def rotation_about(axis: ArrayLike, angle: float) -> Array:
    """
    Turn about an axis (Rodrigues' formula).

    :param axis: unit vector, shape (3,).
    :param angle: rad.
    :return: rotation matrix, shape (3, 3).
    """
    K = cross_matrix(axis)
    R: Array = np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * (K @ K)
    return R


def rotation_vector(R: Array) -> Array:
    """
    Return the logarithm of a rotation: unit axis times angle in [0, pi].

    :param R: rotation matrix, shape (3, 3).
    :return: shape (3,), rad.
    """
    vee: Array = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    sine, cosine = float(np.linalg.norm(vee)), 0.5 * (float(np.trace(R)) - 1.0)
    angle = float(np.arctan2(sine, cosine))
    if sine > 1e-7:
        return vee * (angle / sine)
    if cosine > 0.0:
        return vee
    # Half a turn: R = 2 a a^T - I, so the largest column of R + I is along the axis.
    column: Array = (R + np.eye(3))[:, int(np.argmax(np.diag(R)))]
    return column * (angle / float(np.linalg.norm(column)))


def quaternion_xyzw(R: Array) -> Array:
    """
    Return the unit quaternion of a rotation, scalar part last as in geometry_msgs.

    :param R: rotation matrix, shape (3, 3).
    :return: x, y, z, w with w >= 0, shape (4,).
    """
    vector = rotation_vector(R)
    angle = float(np.linalg.norm(vector))
    # sin(angle / 2) / angle, with its limit 1/2 at zero
    return np.append(vector * (0.5 * np.sinc(angle / (2.0 * np.pi))), np.cos(0.5 * angle))
