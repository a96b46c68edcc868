# SPDX-License-Identifier: Apache-2.0
"""What is installed is hardened where the compiler and the linker can: libraries and Python
modules, read by readelf."""

from __future__ import annotations

import platform
import re
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import with_rainbow
from builds import PACKAGES, build
from debian import need

import hanji

MODULES = ("_core", "_gpu")
LIBRARIES = ("hanji", "hanji-gpu", "hanji-rainbow")
X86 = platform.machine() in ("x86_64", "AMD64")


def tool(*command: object) -> str:
    """What readelf, nm or a compiler prints."""
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(words)}:\n{done.stdout}{done.stderr}"
    return done.stdout


def missing(path: Path) -> set[str]:
    """What of the hardening a shared object lacks."""
    segments, dynamic = tool("readelf", "-lW", path), tool("readelf", "-dW", path)
    stack = re.search(r"GNU_STACK.* (R\w*) ", segments)
    symbols = tool("readelf", "--dyn-syms", "-W", path)
    lacks = {
        "RELRO": "GNU_RELRO" not in segments,
        "BIND_NOW": not re.search(r"BIND_NOW|FLAGS.*NOW", dynamic),
        "stack without code": not stack or "E" in stack[1],
        "code without relocations": "TEXTREL" in dynamic,
        "stack protector": "__stack_chk_fail" not in symbols,
        "FORTIFY": not re.search(r" UND __(?!stack_)\w+_chk\b", symbols),
        "shadow stack": X86 and "SHSTK" not in tool("readelf", "-nW", path),
    }
    return {name for name, lacking in lacks.items() if lacking}


@cache
def installed(preset: str) -> Path:
    """The folder of the libraries as they are installed from a preset."""
    need(*PACKAGES[preset], "libssl-dev")
    prefix = build(preset) / "installed"
    tool("cmake", "--install", build(preset), "--prefix", prefix)
    return prefix / "lib"


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("preset", ["host-gcc", "host-clang"])
def test_libraries_are_hardened(preset: str, library: str) -> None:
    assert not missing(installed(preset) / f"lib{library}.so")


def test_the_library_of_rainbow_for_python_is_hardened() -> None:
    assert not missing(with_rainbow.library().resolve())


@pytest.mark.parametrize("module", MODULES)
def test_modules_are_hardened(module: str) -> None:
    paths = list(Path(hanji.__file__).parent.glob(f"{module}*.so"))
    assert len(paths) == 1, paths
    assert not missing(paths[0])


def landing_pads(archive: Path) -> tuple[set[str], set[str]]:
    """Members of an archive with code, and those of them with both marks of CET."""
    coded, marked = set(), set()
    for part in tool("readelf", "-SnW", archive).split("\nFile: ")[1:]:
        name = part.split("\n", 1)[0]
        if re.search(r"\s\.text[\w.]*\s+PROGBITS\s+\w+ \w+ 0*[1-9a-f]\w* ", part):
            coded.add(name)
            if re.search(r"x86 feature: .*IBT, SHSTK", part):
                marked.add(name)
    return coded, marked


@pytest.mark.skipif(not X86, reason="landing pads and shadow stacks of x86-64")
@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("preset", ["host-gcc", "host-clang"])
def test_all_code_has_landing_pads(preset: str, library: str) -> None:
    """Assembly too. One member without the mark takes it from every program that links the
    library."""
    coded, marked = landing_pads(installed(preset) / f"lib{library}.a")
    assert coded and coded == marked, f"without the mark: {sorted(coded - marked)}"


@pytest.mark.skipif(not X86, reason="landing pads of x86-64")
def test_functions_of_assembly_begin_with_a_landing_pad() -> None:
    """The mark alone would be a promise: kernels are called through pointers."""
    text = tool("objdump", "-d", "--no-show-raw-insn", installed("host-gcc") / "libhanji.a")
    starts = dict(re.findall(r"^[0-9a-f]+ <(hanji_sparkle\d+_avx512_x1)>:\n.*?\t(\w+)", text, re.M))
    assert len(starts) == 2 and set(starts.values()) == {"endbr64"}, starts


SOURCE = """
#include <string.h>
int f(const char *a, int n) { char b[64]; memcpy(b, a, n); return b[n]; }
"""
WEAK = [
    "-fno-stack-protector",
    "-fcf-protection=none",
    "-z",
    "norelro",
    "-z",
    "lazy",
    "-z",
    "execstack",
]


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (
            WEAK,
            {
                "RELRO",
                "BIND_NOW",
                "stack without code",
                "stack protector",
                "FORTIFY",
                "shadow stack",
            },
        ),
        (
            ["-D_FORTIFY_SOURCE=2", "-fstack-protector-strong", "-z", "lazy"],
            {"BIND_NOW", "shadow stack"},
        ),
    ],
    ids=["nothing", "lazy"],
)
@pytest.mark.skipif(not X86, reason="the flags are those of x86-64")
def test_control_what_is_missing_is_seen(
    tmp_path: Path,
    flags: list[str],
    expected: set[str],
) -> None:
    need("gcc")
    source, library = tmp_path / "weak.c", tmp_path / "weak.so"
    source.write_text(SOURCE)
    tool("gcc", "-O2", "-shared", "-fPIC", "-Wl,--no-warnings", *flags, source, "-o", library)
    assert missing(library) >= expected - {"shadow stack"}
    assert missing(library) <= expected


@pytest.mark.skipif(not X86, reason="landing pads of x86-64")
def test_control_a_member_without_landing_pads_is_seen(tmp_path: Path) -> None:
    need("gcc")
    run: Callable[..., str] = tool
    for name, flag in (("good", "full"), ("bad", "none")):
        (tmp_path / f"{name}.c").write_text(f"int {name}(void) {{ return 1; }}\n")
        run(
            "gcc",
            "-O2",
            f"-fcf-protection={flag}",
            "-c",
            tmp_path / f"{name}.c",
            "-o",
            tmp_path / f"{name}.o",
        )
    run("ar", "rc", tmp_path / "both.a", tmp_path / "good.o", tmp_path / "bad.o")
    coded, marked = landing_pads(tmp_path / "both.a")
    assert len(coded) == 2 and [name for name in coded if "good" in name] == list(marked)
