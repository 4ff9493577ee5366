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

"""A slow and careful continuation, the reference where there is no closed form."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from support.tree import Array, Mechanism


@dataclass(frozen=True, eq=False)
class Walk:
    """
    A path of the actuated joints followed in steps.

    :param positions: of the passive joints, shape (k, number of passive joints).
    :param clearance: smallest over largest singular value of the passive Jacobian, the least
        on the path; 0 where the path could not be followed.
    """

    positions: Array
    clearance: float


def follow(mechanism: Mechanism, path: Array, step: float = 0.02) -> Walk:
    """
    Follow rows of actuated positions from home by Newton's method in short steps.

    The reference for mechanisms without a closed form, where the walk keeps clear of
    singularities and every passive joint is determined.

    :param path: columns in the order of ``mechanism.actuated``, rad or m.
    :param step: longest step of an actuated joint.
    """
    names, passive = mechanism.actuated, mechanism.passive
    here, q = np.zeros(len(names)), np.zeros(len(passive))
    rows, clearance = [], 1.0
    for target in path:
        steps = max(1, int(np.ceil(np.max(np.abs(target - here)) / step)))
        for k in range(1, steps + 1):
            driven = dict(zip(names, here + (target - here) * (k / steps)))
            before = q
            for _ in range(8):
                state = {**driven, **dict(zip(passive, q))}
                r = mechanism.residual(state)
                J = mechanism.jacobian(state, passive)
                q = q - np.linalg.lstsq(J, r, rcond=1e-9)[0]
                if np.linalg.norm(r) < 1e-11:
                    break
            values = np.linalg.svd(J, compute_uv=False)
            lost = np.linalg.norm(r) > 1e-9 or np.max(np.abs(q - before)) > 0.7
            margin = 0.0 if lost else float(values[len(passive) - 1] / values[0])
            clearance = min(clearance, margin)
        here = np.array(target)
        rows.append(q.copy())
    return Walk(np.array(rows), clearance)
