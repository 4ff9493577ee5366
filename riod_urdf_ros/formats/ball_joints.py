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


"""A ball joint, which URDF has not got: three hinges, x then y then z."""

from __future__ import annotations

import numpy as np

from .urdf_document import UrdfDocument
from ..robot.transforms import Array
from ..wording import quote


def add_ball(document: UrdfDocument, name: str, parent: str, child: str, T_parent_joint: Array,
             line: int = 0) -> tuple[str, str, str]:
    """
    Join two links by three passive hinges through one point.

    :param T_parent_joint: pose of the child at rest, shape (4, 4), m.
    :return: their names.
    """
    link, T, names = parent, T_parent_joint, []
    for letter, axis in zip('xyz', np.eye(3)):
        below = child if letter == 'z' else document.add_link(f'{name}_{letter}_link')
        names.append(document.add_joint(
            f'{name}_{letter}', 'continuous', link, below, T, axis, passive=True))
        link, T = below, np.eye(4)
    document.chose(
        f'ball joint {quote(name)} is written as three hinges, {names[0]}, {names[1]} and '
        f'{names[2]}; they are singular where {names[1]} is at a quarter turn', line)
    return names[0], names[1], names[2]


def make_ball(document: UrdfDocument, name: str, T_parent_joint: Array, line: int = 0) -> None:
    """
    Put a ball in the place of a joint.

    :raises KeyError: if there is no such joint.
    """
    joint = document.named('joint', name)
    ends = [joint.find(end).get('link') for end in ('parent', 'child')]
    document.root.remove(joint)
    add_ball(document, name, ends[0], ends[1], T_parent_joint, line)
