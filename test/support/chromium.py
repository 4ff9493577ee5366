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

"""A real browser, headless: Chromium, driven over WebDriver."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
import shutil
from typing import Any

import pytest

_SWITCHES = (
    '--headless', '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-sync',
    '--disable-background-networking', '--disable-component-update',
    # WebGL without a graphics card.
    '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist',
    '--window-size=640,480')


@contextmanager
def chromium(profile: Path) -> Iterator[Any]:
    """
    Start a browser; skip the test where there is none.

    :param profile: an empty folder for what it keeps.
    """
    webdriver = pytest.importorskip('selenium.webdriver')
    program, driver = shutil.which('chromium'), shutil.which('chromedriver')
    if program is None or driver is None:
        pytest.skip('chromium and chromedriver are not installed')
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for switch in (*_SWITCHES, f'--user-data-dir={profile}'):
        options.add_argument(switch)
    options.set_capability('goog:loggingPrefs', {'performance': 'ALL'})
    browser = webdriver.Chrome(
        options=options, service=webdriver.ChromeService(executable_path=driver))
    try:
        yield browser
    finally:
        browser.quit()
