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

"""Commands end with a word and a status, never with a traceback, whatever their streams are."""

from __future__ import annotations

import os
from pathlib import Path
import subprocess
import sys

import pytest
from support.paths import EXAMPLES, ROOT

RIOD_URDF = 'import sys; from riod_urdf_ros.cli.main import main; sys.exit(main())'
FOUR_BAR = str(EXAMPLES / 'four_bar.urdf')
COMMANDS = [('check', FOUR_BAR), ('solve', FOUR_BAR, '--joint', 'crank=0.1'), ('--version',)]
# As if ROS 2 were not installed, whatever is.
WITHOUT_ROS = """
import sys
sys.modules['rclpy'] = None
from riod_urdf_ros.ros import entry_points
sys.exit(entry_points.{program}())
"""


def run(code: str, *words: str, redirect: str = '') -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ['sh', '-c', f'exec "$@" {redirect}', 'sh', sys.executable, '-c', code, *words],
        cwd=ROOT, capture_output=True, text=True, timeout=60,
        env=os.environ | {'PYTHONPATH': str(ROOT)})


@pytest.mark.skipif(not Path('/dev/full').exists(), reason='needs /dev/full')
@pytest.mark.parametrize('words', COMMANDS, ids=lambda words: words[0])
def test_full_disk(words: tuple[str, ...]) -> None:
    result = run(RIOD_URDF, *words, redirect='> /dev/full')
    assert result.returncode == 1
    assert result.stderr.count('\n') == 1 and 'cannot be written' in result.stderr


@pytest.mark.parametrize('words', COMMANDS, ids=lambda words: words[0])
def test_closed_output(words: tuple[str, ...]) -> None:
    result = run(RIOD_URDF, *words, redirect='>&-')
    assert (result.returncode, result.stderr) == (0, '')
    assert run(RIOD_URDF, *words, redirect='>&- 2>&-').returncode == 0


def test_closed_input() -> None:
    result = run(RIOD_URDF, 'solve', FOUR_BAR, '--input', '-', redirect='<&-')
    assert result.returncode == 1
    assert 'input is empty' in result.stderr and 'Traceback' not in result.stderr


@pytest.mark.parametrize('program', ['closure_node', 'sweep_node', 'closure_demo'])
def test_without_ros_it_is_said_what_is_missing(program: str) -> None:
    result = run(WITHOUT_ROS.format(program=program))
    assert result.returncode == 1
    assert result.stderr.startswith(f'{program}: ROS 2 is not here')
    assert 'rclpy' in result.stderr and 'Traceback' not in result.stderr


@pytest.mark.parametrize('word', ['-h', '--help'])
def test_help_of_the_run_script_needs_nothing_installed(word: str) -> None:
    result = subprocess.run(
        [ROOT / 'scripts' / 'run', word], capture_output=True, text=True, timeout=10,
        env={'PATH': os.environ['PATH'], 'PYTHON': '/nowhere/python3'})
    assert result.returncode == 0
    assert result.stdout.startswith('usage: scripts/run ')
