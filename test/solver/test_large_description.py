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

"""From text to solver in a time that grows as the description does, not as its square."""

from __future__ import annotations

import time

from riod_urdf_ros.solver.closure_solver import ClosureSolver
from riod_urdf_ros.urdf.parser import parse
from support.slider_crank import add

SIZE = 600


def tree(count: int) -> str:
    """Put a chain of joints beside the slider-crank, each before that which it hangs on."""
    return add('\n'.join(
        f'<link name="t{i}"/><joint name="t{i}" type="continuous"><parent link="t{i - 1}"/>'
        f'<child link="t{i}"/><mimic joint="t{i - 1}"/></joint>' for i in range(count, 0, -1))
        .replace('<parent link="t0"/>', '<parent link="base"/>')
        .replace('<mimic joint="t0"/>', ''))


def cost(text: str) -> float:
    """Return the shorter of two times, s."""
    times = []
    for _ in range(2):
        start = time.process_time()
        ClosureSolver(parse(text).robot)
        times.append(time.process_time() - start)
    return min(times)


def test_four_times_the_joints_take_about_four_times_as_long() -> None:
    # Sixteen times as long would be the square.
    assert cost(tree(4 * SIZE)) < 10.0 * cost(tree(SIZE))
