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

from collections.abc import Callable, Sequence

from .completer import Completer
from ..exceptions import DescriptionError, Problem, UsageError
from ..solver.closure_solver import ClosureSolver
from ..urdf.parser import parse
from ..wording import quote

_SHOWN = 20


class CurrentRobot:
    """
    Keep one robot working until there is a better one.

    :param make_solver: compiles a robot.
    :ivar completer: of the description in use; None before the first good one.
    :ivar refused: why the newest description was refused; empty if it was not.
    :ivar warnings: about the description in use.
    """

    def __init__(self, make_solver: Callable[..., ClosureSolver]) -> None:
        """Start without a robot."""
        self._make_solver = make_solver
        self._text = self._refused_text = ''
        self.completer: Completer | None = None
        self.refused: tuple[str, ...] = ()
        self.warnings: tuple[str, ...] = ()

    def use(self, text: str) -> bool:
        """
        Replace the robot if the description is good; else the one before works on.

        It is parsed and compiled completely first. Equal text changes nothing.

        :return: whether something new is to be reported: a robot, or a refusal.
        """
        if text == self._text and self.completer:
            self._refused_text, self.refused = '', ()
            return False
        if text == self._refused_text and self.refused:
            return False
        try:
            description = parse(text)
            solver = self._make_solver(description.robot)
        except DescriptionError as error:
            self._refuse(text, error.problems)
            return True
        except UsageError as error:
            self._refuse(text, (Problem('error', str(error)),))
            return True
        except Exception as error:  # noqa: BLE001
            # A fault of ours; meanwhile the robot in use goes on.
            self._refuse(text, (Problem('error', f'{type(error).__name__}: {error}'),))
            return True
        self.completer = Completer(solver)
        self._text, self._refused_text, self.refused = text, '', ()
        self.warnings = tuple(map(str, (*description.problems, *solver.problems)))
        return True

    def _refuse(self, text: str, problems: Sequence[Problem]) -> None:
        self._refused_text = text
        self.refused = tuple(map(str, problems))

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
