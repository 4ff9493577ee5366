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
What an MJCF asks for, looked at before MuJoCo reads it.

MuJoCo opens every file that is named and makes as many copies as are wanted. So the XML is read
here first: files have to be below the folder of the input, and counts have to be such as robots
have. Meshes from elsewhere are done without, and textures are not read, so they may be anywhere.
"""

from __future__ import annotations

from pathlib import Path

from lxml import etree

from .xml_values import fault, XmlSource
from ..exceptions import DescriptionError
from ..urdf.xml_reader import MAX_BYTES
from ..wording import quote

_FOLDERS = ('meshdir', 'texturedir', 'assetdir')
_MAX_FILES = 100
_MAX_COPIES = 10_000
# Attributes that say how large something is to be made, and the most that is taken.
_SIZES = {'nrow': 4096, 'ncol': 4096, 'width': 8192, 'height': 8192, 'gridsize': 8192,
          'octree_maxdepth': 8, 'maxhullvert': 100_000}
_MEMORY = {'njmax', 'nconmax', 'nstack', 'memory'}  # of a simulation, which is not started


def vet(path: Path) -> list[XmlSource]:
    """
    Check an MJCF and all it includes.

    :return: their XML, that of the file itself first.
    :raises DescriptionError: if it cannot be read, reaches out of its folder, or wants too much.
    """
    folder = path.resolve().parent
    sources = _with_includes(path, folder)
    folders = [folder]
    for _, source in sources:
        for compiler in source.root.iter('compiler'):
            folders += [folder / (compiler.get(name) or '') for name in _FOLDERS
                        if '\0' not in (compiler.get(name) or '')]
    for file, source in sources:
        where = '' if file == path else f'{file.name}: '
        for element in source.root.iter('*'):
            for name in _outside(element, folders, folder):
                raise fault(
                    f'{where}{source.where(element)} reads {quote(name)}, which is not below the '
                    'folder of the input; put the files there', source.line(element))
            _check_numbers(element, source, where)
    return [source for _, source in sources]


def _with_includes(path: Path, folder: Path) -> list[tuple[Path, XmlSource]]:
    """Read a file and those below the folder that it includes."""
    waiting, seen = [path], {path.resolve()}
    sources: list[tuple[Path, XmlSource]] = []
    while waiting:
        file = waiting.pop()
        source = _read(file, path)
        sources.append((file, source))
        for element in source.root.iter('include', 'model'):
            for found in _places(element.get('file') or '', [folder, file.resolve().parent]):
                if _below(found, folder) and found.is_file() and found.resolve() not in seen:
                    seen.add(found.resolve())
                    waiting.append(found)
        if len(seen) > _MAX_FILES:
            raise fault(f'more than {_MAX_FILES} files are included; that is no robot')
    return sources


def _read(file: Path, path: Path) -> XmlSource:
    try:
        with file.open('rb') as stream:
            return XmlSource(stream.read(MAX_BYTES + 1))
    except (OSError, ValueError) as error:
        raise fault(f'cannot read {file}: {getattr(error, "strerror", None) or error}') from None
    except DescriptionError as error:
        if file == path:
            raise
        problem = error.problems[0]
        raise fault(f'{file.name}: {problem.message}', problem.line) from None


def _places(name: str, folders: list[Path]) -> list[Path]:
    """Return where a file may be; names with a NUL are nowhere."""
    return [folder / name for folder in folders] if name and '\0' not in name else []


def _below(file: Path, folder: Path) -> bool:
    return file.resolve().is_relative_to(folder)


def _outside(element: etree._Element, folders: list[Path], folder: Path) -> list[str]:
    """Return the files that an element names and that are not below the input's folder."""
    if element.tag in ('texture', 'compiler', 'mesh'):
        return []
    return [value for name, value in element.attrib.items() if name.startswith('file')
            and not all(_below(place, folder) for place in _places(value, folders))]


def _check_numbers(element: etree._Element, source: XmlSource, where: str) -> None:
    for name, value in element.attrib.items():
        # MuJoCo would go on, and write a log into the working directory.
        if name != 'name' and 'nan' in value.lower().split():
            raise fault(f'{where}{source.where(element)}: {name} is {quote(value)}; it has to be '
                        'finite', source.line(element))
    copies = 1.0
    for above in [element, *element.iterancestors()]:
        for word in (above.get('count') or '').split():
            copies *= max(_number(word), 1.0)
    sizes = {name: (value, _SIZES[name]) for name, value in element.attrib.items()
             if name in _SIZES}
    if element.tag == 'size':
        sizes = {name: (value, _MAX_COPIES) for name, value in element.attrib.items()
                 if name not in _MEMORY}
    for name, (value, most) in sizes.items():
        if any(_number(word) > most for word in value.split()):
            raise fault(f'{where}{source.where(element)}: {name} is {quote(value)}; more than '
                        f'{most} is not made', source.line(element))
    if copies > _MAX_COPIES:
        raise fault(f'{where}{source.where(element)} is to be made {copies:g} times; more than '
                    f'{_MAX_COPIES} is not made', source.line(element))


def _number(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        return 0.0  # MuJoCo says what is wrong with it
