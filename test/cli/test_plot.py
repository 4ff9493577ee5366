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

"""``riod_urdf plot``: pictures that are written, not blank, and drawn in the right plane."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from riod_urdf_ros import ClosureSolver
from riod_urdf_ros.cli.main import main
from riod_urdf_ros.colours import GHOST
from riod_urdf_ros.plotting.outline import outline
from riod_urdf_ros.plotting.viewpoint import Viewpoint
from riod_urdf_ros.urdf.loader import load
from support.paths import CASES, EXAMPLES
from support.robots import FOUR_BAR, HIGH_SLIDE, PLAIN, robot

pytest.importorskip('matplotlib')
Image = pytest.importorskip('PIL.Image')

NAMES = sorted(path.name for path in EXAMPLES.iterdir() if '.urdf' in path.suffixes)
SHARED = ('gepetto_talos_full', 'robotiq_2f85_parallel_mimic', 'stewart_ups',
          'strandbeest_leg_pair', 'uarm_swift_pro')
ACTUATED, PASSIVE, CLOSURE = (230, 159, 0), (0, 114, 178), (0, 158, 115)


def pixels(path: Path) -> np.ndarray:
    with Image.open(path) as picture:
        return np.asarray(picture.convert('RGB')).reshape(-1, 3)


def fraction(path: Path, colour: tuple[int, int, int]) -> float:
    """Return the part of the pixels that have about a colour."""
    return float(np.mean(np.abs(pixels(path).astype(int) - colour).max(axis=1) < 12))


def assert_drawn(path: Path) -> None:
    """See a picture with ink of all the kinds that a mechanism with a loop has."""
    assert 0.01 < float(np.mean(pixels(path).min(axis=1) < 200)) < 0.5
    for colour in (ACTUATED, PASSIVE, CLOSURE):
        assert fraction(path, colour) > 1e-4


def model(name: str) -> Path:
    if name.endswith('.xacro'):
        pytest.importorskip('xacro')
    return EXAMPLES / name


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / 'model.urdf'
    path.write_text(text, encoding='utf-8')
    return path


@pytest.mark.parametrize('name', NAMES)
def test_draws_every_example(
        name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / 'out.png'
    assert main(['plot', str(model(name)), '-o', str(output)]) == 0
    assert_drawn(output)
    done = capsys.readouterr()
    assert done.out == f'wrote {output}\n'
    assert done.err == ''


@pytest.mark.parametrize('arguments', [(), ('--sweep', 'crank', '--curves')])
def test_home_is_where_the_loops_close(
        arguments: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, output = written(tmp_path, HIGH_SLIDE), tmp_path / 'out.svg'
    assert main(['plot', str(path), '-o', str(output), *arguments]) == 0
    assert 'open' not in capsys.readouterr().err
    # Text is drawn as outlines, with the words in a comment.
    assert '<!-- loop closed, gap 0 mm -->' in output.read_text()


@pytest.mark.parametrize('name', SHARED)
def test_draws_real_robots(name: str, tmp_path: Path) -> None:
    path = CASES / 'mechanisms' / name / 'model.urdf'
    if not path.is_file():
        pytest.skip('shared/cases is not there')
    output = tmp_path / 'out.png'
    assert main(['plot', str(path), '-o', str(output)]) == 0
    assert_drawn(output)


def test_a_sweep_draws_ghosts_and_curves(tmp_path: Path) -> None:
    plain, swept, curves = (tmp_path / f'{name}.png' for name in ('plain', 'swept', 'curves'))
    path = str(model('four_bar.urdf'))
    assert main(['plot', path, '-o', str(plain)]) == 0
    assert main(['plot', path, '--sweep', 'crank', '-o', str(swept)]) == 0
    assert main(['plot', path, '--sweep', 'crank', '--curves', '-o', str(curves)]) == 0
    assert fraction(swept, (185, 196, 206)) > fraction(plain, (185, 196, 206)) + 0.003
    with Image.open(swept) as narrow, Image.open(curves) as wide:
        assert wide.width > narrow.width + 500


def test_a_gif_moves_and_is_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr('riod_urdf_ros.plotting.picture._FRAMES', 6)
    output = tmp_path / 'out.gif'
    path = str(model('four_bar.urdf'))
    assert main(['plot', path, '--sweep', 'crank', '-o', str(output)]) == 0
    assert_drawn(output)
    assert output.stat().st_size < 100_000
    with Image.open(output) as picture:
        assert picture.n_frames == 6
        first = np.asarray(picture.convert('RGB')).astype(int)
        picture.seek(3)
        assert np.any(first != np.asarray(picture.convert('RGB')))


def test_an_svg_has_the_names(tmp_path: Path) -> None:
    output = tmp_path / 'out.svg'
    assert main(['plot', str(model('four_bar.urdf')), '-o', str(output)]) == 0
    ElementTree.parse(output)
    text = output.read_text(encoding='utf-8')
    for name in ('crank', 'coupler', 'rocker', 'pin', 'actuated joint', 'x of base_link [m]'):
        assert f'<!-- {name} -->' in text


def test_the_name_of_the_picture_is_that_of_the_model(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = model('gripper.urdf.xacro')
    monkeypatch.chdir(tmp_path)
    assert main(['plot', str(path)]) == 0
    assert (tmp_path / 'gripper.png').is_file()


def test_a_robot_without_loops_is_drawn(tmp_path: Path) -> None:
    output = tmp_path / 'out.png'
    assert main(['plot', str(written(tmp_path, PLAIN)), '-o', str(output)]) == 0
    assert fraction(output, ACTUATED) > 1e-4
    assert main(['plot', str(written(tmp_path, robot('single_link'))), '-o', str(output)]) == 0


def test_an_open_loop_is_drawn_with_its_gap(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / 'out.svg'
    path = str(model('stewart.urdf.xacro'))
    assert main(['plot', path, '--joint', 'leg_1=0.5', '-o', str(output)]) == 1
    assert 'leg_2 (open, gap 500 mm)' in output.read_text(encoding='utf-8')
    assert "loop 'leg_2' is open there: gap 500 mm" in capsys.readouterr().err


def test_says_how_far_the_loops_stay_closed(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = FOUR_BAR.replace(' 0.25 0"', ' 0.85 0"')
    output = tmp_path / 'out.png'
    path = written(tmp_path, text)
    assert main(['plot', str(path), '--sweep', 'crank', '-o', str(output)]) == 0
    assert 'crank: the loops stay closed from ' in capsys.readouterr().out


@pytest.mark.parametrize(('arguments', 'message'), [
    (['-o', 'out.pdf'], "cannot write 'out.pdf': its name has to end in .png, .svg or .gif"),
    (['-o', 'out.gif'], 'a .gif moves: it needs --sweep NAME'),
    (['--curves'], '--curves needs --sweep NAME'),
    (['--sweep', 'crnk'], "unknown joint 'crnk'; did you mean 'crank'?"),
    (['--sweep', 'rocker'], "joint 'rocker' is solved for"),
    (['-o', 'nowhere/out.png'], 'cannot write nowhere/out.png: No such file or directory'),
])
def test_usage(arguments: list[str], message: str, tmp_path: Path,
               monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    path = model('four_bar.urdf')
    monkeypatch.chdir(tmp_path)
    assert main(['plot', str(path), *arguments]) == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_without_matplotlib_says_how_to_install_it(
        monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr('riod_urdf_ros.cli.plot.find_spec', lambda name: None)
    assert main(['plot', str(model('four_bar.urdf'))]) == 2
    error = capsys.readouterr().err
    assert 'apt install python3-matplotlib' in error
    assert 'pip install matplotlib' in error


@pytest.mark.parametrize(('name', 'link', 'axes'), [
    ('four_bar.urdf', 'base_link', ('x', 'z')), ('excavator.urdf.xacro', 'carriage', ('x', 'z')),
    ('gripper.urdf.xacro', 'base_link', ('x', 'z'))])
def test_plane_mechanisms_are_drawn_in_their_plane(
        name: str, link: str, axes: tuple[str, str]) -> None:
    loaded = load(model(name)).robot
    view = Viewpoint(loaded, ClosureSolver(loaded).home)
    assert view.planar
    assert view.link == link
    assert view.axis_names() == axes


@pytest.mark.parametrize('name', ['delta.urdf.xacro', 'stewart.urdf.xacro'])
def test_spatial_mechanisms_are_not(name: str) -> None:
    loaded = load(model(name)).robot
    view = Viewpoint(loaded, ClosureSolver(loaded).home)
    assert not view.planar
    assert np.allclose(view.rotation @ view.rotation.T, np.eye(3))


def test_a_body_is_a_bar_a_plate_or_a_net() -> None:
    square = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 0]], float)
    assert outline(square[:1]) == []
    (bar,) = outline(np.array([[0, 0, 0], [2, 0, 0], [1, 0, 0]], float))
    assert np.allclose(sorted(bar[:, 0]), [0, 2])
    (plate,) = outline(square)
    assert len(plate) == 5
    assert np.allclose(plate[0], plate[-1])
    net = outline(np.vstack([square, [[0, 0, 1]]]))
    assert len(net) == 5


def test_other_assembly_modes_are_drawn_as_ghosts(tmp_path: Path) -> None:
    model, alone, both = (str(EXAMPLES / 'four_bar.urdf'), tmp_path / 'alone.svg',
                          tmp_path / 'both.svg')
    assert main(['plot', model, '-o', str(alone)]) == 0
    assert main(['plot', model, '--modes', '-o', str(both)]) == 0
    assert both.read_text().count(GHOST.lower()) > alone.read_text().count(GHOST.lower())
