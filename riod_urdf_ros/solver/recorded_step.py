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

"""Steps of blocks with one or two unknown joints, recorded whole: no array is made at all."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Any, NamedTuple

import numpy as np

from .block import Block
from .certificate import Side
from .step import Memory, Stepped
from ..constraints.numerics import FINISHED, MOST_EVALUATIONS, ORDER
from ..constraints.program import ONE, Program, Term, ZERO
from ..constraints.recorded_inverse import pseudo_inverse
from ..robot.transforms import Array
from ..wording import shorten

VECTORS = 'qpwed'
"""The letters of what :func:`record_step` reads."""


class RecordedStep:
    """
    A :class:`~riod_urdf_ros.solver.step.Step` that calls one generated function an evaluation.

    The memory is a tuple: the last solutions, newest first (ORDER + 1 times n), the derivatives
    by the unknown (m times n) and the known joints (m times k), the known joints (k); all scaled.
    """

    def __init__(self, block: Block) -> None:
        """Generate the function."""
        self._block = block
        recorded = record_step(block)
        self._run = recorded.program.function(
            [recorded.memory, recorded.correction, recorded.last, recorded.misfit,
             recorded.change],
            block.places, vectors=VECTORS, stores=recorded.stores,
            title=f'closures {shorten([closure.name for closure in block.closures])}: step')
        self._still = (0.0,) * block.n
        self._unasked = [0.0] * len(block.places)

    def __reduce__(self) -> tuple[Any, ...]:
        """Generate the function anew where it is unpickled: it cannot be sent."""
        return type(self), (self._block,)

    def __deepcopy__(self, memo: object) -> RecordedStep:
        """Return itself: it never changes."""
        return self

    def remember(self, q: Sequence[float]) -> Memory:
        """Return the memory of a mechanism that stands still at q."""
        block = self._block
        _, J, J_known = block.linearise(q)
        return (*block.unknowns(q).tolist() * (ORDER + 1), *J.ravel().tolist(),
                *J_known.ravel().tolist(), *block.knowns(q).tolist())

    def jacobian(self, memory: Memory) -> Array:
        """Return the derivatives in a memory, shape (m, n + k)."""
        block = self._block
        n, m, k = block.n, block.m, len(block.known)
        start = (ORDER + 1) * n
        J, J_known = np.split(np.array(memory[start:start + m * (n + k)]), [m * n])
        return np.hstack([J.reshape(m, n), J_known.reshape(m, k)])

    def __call__(
            self, q: MutableSequence[float], bent: MutableSequence[float], memory: Memory,
            weights: Sequence[float]) -> Stepped | None:
        """Predict and correct."""
        correction = self._still
        run = self._run
        for evaluations in range(1, MOST_EVALUATIONS + 1):
            after, correction, last, misfit, change = run(
                q, memory, weights, correction, bent or self._unasked)
            if last < FINISHED:
                return Stepped(after, evaluations, misfit, change)
            if not last <= 1.0:
                break
        return None


class Recorded(NamedTuple):
    """
    A recorded step: the terms that it computes.

    :param correction: sum of the corrections made to the prediction.
    :param last: square of the last correction.
    :param stores: what is written, by vector and index.
    """

    program: Program
    memory: list[Term]
    correction: list[Term]
    last: Term
    misfit: Term
    change: Term
    stores: dict[tuple[str, int], Term]


def record_step(block: Block) -> Recorded:
    """
    Record one evaluation of a step.

    Vectors: q, the memory p, the weights w, the sum of corrections so far e, bent joints d.
    """
    n, m, k = block.n, block.m, len(block.known)
    program = Program()
    total = program.total

    def elements(vector: str, start: int, count: int) -> list[Term]:
        return [program.element(vector, start + i) for i in range(count)]

    history = [elements('p', i * n, n) for i in range(ORDER + 1)]
    start = (ORDER + 1) * n
    J0 = _rows(elements('p', start, m * n), n)
    J0_known = _rows(elements('p', start + m * n, m * k), k) if k else [[]] * m
    known_before = elements('p', start + m * (n + k), k)
    weights, correction = elements('w', 0, ORDER + 1), elements('e', 0, n)
    x = [total([*zip(weights, past), (Term(-1.0), e)])
         for e, *past in zip(correction, *history)]
    positions = block.code.elements(program, block.closures)
    known = [total([(Term(1.0 / scale), positions[name])])
             for name, scale in zip(block.known, block.known_scale.tolist())]
    positions.update({name: total([(Term(scale), value)])
                      for name, scale, value in zip(block.unknown, block.scale.tolist(), x)})
    rows = block.code.record_at(program, block.closures, positions).rows
    r = [term for term, _ in rows]
    J = [[by_joint.get(name, ZERO) for name in block.unknown] for _, by_joint in rows]
    J_known = [[by_joint.get(name, ZERO) for name in block.known] for _, by_joint in rows]
    P = pseudo_inverse(program, J)
    dx = [total(zip(row, r)) for row in P]
    x_new = [_difference(program, a, b) for a, b in zip(x, dx)]
    left = [_difference(program, a, total(zip(row, dx))) for a, row in zip(r, J)] \
        if m > n else []
    dq = [_difference(program, a, b)
          for a, b in zip((*x_new, *known), (*history[0], *known_before))]
    bent = [total([(Term(float(is_bent) / scale), program.element('d', place))])
            for is_bent, scale, place in zip(
                block.bent, block.known_scale.tolist(), block.known_columns)]
    first, last, carried = (
        [total(zip(row, [total(zip(line, vector)) for line in matrix])) for row in P]
        for matrix, vector in (
            ([a + b for a, b in zip(J0, J0_known)], dq),
            ([a + b for a, b in zip(J, J_known)], dq), (J_known, bent)))
    E = [total((p, _difference(program, row0[j], row[j]))
               for p, row0, row in zip(line, J0, J)) for line in P for j in range(n)]
    change = _change(program, block.certificate.sides, n, P, E, first, last, carried,
                     dq, (*x_new, *known), bent)
    curve = [total([(Term(0.125), b), (Term(-0.125), a), (Term(-1.0), c)])
             for a, b, c in zip(first, last, carried)]
    stores = {('q', i): total([(Term(scale), value)])
              for i, scale, value in zip(block.columns, block.scale.tolist(), x_new)}
    stores.update({('d', i): total([(Term(scale), value)])
                   for i, scale, value in zip(block.columns, block.scale.tolist(), curve)})
    return Recorded(
        program,
        [*x_new, *(t for past in history[:-1] for t in past), *(t for row in J for t in row),
         *(t for row in J_known for t in row), *known],
        [total([(ONE, a), (ONE, b)]) for a, b in zip(correction, dx)],
        total(zip(dx, dx)), total(zip(left, left)), change, stores)


def _rows(terms: list[Term], width: int) -> list[list[Term]]:
    return [terms[i:i + width] for i in range(0, len(terms), width)]


def _difference(program: Program, a: Term, b: Term) -> Term:
    return program.total([(ONE, a), (Term(-1.0), b)])


def _norm(program: Program, terms: Sequence[Term]) -> Term:
    return program.apply('sqrt', program.total((term, term) for term in terms))


def _change(
        program: Program, sides: Sequence[Side], n: int, P: Sequence[Sequence[Term]],
        E: Sequence[Term], first: Sequence[Term], last: Sequence[Term], carried: Sequence[Term],
        dq: Sequence[Term], q: Sequence[Term], bent: Sequence[Term]) -> Term:
    """Record kappa; the equations are those of :meth:`Certificate.change`."""
    total = program.total
    sizes = [program.apply('abs', step) for step in dq]
    third, fourth, lip, bend = [], [], [], []
    for side in sides:
        turn, slide = ([Term(value) for value in weights] for weights in (side.turn, side.slide))
        omega, omega_u = (float(np.linalg.norm(side.turn[part]))
                          for part in (slice(0, n), slice(n, None)))
        tau, tau_u = (float(np.linalg.norm(side.slide[part]))
                      for part in (slice(0, n), slice(n, None)))
        A, T = total(zip(turn, sizes)), total(zip(slide, sizes))
        reach = total([(Term(side.reach), ONE), (ONE, T), *(
            (weight, program.apply('abs', position))
            for weight, position in zip(slide, q) if weight.factor)])
        square = total([(A, A)])
        lever = total([(reach, A), (Term(2.0), T)])
        third.append(total([(total([(Term(omega), lever)]), A), (Term(tau), square)]))
        fourth.append(total([(total([(Term(2.0), lever)]), total([(square, A)]))]))
        lip.append(total([(Term(omega * omega), reach), (Term(2.0 * omega * tau), ONE)]))
        bend.append(total([(Term(omega * omega_u), reach),
                           (Term(omega * tau_u + tau * omega_u), ONE)]))
    inverse = _norm(program, [term for row in P for term in row])
    rho = total([
        (Term(0.5), _norm(program, first)), (Term(0.5), _norm(program, last)),
        (inverse.scaled(2.0 * 2.0 ** 0.5 / 384.0), _norm(program, fourth)),
        (Term(4.0), _norm(program, carried))])
    between = total([
        (Term(0.125), _norm(program, third)), (_norm(program, lip), rho),
        (_norm(program, bend), _norm(program, bent).scaled(2.0))])
    return total([(ONE, _norm(program, E)), (inverse, between)])
