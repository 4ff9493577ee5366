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
A joint at which a loop is cut, written as closures.

A closure is a point (3 rows) or rigid (6 rows). A ball is a point and a weld is rigid as they
are. Of the ways to write a hinge, the one with the fewest equations and unknowns is taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from .number_text import translation
from .urdf_document import UrdfDocument
from ..robot.model import LoopClosure, Robot
from ..robot.transforms import Array
from ..wording import quote

CutKind = Literal['fixed', 'revolute', 'continuous', 'prismatic', 'ball', 'universal']

_PARALLEL = 1e-6
# Distance of the two points of a hinge, in sizes of the robot: they have to hold its direction.
_SPREAD = 0.1


@dataclass(frozen=True, eq=False)
class Cut:
    """
    A joint that closes a loop.

    :param T_a: pose of the joint's frame in link a, shape (4, 4), m.
    :param T_b: the same in link b; the joint is at zero where both coincide.
    :param axes: in the joint's frame, shape (n, 3): one of a hinge or slide, two of a universal
        joint, the first fixed in link a.
    :param limits: lower and upper, rad or m; None where there are none.
    :param line: in the input.
    """

    name: str
    kind: CutKind
    link_a: str
    T_a: Array
    link_b: str
    T_b: Array
    axes: Array
    limits: tuple[float, float] | None = None
    line: int = 0


def in_plane(robot: Robot, link_a: str, link_b: str, axis: Array) -> bool:
    """
    Tell whether two links can only move against each other in a plane, by their joints.

    :param axis: direction in link a that would be normal to the plane, shape (3,).
    """
    normal = robot.undisplaced[link_a][:3, :3] @ axis
    for joint in (j for side in robot.loop(LoopClosure('', 'point', link_a, link_b))
                  for j in side if j.kind != 'fixed'):
        direction = (robot.undisplaced[joint.child][:3, :3] @ joint.axis)
        if joint.kind == 'prismatic':
            if abs(direction @ normal) > _PARALLEL:
                return False
        elif not joint.moving or np.linalg.norm(np.cross(direction, normal)) > _PARALLEL:
            return False
    return True


def write_cut(document: UrdfDocument, robot: Robot, cut: Cut) -> None:
    """
    Add the closures, frames and passive joints that stand for a joint, and say which.

    :param robot: the tree, without the cut.
    """
    where = f'the loop is cut at {cut.kind} joint {quote(cut.name)}, written as '
    if cut.kind == 'ball':
        _tie(document, cut, 'point', cut.name)
        document.chose(f'{where}a point', cut.line)
    elif cut.kind == 'fixed':
        _tie(document, cut, 'rigid', cut.name)
        document.chose(f'{where}a rigid closure', cut.line)
    elif cut.kind in ('revolute', 'continuous') and in_plane(
            robot, cut.link_a, cut.link_b, cut.T_a[:3, :3] @ cut.axes[0]):
        _tie(document, cut, 'point', cut.name)
        document.chose(f'{where}a point, since the loop is planar; its angle is not solved for'
                       + _unwatched(cut), cut.line)
    elif cut.kind in ('revolute', 'continuous') and cut.limits is None:
        shift = translation(_SPREAD * robot.size * cut.axes[0])
        _tie(document, cut, 'point', f'{cut.name}_near')
        _tie(document, cut, 'point', f'{cut.name}_far', shift)
        document.chose(f'{where}two points on its axis, which adds no unknown (a rigid closure '
                       'with a passive joint would); its angle is not solved for', cut.line)
    else:
        _with_joints(document, cut)
        count = 'a passive joint' if len(cut.axes) == 1 else f'{len(cut.axes)} passive joints'
        why = (' whose limits are watched'
               if cut.limits and cut.kind in ('revolute', 'continuous') else '')
        document.chose(f'{where}a rigid closure and {count}{why}', cut.line)


def _unwatched(cut: Cut) -> str:
    return ', and its limits are not watched' if cut.limits else ''


def _tie(document: UrdfDocument, cut: Cut, kind: Literal['point', 'rigid'], name: str,
         shift: Array | None = None) -> None:
    """Close with a frame on either link."""
    shift = np.eye(4) if shift is None else shift
    a = document.add_frame(f'{name}_a', cut.link_a, cut.T_a @ shift)
    b = document.add_frame(f'{name}_b', cut.link_b, cut.T_b @ shift)
    document.close(name, kind, a, b)


def _with_joints(document: UrdfDocument, cut: Cut) -> None:
    """Let the joint's own motions lead from link a to a frame, and weld that to link b."""
    link, T = cut.link_a, cut.T_a
    for i, axis in enumerate(cut.axes):
        name = cut.name if len(cut.axes) == 1 else f'{cut.name}_{i + 1}'
        kind = 'prismatic' if cut.kind == 'prismatic' else 'continuous'
        limit = None
        if cut.limits and i == 0:
            kind = 'revolute' if kind == 'continuous' else kind
            limit = {'lower': cut.limits[0], 'upper': cut.limits[1]}
        child = document.add_link(f'{name}_link')
        document.add_joint(name, kind, link, child, T, axis, limit=limit, passive=True)
        link, T = child, np.eye(4)
    document.close(cut.name, 'rigid', link,
                   document.add_frame(f'{cut.name}_b', cut.link_b, cut.T_b))
