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
The elements of a description, sorted by whose vocabulary they belong to.

Namespaces end here: what follows reads plain names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
import re
from typing import Literal

from lxml import etree

from .problem_list import ProblemList
from .xml_reader import undeclared_uri, XmlText
from ..wording import quote

NAMESPACE = 'https://github.com/Origitech/urdf-extensions'
PREFIX = 'riod'
EXTENSION_ELEMENTS = ('actuated', 'loop_closure')

_DECLARATION = f'xmlns:{PREFIX}="{NAMESPACE}"'

Vocabulary = Literal['urdf', 'riod', 'xacro', 'other']


@dataclass(eq=False, slots=True)
class Element:
    """
    One element.

    :param name: without prefix.
    :param written: the name as the file has it, with prefix.
    :param attributes: those without prefix.
    :param riod_attributes: names (without prefix) of those in the extension's namespace.
    :param line: line on which its tag begins, from 1.
    :param broken: names of attributes whose values are written with line breaks or tabs.
    """

    name: str
    written: str
    vocabulary: Vocabulary
    attributes: dict[str, str]
    riod_attributes: tuple[str, ...]
    line: int
    parent: Element | None = None
    children: list[Element] = field(default_factory=list)
    broken: frozenset[str] = frozenset()

    def urdf_children(self, name: str) -> list[Element]:
        """Return the children of URDF's own vocabulary with this name."""
        return [child for child in self.children
                if child.name == name and child.vocabulary == 'urdf']

    def __iter__(self) -> Iterator[Element]:
        """Go through this element and everything in it, in document order."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting += reversed(element.children)


def squeeze(name: str) -> str:
    """Return a name without case and punctuation."""
    return re.sub(r'[^a-z0-9]', '', name.lower())


@lru_cache(maxsize=1024)
def known_as(name: str, prefix: str = '') -> str | None:
    """
    Return the element of the extension that a name can only mean.

    :param prefix: what the name has in front of it.
    :return: None if there is none that differs only in case and punctuation.
    """
    return next((known for known in EXTENSION_ELEMENTS
                 if squeeze(prefix + known) == squeeze(name)), None)


def read_elements(xml: XmlText, problems: ProblemList) -> Element:
    """
    Sort all elements by their vocabulary, and report each wrong prefix once.

    :return: the root.
    """
    sorter = _Sorter(xml, problems)
    parents: list[tuple[object, Element]] = []
    root: Element | None = None
    for source, line, broken in xml.tags():
        above = source.getparent()
        while parents and parents[-1][0] is not above:
            parents.pop()
        uri, _, local = source.tag.rpartition('}')
        prefix = source.prefix or ''
        attributes = dict(source.items())
        prefixed = [name for name in attributes if name[0] == '{']
        for name in prefixed:
            del attributes[name]
        element = Element(
            name=local, written=f'{prefix}:{local}' if prefix else local,
            vocabulary=sorter.element(prefix, uri[1:], local, line), attributes=attributes,
            riod_attributes=tuple(
                name.rpartition('}')[2] for name in prefixed
                if sorter.attribute(source, name[1:].rpartition('}')[0], line)),
            line=line, parent=parents[-1][1] if parents else None, broken=broken)
        if element.parent:
            element.parent.children.append(element)
        parents.append((source, element))
        root = root or element
    assert root is not None, 'well-formed XML has a root'
    return root


class _Sorter:
    """Whose elements are whose."""

    def __init__(self, xml: XmlText, problems: ProblemList) -> None:
        self._problems = problems
        self._undeclared = {undeclared_uri(prefix): prefix for prefix in xml.undeclared}
        # <robot xmlns="..."> puts all of URDF into that namespace, whichever it is: urdfdom
        # does not look at it.
        self._default = xml.root.nsmap.get(None)
        self._told: set[tuple[str, str]] = set()
        self._ours: dict[str, bool] = {}
        bound = xml.root.nsmap.get(PREFIX)
        if bound is not None and self._undeclared.get(bound) is None:
            self._check_binding(PREFIX, bound, '<robot>', next(xml.elements())[1])

    def element(self, prefix: str, uri: str, local: str, line: int) -> Vocabulary:
        """Return an element's vocabulary."""
        known = known_as(local)
        written = f'{prefix}:{local}' if prefix else local
        if not prefix and (not uri or uri == self._default) and not (uri == NAMESPACE and known):
            vocabulary: Vocabulary = 'urdf'
        elif prefix == PREFIX or uri == NAMESPACE:
            self._check_binding(prefix, uri, f'<{written}>', line)
            return 'riod'
        elif prefix == 'xacro' or uri.endswith('/wiki/xacro'):
            return 'xacro'
        else:
            vocabulary = 'urdf' if not prefix else 'other'
            self._check_declared(uri, line)
        meant = known_as(written, f'{PREFIX}:')
        if meant:
            # To ignore it would make motors of passive joints, or leave loops open, unnoticed.
            self._problems.error(
                f'unknown element <{written}>; it has to be written <{PREFIX}:{meant}>, with '
                f'{_DECLARATION} in <robot>', line)
        elif known:
            self._problems.warning(
                f'<{written}> is ignored, because it is not in the namespace of the extension; '
                f'write <{PREFIX}:{known}>, with {_DECLARATION} in <robot>', line)
        return vocabulary

    def attribute(self, source: etree._Element, uri: str, line: int) -> bool:
        """Tell whether an attribute with a prefix is in the extension's namespace."""
        if uri not in self._ours:
            self._ours[uri] = uri == NAMESPACE or source.nsmap.get(PREFIX) == uri
        if self._ours[uri]:
            self._check_binding(PREFIX, uri, 'an attribute', line)
        else:
            self._check_declared(uri, line)
        return self._ours[uri]

    def _check_binding(self, prefix: str, uri: str, what: str, line: int) -> None:
        """
        Report a prefix or a URI of the extension that is not as RioD has it.

        :param what: uses it, as messages name it.
        """
        if (prefix, uri) in self._told:
            return
        self._told.add((prefix, uri))
        if uri in self._undeclared:
            self._problems.error(
                f'the prefix {PREFIX} of {what} is not declared; add {_DECLARATION} to <robot>',
                line)
        elif uri != NAMESPACE:
            self._problems.error(
                f'the prefix {PREFIX} is bound to {quote(uri, 200)}, but has to be bound to '
                f'{quote(NAMESPACE)}; write {_DECLARATION}', line)
        elif prefix != PREFIX:
            used = f'the prefix {prefix}' if prefix else 'no prefix (a default namespace)'
            self._problems.warning(
                f'{what}: the extension is used with {used}, which RioD itself does not find; '
                f'write {_DECLARATION} and the prefix {PREFIX}', line)

    def _check_declared(self, uri: str, line: int) -> None:
        """Report a prefix that the text does not declare and that is none of ours."""
        prefix = self._undeclared.pop(uri, None)
        if prefix is not None:
            self._problems.warning(
                f'the prefix {quote(prefix)} is not declared (xmlns:{prefix}="..."); its '
                'elements and attributes are ignored here, but other tools will refuse the file',
                line)
