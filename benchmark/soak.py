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
Drive the closure node for a long time, and against a bare relay.

First the soak: joint states at a steady rate; the node's memory must stay flat and every
message that DDS delivered to it must come out complete, or be skipped for a newer one that does.
Then the cost: processor time per message at 1 kHz for a Stewart platform, the node and a node that
only passes the message on taking turns. Nothing leaves this machine.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
import math
import os
from pathlib import Path
import signal
import struct
import subprocess
import sys
from time import monotonic

from diagnostic_msgs.msg import DiagnosticArray
import numpy as np
import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from riod_urdf_ros.urdf.loader import load
from sensor_msgs.msg import JointState
from std_msgs.msg import String

STEWART = Path(__file__).parents[1] / 'urdf' / 'stewart.urdf.xacro'
ALLOWED_GROWTH_MB = 4.0
ALLOWED_RATIO = 1.4
TURNS = 8
# Seconds of the stamp and number of names in a joint state with an empty frame_id, as CDR has it.
HEADER = '=4xi12xI'
NODE = 'from riod_urdf_ros.ros.closure_node import main; raise SystemExit(main())'


class Relay(Node):
    """The floor: takes a joint state and passes it on."""

    def __init__(self) -> None:
        super().__init__('relay')
        publisher = self.create_publisher(JointState, 'joint_states_complete', 10)
        self.create_subscription(
            JointState, 'joint_states', publisher.publish,
            QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT))


class Driver(Node):
    """Sends joint states with a number in the stamp, and receives what becomes of them."""

    def __init__(self, text: str, names: list[str], moved: list[str]) -> None:
        super().__init__('driver')
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self)
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self._text = self.create_publisher(String, 'robot_description', latched)
        self._text.publish(String(data=text))
        self.targets = {topic: self.create_publisher(JointState, f'{topic}/joint_states', 10)
                        for topic in ('node', 'relay')}
        for topic in self.targets:
            self.create_subscription(
                JointState, f'{topic}/joint_states_complete', partial(self._on_state, topic),
                QoSProfile(depth=1000), raw=True)
        self.create_subscription(DiagnosticArray, '/diagnostics', self._on_diagnostics, 10)
        self.counters: dict[str, int] = {}
        self.reports = 0
        self._message = JointState(name=names, position=[0.0] * len(names))
        self._moved = [names.index(name) for name in moved]
        self._phases = dict.fromkeys(self.targets, 0.0)
        self._sent: dict[int, float] = {}
        self.number = 0
        self.latencies: list[float] = []
        self.wrong = 0
        self.arrived = dict.fromkeys(self.targets, 0)

    def _on_state(self, topic: str, serialized: bytes) -> None:
        # Only what has to be looked at is decoded: the driver must not be what limits the rate.
        self.arrived[topic] += 1
        number, joints = struct.unpack_from(HEADER, serialized)
        sent = self._sent.pop(number, None)
        if sent is None or joints != len(self._message.name):
            self.wrong += 1
        else:
            self.latencies.append(monotonic() - sent)

    def _on_diagnostics(self, message: DiagnosticArray) -> None:
        for status in message.status:
            if status.name.endswith(': joint states'):
                values = {pair.key: pair.value for pair in status.values}
                self.counters = {
                    key: int(values[key]) for key in ('received', 'published', 'skipped')}
                self.reports += 1

    def settle(self, seconds: float) -> None:
        """Receive for a while, or until nothing is under way."""
        end = monotonic() + seconds
        while monotonic() < end and self._sent:
            self._executor.spin_once(timeout_sec=0.05)

    def run(self, topic: str, rate: float, seconds: float) -> int:
        """Send at a rate for a time; give the number of messages."""
        first, start = self.number, monotonic()
        while (now := monotonic()) < start + seconds:
            due = start + (self.number - first) / rate
            if now < due:
                self._executor.spin_once(timeout_sec=due - now)
                continue
            self.number += 1
            # Each topic's motion goes on where it stopped.
            self._phases[topic] += 1.0 / rate
            for k, index in enumerate(self._moved):
                self._message.position[index] = 0.05 * math.sin(self._phases[topic] + k)
            self._message.header.stamp.sec = self.number
            self._sent[self.number] = monotonic()
            self.targets[topic].publish(self._message)
            self._executor.spin_once(timeout_sec=0.0)
        self.settle(1.0)
        return self.number - first

    def node_counters(self) -> tuple[int, int, int, int]:
        """Return what the node received, skipped and published, and what arrived here."""
        end = self.reports + 2  # the second report surely counts all that was sent before
        while self.reports < end:
            self._executor.spin_once(timeout_sec=1.0)
        return (self.counters['received'], self.counters['skipped'], self.counters['published'],
                self.arrived['node'])

    def connect(self) -> None:
        """Wait until both processes answer."""
        for topic in self.targets:
            end, before = monotonic() + 20.0, len(self.latencies)
            while len(self.latencies) == before:
                if monotonic() > end:
                    raise TimeoutError(f'no answer from the {topic}')
                self.run(topic, 10.0, 0.2)
        self._sent.clear()
        self.latencies.clear()
        self.wrong = 0


@contextmanager
def process(topic: str, *command: str) -> Iterator[int]:
    """Run a node under a namespace; give its process number."""
    child = subprocess.Popen([
        sys.executable, *command, '--ros-args', '-r', f'__ns:=/{topic}',
        '-r', 'robot_description:=/robot_description'], start_new_session=True)
    try:
        yield child.pid
    finally:
        child.send_signal(signal.SIGINT)
        try:
            child.wait(10.0)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def cpu_seconds(pid: int) -> float:
    """Processor time of a process so far."""
    fields = Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def resident_mb(pid: int) -> float:
    """Memory of a process."""
    pages = int(Path(f'/proc/{pid}/statm').read_text().split()[1])
    return 1e-6 * pages * os.sysconf('SC_PAGE_SIZE')


def soak(driver: Driver, pid: int, rate: float, seconds: float) -> bool:
    """Run at one rate; print what was found and say whether it is good."""
    driver.run('node', rate, min(0.1 * seconds, 20.0))
    before = driver.node_counters()
    driver.latencies.clear()
    sent, memory = 0, [resident_mb(pid)]
    for _ in range(10):
        sent += driver.run('node', rate, 0.1 * seconds)
        memory.append(resident_mb(pid))
        print(f'  {sent} sent, {len(driver.latencies)} complete, {memory[-1]:.1f} MB', flush=True)
    after = driver.node_counters()
    received, skipped, published, arrived = (b - a for a, b in zip(before, after, strict=True))
    growth = memory[-1] - memory[1]
    percentiles = np.percentile(driver.latencies, [50, 90, 99, 99.9, 100]) * 1e3
    print(f'soak: {rate:g} Hz for {seconds:g} s: {sent} sent, {received} received by the node, '
          f'{skipped} skipped for newer ones, '
          f'{published} published, {arrived} arrived, {driver.wrong} wrong; '
          f'memory {growth:+.1f} MB')
    print('latency ms: ' + ', '.join(
        f'{name} {value:.2f}' for name, value in zip(
            ('median', '90 %', '99 %', '99.9 %', 'longest'), percentiles, strict=True)))
    return received - skipped == published == arrived > 0 and not driver.wrong \
        and growth < ALLOWED_GROWTH_MB


def ratio(driver: Driver, pids: dict[str, int], seconds: float) -> float:
    """Let both take turns at 1 kHz; give the node's cost per message over the relay's."""
    sent = dict.fromkeys(pids, 0)
    answered = dict.fromkeys(pids, 0)
    spent = dict.fromkeys(pids, 0.0)
    turns = []
    for _ in range(TURNS):
        cost = {}
        for topic, pid in pids.items():
            cpu, before = cpu_seconds(pid), driver.arrived[topic]
            sent[topic] += driver.run(topic, 1000.0, seconds / TURNS)
            cpu = cpu_seconds(pid) - cpu
            # What DDS dropped cost nothing.
            count = max(driver.arrived[topic] - before, 1)
            answered[topic] += count
            spent[topic] += cpu
            cost[topic] = cpu / count
        turns.append(cost['node'] / cost['relay'])
    found = float(np.median(turns))
    print('1 kHz, Stewart platform, processor time of the whole process (user and system) over '
          'messages that it answered:')
    for topic in pids:
        print(f'  {topic}: {1e6 * spent[topic] / answered[topic]:.0f} us; '
              f'{sent[topic] / seconds:.0f} Hz sent, {answered[topic] / seconds:.0f} Hz answered')
    print(f'  node over relay, same QoS, message and executor, median of {TURNS} turns: '
          f'{found:.2f} ({min(turns):.2f} to {max(turns):.2f}; goal {ALLOWED_RATIO})')
    return found


def main() -> int:
    """Run both parts; exit status 1 if something is not as it must be."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').strip().splitlines()[0])
    parser.add_argument('--seconds', type=float, default=300.0, help='length of the soak')
    parser.add_argument('--rate', type=float, default=200.0, help='of the soak, Hz')
    parser.add_argument('--ratio-seconds', type=float, default=40.0,
                        help='time at 1 kHz for each of node and relay')
    parser.add_argument('--relay', action='store_true', help=argparse.SUPPRESS)
    arguments, _ = parser.parse_known_args()
    os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
    os.environ.setdefault('ROS_DOMAIN_ID', str(1 + os.getpid() % 100))
    rclpy.init()
    try:
        if arguments.relay:
            rclpy.spin(Relay())
            return 0
        description = load(STEWART)
        names = [joint.name for joint in description.robot.moving_joints]
        moved = [joint.name for joint in description.robot.moving_joints if joint.actuated]
        with process('node', '-c', NODE) as node, \
                process('relay', __file__, '--relay') as relay:
            driver = Driver(description.text, names, moved)
            driver.connect()
            good = soak(driver, node, arguments.rate, arguments.seconds)
            found = ratio(driver, {'node': node, 'relay': relay}, arguments.ratio_seconds)
        return 0 if good and found <= ALLOWED_RATIO else 1
    except (KeyboardInterrupt, ExternalShutdownException):
        return 0
    finally:
        rclpy.try_shutdown()


if __name__ == '__main__':
    sys.exit(main())
