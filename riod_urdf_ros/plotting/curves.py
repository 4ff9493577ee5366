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

"""What a motion does to the passive joints, and how near it comes to singular positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import SubFigure
from matplotlib.lines import Line2D
import numpy as np

from .plain_text import plain
from ..range_of_motion.samples import SampledRange
from ..solver.closure_solver import ClosureSolver

# Paul Tol's muted colours (https://personal.sron.nl/~pault/), for colour-blind people too; none
# of them has a meaning elsewhere.
PALETTE = ('#332288', '#CC6677', '#117733', '#88CCEE', '#AA4499', '#DDCC77', '#44AA99', '#882255',
           '#999933', '#000000')
# Curves nearer than this part of the largest one's height are one line.
_EQUAL, _DASH = 0.005, 6.0
_MOST = 10


def draw_curves(
        figure: SubFigure, solver: ClosureSolver, motion: SampledRange) -> list[Line2D]:
    """
    Draw passive joints and distance to singularity over the moved joint.

    :return: vertical lines that mark where the mechanism is.
    """
    by_unit: dict[str, dict[str, Sequence[float]]] = {}
    for group in solver.groups:
        if motion.joint in group.independent:
            for name in group.dependent:
                by_unit.setdefault(solver.robot.by_name[name].unit, {})[name] = [
                    sample.solution.positions[name] for sample in motion.samples]
    panels = [(f'solved joints [{unit}]', curves) for unit, curves in sorted(
        by_unit.items(), reverse=True)]
    panels.append(('distance to singularity\n(0: singular)', {
        name: [sample.singularity[name] for sample in motion.samples]
        for name in motion.samples[0].singularity}))
    marks = []
    all_axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    for axes, (title, curves) in zip(all_axes, panels, strict=True):
        _draw_panel(axes, motion, title, curves)
        marks.append(axes.axvline(motion.start, color='#4A4F55', linewidth=1.0, zorder=1))
    all_axes[-1].set_ylim(bottom=0.0)
    all_axes[-1].set_xlabel(plain(f'{motion.joint} [{motion.unit}]'))
    return marks


def _draw_panel(axes: Axes, motion: SampledRange, title: str,
                curves: Mapping[str, Sequence[float]]) -> None:
    """Draw the curves that move most, called in the order in which they end."""
    moving = sorted(curves, key=lambda name: -float(np.ptp(curves[name])))
    shown = [name for name in moving if np.ptp(curves[name]) > 1e-6][:_MOST] or moving[:1]
    order = sorted(shown, key=lambda name: -curves[name][-1])
    for i, name in enumerate(order):
        label = plain(name if len(name) <= 24 else f'{name[:23]}...')
        axes.plot(motion.values, curves[name], label=label, linewidth=1.6, color=PALETTE[i],
                  linestyle=curve_style(name, order, curves))
    left_out = len([name for name in moving if np.ptp(curves[name]) > 1e-6]) - len(shown)
    axes.set_ylabel(title, fontsize=9)
    axes.set_xlim(*motion.wanted)
    for start, end in ((motion.wanted[0], motion.values[0]),
                       (motion.values[-1], motion.wanted[1])):
        if end > start:
            axes.axvspan(start, end, color='#E4E6E8', zorder=0)
    axes.grid(color='#E4E6E8', linewidth=0.6)
    axes.tick_params(labelsize=8)
    for side in ('top', 'right'):
        axes.spines[side].set_visible(False)
    axes.legend(loc='center left', bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=7.5,
                title=f'and {left_out} more' if left_out > 0 else None, title_fontsize=7.5)


def curve_style(name: str, order: Sequence[str], curves: Mapping[str, Sequence[float]]) -> Any:
    """Let curves that coincide take turns along their line; all others are whole."""
    height = max(float(np.ptp(curves[other])) for other in order)
    equal = [other for other in order if float(np.max(np.abs(
        np.asarray(curves[other]) - np.asarray(curves[name])))) <= _EQUAL * height]
    if len(equal) == 1:
        return '-'
    return equal.index(name) * _DASH, (_DASH, (len(equal) - 1) * _DASH)
