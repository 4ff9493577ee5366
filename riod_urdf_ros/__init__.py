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
    from .formats.conversion import Conversion, convert
    from .formats.pinocchio_constraints import pinocchio_constraints
    from .formats.placo_tasks import placo_tasks
    from .formats.urdf_document import Remark
    from .robot.model import Joint, LoopClosure, Robot
    from .solver.assembly_modes import AssemblyMode
    from .solver.batch import BatchSolution
    from .solver.closure_solver import ClosureSolver
    from .solver.differential import Jacobian
    from .solver.reaching import Reach, Target
    from .solver.solution import Solution
    from .solver.tolerances import ClosureStatus
    from .structure.mobility import Structure
    from .urdf.loader import load
    from .urdf.parser import Description, parse

_MODULES = {
    'AssemblyMode': 'solver.assembly_modes',
    'BatchSolution': 'solver.batch',
    'ClosureSolver': 'solver.closure_solver',
    'ClosureStatus': 'solver.tolerances',
    'Conversion': 'formats.conversion',
    'Description': 'urdf.parser',
    'DescriptionError': 'exceptions',
    'Jacobian': 'solver.differential',
    'Joint': 'robot.model',
    'LoopClosure': 'robot.model',
    'Problem': 'exceptions',
    'Reach': 'solver.reaching',
    'Remark': 'formats.urdf_document',
    'RiodUrdfError': 'exceptions',
    'Robot': 'robot.model',
    'Solution': 'solver.solution',
    'Structure': 'structure.mobility',
    'Target': 'solver.reaching',
    'UsageError': 'exceptions',
    'convert': 'formats.conversion',
    'load': 'urdf.loader',
    'parse': 'urdf.parser',
    'pinocchio_constraints': 'formats.pinocchio_constraints',
    'placo_tasks': 'formats.placo_tasks',
}

__all__ = [
    'AssemblyMode',
    'BatchSolution',
    'ClosureSolver',
    'ClosureStatus',
    'Conversion',
    'Description',
    'DescriptionError',
    'Jacobian',
    'Joint',
    'LoopClosure',
    'Problem',
    'Reach',
    'Remark',
    'RiodUrdfError',
    'Robot',
    'Solution',
    'Structure',
    'Target',
    'UsageError',
    'convert',
    'load',
    'parse',
    'pinocchio_constraints',
    'placo_tasks',
]


def __getattr__(name: str) -> Any:
    # At the first use, so that one part of the package does not load the libraries of all.
    if name not in _MODULES:
        raise AttributeError(f'module {__name__} has no attribute {name!r}')
    return getattr(import_module(f'.{_MODULES[name]}', __name__), name)
