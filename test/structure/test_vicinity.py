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

"""Poses next to home, and what really moves there."""

from __future__ import annotations

import math

import numpy as np
import pytest
from riod_urdf_ros.constraints.recordings import ClosureCode
from riod_urdf_ros.robot.model import Robot
from riod_urdf_ros.structure.assembly import assemble
from riod_urdf_ros.structure.independent_joints import independent_joints
from riod_urdf_ros.structure.mobility import analyse, Structure
from riod_urdf_ros.structure.ranks import Linearisation
from riod_urdf_ros.structure.vicinity import Vicinity
from support.inline import four_bar, joint, parallelogram, point, rigid, robot, X, Y


def structure_of(mechanism: Robot) -> Structure:
    code = ClosureCode(mechanism)
    home, _ = assemble(code, 1e-4, 1e-3)
    return analyse(code, independent_joints(code, (), home), home)


@pytest.mark.parametrize('mechanism', [robot(*four_bar()), parallelogram(0.0)])
def test_poses_are_closed_and_moved(mechanism: Robot) -> None:
    linearisation = Linearisation(ClosureCode(mechanism), mechanism.closures)
    home = np.zeros(len(linearisation.names))
    near = Vicinity.of(linearisation, home, [1, 2])
    assert near.mobile
    assert np.linalg.norm(linearisation(near.x)[0]) < 1e-9
    assert np.linalg.norm(near.x - home) > 0.05
    assert near.motions.shape == (3, 1)


@pytest.mark.parametrize('size', [1e-3, 1.0, 1e3])
def test_a_rigid_cut_locks_although_home_moves_to_first_order(size: float) -> None:
    """A crank that stands at a right angle to the rod: for an instant nothing holds it."""
    def engine(kind: str) -> Robot:
        closure = rigid if kind == 'rigid' else point
        return robot(
            joint('crank', 'continuous', 'base', axis=Y),
            joint('rod', 'continuous', 'crank', (0, 0, 0.04 * size), axis=Y, passive=True),
            joint('end', 'fixed', 'rod', (0.16 * size, 0, -0.04 * size)),
            joint('piston', 'prismatic', 'base', (0.16 * size, 0, 0), axis=X, passive=True),
            closure('wrist', 'end', 'piston'))

    locked = structure_of(engine('rigid'))
    assert locked.locked == ('wrist',)
    assert locked.mobility == 0
    free = structure_of(engine('point'))
    assert free.locked == ()
    assert free.mobility == 1


@pytest.mark.parametrize('rounded', [1.57, 1.571, 1.5708])
def test_motors_are_not_tied_by_a_right_angle_that_is_rounded(rounded: float) -> None:
    """A five-bar in the x-z plane, one hip of which is turned there by pi/2, rounded."""
    tilt = rounded - math.pi / 2.0
    five = robot(
        joint('left', 'continuous', 'base', axis=Y),
        joint('left_arm', 'continuous', 'left', (-0.1, 0, 0.1), axis=Y, passive=True),
        joint('left_tip', 'fixed', 'left_arm', (0.15, 0, 0.15)),
        joint('right', 'continuous', 'base', (0.1, 0, 0), axis=Y, rpy=(tilt, 0, 0)),
        joint('right_arm', 'continuous', 'right', (0.1, 0, 0.1), axis=Y, passive=True),
        joint('right_tip', 'fixed', 'right_arm', (-0.15, 0, 0.15)),
        point('tip', 'left_tip', 'right_tip'))
    structure = structure_of(five)
    assert structure.over_actuated == ()
    assert structure.mobility == 2


def test_a_closure_that_no_joint_can_change_holds_nothing() -> None:
    spun = robot(*four_bar(), joint('spinner', 'continuous', 'base', passive=True),
                 point('dead_pin', 'base', 'spinner'))
    structure = structure_of(spun)
    assert structure.mobility == 2
    assert structure.undetermined == ('spinner',)
    assert structure.closures['dead_pin'].redundant_rows == 3
    assert structure.locked == ()
