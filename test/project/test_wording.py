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

"""Names, counts and lengths as messages say them."""

from __future__ import annotations

import pytest
from riod_urdf_ros.wording import count, listing, millimetres, quote, shorten


@pytest.mark.parametrize(('length', 'text'), [
    (0.0, '0 mm'), (9e-10, '0 mm'), (1e-9, '1e-06 mm'), (0.0012344, '1.234 mm'),
    (2.5, '2500 mm'), (float('nan'), 'nan mm')])
def test_a_gap_is_in_millimetres_and_rounding_is_none(length: float, text: str) -> None:
    assert millimetres(length) == text


def test_one_thing_is_not_many() -> None:
    assert [count(n, 'joint') for n in (0, 1, 2)] == ['0 joints', '1 joint', '2 joints']


def test_long_lists_and_names_are_cut() -> None:
    assert listing(['a', "it's"]) == '\'a\', "it\'s"'
    assert listing('abcdefgh') == "'a', 'b', 'c', 'd', 'e', 'f' and 2 more"
    assert quote('x' * 70) == repr('x' * 57 + '...')
    assert shorten([]) == '-'
    assert shorten(['left' * 5, 'right' * 5]) == 'left' * 5 + ' and 1 more'
    assert len(shorten(['x' * 50])) == 36
