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

"""Commands in known joints, translated to the motors: single ones and whole trajectories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
import math

import numpy as np

from ..exceptions import UsageError
from ..robot.transforms import Array
from ..solver.closure_solver import ClosureSolver
from ..solver.reaching import Target
from ..wording import listing, quote

# Way points that may be put between two of a trajectory: 2 ** so many parts.
_HALVINGS = 6
_BEYOND = 1e-6


@dataclass(frozen=True)
class Command:
    """
    What some joints are to do at one moment; what is empty is not commanded.

    :param time: from the start of the trajectory, s.
    :param positions: rad and m, in the order of the joints that it is for; so are the others.
    """

    positions: tuple[float, ...]
    velocities: tuple[float, ...] = ()
    accelerations: tuple[float, ...] = ()
    efforts: tuple[float, ...] = ()
    time: float = 0.0


class Commander:
    """
    Translates commands.

    :param solver: whose independent joints are those that commands come in.
    :ivar motors: joints that commands go out in, in document order.
    """

    def __init__(self, solver: ClosureSolver) -> None:
        """Find the motors."""
        self.solver = solver
        self.motors = tuple(joint.name for joint in solver.robot.moving_joints
                            if joint.actuated and joint.mimic is None)

    def command(self, names: Sequence[str], given: Command) -> Command:
        """
        Translate one command, on the way from the last one.

        :param names: of the joints of the command; those left out stay where they are.
        :raises UsageError: if it cannot be followed; the next starts from where the last ended.
        """
        before = self._before()
        try:
            return self._command(names, given)
        except UsageError:
            self.solver.solve(before)
            raise

    def reach(self, target: Target) -> Command:
        """
        Bring a frame to where it is wanted.

        :param target: in the reach of the motors.
        :raises UsageError: if it is not reached; the next starts from where the last ended.
        """
        before = self._before()
        found = self.solver.reach([target])
        if found.verdict != 'reached':
            self.solver.solve(before)
            raise UsageError(
                f'{quote(target.frame)} does not get there: missing are '
                f'{found.position_error:.6g} m and {found.orientation_error:.6g} rad'
                + (f', motors at their limits: {listing(found.at_limit)}'
                   if found.at_limit else ''))
        return Command(tuple(found.solution.positions[name] for name in self.motors))

    def _before(self) -> dict[str, float]:
        now = self.solver.now
        return {name: now[name] for name in self.solver.independent}

    def _command(self, names: Sequence[str], given: Command) -> Command:
        self._check(names, given)
        solver = self.solver
        wanted = {**self._before(), **dict(zip(names, given.positions))}
        solution = solver.solve(wanted)
        for group, status in zip(solver.groups, solution.groups):
            if status.state != 'closed' or not status.followed:
                raise UsageError(f'loops {listing(group.closures)} are {status.state}: out of '
                                 'reach on the way from where they are')
        there = solution.positions
        for name in self.motors:
            excess = solver.robot.by_name[name].excess(there[name])
            if abs(excess) > _BEYOND:
                raise UsageError(
                    f'motor {quote(name)} would be {abs(excess):.6g} beyond its limit')
        velocities, accelerations = (
            {**dict.fromkeys(solver.independent, 0.0), **dict(zip(names, values))}
            for values in (given.velocities, given.accelerations))
        J = solver.jacobian(velocities=velocities)
        rows = [*J.columns, *J.rows]
        G = np.vstack([np.eye(len(J.columns)), J.values])
        bias = np.concatenate([np.zeros(len(J.columns)), J.bias])
        places = [rows.index(name) for name in self.motors]
        efforts: tuple[float, ...] = ()
        if given.efforts:
            mapped = solver.map_effort(dict(zip(names, given.efforts)), self.motors)
            efforts = tuple(float(mapped[name]) for name in self.motors)
        out = Command(
            tuple(there[name] for name in self.motors),
            tuple((G @ [*velocities.values()])[places].tolist()) if given.velocities else (),
            tuple((G @ [*accelerations.values()] + bias)[places].tolist())
            if given.accelerations else (), efforts, given.time)
        if not np.isfinite([*out.velocities, *out.accelerations, *out.efforts]).all():
            raise UsageError('it is a singular position: velocities or efforts cannot be '
                             'translated there')
        return out

    def trajectory(
            self, names: Sequence[str], points: Sequence[Command], tolerance: float,
    ) -> list[Command]:
        """
        Translate a trajectory, with more points where the motors' way between two would bend.

        :param names: of the joints of all points.
        :param tolerance: how far the motors may be off half way between two points, rad and m.
        :raises UsageError: if one point or way cannot be followed; nothing is to be sent then.
        """
        translated: list[Command] = []
        before = self._before()
        for i, point in enumerate(points):
            try:
                if i and not point.time > points[i - 1].time:
                    raise UsageError('its time is not after that of the point before')
                if i:
                    translated += self._between(
                        names, points[i - 1], point, translated[-1], tolerance, _HALVINGS)
                translated.append(self.command(names, point))
            except UsageError as error:
                self.solver.solve(before)
                raise UsageError(f'point {i + 1} of {len(points)}: {error}') from None
        return translated

    def _between(
            self, names: Sequence[str], a: Command, b: Command, motors_a: Command,
            tolerance: float, halvings: int) -> list[Command]:
        """Return the points to insert; the solver is at a, and is left near b."""
        middle = _half_way(a, b)
        here = self.command(names, middle)
        motors_b = self.command(names, b)
        straight = _half_way(motors_a, motors_b).positions
        if not halvings or np.abs(np.subtract(here.positions, straight)).max() <= tolerance:
            return []
        self.command(names, middle)
        self.command(names, a)
        first = self._between(names, a, middle, motors_a, tolerance, halvings - 1)
        here = self.command(names, middle)
        return [*first, here,
                *self._between(names, middle, b, here, tolerance, halvings - 1)]

    def _check(self, names: Sequence[str], given: Command) -> None:
        unknown = [name for name in names if name not in self.solver.independent]
        if unknown or len(set(names)) < len(names):
            raise UsageError(f'commands have to be for {listing(self.solver.independent)}, each '
                             f'once; they are for {listing(names)}')
        for what in ('positions', 'velocities', 'accelerations', 'efforts'):
            values = getattr(given, what)
            if (values or what == 'positions') and len(values) != len(names):
                raise UsageError(f'there are {len(values)} {what} for {len(names)} joints')
            if not all(map(math.isfinite, values)):
                raise UsageError(f'{what} have to be finite numbers')


def _half_way(a: Command, b: Command) -> Command:
    """Return the middle of the cubic that both velocities tell, or of the straight line."""
    x, y, span = np.array(a.positions), np.array(b.positions), b.time - a.time
    middle: Array = 0.5 * (x + y)
    velocities: Array = np.zeros(0)
    if a.velocities and b.velocities:
        v, w = np.array(a.velocities), np.array(b.velocities)
        middle = middle + 0.125 * span * (v - w)
        velocities = 1.5 * (y - x) / span - 0.25 * (v + w)
    return Command(tuple(middle.tolist()), tuple(velocities.tolist()), time=a.time + 0.5 * span)
