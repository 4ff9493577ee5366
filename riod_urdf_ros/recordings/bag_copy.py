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

"""A bag, and the copy of it that more is written into."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, ExitStack
from pathlib import Path
import shutil
from typing import Any, cast, Final, Literal

from rosbags.highlevel import AnyReader, AnyReaderError
from rosbags.interfaces import (
    Connection,
    Qos,
    QosDurability,
    QosHistory,
    QosLiveliness,
    QosReliability,
    QosTime,
)
from rosbags.rosbag1 import Writer as Writer1
from rosbags.rosbag1 import WriterError as WriterError1
from rosbags.rosbag2 import StoragePlugin
from rosbags.rosbag2 import Writer as Writer2
from rosbags.rosbag2 import WriterError as WriterError2
from rosbags.typesys import get_typestore, Stores

from .messages import Messages
from ..exceptions import UsageError

# The first version with message definitions; jazzy and later read it as well.
_VERSION: Final[Literal[8]] = 8
_NO_HASH = 'RIHS01_' + '0' * 64
_FOREVER = QosTime(2147483647, 4294967295)


class BagCopy:
    """
    One bag, open to read, and one of the same kind, open to write.

    :ivar messages: makes messages for both.
    """

    def __init__(self, reader: AnyReader, writer: Any, messages: Messages) -> None:
        """Let the copy have all topics that the bag has."""
        self.reader, self._writer, self.messages = reader, writer, messages
        self._ros1 = isinstance(writer, Writer1)
        self._copies = {self._key(connection): self._copied(connection)
                        for connection in reader.connections}

    @staticmethod
    def _key(connection: Connection) -> tuple[int, int]:
        return id(connection.owner), connection.id

    def _copied(self, connection: Connection) -> Connection:
        definition, ext = {'msgdef': connection.msgdef.data}, cast(Any, connection.ext)
        if self._ros1:
            return self._add(connection, md5sum=connection.digest, **definition,
                             callerid=ext.callerid, latching=ext.latching)
        return self._add(connection, rihs01=connection.digest or self._hash(connection.msgtype),
                         **definition,
                         serialization_format=ext.serialization_format,
                         offered_qos_profiles=ext.offered_qos_profiles)

    def _hash(self, kind: str) -> str:
        """Return the hash of a type that the bag does not have it of."""
        store = self.reader.typestore
        return store.hash_rihs01(kind) if kind in store.fielddefs else _NO_HASH

    def _add(self, connection: Connection, **rest: Any) -> Connection:
        """Add a connection, or return the same one of another part of the bag."""
        try:
            added: Connection = self._writer.add_connection(
                connection.topic, connection.msgtype, **rest)
        except (WriterError1, WriterError2):
            return next(copy for copy in self._copies.values() if copy.topic == connection.topic)
        return added

    def add_topic(self, topic: str, kind: str, *, latched: bool = False) -> Connection:
        """
        Return a connection of the copy for new messages.

        :param latched: whether late subscribers are to get the last one.
        """
        connection: Connection
        for connection in self._writer.connections:
            if (connection.topic, connection.msgtype) == (topic, kind):
                return connection
        rest: dict[str, Any] = {'latching': int(latched)} if self._ros1 else {
            'offered_qos_profiles': [_qos(latched)]}
        added: Connection = self._writer.add_connection(
            topic, kind, typestore=self.messages.store, **rest)
        return added

    def copy(self, connection: Connection, time: int, data: bytes) -> None:
        """Write a message of the bag into the copy."""
        self._writer.write(self._copies[self._key(connection)], time, data)

    def write(self, connection: Connection, time: int, data: bytes) -> None:
        """Write a new message; time in ns."""
        self._writer.write(connection, time, data)

    def connections(self, kind: str) -> list[Connection]:
        """Return the bag's connections of one type."""
        return [connection for connection in self.reader.connections
                if connection.msgtype == kind]


def _qos(latched: bool) -> Qos:
    durability = QosDurability.TRANSIENT_LOCAL if latched else QosDurability.VOLATILE
    return Qos(QosHistory.KEEP_LAST, 1 if latched else 10, QosReliability.RELIABLE, durability,
               _FOREVER, _FOREVER, QosLiveliness.AUTOMATIC, _FOREVER, False)


def _remove(target: Path) -> None:
    """Leave no half of a copy."""
    if target.is_dir():
        shutil.rmtree(target)
    else:
        target.unlink(missing_ok=True)


@contextmanager
def open_copy(source: Path, target: Path) -> Iterator[BagCopy]:
    """
    Open a bag and a copy of it, which has its topics but no message yet.

    :raises UsageError: if the one cannot be read or the other is there already.
    """
    if target.exists():
        raise UsageError(f'{target} is there already; name a bag that is not')
    try:
        reader = AnyReader([source], default_typestore=get_typestore(Stores.ROS2_HUMBLE))
        with ExitStack() as stack:
            stack.enter_context(reader)
            if reader.is2:
                mcap = source.suffix == '.mcap' or any(source.glob('*.mcap*'))
                writer: Any = Writer2(
                    target, version=_VERSION,
                    storage_plugin=StoragePlugin.MCAP if mcap else StoragePlugin.SQLITE3)
            else:
                writer = Writer1(target)
            stack.push(lambda kind, *_: _remove(target) if kind else None)
            stack.enter_context(writer)
            yield BagCopy(reader, writer, Messages(not reader.is2))
    except FileNotFoundError:
        raise UsageError(f'{source} is not there') from None
    except AnyReaderError as error:
        raise UsageError(f'{source} cannot be read as a bag: {error}') from None
