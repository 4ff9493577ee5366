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

from .model import LoopClosure, Robot


def loop_joints(robot: Robot, closure: LoopClosure) -> tuple[str, ...]:
    """Return the joints that move a closure's frames, mimics by their source."""
    return tuple(dict.fromkeys(
        robot.source(joint)[0].name
        for side in robot.loop(closure) for joint in side if joint.moving))


def connected(
        robot: Robot, closures: Iterable[LoopClosure], joints: Iterable[str],
) -> list[list[LoopClosure]]:
    """
    Divide closures into sets that share none of some joints.

    :param joints: those that count; closures without any are alone in their set.
    :return: sets and their closures in document order.
    """
    wanted = set(joints)
    users: dict[str, list[LoopClosure]] = {}
    uses = {closure.name: (closure, wanted.intersection(loop_joints(robot, closure)))
            for closure in closures}
    for closure, names in uses.values():
        for name in names:
            users.setdefault(name, []).append(closure)
    order = {closure.name: i for i, closure in enumerate(robot.closures)}
    sets: list[list[LoopClosure]] = []
    seen: set[str] = set()
    for first in sorted(uses, key=order.__getitem__):
        members, waiting = [], [first]
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            closure, names = uses[name]
            members.append(closure)
            for joint in names:
                # Emptied, so that every joint is asked once.
                waiting += [other.name for other in users.pop(joint, ())]
        if members:
            sets.append(sorted(members, key=lambda c: order[c.name]))
    return sets
