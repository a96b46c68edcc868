# SPDX-License-Identifier: Apache-2.0
"""What the papers' pages say of published code, shown with code of our own: faults of these forms
are refused, and without them all is well.
"""

from __future__ import annotations

import dataclasses
import subprocess
from pathlib import Path

import pytest
from debian import need

from hanji_lab import machines, papers
from hanji_lab.cases import CaseError, Contents
from hanji_lab.checkout import LabError
from hanji_lab.gpu.assemble import assemble, tool
from hanji_lab.gpu.ptx import TARGET, VERSION
from hanji_lab.spec import sparkle

pytestmark = pytest.mark.quick

ROOT = Path(__file__).resolve().parents[2]
designs = papers.module(papers.folder("sparkle-armv8", ROOT) / "kernels/sparkle_armv8.py")


@pytest.mark.parametrize("branches", [4, 6, 8])
def test_a_kernel_that_makes_the_big_number_of_steps_for_the_slim_one_is_refused(
    tmp_path: Path, branches: int
) -> None:
    """The published A64 kernels overwrite the number of steps before they compare it: they always
    make the big number.
    """
    need("qemu-user", "gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross")
    (machine,) = machines.find(["qemu:aarch64"])
    big = designs.case(ROOT, tmp_path, "a64", branches)
    assert machine.measure(big, "a test")[0].instructions
    slim = sparkle.VARIANTS[f"sparkle{64 * branches}"]

    def expect(before: Contents) -> dict[str, bytes]:
        return {"state": slim.permute_slim(before["state"])}

    asked = dataclasses.replace(
        big, calls=tuple(dataclasses.replace(call, expect=expect) for call in big.calls)
    )
    with pytest.raises(CaseError, match="byte 0 of state"):
        machine.measure(asked, "a test")


def test_the_printed_first_constant_is_not_that_of_sparkle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Algorithm 1 in the text that is at hand begins with 0x87E15162."""
    state = bytes(range(32))
    right = sparkle.VARIANTS["sparkle256"].permute_slim(state)
    assert sparkle.CONSTANTS[0] == 0xB7E15162
    monkeypatch.setattr(sparkle, "CONSTANTS", (0x87E15162, *sparkle.CONSTANTS[1:]))
    assert sparkle.VARIANTS["sparkle256"].permute_slim(state) != right


def compiled(folder: Path, statement: str) -> tuple[str, str]:
    """The PTX that nvcc makes of a function with an asm statement, nothing where it refuses, and
    what it says.
    """
    try:
        compiler = tool("nvcc")
    except LabError as error:
        pytest.skip(str(error))
    source, made = folder / "form.cu", folder / "form.ptx"
    source.write_text(
        f"__global__ void form(unsigned *p) {{ unsigned a = p[0], b = p[1]; "
        f"asm({statement}); p[0] = a; }}\n"
    )
    done = subprocess.run(
        [compiler, "-arch=compute_75", "-ptx", "-o", made, source], capture_output=True, text=True
    )
    return (made.read_text() if done.returncode == 0 else "", done.stderr)


def test_operand_lists_without_a_quote_do_not_compile_and_without_a_comma_they_do(
    tmp_path: Path,
) -> None:
    right, _ = compiled(tmp_path, '"mov.u32 %0, %1;" : "+r"(a), "+r"(b)')
    assert "mov.u32" in right
    refused, said = compiled(tmp_path, '"mov.u32 %0, %1;" : "+r"(a), +r"(b)')
    assert refused == "" and "missing closing quote" in said
    assert compiled(tmp_path, '"mov.u32 %0, %1;" : "+r"(a) "+r"(b)')[0] == right


@pytest.mark.parametrize("closed", [True, False])
def test_a_block_that_is_never_closed_does_not_assemble(tmp_path: Path, closed: bool) -> None:
    try:
        tool("ptxas")
    except LabError as error:
        pytest.skip(str(error))
    ptx = tmp_path / "form.ptx"
    body = f"{{\n.reg .b32 t;\nshl.b32 t, r, 1;\nor.b32 r, r, t;\n{'}' if closed else ''}\nst.global.u32 [p], r;\nret;"
    head = f".version {VERSION}\n.target {TARGET}\n.address_size 64\n"
    ptx.write_text(
        f"{head}.visible .entry form(.param .u64 a)\n{{\n.reg .b32 r;\n.reg .b64 "
        f"p;\nld.param.u64 p, [a];\nmov.u32 r, 3;\n{body}\n}}\n"
    )
    if closed:
        assert set(assemble(ptx, 75, tmp_path)) == {"form"}
        return
    with pytest.raises(LabError, match=r"ptxas refuses form\.ptx"):
        assemble(ptx, 75, tmp_path)
