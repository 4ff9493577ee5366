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
From SDF to URDF.

The zero of every joint is the pose in which the model is drawn. A link of the URDF has the
directions of SDF's link and its origin at the joint that leads to it.
"""

from __future__ import annotations

from collections.abc import Mapping

from lxml import etree
import numpy as np

from .ball_joints import add_ball
from .cut_joints import Cut, write_cut
from .graph_loops import Edge, spanning_tree, Step
from .motors import choose_motors, mark_passive_but
from .number_text import number, translation
from .sdf_frames import child_text, MODEL, SdfFrames, WORLD
from .sdf_joints import read_joints, SdfJoint
from .sdf_links import SdfLinks
from .urdf_document import UrdfDocument
from .xml_values import fault, XmlSource
from ..robot.transforms import Array, inverse
from ..wording import listing, quote

_OLDEST = (1, 5)  # before, poses and axes had other meanings


def read_sdf(text: str | bytes) -> UrdfDocument:
    """
    Convert an SDF.

    :raises DescriptionError: if it cannot be read, or written as URDF.
    """
    return SdfReader(text).read()


class SdfReader:
    """One conversion."""

    def __init__(self, text: str | bytes) -> None:
        """Find the model and its frames."""
        self._source = XmlSource(text)
        self._check_version()
        self.document = UrdfDocument.new('')
        self._model = self._find_model()
        self.document.root.set('name', self._model.get('name') or 'sdf')
        self._frames = SdfFrames(self._source, self._model)
        self._joints = read_joints(self._source, self._frames, self._model)
        # By body: URDF's link, and its pose in the world.
        self._links: dict[str, str] = {}
        self._poses: dict[str, Array] = {}

    def read(self) -> UrdfDocument:
        """Convert."""
        edges = {name: Edge(name, joint.kind, joint.parent, joint.child,
                            joint.needed) for name, joint in self._joints.items()}
        bodies = list(self._frames.links)
        if any(WORLD in (edge.parent, edge.child) for edge in edges.values()):
            bodies.insert(0, WORLD)
        if not bodies:
            raise fault('the model has no <link>', self._source.line(self._model))
        root = WORLD if bodies[0] == WORLD else self._frames.link_of(MODEL, self._model)
        steps, cut = spanning_tree(bodies, list(edges.values()), root)
        self._add_link(root, np.eye(4) if root == WORLD else self._pose(root))
        for step in steps:
            self._add_joint(step)
        self._check_mimics({edge.name for edge in cut})
        self._add_frames()
        self._close([self._joints[edge.name] for edge in cut])
        self._add_motors()
        self._remark_rest()
        return self.document

    def _check_version(self) -> None:
        root = self._source.root
        words = (root.get('version') or '').split('.')
        try:
            version = tuple(int(word) for word in words)
        except ValueError:
            raise fault(f'the version of <sdf> is {quote(root.get("version") or "")}; write such '
                        'as 1.9', self._source.line(root)) from None
        old = root.find('.//use_parent_model_frame')
        if version < _OLDEST or version < (1, 7) and old is not None:
            raise fault(f'SDF {root.get("version")} gives poses and axes another meaning; let gz '
                        'bring the file up to date: gz sdf -p FILE', self._source.line(root))

    def _find_model(self) -> etree._Element:
        root = self._source.root
        found = [*root.iterfind('model'), *root.iterfind('world/model')]
        moving = [model for model in found
                  if (child_text(model, 'static') or '').lower() not in ('true', '1')]
        models = moving or found
        if len(models) != 1:
            names = listing([model.get('name') or '' for model in models])
            raise fault('there is no <model>' if not models else
                        f'there are {len(models)} models: {names}; keep one in the file',
                        self._source.line(models[1] if models else root))
        for other in found:
            if other is not models[0]:
                self.document.lost(f'the static model {quote(other.get("name") or "")}: it is not '
                                   'part of the robot', self._source.line(other))
        return models[0]

    def _pose(self, body: str) -> Array:
        return self._frames.pose(body, self._frames.links[body].element)

    def _add_link(self, body: str, T_world_link: Array) -> None:
        parts = [] if body == WORLD else SdfLinks(
            self._source, self._frames, self.document).parts(
                self._frames.links[body], T_world_link)
        self._links[body] = self.document.add_link(body.replace('::', '__'), parts)
        self._poses[body] = T_world_link

    def _add_joint(self, step: Step) -> None:
        edge, way = step
        joint = self._joints[edge.name]
        above, below = (edge.parent, edge.child) if way == 'forward' else (edge.child, edge.parent)
        T_world_body = np.eye(4) if below == WORLD else self._pose(below)
        # URDF's link: at the joint, along the body.
        T = translation(joint.T_world_joint[:3, 3])
        T[:3, :3] = T_world_body[:3, :3]
        if joint.kind == 'fixed':
            T = T_world_body
        self._add_link(below, T)
        name, line = edge.name.replace('::', '__'), joint.line
        T_parent_joint = inverse(self._poses[above]) @ T
        parent, child = self._links[above], self._links[below]
        if joint.kind == 'ball':
            add_ball(self.document, name, parent, child, T_parent_joint, line)
            return
        axes = joint.axes @ (T[:3, :3].T @ joint.T_world_joint[:3, :3]).T
        order = list(range(len(axes)))
        if way == 'backward':
            axes, order = -axes, order[::-1]
        if joint.kind == 'fixed':
            self.document.add_joint(name, 'fixed', parent, child, T_parent_joint)
            return
        for place, i in enumerate(order):
            last = place == len(order) - 1
            link = child if last else self.document.add_link(f'{name}_link')
            own = name if len(order) == 1 else f'{name}_{i + 1}'
            limits = joint.limits[i]
            kind = ('prismatic' if joint.kind == 'prismatic' else
                    'continuous' if limits is None else 'revolute')
            limit = dict(joint.strength[i])
            if limits is not None:
                limit.update(lower=limits[0], upper=limits[1])
            self.document.add_joint(own, kind, parent, link, T_parent_joint, axes[i], limit=limit,
                                    dynamics=joint.dynamics[i])
            parent, T_parent_joint = link, np.eye(4)
        if way == 'backward' and len(order) > 1:
            self.document.chose(f'joint {quote(joint.name)} is passed from its child to its '
                                'parent', line)

    def _add_frames(self) -> None:
        for name, frame in self._frames.frames.items():
            body = self._frames.link_of(name, frame.element)
            if body in self._links:
                self.document.add_frame(
                    name.replace('::', '__'), self._links[body],
                    inverse(self._poses[body]) @ self._frames.pose(name, frame.element))

    def _check_mimics(self, cut: set[str]) -> None:
        for joint in self._joints.values():
            if joint.mimic is None:
                continue
            leader, multiplier, offset = joint.mimic
            known = self._joints.get(leader)
            if known is None or len(known.axes) != 1 or len(joint.axes) != 1 or {
                    leader, joint.name} & cut:
                raise fault(f'joint {quote(joint.name)} mimics {quote(leader)}; this can be '
                            'written only of two hinges or slides that are not cut', joint.line)
            self.document.set_mimic(joint.name.replace('::', '__'), leader.replace('::', '__'),
                                    multiplier, offset)

    def _close(self, cut: list[SdfJoint]) -> None:
        """Write the joints that were cut, and Drake's ball constraints."""
        robot = self.document.robot() if cut else None
        for joint in cut:
            assert robot is not None, 'there is something to close'
            limits = joint.limits[0] if joint.limits else None
            T = joint.T_world_joint
            write_cut(self.document, robot, Cut(
                joint.name.replace('::', '__'), joint.kind,
                self._links[joint.parent], inverse(self._poses[joint.parent]) @ T,
                self._links[joint.child], inverse(self._poses[joint.child]) @ T,
                joint.axes, limits, joint.line))
        for element in self._model.iterchildren('*'):
            if etree.QName(element).localname == 'ball_constraint':
                self._ball_constraint(element)

    def _ball_constraint(self, element: etree._Element) -> None:
        parts: Mapping[str, str] = {
            etree.QName(child).localname.removeprefix('ball_constraint_'): child.text or ''
            for child in element.iterchildren('*')}
        line, frames = self._source.line(element), []
        for letter, point in (('A', 'p_AP'), ('B', 'p_BQ')):
            body = parts.get(f'body_{letter}', '').strip()
            if body not in self._links:
                raise fault(f'ball_constraint_body_{letter} names the unknown link {quote(body)}',
                            line)
            at = self._pose(body) @ translation(self._source.numbers(
                parts.get(point), 3, f'ball_constraint_{point}', element))
            frames.append(self.document.add_frame(
                f'ball_constraint_{letter.lower()}', self._links[body],
                inverse(self._poses[body]) @ at))
        self.document.close('ball_constraint', 'point', frames[0], frames[1])

    def _add_motors(self) -> None:
        known = {joint.get('name') for joint in self.document.joints()}
        motors = [name.replace('::', '__') for name, joint in self._joints.items()
                  if joint.actuated and joint.mimic is None]
        told = any(joint.actuated is not None for joint in self._joints.values())
        if told:
            mark_passive_but(self.document, [name for name in motors if name in known])
        else:
            choose_motors(self.document, 'a plugin that names the joint, or an effort limit of 0 '
                          'for those without')

    def _remark_rest(self) -> None:
        lost = self.document.lost
        for joint in self._joints.values():
            for stiffness in joint.springs:
                lost(f'the spring of joint {quote(joint.name)} (stiffness {number(stiffness)}): '
                     'it moves freely, or as its loop wants it', joint.line)
        for element in self._model.iter('*'):
            name = etree.QName(element).localname
            if name == 'include':
                lost(f'<include> of {quote(child_text(element, "uri") or "")}, which is not '
                     'fetched: what is in it is missing', self._source.line(element))
            elif name == 'plugin':
                lost(f'plugin {quote(element.get("name") or element.get("filename") or "")}: '
                     'it does nothing here', self._source.line(element))
            elif name == 'linear_bushing_rpy':
                lost('a linear bushing of Drake, which is a spring: nothing is tied there; if it '
                     'stands for a hinge, write a joint', self._source.line(element))
            elif name == 'gripper':
                lost('<gripper>: it grasps nothing here', self._source.line(element))
