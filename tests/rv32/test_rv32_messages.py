# SPDX-License-Identifier: Apache-2.0
"""What whole messages of Ascon-AEAD128 take on Ibex, of an amalgam with the kernels for RV32I:
exact cycles, which are held, of calls that equal the specification. The page has them.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from debian import all_required, need

from hanji_lab import brought
from hanji_lab.cases import cases
from hanji_lab.checkout import find_checkout
from hanji_lab.machines.rv32 import qemu, rtl

ROOT = find_checkout(Path(__file__))
sys.path.insert(0, str(ROOT / "tools"))
import amalgam  # noqa: E402

HELD = ROOT / "tests/rv32/message_cycles.json"
SIZES = (0, 16, 64, 1024)
# The calls with the arguments that the laboratory knows, for which the tag is a part of the text.
CALLS = """
#include "hanji.c"

int message_seal(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *ad, size_t ad_bytes,
                 const uint8_t *nonce, const uint8_t *key);
int message_open(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *ad, size_t ad_bytes,
                 const uint8_t *nonce, const uint8_t *key);

int message_seal(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *ad, size_t ad_bytes,
                 const uint8_t *nonce, const uint8_t *key)
{
    return hanji_ascon_aead128_encrypt(out, in, bytes, ad, ad_bytes, nonce, key);
}

int message_open(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *ad, size_t ad_bytes,
                 const uint8_t *nonce, const uint8_t *key)
{
    return hanji_ascon_aead128_decrypt(out, in, bytes + 16, ad, ad_bytes, nonce, key);
}
"""


@pytest.fixture(scope="module")
def ibex():
    need("verilator", "gcc-riscv64-unknown-elf", "g++", "make")
    (found,) = (core for core in rtl.cores() if core.name == "rtl:ibex-maxperf")
    if (reason := found.why_not()) is not None:
        (pytest.fail if all_required() else pytest.skip)(reason)
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("amalgam")
    amalgam.write(amalgam.chosen("ascon-aead128"), "rv32i", set(), made)
    (made / "messages.c").write_text(CALLS)
    return made


def measured(machine, folder: Path, operation: str, size: int, *more: str):
    """A call without associated data, with buffers at addresses of words. Calls with other
    contents, at odd addresses, are compared with the specification, too.
    """
    said = brought.Said(
        spec=f"ascon_aead128.{operation}",
        isa="c",
        function=f"message_{operation}",
        values=(("in_bytes", size), ("ad_bytes", 0)),
    )
    (kernel,) = brought.kernels(folder / "messages.c", ROOT, said)
    flags = " ".join([f"-I{folder}", *(more or ("-Os",))])
    (case,) = cases(ROOT, replace(kernel, align=1), checks=2, flags=flags)
    case = replace(case, files=(folder / "messages.c", *sorted(folder.glob("*.S"))))
    return machine.run(case)


def cycles(ibex, folder: Path, operation: str, size: int, *more: str) -> int:
    return measured(ibex, folder, operation, size, *more).warm


@pytest.mark.parametrize("operation", ["seal", "open"])
def test_messages_take_what_they_took(ibex, folder, operation):
    """After a change that is meant, the figures that this test prints go into the file."""
    found = {str(size): cycles(ibex, folder, operation, size) for size in SIZES}
    assert found == json.loads(HELD.read_text())[operation], json.dumps(found)


WIPER = "HANJI_NOINLINE void hanji_wipe_stack_of_ascon(void)\n{"


def depth(folder: Path, made: Path, operation: str, level: str, old: str, new: str) -> int:
    """Bytes of stack of a call, with a line of the library replaced."""
    need("qemu-system-misc", "gcc-riscv64-unknown-elf")
    made.mkdir()
    for file in folder.iterdir():
        text = file.read_text()
        if file.name == "hanji.c":
            assert text.count(old) == 1
            text = text.replace(old, new)
        (made / file.name).write_text(text)
    return measured(qemu.Qemu(), made, operation, 33, level).stack


@pytest.mark.parametrize("level", ["-O1", "-O2", "-Os"])
@pytest.mark.parametrize("operation", ["seal", "open"])
def test_a_message_wipes_as_deep_as_it_goes(folder, tmp_path, operation, level):
    wiped = depth(folder, tmp_path / "wiped", operation, level, WIPER, WIPER)
    nothing = WIPER + ' __asm__ volatile("");\n    return;'
    assert 0 < depth(folder, tmp_path / "bare", operation, level, WIPER, nothing) <= wiped


def test_control_a_wiper_that_is_too_short_is_seen(folder, tmp_path):
    old, new = "#define OF_ASCON 384", "#define OF_ASCON 192"
    wiped = depth(folder, tmp_path / "wiped", "open", "-Os", WIPER, WIPER)
    assert depth(folder, tmp_path / "short", "open", "-Os", old, new) < wiped
    assert depth(folder, tmp_path / "bare", "open", "-Os", WIPER, WIPER + "\n    return;") > 256


def test_a_kib_is_within_its_limit():
    """The Ascon team's assembly for RV32I takes 65,119 cycles, without any check of arguments and
    with nothing wiped.
    """
    assert json.loads(HELD.read_text())["seal"]["1024"] <= 62_300


def test_control_portable_code_takes_longer(ibex, folder):
    held = json.loads(HELD.read_text())["seal"]["64"]
    assert cycles(ibex, folder, "seal", 64, "-Os", "-DHANJI_PORTABLE") > 1.2 * held


def test_the_page_has_these_figures():
    page = " ".join((ROOT / "docs/firmware-kernels.md").read_text().split())
    for operation, of_sizes in json.loads(HELD.read_text()).items():
        row = " | ".join(f"{of_sizes[str(size)]:,}" for size in SIZES)
        assert f"| {operation} | {row} |" in page
