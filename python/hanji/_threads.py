# SPDX-License-Identifier: Apache-2.0
"""How many threads work at once by default, and locks that survive a fork."""

from __future__ import annotations

import os
import threading


def usable_processors() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_forks = 0  # of this process and its ancestors
_adopting = threading.Lock()  # serialises the first use of locks in a child process


def _forked() -> None:
    global _forks, _adopting
    _forks += 1
    _adopting = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


class ForkedLock:
    """A lock for ``with``. A child process inherits it locked when another thread of the parent
    held it at the moment of the fork, and nobody would ever unlock it.

    Then RuntimeError, because what the lock protects may be half changed; with ``renew``, for what
    is whole at every moment, the child gets a new lock.
    """

    def __init__(self, *, renew: bool = False) -> None:
        self._lock, self._forks, self._renew = threading.Lock(), _forks, renew

    def __enter__(self) -> None:
        if self._forks != _forks:
            self._adopt()
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def _adopt(self) -> None:
        # Every thread of the child comes by here first, so a thread of the parent has the lock.
        with _adopting:
            if self._forks == _forks:
                return
            if self._lock.acquire(blocking=False):
                self._lock.release()
            elif self._renew:
                self._lock = threading.Lock()
            else:
                raise RuntimeError(
                    "another thread used this object when the process was forked, so it is "
                    "unusable in this child: make a new object here, or start processes with the "
                    "method spawn"
                )
            self._forks = _forks
