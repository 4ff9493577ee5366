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

"""Messages of ROS 1 and ROS 2 as rosbags has them: what is read from them, and made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from rosbags.typesys import get_types_from_msg, get_typestore, Stores

from ..completion.completer import CompleteState
from ..robot.kinematics import joint_transform
from ..robot.model import Joint
from ..robot.transforms import Array, quaternion_xyzw

JOINT_STATE, STRING = 'sensor_msgs/msg/JointState', 'std_msgs/msg/String'
TF_MESSAGE = 'tf2_msgs/msg/TFMessage'
_SECOND = 1_000_000_000


class Messages:
    """
    Makes messages for one kind of bag.

    :param ros1: whether for ROS 1.
    """

    def __init__(self, ros1: bool) -> None:
        """Load the definitions."""
        self._ros1 = ros1
        self.store = get_typestore(Stores.ROS1_NOETIC if ros1 else Stores.ROS2_HUMBLE)
        if ros1:
            self.store.register(get_types_from_msg(
                'geometry_msgs/TransformStamped[] transforms', TF_MESSAGE))

    def _make(self, kind: str, **fields: Any) -> Any:
        return self.store.types[kind](**fields)

    def _serialize(self, message: Any, kind: str) -> bytes:
        serialize = self.store.serialize_ros1 if self._ros1 else self.store.serialize_cdr
        return bytes(serialize(message, kind))

    def _header(self, stamp: int, frame: str) -> Any:
        time = self._make('builtin_interfaces/msg/Time', sec=stamp // _SECOND,
                          nanosec=stamp % _SECOND)
        sequence = {'seq': 0} if self._ros1 else {}
        return self._make('std_msgs/msg/Header', stamp=time, frame_id=frame, **sequence)

    def joint_state(self, state: CompleteState, stamp: int, frame: str) -> bytes:
        """Return a joint state, serialized; stamp in ns."""
        return self._serialize(self._make(
            JOINT_STATE, header=self._header(stamp, frame), name=state.names,
            position=np.array(state.positions), velocity=np.array(state.velocities),
            effort=np.array(state.efforts)), JOINT_STATE)

    def transforms(self, joints: Iterable[tuple[Joint, float]], stamp: int) -> bytes:
        """
        Return the transforms of joints, serialized.

        :param joints: each with its position, rad or m.
        :param stamp: ns.
        """
        return self._tf_message([
            self._make('geometry_msgs/msg/TransformStamped',
                       header=self._header(stamp, joint.parent), child_frame_id=joint.child,
                       transform=self._transform(joint_transform(joint, position)))
            for joint, position in joints])

    def without(self, message: Any, frames: frozenset[str]) -> bytes:
        """Return a message of transforms without those of some frames, serialized."""
        kept = [one for one in message.transforms
                if one.child_frame_id.lstrip('/') not in frames]
        return self._tf_message(kept) if kept else b''

    def _tf_message(self, transforms: list[Any]) -> bytes:
        return self._serialize(self._make(TF_MESSAGE, transforms=transforms), TF_MESSAGE)

    def _transform(self, T: Array) -> Any:
        x, y, z, w = quaternion_xyzw(T[:3, :3]).tolist()
        along = dict(zip('xyz', T[:3, 3].tolist(), strict=True))
        return self._make(
            'geometry_msgs/msg/Transform',
            translation=self._make('geometry_msgs/msg/Vector3', **along),
            rotation=self._make('geometry_msgs/msg/Quaternion', x=x, y=y, z=z, w=w))


def stamp_of(message: Any) -> int:
    """Return the stamp of a message with a header, ns."""
    stamp = message.header.stamp
    return int(stamp.sec) * _SECOND + int(stamp.nanosec)
