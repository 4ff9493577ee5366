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

"""``riod_urdf bag``: recorded joint states of motors, made complete."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from pathlib import Path
import sys
from typing import TYPE_CHECKING

from .console import Cell, Console, Progress, Style
from .joint_arguments import joint_value
from ..completion.diagnostics import describe
from ..urdf.loader import read_text
from ..urdf.xml_reader import decode
from ..wording import count, listing, printable, shorten

if TYPE_CHECKING:
    from ..recordings.complete_bag import Outcome
    from ..recordings.loop_times import LoopTimes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        'Copy a ROS 2 bag (sqlite3 or mcap) or a ROS 1 bag, with a complete joint state after '
        'each one of the motors, on a topic of its own. No ROS is needed. The exit status is 1 if '
        'a loop was open.')
    parser.add_argument('bag', metavar='IN', type=Path, help='bag to read: a folder or a file')
    parser.add_argument('-o', '--output', metavar='OUT', type=Path, required=True,
                        help='bag to write, of the same kind')
    parser.add_argument('--model', metavar='MODEL', help='URDF or xacro file, instead of the '
                        'robot_description in the bag')
    parser.add_argument('--topic', metavar='NAME', help='topic of the joint states (default: '
                        '/joint_states, or the only one that has some)')
    parser.add_argument('--known', metavar='NAME', action='append', default=[],
                        help='joint whose position is known, instead of those of the motors that '
                        'it is tied to')
    parser.add_argument('--home', metavar='NAME=VALUE', action='append', default=[],
                        type=joint_value, help='position of a joint in the pose to assemble '
                        'from, rad or m (default: 0)')
    parser.add_argument('--tf', action='store_true', help='write /tf and /tf_static too; those '
                        'of the same frames in the bag are left out')


def run(arguments: argparse.Namespace) -> int:
    """
    Complete a bag.

    :return: exit status.
    """
    if find_spec('rosbags') is None:
        print("riod_urdf bag: error: rosbags is not installed (pip install 'riod_urdf_ros[bag]', "
              'or pip install rosbags)', file=sys.stderr)
        return 2
    # Not before it is needed: it takes its time to load.
    from ..recordings.complete_bag import complete_bag
    text = None if arguments.model is None else decode(
        read_text(arguments.model, arguments.mappings))
    with Progress(sys.stderr, 'messages') as progress:
        outcome = complete_bag(
            arguments.bag, arguments.output, text=text, topic=arguments.topic,
            known_joints=arguments.known, home=dict(arguments.home),
            tf=arguments.tf, progress=progress.update)
    _report(Console(sys.stdout), outcome, arguments.output)
    return int(any('open' in times.counts for times in outcome.loops))


def _report(console: Console, outcome: Outcome, output: Path) -> None:
    """Say what was written, and when loops were not closed."""
    console.write(printable(
        f'wrote {output}: {count(outcome.written, "complete joint state")} on '
        f'{outcome.written_to}, from {outcome.received} on {outcome.topic}'))
    for problem in outcome.problems:
        console.paragraph(printable(problem))
    for kind, times in outcome.notices.items():
        console.paragraph(f'{times} times: {describe(kind)}')
    if outcome.missing:
        console.paragraph(printable(
            f'never heard of {listing(outcome.missing)}: left out, with the loops that need them'))
    rows = [row for times in outcome.loops for row in _rows(times, outcome.start)]
    if rows:
        console.write()
        console.table(('LOOP GROUP', 'STATE', 'TIMES', 'TOGETHER', 'FIRST FROM', 'TO'), rows)
    elif outcome.loops and outcome.written:
        console.write('all loops were closed all the time')


def _rows(times: LoopTimes, start: int) -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    styles: dict[str, Style] = {'open': 'error', 'strained': 'warning'}
    for state, style in styles.items():
        if state not in times.counts:
            continue
        first = next(one for one in times.stretches if one.state == state)
        rows.append([shorten([times.name]), (state, style), str(times.counts[state]),
                     *(f'{1e-9 * value:.2f} s' for value in (
                         times.totals.get(state, 0), first.start - start, first.end - start))])
    return rows
