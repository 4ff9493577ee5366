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

"""Spatial mechanisms: rods that two hinges at their foot point anywhere, balls at their heads."""

from __future__ import annotations

import math

from .sheet import Sheet, Vector
from ..exceptions import UsageError

_X, _Y, _Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
_CUT = ('The tree goes through {carrier}; {rods} are cut at the ball at their ends: rod '
        'and {body} get a frame there, and riod:loop_closure ties the two together. A rod has '
        'two hinges at its other end, none to spin. Joints without a motor say so by '
        'riod:actuated.')


def delta(base_radius: float, platform_radius: float, arm: float, rod: float,
          half_width: float) -> str:
    """Write a delta robot, hanging, its arms level at home."""
    lean = base_radius + arm - platform_radius
    if abs(lean) >= rod:
        raise UsageError(f'rods of {rod:g} m do not reach from the elbows to the platform, '
                         f'{lean:g} m further inside')
    pitch = math.atan2(math.sqrt(rod**2 - lean**2), -lean)
    sheet = Sheet('delta', f'A delta robot: motors on a circle of {base_radius:g} m, arms of '
                  f'{arm:g} m, pairs of rods of {rod:g} m that are {2.0 * half_width:g} m apart, '
                  f'and a platform of {platform_radius:g} m. Positive motors move down.\n\n'
                  + _CUT.format(
                      carrier='rod 1a', rods='the other rods', body='platform'), 0.03 * arm)
    sheet.link('base_link', *(_around(base_radius, 0.0, i) for i in range(3)))
    for i in range(3):
        sheet.comment(f'Arm {i + 1}, and its two rods')
        sheet.link(f'arm_{i + 1}', (arm, 0, 0))
        sheet.joint(f'motor_{i + 1}', 'revolute', 'base_link', f'arm_{i + 1}', axis=_Y,
                    xyz=_around(base_radius, 0.0, i), rpy=(0.0, 0.0, _azimuth(i)), passive=False)
        for side, sign in (('a', -1.0), ('b', 1.0)):
            name = f'rod_{i + 1}{side}'
            sheet.link(f'{name}_cross')
            sheet.joint(f'{name}_swing', 'revolute', f'arm_{i + 1}', f'{name}_cross', axis=_Y,
                        xyz=(arm, sign * half_width, 0), rpy=(0.0, pitch, 0.0))
            sheet.link(name, (rod, 0, 0))
            sheet.joint(f'{name}_tilt', 'revolute', f'{name}_cross', name, axis=_Z)
    sheet.comment('The ball at the head of rod 1a, and the platform on it')
    for name, axis, parent, xyz, rpy in (
            ('tilt', _Z, 'rod_1a', (rod, 0.0, 0.0), (0.0, 0.0, 0.0)),
            ('swing', _Y, 'platform_tilt_link', (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
            ('yaw', _Z, 'platform_swing_link', (0.0, 0.0, 0.0), (0.0, -pitch, 0.0))):
        sheet.link(f'platform_{name}_link')
        sheet.joint(f'platform_{name}', 'revolute', parent, f'platform_{name}_link', axis=axis,
                    xyz=xyz, rpy=rpy)
    sheet.frame('platform', 'platform_yaw_link', (-platform_radius, half_width, 0))
    sheet.comment('The cuts')
    for i in range(3):
        for side, sign in (('a', -1.0), ('b', 1.0)):
            if (i, side) != (0, 'a'):
                name = f'rod_{i + 1}{side}'
                sheet.frame(f'{name}_tip', name, (rod, 0, 0))
                sheet.frame(f'platform_{i + 1}{side}', 'platform',
                            _around(platform_radius, sign * half_width, i))
                sheet.closure(name, f'{name}_tip', f'platform_{i + 1}{side}')
    return sheet.text()


def stewart(base_radius: float, platform_radius: float, height: float, base_half_angle: float,
            platform_half_angle: float) -> str:
    """Write a Stewart platform, level at home."""
    sheet = Sheet('stewart', f'A Stewart platform: six legs in three pairs, from a circle of '
                  f'{base_radius:g} m to one of {platform_radius:g} m, {height:g} m above at '
                  'home. All legs at zero: level.\n\n' + _CUT.format(
                      carrier='leg 1', rods='the other legs', body='platform'), 0.02 * height)
    sheet.link('base_link')
    heads: list[Vector] = []
    turns: list[tuple[float, float]] = []
    for leg in range(6):
        sign = 1.0 if leg % 2 else -1.0
        foot_at = _azimuth(leg // 2) + sign * base_half_angle
        head_at = _azimuth(leg // 2) + sign * (math.pi / 3.0 - platform_half_angle)
        foot = (base_radius * math.cos(foot_at), base_radius * math.sin(foot_at), 0.0)
        heads.append((platform_radius * math.cos(head_at), platform_radius * math.sin(head_at),
                      0.0))
        dx, dy = heads[leg][0] - foot[0], heads[leg][1] - foot[1]
        pitch, yaw = math.atan2(math.hypot(dx, dy), height), math.atan2(dy, dx)
        turns.append((pitch, yaw))
        length, name = math.hypot(dx, dy, height), f'leg_{leg + 1}'
        sheet.comment(f'Leg {leg + 1}: z along it; the motor makes it longer')
        sheet.link(f'{name}_cross')
        sheet.joint(f'{name}_swing', 'revolute', 'base_link', f'{name}_cross', axis=_Y, xyz=foot,
                    rpy=(0.0, pitch, yaw))
        sheet.link(f'{name}_barrel', (0.0, 0.0, 0.6 * length))
        sheet.joint(f'{name}_tilt', 'revolute', f'{name}_cross', f'{name}_barrel', axis=_X)
        sheet.link(f'{name}_rod', (0.0, 0.0, -0.6 * length))
        sheet.joint(name, 'prismatic', f'{name}_barrel', f'{name}_rod', axis=_Z,
                    xyz=(0.0, 0.0, length), passive=False)
    sheet.comment('The ball at the head of leg 1, and the platform on it')
    pitch, yaw = turns[0]
    for name, axis, parent, rpy in (
            ('ball_x', _X, 'leg_1_rod', (0.0, 0.0, 0.0)),
            ('ball_y', _Y, 'ball_x_link', (0.0, 0.0, 0.0)),
            ('ball_z', _Z, 'ball_y_link', (0.0, -pitch, 0.0))):
        sheet.link(f'{name}_link')
        sheet.joint(name, 'revolute', parent, f'{name}_link', axis=axis, rpy=rpy)
    x, y, _ = heads[0]
    sheet.frame('platform', 'ball_z_link', (
        -x * math.cos(yaw) - y * math.sin(yaw), x * math.sin(yaw) - y * math.cos(yaw), 0.0),
        (0.0, 0.0, -yaw))
    sheet.comment('The cuts')
    for leg in range(1, 6):
        sheet.frame(f'platform_{leg + 1}', 'platform', heads[leg])
        sheet.closure(f'leg_{leg + 1}', f'leg_{leg + 1}_rod', f'platform_{leg + 1}')
    return sheet.text()


def ankle(height: float, lever: float, half_width: float) -> str:
    """Write a parallel ankle: two motors in the shank, two rods, a universal joint."""
    sheet = Sheet('ankle', f'A parallel ankle: the foot hangs on a universal joint, and two '
                  f'motors {height:g} m above move it by rods: together they pitch it, against '
                  f'each other they roll it. Cranks and levers are {lever:g} m long, the rods '
                  f'{height:g} m, {2.0 * half_width:g} m apart.\n\n'
                  + _CUT.format(
                      carrier='the universal joint', rods='both rods', body='foot'),
                  0.2 * lever)
    sheet.link('base_link', (0.0, 0.0, height))
    sheet.comment('The universal joint')
    sheet.link('ankle_cross')
    sheet.joint('ankle_pitch', 'revolute', 'base_link', 'ankle_cross', axis=_Y)
    sheet.link('foot', *((-lever, sign * half_width, 0.0) for sign in (1.0, -1.0)),
               (3.0 * lever, 0.0, 0.0))
    sheet.joint('ankle_roll', 'revolute', 'ankle_cross', 'foot', axis=_X)
    for side, sign in (('left', 1.0), ('right', -1.0)):
        sheet.comment(f'The {side} motor with its crank, and the rod, straight down at home')
        sheet.link(f'{side}_crank', (-lever, 0.0, 0.0))
        sheet.joint(f'{side}_motor', 'revolute', 'base_link', f'{side}_crank', axis=_Y,
                    xyz=(0.0, sign * half_width, height), passive=False)
        sheet.link(f'{side}_rod_cross')
        sheet.joint(f'{side}_rod_swing', 'revolute', f'{side}_crank', f'{side}_rod_cross', axis=_Y,
                    xyz=(-lever, 0.0, 0.0))
        sheet.link(f'{side}_rod', (0.0, 0.0, -height))
        sheet.joint(f'{side}_rod_tilt', 'revolute', f'{side}_rod_cross', f'{side}_rod', axis=_X)
        sheet.frame(f'{side}_rod_end', f'{side}_rod', (0.0, 0.0, -height))
        sheet.frame(f'{side}_ball', 'foot', (-lever, sign * half_width, 0.0))
        sheet.closure(f'{side}_rod', f'{side}_rod_end', f'{side}_ball')
    return sheet.text()


def _azimuth(arm: int) -> float:
    return arm * 2.0 * math.pi / 3.0


def _around(radius: float, aside: float, arm: int) -> Vector:
    """Return a point at a radius and beside it, turned to the azimuth of an arm."""
    c, s = math.cos(_azimuth(arm)), math.sin(_azimuth(arm))
    return radius * c - aside * s, radius * s + aside * c, 0.0
