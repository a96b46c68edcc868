# SPDX-License-Identifier: Apache-2.0
"""Whether the instructions of a proof are all in the instruction set that the header names.

The bytes that a proof ran over are disassembled by objdump and assembled again by GNU as for
exactly that set. Neither shares code with what the prover decodes with (SLEIGH, Capstone and rules
of ours) and neither knows which instructions our kernels use. An instruction that the assembler
does not know there would end in a fault on a processor that has the named set and no more.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from ..checkout import LabError, find_program, run
from .pcode import Image
from .values import RefusedError

# What cpu.c asks the processor for before it takes a kernel of the set.
AVX2 = "generic64+ssse3+avx2+bmi+bmi2+pclmul"
AVX512 = (
    f"{AVX2}+avx512f+avx512bw+avx512dq+avx512vl+avx512vbmi+avx512_vbmi2+gfni+aes+vaes+vpclmulqdq"
)


@dataclass(frozen=True)
class Tools:
    """How an instruction set is disassembled and assembled: the prefix of the programs, Debian's
    package, what objdump is told and what as is.
    """

    prefix: str
    package: str
    machine: tuple[str, ...]
    flags: tuple[str, ...]
    comment: str = "//|;|@|#"  # what stands in front of a comment of objdump


def _x86(march: str) -> Tools:
    return Tools("", "binutils", ("-m", "i386:x86-64", "-M", "att"), (f"-march={march}",), "#")


def _a64(march: str) -> Tools:
    return Tools(
        "aarch64-linux-gnu-",
        "binutils-aarch64-linux-gnu",
        ("-m", "aarch64"),
        (f"-march={march}",),
        "//",
    )


def _rv32(march: str) -> Tools:
    return Tools(
        "riscv64-unknown-elf-",
        "binutils-riscv64-unknown-elf",
        ("-m", "riscv:rv32", "-M", "no-aliases,numeric"),
        (f"-march={march}", "-mabi=ilp32"),
        "#",
    )


def _thumb(core: str) -> Tools:
    return Tools(
        "arm-none-eabi-",
        "binutils-arm-none-eabi",
        ("-m", "arm", "-M", "force-thumb"),
        (f"-mcpu={core}", "-mthumb", "-mimplicit-it=thumb"),
        "[;@]",
    )


SETS = {
    "avx2": _x86(AVX2),
    "avx512": _x86(AVX512),
    "a64": _a64("armv8-a+nofp"),
    "neon": _a64("armv8-a"),
    "pmull": _a64("armv8-a+aes"),
    "sha3": _a64("armv8.2-a+aes+sha3"),
    "rv32i": _rv32("rv32i"),
    "zbkb": _rv32("rv32i_zbkb"),
    "armv6m": _thumb("cortex-m0"),
    "armv7m": _thumb("cortex-m3"),
    "armv7em": _thumb("cortex-m4"),
    "avr": Tools("avr-", "binutils-avr", ("-m", "avr:5"), ("-mmcu=atmega328p",), ";"),
}
# All extensions whose instructions objdump knows: without them it shows no names.
EVERY_RISCV = (
    "rv32imafdc_zicsr_zifencei_zba_zbb_zbc_zbs_zbkb_zbkc_zbkx_zknd_zkne_zknh_zksed_zksh_zicbom"
)
LINE = re.compile(r"^ *([0-9a-f]+):\t((?:[0-9a-f]{2,8} ?)+) *\t(.*)$")
ERROR = re.compile(r"^[^:]*:(\d+): (?:Error|Fatal error): (.*)$", re.MULTILINE)
# Branches, and other instructions whose last operand is a place: it is put behind the instruction.
PLACED = re.compile(
    r"^((?:(?:notrack|bnd) )?"
    r"(?:j\w*|call\w*|loop\w*"
    r"|b(?:lx?|\.?(?:eq|ne|[chl]s|cc|lo|mi|pl|v[sc]|hi|[gl][et]u?|al|nv))?(?:\.[nw])?"
    r"|cbn?z|tbn?z|adrp?|ldr(?:sw)?) (?:.*[ ,])?)0x[0-9a-f]+$"
)
EVEX = 0x62
PREFIXES = {0x66, 0x67, 0xF2, 0xF3, 0xF0, 0x2E, 0x36, 0x3E, 0x26, 0x64, 0x65}
# Hints, which older processors take for NOP, and NOP of all lengths.
HINT = re.compile(r"(?:(?:data16|cs|xchg) )*(?:endbr64|nop[wl]?\b.*|%ax,%ax)")


def check(image: Image, isa: str, executed: Collection[int]) -> None:
    """RefusedError for the first instruction that a processor with this set may not have."""
    if isa not in SETS:
        raise LabError(f"no assembler for the instruction set {isa!r}")
    tools, places = SETS[isa], sorted(executed)
    sizes = [image.length(pc) for pc in places]
    code = [image.fetched(pc, size) or b"" for pc, size in zip(places, sizes, strict=True)]
    said = _disassembled(tools, code)
    for pc, one, text in zip(places, code, said, strict=True):
        if not text or text[0] in "(.<" or "undefined" in text.lower():
            raise RefusedError(f"at {pc:#x} are bytes {one.hex()} that are no instruction")
        if isa == "avx2" and not _encoded(one):
            raise RefusedError(f"at {pc:#x} is an instruction that {isa} does not have: {text}")
    for i, problem in _assembled(tools, said):
        raise RefusedError(
            f"at {places[i]:#x} is an instruction that {isa} does not have: {said[i]} ({problem})"
        )


def _encoded(code: bytes) -> bool:
    """Whether an instruction of x86-64 has an encoding that AVX2 has, whatever its name."""
    return next((byte for byte in code if byte not in PREFIXES), 0) != EVEX


def _disassembled(tools: Tools, code: list[bytes]) -> list[str]:
    """What objdump calls each instruction; nothing where it does not see one there."""
    program = find_program(f"{tools.prefix}objdump", tools.package, "the prover")
    with tempfile.TemporaryDirectory(prefix="hanji-prove-") as folder:
        path = Path(folder, "code")
        given = ["-b", "binary"]
        if tools.prefix.startswith("riscv"):  # objdump takes the extensions from the file
            given = ["-j", ".text"]
            listing = path.with_suffix(".s")
            listing.write_text("".join(f".byte {', '.join(map(str, one))}\n" for one in code))
            march = f"-march={EVERY_RISCV}"
            assembler = find_program(f"{tools.prefix}as", tools.package, "the prover")
            run([assembler, march, "-mabi=ilp32", listing, "-o", path])
            run([f"{tools.prefix}objcopy", "-w", "-N", "$*", path])
        else:
            path.write_bytes(b"".join(code))
        listed = run([program, "-D", "-z", "-w", *given, *tools.machine, path])
    found: dict[int, tuple[int, str]] = {}
    for line in listed.splitlines():
        if shown := LINE.match(line):
            size = sum(len(part) for part in shown[2].split()) // 2
            found[int(shown[1], 16)] = size, re.split(tools.comment, shown[3])[0].strip()
    said, at = [], 0
    for one in code:
        size, text = found.get(at, (0, ""))
        said.append(text if size == len(one) else "")
        at += len(one)
    return said


def _assembled(tools: Tools, said: list[str]) -> list[tuple[int, str]]:
    """The places of instructions that the assembler does not take, and why."""
    program = find_program(f"{tools.prefix}as", tools.package, "the prover")
    lines = [""] * len(said)
    seen: set[str] = set()
    for i, text in enumerate(said):
        text = " ".join(text.split())
        if text not in seen and not HINT.fullmatch(text):
            seen.add(text)
            placed = PLACED.match(text)
            lines[i] = f"{placed[1]}.+4" if placed else text
            if re.match(r"it[te]* ", text) and "-mthumb" in tools.flags:
                lines[i] = "it eq; nopeq"  # what stands under it is assembled by itself
    with tempfile.TemporaryDirectory(prefix="hanji-prove-") as folder:
        path = Path(folder, "again.s")
        head = ".syntax unified" if "-mthumb" in tools.flags else ".text"
        path.write_text("\n".join([head, *lines, ""]))
        made = subprocess.run(
            [program, *tools.flags, str(path), "-o", str(path.with_suffix(".o"))],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    found = [(int(line) - 2, problem) for line, problem in ERROR.findall(made.stderr)]
    if made.returncode and not found:
        raise LabError(f"{program} says: {made.stderr.strip()[:200]}")
    return found
