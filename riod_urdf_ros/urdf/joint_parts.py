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

from .elements import Element
from .number_text import LARGEST, read_numbers
from .problem_list import ProblemList
from ..wording import quote

# What is read of a joint. Everything else in a description (meshes, materials, inertias,
# gazebo, ros2_control, transmissions) is none of this package's business.
_READ = {
    'parent': ('link',), 'child': ('link',), 'origin': ('xyz', 'rpy'), 'axis': ('xyz',),
    'limit': ('lower', 'upper', 'effort', 'velocity'),
    'mimic': ('joint', 'multiplier', 'offset')}


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
            for name in element.attributes:
                if name not in known:
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
        return self._numbers(part, attribute, 3, LARGEST)

    def number(self, part: str, attribute: str, largest: float = LARGEST) -> float | None:
        """Read one number; None where it is absent or faulty, which is reported."""
        values = self._numbers(part, attribute, 1, largest)
        return values[0] if values else None

    def _numbers(self, part: str, attribute: str, count: int,
                 largest: float) -> list[float] | None:
        text = self.clean.get(part, {}).get(attribute)
        if text is None:
            return None
        values = read_numbers(text, count, largest)
        if not isinstance(values, str):
            return values
        self._problems.error(
            f'{self.where}: <{part}> has {attribute} {quote(text)}; {values}', self.line(part))
        del self.clean[part][attribute]
        return None
