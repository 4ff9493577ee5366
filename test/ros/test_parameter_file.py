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

"""Which known joints a node would take from a parameter file, as rcl reads it."""

from __future__ import annotations

from pathlib import Path

import pytest
from riod_urdf_ros.exceptions import UsageError
from riod_urdf_ros.resources import share_directory
from riod_urdf_ros.ros.parameter_file import known_joints_in

BLOCK = '{ros__parameters: {known_joints: [a, b]}}'


@pytest.mark.parametrize('text, found', [
    (f'/**/closure_node: {BLOCK}', True), (f'/**: {BLOCK}', True),
    (f'closure_node: {BLOCK}', False), (f'/left/closure_node: {BLOCK}', True),
    (f'left: {{closure_node: {BLOCK}}}', True), (f'/right/closure_node: {BLOCK}', False),
    (f'/**/sweep_node: {BLOCK}', False), ('', False),
    ('/**: {ros__parameters: {known_joints: []}}', False)])
def test_patterns(text: str, found: bool, tmp_path: Path) -> None:
    path = tmp_path / 'params.yaml'
    path.write_text(text)
    assert known_joints_in(path, '/left/closure_node') == (('a', 'b') if found else ())


def test_node_without_namespace_and_our_own_file(tmp_path: Path) -> None:
    path = tmp_path / 'params.yaml'
    for pattern in ('/**/closure_node', 'closure_node', '/closure_node', '/**'):
        path.write_text(f'{pattern}: {BLOCK}')
        assert known_joints_in(path, '/closure_node') == ('a', 'b')
    assert known_joints_in(share_directory() / 'config' / 'closure.yaml', '/closure_node') == ()


@pytest.mark.parametrize('text', ['{', '/**: {ros__parameters: {known_joints: 3}}'])
def test_what_is_wrong_is_said_with_the_file(text: str, tmp_path: Path) -> None:
    path = tmp_path / 'params.yaml'
    path.write_text(text)
    for bad in (path, tmp_path / 'nowhere.yaml'):
        with pytest.raises(UsageError, match=str(bad)):
            known_joints_in(bad, '/closure_node')
