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

"""Collecting by name, without ROS: what goes in, what comes out, what is refused."""

from __future__ import annotations

from collections.abc import Sequence
import json
from math import inf, isnan, nan
import time

import pytest
from riod_urdf_ros.completion.completer import Completer, CompleteState
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from riod_urdf_ros.urdf.parser import parse
from support.faults import MessageFaults
from support.paths import CASES
from support.robots import (
    differ,
    FOUR_BAR,
    four_bar_angles,
    PLAIN,
    TWO_LOOPS,
    TWO_LOOPS_JOINTS,
    two_loops_state,
)

REPORTS = CASES / 'reports'
SECOND = 1_000_000_000


def completer_of(text: str, known_joints: Sequence[str] = ()) -> Completer:
    return Completer(ClosureSolver(parse(text).robot, known_joints=known_joints))


def positions(state: CompleteState | None) -> dict[str, float]:
    assert state is not None
    return dict(zip(state.names, state.positions))


def velocities(state: CompleteState | None) -> dict[str, float]:
    assert state is not None
    return dict(zip(state.names, state.velocities))


@pytest.fixture
def pair() -> Completer:
    return completer_of(TWO_LOOPS)


def test_all_joints_come_out_in_document_order(pair: Completer) -> None:
    state = pair.complete(['right_crank', 'arm', 'left_crank'], [0.4, 0.2, 1.5])
    assert positions(state).keys() == dict.fromkeys(TWO_LOOPS_JOINTS).keys()
    assert differ(positions(state), two_loops_state(1.5, 0.4, 0.2)) < 1e-9
    assert state is not None
    assert len(state.velocities) == len(state.efforts) == 0


def test_joints_are_collected_over_messages_and_sources(pair: Completer) -> None:
    first = pair.complete(['left_crank'], [0.3], stamp=1)
    assert list(positions(first)) == ['left_crank', 'left_coupler', 'left_rocker', 'caster']
    assert pair.missing == ('arm', 'right_crank')
    second = pair.complete(['unheard_of', 'right_crank', 'arm'], [7.0, 0.5, 0.1], stamp=2)
    assert differ(positions(second), two_loops_state(0.3, 0.5, 0.1)) < 1e-9
    assert not pair.missing


def test_one_silent_gripper_does_not_stop_the_arm(pair: Completer) -> None:
    for k in range(5):
        state = positions(pair.complete(['left_crank', 'arm'], [0.1 * k, 0.2], stamp=k))
        assert 'right_crank' not in state
        assert 'right_rocker' not in state
        assert abs(state['left_rocker'] - four_bar_angles(0.1 * k)[1]) < 1e-9


def test_values_of_passive_and_mimic_joints_are_ignored(pair: Completer) -> None:
    zeros = dict.fromkeys(TWO_LOOPS_JOINTS, 0.0) | {'left_crank': 1.0, 'caster': 0.7}
    state = pair.complete(list(zeros), list(zeros.values()))
    assert differ(positions(state), two_loops_state(1.0, 0.0, 0.0, 0.7)) < 1e-9


def test_free_passive_joint_keeps_what_was_given(pair: Completer) -> None:
    assert positions(pair.complete(['arm'], [0.0]))['caster'] == 0.0
    pair.complete(['caster'], [0.4])
    assert positions(pair.complete(['arm'], [0.0]))['caster'] == 0.4


@pytest.mark.parametrize('names, values', [
    (['left_crank', 'arm'], [1.0]), (['left_crank'], [1.0, 2.0]), (['left_crank'], []),
    ([], [1.0])])
def test_wrong_length_is_refused(pair: Completer, names: list[str], values: list[float]) -> None:
    pair.complete(['left_crank'], [0.2])
    assert pair.complete(names, values) is None
    assert pair.counters.notices['length'].count == 1
    assert positions(pair.complete(['arm'], [0.0]))['left_crank'] == 0.2


@pytest.mark.parametrize('value', [nan, inf, -inf, 1e300])
def test_joint_without_a_usable_position_keeps_its_last(pair: Completer, value: float) -> None:
    assert pair.complete(['left_crank', 'arm'], [0.2, value]) is not None
    assert pair.missing == ('arm', 'right_crank')
    pair.complete(['left_crank', 'arm'], [0.2, 0.3])
    state = positions(pair.complete(['left_crank', 'arm'], [0.5, value]))
    assert (state['left_crank'], state['arm']) == (0.5, 0.3)
    assert (pair.counters.notices['position'].count, pair.counters.notices['position'].joint) == \
        (2, 'arm')


def test_of_a_name_given_twice_the_first_counts(pair: Completer) -> None:
    state = positions(pair.complete(['arm', 'left_crank', 'arm'], [0.1, 0.2, 0.3]))
    assert state['arm'] == 0.1
    assert pair.counters.notices['repeated'].joint == 'arm'


@pytest.mark.parametrize('names, values', [([], []), (['stranger'], [1.0]),
                                           (['left_rocker', 'finger'], [1.0, 1.0])])
def test_message_without_any_joint_of_use_gives_nothing(
        pair: Completer, names: list[str], values: list[float]) -> None:
    pair.complete(['left_crank'], [0.2])
    assert pair.complete(names, values) is None
    assert pair.counters.unused == 1


def test_velocities_follow_the_closures(pair: Completer) -> None:
    state = velocities(pair.complete(
        ['left_crank', 'arm', 'right_crank', 'caster'], [1.0, 0.0, 0.5, 0.0],
        [2.0, 0.5, nan, 0.0]))
    h = 1e-6
    slope = (four_bar_angles(1.0 + h)[1] - four_bar_angles(1.0 - h)[1]) / (2.0 * h)
    assert abs(state['left_rocker'] - 2.0 * slope) < 1e-6
    assert state['finger'] == -1.0
    assert isnan(state['right_crank'])
    assert isnan(state['right_rocker'])
    assert pair.counters.notices['velocity'].joint == 'right_crank'


@pytest.mark.parametrize('rates', [[], [1.0], [1.0, 2.0, 3.0]])
def test_velocities_and_efforts_of_another_length_are_not_given(
        pair: Completer, rates: list[float]) -> None:
    pair.complete(['left_crank', 'arm'], [0.0, 0.0], [1.0, 1.0], [1.0, 1.0])
    state = pair.complete(['left_crank', 'arm'], [0.1, 0.0], rates, rates)
    assert state is not None
    assert len(state.velocities) == len(state.efforts) == 0
    assert ('velocity' in pair.counters.notices) == bool(rates)


def test_no_motor_means_no_effort(pair: Completer) -> None:
    state = pair.complete(['left_crank', 'left_rocker', 'arm'], [0.1, 0.0, 0.0],
                          efforts=[5.0, 9.0, nan])
    assert state is not None
    efforts = dict(zip(state.names, state.efforts))
    assert efforts.pop('arm') != 0.0
    assert efforts == {
        'left_crank': 5.0, 'left_coupler': 0.0, 'left_rocker': 0.0, 'finger': 0.0, 'caster': 0.0}


def test_time_going_backwards_forgets_the_values(pair: Completer) -> None:
    pair.complete(['left_crank'], [0.3], stamp=100 * SECOND)
    pair.complete(['arm', 'right_crank'], [0.1, 0.2], stamp=100 * SECOND)
    late = pair.complete(['left_crank'], [0.31], stamp=100 * SECOND - 20_000_000)
    assert len(positions(late)) == len(TWO_LOOPS_JOINTS)
    again = pair.complete(['left_crank'], [0.1], stamp=SECOND)
    assert list(positions(again)) == ['left_crank', 'left_coupler', 'left_rocker', 'caster']
    assert pair.counters.notices['backwards'].count == 1


def test_a_source_with_another_clock_is_no_jump_in_time(pair: Completer) -> None:
    for k in range(5):
        pair.complete(['left_crank'], [0.3], stamp=(100 + k) * SECOND)
        state = pair.complete(['arm', 'right_crank'], [0.1, 0.2], stamp=(7 + k) * SECOND)
    assert len(positions(state)) == len(TWO_LOOPS_JOINTS)


def test_our_own_message_is_refused_even_with_another_stamp(pair: Completer) -> None:
    state = pair.complete(['left_crank', 'arm', 'right_crank'], [0.3, 0.1, 0.0], stamp=1)
    assert state is not None
    pair.complete(['left_crank', 'arm', 'right_crank'], [0.4, 0.1, 0.0], stamp=2)
    assert pair.complete(state.names, state.positions, stamp=1) is None
    assert pair.complete(state.names, state.positions, stamp=99) is None
    assert pair.counters.notices['echo'].count == 2
    backwards = state.names[::-1], list(state.positions)[::-1]
    assert pair.complete(*backwards, stamp=3) is None


def test_zeros_for_all_joints_are_not_our_own_message(pair: Completer) -> None:
    # joint_state_publisher does this, and at home the solution is zero as well
    names = [name for name in TWO_LOOPS_JOINTS if name != 'finger']
    for k in range(1, 5):
        assert pair.complete(names, [0.0] * 8, stamp=k) is not None
        assert pair.complete(['left_crank'], [0.0], stamp=k) is not None
    assert 'echo' not in pair.counters.notices


def test_relay_of_a_message_that_any_driver_could_send_is_dropped() -> None:
    plain = completer_of(PLAIN)
    state = plain.complete(['shoulder', 'elbow'], [0.3, 0.4], stamp=1)
    assert state is not None
    assert plain.complete(state.names, state.positions, stamp=1) is None
    assert 'echo' not in plain.counters.notices
    assert plain.complete(state.names, state.positions, stamp=2) is not None
    time.sleep(0.03)
    assert plain.complete(state.names, state.positions, stamp=2) is not None


def test_without_closures_everything_is_passed_through() -> None:
    plain = completer_of(PLAIN)
    state = plain.complete(['elbow', 'shoulder'], [0.4, 0.3], [1.0, 2.0], [3.0, 4.0])
    assert positions(state) == {'shoulder': 0.3, 'elbow': 0.4, 'knob': pytest.approx(-0.7)}
    assert velocities(state) == {'shoulder': 2.0, 'elbow': 1.0, 'knob': -2.0}


def test_known_joints_instead_of_the_actuated_ones() -> None:
    measured = completer_of(FOUR_BAR, known_joints=['rocker'])
    coupler, rocker = four_bar_angles(0.5)
    state = measured.complete(
        ['crank', 'rocker'], [9.0, rocker], efforts=[2.0, 0.0])
    assert differ(positions(state), {'crank': 0.5, 'coupler': coupler, 'rocker': rocker}) < 1e-9
    assert state is not None
    assert list(state.efforts) == [2.0, 0.0, 0.0]


def test_a_million_names_are_no_problem(pair: Completer) -> None:
    names = [f'joint_{k}' for k in range(1_000_000)] + ['left_crank']
    started = time.monotonic()
    assert positions(pair.complete(names, [0.5] * len(names)))['left_crank'] == 0.5
    assert time.monotonic() - started < 5.0


def test_shuffled_names_do_not_fill_the_memory(pair: Completer) -> None:
    for k in range(1000):
        pair.complete([f'x{k}', 'left_crank'], [0.0, 0.1], stamp=k)
    assert len(pair._plans) <= 64


def test_silent_joints_are_named(pair: Completer) -> None:
    pair.complete(['arm'], [0.0])
    time.sleep(0.03)
    pair.complete(['left_crank'], [0.0])
    assert pair.silent(0.02) == ('arm',)
    assert pair.silent(1.0) == ()


def test_random_faults_then_right_again(pair: Completer) -> None:
    faults = MessageFaults(2026, TWO_LOOPS_JOINTS)
    for k in range(4000):
        message = faults.message()
        state = pair.complete(
            message.names, message.positions, message.velocities, message.efforts,
            stamp=message.stamp)
        assert state is None or all(abs(value) < 1e12 for value in state.positions)
        if k % 50 == 0:
            left, right, arm = 0.01 * (k % 600), -0.02 * (k % 300), 0.3
            state = pair.complete(
                ['left_crank', 'right_crank', 'arm', 'caster'], [left, right, arm, 0.0],
                stamp=k)
            expected = two_loops_state(left, right, arm)
            assert differ(positions(state), expected) < 1e-8, k


@pytest.mark.skipif(not REPORTS.is_dir(), reason='the shared cases are not here')
@pytest.mark.parametrize('name', [
    '03_hydraulic_ram_on_passive_boom', '04_passive_values_in_the_message'])
def test_reports(name: str) -> None:
    completer = completer_of((REPORTS / name / 'model.urdf').read_text(encoding='utf-8'))
    for stamp, step in enumerate(json.loads((REPORTS / name / 'input.json').read_text())[
            'messages']):
        message = step['joint_state']
        state = completer.complete(
            message['name'], message['position'], message.get('velocity', ()),
            message.get('effort', ()), stamp=stamp)
        found = positions(state)
        for joint, value in step['expect_passive'].items():
            assert abs(found[joint] - value) < step['tolerance'], (stamp, joint)
