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

"""A motion of the motors that shows a mechanism at work: slow, periodic, its loops closed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
import math

from ..robot.model import Joint
from ..solver.closure_solver import ClosureSolver

PERIOD = 40.0
"""Seconds after which the whole motion repeats, so that trying one period proves it."""

CYCLES = (5, 6, 7, 8, 9, 10)
"""Cycles in a period, joint after joint: different, so that all combinations are met."""

SAMPLES = 400
"""Of one period, tried before it is chosen."""

WIDEST = 1.0
"""Radians from home; a joint whose limits allow more seldom makes use of it."""

SHRINK = 0.75

SMALLEST = 0.01
"""Fraction of the widest motion below which a joint is left at rest."""


MARGIN = 0.95
"""Fraction of a motion that was tried which is made: between the samples it goes further."""

ROUNDING = 1e-9
"""Radians or metres from rest within which a joint is on neither side of it."""


@dataclass(frozen=True)
class JointMotion:
    """
    The motion of one joint: to and fro between two ends as a sine, or round and round.

    :param cycles: how often it repeats in ``PERIOD``.
    :param turning: whether it goes round and round; the ends are then unused.
    :param lower: rad or m.
    :param upper: rad or m.
    :param home: position in the assembled mechanism, rad or m.
    """

    name: str
    cycles: int
    turning: bool
    lower: float
    upper: float
    home: float

    @property
    def moving(self) -> bool:
        """Whether it moves at all."""
        return self.turning or self.upper > self.lower

    @property
    def rest(self) -> float:
        """Return the position within the ends that is nearest to home, rad or m."""
        return min(max(self.home, self.lower), self.upper)

    def at(self, time: float) -> tuple[float, float]:
        """
        Return position and velocity; at time zero the joint is at ``rest``.

        :param time: s.
        :return: rad and rad/s, or m and m/s.
        """
        rate = 2.0 * math.pi * self.cycles / PERIOD
        if self.turning:
            return math.remainder(self.home + rate * time, 2.0 * math.pi), rate
        if not self.moving:
            return self.rest, 0.0
        centre, amplitude = 0.5 * (self.lower + self.upper), 0.5 * (self.upper - self.lower)
        start = math.asin(max(-1.0, min(1.0, (self.rest - centre) / amplitude)))
        angle = rate * time + start
        return centre + amplitude * math.sin(angle), rate * amplitude * math.cos(angle)

    def smaller(self, below: float, above: float) -> JointMotion:
        """Bring the ends nearer to ``rest``, each by a factor; a turning joint stops turning."""
        return replace(
            self, turning=False, lower=self.rest + below * (self.lower - self.rest),
            upper=self.rest + above * (self.upper - self.rest))


def driving_joints(solver: ClosureSolver, known_joints: Collection[str] = ()) -> list[Joint]:
    """
    Return the joints that something outside has to move, in document order.

    :param known_joints: as the solver was given them.
    """
    return [joint for joint in solver.robot.moving_joints if joint.name in solver.independent
            and (joint.role == 'actuated' or joint.name in known_joints)]


def plan_motion(solver: ClosureSolver, known_joints: Collection[str] = (),
                ) -> tuple[JointMotion, ...]:
    """
    Choose a motion for each driving joint during which all loops stay closed.

    Within their limits the joints start with a wide motion; where a loop opens on the way, the
    motions of its joints are made smaller until it does not. Joints that cannot move without
    opening a loop, such as two motors tied to each other, are left at rest.

    :param solver: of the robot; used to try the motion, and left at home.
    :param known_joints: as the solver was given them.
    :return: one motion for each driving joint, in document order.
    """
    motors = driving_joints(solver, known_joints)
    widest = {
        joint.name: _widest(joint, CYCLES[index % len(CYCLES)], solver.home[joint.name])
        for index, joint in enumerate(motors)}
    motions = dict(widest)
    sizes = {name: [1.0, 1.0] for name in widest}  # below and above rest
    while failing := _first_to_open(solver, motions):
        for name, position in failing.items():
            # A joint that turns only stops turning the first time. Home may be next to a dead
            # centre, so the side on which the loop opened is made smaller, not the other.
            if not motions[name].turning:
                away = position - motions[name].rest
                for side, concerned in enumerate((away < ROUNDING, away > -ROUNDING)):
                    if concerned:
                        size = sizes[name][side]
                        sizes[name][side] = SHRINK * size if size > SMALLEST else 0.0
            motions[name] = widest[name].smaller(*sizes[name])
    return tuple(motion if motion.turning else motion.smaller(MARGIN, MARGIN)
                 for motion in motions.values())


def _widest(joint: Joint, cycles: int, home: float) -> JointMotion:
    if joint.kind == 'continuous':
        return JointMotion(joint.name, cycles, True, home - WIDEST, home + WIDEST, home)
    # Towards a side without a limit it stays where it is.
    lower, upper = (limit if math.isfinite(limit) else home for limit in joint.limits)
    if joint.kind == 'revolute' and lower <= home <= upper:
        lower, upper = max(lower, home - WIDEST), min(upper, home + WIDEST)
    return JointMotion(joint.name, cycles, False, lower, upper, home)


def _first_to_open(
        solver: ClosureSolver, motions: Mapping[str, JointMotion]) -> dict[str, float]:
    """Return the moving joints of the loops that open first in a period, and where they are."""
    joints: dict[str, float] = {}
    solver.reset()
    for sample in range(SAMPLES + 1):
        time = PERIOD * sample / SAMPLES
        positions = {name: solver.home[name] for name in solver.independent}
        positions.update((name, motion.at(time)[0]) for name, motion in motions.items())
        for group, status in zip(solver.groups, solver.solve(positions).groups, strict=True):
            if status.state != 'closed':
                joints.update((name, positions[name]) for name in group.independent
                              if name in motions and motions[name].moving)
        if joints:
            break
    solver.reset()
    return joints
