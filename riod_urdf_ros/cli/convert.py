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

"""``riod_urdf convert``: a mechanism from one format into another."""

from __future__ import annotations

import argparse
from pathlib import Path
import sys

from .console import Console
from ..exceptions import UsageError
from ..formats.conversion import convert, SOURCES
from ..wording import printable

_HELP = {
    'urdf': 'URDF with riod elements', 'loops': 'URDF with <constraint>, <loop_joint>, <loop>',
    'yaml': 'URDF with a YAML file beside it', 'onshape': 'URDF with closing_... frames',
    'mjcf': 'MuJoCo', 'sdf': 'Gazebo, Drake'}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument('model', metavar='INPUT', help='URDF, xacro, MJCF or SDF')
    parser.add_argument('-o', '--output', metavar='OUTPUT', required=True,
                        help='file to write: .urdf, .xml (MJCF) or .sdf')
    parser.add_argument(
        '--from', dest='source', choices=SOURCES, metavar='FORMAT',
        help='format of the input, recognised if not given: '
        + ', '.join(f'{name} ({text})' for name, text in _HELP.items()))
    parser.add_argument(
        '--home', nargs='+', default=(), metavar='NAME=VALUE',
        help='make this pose the zero of all joints, loops closed, rad or m; or "assembled", for '
        'a file that is open at zero; or a keyframe of an MJCF')
    parser.add_argument('--actuated', nargs='+', metavar='JOINT',
                        help='the joints with motors, instead of those that the input tells')


def run(arguments: argparse.Namespace) -> int:
    """
    Convert one file, and tell what was not kept and what was chosen.

    :return: exit status.
    """
    path, output = Path(arguments.model), Path(arguments.output)
    if output.exists() and path.exists() and output.samefile(path):
        raise UsageError('the output is the input; write it to another file')
    conversion = convert(path, output, source=arguments.source, actuated=arguments.actuated,
                         home=arguments.home, mappings=arguments.mappings)
    try:
        output.write_text(conversion.text, encoding='utf-8')
    except (OSError, ValueError) as error:
        raise UsageError(f'cannot write {output}: {error}') from None
    console = Console(sys.stdout)
    for remark in conversion.remarks:
        console.write(console.paint(printable(str(remark)),
                                    'warning' if remark.kind == 'lost' else 'plain'))
    lost = sum(remark.kind == 'lost' for remark in conversion.remarks)
    console.write(f'{console.paint(str(output), "bold")}: converted from {conversion.source}; '
                  + (f'{lost} thing{"s" if lost > 1 else ""} not kept' if lost else
                     'everything kept'))
    return 0
