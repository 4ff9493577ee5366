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

"""Coming back from where no path leads: the way home, fits beyond, what a held group tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
import math

import numpy as np
import pytest
from riod_urdf_ros.robot.closure_state import STATES
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from support.dyads import Dyad, four_bar
from support.oracles import wrap
from support.tree import Array


def rockers(count: int, seed: int) -> Iterator[Dyad]:
    """Make four-bars whose crank cannot turn all the way."""
    rng = np.random.default_rng(seed)
    whole = np.array([-math.pi]), np.array([math.pi])
    while count:
        a, b, c, g = rng.uniform(0.3, 1.5, 4)
        try:
            dyad = four_bar(a, b, c, g, rng.uniform(-3.0, 3.0))
        except ValueError:
            continue
        if dyad.margin(*whole) < -0.05 and dyad.margin(np.zeros(1), np.zeros(1)) > 0.05:
            count -= 1
            yield dyad


def off(found: dict[str, float], dyad: Dyad, u: Array, sign: int) -> float:
    """Return the largest difference to one of the two positions, whole turns left out."""
    return max(abs(wrap(found[name] - value)) for name, value in dyad.positions(u, sign).items())


def test_after_an_excursion_the_start_is_found_again() -> None:
    """Round and round, out of reach and in again: back where it began it is as it began."""
    for dyad in rockers(10, 1):
        solver = ClosureSolver(dyad.robot)
        for crank in np.linspace(0.0, 3.0 * math.tau, 50):
            solution = solver.solve({'crank': float(crank)})
        assert solution.groups[0].state == 'closed'
        assert off(dict(solution.positions), dyad, np.zeros(1), 1) < 1e-7


def test_a_fit_beyond_a_blocked_path_keeps_the_mode() -> None:
    counts: Counter[str] = Counter()
    rng = np.random.default_rng(3)
    for dyad in rockers(25, 2):
        solver = ClosureSolver(dyad.robot)
        for _ in range(20):
            u = rng.uniform(-math.pi, math.pi, 1)
            if dyad.margin(u, u) < 1e-3 or dyad.margin(np.zeros(1), u) > -1e-3:
                continue
            solver.reset()
            solution = solver.solve({'crank': float(u[0])})
            (status,) = solution.groups
            if status.state == 'closed':
                assert not status.certain
                assert status.notes
                kept = off(dict(solution.positions), dyad, u, 1) < 1e-6
                counts['kept' if kept else 'mirrored'] += 1
    print(dict(counts))
    assert counts['kept'] > 10
    assert counts['mirrored'] == 0


def test_a_batch_from_home_is_reset_and_solve() -> None:
    rng = np.random.default_rng(5)
    for dyad in rockers(12, 4):
        solver = ClosureSolver(dyad.robot, home={'crank': 0.05})
        rows = rng.uniform(-4.0, 4.0, (20, 1))
        batch = solver.solve_batch(rows, from_home=True)
        for row, positions, states in zip(rows, batch.positions, batch.states):
            solver.reset()
            solution = solver.solve({'crank': float(row[0])})
            assert STATES[states[0]] == solution.closures['loop'].state
            for name, value in zip(solution.positions, positions.tolist()):
                assert abs(wrap(solution.positions[name] - value)) < 1e-8, (name, row)


def test_what_is_held_tells_the_residual_of_what_was_wanted() -> None:
    (dyad,) = rockers(1, 6)
    solver = ClosureSolver(dyad.robot)
    (beyond,) = (u for u in np.linspace(0.0, math.pi, 50)[:, None]
                 if dyad.margin(u, u) == min(
                     dyad.margin(v, v) for v in np.linspace(0.0, math.pi, 50)[:, None]))
    status = solver.solve({'crank': float(beyond[0])}).groups[0]
    if status.state != 'open':
        pytest.skip('within reach that way')
    # No pose of two bars is nearer to a point than what it is out of their reach.
    assert status.residual >= -dyad.margin(beyond, beyond) * (1.0 - 1e-6)
