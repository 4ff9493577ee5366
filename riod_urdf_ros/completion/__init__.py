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
Joint states made complete, and what there is to report of that; no ROS.

In: names and values as they come, from any number of sources. Out: complete states, statuses.

* A joint never heard of is left out with the groups that need it, never made up.
* A bad message changes nothing but a counter; a bad description leaves the robot in use.
"""
