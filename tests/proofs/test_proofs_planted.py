# SPDX-License-Identifier: Apache-2.0
"""Small kernels with what no kernel may do put in: none is proved. The same kernels without it, and
with what looks alike and is right, are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from dataclasses import replace as other
from pathlib import Path
from typing import Any

import pytest
from planted import SMALL


@dataclass(frozen=True)
class Plant:
    """A change of a small kernel, and what the verdict says of it; nothing where it is right."""

    front: str
    said: str = ""
    header: dict[str, Any] = field(default_factory=dict)
    parts: dict[str, str] = field(default_factory=dict)


def plant(front: str, said: str, header: dict[str, Any] | None = None, **parts: str) -> Plant:
    """The same, written shorter."""
    return Plant(front, said, header or {}, parts)


# What the linker decides.
LINKED = {
    "indirect function": plant("x86", "indirect function", {"kind": "@gnu_indirect_function"}),
    "indirect function that is called": plant(
        "x86",
        "indirect function",
        entry="call other",
        after=".type other, @gnu_indirect_function\nother: ret",
    ),
    "weak function": plant("x86", "weak", before=".weak NAME"),
    "weak symbol that is called": plant("x86", "weak", entry=".weak f\ncall f"),
    "weak symbol's address": plant(
        "x86", "weak", entry=".weak f\nmov r10, [rip+f@GOTPCREL]\ntest r10, r10\njz 1f\nret"
    ),
    "address of a symbol that is not there": plant(
        "x86", "relocation 42", entry="mov r10, [rip+f@GOTPCREL]"
    ),
    "relative address of a symbol that is not there": plant(
        "x86", "takes the address of f", entry="lea r10, [rip+f]"
    ),
    "address by way of the table of calls": plant(
        "x86", "takes the address of f", entry="lea r10, f@PLT[rip]"
    ),
    "absolute address of its own": plant("x86", "relocation 11", entry="mov r10, offset NAME"),
    "table of foreign addresses": plant(
        "x86",
        "takes the address of f",
        after='.section .data.rel.ro,"aw"\n.quad f\n.text',
    ),
    "array of initialisers": plant(
        "x86", "INIT_ARRAY", after='.section .init_array,"aw"\n.quad NAME'
    ),
    "array of early initialisers": plant(
        "x86", "PREINIT_ARRAY", after='.section .preinit_array,"aw"\n.quad NAME'
    ),
    "constructors": plant("x86", r"\.ctors", after='.section .ctors,"aw"\n.quad NAME'),
    "code of the program's start": plant(
        "x86", r"\.init that is executable", after='.section .init,"ax"\ncall NAME'
    ),
    "common symbol": plant("x86", "common", after=".comm space, 64, 16"),
    "group of sections": plant(
        "x86", "GROUP", after='.section .text.twice,"axG",@progbits,twice,comdat\nret'
    ),
    "linked once": plant("x86", "gnu.linkonce", after='.section .gnu.linkonce.t.f,"ax"\nret'),
    "storage of a thread": plant("x86", "flags|thread", after='.section .tdata,"awT"\n.long 1'),
    "two names": plant("x86", "two names", before=".globl again\nagain:"),
    "version of a symbol": plant("x86", "version", before=".globl w\nw: ret\n.symver w,w@@V1"),
    "wrapped function": plant("x86", "version", entry="call __wrap_memcpy"),
    "a memcpy of its own": plant(
        "x86", "another library", after=".globl memcpy\n.type memcpy, @function\nmemcpy: ret"
    ),
    "function that another library may replace": plant(
        "x86",
        "may replace",
        entry="call f",
        after=".globl f\n.type f, @function\nf: ret",
    ),
    "absolute symbol": plant("x86", "absolute", before=".globl place\n.set place, 0x123456"),
    "unique symbol": plant(
        "x86",
        "bound in another way",
        after=".type f, @gnu_unique_object\n.section .rodata\nf: .long 1",
    ),
    "executable stack": plant(
        "x86", "executable stack", after='.section .note.GNU-stack,"x",@progbits\n.text'
    ),
    "code that can be written": plant(
        "x86", "executable", entry="call f", after='.section .text.w,"awx"\nf: ret'
    ),
    "code that is left out": plant("x86", "flags", after='.section .text.e,"axe"\nf: ret'),
    "a64: weak": plant("a64", "weak", before=".weak NAME"),
    "a64: indirect function": plant("a64", "indirect", {"kind": "%gnu_indirect_function"}),
    "a64: address of a symbol that is not there": plant(
        "a64",
        "takes the address of f",
        entry="adrp x9, f\nadd x9, x9, :lo12:f\ncbz x9, 1f\nret",
    ),
    "a64: weak address by the table": plant(
        "a64",
        "weak|relocation 311",
        entry=".weak f\nadrp x9, :got:f\nldr x9, [x9, :got_lo12:f]\ncbz x9, 1f\nret",
    ),
    "a64: absolute address": plant("a64", "relocation 26", entry="movz x9, #:abs_g0_nc:NAME"),
    "a64: constructors": plant("a64", "INIT_ARRAY", after='.section .init_array,"aw"\n.quad NAME'),
    "a64: function that another library may replace": plant(
        "a64",
        "may replace",
        entry="mov x9, x30\nbl f\nmov x30, x9",
        after=".globl f\n.type f, %function\nf: ret",
    ),
    "rv32: weak": plant("rv32", "weak", before=".weak NAME"),
    "rv32: absolute address": plant("rv32", "relocation 26", entry="lui t2, %hi(NAME)"),
    "rv32: initialisers": plant(
        "rv32", "INIT_ARRAY", after='.section .init_array,"aw"\n.word NAME'
    ),
    "rv32: common": plant("rv32", "common", after=".comm space, 64, 16"),
    "rv32: weak symbol's address": plant(
        "rv32", "weak", entry=".weak f\nla t2, f\nbeqz t2, 1f\nret"
    ),
    "thumb: weak": plant("thumb", "weak", before=".weak NAME"),
    "thumb: own address": plant("thumb", "relocation 2 ", entry="ldr r12, =NAME", after=".ltorg"),
    "thumb: own address in halves": plant(
        "thumb", "relocation 47", entry="movw r12, #:lower16:NAME"
    ),
    "thumb: initialisers": plant(
        "thumb", "INIT_ARRAY", after='.section .init_array,"aw"\n.word NAME'
    ),
    "avr: weak": plant("avr", "weak", before=".weak NAME"),
    "avr: own address": plant("avr", "relocation", entry="ldi r22, lo8(gs(NAME))"),
    "avr: constructors": plant("avr", "init|ctors", after='.section .init7,"ax",@progbits\nnop'),
}

# Only what is executable is executed.
FETCHED = {
    "constants": plant(
        "x86", "no executable section", exit="jmp 7f", after=".section .rodata\n7: ret"
    ),
    "data": plant("x86", "no executable section", exit="jmp 7f", after=".data\n7: ret"),
    "a64: constants": plant(
        "a64", "no executable section", exit="b 7f", after=".section .rodata\n7: ret"
    ),
    "rv32: constants": plant(
        "rv32", "no executable section", exit="j 7f", after=".section .rodata\n7: ret"
    ),
    "thumb: constants": plant(
        "thumb", "no executable section", exit="b.w 7f", after=".section .rodata\n7: bx lr"
    ),
}

# Flags of forms that processors treat in a way of their own: a branch on a secret bit behind them.
FLAGS = {
    "rotation of 16 bits by 16": plant("x86", "not defined", stored="rol r8w, 16\njc 8f\n8:"),
    "rotation of 8 bits by 8": plant("x86", "not defined", stored="ror r8b, 8\njc 8f\n8:"),
    "rotation of 16 bits by 16 in the result": plant(
        "x86",
        "not defined",
        store="mov r10d, eax\ncmp eax, eax\nrol r10w, 16\nsbb r11d, r11d\nxor eax, r11d\n"
        "mov [rdi], eax\nmov [rdi+4], r8d",
    ),
    "rotation of the second byte": plant("x86", "not defined", stored="rol ah, 8\njc 8f\n8:"),
    "shift by more than a byte has": plant(
        "x86", "not defined|differs", stored="shl al, 9\njc 8f\n8:"
    ),
    "form that nobody tried": plant("x86", "no rule for mul", stored="mul al"),
}

# Code that hangs on its own address, which the linker chooses.
OWN_ADDRESS = {
    "x86: a branch on it": plant(
        "x86", "goes both ways", entry="lea r10, [rip]\ncmp r10, 5\nje 1f"
    ),
    "x86: a bit of it": plant("x86", ".", entry="lea r10, [rip]\ntest r10d, 4096\nje 1f\nret"),
    "x86: a byte of it": plant("x86", ".", entry="lea r10, [rip]\ntest r10b, 16\nje 1f\nret"),
    "x86: a byte of it in a file that says it was C": plant(
        "x86",
        ".",
        before='.file "kernel.c"',
        entry="lea r10, [rip]\ntest r10b, 16\nje 1f\nret",
    ),
    "x86: its return address": plant(
        "x86", ".", {"stack": 8}, entry="call 8f\n8: pop r10\ntest r10b, 16\nje 1f\nret"
    ),
    "x86: a quotient of it": plant(
        "x86", ".", entry="lea r10, [rip]\nshr r10, 12\nand r10, 1\nje 1f\nret"
    ),
    "x86: aligned by chance": plant(
        "x86",
        "not aligned",
        entry="movdqa xmm0, [rip+c]",
        after=".section .rodata\n.p2align 0\nc: .zero 16",
    ),
    "a64: a bit of it": plant("a64", ".", entry="adr x9, .\ntbz x9, #4, 1f\nret"),
    "a64: a page": plant("a64", ".", entry="adrp x9, NAME\ntbz x9, #12, 1f\nret"),
    "a64: its return address": plant(
        "a64", ".", entry="mov x10, x30\nbl 8f\n8: mov x9, x30\nmov x30, x10\ntbz x9, #4, 1f\nret"
    ),
    "a64: low bits alone": plant(
        "a64",
        "low bits of an address",
        entry="mov x9, #0\nadd x9, x9, :lo12:c\ntbz x9, #4, 1f\nret",
        after=".section .rodata\nc: .zero 64",
    ),
    "rv32: a bit of it": plant("rv32", ".", entry="auipc t2, 0\nandi t2, t2, 16\nbeqz t2, 1f\nret"),
    "rv32: its return address": plant(
        "rv32",
        ".",
        entry="mv t1, ra\njal 8f\n8: mv t2, ra\nmv ra, t1\nandi t2, t2, 16\nbeqz t2, 1f\nret",
    ),
    "thumb: a bit of it": plant(
        "thumb", ".", entry="adr r12, 1f\ntst r12, #16\nbeq 1f\npop {r4-r7}\nbx lr\n.balign 4"
    ),
    "thumb: its return address": plant(
        "thumb",
        ".",
        entry="mov r7, lr\nbl 8f\n8: mov r12, lr\nmov lr, r7\ntst r12, #16\nbeq 1f\npop {r4-r7}\nbx lr",
    ),
    "avr: its return address": plant(
        "avr", ".", {"stack": 12}, entry="rcall 8f\n8: pop r22\npop r23\nsbrc r23, 3\nrjmp 3f"
    ),
    "avr: a byte of a table's address": plant(
        "avr",
        "byte of an address|relocation",
        entry="ldi r22, 0\nsubi r22, lo8(-(c))\nbrmi 1f\nrjmp 3f",
        after='.section .progmem.data,"a"\nc: .byte 1',
    ),
}

# An instruction of another set than the header names.
OUTSIDE = {
    "AVX-512 in AVX2": plant(
        "x86", "avx2 does not have: vmovd|the form vmovd!", stored="vmovd xmm16, eax"
    ),
    "AVX-512 by its encoding alone": plant(
        "x86", "avx2 does not have|the form", stored="{evex} vpaddd xmm1, xmm1, xmm2"
    ),
    "GFNI in AVX2": plant(
        "x86", "avx2 does not have|no rule", stored="vgf2p8mulb ymm1, ymm1, ymm2"
    ),
    "AES in AVX2": plant("x86", "avx2 does not have|no rule", stored="vaesenc xmm1, xmm1, xmm2"),
    "a64: SHA3": plant(
        "a64",
        "a64 does not have: eor3",
        stored=".arch armv8.2-a+sha3\neor3 v0.16b, v1.16b, v2.16b, v3.16b",
    ),
    "a64: NEON": plant("a64", "a64 does not have: eor", stored="eor v0.16b, v1.16b, v2.16b"),
    "a64: CRC32": plant(
        "a64",
        "a64 does not have|no rule|no constant",
        stored=".arch armv8-a+crc\ncrc32b w9, w9, w9",
    ),
    "a64: Armv8.3": plant(
        "a64", "a64 does not have|no rule|not lift", stored=".arch armv8.5-a\nrmif x9, 3, 2"
    ),
    "neon: PMULL": plant(
        "a64",
        "neon does not have: pmull",
        {"isa": "neon"},
        store="stp w4, w5, [x0]",
        stored=".arch armv8-a+crypto\npmull v0.1q, v1.1d, v2.1d",
    ),
    "rv32: Zbkb": plant(
        "rv32", "rv32i does not have: rori", stored=".option arch,+zbkb\nrori t2,t2,8"
    ),
    "rv32: short": plant(
        "rv32",
        "rv32i does not have|no instruction|not lift|relocation 4[45]",
        stored=".option arch,+c\nc.addi t2, 1\nc.nop",
    ),
    "rv32: products": plant(
        "rv32", "rv32i does not have: mul", stored=".option arch,+m\nli t2, 3\nmul t2, t2, t2"
    ),
    "rv32: atomic": plant(
        "rv32", "rv32i does not have|no rule", stored=".option arch,+a\namoadd.w t2, zero, (a0)"
    ),
    "zbkb: Zbb": plant(
        "rv32",
        "zbkb does not have|no rule|not lift",
        {"isa": "zbkb"},
        store="    sw a4, 0(a0)\n    sw a5, 4(a0)",
        stored=".option arch,+zbb\nsext.b t2, t2",
    ),
    "thumb: DSP": plant(
        "thumb",
        "armv7m does not have: uadd16",
        before=".arch armv7e-m",
        stored="uadd16 r12, r4, r5",
    ),
    "avr: products": plant("avr", "no rule|does not have", stored="muls r20, r21"),
}

# An access whose address must be aligned, and may not be.
UNALIGNED = {
    "vmovdqa": plant("x86", "not aligned", entry="vmovdqa xmm0, [rcx]"),
    "vmovaps": plant("x86", "not aligned", entry="vmovaps xmm0, [rcx]"),
    "movdqa": plant("x86", "not aligned", entry="movdqa xmm0, [rcx]"),
    "operand of SSE": plant("x86", "not aligned", entry="pxor xmm0, [rcx]"),
    "shuffle of SSE": plant("x86", "not aligned|no rule", entry="pshufd xmm0, [rcx], 3"),
    "LOCK": plant("x86", "no rule", entry="lock or dword ptr [rsp-8], 0"),
    "exchange with memory": plant("x86", "no rule", entry="xchg [rsp-8], rax"),
    "a64: STLR": plant("a64", "not aligned", store="stlr w4, [x0]\nadd x9, x0, #4\nstlr w5, [x9]"),
    "a64: LDAR": plant("a64", "not aligned", entry="ldar w9, [x3]"),
    "a64: LDARH": plant("a64", "not aligned", entry="ldarh w9, [x3]"),
    "a64: LDXR": plant("a64", "not aligned", entry="ldxr w9, [x3]"),
    "a64: LDAXR": plant("a64", "not aligned", entry="ldaxr x9, [x3]"),
    "a64: LDXP": plant("a64", "not aligned|no rule", entry="ldxp w9, w10, [x3]"),
    "a64: LDAR of a row that is aligned less": plant(
        "a64",
        "not aligned",
        {"stack": 16},
        entry="sub sp, sp, #16\nstr x3, [sp]\nstr x3, [sp, #8]\nadd x9, sp, #4\nldar x9, [x9]",
    ),
    "rv32: a word": plant("rv32", "not aligned", {"align": 1}),
    "rv32: half a word": plant("rv32", "not aligned", entry="lh t2, 1(a3)"),
    "thumb: LDRD": plant("thumb", "not aligned", entry="ldrd r12, r7, [r3]"),
    "thumb: STRD": plant("thumb", "not aligned", store="    strd r4, r5, [r0]"),
    "thumb: LDM": plant("thumb", "not aligned", entry="ldm r3, {r6, r7}"),
    "thumb: STM": plant("thumb", "not aligned", store="    stm r0, {r4, r5}"),
    "thumb: LDREX": plant("thumb", "not aligned|no rule", entry="ldrex r12, [r3]"),
}

DEEP = "li t2, -90000000\nadd sp, sp, t2\nsw zero, 0(sp)\nsub sp, sp, t2"
# Where a header says less than callers may rely on, or another thing than the kernel does.
HEADERS = {
    "alignment": plant(
        "x86", "asks for buffers aligned to 16", {"align": 16}, entry="vmovdqa xmm0, [rcx]"
    ),
    "alignment of half of it": plant(
        "x86", "not aligned", {"align": 4}, entry="movdqa xmm0, [rcx]"
    ),
    "not in place": plant("x86", "callers rely on out == in", {"aliasing": "none"}),
    "in place alone": plant(
        "x86", "callers rely on out == in|works in place alone", {"aliasing": "in place"}
    ),
    "out and in": plant(
        "x86", "a call has them in rdi", {"registers": ("rsi", "rdi", "rdx", "rcx")}
    ),
    "keys in the place of groups": plant(
        "x86", "a call has them in", {"registers": ("rdi", "rsi", "rcx", "rdx")}
    ),
    "stack that it says and takes": plant(
        "rv32", "90000000 bytes of stack; at most", {"stack": 90000000}, entry=DEEP
    ),
    "stack that it takes in part": plant(
        "rv32", "100000000 bytes of stack; at most", {"stack": 100000000}, entry=DEEP
    ),
    "stack that it does not say": plant(
        "rv32", "the stack pointer is 16 bytes down", entry="addi sp, sp, -16\naddi sp, sp, 16"
    ),
    "stack that it does not take": plant(
        "rv32", "says 16 bytes of stack; the kernel takes 0", {"stack": 16}
    ),
    "x86: red zone that it does not say": plant("x86", "bytes -16 to -9", entry="mov [rsp-8], rax"),
    "x86: stack that it does not take": plant(
        "x86", "says 8 bytes of stack; the kernel takes 0", {"stack": 8}
    ),
    "x86: stack that it does not say": plant(
        "x86", "16 bytes down", entry="sub rsp, 8\nadd rsp, 8"
    ),
    "a64: alignment": plant("a64", "aligned to 8", {"align": 8}, entry="ldar x9, [x3]"),
    "a64: alignment that no caller gives": plant(
        "a64", "not aligned", {"align": 4}, entry="ldar w9, [x1]"
    ),
    "a64: stack that it does not say": plant(
        "a64", "16 bytes down", entry="sub sp, sp, #16\nadd sp, sp, #16"
    ),
    "a64: stack that it does not take": plant("a64", "says 16 bytes", {"stack": 16}),
    "a64: arguments": plant("a64", "a call has them in", {"registers": ("x0", "x1", "x3", "x2")}),
    "thumb: stack that it does not take": plant("thumb", "says 24 bytes", {"stack": 24}),
    "thumb: not in place": plant("thumb", "callers rely on", {"aliasing": "none"}),
    "thumb: stack that it does not say": plant(
        "thumb", "24 bytes down", entry="sub sp, #8\nadd sp, #8"
    ),
    "avr: stack that it does not take": plant("avr", "says 12 bytes", {"stack": 12}),
    "avr: stack that it does not say": plant("avr", "stack", {"stack": 8}),
    "avr: arguments": plant(
        "avr", "a call has them in", {"registers": ("r24", "r22", "r18", "r20")}
    ),
}

# What a call with no groups may not do, and the words of the verdict.
NONE = {
    "x86: a branch on a secret": plant(
        "x86",
        "call without groups",
        entry="test rdx, rdx\njne 1f\ncmp byte ptr [rcx], 0\nje 8f\nret\n8: ret",
    ),
    "x86: it writes the keys": plant(
        "x86", "call without groups", entry="test rdx, rdx\njne 1f\nmov dword ptr [rcx], 0\nret"
    ),
    "x86: it reads out of bounds": plant(
        "x86", "call without groups", entry="test rdx, rdx\njne 1f\nmov eax, [rcx+108]\nret"
    ),
    "x86: it writes out of bounds": plant(
        "x86", "call without groups", entry="test rdx, rdx\njne 1f\nmov [rdi+8], eax\nret"
    ),
    "x86: it writes half of a group": plant(
        "x86",
        "call without groups",
        entry="test rdx, rdx\njne 1f\nmov dword ptr [rdi], 0\nret",
    ),
    "x86: a register is not given back": plant(
        "x86", "call without groups", entry="test rdx, rdx\njne 1f\nxor ebx, ebx\nret"
    ),
    "x86: it reads where the count says, without a branch": plant(
        "x86",
        "call without groups",
        entry="cmp rdx, 1\nsbb r10, r10\nand r10, 256\nmov r11d, [rcx+r10]",
    ),
    "x86: another group without a branch": plant(
        "x86",
        "call without groups",
        store="cmp rdx, 1\nsbb r10, r10\nxor eax, r10d\nmov [rdi], eax\nmov [rdi+4], r8d",
    ),
    "a64: it writes the keys": plant(
        "a64", "call without groups", entry="cbnz x2, 1f\nstr wzr, [x3]\nret"
    ),
    "a64: a branch on a secret": plant(
        "a64",
        "call without groups",
        entry="cbnz x2, 1f\nldr w9, [x3]\ncbz w9, 8f\nnop\n8: ret",
    ),
    "rv32: it writes the keys": plant(
        "rv32", "call without groups", entry="bnez a2, 1f\nsw zero, 0(a3)\nret"
    ),
    "rv32: a branch on a secret": plant(
        "rv32",
        "call without groups",
        entry="bnez a2, 1f\nlb t2, 0(a3)\nbeqz t2, 8f\nnop\n8: ret",
    ),
    "thumb: it writes the keys": plant(
        "thumb",
        "call without groups",
        entry="cbnz r2, 1f\nmov r12, #0\nstr r12, [r3]\npop {r4-r7}\nbx lr",
    ),
    "avr: it writes out of bounds": plant(
        "avr",
        "call without groups",
        entry="cp r6, r1\ncpc r7, r1\nbrne 1f\nstd Y+8, r1\nrjmp 3f",
    ),
}
# What it may do.
NOTHING, FIRST, BEGINS = (
    "0 and more",
    "1 and more; 0 does the first",
    "1 and more; 0 begins like more",
)
MAY = {
    "x86: nothing": (plant("x86", "", entry="test rdx, rdx\nje 9f", exit="9:"), NOTHING),
    "x86: the first group": (
        plant("x86", "", stored="add rsi, 8\nadd rdi, 8\nsub rdx, 1\njbe 9f\njmp 1b\n9: ret"),
        FIRST,
    ),
    "x86: what calls with more do": (plant("x86", ""), BEGINS),
    "a64: nothing": (plant("a64", "", entry="cbz x2, 9f", exit="9:"), NOTHING),
    "a64: the first group": (plant("a64", "", stored="subs x2, x2, #1\nb.hi 1b\nret"), FIRST),
    "rv32: nothing": (plant("rv32", "", entry="beqz a2, 9f", exit="9:"), NOTHING),
    "thumb: nothing": (plant("thumb", "", entry="cbz r2, 9f", exit="9:"), NOTHING),
    "avr: nothing": (plant("avr", "", entry="cp r6, r1\ncpc r7, r1\nbrne 1f\nrjmp 3f"), NOTHING),
}

# What looks alike, and is right.
RIGHT = {
    "a function of its own": plant("x86", "", {"stack": 8}, entry="call f", after="f: ret"),
    "a hidden function": plant(
        "x86",
        "",
        {"stack": 8},
        entry="call f",
        after=".globl f\n.hidden f\n.type f, @function\nf: ret",
    ),
    "constants of its own": plant(
        "x86", "", entry="vmovdqu xmm0, [rip+c]", after=".section .rodata\nc: .zero 16"
    ),
    "an absolute local constant": plant("x86", "", entry=".set eight, 8\nmov r10d, eight"),
    "a64: a function of its own": plant(
        "a64", "", entry="mov x9, x30\nbl f\nmov x30, x9", after="f: ret"
    ),
    "a64: constants of its own": plant(
        "a64",
        "",
        entry="adrp x9, c\nldr q0, [x9, :lo12:c]",
        after=".section .rodata\n.balign 16\nc: .zero 16",
    ),
    "rv32: constants of its own": plant(
        "rv32", "", entry="la t2, c\nlw t2, 4(t2)", after=".section .rodata\n.balign 4\nc: .zero 16"
    ),
    "thumb: a function of its own": plant(
        "thumb", "", entry="mov r12, lr\nbl f\nmov lr, r12", after=".thumb_func\nf: bx lr"
    ),
    "LDAR of the stack": plant(
        "a64",
        "",
        {"stack": 16},
        entry="sub sp, sp, #16\nstr x3, [sp]\nldar x9, [sp]\nadd sp, sp, #16",
    ),
    "vmovdqa of the stack": plant(
        "x86",
        "",
        {"stack": 24},
        entry="sub rsp, 24\nvmovdqa [rsp], xmm0\nvmovdqa xmm0, [rsp]\nadd rsp, 24",
    ),
    "thumb: STM of words": plant("thumb", "", {"align": 4}, store="    stm r0, {r4, r5}"),
    "zbkb: Zbkb": plant(
        "rv32",
        "",
        {"isa": "zbkb"},
        store="    sw a4, 0(a0)\n    sw a5, 4(a0)",
        stored="rori t2, t2, 8\npack t2, t2, t2",
    ),
    "neon: NEON": plant(
        "a64", "", {"isa": "neon"}, store="stp w4, w5, [x0]", stored="eor v0.16b, v1.16b, v2.16b"
    ),
    "avr: a function of its own": plant("avr", "", {"stack": 12}, entry="rcall f", after="f: ret"),
}


@pytest.mark.parametrize("front", SMALL)
def test_small_kernel_is_proved(front: str, tmp_path: Path) -> None:
    found = SMALL[front].verdict(tmp_path)
    assert (found.verdict, found.why) == ("proved", "")


def _planted(one: Plant, folder: Path) -> None:
    found = other(SMALL[one.front], **one.header).verdict(folder, **one.parts)
    if not one.said:
        assert (found.verdict, found.why) == ("proved", "")
        return
    assert found.verdict != "proved"
    assert re.search(one.said, found.why), found.why


@pytest.mark.parametrize("name", LINKED)
def test_what_the_linker_decides_is_refused(name: str, tmp_path: Path) -> None:
    _planted(LINKED[name], tmp_path)


@pytest.mark.parametrize("name", FETCHED)
def test_what_is_not_executable_is_not_executed(name: str, tmp_path: Path) -> None:
    _planted(FETCHED[name], tmp_path)


@pytest.mark.parametrize("name", FLAGS)
def test_flags_of_odd_forms_are_not_read(name: str, tmp_path: Path) -> None:
    _planted(FLAGS[name], tmp_path)


@pytest.mark.parametrize("name", OWN_ADDRESS)
def test_code_that_hangs_on_its_address_is_refused(name: str, tmp_path: Path) -> None:
    _planted(OWN_ADDRESS[name], tmp_path)


@pytest.mark.parametrize("name", OUTSIDE)
def test_instruction_of_another_set_is_refused(name: str, tmp_path: Path) -> None:
    _planted(OUTSIDE[name], tmp_path)


@pytest.mark.parametrize("name", UNALIGNED)
def test_access_that_may_not_be_aligned_is_refused(name: str, tmp_path: Path) -> None:
    _planted(UNALIGNED[name], tmp_path)


@pytest.mark.parametrize("name", HEADERS)
def test_header_that_weakens_a_promise_is_refused(name: str, tmp_path: Path) -> None:
    _planted(HEADERS[name], tmp_path)


@pytest.mark.parametrize("name", NONE)
def test_call_without_groups_does_nothing_else(name: str, tmp_path: Path) -> None:
    _planted(NONE[name], tmp_path)


@pytest.mark.parametrize("name", MAY)
def test_verdict_says_what_a_call_without_groups_does(name: str, tmp_path: Path) -> None:
    one, scope = MAY[name]
    found = SMALL[one.front].verdict(tmp_path, **one.parts)
    assert (found.verdict, found.why) == ("proved", "")
    assert set(found.scope.values()) == {scope}


@pytest.mark.parametrize("name", RIGHT)
def test_what_looks_alike_and_is_right_is_proved(name: str, tmp_path: Path) -> None:
    _planted(RIGHT[name], tmp_path)
