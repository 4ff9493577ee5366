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

"""Forward kinematics against the tests' own reading of the tree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from riod_urdf_ros.robot.kinematics import (
    forward_kinematics,
    joint_transform,
    poses_of,
    with_mimics,
)
from riod_urdf_ros.robot.model import Mimic
from riod_urdf_ros.urdf.parser import parse
from support.inline import joint, robot, X
from support.mechanisms import random_tree


@pytest.mark.parametrize('seed', range(4))
def test_forward_kinematics_agrees_with_another_reading(seed: int) -> None:
    rng = np.random.default_rng(seed)
    mechanism = random_tree(rng, 5, 2)
    shuffled = parse(replace(mechanism, joints=tuple(
        mechanism.joints[i] for i in rng.permutation(len(mechanism.joints)))).text()).robot
    positions = {joint.name: float(rng.uniform(-3, 3)) for joint in shuffled.moving_joints}
    positions.popitem()  # stays at zero
    poses, expected = forward_kinematics(shuffled, positions), mechanism.poses(positions)
    assert set(poses) == set(expected)
    some = sorted(expected)[::3]
    part = poses_of(shuffled, positions, some)
    assert set(some) <= set(part)
    for link, T in expected.items():
        assert poses[link] == pytest.approx(T, abs=1e-12)
        if link in part:
            assert part[link] == pytest.approx(T, abs=1e-12)


def test_mimic_joints_follow_and_are_not_read() -> None:
    finger = robot(
        joint('a', 'prismatic', 'base', (1, 0, 0), axis=X),
        joint('b', 'prismatic', 'a', axis=X, mimic=Mimic('a', -2.0, 0.1)))
    assert with_mimics(finger, {'a': 0.3, 'b': 9.0}) == pytest.approx({'a': 0.3, 'b': -0.5})
    assert forward_kinematics(finger, {'a': 0.3})['b'][:3, 3] == pytest.approx([0.8, 0, 0])
    assert with_mimics(finger, {}) == pytest.approx({'a': 0.0, 'b': 0.1})


def test_poses_of_some_links_leave_the_others_out() -> None:
    tree = robot(joint('a', 'continuous', 'base', (1, 0, 0)), joint('b', 'fixed', 'a', (1, 0, 0)),
                 joint('c', 'fixed', 'a', (2, 0, 0)), joint('d', 'fixed', 'base'))
    poses = poses_of(tree, {'a': np.pi}, ['b'])
    assert set(poses) == {'base', 'a', 'b'}
    assert poses['b'][:3, 3] == pytest.approx([0, 0, 0], abs=1e-12)


def test_joints_without_one_position_keep_their_origin() -> None:
    for kind in ('fixed', 'floating', 'planar'):
        held = joint('j', kind, 'base', (1, 2, 3))
        assert joint_transform(held, 5.0) == pytest.approx(held.T_parent_joint)
