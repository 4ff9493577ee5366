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

"""From URDF to MJCF and back: MuJoCo itself is the oracle, both ways."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from riod_urdf_ros.formats.conversion import convert
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from riod_urdf_ros.urdf.loader import load
from support.commands import needs_xacro
from support.conversions import converted, robot_of
from support.mjcf_models import FOUR_BAR as MJCF_BARS
from support.mjcf_models import ODD, WELD
from support.paths import EXAMPLES
from support.robots import FOUR_BAR, hinge, robot, TWO_LOOPS

mujoco = pytest.importorskip('mujoco')
from support.mujoco_oracle import equality_residual, pose_error  # noqa: E402, I100


@pytest.mark.parametrize('path', sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_examples_are_the_same_in_mujoco_and_after_the_way_back(
        path: Path, tmp_path: Path) -> None:
    needs_xacro(path)
    before = load(path).robot
    there = tmp_path / 'there.xml'
    there.write_text(convert(path, there).text, encoding='utf-8')
    m = mujoco.MjModel.from_xml_path(str(there))
    assert pose_error(m, before, np.random.default_rng(1)) < 1e-9
    assert equality_residual(m, ClosureSolver(before), np.random.default_rng(2), 50, 0.05) < 1e-8

    back = tmp_path / 'back.urdf'
    done = convert(there, back)
    after = robot_of(done)
    assert {joint.name: joint.role for joint in after.moving_joints} == {
        joint.name: joint.role for joint in before.moving_joints}
    assert {joint.name: joint.limits for joint in after.moving_joints} == {
        joint.name: joint.limits for joint in before.moving_joints}
    assert [(c.name, c.kind) for c in after.closures] == [
        (c.name, c.kind) for c in before.closures]
    assert pose_error(m, after, np.random.default_rng(3)) < 1e-9
    assert equality_residual(m, ClosureSolver(after), np.random.default_rng(4), 50, 0.05) < 1e-8


@pytest.mark.parametrize('text', [MJCF_BARS, ODD, WELD], ids=['four_bar', 'odd', 'weld'])
def test_an_mjcf_is_the_same_mechanism_after_urdf(text: str, tmp_path: Path) -> None:
    first = converted(text, tmp_path, 'in.xml')
    (tmp_path / 'there.urdf').write_text(first.text, encoding='utf-8')
    again = convert(tmp_path / 'there.urdf', tmp_path / 'again.xml')
    (tmp_path / 'again.xml').write_text(again.text, encoding='utf-8')
    last = robot_of(convert(tmp_path / 'again.xml', tmp_path / 'last.urdf'))
    m = mujoco.MjModel.from_xml_string(text)
    # A root that moves freely comes back fixed to the world: bodies are compared with it.
    reference = 'hull' if 'hull' in last.links else ''
    assert pose_error(m, last, np.random.default_rng(1), reference) < 1e-9
    if last.closures:
        solver = ClosureSolver(last)
        assert equality_residual(m, solver, np.random.default_rng(2)) < 1e-8
        new = mujoco.MjModel.from_xml_string(again.text)
        assert equality_residual(new, solver, np.random.default_rng(3)) < 1e-8


def test_mimics_are_equalities(tmp_path: Path) -> None:
    done = converted(TWO_LOOPS, tmp_path, output='out.xml')
    assert 'joint1="finger" joint2="arm" polycoef="0.1 -2 0 0 0"' in done.text
    m = mujoco.MjModel.from_xml_string(done.text)
    assert [m.actuator(i).name for i in range(m.nu)] == ['left_crank', 'arm', 'right_crank']


_INERTIA = ('<inertial><origin xyz="0.1 0 0" rpy="0 0 {}"/><mass value="2"/><inertia ixx="0.1" '
            'ixy="0" ixz="0" iyy="0.2" iyz="0" izz="{}"/></inertial>')


def with_parts(parts: str) -> str:
    return FOUR_BAR.replace('<link name="crank_link"/>', f'<link name="crank_link">{parts}</link>')


def test_inertia_is_turned_into_the_frame_of_the_link(tmp_path: Path) -> None:
    done = converted(with_parts(_INERTIA.format(np.pi / 2, 0.25)), tmp_path, output='out.xml')
    m = mujoco.MjModel.from_xml_string(done.text)
    body = m.body('crank_link')
    assert body.mass[0] == 2.0
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, body.iquat)
    tensor = R.reshape(3, 3) @ np.diag(body.inertia) @ R.reshape(3, 3).T
    assert tensor == pytest.approx(np.diag([0.2, 0.1, 0.25]), abs=1e-12)


def test_an_inertia_that_no_body_has_is_told(tmp_path: Path) -> None:
    done = converted(with_parts(_INERTIA.format(0, 5)), tmp_path, output='out.xml')
    mujoco.MjModel.from_xml_string(done.text)
    assert any("the inertia of link 'crank_link'" in r.message for r in done.remarks)


def test_shapes_are_geoms_of_the_same_size(tmp_path: Path) -> None:
    done = converted(with_parts(
        '<visual><geometry><box size="1 2 3"/></geometry>'
        '<material name="m"><color rgba="1 0 0 0.5"/></material></visual>'
        '<collision><origin xyz="0 0 1"/><geometry><cylinder radius="0.5" length="4"/></geometry>'
        '</collision><visual><geometry/></visual>'), tmp_path, output='out.xml')
    m = mujoco.MjModel.from_xml_string(done.text)
    assert m.geom_size.tolist() == [[0.5, 1.0, 1.5], [0.5, 2.0, 0.0]]
    assert m.geom_rgba[0].tolist() == [1.0, 0.0, 0.0, 0.5]
    assert m.geom_contype.tolist() == [0, 1]
    assert any('has nothing for a shape' in remark.message for remark in done.remarks)


_WEDGE = 'v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n'


@pytest.mark.parametrize('name', ['meshes/wedge.obj', 'package://my_robot/meshes/wedge.obj'])
def test_meshes_are_found(name: str, tmp_path: Path) -> None:
    package = tmp_path / 'my_robot'
    for folder in ('urdf', 'meshes', 'urdf/meshes'):
        (package / folder).mkdir(parents=True, exist_ok=True)
    (package / 'package.xml').write_text('<package/>')
    (package / ('' if name.startswith('package') else 'urdf') / 'meshes' / 'wedge.obj').write_text(
        _WEDGE)
    text = with_parts(f'<visual><geometry><mesh filename="{name}" scale="0.1 0.1 0.1"/></geometry>'
                      '</visual>')
    (package / 'urdf' / 'in.urdf').write_text(text)
    (tmp_path / 'out').mkdir()
    done = convert(package / 'urdf' / 'in.urdf', tmp_path / 'out' / 'out.xml')
    (tmp_path / 'out' / 'out.xml').write_text(done.text)
    m = mujoco.MjModel.from_xml_path(str(tmp_path / 'out' / 'out.xml'))
    assert m.nmesh == 1
    assert m.nmeshvert == 4


@pytest.mark.parametrize(('name', 'reason'), [
    ('meshes/none.stl', 'is not found'), ('../secret.stl', 'is not found'),
    ('/etc/hostname', 'is not found'), ('package://../../etc/hostname', 'is not found'),
    ('here.dae', 'is none of .stl')])
def test_meshes_that_mujoco_cannot_have_are_told(
        name: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / 'secret.stl').write_text('solid')
    folder = tmp_path / 'in'
    folder.mkdir()
    (folder / 'here.dae').write_text('<COLLADA/>')
    mesh = f'<visual><geometry><mesh filename="{name}"/></geometry></visual>'
    done = converted(with_parts(mesh), folder, output='out.xml')
    assert 'mesh' not in done.text
    assert any(reason in remark.message for remark in done.remarks)


def test_what_mjcf_has_not_got_is_told(tmp_path: Path) -> None:
    text = robot('odd', hinge('slab', 'base', 'slab_link', (0.0, 0.0), kind='planar'),
                 hinge('stuck', 'base', 'stuck_link', (0.0, 0.0),
                       '<limit lower="0.5" upper="0.5" effort="1" velocity="1"/>', 'revolute'))
    done = converted(text, tmp_path, output='out.xml')
    mujoco.MjModel.from_xml_string(done.text)
    messages = '\n'.join(map(str, done.remarks))
    assert "not kept: planar joint 'slab'" in messages
    assert "the limits of joint 'stuck'" in messages
    assert "the root 'base' is fixed to the world" in messages
    assert 'links without inertia get 1e-06 kg' in messages
