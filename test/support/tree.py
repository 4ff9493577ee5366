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
A second reading of URDF for the tests, written independently of the package.

Plain matrices and the shortest code that can be checked by eye; slow, and meant to be.
``T_a_b`` is the pose of frame b in frame a.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from xml.etree import ElementTree

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

NAMESPACE = 'https://github.com/Origitech/urdf-extensions'
MOVING = ('revolute', 'continuous', 'prismatic')


def turn(axis: ArrayLike, angle: float) -> Array:
    """Turn about an axis: ``R v = a (a.v) + cos (v - a (a.v)) + sin a x v``."""
    a = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    along = np.outer(a, a)
    cross = np.cross(a, np.eye(3)).T
    return np.array(along + np.cos(angle) * (np.eye(3) - along) + np.sin(angle) * cross)


def from_rpy(roll: float, pitch: float, yaw: float) -> Array:
    """Turn about the fixed x, y and z axes, in this order."""
    return turn([0, 0, 1], yaw) @ turn([0, 1, 0], pitch) @ turn([1, 0, 0], roll)


def to_rpy(R: Array) -> Array:
    """Invert :func:`from_rpy`; exact next to the pole too, as roll follows from the yaw found."""
    yaw = float(np.arctan2(R[1, 0], R[0, 0]))
    rest = turn([0, 0, 1], -yaw) @ R
    roll, pitch = np.arctan2(-rest[1, 2], rest[1, 1]), np.arctan2(-rest[2, 0], rest[0, 0])
    return np.array([roll, pitch, yaw])


def pose(xyz: ArrayLike = (0, 0, 0), R: ArrayLike | None = None) -> Array:
    """Put a translation (m) and a rotation together."""
    T = np.eye(4)
    T[:3, :3] = np.eye(3) if R is None else R
    T[:3, 3] = xyz
    return T


def rotation_vector(R: Array) -> Array:
    """Return axis times angle of a rotation well below half a turn."""
    vee = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    sine = float(np.linalg.norm(vee))
    angle = float(np.arctan2(sine, 0.5 * (np.trace(R) - 1.0)))
    return vee * (angle / sine) if sine > 1e-12 else vee


@dataclass(frozen=True, eq=False)
class Joint:
    """A joint; ``mimic`` is source, multiplier and offset."""

    name: str
    kind: str
    parent: str
    child: str
    T: Array
    axis: Array
    passive: bool = False
    limits: tuple[float, float] | None = None
    mimic: tuple[str, float, float] | None = None

    def motion(self, q: float) -> Array:
        """Return the pose of the child link in the joint's frame."""
        if self.kind == 'prismatic':
            return pose(self.axis * q)
        return pose(R=turn(self.axis, q))


@dataclass(frozen=True)
class Closure:
    """Frames a and b (link names) tied together, 'point' or 'rigid'."""

    name: str
    kind: str
    a: str
    b: str


@dataclass(frozen=True, eq=False)
class Mechanism:
    """A tree of joints and the closures of its loops; link order is the order in the file."""

    links: tuple[str, ...]
    joints: tuple[Joint, ...]
    closures: tuple[Closure, ...]
    name: str = 'mechanism'

    @cached_property
    def top_down(self) -> tuple[Joint, ...]:
        """Joints, parents before children."""
        known = set(self.links) - {joint.child for joint in self.joints}
        order: list[Joint] = []
        while len(order) < len(self.joints):
            layer = [j for j in self.joints if j.parent in known and j.child not in known]
            order.extend(layer)
            known |= {joint.child for joint in layer}
        return tuple(order)

    @cached_property
    def above(self) -> Mapping[str, frozenset[str]]:
        """Names of the joints between the root and each link."""
        result = {link: frozenset[str]() for link in self.links}
        for joint in self.top_down:
            result[joint.child] = result[joint.parent] | {joint.name}
        return result

    @property
    def passive(self) -> tuple[str, ...]:
        """Names of the joints without a motor."""
        return tuple(joint.name for joint in self.joints if joint.passive)

    @property
    def actuated(self) -> tuple[str, ...]:
        """Names of the moving joints with a motor and without a mimic."""
        return tuple(j.name for j in self.joints
                     if j.kind in MOVING and not j.passive and j.mimic is None)

    def poses(self, positions: Mapping[str, float]) -> dict[str, Array]:
        """Return the pose of every link in the root link; joints not named stand at zero."""
        by_name = {joint.name: joint for joint in self.joints}

        def position(joint: Joint) -> float:
            if joint.mimic is None or joint.passive:
                return positions.get(joint.name, 0.0)
            source, multiplier, offset = joint.mimic
            return multiplier * position(by_name[source]) + offset

        result = {link: np.eye(4) for link in self.links}
        for joint in self.top_down:
            T = result[joint.parent] @ joint.T
            result[joint.child] = T @ joint.motion(position(joint)) if joint.kind in MOVING else T
        return result

    def residual(self, positions: Mapping[str, float]) -> Array:
        """Stack the closure errors: metres, then radians for each rigid closure."""
        links = self.poses(positions)
        rows = [np.zeros(0)]
        for closure in self.closures:
            A, B = links[closure.a], links[closure.b]
            rows.append(B[:3, 3] - A[:3, 3])
            if closure.kind == 'rigid':
                rows.append(rotation_vector(B[:3, :3] @ A[:3, :3].T))
        return np.concatenate(rows)

    def jacobian(self, positions: Mapping[str, float], names: Sequence[str]) -> Array:
        """
        Return the derivative of :meth:`residual`, near a closed state, by the joints named.

        A joint moves only what lies below it: frame B by ``z x (b - o)``, A with a minus.
        """
        links = self.poses(positions)
        columns = []
        for joint in (joint for name in names for joint in self.joints if joint.name == name):
            z, o = links[joint.child][:3, :3] @ joint.axis, links[joint.child][:3, 3]
            column = [np.zeros(0)]
            for closure in self.closures:
                linear, angular = np.zeros(3), np.zeros(3)
                for frame, sign in ((closure.b, 1.0), (closure.a, -1.0)):
                    if joint.name in self.above[frame]:
                        if joint.kind == 'prismatic':
                            linear += sign * z
                        else:
                            linear += sign * np.cross(z, links[frame][:3, 3] - o)
                            angular += sign * z
                column.append(linear)
                if closure.kind == 'rigid':
                    column.append(angular)
            columns.append(np.concatenate(column))
        return np.array(np.array(columns).reshape(len(columns), -1).T)

    def text(self) -> str:
        """Write the mechanism as URDF, every number with all its digits."""
        def numbers(values: ArrayLike) -> str:
            return ' '.join(repr(float(value)) for value in np.atleast_1d(values))

        lines = [f'<robot name="{self.name}" xmlns:riod="{NAMESPACE}">']
        lines += [f'  <link name="{link}"/>' for link in self.links]
        for joint in self.joints:
            lines += [
                f'  <joint name="{joint.name}" type="{joint.kind}">',
                f'    <origin xyz="{numbers(joint.T[:3, 3])}"'
                f' rpy="{numbers(to_rpy(joint.T[:3, :3]))}"/>',
                f'    <parent link="{joint.parent}"/><child link="{joint.child}"/>',
                f'    <axis xyz="{numbers(joint.axis)}"/>']
            if joint.limits is not None:
                lower, upper = joint.limits
                lines.append(f'    <limit lower="{lower!r}" upper="{upper!r}"'
                             ' effort="100" velocity="10"/>')
            if joint.mimic is not None:
                source, multiplier, offset = joint.mimic
                lines.append(f'    <mimic joint="{source}" multiplier="{multiplier!r}"'
                             f' offset="{offset!r}"/>')
            if joint.passive:
                lines.append('    <riod:actuated value="false"/>')
            lines.append('  </joint>')
        lines += [f'  <riod:loop_closure name="{c.name}" type="{c.kind}"'
                  f' frameA="{c.a}" frameB="{c.b}"/>' for c in self.closures]
        return '\n'.join([*lines, '</robot>', ''])


def read(text: str | bytes) -> Mechanism:
    """Read a URDF that is known to be right."""
    robot = ElementTree.fromstring(text)
    joints = []
    for element in robot.findall('joint'):
        def values(tag: str, attribute: str, default: str, element: ElementTree.Element = element,
                   ) -> Array:
            found = element.find(tag)
            return np.array((default if found is None else found.get(attribute, default)).split(),
                            dtype=float)

        def link(tag: str, element: ElementTree.Element = element) -> str:
            found = element.find(tag)
            assert found is not None
            return found.attrib['link']

        actuated, mimic = element.find(f'{{{NAMESPACE}}}actuated'), element.find('mimic')
        axis = values('axis', 'xyz', '1 0 0')
        kind = element.attrib['type']
        joints.append(Joint(
            element.attrib['name'], kind, link('parent'), link('child'),
            pose(values('origin', 'xyz', '0 0 0'), from_rpy(*values('origin', 'rpy', '0 0 0'))),
            axis / np.linalg.norm(axis) if kind in MOVING else axis,
            passive=actuated is not None and actuated.get('value') == 'false',
            limits=None if element.find('limit') is None else (
                float(values('limit', 'lower', '0')[0]), float(values('limit', 'upper', '0')[0])),
            mimic=None if mimic is None else (
                mimic.attrib['joint'], float(mimic.get('multiplier', '1')),
                float(mimic.get('offset', '0')))))
    return Mechanism(
        tuple(element.attrib['name'] for element in robot.findall('link')), tuple(joints),
        tuple(Closure(e.get('name', f'{e.get("frameA")}-{e.get("frameB")}'),
                      e.get('type', 'point'), e.attrib['frameA'], e.attrib['frameB'])
              for e in robot.findall(f'{{{NAMESPACE}}}loop_closure')),
        robot.attrib['name'])
