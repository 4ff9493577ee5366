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

"""The page of one model file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
import html
from io import StringIO
from pathlib import Path
from threading import Event, Thread
from types import MappingProxyType

import viser

from .mechanism import Mechanism
from .recording import Recording
from .visuals import read_visuals
from .watched_model import WatchedModel
from ..exceptions import RiodUrdfError
from ..solver.closure_solver import ClosureSolver

_LOOK_SECONDS = 0.3
_PROBLEMS = 20


class Viewer:
    """
    Show a mechanism in the browser, and let it be moved there.

    In a notebook, as the last line of a cell: ``Viewer('robot.urdf')``.

    :param model: URDF or xacro file; it is read again when it changes, or for xacro another
        xacro file beside it.
    :param known_joints: joints to move instead of those actuated ones that they are tied to.
    :param home: the pose to assemble from, where it is not zero, by joint, rad and m.
    :param mappings: arguments of a xacro.
    :param host: address to listen on; the default serves this machine alone.
    :param port: the next free one is taken if it is in use.
    :param record: makes the recording to play, for the model's solver.
    """

    def __init__(self, model: str | Path, *, known_joints: Sequence[str] = (),
                 home: Mapping[str, float] = MappingProxyType({}),
                 mappings: Mapping[str, str] = MappingProxyType({}),
                 host: str = '127.0.0.1', port: int = 8080,
                 record: Callable[[ClosureSolver], Recording] | None = None) -> None:
        """Serve the page and watch the file, until :meth:`close`."""
        self._model = WatchedModel(Path(model), known_joints, mappings, home)
        self._known_joints, self._home, self._record = tuple(known_joints), dict(home), record
        self._closed = Event()
        self.mechanism: Mechanism | None = None
        # Where the page is, is said by whoever asked for it.
        with redirect_stdout(StringIO()):
            self.server = viser.ViserServer(
                host=host, port=port, label=Path(model).name, verbose=False)
        self.server.gui.configure_theme(show_logo=False, show_share_button=False)
        self.server.gui.main_panel.dock_right()
        self._alert = self.server.gui.add_html('', order=-1.0, visible=False)
        self._look()
        self._thread = Thread(target=self._watch, daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """Return what to type into a browser."""
        host = self.server.get_host()
        return f'http://{f"[{host}]" if ":" in host else host}:{self.server.get_port()}'

    def close(self) -> None:
        """Take the page down."""
        self._closed.set()
        self._thread.join()
        if self.mechanism:
            self.mechanism.remove()
        with redirect_stdout(StringIO()):
            self.server.stop()

    def _repr_html_(self) -> str:
        """Return the page as a notebook shows it."""
        return (f'<iframe src="{html.escape(self.address)}" width="100%" height="600" '
                'style="border:0"></iframe>')

    def _watch(self) -> None:
        while not self._closed.wait(_LOOK_SECONDS):
            self._look()

    def _look(self) -> None:
        """Follow the file: its robot if it is good, else the one before, and what is wrong."""
        if not self._model.look():
            return
        solver = self._model.solver
        problems = [*self._model.warnings]
        if solver is not None and (self.mechanism is None or self.mechanism.solver is not solver):
            visuals, missing = read_visuals(self._model.text, self._model.path.parent)
            problems += missing
            start = {}
            if self.mechanism:
                start = {name: value for name, value in self.mechanism.positions.items()
                         if name in solver.independent}
                self.mechanism.remove()
            recording = None
            try:
                recording = self._record(solver) if self._record else None
            except RiodUrdfError as error:
                problems.append(str(error))
            self.mechanism = Mechanism(
                self.server, solver, visuals, start, recording,
                lambda: ClosureSolver(
                    solver.robot, known_joints=self._known_joints, home=self._home))
        if self._model.refused:
            before = '; shown is the robot before' if self.mechanism else ''
            self._tell(f'{self._model.path.name} cannot be used{before}', self._model.refused)
        else:
            self._tell(f'{self._model.path.name}: warnings', problems)

    def _tell(self, headline: str, problems: Sequence[str]) -> None:
        """Put what is wrong at the top of the page."""
        more = len(problems) - _PROBLEMS
        items = [*problems[:_PROBLEMS], *([f'and {more} more'] if more > 0 else [])]
        self._alert.content = (
            '<div role="alert" style="margin:0.5em 1em;font-size:0.85em">'
            f'<b>{html.escape(headline)}</b>'
            '<ul style="padding-left:1.2em">'
            + ''.join(f'<li>{html.escape(item)}</li>' for item in items) + '</ul></div>')
        self._alert.visible = bool(problems)
