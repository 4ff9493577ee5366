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

"""The command ``view``: it serves its page to this machine until it is interrupted."""

from __future__ import annotations

from pathlib import Path
import signal
import subprocess
import sys
from urllib.request import urlopen

import pytest
from support.commands import FOUR_BAR, run
from support.paths import ROOT


def test_serves_until_it_is_interrupted(tmp_path: Path) -> None:
    pytest.importorskip('viser')
    states = tmp_path / 'states.csv'
    states.write_text('crank\n0\n0.1\n')
    process = subprocess.Popen(
        [sys.executable, '-m', 'riod_urdf_ros.cli.main', 'view', str(FOUR_BAR), '--port', '18960',
         '--input', str(states)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        address = line.split()[2]
        assert line.startswith(f'four_bar.urdf: open {address} in a browser')
        assert address.startswith('http://127.0.0.1:')
        with urlopen(address, timeout=10.0) as answer:
            assert b'<html' in answer.read(2000)
        process.send_signal(signal.SIGINT)
        assert process.wait(10.0) == 130
        assert process.stdout.read() == ''
    finally:
        process.kill()
        process.wait()


def test_without_viser_says_how_to_install_it(
        monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr('riod_urdf_ros.cli.view.find_spec', lambda name: None)
    done = run(capsys, 'view', FOUR_BAR)
    assert done.status == 2
    assert 'pip install viser' in done.err


def test_a_recording_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip('viser')
    done = run(capsys, 'view', FOUR_BAR, '--input', tmp_path / 'nothing.csv')
    assert done.status == 1
    assert 'nothing.csv: cannot be read' in done.err
