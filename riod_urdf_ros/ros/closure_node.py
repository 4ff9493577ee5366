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
import sys
from time import monotonic, sleep
import traceback
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray
from rcl_interfaces.msg import ParameterDescriptor, SetParametersResult
from rclpy.clock import Clock, ClockType, JumpThreshold, TimeJump  # type: ignore[attr-defined]
from rclpy.duration import Duration
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

from .known_joints import declare_known_joints
from .markers import closure_markers
from .number_parameter import NumberParameter
from .running import run
from .status_message import diagnostic_array
from ..completion.completer import Completer, CompleteState
from ..completion.diagnostics import Level
from ..completion.reporter import Reporter
from ..completion.robot_in_use import CurrentRobot
from ..exceptions import UsageError
from ..robot.model import Robot
from ..solver.closure_solver import ClosureSolver
from ..wording import printable

_TICK_SECONDS = 0.1
_REPORT_SECONDS = 1.0
_POLL_SECONDS = 0.001
# Of joint states: what comes while one message is solved, at 1 kHz and within the time limit.
_DEPTH = 100
_NUMBERS = {parameter.name: parameter for parameter in (
    NumberParameter(
        'position_tolerance', 1e-4, 1e-12, 1.0, 'Gap up to which a loop counts as closed, m.'),
    NumberParameter(
        'orientation_tolerance', 1e-3, 1e-12, 3.14,
        'Orientation error up to which a rigid closure counts as closed, rad.'),
    NumberParameter(
        'time_limit', 0.05, 1e-3, 60.0,
        'Time for one solve, s; then the loops that are not solved are held, and the next '
        'joint states have their turn.'))}


class ClosureNode(Node):
    """
    Complete the joint states of one robot with closed loops.

    :param options: of :class:`rclpy.node.Node`.
    :raises UsageError: if the output topic is the input topic, or a parameter is impossible.
    """

    def __init__(self, **options: Any) -> None:
        """Declare the interface and take the description from the parameter, if it is there."""
        super().__init__(
            'closure_node', automatically_declare_parameters_from_overrides=True, **options)
        source, target = map(self.resolve_topic_name, ('joint_states', 'joint_states_complete'))
        if source == target:
            raise UsageError(
                f'the output topic is the input topic, {source}: the node would answer itself '
                'without end; let the drivers publish elsewhere and remap joint_states to that')
        text = self._declare_parameters()
        self._robot = CurrentRobot(self._make_solver, self._on_description_read)
        self._out = JointState()
        self._target = target
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
            self._robot.propose(text)
        else:
            self.create_subscription(
                String, 'robot_description', self._guarded(self._on_description),
                QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL))
        self._joint_states = self.create_subscription(
            JointState, 'joint_states', self._guarded(self._on_joint_states),
            QoSProfile(depth=_DEPTH, reliability=ReliabilityPolicy.BEST_EFFORT),
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

    def _declare_parameters(self) -> str:
        # What was given was declared by itself: so home.JOINT is found, whatever joints there
        # will be. All that is known beforehand is declared anew, with what there is to say of it.
        for name in ('robot_description', 'known_joints', 'frame_prefix', *_NUMBERS):
            if self.has_parameter(name):
                self.undeclare_parameter(name)
        text: str = self.declare_parameter('robot_description', '', ParameterDescriptor(
            description='URDF text; if empty, it is taken from the topic robot_description. '
            'Can be replaced while running if it was given at the start.')).value or ''
        self._known_joints = declare_known_joints(self)
        self._frame_prefix: str = self.declare_parameter('frame_prefix', '', ParameterDescriptor(
            description='As of robot_state_publisher: put before the frames of the markers.',
            read_only=True)).value or ''
        for parameter in _NUMBERS.values():
            parameter.declare(self)
        self._home = {}
        for joint, given in self.get_parameters_by_prefix('home').items():
            problem = NumberParameter(f'home.{joint}', 0.0, -1e9, 1e9, '').problem(given.value)
            if problem:
                raise UsageError(problem)
            self._home[joint] = float(given.value)
        return text

    def _number(self, name: str) -> float:
        return float(self.get_parameter(name).value)

    def _make_solver(self, robot: Robot) -> ClosureSolver:
        return ClosureSolver(
            robot, known_joints=self._known_joints, home=self._home,
            **{name: self._number(name) for name in _NUMBERS})

    def _on_set_parameters(self, parameters: list[Parameter[Any]]) -> SetParametersResult:
        values = {parameter.name: parameter.value for parameter in parameters}
        changed = _NUMBERS.keys() & values.keys()
        problem = next(filter(None, (
            _NUMBERS[name].problem(values[name]) for name in changed)), '') or next((
                f'{name} is read when the node starts' for name in values
                if name.startswith('home.')), '')
        text = values.get('robot_description')
        if text is not None and (self._description_topic or not text):
            problem = ('the description comes from ' + (self._description_topic or 'here')
                       + ': it can be replaced there, not taken away')
        if problem:
            return SetParametersResult(successful=False, reason=printable(problem))
        if text is not None:
            # Whoever asks wants to know what became of it; meanwhile the robot goes on.
            if self._robot.use(text, self._meanwhile):
                self._tell_of_robot()
            if self._robot.refused:
                return SetParametersResult(
                    successful=False, reason='; '.join(self._robot.refused))
        if self._robot.completer:
            for name in changed:
                setattr(self._robot.completer.solver, name, float(values[name]))
        return SetParametersResult(successful=True)

    def _meanwhile(self) -> None:
        if not self.context.ok():
            raise UsageError('shut down while the description was read')
        self._answer(self._pending())
        self._on_tick()
        sleep(_POLL_SECONDS)

    def _on_description(self, message: String) -> None:
        self._robot.propose(message.data)

    def _on_description_read(self) -> None:
        """Have the robot changed between messages. Called in the thread that reads."""
        executor = self.executor
        if executor is not None and self.context.ok():
            executor.create_task(self._guarded(self._settle))

    def _settle(self) -> None:
        if self._robot.settle():
            self._tell_of_robot()

    def _tell_of_robot(self) -> None:
        completer = self._robot.completer
        if completer:
            # They may have been changed while it was read.
            for name in _NUMBERS:
                setattr(completer.solver, name, self._number(name))
        self._say(Level.ERROR if self._robot.refused else
                  Level.WARN if self._robot.warnings else Level.OK, self._robot.verdict())

    def _pending(self) -> list[JointState]:
        """Take what has piled up; to be the newest, the last one has to be seen now."""
        pending: list[JointState] = []
        with self._joint_states.handle:
            while len(pending) < _DEPTH:
                taken = self._joint_states.handle.take_message(JointState, False)
                if taken is None:
                    break
                pending.append(taken[0])
        return pending

    def _on_joint_states(self, message: JointState) -> None:
        self._answer([message, *self._pending()])

    def _answer(self, messages: list[JointState]) -> None:
        completer = self._robot.completer
        if completer is None:
            return
        spare = len(messages) - completer.affordable
        waiting: JointState | None = None
        for number, message in enumerate(messages):
            if completer.collect(
                    message.name, message.position, message.velocity, message.effort,
                    stamp=self._stamp(completer, message)):
                if number < spare:
                    waiting = message
                else:
                    self._publish(message, completer.answer())
                    waiting = None
        if waiting is not None:
            self._publish(waiting, completer.answer())

    def _stamp(self, completer: Completer, message: JointState) -> int:
        """Return the stamp, ns; one that cannot be used is replaced by the clock."""
        stamp = message.header.stamp
        nanoseconds: int = stamp.sec * 1_000_000_000 + stamp.nanosec
        if nanoseconds > 0 and stamp.nanosec < 1_000_000_000:
            return nanoseconds
        if nanoseconds:
            completer.counters.notice('stamp')
        now = self.get_clock().now()
        message.header.stamp = now.to_msg()
        return int(now.nanoseconds)

    def _publish(self, message: JointState, state: CompleteState | None) -> None:
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
        self._settle()  # what was read before there was an executor
        completer = self._robot.completer
        if completer and completer.solution and self._markers.get_subscription_count():
            self._markers.publish(closure_markers(
                completer.solver.robot, completer.solution, self._out.header.stamp,
                self._frame_prefix))
        now = monotonic()
        if now < self._report_at:
            return
        self._report_at = now + _REPORT_SECONDS - 0.5 * _TICK_SECONDS
        statuses, lines = self._reporter.report(self._robot, now, self._rivals())
        for level, line in lines:
            self._say(level, line)
        # Once a second: for each message it would take its time even where nobody reads it.
        for status in statuses:
            self.get_logger().debug(printable(
                f'{status.name}: {status.message} {dict(status.values)}'))
        robot = completer.solver.robot.name if completer else ''
        self._diagnostics.publish(diagnostic_array(
            statuses, self.get_fully_qualified_name(), robot, self.get_clock().now().to_msg()))

    def _rivals(self) -> list[str]:
        """Return who else publishes complete joint states."""
        names = [f'{other.node_namespace.rstrip("/")}/{other.node_name}'
                 for other in self.get_publishers_info_by_topic(self._target)]
        own = self.get_fully_qualified_name()
        if own in names:
            names.remove(own)
        return names

    def _say(self, level: Level, text: str) -> None:
        """Write to the log, line by line printable whatever names are in it."""
        text = '\n'.join(map(printable, text.split('\n')))
        # rclpy ties a severity to each line of code that logs.
        if level == Level.ERROR:
            self.get_logger().error(text)
        elif level == Level.OK:
            self.get_logger().info(text)
        else:
            self.get_logger().warning(text)

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
                    text = '\n'.join(map(printable, traceback.format_exc().splitlines()))
                    self.get_logger().error(text, throttle_duration_sec=10.0)

        return guarded


def main(args: list[str] | None = None) -> int:
    """
    Run the node until it is interrupted.

    :return: exit status: 0, or 1 if the node cannot work as it was asked to.
    """
    return run(ClosureNode, 'closure_node', args)


if __name__ == '__main__':
    sys.exit(main())
