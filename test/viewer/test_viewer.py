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

"""The page as a browser shows it, and what moving a slider in it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
import json
import math
from pathlib import Path
import time
from typing import Any
from urllib.parse import urlparse

import numpy as np
import pytest

pytest.importorskip('viser')

from riod_urdf_ros.viewer import Viewer  # noqa: E402
from support.chromium import chromium  # noqa: E402
from support.commands import FOUR_BAR  # noqa: E402
from support.oracles import FourBar, wrap  # noqa: E402

# A browser without a graphics card takes its time.
pytestmark = pytest.mark.slow
BARS = FourBar(0.06, 0.2, 0.14, 0.18)


@pytest.fixture(scope='module')
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp('chromium')) as opened:
        yield opened


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / 'four_bar.urdf'
    path.write_text(FOUR_BAR.read_text(encoding='utf-8'), encoding='utf-8')
    return path


@pytest.fixture
def page(browser: Any, model: Path) -> Iterator[tuple[Any, Viewer]]:
    viewer = Viewer(model, port=18900)
    try:
        browser.get(viewer.address)
        yield browser, viewer
    finally:
        browser.get('about:blank')
        viewer.close()


def shown(browser: Any) -> str:
    return str(browser.execute_script('return document.body.innerText'))


def rows(browser: Any) -> list[str]:
    return [' '.join(line.split()) for line in shown(browser).splitlines()]


def eventually(condition: Callable[[], object], seconds: float = 90.0) -> None:
    """See something come true; pages and files take their time."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, 'this has not come true'
        time.sleep(0.05)


def number(browser: Any, name: str) -> float:
    """Read a solved joint's position in the page, rad."""
    (line,) = [line for line in rows(browser) if line.startswith(f'● {name} ')]
    return float(line.split()[2])


def set_slider(browser: Any, index: int, text: str) -> None:
    """Type a value into the field beside a slider."""
    keys = pytest.importorskip('selenium.webdriver.common.keys').Keys
    field = browser.find_elements('css selector', 'input[inputmode=decimal], '
                                  'input[inputmode=numeric]')[index]
    field.send_keys(keys.CONTROL, 'a')
    field.send_keys(text, keys.ENTER)


def link_pose(viewer: Viewer, link: str) -> tuple[np.ndarray, np.ndarray]:
    """Return what the page was sent for a link: its place, and its x axis, in the base."""
    assert viewer.mechanism is not None
    index = viewer.mechanism.solver.robot.links.index(link)
    frame = viewer.server.scene.get_handle_by_name(f'/links/{index}')
    assert frame is not None
    w, x, y, z = frame.wxyz
    return np.asarray(frame.position), np.array(
        [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)])


def test_a_slider_moves_the_passive_links(page: tuple[Any, Viewer]) -> None:
    browser, viewer = page
    eventually(lambda: '● rocker 0.0000 rad' in rows(browser))
    # Every request was to this machine, so the page works without any network.
    hosts = {urlparse(request['params']['request']['url']).netloc
             for entry in browser.get_log('performance')
             for request in [json.loads(entry['message'])['message']]
             if request['method'] == 'Network.requestWillBeSent'}
    assert {host for host in hosts if '.' in host} == {urlparse(viewer.address).netloc}
    for crank in (0.5, -2.0, 3.0):
        set_slider(browser, 0, str(crank))
        coupler, rocker = BARS.angles(math.pi / 2 + crank)
        expected = BARS.joints(math.pi / 2, crank)
        goal = expected['rocker']
        eventually(lambda: abs(number(browser, 'rocker') - goal) < 1e-4)  # noqa: B023
        assert wrap(number(browser, 'coupler') - expected['coupler']) == pytest.approx(
            0.0, abs=1e-4)
        for link, angle in (('coupler', coupler), ('rocker', rocker)):
            _, along = link_pose(viewer, link)
            assert along == pytest.approx([math.cos(angle), 0.0, math.sin(angle)], abs=1e-6)


def test_the_file_is_followed(page: tuple[Any, Viewer], model: Path) -> None:
    browser, viewer = page
    eventually(lambda: '● rocker' in shown(browser))
    set_slider(browser, 0, '0.5')
    rocker = BARS.joints(math.pi / 2, 0.5)['rocker']
    eventually(lambda: abs(number(browser, 'rocker') - rocker) < 1e-4)
    good = model.read_text(encoding='utf-8')
    model.write_text(good.replace('frameB="', 'frameB="no_'), encoding='utf-8')
    eventually(lambda: 'four_bar.urdf cannot be used; shown is the robot before' in shown(browser))
    assert "'no_" in shown(browser)
    # The robot before works on.
    set_slider(browser, 0, '1.5')
    eventually(lambda: abs(number(browser, 'rocker') - BARS.joints(
        math.pi / 2, 1.5)['rocker']) < 1e-4)
    model.write_text(good.replace('"rocker"', '"swing_arm"'), encoding='utf-8')
    eventually(lambda: '● swing_arm' in shown(browser))
    assert 'cannot be used' not in shown(browser)
    # Its motor stays where it was.
    assert number(browser, 'swing_arm') == pytest.approx(
        BARS.joints(math.pi / 2, 1.5)['rocker'], abs=1e-4)


def test_buttons(page: tuple[Any, Viewer]) -> None:
    browser, viewer = page
    eventually(lambda: '● rocker' in shown(browser))
    set_slider(browser, 0, '1')
    eventually(lambda: number(browser, 'rocker') != 0.0)

    def press(text: str) -> None:
        button = browser.find_element('xpath', f'//button[contains(., "{text}")]')
        browser.execute_script('arguments[0].click()', button)

    press('Find its range')
    eventually(lambda: 'whole turn' in shown(browser))
    press('Home')
    eventually(lambda: '● rocker 0.0000 rad' in rows(browser))
    box = browser.find_element(
        'xpath', '//*[text()="degrees, mm"]/following::input[@type="checkbox"]')
    browser.execute_script('arguments[0].click()', box)
    eventually(lambda: 'crank [deg]' in shown(browser))
    set_slider(browser, 0, '90')
    expected = math.degrees(BARS.joints(math.pi / 2, math.pi / 2)['rocker'])
    eventually(lambda: abs(number(browser, 'rocker') - expected) < 1e-2)


def test_in_a_notebook_with_a_file_that_is_broken_at_first(
        browser: Any, model: Path, tmp_path: Path) -> None:
    good = model.read_text(encoding='utf-8')
    model.write_text(good[:len(good) // 2], encoding='utf-8')
    viewer = Viewer(model, port=18900)
    try:
        notebook = tmp_path / 'notebook.html'
        notebook.write_text(viewer._repr_html_(), encoding='utf-8')
        browser.get(notebook.as_uri())
        browser.switch_to.frame(0)
        eventually(lambda: 'four_bar.urdf cannot be used' in shown(browser))
        model.write_text(good, encoding='utf-8')
        eventually(lambda: '● rocker 0.0000 rad' in rows(browser))
    finally:
        browser.get('about:blank')
        viewer.close()
