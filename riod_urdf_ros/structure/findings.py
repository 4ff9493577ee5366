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

"""What there is to say about the structure of a mechanism before it moves."""

from __future__ import annotations

import numpy as np

from .assembly import planar_normal
from .mobility import GroupStructure, Structure
from .ways import Way
from ..constraints.influence import influential_joints
from ..constraints.numerics import MOTORS_TOLD
from ..exceptions import Problem
from ..robot.model import Robot
from ..wording import listing, quote


def structure_problems(robot: Robot, structure: Structure) -> tuple[Problem, ...]:
    """Return warnings about loops that cannot move, or not as their motors say."""
    lines = {closure.name: closure.line for closure in robot.closures}
    problems = []
    for closure in robot.closures:
        if not influential_joints(robot, closure):
            problems.append((
                f'no joint can change loop {quote(closure.name)}: {closure.frame_a} and '
                f'{closure.frame_b} lie on the axes of all joints between them, so it says '
                'nothing; check which frames it ties', closure.line))
    for group in structure.groups:
        loop, line = f'loop {listing(group.closures)}', lines[group.closures[0]]
        if group.singular_home:
            problems.append((f'{loop} is singular at home (flat, folded or coaxial: its links '
                             f'are in line), where the motors do not tell which way it goes on; '
                             f'{_ways(group)}write the tree in a position in which it is not, or '
                             'give another home', line))
        if not group.rows:
            continue
        if group.locked:
            problems.append((
                f'{loop} cannot move: its closures leave '
                f'{", ".join(group.independent) or "its joints"} no freedom; are all joints '
                'without a motor marked as passive, does each <mimic> say what the loop demands, '
                'and has a hinge that was cut with type="rigid" a passive joint at the cut?'
                f'{_axes(robot, group)}', line))
        elif group.over_actuated:
            problems.append((
                f'{loop} ties the actuated joints {", ".join(group.over_actuated)} to each other, '
                'so their positions have to agree; mark those without a motor as passive', line))
    return tuple(Problem('warning', message, line) for message, line in problems)


def _axes(robot: Robot, group: GroupStructure) -> str:
    """Name joints of which each alone keeps a loop from being planar."""
    odd = [joint.name for closure in robot.closures
           if closure.name in group.closures and planar_normal(robot, closure) is None
           for side in robot.loop(closure) for joint in side
           if joint.moving and planar_normal(robot, closure, joint.name) is not None]
    if not odd:
        return ''
    return (f' Is the axis of {" or ".join(map(quote, dict.fromkeys(odd)))} right? Without it the '
            'loop would move in a plane')


def _ways(group: GroupStructure) -> str:
    """Say which ways leave a singular home, the one that is taken first."""
    told = []
    for i, motor in list(enumerate(group.independent))[:MOTORS_TOLD]:
        for sign, where in ((1.0, 'up'), (-1.0, 'down')):
            assert group.bifurcation is not None
            ways = group.bifurcation.towards(sign * np.eye(len(group.independent))[i])
            if ways:
                told.append(f'with {motor} going {where} it takes ' + ', not '.join(
                    _signs(group, way) for way in ways))
    return f'{"; ".join(told)}; ' if told else ''


def _signs(group: GroupStructure, way: Way) -> str:
    assert group.bifurcation is not None
    home = group.bifurcation.linearisation.positions(group.bifurcation.home)
    signs = [f'{name} {"+" if moved > 0.0 else "-"}' for name in group.dependent
             for moved in [way.positions[name] - home[name]] if abs(moved) > 1e-4]
    return f'({", ".join(signs) or "all at rest"})'
