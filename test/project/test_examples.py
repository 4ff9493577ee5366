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

"""The packaged examples: sound descriptions, closed at home, and solved as closed forms say."""

from __future__ import annotations

import itertools
from pathlib import Path
import shutil
import subprocess
from xml.etree import ElementTree

import numpy as np
import pytest
from riod_urdf_ros.robot.kinematics import forward_kinematics
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from riod_urdf_ros.urdf.loader import load
from support.checks import assert_closed, assert_near, solver_of, steps
from support.oracles import FourBar, triangle_angle
from support.oracles_spatial import Ankle, Delta, Stewart
from support.paths import EXAMPLES
from support.tree import Array, Mechanism, NAMESPACE, read, turn
from support.walk import follow

NAMES = sorted(path.name for path in EXAMPLES.iterdir() if '.urdf' in path.suffixes)
FOUR_BAR = FourBar(0.06, 0.2, 0.14, 0.18)


def text_of(name: str) -> str:
    """Return an example's URDF, xacro expanded."""
    if name.endswith('.xacro'):
        pytest.importorskip('xacro')
    return load(EXAMPLES / name).text


def box(mechanism: Mechanism) -> Array:
    """Return the limits of the actuated joints, shape (n, 2); half a turn where there are none."""
    limits = {joint.name: joint.limits for joint in mechanism.joints
              if joint.kind != 'continuous'}
    return np.array([limits.get(name) or (-np.pi, np.pi) for name in mechanism.actuated])


@pytest.mark.parametrize('name', NAMES)
def test_is_a_sound_description(name: str) -> None:
    if name.endswith('.xacro'):
        pytest.importorskip('xacro')
    assert load(EXAMPLES / name).problems == ()


@pytest.mark.parametrize('name', NAMES)
def test_is_closed_at_home(name: str) -> None:
    text = text_of(name)
    assert np.max(np.abs(read(text).residual({}))) < 1e-9
    assert solver_of(text).problems == ()


@pytest.mark.parametrize('name', NAMES)
def test_urdfdom_reads_it(name: str, tmp_path: Path) -> None:
    check_urdf = shutil.which('check_urdf')
    if check_urdf is None:
        pytest.skip('check_urdf of liburdfdom-tools is not installed')
    file = tmp_path / 'model.urdf'
    file.write_text(text_of(name), encoding='utf-8')
    done = subprocess.run([check_urdf, str(file)], capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stdout + done.stderr
    assert 'Successfully Parsed' in done.stdout


@pytest.mark.parametrize('name', [name for name in NAMES if name.endswith('.xacro')])
def test_xacro_keeps_the_extension(name: str) -> None:
    robot = ElementTree.fromstring(text_of(name))
    assert robot.findall(f'{{{NAMESPACE}}}loop_closure')
    assert robot.findall(f'joint/{{{NAMESPACE}}}actuated')
    assert '<riod:loop_closure' in text_of(name)


@pytest.mark.parametrize('name, mobility, passive, redundant', [
    ('four_bar.urdf', 1, 2, 1), ('delta.urdf.xacro', 3, 15, 0), ('stewart.urdf.xacro', 6, 15, 0),
    ('gripper.urdf.xacro', 1, 4, 2), ('excavator.urdf.xacro', 4, 8, 4), ('ankle.urdf', 2, 6, 0)])
def test_has_the_freedoms_of_the_machine(
        name: str, mobility: int, passive: int, redundant: int) -> None:
    structure = solver_of(text_of(name)).structure
    assert structure.mobility == mobility == len(structure.actuated)
    assert len(structure.passive) == passive
    assert (structure.undetermined, structure.over_actuated, structure.locked) == ((), (), ())
    assert not structure.singular_home
    assert sum(closure.redundant_rows for closure in structure.closures.values()) == redundant


@pytest.mark.parametrize('name', NAMES)
def test_every_corner_of_the_limits_is_reached_in_one_jump(name: str) -> None:
    """Each corner on the branch that short steps lead to, clear of singular poses on the way."""
    mechanism = read(text_of(name))
    solver = solver_of(mechanism)
    home = follow(mechanism, np.zeros((1, len(mechanism.actuated)))).clearance
    for corner in itertools.islice(itertools.product(*box(mechanism)), 0, None, 5):
        walk = follow(mechanism, np.array([corner]), step=0.1)
        assert walk.clearance > 0.1 * home
        solver.reset()
        solution = solver.solve(dict(zip(mechanism.actuated, corner)))
        assert_closed(solution)
        assert_near(solver.robot, solution.positions,
                    dict(zip(mechanism.passive, walk.positions[-1])))


def test_four_bar_turns_and_the_crank_follows_the_rocker() -> None:
    home = np.pi / 2
    text = text_of('four_bar.urdf')
    solver, back = solver_of(text), solver_of(text, known=['rocker'])
    for angle in [*steps(0.0, 4 * np.pi, 100), *steps(4 * np.pi, -2 * np.pi, 37)]:
        solution = solver.solve({'crank': angle}, {'crank': 1.0})
        assert_closed(solution)
        assert_near(solver.robot, solution.positions, FOUR_BAR.joints(home, angle))
        expected = FOUR_BAR.velocities(home, angle)
        assert solution.velocities == pytest.approx(expected, abs=1e-8)
    # Clear of the rocker's dead centres, where the crank could go either way.
    for angle in [*steps(0.0, 0.5, 5), *steps(0.5, -0.5, 7)]:
        expected = FOUR_BAR.joints(home, angle)
        answer = back.solve({'rocker': expected['rocker']}).positions
        assert_near(back.robot, answer, expected)


def test_delta_stays_level_and_goes_where_the_spheres_meet() -> None:
    text, size = text_of('delta.urdf.xacro'), Delta()
    assert np.allclose(size.forward([0, 0, 0]), size.home, atol=1e-12)
    solver = solver_of(text)
    back = solver_of(text, known=['motor_1', 'rod_1a_swing', 'rod_1a_tilt'])
    rng = np.random.default_rng(5)
    for target in rng.uniform(-0.6, 1.0, (25, 3)):
        assert size.inverse(size.forward(target)) == pytest.approx(target, abs=1e-12)
        expected = size.joints(target)
        solution = solver.solve({f'motor_{i}': q for i, q in enumerate(target, 1)})
        assert_closed(solution)
        assert_near(solver.robot, solution.positions, expected)
        platform = forward_kinematics(solver.robot, solution.positions)['platform']
        assert np.allclose(platform[:3, :3], np.eye(3), atol=1e-9)
        assert np.allclose(platform[:3, 3], size.forward(target), atol=1e-9)
        assert_near(back.robot, back.solve(expected).positions, expected)


def test_stewart_takes_the_legs_of_any_pose() -> None:
    text, size = text_of('stewart.urdf.xacro'), Stewart()
    solver = solver_of(text)
    back = solver_of(
        text, known=['leg_1', 'leg_1_swing', 'leg_1_tilt', 'ball_x', 'ball_y', 'ball_z'])
    rng = np.random.default_rng(6)
    for _ in range(25):
        R = turn(rng.normal(size=3), rng.uniform(0.0, 0.25))
        place = np.array([0.0, 0.0, size.height]) + rng.uniform(-0.08, 0.08, 3)
        expected = size.joints(R, place)
        solution = solver.solve(dict(zip([f'leg_{i}' for i in range(1, 7)],
                                         size.inverse(R, place))))
        assert_closed(solution)
        assert_near(solver.robot, solution.positions, expected)
        platform = forward_kinematics(solver.robot, solution.positions)['platform']
        assert np.allclose(platform[:3, :3], R, atol=1e-9)
        assert np.allclose(platform[:3, 3], place, atol=1e-9)
        assert_near(back.robot, back.solve(expected).positions, expected)


def test_ankle_turns_the_foot_as_its_motors_say() -> None:
    solver = solver_of(text_of('ankle.urdf'))
    rng = np.random.default_rng(8)
    for pitch, roll in rng.uniform(-0.35, 0.35, (20, 2)):
        expected = Ankle().joints(float(pitch), float(roll))
        solution = solver.solve({name: expected[name] for name in solver.independent})
        assert_closed(solution)
        assert_near(solver.robot, solution.positions, expected)


def test_gripper_keeps_its_jaws_parallel() -> None:
    text = text_of('gripper.urdf.xacro')
    solver, back = solver_of(text), solver_of(text, known=['left_finger'])
    for q in [*steps(0.0, 0.7, 9), 0.1]:
        expected = {'motor': q, 'left_crank': q}
        for side in ('left', 'right'):
            expected.update({f'{side}_follower': q, f'{side}_finger': -q})
        assert_near(solver.robot, solver.solve({'motor': q}).positions, expected)
        assert_near(back.robot, back.solve(expected).positions, expected)
        poses = forward_kinematics(solver.robot, expected)
        opening = poses['right_finger'][0, 3] - poses['left_finger'][0, 3] - 2 * 0.015
        assert opening == pytest.approx(2 * 0.055 * np.sin(0.7 - q), abs=1e-12)


def test_excavator_hinges_follow_the_law_of_cosines_and_the_cylinders_the_hinges() -> None:
    text = text_of('excavator.urdf.xacro')
    solver = solver_of(text)
    back = solver_of(text, known=['boom', 'stick', 'bucket'])
    poses = forward_kinematics(solver.robot, {})

    def between(a: str, b: str) -> float:
        return float(np.linalg.norm(poses[a][:3, 3] - poses[b][:3, 3]))

    def opened(hinge: str, ram: str, stroke: float) -> float:
        """Return by how much a cylinder has widened the angle at the hinge."""
        sides = between(hinge, f'{ram}_barrel'), between(hinge, f'{ram}_rod')
        length = between(f'{ram}_barrel', f'{ram}_rod')
        return triangle_angle(*sides, length + stroke) - triangle_angle(*sides, length)

    rng = np.random.default_rng(7)
    for low in rng.uniform([-2.0, -0.25, -0.2, -0.14], [2.0, 0.2, 0.25, 0.2], (20, 4)):
        state = dict(zip(('swing', 'boom_ram', 'stick_ram', 'bucket_ram'), map(float, low)))
        solution = solver.solve(state)
        assert_closed(solution)
        assert_near(solver.robot, solution.positions, {
            'boom': opened('boom_link', 'boom_ram', state['boom_ram']),
            'stick': -opened('stick_link', 'stick_ram', state['stick_ram']),
            'lever': -opened('lever_link', 'bucket_ram', state['bucket_ram'])})
        assert_near(back.robot, back.solve(solution.positions).positions, solution.positions)


def test_a_passive_hinge_is_known_instead_of_the_motor_it_belongs_to() -> None:
    solver = ClosureSolver(load(EXAMPLES / 'four_bar.urdf').robot, known_joints=['rocker'])
    assert solver.independent == ('rocker',)
    assert set(solver.groups[0].dependent) == {'crank', 'coupler'}
