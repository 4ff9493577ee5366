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


"""Ball and universal joints, which URDF has not got: hinges, one after the other."""

from __future__ import annotations

import math

import numpy as np

from .urdf_document import UrdfDocument
from ..robot.transforms import Array
from ..wording import quote


def add_ball(document: UrdfDocument, name: str, parent: str, child: str, T_parent_joint: Array,
             line: int = 0) -> list[str]:
    """
    Join two links by three passive hinges through one point, about x, then y, then z.

    :param T_parent_joint: pose of the child at rest, shape (4, 4), m.
    :return: their names.
    """
    names = _add_hinges(document, name, parent, child, T_parent_joint, 'xyz')
    document.chose(
        f'ball joint {quote(name)} is written as three hinges, {names[0]}, {names[1]} and '
        f'{names[2]}; they are singular where {names[1]} is at a quarter turn', line)
    return names


def turns_of(R: Array) -> tuple[float, float, float]:
    """
    Return the positions of a ball's hinges for a rotation: ``Rx(a) Ry(b) Rz(c)``.

    :param R: shape (3, 3).
    :return: rad.
    """
    return (math.atan2(-R[1, 2], R[2, 2]), math.asin(min(max(R[0, 2], -1.0), 1.0)),
            math.atan2(-R[0, 1], R[0, 0]))


def _add_hinges(document: UrdfDocument, name: str, parent: str, child: str, T: Array,
                axes: str) -> list[str]:
    """Add passive hinges about axes such as 'xy', in this order, and return their names."""
    link, names = parent, []
    for place, letter in enumerate(axes):
        below = child if place == len(axes) - 1 else document.add_link(f'{name}_{letter}_link')
        names.append(document.add_joint(f'{name}_{letter}', 'continuous', link, below, T,
                                        np.eye(3)['xyz'.index(letter)], passive=True))
        link, T = below, np.eye(4)
    return names


def replace_joint(document: UrdfDocument, name: str, axes: str, T_parent_joint: Array,
                  line: int = 0) -> None:
    """
    Put hinges through one point in the place of a joint.

    :param axes: such as 'xy' for a universal joint, 'xyz' for a ball; '' to fix it.
    :raises KeyError: if there is no such joint.
    """
    joint = document.named('joint', name)
    ends = [joint.find(end).get('link') for end in ('parent', 'child')]
    document.remove_joint(name)
    if axes == 'xyz':
        add_ball(document, name, ends[0], ends[1], T_parent_joint, line)
    elif axes:
        names = _add_hinges(document, name, ends[0], ends[1], T_parent_joint, axes)
        document.chose(f'universal joint {quote(name)} is written as two hinges, {names[0]} and '
                       f'{names[1]}', line)
    else:
        document.add_joint(f'{name}_fixed', 'fixed', ends[0], ends[1], T_parent_joint)
        document.chose(f'joint {quote(name)} is fixed', line)
