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

"""``riod_urdf solve``: one state, streams, files, and input that is wrong."""

from __future__ import annotations

from collections.abc import Iterator
import csv
import io
import json
import math
from pathlib import Path
import sys
import weakref

import pytest
from riod_urdf_ros.cli.state_input import State
from riod_urdf_ros.cli.state_solver import StateSolver
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from riod_urdf_ros.urdf.loader import load
from support.commands import Done, FOUR_BAR, MODELS, needs_xacro, run
from support.oracles import FourBar, wrap
from support.paths import EXAMPLES
from support.robots import HIGH_SLIDE

BARS = FourBar(0.06, 0.2, 0.14, 0.18)


def solve_text(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str | bytes,
               *words: str, model: Path = FOUR_BAR) -> Done:
    """Solve states written to a file."""
    path = tmp_path / 'states'
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return run(capsys, 'solve', model, '--input', path, *words)


@pytest.mark.parametrize('path', MODELS)
def test_json_has_its_schema(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs_xacro(path)
    solver = ClosureSolver(load(path).robot)
    done = run(capsys, 'solve', path, '--json')
    state = json.loads(done.out)
    assert state.keys() == {'positions', 'velocities', 'closures', 'notes'}
    assert list(state['positions']) == [joint.name for joint in solver.robot.moving_joints]
    assert state['closures'].keys() == {closure.name for closure in solver.robot.closures}
    for closure in state['closures'].values():
        assert closure.keys() == {'gap', 'angle', 'state'}
        assert closure['state'] == 'closed'
    assert state['velocities'] == {}
    assert done.status == 0


def test_one_state_is_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, 'solve', FOUR_BAR, '--joint', 'crank=1')
    expected = BARS.joints(math.pi / 2, 1.0)['rocker']
    row = next(line for line in done.out.splitlines() if line.split()[:1] == ['rocker'])
    assert float(row.split()[1]) == pytest.approx(expected, abs=1e-8)
    assert float(row.split()[3]) == pytest.approx(math.degrees(expected), abs=1e-3)
    assert row.split()[-1] == 'solved'
    assert (done.status, done.err) == (0, '')


def test_a_known_passive_joint_drives(capsys: pytest.CaptureFixture[str]) -> None:
    expected = BARS.joints(math.pi / 2, 0.3)
    done = run(capsys, 'solve', FOUR_BAR, '--json', '--known', 'rocker',
               '--joint', f'rocker={expected["rocker"]!r}')
    assert json.loads(done.out)['positions']['crank'] == pytest.approx(0.3, abs=1e-9)


@pytest.mark.parametrize('words', [(), ('--input',)])
def test_what_is_not_given_is_at_home(
        words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / 'model.urdf'
    path.write_text(HIGH_SLIDE)
    if words:
        (tmp_path / 'states').write_text('{"positions": {}}\n')
        words = (*words, str(tmp_path / 'states'))
    done = run(capsys, 'solve', path, '--json', *words)
    assert done.status == 0
    positions = json.loads(done.out)['positions']
    # The crank's end, 1 m long, has to be within 0.5 m of the line y = 1.2.
    assert math.sin(positions['crank']) > 0.7 - 1e-9
    coupler = positions['crank'] + positions['coupler'] + math.atan2(0.4, 0.3)
    assert math.sin(positions['crank']) + 0.5 * math.sin(coupler) == pytest.approx(1.2, abs=1e-9)
    assert 'not given, so it is at home' in done.err or not words


@pytest.mark.parametrize('text', [
    'crank\n0.1\n0.2\n\n7\n', '\ufeff crank , coupler\r\n0.1, 9\r\n0.2,9\r\n7,9\r\n',
    '{"positions": {"crank": 0.1}, "velocities": {"crank": 1}}\n\n'
    '{"positions": {"crank": 0.2}}\n{"positions": {"crank": 7}, "stamp": 3}'])
@pytest.mark.parametrize('words', [[], ['--json'], ['--from-home'], ['--from-home', '--json']])
@pytest.mark.parametrize('piped', [False, True])
def test_states_in_and_out(
        text: str, words: list[str], piped: bool, tmp_path: Path,
        capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    if piped:
        monkeypatch.setattr(sys, 'stdin', io.TextIOWrapper(io.BytesIO(text.encode())))
        done = run(capsys, 'solve', FOUR_BAR, '--input', '-', *words)
    else:
        done = solve_text(capsys, tmp_path, text, *words)
    assert done.status == 0, done.err
    if '--json' in words:
        states = [json.loads(line) for line in done.out.splitlines()]
        rows = [state['positions'] for state in states]
        if 'velocities' in text:
            assert states[0]['velocities']['rocker'] == pytest.approx(
                BARS.velocities(math.pi / 2, 0.1)['rocker'], abs=1e-8)
    else:
        rows = list(csv.DictReader(io.StringIO(done.out)))
        assert {row['state'] for row in rows} == {'closed'}
    assert len(rows) == 3
    for row, crank in zip(rows, (0.1, 0.2, 7.0), strict=True):
        rocker = BARS.joints(math.pi / 2, crank)['rocker']
        assert float(row['rocker']) == pytest.approx(rocker, abs=1e-8)
    assert ("'coupler' is not read" in done.err) is ('coupler' in text)


def test_what_is_not_given_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip('xacro')
    text = '{"positions": {"leg_1": 0.01}}\n{"positions": {"leg_2": 0.02}}\n'
    for words, leg_1 in (([], 0.01), (['--from-home'], 0.0)):
        done = solve_text(capsys, tmp_path, text, '--json', '--joint', 'leg_3=0.03', *words,
                          model=EXAMPLES / 'stewart.urdf.xacro')
        last = json.loads(done.out.splitlines()[1])['positions']
        assert [last[f'leg_{i}'] for i in (1, 2, 3, 4)] == [leg_1, 0.02, 0.03, 0.0]
        assert "'leg_2', 'leg_4', 'leg_5', 'leg_6' is not given" in done.err


@pytest.mark.parametrize('words', [[], ['--json']])
def test_a_long_file_equals_single_solves(
        words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    angles = [0.01 * i for i in range(5000)]
    done = solve_text(capsys, tmp_path, 'crank\n' + '\n'.join(map(repr, angles)), *words)
    rows = [json.loads(line)['positions'] for line in done.out.splitlines()] if words \
        else list(csv.DictReader(io.StringIO(done.out)))
    assert len(rows) == len(angles)
    for row, crank in list(zip(rows, angles, strict=True))[::50]:
        assert float(row['rocker']) == pytest.approx(
            BARS.joints(math.pi / 2, crank)['rocker'], abs=1e-8)


@pytest.mark.parametrize('words', [[], ['--json']])
def test_out_of_reach(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str],
                      ) -> None:
    done = run(capsys, 'solve', FOUR_BAR, '--known', 'rocker', '--joint', 'rocker=2', *words)
    assert done.status == 1
    assert "error: loop 'pin' cannot be closed" in done.err
    assert 'open' in done.out
    done = solve_text(capsys, tmp_path, 'rocker\n0.1\n2\n2.1\n0.2\n2\n', '--known', 'rocker',
                      *words)
    assert done.status == 1
    errors = done.err.splitlines()
    assert [error.split(': ')[0][-2:] for error in errors[:2]] == [':3', ':6']
    assert errors[2:] == ['3 of 5 states are not closed']
    assert len(done.out.splitlines()) == (5 if words else 6)


@pytest.mark.parametrize('text, line, message', [
    ('', 1, 'empty'),
    ('\n \n', 2, 'empty'),
    ('crank\n1\nx\n', 3, "joint 'crank': 'x' is not a number"),
    ('crank\n1\n\nnan\n', 4, "'nan' is not finite"),
    ('crank\n1e999\n', 2, 'is not finite'),
    ('crank\n1,2\n', 2, '2 values, but the header has 1 column'),
    ('crnk\n1\n', 1, "unknown joint 'crnk'; did you mean 'crank'?"),
    ('crank,crank\n1,1\n', 1, "two columns are named 'crank'"),
    ('coupler_end_frame\n1\n', 1, 'is fixed and has no position'),
    (b'crank\n\xff\n', 2, 'is not a number'),
    ('{"positions": {"crank": 1}}\n{"positions"\n', 2, 'not a JSON object'),
    ('{"positions": {"crank": 1}}\n[1]\n', 2, 'no "positions"'),
    ('{"position": {"crank": 1}}\n', 1, 'no "positions"'),
    ('{"positions": [1]}\n', 1, 'has to be an object'),
    ('{"positions": {"crank": 1}, "velocity": {"crank": 1}}\n', 1,
     "unknown key 'velocity'; did you mean 'velocities'?"),
    ('{"positions": {"crank": 1, "crank": 2}}\n', 1, "'crank' is there twice"),
    ('{"positions": {"crank": NaN}}\n', 1, 'is not finite'),
    ('{"positions": {"crank": "abc"}}\n', 1, "'abc' is not a number"),
    ('{"positions": {"crank": true}}\n', 1, 'is not a number'),
    ('{"positions": {"crank": null}}\n', 1, 'is not a number'),
    ('{"positions": {"crnk": 1}}\n', 1, "did you mean 'crank'?"),
    ('{"positions": {"crank": 1}, "velocities": {"crank": NaN}}\n', 1, '"velocities"'),
    ('{' * 100000, 1, 'not a JSON object')])
def test_input_that_is_wrong(text: str | bytes, line: int, message: str, tmp_path: Path,
                             capsys: pytest.CaptureFixture[str]) -> None:
    done = solve_text(capsys, tmp_path, text)
    assert done.status == 1
    assert len(done.err.splitlines()) == 1
    assert done.err.startswith(f'{tmp_path / "states"}:{line}: error: ')
    assert message in done.err


@pytest.mark.parametrize('words', [[], ['--json']])
def test_a_bad_row_does_not_cost_those_before_it(
        words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = solve_text(capsys, tmp_path, 'crank\n0.1\n0.2\n0.3\nbad\n0.4\n', *words)
    assert done.status == 1
    assert ":5: error: joint 'crank': 'bad' is not a number" in done.err
    assert len(done.out.splitlines()) == (3 if words else 4)


@pytest.mark.parametrize(('text', 'labels'), [
    ('time,crank\n0.25,0.1\n0.50,0.2\n', {'time': ['0.25', '0.50']}),
    ('crank,stamp,time\n0.1,7 s,a\n0.2,8 s,b\n', {'stamp': ['7 s', '8 s'], 'time': ['a', 'b']}),
    ('{"stamp": 5, "positions": {"crank": 0.1}}\n{"positions": {"crank": 0.2}}\n',
     {'stamp': ['5', '']})])
def test_times_are_passed_through(
        text: str, labels: dict[str, list[str]], tmp_path: Path,
        capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(solve_text(capsys, tmp_path, text).out)))
    assert {key: [row[key] for row in rows] for key in labels} == labels
    assert list(rows[0])[:len(labels)] == list(labels)
    states = [json.loads(line)
              for line in solve_text(capsys, tmp_path, text, '--json').out.splitlines()]
    assert {key: [str(state.get(key, '')) for state in states] for key in labels} == labels


@pytest.mark.parametrize('words', [[], ['--json']])
def test_our_own_output_is_input(
        words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = solve_text(capsys, tmp_path, 'time,crank\n1,0.1\n2,0.2\n', *words)
    again = solve_text(capsys, tmp_path, first.out, *words)
    assert (again.status, again.out) == (0, first.out)


@pytest.mark.parametrize('words', [[], ['--json'], ['--from-home']])
def test_turns_are_counted_or_wrapped(
        words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = 'crank\n' + '\n'.join(str(0.1 * i) for i in range(200))

    def couplers(*more: str) -> list[float]:
        out = solve_text(capsys, tmp_path, text, *words, *more).out
        if '--json' in words:
            return [json.loads(line)['positions']['coupler'] for line in out.splitlines()]
        return [float(row['coupler']) for row in csv.DictReader(io.StringIO(out))]

    counted, wrapped = couplers(), couplers('--wrap')
    assert max(map(abs, wrapped)) <= math.pi
    for i, (turned, within) in enumerate(zip(counted, wrapped, strict=True)):
        expected = BARS.joints(math.pi / 2, 0.1 * i)['coupler']
        assert wrap(turned - expected) == pytest.approx(0.0, abs=1e-8)
        assert wrap(within - expected) == pytest.approx(0.0, abs=1e-8)
    if '--from-home' not in words:
        # The crank takes the coupler around: three turns in 20 rad.
        assert min(counted) < -5.0 * math.pi
        assert max(abs(after - before) for before, after in zip(counted, counted[1:])) < 1.0


def test_a_long_stream_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alive = most = 0

    def gone() -> None:
        nonlocal alive
        alive -= 1

    def states() -> Iterator[State]:
        nonlocal alive, most
        for i in range(10000):
            state = State(f'x:{i}', {'crank': 0.001 * i})
            weakref.finalize(state, gone)
            alive += 1
            most = max(most, alive)
            yield state

    monkeypatch.setattr(sys, 'stdout', io.StringIO())
    solver = StateSolver(
        ClosureSolver(load(FOUR_BAR).robot), {}, from_home=False, as_json=False, wrap=False)
    assert solver.batch(states(), lambda: None) == 0
    assert most < 5000


def test_no_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (tmp_path / 'nothing', tmp_path):
        done = run(capsys, 'solve', FOUR_BAR, '--input', path)
        assert done.status == 1
        assert done.err.startswith(f'{path}: error: cannot be read: ')


def test_a_bad_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / 'bad.urdf'
    path.write_text('<robot name="r"><link name="a"/><link name="b"/></robot>')
    for command in ('solve', 'sweep'):
        done = run(capsys, command, path)
        assert (done.status, done.out) == (1, '')
        assert done.err.startswith(f'{path}:1: error: 2 root links')


def test_an_endless_line_is_refused_by_its_number(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    states = tmp_path / 'states.csv'
    states.write_text('crank\n0.1\n' + '0' * 1_500_000 + '\n0.2\n')
    done = run(capsys, 'solve', FOUR_BAR, '--input', states)
    assert done.status == 1
    assert f'{states}:3' in done.err
    assert 'one state a line' in done.err
