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
Proof that a step of a block has stayed on its branch.

A step leads from ``(x_0, u_0)`` to ``(x_1, u_1)``: unknown and known joints, both solutions. While
the known joints go straight from ``u_0`` to ``u_1``, or along a curve no farther from there than
``d``, the unknown ones are looked for in a tube of radius ``rho`` about the chord. With
``P = J(q_1)^+`` and ``G(x, s) = P r(x, u(s))``, s from 0 to 1, the step is proven if, all over the
tube,

    | P J - I |  <=  kappa < 1    and    | G(chord, s) |  <=  (1 - kappa) rho.

By the first, G(., s) is one to one in the tube; by the second, it vanishes there for every s
(Banach). So one regular curve of solutions leads from ``x_0`` through the tube, there is no other
solution in there, and ``x_1`` is its end (Newton-Kantorovich: Deuflhard 2011, section 2.1; as a
certificate of path following: Beltran and Leykin 2012, doi:10.1080/10586458.2012.730488).

Both bounds use what has been evaluated at the two ends, and bounds on derivatives for what lies
between. Every derivative of a closure's error by angles is bounded by its reach D, the way from
its first joint to its frame: turning joints moves the frame about axes that are no farther away.
If its joints turn by A and slide by T altogether, then

    | J''[dq, dq] |   <=  Omega (D A^2 + 2 A T) + Tau A^2          =: N3
    | r''''[dq^4] |   <=  D A^4 + 4 A^3 T                          =: N4
    | J(x + e) - J |  <=  (Omega (D Omega + Tau) + Tau Omega) |e|  =: Lip |e|

where Omega and Tau are the norms of how much a unit of each unknown joint turns and slides. J is
within N3 / 8 of what is interpolated between its values at the ends, and G on the chord within
N4 / 384 of the cubic with the slopes ``g_0 = P J dq`` and ``g_1`` at the ends (Hermite). Hence

    rho   = 2 ((|g_0| + |g_1|) / 4 + |P| N4 / 384 + |P J_u d|)
    kappa = | P J_0 - I | + |P| (N3 / 8 + Lip rho + Lip_u d),  to be at most 1/2.

For a rigid closure, D is hypot(D, 2): that covers its rows of orientation, too, and the factor
that their derivative leaves out (see :mod:`residuals`), which is the identity but for the error.

Known joints that an earlier block has solved go along a curve. ``d`` is then twice its distance
from the chord half way, to second order in the step: for blocks behind others the proof holds up
to terms of third order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
import math
from typing import Any

import numpy as np

from ..constraints.recordings import ClosureCode
from ..robot.model import Joint, LoopClosure
from ..robot.transforms import Array

# Two sides of a closure add up to no more than this times their norm.
_BOTH = math.sqrt(2.0)


@dataclass(frozen=True)
class Side:
    """
    Joints that move one frame of a closure.

    Those that move either, if the closure is rigid or the source of mimic joints moves both.

    :param turn: what a scaled unit of each of the block's joints (unknown, then known) turns of
        these, mimic joints included, rad, shape (n + k,).
    :param slide: the same for what slides, characteristic lengths.
    :param reach: the way from the first of them to the frame with none displaced,
        characteristic lengths.
    """

    turn: tuple[float, ...]
    slide: tuple[float, ...]
    reach: float


class Certificate:
    """
    What is known of a block's derivatives, whatever its configuration.

    :param names: the block's joints, unknown ones first.
    :param unknown: how many these are.
    """

    def __init__(self, code: ClosureCode, closures: Sequence[LoopClosure],
                 names: Sequence[str], unknown: int, length: float) -> None:
        """Add up what the joints do."""
        self.sides = tuple(side for closure in closures
                           for side in _sides(code, closure, names, length))
        self.n = unknown
        self._turn = np.array([side.turn for side in self.sides])
        self._slide = np.array([side.slide for side in self.sides])
        self._reach = np.array([side.reach for side in self.sides])
        self._slides = bool(self._slide.any())
        self._unknown = self._norms(slice(0, unknown))
        self._known = self._norms(slice(unknown, None))

    def _norms(self, columns: slice) -> tuple[Array, Array]:
        return (np.linalg.norm(self._turn[:, columns], axis=1),
                np.linalg.norm(self._slide[:, columns], axis=1))

    def change(self, P: Array, before: Array, after: Array, dq: Array, q: Array,
               bent: Array | None = None) -> tuple[float, Array]:
        """
        Bound the change of the Jacobian along a step.

        :param P: inverse or pseudo-inverse of J at the end, shape (n, m).
        :param before: derivatives by unknown and known joints at the start, shape (m, n + k).
        :param after: the same at the end.
        :param dq: the step, scaled, shape (n + k,).
        :param q: its end, scaled, shape (n + k,).
        :param bent: how far known joints are from the chord half way, scaled, shape (k,); None
            where they go straight.
        :return: kappa, which may be no number where the step is too large for one; how far the
            unknown joints are from the chord half way, shape (n,).
        """
        size = np.abs(dq)
        A, reach = self._turn @ size, self._reach
        T: Any = 0.0
        if self._slides:
            T, reach = self._slide @ size, reach + self._slide @ (np.abs(q) + size)
        difference = before - after
        last = after @ dq
        slopes = np.empty((last.size, 2))
        slopes[:, 0], slopes[:, 1] = last + difference @ dq, last
        slopes = P @ slopes
        curve: Array = 0.125 * (slopes[:, 1] - slopes[:, 0])
        carried = bend = 0.0
        if bent is not None:
            moved = P @ (after[:, self.n:] @ bent)
            curve -= moved
            carried, bend = _length(moved), _length(bent)
        E = P @ difference[:, :self.n]
        return float(self._kappa(
            A, T, reach, _length(P), _length(E), _length(slopes[:, 0]) + _length(slopes[:, 1]),
            carried, bend)), curve

    def changes(self, P: Array, before: Array, after: Array, dq: Array, q: Array, bent: Array,
                ) -> tuple[Array, Array]:
        """
        Bound the change of the Jacobian along each of many steps.

        :param P: as for :meth:`change`, with the steps first, as in all others: (steps, n, m).
        :return: kappa, shape (steps,); shape (steps, n).
        """
        size = np.abs(dq)
        A, reach = size @ self._turn.T, self._reach
        T: Any = 0.0
        if self._slides:
            T = size @ self._slide.T
            reach = reach + (np.abs(q) + size) @ self._slide.T
        column = dq[:, :, None]
        slopes = P @ np.concatenate(
            [before @ column, after @ column, after[:, :, self.n:] @ bent[:, :, None]], axis=2)
        first, last, carried = slopes[:, :, 0], slopes[:, :, 1], slopes[:, :, 2]
        E = P @ (before[:, :, :self.n] - after[:, :, :self.n])
        return (self._kappa(A, T, reach, _norm(P), _norm(E), _norm(first) + _norm(last),
                            _norm(carried), _norm(bent)),
                0.125 * (last - first) - carried)

    def _kappa(self, A: Array, T: Any, reach: Array, inverse: Any, change: Any, slopes: Any,
               carried: Any, bend: Any) -> Any:
        """Put kappa together; arrays of sides are last in shapes."""
        (omega, tau), (omega_u, tau_u) = self._unknown, self._known
        second = A * (reach * A + 2.0 * T)
        third = _sides_norm(omega * second + tau * A * A)
        fourth = 2.0 * _sides_norm(second * A * A)
        lip = _sides_norm(omega * (reach * omega + 2.0 * tau))
        rho = 2.0 * (0.25 * slopes + inverse * _BOTH * fourth / 384.0 + 2.0 * carried)
        between = third / 8.0 + lip * rho
        if np.any(bend):
            between = between + 2.0 * bend * _sides_norm(
                omega * (reach * omega_u + tau_u) + tau * omega_u)
        return change + inverse * between


def _length(values: Array) -> float:
    """Return the norm of all elements; several times as fast as numpy.linalg for a few."""
    return math.sqrt(np.vdot(values, values))


def _sides_norm(values: Array) -> Any:
    """Return the norm along the last axis."""
    return math.sqrt(values.dot(values)) if values.ndim == 1 \
        else np.sqrt(np.einsum('ks,ks->k', values, values))


def _norm(values: Array) -> Array:
    """Return the norm of each row, or of each matrix, shape (rows,)."""
    flat = values.reshape(values.shape[0], -1)
    result: Array = np.sqrt(np.einsum('ki,ki->k', flat, flat))
    return result


def _sides(code: ClosureCode, closure: LoopClosure, names: Sequence[str], length: float,
           ) -> list[Side]:
    robot, place = code.robot, {name: i for i, name in enumerate(names)}
    side_a, side_b = robot.loop(closure)
    rigid = closure.kind == 'rigid'
    sides = []
    for joints, frame in ((side_a, closure.frame_a), (side_b, closure.frame_b)):
        turn, slide = np.zeros(len(names)), np.zeros(len(names))
        for joint in joints:
            if joint.moving:
                source, multiplier, _ = robot.source(joint)
                gear = abs(multiplier) * _unit(source, length) / _unit(joint, length)
                (slide if joint.kind == 'prismatic' else turn)[place[source.name]] += gear
        sides.append((turn, slide, _reach(code, joints, frame, length)))
    (turn_a, slide_a, reach_a), (turn_b, slide_b, reach_b) = sides
    if rigid or np.any((turn_a + slide_a) * (turn_b + slide_b)):
        reach = max(reach_a, reach_b)
        sides = [(turn_a + turn_b, slide_a + slide_b,
                  float(np.hypot(reach, 2.0)) if rigid else reach)]
    return [Side(tuple(turn.tolist()), tuple(slide.tolist()), reach)
            for turn, slide, reach in sides if turn.any() or slide.any()]


def _unit(joint: Joint, length: float) -> float:
    return length if joint.kind == 'prismatic' else 1.0


def _reach(code: ClosureCode, joints: Sequence[Joint], frame: str, length: float) -> float:
    """Return the way from joint to joint and on to the frame, in characteristic lengths."""
    moving = [joint for joint in joints if joint.moving]
    origins = [code.home[link][:3, 3] for link in (*(joint.child for joint in moving), frame)]
    way = sum(float(np.linalg.norm(b - a)) for a, b in zip(origins, origins[1:]))
    offsets = sum(abs(code.robot.source(joint)[2]) for joint in moving
                  if joint.kind == 'prismatic')
    return (way + offsets) / length
