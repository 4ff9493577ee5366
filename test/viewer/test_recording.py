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

"""A recording in the page: its solved states, and going on from one of them by hand."""

from __future__ import annotations

from collections.abc import Iterator
import math
import time

import numpy as np
import pytest

pytest.importorskip('viser')

from riod_urdf_ros.robot.kinematics import forward_kinematics  # noqa: E402
from riod_urdf_ros.solver.closure_solver import ClosureSolver  # noqa: E402
from riod_urdf_ros.viewer import Viewer  # noqa: E402
from riod_urdf_ros.viewer.mechanism import Mechanism  # noqa: E402
from riod_urdf_ros.viewer.recording import Recording  # noqa: E402
from support.commands import FOUR_BAR  # noqa: E402
from support.oracles import FourBar, wrap  # noqa: E402

BARS = FourBar(0.06, 0.2, 0.14, 0.18)
CRANKS = np.linspace(0.0, 9.0, 91)


def record(_: ClosureSolver) -> Recording:
    return Recording(0.01 * np.arange(91.0), CRANKS[:, None])


@pytest.fixture
def played() -> Iterator[Mechanism]:
    viewer = Viewer(FOUR_BAR, port=18930, record=record)
    assert viewer.mechanism is not None
    yield viewer.mechanism
    viewer.close()


def rocker(mechanism: Mechanism) -> float:
    """Return the angle of the rocker's x axis in the base, as the page was sent it."""
    index = mechanism.solver.robot.links.index('rocker')
    frame = mechanism._server.scene.get_handle_by_name(f'/links/{index}')
    assert frame is not None
    w, x, y, z = frame.wxyz
    return math.atan2(2 * (x * z - w * y), 1 - 2 * (y * y + z * z))


def test_states_are_shown(played: Mechanism) -> None:
    for index in (0, 90, 45, 70):
        played.play(index)
        assert played.positions['crank'] == pytest.approx(wrap(CRANKS[index]), abs=1e-9)
        assert wrap(rocker(played) - BARS.angles(math.pi / 2 + CRANKS[index])[1]) == \
            pytest.approx(0.0, abs=1e-6)


def test_a_slider_goes_on_from_the_state_that_is_shown(played: Mechanism) -> None:
    played.play(20)
    played.move()
    assert rocker(played) == pytest.approx(
        BARS.angles(math.pi / 2 + played.positions['crank'])[1], abs=1e-6)


def test_it_plays(played: Mechanism) -> None:
    assert played._player is not None
    played._player._playing.value = True  # type: ignore[misc]
    seen = set[float]()
    end = time.monotonic() + 10.0
    while len(seen) < 5 and time.monotonic() < end:
        seen.add(played.positions['crank'])
        time.sleep(0.02)
    assert len(seen) == 5


def test_the_other_assembly_mode_is_a_ghost() -> None:
    viewer = Viewer(FOUR_BAR, port=18930)
    try:
        mechanism = viewer.mechanism
        assert mechanism is not None
        ghosts = mechanism._server.scene.get_handle_by_name('/ghosts')
        assert ghosts is not None
        assert not ghosts.visible
        mechanism.find_modes()
        assert ghosts.visible
        # The tip of the rocker mirrored at the line from the crank's tip to the rocker's foot.
        other = FourBar(0.06, 0.2, 0.14, 0.18, mode=-BARS.mode).angles(math.pi / 2)[1]
        base = forward_kinematics(mechanism.solver.robot, {})['rocker'][:3, 3]
        tip = base + 0.14 * np.array([math.cos(other), 0.0, math.sin(other)])
        points = np.asarray(ghosts.points).reshape(-1, 3)
        assert np.min(np.linalg.norm((points - tip)[:, [0, 2]], axis=1)) < 1e-6
        mechanism.move()
        assert not ghosts.visible
    finally:
        viewer.close()
