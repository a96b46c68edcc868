# SPDX-License-Identifier: Apache-2.0
"""The two designs of Shin et al., "Efficient Implementation of NIST LWC SPARKLE on 64-Bit ARMv8"
(2023), as generators for any width.

`a64` is their section 3.1: state and constants in general registers, one ARX-box after the other,
the linear layer as in their Algorithm 2, line by line. `neon` is their section 3.2: three or four
branches side by side in a vector, the sums of the linear layer in a general register. For 4, 6 and
8 branches these are SPARKLE256, 384 and 512. For 12 and 16 they are SPARKLE768 and 1024, which do
not exist: the same steps on more branches, to see where the second design begins to pay. This is
built after the paper's text, not from the authors' code: order and registers are ours where the
text leaves them open.

A generated function takes the state in x0 and makes all `steps` steps.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hanji_lab.cases import Buffer, Call, Case, Contents
from hanji_lab.kernels import Kernel
from hanji_lab.spec.sparkle import ALZETTE_ROTATIONS, CONSTANTS, Sparkle


def wide(branches: int, steps: int) -> Sparkle:
    """The specification of a width: for more than eight branches the constants of the ARX-boxes
    begin again.
    """
    return Sparkle(f"sparkle{64 * branches}", branches, steps, steps)


# Steps of the big permutations: 10, 11 and 12; with as many more for every 128 bits, 14 and 16 for
# the two that do not exist.
STEPS = {4: 10, 6: 11, 8: 12, 12: 14, 16: 16}


@dataclass(frozen=True)
class Branch:
    """The registers of one branch."""

    x: str
    y: str


def _box(branch: Branch, constant: str, scratch: str) -> list[str]:
    """One ARX-box on general registers: 15 instructions, because add takes no rotated operand and
    eor does.
    """
    x, y = branch.x, branch.y
    code = []
    for r, s in ALZETTE_ROTATIONS:
        code += (
            [f"ror {scratch}, {y}, #{r}", f"add {x}, {x}, {scratch}"]
            if r
            else [f"add {x}, {x}, {y}"]
        )
        code += [f"eor {y}, {y}, {x}, ror #{s}", f"eor {x}, {x}, {constant}"]
    return code


def _encodable(value: int) -> bool:
    """Whether eor takes a small number directly: one run of ones."""
    return value > 0 and (value // (value & -value) + 1) & (value // (value & -value)) == 0


def _step_constants(
    first: Branch, second: Branch, constant: str, number: int, scratch: str
) -> list[str]:
    code = [f"eor {first.y}, {first.y}, {constant}"]
    if _encodable(number):
        code.append(f"eor {second.y}, {second.y}, #{number}")
    elif number:
        code += [f"mov {scratch}, #{number}", f"eor {second.y}, {second.y}, {scratch}"]
    return code


def _sum(into: str, values: Sequence[str]) -> list[str]:
    return [
        f"eor {into}, {values[0]}, {values[1]}",
        *(f"eor {into}, {into}, {value}" for value in values[2:]),
    ]


def _function(name: str, body: Sequence[str], data: Sequence[str]) -> str:
    return "\n".join(
        [
            "// SPDX-License-Identifier: Apache-2.0",
            "    .text",
            "    .balign 16",
            f"    .globl {name}",
            f"{name}:",
        ]
        + [f"    {line}" for line in body]
        + ["    .balign 16", "1:", *data, '    .section .note.GNU-stack, "", %progbits', ""]
    )


_SAVE = [
    "stp x19, x20, [sp, #-96]!",
    "stp x21, x22, [sp, #16]",
    "stp x23, x24, [sp, #32]",
    "stp x25, x26, [sp, #48]",
    "stp x27, x28, [sp, #64]",
    "stp x29, x30, [sp, #80]",
]
_RESTORE = [
    "ldp x21, x22, [sp, #16]",
    "ldp x23, x24, [sp, #32]",
    "ldp x25, x26, [sp, #48]",
    "ldp x27, x28, [sp, #64]",
    "ldp x29, x30, [sp, #80]",
    "ldp x19, x20, [sp], #96",
    "ret",
]
_CONSTANTS = [f"    .word {', '.join(hex(constant) for constant in CONSTANTS)}"]


def a64(name: str, branches: int, steps: int) -> str:
    """The design of section 3.1 as assembly. With more than eight branches the right half of the
    state stays in memory.
    """
    constants = [f"w{20 + i}" for i in range(8)]
    scratch, tx, ty = "w1", "w1", "w2"
    free = [f"w{i}" for i in (*range(3, 18), 19, 28, 29, 30)]
    half = branches // 2
    in_memory = branches > 8
    held = half if in_memory else branches
    state = [Branch(free[2 * j], free[2 * j + 1]) for j in range(held)]
    moving = Branch("w30", "w19") if in_memory else None
    if in_memory:
        state = [Branch(f"w{3 + 2 * j}", f"w{4 + 2 * j}") for j in range(held)]
        if held == 8:  # w3 to w18, and w18 is left alone
            state[-1] = Branch("w17", "w28")
        moving, scratch = Branch("w19", "w29"), "w30"
    code = [
        *_SAVE,
        "adr x1, 1f",
        *(f"ldp {constants[i]}, {constants[i + 1]}, [x1, #{4 * i}]" for i in range(0, 8, 2)),
    ]
    code += [f"ldp {branch.x}, {branch.y}, [x0, #{8 * j}]" for j, branch in enumerate(state)]
    for number in range(steps):
        code += _step_constants(state[0], state[1], constants[number % 8], number, scratch)
        for j, branch in enumerate(state):
            code += _box(branch, constants[j % 8], scratch)
        left = state[:half]
        code += _sum(tx, [branch.x for branch in left]) + _sum(ty, [branch.y for branch in left])
        code += [f"eor {tx}, {tx}, {tx}, lsl #16", f"eor {ty}, {ty}, {ty}, lsl #16"]
        if moving is None:
            right = state[half:]
            for one, other in zip(right, left, strict=True):
                code += [f"eor {one.y}, {one.y}, {other.y}", f"eor {one.y}, {one.y}, {tx}, ror #16"]
            for one, other in zip(right, left, strict=True):
                code += [f"eor {one.x}, {one.x}, {other.x}", f"eor {one.x}, {one.x}, {ty}, ror #16"]
            state = right[1:] + right[:1] + left
            continue
        # the new left branch takes the registers of the old one, which goes where the right one was
        for j, branch in enumerate(left):
            place = f"[x0, #{8 * (half + j)}]"
            code += [
                f"ldp {moving.x}, {moving.y}, {place}",
                *_box(moving, constants[(half + j) % 8], scratch),
                f"stp {branch.x}, {branch.y}, {place}",
            ]
            code += [
                f"eor {branch.y}, {branch.y}, {moving.y}",
                f"eor {branch.y}, {branch.y}, {tx}, ror #16",
            ]
            code += [
                f"eor {branch.x}, {branch.x}, {moving.x}",
                f"eor {branch.x}, {branch.x}, {ty}, ror #16",
            ]
        state = left[1:] + left[:1]
    code += [f"stp {branch.x}, {branch.y}, [x0, #{8 * j}]" for j, branch in enumerate(state)]
    return _function(name, code + _RESTORE, _CONSTANTS)


def _vector_rotation(into: str, value: str, distance: int) -> list[str]:
    if distance == 16:
        return [f"rev32 {into}.8h, {value}.8h"]
    return [
        f"shl {into}.4s, {value}.4s, #{32 - distance}",
        f"sri {into}.4s, {value}.4s, #{distance}",
    ]


def _vector_box(branch: Branch, constant: str, scratch: str) -> list[str]:
    """The ARX-boxes of a vector of branches (figure 7): 25 instructions."""
    x, y = branch.x, branch.y
    code = []
    for r, s in ALZETTE_ROTATIONS:
        code += (
            [*_vector_rotation(scratch, y, r), f"add {x}.4s, {x}.4s, {scratch}.4s"]
            if r
            else [f"add {x}.4s, {x}.4s, {y}.4s"]
        )
        code += [
            *_vector_rotation(scratch, x, s),
            f"eor {y}.16b, {y}.16b, {scratch}.16b",
            f"eor {x}.16b, {x}.16b, {constant}.16b",
        ]
    return code


def _vector_sum(into: str, vectors: Sequence[str], lanes: int, scratch: str) -> list[str]:
    """l of the xor of all lanes, in every lane of `into` (figure 8)."""
    code, value = [], vectors[0]
    if len(vectors) == 2:
        code.append(f"eor {scratch}.16b, {vectors[0]}.16b, {vectors[1]}.16b")
        value = scratch
    words = [f"w{9 + i}" for i in range(lanes)]
    code += [f"umov {word}, {value}.s[{i}]" for i, word in enumerate(words)]
    code += _sum("w9", words)
    return [*code, "eor w9, w9, w9, lsl #16", "ror w9, w9, #16", f"dup {into}.4s, w9"]


def neon(name: str, branches: int, steps: int) -> str:
    """The design of section 3.2 as assembly. A group is a vector of x words and one of y words of
    three or four branches.
    """
    lanes = {4: 4, 6: 3, 8: 4, 12: 3, 16: 4}[branches]
    groups = branches // lanes
    state = [Branch(f"v{2 * g}", f"v{2 * g + 1}") for g in range(groups)]
    constants = [f"v{24 + g}" for g in range(groups)]
    box, tx, ty, u, v = "v16", "v17", "v18", "v19", "v20"
    data = []
    for g in range(groups):
        words = [CONSTANTS[(g * lanes + i) % 8] for i in range(lanes)] + [0] * (4 - lanes)
        data.append(f"    .word {', '.join(map(hex, words))}")
    data += [f"    .word {CONSTANTS[number % 8]:#x}, {number}, 0, 0" for number in range(steps)]
    code = [
        "mov x2, x0",
        "adr x1, 1f",
        *(f"ldr q{24 + g}, [x1], #16" for g in range(groups)),
        *_transfer("ld2", "x0", state, lanes),
    ]
    for _ in range(steps):
        code += ["ldr q28, [x1], #16", f"eor {state[0].y}.16b, {state[0].y}.16b, v28.16b"]
        for branch, constant in zip(state, constants, strict=True):
            code += _vector_box(branch, constant, box)
        if groups == 1:
            code += _vector_sum(tx, [state[0].x], 2, u) + _vector_sum(ty, [state[0].y], 2, u)
            for value, total in ((state[0].x, ty), (state[0].y, tx)):
                # (0, 1, 2, 3) -> (3 ^ 1 ^ t, 2 ^ 0 ^ t, 0, 1)
                code += [
                    f"ext {u}.16b, {value}.16b, {value}.16b, #8",
                    f"eor {v}.16b, {value}.16b, {total}.16b",
                ]
                code += [
                    f"eor {v}.16b, {v}.16b, {u}.16b",
                    f"rev64 {v}.4s, {v}.4s",
                    f"trn1 {value}.2d, {v}.2d, {value}.2d",
                ]
            continue
        left, right = state[: groups // 2], state[groups // 2 :]
        code += _vector_sum(tx, [branch.x for branch in left], lanes, u) + _vector_sum(
            ty, [branch.y for branch in left], lanes, u
        )
        for one, other in zip(right, left, strict=True):
            for value, old, total in ((one.x, other.x, ty), (one.y, other.y, tx)):
                code += [
                    f"eor {value}.16b, {value}.16b, {old}.16b",
                    f"eor {value}.16b, {value}.16b, {total}.16b",
                ]
        for values in ([branch.x for branch in right], [branch.y for branch in right]):
            code += _rotate_lanes(values, lanes, [u, v])
        state = right + left
    return _function(name, [*code, *_transfer("st2", "x2", state, lanes), "ret"], data)


def _rotate_lanes(values: Sequence[str], lanes: int, spare: Sequence[str]) -> list[str]:
    """Turn the branches of a half by one place: each takes that of its right neighbour, the last
    that of the first.
    """
    code = []
    first = values[0]
    if len(values) == 2:
        code.append(f"mov {spare[1]}.16b, {first}.16b")
        first = spare[1]
    for value, after in zip(values, [*values[1:], first], strict=True):
        if lanes == 4:
            code.append(f"ext {value}.16b, {value}.16b, {after}.16b, #4")
        else:  # (0, 1, 2, any) -> (any, 0, 1, 2) -> (1, 2, first of the next, any)
            code += [
                f"ext {spare[0]}.16b, {value}.16b, {value}.16b, #12",
                f"ext {value}.16b, {spare[0]}.16b, {after}.16b, #8",
            ]
    return code


def _transfer(instruction: str, pointer: str, state: Sequence[Branch], lanes: int) -> list[str]:
    """Load or store x and y words of all branches."""
    code = []
    for b in state:
        if lanes == 4:
            code.append(f"{instruction} {{{b.x}.4s, {b.y}.4s}}, [{pointer}], #32")
        else:
            code.append(f"{instruction} {{{b.x}.2s, {b.y}.2s}}, [{pointer}], #16")
            code.append(f"{instruction} {{{b.x}.s, {b.y}.s}}[2], [{pointer}], #8")
    return code


DESIGNS = {"a64": a64, "neon": neon}


def case(root: Path, directory: Path, design: str, branches: int, checks: int = 4) -> Case:
    """The generated function of one design and width as a case, written to `directory`; its outputs
    are compared with `wide`.
    """
    sparkle = wide(branches, STEPS[branches])
    name = f"{sparkle.name}_{design}_paper"
    path = directory / f"{name}.S"
    path.write_text(DESIGNS[design](f"hanji_{name}", branches, sparkle.big), encoding="utf-8")
    args = {"x0": {"buffer": "state", "bytes": sparkle.state_size, "access": "rw"}}
    kernel = Kernel(
        name=name,
        spec=f"{sparkle.name}.permute_big",
        isa=design,
        operation="permute_big",
        blocks=1,
        source=str(path),
        args=args,
        secrets=("state",),
        function=f"hanji_{name}",
    )
    source = random.Random(name)

    def expect(before: Contents) -> dict[str, bytes]:
        return {"state": sparkle.permute_big(before["state"])}

    contents = [source.randbytes(sparkle.state_size) for _ in range(checks)] + [
        bytes(sparkle.state_size),
        b"\xff" * sparkle.state_size,
    ]
    calls = tuple(Call({"x0": Buffer("state", data, "rw", 4, True)}, expect) for data in contents)
    return Case(root, kernel, (path,), (), calls, sparkle.state_size, "permute-big")
