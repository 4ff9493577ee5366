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

"""The mechanisms that there are starting files for, and their lengths."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
import math

from . import planar, spatial
from ..exceptions import UsageError


@dataclass(frozen=True)
class Kind:
    """
    One mechanism.

    :param summary: what it is.
    :param lengths: what each is where it is not given: m, or rad where the name has angle or rise.
    :param write: writes the URDF from them.
    """

    summary: str
    lengths: Mapping[str, float]
    write: Callable[..., str]


KINDS: dict[str, Kind] = {
    'four-bar': Kind('crank, coupler and rocker on one ground', {
        'crank': 0.06, 'coupler': 0.2, 'rocker': 0.14, 'ground': 0.18}, planar.four_bar),
    'slider-crank': Kind('a crank that moves a slider by a rod', {
        'crank': 0.04, 'rod': 0.16, 'offset': 0.0}, planar.slider_crank),
    'five-bar': Kind('two motors that move one tip in the plane', {
        'left': 0.15, 'left_forearm': 0.2, 'right': 0.15, 'right_forearm': 0.2, 'ground': 0.1},
        planar.five_bar),
    'delta': Kind('three motors that move a platform which does not turn', {
        'base_radius': 0.2, 'platform_radius': 0.045, 'arm': 0.35, 'rod': 0.8,
        'half_width': 0.05}, spatial.delta),
    'stewart': Kind('six legs that move a platform every way', {
        'base_radius': 0.6, 'platform_radius': 0.4, 'height': 0.75,
        'base_half_angle': math.radians(12.0), 'platform_half_angle': math.radians(12.0)},
        spatial.stewart),
    'ankle': Kind('two motors that pitch and roll a foot by rods', {
        'height': 0.25, 'lever': 0.045, 'half_width': 0.04}, spatial.ankle),
    'gripper': Kind('one motor that closes two jaws, which stay parallel', {
        'bar': 0.055, 'pivot': 0.015, 'spacing': 0.03, 'open_angle': 0.7}, planar.gripper),
    'scissor': Kind('a lift of two crossing arms', {'arm': 0.5, 'rise': 0.6}, planar.scissor),
}
_MAY_BE_ZERO = ('offset',)


def write_template(kind: str, lengths: Mapping[str, float]) -> str:
    """
    Write a starting file.

    :param kind: one of :data:`KINDS`.
    :param lengths: those that differ from what the kind has, m or rad.
    :raises UsageError: if they make no mechanism.
    """
    for name, value in lengths.items():
        if not math.isfinite(value) or value <= 0.0 and name not in _MAY_BE_ZERO:
            raise UsageError(f'{name} is {value:g}; it has to be more than 0')
    return KINDS[kind].write(**{**KINDS[kind].lengths, **lengths})
