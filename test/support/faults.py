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

"""Seeded rubbish: joint states and descriptions as no driver should send them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, nan
import random

STRANGE_NAMES = (
    '', ' ', 'unknown', 'Ünïcödé/関節', 'x' * 2000, 'new\nline', 'quote"\'{}%s', '\x01', '🤖')
STRANGE_VALUES = (nan, inf, -inf, 1e308, -1e308, 5e-324, 1e18, -1e9, 1e9, 123456.789, -0.0)


@dataclass
class FaultyMessage:
    """A joint state; stamp in ns."""

    names: list[str]
    positions: list[float]
    velocities: list[float]
    efforts: list[float]
    stamp: int


class MessageFaults:
    """
    Makes one random message after the other.

    :param joints: of the robot, so that the rubbish gets far.
    """

    def __init__(self, seed: int, joints: Sequence[str]) -> None:
        """Start the sequence."""
        self.random = random.Random(seed)
        self._joints = list(joints)

    def message(self) -> FaultyMessage:
        """Return the next one; about a third of them are usable."""
        r = self.random
        count = r.choice((0, 1, 2, 3, len(self._joints), 2 * len(self._joints)))
        pool = self._joints if r.random() < 0.7 else self._joints + list(STRANGE_NAMES)
        names = r.sample(self._joints, len(self._joints)) if count == len(self._joints) \
            else r.choices(pool, k=count)
        wild = r.choice((0.0, 0.0, 0.1, 0.5))
        positions, velocities, efforts = (
            self._values(self._length(count), wild) for _ in range(3))
        seconds, more = r.randrange(-2**31, 2**31), r.randrange(10**9)
        stamp = r.choice((0, 1, seconds * 10**9 + more, r.randrange(10**12)))
        return FaultyMessage(names, positions, velocities, efforts, stamp)

    def _length(self, count: int) -> int:
        return count if self.random.random() < 0.8 else self.random.randrange(2 * count + 3)

    def _values(self, count: int, wild: float) -> list[float]:
        r = self.random
        size = 7.0 if r.random() < 0.1 else 0.3
        return [r.choice(STRANGE_VALUES) if r.random() < wild else r.uniform(-size, size)
                for _ in range(count)]


class DescriptionFaults:
    """
    Breaks descriptions.

    :param good: descriptions to start from.
    """

    def __init__(self, seed: int, good: Sequence[str]) -> None:
        """Start the sequence."""
        self._random = random.Random(seed)
        self._good = list(good)

    def description(self) -> str:
        """Return the next one: cut off, garbled, mixed from two, or good."""
        r = self._random
        text = r.choice(self._good)
        where = r.randrange(len(text))
        kind = r.randrange(6)
        if kind == 0:
            return text[:where]
        if kind == 1:
            return text[:where] + r.choice('<>"&/\x7fäπ0 ') + text[where + 1:]
        if kind == 2:
            other = r.choice(self._good)
            return text[:where] + other[r.randrange(len(other)):]
        if kind == 3:
            lines = text.splitlines()
            r.shuffle(lines)
            return '\n'.join(lines)
        if kind == 4:
            lines = text.splitlines()
            del lines[r.randrange(len(lines))]
            return '\n'.join(lines)
        return text
