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

"""Recordings of closures, shared by all who compile functions of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .influence import influential_joints
from .program import Program, Term
from .residuals import LoopRecorder, Row
from ..robot.loops import loop_joints
from ..robot.model import LoopClosure, Robot
from ..robot.read_only import read_only, ReadOnly
from ..robot.transforms import Array


@dataclass(frozen=True, eq=False)
class Recording:
    """
    The residual rows of some closures that can change, recorded.

    Joint ``i`` of :attr:`ClosureCode.joints` is element ``i`` of the vector q, in rad or m.

    :param length: the characteristic length, m.
    :param names: of the closure that each row belongs to.
    """

    program: Program
    rows: tuple[Row, ...]
    names: tuple[str, ...]
    length: float


class ClosureCode:
    """Recordings of a robot's closures; each set of closures is recorded once."""

    def __init__(self, robot: Robot) -> None:
        """Start with nothing recorded."""
        self.robot = robot
        self.joints = tuple(joint.name for joint in robot.moving_joints if joint.mimic is None)
        self.index = ReadOnly({name: i for i, name in enumerate(self.joints)})
        self.home = robot.undisplaced
        self._recordings: dict[tuple[str, ...], Recording] = {}

    def record(self, closures: Sequence[LoopClosure]) -> Recording:
        """Return the recording of a set of closures."""
        key = tuple(closure.name for closure in closures)
        if key not in self._recordings:
            program = Program()
            self._recordings[key] = self.record_at(
                program, closures, self.elements(program, closures))
        return self._recordings[key]

    def elements(self, program: Program, closures: Sequence[LoopClosure]) -> dict[str, Term]:
        """Return the elements of q that are the positions of the joints on some loops."""
        return {name: program.element('q', self.index[name])
                for closure in closures for name in loop_joints(self.robot, closure)}

    def record_at(self, program: Program, closures: Sequence[LoopClosure],
                  positions: Mapping[str, Term]) -> Recording:
        """
        Record closures for given positions.

        :param positions: of the joints that are not mimic joints, rad or m.
        """
        length = self.length(closures)
        recorder = LoopRecorder(program, self.robot, self.home, positions, length, self.unit)
        rows = [(row, closure.name) for closure in closures for row in recorder.rows(closure)
                if not row[0].constant]
        return Recording(program, tuple((row[0], ReadOnly(row[1])) for row, _ in rows),
                         tuple(name for _, name in rows), length)

    def length(self, closures: Sequence[LoopClosure]) -> float:
        """
        Return the largest distance at home between a closure's frame and a joint that moves it.

        :return: m; 1 where all of them are in one place (a spherical mechanism).
        """
        length = max((
            float(np.linalg.norm(self.home[joint.child][:3, 3] - self.home[frame][:3, 3]))
            for closure in closures
            for side, frame in zip(self.robot.loop(closure), (closure.frame_a, closure.frame_b))
            for joint in side), default=0.0)
        return length if length > 1e-9 else 1.0

    @cached_property
    def order(self) -> Mapping[str, int]:
        """
        Place of each joint in an order that neither names nor the document decide.

        By the number of moving joints before it, then by origin and axis at home in the root's
        frame; only joints that coincide are left in document order.
        """
        def key(name: str) -> tuple[float, ...]:
            joint = self.robot.by_name[name]
            pose = self.home[joint.child]
            before = sum(other.moving for other in self.robot.chain(joint.child))
            place = np.round(pose[:3, 3] / self.robot.size, 6)
            axis = np.round(pose[:3, :3] @ joint.axis, 6)
            return (before, *(place + 0.0).tolist(), *(axis + 0.0).tolist())

        return ReadOnly({name: i for i, name in enumerate(sorted(self.joints, key=key))})

    @cached_property
    def _followers(self) -> dict[str, dict[str, float]]:
        """How far, at most, each joint that moves by itself moves those that closures feel."""
        followers: dict[str, dict[str, float]] = {name: {} for name in self.joints}
        for closure in self.robot.closures:
            for name in influential_joints(self.robot, closure):
                source, multiplier, _ = self.robot.source(self.robot.by_name[name])
                followers[source.name][name] = abs(multiplier)
        return {name: joints if any(joints.values()) else {name: 1.0}
                for name, joints in followers.items()}

    def unit(self, name: str, length: float) -> float:
        """
        Return the unit of a joint's scaled position, rad or m.

        It is 1 rad or the characteristic length; where joints follow by their mimics, what moves
        them by so much in total. A spindle of 0.5 mm pitch counts as the slide that it drives.

        :param name: of a joint that moves by itself.
        :param length: the characteristic length, m.
        """
        return 1.0 / sum(
            factor / (length if self.robot.by_name[follower].unit == 'm' else 1.0)
            for follower, factor in self._followers[name].items())

    def scales(self, names: Sequence[str], length: float) -> Array:
        """Return the units of the scaled positions of some joints, shape (n,), rad or m."""
        return read_only(np.array([self.unit(name, length) for name in names]))
