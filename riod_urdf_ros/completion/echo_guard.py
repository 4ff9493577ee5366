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
Recognising our own messages when they come back as input.

A relay that carries the output back to the input makes a loop that never ends and lets old
positions overwrite new ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from time import monotonic

_REMEMBERED = 256
# A relay answers within this; a driver that repeats itself with one stamp takes longer.
_ANSWER_SECONDS = 0.02


class Echo(Enum):
    """Whether a message is one of ours: surely not, possibly, certainly."""

    NO = 0
    POSSIBLE = 1
    CERTAIN = 2


class EchoMemory:
    """
    The messages published last, by their exact positions.

    Solved positions are numbers that no driver can know, so a message with all of ours, to the
    last bit, is ours, whatever became of its stamp. Where they are all zero, or the message
    that was completed had them already, a driver may send the same: then the stamp must be the
    same too, and the message must come back at once.
    """

    def __init__(self) -> None:
        """Remember nothing yet."""
        self._sent: dict[tuple[bytes, int | None], tuple[Sequence[str], float]] = {}

    def remember(self, names: Sequence[str], content: bytes, stamp: int, *,
                 telling: bool) -> None:
        """
        Take note of a message that is being published.

        :param content: its positions, bit by bit.
        :param telling: whether only we can have made it.
        """
        key = content, None if telling else stamp
        self._sent.pop(key, None)
        self._sent[key] = names, monotonic()
        if len(self._sent) > _REMEMBERED:
            del self._sent[next(iter(self._sent))]

    def recognise(self, names: Sequence[str], content: bytes, stamp: int) -> Echo:
        """Return whether a message that came in is one of those published last."""
        sent = self._sent.get((content, None))
        if sent is not None and sent[0] == names:
            return Echo.CERTAIN
        sent = self._sent.get((content, stamp))
        if sent is not None and sent[0] == names and monotonic() - sent[1] < _ANSWER_SECONDS:
            return Echo.POSSIBLE
        return Echo.NO
