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

"""All assembly modes, against closed forms and published numbers of solutions."""

from __future__ import annotations

import numpy as np
import pytest
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from support.dyads import driven_slide, Dyad, five_bar, four_bar, slider_crank
from support.inline import four_bar as drawn_four_bar
from support.inline import point, robot
from support.oracles import wrap

CRANK_ROCKER = four_bar(0.4, 1.1, 0.9, 1.0, 0.7)
DOUBLE_ROCKER = four_bar(1.2, 0.8, 1.1, 1.5, 0.7)
DYADS = {
    'crank-rocker': CRANK_ROCKER, 'double rocker': DOUBLE_ROCKER,
    'slider-crank': slider_crank(0.4, 1.0, 0.1, 0.5), 'slide': driven_slide(0.7, 1.0, 0.2, 1.2),
    'five-bar': five_bar(0.7, 0.9, 0.8, 0.7, 0.5, (2.0, 1.0))}


@pytest.mark.parametrize('dyad', DYADS.values(), ids=DYADS.keys())
def test_a_dyad_has_its_two_modes(dyad: Dyad) -> None:
    solver = ClosureSolver(dyad.robot)
    u = np.full(len(dyad.known), 0.1)
    (modes,) = solver.assembly_modes(dict(zip(dyad.known, u.tolist()))).values()
    assert [mode.followed for mode in modes] == [True, False]
    for mode, sign in zip(modes, (1, -1), strict=True):
        for name, expected in dyad.positions(u, sign).items():
            difference = mode.positions[name] - expected
            if name != 'slide':
                difference = wrap(difference)
            assert difference == pytest.approx(0.0, abs=1e-8), name


@pytest.mark.parametrize('dyad, expected', [(CRANK_ROCKER, None), (DOUBLE_ROCKER, True)])
def test_a_double_rocker_changes_its_mode_at_a_dead_centre(
        dyad: Dyad, expected: bool | None) -> None:
    """A Grashof crank-rocker has two circuits, the other kind of linkage has one."""
    (modes,) = ClosureSolver(dyad.robot).assembly_modes({}).values()
    assert [mode.reachable for mode in modes] == [True, expected]


def test_looking_for_modes_moves_nothing() -> None:
    solver = ClosureSolver(CRANK_ROCKER.robot)
    before = solver.solve({'crank': 0.3}).positions
    solver.assembly_modes({'crank': 2.0})
    assert solver.solve({'crank': 0.3}).positions == before


def test_out_of_reach_there_is_none() -> None:
    dyad = driven_slide(0.7, 1.0, 0.2, 1.2)
    assert ClosureSolver(dyad.robot).assembly_modes({'slide': 5.0}) == {'loop': ()}


def test_modes_of_a_chain_are_those_of_its_loops() -> None:
    chain = robot(*drawn_four_bar('a_'), *drawn_four_bar('b_', root='a_rocker'),
                  point('again', 'a_coupler_end', 'a_rocker_end'))
    modes = ClosureSolver(chain).assembly_modes({'a_crank': 0.2, 'b_crank': 0.3})
    assert sorted(len(found) for found in modes.values()) in ([4], [2, 2])
