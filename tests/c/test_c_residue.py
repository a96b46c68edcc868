# SPDX-License-Identifier: Apache-2.0
"""What calls leave on the stack: nothing that depends on a key or a text, at every level of
optimisation at which the library and the amalgam may be compiled (tests/c/residue_main.c). The
library has one level on hosts, whatever the build type.
"""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest
from builds import environment, program, run
from debian import need

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import amalgam  # noqa: E402

TIERS = {"x86_64": ("portable", "avx2", "avx512"), "aarch64": ("portable", "neon", "sha3")}
HERE = TIERS.get(platform.machine(), ())
CONTROLS = [
    "LEFT control, leaves bytes of its key: on the stack",
    "LEFT control, leaves a byte in a general register: in registers",
    "LEFT control, leaves its key in a vector: in registers",
]
CANNOT = 3
LAST = re.compile(r"(\d+) calls, (\d+) runs, (\d+) calls leave secrets")
COMMON = ["-std=gnu11", "-D_GNU_SOURCE", f"-I{ROOT / 'src'}", f"-I{ROOT / 'tests/c'}"]


def left(command: list[str | Path], *, least: int = 550, **extra: str) -> list[str]:
    """What the program says is left, after its controls; at least so many calls are compared."""
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, env=environment(**extra)
    )
    if done.returncode == CANNOT:
        pytest.skip("this processor or its operating system has no such tier")
    *lines, last = done.stdout.splitlines()
    assert [line.partition(" at ")[0] for line in lines[:3]] == CONTROLS, done.stdout + done.stderr
    counts = LAST.fullmatch(last)
    assert counts, done.stdout[-2000:] + done.stderr
    assert int(counts[1]) >= least and int(counts[2]) > int(counts[1])
    assert (done.returncode, int(counts[3])) == (int(len(lines) > 3), len(lines) - 3)
    return lines[3:]


@pytest.mark.parametrize("tier", HERE)
@pytest.mark.parametrize("preset", ["host-gcc", "host-clang"])
def test_the_library_leaves_nothing_on_the_stack(preset: str, tier: str) -> None:
    found = left(program(preset, "residue", tier), least=900)
    assert found == [], "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("tier", TIERS["aarch64"])
@pytest.mark.parametrize("preset", ["aarch64", "aarch64-clang"])
def test_the_library_leaves_nothing_on_the_stack_of_aarch64(preset: str, tier: str) -> None:
    found = left(program(preset, "residue", tier, "5"), least=900, QEMU_CPU="max")
    assert found == [], "\n".join(found)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="a kernel for x86-64")
def test_control_a_kernel_at_another_level_leaves_its_key_stream(tmp_path: Path) -> None:
    """The fault that the one level prevents: gcc -O2 gives a kernel of SPECK-128 larger frames than
    are wiped behind it.
    """
    need("gcc")
    flags = ["-O2", "-DNDEBUG", "-mavx2", "-mbmi", "-mbmi2", "-DHANJI_KEY_AREA_BYTES=0"]
    kernel, made = ROOT / "src/speck/speck128_avx2.c", tmp_path / "kernel.o"
    include = f"-I{ROOT / 'include'}"
    run(["gcc", *flags, *COMMON, include, "-c", kernel, "-o", made])
    library = Path(program("host-gcc", "residue")[0]).parents[2] / "libhanji.a"
    source = ROOT / "tests/c/residue_main.c"
    linked = [made, library, "-Wl,-z,now", "-o", tmp_path / "residue"]
    run(["gcc", "-O1", *COMMON, include, source, *linked])
    found = left([tmp_path / "residue", "avx2", "3"])
    assert any("speck-128/128 ctr update: on the stack" in line for line in found), found
    assert all("speck-128" in line for line in found), found


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The amalgam with everything, the test's program compiled for it, and the list of ciphers."""
    need("gcc", "clang-14")
    folder = tmp_path_factory.mktemp("amalgam")
    known = amalgam.known_algorithms()
    amalgam.write(known, "portable", set(), folder)
    (folder / "hanji").mkdir()
    (folder / "hanji/hanji.h").write_text('#include "../hanji.h"\n')
    rows = []
    for name in amalgam.of_kind("BLOCK"):
        of = f"HANJI_{known[name].removesuffix('_original').upper()}"
        rows.append(f'CHECK_CIPHER({known[name]}, "{name}", {of}_KEY_BYTES, {of}_BLOCK_BYTES)')
    assert len(rows) >= 29
    (folder / "ciphers.h").write_text(
        "uint64_t hanji_cipher_limit(const hanji_cipher *cipher);\n"
        "#define CIPHERS \\\n    " + " \\\n    ".join(rows) + "\n"
    )
    source = ROOT / "tests/c/residue_main.c"
    options = ["-O1", *COMMON, f"-I{folder}", "-DHANJI_AMALGAM"]
    run(["gcc", *options, "-c", source, "-o", folder / "main.o"])
    return folder


def compiled(whole: Path, made: Path, compiler: str, *options: str) -> Path:
    """The program with the amalgam as this compiler makes it."""
    command = [compiler, *options, "-std=gnu11", f"-I{whole}"]
    run([*command, "-c", whole / "hanji.c", "-o", made / "hanji.o"])
    linked = [whole / "main.o", made / "hanji.o", "-Wl,-z,now", "-o", made / "residue"]
    run(["gcc", *linked])
    return made / "residue"


IN_CI = (("gcc", "-O1"), ("gcc", "-O2"), ("clang-14", "-Os"))
LEVELS = [
    pytest.param(*row, marks=() if row in IN_CI else pytest.mark.slow)
    for row in (
        *(("gcc", level) for level in ("-Og", "-O1", "-O2", "-O3", "-Os")),
        *(("clang-14", level) for level in ("-Og", "-O1", "-O2", "-O3", "-Os", "-Oz")),
    )
]


@pytest.mark.skipif(not HERE, reason="for x86-64 and AArch64")
@pytest.mark.parametrize(("compiler", "level"), LEVELS)
def test_the_amalgam_leaves_nothing_on_the_stack(
    whole: Path, tmp_path: Path, compiler: str, level: str
) -> None:
    found = left([compiled(whole, tmp_path, compiler, level), "portable"])
    assert found == [], "\n".join(found)


@pytest.mark.skipif(not HERE, reason="for x86-64 and AArch64")
def test_without_optimisation_the_amalgam_is_refused_for_a_reason(
    whole: Path, tmp_path: Path
) -> None:
    command = ["gcc", "-O0", f"-I{whole}", "-fsyntax-only", str(whole / "hanji.c")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode != 0
    (error,) = [line for line in done.stderr.splitlines() if "error:" in line]
    assert "-O0 leaves keys on the stack" in error and "-DHANJI_ALLOW_O0" in error
    program_at_0 = compiled(whole, tmp_path, "gcc", "-O0", "-DHANJI_ALLOW_O0")
    assert left([program_at_0, "portable", "9"]) != []


def levels(folder: Path, *options: str, **extra: str) -> set[str]:
    """The levels of optimisation that win in the commands for the C files of src."""
    made = ["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]
    run([*made, *options], env=os.environ | extra)
    rows = json.loads((folder / "compile_commands.json").read_text())
    of_src = [row for row in rows if f"{ROOT}/src/" in row["file"] and row["file"].endswith(".c")]
    assert len(of_src) > 50
    return {re.findall(r"\s(-O\S*)", row["command"])[-1] for row in of_src}


FIRMWARE = ("-DHANJI_FREESTANDING=ON", "-DCMAKE_TOOLCHAIN_FILE=cmake/toolchains/cortex-m4.cmake")


@pytest.mark.parametrize("build_type", ["Debug", "RelWithDebInfo", "MinSizeRel", "None"])
def test_no_build_type_changes_the_level(tmp_path: Path, build_type: str) -> None:
    need("cmake", "ninja-build", "gcc", "gcc-arm-none-eabi")
    given = f"-DCMAKE_BUILD_TYPE={build_type}"
    # as dpkg-buildflags gives it to a package
    debian = {"CFLAGS": "-g -O2 -fstack-protector-strong"}
    assert levels(tmp_path / "host", given, **debian) == {"-O3"}
    firmware = {"RelWithDebInfo": "-O2"}.get(build_type, "-Os")
    assert levels(tmp_path / "firmware", given, *FIRMWARE, CFLAGS="") == {firmware}
    # The control: who asks for the level of the build type gets it.
    asked = levels(tmp_path / "asked", given, "-DHANJI_LEVEL=BUILD", **debian)
    assert asked == {"-Os" if build_type == "MinSizeRel" else "-O2"}


def test_a_wrong_word_for_the_level_is_named(tmp_path: Path) -> None:
    need("cmake", "ninja-build", "gcc")
    command = ["cmake", "-S", str(ROOT), "-B", str(tmp_path), "-G", "Ninja", "-DHANJI_LEVEL=O2"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode != 0
    assert "HANJI_LEVEL is 'O2'; give TESTED, or BUILD" in done.stderr
