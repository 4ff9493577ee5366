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

"""Numbers given to a node: what is accepted, and what is said otherwise."""

from __future__ import annotations

import pytest

pytest.importorskip('rclpy')

from riod_urdf_ros.ros.number_parameter import NumberParameter  # noqa: E402

WIDTH = NumberParameter('width', 1.0, 1e-6, 10.0, 'A width, m.')


@pytest.mark.parametrize('value', [1, 10, 1e-6, 0.5])
def test_numbers_are_welcome_whole_or_not(value: float) -> None:
    assert WIDTH.problem(value) == ''


@pytest.mark.parametrize('value, words', [
    (True, 'number'), ('wide', "not 'wide'"), ([1.0], 'number'), (None, 'number'),
    (11, 'from 1e-06 to 10'), (float('nan'), 'from'), (-1.0, 'from')])
def test_others_are_refused(value: object, words: str) -> None:
    problem = WIDTH.problem(value)
    assert problem.startswith('width ') and words in problem
    assert 'YAML' not in problem


@pytest.mark.parametrize('text, number', [('1e-5', '1.0e-05'), ('2.5e3', '2500.0')])
def test_number_that_yaml_reads_as_text_gets_a_hint(text: str, number: str) -> None:
    yaml = pytest.importorskip('yaml')
    assert f'{number} is the number' in WIDTH.problem(text)
    assert yaml.safe_load(number) == float(text)
