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

"""Closing the loops at home."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
import math
from types import MappingProxyType

import numpy as np

from .closest_pose import closest_pose
from .ranks import Linearisation, rank
from ..constraints.numerics import ALONG_HINGES, CANNOT_BE_ASSEMBLED, GROSSLY_OPEN, PLANAR
from ..constraints.recordings import ClosureCode
from ..exceptions import DescriptionError, Problem
from ..robot.closure_error import closure_error, ClosureError
from ..robot.kinematics import poses_of, with_mimics
from ..robot.loops import connected
from ..robot.model import LoopClosure, Robot
from ..robot.transforms import Array
from ..wording import quote

_WORTH_TELLING = 0.001  # mm or degrees

Errors = dict[str, ClosureError]


@dataclass
class _Outcome:
    """What became of a closure: whether and how it was closed, and from how many starts."""

    closed: bool
    text: str
    tried: int = 0
    mirrored: str = ''
    flat: bool = False


def assemble(
        code: ClosureCode, position_tolerance: float, orientation_tolerance: float,
        start: Mapping[str, float] = MappingProxyType({}),
) -> tuple[dict[str, float], tuple[Problem, ...]]:
    """
    Close the loops at home.

    Home is the pose to start from, zero if no other is given, where the loops are closed within
    the tolerances; else the nearest pose that closes them with the actuated joints held, else
    with those moved too. A gap along the hinges of a planar loop remains: no joint changes it.

    :param position_tolerance: gap up to which a loop is closed, m.
    :param orientation_tolerance: the same for angles, rad.
    :param start: positions of joints that are not at zero in the pose to start from, rad and m.
    :return: positions of all moving joints of the assembled mechanism (rad and m), and warnings.
    :raises DescriptionError: if a loop cannot be closed.
    """
    robot = code.robot
    home = {**dict.fromkeys(code.joints, 0.0), **start}
    normals = {closure.name: planar_normal(robot, closure) for closure in robot.closures}

    def excess(errors: Errors, closures: Sequence[LoopClosure]) -> float:
        """Return the worst gap that joints can change, in tolerances."""
        return max(max(
            _ratio(float(np.linalg.norm(_within(errors[c.name].gap, normals[c.name]))),
                   position_tolerance),
            _ratio(errors[c.name].angle, orientation_tolerance)) for c in closures)

    def assembled(errors: Errors, closures: Sequence[LoopClosure]) -> bool:
        """Whether what is left may be what files are inconsistent by."""
        length = code.length(closures)
        return all(
            np.linalg.norm(_within(errors[c.name].gap, normals[c.name])) <= max(
                10.0 * position_tolerance, CANNOT_BE_ASSEMBLED * length)
            and errors[c.name].distance <= max(10.0 * position_tolerance, ALONG_HINGES * length)
            and errors[c.name].angle <= max(10.0 * orientation_tolerance, CANNOT_BE_ASSEMBLED)
            for c in closures)

    before = _errors(robot, home, robot.closures)
    passive = [joint.name for joint in robot.moving_joints if not joint.actuated]
    outcomes: dict[str, _Outcome] = {}
    # Where the motors have to move too, the loops that share one have to be closed together.
    for names, text in ((passive, 'so it is assembled from there'),
                        (code.joints, 'and it can only be closed with actuated joints elsewhere')):
        for closures in connected(robot, robot.closures, names):
            done = [outcomes.get(closure.name) for closure in closures]
            if all(outcome is not None and outcome.closed for outcome in done):
                continue
            here = _errors(robot, home, closures)
            if excess(here, closures) <= 1.0 and assembled(here, closures):
                outcomes.update((c.name, _Outcome(True, 'no joint moves')) for c in closures)
                continue
            linearisation = Linearisation(code, closures)
            x, columns = linearisation.scaled(home), linearisation.column(names)
            closest = closest_pose(linearisation, x, columns, min(
                position_tolerance / linearisation.length, orientation_tolerance))
            moved = {**home, **linearisation.positions(closest.x)}
            left = _errors(robot, moved, closures)
            closed = excess(left, closures) <= 1.0 and assembled(left, closures)
            tried = closest.tried + sum(o.tried for o in done[:1] if o is not None)
            if not closed and all(o is not None and o.text for o in done):
                continue  # as well as it goes with the motors held
            fits = assembled(left, closures)
            home = moved if fits else home
            outcome = _Outcome(
                closed, text if fits else '', tried,
                _described(linearisation, closest.mirrored, columns),
                rank(linearisation(x)[1][:, columns])
                < rank(linearisation(closest.x)[1][:, columns]))
            outcomes.update((c.name, outcome) for c in closures)
    left = _errors(robot, home, robot.closures)
    problems = [
        _problem(closure, before[closure.name], left[closure.name], outcomes[closure.name],
                 normals[closure.name], code, home, bool(start))
        for closure in robot.closures
        if _ratio(before[closure.name].distance, position_tolerance) > 1.0
        or _ratio(before[closure.name].angle, orientation_tolerance) > 1.0
        or not outcomes[closure.name].text]
    if not all(outcome.text for outcome in outcomes.values()):
        raise DescriptionError(problems)
    return with_mimics(robot, home), tuple(problems)


def planar_normal(robot: Robot, closure: LoopClosure, without: str = '') -> Array | None:
    """
    Return the direction that no joint of a planar loop moves anything along.

    :param without: name of a joint that is not looked at.
    :return: unit vector in frame A, shape (3,), the same in all poses; None for other loops.
    """
    joints = [joint for side in robot.loop(closure) for joint in side
              if joint.moving and joint.name != without]
    axes = {joint.name: robot.undisplaced[joint.child][:3, :3] @ joint.axis for joint in joints}
    hinges = [axes[joint.name] for joint in joints if joint.kind != 'prismatic']
    if not hinges:
        return None
    normal = hinges[0]
    if any(np.linalg.norm(np.cross(normal, axis)) > PLANAR for axis in hinges) \
            or any(abs(normal @ axes[joint.name]) > PLANAR for joint in joints
                   if joint.kind == 'prismatic'):
        return None
    seen: Array = robot.undisplaced[closure.frame_a][:3, :3].T @ normal
    return seen


def _within(gap: Array, normal: Array | None) -> Array:
    """Return the part of a gap that joints can change."""
    return gap if normal is None else gap - (gap @ normal) * normal


def _ratio(value: float, allowed: float) -> float:
    return value / allowed if allowed > 0.0 else math.inf if value > 0.0 else 0.0


def _errors(
        robot: Robot, positions: Mapping[str, float], closures: Sequence[LoopClosure]) -> Errors:
    poses = poses_of(robot, positions, (
        frame for closure in closures for frame in (closure.frame_a, closure.frame_b)))
    return {closure.name: closure_error(closure, poses) for closure in closures}


def _described(linearisation: Linearisation, x: Array | None, columns: Sequence[int]) -> str:
    """Write the positions of the joints moved, rad and m."""
    if x is None:
        return ''
    positions = linearisation.positions(x)
    return ', '.join(f'{name} {positions[name]:.4g}'
                     for name in [linearisation.names[i] for i in columns])


def _problem(
        closure: LoopClosure, before: ClosureError, left: ClosureError, outcome: _Outcome,
        normal: Array | None, code: ClosureCode, home: Mapping[str, float], given: bool,
) -> Problem:
    where = 'in the given home' if given else 'with all joints at zero'
    turned = f' and turned by {math.degrees(before.angle):.3g} deg' if before.angle > 1e-9 else ''
    gross = before.distance > GROSSLY_OPEN * code.length([closure])
    text = (f'{"grossly open at home: " if gross else ""}'
            f'loop {quote(closure.name)} is not closed {where}: '
            f'{closure.frame_b} is {1000.0 * before.distance:.4g} mm from '
            f'{closure.frame_a} ({" ".join(f"{1000.0 * v:.3f}" for v in before.gap)} mm along '
            f'the axes of {closure.frame_a}){turned}, ')
    if not outcome.text:
        return Problem('error', f'{text}and no position of its joints that was found closes it '
                       f'(tried from {outcome.tried} places, with the actuated joints held and '
                       f'moved; {1000.0 * left.distance:.4g} mm remain); check the origins, and '
                       'which joints are passive', closure.line)
    rest, angle = 1000.0 * left.distance, math.degrees(left.angle)
    if normal is not None and 1000.0 * float(
            np.linalg.norm(_within(left.gap, normal))) < _WORTH_TELLING <= rest:
        return Problem('warning', f'{text}{outcome.text}, with {rest:.2g} mm left, all of it '
                       'along the axes of its hinges, which no joint changes: pins drawn in '
                       'different planes; the motion in the plane is exact', closure.line)
    remains = [f'{rest:.2g} mm'] if rest >= _WORTH_TELLING else []
    remains += [f'{angle:.2g} deg'] if angle >= _WORTH_TELLING else []
    but = f', with {" and ".join(remains)} left' if remains else ''
    moved = [f'{name} {home[name]:.4g}' for name in code.joints
             if abs(home[name]) > 1e-6 and any(
                 code.robot.source(joint)[0].name == name
                 for side in code.robot.loop(closure) for joint in side if joint.moving)]
    at = f' ({", ".join(moved)})' if moved else ''
    flat = ', where it is flat: its links are in line' if outcome.flat else ''
    also = f'; {outcome.mirrored} would do as well' if outcome.mirrored else ''
    return Problem('warning', f'{text}{outcome.text}{flat}{at}{but}{also}; write the tree so that '
                   'the loop is closed at zero, or give the home that is meant', closure.line)
