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

"""The three-dimensional part of the page: links, sticks, joints and closures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
import math

import numpy as np
from numpy.typing import NDArray
import trimesh
import viser
from viser.transforms import SO3

from .visuals import Visual
from ..colours import BASE, GHOST, LINK, rgb, ROLES, STATES, TREE
from ..plotting.outline import outline
from ..plotting.skeleton import Skeleton
from ..plotting.viewpoint import Viewpoint
from ..robot.kinematics import forward_kinematics
from ..robot.model import Robot
from ..robot.transforms import Array
from ..solver.tolerances import ClosureStatus
from ..wording import millimetres

# Labels of more closures than these hide the robot; then only the bad ones are written.
_LABELS = 8


class Scene:
    """
    One robot in the page.

    :param visuals: of its links; without any, sticks are shown instead.
    :param home: positions of all joints, for the size of things, rad and m.
    """

    def __init__(self, server: viser.ViserServer, robot: Robot, visuals: Sequence[Visual],
                 home: Mapping[str, float]) -> None:
        """Put everything into the page, at no particular posture yet."""
        self._server, self._robot = server, robot
        view = Viewpoint(robot, home)
        self._skeleton = Skeleton(robot, home, view.normal)
        server.scene.reset()
        server.scene.set_up_direction('+z')
        points = self._extent(forward_kinematics(robot, home), visuals)
        low, high = points.min(axis=0), points.max(axis=0)
        self._size = float(np.linalg.norm(high - low)) or 1.0
        self._links = {
            link: server.scene.add_frame(f'/links/{i}', show_axes=False)
            for i, link in enumerate(robot.links)}
        for i, visual in enumerate(visuals):
            self._add(f'{self._links[visual.link].name}/{i}', visual)
        grid = 10.0 ** np.floor(np.log10(self._size))
        server.scene.add_grid(
            '/floor', width=8.0 * grid, height=8.0 * grid, cell_size=0.1 * grid,
            section_size=grid, position=(0.0, 0.0, float(low[2])), fade_distance=20.0 * grid,
            shadow_opacity=0.2)
        none = np.zeros((0, 2, 3))
        width = 0.008 * self._size
        self._sticks = server.scene.add_line_segments(
            '/sticks', none, rgb(LINK), thickness=width)
        self._joints = server.scene.add_point_cloud(
            '/joints', np.zeros((0, 3)), rgb(LINK), point_size=2.0 * width, point_shape='circle',
            precision='float32')
        self._gaps = server.scene.add_line_segments(
            '/closures', none, rgb(LINK), thickness=0.5 * width)
        self._ghosts = server.scene.add_line_segments(
            '/ghosts', none, rgb(GHOST), thickness=width, visible=False)
        self._labels = [server.scene.add_label(
            f'/labels/{i}', '', anchor='bottom-left', font_screen_scale=0.8)
            for i in range(len(robot.closures))]
        self.show_sticks(not visuals)
        self._look(view, 0.5 * (low + high))

    def _extent(self, poses: Mapping[str, Array], visuals: Sequence[Visual]) -> Array:
        """Return points that the robot is between at home, shape (k, 3), m."""
        points = [pose[None, :3, 3] for pose in poses.values()]
        for visual in visuals:
            T = poses[visual.link] @ visual.T_link_visual
            points += [trimesh.transform_points(mesh.bounds, T) for mesh in visual.meshes]
        return np.vstack(points)

    def _add(self, name: str, visual: Visual) -> None:
        T = visual.T_link_visual
        for k, mesh in enumerate(visual.meshes):
            self._server.scene.add_mesh_trimesh(
                f'{name}/{k}', mesh, wxyz=SO3.from_matrix(T[:3, :3]).wxyz, position=T[:3, 3])

    def _look(self, view: Viewpoint, centre: Array) -> None:
        """Look from where a picture would be drawn, a little from above and aside."""
        right, up, towards = view.rotation
        aside = towards + 0.45 * up + 0.35 * right if view.planar else towards
        camera = self._server.initial_camera
        camera.fov = math.radians(40.0)
        camera.position = centre + 1.5 * self._size * aside / np.linalg.norm(aside)
        camera.look_at = centre
        camera.near, camera.far = 1e-3 * self._size, 1e3 * self._size

    def show_sticks(self, shown: bool) -> None:
        """Show the robot as sticks with its joints marked, as in a picture."""
        self._sticks.visible = self._joints.visible = shown

    def show(self, positions: Mapping[str, float], closures: Mapping[str, ClosureStatus]) -> None:
        """
        Show a posture.

        :param positions: of all joints, rad and m.
        :param closures: how they stand, by name; others are not drawn.
        """
        poses = forward_kinematics(self._robot, positions)
        with self._server.atomic():
            for link, frame in self._links.items():
                frame.wxyz = SO3.from_matrix(poses[link][:3, :3]).wxyz
                frame.position = poses[link][:3, 3]
            self._show_sticks(poses)
            self._show_closures(poses, closures)

    def show_ghosts(self, postures: Sequence[Mapping[str, float]]) -> None:
        """Show other postures as pale sticks, in place of those before; rad and m."""
        lines = [line for positions in postures
                 for line, _ in self._lines(forward_kinematics(self._robot, positions))]
        self._ghosts.visible = bool(lines)
        _set(self._ghosts, lines, [GHOST] * len(lines))

    def _lines(self, poses: Mapping[str, Array]) -> Iterator[tuple[Array, str]]:
        """Return the sticks with their colours."""
        for body in filter(lambda body: body.pins, self._skeleton.bodies):
            colour = BASE if body.is_root else LINK if body.on_loop else TREE
            for line in outline(np.array([pin.at(poses) for pin in body.pins])):
                for k in range(len(line) - 1):
                    yield line[k:k + 2], colour
        for slide in self._skeleton.slides:
            yield (np.array([slide.start.at(poses), slide.end.at(poses)]),
                   ROLES[slide.joint.role] if slide.is_cylinder else LINK)

    def _show_sticks(self, poses: Mapping[str, Array]) -> None:
        drawn = list(self._lines(poses))
        _set(self._sticks, [line for line, _ in drawn], [colour for _, colour in drawn])
        joints = self._robot.moving_joints
        if joints:
            self._joints.points = np.array(
                [self._skeleton.centre(joint, poses) for joint in joints], np.float32)
            self._joints.colors = np.array([rgb(ROLES[joint.role]) for joint in joints], np.uint8)

    def _show_closures(self, poses: Mapping[str, Array],
                       closures: Mapping[str, ClosureStatus]) -> None:
        """Draw both frames of each closure and the gap between them, as RViz has it."""
        lines, colours = list[Array](), list[str]()
        few = len(self._labels) <= _LABELS
        for label, closure in zip(self._labels, self._robot.closures, strict=True):
            status = closures.get(closure.name)
            label.visible = status is not None and (few or status.state != 'closed')
            if status is None:
                continue
            ends = [poses[frame] for frame in (closure.frame_a, closure.frame_b)]
            for T in ends:
                for axis, colour in enumerate(('#FF0000', '#00FF00', '#0000FF')):
                    lines.append(np.array([T[:3, 3],
                                           T[:3, 3] + 0.04 * self._size * T[:3, axis]]))
                    colours.append(colour)
            lines.append(np.array([T[:3, 3] for T in ends]))
            colours.append(STATES[status.state])
            label.position = 0.5 * (ends[0][:3, 3] + ends[1][:3, 3])
            label.text = f'{closure.name}: {status.state}, gap {millimetres(status.gap)}'
        _set(self._gaps, lines, colours)


def _set(segments: viser.LineSegmentsHandle, lines: Sequence[Array], colours: Sequence[str],
         ) -> None:
    """Draw other lines, each in one colour."""
    if lines:
        segments.points = np.array(lines, np.float32)
        both: NDArray[np.uint8] = np.array([[rgb(colour)] * 2 for colour in colours], np.uint8)
        segments.colors = both
