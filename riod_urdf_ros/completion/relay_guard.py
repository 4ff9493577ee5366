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
Recognising the motors of our own messages when they come back under a new stamp.

Such a relay makes a loop that runs as fast as it can. Its messages are those of a driver at rest:
the same values again. What tells them apart is that only the relay's depend on our answers. So
where the same values come very often, every second of them is left unanswered for a while, which
costs nothing, as they say nothing new: a driver goes on as before, a loop dies out.
"""

from __future__ import annotations

from collections.abc import Hashable
from enum import Enum

_REMEMBERED = 256
# So many repetitions within this time, s, are suspicious: a loop through two processes is faster,
# few drivers are.
_SUSPICIOUS, _WITHIN = 50, 0.3
# More than twice the messages that queues can hold, so that a loop has died out before.
_TRIED = 300
# A driver sends them in the expected time; this much longer makes it a loop.
_SLOWER = 2.0
_TRIALS = 2
_INNOCENT_SECONDS = 60.0
_CONVICTED_SECONDS = 60.0


class Admission(Enum):
    """What to do with a message: answer it, leave it out, or refuse it as an echo."""

    ANSWER = 0
    LEAVE = 1
    REFUSE = 2


class RelayGuard:
    """Watches for messages that keep coming only because they are answered."""

    def __init__(self) -> None:
        """Suspect nobody."""
        self._answered: dict[Hashable, None] = {}
        self._count = 0
        self._since = 0.0
        self._trial_ends = 0.0
        self._trials = 0
        self._innocent_until = self._convicted_until = float('-inf')
        self._second = False

    def admit(self, content: Hashable, now: float) -> Admission:
        """
        Judge a message.

        :param content: positions, bit by bit, and whose they are.
        :param now: s, never going backwards.
        """
        if content not in self._answered:
            self._answered[content] = None
            if len(self._answered) > _REMEMBERED:
                del self._answered[next(iter(self._answered))]
            return Admission.ANSWER
        if now < self._innocent_until:
            return Admission.ANSWER
        self._second = not self._second
        if now < self._convicted_until:
            return Admission.REFUSE if self._second else Admission.ANSWER
        self._count += 1
        if self._trial_ends:
            self._try(now)
        elif self._count == 1:
            self._since = now
        elif self._count == _SUSPICIOUS:
            self._suspect(now)
        return Admission.LEAVE if self._trial_ends and self._second else Admission.ANSWER

    def _suspect(self, now: float) -> None:
        took = now - self._since
        if took <= _WITHIN:
            self._trial_ends = now + _SLOWER * took * _TRIED / _SUSPICIOUS
        else:
            self._trials = 0
        self._count = 0

    def _try(self, now: float) -> None:
        if now < self._trial_ends and self._count < _TRIED:
            return
        if self._count < _TRIED:
            self._trials += 1
        else:
            self._trials, self._innocent_until = 0, now + _INNOCENT_SECONDS
        if self._trials == _TRIALS:
            self._trials, self._convicted_until = 0, now + _CONVICTED_SECONDS
        self._trial_ends, self._count = 0.0, 0
