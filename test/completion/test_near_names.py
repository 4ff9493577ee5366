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

"""Names that were meant for joints."""

from __future__ import annotations

import pytest
from riod_urdf_ros.completion.near_names import near_names


@pytest.mark.parametrize('joint, heard', [
    ('leg_1', 'robot1/leg_1'), ('left_leg_1', 'leg_1'), ('elbow_joint', 'elbow_jiont')])
def test_prefixes_and_slips_are_near(joint: str, heard: str) -> None:
    assert near_names([joint], ['gripper', heard]) == {joint: heard}


def test_others_are_not() -> None:
    assert near_names(['crank', 'leg_1'], ['wheel_left', '', 'battery']) == {}
