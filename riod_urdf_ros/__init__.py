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
Closed kinematic loops in URDF: reading the RioD extensions and solving the loop closures.

``load`` or ``parse`` a description, give its robot to a ``ClosureSolver``. No ROS is needed.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, TYPE_CHECKING

if TYPE_CHECKING:
    from .exceptions import DescriptionError, Problem, RiodUrdfError, UsageError
    from .loader import load
    from .parser import Description, parse
    from .solver import ClosureSolver

_MODULES = {
    'ClosureSolver': 'solver',
    'Description': 'parser',
    'DescriptionError': 'exceptions',
    'Problem': 'exceptions',
    'RiodUrdfError': 'exceptions',
    'UsageError': 'exceptions',
    'load': 'loader',
    'parse': 'parser',
}

__all__ = [
    'ClosureSolver', 'Description', 'DescriptionError', 'Problem', 'RiodUrdfError', 'UsageError',
    'load', 'parse']


def __getattr__(name: str) -> Any:
    # At the first use, so that one part of the package does not load the libraries of all.
    if name not in _MODULES:
        raise AttributeError(f'module {__name__} has no attribute {name!r}')
    return getattr(import_module(f'.{_MODULES[name]}', __name__), name)
