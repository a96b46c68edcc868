# SPDX-License-Identifier: Apache-2.0
"""Scan of compiled vector kernels that valgrind cannot run: no data ever leaves the vector registers but by a store.

The kernels keep everything secret in vectors. So it suffices that no instruction brings data into a general register or
into the flags: then branches and addresses can depend on pointers, lengths and loop counts only. Allowed are loads
of what the function itself spilled from a general register, and a loaded word that goes on into a vector at once.

Seen: every instruction of every function in the object file, whatever path is taken. Not seen: other compilers and levels.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..checkout import build_library, find_compiler, find_program, run
from ..checks import Report

HERE = Path(__file__).resolve().parent
TIERS = ("avx512",)  # valgrind 3.19 stops at AVX-512
FLAGS = "-O3 -DNDEBUG"
CONTROL_FLAGS = ("-O2", "-mavx512f", "-mavx512bw", "-mavx512vl", "-mavx512dq")

_GENERAL = re.compile(r"^(?:[re]?(?:[abcd]x|[sd]i|bp|sp)|[abcd][lh]|(?:si|di|bp|sp)l|r(?:8|9|1[0-5])[dwb]?)$")
_SCATTERED = re.compile(r"^v?p?(?:gather|scatter|compress|expand)")
_TO_FLAGS = re.compile(r"^(?:v?ptest(?!n?m)|vtestp[sd]|kortest|ktest|v?u?comis|vpmovmskb|v?movmskp|v?pextr|v?cvtt?s[sd]2)")
_LINE = re.compile(r"^\s+[0-9a-f]+:\t(\S+)\s*(.*?)\s*(?:#.*|<.*)?$")
_FUNCTION = re.compile(r"^[0-9a-f]+ <([^>]+)>:$")
_WIDTH = re.compile(r"^(?:[A-Z]+ PTR )+")


@dataclass(frozen=True)
class Instruction:
    """One line of a disassembly."""

    mnemonic: str
    operands: tuple[str, ...]

    @property
    def to_general(self) -> bool:
        """Whether the first operand is a general register, which most instructions write."""
        return bool(self.operands) and bool(_GENERAL.match(self.operands[0]))

    @property
    def memory(self) -> str | None:
        """The memory that it reads, without its width."""
        if self.mnemonic in ("lea", "nop", "endbr64") or self.mnemonic.startswith(("prefetch", "nop")):
            return None
        reads = self.operands if self.mnemonic.startswith(("cmp", "test", "push", "call", "jmp", "bt")) else self.operands[1:]
        return next((_WIDTH.sub("", operand) for operand in reads if "[" in operand), None)


def parse(disassembly: str) -> Iterator[tuple[str, list[Instruction]]]:
    """Name and instructions of every function in the output of objdump -M intel."""
    name, body = "", list[Instruction]()
    for line in disassembly.splitlines():
        if found := _FUNCTION.match(line):
            if name:
                yield name, body
            name, body = found[1], []
        elif found := _LINE.match(line):
            operands = re.findall(r"(?:[^,\[{]|\[[^\]]*\]|\{[^}]*\})+", found[2])
            body.append(Instruction(found[1], tuple(operand.strip() for operand in operands)))
    if name:
        yield name, body


def leaks(body: list[Instruction]) -> list[str]:
    """What brings data into general registers or flags in one function."""
    spilled = {
        _WIDTH.sub("", one.operands[0]) for one in body if one.mnemonic == "mov" and "[" in one.operands[0] and _GENERAL.match(one.operands[1])
    }
    overwritten = {_WIDTH.sub("", one.operands[0]) for one in body if one.mnemonic.startswith("v") and one.operands and "[" in one.operands[0]}
    framed = any(one.mnemonic == "mov" and one.operands == ("rbp", "rsp") for one in body)
    found = []
    for place, one in enumerate(body):
        text = f"{one.mnemonic} {','.join(one.operands)}"
        memory = one.memory
        if _SCATTERED.match(one.mnemonic):
            found.append(f"addresses from a vector: {text}")
        elif _TO_FLAGS.match(one.mnemonic) or (one.mnemonic.startswith(("v", "kmov")) and one.to_general):
            found.append(f"from a vector into a register or flags: {text}")
        elif memory is not None and (one.to_general or one.mnemonic.startswith(("cmp", "test", "bt", "jmp", "call", "inc", "dec"))):
            base = re.match(r"\[(\w+)", memory)
            own = base is not None and (base[1] == "rsp" or (base[1] == "rbp" and framed))
            if one.mnemonic == "pop" or (own and memory in spilled and memory not in overwritten):
                continue
            if one.mnemonic in ("mov", "movzx") and _only_broadcast(body[place + 1 :], one.operands[0]):
                continue
            found.append(f"data into a register or flags: {text}")
    return found


def _family(register: str) -> str:
    """The name that rax, eax, ax and al share."""
    return re.sub(r"^(?:[re])?([abcd])[xlh]$", r"\1", re.sub(r"^r?e?(si|di|bp|sp)l?$", r"\1", re.sub(r"^(r\d+)[dwb]$", r"\1", register)))


def _only_broadcast(after: list[Instruction], register: str) -> bool:
    """Whether the next instruction that names the register only moves it into a vector, and the one after that overwrites it.

    In the order of the listing up to the return: a reader elsewhere that jumps in between would be missed.
    """
    name, moved = _family(register), False
    for one in after:
        if one.mnemonic == "ret":
            break
        words = [operand for operand in one.operands if any(_family(word) == name for word in re.findall(r"\w+", operand))]
        if not words:
            if one.mnemonic.startswith("j") and not moved:
                return False
            continue
        to_vector = not _GENERAL.match(one.operands[0]) and "[" not in one.operands[0]
        if to_vector and one.mnemonic.startswith(("vpbroadcast", "vmovd", "vmovq", "vpinsr")):
            moved = True
            continue
        writes = bool(one.operands) and one.operands[0] in words and "[" not in one.operands[0]
        reads_too = len(words) > 1 or one.mnemonic not in ("mov", "movzx", "lea", "xor", "pop")
        return moved and writes and (not reads_too or one.mnemonic == "xor")
    return moved


@dataclass(frozen=True)
class OpcodeScan:
    """The scan of the kernels of TIERS as one compiler makes them."""

    root: Path
    family: str

    @property
    def name(self) -> str:
        """For example scan-gcc."""
        return f"scan-{self.family}"

    @property
    def covers(self) -> str:
        """What this check sees."""
        return f"data that leave vector registers in the {', '.join(TIERS)} kernels that {self.family} makes at -O3"

    @property
    def sources(self) -> list[Path]:
        """The kernel files that this check covers: not those of Rainbow, which choose a row by masks in general registers."""
        found = sorted(path for tier in TIERS for path in (self.root / "src").glob(f"*/*_{tier}*.c"))
        return [path for path in found if path.parent.name != "rainbow"]

    def scan(self, objects: Path) -> dict[str, list[str]]:
        """Function by function, what is wrong."""
        objdump = find_program("objdump", "binutils", "the opcode scan")
        return {name: leaks(body) for name, body in parse(run([objdump, "-d", "-M", "intel", "--no-show-raw-insn", objects]))}

    def run(self) -> Report:
        """The controls, then every kernel file."""
        compiler = find_compiler(self.family)
        with tempfile.TemporaryDirectory() as directory:
            object_file = Path(directory, "controls.o")
            run([compiler, *CONTROL_FLAGS, "-c", HERE / "opcode_controls.c", "-o", object_file])
            controls = self.scan(object_file)
        problems = [
            f"control {name!r} {'was taken for a leak' if found else 'was not caught'}: the scan means nothing here, and no result is given"
            for name, found in controls.items()
            if bool(found) != name.startswith("leak_")
        ]
        about = {"checker": self.name, "secrets": "all data", "released": []}
        entries = [
            {"kind": "control", **about, "group": "leak" if name.startswith("leak_") else "quiet", "subject": name, "errors": len(found)}
            for name, found in controls.items()
        ]
        if len([name for name in controls if name.startswith("leak_")]) < 4 or len(controls) < 6:
            problems.append(f"controls are missing: {', '.join(controls)}")
        if problems:
            return Report(self.name, entries, problems)
        archive = build_library(self.root, self.name, compiler, FLAGS, "hanji_static")
        for source in self.sources:
            where = source.relative_to(self.root)
            functions = self.scan(archive.parent / "CMakeFiles/hanji_objects.dir" / f"{where}.o")
            if not functions:
                problems.append(f"{where}: no function was found in its object")
            for name, found in functions.items():
                entries.append({"kind": "check", **about, "group": "opcodes", "subject": name, "source": str(where), "errors": len(found)})
                problems += [f"{where}: {name}: {problem}" for problem in found]
        return Report(self.name, entries, problems)
