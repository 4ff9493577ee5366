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

"""What happened since somebody asked last: the raw material of diagnostics and warnings."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..robot.closure_state import worst
from ..solver.closure_solver import ClosureSolver
from ..solver.group_status import GroupStatus
from ..solver.solution import Solution

_KINDS_OF_NOTES = 20


@dataclass
class Notice:
    """
    How often one kind of trouble was met since the start, and the joint that had it last.

    :param joint: empty where the message as a whole is to blame.
    """

    count: int = 0
    joint: str = ''


@dataclass
class GroupPeriod:
    """
    What a loop group went through in a period.

    :param worst: its worst status; None while it was closed all the time.
    :param notes: what the solver remarked, with how often.
    """

    worst: GroupStatus | None = None
    notes: dict[str, int] = field(default_factory=dict)


@dataclass
class Period:
    """
    What happened in a period.

    :param groups: by name, those that something is to be said of.
    :param solves: how many messages were solved.
    :param seconds: the time that took.
    :param longest: the longest of them, s.
    """

    groups: dict[str, GroupPeriod] = field(default_factory=dict)
    solves: int = 0
    seconds: float = 0.0
    longest: float = 0.0


class Counters:
    """
    Count what happens to messages and solutions, cheaply enough for every message.

    :ivar received: messages that came in.
    :ivar published: messages that a complete state was made of.
    :ivar unused: messages without any joint that is read here.
    :ivar skipped: messages that were not answered, as newer ones, or the same, were there.
    :ivar unsolved: by loop group, solves that ran out of time.
    :ivar mode_changes: by loop group, solves after which another assembly mode than before
        cannot be excluded.
    :ivar notices: trouble with messages, by kind; :mod:`riod_urdf_ros.diagnostics` has the words.
    """

    def __init__(self) -> None:
        """Start at zero."""
        self.received = self.published = self.unused = self.skipped = 0
        self.mode_changes: dict[str, int] = {}
        self.unsolved: dict[str, int] = {}
        self.notices: dict[str, Notice] = {}
        self._period = Period()

    def notice(self, kind: str, joint: str = '') -> None:
        """Count one trouble."""
        notice = self.notices.setdefault(kind, Notice())
        notice.count += 1
        notice.joint = joint

    def solved(self, solver: ClosureSolver, solution: Solution, seconds: float) -> None:
        """Note how a solution went."""
        period = self._period
        period.solves += 1
        period.seconds += seconds
        period.longest = max(period.longest, seconds)
        for group, status in zip(solver.groups, solution.groups):
            if status.state == 'closed' and status.certain and not status.notes:
                continue
            seen = period.groups.setdefault(group.name, GroupPeriod())
            if seen.worst is None or worst((seen.worst.state, status.state)) != seen.worst.state:
                seen.worst = status
            if status.state == 'unsolved':
                self.unsolved[group.name] = self.unsolved.get(group.name, 0) + 1
            if not status.certain:
                self.mode_changes[group.name] = self.mode_changes.get(group.name, 0) + 1
            for note in status.notes:
                if note in seen.notes or len(seen.notes) < _KINDS_OF_NOTES:
                    seen.notes[note] = seen.notes.get(note, 0) + 1

    def take_period(self) -> Period:
        """Return what happened since the last call, and start afresh."""
        period, self._period = self._period, Period()
        return period
