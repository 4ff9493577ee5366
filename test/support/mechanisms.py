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

"""
Mechanisms of any size and proportion for property tests, each closed at home.

Planar ones lie in the x-y plane of a link 'plane', which stands in the base as told; a bar's
frame has x along the bar. Joint names are those that the closed forms in oracles.py use.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from support.oracles import direction, FiveBar, FourBar, ray, slider_crank
from support.oracles_spatial import Delta, Stewart
from support.tree import Array, Closure, from_rpy, Joint, Mechanism, pose, turn

X, Y, Z = np.eye(3)


class Sheet:
    """A mechanism while it is being drawn."""

    def __init__(self, root: str = 'base') -> None:
        """Begin with the root link."""
        self.links = [root]
        self.joints: list[Joint] = []
        self.closures: list[Closure] = []

    def joint(self, name: str, kind: str, parent: str, child: str, T: Array, axis: ArrayLike = Z,
              *, passive: bool = True, mimic: tuple[str, float, float] | None = None) -> str:
        """Add a joint and its child link."""
        limits = None if kind in ('continuous', 'fixed') else (-10.0, 10.0)
        self.links.append(child)
        self.joints.append(Joint(name, kind, parent, child, T, np.asarray(axis, dtype=float),
                                 passive and kind != 'fixed', limits, mimic))
        return child

    def hinge(self, name: str, parent: str, xyz: ArrayLike, angle: float, *,
              passive: bool = True) -> str:
        """Add a bar that turns in the plane; its link is called as its joint with '_bar'."""
        return self.joint(name, 'continuous', parent, f'{name}_bar',
                          pose(_flat(xyz), turn(Z, angle)), passive=passive)

    def frame(self, name: str, parent: str, T: Array) -> str:
        """Add an empty link on a fixed joint."""
        return self.joint(f'{name}_fixed', 'fixed', parent, name, T)

    def pin(self, name: str, a: tuple[str, ArrayLike], b: tuple[str, ArrayLike]) -> None:
        """Close a loop where a point of one link meets a point of another."""
        frames = [self.frame(f'{name}_{side}', link, pose(_flat(xyz)))
                  for side, (link, xyz) in (('a', a), ('b', b))]
        self.closures.append(Closure(name, 'point', *frames))

    def copy(self) -> Sheet:
        """Return a sheet with the same drawing, to try something on."""
        other = Sheet()
        other.links, other.joints = list(self.links), list(self.joints)
        other.closures = list(self.closures)
        return other

    def done(self) -> Mechanism:
        """Return the mechanism."""
        return Mechanism(tuple(self.links), tuple(self.joints), tuple(self.closures))


def _flat(xyz: ArrayLike) -> Array:
    """Put a point of the plane into space."""
    values = np.asarray(xyz, dtype=float)
    return np.append(values, np.zeros(3 - len(values)))


def _plane(standing: Array | None) -> tuple[Sheet, str]:
    sheet = Sheet()
    return sheet, sheet.frame('plane', 'base', np.eye(4) if standing is None else standing)


def four_bar(bars: FourBar, home: float, standing: Array | None = None, *,
             closure: str = 'point', offset: float = 0.0) -> Mechanism:
    """
    Draw a four-bar: joints crank (actuated), coupler and rocker.

    :param home: direction of the crank at home.
    :param closure: 'point', or 'hinge' for a rigid closure and a passive hinge 'pin' at the cut.
    :param offset: of the coupler out of the plane, m; its end frame brings it back.
    """
    coupler, rocker = bars.angles(home)
    sheet, plane = _plane(standing)
    ab = sheet.hinge('crank', plane, [0, 0], home, passive=False)
    bc = sheet.hinge('coupler', ab, [bars.crank, 0, offset], coupler - home)
    dc = sheet.hinge('rocker', plane, [bars.ground, 0], rocker)
    end = [bars.coupler, 0, -offset]
    if closure == 'point':
        sheet.pin('loop', (bc, end), (dc, [bars.rocker, 0]))
    else:
        pin = sheet.hinge('pin', bc, end, rocker - coupler)
        tip = sheet.frame('tip', dc, pose(_flat([bars.rocker, 0])))
        sheet.closures.append(Closure('loop', 'rigid', pin, tip))
    return sheet.done()


def five_bar(bars: FiveBar, home: tuple[float, float],
             standing: Array | None = None) -> Mechanism:
    """Draw a five-bar: joints left, right (actuated), left_forearm, right_forearm."""
    left, right = bars.angles(*home)
    sheet, plane = _plane(standing)
    a = sheet.hinge('left', plane, [0, 0], home[0], passive=False)
    b = sheet.hinge('left_forearm', a, [bars.left, 0], left - home[0])
    c = sheet.hinge('right', plane, [bars.ground, 0], home[1], passive=False)
    d = sheet.hinge('right_forearm', c, [bars.right, 0], right - home[1])
    sheet.pin('tip', (b, [bars.left_forearm, 0]), (d, [bars.right_forearm, 0]))
    return sheet.done()


def slider(crank: float, rod: float, offset: float, home: float,
           standing: Array | None = None) -> Mechanism:
    """Draw a crank that pushes a block: crank (actuated), rod and the prismatic slider."""
    x, rod_angle = slider_crank(crank, rod, offset, home)
    sheet, plane = _plane(standing)
    a = sheet.hinge('crank', plane, [0, 0], home, passive=False)
    b = sheet.hinge('rod', a, [crank, 0], rod_angle - home)
    block = sheet.joint('slider', 'prismatic', plane, 'block', pose(_flat([x, offset])), X)
    sheet.pin('pin', (b, [rod, 0]), (block, [0, 0]))
    return sheet.done()


def four_bar_chain(bars: Sequence[FourBar], home: float,
                   standing: Array | None = None) -> Mechanism:
    """
    Draw four-bars in a row on one ground: the rocker of each is the crank of the next.

    Joints crank (actuated), then coupler_k and rocker_k from k = 1. Loop k needs loop k-1. The
    cranks but the first are the rockers' bars, so ``bars[k].crank == bars[k-1].rocker``.
    """
    sheet, plane = _plane(standing)
    input_bar, angle, pivot = sheet.hinge('crank', plane, [0, 0], home, passive=False), home, 0.0
    for k, bar in enumerate(bars, 1):
        coupler, rocker = bar.angles(angle)
        pivot += bar.ground
        bc = sheet.hinge(f'coupler_{k}', input_bar, [bar.crank, 0], coupler - angle)
        dc = sheet.hinge(f'rocker_{k}', plane, [pivot, 0], rocker)
        sheet.pin(f'loop_{k}', (bc, [bar.coupler, 0]), (dc, [bar.rocker, 0]))
        input_bar, angle = dc, rocker
    return sheet.done()


def four_bar_stack(bars: Sequence[FourBar], homes: Sequence[float],
                   standing: Array | None = None) -> Mechanism:
    """
    Draw four-bars carried by one another: each one's ground is the coupler of the one before.

    Joints crank_k (actuated), coupler_k and rocker_k from k = 1; the loops are independent.
    """
    sheet, ground = _plane(standing)
    for k, (bar, home) in enumerate(zip(bars, homes), 1):
        coupler, rocker = bar.angles(home)
        ab = sheet.hinge(f'crank_{k}', ground, [0, 0], home, passive=False)
        bc = sheet.hinge(f'coupler_{k}', ab, [bar.crank, 0], coupler - home)
        dc = sheet.hinge(f'rocker_{k}', ground, [bar.ground, 0], rocker)
        sheet.pin(f'loop_{k}', (bc, [bar.coupler, 0]), (dc, [bar.rocker, 0]))
        ground = bc
    return sheet.done()


def scissor_lift(cells: int, bar: float, home: float,
                 standing: Array | None = None) -> Mechanism:
    """
    Draw a scissor lift: bars a_k rise to the right, b_k to the left, crossed at their middles.

    Joints a_1 (actuated, foot fixed), slider (the foot of b_1, prismatic), b_k on a_k, a_k on
    the head of b_{k-1}; their closed form is :func:`scissor_joints`. The foot of b_k stands on
    the head of a_{k-1}, that of b_1 on the slider.

    :param home: elevation of the bars at home, rad.
    """
    sheet, plane = _plane(standing)
    foot = (sheet.joint('slider', 'prismatic', plane, 'block',
                        pose(_flat([bar * np.cos(home), 0])), X), [0.0, 0.0])
    below = plane
    for k in range(1, cells + 1):
        place, angle = ([0.0, 0.0], home) if k == 1 else ([bar / 2, 0.0], 2.0 * home - np.pi)
        a = sheet.hinge(f'a_{k}', below, place, angle, passive=k > 1)
        b = sheet.hinge(f'b_{k}', a, [bar / 2, 0], np.pi - 2.0 * home)
        sheet.pin(f'cell_{k}', (b, [-bar / 2, 0]), foot)
        below, foot = b, (a, [bar, 0.0])
    return sheet.done()


def scissor_joints(cells: int, bar: float, home: float, lift: float) -> dict[str, float]:
    """Return the joints of :func:`scissor_lift`: all a at one angle, all b mirrored."""
    result = {'a_1': lift, 'slider': bar * float(np.cos(home + lift) - np.cos(home))}
    for k in range(1, cells + 1):
        result[f'b_{k}'] = -2.0 * lift
        if k > 1:
            result[f'a_{k}'] = 2.0 * lift
    return result


def delta(size: Delta) -> Mechanism:
    """Draw a delta robot with the frames and joint names of the packaged example."""
    sheet, pitch, width = Sheet(), size.home_pitch, [0.0, size.half_width, 0.0]
    tips: dict[str, str] = {}
    for i in range(1, 4):
        shoulder = turn(Z, (i - 1) * 2.0 * np.pi / 3) @ [size.base_radius, 0, 0]
        arm = sheet.joint(f'motor_{i}', 'revolute', 'base', f'arm_{i}',
                          pose(shoulder, turn(Z, (i - 1) * 2.0 * np.pi / 3)), Y, passive=False)
        for side, sign in (('a', -1.0), ('b', 1.0)):
            rod = f'rod_{i}{side}'
            elbow = pose(np.array([size.arm, 0, 0]) + sign * np.array(width), turn(Y, pitch))
            cross = sheet.joint(f'{rod}_swing', 'revolute', arm, f'{rod}_cross', elbow, Y)
            sheet.joint(f'{rod}_tilt', 'revolute', cross, rod, np.eye(4), Z)
            tips[rod] = sheet.frame(f'{rod}_tip', rod, pose([size.rod, 0, 0]))
    a = sheet.joint('platform_tilt', 'revolute', 'rod_1a', 'ball_a', pose([size.rod, 0, 0]), Z)
    b = sheet.joint('platform_swing', 'revolute', a, 'ball_b', np.eye(4), Y)
    c = sheet.joint('platform_yaw', 'revolute', b, 'ball_c', pose(R=turn(Y, -pitch)), Z)
    platform = sheet.frame('platform', c, pose([-size.platform_radius, size.half_width, 0]))
    for rod, tip in tips.items():
        if rod != 'rod_1a':
            anchor = np.array([size.platform_radius, 0, 0]) \
                + (1.0 if rod.endswith('b') else -1.0) * np.array(width)
            azimuth = (int(rod[4]) - 1) * 2.0 * np.pi / 3
            frame = sheet.frame(f'platform_{rod[4:]}', platform, pose(turn(Z, azimuth) @ anchor))
            sheet.closures.append(Closure(rod, 'point', tip, frame))
    return sheet.done()


def stewart(size: Stewart) -> Mechanism:
    """Draw a 6-UPS platform with the frames and joint names of the packaged example."""
    sheet = Sheet()
    feet, heads = size.points()
    homes = size.legs(np.eye(3), [0.0, 0.0, size.height])
    # Leg 1 comes last: its pitch and yaw are needed again for the ball on it.
    yaw = pitch = 0.0
    for i, (foot, vector) in reversed(list(enumerate(zip(feet, homes), 1))):
        pitch = float(np.arctan2(np.hypot(vector[0], vector[1]), vector[2]))
        yaw = direction(vector[:2])
        cross = sheet.joint(f'leg_{i}_swing', 'revolute', 'base', f'leg_{i}_cross',
                            pose(foot, from_rpy(0.0, pitch, yaw)), Y)
        barrel = sheet.joint(f'leg_{i}_tilt', 'revolute', cross, f'leg_{i}_barrel', np.eye(4), X)
        sheet.joint(f'leg_{i}', 'prismatic', barrel, f'leg_{i}_rod',
                    pose([0, 0, float(np.linalg.norm(vector))]), Z, passive=False)
    a = sheet.joint('ball_x', 'revolute', 'leg_1_rod', 'ball_a', np.eye(4), X)
    b = sheet.joint('ball_y', 'revolute', a, 'ball_b', np.eye(4), Y)
    c = sheet.joint('ball_z', 'revolute', b, 'ball_c', pose(R=turn(Y, -pitch)), Z)
    back = turn(Z, -yaw)
    platform = sheet.frame('platform', c, pose(-back @ heads[0], back))
    for i, head in enumerate(heads[1:], 2):
        frame = sheet.frame(f'platform_{i}', platform, pose(head))
        sheet.closures.append(Closure(f'leg_{i}', 'point', f'leg_{i}_rod', frame))
    return sheet.done()


def ball_rod(spin_last: bool) -> Mechanism:
    """
    Draw a crank that drives a rocker over a rod with a useless spin about itself, in space.

    The rod hangs on the crank by three passive revolutes and ends in a point closure, so its
    spin is undetermined.

    :param spin_last: the third revolute is the spin about the rod alone, and nothing but it is
        undetermined; else the axes are x, y, z of a frame that lies askew.
    """
    sheet = Sheet()
    crank = sheet.joint('crank', 'continuous', 'base', 'crank_link', np.eye(4), Z, passive=False)
    rocker = sheet.joint('rocker', 'revolute', 'base', 'rocker_link', pose([0.5, 0, -0.2]), X)
    start, end = np.array([0.1, 0.0, 0.0]), np.array([0.5, 0.3, 0.1])
    x = end - start
    y = np.cross(Z, x)
    along = np.array([x / np.linalg.norm(x), y / np.linalg.norm(y),
                      np.cross(x, y) / np.linalg.norm(np.cross(x, y))]).T
    frame = along if spin_last else np.eye(3)
    axes = (Z, Y, X) if spin_last else (X, Y, Z)
    a = sheet.joint('rod_1', 'continuous', crank, 'rod_a', pose(start, frame), axes[0])
    b = sheet.joint('rod_2', 'continuous', a, 'rod_b', np.eye(4), axes[1])
    rod = sheet.joint('rod_3', 'continuous', b, 'rod', np.eye(4), axes[2])
    tip = sheet.frame('rod_tip', rod, pose(frame.T @ x))
    sheet.closures.append(
        Closure('loop', 'point', tip, sheet.frame('rocker_tip', rocker, pose([0, 0.3, 0.3]))))
    return sheet.done()


def random_tree(rng: np.random.Generator, actuated: int, loops: int) -> Mechanism:
    """
    Draw a random tree of actuated joints with random loops of passive ones grown on it.

    Each loop is a chain of as many passive joints as its closure has rows, from one link to
    another, both anywhere in what stands already; the chain's end frame is put where the other
    link's frame is at home, so the loop is closed. Chains that cannot move in one of the
    directions that their closure holds are drawn again.
    """
    tree = Sheet()

    def random_joint(sheet: Sheet, name: str, parent: str, *, passive: bool) -> str:
        kind = str(rng.choice(['revolute', 'continuous', 'prismatic'], p=[0.5, 0.3, 0.2]))
        axis = rng.normal(size=3)
        T = pose(rng.uniform(-0.4, 0.4, 3), turn(rng.normal(size=3), rng.uniform(-np.pi, np.pi)))
        return sheet.joint(name, kind, parent, f'{name}_link', T, axis / np.linalg.norm(axis),
                           passive=passive)

    for k in range(1, actuated + 1):
        random_joint(tree, f'motor_{k}', str(rng.choice(tree.links)), passive=False)
    loop = 1
    while loop <= loops:
        sheet = tree.copy()
        kind, length = ('rigid', 6) if rng.random() < 0.3 else ('point', 3)
        link, target = (str(name) for name in rng.choice(sheet.links, 2, replace=False))
        names = [f'loop_{loop}_{i}' for i in range(1, length + 1)]
        for name in names:
            link = random_joint(sheet, name, link, passive=True)
        links = sheet.done().poses({})
        seat = pose(rng.uniform(-0.4, 0.4, 3), turn(rng.normal(size=3), rng.uniform(0, np.pi)))
        b = sheet.frame(f'loop_{loop}_b', target, seat)
        a = sheet.frame(f'loop_{loop}_a', link, np.linalg.inv(links[link]) @ links[target] @ seat)
        sheet.closures.append(Closure(f'loop_{loop}', kind, a, b))
        values = np.linalg.svd(sheet.done().jacobian({}, names), compute_uv=False)
        if values[-1] > 0.1 * values[0]:
            tree, loop = sheet, loop + 1
    return tree.done()


def parallelogram(crank: float, ground: float, home: float) -> Mechanism:
    """Draw a parallelogram: a four-bar with equal opposite sides, coupler level."""
    # Either mode may be the uncrossed one; it is the one whose rocker goes with the crank.
    C = ray(crank, home) + [ground, 0.0]
    sheet, plane = _plane(None)
    ab = sheet.hinge('crank', plane, [0, 0], home, passive=False)
    bc = sheet.hinge('coupler', ab, [crank, 0], -home)
    dc = sheet.hinge('rocker', plane, [ground, 0], direction(C - [ground, 0.0]))
    sheet.pin('loop', (bc, [ground, 0]), (dc, [crank, 0]))
    return sheet.done()
