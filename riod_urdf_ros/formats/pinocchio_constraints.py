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


"""The closures of a robot as constraint models of Pinocchio, for its dynamics."""

from __future__ import annotations

from typing import Any

from ..exceptions import UsageError
from ..robot.model import Robot
from ..wording import quote


def pinocchio_constraints(robot: Robot, model: Any) -> list[Any]:
    """
    Return one ``RigidConstraintModel`` a closure: 3D for a point, 6D for a rigid one.

    Pinocchio (``pip install pin``) reads neither of riod's elements, but the URDF they stand in:
    ``model = pinocchio.buildModelFromUrdf(path)``. Complete the configuration here first: its
    constrained dynamics start from closed loops.

    :param robot: its description.
    :param model: the ``pinocchio.Model`` of the same URDF.
    :return: in document order, each with the closure's name.
    :raises UsageError: if Pinocchio is missing, or its model has not got a closure's frame.
    """
    try:
        import pinocchio
    except ImportError:
        raise UsageError('Pinocchio is not installed: pip install pin') from None
    constraints = []
    for closure in robot.closures:
        ends = []
        for name in (closure.frame_a, closure.frame_b):
            if not model.existFrame(name):
                raise UsageError(f'the model of Pinocchio has no frame {quote(name)}, which '
                                 f'closure {quote(closure.name)} ties; is it of the same URDF?')
            frame = model.frames[model.getFrameId(name)]
            ends += [frame.parentJoint, frame.placement]
        kind = (pinocchio.ContactType.CONTACT_6D if closure.kind == 'rigid' else
                pinocchio.ContactType.CONTACT_3D)
        constraint = pinocchio.RigidConstraintModel(
            kind, model, *ends, pinocchio.ReferenceFrame.LOCAL)
        constraint.name = closure.name
        constraints.append(constraint)
    return constraints
