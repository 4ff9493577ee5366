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

"""Curves that coincide take turns along their line; others are whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip('matplotlib')

from riod_urdf_ros.cli.main import main  # noqa: E402
from riod_urdf_ros.plotting.curves import curve_style  # noqa: E402
from support.paths import EXAMPLES  # noqa: E402

CURVES = {'a': [0.0, 1.0, 2.0], 'b': [0.0, 1.001, 2.0], 'c': [0.0, 1.0, 1.9], 'd': [0.0, 1.0, 2.0]}


def drawn(style: str | tuple[float, tuple[float, ...]], length: float) -> np.ndarray:
    """Return where a curve is drawn along its line, sampled at every point."""
    at = np.arange(0.5, length)
    if isinstance(style, str):
        return np.ones(len(at), bool)
    offset, (on, off) = style
    return np.asarray((at + offset) % (on + off) < on)


def test_equal_curves_leave_gaps_for_each_other() -> None:
    styles = {name: curve_style(name, list(CURVES), CURVES) for name in CURVES}
    assert styles['c'] == '-'
    seen = np.array([drawn(styles[name], 180.0) for name in 'abd'])
    assert np.all(seen.sum(axis=0) == 1)
    assert np.all(seen.sum(axis=1) == 60)


def test_both_fingers_are_seen(tmp_path: Path) -> None:
    pytest.importorskip('xacro')
    image = pytest.importorskip('PIL.Image')
    output = tmp_path / 'out.png'
    assert main(['plot', str(EXAMPLES / 'gripper.urdf.xacro'), '--sweep', 'motor', '--curves',
                 '-o', str(output)]) == 0
    with image.open(output) as picture:
        pixels = np.asarray(picture.convert('RGB')).astype(int).reshape(-1, 3)
    counts = [int(np.sum(np.abs(pixels - colour).max(axis=1) < 12))
              for colour in ((0x33, 0x22, 0x88), (0xCC, 0x66, 0x77))]
    assert min(counts) > 0.3 * max(counts) > 0
