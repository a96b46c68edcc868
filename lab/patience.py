# SPDX-License-Identifier: Apache-2.0
"""How long to wait for another program: limits of an idle machine, scaled to the one that runs.

A limit is there to end what hangs. On a slow or busy machine the same work takes longer, and is
no failure.
"""

from __future__ import annotations

import os
import time

# processor seconds of `_work` on the machine for which limits are written: x86-64, CPython 3.11
REFERENCE = 0.012
FRESH = 20.0  # seconds until a calibration is made again: the load of a machine changes
_last: tuple[float, float] | None = None


def _work() -> int:
    total = 0
    for number in range(200_000):
        total += number & 7
    return total


def scale(processor: float, wall: float, load: float, cores: int) -> float:
    """How much longer than on an idle reference machine a program may take; 1 at least.

    `processor` and `wall` are the seconds that the calibration took, `load` is the number of
    processes that want to run. A slow processor and a shared one multiply.
    """
    slower = max(1.0, processor / REFERENCE)
    shared = max(1.0, wall / processor if processor else 1.0, load / cores)
    return slower * shared


def factor() -> float:
    """The scale of this machine now, calibrated in a few hundredths of a second."""
    global _last
    now = time.monotonic()
    if _last is None or now - _last[0] > FRESH:
        runs = []
        for _ in range(3):
            wall, processor = time.perf_counter(), time.process_time()
            _work()
            runs.append((time.process_time() - processor, time.perf_counter() - wall))
        # The quickest run says how fast the processor is; all of them together, how much of it we
        # get.
        processor, wall = min(run[0] for run in runs), sum(run[1] for run in runs)
        shared = wall / max(sum(run[0] for run in runs), 1e-9)
        load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
        _last = now, scale(processor, processor * shared, load, os.cpu_count() or 1)
    return _last[1]


def timeout(seconds: float) -> float:
    """A limit of `seconds` on an idle machine, as long as it must be on this one, now."""
    return seconds * factor()
