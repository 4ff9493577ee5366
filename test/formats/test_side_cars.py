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

"""Loops in a YAML file beside the URDF."""

from __future__ import annotations

from pathlib import Path

import pytest
from riod_urdf_ros.exceptions import DescriptionError
from riod_urdf_ros.formats.conversion import Conversion, convert
from riod_urdf_ros.urdf.parser import parse
from support.conversions import assert_is_the_four_bar
from support.robots import B, C, D, hinge, tip

TREE = ('<robot name="bars"><link name="base"/>' + hinge('crank', 'base', 'crank_link', (0.0, 0.0))
        + hinge('coupler', 'crank_link', 'coupler_link', B)
        + tip('fermeture_1_A', 'coupler_link', (C[0] - B[0], C[1] - B[1]))
        + hinge('rocker', 'base', 'rocker_link', D)
        + tip('fermeture_1_B', 'rocker_link', (C[0] - D[0], C[1] - D[1])))
TOOLBOX = """closed_loop: [['fermeture_1_A', 'fermeture_1_B']]
type: ['3d']
name_mot: ['crank']
joint_name: []
joint_type: []
"""
SW2ROBOT = f"""closures:
- link_a: coupler_link
  link_b: rocker_link
  point: [{C[0]}, {C[1]}, 0.0]
  axis: [0.0, 0.0, 2.0]
dependent: [coupler, rocker]
independent: [crank]
"""


def converted(folder: Path, yaml: str, name: str = 'robot.yaml', tree: str = TREE) -> Conversion:
    (folder / 'urdf').mkdir()
    (folder / 'urdf' / 'bars.urdf').write_text(tree + '</robot>')
    (folder / 'urdf' / name).write_text(yaml)
    return convert(folder / 'urdf' / 'bars.urdf', folder / 'out.urdf')


@pytest.mark.parametrize(('yaml', 'name'), [
    (TOOLBOX, 'robot.yaml'), (TOOLBOX.replace("['crank']", 'ran'), 'bars.yaml'),
    (SW2ROBOT, 'loop_closures.yaml'), (SW2ROBOT, '../loop_closures.yaml')])
def test_a_four_bar_moves_as_its_closed_form(yaml: str, name: str, tmp_path: Path) -> None:
    done = converted(tmp_path, yaml, name)
    assert done.source == 'yaml'
    assert_is_the_four_bar(done.text)


def test_the_mimic_that_approximated_the_loop_gives_way(tmp_path: Path) -> None:
    tree = TREE.replace('<child link="rocker_link"/>',
                        '<child link="rocker_link"/><mimic joint="crank" multiplier="0.7"/>')
    done = converted(tmp_path, SW2ROBOT, tree=tree)
    assert_is_the_four_bar(done.text)
    assert [r.kind for r in done.remarks if "the <mimic> of 'rocker'" in r.message] == ['lost']


@pytest.mark.parametrize(('kind', 'joints'), [
    ('SPHERICAL', ['ball_x', 'ball_y', 'ball_z']), ('UJOINT_ZY', ['ball_z', 'ball_y']),
    ('FIXED', [])])
def test_joints_that_urdf_has_not_got_become_hinges(
        kind: str, joints: list[str], tmp_path: Path) -> None:
    yaml = TOOLBOX.replace('joint_name: []', 'joint_name: [ball]').replace(
        'joint_type: []', f'joint_type: [{kind}]')
    done = converted(tmp_path, yaml, tree=TREE + hinge('ball', 'base', 'knob', (0.0, 1.0)))
    robot = parse(done.text).robot
    assert [joint.name for joint in robot.moving_joints if 'ball' in joint.name] == joints
    for name in joints:
        assert robot.by_name[name].axis['xyz'.index(name[-1])] == 1.0
    assert robot.undisplaced['knob'][:3, 3].tolist() == [0.0, 1.0, 0.0]


@pytest.mark.parametrize(('yaml', 'message'), [
    (TOOLBOX.replace('fermeture_1_B', 'nothing'), "'nothing', which is no frame"),
    (TOOLBOX.replace('3d', '4d'), "type '4d'"),
    (TOOLBOX.replace('joint_name: []', 'joint_name: [a]').replace(
        'joint_type: []', 'joint_type: [SPHERICAL]'), "'a', which is no joint"),
    (TOOLBOX.replace('joint_name: []', 'joint_name: [rocker]').replace(
        'joint_type: []', 'joint_type: [SCREW]'), "the type 'SCREW'"),
    (TOOLBOX.replace("['crank']", "['crnk']"), "name_mot names 'crnk'"),
    (TOOLBOX.replace("[['fermeture_1_A', 'fermeture_1_B']]", '7'), 'TypeError'),
    (SW2ROBOT.replace('0.0, 2.0', '0.0'), 'axis of closure 1 has to be three'),
    (SW2ROBOT.replace('0.0, 0.0, 2.0', '0, 0, 0'), 'axis of closure 1 is zero'),
    (SW2ROBOT.replace('rocker_link', 'rockr'), "unknown link 'rockr'"),
    ('closures: [', 'is not YAML'), ('closures: &a []\nb: *a\n', 'aliases (*a)'),
    ('closures: !!python/object/apply:os.system [true]', 'is not YAML'),
    pytest.param('closures: ' + '[' * 5000, 'nested more than 20', id='deep'),
    pytest.param('# ' + 'x' * 300_000, 'more than 262144', id='large'),
    ('closures: 2020-99-99', 'cannot be read'),
    (SW2ROBOT.replace('link_a', 'link_c'), 'is not as its exporter writes it: KeyError')])
def test_faults_name_the_file(yaml: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DescriptionError) as caught:
        converted(tmp_path, yaml)
    assert message in str(caught.value)
    assert 'robot.yaml' in str(caught.value)
