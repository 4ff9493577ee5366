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

"""Lengths that look like millimetres, and angles that look like degrees."""

from __future__ import annotations

from collections.abc import Callable, Iterable
import math
import statistics

from .elements import Element
from .joint_elements import JointElement
from .number_text import LARGEST, read_numbers
from .problem_list import ProblemList
from ..wording import listing

# A crane has links of some 20 m; a link of 20 mm is a small one.
_LONG = 20.0
# Nobody needs more than a turn for an orientation; a revolute joint may make some turns.
_ORIENTATION, _TURNS = 2.0 * math.pi + 0.01, 4.0 * math.pi + 0.01
# Larger limits stand for none.
_NO_LIMIT = 720.0


def check_units(root: Element, joints: Iterable[JointElement], problems: ProblemList) -> None:
    """Warn of numbers that only make sense in other units than metres and radians."""
    joints = list(joints)
    _check_lengths(root, joints, problems)
    _report_degrees(joints, 'rpy', lambda joint: _numbers(joint, 'origin', 'rpy'),
                    lambda angle: abs(angle) > _ORIENTATION and (2.0 * angle).is_integer(),
                    problems)
    turning = [joint for joint in joints if joint.kind in ('revolute', 'continuous')]
    _report_degrees([joint for joint in turning if joint.kind == 'revolute'], 'limits',
                    lambda joint: [*_numbers(joint, 'limit', 'lower'),
                                   *_numbers(joint, 'limit', 'upper')], _is_degrees, problems)
    _report_degrees(turning, 'the offset of <mimic>',
                    lambda joint: _numbers(joint, 'mimic', 'offset'), _is_degrees, problems)


def _check_lengths(root: Element, joints: list[JointElement], problems: ProblemList) -> None:
    lengths = [(math.hypot(*_numbers(joint, 'origin', 'xyz')), joint) for joint in joints]
    lengths = [(length, joint) for length, joint in lengths if length > 0.0]
    if not lengths or statistics.median(length for length, _ in lengths) < _LONG:
        return
    longest, joint = max(lengths, key=lambda pair: pair[0])
    scaled = next((mesh.line for mesh in root if mesh.name == 'mesh'
                   and mesh.attributes.get('scale', '').split() == ['0.001'] * 3), 0)
    but = f', while the mesh on line {scaled} is scaled by 0.001' if scaled else ''
    problems.warning(
        f'most joints lie more than {_LONG:g} m from the one before, joint '
        f'{listing([joint.name])} {longest:g} m{but}: this looks like millimetres; URDF wants '
        'metres: divide all lengths by 1000', joint.line('origin'))


def _report_degrees(
        joints: Iterable[JointElement], what: str, angles: Callable[[JointElement], list[float]],
        is_degrees: Callable[[float], bool], problems: ProblemList) -> None:
    found = [(joint, angle) for joint in joints for angle in angles(joint) if is_degrees(angle)]
    if found:
        joint, angle = found[0]
        names = list(dict.fromkeys(joint.name for joint, _ in found))
        part = {'rpy': 'origin', 'limits': 'limit'}.get(what, 'mimic')
        problems.warning(
            f'joint {listing(names)}: {what} with {angle:g} rad, which is '
            f'{abs(angle) / (2.0 * math.pi):.3g} turns: this looks like degrees; URDF wants '
            f'radians: {angle:g} degrees are {math.radians(angle):.6g}', joint.line(part))


def _is_degrees(angle: float) -> bool:
    """Tell whether an angle is some turns in radians, and a round number as degrees are."""
    return _TURNS < abs(angle) <= _NO_LIMIT and (2.0 * angle).is_integer()


def _numbers(joint: JointElement, part: str, attribute: str) -> list[float]:
    """Return the numbers of a part, none if they are absent or faulty."""
    text = joint.parts.get(part, {}).get(attribute, '')
    values = read_numbers(text, 3 if part == 'origin' else 1, LARGEST)
    return [] if isinstance(values, str) else values
