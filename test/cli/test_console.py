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


def test_progress_is_for_what_takes_its_time_on_a_terminal(
        monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(console, 'monotonic', lambda: now[0])
    for stream, total, seen in ((Terminal(), 4, True), (Terminal(), 1, False),
                                (io.StringIO(), 4, False)):
        now[0] = 0.0
        progress = Progress(stream, total, 'joints')
        progress.update(1)
        assert stream.getvalue() == ''
        now[0] = 2.0
        progress.update(2)
        progress.update(3)
        progress.close()
        assert ('2/4 joints, 2 s left' in stream.getvalue()) is seen
        assert '3/4' not in stream.getvalue()
        assert stream.getvalue().endswith('\r\033[K') is seen
