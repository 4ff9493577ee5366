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

"""The solver against closed forms of mechanisms of all proportions, seeded."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st
import numpy as np
import pytest
from riod_urdf_ros.robot.kinematics import forward_kinematics
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from support.checks import assert_closed, assert_near, solver_of, steps, worst
from support.mechanisms import (
    delta,
    five_bar,
    four_bar,
    four_bar_chain,
    four_bar_stack,
    parallelogram,
    scissor_joints,
    scissor_lift,
    slider,
    stewart,
)
from support.oracles import FiveBar, FourBar, slider_crank, TAU, wrap
from support.oracles_spatial import Delta, Stewart
from support.tree import Array, pose, turn

seeds = st.integers(0, 2**32 - 1)
modes = st.sampled_from([1, -1])
angles = st.floats(-np.pi, np.pi)


def standing(seed: int) -> Array:
    """Return a random pose for the plane of a planar mechanism."""
    rng = np.random.default_rng(seed)
    return pose(rng.uniform(-1, 1, 3), turn(rng.normal(size=3), rng.uniform(-np.pi, np.pi)))


@st.composite
def crank_rockers(draw: st.DrawFn) -> FourBar:
    """Draw a Grashof crank-rocker (or double crank if the ground is no longer than it)."""
    crank = draw(st.floats(0.02, 0.98))
    middle = [draw(st.floats(crank + 0.01, 1.0)) for _ in range(2)]
    slack = draw(st.floats(0.002, 0.999))
    longest = max(middle) + (1.0 - slack) * (sum(middle) - crank - max(middle))
    coupler, rocker, ground = draw(st.permutations([*middle, longest]))
    return FourBar(crank, coupler, rocker, ground, draw(modes))


@settings(max_examples=40, derandomize=True, deadline=None)
@given(crank_rockers(), angles, st.sampled_from([5, 6, 7, 11, 20, 100, 500]),
       st.sampled_from([1, -1]), seeds)
def test_crank_rocker_never_changes_to_its_mirror(
        bars: FourBar, home: float, count: int, way: int, seed: int) -> None:
    solver = solver_of(four_bar(bars, home, standing(seed), closure='hinge' if seed % 3 == 0
                                else 'point', offset=0.02))
    for angle in steps(0.0, way * TAU, count):
        solution = solver.solve({'crank': angle})
        assert_closed(solution)
        # The rounding of a residual weighs more the flatter the dyad.
        assert_near(solver.robot, solution.positions, bars.joints(home, angle),
                    1e-9 / bars.clearance(home + angle))
    again = solver_of(four_bar(bars, home))
    assert_near(again.robot, again.solve({'crank': 2.0}).positions, bars.joints(home, 2.0),
                1e-9 / bars.clearance(home + 2.0))


@pytest.mark.parametrize('mode', [1, -1])
def test_the_two_assembly_modes_are_told_apart(mode: int) -> None:
    bars, mirror = FourBar(1.0, 2.4, 1.6, 2.0, mode), FourBar(1.0, 2.4, 1.6, 2.0, -mode)
    solver = solver_of(four_bar(bars, 0.3))
    for angle in steps(0.0, TAU, 40):
        direction = bars.angles(0.3 + angle)[1]
        assert wrap(direction - bars.freudenstein(0.3 + angle)) == pytest.approx(0.0, abs=1e-12)
        expected = bars.joints(0.3, angle)
        positions = solver.solve({'crank': angle}).positions
        assert worst(solver.robot, positions, expected)[0] < 1e-9
        other = wrap(mirror.angles(0.3 + angle)[1] - bars.angles(0.3)[1])
        assert abs(wrap(positions['rocker'] - other)) > 0.3


@settings(max_examples=30, derandomize=True, deadline=None)
@given(st.tuples(*[st.floats(0.3, 2.0)] * 4), angles, modes, seeds)
def test_four_bar_of_any_proportion_within_its_reach(
        lengths: tuple[float, float, float, float], home: float, mode: int, seed: int) -> None:
    bars = FourBar(*lengths, mode)
    path = steps(0.0, 1.5, 30)
    try:
        assume(min(bars.clearance(home + angle) for angle in [0.0, *path]) > 0.15)
    except ValueError:
        assume(False)
    mechanism = four_bar(bars, home, standing(seed))
    solver, jump = solver_of(mechanism), solver_of(mechanism)
    for angle in path:
        solution = solver.solve({'crank': angle}, {'crank': 1.0})
        assert_near(solver.robot, solution.positions, bars.joints(home, angle))
        assert solution.velocities == pytest.approx(bars.velocities(home, angle), abs=1e-7)
    assert_near(jump.robot, jump.solve({'crank': 1.5}).positions, bars.joints(home, 1.5))


@settings(max_examples=25, derandomize=True, deadline=None)
@given(st.tuples(*[st.floats(0.5, 1.5)] * 4), st.floats(0.2, 1.0), angles, angles, modes, seeds)
def test_five_bar(lengths: tuple[float, float, float, float], ground: float, left: float,
                  right: float, mode: int, seed: int) -> None:
    bars, home = FiveBar(*lengths, ground, mode), (left, right)
    rng = np.random.default_rng(seed)
    target = rng.uniform(-1.2, 1.2, 2)
    try:
        assume(min(bars.clearance(left + s * target[0], right + s * target[1])
                   for s in np.linspace(0, 1, 20)) > 0.2)
    except ValueError:
        assume(False)
    solver, jump = (solver_of(five_bar(bars, home, standing(seed))) for _ in range(2))
    for s in steps(0.0, 1.0, 8):
        a, b = (float(x) for x in s * target)
        solution = solver.solve({'left': a, 'right': b})
        assert_near(solver.robot, solution.positions, bars.joints(home, a, b))
    assert_near(jump.robot, jump.solve({'left': a, 'right': b}).positions,
                bars.joints(home, a, b))


def test_slider_crank_turns() -> None:
    home = 0.4
    solver = solver_of(slider(0.1, 0.32, 0.03, home, standing(3)))
    x_home, rod_home = slider_crank(0.1, 0.32, 0.03, home)
    for angle in [*steps(0.0, 3 * TAU, 50), *steps(3 * TAU, 0.0, 20)]:
        x, rod = slider_crank(0.1, 0.32, 0.03, home + angle)
        solution = solver.solve({'crank': angle})
        assert_closed(solution)
        assert_near(solver.robot, solution.positions,
                    {'slider': x - x_home, 'rod': rod - rod_home - angle})


@pytest.mark.parametrize('count', [4, 5, 12, 50, 361])
@pytest.mark.parametrize('home', [np.pi / 2, 1.1, -0.4])
@pytest.mark.parametrize('way', [1, -1])
def test_parallelogram_stays_one_through_its_flat_positions(
        count: int, home: float, way: int) -> None:
    solver = solver_of(parallelogram(0.2, 0.5, home))
    for angle in steps(0.0, way * 3 * TAU, 3 * count):
        solution = solver.solve({'crank': angle})
        assert_closed(solution)
        # Next to the flat position the closure holds the angle to the root of its rounding only.
        flat = abs(np.sin(home + angle)) < 1e-3
        assert_near(solver.robot, solution.positions, {'coupler': -angle, 'rocker': angle},
                    1e-5 if flat else 1e-8)


def test_parallelogram_can_turn_back_behind_its_flat_position() -> None:
    solver = solver_of(parallelogram(0.2, 0.5, 1.0))
    flat = np.pi - 1.0
    for angle in [*steps(0.0, flat + 0.01, 60), *steps(flat + 0.01, flat - 0.3, 9),
                  *steps(flat - 0.3, flat + 0.3, 5), 0.0]:
        assert_near(solver.robot, solver.solve({'crank': angle}).positions,
                    {'coupler': -angle, 'rocker': angle}, 1e-6)


def chained(count: int) -> list[FourBar]:
    """Return four-bars, nearly parallelograms, that can stand in a row."""
    return [FourBar(0.5, 1.1, 0.5, 1.0) if k % 2 else FourBar(0.5, 1.0, 0.5, 1.1)
            for k in range(count)]


def test_chain_of_four_bars() -> None:
    bars, home = chained(8), 1.2
    solver = solver_of(four_bar_chain(bars, home, standing(8)))
    assert len(solver.groups) in (1, 8)
    for crank in [*steps(0.0, 0.7, 12), *steps(0.7, -0.6, 3)]:
        expected = {'crank': crank}
        before, now = home, home + crank
        for k, bar in enumerate(bars, 1):
            (c0, r0), (c1, r1) = bar.angles(before), bar.angles(now)
            expected[f'coupler_{k}'] = wrap(c1 - now - (c0 - before))
            expected[f'rocker_{k}'] = wrap(r1 - r0)
            before, now = r0, r1
        assert_near(solver.robot, solver.solve({'crank': crank}).positions, expected)


def test_stack_of_four_bars_has_independent_loops() -> None:
    bars = [FourBar(0.5, 1.6, 1.1, 1.4, mode) for mode in (1, -1, 1, 1, -1)]
    homes = [0.3, 1.0, 2.0, -1.0, -2.5]
    solver = solver_of(four_bar_stack(bars, homes, standing(9)))
    assert len(solver.groups) == 5
    for s in steps(0.0, 1.0, 10):
        cranks = [float(s * TAU * (k - 2)) for k in range(5)]
        expected = {f'{name}_{k}': value
                    for k, (bar, home, crank) in enumerate(zip(bars, homes, cranks), 1)
                    for name, value in bar.joints(home, crank).items()}
        solution = solver.solve({f'crank_{k}': crank for k, crank in enumerate(cranks, 1)})
        assert_near(solver.robot, solution.positions, expected)


@pytest.mark.parametrize('cells', [1, 3, 30])
def test_scissor_lift(cells: int) -> None:
    solver = solver_of(scissor_lift(cells, 0.8, 0.5, standing(cells)))
    for lift in [*steps(0.0, 0.8, 6), *steps(0.8, -0.35, 4), 0.3]:
        solution = solver.solve({'a_1': lift})
        assert_closed(solution)
        assert_near(solver.robot, solution.positions, scissor_joints(cells, 0.8, 0.5, lift))


@settings(max_examples=8, derandomize=True, deadline=None)
@given(st.floats(0.05, 0.3), st.floats(0.03, 0.1), st.floats(0.2, 0.5), st.floats(1.6, 2.6), seeds)
def test_delta_of_any_size(base: float, platform: float, arm: float, ratio: float,
                           seed: int) -> None:
    size = Delta(base, platform, arm, ratio * (arm + base), 0.5 * platform)
    solver = solver_of(delta(size))
    rng = np.random.default_rng(seed)
    for target in rng.uniform(-0.4, 0.7, (6, 3)):
        solution = solver.solve({f'motor_{i}': float(q) for i, q in enumerate(target, 1)})
        assert_near(solver.robot, solution.positions, size.joints(target))
    platform_pose = forward_kinematics(solver.robot, solution.positions)['platform']
    assert np.allclose(platform_pose[:3, 3], size.forward(target), atol=1e-9)


@settings(max_examples=8, derandomize=True, deadline=None)
@given(st.floats(0.3, 1.0), st.floats(0.4, 0.8), st.floats(0.6, 1.2), st.floats(5.0, 18.0),
       st.floats(5.0, 18.0), seeds)
def test_stewart_of_any_size(base: float, ratio: float, height: float, base_angle: float,
                             platform_angle: float, seed: int) -> None:
    size = Stewart(base, ratio * base, float(np.radians(base_angle)),
                   float(np.radians(platform_angle)), height * base)
    solver = solver_of(stewart(size))
    rng = np.random.default_rng(seed)
    for _ in range(6):
        R = turn(rng.normal(size=3), rng.uniform(0.0, 0.25))
        place = np.array([0, 0, size.height]) + rng.uniform(-0.12, 0.12, 3) * base
        strokes = size.inverse(R, place)
        solution = solver.solve({f'leg_{i}': float(q) for i, q in enumerate(strokes, 1)})
        assert_near(solver.robot, solution.positions, size.joints(R, place))


def numeric_velocities(solver: ClosureSolver, state: dict[str, float], rates: dict[str, float],
                       ) -> dict[str, float]:
    """Differentiate positions along the rates, central differences."""
    h = 1e-5
    a, b = (solver.solve({name: q + s * rates[name] for name, q in state.items()}).positions
            for s in (-h, h))
    return {name: (b[name] - a[name]) / (2 * h) for name in a}


def test_velocities_are_the_derivatives_of_positions() -> None:
    rng = np.random.default_rng(11)
    for mechanism, limit in (
            (delta(Delta()), 0.5), (stewart(Stewart()), 0.06), (slider(0.1, 0.3, 0.0, 0.7), 3.0),
            (four_bar_chain(chained(4), 1.2), 0.5), (scissor_lift(4, 1.0, 0.6), 0.3)):
        solver = solver_of(mechanism)
        for _ in range(3):
            state = {name: float(rng.uniform(-limit, limit)) for name in mechanism.actuated}
            rates = {name: float(rng.normal()) for name in mechanism.actuated}
            velocities = solver.solve(state, rates).velocities
            assert velocities == pytest.approx(
                numeric_velocities(solver, state, rates), abs=1e-6, rel=1e-6)


def test_velocities_stay_sane_at_a_dead_centre() -> None:
    """The rocker drives; where crank and coupler are in line the crank's speed has no bound."""
    bars, home = FourBar(0.5, 1.6, 1.1, 1.4), 1.0
    # The limit of the rocker's swing: crank and coupler stretched along A to C.
    reach = bars.coupler + bars.crank
    end = np.arccos((bars.ground**2 + bars.rocker**2 - reach**2)
                    / (2 * bars.ground * bars.rocker))
    dead = float(wrap(np.pi - end - bars.angles(home)[1]))
    solver = solver_of(four_bar(bars, home), known=['rocker'])
    approach = [dead * (1.0 - 10.0**-k) for k in (4, 6, 8, 10, 12)]
    for rocker in [*steps(0.0, dead * (1.0 - 1e-3), 30), *approach, dead]:
        solution = solver.solve({'rocker': rocker}, {'rocker': 1.0})
        speeds = np.array(list(solution.velocities.values()))
        assert np.all(np.isfinite(speeds))
        assert np.all(np.abs(speeds) < 1e4)
