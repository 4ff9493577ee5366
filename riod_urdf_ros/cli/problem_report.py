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

"""Problems as a good compiler shows them: file:line, the line itself, a caret, a hint."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
import re

from .console import Console, width
from ..exceptions import Problem
from ..wording import count, printable

# What messages put in quotes, or between < and >, is what is to be pointed at.
_QUOTED = re.compile(r"""(?<!\w)'([^']*)'(?!\w)|"([^"]*)"|<([A-Za-z_][\w:.-]*)""")
# Some write a whole robot on one line, and every problem is looked for in it.
_LONGEST = 100_000


def divide(message: str) -> tuple[str, str]:
    """
    Divide a message into what is wrong and what to do about it.

    They are separated by the first ``; `` outside of quotes.
    """
    bare = _QUOTED.sub(lambda match: '_' * len(match[0]), message)
    at = bare.find('; ')
    return (message, '') if at < 0 else (message[:at], message[at + 2:])


def pointed_at(message: str, line: str) -> tuple[int, int]:
    """
    Find what a message is about.

    :param line: of the file.
    :return: where it begins in the line, and its length; the whole text of the line if nothing
        that the message names is in it.
    """
    found, inside = None, 0
    for match in _QUOTED.finditer(divide(message)[0]):
        value, tag = match[1] or match[2], match[3]
        places = [f'"{value}"', f"'{value}'", f' {value}='] if value else [f'<{tag}']
        for text in places if value or tag else []:
            # A message goes from the whole to the part: what it names next is further on, if
            # it is there too.
            at = max(line.find(text, inside), line.find(text))
            if at >= 0:
                found, inside = (at + 1, len(value or tag)), max(inside, at)
    if found is None:
        text = line.strip()
        found = len(line) - len(line.lstrip()), max(len(text), 1)
    return found


def excerpt(console: Console, problem: Problem, lines: Sequence[str]) -> None:
    """Show the line that a problem is about, and point at the place in it."""
    if not 0 < problem.line <= len(lines):
        return
    line = lines[problem.line - 1][:_LONGEST].rstrip()
    if not line:
        return
    start, length = pointed_at(problem.message, line)
    margin = f'{problem.line:6d} | '
    room = max(console.columns - len(margin), 30)
    cut = max(min(start - room // 4, len(line) - room), 0)
    shown = printable(line[cut:cut + room])
    if cut:
        shown = f'...{shown[3:]}'
    if cut + room < len(line):
        shown = f'{shown[:-3]}...'
    start -= cut
    before, marked = width(shown[:start]), width(shown[start:start + length])
    mark = '^' + '~' * (marked - 1)
    console.write(f'{console.paint(margin, "dim")}{shown}')
    console.write(' ' * 7 + console.paint('| ', 'dim') + ' ' * before
                  + console.paint(mark, problem.level))


def print_problems(
        console: Console, name: str, problems: Iterable[Problem], text: str = '') -> None:
    """
    Print problems, each with its line.

    :param name: of the file.
    :param text: the description; without it, messages only.
    """
    lines = text.split('\n')
    for problem in problems:
        what, hint = divide(problem.message)
        where = f'{name}:{problem.line}:' if problem.line else f'{name}:'
        console.write(f'{console.paint(printable(where), "bold")} '
                      f'{console.paint(f"{problem.level}:", problem.level)} {printable(what)}')
        excerpt(console, problem, lines)
        if hint:
            console.paragraph(printable(hint), indent=' ' * 15,
                              first=f'         {console.paint("hint:", "hint")} ')


def summary(problems: Iterable[Problem]) -> str:
    """Count problems in words."""
    levels = [problem.level for problem in problems]
    found = [count(levels.count(level), level) for level in ('error', 'warning')
             if level in levels]
    return ', '.join(found) or 'no problems'
