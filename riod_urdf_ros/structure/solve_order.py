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

"""The order in which the closures of a loop group are solved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .ranks import determined_columns, Linearisation, rank
from ..constraints.recordings import ClosureCode
from ..robot.loops import connected, loop_joints
from ..robot.model import LoopClosure
from ..robot.transforms import Array


@dataclass(frozen=True)
class BlockPlan:
    """
    Closures to solve at once.

    :param unknown: joints to solve for.
    :param left: joints that stay where they are, so that the unknown ones are determined.
    """

    closures: tuple[LoopClosure, ...]
    unknown: tuple[str, ...]
    left: tuple[str, ...] = ()


def plan_blocks(
        code: ClosureCode, closures: Sequence[LoopClosure], linearisation: Linearisation, J: Array,
        dependent: Sequence[str]) -> tuple[BlockPlan, ...]:
    """
    Peel closures that determine all their unknown joints; solve what remains together.

    Where a closure is left with nothing to solve for, it contradicts or confirms the others:
    then nothing is peeled, and least squares weighs them all.
    """
    robot = code.robot
    unknown, waiting, plans = set(dependent), list(closures), []
    rows = {closure.name: [i for i, name in enumerate(linearisation.row_closure)
                           if name == closure.name] for closure in closures}
    progress = True
    while progress:
        progress = False
        for closure in list(waiting):
            names = [n for n in loop_joints(robot, closure) if n in unknown]
            sub = J[np.ix_(rows[closure.name], linearisation.column(names))]
            if names and rank(sub) == len(names):
                plans.append(BlockPlan((closure,), tuple(names)))
                waiting.remove(closure)
                unknown.difference_update(names)
                progress = True
    if any(not unknown.intersection(loop_joints(robot, closure)) for closure in waiting):
        plans, waiting, unknown = [], list(closures), set(dependent)
    for part in connected(robot, waiting, unknown):
        names = [n for n in linearisation.names if n in unknown
                 and any(n in loop_joints(robot, closure) for closure in part)]
        sub = J[np.ix_([i for closure in part for i in rows[closure.name]],
                       linearisation.column(names))]
        unknown_names = [names[i] for i in determined_columns(
            sub, [code.order[name] for name in names])]
        plans.append(BlockPlan(tuple(part), tuple(unknown_names),
                               tuple(name for name in names if name not in unknown_names)))
    return tuple(plan for plan in plans if plan.unknown)
