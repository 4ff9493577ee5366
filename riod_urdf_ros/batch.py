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

from .block import Block
from .continuation import ALLOWED_CHANGE
from .loop_group import FINISHED, LoopGroup
from .transforms import Array

# Rows of a smooth stream that are skipped at most before the gap is filled in.
_STRIDE = 64
_STEPS = 4
# Rows handled at once: their Jacobians fit into the cache.
_CHUNK = 512
# Equal sub-steps of the straight path from home.
_SUBSTEPS = 16


@dataclass(frozen=True, eq=False)
class BatchSolution:
    """
    Solutions of k configurations.

    :param positions: rad and m, shape (k, n), columns as :attr:`Robot.moving_joints`.
    :param states: shape (k, c), columns as :attr:`Robot.closures`; 0 closed, 1 strained, 2 open.
    """

    positions: Array
    states: NDArray[np.int8]


class _Rows:
    """
    The rows of one loop group while they are being solved.

    :param q: shape (variables, k): a column a row, the independent joints set.
    """

    def __init__(self, group: LoopGroup, u: Array) -> None:
        self.group = group
        self.q = np.zeros((len(group.home), u.shape[0]))
        self.q[:u.shape[1]] = u.T
        self.visited = np.zeros(u.shape[0], bool)
        self.closed = np.zeros(u.shape[0], bool)
        self.good = np.zeros(u.shape[0], bool)  # closed, and known where it goes on from there
        self.J = [np.zeros((u.shape[0], block.m, block.n)) for block in group.blocks]

    def unknowns(self, block: Block, rows: NDArray[np.int_]) -> Array:
        """Give the scaled unknowns of a block, shape (rows, n)."""
        x: Array = self.q[np.ix_(np.array(block.columns), rows)].T / block.scale
        return x

    def correct(self, rows: NDArray[np.int_], guesses: Sequence[Array],
                left: NDArray[np.int_], between: bool) -> None:
        """
        Correct guesses by Gauss-Newton, and see whether they continue their neighbours.

        The tests are those of :meth:`LoopGroup.step`; between rows that passed them it is
        enough to see how J changed in the direction of the move.

        :param guesses: for each block the scaled unknowns, shape (rows, n).
        :param left: for each row the solved one that it has to continue.
        :param between: whether each row lies between two that continue one another.
        """
        good = self.good[left].copy()
        misfit = np.zeros(rows.size)
        q = self.q[:, rows]
        for block, x, J_all in zip(self.group.blocks, guesses, self.J):
            x0, J0 = self.unknowns(block, left), J_all[left]
            finished = np.zeros(rows.size, bool)
            for _ in range(_STEPS):
                q[list(block.columns)] = (x * block.scale).T
                r, J = block.many.many(q)
                move = x - x0
                right = np.concatenate(
                    [r[:, :, None], J0 @ move[:, :, None] if between else J0], axis=2)
                transposed = J.transpose(0, 2, 1)
                gradient = right if block.m == block.n else transposed @ right
                A = J if block.m == block.n else transposed @ J
                try:
                    result = np.linalg.solve(A, gradient)
                except np.linalg.LinAlgError:
                    self.good[rows] = False  # one is singular: all are left to the careful path
                    return
                dx, ratio = result[:, :, 0], result[:, :, 1:]
                x = x - dx
                finished = np.einsum('ki,ki->k', dx, dx) < FINISHED
                if finished.all():
                    break
            q[list(block.columns)] = (x * block.scale).T
            unchanged = move[:, :, None] if between else np.eye(block.n)
            change, whole = (np.einsum('kij,kij->k', v, v) for v in (
                ratio - unchanged, np.broadcast_to(unchanged, ratio.shape)))
            allowed = ALLOWED_CHANGE ** 2 * (whole + 1e-18 if between else 1.0)
            good &= finished & (change <= allowed)
            if block.m != block.n:
                misfit += (r * r).sum(axis=1) - (gradient[:, :, 0] * dx).sum(axis=1)
            J_all[rows] = J
        self.q[:, rows] = q
        self.good[rows] = good & (misfit <= self.group.closed_misfit)


def solve_rows(group: LoopGroup, u: Array) -> tuple[Array, NDArray[np.bool_]]:
    """
    Solve a stream of configurations, each continued from the one before.

    Rows some way apart are solved one after the other as far as a single step reaches; those
    between them are interpolated, halving the distances, and corrected all at once. Rows that
    fail a test are solved again one by one.

    :param u: positions of the group's independent joints, shape (k, n_u), rad and m.
    :return: the group's variables, shape (variables, k); whether a row is known to be closed.
    """
    table = _Rows(group, u)
    solved = _march(table, u)
    end = group.snapshot()
    while True:
        gaps = np.flatnonzero(np.diff(solved) > 1)
        if not gaps.size:
            break
        rows = (solved[gaps] + solved[gaps + 1]) // 2
        for part in range(0, rows.size, _CHUNK):
            some = slice(part, part + _CHUNK)
            table.correct(rows[some], _interpolate(table, solved, gaps[some], rows[some]),
                          solved[gaps[some]], between=True)
        solved = np.sort(np.concatenate([solved, rows]))
    for row in np.flatnonzero(~(table.good | table.visited)):
        if table.good[row - 1]:
            group.start_at(table.q[:, row - 1].tolist())
        table.closed[row] = group.solve(u[row].tolist()).state == 'closed'
        table.q[u.shape[1]:, row] = group.q[u.shape[1]:]
    group.restore(end)
    return table.q, table.closed | table.good


def _march(table: _Rows, u: Array) -> NDArray[np.int_]:
    """Solve rows as far apart as one step reaches; give those visited, the last one included."""
    group, last = table.group, u.shape[0] - 1
    row, before, stride = 0, -1, 1
    while True:
        if group.step(u[row].tolist()):
            stride = min(2 * stride, 1 if group.watched else _STRIDE)
        elif row > before + 1:
            stride = (row - before) // 2
            row = before + stride
            continue
        else:
            group.solve(u[row].tolist())
            stride = 1
        table.visited[row] = True
        table.closed[row] = group.status.state == 'closed'
        table.good[row] = table.closed[row] and group.regular
        table.q[u.shape[1]:, row] = group.q[u.shape[1]:]
        if table.good[row]:
            for block, J in zip(group.blocks, table.J):
                J[row] = block.linearise(group.q)[1]
        if row == last:
            return np.flatnonzero(table.visited)
        before, row = row, min(row + stride, last)


def _interpolate(
        table: _Rows, solved: NDArray[np.int_], gaps: NDArray[np.int_], rows: NDArray[np.int_],
) -> list[Array]:
    """Give guesses by the cubic through the four solved rows around each row (Lagrange)."""
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
            for block in table.group.blocks]


def solve_rows_from_home(group: LoopGroup, u: Array) -> tuple[Array, NDArray[np.bool_]]:
    """
    Solve configurations each on its own, along the straight path from home.

    All paths are followed in step; those that fail a test are followed one by one.

    :param u: positions of the group's independent joints, shape (k, n_u), rad and m.
    :return: the group's variables, shape (variables, k); whether a row is known to be closed.
    """
    q = np.zeros((len(group.home), u.shape[0]))
    closed = np.zeros(u.shape[0], bool)
    before_all = group.snapshot()
    home = np.array(group.home)
    u_home = home[:u.shape[1]]
    for part in range(0, u.shape[0], _CHUNK):
        some = u[part:part + _CHUNK]
        count = some.shape[0]
        # Columns 0 to count - 1 are the sub-step before, the others the present one.
        table = _Rows(group, np.vstack([some, some]))
        before, now = np.arange(count), np.arange(count, 2 * count)
        table.q[:, before] = home[:, None]
        table.good[before] = True
        for block, J in zip(group.blocks, table.J):
            J[before] = block.linearise(group.home)[1]
        history = [[table.unknowns(block, before)] for block in group.blocks]
        for k in range(1, _SUBSTEPS + 1):
            table.q[:u.shape[1], now] = (u_home + (k / _SUBSTEPS) * (some - u_home)).T
            table.correct(
                now, [_extrapolate(x) for x in history], before, between=False)
            for block, x, J in zip(group.blocks, history, table.J):
                x.append(table.unknowns(block, now))
                J[before] = J[now]
            table.q[:, before], table.good[before] = table.q[:, now], table.good[now]
        q[:, part:part + count] = table.q[:, now]
        closed[part:part + count] = table.good[now]
    if group.watched:
        closed[:] = False
    for row in np.flatnonzero(~closed):
        group.reset()
        status = group.solve(u[row].tolist())
        q[u.shape[1]:, row] = group.q[u.shape[1]:]
        closed[row] = status.state == 'closed'
    group.restore(before_all)
    return q, closed


def _extrapolate(history: list[Array]) -> Array:
    """Go on with the cubic through the last four, or with what there is."""
    *_, last = history
    if len(history) >= 4:
        return 4.0 * last - 6.0 * history[-2] + 4.0 * history[-3] - history[-4]
    return 2.0 * last - history[-2] if len(history) > 1 else last
