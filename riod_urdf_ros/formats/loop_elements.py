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


"""
Loops that dialects of URDF write as elements of their own.

``<constraint>`` of robot_model, ``<loop_joint>`` of Isaac Sim, ``<loop>`` and ``<coupling>`` of
URDF+. All else in the file stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable

from lxml import etree
import numpy as np

from .cut_joints import Cut, CutKind, write_cut
from .motors import choose_motors, mark_passive_but
from .urdf_document import UrdfDocument
from .xml_values import fault, XmlSource
from ..robot.model import LoopClosure, Robot
from ..robot.transforms import Array
from ..urdf.parser import parse
from ..wording import listing, quote

_KINDS: dict[str, CutKind] = {
    'fixed': 'fixed', 'revolute': 'revolute', 'continuous': 'continuous',
    'prismatic': 'prismatic', 'spherical': 'ball'}


def read_loop_elements(text: str | bytes) -> UrdfDocument:
    """
    Turn the loops of a dialect into closures.

    :raises DescriptionError: if the tree or a loop cannot be used.
    """
    source = XmlSource(text)
    robot = parse(text).robot
    document = UrdfDocument(source.root)
    for element in [*document.root]:
        if element.tag in _READERS:
            document.root.remove(element)
            _READERS[element.tag](document, source, robot, element)
    _motors(document)
    return document


def _motors(document: UrdfDocument) -> None:
    """Read which joints have motors: transmissions, or URDF+'s ``independent``."""
    independent = [joint for joint in document.joints() if joint.get('independent') is not None]
    driven = {joint.get('name', '') for joint in document.root.iterfind('transmission/joint')}
    moving = {joint.get('name', '') for joint in document.joints() if joint.find('mimic') is None
              and joint.get('type') in ('revolute', 'continuous', 'prismatic')}
    if independent:
        passive = {joint.get('name', '') for joint in independent
                   if joint.get('independent', '').lower() in ('false', '0')}
        for joint in independent:
            del joint.attrib['independent']
        mark_passive_but(document, moving - passive)
    elif driven & moving:
        mark_passive_but(document, driven & moving)
        document.chose(f'joints that a <transmission> names have motors: '
                       f'{listing(sorted(driven & moving), 20)}')
    else:
        choose_motors(document, 'a <transmission> names its joint')


def _constraint(document: UrdfDocument, source: XmlSource, robot: Robot,
                element: etree._Element) -> None:
    ends = [(_link(source, robot, element, element.find(end), end),
             source.origin(element.find(f'{end}_origin'))) for end in ('parent', 'child')]
    axis = element.find('parent_axis')
    write_cut(document, robot, Cut(
        *_name_and_kind(source, element), *ends[0], *ends[1], _axes(source, axis),
        line=source.line(element)))


def _loop_joint(document: UrdfDocument, source: XmlSource, robot: Robot,
                element: etree._Element) -> None:
    # Isaac Sim's own documentation writes <link1> twice.
    found = [child for child in element if child.tag in ('link1', 'link2')]
    if len(found) != 2:
        raise fault(f'{source.where(element)} needs <link1> and <link2>, and has {len(found)} of '
                    'them', source.line(element))
    ends = [(_link(source, robot, element, child, child.tag), source.origin(child))
            for child in found]
    name, kind = _name_and_kind(source, element)
    axis = element.find('axis')
    if axis is None and kind not in ('ball', 'fixed'):
        document.chose(f'<loop_joint> {quote(name)} has no <axis>: x is taken, as URDF does',
                       source.line(element))
    write_cut(document, robot, Cut(
        name, kind, *ends[0], *ends[1], _axes(source, axis), line=source.line(element)))


def _loop(document: UrdfDocument, source: XmlSource, robot: Robot,
          element: etree._Element) -> None:
    ends = []
    for end in ('predecessor', 'successor'):
        child = element.find(end)
        link = _link(source, robot, element, child, end)
        ends.append((link, source.origin(None if child is None else child.find('origin'))))
    write_cut(document, robot, Cut(
        *_name_and_kind(source, element), *ends[0], *ends[1],
        _axes(source, element.find('axis')), line=source.line(element)))


def _coupling(document: UrdfDocument, source: XmlSource, robot: Robot,
              element: etree._Element) -> None:
    """Turn ``ratio * q(predecessor) = q(successor)`` into a mimic of the dependent joint."""
    name, line = element.get('name', ''), source.line(element)
    links = [_link(source, robot, element, element.find(end), end)
             for end in ('predecessor', 'successor')]
    ratio = element.find('ratio')
    value = source.number(ratio.get('value') if ratio is not None else None, 'ratio', element)
    sides = [[joint for joint in side if joint.moving]
             for side in robot.loop(LoopClosure('', 'point', links[0], links[1]))]
    if len(sides[0]) != 1 or len(sides[1]) != 1 or value == 0.0:
        raise fault(
            f'<coupling> {quote(name)} ties {listing([j.name for j in sides[0]])} to '
            f'{listing([j.name for j in sides[1]])} with ratio {value:g}; only one joint on '
            'either side and a ratio other than 0 can be written, as <mimic>', line)
    leader, follower = sides[0][0].name, sides[1][0].name
    if _independent(document, follower) and not _independent(document, leader):
        leader, follower, value = follower, leader, 1.0 / value
    document.set_mimic(follower, leader, value, 0.0)
    document.named('joint', follower).attrib.pop('independent', None)
    document.chose(f'<coupling> {quote(name)} is written as <mimic>: {follower} follows {leader}',
                   line)


def _independent(document: UrdfDocument, joint: str) -> bool:
    return document.named('joint', joint).get('independent', 'true').lower() in ('true', '1')


def _name_and_kind(source: XmlSource, element: etree._Element) -> tuple[str, CutKind]:
    name, written = element.get('name', ''), element.get('type', '')
    if not name:
        raise fault(f'<{element.tag}> has no name; write <{element.tag} name="...">',
                    source.line(element))
    kind = _KINDS.get(written.lower().removesuffix('_constraint').removesuffix('_joint'))
    if kind is None:
        raise fault(f'{source.where(element)} has the type {quote(written)}; these can be '
                    f'converted: {", ".join(_KINDS)}', source.line(element))
    return name, kind


def _axes(source: XmlSource, element: etree._Element | None) -> Array:
    if element is None:
        return np.array([[1.0, 0.0, 0.0]])
    return source.axis(element.get('xyz'), 'xyz', element)[None]


def _link(source: XmlSource, robot: Robot, element: etree._Element,
          end: etree._Element | None, tag: str) -> str:
    name = '' if end is None else end.get('link', '')
    if name not in robot.links:
        what = f'names the unknown link {quote(name)}' if name else 'names no link'
        raise fault(f'<{tag}> of {source.where(element)} {what}; write <{tag} link="..."/> with '
                    'one of the file', source.line(element))
    return name


_READERS: dict[str, Callable[[UrdfDocument, XmlSource, Robot, etree._Element], None]] = {
    'constraint': _constraint, 'loop_joint': _loop_joint, 'loop': _loop, 'coupling': _coupling}
LOOP_ELEMENTS = tuple(_READERS)
