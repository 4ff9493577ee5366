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

"""Bags as the writer of the mcap project writes them: one file, without metadata beside it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip('rosbags')
mcap_ros2 = pytest.importorskip('mcap_ros2.writer')

from riod_urdf_ros.recordings.complete_bag import complete_bag  # noqa: E402
from rosbags.highlevel import AnyReader  # noqa: E402
from support.commands import FOUR_BAR  # noqa: E402
from support.oracles import FourBar  # noqa: E402

BARS = FourBar(0.06, 0.2, 0.14, 0.18)
HEADER = """std_msgs/Header header
string[] name
float64[] position
float64[] velocity
float64[] effort
================================================================================
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
================================================================================
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
"""
OWN = 'float64 level\nstring[<=3] tags\n'


def test_a_file_of_the_mcap_project(tmp_path: Path) -> None:
    source, target = tmp_path / 'in.mcap', tmp_path / 'out'
    with source.open('wb') as file:
        writer = mcap_ros2.Writer(file)
        text = writer.register_msgdef('std_msgs/msg/String', 'string data\n')
        states = writer.register_msgdef('sensor_msgs/msg/JointState', HEADER)
        own = writer.register_msgdef('my_msgs/msg/Tank', OWN)
        writer.write_message('/robot_description', text, {
            'data': FOUR_BAR.read_text(encoding='utf-8')}, 10**9, 10**9)
        writer.write_message('/tank', own, {'level': 0.25, 'tags': ['a', 'b']}, 10**9, 10**9)
        for i in range(1, 20):
            writer.write_message('/joint_states', states, {
                'header': {'stamp': {'sec': i, 'nanosec': 5}, 'frame_id': ''}, 'name': ['crank'],
                'position': [0.1 * i], 'velocity': [], 'effort': []}, i * 10**9, i * 10**9)
        writer.finish()
    assert complete_bag(source, target).written == 19
    with AnyReader([target]) as reader:
        read: list[tuple[str, Any]] = [
            (connection.topic, reader.deserialize(data, connection.msgtype))
            for connection, _, data in reader.messages()]
    # What this package has never heard of comes through as it is.
    (tank,) = [message for topic, message in read if topic == '/tank']
    assert (tank.level, tank.tags) == (0.25, ['a', 'b'])
    done = [message for topic, message in read if topic == '/joint_states_complete']
    for i, message in enumerate(done, 1):
        assert (message.header.stamp.sec, message.header.stamp.nanosec) == (i, 5)
        assert message.position[2] == pytest.approx(
            BARS.joints(math.pi / 2, 0.1 * i)['rocker'], abs=1e-8)


def test_the_mcap_project_reads_the_copy(tmp_path: Path) -> None:
    from mcap.reader import make_reader
    from mcap_ros2.decoder import DecoderFactory
    source, target = tmp_path / 'in.mcap', tmp_path / 'out'
    with source.open('wb') as file:
        writer = mcap_ros2.Writer(file)
        states = writer.register_msgdef('sensor_msgs/msg/JointState', HEADER)
        writer.write_message('/joint_states', states, {
            'header': {'stamp': {'sec': 1, 'nanosec': 0}, 'frame_id': ''}, 'name': ['crank'],
            'position': [0.5], 'velocity': [], 'effort': []}, 10**9, 10**9)
        writer.finish()
    complete_bag(source, target, text=FOUR_BAR.read_text(encoding='utf-8'), tf=True)
    with next(target.glob('*.mcap')).open('rb') as file:
        read = {channel.topic: message for _, channel, _, message in make_reader(
            file, decoder_factories=[DecoderFactory()]).iter_decoded_messages()}
    assert set(read) == {'/joint_states', '/joint_states_complete', '/tf', '/tf_static'}
    assert read['/joint_states_complete'].position[2] == pytest.approx(
        BARS.joints(math.pi / 2, 0.5)['rocker'], abs=1e-8)
    (rocker,) = [one for one in read['/tf'].transforms if one.child_frame_id == 'rocker']
    rotation = rocker.transform.rotation
    # About -y, so that a positive angle lifts.
    assert 2.0 * math.atan2(-rotation.y, rotation.w) == pytest.approx(
        BARS.angles(math.pi / 2 + 0.5)[1], abs=1e-8)
