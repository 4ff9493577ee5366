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

"""Where a graph of joints is cut."""

from __future__ import annotations

import pytest
from riod_urdf_ros.exceptions import DescriptionError
from riod_urdf_ros.formats.cut_joints import CutKind
from riod_urdf_ros.formats.graph_loops import Edge, spanning_tree

RING = ['a', 'b', 'c', 'd']


def ring(*kinds: CutKind, needed: int = -1) -> list[Edge]:
    return [Edge(str(i), kind, RING[i], RING[(i + 1) % 4], i == needed)
            for i, kind in enumerate(kinds)]


@pytest.mark.parametrize(('kinds', 'needed', 'cut'), [
    (['revolute', 'ball', 'revolute', 'universal'], -1, '1'),
    (['revolute', 'fixed', 'universal', 'prismatic'], -1, '2'),
    (['prismatic', 'revolute', 'prismatic', 'fixed'], -1, '1'),
    (['revolute', 'ball', 'revolute', 'universal'], 1, '3'),
    (['revolute', 'revolute', 'revolute', 'revolute'], 3, '2')])
def test_the_cheapest_joint_is_cut(kinds: list[CutKind], needed: int, cut: str) -> None:
    steps, left = spanning_tree(RING, ring(*kinds, needed=needed), 'a')
    assert [edge.name for edge in left] == [cut]
    assert len(steps) == 3


def test_joints_are_passed_from_the_root_on() -> None:
    steps, _ = spanning_tree(RING, ring('revolute', 'ball', 'revolute', 'revolute'), 'c')
    assert [(edge.name, way) for edge, way in steps] == [
        ('2', 'forward'), ('3', 'forward'), ('0', 'forward')]
    steps, _ = spanning_tree(RING, ring('ball', 'revolute', 'revolute', 'revolute'), 'd')
    assert [(edge.name, way) for edge, way in steps] == [
        ('2', 'backward'), ('3', 'forward'), ('1', 'backward')]


def test_a_body_that_is_not_joined_is_told() -> None:
    with pytest.raises(DescriptionError, match="'e' is not joined to a"):
        spanning_tree([*RING, 'e'], ring('fixed', 'fixed', 'fixed', 'ball'), 'a')
