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
From the text of a URDF to the model of a robot.

The only user of urdf_parser_py. What it is given has been checked: it reads leniently, and
says what it does not know on stderr.
"""

from __future__ import annotations

from dataclasses import dataclass

from lxml import etree
import numpy as np
from urdf_parser_py import urdf

from .elements import Element, read_elements
from .extension import Extension, read_extension
from .frame_checks import check_frames
from .joint_elements import check_name, JointElement, read_joints, read_links
from .loop_checks import check_loops
from .problem_list import ProblemList
from .tree_checks import check_mimics, check_tree
from .unit_checks import check_units
from .urdfdom_checks import check_urdfdom
from .xml_reader import read_xml, XmlText
from ..exceptions import Problem
from ..robot.model import Joint, Mimic, Robot
from ..robot.transforms import rotation_from_rpy, transform


@dataclass(frozen=True)
class Description:
    """
    A robot description that can be used.

    :param robot: what it describes, checked.
    :param problems: warnings, in the order of their lines.
    :param text: the description, decoded.
    """

    robot: Robot
    problems: tuple[Problem, ...]
    text: str


def parse(text: str | bytes) -> Description:
    """
    Read a robot description.

    :param text: URDF (xacro expanded), with or without the RioD extensions.
    :raises DescriptionError: if it cannot be used, with all problems that were found.
    """
    xml = read_xml(text)
    problems = ProblemList()
    root = read_elements(xml, problems)
    if root.written != 'robot':
        problems.error(f'the root element is <{root.written}>, not <robot>; a URDF is wanted, '
                       'not SDF or another format', root.line)
        problems.raise_errors()
    robot = _read_robot(xml, root, problems)
    problems.raise_errors()
    assert robot is not None, 'without a robot there is an error'
    return Description(robot, problems.in_order(), xml.text)


def _read_robot(xml: XmlText, root: Element, problems: ProblemList) -> Robot | None:
    """Check everything, and give the robot as far as there is one."""
    if not root.attributes.get('name'):
        problems.error('<robot> has no name; write <robot name="...">', root.line)
    check_name(root.attributes.get('name', ''), 'robot', root.line, problems)
    for line in xml.misplaced_instructions():
        problems.warning(
            'a processing instruction (<? ... ?>) after the first comment or element; remove it, '
            'or move it to the top: urdfdom (robot_state_publisher, RViz) refuses the whole '
            'description', line)
    extension = read_extension(root, problems)
    links = read_links(root, problems)
    joints = read_joints(root, problems)
    unexpanded = [element for element in root if element.vocabulary == 'xacro']
    if unexpanded:
        # Links and joints are still hidden in macros: what seems to be missing is not.
        problems.error(
            f'<{unexpanded[0].written}> is unexpanded xacro; expand the file with xacro first',
            unexpanded[0].line)
        return None
    if not links:
        problems.error('<robot> has no <link>', root.line)
        return None
    written = root.urdf_children('joint')
    check_urdfdom(root, problems)
    check_units(root, joints.values(), problems)
    tree_root = check_tree(links, joints, len(written) == len(joints), problems)
    sources = check_mimics(joints, extension.passive,
                           dict.fromkeys(joint.attributes.get('name', '') for joint in written),
                           problems)
    if tree_root is None:
        return None
    try:
        parsed = _urdf_parser_py(joints, sources)
    except Exception as error:  # noqa: BLE001
        # It raises AssertionError, TypeError and Exception itself.
        problems.error('urdf_parser_py refuses the description: '
                       f'{" ".join(str(error).split())}', root.line)
        return None
    robot = Robot(
        root.attributes.get('name', ''), tree_root, tuple(links),
        tuple(_joint(joint, joints[joint.name], extension, sources) for joint in parsed.joints),
        extension.closures)
    marks = {name: extension.passive[joint.element] for name, joint in joints.items()
             if joint.element in extension.passive}
    check_loops(robot, marks, problems)
    if not problems.error_count:
        check_frames(robot, problems)
    return robot


def _urdf_parser_py(joints: dict[str, JointElement], sources: dict[str, str]) -> urdf.Robot:
    """Let urdf_parser_py read the joints, and nothing that it may stumble over."""
    root = etree.Element('robot', name='robot')
    for joint in joints.values():
        element = etree.SubElement(root, 'joint', name=joint.name, type=joint.kind)
        for part, attributes in joint.parts.items():
            if part == 'limit':
                # It requires both, and nothing here needs them.
                attributes = {'effort': '0', 'velocity': '0', **attributes}
            if part != 'mimic' or joint.name in sources:
                etree.SubElement(element, part, attributes)
    return urdf.Robot.from_xml_string(etree.tostring(root))


def _joint(parsed: urdf.Joint, joint: JointElement, extension: Extension,
           sources: dict[str, str]) -> Joint:
    """Return the model of one joint."""
    xyz, rpy = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if parsed.origin is not None:
        xyz, rpy = parsed.origin.xyz or xyz, parsed.origin.rpy or rpy
    axis = np.array((1.0, 0.0, 0.0) if parsed.axis is None else parsed.axis)
    lower = upper = mimic = None
    if parsed.limit is not None and joint.limited:
        lower, upper = parsed.limit.lower, parsed.limit.upper
    if joint.name in sources:
        multiplier, offset = parsed.mimic.multiplier, parsed.mimic.offset
        mimic = Mimic(parsed.mimic.joint, 1.0 if multiplier is None else multiplier,
                      0.0 if offset is None else offset)
    return Joint(
        joint.name, joint.kind, joint.parent, joint.child,
        transform(rotation_from_rpy(rpy), xyz), axis / np.linalg.norm(axis), lower, upper, mimic,
        actuated=joint.element not in extension.passive, line=joint.element.line)
