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

"""The solver's public face."""

from __future__ import annotations

from collections.abc import Callable
import copy
from dataclasses import replace
import math
import pickle
import subprocess
import sys

import numpy as np
import pytest
from riod_urdf_ros.exceptions import DescriptionError, UsageError
from riod_urdf_ros.robot.model import Mimic, Robot
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from riod_urdf_ros.solver.solution import Solution
from support.inline import (
    four_bar,
    four_bar_rocker,
    joint,
    parallelogram,
    point,
    robot,
    spinning_rod,
    tied_sliders,
    X,
)
from support.paths import ROOT

FOUR_BAR = robot(*four_bar())


def test_the_core_imports_no_ros_package() -> None:
    code = ('import sys, riod_urdf_ros.solver.closure_solver; '
            'print([m for m in sys.modules if m.split(".")[0] in '
            '("rclpy", "launch", "sensor_msgs", "std_msgs", "rcl_interfaces", "xacro", "lxml", '
            '"urdf_parser_py", "scipy")])')
    done = subprocess.run([sys.executable, '-c', code], cwd=ROOT,
                          capture_output=True, text=True, check=True)
    assert done.stdout.strip() == '[]'


@pytest.mark.parametrize('known', ['nothing', 'coupler_end', 'geared'])
def test_only_joints_that_move_by_themselves_can_be_known(known: str) -> None:
    geared = robot(*four_bar(), joint('geared', 'revolute', 'base', mimic=Mimic('crank')))
    with pytest.raises(UsageError, match=known):
        ClosureSolver(geared, known_joints=[known])


def test_what_cannot_be_assembled_is_refused() -> None:
    with pytest.raises(DescriptionError):
        ClosureSolver(robot(joint('a', 'revolute', 'base'), joint('b', 'revolute', 'base'),
                            joint('far', 'fixed', 'b', (0, 0, 1)), point('loop', 'a', 'far')))


def test_names_groups_and_order() -> None:
    pair = robot(joint('wheel', 'continuous', 'base', passive=True), *four_bar('a_'),
                 joint('geared', 'revolute', 'base', mimic=Mimic('a_rocker', -2.0, 0.1)),
                 *four_bar('b_'))
    solver = ClosureSolver(pair)
    assert solver.independent == ('wheel', 'a_crank', 'b_crank')
    assert [(g.name, g.closures, g.independent, g.dependent) for g in solver.groups] == [
        (f'{p}_loop', (f'{p}_loop',), (f'{p}_crank',), (f'{p}_coupler', f'{p}_rocker'))
        for p in 'ab']
    positions = solver.solve({'b_crank': 0.2, 'a_crank': 0.1, 'a_rocker': 99.0}).positions
    assert list(positions) == [j.name for j in pair.moving_joints]
    assert positions['wheel'] == 0.0
    assert positions['a_rocker'] == pytest.approx(four_bar_rocker(0.1))
    assert positions['geared'] == pytest.approx(0.1 - 2.0 * positions['a_rocker'])


def test_a_jump_is_a_walk() -> None:
    jumper, walker = ClosureSolver(FOUR_BAR), ClosureSolver(FOUR_BAR)
    for target in (2.0, -1.0, 1.5):
        start = walker._groups[0].state.q[0]
        for k in range(1, 41):
            walked = walker.solve({'crank': start + (target - start) * k / 40}).positions
        assert jumper.solve({'crank': target}).positions == pytest.approx(walked, abs=1e-9)


@pytest.mark.parametrize('known', ['coupler', 'rocker'])
def test_both_directions_agree(known: str) -> None:
    forward, backward = ClosureSolver(FOUR_BAR), ClosureSolver(FOUR_BAR, known_joints=[known])
    assert backward.independent == (known,)
    for crank in np.linspace(0.2, 0.6, 20):  # the rocker turns back at 0.72
        there = forward.solve({'crank': float(crank)}, {'crank': 0.7})
        back = backward.solve(there.positions, there.velocities)
        assert back.positions == pytest.approx(there.positions, abs=1e-8)
        assert back.velocities == pytest.approx(there.velocities, abs=1e-6)


@pytest.mark.parametrize('size', [1e-3, 1e-2, 1e2])
def test_a_gripper_and_a_crane_move_alike(size: float) -> None:
    solver = ClosureSolver(robot(*four_bar(size=size)), position_tolerance=1e-4 * size)
    for crank in np.linspace(0.0, 7.0, 30):
        solution = solver.solve({'crank': float(crank)})
        assert solution.positions['rocker'] == pytest.approx(four_bar_rocker(crank), abs=1e-10)
        assert solution.groups[0].singularity == pytest.approx(
            ClosureSolver(FOUR_BAR).solve({'crank': float(crank)}).groups[0].singularity)


@pytest.mark.parametrize('rounding', [0.0, 1e-6])
@pytest.mark.parametrize('count', [5, 8, 50, 333])
@pytest.mark.parametrize('way', [1, -1])
def test_a_parallelogram_is_turned_around_and_stays_one(
        rounding: float, count: int, way: int) -> None:
    solver = ClosureSolver(parallelogram(1.0, coupler=2.0 + rounding, rocker=1.0 - rounding))
    for k in range(1, 2 * count + 1):
        angle = way * math.tau * k / count
        solution = solver.solve({'crank': angle})
        assert solution.closures['loop'].state == 'closed'
        # Rounded, it is as far off as the root of the rounding at most, where it is flat.
        assert solution.positions['rocker'] == pytest.approx(
            angle, abs=1e-5 + 10.0 * math.sqrt(rounding))
        if abs(math.sin(1.0 + angle)) > 0.1:
            assert solution.positions['rocker'] == pytest.approx(
                angle, abs=1e-8 + 100.0 * rounding)


def test_velocities_are_those_of_the_positions() -> None:
    geared = robot(*four_bar(), joint('arm', 'revolute', 'base'),
                   joint('geared', 'revolute', 'base', mimic=Mimic('rocker', 3.0)))
    solver = ClosureSolver(geared)
    h = 1e-6
    for crank in (0.3, 1.7, 4.0):
        behind, here, ahead = (solver.solve({'crank': c, 'arm': 0.0}, {'crank': 2.0, 'arm': 0.5})
                               for c in (crank - h, crank, crank + h))
        for name in ('coupler', 'rocker', 'geared'):
            expected = 2.0 * (ahead.positions[name] - behind.positions[name]) / (2.0 * h)
            assert here.velocities[name] == pytest.approx(expected, abs=1e-7)
        assert list(here.velocities) == [j.name for j in geared.moving_joints]
    assert solver.solve({'crank': 1.0}, {'arm': 0.5}).velocities == {'arm': 0.5}
    assert solver.solve({'crank': 1.0}).velocities == {}


def test_a_jump_of_nearly_a_turn_is_a_walk_where_turns_count() -> None:
    """The Jacobian is the same again after a turn, but a revolute joint is not where it was."""
    for target in (5.955, 6.2, 6.6, -6.0):
        walker, jumper = ClosureSolver(parallelogram(1.0)), ClosureSolver(parallelogram(1.0))
        for k in range(1, 61):
            walked = walker.solve({'crank': target * k / 60}).positions
        assert walked['rocker'] == pytest.approx(target, abs=1e-8)
        assert jumper.solve({'crank': target}).positions == pytest.approx(walked, abs=1e-8)


def test_the_order_of_joints_links_and_closures_is_irrelevant() -> None:
    two = robot(*four_bar('a_'), *four_bar('b_', root='a_coupler'),
                point('extra', 'a_coupler_end', 'a_rocker_end'))
    rng = np.random.default_rng(8)
    expected = ClosureSolver(two).solve({'a_crank': 1.0, 'b_crank': -2.0}).positions
    for _ in range(4):
        mixed = replace(
            two, links=tuple(rng.permutation(two.links)),
            joints=tuple(two.joints[i] for i in rng.permutation(len(two.joints))),
            closures=tuple(two.closures[i] for i in rng.permutation(len(two.closures))))
        got = ClosureSolver(mixed).solve({'a_crank': 1.0, 'b_crank': -2.0}).positions
        assert got == pytest.approx(expected, abs=1e-9)


def test_tolerances_can_be_changed_while_it_runs() -> None:
    solver = ClosureSolver(tied_sliders())
    apart = {'left': 0.0, 'right': 1.2e-3}
    for tolerance, state in ((1e-4, 'strained'), (1e-3, 'closed'), (1e-5, 'open'),
                             (1e-4, 'strained')):
        solver.position_tolerance = tolerance
        solution = solver.solve(apart)
        assert solver.position_tolerance == tolerance
        assert solution.closures['left_pin'].state == solution.groups[0].state == state


def test_tolerances_may_be_zero() -> None:
    solver = ClosureSolver(FOUR_BAR, orientation_tolerance=0.0)
    assert solver.solve({'crank': 0.1}).closures['loop'].state == 'closed'


def test_an_undetermined_joint_never_moves() -> None:
    rod = spinning_rod()
    moved = replace(rod, joints=(
        joint('cart', 'prismatic', 'base', axis=X),
        *(replace(j, parent='cart') if j.parent == 'base' and j.name == 'motor' else j
          for j in rod.joints[:1]),
        *(replace(j, parent='cart') if j.name == 'anchor' else j for j in rod.joints[1:])))
    solver = ClosureSolver(moved)
    for k in range(500):
        solution = solver.solve({'cart': math.sin(0.1 * k), 'motor': 0.0})
        assert [solution.positions[f'ball_{a}'] for a in 'xyz'] == pytest.approx(
            [0.0] * 3, abs=1e-12)


def test_20_000_steps_of_a_periodic_motion_return() -> None:
    solver = ClosureSolver(FOUR_BAR)
    for k in range(20_001):
        positions = solver.solve({'crank': math.remainder(math.tau * k / 200, math.tau)}).positions
        if k == 200:
            first = positions
    assert positions['rocker'] == pytest.approx(first['rocker'], abs=1e-9)
    assert math.remainder(positions['coupler'] - first['coupler'], math.tau) \
        == pytest.approx(0.0, abs=1e-9)


def test_closures_that_contradict_each_other_a_little_do_not_make_it_creep() -> None:
    """A third bar between the two of a parallelogram, half a tenth of a millimetre too long."""
    bars = parallelogram(1.2)
    third = robot(
        *bars.joints, *bars.closures, joint('pin', 'fixed', 'coupler', (1, 0, 0)),
        joint('middle', 'revolute', 'base', (1, 0, 0), rpy=(0, 0, 1.2), passive=True),
        joint('middle_end', 'fixed', 'middle', (1.00005, 0, 0)),
        point('extra', 'pin', 'middle_end'))
    solver = ClosureSolver(third)
    for k in range(2001):
        positions = solver.solve({'crank': 0.5 * math.sin(math.tau * k / 200)}).positions
        if k == 200:
            first = positions
    assert positions == pytest.approx(first, abs=1e-9)


def test_numbers_however_large_do_not_hang_or_raise() -> None:
    for mechanism in (FOUR_BAR, robot(*four_bar(crank='revolute')), tied_sliders(),
                      parallelogram(1.0)):
        solver = ClosureSolver(mechanism)
        for value in (1e3, -1e9, 1e300, 1e-300):
            solution = solver.solve(dict.fromkeys(solver.independent, value))
            assert sum(status.iterations for status in solution.groups) < 22000
            assert np.all(np.isfinite(list(solution.positions.values())))


def test_robots_without_loops_pass_through() -> None:
    plain = robot(joint('a', 'revolute', 'base'),
                  joint('b', 'revolute', 'a', mimic=Mimic('a', 2.0)))
    solver = ClosureSolver(plain)
    solution = solver.solve({'a': 0.4}, {'a': 1.0})
    assert solution.positions == {'a': 0.4, 'b': 0.8}
    assert solution.velocities == {'a': 1.0, 'b': 2.0}
    assert solver.groups == ()
    assert solver.solve_batch(np.array([[0.1], [0.2]])).positions.tolist() == [
        [0.1, 0.2], [0.2, 0.4]]
    assert isinstance(solver.robot, Robot)


def walked(solver: ClosureSolver, steps: range) -> list[Solution]:
    return [solver.solve(dict.fromkeys(solver.independent, 0.02 * k),
                         dict.fromkeys(solver.independent, 1.0)) for k in steps]


@pytest.mark.parametrize('mechanism', [
    FOUR_BAR, tied_sliders(), spinning_rod(), parallelogram(0.0),
    robot(*four_bar('a_'), *four_bar('b_', root='a_coupler'))])
@pytest.mark.parametrize('twin', [copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))])
def test_a_copy_goes_on_where_the_other_was_and_by_itself(
        mechanism: Robot, twin: Callable[[ClosureSolver], ClosureSolver]) -> None:
    solver = ClosureSolver(mechanism)
    walked(solver, range(1, 8))
    copied = twin(solver)
    walked(copied, range(8, 30))  # to no effect on the other
    expected = walked(solver, range(8, 12))
    again = twin(solver)
    for a, b in zip(walked(solver, range(12, 15)), walked(again, range(12, 15))):
        assert a.positions == b.positions
        assert a.velocities == b.velocities
        assert [g.iterations for g in a.groups] == [g.iterations for g in b.groups]
    fresh = ClosureSolver(mechanism)
    for a, b in zip(expected, walked(fresh, range(1, 12))[7:]):
        assert a.positions == b.positions
    assert copied.home == solver.home


def test_a_copy_of_an_open_solver_goes_on_from_its_last_closed_pose() -> None:
    solver = ClosureSolver(robot(*four_bar(crank='revolute')))
    held = ClosureSolver(tied_sliders())
    held.solve({'left': 0.0, 'right': 0.0})
    held.solve({'left': 0.0, 'right': 1.0})
    for one, target in ((solver, {'crank': 1.0}), (held, {'left': 0.3, 'right': 0.3})):
        other = pickle.loads(pickle.dumps(one))
        assert other.solve(target).positions == one.solve(target).positions


def test_solutions_can_be_pickled_and_say_the_same() -> None:
    solver = ClosureSolver(tied_sliders())
    solution = solver.solve({'left': 0.0, 'right': 1.2e-3}, {'left': 1.0, 'right': 1.0})
    seen = solution.closures  # cached; has to be read-only on the other side as well
    other = pickle.loads(pickle.dumps(solution))
    assert other.positions == solution.positions
    assert other.velocities == solution.velocities
    assert other.notes == solution.notes
    assert other.groups[0].residual == solution.groups[0].residual
    assert {name: status.state for name, status in other.closures.items()} == {
        name: status.state for name, status in seen.items()}
    batch = solver.solve_batch(np.array([[0.0, 1.2e-3], [0.1, 0.1]]))
    again = pickle.loads(pickle.dumps(batch))
    assert again.positions.tolist() == batch.positions.tolist()
    assert again.states.tolist() == batch.states.tolist()
    for array in (other.closures['left_pin'].gap_vector, again.positions, again.states):
        with pytest.raises(ValueError, match='read-only'):
            array[:] = 0


def reachable(thing: object, seen: dict[int, object]) -> None:
    """Collect what can be reached by public names and items."""
    if id(thing) in seen or isinstance(thing, (str, int, float, type)) or callable(thing) \
            and not hasattr(thing, '__dict__'):
        return
    seen[id(thing)] = thing
    if isinstance(thing, dict):
        inner = [*thing.values()]
    elif isinstance(thing, (tuple, list, frozenset)):
        inner = [*thing]
        inner += [getattr(thing, name) for name in getattr(thing, '_fields', ())]
    elif type(thing).__module__.startswith('riod_urdf_ros'):
        inner = [getattr(thing, name) for name in dir(thing) if not name.startswith('_')]
    else:
        inner = []
    for each in inner:
        reachable(each, seen)


@pytest.mark.parametrize('mechanism', [
    FOUR_BAR, tied_sliders(), spinning_rod(), parallelogram(0.0)])
def test_nothing_that_a_caller_can_reach_is_live(mechanism: Robot) -> None:
    solver = ClosureSolver(mechanism)
    solution = walked(solver, range(1, 4))[-1]
    seen: dict[int, object] = {}
    reachable([solver.robot, solver.structure, solver.problems, solver.groups,
               solver.independent, solver.home, solver.tolerances, solution,
               solver.solve_batch(np.zeros((3, len(solver.independent))))], seen)
    arrays = [thing for thing in seen.values() if isinstance(thing, np.ndarray)]
    assert arrays
    assert not [array for array in arrays if array.flags.writeable]
    kept = [thing for thing in seen.values() if isinstance(thing, (dict, list, set))]
    assert {type(thing).__name__ for thing in kept[1:]} == {'ReadOnly'}  # the first is ours


def test_positions_handed_out_and_in_are_copies() -> None:
    solver, other = ClosureSolver(FOUR_BAR), ClosureSolver(FOUR_BAR)
    given = {'crank': 0.1}
    solution = solver.solve(given)
    given['crank'] = 9.0
    with pytest.raises(TypeError, match='read-only'):
        solution.positions['rocker'] = 9.0  # type: ignore[index]
    batch = np.array([[0.2], [0.3]])
    solver.solve_batch(batch)
    batch[:] = 9.0
    for crank in (0.1, 0.2, 0.3):
        other.solve({'crank': crank})
    assert solver.solve({'crank': 0.4}).positions == pytest.approx(
        other.solve({'crank': 0.4}).positions, abs=1e-12)


@pytest.mark.parametrize('name, value, says', [
    ('crunk', 0.1, 'crunk'), ('crank', math.nan, 'nan'), ('crank', math.inf, 'inf'),
    ('crank', '0.1', "'0.1'"), ('crank', None, 'None'), ('crank', [0.1], r'\[0.1\]'),
    ('crank', np.float64('nan'), 'nan'), ('crank', 1j, '1j')])
def test_a_solve_refuses_what_a_batch_refuses_and_stays_where_it_was(
        name: str, value: float, says: str) -> None:
    solver, other = ClosureSolver(FOUR_BAR), ClosureSolver(FOUR_BAR)
    solver.solve({'crank': 0.1})
    other.solve({'crank': 0.1})
    for positions, velocities in (({name: value}, {}), ({'crank': 0.2}, {name: value})):
        with pytest.raises(UsageError, match=says) as raised:
            solver.solve(positions, velocities)
        assert name in str(raised.value)
    assert solver.solve({'crank': 0.3}).positions == other.solve({'crank': 0.3}).positions


def test_whole_numbers_and_those_of_numpy_are_numbers() -> None:
    expected = ClosureSolver(FOUR_BAR).solve({'crank': 1.0}).positions
    for value in (1, np.float32(1.0), np.int64(1), np.array(1.0)):
        got = ClosureSolver(FOUR_BAR).solve({'crank': value})  # type: ignore[dict-item]
        assert got.positions == expected
        assert all(type(position) is float for position in got.positions.values())
