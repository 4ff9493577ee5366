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

"""The rooms import each other in one direction, as the contracts in pyproject.toml say."""

import pytest
from support.paths import ROOT

importlinter = pytest.importorskip('importlinter.cli')


@pytest.mark.linter
def test_imports(capsys: pytest.CaptureFixture[str]) -> None:
    status = importlinter.lint_imports(str(ROOT / 'pyproject.toml'), no_cache=True, no_logo=True)
    assert status == 0, capsys.readouterr().out
