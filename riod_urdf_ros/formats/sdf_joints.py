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


"""Joints of SDF: kinds, axes, limits, and what tells whether a motor drives them."""

from __future__ import annotations

from dataclasses import dataclass, field
import math

from lxml import etree
import numpy as np

from .cut_joints import CutKind
from .sdf_frames import child_text, Scoped, SdfFrames
from .xml_values import fault, XmlSource
from ..robot.transforms import Array
from ..wording import quote

_KINDS: dict[str, CutKind] = {
    'fixed': 'fixed', 'revolute': 'revolute', 'continuous': 'continuous',
    'prismatic': 'prismatic', 'ball': 'ball', 'universal': 'universal', 'revolute2': 'universal'}
_AXES = {'fixed': 0, 'ball': 0, 'universal': 2}
# SDF writes no limit as this, or as infinity.
_UNLIMITED = 1e16


@dataclass(eq=False)
class SdfJoint:
    """
    One joint.

    :param parent: a link, or the world.
    :param T_world_joint: pose of its frame in the world as the model is drawn, shape (4, 4), m.
    :param axes: in its frame, shape (n, 3).
    :param limits: lower and upper (rad, m) of each axis; None where there are none.
    :param strength: effort and velocity of each axis, where they are limited.
    :param mimic: leader, multiplier and offset.
    :param actuated: whether a motor drives it; None where the file does not tell.
    """

    name: str
    kind: CutKind
    parent: str
    child: str
    T_world_joint: Array
    axes: Array
    line: int
    limits: list[tuple[float, float] | None] = field(default_factory=list)
    strength: list[dict[str, float]] = field(default_factory=list)
    dynamics: list[dict[str, float]] = field(default_factory=list)
    springs: list[float] = field(default_factory=list)
    mimic: tuple[str, float, float] | None = None
    actuated: bool | None = None
    leads: bool = False

    @property
    def needed(self) -> bool:
        """Whether its position has to be in the tree."""
        return bool(self.actuated) or self.mimic is not None or self.leads


def read_joints(source: XmlSource, frames: SdfFrames, model: etree._Element,
                ) -> dict[str, SdfJoint]:
    """
    Read all joints, by name.

    :raises DescriptionError: if one cannot be written as URDF.
    """
    joints = {name: _read(source, frames, found) for name, found in frames.joints.items()}
    for joint in joints.values():
        if joint.mimic is not None and joint.mimic[0] in joints:
            joints[joint.mimic[0]].leads = True
    named = {(element.text or '').strip() for plugin in model.iter('plugin')
             for element in plugin.iter('*') if 'joint' in str(element.tag)}
    weak = [joint for joint in joints.values()
            if any(limit.get('effort') == 0.0 for limit in joint.strength)]
    for joint in joints.values():
        if named & joints.keys():
            joint.actuated = joint.name in named
        elif weak:
            # Drake's convention.
            joint.actuated = joint not in weak and len(joint.axes) == 1
    return joints


def _read(source: XmlSource, frames: SdfFrames, found: Scoped) -> SdfJoint:
    element, line = found.element, source.line(found.element)
    written = element.get('type') or ''
    kind = _KINDS.get(written)
    if kind is None:
        raise fault(f'{source.where(element)} has the type {quote(written)}; these can be '
                    f'converted: {", ".join(_KINDS)}', line)
    ends = []
    for end in ('parent', 'child'):
        name = child_text(element, end) or ''
        if not name:
            raise fault(f'{source.where(element)} has no <{end}>', line)
        ends.append(frames.link_of(frames.full(name, found.scope), element))
    if ends[0] == ends[1]:
        raise fault(f'{source.where(element)} joins {quote(ends[0])} to itself', line)
    T = frames.pose(found.name, element)
    joint = SdfJoint(found.name, kind, ends[0], ends[1], T, np.zeros((0, 3)), line)
    axes = []
    for tag in ('axis', 'axis2')[:_AXES.get(kind, 1)]:
        axis = element.find(tag)
        if axis is None:
            raise fault(f'{source.where(element)} has no <{tag}>', line)
        axes.append(_direction(source, frames, found, axis, T))
        _read_axis(source, joint, axis, found)
    joint.axes = np.array(axes).reshape(-1, 3)
    if kind == 'universal' and abs(axes[0] @ axes[1]) > 1.0 - 1e-9:
        raise fault(f'both axes of {source.where(element)} are the same', line)
    return joint


def _direction(source: XmlSource, frames: SdfFrames, found: Scoped, axis: etree._Element,
               T_world_joint: Array) -> Array:
    """Return an axis in the joint's frame, shape (3,)."""
    xyz = axis.find('xyz')
    direction = source.axis('0 0 1' if xyz is None else xyz.text, 'xyz', axis)
    frame = None if xyz is None else xyz.get('expressed_in')
    if not frame:
        return direction
    T_world_frame = frames.pose(frames.full(frame, found.scope), axis)
    turned: Array = T_world_joint[:3, :3].T @ T_world_frame[:3, :3] @ direction
    return turned


def _read_axis(source: XmlSource, joint: SdfJoint, axis: etree._Element, found: Scoped) -> None:
    def value(tag: str, default: float) -> float:
        text = axis.findtext(tag)
        return default if text is None else source.number(text, tag, axis, math.inf)

    lower, upper = value('limit/lower', -math.inf), value('limit/upper', math.inf)
    free = lower <= -_UNLIMITED and upper >= _UNLIMITED or joint.kind == 'continuous'
    joint.limits.append(None if free else (max(lower, -_UNLIMITED), min(upper, _UNLIMITED)))
    strength = {name: value(f'limit/{name}', -1.0) for name in ('effort', 'velocity')}
    joint.strength.append({name: size for name, size in strength.items()
                           if 0.0 <= size < math.inf})
    dynamics = {name: value(f'dynamics/{name}', 0.0) for name in ('damping', 'friction')}
    joint.dynamics.append({name: size for name, size in dynamics.items() if size})
    stiffness = value('dynamics/spring_stiffness', 0.0)
    if stiffness:
        joint.springs.append(stiffness)
    mimic = axis.find('mimic')
    if mimic is not None:
        multiplier = source.number(mimic.findtext('multiplier'), 'multiplier', mimic)
        offset = source.number(mimic.findtext('offset') or '0', 'offset', mimic)
        reference = source.number(mimic.findtext('reference') or '0', 'reference', mimic)
        leader = f'{found.scope}{mimic.get("joint") or ""}'
        joint.mimic = (leader, multiplier, offset - multiplier * reference)
