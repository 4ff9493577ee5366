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

"""``riod_urdf new``: a starting file for a mechanism, from its lengths."""

from __future__ import annotations

import argparse
from pathlib import Path
import shlex

from ..exceptions import UsageError
from ..templates.kinds import KINDS, write_template


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    kinds = parser.add_subparsers(dest='kind', metavar='KIND', required=True)
    for name, kind in KINDS.items():
        command = kinds.add_parser(
            name, help=kind.summary, description=f'Write a starting file: {kind.summary}.')
        command.add_argument('-o', '--output', metavar='FILE', required=True,
                             help='URDF to write; a file that is there already is kept')
        for length, value in kind.lengths.items():
            angle = 'angle' in length or length == 'rise'
            command.add_argument(
                f'--{length.replace("_", "-")}', dest=length, type=float, metavar='LENGTH',
                help=f'{"rad" if angle else "m"}; {value:.4g} if it is not given')


def run(arguments: argparse.Namespace) -> int:
    """
    Write the file.

    :return: exit status.
    """
    lengths = {name: value for name in KINDS[arguments.kind].lengths
               if (value := getattr(arguments, name)) is not None}
    text, output = write_template(arguments.kind, lengths), Path(arguments.output)
    try:
        # Somebody's work of last week is not written over.
        with output.open('x', encoding='utf-8') as file:
            file.write(text)
    except FileExistsError:
        raise UsageError(f'{output} is there already; name another file') from None
    except (OSError, ValueError) as error:
        raise UsageError(f'cannot write {output}: {error}') from None
    name = shlex.quote(str(output))
    print(f'{output}: {KINDS[arguments.kind].summary}; riod_urdf check {name} and riod_urdf view '
          f'{name} show it')
    return 0
