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

"""``riod_urdf sweep``: its text and its JSON."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from riod_urdf_ros.urdf.loader import load
from support.commands import FOUR_BAR, MODELS, needs_xacro, run

REASONS = {'limit', 'whole_turn', 'out_of_reach', 'singular', 'tied', 'strained', 'no_end'}


@pytest.mark.parametrize('path', MODELS)
def test_json_has_its_schema(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs_xacro(path)
    solver = ClosureSolver(load(path).robot)
    names = [name for name in solver.independent
             if any(name in group.independent for group in solver.groups)][:1]
    done = run(capsys, 'sweep', path, '--json', '--joint', *names)
    assert done.status == 0, done.err
    joints = json.loads(done.out)['joints']
    assert list(joints) == names
    for found in joints.values():
        assert found.keys() == {'unit', 'start', 'lower', 'upper', 'passive_limits', 'notes'}
        assert found['lower']['value'] <= found['start'] <= found['upper']['value']
        for side in ('lower', 'upper'):
            assert found[side].keys() == {'value', 'reason', 'closures'}
            assert found[side]['reason'] in REASONS
        for crossing in found['passive_limits']:
            assert crossing.keys() == {'joint', 'side', 'limit', 'at'}
            assert found['lower']['value'] <= crossing['at'] <= found['upper']['value']
        for note in found['notes']:
            assert note.keys() == {'at', 'note'}


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, 'sweep', FOUR_BAR)
    assert (done.status, done.err) == (0, '')
    row = next(line for line in done.out.splitlines() if line.split()[:1] == ['crank'])
    assert row.count('whole turn') == 2
    assert row.count('180.00 deg') == 2


def test_limits_of_passive_joints_are_told(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / 'narrow.urdf'
    path.write_text(FOUR_BAR.read_text().replace('lower="-0.7" upper="0.9"',
                                                 'lower="-0.7" upper="0.2"'))
    done = run(capsys, 'sweep', path)
    assert 'passive joint rocker goes beyond its upper limit 0.2' in done.out


def test_only_what_was_asked_for_and_from_where(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, 'sweep', FOUR_BAR, '--json', '--joint', 'crank', '--from', 'crank=1')
    found = json.loads(done.out)['joints']['crank']
    assert found['start'] == 1.0
    assert found['upper']['value'] == pytest.approx(1.0 + math.pi)


def test_a_robot_without_loops(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / 'tree.urdf'
    path.write_text(
        '<robot name="tree"><link name="a"/><link name="b"/><joint name="j" type="revolute">'
        '<parent link="a"/><child link="b"/><limit lower="-1" upper="2" effort="0" velocity="0"/>'
        '</joint></robot>')
    done = run(capsys, 'sweep', path)
    assert (done.status, done.out) == (0, 'No actuated joint moves a loop.\n')
    done = run(capsys, 'sweep', path, '--json', '--joint', 'j')
    found = json.loads(done.out)['joints']['j']
    assert [found[side]['value'] for side in ('lower', 'upper')] == [-1.0, 2.0]
    assert found['lower']['reason'] == 'limit'
