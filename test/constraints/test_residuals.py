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

"""Residuals and their Jacobians against finite differences and the tests' own reading."""

from __future__ import annotations

import numpy as np
import pytest
from riod_urdf_ros.constraints.compiled_jacobian import SparseJacobian
from riod_urdf_ros.constraints.recordings import ClosureCode
from riod_urdf_ros.robot.model import Mimic, Robot
from riod_urdf_ros.structure.ranks import Linearisation
from riod_urdf_ros.urdf.parser import parse
from support.inline import joint, point, rigid, robot, X
from support.mechanisms import random_tree
from support.tree import Array

STEP = 1e-6
seeds = pytest.mark.parametrize('seed', range(8))


def linearisation_of(robot: Robot) -> Linearisation:
    return Linearisation(ClosureCode(robot), robot.closures)


def differences(linearisation: Linearisation, x: Array) -> Array:
    """Differentiate the residual by central differences."""
    columns = []
    for i in range(x.size):
        step = np.zeros(x.size)
        step[i] = STEP
        columns.append((linearisation(x + step)[0] - linearisation(x - step)[0]) / (2.0 * STEP))
    result: Array = np.array(columns).T
    return result


def position_rows(linearisation: Linearisation, robot: Robot) -> list[int]:
    """Return the rows of positions: the first three of each closure, none of which is constant."""
    return [i for closure in robot.closures for i in
            [k for k, name in enumerate(linearisation.row_closure) if name == closure.name][:3]]


@seeds
def test_residual_is_that_of_another_reading(seed: int) -> None:
    rng = np.random.default_rng(seed)
    mechanism = random_tree(rng, 3, 3)
    linearisation = linearisation_of(parse(mechanism.text()).robot)
    x = rng.uniform(-0.4, 0.4, len(linearisation.names))
    r, _ = linearisation(x)
    expected = mechanism.residual(dict(zip(linearisation.names, x * linearisation.scale)))
    start = 0
    for closure in mechanism.closures:
        rows = r[[name == closure.name for name in linearisation.row_closure]]
        for part, unit in [(slice(0, 3), linearisation.length), (slice(3, 6), 1.0)][
                :1 + (closure.kind == 'rigid')]:
            # Seen in axes of its own, so lengths are what can be compared.
            assert np.linalg.norm(rows[part]) * unit == pytest.approx(
                np.linalg.norm(expected[start:start + 3]), abs=1e-12)
            start += 3


@seeds
def test_position_rows_are_exact_and_the_gradient_is_exact_everywhere(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = parse(random_tree(rng, 3, 3).text()).robot
    linearisation = linearisation_of(robot)
    x = rng.uniform(-0.5, 0.5, len(linearisation.names))
    r, J = linearisation(x)
    expected = differences(linearisation, x)
    rows = position_rows(linearisation, robot)
    assert J[rows] == pytest.approx(expected[rows], abs=1e-8)
    assert J.T @ r == pytest.approx(expected.T @ r, abs=1e-7)


@seeds
def test_all_rows_are_exact_where_the_loops_are_closed(seed: int) -> None:
    rng = np.random.default_rng(seed)
    linearisation = linearisation_of(parse(random_tree(rng, 3, 3).text()).robot)
    home = np.zeros(len(linearisation.names))
    r, J = linearisation(home)
    assert np.linalg.norm(r) < 1e-12
    assert J == pytest.approx(differences(linearisation, home), abs=1e-8)


@pytest.mark.parametrize('angle', [0.5, 3.0, np.pi, -2.0])
def test_the_logarithm_reaches_half_a_turn(angle: float) -> None:
    hinges = robot(joint('a', 'revolute', 'base', rpy=(0.3, -0.2, 1.0)),
                   joint('b', 'revolute', 'a', passive=True),
                   joint('c', 'fixed', 'base', rpy=(0.3, -0.2, 1.0)), rigid('loop', 'b', 'c'))
    linearisation = linearisation_of(hinges)
    r, _ = linearisation(np.array([angle, 0.0]))
    assert np.linalg.norm(r) == pytest.approx(abs(angle), abs=1e-12)


def test_mimic_joints_move_with_their_source() -> None:
    """Of all kinds: their factor belongs into the column of the joint they follow."""
    gears = robot(
        joint('turn', 'revolute', 'base', (0.1, 0, 0), rpy=(0.4, 0, 0)),
        joint('slide', 'prismatic', 'turn', (0.5, 0, 0.2), axis=X, mimic=Mimic('turn', 0.3, 0.02)),
        joint('back', 'revolute', 'slide', (0, 0.3, 0), mimic=Mimic('turn', -2.0, 0.5)),
        joint('lift', 'prismatic', 'base', axis=X, passive=True),
        joint('screw', 'revolute', 'lift', axis=X, mimic=Mimic('lift', 4.0, -0.1)),
        joint('tip', 'revolute', 'screw', (0.7, 0.1, 0.3), rpy=(0, 1, 0), passive=True),
        rigid('loop', 'back', 'tip'))
    linearisation = linearisation_of(gears)
    assert linearisation.names == ('turn', 'lift', 'tip')
    x = np.array([0.3, -0.2, 0.7])
    r, J = linearisation(x)
    expected = differences(linearisation, x)
    assert J[:3] == pytest.approx(expected[:3], abs=1e-8)
    assert J.T @ r == pytest.approx(expected.T @ r, abs=1e-7)


def test_a_rigid_closure_has_a_residual_wherever_its_angle_is_exactly_0_or_pi() -> None:
    """Newton's steps end where the nudge that gives half a turn an axis is undone: at -1e-30."""
    hinges = robot(joint('a', 'revolute', 'base'), joint('b', 'revolute', 'a', passive=True),
                   joint('c', 'fixed', 'base'), rigid('loop', 'b', 'c'))
    recording = ClosureCode(hinges).record(hinges.closures)
    arrays = SparseJacobian(recording, ('a', 'b'), {0: 0, 1: 1}, arrays=True)
    angles = np.array([0.0, 1e-30, -1e-30, 5e-31, -5e-31, 1e-200, 1e-9, -1e-9, 1e-3, 3.0])
    residuals, J = arrays.many(np.array([angles, np.zeros(angles.size)]))
    assert np.allclose(np.abs(residuals[:, -1]), np.abs(angles), rtol=1e-12, atol=2e-30)
    assert (np.abs(J[:, -1]) == 1.0).all()
    one = SparseJacobian(recording, ('a', 'b'), {0: 0, 1: 1})
    for angle, residual in zip(angles.tolist(), residuals):
        assert one([angle, 0.0])[0] == pytest.approx(residual, rel=1e-12, abs=1e-31)
    flipped = robot(joint('a', 'revolute', 'base', passive=True), joint('b', 'fixed', 'a'),
                    joint('c', 'fixed', 'base', rpy=(0, 0, np.pi)), rigid('loop', 'b', 'c'))
    assert np.linalg.norm(linearisation_of(flipped)(np.zeros(1))[0]) == pytest.approx(np.pi)


@pytest.mark.parametrize('pitch', [0.1, 5e-4, 1e-5])
def test_a_joint_that_moves_others_by_gears_counts_by_what_it_moves(pitch: float) -> None:
    """A spindle seen from its hinge: its column is that of the slide that it drives."""
    spindle = robot(
        joint('spindle', 'continuous', 'base', axis=X),
        joint('nut', 'prismatic', 'base', (0.5, 0.2, 0), axis=X,
              mimic=Mimic('spindle', pitch / (2.0 * np.pi))),
        joint('arm', 'continuous', 'base', (0, 0.2, 0), passive=True),
        joint('slot', 'prismatic', 'arm', (0.5, 0, 0), axis=X, passive=True),
        point('loop', 'slot', 'nut'))
    code = ClosureCode(spindle)
    assert code.unit('spindle', 0.5) == pytest.approx(0.5 * 2.0 * np.pi / pitch)
    assert code.unit('slot', 0.5) == 0.5
    assert code.unit('arm', 0.5) == 1.0
    linearisation = linearisation_of(spindle)
    x = np.array([0.1] * len(linearisation.names))
    r, J = linearisation(x)
    assert pytest.approx(differences(linearisation, x), abs=1e-8) == J
    assert np.linalg.norm(J[:, linearisation.column(['spindle'])]) == pytest.approx(1.0)
