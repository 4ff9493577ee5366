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

"""Converting a text and looking at what came out, for all tests of formats."""

from __future__ import annotations

from pathlib import Path

from riod_urdf_ros.formats.conversion import Conversion, convert
from riod_urdf_ros.robot.model import Robot
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from riod_urdf_ros.urdf.parser import parse
from support.robots import four_bar_angles, wrapped


def converted(text: str, folder: Path, source: str = 'in.urdf', output: str = 'out.urdf',
              ) -> Conversion:
    """Convert a text that stands in a folder; the output is not written."""
    (folder / source).write_text(text, encoding='utf-8')
    return convert(folder / source, folder / output)


def robot_of(done: Conversion) -> Robot:
    """Return the robot that came out."""
    return parse(done.text).robot


def assert_is_the_four_bar(text: str) -> None:
    """See crank, coupler and rocker move as those of ``support.robots`` in closed form."""
    solver = ClosureSolver(parse(text).robot)
    assert solver.independent == ('crank',)
    for angle in (0.1, 0.4, -0.3):
        positions = solver.solve({'crank': angle}).positions
        coupler, rocker = four_bar_angles(angle)
        assert abs(wrapped(positions['coupler'] - coupler)) < 1e-9
        assert abs(wrapped(positions['rocker'] - rocker)) < 1e-9
