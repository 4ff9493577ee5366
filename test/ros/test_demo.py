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

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
import os
from pathlib import Path
import signal
import subprocess
import sys
import time
from typing import IO

import pytest
from riod_urdf_ros.resources import share_directory
from support.paths import ROOT

pytestmark = pytest.mark.dds

pytest.importorskip('rclpy')

DEMO = [sys.executable, '-m', 'riod_urdf_ros.ros.demo']


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*DEMO, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=120)


def children(pid: int) -> list[int]:
    text = Path(f'/proc/{pid}/task/{pid}/children').read_text()
    return [int(word) for word in text.split()]


def wait_for(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, 'waited in vain'
        time.sleep(0.05)


def alive(pid: int) -> bool:
    try:
        return Path(f'/proc/{pid}/stat').read_text().rsplit(')', 1)[1].split()[0] != 'Z'
    except OSError:
        return False


def test_loops_of_the_delta_are_closed_over_dds() -> None:
    result = run(str(share_directory() / 'urdf' / 'delta.urdf.xacro'), '--for', '2')
    assert result.returncode == 0, result.stdout + result.stderr
    assert 'complete joint states a second' in result.stdout
    assert 'OPEN' not in result.stdout
    assert result.stdout.endswith('all loops were closed\n')


@pytest.mark.parametrize('text', [None, '', '<robot', '<robot name="r"><link name="a"/>'])
def test_bad_model_gives_one_clear_error(text: str | None, tmp_path: Path) -> None:
    model = tmp_path / 'model.urdf'
    if text is not None:
        model.write_text(text)
    result = run(str(model))
    assert result.returncode == 1
    assert not result.stdout
    assert str(model) in result.stderr and 'error' in result.stderr
    assert 'Traceback' not in result.stderr


def test_it_names_itself_and_keeps_the_domain() -> None:
    code = ('import sys; from riod_urdf_ros.ros.entry_points import closure_demo; '
            'sys.exit(closure_demo("scripts/run"))')
    command = [sys.executable, '-c', code]
    usage = subprocess.run([*command, '--help'], cwd=ROOT, capture_output=True, text=True)
    assert usage.stdout.startswith('usage: scripts/run ')
    shown = subprocess.run(
        [*command, '--for', '1'], cwd=ROOT, capture_output=True, text=True, timeout=120,
        env=os.environ | {'ROS_DOMAIN_ID': '93'})
    assert 'ROS_DOMAIN_ID=93' in shown.stdout
    assert shown.returncode == 0


@pytest.mark.parametrize('arguments', [('--for', 'soon'), ('--for', '-1'), ('--unknown',)])
def test_wrong_usage(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert result.returncode == 2
    assert 'Traceback' not in result.stderr


@contextmanager
def started_demo() -> Iterator[tuple[subprocess.Popen[str], IO[str]]]:
    """Return a demo whose loops have been seen closed, and its output from there on."""
    with subprocess.Popen(DEMO, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True) as demo:
        assert demo.stdout is not None
        while 'closed' not in demo.stdout.readline():
            pass
        yield demo, demo.stdout


@pytest.mark.skipif(not Path('/proc/self/task').exists(), reason='needs /proc')
@pytest.mark.parametrize('number', [
    signal.SIGINT, signal.SIGHUP, signal.SIGKILL])
def test_no_process_is_left_behind(number: signal.Signals) -> None:
    with started_demo() as (demo, output):
        nodes = children(demo.pid)
        assert len(nodes) == 2
        os.kill(demo.pid, number)
        rest = output.read()
    wait_for(lambda: not any(map(alive, nodes)))
    assert 'Traceback' not in rest
    if number != signal.SIGKILL:
        assert demo.returncode == 0, rest


@pytest.mark.skipif(not Path('/proc/self/task').exists(), reason='needs /proc')
def test_ends_when_a_node_dies() -> None:
    with started_demo() as (demo, output):
        nodes = children(demo.pid)
        os.kill(nodes[0], signal.SIGKILL)
        rest = output.read()
    assert demo.returncode == 1
    assert 'ended by itself' in rest
    assert not any(map(alive, nodes))
