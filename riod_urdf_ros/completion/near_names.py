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

"""Joints that were heard of under another name than the robot has for them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import get_close_matches

_SHOWN = 3


def near_names(missing: Iterable[str], heard: Collection[str]) -> dict[str, str]:
    """
    Find names that were meant for joints, perhaps.

    :param missing: joints that nothing was heard of.
    :param heard: names that no joint has.
    :return: by missing joint, the name that is near, for the first few.
    """
    near: dict[str, str] = {}
    for name in missing:
        # Under a prefix, as robot1/leg_1 and robot1_leg_1, or without its own.
        match = next((other for other in heard if other and (
            other.endswith(name) or name.endswith(other))), None)
        match = match or next(iter(get_close_matches(name, heard, 1, 0.8)), None)
        if match:
            near[name] = match
            if len(near) == _SHOWN:
                break
    return near
