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

"""A loop through a relay, played with its own clock, against drivers that only look like one."""

from __future__ import annotations

from collections import deque

import pytest
from riod_urdf_ros.completion.relay_guard import Admission, RelayGuard


def driven(rate: float, seconds: float) -> list[Admission]:
    """Let a driver at rest send the same values at a rate."""
    guard = RelayGuard()
    return [guard.admit('rest', k / rate) for k in range(int(rate * seconds))]


@pytest.mark.parametrize('rate', [10.0, 50.0, 150.0])
def test_driver_at_rest_is_always_answered(rate: float) -> None:
    assert set(driven(rate, 20.0)) == {Admission.ANSWER}


@pytest.mark.parametrize('rate', [500.0, 1000.0, 4000.0])
def test_fast_driver_at_rest_is_never_refused_nor_left_without_answers(rate: float) -> None:
    found = driven(rate, 30.0)
    assert Admission.REFUSE not in found
    left = [k for k, admission in enumerate(found) if admission is Admission.LEAVE]
    assert len(left) <= 150
    assert all(b - a > 1 for a, b in zip(left, left[1:])), 'never two in a row'


def test_moving_driver_is_always_answered() -> None:
    guard = RelayGuard()
    assert {guard.admit(k, k / 5000.0) for k in range(20_000)} == {Admission.ANSWER}


@pytest.mark.parametrize('moving', [False, True], ids=['at rest', 'moving'])
def test_loop_is_found_out_and_dies(moving: bool) -> None:
    guard = RelayGuard()
    loop: deque[object] = deque()
    now, sent, handled, refused = 0.0, 0, 0, 0
    while now < 10.0:
        if now * 50.0 >= sent:  # a driver of 50 Hz
            loop.append(sent if moving else 'rest')
            sent += 1
        if loop:
            content = loop.popleft()
            admission = guard.admit(content, now)
            handled += 1
            refused += admission is Admission.REFUSE
            if admission is Admission.ANSWER and len(loop) < 100:
                loop.append(content)
        now += 1.0 / 1500.0
    assert refused > 10
    # Without it there is one for every step of the clock, 15000.
    assert handled < 6000
