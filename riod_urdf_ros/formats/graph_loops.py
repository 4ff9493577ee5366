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


"""From a graph of bodies and joints to a tree and the joints at which its loops are cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from .cut_joints import CutKind
from .xml_values import fault
from ..wording import listing

# Equations that a cut adds to what has to be solved. A hinge may be cheaper (in a planar loop),
# but then so are all of its loop.
_ROWS: Mapping[CutKind, float] = {
    'fixed': 6.0, 'prismatic': 5.5, 'revolute': 5.0, 'continuous': 5.0, 'universal': 4.0,
    'ball': 3.0}
_NEVER = 100.0


@dataclass(frozen=True)
class Edge:
    """
    A joint of a graph.

    :param needed: whether its position has to be known or solved for: a motor, a mimic.
    """

    name: str
    kind: CutKind
    parent: str
    child: str
    needed: bool = False


Step = tuple[Edge, Literal['forward', 'backward']]


def spanning_tree(bodies: Sequence[str], edges: Sequence[Edge], root: str,
                  ) -> tuple[list[Step], list[Edge]]:
    """
    Cut every loop at the joint that costs the fewest equations.

    :param bodies: in document order.
    :param root: where the tree begins.
    :return: the joints of the tree from the root on, each with the way it is passed, and the
        joints that are cut.
    :raises DescriptionError: if a body is not joined to the root.
    """
    # A spanning tree of the largest weight leaves out the cheapest joint of every loop.
    order = sorted(range(len(edges)), key=lambda i: (
        -_ROWS[edges[i].kind] - (_NEVER if edges[i].needed else 0.0), i))
    group = {body: body for body in bodies}

    def find(body: str) -> str:
        while group[body] != body:
            group[body] = group[group[body]]
            body = group[body]
        return body

    kept, cut = set[int](), set[int]()
    for i in order:
        a, b = find(edges[i].parent), find(edges[i].child)
        group[a] = b
        (cut if a == b else kept).add(i)
    apart = [body for body in bodies if find(body) != find(root)]
    if apart:
        raise fault(f'{listing(apart)} {"are" if len(apart) > 1 else "is"} not joined to {root}; '
                    'a URDF is one tree: join them, with a fixed joint or a free one')
    around: dict[str, list[tuple[int, str]]] = {body: [] for body in bodies}
    for i in sorted(kept):
        around[edges[i].parent].append((i, edges[i].child))
        around[edges[i].child].append((i, edges[i].parent))
    steps: list[Step] = []
    seen, waiting = {root}, [root]
    while waiting:
        body = waiting.pop(0)
        for i, other in around[body]:
            if other not in seen:
                seen.add(other)
                waiting.append(other)
                steps.append((edges[i], 'forward' if edges[i].parent == body else 'backward'))
    return steps, [edges[i] for i in sorted(cut)]
