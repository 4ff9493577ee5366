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
Error of a loop closure and its derivative, recorded as straight-line code.

With frames a and b of a closure seen from the lowest common ancestor of the two:

* point: ``r = p_b - p_a`` (3 rows);
* rigid: below these, ``r = log(R_b R_a^T)``, the rotation vector from a to b (3 rows, rad).

A joint on b's side with axis ``w`` through ``o`` adds the column ``w x (p_b - o)`` and below it
``w``; one on a's side ``-w x (p_a - o)`` and ``-R_b R_a^T w``; a prismatic joint ``w`` or ``-w``
and zero. Position rows are exact derivatives. Orientation rows leave out the factor
``J_l^-1(r)`` of the logarithm (Sola et al. 2018, eq. 146): it is the identity where the loop is
closed, and ``J_l^-1(r)^T r = r``, so the gradient ``J^T r`` is exact everywhere.

Lengths are divided by a characteristic length of the loop, so that one tolerance fits a 3 mm
gripper and a 30 m crane. Link frames are replaced by frames parallel to one another at home,
which removes the constant rotations between joints; where a joint axis is not along such a
frame's axes, the frame is turned so that it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from .program import ONE, Program, Term, ZERO
from ..robot.model import Joint, LoopClosure, Robot
from ..robot.transforms import Array

Vector = Sequence[Term]  # of three
Row = tuple[Term, dict[str, Term]]  # residual, and its derivative by joint


class _Motion(NamedTuple):
    """What a joint does to the frames behind it."""

    joint: Joint
    axis: Vector
    origin: Vector


class _Frame(NamedTuple):
    """A link's re-oriented frame, seen from the lowest common ancestor."""

    R: Sequence[Vector]
    origin: Vector
    basis: Array  # the frame's axes at home, in the root's frame, as columns
    home: Array  # its origin at home, in the root's frame
    motions: tuple[_Motion, ...]


class LoopRecorder:
    """
    Records the residual rows of closures, sharing what their loops share.

    :param home: ``T_root_link`` by link, with no joint displaced at all.
    :param positions: the recorded position of every joint that is not a mimic joint, rad or m.
    :param length: the characteristic length, m.
    :param unit: returns the unit of a joint's scaled position for a characteristic length,
        rad or m.
    """

    def __init__(
            self, program: Program, robot: Robot, home: Mapping[str, Array],
            positions: Mapping[str, Term], length: float,
            unit: Callable[[str, float], float]) -> None:
        """Start with nothing recorded."""
        self._program, self._robot, self._home = program, robot, home
        self._positions, self._length, self._unit = positions, length, unit
        self._frames: dict[tuple[str, str], _Frame] = {}

    def rows(self, closure: LoopClosure) -> list[Row]:
        """
        Record the residual of a closure and its derivative.

        :return: 3 rows (point) or 6 (rigid); derivatives by the joints that are not mimic
            joints, their positions counted in their units.
        """
        program = self._program
        side_a, side_b = self._robot.loop(closure)
        ancestor = side_a[0].parent if side_a else closure.frame_a
        if (ancestor, '') not in self._frames:
            axes = self._axes([joint for joint in (*side_a, *side_b) if joint.moving])
            self._frames[ancestor, ''] = _Frame(
                ((ONE, ZERO, ZERO), (ZERO, ONE, ZERO), (ZERO, ZERO, ONE)), (ZERO, ZERO, ZERO),
                _basis(axes[0], axes[1:]), self._home[ancestor][:3, 3], ())
        a, b = self._chain(ancestor, side_a), self._chain(ancestor, side_b)
        p_a, p_b = self._tip(a, closure.frame_a), self._tip(b, closure.frame_b)
        columns: dict[str, list[list[tuple[Term, Term]]]] = {}
        turned = self._turn(a, b, closure) if closure.kind == 'rigid' else None
        for frame, tip, sign in ((a, p_a, -1.0), (b, p_b, 1.0)):
            for joint, axis, origin in frame.motions:
                source, multiplier, _ = self._robot.source(joint)
                factor = Term(sign * multiplier * self._unit(source.name, self._length)
                              / self._scale(joint))
                column = columns.setdefault(source.name, [[] for _ in range(6)])
                if joint.kind == 'prismatic':
                    velocity = axis
                else:
                    velocity = self._cross(axis, [
                        program.total([(ONE, t), (Term(-1.0), o)]) for t, o in zip(tip, origin)])
                    spin = axis if turned is None or sign > 0.0 else self._rotate(turned, axis)
                    for row, term in enumerate(spin):
                        column[3 + row].append((factor, term))
                for row, term in enumerate(velocity):
                    column[row].append((factor, term))
        residual = [program.total([(ONE, tb), (Term(-1.0), ta)]) for ta, tb in zip(p_a, p_b)]
        if turned is not None:
            residual += self._logarithm(turned)
        return [
            (term, {name: program.total(column[row]) for name, column in columns.items()})
            for row, term in enumerate(residual)]

    def _scale(self, joint: Joint) -> float:
        return self._length if joint.kind == 'prismatic' else 1.0

    def _chain(self, ancestor: str, joints: Sequence[Joint]) -> _Frame:
        """Record the frames along one side of a loop; fixed joints need no frame of their own."""
        moving = [joint for joint in joints if joint.moving]
        axes, frame = self._axes(moving), self._frames[ancestor, '']
        for index, joint in enumerate(moving):
            key = (ancestor, joint.name)
            if key not in self._frames:
                self._frames[key] = self._behind(frame, joint, axes[index], axes[index + 1:])
            frame = self._frames[key]
        return frame

    def _axes(self, joints: Sequence[Joint]) -> list[Array]:
        """Return the joint axes at home, in the root's frame."""
        return [self._home[joint.child][:3, :3] @ joint.axis for joint in joints]

    def _behind(self, frame: _Frame, joint: Joint, axis: Array, later: list[Array]) -> _Frame:
        """Record the frame behind a joint, ``axis`` being its axis at home in the root."""
        program = self._program
        home = self._home[joint.child][:3, 3]
        origin = self._tip(frame, joint.child)
        source, multiplier, offset = self._robot.source(joint)
        unit = 1.0 / self._scale(joint)
        position = program.total([
            (Term(multiplier * unit), self._positions[source.name]), (Term(offset * unit), ONE)])
        if joint.kind == 'prismatic':
            direction = self._rotate(frame.R, _constants(frame.basis.T @ axis))
            motion = _Motion(joint, direction, origin)
            moved = tuple(program.total([(ONE, o), (d, position)])
                          for o, d in zip(origin, direction))
            return _Frame(frame.R, moved, frame.basis, home,
                          (*frame.motions, motion))
        basis = frame.basis
        along = _constants(basis.T @ axis)
        R = frame.R
        if sum(not term.factor for term in along) < 2:
            basis = _basis(axis, later)
            turn = [_constants(row) for row in frame.basis.T @ basis]
            R = tuple(
                tuple(program.total(zip(row, column)) for column in zip(*turn)) for row in R)
            along = (ZERO, ZERO, ONE)
        k = next(i for i, term in enumerate(along) if term.factor)
        sign = along[k].factor
        i, j = (k + 1) % 3, (k + 2) % 3
        cosine, sine = program.apply('cos', position), program.apply('sin', position).scaled(sign)
        rows = []
        for row in R:
            new = list(row)
            new[i] = program.total([(cosine, row[i]), (sine, row[j])])
            new[j] = program.total([(cosine, row[j]), (sine.scaled(-1.0), row[i])])
            rows.append(tuple(new))
        motion = _Motion(joint, (R[0][k].scaled(sign), R[1][k].scaled(sign), R[2][k].scaled(sign)),
                         origin)
        return _Frame(tuple(rows), origin, basis, home,
                      (*frame.motions, motion))

    def _tip(self, frame: _Frame, link: str) -> Vector:
        """Record the origin of a link that is rigidly behind a frame."""
        offset = frame.basis.T @ (self._home[link][:3, 3] - frame.home) / self._length
        constant = [Term(float(v) if abs(v) > 1e-14 else 0.0) for v in offset]
        return tuple(
            self._program.total([(ONE, o), *zip(row, constant)])
            for o, row in zip(frame.origin, frame.R))

    def _turn(self, a: _Frame, b: _Frame, closure: LoopClosure) -> Sequence[Vector]:
        """Record ``R_b R_a^T``, the rotation from frame a to frame b."""
        program = self._program
        R_a, R_b = (self._home[link][:3, :3] for link in (closure.frame_a, closure.frame_b))
        between = [_constants(row) for row in b.basis.T @ R_b @ R_a.T @ a.basis]
        half = [[program.total(zip(row, column)) for column in zip(*between)] for row in b.R]
        return tuple(
            tuple(program.total(zip(left, right)) for right in a.R) for left in half)

    def _logarithm(self, R: Sequence[Vector]) -> list[Term]:
        """Record the rotation vector of a rotation matrix, up to 1e-30 rad; finite everywhere."""
        program, half = self._program, Term(0.5)
        vee = [program.total([(half, R[(i + 2) % 3][(i + 1) % 3]),
                              (Term(-0.5), R[(i + 1) % 3][(i + 2) % 3])]) for i in range(3)]
        # The axis has no direction where the angle is 0 or pi: 1e-30 gives it one at pi, and
        # 1e-200 keeps the sine from 0, so that the ratio is exactly 1 where the angle is 0.
        nudged = next((i for i, term in enumerate(vee) if not term.constant), 0)
        vee[nudged] = program.total([(ONE, vee[nudged]), (Term(1e-30), ONE)])
        sine = program.apply('sqrt', program.total(
            [*((term, term) for term in vee), (Term(1e-200), ONE)]))
        cosine = program.total([
            (half, R[0][0]), (half, R[1][1]), (half, R[2][2]), (Term(-0.5), ONE)])
        ratio = program.quotient(program.apply('atan2', sine, cosine), sine)
        return [program.total([(ratio, term)]) for term in vee]

    def _rotate(self, R: Sequence[Vector], v: Sequence[Term]) -> Vector:
        return tuple(self._program.total(zip(row, v)) for row in R)

    def _cross(self, a: Sequence[Term], b: Sequence[Term]) -> Vector:
        return tuple(
            self._program.total([
                (a[(i + 1) % 3], b[(i + 2) % 3]), (a[(i + 2) % 3].scaled(-1.0), b[(i + 1) % 3])])
            for i in range(3))


def _constants(values: Array) -> Vector:
    """Return direction cosines as constants; what is 0 or 1 up to rounding becomes exactly so."""
    nearest = np.rint(values)
    exact = np.where(np.abs(values - nearest) < 1e-12, nearest, values)
    return tuple(Term(float(v)) for v in exact)


def _basis(axis: Array, later: list[Array]) -> Array:
    """
    Return a right-handed frame whose z is the axis and whose x is towards the next other axis.

    :return: its axes as columns, shape (3, 3).
    """
    for candidate in (*later, *np.eye(3)):
        x = candidate - (candidate @ axis) * axis
        norm = float(np.linalg.norm(x))
        if norm > 0.1:
            return np.column_stack([x / norm, np.cross(axis, x / norm), axis])
    raise AssertionError('three orthogonal vectors are never all parallel to one axis')
