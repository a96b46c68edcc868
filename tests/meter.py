# SPDX-License-Identifier: Apache-2.0
"""Processor time of tests: of this process, of its children, and of theirs, by who caused it.

Processor time depends little on what else the machine does; wall time does. Where others share
the core itself, processor time grows as well: `slowness` says how much, and what is charged is
seconds of a quiet core. A build on all cores counts the time of all of them. What lives on after
its test is charged to that test as long as it lives.
"""

from __future__ import annotations

import collections
import contextlib
import os
import resource
from collections.abc import Callable, Iterator
from pathlib import Path

from hanji_lab import patience

PROC = Path("/proc")
TICK = os.sysconf("SC_CLK_TCK")

Child = tuple[int, int]  # process and the time of its start: numbers of processes come again


def living(parent: int) -> dict[Child, float]:
    """Processor seconds of all that live below `parent`, each with the children that it has waited
    for."""
    found: dict[Child, float] = {}
    waiting = [parent]
    while waiting:
        for listing in PROC.glob(f"{waiting.pop()}/task/*/children"):
            with contextlib.suppress(OSError):  # a process or thread that ends while we look
                for child in map(int, listing.read_text().split()):
                    fields = (PROC / str(child) / "stat").read_text().rpartition(")")[2].split()
                    found[child, int(fields[19])] = sum(map(int, fields[11:15])) / TICK
                    waiting.append(child)
    return found


class Meter:
    """Splits the processor time since it was made among owners; whoever is at work owns what is
    spent. `slowness` says how many seconds this machine needs, now, for one that is charged."""

    def __init__(self, slowness: Callable[[], float] = lambda: 1.0) -> None:
        self._slowness = slowness
        self._slow = slowness()  # when the last lap ended
        self.here = 0.0  # processor seconds as this machine counted them
        self.spent: collections.Counter[str] = collections.Counter()
        self.needs: dict[str, set[str]] = collections.defaultdict(
            set,
        )  # owner -> shared work that it asked for
        self._owner = ""
        self._owners: dict[Child, str] = {}
        self._seen = living(os.getpid())
        self._total = self._read(self._seen)

    @staticmethod
    def _read(children: dict[Child, float]) -> float:
        whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        usages = [resource.getrusage(who) for who in whose]
        return sum(usage.ru_utime + usage.ru_stime for usage in usages) + sum(children.values())

    def _lap(self) -> None:
        """Charge what was spent since the last lap: to the owner, but a child that began under
        another one to that one."""
        children = living(os.getpid())
        total = self._read(children)
        left = total - self._total
        before, self._slow = self._slow, self._slowness()
        slow = (before + self._slow) / 2
        self.here += left
        for child, seconds in children.items():
            owner = self._owners.setdefault(child, self._owner)
            if owner != self._owner:
                since = seconds - self._seen.get(child, 0.0)
                self.spent[owner] += since / slow
                left -= since
        self.spent[self._owner] += left / slow
        self._seen, self._total = children, total

    @contextlib.contextmanager
    def charge(self, owner: str, shared: bool = False) -> Iterator[None]:
        """What runs inside belongs to `owner`. With `shared` it is work that others use too, and
        its asker is remembered."""
        self._lap()
        before, self._owner = self._owner, owner
        if shared:
            self.needs[before].add(owner)
        try:
            yield
        finally:
            self._lap()
            self._owner = before


METER = Meter(patience.slowness)
