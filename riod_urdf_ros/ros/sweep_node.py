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

"""A node that stands in for the motors: it moves them all, slowly, within their limits."""

from __future__ import annotations

from collections.abc import Sequence

from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from .known_joints import declare_known_joints
from .motor_motion import JointMotion, plan_motion
from .number_parameter import NumberParameter
from .running import run
from ..exceptions import DescriptionError, UsageError
from ..solver.closure_solver import ClosureSolver
from ..urdf.parser import parse
from ..wording import listing, printable, quote

_RATE = NumberParameter('rate', 50.0, 1.0, 10000.0, 'Messages a second.')


class SweepNode(Node):
    """
    Publish ``joint_states`` of the independent joints of the robot on ``robot_description``.

    Parameters ``rate``, messages a second, and ``known_joints``, as of the closure node.
    """

    def __init__(self) -> None:
        """Wait for a description; nothing is published before one has come."""
        super().__init__('sweep_node')
        rate = _RATE.declare(self, read_only=True)
        self._known_joints = declare_known_joints(self)
        self._motions: tuple[JointMotion, ...] = ()
        self._text = ''
        self._start = self.get_clock().now()
        self._publisher = self.create_publisher(JointState, 'joint_states', 10)
        self.create_subscription(
            String, 'robot_description', self._on_description,
            QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL))
        self.create_timer(1.0 / rate, self._publish)

    def _on_description(self, message: String) -> None:
        if message.data == self._text:
            return
        try:
            robot = parse(message.data).robot
            motions = plan_motion(
                ClosureSolver(robot, known_joints=self._known_joints), self._known_joints)
        except (DescriptionError, UsageError) as error:
            self.get_logger().error('robot_description refused:\n' + '\n'.join(
                map(printable, str(error).splitlines())))
            return
        self._text, self._motions, self._start = message.data, motions, self.get_clock().now()
        still = [motion.name for motion in motions if not motion.moving]
        if still:
            self.get_logger().warning(
                'left at rest, as moving them opens a loop: ' + listing(still))
        self.get_logger().info(f'moving {len(motions) - len(still)} joints of {quote(robot.name)}')

    def _publish(self) -> None:
        if not self._motions:
            return
        now = self.get_clock().now()
        time = (now - self._start).nanoseconds * 1e-9
        states = [motion.at(time) for motion in self._motions]
        message = JointState()
        message.header.stamp = now.to_msg()
        message.name = [motion.name for motion in self._motions]
        message.position = [position for position, _ in states]
        message.velocity = [velocity for _, velocity in states]
        self._publisher.publish(message)


def main(args: Sequence[str] | None = None) -> int:
    """
    Run the node until it is stopped.

    :return: exit status.
    """
    return run(SweepNode, 'sweep_node', args)
