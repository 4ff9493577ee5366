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

from riod_urdf_ros import ClosureSolver, load, parse
from riod_urdf_ros.resources import default_model
from riod_urdf_ros.ros.received_states import ReceivedStates
from support.robots import HIGH_SLIDE

ROBOT = load(default_model()).robot
HOME = {joint.name: 0.0 for joint in ROBOT.moving_joints}


def test_closed_loops_are_said_to_be_closed() -> None:
    solver = ClosureSolver(ROBOT)
    received = ReceivedStates(solver)
    assert not received.closed, 'nothing was seen yet'
    for angle in (0.0, 0.1, 0.2):
        received.add(solver.solve({'crank': angle}).positions)
    assert received.closed
    assert received.received == 3
    report = received.report(0.1)
    assert report.startswith('30 complete')
    assert 'closed' in report and 'OPEN' not in report
    assert 'rocker*' in report, 'passive joints are marked'
    assert received.report(1.0).startswith('0 complete')


def test_one_open_state_is_not_forgotten() -> None:
    received = ReceivedStates(ClosureSolver(ROBOT))
    received.add({**HOME, 'crank': 0.1})
    assert 'OPEN' in received.report(1.0)
    received.add(HOME)
    assert 'OPEN' not in received.report(1.0)
    assert not received.closed


def test_a_state_without_a_joint_of_the_loop_tells_nothing_about_it() -> None:
    received = ReceivedStates(ClosureSolver(ROBOT))
    received.add({'crank': 0.0})
    assert 'not known' in received.report(1.0)
    assert not received.closed


def test_nan_is_not_closed() -> None:
    received = ReceivedStates(ClosureSolver(ROBOT))
    received.add({**HOME, 'crank': math.nan})
    assert not received.closed


def test_the_worst_state_since_the_last_report_is_said() -> None:
    received = ReceivedStates(ClosureSolver(ROBOT, position_tolerance=1e-3))
    # The rocker is 80 mm long: 0.05 rad move its end by 4 mm.
    for rocker in (0.0, 0.05, 0.0):
        received.add({**HOME, 'rocker': rocker})
    report = received.report(1.0)
    assert 'STRAINED' in report
    assert not received.closed


def test_a_gap_at_zero_excuses_nothing() -> None:
    # At zero the loop is open by more than a metre; at home it is closed.
    robot = parse(HIGH_SLIDE).robot
    solver = ClosureSolver(robot)
    received = ReceivedStates(solver)
    received.add(solver.home)
    assert received.closed
    received.add({**solver.home, 'slide': solver.home['slide'] + 0.5})
    assert 'OPEN, gap 500.0' in received.report(1.0)
    assert not received.closed
