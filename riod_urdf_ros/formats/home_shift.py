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
The same mechanism with another zero.

The zero of every joint is moved to a given pose, assembled: origins take the displacement in,
limits and the offsets of mimics are shifted against it.
"""

from __future__ import annotations

from collections.abc import Mapping

from lxml import etree
import numpy as np

from .number_text import number
from .urdf_document import origin, UrdfDocument
from ..exceptions import DescriptionError, UsageError
from ..robot.kinematics import joint_transform
from ..robot.model import Joint, Robot
from ..solver.closure_solver import ClosureSolver
from ..wording import listing, quote

ASSEMBLED = 'assembled'
# A joint that was given a position and is elsewhere once the loops are closed, rad or m.
_MOVED = 1e-6
_ROUNDING = 1e-12
# Attributes that hold positions, by the element in a <joint>.
_POSITIONS = {'limit': ('lower', 'upper'), 'calibration': ('rising', 'falling'),
              'safety_controller': ('soft_lower_limit', 'soft_upper_limit')}


def named_pose(document: UrdfDocument, words: list[str]) -> dict[str, float]:
    """
    Return the positions that ``--home`` names.

    :param words: ``NAME=VALUE`` each; or only ``assembled``, or the name of a keyframe.
    :return: rad or m, by joint.
    :raises UsageError: if they are none of these.
    """
    if words == [ASSEMBLED]:
        return {}
    if len(words) == 1 and words[0] in document.keyframes:
        return document.keyframes[words[0]]
    pose = {}
    for word in words:
        name, equals, value = word.rpartition('=')
        try:
            pose[name] = float(value)
        except ValueError:
            equals = ''
        if not equals or not np.isfinite(pose[name]):
            keys = (f', or a keyframe: {listing(document.keyframes)}' if document.keyframes
                    else '')
            raise UsageError(f'--home {quote(word)} is not NAME=VALUE; write these, or '
                             f'{ASSEMBLED}{keys}')
    return pose


def shift_home(document: UrdfDocument, pose: Mapping[str, float]) -> None:
    """
    Move the zero of all joints to a pose, with the loops closed from there.

    :param pose: rad or m, by joint; others as they follow.
    :raises UsageError: if a joint is not one that moves by itself, or is out of reach.
    :raises DescriptionError: if the loops cannot be closed.
    """
    robot = document.robot()
    home = {name: position if abs(position) > _ROUNDING else 0.0
            for name, position in _assembled(robot, pose).items()}
    moved = [f'{name} ({value:.6g} to {home[name]:.6g})' for name, value in pose.items()
             if abs(home[name] - value) > _MOVED]
    if moved:
        document.chose('closing the loops moved joints that --home names: ' + ', '.join(moved))
    for joint in robot.moving_joints:
        _shift(document.named('joint', joint.name), robot, joint, home)
    shifted = [joint for joint in robot.moving_joints if home[joint.name]]
    document.chose('the zero of the joints is now where before they were at '
                   + ', '.join(f'{joint.name}={home[joint.name]:.6g}' for joint in shifted)
                   + '; positions that are written elsewhere (controllers, SRDF, initial values) '
                   'are still of the old zero' if shifted else 'no joint had to be moved')


def _assembled(robot: Robot, pose: Mapping[str, float]) -> Mapping[str, float]:
    """
    Return the positions of all moving joints.

    Where only joints are named that decide the others, these are followed from zero on, so that
    the mechanism stays in its assembly.
    """
    try:
        solver = ClosureSolver(robot)
    except DescriptionError:
        return ClosureSolver(robot, home=pose).home
    if not set(pose) <= set(solver.independent):
        return ClosureSolver(robot, home=pose).home
    if not pose:
        return solver.home
    solution = solver.solve(
        {name: pose.get(name, solver.home[name]) for name in solver.independent})
    apart = {name: closure.state for name, closure in solution.closures.items()
             if closure.state != 'closed'}
    if apart:
        raise UsageError('--home is out of reach: ' + ', '.join(
            f'closure {name} is {state}' for name, state in apart.items()))
    return solution.positions


def _shift(element: etree._Element, robot: Robot, joint: Joint, home: Mapping[str, float],
           ) -> None:
    """Move the zero of one joint."""
    position = home[joint.name]
    if joint.mimic is not None:
        mimic = element.find('mimic')
        mimic.set('offset', number(
            joint.mimic.offset + joint.mimic.multiplier * home[joint.mimic.joint] - position))
    if position == 0.0:
        return
    written = element.find('origin')
    moved = origin(joint_transform(joint, position))
    if written is None:
        element.insert(0, moved)
    else:
        written.attrib.update(moved.attrib)
    for tag, names in _POSITIONS.items():
        part = element.find(tag)
        if part is None or joint.kind == 'continuous' and tag == 'limit':
            continue
        for name in names:
            if tag == 'limit' or name in part.attrib:
                part.set(name, number(float(part.get(name, 0)) - position))
