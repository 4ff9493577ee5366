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

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from ..completion.robot_in_use import CurrentRobot
from ..exceptions import DescriptionError
from ..solver.closure_solver import ClosureSolver
from ..urdf.loader import read_text
from ..urdf.xml_reader import decode


class WatchedModel:
    """
    A model file.

    :param path: URDF or xacro.
    :param known_joints: joints to know instead of those actuated ones that they are tied to.
    :ivar text: of the description in use; '' before the first good one.
    :ivar refused: why the newest text is not in use; empty if it is.
    """

    def __init__(self, path: Path, known_joints: Sequence[str]) -> None:
        """Read nothing yet."""
        self.path = path
        self._robot = CurrentRobot(partial(ClosureSolver, known_joints=tuple(known_joints)))
        self._seen: tuple[tuple[str, int, int], ...] | None = None
        self.text = ''
        self.refused: tuple[str, ...] = ()

    @property
    def solver(self) -> ClosureSolver | None:
        """Return the solver of the description in use; None before the first good one."""
        return self._robot.completer.solver if self._robot.completer else None

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return what is doubtful in the description in use."""
        return self._robot.warnings

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
            text = decode(read_text(self.path))
        except DescriptionError as error:
            self.refused = tuple(map(str, error.problems))
            return True
        self._robot.use(text)
        self.refused = self._robot.refused
        if not self.refused:
            self.text = text
        return True

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
