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

"""A robot as its description has it: a spanning tree and the closures that make loops of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
import math
from typing import Literal

import numpy as np

from .read_only import Frozen, read_only, ReadOnly
from .transforms import Array

JointKind = Literal['revolute', 'continuous', 'prismatic', 'fixed', 'floating', 'planar']
JointRole = Literal['actuated', 'passive', 'mimic', 'fixed', 'floating', 'planar']
ClosureKind = Literal['point', 'rigid']


@dataclass(frozen=True)
class Mimic:
    """
    A joint's position as a linear function of another's: ``multiplier * q + offset``.

    :param joint: name of the source joint.
    :param multiplier: unit of this joint over unit of the source.
    :param offset: rad or m.
    """

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, eq=False)
class Joint(Frozen):
    """
    One joint of the spanning tree.

    :param name: unlike that of any other joint.
    :param kind: its type in URDF.
    :param parent: name of the link nearer to the root.
    :param child: name of the link that it moves.
    :param T_parent_joint: pose of the joint's frame (that is, of the child link's frame at
        position zero) in the parent link's frame, shape (4, 4), m.
    :param axis: unit vector in the joint's frame, shape (3,).
    :param lower: rad or m; None where the joint has no such limit.
    :param upper: rad or m; None where the joint has no such limit.
    :param mimic: None where the joint moves by itself. A passive joint never has one: its
        closures decide.
    :param actuated: whether a motor drives it.
    :param line: line of the element in the description, from 1.
    """

    name: str
    kind: JointKind
    parent: str
    child: str
    T_parent_joint: Array
    axis: Array
    lower: float | None = None
    upper: float | None = None
    mimic: Mimic | None = None
    actuated: bool = True
    line: int = 0

    def __post_init__(self) -> None:
        """Own the arrays: what has been compiled of them stays true."""
        object.__setattr__(self, 'T_parent_joint', read_only(self.T_parent_joint))
        object.__setattr__(self, 'axis', read_only(self.axis))

    @property
    def moving(self) -> bool:
        """Whether a joint state carries a position of this joint."""
        return self.kind in ('revolute', 'continuous', 'prismatic')

    @property
    def role(self) -> JointRole:
        """
        Who decides its position: a motor, the closures, or the joint that it follows.

        A joint that no joint state carries has its kind for a role.
        """
        if self.kind == 'fixed' or self.kind == 'floating' or self.kind == 'planar':
            return self.kind
        if self.mimic is not None:
            return 'mimic'
        return 'actuated' if self.actuated else 'passive'

    @property
    def unit(self) -> Literal['rad', 'm']:
        """Return the unit of its position; without a meaning where no joint state carries one."""
        return 'm' if self.kind == 'prismatic' else 'rad'

    @property
    def limits(self) -> tuple[float, float]:
        """Lower and upper limit, rad or m; infinite where it has none, as if continuous."""
        if self.kind == 'continuous':
            return -math.inf, math.inf
        return (-math.inf if self.lower is None else self.lower,
                math.inf if self.upper is None else self.upper)

    def excess(self, position: float) -> float:
        """
        Return how far a position is beyond the limits.

        :param position: rad or m.
        :return: negative below the lower limit, positive above the upper, else 0; rad or m.
        """
        lower, upper = self.limits
        return min(position - lower, 0.0) + max(position - upper, 0.0)


@dataclass(frozen=True)
class LoopClosure:
    """
    Two link frames tied together.

    :param name: unlike that of any other closure.
    :param kind: 'point' (the origins coincide) or 'rigid' (the frames coincide).
    :param frame_a: name of a link.
    :param frame_b: name of another link.
    :param line: line of the element in the description, from 1.
    """

    name: str
    kind: ClosureKind
    frame_a: str
    frame_b: str
    line: int = 0

    @property
    def rows(self) -> int:
        """Return the number of scalar equations: 3, and 3 more of the orientation if rigid."""
        return 6 if self.kind == 'rigid' else 3


@dataclass(frozen=True, eq=False)
class Robot(Frozen):
    """
    A robot description, checked: one root, no cycle, every name resolved, no mimic cycle.

    :param name: of the robot.
    :param root: name of the link that no joint leads to.
    :param links: names, in document order.
    :param joints: in document order; this is the order of every output.
    :param closures: in document order.
    """

    name: str
    root: str
    links: tuple[str, ...]
    joints: tuple[Joint, ...]
    closures: tuple[LoopClosure, ...] = ()

    @cached_property
    def by_name(self) -> Mapping[str, Joint]:
        """Joints by name."""
        return ReadOnly({joint.name: joint for joint in self.joints})

    @cached_property
    def by_child(self) -> Mapping[str, Joint]:
        """Return the joint that leads to each link but the root."""
        return ReadOnly({joint.child: joint for joint in self.joints})

    @cached_property
    def moving_joints(self) -> tuple[Joint, ...]:
        """Joints that a joint state carries: revolute, continuous, prismatic."""
        return tuple(joint for joint in self.joints if joint.moving)

    @cached_property
    def outward(self) -> tuple[Joint, ...]:
        """Joints from the root outward: a document may name a child before its parent."""
        behind: dict[str, list[Joint]] = {}
        for joint in self.joints:
            behind.setdefault(joint.parent, []).append(joint)
        ordered, waiting = [], behind.get(self.root, [])[::-1]
        while waiting:
            ordered.append(waiting.pop())
            waiting += behind.get(ordered[-1].child, [])[::-1]
        return tuple(ordered)

    @cached_property
    def followers(self) -> Mapping[str, tuple[Joint, ...]]:
        """Return the moving joints that each joint decides: itself, and those that mimic it."""
        found: dict[str, list[Joint]] = {}
        for joint in self.moving_joints:
            found.setdefault(self.source(joint)[0].name, []).append(joint)
        return ReadOnly({name: tuple(joints) for name, joints in found.items()})

    @cached_property
    def undisplaced(self) -> Mapping[str, Array]:
        """
        Poses of the links with no joint displaced at all, not even by the offset of a mimic.

        :return: ``T_root_link``, shape (4, 4), m, by link.
        """
        poses = {self.root: np.eye(4)}
        for joint in self.outward:
            poses[joint.child] = poses[joint.parent] @ joint.T_parent_joint
        return ReadOnly({link: read_only(pose) for link, pose in poses.items()})

    @cached_property
    def size(self) -> float:
        """Diagonal of the box around the links' origins, undisplaced, m; 1 if all are in one."""
        origins = np.array([pose[:3, 3] for pose in self.undisplaced.values()])
        diagonal = float(np.linalg.norm(np.ptp(origins, axis=0)))
        return diagonal if diagonal > 1e-9 else 1.0

    def chain(self, link: str) -> tuple[Joint, ...]:
        """
        Return the joints from the root to a link.

        :param link: its name.
        :raises KeyError: if there is no such link.
        """
        joints: list[Joint] = []
        while link != self.root:
            joints.append(self.by_child[link])
            link = joints[-1].parent
        return tuple(reversed(joints))

    def loop(self, closure: LoopClosure) -> tuple[tuple[Joint, ...], tuple[Joint, ...]]:
        """
        Return the joints from the lowest common ancestor to frame A, and those to frame B.

        Only these move the closure's frames against each other. The tree is climbed from both
        frames in turn, so that it does not matter how far the root is.

        :param closure: one of the robot's.
        """
        links = [closure.frame_a, closure.frame_b]
        climbed: tuple[list[Joint], list[Joint]] = ([], [])
        heights = ({links[0]: 0}, {links[1]: 0})
        side = 0
        while links[side] not in heights[1 - side]:
            if links[side] != self.root:
                joint = self.by_child[links[side]]
                climbed[side].append(joint)
                links[side] = joint.parent
                heights[side][joint.parent] = len(climbed[side])
            if links[side] not in heights[1 - side]:
                side = 1 - side
        height = heights[1 - side][links[side]]
        del climbed[1 - side][height:]
        return tuple(reversed(climbed[0])), tuple(reversed(climbed[1]))

    def source(self, joint: Joint) -> tuple[Joint, float, float]:
        """
        Follow a mimic chain to its end.

        :param joint: where the chain begins.
        :return: the joint that moves by itself, multiplier and offset, so that this joint's
            position is ``multiplier * q + offset`` (1 and 0 for a joint without mimic).
        """
        return self._sources.get(joint.name, (joint, 1.0, 0.0))

    @cached_property
    def _sources(self) -> dict[str, tuple[Joint, float, float]]:
        """Where the chain of each mimic joint ends; every link of a chain is followed once."""
        ends: dict[str, tuple[Joint, float, float]] = {}
        for start in self.joints:
            joint, path = start, []
            while joint.mimic is not None and joint.name not in ends:
                path.append((joint.name, joint.mimic))
                joint = self.by_name[joint.mimic.joint]
            source, multiplier, offset = ends.get(joint.name, (joint, 1.0, 0.0))
            for name, mimic in reversed(path):
                multiplier = mimic.multiplier * multiplier
                offset = mimic.multiplier * offset + mimic.offset
                ends[name] = source, multiplier, offset
        return ends
