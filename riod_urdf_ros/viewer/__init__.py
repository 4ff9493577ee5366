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
A mechanism in the browser, moved by hand; the only user of viser.

In: a model file. Out: a page with the robot, a slider for each known joint, and what the closures
say about it.

* The page needs nothing but this machine: no other host is asked.
* A description that cannot be used never takes the page down: the robot before it stays.
* All clients of one page see, and move, the same mechanism.
"""

from __future__ import annotations

from .viewer import Viewer

__all__ = ['Viewer']
