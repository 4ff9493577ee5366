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


"""A URDF that is being written: the hub of all formats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from lxml import etree
import numpy as np
from numpy.typing import ArrayLike

from .number_text import number, rpy_of, vector
from .xml_values import fault
from ..exceptions import DescriptionError
from ..robot.model import ClosureKind, Robot
from ..robot.transforms import Array
from ..urdf.elements import NAMESPACE, PREFIX
from ..urdf.parser import parse
from ..urdf.xml_reader import read_xml

# What a limit has to state and a file need not: no motor and no mechanism is anywhere near.
NO_LIMIT = 1e3
_CLOSURE, _ACTUATED = f'{{{NAMESPACE}}}loop_closure', f'{{{NAMESPACE}}}actuated'


@dataclass(frozen=True)
class Remark:
    """
    Something that a person has to know about a conversion.

    :param kind: 'lost' (not kept, with the consequence) or 'choice' (one of several ways to
        write it).
    :param message: what, and what follows from it.
    :param line: line in the input, from 1; 0 where no single line is to blame.
    """

    kind: Literal['lost', 'choice']
    message: str
    line: int = 0

    def __str__(self) -> str:
        """Return the remark on one line."""
        where = f'line {self.line}: ' if self.line else ''
        return f'{where}{"not kept" if self.kind == "lost" else "choice"}: {self.message}'


class UrdfDocument:
    """
    The elements of a URDF, and remarks on how they came about.

    :ivar root: the ``<robot>`` element.
    :ivar keyframes: poses that the input names: positions (rad or m) by joint, by name.
    """

    def __init__(self, root: etree._Element) -> None:
        """Take over the children and attributes of a root element."""
        self.root = etree.Element(
            'robot', dict(root.attrib), nsmap={**root.nsmap, PREFIX: NAMESPACE})
        self.root.text = root.text
        self.root.extend(list(root))
        self.remarks: list[Remark] = []
        self.keyframes: dict[str, dict[str, float]] = {}
        self._named: dict[str, dict[str, etree._Element]] = {
            tag: {element.get('name', ''): element for element in self.root.iterfind(tag)}
            for tag in ('link', 'joint', _CLOSURE)}

    @classmethod
    def new(cls, name: str) -> UrdfDocument:
        """Start without links."""
        return cls(etree.Element('robot', name=name))

    @classmethod
    def read(cls, text: str | bytes) -> UrdfDocument:
        """
        Start from a text.

        :raises DescriptionError: if it is not XML.
        """
        return cls(read_xml(text).root)

    def lost(self, message: str, line: int = 0) -> None:
        """Note what is not kept, and the consequence."""
        self.remarks.append(Remark('lost', message, line))

    def chose(self, message: str, line: int = 0) -> None:
        """Note which of several ways was taken."""
        self.remarks.append(Remark('choice', message, line))

    def named(self, tag: str, name: str) -> etree._Element:
        """
        Return a link or joint.

        :raises KeyError: if there is none.
        """
        element: etree._Element = self._named[tag][name]
        return element

    def joints(self) -> Iterator[etree._Element]:
        """Return all joints, in document order."""
        return iter(self.root.findall('joint'))

    def add_link(self, name: str, parts: Sequence[etree._Element] = ()) -> str:
        """
        Add a link.

        :param parts: inertial, visuals and collisions.
        :return: its name: with a number behind it if it was taken.
        """
        link = self._add('link', name)
        link.extend(parts)
        written: str = link.get('name')
        return written

    def add_joint(
            self, name: str, kind: str, parent: str, child: str, T_parent_joint: Array,
            axis: ArrayLike | None = None, *, limit: Mapping[str, float] | None = None,
            dynamics: Mapping[str, float] | None = None, passive: bool = False) -> str:
        """
        Add a joint.

        :param T_parent_joint: shape (4, 4), m.
        :param axis: in the joint's frame, shape (3,).
        :param limit: attributes of ``<limit>``; what URDF requires is filled in.
        :param passive: whether no motor drives it.
        :return: its name: with a number behind it if it was taken.
        """
        joint = self._add('joint', name, type=kind)
        name = joint.get('name')
        joint.append(origin(T_parent_joint))
        etree.SubElement(joint, 'parent', link=parent)
        etree.SubElement(joint, 'child', link=child)
        if axis is not None:
            etree.SubElement(joint, 'axis', xyz=vector(np.asarray(axis, dtype=float)))
        if kind in ('revolute', 'prismatic'):
            limit = {'lower': -NO_LIMIT, 'upper': NO_LIMIT, **(limit or {})}
        if limit:
            limit = {'effort': NO_LIMIT, 'velocity': NO_LIMIT, **limit}
            etree.SubElement(joint, 'limit', {key: number(value) for key, value in limit.items()})
        if dynamics:
            etree.SubElement(joint, 'dynamics',
                             {key: number(value) for key, value in dynamics.items()})
        if passive:
            self.mark_passive(name)
        return name

    def add_frame(self, name: str, link: str, T_link_frame: Array) -> str:
        """
        Add an empty link on a fixed joint.

        :return: its name.
        """
        frame = self.add_link(name)
        self.add_joint(f'{frame}_frame', 'fixed', link, frame, T_link_frame)
        return frame

    def close(self, name: str, kind: ClosureKind, frame_a: str, frame_b: str) -> None:
        """Close a loop between two links."""
        self._add(_CLOSURE, name, type=kind, frameA=frame_a, frameB=frame_b)

    def mark_passive(self, name: str) -> None:
        """Say that no motor drives a joint."""
        joint = self.named('joint', name)
        if joint.find(_ACTUATED) is None:
            etree.SubElement(joint, _ACTUATED, value='false')

    def mark_actuated(self, name: str) -> None:
        """Take the mark of a passive joint away."""
        joint = self.named('joint', name)
        for mark in joint.findall(_ACTUATED):
            joint.remove(mark)

    def set_mimic(self, name: str, source: str, multiplier: float, offset: float) -> None:
        """Let a joint follow another: ``multiplier * q + offset``."""
        joint = self.named('joint', name)
        for old in [*joint.iterfind('mimic'), *joint.iterfind(_ACTUATED)]:
            joint.remove(old)
        etree.SubElement(joint, 'mimic', joint=source, multiplier=number(multiplier),
                         offset=number(offset))

    def robot(self) -> Robot:
        """
        Return the robot that is described.

        :raises DescriptionError: if it cannot be used; without lines, since nobody has seen them.
        """
        try:
            return parse(self.text()).robot
        except DescriptionError as error:
            raise fault('the URDF that comes out cannot be used: '
                        + '; '.join(problem.message for problem in error.problems
                                    if problem.level == 'error')[:500]) from None

    def text(self) -> str:
        """Return the whole text, indented."""
        etree.indent(self.root, '  ')
        text: str = etree.tostring(self.root, encoding='unicode')
        return f'<?xml version="1.0"?>\n{text}\n'

    def remove_joint(self, name: str) -> None:
        """
        Take a joint away.

        :raises KeyError: if there is none.
        """
        self.root.remove(self._named['joint'].pop(name))

    def _add(self, tag: str, name: str, **attributes: str) -> etree._Element:
        """Add an element with a name that no such element has yet."""
        taken, free, count = self._named[tag], name, 2
        while free in taken:
            free, count = f'{name}_{count}', count + 1
        taken[free] = etree.SubElement(self.root, tag, name=free, **attributes)
        return taken[free]


def origin(T: Array) -> etree._Element:
    """Return an ``<origin>``."""
    return etree.Element('origin', xyz=vector(T[:3, 3]), rpy=vector(rpy_of(T[:3, :3])))
