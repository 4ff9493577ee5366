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

"""Closures that name a link beside the one that was meant: a rod instead of its end."""

from __future__ import annotations

import itertools

import numpy as np

from .problem_list import ProblemList
from ..robot.kinematics import forward_kinematics
from ..robot.model import LoopClosure, Robot
from ..robot.transforms import Array
from ..wording import quote

# A gap that counts, and what is left of it where the right frame is found, m and as a part.
_GAP, _LEFT = 1e-4, 1e-3
# Frames of one body that are looked at.
_FRAMES = 50


def check_frames(robot: Robot, problems: ProblemList) -> None:
    """Warn of open closures that other frames of the same two bodies would close at home."""
    if not robot.closures:
        return
    poses = forward_kinematics(robot, {})
    body = {robot.root: robot.root}
    for joint in robot.outward:
        body[joint.child] = body[joint.parent] if joint.kind == 'fixed' else joint.child
    members: dict[str, list[str]] = {}
    for link in robot.links:
        members.setdefault(body[link], []).append(link)
    for closure in robot.closures:
        frames = [[frame, *itertools.islice(
            (link for link in members[body[frame]] if link != frame), _FRAMES)]
            for frame in (closure.frame_a, closure.frame_b)]
        _check(closure, frames[0], frames[1], poses, problems)


def _check(closure: LoopClosure, of_a: list[str], of_b: list[str], poses: dict[str, Array],
           problems: ProblemList) -> None:
    """
    Look for a closer pair.

    :param of_a: frame A, then the other frames of its body.
    :param of_b: the same for frame B.
    """
    a, b = (np.array([poses[frame][:3, 3] for frame in frames]) for frames in (of_a, of_b))
    gaps = np.linalg.norm(a[:, np.newaxis] - b, axis=2)
    gap = float(gaps[0, 0])
    near = np.argwhere((gaps <= max(_LEFT * gap, 1e-9)) & (gap > _GAP)).tolist()
    # Where one of the two frames is right, that counts.
    for i, j in sorted(near, key=lambda pair: bool(pair[0]) + bool(pair[1])):
        meant = [f'{attribute}={quote(frames[k])} (fixed to {quote(frames[0])})'
                 for attribute, frames, k in (('frameA', of_a, i), ('frameB', of_b, j)) if k]
        problems.warning(
            f'loop closure {quote(closure.name)}: {quote(closure.frame_b)} is {gap:.4g} m from '
            f'{quote(closure.frame_a)} with all joints at zero; did you mean '
            f'{" and ".join(meant)}? There the two are in one place', closure.line)
        return
