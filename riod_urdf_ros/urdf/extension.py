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

"""The two elements of the RioD extensions, as the file has them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import get_args

from .elements import Element, EXTENSION_ELEMENTS, known_as, PREFIX
from .joint_elements import check_name
from .problem_list import ProblemList
from ..robot.model import ClosureKind, LoopClosure
from ..wording import quote

# Each is followed to the root, so work grows with closures times depth.
MAX_CLOSURES = 1000

_ATTRIBUTES = {'actuated': ('value',), 'loop_closure': ('name', 'type', 'frameA', 'frameB')}
_KINDS: tuple[ClosureKind, ...] = get_args(ClosureKind)


@dataclass(frozen=True)
class Extension:
    """
    What the extension's elements say.

    :param passive: the ``<joint>`` elements that no motor drives, with the line that says so.
    :param closures: those whose two links exist, every one with a name of its own.
    """

    passive: dict[Element, int]
    closures: tuple[LoopClosure, ...]


def read_extension(root: Element, problems: ProblemList) -> Extension:
    """Read and check all elements and attributes of the extension, wherever they are."""
    links = {link.attributes['name']: link for link in root.urdf_children('link')
             if 'name' in link.attributes}
    joints = {joint.attributes.get('name', '') for joint in root.urdf_children('joint')}
    marks: dict[Element, list[Element]] = {}
    closures: list[Element] = []
    for element in root:
        for name in element.riod_attributes:
            if element.vocabulary == 'riod' and name in _ATTRIBUTES.get(element.name, ()):
                hint = f'; write {name}="..." without the prefix'
            else:
                hint = '; the extension has elements only: remove it'
            problems.warning(
                f'<{element.written}>{_called(element)}: the unknown attribute '
                f'{quote(f"{PREFIX}:{name}")} is ignored{hint}',
                element.line)
        if element.vocabulary != 'riod':
            continue
        if element.name not in EXTENSION_ELEMENTS:
            _report_unknown(element, problems)
            continue
        _check_attributes(element, problems)
        parent = element.parent
        if element.name == 'actuated':
            if (parent and parent.parent is root and parent.name == 'joint'
                    and parent.vocabulary == 'urdf'):
                marks.setdefault(parent, []).append(element)
            else:
                problems.error(
                    f'{_place(parent)} there is <{element.written}>; it belongs directly inside '
                    'the <joint> that it describes, a child of <robot>', element.line)
        elif parent is root:
            closures.append(element)
        else:
            problems.error(
                f'{_place(parent)} there is <{element.written}>{_called(element)}; it belongs '
                'directly inside <robot>, beside the links and joints', element.line)
    passive = {joint: elements[0].line for joint, elements in marks.items()
               if _is_passive(joint, elements, problems)}
    return Extension(passive, _closures(closures, links, joints, problems))


def _place(parent: Element | None) -> str:
    assert parent is not None, 'the root is <robot>'
    place = f'inside <{parent.written}>{_called(parent)}'
    above = parent.parent
    # A <joint> may stand in a <transmission>, which does not make it a joint of the robot.
    return f'{place} of <{above.written}>' if above and above.parent else place


def _called(element: Element) -> str:
    name = element.attributes.get('name')
    return f' {quote(name)}' if name else ''


def _report_unknown(element: Element, problems: ProblemList) -> None:
    """Report an element that the extension has not got."""
    known = known_as(element.name)
    if known:
        problems.error(
            f'unknown element <{element.written}>; it has to be written <{PREFIX}:{known}>',
            element.line)
    else:
        problems.warning(
            f'unknown element <{element.written}> is ignored'
            f'{problems.near(element.name, EXTENSION_ELEMENTS)}', element.line)


def _check_attributes(element: Element, problems: ProblemList) -> None:
    """Report attributes that the element has not got."""
    known = _ATTRIBUTES[element.name]
    for name in element.attributes:
        if name not in known:
            problems.warning(
                f'<{element.written}>{_called(element)}: the unknown attribute {quote(name)} is '
                'ignored'
                f'{problems.near(name, known)}', element.line)


def _is_passive(joint: Element, marks: list[Element], problems: ProblemList) -> bool:
    """Tell what the riod:actuated of one joint says."""
    where = f'joint{_called(joint)}'
    kind = joint.attributes.get('type', '')
    mark = marks[0]
    for again in marks[1:]:
        problems.error(
            f'{where} has <{mark.written}> {len(marks)} times (first on line {mark.line}); '
            'keep one', again.line)
    # A type that URDF has not got is reported with the joint.
    if kind in ('fixed', 'floating', 'planar'):
        problems.error(
            f'{where} is {kind}: <{mark.written}> belongs in a moving joint '
            '(revolute, continuous, prismatic); remove it', mark.line)
    for element in marks:
        value = element.attributes.get('value')
        if value is None:
            problems.error(
                f'{where}: <{element.written}> has no value; write value="false" if no motor '
                'drives the joint', element.line)
        elif value not in ('true', 'false'):
            problems.error(
                f'{where}: <{element.written}> has value {quote(value)}; it has to be exactly '
                'true or false (false if no motor drives the joint)', element.line)
    return any(mark.attributes.get('value') == 'false' for mark in marks)


def _closures(elements: list[Element], links: dict[str, Element], joints: set[str],
              problems: ProblemList) -> tuple[LoopClosure, ...]:
    """Check the closures and give those that tie two links of the robot."""
    if len(elements) > MAX_CLOSURES:
        problems.error(f'<robot> has {len(elements)} loop closures; more than {MAX_CLOSURES} are '
                       'not read', elements[MAX_CLOSURES].line)
        elements = elements[:MAX_CLOSURES]
    found: list[LoopClosure] = []
    named: dict[str, Element] = {}
    unnamed: list[int] = []
    pairs: dict[frozenset[str], Element] = {}
    for element in elements:
        what = f'<{element.written}>{_called(element)}'
        name = element.attributes.get('name', '')
        check_name(name, 'loop closure', element.line, problems)
        if name and name in named:
            problems.error(
                f'two loop closures are named {quote(name)} (the other on line '
                f'{named[name].line}); give each a name of its own', element.line)
        elif name:
            named[name] = element
        kind = _kind(element, what, problems)
        frames = _frames(element, what, links, joints, problems)
        if frames is None:
            continue
        other = pairs.setdefault(frozenset(frames), element)
        if other is not element:
            problems.warning(
                f'{what} ties the same two frames {quote(frames[0])} and {quote(frames[1])} as '
                f'the closure on line {other.line}: one of them is redundant', element.line)
        if not name:
            unnamed.append(len(found))
        found.append(LoopClosure(name, kind, *frames, element.line))
    numbers: dict[str, int] = {}
    for index in unnamed:
        base = name = f'{found[index].frame_a}-{found[index].frame_b}'
        while name in named:
            numbers[base] = numbers.get(base, 1) + 1
            name = f'{base}-{numbers[base]}'
        named[name] = elements[index]
        found[index] = replace(found[index], name=name)
    return tuple(found)


def _kind(element: Element, what: str, problems: ProblemList) -> ClosureKind:
    """Return the closure's type; absent means point."""
    written = element.attributes.get('type', 'point')
    for kind in _KINDS:
        if kind == written:
            return kind
    problems.error(
        f'{what} has type {quote(written)}; it has to be point (3 constraints, a ball joint) or '
        'rigid (6 constraints)', element.line)
    return 'point'


def _frames(element: Element, what: str, links: dict[str, Element], joints: set[str],
            problems: ProblemList) -> tuple[str, str] | None:
    """Return the two links, if there are two."""
    frames: list[str] = []
    for attribute in ('frameA', 'frameB'):
        frame = element.attributes.get(attribute)
        if frame is None:
            problems.error(f'{what} has no {attribute}; write {attribute}="name of a link"',
                           element.line)
        elif frame not in links:
            problems.error(
                f'{what}: {attribute} names the unknown link {quote(frame)}'
                + ('; that is a joint: name its child link' if frame in joints
                   else problems.near(frame, links)), element.line)
        else:
            frames.append(frame)
    if len(frames) != 2:
        return None
    if frames[0] == frames[1]:
        problems.error(
            f'{what} ties the link {quote(frames[0])} to itself; frameA and frameB have to be '
            'two different links', element.line)
        return None
    return frames[0], frames[1]
