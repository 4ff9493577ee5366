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

from riod_urdf_ros import load, parse
from riod_urdf_ros.resources import share_directory
from riod_urdf_ros.urdf.motors_only import motors_only

MIMIC = """
<robot name="r">
  <link name="a"/><link name="b"/><link name="c"/>
  <joint name="motor" type="prismatic">
    <parent link="a"/><child link="b"/><axis xyz="0 1 0"/>
    <limit lower="-0.1" upper="0.2" effort="1" velocity="1"/>
  </joint>
  <joint name="follower" type="continuous">
    <parent link="b"/><child link="c"/><mimic joint="motor" multiplier="2"/>
  </joint>
</robot>"""


def test_only_motors_move_in_every_packaged_model() -> None:
    for path in (share_directory() / 'urdf').iterdir():
        robot = load(path).robot
        motors = [joint.name for joint in robot.moving_joints
                  if joint.actuated and joint.mimic is None]
        reduced = parse(motors_only(robot, motors)).robot
        assert [joint.name for joint in reduced.moving_joints] == motors, path
        assert not reduced.closures


def test_limits_are_kept_and_followers_fixed() -> None:
    reduced = parse(motors_only(parse(MIMIC).robot, ['motor'])).robot
    motor, follower = reduced.joints
    assert (motor.kind, motor.lower, motor.upper) == ('prismatic', -0.1, 0.2)
    assert motor.axis.tolist() == [0.0, 1.0, 0.0]
    assert follower.kind == 'fixed'
