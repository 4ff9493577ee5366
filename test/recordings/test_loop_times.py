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

"""How long a loop was not closed, by its states at points in time."""

from __future__ import annotations

from riod_urdf_ros.recordings.loop_times import LoopTimes, Stretch


def test_stretches_last_until_the_next_state() -> None:
    times = LoopTimes('pin')
    for time, state in enumerate(
            ['closed', 'open', 'open', 'strained', 'closed', 'open', 'missing', 'strained'], 10):
        times.note(state, time)
    assert times.counts == {'open': 2, 'strained': 2}
    assert times.totals == {'open': 3, 'strained': 1}
    assert times.stretches == [
        Stretch('open', 11, 13), Stretch('strained', 13, 14), Stretch('open', 15, 16),
        Stretch('strained', 17, 17)]


def test_memory_is_bounded() -> None:
    times = LoopTimes('pin')
    for time in range(5000):
        times.note('open' if time % 2 else 'closed', time)
    assert times.counts == {'open': 2500}
    assert len(times.stretches) == 1000


def test_time_that_goes_backwards_does_not_count() -> None:
    times = LoopTimes('pin')
    for time in (10, 12, 3, 4):
        times.note('open', time)
    assert times.totals == {'open': 3}
