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

"""States that were recorded, played with a time slider."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from time import monotonic
from typing import Any

import numpy as np
import viser

from ..robot.transforms import Array
from ..solver.closure_solver import ClosureSolver

_FRAMES_PER_SECOND = 30.0


class Recording:
    """
    States, one after the other.

    :param times: ascending, shape (k,), s.
    :param known: positions of the independent joints, shape (k, n), columns as
        :attr:`ClosureSolver.independent`, rad and m.
    """

    def __init__(self, times: Array, known: Array) -> None:
        """Keep both."""
        self.times, self.known = times, known

    def solved(self, solver: ClosureSolver, count: int | None = None) -> Array:
        """
        Solve the states in their order, from home.

        :param count: of states; all of them unless told.
        :return: shape (count, moving joints), rad and m; the solver stays at the last.
        """
        solver.reset()
        return solver.solve_batch(self.known[:count]).positions


class Player:
    """
    The time slider, and a box to tick that lets it run.

    :param on_time: called with the index of the state to show.
    """

    def __init__(self, server: viser.ViserServer, times: Array,
                 on_time: Callable[[int], None]) -> None:
        """Put them into the page, at the first state."""
        self._times, self._on_time = times - times[0], on_time
        end = max(float(self._times[-1]), 1e-3)
        self._folder = server.gui.add_folder('Recording', order=-0.5)
        with self._folder:
            self._slider = server.gui.add_slider(
                'time [s]', min=0.0, max=end, step=end / 1000.0, initial_value=0.0)
            self._playing = server.gui.add_checkbox('play', False)
        self._stop = Event()
        self._thread: Thread | None = None

        @self._slider.on_update
        def _(event: viser.GuiEvent[Any]) -> None:
            if event.client is not None:
                self._show()

        self._playing.on_update(lambda _: self._play())

    def _show(self) -> None:
        """Show the last state before the time."""
        index = int(np.searchsorted(self._times, self._slider.value + 1e-9, side='right')) - 1
        self._on_time(max(index, 0))

    def _play(self) -> None:
        if self._playing.value and (self._thread is None or not self._thread.is_alive()):
            self._thread = Thread(target=self._run, daemon=True)
            self._thread.start()

    def _run(self) -> None:
        """Go on as fast as it was recorded, round and round."""
        end, last = float(self._slider.max), monotonic()
        while self._playing.value and not self._stop.wait(1.0 / _FRAMES_PER_SECOND):
            now = monotonic()
            value = self._slider.value + now - last
            # The value is declared for reading only.
            self._slider.value = value if value <= end else 0.0  # type: ignore[misc]
            last = now
            self._show()

    def remove(self) -> None:
        """End the playing, and take the controls out of the page."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        self._folder.remove()
