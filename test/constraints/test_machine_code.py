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


"""The thread that compiles: order, failures, and its end."""

from __future__ import annotations

from threading import Event

import pytest
from riod_urdf_ros.constraints.machine_code import Workshop


def test_jobs_are_done_in_order_and_not_waited_for() -> None:
    workshop, may_go = Workshop(), Event()
    done: list[int] = []
    workshop.add(lambda: done.append(int(may_go.wait(10.0))))
    workshop.add(lambda: done.append(2))
    assert not done
    may_go.set()
    workshop.wait()
    assert done == [1, 2]
    workshop.add(lambda: done.append(3))  # the thread has ended; another one begins
    workshop.wait()
    assert done[-1] == 3


def test_a_job_that_fails_is_warned_of_and_the_next_one_done() -> None:
    workshop, may_go, done = Workshop(), Event(), []

    def fail() -> None:
        may_go.wait(10.0)
        raise OSError('no library')

    with pytest.warns(RuntimeWarning, match='no library'):
        workshop.add(fail)
        workshop.add(lambda: done.append(1))
        may_go.set()
        workshop.wait()
    assert done == [1]
