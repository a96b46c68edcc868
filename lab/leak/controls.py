# SPDX-License-Identifier: Apache-2.0
"""Planted faults: edits of two kernels of the laboratory that leak, each in another way.

A machine must find every one of them, and nothing in the kernel as it is, before what it says of
another kernel means anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..checkout import LabError

SEED = 1  # always: whether a fault is found depends on the fixed secret, and must not on chance
KERNELS = Path(__file__).resolve().parent / "kernels"


@dataclass(frozen=True)
class Fault:
    """A planted leak: each text of `edits` stands once in the kernel and is replaced. `traces` are
    enough to find it.
    """

    name: str
    about: str
    edits: tuple[tuple[str, str], ...]
    traces: int

    def planted(self, text: str, file: str) -> str:
        """The kernel's text with the fault in it."""
        for old, new in self.edits:
            if text.count(old) != 1:
                raise LabError(
                    f"control {self.name}: {old!r} stands {text.count(old)} times in {file}, once "
                    "expected"
                )
            text = text.replace(old, new)
        return text


@dataclass(frozen=True)
class Controls:
    """The kernel without a leak, how many rounds are run, and its faults."""

    file: Path
    rounds: int
    faults: tuple[Fault, ...]


PRODUCTS = """    product or, \\d0l, \\d0h, \\s0l, \\s0h, \\y0l, \\y0h, \\z0l, \\z0h
    product or, \\d0l, \\d0h, \\d0l, \\d0h, \\y0l, \\y0h, \\z1l, \\z1h
    product and, \\d1l, \\d1h, \\s1l, \\s1h, \\y1l, \\y1h, \\z1l, \\z1h
    product and, \\d1l, \\d1h, \\d1l, \\d1h, \\y1l, \\y1h, \\z0l, \\z0h
"""


def _one(op: str, d: str, s: str, y: str, z: str) -> str:
    return f"    {op} PRODUCT, {y}, {z}\n    xor {d}, {s}, PRODUCT\n"


def _half_after_half() -> str:
    """The four products of a gate for the low half, then for the high half."""
    text = ""
    for h in "lh":
        d0, d1, s0, s1 = (f"\\{name}{h}" for name in ("d0", "d1", "s0", "s1"))
        y0, y1, z0, z1 = (f"\\{name}{h}" for name in ("y0", "y1", "z0", "z1"))
        text += _one("or", d0, s0, y0, z0) + _one("or", d0, d0, y0, z1)
        text += _one("and", d1, s1, y1, z1) + _one("and", d1, d1, y1, z0)
    return text


def _summed_first() -> str:
    """Both products of share 0 added before they are masked, which is ~y0 & z unmasked."""
    text = ""
    for h in "lh":
        text += f"    or PRODUCT, \\y0{h}, \\z0{h}\n    or SHIFTED, \\y0{h}, \\z1{h}\n"
        text += f"    xor PRODUCT, PRODUCT, SHIFTED\n    xor \\d0{h}, \\s0{h}, PRODUCT\n"
    return text + "".join(PRODUCTS.splitlines(keepends=True)[2:])


LOADS = "".join(
    f"    \\op X{word}{share}{half}, {40 * share + 8 * word + 4 * (half == 'h')}(STATE)\n"
    for share in (0, 1)
    for word in range(5)
    for half in "lh"
)
IN_TURNS = "".join(
    f"    \\op X{word}{share}{half}, {40 * share + 8 * word + 4 * (half == 'h')}(STATE)\n"
    for word in range(5)
    for half in "lh"
    for share in (0, 1)
)
FIRST_GATE = "    gate Rl, Rh, Gl, Gh, Gl, Gh, Gl, Gh, WORD(4), WORD(0)\n"
SHARE_0 = """    diffuse X00l, X00h, 19, 28, 0
    diffuse X10l, X10h, 29, 7, 2
    diffuse X20l, X20h, 1, 6, 0
    diffuse X40l, X40h, 7, 9, 1
    // and of share 1; the words at the border differ
    diffuse X11l, X11h, 29, 7, 2
    diffuse X31l, X31h, 10, 17, 0
    diffuse X01l, X01h, 19, 28, 0
    diffuse X21l, X21h, 1, 6, 0
    diffuse X41l, X41h, 7, 9, 1
"""
BY_WORDS = """    diffuse X31l, X31h, 10, 17, 0
    diffuse X00l, X00h, 19, 28, 0
    diffuse X01l, X01h, 19, 28, 0
    diffuse X10l, X10h, 29, 7, 2
    diffuse X11l, X11h, 29, 7, 2
    diffuse X20l, X20h, 1, 6, 0
    diffuse X21l, X21h, 1, 6, 0
    diffuse X40l, X40h, 7, 9, 1
    diffuse X41l, X41h, 7, 9, 1
"""
REGISTERS = (
    *(f"X{word}{share}{half}" for share in (0, 1) for word in range(5) for half in "lh"),
    *("Gl", "Gh", "Rl", "Rh"),
)
CHOSEN = (
    *("t4", "t2", "t3", "s2", "s4", "a3", "s5", "s7", "t5", "s11"),
    *("s0", "s1", "a6", "t1", "s3", "a5", "s10", "s8", "s6", "a2"),
    *("t0", "a7", "a4", "s9"),
)
IN_ORDER = (
    *(f"s{i}" for i in range(12)),
    *(f"a{i}" for i in range(2, 8)),
    *(f"t{i}" for i in range(6)),
)

RV32I = Controls(
    KERNELS / "ascon_p_rv32i.S",
    2,
    (
        Fault(
            "natural",
            "the products of a gate follow each other in one half of a word",
            ((PRODUCTS, _half_after_half()),),
            2000,
        ),
        Fault(
            "order",
            "products are added before a mask is",
            ((PRODUCTS, _summed_first()),),
            1000,
        ),
        Fault(
            "nomask",
            "the first gate begins from zero instead of the guard",
            ((FIRST_GATE, f"    li Gl, 0\n    li Gh, 0\n{FIRST_GATE}"),),
            2000,
        ),
        Fault(
            "reuse",
            "a share of the state serves as the guard",
            ((FIRST_GATE, f"    mv Gl, X41l\n    mv Gh, X41h\n{FIRST_GATE}"),),
            2000,
        ),
        Fault(
            "loads",
            "the two shares of a word are loaded one after the other",
            ((LOADS, IN_TURNS),),
            1000,
        ),
        Fault(
            "linear",
            "the linear layer takes the two shares of a word one after the other",
            ((SHARE_0, BY_WORDS),),
            2000,
        ),
        Fault(
            "ports",
            "registers in order: shift amounts are numbers of registers with the other share",
            tuple(
                (f"#define {name} {old}\n", f"#define {name} {new}\n")
                for name, old, new in zip(REGISTERS, CHOSEN, IN_ORDER, strict=True)
            ),
            20000,
        ),
        Fault(
            "stale",
            "the last product stays in register 31, which shifts by 31 name",
            (("    li PRODUCT, 0\n", ""),),
            20000,
        ),
    ),
)

ORDERED = """    eor \\d0, r12, \\s0
    orr lr, \\y0, \\z1
    eor \\d0, lr, \\d0
    mov r12, #0
    and r12, \\z1, \\y1
    eor \\d1, r12, \\s1
    mov lr, #0
    and lr, \\y1, \\z0
    eor \\d1, lr, \\d1
"""
TURNED = (
    ORDERED.replace("\\d0, r12, \\s0", "\\d0, \\s0, r12")
    .replace("\\d0, lr, \\d0", "\\d0, \\d0, lr")
    .replace("\\d1, r12, \\s1", "\\d1, \\s1, r12")
    .replace("\\d1, lr, \\d1", "\\d1, \\d1, lr")
)
NOT_CLEARED = ORDERED.replace("    mov r12, #0\n", "").replace("    mov lr, #0\n", "")
SHARE_1 = """    ldr r12, [sp, LOW1]
    ldm r12, {r6-r10}
    ldr r12, [sp, HIGH1]
    ldm r12, {r0-r4}
"""
LAST = """    and lr, r12, r12
    mov r5, #0
    diffuse r6, r0, r5, 19, 28, 0
    diffuse r7, r1, r6, 29, 7, 2
    diffuse r8, r2, r7, 1, 6, 0
    diffuse r9, r3, r8, 10, 17, 0
    diffuse r10, r4, r9, 7, 9, 1
    ldr lr, [sp, HIGH1]
    stm lr, {r0-r4}
"""
OTHER_REGISTERS = """    ldr r12, [sp, LOW1]
    ldm r12, {r5-r9}
    ldr r12, [sp, HIGH1]
    ldm r12, {r0-r4}
    diffuse r9, r4, r10, 7, 9, 1
    diffuse r8, r3, r9, 10, 17, 0
    diffuse r7, r2, r8, 1, 6, 0
    diffuse r6, r1, r7, 29, 7, 2
    diffuse r5, r0, r6, 19, 28, 0
    ldr lr, [sp, LOW1]
    stm lr, {r6-r10}
    ldm lr, {r5-r9}
    ldr lr, [sp, HIGH1]
    stm lr, {r0-r4}
"""

ARMV7M = Controls(
    KERNELS / "ascon_p_armv7m.S",
    2,
    (
        Fault(
            "operands",
            "a product is a second operand, where a share that it lacks follows it",
            ((ORDERED, TURNED),),
            2000,
        ),
        Fault(
            "notclear",
            "no constant between two products in a temporary register",
            ((ORDERED, NOT_CLEARED),),
            2000,
        ),
        Fault(
            "linear",
            "lr takes the pointers of both shares of the linear layer, r12 keeps share 0",
            ((SHARE_1, SHARE_1.replace("r12", "lr")),),
            2000,
        ),
        Fault(
            "share3",
            "both shares of word 3 take the first gate one after the other",
            (
                ("    eor r3, r3, r10\n", "    eor r3, r3, r10\n    eor r8, r8, r11\n"),
                ("    eor r8, r8, r11\n    eor r8, r8, r7\n", "    eor r8, r8, r7\n"),
            ),
            2000,
        ),
        Fault(
            "reg5",
            "share 1 is loaded over the registers of share 0",
            ((SHARE_1 + LAST, OTHER_REGISTERS),),
            2000,
        ),
        Fault(
            "stale",
            "register 5 keeps a word of share 0, and a shift leaves bits of share 1 bare",
            (("    and lr, r12, r12\n    mov r5, #0\n", "    and lr, r12, r12\n"),),
            2000,
        ),
        Fault(
            "guard",
            "the new guard is stored over the old one",
            (
                ("    str r12, [lr, GUARD_LOW]\n", ""),
                ("    str r12, [lr, GUARD_HIGH]\n", ""),
            ),
            2000,
        ),
    ),
)

CONTROLS = {"rtl:ibex": RV32I, "isa:armv7m": ARMV7M}
