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

# What moves a joint.
ROLES: Mapping[str, str] = {
    'actuated': '#E69F00',  # orange
    'passive': '#0072B2',  # blue
    'mimic': '#56B4E9'}  # sky blue
# How a closure stands.
STATES: Mapping[str, str] = {
    'closed': '#009E73',  # bluish green
    'strained': '#CC79A7',  # reddish purple
    'open': '#D55E00'}  # vermilion
LINK, TREE, BASE, GHOST = '#4A4F55', '#A9AEB4', '#8B7E66', '#B9C4CE'


def rgb(colour: str) -> tuple[int, int, int]:
    """
    Return red, green and blue of a colour, 0 to 255.

    :param colour: ``#RRGGBB``.
    """
    value = int(colour[1:], 16)
    return value >> 16, value >> 8 & 255, value & 255


def darker(colour: str) -> str:
    """Return a colour for letters on white; thin strokes need more contrast than symbols."""
    return '#{:02X}{:02X}{:02X}'.format(*(round(0.7 * part) for part in rgb(colour)))
