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

"""All that can be said about a robot description: its problems, its text, a solver for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
import shlex
import sys
from types import MappingProxyType

from .console import Console
from .joint_arguments import find_moving
from .problem_report import print_problems, summary
from ..exceptions import DescriptionError, Problem
from ..solver.closure_solver import ClosureSolver
from ..urdf.loader import read_text
from ..urdf.parser import parse
from ..urdf.xml_reader import decode


@dataclass(frozen=True, eq=False)
class CheckedModel:
    """
    A description and what was found out about it.

    :param name: of its file, for messages.
    :param text: as it was parsed, xacro expanded; '' where there is none.
    :param problems: of the text, then of the mechanism, in the order of their lines.
    :param solver: None if the description has errors.
    """

    name: str
    text: str
    problems: tuple[Problem, ...]
    solver: ClosureSolver | None


def check_model(path: str | Path, known_joints: Sequence[str] = (),
                mappings: Mapping[str, str] = MappingProxyType({}),
                home: Mapping[str, float] = MappingProxyType({})) -> CheckedModel:
    """
    Read a description and assemble its mechanism; what is wrong is in the result.

    :param path: URDF or xacro.
    :param mappings: arguments of a xacro.
    :param home: the pose to assemble from, where it is not zero, by joint, rad and m.
    :raises UsageError: if a known joint, or one of home, is not one that moves by itself.
    """
    path = Path(path)
    # The lines of a problem are those of what xacro wrote.
    shown = f'{path} (expanded)' if path.suffix == '.xacro' else str(path)
    text, problems = '', list[Problem]()
    solver = None
    try:
        raw = read_text(path, mappings)
        text = _decoded(raw)
        description = parse(raw)
        problems += description.problems
        for name in (*known_joints, *home):
            find_moving(description.robot, name)
        solver = ClosureSolver(description.robot, known_joints=known_joints, home=home)
        problems += solver.problems
    except DescriptionError as error:
        problems += error.problems
    return CheckedModel(
        shown if text else str(path), text,
        tuple(sorted(problems, key=lambda problem: problem.line)), solver)


def _decoded(raw: str | bytes) -> str:
    """Return the text to show lines of; nothing if it is not text, which parsing will tell."""
    try:
        return decode(raw)
    except DescriptionError:
        return ''


def solver_for(path: str | Path, known_joints: Sequence[str] = (),
               mappings: Mapping[str, str] = MappingProxyType({}),
               home: Mapping[str, float] = MappingProxyType({})) -> ClosureSolver | None:
    """
    Return a solver for a model; or say on stderr, for people, why there is none.

    :param mappings: arguments of a xacro.
    :param home: the pose to assemble from, where it is not zero, by joint, rad and m.
    :raises UsageError: if a known joint, or one of home, is not one that moves by itself.
    """
    model = check_model(path, known_joints, mappings, home)
    console = Console(sys.stderr)
    if model.solver is None:
        print_problems(console, model.name, model.problems, model.text)
    elif model.problems:
        console.write(f'{console.paint(model.name, "bold")}: {summary(model.problems)}; '
                      f'riod_urdf check {shlex.quote(str(path))} tells them')
    return model.solver
