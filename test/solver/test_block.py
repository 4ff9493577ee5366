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

"""Single evaluations of a block against those of arrays and finite differences."""

from __future__ import annotations

import numpy as np
import pytest
from riod_urdf_ros.constraints.recordings import ClosureCode
from riod_urdf_ros.robot.model import Robot
from riod_urdf_ros.solver.block import Block
from riod_urdf_ros.urdf.parser import parse
from support.inline import four_bar, joint, point, robot, X, Y
from support.mechanisms import stewart
from support.oracles_spatial import Stewart

LEVER = robot(  # one unknown, two rows, which can be met at home only
    joint('x', 'prismatic', 'base', (1, 0, 0), axis=X),
    joint('turn', 'revolute', 'base', (1, 0, 0), axis=Y, passive=True),
    joint('arm', 'fixed', 'turn', (0.5, 0.2, 0)), joint('tip', 'fixed', 'x', (0.5, 0.2, 0)),
    point('loop', 'arm', 'tip'))


def block_of(robot: Robot) -> tuple[Block, int]:
    """Return the block of all closures with all passive joints unknown; the size of q."""
    code = ClosureCode(robot)
    unknown = [joint.name for joint in robot.moving_joints if not joint.actuated]
    return Block(code, robot.closures, unknown, code.index), len(code.joints)


BLOCKS = {'one unknown': LEVER, 'two unknowns': robot(*four_bar()),
          'many unknowns': parse(stewart(Stewart()).text()).robot}
each_block = pytest.mark.parametrize('name', BLOCKS)


@each_block
def test_arrays_give_what_single_configurations_give(name: str) -> None:
    block, size = block_of(BLOCKS[name])
    q = np.random.default_rng(2).uniform(-0.3, 0.3, (size, 5))
    r, J = block.many.many(q)
    for k in range(5):
        single_r, single_J = block.single(q[:, k].tolist())
        assert r[k] == pytest.approx(single_r, abs=1e-13)
        assert J[k] == pytest.approx(single_J, abs=1e-13)


@each_block
def test_derivatives_by_known_joints(name: str) -> None:
    block, size = block_of(BLOCKS[name])
    q = np.random.default_rng(3).uniform(-0.1, 0.1, size)
    _, _, J_known = block.linearise(q.tolist())
    for k, (i, scale) in enumerate(zip(block.known_columns, block.known_scale)):
        step = np.zeros(size)
        step[i] = 1e-6 * scale
        ahead, behind = block.residual((q + step).tolist()), block.residual((q - step).tolist())
        assert J_known[:, k] == pytest.approx((ahead - behind) / 2e-6, abs=1e-8)
