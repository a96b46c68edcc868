# SPDX-License-Identifier: Apache-2.0
"""Small right kernels for every front end, with places where tests put in what a kernel may not do.

All are SPECK-64/128, one block per group, with a loop over the rounds. Each is proved as it is
here, which is the control of the tests that spoil it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import proving

from hanji_lab import kernels
from hanji_lab.kernels import Kernel
from hanji_lab.prove.report import Prover, Verdict


@dataclass(frozen=True)
class Small:
    """A kernel: what its header says, and its text. In the text `{entry}` is in front of the first
    instruction, `{group}` in front of a group, `{stored}` behind its stores, `{exit}` in front of
    the return, `{before}` in front of the function and `{after}` behind it.
    """

    isa: str
    registers: tuple[str, str, str, str]
    body: str
    align: int = 1
    stack: int = 0
    aliasing: str = "out == in allowed"
    keys: str = "bytes: 108"
    kind: str = "%function"

    @property
    def name(self) -> str:
        """The function's name."""
        return f"hanji_speck64_128_{self.isa}_encrypt_x1"

    def text(self, **parts: str) -> str:
        """The file, with these parts put in."""
        out, source, groups, keys = self.registers
        body = self.body
        for place in ("before", "entry", "group", "store", "stored", "exit", "after"):
            if f"{{{place}}}" in body:
                standard = STORES.get(self.isa, "") if place == "store" else ""
                body = body.replace(f"{{{place}}}", parts.pop(place, standard))
        assert not parts, f"the kernel has no place {', '.join(parts)}"
        return f"""\
// void {self.name}(uint8_t *out, const uint8_t *in, size_t groups, const void *keys);
/* kernel:
     spec: speck64_128.encrypt
     isa: {self.isa}
     blocks: 1
     align: {self.align}
     args: {{ {out}: {{buffer: out, bytes: 8 * groups, access: w}},
             {source}: {{buffer: in, bytes: 8 * groups, access: r}},
             {groups}: {{value: groups}},
             {keys}: {{buffer: keys, {self.keys}, access: r}} }}
     aliasing: {self.aliasing}
     stack: {self.stack}
     secrets: in, keys
*/
    .text
    .balign 4
    .globl {self.name}
    .type {self.name}, {self.kind}
{body.replace("NAME", self.name)}
"""

    def kernel(self, folder: Path, **parts: str) -> Kernel:
        """The kernel in a file of its own, with these parts put in."""
        path = folder / f"speck64_{self.isa}.S"
        path.write_text(self.text(**parts))
        (found,) = kernels.parse(path, folder, kernels.known_isas(proving.ROOT), free=True)
        return replace(found, source=str(path))

    def verdict(self, folder: Path, **parts: str) -> Verdict:
        """The verdict on it."""
        one = self.kernel(folder, **parts)
        proving.need(one)
        return Prover(proving.ROOT, seconds=30).prove(one)


STORES = {
    "avx2": "    mov [rdi], eax\n    mov [rdi+4], r8d",
    "a64": "    stp w4, w5, [x0]",
    "rv32i": "    sw a4, 0(a0)\n    sw a5, 4(a0)",
    "armv7m": "    str r4, [r0]\n    str r5, [r0, #4]",
}

X86 = Small(
    "avx2",
    ("rdi", "rsi", "rdx", "rcx"),
    """
    .intel_syntax noprefix
{before}
NAME:
    endbr64
{entry}
1:
{group}
    mov eax, [rsi]
    mov r8d, [rsi+4]
    xor r9d, r9d
2:  ror r8d, 8
    add r8d, eax
    xor r8d, [rcx+4*r9]
    rol eax, 3
    xor eax, r8d
    inc r9
    cmp r9, 27
    jne 2b
{store}
{stored}
    add rsi, 8
    add rdi, 8
    dec rdx
    jne 1b
{exit}
    ret
{after}
    .section .note.GNU-stack,"",@progbits
""",
)

A64 = Small(
    "a64",
    ("x0", "x1", "x2", "x3"),
    """
{before}
NAME:
{entry}
1:
{group}
    ldp w4, w5, [x1], #8
    mov x7, x3
    mov w8, #27
2:  ldr w6, [x7], #4
    ror w5, w5, #8
    add w5, w5, w4
    eor w5, w5, w6
    eor w4, w5, w4, ror #29
    subs w8, w8, #1
    b.ne 2b
{store}
    add x0, x0, #8
{stored}
    subs x2, x2, #1
    b.ne 1b
{exit}
    ret
{after}
""",
)

RV32 = Small(
    "rv32i",
    ("a0", "a1", "a2", "a3"),
    """
{before}
NAME:
{entry}
1:
{group}
    lw a4, 0(a1)
    lw a5, 4(a1)
    mv t0, a3
    addi t1, a3, 108
2:  lw a6, 0(t0)
    slli a7, a5, 24
    srli a5, a5, 8
    or a5, a5, a7
    add a5, a5, a4
    xor a5, a5, a6
    slli a7, a4, 3
    srli a4, a4, 29
    or a4, a4, a7
    xor a4, a4, a5
    addi t0, t0, 4
    bne t0, t1, 2b
{store}
{stored}
    addi a1, a1, 8
    addi a0, a0, 8
    addi a2, a2, -1
    bnez a2, 1b
{exit}
    ret
{after}
""",
    align=4,
)

ARMV7M = Small(
    "armv7m",
    ("r0", "r1", "r2", "r3"),
    """
    .syntax unified
    .thumb
{before}
    .thumb_func
NAME:
    push {r4-r7}
{entry}
1:
{group}
    ldr r4, [r1], #4
    ldr r5, [r1], #4
    mov r7, r3
    mov r12, #27
2:  add r5, r4, r5, ror #8
    ldr r6, [r7], #4
    eor r5, r5, r6
    eor r4, r5, r4, ror #29
    subs r12, r12, #1
    bne 2b
{store}
    add r0, #8
{stored}
    subs r2, r2, #1
    bne 1b
{exit}
    pop {r4-r7}
    bx lr
{after}
""",
    stack=16,
)

AVR = Small(
    "avr",
    ("r24", "r22", "r20", "r18"),
    """
    .macro rotate
    lsl r18
    rol r19
    rol r24
    rol r25
    adc r18, r1
    .endm
    .macro key byte
    ld r4, Z+
    eor \\byte, r4
    .endm
{before}
NAME:
    .irp i, 2, 3, 4, 5, 6, 7, 8, 9, 28, 29
    push r\\i
    .endr
    movw r28, r24
    movw r26, r22
    movw r6, r20
    movw r8, r18
{entry}
1:
{group}
    ld r18, X+
    ld r19, X+
    ld r24, X+
    ld r25, X+
    ld r20, X+
    ld r21, X+
    ld r2, X+
    ld r3, X+
    movw r30, r8
    ldi r22, 27
    mov r5, r22
2:  mov r22, r20
    mov r20, r21
    mov r21, r2
    mov r2, r3
    mov r3, r22
    add r20, r18
    adc r21, r19
    adc r2, r24
    adc r3, r25
    key r20
    key r21
    key r2
    key r3
    rotate
    rotate
    rotate
    eor r18, r20
    eor r19, r21
    eor r24, r2
    eor r25, r3
    dec r5
    brne 2b
    st Y+, r18
    st Y+, r19
    st Y+, r24
    st Y+, r25
    st Y+, r20
    st Y+, r21
    st Y+, r2
    st Y+, r3
{stored}
    movw r24, r6
    sbiw r24, 1
    movw r6, r24
    breq 3f
    rjmp 1b
3:
{exit}
    .irp i, 29, 28, 9, 8, 7, 6, 5, 4, 3, 2
    pop r\\i
    .endr
    ret
{after}
""",
    stack=10,
    kind="@function",
)

SMALL = {"x86": X86, "a64": A64, "rv32": RV32, "thumb": ARMV7M, "avr": AVR}
