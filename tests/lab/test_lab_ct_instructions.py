# SPDX-License-Identifier: Apache-2.0
"""The search in machine code for instructions whose operands neither valgrind nor traces see."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from debian import need

from hanji_lab.checkout import LabError, find_checkout
from hanji_lab.ct import instructions

ROOT = find_checkout(Path(__file__))

X86 = {
    "division": ["div %ecx", "idivq (%rdi)", "rex.W divl (%rdi)"],
    "floating point": [
        "mulss %xmm0, %xmm1",
        "addpd %xmm0, %xmm1",
        "sqrtsd %xmm0, %xmm1",
        "cmpltsd %xmm0, %xmm1",
        "ucomiss %xmm0, %xmm1",
        "cvttsd2si %xmm0, %rax",
        "dpps $3, %xmm0, %xmm1",
        "roundss $1, %xmm0, %xmm1",
        "rsqrtps %xmm0, %xmm1",
        "vdivpd %ymm0, %ymm1, %ymm2",
        "vfmadd231ps %ymm0, %ymm1, %ymm2",
        "vcvtps2ph $1, %ymm0, %xmm1",
        "vfpclassps $3, %zmm0, %k1",
        "vgetexppd %zmm0, %zmm1",
        "pfadd %mm0, %mm1",
    ],
    "x87": ["fldt (%rdi)", "fmulp", "fsqrt", "fnstcw (%rdi)"],
    "prefetch": ["prefetcht0 (%rdi,%rsi)", "prefetchnta (%rdi)", "prefetchw (%rdi)"],
    "cache line": ["clflush (%rdi)", "clflushopt (%rdi)", "clwb (%rdi)", "cldemote (%rdi)"],
    "bit gathering": ["pext %rdi, %rsi, %rax", "pdep (%rdi), %esi, %eax"],
    "masked store": ["maskmovdqu %xmm0, %xmm1", "vmaskmovdqu %xmm0, %xmm1", "maskmovq %mm0, %mm1"],
    "carry rotation": ["rcl %cl, %eax", "rcrq %cl, (%rdi)"],
    "unknown": [".byte 0x06, 0x90"],
}
X86_QUIET = [
    "push %rbx", "sets %al", "cmovs %eax, %ecx", "rep stosb", "fs nop", "movss (%rdi), %xmm0",
    "movsd %xmm0, (%rdi)", "movaps %xmm0, %xmm1", "xorps %xmm0, %xmm0", "andnpd %xmm0, %xmm1",
    "shufps $1, %xmm0, %xmm1", "unpcklpd %xmm0, %xmm1", "vpermilps $3, %ymm0, %ymm1",
    "vblendps $1, %ymm0, %ymm1, %ymm2", "vbroadcastss %xmm0, %ymm1", "vpabsd %ymm0, %ymm1",
    "vpmaxsd %ymm0, %ymm1, %ymm2", "pabsd %xmm0, %xmm1", "vpdpbusd %zmm0, %zmm1, %zmm2",
    "vgatherdps %ymm0, (%rdi,%ymm1), %ymm2", "vmaskmovps %ymm0, %ymm1, (%rdi)",
    "vtestps %ymm0, %ymm1", "movmskps %xmm0, %eax", "insertps $1, %xmm0, %xmm1",
    "extractps $1, %xmm0, %eax", "shld $3, %eax, %ecx", "imul %ecx", "mulx %rdx, %rcx, %r8",
    "aesdec %xmm0, %xmm1", "lea (%rdi), %rax", "bt %eax, %ecx", "lfence", "cqto",
]  # fmt: skip
A64 = {
    "division": ["udiv x0, x1, x2", "sdiv w0, w1, w2"],
    "floating point": [
        "fmul s0, s0, s1",
        "fadd v0.4s, v0.4s, v0.4s",
        "fcmp d0, d1",
        "scvtf s0, w0",
        "frecpe v0.4s, v0.4s",
        "fmadd d0, d1, d2, d3",
    ],
    "prefetch": ["prfm pldl1keep, [x0, x1]", "prfum pldl1keep, [x0, #-1]"],
    "cache line": ["dc civac, x0", "dc zva, x0", "ic ivau, x0"],
    "unknown": [".inst 0x00000003"],
}
A64_QUIET = [
    "fmov s0, w0", "bfi w0, w1, #3, #4", "bfxil w0, w1, #3, #4", "ldr q0, [x0]", "mul x0, x1, x2",
    "eor v0.16b, v0.16b, v1.16b", "ror w0, w0, #3", "tbl v0.16b, {v1.16b}, v2.16b", "dmb ish",
    "csel w0, w1, w2, eq", "umull x0, w1, w2",
]  # fmt: skip
RV32 = {
    "division": ["div a0, a1, a2", "remu a0, a1, a2", "call __udivsi3", "call __moddi3"],
    "floating point": ["fadd.s f0, f1, f2", "fcvt.s.w f0, a0", "call __mulsf3", "call __adddf3"],
    "prefetch": ["prefetch.r 0(a0)", "ori x0, a0, 3"],
    "cache line": ["cbo.flush (a0)", "cbo.zero (a0)"],
    "unknown": [".4byte 0x0000007f"],
}
RV32_QUIET = [
    "add a0, a1, a2", "ori a0, a0, 3", "fence.i", "fence", "flw f0, 0(a0)", "fmv.x.w a0, f0",
    "mul a0, a1, a2", "call __muldi3", "call memcpy", "call __ashldi3",
]  # fmt: skip
MACHINES = {
    "x86-64": ("", "gcc", "gcc", [], X86, X86_QUIET),
    "aarch64": ("aarch64-linux-gnu-", "gcc", "gcc-aarch64-linux-gnu", [], A64, A64_QUIET),
    "rv32": (
        "riscv64-unknown-elf-",
        "gcc",
        "gcc-riscv64-unknown-elf",
        ["-march=rv32imfd_zicbom_zicbop_zicboz_zifencei", "-mabi=ilp32"],
        RV32,
        RV32_QUIET,
    ),
}


@pytest.mark.parametrize("machine", MACHINES)
def test_every_kind_is_found_and_nothing_else(machine: str, tmp_path: Path) -> None:
    prefix, compiler, package, flags, kinds, quiet = MACHINES[machine]
    need(package)
    lines, expected = [".text"], {}
    for number, (kind, text) in enumerate(
        [(kind, text) for kind, texts in kinds.items() for text in texts]
        + [("", text) for text in quiet]
    ):
        lines += [f".globl f{number}", f"f{number}:", f" {text}"]
        expected[f"f{number}"] = (kind, text)
    (tmp_path / "all.S").write_text("\n".join(lines) + "\n")
    command = [f"{prefix}{compiler}", *flags, "-c", "all.S", "-o", "all.o"]
    subprocess.run(command, cwd=tmp_path, check=True)
    found = {
        one.function: one.kind
        for one in instructions.search(tmp_path / "all.o", f"{prefix}objdump", package)
    }
    assert {text: found.get(name, "") for name, (_, text) in expected.items()} == {
        text: kind for kind, text in expected.values()
    }


def test_kinds_have_a_reason_and_an_example() -> None:
    assert set(X86) == set(instructions.KINDS)
    assert set(A64) | set(RV32) < set(instructions.KINDS)


def test_instructions_that_nobody_named_are_found(tmp_path: Path) -> None:
    need("gcc", "gcc-riscv64-unknown-elf", "gcc-aarch64-linux-gnu")
    (tmp_path / "block.c").write_text(
        "unsigned run(unsigned a, unsigned b) { return a / b; }\n"
        "unsigned other(unsigned a, unsigned b) { return a % b; }\n"
        "float third(float a, float b) { return a / b; }\n"
        "unsigned constant(unsigned a) { return a * 8; }\n"
    )
    for compiler, objdump, *flags in (
        ("gcc", "objdump"),
        ("aarch64-linux-gnu-gcc", "aarch64-linux-gnu-objdump"),
        ("riscv64-unknown-elf-gcc", "riscv64-unknown-elf-objdump", "-march=rv32i", "-mabi=ilp32"),
        ("riscv64-unknown-elf-gcc", "riscv64-unknown-elf-objdump", "-march=rv32im", "-mabi=ilp32"),
    ):
        command = [compiler, "-O2", *flags, "-c", "block.c", "-o", "block.o"]
        subprocess.run(command, cwd=tmp_path, check=True)
        found = instructions.search(tmp_path / "block.o", objdump)
        assert {one.function for one in found} == {"run", "other", "third"}, compiler
        sentences = instructions.unnamed(found)
        assert {text.partition(":")[0] for text in sentences} == {"block, other", "block, third"}


def test_kernels_of_scanned_tiers_are_left_to_the_scan(tmp_path: Path) -> None:
    need("gcc")
    for name in ("one_avx512", "one_avx2"):
        (tmp_path / f"{name}.c").write_text(f"int {name}(int a, int b) {{ return a / b; }}\n")
        subprocess.run(["gcc", "-c", f"{name}.c", "-o", f"{name}.c.o"], cwd=tmp_path, check=True)
    members = ["one_avx512.c.o", "one_avx2.c.o"]
    subprocess.run(["ar", "rcs", "both.a", *members], cwd=tmp_path, check=True)
    both = instructions.search(tmp_path / "both.a")
    assert [one.file for one in both] == ["one_avx512", "one_avx2"]
    left = instructions.search(tmp_path / "both.a", scanned=("avx512",))
    assert [one.file for one in left] == ["one_avx2"]


def test_object_files_of_other_processors_are_refused(tmp_path: Path) -> None:
    """With patterns of another processor, or of none, the search would find nothing."""
    need("gcc")
    (tmp_path / "one.S").write_text(" nop\n")
    subprocess.run(["gcc", "-m32", "-c", "one.S", "-o", "one.o"], cwd=tmp_path, check=True)
    with pytest.raises(LabError, match="elf32-i386: the search in machine code knows x86-64, "):
        instructions.search(tmp_path / "one.o")


def some(number: int, function: str = "run") -> list[instructions.Found]:
    return [instructions.Found("block", function, "division", f"{i}: div") for i in range(number)]


RECORDS = {
    "x86_64 gcc-12 -O2 libhanji.a": {"block run division": 1, "block run.part.0 division": 2},
    "x86_64 gcc-12 -O3 libhanji.a": {"block run division": 4},
}


def judged(name: str, found: list[instructions.Found]) -> list[str]:
    return instructions.problems(name, found, RECORDS)


def test_numbers_are_exact_for_each_compiler_and_level() -> None:
    two = "x86_64 gcc-12 -O2 libhanji.a"
    right = [*some(1), *some(2, "run.part.0")]
    assert judged(two, right) == []
    assert judged("x86_64 gcc-12 -O3 libhanji.a", some(4)) == []
    (more,) = judged(two, [*right, *some(1)])
    assert more.startswith(f"block run division: 2 in the machine code, 1 recorded for {two}; ")
    (fewer,) = judged(two, some(1))
    assert fewer.startswith("block run.part.0 division: 0 in the machine code, 2 recorded")
    # as many in all, in another copy of the function
    assert len(judged(two, [*some(2), *some(1, "run.part.0")])) == 2


def test_a_compiler_without_a_record_stays_within_what_others_have() -> None:
    name = "x86_64 gcc-13 -O2 libhanji.a"
    assert (
        judged(name, some(4)) == judged(name, some(4, "run.constprop.0")) == judged(name, []) == []
    )
    (sentence,) = judged(name, some(5))
    assert "5 in the machine code, at most 4 recorded, and nothing for " + name in sentence


def test_a_function_without_a_reason_is_a_problem_of_every_compiler() -> None:
    for name in (*RECORDS, "x86_64 clang-15 -O1 libhanji.a"):
        found = [instructions.Found("block", "run", "prefetch", "0: prefetcht0 (%rax)")]
        assert "block, run: prefetch `0: prefetcht0 (%rax)`: it brings a cache line" in " ".join(
            judged(name, found)
        )


def test_records_and_reasons_name_the_same_functions() -> None:
    recorded = set()
    for configuration, record in instructions.records().items():
        _, _, level, archive = configuration.split()
        assert level in ("-O1", "-O2", "-O3") and archive.startswith("libhanji"), configuration
        for key, number in record.items():
            file, function, kind = key.split(" ", 2)
            assert number > 0
            recorded.add((file, function.partition(".")[0], kind))
    assert recorded == set(instructions.PUBLIC)
    assert all(len(reason.split()) > 5 for reason in instructions.PUBLIC.values())


def test_the_tool_that_writes_records_refuses_an_unknown_compiler() -> None:
    command = [sys.executable, ROOT / "tools/ct_instructions.py", "tcc-O2"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert "tcc-O2 given, one of gcc-O1, gcc-O2, " in done.stderr
