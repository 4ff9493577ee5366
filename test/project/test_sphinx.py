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

"""Sphinx builds the documentation without a warning: every picture shown, every link whole."""

from __future__ import annotations

from pathlib import Path
import re
import subprocess
import sys

import pytest
import riod_urdf_ros
from support.paths import ROOT

DOC = ROOT / 'doc'


@pytest.fixture(scope='module')
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip('sphinx')
    pytest.importorskip('myst_parser')
    folder = tmp_path_factory.mktemp('doc')
    # As a program, since it leaves much behind in the process that it runs in.
    done = subprocess.run(
        [sys.executable, '-m', 'sphinx', '-q', '-E', '--fail-on-warning', '--keep-going',
         '-d', str(folder / 'doctrees'), str(DOC), str(folder / 'html')],
        capture_output=True, text=True, cwd=DOC)
    assert done.returncode == 0, done.stderr
    return folder / 'html'


@pytest.mark.slow
def test_every_page_is_built_and_every_picture_shown(built: Path) -> None:
    pages = {path.stem for path in DOC.iterdir() if path.suffix in ('.md', '.rst')}
    assert {'api', 'format', 'index', 'readme'} <= pages
    for page in pages:
        text = (built / f'{page}.html').read_text(encoding='utf-8')
        for source in re.findall(r'<img [^>]*src="([^":]+)"', text):
            assert (built / source).is_file(), f'{page}: {source}'
    shown = {path.name for path in (built / '_images').iterdir()}
    assert shown == {path.name for path in (DOC / 'images').iterdir()}


@pytest.mark.slow
def test_links_between_pages_are_whole(built: Path) -> None:
    links = [(page, *link) for page in sorted(built.glob('*.html')) for link in re.findall(
        r'<a [^>]*href="([^":#]*)(?:#([^"]*))?"', page.read_text(encoding='utf-8'))]
    assert len(links) > 100
    for page, target, anchor in links:
        other = built / target if target else page
        assert other.is_file(), f'{page.name}: {target}'
        if anchor:
            assert f'id="{anchor}"' in other.read_text(encoding='utf-8'), f'{page.name}: {anchor}'


def test_the_page_on_python_has_every_public_name() -> None:
    names = re.findall(r'auto\w+:: riod_urdf_ros\.(\w+)$',
                       (DOC / 'api.rst').read_text(encoding='utf-8'), re.MULTILINE)
    assert sorted(names) == sorted(riod_urdf_ros.__all__)
