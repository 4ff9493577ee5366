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

"""Many configurations at once: the same generated code, run on arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .array_step import pseudo_inverse
from .block import Block
from .followed_rows import can_follow, follow_rows
from .loop_group import LoopGroup
from .recovery import solve
from ..constraints.numerics import (
    BATCH_STEPS,
    CHUNK,
    FINISHED,
    LARGEST_CHANGE,
    LENGTH,
    LONGEST,
    NARROWEST,
    SHORTEST,
    STRIDE,
    SUBSTEPS,
)
from ..robot.read_only import Frozen
from ..robot.transforms import Array


@dataclass(frozen=True, eq=False)
class BatchSolution(Frozen):
    """
    Solutions of k configurations.

    :param positions: rad and m, shape (k, n), columns as :attr:`Robot.moving_joints`.
    :param states: shape (k, c), columns as :attr:`Robot.closures`; 0 closed, 1 strained, 2 open.
    """

    positions: Array
    states: NDArray[np.int8]

    def __post_init__(self) -> None:
        """Keep what is handed out as it is."""
        self.positions.flags.writeable = self.states.flags.writeable = False


class _Rows:
    """
    Rows of one loop group while they are being solved.

    :param u: positions of the independent joints, shape (k, n_u), rad and m.
    """

    def __init__(self, group: LoopGroup, u: Array) -> None:
        self.group, self.choice = group, group.state.choice
        self.q = np.zeros((len(group.home), u.shape[0]))  # a column a row
        self.q[:u.shape[1]] = u.T
        self.good = np.zeros(u.shape[0], bool)  # converged and closed
        self.J = [np.zeros((u.shape[0], block.m, block.n + len(block.known)))
                  for block in self.choice.blocks]

    def unknowns(self, block: Block, rows: NDArray[np.int_]) -> Array:
        """Return the scaled unknown joints of a block, shape (rows, n)."""
        x: Array = self.q[np.ix_(np.array(block.columns), rows)].T / block.scale
        return x

    def _joints(self, block: Block, values: Array) -> Array:
        """Return the scaled unknown and known joints out of columns of q, (rows, n + k)."""
        joints: Array = values[[*block.columns, *block.known_columns]].T \
            / np.concatenate([block.scale, block.known_scale])
        return joints

    def put(self, row: int) -> None:
        """Take over where the group has been brought to."""
        state = self.group.state
        self.q[len(state.u):, row] = state.q[len(state.u):]
        for step, J, memory in zip(state.choice.steps, self.J, state.memories or ()):
            J[row] = step.jacobian(memory)
        self.good[row] = True

    def correct(self, rows: NDArray[np.int_], guesses: Sequence[Array]) -> None:
        """
        Correct guesses by Gauss-Newton.

        :param guesses: for each block the scaled unknown joints, shape (rows, n).
        """
        good = np.ones(rows.size, bool)
        misfit = np.zeros(rows.size)
        q = self.q[:, rows]
        try:
            for block, x, J_all in zip(self.choice.blocks, guesses, self.J):
                finished = np.zeros(rows.size, bool)
                for _ in range(BATCH_STEPS):
                    q[list(block.columns)] = (x * block.scale).T
                    r, J = block.many.many(q)
                    dx, rest = _least_squares(J[:, :, :block.n], r)
                    x = x - dx
                    finished = _squares(dx) < FINISHED
                    if finished.all():
                        break
                q[list(block.columns)] = (x * block.scale).T
                good &= finished
                misfit += rest
                J_all[rows] = J
        except np.linalg.LinAlgError:
            good[:] = False  # one is singular: all are left to the careful path
        self.q[:, rows] = q
        self.good[rows] = good & (misfit <= self.group.closed_misfit)

    def proven(self, before: NDArray[np.int_], after: NDArray[np.int_]) -> NDArray[np.bool_]:
        """
        Tell which rows are proven to continue others.

        :param before: rows that steps start from.
        :param after: rows that they lead to, as many.
        """
        good = self.good[before] & self.good[after]
        q, ends = self.q[:, before], self.q[:, after]
        bent = np.zeros_like(q)
        try:
            for block, J in zip(self.choice.blocks, self.J):
                there = self._joints(block, ends)
                change, curve = block.certificate.changes(
                    pseudo_inverse(J[after][:, :, :block.n]), J[before], J[after],
                    there - self._joints(block, q), there,
                    bent[list(block.known_columns)].T / block.known_scale)
                bent[list(block.columns)] = (curve * block.scale).T
                good &= change <= LARGEST_CHANGE
        except np.linalg.LinAlgError:
            good[:] = False
        return good


def _squares(values: Array) -> Array:
    """Return the sum of squares of each row, shape (rows,)."""
    result: Array = np.einsum('ki,ki->k', values, values)
    return result


def _least_squares(J: Array, right: Array) -> tuple[Array, Array]:
    """
    Solve J x = right for each row, J having full column rank.

    :param J: shape (rows, m, n).
    :param right: shape (rows, m).
    :return: x, shape (rows, n), and what is left of the square of the right-hand side.
    """
    if J.shape[1] == J.shape[2]:
        return np.asarray(np.linalg.solve(J, right[:, :, None]))[:, :, 0], np.zeros(J.shape[0])
    transposed = J.transpose(0, 2, 1)
    gradient = transposed @ right[:, :, None]
    x: Array = np.linalg.solve(transposed @ J, gradient)[:, :, 0]
    return x, _squares(right) - np.einsum('ki,ki->k', gradient[:, :, 0], x)


def solve_rows(group: LoopGroup, u: Array) -> tuple[Array, NDArray[np.bool_]]:
    """
    Solve a stream of configurations, each continued from the one before.

    In machine code rows are solved one after the other. Else as many at a time as succeed are
    solved as a stretch, more after a success, fewer and with less distance after a failure. The
    row that fails is solved by itself, with all care.

    :param u: positions of the group's independent joints, shape (k, n_u), rad and m.
    :return: the group's variables, shape (variables, k); whether a row is known to be closed.
    """
    q = np.zeros((len(group.home), u.shape[0]))
    q[:u.shape[1]] = u.T
    closed = np.zeros(u.shape[0], bool)
    row, length, stride = 0, LENGTH, STRIDE
    while row < u.shape[0]:
        stretch, done = u[row:row + length], 0
        if can_follow(group):
            followed = follow_rows(group, stretch)
            done = len(followed)
            q[:, row:row + done], closed[row:row + done] = followed.T, True
        elif len(stretch) >= SHORTEST and group.state.memories is not None and not group.watched:
            start = group.state
            table = _solve_stretch(group, stretch, stride)
            rows = np.arange(len(stretch))
            good = np.concatenate([table.proven(part, part + 1) for part in np.split(
                rows, range(CHUNK, len(rows), CHUNK))])
            done = int(np.argmin([*good, False]))
            q[:, row:row + done], closed[row:row + done] = table.q[:, 1:done + 1], True
            group.state = start
            if done:
                group.state = group.standing_at(table.q[:, done].tolist(), start.choice)
        if done < len(stretch):
            status = solve(group, stretch[done].tolist())
            q[u.shape[1]:, row + done] = group.state.q[u.shape[1]:]
            closed[row + done] = status.state == 'closed'
            done += 1
            length = max(length // 2, SHORTEST)
            stride = max(stride // 2, NARROWEST)
        else:
            length = min(2 * length, LONGEST)
        row += done
    return q, closed


def _solve_stretch(group: LoopGroup, u: Array, stride: int) -> _Rows:
    """
    Solve rows that follow one another smoothly from where the group is.

    Rows at a distance are solved by themselves; between them the rows are interpolated, halving
    the distance again and again, and corrected all at once. Whether each continues the one before
    is not looked at yet.

    :param stride: the distance at first.
    :return: row 0 is where the group was, row i + 1 is u[i]; rows after a failure are not good.
    """
    table = _Rows(group, np.vstack([group.state.q[:u.shape[1]], u]))
    last = u.shape[0]
    table.put(0)
    solved = [0]
    for row in (*range(stride, last - 1, stride), last):
        if not group.step(u[row - 1].tolist(), np.inf) or group.state.status.state != 'closed':
            break
        table.put(row)
        solved.append(row)
    nodes = np.array(solved)
    while (np.diff(nodes) > 1).any():
        gaps = np.flatnonzero(np.diff(nodes) > 1)
        left, right = nodes[gaps], nodes[gaps + 1]
        rows = (left + right) // 2
        for part in range(0, rows.size, CHUNK):
            some = slice(part, part + CHUNK)
            table.correct(rows[some], _interpolate(table, nodes, gaps[some], rows[some]))
        nodes = np.sort(np.concatenate([nodes, rows]))
    return table


def _interpolate(
        table: _Rows, solved: NDArray[np.int_], gaps: NDArray[np.int_], rows: NDArray[np.int_],
) -> list[Array]:
    """Return guesses by the cubic through the four solved rows around each row (Lagrange)."""
    first = np.clip(gaps - 1, 0, max(solved.size - 4, 0))
    nodes = solved[np.minimum(first[:, None] + np.arange(4), solved.size - 1)].astype(float)
    weights = np.ones_like(nodes)
    for i in range(4):
        for j in range(4):
            if i != j:
                same = nodes[:, i] == nodes[:, j]  # fewer than four rows in all
                apart = np.where(same, 1.0, nodes[:, i] - nodes[:, j])
                weights[:, i] *= np.where(same, 1.0, (rows - nodes[:, j]) / apart)
    weights /= weights.sum(axis=1, keepdims=True)
    index = nodes.astype(int)
    return [sum(weights[:, [i]] * table.unknowns(block, index[:, i]) for i in range(4))
            for block in table.choice.blocks]


def solve_rows_from_home(group: LoopGroup, u: Array) -> tuple[Array, NDArray[np.bool_]]:
    """
    Solve configurations each on its own, along the straight path from home.

    All paths are followed in step; those that fail a test are followed one by one.

    :param u: positions of the group's independent joints, shape (k, n_u), rad and m.
    :return: the group's variables, shape (variables, k); whether a row is known to be closed.
    """
    q = np.zeros((len(group.home), u.shape[0]))
    closed = np.zeros(u.shape[0], bool)
    before_all = group.state
    group.reset()
    home = np.array(group.home)
    u_home = home[:u.shape[1]]
    for part in range(0, u.shape[0], CHUNK):
        some = u[part:part + CHUNK]
        count = some.shape[0]
        # Columns 0 to count - 1 are the sub-step before, the others the present one.
        table = _Rows(group, np.vstack([some, some]))
        before, now = np.arange(count), np.arange(count, 2 * count)
        table.q[:, before] = home[:, None]
        table.good[before] = True
        for block, J in zip(table.choice.blocks, table.J):
            J[before] = block.single(group.home)[1]
        history = [[table.unknowns(block, before)] for block in table.choice.blocks]
        for k in range(1, SUBSTEPS + 1):
            table.q[:u.shape[1], now] = (u_home + (k / SUBSTEPS) * (some - u_home)).T
            table.correct(now, [_extrapolate(x) for x in history])
            table.good[now] = table.proven(before, now)
            for block, x, J in zip(table.choice.blocks, history, table.J):
                x.append(table.unknowns(block, now))
                J[before] = J[now]
            table.q[:, before], table.good[before] = table.q[:, now], table.good[now]
        q[:, part:part + count] = table.q[:, now]
        closed[part:part + count] = table.good[now]
    if group.watched:
        closed[:] = False
    for row in np.flatnonzero(~closed):
        group.reset()
        status = solve(group, u[row].tolist())
        q[u.shape[1]:, row] = group.state.q[u.shape[1]:]
        closed[row] = status.state == 'closed'
    group.state = before_all
    return q, closed


def _extrapolate(history: list[Array]) -> Array:
    """Go on with the cubic through the last four, or with what there is."""
    *_, last = history
    if len(history) >= 4:
        return 4.0 * last - 6.0 * history[-2] + 4.0 * history[-3] - history[-4]
    return 2.0 * last - history[-2] if len(history) > 1 else last
