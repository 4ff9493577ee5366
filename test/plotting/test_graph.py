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

"""The tree with its loops, for Graphviz and as a drawing."""

from __future__ import annotations

from pathlib import Path
import re
from xml.etree import ElementTree

import pytest

pytest.importorskip('matplotlib')

from riod_urdf_ros.cli.main import main  # noqa: E402
from riod_urdf_ros.plotting.graph import dot  # noqa: E402
from riod_urdf_ros.urdf.loader import load  # noqa: E402
from riod_urdf_ros.urdf.parser import parse  # noqa: E402
from support.commands import FOUR_BAR  # noqa: E402
from support.paths import EXAMPLES  # noqa: E402
from support.robots import FOUR_BAR as FOUR_BAR_TEXT  # noqa: E402

EDGE = re.compile(
    r'^  "((?:[^"\\]|\\.)*)" -> "((?:[^"\\]|\\.)*)" '
    r'\[label="(.*?)", color="(#\w+)"(.*)\];$')


def test_dot_has_every_joint_and_closure(tmp_path: Path) -> None:
    output = tmp_path / 'out.dot'
    assert main(['plot', str(FOUR_BAR), '--graph', '-o', str(output)]) == 0
    lines = output.read_text(encoding='utf-8').splitlines()
    assert (lines[0], lines[-1]) == ('digraph "four_bar" {', '}')
    edges = [match.groups() for line in lines if (match := EDGE.fullmatch(line))]
    robot = load(FOUR_BAR).robot
    assert [edge[:2] for edge in edges] == [
        *((joint.parent, joint.child) for joint in robot.joints),
        *((closure.frame_a, closure.frame_b) for closure in robot.closures)]
    assert edges[0][2:4] == ('crank (continuous, actuated)', '#E69F00')
    assert edges[-1][2] == 'pin (point)'
    assert 'style=dashed' in edges[-1][4]


def test_names_that_graphviz_would_read_otherwise() -> None:
    robot = parse(FOUR_BAR_TEXT.replace('"crank_link"', '"a \\&quot;b&quot;"')).robot
    assert r'-> "a \\\"b\""' in dot(robot)


def test_the_drawing_has_every_name(tmp_path: Path) -> None:
    pytest.importorskip('xacro')
    output = tmp_path / 'out.svg'
    model = EXAMPLES / 'excavator.urdf.xacro'
    assert main(['plot', str(model), '--graph', '-o', str(output)]) == 0
    ElementTree.parse(output)
    text = output.read_text(encoding='utf-8')
    robot = load(model).robot
    for name in (*robot.links, *(joint.name for joint in robot.joints),
                 *(closure.name for closure in robot.closures)):
        assert f'<!-- {name} -->' in text


@pytest.mark.parametrize(('words', 'message'), [
    (['-o', 'out.gif'], 'its name has to end in .png, .svg or .dot'),
    (['--sweep', 'crank'], '--graph shows no posture'),
    (['-o', 'nowhere/out.dot'], 'cannot write nowhere/out.dot')])
def test_usage(words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
               capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(['plot', str(FOUR_BAR), '--graph', *words]) == 2
    assert message in capsys.readouterr().err
