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


"""Rows of a smooth motion one after the other, without what a single state has around its step."""

from __future__ import annotations

import numpy as np

from .group_status import GroupStatus
from .loop_group import GroupState, LoopGroup, WEIGHTS
from .switching_step import SwitchingStep
from ..constraints.numerics import LARGEST_CHANGE, ORDER
from ..robot.transforms import Array


def can_follow(group: LoopGroup) -> bool:
    """Whether all steps of a group are in machine code, and it can start where it is."""
    state = group.state
    return state.memories is not None and not group.watched and all(
        isinstance(step, SwitchingStep) and step.in_machine_code for step in state.choice.steps)


def follow_rows(group: LoopGroup, u: Array) -> Array:
    """
    Solve rows as far as every one is closed and proven to continue the one before.

    The group is then where the last of them is.

    :param u: positions of the independent joints, shape (k, n_u), rad and m.
    :return: the group's variables in the rows that are solved, shape (rows, variables).
    """
    state = group.state
    memories, dependent = state.memories or (), state.q[u.shape[1]:]
    evaluations, rows = 0, []
    for start, weights in zip(u.tolist(), _weights(state, u)):
        q = start + dependent
        bent = [0.0] * len(q) if len(memories) > 1 else []
        misfit, evaluations, after = 0.0, 0, []
        for step, memory in zip(state.choice.steps, memories):
            stepped = step(q, bent, memory, weights)
            if stepped is None or not stepped.change <= LARGEST_CHANGE:
                break
            memory, count, rest, _ = stepped
            after.append(memory)
            evaluations += count
            misfit += rest
        if len(after) < len(memories) or misfit > group.closed_misfit:
            break
        memories, dependent = tuple(after), q[len(start):]
        rows.append(q)
    if rows:
        last = rows[-1]
        past = (*(row[:u.shape[1]] for row in rows[:-ORDER - 2:-1]), *state.past)[:ORDER + 1]
        group.state = GroupState(
            last, past[0], last, memories, past, state.choice,
            GroupStatus('closed', False, True, evaluations, (), state.choice.blocks, tuple(last)),
            state.blocked)
    return np.array(rows).reshape(len(rows), len(state.q))


def _weights(state: GroupState, u: Array) -> list[tuple[float, ...]]:
    """Choose the order of extrapolation for each row, as the group does for a single one."""
    all_rows = np.vstack([np.array(state.past[::-1]), u])
    errors = []
    for weights in WEIGHTS:
        foreseen = sum(weight * all_rows[ORDER - i:len(all_rows) - 1 - i]
                       for i, weight in enumerate(weights))
        errors.append(np.abs(u - foreseen).sum(axis=1))
    return [WEIGHTS[order] for order in np.argmin(errors, axis=0).tolist()]
