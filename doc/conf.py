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

"""How Sphinx builds the documentation: ``python3 -m sphinx -W doc BUILT``, or rosdoc2."""

from importlib.util import find_spec
from pathlib import Path
import sys

from sphinx.application import Sphinx

# rosdoc2 runs a copy of this file elsewhere, where the package has to be installed.
if find_spec('riod_urdf_ros') is None:
    sys.path.insert(0, str(Path.cwd().parent))

project = 'riod_urdf_ros'
author = 'RioD URDF ROS developers'
project_copyright = '2026 ' + author

extensions = ['myst_parser', 'sphinx.ext.autodoc']
# Pictures in a page may have a width; sections can be linked to by the anchors that hosts give.
myst_enable_extensions = ['html_image']
myst_heading_anchors = 3
autodoc_member_order = 'bysource'
# A constructor's parameters stand in the description of its class.
autodoc_class_signature = 'separated'
autodoc_default_options = {'exclude-members': '__init__, __new__'}

# Pages from other folders are here by links; what they refer to is seen from here now.
_MOVED = {'](doc/': '](', 'src="doc/': 'src="', '](benchmark/README.md)': '](benchmark.md)',
          '](CONTRIBUTING.md)': '](contributing.md)'}


def _from_here(_: Sphinx, page: str, text: list[str]) -> None:
    if page in ('benchmark', 'contributing', 'readme'):
        for there, here in _MOVED.items():
            text[0] = text[0].replace(there, here)


def setup(app: Sphinx) -> None:
    """Read pages from other folders as if they had been written here."""
    app.connect('source-read', _from_here)
