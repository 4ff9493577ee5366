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

"""What a solution tells about its closures, limits and missing joints."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from support.inline import four_bar, joint, rigid, robot, tied_sliders, X


def test_gaps_are_measured_and_judged() -> None:
    solution = ClosureSolver(tied_sliders()).solve({'left': 1.0, 'right': 1.001})
    left, right = solution.closures['left_pin'], solution.closures['right_pin']
    # The slider stands in the middle between them.
    assert left.gap_vector == pytest.approx([5e-4, 0, 0])
    assert right.gap_vector == pytest.approx([-5e-4, 0, 0])
    assert left.gap == pytest.approx(5e-4)
    assert (left.state, left.angle) == ('strained', 0.0)
    assert list(solution.closures) == ['left_pin', 'right_pin']


def test_angles_of_rigid_closures_are_judged() -> None:
    turned = robot(joint('a', 'revolute', 'base'), joint('b', 'revolute', 'base'),
                   joint('c', 'prismatic', 'base', axis=X, passive=True), rigid('loop', 'a', 'b'))
    for angle, state in ((5e-4, 'closed'), (5e-3, 'strained'), (0.05, 'open')):
        status = ClosureSolver(turned).solve({'a': 0.3, 'b': 0.3 + angle}).closures['loop']
        assert status.angle == pytest.approx(angle)
        assert status.gap == pytest.approx(0.0, abs=1e-15)
        assert status.state == state


def test_what_is_missing_is_left_out_and_named_once() -> None:
    pair = robot(*four_bar('a_'), *four_bar('b_'), joint('arm', 'revolute', 'base'))
    solver = ClosureSolver(pair)
    solution = solver.solve({'b_crank': 0.3})
    assert list(solution.positions) == ['b_crank', 'b_coupler', 'b_rocker']
    assert solution.missing == ('a_crank',)
    assert list(solution.closures) == ['b_loop']
    assert [status.state for status in solution.groups] == ['missing', 'closed']
    assert not np.isnan(solution.groups[0].residual)
    assert solution.groups[0].singularity == 1.0


def test_limits_of_dependent_joints_are_reported_and_do_not_clamp() -> None:
    bars = robot(*four_bar())
    limited = replace(bars, joints=tuple(
        replace(j, lower=-0.1, upper=0.2) if j.name == 'rocker' else j for j in bars.joints))
    solver, free = ClosureSolver(limited), ClosureSolver(bars)
    inside, beyond = solver.solve({'crank': 0.1}), solver.solve({'crank': 1.0})
    assert inside.limit_violations == {}
    assert inside.notes == ()
    rocker = free.solve({'crank': 1.0}).positions['rocker']
    assert beyond.positions['rocker'] == pytest.approx(rocker)
    assert beyond.limit_violations == {'rocker': pytest.approx(max(-0.1 - rocker, rocker - 0.2))}
    assert any('rocker' in note for note in beyond.notes)


def test_closures_are_measured_once_and_for_this_state() -> None:
    solver = ClosureSolver(robot(*four_bar()))
    first = solver.solve({'crank': 0.1})
    kept = dict(first.positions)
    closures = first.closures
    solver.solve({'crank': 0.2})
    assert first.positions == kept
    assert first.closures is closures
    assert first.closures['loop'].gap < 1e-12
    assert first.groups[0].residual < 1e-12
