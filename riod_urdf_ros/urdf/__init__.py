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
From the text of a description to a robot, every problem with its line.

In: URDF or xacro, as text, bytes or a file. Out: a :class:`~riod_urdf_ros.robot.model.Robot`.

* The text is parsed once, without DTD, entities, network or unbounded size.
* All problems are found in one go; nothing but a ``DescriptionError`` is raised for bad text.
* A robot that comes out of here satisfies what :mod:`riod_urdf_ros.robot` promises.
"""
