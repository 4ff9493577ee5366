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
from dataclasses import dataclass
from functools import cached_property
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .batch import BatchSolution, solve_rows, solve_rows_from_home
from .closures import ClosureCode
from .exceptions import DescriptionError, Problem, UsageError
from .kinematics import forward_kinematics, with_mimics
from .least_squares import minimise
from .loop_group import GroupStatus, LoopGroup, State
from .model import Robot
from .structure import (
    analyse, closure_error, connected, independent_joints, Linearisation, Structure)
from .transforms import Array

# A mechanism whose loops stay open by more than this part of their size at home is not the
# mechanism that was meant; CAD exports are inconsistent by up to millimetres.
_CANNOT_BE_ASSEMBLED = 0.05
# From good to bad.
STATES: tuple[State, ...] = ('closed', 'strained', 'open')


@dataclass(frozen=True, eq=False)
class ClosureStatus:
    """
    How one closure stands.

    :param gap_vector: from the origin of frame A to that of frame B, in frame A, shape (3,), m.
    :param angle: between the frames, rad; 0 for a point closure.
    """

    gap_vector: Array
    angle: float
    state: State

    @property
    def gap(self) -> float:
        """Distance between the frames' origins, m."""
        return float(np.linalg.norm(self.gap_vector))


@dataclass(eq=False)
class Solution:
    """
    The result of one solve.

    :param positions: every moving joint that is known, in document order, rad and m.
    :param velocities: those that are known, rad/s and m/s.
    :param missing: independent joints of loops that were not given.
    :param groups: in the order of :attr:`ClosureSolver.groups`.
    """

    positions: dict[str, float]
    velocities: dict[str, float]
    missing: tuple[str, ...]
    groups: tuple[GroupStatus, ...]
    _solver: ClosureSolver

    @cached_property
    def closures(self) -> dict[str, ClosureStatus]:
        """Closures by name; those with unknown joints are left out."""
        solver = self._solver
        poses = forward_kinematics(solver.robot, self.positions)
        result = {}
        for group, status in zip(solver.groups, self.groups):
            if status.state != 'missing':
                for name in group.closures:
                    result[name] = solver.closure_status(name, poses)
        return {name: result[name] for name in solver.tolerances if name in result}

    @cached_property
    def limit_violations(self) -> dict[str, float]:
        """Dependent joints outside their limits, and by how much, rad and m."""
        beyond = {}
        for name, lower, upper in self._solver.dependent_limits:
            excess = max(lower - self.positions[name], self.positions[name] - upper) \
                if name in self.positions else 0.0
            if excess > 1e-9:
                beyond[name] = excess
        return beyond

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know about this solve."""
        return (*(note for status in self.groups for note in status.notes),
                *(f'{name} is beyond its limit by {excess:.6g}'
                  for name, excess in self.limit_violations.items()))


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
        home, self.problems = self._assemble(code)
        chosen = independent_joints(code, known_joints, home)
        self.structure: Structure = analyse(code, chosen, home)
        self.problems += self._structure_problems()
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
            self, positions: Mapping[str, float], velocities: Mapping[str, float] = {},
    ) -> Solution:
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
                statuses.append(GroupStatus('missing', False, 0, (), (), []))
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
        columns = dict(zip(self.independent, positions.T))
        states = {name: np.zeros(len(positions), np.int8) for name in self._closures}
        doubtful: dict[str, NDArray[np.int_]] = {}
        for group, names, turns in self._inputs if len(positions) else ():
            u = np.column_stack([columns[name] for name in names]) if names \
                else np.zeros((len(positions), 0))
            for i in range(len(names)):
                if turns and turns[i] and not from_home:
                    u[:, i] = np.unwrap([group.q[i], *u[:, i]])[1:]
                elif turns and turns[i]:
                    u[:, i] -= 2.0 * np.pi * np.round(u[:, i] / (2.0 * np.pi))
            q, closed = (solve_rows_from_home if from_home else solve_rows)(group, u)
            columns.update(zip(group.dependent, q[len(names):]))
            doubtful.update((name, np.flatnonzero(~closed)) for name in group.closures)
        for name, source, multiplier, offset in self._mimics:
            columns[name] = multiplier * columns[source] + offset
        complete = np.column_stack([columns[name] for name in self._unknown])
        for row in np.unique(np.concatenate([*doubtful.values()])) if doubtful else ():
            poses = forward_kinematics(
                self.robot, dict(zip(self._unknown, complete[row].tolist())))
            for name, rows in doubtful.items():
                if row in rows:
                    states[name][row] = STATES.index(self.closure_status(name, poses).state)
        return BatchSolution(complete, np.column_stack([*states.values()])
                             if states else np.zeros((len(positions), 0), np.int8))

    def closure_status(self, name: str, poses: dict[str, Array]) -> ClosureStatus:
        """
        Measure one closure.

        :param poses: ``T_root_link`` by link.
        """
        vector, angle = closure_error(self.robot, self._closures[name], poses)
        gap_at_home, angle_at_home = self.tolerances[name]
        worst = max(
            float(np.linalg.norm(vector))
            / (self._position_tolerance + float(np.linalg.norm(gap_at_home))),
            angle / (self._orientation_tolerance + angle_at_home))
        state: State = 'closed' if worst <= 1.0 else 'strained' if worst <= 10.0 else 'open'
        return ClosureStatus(vector, angle, state)

    def _verdict_of(self, closures: Sequence[str]) -> Callable[[dict[str, float]], State]:
        def verdict(positions: dict[str, float]) -> State:
            poses = forward_kinematics(self.robot, positions)
            return max((self.closure_status(name, poses).state for name in closures),
                       key=STATES.index)

        return verdict

    def _assemble(self, code: ClosureCode) -> tuple[dict[str, float], tuple[Problem, ...]]:
        """
        Close the loops at home with the actuated joints held at zero.

        :return: positions of all moving joints (rad and m), and warnings.
        """
        robot = self.robot
        home = {joint.name: 0.0 for joint in robot.moving_joints if joint.mimic is None}
        passive = [joint.name for joint in robot.moving_joints if not joint.actuated]
        problems: list[Problem] = []
        poses = forward_kinematics(robot, home)
        errors = {closure.name: closure_error(robot, closure, poses)
                  for closure in robot.closures}
        for closures in connected(robot, robot.closures, passive):
            worst = max(max(float(np.linalg.norm(errors[c.name][0])), errors[c.name][1])
                        for c in closures)
            if worst < 1e-12:
                continue
            linearisation = Linearisation(code, closures)
            columns = linearisation.column(passive)
            if columns:
                x = np.zeros(len(linearisation.names))

                def at(part: Array) -> tuple[Array, Array]:
                    x[columns] = part  # noqa: B023
                    r, J = linearisation(x)  # noqa: B023
                    return r, J[:, columns]  # noqa: B023

                at(minimise(at, x[columns], 200))
                home.update(zip(linearisation.names, (x * linearisation.scale).tolist()))
            after = forward_kinematics(robot, home)
            for closure in closures:
                problem = self._assembly_problem(
                    closure.name, errors[closure.name], closure_error(robot, closure, after),
                    linearisation.length, closure.line)
                if problem is not None:
                    problems.append(problem)
        if any(problem.level == 'error' for problem in problems):
            raise DescriptionError(problems)
        return with_mimics(robot, home), tuple(problems)

    def _assembly_problem(
            self, name: str, before: tuple[Array, float], after: tuple[Array, float],
            length: float, line: int) -> Problem | None:
        gap, left = float(np.linalg.norm(before[0])), float(np.linalg.norm(after[0]))
        if gap <= self._position_tolerance and before[1] <= self._orientation_tolerance:
            return None
        vector = ' '.join(f'{1000.0 * v:.3f}' for v in before[0])
        turned = f' and turned by {math.degrees(before[1]):.3g} deg' if before[1] > 1e-9 else ''
        text = (f'loop {name} is not closed with all joints at zero: frame B is '
                f'{1000.0 * gap:.4g} mm from frame A ({vector} mm in frame A){turned}')
        if left > max(10.0 * self._position_tolerance, _CANNOT_BE_ASSEMBLED * length) \
                or after[1] > max(10.0 * self._orientation_tolerance, _CANNOT_BE_ASSEMBLED):
            return Problem('error', f'{text}; no position of the passive joints closes it with '
                           'the actuated joints at zero: check the origins, and which joints '
                           'are passive', line)
        return Problem('warning', f'{text}; it is assembled from there, with {1000.0 * left:.4g} '
                       'mm left: write the tree so that the loop is closed at zero', line)

    def _structure_problems(self) -> tuple[Problem, ...]:
        problems = []
        for group in self.structure.groups:
            name, line = ', '.join(group.closures), self._line(group.closures[0])
            if group.singular_home:
                problems.append((f'loop {name} is singular with all joints at zero (links in '
                                 'line?): it may be assembled either way from there', line))
            if group.locked:
                problems.append((f'loop {name} cannot move: its closures leave '
                                 f'{", ".join(group.independent) or "its joints"} no freedom; '
                                 'a hinge cut rigidly needs a passive joint at the cut, or '
                                 'type="point"', line))
            elif group.over_actuated:
                problems.append((f'loop {name} ties the actuated joints '
                                 f'{", ".join(group.over_actuated)} to each other: their '
                                 'positions have to agree', line))
        return tuple(Problem('warning', message, line) for message, line in problems)

    def _line(self, closure: str) -> int:
        return next(c.line for c in self.robot.closures if c.name == closure)
