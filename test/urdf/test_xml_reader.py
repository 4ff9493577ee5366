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

"""What is not XML, or more of it than is read, is told; any other text is read."""

import pytest
from riod_urdf_ros.exceptions import DescriptionError
from riod_urdf_ros.urdf.parser import parse
from riod_urdf_ros.urdf.xml_reader import MAX_BYTES, MAX_TAGS
from support.slider_crank import add, assert_faults, change, Faults, SLIDER

# name: text, and for each expected problem its level, line, and words of the message
FAULTS: Faults = {
    'empty': ('', [('error', 1, ['empty'])]),
    'blank': (' \n\t\n', [('error', 1, ['empty'])]),
    'json': ('\n{"robot": 1}', [('error', 2, ['not XML', 'robot'])]),
    'truncated': (SLIDER[:SLIDER.index('<joint name="j3"')],
                  [('error', 6, ['not well-formed', 'cut off'])]),
    'no quotes': (change('link="rod"', 'link=rod'), [('error', 5, ['quotes'])]),
    'ampersand': (add('a & b'), [('error', 8, ['&amp;'])]),
    'attribute twice': (change('<link name="base"', '<link name="a" name="b"'),
                        [('error', 3, ['name redefined'])]),
    'dtd': (change('<robot', '<!DOCTYPE robot>\n<robot'), [('error', 2, ['DTD'])]),
    'entity': (change('value="false"', 'value="&no;"'), [('error', 5, ['entities'])]),
    'declaration not first': ('\n<?xml version="1.0"?><robot/>', [('error', 2, ['first'])]),
    'deep': ('<robot name="a">' + '<b>' * 400 + '</b>' * 400 + '</robot>',
             [('error', 1, ['256 deep'])]),
    'large': ('<robot name="' + 'a' * MAX_BYTES + '"/>', [('error', 1, [str(MAX_BYTES)])]),
    'many tags': ('<robot name="a">' + '<b/>' * MAX_TAGS + '</robot>',
                  [('error', 1, ['tags', str(MAX_TAGS)])]),
    'not UTF-8': (b'<robot name="a">\n\xff</robot>', [('error', 2, ['byte 18', 'utf-8'])]),
    'unknown encoding': (b'<?xml version="1.0" encoding="klingon"?><robot/>',
                         [('error', 1, ['klingon'])]),
    'encoding that takes the square of the length': (
        b'<?xml version="1.0" encoding="punycode"?><robot/>',
        [('error', 1, ['punycode', 'UTF-8'])]),
    'surrogate': ('<robot>\n\ud800</robot>', [('error', 2, ['surrogate'])]),
}


@pytest.mark.parametrize('name', FAULTS)
def test_fault(name: str) -> None:
    assert_faults(*FAULTS[name])


def test_lines_are_those_on_which_tags_begin_however_far_down() -> None:
    text = change('<link name="base"/>', '\n' * 70000 + '<!-- <link> -->\n<link name="base"/>')
    text = text.replace('<riod:loop_closure name="pin"', '<riod:loop_closure\n\n name="pin"')
    closure = parse(text).robot.closures[0]
    assert text.splitlines()[closure.line - 1] == '<riod:loop_closure'
    for end in ('\r\n', '\n'):
        lines = [joint.line for joint in parse(text.replace('\n', end)).robot.joints]
        assert lines == [70005, 70006, 70007, 70008]


@pytest.mark.parametrize('text', [
    SLIDER.replace('<?xml version="1.0"?>', '<?xml version="1.0" encoding="UTF-16"?>'),
    '\ufeff' + SLIDER,
    SLIDER.encode(),
    b'\xef\xbb\xbf' + SLIDER.encode(),
    SLIDER.replace('"1.0"', '"1.0" encoding="UTF-16"').encode('utf-16'),
    SLIDER.replace('"1.0"', '"1.0" encoding="UTF-16"').encode(),
    SLIDER.replace('"1.0"', '"1.0" encoding=\'latin-1\'').replace('rod', 'bi\xe8le').encode(
        'latin-1'),
    SLIDER.replace('rod', '\u9023\u687f'),
    SLIDER.replace('<robot ', '<robot xmlns="http://www.ros.org" '),
    SLIDER.replace('<robot ', '<robot version="1.0" '),
    SLIDER.replace('frameA="tip"', "\n\tframeA = 'tip'\n"),
    SLIDER.replace('<joint', '<!-- <riod:x/> --><![CDATA[<riod:y/>]]><joint').replace(
        '<robot', '<?z <riod:z/>?><robot', 1),
], ids=['declared in str', 'BOM', 'bytes', 'BOM in bytes', 'UTF-16', 'declared wrongly',
        'latin-1', 'CJK', 'default namespace', 'version', 'white space', 'comments'])
def test_text_in_any_form(text: str | bytes) -> None:
    description = parse(text)
    assert description.problems == ()
    assert len(description.robot.joints) == 4
    assert len(description.robot.closures) == 1
    assert description.text.startswith('<')


def test_truncated_anywhere() -> None:
    data = SLIDER.rstrip().encode()
    for length in range(0, len(data), 7):
        with pytest.raises(DescriptionError) as caught:
            parse(data[:length])
        assert all(problem.line >= 1 for problem in caught.value.problems), length
