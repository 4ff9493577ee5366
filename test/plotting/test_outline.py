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

"""Bars, plates and nets that stand for rigid bodies."""

from __future__ import annotations

import numpy as np
from riod_urdf_ros.plotting.outline import outline


def test_nothing_for_one_place() -> None:
    assert outline(np.zeros((3, 3))) == []


def test_a_bar_between_the_outermost_of_points_in_line() -> None:
    (bar,) = outline(np.outer([0.3, 0.0, 1.0, 0.7], [1.0, 2.0, -1.0]))
    assert sorted(bar[:, 0].tolist()) == [0.0, 1.0]


def test_the_closed_edge_of_a_plate() -> None:
    corners = np.array([[0.0, 0, 1], [2, 0, 1], [2, 1, 1], [0, 1, 1]])
    inside = [[1.0, 0.5, 1.0], [1.0, 0.0, 1.0]]
    (edge,) = outline(np.vstack([inside, corners]))
    np.testing.assert_allclose(edge[0], edge[-1])
    assert {tuple(point) for point in edge.tolist()} == {tuple(c) for c in corners.tolist()}
    # Side after side, never across: the way round is as long as the edge.
    assert np.sum(np.linalg.norm(np.diff(edge, axis=0), axis=1)) == 6.0


def test_a_net_holds_points_in_space_together() -> None:
    points = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]])
    bars = outline(points)
    assert len(bars) == 3
    assert all(np.linalg.norm(bar[1] - bar[0]) == 1.0 for bar in bars)
