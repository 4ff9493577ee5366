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

"""The parameter ``known_joints``, which the closure node and the sweep have in common."""

from __future__ import annotations

from rcl_interfaces.msg import ParameterDescriptor
from rclpy.node import Node


def declare_known_joints(node: Node) -> tuple[str, ...]:
    """
    Declare it on a node.

    Its default is one empty name: what is not set, or an empty list, whose type rclpy cannot
    tell, would make every bulk read of the node's parameters come back empty.

    :return: the names given.
    """
    names: list[str] = node.declare_parameter('known_joints', [''], ParameterDescriptor(
        description='Joints whose positions are measured, for the others to follow from; '
        'if none is named, the actuated joints.', read_only=True)).value or []
    return tuple(filter(None, names))
