# SPDX-License-Identifier: Apache-2.0
"""What a header may not weaken: the library calls its kernels with any addresses, in place where
its API allows that, with arguments in the order of the prototype, and with little stack.

A header says what a kernel needs. Where it says less than the library promises to callers, a proof
of that header would be no proof of the library's call, and it is refused.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from ..cases import arguments_of
from ..kernels import Kernel
from .avr import AVR
from .contracts import ISAS, KEYS, WORD
from .pcode import A64, RV32, Image, OpenError
from .thumb import ARGUMENTS as THUMB_ARGUMENTS
from .thumb import THUMB
from .values import RefusedError
from .x86 import ARGUMENTS as X86_ARGUMENTS
from .x86 import X86

# Bytes of stack that callers have: of threads on a host, of a microcontroller elsewhere.
STACK_MOST = {X86.name: 1 << 16, A64.name: 1 << 16, AVR.name: 512}
STACK_LITTLE = 4096

IN_PLACE = "out == in allowed"
LANES = "outputs may be the inputs"
# By operation what callers may rely on: texts in place. Others have outputs of their own, or work
# on a state.
ALIASING = {
    **dict.fromkeys(
        ("encrypt", "decrypt", "ctr", "short", "once", "uniform", "apply"), (IN_PLACE,)
    ),
    **dict.fromkeys(("seal", "open", "seal_blocks", "open_blocks"), (IN_PLACE, LANES)),
    "digest": ("out == message allowed", LANES),
    "ragged": (LANES,),
    "products": ("out == base allowed",),
    "power": ("out == base and out == factor allowed",),
    "permute": ("in place", IN_PLACE),
    "permute_slim": ("in place",),
    "permute_big": ("in place", LANES),
}
# The parameters of functions in src/support/kernel.h, in their order; keys have several names.
ORDERS = {
    "encrypt": ("out", "in", "groups", "keys"),
    "decrypt": ("out", "in", "groups", "keys"),
    "ctr": ("out", "in", "groups", "counter", "keys"),
    "permute": ("states", "groups", "steps"),
}
WIDE = ("steps",)  # uint32_t: two pairs of registers on AVR
NAMES = {"state": "states"} | dict.fromkeys(KEYS, "keys")
PARAMETER = re.compile(r"(const\b)?[^,]*?\b(\w+)\s*(?:\[[^]]*\])?\s*$")


def check(kernel: Kernel, source: Path) -> None:
    """RefusedError where a header weakens what the library promises."""
    if kernel.line is None or kernel.isa not in ISAS:
        return  # the command line says what such a kernel needs
    if kernel.align > WORD:
        raise RefusedError(
            f"the header asks for buffers aligned to {kernel.align} bytes; callers may give any, "
            f"and the dispatcher aligns to {WORD} at most"
        )
    promised = ALIASING.get(kernel.operation)
    if promised and kernel.aliasing not in promised:
        raise RefusedError(
            f"the header says aliasing: {kernel.aliasing}; callers rely on {' or '.join(promised)}"
        )
    most = STACK_MOST.get(ISAS[kernel.isa].name, STACK_LITTLE)
    if (kernel.stack or 0) > most:
        raise RefusedError(
            f"the header takes {kernel.stack} bytes of stack; at most {most} expected"
        )
    _ordered(kernel)
    if not kernel.source.endswith(".c"):
        _places(kernel)
        _declared(kernel, source.read_text(encoding="utf-8"))


def stack_differs(kernel: Kernel, image: Image, executed: Collection[int], lowest: int) -> str:
    """What is wrong with the bytes of stack that a header in assembly says, where a proof went down
    to a byte of it; nothing where that is right. A return address on the stack does not count. More
    than the proof takes may be said where it has not run over all of the function: other values of
    its arguments may take more.
    """
    if kernel.line is None or kernel.stack is None or kernel.source.endswith(".c"):
        return ""  # the compiler decides, and a number in a header is a bound for it
    taken = -lowest - {X86.name: 8, AVR.name: 1}.get(image.isa.name, 0)
    if max(taken, 0) == kernel.stack or not _whole(image, kernel.symbol, executed):
        return ""
    return f"the header says {kernel.stack} bytes of stack; the kernel takes {max(taken, 0)}"


def _whole(image: Image, symbol: str, executed: Collection[int]) -> bool:
    """Whether a proof ran over all instructions from a symbol to the next one."""
    pc = image.symbols.get(symbol, -1)
    end = min((at for at in image.symbols.values() if at > pc), default=-1)
    try:
        while pc < end and image.fetched(pc, 1):
            if pc not in executed and image.mnemonic(pc).lower() != "nop":  # which fills gaps
                return False
            pc += image.length(pc)
    except (OpenError, RefusedError):
        return False
    return True


def _named(kernel: Kernel) -> list[str]:
    return [str(what.get("buffer", what.get("value"))) for what in arguments_of(kernel).values()]


def _ordered(kernel: Kernel) -> None:
    """Arguments in the order of the library's function types; one group needs no count."""
    order = ORDERS.get(kernel.operation)
    names = [NAMES.get(name, name) for name in _named(kernel)]
    if order is None or not set(names) <= set(order):
        return
    if names != [name for name in order if name in names]:
        raise RefusedError(
            f"the header has the arguments {', '.join(names)}; the order {', '.join(order)} expected"
        )


def _registers(kernel: Kernel) -> Iterator[str]:
    """The registers that a call puts the arguments into, in their order."""
    isa = ISAS[kernel.isa]
    if isa is AVR:
        at = 26
        for name in _named(kernel):
            at -= 4 if name in WIDE else 2
            yield f"r{at}"
        return
    first = {X86.name: X86_ARGUMENTS, A64.name: tuple(f"x{i}" for i in range(8))}.get(isa.name)
    if isa in THUMB.values():
        first = THUMB_ARGUMENTS
    if isa is RV32:
        first = tuple(f"a{i}" for i in range(8))
    assert first is not None
    for i, _ in enumerate(_named(kernel)):
        yield first[i] if i < len(first) else f"a{i}"


def _places(kernel: Kernel) -> None:
    expected = list(_registers(kernel))
    if list(arguments_of(kernel)) != expected:
        raise RefusedError(
            f"the header has arguments in {', '.join(arguments_of(kernel))}; a call has them in "
            f"{', '.join(expected)}"
        )


def _declared(kernel: Kernel, text: str) -> None:
    """The prototype in front of the header has the same arguments, and writes no others."""
    comments = re.sub(r"\n\s*(//|\*)", " ", text)
    found = re.findall(rf"\b{re.escape(kernel.symbol)}\s*\(([^()]*)\)\s*;", comments)
    if not found:
        return
    said = [PARAMETER.match(" ".join(one.split())) for one in found[-1].split(",")]
    named = [(NAMES.get(one[2], one[2]), bool(one[1])) for one in said if one]
    wanted = []
    for what in arguments_of(kernel).values():
        name = str(what.get("buffer", what.get("value")))
        wanted.append((NAMES.get(name, name), what.get("access") == "r"))
    if named != wanted:
        raise RefusedError(
            f"the header has the arguments {_said(wanted)}; its prototype has {_said(named)}"
        )


def _said(parameters: list[tuple[str, bool]]) -> str:
    return ", ".join(f"{'const ' if const else ''}{name}" for name, const in parameters)
