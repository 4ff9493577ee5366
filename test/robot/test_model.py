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

"""What joints and closures say of themselves; paths in the tree; mimic chains; size."""

from __future__ import annotations

from dataclasses import replace
import math

import pytest
from riod_urdf_ros.robot.model import Mimic
from support.inline import joint, point, rigid, robot

ROBOT = robot(
    joint('trunk', 'revolute', 'base'),
    joint('left', 'revolute', 'trunk'), joint('left_tip', 'fixed', 'left'),
    joint('right', 'prismatic', 'trunk', passive=True), joint('right_tip', 'fixed', 'right'),
    joint('head', 'floating', 'trunk'),
    point('across', 'left_tip', 'right_tip'), point('down', 'left_tip', 'trunk'))


def names(joints: tuple[object, ...]) -> list[str]:
    return [getattr(joint, 'name') for joint in joints]


def test_chain_goes_from_the_root_to_a_link() -> None:
    assert names(ROBOT.chain('left_tip')) == ['trunk', 'left', 'left_tip']
    assert ROBOT.chain('base') == ()
    with pytest.raises(KeyError):
        ROBOT.chain('nowhere')


def test_a_loop_begins_at_the_lowest_common_ancestor() -> None:
    across, down = ROBOT.closures
    assert [names(side) for side in ROBOT.loop(across)] == [
        ['left', 'left_tip'], ['right', 'right_tip']]
    assert [names(side) for side in ROBOT.loop(down)] == [['left', 'left_tip'], []]


def test_moving_joints_are_those_of_a_joint_state() -> None:
    assert names(ROBOT.moving_joints) == ['trunk', 'left', 'right']
    assert not ROBOT.by_name['head'].moving
    assert ROBOT.by_child['left_tip'].parent == 'left'


def test_a_mimic_chain_is_followed_to_its_end() -> None:
    chained = robot(
        joint('a', 'revolute', 'base'),
        joint('b', 'revolute', 'base', mimic=Mimic('a', 3.0, 0.5)),
        joint('c', 'revolute', 'base', mimic=Mimic('b', -2.0, 0.1)))
    source, multiplier, offset = chained.source(chained.by_name['c'])
    # c = -2 b + 0.1 = -2 (3 a + 0.5) + 0.1
    assert (source.name, multiplier) == ('a', -6.0)
    assert offset == pytest.approx(-0.9)
    assert chained.source(chained.by_name['a'])[1:] == (1.0, 0.0)


def test_a_joint_has_one_role() -> None:
    assert joint('a', 'revolute', 'base').role == 'actuated'
    assert joint('a', 'revolute', 'base', passive=True).role == 'passive'
    assert joint('a', 'prismatic', 'base', mimic=Mimic('b')).role == 'mimic'
    assert joint('a', 'fixed', 'base').role == 'fixed'
    assert ROBOT.by_name['head'].role == 'floating'


def test_positions_are_in_metres_along_an_axis_and_in_radians_about_it() -> None:
    assert joint('a', 'prismatic', 'base').unit == 'm'
    assert joint('a', 'revolute', 'base').unit == joint('a', 'continuous', 'base').unit == 'rad'


def test_excess_is_counted_from_the_nearer_limit() -> None:
    slide = replace(joint('a', 'prismatic', 'base'), lower=-0.2, upper=0.3)
    assert slide.limits == (-0.2, 0.3)
    assert [slide.excess(x) for x in (-0.7, -0.2, 0.0, 0.3, 0.55)] == pytest.approx(
        [-0.5, 0.0, 0.0, 0.0, 0.25])
    assert math.isnan(slide.excess(math.nan))


def test_what_has_no_limits_is_never_beyond_them() -> None:
    bare = joint('a', 'revolute', 'base')
    assert bare.limits == (-math.inf, math.inf)
    assert bare.excess(1e9) == bare.excess(-1e9) == 0.0
    assert replace(bare, lower=1.0).limits == (1.0, math.inf)
    assert replace(bare, lower=1.0).excess(0.5) == -0.5
    # URDF lets a continuous joint have limits, which mean nothing.
    endless = replace(joint('a', 'continuous', 'base'), lower=-1.0, upper=1.0)
    assert endless.limits == (-math.inf, math.inf)
    assert endless.excess(7.0) == 0.0


def test_rows_of_a_closure() -> None:
    assert (point('p', 'a', 'b').rows, rigid('r', 'a', 'b').rows) == (3, 6)


def test_size_is_the_diagonal_around_the_undisplaced_links() -> None:
    # The second joint is 4 along an x that points along y, so the box is 3 x 4 x 12.
    bent = robot(
        joint('b', 'revolute', 'base', (3, 0, 0), rpy=(0, 0, math.pi / 2)),
        joint('c', 'revolute', 'b', (4, 0, 12), mimic=Mimic('b', 1.0, 0.5)))
    assert bent.size == pytest.approx(13.0)
    assert bent.undisplaced['c'][:3, 3] == pytest.approx([3.0, 4.0, 12.0])
    assert robot(joint('b', 'revolute', 'base')).size == 1.0


def test_outward_names_parents_first_and_otherwise_keeps_the_order() -> None:
    parts = robot(
        joint('c', 'fixed', 'b'), joint('x', 'fixed', 'base'), joint('b', 'fixed', 'a'),
        joint('a', 'fixed', 'base'), joint('y', 'fixed', 'x'))
    assert [part.name for part in parts.outward] == ['x', 'y', 'a', 'b', 'c']


def test_followers_are_the_joint_and_its_mimics() -> None:
    parts = robot(
        joint('c', 'continuous', 'base', mimic=Mimic('b')), joint('a', 'continuous', 'base'),
        joint('b', 'continuous', 'base', mimic=Mimic('a', -2.0)), joint('d', 'fixed', 'base'))
    assert {name: [part.name for part in found] for name, found in parts.followers.items()} == {
        'a': ['c', 'a', 'b']}
