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
from math import nan
from time import monotonic, perf_counter

from .counters import Counters
from .echo_guard import Echo, EchoMemory
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

    def complete(self, names: Sequence[str], positions: Sequence[float],
                 velocities: Sequence[float] = (), efforts: Sequence[float] = (), *,
                 stamp: int = 0) -> CompleteState | None:
        """
        Take one message in and give the state that it makes known.

        :param positions: rad or m; as many as names, else the message is refused.
        :param velocities: rad/s or m/s; not used if there are not as many as names.
        :param efforts: N m or N; the same.
        :param stamp: ns.
        :return: None if the message is of no use.
        """
        self.counters.received += 1
        if len(names) != len(positions):
            self.counters.notice('length')
            return None
        plan = self._plan(names)
        if not plan.positions:
            self.counters.unused += 1
            return None
        content = array('d', map(positions.__getitem__, plan.indices)).tobytes()
        echo = self._echoes.recognise(plan.names, content, stamp)
        if echo is not Echo.NO:
            if echo is Echo.CERTAIN:
                self.counters.notice('echo')
            return None
        if plan.repeated:
            self.counters.notice('repeated', plan.repeated)
        self._collect(plan, positions, stamp)
        self._collect_rates('velocity', plan.positions, velocities, len(names), self._velocities)
        self._collect_rates('effort', plan.efforts, efforts, len(names), self._efforts)
        solution = self._solve()
        if not solution.positions:
            return None
        state = self._state(solution)
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
            if name in known and first.setdefault(name, index) != index:
                repeated = name
        ours = [name for name in self._names if name in first]
        return _Plan(
            positions=tuple((first[name], name) for name in ours if name in self._independent),
            efforts=tuple((first[name], name) for name in ours if name in self._motors),
            repeated=repeated, indices=tuple(first[name] for name in ours), names=ours)

    def _collect(self, plan: _Plan, positions: Sequence[float], stamp: int) -> None:
        arrivals = self._arrivals
        before = max([arrivals[name][0] for _, name in plan.positions if name in arrivals],
                     default=stamp)
        if stamp < before - _BACKWARDS_NS:
            self.counters.notice('backwards')
            self.forget()
        arrival = stamp, monotonic()
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
        self.counters.solved(self.solver, self.solution, perf_counter() - started)
        return self.solution

    def _state(self, solution: Solution) -> CompleteState:
        known = solution.positions
        names = self._names if len(known) == len(self._names) else list(known)
        velocities, efforts = array('d'), array('d')
        if self._velocities:
            speed = solution.velocities
            velocities = array('d', [speed.get(name, nan) for name in names])
        if self._efforts:
            efforts = array('d', [
                self._efforts.get(name, nan if name in self._motors else 0.0) for name in names])
        return CompleteState(names, array('d', known.values()), velocities, efforts)
