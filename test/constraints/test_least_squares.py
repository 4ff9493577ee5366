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

"""Decompositions and minimisation against numpy and problems with known answers."""

from __future__ import annotations

import numpy as np
import pytest
from riod_urdf_ros.constraints.least_squares import Decomposition, minimise
from riod_urdf_ros.robot.transforms import Array


def of_rank(rank: int, m: int, n: int, seed: int = 0) -> Array:
    rng = np.random.default_rng(seed)
    return np.array(rng.normal(size=(m, rank)) @ rng.normal(size=(rank, n)))


@pytest.mark.parametrize('rank, m, n', [(2, 3, 5), (3, 5, 3), (1, 4, 4), (4, 4, 4)])
def test_rank_null_space_and_minimum_norm(rank: int, m: int, n: int) -> None:
    J = of_rank(rank, m, n)
    parts = Decomposition.of(J)
    assert parts.rank() == rank
    null = parts.null_space()
    assert null.shape == (n, n - rank)
    assert J @ null == pytest.approx(np.zeros((m, n - rank)), abs=1e-12)
    assert null.T @ null == pytest.approx(np.eye(n - rank), abs=1e-12)
    right = np.random.default_rng(9).normal(size=(m, 2))
    expected = np.linalg.lstsq(J, right, rcond=1e-9)[0]
    assert parts.solve(right, rank) == pytest.approx(expected, abs=1e-10)
    assert parts.solve(right[:, 0], rank) == pytest.approx(expected[:, 0], abs=1e-10)


@pytest.mark.parametrize('shape', [(0, 3), (3, 0), (0, 0)])
def test_empty_matrices(shape: tuple[int, int]) -> None:
    parts = Decomposition.of(np.zeros(shape))
    assert parts.rank() == 0
    assert parts.null_space().shape == (shape[1], shape[1])
    assert parts.solve(np.ones(shape[0]), 0) == pytest.approx(np.zeros(shape[1]))


def test_nothing_has_rank_zero() -> None:
    assert Decomposition.of(np.zeros((2, 3))).rank() == 0


def test_minimise_finds_a_root() -> None:
    """Where a circle and a line meet."""
    def linearise(x: Array) -> tuple[Array, Array]:
        return (np.array([x @ x - 2.0, x[0] - x[1]]),
                np.array([2.0 * x, [1.0, -1.0]]))

    assert minimise(linearise, np.array([3.0, 0.5])) == pytest.approx([1.0, 1.0], abs=1e-9)


def test_minimise_fits_what_cannot_be_met() -> None:
    """The point of the unit circle nearest to (3, 4), from a start on the other side."""
    def linearise(x: Array) -> tuple[Array, Array]:
        c, s = np.cos(x[0]), np.sin(x[0])
        return np.array([c - 3.0, s - 4.0]), np.array([[-s], [c]])

    angle = minimise(linearise, np.array([-1.0]), 200)[0]
    assert angle == pytest.approx(np.arctan2(4.0, 3.0), abs=1e-6)


def test_minimise_leaves_alone_what_does_not_matter() -> None:
    def linearise(x: Array) -> tuple[Array, Array]:
        return np.array([x[0] ** 3 - 8.0]), np.array([[3.0 * x[0] ** 2, 0.0]])

    assert minimise(linearise, np.array([1.0, 0.7])) == pytest.approx([2.0, 0.7], abs=1e-9)


def test_minimise_stops_where_nothing_can_move() -> None:
    calls = 0

    def linearise(x: Array) -> tuple[Array, Array]:
        nonlocal calls
        calls += 1
        return np.ones(2), np.zeros((2, 1))

    assert minimise(linearise, np.array([0.3])) == pytest.approx([0.3])
    assert calls == 1
