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

"""Processor time of methods that take turns, after a check that all give the same answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
import gc
from statistics import median
from time import perf_counter, process_time
from typing import Any

from mechanisms import Workload
from methods import Method, PACKAGES, RESIDUAL
import numpy as np
from oracle import Oracle
from peers import PEERS
from placo_peer import Placo

SAMPLES = 1000
SECONDS = 1.5
"""Of one method in one round, about: a slow one does fewer samples."""

AGREEMENT = 1e-6
"""Largest difference of a joint position between methods, rad and m."""

VELOCITY_AGREEMENT = 1e-4
"""
Largest difference of a joint velocity between methods, rad/s and m/s.

Peers take velocities from their last Jacobian, a correction away from the solution.
"""

_TURNS = 10  # of each method in a round
_COLD_SAMPLES = 150
# Twice the second-level cache, that of instructions included.
_OTHER_DATA = np.ones(2**20)

Calls = Sequence[tuple[Any, ...]]


@dataclass(frozen=True)
class Measurement:
    """
    What was measured on one mechanism.

    :param times: microseconds a sample, round by round; methods that failed have none.
    :param residual: the package's largest, m and rad.
    :param load: processor time that the package takes to analyse and compile, the extra's machine
        code included, s.
    """

    name: str
    times: Mapping[str, list[float]]
    residual: float
    load: float

    def ratio(self, own: str, peer: str) -> float | None:
        """Return the median over the rounds of one method's time over another's."""
        if own not in self.times or peer not in self.times:
            return None
        return median(a / b for a, b in zip(self.times[own], self.times[peer]))


def calls_of(workload: Workload, samples: int, *, velocities: bool = False) -> Calls:
    """Return the arguments of every call of a method."""
    values, rates = workload.motion(samples)
    return list(zip(values.tolist(), rates.tolist())) if velocities \
        else [(row,) for row in values.tolist()]


def measure(workload: Workload, rounds: int, *, velocities: bool = False, cold: bool = False,
            ) -> Measurement:
    """
    Time the package and its peers on a mechanism.

    A peer that does not reach the residual, or gives other answers, is left out of the times.

    :param cold: whether the caches hold other things before every sample.
    """
    calls = calls_of(workload, SAMPLES, velocities=velocities)
    oracle = Oracle(workload)
    start = process_time()
    methods: dict[str, Method] = {name: make(workload) for name, make in PACKAGES.items()}
    load = (process_time() - start) / len(methods)
    counts, residual = {}, 0.0
    for name, method in methods.items():
        answers, error = oracle.answers(method, calls, SECONDS)
        counts[name], residual = len(answers), max(residual, error)
    for name, peer in PEERS.items():
        if not peer.can(workload, velocities):
            continue
        method = peer.make(workload)
        theirs, error = oracle.answers(method, calls, SECONDS)
        allowed = np.where(np.arange(answers.shape[1]) < len(workload.robot.moving_joints),
                           AGREEMENT, VELOCITY_AGREEMENT)
        count = min(len(theirs), len(answers))
        if error <= RESIDUAL and (np.abs(theirs[:count] - answers[:count]) <= allowed).all():
            methods[name], counts[name] = method, len(theirs)
    one: Callable[..., dict[str, float]] = one_cold_round if cold else one_round
    results = [one(methods, calls, counts) for _ in range(rounds)]
    return Measurement(
        workload.name + ', velocities' * velocities + ', cold' * cold,
        {name: [result[name] for result in results] for name in results[0]}, residual, load)


def one_round(methods: Mapping[str, Method], calls: Calls, counts: Mapping[str, int],
              ) -> dict[str, float]:
    """
    Let the methods take turns.

    :param counts: the number of samples that each does.
    :return: microseconds a sample.
    """
    totals = dict.fromkeys(methods, 0.0)
    for method in methods.values():
        method.start()
    gc.collect()
    for turn in range(_TURNS):
        for name, method in methods.items():
            count = counts[name]
            part = calls[count * turn // _TURNS:count * (turn + 1) // _TURNS]
            if isinstance(method, Placo):
                totals[name] += method.time([call[0] for call in part])
                continue
            solve = method.solve
            start = process_time()
            for call in part:
                solve(*call)
            totals[name] += process_time() - start
    return {name: 1e6 * total / counts[name] for name, total in totals.items()}


def one_cold_round(methods: Mapping[str, Method], calls: Calls, _: Mapping[str, int],
                   ) -> dict[str, float]:
    """
    Let the methods take turns, a sample each, after much other memory has been read.

    :return: the median of all samples, wall-clock, microseconds.
    """
    here = {name: method for name, method in methods.items() if not isinstance(method, Placo)}
    times: dict[str, list[float]] = {name: [] for name in here}
    for method in here.values():
        method.start()
    for call in calls[:_COLD_SAMPLES]:
        for name, method in here.items():
            _OTHER_DATA.sum()
            start = perf_counter()
            method.solve(*call)
            times[name].append(perf_counter() - start)
    return {name: 1e6 * median(samples) for name, samples in times.items()}
