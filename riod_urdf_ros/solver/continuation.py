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
Following a mechanism from one configuration to another without leaving its assembly mode.

The independent joints go along the straight path ``u(t) = u_0 + t (u_1 - u_0)``, t from 0 to 1.
Each sub-step predicts along the tangent ``dx/dt = -J^+ J_u du/dt``, corrects by Gauss-Newton
steps, and counts only if :mod:`certificate` proves it; else it is shortened. Near a singular
position, where this would take for ever, a sub-step may go through a change point, which cannot
be proven: see :mod:`change_points`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .block import Block
from .change_points import cross, crossing, leave
from .path import Path, Point, Walk
from ..constraints.least_squares import minimise
from ..constraints.numerics import (
    BUDGET,
    HEALTHY_STEP,
    LEAST_BUDGET,
    NEAR_SINGULAR,
    SMALLEST_STEP,
    WANTED_CHANGE,
)
from ..robot.transforms import Array


def best_fit(block: Block, q: list[float]) -> None:
    """Move the unknown joints to where the closures fit best, from where they are."""
    def linearise(x: Array) -> tuple[Array, Array]:
        block.store(x, q)
        r, J, _ = block.linearise(q)
        return r, J

    block.store(minimise(linearise, block.unknowns(q)), q)


def follow(blocks: Sequence[Block], start: Sequence[float], target: Mapping[int, float],
           deadline: float = np.inf) -> Walk:
    """
    Follow the straight path of the independent joints.

    :param blocks: in the order of solving.
    :param start: a configuration where the closures hold (configuration vector, rad and m).
    :param target: where the independent joints go, by their place in the vector.
    :param deadline: time of ``perf_counter`` after which to give up, s.
    :return: the walk; its evaluations are bounded whatever the path does.
    """
    path = Path(blocks, list(start), target, deadline)
    t, h = 0.0, 1.0
    refused = np.inf  # how near the singular position was when the way through was refused
    points = path.points(path.walk.q)
    budget = max(LEAST_BUDGET, BUDGET // max((block.n for block in blocks), default=1))
    if all(start[i] == end for i, end in target.items()):
        t = path.walk.reached = 1.0
    while t < 1.0:
        if h < SMALLEST_STEP or path.late:
            return path.walk
        if path.walk.evaluations > budget:
            path.walk.late = h > HEALTHY_STEP
            return path.walk
        h = min(h, 1.0 - t)
        step = None
        singularity = min((point.singularity for point in points), default=1.0)
        if singularity > NEAR_SINGULAR:
            refused = np.inf
        elif singularity < 0.5 * refused:
            through = crossing(path, points, t)
            if through < np.inf:
                step = _step(path, points, t, through, through_change_point=True)
                h, refused = (h, singularity) if step is None else (through, np.inf)
        if step is None:
            step = _step(path, points, t, h)
        factor = min(max(WANTED_CHANGE / max(path.change, 1e-9), 0.1), 2.0)
        if step is not None:
            path.walk.q, points = step
            t = path.walk.reached = t + h if h < 1.0 - t else 1.0
            h *= factor
        else:
            h *= min(factor, 0.5)
    return path.ended(points)


def _step(
        path: Path, points: list[Point], t: float, h: float, through_change_point: bool = False,
) -> tuple[list[float], list[Point]] | None:
    """
    Try a sub-step.

    :return: the configuration and its points, or None.
    """
    q, rates, reached = path.at(t + h), path.rates(), []
    bent = [0.0] * len(q)
    tolerance = 1e-12 if t + h >= 1.0 else 1e-7
    path.change = 0.0
    for block, point in zip(path.blocks, points):
        if point.singular:
            end = leave(path, block, point, q, h, rates)
        else:
            end = path.advance(block, point, q, h, rates, bent, tolerance)
            if end is None and through_change_point:
                end = cross(path, block, points, point, q, h, rates)
        if end is None:
            return None
        rates.update(zip(block.columns, (end.rate * block.scale).tolist()))
        reached.append(end)
    return q, reached
