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


"""From a file in any format to the text of any other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import get_args, Literal

from .closing_frames import closing_pairs, read_closing_frames
from .home_shift import named_pose, shift_home
from .loop_elements import LOOP_ELEMENTS, read_loop_elements
from .mesh_files import rename_meshes
from .mjcf_reader import read_mjcf
from .mjcf_writer import write_mjcf
from .motors import mark_passive_but
from .sdf_reader import read_sdf
from .sdf_writer import write_sdf
from .side_cars import read_side_car, side_car
from .urdf_document import Remark, UrdfDocument
from .xml_values import fault
from ..exceptions import UsageError
from ..urdf.elements import NAMESPACE
from ..urdf.loader import read_text
from ..urdf.parser import parse
from ..urdf.xml_reader import read_xml
from ..wording import quote

Source = Literal['urdf', 'loops', 'yaml', 'onshape', 'mjcf', 'sdf']
SOURCES: tuple[Source, ...] = get_args(Source)
_WRITTEN = ('.urdf', '.xml', '.sdf')


@dataclass(frozen=True)
class Conversion:
    """
    What came out.

    :param text: of the output.
    :param source: format of the input.
    :param remarks: what was not kept and what was chosen, in the order of the input's lines.
    """

    text: str
    source: Source
    remarks: tuple[Remark, ...]


def recognise(text: str | bytes, path: Path) -> Source:
    """
    Tell the format of a file by its content.

    :param path: of the file, beside which loops may stand in another.
    :raises DescriptionError: if it is no XML, or of no known format.
    """
    root = read_xml(text).root
    if root.tag in ('mujoco', 'mujocoinclude'):
        return 'mjcf'
    if root.tag == 'sdf':
        return 'sdf'
    if root.tag != 'robot':
        raise fault(f'the root element is <{root.tag}>; <robot> (URDF), <mujoco> (MJCF) or <sdf> '
                    'can be converted', 1)
    if any(root.find(tag) is not None for tag in LOOP_ELEMENTS):
        return 'loops'
    if root.find(f'{{{NAMESPACE}}}loop_closure') is not None:
        return 'urdf'
    if closing_pairs([link.get('name', '') for link in root.iterfind('link')]):
        return 'onshape'
    return 'urdf' if side_car(path) is None else 'yaml'


def read(path: Path, source: Source | None = None,
         mappings: Mapping[str, str] = MappingProxyType({})) -> tuple[UrdfDocument, Source]:
    """
    Read a file of any format.

    :param source: its format; None to recognise it.
    :param mappings: arguments of a xacro.
    :raises DescriptionError: if it cannot be read.
    """
    text = read_text(path, mappings)
    source = source or recognise(text, path)
    if source == 'mjcf':
        return read_mjcf(path), source
    if source == 'sdf':
        return read_sdf(text), source
    if source == 'loops':
        return read_loop_elements(text), source
    if source == 'onshape':
        return read_closing_frames(text), source
    if source == 'yaml':
        found = side_car(path)
        if found is None:
            raise fault(f'beside {path} there is no YAML file with its loops')
        return read_side_car(text, *found), source
    parse(text)
    return UrdfDocument.read(text), source


def convert(path: str | Path, output: str | Path, *, source: Source | None = None,
            actuated: Sequence[str] | None = None, home: Sequence[str] = (),
            mappings: Mapping[str, str] = MappingProxyType({})) -> Conversion:
    """
    Convert a file; the text that comes out is not written.

    :param path: of the input.
    :param output: where the text will be; its suffix tells the format.
    :param source: format of the input; None to recognise it.
    :param actuated: the joints with motors; None for those that the input tells.
    :param home: ``NAME=VALUE`` each, ``assembled``, or a keyframe: the pose to be the new zero.
    :param mappings: arguments of a xacro.
    :raises DescriptionError: if the input cannot be read, or written as it has to be.
    :raises UsageError: if the suffix or a joint is not known.
    """
    path, output = Path(path), Path(output)
    if output.suffix not in _WRITTEN:
        raise UsageError(f'{quote(str(output))}: the suffix of the output tells its format: '
                         '.urdf, .xml (MJCF), .sdf')
    document, source = read(path, source, mappings)
    if actuated is not None:
        mark_passive_but(document, actuated)
    if home:
        shift_home(document, named_pose(document, list(home)))
    if output.suffix == '.xml':
        text = write_mjcf(document, path.parent, output.parent)
    else:
        rename_meshes(document, path.parent, output.parent)
        document.robot()
        text = write_sdf(document) if output.suffix == '.sdf' else document.text()
    return Conversion(text, source, tuple(sorted(document.remarks, key=lambda r: r.line)))
