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

"""Numbers as attributes write them: decimal, finite, separated by spaces."""

from __future__ import annotations

import math
import re

from ..wording import quote

# urdfdom reads numbers with the C locale's stream, which knows neither nan, inf nor hex. Only one
# way to match any text, so that looking for it takes no longer than the text is long.
_NUMBER = re.compile(r'[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?')
# Squares of larger coordinates overflow. Limits may be larger: DBL_MAX stands for none.
LARGEST = 1e100
# DBL_MAX has 309 digits before its point.
_LONGEST_WORD = 400
_COUNTS = {1: 'one number', 3: 'three numbers', 4: 'four numbers'}


def is_expanded(text: str) -> bool:
    """Tell whether xacro has nothing left to compute in a value."""
    return '${' not in text and '$(' not in text


def read_numbers(text: str, count: int, largest: float) -> list[float] | str:
    """
    Read the numbers of an attribute.

    :param count: how many there have to be.
    :param largest: magnitude that is still accepted.
    :return: the numbers; or what is wrong, as the end of a sentence.
    """
    words = text.split()
    wrong = next((word for word in words
                  if len(word) > _LONGEST_WORD or not _NUMBER.fullmatch(word)), None)
    if wrong is not None or len(words) != count:
        return f'{_COUNTS[count]} expected{_reason(text, wrong, len(words))}'
    values = [float(word) for word in words]
    if not all(math.isfinite(value) for value in values):
        return f'a number of at most {largest:g} is expected, this is not finite'
    if any(abs(value) > largest for value in values):
        return f'a number of at most {largest:g} is expected, this is too large'
    return values


def _reason(text: str, wrong: str | None, found: int) -> str:
    """Say why a text is not the numbers that it should be."""
    if not is_expanded(text):
        return '; it looks like xacro: expand the file with xacro first'
    if wrong is None:
        return f', not {found}'
    if len(wrong) > _LONGEST_WORD:
        return f', and a word of {len(wrong)} characters is not read as one'
    if wrong.lower().lstrip('+-') in ('nan', 'inf', 'infinity'):
        return f', and {quote(wrong)} is not finite'
    hint = ' (separate with spaces, and write a decimal point)' if ',' in wrong else ''
    return f', and {quote(wrong)} is not a decimal number{hint}'
