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

"""The same mechanism written differently: order, frames, units, limits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from support.tree import Joint, Mechanism, pose, turn


def shuffled(mechanism: Mechanism, rng: np.random.Generator) -> Mechanism:
    """Write links, joints and closures in another order, and each closure's frames swapped."""
    return replace(
        mechanism,
        links=tuple(mechanism.links[i] for i in rng.permutation(len(mechanism.links))),
        joints=tuple(mechanism.joints[i] for i in rng.permutation(len(mechanism.joints))),
        closures=tuple(replace(mechanism.closures[i], a=mechanism.closures[i].b,
                               b=mechanism.closures[i].a)
                       for i in rng.permutation(len(mechanism.closures))))


def renamed(mechanism: Mechanism, rng: np.random.Generator) -> tuple[Mechanism, dict[str, str]]:
    """
    Call the joints otherwise, in another alphabetical order.

    :return: the mechanism, and the old names by the new ones.
    """
    names = [joint.name for joint in mechanism.joints]
    new = {name: f'j{place:03d}' for name, place in zip(names, rng.permutation(len(names)))}

    def called(joint: Joint) -> Joint:
        mimic = joint.mimic and (new[joint.mimic[0]], *joint.mimic[1:])
        return replace(joint, name=new[joint.name], mimic=mimic)

    return (replace(mechanism, joints=tuple(map(called, mechanism.joints))),
            {after: before for before, after in new.items()})


def turned(mechanism: Mechanism, rng: np.random.Generator) -> Mechanism:
    """
    Turn every link frame but the root's as CAD exports do, the mechanism staying the same.

    Frames that a rigid closure ties together are turned alike.
    """
    turns = {link: turn(rng.normal(size=3), rng.uniform(-np.pi, np.pi))
             for link in mechanism.links}
    for closure in mechanism.closures:
        if closure.kind == 'rigid':
            turns[closure.b] = turns[closure.a]
    roots = set(mechanism.links) - {joint.child for joint in mechanism.joints}
    turns.update((root, np.eye(3)) for root in roots)
    return replace(mechanism, joints=tuple(
        replace(joint, T=pose(R=turns[joint.parent].T) @ joint.T @ pose(R=turns[joint.child]),
                axis=turns[joint.child].T @ joint.axis)
        for joint in mechanism.joints))


def scaled(mechanism: Mechanism, factor: float) -> Mechanism:
    """Make everything larger: lengths, and limits and mimic offsets that are lengths."""
    kinds = {joint.name: joint.kind for joint in mechanism.joints}

    def grown(joint: Joint) -> Joint:
        T = pose(joint.T[:3, 3] * factor, joint.T[:3, :3])
        own = factor if joint.kind == 'prismatic' else 1.0
        mimic, limits = joint.mimic, joint.limits
        if mimic is not None:
            source = factor if kinds[mimic[0]] == 'prismatic' else 1.0
            mimic = (mimic[0], mimic[1] * own / source, mimic[2] * own)
        if limits is not None:
            limits = (limits[0] * own, limits[1] * own)
        return replace(joint, T=T, mimic=mimic, limits=limits)

    return replace(mechanism, joints=tuple(grown(joint) for joint in mechanism.joints))


def limited(mechanism: Mechanism, name: str, limits: tuple[float, float]) -> Mechanism:
    """Make a joint a revolute one with limits."""
    return replace(mechanism, joints=tuple(
        replace(joint, kind='revolute', limits=limits) if joint.name == name else joint
        for joint in mechanism.joints))
