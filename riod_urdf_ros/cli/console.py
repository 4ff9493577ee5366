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
import textwrap
from time import monotonic
from types import TracebackType
from typing import Literal, TextIO

from rich.cells import cell_len
from rich.color import ColorSystem
import rich.console
import rich.progress
from rich.style import Style as RichStyle
from rich.table import Table
from rich.text import Text

from ..colours import ROLES, STATES

Style = Literal[
    'plain', 'bold', 'dim', 'error', 'warning', 'good', 'hint', 'actuated', 'passive', 'mimic']
Cell = str | tuple[str, Style]

# The colours of everything else that is shown; rich takes the nearest that a terminal has.
_STYLES: dict[Style, RichStyle] = {
    'plain': RichStyle(), 'bold': RichStyle(bold=True), 'dim': RichStyle(dim=True),
    'error': RichStyle(color=STATES['open'], bold=True),
    'warning': RichStyle(color=STATES['strained'], bold=True),
    'good': RichStyle(color=STATES['closed'], bold=True), 'hint': RichStyle(italic=True),
    'actuated': RichStyle(color=ROLES['actuated'], bold=True),
    'passive': RichStyle(color=ROLES['passive']), 'mimic': RichStyle(color=ROLES['mimic'])}
# Where nobody looks at it, a row stays on one line, and running text is broken here.
_ENDLESS, _TEXT = 10_000, 100
_LEAST = 40
_PATIENCE = 0.5  # s


def width(text: str) -> int:
    """Return the columns that a text takes on a terminal."""
    return cell_len(text)


class Console:
    """
    A stream that people read.

    :param stream: colour is used only if it is a terminal (and ``NO_COLOR`` is not set).
    """

    def __init__(self, stream: TextIO) -> None:
        """Look at the stream and the environment."""
        self._stream = stream
        self._rich = rich.console.Console(
            file=stream, highlight=False, markup=False, emoji=False,
            width=None if stream.isatty() else _ENDLESS)
        self.columns = max(self._rich.width, _LEAST) if stream.isatty() else _TEXT

    def paint(self, text: str, style: Style) -> str:
        """Colour a text, where that is wanted."""
        name = None if self._rich.no_color else self._rich.color_system
        return text if name is None else _STYLES[style].render(
            text, color_system=_SYSTEMS[name])

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
        Write a table; on a terminal that is too narrow, its cells are folded.

        :param rows: cells, with their style where they have one.
        """
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style='dim')
        for title in header:
            table.add_column(title, overflow='fold')
        for row in rows:
            table.add_row(*(Text(cell) if isinstance(cell, str)
                            else Text(cell[0], _STYLES[cell[1]]) for cell in row))
        with self._rich.capture() as captured:
            self._rich.print(table, width=self._rich.width - 2)
        self.write(*(f'  {line}'.rstrip() for line in captured.get().splitlines()))

    def can_show(self, characters: str) -> bool:
        """Return whether the stream's encoding has these characters."""
        try:
            characters.encode(self._stream.encoding or 'ascii')
        except (LookupError, UnicodeEncodeError):
            return False
        return True


_SYSTEMS = {'standard': ColorSystem.STANDARD, '256': ColorSystem.EIGHT_BIT,
            'truecolor': ColorSystem.TRUECOLOR, 'windows': ColorSystem.WINDOWS}


class Progress:
    """
    A progress bar on a terminal, nothing elsewhere; it is taken away at the end.

    :param stream: usually stderr.
    :param unit: what is counted.
    :param wanted: whether it is, though there is a terminal.
    """

    def __init__(self, stream: TextIO, unit: str, *, wanted: bool = True) -> None:
        """Show nothing yet."""
        self._bar = rich.progress.Progress(
            rich.progress.BarColumn(), rich.progress.MofNCompleteColumn(),
            rich.progress.TextColumn(unit), rich.progress.TimeRemainingColumn(),
            console=rich.console.Console(file=stream), transient=True,
            disable=not (wanted and stream.isatty()))
        self._task: rich.progress.TaskID | None = None
        self._start = monotonic()

    def __enter__(self) -> Progress:
        """Show it from the first update on."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        """Take it away."""
        self._bar.stop()

    def update(self, done: int, total: int) -> None:
        """Show how far it is; what is done at once needs no bar."""
        if monotonic() - self._start < _PATIENCE:
            return
        if self._task is None:
            self._task = self._bar.add_task('', total=total)
            self._bar.start()
        self._bar.update(self._task, completed=done)
