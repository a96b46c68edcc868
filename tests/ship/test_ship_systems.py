# SPDX-License-Identifier: Apache-2.0
"""The library for macOS and Windows: assembly as Mach-O, random bytes of each system, and (slow)
everything built and linked by zig.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
import systems
from debian import need

ROOT = Path(__file__).resolve().parents[2]
INCLUDES = [f"-I{ROOT / 'include'}", f"-I{ROOT / 'src'}"]
ASSEMBLY = sorted(
    path
    for isa in ("a64", "neon", "sha3")
    for path in ROOT.glob(f"src/*/generated/*_{isa}*.S")
    if path.read_text().count("HANJI_A64")
)
WINE = Path("/usr/lib/wine/wine64")
EXPORTED = {
    line
    for line in (ROOT / "tests/c/exported_symbols.txt").read_text().split()
    if line.startswith("hanji_")
}


def run(*words: object) -> str:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    assert done.returncode == 0, f"{words}:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def machine_code(file: Path) -> list[str]:
    """The machine code and the constants of an object file, as words of hexadecimal digits; of
    calls without the distance, which the linker of macOS fills in.
    """
    listed = run("llvm-objdump-14", "-s", "-j", ".text", "-j", "__text", file)
    rows = re.findall(r"^ [0-9a-f]{4,} ((?:[0-9a-f]{8} ){1,4})", listed, re.M)
    words = "".join(rows).split()
    return ["call" if re.fullmatch("[0-9a-f]{6}9[4-7]", word) else word for word in words]


def mach_o(paths: list[Path], folder: Path) -> list[Path]:
    """Assembly files as cmake/kernels.cmake writes them for macOS."""
    calls = "".join(f"hanji_mach_o({path} out)\n" for path in paths)
    script = folder / "script.cmake"
    script.write_text(
        f"set(CMAKE_CURRENT_BINARY_DIR {folder})\ninclude({ROOT}/cmake/kernels.cmake)\n{calls}"
    )
    run("cmake", "-P", script)
    return [folder / "mach-o" / path.name for path in paths]


def assembled(source: Path, target: str, made: Path) -> tuple[list[str], dict[str, str]]:
    """What clang makes of an assembly file: its machine code, and the kinds of its symbols."""
    flags = ["-march=armv8.2-a+crypto+sha3", f"--target={target}"]
    run("clang-14", *flags, *INCLUDES, "-c", source, "-o", made)
    assert not run("llvm-nm-14", "-u", made).strip()
    rows = [line.split() for line in run("llvm-nm-14", "--defined-only", made).splitlines()]
    return machine_code(made), {row[-1]: row[-2] for row in rows if "hanji_" in row[-1]}


def test_assembly_for_macos_has_the_machine_code_of_linux(tmp_path: Path) -> None:
    need("cmake", "clang-14", "llvm-14")
    assert len(ASSEMBLY) > 10
    apple, made = "arm64-apple-macos12", tmp_path / "one.o"
    for source, written in zip(ASSEMBLY, mach_o(ASSEMBLY, tmp_path), strict=True):
        code, names = assembled(source, "aarch64-linux-gnu", tmp_path / "elf.o")
        for_apple, given = assembled(written, apple, made)
        assert len(code) > 100 and code == for_apple, source.name
        assert given == {f"_{name}": "T" for name in names} and names, source.name
        hidden = run("llvm-nm-14", "-m", made).splitlines()
        assert all("private external" in line for line in hidden if "_hanji_" in line)
    # A control: another rotation is another machine code.
    written.write_text(re.sub(r"(ror|shl) (.*)#\d+", r"\1 \2#3", written.read_text(), count=1))
    assert assembled(written, apple, made)[0] != for_apple


def test_windows_gives_random_bytes_by_its_own_function(tmp_path: Path) -> None:
    need("clang-14", "llvm-14")
    made = tmp_path / "random.o"
    source = ROOT / "src/support/random.c"
    words = ["--target=x86_64-w64-windows-gnu", "-ffreestanding", "-std=c11", "-Werror", "-Wall"]
    run("clang-14", *words, *INCLUDES, "-c", source, "-o", made)
    assert set(run("llvm-nm-14", "-u", made).split()) - {"U"} == {
        "__imp_BCryptGenRandom",
        "hanji_wipe",
    }


def test_the_systems_are_those_of_the_documents() -> None:
    text = (ROOT / "docs/release.md").read_text()
    assert len(systems.SYSTEMS) == 3
    assert all(f"| `{name}` |" in text for name in systems.SYSTEMS)


FORMATS = {
    "macos-arm64": ("Mach-O arm64", "_"),
    "macos-x86_64": ("Mach-O 64-bit x86-64", "_"),
    "windows-x86_64": ("COFF-x86-64", ""),
}


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("portable", [True, False], ids=["portable", "kernels"])
@pytest.mark.parametrize("name", systems.SYSTEMS)
def test_a_system_has_library_and_program(name: str, portable: bool, tmp_path: Path) -> None:
    need("cmake", "ninja-build", "llvm-14")
    system = systems.SYSTEMS[name]
    folder = systems.build(name, tmp_path, portable=portable)
    kind, prefix = FORMATS[name]
    for file in (system.shared, system.program, f"shared-{system.program}"):
        said = run("llvm-readobj-14", "--file-headers", folder / file)
        assert f"Format: {kind}\n" in said, said
    shared = folder / system.shared
    if system.name == "Windows":
        said = run("llvm-readobj-14", "--coff-exports", shared)
        given = set(re.findall(r"Name: (hanji_\S+)", said))
    else:
        said = run("llvm-nm-14", "--extern-only", "--defined-only", shared)
        given = set(re.findall(r"(_hanji_\S+)$", said, re.M))
    assert given == {f"{prefix}{one}" for one in EXPORTED}
    kernels = run("llvm-nm-14", folder / system.static)
    vectors = {"arm64": "_neon_ctr_x", "x86_64": "_avx2_ctr_x", "AMD64": "_avx2_ctr_x"}
    assert (vectors[system.processor] in kernels) == (not portable)
    assert ("_neon_x5_lanes" in kernels) == (system.processor == "arm64" and not portable)
    if system.name != "Windows":
        return
    if not WINE.exists():
        pytest.skip("built, and not run: Debian's package wine64 is not there")
    wine = {"WINEPREFIX": str(tmp_path / "wine"), "WINEDEBUG": "-all"}
    for program in (system.program, f"shared-{system.program}"):
        for tier in ("", "portable"):
            done = subprocess.run(
                [WINE, folder / program],
                env=os.environ | wine | {"HANJI_FORCE": tier},
                capture_output=True,
                text=True,
            )
            assert done.returncode == 0, done
            tiers = done.stdout.split()
            assert tiers[0] == "portable" and (len(tiers) > 1) == (not portable and not tier)
