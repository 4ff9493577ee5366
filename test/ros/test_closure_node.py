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

"""The node over DDS, in a process of its own: topics, parameters, service, what it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from math import isfinite
from typing import Any

import pytest
from rcl_interfaces.msg import ParameterType
from rcl_interfaces.srv import DescribeParameters, SetParameters
from rclpy.parameter import Parameter
from std_srvs.srv import Trigger
from support.dds import (
    JointState,
    NODE,
    node_process,
    NodeProcess,
    Peer,
    peer,
    positions_of,
    QoSProfile,
    ReliabilityPolicy,
)
from support.robots import (
    differ,
    FOLDED,
    FOUR_BAR,
    four_bar_angles,
    PLAIN,
    REACH,
    TWO_LOOPS,
    TWO_LOOPS_JOINTS,
    two_loops_state,
)
from visualization_msgs.msg import Marker, MarkerArray

pytestmark = pytest.mark.dds

_number = count()


class Bench:
    """A node and a peer that several tests use one after the other."""

    def __init__(self, node: NodeProcess, others: Peer) -> None:
        self.node, self.peer = node, others

    def start(self, text: str) -> Peer:
        """Return the node a robot that has heard nothing yet."""
        name = text.partition('name="')[2].partition('"')[0]
        fresh = f'{name}_{next(_number)}'
        self.peer.describe(text.replace(f'name="{name}"', f'name="{fresh}"', 1))
        self.peer.wait(lambda: f"robot '{fresh}'" in self.node.log, f'robot {fresh}')
        self.peer.states.clear()
        self.peer.statuses.clear()
        return self.peer

    def set_parameter(self, name: str, value: Any) -> tuple[bool, str]:
        """Set one parameter; give success and reason."""
        request = SetParameters.Request(
            parameters=[Parameter(name, value=value).to_parameter_msg()])
        result = self.peer.call(SetParameters, '/closure_node/set_parameters', request).results[0]
        return result.successful, result.reason


@pytest.fixture(scope='module')
def bench() -> Iterator[Bench]:
    # Time enough for a busy machine.
    with node_process('-p', 'time_limit:=1.0') as node, peer() as others:
        yield Bench(node, others)


def test_one_complete_message_for_each_message(bench: Bench) -> None:
    others = bench.start(TWO_LOOPS)
    others.answer({'left_crank': 0.0, 'right_crank': 0.0, 'arm': 0.0}, stamp=(4, 0))
    others.states.clear()
    for k in range(1, 21):
        crank = {'right_crank': -0.05 * k, 'arm': 0.2, 'left_crank': 0.1 * k}
        others.send(crank, velocities=[0.0, 0.0, 1.0], efforts=[1.0, 2.0, 3.0], stamp=(5, k),
                    frame='world')
        others.spin(0.005)
    others.wait(lambda: len(others.states) >= 20)
    assert len(others.states) == 20
    for k, state in enumerate(others.states, 1):
        assert (state.header.stamp.sec, state.header.stamp.nanosec) == (5, k)
        assert state.header.frame_id == 'world'
        assert state.name == TWO_LOOPS_JOINTS
        assert differ(positions_of(state), two_loops_state(0.1 * k, -0.05 * k, 0.2)) < 1e-9
        assert list(state.effort) == [3.0, 0.0, 0.0, 2.0, 0.0, 1.0, 0.0, 0.0, 0.0]
        assert len(state.velocity) == 9
        assert state.velocity[0] == 1.0


def test_partial_sources_and_missing_joints(bench: Bench) -> None:
    others = bench.start(TWO_LOOPS)
    state = others.answer({'left_crank': 0.3}, stamp=(2, 0))
    assert state.name == ['left_crank', 'left_coupler', 'left_rocker', 'caster']
    others.wait(lambda: others.statuses.get('joint states') and "'arm', 'right_crank'" in
                others.statuses['joint states'].message, 'the missing joints in /diagnostics',
                doing=lambda: others.send({'left_crank': 0.3}))
    assert others.statuses['loop left_pin'].level == b'\x00'
    assert others.statuses['loop right_pin'].level == b'\x01'
    assert others.statuses['loop left_pin'].hardware_id.startswith('pair_')
    others.wait(lambda: "nothing heard of 'arm', 'right_crank'" in bench.node.log,
                'the missing joints in the log', doing=lambda: others.send({'left_crank': 0.3}))
    state = others.answer({'right_crank': 0.1, 'arm': 0.0}, stamp=(3, 0))
    assert differ(positions_of(state), two_loops_state(0.3, 0.1, 0.0)) < 1e-9


def test_loop_folded_at_home_is_answered_and_reported(bench: Bench) -> None:
    others = bench.start(FOLDED)
    for k, crank in enumerate((0.0, 0.0, 0.1, -0.1, 3.0, 0.0)):
        state = others.answer({'crank': crank}, stamp=(2 + k, 0), velocities=[1.0])
        assert state.name == ['crank', 'coupler', 'rocker']
        assert all(map(isfinite, (*state.position, *state.velocity)))
        assert state.position[0] == crank
    others.wait(lambda: 'loop pin' in others.statuses, 'a report on the loop')
    values = {pair.key: pair.value for pair in others.statuses['loop pin'].values}
    assert values['pin/state'] in ('closed', 'strained', 'open')
    counts = {pair.key: pair.value for pair in others.statuses['joint states'].values}
    assert counts['failures'] == '0', bench.node.log


def test_zero_stamp_becomes_the_clock(bench: Bench) -> None:
    others = bench.start(FOUR_BAR)
    others.wait(lambda: others.states, doing=lambda: others.send({'crank': 0.3}, stamp=(0, 0)))
    now = others.node.get_clock().now().nanoseconds
    stamp = others.states[0].header.stamp
    assert abs(now - stamp.sec * 10**9 - stamp.nanosec) < 20 * 10**9


def test_best_effort_source_reaches_it(bench: Bench) -> None:
    others = bench.start(FOUR_BAR)
    source = others.node.create_publisher(
        JointState, 'joint_states',
        QoSProfile(depth=5, reliability=ReliabilityPolicy.BEST_EFFORT))
    message = JointState(name=['crank'], position=[0.4])
    others.wait(lambda: others.states, doing=lambda: source.publish(message))
    others.node.destroy_publisher(source)


def test_bad_messages_are_named_and_the_good_ones_answered(bench: Bench) -> None:
    others = bench.start(TWO_LOOPS)
    others.answer({'left_crank': 0.1, 'right_crank': 0.1, 'arm': 0.1}, stamp=(2, 0))
    state = others.answer({'left_crank': 0.2, 'arm': float('nan')}, stamp=(3, 0))
    assert positions_of(state)['arm'] == 0.1
    others.wait(lambda: "/joint_states: joint 'arm': position is NaN" in bench.node.log)
    broken = JointState(name=['arm', 'left_crank'], position=[1.0])
    others.wait(lambda: '/joint_states: message refused: not as many' in bench.node.log,
                doing=lambda: others._driver.publish(broken))


def test_description_repeated_refused_replaced(bench: Bench) -> None:
    others = bench.start(FOUR_BAR)
    others.answer({'crank': 0.3}, stamp=(2, 0))
    others.describe('<robot name="broken"><link name="a"/>')
    others.wait(lambda: 'robot description refused; the one before works on' in bench.node.log)
    state = others.answer({'crank': 0.5}, stamp=(3, 0))
    assert abs(state.position[2] - four_bar_angles(0.5)[1]) < 1e-9
    others.wait(lambda: others.statuses.get('description') and
                others.statuses['description'].level == b'\x02', 'the refusal in /diagnostics')
    bench.start(PLAIN)
    assert 'no loop closure: joint states are passed through' in bench.node.log
    state = others.answer({'elbow': 0.4, 'shoulder': 0.3}, stamp=(4, 0))
    assert positions_of(state) == {'shoulder': 0.3, 'elbow': 0.4, 'knob': pytest.approx(-0.7)}
    bench.start(TWO_LOOPS)
    assert others.answer({'arm': 0.4}, stamp=(5, 0)).name == ['arm', 'finger', 'caster']


def test_reset_starts_again_from_home(bench: Bench) -> None:
    others = bench.start(FOUR_BAR)
    others.answer({'crank': 3.0}, stamp=(2, 0))
    answer = others.call(Trigger, '/closure_node/reset', Trigger.Request())
    assert answer.success
    state = others.answer({'crank': 0.2}, stamp=(3, 0))
    assert abs(state.position[1] - four_bar_angles(0.2)[0]) < 1e-9


def test_parameters_are_described(bench: Bench) -> None:
    names = ['robot_description', 'known_joints', 'frame_prefix', 'position_tolerance',
             'orientation_tolerance', 'time_limit']
    # rclpy describes the type of what was tried last, even if it was refused.
    assert bench.set_parameter('position_tolerance', 1e-4) == (True, '')
    found = bench.peer.call(DescribeParameters, '/closure_node/describe_parameters',
                            DescribeParameters.Request(names=names)).descriptors
    assert [each.name for each in found] == names
    assert all(each.description for each in found)
    assert [each.type for each in found[3:]] == [ParameterType.PARAMETER_DOUBLE] * 3
    assert all(each.floating_point_range[0].from_value > 0.0 for each in found[3:])
    assert [each.read_only for each in found] == [False, True, True, False, False, False]


def test_tolerances_change_at_run_time(bench: Bench) -> None:
    others = bench.start(REACH)

    def level_is(level: bytes) -> bool:
        others.send({'motor': 0.2005})
        status = others.statuses.get('loop touch')
        return status is not None and status.level == level and 'gap 0.5 mm' in status.message

    others.wait(lambda: level_is(b'\x01'), 'a strained loop')
    assert bench.set_parameter('position_tolerance', 1e-2) == (True, '')
    others.wait(lambda: level_is(b'\x00') or 'closed' in others.statuses['loop touch'].message,
                'a closed loop')
    assert bench.set_parameter('position_tolerance', 1) == (True, '')
    assert bench.set_parameter('position_tolerance', 1e-4) == (True, '')
    others.wait(lambda: level_is(b'\x01'), 'a strained loop again')


@pytest.mark.parametrize('name, value, reason', [
    ('position_tolerance', -1.0, 'out of range'), ('position_tolerance', float('nan'), 'range'),
    ('orientation_tolerance', 100.0, 'out of range'),
    ('position_tolerance', 'wide', "has to be a number, not 'wide'"),
    ('position_tolerance', 2, 'has to be from 1e-12 to 1, not 2'),
    ('position_tolerance', True, 'number'),
    ('known_joints', ['rocker'], 'read-only'), ('robot_description', '<robot/>', 'comes from')])
def test_wrong_parameter_values_are_rejected(
        bench: Bench, name: str, value: object, reason: str) -> None:
    good, found = bench.set_parameter(name, value)
    assert not good
    assert reason in found


def test_markers_only_while_somebody_looks(bench: Bench) -> None:
    others = bench.start(TWO_LOOPS)
    others.answer({'left_crank': 0.3}, stamp=(2, 0))
    seen: list[MarkerArray] = []
    subscription = others.node.create_subscription(
        MarkerArray, '/closure_node/closures', seen.append, 10)
    others.wait(lambda: seen)
    markers = seen[-1].markers
    assert markers[0].action == Marker.DELETEALL
    assert [marker.ns for marker in markers[1:]] == ['frames', 'gap', 'text']
    assert all(marker.header.frame_id == 'base' for marker in markers)
    assert all(marker.header.stamp.sec == 2 for marker in markers)
    assert markers[-1].text == 'left_pin: closed'
    others.node.destroy_subscription(subscription)


def test_own_messages_coming_back_through_a_relay(bench: Bench) -> None:
    others = bench.start(FOUR_BAR)
    back = others.node.create_publisher(JointState, 'joint_states', 100)
    relay = others.node.create_subscription(
        JointState, 'joint_states_complete', back.publish, 100)
    others.answer({'crank': 0.3}, stamp=(2, 0))
    others.wait(lambda: others.statuses.get('joint states') and 'relays' in
                others.statuses['joint states'].message, 'the relay in /diagnostics',
                doing=lambda: others.send({'crank': 0.4}, stamp=(3, 0)))
    assert others.statuses['joint states'].level == b'\x02'
    others.wait(lambda: 'something relays' in bench.node.log)
    others.states.clear()
    for k in range(10):
        others.send({'crank': 0.1 * k}, stamp=(4, k))
    others.spin(0.5)
    assert len(others.states) <= 10
    others.node.destroy_subscription(relay)
    others.node.destroy_publisher(back)


def test_description_and_known_joints_as_parameters() -> None:
    text = FOUR_BAR.replace('\n', ' ')
    with node_process('-p', f'robot_description:={text}', '-p', 'known_joints:=[rocker]',
                      '-r', '__ns:=/arm') as node, peer('arm') as others:
        coupler, rocker = four_bar_angles(0.5)
        state = others.answer({'rocker': rocker, 'crank': 7.0}, stamp=(2, 0))
        found = positions_of(state)
        assert differ(found, {'crank': 0.5, 'coupler': coupler, 'rocker': rocker}) < 1e-9
        bench = Bench(node, others)
        for value, good in (
                (text.replace('single', 'other'), True), ('<robot', False), ('', False)):
            request = SetParameters.Request(
                parameters=[Parameter('robot_description', value=value).to_parameter_msg()])
            result = bench.peer.call(
                SetParameters, '/arm/closure_node/set_parameters', request).results[0]
            assert result.successful == good
            assert bool(result.reason) != good


def test_output_on_the_input_topic_is_refused() -> None:
    node = NodeProcess('-r', 'joint_states_complete:=joint_states', '-r', '__ns:=/ring')
    try:
        assert node.wait() == 1
        assert 'the output topic is the input topic, /ring/joint_states' in node.log
        assert 'Traceback' not in node.log
    finally:
        node.close()


@pytest.mark.parametrize('value', ['-1.0', '7', 'wide'])
def test_impossible_parameter_at_the_start_is_told(value: str) -> None:
    node = NodeProcess('-p', f'position_tolerance:={value}')
    try:
        assert node.wait() == 1
        assert 'position_tolerance' in node.log
        assert 'Traceback' not in node.log
    finally:
        node.close()


BOTH = """
import rclpy
from rclpy.executors import SingleThreadedExecutor
from riod_urdf_ros.ros.closure_node import ClosureNode
import signal
signal.signal(signal.SIGINT, lambda *_: None)
rclpy.init()
executor = SingleThreadedExecutor()
nodes = [ClosureNode(namespace=name) for name in ('left', 'right')]
for node in nodes:
    executor.add_node(node)
try:
    executor.spin()
except Exception:  # whatever rclpy was doing when it was shut down
    if rclpy.ok():
        raise
"""


@pytest.mark.parametrize('processes', [
    [(('-r', '__ns:=/left'), NODE), (('-r', '__ns:=/right'), NODE)], [((), BOTH)]],
    ids=['two processes', 'one process'])
def test_two_robots_do_not_mix(processes: list[tuple[tuple[str, ...], str]]) -> None:
    nodes = [NodeProcess(*arguments, code=code) for arguments, code in processes]
    try:
        with peer('left') as left, peer('right') as right:
            left.describe(FOUR_BAR)
            right.describe(FOUR_BAR.replace('xyz="1.0 0.0 0"', 'xyz="1.0 0.001 0"'))
            for k in range(5):
                for others, angle in ((left, 0.1 * k), (right, -0.2 * k)):
                    state = others.answer({'crank': angle}, stamp=(2 + k, 0))
                    assert state.position[0] == angle
                expected = four_bar_angles(0.1 * k)[1]
                assert abs(left.states[-1].position[2] - expected) < 1e-9
                assert abs(right.states[-1].position[2] - four_bar_angles(-0.2 * k)[1]) > 1e-6
            left.wait(lambda: {('closure_node', '/left'), ('closure_node', '/right')} <= set(
                left.node.get_node_names_and_namespaces()), 'both nodes in the graph')
        assert [node.stop() for node in nodes] == [0] * len(nodes)
        assert all('Traceback' not in node.log for node in nodes)
    finally:
        for node in nodes:
            node.close()
