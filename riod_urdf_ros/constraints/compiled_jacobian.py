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

"""Residual and Jacobian of a recording, compiled for one configuration or for arrays of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from .program import ZERO
from .recordings import Recording
from ..robot.transforms import Array
from ..wording import shorten


class SparseJacobian:
    """A compiled residual and the derivatives by some joints; constant entries are kept."""

    def __init__(
            self, recording: Recording, names: Sequence[str], places: Mapping[int, int], *,
            arrays: bool = False) -> None:
        """Compile what varies of the residual and of the derivatives by the joints named."""
        self._made_of = recording, names, places, arrays
        rows = recording.rows
        entries = [by_joint.get(name, ZERO) for _, by_joint in rows for name in names]
        self._constant = np.array([entry.factor if entry.constant else 0.0 for entry in entries])
        self._where = np.array([i for i, entry in enumerate(entries) if not entry.constant], int)
        self._shape = (len(rows), len(names))
        self._run = recording.program.function(
            [*(r for r, _ in rows), *(entry for entry in entries if not entry.constant)],
            places, arrays=arrays,
            title=f'closures {shorten(tuple(dict.fromkeys(recording.names)))}: '
                  f'residual and Jacobian')

    def __reduce__(self) -> tuple[Any, ...]:
        """Compile anew where it is unpickled: generated functions cannot be sent."""
        recording, names, places, arrays = self._made_of
        return partial(type(self), arrays=arrays), (recording, names, places)

    def __deepcopy__(self, memo: object) -> SparseJacobian:
        """Return itself: it never changes."""
        return self

    def many(self, q: Array) -> tuple[Array, Array]:
        """
        Evaluate k configurations, the columns of q; compiled with ``arrays``.

        :return: residuals (k, m) and derivatives (k, m, n).
        """
        m, count = self._shape[0], q.shape[1]
        values = self._run(q)
        J = np.empty((self._constant.size, count))
        J[:] = self._constant[:, None]
        for where, value in zip(self._where, values[m:]):
            J[where] = value
        return (np.stack(values[:m], axis=1),
                np.ascontiguousarray(J.T).reshape(count, *self._shape))

    def __call__(self, q: Sequence[float]) -> tuple[Array, Array]:
        """Evaluate the residual (m,) and the derivatives (m, n)."""
        values = np.array(self._run(q))
        m = self._shape[0]
        J = self._constant.copy()
        J[self._where] = values[m:]
        return values[:m], J.reshape(self._shape)
