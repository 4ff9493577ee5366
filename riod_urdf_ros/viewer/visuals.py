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
The visual shapes of a description, and the meshes they name.

A loader of our own, for two reasons: the poses of the links are the solver's, of which a loader
with kinematics of its own knows nothing; and what is left, boxes, cylinders, spheres and files,
is done by trimesh, which viser brings along.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
import os
from pathlib import Path
from urllib.parse import unquote, urlparse

from lxml import etree
import numpy as np
import trimesh

from ..robot.transforms import Array, rotation_from_rpy, transform
from ..urdf.xml_reader import read_xml
from ..wording import quote

_GREY = (0.6, 0.6, 0.62, 1.0)
Colour = tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Visual:
    """
    One shape of a link.

    :param T_link_visual: its pose in the link's frame, shape (4, 4), m.
    :param meshes: in the visual's frame, m.
    """

    link: str
    T_link_visual: Array
    meshes: tuple[trimesh.Trimesh, ...]


def read_visuals(text: str, folder: Path) -> tuple[list[Visual], list[str]]:
    """
    Return the shapes of a description, and what could not be loaded.

    :param text: of a URDF that has been checked.
    :param folder: where it is, for relative names of files.
    """
    root = read_xml(text).root
    named = {str(material.get('name')): colour for material in root.iter('material')
             for colour in [_colour(material)] if colour}
    visuals: list[Visual] = []
    problems: list[str] = []
    for link in root.findall('link'):
        for element in link.findall('visual'):
            material = element.find('material')
            colour = None if material is None \
                else _colour(material) or named.get(material.get('name', ''))
            try:
                meshes = tuple(_shapes(element, folder, colour))
                visuals.append(Visual(str(link.get('name')), _pose(element), meshes))
            except Exception as error:  # noqa: BLE001
                # Whatever trimesh makes of a broken file: the rest is shown.
                problems.append(f'visual of link {quote(str(link.get("name")))}: {error}')
    return visuals, problems


def _numbers(text: str | None, default: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(map(float, text.split())) if text else default


def _pose(element: etree._Element) -> Array:
    origin = element.find('origin')
    if origin is None:
        return np.eye(4)
    zero = (0.0, 0.0, 0.0)
    return transform(rotation_from_rpy(np.array(_numbers(origin.get('rpy'), zero))),
                     np.array(_numbers(origin.get('xyz'), zero)))


def _colour(material: etree._Element) -> Colour | None:
    colour = material.find('color')
    return None if colour is None else _numbers(colour.get('rgba'), _GREY)


def _shapes(element: etree._Element, folder: Path, colour: Colour | None,
            ) -> Iterator[trimesh.Trimesh]:
    """Return what a visual looks like."""
    for shape in element.iterfind('geometry/*'):
        if shape.tag == 'mesh':
            yield from _load(str(shape.get('filename')), folder,
                             _numbers(shape.get('scale'), (1.0, 1.0, 1.0)), colour)
            continue
        if shape.tag == 'box':
            mesh = trimesh.creation.box(_numbers(shape.get('size'), ()))
        elif shape.tag == 'cylinder':
            mesh = trimesh.creation.cylinder(
                float(shape.get('radius', '')), float(shape.get('length', '')), sections=32)
        elif shape.tag == 'sphere':
            mesh = trimesh.creation.icosphere(3, float(shape.get('radius', '')))
        else:
            continue
        yield _painted(mesh, colour or _GREY)


def _load(name: str, folder: Path, scale: tuple[float, ...], colour: Colour | None,
          ) -> Iterator[trimesh.Trimesh]:
    """Load a file; its own colours are kept where it has some and the URDF names none."""
    scene = trimesh.load_scene(find_file(name, folder))
    # Collada files say what their unit is, and RViz heeds it; trimesh only notes it down.
    factor, times, _ = str(scene.units).partition(' * meters')
    scale = tuple(float(factor) * part for part in scale) if times else scale
    for mesh in scene.dump():
        if not isinstance(mesh, trimesh.Trimesh):
            continue
        mesh.apply_scale(scale)
        if colour is not None:
            mesh = _painted(mesh, colour)
        elif mesh.visual is None or not mesh.visual.defined:
            mesh = _painted(mesh, _GREY)
        yield mesh


def _painted(mesh: trimesh.Trimesh, colour: Colour) -> trimesh.Trimesh:
    rgba = (np.clip(colour, 0.0, 1.0) * 255.0).astype(np.uint8)
    mesh.visual = trimesh.visual.TextureVisuals(material=trimesh.visual.material.PBRMaterial(
        baseColorFactor=rgba, metallicFactor=0.1, roughnessFactor=0.7,
        alphaMode='BLEND' if rgba[3] < 255 else 'OPAQUE'))
    return mesh


def find_file(name: str, folder: Path) -> Path:
    """
    Find the file that a mesh is in.

    :param name: ``package://PACKAGE/PATH``, ``file://PATH``, or a path, relative to the model.
    :param folder: where the model is. A package is looked for upwards from there, and where
        ROS looks for it.
    :raises FileNotFoundError: if it is nowhere.
    """
    url = urlparse(name)
    if url.scheme not in ('package', 'model'):
        path = folder / (unquote(url.path) if url.scheme == 'file' else name)
        if path.is_file():
            return path
        raise FileNotFoundError(f'{quote(name)} is not there; looked for {path}')
    inside = unquote(url.path).lstrip('/')
    above = [folder.resolve(), *folder.resolve().parents]
    roots = [place for place in above if place.name == url.netloc]
    roots += [place / url.netloc for place in above]
    for variable, below in (('ROS_PACKAGE_PATH', ''), ('AMENT_PREFIX_PATH', 'share')):
        roots += [Path(prefix) / below / url.netloc
                  for prefix in os.environ.get(variable, '').split(os.pathsep) if prefix]
    for root in roots:
        if (root / inside).is_file():
            return root / inside
    raise FileNotFoundError(
        f'{quote(name)} is not there; looked for a folder {quote(url.netloc)} with it above the '
        'model, and in ROS_PACKAGE_PATH and AMENT_PREFIX_PATH')
