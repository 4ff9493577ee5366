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

"""An interrupt ends a node without a word, even while it still loads."""

from __future__ import annotations

from collections.abc import Callable
import os
import signal


def leave_on_interrupt() -> Callable[[], None]:
    """
    Let an interrupt end the process at once, with exit status 0: nothing is at work yet.

    :return: to be called as soon as rclpy handles interrupts. Its handler calls the one before,
        too; Python's own would raise in the middle of anything.
    """
    loading = True

    def interrupted(*_: object) -> None:
        if loading:
            # An exception would come out of whatever is imported, or be lost in there.
            os._exit(0)

    def loaded() -> None:
        nonlocal loading
        loading = False

    signal.signal(signal.SIGINT, interrupted)
    # Whoever starts us may have held it back until now.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    return loaded
