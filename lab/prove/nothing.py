# SPDX-License-Identifier: Apache-2.0
"""A call with no groups: what it may do, and nothing else.

It leaves everything as it was; or it does the first group and returns; or, where the kernel tests
its count only behind a group, it runs exactly as a call with more groups does, instruction by
instruction and place by place, until that leaves the groups that are there. The last two are no
calls that the library makes. They are looked at because a kernel could do anything else there: a
verdict for one group and more would say nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from .pcode import Machine, OpenError
from .values import Lin, RefusedError, UndecidedError

LEAVES = "0 and more"
FIRST = "1 and more; 0 does the first"
BEGINS = "1 and more; 0 begins like more"
THERE = (1, 2, 4, 8, 16)  # groups that are there: a kernel may begin some before it ends the first
HOME = Lin(0, {"return": 1})


def together(none: Machine, more: Machine, pc: int) -> bool:
    """Run a call with no groups beside one with more groups than are there; whether it returns.
    RefusedError where it does anything that the other one does not.
    """
    while True:
        following, problems = [], []
        for m in (more, none):
            problem = ""
            try:
                following.append(m.step(pc))
            except UndecidedError as undecided:
                if m is more:
                    raise OpenError(f"a call with many groups: {undecided}") from undecided
                problem = str(undecided)
            except (OpenError, RefusedError) as found:
                problem = str(found)
            problems.append(problem)
        if problems[1] and problems[0] != problems[1]:
            raise RefusedError(f"a call without groups: {problems[1]}")
        if none.stores != more.stores:
            raise RefusedError(
                f"at {pc:#x} a call without groups writes elsewhere than one with more"
            )
        if problems[0]:
            if not problems[1]:
                raise RefusedError(f"at {pc:#x} a call without groups goes on: {problems[0]}")
            return False
        if following[1] == HOME:
            return True
        if not isinstance(following[1], int) or following[0] != following[1]:
            raise RefusedError(
                f"at {pc:#x} a call without groups goes elsewhere than one with more"
            )
        pc = following[1]


def beyond(
    made: Callable[[int], tuple[Machine, Machine, Callable[[Machine, bool], bool]]], start: int
) -> str:
    """What a call with no groups does that writes. `made` makes the two calls with so many groups
    there, and what says, behind both, whether the first group is done and right.
    """
    none, _, done = made(1)
    with suppress(OpenError, RefusedError):  # of which the next calls say more
        if none.run(start, lambda pc: False) is None and done(none, True):
            return FIRST
    for there in THERE:
        none, more, done = made(there)
        if together(none, more, start):
            break
        if done(none, False):
            return BEGINS
    raise RefusedError("a call without groups does neither nothing nor the first group")
