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

"""Steps of blocks of any size, on arrays."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import cast

import numpy as np

from .block import Block
from .step import ArrayMemory, Memory, Stepped
from ..constraints.numerics import FINISHED, MOST_EVALUATIONS, ORDER
from ..robot.transforms import Array


class ArrayStep:
    """
    A :class:`~riod_urdf_ros.solver.step.Step` of numpy calls.

    The memory is the last solutions (ORDER + 1, n), newest first, the derivatives (m, n + k) and
    the known joints (k,), all scaled.
    """

    def __init__(self, block: Block) -> None:
        """Find out what need not be done."""
        self._block = block
        self._prismatic = bool((block.scale != 1.0).any())
        first, last = block.columns[0], block.columns[-1] + 1
        self._together = slice(first, last) \
            if block.columns == tuple(range(first, last)) else None
        self._any_bent = any(block.bent)

    def remember(self, q: Sequence[float]) -> Memory:
        """Return the memory of a mechanism that stands still at q."""
        block = self._block
        return (np.tile(block.unknowns(q), (ORDER + 1, 1)), block.single(q)[1], block.knowns(q))

    def jacobian(self, memory: Memory) -> Array:
        """Return the derivatives in a memory, shape (m, n + k)."""
        return cast(ArrayMemory, memory)[1]

    def __call__(
            self, q: MutableSequence[float], bent: MutableSequence[float], memory: Memory,
            weights: Sequence[float]) -> Stepped | None:
        """Predict and correct."""
        block, n = self._block, self._block.n
        history, before, known_before = cast(ArrayMemory, memory)
        x = np.dot(weights, history)
        for evaluations in range(1, MOST_EVALUATIONS + 1):
            self._store(q, x)
            r, after = block.single(q)
            J = after[:, :n]
            P = pseudo_inverse(J)
            dx = P @ r
            x = x - dx
            last = float(dx @ dx)
            if not FINISHED <= last <= 1.0:
                break
        if not last < FINISHED:
            return None
        self._store(q, x)
        misfit = 0.0
        if block.m > n:
            left = r - J @ dx
            misfit = float(left @ left)
        known = block.knowns(q)
        there = np.concatenate((x, known))
        change, curve = block.certificate.change(
            P, before, after, there - np.concatenate((history[0], known_before)), there,
            self._bent(bent))
        if len(bent):
            for place, scale, value in zip(block.columns, block.scale, curve.tolist()):
                bent[place] = scale * value
        updated = np.empty_like(history)
        updated[0], updated[1:] = x, history[:-1]
        return Stepped((updated, after, known), evaluations, misfit, change)

    def _bent(self, bent: Sequence[float]) -> Array | None:
        if not (bent and self._any_bent):
            return None
        block = self._block
        return np.array([bent[i] for i in block.known_columns]) / block.known_scale

    def _store(self, q: MutableSequence[float], x: Array) -> None:
        """Write the unknowns (scaled, shape (n,)) into the configuration vector."""
        values = (x * self._block.scale if self._prismatic else x).tolist()
        if self._together is not None:
            q[self._together] = values
        else:
            for i, value in zip(self._block.columns, values):
                q[i] = value


def pseudo_inverse(J: Array) -> Array:
    """
    Invert matrices of full column rank.

    :param J: shape (..., m, n).
    :return: shape (..., n, m).
    :raises numpy.linalg.LinAlgError: if one is exactly singular.
    """
    if J.shape[-1] == J.shape[-2]:
        return np.asarray(np.linalg.inv(J))
    transposed = J.swapaxes(-1, -2)
    result: Array = np.linalg.inv(transposed @ J) @ transposed
    return result
