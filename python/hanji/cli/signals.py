# SPDX-License-Identifier: Apache-2.0
"""Every signal that would end the process, and can be caught, ends it in order: no temporary file
stays.

The exit status is 128 plus the number of the signal. A signal that arrives while files get their
names waits until they have them. SIGKILL cannot be caught; faults of the process itself (SIGSEGV
and the like) are not, because a handler of Python would return into the fault.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import sys
from typing import NoReturn

from hanji import _atomic, _system
from hanji.cli import leave_early

# What does not end a process, what cannot be caught, and faults.
_LEFT_ALONE = (
    "CHLD",
    "CONT",
    "URG",
    "WINCH",
    "TSTP",
    "TTIN",
    "TTOU",
    "STOP",
    "KILL",
    "SEGV",
    "BUS",
    "FPE",
    "ILL",
    "INFO",  # of macOS and the BSDs
)
# seconds until a process that cannot leave in order, for it waits for a pipe, leaves at once
_GRACE = 5.0

_first = 0  # the signal that ends this process, 0 while there is none
_waiting = 0  # a signal that came while files got their names


def catch_signals() -> None:
    """Install the handlers; signals that are ignored, as after nohup, stay ignored."""
    left_alone = {getattr(signal, f"SIG{name}", None) for name in _LEFT_ALONE}
    if sys.platform != "linux":
        left_alone.add(getattr(signal, "SIGIO", None))  # which ends processes on Linux alone
    for number in signal.valid_signals():
        if number not in left_alone and signal.getsignal(number) in (
            signal.SIG_DFL,
            signal.default_int_handler,
            leave_early,
        ):
            with contextlib.suppress(OSError, ValueError):
                signal.signal(number, _leave)
    _atomic.on_published = _leave_if_waiting
    # the last of these functions, before Python takes the handlers away and waits for libraries
    atexit.unregister(_end)
    atexit.register(_end)


def _end() -> None:
    """Behind everything that a signal ended in order; threads of a library, as Ray has them, would
    let the process wait, and die of another signal.
    """
    if _first:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):
                stream.flush()
        os._exit(128 + _first)


def _leave(number: int, _frame: object) -> None:
    global _first, _waiting
    if _first:
        _leave_at_once()
    if _atomic.is_publishing():
        _waiting = _waiting or number
        return
    _first = number
    _atomic.remove_temporaries()
    _system.leave_after(_GRACE, _leave_at_once)
    _raise(number)


def _leave_if_waiting() -> None:
    if _waiting and not _first:
        _leave(_waiting, None)


def _raise(number: int) -> NoReturn:
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise SystemExit(128 + number)


def _leave_at_once() -> NoReturn:
    _atomic.remove_temporaries()
    os._exit(128 + _first)
