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
From MJCF to URDF.

A joint's zero is MuJoCo's reference configuration ``qpos0``: there its body stands as the file
has it, and there anchors are read. A body's link has its frame at the anchor of the body's last
joint, since URDF turns a link about its own frame.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .ball_joints import add_ball, turns_of
from .mjcf_constraints import add_closures, add_couplings, held_joints, touches_world
from .mjcf_model import MjcfModel
from .mjcf_motors import add_motors, efforts
from .mjcf_parts import link_parts
from .number_text import rotation_from_wxyz, translation
from .urdf_document import UrdfDocument
from ..robot.transforms import Array, inverse, rotation_about, transform
from ..wording import quote

_SPRING = 1e-12


class MjcfReader:
    """
    One conversion.

    :ivar links: link by body.
    :ivar T_body_link: pose of the link in the body, shape (4, 4), by body.
    :ivar joints: joint's name by id, of hinges and slides.
    """

    def __init__(self, path: Path) -> None:
        """
        Read and compile the file.

        :raises DescriptionError: if MuJoCo is missing or refuses it.
        """
        self.model = MjcfModel(path)
        self.document = UrdfDocument.new(self.model.spec.modelname or 'mujoco')
        self.folder = path.parent
        self.links: dict[int, str] = {}
        self.T_body_link: dict[int, Array] = {}
        self.joints: dict[int, str] = {}
        self._balls: dict[int, list[str]] = {}

    def read(self) -> UrdfDocument:
        """
        Convert.

        :raises DescriptionError: if something cannot be written, and cannot be left out.
        """
        self._held = held_joints(self.model)
        self._efforts = efforts(self.model)
        for body in range(self.model.m.nbody):
            self._add_body(body, int(self.model.m.body_parentid[body]))
        if not self.document.root.findall('link'):
            self._add_link(0, 'world', np.eye(4))
        add_closures(self.model, self.document, self.links, self.T_body_link)
        leaders = add_couplings(self.model, self.document, self.joints)
        add_motors(self.model, self.document, self.joints, leaders)
        self._remark_rest()
        return self.document

    def _add_body(self, body: int, parent: int) -> None:
        model, m = self.model, self.model.m
        if body == 0:
            if not self._floats():
                self._add_link(0, 'world', np.eye(4))
            return
        if parent not in self.links:
            self._add_link(body, model.name('body', body), np.eye(4))
            self.document.chose(
                f'{quote(self.links[body])} moves freely in the world: it is the root',
                model.line('body', body))
            return
        if m.body_mocapid[body] >= 0:
            self.document.lost(f'body {quote(model.name("body", body))} is a mocap body, moved '
                               'from outside: it stands still', model.line('body', body))
        T = inverse(self.T_body_link[parent]) @ model.pose('body', body)
        link, joints = self.links[parent], list(model.joints_of(body))
        name = model.name('body', body)
        if not joints:
            self._add_link(body, name, np.eye(4))
            self.document.add_joint(f'{name}_fixed', 'fixed', link, self.links[body], T)
            return
        for i, joint in enumerate(joints):
            at = translation(m.jnt_pos[joint])
            if i == len(joints) - 1:
                self._add_link(body, name, at)
                child = self.links[body]
            else:
                child = self.document.add_link(f'{name}_{i + 1}')
            self._add_joint(joint, link, child, T @ at)
            link, T = child, inverse(at)

    def _floats(self) -> bool:
        """Tell whether the world's one body moves freely, and nothing is tied to the world."""
        m = self.model.m
        top = [body for body in range(1, m.nbody) if m.body_parentid[body] == 0]
        if len(top) != 1 or touches_world(self.model):
            return False
        joints = list(self.model.joints_of(top[0]))
        if len(joints) != 1 or m.jnt_type[joints[0]] != self.model.mujoco.mjtJoint.mjJNT_FREE:
            return False
        shapes = self.model.geoms_of(0)
        if shapes:
            self.document.lost(f'{len(shapes)} geoms of the world (a floor): the root is the body '
                               'that moves freely', self.model.line('geom', shapes[0]))
        return True

    def _add_link(self, body: int, name: str, T_body_link: Array) -> None:
        parts = link_parts(self.model, self.document, body, inverse(T_body_link), self.folder)
        self.links[body] = self.document.add_link(name, parts)
        self.T_body_link[body] = T_body_link

    def _add_joint(self, joint: int, parent: str, child: str, T: Array) -> None:
        model, m, kinds = self.model, self.model.m, self.model.mujoco.mjtJoint
        name, line = model.name('joint', joint), model.line('joint', joint)
        kind = m.jnt_type[joint]
        if kind == kinds.mjJNT_FREE:
            self.document.add_joint(name, 'floating', parent, child, T)
            self._remark_joint(joint)
            return
        if kind == kinds.mjJNT_BALL:
            self._balls[joint] = add_ball(self.document, name, parent, child, T, line)
            if m.jnt_limited[joint]:
                self.document.lost(f'the limit of ball joint {quote(name)}: it is a cone, and '
                                   'three hinges have none', line)
            self._remark_joint(joint)
            return
        slides, axis = kind == kinds.mjJNT_SLIDE, m.jnt_axis[joint]
        zero = model.zero(joint)
        if joint in self._held:
            value = self._held[joint]
            moved = translation(axis * value) if slides else transform(
                rotation_about(axis, value), np.zeros(3))
            self.document.add_joint(name, 'fixed', parent, child, T @ moved)
            self.document.chose(f'an equality holds joint {quote(name)} at {zero + value:g}: it '
                                'is fixed', line)
            return
        limit = {}
        if m.jnt_limited[joint]:
            limit = {'lower': m.jnt_range[joint][0] - zero, 'upper': m.jnt_range[joint][1] - zero}
        elif slides:
            self.document.chose(f'slide {quote(name)} has no range, which URDF demands: it may '
                                'move 1 km either way', line)
        if joint in self._efforts:
            limit['effort'] = self._efforts[joint]
        written = 'prismatic' if slides else 'revolute' if m.jnt_limited[joint] else 'continuous'
        dof = int(m.jnt_dofadr[joint])
        dynamics = {key: float(values[dof]) for key, values in (
            ('damping', m.dof_damping), ('friction', m.dof_frictionloss)) if values[dof]}
        self.joints[joint] = self.document.add_joint(
            name, written, parent, child, T, axis, limit=limit, dynamics=dynamics)
        if zero:
            self.document.chose(f'joint {quote(name)}: 0 is what was {zero:.9g} (ref), where the '
                                'bodies stand as they were written', line)
        self._remark_joint(joint)

    def _remark_joint(self, joint: int) -> None:
        model, m = self.model, self.model.m
        name, line = model.name('joint', joint), model.line('joint', joint)
        if m.jnt_stiffness[joint] > _SPRING:
            self.document.lost(f'the spring of joint {quote(name)}: it moves freely, or as its '
                               'loop wants it', line)
        if m.dof_armature[m.jnt_dofadr[joint]]:
            self.document.lost(f'the armature of joint {quote(name)}: no inertia of a rotor is '
                               'added', line)

    def _remark_rest(self) -> None:
        """Tell what else is in the file, by kind."""
        model, m = self.model, self.model.m
        for kind, count, consequence in (
                ('site', m.nsite, 'those of closures are links, no others'),
                ('camera', m.ncam, 'there is none'), ('sensor', m.nsensor, 'there is none'),
                ('light', m.nlight, 'there is none'), ('flex', m.nflex, 'nothing soft is there'),
                ('skin', m.nskin, 'nothing is drawn for it'),
                ('contact exclusion', m.nexclude, 'these bodies may collide'),
                ('texture', model.textures, 'shapes have the colour of their material')):
            if count:
                self.document.lost(f'{count} {kind}{"s" if count > 1 else ""}: {consequence}')
        for file, line in model.missing_meshes.items():
            self.document.lost(
                f'mesh {quote(file, 200)}, which is not below the folder of the input: it is '
                'neither shown nor does it collide, and weighs nothing where a body states no '
                'inertia; put it there', line)
        for key in range(m.nkey):
            name = model.name('key', key)
            self.document.keyframes[name] = self._keyframe(m.key_qpos[key])
            self.document.chose(f'keyframe {quote(name)} is not the zero of the joints; '
                                f'--home {name} makes it so', model.line('key', key))

    def _keyframe(self, qpos: Array) -> dict[str, float]:
        """
        Return a pose by URDF's joints, rad and m.

        :param qpos: as MuJoCo has it, shape (nq,).
        """
        address = self.model.m.jnt_qposadr
        pose = {name: float(qpos[address[joint]]) - self.model.zero(joint)
                for joint, name in self.joints.items()}
        for joint, names in self._balls.items():
            first = address[joint]
            pose.update(zip(names, turns_of(rotation_from_wxyz(qpos[first:first + 4]))))
        return pose


def read_mjcf(path: Path) -> UrdfDocument:
    """
    Convert an MJCF.

    :raises DescriptionError: if it cannot be read or written as URDF.
    """
    return MjcfReader(path).read()
