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
Residual and Jacobian of loop closures: recorded once, compiled to straight-line code.

In: a robot and some of its closures. Out: functions of a configuration vector.

* Rows are scaled: lengths in characteristic lengths of the loop, angles in radians.
* Only joints between the lowest common ancestor and the two frames of a closure occur.
* Rows are never dropped because they are redundant, only because nothing can change them.
* Generated text holds numbers and our own names, never a name of the description.
"""
