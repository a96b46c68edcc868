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
        f"set(CMAKE_CURRENT_BINARY_DIR {folder})\nset(HANJI_LEVEL TESTED)\n"
        f"include({ROOT}/cmake/kernels.cmake)\n{calls}"
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
    assert {source.parts[-3] for source in ASSEMBLY} >= {"ascon", "sparkle"}
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


X86 = sorted(ROOT.glob("src/*/generated/*_avx512.S"))


def foreign(path: Path, format_: str, folder: Path) -> Path:
    """An assembly file for x86-64 as cmake/assembly.cmake writes it for another system."""
    script = folder / "script.cmake"
    script.write_text(
        f"set(CMAKE_CURRENT_BINARY_DIR {folder})\nset(HANJI_LEVEL TESTED)\n"
        f"include({ROOT}/cmake/kernels.cmake)\n"
        f"include({ROOT}/cmake/assembly.cmake)\n"
        f"hanji_foreign_copy({path} {format_} x86_64 out)\n"
    )
    run("cmake", "-P", script)
    return folder / f"{format_}-x86_64" / path.name


def instructions(source: Path, target: str, function: str, made: Path) -> list[str]:
    """The instructions of a function, without the distances that a linker fills in."""
    run("clang-14", f"--target={target}", *INCLUDES, "-c", source, "-o", made)
    flags = ["-d", "--no-show-raw-insn", "--no-leading-addr", f"--disassemble-symbols={function}"]
    rows = run("llvm-objdump-14", *flags, made).partition(f"<{function}>:\n")[2].splitlines()
    found = [re.sub(r"[-\w]*\(%rip\)|0x[0-9a-f]+ <.*|#.*", "", row).strip() for row in rows]
    return found[: len(found) - found[::-1].index("retq")]


def test_assembly_for_x86_64_has_the_instructions_of_linux(tmp_path: Path) -> None:
    need("cmake", "clang-14", "llvm-14")
    assert len(X86) == 2
    for source in X86:
        name, made = f"hanji_{source.stem}_x1", tmp_path / "one.o"
        here = instructions(source, "x86_64-linux-gnu", name, made)
        assert len(here) > 400
        written = foreign(source, "mach-o", tmp_path)
        assert instructions(written, "x86_64-apple-macos12", f"_{name}", made) == here
        (row,) = [row for row in run("llvm-nm-14", "-m", made).splitlines() if f"_{name}" in row]
        assert "private external" in row
        written = foreign(source, "pe", tmp_path)
        windows = ("x86_64-w64-windows-gnu", f"{name}_sysv", made)
        assert instructions(written, *windows) == here
        unwinding = run("llvm-readobj-14", "--unwind", made)
        assert unwinding.count("SAVE_XMM128") == 10 and unwinding.count("PUSH_NONVOL") == 2
        # A control: another rotation is another instruction.
        written.write_text(re.sub(r"ror \$\d+", "ror $3", written.read_text(), count=1))
        assert instructions(written, *windows) != here


# Calls as Windows does, on Linux: compilers for x86-64 have its convention as an attribute.
CALLS = """\
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
__attribute__((ms_abi)) void windows_way(uint32_t *, size_t, uint32_t);
void linux_way(uint32_t *, size_t, uint32_t);
int main(void)
{
    register double kept __asm__("xmm6") = 1.5;
    uint32_t a[48], b[48];
    for (unsigned i = 0; i < 48; i++)
        a[i] = b[i] = i * 2654435761u;
    __asm__ volatile("" : "+x"(kept));
    windows_way(a, 2, 8);
    __asm__ volatile("" : "+x"(kept));
    linux_way(b, 2, 8);
    printf("%d %d %d\\n", memcmp(a, b, sizeof a) == 0, kept == 1.5, a[0] != 0);
    return 0;
}
"""


def test_a_kernel_is_called_as_windows_calls(tmp_path: Path) -> None:
    need("cmake", "clang-14")
    if "avx512_vbmi2" not in Path("/proc/cpuinfo").read_text():
        pytest.skip("this processor has no AVX-512")
    for source in X86:
        name = f"hanji_{source.stem}_x1"
        text = foreign(source, "pe", tmp_path).read_text().partition("\n")[2]
        about = (ROOT / "src/support/asm.h").read_text()
        # What only PE has, away: directives for leaving functions, and for its linker.
        both = re.sub(r"\n *\.seh_.*", "", about + text)
        both = re.sub(r"\n *\.section \.drectve.*\n.*", "", both)
        both = both.replace('.rdata,"dr"', ".rodata").replace(name, "windows_way")
        (tmp_path / "pe.S").write_text(both)
        (tmp_path / "elf.S").write_text(source.read_text().replace(name, "linux_way"))
        (tmp_path / "main.c").write_text(CALLS)
        files = [tmp_path / one for one in ("main.c", "pe.S", "elf.S")]
        run("clang-14", "-O1", "-D_WIN32", *INCLUDES, *files, "-o", tmp_path / "calls")
        assert run(tmp_path / "calls").split() == ["1", "1", "1"]


def test_windows_gives_random_bytes_by_its_own_function(tmp_path: Path) -> None:
    need("clang-14", "llvm-14")
    made = tmp_path / "random.o"
    source = ROOT / "src/support/random.c"
    words = ["--target=x86_64-w64-windows-gnu", "-ffreestanding", "-O1", "-std=c11"]
    words += ["-Werror", "-Wall"]
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
    assert ("_neon_run_x4" in kernels) == (system.processor == "arm64" and not portable)
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
