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
From URDF to MJCF.

Bodies have the frames of the links, so positions of joints are the same. An empty link on a fixed
joint becomes a site; closures are equalities between sites.
"""

from __future__ import annotations

import os
from pathlib import Path

from lxml import etree
import numpy as np

from .mesh_files import find_mesh, missing_mesh
from .number_text import number, vector
from .urdf_document import UrdfDocument
from .urdf_links import inertia_of, is_empty, Shape, shapes_of
from ..robot.model import Joint, Robot
from ..robot.transforms import Array, quaternion_xyzw
from ..wording import listing, quote

# What MuJoCo reads.
_MESHES = ('.stl', '.obj', '.msh')
# A moving body has to have a mass; that of a frame between two joints must not weigh.
_LEAST_MASS, _LEAST_INERTIA = 1e-6, 1e-9
_STIFFNESS = 100.0  # of the position actuators, Nm/rad or N/m
_WORLD = 'world'
_INDENTED = 100  # bodies in one another


def write_mjcf(document: UrdfDocument, folder: Path, output: Path) -> str:
    """
    Write an MJCF.

    :param folder: of the input, from which meshes are named.
    :param output: folder of the MJCF.
    :raises DescriptionError: if the document is no URDF that can be used.
    """
    return MjcfWriter(document, folder, output).write()


class MjcfWriter:
    """One conversion."""

    def __init__(self, document: UrdfDocument, folder: Path, output: Path) -> None:
        """Read the robot, so that all that follows can rely on it."""
        self._document, self._folder, self._output = document, folder, output
        self._robot: Robot = document.robot()
        self._root = etree.Element('mujoco', model=self._robot.name)
        self._sites = {frame for closure in self._robot.closures
                       for frame in (closure.frame_a, closure.frame_b)}
        self._meshes: dict[tuple[str, str], str] = {}
        self._massless: list[str] = []
        self._children: dict[str, list[Joint]] = {}
        for joint in self._robot.joints:
            self._children.setdefault(joint.parent, []).append(joint)

    def write(self) -> str:
        """Return the text."""
        etree.SubElement(self._root, 'compiler', angle='radian', autolimits='true',
                         boundmass=number(_LEAST_MASS), boundinertia=number(_LEAST_INERTIA),
                         balanceinertia='true')
        asset = etree.SubElement(self._root, 'asset')
        world = etree.SubElement(self._root, 'worldbody')
        if self._robot.root == _WORLD:
            self._fill(world, _WORLD)
        else:
            body = etree.SubElement(world, 'body', name=self._robot.root)
            self._fill(body, self._robot.root)
            self._document.chose(
                f'the root {quote(self._robot.root)} is fixed to the world; write <freejoint/> '
                'into its body if it moves freely')
        for (file, scale), name in self._meshes.items():
            # Masses are stated; a flat mesh has no volume to compute one from.
            etree.SubElement(asset, 'mesh', name=name, file=file, scale=scale, inertia='shell')
        if not len(asset):
            self._root.remove(asset)
        self._add_equalities()
        self._add_actuators()
        if self._massless:
            self._document.chose(
                f'links without inertia get {_LEAST_MASS:g} kg, since MuJoCo moves nothing '
                f'without mass: {listing(self._massless)}')
        # A chain of thousands of bodies would be spaces for the most part.
        deepest = max(len(self._robot.chain(link)) for link in self._robot.links)
        etree.indent(self._root, '  ' if deepest < _INDENTED else '')
        text: str = etree.tostring(self._root, encoding='unicode')
        return f'{text}\n'

    def _fill(self, body: etree._Element, root: str) -> None:
        """Add everything below a link; without recursion, since chains may be long."""
        waiting = [(body, root)]
        while waiting:
            element, link = waiting.pop()
            self._add_parts(element, link)
            if link in self._sites:
                etree.SubElement(element, 'site', name=link)
            for joint in self._children.get(link, ()):
                if (joint.kind == 'fixed' and joint.child not in self._children
                        and is_empty(self._document, joint.child)):
                    etree.SubElement(element, 'site', name=joint.child,
                                     **_place(joint.T_parent_joint))
                    continue
                child = etree.SubElement(element, 'body', name=joint.child,
                                         **_place(joint.T_parent_joint))
                self._add_joint(child, joint)
                waiting.append((child, joint.child))

    def _add_joint(self, body: etree._Element, joint: Joint) -> None:
        if joint.kind == 'fixed':
            return
        if joint.kind == 'floating' and joint.parent == _WORLD:
            etree.SubElement(body, 'freejoint', name=joint.name)
            return
        if not joint.moving:
            self._document.lost(f'{joint.kind} joint {quote(joint.name)}: its link is fixed',
                                joint.line)
            return
        element = etree.SubElement(
            body, 'joint', name=joint.name, axis=vector(joint.axis),
            type='slide' if joint.kind == 'prismatic' else 'hinge')
        lower, upper = joint.limits
        if np.isfinite([lower, upper]).all():
            if lower < upper:
                element.set('range', f'{number(lower)} {number(upper)}')
            else:
                self._document.lost(f'the limits of joint {quote(joint.name)}: MuJoCo wants the '
                                    'upper one above the lower one', joint.line)
        dynamics = self._document.named('joint', joint.name).find('dynamics')
        for name, attribute in (('damping', 'damping'), ('friction', 'frictionloss')):
            if dynamics is not None and float(dynamics.get(name, 0)):
                element.set(attribute, number(float(dynamics.get(name))))

    def _add_parts(self, element: etree._Element, link: str) -> None:
        found = inertia_of(self._document, link)
        if element.tag != 'body':
            pass  # the world has none
        elif found is None:
            self._massless.append(link)
            etree.SubElement(element, 'inertial', pos='0 0 0', mass=number(_LEAST_MASS),
                             diaginertia=vector([_LEAST_INERTIA] * 3))
        else:
            mass, centre, tensor = found
            small, middle, large = np.linalg.eigvalsh(tensor)
            if small + middle < large * (1.0 - 1e-9):
                self._document.lost(f'the inertia of link {quote(link)}, which no body has (one '
                                    'moment is larger than the two others together): MuJoCo '
                                    'takes their mean')
            ixx, iyy, izz = np.diag(tensor)
            etree.SubElement(
                element, 'inertial', pos=vector(centre), mass=number(mass),
                fullinertia=vector([ixx, iyy, izz, tensor[0, 1], tensor[0, 2], tensor[1, 2]]))
        for shape in shapes_of(self._document, link):
            self._add_geom(element, shape)

    def _add_geom(self, element: etree._Element, shape: Shape) -> None:
        size = {'box': shape.size / 2.0, 'sphere': shape.size[:1],
                'cylinder': shape.size[:2] * [1.0, 0.5],
                'capsule': shape.size[:2] * [1.0, 0.5]}.get(shape.kind)
        attributes: dict[str, str] = {'type': shape.kind}
        if size is not None:
            attributes['size'] = vector(size)
        else:
            name = self._mesh(shape)
            if name is None:
                return
            attributes['mesh'] = name
        collides = {} if shape.collides else {'contype': '0', 'conaffinity': '0'}
        colour = {'rgba': vector(shape.rgba)} if shape.rgba is not None else {}
        etree.SubElement(element, 'geom', **attributes, **_place(shape.T_link_shape), **colour,
                         **collides, group='3' if shape.collides else '2', mass='0')

    def _mesh(self, shape: Shape) -> str | None:
        """Return the name of a mesh, None if MuJoCo would not find or read it."""
        name = shape.element.get('filename', '')
        file = find_mesh(name, self._folder)
        if file is None:
            missing_mesh(self._document, shape.element, 'is not found', 0)
            return None
        if file.suffix.lower() not in _MESHES:
            missing_mesh(self._document, shape.element,
                         f'is none of {", ".join(_MESHES)}, which MuJoCo reads', 0)
            return None
        key = (os.path.relpath(file, self._output), vector(shape.size))
        if key not in self._meshes:
            taken, stem = set(self._meshes.values()), file.stem
            self._meshes[key] = stem if stem not in taken else f'{stem}_{len(taken)}'
        return self._meshes[key]

    def _add_equalities(self) -> None:
        closures = self._robot.closures
        followers = [joint for joint in self._robot.moving_joints if joint.mimic is not None]
        if not closures and not followers:
            return
        equality = etree.SubElement(self._root, 'equality')
        for closure in closures:
            tag = 'weld' if closure.kind == 'rigid' else 'connect'
            etree.SubElement(equality, tag, name=closure.name, site1=closure.frame_a,
                             site2=closure.frame_b)
        for joint in followers:
            source, multiplier, offset = self._robot.source(joint)
            etree.SubElement(
                equality, 'joint', name=f'{joint.name}_mimic', joint1=joint.name,
                joint2=source.name, polycoef=vector([offset, multiplier, 0.0, 0.0, 0.0]))

    def _add_actuators(self) -> None:
        motors = [joint for joint in self._robot.moving_joints if joint.role == 'actuated']
        if not motors:
            return
        actuator = etree.SubElement(self._root, 'actuator')
        for joint in motors:
            element = etree.SubElement(actuator, 'position', name=joint.name, joint=joint.name,
                                       kp=number(_STIFFNESS))
            lower, upper = joint.limits
            if np.isfinite([lower, upper]).all() and lower < upper:
                element.set('ctrlrange', f'{number(lower)} {number(upper)}')
            limit = self._document.named('joint', joint.name).find('limit')
            effort = float(limit.get('effort', 0)) if limit is not None else 0.0
            if effort > 0.0:
                element.set('forcerange', f'{number(-effort)} {number(effort)}')
        self._document.chose(f'each motor is a position actuator with kp {_STIFFNESS:g}: '
                             'set what yours has')


def _place(T: Array) -> dict[str, str]:
    """Return pos and quat of a pose; those that say nothing are left out."""
    place = {}
    if np.any(T[:3, 3]):
        place['pos'] = vector(T[:3, 3])
    if not np.array_equal(T[:3, :3], np.eye(3)):
        x, y, z, w = quaternion_xyzw(T[:3, :3])
        place['quat'] = vector([w, x, y, z])
    return place
