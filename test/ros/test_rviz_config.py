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

"""RViz opens with every robot in view, in its frames."""

from __future__ import annotations

from typing import Any

import pytest
from riod_urdf_ros import load, parse
from riod_urdf_ros.resources import default_model
from riod_urdf_ros.ros.rviz_config import rviz_config
from support.robots import FOUR_BAR, hinge, robot

yaml = pytest.importorskip('yaml')


def read(text: str) -> dict[str, Any]:
    manager: dict[str, Any] = yaml.safe_load(text)['Visualization Manager']
    return manager


@pytest.mark.parametrize('size', [0.02, 1.0, 80.0])
def test_distance_and_focal_point_fit_the_robot(size: float) -> None:
    text = robot('r', hinge('a', 'base', 'arm', (0.0, 0.0)),
                 hinge('b', 'arm', 'tip', (4.0 * size, 3.0 * size)))
    view = read(rviz_config(parse(text).robot))['Views']['Current']
    assert 1.5 * 5.0 * size < view['Distance'] < 4.0 * 5.0 * size
    assert view['Focal Point'] == pytest.approx({'X': 2 * size, 'Y': 1.5 * size, 'Z': 0.0},
                                                rel=0.01)


def test_frames_have_the_prefix() -> None:
    manager = read(rviz_config(parse(FOUR_BAR).robot, 'left/'))
    assert manager['Global Options']['Fixed Frame'] == 'left/base'
    robots = [d for d in manager['Displays'] if d['Class'].endswith('/RobotModel')]
    assert [display['TF Prefix'] for display in robots] == ['left']
    strange = parse(FOUR_BAR.replace('"base"', '"it\'s: #1"')).robot
    assert read(rviz_config(strange))['Global Options']['Fixed Frame'] == "it's: #1"


def test_robot_of_one_place_has_a_view_too() -> None:
    link = load(default_model()).robot
    assert read(rviz_config(link))['Views']['Current']['Distance'] > 0.1
    alone = parse('<robot name="r"><link name="base"/></robot>').robot
    assert read(rviz_config(alone))['Views']['Current']['Distance'] > 0.1
