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

"""The node: a thin wrapper that carries messages to the completer and its states back."""

from __future__ import annotations

from collections.abc import Callable
import gc
import sys
from time import monotonic
import traceback
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rcl_interfaces.msg import FloatingPointRange, ParameterDescriptor, SetParametersResult
import rclpy
from rclpy.clock import Clock, ClockType, JumpThreshold, TimeJump  # type: ignore[attr-defined]
from rclpy.duration import Duration
from rclpy.exceptions import ParameterException
from rclpy.executors import SingleThreadedExecutor
from rclpy.logging import get_logger
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from std_srvs.srv import Trigger
from visualization_msgs.msg import MarkerArray

try:
    from rclpy.event_handler import PublisherEventCallbacks, SubscriptionEventCallbacks
except ImportError:  # up to humble
    from rclpy.qos_event import PublisherEventCallbacks, SubscriptionEventCallbacks

from .interrupt import leave_on_interrupt
from .markers import closure_markers
from ..completion.diagnostics import Level, Status
from ..completion.reporter import Reporter
from ..completion.robot_in_use import CurrentRobot
from ..exceptions import UsageError
from ..robot.model import Robot
from ..solver.closure_solver import ClosureSolver

_TICK_SECONDS = 0.1
_REPORT_SECONDS = 1.0
_SMALLEST = 1e-12
_TOLERANCES = {
    'position_tolerance': (1e-4, 1.0, 'Gap up to which a loop counts as closed, m.'),
    'orientation_tolerance': (
        1e-3, 3.14, 'Orientation error up to which a rigid closure counts as closed, rad.')}


class ClosureNode(Node):
    """
    Complete the joint states of one robot with closed loops.

    :param options: of :class:`rclpy.node.Node`.
    :raises UsageError: if the output topic is the input topic.
    """

    def __init__(self, **options: Any) -> None:
        """Declare the interface and take the description from the parameter, if it is there."""
        super().__init__('closure_node', **options)
        source, target = map(self.resolve_topic_name, ('joint_states', 'joint_states_complete'))
        if source == target:
            raise UsageError(
                f'the output topic is the input topic, {source}: the node would answer itself '
                'without end; let the drivers publish elsewhere and remap joint_states to that')
        text, self._known_joints = self._declare_parameters()
        self._robot = CurrentRobot(self._make_solver)
        self._out = JointState()
        reliable = QoSProfile(depth=10)
        # The executor goes through all handlers of events at every message. They warn of
        # incompatible QoS, which is likely for the description and the complete states only.
        silent = PublisherEventCallbacks(use_default_callbacks=False)
        self._complete_states = self.create_publisher(
            JointState, 'joint_states_complete', reliable)
        self._diagnostics = self.create_publisher(
            DiagnosticArray, '/diagnostics', reliable, event_callbacks=silent)
        self._markers = self.create_publisher(
            MarkerArray, '~/closures', reliable, event_callbacks=silent)
        self._description_topic = '' if text else self.resolve_topic_name('robot_description')
        self._reporter = Reporter(
            source, self._description_topic or 'the parameter robot_description')
        self._report_at = monotonic() + _REPORT_SECONDS
        if text:
            self._use_description(text)
        else:
            self.create_subscription(
                String, 'robot_description', self._guarded(self._on_description),
                QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL))
        self.create_subscription(
            JointState, 'joint_states', self._guarded(self._on_joint_states),
            QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT),
            event_callbacks=SubscriptionEventCallbacks(use_default_callbacks=False))
        self.create_service(Trigger, '~/reset', self._on_reset)
        # Reports go on while a simulation stands still.
        self.create_timer(
            _TICK_SECONDS, self._guarded(self._on_tick),
            clock=Clock(clock_type=ClockType.STEADY_TIME))
        self._jump_handle = self.get_clock().create_jump_callback(
            JumpThreshold(min_forward=None, min_backward=Duration(nanoseconds=-1)),
            post_callback=self._on_time_jump)
        self.add_on_set_parameters_callback(self._on_set_parameters)

    def _declare_parameters(self) -> tuple[str, tuple[str, ...]]:
        text: str | None = self.declare_parameter('robot_description', '', ParameterDescriptor(
            description='URDF text; if empty, it is taken from the topic robot_description. '
            'Can be replaced while running if it was given at the start.')).value
        known: list[str] | None = self.declare_parameter(
            'known_joints', Parameter.Type.STRING_ARRAY, ParameterDescriptor(
                description='Joints whose positions are measured, for the others to follow '
                'from; if not set, the actuated joints.', read_only=True)).value
        for name, (default, upper, meaning) in _TOLERANCES.items():
            span = FloatingPointRange(from_value=_SMALLEST, to_value=upper, step=0.0)
            # Of any type for rclpy: people write 1 and mean 1.0, and its refusal is a riddle.
            value: Any = self.declare_parameter(name, default, ParameterDescriptor(
                description=meaning, floating_point_range=[span], dynamic_typing=True)).value
            problem = _tolerance_problem(name, value)
            if problem:
                raise UsageError(problem)
        return text or '', tuple(known or ())

    def _make_solver(self, robot: Robot) -> ClosureSolver:
        position, orientation = (float(self.get_parameter(name).value) for name in _TOLERANCES)
        return ClosureSolver(robot, known_joints=self._known_joints, position_tolerance=position,
                             orientation_tolerance=orientation)

    def _on_set_parameters(self, parameters: list[Parameter[Any]]) -> SetParametersResult:
        values = {parameter.name: parameter.value for parameter in parameters}
        for name in _TOLERANCES.keys() & values.keys():
            problem = _tolerance_problem(name, values[name])
            if problem:
                return SetParametersResult(successful=False, reason=problem)
        text = values.get('robot_description')
        if text is not None:
            if self._description_topic or not text:
                return SetParametersResult(successful=False, reason=(
                    'the description comes from ' + (self._description_topic or 'here')
                    + ': it can be replaced there, not taken away'))
            self._use_description(text)
            if self._robot.refused:
                return SetParametersResult(
                    successful=False, reason='; '.join(self._robot.refused))
        if self._robot.completer:
            for name in _TOLERANCES.keys() & values.keys():
                setattr(self._robot.completer.solver, name, float(values[name]))
        return SetParametersResult(successful=True)

    def _on_description(self, message: String) -> None:
        self._use_description(message.data)

    def _use_description(self, text: str) -> None:
        if self._robot.use(text):
            # rclpy ties a severity to each line of code that logs.
            if self._robot.refused:
                self.get_logger().error(self._robot.verdict())
            elif self._robot.warnings:
                self.get_logger().warning(self._robot.verdict())
            else:
                self.get_logger().info(self._robot.verdict())

    def _on_joint_states(self, message: JointState) -> None:
        completer = self._robot.completer
        if completer is None:
            return
        stamp = message.header.stamp
        nanoseconds = stamp.sec * 1_000_000_000 + stamp.nanosec
        if nanoseconds <= 0:
            if nanoseconds < 0:
                completer.counters.notice('stamp')
            now = self.get_clock().now()
            message.header.stamp, nanoseconds = now.to_msg(), now.nanoseconds
        state = completer.complete(
            message.name, message.position, message.velocity, message.effort, stamp=nanoseconds)
        if state is not None:
            out = self._out
            out.header, out.name, out.position = message.header, state.names, state.positions
            out.velocity, out.effort = state.velocities, state.efforts
            self._complete_states.publish(out)

    def _on_reset(self, _: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        if self._robot.completer:
            self._robot.completer.reset()
            response.success = True
            response.message = 'the next joint states are solved from home'
        else:
            response.message = 'there is no robot description yet'
        return response

    def _on_time_jump(self, _: TimeJump) -> None:
        if self._robot.completer:
            self._robot.completer.counters.notice('backwards')
            self._robot.completer.forget()

    def _on_tick(self) -> None:
        completer = self._robot.completer
        if completer and completer.solution and self._markers.get_subscription_count():
            self._markers.publish(closure_markers(
                completer.solver.robot, completer.solution, self._out.header.stamp))
        now = monotonic()
        if now < self._report_at:
            return
        self._report_at = now + _REPORT_SECONDS - 0.5 * _TICK_SECONDS
        statuses, lines = self._reporter.report(self._robot, now)
        for level, line in lines:
            if level == Level.ERROR:
                self.get_logger().error(line)
            elif level == Level.OK:
                self.get_logger().info(line)
            else:
                self.get_logger().warning(line)
        # Once a second: for each message it would take its time even where nobody reads it.
        for status in statuses:
            self.get_logger().debug(f'{status.name}: {status.message} {dict(status.values)}')
        self._diagnostics.publish(self._diagnostic_array(statuses))

    def _diagnostic_array(self, statuses: list[Status]) -> DiagnosticArray:
        array = DiagnosticArray()
        array.header.stamp = self.get_clock().now().to_msg()
        prefix = self.get_fully_qualified_name().lstrip('/')
        completer = self._robot.completer
        array.status = [
            DiagnosticStatus(
                level=bytes([status.level]), name=f'{prefix}: {status.name}',
                message=status.message,
                hardware_id=completer.solver.robot.name if completer else '',
                values=[KeyValue(key=key, value=value) for key, value in status.values])
            for status in statuses]
        return array

    def _guarded(self, callback: Callable[[Any], None] | Callable[[], None],
                 ) -> Callable[..., None]:
        """Let no fault of ours take the node down: others need it, and the next may be better."""
        def guarded(*arguments: Any) -> None:
            try:
                callback(*arguments)
            except Exception:  # noqa: BLE001
                if self.context.ok():  # else it was shut down meanwhile, which is no fault
                    if self._robot.completer:
                        self._robot.completer.counters.notice('failure')
                    self.get_logger().error(traceback.format_exc(), throttle_duration_sec=10.0)

        return guarded


def _tolerance_problem(name: str, value: Any) -> str:
    """Say what is wrong with a tolerance; empty if nothing is."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return f'{name} has to be a number, not {value!r}'
    upper = _TOLERANCES[name][1]
    if not _SMALLEST <= value <= upper:
        return f'{name} has to be from {_SMALLEST:g} to {upper:g}, not {value}'
    return ''


def main(args: list[str] | None = None) -> int:
    """
    Run the node until it is interrupted.

    :return: exit status: 0, or 1 if the node cannot work as it was asked to.
    """
    loaded = leave_on_interrupt()
    rclpy.init(args=args)
    loaded()
    try:
        _spin()
    except (ParameterException, UsageError) as error:
        get_logger('closure_node').fatal(str(error))
        return 1
    except Exception:  # noqa: BLE001
        # Whatever rclpy was doing when it was shut down: waiting, publishing, starting.
        if rclpy.ok():
            raise
    finally:
        rclpy.try_shutdown()
    return 0


def _spin() -> None:
    # First, because in jazzy an executor that is interrupted while it is made complains later.
    executor = SingleThreadedExecutor()
    node = ClosureNode()
    executor.add_node(node)
    # All that was imported stays: no collection has to go through it, for 30 ms, in a message.
    gc.freeze()
    try:
        executor.spin()
    finally:
        node.destroy_node()


if __name__ == '__main__':
    sys.exit(main())
