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

"""The ends of sliders: every position that there is can be shown."""

from __future__ import annotations

from dataclasses import replace
import math

import numpy as np
import pytest
from riod_urdf_ros.robot.model import Joint

pytest.importorskip('viser')

from riod_urdf_ros.viewer.panel import slider_range  # noqa: E402

JOINT = Joint('j', 'revolute', 'a', 'b', np.eye(4), np.array([0.0, 0.0, 1.0]), 0.2, 1.0)


@pytest.mark.parametrize(('joint', 'positions', 'ends'), [
    (JOINT, (0.5,), (0.2, 1.0)),
    (JOINT, (0.0, 2.0), (0.0, 2.0)),
    (replace(JOINT, lower=0.0, upper=0.0), (0.0,), (-math.pi, math.pi)),
    (replace(JOINT, kind='continuous', lower=None, upper=None), (20.0,), (-math.pi, math.pi)),
    (replace(JOINT, kind='prismatic', lower=None, upper=None), (0.0,), (-1.0, 1.0)),
    (replace(JOINT, lower=-1e9, upper=1e9), (0.0,), (-100 * math.pi, 100 * math.pi))])
def test_ends_of_a_slider(
        joint: Joint, positions: tuple[float, ...], ends: tuple[float, float]) -> None:
    assert slider_range(joint, positions) == pytest.approx(ends)
