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

"""The node's time and its end: simulated clocks, signals, shutdowns, solves that take long."""

from __future__ import annotations

import signal

import pytest
from rosgraph_msgs.msg import Clock
from support.dds import node_process, NodeProcess, Peer, peer
from support.robots import FOUR_BAR, four_bar_angles, TWO_LOOPS

pytestmark = pytest.mark.dds

# A solver that needs this long a message: a slow machine, a hard mechanism.
SLOW = """
import sys, time
from riod_urdf_ros.solver.closure_solver import ClosureSolver
solve = ClosureSolver.solve
def slowly(*arguments):
    time.sleep(0.15)
    return solve(*arguments)
ClosureSolver.solve = slowly
from riod_urdf_ros.ros.closure_node import main
sys.exit(main())
"""
SHUT_DOWN_FIRST = """
import sys, threading, time
import rclpy
from riod_urdf_ros.ros.closure_node import main
def shut_down():
    while not rclpy.ok():
        time.sleep(0.001)
    time.sleep({seconds})
    rclpy.shutdown()
threading.Thread(target=shut_down).start()
sys.exit(main())
"""
# Interrupted when this module is looked for.
INTERRUPTED_LOADING = """
import os, signal, sys
from riod_urdf_ros.ros.entry_points import closure_node
class Finder:
    def find_spec(self, name, *_):
        if name == '{place}':
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
sys.exit(closure_node())
"""
# Interrupted at the start of this function.
INTERRUPTED_STARTING = """
import os, signal, sys
import rclpy, rclpy.node
from riod_urdf_ros.ros.entry_points import closure_node
call = {place}
def interrupted(*arguments, **options):
    os.kill(os.getpid(), signal.SIGINT)
    return call(*arguments, **options)
{place} = interrupted
sys.exit(closure_node())
"""
FAULTY = """
import sys
from riod_urdf_ros.solver.closure_solver import ClosureSolver
solve = ClosureSolver.solve
def faulty(self, positions, velocities):
    if positions['crank'] == 1.25:
        raise ZeroDivisionError('what nobody thought of')
    return solve(self, positions, velocities)
ClosureSolver.solve = faulty
from riod_urdf_ros.ros.closure_node import main
sys.exit(main())
"""


def test_simulated_time_that_starts_again() -> None:
    with node_process('-p', 'use_sim_time:=true', '-r', '__ns:=/sim') as node, \
            peer('sim') as others:
        clock = others.node.create_publisher(Clock, '/clock', 10)

        def tick(seconds: int) -> None:
            message = Clock()
            message.clock.sec = seconds
            clock.publish(message)

        def answered(seconds: int, **positions: float) -> bool:
            tick(seconds)
            others.send(positions, stamp=(0, 0))
            return any(state.header.stamp.sec == seconds for state in others.states)

        others.describe(TWO_LOOPS)
        others.wait(lambda: "robot 'pair'" in node.log)
        others.wait(lambda: answered(100, left_crank=0.3, right_crank=0.2, arm=0.0),
                    'the stamp of the simulated clock')
        assert len(others.states[-1].name) == 9
        others.spin(0.5)  # let arrive what is still under way
        others.wait(lambda: answered(10, left_crank=0.1), 'the clock that jumped back')
        assert [name for name in others.states[-1].name if name.startswith('right')] == []
        # a jump forward is only a lost message
        others.wait(lambda: answered(11, right_crank=0.2, arm=0.1))
        others.wait(lambda: answered(500, left_crank=0.2))
        assert len(others.states[-1].name) == 9
        others.wait(lambda: '/sim/joint_states: time went backwards' in node.log)


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_signal_ends_it_cleanly(number: int) -> None:
    node = NodeProcess('-r', '__ns:=/signals')
    try:
        with peer('signals') as others:
            others.describe(FOUR_BAR)
            others.answer({'crank': 0.2}, stamp=(2, 0))
            # in the middle of the work
            for k in range(50):
                others.send({'crank': 0.01 * k}, stamp=(3, k))
            assert node.stop(number) == 0, node.log
        assert 'Traceback' not in node.log
        assert 'rror' not in node.log
    finally:
        node.close()


def test_signal_while_nothing_ever_came() -> None:
    node = NodeProcess()
    try:
        with peer() as others:
            others.wait(lambda: others.reports, 'a first report')
        assert node.stop() == 0
        assert 'Traceback' not in node.log
    finally:
        node.close()


@pytest.mark.parametrize('seconds', [0.0, 0.03, 0.5])
def test_rclpy_shut_down_by_somebody_else(seconds: float) -> None:
    _ends_quietly(SHUT_DOWN_FIRST.format(seconds=seconds))


@pytest.mark.parametrize('code, place', [
    (INTERRUPTED_LOADING, 'rclpy'), (INTERRUPTED_LOADING, 'riod_urdf_ros.solver.closure_solver'),
    (INTERRUPTED_STARTING, 'rclpy.init'),
    (INTERRUPTED_STARTING, 'rclpy.node.Node.__init__'),
    (INTERRUPTED_STARTING, 'rclpy.node.Node.declare_parameter'),
    (INTERRUPTED_STARTING, 'rclpy.node.Node.create_timer')])
def test_interrupted_before_it_runs(code: str, place: str) -> None:
    _ends_quietly(code.format(place=place))


def _ends_quietly(code: str) -> None:
    node = NodeProcess(code=code)
    try:
        assert node.wait() == 0, node.log
        assert 'Traceback' not in node.log, node.log
    finally:
        node.close()


def test_end_while_solving_and_reports_in_spite_of_it() -> None:
    node = NodeProcess('-r', '__ns:=/slow', code=SLOW)
    try:
        with peer('slow') as others:
            others.describe(FOUR_BAR)
            others.answer({'crank': 0.2}, stamp=(2, 0))
            before = others.reports

            def flood() -> None:
                for k in range(10):
                    others.send({'crank': 0.01 * k}, stamp=(3, k))

            others.wait(lambda: others.reports >= before + 2 and 'Hz' in
                        others.statuses['joint states'].message,
                        'reports while it is overloaded', doing=flood)
            flood()
        assert node.stop() == 0
        assert 'Traceback' not in node.log
    finally:
        node.close()


def test_fault_of_our_own_costs_one_message(request: pytest.FixtureRequest) -> None:
    node = NodeProcess('-r', '__ns:=/faulty', code=FAULTY)
    request.addfinalizer(node.close)
    with peer('faulty') as others:
        others.describe(FOUR_BAR)
        _answered(others, 0.5, 2)
        others.wait(lambda: 'what nobody thought of' in node.log,
                    doing=lambda: others.send({'crank': 1.25}, stamp=(3, 0)))
        _answered(others, 0.6, 4)
    assert node.stop() == 0


def _answered(others: Peer, crank: float, second: int) -> None:
    state = others.answer({'crank': crank}, stamp=(second, 0))
    assert abs(state.position[2] - four_bar_angles(crank)[1]) < 1e-9
