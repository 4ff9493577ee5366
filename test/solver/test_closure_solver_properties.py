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

"""What must hold for any mechanism, on random ones; seeded, so that a failure comes again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import assume, given, settings
from hypothesis import strategies as st
import numpy as np
import pytest
from support.checks import assert_closed, assert_near, difference, solver_of, steps
from support.mechanisms import (
    ball_rod,
    delta,
    five_bar,
    four_bar,
    four_bar_chain,
    four_bar_stack,
    random_tree,
    stewart,
)
from support.oracles import FiveBar, FourBar, TAU
from support.oracles_spatial import Delta, Stewart
from support.tree import Array, Mechanism
from support.variants import scaled, shuffled, turned
from support.walk import follow

CRANK_ROCKER = FourBar(0.5, 1.6, 1.1, 1.4)

Family = Callable[[np.random.Generator], Mechanism]


def random_four_bar(rng: np.random.Generator) -> Mechanism:
    """Draw a four-bar closed by a point or a hinge."""
    crank, coupler, rocker, ground = rng.uniform(0.4, 1.5, 4)
    mode = 1 if rng.random() < 0.5 else -1
    return four_bar(FourBar(crank, coupler, rocker, ground, mode), rng.uniform(-np.pi, np.pi),
                    closure='hinge' if rng.random() < 0.4 else 'point')


def random_five_bar(rng: np.random.Generator) -> Mechanism:
    """Draw a five-bar."""
    mode = 1 if rng.random() < 0.5 else -1
    left, a, right, b = rng.uniform(0.5, 1.5, 4)
    return five_bar(FiveBar(left, a, right, b, rng.uniform(0.2, 1.0), mode),
                    (rng.uniform(1.0, 2.5), rng.uniform(0.5, 2.0)))


def random_chain(rng: np.random.Generator) -> Mechanism:
    """Draw a row or a stack of near-parallelograms."""
    bars = []
    for k in range(int(rng.integers(2, 5))):
        ground, coupler = (1.0, 1.1) if k % 2 else (1.1, 1.0)
        bars.append(FourBar(0.5, coupler, 0.5, ground))
    if rng.random() < 0.5:
        return four_bar_chain(bars, rng.uniform(1.0, 2.0))
    return four_bar_stack(bars, list(rng.uniform(1.0, 2.0, len(bars))))


def random_delta(rng: np.random.Generator) -> Mechanism:
    """Draw a delta robot."""
    base, arm = rng.uniform(0.1, 0.3), rng.uniform(0.2, 0.5)
    return delta(Delta(base, rng.uniform(0.03, 0.1), arm, rng.uniform(1.6, 2.5) * (arm + base)))


def random_stewart(rng: np.random.Generator) -> Mechanism:
    """Draw a Stewart platform of some decimetres to metres."""
    base = rng.uniform(0.5, 2.0)
    return stewart(Stewart(base, rng.uniform(0.4, 0.8) * base, height=rng.uniform(0.7, 1.2) * base,
                           base_half_angle=rng.uniform(0.1, 0.3)))


def random_loops(rng: np.random.Generator) -> Mechanism:
    """Draw a random tree with random closures."""
    return random_tree(rng, int(rng.integers(2, 5)), int(rng.integers(1, 4)))


FAMILIES: dict[str, tuple[Family, float]] = {
    'four_bar': (random_four_bar, 1.2), 'five_bar': (random_five_bar, 0.8),
    'chain': (random_chain, 0.5), 'delta': (random_delta, 0.5), 'stewart': (random_stewart, 0.1),
    'tree': (random_loops, 0.3)}
in_families = pytest.mark.parametrize('family', FAMILIES)
seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=4, derandomize=True, deadline=None)


def drawn(family: str, seed: int) -> tuple[Mechanism, Array]:
    """
    Draw a mechanism and a target of its actuated joints.

    The straight way there from home is clear of singularities, or the example is not used.
    """
    draw, reach = FAMILIES[family]
    rng = np.random.default_rng(seed)
    try:
        mechanism = draw(rng)
    except ValueError:
        assume(False)
    target = rng.uniform(-reach, reach, len(mechanism.actuated))
    walk = follow(mechanism, target[None], step=0.08)
    home = follow(mechanism, 0.0 * target[None]).clearance
    assume(home > 0.01 and walk.clearance > 0.3 * home)
    return mechanism, target


def state(mechanism: Mechanism, q: Array) -> dict[str, float]:
    """Name the values of the actuated joints."""
    return dict(zip(mechanism.actuated, map(float, q)))


@pytest.mark.slow
@in_families
@few
@given(seed=seeds)
def test_a_jump_a_walk_and_a_slow_walk_agree_with_the_reference(family: str, seed: int) -> None:
    mechanism, target = drawn(family, seed)
    walker, crawler, jumper = (solver_of(mechanism) for _ in range(3))
    for k in range(1, 9):
        walked = walker.solve(state(mechanism, target * (k / 8)))
        for fraction in steps((k - 1) / 8, k / 8, 20):
            crawled = crawler.solve(state(mechanism, target * fraction))
        assert_closed(walked)
        assert_near(walker.robot, crawled.positions, walked.positions)
    jumped = jumper.solve(state(mechanism, target))
    assert_closed(jumped)
    assert_near(walker.robot, jumped.positions, walked.positions)
    reference = follow(mechanism, target[None])
    assert_near(walker.robot, walked.positions,
                dict(zip(mechanism.passive, reference.positions[-1])))


@in_families
@few
@given(seed=seeds)
def test_the_way_the_file_is_written_does_not_matter(family: str, seed: int) -> None:
    mechanism, target = drawn(family, seed)
    rng = np.random.default_rng(seed)
    expected = solver_of(mechanism).solve(state(mechanism, target)).positions
    for other in (shuffled(mechanism, rng), turned(mechanism, rng),
                  turned(shuffled(mechanism, rng), rng)):
        solver = solver_of(other)
        assert_near(solver.robot, solver.solve(state(mechanism, target)).positions, expected)


@in_families
@few
@given(seed=seeds)
def test_a_thousand_times_larger_or_smaller_is_the_same(family: str, seed: int) -> None:
    mechanism, target = drawn(family, seed)
    small = solver_of(mechanism)
    expected = small.solve(state(mechanism, target)).positions
    prismatic = {joint.name for joint in mechanism.joints if joint.kind == 'prismatic'}
    for factor in (1000.0, 0.001):
        solver = solver_of(scaled(mechanism, factor), scale=factor)
        units = {name: factor if name in prismatic else 1.0 for name in expected}
        given_state = {name: q * units[name] for name, q in state(mechanism, target).items()}
        positions = solver.solve(given_state).positions
        assert_near(solver.robot, {name: q / units[name] for name, q in positions.items()},
                    expected)
        a, b = small.structure, solver.structure
        assert (a.mobility, a.undetermined, a.singular_home) \
            == (b.mobility, b.undetermined, b.singular_home)


@in_families
@few
@given(seed=seeds)
def test_both_directions_agree(family: str, seed: int) -> None:
    """With a dependent joint known instead of a motor, the motor comes out as it was."""
    mechanism, target = drawn(family, seed)
    forward = solver_of(mechanism)
    group = forward.groups[0]
    solution = forward.solve(state(mechanism, target), state(mechanism, np.ones(len(target))))
    for name in group.dependent:
        backward = solver_of(mechanism, known=[name])
        assert name in backward.independent
        freed = set(forward.independent) - set(backward.independent)
        # A motor can be freed only where it moves this joint well, all the way.
        moved = [(k, motor) for k, motor in enumerate(mechanism.actuated) if motor in freed]
        if len(moved) != 1 or abs(solution.velocities[name]) < 0.05:
            continue
        rates = []
        for fraction in steps(0.0, 1.0, 5):
            at = forward.solve(state(mechanism, target * fraction),
                               {other: float(other == moved[0][1]) for other in
                                mechanism.actuated})
            rates.append(at.velocities[name])
        if min(map(abs, rates)) < 0.1 or len(set(np.sign(rates))) > 1:
            continue
        for fraction in steps(0.0, 1.0, 10):
            there = forward.solve(state(mechanism, target * fraction)).positions
            assert_near(backward.robot, backward.solve(there).positions, there, 1e-7)
        break


@in_families
@few
@given(seed=seeds)
def test_rows_of_a_batch_are_single_solves(family: str, seed: int) -> None:
    mechanism, target = drawn(family, seed)
    single, batch, homing = (solver_of(mechanism) for _ in range(3))
    names = [joint.name for joint in single.robot.moving_joints]
    fractions = np.sin(np.linspace(0.0, 3.0, 12))
    order = [mechanism.actuated.index(name) for name in single.independent]
    rows = np.array([(target * f)[order] for f in fractions])
    together, each = batch.solve_batch(rows), homing.solve_batch(rows, from_home=True)
    assert together.positions.shape == each.positions.shape == (12, len(names))
    assert together.states.shape == (12, len(mechanism.closures))
    assert not together.states.any()
    assert not each.states.any()
    for k, f in enumerate(fractions):
        expected = single.solve(state(mechanism, target * f)).positions
        assert_near(single.robot, dict(zip(names, together.positions[k])), expected)
        assert_near(single.robot, dict(zip(names, each.positions[k])), expected)


@pytest.mark.parametrize('mechanism, reach, count', [
    (four_bar(CRANK_ROCKER, 1.0), TAU, 100_000),
    (four_bar(CRANK_ROCKER, 1.0, closure='hinge'), TAU, 10_000),
    (ball_rod(spin_last=True), 0.6, 10_000), (ball_rod(spin_last=False), 0.6, 10_000)])
def test_many_steps_return_to_the_start(mechanism: Mechanism, reach: float, count: int) -> None:
    """Full turns of a crank, or swings: nothing creeps, undetermined freedoms least of all."""
    solver = solver_of(mechanism)
    for k in range(1, count + 1):
        turn = k / 200
        angle = reach * (turn % 1.0 if reach == TAU else float(np.sin(TAU * turn)))
        solution = solver.solve({'crank': angle})
        if k == 200:
            first = solution.positions
        if k % 1000 == 0:
            assert_closed(solution)
    assert_near(solver.robot, solution.positions, first, 1e-9)
    assert_near(solver.robot, solution.positions, dict.fromkeys(solution.positions, 0.0), 1e-9)


@pytest.mark.slow
@pytest.mark.parametrize('mechanism, count', [
    (four_bar(CRANK_ROCKER, 1.0), 100_000), (delta(Delta()), 4_000)])
def test_many_rows_of_a_batch_return_to_the_start(mechanism: Mechanism, count: int) -> None:
    solver = solver_of(mechanism)
    start = 2.0 * np.arange(len(mechanism.actuated))
    phase = np.linspace(0.0, count // 200 * TAU, count + 1)[1:, None] + start
    result = solver.solve_batch(0.4 * (np.sin(phase) - np.sin(start)))
    assert not result.states.any()
    assert np.max(np.abs(result.positions[-1])) < 1e-9
    assert np.max(np.abs(result.positions[-1] - result.positions[199])) < 1e-9


def test_a_spin_about_its_own_axis_never_moves() -> None:
    solver = solver_of(ball_rod(spin_last=True))
    assert solver.structure.undetermined == ('rod_3',)
    assert solver.structure.undetermined_dof == 1
    rng = np.random.default_rng(3)
    for angle in rng.uniform(-0.6, 0.6, 300):
        solution = solver.solve({'crank': float(angle)})
        assert solution.positions['rod_3'] == pytest.approx(0.0, abs=1e-12)
    assert_closed(solution)


def test_an_undetermined_ball_keeps_all_poses_determined() -> None:
    """Which of the three turns is free is a matter of the axes; the rocker's position is not."""
    askew, along = solver_of(ball_rod(spin_last=False)), solver_of(ball_rod(spin_last=True))
    assert set(askew.structure.undetermined) == {'rod_1', 'rod_2', 'rod_3'}
    assert askew.structure.undetermined_dof == 1
    for angle in [*steps(0.0, 0.6, 20), *steps(0.6, -0.6, 3)]:
        a, b = askew.solve({'crank': angle}), along.solve({'crank': angle})
        assert_closed(a)
        assert a.positions['rocker'] == pytest.approx(b.positions['rocker'], abs=1e-9)


def test_out_of_reach_is_held_and_the_way_back_found() -> None:
    """A double rocker, whose crank cannot turn fully, commanded beyond its dead centres."""
    bars, home = FourBar(1.5, 1.0, 1.6, 2.0), 0.6
    solver = solver_of(four_bar(bars, home))
    rng = np.random.default_rng(12)
    for angle in rng.uniform(-0.3, 0.3, 8):
        inside = solver.solve({'crank': float(angle)})
        assert_closed(inside)
        assert_near(solver.robot, inside.positions, bars.joints(home, float(angle)))
        for _ in range(2):
            beyond = solver.solve({'crank': float(rng.uniform(1.5, 2.5))}, {'crank': 1.0})
            status = beyond.groups[0]
            assert status.state == 'open'
            assert status.held
            assert status.iterations < 5000
            assert beyond.closures['loop'].state == 'open'
            assert np.all(np.isfinite(list(beyond.positions.values())))
    assert_near(solver.robot, solver.solve({'crank': 0.1}).positions, bars.joints(home, 0.1))


def test_one_open_loop_does_not_disturb_the_others() -> None:
    stuck, home = FourBar(1.5, 1.0, 1.6, 2.0), 0.6
    mechanism = four_bar_stack([CRANK_ROCKER, stuck, CRANK_ROCKER], [1.0, home, -2.0])
    solver = solver_of(mechanism)
    for angle in steps(0.0, TAU, 30):
        solution = solver.solve({'crank_1': angle, 'crank_2': 2.0, 'crank_3': -angle})
        assert [status.state for status in solution.groups] == ['closed', 'open', 'closed']
        for k, at, q in ((1, 1.0, angle), (3, -2.0, -angle)):
            expected = CRANK_ROCKER.joints(at, q)
            for name, value in expected.items():
                assert difference(solver.robot, f'{name}_{k}', solution.positions[f'{name}_{k}'],
                                  value) < 1e-8


def test_a_missing_joint_leaves_out_its_loop_only() -> None:
    solver = solver_of(four_bar_stack([CRANK_ROCKER, CRANK_ROCKER], [1.0, 2.0]))
    solution = solver.solve({'crank_2': 0.4})
    assert solution.missing == ('crank_1',)
    assert set(solution.positions) == {'crank_2', 'coupler_2', 'rocker_2'}
    assert [status.state for status in solution.groups] == ['missing', 'closed']


@pytest.mark.parametrize('error', [2e-4, 3e-3])
def test_a_mechanism_that_is_not_quite_closed_at_home_is_assembled(error: float) -> None:
    """A file with rounded or sloppy numbers: its loops still close, as its lengths tell."""
    mechanism = four_bar(CRANK_ROCKER, 1.0)
    joints = tuple(
        replace(joint, T=joint.T @ shift(error)) if joint.name == 'loop_a_fixed' else joint
        for joint in mechanism.joints)
    solver = solver_of(replace(mechanism, joints=joints))
    longer = replace(CRANK_ROCKER, coupler=CRANK_ROCKER.coupler + error)
    assert any('loop' in problem.message for problem in solver.problems)
    offset = {name: near - far for (name, near), far in zip(
        absolute(longer, 1.0).items(), absolute(CRANK_ROCKER, 1.0).values())}
    for angle in steps(0.0, TAU, 12):
        expected = longer.joints(1.0, angle)
        positions = solver.solve({'crank': angle}).positions
        for name in ('coupler', 'rocker'):
            assert difference(solver.robot, name, positions[name],
                              expected[name] + offset[name]) < 1e-8


def absolute(bars: FourBar, crank_angle: float) -> dict[str, float]:
    """Return the directions of coupler and rocker by name."""
    return dict(zip(('coupler', 'rocker'), bars.angles(crank_angle)))


def shift(x: float) -> Array:
    """Move along x."""
    T = np.eye(4)
    T[0, 3] = x
    return T
