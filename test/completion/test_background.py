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

"""Reading in a thread: one at a time, the newest of those that wait, outcomes in order."""

from __future__ import annotations

from threading import Event
import time

from riod_urdf_ros.completion.background import Background


def test_newest_of_the_waiting_is_read_and_outcomes_come_in_order() -> None:
    go, ready = Event(), []

    def read(text: str) -> int:
        go.wait(10.0)
        return len(text)

    background = Background(read, lambda: ready.append(1))
    assert background.idle
    for text in ('a', 'bb', 'ccc'):
        background.submit(text)
        while text == 'a' and background._next is not None:
            time.sleep(0.001)
    assert background.take() is None and not background.idle
    go.set()
    end = time.monotonic() + 10.0
    while len(ready) < 2 and time.monotonic() < end:
        time.sleep(0.001)
    assert [background.take() for _ in range(3)] == [('a', 1), ('ccc', 3), None]
    while not background.idle and time.monotonic() < end:
        time.sleep(0.001)
    assert background.idle
