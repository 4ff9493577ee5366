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


"""Links of SDF: inertia, visuals and collisions as elements of URDF."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree
import numpy as np

from .number_text import number, translation, vector
from .sdf_frames import child_text, Scoped, SdfFrames
from .urdf_document import origin, UrdfDocument
from .xml_values import XmlSource
from ..robot.transforms import Array, inverse
from ..wording import quote

_MODEL_URI = 'model://'


class SdfLinks:
    """Writes the parts of links."""

    def __init__(self, source: XmlSource, frames: SdfFrames, document: UrdfDocument) -> None:
        """Begin."""
        self._source, self._frames, self._document = source, frames, document
        self._renamed = False

    def parts(self, link: Scoped, T_world_link: Array) -> list[etree._Element]:
        """
        Return inertial, visuals and collisions.

        :param T_world_link: pose of URDF's link, which need not be that of SDF's, shape (4, 4).
        """
        T_link_body = inverse(T_world_link) @ self._frames.pose(link.name, link.element)
        parts = []
        inertial = link.element.find('inertial')
        if inertial is not None:
            parts.append(self._inertial(inertial, T_link_body))
        for tag in ('visual', 'collision'):
            for element in link.element.iterfind(tag):
                T = T_link_body @ self._pose(element, link)
                parts += self._shapes(element, T)
        for tag in ('sensor', 'light', 'particle_emitter', 'audio_source', 'projector'):
            for element in link.element.iterfind(tag):
                self._document.lost(f'{self._source.where(element)} of link {quote(link.name)}: '
                                    'there is none', self._source.line(element))
        return parts

    def _pose(self, element: etree._Element, link: Scoped) -> Array:
        """Return the pose of a part in its SDF link."""
        T, pose = self._frames.pose_in(element), element.find('pose')
        relative = None if pose is None else pose.get('relative_to')
        if not relative:
            return T
        T_world_frame = self._frames.pose(self._frames.full(relative, link.scope), element)
        return inverse(self._frames.pose(link.name, element)) @ T_world_frame @ T

    def _inertial(self, element: etree._Element, T_link_body: Array) -> etree._Element:
        written = etree.Element('inertial')
        written.append(origin(T_link_body @ self._frames.pose_in(element)))
        mass = self._source.number(child_text(element, 'mass') or '1', 'the mass', element)
        etree.SubElement(written, 'mass', value=number(mass))
        inertia, values = element.find('inertia'), {}
        for name in ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz'):
            text = None if inertia is None else child_text(inertia, name)
            default = '1' if name[1] == name[2] else '0'
            values[name] = number(self._source.number(text or default, name, element))
        etree.SubElement(written, 'inertia', values)
        return written

    def _shapes(self, element: etree._Element, T: Array) -> Iterator[etree._Element]:
        for moved, shape in self._geometry(element):
            written = etree.Element(element.tag, name=element.get('name', element.tag))
            written.append(origin(T @ moved))
            etree.SubElement(written, 'geometry').append(shape)
            diffuse = element.findtext('material/diffuse')
            if diffuse is not None and element.tag == 'visual':
                words = diffuse.split()
                rgba = self._source.numbers(' '.join(words + ['1'] * (len(words) == 3)), 4,
                                            'diffuse', element)
                material = etree.SubElement(written, 'material', name=f'rgba {vector(rgba)}')
                etree.SubElement(material, 'color', rgba=vector(rgba))
            yield written

    def _geometry(self, element: etree._Element) -> Iterator[tuple[Array, etree._Element]]:
        geometry = element.find('geometry')
        for shape in () if geometry is None else geometry.iterchildren('*'):
            if shape.tag == 'box':
                size = self._source.numbers(child_text(shape, 'size'), 3, 'the size', element)
                yield np.eye(4), etree.Element('box', size=vector(size))
            elif shape.tag in ('sphere', 'cylinder', 'capsule'):
                yield from self._round(shape, element)
            elif shape.tag == 'mesh' and shape.find('submesh') is None:
                scale = self._source.numbers(child_text(shape, 'scale') or '1 1 1', 3,
                                             'the scale', element)
                yield np.eye(4), etree.Element(
                    'mesh', filename=self._file(child_text(shape, 'uri') or '', element),
                    scale=vector(scale))
            elif shape.tag != 'empty':
                self._document.lost(
                    f'{self._source.where(element)} has the shape {shape.tag}, which URDF has not '
                    'got: it is left out', self._source.line(shape))

    def _round(self, shape: etree._Element, element: etree._Element,
               ) -> Iterator[tuple[Array, etree._Element]]:
        radius = self._source.number(child_text(shape, 'radius'), 'the radius', element)
        ball = {'radius': number(radius)}
        if shape.tag == 'sphere':
            yield np.eye(4), etree.Element('sphere', ball)
            return
        length = self._source.number(child_text(shape, 'length'), 'the length', element)
        yield np.eye(4), etree.Element('cylinder', {**ball, 'length': number(length)})
        if shape.tag == 'capsule':
            for end in (-length / 2.0, length / 2.0):
                yield translation([0.0, 0.0, end]), etree.Element('sphere', ball)

    def _file(self, uri: str, element: etree._Element) -> str:
        """Return a mesh's name; a model of Gazebo's is a package in ROS."""
        if not uri.startswith(_MODEL_URI):
            return uri
        if not self._renamed:
            self._renamed = True
            self._document.chose('meshes of model://NAME are named package://NAME: let a package '
                                 'have that name', self._source.line(element))
        return f'package://{uri.removeprefix(_MODEL_URI)}'
