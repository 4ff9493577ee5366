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


"""Which joints have motors, where the file does not say so or a person knows better."""

from __future__ import annotations

from collections.abc import Collection, Sequence
import difflib

import numpy as np

from .urdf_document import UrdfDocument
from ..constraints.numerics import STRUCTURE_TOLERANCE
from ..constraints.recordings import ClosureCode
from ..exceptions import DescriptionError, UsageError
from ..robot.loops import connected
from ..robot.model import Robot
from ..robot.transforms import Array
from ..structure.assembly import assemble
from ..structure.ranks import free_motions, Linearisation
from ..structure.vicinity import Vicinity
from ..wording import listing

_TOLERANCES = (1e-4, 1e-3)  # m, rad: up to which a gap at home is none


def mark_passive_but(document: UrdfDocument, actuated: Collection[str]) -> None:
    """
    Mark every joint that moves by itself as passive, but some.

    :param actuated: joints with motors.
    :raises UsageError: if one of them is no joint that moves by itself.
    """
    free = [joint.get('name', '') for joint in document.joints() if joint.find('mimic') is None
            and joint.get('type') in ('revolute', 'continuous', 'prismatic')]
    for name in actuated:
        if name not in free:
            close = difflib.get_close_matches(name, free)
            raise UsageError(
                f'{name!r} is not a joint that moves by itself; '
                + (f'did you mean {close[0]!r}?' if close else f'these are: {listing(free)}'))
    for name in free:
        if name in actuated:
            document.mark_actuated(name)
        else:
            document.mark_passive(name)


def choose_motors(document: UrdfDocument, hint: str) -> None:
    """
    Choose motors for a file that says nothing of them, and say so.

    On loops these are the first joints, from the root on, whose positions decide all others;
    joints on no loop have motors all.

    :param hint: what would have told.
    """
    robot = document.robot()
    if not robot.closures:
        return
    try:
        motors = _deciding(robot)
    except DescriptionError as error:
        document.chose('no joint is marked as passive: which joints decide the others is not '
                       f'known, since {error.problems[0].message}')
        return
    mark_passive_but(document, motors)
    document.chose(f'nothing in the file tells which joints have motors ({hint}); taken: '
                   f'{listing(motors, 20)}; say --actuated NAME ... to name others')


def _deciding(robot: Robot) -> list[str]:
    """Return joints that decide all others on loops, and those on no loop."""
    code = ClosureCode(robot)
    home, _ = assemble(code, *_TOLERANCES)
    dependent: set[str] = set()
    for closures in connected(robot, robot.closures, code.joints):
        linearisation = Linearisation(code, closures)
        J = Vicinity.of(linearisation, linearisation.scaled(home), []).J
        dependent.update(_dependent(J, linearisation.names))
    return [joint.name for joint in robot.moving_joints
            if joint.mimic is None and joint.name not in dependent]


def _dependent(J: Array, names: Sequence[str]) -> list[str]:
    """
    Return the joints that are decided by those before them.

    :param J: shape (m, n), columns as names.
    """
    held: list[int] = []
    for column in range(len(names)):
        free = [i for i in range(len(names)) if i not in held]
        motion = free_motions(J[:, free])[free.index(column)]
        if np.linalg.norm(motion) > STRUCTURE_TOLERANCE:
            held.append(column)
    return [name for i, name in enumerate(names) if i not in held]
