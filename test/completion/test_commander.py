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

"""Commands of an ankle's pitch and roll against the closed form of its motors."""

from __future__ import annotations

import numpy as np
import pytest
from riod_urdf_ros import ClosureSolver, load, UsageError
from riod_urdf_ros.completion.commander import Command, Commander
from support.oracles_spatial import Ankle
from support.paths import EXAMPLES
from support.tree import Array

NAMES = ['ankle_pitch', 'ankle_roll']


def commander() -> Commander:
    return Commander(ClosureSolver(load(EXAMPLES / 'ankle.urdf').robot, known_joints=NAMES))


def motors(pitch: float, roll: float) -> Array:
    joints = Ankle().joints(pitch, roll)
    return np.array([joints['left_motor'], joints['right_motor']])


def test_positions_velocities_and_accelerations_are_translated() -> None:
    q, v, a, h = np.array([0.2, -0.1]), np.array([1.0, -2.0]), np.array([3.0, 4.0]), 1e-4
    found = commander().command(NAMES, Command(tuple(q), tuple(v), tuple(a)))
    before, now, after = (motors(*(q + t * v + 0.5 * t * t * a)) for t in (-h, 0.0, h))
    assert np.allclose(found.positions, now, atol=1e-9)
    assert np.allclose(found.velocities, (after - before) / (2 * h), atol=1e-6)
    assert np.allclose(found.accelerations, (after - 2 * now + before) / h**2, atol=1e-5)


def test_efforts_do_the_same_work() -> None:
    h, q, torques = 1e-6, np.array([0.2, -0.1]), np.array([5.0, -3.0])
    found = commander().command(NAMES, Command(tuple(q), efforts=tuple(torques)))
    for step in np.eye(2):
        moved = (motors(*(q + h * step)) - motors(*(q - h * step))) / (2 * h)
        assert moved @ found.efforts == pytest.approx(step @ torques, rel=1e-7)


def test_a_trajectory_keeps_its_points_and_bends_with_the_motors() -> None:
    points = [Command((0.0, 0.0)), Command((0.4, 0.0), time=1.0), Command((0.1, 0.2), time=2.5)]
    found = commander().trajectory(NAMES, points, 1e-4)
    times = np.array([point.time for point in found])
    assert (np.diff(times) > 0.0).all()
    for point in points:
        at = found[int(np.flatnonzero(times == point.time)[0])]
        assert np.allclose(at.positions, motors(*point.positions), atol=1e-9)
    # Played by straight lines, the motors are on the way that was asked for.
    moments = np.linspace(0.0, 2.5, 101)
    wanted = np.array([motors(*(np.interp(t, [0, 1, 2.5], [p.positions[i] for p in points])
                                for i in (0, 1))) for t in moments])
    played = np.array([[np.interp(t, times, [p.positions[i] for p in found]) for i in (0, 1)]
                       for t in moments])
    assert np.abs(played - wanted).max() < 1.5e-4
    few = commander().trajectory(NAMES, points, 1.0)
    assert len(few) == 3 < len(found)


@pytest.mark.parametrize('names, points, message', [
    (NAMES, [Command((0.0, 0.0)), Command((0.9, 0.0), time=1.0)], 'point 2 of 2: motor'),
    (NAMES, [Command((0.0, 0.0)), Command((0.0, 0.0))], 'point 2 of 2: its time'),
    (NAMES, [Command((0.0,))], 'point 1 of 1: there are 1 positions for 2 joints'),
    (NAMES, [Command((0.0, float('nan')))], 'finite'),
    (['left_motor'], [Command((0.0,))], 'have to be for')])
def test_what_cannot_be_followed_is_refused_whole(
        names: list[str], points: list[Command], message: str) -> None:
    there = commander()
    there.command(NAMES, Command((0.1, 0.05)))
    with pytest.raises(UsageError, match=message):
        there.trajectory(names, points, 1e-3)
    assert there.solver.now['ankle_pitch'] == pytest.approx(0.1)
    assert there.solver.now['left_motor'] == pytest.approx(motors(0.1, 0.05)[0], abs=1e-9)


def test_joints_that_are_left_out_stay_where_they_are() -> None:
    there = commander()
    there.command(NAMES, Command((0.2, 0.1)))
    found = there.command(['ankle_pitch'], Command((0.1,)))
    assert np.allclose(found.positions, motors(0.1, 0.1), atol=1e-9)
