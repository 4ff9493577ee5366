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
from pathlib import Path

import pytest
from riod_urdf_ros import ClosureSolver, load, parse
from riod_urdf_ros.resources import share_directory
from riod_urdf_ros.ros.motor_motion import JointMotion, PERIOD, plan_motion
from support.paths import CASES
from support.robots import HIGH_SLIDE

MODELS = sorted((share_directory() / 'urdf').iterdir())

# Two motors on the cranks of a parallelogram, tied to each other by its coupler.
TIED = """
<robot name="tied" xmlns:riod="https://github.com/Origitech/urdf-extensions">
  <link name="base"/><link name="left"/><link name="right"/><link name="coupler"/>
  <link name="end"/><link name="tip"/>
  <joint name="motor_1" type="continuous"><parent link="base"/><child link="left"/>
    <axis xyz="0 0 1"/></joint>
  <joint name="motor_2" type="continuous"><origin xyz="1 0 0"/><parent link="base"/>
    <child link="right"/><axis xyz="0 0 1"/></joint>
  <joint name="pin" type="continuous"><origin xyz="0 1 0"/><parent link="left"/>
    <child link="coupler"/><axis xyz="0 0 1"/><riod:actuated value="false"/></joint>
  <joint name="coupler_end" type="fixed"><origin xyz="1 0 0"/><parent link="coupler"/>
    <child link="end"/></joint>
  <joint name="crank_end" type="fixed"><origin xyz="0 1 0"/><parent link="right"/>
    <child link="tip"/></joint>
  <riod:loop_closure frameA="end" frameB="tip"/>
</robot>"""


@pytest.mark.parametrize('path', MODELS, ids=lambda path: path.name)
def test_loops_stay_closed_in_the_whole_period(path: Path) -> None:
    solver = ClosureSolver(load(path).robot)
    motions = plan_motion(solver)
    assert all(motion.moving for motion in motions)
    # Other instants than those that were tried.
    for sample in range(1000):
        positions = {motion.name: motion.at(PERIOD * sample / 997)[0] for motion in motions}
        solution = solver.solve(positions)
        assert not solution.missing
        assert [group.state for group in solution.groups] == ['closed'] * len(solver.groups)


@pytest.mark.parametrize('path', MODELS, ids=lambda path: path.name)
def test_motors_stay_within_their_limits(path: Path) -> None:
    robot = load(path).robot
    for motion in plan_motion(ClosureSolver(robot)):
        joint = robot.by_name[motion.name]
        if joint.lower is not None and joint.upper is not None:
            assert joint.lower <= motion.lower <= motion.upper <= joint.upper


def test_a_mechanism_moves_about_the_home_that_its_loops_allow() -> None:
    solver = ClosureSolver(parse(HIGH_SLIDE).robot)
    (motion,) = plan_motion(solver)
    # Home is next to a dead centre, which must not keep it from going the other way.
    assert motion.upper - motion.rest > 0.5
    assert math.asin(0.7) < motion.lower < motion.upper < math.pi - math.asin(0.7)
    # Not only within the tolerance: the ends of the motion are within reach.
    for sample in range(1000):
        solution = solver.solve({'crank': motion.at(PERIOD * sample / 997)[0]})
        assert solution.closures['pin'].gap < 1e-9


def test_a_motion_next_to_a_dead_centre_stays_within_reach() -> None:
    path = CASES / 'mechanisms' / 'double_rocker_home_away_from_zero' / 'model.urdf'
    if not path.is_file():
        pytest.skip('shared/cases is not there')
    solver = ClosureSolver(load(path).robot)
    (motion,) = plan_motion(solver)
    assert motion.rest - motion.lower > 0.5
    for sample in range(1000):
        solution = solver.solve({'crank': motion.at(PERIOD * sample / 997)[0]})
        assert solution.closures['pin'].gap < 1e-9


def test_tied_motors_are_left_at_rest() -> None:
    motions = plan_motion(ClosureSolver(parse(TIED).robot))
    assert [(motion.name, motion.moving) for motion in motions] == [
        ('motor_1', False), ('motor_2', False)]


@pytest.mark.parametrize('motion', [
    JointMotion('sine', 5, False, -0.2, 0.6, 0.0),
    JointMotion('from_an_end', 6, False, 0.0, 0.5, 0.0),
    JointMotion('away_from_home', 7, False, 0.3, 0.5, 0.0),
    JointMotion('about_home', 8, False, -2.0, -0.5, -0.7),
    JointMotion('turning', 5, True, -1.0, 1.0, 0.0),
    JointMotion('turning_from_home', 5, True, -0.2, 1.8, 0.8),
    JointMotion('still', 5, False, 0.1, 0.1, 0.1)])
def test_motion_begins_at_rest_position_repeats_and_has_the_right_velocity(
        motion: JointMotion) -> None:
    assert motion.at(0.0)[0] == pytest.approx(motion.rest, abs=1e-12)
    assert motion.at(PERIOD)[0] == pytest.approx(motion.rest, abs=1e-9)
    step = 1e-5
    for time in (0.0, 0.3, 1.0, 7.1):
        slope = (motion.at(time + step)[0] - motion.at(time - step)[0]) / (2.0 * step)
        assert motion.at(time)[1] == pytest.approx(slope, abs=1e-6)
        if not motion.turning:
            assert motion.lower <= motion.at(time)[0] <= motion.upper
