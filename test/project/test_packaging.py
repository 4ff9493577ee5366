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

from __future__ import annotations

import os
from pathlib import Path
import re
import shutil
import subprocess
import sys
import sysconfig
from xml.etree import ElementTree

import pytest
from support.paths import ROOT

pytest.importorskip('pip')
pytestmark = pytest.mark.slow
# What needs a library that is not here is passed over, but not what needs a module of ours.
IMPORT = """
import importlib, sys
for name in sys.argv[1:]:
    try:
        print(importlib.import_module(name).__file__)
    except ModuleNotFoundError as error:
        if error.name.startswith('riod_urdf_ros'):
            raise
"""
SCRIPTS = ('closure_demo', 'closure_node', 'command_node', 'riod_urdf', 'sweep_node')


@pytest.fixture(scope='module')
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel and install it into a fresh environment that borrows the dependencies."""
    folder = tmp_path_factory.mktemp('wheel')
    source = folder / 'source'
    # A copy, as building writes beside the sources.
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(
        '.*', 'build', 'install', 'log', '*.egg-info', '__pycache__'))
    built = subprocess.run(
        [sys.executable, '-m', 'pip', 'wheel', '--no-deps', '-w', str(folder), str(source)],
        capture_output=True, text=True)
    if 'No matching distribution found for setuptools' in built.stderr:
        pytest.skip('needs a package index, to get setuptools')
    assert built.returncode == 0, built.stderr
    environment = folder / 'environment'
    subprocess.run([sys.executable, '-m', 'venv', str(environment)], check=True)
    python = environment / 'bin' / 'python'
    wheel, = folder.glob('riod_urdf_ros-*.whl')
    subprocess.run([str(python), '-m', 'pip', 'install', '-q', '--no-deps', str(wheel)],
                   check=True, env=clean_environment())
    site = next(environment.glob('lib/python*/site-packages'))
    (site / 'borrowed.pth').write_text(sysconfig.get_path('purelib') + '\n')
    return environment


def clean_environment() -> dict[str, str]:
    """Return the environment without what points at the sources or at an installation."""
    return {name: value for name, value in os.environ.items()
            if name not in ('PYTHONPATH', 'AMENT_PREFIX_PATH')}


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          env=clean_environment(), cwd=cwd)


def test_everything_that_is_shared_is_installed(installed: Path) -> None:
    share = installed / 'share' / 'riod_urdf_ros'
    for folder in ('launch', 'config', 'urdf'):
        expected = {path.name for path in (ROOT / folder).iterdir() if path.is_file()}
        assert expected
        assert {path.name for path in (share / folder).iterdir() if path.is_file()} == expected
    assert (share / 'package.xml').is_file()
    assert (installed / 'share/ament_index/resource_index/packages/riod_urdf_ros').is_file()
    site = next(installed.glob('lib/python*/site-packages'))
    assert (site / 'riod_urdf_ros' / 'py.typed').is_file()
    assert not (site / 'test').exists()


def test_every_room_is_installed_and_can_be_imported(installed: Path, tmp_path: Path) -> None:
    sources = {path.relative_to(ROOT) for path in (ROOT / 'riod_urdf_ros').rglob('*.py')}
    site = next(installed.glob('lib/python*/site-packages'))
    assert {path.relative_to(site) for path in (site / 'riod_urdf_ros').rglob('*.py')} == sources
    modules = sorted('.'.join(path.with_suffix('').parts) for path in sources)
    result = run(installed / 'bin' / 'python', '-c', IMPORT, *modules, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    files = result.stdout.splitlines()
    assert any('solver' in file for file in files)
    assert all(Path(file).is_relative_to(site) for file in files)


def test_commands_are_installed_and_run(installed: Path, tmp_path: Path) -> None:
    for script in SCRIPTS:
        assert (installed / 'bin' / script).is_file()
    result = run(installed / 'bin' / 'riod_urdf', '--help', cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert 'check' in result.stdout


def test_packaged_model_is_found_without_an_ament_index(installed: Path, tmp_path: Path) -> None:
    result = run(
        installed / 'bin' / 'python', '-c',
        'from riod_urdf_ros import load\n'
        'from riod_urdf_ros.resources import default_model\n'
        'print(default_model(), load(default_model()).robot.name)', cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    model, name = result.stdout.split()
    assert Path(model).is_relative_to(installed) and name == 'four_bar'


def test_setup_and_package_xml_agree() -> None:
    package = ElementTree.parse(ROOT / 'package.xml').getroot()
    setup = (ROOT / 'setup.py').read_text()
    for key in ('version', 'license', 'maintainer'):
        assert re.findall(rf"\b{key}='(.*)'", setup) == [package.findtext(key)]
    scripts = re.findall(r"'(\w+) = riod_urdf_ros\.[\w.]+:\w+'", setup)
    assert sorted(scripts) == sorted(SCRIPTS)
