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
Recorded bags, completed as the node completes what it hears; no ROS, the only user of rosbags.

In: a ROS 1 or ROS 2 bag. Out: another one of the same kind, with complete joint states beside
everything that was in it, and how long each loop was not closed.

* What is collected and solved is decided by :mod:`riod_urdf_ros.completion`, as in the node.
* Messages are read and written one by one: memory does not grow with a bag's length.
"""
