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
Poses of an SDF model: every link, joint, frame and nested model is a frame with a name.

Nested models are taken apart: names in them get the model's name and ``::`` in front.
"""

from __future__ import annotations

from dataclasses import dataclass

from lxml import etree
import numpy as np

from .number_text import rotation_from_wxyz
from .xml_values import fault, XmlSource
from ..robot.transforms import Array, inverse, rotation_from_rpy, transform
from ..wording import quote

MODEL, WORLD = '__model__', 'world'
_DEEPEST = 20  # nested models


def child_text(element: etree._Element, tag: str) -> str | None:
    """Return the text of a child element, None if it has none."""
    child = element.find(tag)
    return None if child is None else (child.text or '').strip()


@dataclass(frozen=True)
class Scoped:
    """
    An element of a model.

    :param scope: what stands in front of names in its model: '' or ``OUTER::``.
    """

    element: etree._Element
    scope: str

    @property
    def name(self) -> str:
        """Return its name in the outermost model."""
        return f'{self.scope}{self.element.get("name", "")}'


class SdfFrames:
    """
    The frames of one model and those nested in it.

    :ivar links: by name, in document order.
    :ivar joints: by name, in document order.
    :ivar frames: those with an element of their own, likewise.
    """

    def __init__(self, source: XmlSource, model: etree._Element) -> None:
        """
        Collect names.

        :raises DescriptionError: if one is missing or taken, or models are nested too deep.
        """
        self._source = source
        self.links: dict[str, Scoped] = {}
        self.joints: dict[str, Scoped] = {}
        self.frames: dict[str, Scoped] = {}
        # Of each frame: what its pose is relative to, its own pose, and what it is fixed to.
        self._relative: dict[str, tuple[str, Array]] = {}
        self._attached: dict[str, str] = {}
        self._placements: dict[str, str] = {}
        self._poses: dict[str, Array] = {WORLD: np.eye(4)}
        self._collect(model)

    def _collect(self, top: etree._Element) -> None:
        waiting = [(top, '', WORLD)]
        while waiting:
            model, scope, outside = waiting.pop(0)
            if scope.count('::') > _DEEPEST:
                raise fault(f'models are nested more than {_DEEPEST} deep',
                            self._source.line(model))
            own = f'{scope}{MODEL}'
            self._add_pose(own, model, self._scope_of(scope), outside)
            placement = model.get('placement_frame')
            if placement:
                self._placements[own] = f'{scope}{placement}'
            first = model.find('link')
            canonical = model.get('canonical_link') or (
                first.get('name', '') if first is not None else '')
            nested = list(model.iterfind('model'))
            self._attached[own] = f'{scope}{canonical}' if canonical or not nested else (
                f'{scope}{nested[0].get("name", "")}::{MODEL}')
            for tag, known in (('link', self.links), ('joint', self.joints),
                               ('frame', self.frames)):
                for element in model.iterfind(tag):
                    self._add(Scoped(element, scope), known, own)
            for child in nested:
                name = child.get('name', '')
                waiting.append((child, f'{scope}{name}::', own))
                self._relative[f'{scope}{name}'] = (f'{scope}{name}::{MODEL}', np.eye(4))
                self._attached[f'{scope}{name}'] = f'{scope}{name}::{MODEL}'

    @staticmethod
    def _scope_of(scope: str) -> str:
        """Return the scope that the element of a nested model itself stands in."""
        return scope[:-2].rpartition('::')[0] + '::' if scope.count('::') > 1 else ''

    def _add(self, found: Scoped, known: dict[str, Scoped], model: str) -> None:
        element, scope = found.element, found.scope
        if not element.get('name'):
            raise fault(f'<{element.tag}> has no name', self._source.line(element))
        if found.name in self._relative:
            raise fault(f'{self._source.where(element)}: the name is taken; give each a name of '
                        'its own', self._source.line(element))
        known[found.name] = found
        if element.tag == 'link':
            default = model
        elif element.tag == 'joint':
            default = self.full(child_text(element, 'child') or '', scope)
        else:
            attached = element.get('attached_to')
            default = self.full(attached, scope) if attached else model
        if element.tag != 'link':
            self._attached[found.name] = default
        self._add_pose(found.name, element, scope, default)

    def _add_pose(self, name: str, element: etree._Element, scope: str, default: str) -> None:
        pose = element.find('pose')
        relative = None if pose is None else pose.get('relative_to')
        if pose is not None and pose.get('frame'):
            raise fault(f'{self._source.where(element)}: <pose frame="..."> was of SDF 1.5 and '
                        '1.6; let gz bring the file up to date: gz sdf -p FILE',
                        self._source.line(pose))
        self._relative[name] = (
            self.full(relative, scope) if relative else default, self.pose_in(element))

    def full(self, name: str, scope: str) -> str:
        """Return a name that is used in a scope, in the outermost model."""
        return name if name == WORLD else f'{scope}{name}'

    def pose_in(self, element: etree._Element) -> Array:
        """
        Return the ``<pose>`` in an element, shape (4, 4), m.

        :raises DescriptionError: if it is not as many numbers as it has to be.
        """
        pose = element.find('pose')
        if pose is None or not (pose.text or '').strip():
            return np.eye(4)
        if pose.get('rotation_format') == 'quat_xyzw':
            values = self._source.numbers(pose.text, 7, 'the pose', element)
            if not np.linalg.norm(values[3:]) > 1e-9:
                raise fault(f'the quaternion of {self._source.where(element)} is zero',
                            self._source.line(pose))
            return transform(rotation_from_wxyz(values[[6, 3, 4, 5]]), values[:3])
        values = self._source.numbers(pose.text, 6, 'the pose', element)
        degrees = (pose.get('degrees') or '').lower() in ('true', '1')
        rpy = np.radians(values[3:]) if degrees else values[3:]
        return transform(rotation_from_rpy(rpy), values[:3])

    def pose(self, name: str, element: etree._Element) -> Array:
        """
        Return the pose of a frame in the world, shape (4, 4), m.

        :param element: asks, for the line.
        :raises DescriptionError: if there is no such frame, or it is relative to itself.
        """
        chain: list[str] = []
        while name not in self._poses:
            if name in chain or name not in self._relative:
                what = ('is relative to itself' if name in chain else 'is not in the model')
                raise fault(f'{self._source.where(element)}: the frame {quote(name)} {what}',
                            self._source.line(element))
            chain.append(name)
            name = self._relative[name][0]
        for name in reversed(chain):
            above, T = self._relative[name]
            self._poses[name] = self._poses[above] @ T
            if name in self._placements:
                # The pose is that of the placement frame; the model's follows from it.
                self._place(name, element)
        return self._poses[chain[0]] if chain else self._poses[name]

    def _place(self, model: str, element: etree._Element) -> None:
        wanted = self._poses[model]
        placement = self._placements.pop(model)
        own = self.pose(placement, element)
        for moved in [key for key in self._poses if key != WORLD and key.startswith(
                model.removesuffix(MODEL))]:
            del self._poses[moved]
        self._poses[model] = wanted @ inverse(own) @ wanted

    def link_of(self, name: str, element: etree._Element) -> str:
        """
        Return the link that a frame is fixed to, or the world.

        :raises DescriptionError: if there is none.
        """
        seen = set()
        while name not in self.links and name != WORLD:
            if name in seen or name not in self._attached:
                raise fault(f'{self._source.where(element)}: {quote(name)} is no link and fixed '
                            'to none', self._source.line(element))
            seen.add(name)
            name = self._attached[name]
        return name
