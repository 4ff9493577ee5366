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
The robot as data: spanning tree, loop closures, poses, closure errors.

In: nothing but numbers and names. Out: immutable objects that every other room reads.

* A robot is checked: one root, no cycle, every name resolved, no mimic cycle.
* Joints are in document order, and that is the order of every output.
* Role, unit and limits of a joint, rows of a closure, size of a robot, the error of a closure and
  the order of its states are defined here, and nowhere again.
* ``T_a_b`` is the pose of b in a; lengths are in metres, angles in radians.
"""
