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

"""From URDF to SDF and back; the reader of SDF is held against closed forms in its own test."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from riod_urdf_ros.formats.conversion import convert
from riod_urdf_ros.robot.kinematics import forward_kinematics
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from riod_urdf_ros.urdf.loader import load
from support.commands import needs_xacro
from support.conversions import assert_is_the_four_bar, converted, robot_of
from support.paths import EXAMPLES
from support.robots import FOUR_BAR, hinge, robot, TWO_LOOPS


@pytest.mark.parametrize('path', sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_examples_are_the_same_after_the_way_back(path: Path, tmp_path: Path) -> None:
    needs_xacro(path)
    before = load(path).robot
    there = tmp_path / 'there.sdf'
    there.write_text(convert(path, there).text, encoding='utf-8')
    after = robot_of(convert(there, tmp_path / 'back.urdf'))
    solver, rng = ClosureSolver(before), np.random.default_rng(1)
    for _ in range(5):
        solution = solver.solve({name: float(rng.uniform(-0.05, 0.05))
                                 for name in solver.independent})
        poses = forward_kinematics(before, solution.positions)
        again = ClosureSolver(after).solve({name: solution.positions[name]
                                            for name in ClosureSolver(after).independent})
        found = forward_kinematics(after, again.positions)
        # Where a loop is cut in another place, joints on it may be others: links are the same.
        T = found[before.root]
        for link in before.links:
            at = found[link if link in found else f'{link}_link']  # where a joint has the name
            assert np.linalg.solve(T, at)[:3, 3] == pytest.approx(
                np.linalg.solve(poses[before.root], poses[link])[:3, 3], abs=1e-8)


def test_loops_are_joints_of_the_model(tmp_path: Path) -> None:
    done = converted(FOUR_BAR, tmp_path, output='out.sdf')
    model = ElementTree.fromstring(done.text).find('model')
    assert model is not None
    joints = {joint.get('name'): joint.get('type') for joint in model.iter('joint')}
    assert joints == {'crank': 'continuous', 'coupler': 'continuous', 'rocker': 'continuous',
                      'pin': 'ball'}
    assert {frame.get('name') for frame in model.iter('frame')} == {'coupler_tip', 'rocker_tip'}
    assert {link.get('name') for link in model.iter('link')} == {
        'base', 'crank_link', 'coupler_link', 'rocker_link'}
    (tmp_path / 'out.sdf').write_text(done.text)
    assert_is_the_four_bar(convert(tmp_path / 'out.sdf', tmp_path / 'back.urdf').text)


def test_passive_joints_and_mimics_come_back(tmp_path: Path) -> None:
    done = converted(TWO_LOOPS, tmp_path, output='out.sdf')
    (tmp_path / 'out.sdf').write_text(done.text)
    after = robot_of(convert(tmp_path / 'out.sdf', tmp_path / 'back.urdf'))
    assert {joint.name for joint in after.moving_joints if joint.role == 'actuated'} == {
        'left_crank', 'right_crank', 'arm'}
    mimic = after.by_name['finger'].mimic
    assert mimic is not None
    assert (mimic.joint, mimic.multiplier, mimic.offset) == ('arm', -2.0, 0.1)


def test_a_link_that_has_the_name_of_a_joint_is_renamed(tmp_path: Path) -> None:
    text = robot('same', hinge('arm', 'base', 'arm', (0.0, 0.0)))
    done = converted(text, tmp_path, output='out.sdf')
    assert '<joint name="arm"' in done.text
    assert '<link name="arm_link"' in done.text
    assert any("link 'arm' is named 'arm_link'" in remark.message for remark in done.remarks)


def test_what_sdf_would_understand_otherwise_is_told(tmp_path: Path) -> None:
    text = robot('odd', hinge('slab', 'base', 'slab_link', (0.0, 0.0), kind='planar'))
    messages = '\n'.join(map(str, converted(text, tmp_path, output='out.sdf').remarks))
    assert "planar joint 'slab': its link is fixed" in messages
    assert "the root 'base' moves freely" in messages
    assert 'SDF would give them 1 kg' in messages
