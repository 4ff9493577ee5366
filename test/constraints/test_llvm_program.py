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


"""Recorded programs as LLVM's text: the same numbers, and one text for one structure."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from riod_urdf_ros.constraints.llvm_program import Translation
from riod_urdf_ros.constraints.machine_code import AVAILABLE, compiled
from riod_urdf_ros.constraints.program import ONE, Program, Term

# Calls the translated function, which is internal: a kernel is built around it.
ENTRY = """
define void @entry(double* %q, double* %numbers, double* %out) {
  call void @run(double* %q, double* %numbers, double* %out)
  ret void
}
"""


def translation(a: float, b: float) -> Translation:
    """Translate ``-a sin(x) y - y^2/(x - b) + atan2(-x, sqrt(y)) - |x - y|``, x and -2 y, 7."""
    program = Program()
    x, y = program.element('q', 4), program.element('q', 7)
    ratio = program.quotient(program.total([(y, y)]), program.total([(ONE, x), (Term(-b), ONE)]))
    angle = program.apply('atan2', x.scaled(-1.0), program.apply('sqrt', y))
    apart = program.apply('abs', program.total([(ONE, x), (Term(-1.0), y)]))
    sine = program.apply('sin', x)
    term = program.total([(sine.scaled(-a), y), (Term(-1.0), ratio), (ONE, angle),
                          (Term(-1.0), apart)])
    return Translation(program, [term, program.apply('cos', x), y.scaled(-2.0), Term(7.0)], 'q',
                       {'q': {4: 0, 7: 1}})


@pytest.mark.skipif(not AVAILABLE, reason='llvmlite is not installed')
def test_machine_code_computes_what_was_recorded() -> None:
    translated = translation(2.5, 3e-7)
    run = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)(
        compiled(translated.source + ENTRY, 'entry'))
    numbers, out = np.array(translated.numbers), np.zeros(4)
    for x, y in np.random.default_rng(2).uniform(0.1, 2.0, (20, 2)):
        q = np.array([x, y])
        run(q.ctypes.data, numbers.ctypes.data, out.ctypes.data)
        expected = -2.5 * np.sin(x) * y - y**2 / (x - 3e-7) + np.arctan2(-x, np.sqrt(y)) \
            - np.abs(x - y)
        assert out == pytest.approx([expected, np.cos(x), -2.0 * y, 7.0], rel=1e-14)


def test_programs_that_differ_in_numbers_only_have_one_text() -> None:
    one, other = translation(2.5, 0.5), translation(0.1, 0.7)
    assert one.source == other.source
    assert one.numbers != other.numbers
