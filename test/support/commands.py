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

"""Running ``riod_urdf`` in this process, on every model there is, and what it writes to."""

from __future__ import annotations

import io
from pathlib import Path
from typing import NamedTuple

import pytest
from riod_urdf_ros.cli.main import main
from support.paths import CASES, EXAMPLES

FOUR_BAR = EXAMPLES / 'four_bar.urdf'
_CASES = sorted((CASES / 'mechanisms').glob('*/model.urdf'))

CASE_MODELS = [pytest.param(path, id=path.parent.name) for path in _CASES] or [
    pytest.param(None, id='cases', marks=pytest.mark.skip(f'{CASES} is not there'))]
MODELS = [*(pytest.param(path, id=path.name) for path in sorted(EXAMPLES.iterdir())), *CASE_MODELS]


class Terminal(io.StringIO):
    """A terminal that keeps what was written."""

    def isatty(self) -> bool:
        """Say that a person is looking."""
        return True


class Done(NamedTuple):
    """What a command came to."""

    status: int
    out: str
    err: str


def run(capsys: pytest.CaptureFixture[str], *words: str | Path) -> Done:
    """Run a command."""
    capsys.readouterr()
    try:
        status = main([str(word) for word in words])
    except SystemExit as stop:
        status = stop.code if isinstance(stop.code, int) else 1
    out, err = capsys.readouterr()
    assert 'Traceback' not in err
    return Done(status, out, err)


def needs_xacro(path: Path) -> None:
    """Skip where a model cannot be expanded."""
    if path.suffix == '.xacro':
        pytest.importorskip('xacro')
