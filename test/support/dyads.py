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
Mechanisms that end in a dyad, with the truth about their streams in closed form.

A dyad is two bars, or a bar and a slide, that close a loop: it has two positions, told apart by a
sign, as long as its ends are within reach of each other. So along any path of the known joints
the sign cannot change while there is a margin to the ends of that reach.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
import math

import numpy as np
from riod_urdf_ros.robot.model import Mimic, Robot
from support.inline import joint, point, robot, X
from support.oracles import meet
from support.tree import Array

Angles = dict[str, float]


@dataclass(frozen=True)
class Dyad:
    """
    One mechanism.

    :param known: independent joints, home being where all of them are 0.
    :param margin: by how much the dyad is within reach, the least along the straight path between
        two positions of the known joints (shape (k,)), in lengths of the mechanism.
    :param positions: the passive joints for known ones and a sign, up to whole turns.
    :param span: how far known joints may go: a typical large step of each, rad or m.
    :param turns: whether known joints go the shorter way round.
    """

    robot: Robot
    known: tuple[str, ...]
    margin: Callable[[Array, Array], float]
    positions: Callable[[Array, int], Angles]
    span: float
    turns: bool = True


def four_bar(a: float, b: float, c: float, g: float, home: float, *, gear: float = 1.0,
             rack: bool = False) -> Dyad:
    """
    Make crank a, coupler b, rocker c on a ground g, the crank's direction being home at 0.

    :param gear: turn of the crank by unit of the motor.
    :param rack: whether the motor slides (rad/m) instead of turning.
    """
    def pins(crank: float, sign: int) -> tuple[Array, Array, Array]:
        B, D = a * np.array([math.cos(crank), math.sin(crank)]), np.array([g, 0.0])
        return B, meet(B, b, D, c, sign), D

    def directions(crank: float, sign: int) -> tuple[float, float]:
        B, C, D = pins(crank, sign)
        return math.atan2(*(C - B)[::-1]), math.atan2(*(C - D)[::-1])

    coupler, rocker = directions(home, 1)
    geared = gear != 1.0 or rack

    def margin(start: Array, end: Array) -> float:
        ends = home + gear * np.array([start[0], end[0]])
        angles = [*ends, *_between(0.0, math.pi, *sorted(ends))]
        lengths = [math.sqrt(max(a * a + g * g - 2.0 * a * g * math.cos(angle), 0.0))
                   for angle in angles]
        return min(min(lengths) - abs(b - c), b + c - max(lengths))

    def positions(u: Array, sign: int) -> Angles:
        crank = home + gear * float(u[0])
        now = directions(crank, sign)
        return {'coupler': (now[0] - coupler) - (crank - home), 'rocker': now[1] - rocker}

    mechanism = robot(
        *([joint('motor', 'prismatic' if rack else 'continuous', 'base', (0, 0, 1))]
          if geared else []),
        joint('crank', 'continuous', 'base', rpy=(0, 0, home),
              mimic=Mimic('motor', gear) if geared else None),
        joint('coupler', 'continuous', 'crank', (a, 0, 0), rpy=(0, 0, coupler - home),
              passive=True),
        joint('coupler_end', 'fixed', 'coupler', (b, 0, 0)),
        joint('rocker', 'continuous', 'base', (g, 0, 0), rpy=(0, 0, rocker), passive=True),
        joint('rocker_end', 'fixed', 'rocker', (c, 0, 0)),
        point('loop', 'coupler_end', 'rocker_end'))
    return Dyad(mechanism, ('motor' if geared else 'crank',), margin, positions, 2.0 / gear,
                turns=not geared)


def slider_crank(a: float, b: float, offset: float, home: float) -> Dyad:
    """Make crank a and rod b on a slide along x at y = offset, driven from the crank."""
    def slide(crank: float, sign: int) -> float:
        height = a * math.sin(crank) - offset
        return a * math.cos(crank) + sign * math.sqrt(max(b * b - height * height, 0.0))

    def rod(crank: float, sign: int) -> float:
        return math.atan2(offset - a * math.sin(crank),
                          slide(crank, sign) - a * math.cos(crank))

    x, direction = slide(home, 1), rod(home, 1)

    def margin(start: Array, end: Array) -> float:
        ends = home + np.array([start[0], end[0]])
        angles = [*ends, *_between(0.5 * math.pi, math.pi, *sorted(ends))]
        return min(b - abs(a * math.sin(angle) - offset) for angle in angles)

    def positions(u: Array, sign: int) -> Angles:
        crank = home + float(u[0])
        return {'rod': rod(crank, sign) - direction - (crank - home),
                'slide': slide(crank, sign) - x}

    mechanism = robot(
        joint('crank', 'continuous', 'base', rpy=(0, 0, home)),
        joint('rod', 'continuous', 'crank', (a, 0, 0), rpy=(0, 0, direction - home), passive=True),
        joint('rod_end', 'fixed', 'rod', (b, 0, 0)),
        joint('slide', 'prismatic', 'base', (x, offset, 0), axis=X, passive=True),
        point('loop', 'rod_end', 'slide'))
    return Dyad(mechanism, ('crank',), margin, positions, 2.0)


def driven_slide(a: float, b: float, offset: float, home: float) -> Dyad:
    """Make the same, driven from the slide, which stands at x = home at 0; reach is a ring."""
    def directions(x: float, sign: int) -> tuple[float, float]:
        D = np.array([x, offset])
        B = meet(np.zeros(2), a, D, b, sign)
        return math.atan2(*B[::-1]), math.atan2(*(D - B)[::-1])

    crank, rod = directions(home, 1)

    def margin(start: Array, end: Array) -> float:
        ends = sorted((home + float(start[0]), home + float(end[0])))
        places = [*ends, *([0.0] if ends[0] < 0.0 < ends[1] else [])]
        lengths = [math.hypot(x, offset) for x in places]
        return min(min(lengths) - abs(a - b), a + b - max(lengths))

    def positions(u: Array, sign: int) -> Angles:
        now = directions(home + float(u[0]), sign)
        return {'crank': now[0] - crank, 'rod': (now[1] - rod) - (now[0] - crank)}

    mechanism = robot(
        joint('slide', 'prismatic', 'base', (home, offset, 0), axis=X),
        joint('crank', 'continuous', 'base', rpy=(0, 0, crank), passive=True),
        joint('rod', 'continuous', 'crank', (a, 0, 0), rpy=(0, 0, rod - crank), passive=True),
        joint('rod_end', 'fixed', 'rod', (b, 0, 0)), point('loop', 'rod_end', 'slide'))
    return Dyad(mechanism, ('slide',), margin, positions, 0.5 * (a + b), turns=False)


def five_bar(a: float, b: float, c: float, d: float, g: float, home: tuple[float, float]) -> Dyad:
    """Make cranks a and d on a ground g with bars b and c between them."""
    def tips(angles: Array) -> tuple[Array, Array]:
        left, right = home[0] + angles[..., 0], home[1] + angles[..., 1]
        return (np.stack([a * np.cos(left), a * np.sin(left)], -1),
                np.stack([g + d * np.cos(right), d * np.sin(right)], -1))

    def directions(u: Array, sign: int) -> tuple[float, float]:
        B, D = tips(u)
        C = meet(B, b, D, c, sign)
        return math.atan2(*(C - B)[::-1]), math.atan2(*(C - D)[::-1])

    first, second = directions(np.zeros(2), 1)

    def margin(start: Array, end: Array) -> float:
        way = start + np.linspace(0.0, 1.0, 2001)[:, None] * (end - start)
        B, D = tips(way)
        lengths = np.linalg.norm(B - D, axis=1)
        # Between samples a length changes by no more than the tips move in half a step.
        between = (a + d) * float(np.abs(end - start).max()) / 4000.0
        return float(min(lengths.min() - abs(b - c), b + c - lengths.max())) - between

    def positions(u: Array, sign: int) -> Angles:
        now = directions(u, sign)
        return {'first': now[0] - first - float(u[0]), 'second': now[1] - second - float(u[1])}

    mechanism = robot(
        joint('left', 'continuous', 'base', rpy=(0, 0, home[0])),
        joint('first', 'continuous', 'left', (a, 0, 0), rpy=(0, 0, first - home[0]), passive=True),
        joint('first_end', 'fixed', 'first', (b, 0, 0)),
        joint('right', 'continuous', 'base', (g, 0, 0), rpy=(0, 0, home[1])),
        joint('second', 'continuous', 'right', (d, 0, 0), rpy=(0, 0, second - home[1]),
              passive=True),
        joint('second_end', 'fixed', 'second', (c, 0, 0)),
        point('loop', 'first_end', 'second_end'))
    return Dyad(mechanism, ('left', 'right'), margin, positions, 1.5)


def six_bar(bars: tuple[float, float, float, float], arm: float, link: float, lever: float,
            pivot: tuple[float, float], home: float) -> Dyad:
    """
    Make a Watt linkage: a crank-rocker, and a dyad from the rocker's far end to a second pivot.

    :param bars: crank, coupler, rocker and ground; the crank turns all the way.
    :param arm: from the rocker's pivot to where the dyad begins, along the rocker.
    :param link: first bar of the dyad.
    :param lever: second bar, that turns about the pivot.
    """
    a, b, c, g = bars
    F = np.array(pivot)

    def rocker_end(crank: float) -> tuple[float, float, Array]:
        B, D = a * np.array([math.cos(crank), math.sin(crank)]), np.array([g, 0.0])
        C = meet(B, b, D, c, 1)
        turned = math.atan2(*(C - D)[::-1])
        return math.atan2(*(C - B)[::-1]), turned, D + arm * np.array(
            [math.cos(turned), math.sin(turned)])

    def directions(crank: float, sign: int) -> tuple[float, float, float, float]:
        coupler, rocker, E = rocker_end(crank)
        G = meet(E, link, F, lever, sign)
        return coupler, rocker, math.atan2(*(G - E)[::-1]), math.atan2(*(G - F)[::-1])

    at_home = directions(home, 1)

    def margin(start: Array, end: Array) -> float:
        way = np.linspace(float(start[0]), float(end[0]), 801)
        lengths = np.array([np.linalg.norm(rocker_end(home + u)[2] - F) for u in way])
        # Between samples a length changes by no more than it does from one to the next.
        between = 2.0 * float(np.abs(np.diff(lengths)).max())
        return float(min(lengths.min() - abs(link - lever),
                         link + lever - lengths.max())) - between

    def positions(u: Array, sign: int) -> Angles:
        crank = home + float(u[0])
        coupler, rocker, first, second = (
            now - then for now, then in zip(directions(crank, sign), at_home))
        return {'coupler': coupler - (crank - home), 'rocker': rocker, 'link': first - rocker,
                'lever': second}

    coupler, rocker, first, second = at_home
    mechanism = robot(
        joint('crank', 'continuous', 'base', rpy=(0, 0, home)),
        joint('coupler', 'continuous', 'crank', (a, 0, 0), rpy=(0, 0, coupler - home),
              passive=True),
        joint('coupler_end', 'fixed', 'coupler', (b, 0, 0)),
        joint('rocker', 'continuous', 'base', (g, 0, 0), rpy=(0, 0, rocker), passive=True),
        joint('rocker_end', 'fixed', 'rocker', (c, 0, 0)),
        joint('link', 'continuous', 'rocker', (arm, 0, 0), rpy=(0, 0, first - rocker),
              passive=True),
        joint('link_end', 'fixed', 'link', (link, 0, 0)),
        joint('lever', 'continuous', 'base', (*pivot, 0), rpy=(0, 0, second), passive=True),
        joint('lever_end', 'fixed', 'lever', (lever, 0, 0)),
        point('first_loop', 'coupler_end', 'rocker_end'),
        point('second_loop', 'link_end', 'lever_end'))
    return Dyad(mechanism, ('crank',), margin, positions, 2.0)


def _between(first: float, step: float, low: float, high: float) -> list[float]:
    """Return the values first + k step that lie between two."""
    if high - low > 1e4:
        low = high - 1e4
    start = math.ceil((low - first) / step)
    return [first + step * k for k in range(start, math.floor((high - first) / step) + 1)]
