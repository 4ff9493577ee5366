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

"""Names, order, frames and size change nothing of the structure of the mechanisms in the cases."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from riod_urdf_ros.urdf.parser import parse
from support.paths import CASES
from support.tree import Mechanism, read
from support.variants import renamed, scaled, shuffled, turned

FOLDERS = sorted((CASES / 'mechanisms').glob('*/'))
if not FOLDERS:
    pytest.skip(f'no mechanisms in {CASES}', allow_module_level=True)
# Large ones take their time, and are not singular.
MOST_JOINTS = 25


def found(mechanism: Mechanism, before: dict[str, str], factor: float = 1.0,
          ) -> tuple[object, dict[str, float]]:
    """Return the structure and home, in old names and the old size."""
    solver = ClosureSolver(parse(mechanism.text()).robot, position_tolerance=1e-4 * factor)

    def old(names: tuple[str, ...]) -> list[str]:
        return sorted(before[name] for name in names)

    groups = sorted((
        sorted(group.closures), old(group.independent), old(group.dependent), group.mobility,
        group.rank, group.redundant_rows, old(group.undetermined), old(group.over_actuated),
        group.locked, group.singular_home) for group in solver.structure.groups)
    units = {joint.name: factor if joint.unit == 'm' else 1.0
             for joint in solver.robot.moving_joints}
    return ((solver.structure.mobility, groups),
            {before[name]: value / units[name] for name, value in solver.home.items()})


@pytest.mark.parametrize('folder', FOLDERS, ids=lambda folder: folder.name)
def test_writing_it_otherwise_changes_nothing(folder: Path) -> None:
    mechanism = read((folder / 'model.urdf').read_text(encoding='utf-8'))
    if len(mechanism.joints) > MOST_JOINTS:
        pytest.skip(f'{len(mechanism.joints)} joints')
    rng = np.random.default_rng(5)
    same = {joint.name: joint.name for joint in mechanism.joints}
    structure, home = found(mechanism, same)
    for variant, names, factor in (
            (*renamed(mechanism, rng), 1.0), (*renamed(mechanism, rng), 1.0),
            (shuffled(mechanism, rng), same, 1.0), (turned(mechanism, rng), same, 1.0),
            (scaled(mechanism, 1e-3), same, 1e-3), (scaled(mechanism, 1e3), same, 1e3)):
        its_structure, its_home = found(variant, names, factor)
        assert its_structure == structure
        assert its_home == pytest.approx(home, abs=1e-5)
