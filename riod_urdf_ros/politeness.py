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

"""How a command of ours ends when its streams fail or a person interrupts it: without a fuss."""

from __future__ import annotations

from collections.abc import Callable
import errno
import os
import sys

# What a shell reports of a program that was ended by these signals.
INTERRUPTED, PIPE_CLOSED = 130, 141
# What writing to a full, broken or vanished place fails with.
_UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)


def politely(program: str, command: Callable[[], int]) -> int:
    """
    Run a command whose streams may be closed, full or broken.

    :param program: named in the one line that says what is wrong.
    :return: its exit status; 1 if its output cannot be written.
    """
    # Closed from the start, they are None.
    sys.stdin = sys.stdin or open(os.devnull, encoding='utf-8')
    sys.stdout = sys.stdout or open(os.devnull, 'w', encoding='utf-8')
    sys.stderr = sys.stderr or open(os.devnull, 'w', encoding='utf-8')
    try:
        try:
            return command()
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _let_go_of_output()
        return PIPE_CLOSED
    except OSError as error:
        if error.errno not in _UNWRITABLE or error.filename is not None:
            raise
        _let_go_of_output()
        print(f'{program}: the output cannot be written: {error.strerror}', file=sys.stderr)
        return 1


def _let_go_of_output() -> None:
    """Let Python's own last flush succeed, of whatever is still to be written."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError:  # no file at all
        sys.stdout = open(os.devnull, 'w', encoding='utf-8')
