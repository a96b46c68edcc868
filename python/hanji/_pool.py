# SPDX-License-Identifier: Apache-2.0
"""A pool of threads that still works while the interpreter ends."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from typing import Any, TypeVar

_T = TypeVar("_T")
_A = TypeVar("_A")


class Pool:
    """Threads for a ``with`` block, which ends when all work is done.

    From the moment when Python begins to end, its own pools refuse work and it starts no threads,
    with a RuntimeError. Daemon threads still run then, and so do functions of :mod:`atexit`: here
    the thread that submits does the work itself.
    """

    def __init__(self, threads: int) -> None:
        self._threads: Any = None
        try:
            from concurrent.futures import ThreadPoolExecutor  # which registers itself for the end

            self._threads = ThreadPoolExecutor(threads, thread_name_prefix="hanji")
        except RuntimeError:
            pass

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        if self._threads is not None:
            self._threads.shutdown()

    def submit(self, work: Callable[..., _T], /, *arguments: Any) -> Future[_T]:
        """Have ``work(*arguments)`` done; what it returns or raises is in the result."""
        future: Future[_T] = Future()
        # Where no thread can be started, the work is in the queue of those that run nevertheless.
        begun = threading.Lock()

        def once() -> None:
            if not begun.acquire(blocking=False) or not future.set_running_or_notify_cancel():
                return
            try:
                result = work(*arguments)
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)

        try:
            if self._threads is not None:
                self._threads.submit(once)
                return future
        except RuntimeError:
            pass
        once()
        return future

    def map(self, work: Callable[[_A], _T], each: Iterable[_A]) -> list[_T]:
        """What ``work`` returns for each, in order; the first error in that order is raised."""
        futures = [self.submit(work, one) for one in each]
        try:
            return [future.result() for future in futures]
        finally:
            for future in futures:
                future.cancel()
