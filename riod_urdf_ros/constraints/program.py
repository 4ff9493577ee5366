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
Straight-line arithmetic, recorded once and compiled to Python functions.

The kinematics of a loop is written once, on :class:`Term` objects; multiplications by zero and
one vanish while it is recorded, and only what an output needs is compiled. The same source
runs on floats (``math``) and on arrays of configurations (``numpy``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
import linecache
import math
import re
from types import MappingProxyType
from typing import Any, NamedTuple
import weakref

import numpy as np

_count = count(1)
_NAME = re.compile(r'\b[a-z]+\d+\b')
_ON_FLOATS: dict[str, Callable[..., float]] = {
    'sin': math.sin, 'cos': math.cos, 'sqrt': math.sqrt, 'atan2': math.atan2, 'abs': abs}
_ON_ARRAYS: dict[str, Callable[..., Any]] = {
    'sin': np.sin, 'cos': np.cos, 'sqrt': np.sqrt, 'atan2': np.arctan2, 'abs': np.abs}


class Term(NamedTuple):
    """A constant times a variable of the recorded program; without a name, the constant."""

    factor: float
    name: str = ''

    def scaled(self, factor: float) -> Term:
        """Multiply by a constant; costs nothing in the compiled program."""
        return Term(self.factor * factor, self.name if self.factor * factor else '')

    @property
    def constant(self) -> bool:
        """Whether the value does not depend on the input."""
        return not self.name

    def source(self) -> str:
        """Return the term as Python source."""
        if self.constant:
            return repr(self.factor)
        if self.factor == 1.0:
            return self.name
        return f'-{self.name}' if self.factor == -1.0 else f'{self.factor!r}*{self.name}'


ZERO, ONE = Term(0.0), Term(1.0)


class Program:
    """A growing list of assignments ``name = expression``, each expression recorded once."""

    def __init__(self) -> None:
        """Start empty."""
        self._lines: list[tuple[str, str]] = []
        self._names: dict[str, str] = {}

    def _assign(self, expression: str) -> Term:
        name = self._names.get(expression)
        if name is None:
            name = self._names[expression] = f'v{len(self._lines)}'
            self._lines.append((name, expression))
        return Term(1.0, name)

    @staticmethod
    def element(vector: str, index: int) -> Term:
        """Return an element of an input vector, which is named by a letter other than v."""
        return Term(1.0, f'{vector}{index}')

    def apply(self, function: str, *arguments: Term) -> Term:
        """Record a call of ``sin``, ``cos``, ``sqrt``, ``atan2`` or ``abs``."""
        if all(argument.constant for argument in arguments):
            return Term(float(_ON_FLOATS[function](*(a.factor for a in arguments))))
        return self._assign(f'{function}({", ".join(a.source() for a in arguments)})')

    def quotient(self, numerator: Term, denominator: Term) -> Term:
        """Record a division."""
        if numerator.constant and (denominator.constant or not numerator.factor):
            return Term(numerator.factor / denominator.factor) if numerator.factor else ZERO
        return self._assign(f'{numerator.source()}/({denominator.source()})')

    def total(self, products: Iterable[tuple[Term, Term]]) -> Term:
        """
        Record a sum of products of two factors each.

        :return: the sum; constants and vanishing products cost nothing.
        """
        constant, parts = 0.0, []
        for a, b in products:
            factor = a.factor * b.factor
            if factor == 0.0:
                continue
            if a.constant and b.constant:
                constant += factor
            else:
                parts.append((factor, '*'.join(sorted(n for n in (a.name, b.name) if n))))
        if not parts:
            return Term(constant)
        if len(parts) == 1 and constant == 0.0 and '*' not in parts[0][1]:
            return Term(*parts[0])
        source = ''.join(
            (' - ' if factor < 0.0 else ' + ')
            + (name if abs(factor) == 1.0 else f'{abs(factor)!r}*{name}')
            for factor, name in parts)
        if constant:
            source += f' {"-" if constant < 0.0 else "+"} {abs(constant)!r}'
        return self._assign(source[3:] if source.startswith(' + ') else source.strip())

    def needed(self, outputs: Iterable[Term]) -> list[tuple[str, str]]:
        """Return the assignments that some outputs need, in order: name and expression."""
        used = {term.name for term in outputs}
        lines = []
        for name, expression in reversed(self._lines):
            if name in used:
                lines.append((name, expression))
                used.update(_NAME.findall(expression))
        return lines[::-1]

    def function(
            self, outputs: Sequence[Term | Sequence[Term]], places: Mapping[int, int], *,
            vectors: str = 'q', stores: Mapping[tuple[str, int], Term] = MappingProxyType({}),
            arrays: bool = False, title: str = 'program') -> Callable[..., Any]:
        """
        Make a function of what has been recorded.

        :param outputs: what the function returns, as a tuple; a sequence becomes a tuple in it.
        :param places: where the function finds the elements of its first vector.
        :param vectors: the letters of the function's parameters, in order.
        :param stores: values to write into vectors, by letter and index.
        :param arrays: whether elements of the input are arrays instead of floats.
        :param title: what it computes, for tracebacks and debuggers.
        :return: a function of the input vectors (any indexables of floats, or of arrays).
        """
        flat = [term for output in outputs
                for term in ((output,) if isinstance(output, Term) else output)]
        lines = self.needed([*flat, *stores.values()])
        used = {term.name for term in (*flat, *stores.values())}
        used.update(name for _, expression in lines for name in _NAME.findall(expression))
        loads = [
            f'{name} = {name[0]}[{places[int(name[1:])] if name[0] == vectors[0] else name[1:]}]'
            for name in sorted(used) if name[:1] in vectors and name[1:].isdigit()]
        body = [f'{target} = {expression}' for target, expression in lines]
        writes = [f'{letter}[{i}] = {term.source()}' for (letter, i), term in stores.items()]
        values = ''.join(
            f'{output.source()}, ' if isinstance(output, Term)
            else f'({"".join(f"{term.source()}, " for term in output)}), '
            for output in outputs)
        source = '\n    '.join([
            f'def function({", ".join(vectors)}):', *loads, *body, *writes,
            f'return ({values})'])
        return _function(source, title, dict(_ON_ARRAYS if arrays else _ON_FLOATS))


def _function(source: str, title: str, namespace: dict[str, Any]) -> Callable[..., Any]:
    """
    Compile a function whose lines tracebacks and debuggers show, as long as it lives.

    :param source: its definition: our own text, numbers only.
    """
    file = f'<{title} #{next(_count)}>'  # unlike any other: robots may have equal closures
    exec(compile(source, file, 'exec'), namespace)
    # Out of its own globals, so that it goes as soon as nobody holds it.
    function: Callable[..., Any] = namespace.pop('function')
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    weakref.finalize(function, linecache.cache.pop, file, None).atexit = False
    return function
