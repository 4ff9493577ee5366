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

"""The order of the states."""

from __future__ import annotations

from itertools import permutations

from riod_urdf_ros.robot.closure_state import STATES, worst


def test_closed_is_better_than_strained_than_open() -> None:
    for states in permutations(STATES):
        assert worst(states) == 'open'
        assert worst(states[:2]) == ('open' if 'open' in states[:2] else 'strained')
    assert STATES == ('closed', 'strained', 'open')


def test_what_is_not_known_is_not_closed_but_hides_no_fault() -> None:
    assert worst(['closed', 'missing', 'closed']) == 'missing'
    assert worst(['missing', 'strained']) == 'strained'
    assert worst([]) == 'closed'
