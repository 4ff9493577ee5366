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

"""A small robot to spoil in one place, and what is found in it then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from riod_urdf_ros.exceptions import DescriptionError, Problem
from riod_urdf_ros.urdf.parser import parse

# For each problem its level, its line, and words of its message.
Expected: TypeAlias = Sequence[tuple[str, int, Sequence[str]]]
Faults: TypeAlias = Mapping[str, tuple[str | bytes, Expected]]

# A slider-crank. Line 2 has the root, 3 the links, 4 to 7 the joints, 8 the closure.
SLIDER = """<?xml version="1.0"?>
<robot name="slider" xmlns:riod="https://github.com/Origitech/urdf-extensions">
<link name="base"/><link name="crank"/><link name="rod"/><link name="block"/><link name="tip"/>
<joint name="j1" type="revolute"><parent link="base"/><child link="crank"/><axis xyz="0 0 1"/><limit lower="-1" upper="2" effort="1" velocity="1"/></joint>
<joint name="j2" type="continuous"><origin xyz="0.1 0 0" rpy="0 0 1.5"/><parent link="crank"/><child link="rod"/><axis xyz="0 0 1"/><riod:actuated value="false"/></joint>
<joint name="j3" type="prismatic"><origin xyz="0.4 0 0"/><parent link="base"/><child link="block"/><limit lower="-1" upper="1" effort="1" velocity="1"/><riod:actuated value="false"/></joint>
<joint name="j4" type="fixed"><origin xyz="0.3 0 0"/><parent link="rod"/><child link="tip"/></joint>
<riod:loop_closure name="pin" frameA="tip" frameB="block"/>
</robot>
"""  # noqa: E501

EXTRA_LINK = '<link name="more"/>'
EXTRA_JOINT = ('<joint name="j5" type="{}"><parent link="base"/><child link="more"/>{}</joint>')


def change(old: str, new: str) -> str:
    """Return the text with one passage, which it must have, replaced."""
    assert old in SLIDER, old
    return SLIDER.replace(old, new, 1)


def add(text: str) -> str:
    """Put text on line 8, before the closure."""
    return change('<riod:loop_closure', text + '<riod:loop_closure')


def joint(kind: str, inside: str = '') -> str:
    """Add a link and a joint to it on line 8."""
    return add(EXTRA_LINK + EXTRA_JOINT.format(kind, inside))


def problems(text: str | bytes) -> tuple[Problem, ...]:
    """Return what is found in a text, also where it is refused."""
    try:
        return parse(text).problems
    except DescriptionError as error:
        assert any(problem.level == 'error' for problem in error.problems)
        return error.problems


def faults(text: str | bytes) -> list[tuple[str, int, str]]:
    """Return level, line and message of what is found in a text."""
    return [(problem.level, problem.line, problem.message) for problem in problems(text)]


AXIS_J1 = '<axis xyz="0 0 1"/><limit'
LIMIT_J1 = '<limit lower="-1" upper="2" effort="1" velocity="1"/>'
ACTUATED = '<riod:actuated value="false"/>'
XMLNS = ' xmlns:riod="https://github.com/Origitech/urdf-extensions"'


def assert_faults(text: str | bytes, expected: Expected) -> None:
    """See that a text has these problems and no others."""
    found = faults(text)
    assert [(level, line) for level, line, _ in found] == [
        (level, line) for level, line, _ in expected], found
    for (_, _, message), (_, _, words) in zip(found, expected):
        assert all(word in message for word in words), message
        assert len(message) < 400 and '\n' not in message
