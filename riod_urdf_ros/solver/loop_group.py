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

"""One loop group while it is being followed: its state, the fast step and the careful path."""

from __future__ import annotations

from collections.abc import Callable, Sequence
import math
from typing import Any

import numpy as np

from .block import Block, ORDER
from .change_points import NEAR_SINGULAR
from .continuation import best_fit, follow
from .group_status import GroupStatus, State
from .path import ALLOWED_CHANGE, store, Walk
from ..constraints.least_squares import bounded_solution
from ..constraints.recordings import ClosureCode
from ..robot.model import LoopClosure
from ..structure.mobility import GroupStructure
from ..structure.ranks import determined_columns
from ..structure.solve_order import BlockPlan

# A Gauss-Newton correction below 3e-7 (rad, characteristic lengths) leaves an error of about its
# square: the floor of double precision. No further evaluation is needed.
FINISHED = 1e-13
_STEPS = 5
# Halvings of the way before it is followed with care.
_HALVINGS = 4
# Weights of the last values, newest first, in the extrapolation of order 0 to ORDER.
_WEIGHTS = ((1.0, 0.0, 0.0, 0.0), (2.0, -1.0, 0.0, 0.0), (3.0, -3.0, 1.0, 0.0),
            (4.0, -6.0, 4.0, -1.0))


class LoopGroup:
    """
    Closures that share dependent joints, solved together and held together.

    :param home: the assembled configuration, rad and m, by joint.
    :param verdict: gives the worst state of the group's closures for positions by joint.
    """

    def __init__(
            self, code: ClosureCode, structure: GroupStructure, home: dict[str, float],
            verdict: Callable[[dict[str, float]], State]) -> None:
        """Compile the blocks and start at home."""
        self._code, self._verdict = code, verdict
        self.closures, self.independent = structure.closures, structure.independent
        # A block's unknowns stand together, so that they are stored at once.
        self.dependent = tuple(dict.fromkeys(
            (*(name for plan in structure.blocks for name in plan.unknown),
             *structure.dependent)))
        self.name = ', '.join(self.closures)
        names = (*self.independent, *self.dependent)
        self._index = {name: i for i, name in enumerate(names)}
        self.home = [home[name] for name in names]
        self._plans = structure.blocks
        self.blocks = tuple(self._block(plan.closures, plan.unknown) for plan in self._plans)
        self._first = self._plans, self.blocks
        # Whether a closure has no unknown joint of its own, so that no step sees its gap.
        solved = {closure.name for plan in self._plans for closure in plan.closures}
        self.watched = not solved.issuperset(self.closures)
        # Closures are closed while the misfit (square, scaled) is below this; else they are asked.
        self.closed_misfit = 0.0
        self.reset()

    def _block(self, closures: Sequence[LoopClosure], unknown: Sequence[str]) -> Block:
        return Block(self._code, closures, unknown, self._index)

    @property
    def length(self) -> float:
        """Return the largest characteristic length of its blocks, m."""
        return max((block.length for block in self.blocks), default=1.0)

    def reset(self) -> None:
        """Start again from home."""
        self._plans, self.blocks = self._first
        self.start_at(list(self.home))

    def start_at(self, q: list[float]) -> None:
        """
        Go on from a configuration, standing still there.

        :param q: closed and regular; the independent joints, then the dependent ones.
        """
        self.q = self._followed = q  # the next path starts at the latter
        self.u: list[float]  # where the independent joints were last, unwrapped
        self.memory: list[Any] | None
        self._blocked: list[tuple[list[float], list[float], Walk]] = []
        self.status = GroupStatus('closed', False, True, 0, (), self.blocks, q)
        self._remember()

    def snapshot(self) -> tuple[Any, ...]:
        """Return all that a later solve depends on, for :meth:`restore`."""
        return (self.q, self._followed, self.memory, self.u, self._past, self.status,
                self._plans, self.blocks, self._blocked)

    def restore(self, snapshot: tuple[Any, ...]) -> None:
        """Go back to an earlier state."""
        (self.q, self._followed, self.memory, self.u, self._past, self.status,
         self._plans, self.blocks, self._blocked) = snapshot

    @property
    def regular(self) -> bool:
        """Whether the next step can start where this one ended: closed and not singular."""
        return self.memory is not None

    def unwrap(self, u: Sequence[float], turns: Sequence[bool]) -> list[float]:
        """
        Take continuous joints the shortest way round.

        :param u: positions of the independent joints, rad and m.
        :param turns: whether to do so, by joint.
        :return: the same positions up to whole turns.
        """
        return [last + math.remainder(new - last, 2.0 * math.pi) if turn else new
                for new, last, turn in zip(u, self.u, turns)]

    def solve(self, u: list[float]) -> GroupStatus:
        """
        Move the independent joints and let the dependent ones follow.

        :param u: positions of the independent joints, rad and m.
        """
        before = self.snapshot()
        if not self._advance(u, _HALVINGS):
            self.restore(before)
            self._careful(u)
        return self.status

    def _advance(self, u: list[float], halvings: int) -> bool:
        """Go to u in one step, or half way and then on; say whether that was possible."""
        if self.step(u):
            return True
        if not halvings or self.memory is None or self.status.singularity < NEAR_SINGULAR:
            return False
        middle = [0.5 * (a + b) for a, b in zip(self.u, u)]
        return self._advance(middle, halvings - 1) and self._advance(u, halvings - 1)

    def step(self, u: list[float], allowed_change: float = ALLOWED_CHANGE) -> bool:
        """
        Follow a smooth motion: extrapolate from the last configurations and correct.

        :param allowed_change: of the Jacobians; infinite where that is looked at later.
        :return: whether that was enough: every correction small at the end, every Jacobian
            close enough to the last one that no other assembly mode can have been reached.
        """
        if self.memory is None:
            return False
        if max([abs(new - last) for new, last in zip(u, self.u)], default=0.0) > 1.0:
            return False  # a whole turn would pass for no change at all
        weights = self._extrapolation(u)
        q = self.q.copy()
        q[:len(u)] = u
        try:
            stepped = self._step_blocks(q, self.memory, weights, allowed_change ** 2)
        except (ArithmeticError, ValueError, np.linalg.LinAlgError):
            stepped = None
        if stepped is None:
            return False
        memory, evaluations, misfit = stepped
        state: State = 'closed'
        if misfit > self.closed_misfit or self.watched:
            state = self._verdict(self._positions(q))
            if state == 'open':
                return False
        self.q = q
        if state == 'closed':
            self._followed = q
        self.memory, self.u = memory, u
        self._past = (u, *self._past[:-1])
        self.status = GroupStatus(state, False, True, evaluations, (), self.blocks, q)
        return True

    def _step_blocks(
            self, q: list[float], memory: list[Any], weights: Sequence[float], allowed: float,
    ) -> tuple[list[Any], int, float] | None:
        """Correct one block after the other; None where a test fails."""
        updated, evaluations, misfit = [], 0, 0.0
        for block, before in zip(self.blocks, memory):
            correction = block.still
            for _ in range(_STEPS):
                after, correction, last, change, rest = block.step(q, before, weights, correction)
                evaluations += 1
                if last < FINISHED or last > 1.0:
                    break
            if not (last < FINISHED and change < allowed):
                return None
            updated.append(after)
            misfit += rest
        return updated, evaluations, misfit

    def _extrapolation(self, u: list[float]) -> Sequence[float]:
        """
        Choose the order of extrapolation that predicts the independent joints best.

        On a steady stream of messages that is the highest one; after a rest, a jump or a lost
        message a lower one.

        :return: weights of the last values, newest first.
        """
        e0 = e1 = e2 = e3 = 0.0
        for new, a, b, c, d in zip(u, *self._past):
            e0 += abs(new - a)
            e1 += abs(new - 2.0 * a + b)
            e2 += abs(new - 3.0 * (a - b) - c)
            e3 += abs(new - 4.0 * (a + c) + 6.0 * b + d)
        errors = (e0, e1, e2, e3)
        return _WEIGHTS[errors.index(min(errors))]

    def _positions(self, q: Sequence[float]) -> dict[str, float]:
        return dict(zip(self._index, q))

    def _remember(self) -> None:
        """Make the place reached the start of the next step."""
        self.memory = [block.remember(self._followed) for block in self.blocks]
        self.u = self._followed[:len(self.independent)]
        self._past = (self.u,) * (ORDER + 1)

    def _careful(self, u: list[float]) -> None:
        """Follow the straight path; else try from home; else fit as well as can be, or hold."""
        walk = self._follow(self._followed, u)
        notes, evaluations = walk.notes, walk.evaluations
        state = self._verdict(self._positions(walk.q)) if walk.complete else 'open'
        if state == 'open' and self._followed != self.home:
            again = self._follow(self.home, u)
            evaluations += again.evaluations
            state = self._verdict(self._positions(again.q)) if again.complete else 'open'
            if state != 'open':
                walk, notes = again, [*again.notes, 'the path from the last position is blocked; '
                                      'reached again from home, in the assembly mode of home']
        if state == 'open':
            state, note = self._fit(walk, u)
            notes = [*notes, note] if note else notes
        elif walk.singular:
            notes = [*notes, 'at a singular position (dead centre or change point): which way it '
                     'goes on is not determined by the independent joints']
        if state != 'open':
            self.q, self._blocked = walk.q, []
        if state == 'closed' and not walk.singular:
            self._followed = walk.q
            self._remember()
        else:
            self.memory, self.u = None, u
        self.status = GroupStatus(
            state, state == 'open', walk.certain, evaluations,
            tuple(dict.fromkeys(f'{self.name}: {note}' for note in notes)), self.blocks, self.q)

    def _fit(self, walk: Walk, u: list[float]) -> tuple[State, str | None]:
        """Go from the end of a blocked path to where the closures fit best, and judge that."""
        q = list(walk.q)
        q[:len(u)] = u
        for block in self.blocks:
            best_fit(block, q)
        state = self._verdict(self._positions(q))
        walk.q, walk.singular = q, True
        if state != 'closed':
            return state, None
        if max(np.linalg.norm(block.residual(q)) for block in self.blocks) > 1e-9:
            return state, 'at the end of its reach, closed within the tolerance'
        walk.certain = False
        return state, ('the path is blocked, but a closed position was found beyond; another '
                       'assembly mode cannot be excluded')

    def _follow(self, start: list[float], u: list[float]) -> Walk:
        """Follow the path; choose other joints to stay still where those chosen block it."""
        for blocked_from, end, walk in self._blocked:
            if blocked_from is start and self._beyond(start, u, end, walk.reached):
                return Walk(list(walk.q), walk.reached)
        target = dict(enumerate(u))
        walk = follow(self.blocks, start, target)
        for _ in range(3):
            if walk.complete or not self._choose_again(walk.q):
                break
            more = follow(self.blocks, walk.q, target)
            more.evaluations += walk.evaluations
            more.notes = walk.notes + more.notes
            more.reached = walk.reached + (1.0 - walk.reached) * more.reached
            walk = more
        if not walk.complete:
            self._blocked = [entry for entry in self._blocked
                             if entry[0] is not start] + [(start, u, walk)]
        return walk

    def _beyond(
            self, start: list[float], u: list[float], blocked: list[float], reached: float,
    ) -> bool:
        """Whether u lies on the straight path to a blocked u, no nearer than where that ended."""
        towards = np.array(blocked) - start[:len(u)]
        wanted = np.array(u) - start[:len(u)]
        part = float(wanted @ towards) / float(towards @ towards)
        return part >= reached and bool(
            np.linalg.norm(wanted - part * towards) <= 1e-9 * np.linalg.norm(wanted))

    def _choose_again(self, q: list[float]) -> bool:
        """Choose afresh which undetermined joints stay still; say whether any did change."""
        changed = False
        plans, blocks = list(self._plans), list(self.blocks)
        for i, (plan, block) in enumerate(zip(self._plans, self.blocks)):
            if not plan.left:
                continue
            names = (*block.unknown, *block.known)
            _, J, J_known = block.linearise(q)
            columns = [k for k, name in enumerate(names)
                       if name in block.unknown or name in plan.left]
            candidates = [names[k] for k in columns]
            chosen = determined_columns(np.hstack([J, J_known])[:, columns], candidates)
            unknown = tuple(candidates[k] for k in chosen)
            if len(unknown) == block.n and set(unknown) != set(block.unknown):
                plans[i] = BlockPlan(
                    plan.closures, unknown, tuple(set(candidates) - set(unknown)))
                blocks[i] = self._block(plan.closures, unknown)
                changed = True
        self._plans, self.blocks = tuple(plans), tuple(blocks)
        return changed

    def velocities(self, rates: Sequence[float]) -> list[float]:
        """
        Return the velocities of the dependent joints, ``J dq = -J_u du`` with minimum norm.

        Joints of an open group stand still, and so do undetermined ones. Where the mechanism is
        close to singular, motion in the singular direction is left out: it would be unbounded.

        :param rates: of the independent joints, rad/s and m/s.
        """
        dq = [*rates, *[0.0] * len(self.dependent)]
        if self.status.held:
            return dq[len(rates):]
        for block in self.blocks:
            _, J, J_known = block.linearise(self.q)
            known = np.array([dq[i] for i in block.known_columns]) / block.known_scale
            store(block, -bounded_solution(J, J_known @ known), dq)
        return dq[len(rates):]
