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

"""What of the diagnostics is worth a line in the log, and when it is worth the same line again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .counters import Notice
from .diagnostics import describe, Level, SERIOUS, Status

# After how long a status that is still bad, and trouble that goes on, are worth another line.
_AGAIN_SECONDS = 30.0
_TROUBLE_SECONDS = 10.0
# Hardware without such a sensor sends NaN all the time: said once.
_ONCE = frozenset({'velocity', 'effort'})


@dataclass
class _Reported:
    level: Level = Level.OK
    reason: str = ''
    before: tuple[Level, str] = Level.OK, ''
    when: float = 0.0


class Journal:
    """
    Decide what is worth a line in the log: changes at once, the same again rarely.

    :param topic: the input, named in lines about its messages.
    """

    def __init__(self, topic: str) -> None:
        """Start with nothing reported."""
        self._topic = topic
        self._reported: dict[str, _Reported] = {}
        self._counts: dict[str, int] = {}
        self._said: dict[str, float] = {}

    def forget_troubles(self) -> None:
        """Start counting troubles at zero, for a new robot."""
        self._counts.clear()

    def troubles(self, notices: dict[str, Notice], now: float) -> list[tuple[Level, str]]:
        """
        Return the lines about troubles that are new.

        :param notices: counted since the start, by kind.
        :param now: s, never going backwards.
        """
        lines = []
        for kind, notice in notices.items():
            more = notice.count - self._counts.get(kind, 0)
            said = self._said.get(kind)
            if not more or said is not None and (
                    kind in _ONCE or now - said < _TROUBLE_SECONDS):
                continue
            self._counts[kind], self._said[kind] = notice.count, now
            times = f' ({more} times)' if more > 1 else ''
            level = Level.ERROR if kind in SERIOUS else Level.WARN
            lines.append((level, f'{self._topic}: {describe(kind, notice.joint)}{times}'))
        return lines

    def changes(self, statuses: Iterable[Status], now: float) -> list[tuple[Level, str]]:
        """
        Return the lines about statuses whose level has changed, or that are bad for long.

        An error is reported at once; anything else when it was so twice, as sources do not start
        at the same instant.
        """
        lines = []
        for status in statuses:
            reported = self._reported.setdefault(status.name, _Reported())
            seen = status.level, status.reason
            settled = status.level == Level.ERROR or seen == reported.before
            reported.before = seen
            again = status.level != Level.OK and (
                status.reason != reported.reason or now - reported.when > _AGAIN_SECONDS)
            if settled and (status.level != reported.level or again):
                reported.level, reported.reason, reported.when = *seen, now
                lines.append((status.level, f'{status.name}: {status.message}'))
        return lines
