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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .ranks import determined_columns, levers, Linearisation, new_rows, rank
from .solve_order import BlockPlan, plan_blocks
from .vicinity import Vicinity
from .ways import Bifurcation
from ..constraints.least_squares import Decomposition
from ..constraints.numerics import STRUCTURE_TOLERANCE
from ..constraints.recordings import ClosureCode
from ..robot.closure_error import closure_errors
from ..robot.loops import connected
from ..robot.model import ClosureKind, LoopClosure
from ..robot.read_only import ReadOnly


@dataclass(frozen=True)
class GroupStructure:
    """
    Closures that share dependent joints.

    :param independent: joints on its loops whose positions have to be known.
    :param dependent: joints that the closures determine, undetermined ones included.
    :param mobility: freedoms that the closures leave to all its joints, ``n - rank J``.
    :param rows: number of the closures' equations that joints can change.
    :param rank: rank of the Jacobian by the dependent joints.
    :param redundant_rows: ``m - rank J``.
    :param undetermined: dependent joints that are not determined one by one.
    :param undetermined_dof: number of freedoms that stay where they were.
    :param over_actuated: independent joints that the closures tie to each other.
    :param locked: whether the closures leave no independent joint any motion.
    :param blocks: the order of solving.
    :param bifurcation: the ways that leave home, if the closures determine less there than next
        to it.
    """

    closures: tuple[str, ...]
    independent: tuple[str, ...]
    dependent: tuple[str, ...]
    mobility: int
    rows: int
    rank: int
    redundant_rows: int
    undetermined: tuple[str, ...]
    undetermined_dof: int
    over_actuated: tuple[str, ...]
    locked: bool
    blocks: tuple[BlockPlan, ...]
    bifurcation: Bifurcation | None = None

    @property
    def singular_home(self) -> bool:
        """Whether the closures determine less at home than next to it."""
        return self.bifurcation is not None

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
    closures: Mapping[str, ClosureStructure]


def analyse_group(
        code: ClosureCode, closures: Sequence[LoopClosure], independent: Sequence[str],
        home: Mapping[str, float], given: Mapping[str, float] = ReadOnly(),
) -> GroupStructure:
    """
    Find the ranks of one loop group and the order to solve it in.

    :param closures: those that share dependent joints.
    :param independent: of the whole robot.
    :param home: positions of the assembled mechanism, rad and m.
    :param given: positions of joints in the given home, rad and m.
    """
    linearisation = Linearisation(code, closures)
    names = linearisation.names
    on_loops, known = set(names), set(independent)
    driven = [name for name in code.joints if name in on_loops & known]
    dependent = [name for name in code.joints if name in on_loops - known]
    x = linearisation.scaled(home)
    columns = linearisation.column(dependent)
    near = Vicinity.of(linearisation, x, columns)
    at_home = linearisation(x)[1]
    singular = near.mobile and rank(at_home[:, columns]) < rank(near.J[:, columns])
    chosen = determined_columns((near.J if singular else at_home)[:, columns],
                                linearisation.order[columns].tolist())
    if len(chosen) < len(columns):
        # An undetermined freedom never moves, so look where it has not been moved.
        near = Vicinity.of(linearisation, x, columns, [
            column for i, column in enumerate(columns) if i not in chosen])
    motion, _ = np.linalg.qr(near.motions / levers(near.J)[:, None])
    moves = Decomposition.of(motion[linearisation.column(driven)])
    freedoms = int(np.sum(moves.s > STRUCTURE_TOLERANCE))  # of orthonormal columns: absolute
    ties = moves.U[:, freedoms:] if motion.size else np.eye(len(driven))
    tied = np.linalg.norm(ties, axis=1) > STRUCTURE_TOLERANCE if driven else np.zeros(0, bool)
    passive = near.J[:, columns]
    loose = np.linalg.norm(Decomposition.of(passive * levers(passive)).null_space(
        STRUCTURE_TOLERANCE), axis=1) > STRUCTURE_TOLERANCE
    mobility = near.motions.shape[1]
    return GroupStructure(
        closures=tuple(closure.name for closure in closures),
        independent=tuple(driven), dependent=tuple(dependent),
        mobility=mobility, rows=near.J.shape[0], rank=len(chosen),
        redundant_rows=sum(closure.rows for closure in closures) - rank(near.J),
        undetermined=tuple(name for name, free in zip(dependent, loose) if free),
        undetermined_dof=len(dependent) - len(chosen),
        over_actuated=tuple(name for name, is_tied in zip(driven, tied) if is_tied),
        locked=freedoms == 0 if driven else mobility == 0,
        blocks=plan_blocks(
            code, closures, linearisation, near.J if singular else at_home, dependent),
        bifurcation=Bifurcation(
            linearisation, x, tuple(linearisation.column(driven)),
            tuple(columns[i] for i in chosen), given) if singular else None)


def analyse(
        code: ClosureCode, independent: Sequence[str], home: Mapping[str, float],
        given: Mapping[str, float] = ReadOnly()) -> Structure:
    """
    Make the structure report.

    :param independent: joints whose positions are known, in document order.
    :param home: positions of the assembled mechanism, rad and m.
    :param given: positions of joints in the given home, rad and m: where home is singular, they
        choose among the ways that leave it.
    """
    robot = code.robot
    moving = [joint for joint in robot.moving_joints if joint.mimic is None]
    known = set(independent)
    dependent = [joint.name for joint in moving if joint.name not in known]
    groups = tuple(analyse_group(code, closures, independent, home, given)
                   for closures in connected(robot, robot.closures, dependent))
    undriven = [joint.name for joint in moving if not joint.actuated]
    redundant: dict[str, int] = {}
    held = 0  # freedoms that the closures take
    for members in connected(robot, robot.closures, code.joints):
        linearisation = Linearisation(code, members)
        near = Vicinity.of(linearisation, linearisation.scaled(home),
                           linearisation.column(undriven))
        held += len(linearisation.names) - near.motions.shape[1]
        new = new_rows(near.J)
        for closure in members:
            own = [i for i, name in enumerate(linearisation.row_closure) if name == closure.name]
            redundant[closure.name] = closure.rows - int(new[own].sum())
    errors = closure_errors(robot, {})
    return Structure(
        mobility=len(moving) - held,
        actuated=tuple(joint.name for joint in moving if joint.actuated),
        passive=tuple(undriven),
        undetermined=tuple(name for group in groups for name in group.undetermined),
        undetermined_dof=sum(group.undetermined_dof for group in groups),
        over_actuated=tuple(group.over_actuated for group in groups if group.over_actuated),
        locked=tuple(name for group in groups if group.locked for name in group.closures),
        singular_home=any(group.singular_home for group in groups),
        groups=groups,
        closures=ReadOnly({closure.name: ClosureStructure(
            closure.kind, error.distance,
            (float(error.gap[0]), float(error.gap[1]), float(error.gap[2])), error.angle,
            redundant[closure.name])
            for closure in robot.closures for error in [errors[closure.name]]}))
