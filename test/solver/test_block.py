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

"""The compiled Newton step, and single evaluations against those of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from riod_urdf_ros.constraints.recordings import ClosureCode
from riod_urdf_ros.robot.model import Robot
from riod_urdf_ros.solver.block import Block, ORDER
from riod_urdf_ros.urdf.parser import parse
from support.inline import four_bar, joint, point, robot, X, Y
from support.mechanisms import stewart
from support.oracles_spatial import Stewart
from support.tree import Array

STILL = (1.0, 0.0, 0.0, 0.0)  # the prediction is where it was
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


def flat(value: Any) -> Array:
    return np.concatenate([np.ravel(part) for part in value]) if isinstance(value, tuple) \
        else np.ravel(value)


@each_block
def test_a_step_is_a_gauss_newton_step(name: str) -> None:
    block, size = block_of(BLOCKS[name])
    rng = np.random.default_rng(4)
    memory = block.remember([0.0] * size)
    q = rng.uniform(-0.05, 0.05, size).tolist()
    for i in block.columns:
        q[i] = 0.0
    r, J, _ = block.linearise(q)
    J0 = block.linearise([0.0] * size)[1]
    dx = np.linalg.lstsq(J, r, rcond=None)[0]
    ratio = np.linalg.lstsq(J, J0, rcond=None)[0] - np.eye(block.n)
    _, correction, last, changed, misfit = block.step(q, memory, STILL, block.still)
    assert flat(correction) == pytest.approx(dx, abs=1e-12)
    assert [q[i] for i in block.columns] == pytest.approx(-dx * block.scale, abs=1e-12)
    assert last == pytest.approx(dx @ dx)
    assert changed == pytest.approx(np.sum(ratio**2))
    assert misfit == pytest.approx(np.sum((r - J @ dx) ** 2), abs=1e-14)


@pytest.mark.parametrize('name', ['two unknowns', 'many unknowns'])
def test_steps_repeated_close_the_loops_and_remember(name: str) -> None:
    block, size = block_of(BLOCKS[name])
    q = [0.02] * size
    correction = block.still
    for _ in range(6):
        memory, correction, *_ = block.step(q, block.remember([0.0] * size), STILL, correction)
    assert np.linalg.norm(block.residual(q)) < 1e-12
    # x, then home, of which more was known than of what was before
    x = np.array([q[i] for i in block.columns]) / block.scale
    remembered = [*x, *[0.0] * (block.n * ORDER)]
    assert flat(memory)[:len(remembered)] == pytest.approx(remembered, abs=1e-12)
    assert block.jacobian(memory) == pytest.approx(block.linearise(q)[1], abs=1e-9)


@each_block
def test_arrays_give_what_single_configurations_give(name: str) -> None:
    block, size = block_of(BLOCKS[name])
    q = np.random.default_rng(2).uniform(-0.3, 0.3, (size, 5))
    r, J = block.many.many(q)
    for k in range(5):
        single_r, single_J, _ = block.linearise(q[:, k].tolist())
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


def test_extrapolation_continues_a_cubic() -> None:
    """The cubic through the last four positions of a slider that moves as t^2 is exact."""
    slider = robot(joint('a', 'prismatic', 'base', axis=X),
                   joint('b', 'prismatic', 'base', axis=X, passive=True), point('loop', 'a', 'b'))
    block, _ = block_of(slider)
    memory = block.remember([0.0, 0.0])
    for t in range(1, 6):
        q = [0.01 * t**2, memory[0]]
        memory, _, last, *_ = block.step(q, memory, (4.0, -6.0, 4.0, -1.0), block.still)
        assert q[1] == pytest.approx(q[0], abs=1e-15)
    assert last == pytest.approx(0.0, abs=1e-20)  # so nothing had to be corrected
