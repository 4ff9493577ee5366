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
The smallest set of closures that is solved at once.

A block finds its unknown joints ``x`` from the others on its loops, by Gauss-Newton steps

    x <- x - (J^T J)^-1 J^T r

on the kept residual rows ``r`` (those that can change). ``J`` has full column rank at generic
configurations: freedoms that the closures leave undetermined are not among the unknowns.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from .certificate import Certificate
from ..constraints.compiled_jacobian import SparseJacobian
from ..constraints.jacobian_rate import JacobianRate
from ..constraints.recordings import ClosureCode
from ..robot.model import LoopClosure
from ..robot.read_only import ReadOnly
from ..robot.transforms import Array


class Block:
    """
    Closures and the joints they determine; it never changes.

    :param unknown: names of the joints to solve for.
    :param index: place in the configuration vector q of each joint; q is in rad and m.
    :param bent: known joints that other blocks have solved: their paths are no straight lines.
    """

    def __init__(
            self, code: ClosureCode, closures: Sequence[LoopClosure], unknown: Sequence[str],
            index: Mapping[str, int], bent: Collection[str] = ()) -> None:
        """Record what is compiled when it is first asked for."""
        self._made_of = code, closures, unknown, index, bent
        self.code, self.closures, self.unknown = code, tuple(closures), tuple(unknown)
        self.recording = code.record(closures)
        self.length = self.recording.length
        self.columns = tuple(index[name] for name in unknown)
        self.scale = code.scales(self.unknown, self.length)
        self.known = tuple(sorted({
            name for _, by_joint in self.recording.rows for name in by_joint} - set(unknown)))
        self.known_columns = tuple(index[name] for name in self.known)
        self.known_scale = code.scales(self.known, self.length)
        self.bent = tuple(name in bent for name in self.known)
        self.places = ReadOnly({code.index[name]: place for name, place in index.items()})
        self.m, self.n = len(self.recording.rows), len(self.unknown)
        self.certificate = Certificate(
            code, self.closures, (*self.unknown, *self.known), self.n, self.length)

    def __reduce__(self) -> tuple[Any, ...]:
        """Compile anew where it is unpickled: generated functions cannot be sent."""
        return type(self), self._made_of

    def __deepcopy__(self, memo: object) -> Block:
        """Return itself: it never changes."""
        return self

    @cached_property
    def single(self) -> SparseJacobian:
        """Residual and derivatives by the unknown, then the known joints."""
        return SparseJacobian(self.recording, (*self.unknown, *self.known), self.places)

    @cached_property
    def many(self) -> SparseJacobian:
        """Return the same for arrays of configurations."""
        return SparseJacobian(
            self.recording, (*self.unknown, *self.known), self.places, arrays=True)

    @cached_property
    def rate(self) -> JacobianRate:
        """Return the derivative by time of what `many` returns."""
        return JacobianRate(self.recording, (*self.unknown, *self.known), self.places)

    def residual(self, q: Sequence[float]) -> Array:
        """
        Evaluate the rows that can change.

        :param q: configuration vector.
        :return: shape (m,), rad or characteristic lengths.
        """
        return self.single(q)[0]

    def linearise(self, q: Sequence[float]) -> tuple[Array, Array, Array]:
        """
        Evaluate the residual and its derivatives.

        :param q: configuration vector.
        :return: r (m,), its derivative by the unknown (m, n) and by the known joints (m, k),
            prismatic positions counted in characteristic lengths.
        """
        r, J = self.single(q)
        return r, J[:, :self.n], J[:, self.n:]

    def sideways(self, q: Sequence[float]) -> Array:
        """Return the direction of the smallest singular value, scaled, shape (n,)."""
        direction: Array = np.linalg.svd(self.linearise(q)[1])[2][-1]
        return direction

    def unknowns(self, q: Sequence[float]) -> Array:
        """Return the unknown joints out of a configuration vector, scaled, shape (n,)."""
        return np.array([q[i] for i in self.columns]) / self.scale

    def knowns(self, q: Sequence[float]) -> Array:
        """Return the known joints out of a configuration vector, scaled, shape (k,)."""
        return np.array([q[i] for i in self.known_columns]) / self.known_scale

    def store(self, x: Array, q: list[float]) -> None:
        """Write unknown joints (scaled, shape (n,)) into a configuration vector."""
        for i, value in zip(self.columns, (x * self.scale).tolist()):
            q[i] = value
