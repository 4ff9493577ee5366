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

"""``riod_urdf view``: a mechanism in the browser, moved by hand or by a recording."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
import sys
from threading import Event
from typing import TYPE_CHECKING

import numpy as np

from .joint_arguments import add_home_argument, add_joint_argument, finite
from .solve import opened
from .state_input import bounded_lines, InputError, read_states, State
from ..solver.closure_solver import ClosureSolver

if TYPE_CHECKING:
    from ..viewer.recording import Recording

# Between recorded states that have no time.
_SECONDS = 0.02


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        'Show a mechanism in the browser: a slider for each known joint, the solved joints, the '
        'closures, how far each joint can go. The page follows the file whenever it is saved.')
    parser.add_argument('model', metavar='MODEL', help='URDF or xacro file')
    add_home_argument(parser)
    add_joint_argument(parser, '--known', 'joint to move instead of the motors that it is tied '
                       'to', value=False)
    parser.add_argument('--input', metavar='FILE', help='recorded states to play, as for solve')
    parser.add_argument('--host', default='127.0.0.1', metavar='ADDRESS', help='address to listen '
                        'on (default: %(default)s, so that no other machine is served)')
    parser.add_argument('--port', default=8080, type=int, metavar='NUMBER', help='port to listen '
                        'on, or the next that is free (default: %(default)s)')


def run(arguments: argparse.Namespace) -> int:
    """
    Serve the page until Ctrl-C.

    :return: exit status.
    """
    if find_spec('viser') is None:
        print("riod_urdf view: error: viser is not installed (pip install 'riod_urdf_ros[view]', "
              'or pip install viser pycollada)', file=sys.stderr)
        return 2
    if arguments.input:
        with opened(arguments.input):
            pass  # what is wrong inside is said in the page, what is not there at once
    # Not before it is needed: it takes its time to load.
    from ..viewer.viewer import Viewer
    viewer = Viewer(
        arguments.model, known_joints=arguments.known, home=dict(arguments.home),
        mappings=arguments.mappings, host=arguments.host, port=arguments.port,
        record=_record(arguments.input) if arguments.input else None)
    print(f'{Path(arguments.model).name}: open {viewer.address} in a browser; Ctrl-C ends it',
          flush=True)
    try:
        Event().wait()
    finally:
        viewer.close()
    return 0


def _record(path: str) -> Callable[[ClosureSolver], Recording]:
    """Return what reads the recording for a solver: a joint that is not given stays."""
    def record(solver: ClosureSolver) -> Recording:
        from ..viewer.recording import Recording
        now = {name: solver.home[name] for name in solver.independent}
        rows, times = list[list[float]](), list[float]()
        with opened(path) as (file, name, _):
            for state in read_states(bounded_lines(file, name), name, solver.robot):
                now = {joint: state.positions.get(joint, value) for joint, value in now.items()}
                rows.append(list(now.values()))
                times.append(_time(state, len(times) * _SECONDS))
        return Recording(np.array(times), np.array(rows))

    return record


def _time(state: State, otherwise: float) -> float:
    """Return the time of a state, s."""
    if 'time' not in state.label:
        return otherwise
    try:
        return finite(state.label['time'])
    except ValueError as error:
        raise InputError(state.where, f'time: {error}') from None
