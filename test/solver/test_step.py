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

"""The ways to compute a step, and that each is a Gauss-Newton step with its certificate."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from riod_urdf_ros.constraints.machine_code import AVAILABLE
from riod_urdf_ros.constraints.recordings import ClosureCode
from riod_urdf_ros.robot.model import Robot
from riod_urdf_ros.solver.array_step import ArrayStep
from riod_urdf_ros.solver.block import Block
from riod_urdf_ros.solver.kernel_step import KernelStep
from riod_urdf_ros.solver.recorded_step import RecordedStep
from riod_urdf_ros.solver.step import Memory, Step, Stepped
from riod_urdf_ros.urdf.parser import parse
from support.inline import four_bar, joint, point, robot, X, Y
from support.mechanisms import stewart
from support.oracles_spatial import Stewart

STILL = (1.0, 0.0, 0.0, 0.0)  # the prediction is where it was
LEVER = robot(  # one unknown, two rows
    joint('x', 'revolute', 'base', (1, 0, 0), axis=Y),
    joint('turn', 'revolute', 'base', (1, 0, 0), axis=Y, passive=True),
    joint('arm', 'fixed', 'turn', (0.5, 0.2, 0)), joint('tip', 'fixed', 'x', (0.5, 0.2, 0)),
    point('loop', 'arm', 'tip'))
SLIDER = robot(joint('a', 'prismatic', 'base', axis=X),
               joint('b', 'prismatic', 'base', axis=X, passive=True), point('loop', 'a', 'b'))
WAYS: tuple[Callable[[Block], Step], ...] = (
    RecordedStep, ArrayStep, *[KernelStep] * AVAILABLE)
CASES: list[tuple[Callable[[Block], Step], Robot]] = [
    *((make, mechanism) for make in WAYS
      for mechanism in (LEVER, SLIDER, robot(*four_bar()))),
    *((make, parse(stewart(Stewart()).text()).robot) for make in WAYS[1:])]
each_step = pytest.mark.parametrize('make, mechanism', CASES)


def block_of(robot: Robot) -> tuple[Block, int]:
    """Return the block of all closures with all passive joints unknown; the size of q."""
    code = ClosureCode(robot)
    unknown = [joint.name for joint in robot.moving_joints if not joint.actuated]
    return Block(code, robot.closures, unknown, code.index), len(code.joints)


def stepped(step: Step, q: list[float], memory: Memory, weights: tuple[float, ...]) -> Stepped:
    result = step(q, [0.0] * len(q), memory, weights)
    assert result is not None
    return result


@each_step
def test_a_step_closes_the_loops_and_is_remembered(
        make: Callable[[Block], Step], mechanism: Robot) -> None:
    block, size = block_of(mechanism)
    step, home = make(block), [0.0] * size
    q = [0.02] * size
    result = stepped(step, q, step.remember(home), STILL)
    assert np.linalg.norm(block.residual(q)) < 1e-12
    assert result.misfit < 1e-20
    assert 1 <= result.evaluations <= 4
    assert step.jacobian(result.memory) == pytest.approx(block.single(q)[1], abs=1e-6)
    # From there, standing still takes one evaluation and changes nothing.
    again = stepped(step, list(q), result.memory, STILL)
    assert again.evaluations == 1
    assert again.change < 1e-6


@each_step
def test_the_change_is_that_of_the_certificate(
        make: Callable[[Block], Step], mechanism: Robot) -> None:
    block, size = block_of(mechanism)
    step, home = make(block), [0.0] * size
    q = [0.05] * size
    result = stepped(step, q, step.remember(home), STILL)
    end = block.single(q)[1]
    there = np.concatenate([block.unknowns(q), block.knowns(q)])
    change, _ = block.certificate.change(
        np.array(np.linalg.pinv(end[:, :block.n]), float), block.single(home)[1], end, there,
        there,
        np.zeros(len(block.known)))
    assert result.change == pytest.approx(float(change), rel=1e-4, abs=1e-12)


@pytest.mark.parametrize('mechanism', [LEVER, SLIDER, robot(*four_bar())])
def test_all_ways_give_the_same(mechanism: Robot) -> None:
    block, size = block_of(mechanism)
    outcomes = []
    for make in WAYS:
        step = make(block)
        memory, bent = step.remember([0.0] * size), [0.001] * size
        q = [0.0] * size
        result = step(q, bent, memory, STILL)
        for k in range(1, 6):
            q = [0.01 * k * k] * size
            assert result is not None
            result = step(q, bent, result.memory, (4.0, -6.0, 4.0, -1.0))
        assert result is not None
        outcomes.append([*q, *bent, result.misfit, result.change, result.evaluations])
    for other in outcomes[1:]:
        assert other == pytest.approx(outcomes[0], abs=1e-12)


def test_extrapolation_continues_a_cubic() -> None:
    """The cubic through the last four positions of a slider that moves as t^2 is exact."""
    block, _ = block_of(SLIDER)
    for make in WAYS:
        step = make(block)
        memory = step.remember([0.0, 0.0])
        for t in range(1, 6):
            q = [0.01 * t**2, 0.0]
            result = stepped(step, q, memory, (4.0, -6.0, 4.0, -1.0))
            memory = result.memory
            assert q[1] == pytest.approx(q[0], abs=1e-15)
        assert result.evaluations == 1  # nothing had to be corrected


def test_a_step_that_does_not_converge_is_none() -> None:
    block, _ = block_of(robot(*four_bar(crank='revolute')))
    for make in WAYS:
        step = make(block)
        assert step([3.0, 0.0, 0.0], [0.0] * 3, step.remember([0.0] * 3), STILL) is None
