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

"""What a caller gets to see and may not change: it would be the solver's own state."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, cast, NoReturn, TypeVar

from .transforms import Array

F = TypeVar('F', bound='Frozen')
K = TypeVar('K')
V = TypeVar('V')


class ReadOnly(dict[K, V]):
    """A dict that cannot be changed; unlike a mapping proxy it can be pickled and copied."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError('this mapping is read-only; dict(...) makes a copy that can be changed')

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        """Make it whole at once, where others are filled item by item."""
        return type(self), (dict(self),)


class Frozen:
    """A frozen dataclass of what never changes: it is its own copy, and pickled by its fields."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Make it anew where it is unpickled; what it has cached is found again there."""
        return type(self), tuple(
            getattr(self, field.name) for field in fields(cast(Any, self)))

    def __deepcopy__(self: F, memo: object) -> F:
        """Return itself."""
        return self


def read_only(array: Array) -> Array:
    """
    Return a copy of an array that cannot be written to.

    :param array: of any shape.
    """
    copied: Array = array.copy()
    copied.flags.writeable = False
    return copied
