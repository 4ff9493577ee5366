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

"""``riod_urdf new``: writes what was asked for, and nothing over what is there."""

from __future__ import annotations

from pathlib import Path

import pytest
from riod_urdf_ros.urdf.loader import load
from support.commands import run


def test_writes_a_file_with_the_lengths_given(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / 'arm.urdf'
    done = run(capsys, 'new', 'five-bar', '-o', path, '--left-forearm', '0.25')
    assert (done.status, done.err) == (0, '')
    assert 'riod_urdf check' in done.out
    tip = load(path).robot.by_name['left_tip_frame']
    assert tip.T_parent_joint[0, 3] == 0.25


def test_keeps_a_file_that_is_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / 'arm.urdf'
    path.write_text('precious', encoding='utf-8')
    done = run(capsys, 'new', 'delta', '-o', path)
    assert done.status == 2
    assert 'there already' in done.err
    assert path.read_text(encoding='utf-8') == 'precious'


def test_lengths_that_make_no_mechanism(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / 'arm.urdf'
    done = run(capsys, 'new', 'delta', '-o', path, '--rod', '0.01')
    assert done.status == 2
    assert 'do not reach' in done.err
    assert not path.exists()
