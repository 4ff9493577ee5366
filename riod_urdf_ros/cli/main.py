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
The command line ``riod_urdf``; it needs no running ROS.

Only the module of the command that was asked for is imported, so that help and completion do
not wait for the libraries of all.
"""
# PYTHON_ARGCOMPLETE_OK

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module
import os
import re
import sys
from typing import Any

from ..politeness import politely

_COMMANDS = {
    'new': ('new', 'write a starting file for a mechanism, from its lengths'),
    'check': ('check', 'tell what is wrong with a model, and how its mechanism works'),
    'solve': ('solve', 'complete joint positions from those of the motors'),
    'modes': ('modes', 'list all poses in which the loops close for given motors'),
    'reach': ('reach', 'find motor positions that bring a frame where it is wanted'),
    'sweep': ('sweep', 'tell how far each motor can go with all loops closed'),
    'convert': ('convert', 'bring a mechanism from or to MJCF, SDF and the dialects of URDF'),
    'plot': ('plot', 'draw a mechanism, at rest or along a sweep'),
    'bag': ('bag', 'complete the joint states in a recorded bag'),
    'view': ('view', 'show a mechanism in the browser, with a slider for each motor'),
}
# Arguments of a xacro, as ROS writes them.
_MAPPING = re.compile(r'([A-Za-z_]\w*):=(.*)', re.DOTALL)


def main(args: Sequence[str] | None = None) -> int:
    """
    Run one command.

    :param args: without the program's name.
    :return: exit status: 0 fine, 1 the model or a state has errors, 2 usage.
    """
    return politely('riod_urdf', lambda: _main(args))


def _main(args: Sequence[str] | None) -> int:
    words = list(sys.argv[1:] if args is None else args)
    if '_ARGCOMPLETE' in os.environ:
        words = os.environ.get('COMP_LINE', '').split()[1:]
    parser = _parser(next((word for word in words if not word.startswith('-')), ''))
    _complete(parser)
    words = list(sys.argv[1:] if args is None else args)
    mappings = {match[1]: match[2] for word in words if (match := _MAPPING.fullmatch(word))}
    arguments, unknown = parser.parse_known_args(
        [word for word in words if not _MAPPING.fullmatch(word)])
    if unknown:
        # The parser of all commands would show a usage that has nothing to do with it.
        arguments.parser.error(f'unrecognized arguments: {" ".join(unknown)}')
    arguments.mappings = mappings
    for stream in (sys.stdout, sys.stderr):
        # A name that the terminal's encoding has not got must not end in a traceback.
        if hasattr(stream, 'reconfigure'):
            stream.reconfigure(errors='backslashreplace')
    return _run(arguments)


def _parser(chosen: str) -> argparse.ArgumentParser:
    """Declare all commands, and the arguments of the chosen one."""
    parser = argparse.ArgumentParser(
        prog='riod_urdf', description='Closed kinematic loops in URDF.',
        epilog='riod_urdf COMMAND --help tells more. Arguments of a xacro are given as '
               'NAME:=VALUE, anywhere.')
    parser.add_argument('--version', action=_Version, help='write the version and exit')
    commands = parser.add_subparsers(dest='command', metavar='COMMAND', required=True)
    for name, (module, summary) in _COMMANDS.items():
        command = commands.add_parser(
            name, help=summary, description=f'{summary[0].upper()}{summary[1:]}.')
        command.set_defaults(parser=command)
        if name == chosen:
            import_module(f'.{module}', __package__).add_arguments(command)
    return parser


class _Version(argparse.Action):
    """Write the version, which is looked up only then."""

    def __init__(self, **options: Any) -> None:
        super().__init__(nargs=0, **options)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from ..resources import version
        print(f'riod_urdf_ros {version()}')
        parser.exit()


def _complete(parser: argparse.ArgumentParser) -> None:
    """Answer the shell, if it asks for completions and argcomplete is installed."""
    try:
        import argcomplete
    except ImportError:
        return
    argcomplete.autocomplete(parser)


def _run(arguments: argparse.Namespace) -> int:
    """Run the command, and say what it could not do."""
    from ..exceptions import RiodUrdfError, UsageError
    module = import_module(f'.{_COMMANDS[arguments.command][0]}', __package__)
    try:
        return int(module.run(arguments))
    except UsageError as error:
        arguments.parser.print_usage(sys.stderr)
        print(f'riod_urdf {arguments.command}: error: {error}', file=sys.stderr)
        return 2
    except RiodUrdfError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == '__main__':
    sys.exit(main())
