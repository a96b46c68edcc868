# SPDX-License-Identifier: Apache-2.0
"""Exact counts and traces of programs for other processors, which run under qemu-user with a plugin
of ours (plugin.c).

`watch` runs a program and gives one `Region` for each stretch between two marks (mark.h).
`count_call` is the short way: it builds the C library, compiles one statement, and counts what it
executes:

    counts = count_call(root, "esch256 of 1 KiB", "static uint8_t digest[32], text[1024];",
    "hanji_esch256(digest, text, sizeof text)") counts.instructions, counts.by_mnemonic(),
    counts.by_function()

The counts are of the instructions that the program executes, not of cycles, and they are the same
on every run.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path

from ..checkout import LabError, build_library, exclusive, find_program, run, shared_object

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Target:
    """A processor that qemu-user runs: its programs, with the Debian packages that bring them."""

    name: str
    emulator: str
    compiler: str
    package: str
    prefix: str
    flags: tuple[str, ...]
    toolchain: str  # in cmake/toolchains
    cpus: tuple[str, ...]  # the first is used unless another is named
    machine: str = ""  # flags of every compilation, the library's too
    options: tuple[str, ...] = ()  # of CMake
    # after everything that is linked: sources beside this file, libraries
    added: tuple[str, ...] = ()
    # the C library, if the compiler does not bring it: a file, its package
    library: tuple[str, str] | None = None

    def ending(self) -> list[str]:
        """The last arguments of a command that links a program."""
        return [str(HERE / part) if part.endswith(".c") else part for part in self.added]

    def why_not(self) -> str | None:
        """What is missing here, with the command that installs it; None when nothing is."""
        needed = {
            self.emulator: "qemu-user",
            self.compiler: self.package,
            f"{self.prefix}nm": self.package,
        }
        missing = {package for program, package in needed.items() if shutil.which(program) is None}
        if self.library and not Path(self.library[0]).exists():
            missing.add(self.library[1])
        return (
            (
                f"{', '.join(sorted(missing))} missing. On Debian: apt-get install "
                f"{' '.join(sorted(missing))}"
            )
            if missing
            else None
        )


AARCH64 = Target(
    "aarch64",
    "qemu-aarch64",
    "aarch64-linux-gnu-gcc",
    "gcc-aarch64-linux-gnu",
    "aarch64-linux-gnu-",
    ("-static",),
    "aarch64-linux.cmake",
    ("max", "cortex-a72"),
)
PICOLIBC = "/usr/lib/picolibc/riscv64-unknown-elf"
KEY_AREA_BYTES = 1496  # all key layouts of the RV32 kernels
RV32I = Target(
    "rv32i",
    "qemu-riscv32",
    "riscv64-unknown-elf-gcc",
    "gcc-riscv64-unknown-elf",
    "riscv64-unknown-elf-",
    (
        "-march=rv32i", "-mabi=ilp32", "-static", "-nostdlib", "-DHANJI_FREESTANDING", f"-DHANJI_KEY_AREA_BYTES={KEY_AREA_BYTES}",
        f"-isystem{PICOLIBC}/include",
    ),
    "rv32i-elf.cmake",
    ("rv32",),
    "-march=rv32i -mabi=ilp32",
    ("-DHANJI_FREESTANDING=ON", f"-DHANJI_KEY_AREA_BYTES={KEY_AREA_BYTES}"),
    ("rv32_start.c", f"-L{PICOLIBC}/lib/rv32i/ilp32", "-Wl,--start-group", "-lc", "-lgcc", "-Wl,--end-group"),
    (f"{PICOLIBC}/include/stdio.h", "picolibc-riscv64-unknown-elf"),
)  # fmt: skip
RV32I_SMALL = replace(RV32I, name="rv32i-small", options=(*RV32I.options, "-DHANJI_SMALL=ON"))
ZBKB = "-march=rv32i_zbkb -mabi=ilp32"  # of the library alone: gcc has no libgcc for it
RV32I_ZBKB = replace(
    RV32I,
    name="rv32i-zbkb",
    cpus=("rv32,zbkb=true",),
    machine=ZBKB,
    options=(*RV32I.options, f"-DCMAKE_ASM_FLAGS={ZBKB}"),
)
TARGETS = {target.name: target for target in (AARCH64, RV32I, RV32I_SMALL, RV32I_ZBKB)}


@dataclass(frozen=True)
class Site:
    """One instruction of the program in one region: where, how often, what it accessed (as a hash),
    and how it reads.
    """

    pc: int
    times: int
    addresses: str
    text: str

    @property
    def mnemonic(self) -> str:
        """The first word of the instruction."""
        return self.text.split(maxsplit=1)[0] if self.text else "?"


@dataclass(frozen=True)
class Region:
    """What ran between a begin and an end. `path` and `addresses` are hashes, zero when only
    counting; `order` is empty unless asked for.
    """

    instructions: int
    path: str
    addresses: str
    sites: tuple[Site, ...] = ()
    order: tuple[int, ...] = field(default=(), repr=False)
    symbols: Symbols | None = field(default=None, compare=False, repr=False)

    def by_mnemonic(self) -> dict[str, int]:
        """Executed instructions of each kind, the most frequent first."""
        counted: Counter[str] = Counter()
        for site in self.sites:
            counted[site.mnemonic] += site.times
        return dict(sorted(counted.items(), key=lambda item: (-item[1], item[0])))

    def by_function(self) -> dict[str, int]:
        """Executed instructions of each function of the program, the most frequent first."""
        counted: Counter[str] = Counter()
        for site in self.sites:
            counted[self.symbols.name(site.pc) if self.symbols else hex(site.pc)] += site.times
        return dict(sorted(counted.items(), key=lambda item: (-item[1], item[0])))

    def without(self, function: str) -> Region:
        """What ran in other functions than this one, which called them."""
        assert self.symbols is not None
        kept = [site for site in self.sites if self.symbols.name(site.pc) != function]
        pcs = {site.pc for site in kept}
        return replace(
            self,
            instructions=sum(s.times for s in kept),
            sites=tuple(kept),
            order=tuple(pc for pc in self.order if pc in pcs),
        )

    def executed(self) -> list[str]:
        """The instructions as they ran, one after the other, as objdump writes them."""
        assert self.symbols is not None
        return [self.symbols.disassembly[pc] for pc in self.order]


class Symbols:
    """The functions of a program that is linked to fixed addresses, and its disassembly."""

    def __init__(self, target: Target, program: Path) -> None:
        self._target, self._program = target, program
        nm = find_program(f"{target.prefix}nm", target.package, "naming functions")
        rows = [line.split() for line in run([nm, "-S", "--defined-only", program]).splitlines()]
        found = {}
        for row in rows:  # address, size where it has one, type, name
            if row[-2] in "tTwW" and not row[-1].startswith("$"):
                found[int(row[0], 16)] = (row[-1], int(row[1], 16) if len(row) == 4 else None)
        self._addresses = sorted(found)
        self._found = [found[address] for address in self._addresses]

    def name(self, pc: int) -> str:
        """The function around an address; in assembly a part may have no name."""
        place = bisect_right(self._addresses, pc) - 1
        if place < 0:
            return hex(pc)
        name, size = self._found[place]
        return name if not size or pc < self._addresses[place] + size else "(no name)"

    @cached_property
    def disassembly(self) -> dict[int, str]:
        """Every instruction of the program as objdump writes it."""
        objdump = find_program(
            f"{self._target.prefix}objdump", self._target.package, "naming instructions"
        )
        lines = run([objdump, "-d", "--no-show-raw-insn", self._program]).splitlines()
        found = (re.match(r"\s*([0-9a-f]+):\t(.*)", line) for line in lines)
        return {int(line[1], 16): " ".join(line[2].split()) for line in found if line}

    def address(self, name: str) -> int:
        """Where a function begins."""
        return next(
            address
            for address, (found, _) in zip(self._addresses, self._found, strict=True)
            if found == name
        )


@cache
def plugin(root: Path) -> Path:
    """The compiled plugin, in build/lab of the checkout."""
    return shared_object(HERE / "plugin.c", root / "build/lab/plugin")


def watch(
    root: Path,
    target: Target,
    program: Path,
    *,
    arguments: Sequence[str] = (),
    trace: bool = False,
    detail: str = "yes",
    cpu: str | None = None,
    environment: Mapping[str, str] | None = None,
    seconds: float | None = None,
) -> tuple[list[Region], bytes]:
    """Run a program of `target` and return its regions and what it printed.

    LabError when it fails, or when a region stays open. `trace` adds the hashes of the path and of
    all addresses. `detail` is yes for the single instructions, no, or order: with a trace, these in
    the order in which they ran. Of the environment of this process only what `environment` holds
    reaches the program. With `seconds` a program that runs longer is an error, too.
    """
    emulator = find_program(target.emulator, "qemu-user", "counting")
    if reason := target.why_not():
        raise LabError(reason)
    with tempfile.TemporaryDirectory() as directory:
        written = Path(directory, "regions")
        given = f"{plugin(root)},out={written},mode={'trace' if trace else 'count'},detail={detail}"
        command = [
            emulator,
            "-cpu",
            cpu or target.cpus[0],
            "-plugin",
            given,
            str(program),
            *arguments,
        ]
        own = {"PATH": os.environ.get("PATH", "")} | dict(environment or {})
        try:
            done = subprocess.run(command, capture_output=True, env=own, timeout=seconds)
        except subprocess.TimeoutExpired:
            raise LabError(f"no end after {seconds:g} s; an endless loop?") from None
        if done.returncode:
            # what a program printed may be bytes; a program that explains itself does it in words
            words = [text.decode(errors="replace") for text in (done.stdout, done.stderr)]
            said = " ".join(text.strip() for text in words if text.isascii())[-2000:]
            raise LabError(f"`{' '.join(command)}` ended with status {done.returncode}: {said}")
        lines = (
            written.read_text(encoding="utf-8", errors="replace").splitlines()
            if written.exists()
            else []
        )
    if not lines or lines.pop() != "done":
        raise LabError(
            f"{program.name}: the program ended inside a region, or the plugin did not run"
        )
    return list(_regions(lines, Symbols(target, program))), done.stdout


def _regions(lines: list[str], symbols: Symbols) -> list[Region]:
    regions: list[Region] = []
    sites: list[Site] = []
    head: list[str] = []
    order: list[int] = []
    before: list[int] = []
    for line in [*lines, "region 0 0 0"]:
        kind, *words = line.split(" ", 4)
        if kind == "ran":
            order.append(int(words[0], 16))
            continue
        if kind == "at":
            text = words[3].strip() if len(words) > 3 else ""
            if not text or text.startswith("."):  # newer than qemu's disassembler
                text = symbols.disassembly.get(int(words[0], 16), "?")
            sites.append(Site(int(words[0], 16), int(words[1]), words[2], text))
            continue
        if head:
            ordered = tuple(sorted(sites, key=lambda site: site.pc))
            regions.append(Region(int(head[0]), head[1], head[2], ordered, tuple(before), symbols))
        head, sites, before, order = words, [], order, []
    return regions


def library(root: Path, target: Target, flags: str) -> Path:
    """The static C library of the checkout for a target, with all optimisation flags that it gets."""
    name = "-".join(["trace", target.name, *re.findall(r"\w+", flags)])
    compiler = find_program(target.compiler, target.package, "counting")
    own = f"{target.machine} {flags}".lstrip()
    return build_library(
        root,
        name,
        compiler,
        own,
        "hanji_static",
        toolchain=target.toolchain,
        options=target.options,
    )


MAIN = """\
#include <hanji/hanji.h>
#include <stdio.h>
#include <string.h>
{head}
#include "mark.h"
{declarations}
int main(void)
{{
    if (hanji_selection() != HANJI_OK) {{
        fputs("the tier that HANJI_FORCE names is not there\\n", stderr);
        return 3;
    }}
    {prepare};
    HANJI_LAB_BEGIN();
    const long long status = (long long)({call});
    HANJI_LAB_END();
    if (status != {expected}) {{
        fprintf(stderr, "the call returned %lld\\n", status);
        return 3;
    }}
    return 0;
}}
"""


def count_call(
    root: Path,
    what: str,
    declarations: str,
    call: str,
    *,
    target: Target = AARCH64,
    prepare: str = "(void)0",
    expected: int = 0,
    head: str = "",
    flags: str = "-O3 -DNDEBUG",
    cpu: str | None = None,
    tier: str | None = None,
    linked: Sequence[str | Path] = (),
    trace: bool = False,
    detail: str = "yes",
) -> Region:
    """Count the instructions of one C expression that calls the library; `what` names it in
    messages.

    `declarations` go before main, `prepare` is a statement that runs first and is not counted, and
    the expression has to return `expected` (0, HANJI_OK). `head` are more includes, `linked` more
    libraries or flags for the linker. The library is compiled with `flags` by the target's gcc.
    `tier` caps the kernels as HANJI_FORCE does; `trace` and `detail` are those of `watch`. Counted
    are the call, what sets up its arguments, and everything below it.
    """
    archive = library(root, target, flags)
    text = MAIN.format(
        head=head, declarations=declarations, prepare=prepare, call=call, expected=expected
    )
    name = hashlib.sha256("\0".join([text, *map(str, linked)]).encode()).hexdigest()[:16]
    program = archive.parent / f"call-{name}"
    with exclusive(program.parent):
        source = program.with_suffix(".c")
        source.write_text(text, encoding="utf-8")
        options = [
            "-std=gnu11",
            "-O2",
            "-Wall",
            *target.flags,
            f"-I{root / 'include'}",
            f"-I{HERE}",
        ]
        run([target.compiler, *options, source, archive, *linked, *target.ending(), "-o", program])
    regions, _ = watch(
        root,
        target,
        program,
        trace=trace,
        detail=detail,
        cpu=cpu,
        environment={"HANJI_FORCE": tier} if tier else {},
    )
    if len(regions) != 1:
        raise LabError(f"{what}: {len(regions)} regions were counted, 1 expected")
    return regions[0]
