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


"""An MJCF as MuJoCo itself reads it, with the names and lines of its elements."""

from __future__ import annotations

from pathlib import Path
import re
from typing import Any
import warnings

import numpy as np

from .mjcf_vetting import vet
from .number_text import pose_from_wxyz
from .xml_values import fault
from ..robot.transforms import Array
from ..wording import quote

# Squares of larger coordinates overflow.
_LARGEST = 1e100
_LINE = re.compile(r'\bline (\d+)')
_KINDS = {'body': 'bodies', 'joint': 'joints', 'geom': 'geoms', 'site': 'sites', 'mesh': 'meshes',
          'equality': 'equalities', 'actuator': 'actuators', 'tendon': 'tendons', 'key': 'keys'}


def import_mujoco() -> Any:
    """
    Import MuJoCo.

    :raises DescriptionError: if it is not installed, or too old.
    """
    try:
        import mujoco
    except ImportError:
        raise fault('MJCF is read by MuJoCo itself, which is not installed: '
                    'pip install mujoco') from None
    if not hasattr(mujoco.MjSpec, 'delete'):
        raise fault(f'MuJoCo {mujoco.__version__} is installed, which lacks what reading MJCF '
                    'needs; 3.3.7 or newer is wanted: pip install --upgrade mujoco')
    return mujoco


class MjcfModel:
    """
    A compiled model.

    :ivar mujoco: the module.
    :ivar m: the ``MjModel``; its arrays are in the order of ids.
    :ivar spec: the ``MjSpec`` it was made of.
    :ivar missing_meshes: files that were not read, with their lines.
    :ivar textures: how many there were.
    """

    def __init__(self, path: Path) -> None:
        """
        Read and compile.

        :raises DescriptionError: if MuJoCo is missing or refuses the file.
        """
        self.mujoco = import_mujoco()
        self._sources = vet(path)
        self._folder = path.resolve().parent
        self.missing_meshes: dict[str, int] = {}
        self.textures = 0
        try:
            self.spec: Any = self.mujoco.MjSpec.from_file(str(path.resolve()))
            # Bodies and joints are to come out as they were written.
            self.spec.compiler.fusestatic = False
            self.spec.compiler.discardvisual = False
            self._leave_out()
            with warnings.catch_warnings():
                warnings.simplefilter('ignore')  # of what only a simulation minds
                self.m: Any = self.spec.compile()
        except (ValueError, RuntimeError, self.mujoco.FatalError) as error:
            text = ' '.join(str(error).split())
            line = _LINE.search(text)
            raise fault(f'MuJoCo refuses the file: {text or type(error).__name__}',
                        int(line[1]) if line else 0) from None
        self._check_numbers()
        self._elements: dict[str, dict[int, Any]] = {}
        self._names: dict[tuple[str, int], str] = {}

    def _check_numbers(self) -> None:
        """See that all positions are such as can be computed with."""
        for kind in ('body', 'joint', 'geom', 'site'):
            prefix = 'jnt' if kind == 'joint' else kind
            positions = getattr(self.m, f'{prefix}_pos')
            good = (np.abs(positions) < _LARGEST).all(axis=1)
            if kind != 'joint':
                good &= np.linalg.norm(getattr(self.m, f'{kind}_quat'), axis=1) > 0.5
            wrong = np.flatnonzero(~good)
            if wrong.size:
                element = next(e for e in getattr(self.spec, _KINDS[kind]) if e.id == wrong[0])
                line = _LINE.search(element.info)
                raise fault(f'the pose of {kind} {quote(element.name)} is not finite or far '
                            'too large', int(line[1]) if line else 0)
        for name in ('qpos0', 'jnt_range', 'eq_data', 'body_quat', 'body_inertia', 'geom_size'):
            if not (np.abs(getattr(self.m, name)) < _LARGEST).all():
                raise fault(f'numbers of the model ({name}) are not finite or far too large')

    def _leave_out(self) -> None:
        """Take out what is not to be read: textures, and meshes from elsewhere."""
        for material in self.spec.materials:
            material.textures = [''] * len(material.textures)
        self.textures = len(self.spec.textures)
        for texture in list(self.spec.textures):
            self.spec.delete(texture)
        for pair in list(self.spec.pairs):  # of contacts, which may be with a floor elsewhere
            self.spec.delete(pair)
        for mesh in list(self.spec.meshes):
            file = self.mesh_file(mesh)
            places = [file] if file else self._places(mesh)
            if any(place.resolve().is_relative_to(self._folder) for place in places):
                continue
            name, line = mesh.name or Path(mesh.file).stem, _LINE.search(mesh.info)
            for geom in [geom for geom in self.spec.geoms if geom.meshname == name]:
                self.spec.delete(geom)
            self.missing_meshes[mesh.file] = int(line[1]) if line else 0
            self.spec.delete(mesh)

    def mesh_file(self, mesh: Any) -> Path | None:
        """
        Return the file of a mesh, resolved; None if there is none.

        :param mesh: of the spec; an included one may have its whole path.
        """
        return next((place.resolve() for place in self._places(mesh) if place.is_file()), None)

    def _places(self, mesh: Any) -> list[Path]:
        return [self._folder / self.spec.meshdir / mesh.file, self._folder / mesh.file]

    def element(self, kind: str, number: int) -> Any:
        """Return the element of the spec with an id; None if it was made by MuJoCo."""
        if kind not in self._elements:
            self._elements[kind] = {e.id: e for e in getattr(self.spec, _KINDS[kind])}
        return self._elements[kind].get(number)

    def name(self, kind: str, number: int) -> str:
        """Return an element's name, a made-up one if it has none."""
        element = self.element(kind, number)
        return (element.name if element is not None else '') or f'{kind}_{number}'

    def line(self, kind: str, number: int) -> int:
        """Return the line of an element, 0 if it is not known."""
        element = self.element(kind, number)
        match = _LINE.search(element.info) if element is not None else None
        if match or element is None:
            return int(match[1]) if match else 0
        # MuJoCo keeps no line of keyframes and actuators in defaults.
        return next((source.line(found) for source in self._sources
                     for found in source.root.iter(kind) if found.get('name') == element.name), 0)

    def pose(self, kind: str, number: int) -> Array:
        """Return ``T_parent_body``, ``T_body_geom`` or ``T_body_site`` at qpos0, shape (4, 4)."""
        return pose_from_wxyz(getattr(self.m, f'{kind}_pos')[number],
                              getattr(self.m, f'{kind}_quat')[number])

    def joints_of(self, body: int) -> range:
        """Return the ids of a body's joints, in the order in which they move it."""
        first = int(self.m.body_jntadr[body])
        return range(first, first + int(self.m.body_jntnum[body])) if first >= 0 else range(0)

    def zero(self, joint: int) -> float:
        """Return the value of a hinge or slide in qpos0 (MJCF's ``ref``), rad or m."""
        return float(self.m.qpos0[self.m.jnt_qposadr[joint]])

    def geoms_of(self, body: int) -> range:
        """Return the ids of a body's geoms."""
        first = int(self.m.body_geomadr[body])
        return range(first, first + int(self.m.body_geomnum[body])) if first >= 0 else range(0)
