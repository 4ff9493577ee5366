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

"""Colours and symbols of a drawing, and the legend that explains them."""

from __future__ import annotations

from collections.abc import Mapping

from matplotlib.lines import Line2D
from matplotlib.path import Path

from .plain_text import plain
from ..colours import BASE, GHOST, LINK, ROLES, STATES, TREE
from ..robot.model import JointRole, Robot

COLOURS: Mapping[str, str] = {**ROLES, **STATES}
SYMBOLS: Mapping[JointRole, str] = {'actuated': 's', 'passive': 'o', 'mimic': '^'}
SIZES: Mapping[JointRole, float] = {'actuated': 1.1, 'passive': 0.75, 'mimic': 0.9}
FLOOR, QUIET = '#D5D8DB', '#6B7177'
ALL_COLOURS = (*COLOURS.values(), LINK, TREE, BASE, GHOST, FLOOR, QUIET, '#000000')
# A pivot on a triangle with ground below it.
GROUND = Path(
    [(0, 0), (-0.6, -1), (0.6, -1), (0, 0), (-1, -1), (1, -1),
     (-0.9, -1.35), (-0.6, -1), (-0.45, -1.35), (-0.15, -1), (0.0, -1.35), (0.3, -1),
     (0.45, -1.35), (0.75, -1)],
    [1, 2, 2, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2])


def legend(robot: Robot, *, planar: bool, ghosts: str) -> list[Line2D]:
    """
    Return one entry for every kind of thing in a picture.

    :param planar: whether the base is drawn as ground, not as a body.
    :param ghosts: what paler postures are; empty if there are none.
    """
    roles = {joint.role for joint in robot.moving_joints}
    entries = [
        Line2D([], [], linestyle='', marker=SYMBOLS[role], markersize=8,
               markeredgecolor=COLOURS[role], markeredgewidth=1.4, label=f'{role} joint',
               markerfacecolor='white' if role == 'passive' else COLOURS[role])
        for role in SYMBOLS if role in roles]
    if robot.closures:
        entries.append(Line2D(
            [], [], color=COLOURS['closed'], linestyle=':', marker='o', markersize=11,
            markerfacecolor='none', markeredgewidth=1.8, linewidth=2.0, label='loop closure'))
    entries.append(Line2D(
        [], [], linestyle='', marker=GROUND, markersize=15, markeredgecolor=BASE,
        markerfacecolor='none', label=plain(robot.root)) if planar else Line2D(
            [], [], color=BASE, linewidth=2.9, label=plain(robot.root)))
    if ghosts:
        entries.append(Line2D([], [], color=GHOST, linewidth=1.5, label=ghosts))
    return entries
