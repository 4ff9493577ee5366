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
Planar mechanisms, drawn upright: in the x-z plane, all hinges along -y.

So a positive angle lifts the tip of a bar that points ahead. Each bar's frame has x along the
bar. Directions are counted from x towards z, rad.
"""

from __future__ import annotations

import math

from .sheet import Sheet, Vector
from ..exceptions import UsageError

_UP: Vector = (0.0, -1.0, 0.0)
_CUT = ('The loop is cut at {pin}: both bars get a frame at their ends, and riod:loop_closure '
        'ties the two together. Joints without a motor say so by riod:actuated. At home, all '
        'joints at zero, the two frames have to be in one place.')


def four_bar(crank: float, coupler: float, rocker: float, ground: float) -> str:
    """Write a four-bar, its crank straight up at home."""
    home = math.pi / 2.0
    pin = (crank * math.cos(home), crank * math.sin(home))
    tip = _meet(pin, coupler, (ground, 0.0), rocker)
    along = _direction(pin, tip)
    sheet = Sheet('four_bar', f'A four-bar: crank {crank:g} m, coupler {coupler:g} m, rocker '
                  f'{rocker:g} m, ground {ground:g} m.\n\n'
                  + _CUT.format(pin='the pin of coupler and rocker'), 0.1 * crank)
    sheet.link('base_link', (ground, 0, 0))
    sheet.comment('The motor')
    sheet.link('crank', (crank, 0, 0))
    sheet.joint('crank', 'continuous', 'base_link', 'crank', axis=_UP, rpy=_turn(home),
                passive=False)
    sheet.comment('What it moves')
    sheet.link('coupler', (coupler, 0, 0))
    sheet.joint('coupler', 'continuous', 'crank', 'coupler', axis=_UP, xyz=(crank, 0, 0),
                rpy=_turn(along - home))
    sheet.link('rocker', (rocker, 0, 0))
    sheet.joint('rocker', 'continuous', 'base_link', 'rocker', axis=_UP, xyz=(ground, 0, 0),
                rpy=_turn(_direction((ground, 0.0), tip)))
    sheet.comment('The cut')
    sheet.frame('coupler_end', 'coupler', (coupler, 0, 0))
    sheet.frame('rocker_end', 'rocker', (rocker, 0, 0))
    sheet.closure('pin', 'coupler_end', 'rocker_end')
    return sheet.text()


def slider_crank(crank: float, rod: float, offset: float) -> str:
    """Write a slider-crank, its crank straight up at home; the slider runs along x."""
    home, drop = math.pi / 2.0, offset - crank
    if abs(drop) >= rod:
        raise UsageError(f'a rod of {rod:g} m does not reach from a crank of {crank:g} m, which '
                         f'points up, to a slider at the height of {offset:g} m')
    lean = math.asin(drop / rod)
    sheet = Sheet('slider_crank', f'A slider-crank: crank {crank:g} m, rod {rod:g} m; the slider '
                  f'runs along x at a height of {offset:g} m.\n\n'
                  + _CUT.format(pin='the pin of rod and slider'), 0.1 * crank)
    sheet.link('base_link')
    sheet.comment('The motor')
    sheet.link('crank', (crank, 0, 0))
    sheet.joint('crank', 'continuous', 'base_link', 'crank', axis=_UP, rpy=_turn(home),
                passive=False)
    sheet.comment('What it moves')
    sheet.link('rod', (rod, 0, 0))
    sheet.joint('rod', 'continuous', 'crank', 'rod', axis=_UP, xyz=(crank, 0, 0),
                rpy=_turn(lean - home))
    sheet.link('slider')
    sheet.joint('slider', 'prismatic', 'base_link', 'slider', axis=(1.0, 0.0, 0.0),
                xyz=(rod * math.cos(lean), 0, offset))
    sheet.comment('The cut')
    sheet.frame('rod_end', 'rod', (rod, 0, 0))
    sheet.closure('pin', 'rod_end', 'slider')
    return sheet.text()


def five_bar(left: float, left_forearm: float, right: float, right_forearm: float,
             ground: float) -> str:
    """Write a five-bar, its arms spread by 30 degrees from upright at home."""
    homes = {'left': 2.0 * math.pi / 3.0, 'right': math.pi / 3.0}
    arms = {'left': (left, left_forearm, 0.0), 'right': (right, right_forearm, ground)}
    elbows = {side: (x + arm * math.cos(homes[side]), arm * math.sin(homes[side]))
              for side, (arm, _, x) in arms.items()}
    tip = _meet(elbows['left'], left_forearm, elbows['right'], right_forearm)
    sheet = Sheet('five_bar', f'A five-bar: two motors {ground:g} m apart, arms of {left:g} m and '
                  f'{right:g} m, forearms of {left_forearm:g} m and {right_forearm:g} m that meet '
                  'in the tip.\n\n' + _CUT.format(pin='the tip'), 0.1 * left)
    sheet.link('base_link', (ground, 0, 0))
    for side, (arm, forearm, x) in arms.items():
        sheet.comment(f'The {side} motor with its arm, and the forearm')
        sheet.link(side, (arm, 0, 0))
        sheet.joint(side, 'continuous', 'base_link', side, axis=_UP, xyz=(x, 0, 0),
                    rpy=_turn(homes[side]), passive=False)
        sheet.link(f'{side}_forearm', (forearm, 0, 0))
        sheet.joint(f'{side}_forearm', 'continuous', side, f'{side}_forearm', axis=_UP,
                    xyz=(arm, 0, 0), rpy=_turn(_direction(elbows[side], tip) - homes[side]))
        sheet.frame(f'{side}_tip', f'{side}_forearm', (forearm, 0, 0))
    sheet.comment('The cut')
    sheet.closure('tip', 'left_tip', 'right_tip')
    return sheet.text()


def gripper(bar: float, pivot: float, spacing: float, open_angle: float) -> str:
    """Write a gripper whose jaws stay parallel, the right crank driven, the left one geared."""
    if not 0.0 < open_angle < math.pi / 2.0:
        raise UsageError(f'an open angle of {open_angle:g} rad is not between 0 and pi/2; at 0 '
                         'the parallelograms of the fingers are flat')
    sheet = Sheet('gripper', f'A parallel-jaw gripper with one motor. Each finger hangs on a '
                  f'parallelogram of crank and follower ({bar:g} m, {spacing:g} m apart), so it '
                  'does not turn. The left crank follows the motor by <mimic>. At home it is '
                  f'open, its bars {open_angle:g} rad from straight ahead (z); positive '
                  'closes.\n\n' + _CUT.format(pin='the pin of each finger and its follower'),
                  0.1 * bar)
    sheet.link('base_link')
    for side, sign, crank in (('right', 1.0, 'motor'), ('left', -1.0, 'left_crank')):
        axis = (0.0, -sign, 0.0)
        lean = (0.0, sign * open_angle, 0.0)
        sheet.comment(f'The {side} finger')
        sheet.link(f'{side}_crank_bar', (0, 0, bar))
        sheet.joint(crank, 'revolute', 'base_link', f'{side}_crank_bar', axis=axis,
                    xyz=(sign * pivot, 0, 0), rpy=lean, passive=False,
                    mimic='' if crank == 'motor' else 'motor')
        sheet.link(f'{side}_follower_bar', (0, 0, bar))
        sheet.joint(f'{side}_follower', 'revolute', 'base_link', f'{side}_follower_bar', axis=axis,
                    xyz=(sign * (pivot + spacing), 0, 0), rpy=lean)
        sheet.link(f'{side}_finger_body', (sign * spacing, 0, 0), (0, 0, bar))
        sheet.joint(f'{side}_finger', 'revolute', f'{side}_crank_bar', f'{side}_finger_body',
                    axis=axis, xyz=(0, 0, bar), rpy=(0.0, -sign * open_angle, 0.0))
        sheet.frame(f'{side}_finger_end', f'{side}_finger_body', (sign * spacing, 0, 0))
        sheet.frame(f'{side}_follower_end', f'{side}_follower_bar', (0, 0, bar))
        sheet.closure(f'{side}_pin', f'{side}_finger_end', f'{side}_follower_end')
    return sheet.text()


def scissor(arm: float, rise: float) -> str:
    """Write a scissor lift of one stage, driven by the slide at its foot."""
    if not 0.0 < rise < math.pi / 2.0:
        raise UsageError(f'a rise of {rise:g} rad is not between 0 and pi/2; lying flat or '
                         'standing upright, the arms could go on either way')
    foot = arm * math.cos(rise)
    sheet = Sheet('scissor', f'A scissor lift: two arms of {arm:g} m, crossing in the middle, '
                  f'{rise:g} rad from level at home. The motor pushes the foot of arm_2; the '
                  'platform is pinned to arm_2 and slides on arm_1.\n\n'
                  + _CUT.format(pin='the middle pin and at the slide of the platform'), 0.05 * arm)
    sheet.link('base_link', (1.2 * arm, 0, 0))
    sheet.link('arm_1', (arm, 0, 0))
    sheet.joint('arm_1', 'revolute', 'base_link', 'arm_1', axis=_UP, rpy=_turn(rise))
    sheet.comment('The motor, and the arm on it')
    sheet.link('foot')
    sheet.joint('slide', 'prismatic', 'base_link', 'foot', axis=(1.0, 0.0, 0.0),
                xyz=(foot, 0, 0), passive=False)
    sheet.link('arm_2', (arm, 0, 0))
    sheet.joint('arm_2', 'revolute', 'foot', 'arm_2', axis=_UP, rpy=_turn(math.pi - rise))
    sheet.comment('The platform, and the slide under it')
    sheet.link('platform', (1.2 * arm, 0, 0))
    sheet.joint('platform', 'revolute', 'arm_2', 'platform', axis=_UP, xyz=(arm, 0, 0),
                rpy=_turn(rise - math.pi))
    sheet.link('top_slide')
    sheet.joint('top_slide', 'prismatic', 'platform', 'top_slide', axis=(1.0, 0.0, 0.0),
                xyz=(foot, 0, 0))
    sheet.comment('The cuts')
    sheet.frame('arm_1_middle', 'arm_1', (arm / 2.0, 0, 0))
    sheet.frame('arm_2_middle', 'arm_2', (arm / 2.0, 0, 0))
    sheet.closure('middle', 'arm_1_middle', 'arm_2_middle')
    sheet.frame('arm_1_end', 'arm_1', (arm, 0, 0))
    sheet.closure('top', 'arm_1_end', 'top_slide')
    return sheet.text()


def _turn(angle: float) -> Vector:
    """Return the rpy that turns x towards z."""
    return 0.0, -angle, 0.0


def _direction(start: tuple[float, float], end: tuple[float, float]) -> float:
    return math.atan2(end[1] - start[1], end[0] - start[0])


def _meet(a: tuple[float, float], radius_a: float, b: tuple[float, float],
          radius_b: float) -> tuple[float, float]:
    """Return where two bars from a and b meet, left of the way from a to b."""
    distance = math.dist(a, b)
    if not abs(radius_a - radius_b) < distance < radius_a + radius_b:
        raise UsageError(f'bars of {radius_a:g} m and {radius_b:g} m cannot meet: at home they '
                         f'begin {distance:g} m apart, which has to be less than their sum and '
                         'more than their difference')
    along = (radius_a**2 - radius_b**2 + distance**2) / (2.0 * distance)
    across = math.sqrt(radius_a**2 - along**2)
    x, z = (b[0] - a[0]) / distance, (b[1] - a[1]) / distance
    return a[0] + along * x - across * z, a[1] + along * z + across * x
