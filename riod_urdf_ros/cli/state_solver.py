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

"""States in, solved states out, and what there is to say about them on stderr."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
import math
import sys
from typing import Literal

import numpy as np

from .console import Console
from .state_input import InputError, State
from .state_output import csv_line, json_line, print_solution
from ..robot.closure_state import STATES, worst
from ..solver.closure_solver import ClosureSolver
from ..wording import listing, printable

# Solved at once, between two looks at the progress bar.
_CHUNK = 2048


class StateSolver:
    """
    Solves states for the command line.

    :param given: positions of independent joints from the command line, rad and m.
    :param from_home: whether each state is reached from home on its own.
    :param as_json: whether JSON lines are written.
    :param wrap: whether solved joints that turn without end are written within half a turn of
        zero; else they count their turns, so that a stream has no jump.
    """

    def __init__(self, solver: ClosureSolver, given: Mapping[str, float], *, from_home: bool,
                 as_json: bool, wrap: bool) -> None:
        """Start at home."""
        self._solver, self._given, self._from_home = solver, given, from_home
        self._json = as_json
        at_home = {name: solver.home[name] for name in solver.independent}
        self._start = {**at_home, **given}
        self._now = self._start
        self._names = [joint.name for joint in solver.robot.moving_joints]
        self._wrapped = [
            joint.name for joint in solver.robot.moving_joints if wrap
            and joint.kind == 'continuous' and joint.name not in solver.independent]
        self._labels: tuple[str, ...] = ()
        self._reported: set[str] = set()
        self._not_closed = self._count = 0
        self._last_bad: tuple[str, ...] = ()

    def one(self) -> int:
        """
        Solve the state of the command line.

        :return: exit status.
        """
        solver = self._solver
        solution = solver.solve(self._start)
        positions = self._wrap(solution.positions)
        if self._json:
            print(json_line(solution, positions, {}))
        else:
            print_solution(Console(sys.stdout), solution, positions, solver.robot.moving_joints,
                           self._given, solver.independent)
        sys.stdout.flush()
        self._judge('', {name: status.state for name, status in solution.closures.items()})
        return int(self._not_closed > 0)

    def stream(self, states: Iterable[State]) -> int:
        """
        Answer each state as soon as it comes.

        :return: exit status.
        """
        for state in states:
            self._answer(state)
            sys.stdout.flush()
        return self._end()

    def batch(self, states: Iterator[State], progress: Callable[[], None]) -> int:
        """
        Answer states that are all there already, many at once.

        :param states: read as they are needed; those before a bad one are answered.
        :param progress: called now and then.
        :return: exit status.
        :raises InputError: after the last good state.
        """
        more, bad = True, None
        while more and bad is None:
            chunk: list[State] = []
            try:
                chunk.extend(islice(states, _CHUNK))
            except InputError as error:
                bad = error
            more = len(chunk) == _CHUNK
            if self._json:
                # Only single solves have gaps, velocities and notes.
                for state in chunk:
                    self._answer(state)
                    progress()
            elif chunk:
                self._answer_all(chunk)
                progress()
        status = self._end()
        if bad is not None:
            raise bad
        return status

    def _answer(self, state: State) -> None:
        if self._from_home:
            self._solver.reset()
        solution = self._solver.solve(self._complete(state), state.velocities)
        states = {name: status.state for name, status in solution.closures.items()}
        positions = self._wrap(solution.positions)
        if self._json:
            print(json_line(solution, positions, state.label))
        else:
            self._write_row(state, [*positions.values()], worst(states.values()))
        self._judge(state.where, states)

    def _answer_all(self, states: Sequence[State]) -> None:
        """Solve many states at once."""
        solver = self._solver
        complete = [self._complete(state) for state in states]
        solution = solver.solve_batch(
            np.array([[row[name] for name in solver.independent] for row in complete]),
            from_home=self._from_home)
        positions = solution.positions.copy()
        for name in self._wrapped:
            column = positions[:, self._names.index(name)]
            column -= 2.0 * np.pi * np.round(column / (2.0 * np.pi))
        closures = [closure.name for closure in solver.robot.closures]
        for state, row, verdicts in zip(
                states, positions.tolist(), solution.states.tolist(), strict=True):
            self._write_row(state, row, STATES[max(verdicts, default=0)])
            self._judge(state.where, {
                name: STATES[verdict] for name, verdict in zip(closures, verdicts, strict=True)})

    def _wrap(self, positions: Mapping[str, float]) -> Mapping[str, float]:
        """Return positions with those joints wrapped that are to be."""
        return {**positions, **{name: math.remainder(positions[name], 2.0 * math.pi)
                                for name in self._wrapped}}

    def _write_row(self, state: State, positions: Sequence[float], verdict: str) -> None:
        if self._count == 0:
            self._labels = tuple(state.label)
            print(csv_line([*self._labels, *self._names, 'state']))
        print(csv_line([*(state.label.get(key, '') for key in self._labels), *positions, verdict]))

    def _complete(self, state: State) -> dict[str, float]:
        """Return all independent joints: as in the state, else as they were."""
        solved = [name for name in state.positions if name not in self._now]
        self._report_once(state.where, 'is not read, because it is solved for', solved)
        if self._now is self._start:
            self._report_once(state.where, 'is not given, so it is at home', [
                name for name in self._now
                if name not in state.positions and name not in self._given])
        last = self._start if self._from_home else self._now
        self._now = {name: state.positions.get(name, value) for name, value in last.items()}
        return self._now

    def _report_once(self, where: str, what: str, joints: Sequence[str]) -> None:
        new = [name for name in joints if name not in self._reported]
        self._reported.update(new)
        if new:
            self._report(where, 'warning', f'joint {listing(new)} {what}')

    def _judge(self, where: str, states: Mapping[str, str]) -> None:
        """Say which loops are not closed, once for a run of such states."""
        self._count += 1
        bad = tuple(name for name, state in states.items() if state != 'closed')
        self._not_closed += bool(bad)
        if bad and bad != self._last_bad:
            open_ones = [name for name in bad if states[name] == 'open']
            if open_ones:
                self._report(
                    where, 'error', f'loop {listing(open_ones)} cannot be closed there, it is out '
                    'of reach: its passive joints keep their last closed position')
            else:
                self._report(
                    where, 'warning', f'loop {listing(bad)} is strained: closed only within ten '
                    'times the tolerance')
        self._last_bad = bad

    def _report(self, where: str, level: Literal['error', 'warning'], message: str) -> None:
        sys.stdout.flush()
        console = Console(sys.stderr)
        place = console.paint(printable(f'{where}: '), 'bold') if where else ''
        console.write(f'{place}{console.paint(f"{level}:", level)} {printable(message)}')

    def _end(self) -> int:
        sys.stdout.flush()
        if self._not_closed:
            print(f'{self._not_closed} of {self._count} states are not closed', file=sys.stderr)
        return int(self._not_closed > 0)
