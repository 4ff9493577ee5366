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

"""Descriptions come from files, xacro expanded, and no file brings a traceback."""

from __future__ import annotations

from pathlib import Path
import subprocess
import sys

import pytest
from riod_urdf_ros.exceptions import DescriptionError, Problem
from riod_urdf_ros.urdf.loader import load

URDF = '<robot name="{}">\n<link name="a"/>\n</robot>'
XACRO = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="x"
 xmlns:riod="https://github.com/Origitech/urdf-extensions">
 <xacro:property name="l" value="0.5"/>
 <link name="a"/><link name="b"/>
 <joint name="j" type="continuous"><origin xyz="${2 * l} 0 0"/><parent link="a"/><child link="b"/>
  <riod:actuated value="false"/></joint>
</robot>
"""


def only_problem(path: str | Path) -> Problem:
    with pytest.raises(DescriptionError) as caught:
        load(path)
    assert len(caught.value.problems) == 1
    assert '\n' not in caught.value.problems[0].message
    return caught.value.problems[0]


@pytest.mark.parametrize('encoding', ['utf-8', 'utf-8-sig', 'utf-16'])
def test_urdf(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / 'robot.urdf'
    path.write_text(URDF.format('Kr\xe4he'), encoding=encoding)
    assert load(path).robot.name == 'Kr\xe4he'
    assert load(str(path)).robot.links == ('a',)


def test_xacro_keeps_the_extension(tmp_path: Path) -> None:
    pytest.importorskip('xacro')
    path = tmp_path / 'robot.urdf.xacro'
    path.write_text(XACRO)
    description = load(path)
    assert description.robot.joints[0].T_parent_joint[0, 3] == 1.0
    assert not description.robot.joints[0].actuated
    line = description.problems[0].line
    assert 'riod:actuated' in description.text.splitlines()[line - 1]


WITH_ARGUMENT = XACRO.replace('<xacro:property name="l" value="0.5"/>', '<xacro:arg name="l" '
                              'default="0.5"/>').replace('${2 * l}', '$(arg l)')


def test_arguments_of_a_xacro(tmp_path: Path) -> None:
    pytest.importorskip('xacro')
    path = tmp_path / 'robot.urdf.xacro'
    path.write_text(WITH_ARGUMENT)
    for mappings, length in (({'l': '0.7'}, 0.7), ({}, 0.5)):
        assert load(path, mappings).robot.joints[0].T_parent_joint[0, 3] == length


def test_arguments_of_what_takes_none(tmp_path: Path) -> None:
    path = tmp_path / 'robot.urdf'
    path.write_text(URDF)
    with pytest.raises(DescriptionError, match="takes no arguments .'l'.*xacro"):
        load(path, {'l': '1'})


def test_a_problem_of_expanded_text_quotes_its_line(tmp_path: Path) -> None:
    pytest.importorskip('xacro')
    path = tmp_path / 'robot.urdf.xacro'
    path.write_text(WITH_ARGUMENT)
    with pytest.raises(DescriptionError) as caught:
        load(path, {'l': 'nan'})
    assert '<origin xyz="nan 0 0"/>' in caught.value.problems[0].message


def test_a_fault_in_a_macro_of_another_file_is_cited(tmp_path: Path) -> None:
    pytest.importorskip('xacro')
    (tmp_path / 'arm.xacro').write_text(
        '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:macro name="arm">'
        '<link name="${nobody}"/></xacro:macro><xacro:arm/></robot>')
    path = tmp_path / 'robot.urdf.xacro'
    path.write_text(XACRO.replace('<link name="a"/>', '<link name="a"/><xacro:include '
                                  f'filename="{tmp_path}/arm.xacro"/>'))
    message = only_problem(path).message
    assert "in macro 'arm'" in message
    assert 'arm.xacro' in message.partition('nobody')[2]


def test_xacro_in_a_file_that_is_not_called_so(tmp_path: Path) -> None:
    path = tmp_path / 'robot.urdf'
    path.write_text(XACRO)
    with pytest.raises(DescriptionError, match='unexpanded'):
        load(path)


@pytest.mark.parametrize('fault', [
    '${nobody}', '${1/0}', '$(find no_such_package_at_all)', '${', '$(arg x)',
    "${__import__('sys').exit(3)}"])
def test_xacro_that_fails(tmp_path: Path, fault: str) -> None:
    pytest.importorskip('xacro')
    path = tmp_path / 'robot.xacro'
    path.write_text(XACRO.replace('${2 * l}', fault))
    assert str(path) in only_problem(path).message


def test_xacro_that_is_not_xml(tmp_path: Path) -> None:
    pytest.importorskip('xacro')
    path = tmp_path / 'robot.xacro'
    path.write_text(XACRO[:300])
    assert 'xacro cannot expand' in only_problem(path).message


def test_no_xacro(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, 'xacro', None)
    path = tmp_path / 'robot.xacro'
    path.write_text(XACRO)
    assert 'not installed' in only_problem(path).message


@pytest.mark.parametrize('suffix', ['urdf', 'xacro'])
def test_no_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f'none.{suffix}'
    assert only_problem(path).message == f'cannot read {path}: No such file or directory'


def test_path_that_cannot_be(tmp_path: Path) -> None:
    assert 'Is a directory' in only_problem(tmp_path).message
    assert 'cannot read' in only_problem('a\0b.urdf').message


def test_xacro_is_not_imported_for_urdf() -> None:
    # Importing it takes longer than everything else here.
    code = ('import sys, riod_urdf_ros.urdf.loader; '
            'sys.exit("xacro" in sys.modules or "rclpy" in sys.modules)')
    assert subprocess.run([sys.executable, '-c', code]).returncode == 0
