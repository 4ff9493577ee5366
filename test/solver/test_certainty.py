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
What is called certain is right: streams of mechanisms that are made to be mistaken.

The failure looked for is a wrong answer that is closed, called certain, and without a note.
CERTAINTY_CASES multiplies the cases for a longer run by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
import math
import os

import numpy as np
import pytest
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from support.dyads import driven_slide, Dyad, five_bar, four_bar, six_bar, slider_crank
from support.oracles import wrap
from support.tree import Array

TIMES = int(os.environ.get('CERTAINTY_CASES', '1'))
CASES, LENGTH = 4 * TIMES, 60
# Below this a margin may be an effect of rounding in the mechanism itself.
_TOUCHING = 1e-9


def small(rng: np.random.Generator) -> float:
    """Return a length near zero, of any order, of either sign."""
    return float(10.0 ** rng.uniform(-6.0, -2.5) * rng.choice([-1.0, 1.0]))


def crank_rocker(rng: np.random.Generator) -> Dyad:
    a, b, c = rng.uniform(0.2, 0.6), *rng.uniform(0.8, 1.2, 2)
    return four_bar(a, b, c, rng.uniform(0.9, 1.1), rng.uniform(-3.0, 3.0))


def any_four_bar(rng: np.random.Generator) -> Dyad:
    a, b, c, g = rng.uniform(0.3, 1.5, 4)
    return four_bar(a, b, c, g, rng.uniform(-3.0, 3.0))


def near_change_point(rng: np.random.Generator) -> Dyad:
    a, b, c = rng.uniform(0.3, 0.9), *rng.uniform(0.8, 1.2, 2)
    return four_bar(a, b, c, b + c - a + small(rng), rng.uniform(-3.0, 3.0))


def double_crank(rng: np.random.Generator) -> Dyad:
    a, g = rng.uniform(0.8, 1.2), rng.uniform(0.2, 0.5)
    return four_bar(a, g + small(rng), a + small(rng), g, rng.uniform(-3.0, 3.0))


def rhombus(rng: np.random.Generator) -> Dyad:
    a, b = rng.uniform(0.5, 1.5, 2)
    return four_bar(a, b + small(rng), b + small(rng), a + small(rng), rng.uniform(0.5, 2.5))


def isosceles(rng: np.random.Generator) -> Dyad:
    a = rng.uniform(0.5, 1.5)
    return slider_crank(a, a + small(rng), rng.choice([0.0, small(rng)]), rng.uniform(-0.9, 0.9))


def short_rod(rng: np.random.Generator) -> Dyad:
    a = rng.uniform(0.5, 1.5)
    return slider_crank(a, a * rng.uniform(0.93, 0.999), 0.0, rng.uniform(-0.9, 0.9))


def long_rod(rng: np.random.Generator) -> Dyad:
    a = rng.uniform(0.2, 0.6)
    return slider_crank(a, rng.uniform(0.7, 1.2), rng.uniform(-0.05, 0.05), rng.uniform(-3, 3))


def slide(rng: np.random.Generator) -> Dyad:
    a, b = rng.uniform(0.5, 1.0), rng.uniform(1.1, 1.6)
    return driven_slide(a, b, rng.uniform(0.0, 0.4), rng.uniform(b - a + 0.3, a + b - 0.3))


def five_bars(rng: np.random.Generator) -> Dyad:
    a, b, c, d = rng.uniform(0.6, 1.0, 4)
    return five_bar(a, b, c, d, rng.uniform(0.3, 0.8),
                    (rng.uniform(1.5, 2.5), rng.uniform(0.6, 1.6)))


def symmetric_five_bar(rng: np.random.Generator) -> Dyad:
    a, b = rng.uniform(0.5, 0.7), rng.uniform(0.71, 0.9)
    return five_bar(a, b + small(rng), b, a, rng.uniform(0.2, 0.6), (1.9, math.pi - 1.9))


def geared(rng: np.random.Generator) -> Dyad:
    a, b, c = rng.uniform(0.2, 0.5), *rng.uniform(0.9, 1.2, 2)
    gear, rack = rng.uniform(2.0, 20.0), bool(rng.integers(2))
    return four_bar(a, b, c, 1.0, 1.0, gear=50.0 if rack else gear, rack=rack)


def six_bars(rng: np.random.Generator) -> Dyad:
    a, b, c = rng.uniform(0.2, 0.4), *rng.uniform(0.9, 1.1, 2)
    return six_bar((a, b, c, 1.0), rng.uniform(0.6, 1.2), rng.uniform(0.5, 0.9),
                   rng.uniform(0.3, 0.7), (rng.uniform(1.5, 2.0), rng.uniform(0.2, 0.8)), 0.5)


FAMILIES: list[Callable[[np.random.Generator], Dyad]] = [
    crank_rocker, any_four_bar, near_change_point, double_crank, rhombus, isosceles, short_rod,
    long_rod, slide, five_bars, symmetric_five_bar, geared, six_bars]


def stream(dyad: Dyad, rng: np.random.Generator) -> Array:
    """Return positions of the known joints: smooth, coarse, with jumps, and with stops."""
    size = dyad.span * rng.choice([0.005, 0.03, 0.2, 1.0])
    steps = size * (0.7 + 0.3 * rng.standard_normal((LENGTH, len(dyad.known))))
    steps *= np.where(rng.random((LENGTH, 1)) < 0.02, -1.0, 1.0).cumprod(axis=0)
    steps[rng.random(LENGTH) < 0.05] *= 8.0
    steps[rng.random(LENGTH) < 0.05] *= 1e-3
    result: Array = steps.cumsum(axis=0)
    return result


def off(found: dict[str, float], expected: dict[str, float]) -> float:
    """Return the largest difference, whole turns left out for angles."""
    return max(abs(found[name] - value) if name == 'slide' else abs(wrap(found[name] - value))
               for name, value in expected.items())


def follow(dyad: Dyad, rng: np.random.Generator, counts: Counter[str]) -> None:
    """Compare a stream with the truth, message by message."""
    try:
        solver = ClosureSolver(dyad.robot)
    except ValueError:
        return
    sign, last = 1, np.zeros(len(dyad.known))
    for u in stream(dyad, rng):
        if dyad.turns:
            u = last + (u - last + math.pi) % math.tau - math.pi
        solution = solver.solve(dict(zip(dyad.known, u.tolist())))
        (status,) = solution.groups
        positions = dict(solution.positions)
        margin = dyad.margin(last, u)
        silent = status.state == 'closed' and status.certain and not status.notes
        counts['solves'] += 1
        if margin > _TOUCHING:
            # The closer to the end of the reach, the less is determined by it.
            right = status.state == 'closed' and off(
                positions, dyad.positions(u, sign)) < 1e-7 / math.sqrt(margin)
            counts['right' if right else 'silent' if silent else 'noted'] += 1
            counts['needlessly doubted'] += right and not status.certain
            assert not (silent and not right), (dyad.robot.joints, u, positions)
            last = u if right else last
            if right:
                continue
        else:
            # There is no path: only an answer that is told as a choice is allowed.
            counts['silent' if silent else 'told'] += 1
            assert not silent, (dyad.robot.joints, u, positions)
        if status.state != 'closed' or not status.followed or status.singularity < 1e-3:
            continue  # the next path starts where the last one did
        # Go on from what was chosen, if it can be told.
        try:
            sign = min((1, -1), key=lambda s: off(positions, dyad.positions(u, s)))
        except ValueError:
            return
        last = u


@pytest.mark.slow
@pytest.mark.parametrize('family', FAMILIES)
def test_nothing_is_wrong_in_silence(family: Callable[[np.random.Generator], Dyad]) -> None:
    rng = np.random.default_rng(FAMILIES.index(family))
    counts: Counter[str] = Counter()
    made = 0
    while made < CASES:
        try:
            dyad = family(rng)
        except ValueError:  # home is out of reach
            continue
        made += 1
        follow(dyad, rng, counts)
    print(family.__name__, dict(counts))
    assert counts['silent'] == 0
    assert counts['right'] > 0.2 * counts['solves']
