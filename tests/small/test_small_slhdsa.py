# SPDX-License-Identifier: Apache-2.0
"""SLH-DSA that is verified while it comes, on microcontrollers: a signature of NIST is accepted and
altered ones are not, in the flash, RAM and instructions that docs/firmware-updates.md states.
"""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
import vectors_io
from debian import need

from hanji_lab.measure import messages
from hanji_lab.spec.slhdsa import VARIANTS

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests/consumers")]
import amalgam  # noqa: E402
import test_residue  # noqa: E402

FREESTANDING = ("-std=gnu11", "-Os", "-ffreestanding", "-ffunction-sections", "-fdata-sections")
FREESTANDING += ("-fno-tree-loop-distribute-patterns", "-Wall", "-Werror", "-DPART=64")
HELD = HERE / "slhdsa_counts.json"
NAME = "slh-dsa-shake-128s"


class Board(NamedTuple):
    """A processor, and the machine that runs its programs."""

    tools: str  # how the names of the compiler and the binutils begin
    core: tuple[str, ...]
    packages: tuple[str, ...]
    emulator: tuple[str, ...]
    places: tuple[int, int]  # ROM and RAM
    tick: int = 1  # of what is counted


ARM = ("gcc-arm-none-eabi", "qemu-system-arm")
SILENT = ("-icount", "shift=0", "-display", "none", "-monitor", "none", "-serial", "none")
SILENT += ("-semihosting-config", "enable=on,target=native", "-kernel")
CORTEX = ("qemu-system-arm", "-M", "mps2-an386", *SILENT)  # it runs code for a Cortex-M0, too
BOARDS = {
    "cortex-m4": Board(
        "arm-none-eabi-", ("-mcpu=cortex-m4", "-mthumb"), ARM, CORTEX, (0, 1 << 29), 40
    ),
    "cortex-m0": Board(
        "arm-none-eabi-", ("-mcpu=cortex-m0", "-mthumb"), ARM, CORTEX, (0, 1 << 29), 40
    ),
    "rv32i": Board(
        "riscv64-unknown-elf-",
        ("-march=rv32i", "-mabi=ilp32", "-mno-relax", "-Wl,--no-relax"),
        ("gcc-riscv64-unknown-elf", "qemu-system-misc"),
        ("qemu-system-riscv32", "-M", "virt", "-bios", "none", *SILENT),
        (0x80000000, 0x80100000),
    ),
    "avr": Board(
        "avr-",
        ("-mmcu=atmega328p", "-DF_CPU=16000000UL"),
        ("gcc-avr", "avr-libc", "simavr"),
        ("simavr", "-m", "atmega328p", "-f", "16000000"),
        (0, 0),
    ),
}


def write_vector(folder: Path, name: str) -> None:
    """vector.h with a valid test of this set."""
    test = next(
        t
        for t in vectors_io.document("slhdsa/signatures")["tests"]
        if (t["mode"], t["variant"], t.get("result")) == ("VERIFY", name, "valid")
        and t["interface"] == "external"
        and "preHash" not in t
    )
    lines = [f'#define SET "{name}"']
    fields = {"context": "context", "msg": "message", "pk": "public_key", "signature": "signature"}
    for field, called in fields.items():
        data = base64.b64decode(test.get(field, ""))
        lines += [f"#define CONTEXT_BYTES {len(data)}"] if field == "context" else []
        values = ", ".join(map(str, data)) or "0"
        place = " FLASH" if field in ("msg", "signature") else ""
        lines.append(f"static const uint8_t {called}[]{place} = {{{values}}};")
    (folder / "vector.h").write_text("\n".join(lines) + "\n")


def built(folder: Path, board: str, profile: str, isa: str, name: str, *options: str) -> Path:
    """A program with the verifier of a set, or with -DALONE what a boot loader keeps of it."""
    one = BOARDS[board]
    need("gcc", *one.packages)
    tool = [sys.executable, ROOT / "tools/amalgam.py", "--algorithms", f"{name}-verify"]
    subprocess.run([*tool, "--profile", profile, "--isa", isa, "--out", folder], check=True)
    write_vector(folder, name)
    sources = [HERE / "slhdsa_stream.c", *sorted(folder.glob("*.[cS]"))]
    program = folder / "program.elf"
    link: list[object] = ["-Wl,--gc-sections"]
    if "-DALONE" in options:
        link += ["-nostdlib", "-nostartfiles", "-Wl,--entry=boot", "-Wl,--undefined=boot", "-lgcc"]
    elif board != "avr":
        script = folder / "roomy.ld"
        text = (messages.MCU / "cortexm.ld").read_text()
        assert "lab_ram + 0x4000" in text
        script.write_text(text.replace("lab_ram + 0x4000", "lab_ram + 0x10000"))
        places = ",".join(
            f"--defsym=lab_{x}={at}" for x, at in zip(("rom", "ram"), one.places, strict=True)
        )
        link += ["-nostdlib", "-nostartfiles", f"-T{script}", f"-Wl,{places}", "-lgcc"]
        sources += [messages.MCU / "cortexm.S"] if board != "rv32i" else []
        link.append("-Wl,--no-warn-rwx-segments")
    command = [f"{one.tools}gcc", *one.core, *FREESTANDING, f"-I{folder}", *options, *sources]
    subprocess.run([*command, *link, "-o", program], check=True)
    return program


def measured(
    folder: Path, board: str, profile: str, isa: str, name: str, altered: int = 5
) -> tuple[int, int]:
    """Executed instructions, or cycles on an AVR; and bytes of RAM with the context and the stack."""
    program = built(folder, board, profile, isa, name, f"-DALTERED={altered}")
    one = BOARDS[board]
    done = subprocess.run(
        [*one.emulator, program], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    said = re.search(r"([0-9a-f]{8}) ([0-9a-f]{8}) ([0-9a-f]{8})", done.stdout + done.stderr)
    assert said, done.stdout[-500:] + done.stderr[-500:]
    ticks, depth, right = (int(digits, 16) for digits in said.groups())
    assert right == 1, "the right signature was refused, or an altered one accepted"
    return ticks * one.tick, depth


def flash(folder: Path, board: str, profile: str, isa: str, name: str) -> int:
    """Bytes of code and constants of all that the verification needs, without the data of the test."""
    program = built(folder, board, profile, isa, name, "-DALONE")
    tools = BOARDS[board].tools
    sizes = subprocess.run(
        [f"{tools}nm", "--print-size", program], capture_output=True, text=True, check=True
    )
    found = {
        row[3]: int(row[1], 16)
        for row in map(str.split, sizes.stdout.splitlines())
        if len(row) == 4 and row[2] in "tTrRwWdD"
    }
    data = subprocess.run(
        [f"{tools}size", "-A", program], capture_output=True, text=True, check=True
    )
    sections = dict(re.findall(r"^\.(\w+)\S*\s+(\d+)", data.stdout, re.MULTILINE))
    ours = {"context", "message", "public_key", "signature"}
    whole = sum(int(sections.get(part, 0)) for part in ("text", "rodata", "data"))
    return whole - sum(size for symbol, size in found.items() if symbol in ours)


# What docs/firmware-updates.md shows: processor, profile, kernels. The full profile needs more RAM
# than an ATmega328P has.
CASES = [
    ("cortex-m4", "full", "armv7m"),
    ("cortex-m4", "tiny", "armv7m"),
    ("cortex-m4", "tiny", "portable"),
    ("cortex-m0", "full", "portable"),
    ("cortex-m0", "tiny", "portable"),
    ("rv32i", "full", "portable"),
    ("rv32i", "tiny", "portable"),
    ("avr", "tiny", "portable"),
]


@pytest.mark.parametrize(
    ("board", "profile", "isa"),
    [
        pytest.param(*case, marks=() if case[::2] == ("cortex-m4", "armv7m") else pytest.mark.slow)
        for case in CASES
    ],
)
def test_it_takes_what_it_took(tmp_path: Path, board: str, profile: str, isa: str) -> None:
    """After a change that is meant, the figures that this test prints go into the file, and
    tools/tables.py writes them into docs/firmware-updates.md.
    """
    altered = 1 if board == "avr" else 5
    (tmp_path / "flash").mkdir()
    count, ram = measured(tmp_path, board, profile, isa, NAME, altered)
    found = {
        "count": count,
        "ram": ram,
        "flash": flash(tmp_path / "flash", board, profile, isa, NAME),
    }
    assert found == json.loads(HELD.read_text())[f"{board} {profile} {isa}"], json.dumps(found)


def test_a_cortex_m4_is_within_the_limits() -> None:
    held = json.loads(HELD.read_text())["cortex-m4 full armv7m"]
    assert held["count"] <= 24_000_000
    assert held["ram"] <= 1331
    assert held["flash"] <= 5_700


def permutations(name: str, steps: float) -> float:
    """Of Keccak for one signature with so many steps of chains in a layer (FIPS 205, section 11.2)."""
    one = VARIANTS[name]

    def blocks(values: int) -> int:
        return (one.n + 32 + values * one.n) // 136 + 1

    fors = one.k * (1 + one.a) + blocks(one.k)
    return fors + one.d * (steps + blocks(one.chains) + one.height)


def test_the_watchdog_table_is_right() -> None:
    """At most: the message's digits are zero, and the checksum is what follows from that."""
    text = (ROOT / "docs/firmware-updates.md").read_text()
    for name, one in VARIANTS.items():
        digits = 2 * one.n
        most = 15 * digits + sum(15 - (15 * digits >> shift & 15) for shift in (8, 4, 0))
        (row,) = re.findall(rf"^\| `{name}` \| ([\d,]+) \| ([\d,]+) \|$", text, re.MULTILINE)
        mean, at_most = (int(number.replace(",", "")) for number in row)
        assert at_most == permutations(name, most)
        chance = [1.0]  # of each sum of digits
        for _ in range(digits):
            longer = [0.0] * (len(chance) + 15)
            for total, share in enumerate(chance):
                for digit in range(16):
                    longer[total + digit] += share / 16
            chance = longer
        steps = sum(
            share * (total + sum(15 - (total >> shift & 15) for shift in (8, 4, 0)))
            for total, share in enumerate(chance)
        )
        assert abs(mean - permutations(name, steps)) < 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["slh-dsa-shake-192s", "slh-dsa-shake-128f"])
def test_other_sets_are_verified_there(tmp_path: Path, name: str) -> None:
    instructions, ram = measured(tmp_path, "cortex-m4", "full", "armv7m", name)
    assert instructions < 400_000_000
    assert ram <= 1331


def left_on_the_stack(folder: Path, machine: str, isa: str, level: str) -> list[str]:
    """What the calls of tests/small/slhdsa_jobs.h leave there; the first two are of controls."""
    need("gcc")
    amalgam.write(amalgam.chosen("slh-dsa-shake-128f"), isa, set(), folder)
    (folder / "jobs.h").write_text((HERE / "slhdsa_jobs.h").read_text())
    lines = test_residue.lines_of(
        folder,
        folder,
        machine,
        f"{level} -DHANJI_TINY",
        is_roomy=True,  # all jobs are in jobs.h
    )
    assert not [line for line in lines if re.match("refused |.*overflow", line)]
    return [line for line in lines if line.startswith("residue ")]


@pytest.mark.parametrize(
    ("machine", "isa", "level"),
    [
        pytest.param(machine, isa, level, marks=() if level == "-Os" else pytest.mark.slow)
        for machine, isa in (
            *((machine, "portable") for machine in test_residue.MACHINES),
            ("cortex-m4", "armv7m"),
        )
        for level in test_residue.LEVELS
    ],
)
def test_nothing_of_the_message_is_left_on_the_stack(
    tmp_path: Path, machine: str, isa: str, level: str
) -> None:
    found = left_on_the_stack(tmp_path, machine, isa, level)
    assert (tmp_path / "keccak_armv7m_x1.S").exists() == (isa == "armv7m")
    assert [line.split(",")[0] for line in found] == [
        "residue control leaves its key",
        "residue control leaves bytes of its text",
    ], "\n".join(found[2:])


def test_control_what_a_message_selects_would_be_found(tmp_path: Path) -> None:
    _, _, found = left_on_the_stack(tmp_path, "cortex-m4", "portable", "-Os -DCONTROL_READS")
    assert found.startswith("residue control, two texts")
