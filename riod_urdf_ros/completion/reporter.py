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

"""Once a second: statuses for /diagnostics and lines for the log, from what was counted."""

from __future__ import annotations

from collections.abc import Sequence

from .completer import Completer
from .counters import Counters
from .diagnostics import (
    description_status,
    group_statuses,
    INPUT,
    input_status,
    Level,
    Status,
)
from .log_journal import Journal
from .robot_in_use import CurrentRobot

# Everything starts in some order: what is still missing then is worth a line only afterwards.
_STARTING_SECONDS = 5.0


class Reporter:
    """
    Turn the counters of a completer into reports.

    :param topic: the input.
    :param source: the topic or parameter that the description comes from.
    """

    def __init__(self, topic: str, source: str) -> None:
        """Start with nothing reported."""
        self._topic, self._source = topic, source
        self._journal = Journal(topic)
        self._counters: Counters | None = None
        self._received = self._skipped = 0
        self._started: float | None = None
        self._counts: dict[str, int] = {}
        self._heard: float | None = None
        self._reported: float | None = None

    def report(self, current: CurrentRobot, now: float, rivals: Sequence[str] = (),
               ) -> tuple[list[Status], list[tuple[Level, str]]]:
        """
        Report on what happened since the last call.

        :param now: s, never going backwards.
        :param rivals: other nodes that publish on our output topic.
        :return: statuses, and lines for the log.
        """
        completer = current.completer
        statuses = [description_status(
            completer, current.refused, len(current.warnings), self._source,
            reading=current.reading)]
        lines: list[tuple[Level, str]] = []
        if self._started is None:
            self._started = now
        starting = now - self._started < _STARTING_SECONDS
        reported_elsewhere = {'description'} if current.refused or (
            completer is None and (starting or current.reading)) else set()
        if completer:
            new = self._new_troubles(completer.counters)
            statuses += self._robot_statuses(completer, new, now, rivals)
            lines += self._journal.troubles(completer.counters.notices, now)
            if new or starting and self._heard is None:
                reported_elsewhere.add(INPUT)
            if statuses[1].level == Level.STALE:
                reported_elsewhere |= {status.name for status in statuses[2:]}
        lines += self._journal.changes(
            (status for status in statuses if status.name not in reported_elsewhere), now)
        self._reported = now
        return statuses, lines

    def _new_troubles(self, counters: Counters) -> list[str]:
        if counters is not self._counters:
            self._counters, self._counts = counters, {}
            self._received = self._skipped = 0
            self._journal.forget_troubles()
        counts = {kind: notice.count for kind, notice in counters.notices.items()}
        new = [kind for kind, count in counts.items() if count != self._counts.get(kind, 0)]
        self._counts = counts
        return new

    def _robot_statuses(self, completer: Completer, new: list[str], now: float,
                        rivals: Sequence[str]) -> list[Status]:
        counters = completer.counters
        received, skipped = counters.received - self._received, counters.skipped - self._skipped
        self._received, self._skipped = counters.received, counters.skipped
        if received:
            self._heard = now
        elapsed = now - self._reported if self._reported is not None else 0.0
        period = counters.take_period()
        first = input_status(
            completer, period, new, topic=self._topic,
            rate=received / elapsed if elapsed else 0.0,
            age=None if self._heard is None else now - self._heard,
            skipped=skipped, rivals=rivals)
        return [first, *group_statuses(completer, period, stale=first.level == Level.STALE)]
