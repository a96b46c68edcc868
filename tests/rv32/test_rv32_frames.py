# SPDX-License-Identifier: Apache-2.0
"""The largest stack frames of the library on RV32, which docs/firmware.md names."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from builds import build, run
from debian import need

ROOT = Path(__file__).resolve().parents[2]
# Those that the document names, by the files that have them.
WIPING = ("src/slhdsa/slhdsa.c", "src/aimer/aimer.c")
NEXT = ("src/catalog/selftest.c", "src/aimer/portable.c")


def frames(folder: Path, wanted: tuple[str, ...] = ()) -> list[tuple[int, str]]:
    """(bytes of the frame, source) of every function of these sources of the build, or of all; the
    largest first.
    """
    need("cmake", "ninja-build")
    built = build("rv32imac")
    listed = run(["ninja", "-C", built, "--quiet", "-t", "commands", "libhanji.a"]).stdout
    found = []
    for line in listed.splitlines():
        words = shlex.split(line)
        source = words[-1].removeprefix(f"{ROOT}/")
        if words[-2] != "-c" or not source.endswith(".c") or source not in (wanted or (source,)):
            continue
        words = words[: words.index("-MD")]
        out = folder / source.replace("/", "-")
        usage = out.with_suffix(".su")
        run([*words, "-fstack-usage", "-c", ROOT / source, "-o", out.with_suffix(".o")])
        found += [
            (int(bytes_), source)
            for _, bytes_, _ in (row.split("\t") for row in usage.read_text().splitlines())
        ]
    return sorted(found, reverse=True)


def named() -> list[tuple[int, str]]:
    """The two frames whose size the document gives."""
    text = " ".join((ROOT / "docs/firmware.md").read_text(encoding="utf-8").split())
    sizes = re.search(
        r"wipe the stack behind SLH-DSA \(([\d,]+) bytes\) and AIMer \(([\d,]+)\), and those of the"
        r" self-test and of AIMer\.",
        text,
    )
    assert sizes, "the sentence about the largest frames has changed; change this test, too"
    return [
        (int(size.replace(",", "")), source)
        for size, source in zip(sizes.groups(), WIPING, strict=True)
    ]


def test_firmware_md_gives_the_largest_frames(tmp_path: Path) -> None:
    assert frames(tmp_path, WIPING + NEXT)[:2] == named()


@pytest.mark.slow
def test_no_frame_of_the_library_is_larger(tmp_path: Path) -> None:
    found = frames(tmp_path)
    assert len({source for _, source in found}) > 50
    assert found[:2] == named()
    assert {source for _, source in found[2:4]} == set(NEXT)
