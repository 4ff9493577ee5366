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

"""package.xml names every package that is imported, and none that is not."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path
import sys
from xml.etree import ElementTree

from support.paths import ROOT

# Names that rosdep has for what is imported, where they are others.
ROSDEP = {
    'argcomplete': 'python3-argcomplete', 'hypothesis': 'python3-hypothesis',
    'lxml': 'python3-lxml', 'matplotlib': 'python3-matplotlib', 'numpy': 'python3-numpy',
    'PIL': 'python3-pil', 'pytest': 'python3-pytest', 'rich': 'python3-rich',
    'urdf_parser_py': 'urdfdom_py', 'yaml': 'python3-yaml'}
OURS = {'riod_urdf_ros', 'support'}
# Started as programs: by the launch file, and to make its picture on a screen.
STARTED = {'joint_state_publisher_gui', 'robot_state_publisher', 'ros2launch', 'rviz2'}
# Loaded by name in the tests, or for the documentation alone.
IN_TESTS = {'ament_copyright', 'ament_flake8', 'ament_pep257'}
# From a package index only, or for those who use it anyway; what needs them says so.
OPTIONAL = {'llvmlite', 'mcap', 'mcap_ros2', 'mujoco', 'pinocchio', 'rosbags', 'trimesh', 'viser'}


def imported(paths: Iterable[Path]) -> set[str]:
    """Return the names that rosdep has for what files import from other packages."""
    found = set()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding='utf-8'))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition('.')[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition('.')[0])
    return {ROSDEP.get(name, name)
            for name in found - OURS - OPTIONAL - set(sys.stdlib_module_names)}


def declared(kind: str) -> set[str]:
    """Return the dependencies of one kind."""
    package = ElementTree.parse(ROOT / 'package.xml').getroot()
    names = [element.text or '' for element in package.findall(kind)]
    assert len(names) == len(set(names))
    return set(names)


def test_what_is_imported_is_there_when_it_runs() -> None:
    files = [*(ROOT / 'riod_urdf_ros').rglob('*.py'), *(ROOT / 'launch').glob('*.py')]
    assert declared('exec_depend') == imported(files) | STARTED


def test_what_tests_import_is_there_for_them() -> None:
    needed = imported((ROOT / 'test').rglob('*.py')) - declared('exec_depend')
    assert declared('test_depend') == needed | IN_TESTS
