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
Closed forms of the delta robot and the Stewart platform, derived here from circles and spheres.

Lengths in m, angles in rad; frames and joint names are those of the packaged examples and of
the generators in mechanisms.py. Each function names the geometric fact that its equations state.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from support.oracles import ray, TAU, wrap
from support.tree import Array, from_rpy, turn


@dataclass(frozen=True)
class Delta:
    """
    Clavel's delta robot, hanging; arm i turns down about a tangent of the base circle.

    Everything of one arm is written in the arm's frame: x outward, y along the motor's axis.
    The platform does not turn, so each pair of rods acts as one rod from the elbow to the
    middle of the platform's edge.

    :param base_radius: of the circle of motor axes.
    :param platform_radius: of the circle of the platform's joints.
    :param half_width: half the distance of the two rods of an arm.
    """

    base_radius: float = 0.2
    platform_radius: float = 0.045
    arm: float = 0.35
    rod: float = 0.8
    half_width: float = 0.05

    @property
    def home_pitch(self) -> float:
        """Pitch of the rods at home, the arms level; more than 90 degrees: they lean inward."""
        inward = self.platform_radius - self.base_radius - self.arm
        return float(np.arctan2(np.sqrt(self.rod**2 - inward**2), inward))

    @property
    def home(self) -> Array:
        """Place of the platform at home, shape (3,)."""
        return np.array([0.0, 0.0, -self.rod * np.sin(self.home_pitch)])

    def inverse(self, platform: ArrayLike) -> Array:
        """
        Return the motors' angles for a place of the platform, elbows outside.

        The elbow lies on the arm's circle and on the sphere about the platform's joint
        (X, Y, Z, from the motor): ``X cos t - Z sin t = (X^2 + Y^2 + Z^2 + arm^2 - rod^2) /
        (2 arm)``.
        """
        angles = []
        for i in range(3):
            X, Y, Z = turn([0, 0, 1], -i * TAU / 3) @ np.asarray(platform, dtype=float)
            X += self.platform_radius - self.base_radius
            K = (X**2 + Y**2 + Z**2 + self.arm**2 - self.rod**2) / (2.0 * self.arm)
            angles.append(np.arctan2(-Z, X) - np.arccos(K / np.hypot(X, Z)))
        return np.array(angles)

    def forward(self, motors: ArrayLike) -> Array:
        """
        Return the platform's place by trilateration, below the elbows.

        It is the lower point that three spheres of the rods' length have in common, about the
        elbows moved inward by the platform's radius.
        """
        centres = np.array([
            turn([0, 0, 1], i * TAU / 3) @ [
                self.base_radius - self.platform_radius + self.arm * np.cos(t), 0.0,
                -self.arm * np.sin(t)]
            for i, t in enumerate(np.asarray(motors, dtype=float))])
        p, q = centres[1] - centres[0], centres[2] - centres[0]
        normal = np.cross(p, q)
        # The centre of the circle through the three centres, from the first of them.
        middle = (np.cross(normal, p) * (q @ q) + np.cross(q, normal) * (p @ p)) \
            / (2.0 * normal @ normal)
        height_squared = self.rod**2 - middle @ middle
        if height_squared < 0.0:
            raise ValueError('out of reach')
        up = normal * (np.sign(normal[2]) / np.linalg.norm(normal))
        return np.array(centres[0] + middle - np.sqrt(height_squared) * up)

    def joints(self, motors: ArrayLike) -> dict[str, float]:
        """
        Return the positions of all joints of the example.

        In the turned arm's frame a rod points along ``Ry(pitch + swing) Rz(tilt) x``; the
        platform's joints undo, one by one, what the first rod's tilt, its swing and the motor
        have turned.
        """
        motors = np.asarray(motors, dtype=float)
        platform = self.forward(motors)
        result: dict[str, float] = {}
        for i, t in enumerate(motors):
            x, y, z = turn([0, 0, 1], -i * TAU / 3) @ platform
            lever = [self.base_radius + self.arm * np.cos(t), 0.0, -self.arm * np.sin(t)]
            rod = turn([0, 1, 0], -t) @ (np.array([x + self.platform_radius, y, z]) - lever)
            swing = wrap(np.arctan2(-rod[2], rod[0]) - self.home_pitch)
            tilt = float(np.arctan2(rod[1], np.hypot(rod[0], rod[2])))
            result[f'motor_{i + 1}'] = float(t)
            for side in 'ab':
                result[f'rod_{i + 1}{side}_swing'] = swing
                result[f'rod_{i + 1}{side}_tilt'] = tilt
        result['platform_tilt'] = -result['rod_1a_tilt']
        result['platform_swing'] = -result['rod_1a_swing'] - float(motors[0])
        result['platform_yaw'] = 0.0
        return result


@dataclass(frozen=True)
class Stewart:
    """
    A 6-UPS Stewart platform; legs in pairs at the base, crossing over to the platform's pairs.

    :param base_radius: of the universal joints' circle.
    :param platform_radius: of the ball joints' circle.
    :param base_half_angle: half the angle between the two legs of a pair, at the base.
    :param platform_half_angle: the same at the platform.
    :param height: of the platform over the base at home.
    """

    base_radius: float = 0.6
    platform_radius: float = 0.4
    base_half_angle: float = float(np.radians(12.0))
    platform_half_angle: float = float(np.radians(12.0))
    height: float = 0.75

    def points(self) -> tuple[Array, Array]:
        """Return the feet in the base and the heads in the platform, each of shape (6, 3)."""
        feet, heads = [], []
        for leg in range(6):
            side = 1.0 if leg % 2 else -1.0
            azimuth = (leg // 2) * TAU / 3
            foot = azimuth + side * self.base_half_angle
            head = azimuth + side * (TAU / 6 - self.platform_half_angle)
            feet.append([*ray(self.base_radius, foot), 0.0])
            heads.append([*ray(self.platform_radius, head), 0.0])
        return np.array(feet), np.array(heads)

    def legs(self, R: Array, place: ArrayLike) -> Array:
        """Return the vectors from foot to head for a pose of the platform, shape (6, 3)."""
        feet, heads = self.points()
        return np.array(np.asarray(place, dtype=float) + heads @ R.T - feet)

    def inverse(self, R: Array, place: ArrayLike) -> Array:
        """Return the strokes of the legs from home, shape (6,): lengths of the leg vectors."""
        home = self.legs(np.eye(3), [0.0, 0.0, self.height])
        return np.array(np.linalg.norm(self.legs(R, place), axis=1)
                        - np.linalg.norm(home, axis=1))

    def joints(self, R: Array, place: ArrayLike) -> dict[str, float]:
        """
        Return the positions of all joints of the example for a pose of the platform.

        Leg frames have z along the leg at home, ``Rz(yaw) Ry(pitch)``. There the leg points
        along ``Ry(swing) Rx(tilt) z = (sin s cos t, -sin t, cos s cos t)``. The ball joint of
        leg 1 is ``Rx(a) Ry(b - pitch) Rz(c)``, from the leg to the platform turned by yaw.
        """
        homes = self.legs(np.eye(3), [0.0, 0.0, self.height])
        strokes = self.inverse(R, place)
        result: dict[str, float] = {}
        for i, (leg, home) in enumerate(zip(self.legs(R, place), homes)):
            pitch = float(np.arctan2(np.hypot(home[0], home[1]), home[2]))
            yaw = float(np.arctan2(home[1], home[0]))
            frame = from_rpy(0.0, pitch, yaw)
            x, y, z = frame.T @ leg
            swing = float(np.arctan2(x, z))
            tilt = float(np.arctan2(-y, np.hypot(x, z)))
            result.update({f'leg_{i + 1}_swing': swing, f'leg_{i + 1}_tilt': tilt,
                           f'leg_{i + 1}': float(strokes[i])})
            if i == 0:
                turned = frame @ turn([0, 1, 0], swing) @ turn([1, 0, 0], tilt)
                M = turned.T @ R @ turn([0, 0, 1], yaw)
                result.update({
                    'ball_x': float(np.arctan2(-M[1, 2], M[2, 2])),
                    'ball_y': float(np.arcsin(M[0, 2])) + pitch,
                    'ball_z': float(np.arctan2(-M[0, 1], M[0, 0]))})
        return result


@dataclass(frozen=True)
class Ankle:
    """
    A parallel ankle: motors above the universal joint, cranks and levers to the back.

    :param height: of the motors over the universal joint, and the length of the rods.
    :param lever: length of the cranks, and of the foot from the joint back to the balls.
    :param half_width: half the distance of the rods.
    """

    height: float = 0.25
    lever: float = 0.045
    half_width: float = 0.04

    def joints(self, pitch: float, roll: float) -> dict[str, float]:
        """
        Return the positions of all joints for a pose of the foot, ``Ry(pitch) Rx(roll)``.

        A crank's pin ``(-c cos t, 0, c sin t)``, from the motor, is a rod's length h from the
        ball at d: ``dx cos t - dz sin t = (h^2 - d^2 - c^2) / (2 c)``. In the turned crank's
        frame a rod points along ``-Ry(swing) Rx(tilt) z = (-sin s cos u, sin u, -cos s cos u)``.
        """
        c, h = self.lever, self.height
        result = {'ankle_pitch': pitch, 'ankle_roll': roll}
        for side, sign in (('left', 1.0), ('right', -1.0)):
            ball = turn([0, 1, 0], pitch) @ turn([1, 0, 0], roll) @ [-c, sign * self.half_width, 0]
            d = ball - [0.0, sign * self.half_width, h]
            bearing = np.arctan2(d[2], d[0])
            reach = np.arccos((h**2 - d @ d - c**2) / (2.0 * c * np.hypot(d[0], d[2])))
            t = min((wrap(reach - bearing), wrap(-reach - bearing)), key=abs)
            rod = turn([0, 1, 0], -t) @ (d - [-c * np.cos(t), 0.0, c * np.sin(t)])
            result.update({
                f'{side}_motor': t, f'{side}_rod_swing': float(np.arctan2(-rod[0], -rod[2])),
                f'{side}_rod_tilt': float(np.arctan2(rod[1], np.hypot(rod[0], rod[2])))})
        return result
