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
The derivative of a recorded Jacobian along a motion, exact up to rounding.

The columns are recorded as sums and products of positions, sines and cosines, which are analytic:
``J(q + i h dq) = J(q) + i h dJ/dt + O(h^2)``. The imaginary part is divided by an h so small that
``h^2`` is nothing beside 1, and no difference of near numbers is taken (Squire and Trapp 1998).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .numerics import IMAGINARY_STEP
from .program import ZERO
from .recordings import Recording
from ..robot.transforms import Array


class JacobianRate:
    """
    Compiled entries of the Jacobian of a recording, run on complex numbers.

    :param names: joints that the columns belong to.
    :param places: where a joint's position is in the configuration vector.
    """

    def __init__(
            self, recording: Recording, names: Sequence[str], places: Mapping[int, int]) -> None:
        """Compile the entries that vary; the residual is not needed, and is not analytic."""
        entries = [by_joint.get(name, ZERO) for _, by_joint in recording.rows for name in names]
        self._where = [i for i, entry in enumerate(entries) if not entry.constant]
        self._shape = (len(recording.rows), len(names))
        self._run = recording.program.function(
            [entries[i] for i in self._where], places, arrays=True)

    def __call__(self, q: Array, rates: Array) -> Array:
        """
        Return dJ/dt for k configurations.

        :param q: configuration vectors as columns, shape (n, k), rad and m.
        :param rates: their velocities, of the same shape.
        :return: shape (k, m, columns).
        """
        result: Array = np.zeros((self._shape[0] * self._shape[1], q.shape[1]))
        values = self._run(q + (1j * IMAGINARY_STEP) * rates)
        for where, value in zip(self._where, values):
            result[where] = np.imag(value) / IMAGINARY_STEP
        by_row: Array = result.T.reshape(q.shape[1], *self._shape)
        return by_row
