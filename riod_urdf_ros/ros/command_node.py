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

"""The node of the other direction: commands in known joints in, commands of the motors out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
import traceback
from typing import Any

from builtin_interfaces.msg import Duration
from geometry_msgs.msg import PoseStamped
import numpy as np
from rcl_interfaces.msg import ParameterDescriptor
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from .known_joints import declare_known_joints
from .number_parameter import NumberParameter
from .running import run
from ..completion.commander import Command, Commander
from ..completion.robot_in_use import CurrentRobot
from ..exceptions import UsageError
from ..robot.model import Robot
from ..robot.transforms import rotation_about
from ..solver.closure_solver import ClosureSolver
from ..solver.reaching import Target
from ..wording import printable, quote

_TICK_SECONDS = 0.1
_TOLERANCE = NumberParameter(
    'path_tolerance', 1e-3, 1e-9, 1.0,
    'How far the motors may be off half way between two points of a trajectory, rad and m; '
    'points are inserted where they would be further.')


class CommandNode(Node):
    """
    Translate commands for one robot with closed loops.

    :param options: of :class:`rclpy.node.Node`.
    """

    def __init__(self, **options: Any) -> None:
        """Declare the interface and take the description from the parameter, if it is there."""
        super().__init__('command_node', **options)
        text: str = self.declare_parameter('robot_description', '', ParameterDescriptor(
            description='URDF text; if empty, it is taken from the topic robot_description.',
            read_only=True)).value or ''
        self._known_joints = declare_known_joints(self)
        self._frame: str = self.declare_parameter('frame', '', ParameterDescriptor(
            description='Link that the poses on the topic pose_command are for.',
            read_only=True)).value or ''
        _TOLERANCE.declare(self)
        self._robot = CurrentRobot(self._make_solver)
        self._commander: Commander | None = None
        reliable = QoSProfile(depth=10)
        self._commands = self.create_publisher(JointState, 'motor_command', reliable)
        self._trajectories = self.create_publisher(
            JointTrajectory, 'motor_trajectory', reliable)
        for kind, topic, callback in (
                (JointState, 'command', self._on_command),
                (JointTrajectory, 'trajectory', self._on_trajectory),
                (PoseStamped, 'pose_command', self._on_pose)):
            self.create_subscription(kind, topic, self._refusing(topic, callback), reliable)
        if text:
            self._robot.propose(text)
        else:
            self.create_subscription(
                String, 'robot_description', lambda message: self._robot.propose(message.data),
                QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL))
        self.create_timer(_TICK_SECONDS, self._settle)

    def _make_solver(self, robot: Robot) -> ClosureSolver:
        return ClosureSolver(robot, known_joints=self._known_joints)

    def _settle(self) -> None:
        """Take over a description that was read; commands go on from home."""
        if not self._robot.settle():
            return
        if self._robot.completer:
            self._commander = Commander(self._robot.completer.solver)
        (self.get_logger().error if self._robot.refused else self.get_logger().info)(
            '\n'.join(map(printable, self._robot.verdict().split('\n'))))

    def _refusing(self, topic: str, callback: Callable[[Commander, Any], None],
                  ) -> Callable[[Any], None]:
        """Say what cannot be followed, and let no message take the node down."""
        def guarded(message: Any) -> None:
            self._settle()
            try:
                if self._commander is None:
                    raise UsageError('there is no robot description yet')
                callback(self._commander, message)
            except UsageError as error:
                self.get_logger().warning(printable(f'{topic} refused: {error}'))
            except Exception:  # noqa: BLE001
                if self.context.ok():
                    self.get_logger().error(
                        '\n'.join(map(printable, traceback.format_exc().splitlines())))

        return guarded

    def _on_command(self, commander: Commander, message: JointState) -> None:
        found = commander.command(message.name, Command(
            tuple(message.position), tuple(message.velocity), efforts=tuple(message.effort)))
        self._publish(commander.motors, found, message.header)

    def _on_pose(self, commander: Commander, message: PoseStamped) -> None:
        if not self._frame:
            raise UsageError('the parameter frame has to name the link that poses are for')
        p, q = message.pose.position, message.pose.orientation
        vector, norm = np.array([q.x, q.y, q.z]), float(np.sqrt(
            q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w))
        # All zero: the orientation is free, as it is for a delta robot.
        rotation = None
        if norm > 0.0:
            sine = float(np.linalg.norm(vector))
            rotation = rotation_about(
                vector / sine if sine else np.array([0.0, 0.0, 1.0]), 2.0 * np.arctan2(sine, q.w))
        found = commander.reach(Target(
            self._frame, np.array([p.x, p.y, p.z]), rotation,
            reference=message.header.frame_id))
        self._publish(commander.motors, found, message.header)

    def _publish(self, motors: Sequence[str], found: Command, header: Any) -> None:
        self._commands.publish(JointState(
            header=header, name=list(motors), position=list(found.positions),
            velocity=list(found.velocities), effort=list(found.efforts)))

    def _on_trajectory(self, commander: Commander, message: JointTrajectory) -> None:
        if not message.points:
            # A trajectory without points tells a controller to stop.
            self._trajectories.publish(JointTrajectory(
                header=message.header, joint_names=list(commander.motors)))
            return
        found = commander.trajectory(
            message.joint_names, [Command(
                tuple(point.positions), tuple(point.velocities), tuple(point.accelerations),
                tuple(point.effort),
                point.time_from_start.sec + 1e-9 * point.time_from_start.nanosec)
                for point in message.points], self._tolerance())
        self._trajectories.publish(JointTrajectory(
            header=message.header, joint_names=list(commander.motors), points=[
                JointTrajectoryPoint(
                    positions=point.positions, velocities=point.velocities,
                    accelerations=point.accelerations, effort=point.efforts,
                    time_from_start=_duration(point.time)) for point in found]))

    def _tolerance(self) -> float:
        value = self.get_parameter(_TOLERANCE.name).value
        problem = _TOLERANCE.problem(value)
        if problem:
            raise UsageError(f'{quote(_TOLERANCE.name)}: {problem}')
        return float(value)


def _duration(seconds: float) -> Duration:
    nanoseconds = round(seconds * 1e9)
    return Duration(sec=nanoseconds // 10**9, nanosec=nanoseconds % 10**9)


def main(args: Sequence[str] | None = None) -> int:
    """
    Run the node until it is stopped.

    :return: exit status.
    """
    return run(CommandNode, 'command_node', args)
