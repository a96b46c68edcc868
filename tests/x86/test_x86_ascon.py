# SPDX-License-Identifier: Apache-2.0
"""The constants of the AVX-512 kernels of Ascon, computed again; and how few instructions a block
of one message takes in general registers.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from debian import need

from hanji_lab.spec.ascon import CONSTANTS, diffuse

ROOT = Path(__file__).resolve().parents[2]
HEADER = ROOT / "src/ascon/ascon_vector.h"
KERNEL = ROOT / "src/ascon/ascon_avx2_x1.c"
# 36 operations and three moves a round; text, constant, addresses, and moves to close the loop
MOST = 8 * 39 + 24
COMPILERS = ("gcc", "clang-14")
STORE = re.compile(r"v?mov\w* +\w+ PTR \[r(?!sp)")


def pulled_back(text: str) -> dict[str, list[int]]:
    """The numbers of the AVX-512 half of the header, by the name of their macro."""
    half = text[: text.index("#else\n\ntypedef __m256i vec;")]
    found = re.findall(
        r"^#define (NEXT_P12|NEXT_P8|CONSTANTS)\b((?:.*\\\n)*.*)$", half, re.MULTILINE
    )
    return {
        name: [int(number, 16) for number in re.findall(r"0x[0-9a-f]+", body)]
        for name, body in found
    }


def through_the_linear_layer(words: list[int]) -> list[int]:
    """Each word as S2 leaves the linear layer."""
    return [diffuse([0, 0, word, 0, 0])[2] for word in words]


def test_constants_are_those_of_the_standard_pulled_back() -> None:
    found = pulled_back(HEADER.read_text())
    assert through_the_linear_layer(found["CONSTANTS"]) == list(CONSTANTS[5:])
    assert through_the_linear_layer(found["NEXT_P12"] + found["NEXT_P8"]) == [
        CONSTANTS[4],
        CONSTANTS[8],
    ]


def test_control_a_changed_constant_is_seen() -> None:
    found = pulled_back(HEADER.read_text().replace("0x376938bca3083feb", "0x376938bca3083fea"))
    assert through_the_linear_layer(found["CONSTANTS"]) != list(CONSTANTS[5:])


def loop_of_blocks(compiler: str, function: str, source: Path, folder: Path) -> list[str]:
    """The instructions of the loop over blocks of text: eight rounds, and stores."""
    need(compiler, "gcc")  # objdump comes with the latter
    made = folder / "ascon.o"
    flags = ["-std=c17", "-O3", "-fPIC", "-mavx2", "-mbmi", "-mbmi2", f"-I{ROOT / 'src'}"]
    flags += [f"-I{ROOT / 'include'}", "-c", str(source), "-o", str(made)]
    subprocess.run([compiler, *flags], check=True)
    objdump = ["objdump", "-d", "--no-show-raw-insn", "-M", "intel", str(made)]
    said = subprocess.run(objdump, check=True, capture_output=True, text=True).stdout
    body = said.partition(f"<{function}>:\n")[2].partition("\n\n")[0]
    lines = [
        (int(at, 16), text)
        for at, text in re.findall(r"^ +([0-9a-f]+):\t(.*)$", body, re.MULTILINE)
    ]
    loops = []
    for place, text in lines:
        jump = re.match(r"j\w+ +([0-9a-f]+) <", text)
        if jump and int(jump[1], 16) < place:
            inside = [text for at, text in lines if int(jump[1], 16) <= at <= place]
            if sum(line.startswith("rorx") for line in inside) == 80 and any(
                STORE.match(line) for line in inside
            ):
                loops.append(inside)
    (loop,) = loops
    return loop


def problems(loop: list[str]) -> list[str]:
    """What makes a block longer than it has to be."""
    found = [f"{len(loop)} instructions, at most {MOST} expected"] if len(loop) > MOST else []
    return found + [line for line in loop if "xmm" in line]


@pytest.mark.parametrize("function", ["seal_whole", "open_whole"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_block_of_one_message_is_short(compiler: str, function: str, tmp_path: Path) -> None:
    assert problems(loop_of_blocks(compiler, function, KERNEL, tmp_path)) == []


def test_control_words_in_vectors_are_seen(tmp_path: Path) -> None:
    """As gcc 12 does it: the next permutation waits for the two words of a block."""
    rounds = (ROOT / "src/ascon/ascon_rounds.h").read_text()
    settled = '__asm__("" : "+r"(word));'
    assert rounds.count(settled) == 1
    source = tmp_path / "ascon_avx2_x1.c"
    text = KERNEL.read_text()
    plain = rounds.replace(settled, "")
    source.write_text(text.replace('#include "ascon/ascon_rounds.h"', plain))
    found = problems(loop_of_blocks("gcc", "seal_whole", source, tmp_path))
    assert any("vpinsrq" in line for line in found), found
