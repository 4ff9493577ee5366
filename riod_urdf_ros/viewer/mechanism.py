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

"""One robot in the page: what its sliders, buttons and recording do to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
import math
from threading import RLock

import viser

from .panel import Panel
from .recording import Player, Recording
from .scene import Scene
from .visuals import Visual
from ..exceptions import UsageError
from ..range_of_motion.joint_range import find_range
from ..range_of_motion.range_end import REASONS
from ..robot.kinematics import forward_kinematics, with_mimics
from ..robot.model import Joint
from ..solver.closure_solver import ClosureSolver

# Positions nearer than this are of one mode; sliders are not finer, rad or m.
_SAME = 1e-3


class Mechanism:
    """
    A robot that follows its sliders.

    :param visuals: of its links.
    :param start: positions of known joints to begin at, rad and m; the others begin at home.
    :param recording: to play; None if there is none.
    :param spare: makes another solver for the robot, to look ahead with.
    """

    def __init__(self, server: viser.ViserServer, solver: ClosureSolver,
                 visuals: Sequence[Visual], start: Mapping[str, float],
                 recording: Recording | None, spare: Callable[[], ClosureSolver]) -> None:
        """Put it into the page."""
        self._server, self.solver, self._spare = server, solver, spare
        # Callbacks come from several threads.
        self._lock = RLock()
        self._recording = recording
        self._played: int | None = None
        self._removed = False
        self._shown: Mapping[str, float] = solver.home
        self._scene = Scene(server, solver.robot, visuals, solver.home)
        self._panel = self._new_panel({**solver.home, **start}, human=False, sticks=not visuals)
        self._player: Player | None = None
        if recording is not None:
            self._complete = recording.solved(solver)
            self._player = Player(server, recording.times, self.play)
            self.play(0)
        else:
            self.move()

    def _new_panel(self, positions: Mapping[str, float], *, human: bool, sticks: bool) -> Panel:
        reach = {} if self._recording is None else dict(zip(
            self.solver.independent, zip(self._recording.known.min(axis=0).tolist(),
                                         self._recording.known.max(axis=0).tolist(), strict=True),
            strict=True))
        return Panel(self._server, self.solver, positions, self, human=human, sticks=sticks,
                     reach=reach)

    @property
    def positions(self) -> dict[str, float]:
        """Where the known joints are, rad and m."""
        return self._panel.positions

    def remove(self) -> None:
        """Take it out of the page."""
        if self._player:
            self._player.remove()
        with self._lock:
            self._removed = True
            self._panel.remove()

    def move(self) -> None:
        """Bring the solved joints to where the sliders want them."""
        with self._lock:
            if self._removed:
                return
            if self._played is not None and self._recording is not None:
                # Go on from the state that is shown.
                self._recording.solved(self.solver, self._played + 1)
                self._played = None
            solution = self.solver.solve(self._panel.positions)
            self._scene.show(solution.positions, solution.closures)
            self._scene.show_ghosts(())
            self._shown = solution.positions
            self._panel.show(
                solution.positions, solution.closures,
                min((status.singularity for status in solution.groups), default=None),
                solution.notes)

    def play(self, index: int) -> None:
        """Show a recorded state."""
        with self._lock:
            self._played = index
            positions = dict(zip([joint.name for joint in self.solver.robot.moving_joints],
                                 self._complete[index].tolist(), strict=True))
            poses = forward_kinematics(self.solver.robot, positions)
            closures = {closure.name: self.solver.tolerances.status(closure, poses)
                        for closure in self.solver.robot.closures}
            self._panel.set_positions(positions)
            self._scene.show(positions, closures)
            self._scene.show_ghosts(())
            self._shown = positions
            self._panel.show(positions, closures, None, ())

    def home(self) -> None:
        """Go home, and into the assembly mode that it has there."""
        with self._lock:
            self._played = None
            self.solver.reset()
            self._panel.set_positions(self.solver.home)
            self.move()

    def show_in(self, human: bool) -> None:
        """Show degrees and millimetres, or rad and m."""
        with self._lock:
            old = self._panel
            old.remove()
            self._panel = self._new_panel(old.positions, human=human, sticks=old.sticks)
            self.move()

    def show_sticks(self, shown: bool) -> None:
        """Show the robot as sticks as well."""
        self._scene.show_sticks(shown)

    def find_modes(self) -> None:
        """Show the other poses that close the loops while the known joints stay, as ghosts."""
        with self._lock:
            shown, known = self._shown, self._panel.positions
        robot, others = self.solver.robot, list[Mapping[str, float]]()
        for modes in self._spare().assembly_modes(known).values():
            for mode in modes:
                if any(_apart(robot.by_name[name], position, shown[name]) > _SAME
                       for name, position in mode.positions.items()):
                    others.append(with_mimics(robot, {**shown, **mode.positions}))
        with self._lock:
            if self._shown is shown:  # else somebody moved it meanwhile
                self._scene.show_ghosts(others)

    def find_range(self, name: str) -> None:
        """Find out how far a joint can go, the others standing still."""
        joint, panel = self.solver.robot.by_name[name], self._panel
        panel.tell_range('looking ...')
        try:
            found = find_range(self._spare(), name, panel.positions)
        except UsageError as error:
            panel.tell_range(str(error))
            return
        panel.tell_range('from {} ({}) to {} ({})'.format(*(
            part for end in (found.lower, found.upper)
            for part in (panel.amount(joint, end.value), REASONS[end.reason]))))


def _apart(joint: Joint, one: float, other: float) -> float:
    """Return how far two positions are apart, whole turns of a hinge left out; rad or m."""
    return abs(one - other if joint.unit == 'm' else math.remainder(one - other, 2.0 * math.pi))
