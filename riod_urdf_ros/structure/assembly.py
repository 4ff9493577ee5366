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

"""Closing the loops at home, and what there is to say about the mechanism before it moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
import math
from types import MappingProxyType

import numpy as np

from .mobility import Structure
from .ranks import Linearisation
from ..constraints.least_squares import minimise
from ..constraints.numerics import CANNOT_BE_ASSEMBLED
from ..constraints.recordings import ClosureCode
from ..exceptions import DescriptionError, Problem
from ..robot.kinematics import poses_of, with_mimics
from ..robot.loops import closure_error, connected
from ..robot.model import LoopClosure, Robot
from ..robot.transforms import Array
from ..wording import listing, quote

_WORTH_TELLING = 0.001  # mm or degrees

Errors = dict[str, tuple[Array, float]]  # gap vector, m, and angle, rad, by closure


def assemble(
        code: ClosureCode, position_tolerance: float, orientation_tolerance: float,
        start: Mapping[str, float] = MappingProxyType({}),
) -> tuple[dict[str, float], tuple[Problem, ...]]:
    """
    Close the loops, starting with all joints at zero and holding the actuated joints there.

    :param position_tolerance: gap up to which nothing is said, m.
    :param orientation_tolerance: the same for angles, rad.
    :return: positions of all moving joints of the assembled mechanism (rad and m), and warnings.
    :raises DescriptionError: if a loop cannot be closed.
    """
    robot = code.robot
    home = {**dict.fromkeys(code.joints, 0.0), **start}
    before = _errors(robot, home, robot.closures)
    outcomes: dict[str, str | None] = {}
    passive = [joint.name for joint in robot.moving_joints if not joint.actuated]
    # Where the motors have to move too, the loops that share one have to be closed together.
    for names, outcome in (
            (passive, 'so it is assembled from there'),
            (code.joints, 'and it can only be closed with actuated joints away from zero')):
        for closures in connected(robot, robot.closures, names):
            if all(outcomes.get(closure.name) for closure in closures):
                continue
            moved = {**home, **_closest(Linearisation(code, closures), names, home)}
            left = _errors(robot, moved, closures)
            length = code.length(closures)
            allowed = (max(10.0 * position_tolerance, CANNOT_BE_ASSEMBLED * length),
                       max(10.0 * orientation_tolerance, CANNOT_BE_ASSEMBLED))
            closed = all(np.linalg.norm(left[c.name][0]) <= allowed[0]
                         and left[c.name][1] <= allowed[1] for c in closures)
            home = moved if closed else home
            outcomes.update((c.name, outcome if closed else None) for c in closures)
    left = _errors(robot, home, robot.closures)
    problems = [
        _problem(closure, before[closure.name], left[closure.name], outcomes[closure.name])
        for closure in robot.closures
        if np.linalg.norm(before[closure.name][0]) > position_tolerance
        or before[closure.name][1] > orientation_tolerance]
    if None in outcomes.values():
        raise DescriptionError(problems)
    return with_mimics(robot, home), tuple(problems)


def _errors(
        robot: Robot, positions: dict[str, float], closures: Sequence[LoopClosure]) -> Errors:
    poses = poses_of(robot, positions, (
        frame for closure in closures for frame in (closure.frame_a, closure.frame_b)))
    return {closure.name: closure_error(robot, closure, poses) for closure in closures}


def _closest(linearisation: Linearisation, names: Sequence[str],
             start: dict[str, float]) -> dict[str, float]:
    """Move some joints to where the closures fit best, rad and m."""
    columns = linearisation.column(names)
    x = np.array([start[name] for name in linearisation.names]) / linearisation.scale

    def at(part: Array) -> tuple[Array, Array]:
        x[columns] = part
        r, J = linearisation(x)
        return r, J[:, columns]

    if columns and np.linalg.norm(linearisation(x)[0]) > 1e-12:
        x[columns] = minimise(at, x[columns], 200)
    return dict(zip(linearisation.names, (x * linearisation.scale).tolist()))


def _problem(closure: LoopClosure, before: tuple[Array, float], left: tuple[Array, float],
             outcome: str | None) -> Problem:
    gap, angle = before
    vector = ' '.join(f'{1000.0 * v:.3f}' for v in gap)
    turned = f' and turned by {math.degrees(angle):.3g} deg' if angle > 1e-9 else ''
    text = (f'loop {quote(closure.name)} is not closed with all joints at zero: '
            f'{closure.frame_b} is {1000.0 * float(np.linalg.norm(gap)):.4g} mm from '
            f'{closure.frame_a} ({vector} mm along the axes of {closure.frame_a}){turned}, ')
    if outcome is None:
        return Problem('error', f'{text}and no position of its joints closes it; check the '
                       'origins, and which joints are passive', closure.line)
    rest, angle = 1000.0 * float(np.linalg.norm(left[0])), math.degrees(left[1])
    remains = [f'{rest:.2g} mm'] if rest >= _WORTH_TELLING else []
    remains += [f'{angle:.2g} deg'] if angle >= _WORTH_TELLING else []
    but = f', with {" and ".join(remains)} left' if remains else ''
    return Problem('warning', f'{text}{outcome}{but}; write the tree so that the loop is closed '
                   'at zero', closure.line)


def structure_problems(robot: Robot, structure: Structure) -> tuple[Problem, ...]:
    """Return warnings about loops that cannot move, or not as their motors say."""
    lines = {closure.name: closure.line for closure in robot.closures}
    problems = []
    for group in structure.groups:
        loop, line = f'loop {listing(group.closures)}', lines[group.closures[0]]
        if group.singular_home:
            problems.append((f'{loop} is singular with all joints at zero (links in line?), so it '
                             'may go on from there in either assembly mode; write the tree in a '
                             'position in which it is neither flat nor stretched', line))
        if group.locked:
            problems.append((
                f'{loop} cannot move: its closures leave '
                f'{", ".join(group.independent) or "its joints"} no freedom; are all joints '
                'without a motor marked as passive, does each <mimic> say what the loop demands, '
                'and has a hinge that was cut with type="rigid" a passive joint at the cut?',
                line))
        elif group.over_actuated:
            problems.append((
                f'{loop} ties the actuated joints {", ".join(group.over_actuated)} to each other, '
                'so their positions have to agree; mark those without a motor as passive', line))
    return tuple(Problem('warning', message, line) for message, line in problems)
