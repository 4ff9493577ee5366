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

"""The structure report: what the closures do to the joints, found by ranks before any solving."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .ranks import determined_columns, generic_jacobian, Linearisation, new_rows, rank
from .solve_order import BlockPlan, plan_blocks
from ..constraints.least_squares import Decomposition, RANK_TOLERANCE
from ..constraints.recordings import ClosureCode
from ..robot.kinematics import forward_kinematics
from ..robot.loops import closure_error, connected
from ..robot.model import ClosureKind, LoopClosure


@dataclass(frozen=True)
class GroupStructure:
    """
    Closures that share dependent joints.

    :param independent: joints on its loops whose positions have to be known.
    :param dependent: joints that the closures determine, undetermined ones included.
    :param mobility: freedoms that the closures leave to all its joints, ``n - rank J``.
    :param rank: rank of the Jacobian by the dependent joints.
    :param redundant_rows: ``m - rank J``.
    :param undetermined: dependent joints that are not determined one by one.
    :param undetermined_dof: number of freedoms that stay where they were.
    :param over_actuated: independent joints that the closures tie to each other.
    :param locked: whether the closures leave no independent joint any motion.
    :param singular_home: whether the rank at home is below the generic one.
    :param blocks: the order of solving.
    """

    closures: tuple[str, ...]
    independent: tuple[str, ...]
    dependent: tuple[str, ...]
    mobility: int
    rank: int
    redundant_rows: int
    undetermined: tuple[str, ...]
    undetermined_dof: int
    over_actuated: tuple[str, ...]
    locked: bool
    singular_home: bool
    blocks: tuple[BlockPlan, ...]

    @property
    def name(self) -> str:
        """Name of the group in messages: its closures."""
        return ', '.join(self.closures)


@dataclass(frozen=True)
class ClosureStructure:
    """
    One closure, before and after the mechanism has been assembled at home.

    :param gap_at_home: distance between the frames' origins in the description, m.
    :param gap_vector_at_home: from frame A to frame B, in frame A, m.
    :param angle_at_home: angle between the frames, rad; 0 for a point closure.
    :param redundant_rows: rows that say nothing new after the closures before it.
    """

    kind: ClosureKind
    gap_at_home: float
    gap_vector_at_home: tuple[float, float, float]
    angle_at_home: float
    redundant_rows: int


@dataclass(frozen=True)
class Structure:
    """
    The structure report.

    :param mobility: freedoms of the whole mechanism, ``n - rank J``.
    :param actuated: moving joints with a motor, mimic joints left out.
    :param passive: moving joints without one.
    :param undetermined: passive joints that the closures do not determine one by one.
    :param undetermined_dof: number of freedoms that stay where they were.
    :param over_actuated: joints tied to each other, a tuple for each group that has such.
    :param locked: closures of groups that cannot move.
    :param singular_home: whether the rank at home is below the generic one in some group.
    :param groups: the loop groups, in the order in which they are solved.
    :param closures: what is found of each closure, by name.
    """

    mobility: int
    actuated: tuple[str, ...]
    passive: tuple[str, ...]
    undetermined: tuple[str, ...]
    undetermined_dof: int
    over_actuated: tuple[tuple[str, ...], ...]
    locked: tuple[str, ...]
    singular_home: bool
    groups: tuple[GroupStructure, ...]
    closures: dict[str, ClosureStructure]


def analyse_group(
        code: ClosureCode, closures: Sequence[LoopClosure], independent: Sequence[str],
        home: dict[str, float]) -> GroupStructure:
    """
    Find the ranks of one loop group and the order to solve it in.

    :param closures: those that share dependent joints.
    :param independent: of the whole robot.
    :param home: positions of the assembled mechanism, rad and m.
    """
    linearisation = Linearisation(code, closures)
    names = linearisation.names
    on_loops, known = set(names), set(independent)
    driven = [name for name in code.joints if name in on_loops & known]
    dependent = [name for name in code.joints if name in on_loops - known]
    x = np.array([home[name] for name in names]) / linearisation.scale
    J = generic_jacobian(linearisation, x)
    columns = linearisation.column(dependent)
    rank_passive = rank(J[:, columns])
    if rank_passive < len(columns):
        # An undetermined freedom never moves, so look where it has not been moved.
        determined = determined_columns(J[:, columns], dependent)
        J = generic_jacobian(
            linearisation, x, [c for i, c in enumerate(columns) if i not in determined])
    passive = Decomposition.of(J[:, columns])
    whole = Decomposition.of(J)
    motion = whole.null_space()[linearisation.column(driven)]
    moves = Decomposition.of(motion)
    freedoms = int(np.sum(moves.s > RANK_TOLERANCE))  # rows of orthonormal columns: absolute
    ties = moves.U[:, freedoms:] if motion.size else np.eye(len(driven))
    tied = np.linalg.norm(ties, axis=1) > RANK_TOLERANCE if driven else np.zeros(0, bool)
    loose = np.linalg.norm(passive.null_space(), axis=1) > RANK_TOLERANCE
    at_home = rank(linearisation(x)[1][:, columns])
    total_rows = sum(6 if closure.kind == 'rigid' else 3 for closure in closures)
    return GroupStructure(
        closures=tuple(closure.name for closure in closures),
        independent=tuple(driven), dependent=tuple(dependent),
        mobility=len(names) - whole.rank(), rank=rank_passive,
        redundant_rows=total_rows - whole.rank(),
        undetermined=tuple(name for name, free in zip(dependent, loose) if free),
        undetermined_dof=len(dependent) - rank_passive,
        over_actuated=tuple(name for name, is_tied in zip(driven, tied) if is_tied),
        locked=bool(driven) and freedoms == 0 or not driven and whole.rank() == len(names),
        singular_home=at_home < rank_passive,
        blocks=plan_blocks(code.robot, closures, linearisation, J, dependent))


def analyse(
        code: ClosureCode, independent: Sequence[str], home: dict[str, float]) -> Structure:
    """
    Make the structure report.

    :param independent: joints whose positions are known, in document order.
    :param home: positions of the assembled mechanism, rad and m.
    """
    robot = code.robot
    moving = [joint for joint in robot.moving_joints if joint.mimic is None]
    known = set(independent)
    dependent = [joint.name for joint in moving if joint.name not in known]
    groups = tuple(analyse_group(code, closures, independent, home)
                   for closures in connected(robot, robot.closures, dependent))
    poses = forward_kinematics(robot, {})
    redundant = _redundant_rows(code, home)
    closures = {}
    for closure in robot.closures:
        gap, angle = closure_error(robot, closure, poses)
        closures[closure.name] = ClosureStructure(
            closure.kind, float(np.linalg.norm(gap)),
            (float(gap[0]), float(gap[1]), float(gap[2])), angle, redundant[closure.name])
    rows = sum(6 if closure.kind == 'rigid' else 3 for closure in robot.closures)
    return Structure(
        mobility=len(moving) - (rows - sum(redundant.values())),
        actuated=tuple(joint.name for joint in moving if joint.actuated),
        passive=tuple(joint.name for joint in moving if not joint.actuated),
        undetermined=tuple(name for group in groups for name in group.undetermined),
        undetermined_dof=sum(group.undetermined_dof for group in groups),
        over_actuated=tuple(group.over_actuated for group in groups if group.over_actuated),
        locked=tuple(name for group in groups if group.locked for name in group.closures),
        singular_home=any(group.singular_home for group in groups),
        groups=groups, closures=closures)


def _redundant_rows(code: ClosureCode, home: dict[str, float]) -> dict[str, int]:
    """Count by closure the rows that do not raise the rank of the closures before it."""
    redundant = {}
    for closures in connected(code.robot, code.robot.closures, code.joints):
        linearisation = Linearisation(code, closures)
        J = generic_jacobian(
            linearisation, np.array([home[n] for n in linearisation.names]) / linearisation.scale)
        new = new_rows(J)
        for closure in closures:
            own = [i for i, name in enumerate(linearisation.row_closure) if name == closure.name]
            redundant[closure.name] = (6 if closure.kind == 'rigid' else 3) - int(new[own].sum())
    return redundant
