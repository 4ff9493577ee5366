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

"""Bags of every kind, completed, against closed forms and against the node's own completer."""

from __future__ import annotations

from collections.abc import Iterator
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip('rosbags')

from riod_urdf_ros import load  # noqa: E402
from riod_urdf_ros.exceptions import UsageError  # noqa: E402
from riod_urdf_ros.recordings.complete_bag import complete_bag  # noqa: E402
from rosbags import rosbag1, rosbag2  # noqa: E402
from rosbags.highlevel import AnyReader  # noqa: E402
from rosbags.typesys import get_typestore, Stores  # noqa: E402
from support.commands import FOUR_BAR, run  # noqa: E402
from support.oracles import FourBar, wrap  # noqa: E402

BARS = FourBar(0.06, 0.2, 0.14, 0.18)
TEXT = FOUR_BAR.read_text(encoding='utf-8')
STATE, STRING = 'sensor_msgs/msg/JointState', 'std_msgs/msg/String'
KINDS = ('mcap', 'sqlite3', 'ros1')
START = 1_700_000_000_000_000_000
STEP = 10_000_000  # ns


class Bag:
    """Writes a bag with rosbags' writers."""

    def __init__(self, path: Path, kind: str) -> None:
        self.path, self.ros1 = path / ('in.bag' if kind == 'ros1' else 'in'), kind == 'ros1'
        self.store = get_typestore(Stores.ROS1_NOETIC if self.ros1 else Stores.ROS2_JAZZY)
        self.writer: Any = rosbag1.Writer(self.path) if self.ros1 else rosbag2.Writer(
            self.path, version=9, storage_plugin=rosbag2.StoragePlugin[kind.upper()])
        self.writer.open()
        self.connections: dict[str, Any] = {}

    def write(self, topic: str, kind: str, message: Any, time: int) -> None:
        if topic not in self.connections:
            self.connections[topic] = self.writer.add_connection(
                topic, kind, typestore=self.store)
        serialize = self.store.serialize_ros1 if self.ros1 else self.store.serialize_cdr
        self.writer.write(self.connections[topic], time, serialize(message, kind))

    def text(self, text: str, time: int, topic: str = '/robot_description') -> None:
        self.write(topic, STRING, self.store.types[STRING](data=text), time)

    def states(self, names: list[str], rows: np.ndarray, *, topic: str = '/joint_states',
               speed: float | None = None, stamped: bool = True) -> None:
        types = self.store.types
        for i, row in enumerate(rows):
            time = START + i * STEP
            stamp = types['builtin_interfaces/msg/Time'](
                sec=time // 10**9 if stamped else 0, nanosec=time % 10**9 if stamped else 0)
            header = types['std_msgs/msg/Header'](
                stamp=stamp, frame_id='here', **({'seq': i} if self.ros1 else {}))
            none = np.zeros(0)
            self.write(topic, STATE, types[STATE](
                header=header, name=names, position=np.asarray(row, float), effort=none,
                velocity=none if speed is None else np.full(len(names), speed)), time + 1000)

    def close(self) -> Path:
        self.writer.close()
        return self.path


def messages(path: Path, topic: str) -> Iterator[tuple[int, Any]]:
    with AnyReader([path]) as reader:
        connections = [one for one in reader.connections if one.topic == topic]
        for connection, time, data in reader.messages(connections) if connections else ():
            yield time, reader.deserialize(data, connection.msgtype)


@pytest.mark.parametrize('kind', KINDS)
def test_complete_states_beside_everything_else(kind: str, tmp_path: Path) -> None:
    bag = Bag(tmp_path, kind)
    if kind != 'ros1':
        bag.text(TEXT, START)
    bag.text('kept', START + 5, '/chatter')
    cranks = np.linspace(0.0, 4.0, 50)
    bag.states(['crank'], cranks[:, None], speed=1.0)
    source, target = bag.close(), tmp_path / ('out.bag' if kind == 'ros1' else 'out')
    outcome = complete_bag(source, target, text=TEXT if kind == 'ros1' else None)
    assert (outcome.received, outcome.written, outcome.problems) == (50, 50, [])
    assert [times.counts for times in outcome.loops] == [{}]
    assert [message.data for _, message in messages(target, '/chatter')] == ['kept']
    before, after = (list(messages(path, '/joint_states')) for path in (source, target))
    assert [time for time, _ in before] == [time for time, _ in after]
    done = list(messages(target, '/joint_states_complete'))
    assert len(done) == 50
    for i, ((time, message), crank) in enumerate(zip(done, cranks, strict=True)):
        assert time == START + i * STEP + 1000
        assert message.header.stamp.sec * 10**9 + message.header.stamp.nanosec == START + i * STEP
        assert message.header.frame_id == 'here'
        assert message.name == ['crank', 'coupler', 'rocker']
        expected = BARS.joints(math.pi / 2, crank)
        for name, position in zip(message.name[1:], message.position[1:], strict=True):
            assert wrap(position - expected[name]) == pytest.approx(0.0, abs=1e-8)
        assert message.velocity[2] == pytest.approx(
            BARS.velocities(math.pi / 2, crank)['rocker'], abs=1e-7)
        assert len(message.effort) == 0


def test_transforms_replace_those_of_the_same_frames(tmp_path: Path) -> None:
    bag = Bag(tmp_path, 'mcap')
    bag.text(TEXT, START)
    types = bag.store.types
    zero = types['geometry_msgs/msg/Vector3'](x=0.0, y=0.0, z=0.0)
    one = types['geometry_msgs/msg/Quaternion'](x=0.0, y=0.0, z=0.0, w=1.0)
    time = types['builtin_interfaces/msg/Time'](sec=0, nanosec=0)
    bag.write('/tf', 'tf2_msgs/msg/TFMessage', types['tf2_msgs/msg/TFMessage'](transforms=[
        types['geometry_msgs/msg/TransformStamped'](
            header=types['std_msgs/msg/Header'](stamp=time, frame_id='map'), child_frame_id=child,
            transform=types['geometry_msgs/msg/Transform'](translation=zero, rotation=one))
        for child in ('rocker', 'base_link')]), START + 1)
    bag.states(['crank'], np.array([[0.5]]))
    target = tmp_path / 'out'
    complete_bag(bag.close(), target, tf=True)
    moving = {one.child_frame_id: one for _, message in messages(target, '/tf')
              for one in message.transforms}
    assert [one.child_frame_id for _, message in messages(target, '/tf')
            for one in message.transforms].count('rocker') == 1
    assert set(moving) == {'base_link', 'crank', 'coupler', 'rocker'}
    still = {one.child_frame_id for _, message in messages(target, '/tf_static')
             for one in message.transforms}
    robot = load(FOUR_BAR).robot
    assert still == {joint.child for joint in robot.joints if joint.kind == 'fixed'}
    # Along the rocker's x axis: (cos, 0, sin) of its angle in the base.
    q = moving['rocker'].transform.rotation
    along = [1 - 2 * (q.y**2 + q.z**2), 2 * (q.x * q.y + q.w * q.z), 2 * (q.x * q.z - q.w * q.y)]
    angle = BARS.angles(math.pi / 2 + 0.5)[1]
    assert along == pytest.approx([math.cos(angle), 0.0, math.sin(angle)], abs=1e-8)
    assert moving['rocker'].header.frame_id == 'base_link'


def test_open_and_strained_times_are_told(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bag = Bag(tmp_path, 'sqlite3')
    rockers = np.concatenate([np.zeros(10), np.full(20, 2.0), np.zeros(10)])
    bag.states(['rocker'], rockers[:, None], topic='/arm/joint_states')
    done = run(capsys, 'bag', bag.close(), '-o', tmp_path / 'out', '--model', FOUR_BAR,
               '--known', 'rocker')
    assert done.status == 1
    assert '40 complete joint states on /arm/joint_states_complete' in done.out
    (row,) = [line.split() for line in done.out.splitlines() if ' open ' in line]
    # Out of reach from 0.10 s until the message at 0.30 s.
    assert row == ['pin', 'open', '1', '0.20', 's', '0.10', 's', '0.30', 's']


def test_descriptions_that_change_and_stamps_that_are_missing(tmp_path: Path) -> None:
    bag = Bag(tmp_path, 'mcap')
    bag.states(['crank', 'motor'], np.full((30, 2), 0.3), stamped=False)
    bag.text(TEXT, START + 5 * STEP)
    bag.text(TEXT.replace('frameB="', 'frameB="no_'), START + 10 * STEP)
    bag.text(TEXT.replace('"rocker"', '"swing_arm"'), START + 20 * STEP)
    outcome = complete_bag(bag.close(), tmp_path / 'out')
    assert outcome.written == 30
    assert len(outcome.problems) == 1
    assert outcome.problems[0].startswith('at 0.1 s: a description is refused')
    done = list(messages(tmp_path / 'out', '/joint_states_complete'))
    assert [message.name[2] for _, message in done] == ['rocker'] * 20 + ['swing_arm'] * 10
    for time, message in done:
        assert message.header.stamp.sec * 10**9 + message.header.stamp.nanosec == time


@pytest.mark.parametrize(('arguments', 'message'), [
    ({}, 'there is no robot_description in the bag'),
    ({'topic': '/nowhere'}, "no topic '/nowhere' with joint states"),
    ({'text': TEXT, 'known_joints': ['elbow']}, 'elbow')])
def test_what_is_not_there_is_named_and_nothing_is_left(
        arguments: dict[str, Any], message: str, tmp_path: Path) -> None:
    bag = Bag(tmp_path, 'mcap')
    bag.states(['crank'], np.zeros((1, 1)))
    with pytest.raises(UsageError, match=message):
        complete_bag(bag.close(), tmp_path / 'out', **arguments)
    assert not (tmp_path / 'out').exists()


def test_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, 'bag', tmp_path / 'nothing', '-o', tmp_path / 'out')
    assert (done.status, 'nothing is not there' in done.err) == (2, True)
    (tmp_path / 'text.bag').write_text('no bag')
    done = run(capsys, 'bag', tmp_path / 'text.bag', '-o', tmp_path / 'out.bag')
    assert (done.status, 'cannot be read as a bag' in done.err) == (2, True)
    done = run(capsys, 'bag', tmp_path, '-o', tmp_path)
    assert (done.status, 'is there already' in done.err) == (2, True)
