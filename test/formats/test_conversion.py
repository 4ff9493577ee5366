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

"""Which format a file is of, and where its meshes are from the output."""

from __future__ import annotations

from pathlib import Path

import pytest
from riod_urdf_ros.exceptions import DescriptionError
from riod_urdf_ros.formats.conversion import convert, recognise, Source
from support.conversions import converted
from support.robots import FOUR_BAR, hinge, robot

_LINKS = '<link name="closing_a_1"/><link name="closing_a_2"/>'


@pytest.mark.parametrize(('text', 'source'), [
    ('<mujoco/>', 'mjcf'), ('<mujocoinclude/>', 'mjcf'), ('<sdf version="1.9"/>', 'sdf'),
    (FOUR_BAR, 'urdf'), ('<robot name="r"><link name="a"/></robot>', 'urdf'),
    ('<robot name="r"><loop_joint/></robot>', 'loops'),
    ('<robot name="r"><constraint/></robot>', 'loops'),
    ('<robot name="r"><loop/></robot>', 'loops'),
    ('<robot name="r"><coupling/></robot>', 'loops'),
    (f'<robot name="r">{_LINKS}</robot>', 'onshape'),
    # Loops that are there already count for more than frames that look like them.
    (FOUR_BAR.replace('<link name="base"/>', f'<link name="base"/>{_LINKS}'), 'urdf')])
def test_the_content_tells_the_format(text: str, source: Source, tmp_path: Path) -> None:
    assert recognise(text, tmp_path / 'in.urdf') == source


@pytest.mark.parametrize('text', ['<html/>', '<robot xmlns="urn:x" name="r"/>', 'no', ''])
def test_other_content_is_told(text: str, tmp_path: Path) -> None:
    with pytest.raises(DescriptionError):
        recognise(text, tmp_path / 'in.urdf')


def test_a_yaml_file_that_is_wanted_and_missing_is_told(tmp_path: Path) -> None:
    (tmp_path / 'in.urdf').write_text(FOUR_BAR)
    with pytest.raises(DescriptionError, match='there is no YAML file with its loops'):
        convert(tmp_path / 'in.urdf', tmp_path / 'out.urdf', source='yaml')


@pytest.mark.parametrize(('name', 'expected'), [
    ('meshes/a.stl', '../in/meshes/a.stl'), ('package://p/a.stl', 'package://p/a.stl'),
    ('/opt/a.stl', '/opt/a.stl')])
def test_meshes_are_named_from_the_output(name: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / 'in').mkdir()
    text = robot('meshes', hinge('arm', 'base', 'arm_link', (0.0, 0.0))).replace(
        '<link name="arm_link"/>', f'<link name="arm_link"><visual><geometry>'
        f'<mesh filename="{name}"/></geometry></visual></link>')
    done = converted(text, tmp_path / 'in', output='../out/out.urdf')
    assert f'filename="{expected}"' in done.text


def test_what_comes_out_wrong_is_told_without_lines(tmp_path: Path) -> None:
    # A link's name that only URDF minds.
    text = '<sdf version="1.9"><model name="m"><link name="${a}"/></model></sdf>'
    with pytest.raises(DescriptionError, match='the URDF that comes out') as caught:
        converted(text, tmp_path, 'in.sdf')
    assert caught.value.problems[0].line == 0
