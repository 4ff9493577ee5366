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

"""Work that takes seconds, beside work that must not wait for it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Lock, Thread
from typing import Generic, TypeVar

Outcome = TypeVar('Outcome')


class Background(Generic[Outcome]):
    """
    Reads texts in a thread, one at a time; of those that have to wait the newest only.

    :param read: turns a text into an outcome; must not raise.
    :param ready: called in that thread when there is an outcome to take.
    """

    def __init__(self, read: Callable[[str], Outcome], ready: Callable[[], None]) -> None:
        """Start with nothing to do."""
        self._read, self._ready = read, ready
        self._lock = Lock()
        self._next: str | None = None
        self._busy = False
        self._outcomes: deque[tuple[str, Outcome]] = deque()

    @property
    def idle(self) -> bool:
        """Whether nothing is being read and no outcome waits."""
        with self._lock:
            return not self._busy and not self._outcomes

    def submit(self, text: str) -> None:
        """Have a text read, in place of one that still waits."""
        with self._lock:
            self._next = text
            if self._busy:
                return
            self._busy = True
        # A process that is told to end does not wait for it.
        Thread(target=self._work, name='reading', daemon=True).start()

    def take(self) -> tuple[str, Outcome] | None:
        """Return the oldest outcome and its text, if there is one."""
        with self._lock:
            return self._outcomes.popleft() if self._outcomes else None

    def _work(self) -> None:
        while True:
            with self._lock:
                text, self._next = self._next, None
                if text is None:
                    self._busy = False
                    return
            outcome = self._read(text)
            with self._lock:
                self._outcomes.append((text, outcome))
            self._ready()
