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

"""What can go wrong, in words a person can act on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Problem:
    """
    One thing that is wrong, or doubtful, in a robot description.

    :param level: 'error' (the description cannot be used) or 'warning'.
    :param message: what is wrong, where, and what would be right.
    :param line: line in the text of the description, counted from 1; 0 where no single line
        is to blame.
    """

    level: Literal['error', 'warning']
    message: str
    line: int = 0

    def __str__(self) -> str:
        """Return the problem on one line, as a compiler would."""
        where = f'line {self.line}: ' if self.line else ''
        return f'{where}{self.level}: {self.message}'


class RiodUrdfError(Exception):
    """Base of the errors that this package raises on purpose."""


class DescriptionError(RiodUrdfError):
    """
    A robot description that cannot be used.

    :param problems: all problems found, warnings included.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        """Keep the problems and make them the message."""
        self.problems = tuple(problems)
        super().__init__('\n'.join(str(problem) for problem in self.problems))


class UsageError(RiodUrdfError):
    """A call that names an unknown joint, or gives an impossible value."""
