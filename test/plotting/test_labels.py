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

"""Names in pictures: each nearer to its own symbol than to any other, none over another."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

figure = pytest.importorskip('matplotlib.figure')

from riod_urdf_ros.cli.main import main  # noqa: E402
from riod_urdf_ros.plotting import picture  # noqa: E402
from riod_urdf_ros.plotting.labels import Label, place_labels, Placed  # noqa: E402
from support.paths import CASES, EXAMPLES  # noqa: E402

MODELS = [EXAMPLES / 'excavator.urdf.xacro', *(
    CASES / 'mechanisms' / name / 'model.urdf' for name in (
        'robotiq_2f85_parallel_mimic', 'strandbeest_leg_pair', 'uarm_swift_pro'))]


@pytest.mark.parametrize('model', MODELS, ids=lambda path: f'{path.parent.name}-{path.name}')
def test_names_are_at_their_symbols(
        model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not model.is_file():
        pytest.skip('shared/cases is not there')
    if model.suffix == '.xacro':
        pytest.importorskip('xacro')
    found = []

    def recorded(axes: Any, labels: list[Label], font: float) -> list[Placed]:
        placed = place_labels(axes, labels, font)
        scale = axes.figure.dpi / 72.0
        points = axes.transData.transform([place[:2] for place, _, _ in labels]) / scale
        found.append((points, labels, placed))
        return placed

    monkeypatch.setattr(picture, 'place_labels', recorded)
    assert main(['plot', str(model), '-o', str(tmp_path / 'out.png')]) == 0
    ((points, labels, placed),) = found
    assert len(placed) > 5
    boxes = []
    for one in placed:
        low = points[one.index] + one.offset
        boxes.append((low, low + one.size))
        away = np.linalg.norm(np.clip(points, low, low + one.size) - points, axis=1)
        # Symbols in one place share their names.
        elsewhere = np.linalg.norm(points - points[one.index], axis=1) > 1.0
        assert away[one.index] < np.min(away[elsewhere]), labels[one.index][1]
    for i, (low, high) in enumerate(boxes):
        for other_low, other_high in boxes[:i]:
            assert np.any(high <= other_low) or np.any(other_high <= low)


def test_of_too_many_names_those_of_passive_joints_go_first() -> None:
    axes = figure.Figure(figsize=(6, 6)).add_subplot()
    axes.set_xlim(-1.2, 1.2)
    axes.set_ylim(-1.2, 1.2)
    kinds = ['passive'] * 15 + ['closed'] * 10
    labels: list[Label] = [
        (np.array([math.cos(0.25 * i), math.sin(0.25 * i), 0.0]), f'n{i}', kind)
        for i, kind in enumerate(kinds)]
    assert {labels[one.index][2] for one in place_labels(axes, labels, 7.5)} == {'closed'}
    assert len(place_labels(axes, labels[5:20], 7.5)) == 15
