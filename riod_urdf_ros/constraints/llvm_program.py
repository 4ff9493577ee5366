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


"""
Recorded programs as text that LLVM compiles.

The text of a recorded program becomes LLVM IR one line after the other. Numbers are read from an
array, so that programs which differ in numbers only, such as those of the cells of a scissor,
are compiled once in a process.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
import re

from .program import Program, Term

_FUNCTIONS = {'sin': '@sin', 'cos': '@cos', 'atan2': '@atan2', 'sqrt': '@llvm.sqrt.f64',
              'abs': '@llvm.fabs.f64'}
_CALL = re.compile(r'([a-z]+\d?)\((.*)\)')
_DECLARATIONS = """
declare double @sin(double)
declare double @cos(double)
declare double @atan2(double, double)
declare double @llvm.sqrt.f64(double)
declare double @llvm.fabs.f64(double)
"""


class Translation:
    """
    A program as the LLVM function ``@run(q, p, ..., numbers, out)`` on arrays of double.

    :param outputs: what is written to ``out``.
    :param vectors: the letters of the input vectors, in order.
    :param places: for some of the vectors, where elements are found.
    :ivar numbers: what the array of numbers has to hold.
    """

    def __init__(self, program: Program, outputs: Sequence[Term], vectors: str,
                 places: Mapping[str, Mapping[int, int]]) -> None:
        """Translate what the outputs need."""
        self._lines: list[str] = []
        self._numbers: dict[float, str] = {}
        self._values: dict[str, str] = {}
        self._places = places
        for name, expression in program.needed(outputs):
            self._values[name] = self._expression(expression)
        for i, term in enumerate(outputs):
            value = self._number(term.factor) if term.constant \
                else self._scaled(self._value(term.name), term.factor)
            self._emit(f'store double {value}, double* {self._pointer("out", i)}')
        self.numbers = list(self._numbers)
        parameters = ', '.join(f'double* noalias %{name}' for name in (*vectors, 'numbers', 'out'))
        body = '\n  '.join(self._lines)
        self.source = f'{_DECLARATIONS}\ndefine internal void @run({parameters}) {{\n  {body}' \
                      '\n  ret void\n}\n'

    def _emit(self, instruction: str) -> None:
        self._lines.append(instruction)

    def _new(self, instruction: str) -> str:
        name = f'%t{len(self._lines)}'
        self._emit(f'{name} = {instruction}')
        return name

    def _pointer(self, vector: str, index: int) -> str:
        return self._new(f'getelementptr double, double* %{vector}, i64 {index}')

    def _number(self, value: float) -> str:
        if value in (1.0, -1.0, 0.0):
            return repr(value)
        if value not in self._numbers:
            pointer = self._pointer('numbers', len(self._numbers))
            self._numbers[value] = self._new(f'load double, double* {pointer}')
        return self._numbers[value]

    def _value(self, name: str) -> str:
        """Return a variable; elements of the input are loaded when they are first used."""
        if name not in self._values:
            vector, index = name[0], int(name[1:])
            place = self._places[vector][index] if vector in self._places else index
            self._values[name] = self._new(
                f'load double, double* {self._pointer(vector, place)}')
        return self._values[name]

    def _scaled(self, value: str, factor: float) -> str:
        if factor == 1.0:
            return value
        if factor == -1.0:
            return self._new(f'fneg double {value}')
        return self._new(f'fmul contract double {self._number(factor)}, {value}')

    def _expression(self, text: str) -> str:
        """Translate what :class:`Program` records: a call, a quotient or a sum of products."""
        call = _CALL.fullmatch(text)
        if call and call[1] in _FUNCTIONS:
            arguments = ', '.join(f'double {self._sum(a)}' for a in call[2].split(', '))
            return self._new(f'call double {_FUNCTIONS[call[1]]}({arguments})')
        numerator, slash, denominator = text.partition('/(')
        if slash:
            return self._new(
                f'fdiv double {self._sum(numerator)}, {self._sum(denominator[:-1])}')
        return self._sum(text)

    def _sum(self, text: str) -> str:
        total = ''
        for negative, product in _terms(text):
            if total:
                operation = 'fsub' if negative else 'fadd'
                total = self._new(f'{operation} contract double {total}, {self._product(product)}')
            else:
                total = self._product(product)
                total = self._scaled(total, -1.0) if negative else total
        return total

    def _product(self, text: str) -> str:
        first, *others = (self._factor(part) for part in text.split('*'))
        for other in others:
            first = self._new(f'fmul contract double {first}, {other}')
        return first

    def _factor(self, text: str) -> str:
        return self._value(text) if text[0].isalpha() else self._number(float(text))


def _terms(text: str) -> Iterator[tuple[bool, str]]:
    """Split a sum into products: whether each is subtracted, and its text."""
    sign = False
    for token in text.split(' '):
        if token in '+-':
            sign = token == '-'
        elif token.startswith('-'):
            yield not sign, token[1:]
        else:
            yield sign, token
