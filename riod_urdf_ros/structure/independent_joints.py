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

"""Which joints are independent: a choice, not a property of the mechanism."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .ranks import free_motions, Linearisation
from .vicinity import Vicinity
from ..constraints.numerics import STRUCTURE_TOLERANCE
from ..constraints.recordings import ClosureCode
from ..robot.loops import connected


def independent_joints(
        code: ClosureCode, known: Sequence[str], home: Mapping[str, float]) -> list[str]:
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
        J = Vicinity.of(linearisation, linearisation.scaled(home), linearisation.column(
            joint.name for joint in robot.moving_joints if not joint.actuated)).J
        motors = [name for name in linearisation.names if name in chosen and name not in named]
        chosen.difference_update(motors)
        held = linearisation.column(named)
        for motor in motors:
            column = linearisation.column([motor])[0]
            free = [i for i in range(J.shape[1]) if i not in held]
            motion = free_motions(J[:, free])[free.index(column)]
            if np.linalg.norm(motion) > STRUCTURE_TOLERANCE:
                chosen.add(motor)
                held.append(column)
    chosen.update(known)
    return [joint.name for joint in robot.moving_joints if joint.name in chosen]
