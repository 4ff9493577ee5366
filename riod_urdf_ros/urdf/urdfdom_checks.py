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
What urdfdom refuses, or reads only in part, of what nothing here reads at all.

robot_state_publisher, RViz and MoveIt read the same text with urdfdom. Its rules are those of
the sources of urdfdom 3 to 5, tried with its check_urdf.
"""

from __future__ import annotations

import re
import sys

from .elements import Element
from .number_text import read_numbers
from .problem_list import ProblemList
from ..wording import quote

_READERS = 'urdfdom (robot_state_publisher, RViz)'
_REFUSES = f'{_READERS} refuses the whole description'
_DROPS = f'{_READERS} drops the rest of the link, its shapes too'
_COLOURLESS = f'{_READERS} reports an error and shows the shapes without colour'

# Numbers of what a part has: how many, and whether they have to be there.
_Numbers = dict[str, tuple[int, bool]]
_ORIGIN: _Numbers = {'xyz': (3, False), 'rpy': (3, False)}
_JOINT: dict[str, _Numbers] = {
    'origin': _ORIGIN, 'axis': {'xyz': (3, False)},
    'limit': dict.fromkeys(('lower', 'upper', 'effort', 'velocity'), (1, False)),
    'mimic': {'multiplier': (1, False), 'offset': (1, False)},
    'dynamics': {'damping': (1, False), 'friction': (1, False)},
    'safety_controller': {'soft_lower_limit': (1, False), 'soft_upper_limit': (1, False),
                          'k_position': (1, False), 'k_velocity': (1, True)},
    'calibration': {'rising': (1, False), 'falling': (1, False)}}
# The parts whose faults are errors of this package too.
_READ_HERE = ('origin', 'axis', 'limit', 'mimic')
_INERTIA: _Numbers = dict.fromkeys(('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz'), (1, True))
_SHAPES: dict[str, _Numbers] = {
    'box': {'size': (3, True)}, 'sphere': {'radius': (1, True)},
    'cylinder': {'radius': (1, True), 'length': (1, True)}, 'mesh': {'scale': (3, False)}}
_VERSION = re.compile(r'\s*[+-]?0*1\.\s*[+-]?0+')


def check_urdfdom(root: Element, problems: ProblemList) -> None:
    """Warn of what urdfdom will not read as it is written."""
    version = root.attributes.get('version', '1.0')
    if not _VERSION.fullmatch(version):
        problems.warning(f'<robot> has version {quote(version)}; leave it out, or write 1.0: '
                         f'{_REFUSES}, unless it is new', root.line)
    materials = _materials(root, problems)
    for link in root.urdf_children('link'):
        _check_link(link, materials, problems)
    for joint in root.urdf_children('joint'):
        _check_joint(joint, problems)


def _check_joint(joint: Element, problems: ProblemList) -> None:
    where = f'joint {quote(joint.attributes.get("name", ""))}'
    for name, numbers in _JOINT.items():
        if name == 'axis' and joint.attributes.get('type') in ('fixed', 'floating'):
            continue  # urdfdom does not read it either
        for part in joint.urdf_children(name)[:1]:
            fault = _spacing(part, numbers) if name in _READ_HERE else _fault(part, numbers)
            if not fault and name == 'dynamics' and not part.attributes.keys() & numbers.keys():
                fault = 'has neither damping nor friction; write one, or remove it'
            if fault:
                problems.warning(f'{where}: <{name}> {fault}: {_REFUSES}', part.line)
            elif name == 'axis' and 'xyz' not in part.attributes:
                problems.warning(f'{where}: <axis> has no xyz and is taken as 1 0 0; write it: '
                                 f'{_READERS} takes it as zero', part.line)


def _check_link(link: Element, materials: set[str], problems: ProblemList) -> None:
    """Check what a link has; urdfdom stops at the first fault."""
    where = f'link {quote(link.attributes.get("name", ""))}'
    for inertial in link.urdf_children('inertial')[:1]:
        fault, line = _inertial_fault(inertial)
        if fault:
            problems.warning(f'{where}: {fault}: {_DROPS}', line)
            return
    for kind in ('visual', 'collision'):
        for element in link.urdf_children(kind):
            fault, line = _shape_fault(element)
            if fault:
                problems.warning(f'{where}: {fault}: {_DROPS}', line)
                return
            for material in element.urdf_children('material')[:kind == 'visual']:
                _check_use(material, where, materials, problems)


def _inertial_fault(inertial: Element) -> tuple[str, int]:
    """Return what is wrong with an inertia, and on which line; '' if nothing is."""
    for name, numbers, example in (
            ('origin', _ORIGIN, ''), ('mass', {'value': (1, True)}, 'value="..."'),
            ('inertia', _INERTIA, 'ixx="..." ixy="0" ixz="0" iyy="..." iyz="0" izz="..."')):
        found = inertial.urdf_children(name)
        if not found and example:
            return f'<inertial> has no <{name}>; write <{name} {example}/>', inertial.line
        if found and (fault := _fault(found[0], numbers)):
            return f'<{name}> of <inertial> {fault}', found[0].line
    return '', 0


def _shape_fault(element: Element) -> tuple[str, int]:
    """Return what is wrong with a visual or a collision, and on which line."""
    for origin in element.urdf_children('origin')[:1]:
        if fault := _fault(origin, _ORIGIN):
            return f'<origin> of <{element.name}> {fault}', origin.line
    geometry = element.urdf_children('geometry')[:1]
    if not geometry:
        return (f'<{element.name}> has no <geometry>; write <geometry> with '
                f'{_one_of(_SHAPES)} in it', element.line)
    shapes = geometry[0].children
    if not shapes:
        return (f'<geometry> of <{element.name}> is empty; write {_one_of(_SHAPES)}',
                geometry[0].line)
    shape = shapes[0]
    if shape.written not in _SHAPES:
        return (f'<geometry> of <{element.name}> begins with <{shape.written}>; write '
                f'{_one_of(_SHAPES)}', shape.line)
    if shape.name == 'mesh' and 'filename' not in shape.attributes:
        return '<mesh> has no filename; write it', shape.line
    if fault := _fault(shape, _SHAPES[shape.name]):
        return f'<{shape.name}> {fault}', shape.line
    for material in element.urdf_children('material')[:element.name == 'visual']:
        if 'name' not in material.attributes:
            return '<material> of <visual> has no name; write it', material.line
    return '', 0


def _materials(root: Element, problems: ProblemList) -> set[str]:
    """Return the names of the robot's materials."""
    names: set[str] = set()
    for material in root.urdf_children('material'):
        name = material.attributes.get('name', '')
        if name in names:
            problems.warning(f'two materials are named {quote(name)}; give each a name of its '
                             f'own: {_REFUSES}', material.line)
        elif 'name' not in material.attributes:
            problems.warning(f'a material has no name; write it: {_COLOURLESS}', material.line)
        elif not _check_colour(material, f'material {quote(name)}', problems):
            problems.warning(
                f'material {quote(name)} has neither <color rgba="..."/> nor <texture '
                f'filename="..."/>; write one: {_COLOURLESS}', material.line)
        names.add(name)
    return names


def _check_colour(material: Element, where: str, problems: ProblemList) -> bool:
    """Tell whether a material has a colour or texture; report a colour that is none."""
    written = any('rgba' in colour.attributes for colour in material.urdf_children('color')[:1])
    for colour in material.urdf_children('color')[:written]:
        fault = _fault(colour, {'rgba': (4, True)})
        if not fault and not all(0.0 <= float(word) <= 1.0
                                 for word in colour.attributes['rgba'].split()):
            fault = (f'has rgba {quote(colour.attributes["rgba"])}; its numbers have to be from '
                     '0 to 1')
        if fault:
            problems.warning(f'{where}: <color> {fault}: {_COLOURLESS}', colour.line)
    return written or any('filename' in texture.attributes
                          for texture in material.urdf_children('texture')[:1])


def _check_use(material: Element, where: str, materials: set[str], problems: ProblemList) -> None:
    """Check the material of a shape, which is defined there or was before."""
    name = material.attributes['name']
    if _check_colour(material, where, problems):
        materials.add(name)
    elif name and name not in materials:
        problems.warning(
            f'{where}: the material {quote(name)} is not defined'
            f'{problems.near(name, materials)}; write <material name="..."><color rgba="..."/>'
            f'</material> in <robot>: {_COLOURLESS}', material.line)
        materials.add(name)  # told once


def _fault(element: Element, numbers: _Numbers) -> str:
    """Return what is wrong with the numbers of an element, '' if nothing is."""
    for name, (count, needed) in numbers.items():
        text = element.attributes.get(name)
        if text is None:
            if needed:
                return f'has no {name}; write it'
            continue
        values = read_numbers(text, count, sys.float_info.max)
        if isinstance(values, str):
            return f'has {name} {quote(text)}; {values}'
    return _spacing(element, numbers)


def _spacing(element: Element, numbers: _Numbers) -> str:
    """Return which numbers are separated or followed by what urdfdom stumbles over."""
    for name, (count, _) in numbers.items():
        if name in element.broken or count == 1 and element.attributes.get(name, '')[-1:] == ' ':
            return (f'has {name} {quote(element.attributes[name])} with line breaks, tabs or a '
                    'space at the end; separate numbers with spaces only')
    return ''


def _one_of(shapes: dict[str, _Numbers]) -> str:
    return ', '.join(f'<{name}>' for name in shapes)
