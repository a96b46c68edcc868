# SPDX-License-Identifier: Apache-2.0
"""hanji-lab says what is wrong in a command before it asks for tools that the command would need."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from hanji_lab.checkout import LabError
from hanji_lab.cli import app

pytestmark = pytest.mark.quick

HIFIVE = ["--on", "qemu:hifive1"]
SPARKLE = str(Path(__file__).resolve().parents[2] / "src/sparkle/sparkle256_rv32i.S")
NO_KERNEL = "no kernel that can be measured matches 'nothing'"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (["size", "nothing"], NO_KERNEL),
        (["size", "cham64_128_neon_x8"], "names no kernel for RV32I, Armv6-M, Armv7-M or AVR"),
        (["cycles", "nothing", *HIFIVE], NO_KERNEL),
        (["cycles", "nothing.S", *HIFIVE], "nothing.S does not exist"),
        (["cycles", "speck32_rv32i_x1", "--on", "nothing"], "no machine is named 'nothing'"),
        (["cycles", "speck32_rv32i_x1", "--on", "qemu:aarch64"], "none of the machines runs rv32i"),
        (["cycles", "nothing", "--on", "gpu"], "no kernel for GPUs matches nothing"),
        (
            ["cycles", SPARKLE, "--value", "step=10", *HIFIVE],
            "--value step given, but no FILE takes it; there are: groups, steps",
        ),
        (
            ["cycles", "speck32_rv32i_x1", "--value", "groups=2", *HIFIVE],
            "--value groups given, but no FILE takes it; there are: none",
        ),
    ],
    ids=lambda value: " ".join(map(os.path.basename, value)) if isinstance(value, list) else "",
)
def test_names_are_checked_before_tools(
    line: list[str], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    done = CliRunner().invoke(app, line)
    assert isinstance(done.exception, LabError)
    assert says in str(done.exception)


@pytest.mark.parametrize(
    "line",
    [
        ["size"],
        ["size", "speck32_rv32i_x1"],
        ["cycles", "speck32_rv32i_x1", *HIFIVE],
        ["cycles", SPARKLE, "--value", "steps=10", *HIFIVE],
    ],
    ids=lambda line: " ".join(map(os.path.basename, line)),
)
def test_control_tools_are_asked_for_where_the_names_are_right(
    line: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    done = CliRunner().invoke(app, line)
    assert isinstance(done.exception, LabError)
    assert "riscv64-unknown-elf-gcc is not installed" in str(done.exception)
