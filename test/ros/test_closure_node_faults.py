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

"""Rubbish over DDS: the node stays alive, and after the next good pair it is exactly right."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.dds import JointState, node_process, NodeProcess, Peer, peer, positions_of
from support.faults import DescriptionFaults, FaultyMessage, MessageFaults
from support.robots import differ, FOUR_BAR, PLAIN, TWO_LOOPS, TWO_LOOPS_JOINTS, two_loops_state

pytestmark = pytest.mark.dds

MESSAGES = 10_000
# Fewer than the node's queue holds, so that it sees all of them.
CHUNK = 8
DESCRIPTION_ROUNDS = 60


def ros_message(faulty: FaultyMessage) -> JointState:
    message = JointState(
        name=faulty.names, position=faulty.positions, velocity=faulty.velocities,
        effort=faulty.efforts)
    message.header.stamp.sec, message.header.stamp.nanosec = divmod(faulty.stamp, 10**9)
    return message


def exactly_right(others: Peer, number: int) -> None:
    left, right, arm = 0.03 * (number % 200), -0.02 * (number % 300), 0.4
    state = others.answer(
        {'right_crank': right, 'arm': arm, 'left_crank': left, 'caster': 0.0},
        stamp=(1_000_000 + number, 7))
    assert differ(positions_of(state), two_loops_state(left, right, arm)) < 1e-8


@pytest.fixture(scope='module')
def running() -> Iterator[tuple[NodeProcess, Peer]]:
    with node_process('-r', '__ns:=/faults') as node, peer('faults') as others:
        others.describe(TWO_LOOPS)
        exactly_right(others, 0)
        yield node, others


def test_random_messages(running: tuple[NodeProcess, Peer]) -> None:
    node, others = running
    faults = MessageFaults(42, TWO_LOOPS_JOINTS)
    for number in range(1, MESSAGES // CHUNK + 1):
        for _ in range(CHUNK):
            others._driver.publish(ros_message(faults.message()))
        exactly_right(others, number)
        assert node.alive, node.log
    others.reports = 0
    others.wait(lambda: others.reports > 1)
    counters = {pair.key: pair.value for pair in others.statuses['joint states'].values}
    assert int(counters['received']) >= MESSAGES
    assert counters['failures'] == '0', node.log


def test_random_descriptions(running: tuple[NodeProcess, Peer]) -> None:
    node, others = running
    messages = MessageFaults(44, TWO_LOOPS_JOINTS)
    descriptions = DescriptionFaults(43, (TWO_LOOPS, FOUR_BAR, PLAIN))
    for number in range(1, DESCRIPTION_ROUNDS):
        for _ in range(3):
            others.describe(descriptions.description())
            others._driver.publish(ros_message(messages.message()))
        # Read after all the rubbish before it, which may be a good robot, but another one.
        name = f'pair_{number}'
        others.describe(TWO_LOOPS.replace('"pair"', f'"{name}"', 1))
        others.wait(lambda: f"robot '{name}'" in node.log, name)
        exactly_right(others, number)
        assert node.alive, node.log
    assert 'Error' not in node.log, node.log
