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

"""The text of a URDF, written element by element."""

from __future__ import annotations

from collections.abc import Sequence
import math
import textwrap
from typing import Literal

from ..urdf.elements import NAMESPACE

Vector = Sequence[float]
ORIGIN: Vector = (0.0, 0.0, 0.0)
# Half the range of hinges; what a real one can do is not known here.
_HINGE, _SLIDE = math.pi, 1.0


class Sheet:
    """
    A URDF that grows from the root outward.

    :param name: of the robot.
    :param comment: what stands above it.
    :param thickness: of the rods that are drawn, m.
    """

    def __init__(self, name: str, comment: str, thickness: float) -> None:
        """Begin with a link called base_link."""
        self._thickness = thickness
        paragraphs = [textwrap.fill(part, 95, initial_indent='  ', subsequent_indent='  ')
                      for part in comment.split('\n\n')]
        self._lines = ['<?xml version="1.0"?>', '<!--', '\n\n'.join(paragraphs), '-->',
                       f'<robot name="{name}" xmlns:riod="{NAMESPACE}">', '']

    def comment(self, text: str) -> None:
        """Write a remark on what follows."""
        lines = textwrap.wrap(text, 90)
        self._lines += ['', f'  <!-- {lines[0]}', *(f'       {line}' for line in lines[1:])]
        self._lines[-1] += ' -->'

    def link(self, name: str, *ends: Vector) -> None:
        """Write a link, drawn as rods from its origin to some points, m."""
        if not ends:
            self._lines.append(f'  <link name="{name}"/>')
            return
        self._lines.append(f'  <link name="{name}">')
        for x, y, z in ends:
            middle = _numbers((x / 2.0, y / 2.0, z / 2.0))
            turned = _numbers((0.0, math.atan2(math.hypot(x, y), z), math.atan2(y, x)))
            self._lines += [
                '    <visual>', f'      <origin xyz="{middle}" rpy="{turned}"/>',
                f'      <geometry><cylinder radius="{self._thickness / 2.0!r}" '
                f'length="{math.hypot(x, y, z)!r}"/></geometry>', '    </visual>']
        self._lines.append('  </link>')

    def joint(self, name: str, kind: Literal['revolute', 'continuous', 'prismatic'], parent: str,
              child: str, *, axis: Vector, xyz: Vector = ORIGIN, rpy: Vector = ORIGIN,
              passive: bool = True, mimic: str = '') -> None:
        """
        Write a joint that moves.

        :param passive: whether it has no motor.
        :param mimic: the joint that it follows one to one.
        """
        self._lines += [f'  <joint name="{name}" type="{kind}">',
                        *_placed(parent, child, xyz, rpy),
                        f'    <axis xyz="{_numbers(axis)}"/>']
        if kind != 'continuous':
            reach = _SLIDE if kind == 'prismatic' else _HINGE
            self._lines.append(f'    <limit lower="{-reach!r}" upper="{reach!r}" effort="100" '
                               'velocity="10"/>')
        if mimic:
            self._lines.append(f'    <mimic joint="{mimic}"/>')
        elif passive:
            self._lines.append('    <riod:actuated value="false"/>')
        self._lines.append('  </joint>')

    def frame(self, name: str, parent: str, xyz: Vector, rpy: Vector = ORIGIN) -> None:
        """Write a link that is fixed to another: the end of it, for a closure."""
        self._lines += [f'  <link name="{name}"/>', f'  <joint name="{name}_frame" type="fixed">',
                        *_placed(parent, name, xyz, rpy), '  </joint>']

    def closure(self, name: str, frame_a: str, frame_b: str) -> None:
        """Write a point closure."""
        self._lines.append(f'  <riod:loop_closure name="{name}" type="point" '
                           f'frameA="{frame_a}" frameB="{frame_b}"/>')

    def text(self) -> str:
        """Return what has been written."""
        return '\n'.join([*self._lines, '', '</robot>', ''])


def _placed(parent: str, child: str, xyz: Vector, rpy: Vector) -> list[str]:
    return [f'    <parent link="{parent}"/>', f'    <child link="{child}"/>',
            f'    <origin xyz="{_numbers(xyz)}" rpy="{_numbers(rpy)}"/>']


def _numbers(values: Vector) -> str:
    # Without the sign of a negative zero, and whole numbers without a point.
    return ' '.join(repr(value + 0.0).removesuffix('.0') for value in map(float, values))
