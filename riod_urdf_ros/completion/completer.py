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
Joint states as they come, made complete: the one place that remembers.

No ROS in here: names and values go in and out.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite, nan
from time import monotonic, perf_counter

from .counters import Counters
from .echo_guard import Echo, EchoMemory
from .relay_guard import Admission, RelayGuard
from ..solver.closure_solver import ClosureSolver
from ..solver.solution import Solution

# Sources deliver late and out of order by some milliseconds; a bag that starts again or a
# simulation that is reset goes back by more.
_BACKWARDS_NS = 100_000_000
# A source repeats its list of names, so what to do with it is worked out once. A source that
# shuffles them, or sends millions, must not fill the memory.
_PLANS = 64
_PLAN_NAMES = 4096
# No joint goes that far or that fast, and no sum with it is exact any more: a broken value.
_HUGE = 1e9
# Messages that have piled up are all answered if that takes no longer, s; else the newest ones.
_CATCH_UP_SECONDS = 0.005
# Weight of the last solve in the usual time of one: a single hiccup does not count as a load.
_WEIGHT = 0.1
# Names of no joint of the robot, kept for hints; somebody may send millions.
_STRANGERS, _STRANGER_LENGTH = 100, 200


@dataclass(frozen=True)
class _Plan:
    """
    What to do with messages that have one list of names.

    :param positions: index in the message and name of each joint whose position is read.
    :param efforts: the same for those whose effort is passed on.
    :param repeated: a joint of the robot that is named twice; empty if there is none.
    :param indices: where the message has the robot's joints, in document order.
    :param names: their names.
    """

    positions: tuple[tuple[int, str], ...]
    efforts: tuple[tuple[int, str], ...]
    repeated: str
    indices: tuple[int, ...]
    names: list[str]


@dataclass
class CompleteState:
    """
    One complete joint state.

    :param names: in document order; joints that nothing is known about are left out. Shared
        with other states: not to be changed.
    :param positions: rad or m.
    :param velocities: rad/s or m/s, NaN where unknown; empty where none is known.
    :param efforts: N m or N, 0 where no motor drives the joint, NaN where unknown; empty
        where none is known.
    """

    names: list[str]
    positions: array[float]
    velocities: array[float]
    efforts: array[float]


class Completer:
    """
    Collect the independent joints of one robot by name and solve for the others.

    :ivar solution: of the last message that was solved; None before the first.
    :ivar counters: what happened.
    :ivar strangers: names heard of that are no joint of the robot, the first of them.
    """

    def __init__(self, solver: ClosureSolver) -> None:
        """Start without any value."""
        self.solver = solver
        self.solution: Solution | None = None
        self.counters = Counters()
        moving = solver.robot.moving_joints
        self._names = [joint.name for joint in moving]
        self._independent = frozenset(solver.independent)
        self._dependent = tuple(name for group in solver.groups for name in group.dependent)
        self._motors = frozenset(joint.name for joint in moving if joint.role == 'actuated')
        self._plans: dict[tuple[str, ...], _Plan] = {}
        self._echoes = EchoMemory()
        self._relay = RelayGuard()
        self.strangers: dict[str, None] = {}
        # What the last collected message was: names, positions bit by bit, stamp in ns.
        self._last: tuple[Sequence[str], bytes, int] = (), b'', 0
        self._unsolved = 0
        self._usual = 0.0
        self._positions: dict[str, float] = {}
        self._velocities: dict[str, float] = {}
        self._efforts: dict[str, float] = {}
        # By joint: stamp of the last message that named it, ns, and when that came, s.
        self._arrivals: dict[str, tuple[int, float]] = {}

    def forget(self) -> None:
        """Forget the collected values; the assembly mode is kept."""
        for values in (self._positions, self._velocities, self._efforts):
            values.clear()
        self._arrivals.clear()

    def reset(self) -> None:
        """Let the next message be solved from home."""
        self.solver.reset()

    @property
    def affordable(self) -> int:
        """How many of the messages that have piled up, the newest ones, are worth an answer."""
        return max(1, int(_CATCH_UP_SECONDS / max(self._usual, 1e-6)))

    def complete(self, names: Sequence[str], positions: Sequence[float],
                 velocities: Sequence[float] = (), efforts: Sequence[float] = (), *,
                 stamp: int = 0) -> CompleteState | None:
        """
        Take one message in and return the state that it makes known.

        :param positions: rad or m; as many as names, else the message is refused.
        :param velocities: rad/s or m/s; not used if there are not as many as names.
        :param efforts: N m or N; the same.
        :param stamp: ns.
        :return: None if the message is of no use.
        """
        return self.answer() if self.collect(
            names, positions, velocities, efforts, stamp=stamp) else None

    def collect(self, names: Sequence[str], positions: Sequence[float],
                velocities: Sequence[float], efforts: Sequence[float], *, stamp: int) -> bool:
        """
        Take one message in, as :meth:`complete` does, without solving anything.

        :return: whether it deserves an answer.
        """
        self.counters.received += 1
        if len(names) != len(positions):
            self.counters.notice('length')
            return False
        plan = self._plan(names)
        if not plan.positions:
            self.counters.unused += 1
            return False
        content = array('d', map(positions.__getitem__, plan.indices)).tobytes()
        echo = self._echoes.recognise(plan.names, content, stamp)
        if echo is not Echo.NO:
            if echo is Echo.CERTAIN:
                self.counters.notice('echo')
            return False
        now = monotonic()
        admission = self._relay.admit((id(plan), content), now)
        if admission is not Admission.ANSWER:
            if admission is Admission.REFUSE:
                self.counters.notice('echo')
            else:
                self.counters.skipped += 1
            return False
        if plan.repeated:
            self.counters.notice('repeated', plan.repeated)
        self._collect(plan, positions, stamp, now)
        self._collect_rates('velocity', plan.positions, velocities, len(names), self._velocities)
        self._collect_rates('effort', plan.efforts, efforts, len(names), self._efforts)
        self._last = plan.names, content, stamp
        self._unsolved += 1
        return True

    def answer(self) -> CompleteState | None:
        """
        Return the state that everything collected makes known.

        :return: None if that is nothing.
        """
        self.counters.skipped += self._unsolved - 1
        self._unsolved = 0
        solution = self._solve()
        if not solution.positions:
            return None
        state = self._state(solution)
        if state is None:
            return None
        names, content, stamp = self._last
        sent = state.positions.tobytes()
        telling = sent != content and any(map(solution.positions.get, self._dependent))
        self._echoes.remember(state.names, sent, stamp, telling=telling)
        self.counters.published += 1
        return state

    @property
    def missing(self) -> tuple[str, ...]:
        """Joints to be given that the last state had to do without."""
        known = self.solution.positions if self.solution else {}
        return tuple(name for name in self.solver.independent if name not in known)

    def silent(self, seconds: float) -> tuple[str, ...]:
        """Name the joints that were last heard of so long before others."""
        newest = max((heard for _, heard in self._arrivals.values()), default=0.0)
        return tuple(
            name for name, (_, heard) in self._arrivals.items() if newest - heard > seconds)

    def _plan(self, names: Sequence[str]) -> _Plan:
        key = tuple(names)
        plan = self._plans.get(key)
        if plan is None:
            plan = self._make_plan(key)
            if len(key) <= _PLAN_NAMES:
                if len(self._plans) >= _PLANS:
                    self._plans.clear()
                self._plans[key] = plan
        return plan

    def _make_plan(self, names: tuple[str, ...]) -> _Plan:
        first: dict[str, int] = {}
        repeated = ''
        known = frozenset(self._names)
        for index, name in enumerate(names):
            if name not in known:
                if len(self.strangers) < _STRANGERS:
                    self.strangers[name[:_STRANGER_LENGTH]] = None
            elif first.setdefault(name, index) != index:
                repeated = name
        ours = [name for name in self._names if name in first]
        return _Plan(
            positions=tuple((first[name], name) for name in ours if name in self._independent),
            efforts=tuple((first[name], name) for name in ours if name in self._motors),
            repeated=repeated, indices=tuple(first[name] for name in ours), names=ours)

    def _collect(self, plan: _Plan, positions: Sequence[float], stamp: int,
                 now: float) -> None:
        arrivals = self._arrivals
        before = max([arrivals[name][0] for _, name in plan.positions if name in arrivals],
                     default=stamp)
        if stamp < before - _BACKWARDS_NS:
            self.counters.notice('backwards')
            self.forget()
        arrival = stamp, now
        for index, name in plan.positions:
            position = positions[index]
            if -_HUGE < position < _HUGE:
                self._positions[name] = position
            else:
                self.counters.notice('position', name)
            arrivals[name] = arrival

    def _collect_rates(self, kind: str, wanted: tuple[tuple[int, str], ...],
                       values: Sequence[float], count: int, into: dict[str, float]) -> None:
        """Collect velocities or efforts; one that is not given now is not known any more."""
        if len(values) != count:
            if len(values):
                self.counters.notice(kind)
            for _, name in wanted if into else ():
                into.pop(name, None)
            return
        for index, name in wanted:
            value = values[index]
            if -_HUGE < value < _HUGE:
                into[name] = value
            else:
                into.pop(name, None)
                self.counters.notice(kind, name)

    def _solve(self) -> Solution:
        started = perf_counter()
        self.solution = self.solver.solve(self._positions, self._velocities)
        took = perf_counter() - started
        self._usual += _WEIGHT * (took - self._usual)
        self.counters.solved(self.solver, self.solution, took)
        return self.solution

    def _state(self, solution: Solution) -> CompleteState | None:
        known = solution.positions
        # Gears of mimic joints can carry a finite position beyond all numbers.
        if not isfinite(sum(known.values())):
            self.counters.notice('overflow', next(
                (name for name, value in known.items() if not isfinite(value)), ''))
            return None
        names = self._names if len(known) == len(self._names) else list(known)
        velocities, efforts = array('d'), array('d')
        if self._velocities:
            speed = solution.velocities
            velocities = array('d', [speed.get(name, nan) for name in names])
            if inf in velocities or -inf in velocities:
                velocities = array('d', [v if isfinite(v) else nan for v in velocities])
        if self._efforts:
            efforts = array('d', [
                self._efforts.get(name, nan if name in self._motors else 0.0) for name in names])
        return CompleteState(names, array('d', known.values()), velocities, efforts)
