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

"""
One meaning a colour, wherever something is shown: pictures, terminal, browser, RViz.

Okabe and Ito's colours, which colour-blind people can tell apart
(https://jfly.uni-koeln.de/color/); symbols or words always say the same.
"""

from __future__ import annotations

from collections.abc import Mapping

BLUE, ORANGE, VERMILION = '#0072B2', '#E69F00', '#D55E00'
GREEN, PURPLE, SKY = '#009E73', '#CC79A7', '#56B4E9'

# What moves a joint, and the closures themselves.
ROLES: Mapping[str, str] = {
    'actuated': VERMILION, 'passive': BLUE, 'mimic': GREEN, 'closure': PURPLE}
# How a closure stands: from cold to hot, as bad as it is.
STATES: Mapping[str, str] = {'closed': BLUE, 'strained': ORANGE, 'open': VERMILION}
LINK, TREE, BASE = '#4A4F55', '#A9AEB4', '#8B7E66'


def rgb(colour: str) -> tuple[int, int, int]:
    """
    Return red, green and blue of a colour, 0 to 255.

    :param colour: ``#RRGGBB``.
    """
    value = int(colour[1:], 16)
    return value >> 16, value >> 8 & 255, value & 255
