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

"""What a step of a block is: predict, correct, prove. There are several ways to compute it."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from ..robot.transforms import Array

ArrayMemory: TypeAlias = tuple[Array, Array, Array]
Memory: TypeAlias = ArrayMemory | tuple[float, ...] | bytes
"""What a step remembers of the ones before; only the step that made it looks into it."""


class Stepped(NamedTuple):
    """
    The outcome of a step that has converged.

    :param memory: for the next step.
    :param evaluations: of residual and Jacobian.
    :param misfit: square of the part of r that no x can remove.
    :param change: kappa of :mod:`certificate`.
    """

    memory: Memory
    evaluations: int
    misfit: float
    change: float


class Step(Protocol):
    """
    One way to compute the steps of one block.

    A memory holds the last solutions, the derivatives at the last of them and the known joints
    there; only the step itself looks into it.
    """

    def remember(self, q: Sequence[float]) -> Memory:
        """
        Return the memory of a mechanism that stands still.

        :param q: configuration vector, rad and m.
        """
        ...

    def jacobian(self, memory: Memory) -> Array:
        """
        Return the derivatives in a memory.

        :return: by the unknown, then the known joints, scaled, shape (m, n + k).
        """
        ...

    def __call__(
            self, q: MutableSequence[float], bent: MutableSequence[float], memory: Memory,
            weights: Sequence[float]) -> Stepped | None:
        """
        Predict and correct.

        :param q: configuration vector, the known joints set; the unknown ones are written.
        :param bent: how far joints are from their chords half way, rad and m, places as in q;
            the unknown ones are written. Empty if there is no other block to know.
        :param weights: of the last solutions in the prediction, newest first, shape (ORDER + 1,).
        :return: None if it does not converge.
        :raises ArithmeticError: if a number overflows, or J is exactly singular.
        :raises ValueError: for the sine of an infinite angle.
        """
        ...
