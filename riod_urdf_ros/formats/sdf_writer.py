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
From URDF to SDF, with the loops as joints.

Links have the frames of URDF's, so positions of joints are the same. An empty link on a fixed
joint becomes a frame; a point is a ball joint, a rigid closure a fixed one. A passive joint has
an effort limit of 0, by which Drake knows that no motor is there, and nothing drives it in Gazebo.
"""

from __future__ import annotations

from lxml import etree
import numpy as np

from .number_text import number, rpy_of, vector
from .urdf_document import UrdfDocument
from .urdf_links import inertia_of, is_empty, Shape, shapes_of
from ..robot.model import Joint, LoopClosure
from ..robot.transforms import Array
from ..wording import listing, quote

_VERSION = '1.11'  # the first with <mimic>
_LEAST_MASS, _LEAST_INERTIA = 1e-6, 1e-9
_WORLD = 'world'
_TYPES = {'revolute': 'revolute', 'continuous': 'continuous', 'prismatic': 'prismatic',
          'fixed': 'fixed'}


def write_sdf(document: UrdfDocument) -> str:
    """
    Write an SDF.

    :raises DescriptionError: if the document is no URDF that can be used.
    """
    return SdfWriter(document).write()


class SdfWriter:
    """One conversion."""

    def __init__(self, document: UrdfDocument) -> None:
        """Read the robot, so that all that follows can rely on it."""
        self._document = document
        robot = self._robot = document.robot()
        self._root = etree.Element('sdf', version=_VERSION)
        self._model = etree.SubElement(self._root, 'model', name=robot.name)
        parents = {joint.parent for joint in robot.joints}
        self._frames = {
            joint.child for joint in robot.joints if joint.kind == 'fixed'
            and joint.child not in parents and is_empty(document, joint.child)}
        self._massless: list[str] = []
        # Links, frames and joints share their names in SDF. Joints keep theirs: positions and
        # commands are by joint.
        self._taken: set[str] = set()
        self._joints = {joint.name: self._free(joint.name, 'joint') for joint in robot.joints
                        if joint.child not in self._frames}
        self._links = {link: self._free(link, 'link') for link in robot.links
                       if link != _WORLD or robot.root != _WORLD}
        self._links.setdefault(_WORLD, _WORLD)

    def write(self) -> str:
        """Return the text."""
        robot = self._robot
        for link in robot.links:
            if link in self._frames:
                self._add_frame(robot.by_child[link])
            elif link != robot.root or link != _WORLD:
                self._add_link(link)
            elif not is_empty(self._document, link):
                self._document.lost('the shapes of the world: SDF has them in models')
        for joint in robot.joints:
            if joint.name in self._joints:
                self._add_joint(joint)
        for closure in robot.closures:
            self._add_closure(closure)
        self._remark_links()
        etree.indent(self._root, '  ')
        text: str = etree.tostring(self._root, encoding='unicode')
        return f'<?xml version="1.0"?>\n{text}\n'

    def _remark_links(self) -> None:
        if self._robot.root != _WORLD:
            self._document.chose(f'the root {quote(self._robot.root)} moves freely in the world; '
                                 'write a fixed joint from the world to it if it stands')
        if self._massless:
            self._document.chose(
                f'links without inertia get {_LEAST_MASS:g} kg, since SDF would give them 1 kg: '
                f'{listing(self._massless)}')

    def _free(self, name: str, what: str) -> str:
        """Return a name that is not taken, and take it."""
        free, count = name, 1
        while free in self._taken or free == _WORLD or free.startswith('__') or '::' in free:
            free = f'{name.strip("_").replace("::", "_")}_{what}' + (
                str(count) if count > 1 else '')
            count += 1
        self._taken.add(free)
        if free != name:
            self._document.chose(f'{what} {quote(name)} is named {quote(free)}: its name is '
                                 'taken, or not one in SDF')
        return free

    def _add_frame(self, joint: Joint) -> None:
        frame = etree.SubElement(self._model, 'frame', name=self._links[joint.child],
                                 attached_to=self._links[joint.parent])
        _pose(frame, joint.T_parent_joint)

    def _add_link(self, name: str) -> None:
        link = etree.SubElement(self._model, 'link', name=self._links[name])
        joint = self._robot.by_child.get(name)
        if joint is not None and joint.kind == 'floating' and joint.parent == _WORLD:
            _pose(link, joint.T_parent_joint)
        elif joint is not None:
            etree.SubElement(link, 'pose', relative_to=self._joints[joint.name]).text = \
                '0 0 0 0 0 0'
        self._add_inertial(link, name)
        for number_, shape in enumerate(shapes_of(self._document, name)):
            self._add_shape(link, shape, number_)

    def _add_inertial(self, link: etree._Element, name: str) -> None:
        found = inertia_of(self._document, name)
        if found is None:
            self._massless.append(name)
            found = _LEAST_MASS, np.zeros(3), _LEAST_INERTIA * np.eye(3)
        mass, centre, tensor = found
        inertial = etree.SubElement(link, 'inertial')
        etree.SubElement(inertial, 'pose').text = f'{vector(centre)} 0 0 0'
        etree.SubElement(inertial, 'mass').text = number(mass)
        inertia = etree.SubElement(inertial, 'inertia')
        for i, j, key in ((0, 0, 'ixx'), (0, 1, 'ixy'), (0, 2, 'ixz'), (1, 1, 'iyy'),
                          (1, 2, 'iyz'), (2, 2, 'izz')):
            etree.SubElement(inertia, key).text = number(tensor[i, j])

    def _add_shape(self, link: etree._Element, shape: Shape, count: int) -> None:
        tag = 'collision' if shape.collides else 'visual'
        element = etree.SubElement(link, tag, name=f'{tag}_{count + 1}')
        _pose(element, shape.T_link_shape)
        geometry = etree.SubElement(etree.SubElement(element, 'geometry'), shape.kind)
        if shape.kind == 'box':
            etree.SubElement(geometry, 'size').text = vector(shape.size)
        elif shape.kind == 'mesh':
            etree.SubElement(geometry, 'uri').text = shape.element.get('filename', '')
            etree.SubElement(geometry, 'scale').text = vector(shape.size)
        else:
            etree.SubElement(geometry, 'radius').text = number(shape.size[0])
            if shape.kind != 'sphere':
                etree.SubElement(geometry, 'length').text = number(shape.size[1])
        if shape.rgba is not None and not shape.collides:
            material = etree.SubElement(element, 'material')
            for light in ('ambient', 'diffuse'):
                etree.SubElement(material, light).text = vector(shape.rgba)

    def _add_joint(self, joint: Joint) -> None:
        kind = _TYPES.get(joint.kind, 'fixed')
        if joint.kind == 'planar' or joint.kind == 'floating' and joint.parent != _WORLD:
            self._document.lost(f'{joint.kind} joint {quote(joint.name)}: its link is fixed',
                                joint.line)
        if joint.kind == 'floating' and joint.parent == _WORLD:
            # Without a joint, a link is free.
            return
        element = etree.SubElement(self._model, 'joint', name=self._joints[joint.name], type=kind)
        _pose(element, joint.T_parent_joint, relative_to=self._links[joint.parent])
        etree.SubElement(element, 'parent').text = self._links[joint.parent]
        etree.SubElement(element, 'child').text = self._links[joint.child]
        if not joint.moving:
            return
        axis = etree.SubElement(element, 'axis')
        etree.SubElement(axis, 'xyz').text = vector(joint.axis)
        self._add_limits(axis, joint)
        if joint.mimic is not None:
            source, multiplier, offset = self._robot.source(joint)
            mimic = etree.SubElement(axis, 'mimic', joint=self._joints[source.name], axis='axis')
            for key, value in (('multiplier', multiplier), ('offset', offset), ('reference', 0)):
                etree.SubElement(mimic, key).text = number(value)

    def _add_limits(self, axis: etree._Element, joint: Joint) -> None:
        written = self._document.named('joint', joint.name)
        limit, dynamics = written.find('limit'), written.find('dynamics')
        values = {}
        lower, upper = joint.limits
        if np.isfinite([lower, upper]).all():
            values = {'lower': number(lower), 'upper': number(upper)}
        for key in ('effort', 'velocity'):
            if limit is not None and float(limit.get(key, 0)) > 0.0:
                values[key] = number(float(limit.get(key)))
        if joint.role == 'passive':
            values['effort'] = '0'
        if values:
            element = etree.SubElement(axis, 'limit')
            for key, text in values.items():
                etree.SubElement(element, key).text = text
        values = {key: dynamics.get(key) for key in ('damping', 'friction')
                  if dynamics is not None and dynamics.get(key)}
        if values:
            element = etree.SubElement(axis, 'dynamics')
            for key, text in values.items():
                etree.SubElement(element, key).text = text

    def _add_closure(self, closure: LoopClosure) -> None:
        kind = 'ball' if closure.kind == 'point' else 'fixed'
        name = self._free(closure.name, 'joint')
        element = etree.SubElement(self._model, 'joint', name=name, type=kind)
        _pose(element, np.eye(4), relative_to=self._links[closure.frame_b])
        etree.SubElement(element, 'parent').text = self._links[closure.frame_a]
        etree.SubElement(element, 'child').text = self._links[closure.frame_b]


def _pose(element: etree._Element, T: Array, **attributes: str) -> None:
    etree.SubElement(element, 'pose', attributes).text = \
        f'{vector(T[:3, 3])} {vector(rpy_of(T[:3, :3]))}'
