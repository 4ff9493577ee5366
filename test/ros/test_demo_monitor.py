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

import math

from riod_urdf_ros import ClosureSolver, load
from riod_urdf_ros.resources import default_model
from riod_urdf_ros.ros.demo_monitor import measure_gap, Monitor

ROBOT = load(default_model()).robot
HOME = {joint.name: 0.0 for joint in ROBOT.moving_joints}


def test_closed_loops_are_said_to_be_closed() -> None:
    solver = ClosureSolver(ROBOT)
    monitor = Monitor(solver)
    assert not monitor.closed, 'nothing was seen yet'
    for angle in (0.0, 0.1, 0.2):
        monitor.add(solver.solve({'crank': angle}).positions)
    assert monitor.closed
    assert monitor.received == 3
    report = monitor.report(0.1)
    assert report.startswith('30 complete')
    assert 'closed' in report and 'OPEN' not in report
    assert 'rocker*' in report, 'passive joints are marked'
    assert monitor.report(1.0).startswith('0 complete')


def test_one_open_state_is_not_forgotten() -> None:
    monitor = Monitor(ClosureSolver(ROBOT))
    monitor.add({**HOME, 'crank': 0.1})
    assert 'OPEN' in monitor.report(1.0)
    monitor.add(HOME)
    assert 'OPEN' not in monitor.report(1.0)
    assert not monitor.closed


def test_a_state_without_a_joint_of_the_loop_tells_nothing_about_it() -> None:
    monitor = Monitor(ClosureSolver(ROBOT))
    monitor.add({'crank': 0.0})
    assert 'not known' in monitor.report(1.0)
    assert not monitor.closed


def test_nan_is_not_closed() -> None:
    monitor = Monitor(ClosureSolver(ROBOT))
    monitor.add({**HOME, 'crank': math.nan})
    assert not monitor.closed


def test_gap_is_the_distance_of_the_frames() -> None:
    closure = ROBOT.closures[0]
    assert measure_gap(ROBOT, closure, HOME).distance < 1e-9
    # The crank is 60 mm long and carries the coupler along, whose angle in space turns too.
    assert measure_gap(ROBOT, closure, {**HOME, 'rocker': 1e-3}).distance > 1e-4
