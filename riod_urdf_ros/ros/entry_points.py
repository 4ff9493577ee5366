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
How the nodes start.

Nothing heavy is imported before an interrupt can end the process without a word.
"""

from __future__ import annotations

from .interrupt import leave_on_interrupt


def closure_node() -> int:
    """
    Run the closure node.

    :return: exit status.
    """
    leave_on_interrupt()
    from .closure_node import main
    return main()


def sweep_node() -> int:
    """
    Run the node that moves the motors.

    :return: exit status.
    """
    leave_on_interrupt()
    from .sweep_node import main
    return main()
