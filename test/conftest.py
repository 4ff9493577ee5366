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

"""Makes this folder the one that test files find ``support`` in, and their order no matter."""

from contextlib import suppress
from importlib import import_module
from pkgutil import walk_packages

import riod_urdf_ros

# Now and then Hypothesis draws a constant from those modules of ours that are imported. All are,
# so that what a test is given does not depend on which others are collected.
for module in walk_packages(riod_urdf_ros.__path__, 'riod_urdf_ros.'):
    with suppress(ModuleNotFoundError):
        import_module(module.name)
