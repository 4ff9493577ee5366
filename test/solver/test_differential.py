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

"""Derivatives of closed mechanisms against closed forms, finite differences and virtual work."""

from __future__ import annotations

from collections.abc import Callable
import pickle

import numpy as np
import pytest
from riod_urdf_ros import ClosureSolver, load, UsageError
from riod_urdf_ros.robot.kinematics import forward_kinematics
from riod_urdf_ros.urdf.parser import parse
from support.checks import solver_of
from support.mechanisms import delta, five_bar, four_bar, stewart
from support.oracles import FiveBar, FourBar
from support.oracles_spatial import Ankle, Delta, Stewart
from support.paths import EXAMPLES
from support.tree import Array, rotation_vector

ANKLE = EXAMPLES / 'ankle.urdf'
FIVE = five_bar(FiveBar(1.0, 1.4, 1.0, 1.4, 0.8), (2.2, 0.9))
MAKERS: dict[str, tuple[Callable[[], ClosureSolver], float, str]] = {
    'ankle': (lambda: ClosureSolver(load(ANKLE).robot), 0.3, 'foot'),
    'ankle from its pose': (lambda: ClosureSolver(
        load(ANKLE).robot, known_joints=['ankle_pitch', 'ankle_roll']), 0.3, 'left_rod'),
    'delta': (lambda: solver_of(delta(Delta())), 0.4, 'platform'),
    'stewart': (lambda: solver_of(stewart(Stewart())), 0.05, 'platform'),
    'five-bar': (lambda: solver_of(FIVE), 0.3, 'left_forearm')}
COUNT, H = 250, 2e-4


def link(solver: ClosureSolver, name: str) -> str:
    """Return a link by its name, or by that of the joint that moves it."""
    return name if name in solver.robot.links else solver.robot.by_name[name].child


def three(solver: ClosureSolver, u: Array, du: Array, ddu: Array) -> list[Array]:
    """Return all joints a moment before, now and a moment later; every row is closed."""
    found = []
    for t in (-H, 0.0, H):
        batch = solver.solve_batch(u + t * du + 0.5 * t * t * ddu, from_home=True)
        assert not batch.states.any()
        found.append(batch.positions)
    return found


@pytest.mark.parametrize('kind', MAKERS)
def test_first_and_second_derivatives_are_those_of_finite_differences(kind: str) -> None:
    make, size, frame = MAKERS[kind]
    solver, rng = make(), np.random.default_rng(5)
    frame = link(solver, frame)
    n = len(solver.independent)
    u = rng.uniform(-size, size, (COUNT, n))
    du, ddu = rng.normal(size=(2, COUNT, n))
    before, now, after = three(solver, u, du, ddu)
    names = [joint.name for joint in solver.robot.moving_joints]
    J = solver.jacobian(now, du)
    places = [names.index(name) for name in J.rows]
    assert sorted((*J.rows, *J.columns)) == sorted(names)
    velocity = (J.values @ du[:, :, None])[:, :, 0]
    # Errors of the differences: H^2 times a third derivative; rounding over H^2.
    scale = 1.0 + np.abs(velocity).max()
    assert np.abs((after - before)[:, places] / (2 * H) - velocity).max() < 2e-5 * scale ** 3
    all_accelerations = np.asarray(solver.accelerations(du, ddu, now))
    assert np.allclose(all_accelerations[:, places],
                       (J.values @ ddu[:, :, None])[:, :, 0] + J.bias)
    assert np.abs((after - 2 * now + before) / H ** 2 - all_accelerations).max() \
        < 2e-5 * scale ** 4
    twist = solver.link_jacobian(frame, now, du)
    moved = (twist.values @ du[:, :, None])[:, :, 0]
    pushed = (twist.values @ ddu[:, :, None])[:, :, 0] + twist.bias
    for k in range(0, COUNT, 25):
        a, b, c = (forward_kinematics(solver.robot, dict(zip(names, q[k].tolist())))[frame]
                   for q in (before, now, after))
        assert np.allclose((c - a)[:3, 3] / (2 * H), moved[k, :3], atol=2e-5 * scale ** 3)
        spin = rotation_vector(c[:3, :3] @ a[:3, :3].T) / (2 * H)
        assert np.allclose(spin, moved[k, 3:], atol=2e-5 * scale ** 3)
        assert np.allclose((c - 2 * b + a)[:3, 3] / H ** 2, pushed[k, :3],
                           atol=2e-5 * scale ** 4)
        turned = (rotation_vector(c[:3, :3] @ b[:3, :3].T)
                  - rotation_vector(b[:3, :3] @ a[:3, :3].T)) / H ** 2
        assert np.allclose(turned, pushed[k, 3:], atol=2e-5 * scale ** 4)


def test_a_delta_platform_moves_as_trilateration_tells() -> None:
    size, rng = Delta(), np.random.default_rng(2)
    solver = solver_of(delta(size))
    for u in rng.uniform(-0.4, 0.4, (20, 3)):
        solver.solve(dict(zip(solver.independent, u.tolist())))
        J = solver.link_jacobian('platform')
        expected = np.array([(size.forward(u + step) - size.forward(u - step)) / 2e-6
                             for step in 1e-6 * np.eye(3)]).T
        assert np.abs(J.values - [*expected, *np.zeros((3, 3))]).max() < 1e-8


def test_motion_is_seen_from_another_moving_frame() -> None:
    solver = ClosureSolver(load(ANKLE).robot)
    du = {'left_motor': 0.7, 'right_motor': -0.4}

    def seen(t: float) -> Array:
        q = solver.solve({name: 0.1 + rate * t for name, rate in du.items()}).positions
        poses = forward_kinematics(solver.robot, q)
        return np.linalg.inv(poses['left_crank']) @ poses['foot']

    a, c, b = seen(-H), seen(H), seen(0.0)
    J = solver.link_jacobian('foot', velocities=du, reference='left_crank')
    twist = J.values @ [*du.values()]
    assert np.allclose((c - a)[:3, 3] / (2 * H), twist[:3], atol=1e-7)
    assert np.allclose(rotation_vector(c[:3, :3] @ a[:3, :3].T) / (2 * H), twist[3:], atol=1e-7)
    assert np.allclose((c - 2 * b + a)[:3, 3] / H ** 2, J.bias[:3], atol=1e-6)


@pytest.mark.parametrize('kind', MAKERS)
def test_power_in_is_power_out_and_back_is_the_same(kind: str) -> None:
    make, size, _ = MAKERS[kind]
    solver, rng = make(), np.random.default_rng(8)
    n = len(solver.independent)
    positions = solver.solve_batch(rng.uniform(-size, size, (100, n)), from_home=True).positions
    J = solver.jacobian(positions)
    onto: list[str] = []
    for name, row in zip(J.rows, range(len(J.rows))):
        chosen = [*map(J.rows.index, onto), row]
        if len(onto) < n and np.linalg.svd(J.values[:, chosen])[1].min() > 1e-3:
            onto.append(name)
    assert len(onto) == n
    given = dict(zip(solver.independent, rng.normal(size=(n, 100))))
    mapped = solver.map_effort(given, onto, positions)
    for _ in range(3):
        du = rng.normal(size=(100, n))
        dq = (J.values @ du[:, :, None])[:, :, 0]
        power_in = sum(effort * du[:, i] for i, effort in enumerate(given.values()))
        shares = np.array([np.asarray(mapped[name]) * dq[:, J.rows.index(name)]
                           for name in onto])
        power_out, weight = shares.sum(axis=0), np.abs(shares).sum(axis=0)
        assert (np.abs(power_in - power_out) <= 1e-9 * (1.0 + weight)).all()
    back = solver.map_effort(mapped, solver.independent, positions)
    for name, effort in given.items():
        assert np.allclose(np.asarray(back[name]), effort, rtol=1e-9, atol=1e-9)


def test_ankle_torques_are_those_of_the_rods() -> None:
    # A rod pulls its motor and the foot with the same force, whatever stands between.
    size, pitch, roll = Ankle(), 0.2, -0.15
    solver = ClosureSolver(load(ANKLE).robot, known_joints=['ankle_pitch', 'ankle_roll'])
    solver.solve({'ankle_pitch': pitch, 'ankle_roll': roll})
    found = solver.map_effort({'ankle_pitch': 3.0, 'ankle_roll': -2.0},
                              ['left_motor', 'right_motor'])

    def motors(p: float, r: float) -> Array:
        joints = size.joints(p, r)
        return np.array([joints['left_motor'], joints['right_motor']])

    h = 1e-6
    G = np.array([(motors(pitch + h, roll) - motors(pitch - h, roll)) / (2 * h),
                  (motors(pitch, roll + h) - motors(pitch, roll - h)) / (2 * h)]).T
    assert np.allclose([*found.values()], np.linalg.solve(G.T, [3.0, -2.0]), rtol=1e-7)


def test_what_has_no_answer_is_not_a_number() -> None:
    # A crank-rocker, driven by its rocker, at the dead centre of the crank.
    bars = FourBar(1.0, 2.5, 2.0, 2.6)
    solver = solver_of(four_bar(bars, 1.0))
    straight = np.arccos((3.5 ** 2 + bars.ground ** 2 - bars.rocker ** 2)
                         / (2 * 3.5 * bars.ground)) - 1.0
    solution = solver.solve({'crank': straight})
    rocker = next(name for name in solver.jacobian().rows if solver.robot.chain(
        solver.robot.by_name[name].child)[-2].name != 'crank')
    efforts = solver.map_effort({'crank': 1.0}, [rocker])
    assert not np.isfinite([*efforts.values()]).any()
    reverse = solver_of(four_bar(bars, 1.0), [rocker])
    at_dead_centre = np.array([[solution.positions[joint.name]
                                for joint in solver.robot.moving_joints]])
    assert np.isnan(reverse.jacobian(at_dead_centre).values).all()
    opened = at_dead_centre + 0.1
    assert np.isnan(solver.jacobian(opened).values).all()


def test_a_held_group_is_told_where_it_is_held() -> None:
    solver = solver_of(five_bar(FiveBar(1.0, 1.2, 1.0, 1.2, 0.8), (2.2, 0.9)))
    solver.solve({'left': 0.1, 'right': 0.1})
    there = solver.jacobian().values
    assert any(s.held for s in solver.solve({'left': 0.9, 'right': -0.9}).groups)
    assert solver.now['left'] == pytest.approx(0.1)
    assert np.array_equal(solver.jacobian().values, there)
    again = pickle.loads(pickle.dumps(solver))
    assert np.array_equal(again.jacobian().values, there)


def test_mimic_joints_move_with_their_sources() -> None:
    text = FIVE.text().replace('</robot>', """
        <link name="needle"/><joint name="needle" type="continuous"><parent link="base"/>
        <child link="needle"/><axis xyz="0 0 1"/><mimic joint="left_forearm" multiplier="-3"/>
        </joint></robot>""")
    solver = ClosureSolver(parse(text).robot)
    J = solver.jacobian(velocities={'left': 1.0, 'right': 2.0})
    needle, forearm = J.rows.index('needle'), J.rows.index('left_forearm')
    assert np.array_equal(J.values[needle], -3.0 * J.values[forearm])
    assert J.bias[needle] == -3.0 * J.bias[forearm]


def test_wrong_names_and_shapes_are_refused() -> None:
    solver = solver_of(FIVE)
    with pytest.raises(UsageError, match="no link 'nothing'"):
        solver.link_jacobian('nothing')
    with pytest.raises(UsageError, match='no position of joint'):
        solver.jacobian({'left': 0.0})
    with pytest.raises(UsageError, match=r'shape \(3, 2\); right is \(k, 4\)'):
        solver.jacobian(np.zeros((3, 2)))
    with pytest.raises(UsageError, match='no moving joint'):
        solver.map_effort({'lift': 1.0}, ['left'])
