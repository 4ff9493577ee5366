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

"""What a parameter file says about one node, for a launch file that has to know."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import yaml

from ..exceptions import UsageError


def known_joints_in(path: Path, node: str) -> tuple[str, ...]:
    """
    Return the value of ``known_joints`` that a node would take from a file.

    :param node: fully qualified name.
    :raises UsageError: if the file cannot be read, is no parameter file or names no joints there.
    """
    try:
        tree = yaml.safe_load(path.read_text(encoding='utf-8'))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise UsageError(f'params_file {path} cannot be read: {error}') from error
    names: Any = ()
    for pattern, parameters in _blocks('', tree):
        # As rcl has it: of several blocks that match, the last one counts.
        if fnmatchcase(node, pattern) and 'known_joints' in parameters:
            names = parameters['known_joints'] or ()
    if not isinstance(names, (list, tuple)) or not all(isinstance(n, str) for n in names):
        raise UsageError(f'known_joints in {path} has to be a list of names, not {names!r}')
    return tuple(filter(None, names))


def _blocks(prefix: str, tree: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Find all ``ros__parameters``, each with a pattern of the names of its nodes."""
    for key, value in tree.items() if isinstance(tree, dict) else ():
        if key == 'ros__parameters' and isinstance(value, dict):
            yield prefix, value
            continue
        # ** stands for any number of names, none included; * for exactly one.
        part = '/' + str(key).strip('/')
        yield from _blocks(prefix + part.replace('/**', '*'), value)
