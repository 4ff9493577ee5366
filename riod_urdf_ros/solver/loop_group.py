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

"""One loop group while it is being followed: its state and the fast step."""

from __future__ import annotations

from collections.abc import Sequence
import math
from typing import NamedTuple

import numpy as np

from .block import Block
from .group_status import GroupStatus
from .path import Walk
from .step import Memory, Step
from .switching_step import step_of, SwitchingStep
from .tolerances import Tolerances
from ..constraints.least_squares import bounded_solution
from ..constraints.numerics import HALVINGS, LARGEST_CHANGE, ORDER, PARALLEL
from ..constraints.recordings import ClosureCode
from ..robot.closure_state import State
from ..structure.mobility import GroupStructure
from ..structure.solve_order import BlockPlan

# Weights of the last values, newest first, in the extrapolation of order 0 to ORDER.
WEIGHTS = ((1.0, 0.0, 0.0, 0.0), (2.0, -1.0, 0.0, 0.0), (3.0, -3.0, 1.0, 0.0),
           (4.0, -6.0, 4.0, -1.0))


class Choice(NamedTuple):
    """
    Which joints are solved for, in which order, where that is a choice.

    :param plans: one a block.
    :param steps: one a block.
    """

    plans: tuple[BlockPlan, ...]
    blocks: tuple[Block, ...]
    steps: tuple[Step, ...]


class Blocked(NamedTuple):
    """
    A path that could not be followed to its end.

    :param start: where it began, the configuration itself.
    :param u: where the independent joints were to go, rad and m.
    """

    start: list[float]
    u: list[float]
    walk: Walk


class GroupState(NamedTuple):
    """
    All that a later solve depends on; the lists are never written to again.

    :param q: the configuration shown: the independent joints, then the dependent ones.
    :param u: where the independent joints were last, continuous ones counted on over whole turns.
    :param followed: the last configuration that was closed and regular; the next path starts here.
    :param memories: of the steps, one a block; None where the next step cannot start from q.
    :param past: the last u, newest first.
    :param blocked: paths that are known to be blocked.
    :param tangent: at a change point, how it was moving there, as q; else None.
    """

    q: list[float]
    u: list[float]
    followed: list[float]
    memories: tuple[Memory, ...] | None
    past: tuple[list[float], ...]
    choice: Choice
    status: GroupStatus
    blocked: tuple[Blocked, ...] = ()
    tangent: list[float] | None = None


class LoopGroup:
    """
    Closures that share dependent joints, solved together and held together.

    :param home: the assembled configuration, rad and m, by joint.
    :ivar state: where it is; replaced by every solve.
    :ivar tolerances: what closures are judged by.
    """

    def __init__(
            self, code: ClosureCode, structure: GroupStructure, home: dict[str, float],
            tolerances: Tolerances) -> None:
        """Compile the blocks and start at home."""
        self.code, self.structure = code, structure
        self.independent = structure.independent
        # A block's unknowns stand together, so that they are stored at once.
        self.dependent = tuple(dict.fromkeys(
            (*(name for plan in structure.blocks for name in plan.unknown),
             *structure.dependent)))
        self.index = {name: i for i, name in enumerate((*self.independent, *self.dependent))}
        self.home = [home[name] for name in self.index]
        self.closures = tuple(
            closure for closure in code.robot.closures if closure.name in structure.closures)
        # Whether a closure has no unknown joint of its own, so that no step sees its gap.
        solved = {closure.name for plan in structure.blocks for closure in plan.closures}
        self.watched = not solved.issuperset(structure.closures)
        self.first_choice = self.choose(structure.blocks)
        self.tolerances = tolerances
        self.reset()

    @property
    def tolerances(self) -> Tolerances:
        """Return what closures are judged by."""
        return self._tolerances

    @tolerances.setter
    def tolerances(self, tolerances: Tolerances) -> None:
        self._tolerances = tolerances
        length = max((block.length for block in self.first_choice.blocks), default=1.0)
        # Closures are closed while the misfit is below this; else they are measured.
        self.closed_misfit = tolerances.misfit(length)

    def choose(self, plans: Sequence[BlockPlan]) -> Choice:
        """Compile the blocks of some plans."""
        blocks = tuple(
            Block(self.code, plan.closures, plan.unknown, self.index, self.dependent)
            for plan in plans)
        steps = tuple(step_of(block) for block in blocks)
        return Choice(tuple(plans), blocks, steps)

    def reset(self) -> None:
        """Start again from home."""
        self.state = self.standing_at(self.home, self.first_choice)

    def standing_at(self, q: list[float], choice: Choice) -> GroupState:
        """
        Return the state of a group that stands still.

        :param q: closed and regular.
        """
        u = q[:len(self.independent)]
        return GroupState(
            q, u, q, tuple(step.remember(q) for step in choice.steps), (u,) * (ORDER + 1), choice,
            GroupStatus('closed', False, True, 0, (), choice.blocks, tuple(q)))

    def verdict(self, q: Sequence[float]) -> State:
        """Return the worst state of the group's closures."""
        return self.tolerances.state(self.closures, dict(zip(self.index, q)))

    def advance(self, u: list[float], halvings: int = HALVINGS) -> bool:
        """Go to u in one step, or half way and then on; say whether that was possible."""
        before = self.state
        if self.step(u):
            return True
        if not halvings or before.memories is None:
            return False
        middle = [0.5 * (a + b) for a, b in zip(before.u, u)]
        if self.advance(middle, halvings - 1) and self.advance(u, halvings - 1):
            return True
        self.state = before
        return False

    def step(self, u: list[float], largest_change: float = LARGEST_CHANGE) -> bool:
        """
        Follow a smooth motion: extrapolate from the last configurations and correct.

        :param largest_change: kappa of every block; infinite where that is looked at later.
        :return: whether that was enough; the state is as before if not.
        """
        state = self.state
        if state.memories is None:
            return False
        weights = _extrapolation(u, state.past)
        q = state.q.copy()
        q[:len(u)] = u
        bent = [0.0] * len(q) if len(state.memories) > 1 else []
        memories, evaluations, misfit = [], 0, 0.0
        try:
            for step, memory in zip(state.choice.steps, state.memories):
                stepped = step(q, bent, memory, weights)
                if stepped is None or not stepped.change <= largest_change:
                    return False
                memories.append(stepped.memory)
                evaluations += stepped.evaluations
                misfit += stepped.misfit
        except (ArithmeticError, ValueError, np.linalg.LinAlgError):
            return False
        verdict: State = 'closed'
        if misfit > self.closed_misfit or self.watched:
            verdict = self.verdict(q)
            if verdict == 'open':
                return False
        self.state = GroupState(
            q, u, q if verdict == 'closed' else state.followed, tuple(memories),
            (u, *state.past[:-1]), state.choice,
            GroupStatus(verdict, False, True, evaluations, (), state.choice.blocks, tuple(q)),
            state.blocked)
        return True

    def velocities(self, rates: Sequence[float]) -> list[float]:
        """
        Return the velocities of the dependent joints, ``J dq = -J_u du`` with minimum norm.

        Joints of an open group stand still, and so do undetermined ones. Where the mechanism is
        close to singular, motion in the singular direction is left out: it would be unbounded.
        At a change point it goes on as it came, if the motors do.

        :param rates: of the independent joints, rad/s and m/s.
        """
        state = self.state
        dq = [*rates, *[0.0] * len(self.dependent)]
        if state.status.held:
            return dq[len(rates):]
        if state.tangent is not None:
            along = np.array(state.tangent[:len(rates)])
            part = float(along @ rates) / float(along @ along)
            if np.linalg.norm(part * along - rates) <= PARALLEL * np.linalg.norm(rates):
                return [part * speed for speed in state.tangent[len(rates):]]
        memories = state.memories or (None,) * len(state.choice.steps)
        for block, step, memory in zip(state.choice.blocks, state.choice.steps, memories):
            if isinstance(step, SwitchingStep) and step.in_machine_code and memory is not None:
                J, J_known = step.derivatives(state.q, memory)
            else:
                _, J, J_known = block.linearise(state.q)
            known = np.array([dq[i] for i in block.known_columns]) / block.known_scale
            block.store(-bounded_solution(J, J_known @ known), dq)
        return dq[len(rates):]


def shorter_way(u: Sequence[float], start: Sequence[float], turns: Sequence[bool] | None,
                ) -> list[float]:
    """
    Take continuous joints the shorter way round.

    :param u: positions of the independent joints, rad and m.
    :param start: where they come from; more may follow.
    :param turns: whether to do so, by joint; None for none of them.
    :return: the same positions up to whole turns.
    """
    if turns is None:
        return list(u)
    return [last + math.remainder(new - last, math.tau) if turn else new
            for new, last, turn in zip(u, start, turns)]


def _extrapolation(u: Sequence[float], past: tuple[list[float], ...]) -> Sequence[float]:
    """
    Choose the order of extrapolation that predicts the independent joints best.

    On a steady stream of messages that is the highest one; after a rest, a jump or a lost
    message a lower one.

    :return: weights of the last values, newest first.
    """
    e0 = e1 = e2 = e3 = 0.0
    for new, a, b, c, d in zip(u, *past):
        e0 += abs(new - a)
        e1 += abs(new - 2.0 * a + b)
        e2 += abs(new - 3.0 * (a - b) - c)
        e3 += abs(new - 4.0 * (a + c) + 6.0 * b + d)
    errors = (e0, e1, e2, e3)
    return WEIGHTS[errors.index(min(errors))]
