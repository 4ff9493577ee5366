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

"""Whether the closures close anything, and what in the robot no closure reaches."""

from __future__ import annotations

import numpy as np

from .problem_list import ProblemList
from ..robot.model import Joint, LoopClosure, Robot
from ..robot.transforms import Array, inverse, rotation_vector
from ..wording import listing, quote


def check_loops(robot: Robot, passive_lines: dict[str, int], problems: ProblemList) -> None:
    """
    Check each closure's loop: the joints on exactly one side of the lowest common ancestor.

    What is only doubtful is looked for where there is no error: a description with errors lacks
    closures, and would be blamed for that a second time.

    :param passive_lines: line of riod:actuated by passive joint.
    """
    moving: list[tuple[LoopClosure, set[Joint]]] = []
    for closure in robot.closures:
        loop = [joint for branch in robot.loop(closure) for joint in branch]
        what = f'loop closure {quote(closure.name)}'
        unsupported = [joint for joint in loop if joint.kind in ('floating', 'planar')]
        for joint in unsupported:
            problems.error(
                f'{what}: its loop contains the {joint.kind} joint {quote(joint.name)} (line '
                f'{joint.line}), which is not supported; use revolute, continuous or prismatic '
                'joints', closure.line)
        if unsupported:
            continue
        free = {robot.source(joint)[0] for joint in loop if joint.moving}
        if free:
            moving.append((closure, free))
        else:
            problems.error(
                f'{what} ties {quote(closure.frame_a)} and {quote(closure.frame_b)}, two links '
                f'of one rigid body (only fixed joints are between them){_apart(robot, closure)}',
                closure.line)
    if not problems.error_count:
        _warn_about_loops(moving, problems)
        reached = {joint for _, free in moving for joint in free}
        for joint in robot.moving_joints:
            if not joint.actuated and joint not in reached:
                problems.warning(
                    f'passive joint {quote(joint.name)} is on no loop: neither a motor nor a '
                    'closure decides its position, so it keeps the value given in the input, '
                    'else 0; add the riod:loop_closure that holds it, if there is one',
                    passive_lines[joint.name])


def _warn_about_loops(moving: list[tuple[LoopClosure, set[Joint]]],
                      problems: ProblemList) -> None:
    """Report loops in which nothing gives way, and groups of loops that nothing drives."""
    groups: list[tuple[list[LoopClosure], set[Joint]]] = []
    for closure, free in moving:
        if all(joint.actuated for joint in free):
            problems.warning(
                f'loop closure {quote(closure.name)}: its loop has no passive joint, so nothing '
                'follows from it and its gap is only monitored; mark the joints without a motor '
                'by <riod:actuated value="false"/>',
                closure.line)
            continue
        # Loops that share a passive joint move together.
        passive = {joint for joint in free if not joint.actuated}
        tied = [group for group in groups if not passive.isdisjoint(group[1])]
        groups = [group for group in groups if passive.isdisjoint(group[1])]
        groups.append((sum((group[0] for group in tied), []) + [closure],
                       set().union(free, *(group[1] for group in tied))))
    for closures, joints in groups:
        if not any(joint.actuated for joint in joints):
            names = listing([closure.name for closure in closures])
            which, has = ('loop', 'has') if len(closures) == 1 else ('loops', 'have')
            problems.warning(
                f'{which} {names} {has} no actuated joint, so nothing drives it; a joint that has '
                'a motor must not say riod:actuated value="false"',
                min(closure.line for closure in closures))


def _apart(robot: Robot, closure: LoopClosure) -> str:
    """Say how far apart the frames of one rigid body stay."""
    T_a_b = inverse(_pose(robot, closure.frame_a)) @ _pose(robot, closure.frame_b)
    distance = float(np.linalg.norm(T_a_b[:3, 3]))
    angle = float(np.linalg.norm(rotation_vector(T_a_b[:3, :3])))
    remedy = '; name links that moving joints let come together'
    if distance > 1e-9:
        return f': they stay {distance:g} m apart, it can never be closed{remedy}'
    if closure.kind == 'rigid' and angle > 1e-9:
        return f': they stay {angle:g} rad apart, it can never be closed{remedy}'
    return ', it can close nothing; remove it'


def _pose(robot: Robot, link: str) -> Array:
    """Return ``T_root_link`` at home."""
    T = np.eye(4)
    for joint in robot.chain(link):
        T = T @ joint.T_parent_joint
    return T
