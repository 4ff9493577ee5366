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

"""A description that shows joint_state_publisher_gui the motors, and nothing else."""

from __future__ import annotations

from collections.abc import Collection
from xml.etree import ElementTree

from ..robot.model import Joint, Robot


def motors_only(robot: Robot, driving: Collection[str]) -> str:
    """
    Write a URDF in which only the joints that a person may set can move.

    The others are fixed, for joint_state_publisher_gui gives every joint that moves a slider.
    Shapes, origins and closures are left out: sliders need names, types and limits.

    :param driving: names of the joints that get a slider; none of them mimics another.
    :return: URDF text, joints in the order of the description.
    """
    root = ElementTree.Element('robot', name=robot.name)
    for link in robot.links:
        ElementTree.SubElement(root, 'link', name=link)
    for joint in robot.joints:
        motor = joint.name in driving
        element = ElementTree.SubElement(
            root, 'joint', name=joint.name, type=joint.kind if motor else 'fixed')
        ElementTree.SubElement(element, 'parent', link=joint.parent)
        ElementTree.SubElement(element, 'child', link=joint.child)
        if motor:
            _add_motion(element, joint)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding='unicode')


def _add_motion(element: ElementTree.Element, joint: Joint) -> None:
    axis = ' '.join(repr(float(component)) for component in joint.axis)
    ElementTree.SubElement(element, 'axis', xyz=axis)
    if joint.kind != 'continuous':
        # URDF wants effort and velocity too; a slider uses neither.
        ElementTree.SubElement(
            element, 'limit', lower=repr(joint.lower or 0.0), upper=repr(joint.upper or 0.0),
            effort='0', velocity='0')
