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


"""Actuators of MJCF: which joints they drive, and how strongly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .mjcf_model import MjcfModel
from .motors import choose_motors, mark_passive_but
from .urdf_document import UrdfDocument
from ..wording import listing, quote


def _driven(model: MjcfModel, actuator: int) -> list[int] | None:
    """
    Return the ids of the joints that an actuator drives, directly or through a fixed tendon.

    :return: None if it acts on something else.
    """
    m, kinds = model.m, model.mujoco.mjtTrn
    kind, target = int(m.actuator_trntype[actuator]), int(m.actuator_trnid[actuator][0])
    if kind in (int(kinds.mjTRN_JOINT), int(kinds.mjTRN_JOINTINPARENT)):
        return [target]
    if kind != int(kinds.mjTRN_TENDON):
        return None
    first = int(m.tendon_adr[target])
    wraps = range(first, first + int(m.tendon_num[target]))
    if any(m.wrap_type[i] != model.mujoco.mjtWrap.mjWRAP_JOINT for i in wraps):
        return None
    return [int(m.wrap_objid[i]) for i in wraps]


def _actuators(model: MjcfModel) -> Iterator[int]:
    return iter(range(len(model.m.actuator_trntype)))


def efforts(model: MjcfModel) -> dict[int, float]:
    """Return the largest force or torque of joints, N or Nm, where the file bounds it."""
    m = model.m
    found = {joint: float(abs(m.jnt_actfrcrange[joint]).max())
             for joint in range(m.njnt) if m.jnt_actfrclimited[joint]}
    for actuator in _actuators(model):
        joints = _driven(model, actuator) or []
        if m.actuator_forcelimited[actuator] and len(joints) == 1:
            found.setdefault(joints[0], float(
                abs(m.actuator_gear[actuator][0]) * abs(m.actuator_forcerange[actuator]).max()))
    return found


def add_motors(model: MjcfModel, document: UrdfDocument, joints: Mapping[int, str],
               leaders: Mapping[str, str]) -> None:
    """
    Mark the joints without actuator as passive, and tell which actuators are not kept.

    :param joints: name by id, of hinges and slides.
    :param leaders: by joint with a mimic: the one it follows.
    """
    motors: set[str] = set()
    for actuator in _actuators(model):
        name, line = model.name('actuator', actuator), model.line('actuator', actuator)
        driven = _driven(model, actuator)
        if driven is None:
            document.lost(f'actuator {quote(name)} acts on no joint and no fixed tendon: it '
                          'makes no joint a motor', line)
            continue
        names = [joints[joint] for joint in driven if joint in joints]
        if len(names) < len(driven):
            document.lost(f'actuator {quote(name)} drives a ball, free or held joint: there is '
                          'no motor for it', line)
        moved = list(dict.fromkeys(leaders.get(name, name) for name in names))
        motors.update(moved)
        if len(driven) > 1:
            document.chose(
                f'actuator {quote(name)} drives {listing(names)} together, by a tendon; '
                + (f'the motor is {listing(moved)}' if len(moved) < 2 else
                   f'{listing(moved)} are motors each: nothing else ties them'), line)
    if any(True for _ in _actuators(model)):
        mark_passive_but(document, motors)
    else:
        choose_motors(document, 'an actuator on the joint')
    for tendon in range(model.m.ntendon):
        first = int(model.m.tendon_adr[tendon])
        tied = [joints[int(model.m.wrap_objid[i])]
                for i in range(first, first + int(model.m.tendon_num[tendon]))
                if model.m.wrap_type[i] == model.mujoco.mjtWrap.mjWRAP_JOINT
                and int(model.m.wrap_objid[i]) in joints]
        groups = {leaders.get(name, name) for name in tied}
        document.lost(f'tendon {quote(model.name("tendon", tendon))}: it neither pulls nor limits'
                      + (f', and does not tie {listing(tied)}' if len(groups) > 1 else ''),
                      model.line('tendon', tendon))
