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
What /diagnostics says: levels, messages and keys, as pure functions.

The keys are an interface that monitors rely on; the README lists them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum

from .completer import Completer
from .counters import GroupPeriod, Period
from .near_names import near_names
from ..solver.solution import Solution
from ..wording import listing, millimetres, quote

# A joint whose source fell silent for so long, or an input without messages, is worth a word.
SILENT_SECONDS = 2.0
# Trouble with messages: key in the status of the input, and what it means.
TROUBLES = {
    'length': ('refused_lengths', 'message refused: not as many positions as names'),
    'echo': ('refused_echoes', 'message refused: it is one of our own outputs; something relays '
             'the complete joint states back to the input'),
    'position': ('bad_positions', 'position is NaN, infinite or absurd; the last value is kept'),
    'velocity': ('bad_velocities', 'velocity is NaN, infinite or missing; treated as not given'),
    'effort': ('bad_efforts', 'effort is NaN, infinite or missing; treated as not given'),
    'repeated': ('repeated_names', 'joint is named more than once; the first counts'),
    'backwards': ('time_jumps', 'time went backwards; the collected values are forgotten'),
    'stamp': ('bad_stamps', 'stamp is before 1970 or has a second and more in its nanoseconds; '
              'replaced by the time of arrival'),
    'overflow': ('overflows', 'position, by its gear, is beyond all numbers; not answered'),
    'failure': ('failures', 'message could not be processed'),
}
# Common with hardware that has no such sensor: counted, but no reason to warn.
_HARMLESS = frozenset({'velocity', 'effort'})
SERIOUS = frozenset({'echo', 'failure', 'overflow'})
INPUT = 'joint states'


class Level(IntEnum):
    """The levels of diagnostic_msgs/DiagnosticStatus."""

    OK = 0
    WARN = 1
    ERROR = 2
    STALE = 3


@dataclass(frozen=True)
class Status:
    """
    One diagnostic status.

    :param name: unique within the node.
    :param values: keys and values, always the same keys for the same kind of status.
    :param reason: of the level, without the numbers that change all the time.
    """

    name: str
    level: Level
    message: str
    values: tuple[tuple[str, str], ...] = ()
    reason: str = ''


def description_status(completer: Completer | None, refused: Sequence[str], warnings: int,
                       source: str, *, reading: bool = False) -> Status:
    """
    Report on the robot description.

    :param completer: of the description in use, None without one.
    :param refused: why the newest description was refused; empty if it was not.
    :param warnings: number of warnings about the description in use.
    :param source: the topic or parameter that it comes from.
    :param reading: whether the next one is being read.
    """
    robot = completer.solver.robot if completer else None
    if refused:
        level = Level.ERROR
        message = f'description refused: {refused[0]}'
        message += f'; {quote(robot.name)} works on' if robot else ''
    elif robot is None:
        level = Level.WARN
        message = 'reading the robot description' if reading else \
            f'waiting for a robot description on {source}'
    else:
        level, message = Level.OK, f'robot {quote(robot.name)}'
    return Status('description', level, message, (
        ('robot', robot.name if robot else ''),
        ('source', source),
        ('moving_joints', str(len(robot.moving_joints) if robot else 0)),
        ('closures', str(len(robot.closures) if robot else 0)),
        ('loop_groups', str(len(completer.solver.groups) if completer else 0)),
        ('warnings', str(warnings)),
        ('errors', str(len(refused)))))


def describe(kind: str, joint: str = '') -> str:
    """Say what a kind of trouble is, and with which joint."""
    text = TROUBLES[kind][1]
    return f'joint {quote(joint)}: {text}' if joint else text


def input_status(completer: Completer, period: Period, new: Iterable[str], *, topic: str,
                 rate: float, age: float | None, skipped: int = 0,
                 rivals: Sequence[str] = ()) -> Status:
    """
    Report on the joint states that come in.

    :param new: kinds of trouble met in this period.
    :param rate: Hz.
    :param age: time since the last message, s; None before the first.
    :param skipped: messages of this period that were not answered, as newer ones were there.
    :param rivals: other nodes that publish complete joint states on our topic.
    """
    counters, missing = completer.counters, completer.missing
    silent = completer.silent(SILENT_SECONDS)
    troubles = [kind for kind in new if kind not in _HARMLESS]
    level, message = Level.OK, f'{rate:.1f} Hz'
    message += f', {skipped} skipped for newer ones' if skipped else ''
    if age is None:
        level, message = Level.STALE, f'no message on {topic} yet'
    elif age > SILENT_SECONDS:
        level, message = Level.STALE, f'no message on {topic} for {age:.0f} s'
    elif troubles:
        serious = not period.solves or not SERIOUS.isdisjoint(troubles)
        level = Level.ERROR if serious else Level.WARN
        message = '; '.join(describe(kind, counters.notices[kind].joint) for kind in troubles)
    elif missing:
        level = Level.WARN
        message = f'nothing heard of {listing(missing)}: left out, with the loops that need them'
        near = near_names(missing, completer.strangers)
        message += ''.join(f'; heard of {quote(other)}, which is near {quote(name)}'
                           for name, other in near.items())
    elif silent:
        level = Level.WARN
        message = f'no news of {listing(silent)} for {SILENT_SECONDS:.0f} s: last values are used'
    if rivals:
        level = max(level, Level.WARN) if level != Level.STALE else level
        message += (f'; complete joint states are published by {listing(rivals)} too, and '
                    'listeners get both in turn: remap joint_states_complete of one of them')
    counts = {kind: notice.count for kind, notice in counters.notices.items()}
    return Status(INPUT, level, message, (
        ('topic', topic), ('rate_hz', f'{rate:.3g}'),
        ('received', str(counters.received)), ('published', str(counters.published)),
        ('unused', str(counters.unused)), ('skipped', str(counters.skipped)),
        ('other_publishers', ', '.join(rivals)),
        ('missing_joints', ', '.join(missing)), ('silent_joints', ', '.join(silent)),
        *((key, str(counts.get(kind, 0))) for kind, (key, _) in TROUBLES.items())),
        reason=f'{missing} {rivals}')


def group_statuses(completer: Completer, period: Period, *, stale: bool) -> list[Status]:
    """
    Report on each loop group.

    :param stale: whether the input has fallen silent.
    """
    return [_group_status(completer, index, period, stale)
            for index in range(len(completer.solver.groups))]


def _group_status(completer: Completer, index: int, period: Period, stale: bool) -> Status:
    group, solution = completer.solver.groups[index], completer.solution
    status = solution.groups[index] if solution else None
    state = status.state if status else 'missing'
    if state == 'missing':
        status = None
    passed = period.groups.get(group.name, GroupPeriod())
    worst = passed.worst.state if passed.worst else state
    missing = [name for name in completer.missing if name in group.independent]
    violations = _violations(solution, group.dependent) if solution else []
    notes = [f'{note} ({count} times)' if count > 1 else note
             for note, count in passed.notes.items()]
    closures = [(name, solution.closures.get(name) if solution else None)
                for name in group.closures]
    gap = f'gap {millimetres(max((c.gap for _, c in closures if c), default=0.0))}'
    level, message = Level.OK, f'closed, {gap}'
    if stale:
        level, message = Level.STALE, f'no new joint states; was {state}'
    elif state == 'open':
        level, message = Level.ERROR, f'open, {gap}; the passive joints are held'
    elif state == 'unsolved':
        level, message = Level.ERROR, 'not solved in time; the passive joints are held'
    elif state == 'missing':
        level, message = Level.WARN, f'waiting for {listing(missing)}'
    elif state == 'strained':
        level, message = Level.WARN, f'strained, {gap}'
    elif worst in ('open', 'unsolved'):
        word = 'open' if worst == 'open' else 'not solved in time'
        level, message = Level.WARN, f'was {word} for a moment'
    elif notes or violations:
        level, message = Level.WARN, '; '.join((*violations, *notes))
    mean = period.seconds / period.solves if period.solves else 0.0
    return Status(f'loop {group.name}', level, message, (
        ('state', state), ('worst_state', worst),
        ('held', 'true' if status and status.held else 'false'),
        ('residual', f'{status.residual:.3e}' if status else ''),
        ('iterations', str(status.iterations) if status else ''),
        ('singularity', f'{status.singularity:.3e}' if status else ''),
        ('solve_time_ms', f'{1e3 * mean:.3f}'),
        ('longest_solve_time_ms', f'{1e3 * period.longest:.3f}'),
        ('mode_changes', str(completer.counters.mode_changes.get(group.name, 0))),
        ('unsolved', str(completer.counters.unsolved.get(group.name, 0))),
        ('missing_joints', ', '.join(missing)),
        ('limit_violations', '; '.join(violations)),
        ('notes', '; '.join(notes)),
        *(pair for name, closure in closures for pair in (
            (f'{name}/state', closure.state if closure else 'missing'),
            (f'{name}/gap_m', f'{closure.gap:.3e}' if closure else ''),
            (f'{name}/angle_rad', f'{closure.angle:.3e}' if closure else '')))),
        reason=state)


def _violations(solution: Solution, names: Iterable[str]) -> list[str]:
    beyond = solution.limit_violations
    return [f'joint {quote(name)} is beyond its limit by {beyond[name]:.3g}'
            for name in names if name in beyond]
