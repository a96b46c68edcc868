# SPDX-License-Identifier: Apache-2.0
"""Kernels that a user brings: any file, symbol, instruction set and specification; and sentences
for what is wrong with them.
"""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest
from debian import need

from hanji_lab import brought, doctor, machines
from hanji_lab.brought import Said
from hanji_lab.cases import CaseError, cases
from hanji_lab.checkout import LabError
from hanji_lab.machines.aarch64.machines import Counter
from hanji_lab.machines.rv32 import rtl
from hanji_lab.machines.rv32.qemu import Qemu

ROOT = Path(__file__).resolve().parents[2]
SPARKLE = ROOT / "src/sparkle"
A64 = """\
    .text
    .globl other, theirs
other:
    ret
theirs:
    ldr w3, [x1]
    add w3, w3, w2
    str w3, [x0]
    ret
"""
SPEC = """
def plus(data, more):
    return (int.from_bytes(data, "little") + more & 0xFFFFFFFF).to_bytes(4, "little")


def long(data, more):
    return bytes(5)


def strange(data, unknown):
    return data


def broken(data, more):
    return data[99]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    need("gcc-aarch64-linux-gnu", "qemu-user")
    (tmp_path / "some name.S").write_text(A64)
    (tmp_path / "spec.py").write_text(SPEC)
    return tmp_path


def run(folder: Path, source: str = A64, **more: Any) -> Any:
    """What qemu says of a kernel; by default one that is right."""
    path = folder / "some name.S"
    path.write_text(source)
    given = {
        "spec": f"{folder / 'spec.py'}:plus",
        "isa": "a64",
        "function": "theirs",
        "signature": "out:4,data:4,more=7",
    }
    (kernel,) = brought.kernels(path, ROOT, Said(**{**given, **more}))
    (case,) = cases(ROOT, kernel)
    (result,) = Counter().measure(case, "a test")
    return result


def test_any_file_symbol_and_specification(folder: Path) -> None:
    result = run(folder)
    assert (result.kernel, result.operation, result.instructions) == ("theirs", "plus", 4)
    assert {Path(name).name for name in result.provenance.sources} == {"some name.S", "spec.py"}
    with pytest.raises(CaseError, match=r"byte 0 of out: .* expected by .*spec.py:plus"):
        run(folder, A64.replace("add w3", "sub w3"))


REFUSED = [
    ({"isa": None}, "does not say for which processor it is: give --isa"),
    ({"isa": "z80"}, "--isa z80 given, one of rv32i, .* c, ptx expected"),
    ({"function": "mine"}, "defines no function 'mine', but other, theirs"),
    ({"function": None}, "defines 2 functions"),
    ({"signature": None}, "needs --signature with sizes in bytes"),
    ({"signature": "out,data:4,more=7"}, "'out' in --signature has no size"),
    ({"signature": "out:4,data:4"}, "takes 'more', which is none of the kernel's arguments"),
    ({"signature": "data:4,more=7"}, "no buffer of --signature is written"),
    ({"signature": "out:4,data:4,more=7,?"}, "NAME:BYTES, NAME:BYTES:rw or NAME=NUMBER"),
    ({"signature": "out:4,data:4,more=7,a=1,b=1,c=1,d=1,e=1,f=1"}, "9 arguments given, 8"),
    ({"spec": "spec.py:none"}, "there is no file|has no function 'none'"),
    ({"spec": "speck32_64.encrypted"}, "no specification is named"),
    ({"spec": "spec.py"}, "names no function: spec.py:FUNCTION expected"),
    ({"spec": "speck32_64.cmac"}, "needs a kernel header"),
    ({"allow": ("sp",)}, "--allow sp given, one of x18"),
]


@pytest.mark.parametrize(("given", "said"), REFUSED, ids=[said[:30] for _, said in REFUSED])
def test_what_is_wrong_is_said_in_a_sentence(
    folder: Path, given: dict[str, Any], said: str
) -> None:
    with pytest.raises(LabError, match=said) as error:
        run(folder, **given)
    assert "undefined reference" not in str(error.value)


def test_a_specification_must_give_what_the_buffer_holds(folder: Path) -> None:
    with pytest.raises(LabError, match="gives 5 bytes of out, 4 expected"):
        run(folder, spec=f"{folder / 'spec.py'}:long")


def test_faults_of_files_are_told_in_a_sentence(folder: Path) -> None:
    with pytest.raises(LabError, match=r"IndexError in line \d+: .* \(it was given data:4\)"):
        run(folder, spec=f"{folder / 'spec.py'}:broken")
    foreign = A64.replace("add w3, w3, w2", "addi a3, a3, 2\n    slli a3, a3, 1")
    said = r"some name.S is no code for a64; is --isa right\? Line 7: .*, and 1 more error$"
    with pytest.raises(LabError, match=said) as error:
        run(folder, foreign)
    assert "\n" not in str(error.value)


def test_reserved_registers_can_be_allowed(folder: Path) -> None:
    uses = A64.replace("w3", "w18")
    with pytest.raises(CaseError, match="does not keep x18; Linux does not reserve x18: --allow"):
        run(folder, uses)
    assert run(folder, uses, allow=("x18",)).instructions == 4
    with pytest.raises(CaseError, match="does not keep x19"):
        run(folder, A64.replace("w3", "w19"), allow=("x18",))


CRASHES = [
    ("str w3, [x0]", "str w3, [xzr_, #8]", r"SIGSEGV at `str w3, \[x9, #8\]`; it touched .* 0x8"),
    ("    add w3, w3, w2", "    .inst 0", r"SIGILL at `udf #0`"),
    ("    add w3, w3, w2", "    brk #1", r"SIGTRAP at `brk #0x1`"),
]


@pytest.mark.parametrize(("old", "new", "said"), CRASHES, ids=["segv", "ill", "trap"])
def test_a_crash_names_its_signal_and_instruction(
    folder: Path, old: str, new: str, said: str
) -> None:
    new = f"mov x9, #0\n    {new.replace('xzr_', 'x9')}"
    with pytest.raises(CaseError, match=said) as error:
        run(folder, A64.replace(old, new))
    assert str(error.value).isprintable()
    assert ("it touched" in str(error.value)) == ("SIGSEGV" in said)


def test_a_crash_on_rv32_names_its_cause(tmp_path: Path) -> None:
    need("qemu-system-misc", "gcc-riscv64-unknown-elf")
    spec = tmp_path / "spec.py"
    spec.write_text("def same(data):\n    return data\n")
    path = tmp_path / "copy.S"
    right = "    .globl copy\ncopy:\n    lw a2, 0(a1)\n    sw a2, 0(a0)\n    ret\n"

    def measured(text: str) -> Any:
        path.write_text(text)
        said = Said(f"{spec}:same", "rv32i", signature="out:4,data:4")
        (kernel,) = brought.kernels(path, ROOT, said)
        return Qemu().measure(cases(ROOT, kernel)[0], "a test")[0]

    assert measured(right).instructions == 2  # the return belongs to the call
    with pytest.raises(
        CaseError, match=r"trapped at `sw a2,0\(zero\)`: a store to where no memory"
    ):
        measured(right.replace("0(a0)", "0(zero)"))
    with pytest.raises(CaseError, match="an illegal instruction"):
        measured(right.replace("    ret", "    .word 0"))
    with pytest.raises(LabError, match="calls elsewhere, which is not in it"):
        measured(right.replace("    ret", "    tail elsewhere"))


def test_steps_of_a_permutation_are_those_that_are_named() -> None:
    """`permute_big` of a kernel with a step count is the big number and never the slim one."""
    need("gcc-riscv64-unknown-elf", "qemu-system-misc")
    path = SPARKLE / "sparkle256_rv32i.S"
    name, said = "hanji_sparkle256_rv32i_x1", "states,groups,steps"

    def found(operation: str, **more: Any) -> list[Any]:
        given = Said(f"sparkle256.{operation}", None, 1, name, said, **more)
        (kernel,) = brought.kernels(path, ROOT, given)
        return cases(ROOT, kernel)

    (big,), (slim,) = found("permute_big"), found("permute_slim")
    assert (big.operation, big.calls[0].arguments["a2"]) == ("permute-big", 10)
    assert (slim.operation, slim.calls[0].arguments["a2"]) == ("permute-slim", 7)
    assert [case.operation for case in found("permute")] == ["permute-slim", "permute-big"]
    (nine,) = found("permute", values=(("steps", 9),))
    assert nine.calls[0].arguments["a2"] == 9
    results = [Qemu().measure(case, "a test")[0] for case in (big, slim)]
    assert [one.operation for one in results] == ["permute-big", "permute-slim"]
    assert results[0].instructions > results[1].instructions


def test_aeads_and_hashes_need_no_header(tmp_path: Path) -> None:
    """The cases are made and judged; the kernel is a stand-in that does nothing."""
    need("gcc-aarch64-linux-gnu", "qemu-user")
    path = tmp_path / "nothing_a64.S"
    path.write_text("    .globl nothing\nnothing:\n    ret\n")
    for name, out in (
        ("schwaemm256_128.seal", 80),
        ("ascon_aead128.open", 64),
        ("esch256.digest", 32),
    ):
        (kernel,) = brought.kernels(path, ROOT, Said(name))
        (case,) = cases(ROOT, kernel)
        sizes = {buffer.name: len(buffer.data) for buffer in case.calls[0].buffers}
        assert sizes["out"] == out and case.operation == name.partition(".")[2]
        lengths = {call.arguments["a2"] for call in case.calls}
        assert lengths >= {0, 1, 15, 16, 33, 64, 65} or "open" in name
        with pytest.raises(CaseError, match=r"of out: .* expected by"):
            Counter().measure(case, "a test")
    (kernel,) = brought.kernels(path, ROOT, Said("esch256.digest", values=(("in_bytes", 7),)))
    assert {len(call.contents()["in"]) for call in cases(ROOT, kernel)[0].calls} == {7}


PTX = """\
.version 7.0
.target sm_75
.address_size 64
.visible .entry add7(.param .u64 out, .param .u64 data, .param .u32 n)
{
    .reg .pred %p; .reg .b32 %i, %n, %v; .reg .b64 %a, %o;
    mov.u32 %i, %ctaid.x;
    mov.u32 %n, %tid.x;
    mad.lo.u32 %i, %i, 32, %n;
    ld.param.u32 %n, [n];
    setp.ge.u32 %p, %i, %n;
    @%p ret;
    ld.param.u64 %a, [data];
    ld.param.u64 %o, [out];
    mad.wide.u32 %a, %i, 4, %a;
    mad.wide.u32 %o, %i, 4, %o;
    ld.global.u32 %v, [%a];
    add.u32 %v, %v, 7;
    st.global.u32 [%o], %v;
    ret;
}
"""


def test_ptx_runs_without_a_gpu(tmp_path: Path) -> None:
    (machine,) = machines.find(["sass:sm_90"])
    assert machine.why_not() is None
    (tmp_path / "spec.py").write_text(
        "import struct\n\n\ndef add(data):\n"
        "    return b''.join(struct.pack('<I', v + 7 & 0xFFFFFFFF)"
        " for v, in struct.iter_unpack('<I', data))\n"
    )
    path = tmp_path / "a.ptx"
    said = Said(f"{tmp_path / 'spec.py'}:add", signature="out:4 * groups,data:4 * groups,groups")

    def measured(text: str) -> Any:
        path.write_text(text)
        (kernel,) = brought.kernels(path, ROOT, said)
        (case,) = cases(ROOT, kernel, 32)
        return machine.measure(case, "a test")[0]

    result = measured(PTX)
    assert result.kernel == "add7" and result.bytes == 128 and result.more["threads"] == 32
    with pytest.raises(CaseError, match="byte 0 of out"):
        measured(PTX.replace(", 7;", ", 8;"))
    with pytest.raises(CaseError, match=r"is accessed, which has|lies in no buffer"):
        measured(PTX.replace("    @%p ret;\n", ""))
    with pytest.raises(LabError, match="defines no function 'none', but add7"):
        brought.kernels(path, ROOT, Said(said.spec, None, 1, "none", said.signature))


def test_a_core_of_ones_own(tmp_path: Path) -> None:
    """Settings are read and judged; the simulator of PicoRV32 is made of such a file, too."""
    (built,) = [core for core in rtl.cores() if core.name == "rtl:picorv32"]
    assert built.core.bench.endswith("picorv32.cpp") and built.isas == {"rv32i", "c"}
    (tmp_path / "core.v").write_text("module core; endmodule\n")
    (tmp_path / "bench.cpp").write_text("int main() {}\n")
    settings = tmp_path / "core.yaml"
    text = textwrap.dedent(
        """\
        name: mine
        sources: [core.v]
        top: core
        bench: bench.cpp
        march: rv32i
        """
    )
    settings.write_text(text)
    made = rtl.described(settings)
    assert made.name == "rtl:mine" and made.core.version.startswith("mine, sources ")
    wrong = [
        (text.replace("top: core\n", ""), "top missing"),
        (text.replace("core.v", "none.v"), "there is no .*none.v"),
        (text.replace("bench.cpp", "none.cpp"), "there is no test bench"),
        (text + "colour: red\n", "'colour' given, one of name"),
        (text.replace("[core.v]", "core.v"), "sources is 'core.v', a list expected"),
        ("- a\n", "keys and values expected"),
        ("a: [\n", "is not YAML"),
    ]
    for changed, said in wrong:
        settings.write_text(changed)
        with pytest.raises(LabError, match=said):
            rtl.described(settings).core.files(tmp_path)


def test_the_doctor_builds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*arguments: Any) -> None:
        raise AssertionError("built")

    monkeypatch.setattr("hanji_lab.kernels.build_library", never)
    found = {one.what: one for one in doctor.surroundings(ROOT)}
    assert found["tiers of kernels"].good and "portable" in found["tiers of kernels"].said
