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

"""Names that matplotlib would take for mathematics."""

from __future__ import annotations

from pathlib import Path

import pytest

figure = pytest.importorskip('matplotlib.figure')

from riod_urdf_ros.cli.main import main  # noqa: E402
from riod_urdf_ros.plotting.plain_text import plain  # noqa: E402
from support.paths import EXAMPLES  # noqa: E402

NAME = r'$\frac{cr$'


def test_what_is_written_is_as_wide_as_without_mathematics() -> None:
    """A dollar is one letter like others; as mathematics the text would not even parse."""
    axes = figure.Figure().add_subplot()
    widths = [axes.text(0, 0, plain(text), family='DejaVu Sans Mono').get_window_extent().width
              for text in (NAME, 'x' * len(NAME))]
    assert widths[0] == pytest.approx(widths[1])
    assert plain('a\nb\x07') == 'a\nb\ufffd'


@pytest.mark.parametrize('words', [[], ['--sweep', NAME, '--curves'], ['--graph']])
def test_a_joint_may_be_called_like_a_formula(words: list[str], tmp_path: Path) -> None:
    model, picture = tmp_path / 'formula.urdf', tmp_path / 'formula.png'
    text = (EXAMPLES / 'four_bar.urdf').read_text(encoding='utf-8')
    model.write_text(text.replace('"crank"', f'"{NAME}"').replace('"pin"', '"$_$"'))
    assert main(['plot', str(model), '-o', str(picture), *words]) == 0
    assert picture.stat().st_size > 1000
