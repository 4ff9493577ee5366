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

"""The part of the page that is operated and read: sliders, passive joints, closures, range."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
import html
import math
from types import MappingProxyType
from typing import Any, Protocol

import viser

from ..colours import ROLES, STATES
from ..robot.model import Joint
from ..solver.closure_solver import ClosureSolver
from ..solver.tolerances import ClosureStatus
from ..wording import millimetres

# Steps from one end of a slider to the other, and what a joint without limits is given.
_STEPS = 2000
_TURN, _SLIDE = math.pi, 1.0
_NOTHING: Mapping[str, Sequence[float]] = MappingProxyType({})


class Commands(Protocol):
    """What can be asked for in the page."""

    def move(self) -> None:
        """Follow the sliders."""

    def home(self) -> None:
        """Go home."""

    def show_in(self, human: bool) -> None:
        """Show degrees and millimetres, or rad and m."""

    def show_sticks(self, shown: bool) -> None:
        """Show sticks."""

    def find_range(self, name: str) -> None:
        """Find out how far a joint can go."""

    def find_modes(self) -> None:
        """Find the other assembly modes."""


class Panel:
    """
    The controls for one robot.

    :param positions: where at least its known joints are, rad and m.
    :param commands: what is called when they are used.
    :param human: whether degrees and millimetres are shown.
    :param sticks: whether the box for sticks is ticked.
    :param reach: positions that the sliders have to reach beside their limits, rad and m.
    """

    def __init__(self, server: viser.ViserServer, solver: ClosureSolver,
                 positions: Mapping[str, float], commands: Commands, *, human: bool,
                 sticks: bool, reach: Mapping[str, Sequence[float]] = _NOTHING) -> None:
        """Put the controls into the page."""
        gui, self._human, self._commands = server.gui, human, commands
        joints = solver.robot.by_name
        self._known = [joints[name] for name in solver.independent]
        self._ends = {joint.name: slider_range(joint, (
            positions[joint.name], solver.home[joint.name], *reach.get(joint.name, ())))
            for joint in self._known}
        self._solved = [joint for joint in solver.robot.moving_joints
                        if joint.name not in solver.independent]
        self._folders = [gui.add_folder('Known joints')]
        with self._folders[0]:
            self._sliders = {joint.name: self._slider(gui, joint, positions[joint.name])
                             for joint in self._known}
            _button(gui, 'Home', commands.home)
            units = gui.add_checkbox('degrees, mm', human)
            units.on_update(lambda _: commands.show_in(units.value))
            self._sticks = gui.add_checkbox('sticks', sticks)
            self._sticks.on_update(lambda _: commands.show_sticks(self._sticks.value))
        for title in ('Solved joints', 'Loop closures'):
            self._folders.append(gui.add_folder(title))
        with self._folders[1]:
            self._table = gui.add_html('')
        with self._folders[2]:
            self._closures = gui.add_html('')
            if solver.groups:
                _button(gui, 'Show the other assembly modes', commands.find_modes)
        moved = [joint.name for joint in self._known
                 if any(joint.name in group.independent for group in solver.groups)]
        if moved:
            self._folders.append(gui.add_folder('How far can it go?'))
            with self._folders[3]:
                chosen = gui.add_dropdown('joint', moved)
                _button(gui, 'Find its range', lambda: commands.find_range(chosen.value))
                self._range = gui.add_html('')

    @property
    def sticks(self) -> bool:
        """Whether the box for sticks is ticked."""
        return self._sticks.value

    def remove(self) -> None:
        """Take the controls out of the page."""
        for folder in self._folders:
            folder.remove()

    def _slider(self, gui: viser.GuiApi, joint: Joint, value: float,
                ) -> viser.GuiSliderHandle[float]:
        lower, upper = self._ends[joint.name]
        scale, step = self._scale(joint), self._step(joint)
        # Whole steps, so that the ends and zero can be reached.
        low, high = math.floor(lower * scale / step) * step, math.ceil(upper * scale / step) * step
        slider = gui.add_slider(
            f'{joint.name} [{self._unit(joint)}]', min=low, max=max(high, low + step), step=step,
            initial_value=min(max(_within_turn(joint, value) * scale, low), high),
            hint=f'{joint.kind}, {joint.role}')

        @slider.on_update
        def _(event: viser.GuiEvent[Any]) -> None:
            if event.client is not None:  # else it was set by us
                self._commands.move()

        return slider

    def _unit(self, joint: Joint) -> str:
        if joint.unit == 'm':
            return 'mm' if self._human else 'm'
        return 'deg' if self._human else 'rad'

    def _scale(self, joint: Joint) -> float:
        """Return how many of the shown units make one rad or m."""
        if not self._human:
            return 1.0
        return 1000.0 if joint.unit == 'm' else 180.0 / math.pi

    def _step(self, joint: Joint) -> float:
        """Return a round part of the slider's range, in the shown unit."""
        lower, upper = self._ends[joint.name]
        return float(10.0 ** math.floor(math.log10(
            (upper - lower) * self._scale(joint) / _STEPS * 10.0)))

    @property
    def positions(self) -> dict[str, float]:
        """Where the sliders are, rad and m."""
        return {joint.name: self._sliders[joint.name].value / self._scale(joint)
                for joint in self._known}

    def set_positions(self, positions: Mapping[str, float]) -> None:
        """Move the sliders, rad and m."""
        for joint in self._known:
            slider = self._sliders[joint.name]
            value = _within_turn(joint, positions[joint.name]) * self._scale(joint)
            # The value is declared for reading only.
            slider.value = min(max(value, slider.min), slider.max)  # type: ignore[misc]

    def amount(self, joint: Joint, value: float) -> str:
        """Write a position in the unit that is shown."""
        # Without the sign of a zero.
        shown = round(value * self._scale(joint), 4) + 0.0
        return f'{shown:.4f} {self._unit(joint)}'

    def tell_range(self, text: str) -> None:
        """Say how far the chosen joint can go."""
        self._range.content = f'<p style="margin:0.5em 1em">{html.escape(text)}</p>'

    def show(self, positions: Mapping[str, float], closures: Mapping[str, ClosureStatus],
             singularity: float | None, notes: Sequence[str]) -> None:
        """
        Show what was solved.

        :param positions: of all joints, rad and m.
        :param singularity: from 0 (singular) to 1; None where it is not known.
        """
        self._table.content = _table(
            [(joint.name, self.amount(joint, positions[joint.name]),
              ROLES[joint.role])
             for joint in self._solved])
        rows = [(name, f'{status.state}, {millimetres(status.gap)}'
                 + (f', {math.degrees(status.angle):.3g} deg' if status.angle > 1e-9 else ''),
                 STATES[status.state]) for name, status in closures.items()]
        if singularity is not None and rows:
            rows.append(('distance to singularity', f'{singularity:.3f}', '#000000'))
        self._closures.content = _table(rows) + ''.join(
            f'<p style="margin:0.5em 1em">{html.escape(note)}</p>' for note in notes)


def _within_turn(joint: Joint, position: float) -> float:
    """Return a position as its slider shows it, rad or m."""
    return math.remainder(position, 2.0 * math.pi) if joint.kind == 'continuous' else position


def slider_range(joint: Joint, positions: Sequence[float]) -> tuple[float, float]:
    """
    Return the ends of a joint's slider: its limits, or a turn or two metres; rad or m.

    :param positions: that it has to show as well, for limits clamp nothing.
    """
    far = _SLIDE if joint.unit == 'm' else _TURN
    lower, upper = joint.limits
    if not math.isfinite(upper - lower) or lower >= upper:
        lower, upper = -far, far
    lower, upper = max(lower, -100.0 * far), min(upper, 100.0 * far)
    if joint.kind == 'continuous':  # it is shown within its turn
        return lower, upper
    return min(lower, *positions), max(upper, *positions)


def _button(gui: viser.GuiApi, label: str, action: Callable[[], None]) -> None:
    gui.add_button(label).on_click(lambda _: action())


def _table(rows: Sequence[tuple[str, str, str]]) -> str:
    """
    Write a table of two columns.

    :param rows: name, value and colour of a mark before them.
    """
    return '<table style="margin:0.2em 1em;font-size:0.85em;border-spacing:0.6em 0">' + ''.join(
        f'<tr><td><span style="color:{colour}">&#9679;</span> {html.escape(name)}</td>'
        f'<td style="text-align:right">{html.escape(value)}</td></tr>'
        for name, value, colour in rows) + '</table>'
