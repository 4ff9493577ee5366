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

"""One robot works until there is a better one."""

from __future__ import annotations

from riod_urdf_ros.completion.robot_in_use import CurrentRobot
from riod_urdf_ros.robot.model import Robot
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from support.faults import DescriptionFaults
from support.robots import FOUR_BAR, four_bar_angles, PLAIN, TWO_LOOPS


def test_first_good_description_makes_the_robot() -> None:
    current = CurrentRobot(ClosureSolver)
    assert current.use('<robot') is True
    assert current.completer is None
    assert current.refused
    assert current.use(FOUR_BAR) is True
    assert current.completer is not None
    assert current.completer.solver.robot.name == 'single'
    assert current.refused == ()


def test_equal_text_changes_nothing() -> None:
    current = CurrentRobot(ClosureSolver)
    current.use(FOUR_BAR)
    before = current.completer
    assert current.use(FOUR_BAR) is False
    assert current.completer is before
    current.use('')
    assert current.use('') is False
    assert current.refused
    assert current.use(FOUR_BAR) is False
    assert current.refused == ()


def test_bad_description_leaves_the_old_one_at_work() -> None:
    current = CurrentRobot(ClosureSolver)
    current.use(TWO_LOOPS)
    before = current.completer
    assert current.use(TWO_LOOPS.replace('frameA="left_coupler_tip"', 'frameA="nowhere"')) is True
    assert current.completer is before
    assert 'nowhere' in current.verdict()
    assert 'works on' in current.verdict()


def test_plain_robot_is_welcome() -> None:
    current = CurrentRobot(ClosureSolver)
    current.use(PLAIN)
    assert 'passed through' in current.verdict()


def test_unknown_known_joint_is_told() -> None:
    current = CurrentRobot(lambda robot: ClosureSolver(robot, known_joints=['nobody']))
    current.use(FOUR_BAR)
    assert 'nobody' in current.refused[0]


def test_fault_of_our_own_is_a_refusal_too() -> None:
    def broken(robot: Robot) -> ClosureSolver:
        raise RuntimeError(robot.name)

    current = CurrentRobot(broken)
    current.use(FOUR_BAR)
    assert 'RuntimeError' in current.refused[0]


def test_verdict_on_thousands_of_problems_is_short() -> None:
    current = CurrentRobot(ClosureSolver)
    current.use(FOUR_BAR.replace('</robot>', '<riod:nonsense/>\n' * 5000 + '</robot>'))
    assert current.verdict().count('\n') <= 22


def test_broken_descriptions_never_do_harm() -> None:
    current = CurrentRobot(ClosureSolver)
    faults = DescriptionFaults(4, (FOUR_BAR, TWO_LOOPS, PLAIN))
    for _ in range(300):
        current.use(faults.description())
    for end in range(0, len(FOUR_BAR), 7):
        current.use(FOUR_BAR[:end])
    current.use(FOUR_BAR)
    assert current.completer is not None
    state = current.completer.complete(['crank'], [0.7])
    assert state is not None
    assert abs(state.positions[2] - four_bar_angles(0.7)[1]) < 1e-9
