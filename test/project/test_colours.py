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

"""One meaning a colour, told apart by colour-blind people too."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from riod_urdf_ros.colours import darker, rgb, ROLES, STATES

COLOURS = {**ROLES, **STATES}
# Linear RGB as it is seen without one kind of cones (Machado, Oliveira and Fernandes 2009,
# https://doi.org/10.1109/TVCG.2009.113, severity 1).
SEEN = {
    'normal': np.eye(3),
    'protanopia': np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                            [-0.003882, -0.048116, 1.051998]]),
    'deuteranopia': np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                              [-0.011820, 0.042940, 0.968881]])}
# sRGB to XYZ, D65.
XYZ = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
                [0.0193339, 0.1191920, 0.9503041]])


def lab(colour: str, matrix: np.ndarray) -> np.ndarray:
    """Return a colour as it is seen, in CIELAB."""
    c = np.array(rgb(colour)) / 255.0
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    t = XYZ @ np.clip(matrix @ linear, 0.0, 1.0) / XYZ.sum(axis=1)
    f = np.where(t > (6 / 29) ** 3, np.cbrt(t), t / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize('seen', SEEN)
def test_no_two_meanings_look_alike(seen: str) -> None:
    for one, other in combinations(COLOURS, 2):
        apart = np.linalg.norm(lab(COLOURS[one], SEEN[seen]) - lab(COLOURS[other], SEEN[seen]))
        # 2.3 is just noticeable, side by side.
        assert apart > 10.0, f'{one} and {other}'


def test_letters_are_darker_than_symbols() -> None:
    for colour in COLOURS.values():
        assert all(dark < bright or not bright
                   for dark, bright in zip(rgb(darker(colour)), rgb(colour), strict=True))
