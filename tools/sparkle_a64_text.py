# SPDX-License-Identifier: Apache-2.0
"""Text of assembly files for AArch64: registers and the stack, functions, headers, constants."""

from __future__ import annotations

from collections.abc import Sequence

from sparkle_a64_steps import CONSTANTS, Size


def w(number: int) -> str:
    """The 32-bit view of a general register."""
    return f"w{number}"


def general(count: int, first: int = 0) -> list[int]:
    """General registers for data, in the order in which they are given out: x18 belongs to the
    platform.
    """
    return [n for n in range(first, 31) if n != 18][:count]


def pairs(registers: Sequence[str]) -> list[tuple[str, str]]:
    """Neighbours; the number is even."""
    return list(zip(registers[0::2], registers[1::2], strict=True))


def saved(used: Sequence[int]) -> list[str]:
    """The callee-saved general registers among them, filled up to whole pairs."""
    kept = [n for n in range(19, 31) if n in used]
    if len(kept) % 2:
        kept.append(next(n for n in range(19, 31) if n not in kept))
    return [f"x{n}" for n in sorted(kept)]


def save(registers: Sequence[str]) -> list[str]:
    """Push pairs of 8-byte registers; none of no registers."""
    out = []
    for i, (a, b) in enumerate(pairs(registers)):
        out.append(
            f"stp {a}, {b}, [sp, #-{8 * len(registers)}]!"
            if i == 0
            else f"stp {a}, {b}, [sp, #{16 * i}]"
        )
    return out


def restore(registers: Sequence[str]) -> list[str]:
    """Pop them."""
    out = []
    for i, (a, b) in reversed(list(enumerate(pairs(registers)))):
        out.append(
            f"ldp {a}, {b}, [sp], #{8 * len(registers)}"
            if i == 0
            else f"ldp {a}, {b}, [sp, #{16 * i}]"
        )
    return out


def lines(*parts: str | Sequence[str]) -> list[str]:
    """Flatten; instructions are indented, labels and comments are not."""
    out = []
    for part in parts:
        for line in [part] if isinstance(part, str) else part:
            plain = line.endswith(":") or line.startswith((".", "//", "#", "/*")) or not line
            out.append(line if plain else f"    {line}")
    return out


FUNCTION = """\
.p2align 4
.global {name}
.hidden {name}
.type {name}, %function"""


def function(name: str, *body: str | Sequence[str]) -> list[str]:
    """A function with its symbol."""
    return lines(
        FUNCTION.format(name=name).splitlines(), f"{name}:", *body, f".size {name}, .-{name}", ""
    )


def header(
    name: str,
    size: Size,
    isa: str,
    blocks: int,
    arguments: str,
    args: str,
    what: str,
    stack: int,
    secrets: str,
    spec: str = "",
) -> list[str]:
    """The comment that hanji-lab reads."""
    return f"""\
// {what}
// void {name}({arguments});
/* kernel:
     spec: {spec or f"sparkle{size.bits}.permute"}
     isa: {isa}
     blocks: {blocks}
     args: {{ {args} }}
     aliasing: in place
     stack: {stack}
     secrets: {secrets}
*/""".splitlines()


def file(what: str, *parts: Sequence[str]) -> str:
    """A whole file."""
    top = f"""\
// SPDX-License-Identifier: Apache-2.0
// {what}
// Beierle et al., specification v1.2, section 2.1.
#include "support/cpu.h"

#ifdef HANJI_A64
"""
    body = "\n".join(line for part in parts for line in part)
    return (
        f'{top}{body}\n#endif\n\n#if defined(__linux__)\n.section .note.GNU-stack, "", '
        "%progbits\n#endif\n"
    )


def constant_table(label: str) -> list[str]:
    """c0 .. c7."""
    return lines(".p2align 4", f"{label}:", [".word " + ", ".join(f"0x{c:08x}" for c in CONSTANTS)])
