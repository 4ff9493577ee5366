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

"""A model file, read again when it changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from ..exceptions import DescriptionError, UsageError
from ..solver.closure_solver import ClosureSolver
from ..urdf.loader import read_text
from ..urdf.parser import parse
from ..urdf.xml_reader import decode


class WatchedModel:
    """
    A model file.

    :param path: URDF or xacro.
    :param known_joints: joints to know instead of those actuated ones that they are tied to.
    :param mappings: arguments of a xacro.
    :param home: the pose to assemble from, where it is not zero, by joint, rad and m.
    :ivar solver: of the description in use; None before the first good one.
    :ivar text: of the description in use.
    :ivar warnings: what is doubtful in it.
    :ivar refused: why the newest text is not in use; empty if it is.
    """

    def __init__(self, path: Path, known_joints: Sequence[str],
                 mappings: Mapping[str, str] = MappingProxyType({}),
                 home: Mapping[str, float] = MappingProxyType({})) -> None:
        """Read nothing yet."""
        self.path, self._known_joints = path, tuple(known_joints)
        self._mappings, self._home = dict(mappings), dict(home)
        self._seen: tuple[tuple[str, int, int], ...] | None = None
        self.solver: ClosureSolver | None = None
        self.text = ''
        self.warnings: tuple[str, ...] = ()
        self.refused: tuple[str, ...] = ()

    def look(self) -> bool:
        """
        Read the file if it has changed since the last look.

        :return: whether it has.
        """
        seen = tuple(self._files())
        if seen == self._seen:
            return False
        self._seen = seen
        try:
            self._read()
            self.refused = ()
        except DescriptionError as error:
            self.refused = tuple(map(str, error.problems))
        except UsageError as error:
            self.refused = (str(error),)
        return True

    def _read(self) -> None:
        text = decode(read_text(self.path, self._mappings))
        if text == self.text:
            return
        description = parse(text)
        solver = ClosureSolver(
            description.robot, known_joints=self._known_joints, home=self._home)
        self.solver, self.text = solver, text
        self.warnings = tuple(map(str, (*description.problems, *solver.problems)))

    def _files(self) -> list[tuple[str, int, int]]:
        """Return the file and, of a xacro, those beside it, which it may include."""
        files = [self.path]
        if self.path.suffix == '.xacro':
            files += sorted(self.path.parent.glob('*.xacro'))
        found = []
        for file in files:
            try:
                status = file.stat()
            except OSError:
                continue
            found.append((str(file), status.st_mtime_ns, status.st_size))
        return found
