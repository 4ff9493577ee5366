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

"""Small mechanisms written in a few words, straight into the package's model."""

from __future__ import annotations

from collections.abc import Sequence
import math

import numpy as np
from riod_urdf_ros.robot.model import Joint, JointKind, LoopClosure, Mimic, Robot
from riod_urdf_ros.robot.transforms import Array, rotation_from_rpy, transform

X, Y, Z = np.eye(3)


def joint(name: str, kind: JointKind, parent: str, xyz: Sequence[float] = (0.0, 0.0, 0.0), *,
          axis: Array = Z, rpy: Sequence[float] = (0.0, 0.0, 0.0), passive: bool = False,
          mimic: Mimic | None = None) -> Joint:
    """Return a joint that leads to a link of the same name."""
    return Joint(name, kind, parent, name, transform(rotation_from_rpy(rpy), xyz), axis,
                 mimic=mimic, actuated=not passive and kind != 'fixed')


def robot(*parts: Joint | LoopClosure) -> Robot:
    """Put joints and closures on a root link 'base'."""
    joints = tuple(part for part in parts if isinstance(part, Joint))
    return Robot('inline', 'base', ('base', *(joint.child for joint in joints)), joints,
                 tuple(part for part in parts if isinstance(part, LoopClosure)))


def point(name: str, a: str, b: str) -> LoopClosure:
    """Return a point closure."""
    return LoopClosure(name, 'point', a, b)


def rigid(name: str, a: str, b: str) -> LoopClosure:
    """Return a rigid closure."""
    return LoopClosure(name, 'rigid', a, b)


def four_bar(prefix: str = '', *, size: float = 1.0, root: str = 'base',
             crank: JointKind = 'continuous') -> tuple[Joint | LoopClosure, ...]:
    """
    Write a Grashof crank-rocker: A (0, 0), B (0.5, 0), C (1.5, 1.6), D (1.5, 0), times size.

    Crank 0.5, coupler hypot(1, 1.6), rocker 1.6, ground 1.5.
    """
    p = prefix
    return (
        joint(f'{p}crank', crank, root),
        joint(f'{p}coupler', 'revolute', f'{p}crank', (0.5 * size, 0, 0), passive=True),
        joint(f'{p}coupler_end', 'fixed', f'{p}coupler', (size, 1.6 * size, 0)),
        joint(f'{p}rocker', 'revolute', root, (1.5 * size, 0, 0), passive=True),
        joint(f'{p}rocker_end', 'fixed', f'{p}rocker', (0, 1.6 * size, 0)),
        point(f'{p}loop', f'{p}coupler_end', f'{p}rocker_end'))


def four_bar_rocker(crank: float) -> float:
    """Return the rocker of :func:`four_bar` by the triangle B D C, C left of the way B to D."""
    bx, by = 0.5 * math.cos(crank), 0.5 * math.sin(crank)
    diagonal = math.hypot(1.5 - bx, by)
    at_d = math.acos((diagonal**2 + 1.6**2 - (1.0 + 1.6**2)) / (2.0 * diagonal * 1.6))
    return math.atan2(-by, 1.5 - bx) - at_d + 0.5 * math.pi


def parallelogram(home: float, *, coupler: float = 2.0, rocker: float = 1.0) -> Robot:
    """
    Write a parallelogram with a crank of 1 m on a ground of 2 m.

    :param home: direction of crank and rocker at home.
    :param coupler: its length, to be rounded.
    :param rocker: its length, to be rounded.
    """
    return robot(
        joint('crank', 'revolute', 'base', rpy=(0, 0, home)),
        joint('coupler', 'revolute', 'crank', (1, 0, 0), rpy=(0, 0, -home), passive=True),
        joint('coupler_end', 'fixed', 'coupler', (coupler, 0, 0)),
        joint('rocker', 'revolute', 'base', (2, 0, 0), rpy=(0, 0, home), passive=True),
        joint('rocker_end', 'fixed', 'rocker', (rocker, 0, 0)),
        point('loop', 'coupler_end', 'rocker_end'))


def tied_sliders() -> Robot:
    """Write two motors that push one passive slider: over-actuated, closed only in step."""
    return robot(
        joint('left', 'prismatic', 'base', axis=X), joint('right', 'prismatic', 'base', axis=X),
        joint('slider', 'prismatic', 'base', axis=X, passive=True),
        point('left_pin', 'left', 'slider'), point('right_pin', 'right', 'slider'))


def spinning_rod() -> Robot:
    """Write a motor tied to the ground by a rod on a ball: it cannot move, the rod can spin."""
    return robot(
        joint('motor', 'revolute', 'base'),
        joint('ball_x', 'revolute', 'motor', (0.3, 0.1, 0.0), axis=X, passive=True),
        joint('ball_y', 'revolute', 'ball_x', axis=Y, passive=True),
        joint('ball_z', 'revolute', 'ball_y', axis=Z, passive=True),
        joint('rod_end', 'fixed', 'ball_z', (0.2, 0.3, 0.4)),
        joint('anchor', 'fixed', 'base', (0.5, 0.4, 0.4)),
        point('rod', 'rod_end', 'anchor'))
