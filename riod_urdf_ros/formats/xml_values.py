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


"""Numbers and names out of XML of any format, every fault with its line."""

from __future__ import annotations

import math

from lxml import etree
import numpy as np

from ..exceptions import DescriptionError, Problem
from ..robot.transforms import Array, rotation_from_rpy, transform
from ..urdf.xml_reader import read_xml, XmlText
from ..wording import quote

# Squares of larger coordinates overflow.
_LARGEST = 1e100


def fault(message: str, line: int = 0) -> DescriptionError:
    """Return an error with one problem."""
    return DescriptionError([Problem('error', message, line)])


class XmlSource:
    """
    A text of XML whose elements know their lines.

    :ivar root: lxml's root element; comments are left in it.
    """

    def __init__(self, text: str | bytes) -> None:
        """
        Parse.

        :raises DescriptionError: if the text is not XML, too large, too deep, or has a DTD.
        """
        xml: XmlText = read_xml(text)
        self.root = xml.root
        self.text = xml.text
        self._lines: dict[etree._Element, int] = dict(xml.elements())

    def line(self, element: etree._Element) -> int:
        """Return the line on which an element begins, from 1; 0 if it is not of this text."""
        line: int = self._lines.get(element, 0)
        return line

    def where(self, element: etree._Element) -> str:
        """Return an element as messages name it."""
        name = element.get('name')
        return f'<{element.tag}>' + (f' {quote(name)}' if name else '')

    def numbers(self, text: str | None, count: int, what: str, element: etree._Element) -> Array:
        """
        Read numbers that are separated by spaces.

        :param what: is read, as messages name it.
        :return: shape (count,).
        :raises DescriptionError: if they are not so many finite numbers.
        """
        words = (text or '').split()
        try:
            values = [float(word) for word in words]
        except ValueError:
            values = []
        if len(values) != count or not all(abs(value) < _LARGEST for value in values):
            wanted = 'a finite number' if count == 1 else f'{count} finite numbers'
            raise fault(f'{what} of {self.where(element)} is {quote(text or "")}; it has to be '
                        f'{wanted}', self.line(element))
        return np.array(values)

    def number(self, text: str | None, what: str, element: etree._Element,
               largest: float = _LARGEST) -> float:
        """
        Read one number.

        :param largest: size; infinite where infinity has a meaning.
        :raises DescriptionError: if it is none.
        """
        try:
            value = float(text or '')
        except ValueError:
            value = math.nan
        if not abs(value) <= largest:
            raise fault(f'{what} of {self.where(element)} is {quote(text or "")}; it has to be a '
                        'number', self.line(element))
        return value

    def origin(self, element: etree._Element | None) -> Array:
        """
        Read the attributes xyz and rpy, as URDF has them.

        :param element: None stands for no displacement.
        :return: shape (4, 4).
        :raises DescriptionError: if they are not three numbers each.
        """
        if element is None:
            return np.eye(4)
        return transform(
            rotation_from_rpy(self.numbers(element.get('rpy', '0 0 0'), 3, 'rpy', element)),
            self.numbers(element.get('xyz', '0 0 0'), 3, 'xyz', element))

    def axis(self, text: str | None, what: str, element: etree._Element) -> Array:
        """
        Read a direction.

        :return: unit vector, shape (3,).
        :raises DescriptionError: if it is not three numbers, or zero.
        """
        vector = self.numbers(text, 3, what, element)
        length = float(np.linalg.norm(vector))
        if length < 1e-9:
            raise fault(f'{what} of {self.where(element)} is zero; it needs a direction, such as '
                        '0 0 1', self.line(element))
        return vector / length
