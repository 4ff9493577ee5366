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

"""The structure of a mechanism in the words of a mechanical engineer, and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
import math
from typing import Any

from .console import Console
from ..robot.model import JointRole
from ..solver.closure_solver import ClosureSolver
from ..structure.mobility import GroupStructure
from ..wording import count, millimetres, printable, shorten

_ZERO = 1e-9  # m and rad; what a file's rounding leaves in a loop is not worth a number


def print_structure(console: Console, solver: ClosureSolver) -> None:
    """Write the structure report."""
    robot, structure = solver.robot, solver.structure
    console.write(console.paint(printable(robot.name), 'bold') + ': ' + _census(solver))
    console.write()
    for sentence in sentences(solver):
        console.paragraph(printable(sentence))
    if not robot.closures:
        return
    console.write()
    rows = []
    for closure in robot.closures:
        found = structure.closures[closure.name]
        rows.append([
            shorten([closure.name]), found.kind,
            f'{shorten([closure.frame_a])} - {shorten([closure.frame_b])}',
            opening(found.gap_at_home, found.angle_at_home),
            f'{found.redundant_rows} of {closure.rows}' if found.redundant_rows else '-'])
    console.table(('LOOP CLOSURE', 'TYPE', 'BETWEEN', 'GAP AT HOME', 'REDUNDANT'), rows)
    console.write()
    console.table(
        ('LOOP GROUP', 'DRIVEN BY', 'FOLLOWING', 'MOBILITY', 'REMARKS'),
        ((shorten(group.closures), (shorten(group.independent), 'actuated'),
          (shorten(group.dependent), 'passive'), str(group.mobility), _remarks(group))
         for group in structure.groups))


def sentences(solver: ClosureSolver) -> Iterator[str]:
    """Say what the closures do to the joints, one finding a sentence."""
    structure, closures = solver.structure, solver.robot.closures
    if not closures:
        yield ('There is no loop closure: an ordinary tree, in which every joint moves by itself '
               'or as its <mimic> says.')
        return
    motors = len(structure.actuated)
    yield f'Mobility {structure.mobility}, with {count(motors, "actuated joint")}' + (
        f': {"it decides" if motors == 1 else "they decide"} where everything is.'
        if motors == structure.mobility and not structure.undetermined_dof
        and not structure.over_actuated else '.')
    for group in structure.groups:
        name = f'Loop {shorten(group.closures)}'
        if group.undetermined_dof:
            yield (f'{name}: {count(group.undetermined_dof, "freedom")} left undetermined in '
                   f'{", ".join(group.undetermined)} (a rod spinning about its own axis is '
                   'harmless; else an actuated joint or a closure is missing). What is not '
                   'determined stays where it is.')
        if group.locked:
            yield (f'{name} cannot move: its closures hold '
                   f'{", ".join(group.independent) or "all its joints"} fast.')
        elif group.over_actuated:
            yield (f'{name} ties the actuated joints {", ".join(group.over_actuated)} to each '
                   'other (over-actuated, also called redundantly actuated): one cannot move '
                   'without the others, their positions have to agree.')
        if group.singular_home:
            yield (f'{name} is in a singular position at home (links in line): it may go on '
                   'either way from there.')
    loose = [name for name in structure.passive
             if not any(name in (*g.dependent, *g.independent) for g in structure.groups)]
    if loose:
        yield (f'On no loop, so decided by no motor: the passive joints {", ".join(loose)}. They '
               'keep the value given in the input, else 0.')
    redundant = sum(closure.redundant_rows for closure in structure.closures.values())
    if redundant and not structure.locked:
        yield (f'{count(redundant, "constraint")} of the closures '
               f'{"repeats" if redundant == 1 else "repeat"} what the others say, as in every '
               'linkage that moves in a plane: harmless for its motion.')


def structure_json(solver: ClosureSolver) -> dict[str, Any]:
    """Return the structure report as JSON can hold it; lengths in m, angles in rad."""
    robot, structure = solver.robot, solver.structure
    return {
        'mobility': structure.mobility,
        'actuated': list(structure.actuated),
        'passive': list(structure.passive),
        'mimic': {
            joint.name: {'joint': joint.mimic.joint, 'multiplier': joint.mimic.multiplier,
                         'offset': joint.mimic.offset}
            for joint in robot.moving_joints if joint.mimic is not None},
        'independent': list(solver.independent),
        'groups': [{
            'closures': list(group.closures), 'independent': list(group.independent),
            'dependent': list(group.dependent), 'mobility': group.mobility, 'rank': group.rank,
            'redundant_rows': group.redundant_rows, 'undetermined': list(group.undetermined),
            'undetermined_dof': group.undetermined_dof,
            'over_actuated': list(group.over_actuated), 'locked': group.locked,
            'singular_home': group.singular_home} for group in structure.groups],
        'closures': {
            closure.name: {
                'type': found.kind, 'frame_a': closure.frame_a, 'frame_b': closure.frame_b,
                'gap_at_home': found.gap_at_home,
                'gap_vector_at_home': list(found.gap_vector_at_home),
                'angle_at_home': found.angle_at_home, 'redundant_rows': found.redundant_rows}
            for closure in robot.closures for found in [structure.closures[closure.name]]},
        'undetermined': list(structure.undetermined),
        'undetermined_dof': structure.undetermined_dof,
        'over_actuated': [list(names) for names in structure.over_actuated],
        'locked': list(structure.locked),
        'singular_home': structure.singular_home,
    }


def opening(gap: float, angle: float) -> str:
    """Say how far a loop is open: m and rad in, mm and degrees out."""
    parts = []
    if gap > _ZERO:
        parts.append(millimetres(gap))
    if angle > _ZERO:
        parts.append(f'{math.degrees(angle):.3g} deg')
    return ', '.join(parts) or '0'


def _remarks(group: GroupStructure) -> str:
    remarks = []
    if group.locked:
        remarks.append('locked')
    elif group.over_actuated:
        remarks.append('over-actuated')
    if group.undetermined_dof:
        remarks.append(f'{group.undetermined_dof} undetermined')
    if group.singular_home:
        remarks.append('singular at home')
    return ', '.join(remarks) or '-'


def _census(solver: ClosureSolver) -> str:
    robot = solver.robot
    roles = Counter(joint.role for joint in robot.joints)
    order: Iterable[JointRole] = (
        'actuated', 'passive', 'mimic', 'floating', 'planar', 'fixed')
    listed = ', '.join(f'{roles[role]} {role}' for role in order if roles[role])
    return (f'{count(len(robot.links), "link")}, {count(len(robot.joints), "joint")}'
            f'{f" ({listed})" if listed else ""}, '
            f'{count(len(robot.closures), "loop closure")}')
