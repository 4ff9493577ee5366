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

"""What to do where a step does not reach: follow the path, start from home, fit, or hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
import math
from time import perf_counter

import numpy as np

from .continuation import best_fit, follow
from .group_status import GroupStatus
from .loop_group import Blocked, Choice, GroupState, LoopGroup, shorter_way
from .path import Walk
from ..constraints.numerics import ANYWHERE, AS_FAR_OUT, ASIDE, CHOICES, CLOSED
from ..robot.closure_state import State
from ..structure.ranks import determined_columns
from ..structure.solve_order import BlockPlan


def solve(group: LoopGroup, u: list[float], turns: Sequence[bool] | None = None,
          deadline: float = math.inf) -> GroupStatus:
    """
    Move the independent joints of a group and let the dependent ones follow.

    :param u: positions of the independent joints, rad and m.
    :param turns: which of them may go round the shorter way.
    :param deadline: time of ``perf_counter`` after which to give up, s.
    """
    if turns is not None:
        u = shorter_way(u, group.state.u, turns)
    if not group.advance(u):
        group.state = _Recovery(group, turns, deadline).recover(u)
    return group.state.status


class _Recovery:
    """
    One attempt to reach a position, from the state that the group is in.

    :param turns: which independent joints may go round the shorter way.
    """

    def __init__(
            self, group: LoopGroup, turns: Sequence[bool] | None, deadline: float) -> None:
        self.group, self.before = group, group.state
        self._turns, self._deadline = turns, deadline
        self.choice: Choice = self.before.choice
        self.blocked = self.before.blocked

    def recover(self, u: list[float]) -> GroupState:
        """Follow the straight path; else try from home; else fit as well as can be, or hold."""
        group, before = self.group, self.before
        if self._still_out_of_reach(u):
            return self._held(u, before.status.q, 0, ())
        walk = self._follow(before.followed, u)
        notes, evaluations = walk.notes, walk.evaluations
        state = group.verdict(walk.q) if walk.complete else 'open'
        if state == 'open' and not walk.late and before.followed != group.home:
            choice, self.choice = self.choice, group.first_choice
            again = self._follow(group.home, u)
            evaluations += again.evaluations
            state = group.verdict(again.q) if again.complete else 'open'
            if state != 'open':
                walk, notes = again, [*again.notes, 'the path from the last position is blocked; '
                                      'reached again from home, in the assembly mode of home']
            else:
                self.choice = choice
        if state == 'open' and (walk.late or self._late):
            return self._unsolved(u, walk, evaluations)
        if state == 'open':
            state, fit, note = self._fit(walk, shorter_way(u, before.followed, self._turns))
            if state == 'open':
                return self._held(u, tuple(fit), evaluations, notes)
            walk.q, walk.singular, walk.certain = fit, True, False
            return self._reached(walk, state, evaluations, [*notes, note], followed=False)
        if walk.singular:
            notes = [*notes, 'at a singular position (dead centre or change point): which way it '
                     'goes on is not determined by the independent joints']
        return self._reached(walk, state, evaluations, notes)

    def _reached(self, walk: Walk, state: State, evaluations: int, notes: list[str],
                 followed: bool = True) -> GroupState:
        group = self.group
        status = GroupStatus(state, False, walk.certain, evaluations, self._named(notes),
                             self.choice.blocks, tuple(walk.q), followed)
        if state == 'closed' and not walk.singular:
            return group.standing_at(walk.q, self.choice)._replace(status=status)
        u = walk.q[:len(group.independent)]
        return self.before._replace(q=walk.q, u=u, memories=None, choice=self.choice,
                                    status=status, blocked=self.blocked, tangent=walk.tangent)

    def _held(self, u: list[float], fit: tuple[float, ...], evaluations: int,
              notes: Sequence[str], state: State = 'open') -> GroupState:
        """Keep the configuration; the residual told is that of the fit."""
        before = self.before
        return before._replace(
            u=u, memories=None, choice=self.choice, blocked=self.blocked,
            status=GroupStatus(state, True, True, evaluations, self._named(notes),
                               self.choice.blocks, fit, followed=False))

    def _unsolved(self, u: list[float], walk: Walk, evaluations: int) -> GroupState:
        """Keep the configuration shown; the next path starts from where this one was left."""
        held = self._held(u, tuple(self.before.q), evaluations,
                          [*walk.notes, 'not solved in time'], 'unsolved')
        return held._replace(
            followed=walk.q if walk.late else self.before.followed,
            status=held.status._replace(certain=walk.certain))

    @property
    def _late(self) -> bool:
        return perf_counter() > self._deadline

    def _named(self, notes: Sequence[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(f'{self.group.structure.name}: {note}' for note in notes))

    def _still_out_of_reach(self, u: list[float]) -> bool:
        """Whether this is next to what was out of reach, and does not fit either."""
        before = self.before
        if before.status.state != 'open' or not self.blocked:
            return False
        beyond = self.blocked[0]
        tried, reached = np.array(beyond.u), np.array(beyond.walk.q[:len(u)])
        wanted = np.array(shorter_way(u, beyond.start, self._turns))
        if np.linalg.norm(wanted - tried) > AS_FAR_OUT * np.linalg.norm(tried - reached):
            return False
        q = list(before.status.q)
        q[:len(u)] = wanted.tolist()
        for block in self.choice.blocks:
            best_fit(block, q)
        if self.group.verdict(q) != 'open':
            return False
        self.before = before._replace(status=before.status._replace(q=tuple(q)))
        return True

    def _fit(self, walk: Walk, u: list[float]) -> tuple[State, list[float], str]:
        """
        Go from the end of a blocked path to where the closures fit best, and judge that.

        Of several closed positions the one in the same assembly mode is taken, as far as the
        sign of the Jacobian's determinant tells it.

        :return: the state, the configuration, what to say of it.
        """
        fits: list[tuple[bool, bool, int, State, list[float]]] = []
        for start in self._starts(walk, u):
            for block in self.choice.blocks:
                best_fit(block, start)
            state = self.group.verdict(start)
            fits.append((state != 'closed', not self._same_mode(start), len(fits), state, start))
            closed = any(fit[3] == 'closed' for fit in fits)
            found = any(fit[:2] == (False, False) for fit in fits)
            if self._late or found or (not closed and len(fits) > len(ASIDE)):
                break
        _, _, _, state, q = min(fits)
        if max((np.linalg.norm(block.residual(q)) for block in self.choice.blocks),
               default=0.0) > CLOSED:
            return state, q, 'at the end of its reach, closed within the tolerance'
        return state, q, ('the path is blocked, but a closed position was found beyond; another '
                          'assembly mode cannot be excluded')

    def _starts(self, walk: Walk, u: list[float]) -> Iterator[list[float]]:
        """Yield places to fit from: the end of the path, beside it, where it began, anywhere."""
        for size in ASIDE:
            q = list(walk.q)
            q[:len(u)] = u
            for block in self.choice.blocks:
                block.store(block.unknowns(q) + size * block.sideways(walk.q), q)
            yield q
        yield [*u, *self.before.followed[len(u):]]
        rng = np.random.default_rng(0)
        for _ in range(ANYWHERE):
            q = [*u, *self.before.followed[len(u):]]
            for block in self.choice.blocks:
                block.store(block.unknowns(q) + rng.uniform(-np.pi, np.pi, block.n), q)
            yield q

    def _same_mode(self, q: list[float]) -> bool:
        """Whether J is oriented as where the group was followed last."""
        return all(
            np.linalg.det(block.linearise(self.before.followed)[1].T
                          @ block.linearise(q)[1]) > 0.0 for block in self.choice.blocks)

    def _follow(self, start: list[float], u: list[float]) -> Walk:
        """Follow the path; choose other joints to stay still where those chosen block it."""
        u = shorter_way(u, start, self._turns)
        for blocked in self.blocked:
            if blocked.start is start and _beyond(blocked, u):
                return Walk(list(blocked.walk.q), blocked.walk.reached)
        target = dict(enumerate(u))
        way = self._way(u) if start is self.group.home else None
        walk = follow(self.choice.blocks, way or start, target, self._deadline)
        if way:
            walk.certain = False
            walk.notes.append(self._choice_of(way))
        for _ in range(CHOICES):
            if walk.complete or walk.late or not self._choose_again(walk.q):
                break
            more = follow(self.choice.blocks, walk.q, target, self._deadline)
            more.evaluations += walk.evaluations
            more.certain &= walk.certain
            more.notes = walk.notes + more.notes
            more.reached = walk.reached + (1.0 - walk.reached) * more.reached
            walk = more
        if not walk.complete and not walk.late:
            self.blocked = (*(entry for entry in self.blocked if entry.start is not start),
                            Blocked(start, u, walk))
        return walk

    def _way(self, u: list[float]) -> list[float] | None:
        """Return a pose on the way that leaves home towards u, where several ways do."""
        group, bifurcation = self.group, self.group.structure.bifurcation
        if bifurcation is None or u == group.home[:len(u)]:
            return None
        names = [bifurcation.linearisation.names[i] for i in bifurcation.driven]
        direction = [u[group.index[name]] - group.home[group.index[name]] for name in names]
        for way in bifurcation.towards(direction):
            if way.regular:
                q = list(group.home)
                for name, position in way.positions.items():
                    if name in group.index:
                        q[group.index[name]] = position
                return q
        return None

    def _choice_of(self, way: list[float]) -> str:
        signs = ', '.join(
            f'{name} {"+" if position > home else "-"}'
            for name, position, home in zip(self.group.index, way, self.group.home)
            if name in self.group.dependent and abs(position - home) > 1e-6)
        return ('left a home in which branches meet: another assembly mode cannot be excluded '
                f'({signs})')

    def _choose_again(self, q: list[float]) -> bool:
        """Choose afresh which undetermined joints stay still; say whether any did change."""
        plans = list(self.choice.plans)
        for i, (plan, block) in enumerate(zip(self.choice.plans, self.choice.blocks)):
            if not plan.left:
                continue
            names = (*block.unknown, *block.known)
            J = block.single(q)[1]
            columns = [k for k, name in enumerate(names)
                       if name in block.unknown or name in plan.left]
            candidates = [names[k] for k in columns]
            chosen = determined_columns(
                J[:, columns], [self.group.code.order[name] for name in candidates])
            unknown = tuple(candidates[k] for k in chosen)
            if len(unknown) == block.n and set(unknown) != set(block.unknown):
                plans[i] = BlockPlan(
                    plan.closures, unknown, tuple(set(candidates) - set(unknown)))
        if plans == list(self.choice.plans):
            return False
        self.choice = self.group.choose(plans)
        return True


def _beyond(blocked: Blocked, u: list[float]) -> bool:
    """Whether u lies on the straight path to a blocked u, no nearer than where that ended."""
    start = np.array(blocked.start[:len(u)])
    towards, wanted = np.array(blocked.u) - start, np.array(u) - start
    part = float(wanted @ towards) / max(float(towards @ towards), 1e-300)
    return part >= blocked.walk.reached and bool(
        np.linalg.norm(wanted - part * towards) <= 1e-9 * np.linalg.norm(wanted))
