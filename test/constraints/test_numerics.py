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

"""The constants of the numerics: all in one place, and as the documentation has them."""

from __future__ import annotations

import ast
from pathlib import Path
import re

import pytest
from riod_urdf_ros.constraints import numerics
from support.paths import ROOT

CONSTANTS = {name: value for name, value in vars(numerics).items() if name.isupper()}
PACKAGE = ROOT / 'riod_urdf_ros'
MODULES = [path for room in ('constraints', 'structure', 'solver')
           for path in sorted((PACKAGE / room).glob('*.py')) if path.stem != 'numerics']
ELSEWHERE = {
    '_OPTIMISATION', '_FASTCALL',  # of the compiler and of Python: nothing is decided by them
    '_WORTH_TELLING',  # of a message, in its units
}


def documented() -> dict[str, tuple[object, str, str]]:
    text = (ROOT / 'doc/how_it_decides.md').read_text(encoding='utf-8').split('## Constants')[1]
    rows = re.findall(r'^\| `(\w+)` \| (.+?) \| (.+?) \| (.+?) \|$', text, re.MULTILINE)
    return {name: (ast.literal_eval(value), unit, reason) for name, value, unit, reason in rows}


def test_the_documentation_has_every_constant_with_its_value() -> None:
    assert {name: value for name, (value, *_) in documented().items()} == CONSTANTS


@pytest.mark.parametrize('name', CONSTANTS)
def test_the_code_tells_the_same_unit_and_reason(name: str) -> None:
    source = (PACKAGE / 'constraints/numerics.py').read_text(encoding='utf-8')
    text = ' '.join(source.split(f'\n{name} = ')[1].split('"""')[1].split())
    _, unit, reason = documented()[name]
    assert text == f'{unit[0].upper()}{unit[1:]}: {reason}.'


@pytest.mark.parametrize('path', MODULES, ids=lambda path: path.stem)
def test_no_other_module_of_the_numerics_has_constants_of_its_own(path: Path) -> None:
    for node in ast.parse(path.read_text(encoding='utf-8')).body:
        if isinstance(node, ast.Assign) and any(
                isinstance(part, ast.Constant) and type(part.value) in (int, float)
                for part in ast.walk(node.value)) and not isinstance(node.value, ast.Call):
            names = {part.id for target in node.targets for part in ast.walk(target)
                     if isinstance(part, ast.Name)}
            assert names <= ELSEWHERE | {'WEIGHTS', 'ZERO', 'ONE'}, names


def test_what_depends_on_another_does_so() -> None:
    assert numerics.WANTED_CHANGE == 0.7 * numerics.LARGEST_CHANGE
    assert numerics.RANK_TOLERANCE < numerics.BOUND_TOLERANCE < numerics.NEAR_SINGULAR
    assert numerics.SMALLEST_STEP < numerics.HEALTHY_STEP
    assert numerics.SHORTEST <= numerics.LENGTH <= numerics.LONGEST
