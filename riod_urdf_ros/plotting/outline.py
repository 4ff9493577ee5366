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

"""The lines that stand for a rigid body in a drawing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..robot.transforms import Array


def outline(points: Array) -> list[Array]:
    """
    Return the lines that stand for a rigid body.

    :param points: its pins as seen, shape (n, 3).
    :return: one bar, the edge of a plate (closed, if its pins are in one plane), or a net of bars.
    """
    distinct = np.unique(np.round(points, 9), axis=0)
    centred = distinct - distinct.mean(axis=0)
    if len(distinct) < 2:
        return []
    _, s, Vt = np.linalg.svd(centred, full_matrices=False)
    rank = int(np.sum(s > 1e-3 * s[0]))
    if rank == 1:
        along = centred @ Vt[0]
        return [distinct[[int(np.argmin(along)), int(np.argmax(along))]]]
    if rank == 2:
        corners = _hull(centred @ Vt[:2].T)
        return [distinct[[*corners, corners[0]]]]
    return _shortest_net(distinct)


def _hull(points: Array) -> list[int]:
    """Return the corners of the convex hull of points in a plane, in their order."""
    order = np.lexsort((points[:, 1], points[:, 0]))

    def half(indices: Sequence[int]) -> list[int]:
        chain: list[int] = []
        for i in indices:
            while len(chain) > 1:
                (ax, ay), (bx, by) = points[chain[-1]] - points[chain[-2]], points[i] - \
                    points[chain[-2]]
                if ax * by - ay * bx > 0.0:
                    break
                chain.pop()
            chain.append(int(i))
        return chain

    lower, upper = half(order.tolist()), half(order[::-1].tolist())
    return lower[:-1] + upper[:-1]


def _shortest_net(points: Array) -> list[Array]:
    """Connect points by the shortest bars that hold them all together (Prim)."""
    apart = np.linalg.norm(points[:, None] - points[None], axis=2)
    joined, bars = [0], []
    while len(joined) < len(points):
        rest = [i for i in range(len(points)) if i not in joined]
        distances = apart[np.ix_(joined, rest)]
        i, j = np.unravel_index(int(np.argmin(distances)), distances.shape)
        bars.append(points[[joined[i], rest[j]]])
        joined.append(rest[j])
    return bars
