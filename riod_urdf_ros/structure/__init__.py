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
What the closures do to the joints, found by ranks before any solving.

In: a robot, the joints that are known, home. Out: the structure report and an order of solving.

* Every moving joint without mimic is either independent or dependent.
* Loop groups share no dependent joint.
* The blocks of a group are solved in order: the unknown joints of one are known to those after.
* Home is a configuration in which the closures hold as well as they can.
"""
