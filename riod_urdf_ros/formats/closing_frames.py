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


"""Pairs of frames that onshape-to-robot writes where it cut a loop: ``closing_NAME_1``, ``_2``."""

from __future__ import annotations

import re

import numpy as np

from .cut_joints import in_plane
from .motors import choose_motors
from .urdf_document import UrdfDocument
from ..urdf.elements import NAMESPACE
from ..urdf.parser import parse
from ..wording import quote

_CLOSING = re.compile(r'closing_(.+)_([12])')


def closing_pairs(names: list[str]) -> dict[str, tuple[str, str]]:
    """
    Return the pairs among the names of links.

    :return: both frames, by what stands between ``closing_`` and the number.
    """
    ends = {match[0]: match[1] for name in names if (match := _CLOSING.fullmatch(name))}
    return {middle: (f'closing_{middle}_1', f'closing_{middle}_2')
            for middle in dict.fromkeys(ends.values())
            if f'closing_{middle}_1' in ends and f'closing_{middle}_2' in ends}


def read_closing_frames(text: str | bytes) -> UrdfDocument:
    """
    Close the loops between the pairs.

    :raises DescriptionError: if the tree cannot be used.
    """
    robot = parse(text).robot
    document = UrdfDocument.read(text)
    for name, (a, b) in closing_pairs(list(robot.links)).items():
        line = robot.by_child[b].line if b in robot.by_child else 0
        document.close(name, 'point', a, b)
        # The exporter lets z of these frames be the axis of the relation.
        if in_plane(robot, a, b, np.array([0.0, 0.0, 1.0])):
            document.chose(f'{quote(name)} is closed as a point, since the loop is planar', line)
        else:
            document.chose(
                f'{quote(name)} is closed as a point, a ball: the file does not tell what was '
                'drawn; if it was fastened, write type="rigid"', line)
    for joint in [*document.root.iterfind('joint')]:
        if joint.find(f'{{{NAMESPACE}}}actuated') is not None:
            return document
    choose_motors(document, 'riod:actuated in a joint')
    return document
