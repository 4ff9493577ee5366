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

"""A node from its start to its end: interrupts, and whatever the middleware throws."""

from __future__ import annotations

from collections.abc import Callable, Sequence
import gc
import signal
from time import monotonic, sleep

import rclpy
from rclpy.exceptions import ParameterException
from rclpy.executors import SingleThreadedExecutor
from rclpy.logging import get_logger
from rclpy.node import Node

from .interrupt import leave_on_interrupt
from ..exceptions import UsageError
from ..wording import printable

# After a fault of the middleware: it may come again at once.
_PAUSE_SECONDS = 0.01
_AGAIN_SECONDS = 10.0


def run(make_node: Callable[[], Node], name: str, args: Sequence[str] | None) -> int:
    """
    Run a node until it is interrupted.

    :param make_node: called when everything is ready.
    :param name: for words about its start.
    :param args: of the command line; those of the process if None.
    :return: exit status: 0, or 1 if the node cannot work as it was told to.
    """
    loaded = leave_on_interrupt()
    rclpy.init(args=None if args is None else list(args))
    loaded()
    try:
        # First, because in jazzy an executor that is interrupted while it is made complains later.
        executor = SingleThreadedExecutor()
        node = make_node()
        executor.add_node(node)
        # All that was imported stays: no collection has to go through it, for 30 ms, in a message.
        gc.freeze()
        try:
            _spin(executor, node)
        finally:
            node.destroy_node()
    except (ParameterException, UsageError) as error:
        get_logger(name).fatal(printable(str(error)))
        return 1
    except Exception:  # noqa: BLE001
        # Whatever rclpy was doing when it was shut down: waiting, publishing, starting.
        if rclpy.ok():
            raise
    finally:
        rclpy.try_shutdown()
        # An interrupt that comes now, the second one perhaps, has nothing left to do; Python
        # would hand it back to the system, which would kill the process in its last moments.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return 0


def _spin(executor: SingleThreadedExecutor, node: Node) -> None:
    """Work until the end; a request that rclpy itself cannot digest costs that request only."""
    told = -_AGAIN_SECONDS
    while rclpy.ok():
        try:
            executor.spin()
        except Exception as error:  # noqa: BLE001
            if not rclpy.ok():
                return
            if monotonic() - told > _AGAIN_SECONDS:
                told = monotonic()
                node.get_logger().error(printable(
                    f'the middleware failed, the node goes on: {type(error).__name__}: {error}'))
            sleep(_PAUSE_SECONDS)
