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
import unicodedata

_CELL = 36


def quote(value: str, length: int = 60) -> str:
    """Return a value of the file in quotes, on one line and not longer than a person reads."""
    return repr(value if len(value) <= length else value[:length - 3] + '...')


def on_one_line(text: str) -> bool:
    """Tell whether a text has neither line breaks nor other control characters."""
    return not any(unicodedata.category(character) in ('Cc', 'Zl', 'Zp') for character in text)


def listing(names: Collection[str], length: int = 6) -> str:
    """Return names in quotes, separated by commas, the first few of many."""
    text = ', '.join(quote(name) for name in itertools.islice(names, length))
    return text if len(names) <= length else f'{text} and {len(names) - length} more'


def count(number: int, what: str) -> str:
    """Return a number of things in words; the plural is made with an s."""
    return f'{number} {what}{"" if number == 1 else "s"}'


def millimetres(length: float) -> str:
    """
    Return a small length, such as a gap.

    :param length: m; what is below a nanometre is rounding, and written as 0.
    """
    return f'{1000.0 * length:.4g} mm' if not length < 1e-9 else '0 mm'


def printable(text: str) -> str:
    """Make control characters visible instead of sending them to a terminal."""
    return ''.join(c if c.isprintable() else ' ' if c == '\t' else '\ufffd' for c in text)


def shorten(names: Sequence[str]) -> str:
    """Return names for a cell of a table: the first of many, and how many more there are."""
    if not names:
        return '-'
    shown = [printable(name) for name in names]
    shown = [name if len(name) <= _CELL else f'{name[:_CELL - 3]}...' for name in shown]
    fitting = len(shown)
    while fitting > 1 and len(', '.join(shown[:fitting])) > _CELL:
        fitting -= 1
    more = f' and {len(shown) - fitting} more' if fitting < len(shown) else ''
    return ', '.join(shown[:fitting]) + more
