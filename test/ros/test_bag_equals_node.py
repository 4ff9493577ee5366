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

"""A bag is completed as the node completes the same messages over DDS."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip('rosbags')

from riod_urdf_ros.recordings.complete_bag import complete_bag  # noqa: E402
from rosbags import rosbag2  # noqa: E402
from rosbags.highlevel import AnyReader  # noqa: E402
from rosbags.typesys import get_typestore, Stores  # noqa: E402
from support.commands import needs_xacro  # noqa: E402
from support.dds import JointState, node_process, peer  # noqa: E402
from support.paths import EXAMPLES  # noqa: E402

pytestmark = pytest.mark.dds
STATE, STRING = 'sensor_msgs/msg/JointState', 'std_msgs/msg/String'
NAN = float('nan')
# Names and positions: parts from several sources, a joint that is not there, a broken value, a
# passive joint, lengths that differ, time that goes back.
INPUT: list[tuple[list[str], list[float], list[float], int]] = [
    (['boom_ram'], [0.01], [0.1], 100), (['stick_ram', 'track'], [0.02, 7.0], [], 200),
    (['swing', 'bucket_ram'], [0.1, 0.01], [0.2, 0.1], 300),
    (['boom_ram', 'stick_ram'], [0.05, NAN], [NAN, 0.0], 400),
    (['boom', 'boom_ram'], [3.0, 0.06], [], 500), (['boom_ram'], [0.0, 1.0], [], 600),
    (['boom_ram'], [0.19], [], 700), (['swing'], [0.4], [], 20),
    (['boom_ram', 'stick_ram', 'bucket_ram'], [0.1, 0.1, 0.1], [1.0, 1.0, 1.0], 900)]


def written(path: Path, text: str) -> Path:
    store = get_typestore(Stores.ROS2_JAZZY)
    types = store.types
    with rosbag2.Writer(path, version=9) as writer:
        for topic, kind, time, message in (
                ('/robot_description', STRING, 1, types[STRING](data=text)),
                *(('/joint_states', STATE, 2 + i, types[STATE](
                    header=types['std_msgs/msg/Header'](
                        stamp=types['builtin_interfaces/msg/Time'](sec=stamp, nanosec=i),
                        frame_id=''),
                    name=names, position=np.array(positions), velocity=np.array(velocities),
                    effort=np.zeros(0)))
                  for i, (names, positions, velocities, stamp) in enumerate(INPUT))):
            found = [one for one in writer.connections if one.topic == topic]
            connection = found[0] if found else writer.add_connection(
                topic, kind, typestore=store)
            writer.write(connection, time, store.serialize_cdr(message, kind))
    return path


def test_a_bag_is_completed_as_by_the_node(tmp_path: Path) -> None:
    model = EXAMPLES / 'excavator.urdf.xacro'
    needs_xacro(model)
    from riod_urdf_ros.urdf.loader import read_text
    text = str(read_text(model))
    complete_bag(written(tmp_path / 'in', text), tmp_path / 'out')
    with AnyReader([tmp_path / 'out']) as reader:
        expected: list[Any] = [
            reader.deserialize(data, connection.msgtype)
            for connection, _, data in reader.messages()
            if connection.topic == '/joint_states_complete']
    assert 5 < len(expected) < len(INPUT)
    with node_process() as node, peer() as others:
        others.describe(text)
        others.wait(lambda: "robot 'excavator'" in node.log)
        others.wait(lambda: others.node.count_subscribers('joint_states')
                    and others.node.count_publishers('joint_states_complete'))
        others.spin(0.5)
        for i, (names, positions, velocities, stamp) in enumerate(INPUT):
            message = JointState(name=names, position=positions, velocity=velocities)
            message.header.stamp.sec, message.header.stamp.nanosec = stamp, i
            others._driver.publish(message)
        others.wait(lambda: len(others.states) == len(expected), 'all complete states')
    for ours, theirs in zip(expected, others.states, strict=True):
        assert (ours.header.stamp.sec, ours.header.stamp.nanosec) == (
            theirs.header.stamp.sec, theirs.header.stamp.nanosec)
        assert ours.name == theirs.name
        for part in ('position', 'velocity', 'effort'):
            assert getattr(ours, part).tolist() == pytest.approx(
                list(getattr(theirs, part)), abs=1e-12, nan_ok=True)
