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

"""A mechanism at work: closure node and sweep node as processes, and what comes out of them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
import ctypes
import os
from pathlib import Path
import signal
import subprocess
import sys
from time import monotonic
from types import FrameType

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
import rclpy
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.signals import SignalHandlerOptions
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from .received_states import ReceivedStates
from ..exceptions import DescriptionError
from ..politeness import politely
from ..resources import default_model
from ..robot.model import Robot
from ..solver.closure_solver import ClosureSolver
from ..urdf.loader import load

NODES = ('closure_node', 'sweep_node')
PATIENCE = 5.0
"""Seconds that a process gets to end by itself."""

STARTING = 60.0
"""Seconds until the first complete joint state; two processes start and find each other."""

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class DemoNode(Node):
    """Publishes the description, as robot_state_publisher would, and receives the outcome."""

    def __init__(self, text: str, received: ReceivedStates) -> None:
        """Publish at once; late joiners get it too."""
        super().__init__('closure_demo')
        self._received = received
        self.complaints: dict[str, str] = {}
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self._publisher = self.create_publisher(String, 'robot_description', latched)
        self._publisher.publish(String(data=text))
        self.create_subscription(JointState, 'joint_states_complete', self._on_state, 100)
        self.create_subscription(DiagnosticArray, '/diagnostics', self._on_diagnostics, 10)

    def _on_state(self, message: JointState) -> None:
        self._received.add(dict(zip(message.name, message.position, strict=True)))

    def _on_diagnostics(self, message: DiagnosticArray) -> None:
        for status in message.status:
            if status.level == DiagnosticStatus.OK:
                self.complaints.pop(status.name, None)
            else:
                self.complaints[status.name] = status.message


def main(args: Sequence[str] | None = None, program: str = 'closure_demo') -> int:
    """
    Run the demonstration.

    :param program: as whoever called it knows it.
    :return: exit status: 0 if all loops were closed, 1 if not, 2 for a wrong command line.
    """
    return politely(program, lambda: _main(args, program))


def _main(args: Sequence[str] | None, program: str) -> int:
    parser = argparse.ArgumentParser(prog=program, description=(__doc__ or '').strip())
    parser.add_argument(
        'model', nargs='?', type=Path, default=default_model(), metavar='MODEL',
        help='URDF or xacro file (default: the packaged four-bar)')
    parser.add_argument(
        '--for', dest='seconds', type=_seconds, default=float('inf'), metavar='SECONDS',
        help='end after moving for this time (default: on Ctrl-C)')
    arguments = parser.parse_args(args)
    try:
        description = load(arguments.model)
        received = ReceivedStates(ClosureSolver(description.robot))
    except DescriptionError as error:
        print(f'{arguments.model} cannot be used:\n{error}', file=sys.stderr)
        return 1
    for number in STOP_SIGNALS:
        signal.signal(number, _stop)
    _keep_to_this_machine()
    _announce(description.robot)
    trouble = None
    try:
        with _processes() as processes:
            trouble = _report_until(
                DemoNode(description.text, received), received, processes, arguments.seconds)
    except KeyboardInterrupt:
        print()
    finally:
        rclpy.try_shutdown()
    if trouble:
        print(f'{program}: {trouble}', file=sys.stderr)
        return 1
    print('all loops were closed' if received.closed else 'not all loops were closed')
    return 0 if received.closed else 1


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not seconds > 0.0:
        raise argparse.ArgumentTypeError(f'{text!r} is not a number of seconds above 0')
    return seconds


def _stop(number: int, frame: FrameType | None) -> None:
    for again in STOP_SIGNALS:
        signal.signal(again, signal.SIG_IGN)
    raise KeyboardInterrupt


def _keep_to_this_machine() -> None:
    # Unless one is asked for, a domain of its own, low enough for its ports to be below those
    # that Linux hands out.
    os.environ.setdefault('ROS_DOMAIN_ID', str(1 + os.getpid() % 100))
    if os.environ.get('ROS_DISTRO') == 'humble':
        os.environ['ROS_LOCALHOST_ONLY'] = '1'
    else:
        os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'


def _announce(robot: Robot) -> None:
    print(f'{robot.name}: {len(robot.moving_joints)} moving joints (* marks passive ones), '
          f'{len(robot.closures)} closures; ROS_DOMAIN_ID={os.environ["ROS_DOMAIN_ID"]}',
          flush=True)


def _end_with_parent() -> None:
    # Linux only: even a parent that is killed leaves no node behind.
    set_parent_death_signal = 1
    ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGTERM)


@contextmanager
def _processes() -> Iterator[dict[str, subprocess.Popen[bytes]]]:
    """Start the nodes, and end them whatever happens."""
    processes: dict[str, subprocess.Popen[bytes]] = {}
    try:
        for module in NODES:
            processes[module] = subprocess.Popen(
                [sys.executable, '-c',
                 f'import sys; from {__package__}.{module} import main; sys.exit(main())'],
                # Not reached by Ctrl-C: they are ended below, in order and once.
                start_new_session=True,
                preexec_fn=_end_with_parent if sys.platform == 'linux' else None)
        rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
        yield processes
    finally:
        for process in processes.values():
            process.terminate()
        for process in processes.values():
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _report_until(
        node: DemoNode, received: ReceivedStates,
        processes: Mapping[str, subprocess.Popen[bytes]], seconds: float) -> str | None:
    """
    Report once a second until the time is over.

    :return: what went wrong meanwhile, if anything did.
    """
    reported = monotonic()
    moving: float | None = None
    while moving is None or monotonic() < moving + seconds:
        rclpy.spin_once(node, timeout_sec=0.1)
        now = monotonic()
        for module, process in processes.items():
            if process.poll() is not None:
                return f'{module} ended by itself, with status {process.returncode}'
        if moving is None and received.received:
            moving = reported = now
        if moving is None and now > reported + STARTING:
            return f'no complete joint state within {STARTING:.0f} s'
        if moving is not None and now >= reported + 1.0:
            print(received.report(now - reported), flush=True)
            for name, message in node.complaints.items():
                print(f'  {name}: {message}', flush=True)
            reported = now
    return None


if __name__ == '__main__':
    sys.exit(main())
