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

"""Complete joint positions from independent ones: the public face of the solver."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .batch import BatchSolution, solve_rows, solve_rows_from_home
from .group_status import GroupStatus, State
from .loop_group import LoopGroup
from .solution import ClosureStatus, Solution
from ..constraints.recordings import ClosureCode
from ..exceptions import UsageError
from ..robot.kinematics import forward_kinematics
from ..robot.loops import closure_error
from ..robot.model import Robot
from ..robot.transforms import Array
from ..structure.assembly import assemble, structure_problems
from ..structure.independent_joints import independent_joints
from ..structure.mobility import analyse, Structure

# From good to bad.
STATES: tuple[State, ...] = ('closed', 'strained', 'open')


class ClosureSolver:
    """
    Follows a mechanism with closed loops.

    :param robot: its description.
    :param known_joints: joints to know instead of those actuated ones that they are tied to.
    :param position_tolerance: gap up to which a loop counts as closed, m.
    :param orientation_tolerance: the same for the angle of a rigid closure, rad.
    :raises UsageError: if a known joint is not one that moves by itself.
    :raises DescriptionError: if the mechanism cannot be assembled at home.
    """

    def __init__(
            self, robot: Robot, *, known_joints: Sequence[str] = (),
            position_tolerance: float = 1e-4, orientation_tolerance: float = 1e-3) -> None:
        """Assemble the mechanism at home, analyse and compile it."""
        self.robot = robot
        self._position_tolerance = position_tolerance
        self._orientation_tolerance = orientation_tolerance
        for name in known_joints:
            joint = robot.by_name.get(name)
            if joint is None or not joint.moving or joint.mimic is not None:
                raise UsageError(
                    f'known joint {name!r} is not a joint that moves by itself; these are: '
                    + ', '.join(j.name for j in robot.moving_joints if j.mimic is None))
        code = ClosureCode(robot)
        home, self.problems = assemble(code, position_tolerance, orientation_tolerance)
        chosen = independent_joints(code, known_joints, home)
        self.structure: Structure = analyse(code, chosen, home)
        self.problems += structure_problems(robot, self.structure)
        poses = forward_kinematics(robot, home)
        closure_by_name = {closure.name: closure for closure in robot.closures}
        self._closures = closure_by_name
        self.tolerances = {name: closure_error(robot, closure, poses)
                           for name, closure in closure_by_name.items()}
        self.groups = tuple(LoopGroup(code, group, home, self._verdict_of(group.closures))
                            for group in self.structure.groups)
        self._set_closed_misfit()
        dependent = {name for group in self.groups for name in group.dependent}
        free = [joint for joint in robot.moving_joints if joint.mimic is None]
        self.independent = tuple(
            joint.name for joint in free if joint.name not in dependent)
        # Positions before anything is known: passive joints on no loop rest at zero.
        self._unknown: dict[str, float | None] = {
            joint.name: 0.0 if joint.name in self.independent and not joint.actuated
            and joint.name not in chosen else None for joint in robot.moving_joints}
        self._inputs = []
        for group in self.groups:
            turns = [self._wraps(name) for name in group.independent]
            self._inputs.append((group, group.independent, turns if any(turns) else None))
        self._mimics = [
            (joint.name, source.name, multiplier, offset)
            for joint in robot.moving_joints if joint.mimic is not None
            for source, multiplier, offset in [robot.source(joint)]]
        self.dependent_limits = [
            (joint.name, joint.lower, joint.upper) for joint in free
            if joint.name in dependent and joint.kind != 'continuous'
            and joint.lower is not None and joint.upper is not None]

    def _wraps(self, name: str) -> bool:
        """Whether a whole turn of a joint changes nothing, mimic joints included."""
        return self.robot.by_name[name].kind == 'continuous' and all(
            self.robot.source(joint)[1].is_integer() and joint.kind == 'continuous'
            for joint in self.robot.moving_joints if self.robot.source(joint)[0].name == name)

    @property
    def position_tolerance(self) -> float:
        """Gap up to which a loop counts as closed, before the gap at home is added, m."""
        return self._position_tolerance

    @position_tolerance.setter
    def position_tolerance(self, value: float) -> None:
        self._position_tolerance = value
        self._set_closed_misfit()

    @property
    def orientation_tolerance(self) -> float:
        """Angle up to which a rigid closure counts as closed, likewise, rad."""
        return self._orientation_tolerance

    @orientation_tolerance.setter
    def orientation_tolerance(self, value: float) -> None:
        self._orientation_tolerance = value
        self._set_closed_misfit()

    def _set_closed_misfit(self) -> None:
        for group in self.groups:
            group.closed_misfit = min(
                self._position_tolerance / group.length, self._orientation_tolerance) ** 2

    def reset(self) -> None:
        """Start again from home."""
        for group in self.groups:
            group.reset()

    def solve(
            self, positions: Mapping[str, float],
            velocities: Mapping[str, float] = MappingProxyType({})) -> Solution:
        """
        Find all joint positions, going on from the last solve.

        :param positions: of the independent joints, finite, rad and m; other names are not
            read. Groups that miss one are left out; passive joints on no loop are at 0.
        :param velocities: of independent joints, finite, rad/s and m/s.
        :return: the solution; nothing is raised for positions that cannot be reached.
        """
        known: dict[str, Any] = self._unknown.copy()
        for name in self.independent:
            if name in positions:
                known[name] = positions[name]
        statuses, missing = [], []
        for group, names, turns in self._inputs:
            u = [known[name] for name in names]
            if None in u:
                missing += [name for name, value in zip(names, u) if value is None]
                statuses.append(GroupStatus('missing', False, True, 0, (), (), []))
                continue
            statuses.append(group.solve(group.unwrap(u, turns) if turns else u))
            known.update(zip(group.dependent, group.q[len(names):]))
        for name, source, multiplier, offset in self._mimics:
            if known[source] is not None:
                known[name] = multiplier * known[source] + offset
        if missing or None in known.values():
            known = {name: value for name, value in known.items() if value is not None}
        rates = self._velocities(velocities, statuses) if velocities else {}
        return Solution(known, rates, tuple(dict.fromkeys(missing)), tuple(statuses), self)

    def _velocities(
            self, velocities: Mapping[str, float], statuses: Sequence[GroupStatus],
    ) -> dict[str, float]:
        rates = {name: velocities[name] for name in self.independent if name in velocities}
        for group, status in zip(self.groups, statuses):
            if status.state != 'missing' and all(name in rates for name in group.independent):
                rates.update(zip(group.dependent, group.velocities(
                    [rates[name] for name in group.independent])))
        for name, source, multiplier, _ in self._mimics:
            if source in rates:
                rates[name] = multiplier * rates[source]
        return {name: rates[name] for name in self._unknown if name in rates}

    def solve_batch(self, positions: Array, *, from_home: bool = False) -> BatchSolution:
        """
        Solve many configurations.

        :param positions: of the independent joints, finite, shape (k, n), columns as
            :attr:`independent`, rad and m.
        :param from_home: whether each row is reached from home on its own; else each goes on
            from the one before, the first from the last solve.
        :raises UsageError: if the shape is wrong or a value is not finite.
        """
        positions = np.asarray(positions, dtype=float)
        if positions.ndim != 2 or positions.shape[1] != len(self.independent):
            raise UsageError(f'positions have shape {positions.shape}; right is '
                             f'(k, {len(self.independent)}): {", ".join(self.independent)}')
        if not np.isfinite(positions).all():
            row, column = np.argwhere(~np.isfinite(positions))[0]
            raise UsageError(f'position of {self.independent[column]} in row {row} is '
                             f'{positions[row, column]}; it has to be finite')
        if not len(positions):
            return BatchSolution(np.zeros((0, len(self._unknown))),
                                 np.zeros((0, len(self._closures)), np.int8))
        columns = dict(zip(self.independent, positions.T))
        doubtful: dict[str, NDArray[np.int_]] = {}
        for group, names, turns in self._inputs:
            u = np.array([columns[name] for name in names]).T.reshape(len(positions), len(names))
            for i in np.flatnonzero(turns or ()):
                u[:, i] = u[:, i] - 2.0 * np.pi * np.round(u[:, i] / (2.0 * np.pi)) if from_home \
                    else np.unwrap([group.u[i], *u[:, i]])[1:]
            q, closed = (solve_rows_from_home if from_home else solve_rows)(group, u)
            columns.update(zip(group.dependent, q[len(names):]))
            doubtful.update((name, np.flatnonzero(~closed)) for name in group.closures)
        for name, source, multiplier, offset in self._mimics:
            columns[name] = multiplier * columns[source] + offset
        complete = np.column_stack([columns[name] for name in self._unknown])
        return BatchSolution(complete, self._states(complete, doubtful))

    def _states(
            self, positions: Array, doubtful: Mapping[str, NDArray[np.int_]]) -> NDArray[np.int8]:
        """Measure closures in rows where they are not known to be closed."""
        states = np.zeros((len(positions), len(self._closures)), np.int8)
        for row in sorted({int(row) for rows in doubtful.values() for row in rows}):
            poses = forward_kinematics(
                self.robot, dict(zip(self._unknown, positions[row].tolist())))
            for i, name in enumerate(self._closures):
                states[row, i] = STATES.index(self.closure_status(name, poses).state)
        return states

    def closure_status(self, name: str, poses: dict[str, Array]) -> ClosureStatus:
        """
        Measure one closure.

        :param poses: ``T_root_link`` by link.
        """
        vector, angle = closure_error(self.robot, self._closures[name], poses)
        gap_at_home, angle_at_home = self.tolerances[name]
        worst = max(
            _part(float(np.linalg.norm(vector)),
                  self._position_tolerance + float(np.linalg.norm(gap_at_home))),
            _part(angle, self._orientation_tolerance + angle_at_home))
        state: State = 'closed' if worst <= 1.0 else 'strained' if worst <= 10.0 else 'open'
        return ClosureStatus(vector, angle, state)

    def _verdict_of(self, closures: Sequence[str]) -> Callable[[dict[str, float]], State]:
        def verdict(positions: dict[str, float]) -> State:
            poses = forward_kinematics(self.robot, positions)
            return max((self.closure_status(name, poses).state for name in closures),
                       key=STATES.index)

        return verdict


def _part(value: float, allowed: float) -> float:
    """Return a value in terms of what is allowed, which may be nothing."""
    return value / allowed if allowed > 0.0 else np.inf if value > 0.0 else 0.0
