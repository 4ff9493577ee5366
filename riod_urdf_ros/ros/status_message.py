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

"""Diagnostic statuses as the message that monitors read."""

from __future__ import annotations

from collections.abc import Iterable

from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue

from ..completion.diagnostics import Status
from ..wording import printable


def diagnostic_array(
        statuses: Iterable[Status], node: str, robot: str, stamp: Time) -> DiagnosticArray:
    """
    Write statuses of a node; names of a description come out on one line, whatever is in them.

    :param node: fully qualified name.
    :param robot: its name.
    """
    array = DiagnosticArray()
    array.header.stamp = stamp
    array.status = [
        DiagnosticStatus(
            level=bytes([status.level]), name=printable(f'{node.lstrip("/")}: {status.name}'),
            message=printable(status.message), hardware_id=printable(robot),
            values=[KeyValue(key=printable(key), value=printable(value))
                    for key, value in status.values])
        for status in statuses]
    return array
