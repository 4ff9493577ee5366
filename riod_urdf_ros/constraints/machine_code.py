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


"""LLVM's text as machine code, by llvmlite where that is installed, and its way to Python."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
import ctypes
from importlib.util import find_spec
from threading import Lock, main_thread, Thread
from typing import Any
import warnings

AVAILABLE = find_spec('llvmlite') is not None
"""Whether there is a compiler."""

# Without optimisation code is compiled in a fifth of the time and takes twice as long to run;
# more than this gains nothing.
_OPTIMISATION = 1

_lock = Lock()
_compiled: dict[str, tuple[Any, int]] = {}


def compiled(source: str, name: str) -> int:
    """
    Compile LLVM IR; equal text once in a process.

    :return: address of a function, valid as long as the process lives.
    """
    with _lock:
        if source not in _compiled:
            import llvmlite.binding as llvm
            llvm.initialize_native_target()
            llvm.initialize_native_asmprinter()
            machine = llvm.Target.from_default_triple().create_target_machine(
                opt=_OPTIMISATION, cpu=llvm.get_host_cpu_name(),
                features=llvm.get_host_cpu_features().flatten())
            engine = llvm.create_mcjit_compiler(llvm.parse_assembly(source), machine)
            engine.finalize_object()
            _compiled[source] = engine, engine.get_function_address(name)
        return _compiled[source][1]


class _Method(ctypes.Structure):
    """PyMethodDef."""

    _fields_ = (('name', ctypes.c_char_p), ('function', ctypes.c_void_p),
                ('flags', ctypes.c_int), ('doc', ctypes.c_char_p))


_FASTCALL = 0x80
_methods: dict[int, _Method] = {}  # Python reads them for as long as there is a function


def builtin(address: int, data: int) -> Any:
    """
    Return a machine function as a Python function.

    Through ``ctypes`` alone the call and the copies of its arguments would cost three times as
    much: such a function reads and writes Python's lists itself.

    :param address: of ``PyObject *f(PyObject *self, PyObject *const *args, Py_ssize_t count)``.
    :param data: what self is, as a Python int.
    """
    new = ctypes.pythonapi.PyCFunction_NewEx
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.POINTER(_Method), ctypes.py_object, ctypes.c_void_p]
    method = _methods.setdefault(address, _Method(b'kernel', address, _FASTCALL, None))
    return new(ctypes.byref(method), data, None)


class Workshop:
    """A thread that compiles one thing after the other; nothing waits for it but the exit."""

    def __init__(self) -> None:
        """Start no thread yet."""
        self._jobs: deque[Callable[[], None]] = deque()
        self._lock = Lock()
        self._thread: Thread | None = None

    def add(self, job: Callable[[], None]) -> None:
        """Run a job when those before it are done; it may fail, which is warned of."""
        with self._lock:
            self._jobs.append(job)
            if self._thread is None:
                # No daemon: Python must not end in the middle of LLVM.
                self._thread = Thread(target=self._work, name='riod_urdf_ros compiler')
                self._thread.start()

    def wait(self) -> None:
        """Wait until all that has been added is done."""
        thread = self._thread
        if thread is not None:
            thread.join()

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._jobs or not main_thread().is_alive():
                    self._jobs.clear()
                    self._thread = None
                    return
                job = self._jobs.popleft()
            try:
                job()
            except Exception as error:  # noqa: BLE001 - all works without it, if slower
                warnings.warn(f'no machine code ({error}); going on in Python', RuntimeWarning,
                              stacklevel=1)


WORKSHOP = Workshop()
