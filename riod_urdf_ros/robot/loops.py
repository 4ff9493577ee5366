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

"""Which joints a closure involves, and which closures belong together."""

from __future__ import annotations

from collections.abc import Iterable

from .closure_error import closure_error as closure_error_of
from .model import LoopClosure, Robot
from .transforms import Array


def loop_joints(robot: Robot, closure: LoopClosure) -> tuple[str, ...]:
    """Return the joints that move a closure's frames, mimics by their source."""
    return tuple(dict.fromkeys(
        robot.source(joint)[0].name
        for side in robot.loop(closure) for joint in side if joint.moving))


def closure_error(
        robot: Robot, closure: LoopClosure, poses: dict[str, Array]) -> tuple[Array, float]:
    """Return gap vector and angle of a closure, until its last callers use ClosureError."""
    error = closure_error_of(closure, poses)
    return error.gap, error.angle


def connected(
        robot: Robot, closures: Iterable[LoopClosure], joints: Iterable[str],
) -> list[list[LoopClosure]]:
    """
    Divide closures into sets that share none of some joints.

    :param joints: those that count; closures without any are alone in their set.
    :return: sets and their closures in document order.
    """
    wanted = set(joints)
    sets: list[tuple[set[str], list[LoopClosure]]] = []
    for closure in closures:
        shared, members = wanted.intersection(loop_joints(robot, closure)), [closure]
        apart = []
        for names, others in sets:
            if names & shared:
                shared, members = shared | names, others + members
            else:
                apart.append((names, others))
        sets = [*apart, (shared, members)]
    order = {closure.name: i for i, closure in enumerate(robot.closures)}
    ordered = [sorted(members, key=lambda c: order[c.name]) for _, members in sets]
    return sorted(ordered, key=lambda members: order[members[0].name])
