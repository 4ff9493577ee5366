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

"""
What the closures do to the joints, found by ranks before any solving.

Ranks are taken at generic configurations near home, because home itself may be singular. The
Jacobian is scaled (lengths in characteristic lengths), so one tolerance fits all sizes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from .block import SparseJacobian
from .closures import ClosureCode
from .kinematics import forward_kinematics
from .least_squares import Decomposition, RANK_TOLERANCE
from .model import ClosureKind, LoopClosure, Robot
from .transforms import Array, inverse, rotation_vector


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
    :param over_actuated: joints tied to each other, a tuple for each group that has such.
    :param locked: closures of groups that cannot move.
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


def loop_joints(robot: Robot, closure: LoopClosure) -> tuple[str, ...]:
    """Give the joints that move a closure's frames against each other, mimics by their source."""
    return tuple(dict.fromkeys(
        robot.source(joint)[0].name
        for side in robot.loop(closure) for joint in side if joint.moving))


def closure_error(
        robot: Robot, closure: LoopClosure, poses: dict[str, Array]) -> tuple[Array, float]:
    """
    Measure how far a closure is from being closed.

    :param poses: ``T_root_link`` by link.
    :return: vector from the origin of frame A to that of frame B, in frame A, shape (3,), m;
        angle between the frames, rad (0 for a point closure).
    """
    T_a_b = inverse(poses[closure.frame_a]) @ poses[closure.frame_b]
    angle = np.linalg.norm(rotation_vector(T_a_b[:3, :3])) if closure.kind == 'rigid' else 0.0
    return T_a_b[:3, 3], float(angle)


def connected(
        robot: Robot, closures: Iterable[LoopClosure], joints: Iterable[str],
) -> list[list[LoopClosure]]:
    """Part closures into sets that share none of some joints; document order is kept."""
    wanted = set(joints)
    parts: list[tuple[set[str], list[LoopClosure]]] = []
    for closure in closures:
        shared, members = wanted.intersection(loop_joints(robot, closure)), [closure]
        apart = []
        for names, others in parts:
            if names & shared:
                shared, members = shared | names, others + members
            else:
                apart.append((names, others))
        parts = [*apart, (shared, members)]
    order = {closure.name: i for i, closure in enumerate(robot.closures)}
    sets = [sorted(members, key=lambda c: order[c.name]) for _, members in parts]
    return sorted(sets, key=lambda members: order[members[0].name])


class Linearisation:
    """
    Residual and Jacobian of some closures over the joints on their loops.

    :param names: the columns.
    """

    def __init__(self, code: ClosureCode, closures: Sequence[LoopClosure]) -> None:
        """Compile."""
        recording = code.record(closures)
        self.length, self.row_closure = recording.length, recording.names
        self.names = tuple(dict.fromkeys(
            name for closure in closures for name in loop_joints(code.robot, closure)))
        self.scale = code.scales(self.names, self.length)
        self._run = SparseJacobian(recording, self.names, {
            code.index[name]: place for place, name in enumerate(self.names)})

    def __call__(self, x: Array) -> tuple[Array, Array]:
        """
        Evaluate the residual and its Jacobian.

        :param x: rad and characteristic lengths, shape (n,).
        :return: r (m,) and J (m, n).
        """
        return self._run((x * self.scale).tolist())

    def column(self, names: Iterable[str]) -> list[int]:
        """Give the columns of some joints; names that are not on the loops are left out."""
        where = {name: i for i, name in enumerate(self.names)}
        return [where[name] for name in names if name in where]


def generic_jacobian(
        linearisation: Linearisation, home: Array, held: Sequence[int] = ()) -> Array:
    """
    Give the Jacobian at a generic configuration near home where the closures still hold.

    A random motion along the null space at home is corrected back onto the closures; of a few
    such configurations the one of highest rank counts. The choice is the same in every run.

    :param home: the assembled configuration, scaled, shape (n,).
    :param held: columns whose joints stay at home.
    :return: shape (m, n).
    """
    r, best = linearisation(home)
    free = np.setdiff1d(np.arange(home.size), np.array(held, int))
    gap = float(np.linalg.norm(r))
    rng = np.random.default_rng(1)
    directions = {name: rng.standard_normal(3) for name in sorted(linearisation.names)}
    null = Decomposition.of(best[:, free]).null_space()
    for attempt in range(3):
        wish = np.array([directions[linearisation.names[i]][attempt] for i in free])
        motion = np.zeros(home.size)
        motion[free] = null @ (null.T @ wish)
        norm = float(np.linalg.norm(motion))
        if norm == 0.0:
            break
        for size in (0.3, 0.1, 0.03):
            x = home + motion * (size / norm)
            for _ in range(20):
                r, J = linearisation(x)
                parts = Decomposition.of(J[:, free])
                dx = parts.solve(r, parts.rank(1e-9))
                x[free] -= dx
                if np.linalg.norm(dx) < 1e-10:
                    break
            r, J = linearisation(x)
            moved = float(np.linalg.norm(x - home))
            if np.linalg.norm(r) <= gap + 1e-9 and 0.3 * size < moved < 3.0 * size:
                if Decomposition.of(J).rank() > Decomposition.of(best).rank():
                    best = J
                elif attempt == 0:
                    best = J
                break
    return best


def independent_joints(
        code: ClosureCode, known: Sequence[str], home: dict[str, float]) -> list[str]:
    """
    Choose the joints whose positions have to be known.

    These are the actuated ones; on loops that a known joint is on, the known ones, and after
    them those actuated ones that the closures do not tie to the ones before.

    :param known: joints named by the user.
    :param home: positions of the assembled mechanism, rad and m.
    :return: names in document order.
    """
    robot = code.robot
    chosen = {joint.name for joint in robot.moving_joints
              if joint.actuated and joint.mimic is None}
    for closures in connected(robot, robot.closures, code.joints) if known else ():
        linearisation = Linearisation(code, closures)
        named = [name for name in known if name in linearisation.names]
        if not named:
            continue
        J = generic_jacobian(
            linearisation, np.array([home[n] for n in linearisation.names]) / linearisation.scale)
        motors = [name for name in linearisation.names if name in chosen and name not in named]
        chosen.difference_update(motors)
        held = linearisation.column(named)
        for motor in motors:
            column = linearisation.column([motor])[0]
            free = [i for i in range(J.shape[1]) if i not in held]
            motion = Decomposition.of(J[:, free]).null_space()[free.index(column)]
            if np.linalg.norm(motion) > RANK_TOLERANCE:
                chosen.add(motor)
                held.append(column)
    chosen.update(known)
    return [joint.name for joint in robot.moving_joints if joint.name in chosen]


def determined_columns(J: Array, names: Sequence[str]) -> list[int]:
    """
    Choose as many independent columns as the rank, largest first (pivoted Gram-Schmidt).

    Equal columns are taken in the order of their names, so that the order of the joints in
    the file is of no influence.

    :param J: shape (m, n).
    :param names: of the columns.
    :return: columns in their order.
    """
    remaining = sorted(range(len(names)), key=lambda i: names[i])
    rest, chosen = J.astype(float).copy(), []
    for _ in range(Decomposition.of(J).rank()):
        norms = np.linalg.norm(rest[:, remaining], axis=0)
        best = remaining[int(np.argmax(norms >= norms.max() * (1.0 - 1e-6)))]
        unit = rest[:, best] / np.linalg.norm(rest[:, best])
        rest -= np.outer(unit, unit @ rest)
        chosen.append(best)
        remaining.remove(best)
    return sorted(chosen)


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
    driven = [name for name in names if name in set(independent)]
    dependent = [name for name in names if name not in set(independent)]
    x = np.array([home[name] for name in names]) / linearisation.scale
    J = generic_jacobian(linearisation, x)
    columns = linearisation.column(dependent)
    rank = Decomposition.of(J[:, columns]).rank()
    if rank < len(columns):
        # An undetermined freedom never moves, so look where it has not been moved.
        determined = determined_columns(J[:, columns], dependent)
        J = generic_jacobian(
            linearisation, x, [c for i, c in enumerate(columns) if i not in determined])
    passive = Decomposition.of(J[:, columns])
    whole = Decomposition.of(J)
    motion = whole.null_space()[linearisation.column(driven)]
    moves = Decomposition.of(motion)
    ties = moves.U[:, moves.rank():] if motion.size else np.eye(len(driven))
    tied = np.linalg.norm(ties, axis=1) > RANK_TOLERANCE if driven else np.zeros(0, bool)
    loose = np.linalg.norm(passive.null_space(), axis=1) > RANK_TOLERANCE
    at_home = Decomposition.of(linearisation(x)[1][:, columns]).rank()
    total_rows = sum(6 if closure.kind == 'rigid' else 3 for closure in closures)
    return GroupStructure(
        closures=tuple(closure.name for closure in closures),
        independent=tuple(driven), dependent=tuple(dependent),
        mobility=len(names) - whole.rank(), rank=rank,
        redundant_rows=total_rows - whole.rank(),
        undetermined=tuple(name for name, free in zip(dependent, loose) if free),
        undetermined_dof=len(dependent) - rank,
        over_actuated=tuple(name for name, is_tied in zip(driven, tied) if is_tied),
        locked=bool(driven) and moves.rank() == 0 or not driven and whole.rank() == len(names),
        singular_home=at_home < rank,
        blocks=_plan(code.robot, closures, linearisation, J, dependent))


def _plan(
        robot: Robot, closures: Sequence[LoopClosure], linearisation: Linearisation, J: Array,
        dependent: Sequence[str]) -> tuple[BlockPlan, ...]:
    """
    Peel closures that determine all their unknown joints; solve what remains together.

    Where a closure is left with nothing to solve for, it contradicts or confirms the others:
    then nothing is peeled, and least squares weighs them all.
    """
    unknown, waiting, plans = set(dependent), list(closures), []
    rows = {closure.name: [i for i, name in enumerate(linearisation.row_closure)
                           if name == closure.name] for closure in closures}
    progress = True
    while progress:
        progress = False
        for closure in list(waiting):
            names = [n for n in loop_joints(robot, closure) if n in unknown]
            sub = J[np.ix_(rows[closure.name], linearisation.column(names))]
            if names and Decomposition.of(sub).rank() == len(names):
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
        unknown_names = [names[i] for i in determined_columns(sub, names)]
        plans.append(BlockPlan(tuple(part), tuple(unknown_names),
                               tuple(name for name in names if name not in unknown_names)))
    return tuple(plan for plan in plans if plan.unknown)


def analyse(
        code: ClosureCode, independent: Sequence[str], home: dict[str, float]) -> Structure:
    """
    Make the structure report.

    :param independent: joints whose positions are known, in document order.
    :param home: positions of the assembled mechanism, rad and m.
    """
    robot = code.robot
    moving = [joint for joint in robot.moving_joints if joint.mimic is None]
    dependent = [joint.name for joint in moving if joint.name not in set(independent)]
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
        rank, names = 0, linearisation.row_closure
        for closure in closures:
            upto = max((i + 1 for i, name in enumerate(names) if name == closure.name), default=0)
            new = Decomposition.of(J[:upto]).rank() if upto else rank
            redundant[closure.name] = (6 if closure.kind == 'rigid' else 3) - (new - rank)
            rank = new
    return redundant
