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

"""Samples of a motion: as far as the loops close, and dense where they open."""

from __future__ import annotations

from math import acos, pi

import numpy as np
import pytest
from riod_urdf_ros.exceptions import UsageError
from riod_urdf_ros.range_of_motion.samples import sample_range
from support.checks import assert_closed, solver_of
from support.mechanisms import five_bar, four_bar
from support.oracles import FiveBar, FourBar
from support.variants import limited

TURNS = FourBar(0.06, 0.2, 0.14, 0.18)
SWINGS = FourBar(1.2, 0.8, 1.1, 1.5)


def test_a_whole_turn_begins_and_ends_in_one_position() -> None:
    solver = solver_of(four_bar(TURNS, 1.0))
    motion = sample_range(solver, 'crank', {'crank': 0.5})
    assert motion.turns
    assert motion.whole
    assert (motion.values[0], motion.start, motion.values[-1]) == (0.5 - pi, 0.5, 0.5 + pi)
    assert motion.values == sorted(motion.values)
    for sample in motion.samples:
        assert sample.solution.positions['crank'] == sample.value
        assert_closed(sample.solution)


def test_a_part_of_a_turn_ends_at_its_dead_centres() -> None:
    a, b, c = SWINGS.crank, SWINGS.ground, SWINGS.coupler + SWINGS.rocker
    reach = acos((a * a + b * b - c * c) / (2.0 * a * b))
    motion = sample_range(solver_of(four_bar(SWINGS, 0.7)), 'crank', {'crank': 0.0})
    assert not motion.whole
    assert motion.wanted == pytest.approx((-0.7 - pi, -0.7 + pi), abs=1e-5)
    assert motion.values[0] == pytest.approx(-reach - 0.7, abs=1e-5)
    assert motion.values[-1] == pytest.approx(reach - 0.7, abs=1e-5)
    singularity = [sample.singularity['loop'] for sample in motion.samples]
    assert max(singularity[0], singularity[-1]) < 0.01 * max(singularity)
    steps = np.diff(motion.values)
    assert max(steps[0], steps[-1]) < 0.1 * max(steps)


def test_limits_are_the_range_and_the_start_is_in_it() -> None:
    mechanism = limited(four_bar(TURNS, 1.0), 'crank', (-0.5, 0.25))
    motion = sample_range(solver_of(mechanism), 'crank', {'crank': 2.0})
    assert motion.whole
    assert (motion.wanted, motion.start, motion.values[-1]) == ((-0.5, 0.25), 0.25, 0.25)


@pytest.mark.parametrize('limits, positions, words', [
    ((0.0, 0.0), {'left': 0.0, 'right': 0.0}, 'no range'),
    ((-3.0, 3.0), {'left': 1.5, 'right': -1.5}, 'cannot be closed')])
def test_what_cannot_be_moved(limits: tuple[float, float], positions: dict[str, float],
                              words: str) -> None:
    mechanism = five_bar(FiveBar(0.3, 0.3, 0.3, 0.3, 0.5), (1.2, 1.9))
    with pytest.raises(UsageError, match=words):
        sample_range(solver_of(limited(mechanism, 'left', limits)), 'left', positions)
