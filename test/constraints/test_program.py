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

"""Recorded programs: what is folded, what is compiled, and that both kinds compute the same."""

from __future__ import annotations

import gc
import linecache
import math
import traceback

import numpy as np
import pytest
from riod_urdf_ros.constraints.program import ONE, Program, Term, ZERO
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from support.inline import four_bar, robot

PLACES = {i: i for i in range(9)}


def test_constants_cost_nothing() -> None:
    program = Program()
    q = program.element('q', 0)
    assert program.total([(ONE, Term(2.0)), (Term(3.0), ONE)]) == Term(5.0)
    assert program.total([(ZERO, q)]) == ZERO
    assert program.total([(Term(-2.0), q)]) == q.scaled(-2.0)
    assert program.apply('cos', Term(0.0)) == ONE
    assert program.quotient(ZERO, q) == ZERO
    assert q.scaled(0.0) == ZERO
    assert q.scaled(0.0).constant
    assert not q.constant


def test_an_expression_is_recorded_once() -> None:
    program = Program()
    a, b = program.element('q', 0), program.element('q', 1)
    assert program.total([(a, b), (ONE, a)]) == program.total([(b, a), (ONE, a)])
    assert program.apply('sin', a) == program.apply('sin', a)


def expression(program: Program) -> Term:
    """Record ``2 sin(x) y - y^2/(x - 3) + atan2(x, sqrt(y)) - 0.5``."""
    x, y = program.element('q', 0), program.element('q', 1)
    ratio = program.quotient(
        program.total([(y, y)]), program.total([(ONE, x), (Term(-3.0), ONE)]))
    angle = program.apply('atan2', x, program.apply('sqrt', y))
    return program.total([(program.apply('sin', x).scaled(2.0), y), (Term(-1.0), ratio),
                          (ONE, angle), (Term(-0.5), ONE)])


def test_floats_and_arrays_give_what_was_recorded() -> None:
    program = Program()
    term = expression(program)
    x, y = np.random.default_rng(5).uniform(0.1, 2.0, (2, 20))
    expected = 2 * np.sin(x) * y - y**2 / (x - 3) + np.arctan2(x, np.sqrt(y)) - 0.5
    on_floats = program.function([term], PLACES)
    on_arrays = program.function([term], PLACES, arrays=True)
    assert [on_floats(pair)[0] for pair in zip(x.tolist(), y.tolist())] == pytest.approx(expected)
    assert on_arrays(np.array([x, y]))[0] == pytest.approx(expected)


def test_only_what_an_output_needs_is_computed() -> None:
    program = Program()
    program.apply('sqrt', program.element('q', 0))  # would fail below zero
    cosine = program.apply('cos', program.element('q', 0))
    assert program.function([cosine], PLACES)([-1.0]) == (math.cos(1.0),)


def test_several_vectors_places_stores_and_nested_outputs() -> None:
    program = Program()
    a, b = program.element('q', 3), program.element('p', 1)
    product = program.total([(a, b)])
    run = program.function([[a, Term(7.0)], product.scaled(-1.0)], {3: 0}, vectors='qp',
                           stores={('q', 1): program.total([(ONE, a), (ONE, b)])})
    q = [2.0, 0.0]
    assert run(q, [0.0, 5.0]) == ((2.0, 7.0), -10.0)
    assert q == [2.0, 7.0]


def test_an_impossible_value_raises_like_the_function_itself() -> None:
    program = Program()
    root = program.apply('sqrt', program.element('q', 0))
    with pytest.raises(ValueError):
        program.function([root], PLACES)([-1.0])


def generated() -> set[str]:
    """Return the names under which generated code is known."""
    return {name for name in linecache.cache if name.startswith('<') and '#' in name}


def test_a_traceback_shows_the_lines_of_generated_code() -> None:
    program = Program()
    root = program.apply('sqrt', program.element('q', 0))
    run = program.function([root], PLACES, title='closures pin, upper: step')
    linecache.checkcache()  # as every debugger does
    with pytest.raises(ValueError) as raised:
        run([-1.0])
    last = traceback.extract_tb(raised.value.__traceback__)[-1]
    assert last.filename.startswith('<closures pin, upper: step #')
    assert last.line == 'v0 = sqrt(q0)'


def test_the_generated_code_of_a_solver_tells_its_closures() -> None:
    gc.collect()
    before = generated()
    solver = ClosureSolver(robot(*four_bar('left_')))
    solver.solve({'left_crank': 0.1})
    names = generated() - before
    assert any(name.startswith('<closures left_loop: step #') for name in names)
    assert any(name.startswith('<closures left_loop: residual and Jacobian #') for name in names)


def test_generated_code_goes_with_its_robot() -> None:
    gc.collect()
    before = generated()
    for k in range(3):
        solver = ClosureSolver(robot(*four_bar()))
        solver.solve({'crank': 0.1})
    assert generated() > before
    del solver
    gc.collect()
    assert generated() <= before
