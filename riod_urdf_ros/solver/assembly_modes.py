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
All assembly modes of a loop group: the poses that close its loops while the motors stand still.

Block after block, each from the modes of those before it: the unknown joints of a block are few,
so that starts from all over their range find its solutions. These are counted as found when many
starts in a row have brought nothing new. That is no proof that there are no more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
import math

import numpy as np

from .block import Block
from .continuation import best_fit, follow
from .loop_group import LoopGroup
from .recovery import solve
from ..constraints.numerics import (
    CLOSED,
    MODE_ASIDE,
    MODE_STEPS,
    MOST_MODES,
    MOST_STARTS,
    PATIENCE,
    SAME_POSE,
)
from ..robot.transforms import Array


@dataclass(frozen=True)
class AssemblyMode:
    """
    A pose that closes the loops.

    :param positions: of the group's independent and dependent joints, rad and m.
    :param followed: whether it is the one that a solve gives.
    :param reachable: whether it was reached from the one that is followed with no loop opened;
        None where no way was found.
    """

    positions: Mapping[str, float]
    followed: bool
    reachable: bool | None


def find_modes(group: LoopGroup, u: list[float], turns: Sequence[bool] | None,
               ) -> tuple[AssemblyMode, ...]:
    """
    Find the assembly modes of a group; it stays where it is.

    :param u: positions of the independent joints, rad and m.
    :param turns: which of them may go round the shorter way.
    :return: the one that is followed first, then the nearest to it first.
    """
    before = group.state
    followed = solve(group, u, turns).state == 'closed'
    q = group.state.q if followed else [*u, *group.state.q[len(u):]]
    group.state = before
    modes = closed_poses(group, q)
    reachable = connected_modes(group, modes) if followed else [None] * len(modes)
    return tuple(
        AssemblyMode(dict(zip(group.index, mode)), followed and i == 0, reachable[i])
        for i, mode in enumerate(modes))


def closed_poses(group: LoopGroup, q: Sequence[float]) -> list[list[float]]:
    """
    Find the closed configurations of a group.

    :param q: configuration vector, its independent joints where the motors are; undetermined
        joints stay where they are.
    :return: configuration vectors, that of q first if it is closed; then nearest to it first.
    """
    found = [list(q)]
    for block in group.first_choice.blocks:
        found = [mode for start in found for mode in _block_modes(block, start)]
        del found[MOST_MODES:]
    return sorted(found, key=lambda mode: math.dist(mode, q))


def _block_modes(block: Block, q: Sequence[float]) -> list[list[float]]:
    """Find the solutions of one block, its known joints being where they are in q."""
    rng = np.random.default_rng(block.n)
    start = block.unknowns(q)
    slides = block.scale != 1.0
    there = list(q)
    solutions: list[Array] = []
    idle = 0
    for attempt in range(MOST_STARTS):
        # Angles from all over a turn; slides from as far as the loop is large.
        wish = start + rng.uniform(-math.pi, math.pi, block.n) if attempt else start
        block.store(wish, there)
        best_fit(block, there)
        if np.linalg.norm(block.residual(there)) <= CLOSED:
            x = block.unknowns(there)
            x = np.where(slides, x, start + (x - start + math.pi) % math.tau - math.pi)
            if all(_apart(x, other, slides) > SAME_POSE for other in solutions):
                solutions.append(x)
                idle = 0
                continue
        idle += 1
        if idle > PATIENCE * block.n:
            break
    modes = []
    for x in solutions:
        mode = list(q)
        block.store(x, mode)
        modes.append(mode)
    return modes


def _apart(a: Array, b: Array, slides: Array) -> float:
    """Return how far two solutions are apart, whole turns left out."""
    difference = a - b
    turned = (difference + math.pi) % math.tau - math.pi
    return float(np.linalg.norm(np.where(slides, difference, turned)))


def connected_modes(group: LoopGroup, modes: Sequence[list[float]]) -> list[bool | None]:
    """
    Tell which modes can be reached from the first one without opening a loop.

    Each motor in turn goes round, or to its dead centres and back on the other branch that begins
    there, the others standing still. That does not find every way.

    :param modes: configuration vectors with one position of the independent joints.
    :return: for each mode; None where no way was found.
    """
    reached: list[bool | None] = [None] * len(modes)
    pending = [0] if modes else []
    while pending:
        here = pending.pop()
        if reached[here]:
            continue
        reached[here] = True
        for motor in range(len(group.independent)):
            for direction in (1.0, -1.0):
                for end in _there_and_back(group, modes[here], motor, direction):
                    pending += [i for i, mode in enumerate(modes)
                                if not reached[i] and _same(group, mode, end)]
    return reached


def _there_and_back(group: LoopGroup, start: list[float], motor: int, direction: float,
                    ) -> list[list[float]]:
    """Move one motor by up to a turn, or the size of the loop; return what it comes back as."""
    blocks, q = group.first_choice.blocks, start
    joint = group.code.robot.by_name[group.independent[motor]]
    whole = direction * (2.0 * max(block.length for block in blocks)
                         if joint.kind == 'prismatic' else math.tau)
    home = dict(enumerate(start[:len(group.independent)]))
    for k in range(1, MODE_STEPS + 1):
        walk = follow(blocks, q, {**home, motor: start[motor] + whole * k / MODE_STEPS})
        if not walk.complete:
            return _turned_back(group, walk.q, motor, 0.1 * whole / MODE_STEPS, home)
        q = walk.q
    if joint.kind == 'continuous':
        return [q]
    return []


def _turned_back(group: LoopGroup, end: list[float], motor: int, step: float,
                 home: Mapping[int, float]) -> list[list[float]]:
    """Leave a dead centre on either branch that begins there, and go where the motors were."""
    ends = []
    for side in (1.0, -1.0):
        q = list(end)
        q[motor] -= step
        for block in group.first_choice.blocks:
            block.store(block.unknowns(q) + side * MODE_ASIDE * block.sideways(end), q)
            best_fit(block, q)
        if all(np.linalg.norm(block.residual(q)) <= CLOSED
               for block in group.first_choice.blocks):
            walk = follow(group.first_choice.blocks, q, home)
            if walk.complete:
                ends.append(walk.q)
    return ends


def _same(group: LoopGroup, a: Sequence[float], b: Sequence[float]) -> bool:
    return all(
        _apart(block.unknowns(a), block.unknowns(b), block.scale != 1.0) < 100.0 * SAME_POSE
        for block in group.first_choice.blocks)
