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

"""Whether links and joints make one tree, and every mimic ends at a joint that moves."""

from __future__ import annotations

from collections.abc import Collection, Container

from .elements import Element
from .joint_elements import JointElement
from .number_text import LARGEST
from .problem_list import ProblemList
from ..wording import listing, quote


def check_tree(links: dict[str, Element], joints: dict[str, JointElement], complete: bool,
               problems: ProblemList) -> str | None:
    """
    Check that the joints make one tree of the links.

    :param complete: whether all joints of the file could be read: links that seem to have no
        parent are held against the file only then.
    :return: the root, or None if there is no such tree.
    """
    errors = problems.error_count
    parents: dict[str, JointElement] = {}
    for joint in joints.values():
        for end, link in (('parent', joint.parent), ('child', joint.child)):
            if link not in links:
                complete = False
                problems.error(
                    f'joint {quote(joint.name)}: its {end} is the unknown link {quote(link)}'
                    f'{problems.near(link, links)}', joint.line(end))
        other = parents.setdefault(joint.child, joint)
        if other is not joint and joint.child in links:
            problems.error(
                f'link {quote(joint.child)} has two parents, by the joints {quote(other.name)} '
                f'and {quote(joint.name)}; keep one of them and close the loop with a '
                'riod:loop_closure', joint.element.line)
    _report_cycles(parents, problems)
    roots = [link for link in links if link not in parents]
    if len(roots) > 1 and complete:
        problems.error(
            f'{len(roots)} root links: {listing(roots)}; every link but one has to be the child '
            'of a joint', links[roots[1]].line)
    return roots[0] if len(roots) == 1 and problems.error_count == errors else None


def _report_cycles(parents: dict[str, JointElement], problems: ProblemList) -> None:
    """Report joints that lead in a circle."""
    seen: dict[str, str] = {}
    for start in parents:
        link, path = start, []
        while link in parents and link not in seen:
            seen[link] = start
            path.append(parents[link])
            link = parents[link].parent
        if seen.get(link) == start:
            cycle = path[[joint.child for joint in path].index(link):][::-1]
            names = [joint.name for joint in cycle]
            problems.error(
                f'the joints {listing(names, 20)} lead in a circle; cut it: leave one out and '
                'close the loop with a riod:loop_closure' if len(cycle) > 1 else
                f'joint {quote(names[0])} joins link {quote(link)} to itself',
                min(joint.element.line for joint in cycle))


def check_mimics(joints: dict[str, JointElement], passive: Container[Element],
                 names: Collection[str], problems: ProblemList) -> dict[str, str]:
    """
    Check what the joints mimic.

    :param names: of all joints, those included that could not be read.
    :return: source by joint, for those mimics that count.
    """
    sources: dict[str, str] = {}
    for joint in joints.values():
        if 'mimic' not in joint.parts:
            continue
        line = joint.line('mimic')
        where = f'joint {quote(joint.name)}'
        source = joint.parts['mimic'].get('joint', '')
        if not source:
            problems.error(f'{where}: <mimic> names no joint; write <mimic joint="..."/>', line)
        elif source not in names:
            problems.error(f'{where} mimics the unknown joint {quote(source)}'
                           f'{problems.near(source, names)}', line)
        elif source not in joints:
            continue
        elif not joints[source].moving:
            problems.error(
                f'{where} mimics joint {quote(source)}, which is {joints[source].kind} and has '
                'no position to follow; name a joint that moves', line)
        elif joint.element in passive:
            problems.warning(
                f'{where} is passive (riod:actuated) and has a <mimic>: the loop closures decide '
                'its position, the mimic is ignored; remove one of the two', line)
        elif not joint.moving:
            problems.warning(f'{where} is {joint.kind}: its <mimic> is ignored', line)
        else:
            sources[joint.name] = source
    sources = _without_cycles(sources, joints, problems)
    _check_factors(sources, joints, problems)
    return sources


def _without_cycles(sources: dict[str, str], joints: dict[str, JointElement],
                    problems: ProblemList) -> dict[str, str]:
    """Report mimics that lead in a circle, and leave them out."""
    sources = dict(sources)
    seen: dict[str, str] = {}
    for start in list(sources):
        name, path = start, []
        while name in sources and name not in seen:
            seen[name] = start
            path.append(name)
            name = sources[name]
        if name in path:
            cycle = path[path.index(name):]
            problems.error(
                (f'the joints {listing(cycle, 20)} mimic one another in a circle'
                 if len(cycle) > 1 else f'joint {quote(name)} mimics itself')
                + '; a mimic has to follow a joint that moves by itself',
                joints[cycle[0]].line('mimic'))
            for member in cycle:
                del sources[member]
    return sources


def _check_factors(sources: dict[str, str], joints: dict[str, JointElement],
                   problems: ProblemList) -> None:
    """Report chains of mimics along which multipliers or offsets grow beyond all numbers."""
    # Multiplier and offset over the joint at the end of the chain; of no joint twice.
    known: dict[str, tuple[float, float]] = {}
    for start in sources:
        name, path = start, []
        while name in sources and name not in known:
            path.append(name)
            name = sources[name]
        multiplier, offset = known.get(name, (1.0, 0.0))
        for name in reversed(path):
            mimic = joints[name].parts['mimic']
            own = float(mimic.get('multiplier', '1'))
            multiplier, offset = own * multiplier, own * offset + float(mimic.get('offset', '0'))
            if not (abs(multiplier) <= LARGEST and abs(offset) <= LARGEST):
                problems.error(
                    f'joint {quote(name)}: along its chain of mimics the multipliers or offsets '
                    f'amount to more than {LARGEST:g} (overflow); correct a multiplier',
                    joints[name].line('mimic'))
                multiplier, offset = 1.0, 0.0  # told once, not for all that follow it
            known[name] = multiplier, offset
