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

"""Text for people: colour where there is a terminal, columns that line up, one progress bar."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
import os
import shutil
import textwrap
from time import monotonic
from typing import Literal, TextIO
import unicodedata

Style = Literal[
    'plain', 'bold', 'dim', 'error', 'warning', 'good', 'hint', 'actuated', 'passive', 'mimic']
Cell = str | tuple[str, Style]

# Blue, orange and magenta are told apart by colour-blind people too; words say the same.
_CODES: dict[Style, str] = {
    'bold': '1', 'dim': '2', 'error': '1;31', 'warning': '1;35', 'good': '1;32', 'hint': '36',
    'actuated': '1;34', 'passive': '33', 'mimic': '35'}
_BAR = 30


def width(text: str) -> int:
    """Return the columns that a text takes on a terminal."""
    return sum(
        0 if unicodedata.combining(character)
        else 2 if unicodedata.east_asian_width(character) in 'WF' else 1
        for character in text)


class Console:
    """
    A stream that people read.

    :param stream: colour is used only if it is a terminal (and ``NO_COLOR`` is not set).
    """

    def __init__(self, stream: TextIO) -> None:
        """Look at the stream and the environment."""
        self._stream = stream
        self.terminal = stream.isatty()
        self._colour = (self.terminal and not os.environ.get('NO_COLOR')
                        and os.environ.get('TERM') != 'dumb')
        columns = shutil.get_terminal_size((100, 24)).columns if self.terminal else 100
        self.columns = max(columns, 40)

    def paint(self, text: str, style: Style) -> str:
        """Colour a text, where that is wanted."""
        if not self._colour or style == 'plain' or not text:
            return text
        return f'\033[{_CODES[style]}m{text}\033[0m'

    def write(self, *lines: str) -> None:
        """Write lines; without any, an empty one."""
        for line in lines or ('',):
            self._stream.write(f'{line}\n')

    def paragraph(self, text: str, indent: str = '  ', first: str | None = None) -> None:
        """Write running text, broken into lines."""
        self.write(*textwrap.wrap(
            text, self.columns, initial_indent=indent if first is None else first,
            subsequent_indent=indent, break_long_words=False, break_on_hyphens=False))

    def table(self, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
        """
        Write a table.

        :param rows: cells, with their style where they have one.
        """
        lines: list[list[tuple[str, Style]]] = [[(title, 'dim') for title in header]]
        lines += [[cell if isinstance(cell, tuple) else (cell, 'plain') for cell in row]
                  for row in rows]
        widths = [max(width(line[i][0]) for line in lines) for i in range(len(header))]
        for line in lines:
            text = '  '.join(self.paint(cell, style) + ' ' * (size - width(cell))
                             for (cell, style), size in zip(line, widths, strict=True))
            self.write(f'  {text}'.rstrip())

    def can_show(self, characters: str) -> bool:
        """Return whether the stream's encoding has these characters."""
        try:
            characters.encode(self._stream.encoding or 'ascii')
        except (LookupError, UnicodeEncodeError):
            return False
        return True


class Progress:
    """
    A progress bar on a terminal, nothing elsewhere.

    :param stream: usually stderr.
    :param total: of the steps to come.
    """

    def __init__(self, stream: TextIO, total: int, unit: str) -> None:
        """Show nothing yet: what is done at once needs no bar."""
        self._stream, self._total, self._unit = stream, total, unit
        self._shown = False
        self._start = self._last = monotonic()
        self._wanted = stream.isatty() and total > 1

    def update(self, done: int) -> None:
        """Show how far it is, at most ten times a second."""
        now = monotonic()
        if not self._wanted or now - self._last < (0.1 if self._shown else 0.5):
            return
        self._last, self._shown = now, True
        full = _BAR * done // self._total
        left = (now - self._start) * (self._total - done) / max(done, 1)
        self._stream.write(
            f'\r[{"#" * full}{"." * (_BAR - full)}] {done}/{self._total} {self._unit}, '
            f'{left:.0f} s left \033[K')
        self._stream.flush()

    def close(self) -> None:
        """Take the bar away."""
        if self._shown:
            self._stream.write('\r\033[K')
            self._stream.flush()
