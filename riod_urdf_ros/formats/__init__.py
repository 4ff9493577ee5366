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
Other descriptions of mechanisms with closed loops, in and out.

The hub is URDF with the two elements of the RioD extensions: every reader makes one, every
writer takes one. In: MJCF, SDF, the dialects of URDF that write loops in their own way, and the
files that stand beside a URDF. Out: URDF, MJCF, SDF.

* Positions of joints mean the same before and after, unless a remark says otherwise.
* What is left out is remarked with its line and the consequence; nothing is left out in silence.
* No file is read but the input, what it names below its own folder, and meshes of packages.
"""
