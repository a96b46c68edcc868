# SPDX-License-Identifier: Apache-2.0
"""Kernels that hand all of a call on to a function with smaller groups (`HANJI_VECTOR_CTR_PARTS`).

`NAME_parts(out, in, k * groups, counter, keys)` has the same arguments as `NAME`, and k groups for
each of its own. What is proved of `NAME_parts` for any number of groups holds for every multiple of
k; what is left to show of `NAME` is that it comes there with nothing changed but that number, by a
jump, or by a call with the stack as calls have it, behind which it only gives back registers.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from ..kernels import Kernel
from .contracts import Task
from .graph import Graph
from .induct import STACKS, Call, registers_of, same_cell
from .pcode import Image, Machine, OpenError, in_file
from .values import Lin, RefusedError, UndecidedError, scaled
from .x86 import X86

MORE = Lin(0, {"more": 1})  # groups of a call
PARTS = "_parts"  # behind the name of a kernel


@dataclass(frozen=True)
class Inner:
    """A function as a kernel of its own, and the instructions on the way to it."""

    kernel: Kernel
    executed: set[int]


def inner_of(kernel: Kernel, image: Image, task: Task) -> Inner | None:
    """The function to which a kernel hands its calls on, None where there is none that the prover
    can follow to. `task` is any one of the kernel's.
    """
    target = image.symbols.get(kernel.symbol + PARTS)
    if target is None or not task.counted:
        return None
    g = Graph()
    g.known = {}
    call = Call(g, image, task)
    m = call.entry(MORE)
    number = next(name for name, what in registers_of(task) if what.get("value") == "groups")
    try:
        if m.run(image.symbols[kernel.symbol], lambda pc: pc == target) is None:
            return None
        count = m.register(number)
        parts = count.factors.get("more", 0) if isinstance(count, Lin) else 0
        wanted = scaled(MORE, parts, call.isa.width)
        if parts < 2 or count != wanted or kernel.blocks % parts:
            return None
        if not _handed_on(call, m, call.entry(wanted)):
            return None
    except (OpenError, RefusedError, UndecidedError):
        return None
    inner = replace(kernel, function=kernel.symbol + PARTS, blocks=kernel.blocks // parts)
    return Inner(inner, set(m.executed))


def _handed_on(call: Call, m: Machine, wanted: Machine) -> bool:
    """Whether a machine at the function is where a call of that function begins, and what is behind
    its return is right; it is run on to there.
    """
    image, at = call.image, m.register("sp")
    if _stores(m):
        return False

    def alike(space: str, but: Collection[int] = ()) -> bool:
        held = m.spaces.get(space, {})
        return all(
            at in but or (at in held and same_cell(held[at], cell))
            for at, cell in wanted.spaces[space].items()
        )

    if not all(alike(space) for space in wanted.spaces if space not in ("register", *STACKS)):
        return False
    if at == wanted.register("sp"):  # a jump, and nothing behind it
        return all(alike(space) for space in ("register", *STACKS) if space in wanted.spaces)
    if call.isa is not X86 or call.task.kernel.stack is not None:
        return False
    kept = {place for name in (*call.saved, "sp") for place in _places(image, name)}
    if not alike("register", kept) or not isinstance(at, Lin) or at.factors != {"stack": 1}:
        return False
    back = in_file(m.read("stack", at.c, 8))
    if at.c % 16 != 8 or not isinstance(back, int):
        return False
    m.spaces = {name: m.spaces[name] for name in ("register", "stack")}
    for place in set(m.spaces["register"]) - kept:
        del m.spaces["register"][place]  # what the function need not give back
    m.spaces["stack"] = {
        place: cell for place, cell in m.spaces["stack"].items() if place > at.c + 7
    }
    m.set_register("sp", Lin(at.c + 8, {"stack": 1}))
    m.forget_flags()
    if m.run(back, lambda pc: False) is not None or _stores(m):
        return False
    call.check_return(m)
    return True


def _stores(m: Machine) -> bool:
    """Whether a run stores anything but on the stack."""
    return any(name not in STACKS for name, _, _ in m.stores)


def _places(image: Image, name: str) -> range:
    """The bytes of a register."""
    _, at, size = image.registers[name]
    return range(at, at + size)
