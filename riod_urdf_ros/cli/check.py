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

"""``riod_urdf check``: every problem of a description, and the structure of its mechanism."""

from __future__ import annotations

import argparse
import json
import sys

from .console import Console, Style
from .joint_arguments import add_home_argument
from .model_file import check_model
from .problem_report import print_problems, summary
from .structure_report import print_structure, structure_json
from .tree_view import print_tree


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument('model', metavar='MODEL', help='URDF or xacro file')
    add_home_argument(parser)
    parser.add_argument('--strict', action='store_true', help='warnings count as errors')
    parser.add_argument('--tree', action='store_true',
                        help='draw the tree, with actuated and passive joints and closures')
    parser.add_argument('--json', action='store_true', help='write one JSON object')


def run(arguments: argparse.Namespace) -> int:
    """
    Check one description.

    :return: exit status.
    """
    model = check_model(
        arguments.model, mappings=arguments.mappings, home=dict(arguments.home))
    solver = model.solver
    if arguments.json:
        print(json.dumps({
            **{f'{level}s': [{'line': problem.line, 'message': problem.message}
                             for problem in model.problems if problem.level == level]
               for level in ('error', 'warning')},
            'structure': structure_json(solver) if solver else None,
        }, indent=2))
    else:
        console = Console(sys.stdout)
        print_problems(console, model.name, model.problems, model.text)
        if model.problems:
            console.write()
        if solver is not None:
            print_structure(console, solver)
            if arguments.tree:
                console.write()
                print_tree(console, solver.robot)
            console.write()
        style: Style = 'error' if solver is None else 'warning' if model.problems else 'good'
        console.write(f'{console.paint(model.name, "bold")}: '
                      f'{console.paint(summary(model.problems), style)}')
    return int(solver is None or arguments.strict and bool(model.problems))
