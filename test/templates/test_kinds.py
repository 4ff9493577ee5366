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

"""Starting files parse without problems, are closed at home, and move as closed forms say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
import shutil
import subprocess

import numpy as np
import pytest
from riod_urdf_ros.exceptions import UsageError
from riod_urdf_ros.templates.kinds import KINDS, write_template
from riod_urdf_ros.urdf.parser import parse
from support.checks import assert_closed, assert_near, solver_of
from support.oracles import FiveBar, FourBar, slider_crank
from support.oracles_spatial import Ankle, Delta, Stewart
from support.tree import read, turn

Joints = dict[str, float]
OTHER_LENGTHS: dict[str, dict[str, float]] = {
    'four-bar': {'crank': 0.3, 'coupler': 1.1, 'rocker': 0.9, 'ground': 1.0},
    'slider-crank': {'crank': 0.5, 'rod': 1.7, 'offset': -0.2},
    'five-bar': {'left': 0.3, 'left_forearm': 0.5, 'right': 0.35, 'right_forearm': 0.45,
                 'ground': 0.2},
    'delta': {'base_radius': 0.1, 'platform_radius': 0.06, 'arm': 0.2, 'rod': 0.5,
              'half_width': 0.03},
    'stewart': {'base_radius': 0.3, 'platform_radius': 0.25, 'height': 0.5,
                'base_half_angle': 0.3, 'platform_half_angle': 0.25},
    'ankle': {'height': 0.4, 'lever': 0.06, 'half_width': 0.05},
    'gripper': {'bar': 0.1, 'pivot': 0.02, 'spacing': 0.05, 'open_angle': 0.5},
    'scissor': {'arm': 1.2, 'rise': 0.4},
}


def _four_bar(size: Mapping[str, float], u: np.ndarray) -> Joints:
    bars = FourBar(size['crank'], size['coupler'], size['rocker'], size['ground'])
    return bars.joints(np.pi / 2.0, 2.0 * u[0])


def _slider_crank(size: Mapping[str, float], u: np.ndarray) -> Joints:
    home, angle = np.pi / 2.0, 2.0 * u[0]
    (x_home, lean_home), (x, lean) = (
        slider_crank(size['crank'], size['rod'], size['offset'], at)
        for at in (home, home + angle))
    return {'crank': angle, 'rod': lean - lean_home - angle, 'slider': x - x_home}


def _five_bar(size: Mapping[str, float], u: np.ndarray) -> Joints:
    bars = FiveBar(size['left'], size['left_forearm'], size['right'], size['right_forearm'],
                   size['ground'])
    return bars.joints((2.0 * np.pi / 3.0, np.pi / 3.0), 0.4 * u[0], 0.4 * u[1])


def _delta(size: Mapping[str, float], u: np.ndarray) -> Joints:
    return Delta(**size).joints(0.4 * u[:3])


def _stewart(size: Mapping[str, float], u: np.ndarray) -> Joints:
    place = np.array([0.0, 0.0, size['height']]) + 0.1 * size['height'] * u[:3]
    return Stewart(**size).joints(turn(u[3:] + [0.0, 0.0, 1e-3], 0.2), place)


def _ankle(size: Mapping[str, float], u: np.ndarray) -> Joints:
    return Ankle(**size).joints(0.4 * u[0], 0.3 * u[1])


def _gripper(size: Mapping[str, float], u: np.ndarray) -> Joints:
    q = 0.4 * u[0]
    return {name: sign * q for name, sign in (
        ('motor', 1), ('left_crank', 1), ('left_follower', 1), ('right_follower', 1),
        ('left_finger', -1), ('right_finger', -1))}


def _scissor(size: Mapping[str, float], u: np.ndarray) -> Joints:
    lift = 0.3 * u[0]
    slide = size['arm'] * (np.cos(size['rise'] + lift) - np.cos(size['rise']))
    return {'slide': slide, 'top_slide': slide, 'arm_1': lift, 'arm_2': -lift, 'platform': lift}


FORMS: dict[str, Callable[[Mapping[str, float], np.ndarray], Joints]] = {
    'four-bar': _four_bar, 'slider-crank': _slider_crank, 'five-bar': _five_bar, 'delta': _delta,
    'stewart': _stewart, 'ankle': _ankle, 'gripper': _gripper, 'scissor': _scissor}


@pytest.mark.parametrize('other', [False, True], ids=['default', 'other lengths'])
@pytest.mark.parametrize('kind', KINDS)
def test_is_sound_and_moves_as_the_closed_form(kind: str, other: bool) -> None:
    lengths = OTHER_LENGTHS[kind] if other else {}
    text = write_template(kind, lengths)
    assert parse(text).problems == ()
    assert np.max(np.abs(read(text).residual({}))) < 1e-9
    solver = solver_of(text)
    assert solver.problems == ()
    assert solver.structure.mobility == len(solver.independent)
    size = {**KINDS[kind].lengths, **lengths}
    for u in np.random.default_rng(3).uniform(-1.0, 1.0, (5, 6)):
        expected = {name: float(value) for name, value in FORMS[kind](size, u).items()}
        solution = solver.solve({name: expected[name] for name in solver.independent})
        assert_closed(solution)
        assert solution.positions.keys() == expected.keys()
        assert_near(solver.robot, solution.positions, expected)


@pytest.mark.parametrize('kind', KINDS)
def test_urdfdom_reads_it(kind: str, tmp_path: pytest.TempPathFactory) -> None:
    check_urdf = shutil.which('check_urdf')
    if check_urdf is None:
        pytest.skip('check_urdf of liburdfdom-tools is not installed')
    file = f'{tmp_path}/model.urdf'
    with open(file, 'w', encoding='utf-8') as model:
        model.write(write_template(kind, {}))
    done = subprocess.run([check_urdf, file], capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stderr) == (0, '')


@pytest.mark.parametrize('kind, lengths, words', [
    ('four-bar', {'ground': 1.0}, 'cannot meet'),
    ('five-bar', {'left_forearm': 2.0}, 'cannot meet'),
    ('slider-crank', {'offset': 0.3}, 'does not reach'), ('delta', {'rod': 0.3}, 'do not reach'),
    ('gripper', {'open_angle': 1.6}, 'between 0 and'), ('scissor', {'rise': 2.0}, 'between 0 and'),
    ('ankle', {'lever': -1.0}, 'more than 0'), ('stewart', {'height': float('nan')}, 'nan')])
def test_lengths_that_make_no_mechanism(
        kind: str, lengths: dict[str, float], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        write_template(kind, lengths)
