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

"""The child elements of one ``<joint>``: the attributes that are read, and their numbers."""

from __future__ import annotations

import math
import re

from .elements import Element
from .problem_list import ProblemList
from ..wording import quote

# What is read of a joint. Everything else in a description (meshes, materials, inertias,
# gazebo, ros2_control, transmissions) is none of this package's business.
_READ = {
    'parent': ('link',), 'child': ('link',), 'origin': ('xyz', 'rpy'), 'axis': ('xyz',),
    'limit': ('lower', 'upper', 'effort', 'velocity'),
    'mimic': ('joint', 'multiplier', 'offset')}

# urdfdom reads numbers with the C locale's stream, which knows neither nan, inf nor hex.
_NUMBER = re.compile(r'[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?')
# Squares of larger coordinates overflow. Limits may be larger: DBL_MAX stands for none.
_LARGEST = 1e100


def is_expanded(text: str) -> bool:
    """Tell whether xacro has nothing left to compute in a value."""
    return '${' not in text and '$(' not in text


class JointParts:
    """
    The parts of one joint by name, the first of each.

    :ivar where: the joint, as messages name it.
    :ivar clean: attributes by part, without those that were found faulty.
    """

    def __init__(self, joint: Element, where: str, problems: ProblemList) -> None:
        """Look for the parts, and report what is in vain: a second one, an unknown attribute."""
        self.where = where
        self.clean: dict[str, dict[str, str]] = {}
        self._problems = problems
        self._elements: dict[str, Element] = {}
        for part, known in _READ.items():
            found = joint.urdf_children(part)
            if not found:
                continue
            element = self._elements[part] = found[0]
            self.clean[part] = {name: text for name, text in element.attributes.items()
                                if name in known}
            for again in found[1:]:
                problems.warning(f'{where} has more than one <{part}>; the first counts (line '
                                 f'{element.line})', again.line)
            for name in element.attributes.keys() - self.clean[part].keys():
                self._report_unknown(part, name, known)

    def _report_unknown(self, part: str, name: str, known: tuple[str, ...]) -> None:
        if name == 'quat_xyzw':
            # Ignoring it would put the robot together wrongly.
            self._problems.error(
                f'{self.where}: <{part}> has a quaternion (quat_xyzw), which is not read here; '
                'write rpy', self.line(part))
        else:
            self._problems.warning(
                f'{self.where}: the unknown attribute {quote(name)} of <{part}> is ignored'
                f'{self._problems.near(name, known)}', self.line(part))

    def __contains__(self, part: str) -> bool:
        """Tell whether the joint has a part."""
        return part in self._elements

    def line(self, part: str) -> int:
        """Return the line of a part that the joint has."""
        return self._elements[part].line

    def has(self, part: str, attribute: str) -> bool:
        """Tell whether an attribute is written, faulty or not."""
        return part in self._elements and attribute in self._elements[part].attributes

    def vector(self, part: str, attribute: str) -> list[float] | None:
        """Read three numbers; None where they are absent or faulty, which is reported."""
        return self._numbers(part, attribute, 3, _LARGEST)

    def number(self, part: str, attribute: str, largest: float = _LARGEST) -> float | None:
        """Read one number; None where it is absent or faulty, which is reported."""
        values = self._numbers(part, attribute, 1, largest)
        return values[0] if values else None

    def _numbers(self, part: str, attribute: str, count: int,
                 largest: float) -> list[float] | None:
        text = self.clean.get(part, {}).get(attribute)
        if text is None:
            return None
        words = text.split()
        wrong = next((word for word in words if not _NUMBER.fullmatch(word)), None)
        values = [] if wrong else [float(word) for word in words]
        if wrong is not None or len(words) != count:
            expected = 'three numbers' if count == 3 else 'one number'
            fault = f'{expected} expected{_reason(text, wrong, len(words))}'
        elif not all(math.isfinite(value) for value in values):
            fault = f'a number of at most {largest:g} is expected, this is not finite'
        elif any(abs(value) > largest for value in values):
            fault = f'a number of at most {largest:g} is expected, this is too large'
        else:
            return values
        self._problems.error(
            f'{self.where}: <{part}> has {attribute} {quote(text)}; {fault}', self.line(part))
        del self.clean[part][attribute]
        return None


def _reason(text: str, wrong: str | None, found: int) -> str:
    """Say why a text is not the numbers that it should be."""
    if not is_expanded(text):
        return '; it looks like xacro: expand the file with xacro first'
    if wrong is None:
        return f', not {found}'
    if wrong.lower().lstrip('+-') in ('nan', 'inf', 'infinity'):
        return f', and {quote(wrong)} is not finite'
    hint = ' (separate with spaces, and write a decimal point)' if ',' in wrong else ''
    return f', and {quote(wrong)} is not a decimal number{hint}'
