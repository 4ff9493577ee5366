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

"""Drawing one posture of a mechanism with matplotlib, which is imported only where it is used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TYPE_CHECKING

from matplotlib.collections import LineCollection
from matplotlib.patches import Polygon
import numpy as np

from .labels import Label
from .outline import outline
from .plain_text import plain
from .skeleton import Skeleton
from .symbols import COLOURS, FLOOR, GROUND, QUIET, SIZES, SYMBOLS
from .viewpoint import Viewpoint
from ..colours import BASE, GHOST, LINK, TREE
from ..robot.kinematics import forward_kinematics
from ..robot.model import Joint
from ..robot.transforms import Array
from ..solver.tolerances import ClosureStatus
from ..wording import millimetres

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Drawing:
    """
    Draws postures of one mechanism into the same frame of axes.

    :param skeleton: what to draw.
    :param view: from where.
    """

    def __init__(self, skeleton: Skeleton, view: Viewpoint) -> None:
        """Start without having seen any posture."""
        self.skeleton, self.view = skeleton, view
        self._low, self._high = np.full(3, np.inf), np.full(3, -np.inf)
        self._floor = np.full(3, np.inf), np.full(3, -np.inf)
        # Whether all axes meet in one point, so that no link has a length.
        self.spherical = bool(skeleton.robot.closures) and not any(
            np.any(joint.T_parent_joint[:3, 3]) for joint in skeleton.robot.joints)
        joints = len(skeleton.robot.moving_joints)
        self.unit = 9.0 if joints <= 24 else 6.5 if joints <= 60 else 4.5

    def include(self, positions: Mapping[str, float]) -> None:
        """Make room for a posture."""
        poses = forward_kinematics(self.skeleton.robot, positions)
        points = np.array([pin.at(poses) for body in self.skeleton.bodies for pin in body.pins]
                          + [self.skeleton.centre(joint, poses)
                             for joint in self.skeleton.robot.moving_joints] or [np.zeros(3)])
        if self.spherical:
            # There is nothing but axes: as long as it takes to see where they point.
            points = np.vstack([points, *(points[0] + sign * self._axis(joint, poses)
                                          for joint in self.skeleton.robot.moving_joints
                                          for sign in (-1.0, 1.0))])
        self._floor = (np.minimum(self._floor[0], points.min(axis=0)),
                       np.maximum(self._floor[1], points.max(axis=0)))
        seen = self.view.project(points, poses)
        self._low = np.minimum(self._low, seen.min(axis=0))
        self._high = np.maximum(self._high, seen.max(axis=0))

    def _axis(self, joint: Joint, poses: Mapping[str, Array]) -> Array:
        """Return half of what is drawn of a joint's axis, shape (3,), m."""
        size = 1.0 if self.spherical else 0.05 * float(
            np.linalg.norm(self._floor[1] - self._floor[0]))
        return np.asarray(poses[joint.child][:3, :3] @ joint.axis * size)

    def frame(self) -> tuple[Array, Array]:
        """Return the corners of the picture, lower left and upper right, shape (2,), m."""
        low, high = self._low[:2].copy(), self._high[:2].copy()
        if not self.view.planar and not self.spherical:
            floor = self.flat(self._floor_corners())
            low, high = np.minimum(low, floor.min(axis=0)), np.maximum(high, floor.max(axis=0))
        largest = max(float((high - low).max()), 1e-3)
        # A mechanism in one line still gets a picture that is not one.
        room = np.maximum(0.5 * (0.3 * largest - (high - low)), 0.07 * largest)
        return low - room, high + room

    def prepare(self, axes: Axes) -> None:
        """Set up the axes: in the plane with scales, in space with a floor."""
        low, high = self.frame()
        axes.set_aspect('equal')
        axes.set_xlim(low[0], high[0])
        axes.set_ylim(low[1], high[1])
        if not self.view.planar:
            axes.axis('off')
            if not self.spherical:
                self._draw_floor(axes)
            return
        right, up = self.view.axis_names()
        axes.set_xlabel(plain(f'{right} of {self.view.link} [m]'))
        axes.set_ylabel(plain(f'{up} of {self.view.link} [m]'))
        axes.grid(color=FLOOR, linewidth=0.6)
        axes.set_axisbelow(True)
        for side in ('top', 'right'):
            axes.spines[side].set_visible(False)

    def _floor_corners(self) -> Array:
        """Return the corners of a grid below the mechanism, shape (4, 3), in whole steps, m."""
        low, high = self._floor
        step = self._floor_step()
        first, last = np.floor(low[:2] / step - 0.2), np.ceil(high[:2] / step + 0.2)
        return np.array([[x * step, y * step, low[2]] for x, y in (
            first, (last[0], first[1]), last, (first[0], last[1]))])

    def _floor_step(self) -> float:
        return _round_number(float(np.max(self._floor[1] - self._floor[0])) / 5.0)

    def _draw_floor(self, axes: Axes) -> None:
        """Draw the grid, which tells size and depth, and the directions of x, y and z."""
        corners, step = self._floor_corners(), self._floor_step()
        lines = []
        for k in (0, 1):
            count = round((corners[2, k] - corners[0, k]) / step)
            for i in range(count + 1):
                ends = corners[[0, 2]].copy()
                ends[:, k] = corners[0, k] + i * step
                lines.append(self.flat(ends))
        axes.add_collection(
            LineCollection(lines, colors=FLOOR, linewidths=0.7, zorder=0), autolim=False)
        for k in range(3):
            ends = corners[[0, 0]].copy()
            ends[1, k] += step
            start, tip = self.flat(ends)
            axes.annotate('', tip, start, zorder=1, arrowprops={
                'arrowstyle': '-|>', 'color': QUIET, 'shrinkA': 0, 'shrinkB': 0})
            axes.annotate('xyz'[k], tip + 0.2 * (tip - start), fontsize=8, color=QUIET,
                          ha='center', va='center')
        axes.text(0.99, 0.01, f'floor grid {step:g} m', transform=axes.transAxes, fontsize=8,
                  ha='right', va='bottom', color=QUIET)

    def flat(self, points: Array) -> Array:
        """Project points of the root link's frame while that carries the view."""
        return self.view.project(points, {self.view.link: np.eye(4)})[:, :2]

    def ghost(self, axes: Axes, positions: Mapping[str, float]) -> None:
        """Draw a posture on the way of a sweep, pale."""
        poses = forward_kinematics(self.skeleton.robot, positions)
        lines = [self._seen((slide.start, slide.end), poses)[:, :2]
                 for slide in self.skeleton.slides]
        for body in self.skeleton.bodies:
            if body.pins and not (body.is_root and self.view.planar):
                lines += [line[:, :2] for line in outline(self._seen(body.pins, poses))]
        axes.add_collection(
            LineCollection(lines, colors=GHOST, linewidths=1.2, zorder=1.5), autolim=False)

    def posture(self, axes: Axes, positions: Mapping[str, float],
                closures: Mapping[str, ClosureStatus]) -> list[Label]:
        """
        Draw a posture.

        :param closures: how they stand, by name.
        :return: what may be labelled.
        """
        poses = forward_kinematics(self.skeleton.robot, positions)
        ground = self._draw_bodies(axes, poses)
        self._draw_slides(axes, poses)
        return [*self._draw_joints(axes, poses), *self._draw_closures(axes, poses, closures),
                *ground]

    def _seen(self, pins: Sequence[Any], poses: Mapping[str, Array]) -> Array:
        return self.view.project(np.array([pin.at(poses) for pin in pins]), poses)

    def _depth(self, points: Array) -> float:
        """Return where in the stack of drawn things points belong, from 2 (far) to 3 (near)."""
        low, high = self._low[2], self._high[2]
        return 2.5 if high - low < 1e-9 else 2.0 + float(
            np.clip((points[:, 2].mean() - low) / (high - low), 0.0, 1.0))

    def _draw_bodies(self, axes: Axes, poses: Mapping[str, Array]) -> list[Label]:
        ground: list[Label] = []
        for body in self.skeleton.bodies:
            if not body.pins:
                continue
            seen = self._seen(body.pins, poses)
            if body.is_root and self.view.planar:
                axes.plot(seen[:, 0], seen[:, 1], linestyle='', marker=GROUND,
                          markersize=2.8 * self.unit, markeredgecolor=BASE,
                          markerfacecolor='none', zorder=1.8)
                ground = [(place, '', 'ground') for place in seen]
                continue
            colour = BASE if body.is_root else LINK if body.on_loop else TREE
            for line in outline(seen):
                zorder = self._depth(line)
                if len(line) > 2:
                    axes.add_patch(Polygon(line[:, :2], facecolor=colour, alpha=0.18, linewidth=0,
                                           zorder=zorder))
                axes.plot(line[:, 0], line[:, 1], color=colour, linewidth=0.32 * self.unit,
                          solid_capstyle='round', solid_joinstyle='round', zorder=zorder)
        return ground

    def _draw_slides(self, axes: Axes, poses: Mapping[str, Array]) -> None:
        for slide in self.skeleton.slides:
            seen = self._seen((slide.start, slide.end), poses)
            zorder = self._depth(seen)
            if not slide.is_cylinder:
                axes.plot(seen[:, 0], seen[:, 1], color=LINK, linewidth=1.0,
                          linestyle=(0, (4, 2)), zorder=zorder)
                continue
            colour = COLOURS[slide.joint.role]
            axes.plot(seen[:, 0], seen[:, 1], color=colour, linewidth=0.25 * self.unit,
                      zorder=zorder)
            barrel = np.array([seen[0] + part * (seen[1] - seen[0]) for part in (0.15, 0.6)])
            for width, tone in ((0.95, colour), (0.6, 'white')):
                axes.plot(barrel[:, 0], barrel[:, 1], color=tone, linewidth=width * self.unit,
                          solid_capstyle='projecting', zorder=zorder + 0.001)

    def _draw_joints(self, axes: Axes, poses: Mapping[str, Array]) -> list[Label]:
        labels: list[Label] = []
        cylinders = [slide.joint for slide in self.skeleton.slides if slide.is_cylinder]
        for joint in self.skeleton.robot.moving_joints:
            role = joint.role
            centre = self.skeleton.centre(joint, poses)
            axis = self._axis(joint, poses)
            place = centre + axis if self.spherical else centre
            seen = self.view.project(np.array([place, centre - axis, centre + axis]), poses)
            zorder = self._depth(seen[:1]) + 1.0 + 0.1 * (role == 'passive')
            if joint not in cylinders:
                axes.plot(seen[1:, 0], seen[1:, 1], color=COLOURS[role], linewidth=1.3,
                          zorder=zorder - 0.05)
            axes.plot(seen[:1, 0], seen[:1, 1], linestyle='', marker=SYMBOLS[role],
                      markersize=SIZES[role] * self.unit, markeredgecolor=COLOURS[role],
                      markeredgewidth=1.4, zorder=zorder,
                      markerfacecolor='white' if role == 'passive' else COLOURS[role])
            labels.append((seen[0], joint.name, role))
        return labels

    def _draw_closures(self, axes: Axes, poses: Mapping[str, Array],
                       closures: Mapping[str, ClosureStatus]) -> list[Label]:
        labels: list[Label] = []
        for closure in self.skeleton.robot.closures:
            ends = self.view.project(np.array(
                [poses[frame][:3, 3] for frame in (closure.frame_a, closure.frame_b)]), poses)
            status = closures.get(closure.name)
            state = 'closed' if status is None else str(status.state)
            axes.plot(ends[:, 0], ends[:, 1], color=COLOURS[state], linestyle=':',
                      marker='o', markersize=1.5 * self.unit, markerfacecolor='none',
                      markeredgewidth=1.8, linewidth=2.0, zorder=4.2)
            text = closure.name
            if status is not None and state != 'closed':
                text += f' ({state}, gap {millimetres(status.gap)})'
            labels.append((ends.mean(axis=0), text, state))
        return labels


def _round_number(value: float) -> float:
    """Return the number 1, 2 or 5 times a power of ten that is next below."""
    value = max(value, 1e-3)
    power = 10.0 ** np.floor(np.log10(value))
    return float(power * max(k for k in (1, 2, 5) if k * power <= value * 1.0001))
