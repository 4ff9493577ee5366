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

"""The other ways to the same joint positions, by name."""

from __future__ import annotations

from collections.abc import Callable

from mechanisms import Workload
from methods import Method
from mujoco_peer import MujocoExpert
from pinocchio_peers import Pinocchio, PinocchioExpert, PinocchioTuned
from scipy_peer import Scipy

MOST_JOINTS = dict.fromkeys(('Pinocchio', 'Pinocchio expert', 'Pinocchio tuned'), 450)
"""Where a peer stops: the memory that Pinocchio takes grows with the cube, 7 GB for 600 joints."""

PEERS: dict[str, Callable[[Workload], Method]] = {
    'Pinocchio': Pinocchio,
    'Pinocchio expert': PinocchioExpert,
    'Pinocchio tuned': PinocchioTuned,
    'MuJoCo expert': MujocoExpert,
    'scipy': Scipy,
}
