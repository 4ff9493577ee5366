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

"""Mechanisms in MJCF, written for these tests."""

from __future__ import annotations

FOUR_BAR = """
<mujoco model="four bar">
  <worldbody>
    <body name="base">
      <body name="crank" pos="0 0 0.1"><joint name="motor" axis="0 0 1" range="-90 90"/>
        <geom type="capsule" size="0.01" fromto="0 0 0 0.2 0.25 0"/>
        <body name="coupler" pos="0.2 0.25 0"><joint name="pin" axis="0 0 1" damping="0.1"/>
          <geom type="box" size="0.1 0.02 0.01" pos="0.2 0.2 0" euler="0 0 39"/>
          <site name="coupler_end" pos="0.55 0.45 0"/></body></body>
      <body name="rocker" pos="1 0 0.1"><joint name="pivot" axis="0 0 1" stiffness="2"/>
        <inertial mass="0.3" pos="-0.1 0.3 0" diaginertia="0.01 0.02 0.025"/>
        <site name="rocker_end" pos="-0.25 0.7 0"/></body></body>
  </worldbody>
  <equality><connect name="cut" site1="coupler_end" site2="rocker_end"/></equality>
  <actuator><position name="drive" joint="motor" forcerange="-3 3"/></actuator>
  <keyframe><key name="bent" qpos="0.1 0.2 0.3"/></keyframe>
</mujoco>"""
# Anchors off the body's frame, two joints in a body, a ref, a ball, quaternions, a free root.
ODD = """
<mujoco model="odd">
  <compiler angle="radian"/>
  <worldbody>
    <body name="hull" pos="1 2 3" quat="0.7 0.1 -0.3 0.2"><freejoint/><geom size="0.1"/>
      <body name="arm" pos="0.1 0.2 0.3" quat="0.9 0.2 0.1 0.4">
        <joint name="swing" pos="0.05 -0.1 0.02" axis="1 2 3" ref="0.4"/>
        <joint name="slip" type="slide" pos="0.3 0.1 0.1" axis="0 1 1" ref="-0.2"
               range="-1 1"/>
        <joint name="twist" pos="-0.1 0.07 0.03" axis="0 1 0"/>
        <geom type="cylinder" size="0.05 0.2"/>
        <body name="hand" pos="0.3 0 0" euler="0.3 0.2 0.1">
          <joint name="wrist" type="ball" pos="0.02 0.03 0.04"/>
          <geom type="ellipsoid" size="0.1 0.2 0.3"/></body></body>
      <body name="wheel" pos="0 0.4 0"><joint name="roll" axis="1 0 0"/><geom size="0.1"/></body>
      <body name="gear" pos="0 -0.4 0"><joint name="idle" axis="1 0 0" ref="0.3"/>
        <geom size="0.1"/></body></body>
  </worldbody>
  <equality><joint joint1="idle" joint2="roll" polycoef="0.1 -2 0 0 0"/></equality>
  <actuator><motor joint="swing"/><motor joint="slip"/><motor joint="twist"/>
    <motor joint="roll"/></actuator>
</mujoco>"""
# A spatial loop closed by a weld in the form of bodies, and a gripper driven through a tendon.
WELD = """
<mujoco model="weld">
  <compiler angle="radian"/>
  <worldbody>
    <body name="a" pos="0 0 0"><joint name="j1" axis="0 0 1"/><geom size="0.05"/>
      <body name="b" pos="0.3 0 0" quat="1 0.2 0.1 0"><joint name="j2" axis="0 1 0"/>
        <geom size="0.05"/>
        <body name="c" pos="0.3 0 0.1"><joint name="j3" type="ball"/><geom size="0.05"/></body>
      </body></body>
    <body name="d" pos="0 0.5 0"><joint name="j4" axis="1 0 0"/><geom size="0.05"/>
      <body name="e" pos="0.2 0 0"><joint name="j5" axis="0 0 1"/><geom size="0.05"/>
        <body name="f" pos="0.2 0 0"><joint name="j6" type="slide" axis="1 0 0"/>
          <geom size="0.05"/></body></body></body>
  </worldbody>
  <equality>
    <weld name="grip" body1="c" body2="f" anchor="0.01 0.02 0.03"/>
  </equality>
  <actuator><motor joint="j1"/><motor joint="j2"/></actuator>
</mujoco>"""
