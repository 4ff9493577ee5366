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

from pathlib import Path

from .parser import Description, parse
from .xml_reader import MAX_BYTES
from ..exceptions import DescriptionError, Problem


def load(path: str | Path) -> Description:
    """
    Read a robot description from a file.

    :param path: a URDF; a file whose name ends in ``.xacro`` is expanded first, and lines of
        problems are then those of the expanded text.
    :raises DescriptionError: if the file cannot be read or expanded, or the description in it
        cannot be used.
    """
    return parse(read_text(path))


def read_text(path: str | Path) -> str | bytes:
    """
    Return the text of a robot description, xacro expanded.

    :param path: a URDF, or a file whose name ends in ``.xacro``.
    :raises DescriptionError: if the file cannot be read or expanded.
    """
    path = Path(path)
    return _expand(path) if path.suffix == '.xacro' else _read(path)


def _read(path: Path) -> bytes:
    """Return the file's bytes, one more than a description may have at most."""
    try:
        with path.open('rb') as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        # A ValueError is a path with a NUL in it.
        reason = getattr(error, 'strerror', None) or str(error)
        raise _problem(f'cannot read {path}: {reason}') from None


def _expand(path: Path) -> str:
    """Let xacro expand a file, without arguments."""
    _read(path)
    try:
        # Not needed for plain URDF, and not installed everywhere.
        import xacro
    except ImportError:
        raise _problem(
            f'cannot expand {path}: xacro is not installed (the ROS package xacro, or pip install '
            'xacro)') from None
    try:
        return str(xacro.process_file(str(path)).toprettyxml(indent='  '))
    except (Exception, SystemExit) as error:  # noqa: BLE001
        # Expressions in the file are Python code and raise whatever they like.
        reason = ' '.join(str(error).split()) or type(error).__name__
        raise _problem(f'xacro cannot expand {path}: {reason}',
                       getattr(error, 'lineno', 0)) from None


def _problem(message: str, line: int = 0) -> DescriptionError:
    return DescriptionError([Problem('error', message, line)])
