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

"""When loops were not closed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

# So many times are kept each; of a loop that flickers for hours the rest is only counted.
_KEPT = 1000


@dataclass
class Stretch:
    """
    A time in which a loop was in one state.

    :param start: ns.
    :param end: of its last message, ns.
    """

    state: str
    start: int
    end: int


@dataclass
class LoopTimes:
    """
    The times at which one loop group was not closed.

    :param stretches: the first of them.
    :param counts: how many there were, by state.
    :param totals: how long they were together, ns, by state.
    """

    name: str
    stretches: list[Stretch] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    totals: dict[str, int] = field(default_factory=dict)
    _now: Stretch | None = None

    def note(self, state: str, time: int) -> None:
        """
        Note a state; it lasts until the next one.

        :param time: ns.
        """
        now = self._now
        if now is not None:
            self.totals[now.state] = self.totals.get(now.state, 0) + max(time - now.end, 0)
            now.end = time
            if now.state == state:
                return
            self._now = None
        if state not in ('strained', 'open'):
            return
        self._now = Stretch(state, time, time)
        self.counts[state] = self.counts.get(state, 0) + 1
        if len(self.stretches) < _KEPT:
            self.stretches.append(self._now)


def not_closed(times: Iterable[LoopTimes]) -> Iterator[LoopTimes]:
    """Return those that were not always closed."""
    return (one for one in times if one.counts)
