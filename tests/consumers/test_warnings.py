# SPDX-License-Identifier: Apache-2.0
"""No compiler warns of the amalgam or of the library at the level of strict teams.

clang only checks the syntax, which is cheap; gcc compiles without optimisation, because it tells of
functions that nothing calls only then. test_every_warning_is_seen shows that this is enough. What
is left out, and why, stands beside it.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from debian import need

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import amalgam  # noqa: E402

import tiny  # noqa: E402

STRICT = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wcast-qual"]
PROTOTYPES = "-Wmissing-prototypes"  # g++ has no such warning
FREESTANDING = ["-ffreestanding", "-DHANJI_FREESTANDING"]
ARM = ["arm-none-eabi-gcc", "-mthumb", *FREESTANDING]
# The compiler, what it warns of, its Debian packages.
COMPILERS: dict[str, tuple[list[str], list[str], tuple[str, ...]]] = {
    "gcc": (["gcc", "-std=c11"], [PROTOTYPES], ("gcc",)),
    "clang": (["clang-14", "-std=c11"], [PROTOTYPES], ("clang-14",)),
    # g++ knows designated initialisers and still asks for members that they leave out.
    "g++": (
        ["g++", "-std=c++17", "-xc++"],
        ["-Wno-missing-field-initializers"],
        ("g++",),
    ),
    "clang++": (["clang++-14", "-std=c++17", "-xc++"], [PROTOTYPES], ("clang-14",)),
    "armv6m": ([*ARM, "-std=c11", "-mcpu=cortex-m0"], [PROTOTYPES], ("gcc-arm-none-eabi",)),
    "armv7m": ([*ARM, "-std=c11", "-mcpu=cortex-m4"], [PROTOTYPES], ("gcc-arm-none-eabi",)),
    "rv32i": (
        ["riscv64-unknown-elf-gcc", "-march=rv32i", "-mabi=ilp32", "-std=c11", *FREESTANDING],
        [PROTOTYPES],
        ("gcc-riscv64-unknown-elf",),
    ),
    # size_t has 16 bits, and contexts hold small sizes in 32; gcc 5 has no #pragma GCC unroll. The
    # tiny profile, which is for such processors, has neither.
    "avr": (
        ["avr-gcc", "-mmcu=atmega328p", "-std=gnu11", *FREESTANDING],
        [PROTOTYPES, "-Wno-conversion", "-Wno-unknown-pragmas"],
        ("gcc-avr", "avr-libc"),
    ),
}
EVERYTHING = ", ".join(amalgam.known_algorithms())
# Eleven sets of algorithms, and the instruction set of their kernels.
SETS = {
    "everything": (f"{EVERYTHING}, selftest, error-texts", "portable"),
    "ascon-aead128": ("ascon-aead128", "armv7m"),
    "ascon": ("ascon-aead128, ascon-hash256, ascon-xof128, ascon-cxof128, ascon-p", "rv32i"),
    "schwaemm256-128": ("schwaemm256-128, esch256, selftest", "avr"),
    "sparkle": ("schwaemm128-128, schwaemm192-192, schwaemm256-256, esch384, xoesch384", "armv6m"),
    "speck-64": ("speck-64/128-eax", "armv7m"),
    "speck-128": ("speck-128/256-ctr, speck-128/256-cmac, error-texts", "portable"),
    "cham": ("cham-64/128-ctr, cham-128/256-eax", "armv7m"),
    "simon": ("simon-128/128-eax, simeck-32/64-ctr, selftest", "portable"),
    "aimer": ("aimer3-128f, ascon-hash256", "portable"),
    "verifier": ("slh-dsa-shake-128s-verify", "armv7m"),
}
TINY = {
    "tiny sponges": "ascon-aead128, ascon-hash256, schwaemm256-128, esch256, speck-64/128-eax",
    "tiny speck": "speck-64/128-ctr",
    "tiny cham": "cham-64/128-ctr, cham-64/128-eax",
    "tiny aimer": "aimer3-128f",
    "tiny verifier": "slh-dsa-shake-128s-verify",
}


def only_warns(compiler: str) -> list[str]:
    """The options with which a compiler says all of its warnings for the least work."""
    if "clang" in compiler:
        return ["-O1", "-fsyntax-only"]
    return ["-O0", "-DHANJI_ALLOW_O0", "-c", "-o", "/dev/null"]


def warnings(command: Sequence[str], *files: Path) -> list[str]:
    """What the compiler says, one line for each warning or error."""
    done = subprocess.run([*command, *map(str, files)], capture_output=True, text=True)
    found = [line for line in done.stderr.splitlines() if re.search(r"(warning|error): ", line)]
    assert found or done.returncode == 0, done.stderr
    return found


def of_amalgam(folder: Path, name: str, standard: str = "") -> list[str]:
    """The warnings of one compiler."""
    compiler, wanted, packages = COMPILERS[name]
    need(*packages)
    if standard:
        compiler = [re.sub("^-std=.*", standard, word) for word in compiler]
    command = [*compiler, *only_warns(name), *STRICT, *wanted, f"-I{folder}"]
    return warnings(command, folder / "hanji.c")


@pytest.mark.parametrize("name", SETS)
def test_no_compiler_warns_of_the_amalgam(tmp_path: Path, name: str) -> None:
    names, isa = SETS[name]
    need("gcc")
    amalgam.write(amalgam.chosen(names), isa, amalgam.extras(names), tmp_path)
    without = {"avr"} if name == "aimer" else set()  # sizes of more than 16 bits
    for compiler in COMPILERS.keys() - without:
        found = of_amalgam(tmp_path, compiler)
        assert found == [], f"{compiler}: {found[:5]}"


@pytest.mark.parametrize("name", TINY)
def test_no_compiler_warns_of_the_tiny_profile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """In C99, too, and with nothing left out on AVR."""
    monkeypatch.setitem(COMPILERS, "avr", (COMPILERS["avr"][0], [PROTOTYPES], COMPILERS["avr"][2]))
    names = list(amalgam.chosen(TINY[name]))
    tiny.write(names, "0", tmp_path)
    without = {"avr"} if name == "tiny aimer" else set()
    for compiler in COMPILERS.keys() - without:
        found = of_amalgam(tmp_path, compiler)
        assert found == [], f"{compiler}: {found[:5]}"
    for compiler in ("gcc", "clang"):
        assert of_amalgam(tmp_path, compiler, "-std=c99") == [], compiler


# Kernels are declared by the tables that select them, which are other files; and headers of kernels
# for AVX2 tell the compiler in operands of assembly how much memory it reads. The builds check the
# kernels for the other warnings.
KERNELS = re.compile(r"/(speck|simon|simeck|cham)\.c$|_(avx2|avx512)(_|\.)")


@pytest.mark.parametrize(("name", "std"), [("gcc", "gnu11"), ("clang", "gnu11")])
def test_no_compiler_warns_of_the_library(name: str, std: str) -> None:
    compiler, _, packages = COMPILERS[name]
    need(*packages, "libssl-dev")
    include = [f"-I{ROOT / 'include'}", f"-I{ROOT / 'src'}", "-DHANJI_KEY_AREA_BYTES=0"]
    files = sorted((ROOT / "src").glob("*/*.c"))
    others = re.compile("_(neon|pmull|sha3|rv32i|zbkb|armv6m|armv7m|armv7em|avr)(_|[.])")
    files = [file for file in files if not others.search(file.name) and file.parent.name != "gpu"]
    kernels = [file for file in files if KERNELS.search(str(file))]
    assert len(kernels) > 30 and len(files) - len(kernels) > 50
    command = [compiler[0], f"-std={std}", "-O1", *STRICT, "-fsyntax-only", *include]
    for at in range(0, len(files), 20):
        some = [file for file in files[at : at + 20] if file not in kernels]
        found = warnings([*command, PROTOTYPES], *some)
        assert found == [], found[:5]


PLANTED = """\
#include <stdint.h>
uint8_t unlike(uint32_t x);
uint8_t unlike(uint32_t x) { return x; }
int not_declared(const int *p, int unused) { int x = *p; { int x = 2; (void)x; } return x; }
char *given(const char *p);
char *given(const char *p) { return (char *)p; }
static int idle(void) { return 1; }
"""
SEEN = {"conversion", "shadow", "cast-qual", "unused-function", "unused-parameter"}


def kinds(lines: Sequence[str]) -> set[str]:
    """What the warnings are of, as gcc calls it."""
    found = {re.findall(r"\[-W([a-z-]+)", line)[-1] for line in lines}
    return {kind.replace("implicit-int-", "") for kind in found}


@pytest.mark.parametrize("name", COMPILERS)
def test_every_warning_is_seen(tmp_path: Path, name: str) -> None:
    """The control: each is seen, and compiling with optimisation tells no other one."""
    compiler, wanted, packages = COMPILERS[name]
    need(*packages)
    source = tmp_path / "planted.c"
    source.write_text(PLANTED)
    expected = SEEN | {option.removeprefix("-W") for option in wanted if option == PROTOTYPES}
    expected -= {option.removeprefix("-Wno-") for option in wanted}
    for how in (only_warns(name), ["-O1", "-c", "-o", str(tmp_path / "planted.o")]):
        assert kinds(warnings([*compiler, *how, *STRICT, *wanted], source)) == expected, how
