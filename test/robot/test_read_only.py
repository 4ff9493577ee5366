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

"""What is handed out can be read, copied and pickled, and not changed."""

from __future__ import annotations

from collections.abc import Callable
import copy
from dataclasses import dataclass
import json
import pickle

import numpy as np
import pytest
from riod_urdf_ros.robot.model import Joint
from riod_urdf_ros.robot.read_only import Frozen, read_only, ReadOnly


@pytest.mark.parametrize('change', [
    lambda d: d.__setitem__('a', 2), lambda d: d.__delitem__('a'), lambda d: d.clear(),
    lambda d: d.pop('a'), lambda d: d.popitem(), lambda d: d.setdefault('b', 1),
    lambda d: d.update(a=3), lambda d: d.__ior__({'a': 4})])
def test_a_read_only_mapping_refuses_every_change(
        change: Callable[[dict[str, int]], object]) -> None:
    mapping = ReadOnly({'a': 1})
    with pytest.raises(TypeError, match='read-only'):
        change(mapping)
    assert mapping == {'a': 1}


def test_a_read_only_mapping_is_copied_pickled_and_written_as_a_dict() -> None:
    mapping = ReadOnly({'a': 1, 'b': 2})
    assert json.dumps(mapping) == '{"a": 1, "b": 2}'
    for same in (copy.deepcopy(mapping), pickle.loads(pickle.dumps(mapping))):
        assert same == mapping
        with pytest.raises(TypeError):
            same['a'] = 5
    changed = dict(mapping)
    changed['a'] = 5
    assert mapping['a'] == 1


def test_a_read_only_array_has_its_own_memory() -> None:
    array = np.zeros(3)
    mine = read_only(array)
    array[0] = 1.0
    assert mine.tolist() == [0.0, 0.0, 0.0]
    with pytest.raises(ValueError, match='read-only'):
        mine[0] = 1.0


@dataclass(frozen=True)
class Pair(Frozen):
    a: int
    b: str


def test_what_is_frozen_is_its_own_copy_and_is_pickled_by_its_fields() -> None:
    pair = Pair(1, 'x')
    assert copy.deepcopy(pair) is pair
    assert pickle.loads(pickle.dumps(pair)) == pair


def test_the_arrays_of_a_joint_are_its_own_and_stay_so_where_it_is_unpickled() -> None:
    axis = np.array([0.0, 0.0, 1.0])
    joint = Joint('j', 'revolute', 'a', 'b', np.eye(4), axis)
    axis[:] = 5.0
    for same in (joint, pickle.loads(pickle.dumps(joint))):
        assert same.axis.tolist() == [0.0, 0.0, 1.0]
        for array in (same.axis, same.T_parent_joint):
            with pytest.raises(ValueError, match='read-only'):
                array[:] = 0.0
