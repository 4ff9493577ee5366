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


"""
The documentation: every URDF in it loads and closes, every command and program in it runs.

In a page, ``<!-- file: NAME -->`` before a block of XML names the file that a reader would save
it as. Commands run in that order, in a directory with these files and the examples; lines that
start with something else than ``riod_urdf`` (ros2, colcon, pip) are not run here.
"""

from __future__ import annotations

from pathlib import Path
import re
import shlex
from typing import NamedTuple

from checks import EXAMPLES
import pytest
from riod_urdf_ros.cli import main
from riod_urdf_ros.parser import parse
from riod_urdf_ros.solver import ClosureSolver

ROOT = EXAMPLES.parent
PAGES = [*sorted((ROOT / 'doc').glob('*.md')), ROOT / 'README.md']
_BLOCK = re.compile(r'(?:<!-- file: (\S+) -->\n)?^```(\w*)\n(.*?)^```$', re.MULTILINE | re.DOTALL)
_LINK = re.compile(r'\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)')
# These say what they are about: two motors that are tied to each other.
_WARNED = {'two_motors.urdf'}


class Block(NamedTuple):
    """A fenced block of a page."""

    file: str
    language: str
    text: str


def blocks(page: Path) -> list[Block]:
    return [Block(*groups) for groups in _BLOCK.findall(page.read_text(encoding='utf-8'))]


def robots() -> list[object]:
    return [pytest.param(block, id=f'{page.stem}-{block.file or number}')
            for page in PAGES for number, block in enumerate(blocks(page))
            if block.language == 'xml']


@pytest.mark.parametrize('block', robots())
def test_every_robot_is_sound_closed_at_home_and_moves(block: Block) -> None:
    description = parse(block.text)
    solver = ClosureSolver(description.robot)
    assert description.problems == ()
    assert (solver.problems == ()) == (block.file not in _WARNED)
    # Different for each motor, or a parallelogram would only be carried round.
    tied = bool(solver.structure.over_actuated)
    for value in (0.0, 0.05, 0.1):
        solution = solver.solve({name: value if tied else value * (1 + i)
                                 for i, name in enumerate(solver.independent)})
        assert {status.state for status in solution.closures.values()} == {'closed'}
        assert max(status.gap for status in solution.closures.values()) < 1e-9
    assert any(abs(solution.positions[name]) > 1e-4 for group in solver.groups
               for name in group.dependent)


@pytest.mark.parametrize('page', PAGES, ids=lambda page: page.stem)
def test_commands_and_programs_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                   capsys: pytest.CaptureFixture[str]) -> None:
    found = blocks(page)
    (tmp_path / 'urdf').symlink_to(EXAMPLES)
    monkeypatch.chdir(tmp_path)
    for block in found:
        if block.file:
            (tmp_path / block.file).write_text(block.text, encoding='utf-8')
    for block in found:
        if block.language == 'python':
            exec(compile(block.text, str(page), 'exec'), {})
        for line in block.text.splitlines() if block.language in ('', 'bash') else ():
            command = shlex.split(line, comments=True)
            if command[:1] != ['riod_urdf']:
                continue
            if command[1] == 'plot':
                pytest.importorskip('matplotlib')
                monkeypatch.setattr('riod_urdf_ros.picture._FRAMES', 4)
            if any(word.endswith('.xacro') for word in command):
                pytest.importorskip('xacro')
            assert main(command[1:]) == 0, f'{line}\n{capsys.readouterr()}'


@pytest.mark.parametrize('page', PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    for target, section in _LINK.findall(page.read_text(encoding='utf-8')):
        other = page.parent / target if target else page
        assert other.exists(), target
        if section:
            headings = re.findall(r'^#+ (.*)$', other.read_text(encoding='utf-8'), re.MULTILINE)
            anchors = [re.sub(r'[^\w -]', '', h).lower().replace(' ', '-') for h in headings]
            assert section in anchors, f'{target}#{section}'
