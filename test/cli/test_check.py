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

"""``riod_urdf check``: what it says of good and of bad models."""

from __future__ import annotations

import json
import math
from pathlib import Path
import time

import pytest
from support.commands import FOUR_BAR, MODELS, needs_xacro, run
from support.paths import CASES, EXAMPLES

DOCUMENTS = CASES / 'documents'
STRUCTURE = {
    'mobility': int, 'actuated': list, 'passive': list, 'groups': list, 'closures': dict,
    'undetermined': list, 'undetermined_dof': int, 'over_actuated': list, 'locked': list,
    'singular_home': bool, 'mimic': dict, 'independent': list}
CLOSURE = {'type': str, 'gap_at_home': float, 'gap_vector_at_home': list, 'angle_at_home': float,
           'redundant_rows': int, 'frame_a': str, 'frame_b': str}


def documents() -> list[object]:
    path = DOCUMENTS / 'expect.json'
    if not path.exists():
        return [pytest.param('', '', marks=pytest.mark.skip(f'{DOCUMENTS} is not there'))]
    return [(name, case['expect'])
            for name, case in json.loads(path.read_text(encoding='utf-8')).items()]


def assert_schema(found: dict[str, object], schema: dict[str, type]) -> None:
    assert found.keys() == schema.keys()
    for key, kind in schema.items():
        assert isinstance(found[key], kind), f'{key}: {found[key]!r}'


@pytest.mark.parametrize('path', MODELS)
def test_json_has_its_schema(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs_xacro(path)
    done = run(capsys, 'check', path, '--json')
    assert (done.status, done.err) == (0, '')
    report = json.loads(done.out)
    assert report.keys() == {'errors', 'warnings', 'structure'}
    assert report['errors'] == []
    for warning in report['warnings']:
        assert_schema(warning, {'line': int, 'message': str})
    assert_schema(report['structure'], STRUCTURE)
    for closure in report['structure']['closures'].values():
        assert_schema(closure, CLOSURE)
    strict = run(capsys, 'check', path, '--json', '--strict')
    assert strict.status == int(bool(report['warnings']))


@pytest.mark.parametrize('path', MODELS)
def test_text_names_every_loop(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs_xacro(path)
    done = run(capsys, 'check', path, '--tree')
    assert (done.status, done.err) == (0, '')
    report = json.loads(run(capsys, 'check', path, '--json').out)
    for name in report['structure']['closures']:
        assert f'{name} (A)' in done.out
        assert f'{name} (B)' in done.out
    assert f'Mobility {report["structure"]["mobility"]}' in done.out
    assert '\033' not in done.out


@pytest.mark.parametrize('name, expected', documents())
def test_document(name: str, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = DOCUMENTS / name
    done = run(capsys, 'check', path)
    assert done.err == ''
    if expected == 'error':
        assert done.status == 1
        assert f'{path}:' in done.out
        assert ': error: ' in done.out
    else:
        report = json.loads(run(capsys, 'check', path, '--json').out)
        assert done.status == int(bool(report['errors']))
    if expected == 'ok':
        assert done.out.endswith(f'{path}: no problems\n')
    if expected == 'warning':
        assert run(capsys, 'check', path, '--strict').status == 1


def test_a_problem_is_shown_with_its_line_and_a_caret(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = FOUR_BAR.read_text(encoding='utf-8').replace('frameB="rocker_end"', 'frameB="rockr"')
    path = tmp_path / 'bad.urdf'
    path.write_text(text, encoding='utf-8')
    done = run(capsys, 'check', path)
    lines = done.out.splitlines()
    number = 1 + text[:text.index('frameB="rockr"')].count('\n')
    assert done.status == 1
    assert lines[0].startswith(f'{path}:{number}: error: ')
    assert lines[1].endswith('frameA="coupler_end" frameB="rockr"/>')
    at = lines[1].index('rockr"')
    assert lines[2][at:] == '^~~~~'
    assert "hint: did you mean 'rocker'" in lines[3]
    assert lines[-1] == f'{path}: 1 error'


def test_a_robot_on_one_endless_line_is_shown_in_parts(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / 'one_line.urdf'
    path.write_text('<robot name="r"><link name="a"/>' + '<link/>' * 2000 + ' ' * 3_000_000
                    + '</robot>', encoding='utf-8')
    start = time.process_time()
    done = run(capsys, 'check', path)
    assert done.status == 1
    assert max(map(len, done.out.splitlines())) < 200
    # Looking through all of the line for each problem would take minutes.
    assert time.process_time() - start < 10.0


def test_words_for_what_is_wrong_with_a_mechanism(capsys: pytest.CaptureFixture[str]) -> None:
    path = CASES / 'reports' / '06_hinge_closed_rigid_locks_the_loop' / 'model_locked.urdf'
    if not path.exists():
        pytest.skip(f'{path} is not there')
    done = run(capsys, 'check', path)
    assert 'cannot move' in done.out
    assert 'locked' in done.out


@pytest.mark.parametrize('name', ['nothing.urdf', 'empty.urdf', 'nothing.urdf.xacro'])
def test_no_model(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / 'empty.urdf').touch()
    done = run(capsys, 'check', tmp_path / name)
    assert done.status == 1
    assert ': error: ' in done.out
    report = json.loads(run(capsys, 'check', tmp_path / name, '--json').out)
    assert len(report['errors']) == 1
    assert report['structure'] is None


def test_arguments_of_a_xacro(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip('xacro')
    path = tmp_path / 'named.urdf.xacro'
    path.write_text('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arg '
                    'name="n" default="a"/><link name="$(arg n)"/></robot>', encoding='utf-8')
    assert 'b c:=d' in run(capsys, 'check', path, 'n:=b c:=d', '--tree').out
    assert run(capsys, 'check', FOUR_BAR, 'n:=b').status == 1


def test_lines_of_xacro_are_called_expanded(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip('xacro')
    text = (EXAMPLES / 'gripper.urdf.xacro').read_text(encoding='utf-8')
    path = tmp_path / 'bad.urdf.xacro'
    path.write_text(text.replace('riod:loop_closure ', 'riod:loop_closure colour="red" '),
                    encoding='utf-8')
    done = run(capsys, 'check', path)
    assert f'{path} (expanded):' in done.out
    assert 'colour="red"' in done.out.splitlines()[1]


FLAT_BOOM = """<robot name="boom" xmlns:riod="https://github.com/Origitech/urdf-extensions">
  <link name="base"/><link name="boom"/><link name="barrel"/><link name="rod"/><link name="pin"/>
  <joint name="boom" type="continuous"><parent link="base"/><child link="boom"/>
    <axis xyz="0 1 0"/><riod:actuated value="false"/></joint>
  <joint name="barrel" type="continuous"><origin xyz="0.2 0 0"/><parent link="base"/>
    <child link="barrel"/><axis xyz="0 1 0"/><riod:actuated value="false"/></joint>
  <joint name="stroke" type="prismatic"><origin xyz="0.5 0 0"/><parent link="barrel"/>
    <child link="rod"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="0.27" effort="1" velocity="1"/></joint>
  <joint name="pin" type="fixed"><origin xyz="0.6 0 0"/><parent link="boom"/>
    <child link="pin"/></joint>
  <riod:loop_closure name="cylinder" frameA="rod" frameB="pin"/>
</robot>
"""


@pytest.mark.parametrize('side', [1.0, -1.0])
def test_the_home_given_chooses_among_mirror_images(
        side: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A triangle of 0.2, 0.6 and 0.5 m, drawn on one line."""
    path = tmp_path / 'boom.urdf'
    path.write_text(FLAT_BOOM, encoding='utf-8')
    angle = math.acos((0.2**2 + 0.6**2 - 0.5**2) / (2.0 * 0.2 * 0.6))
    home = ('--home', f'boom={side * 0.8}', '--home', f'barrel={side * 1.2}')
    done = run(capsys, 'solve', path, '--json', *home, '--joint', 'stroke=0')
    assert json.loads(done.out)['positions']['boom'] == pytest.approx(side * angle, abs=1e-9)
    report = json.loads(run(capsys, 'check', path, '--json', *home).out)
    assert 'in the given home' in report['warnings'][0]['message']
    assert run(capsys, 'check', path, '--home', 'bom=1').status == 2
    assert run(capsys, 'sweep', path, *home).status == 0
