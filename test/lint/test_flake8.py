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

import pytest
from support.paths import ROOT

ament_flake8 = pytest.importorskip('ament_flake8.main')
SOURCES = [
    str(ROOT / name)
    for name in ('benchmark', 'launch', 'riod_urdf_ros', 'setup.py', 'test')
]


@pytest.mark.flake8
@pytest.mark.linter
@pytest.mark.slow
def test_flake8() -> None:
    status, errors = ament_flake8.main_with_errors(argv=SOURCES)
    assert status == 0, '\n'.join(errors)
