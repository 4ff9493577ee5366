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

In a page, ``<!-- file: NAME -->`` before a block names the file that a reader would save it as.
Commands run in that order, in a directory with these files and the examples; lines that start
with something else than ``riod_urdf`` (ros2, colcon, pip, scripts) are not run here.
"""

from __future__ import annotations

import os
from pathlib import Path
import re
import shlex
from typing import Any, NamedTuple

import pytest
from riod_urdf_ros.cli.main import main
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from riod_urdf_ros.urdf.parser import parse
from support.diagnostics_keys import DESCRIPTION_KEYS, INPUT_KEYS, LOOP_KEYS
from support.paths import EXAMPLES

ROOT = EXAMPLES.parent
README = ROOT / 'README.md'
# The links in doc are there for Sphinx; what they lead to is tested in its own place.
PAGES = [*sorted(page for page in (ROOT / 'doc').glob('*.md') if not page.is_symlink()), README]
_BLOCK = re.compile(r'(?:<!-- file: (\S+) -->\n)?^```(\w*)\n(.*?)^```$', re.MULTILINE | re.DOTALL)
_LINK = re.compile(r'(?:\]\(|src=")(?!https?:)([^)#"]*)(?:#([^)]*))?[)"]')
# These say what they are about: two motors that are tied to each other.
_WARNED = {'two_motors.urdf'}


class Block(NamedTuple):
    """A fenced block of a page."""

    file: str
    language: str
    text: str


def blocks(page: Path) -> list[Block]:
    return [Block(*groups) for groups in _BLOCK.findall(page.read_text(encoding='utf-8'))]


def words_of_commands(page: Path, program: str) -> list[list[str]]:
    return [words for block in blocks(page) if block.language in ('', 'bash')
            for words in (shlex.split(line, comments=True) for line in block.text.splitlines())
            if words and words[0].startswith(program)]


def inputs_of_convert(page: Path) -> set[str]:
    """Return the files that are of another format before they are converted."""
    return {words[2] for words in words_of_commands(page, 'riod_urdf') if words[1] == 'convert'}


def robots() -> list[object]:
    return [pytest.param(block, id=f'{page.stem}-{block.file or number}')
            for page in PAGES for number, block in enumerate(blocks(page))
            if block.language == 'xml' and block.file not in inputs_of_convert(page)]


@pytest.mark.parametrize('block', robots())
def test_every_robot_is_sound_closed_at_home_and_moves(block: Block) -> None:
    assert_sound(block.text, block.file in _WARNED)


def assert_sound(text: str, warned: bool = False) -> None:
    description = parse(text)
    solver = ClosureSolver(description.robot)
    assert description.problems == ()
    assert (solver.problems == ()) != warned
    # Different for each motor, or a parallelogram would only be carried round.
    tied = bool(solver.structure.over_actuated)
    for value in (0.0, 0.05, 0.1):
        solution = solver.solve({name: value if tied else value * (1 + i)
                                 for i, name in enumerate(solver.independent)})
        assert {status.state for status in solution.closures.values()} == {'closed'}
        assert max(status.gap for status in solution.closures.values()) < 1e-9
    assert any(abs(solution.positions[name]) > 1e-4 for group in solver.groups
               for name in group.dependent)


def need_for(command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip where something optional is missing that a command needs."""
    if command[1] == 'plot':
        pytest.importorskip('matplotlib')
        monkeypatch.setattr('riod_urdf_ros.plotting.picture._FRAMES', 4)
    if any(word.endswith('.xacro') for word in command):
        pytest.importorskip('xacro')
    if command[2].endswith('.xml'):
        pytest.importorskip('mujoco')


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
        if block.language == 'python' and not block.file:
            exec(compile(block.text, str(page), 'exec'), {})
        for line in block.text.splitlines() if block.language in ('', 'bash') else ():
            command = shlex.split(line, comments=True)
            # A viewer stays until it is interrupted, and bags come from robots.
            if command[:1] != ['riod_urdf'] or command[1] in ('bag', 'view'):
                continue
            need_for(command, monkeypatch)
            assert main(command[1:]) == 0, f'{line}\n{capsys.readouterr()}'
            if command[1] == 'convert' and command[4].endswith('.urdf'):
                assert_sound((tmp_path / command[4]).read_text(encoding='utf-8'))


@pytest.mark.parametrize('page', PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    for target, section in _LINK.findall(page.read_text(encoding='utf-8')):
        other = page.parent / target if target else page
        assert other.exists(), target
        if section:
            headings = re.findall(r'^#+ (.*)$', other.read_text(encoding='utf-8'), re.MULTILINE)
            anchors = [re.sub(r'[^\w -]', '', h).lower().replace(' ', '-') for h in headings]
            assert section in anchors, f'{target}#{section}'


def saved_as(name: str) -> str:
    """Return the block of the README that is to be saved under a name."""
    block, = (block for block in blocks(README) if block.file == name)
    return block.text


def test_scripts_are_there_and_their_robots_too() -> None:
    commands = words_of_commands(README, 'scripts/')
    assert {words[0] for words in commands} == {'scripts/run', 'scripts/test'}
    for words in commands:
        assert os.access(ROOT / words[0], os.X_OK)
        assert all((ROOT / word).is_file() for word in words if word.startswith('urdf/'))


@pytest.mark.parametrize('page', PAGES, ids=lambda page: page.stem)
def test_launch_arguments_are_declared(page: Path) -> None:
    text = (ROOT / 'launch' / 'closure.launch.py').read_text(encoding='utf-8')
    declared = re.findall(r"DeclareLaunchArgument\(\s*'(\w+)'", text)
    for words in words_of_commands(page, 'ros2'):
        assert words[1:4] == ['launch', 'riod_urdf_ros', 'closure.launch.py']
        assert {word.partition(':=')[0] for word in words[4:]} <= set(declared)
    if page == README:
        section = page.read_text(encoding='utf-8').split('## Launch')[1].split('\n## ')[0]
        assert re.findall(r'^\| `(\w+)`', section, re.MULTILINE) == declared


def test_launch_file_loads() -> None:
    launch = pytest.importorskip('launch')
    actions = pytest.importorskip('launch_ros.actions')
    names: dict[str, Any] = {}
    exec(compile(saved_as('robot.launch.py'), 'robot.launch.py', 'exec'), names)
    ours, theirs = names['generate_launch_description']().entities
    assert isinstance(ours, launch.actions.IncludeLaunchDescription)
    remap, = (part for part in theirs.get_sub_entities() if isinstance(part, actions.SetRemap))
    context = launch.LaunchContext()
    remap.execute(context)
    assert context.launch_configurations['ros_remaps'] == [
        ('joint_states', 'joint_states_complete')]


def test_controllers_move_the_motors() -> None:
    yaml = pytest.importorskip('yaml')
    robot = parse(saved_as('my_four_bar.urdf')).robot
    controllers = yaml.safe_load(saved_as('controllers.yaml'))
    assert set(controllers) - {'controller_manager'} <= set(
        controllers['controller_manager']['ros__parameters'])
    assert controllers['motors']['ros__parameters']['joints'] == [
        joint.name for joint in robot.moving_joints if joint.actuated]


def test_readme_lists_every_diagnostics_key() -> None:
    rows = dict(re.findall(r'^\| `(description|joint states|loop NAME)` \| (`.*) \|$',
                           README.read_text(encoding='utf-8'), re.MULTILINE))
    listed = {name: re.findall('`(.*?)`', row) for name, row in rows.items()}
    assert listed == {
        'description': DESCRIPTION_KEYS, 'joint states': INPUT_KEYS, 'loop NAME': [
            *LOOP_KEYS, 'CLOSURE/state', 'CLOSURE/gap_m', 'CLOSURE/angle_rad']}


def test_readme_lists_every_parameter() -> None:
    texts = [(ROOT / 'riod_urdf_ros' / 'ros' / f'{name}.py').read_text(encoding='utf-8')
             for name in ('closure_node', 'known_joints')]
    declared = {'home.JOINT', *(name for text in texts for name in re.findall(
        r"(?:declare_parameter|NumberParameter)\(\s*'(\w+)'", text))}
    section = README.read_text(encoding='utf-8').split('| parameter |')[1].split('\n\n')[0]
    assert set(re.findall(r'^\| `([\w.]+)`', section, re.MULTILINE)) == declared
