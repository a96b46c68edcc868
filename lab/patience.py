# SPDX-License-Identifier: Apache-2.0
"""How long to wait for another program: limits of an idle machine, scaled to the one that runs.

A limit is there to end what hangs. On a slow or busy machine the same work takes longer, and is
no failure. Processor time, too, is longer where somebody else's programs share the core: the
same calibration says how much longer.
"""

from __future__ import annotations

import os
import random
import re
import time
import zlib

# processor seconds of `_work` on the machine for which limits are written: a quiet core of an EPYC
# of the Zen 4 family, CPython 3.11
REFERENCE = 0.010
FRESH = 20.0  # seconds until a calibration is made again: the load of a machine changes
RUNS = 3
_last: tuple[float, float, float] | None = None

_drawn = random.Random(1)
_TEXT = "".join(_drawn.choices("abcdefgh \n0123", k=60_000))
_BYTES = _TEXT.encode()
_NUMBERS = [_drawn.random() for _ in range(8_000)]
_WORD = re.compile(r"[a-c]+\d*")


def _work() -> None:
    """A mixture as tests have it: an interpreter, and C that compresses, searches, sorts and goes
    through memory. A core that is shared is slower in each of them by another factor."""
    total = 0
    for number in range(60_000):
        total += number & 7
    zlib.compress(_BYTES, 6)
    _WORD.findall(_TEXT)
    sorted(_NUMBERS)
    table: dict[tuple[str, int], int] = {}
    for number, letter in enumerate(_TEXT[:30_000]):
        table[letter, number & 1023] = number


def scale(processor: float, wall: float, load: float, cores: int) -> float:
    """How much longer than on an idle reference machine a program may take; 1 at least.

    `processor` and `wall` are the seconds that the calibration took, `load` is the number of
    processes that want to run. A slow processor and a shared one multiply.
    """
    slower = max(1.0, processor / REFERENCE)
    shared = max(1.0, wall / processor if processor else 1.0, load / cores)
    return slower * shared


def _calibrated() -> tuple[float, float]:
    """The scale of limits, and of processor time, on this machine now; calibrated in a few
    hundredths of a second unless that was done just before."""
    global _last
    now = time.monotonic()
    if _last is None or now - _last[0] > FRESH:
        runs = []
        for _ in range(RUNS):
            wall, processor = time.perf_counter(), time.thread_time()
            _work()
            runs.append((time.thread_time() - processor, time.perf_counter() - wall))
        # The quickest run says how fast the processor is; all of them together, how much of it we
        # get.
        processor, total = min(run[0] for run in runs), sum(run[0] for run in runs)
        shared = sum(run[1] for run in runs) / max(total, 1e-9)
        load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
        _last = (
            now,
            scale(processor, processor * shared, load, os.cpu_count() or 1),
            max(1.0, total / RUNS / REFERENCE),
        )
    return _last[1:]


def factor() -> float:
    """The scale of limits of time on this machine now: 1 on an idle reference machine, or more."""
    return _calibrated()[0]


def slowness() -> float:
    """Processor seconds here, now, for one on a quiet core of the reference machine; 1 at least."""
    return _calibrated()[1]


def timeout(seconds: float) -> float:
    """A limit of `seconds` on an idle machine, as long as it must be on this one, now."""
    return seconds * factor()
