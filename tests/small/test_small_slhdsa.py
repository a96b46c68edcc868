# SPDX-License-Identifier: Apache-2.0
"""SLH-DSA that is verified while it comes, on a Cortex-M4: a signature of NIST is accepted and an
altered one is not, in the flash, RAM and instructions that docs/firmware.md states.
"""

from __future__ import annotations

import base64
import re
import subprocess
import sys
from pathlib import Path

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

FREESTANDING = ("-std=c11", "-Os", "-ffreestanding", "-DHANJI_FREESTANDING", "-ffunction-sections")
FREESTANDING += ("-fdata-sections", "-fno-tree-loop-distribute-patterns", "-Wall", "-Werror")


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
        lines.append(f"static const uint8_t {called}[] = {{{values}}};")
    (folder / "vector.h").write_text("\n".join(lines) + "\n")


def built(folder: Path, name: str, *options: str, link: tuple[str, ...]) -> Path:
    need("gcc-arm-none-eabi", "qemu-system-arm")
    board = messages.board("qemu:cortex-m4")
    wanted = f"{name}-verify"
    tool = [sys.executable, ROOT / "tools/amalgam.py", "--algorithms", wanted, "--out", folder]
    subprocess.run([*tool, "--isa", "armv7m"], check=True)
    write_vector(folder, name)
    sources = [HERE / "slhdsa_stream.c", *sorted(folder.glob("*.[cS]"))]
    program = folder / "program.elf"
    flags = [*board.target.flags, *FREESTANDING, "-DPART=64", f"-I{folder}", *options]
    last = ["-nostdlib", "-nostartfiles", "-Wl,--gc-sections", *link, "-lgcc", "-o", program]
    subprocess.run([board.target.compiler, *flags, *sources, *last], check=True)
    return program


def measured(folder: Path, name: str) -> tuple[int, int]:
    """Executed instructions, and bytes of RAM with the context and the stack."""
    board = messages.board("qemu:cortex-m4")
    script = folder / "roomy.ld"  # the test keeps an altered copy of the signature
    text = (messages.MCU / "cortexm.ld").read_text()
    assert "lab_ram + 0x4000" in text
    script.write_text(text.replace("lab_ram + 0x4000", "lab_ram + 0x10000"))
    link = (str(messages.MCU / "cortexm.S"), f"-T{script}")
    program = built(folder, name, *board.target.link, link=link)
    done = subprocess.run([board.runner, *board.options, program], capture_output=True, text=True)
    ticks, depth, right = (int(digits, 16) for digits in (done.stdout or done.stderr).split())
    assert right == 1, "the right signature was refused, or an altered one accepted"
    return round(ticks * board.target.tick), depth


def flash(folder: Path, name: str) -> int:
    """Bytes of code and constants of all that the verification needs, without the data of the test."""
    program = built(folder, name, "-DALONE", link=("-Wl,--entry=boot", "-Wl,--undefined=boot"))
    sizes = subprocess.run(
        ["arm-none-eabi-nm", "--print-size", program], capture_output=True, text=True, check=True
    )
    found = {
        row[3]: int(row[1], 16)
        for row in map(str.split, sizes.stdout.splitlines())
        if len(row) == 4 and row[2] in "tTrRwW"
    }
    data = subprocess.run(
        ["arm-none-eabi-size", "-A", program], capture_output=True, text=True, check=True
    )
    sections = dict(re.findall(r"^\.(\w+)\S*\s+(\d+)", data.stdout, re.MULTILINE))
    assert "data" not in sections or sections["data"] == "0"
    ours = {"context", "message", "public_key", "signature"}
    whole = sum(int(sections.get(part, 0)) for part in ("text", "rodata"))
    return whole - sum(size for symbol, size in found.items() if symbol in ours)


def test_a_cortex_m4_verifies_as_the_documents_say(tmp_path: Path) -> None:
    name = "slh-dsa-shake-128s"
    (tmp_path / "flash").mkdir()
    instructions, ram = measured(tmp_path, name)
    code = flash(tmp_path / "flash", name)
    assert ram <= 1331
    text = " ".join((ROOT / "docs/firmware.md").read_text().split())
    said = f"{instructions / 1e6:.1f} million instructions, {ram:,} bytes of RAM and {code:,} bytes"
    assert said in text, said


def permutations(name: str, steps: float) -> float:
    """Of Keccak for one signature with so many steps of chains in a layer (FIPS 205, section 11.2)."""
    one = VARIANTS[name]

    def blocks(values: int) -> int:
        return (one.n + 32 + values * one.n) // 136 + 1

    fors = one.k * (1 + one.a) + blocks(one.k)
    return fors + one.d * (steps + blocks(one.chains) + one.height)


def test_the_watchdog_table_is_right() -> None:
    """At most: the message's digits are zero, and the checksum is what follows from that."""
    text = (ROOT / "docs/firmware.md").read_text()
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
    instructions, ram = measured(tmp_path, name)
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
