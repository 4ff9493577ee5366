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

"""Ranks at generic configurations, and the choice of columns."""

from __future__ import annotations

import numpy as np
import pytest
from riod_urdf_ros.constraints.least_squares import Decomposition
from riod_urdf_ros.constraints.recordings import ClosureCode
from riod_urdf_ros.robot.model import Robot
from riod_urdf_ros.structure.ranks import determined_columns, Linearisation
from riod_urdf_ros.structure.vicinity import Vicinity
from support.inline import four_bar, joint, parallelogram, point, robot, X, Y


def linearisation_of(robot: Robot) -> Linearisation:
    return Linearisation(ClosureCode(robot), robot.closures)


def test_columns_by_name() -> None:
    linearisation = linearisation_of(robot(joint('arm', 'revolute', 'base'), *four_bar()))
    assert linearisation.names == ('crank', 'coupler', 'rocker')
    assert linearisation.column(['rocker', 'arm', 'crank']) == [2, 0]


def test_a_singular_home_is_left_to_find_the_generic_rank() -> None:
    """Two bars in line: at home they cannot tell which way the slider in the middle pushes."""
    knee = robot(
        joint('thigh', 'revolute', 'base'),
        joint('knee', 'revolute', 'thigh', (1, 0, 0), passive=True),
        joint('foot', 'prismatic', 'base', (2, 0, 0), axis=X, passive=True),
        joint('heel', 'fixed', 'knee', (1, 0, 0)), point('loop', 'heel', 'foot'))
    for mechanism, home_rank in ((knee, 2), (parallelogram(0.0), 1)):
        linearisation = linearisation_of(mechanism)
        home = np.zeros(3)
        passive = Decomposition.of(linearisation(home)[1][:, 1:]).rank()
        assert passive == home_rank
        J = Vicinity.of(linearisation, home, [1, 2]).J
        assert Decomposition.of(J[:, 1:]).rank() == 2


def test_the_generic_configuration_is_closed_and_the_same_in_every_run() -> None:
    linearisation = linearisation_of(robot(*four_bar()))
    first, second = (Vicinity.of(linearisation, np.zeros(3), range(1, 3)).J for _ in range(2))
    assert np.array_equal(first, second)
    assert not np.array_equal(first, linearisation(np.zeros(3))[1])


def test_held_columns_stay() -> None:
    """With the crank held nothing moves, so home it is."""
    linearisation = linearisation_of(robot(*four_bar()))
    J = Vicinity.of(linearisation, np.zeros(3), [1, 2], [0]).J
    assert pytest.approx(linearisation(np.zeros(3))[1]) == J


def test_a_structure_has_the_rank_it_has() -> None:
    """A rigid triangle does not move."""
    triangle = robot(
        joint('a', 'revolute', 'base', passive=True), joint('a_end', 'fixed', 'a', (1, 1, 0)),
        joint('b', 'revolute', 'base', (2, 0, 0), axis=Y, passive=True),
        joint('b_end', 'fixed', 'b', (-1, 1, 0)), point('loop', 'a_end', 'b_end'))
    J = Vicinity.of(linearisation_of(triangle), np.zeros(2), range(1, 2)).J
    assert Decomposition.of(J).rank() == 2


def test_chosen_columns_have_full_rank() -> None:
    rng = np.random.default_rng(3)
    J = rng.normal(size=(6, 3)) @ rng.normal(size=(3, 7))
    names = list('gfedcba')
    chosen = determined_columns(J, names)
    assert chosen == sorted(chosen)
    assert len(chosen) == np.linalg.matrix_rank(J[:, chosen]) == 3
    order = rng.permutation(7)
    again = determined_columns(J[:, order], [names[i] for i in order])
    assert {names[order[i]] for i in again} == {names[i] for i in chosen}


def test_of_equal_columns_the_first_name_is_chosen() -> None:
    J = np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 0.5]])
    assert determined_columns(J, ['b', 'a', 'c']) == [1, 2]
    assert determined_columns(J, ['a', 'b', 'c']) == [0, 2]
    assert determined_columns(np.zeros((2, 2)), ['a', 'b']) == []
