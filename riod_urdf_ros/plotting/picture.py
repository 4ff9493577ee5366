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

"""The whole picture: drawing, curves, title and legend, and the file it is written to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
import math
from pathlib import Path

from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
import numpy as np
from PIL import Image

from .curves import draw_curves, PALETTE
from .drawing import Drawing
from .labels import Label, place_labels, Placed, write_labels
from .plain_text import plain
from .skeleton import Skeleton
from .symbols import ALL_COLOURS, COLOURS, legend
from .viewpoint import Viewpoint
from ..colours import darker
from ..range_of_motion.samples import Sample, SampledRange
from ..solver.closure_solver import ClosureSolver
from ..solver.solution import Solution
from ..wording import millimetres

_DPI, _GIF_DPI = 150, 80
# Of names, points; what moves is looked at in passing.
_FONT, _GIF_FONT = 7.5, 8.5
_TINTS = (1.0, 0.8, 0.6, 0.4, 0.2, 0.1)
_FRAMES, _FRAMES_PER_SECOND = 40, 20
_GHOSTS = 8
_TITLE = 80  # letters


class Picture:
    """
    A picture of a mechanism.

    :param solution: the posture to draw.
    :param motion: whose way is drawn as ghosts.
    :param modes: postures of other assembly modes, to draw as ghosts; rad and m, by joint.
    :param curves: whether passive joints and distance to singularity along the motion are added.
    """

    def __init__(self, solver: ClosureSolver, solution: Solution, motion: SampledRange | None,
                 curves: bool, modes: Sequence[Mapping[str, float]] = ()) -> None:
        """Lay out the picture."""
        self._solver, self._solution, self._motion = solver, solution, motion
        view = Viewpoint(solver.robot, solver.home)
        self._drawing = Drawing(Skeleton(solver.robot, solver.home, view.normal), view)
        self._drawing.include(solution.positions)
        self._ghosts = [*modes, *(sample.solution.positions for sample in _spread(
            motion.samples, _GHOSTS))] if motion else list(modes)
        for positions in self._ghosts:
            self._drawing.include(positions)
        low, high = self._drawing.frame()
        size = (high - low) * min(np.array([6.0, 4.6]) / (high - low))
        size = np.maximum(size, [5.2, 3.6 if curves else 2.4])
        width = float(size[0]) + (5.6 if curves else 0.4)
        self._figure = Figure(figsize=(width, float(size[1]) + 1.4), dpi=_DPI,
                              layout=ConstrainedLayoutEngine(w_pad=0.1, h_pad=0.1))
        if curves and motion:
            left, right = self._figure.subfigures(
                1, 2, squeeze=False, width_ratios=[float(size[0]) + 0.4, 5.2])[0]
            self._axes = left.add_subplot()
            self._mark = draw_curves(right, solver, motion)
        else:
            self._axes = self._figure.add_subplot()
            self._mark = []
        entries = legend(solver.robot, planar=view.planar,
                         ghosts='other assembly modes' if modes else 'along the sweep' if motion
                         else '')
        self._figure.legend(
            handles=entries, loc='outside lower center', frameon=False, fontsize=9,
            handletextpad=0.5, columnspacing=1.5,
            ncols=len(entries) if curves or len(entries) <= 4 else (len(entries) + 1) // 2)

    def save(self, path: Path,
             progress: Callable[[int, int], None] = lambda done, total: None) -> None:
        """
        Write the picture.

        :param path: its suffix tells the format.
        :param progress: of one that moves: called with the frames drawn, and all there are.
        :raises OSError: if it cannot be written.
        """
        if path.suffix.lower() == '.gif':
            self._save_motion(path, progress)
            return
        labels = self._draw(self._solution, self._motion.start if self._motion else None)
        # Names find their places where the axes are now, so nothing may move any more.
        self._figure.draw_without_rendering()
        self._figure.set_layout_engine('none')
        write_labels(self._axes, labels, place_labels(self._axes, labels, _FONT), COLOURS, _FONT)
        self._figure.savefig(path, dpi=_DPI, bbox_inches='tight', pad_inches=0.1)

    def _save_motion(self, path: Path, progress: Callable[[int, int], None]) -> None:
        """Write an animation; its frames differ in the moving parts only, so it is small."""
        assert self._motion is not None, 'the command asks for a sweep'
        frames, palette = list[Image.Image](), _palette()
        samples, placed = _frames(self._motion), list[Placed]()
        for i, sample in enumerate(samples):
            self._axes.clear()
            labels = self._draw(sample.solution, sample.value)
            if not i:
                # Laying out once is enough, and takes most of the time. Names that would look
                # for new places in every frame could not be read.
                self._figure.draw_without_rendering()
                self._figure.set_layout_engine('none')
                placed = place_labels(self._axes, labels, _GIF_FONT)
            write_labels(self._axes, labels, placed, COLOURS, _GIF_FONT)
            picture = BytesIO()
            self._figure.savefig(picture, dpi=_GIF_DPI)
            frame = Image.open(picture).convert('RGB')
            # With one palette for all frames only what moves has to be stored.
            frames.append(frame.quantize(palette=palette, dither=Image.Dither.NONE))
            progress(i + 1, len(samples))
        frames[0].save(path, save_all=True, append_images=frames[1:], loop=0,
                       duration=1000 // _FRAMES_PER_SECOND)

    def _draw(self, solution: Solution, value: float | None) -> list[Label]:
        """
        Draw one posture.

        :param value: position of the moved joint.
        :return: what may be labelled.
        """
        self._drawing.prepare(self._axes)
        for positions in self._ghosts:
            self._drawing.ghost(self._axes, positions)
        labels = self._drawing.posture(self._axes, solution.positions, solution.closures)
        self._axes.set_title(plain(self._title(solution, value)), loc='left', fontsize=10)
        if value is not None:
            for line in self._mark:
                line.set_xdata([value, value])
        return labels

    def _title(self, solution: Solution, value: float | None) -> str:
        """Name the robot, the position of the joints and the state of the loops."""
        if self._motion is not None and value is not None:
            where = f'{self._motion.joint} = {value:.2f} {self._motion.unit}'
        else:
            by_name = self._solver.robot.by_name
            where = ', '.join(
                f'{name} = {solution.positions[name]:.3g} {by_name[name].unit}'
                for name in self._solver.independent
                if solution.positions[name] != self._solver.home[name])
        title = f'{self._solver.robot.name}, {where or "at home"}'
        if len(title) > _TITLE:
            title = f'{title[:_TITLE]}...'
        what = '; spherical: all axes meet in one point' if self._drawing.spherical else ''
        return f'{title}\n{_loops(solution)}{what}'


def _loops(solution: Solution) -> str:
    """Say how the loops stand."""
    statuses = solution.closures.values()
    if not statuses:
        return 'no loop'
    gap = millimetres(max(status.gap for status in statuses))
    counts = Counter(status.state for status in statuses)
    if len(statuses) == 1:
        return f'loop {next(iter(counts))}, gap {gap}'
    states = ', '.join(f'{count} {state}' for state, count in counts.items())
    return f'loops: {states}; largest gap {gap}'


def _palette() -> Image.Image:
    """Return a picture whose palette has all colours in use and their tints."""
    colours = {tuple(round(255 * (1.0 - part * (1.0 - c))) for c in to_rgb(colour))
               for colour in {*ALL_COLOURS, *PALETTE, *map(darker, COLOURS.values())}
               for part in _TINTS}
    # Pillow's search is coarse: a tint near white would take its place.
    colours = {colour for colour in colours if min(colour) < 240}
    palette = Image.new('P', (1, 1))
    palette.putpalette([255, 255, 255, *(c for colour in sorted(colours) for c in colour)])
    return palette


def _spread(samples: Sequence[Sample], count: int) -> list[Sample]:
    """Choose some samples, evenly in the joint's position."""
    values = np.array([sample.value for sample in samples])
    wanted = np.linspace(values[0], values[-1], count)
    return [samples[i] for i in dict.fromkeys(
        int(np.argmin(np.abs(values - value))) for value in wanted)]


def _frames(motion: SampledRange) -> list[Sample]:
    """Choose the samples to show one after the other, so that the animation goes round."""
    if motion.turns and motion.whole:
        return _spread(motion.samples, _FRAMES + 1)[:-1]
    low, high = motion.values[0], motion.values[-1]
    values = np.array(motion.values)
    swing = 0.5 * (low + high) - 0.5 * (high - low) * np.cos(
        np.linspace(0.0, 2.0 * math.pi, _FRAMES, endpoint=False))
    return [motion.samples[int(np.argmin(np.abs(values - value)))] for value in swing]
