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
From where frames should be to the positions of the independent joints.

Small damped steps of least squares in the independent joints (Levenberg and Marquardt), with the
Jacobian of the closed mechanism. Each goes through the solver from where the last one ended, so
that the path keeps to the assembly mode as far as every path of the solver does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
import math
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from .differential import Jacobian
from .loop_group import GroupState, LoopGroup
from .solution import Solution
from ..constraints.numerics import REACH_FLOOR, REACH_HALVINGS, REACH_STEP, REACH_STEPS, STATIONARY
from ..exceptions import UsageError
from ..robot.kinematics import poses_of
from ..robot.model import Robot
from ..robot.transforms import Array, cross_matrix, inverse, rotation_vector
from ..wording import quote

Verdict = Literal['reached', 'out of reach', 'nearest']


@dataclass(frozen=True, eq=False)
class Target:
    """
    What is wanted of one frame; what is left out is free.

    :param frame: name of a link.
    :param position: of its origin, shape (3,), m.
    :param rotation: ``R_reference_frame``, shape (3, 3).
    :param direction: where an axis of the frame should point, shape (3,); its length is nothing.
    :param axis: that axis, in the frame, shape (3,).
    :param reference: link in which all this is given; the root if empty.
    """

    frame: str
    position: Array | None = None
    rotation: Array | None = None
    direction: Array | None = None
    axis: Array = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    reference: str = ''

    def check(self, robot: Robot) -> None:
        """
        Refuse what cannot be wanted of a robot.

        :param robot: that has the links.
        :raises UsageError: if a link is unknown or a value impossible.
        """
        for link in filter(None, (self.frame, self.reference)):
            if link not in robot.links:
                raise UsageError(f'there is no link {quote(link)}')
        for what, value, shape in (
                ('position', self.position, (3,)), ('rotation', self.rotation, (3, 3)),
                ('direction', self.direction, (3,)), ('axis', self.axis, (3,))):
            if value is not None and (
                    np.shape(value) != shape or not np.isfinite(value).all()):
                raise UsageError(f'{what} of {self.frame} has to be finite, of shape {shape}')
        if self.rotation is not None and (
                np.abs(np.asarray(self.rotation) @ np.transpose(self.rotation)
                       - np.eye(3)).max() > 1e-6 or np.linalg.det(self.rotation) < 0.0):
            raise UsageError(f'rotation of {self.frame} is no rotation matrix')
        if self.direction is not None and not (
                np.linalg.norm(self.direction) and np.linalg.norm(self.axis)):
            raise UsageError(f'direction and axis of {self.frame} have to have a length')

    def errors(self, T: Array, J: Array) -> tuple[list[Array], list[Array], list[str]]:
        """
        Return what is missing and how it changes.

        :param T: the frame's pose in the reference, shape (4, 4).
        :param J: of the frame, shape (6, n).
        :return: vectors of 3, their derivatives (3, n), and the unit of each, 'm' or 'rad'.
        """
        errors, rows, units = [], [], []
        if self.position is not None:
            errors.append(np.asarray(self.position) - T[:3, 3])
            rows.append(J[:3])
            units.append('m')
        if self.rotation is not None:
            errors.append(rotation_vector(np.asarray(self.rotation) @ T[:3, :3].T))
            rows.append(J[3:])
            units.append('rad')
        if self.direction is not None:
            now = T[:3, :3] @ self.axis / np.linalg.norm(self.axis)
            wanted = np.asarray(self.direction) / np.linalg.norm(self.direction)
            turn = np.cross(now, wanted)
            sine = float(np.linalg.norm(turn))
            if sine < 1e-12 and now @ wanted < 0.0:  # opposite: any way round
                turn, sine = np.cross(now, np.eye(3)[int(np.argmin(np.abs(now)))]), 0.0
            angle = math.atan2(sine, float(now @ wanted))
            norm = float(np.linalg.norm(turn))
            errors.append(turn * (angle / norm) if norm > 1e-300 else turn)
            K = cross_matrix(now)
            rows.append(-K @ K @ J[3:])  # turning about the axis itself changes nothing
            units.append('rad')
        return errors, rows, units


@dataclass(frozen=True, eq=False)
class Reach:
    """
    What a search for wanted frames came to.

    :param verdict: 'reached', within the tolerances of the solver; 'out of reach': no small
        motion leads nearer in this assembly mode and within the limits; 'nearest': the search
        ended at the nearest position found, and nothing more is known.
    :param positions: of the independent joints, rad and m.
    :param solution: all joints there.
    :param position_error: largest distance of an origin from where it is wanted, m.
    :param orientation_error: largest angle that is missing, rad.
    :param at_limit: joints with a motor that their limits have kept from going on.
    :param certain: whether it is proven of all steps that no other assembly mode was reached.
    :param steps: that were made.
    """

    verdict: Verdict
    positions: dict[str, float]
    solution: Solution
    position_error: float
    orientation_error: float
    at_limit: tuple[str, ...]
    certain: bool
    steps: int


class _Solver(Protocol):
    """What of a solver is used."""

    robot: Robot
    independent: tuple[str, ...]
    position_tolerance: float
    orientation_tolerance: float

    @property
    def now(self) -> dict[str, float]: ...

    def solve(self, positions: dict[str, float]) -> Solution: ...

    def jacobian(self) -> Jacobian: ...

    def link_jacobian(self, frame: str, *, reference: str = '') -> Jacobian: ...


@dataclass
class _Place:
    """Where the search is: errors in rad and robot sizes, their derivatives scaled likewise."""

    e: Array
    J: Array
    position_error: float
    orientation_error: float


def reach(solver: _Solver, groups: Sequence[LoopGroup], targets: Sequence[Target]) -> Reach:
    """
    Search from where the solver is, and leave it at the nearest position found.

    :raises UsageError: if a target is impossible.
    """
    for target in targets:
        target.check(solver.robot)
    return _Search(solver, groups, targets).run()


class _Search:
    """One search; motors keep to their limits, or to where they were beyond them."""

    def __init__(self, solver: _Solver, groups: Sequence[LoopGroup],
                 targets: Sequence[Target]) -> None:
        self._solver, self._groups, self._targets = solver, groups, targets
        robot, now = solver.robot, solver.now
        self._size = robot.size
        self._units = self._unit(solver.independent)
        self._driven = [joint.name for joint in robot.moving_joints
                        if joint.actuated and any(map(math.isfinite, joint.limits))]
        self._driven_units = self._unit(self._driven)
        start = np.array([now[name] for name in self._driven])
        limits = np.array([robot.by_name[name].limits for name in self._driven]).reshape(-1, 2)
        self._lower, self._upper = np.minimum(limits[:, 0], start), np.maximum(limits[:, 1], start)
        self.certain, self.steps = True, 0
        self.at_limit: tuple[str, ...] = ()
        self.solution = self._go(np.array([now[name] for name in solver.independent]))

    def _unit(self, names: Sequence[str]) -> Array:
        return np.array([self._size if self._solver.robot.by_name[name].unit == 'm' else 1.0
                         for name in names])

    def _go(self, u: Array) -> Solution:
        return self._solver.solve(dict(zip(self._solver.independent, u.tolist())))

    def run(self) -> Reach:
        """Step until the frames are there, or no step leads nearer."""
        place, damping, verdict = self._look(), 1e-9, None
        while self.steps < REACH_STEPS and verdict is None:
            if not len(place.e) or np.linalg.norm(place.e) < REACH_FLOOR:
                break
            step, promised = self._step(place, damping)
            if not promised > STATIONARY * float(place.e @ place.e) and (
                    damping <= 1e-6 or promised <= 0.0):
                verdict = 'out of reach'
                break
            further = self._try(place, step)
            if further is None:
                damping *= 10.0
                if damping > 1e6:
                    break
                continue
            self.steps += 1
            stopped = float(place.e @ place.e) - float(further.e @ further.e) \
                < 1e-15 * float(place.e @ place.e)
            place, damping = further, max(damping / 10.0, 1e-9)
            if stopped:
                break
        return self._result(place, verdict)

    def _result(self, place: _Place, verdict: str | None) -> Reach:
        solver = self._solver
        inside = place.position_error <= solver.position_tolerance \
            and place.orientation_error <= solver.orientation_tolerance
        now = solver.now
        return Reach(
            'reached' if inside else 'out of reach' if verdict else 'nearest',
            {name: now[name] for name in solver.independent}, self.solution,
            place.position_error, place.orientation_error, self.at_limit, self.certain,
            self.steps)

    def _look(self) -> _Place:
        """Measure all targets where the solver is."""
        solver, now = self._solver, self._solver.now
        errors, rows, far, turned = [], [], 0.0, 0.0
        for target in self._targets:
            frames = [target.frame, target.reference or solver.robot.root]
            poses = poses_of(solver.robot, now, frames)
            J = solver.link_jacobian(target.frame, reference=target.reference)
            found = target.errors(
                inverse(poses[frames[1]]) @ poses[frames[0]], J.values * self._units)
            for e, row, unit in zip(*found):
                norm = float(np.linalg.norm(e))
                far, turned = (max(far, norm), turned) if unit == 'm' else (
                    far, max(turned, norm))
                scale = self._size if unit == 'm' else 1.0
                errors.append(e / scale)
                rows.append(row / scale)
        n = len(self._units)
        return _Place(np.concatenate(errors) if errors else np.zeros(0),
                      np.concatenate(rows) if rows else np.zeros((0, n)), far, turned)

    def _limited(self) -> tuple[Array, Array, Array]:
        """Return how motors with limits move (rows, n), and how far down and up they may."""
        J = self._solver.jacobian()
        rows = [*J.columns, *J.rows]
        whole = np.vstack([np.eye(len(J.columns)), J.values])
        G = np.array([whole[rows.index(name)] for name in self._driven]).reshape(
            -1, len(J.columns)) * self._units / self._driven_units[:, None]
        now = self._solver.now
        q = np.array([now[name] for name in self._driven])
        return G, (self._lower - q) / self._driven_units, (self._upper - q) / self._driven_units

    def _step(self, place: _Place, damping: float) -> tuple[Array, float]:
        """
        Return a scaled step that keeps to the limits, and how much of the squared error it takes.

        Motors that would leave their range at once are held, and the step is chosen anew.
        """
        if not np.isfinite(place.J).all():
            return np.zeros(len(self._units)), 0.0
        G, down, up = self._limited()
        held: NDArray[np.bool_] = np.zeros(len(G), bool)
        # A long way is made in short steps towards nearer targets.
        norm = float(np.linalg.norm(place.e))
        e = place.e * min(1.0, 2.0 * REACH_STEP / norm)
        while True:
            basis = np.linalg.svd(G[held])[2][np.linalg.matrix_rank(G[held], 1e-9):].T \
                if held.any() else np.eye(len(self._units))
            U, s, Vt = np.linalg.svd(place.J @ basis, full_matrices=False)
            weights = s / (s * s + damping * max(1.0, float(s[0]) ** 2 if s.size else 1.0)) \
                if s.size else s
            step: Array = basis @ (Vt.T @ (weights * (U.T @ e)))
            moved = G @ step
            beyond = ~held & (((moved < -1e-15) & (down > -1e-12))
                              | ((moved > 1e-15) & (up < 1e-12)))
            if not beyond.any():
                break
            held |= beyond
        self.at_limit = tuple(name for name, is_held in zip(self._driven, held) if is_held)
        size = float(np.linalg.norm(step))
        part = min(1.0, REACH_STEP / size) if size else 1.0
        # The first limit on the way is where the step ends.
        with np.errstate(divide='ignore', invalid='ignore'):
            room = np.where(moved > 1e-15, up / moved, np.where(moved < -1e-15, down / moved, 1.0))
        room[held] = 1.0
        part = min(part, float(room.min(initial=1.0)))
        promised = float(place.e @ place.e) - float(np.sum((place.e - place.J @ step) ** 2))
        return step * part, promised

    def _try(self, place: _Place, step: Array) -> _Place | None:
        """Make a step, or a part of it; None, and back where it was, where nothing is gained."""
        solver = self._solver
        states: list[GroupState] = [group.state for group in self._groups]
        now = solver.now
        u = np.array([now[name] for name in solver.independent])
        for _ in range(REACH_HALVINGS):
            found = self._go(u + step * self._units)
            if all(status.state == 'closed' and not status.held and status.followed
                   for status in found.groups) and self._within():
                further = self._look()
                if further.e @ further.e < place.e @ place.e:
                    self.solution = found
                    self.certain &= all(status.certain for status in found.groups)
                    return further
            for group, state in zip(self._groups, states):
                group.state = state
            step = 0.5 * step
            if np.linalg.norm(step) < REACH_FLOOR:
                break
        self.solution = self._go(u)  # for the joints on no loop; the groups are there already
        return None

    def _within(self) -> bool:
        now = self._solver.now
        q = np.array([now[name] for name in self._driven])
        rounding = 1e-9 * self._driven_units
        return bool(((q >= self._lower - rounding) & (q <= self._upper + rounding)).all())
