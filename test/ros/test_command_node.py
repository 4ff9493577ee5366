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

"""The command node as its users meet it: over DDS, with messages good and bad."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from support.dds import JointState, node_process, Peer, peer, positions_of
from support.oracles_spatial import Ankle
from support.paths import EXAMPLES
from support.tree import turn

pytestmark = pytest.mark.dds

trajectory_msgs = pytest.importorskip('trajectory_msgs.msg')
geometry_msgs = pytest.importorskip('geometry_msgs.msg')

COMMAND_NODE = 'import sys; from riod_urdf_ros.ros.command_node import main; sys.exit(main())'
NAMES = ['ankle_pitch', 'ankle_roll']


class Around:
    """What commands, and what the motors get."""

    def __init__(self, joined: Peer) -> None:
        self.peer = joined
        self.commands: list[Any] = []
        self.trajectories: list[Any] = []
        node = joined.node
        node.create_subscription(JointState, 'motor_command', self.commands.append, 100)
        node.create_subscription(trajectory_msgs.JointTrajectory, 'motor_trajectory',
                                 self.trajectories.append, 100)
        self.command = node.create_publisher(JointState, 'command', 100)
        self.trajectory = node.create_publisher(
            trajectory_msgs.JointTrajectory, 'trajectory', 100)
        self.pose = node.create_publisher(geometry_msgs.PoseStamped, 'pose_command', 100)


@pytest.fixture(scope='module')
def around() -> Iterator[Around]:
    with node_process('-r', '__ns:=/command', '-p', "known_joints:=['ankle_pitch','ankle_roll']",
                      '-p', 'frame:=foot', '-p', 'path_tolerance:=1e-4', code=COMMAND_NODE), \
            node_process('-r', '__ns:=/command'), peer('command') as joined:
        found = Around(joined)
        joined.describe((EXAMPLES / 'ankle.urdf').read_text())
        joined.wait(lambda: found.commands, 'a first command', doing=lambda: found.command.publish(
            JointState(name=NAMES, position=[0.0, 0.0])))
        joined.wait(lambda: found.trajectory.get_subscription_count(), 'the trajectory topic')
        joined.wait(lambda: found.pose.get_subscription_count(), 'the pose topic')
        joined.spin(0.5)
        yield found


def points(*positions: tuple[float, float]) -> list[Any]:
    result = []
    for i, q in enumerate(positions):
        point = trajectory_msgs.JointTrajectoryPoint(positions=list(q))
        point.time_from_start.sec = i
        result.append(point)
    return result


def test_a_command_and_back_through_the_closure_node_is_the_same(around: Around) -> None:
    around.commands.clear()
    message = JointState(name=NAMES, position=[0.2, -0.1], velocity=[1.0, 0.0],
                         effort=[3.0, 1.0])
    message.header.stamp.sec = 77
    around.command.publish(message)
    around.peer.wait(lambda: around.commands, 'the command of the motors')
    got = around.commands[-1]
    expected = Ankle().joints(0.2, -0.1)
    assert got.header.stamp.sec == 77
    assert positions_of(got) == pytest.approx(
        {name: expected[name] for name in ('left_motor', 'right_motor')}, abs=1e-9)
    assert (len(got.velocity), len(got.effort)) == (2, 2)
    complete = around.peer.answer(positions_of(got))
    back = positions_of(complete)
    assert [back[name] for name in NAMES] == pytest.approx([0.2, -0.1], abs=1e-6)


def test_trajectories_are_translated_or_refused_whole(around: Around) -> None:
    around.trajectories.clear()
    good = trajectory_msgs.JointTrajectory(joint_names=NAMES, points=points(
        (0.0, 0.0), (0.3, 0.0), (0.1, 0.2)))
    good.header.stamp.sec = 5
    bad = trajectory_msgs.JointTrajectory(joint_names=NAMES, points=points(
        (0.0, 0.0), (1.1, 0.0)))
    around.trajectory.publish(good)
    around.trajectory.publish(bad)
    around.trajectory.publish(trajectory_msgs.JointTrajectory(joint_names=NAMES))
    around.peer.wait(lambda: len(around.trajectories) > 1, 'two trajectories')
    around.peer.spin(0.3)
    first, stop = around.trajectories
    assert first.header.stamp.sec == 5
    assert first.joint_names == ['left_motor', 'right_motor']
    by_time = {point.time_from_start.sec + 1e-9 * point.time_from_start.nanosec: point
               for point in first.points}
    for time, q in enumerate(((0.0, 0.0), (0.3, 0.0), (0.1, 0.2))):
        expected = Ankle().joints(*q)
        assert list(by_time[time].positions) == pytest.approx(
            [expected['left_motor'], expected['right_motor']], abs=1e-9)
    assert len(first.points) > 3
    assert not stop.points


def test_a_pose_is_reached(around: Around) -> None:
    around.commands.clear()
    half = turn([0, 1, 0], 0.2)
    message = geometry_msgs.PoseStamped()
    message.pose.orientation.y = float(np.sin(0.1))
    message.pose.orientation.w = float(np.cos(0.1))
    around.pose.publish(message)
    around.peer.wait(lambda: around.commands, 'the command of the motors')
    expected = Ankle().joints(float(np.arcsin(half[0, 2])), 0.0)
    assert positions_of(around.commands[-1])['left_motor'] == pytest.approx(
        expected['left_motor'], abs=1e-8)


def test_bad_messages_are_survived(around: Around) -> None:
    around.commands.clear()
    for name, position in ((NAMES, [0.1]), (['toe'], [0.0]), (NAMES, [float('nan'), 0.0]),
                           (['ankle_roll', 'ankle_roll'], [0.1, 0.1]), (NAMES, [9.0, 9.0])):
        around.command.publish(JointState(name=name, position=position))
    around.command.publish(JointState(name=NAMES, position=[0.05, 0.0]))
    around.peer.wait(lambda: around.commands, 'the good command')
    around.peer.spin(0.3)
    assert len(around.commands) == 1
    assert around.commands[0].position[0] == pytest.approx(
        Ankle().joints(0.05, 0.0)['left_motor'], abs=1e-9)
