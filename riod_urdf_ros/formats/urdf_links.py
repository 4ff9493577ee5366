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


"""What URDF's links are made of, as numbers: inertia and shapes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lxml import etree
import numpy as np

from .urdf_document import UrdfDocument
from .xml_values import fault
from ..robot.transforms import Array, rotation_from_rpy, transform
from ..wording import quote

ShapeKind = Literal['box', 'sphere', 'cylinder', 'capsule', 'mesh']


@dataclass(frozen=True, eq=False)
class Shape:
    """
    One visual or collision.

    :param size: box: lengths; sphere: radius; cylinder and capsule: radius and length; mesh:
        scale; shape (3,), m.
    :param element: the one inside ``<geometry>``.
    """

    kind: ShapeKind
    T_link_shape: Array
    size: Array
    collides: bool
    rgba: Array | None
    element: etree._Element


def numbers(text: str | None, count: int, where: str) -> Array:
    """
    Read numbers of a document.

    :raises DescriptionError: if they are not so many finite numbers.
    """
    try:
        values = np.array((text or '').split(), dtype=float)
    except ValueError:
        values = np.zeros(0)
    if values.shape != (count,) or not np.isfinite(values).all():
        raise fault(f'{where} is {quote(text or "")}; it has to be {count} finite number'
                    f'{"s" if count > 1 else ""}')
    return values


def pose_of(element: etree._Element) -> Array:
    """Return the ``<origin>`` in an element, shape (4, 4), m."""
    origin = element.find('origin')
    if origin is None:
        return np.eye(4)
    return transform(
        rotation_from_rpy(numbers(origin.get('rpy', '0 0 0'), 3, 'rpy of an <origin>')),
        numbers(origin.get('xyz', '0 0 0'), 3, 'xyz of an <origin>'))


def is_empty(document: UrdfDocument, link: str) -> bool:
    """Tell whether a link is a frame only."""
    element = document.named('link', link)
    return all(element.find(tag) is None for tag in ('inertial', 'visual', 'collision'))


def inertia_of(document: UrdfDocument, link: str) -> tuple[float, Array, Array] | None:
    """
    Return mass (kg), centre (m, shape (3,)) and inertia about it along the link's axes (3, 3).

    :return: None if the link has none.
    """
    inertial = document.named('link', link).find('inertial')
    if inertial is None or inertial.find('mass') is None:
        return None
    where = f'of link {quote(link)}'
    mass = float(numbers(inertial.find('mass').get('value'), 1, f'the mass {where}')[0])
    T = pose_of(inertial)
    tensor = np.zeros((3, 3))
    written = inertial.find('inertia')
    for i, j, name in ((0, 0, 'ixx'), (0, 1, 'ixy'), (0, 2, 'ixz'), (1, 1, 'iyy'), (1, 2, 'iyz'),
                       (2, 2, 'izz')):
        if written is not None:
            tensor[i, j] = tensor[j, i] = numbers(
                written.get(name, '0'), 1, f'{name} {where}')[0]
    R = T[:3, :3]
    return mass, T[:3, 3], R @ tensor @ R.T


def shapes_of(document: UrdfDocument, link: str) -> list[Shape]:
    """Return visuals, then collisions; what has no shape that is known is told and left out."""
    shapes = []
    element = document.named('link', link)
    for part in [*element.iterfind('visual'), *element.iterfind('collision')]:
        geometry = part.find('geometry')
        found = [] if geometry is None else [e for e in geometry if isinstance(e.tag, str)]
        if not found or found[0].tag not in ('box', 'sphere', 'cylinder', 'capsule', 'mesh'):
            what = f'<{found[0].tag}>' if found else 'nothing'
            document.lost(f'a <{part.tag}> of link {quote(link)} has {what} for a shape: it is '
                          'left out')
            continue
        shapes.append(Shape(found[0].tag, pose_of(part), _size(found[0], link),
                            part.tag == 'collision', _colour(document, part), found[0]))
    return shapes


def _size(element: etree._Element, link: str) -> Array:
    where = f'of the <{element.tag}> in link {quote(link)}'
    if element.tag == 'box':
        return numbers(element.get('size'), 3, f'size {where}')
    if element.tag == 'mesh':
        return numbers(element.get('scale', '1 1 1'), 3, f'scale {where}')
    radius = numbers(element.get('radius'), 1, f'radius {where}')[0]
    length = 0.0 if element.tag == 'sphere' else float(
        numbers(element.get('length'), 1, f'length {where}')[0])
    return np.array([radius, length, 0.0])


def _colour(document: UrdfDocument, part: etree._Element) -> Array | None:
    """Return red, green, blue and opacity of a visual, its own or those of a named material."""
    material = part.find('material')
    if material is None:
        return None
    name = material.get('name')
    for source in (material, *(m for m in document.root.iterfind('material')
                               if m.get('name') == name)):
        colour = source.find('color')
        if colour is not None:
            return numbers(colour.get('rgba'), 4, f'rgba of material {quote(name or "")}')
    return None
