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

"""Names as they are: matplotlib would set what stands between dollars as mathematics."""

from __future__ import annotations

from ..wording import printable


def plain(text: str) -> str:
    """Return a text that matplotlib writes as it is."""
    return '\n'.join(printable(line) for line in text.split('\n')).replace('$', r'\$')
