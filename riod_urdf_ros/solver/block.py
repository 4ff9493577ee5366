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
The smallest set of closures that is solved at once, compiled.

A block finds its unknown joints ``x`` from the others on its loops, by Gauss-Newton steps

    x <- x - (J^T J)^-1 J^T r

on the kept residual rows ``r`` (those that can change). ``J`` has full column rank at generic
configurations: freedoms that the closures leave undetermined are not among the unknowns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableSequence, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..constraints.compiled_jacobian import SparseJacobian
from ..constraints.program import ONE, Program, Term, ZERO
from ..constraints.recordings import ClosureCode
from ..robot.model import LoopClosure
from ..robot.transforms import Array

# Up to this many unknowns the normal equations are solved by Cramer's rule in generated code.
_CRAMER = 2
# Order of the extrapolation that starts a step.
ORDER = 3


# One Gauss-Newton step from a prediction:
# - memory for the next message: the last ORDER + 1 solutions x, newest first, and J;
# - sum of the corrections made to the prediction, shape (n,);
# - square of this step's correction (rad, characteristic lengths);
# - square of the Frobenius norm of J^+ J_0 - I: how much J changed since the last accepted x;
# - square of the part of r that no x can remove.
Step = tuple[Any, Any, float, float, float]


class Block:
    """
    Closures and the joints they determine.

    :param index: place in the configuration vector q of each joint; q is in rad and m.
    :param unknown: names of the joints to solve for.
    """

    def __init__(
            self, code: ClosureCode, closures: Sequence[LoopClosure], unknown: Sequence[str],
            index: Mapping[str, int]) -> None:
        """Compile what every message needs; the rest when it is first asked for."""
        self.closures, self.unknown = tuple(closures), tuple(unknown)
        self._code, self._index = code, index
        self._recording = code.record(closures)
        self.length = self._recording.length
        self.columns = tuple(index[name] for name in unknown)
        self.scale = code.scales(self.unknown, self.length)
        self.known = tuple(sorted({
            name for _, by_joint in self._recording.rows for name in by_joint} - set(unknown)))
        self.known_columns = tuple(index[name] for name in self.known)
        self.known_scale = code.scales(self.known, self.length)
        self._places = {code.index[name]: place for name, place in index.items()}
        self.m, self.n = len(self._recording.rows), len(self.unknown)
        self._compiled = self.n <= _CRAMER
        self.still: Any = (0.0,) * self.n if self._compiled else 0.0
        self.step: Callable[[MutableSequence[float], Any, Sequence[float], Any], Step]
        if self._compiled:
            self.step = self._compiled_step()
        else:
            self._own = SparseJacobian(self._recording, self.unknown, self._places)
            self._prismatic = bool((self.scale != 1.0).any())
            first, last = self.columns[0], self.columns[-1] + 1
            self._together = slice(first, last) \
                if self.columns == tuple(range(first, last)) else None
            self.step = self._numpy_step

    @cached_property
    def _all(self) -> SparseJacobian:
        return SparseJacobian(self._recording, (*self.unknown, *self.known), self._places)

    @cached_property
    def many(self) -> SparseJacobian:
        """Return the residual and its derivative by the unknown joints, for arrays."""
        return SparseJacobian(self._recording, self.unknown, self._places, arrays=True)

    def residual(self, q: Sequence[float]) -> Array:
        """
        Evaluate the rows that can change.

        :param q: configuration vector.
        :return: shape (m,), rad or characteristic lengths.
        """
        return self._all(q)[0]

    def linearise(self, q: Sequence[float]) -> tuple[Array, Array, Array]:
        """
        Evaluate the residual and its derivatives.

        :param q: configuration vector.
        :return: r (m,), its derivative by the unknown (m, n) and by the known joints (m, k),
            prismatic positions counted in characteristic lengths.
        """
        r, J = self._all(q)
        return r, J[:, :self.n], J[:, self.n:]

    def remember(self, q: Sequence[float]) -> Any:
        """Return the memory of a mechanism that stands still at q, for :meth:`step`."""
        J = self.linearise(q)[1]
        x = np.array([q[i] for i in self.columns]) / self.scale
        if not self._compiled:
            return np.tile(x, (ORDER + 1, 1)), J
        return (*x.tolist() * (ORDER + 1), *J.ravel().tolist())

    def jacobian(self, memory: Any) -> Array:
        """
        Return the Jacobian that a step has left in its memory.

        :return: shape (m, n).
        """
        if not self._compiled:
            J: Array = memory[1]
            return J
        return np.reshape(memory[(ORDER + 1) * self.n:], (self.m, self.n))

    def _numpy_step(
            self, q: MutableSequence[float], memory: Any, weights: Sequence[float],
            correction: Any) -> Step:
        """
        Predict, correct once, and store the result.

        :param q: configuration vector, the known joints set; the unknown ones are written.
        :param memory: of the last accepted configuration.
        :param weights: of the last solutions in the prediction
            ``sum_k weights_k x_k - correction``, shape (ORDER + 1,).
        :param correction: sum of the corrections so far, shape (n,); first :attr:`still`.
        """
        history, J0 = memory
        x = np.dot(weights, history) - correction
        self._store(q, x)
        r, J = self._own(q)
        right = np.empty((self.m, 1 + self.n))
        right[:, 0], right[:, 1:] = r, J0 - J
        if self.m == self.n:
            solved = np.linalg.solve(J, right)
            misfit = 0.0
        else:
            gradient = J.T @ right
            solved = np.linalg.solve(J.T @ J, gradient)
            misfit = float(r @ r - gradient[:, 0] @ solved[:, 0])
        dx = solved[:, 0]
        last = float(dx @ dx)
        updated = np.empty_like(history)
        updated[0], updated[1:] = x - dx, history[:-1]
        self._store(q, updated[0])
        return (updated, J), correction + dx, last, float(np.vdot(solved, solved)) - last, misfit

    def _store(self, q: MutableSequence[float], x: Array) -> None:
        """Write the unknowns (scaled, shape (n,)) into the configuration vector."""
        values = (x * self.scale if self._prismatic else x).tolist()
        if self._together is not None:
            q[self._together] = values
        else:
            for i, value in zip(self.columns, values):
                q[i] = value

    def _compiled_step(self) -> Callable[..., Step]:
        """Record :meth:`_numpy_step` for one or two unknowns: no array is made at all."""
        n, m = self.n, self.m
        program = Program()
        total = program.total

        def element(vector: str, start: int, count: int) -> list[Term]:
            return [program.element(vector, start + i) for i in range(count)]

        history = [element('p', k * n, n) for k in range(ORDER + 1)]
        J0 = element('p', (ORDER + 1) * n, m * n)
        weights = element('w', 0, ORDER + 1)
        correction = element('e', 0, n)
        x = [total([*zip(weights, past), (Term(-1.0), e)])
             for e, *past in zip(correction, *history)]
        positions = self._code.elements(program, self.closures)
        positions.update({name: total([(Term(float(scale)), value)])
                          for name, scale, value in zip(self.unknown, self.scale, x)})
        rows = self._code.record_at(program, self.closures, positions).rows
        J = [[by_joint.get(name, ZERO) for name in self.unknown] for _, by_joint in rows]
        r = [term for term, _ in rows]
        before = list(zip(*[iter(J0)] * n))
        if m == n:
            A, right = J, [r, *zip(*before)]
        else:
            columns = list(zip(*J))
            A = [[total(zip(a, b)) for b in columns] for a in columns]
            right = [[total(zip(column, b)) for column in columns]
                     for b in (r, *zip(*before))]
        dx, *ratio = (_cramer(program, A, b) for b in right)
        misfit = ZERO if m == n else total([
            *zip(r, r), *((a.scaled(-1.0), b) for a, b in zip(right[0], dx))])
        x_new = [total([(ONE, a), (Term(-1.0), b)]) for a, b in zip(x, dx)]
        change = [total([(ONE, term), (Term(-float(i == j)), ONE)])
                  for i, column in enumerate(ratio) for j, term in enumerate(column)]
        return program.function(
            [[*x_new, *(t for past in history[:-1] for t in past), *(t for row in J for t in row)],
             [total([(ONE, a), (ONE, b)]) for a, b in zip(correction, dx)],
             *(total(zip(v, v)) for v in (dx, change)), misfit],
            self._places, vectors='qpwe',
            stores={i: total([(Term(float(scale)), value)])
                    for i, scale, value in zip(self.columns, self.scale, x_new)})


def _cramer(program: Program, A: Sequence[Sequence[Term]], b: Sequence[Term]) -> list[Term]:
    """Record the solution of one or two linear equations by Cramer's rule."""
    if len(A) == 1:
        return [program.quotient(b[0], A[0][0])]
    determinant = program.total([(A[0][0], A[1][1]), (A[0][1].scaled(-1.0), A[1][0])])
    return [
        program.quotient(program.total([(b[0], A[1][1]), (b[1].scaled(-1.0), A[0][1])]),
                         determinant),
        program.quotient(program.total([(A[0][0], b[1]), (A[1][0].scaled(-1.0), b[0])]),
                         determinant)]
