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

"""Shapes and meshes of a description, and where they are looked for."""

from __future__ import annotations

from pathlib import Path
import re

import numpy as np
import pytest

pytest.importorskip('viser')
trimesh = pytest.importorskip('trimesh')

from riod_urdf_ros.viewer.visuals import find_file, read_visuals  # noqa: E402

HALF_TURN = '3.141592653589793'


def robot(visuals: str) -> str:
    return (f'<robot name="r"><material name="red"><color rgba="1 0 0 0.5"/></material>'
            f'<link name="a">{visuals}</link></robot>')


def visual(geometry: str, rest: str = '') -> str:
    return f'<visual>{rest}<geometry>{geometry}</geometry></visual>'


def test_shapes_have_their_size_place_and_colour(tmp_path: Path) -> None:
    found, problems = read_visuals(robot(
        visual('<box size="1 2 3"/>',
               f'<origin xyz="0 0 5" rpy="0 0 {HALF_TURN}"/><material name="red"/>')
        + visual('<cylinder radius="0.5" length="4"/>') + visual('<sphere radius="2"/>')),
        tmp_path)
    assert problems == []
    assert [one.link for one in found] == ['a'] * 3
    box, cylinder, sphere = (one.meshes[0] for one in found)
    assert box.extents == pytest.approx([1, 2, 3])
    assert cylinder.extents == pytest.approx([1, 1, 4])
    assert sphere.extents == pytest.approx([4, 4, 4])
    T = found[0].T_link_visual
    assert T @ [1, 0, 0, 1] == pytest.approx([-1, 0, 5, 1])
    colour = box.visual.material.baseColorFactor  # type: ignore[union-attr]
    assert colour.tolist() == [255, 0, 0, 127]


def test_a_mesh_of_a_package_is_scaled(tmp_path: Path) -> None:
    package = tmp_path / 'my_robot'
    (package / 'meshes').mkdir(parents=True)
    (package / 'urdf').mkdir()
    trimesh.creation.box((1.0, 1.0, 2.0)).export(package / 'meshes' / 'a b.stl')
    text = robot(visual(
        '<mesh filename="package://my_robot/meshes/a%20b.stl" scale="0.1 0.1 -0.1"/>'))
    found, problems = read_visuals(text, package / 'urdf')
    assert problems == []
    assert np.ptp(found[0].meshes[0].bounds, axis=0) == pytest.approx([0.1, 0.1, 0.2])


@pytest.mark.parametrize(('unit', 'size'), [('1', 2.0), ('0.001', 0.002), ('0.0254', 0.0508)])
def test_a_collada_file_is_in_its_own_unit(unit: str, size: float, tmp_path: Path) -> None:
    pytest.importorskip('collada')
    path = tmp_path / 'box.dae'
    trimesh.creation.box((1.0, 1.0, 2.0)).export(path)
    text = path.read_text()
    assert text.count('<asset>') == 1
    text = re.sub(r'<unit [^>]*/>', '', text)
    path.write_text(text.replace('<asset>', f'<asset><unit name="x" meter="{unit}"/>'))
    found, problems = read_visuals(robot(visual('<mesh filename="box.dae"/>')), tmp_path)
    assert problems == []
    assert found[0].meshes[0].extents[2] == pytest.approx(size)


def test_what_cannot_be_loaded_is_named_and_the_rest_shown(tmp_path: Path) -> None:
    (tmp_path / 'broken.stl').write_bytes(b'solid nothing')
    text = robot(visual('<mesh filename="package://none/x.dae"/>')
                 + visual('<mesh filename="broken.stl"/>') + visual('<box size="1 1 1"/>'))
    found, problems = read_visuals(text, tmp_path)
    assert len([one for one in found if one.meshes]) == 1
    assert "link 'a': 'package://none/x.dae' is not there" in problems[0]


def test_packages_are_found_where_ros_has_them(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mesh = tmp_path / 'install' / 'share' / 'arm' / 'x.stl'
    mesh.parent.mkdir(parents=True)
    mesh.touch()
    with pytest.raises(FileNotFoundError, match='AMENT_PREFIX_PATH'):
        find_file('package://arm/x.stl', tmp_path / 'models')
    monkeypatch.setenv('AMENT_PREFIX_PATH', f'/nowhere:{tmp_path / "install"}')
    assert find_file('package://arm/x.stl', tmp_path / 'models') == mesh
    assert find_file(mesh.as_uri(), tmp_path) == mesh
    assert find_file('share/arm/x.stl', tmp_path / 'install') == mesh
