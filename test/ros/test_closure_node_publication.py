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
Whole TF trees: what robot_state_publisher would make of the node's output.

Its rule is replayed on real output: it publishes the joints of one message together, if the
message's stamp is at least one period after the oldest of these joints' last stamps (or now,
if that is earlier), and drops the message otherwise. A tree is consistent only if every
moving joint is in every batch.
"""

from __future__ import annotations

from collections.abc import Iterator
import time

import pytest
from support.dds import JointState, node_process, Peer, peer
from support.robots import TWO_LOOPS, TWO_LOOPS_JOINTS

pytestmark = pytest.mark.dds

PUBLISH_FREQUENCY = 20.0


class PublicationRule:
    """What of a stream of joint states reaches TF, as lists of joints with one stamp."""

    def __init__(self) -> None:
        self._last: dict[str, float] = {}
        self.batches: list[list[str]] = []

    def receive(self, message: JointState, now: float) -> None:
        """Apply the rule to one message; now in s."""
        if len(message.name) != len(message.position):
            return
        stamp = message.header.stamp.sec + 1e-9 * message.header.stamp.nanosec
        last = min([now, *(self._last.get(name, 0.0) for name in message.name)])
        if stamp != 0.0 and stamp >= last + 1.0 / PUBLISH_FREQUENCY:
            self.batches.append(list(message.name))
            self._last.update(dict.fromkeys(message.name, stamp))


@pytest.fixture(scope='module')
def others() -> Iterator[Peer]:
    with node_process('-r', '__ns:=/tf'), peer('tf') as joined:
        joined.describe(TWO_LOOPS)
        joined.answer({'left_crank': 0.0, 'right_crank': 0.0, 'arm': 0.0}, stamp=(1, 0))
        yield joined


@pytest.mark.parametrize('sources', [
    [('left_crank', 'right_crank', 'arm')], [('left_crank', 'arm'), ('right_crank',)]],
    ids=['one source', 'two sources'])
@pytest.mark.parametrize('rate', [30.0, 50.0, 200.0])
def test_every_moving_joint_is_in_every_batch(
        others: Peer, rate: float, sources: list[tuple[str, ...]]) -> None:
    others.states.clear()
    start, sent = time.time(), 0
    while (now := time.time()) < start + 1.5:
        due = start + sent / rate
        if now < due:
            others.spin(due - now)
            continue
        for source in sources:
            stamp = time.time_ns()
            others.send(dict.fromkeys(source, 0.001 * sent),
                        stamp=(stamp // 10**9, stamp % 10**9))
        sent += 1
    others.spin(0.2)
    rule = PublicationRule()
    for state in others.states:
        # It was received right after it was stamped.
        rule.receive(state, state.header.stamp.sec + 1e-9 * state.header.stamp.nanosec + 1e-3)
    assert len(rule.batches) >= 10
    assert all(batch == TWO_LOOPS_JOINTS for batch in rule.batches)


def test_the_rule_tells_torn_trees() -> None:
    # what a node would do that published passive joints in messages of their own
    rule = PublicationRule()
    for k in range(10):
        for name in ('crank', 'rocker'):
            message = JointState(name=[name], position=[0.0])
            message.header.stamp.sec = 100 + k
            rule.receive(message, 100.0 + k)
    assert not any(batch == ['crank', 'rocker'] for batch in rule.batches)
