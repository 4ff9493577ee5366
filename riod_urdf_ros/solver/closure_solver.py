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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
import math
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .assembly_modes import AssemblyMode, find_modes
from .batch import BatchSolution, solve_rows, solve_rows_from_home
from .differential import Differential, Jacobian, Joints
from .group_status import GroupStatus
from .loop_group import LoopGroup
from .reaching import Reach, reach, Target
from .recovery import solve
from .solution import Solution
from .tolerances import Tolerances
from ..constraints.recordings import ClosureCode
from ..exceptions import UsageError
from ..robot.closure_error import closure_errors
from ..robot.closure_state import STATES
from ..robot.kinematics import forward_kinematics
from ..robot.model import Robot
from ..robot.read_only import ReadOnly
from ..robot.transforms import Array
from ..structure.assembly import assemble
from ..structure.findings import structure_problems
from ..structure.independent_joints import independent_joints
from ..structure.mobility import analyse, Structure
from ..wording import quote

_NOTHING: Mapping[str, float] = ReadOnly()
_MISSING = GroupStatus('missing', False, True, 0, (), (), ())


class ClosureSolver:
    """
    Follows a mechanism with closed loops.

    :param robot: its description.
    :param known_joints: joints to know instead of those actuated ones that they are tied to.
    :param position_tolerance: gap up to which a loop counts as closed, m.
    :param orientation_tolerance: the same for the angle of a rigid closure, rad.
    :param home: the pose to assemble from, where it is not zero, by joint, rad and m.
    :param time_limit: for one solve, s; where it runs out, a group is 'unsolved'.
    :ivar problems: what there is to say about the mechanism before it moves.
    :ivar structure: the structure report.
    :ivar groups: the loop groups, which are followed, held and reported each by itself.
    :ivar independent: joints that a solve asks for, in document order.
    :ivar home: the assembled pose, every moving joint, rad and m.
    :raises UsageError: if a known joint, or one of home, is not one that moves by itself.
    :raises DescriptionError: if the mechanism cannot be assembled at home.
    """

    def __init__(
            self, robot: Robot, *, known_joints: Sequence[str] = (),
            position_tolerance: float = 1e-4, orientation_tolerance: float = 1e-3,
            home: Mapping[str, float] = _NOTHING, time_limit: float = math.inf) -> None:
        """Assemble the mechanism at home, analyse and compile it."""
        self.robot = robot
        self.time_limit = time_limit
        for name in known_joints:
            self._check_free(name, 'known joint')
        for name, position in home.items():
            self._check_free(name, 'home of joint')
            _finite(name, position)
        code = ClosureCode(robot)
        assembled, problems = assemble(code, position_tolerance, orientation_tolerance, home)
        self.home: Mapping[str, float] = ReadOnly(assembled)
        chosen = independent_joints(code, known_joints, assembled)
        self.structure: Structure = analyse(code, chosen, assembled, home)
        self.problems = problems + structure_problems(robot, self.structure)
        self.groups = self.structure.groups
        self._tolerances = Tolerances(robot, closure_errors(robot, assembled),
                                      position_tolerance, orientation_tolerance)
        self._groups = tuple(
            LoopGroup(code, group, assembled, self._tolerances) for group in self.groups)
        self._dependent = frozenset(
            name for group in self.groups for name in group.dependent)
        self.independent = tuple(
            joint.name for joint in robot.moving_joints
            if joint.mimic is None and joint.name not in self._dependent)
        # Positions before anything is known: passive joints on no loop rest at home.
        self._unknown: dict[str, float | None] = {
            joint.name: assembled[joint.name]
            if joint.name in self.independent and not joint.actuated
            and joint.name not in chosen else None for joint in robot.moving_joints}
        self._is_independent = frozenset(self.independent)
        self._differential = Differential(robot, self._groups, self.independent)
        self._last: Mapping[str, float] = {}
        self._inputs = []
        for group in self._groups:
            turns = [self._wraps(name) for name in group.independent]
            self._inputs.append((group, group.independent, turns if any(turns) else None))
        self._mimics = [
            (joint.name, source.name, multiplier, offset)
            for joint in robot.moving_joints if joint.mimic is not None
            for source, multiplier, offset in [robot.source(joint)]]

    def _check_free(self, name: str, what: str) -> None:
        joint = self.robot.by_name.get(name)
        if joint is None or not joint.moving or joint.mimic is not None:
            raise UsageError(
                f'{what} {name!r} is not a joint that moves by itself; these are: '
                + ', '.join(j.name for j in self.robot.moving_joints if j.mimic is None))

    def _wraps(self, name: str) -> bool:
        """Whether a whole turn of a joint changes nothing, mimic joints included."""
        return self.robot.by_name[name].kind == 'continuous' and all(
            self.robot.source(joint)[1].is_integer() and joint.kind == 'continuous'
            for joint in self.robot.followers[name])

    @property
    def tolerances(self) -> Tolerances:
        """Return what closures are judged by."""
        return self._tolerances

    @property
    def position_tolerance(self) -> float:
        """Gap up to which a loop counts as closed, m."""
        return self._tolerances.position

    @position_tolerance.setter
    def position_tolerance(self, value: float) -> None:
        self._set(replace(self._tolerances, position=value))

    @property
    def orientation_tolerance(self) -> float:
        """Angle up to which a rigid closure counts as closed, rad."""
        return self._tolerances.orientation

    @orientation_tolerance.setter
    def orientation_tolerance(self, value: float) -> None:
        self._set(replace(self._tolerances, orientation=value))

    def _set(self, tolerances: Tolerances) -> None:
        self._tolerances = tolerances
        for group in self._groups:
            group.tolerances = tolerances

    def reset(self) -> None:
        """Start again from home."""
        for group in self._groups:
            group.reset()
        self._last = {}

    @property
    def now(self) -> dict[str, float]:
        """
        Where the mechanism is: every moving joint, rad and m.

        Of a group that is held this is the position that it is held in, the independent joints
        included; joints that are not known are at home.
        """
        positions = {name: self._last.get(name, self.home[name]) for name in self._unknown}
        for group in self._groups:
            positions.update(zip(group.index, group.state.q))
        for name, source, multiplier, offset in self._mimics:
            positions[name] = multiplier * positions[source] + offset
        return positions

    def jacobian(
            self, positions: Joints | None = None, velocities: Joints | None = None) -> Jacobian:
        """
        Return how the other joints move with the independent ones.

        It is NaN where the loops are open, and at singular positions, where the independent
        joints do not determine the motion.

        :param positions: of all moving joints, by name or, for many configurations, in the order
            of :attr:`Robot.moving_joints`, shape (k, n); where the mechanism is, if left out.
        :param velocities: of the independent joints, by name or shape (k, n); bias is zero
            without them.
        :raises UsageError: if a joint is missing or a shape is wrong.
        """
        return self._differential.joints(
            self.now if positions is None else positions, velocities)

    def link_jacobian(
            self, frame: str, positions: Joints | None = None,
            velocities: Joints | None = None, *, reference: str = '') -> Jacobian:
        """
        Return how a frame of the closed mechanism moves with the independent joints.

        :param frame: name of a link; the velocity is that of its origin.
        :param positions: as of :meth:`jacobian`.
        :param velocities: as of :meth:`jacobian`.
        :param reference: link that motion is seen from, and whose axes are used; the root if
            left out.
        :return: rows vx, vy, vz, wx, wy, wz.
        :raises UsageError: if there is no such link, or as :meth:`jacobian`.
        """
        return self._differential.frame(
            frame, self.now if positions is None else positions, velocities, reference)

    def accelerations(
            self, velocities: Joints, accelerations: Joints, positions: Joints | None = None,
    ) -> Joints:
        """
        Return the accelerations of all moving joints, rad/s^2 and m/s^2.

        :param velocities: of the independent joints, by name or shape (k, n), rad/s and m/s.
        :param accelerations: likewise, rad/s^2 and m/s^2.
        :param positions: as of :meth:`jacobian`, which also says where the result is NaN.
        :return: by name, or in the order of :attr:`Robot.moving_joints`, shape (k, n).
        """
        return self._differential.accelerations(
            self.now if positions is None else positions, velocities, accelerations)

    def map_effort(
            self, efforts: Mapping[str, float | Array], onto: Sequence[str],
            positions: Joints | None = None) -> dict[str, float] | dict[str, Array]:
        """
        Return the efforts of some joints that do the work of those of others in every motion.

        Of several solutions it is the one of least norm. It is NaN where there is none: at a
        position where some motion that the given efforts do work on does not move those joints,
        and where the Jacobian is NaN.

        :param efforts: by joint, N m and N; a number, or shape (k,).
        :param onto: joints that are to do the work, the motors for instance.
        :param positions: as of :meth:`jacobian`.
        :raises UsageError: if there is no such joint.
        """
        return self._differential.efforts(
            efforts, onto, self.now if positions is None else positions)

    def reach(self, targets: Sequence[Target]) -> Reach:
        """
        Bring frames to where they are wanted, from where the mechanism is and along a path.

        The limits of the motors are respected; of several positions that would do, it is the one
        that steps of least motion lead to. A next search goes on from there.

        :param targets: what is wanted, all at once.
        :raises UsageError: if a link is unknown or a value impossible.
        """
        return reach(self, self._groups, targets)

    def reach_rows(self, rows: Iterable[Sequence[Target]]) -> Iterator[Reach]:
        """
        Bring frames to one place after the other, each from the one before, as they are asked for.

        :param rows: the targets of each.
        """
        return map(self.reach, rows)

    def solve(
            self, positions: Mapping[str, float],
            velocities: Mapping[str, float] = _NOTHING) -> Solution:
        """
        Find all joint positions, going on from the last solve.

        :param positions: of the independent joints, rad and m; those of other joints are not
            read. Groups that miss one are left out; passive joints on no loop are at home.
        :param velocities: of independent joints, rad/s and m/s.
        :return: the solution; nothing is raised for positions that cannot be reached.
        :raises UsageError: if a joint is unknown, or a value is not a finite number.
        """
        known: dict[str, Any] = self._unknown.copy()
        for name, value in positions.items():
            if name not in known:
                self._check_joint(name)
            if name in self._is_independent:
                known[name] = value if value.__class__ is float and -math.inf < value < math.inf \
                    else _finite(name, value)
        rates = self._rates(velocities) if velocities else {}
        deadline = perf_counter() + self.time_limit
        statuses, missing = [], []
        for group, names, turns in self._inputs:
            u = [known[name] for name in names]
            if None in u:
                missing += [name for name, value in zip(names, u) if value is None]
                statuses.append(_MISSING)
                continue
            statuses.append(solve(group, u, turns, deadline))
            known.update(zip(group.dependent, group.state.q[len(names):]))
        for name, source, multiplier, offset in self._mimics:
            if known[source] is not None:
                known[name] = multiplier * known[source] + offset
        if missing or None in known.values():
            known = {name: value for name, value in known.items() if value is not None}
        self._last = known
        complete = self._velocities(rates, statuses) if rates else _NOTHING
        return Solution(ReadOnly(known), complete, tuple(dict.fromkeys(missing)),
                        tuple(statuses), self._dependent, self._tolerances)

    def assembly_modes(
            self, positions: Mapping[str, float]) -> dict[str, tuple[AssemblyMode, ...]]:
        """
        Find all poses that close the loops while the independent joints stand still.

        :param positions: of the independent joints, rad and m; those not given are at home.
        :return: by name of the loop group; the mode that a solve would give comes first.
        :raises UsageError: if a joint is unknown, or a value is not a finite number.
        """
        known = {name: self.home[name] for name in self.independent}
        for name, value in positions.items():
            self._check_joint(name)
            if name in known:
                known[name] = _finite(name, value)
        return {group.structure.name: find_modes(group, [known[name] for name in names], turns)
                for group, names, turns in self._inputs}

    def _check_joint(self, name: str) -> None:
        """Refuse what no joint of the robot is called; fixed and floating ones are not read."""
        if name not in self.robot.by_name:
            raise UsageError(f'there is no joint {quote(name)}; those to give are: '
                             + ', '.join(self.independent))

    def _rates(self, velocities: Mapping[str, float]) -> dict[str, float]:
        """Return those of the independent joints."""
        rates = {}
        for name, value in velocities.items():
            self._check_joint(name)
            if name in self._is_independent:
                rates[name] = _finite(name, value)
        return rates

    def _velocities(
            self, rates: dict[str, float], statuses: Sequence[GroupStatus],
    ) -> ReadOnly[str, float]:
        """Add the velocities of the dependent joints, and return all in document order."""
        for group, status in zip(self._groups, statuses):
            if status.state != 'missing' and all(name in rates for name in group.independent):
                rates.update(zip(group.dependent, group.velocities(
                    [rates[name] for name in group.independent])))
        for name, source, multiplier, _ in self._mimics:
            if source in rates:
                rates[name] = multiplier * rates[source]
        return ReadOnly({name: rates[name] for name in self._unknown if name in rates})

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
                                 np.zeros((0, len(self.robot.closures)), np.int8))
        columns = dict(zip(self.independent, positions.T))
        doubtful: dict[str, NDArray[np.int_]] = {}
        for group, names, turns in self._inputs:
            u = np.array([columns[name] for name in names]).T.reshape(len(positions), len(names))
            for i in np.flatnonzero(turns or ()):
                u[:, i] = group.home[i] + np.remainder(
                    u[:, i] - group.home[i] + np.pi, 2.0 * np.pi) - np.pi if from_home \
                    else np.unwrap([group.state.u[i], *u[:, i]])[1:]
            q, closed = (solve_rows_from_home if from_home else solve_rows)(group, u)
            columns.update(zip(group.dependent, q[len(names):]))
            doubtful.update((name, np.flatnonzero(~closed)) for name in group.structure.closures)
        for name, source, multiplier, offset in self._mimics:
            columns[name] = multiplier * columns[source] + offset
        complete = np.column_stack([columns[name] for name in self._unknown])
        if not from_home:
            self._last = dict(zip(self._unknown, complete[-1].tolist()))
        return BatchSolution(complete, self._states(complete, doubtful))

    def _states(
            self, positions: Array, doubtful: Mapping[str, NDArray[np.int_]]) -> NDArray[np.int8]:
        """Measure closures in rows where they are not known to be closed."""
        states = np.zeros((len(positions), len(self.robot.closures)), np.int8)
        for row in sorted({int(row) for rows in doubtful.values() for row in rows}):
            poses = forward_kinematics(
                self.robot, dict(zip(self._unknown, positions[row].tolist())))
            for i, closure in enumerate(self.robot.closures):
                states[row, i] = STATES.index(self._tolerances.status(closure, poses).state)
        return states


def _finite(name: str, value: object) -> float:
    """
    Return a value as a float.

    :raises UsageError: if it is not a finite number.
    """
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = math.nan
    if isinstance(value, (str, bytes)) or not math.isfinite(number):
        raise UsageError(f'joint {quote(name)} is {value!r}; it has to be a finite number')
    return number
