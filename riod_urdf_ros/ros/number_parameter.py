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

"""Parameters that are numbers: whole ones are welcome, and every refusal says what is right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rcl_interfaces.msg import FloatingPointRange, ParameterDescriptor
from rclpy.node import Node

from ..exceptions import UsageError
from ..wording import quote


@dataclass(frozen=True)
class NumberParameter:
    """
    A parameter of a node that is a number.

    :param name: of the parameter.
    :param default: in the unit that the meaning names, as the others.
    :param lower: smallest value allowed.
    :param upper: largest value allowed.
    :param meaning: for whoever asks the node.
    """

    name: str
    default: float
    lower: float
    upper: float
    meaning: str

    def declare(self, node: Node, *, read_only: bool = False) -> float:
        """
        Declare it on a node.

        :return: its value.
        :raises UsageError: if it was given a value that it cannot have.
        """
        span = FloatingPointRange(from_value=self.lower, to_value=self.upper, step=0.0)
        # Of any type for rclpy: people write 1 and mean 1.0, and its refusal is a riddle.
        value: Any = node.declare_parameter(self.name, self.default, ParameterDescriptor(
            description=self.meaning, floating_point_range=[span], dynamic_typing=True,
            read_only=read_only)).value
        problem = self.problem(value)
        if problem:
            raise UsageError(problem)
        return float(value)

    def problem(self, value: Any) -> str:
        """Say what is wrong with a value; empty if nothing is."""
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            shown = quote(value) if isinstance(value, str) else repr(value)
            return f'{self.name} has to be a number, not {shown}{_hint(value)}'
        if not self.lower <= value <= self.upper:
            return f'{self.name} has to be from {self.lower:g} to {self.upper:g}, not {value}'
        return ''


def _hint(value: Any) -> str:
    """Return how YAML wants a number that it took for a text, as it does with 1e-5."""
    try:
        mantissa, exponent, power = repr(float(value)).partition('e')
    except (TypeError, ValueError):
        return ''
    number = mantissa + ('' if '.' in mantissa or not exponent else '.0') + exponent + power
    return f'; YAML reads that as a text, {number} is the number' \
        if isinstance(value, str) else ''
