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

"""The ``<link>`` and ``<joint>`` elements, each by itself: complete, and only finite numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
import math
from typing import get_args

from .elements import Element
from .joint_parts import JointParts
from .number_text import is_expanded
from .problem_list import ProblemList
from ..robot.model import JointKind
from ..wording import on_one_line, quote

_KINDS: tuple[JointKind, ...] = get_args(JointKind)

# Rounded numbers in files give 1e-4 (0.707 0.707 0); a longer or shorter axis was not meant.
_ZERO_AXIS = 1e-9
_UNIT_AXIS = 1e-3


@dataclass(frozen=True)
class JointElement:
    """
    What is read of one joint.

    :param parts: attributes of its child elements, without those that are faulty.
    """

    name: str
    kind: JointKind
    parent: str
    child: str
    parts: dict[str, dict[str, str]]
    element: Element

    @property
    def limited(self) -> bool:
        """Whether URDF gives it position limits."""
        return self.kind in ('revolute', 'prismatic')

    @property
    def moving(self) -> bool:
        """Whether it has one position."""
        return self.limited or self.kind == 'continuous'

    def line(self, part: str) -> int:
        """Return the line of a child element."""
        return self.element.urdf_children(part)[0].line


def read_links(root: Element, problems: ProblemList) -> dict[str, Element]:
    """Return the links by name, in document order."""
    return _named(root.urdf_children('link'), problems)


def read_joints(root: Element, problems: ProblemList) -> dict[str, JointElement]:
    """Return the joints by name, in document order, without those that cannot be placed."""
    joints: dict[str, JointElement] = {}
    elements = _named(root.urdf_children('joint'), problems)
    for element in root.urdf_children('joint'):
        name = element.attributes.get('name', '')
        joint = _read_joint(element, name, problems)
        if joint and elements.get(name) is element:
            joints[name] = joint
    return joints


def _named(elements: Iterable[Element], problems: ProblemList) -> dict[str, Element]:
    """Return elements by name, the first of each, and report what has none or one taken."""
    named: dict[str, Element] = {}
    for element in elements:
        name = element.attributes.get('name', '')
        if not name:
            problems.error(f'<{element.written}> has no name', element.line)
        elif name in named:
            problems.error(
                f'two {element.name}s are named {quote(name)} (the other on line '
                f'{named[name].line}); give each a name of its own', element.line)
        else:
            check_name(name, element.name, element.line, problems)
            named[name] = element
    return named


def check_name(name: str, what: str, line: int, problems: ProblemList) -> None:
    """
    Report a name that is still to be computed, or that no log could show.

    :param what: bears the name.
    """
    _check_expanded(name, f'the name of a {what}', line, problems)
    if not on_one_line(name):
        problems.error(
            f'the name of a {what} is {quote(name)}, with a line break or control character in '
            'it; write printable characters only', line)


def _check_expanded(text: str, what: str, line: int, problems: ProblemList) -> None:
    """Report a name that is xacro's still to compute."""
    if not is_expanded(text):
        problems.error(
            f'{what} is {quote(text)}; this looks like xacro: expand the file with xacro first',
            line)


def _read_joint(element: Element, name: str, problems: ProblemList) -> JointElement | None:
    where = f'joint {quote(name)}' if name else 'a joint without name'
    parts = JointParts(element, where, problems)
    kind = _kind(element, where, problems)
    parent, child = (_end(element, end, parts, problems) for end in ('parent', 'child'))
    parts.vector('origin', 'xyz')
    parts.vector('origin', 'rpy')
    _check_axis(kind, parts, problems)
    _check_limit(element, kind, parts, problems)
    parts.number('mimic', 'multiplier')
    parts.number('mimic', 'offset')
    if kind is None or not parent or not child:
        return None
    return JointElement(name, kind, parent, child, parts.clean, element)


def _end(element: Element, end: str, parts: JointParts, problems: ProblemList) -> str:
    """Return the parent or child link, empty if it is not there."""
    link = parts.clean.get(end, {}).get('link', '')
    line = parts.line(end) if end in parts else element.line
    if not link:
        problems.error(f'{parts.where} has no {end} link; write <{end} link="..."/>', line)
    _check_expanded(link, f'the {end} of {parts.where}', line, problems)
    return link


def _kind(element: Element, where: str, problems: ProblemList) -> JointKind | None:
    written = element.attributes.get('type')
    if written in _KINDS:
        return written
    if written is None:
        problems.error(f'{where} has no type; write type="revolute" or another of '
                       f'{", ".join(_KINDS)}', element.line)
    else:
        problems.error(f'{where} has the unknown type {quote(written)}'
                       f'{problems.near(written, _KINDS)}', element.line)
    return None


def _check_axis(kind: JointKind | None, parts: JointParts, problems: ProblemList) -> None:
    """Check the axis; without one it is x."""
    if kind in ('fixed', 'floating'):
        # Exporters write all sorts of axes there, and nobody reads them.
        parts.clean.pop('axis', None)
        return
    axis = parts.vector('axis', 'xyz')
    if axis is None:
        parts.clean.pop('axis', None)
        return
    length = math.hypot(*axis)
    written = quote(parts.clean['axis']['xyz'])
    if length < _ZERO_AXIS:
        problems.error(f'{parts.where}: <axis> is zero ({written}); it needs a direction, such '
                       'as 0 0 1', parts.line('axis'))
        del parts.clean['axis']
    elif abs(length - 1.0) > _UNIT_AXIS:
        problems.warning(f'{parts.where}: <axis> is {written}, not a unit vector (length '
                         f'{length:g}); its direction is used, normalised to length 1',
                         parts.line('axis'))


def _check_limit(element: Element, kind: JointKind | None, parts: JointParts,
                 problems: ProblemList) -> None:
    """Check the limits; revolute and prismatic joints have to have them."""
    limited = kind in ('revolute', 'prismatic')
    if 'limit' not in parts:
        if limited:
            problems.error(
                f'{parts.where} is {kind} and has no <limit>; write <limit lower="..." '
                'upper="..." effort="..." velocity="..."/>'
                + (' or make it continuous' if kind == 'revolute' else ''), element.line)
        return
    values = {name: parts.number('limit', name, math.inf)
              for name in ('lower', 'upper', 'effort', 'velocity')}
    absent = [name for name in values if not parts.has('limit', name)]
    for name in ('effort', 'velocity'):
        if name in absent:
            problems.warning(f'{parts.where}: <limit> has no {name}; write it: '
                             'robot_state_publisher refuses such a file', parts.line('limit'))
    if not limited:
        parts.clean.pop('limit')
    elif absent[:2] == ['lower', 'upper']:
        problems.warning(f'{parts.where}: <limit> has neither lower nor upper, which means 0 to '
                         '0; write them: limits clamp nothing here, but elsewhere',
                         parts.line('limit'))
    else:
        _check_order(values, absent, parts, problems)


def _check_order(values: dict[str, float | None], absent: list[str], parts: JointParts,
                 problems: ProblemList) -> None:
    """Check that the lower limit is not above the upper one."""
    lower, upper = (0.0 if end in absent else values[end] for end in ('lower', 'upper'))
    if lower is not None and upper is not None and lower > upper:
        problems.error(f'{parts.where}: <limit> has lower {lower:g} above upper {upper:g}; '
                       'exchange them, or correct a sign',
                       parts.line('limit'))
