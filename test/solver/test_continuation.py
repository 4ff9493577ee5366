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

"""Following paths: branches kept, change points passed, and every walk ended."""

from __future__ import annotations

import math

import numpy as np
import pytest
from riod_urdf_ros.constraints.recordings import ClosureCode
from riod_urdf_ros.robot.model import Robot
from riod_urdf_ros.solver.block import Block
from riod_urdf_ros.solver.continuation import best_fit, follow
from riod_urdf_ros.solver.path import Walk
from riod_urdf_ros.urdf.parser import parse
from support.inline import four_bar, four_bar_rocker, joint, parallelogram, point, robot, X
from support.mechanisms import four_bar as drawn_four_bar
from support.oracles import FourBar, TAU, wrap

BUDGET = 2000  # evaluations of one walk


def block_of(robot: Robot) -> Block:
    """Return the block of a robot with one loop, its q being that of the moving joints."""
    code = ClosureCode(robot)
    return Block(code, robot.closures,
                 [joint.name for joint in robot.moving_joints if not joint.actuated], code.index)


def walk_of(block: Block, start: list[float], crank: float) -> Walk:
    walk = follow([block], start, {0: crank})
    assert walk.evaluations < BUDGET
    return walk


@pytest.mark.parametrize('crank', [0.01, 1.0, -2.0, 3.1, 6.0, 40.0])
def test_the_end_of_a_path_is_reached_in_one_go(crank: float) -> None:
    walk = walk_of(block_of(robot(*four_bar())), [0.0, 0.0, 0.0], crank)
    assert walk.complete
    assert not walk.singular
    assert walk.q[0] == crank
    assert wrap(walk.q[2] - four_bar_rocker(crank)) == pytest.approx(0.0, abs=1e-11)
    assert np.linalg.norm(block_of(robot(*four_bar())).residual(walk.q)) < 1e-12


def test_a_path_of_no_length() -> None:
    walk = walk_of(block_of(robot(*four_bar())), [0.0, 0.0, 0.0], 0.0)
    assert walk.complete
    assert walk.q == pytest.approx([0.0, 0.0, 0.0], abs=1e-12)


@pytest.mark.parametrize('slack', [0.1, 1e-2, 1e-3, 1e-4])
@pytest.mark.parametrize('count', [5, 7, 50])
def test_close_to_a_change_point_the_branch_is_kept(slack: float, count: int) -> None:
    """Grashof's condition met by a hair: the branches pass each other close by."""
    for crank, coupler, rocker in ((0.4, 0.9, 0.7), (0.82, 0.93, 0.95)):
        ground = coupler + rocker - crank - slack
        bars = FourBar(crank, coupler, rocker, ground)
        block = block_of(parse(drawn_four_bar(bars, 0.6).text()).robot)
        q = [0.0, 0.0, 0.0]
        for k in range(1, count + 1):
            angle = TAU * k / count
            walk = walk_of(block, q, angle)
            assert walk.complete
            q = walk.q
            expected = bars.joints(0.6, angle)
            error = max(abs(wrap(q[i] - expected[name]))
                        for i, name in enumerate(('crank', 'coupler', 'rocker')))
            assert error < 1e-8 / bars.clearance(0.6 + angle)


@pytest.mark.parametrize('rounding', [0.0, 1e-6, -1e-6])
@pytest.mark.parametrize('count', [3, 4, 9, 60])
@pytest.mark.parametrize('way', [1, -1])
def test_a_rounded_parallelogram_stays_one(rounding: float, count: int, way: int) -> None:
    block = block_of(parallelogram(1.0, coupler=2.0 * (1.0 + rounding)))
    q = [0.0, 0.0, 0.0]
    for k in range(1, 3 * count + 1):
        angle = way * TAU * k / count
        if abs(math.sin(1.0 + angle)) < 0.05:
            continue
        walk = walk_of(block, q, angle)
        assert walk.complete
        q = walk.q
        # Lengths off by d turn it by d over the height of the parallelogram.
        assert q == pytest.approx([angle, -angle, angle], abs=1e-8 + 100.0 * abs(rounding))


def test_a_walk_that_ends_on_a_change_point_says_so() -> None:
    walk = walk_of(block_of(parallelogram(1.0)), [0.0, 0.0, 0.0], math.pi - 1.0)
    assert walk.complete
    assert walk.singular
    assert walk.q[2] == pytest.approx(math.pi - 1.0, abs=1e-6)


def test_a_walk_from_a_change_point_says_that_it_had_to_choose() -> None:
    walk = walk_of(block_of(parallelogram(0.0)), [0.0, 0.0, 0.0], 0.5)
    assert walk.complete
    assert walk.q == pytest.approx([0.5, -0.5, 0.5], abs=1e-9)
    assert any('singular position' in note for note in walk.notes)


def knee() -> Robot:
    """Write a slider-crank driven from its slider, crank 1, rod 2, at right angles at home."""
    return robot(
        joint('slider', 'prismatic', 'base', (math.sqrt(3.0), 0, 0), axis=X),
        joint('crank', 'revolute', 'base', passive=True),
        joint('rod', 'revolute', 'crank', (0, 1, 0), passive=True),
        joint('end', 'fixed', 'rod', (math.sqrt(3.0), -1, 0)), point('loop', 'end', 'slider'))


def crank_of_knee(slider: float) -> float:
    """Return the crank's turn from home: the law of cosines about its pivot, bent upward."""
    x = math.sqrt(3.0) + slider
    return math.acos((1.0 + x * x - 4.0) / (2.0 * x)) - 0.5 * math.pi


@pytest.mark.parametrize('reach', [0.5, 1.0, 3.0 - math.sqrt(3.0) - 1e-6])
def test_a_slider_drives_its_crank_up_to_the_dead_centre(reach: float) -> None:
    walk = walk_of(block_of(knee()), [0.0, 0.0, 0.0], reach)
    assert walk.complete
    assert walk.q[1] == pytest.approx(crank_of_knee(reach), abs=1e-8)


@pytest.mark.parametrize('beyond', [1e-6, 1e-3, 0.1, 2.0, 100.0])
def test_beyond_reach_a_walk_ends_before_the_dead_centre(beyond: float) -> None:
    walk = walk_of(block_of(knee()), [0.0, 0.0, 0.0], 3.0 - math.sqrt(3.0) + beyond)
    assert not walk.complete
    assert walk.evaluations < 700
    assert walk.q[0] <= 3.0 - math.sqrt(3.0) + 1e-6
    assert np.linalg.norm(block_of(knee()).residual(walk.q)) < 1e-6


@pytest.mark.parametrize('beyond', [1e-4, 1e-2, 0.5])
def test_the_best_fit_beyond_reach_is_stretched_out(beyond: float) -> None:
    block = block_of(knee())
    q = [3.0 - math.sqrt(3.0) + beyond, -1.0, 0.6]
    best_fit(block, q)
    # Where it stands in line, flat as the minimum is, what is missing is all of the gap.
    assert np.linalg.norm(block.residual(q)) * block.length == pytest.approx(beyond, rel=1e-4)


def test_blocks_that_depend_on_one_another_are_followed_together() -> None:
    """The rocker of the first four-bar carries the crank of the second."""
    chain = robot(*four_bar('a_'), *four_bar('b_', root='a_rocker'))
    code = ClosureCode(chain)
    blocks = [Block(code, [closure], unknown, code.index) for closure, unknown in zip(
        chain.closures, (['a_coupler', 'a_rocker'], ['b_coupler', 'b_rocker']))]
    walk = follow(blocks, [0.0] * 6, {code.index['a_crank']: 2.0, code.index['b_crank']: -1.5})
    assert walk.complete
    for name, crank in (('a_rocker', 2.0), ('b_rocker', -1.5)):
        assert walk.q[code.index[name]] == pytest.approx(four_bar_rocker(crank), abs=1e-10)
