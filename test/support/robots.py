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

"""Robots for the tests of completer and node, with the closed form of their loops."""

from __future__ import annotations

import math

NAMESPACE = 'xmlns:riod="https://github.com/Origitech/urdf-extensions"'

# In the plane at home, m: crank from the origin to B, coupler from B to C, rocker from D to C.
# The crank is the shortest bar and Grashof's condition holds, so it turns all the way round
# and the two assembly modes never meet.
B, C, D = (0.2, 0.25), (0.75, 0.7), (1.0, 0.0)


def rotated(x: float, y: float, angle: float) -> tuple[float, float]:
    """Turn a vector of the plane."""
    return (x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle))


def four_bar_angles(crank: float) -> tuple[float, float]:
    """
    Give coupler and rocker for a crank angle, rad: two circles meet above the line B D.

    The coupler's angle counts from the crank link, and all are zero at home.
    """
    bx, by = rotated(*B, crank)
    coupler, rocker = math.dist(B, C), math.dist(C, D)
    dx, dy = D[0] - bx, D[1] - by
    distance = math.hypot(dx, dy)
    along = (coupler**2 - rocker**2 + distance**2) / (2.0 * distance)
    across = math.sqrt(coupler**2 - along**2)
    cx = bx + (along * dx - across * dy) / distance
    cy = by + (along * dy + across * dx) / distance
    coupler_turn = math.atan2(cy - by, cx - bx) - math.atan2(C[1] - B[1], C[0] - B[0])
    rocker_turn = math.atan2(cy - D[1], cx - D[0]) - math.atan2(C[1] - D[1], C[0] - D[0])
    return wrapped(coupler_turn - crank), wrapped(rocker_turn)


def wrapped(angle: float) -> float:
    """Return the same angle in [-pi, pi)."""
    return (angle + math.pi) % (2.0 * math.pi) - math.pi


def hinge(name: str, parent: str, child: str, xyz: tuple[float, float], inner: str = '',
          kind: str = 'continuous') -> str:
    """Write a joint about z, and its child link."""
    return (f'<link name="{child}"/>\n'
            f'<joint name="{name}" type="{kind}"><origin xyz="{xyz[0]!r} {xyz[1]!r} 0"/>'
            f'<parent link="{parent}"/><child link="{child}"/><axis xyz="0 0 1"/>{inner}'
            '</joint>\n')


def tip(name: str, parent: str, xyz: tuple[float, float]) -> str:
    """Write an empty link on a fixed joint."""
    return (f'<link name="{name}"/>\n'
            f'<joint name="{name}_fixed" type="fixed"><origin xyz="{xyz[0]!r} {xyz[1]!r} 0"/>'
            f'<parent link="{parent}"/><child link="{name}"/></joint>\n')


def four_bar(prefix: str = '') -> str:
    """Write a four-bar on the link base; joints crank, coupler and rocker."""
    p, passive = prefix, '<riod:actuated value="false"/>'
    return (
        hinge(f'{p}crank', 'base', f'{p}crank_link', (0.0, 0.0))
        + hinge(f'{p}coupler', f'{p}crank_link', f'{p}coupler_link', B, passive)
        + tip(f'{p}coupler_tip', f'{p}coupler_link', (C[0] - B[0], C[1] - B[1]))
        + hinge(f'{p}rocker', 'base', f'{p}rocker_link', D, passive)
        + tip(f'{p}rocker_tip', f'{p}rocker_link', (C[0] - D[0], C[1] - D[1]))
        + f'<riod:loop_closure name="{p}pin" frameA="{p}coupler_tip" frameB="{p}rocker_tip"/>\n')


def robot(name: str, *parts: str) -> str:
    """Write a robot."""
    return f'<robot name="{name}" {NAMESPACE}>\n<link name="base"/>\n{"".join(parts)}</robot>\n'


FOUR_BAR = robot('single', four_bar())
PLAIN = robot(
    'plain', hinge('shoulder', 'base', 'upper', (0.0, 0.0)),
    hinge('elbow', 'upper', 'lower', (1.0, 0.0)),
    hinge('knob', 'lower', 'knob_link', (1.0, 0.0),
          '<mimic joint="elbow" multiplier="-2" offset="0.1"/>'))
# Two loops that have nothing to do with each other, an arm with a mimic joint, and a caster.
TWO_LOOPS = robot(
    'pair', four_bar('left_'), hinge('arm', 'base', 'arm_link', (0.0, 0.0)),
    hinge('finger', 'arm_link', 'finger_link', (0.5, 0.0),
          '<mimic joint="arm" multiplier="-2" offset="0.1"/>'),
    four_bar('right_'),
    hinge('caster', 'base', 'caster_link', (0.0, 1.0), '<riod:actuated value="false"/>'))
LIMIT = '<limit lower="-0.01" upper="0.01" effort="0" velocity="1"/>'
# A cart pushed along x carries a pin that slides along y and is tied to the end of a bar of
# 1 m: beyond x = 1 it is out of reach.
REACH = robot(
    'reach', hinge('elbow', 'base', 'bar', (0.0, 0.0), '<riod:actuated value="false"/>'),
    tip('bar_tip', 'bar', (0.8, 0.6)),
    hinge('motor', 'base', 'cart', (0.8, 0.0), LIMIT, 'prismatic').replace('0 0 1', '1 0 0'),
    hinge('slide', 'cart', 'pin', (0.0, 0.6), LIMIT + '<riod:actuated value="false"/>',
          'prismatic').replace('0 0 1', '0 1 0'),
    '<riod:loop_closure name="touch" frameA="bar_tip" frameB="pin"/>')
# A crank of 1 m and a coupler of 0.5 m, which has to end on a line at y = 1.2: the crank's end
# must be at y >= 0.7, so home is not zero, and the crank goes from asin 0.7 to pi - asin 0.7.
HIGH_SLIDE = robot(
    'high_slide', hinge('crank', 'base', 'crank_link', (0.0, 0.0)),
    hinge('coupler', 'crank_link', 'coupler_link', (1.0, 0.0), '<riod:actuated value="false"/>'),
    tip('coupler_tip', 'coupler_link', (0.3, 0.4)),
    hinge('slide', 'base', 'block', (0.5, 1.2), '<limit lower="-3" upper="3" effort="0" '
          'velocity="1"/><riod:actuated value="false"/>', 'prismatic').replace('0 0 1', '1 0 0'),
    '<riod:loop_closure name="pin" frameA="coupler_tip" frameB="block"/>')
# A parallelogram folded flat: a change point, where it can open to either side or stay folded.
FOLDED = robot(
    'folded', hinge('crank', 'base', 'crank_link', (0.0, 0.0)),
    hinge('coupler', 'crank_link', 'coupler_link', (1.0, 0.0), '<riod:actuated value="false"/>'),
    tip('coupler_tip', 'coupler_link', (0.5, 0.0)),
    hinge('rocker', 'base', 'rocker_link', (0.5, 0.0), '<riod:actuated value="false"/>'),
    tip('rocker_tip', 'rocker_link', (1.0, 0.0)),
    '<riod:loop_closure name="pin" frameA="coupler_tip" frameB="rocker_tip"/>')
TWO_LOOPS_JOINTS = [
    'left_crank', 'left_coupler', 'left_rocker', 'arm', 'finger',
    'right_crank', 'right_coupler', 'right_rocker', 'caster']


def two_loops_state(left: float, right: float, arm: float, caster: float = 0.0,
                    ) -> dict[str, float]:
    """Return the positions of all joints of TWO_LOOPS."""
    values = (left, *four_bar_angles(left), arm, -2.0 * arm + 0.1,
              right, *four_bar_angles(right), caster)
    return dict(zip(TWO_LOOPS_JOINTS, values))


def differ(found: dict[str, float], expected: dict[str, float]) -> float:
    """Return the largest difference of two states with the same joints, turns not counted."""
    assert list(found) == list(expected)
    return max(abs(wrapped(found[name] - expected[name])) for name in expected)
