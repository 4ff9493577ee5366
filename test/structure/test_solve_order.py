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

"""The order of solving: one closure after another where that is possible."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from riod_urdf_ros.constraints.recordings import ClosureCode
from riod_urdf_ros.robot.model import Robot
from riod_urdf_ros.structure.ranks import Linearisation
from riod_urdf_ros.structure.solve_order import BlockPlan, plan_blocks
from riod_urdf_ros.structure.vicinity import Vicinity
from riod_urdf_ros.urdf.parser import parse
from support.inline import four_bar, joint, point, robot, spinning_rod, tied_sliders
from support.mechanisms import delta, scissor_lift
from support.oracles_spatial import Delta


def plans_of(robot: Robot, independent: Sequence[str] = ()) -> list[BlockPlan]:
    code = ClosureCode(robot)
    linearisation = Linearisation(code, robot.closures)
    dependent = [name for name in linearisation.names if name not in independent
                 and (independent or not robot.by_name[name].actuated)]
    J = Vicinity.of(linearisation, np.zeros(len(linearisation.names)),
                    linearisation.column(dependent)).J
    return list(plan_blocks(code, robot.closures, linearisation, J, dependent))


def test_a_scissor_is_peeled_cell_by_cell() -> None:
    plans = plans_of(parse(scissor_lift(4, 1.0, 0.5).text()).robot)
    assert [[closure.name for closure in plan.closures] for plan in plans] == [
        [f'cell_{k}'] for k in range(1, 5)]
    solved = {'a_1'}
    for plan in plans:
        assert len(plan.unknown) == 2
        assert not solved.intersection(plan.unknown)
        solved.update(plan.unknown)
    assert len(solved) == 9


def test_a_scissor_driven_from_its_top_is_peeled_from_there() -> None:
    plans = plans_of(parse(scissor_lift(4, 1.0, 0.5).text()).robot, ['b_4'])
    assert plans[0].closures[0].name == 'cell_4'
    assert sum(len(plan.unknown) for plan in plans) == 8


def test_what_cannot_be_peeled_is_solved_together() -> None:
    """The platform's joints are on all five loops of a delta robot."""
    (plan,) = plans_of(parse(delta(Delta()).text()).robot)
    assert len(plan.closures) == 5
    assert len(plan.unknown) == 15
    assert plan.left == ()


def test_closures_that_confirm_or_contradict_are_weighed_together() -> None:
    (plan,) = plans_of(tied_sliders())
    assert [closure.name for closure in plan.closures] == ['left_pin', 'right_pin']
    assert plan.unknown == ('slider',)


def test_undetermined_joints_are_left_where_they_are() -> None:
    (plan,) = plans_of(spinning_rod())
    assert len(plan.unknown) == 2
    assert len(plan.left) == 1
    assert {*plan.unknown, *plan.left} == {'ball_x', 'ball_y', 'ball_z'}


def test_a_closure_without_unknown_joints_is_not_solved() -> None:
    arms = robot(joint('a', 'revolute', 'base'), joint('b', 'revolute', 'base'),
                 point('loop', 'a', 'b'), *four_bar())
    assert [plan.closures[0].name for plan in plans_of(arms)] == ['loop']
    assert plans_of(arms)[0].unknown == ('coupler', 'rocker')
