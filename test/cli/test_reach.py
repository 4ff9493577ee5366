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

"""``riod_urdf reach``: one place, streams, and what cannot be read."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from support.commands import Done, run
from support.oracles_spatial import Ankle
from support.paths import EXAMPLES
from support.tree import to_rpy, turn

ANKLE = EXAMPLES / 'ankle.urdf'
PITCH, ROLL = 0.2, -0.1
RPY = to_rpy(turn([0, 1, 0], PITCH) @ turn([1, 0, 0], ROLL)).tolist()
EXPECTED = Ankle().joints(PITCH, ROLL)


def stream(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, *words: str) -> Done:
    """Ask for what is written in a file."""
    path = tmp_path / 'wanted'
    path.write_text(text)
    return run(capsys, 'reach', ANKLE, '--input', path, *words)


def test_one_pose_as_json_and_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    words: list[str | Path] = ['reach', ANKLE, '--frame', 'foot', '--rpy', *map(repr, RPY)]
    found = json.loads(run(capsys, *words, '--json').out)
    assert (found['verdict'], found['certain']) == ('reached', True)
    assert found['positions'] == pytest.approx(EXPECTED, abs=1e-9)
    done = run(capsys, *words)
    row = next(line for line in done.out.splitlines() if line.split()[:1] == ['left_motor'])
    assert float(row.split()[1]) == pytest.approx(EXPECTED['left_motor'], abs=1e-8)
    assert done.out.splitlines()[-1].strip() == 'reached'
    assert done.status == 0


def test_what_is_missing_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, 'reach', ANKLE, '--frame', 'foot', '--direction',
               str(np.sin(0.9)), '0', str(np.cos(0.9)))
    assert 'out of reach' in done.out
    assert '0.4 rad' in done.out
    assert 'left_motor' in done.out.splitlines()[-1]
    assert done.status == 1


def test_csv_in_is_csv_out(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    done = stream(capsys, tmp_path, 'time,roll,pitch,yaw\n0.5,0,0,0\n1.0,'
                  + ','.join(map(repr, RPY)) + '\n', '--frame', 'foot')
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [row['time'] for row in rows] == ['0.5', '1.0']
    assert float(rows[1]['right_motor']) == pytest.approx(EXPECTED['right_motor'], abs=1e-9)
    assert [row['verdict'] for row in rows] == ['reached', 'reached']


def test_json_lines_name_their_frames(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    done = stream(capsys, tmp_path, json.dumps({
        'stamp': 7, 'targets': [{'frame': 'foot', 'rpy': RPY}]}) + '\n', '--json')
    found = json.loads(done.out)
    assert (found['stamp'], found['verdict']) == (7, 'reached')
    assert found['positions'] == pytest.approx(EXPECTED, abs=1e-9)


@pytest.mark.parametrize('text, message', [
    ('', 'the input is empty'),
    ('x,y\n1,2\n', 'the header has to have'),
    ('x,y,z\n1,2\n', '2 values under 3 columns'),
    ('x,y,z\n1,2,no\n', 'three finite numbers'),
    ('{"targets": [{"frame": "toe", "rpy": [0, 0, 0]}]}\n', "no link 'toe'"),
    ('{"targets": [{"frame": "foot"}]}\n', 'neither position nor rpy'),
    ('{"targets": [{"frame": "foot", "pose": 1}]}\n', "unknown key 'pose'"),
    ('{"target": []}\n', 'there are no "targets"')])
def test_what_cannot_be_read_is_told_with_its_line(
        text: str, message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    done = stream(capsys, tmp_path, text, '--frame', 'foot')
    assert message in done.err
    assert 'wanted:' in done.err
    assert done.status == 1


def test_there_has_to_be_something_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, 'reach', ANKLE, '--frame', 'foot').status == 2
    assert run(capsys, 'reach', ANKLE, '--rpy', '0', '0', '0').status == 2
