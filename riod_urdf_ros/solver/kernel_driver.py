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


"""LLVM's text of what stands between Python and a recorded step: arguments, loop, result."""

from __future__ import annotations

import numpy as np

from .block import Block
from ..constraints.numerics import FINISHED, MOST_EVALUATIONS, ORDER

_PYTHON = """
declare i8* @PyLong_AsVoidPtr(i8*)
declare i8* @PyLong_FromLong(i64)
declare i8* @PyBool_FromLong(i64)
declare double @PyFloat_AsDouble(i8*)
declare i8* @PyFloat_FromDouble(double)
declare i64 @PyList_Size(i8*)
declare i8* @PyList_GetItem(i8*, i64)
declare i32 @PyList_SetItem(i8*, i64, i8*)
declare i8* @PyTuple_New(i64)
declare i8* @PyTuple_GetItem(i8*, i64)
declare i32 @PyTuple_SetItem(i8*, i64, i8*)
declare i8* @PyBytes_FromStringAndSize(i8*, i64)
declare i8* @PyBytes_AsString(i8*)
declare i8* @PyErr_Occurred()
declare void @Py_DecRef(i8*)
"""

_BEGIN = """
define i8* @kernel(i8* %self, i8** %arguments, i64 %arguments.count) {{
  %data = call i8* @PyLong_AsVoidPtr(i8* %self)
  %places = bitcast i8* %data to i64*
  %doubles = bitcast i8* %data to double*
  %numbers = getelementptr double, double* %doubles, i64 {count}
  %a1 = getelementptr i8*, i8** %arguments, i64 1
  %a2 = getelementptr i8*, i8** %arguments, i64 2
  %a3 = getelementptr i8*, i8** %arguments, i64 3
  %list = load i8*, i8** %arguments
  %bent = load i8*, i8** %a1
  %memory = load i8*, i8** %a2
  %weights = load i8*, i8** %a3
  %old = call i8* @PyBytes_AsString(i8* %memory)
  %p = bitcast i8* %old to double*
  %q = alloca double, i64 {count}
  %d = alloca double, i64 {count}
  %w = alloca double, i64 {weights}
  %e = alloca double, i64 {n}
"""

_BENDING = """
  %bents = call i64 @PyList_Size(i8* %bent)
  %many = icmp sgt i64 %bents, 0
  br i1 %many, label %bending, label %ready
bending:
"""

# The new memory is where the step writes its results.
_EVALUATE = """
  br label %ready
ready:
  %fault = call i8* @PyErr_Occurred()
  %faulty = icmp ne i8* %fault, null
  br i1 %faulty, label %raise, label %go
raise:
  ret i8* null
go:
  %new = call i8* @PyBytes_FromStringAndSize(i8* null, i64 {bytes})
  %new.s = call i8* @PyBytes_AsString(i8* %new)
  %out = bitcast i8* %new.s to double*
  %last.p = getelementptr double, double* %out, i64 {last}
  br label %evaluate
evaluate:
  %evaluations = phi i64 [1, %go], [%next, %again]
  call void @run(double* %q, double* %p, double* %w, double* %e, double* %d, double* %numbers,
                 double* %out)
  %last = load double, double* %last.p
  %done = fcmp olt double %last, {finished}
  br i1 %done, label %finished, label %unfinished
unfinished:
  %near = fcmp ole double %last, 1.0
  %more = icmp slt i64 %evaluations, {most}
  %on = and i1 %near, %more
  br i1 %on, label %again, label %failed
failed:
  call void @Py_DecRef(i8* %new)
  %no = call i8* @PyBool_FromLong(i64 0)
  ret i8* %no
again:
  %next = add i64 %evaluations, 1
"""

_END = """
  %number = call i8* @PyLong_FromLong(i64 %evaluations)
  %result = call i8* @PyTuple_New(i64 4)
  %r0 = call i32 @PyTuple_SetItem(i8* %result, i64 0, i8* %new)
  %r1 = call i32 @PyTuple_SetItem(i8* %result, i64 1, i8* %number)
  %r2 = call i32 @PyTuple_SetItem(i8* %result, i64 2, i8* %misfit)
  %r3 = call i32 @PyTuple_SetItem(i8* %result, i64 3, i8* %change)
  ret i8* %result
}
"""


class Driver:
    """
    The function ``@kernel`` around ``@run``, which evaluates a step of a block once.

    Python calls it with q, bent, memory and weights; it returns what
    :class:`~riod_urdf_ros.solver.step.Stepped` is made of, or False. The data behind self are the
    places of the block's unknown, then known joints in q, and the numbers of the program.

    :param size: of the memory.
    :ivar source: LLVM's text.
    """

    def __init__(self, block: Block, size: int) -> None:
        """Write the text."""
        self._block, self._size = block, size
        self._lines: list[str] = []
        n, count = block.n, block.n + len(block.known)
        self._lines.append(_BEGIN.format(count=count, weights=ORDER + 1, n=n))
        self._read(n, count)
        self._lines.append(_EVALUATE.format(
            bytes=8 * (size + 3 * n + 3), last=size + n, most=MOST_EVALUATIONS,
            finished=f'0x{np.float64(FINISHED).view(np.uint64):016X}'))
        for i in range(n):
            value = self._load(f'c{i}', size + i)
            self._lines.append(f'  store double {value}, double* %e{i}.p')
        self._lines.append('  br label %evaluate\nfinished:')
        self._answer(n)
        self.source = _PYTHON + '\n'.join(self._lines)

    def _read(self, n: int, count: int) -> None:
        """Read the arguments into arrays."""
        for i in range(count):
            self._pointer(f'place{i}.p', 'places', i, 'i64')
            self._lines.append(f'  %place{i} = load i64, i64* %place{i}.p')
            self._zero('d', i)
        for i in range(n):
            self._zero('e', i)
        for i in range(n, count):
            self._pointer(f'q{i}.p', 'q', i)
            self._item('q', i, 'List_GetItem(i8* %list', f'%place{i}')
        for i in range(ORDER + 1):
            self._pointer(f'w{i}.p', 'w', i)
            self._item('w', i, 'Tuple_GetItem(i8* %weights', str(i))
        self._lines.append(_BENDING)
        for i, is_bent in enumerate(self._block.bent, n):
            if is_bent:
                self._item('d', i, 'List_GetItem(i8* %bent', f'%place{i}')

    def _answer(self, n: int) -> None:
        """Write the lists, and the result."""
        first = self._size + n + 3
        for i in range(n):
            self._set(f'x{i}', '%list', i, first + i)
        self._lines.append('  br i1 %many, label %bend, label %end\nbend:')
        for i in range(n):
            self._set(f'b{i}', '%bent', i, first + n + i)
        self._lines.append('  br label %end\nend:')
        self._float('misfit', self._size + n + 1)
        self._float('change', self._size + n + 2)
        self._lines.append(_END)

    def _pointer(self, name: str, array: str, index: int, kind: str = 'double') -> None:
        self._lines.append(f'  %{name} = getelementptr {kind}, {kind}* %{array}, i64 {index}')

    def _zero(self, array: str, index: int) -> None:
        self._pointer(f'{array}{index}.p', array, index)
        self._lines.append(f'  store double 0.0, double* %{array}{index}.p')

    def _item(self, array: str, index: int, call: str, place: str) -> None:
        """Put a float out of a list or tuple into an array."""
        name = f'%{array}{index}'
        self._lines.append(f'  {name}.o = call i8* @Py{call}, i64 {place})\n'
                           f'  {name}.f = call double @PyFloat_AsDouble(i8* {name}.o)\n'
                           f'  store double {name}.f, double* {name}.p')

    def _load(self, name: str, index: int) -> str:
        """Load one of the results."""
        self._pointer(f'{name}.p', 'out', index)
        self._lines.append(f'  %{name}.v = load double, double* %{name}.p')
        return f'%{name}.v'

    def _float(self, name: str, index: int) -> None:
        """Make one of the results a Python float."""
        value = self._load(name, index)
        self._lines.append(f'  %{name} = call i8* @PyFloat_FromDouble(double {value})')

    def _set(self, name: str, owner: str, place: int, index: int) -> None:
        """Write one of the results into a list."""
        self._float(name, index)
        self._lines.append(f'  %{name}.r = call i32 @PyList_SetItem(i8* {owner}, '
                           f'i64 %place{place}, i8* %{name})')
