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

from rcl_interfaces.msg import FloatingPointRange, ParameterDescriptor
import rclpy
from rclpy.exceptions import ParameterException
from rclpy.logging import get_logger
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from .interrupt import leave_on_interrupt
from .motor_motion import JointMotion, plan_motion
from ..exceptions import DescriptionError
from ..solver.closure_solver import ClosureSolver
from ..urdf.parser import parse


class SweepNode(Node):
    """
    Publish ``joint_states`` of the actuated joints of the robot on ``robot_description``.

    Parameter ``rate``: messages a second.
    """

    def __init__(self) -> None:
        """Wait for a description; nothing is published before one has come."""
        super().__init__('sweep_node')
        self.declare_parameter('rate', 50.0, ParameterDescriptor(
            description='messages a second', read_only=True,
            floating_point_range=[FloatingPointRange(from_value=1.0, to_value=10000.0)]))
        rate = self.get_parameter('rate').get_parameter_value().double_value
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
            motions = plan_motion(ClosureSolver(robot))
        except DescriptionError as error:
            self.get_logger().error(f'robot_description refused:\n{error}')
            return
        self._text, self._motions, self._start = message.data, motions, self.get_clock().now()
        still = [motion.name for motion in motions if not motion.moving]
        if still:
            self.get_logger().warning(
                'left at rest, as moving them opens a loop: ' + ', '.join(still))
        self.get_logger().info(f'moving {len(motions) - len(still)} joints of {robot.name}')

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
    loaded = leave_on_interrupt()
    rclpy.init(args=list(args) if args is not None else None)
    loaded()
    try:
        rclpy.spin(SweepNode())
    except ParameterException as error:
        get_logger('sweep_node').fatal(str(error))
        return 1
    except Exception:
        # However rclpy says that it was shut down, in the middle of waiting or publishing.
        if rclpy.ok():
            raise
    finally:
        rclpy.try_shutdown()
    return 0
