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


"""Inertia, visuals and collisions of MJCF's bodies as those of URDF's links."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from lxml import etree
import numpy as np

from .mjcf_model import MjcfModel
from .number_text import number, pose_from_wxyz, translation, vector
from .urdf_document import origin, UrdfDocument
from ..robot.transforms import Array, inverse
from ..wording import quote

# MuJoCo's viewer shows groups 0 to 2 from the start; collision shapes are kept from it in 3.
_HIDDEN_GROUP = 3
# What MuJoCo takes where neither geom nor material says anything.
_GREY = np.array([0.5, 0.5, 0.5, 1.0])


def link_parts(model: MjcfModel, document: UrdfDocument, body: int, T_link_body: Array,
               folder: Path) -> list[etree._Element]:
    """
    Return the elements of a body's link.

    :param T_link_body: pose of the body's frame in the link's, shape (4, 4).
    :param folder: of the input.
    """
    parts = []
    if model.m.body_mass[body] > 0.0 and body:
        parts.append(_inertial(model.m, body, T_link_body))
    for geom in model.geoms_of(body):
        shapes = _shapes(model, document, geom, folder)
        collides = bool(model.m.geom_contype[geom] | model.m.geom_conaffinity[geom])
        shown = model.m.geom_group[geom] < _HIDDEN_GROUP
        for tag in [*(['visual'] if shown or not collides else []),
                    *(['collision'] if collides else [])]:
            for T_body_shape, geometry in shapes:
                part = etree.Element(tag)
                if model.element('geom', geom) is not None and model.element('geom', geom).name:
                    part.set('name', model.name('geom', geom))
                part.append(origin(T_link_body @ T_body_shape))
                etree.SubElement(part, 'geometry').append(_copy(geometry))
                if tag == 'visual':
                    part.append(_material(model.m, geom))
                parts.append(part)
    return parts


def _copy(element: etree._Element) -> etree._Element:
    return etree.Element(element.tag, dict(element.attrib))


def _inertial(m: Any, body: int, T_link_body: Array) -> etree._Element:
    T = T_link_body @ pose_from_wxyz(m.body_ipos[body], m.body_iquat[body])
    inertial = etree.Element('inertial')
    inertial.append(origin(T))
    etree.SubElement(inertial, 'mass', value=number(m.body_mass[body]))
    ixx, iyy, izz = (number(value) for value in m.body_inertia[body])
    etree.SubElement(inertial, 'inertia', ixx=ixx, ixy='0', ixz='0', iyy=iyy, iyz='0', izz=izz)
    return inertial


def _material(m: Any, geom: int) -> etree._Element:
    rgba = m.geom_rgba[geom]
    if m.geom_matid[geom] >= 0 and np.array_equal(rgba, _GREY):
        rgba = m.mat_rgba[m.geom_matid[geom]]
    # Seven digits are what a float32 has.
    text = ' '.join(f'{min(max(float(value), 0.0), 1.0):.7g}' for value in rgba)
    material = etree.Element('material', name=f'rgba {text}')
    etree.SubElement(material, 'color', rgba=text)
    return material


def _shapes(model: MjcfModel, document: UrdfDocument, geom: int, folder: Path,
            ) -> list[tuple[Array, etree._Element]]:
    """Return what a geom is put together of: poses in the body, and elements."""
    m, T, size = model.m, model.pose('geom', geom), model.m.geom_size[geom]
    kinds = model.mujoco.mjtGeom
    kind = int(m.geom_type[geom])
    if kind == int(kinds.mjGEOM_BOX):
        return [(T, etree.Element('box', size=vector(2.0 * size)))]
    if kind == int(kinds.mjGEOM_SPHERE):
        return [(T, etree.Element('sphere', radius=number(size[0])))]
    if kind in (int(kinds.mjGEOM_CYLINDER), int(kinds.mjGEOM_CAPSULE)):
        shapes = [(T, etree.Element('cylinder', radius=number(size[0]),
                                    length=number(2.0 * size[1])))]
        if kind == int(kinds.mjGEOM_CAPSULE):
            shapes += [(T @ translation([0.0, 0.0, end]),
                        etree.Element('sphere', radius=number(size[0])))
                       for end in (-size[1], size[1])]
        return shapes
    if kind == int(kinds.mjGEOM_MESH):
        return _mesh(model, document, geom, folder)
    name = str(kinds(kind).name).removeprefix('mjGEOM_').lower()
    document.lost(
        f'geom {quote(model.name("geom", geom))} has the shape {name}, which URDF has not got: it '
        'is neither shown nor does it collide', model.line('geom', geom))
    return []


def _mesh(model: MjcfModel, document: UrdfDocument, geom: int, folder: Path,
          ) -> list[tuple[Array, etree._Element]]:
    number_, m = int(model.m.geom_dataid[geom]), model.m
    mesh = model.element('mesh', number_)
    file = model.mesh_file(mesh) if mesh is not None else None
    if file is None:
        document.lost(
            f'mesh {quote(model.name("mesh", number_))} is written out in the file and not in one '
            'of its own: it is neither shown nor does it collide', model.line('mesh', number_))
        return []
    # MuJoCo moves a mesh into its own axes of inertia, and the geom against that.
    own = pose_from_wxyz(m.mesh_pos[number_], m.mesh_quat[number_])
    written = os.path.relpath(file, folder.resolve())
    return [(model.pose('geom', geom) @ inverse(own), etree.Element(
        'mesh', filename=written, scale=vector(m.mesh_scale[number_])))]
