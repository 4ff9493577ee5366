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
Closed forms of planar mechanisms, derived here from circles and triangles.

Planar angles are counted from the x axis of the mechanism's plane, counterclockwise, rad;
lengths in m. Each function names the geometric fact that its equations state.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from support.tree import Array

TAU = 2.0 * np.pi


def wrap(angle: float) -> float:
    """Return the same angle in [-pi, pi)."""
    return float((angle + np.pi) % TAU - np.pi)


def near(angle: float, reference: float) -> float:
    """Return the same angle within half a turn of a reference."""
    return reference + wrap(angle - reference)


def meet(centre_b: ArrayLike, radius_b: float, centre_d: ArrayLike, radius_d: float,
         mode: int) -> Array:
    """
    Intersect two circles in the plane.

    Along the line of centres ``a = (r_b^2 - r_d^2 + d^2) / 2d`` from b (subtract the two
    circle equations), across it ``h = sqrt(r_b^2 - a^2)``.

    :param mode: +1 for the point left of the way from b to d, -1 for the one right of it; the
        two assembly modes of a dyad.
    :raises ValueError: if the circles do not meet in a point.
    """
    b, d = np.asarray(centre_b, dtype=float), np.asarray(centre_d, dtype=float)
    across = d - b
    distance = float(np.hypot(*across))
    if distance == 0.0:
        raise ValueError('the circles have one centre')
    along = (radius_b**2 - radius_d**2 + distance**2) / (2.0 * distance)
    # As a product: the square of what lies far out of reach is more than a float can hold.
    height_squared = (radius_b - along) * (radius_b + along)
    if height_squared < 0.0:
        raise ValueError('out of reach')
    unit = across / distance
    left = np.array([-unit[1], unit[0]])
    return np.array(b + along * unit + mode * np.sqrt(height_squared) * left)


def direction(vector: ArrayLike) -> float:
    """Return the angle of a planar vector."""
    x, y = np.asarray(vector, dtype=float)
    return float(np.arctan2(y, x))


def ray(length: float, angle: float) -> Array:
    """Return a planar vector."""
    return length * np.array([np.cos(angle), np.sin(angle)])


@dataclass(frozen=True)
class FourBar:
    """
    A planar four-bar A-B-C-D with ground pivots A = (0, 0) and D = (ground, 0).

    :param crank: AB.
    :param coupler: BC.
    :param rocker: DC.
    :param ground: AD.
    :param mode: side of the diagonal B to D on which C lies, +1 left, -1 right.
    """

    crank: float
    coupler: float
    rocker: float
    ground: float
    mode: int = 1

    def angles(self, crank_angle: float) -> tuple[float, float]:
        """Return the directions of BC and DC; C is where the circles about B and D meet."""
        B, D = ray(self.crank, crank_angle), np.array([self.ground, 0.0])
        C = meet(B, self.coupler, D, self.rocker, self.mode)
        return direction(C - B), direction(C - D)

    def freudenstein(self, crank_angle: float) -> float:
        """
        Return the direction of DC by Freudenstein's equation instead.

        From ``|D + DC - B|^2 = BC^2``: ``E cos w + F sin w = G`` with the rocker's direction
        ``w``, so ``w = atan2(F, E) +- acos(G / hypot(E, F))``. Here (E, F) points from D to B,
        so the upper sign turns the rocker counterclockwise away from it, to the right of B to D.
        """
        E = self.crank * np.cos(crank_angle) - self.ground
        F = self.crank * np.sin(crank_angle)
        G = (E**2 + F**2 + self.rocker**2 - self.coupler**2) / (2.0 * self.rocker)
        return float(np.arctan2(F, E) - self.mode * np.arccos(G / np.hypot(E, F)))

    def clearance(self, crank_angle: float) -> float:
        """Return the sine of the transmission angle at C: 0 at a dead centre of the crank."""
        coupler, rocker = self.angles(crank_angle)
        return float(abs(np.sin(rocker - coupler)))

    @property
    def crank_rocker(self) -> bool:
        """Whether the crank turns fully (Grashof, the crank shortest)."""
        bars = sorted((self.crank, self.coupler, self.rocker, self.ground))
        return bars[0] == self.crank and bars[0] + bars[3] < bars[1] + bars[2]

    def joints(self, home: float, crank: float) -> dict[str, float]:
        """
        Return the joint positions of the generators' four-bar, counted from home.

        :param home: direction of the crank at home.
        :param crank: position of the crank's joint.
        """
        coupler, rocker = self.angles(home + crank)
        coupler_home, rocker_home = self.angles(home)
        return {'crank': crank,
                'coupler': wrap(coupler - coupler_home - crank),
                'rocker': wrap(rocker - rocker_home)}

    def velocities(self, home: float, crank: float) -> dict[str, float]:
        """
        Return the joint velocities for a crank at 1 rad/s.

        The loop's velocity along the coupler gives the rocker's, along the rocker the
        coupler's: ``w_r = a sin(t - c) / (r sin(w - c))``, ``w_c = a sin(t - w) / (b sin(w -
        c))`` with the directions t, c, w of crank, coupler and rocker.
        """
        t = home + crank
        c, w = self.angles(t)
        rocker = self.crank * np.sin(t - c) / (self.rocker * np.sin(w - c))
        coupler = self.crank * np.sin(t - w) / (self.coupler * np.sin(w - c))
        return {'crank': 1.0, 'coupler': float(coupler) - 1.0, 'rocker': float(rocker)}


@dataclass(frozen=True)
class FiveBar:
    """
    A planar five-bar: two cranks on ground pivots (0, 0) and (ground, 0), forearms meeting.

    :param mode: side of the way from the left elbow to the right one on which the tip lies.
    """

    left: float
    left_forearm: float
    right: float
    right_forearm: float
    ground: float
    mode: int = 1

    def angles(self, left_angle: float, right_angle: float) -> tuple[float, float]:
        """Return the directions from each elbow to the tip, where the two circles meet."""
        L = ray(self.left, left_angle)
        R = np.array([self.ground, 0.0]) + ray(self.right, right_angle)
        tip = meet(L, self.left_forearm, R, self.right_forearm, self.mode)
        return direction(tip - L), direction(tip - R)

    def clearance(self, left_angle: float, right_angle: float) -> float:
        """Return the sine of the angle between the forearms: 0 where they are in line."""
        left, right = self.angles(left_angle, right_angle)
        return float(abs(np.sin(left - right)))

    def joints(self, home: tuple[float, float], left: float, right: float) -> dict[str, float]:
        """Return the joint positions of the generators' five-bar, counted from home."""
        now, then = self.angles(home[0] + left, home[1] + right), self.angles(*home)
        return {'left': left, 'left_forearm': wrap(now[0] - then[0] - left),
                'right': right, 'right_forearm': wrap(now[1] - then[1] - right)}


def slider_crank(crank: float, rod: float, offset: float, angle: float) -> tuple[float, float]:
    """
    Return the slider's place and the rod's direction of a crank at the origin.

    The slider runs along y = offset; ``rod sin(direction) = offset - crank sin(angle)``.

    :return: x of the slider (m), direction of the rod from crank pin to slider (rad), the rod
        pointing to +x.
    """
    rod_angle = float(np.arcsin((offset - crank * np.sin(angle)) / rod))
    return float(crank * np.cos(angle) + rod * np.cos(rod_angle)), rod_angle


def triangle_angle(a: float, b: float, opposite: float) -> float:
    """Return the angle between two sides by the law of cosines."""
    return float(np.arccos((a**2 + b**2 - opposite**2) / (2.0 * a * b)))
