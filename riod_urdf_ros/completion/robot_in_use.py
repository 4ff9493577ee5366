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

"""The robot in use, and what becomes of the next description."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import sleep

from .background import Background
from .completer import Completer
from ..exceptions import DescriptionError, Problem, UsageError
from ..solver.closure_solver import ClosureSolver
from ..urdf.parser import parse
from ..wording import printable, quote

_SHOWN = 20
_POLL_SECONDS = 0.001


@dataclass(frozen=True)
class _Reading:
    """
    What a description came to.

    :param completer: None if it is refused.
    :param problems: the reasons, or the warnings about it.
    """

    completer: Completer | None
    problems: tuple[str, ...]


class CurrentRobot:
    """
    Keep one robot working until there is a better one.

    Descriptions are read and compiled in a thread of their own; whoever owns this object takes
    the outcome over with :meth:`settle`, so that the robot changes only between messages.

    :param make_solver: compiles a robot.
    :param ready: called in that thread when there is something to settle.
    :ivar completer: of the description in use; None before the first good one.
    :ivar refused: why the newest description was refused; empty if it was not.
    :ivar warnings: about the description in use.
    """

    def __init__(self, make_solver: Callable[..., ClosureSolver],
                 ready: Callable[[], None] = lambda: None) -> None:
        """Start without a robot."""
        self._make_solver = make_solver
        self._background = Background(self._read, ready)
        self._text = self._refused_text = ''
        self.completer: Completer | None = None
        self.refused: tuple[str, ...] = ()
        self.warnings: tuple[str, ...] = ()

    @property
    def reading(self) -> bool:
        """Whether a description is being read."""
        return not self._background.idle

    def propose(self, text: str) -> None:
        """Have a description read, and replace the robot if it is good. Equal text does not."""
        if not self.reading:
            if text == self._text and self.completer:
                self._refused_text, self.refused = '', ()
                return
            if text == self._refused_text and self.refused:
                return
        self._background.submit(text)

    def settle(self) -> bool:
        """
        Take over what was read completely.

        :return: whether something new is to be reported: a robot, or a refusal.
        """
        outcome = self._background.take()
        if outcome is None:
            return False
        text, reading = outcome
        if reading.completer is None:
            self._refused_text, self.refused = text, reading.problems
        else:
            self.completer, self.warnings = reading.completer, reading.problems
            self._text, self._refused_text, self.refused = text, '', ()
        return True

    def use(self, text: str,
            meanwhile: Callable[[], None] = lambda: sleep(_POLL_SECONDS)) -> bool:
        """
        Propose a description and wait for what becomes of it.

        :param meanwhile: called again and again while it is read.
        :return: as of :meth:`settle`.
        """
        self.propose(text)
        news = self.settle()
        while self.reading:
            meanwhile()
            news = self.settle() or news
        return news

    def _read(self, text: str) -> _Reading:
        try:
            description = parse(text)
            solver = self._make_solver(description.robot)
        except DescriptionError as error:
            problems = error.problems
        except UsageError as error:
            problems = Problem('error', str(error)),
        except Exception as error:  # noqa: BLE001
            # A fault of ours; meanwhile the robot in use goes on.
            problems = Problem('error', f'{type(error).__name__}: {error}'),
        else:
            return _Reading(
                Completer(solver), _lines((*description.problems, *solver.problems)))
        return _Reading(None, _lines(problems))

    def verdict(self) -> str:
        """Say what became of the newest description, on several lines."""
        problems = self.refused or self.warnings
        lines = [f'  {problem}' for problem in problems[:_SHOWN]]
        if len(problems) > _SHOWN:
            lines.append(f'  and {len(problems) - _SHOWN} more')
        return '\n'.join((self._headline(), *lines))

    def _headline(self) -> str:
        if self.refused:
            works_on = '; the one before works on' if self.completer else ''
            return f'robot description refused{works_on}:'
        assert self.completer is not None, 'nothing was used yet'
        solver = self.completer.solver
        robot, groups = solver.robot, len(solver.groups)
        return f'robot {quote(robot.name)}: {len(robot.moving_joints)} moving joints, ' + (
            f'{len(robot.closures)} loop closure(s) in {groups} group(s)' if robot.closures
            else 'no loop closure: joint states are passed through')


def _lines(problems: tuple[Problem, ...]) -> tuple[str, ...]:
    """Return problems, each on one line whatever names it quotes."""
    return tuple(printable(str(problem)) for problem in problems)
