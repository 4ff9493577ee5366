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

"""Levels, messages and keys of /diagnostics, and what is logged, without ROS."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

import pytest
from riod_urdf_ros.completion.diagnostics import Level, Status
from riod_urdf_ros.completion.reporter import Reporter
from riod_urdf_ros.completion.robot_in_use import CurrentRobot
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from support.diagnostics_keys import DESCRIPTION_KEYS, INPUT_KEYS, LOOP_KEYS
from support.mechanisms import parallelogram
from support.robots import FOUR_BAR, LIMIT, PLAIN, REACH, TWO_LOOPS


class Desk:
    """A robot and somebody who reads the reports, one second apart."""

    def __init__(self, text: str) -> None:
        self.current = CurrentRobot(ClosureSolver)
        self.current.use(text)
        self.reporter = Reporter('/joint_states', '/robot_description')
        self.now = 1000.0
        self.lines: list[tuple[Level, str]] = []

    def send(self, names: list[str], positions: list[float], velocities: Sequence[float] = (),
             ) -> None:
        assert self.current.completer is not None
        self.current.completer.complete(names, positions, velocities)

    def report(self) -> dict[str, Status]:
        self.now += 1.0
        statuses, self.lines = self.reporter.report(self.current, self.now)
        return {status.name: status for status in statuses}


def test_keys_are_stable() -> None:
    desk = Desk(FOUR_BAR)
    for _ in range(2):
        statuses = desk.report()
        assert [key for key, _ in statuses['description'].values] == DESCRIPTION_KEYS
        assert [key for key, _ in statuses['joint states'].values] == INPUT_KEYS
        assert [key for key, _ in statuses['loop pin'].values] == [
            *LOOP_KEYS, 'pin/state', 'pin/gap_m', 'pin/angle_rad']
        desk.send(['crank'], [0.3])


def test_without_a_description_it_waits() -> None:
    desk = Desk('')
    desk.current.refused = ()
    status = desk.report()['description']
    assert (status.level, status.message) == (
        Level.WARN, 'waiting for a robot description on /robot_description')


def test_all_well() -> None:
    desk = Desk(FOUR_BAR)
    desk.report()
    for k in range(10):
        desk.send(['crank'], [0.01 * k])
    statuses = desk.report()
    assert all(status.level == Level.OK for status in statuses.values())
    assert statuses['joint states'].message == '10.0 Hz'
    loop = dict(statuses['loop pin'].values)
    assert loop['state'] == loop['pin/state'] == 'closed'
    assert float(loop['pin/gap_m']) < 1e-9
    assert 0.0 < float(loop['singularity']) <= 1.0
    assert 0.0 < float(loop['solve_time_ms']) <= float(loop['longest_solve_time_ms'])
    assert desk.lines == []


def test_silence_is_stale() -> None:
    desk = Desk(FOUR_BAR)
    assert desk.report()['joint states'].level == Level.STALE
    desk.send(['crank'], [0.0])
    assert desk.report()['joint states'].level == Level.OK
    for _ in range(3):
        statuses = desk.report()
    assert statuses['joint states'].level == statuses['loop pin'].level == Level.STALE
    desk.send(['crank'], [0.0])
    assert desk.report()['loop pin'].level == Level.OK


def test_missing_joints_are_listed_and_logged_once_they_stay_away() -> None:
    desk = Desk(TWO_LOOPS)
    lines = []
    for _ in range(5):
        desk.send(['left_crank', 'arm'], [0.1, 0.0])
        statuses = desk.report()
        lines += desk.lines
    assert statuses['joint states'].level == Level.WARN
    assert dict(statuses['joint states'].values)['missing_joints'] == 'right_crank'
    assert statuses['loop left_pin'].level == Level.OK
    assert statuses['loop right_pin'].level == Level.WARN
    assert dict(statuses['loop right_pin'].values)['state'] == 'missing'
    assert len([line for _, line in lines if 'right_crank' in line]) == 2


def test_passive_joint_beyond_its_limit() -> None:
    hinged = FOUR_BAR.replace('name="rocker" type="continuous"', 'name="rocker" type="revolute"')
    desk = Desk(hinged.replace('<riod:actuated', f'{LIMIT}<riod:actuated'))
    desk.send(['crank'], [1.0])
    status = desk.report()['loop pin']
    assert status.level == Level.WARN
    assert "'rocker' is beyond its limit" in status.message
    assert 'rocker' in dict(status.values)['limit_violations']
    desk.send(['crank'], [0.0])
    assert desk.report()['loop pin'].level == Level.OK


def test_out_of_reach_is_an_error_and_its_end_is_told() -> None:
    desk = Desk(REACH)
    desk.send(['motor'], [-0.1])
    desk.report()
    desk.send(['motor'], [1.0])
    status = desk.report()['loop touch']
    assert status.level == Level.ERROR
    assert (Level.ERROR, f'loop touch: {status.message}') in desk.lines
    values = dict(status.values)
    assert (values['state'], values['touch/state'], values['held']) == ('open', 'open', 'true')
    desk.send(['motor'], [1.0])
    desk.send(['motor'], [-0.1])
    status = desk.report()['loop touch']
    assert (status.level, status.message) == (Level.WARN, 'was open for a moment')
    desk.send(['motor'], [-0.1])
    assert dict(desk.report()['loop touch'].values)['state'] == 'closed'


def test_solves_that_may_have_changed_the_assembly_mode_are_counted() -> None:
    desk = Desk(parallelogram(0.3, 0.5, 0.0).text())
    desk.send(['crank'], [0.1])
    status = desk.report()['loop loop']
    assert (status.level, dict(status.values)['mode_changes']) == (Level.WARN, '1')
    assert 'assembly mode' in status.message
    desk.send(['crank'], [0.2])
    # Straight on through a change point, as it was moving: chosen, so it is counted.
    desk.send(['crank'], [3.2])
    status = desk.report()['loop loop']
    assert 'change point' in status.message
    assert dict(status.values)['mode_changes'] == '2'


def test_troubles_are_counted_and_told_with_topic_and_joint() -> None:
    desk = Desk(FOUR_BAR)
    desk.send(['crank'], [0.1])
    for _ in range(3):
        desk.send(['crank'], [nan])
    desk.send(['crank'], [])
    status = desk.report()['joint states']
    assert status.level == Level.WARN
    values = dict(status.values)
    assert (values['bad_positions'], values['refused_lengths']) == ('3', '1')
    told = [line for _, line in desk.lines]
    assert any('/joint_states' in line and "'crank'" in line and '3 times' in line
               for line in told)
    desk.send(['crank'], [nan])
    desk.report()
    assert not any("'crank'" in line for _, line in desk.lines), 'throttled'
    desk.now += 20.0
    desk.send(['crank'], [nan])
    desk.report()
    assert any('2 times' in line for _, line in desk.lines)


def test_only_refused_messages_is_an_error() -> None:
    desk = Desk(FOUR_BAR)
    desk.send(['crank'], [])
    assert desk.report()['joint states'].level == Level.ERROR


def test_missing_sensors_are_said_once_and_no_warning() -> None:
    desk = Desk(FOUR_BAR)
    told = []
    for _ in range(60):
        desk.send(['crank'], [0.1], velocities=[nan])
        assert desk.report()['joint states'].level == Level.OK
        told += desk.lines
    assert len(told) == 1


def test_our_own_messages_are_an_error() -> None:
    desk = Desk(FOUR_BAR)
    assert desk.current.completer is not None
    state = desk.current.completer.complete(['crank'], [0.5])
    assert state is not None
    desk.send(state.names, list(state.positions))
    status = desk.report()['joint states']
    assert status.level == Level.ERROR
    assert 'relay' in status.message


def test_refused_description_is_an_error_and_the_robot_works_on() -> None:
    desk = Desk(FOUR_BAR)
    desk.current.use('<robot')
    desk.send(['crank'], [0.5])
    statuses = desk.report()
    assert statuses['description'].level == Level.ERROR
    assert "'single' works on" in statuses['description'].message
    assert statuses['loop pin'].level == Level.OK


def test_new_robot_starts_with_new_counters() -> None:
    desk = Desk(FOUR_BAR)
    desk.send(['crank'], [])
    desk.report()
    desk.current.use(PLAIN)
    desk.send(['elbow', 'shoulder'], [0.0, 0.0])
    statuses = desk.report()
    assert set(statuses) == {'description', 'joint states'}
    assert statuses['joint states'].level == Level.OK
    assert dict(statuses['joint states'].values)['refused_lengths'] == '0'


@pytest.mark.parametrize('name', ['new\nline', 'x' * 5000])
def test_strange_names_stay_on_one_short_line(name: str) -> None:
    desk = Desk(FOUR_BAR.replace('name="crank"', f'name="{name}"'))
    if desk.current.completer is None:
        return
    joint = desk.current.completer.solver.independent[0]
    desk.send([joint], [nan])
    desk.report()
    assert all('\n' not in line and len(line) < 300 for _, line in desk.lines)
