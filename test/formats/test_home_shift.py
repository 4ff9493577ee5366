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

"""Another zero of the same mechanism."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from riod_urdf_ros.exceptions import UsageError
from riod_urdf_ros.formats.conversion import convert
from riod_urdf_ros.robot.kinematics import forward_kinematics
from riod_urdf_ros.robot.model import Robot
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from riod_urdf_ros.urdf.parser import parse
from support.conversions import converted, robot_of
from support.robots import C, D, FOUR_BAR, four_bar, four_bar_angles, hinge, robot, rotated, tip

LIMITED = robot(
    'limited', four_bar(),
    hinge('arm', 'base', 'arm_link', (0.0, 0.0), '<limit lower="-1" upper="2" effort="1" '
          'velocity="1"/><safety_controller k_velocity="1" soft_lower_limit="-0.5" '
          'soft_upper_limit="1.5"/>', 'revolute'),
    hinge('slide', 'arm_link', 'slide_link', (0.5, 0.0), '<limit upper="2" effort="1" '
          'velocity="1"/>', 'prismatic'),
    hinge('finger', 'arm_link', 'finger_link', (0.5, 0.0),
          '<mimic joint="arm" multiplier="-2" offset="0.1"/>'))


def shifted(text: str, folder: Path, *home: str) -> Robot:
    (folder / 'in.urdf').write_text(text)
    return robot_of(convert(folder / 'in.urdf', folder / 'out.urdf', home=home))


def test_links_are_where_they_were(tmp_path: Path) -> None:
    before, pose = parse(LIMITED).robot, {'arm': 0.4, 'slide': 0.3, 'crank': 0.5}
    after = shifted(LIMITED, tmp_path, 'arm=0.4', 'slide=0.3', 'crank=0.5')
    home = dict(zip(('coupler', 'rocker'), four_bar_angles(0.5))) | pose
    rng = np.random.default_rng(1)
    for _ in range(5):
        moved = {name: float(rng.uniform(-1, 1)) for name in home}
        old = forward_kinematics(before, {name: home[name] + moved[name] for name in home})
        new = forward_kinematics(after, moved)
        assert max(float(np.abs(old[link] - new[link]).max()) for link in old) < 1e-9
    assert max(float(np.linalg.norm(gap)) for gap in [
        after.undisplaced['coupler_tip'][:3, 3] - after.undisplaced['rocker_tip'][:3, 3]]) < 1e-9


def test_limits_and_offsets_are_shifted(tmp_path: Path) -> None:
    after = shifted(LIMITED, tmp_path, 'arm=0.4', 'slide=0.3')
    assert after.by_name['arm'].limits == pytest.approx((-1.4, 1.6))
    assert after.by_name['slide'].limits == pytest.approx((-0.3, 1.7))  # 0 where none is written
    mimic = after.by_name['finger'].mimic
    assert mimic is not None
    assert mimic.offset == pytest.approx(0.0, abs=1e-12)
    done = convert(tmp_path / 'in.urdf', tmp_path / 'out.urdf', home=['arm=0.4'])
    assert 'soft_lower_limit="-0.9"' in done.text
    assert any('where before they were at arm=0.4' in r.message for r in done.remarks)


def test_the_new_zero_is_in_the_same_assembly(tmp_path: Path) -> None:
    after = shifted(FOUR_BAR, tmp_path, 'crank=2.5')
    coupler, rocker = four_bar_angles(2.5)
    end = after.undisplaced['rocker_tip'][:3, 3]
    x, y = rotated(C[0] - D[0], C[1] - D[1], rocker)
    assert end == pytest.approx([D[0] + x, D[1] + y, 0.0], abs=1e-9)
    angle = np.arctan2(*after.undisplaced['coupler_link'][[1, 0], 0])
    assert angle == pytest.approx(2.5 + coupler - 2 * np.pi * round((2.5 + coupler) / (2 * np.pi)))


def test_a_file_that_is_open_at_zero_is_closed(tmp_path: Path) -> None:
    # Only the rocker is drawn 0.2 rad on; the crank is held where it is.
    text = robot('open', hinge('crank', 'base', 'crank_link', (0.0, 0.0)),
                 FOUR_BAR[FOUR_BAR.index('<link name="coupler_link"/>'):
                          FOUR_BAR.index('<link name="rocker_link"/>')],
                 hinge('rocker', 'base', 'rocker_link', D, '<riod:actuated value="false"/>'),
                 tip('rocker_tip', 'rocker_link', rotated(C[0] - D[0], C[1] - D[1], 0.2)),
                 '<riod:loop_closure name="pin" frameA="coupler_tip" frameB="rocker_tip"/>')
    after = shifted(text, tmp_path, 'assembled')
    assert ClosureSolver(after).problems == ()
    ends = [after.undisplaced[link][:3, 3] for link in ('coupler_tip', 'rocker_tip')]
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)
    assert ends[0] == pytest.approx([*C, 0.0], abs=1e-9)


@pytest.mark.parametrize(('home', 'message'), [
    (['crank'], 'is not NAME=VALUE; write these, or assembled'),
    (['crank=nan'], 'is not NAME=VALUE'), (['crnk=1'], 'crnk'),
    (['crank=0.1', 'assembled'], 'is not NAME=VALUE')])
def test_what_is_no_pose_is_usage(home: list[str], message: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=message):
        shifted(FOUR_BAR, tmp_path, *home)


def test_a_keyframe_is_a_pose(tmp_path: Path) -> None:
    pytest.importorskip('mujoco')
    text = """<mujoco><worldbody><body name="a"><joint name="j" ref="30"/><geom size="1"/></body>
      </worldbody><keyframe><key name="bent" qpos="1"/></keyframe></mujoco>"""
    (tmp_path / 'in.xml').write_text(text)
    done = convert(tmp_path / 'in.xml', tmp_path / 'out.urdf', home=['bent'])
    R = robot_of(done).undisplaced['a'][:3, :3]
    assert np.arctan2(R[1, 0], R[0, 0]) == pytest.approx(1.0 - np.radians(30.0))


def test_a_keyframe_turns_balls_too(tmp_path: Path) -> None:
    mujoco = pytest.importorskip('mujoco')
    text = """<mujoco><worldbody>
      <body name="a"><joint name="j" type="ball"/><geom size="1"/></body>
      </worldbody><keyframe><key name="bent" qpos="0.9 0.1 -0.3 0.2"/></keyframe></mujoco>"""
    (tmp_path / 'in.xml').write_text(text)
    done = convert(tmp_path / 'in.xml', tmp_path / 'out.urdf', home=['bent'])
    m = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(m)
    data.qpos[:] = m.key_qpos[0]
    mujoco.mj_kinematics(m, data)
    assert robot_of(done).undisplaced['a'][:3, :3] == pytest.approx(
        data.xmat[1].reshape(3, 3), abs=1e-12)


def test_nothing_to_move_is_told(tmp_path: Path) -> None:
    converted(FOUR_BAR, tmp_path)
    done = convert(tmp_path / 'in.urdf', tmp_path / 'out.urdf', home=['assembled'])
    assert any(remark.message == 'no joint had to be moved' for remark in done.remarks)
