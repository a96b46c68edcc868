# SPDX-License-Identifier: Apache-2.0
"""The RV32 machines: right kernels have the same figures every time, wrong ones have none, and
Rocket runs what RV32 runs.
"""

import importlib.util
import json
import os
import re
import struct
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from debian import all_required, need

from hanji_lab import brought, charts, cycles, machines, papers
from hanji_lab.cases import CaseError, UnsupportedError, cases
from hanji_lab.checkout import LabError, find_checkout
from hanji_lab.kernels import scan
from hanji_lab.machines.rv32 import qemu, rewrite, rtl

ROOT = find_checkout(Path(__file__))
contenders = papers.comparison("speck-cham-rv32", ROOT)
ONE_BLOCK = ROOT / "papers/speck-cham-rv32/kernels/speck32_rv32i_x1.S"
# Small and quick to build; the others are in the slow tests.
QUICK = ("rtl:ibex-maxperf", "rtl:picorv32")
CORES = [core.name for core in rtl.cores()]


def core(name):
    need("verilator", "gcc-riscv64-unknown-elf", "g++", "make")
    (found,) = (core for core in rtl.cores() if core.name == name)
    if (reason := found.why_not()) is not None:
        (pytest.fail if all_required() else pytest.skip)(reason)
    return found


@pytest.fixture
def counter():
    need("qemu-system-misc", "gcc-riscv64-unknown-elf")
    return qemu.Qemu()


def case_of(path):
    (kernel,) = brought.kernels(path, ROOT, brought.Said("speck32_64.encrypt"))
    (case,) = cases(ROOT, kernel)
    return case


def damaged(tmp_path, old, new):
    text = ONE_BLOCK.read_text()
    assert old in text, "the place to damage has gone"
    path = tmp_path / "damaged_rv32i.S"
    path.write_text(text.replace(old, new, 1))
    return case_of(path)


WRONG = [
    ("srli a4, a4, 7", "srli a4, a4, 6", "byte 0 of out"),
    ("    ret", "    li s0, 1\n    ret", "does not keep s0"),
    ("    ret", "    addi s11, s11, 1\n    ret", "does not keep s11"),
    ("    ret", "    addi gp, gp, 4\n    ret", "does not keep gp"),
    ("    ret", "    mv tp, zero\n    ret", "does not keep tp"),
    ("    ret", "    addi sp, sp, -16\n    ret", "does not keep sp"),
    ("    ret", "    sb zero, 0(a0)\n    ret", "0 bytes past the end of out"),
    ("    ret", "    sb zero, -5(a0)\n    ret", "1 bytes before out"),
    ("    ret", "    sb zero, 0(a3)\n    ret", "byte 0 of keys was written"),
    ("    ret", "    j hanji_speck32_rv32i_x1", "no end after|ended after|did not end|trapped at"),
]


@pytest.mark.parametrize(("old", "new", "problem"), WRONG, ids=[problem for _, _, problem in WRONG])
def test_wrong_kernels_have_no_figures(counter, monkeypatch, tmp_path, old, new, problem):
    monkeypatch.setattr(qemu, "TIMEOUT", 3)
    with pytest.raises((CaseError, LabError), match=problem):
        counter.measure(damaged(tmp_path, old, new), "a test")


ASCON = [kernel for kernel in scan(ROOT)[0] if kernel.source == "src/ascon/ascon_rv32i_x1.S"]


@pytest.mark.parametrize("flags", ["", "-DHANJI_SMALL"])
@pytest.mark.parametrize("kernel", ASCON, ids=lambda kernel: kernel.name)
def test_ascon_equals_the_specification(counter, kernel, flags):
    of_blocks = kernel.operation.endswith("_blocks")
    for groups in (1, 4) if of_blocks else (1,):
        for case in cases(ROOT, kernel, groups=groups, flags=flags):
            assert counter.run(case).warm > 900 * groups


def test_every_even_number_of_rounds_equals_the_specification(counter):
    (kernel,) = (kernel for kernel in ASCON if kernel.operation == "permute")
    for steps in range(2, 13, 2):
        (case,) = cases(ROOT, replace(kernel, values={"steps": steps}))
        assert counter.run(case).warm > 100 * steps


@pytest.mark.parametrize(
    "machine", ["rtl:ibex-maxperf", pytest.param("rtl:rocket", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("operation", ["absorb_blocks", "seal_blocks", "open_blocks"])
def test_a_block_of_a_long_message_takes_at_most_57_7_cycles_a_byte(machine, operation):
    """What a call of five blocks takes more than one of one."""
    (kernel,) = (one for one in ASCON if one.spec == f"ascon_aead128.{operation}")
    one, five = (
        core(machine).run(case).warm for n in (1, 5) for case in cases(ROOT, kernel, groups=n)
    )
    assert five - one <= 4 * 16 * 57.7


@pytest.mark.parametrize("flags", ["", "-DHANJI_SMALL"])
def test_control_a_wrong_constant_of_ascon_has_no_figures(counter, tmp_path, flags):
    (kernel,) = (kernel for kernel in ASCON if kernel.operation == "seal_blocks")
    for name in ("ascon_rv32i_x1.S", "ascon_rv32i.inc"):
        text = (ROOT / "src/ascon" / name).read_text()
        old, new = ("~0x11", "~0x12") if flags else ("pair 0x78", "pair 0x79")
        assert name.endswith(".inc") or text.count(old) == 1
        (tmp_path / name).write_text(text.replace(old, new))
    (case,) = cases(ROOT, kernel, flags=flags)
    wrong = replace(case, files=(tmp_path / "ascon_rv32i_x1.S",))
    with pytest.raises((CaseError, LabError), match="byte 0 of state"):
        counter.run(wrong)


ZBKB = [kernel for kernel in scan(ROOT)[0] if kernel.source == "src/ascon/ascon_zbkb_x1.S"]
BLOCKS = 64  # so many in a call: what a block costs is their difference to one


@pytest.mark.parametrize("kernel", ZBKB, ids=lambda kernel: kernel.name)
@pytest.mark.parametrize("flags", ["", "-DHANJI_SMALL"])
def test_ascon_with_bit_manipulation_equals_the_specification(kernel, flags):
    for case in cases(ROOT, kernel, flags=flags):
        assert core("rtl:ibex-zbkb").measure(case, "a test")


def test_a_block_of_ascon_with_bit_manipulation_takes_at_most_48_cycles_a_byte():
    (kernel,) = (kernel for kernel in ZBKB if kernel.operation == "seal_blocks")
    cycles = [
        core("rtl:ibex-zbkb").measure(case, "a test")[0].cycles
        for groups in (1, BLOCKS)
        for case in cases(ROOT, kernel, groups=groups)
    ]
    assert (cycles[1] - cycles[0]) / (16 * (BLOCKS - 1)) <= 48


@pytest.mark.parametrize("flags", ["", "-DHANJI_SMALL"])
def test_control_a_wrong_constant_with_bit_manipulation_has_no_figures(tmp_path, flags):
    (kernel,) = (kernel for kernel in ZBKB if kernel.operation == "seal_blocks")
    for name in ("ascon_zbkb_x1.S", "ascon_zbkb.inc"):
        text = (ROOT / "src/ascon" / name).read_text()
        old, new = (
            ("0xc, 0x6, 0x9, 0x6, 0xc", "0xc, 0x6, 0x9, 0x5, 0xc")
            if flags
            else ("two_rounds 0xc, 0x6, 0x9, 0x6", "two_rounds 0xc, 0x6, 0x9, 0x5")
        )
        assert name.endswith(".inc") or text.count(old) == 1
        (tmp_path / name).write_text(text.replace(old, new))
    (case,) = cases(ROOT, kernel, flags=flags)
    wrong = replace(case, files=(tmp_path / "ascon_zbkb_x1.S",))
    with pytest.raises((CaseError, LabError), match="byte 0 of state"):
        core("rtl:ibex-zbkb").measure(wrong, "a test")


def test_instructions_are_counted_exactly(counter, tmp_path):
    (result,) = counter.measure(case_of(ONE_BLOCK), "a test")
    # before the loop, loads, rounds, stores and loop; the return belongs to the call
    assert result.instructions == 4 + 2 + 22 * 12 + 5
    (longer,) = counter.measure(damaged(tmp_path, "    ret", "    nop\n    ret"), "a test")
    assert longer.instructions == result.instructions + 1


def test_stack_is_measured(counter, tmp_path):
    (result,) = counter.measure(
        damaged(tmp_path, "    ret", "    sw zero, -36(sp)\n    ret"), "a test"
    )
    assert result.more["stack"] == 36


def test_kernels_on_a_core_are_exact_and_the_same_every_time():
    machine = core("rtl:picorv32")
    first, second = (
        [(r.cache, r.cycles) for r in machine.measure(case_of(ONE_BLOCK), "a test")]
        for _ in range(2)
    )
    assert first == second == [(None, 877)]


@pytest.mark.parametrize("name", QUICK)
def test_wrong_kernels_have_no_figures_on_a_core(name, tmp_path):
    with pytest.raises(CaseError, match="byte 0 of out"):
        core(name).measure(damaged(tmp_path, "srli a4, a4, 7", "srli a4, a4, 6"), "a test")


def test_a_kernel_that_does_not_end_is_stopped(tmp_path):
    with pytest.raises(CaseError, match="did not end"):
        core("rtl:picorv32").measure(damaged(tmp_path, "    ret", "1:\n    j 1b"), "a test")


@pytest.mark.slow  # the quick ones run in test_rv32_gates.py
@pytest.mark.parametrize("name", [name for name in CORES if name not in QUICK])
def test_library_kernels_run_on_every_core(name, tmp_path):
    machine = core(name)
    kernels = [
        kernel for kernel in cycles.chosen(ROOT, "*rv32*") if not kernel.source.endswith(".c")
    ]
    measured = {
        result.kernel: result
        for case, _ in cycles.pairs(kernels, [machine], ROOT)
        for result in machine.measure(case, "a test")
    }
    assert {
        "speck32_64_rv32i_encrypt_x2",
        "cham64_128_rv32i_encrypt_x2",
        "sparkle384_rv32i_x1",
    } <= set(measured)
    assert all(
        result.cycles > 0 and not result.provenance.stale(ROOT) for result in measured.values()
    )
    with pytest.raises(CaseError, match="byte 0 of out"):
        machine.measure(damaged(tmp_path, "srli a4, a4, 7", "srli a4, a4, 6"), "a test")


@pytest.mark.slow
def test_an_instruction_that_rocket_lacks_is_named(tmp_path):
    machine = core("rtl:rocket")
    with pytest.raises(UnsupportedError, match=r"rtl:rocket has no instruction `mulhu? "):
        text = ONE_BLOCK.read_text().replace(
            "    ret", "    .option arch, +m\n    mulhu a0, a0, a0\n    ret", 1
        )
        path = tmp_path / "speck32_rv32i.S"
        path.write_text(text)
        machine.measure(case_of(path), "a test")


def assemble(tmp_path, march, abi, lines):
    """The words that the assembler makes of lines."""
    need("gcc-riscv64-unknown-elf")
    source, made, flat = tmp_path / "x.S", tmp_path / "x.o", tmp_path / "x.bin"
    source.write_text(".option norelax\n" + "\n".join(lines) + "\n")
    subprocess.run(
        ["riscv64-unknown-elf-gcc", f"-march={march}", f"-mabi={abi}", "-c", source, "-o", made],
        check=True,
    )
    subprocess.run(
        ["riscv64-unknown-elf-objcopy", "-O", "binary", "-j", ".text", made, flat], check=True
    )
    return [word for (word,) in struct.iter_unpack("<I", flat.read_bytes())]


def test_rewritten_instructions_are_those_of_rv64(tmp_path):
    changed = {"add": "addw", "sub": "subw", "sll": "sllw", "srl": "srlw", "sra": "sraw"}
    immediate = {"addi": "addiw", "slli": "slliw", "srli": "srliw", "srai": "sraiw"}
    same = [
        "lui a0, 0x80000",
        "auipc a1, 3",
        "lw a0, -4(sp)",
        "lbu a0, 1(a1)",
        "sw s0, 8(sp)",
        "sh a0, 2(a1)",
        "xor a0, a1, a2",
        "sltu a0, a1, a2",
    ]
    same += [
        "andi a0, a1, -1",
        "xori a0, a1, 5",
        "sltiu a0, a1, 7",
        "beq a0, a1, .",
        "bgeu a0, a1, .",
        "jal .",
        "jalr ra, 0(a0)",
        "fence",
    ]
    narrow = (
        [f"{name} a0, a1, a2" for name in changed]
        + [f"{name} a0, a1, 21" for name in immediate]
        + same
    )
    wide = (
        [f"{name} a0, a1, a2" for name in changed.values()]
        + [f"{name} a0, a1, 21" for name in immediate.values()]
        + same
    )
    before, after = (
        assemble(tmp_path, "rv32i", "ilp32", narrow),
        assemble(tmp_path, "rv64i", "lp64", wide),
    )
    assert [rewrite.rewrite(word) for word in before] == after


@pytest.mark.parametrize(
    "line",
    [
        "mul a0, a1, a2",
        "mulhu a0, a1, a2",
        "rori a0, a1, 3",
        "andn a0, a1, a2",
        "pack a0, a1, a2",
        "c.nop\nc.nop",
        "ecall",
    ],
)
def test_what_is_not_rv32i_is_refused(tmp_path, line):
    (word,) = assemble(tmp_path, "rv32imc_zbb_zbkb", "ilp32", [line])
    with pytest.raises(rewrite.UnknownInstructionError):
        rewrite.rewrite(word)


def test_constants_in_code_are_not_rewritten(tmp_path):
    need("gcc-riscv64-unknown-elf")
    source, program = tmp_path / "x.S", tmp_path / "x.elf"
    constant = 0x00B50533  # as an instruction: add a0, a0, a1
    source.write_text(
        f".globl _start\n.text\n.word {constant}\n_start:\n add a0, a0, a1\n j 1f\n.word "
        f"{constant}\n1: ret\n"
    )
    link = ["-nostdlib", f"-Wl,-Ttext={rtl.BASE:#x},--build-id=none"]
    subprocess.run(
        ["riscv64-unknown-elf-gcc", "-march=rv32i", "-mabi=ilp32", *link, source, "-o", program],
        check=True,
    )
    words = [
        word
        for (word,) in struct.iter_unpack(
            "<I", rewrite.image(program, rtl.BASE, for_rv64=True)[:20]
        )
    ]
    assert words[0] == words[3] == constant and words[1] == constant + 8


def test_the_wider_cache_is_made_only_of_the_known_text():
    if importlib.util.find_spec("pythondata_cpu_vexriscv") is None:
        (pytest.fail if all_required() else pytest.skip)("pip install pythondata-cpu-vexriscv")
    folder = rtl.Core("pythondata-cpu-vexriscv", "", "", rtl._vexriscv).folder()
    text = (folder / "verilog/VexRiscv_Full.v").read_text()
    wide = rtl.widen_instruction_cache(text)
    assert wide.count("[0:4095]") == text.count("[0:4095]") + 1
    with pytest.raises(LabError, match="another version"):
        rtl.widen_instruction_cache(wide)


@pytest.mark.slow
def test_a_wider_cache_matters_where_the_code_is_large():
    (kernel,) = cycles.chosen(ROOT, "speck32_64_rv32i_encrypt_x32")
    (case,) = cases(ROOT, kernel)
    small, wide = (
        core(f"rtl:vexriscv-{size}").measure(case, "a test")[0].cycles for size in ("4k", "16k")
    )
    assert small > 1.3 * wide


def test_patterns_name_machines():
    names = [machine.name for machine in machines.find(["rtl:ibex"])]
    assert sorted(names) == ["rtl:ibex-maxperf", "rtl:ibex-small", "rtl:ibex-zbkb"]
    assert (
        {machine.name for machine in machines.find(["rtl"])}
        == set(CORES)
        == {machine.name for machine in machines.find(["rtl:*"])}
    )
    assert [machine.name for machine in machines.find(["qemu:hifive1", "rtl:rocket"])] == [
        "rtl:rocket",
        "qemu:hifive1",
    ]
    with pytest.raises(LabError, match="close to it are rtl:ibex-small"):
        machines.find(["rtl:ibexsmall"])


def lab(*arguments, **environment):
    command = [sys.executable, "-m", "hanji_lab.cli", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, env=os.environ | environment
    )


def test_command_measures_a_file_that_a_user_brings(counter, tmp_path):
    path = tmp_path / "mine.S"
    path.write_text(
        re.sub(r"/\* kernel:.*?\*/", "", ONE_BLOCK.read_text(), flags=re.DOTALL).replace(
            "hanji_speck32_rv32i_x1", "mine"
        )
    )
    done = lab(
        "cycles",
        str(path),
        "--isa",
        "rv32i",
        "--spec",
        "speck32_64.encrypt",
        "--blocks",
        "1",
        "--on",
        "qemu:hifive1",
        "--json",
    )
    assert done.returncode == 0, done.stderr
    (entry,) = json.loads(done.stdout)
    assert (entry["kernel"], entry["machine"], entry["instructions"], entry["bytes"]) == (
        "mine",
        "qemu:hifive1",
        275,
        4,
    )
    own = ("cycles", str(path), "--isa", "rv32i")
    wrong = lab(*own, "--spec", "speck32_64.decrypt", "--on", "qemu:hifive1")
    assert wrong.returncode == 1 and "expected by speck32_64.decrypt; if it takes" in wrong.stderr
    unknown = lab(
        "cycles",
        str(path),
        "--isa",
        "rv32i",
        "--spec",
        "speck32_64.encrypt",
        "--layout",
        "pears",
        "--on",
        "qemu:hifive1",
    )
    assert (
        unknown.returncode == 1
        and "layout 'pears' given, one of canonical, pairs" in unknown.stderr
    )
    missing = lab("cycles", "nothing*", "--on", "qemu:hifive1")
    assert (
        missing.returncode == 1
        and "no kernel that can be measured matches 'nothing*'" in missing.stderr
    )


def test_comparison_with_the_paper(counter, tmp_path):
    published = papers.load("speck-cham-rv32", ROOT) | {"machines": ["qemu:hifive1"]}
    entries = [result.to_json() for result in contenders.measure(published, ROOT, "a test")]
    lines = contenders.lines(published, entries)
    ours = {(line.contender.subject, line.contender.label): line.to_design for line in lines}
    for subject in ("SPECK-32/64", "CHAM-64/128"):
        assert (
            ours[subject, "our best for ECB"]
            < ours[subject, "the paper's design"]
            == 1
            < ours[subject, "assembly, one block"]
        )
    assert ours["CHAM-64/128", "masked addition, two blocks (Sim et al.)"] > 1
    rows = papers.published_entries("speck-cham-rv32", ROOT)
    assert [(row["subject"][:5], row["value"]) for row in rows] == [
        ("SPECK", 96.0), ("SPECK", 91.5), ("SPECK", 59.0), ("CHAM-", 152.25), ("CHAM-", 91.25)
    ]  # fmt: skip
    speck, cham = contenders.tables(published, lines)
    assert speck.columns == ["what", "published", "qemu:hifive1"] and speck.rows[0][:2] == [
        "published: reference C (table 2)",
        "96.00",
    ]
    assert any(row[0] == "our best for CTR" and "(0." in row[2] for row in cham.rows)
    cores = [replace(line, kind="rtl", machine=f"rtl:{i % 2}") for i, line in enumerate(lines)]
    for name in ("one.svg", "two.svg"):
        charts.draw(contenders.charts(published, cores), tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
    assert len(contenders.findings(cores, "rtl:0") + contenders.findings(cores, "rtl:1")) == 4


def test_a_comparison_that_is_not_clear_is_refused(counter):
    published = papers.load("speck-cham-rv32", ROOT) | {"machines": ["qemu:hifive1"]}
    published["contenders"] = [
        {
            "subject": "SPECK-32/64",
            "label": "any",
            "kernel": "speck32_64_rv32i_encrypt*",
            "operation": "encrypt",
        }
    ]
    with pytest.raises(LabError, match=r"matches .* one expected, or `best: true`"):
        list(contenders.measure(published, ROOT, "a test"))
    published["contenders"][0] |= {"best": True, "beside": "nothing"}
    with pytest.raises(LabError, match="beside 'nothing', which is no id"):
        list(contenders.measure(published, ROOT, "a test"))
