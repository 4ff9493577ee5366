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


"""Steps of blocks as machine code."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Any, cast

import numpy as np

from .block import Block
from .kernel_driver import Driver
from .recorded_step import record_step, Recorded, VECTORS
from .step import Memory, Stepped
from ..constraints.llvm_program import Translation
from ..constraints.machine_code import builtin, compiled
from ..constraints.numerics import ORDER
from ..robot.transforms import Array


class KernelStep:
    """
    A :class:`~riod_urdf_ros.solver.step.Step` in one call of machine code.

    The memory is that of :class:`RecordedStep` as bytes, followed by what else the code computes.

    :ivar run: the machine code itself, called as the step is; returns the fields of
        :class:`Stepped`, or False.
    """

    def __init__(self, block: Block) -> None:
        """Compile it, which takes some 10 ms for a four-bar and half a second for a Stewart."""
        self._block = block
        recorded = record_step(block)
        places = [*block.columns, *block.known_columns]
        local = {place: i for i, place in enumerate(places)}
        translation = Translation(
            recorded.program, _outputs(block, recorded), VECTORS,
            {'q': {i: local[place] for i, place in block.places.items() if place in local},
             'd': local})
        # What differs between blocks of equal structure.
        self._data = np.concatenate(
            [np.array(places, np.int64).view(float), translation.numbers])
        self.run = builtin(
            compiled(translation.source + Driver(block, len(recorded.memory)).source, 'kernel'),
            self._data.ctypes.data)

    def remember(self, q: Sequence[float]) -> Memory:
        """Return the memory of a mechanism that stands still at q."""
        block = self._block
        _, J, J_known = block.linearise(q)
        return np.concatenate([np.tile(block.unknowns(q), ORDER + 1), J.ravel(), J_known.ravel(),
                               block.knowns(q)]).tobytes()

    def jacobian(self, memory: Memory) -> Array:
        """Return the derivatives in a memory, shape (m, n + k)."""
        block = self._block
        n, m, k = block.n, block.m, len(block.known)
        values = np.frombuffer(cast(bytes, memory))[(ORDER + 1) * n:]
        return np.hstack([values[:m * n].reshape(m, n),
                          values[m * n:m * (n + k)].reshape(m, k)])

    def __call__(
            self, q: MutableSequence[float], bent: MutableSequence[float], memory: Memory,
            weights: Sequence[float]) -> Stepped | None:
        """Predict and correct."""
        result = self.run(q, bent, memory, weights)
        return Stepped._make(result) if result else None


def _outputs(block: Block, recorded: Recorded) -> list[Any]:
    """Return all that the code computes, in the order in which the driver expects it."""
    return [*recorded.memory, *recorded.correction, recorded.last, recorded.misfit,
            recorded.change,
            *(recorded.stores[vector, i] for vector in 'qd' for i in block.columns)]
