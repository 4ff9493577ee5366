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


"""Steps that begin in Python and go on in machine code as soon as there is some."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from typing import Any, cast

import numpy as np

from .array_step import ArrayStep
from .block import Block
from .kernel_step import KernelStep
from .recorded_step import RecordedStep
from .step import ArrayMemory, Memory, Step, Stepped
from ..constraints import machine_code
from ..constraints.numerics import COMPILED_AFTER, MOST_IN_MACHINE_CODE, MOST_UNKNOWNS, ORDER
from ..robot.transforms import Array

_new = tuple.__new__


def step_of(block: Block) -> Step:
    """Return the fastest way to compute the steps of a block on this machine."""
    plain: Step = RecordedStep(block) if block.n <= MOST_UNKNOWNS else ArrayStep(block)
    if machine_code.AVAILABLE and block.n <= MOST_IN_MACHINE_CODE:
        return SwitchingStep(block, plain)
    return plain


class SwitchingStep:
    """
    A :class:`~riod_urdf_ros.solver.step.Step` that becomes a :class:`KernelStep` on the way.

    Its memory is that of whichever made it.
    """

    def __init__(self, block: Block, plain: Step) -> None:
        """Begin with the plain one."""
        self._block, self._plain = block, plain
        self._kernel: KernelStep | None = None
        self._run: Callable[..., Any] | None = None
        self._count = 0

    def __reduce__(self) -> tuple[Any, ...]:
        """Compile anew where it is unpickled."""
        return step_of, (self._block,)

    def __deepcopy__(self, memo: object) -> SwitchingStep:
        """Return itself: what it computes never changes."""
        return self

    def remember(self, q: Sequence[float]) -> Memory:
        """Return the memory of a mechanism that stands still at q."""
        return (self._kernel or self._plain).remember(q)

    def jacobian(self, memory: Memory) -> Array:
        """Return the derivatives in a memory, shape (m, n + k)."""
        return self._plain.jacobian(self._read(memory) if isinstance(memory, bytes) else memory)

    def derivatives(self, q: Sequence[float], memory: Memory) -> tuple[Array, Array]:
        """
        Evaluate the derivatives where the last step ended, by a step that stays there.

        Those in the memory are a last correction away from it.

        :param q: configuration vector that the step has reached, rad and m.
        :return: by the unknown (m, n) and by the known joints (m, k), scaled.
        """
        stepped = self(list(q), [], memory, (1.0, *[0.0] * ORDER))
        if stepped is None:
            return self._block.linearise(q)[1:]
        n, m, k = self._block.n, self._block.m, len(self._block.known)
        values = np.frombuffer(cast(bytes, stepped.memory))[(ORDER + 1) * n:]
        return values[:m * n].reshape(m, n), values[m * n:m * (n + k)].reshape(m, k)

    @property
    def in_machine_code(self) -> bool:
        """Whether it has become a :class:`KernelStep`."""
        return self._run is not None

    def switch(self) -> None:
        """Go on in machine code from now on."""
        kernel = KernelStep(self._block)
        self._kernel, self._run = kernel, kernel.run

    def __call__(
            self, q: MutableSequence[float], bent: MutableSequence[float], memory: Memory,
            weights: Sequence[float]) -> Stepped | None:
        """Predict and correct."""
        run = self._run
        if run is not None:  # as directly as it can be: calls cost more than what they compute
            result = run(q, bent, memory if memory.__class__ is bytes else self._written(memory),
                         weights)
            return _new(Stepped, result) if result else None
        self._count += 1
        if self._count == COMPILED_AFTER:
            machine_code.WORKSHOP.add(self.switch)
        if isinstance(memory, bytes):  # of another process
            memory = self._read(memory)
        return self._plain(q, bent, memory, weights)

    def _written(self, memory: Memory) -> bytes:
        """Return what a plain step remembers as machine code does."""
        if isinstance(self._plain, RecordedStep):
            return np.array(memory).tobytes()
        history, J, known = cast(ArrayMemory, memory)
        n = self._block.n
        return np.concatenate(
            [history.ravel(), J[:, :n].ravel(), J[:, n:].ravel(), known]).tobytes()

    def _read(self, memory: bytes) -> Memory:
        """Return what machine code remembers as the plain step does."""
        n, m, k = self._block.n, self._block.m, len(self._block.known)
        sizes = ((ORDER + 1) * n, m * n, m * k, k)
        values = np.frombuffer(memory)[:sum(sizes)]
        if isinstance(self._plain, RecordedStep):
            return tuple(values.tolist())
        history, J, J_known, known = np.split(values, np.cumsum(sizes[:-1]))
        return (history.reshape(ORDER + 1, n),
                np.hstack([J.reshape(m, n), J_known.reshape(m, k)]), known)
