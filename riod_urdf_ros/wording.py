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

"""Names, lengths and counts as messages say them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
import itertools

_CELL = 36


def quote(value: str, length: int = 60) -> str:
    """Return a value of the file in quotes, on one line and not longer than a person reads."""
    return repr(value if len(value) <= length else value[:length - 3] + '...')


def listing(names: Collection[str], length: int = 6) -> str:
    """Return names in quotes, separated by commas, the first few of many."""
    text = ', '.join(quote(name) for name in itertools.islice(names, length))
    return text if len(names) <= length else f'{text} and {len(names) - length} more'


def printable(text: str) -> str:
    """Make control characters visible instead of sending them to a terminal."""
    return ''.join(c if c.isprintable() else ' ' if c == '\t' else '\ufffd' for c in text)


def shorten(names: Sequence[str]) -> str:
    """Return names for a cell of a table: the first of many, and how many more there are."""
    if not names:
        return '-'
    shown = [printable(name) for name in names]
    shown = [name if len(name) <= _CELL else f'{name[:_CELL - 3]}...' for name in shown]
    count = len(shown)
    while count > 1 and len(', '.join(shown[:count])) > _CELL:
        count -= 1
    more = f' and {len(shown) - count} more' if count < len(shown) else ''
    return ', '.join(shown[:count]) + more
