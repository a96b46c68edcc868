# SPDX-License-Identifier: Apache-2.0
"""Write the SPARKLE kernels of one state for x86-64:
src/sparkle/generated/sparkle{384,512}_avx512.S.

    tools/sparkle_x86.py            write all files
    tools/sparkle_x86.py --check    compare them with what would be written; exit status 1 when one differs

One state has more operations than the integer units can do in the time of its longest chain, and
the chains are twice as long in the vector units. So both work: the ARX-boxes of the left branches
run in general registers, those of the right branches in the first lane of vector registers. A right
branch is a left branch of the step before, which the linear layer does not change (Beierle et al.,
specification v1.2, section 2.1). So there is time to carry it over, and the vector units are not
waited for as long as a right box takes less than two left ones with their linear layers.

An ARX-box rotates nothing but y, which stays rotated: y ^= x >>> s is done as (y <<< s) ^= x. The
rotation of y is then made beside the addition to x, and a round takes three operations one after
the other instead of four. Between steps y is kept as y <<< 16, in which l() of the linear layer has
no rotation.

With AVX-512 a vector rotation is one instruction. Without it, it is three, two of them one after
the other, and the right boxes are waited for: measured slower than the compiler's code for general
registers alone. So it is for SPARKLE256, which has only four boxes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from generated import complete, write_or_check

ROOM = "src/sparkle/generated"
CONSTANTS = (
    0xB7E15162,
    0xBF715880,
    0x38B4DA56,
    0x324E7738,
    0xBB1185EB,
    0x4F7C7B57,
    0xCFBFA1C8,
    0xC2B3293D,
)
ROTATIONS = ((31, 24), (17, 17), (0, 31), (24, 16))
STEPS_MAX = 64
BETWEEN = 16  # y is rotated to the left by so much between steps

# rdi: the state; rsi: how many are left; r14: the numbers of the next step; rdx: those after the
# last. No data in any of these.
BRANCHES = ("eax", "ecx", "ebx", "r8d", "r9d", "r10d", "r11d", "r15d")
SUM_X, SUM_Y, SPARE = "r12d", "r13d", "ebp"
SAVED = ("rbx", "rbp", "r12", "r13", "r14", "r15")

Pair = tuple[str, str]  # the registers of x and y of a branch


@dataclass
class State:
    """Where the branches are: to the left in general registers, to the right in vector registers."""

    left: list[Pair]
    right: list[Pair]


def rotations() -> list[tuple[int, int]]:
    """By how much y is rotated to the right before the addition and before the xor of each round."""
    found, now = [], -BETWEEN
    for r, s in ROTATIONS:
        found.append(((r - now) % 32, (-s - r) % 32))
        now = -s
    assert (now + BETWEEN) % 32 == 0
    return found


def left_box(branch: Pair, constant: int) -> list[str]:
    """An ARX-box in general registers."""
    x, y = branch
    box = []
    for before_addition, before_xor in rotations():
        box += [
            f"ror ${before_addition}, %{y}",
            f"add %{y}, %{x}",
            f"ror ${before_xor}, %{y}",
            f"xor %{x}, %{y}",
            f"xor ${constant:#x}, %{x}",
        ]
    return box


def right_box(branch: Pair, constant: str) -> list[str]:
    """The same in vector registers."""
    x, y = branch
    box = []
    for before_addition, before_xor in rotations():
        box += [
            f"vprord ${before_addition}, %{y}, %{y}",
            f"vpaddd %{y}, %{x}, %{x}",
            f"vprord ${before_xor}, %{y}, %{y}",
        ]
        box += [f"vpxor %{x}, %{y}, %{y}", f"vpxor %{constant}, %{x}, %{x}"]
    return box


def in_turn(boxes: Sequence[list[str]]) -> list[str]:
    """One operation of each box in turn."""
    return [line for lines in zip(*boxes, strict=True) for line in lines]


def merged(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """Two lists in one, evenly."""
    places = [(i / len(first), 0, line) for i, line in enumerate(first)] + [
        ((i + 0.5) / len(second), 1, line) for i, line in enumerate(second)
    ]
    return [line for _, _, line in sorted(places, key=lambda place: place[:2])]


def step(state: State, constants: Sequence[str]) -> tuple[list[str], State]:
    """One step and the numbers of the next, and where the branches are afterwards."""
    half = len(state.left)
    left = in_turn([left_box(state.left[j], CONSTANTS[j]) for j in range(half)])
    right = in_turn([right_box(state.right[j], constants[j]) for j in range(half)])
    sums = [f"mov %{state.left[0][1]}, %{SUM_Y}", f"mov %{state.left[0][0]}, %{SUM_X}"]
    for x, y in state.left[1:]:
        sums += [f"xor %{y}, %{SUM_Y}", f"xor %{x}, %{SUM_X}"]
    # l() of both, for words rotated by 16 and for those that are not
    for total, shift in ((SUM_Y, "shr"), (SUM_X, "shl")):
        sums += [f"mov %{total}, %{SPARE}", f"{shift} $16, %{SPARE}", f"xor %{SPARE}, %{total}"]
    after = State([*state.left[1:], state.left[0]], state.right)
    swap = []
    for part, total in ((1, SUM_X), (0, SUM_Y)):  # y first: it is needed first
        for here, there in zip(state.left, state.right, strict=True):
            swap += [
                f"vmovd %{there[part]}, %{SPARE}",
                f"vmovd %{here[part]}, %{there[part]}",
                f"xor %{total}, %{here[part]}",
            ]
            if part == 1 and here in after.left[:2]:
                swap.append(f"xor {8 + 4 * after.left.index(here)}(%r14), %{here[part]}")
            swap.append(f"xor %{SPARE}, %{here[part]}")
    # The order in memory decides what goes first where units are scarce; this one was measured to
    # be the best of several (Zen 5).
    early = len(right) // 3
    return [
        *merged(right[:early], left),
        *merged(right[early:], sums),
        *swap,
        "add $8, %r14",
    ], after


def load(state: State) -> list[str]:
    """A state into registers."""
    half, lines = len(state.left), []
    for j, (x, y) in enumerate(state.right):
        lines += [f"vmovd {8 * (half + j)}(%rdi), %{x}", f"vmovd {8 * (half + j) + 4}(%rdi), %{y}"]
    for j, (x, y) in enumerate(state.left):
        lines += [f"mov {8 * j}(%rdi), %{x}", f"mov {8 * j + 4}(%rdi), %{y}"]
    return lines + turn(state) + add_numbers(state)


def add_numbers(state: State) -> list[str]:
    """The numbers of a step, or away with them."""
    return [f"xor {4 * j}(%r14), %{y}" for j, (_, y) in enumerate(state.left[:2])]


def turn(state: State) -> list[str]:
    """Between y and y <<< 16: exchange the halves."""
    return [f"vpshuflw $0xb1, %{y}, %{y}" for _, y in state.right] + [
        f"rol ${BETWEEN}, %{y}" for _, y in state.left
    ]


def store(state: State) -> list[str]:
    """A state back to memory."""
    half, lines = len(state.left), add_numbers(state) + turn(state)
    for j, (x, y) in enumerate(state.left):
        lines += [f"mov %{x}, {8 * j}(%rdi)", f"mov %{y}, {8 * j + 4}(%rdi)"]
    for j, (x, y) in enumerate(state.right):
        lines += [f"vmovd %{x}, {8 * (half + j)}(%rdi)", f"vmovd %{y}, {8 * (half + j) + 4}(%rdi)"]
    return lines


def numbers() -> list[str]:
    """What is added to y of the first two branches in each step, rotated as they are: a constant
    and the number of the step.
    """
    lines = [
        ".section .rodata",
        ".p2align 6",
        ".Lnumbers:",
        "    .set number, 0",
        f"    .rept {STEPS_MAX // 8 + 1}",
    ]
    for i, constant in enumerate(CONSTANTS):
        lines.append(
            "    .long "
            f"{(constant << BETWEEN | constant >> 32 - BETWEEN) & 0xFFFFFFFF:#010x}, (number "
            f"+ {i}) << {BETWEEN}"
        )
    return [
        *lines,
        "    .set number, number + 8",
        "    .endr",
        ".Lconstants:",
        "    .long " + ", ".join(f"{c:#x}" for c in CONSTANTS),
    ]


# What gcc writes with -fcf-protection=full: 5 is the type of the note, 0xc0000002 the property, its
# bits landing pads and shadow stack.
PROPERTY = """\
// Calls land on endbr64, and no return address is changed. Without the note a library would lose
// its marks of CET.
.section .note.gnu.property,"a",%note
    .p2align 3
    .long 4, 16, 5
    .asciz "GNU"
    .long 0xc0000002, 4, 3, 0
"""


def kernel(bits: int) -> str:
    """The file of one kernel."""
    half = bits // 128
    name = f"hanji_sparkle{bits}_avx512_x1"
    state = State(
        [(BRANCHES[2 * j], BRANCHES[2 * j + 1]) for j in range(half)],
        [(f"xmm{2 * j}", f"xmm{2 * j + 1}") for j in range(half)],
    )
    constants = [f"xmm{8 + j}" for j in range(half)]
    text = f"""\
// SPDX-License-Identifier: Apache-2.0
// SPARKLE{bits} for AVX-512: the left branches in general registers, the right ones in the first lane of vector registers.
// Beierle et al., specification v1.2, section 2.1. tools/sparkle_x86.py says why.
#include "support/cpu.h"

#ifdef HANJI_X86
// Apply the permutation of `steps` steps, 1 to {STEPS_MAX}, to each state.
// void {name}(uint32_t *states, size_t groups, uint32_t steps);
/* kernel:
     spec: sparkle{bits}.permute
     isa: avx512
     blocks: 1
     args: {{ rdi: {{buffer: states, bytes: {bits // 8} * groups, access: rw}}, rsi: {{value: groups}}, rdx: {{value: steps}} }}
     aliasing: in place
     stack: {8 * len(SAVED)}
     secrets: states
*/
.text
.p2align 6
.global {name}
.hidden {name}
.type {name}, @function
{name}:
    .cfi_startproc
    endbr64
    test %rsi, %rsi
    jz .Lnothing
"""
    lines = []
    for i, register in enumerate(SAVED):
        lines += [
            f"push %{register}",
            f".cfi_def_cfa_offset {16 + 8 * i}",
            f".cfi_offset {register}, -{16 + 8 * i}",
        ]
    lines += ["lea .Lnumbers(%rip), %r14", "mov %edx, %edx", "lea (%r14,%rdx,8), %rdx"]
    lines += [f"vmovd .Lconstants+{4 * (half + j)}(%rip), %{constants[j]}" for j in range(half)]
    text += (
        listed(lines)
        + ".Lstate:\n"
        + listed(["lea .Lnumbers(%rip), %r14", *load(state)])
        + ".p2align 6\n.Lsteps:\n"
    )
    ends = []
    for i in range(half):
        body, state = step(state, constants)
        ends.append(state)
        text += f"// step {i} of {half}\n" + listed(
            [*body, "cmp %rdx, %r14", f"je .Lend{i}" if i + 1 < half else "jne .Lsteps"]
        )
    for i in (half - 1, *range(half - 1)):
        text += (
            f".Lend{i}:\n" + listed(store(ends[i])) + ("    jmp .Lnext\n" if i != half - 2 else "")
        )
    text += ".Lnext:\n" + listed([f"add ${bits // 8}, %rdi", "dec %rsi", "jnz .Lstate"])
    lines = []
    for i, register in reversed(list(enumerate(SAVED))):
        lines += [
            f"pop %{register}",
            f".cfi_def_cfa_offset {8 + 8 * i}",
            f".cfi_restore {register}",
        ]
    text += (
        listed(lines)
        + ".Lnothing:\n"
        + listed(["ret", ".cfi_endproc"])
        + f".size {name}, .-{name}\n\n"
    )
    text += "\n".join(numbers()) + f"\n\n{PROPERTY}#endif\n\n"
    return text + '.section .note.GNU-stack,"",%progbits\n'


def listed(lines: Sequence[str]) -> str:
    """Instructions, one on each line."""
    return "".join(f"    {line}\n" for line in lines)


def files() -> dict[str, str]:
    """Path and text of every file."""
    made = {f"{ROOM}/sparkle{bits}_avx512.S": kernel(bits) for bits in (384, 512)}
    return complete(made, "sparkle_x86.py", "the steps of SPARKLE")


if __name__ == "__main__":
    sys.exit(write_or_check(files, "sparkle_x86.py", __doc__))
