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

"""Which joints can change a closure's error, against moving them."""

from __future__ import annotations

import numpy as np
import pytest
from riod_urdf_ros.constraints.influence import influential_joints
from riod_urdf_ros.robot.closure_error import closure_errors
from riod_urdf_ros.robot.model import Joint, LoopClosure, Mimic, Robot
from support.inline import four_bar, joint, point, rigid, robot, X, Y, Z


def moved_by(mechanism: Robot, closure: LoopClosure) -> set[str]:
    """Move one joint at a time, from anywhere, and see what becomes of the closure's error."""
    rng, found = np.random.default_rng(7), set()
    loose = Robot(mechanism.name, mechanism.root, mechanism.links, tuple(
        Joint(j.name, j.kind, j.parent, j.child, j.T_parent_joint, j.axis)
        for j in mechanism.joints), mechanism.closures)
    names = [j.name for side in loose.loop(closure) for j in side if j.moving]
    for _ in range(5):
        start = {name: float(rng.uniform(-0.5, 0.5)) for name in names}
        before = closure_errors(loose, start)[closure.name]
        for name in names:
            after = closure_errors(loose, {**start, name: start[name] + 0.3})[closure.name]
            # Seen from frame A a turn of all of frame B's side is no change of the distance.
            if abs(after.distance - before.distance) > 1e-9 or closure.kind == 'rigid':
                found.add(name)
    return found


BALL = (joint('x', 'revolute', 'base', (0.3, 0.1, 0), axis=X),
        joint('y', 'revolute', 'x', axis=Y), joint('z', 'revolute', 'y', axis=Z))
MECHANISMS = {
    'four_bar': robot(*four_bar()),
    'spinner': robot(joint('spinner', 'continuous', 'base'), point('loop', 'base', 'spinner')),
    'ball': robot(*BALL, joint('end', 'fixed', 'z'), point('loop', 'base', 'end')),
    'rod': robot(*BALL, joint('end', 'fixed', 'z', (0, 0, 0.4)), joint('arm', 'revolute', 'base'),
                 point('loop', 'arm', 'end')),
    'spindle in line': robot(
        joint('spindle', 'continuous', 'base', axis=X),
        joint('nut', 'prismatic', 'spindle', (0.1, 0, 0), axis=X, mimic=Mimic('spindle', 1e-4)),
        joint('arm', 'revolute', 'base', (0, 0.3, 0)), joint('tip', 'fixed', 'arm', (0.5, 0, 0)),
        point('loop', 'nut', 'tip')),
    'slide across': robot(
        joint('turn', 'continuous', 'base'), joint('slide', 'prismatic', 'turn', axis=X),
        joint('arm', 'revolute', 'base', (0, 0.3, 0)), joint('tip', 'fixed', 'arm', (0.5, 0, 0)),
        point('loop', 'slide', 'tip')),
}


@pytest.mark.parametrize('name', MECHANISMS)
def test_what_moves_the_error(name: str) -> None:
    mechanism = MECHANISMS[name]
    (closure,) = mechanism.closures
    assert influential_joints(mechanism, closure) == moved_by(mechanism, closure)


def test_a_rigid_closure_feels_every_joint() -> None:
    spun = robot(joint('spinner', 'continuous', 'base'),
                 joint('a', 'continuous', 'spinner', axis=X),
                 rigid('loop', 'base', 'a'))
    assert influential_joints(spun, spun.closures[0]) == {'spinner', 'a'}
