# SPDX-License-Identifier: Apache-2.0
"""The leakage laboratory on its machines: planted faults are found, and nothing where there is
none.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from debian import all_required, need

from hanji_lab.cases import CaseError
from hanji_lab.kernels import known_isas, parse
from hanji_lab.leak import campaign, controls, isa, rtl, session, subject, welch

ROOT = Path(__file__).resolve().parents[2]
ISAS = known_isas(ROOT)
PAGE = (ROOT / "docs/leakage.md").read_text(encoding="utf-8")
COMMAND = [sys.executable, "-m", "hanji_lab.cli", "leak"]


@pytest.fixture
def ibex() -> None:
    need("verilator", "gcc-riscv64-unknown-elf", "g++", "make")
    if (reason := rtl.Ibex.why_not()) is not None:
        (pytest.fail if all_required() else pytest.skip)(reason)


@pytest.fixture
def armv7m() -> None:
    need("gcc-arm-none-eabi")
    if (reason := isa.Model.why_not()) is not None:
        (pytest.fail if all_required() else pytest.skip)(reason)


def judged(on: str, text: str, traces: int, home: Path, rounds: int = 2) -> session.Finding:
    """The finding of a text of the controls' kernel, made anew."""
    home.mkdir(exist_ok=True)
    file = home / controls.CONTROLS[on].file.name
    file.write_text(text)
    (kernel,) = parse(file, home, ISAS, free=True)
    machine = session.MACHINES[on](subject.subject(kernel, file, {"rounds": rounds}), ROOT, on)
    machine.prepare()
    made = campaign.Campaign(machine, home, 1).run(traces, 1, lambda done: None)
    found = welch.judged(made.statistics)
    return session.Finding(kernel, machine, 1, made, found, session._leaks(machine, made, found))


def planted(on: str, name: str) -> tuple[str, int]:
    """Text and traces of a control."""
    return next(
        (text, traces)
        for fault, _, text, traces in session.planted(controls.CONTROLS[on])
        if fault == name
    )


def leak(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command."""
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        capture_output=True, text=True, cwd=ROOT, env={**os.environ, **environment},
    )  # fmt: skip


def example(home: Path) -> Path:
    """The example of the page, written into a folder."""
    (assembly,) = re.findall(r"```asm\n(.*?)```", PAGE, re.DOTALL)
    (python,) = re.findall(r"```py\n(.*?)```", PAGE, re.DOTALL)
    (home / "and2.py").write_text(python)
    (home / "and2_rv32i.S").write_text(assembly)
    return home / "and2_rv32i.S"


# Shares of one word are loaded one behind the other, with a load of the other word between them.
LOADED = """    .globl and2
and2:
    lw t0, 0(a1)
    lw t2, 4(a1)
    lw t1, 8(a1)
    lw t3, 12(a1)
    and t6, zero, zero
    and t4, t0, t2
    and t6, zero, zero
    and t5, t0, t3
    lw a4, 0(a2)
    xor t5, a4, t5
    and t6, zero, zero
    xor t4, t5, t4
    and t6, zero, zero
    sw t4, 0(a0)
    and t4, t1, t3
    and t6, zero, zero
    and t5, t1, t2
    and t6, zero, zero
    lw a4, 0(a2)
    xor t5, a4, t5
    and t6, zero, zero
    xor t4, t5, t4
    and t6, zero, zero
    sw t4, 4(a0)
    ret
"""

# Ibex


def test_ibex_finds_nothing_where_nothing_leaks(ibex: None, tmp_path: Path) -> None:
    text, _ = planted("rtl:ibex", session.CLEAN)
    found = judged("rtl:ibex", text, 2000, tmp_path)
    assert found.leaks == ()
    assert found.verdict == "undecided"
    assert found.machine.about() == {"nets": 953, "bits": 22136}
    assert found.judgement.tests > 30_000
    assert 6.2 < found.judgement.limit < 6.5


def test_ibex_finds_a_fault_in_the_sum(ibex: None, tmp_path: Path) -> None:
    text, traces = planted("rtl:ibex", "order")
    found = judged("rtl:ibex", text, traces, tmp_path)
    assert found.verdict == "leaks"
    assert found.judgement.sums
    assert "PRODUCT" not in found.leaks[0].instruction
    assert re.match(r"0x4[0-9a-f]+: (or|xor|and) ", found.leaks[0].instruction)
    assert len(found.leaks[0].before) == 2


def test_ibex_finds_a_fault_that_the_sum_hides(ibex: None, tmp_path: Path) -> None:
    text, traces = planted("rtl:ibex", "linear")
    found = judged("rtl:ibex", text, traces, tmp_path)
    assert found.verdict == "leaks"
    assert found.judgement.sums == ()
    assert all(leak.sum_t is None for leak in found.leaks)
    assert abs(found.leaks[0].nets[0][1]) == found.leaks[0].t > 10


@pytest.mark.slow  # the other planted faults, and 25,000 traces of the kernel without one
def test_ibex_controls(ibex: None) -> None:
    done = leak("--on", "rtl:ibex", "--controls", "--again", "--json")
    assert done.returncode == 0, done.stderr
    made = {one["control"]: one for one in json.loads(done.stdout)}
    assert len(made) == 9
    assert all(one["good"] for one in made.values())
    assert made["none"]["verdict"] == "passes"
    blind = [name for name, one in made.items() if abs(one["sum"]["t"]) < welch.SUM_THRESHOLD]
    assert {"linear", "ports"} <= set(blind)


@pytest.mark.slow
def test_ibex_shows_a_false_leak_where_nets_meet_the_inputs_of_the_cycle_before(
    ibex: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Why the bench sets the inputs behind the clock edge and looks at the nets then."""
    file = example(tmp_path)
    file.write_text(file.read_text().partition("    .globl and2\n")[0] + LOADED)
    (kernel,) = parse(file, tmp_path, ISAS, free=True)

    def leaks() -> bool:
        rtl.core.cache_clear()
        machine = rtl.Ibex(subject.subject(kernel, file, {}), ROOT)
        machine.prepare()
        made = campaign.Campaign(machine, tmp_path, 1).run(8000, 1, lambda done: None)
        return welch.judged(made.statistics).leaks

    assert not leaks()
    bench = rtl.BENCH.read_text()
    look, inputs = "        trace.cycle();\n", "        core.instr_rvalid = "
    assert bench.count(look) == bench.count(inputs) == 1
    early = bench.replace(look, "").replace(inputs, f"{look}{inputs}")
    (tmp_path / "ibex.cpp").write_text(early)
    monkeypatch.setattr(rtl, "BENCH", tmp_path / "ibex.cpp")
    monkeypatch.setenv("HANJI_LAB_CACHE", str(tmp_path / "cache"))
    try:
        assert leaks()
    finally:
        rtl.core.cache_clear()


def test_the_example_of_the_page_passes_and_leaks_when_the_mask_comes_late(
    ibex: None, tmp_path: Path
) -> None:
    file = example(tmp_path)
    done = leak(file, "--on", "rtl:ibex", "--json", "--again")
    assert done.returncode == 0, done.stderr
    (good,) = json.loads(done.stdout)
    assert good["verdict"] == "passes"
    assert sum(good["traces"].values()) == 25_000
    assert good["sum"]["threshold"] == 4.5
    assert good["leaks"] == []
    text = file.read_text()
    early = "    xor t5, t5, t4\n    li t6, 0\n    and t6, t0, t1\n    xor t5, t5, t6"
    late = "    li t6, 0\n    and t6, t0, t1\n    xor t5, t5, t6\n    xor t5, t5, t4"
    assert text.count(early) == 1
    file.write_text(text.replace(early, late))
    done = leak(file, "--on", "rtl:ibex", "--traces", "1000", "--again")
    assert done.returncode == 1, done.stderr
    assert re.search(r"and2 +leaks +1000 on rtl:ibex", done.stdout)
    assert re.search(r"0x[0-9a-f]+: xor t5,t5,t6 .*\n +0x[0-9a-f]+: xor t5,t5,t4 ", done.stdout)
    assert re.search(r"u_ibex_core\.\S+ \(\d+\.\d\)", done.stdout)
    assert "no glitches" in done.stdout


def test_a_wrong_kernel_is_no_verdict(ibex: None, tmp_path: Path) -> None:
    file = example(tmp_path)
    text = file.read_text()
    more = ("--on", "rtl:ibex", "--traces", "200", "--again")
    file.write_text(text.replace("and t6, t2, t3", "or t6, t2, t3"))
    done = leak(file, *more)
    assert done.returncode == 1
    assert re.search(
        r"and2 on rtl:ibex, batch 0: trace 0: byte 0 of product, all shares together: "
        r"[0-9a-f]{8} given, [0-9a-f]{8} expected by .*and2\.py:product",
        done.stderr,
    )
    file.write_text(text.replace("    ret\n", "    bltz t0, 1f\n    nop\n1:\n    ret\n"))
    done = leak(file, *more, "--json")
    assert done.returncode == 1
    assert re.search(r"trace \d+ takes another path from cycle \d+ on", done.stderr)
    (said,) = json.loads(done.stdout)
    assert (said["kernel"], said["machine"], said["verdict"]) == ("and2", "rtl:ibex", "wrong")
    assert f"hanji-lab: {said['why']}\n" == done.stderr
    file.write_text(text.replace("lw t0, 0(a1)", "lw t0, 0(zero)"))
    done = leak(file, *more)
    assert done.returncode == 1
    assert "accesses address 0x0, where no memory is" in done.stderr


@pytest.mark.parametrize(
    ("store", "said"),
    [
        ("sb zero, 7(a0)", ""),  # the last byte of the product, which the kernel fills later
        ("sb zero, 8(a0)", "outside of what it may change: buffer 'product', 0 bytes of stack"),
        ("sw zero, 0(a1)", "outside of what it may change: buffer 'product', 0 bytes of stack"),
        ("sw zero, -4(sp)", "outside of what it may change: buffer 'product', 0 bytes of stack"),
    ],
)
def test_ibex_refuses_a_kernel_that_stores_elsewhere(
    ibex: None, tmp_path: Path, store: str, said: str
) -> None:
    file = example(tmp_path)
    text = file.read_text()
    assert text.count("\nand2:\n") == 1
    file.write_text(text.replace("\nand2:\n", f"\nand2:\n    {store}\n"))
    (kernel,) = parse(file, tmp_path, ISAS, free=True)
    machine = rtl.Ibex(subject.subject(kernel, file, {}), ROOT)
    machine.prepare()
    batch = machine.subject.batch(1, 0, 4)
    if not said:
        machine.subject.check(batch, machine.traced(batch)[2], "the control")
        return
    with pytest.raises(CaseError, match=rf"and2 on rtl:ibex: stores to 0x4.*{said}"):
        machine.traced(batch)


def test_too_few_traces_are_no_verdict(ibex: None, tmp_path: Path) -> None:
    done = leak(example(tmp_path), "--on", "rtl:ibex", "--traces", "300", "--again")
    assert done.returncode == 3
    assert "no verdict on and2: nothing was found, but 300 traces are too few" in done.stderr
    assert "undecided" in done.stdout


# Armv7-M


def test_the_model_finds_nothing_where_nothing_leaks(armv7m: None, tmp_path: Path) -> None:
    text, _ = planted("isa:armv7m", session.CLEAN)
    found = judged("isa:armv7m", text, 2000, tmp_path)
    assert found.leaks == ()
    assert found.verdict == "undecided"


@pytest.mark.parametrize(
    "name",
    [
        fault.name
        if fault.name in ("guard", "reg5")
        else pytest.param(fault.name, marks=pytest.mark.slow)
        for fault in controls.ARMV7M.faults
    ],
)
def test_the_model_finds_a_fault(armv7m: None, tmp_path: Path, name: str) -> None:
    text, traces = planted("isa:armv7m", name)
    found = judged("isa:armv7m", text, traces, tmp_path)
    assert found.verdict == "leaks"
    if name == "guard":
        assert found.leaks[0].instruction.partition(": ")[2].startswith("str")
        assert found.leaks[0].nets[0][0].startswith("memory")


@pytest.mark.slow
def test_the_models_controls(armv7m: None) -> None:
    done = leak("--on", "isa:armv7m", "--controls", "--again", "--json")
    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    assert [one["verdict"] for one in made] == ["passes", *["leaks"] * 7]


def test_the_model_refuses_what_depends_on_shares(armv7m: None, tmp_path: Path) -> None:
    text, _ = planted("isa:armv7m", session.CLEAN)
    file = tmp_path / "mine_armv7m.S"
    more = ("--on", "isa:armv7m", "--traces", "100", "--value", "rounds=1", "--again")
    for what, old, new in (
        ("a branch", "masked_round:\n", "masked_round:\n    cmp r5, #0\n    bmi.w masked_round\n"),
        ("an address", "masked_round:\n", "masked_round:\n    ldr r12, [r0, r5]\n"),
    ):
        file.write_text(text.replace(old, new))
        done = leak(file, *more)
        assert done.returncode == 1, done.stderr
        assert f"{what} depends on shares or random bytes" in done.stderr
    file.write_text(text.replace("    mvn r2, r2\n", ""))
    done = leak(file, *more)
    assert done.returncode == 1
    assert "of state, all shares together" in done.stderr


@pytest.mark.parametrize(
    ("store", "said"),
    [
        ("str r1, [sp, #-56]", ""),  # the last word of the frame, which the call fills later
        ("str r1, [sp, #-60]", "outside of buffer 'state', its 56 bytes of stack"),
        ("str r1, [sp]", "outside of buffer 'state', its 56 bytes of stack"),
        ("str r1, [r0, #88]", "outside of buffer 'state', its 56 bytes of stack"),
        ("strb r1, [r0, #-1]", "outside of buffer 'state', its 56 bytes of stack"),
    ],
)
def test_the_model_refuses_a_kernel_that_stores_elsewhere(
    armv7m: None, tmp_path: Path, store: str, said: str
) -> None:
    text, _ = planted("isa:armv7m", session.CLEAN)
    assert text.count("\nmasked_ascon_p:\n") == 1
    file = tmp_path / "mine_armv7m.S"
    file.write_text(text.replace("\nmasked_ascon_p:\n", f"\nmasked_ascon_p:\n    {store}\n"))
    (kernel,) = parse(file, tmp_path, ISAS, free=True)
    machine = isa.Model(subject.subject(kernel, file, {"rounds": 1}), ROOT)
    machine.prepare()
    batch = machine.subject.batch(1, 0, 4)
    if not said:
        machine.subject.check(batch, machine.traced(batch)[2], "the control")
        return
    with pytest.raises(CaseError, match=rf"{re.escape(store.split()[0])}.* stores . bytes.*{said}"):
        machine.traced(batch)


# Usage


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Missing option '--on'"),
        (["--on", "rtl:rocket"], "'rtl:rocket' is not one of 'rtl:ibex', 'isa:armv7m'"),
        (["--on", "isa:armv7m"], "no kernel given"),
        (["none_rv32i.S", "--on", "rtl:ibex"], "none_rv32i.S does not exist"),
        (["ascon_p_rv32i_x1", "--on", "rtl:ibex"], "its header has no key masking"),
        (["ascon_p_armv7m*", "--on", "rtl:ibex"], "rtl:ibex runs rv32i"),
        ([controls.RV32I.file, "--on", "rtl:ibex"], "give --value rounds=NUMBER"),
        ([controls.RV32I.file, "--on", "isa:armv7m"], "isa:armv7m runs armv7em, armv7m"),
        ([controls.RV32I.file, "--on", "rtl:ibex", "--traces", "10"], "not in the range"),
        ([controls.RV32I.file, "--on", "rtl:ibex", "--value", "x"], "NAME=NUMBER expected"),
        (
            [controls.RV32I.file, "--on", "rtl:ibex", "--value", "rounds=1", "--value", "x=1"],
            "--value x given, but masked_ascon_p takes no such value; there are: rounds",
        ),
        (["--controls", "--on", "isa:armv7m", "--value", "x=1"], "but no kernel is given, which"),
    ],
)
def test_wrong_usage(ibex: None, armv7m: None, arguments: list[str | Path], said: str) -> None:
    done = leak(*arguments)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert done.stdout == ""


def test_a_missing_tool_is_named_before_any_work(tmp_path: Path) -> None:
    for on, tool in (("rtl:ibex", "verilator"), ("isa:armv7m", "arm-none-eabi-gcc")):
        done = leak("--on", on, "--controls", PATH=str(tmp_path))
        assert done.returncode == 2
        assert f"{on}: {tool} is not installed. On Debian: apt-get install" in done.stderr


def test_the_page_lists_the_controls() -> None:
    rows = re.findall(r"^\|[^|]*\| `(\w+)`: .* \| ([\d,]+) \|$", PAGE, re.MULTILINE)
    listed = [(name, int(traces.replace(",", ""))) for name, traces in rows]
    every = [*controls.RV32I.faults, *controls.ARMV7M.faults]
    assert listed == [(fault.name, fault.traces) for fault in every]
