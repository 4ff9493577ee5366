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


"""Inverses of recorded matrices; zeros among the entries stay zeros and cost nothing."""

from __future__ import annotations

from collections.abc import Sequence

from .program import ONE, Program, Term, ZERO

Matrix = Sequence[Sequence[Term]]


def pseudo_inverse(program: Program, J: Matrix) -> list[list[Term]]:
    """Record (J^T J)^-1 J^T, or the inverse of a square J, for full column rank."""
    if len(J[0]) > 2:
        return _by_factors(program, J)
    total, columns = program.total, list(zip(*J))
    square = len(J) == len(columns)
    A = J if square else [[total(zip(a, b)) for b in columns] for a in columns]
    if len(A) == 1:
        inverse = [[program.quotient(ONE, A[0][0])]]
    else:
        one_over = program.quotient(
            ONE, total([(A[0][0], A[1][1]), (A[0][1].scaled(-1.0), A[1][0])]))
        inverse = [[total([(one_over, A[1][1])]), total([(one_over.scaled(-1.0), A[0][1])])],
                   [total([(one_over.scaled(-1.0), A[1][0])]), total([(one_over, A[0][0])])]]
    return inverse if square else [
        [total(zip(row, b)) for b in J] for row in inverse]


def _by_factors(program: Program, J: Matrix) -> list[list[Term]]:
    """
    Record the same with J^T J = L D L^T, which needs no pivots.

    Rows and columns are ordered so that few zeros are lost (minimum degree).
    """
    total, n = program.total, len(J[0])
    columns = list(zip(*J))
    square = [[total(zip(a, b)) for b in columns] for a in columns]
    order = _minimum_degree(square)
    L = [[ZERO] * n for _ in range(n)]
    LD = [[ZERO] * n for _ in range(n)]
    inverse = [ZERO] * n  # of D
    for j, column in enumerate(order):
        for i in range(j, n):
            LD[i][j] = total([(ONE, square[order[i]][column]), *(
                (L[j][k].scaled(-1.0), LD[i][k]) for k in range(j))])
        inverse[j] = program.quotient(ONE, LD[j][j])
        for i in range(j + 1, n):
            L[i][j] = total([(LD[i][j], inverse[j])])
    P = [[ZERO] * len(J) for _ in range(n)]
    for row, right in enumerate(J):
        y: list[Term] = []
        for i in range(n):
            y.append(total([(ONE, right[order[i]]), *(
                (L[i][k].scaled(-1.0), y[k]) for k in range(i))]))
        x = [total([(value, factor)]) for value, factor in zip(y, inverse)]
        for i in reversed(range(n)):
            x[i] = total([(ONE, x[i]), *(
                (L[k][i].scaled(-1.0), x[k]) for k in range(i + 1, n))])
            P[order[i]][row] = x[i]
    return P


def _minimum_degree(A: Matrix) -> list[int]:
    """Return an order of elimination that keeps a symmetric matrix sparse."""
    beside = [{j for j, term in enumerate(row) if j != i and term != ZERO}
              for i, row in enumerate(A)]
    left, order = set(range(len(A))), []
    while left:
        i = min(left, key=lambda j: (len(beside[j] & left), j))
        left.discard(i)
        order.append(i)
        for j in beside[i] & left:
            beside[j] |= beside[i] & left - {j}
    return order
