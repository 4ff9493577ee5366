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


"""Equality constraints of MJCF: closures, mimics, and joints that are held."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .mjcf_model import MjcfModel
from .number_text import pose_from_wxyz, translation
from .urdf_document import UrdfDocument
from .xml_values import fault
from ..robot.model import ClosureKind
from ..robot.transforms import Array, inverse
from ..wording import quote


def _active(model: MjcfModel, *kinds: str) -> list[int]:
    """Return the ids of the active equalities of some types, such as 'CONNECT'."""
    wanted = [int(getattr(model.mujoco.mjtEq, f'mjEQ_{kind}')) for kind in kinds]
    return [i for i in range(model.m.neq)
            if model.m.eq_active0[i] and model.m.eq_type[i] in wanted]


def _ends(model: MjcfModel, equality: int) -> tuple[tuple[int, Array], tuple[int, Array]]:
    """
    Return both bodies of a connect or weld, with the frames in them that are to coincide.

    The compiled data is the same for both ways to write them: anchor in body 1 and in body 2 of
    a connect; anchor in body 2, then position and quaternion in body 1 of a weld.
    """
    m = model.m
    numbers = (int(m.eq_obj1id[equality]), int(m.eq_obj2id[equality]))
    if m.eq_objtype[equality] == model.mujoco.mjtObj.mjOBJ_SITE:
        sites = [(int(m.site_bodyid[site]), model.pose('site', site)) for site in numbers]
        return sites[0], sites[1]
    data = m.eq_data[equality]
    if m.eq_type[equality] == model.mujoco.mjtEq.mjEQ_CONNECT:
        return (numbers[0], translation(data[:3])), (numbers[1], translation(data[3:6]))
    return ((numbers[0], pose_from_wxyz(data[3:6], data[6:10])),
            (numbers[1], translation(data[:3])))


def touches_world(model: MjcfModel) -> bool:
    """Tell whether a connect or weld has the world for one of its bodies."""
    return any(body == 0 for equality in _active(model, 'CONNECT', 'WELD')
               for body, _ in _ends(model, equality))


def add_closures(model: MjcfModel, document: UrdfDocument, links: Mapping[int, str],
                 T_body_link: Mapping[int, Array]) -> None:
    """
    Write connects as points and welds as rigid closures, and tell which equalities are not kept.

    :param links: by body.
    :param T_body_link: pose of the link in its body, by body.
    """
    for equality in _active(model, 'CONNECT', 'WELD'):
        name, line = model.name('equality', equality), model.line('equality', equality)
        weld = model.m.eq_type[equality] == model.mujoco.mjtEq.mjEQ_WELD
        kind: ClosureKind = 'rigid' if weld else 'point'
        if weld and model.m.eq_data[equality][10] == 0.0:
            kind = 'point'
            document.chose(f'weld {quote(name)} has torquescale 0 and ties no orientation: it is '
                           'a point', line)
        frames = [document.add_frame(f'{name}_{letter}', links[body],
                                     inverse(T_body_link[body]) @ T)
                  for letter, (body, T) in zip('ab', _ends(model, equality))]
        document.close(name, kind, *frames)
    for equality in range(model.m.neq):
        name, line = model.name('equality', equality), model.line('equality', equality)
        kind_name = str(model.mujoco.mjtEq(int(model.m.eq_type[equality])).name).removeprefix(
            'mjEQ_').lower()
        if not model.m.eq_active0[equality]:
            document.lost(f'{kind_name} {quote(name)}, which is not active: it ties nothing', line)
        elif kind_name not in ('connect', 'weld', 'joint'):
            document.lost(f'{kind_name} {quote(name)} is an equality that URDF has not got: what '
                          'it ties moves freely', line)


def held_joints(model: MjcfModel) -> dict[int, float]:
    """Return the joints that an equality holds, with their displacement from qpos0, rad or m."""
    m = model.m
    return {int(m.eq_obj1id[i]): float(m.eq_data[i][0])
            for i in _active(model, 'JOINT') if m.eq_obj2id[i] < 0}


def add_couplings(model: MjcfModel, document: UrdfDocument, joints: Mapping[int, str],
                  ) -> dict[str, str]:
    """
    Write linear couplings of two joints as mimics.

    Joints that are coupled follow one of them: one with a motor if there is one.

    :param joints: name by id, of hinges and slides.
    :return: by joint that follows: the one it follows.
    :raises DescriptionError: if a coupling is not linear, or contradicts another.
    """
    couplings = _couplings(model)
    driven = _with_actuator(model)
    followers: dict[int, tuple[int, float, float]] = {}
    for leader in sorted(couplings, key=lambda joint: (joint not in driven, joint)):
        if leader not in followers:
            followers.update(_following(model, leader, couplings))
    names = {}
    for joint, (leader, multiplier, offset) in followers.items():
        if joint != leader:
            document.set_mimic(joints[joint], joints[leader], multiplier, offset)
            names[joints[joint]] = joints[leader]
    return names


def _couplings(model: MjcfModel) -> dict[int, list[tuple[int, float, float]]]:
    """
    Read the couplings of two joints, both ways round.

    :return: by joint: the other, and multiplier and offset so that the other is at
        ``multiplier * q + offset``, all from qpos0.
    """
    held = held_joints(model)
    couplings: dict[int, list[tuple[int, float, float]]] = {}
    for i in _active(model, 'JOINT'):
        first, second = int(model.m.eq_obj1id[i]), int(model.m.eq_obj2id[i])
        c = model.m.eq_data[i][:5]
        if second < 0:
            continue
        if np.any(c[2:]) or c[1] == 0.0 or first in held or second in held:
            raise fault(
                f'the coupling {quote(model.name("equality", i))} of joint '
                f'{quote(model.name("joint", first))} to {quote(model.name("joint", second))} has '
                f'polycoef {" ".join(f"{value:g}" for value in c)}; only a linear one of two '
                'joints that move can be written, as <mimic>: model the linkage that it stands '
                'for, or take it out', model.line('equality', i))
        couplings.setdefault(second, []).append((first, float(c[1]), float(c[0])))
        couplings.setdefault(first, []).append((second, float(1.0 / c[1]), float(-c[0] / c[1])))
    return couplings


def _following(model: MjcfModel, leader: int,
               couplings: Mapping[int, list[tuple[int, float, float]]],
               ) -> dict[int, tuple[int, float, float]]:
    """Return, for all joints that are coupled to one: that one, multiplier and offset."""
    found, waiting = {leader: (leader, 1.0, 0.0)}, [leader]
    while waiting:
        joint = waiting.pop()
        _, multiplier, offset = found[joint]
        for other, factor, shift in couplings[joint]:
            position = (leader, factor * multiplier, factor * offset + shift)
            if other not in found:
                found[other] = position
                waiting.append(other)
            elif not np.allclose(position[1:], found[other][1:], atol=1e-9):
                raise fault(
                    f'the couplings of joint {quote(model.name("joint", other))} contradict one '
                    'another; take one out', model.line('joint', other))
    return found


def _with_actuator(model: MjcfModel) -> set[int]:
    kinds = (int(model.mujoco.mjtTrn.mjTRN_JOINT), int(model.mujoco.mjtTrn.mjTRN_JOINTINPARENT))
    return {int(target[0]) for kind, target in zip(
        model.m.actuator_trntype, model.m.actuator_trnid) if kind in kinds}
