# SPDX-License-Identifier: Apache-2.0
"""No change makes our RV32 assembly slower or larger unnoticed: exact counts are held in
lab/gates/rv32.json.
"""

import copy
from pathlib import Path

import pytest
from debian import all_required, need

from hanji_lab import gates, machines, size
from hanji_lab.checkout import LabError, find_checkout

ROOT = find_checkout(Path(__file__))
HELD = gates.held("rv32")


def test_no_kernel_got_worse():
    need("verilator", "qemu-system-misc", "gcc-riscv64-unknown-elf", "g++", "make")
    for machine in machines.find(gates.GATES["rv32"].machines):
        if (reason := machine.why_not()) is not None:
            (pytest.fail if all_required() else pytest.skip)(reason)
    problems = gates.problems("rv32", HELD, gates.measure(ROOT, "rv32"))
    assert not problems, "\n".join(
        [*problems, "if that is meant: hanji-lab gates rv32 --update, and say why in the commit"]
    )


def changed(row, what, figure):
    figures = copy.deepcopy(HELD)
    figures[row][what] = figure
    return figures


def test_what_is_worse_is_named_with_both_figures():
    row = "speck32_64_rv32i_encrypt_x2 encrypt"
    old = HELD[row]["qemu:hifive1"]
    assert gates.problems("rv32", HELD, HELD) == []
    assert gates.problems("rv32", HELD, changed(row, "qemu:hifive1", old + 1)) == [
        f"{row}: qemu:hifive1 was {old}, is {old + 1}"
    ]
    assert gates.problems("rv32", HELD, changed(row, "qemu:hifive1", old - 1)) == []
    assert gates.problems("rv32", HELD, changed(row, "rtl:new", 5)) == [
        f"{row}: rtl:new is not held yet (5)"
    ]
    fewer = {name: figures for name, figures in HELD.items() if name != row}
    assert gates.problems("rv32", HELD, fewer) == [f"{row}: held, but there is no such kernel"]


def test_code_has_limits():
    row = next(row for row in HELD if "_x32 " in row)
    large = changed(row, "code", (12 << 10) + 1)
    assert f"{row}: 12289 bytes of code, at most 12288 are allowed" in gates.problems(
        "rv32", large, large
    )
    with pytest.raises(LabError, match="gate 'rv33' given, one of rv32"):
        gates.held("rv33")


def test_sizes_of_kernels():
    need("qemu-system-misc", "gcc-riscv64-unknown-elf")
    (result,) = size.kernel_sizes(ROOT, "speck32_rv32i_x1", "a test")
    instructions = 4 + 2 + 22 * 12 + 5 + 1
    assert (result.bytes, result.more) == (
        4 * instructions,
        {"constants": 0, "round_keys": 44, "stack": 0},
    )
    with pytest.raises(LabError, match="no kernel that can be measured"):
        list(size.kernel_sizes(ROOT, "nothing", "a test"))
