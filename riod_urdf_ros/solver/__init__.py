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
From the independent joints to all others, in the assembly mode of home.

In: positions of the independent joints, one state or many. Out: solutions that can be judged.

* A configuration vector of a group is its independent joints, then its dependent ones.
* Groups share no dependent joint, so each is followed, held and reported by itself.
* The last followed configuration is closed and regular; every path starts from there.
* What a caller gets is a copy, or cannot be changed.
"""
