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


"""Where mesh files are, and how another file names them."""

from __future__ import annotations

import os
from pathlib import Path

from lxml import etree

from .urdf_document import UrdfDocument
from ..wording import quote

_PACKAGE = 'package://'
_FILE = 'file://'


def is_relative(name: str) -> bool:
    """Tell whether a mesh is named by its path from the file that names it."""
    return '://' not in name and not os.path.isabs(name)


def rename_meshes(document: UrdfDocument, old: Path, new: Path) -> None:
    """
    Name meshes so that they are found from another folder.

    :param old: folder of the input.
    :param new: folder of the output.
    """
    if old.resolve() == new.resolve():
        return
    for mesh in document.root.iter('mesh', 'texture'):
        name = mesh.get('filename', '')
        if name and is_relative(name):
            mesh.set('filename', os.path.relpath(old.resolve() / name, new.resolve()))


def find_mesh(name: str, folder: Path) -> Path | None:
    """
    Find a mesh as ROS does, below the folder of the file that names it, or in a package.

    A package is looked for in the environment's prefixes, and upwards from the folder.

    :param name: as the file has it.
    :return: None if there is no such file, or it may not be read.
    """
    if not name or '\0' in name:
        return None
    if name.startswith(_PACKAGE):
        package, _, rest = name.removeprefix(_PACKAGE).partition('/')
        for share in _shares(package, folder):
            found = share / rest
            if found.resolve().is_relative_to(share.resolve()) and found.is_file():
                return found
        return None
    found = folder / name.removeprefix(_FILE)
    # A description that was written beside its meshes stays readable where both are moved.
    inside = found.resolve().is_relative_to(_top(folder))
    return found if inside and found.is_file() else None


def _shares(package: str, folder: Path) -> list[Path]:
    """Return the folders that a package may be in."""
    if not package or package in ('.', '..'):
        return []
    prefixes = os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep)
    return [Path(prefix) / 'share' / package for prefix in prefixes if prefix] + [
        above for above in folder.resolve().parents if above.name == package] + (
            [folder.resolve()] if folder.name == package else [])


def _top(folder: Path) -> Path:
    """Return the folder itself, or that of the package that it is in."""
    for above in (folder.resolve(), *folder.resolve().parents):
        if (above / 'package.xml').is_file():
            return above
    return folder.resolve()


def missing_mesh(document: UrdfDocument, mesh: etree._Element, reason: str, line: int) -> None:
    """Note a mesh that the output does without."""
    document.lost(f'mesh {quote(mesh.get("filename", ""), 200)} {reason}: it is neither shown nor '
                  'does it collide', line)
