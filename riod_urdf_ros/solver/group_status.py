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

"""What became of one loop group in one solve."""

from __future__ import annotations

from collections.abc import Sequence
import math
from typing import NamedTuple

import numpy as np

from .block import Block
from ..constraints.least_squares import Decomposition
from ..robot.closure_state import State


class GroupStatus(NamedTuple):
    """
    What became of one loop group in one solve.

    :param state: the worst of its closures; 'missing' if an independent joint is not known,
        'unsolved' if time or evaluations ran out.
    :param held: whether the dependent joints were kept because the group is open or unsolved.
    :param certain: whether it is proven that no other assembly mode has been reached.
    :param iterations: evaluations of a block.
    :param notes: what a person should know about this solve.
    :param blocks: what is evaluated where more is asked for.
    :param followed: whether a path leads here, through change points, too; not so where a closed
        position was found beyond the end of a path.
    :param q: the configuration that was wanted, that is, the best fit of an open group.
    """

    state: State
    held: bool
    certain: bool
    iterations: int
    notes: tuple[str, ...]
    blocks: Sequence[Block]
    q: tuple[float, ...]
    followed: bool = True

    @property
    def residual(self) -> float:
        """Norm of all rows, angles times the characteristic length, m."""
        return math.hypot(*(
            block.length * float(np.linalg.norm(block.residual(self.q)))
            for block in self.blocks))

    @property
    def singularity(self) -> float:
        """Smallest over largest singular value of J, 0 where singular; the worst block's."""
        values = [Decomposition.of(block.linearise(self.q)[1]).s for block in self.blocks]
        return min((float(s[-1] / s[0]) if s[0] else 0.0 for s in values), default=1.0)
