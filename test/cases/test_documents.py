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

"""Tricky documents made independently of this package get their level and the right message."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import pytest
from riod_urdf_ros.exceptions import DescriptionError, Problem
from riod_urdf_ros.solver.closure_solver import ClosureSolver
from riod_urdf_ros.urdf.parser import parse
from support.checks import assert_near
from support.paths import CASES

DOCUMENTS = CASES / 'documents'

# Words (lower case) that the expected message contains, for what expect.json tells in prose.
SUBSTANCE = {
    '02_wrong_namespace_uri.urdf': ['/urdf_extensions', '/urdf-extensions'],
    '03_other_prefix.urdf': ['prefix riod', 'ext'],
    '05_unbound_prefix.urdf': ['prefix riod', 'not declared', '<robot>'],
    '07_trailing_slash_uri.urdf': ["/urdf-extensions/'", "/urdf-extensions'"],
    '08_missing_value.urdf': ['riod:actuated', 'no value'],
    '09_value_False.urdf': ["'false'", 'true or false'],
    '10_value_0.urdf': ["'0'", 'true or false'],
    '12_value_spaces.urdf': ["' false '", 'true or false'],
    '14_actuated_on_fixed.urdf': ['riod:actuated', 'j_ce', 'fixed'],
    '15_actuated_on_floating.urdf': ['riod:actuated', 'j_free', 'floating'],
    '16_actuated_twice_contradictory.urdf': ['riod:actuated', 'j_coupler', '2 times'],
    '18_actuated_outside_joint.urdf': ['riod:actuated', 'inside the <joint>'],
    '21_unknown_link.urdf': ['pin', 'unknown link', 'rocker_tip'],
    '24_missing_frameA.urdf': ['pin', 'no framea'],
    '26_frameA_equals_frameB.urdf': ['pin', 'coupler_end', 'itself'],
    '27_type_ball.urdf': ['pin', 'type', 'ball'],
    '30_duplicate_closure_names.urdf': ['two loop closures', 'pin'],
    '33_passive_on_no_loop.urdf': ['passive joint', 'j_flap', 'no loop', 'else 0'],
    '34_passive_and_mimic.urdf': ['j_coupler', 'mimic', 'closures decide'],
    '36_entity_bomb.urdf': ['dtd', 'entities'],
    '37_dtd_internal_entity.urdf': ['dtd', 'entities'],
    '42_nan_origin.urdf': ['origin', 'j_crank', 'not finite'],
    '44_two_numbers.urdf': ['origin', 'j_crank', 'three numbers expected'],
    '45_non_unit_axis.urdf': ['axis', 'j_crank', 'unit vector', 'normalised'],
    '47_zero_axis.urdf': ['axis', 'j_crank', 'zero'],
    '50_closure_inside_link.urdf': ['riod:loop_closure', 'inside <link>'],
    '52_closure_inside_gazebo.urdf': ['riod:loop_closure', 'inside <robot>', '<gazebo>'],
    '53_two_roots.urdf': ['2 root links', "'base'", "'lonely'"],
    '55_two_parents.urdf': ['rocker', 'two parents', 'j_rocker', 'j_again', 'loop_closure'],
    '63_xacro_unexpanded.urdf': ['origin', 'j_coupler', 'three numbers expected', 'xacro'],
    '64_empty.urdf': ['empty'],
    '65_whitespace_only.urdf': ['empty'],
    '68_root_not_robot.urdf': ['root element', '<model>', 'not <robot>'],
    '70_same_body_apart.urdf': ['never', 'one rigid body', '1 m', 'never be closed'],
    '71_unknown_riod_element.urdf': ['unknown element', 'riod:gear', 'ignored'],
    '73_riod_attribute_on_robot.urdf': ['unknown attribute', 'riod:version'],
    '76_point_mismatch_5cm.urdf': ['pin', 'not closed', '50 mm'],
    '80_no_actuated_joint.urdf': ['no actuated joint'],
    '82_mimic_cycle.urdf': ['mimic', 'circle', 'j_coupler', 'j_rocker'],
    '84_mimic_offset_not_closed.urdf': ['pin', 'not closed'],
    '86_duplicate_link_names.urdf': ['two links', 'rocker'],
    '87_revolute_without_limit.urdf': ['revolute', 'j_crank', 'no <limit>'],
    '89_missing_child_link.urdf': ['j_rocker', 'unknown link', 'rockr'],
    '101_number_redos.urdf': ['origin', 'xyz', '30001 characters'],
    '102_mimic_overflow.urdf': ['j2', 'multipliers', 'overflow'],
    '103_millimetres_for_metres.urdf': ['200 m', 'millimetres', 'divide'],
    '104_degrees_limits.urdf': ['j_crank', '-90', 'degrees', 'radians'],
    '105_rpy_in_degrees.urdf': ['j_rocker', 'rpy', '90', 'degrees', 'radians'],
    '106_material_without_rgba.urdf': ['grey', 'rgba', 'urdfdom'],
    '107_inertial_without_mass.urdf': ['coupler', 'no <mass>', 'urdfdom'],
    '108_empty_geometry.urdf': ['coupler', '<geometry>', 'empty', 'urdfdom'],
    '109_processing_instruction.urdf': ['processing instruction', 'urdfdom'],
    '112_name_with_newline.urdf': [r"'j\ncrank'", 'line break'],
    '113_point_closure_nothing_moves.urdf': ['dead_pin'],
}


def all_problems(text: str | bytes) -> tuple[Problem, ...]:
    """Return what the parser and the solver say."""
    try:
        description = parse(text)
        return description.problems + ClosureSolver(description.robot).problems
    except DescriptionError as error:
        return error.problems


def expectations(with_cases: bool = False) -> list[Any]:
    path = DOCUMENTS / 'expect.json'
    if not path.exists():
        return [pytest.param('', {}, marks=pytest.mark.skip('no ../shared/cases/documents'))]
    return [(name, expected)
            for name, expected in json.loads(path.read_text(encoding='utf-8')).items()
            if 'cases' in expected or not with_cases]


@pytest.mark.parametrize('kind', ['str', 'bytes'])
@pytest.mark.parametrize('name, expected', expectations())
def test_document(name: str, expected: dict[str, Any], kind: str) -> None:
    data = (DOCUMENTS / name).read_bytes()
    start = time.process_time()
    problems = all_problems(data if kind == 'bytes' else data.decode('utf-8'))
    assert time.process_time() - start < expected.get('seconds', 20)
    levels = {problem.level for problem in problems}
    worst = 'error' if 'error' in levels else 'warning' if 'warning' in levels else 'ok'
    assert worst in expected['expect'].split('|'), [str(problem) for problem in problems]
    assert all(str(problem).isprintable() for problem in problems)
    if worst != 'ok':
        # Of a document that is not known here, level, line and what it mentions can be judged.
        words = SUBSTANCE.get(name, [])
        right = [problem for problem in problems if problem.level == worst
                 and all(word in problem.message.lower() for word in words)
                 and re.search(expected.get('mentions', ''), problem.message, re.IGNORECASE)]
        assert right, [str(problem) for problem in problems]
        lines = data.count(b'\n') + 1
        assert all(1 <= problem.line <= lines for problem in problems)


@pytest.mark.parametrize('name, expected', expectations(with_cases=True))
def test_is_solved_all_the_same(name: str, expected: dict[str, Any]) -> None:
    solver = ClosureSolver(parse((DOCUMENTS / name).read_bytes()).robot)
    for case in expected['cases']:
        assert_near(solver.robot, solver.solve(case['actuated']).positions, case['passive'])
