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

"""What the node is sent by mistake or malice never gets farther than it must."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from rcl_interfaces.msg import Parameter, ParameterValue
from rcl_interfaces.srv import GetParameters, ListParameters, SetParameters
from support.dds import JointState, node_process, NodeProcess, Peer, peer, positions_of
from support.robots import FOUR_BAR, four_bar_angles, hinge, REACH, robot

pytestmark = pytest.mark.dds

# On every path a second has passed already.
IMPATIENT = """
import sys, time
from riod_urdf_ros.solver import path
path.perf_counter = lambda: time.perf_counter() + 1.0
from riod_urdf_ros.ros.closure_node import main
sys.exit(main())
"""

Pair = tuple[NodeProcess, Peer]


@pytest.fixture(scope='module')
def running() -> Iterator[Pair]:
    with node_process('-r', '__ns:=/trust') as node, peer('trust') as others:
        yield node, others


def use(running: Pair, text: str, shown: str) -> tuple[NodeProcess, Peer]:
    """Give the node a robot and wait until it is in use."""
    node, others = running
    others.describe(text)
    others.wait(lambda: f'robot {shown}' in node.log, f'robot {shown}')
    others.states.clear()
    others.statuses.clear()
    return running


def test_request_that_rclpy_cannot_digest_costs_that_request_only(running: Pair) -> None:
    node, others = use(running, FOUR_BAR.replace('"single"', '"request"', 1), "'request'")
    client = others.node.create_client(SetParameters, 'closure_node/set_parameters')
    others.wait(client.service_is_ready)
    unknown = ParameterValue(type=77)
    client.call_async(SetParameters.Request(
        parameters=[Parameter(name='position_tolerance', value=unknown)]))
    others.wait(lambda: 'the middleware failed' in node.log)
    others.answer({'crank': 0.3}, stamp=(2, 0))
    good = ParameterValue(type=3, double_value=1e-4)
    answer = others.call(SetParameters, 'closure_node/set_parameters', SetParameters.Request(
        parameters=[Parameter(name='position_tolerance', value=good)]))
    assert answer.results[0].successful, 'its services still work'


def test_every_parameter_can_be_read_in_one_go(running: Pair) -> None:
    _, others = running
    names = others.call(ListParameters, 'closure_node/list_parameters',
                        ListParameters.Request()).result.names
    values = others.call(GetParameters, 'closure_node/get_parameters',
                         GetParameters.Request(names=names)).values
    assert 'known_joints' in names
    assert len(values) == len(names)
    assert all(value.type for value in values)


def test_names_with_control_characters_stay_on_one_line(running: Pair) -> None:
    node, others = use(running, FOUR_BAR.replace('"single"', '"lines"', 1), "'lines'")
    evil = '\n[FATAL] all is lost\x9b31m'
    others.describe(FOUR_BAR.replace('name="pin"', 'name="pin&#10;[FATAL] all is lost&#x9b;"'))
    others.wait(lambda: 'refused; the one before works on' in node.log)
    others.wait(lambda: "heard of 'robot" in others.statuses['joint states'].message
                if 'joint states' in others.statuses else False,
                doing=lambda: others.send({f'robot{evil}/crank': 0.3, 'rocker': 0.0}))
    others.describe(FOUR_BAR.replace('"single"', '"lines_end"', 1))
    others.wait(lambda: "robot 'lines_end'" in node.log)
    texts = [text for status in others.statuses.values() for text in (
        status.name, status.message, status.hardware_id,
        *(part for pair in status.values for part in (pair.key, pair.value)))]
    assert all(text.isprintable() for text in texts)
    assert '\x9b' not in node.log
    assert not any(line.startswith('[FATAL]') for line in node.log.splitlines())


def test_stamp_of_more_than_a_second_of_nanoseconds_is_not_passed_on(running: Pair) -> None:
    node, others = use(running, FOUR_BAR.replace('"single"', '"stamps"', 1), "'stamps'")
    others.wait(lambda: others.states,
                doing=lambda: others.send({'crank': 0.1}, stamp=(5, 4_000_000_000)))
    now = others.node.get_clock().now().nanoseconds
    stamp = others.states[0].header.stamp
    assert stamp.nanosec < 10**9
    assert abs(now - stamp.sec * 10**9 - stamp.nanosec) < 20 * 10**9
    others.wait(lambda: 'in its nanoseconds' in node.log)


def test_no_infinite_number_leaves_it(running: Pair) -> None:
    text = robot('gears', hinge('motor', 'base', 'a', (0.0, 0.0)),
                 hinge('gear', 'a', 'b', (0.0, 0.0), '<mimic joint="motor" multiplier="1e305"/>'))
    node, others = running
    others.describe(text)
    others.wait(lambda: "robot 'gears'" in node.log or 'refused' in node.log)
    others.states.clear()
    for k in range(5):
        others.send({'motor': 1e8}, velocities=[1e8], stamp=(3, k))
    others.spin(0.5)
    assert not any(abs(v) == float('inf') for state in others.states
                   for v in (*state.position, *state.velocity))


def test_relay_of_our_motors_is_found_out_and_dies(running: Pair) -> None:
    node, others = use(running, FOUR_BAR.replace('"single"', '"relayed"', 1), "'relayed'")
    back = others.node.create_publisher(JointState, 'joint_states', 100)

    def relay(state: JointState) -> None:
        motors = JointState(name=['crank'], position=[state.position[0]])
        motors.header.stamp = others.node.get_clock().now().to_msg()
        back.publish(motors)

    subscription = others.node.create_subscription(
        JointState, 'joint_states_complete', relay, 100)
    angles = iter(range(1, 10_000))

    def found() -> bool:
        status = others.statuses.get('joint states')
        return status is not None and status.level == b'\x02' and 'relays' in status.message

    # Two trials, each longer where the machine is busy and the loop slow.
    for _ in range(100):
        others.send({'crank': 0.001 * next(angles)}, stamp=(4, next(angles)))
        others.spin(0.2)
        if found():
            break
    assert found(), others.statuses
    others.states.clear()
    others.spin(1.0)
    assert len(others.states) < 100, 'the loop goes on'
    others.node.destroy_subscription(subscription)
    others.node.destroy_publisher(back)


def test_second_node_on_the_output_is_said_by_both(running: Pair) -> None:
    node, others = use(running, FOUR_BAR.replace('"single"', '"rival"', 1), "'rival'")
    with node_process('-r', '__ns:=/trust', '-r', '__node:=second') as second:
        def both() -> bool:
            return all('are published by' in each.log for each in (node, second))

        others.wait(both, 'both logs', doing=lambda: others.send({'crank': 0.1}))
        assert "by '/trust/second' too" in node.log
        assert "by '/trust/closure_node' too" in second.log


def test_near_names_are_told(running: Pair) -> None:
    node, others = use(running, FOUR_BAR.replace('"single"', '"near"', 1).replace(
        '"crank"', '"leg_1"'), "'near'")
    text = FOUR_BAR.replace('"single"', '"near_too"', 1)
    others.describe(text.replace('</robot>', hinge('leg_2', 'base', 'leg', (0.0, 0.0))
                                 + '</robot>'))
    others.wait(lambda: "robot 'near_too'" in node.log)
    others.wait(lambda: "heard of 'robot1/leg_2', which is near 'leg_2'" in node.log,
                doing=lambda: others.send({'crank': 0.1, 'robot1/leg_2': 0.2}))


def test_solve_that_takes_too_long_is_reported_and_the_next_is_answered() -> None:
    with node_process('-p', 'time_limit:=0.001', '-r', '__ns:=/limit', code=IMPATIENT) as node, \
            peer('limit') as others:
        others.describe(REACH)
        # Out of reach: to find that out takes hundreds of steps.
        state = positions_of(others.answer({'motor': 0.3}, stamp=(2, 0)))
        assert state == {'elbow': 0.0, 'motor': 0.3, 'slide': 0.0}, 'the passive joints are held'
        others.wait(lambda: 'loop touch: not solved in time' in node.log,
                    doing=lambda: others.send({'motor': 0.3}))
        status = others.statuses['loop touch']
        values = {pair.key: pair.value for pair in status.values}
        assert (status.level, values['state'], values['held']) == (b'\x02', 'unsolved', 'true')
        assert int(values['unsolved']) >= 1
        answer = others.call(SetParameters, 'closure_node/set_parameters', SetParameters.Request(
            parameters=[Parameter(name='time_limit', value=ParameterValue(
                type=2, integer_value=10))]))
        assert answer.results[0].successful
        others.wait(lambda: 'loop touch: open' in node.log,
                    doing=lambda: others.send({'motor': 0.3}))
        state = positions_of(others.answer({'motor': -0.2}, stamp=(3, 0)))
        # The bar of 1 m leans over to a pin at x = 0.6: 0.8 m high, 0.2 above home.
        assert abs(state['slide'] - 0.2) < 1e-9


def test_home_is_taken_from_parameters() -> None:
    with node_process('-p', 'home.crank:=1', '-r', '__ns:=/home') as node, \
            peer('home') as others:
        others.describe(FOUR_BAR)
        state = others.answer({'crank': 1.2}, stamp=(2, 0))
        assert abs(state.position[2] - four_bar_angles(1.2)[1]) < 1e-9
        names = others.call(ListParameters, 'closure_node/list_parameters',
                            ListParameters.Request()).result.names
        assert 'home.crank' in names
        others.describe(FOUR_BAR.replace('crank', 'other'))
        others.wait(lambda: "'crank'" in node.log and 'refused' in node.log)
