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

"""Robot descriptions from files, xacro expanded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType, ModuleType

from .parser import Description, parse
from .xml_reader import MAX_BYTES
from ..exceptions import DescriptionError, Problem
from ..wording import listing, printable, quote

# Expressions of xacro may be long, and are quoted whole.
_LONGEST_REASON = 400


def load(path: str | Path, mappings: Mapping[str, str] = MappingProxyType({})) -> Description:
    """
    Read a robot description from a file.

    :param path: a URDF; a file whose name ends in ``.xacro`` is expanded first, and lines of
        problems are then those of the expanded text.
    :param mappings: arguments of a xacro, as ``name:=value`` gives them.
    :raises DescriptionError: if the file cannot be read or expanded, or the description in it
        cannot be used.
    """
    text = read_text(path, mappings)
    try:
        return parse(text)
    except DescriptionError as error:
        if not isinstance(text, str):
            raise
        raise DescriptionError(_with_lines(error.problems, text)) from None


def _with_lines(problems: Iterable[Problem], text: str) -> Iterator[Problem]:
    """Quote the lines that problems are about: nobody else has seen the expanded text."""
    lines = text.split('\n')
    for problem in problems:
        line = lines[problem.line - 1].strip() if 0 < problem.line <= len(lines) else ''
        yield replace(problem, message=f'{problem.message} (expanded: {quote(line, 120)})'
                      ) if line else problem


def read_text(
        path: str | Path, mappings: Mapping[str, str] = MappingProxyType({})) -> str | bytes:
    """
    Return the text of a robot description, xacro expanded.

    :param path: a URDF, or a file whose name ends in ``.xacro``.
    :param mappings: arguments of a xacro, as ``name:=value`` gives them.
    :raises DescriptionError: if the file cannot be read or expanded, or takes no arguments.
    """
    path = Path(path)
    if path.suffix == '.xacro':
        return _expand(path, mappings)
    if mappings:
        raise _problem(f'{path} takes no arguments ({listing(mappings)}): its name does not end '
                       'in .xacro')
    return _read(path)


def _read(path: Path) -> bytes:
    """Return the file's bytes, one more than a description may have at most."""
    try:
        with path.open('rb') as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        # A ValueError is a path with a NUL in it.
        reason = getattr(error, 'strerror', None) or str(error)
        raise _problem(f'cannot read {path}: {reason}') from None


def _expand(path: Path, mappings: Mapping[str, str]) -> str:
    """Let xacro expand a file."""
    _read(path)
    try:
        # Not needed for plain URDF, and not installed everywhere.
        import xacro
    except ImportError:
        raise _problem(
            f'cannot expand {path}: xacro is not installed (the ROS package xacro, or pip install '
            'xacro)') from None
    try:
        return str(xacro.process_file(str(path), mappings=dict(mappings)).toprettyxml(indent='  '))
    except (Exception, SystemExit) as error:  # noqa: BLE001
        # Expressions in the file are Python code and raise whatever they like.
        reason = ' '.join(str(error).split())[:_LONGEST_REASON] or type(error).__name__
        raise _problem(f'xacro cannot expand {path}: {reason}{_place(xacro, path)}',
                       getattr(error, 'lineno', 0)) from None


def _place(xacro: ModuleType, path: Path) -> str:
    """Return where xacro was, as far as it tells: macros from the innermost, then files."""
    # Not in every release.
    macros = [macro.body.getAttribute('name')
              for macro in getattr(xacro, 'macrostack', None) or ()]
    files = [file for file in getattr(xacro, 'filestack', None) or ()
             if file not in (None, str(path))]
    words = [f'in macro {quote(name)}' for name in reversed(macros)]
    words += [f'in file {quote(file, 200)}' for file in reversed(files)]
    return f' ({", ".join(words)})' if words else ''


def _problem(message: str, line: int = 0) -> DescriptionError:
    return DescriptionError([Problem('error', printable(message), line)])
