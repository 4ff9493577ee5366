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

"""Collecting what is wrong with a description, in one go and with words that help."""

from __future__ import annotations

from collections.abc import Collection
import difflib
import itertools

from ..exceptions import DescriptionError, Problem
from ..wording import listing, quote

_SUGGESTIONS = 20
_CANDIDATES = 1000
_NAME_LENGTH = 100
_PROBLEMS_OF_A_LEVEL = 500


class ProblemList:
    """The problems found so far."""

    def __init__(self) -> None:
        """Start without any."""
        self._errors: list[Problem] = []
        self._warnings: list[Problem] = []
        self._suggestions = _SUGGESTIONS

    def error(self, message: str, line: int = 0) -> None:
        """Note something that makes the description unusable."""
        self._errors.append(Problem('error', message, line))

    def warning(self, message: str, line: int = 0) -> None:
        """Note something doubtful."""
        self._warnings.append(Problem('warning', message, line))

    @property
    def error_count(self) -> int:
        """How many errors were noted."""
        return len(self._errors)

    def in_order(self) -> tuple[Problem, ...]:
        """
        Return all problems in the order of their lines.

        Of an absurd number of them (a megabyte of rubbish) the first are given, and a count.
        """
        kept: list[Problem] = []
        for found in (self._errors, self._warnings):
            found = sorted(found, key=lambda problem: problem.line)
            kept += found[:_PROBLEMS_OF_A_LEVEL]
            for first in found[_PROBLEMS_OF_A_LEVEL:][:1]:
                more = len(found) - _PROBLEMS_OF_A_LEVEL
                kept.append(Problem(first.level, f'and {more} more from here on', first.line))
        return tuple(sorted(kept, key=lambda problem: problem.line))

    def raise_errors(self) -> None:
        """
        Stop here if the description is unusable.

        :raises DescriptionError: with all problems, if any of them is an error.
        """
        if self._errors:
            raise DescriptionError(self.in_order())

    def near(self, name: str, known: Collection[str]) -> str:
        """
        Return the end of a sentence about an unknown name: the known ones it may have meant.

        Comparing is quadratic in the names' number and length: both are bounded, so that a
        broken description of any size is answered at once.
        """
        if not known:
            return ''
        if self._suggestions and len(name) <= _NAME_LENGTH:
            self._suggestions -= 1
            folded = {other.casefold(): other for other in itertools.islice(known, _CANDIDATES)
                      if len(other) <= _NAME_LENGTH}
            close = difflib.get_close_matches(name.casefold(), folded)
            if close:
                return f"; did you mean {' or '.join(quote(folded[other]) for other in close)}?"
        return f'; there are {listing(known)}'
