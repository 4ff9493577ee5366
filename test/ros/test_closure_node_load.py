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

"""The node under load: more messages than it can answer, descriptions that take long to read."""

from __future__ import annotations

from collections.abc import Iterator
import time

import pytest
from rcl_interfaces.srv import SetParameters
from rclpy.parameter import Parameter
from support.dds import node_process, NodeProcess, Peer, peer, positions_of
from support.robots import FOUR_BAR, four_bar_angles, TWO_LOOPS

pytestmark = pytest.mark.dds

# A solver that needs this long a message: a slow machine, a hard mechanism.
SLOW_SECONDS = 0.1
SLOW = f"""
import sys, time
from riod_urdf_ros.solver.closure_solver import ClosureSolver
solve = ClosureSolver.solve
def slowly(*arguments):
    time.sleep({SLOW_SECONDS})
    return solve(*arguments)
ClosureSolver.solve = slowly
from riod_urdf_ros.ros.closure_node import main
sys.exit(main())
"""
# Robots of this name take long to read, without a pause for anybody else.
READING_SECONDS = 2.0
LONG_READING = f"""
import sys, time
from riod_urdf_ros.completion import robot_in_use
parse = robot_in_use.parse
def slowly(text):
    end = time.monotonic() + ({READING_SECONDS} if 'name="large' in text else 0.0)
    while time.monotonic() < end:
        pass
    return parse(text)
robot_in_use.parse = slowly
from riod_urdf_ros.ros.closure_node import main
sys.exit(main())
"""
LARGE = FOUR_BAR.replace('name="single"', 'name="large"')


def test_newest_state_counts_and_no_source_is_lost() -> None:
    with node_process('-r', '__ns:=/load', code=SLOW), peer('load') as others:
        others.describe(TWO_LOOPS)
        others.answer({'left_crank': 0.0, 'right_crank': 0.0, 'arm': 0.0}, stamp=(2, 0))
        others.spin(3.0 * SLOW_SECONDS)
        others.states.clear()
        for k in range(1, 41):
            others.send({'left_crank': 0.01 * k}, stamp=(3, k))
            if k == 5:  # a slow source between many messages of a fast one
                others.send({'right_crank': 0.3, 'arm': 0.2}, stamp=(3, 5))
        began = time.monotonic()
        others.wait(lambda: others.states and others.states[-1].header.stamp.nanosec == 40,
                    'an answer to the newest')
        # The solve that was under way and that of the newest, with room for a busy machine.
        assert time.monotonic() - began < 12 * SLOW_SECONDS
        assert len(others.states) < 10
        state = positions_of(others.states[-1])
        assert (state['left_crank'], state['right_crank'], state['arm']) == (0.4, 0.3, 0.2)
        assert abs(state['left_rocker'] - four_bar_angles(0.4)[1]) < 1e-9

        def skipped() -> int:
            status = others.statuses.get('joint states')
            return int({v.key: v.value for v in status.values}['skipped']) if status else 0

        others.wait(lambda: skipped() >= 30, 'the skipped messages in /diagnostics')


@pytest.fixture
def reading() -> Iterator[tuple[NodeProcess, Peer]]:
    """Return a node whose robot works, while a large description is being read."""
    node = NodeProcess('-r', '__ns:=/reading', code=LONG_READING)
    try:
        with peer('reading') as others:
            others.describe(FOUR_BAR)
            others.answer({'crank': 0.2}, stamp=(2, 0))
            others.describe(LARGE)
            others.spin(0.2)
            yield node, others
    finally:
        node.close()


def test_old_robot_goes_on_while_a_description_is_read_and_the_newest_wins(
        reading: tuple[NodeProcess, Peer]) -> None:
    node, others = reading
    others.describe(LARGE.replace('"large"', '"large_between"'))
    others.describe(PLAIN_LAST)
    answers = 0
    began = time.monotonic()
    while time.monotonic() - began < 0.5 * READING_SECONDS:
        answers += 1
        others.answer({'crank': 0.01 * answers}, stamp=(3, answers))
    assert "'large'" not in node.log, 'it has been read too soon to show anything'
    assert answers > 10
    others.wait(lambda: "robot 'last'" in node.log, 'the newest description')
    assert 'large_between' not in node.log
    assert abs(others.answer({'crank': 0.5}, stamp=(9, 0)).position[2]
               - four_bar_angles(0.5)[1]) < 1e-9
    assert node.stop() == 0


PLAIN_LAST = FOUR_BAR.replace('name="single"', 'name="last"')


def test_it_ends_while_a_description_is_read(reading: tuple[NodeProcess, Peer]) -> None:
    node, _ = reading
    began = time.monotonic()
    assert node.stop() == 0
    assert time.monotonic() - began < READING_SECONDS
    assert 'Traceback' not in node.log and 'rror' not in node.log


def test_old_robot_goes_on_while_the_parameter_is_read() -> None:
    text = FOUR_BAR.replace('\n', ' ')
    with node_process('-p', f'robot_description:={text}', '-r', '__ns:=/parameter',
                      code=LONG_READING) as node, peer('parameter') as others:
        others.answer({'crank': 0.2}, stamp=(2, 0))
        client = others.node.create_client(SetParameters, 'closure_node/set_parameters')
        others.wait(client.service_is_ready)
        asked = client.call_async(SetParameters.Request(parameters=[
            Parameter('robot_description', value=LARGE.replace('\n', ' ')).to_parameter_msg()]))
        others.spin(0.3)
        for k in range(10):
            others.answer({'crank': 0.01 * k}, stamp=(3, k))
        assert not asked.done()
        others.wait(asked.done)
        assert asked.result().results[0].successful
        others.wait(lambda: "robot 'large'" in node.log)
