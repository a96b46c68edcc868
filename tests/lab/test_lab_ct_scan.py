# SPDX-License-Identifier: Apache-2.0
"""The scan of AVX-512 kernels lets through what it knows and nothing else, and the kernels of both
compilers pass it.
"""

from __future__ import annotations

import platform
import re
import subprocess
from pathlib import Path

import pytest
from debian import need

from hanji_lab.checkout import find_checkout, find_compiler
from hanji_lab.ct import opcodes, taint, x86
from hanji_lab.kernels import scan

ROOT = find_checkout(Path(__file__))
DEBIAN = {"gcc": "gcc", "clang": "clang-14"}

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="kernels of x86-64")


def scanned(tmp_path: Path, assembly: str, *, strict: bool = True) -> list[str]:
    """What is found in one function in assembly; rdi points to secrets, rdx is a length."""
    (tmp_path / "one.S").write_text(
        f".text\n.global one\n.type one, %function\none:\n{assembly}\n ret\n", encoding="utf-8"
    )
    subprocess.run(["gcc", "-c", "one.S", "-o", "one.o"], cwd=tmp_path, check=True)
    return opcodes.OpcodeScan(ROOT, "gcc").scan(tmp_path / "one.o", strict=strict)["one"]


@pytest.mark.parametrize("family", DEBIAN)
def test_controls_are_told_apart(family: str, tmp_path: Path) -> None:
    need(DEBIAN[family])
    found = opcodes.OpcodeScan(ROOT, family).controls(tmp_path, find_compiler(family))
    assert len([name for name in found if name.startswith("leak_")]) > 100
    assert len([name for name in found if name.startswith("quiet_")]) > 20
    assert [
        name for name, problems in found.items() if bool(problems) != name.startswith("leak_")
    ] == []


@pytest.mark.slow  # of gcc's the command tells in test_lab_ct.py
@pytest.mark.parametrize("family", DEBIAN)
def test_kernels_pass(family: str) -> None:
    need("cmake", DEBIAN[family])
    report = opcodes.OpcodeScan(ROOT, family).run()
    assert report.problems == []
    checked = {entry["source"] for entry in report.objects if entry["kind"] == "check"}
    assert checked == {
        str(path.relative_to(ROOT)) for path in opcodes.OpcodeScan(ROOT, family).sources
    }


@pytest.mark.parametrize(
    "instruction",
    [
        "vdbpsadbw $1, %zmm0, %zmm1, %zmm2",
        "vplzcntd %zmm0, %zmm1",
        "vpconflictd %zmm0, %zmm1",
        "vrcp14ps %zmm0, %zmm1",
        "paddd %xmm0, %xmm1",
        "pand %xmm0, %xmm1",
        "cpuid",
        "rdrand %rax",
        "lzcnt %rdx, %rcx",
        "mulx %rdx, %rcx, %r8",
        "adcx %rdx, %rcx",
        "crc32q %rdx, %rcx",
        "vpgatherqq (%rsi,%zmm0), %zmm1{%k1}",
        "vpscatterqq %zmm1, (%rsi,%zmm0){%k1}",
        "lock addq $1, (%rsi)",
        "mov %fs:(%rdx), %rcx",
        "mov (%edx), %rcx",
        "enter $16, $0\n leave",
        "movsb",
        "rep movsb",
        "fld1",
    ],
)
def test_what_is_not_known_is_refused(instruction: str, tmp_path: Path) -> None:
    need("gcc")
    assert scanned(tmp_path, f"kxnorw %k1, %k1, %k1\n xor %ecx, %ecx\n {instruction}") != []
    assert scanned(tmp_path, "kxnorw %k1, %k1, %k1\n xor %ecx, %ecx") == []


def test_an_increment_in_memory_and_a_jump_are_two_findings(tmp_path: Path) -> None:
    need("gcc")
    found = scanned(tmp_path, "1: addb $1, 7(%rdi)\n jne 1b", strict=False)
    assert len(found) == 1 and "data decide a jump" in found[0], found
    found = scanned(tmp_path, "1: addb $1, 7(%rdi)\n jne 1b")
    assert len(found) == 2 and "add" in found[0] and "jne" in found[1], found


def test_every_register_and_width_is_followed(tmp_path: Path) -> None:
    """A word goes through each general register, each vector and each mask, and is found at the
    end.
    """
    need("gcc")
    wide = [
        name
        for name, (whole, size) in x86.GENERAL.items()
        if size == 8 and whole not in ("rsp", "rdi", "rsi", "rdx")
    ]
    assert len(wide) == 12
    for register in wide:
        assert (
            scanned(tmp_path, f"mov (%rdi), %{register}\n prefetcht0 (%{register})\n mov $0, %eax")
            != []
        ), register
        assert (
            scanned(tmp_path, f"mov %rdx, %{register}\n prefetcht0 (%{register})\n mov $0, %eax")
            == []
        ), register
    for number in range(32):
        there = (
            f"vmovdqu64 (%rdi), %zmm{number}\n vpaddd %zmm{number}, %zmm{number}, "
            f"%zmm{(number + 1) % 32}"
        )
        back = (
            f"vmovdqu64 %zmm{(number + 1) % 32}, -64(%rsp)\n mov -8(%rsp), %rcx\n prefetcht0 (%rcx)"
        )
        assert scanned(tmp_path, f"{there}\n {back}") != [], number
    for number in range(1, 8):
        there = f"vmovdqu64 (%rdi), %zmm0\n vptestmd %zmm0, %zmm0, %k{number}"
        assert scanned(tmp_path, f"{there}\n vmovdqu32 (%rsi), %zmm1{{%k{number}}}") != [], number


def test_a_loop_of_a_known_number_of_turns_is_followed(tmp_path: Path) -> None:
    """What is kept behind an array survives as many stores as there are, and not one more."""
    need("gcc")
    loop = (
        "mov %rdx, -8(%rsp)\n vmovdqu (%rdi), %xmm0\n lea -72(%rsp), %rcx\n mov ${turns}, %eax\n"
        "1: vmovdqu %xmm0, (%rcx)\n add $16, %rcx\n sub $1, %eax\n jne 1b\n mov -8(%rsp), "
        "%rcx\n prefetcht0 (%rcx)"
    )
    assert scanned(tmp_path, loop.replace("{turns}", "4")) == []
    assert scanned(tmp_path, loop.replace("{turns}", "5")) != []


def test_secrets_of_scanned_kernels_are_behind_addresses() -> None:
    """The scan takes numbers among the arguments for public: no kernel may call one of them a
    secret.
    """
    found = 0
    for kernel in scan(ROOT)[0]:
        if kernel.isa not in opcodes.TIERS:
            continue
        found += 1
        values = {
            argument["value"] for argument in (kernel.args or {}).values() if "value" in argument
        }
        assert not values & set(kernel.secrets), (
            f"{kernel.name}: {values & set(kernel.secrets)} is a secret and no buffer"
        )
    assert found > 100


def test_calls_of_the_list_are_there() -> None:
    """The functions that kernels may call beside their own are ours or the C library's, with as
    many arguments as they have.
    """
    text = (
        (ROOT / "src/support/secret.h").read_text()
        + (ROOT / "src/support/cpu.h").read_text()
        + (ROOT / "include/hanji/common.h").read_text()
    )
    for name, call in taint.CALLS.items():
        if not name.startswith("hanji_"):
            continue
        found = re.search(rf"void {name}\(([^)]*)\)", text)
        assert found, name
        assert call.arguments == (0 if found[1] == "void" else found[1].count(",") + 1), name
