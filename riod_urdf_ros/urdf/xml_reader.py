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
From text to an XML tree, trusting nothing in it.

No DTD, no entity, no network, bounded size and depth. Everything that keeps a text from being
XML at all is told from here.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
import re

from lxml import etree

from ..exceptions import DescriptionError, Problem
from ..wording import quote

# A large humanoid has 100 kB and 2000 tags; far more would only keep everyone waiting.
MAX_BYTES = 4 * 2**20
MAX_TAGS = 50_000

# In well-formed XML without a DTD '<' begins one of these and nothing else. Unterminated ones
# run to the end, so that looking for their end stays linear.
_MARKUP = re.compile(
    r'<[^/!?\s>](?P<start>[^/\s>]*)|<!--.*?(?:-->|\Z)|(?P<instruction><\?.*?(?:\?>|\Z))'
    r'|<!\[CDATA\[.*?(?:\]\]>|\Z)|(?P<dtd><!DOCTYPE)', re.DOTALL)
_ATTRIBUTE = re.compile(r'\s*([^\s=/>]+)\s*=\s*("[^"]*"|\'[^\']*\')')
_NOTHING: frozenset[str] = frozenset()
# Of Python's codecs those that XML knows; some of the others take the square of the length.
_ENCODINGS = re.compile(
    r'ascii|utf-8|utf-8-sig|utf-(?:16|32)(?:-[bl]e)?|iso8859-\d+|cp\d+|koi8-\w|mac-\w+|gb\w+'
    r'|big5\w*|euc_\w+|shift_jis\w*|iso2022_\w+|hz')
_DECLARED_ENCODING = re.compile(
    rb'<\?xml[^>]*?\bencoding\s*=\s*["\']([A-Za-z][A-Za-z0-9._-]{0,40})["\']')
_BOMS = ((codecs.BOM_UTF8, 'utf-8'), (codecs.BOM_UTF32_LE, 'utf-32'),
         (codecs.BOM_UTF32_BE, 'utf-32'), (codecs.BOM_UTF16_LE, 'utf-16'),
         (codecs.BOM_UTF16_BE, 'utf-16'))
_ADVICE = {
    'ERR_ATTRIBUTE_NOT_STARTED': 'the value of an attribute has to be in quotes',
    'ERR_ATTRIBUTE_NOT_FINISHED': 'the value of an attribute has no closing quote',
    'ERR_LT_IN_ATTRIBUTE': 'the value of an attribute contains <; is a closing quote missing '
                           'before it? (a < itself is written &lt;)',
    'ERR_NAME_REQUIRED': 'a name is missing after < or & (a lone & is written &amp;)',
    'ERR_UNDECLARED_ENTITY': 'entities other than &lt; &gt; &amp; &quot; &apos; are not accepted',
    'ERR_DOCUMENT_EMPTY': 'there is no element, not even <robot>',
    'ERR_DOCUMENT_END': 'there is more after the end of the root element',
    'ERR_RESERVED_XML_NAME': 'the XML declaration <?xml ...?> has to be the very first thing in '
                             'the text, without a line or space before it'}
_REFUSED = {
    'ERR_RESOURCE_LIMIT': 'elements are nested more than 256 deep, or a value is too long',
    'ERR_NAME_TOO_LONG': 'a name is too long to be one'}
_UNDECLARED = re.compile(r'Namespace prefix (\S+) ')
_ROUNDS = 10


@dataclass(frozen=True)
class XmlText:
    """
    A well-formed text.

    :param text: as it was given, decoded.
    :param root: lxml's root element.
    :param undeclared: namespace prefixes that the text uses and nowhere declares; in the tree
        their URI is `undeclared_uri`.
    """

    text: str
    root: etree._Element
    undeclared: tuple[str, ...] = ()

    def elements(self) -> Iterator[tuple[etree._Element, int]]:
        """Return every element with the line on which its tag begins, in document order."""
        return ((element, line) for element, line, _ in self.tags())

    def tags(self) -> Iterator[tuple[etree._Element, int, frozenset[str]]]:
        """
        Return every element in document order.

        With each comes the line on which its tag begins, and the names of the attributes whose
        values are written with line breaks or tabs: the parser makes spaces of these.

        libxml2 counts to 65535 only, and to the end of the tag.
        """
        line, offset = 1, 0
        elements = self.root.iter('*')
        for markup in _MARKUP.finditer(self.text):
            if markup.lastgroup == 'start':
                line += self.text.count('\n', offset, markup.start())
                offset = markup.start()
                yield next(elements), line, self._broken(markup.end())

    def _broken(self, offset: int) -> frozenset[str]:
        """Return the attributes that have a line break or tab, of a tag whose name ends here."""
        end = self.text.find('<', offset)
        tag = self.text[offset:end if end >= 0 else None].rstrip()
        if '\n' not in tag and '\t' not in tag and '\r' not in tag:
            return _NOTHING
        names, match = set(), _ATTRIBUTE.match(tag)
        while match:
            if not match[2].isprintable() and any(c in match[2] for c in '\t\n\r'):
                names.add(match[1])
            match = _ATTRIBUTE.match(tag, match.end())
        return frozenset(names)

    def misplaced_instructions(self) -> Iterator[int]:
        """Return the lines of processing instructions that do not stand before all else."""
        line, offset, other = 1, 0, False
        for markup in _MARKUP.finditer(self.text) if self.text.count('<?') > 1 else ():
            if markup.lastgroup != 'instruction':
                other = True
            elif other:
                line += self.text.count('\n', offset, markup.start())
                offset = markup.start()
                yield line


def undeclared_uri(prefix: str) -> str:
    """Return the URI that stands for a prefix which the text does not declare."""
    return f'urn:undeclared:{prefix}'


def read_xml(text: str | bytes) -> XmlText:
    """
    Parse a text.

    :raises DescriptionError: if it is not XML, too large, too deep, or has a DTD.
    """
    text = decode(text)
    root_tag = _check_prolog(text)
    undeclared: dict[str, int] = {}
    for _ in range(_ROUNDS):
        # Declaring the missing prefixes where they are missing lets the strict parser go on
        # to everything else that may be wrong.
        declarations = ''.join(f' xmlns:{prefix}="{undeclared_uri(prefix)}"'
                               for prefix in undeclared)
        declared = text[:root_tag] + declarations + text[root_tag:]
        # huge_tree stays off: it is what bounds depth and the length of names.
        parser = etree.XMLParser(encoding='utf-8', resolve_entities=False, load_dtd=False,
                                 no_network=True, huge_tree=False)
        try:
            root = etree.fromstring(declared.encode('utf-8'), parser)
        except etree.XMLSyntaxError as error:
            log = list(parser.error_log)
            found = {match[1]: entry.line for entry in reversed(log)
                     if entry.type == etree.ErrorTypes.NS_ERR_UNDEFINED_NAMESPACE
                     and (match := _UNDECLARED.match(entry.message))}
            if not found.keys() - undeclared.keys():
                raise _not_xml(text, error, log, undeclared) from None
            undeclared = {**found, **undeclared}
        else:
            return XmlText(text, root, tuple(undeclared))
    raise DescriptionError([Problem(
        'error', f'namespace prefixes are not declared: {", ".join(list(undeclared)[:10])}, ...',
        min(undeclared.values()))])


def decode(text: str | bytes) -> str:
    """
    Return the text as a string, without byte order mark.

    The encoding of a string is settled, whatever its XML declaration still says.

    :raises DescriptionError: if the bytes are no text, or too many.
    """
    if len(text) > MAX_BYTES:
        raise DescriptionError([Problem(
            'error', f'the description has {len(text)} characters; more than {MAX_BYTES} are not '
            'read (is a mesh embedded in it?)', 1)])
    if isinstance(text, bytes):
        text = _decode_bytes(text)
    text = text.removeprefix('\ufeff')
    if (tags := text.count('<')) > MAX_TAGS:
        raise DescriptionError([Problem(
            'error', f'the description has {tags} tags; more than {MAX_TAGS} are not read', 1)])
    try:
        text.encode('utf-8')
    except UnicodeEncodeError as error:
        raise DescriptionError([Problem(
            'error', f'character {error.start + 1} is half a surrogate pair, which is no text',
            1 + text.count('\n', 0, error.start))]) from None
    return text


def _decode_bytes(data: bytes) -> str:
    """Decode by byte order mark, XML declaration, or as UTF-8."""
    encoding = next((name for bom, name in _BOMS if data.startswith(bom)), '')
    if not encoding:
        declared = _DECLARED_ENCODING.match(data)
        encoding = declared[1].decode('ascii') if declared else 'utf-8'
        if encoding.lower().startswith(('utf-16', 'utf-32', 'ucs')):
            # The declaration itself was readable as ASCII, so that is not what it is.
            encoding = 'utf-8'
    try:
        if not _ENCODINGS.fullmatch(codecs.lookup(encoding).name):
            raise LookupError
        return data.decode(encoding)
    except LookupError:
        raise DescriptionError([Problem(
            'error', f'the encoding {quote(encoding)} of the XML declaration is not known; '
            'UTF-8 would do', 1)]) from None
    except UnicodeError as error:
        start = getattr(error, 'start', 0)
        raise DescriptionError([Problem(
            'error', f'byte {start + 1} is not {encoding} text; save the file as UTF-8',
            1 + data[:start].count(b'\n'))]) from None


def _check_prolog(text: str) -> int:
    """Refuse what does not even begin like XML; give the offset at which the root's name ends."""
    beginning = text.lstrip()
    if not beginning:
        raise DescriptionError([Problem('error', 'the description is empty', 1)])
    if not beginning.startswith('<'):
        raise DescriptionError([Problem(
            'error', f'not XML: it begins with {quote(beginning, 30)} instead of <robot',
            1 + text.count('\n', 0, len(text) - len(beginning)))])
    for markup in _MARKUP.finditer(text):
        if markup.lastgroup == 'dtd':
            raise DescriptionError([Problem(
                'error', 'a DTD (<!DOCTYPE ...>) and entities are not accepted; remove it, and '
                'write in full what its entities stand for (xacro can do that)',
                1 + text.count('\n', 0, markup.start()))])
        if markup.lastgroup == 'start':
            return markup.end()
    return len(text)


def _not_xml(text: str, error: etree.XMLSyntaxError, log: list[etree._LogEntry],
             undeclared: dict[str, int]) -> DescriptionError:
    """Say what keeps the text from being XML: the parser's first complaint that counts."""
    complaint = next((entry for entry in log
                      if entry.type != etree.ErrorTypes.NS_ERR_UNDEFINED_NAMESPACE), None)
    message, line = f'not well-formed XML: {error}', error.lineno or 1
    if complaint is not None:
        kind, line = complaint.type_name, complaint.line
        # libxml2 quotes what follows, over several lines.
        message = _REFUSED.get(kind) or 'not well-formed XML: ' + _ADVICE.get(
            kind, ' '.join(complaint.message.split())[:100])
    hint = ('; there is no </robot>: is the text cut off?'
            if '</robot' not in text and not text.rstrip().endswith('/>') else '')
    problems = [Problem('error', f'{message}{hint}', line)]
    problems += [Problem('error', f'the namespace prefix {quote(prefix)} is not declared', first)
                 for prefix, first in undeclared.items()]
    return DescriptionError(sorted(problems, key=lambda problem: problem.line))
