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
Velocities, accelerations and efforts of a closed mechanism, from the Jacobian of its closures.

Along every motion of the closed mechanism ``J dx + J_u du = 0``, and once more by time
``J ddx + J_u ddu + (dJ/dt) (dx, du) = 0``. So all joints move with ``dq = G du`` and
``ddq = G ddu + bias``, and efforts do the same work as others where ``G^T`` of both is the same.

What has no answer is not a number: where the loops are open, where the independent joints do not
determine the motion (a singular position), or where no efforts do the work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from .loop_group import LoopGroup
from ..constraints.numerics import IMAGINARY_STEP, LOST_WORK, RANK_TOLERANCE
from ..exceptions import UsageError
from ..robot.frame_motion import frame_motion, FRAME_ROWS
from ..robot.model import Robot
from ..robot.transforms import Array
from ..wording import listing, quote

Joints = Mapping[str, float] | Array
"""Values by joint, or k rows of them as an array of shape (k, n)."""


class Jacobian(NamedTuple):
    """
    ``velocity = values @ du`` and ``acceleration = values @ ddu + bias``.

    :param rows: what moves: joints, or :data:`FRAME_ROWS` of a frame.
    :param columns: the independent joints.
    :param values: shape (rows, columns), for many configurations (k, rows, columns); m and rad by
        m and rad.
    :param bias: the derivative of values by time, times du; shape (rows,) or (k, rows).
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: Array
    bias: Array


class Differential:
    """
    First and second derivatives of all joint positions by those of the independent ones.

    :param independent: names of joints, in the order of all columns here.
    """

    def __init__(
            self, robot: Robot, groups: Sequence[LoopGroup], independent: Sequence[str]) -> None:
        """Compile nothing before it is asked for."""
        self.robot, self.groups, self.independent = robot, groups, tuple(independent)
        self.names = tuple(joint.name for joint in robot.moving_joints)
        self._place = {name: i for i, name in enumerate(self.names)}
        self._free = [self._place[name] for name in self.independent]
        self._units = np.array(
            [robot.size if joint.unit == 'm' else 1.0 for joint in robot.moving_joints])

    def joints(self, positions: Joints, velocities: Joints | None) -> Jacobian:
        """Return the Jacobian of all joints that are not independent, mimic joints included."""
        q, du, alone = self._given(positions, velocities)
        G, bias = self._whole(q, du)
        rows = [i for i, name in enumerate(self.names) if name not in self.independent]
        return self._result([self.names[i] for i in rows], G[:, rows], bias[:, rows], alone)

    def frame(self, frame: str, positions: Joints, velocities: Joints | None,
              reference: str) -> Jacobian:
        """Return the Jacobian of a frame, seen from another and in that one's axes."""
        for link in filter(None, (frame, reference)):
            if link not in self.robot.links:
                raise UsageError(f'there is no link {quote(link)}; there are: '
                                 + listing(self.robot.links))
        q, du, alone = self._given(positions, velocities)
        G, bias = self._whole(q, du)
        dq = (G @ du[:, :, None])[:, :, 0]
        _, columns = frame_motion(
            self.robot, frame, q + (1j * IMAGINARY_STEP) * dq, reference)
        rate, columns = columns.imag / IMAGINARY_STEP, columns.real
        return self._result(
            FRAME_ROWS, columns @ G,
            (columns @ bias[:, :, None] + rate @ dq[:, :, None])[:, :, 0], alone)

    def accelerations(
            self, positions: Joints, velocities: Joints, accelerations: Joints) -> Joints:
        """Return the accelerations of all moving joints, as mapping or array as positions are."""
        q, du, alone = self._given(positions, velocities)
        G, bias = self._whole(q, du)
        ddu = self._table(accelerations, self.independent, 'acceleration', len(q))
        ddq: Array = (G @ ddu[:, :, None])[:, :, 0] + bias
        return dict(zip(self.names, ddq[0].tolist())) if alone else ddq

    def efforts(self, efforts: Mapping[str, float | Array], onto: Sequence[str],
                positions: Joints) -> dict[str, float] | dict[str, Array]:
        """
        Return the efforts that do the same work, of least norm where there are several.

        Forces count in terms of the robot's size, so that N and N m can be added.
        """
        for name in (*efforts, *onto):
            if name not in self._place:
                raise UsageError(f'there is no moving joint {quote(name)}; there are: '
                                 + listing(self.names))
        q, du, alone = self._given(positions, None)
        G, _ = self._whole(q, du)
        # Efforts times units, so that all are N m.
        G = G / self._units[:, None] * self._units[self._free]
        work = np.zeros(G[:, 0].shape)
        for name, effort in efforts.items():
            i = self._place[name]
            work += G[:, i] * (np.asarray(effort, float) * self._units[i]).reshape(-1, 1)
        places = [self._place[name] for name in onto]
        A = G[:, places].swapaxes(1, 2)
        good = np.isfinite(A).all((1, 2)) & np.isfinite(work).all(1)
        found = np.full((len(q), len(places)), np.nan)
        U, s, Vt = np.linalg.svd(A[good], full_matrices=False)
        # In terms of how far anything moves: a joint at its dead centre does no work.
        largest = np.linalg.norm(G[good], axis=(1, 2))
        inverse = np.where(s > RANK_TOLERANCE * largest[:, None], 1.0, 0.0) / np.maximum(s, 1e-300)
        along = inverse[:, :, None] * (U.swapaxes(1, 2) @ work[good, :, None])
        found[good] = (Vt.swapaxes(1, 2) @ along)[:, :, 0]
        lost = np.linalg.norm((A @ found[:, :, None])[:, :, 0] - work, axis=1)
        found[~(lost <= LOST_WORK * np.linalg.norm(work, axis=1))] = np.nan
        found /= self._units[places]
        return dict(zip(onto, found[0].tolist())) if alone else dict(zip(onto, found.T))

    def _given(
            self, positions: Joints, velocities: Joints | None) -> tuple[Array, Array, bool]:
        alone = isinstance(positions, Mapping)
        q = self._table(positions, self.names, 'position')
        du = np.zeros((len(q), len(self.independent))) if velocities is None else self._table(
            velocities, self.independent, 'velocity', len(q))
        return q, du, alone

    def _table(
            self, values: Joints, names: Sequence[str], what: str, count: int | None = None,
    ) -> Array:
        """Return values as an array of shape (k, names)."""
        if isinstance(values, Mapping):
            absent = [name for name in names if name not in values]
            if absent:
                raise UsageError(f'no {what} of joint {listing(absent)}')
            values = np.array([[values[name] for name in names]], float)
        table: Array = np.asarray(values, float)
        if table.ndim != 2 or table.shape[1] != len(names) or count not in (None, len(table)):
            raise UsageError(f'{what}s have shape {table.shape}; right is '
                             f'({count or "k"}, {len(names)}): {listing(names)}')
        return table

    def _result(self, rows: Sequence[str], values: Array, bias: Array, alone: bool) -> Jacobian:
        return Jacobian(tuple(rows), self.independent, values[0] if alone else values,
                        bias[0] if alone else bias)

    def _whole(self, q: Array, du: Array) -> tuple[Array, Array]:
        """Return G (k, moving joints, independent) and the bias (k, moving joints)."""
        G = np.zeros((len(q), len(self.names), len(self.independent)))
        G[:, self._free, range(len(self._free))] = 1.0
        bias = np.zeros(q.shape)
        for group in self.groups:
            self._solve_group(group, q, du, G, bias)
        for joint in self.robot.moving_joints:
            if joint.mimic is not None:
                source, multiplier, _ = self.robot.source(joint)
                i, j = self._place[joint.name], self._place[source.name]
                G[:, i], bias[:, i] = multiplier * G[:, j], multiplier * bias[:, j]
        return G, bias

    def _solve_group(
            self, group: LoopGroup, q: Array, du: Array, G: Array, bias: Array) -> None:
        """Write the rows of the group's dependent joints."""
        of_group = [self._place[name] for name in group.index]
        columns = np.ascontiguousarray(q[:, of_group].T)
        misfit = np.zeros(len(q))
        for block in group.state.choice.blocks:
            r, J = block.many.many(columns)
            misfit += np.einsum('ki,ki->k', r, r)
            if not block.n:
                continue
            names = (*block.unknown, *block.known)
            places = [self._place[name] for name in names]
            scale = np.concatenate([block.scale, block.known_scale])
            x, known = places[:block.n], places[block.n:]
            U, s, Vt = np.linalg.svd(J[:, :, :block.n], full_matrices=False)
            s[~(s[:, -1] > RANK_TOLERANCE * s[:, 0])] = np.nan
            P = (Vt.swapaxes(1, 2) / s[:, None]) @ U.swapaxes(1, 2) * -block.scale[:, None]
            J_known = J[:, :, block.n:] / block.known_scale
            G[:, x] = P @ (J_known @ G[:, known])
            dq = np.zeros((len(group.index), len(q)))
            for name, place in zip(names, places):
                dq[group.index[name]] = np.einsum('ki,ki->k', G[:, place], du)
            rate = block.rate(columns, dq) / scale
            moving = dq[[*block.columns, *block.known_columns]].T
            bias[:, x] = (P @ (J_known @ bias[:, known, None]
                               + rate @ moving[:, :, None]))[:, :, 0]
        dependent = [self._place[name] for name in group.dependent]
        for row in np.flatnonzero((misfit > group.closed_misfit) | group.watched):
            if group.verdict(q[row, of_group].tolist()) == 'open':
                G[row, dependent] = bias[row, dependent] = np.nan
