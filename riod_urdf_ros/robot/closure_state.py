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

"""How a closure, or a group of them, stands: the states and their one order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

State = Literal['closed', 'strained', 'open', 'unsolved', 'missing']
"""
closed: within the tolerances. strained: beyond them, but by no more than ten times, and followed
as the best fit. open: farther. unsolved: time or evaluations ran out. missing: not
judged, as a joint of the loop is not known.
"""

STATES: tuple[State, ...] = ('closed', 'strained', 'open')
"""What a closure is judged to be, from good to bad; places are the codes of a batch."""

# What was not judged is no fault of the mechanism, but not well either.
_FROM_GOOD_TO_BAD: tuple[State, ...] = ('closed', 'missing', 'strained', 'unsolved', 'open')


def worst(states: Iterable[State]) -> State:
    """Return the worst of some states; 'closed' if there is none."""
    return max(states, key=_FROM_GOOD_TO_BAD.index, default='closed')
