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

"""``riod_urdf convert``: files, remarks, usage."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.commands import FOUR_BAR, run
from support.robots import hinge

ONSHAPE = ('<robot name="r"><link name="base"/>' + hinge('a', 'base', 'closing_x_1', (0.1, 0.0))
           + hinge('b', 'base', 'closing_x_2', (0.1, 0.0)) + '</robot>')


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / 'in.urdf'
    path.write_text(ONSHAPE)
    return path


def test_the_output_is_written_and_can_be_checked(
        model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = model.with_name('out.urdf')
    done = run(capsys, 'convert', model, '-o', output)
    assert done.status == 0
    assert 'converted from onshape; everything kept' in done.out
    assert "choice: 'x' is closed as a point" in done.out
    assert run(capsys, 'check', output).status == 0


def test_motors_can_be_named(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = model.with_name('out.urdf')
    assert run(capsys, 'convert', model, '-o', output, '--actuated', 'b').status == 0
    first, second = output.read_text().split('<joint name="b"')
    assert 'riod:actuated' in first
    assert 'riod:actuated' not in second
    done = run(capsys, 'convert', model, '-o', output, '--actuated', 'c')
    assert done.status == 2
    assert "'c' is not a joint that moves by itself" in done.err


@pytest.mark.parametrize(('output', 'message'), [
    ('in.urdf', 'the output is the input'), ('out.txt', 'suffix'),
    ('none/out.urdf', 'cannot write')])
def test_an_output_that_cannot_be_is_usage(
        output: str, message: str, model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, 'convert', model, '-o', model.parent / output)
    assert done.status == 2
    assert message in done.err
    assert model.read_text() == ONSHAPE


def test_an_input_that_cannot_be_read_is_told(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / 'in.xml').write_text('<html/>')
    for source, message in (('in.xml', 'root element is <html>'), ('none.urdf', 'cannot read')):
        done = run(capsys, 'convert', tmp_path / source, '-o', tmp_path / 'out.urdf')
        assert done.status == 1
        assert message in done.err
        assert not (tmp_path / 'out.urdf').exists()


def test_urdf_stays_what_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / 'out.urdf'
    done = run(capsys, 'convert', FOUR_BAR, '-o', output)
    assert done.status == 0
    again = run(capsys, 'convert', output, '-o', tmp_path / 'again.urdf')
    assert again.status == 0
    assert output.read_text() == (tmp_path / 'again.urdf').read_text()
