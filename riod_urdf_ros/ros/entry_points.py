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
How the nodes and the demonstration start.

Nothing heavy is imported before an interrupt can end the process without a word.
"""

from __future__ import annotations

from importlib import import_module
import sys

from .interrupt import leave_on_interrupt


def closure_node() -> int:
    """
    Run the closure node.

    :return: exit status.
    """
    return _run('closure_node', 'closure_node')


def command_node() -> int:
    """
    Run the node that translates commands.

    :return: exit status.
    """
    return _run('command_node', 'command_node')


def sweep_node() -> int:
    """
    Run the node that moves the motors.

    :return: exit status.
    """
    return _run('sweep_node', 'sweep_node')


def closure_demo(program: str = 'closure_demo') -> int:
    """
    Run the demonstration.

    :param program: as whoever called it knows it.
    :return: exit status.
    """
    return _run(program, 'demo', program=program)


def _run(caller: str, module: str, **options: str) -> int:
    leave_on_interrupt()
    try:
        main = import_module(f'.{module}', __package__).main
    except ImportError as error:
        print(f'{caller}: ROS 2 is not here ({error}): source its setup file, such as '
              '/opt/ros/jazzy/setup.bash, with the Python that it was made for; riod_urdf works '
              'without', file=sys.stderr)
        return 1
    return int(main(**options))
