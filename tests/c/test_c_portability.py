# SPDX-License-Identifier: Apache-2.0
"""The sources on machines whose int has 16 bits, and compilers that cannot build the library."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from debian import need

ROOT = Path(__file__).resolve().parents[2]
# Rainbow, the GPU library and columns of telemetry are for hosts, as is random.c.
HOSTED = ("rainbow", "gpu", "telemetry", "random.c")
SOURCES = [
    path
    for path in sorted((ROOT / "src").glob("*/*.c"))
    if not {path.parent.name, path.name} & set(HOSTED)
]
INCLUDES = [f"-I{ROOT / 'include'}", f"-I{ROOT / 'src'}"]
FREESTANDING = ["-std=c11", "-ffreestanding", "-DHANJI_FREESTANDING"]
SIXTEEN = [
    "clang-14",
    "--target=msp430",
    *FREESTANDING,
    "-O1",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-fsyntax-only",
    *INCLUDES,
]
SHIFT = re.compile(
    r"BinaryOperator.*'int' '<<'|CompoundAssignOperator.*'<<='.*ComputeResultTy='int'"
)
FUNCTION = """\
#include <stdint.h>
unsigned f(const uint8_t *p, int n);
unsigned f(const uint8_t *p, int n)
{
    (void)n;
    return (unsigned)(BODY);
}
"""


def signed_shifts(*files: Path) -> list[str]:
    """Left shifts of an int that may not fit 16 bits: all but those of a byte by at most 7."""
    tree = ["-Xclang", "-ast-dump", "-fno-color-diagnostics"]
    done = subprocess.run([*SIXTEEN, *tree, *map(str, files)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    lines = done.stdout.splitlines()

    def depth(line: str) -> int:
        found = re.match(r"[ |`-]*", line)
        assert found
        return len(found[0])

    suspect = []
    for number, line in enumerate(lines):
        if not SHIFT.search(line):
            continue
        below = []
        for other in lines[number + 1 :]:
            if depth(other) <= depth(line):
                break
            below.append(other)
        operands = [at for at, other in enumerate(below) if depth(other) == depth(line) + 2]
        byte = any("'uint8_t'" in other for other in below[operands[0] : operands[0] + 2])
        amount = re.search(r"IntegerLiteral .* 'int' (\d+)$", below[operands[1]])
        if not (byte and amount and int(amount[1]) <= 7):
            suspect.append(line.strip(" |`-"))
    return suspect


def test_control_a_shift_that_overflows_is_found(tmp_path: Path) -> None:
    need("clang-14")
    source = tmp_path / "shift.c"
    for body, found in (
        ("p[0] | p[1] << 8", 1),
        ("p[0] | (uint16_t)p[1] << 8", 0),
        ("p[0] << 7", 0),
        ("n << p[0]", 1),
    ):
        source.write_text(FUNCTION.replace("BODY", body))
        assert len(signed_shifts(source)) == found, body


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_an_int_of_16_bits_is_enough(source: Path) -> None:
    need("clang-14")
    assert signed_shifts(source) == []


def test_the_version_number_fits(tmp_path: Path) -> None:
    """Where int has 16 bits, 0.33 would be more than one holds."""
    need("clang-14")
    header = (ROOT / "include/hanji/common.h").read_text(encoding="utf-8")
    later = re.sub(
        r"(#define HANJI_VERSION_MAJOR) \d+",
        r"\1 40",
        re.sub(r"(#define HANJI_VERSION_MINOR) \d+", r"\1 133", header),
    )
    shutil.copytree(ROOT / "include/hanji", tmp_path / "hanji")
    (tmp_path / "hanji/common.h").write_text(later, encoding="utf-8")
    source = tmp_path / "version.c"
    source.write_text(
        '#include "hanji/common.h"\n_Static_assert(HANJI_VERSION_NUMBER / 1000 == 40133, '
        '"the number");\n'
        '_Static_assert(sizeof hanji_version_number() == 4, "its type");\n'
        + (ROOT / "src/support/error.c").read_text(encoding="utf-8")
    )
    command = [word for word in SIXTEEN if word not in INCLUDES]
    done = subprocess.run([*command, f"-I{tmp_path}", str(source)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-U__GNUC__"], "(6 or newer): this compiler cannot promise that secrets are wiped"),
        (["-U__GNUC__", "-D__GNUC__=4"], "this version is older"),
        (["-std=c99"], "hanji is written in C11"),
        ([], None),
    ],
    ids=["another", "old", "c99", "supported"],
)
@pytest.mark.parametrize("compiler", ["gcc", "clang-14"])
def test_other_compilers_are_told(compiler: str, options: list[str], message: str | None) -> None:
    need(compiler)
    if compiler == "clang-14" and options == ["-U__GNUC__", "-D__GNUC__=4"]:
        options = ["-U__clang_major__", "-D__clang_major__=5"]
    command = [compiler, *FREESTANDING, "-fsyntax-only", *INCLUDES, *options]
    for file in ("support/secret.c", "modes/eax.c", "sparkle/schwaemm.c"):
        done = subprocess.run([*command, str(ROOT / "src" / file)], capture_output=True, text=True)
        assert (done.returncode == 0) is (message is None), done.stderr[-2000:]
        assert message is None or message in done.stderr


def test_builtins_are_not_required() -> None:
    """A compiler with attributes and without __builtin_memcpy calls the three functions that
    firmware gives.
    """
    need("gcc")
    command = [
        "gcc",
        "-E",
        *FREESTANDING,
        "-D__has_builtin(x)=0",
        *INCLUDES,
        str(ROOT / "src/modes/ctr.c"),
    ]
    text = subprocess.run(command, capture_output=True, text=True).stdout
    assert "memcpy(" in text and "__builtin_mem" not in text
