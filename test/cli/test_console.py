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

"""Tables, paragraphs and progress, for terminals and for files."""

from __future__ import annotations

import io

import pytest
from rich.text import Text
from riod_urdf_ros.cli import console
from riod_urdf_ros.cli.console import Console, Progress, width
from riod_urdf_ros.wording import printable
from support.commands import Terminal


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    out = io.StringIO()
    Console(out).table(('A', 'B'), [['long name', ('x', 'good')], ['\u9023', 'y']])
    assert out.getvalue().splitlines() == [
        '  A          B', '  long name  x', '  \u9023         y']


def test_nothing_of_a_file_moves_the_cursor() -> None:
    assert not any(ord(letter) < 32 or ord(letter) == 127 for letter in printable('a\x1b[31m\x7f'))
    assert width('\u9023\u687f') == 4


@pytest.mark.parametrize('encoding, shown', [('utf-8', True), ('ascii', False)])
def test_characters_that_the_stream_has(encoding: str, shown: bool) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    assert Console(stream).can_show('\u251c') is shown


def test_a_narrow_terminal_gets_folded_cells_and_a_pipe_whole_rows(
        monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('COLUMNS', '60')
    monkeypatch.setenv('TERM', 'xterm')
    row = ['a_link_with_a_rather_long_name', 'a_joint_with_a_rather_long_name', 'revolute']
    for stream in (Terminal(), io.StringIO()):
        Console(stream).table(('LINK', 'JOINT', 'TYPE'), [row])
        plain = Text.from_ansi(stream.getvalue()).plain.splitlines()
        if stream.isatty():
            assert len(plain) > 2
            assert max(map(len, plain)) <= 60
        else:
            assert plain[1].split() == row
        assert ''.join(''.join(plain).split()).count('name') == 2


@pytest.mark.parametrize('variable', ['NO_COLOR', 'TERM'])
def test_colour_is_for_terminals_that_want_it(
        variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv('NO_COLOR', raising=False)
    monkeypatch.setenv('TERM', 'xterm-256color')
    assert Console(io.StringIO()).paint('x', 'error') == 'x'
    assert Console(Terminal()).paint('x', 'error').startswith('\x1b[')
    monkeypatch.setenv(variable, 'dumb')
    assert Console(Terminal()).paint('x', 'error') == 'x'


def test_progress_is_for_what_takes_its_time_on_a_terminal(
        monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('TERM', 'xterm')
    now = [0.0]
    monkeypatch.setattr(console, 'monotonic', lambda: now[0])
    for stream, wanted, seen in ((Terminal(), True, True), (Terminal(), False, False),
                                 (io.StringIO(), True, False)):
        now[0] = 0.0
        with Progress(stream, 'joints', wanted=wanted) as progress:
            progress.update(1, 4)
            assert stream.getvalue() == ''
            now[0] = 2.0
            progress.update(2, 4)
        assert ('2/4 joints' in Text.from_ansi(stream.getvalue()).plain) is seen
        # It is taken away again, and the cursor is back.
        assert ('\x1b[2K' in stream.getvalue()) is seen
        assert stream.getvalue().count('\x1b[?25l') == stream.getvalue().count('\x1b[?25h')
