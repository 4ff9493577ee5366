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

"""A bag with the joint states of motors, made one with complete joint states."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rosbags.interfaces import Connection

from .bag_copy import BagCopy, open_copy
from .loop_times import LoopTimes
from .messages import JOINT_STATE, stamp_of, STRING, TF_MESSAGE
from ..completion.completer import Completer, CompleteState
from ..exceptions import DescriptionError, UsageError
from ..solver.closure_solver import ClosureSolver
from ..urdf.parser import parse
from ..wording import listing

_TOPIC, _DESCRIPTION = 'joint_states', 'robot_description'


@dataclass
class Outcome:
    """
    What became of a bag.

    :param topic: of the joint states that were read.
    :param written_to: topic of the complete ones.
    :param start: time of the first message, ns.
    :param received: joint states that were read.
    :param written: complete ones that were made of them.
    :param loops: when each loop group was not closed.
    :param problems: with descriptions in the bag.
    :param missing: known joints that no message named.
    :param notices: trouble with messages: how often, by kind.
    """

    topic: str
    written_to: str
    start: int
    received: int = 0
    written: int = 0
    loops: list[LoopTimes] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    missing: tuple[str, ...] = ()
    notices: dict[str, int] = field(default_factory=dict)


def complete_bag(
        source: Path, target: Path, *, text: str | None = None, topic: str | None = None,
        known_joints: Sequence[str] = (), home: Mapping[str, float] = MappingProxyType({}),
        tf: bool = False,
        progress: Callable[[int, int], None] = lambda done, total: None) -> Outcome:
    """
    Copy a bag, with a complete joint state after each usable one.

    A description in the bag holds from the beginning, and each good one after it from its time.

    :param text: description to use instead of those in the bag.
    :param topic: of the joint states; else the one of that name, or the only one.
    :param known_joints: joints to know instead of those actuated ones that they are tied to.
    :param home: the pose to assemble from, where it is not zero, by joint, rad and m.
    :param tf: whether the transforms of all joints are written as well; those that the bag has
        of the same frames are left out.
    :param progress: called with the messages done, and all there are.
    :raises UsageError: if the bag cannot be read, or what is needed is not in it.
    :raises DescriptionError: if the first description cannot be used.
    """
    with open_copy(source, target) as bag:
        work = _Work(bag, text, topic, known_joints, home, tf)
        total = bag.reader.message_count
        for done, (connection, time, data) in enumerate(bag.reader.messages()):
            work.take(connection, time, data)
            progress(done, total)
        return work.outcome()


class _Work:
    """The completion of one bag, message by message."""

    def __init__(self, bag: BagCopy, text: str | None, topic: str | None,
                 known_joints: Sequence[str], home: Mapping[str, float], tf: bool) -> None:
        self._bag, self._known_joints, self._home = bag, known_joints, home
        name = _find_topic(bag, topic)
        self._outcome = Outcome(name, f'{name}_complete', bag.reader.start_time)
        self._complete = bag.add_topic(self._outcome.written_to, JOINT_STATE)
        self._tf = bag.add_topic('/tf', TF_MESSAGE) if tf else None
        self._tf_static = bag.add_topic('/tf_static', TF_MESSAGE, latched=True) if tf else None
        self._descriptions = _descriptions(bag, name) if text is None else []
        if text is None:
            text = self._first_description()
        self._use(text)

    def _first_description(self) -> str:
        if self._descriptions:
            for connection, _, data in self._bag.reader.messages(self._descriptions):
                return str(self._read(connection, data).data)
        raise UsageError('there is no robot_description in the bag; name a model with --model')

    def _read(self, connection: Connection, data: bytes) -> Any:
        return self._bag.reader.deserialize(data, connection.msgtype)

    def _use(self, text: str) -> None:
        robot = parse(text).robot
        self._completer = Completer(ClosureSolver(
            robot, known_joints=self._known_joints, home=self._home))
        self._text, self._static_due = text, True
        self._children = frozenset(joint.child for joint in robot.joints
                                   if joint.moving or joint.kind == 'fixed')
        self._times = [LoopTimes(group.name) for group in self._completer.solver.groups]
        self._outcome.loops += self._times

    def take(self, connection: Connection, time: int, data: bytes) -> None:
        """Copy one message, and write what follows from it."""
        if self._tf and connection.msgtype == TF_MESSAGE and connection.topic in (
                '/tf', '/tf_static'):
            data = self._bag.messages.without(self._read(connection, data), self._children)
        if data:
            self._bag.copy(connection, time, data)
        if connection in self._descriptions:
            self._describe(str(self._read(connection, data).data), time)
        elif connection.topic == self._outcome.topic and connection.msgtype == JOINT_STATE:
            self._state(self._read(connection, data), time)

    def _describe(self, text: str, time: int) -> None:
        if text == self._text:
            return
        try:
            self._use(text)
        except (DescriptionError, UsageError) as error:
            seconds = 1e-9 * (time - self._outcome.start)
            self._outcome.problems.append(
                f'at {seconds:.1f} s: a description is refused, the one before is used on: '
                f'{str(error).splitlines()[0]}')

    def _state(self, message: Any, time: int) -> None:
        # Without a stamp, the node takes the time of arrival.
        stamp = stamp_of(message)
        stamp = stamp if stamp > 0 else time
        completer, self._outcome.received = self._completer, self._outcome.received + 1
        state = completer.complete(
            message.name, message.position.tolist(), message.velocity.tolist(),
            message.effort.tolist(), stamp=stamp)
        if state is None or completer.solution is None:
            return
        self._outcome.written += 1
        self._bag.write(self._complete, time, self._bag.messages.joint_state(
            state, stamp, message.header.frame_id))
        for times, status in zip(self._times, completer.solution.groups, strict=True):
            times.note(status.state, stamp)
        if self._tf:
            self._write_tf(state, stamp, time)

    def _write_tf(self, state: CompleteState, stamp: int, time: int) -> None:
        assert self._tf, 'transforms are wanted'
        assert self._tf_static, 'transforms are wanted'
        messages, robot = self._bag.messages, self._completer.solver.robot
        positions: Mapping[str, float] = dict(zip(state.names, state.positions, strict=True))
        self._bag.write(self._tf, time, messages.transforms(
            ((robot.by_name[name], position) for name, position in positions.items()), stamp))
        fixed = [(joint, 0.0) for joint in robot.joints if joint.kind == 'fixed']
        if self._static_due and fixed:
            self._bag.write(self._tf_static, time, messages.transforms(fixed, stamp))
        self._static_due = False

    def outcome(self) -> Outcome:
        """Return what became of the bag."""
        result, completer = self._outcome, self._completer
        result.missing = completer.missing
        result.notices = {
            kind: notice.count for kind, notice in completer.counters.notices.items()}
        return result


def _find_topic(bag: BagCopy, wanted: str | None) -> str:
    """Return the topic of the joint states to complete."""
    topics = sorted({connection.topic for connection in bag.connections(JOINT_STATE)})
    if wanted is not None:
        found = [topic for topic in topics if topic.lstrip('/') == wanted.lstrip('/')]
    else:
        found = [topic for topic in topics if topic.lstrip('/') == _TOPIC] or topics
    if len(found) == 1:
        return found[0]
    there = f'there are {listing(topics)}' if topics else 'there is none'
    raise UsageError(
        f'no topic {wanted!r} with joint states (sensor_msgs/JointState) in the bag; {there}'
        if wanted is not None or not topics
        else f'several topics have joint states; choose one with --topic: {listing(topics)}')


def _descriptions(bag: BagCopy, topic: str) -> list[Connection]:
    """Return where the robot is described: beside its joint states, or else anywhere."""
    found = [connection for connection in bag.connections(STRING)
             if connection.topic.rpartition('/')[2] == _DESCRIPTION]
    beside = [connection for connection in found
              if connection.topic.rpartition('/')[0] == topic.rpartition('/')[0]]
    return beside or found
