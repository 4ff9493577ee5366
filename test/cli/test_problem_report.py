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

"""Problems as a compiler shows them."""

from __future__ import annotations

import io

import pytest
from riod_urdf_ros.cli.console import Console
from riod_urdf_ros.cli.problem_report import divide, pointed_at, print_problems, summary
from riod_urdf_ros.exceptions import Problem
from support.commands import Terminal


@pytest.mark.parametrize('message, parts', [
    ('a is wrong', ('a is wrong', '')),
    ('a is wrong; write b; or c', ('a is wrong', 'write b; or c')),
    ("'x; y' is wrong; write z", ("'x; y' is wrong", 'write z')),
    ("the file's end; it's cut", ("the file's end", "it's cut"))])
def test_a_hint_comes_after_the_first_semicolon(message: str, parts: tuple[str, str]) -> None:
    assert divide(message) == parts


@pytest.mark.parametrize('message, marked', [
    ("<riod:actuated> has value 'no'; write true", 'no'),
    ("joint 'a': <riod:actuated> has no value", 'riod:actuated'),
    ("nothing of that is in 'there'", '<riod:actuated value="no"/>')])
def test_the_caret_is_under_what_the_message_is_about(message: str, marked: str) -> None:
    line = '    <riod:actuated value="no"/>'
    start, length = pointed_at(message, line)
    assert line[start:start + length] == marked


def test_the_caret_goes_from_the_whole_to_the_part() -> None:
    line = '<joint name="a"><origin xyz="0 0 0"/><axis xyz="0 0 0"/></joint>'
    start, _ = pointed_at("joint 'a': <axis> is zero ('0 0 0')", line)
    assert line[:start].endswith('<axis xyz="')


def test_a_long_line_is_cut_around_the_place() -> None:
    out = io.StringIO()
    line = '<a/>' * 100 + '<b name="here"/>' + '<c/>' * 100
    print_problems(Console(out), 'f', [Problem('error', "'here' is wrong", 1)], line)
    _, shown, caret = out.getvalue().splitlines()
    assert len(shown) <= 100
    assert shown[caret.index('^'):].startswith('here"/>')


def test_wide_and_invisible_characters_do_not_move_the_caret() -> None:
    out = io.StringIO()
    print_problems(Console(out), 'f', [Problem('warning', "'b' is wrong", 1)], '連桿\x1b[31m="b"')
    _, shown, caret = out.getvalue().splitlines()
    assert '\x1b' not in shown
    assert caret.index('^') == shown.index('b"') + 2


def test_colour_is_for_terminals_and_can_be_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem('error', 'bad', 1)
    monkeypatch.setenv('TERM', 'xterm')
    monkeypatch.delenv('NO_COLOR', raising=False)
    for no_colour, stream, coloured in (
            ('', Terminal(), True), ('1', Terminal(), False), ('', io.StringIO(), False)):
        monkeypatch.setenv('NO_COLOR', no_colour)
        print_problems(Console(stream), 'f', [problem], '<a/>')
        assert ('\033[' in stream.getvalue()) is coloured


def test_the_summary_counts() -> None:
    error, warning = Problem('error', ''), Problem('warning', '')
    assert summary([]) == 'no problems'
    assert summary([error, warning, warning]) == '1 error, 2 warnings'
