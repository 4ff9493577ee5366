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

"""
Real DDS for the tests: nodes as processes of their own, and a peer that talks to them.

Only the loopback interface is used, in a domain of this test run's own. Nothing sleeps for a
fixed time: everything is polled, for as long as discovery may take.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
import os
from pathlib import Path
import signal
import subprocess
import sys
import tempfile
import time
from typing import Any

import pytest

os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'
os.environ['ROS_DOMAIN_ID'] = str(1 + os.getpid() % 100)

rclpy = pytest.importorskip('rclpy', reason='ROS 2 is not here')

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus  # noqa: E402, I100
from rclpy.executors import SingleThreadedExecutor  # noqa: E402
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy  # noqa: E402
from sensor_msgs.msg import JointState  # noqa: E402
from std_msgs.msg import String  # noqa: E402

PATIENCE = 8.0
NODE = 'import sys; from riod_urdf_ros.ros.closure_node import main; sys.exit(main())'
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


class NodeProcess:
    """A node in a process of its own."""

    def __init__(self, *arguments: str, code: str = NODE) -> None:
        self._log = tempfile.NamedTemporaryFile(suffix='.log')
        ros = ('--ros-args', *arguments) if arguments else ()
        self.process = subprocess.Popen(
            [sys.executable, '-c', code, *ros], stdout=self._log, stderr=self._log,
            env=os.environ | {'PYTHONUNBUFFERED': '1'}, start_new_session=True)

    @property
    def log(self) -> str:
        """All that was printed so far."""
        return Path(self._log.name).read_text(encoding='utf-8', errors='replace')

    @property
    def alive(self) -> bool:
        """Whether it is still running."""
        return self.process.poll() is None

    def wait(self) -> int:
        """Wait for its end; give its exit status."""
        return self.process.wait(3.0 * PATIENCE)

    def stop(self, number: int = signal.SIGINT) -> int:
        """Interrupt it; give its exit status."""
        self.process.send_signal(number)
        return self.wait()

    def close(self) -> None:
        """Leave nothing behind."""
        if self.alive:
            self.process.kill()
            self.process.wait()
        self._log.close()


@contextmanager
def node_process(*arguments: str, code: str = NODE) -> Iterator[NodeProcess]:
    """Run a node; at the end it must still be there, and stop cleanly."""
    node = NodeProcess(*arguments, code=code)
    try:
        yield node
        assert node.alive, node.log
        assert node.stop() == 0, node.log
        assert 'Traceback' not in node.log, node.log
    finally:
        node.close()


class Peer:
    """What stands around a closure node: drivers, robot_state_publisher, monitors."""

    def __init__(self, namespace: str = '') -> None:
        self._context = rclpy.Context()
        self._context.init()
        self.node = rclpy.create_node('peer', context=self._context, namespace=namespace)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self.node)
        self.states: list[JointState] = []
        self.statuses: dict[str, DiagnosticStatus] = {}
        self.reports = 0
        self._description = self.node.create_publisher(String, 'robot_description', LATCHED)
        self._driver = self.node.create_publisher(JointState, 'joint_states', 100)
        self.node.create_subscription(
            JointState, 'joint_states_complete', self.states.append, QoSProfile(depth=1000))
        self.node.create_subscription(
            DiagnosticArray, '/diagnostics', self._on_diagnostics, 100)

    def _on_diagnostics(self, message: DiagnosticArray) -> None:
        self.reports += 1
        for status in message.status:
            self.statuses[status.name.partition(': ')[2]] = status

    def close(self) -> None:
        """Leave the domain."""
        self.node.destroy_node()
        self._context.try_shutdown()

    def describe(self, text: str) -> None:
        """Publish a description, for late joiners too."""
        self._description.publish(String(data=text))

    def send(self, positions: Mapping[str, float], *, velocities: Sequence[float] = (),
             efforts: Sequence[float] = (), stamp: tuple[int, int] = (1, 0), frame: str = '',
             ) -> None:
        """Publish joint states as one message."""
        message = JointState(
            name=list(positions), position=list(map(float, positions.values())),
            velocity=list(map(float, velocities)), effort=list(map(float, efforts)))
        message.header.stamp.sec, message.header.stamp.nanosec = stamp
        message.header.frame_id = frame
        self._driver.publish(message)

    def spin(self, seconds: float) -> None:
        """Receive what comes, for a time at most."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0.0:
            self._executor.spin_once(timeout_sec=left)

    def wait(self, condition: Callable[[], Any], what: str = '', *,
             doing: Callable[[], None] | None = None) -> None:
        """Receive until a condition holds; meanwhile do something ten times a second."""
        end, again = time.monotonic() + PATIENCE, 0.0
        while not condition():
            now = time.monotonic()
            assert now < end, f'waited in vain for {what or condition}'
            if doing and now >= again:
                doing()
                again = now + 0.1
            self._executor.spin_once(timeout_sec=0.05)

    def answer(self, positions: Mapping[str, float], *, repeat: bool = True, **others: Any,
               ) -> JointState:
        """Send joint states until a complete one with their stamp comes; give that."""
        stamp = others.setdefault('stamp', (1, 0))

        def answered() -> bool:
            return any((state.header.stamp.sec, state.header.stamp.nanosec) == stamp
                       for state in self.states)

        self.states.clear()
        if not repeat:
            self.send(positions, **others)
        self.wait(answered, f'an answer to {others}',
                  doing=(lambda: self.send(positions, **others)) if repeat else None)
        return self.states[-1]

    def call(self, kind: Any, name: str, request: Any) -> Any:
        """Call a service."""
        client = self.node.create_client(kind, name)
        self.wait(client.service_is_ready, f'the service {name}')
        future = client.call_async(request)
        self.wait(future.done, f'an answer of {name}')
        self.node.destroy_client(client)
        return future.result()


@contextmanager
def peer(namespace: str = '') -> Iterator[Peer]:
    """Join the domain for a while."""
    joined = Peer(namespace)
    try:
        yield joined
    finally:
        joined.close()


def positions_of(state: JointState) -> dict[str, float]:
    """Return the positions of a message by joint."""
    return dict(zip(state.name, state.position))


__all__ = [
    'JointState', 'LATCHED', 'NODE', 'NodeProcess', 'Peer', 'QoSProfile', 'ReliabilityPolicy',
    'node_process', 'peer', 'positions_of', 'rclpy']
