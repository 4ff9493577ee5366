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

"""The command line as a whole: usage, pipes, interruption, completion."""

from __future__ import annotations

import os
from pathlib import Path
import signal
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from support.commands import FOUR_BAR, run
from support.paths import ROOT

COMMAND = [sys.executable, '-m', 'riod_urdf_ros.cli.main']
ENVIRONMENT = {**os.environ, 'PYTHONPATH': os.pathsep.join(
    [str(ROOT), *filter(None, [os.environ.get('PYTHONPATH')])])}


@pytest.mark.parametrize('words', [
    [], ['nonsense'], ['check'], ['check', 'a', 'b'], ['check', '--nonsense', str(FOUR_BAR)],
    ['solve', str(FOUR_BAR), '--joint', 'crank'], ['solve', str(FOUR_BAR), '--joint', 'crank=x'],
    ['solve', str(FOUR_BAR), '--joint', 'crank=nan'], ['solve', str(FOUR_BAR), '--joint', 'x=1'],
    ['solve', str(FOUR_BAR), '--known', 'x'], ['sweep', str(FOUR_BAR), '--joint', 'x'],
    ['sweep', str(FOUR_BAR), '--joint', 'rocker'], ['sweep', str(FOUR_BAR), '--from', 'x=1']])
def test_wrong_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, *words)
    assert done.status == 2
    assert 'error: ' in done.err
    assert done.out == ''


@pytest.mark.parametrize('command', ['', 'check', 'convert', 'modes', 'solve', 'sweep'])
def test_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, *filter(None, [command, '--help']))
    assert done.status == 0
    assert 'usage: riod_urdf' in done.out


def test_near_names_are_offered(capsys: pytest.CaptureFixture[str]) -> None:
    assert "did you mean 'crank'" in run(capsys, 'solve', FOUR_BAR, '--joint', 'crnk=1').err
    assert "did you mean 'rocker'" in run(capsys, 'solve', FOUR_BAR, '--known', 'rockr').err
    assert '--known rocker' in run(capsys, 'solve', FOUR_BAR, '--joint', 'rocker=1').err


def test_help_does_not_wait_for_the_libraries() -> None:
    done = subprocess.run(
        [sys.executable, '-X', 'importtime', '-m', 'riod_urdf_ros.cli.main', '--help'],
        capture_output=True, text=True, env=ENVIRONMENT, timeout=60, check=True)
    assert 'argparse' in done.stderr
    assert 'numpy' not in done.stderr
    assert 'lxml' not in done.stderr


def test_a_closed_pipe_ends_it_quietly() -> None:
    with subprocess.Popen(
            [*COMMAND, 'solve', str(FOUR_BAR), '--input', '-'], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write('crank\n0.1\n')
        process.stdin.flush()
        assert process.stdout.readline() == 'crank,coupler,rocker,state\n'
        process.stdout.close()
        process.stdin.write('0.2\n' * 10)
        process.stdin.close()
        assert process.wait(60) == 141
        assert process.stderr.read() == ''


def test_an_interruption_ends_it_quietly() -> None:
    with subprocess.Popen(
            [*COMMAND, 'solve', str(FOUR_BAR), '--input', '-', '--json'], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT) as process:
        assert process.stdin and process.stdout and process.stderr
        # Each line is answered as soon as it is there.
        process.stdin.write('{"positions": {"crank": 0.1}}\n')
        process.stdin.flush()
        assert process.stdout.readline().startswith('{"positions": {"crank": 0.1,')
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stderr.read() == ''


@pytest.mark.parametrize('line, expected', [
    (f'riod_urdf solve {FOUR_BAR} --joint cr', {'crank='}),
    (f'riod_urdf solve {FOUR_BAR} --known ', {'crank', 'coupler', 'rocker'}),
    ('riod_urdf ', {'bag', 'check', 'convert', 'modes', 'new', 'plot', 'reach', 'solve',
                    'sweep', 'view', '-h', '--help', '--version'})])
def test_the_shell_completes(line: str, expected: set[str], tmp_path: Path) -> None:
    pytest.importorskip('argcomplete')
    answer = tmp_path / 'answer'
    subprocess.run(
        COMMAND, timeout=60, check=False, env={
            **ENVIRONMENT, '_ARGCOMPLETE': '1', 'COMP_LINE': line, 'COMP_POINT': str(len(line)),
            '_ARGCOMPLETE_STDOUT_FILENAME': str(answer), '_ARGCOMPLETE_IFS': '\n'})
    assert {word.strip() for word in answer.read_text().split('\n')} == expected


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, '--version')
    assert done.status == 0
    tree = ElementTree.parse(ROOT / 'package.xml')
    assert done.out == f'riod_urdf_ros {tree.findtext("version")}\n'


@pytest.mark.parametrize('words', [
    ('solve', FOUR_BAR, '--sweep', 'crank'), ('solve', FOUR_BAR, '--joint', 'crnk=1'),
    ('solve',), ('solve', FOUR_BAR, '--joint', 'crank')])
def test_a_usage_error_shows_the_usage_of_its_command(
        words: tuple[str | Path, ...], capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, *words)
    assert done.status == 2
    assert done.err.startswith('usage: riod_urdf solve ')
    assert 'riod_urdf solve: error: ' in done.err
