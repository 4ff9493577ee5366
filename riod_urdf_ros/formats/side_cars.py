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
Loops that stand in a YAML file beside a URDF.

``robot.yaml`` of toolbox-parallel-robots names pairs of frames, ``loop_closures.yaml`` of sw2robot
and scikit-robot cut hinges in the base's frame.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
import re
from typing import Any

import numpy as np
import yaml

from .ball_joints import replace_joint
from .cut_joints import Cut, write_cut
from .motors import choose_motors, mark_passive_but
from .number_text import translation
from .urdf_document import UrdfDocument
from .xml_values import fault
from ..exceptions import DescriptionError
from ..robot.model import ClosureKind, Robot
from ..robot.transforms import inverse
from ..urdf.parser import parse
from ..urdf.xml_reader import decode
from ..wording import listing, quote

_LARGEST_FILE = 2**18
_DEEPEST = 20
_JOINT_TYPE = re.compile('SPHERICAL|FIXED|UJOINT_([XYZ]{2})')


def side_car(path: Path) -> tuple[Path, Mapping[str, Any]] | None:
    """
    Look for a file that tells the loops of a URDF.

    :param path: of the URDF.
    :return: its path and content; None if there is none.
    :raises DescriptionError: if there is one that is not YAML.
    """
    folders = [path.parent]
    if path.parent.name == 'urdf':  # of a package
        folders += [path.parent.parent, path.parent.parent / 'config']
    for folder in folders:
        for name in (f'{path.stem}.yaml', 'robot.yaml', 'loop_closures.yaml'):
            if (folder / name).is_file():
                content = _content(folder / name)
                if isinstance(content, dict) and {'closed_loop', 'closures'} & content.keys():
                    return folder / name, content
    return None


def _content(path: Path) -> Any:
    """Return what a YAML file says; aliases could make it grow without bound and are refused."""
    try:
        with path.open('rb') as file:
            text = decode(file.read(_LARGEST_FILE + 1))
        if len(text) > _LARGEST_FILE:
            raise fault(f'{path.name} has more than {_LARGEST_FILE} bytes; that is no list of '
                        'loops')
        depth = 0
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            depth += (isinstance(event, yaml.CollectionStartEvent)
                      - isinstance(event, yaml.CollectionEndEvent))
            if depth > _DEEPEST:
                raise fault(f'{path.name} is nested more than {_DEEPEST} deep',
                            event.start_mark.line + 1)
            if isinstance(event, yaml.AliasEvent):
                raise fault(f'{path.name}: aliases (*{event.anchor}) are not accepted',
                            event.start_mark.line + 1)
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, 'problem_mark', None)
        raise fault(f'{path.name} is not YAML: {getattr(error, "problem", None) or error}',
                    mark.line + 1 if mark else 0) from None
    except OSError as error:
        raise fault(f'cannot read {path}: {error.strerror}') from None
    except ValueError as error:  # of a date that is none
        raise fault(f'{path.name} cannot be read: {error}') from None


def read_side_car(text: str | bytes, path: Path, content: Mapping[str, Any]) -> UrdfDocument:
    """
    Bring loops from a YAML file into its URDF.

    :raises DescriptionError: if one of them cannot be used.
    """
    robot = parse(text).robot
    document = UrdfDocument.read(text)
    document.chose(f'the loops are those of {path.name}')
    try:
        if 'closures' in content:
            _hinges(document, robot, content)
        else:
            _pairs(document, robot, content)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise fault(f'{path.name} is not as its exporter writes it: {type(error).__name__} '
                    f'{error}') from None
    except DescriptionError as error:
        raise fault(f'{path.name}: {error.problems[0].message}') from None
    return document


def _pairs(document: UrdfDocument, robot: Robot, content: Mapping[str, Any]) -> None:
    """Read the file of toolbox-parallel-robots."""
    pairs = content['closed_loop'] or []
    kinds = content.get('type') or ['6d'] * len(pairs)
    for number, (pair, kind) in enumerate(zip(pairs, kinds, strict=True), 1):
        frames = [_frame(robot, str(name)) for name in pair]
        if str(kind).lower() not in ('3d', '6d'):
            raise fault(f'type {quote(str(kind))} of a closed loop is not known; there are 3d, 6d')
        closure: ClosureKind = 'point' if str(kind).lower() == '3d' else 'rigid'
        document.close(f'loop_{number}', closure, *frames)
    balls = dict(zip(content.get('joint_name') or (), content.get('joint_type') or ()))
    rotule = content.get('rotule_name')
    balls.update({joint.name: 'SPHERICAL' for joint in robot.moving_joints
                  if isinstance(rotule, str) and rotule in joint.name})
    for name, kind in balls.items():
        match = _JOINT_TYPE.fullmatch(str(kind).upper())
        if match is None:
            raise fault(f'the type {quote(str(kind))} of joint {quote(str(name))} is not known; '
                        'there are SPHERICAL, UJOINT_XY (or with other letters), FIXED')
        if name not in robot.by_name:
            raise fault(f'joint_name names {quote(str(name))}, which is no joint of the URDF')
        axes = {'SPHERICAL': 'xyz', 'FIXED': ''}.get(match[0], (match[1] or '').lower())
        replace_joint(document, name, axes, robot.by_name[name].T_parent_joint,
                      robot.by_name[name].line)
    named = content.get('name_mot')
    free = [joint.name for joint in robot.moving_joints
            if joint.mimic is None and joint.name not in balls]
    if isinstance(named, str):
        motors = [name for name in free if named in name]
    else:
        motors = [name for name in free if name in _names(named)]
        unknown = [name for name in _names(named) if name not in free]
        if unknown:
            raise fault(f'name_mot names {listing(unknown)}, which are no joints that move by '
                        f'themselves; these are: {listing(free)}')
    if motors:
        mark_passive_but(document, motors)
    else:
        choose_motors(document, 'name_mot names them')


def _frame(robot: Robot, name: str) -> str:
    """Return the link of a frame, which may also be named by its fixed joint."""
    if name in robot.links:
        return name
    if name in robot.by_name:
        return robot.by_name[name].child
    raise fault(f'closed_loop names {quote(name)}, which is no frame of the URDF')


def _hinges(document: UrdfDocument, robot: Robot, content: Mapping[str, Any]) -> None:
    """Read the file of sw2robot and scikit-robot."""
    for number, closure in enumerate(content['closures'], 1):
        links = [str(closure['link_a']), str(closure['link_b'])]
        for link in links:
            if link not in robot.links:
                raise fault(f'closure {number} names the unknown link {quote(link)}')
        point = _triple(closure['point'], 'point', number)
        axis = _triple(closure['axis'], 'axis', number)
        if not np.linalg.norm(axis) > 1e-9:
            raise fault(f'the axis of closure {number} is zero')
        # Point and axis are given in the base's frame, with all joints at zero.
        T = translation(point)
        poses = [inverse(robot.undisplaced[link]) @ T for link in links]
        write_cut(document, robot, Cut(
            f'loop_{number}', 'continuous', links[0], poses[0], links[1], poses[1],
            (axis / np.linalg.norm(axis))[None]))
    motors = _names(content.get('independent'))
    known = [joint.name for joint in robot.moving_joints if joint.mimic is None]
    if motors:
        for name in _names(content.get('dependent')):
            if name in known:
                document.mark_passive(name)
            elif name in robot.by_name and robot.by_name[name].mimic is not None:
                # The exporter's mimic approximates what the closure does exactly.
                joint = document.named('joint', name)
                joint.remove(joint.find('mimic'))
                document.mark_passive(name)
                document.lost(f'the <mimic> of {quote(name)}, which approximated the loop: the '
                              'closure decides its position', robot.by_name[name].line)
    else:
        choose_motors(document, 'independent names them')


def _triple(value: object, what: str, number: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    array = np.array(value, dtype=float)
    if array.shape != (3,) or not np.isfinite(array).all():
        raise fault(f'the {what} of closure {number} has to be three finite numbers')
    return array


def _names(value: object) -> Sequence[str]:
    return [str(name) for name in value] if isinstance(value, list) else []
