# SPDX-License-Identifier: Apache-2.0
"""Amalgams with PREFIX: several of them, or one and the library, in one program. Each answers the
vectors, in C and in C++, and every header can be included beside the others.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from builds import build
from debian import need
from test_amalgam import (
    FREESTANDING,
    HELPERS,
    IN_PIECES,
    MODES,
    ROOT,
    STRICT,
    amalgam,
    checks,
    made,
    run,
    verifies,
)

RV32 = ["riscv64-unknown-elf-gcc", "-march=rv32i", "-mabi=ilp32", "-Os", *FREESTANDING]
# prefix -> what its amalgam has; they share algorithms, so that equal names would meet
SETS = {
    "boot": "ascon-aead128, ascon-hash256, esch256, speck-64/128-eax, error-texts",
    "App2": "ascon-aead128, schwaemm256-128, speck-64/128-ctr, cham-64/128-eax, selftest",
}
TINY = {
    "boot": ("ascon-aead128, speck-64/128-eax", "tiny"),
    "app": ("ascon-aead128, esch256, cham-64/128-eax", "tiny"),
    "whole": ("ascon-aead128, esch256", "full"),
}


def named(text: str, prefix: str) -> str:
    """What a user writes in the place of text that calls the library."""
    return amalgam.renamed(text, prefix)


def vectors(folder: Path, prefix: str, names: str, header: str, most: int = 4) -> Path:
    """A C file with a function PREFIX_vectors, 0 when an amalgam answers the vectors."""
    found = [condition for name in amalgam.chosen(names) for condition in checks(name, most)]
    assert len(found) >= len(amalgam.chosen(names))
    body = "".join(
        f"    if (!({condition})) return {number % 255 + 1};\n"
        for number, condition in enumerate(found)
    )
    modes = "" if "ctr" not in names and "eax" not in names else MODES
    modes = modes if "ctr" in names else modes.replace("static hanji_ctr_ctx ctr;\n", "")
    modes = modes if "eax" in names else modes.replace("static hanji_eax_ctx eax;\n", "")
    helpers = HELPERS.replace('#include "hanji.h"', f"#include {header}")
    source = folder / f"{prefix}_vectors.c"
    text = (
        f"{helpers}{modes}int hanji_vectors(void);\nint hanji_vectors(void)\n{{\n"
        f"    (void)room; (void)same; (void)aead;\n{body}    return 0;\n}}\n"
    )
    source.write_text(named(text, prefix))
    return source


def main_of(folder: Path, prefixes: list[str], headers: list[str], ending: str = "c") -> Path:
    """A program that includes all headers, in this order and once more, and calls all vectors."""
    linkage = 'extern "C" ' if ending == "cpp" else ""
    source = folder / f"main.{ending}"
    source.write_text(
        "".join(f"#include {header}\n" for header in [*headers, *headers])
        + "".join(f"{linkage}int {prefix}_vectors(void);\n" for prefix in prefixes)
        + "int main(void)\n{\n"
        + "".join(
            f"    if ({prefix}_vectors() != 0) return {number + 1};\n"
            for number, prefix in enumerate(prefixes)
        )
        + "    return 0;\n}\n"
    )
    return source


def defined(nm: str, path: Path) -> set[str]:
    """The global names that an object or archive defines."""
    rows = [line.split() for line in run(nm, "-g", path).splitlines()]
    return {row[-1] for row in rows if len(row) == 3 and row[1] not in "Uw"}


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """Two amalgams with kernels, in one folder."""
    folder = tmp_path_factory.mktemp("two")
    for prefix, names in SETS.items():
        made(folder, names, "rv32i armv6m,armv7m", "--prefix", prefix)
    return folder


def test_the_names_begin_with_the_prefix(two):
    files = {path.name for path in two.iterdir()}
    assert {"boot.h", "boot.c", "App2.h", "App2.c", "boot_sparkle384_rv32i.S"} <= files
    assert not [name for name in files if not name.startswith(("boot", "App2"))]
    for path in two.iterdir():
        text = path.read_text()
        left = set(re.findall(r"\b(?:hanji|HANJI)_\w*", text)) - amalgam.OPTIONS
        assert not left, path.name
        assert "hanji.h" not in text
    assert "BOOT_E_TAG" in (two / "boot.h").read_text()
    assert '"BOOT_E_TAG"' in (two / "boot.c").read_text(), "the name of an error"
    assert "APP2_OK" in (two / "App2.h").read_text()
    # HANJI_FORCE caps every amalgam of a process, as its text says
    assert 'getenv("HANJI_FORCE")' in (two / "boot.c").read_text()


def test_two_amalgams_and_the_library_in_one_program(two, tmp_path):
    need("gcc", "g++", "clang-14")
    library = build("host-gcc") / "libhanji.a"
    objects = []
    for prefix, names in SETS.items():
        objects.append(tmp_path / f"{prefix}.o")
        run("gcc", "-O1", *STRICT, "-c", two / f"{prefix}.c", "-o", objects[-1])
        source = vectors(tmp_path, prefix, names, f'"{prefix}.h"')
        objects.append(tmp_path / f"{prefix}_vectors.o")
        run("gcc", "-w", f"-I{two}", "-c", source, "-o", objects[-1])
    source = vectors(tmp_path, "hanji", SETS["App2"], "<hanji/hanji.h>")
    objects.append(tmp_path / "hanji_vectors.o")
    include = ["-I", ROOT / "include", "-I", two]
    run("gcc", "-w", *include, "-c", source, "-o", objects[-1])
    of_each = [defined("nm", path) for path in (objects[0], objects[2], library)]
    assert all(len(names) > 10 for names in of_each)
    assert not of_each[0] & of_each[1] and not (of_each[0] | of_each[1]) & of_each[2]
    headers = ['"boot.h"', "<hanji/hanji.h>", '"App2.h"']
    prefixes = [*SETS, "hanji"]
    for ending, compilers in (("c", ["gcc", "clang-14"]), ("cpp", ["g++", "clang++-14"])):
        for order in (headers, headers[::-1]):
            main = main_of(tmp_path, prefixes, order, ending)
            for compiler in compilers:
                standard = "-std=c11" if ending == "c" else "-std=c++11"
                strict = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
                run(compiler, standard, *strict, *include, "-fsyntax-only", main)
        compiler = compilers[0]
        run(compiler, *include, main, *objects, library, "-lpthread", "-o", tmp_path / "program")
        run(tmp_path / "program")


def test_control_without_a_prefix_the_linker_refuses(tmp_path):
    need("gcc")
    folder = made(tmp_path, "esch256")
    library = build("host-gcc") / "libhanji.a"
    run("gcc", "-O1", "-c", folder / "hanji.c", "-o", tmp_path / "a.o")
    run("gcc", "-O1", "-c", folder / "hanji.c", "-o", tmp_path / "b.o")
    assert defined("nm", tmp_path / "a.o") & defined("nm", library)
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n")
    command = ["gcc", tmp_path / "main.c", tmp_path / "a.o", tmp_path / "b.o", "-o", tmp_path / "x"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode != 0 and "multiple definition" in done.stderr


def test_two_amalgams_with_kernels_on_rv32(two, tmp_path):
    need("gcc-riscv64-unknown-elf", "qemu-user")
    sources = [two / "boot.c", two / "App2.c", *two.glob("*.S"), ROOT / "tests/c/firmware.c"]
    sources += [vectors(tmp_path, prefix, SETS[prefix], f'"{prefix}.h"') for prefix in SETS]
    main = main_of(tmp_path, list(SETS), ['"boot.h"', '"App2.h"'])
    link = ["-w", "-nostdlib", f"-I{two}", "-Wl,--gc-sections", "-lgcc"]
    run(*RV32, *link, main, *sources, "-lgcc", "-o", tmp_path / "main")
    run("qemu-riscv32", tmp_path / "main")
    names = {
        row.split()[-1]
        for row in run("riscv64-unknown-elf-nm", tmp_path / "main").split("\n")
        if row
    }
    for prefix in SETS:
        assert f"{prefix}_sparkle384_rv32i_x1" in names, "the kernel of each is in use"


MEMORY = """
#include <stddef.h>
void *memcpy(void *to, const void *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((char *)to)[i] = ((const char *)from)[i];
    return to;
}
void *memset(void *to, int value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((char *)to)[i] = (char)value;
    return to;
}
"""


def test_two_verifiers_of_slhdsa_in_one_program(tmp_path):
    """Of a boot loader and its application, each with its set; on a Cortex-M4 each brings the
    kernel of Keccak under its own name.
    """
    need("gcc", "gcc-arm-none-eabi")
    sets = {"boot": "slh-dsa-shake-128s", "app": "slh-dsa-shake-128f"}
    folder = tmp_path / "two"
    for prefix, name in sets.items():
        made(folder, f"{name}-verify", "armv7m", "--prefix", prefix)
        conditions = " && ".join(verifies(name))
        text = f"{IN_PIECES}int hanji_vectors(void);\nint hanji_vectors(void)\n{{\n"
        text = f'#include "{prefix}.h"\n{text}    return !({conditions});\n}}\n'
        (tmp_path / f"{prefix}_vectors.c").write_text(named(text, prefix))
    main = main_of(tmp_path, list(sets), ['"boot.h"', '"app.h"'])
    sources = [*folder.glob("*.c"), *folder.glob("*.S"), *tmp_path.glob("*_vectors.c"), main]
    run("gcc", "-O1", "-w", f"-I{folder}", *sources, "-o", tmp_path / "main")
    run(tmp_path / "main")
    memory = tmp_path / "memory.c"
    memory.write_text(MEMORY)
    cortex = ["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-Os", *FREESTANDING, "-w"]
    cortex += ["-nostdlib", f"-I{folder}", "-Wl,--gc-sections,-e,main"]
    run(*cortex, *sources, memory, "-lgcc", "-o", tmp_path / "firmware")
    names = defined("arm-none-eabi-nm", tmp_path / "firmware")
    assert {f"{prefix}_keccak_armv7m_x1" for prefix in sets} < names
    assert not [name for name in names if "keccak_portable" in name]


@pytest.mark.parametrize("isa", ["portable", "rv32i"])
def test_tiny_amalgams_and_a_full_one(tmp_path, isa):
    need("gcc-riscv64-unknown-elf", "qemu-user")
    sources = [ROOT / "tests/c/firmware.c"]
    for prefix, (names, profile) in TINY.items():
        if isa != "portable":  # of which the tiny profile has a kernel
            names = ", ".join(name for name in amalgam.words(names) if "/" not in name)
        made(tmp_path / "made", names, isa, "--profile", profile, "--prefix", prefix)
        sources.append(vectors(tmp_path, prefix, names, f'"{prefix}.h"'))
    sources += [*(tmp_path / "made").glob("*.c"), *(tmp_path / "made").glob("*.S")]
    main = main_of(tmp_path, list(TINY), [f'"{prefix}.h"' for prefix in TINY])
    link = ["-w", "-nostdlib", f"-I{tmp_path / 'made'}", main, *sources, "-lgcc"]
    run(*RV32, *link, "-o", tmp_path / "main")
    run("qemu-riscv32", tmp_path / "main")


def test_kernels_of_several_instruction_sets_assemble_everywhere(two, tmp_path):
    """The C and the assembly of one folder, for each processor; a kernel of another is nothing."""
    need("gcc-arm-none-eabi", "gcc-riscv64-unknown-elf", "gcc", "gcc-avr")
    compilers = {
        "armv6m": ["arm-none-eabi-gcc", "-mcpu=cortex-m0", "-mthumb", "-ffreestanding"],
        "armv7m": ["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-ffreestanding"],
        "rv32i": ["riscv64-unknown-elf-gcc", "-march=rv32imac", "-mabi=ilp32", "-ffreestanding"],
        "none": ["gcc"],
    }
    for isa, compiler in compilers.items():
        run(*compiler, "-O1", *STRICT, "-c", two / "boot.c", "-o", tmp_path / "boot.o")
        prefix = {"arm": "arm-none-eabi-", "ris": "riscv64-unknown-elf-"}.get(compiler[0][:3], "")
        undefined = set(re.findall(r"U (boot_\w+)", run(f"{prefix}nm", tmp_path / "boot.o")))
        provided = set()
        for source in two.glob("boot_*.S"):
            run(*compiler, "-c", source, "-o", tmp_path / "kernel.o")
            names = defined(f"{prefix}nm", tmp_path / "kernel.o")
            assert bool(names) == (f"_{isa}" in source.name), source.name
            provided |= names
        assert undefined <= provided
        assert bool(undefined) == (isa != "none")


def test_an_amalgam_of_another_prefix_stays(tmp_path):
    (tmp_path / "start.S").write_text("_start: j _start\n")
    made(tmp_path, "esch256", "armv7m", "--prefix", "a")
    made(tmp_path, "esch256", "armv7m", "--prefix", "b_")
    made(tmp_path, "esch256", "armv7m")
    made(tmp_path, "speck-64/128-ctr", "portable", "--prefix", "b")
    c_and_header = {f"{name}.{ending}" for name in ("a", "b", "hanji") for ending in "ch"}
    assembly = {"a_sparkle384_armv7m.S", "sparkle384_armv7m.S", "start.S"}
    assert {path.name for path in tmp_path.iterdir()} == c_and_header | assembly


@pytest.mark.parametrize(
    "names",
    [
        "esch256,ascon-aead128",
        "esch256 ascon-aead128",
        " esch256 ,\tascon-aead128 , ",
        "esch256\nascon-aead128",
    ],
)
def test_commas_and_blanks_are_the_same(tmp_path, names):
    one, other = made(tmp_path / "one", "esch256, ascon-aead128"), made(tmp_path / "other", names)
    assert (one / "hanji.c").read_text() == (other / "hanji.c").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "no algorithm was chosen"),
        ("ALGORITHMS=,", "no algorithm was chosen"),
        ("ALGORITHMS=esch257", "there is no algorithm 'esch257'; did you mean esch256"),
        ("ALGORITHMS=esch256;ascon-aead128", "there is no algorithm 'esch256;ascon-aead128'"),
        ("ALGORITHMS=esch256 ISA=armv8", "there is no instruction set 'armv8'; known are armv6m"),
        ("ALGORITHMS=esch256 PROFILE=small", "invalid choice: 'small'"),
        ("ALGORITHMS=esch256 PROFILE=tiny ISA=avr,rv32i", "kernels of one instruction set, not"),
        ("ALGORITHMS=esch384 PROFILE=tiny", "esch384: not in the tiny profile"),
        ("ALGORITHMS=esch256 PREFIX=1st", "PREFIX=1st given, a name of C expected"),
        ("ALGORITHMS=esch256 PREFIX=my-app", "PREFIX=my-app given, a name of C expected"),
        ("ALGORITHMS=esch256 PREFIX=_", "PREFIX=_ given, a name of C expected"),
        ("ALGORITHMS=esch256 PREFIX=string", "string.h would hide the header of the C library"),
        ("ALGORITHMS=esch256 OUT=Makefile", "Makefile cannot be written: it is no folder"),
        ("ALGORITHMS=aimer2-128f", "aimer2-128f: BROKEN"),
    ],
)
def test_make_refuses_in_one_line(tmp_path, arguments, message):
    need("make", "gcc")
    given = arguments.split()
    if not any(word.startswith("OUT=") for word in given):
        given.append(f"OUT={tmp_path}")
    done = subprocess.run(
        ["make", "-s", "amalgam", *given], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 2 and done.stdout == ""
    said, *makes = done.stderr.splitlines()
    assert said.startswith("amalgam: ") and message in said
    assert [line.split("[")[0] for line in makes] == ["make: *** "], "make itself adds its line"
    assert not list(tmp_path.iterdir())


def test_what_the_compiler_is_told_to_take_has_the_prefix():
    """The option that an error names is the one that the amalgam asks for."""
    text = (Path(amalgam.ROOT) / "src/support/level.h").read_text()
    assert "-DHANJI_ALLOW_O0" in text
    made = amalgam.renamed(text, "boot")
    assert "defined(BOOT_ALLOW_O0)" in made and "-DBOOT_ALLOW_O0" in made
    assert amalgam.renamed("-DHANJI_FREESTANDING", "boot") == "-DHANJI_FREESTANDING"


def test_a_prefix_that_makes_a_name_of_somebody_else_is_refused():
    """Here a name that the file itself has; names of the libraries are found likewise."""
    texts = ["static int cpu_cap; int hanji_cap(void);"]
    with pytest.raises(amalgam.AmalgamError, match="PREFIX=cpu would make the name cpu_cap"):
        amalgam.refuse_taken(texts, "cpu")
    with pytest.raises(amalgam.AmalgamError, match="would make the name SIZE_MAX"):
        amalgam.refuse_taken(["#define HANJI_MAX 1"], "size")
    with pytest.raises(amalgam.AmalgamError, match="would make the name hanji_ascon_permute"):
        amalgam.refuse_taken(["int hanji_permute(void);"], "hanji_ascon")
    amalgam.refuse_taken(texts, "boot")
