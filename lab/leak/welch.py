# SPDX-License-Identifier: Apache-2.0
"""Welch's t-test, fixed against random, from exact sums.

A trace adds the number of toggles of a net, and its square, to two integers of its class. Sums of
integers have no rounding error and may be added in any order, so one pass over the traces is
enough, and a test that was interrupted gives the same statistics as one that was not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

TRACES_LEAST = 25_000  # below, a test that finds nothing says nothing: see docs/leakage.md
SUM_THRESHOLD = 4.5  # of the sum of all nets: the customary one of fixed-against-random tests
FALSE_ALARMS = 1e-5  # probability that any net passes the threshold where nothing leaks

ALL = 0xFFFFFFFF  # in the place of a net: the sum of all nets
Sums = tuple[int, int, int, int]  # toggles of both classes, squares of both classes
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Statistics:
    """The traces of each class, and the sums of each place at which anything toggled: `places` has
    rows of cycle and net in increasing order, `sums` rows of Sums.
    """

    traces: tuple[int, int]
    places: Integers
    sums: Integers


def added(parts: Sequence[Statistics]) -> Statistics:
    """Several sets of traces as one."""
    every = np.concatenate([part.places for part in parts])
    places, where = np.unique(every, axis=0, return_inverse=True)
    sums = np.zeros((len(places), 4), np.int64)
    np.add.at(sums, where.reshape(-1), np.concatenate([part.sums for part in parts]))
    traces = (sum(part.traces[0] for part in parts), sum(part.traces[1] for part in parts))
    return Statistics(traces, places, sums)


def t_value(traces: tuple[int, int], sums: Sums) -> float:
    """Welch's t of two classes: the difference of the means over its standard error, with unbiased
    variances. Infinite where both classes are constant and differ.
    """
    (n, m), (x, y, xx, yy) = traces, sums
    if n < 2 or m < 2:
        raise ValueError(f"{n} and {m} traces given, at least 2 of each class expected")
    # (x/n - y/m) / sqrt(u / (n n (n-1)) + v / (m m (m-1))), in integers up to the division
    u, v = n * xx - x * x, m * yy - y * y
    difference = x * m - y * n
    if difference == 0:
        return 0.0
    if u == 0 and v == 0:
        return math.copysign(math.inf, difference)
    error = u * m * m * (m - 1) + v * n * n * (n - 1)
    return difference / math.sqrt(error / ((n - 1) * (m - 1)))


def varies(traces: tuple[int, int], sums: Sums) -> bool:
    """Whether the traces of both classes together are not all equal: only then there is a test."""
    n, total, squares = sum(traces), sums[0] + sums[1], sums[2] + sums[3]
    return n * squares != total * total


def threshold(tests: int, false_alarms: float = FALSE_ALARMS) -> float:
    """The |t| that any of so many tests passes with the given probability if nothing leaks, by
    Sidak; for many traces t is normally distributed.
    """
    each = -math.expm1(math.log1p(-false_alarms) / max(tests, 1))
    return -NormalDist().inv_cdf(each / 2)


@dataclass(frozen=True)
class Test:
    """One tested place."""

    cycle: int
    net: int
    t: float


@dataclass(frozen=True)
class Judgement:
    """What the tests say. `sums` are the cycles whose sum of all nets is over SUM_THRESHOLD, `nets`
    the places over `limit`; both begin with the largest |t|.
    """

    traces: tuple[int, int]
    tests: int
    limit: float
    worst_sum: Test | None
    worst_net: Test | None
    sums: tuple[Test, ...]
    nets: tuple[Test, ...]

    @property
    def leaks(self) -> bool:
        """Whether anything is over its threshold."""
        return bool(self.sums or self.nets)

    @property
    def verdict(self) -> str:
        """leaks, passes, or undecided: nothing found in too few traces, or nothing to test."""
        if self.leaks:
            return "leaks"
        return "passes" if self.tests and sum(self.traces) >= TRACES_LEAST else "undecided"


def judged(found: Statistics) -> Judgement:
    """All tests of a set of traces."""
    sums: list[Test] = []
    nets: list[Test] = []
    for (cycle, net), row in zip(found.places.tolist(), found.sums.tolist(), strict=True):
        values = (row[0], row[1], row[2], row[3])
        if varies(found.traces, values):
            test = Test(cycle, net, t_value(found.traces, values))
            (sums if net == ALL else nets).append(test)
    for tests in (sums, nets):
        tests.sort(key=lambda test: (-abs(test.t), test.cycle, test.net))
    limit = threshold(len(nets))
    return Judgement(
        found.traces,
        len(nets),
        limit,
        sums[0] if sums else None,
        nets[0] if nets else None,
        tuple(test for test in sums if abs(test.t) > SUM_THRESHOLD),
        tuple(test for test in nets if abs(test.t) > limit),
    )
