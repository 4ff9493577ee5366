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

"""The page of symptoms: what it quotes is what the package says."""

from __future__ import annotations

import ast
from collections.abc import Iterator
import re

import pytest
from support.paths import ROOT

PAGE = ROOT / 'doc' / 'when_it_does_not_work.md'
# In messages, for what differs from one to the next.
ANY = '…'


def messages() -> Iterator[str]:
    """Return all strings of the package, with a mark where something is put in."""
    for path in (ROOT / 'riod_urdf_ros').rglob('*.py'):
        for node in ast.walk(ast.parse(path.read_text(encoding='utf-8'))):
            if isinstance(node, ast.JoinedStr):
                yield ''.join(part.value if isinstance(part, ast.Constant)
                              and isinstance(part.value, str) else ANY for part in node.values)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def symptoms() -> list[str]:
    """Return what is quoted in the first column of the tables, if it is a message."""
    cells = re.findall(r'^\| (`.*?) \|', PAGE.read_text(encoding='utf-8'), re.MULTILINE)
    return [quoted for cell in cells for quoted in re.findall('`(.*?)`', cell)]


@pytest.mark.parametrize('symptom', symptoms())
def test_the_package_says_so(symptom: str) -> None:
    parts = [re.escape(part) for part in symptom.split(ANY)]
    pattern = re.compile('.*'.join(parts))
    assert any(pattern.search(message) for message in messages())
