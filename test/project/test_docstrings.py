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

"""The documentation of a public function names every one of its parameters."""

from __future__ import annotations

from collections.abc import Iterator
import dataclasses
import inspect
import re
from typing import Any

import pytest
import riod_urdf_ros


def callables() -> Iterator[Any]:
    """Yield each public function, class and method, with its name, parameters and text."""
    for name in riod_urdf_ros.__all__:
        thing = getattr(riod_urdf_ros, name)
        if not inspect.isclass(thing):
            yield name, inspect.signature(thing), thing.__doc__
            continue
        if dataclasses.is_dataclass(thing) or '__init__' in vars(thing):
            yield name, inspect.signature(thing), thing.__doc__
        for member, function in vars(thing).items():
            if inspect.isfunction(function) and not member.startswith('_'):
                yield f'{name}.{member}', inspect.signature(function), function.__doc__


@pytest.mark.parametrize('signature, text', [
    pytest.param(signature, text, id=name) for name, signature, text in callables()])
def test_every_parameter_is_described(signature: inspect.Signature, text: str) -> None:
    described = re.findall(r':param (\w+):', text)
    assert described == [name for name in signature.parameters
                         if name != 'self' and not name.startswith('_')]
