# SPDX-License-Identifier: Apache-2.0
"""The kernels for Cortex-M and AVR: right on random and edge inputs, and no slower or larger than
they were. The machines find what is wrong and count what is documented.
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from debian import need

from hanji_lab import brought, gates, machines, size
from hanji_lab.cases import Buffer, CaseError, cases, measurable
from hanji_lab.checkout import LabError, find_checkout
from hanji_lab.kernels import scan

ROOT = find_checkout(Path(__file__))
sys.path.insert(0, str(ROOT / "tools"))
import amalgam  # noqa: E402
import generated  # noqa: E402
import keccak_armv7m  # noqa: E402

ON = {
    "armv6m": "qemu:cortex-m0",
    "armv7m": "qemu:cortex-m3",
    "armv7em": "qemu:cortex-m4",
    "avr": "simavr:atmega328p",
}
KERNELS = [kernel for kernel in scan(ROOT)[0] if kernel.isa in ON]


def machine(name):
    need("gcc-arm-none-eabi", "qemu-system-arm", "gcc-avr", "avr-libc", "simavr")
    (found,) = machines.find([name])
    assert found.why_not() is None
    return found


@pytest.mark.parametrize("kernel", KERNELS, ids=[f"{k.name}-{k.operation}" for k in KERNELS])
def test_kernel_equals_the_specification(kernel):
    assert measurable(kernel)
    for case in cases(ROOT, kernel):
        figures = machine(ON[kernel.isa]).run(case)
        assert figures.count > 0
        if kernel.stack is not None:
            assert figures.stack == kernel.stack, "the header says another stack"


@pytest.mark.parametrize(
    "kernel", [k for k in KERNELS if k.source.endswith(".S")], ids=lambda kernel: kernel.name
)
def test_kernel_with_less_code_equals_the_specification(kernel):
    """HANJI_SMALL; kernels without such a variant are as they were."""
    call = 2 if kernel.isa == "avr" and "sparkle" in kernel.name else 0  # of the box
    for case in cases(ROOT, kernel, flags="-DHANJI_SMALL"):
        figures = machine(ON[kernel.isa]).run(case)
        assert figures.count > 0
        assert figures.stack == kernel.stack + call, "the header says another stack"


def test_the_kernel_of_keccak_is_what_the_script_writes():
    assert not generated.stale(keccak_armv7m.files()), "run tools/keccak_armv7m.py"


@pytest.mark.parametrize("core", ["m4", "m7", "m33"])
def test_every_core_runs_the_kernels_of_its_instruction_set(core):
    (kernel,) = (kernel for kernel in KERNELS if kernel.name == "sparkle384_armv7m_x1")
    counts = {machine(f"qemu:cortex-{core}").run(case).count for case in cases(ROOT, kernel)}
    assert counts == {761, 1187}
    (kernel,) = (kernel for kernel in KERNELS if kernel.name == "cham64_128_armv7em_ctr_x2")
    (case,) = cases(ROOT, kernel)
    assert machine(f"qemu:cortex-{core}").run(case).count == 772


COUNTERS = [
    "00000000fffffffe",  # the carry behind the second block
    "00000000ffffffff",  # and before it
    "0123456700ffffff",
    "fffffffffffffffd",
    "fffffffffffffffe",
    "ffffffffffffffff",
]


def test_two_blocks_carry_into_the_upper_half_of_the_counter():
    """Wherever the carry falls; from the last counters on it begins again at 0."""
    (kernel,) = (kernel for kernel in KERNELS if kernel.name == "cham64_128_armv7em_ctr_x2")
    (case,) = cases(ROOT, kernel, groups=3, checks=0)
    (call,) = case.calls
    (register,) = (
        register
        for register, argument in call.arguments.items()
        if isinstance(argument, Buffer) and argument.name == "counter"
    )
    calls = [
        replace(
            call,
            arguments=call.arguments
            | {register: replace(call.arguments[register], data=bytes.fromhex(counter))},
        )
        for counter in COUNTERS
    ]
    assert machine("qemu:cortex-m4").run(replace(case, calls=tuple(calls))).count > 0


def test_pairs_of_cham_are_where_the_compiler_has_the_instructions(tmp_path):
    """A Cortex-M3 keeps one block at a time, and so does an Armv8-M that was made without them."""
    need("gcc-arm-none-eabi")
    amalgam.write(amalgam.chosen("cham-64/128-ctr"), "armv7m", set(), tmp_path)
    held = {}
    for core in ("m3", "m4", "m7", "m33", "m33+nodsp"):
        compiler = ["arm-none-eabi-gcc", f"-mcpu=cortex-{core}", "-mthumb", "-Os", "-ffreestanding"]
        names = ""
        for source in [tmp_path / "hanji.c", *sorted(tmp_path.glob("*.S"))]:
            made = tmp_path / "made.o"
            subprocess.run([*compiler, "-c", source, "-o", made], check=True)
            names += subprocess.run(
                ["arm-none-eabi-nm", made], check=True, capture_output=True, text=True
            ).stdout
        assert "T hanji_cham64_128_armv7m_encrypt_x1" in names
        held[core] = (
            "T hanji_cham64_128_armv7em_ctr_x2" in names,
            "U hanji_cham64_128_armv7em_ctr_x2" in names,
        )
    with_pairs, without = (True, True), (False, False)
    assert held == {
        "m3": without,
        "m4": with_pairs,
        "m7": with_pairs,
        "m33": with_pairs,
        "m33+nodsp": without,
    }


def kernel_of(tmp_path, name, old, new):
    """The kernel with its file, or one that its file includes, damaged."""
    (kernel,) = (kernel for kernel in KERNELS if kernel.name == name)
    files = [ROOT / kernel.source]
    files += map(files[0].with_name, re.findall(r'#include "(\w+\.inc)"', files[0].read_text()))
    damaged = next((file for file in files if old in file.read_text()), None)
    assert damaged, "the place to damage has gone"
    for file in files:
        text = file.read_text()
        (tmp_path / file.name).write_text(text.replace(old, new, 1) if file == damaged else text)
    case = cases(ROOT, kernel)[0]
    return replace(case, files=(tmp_path / files[0].name,))


WRONG = [
    ("speck64_128_armv7m_encrypt_x1", "ror #29", "ror #28", "byte 0 of out"),
    ("speck64_128_armv6m_encrypt_x1", "movs r3, #29", "movs r3, #28", "byte 0 of out"),
    ("ascon_p_armv7m_x1", "7, 41", "7, 40", "byte 0 of state"),
    ("ascon_aead128_armv7m_open_x1", "mov \\half, r12", "mov \\half, lr", "byte 0 of state"),
    (
        "ascon_aead128_armv7m_seal_x1",
        "str \\half, [r10], #4",
        "str r12, [r10], #4",
        "byte 0 of out",
    ),
    ("ascon_p_armv6m_x1", "r4, 7, 29", "r4, 7, 28", "of state"),
    ("ascon_aead128_armv6m_open_x1", "crypt r4", "crypt r5", "byte 0 of state"),
    ("ascon_p_avr_x1", "add_rotated 5, P, Q", "add_rotated 4, P, Q", "of state"),
    ("ascon_aead128_avr_open_x1", "st Y+, r19", "st Y+, r20", "byte 0 of state"),
    ("ascon_hash256_avr_absorb_x1", "absorb 8, 0xf0", "absorb 8, 0xe1", "of state"),
    ("sparkle384_armv6m_x1", "rors \\y, r6", "rors \\y, r7", "byte 0 of states"),
    ("sparkle256_armv6m_x1", "high_put 3, r4", "high_put 3, r3", "of states"),
    ("sparkle384_avr_x1", "movw Y2, C2", "movw Y2, C0", "of states"),
    ("cham64_128_avr_encrypt_x1", "cpi I, 88", "cpi I, 80", "byte 0 of out"),
    ("speck64_128_armv7m_encrypt_x1", "    mov r7, r3", "    mov r7, r3\n    mov r8, r7", "r8"),
    ("speck64_128_avr_encrypt_x1", "    ret", "    inc r10\n    ret", "does not keep r10"),
    ("cham64_128_avr_encrypt_x1", "    ret", "    inc r1\n    ret", "r1, which must be zero"),
    ("cham64_128_avr_encrypt_x1", "    st Y+, D1", "    st Y+, D1\n    st Y, D1", "outside"),
    ("cham64_128_armv7em_ctr_x2", "sel K0, K1, K0", "sel K0, K0, K1", "byte 0 of out"),
    ("cham64_128_armv7em_ctr_x2", "    adc r5, r5, #0\n    rev r2", "    rev r2", "of out"),
    (
        "cham64_128_armv7em_encrypt_x2",
        "str r3, [r12], #4",
        "str r3, [r12], #4\n    str r3, [r12]",
        "outside",
    ),
    ("cham64_128_armv7m_encrypt_x1", "    strh S3, [r0], #2", "    str S3, [r0], #2", "outside"),
]


@pytest.mark.parametrize(("name", "old", "new", "said"), WRONG)
def test_control_a_wrong_kernel_has_no_figures(tmp_path, name, old, new, said):
    case = kernel_of(tmp_path, name, old, new)
    with pytest.raises(CaseError, match=said):
        machine(ON[case.kernel.isa]).run(case)


def test_control_a_crash_is_said(tmp_path):
    case = kernel_of(tmp_path, "speck64_128_armv7m_encrypt_x1", "mov r7, r3", "mvn r7, #0xf")
    with pytest.raises(LabError):
        machine("qemu:cortex-m3").run(case)


# Instructions, and their cycles by Atmel's instruction set manual (0856), for processors of the
# kind AVRe+ with a program counter of 16 bits.
DOCUMENTED = [
    ("nop", 1),
    ("add r18, r19", 1),
    ("movw r18, r20", 1),
    ("adiw r30, 1", 2),
    ("mul r18, r19\n clr r1", 3),
    ("push r18\n pop r18", 4),
    ("ld r0, X", 2),
    ("ldd r0, Z+3", 2),
    ("lds r0, 0x100", 2),
    ("lpm r0, Z", 3),
    ("rjmp 1f\n1:", 2),
    ("rcall 1f\n rjmp 2f\n1: ret\n2:", 9),
    ("cp r1, r1\n brne 1f\n1:", 2),
    ("cp r1, r1\n breq 1f\n1:", 3),
    ("cpse r1, r1\n nop", 2),
    ("ldi r18, 0\n1: dec r18\n brne 1b", 1 + 256 * 3 - 1),
    # more cycles than the timer has: the interrupt is taken off exactly
    (
        "ldi r18, 0\n ldi r19, 200\n1: dec r18\n brne 1b\n dec r19\n brne 1b",
        2 + 200 * (256 * 3 - 1 + 3) - 1,
    ),
]


@pytest.mark.parametrize(("code", "cycles"), DOCUMENTED, ids=[code for code, _ in DOCUMENTED])
def test_an_atmega_takes_the_documented_cycles(tmp_path, code, cycles):
    name = "cham64_128_avr_encrypt_x1"
    counts = []
    for more in ("", f"\n    push r18\n    push r19\n    {code}\n    pop r19\n    pop r18\n"):
        case = kernel_of(tmp_path, name, ".Lend:\n", ".Lend:\n" + more)
        counts.append(machine("simavr:atmega328p").run(case).count)
    assert counts[1] - counts[0] == cycles + 8


@pytest.mark.parametrize("core", ["m0", "m3"])
def test_a_cortex_counts_instructions(tmp_path, core):
    isa = "armv6m" if core == "m0" else "armv7m"
    counts = []
    for more in ("", "    nop\n" * 7):
        case = kernel_of(
            tmp_path,
            f"speck64_128_{isa}_encrypt_x1",
            "    push {r4-r7}\n",
            f"    push {{r4-r7}}\n{more}",
        )
        counts.append(machine(f"qemu:cortex-{core}").run(case).count)
    assert counts[1] - counts[0] == 7


@pytest.mark.parametrize("isa", [isa for isa in ON if isa != "armv7em"])
def test_an_own_kernel_runs_without_a_header(tmp_path, isa):
    """What `hanji-lab cycles FILE --spec ..` does; the file's name says the instruction set."""
    machine(ON[isa])
    own = tmp_path / f"own_{isa}.S"
    text = (ROOT / f"src/speck/speck64_{isa}_x1.S").read_text()
    own.write_text(re.sub(r"/\* kernel:.*?\*/", "", text, flags=re.DOTALL))
    said = brought.Said(
        "speck64_128.encrypt",
        function=f"hanji_speck64_128_{isa}_encrypt_x1",
        signature="out,in,groups,keys",
    )
    (kernel,) = brought.kernels(own, ROOT, said)
    (case,) = cases(ROOT, kernel)
    assert machine(ON[isa]).run(case).count > 100
    own.write_text(own.read_text() + "\n    no_such_instruction\n")
    with pytest.raises(LabError, match=f"is no code for {isa}"):
        brought.kernels(own, ROOT, said)


def test_sizes_of_kernels_are_those_of_the_gate():
    machine(ON["avr"])
    held = gates.held("mcu")
    for name in ("ascon_p_armv6m_x1", "ascon_aead128_avr_seal_x1", "sparkle384_armv7m_x1"):
        (result,) = size.kernel_sizes(ROOT, name, "a test")
        row = next(figures for row, figures in held.items() if row.startswith(f"{name} "))
        (kernel,) = (kernel for kernel in KERNELS if kernel.name == name)
        assert (result.bytes, result.more["stack"]) == (row["code"], kernel.stack)


def test_no_kernel_got_worse():
    machine(ON["avr"])
    problems = gates.problems("mcu", gates.held("mcu"), gates.measure(ROOT, "mcu"))
    assert not problems, "\n".join(
        [*problems, "if that is meant: hanji-lab gates mcu --update, and say why in the commit"]
    )


def test_control_a_kernel_that_got_worse_is_named():
    held = gates.held("mcu")
    row, machine_name = "sparkle384_avr_x1 permute-slim", "simavr:atmega328p"
    worse = {**held, row: held[row] | {machine_name: held[row][machine_name] + 1}}
    assert gates.problems("mcu", held, worse) == [
        f"{row}: {machine_name} was {held[row][machine_name]}, is {held[row][machine_name] + 1}"
    ]
