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

"""The other ways to the same joint positions, by name, and where each of them can go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from casadi_peer import CasadiCompiled, COMPILER
from closed_forms import FourBar, Scissor
from mechanisms import Workload
from methods import Method
from mujoco_peer import MujocoTuned
from pinocchio_peers import Pinocchio, PinocchioTuned
from placo_peer import Placo, PYTHON


@dataclass(frozen=True)
class Peer:
    """
    A way to the same joint positions.

    :param most_joints: where it stops.
    :param only: beginning of the name of the mechanism that it is for.
    :param here: whether all that it needs is on this machine.
    """

    make: Callable[[Workload], Method]
    velocities: bool = True
    most_joints: float = float('inf')
    only: str = ''
    here: bool = True

    def can(self, workload: Workload, velocities: bool) -> bool:
        """Whether it can follow a mechanism."""
        return self.here and (self.velocities or not velocities) \
            and len(workload.robot.moving_joints) <= self.most_joints \
            and workload.name.startswith(self.only)


PLAIN, TUNED, PLACO, CASADI = 'Pinocchio', 'Pinocchio tuned', 'placo', 'CasADi to C'

PEERS: dict[str, Peer] = {
    # The memory that Pinocchio takes grows with the cube, 7 GB for 600 joints.
    PLAIN: Peer(Pinocchio, most_joints=450),
    TUNED: Peer(PinocchioTuned, most_joints=450),
    'MuJoCo tuned': Peer(MujocoTuned),
    PLACO: Peer(Placo, velocities=False, here=PYTHON is not None),
    # Its code for longer chains takes minutes to write and to compile.
    CASADI: Peer(CasadiCompiled, most_joints=40, here=COMPILER is not None),
    'four-bar by hand': Peer(FourBar, only='four-bar'),
    'scissor by hand': Peer(Scissor, velocities=False, only='scissor'),
}
