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

"""Where the files that come with the package are: launch, config and urdf."""

from __future__ import annotations

from pathlib import Path


def share_directory() -> Path:
    """
    Find the package's share directory.

    It is looked for upwards from this module, not in the ament index: so it belongs to the very
    package that was imported, and is found after a plain pip install too. Every install scheme
    puts ``share`` beside one of the directories above ``site-packages``.

    :return: the directory that holds ``launch``, ``config`` and ``urdf``.
    :raises FileNotFoundError: if the package was taken out of its installation.
    """
    package = Path(__file__).resolve().parent
    for above in package.parents:
        for candidate in (above, above / 'share' / package.name):
            if (candidate / 'package.xml').is_file() and (candidate / 'urdf').is_dir():
                return candidate
    raise FileNotFoundError(f'no share directory of {package.name} above {package}')


def default_model() -> Path:
    """Return the packaged four-bar, which is used where no model is named."""
    return share_directory() / 'urdf' / 'four_bar.urdf'


def version() -> str:
    """Return the version of the package, as its package.xml has it."""
    text = (share_directory() / 'package.xml').read_text(encoding='utf-8')
    return text.partition('<version>')[2].partition('</version>')[0].strip()
