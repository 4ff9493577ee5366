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

"""``riod_urdf modes``."""

from __future__ import annotations

import json

import pytest
from support.commands import FOUR_BAR, run


def test_a_four_bar_has_two(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, 'modes', FOUR_BAR, '--joint', 'crank=0.4', '--json')
    assert done.status == 0
    (modes,) = json.loads(done.out).values()
    assert [mode['followed'] for mode in modes] == [True, False]
    assert {mode['positions']['crank'] for mode in modes} == {0.4}


def test_the_table_says_which_is_followed(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, 'modes', FOUR_BAR)
    assert done.status == 0
    assert '2 modes' in done.out
    assert 'followed' in done.out


def test_an_unknown_joint_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, 'modes', FOUR_BAR, '--joint', 'crnk=0.4')
    assert done.status == 2
    assert 'crnk' in done.err
