# SPDX-License-Identifier: Apache-2.0
"""Kernels are proved equal to their specifications, and kernels that are spoilt are not."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import debian
import proving
import pytest
from click.testing import CliRunner

from hanji_lab import cli, spec
from hanji_lab.checkout import LabError
from hanji_lab.prove import contracts, counting, lift, replay, report, soundness
from hanji_lab.prove.build import image_of, linked
from hanji_lab.prove.forms import Forms
from hanji_lab.prove.graph import FURTHER, RUNS, STRANGE, Blind, Graph, Veiled
from hanji_lab.prove.induct import Call, Loop, MismatchError
from hanji_lab.prove.pcode import A64Image, Image
from hanji_lab.prove.report import Prover, Verdict
from hanji_lab.prove.rules import Plain
from hanji_lab.prove.values import Flag, Lin, RefusedError
from hanji_lab.prove.words import add, carry_out, less, number_bits, sub

SPECK = ("speck/speck32_rv32i_x2.S", "speck32_64_rv32i_encrypt_x2")
SPECK4 = ("speck/speck32_rv32i_x4.S", "speck32_64_rv32i_encrypt_x4")
SPECK_ZBKB = ("speck/speck32_zbkb_x2.S", "speck32_64_zbkb_encrypt_x2")
A64 = ("sparkle/generated/sparkle256_a64.S", "sparkle256_a64_x1")
ASCON = ("ascon/ascon_p_rv32i_x1.S", "ascon_p_rv32i_x1")
ASCON_ZBKB = ("ascon/ascon_zbkb_x1.S", "ascon_p_zbkb_x1")
ASCON_SHA3 = ("ascon/generated/ascon_sha3_x5.S", "ascon_p_sha3_x5")
NEON_C = ("speck/speck64_neon.c", "speck64_128_neon_encrypt_x4")

CI = [
    (*SPECK, "1 and more; 0 begins like more"),
    ("speck/speck32_rv32i_x2.S", "decrypt_x2", "1 and more; 0 begins like more"),
    (*SPECK4, "1 and more; 0 begins like more"),
    (*SPECK_ZBKB, "1 and more; 0 begins like more"),
    ("speck/speck32_zbkb_x2.S", "decrypt_x2", "1 and more; 0 begins like more"),
    ("cham/cham64_rv32i_x2.S", "encrypt_x2", "1 and more; 0 begins like more"),
    ("cham/cham64_zbkb_x2.S", "decrypt_x2", "1 and more; 0 begins like more"),
    ("sparkle/sparkle256_rv32i.S", "x1", "0 and more"),
    ("sparkle/sparkle512_rv32i.S", "x1", "0 and more"),
    (*A64, "0 and more"),
    ("sparkle/generated/sparkle512_a64.S", "x1", "0 and more"),
    ("sparkle/generated/sparkle256_neon_x4.S", "x4", "0 and more"),
    (*ASCON, "one"),
    (*ASCON_ZBKB, "one"),
    ("ascon/ascon_a64_x1.S", "ascon_p_a64_x1", "one"),
    (*ASCON_SHA3, "one"),
    (*NEON_C, "0 and more"),
    pytest.param(
        *("speck/speck64_neon.c", "speck64_128_neon_ctr_x32", "0 and more"), marks=pytest.mark.slow
    ),
]


@pytest.mark.parametrize(("source", "function", "groups"), CI, ids=lambda value: value[-24:])
def test_kernel_is_proved(source: str, function: str, groups: str) -> None:
    found = proving.verdict(proving.kernel(source, function))
    assert (found.verdict, found.why) == ("proved", "")
    assert set(found.scope.values()) == {groups}


def test_stored_verdicts_are_of_all_kernels() -> None:
    """The stored verdicts name every kernel once that the prover knows what to prove of; of those
    for x86-64 the ones that it was asked about.
    """
    rows = soundness.held(proving.ROOT)
    assert len({soundness.key_of(row) for row in rows}) == len(rows)
    named = {(row["source"], row["function"]) for row in rows}
    held = [
        (one.source, one.symbol)
        for one in soundness.all_kernels(proving.ROOT)
        if soundness.has_tasks(one)
    ]
    assert len(held) >= 27 and named <= set(held)
    asked = {one for one in held if not re.search(r"_avx(2|512)|\.c$", " ".join(one[::-1]))}
    assert len(asked) >= 27 and asked <= named


# A change of a proved kernel, and the verdicts that it may have. None of them may be proved.
LEAKS = {
    "branch on data": (
        SPECK,
        ("    addi    a1, a1, 8\n", "    addi    a1, a1, 8\n    beqz x, 2f\n2:\n"),
    ),
    "address from data": (
        SPECK,
        ("    addi    a1, a1, 8\n", "    addi    a1, a1, 8\n    add t, a3, x\n    lw t, 0(t)\n"),
    ),
    "product of data": (
        SPECK,
        (
            "    addi    a1, a1, 8\n",
            "    addi    a1, a1, 8\n    .option arch, +m\n    mul t, x, y\n",
        ),
    ),
    "read past a buffer": (
        SPECK,
        ("    addi    a1, a1, 8\n", "    lw t, 8(a1)\n    addi    a1, a1, 8\n"),
    ),
    "read past the keys": (
        SPECK,
        ("    addi    a1, a1, 8\n", "    addi    a1, a1, 8\n    lw t, 88(a3)\n"),
    ),
    "write to the keys": (
        SPECK,
        ("    addi    a1, a1, 8\n", "    addi    a1, a1, 8\n    sw zero, 0(a3)\n"),
    ),
    "write to the input": (
        SPECK,
        ("    addi    a1, a1, 8\n", "    sw zero, 0(a1)\n    addi    a1, a1, 8\n"),
    ),
    "write below the stack pointer": (
        SPECK,
        ("    addi    a1, a1, 8\n", "    addi    a1, a1, 8\n    sw zero, -4(sp)\n"),
    ),
    "saved register": (
        SPECK,
        ("    addi    a1, a1, 8\n", "    addi    a1, a1, 8\n    addi s3, s3, 1\n"),
    ),
    "global pointer": (
        SPECK,
        ("    addi    a1, a1, 8\n", "    addi    a1, a1, 8\n    mv gp, zero\n"),
    ),
    "stack pointer": (
        SPECK,
        ("    addi    a1, a1, 8\n", "    addi    a1, a1, 8\n    addi sp, sp, -16\n"),
    ),
    "unaligned load": (
        SPECK,
        ("    addi    a1, a1, 8\n", "    lw t, 2(a1)\n    addi    a1, a1, 8\n"),
    ),
    "input pointer does not move": (SPECK, ("    addi    a1, a1, 8\n", "")),
    "count goes down by two": (SPECK, ("    addi    a2, a2, -1\n", "    addi    a2, a2, -2\n")),
    "carry is not taken off": (SPECK, ("    and     t, t, bit16\n", "    li      t, 0\n")),
    "undefined register": (
        SPECK,
        ("    addi    a1, a1, 8\n", "    addi    a1, a1, 8\n    xor x, x, s7\n"),
    ),
    "platform register": (A64, (".Lnext:\n", "    mov x18, x19\n.Lnext:\n")),
    "half a count": (A64, ("    cbz x1, .Lnone\n", "    cbz w1, .Lnone\n")),
    "upper half of steps": (A64, ("    ccmp w2, #10, #0, eq\n", "    ccmp x2, #10, #0, eq\n")),
    "first group each time": (A64, ("    add x19, x19, #32\n", "")),
    "red zone": (A64, (".Lnext:\n", ".Lnext:\n    str x20, [sp, #-8]\n")),
    "stack frame too large": (A64, ("     stack: 96\n", "     stack: 48\n")),
    "wrong rotation": (A64, ("    ror w17, w4, #31\n", "    ror w17, w4, #30\n")),
    "constant of a round": (ASCON, ("~0xf0, 0xe1", "~0xf1, 0xe1")),
    "constant of odd bits": (
        ASCON_ZBKB,
        ("two_rounds 0xc, 0x3, 0x9, 0x3", "two_rounds 0xc, 0x3, 0x9, 0x2"),
    ),
    "constant of vectors alone": (ASCON_SHA3, ("ffb4\n", "ffb5\n")),
    "wrong rotation of XAR": (ASCON_SHA3, ("v30.2d, #41\n", "v30.2d, #40\n")),
    "lanes": (ASCON_SHA3, ("     layout: lanes\n", "")),
    "wrong word of the last round": (ASCON, ("0x69, ~0x5a, 0x4b", "0x69, ~0x5a, 0x4a")),
    "blocks": (SPECK4, ("     blocks: 4\n", "     blocks: 2\n")),
    "bytes of keys": (SPECK4, ("bytes: 88, access: r", "bytes: 92, access: r")),
    "bytes of a group": (
        SPECK4,
        ("bytes: 16 * groups, access: r", "bytes: 32 * groups, access: r"),
    ),
    "access": (SPECK4, ("bytes: 16 * groups, access: r", "bytes: 16 * groups, access: rw")),
    "secrets": (SPECK4, ("     secrets: in, keys\n", "     secrets: keys\n")),
    "layout": (SPECK4, ("     layout: pairs\n", "")),
    "operation": (SPECK4, ("     spec: speck32_64.encrypt\n", "     spec: speck32_64.decrypt\n")),
}


# Why some of them are refused.
BECAUSE = {
    "branch on data": "the branch at .* depends on data",
    "address from data": "an address or count is mixed with data",
    "product of data": "the time of INT_MULT depends on data",
    "read past a buffer": "bytes 8 to 11 of in",
    "read past the keys": "bytes 88 to 91 of keys",
    "write to the keys": "keys may only be read",
    "write to the input": "in may only be read",
    "write below the stack pointer": "bytes -4 to -1 of stack",
    "saved register": "s3 is not given back",
    "global pointer": "gp is not given back",
    "stack pointer": "the stack pointer is 16 bytes down",
    "unaligned load": "are not aligned",
    "platform register": "x18 is not given back",
    "red zone": "below the stack pointer",
    "stack frame too large": "of stack",
    "bytes of keys": "92 bytes, 88 expected",
    "bytes of a group": "32 [*] groups bytes, 16 per group expected",
    "access": "its prototype has out, const in",
    "secrets": "does not name in among the secrets",
}


@pytest.mark.parametrize("name", LEAKS)
def test_spoilt_kernel_is_not_proved(name: str, tmp_path: Path) -> None:
    (source, function), change = LEAKS[name]
    one = proving.spoilt(proving.kernel(source, function), tmp_path, change)
    found = proving.verdict(one)
    assert found.verdict in ("refused", "counterexample", "open"), name
    assert found.why
    print(name, found.verdict, found.why)
    if name in BECAUSE:
        assert found.verdict == "refused"
        assert re.search(BECAUSE[name], found.why), found.why


# What stands before the blocks of a kernel in C for AArch64, its rounds, and what is said of it.
IN_C = {
    "nothing": ("", 27, "proved", "^$"),
    "branch on data": ("if (in[0] == 7) out[1] = 0;", 27, "refused", "the branch at .* on data"),
    "address from data": (
        "volatile uint8_t x = ((const uint8_t *)keys)[in[0] & 7]; (void)x;",
        27,
        "refused",
        "mixed with data|depends on data",
    ),
    "read past the input": (
        "volatile uint8_t x = in[32 * groups]; (void)x;",
        27,
        "refused",
        "bytes 32 to 32 of in",
    ),
    "division": (
        "volatile uint32_t x = 1000u / (in[0] + 1u); (void)x;",
        27,
        "refused",
        "the time of INT_DIV depends on data",
    ),
    "a round less": ("", 26, "counterexample", "differs from the specification"),
}


BODY = "body(out, in, groups, keys);"


def _planted(directory: Path, planted: str, rounds: int = 27) -> Image:
    """The machine code of a kernel in C as another one calls it."""
    one = proving.kernel(*NEON_C)
    proving.need(one)
    text = (proving.ROOT / one.source).read_text()
    line = f"HANJI_VECTOR_BLOCKS({one.symbol}, 1, 1, speck_encrypt_w32, 27)\n"
    assert text.count(line) == 1
    body = f"HANJI_VECTOR_BLOCKS(body, 1, 1, speck_encrypt_w32, {rounds})\n"
    arguments = "uint8_t *out, const uint8_t *in, size_t groups, const void *keys"
    path = directory / "speck64_neon.c"
    call = f"void {one.symbol}({arguments})\n{{\n{planted}\n}}\n"
    path.write_text(text.replace(line, body + call))
    return image_of(linked(proving.ROOT, path, one.isa, directory), one.isa)


IN_C_IN_CI = ("nothing", "address from data", "a round less")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in IN_C_IN_CI else pytest.mark.slow) for name in IN_C],
)
def test_kernel_in_c_for_aarch64(name: str, tmp_path: Path) -> None:
    """The machine code of a kernel in C, as it is and with something planted."""
    planted, rounds, verdict, why = IN_C[name]
    one = proving.kernel(*NEON_C)
    image = _planted(tmp_path, planted + BODY, rounds)
    blank = Verdict(one.name, one.symbol, one.spec, one.isa, "", "open")
    found = Prover(proving.ROOT, seconds=60).proved(blank, image, list(contracts.tasks(one))[:1])
    assert found.verdict == verdict, found.why
    assert re.search(why, found.why), found.why


GROUPS = """for (; groups > 0; groups--, in += 32, out += 32) {
    body(out, in, 1, keys);
    PLANTED
}"""
# What stands behind a group of a kernel that is proved two blocks at a time.
IN_PARTS = {
    "nothing": ("", "proved", "^$"),
    "another byte": ("out[31] ^= 1;", "counterexample", "separate, blocks 2 to 3"),
    "a byte of another block": (
        "out[0] ^= out[31];",
        "counterexample",
        "separate, blocks 0 to 1",
    ),
    "blocks that change places": (
        "uint8_t t = out[9]; out[9] = out[17]; out[17] = t;",
        "counterexample",
        "separate, blocks 0 to 1",
    ),
    "the last but one": ("if (groups == 2) out[31] ^= 1;", "counterexample", "blocks 2 to 3"),
    "the last but seven": ("if (groups == 8) out[0] ^= out[31];", "open", "for more"),
}


PARTS_IN_CI = ("nothing", "the last but seven")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in PARTS_IN_CI else pytest.mark.slow)
        for name in IN_PARTS
    ],
)
def test_blocks_are_proved_in_parts(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A group that does not fit into one graph: nothing is known of its other blocks."""
    planted, verdict, why = IN_PARTS[name]
    monkeypatch.setattr(contracts, "WORK", 2 * 27 * 32)
    one = proving.kernel(*NEON_C)
    listed = list(contracts.tasks(one))
    assert [task.name for task in listed] == [
        f"{how}, blocks {blocks}"
        for blocks in ("0 to 1", "2 to 3")
        for how in ("separate", "in place")
    ]
    blank = Verdict(one.name, one.symbol, one.spec, one.isa, "", "open")
    image = _planted(tmp_path, GROUPS.replace("PLANTED", planted))
    found = Prover(proving.ROOT, seconds=60).proved(blank, image, listed)
    assert found.verdict == verdict, found.why
    assert re.search(why, found.why), found.why
    if not planted:
        assert set(found.scope) == {task.name for task in listed}


FIRST = """for (; groups > 0; groups--, in += 32, out += 32) {
    PLANTED
    __asm__ volatile("" ::: "memory");
    body(out, in, 1, keys);
}"""
# What stands before a group, what is run, and the verdict.
BEFORE = {
    "nothing": ("", ["separate"], "proved", "^$"),
    "another byte": ("out[3] = 0;", ["separate", "in place"], "counterexample", "^in place"),
    "another block": ("out[24] = 0;", ["separate", "in place"], "counterexample", "^in place"),
    "the same byte": ("out[3] = in[3];", ["separate", "in place"], "proved", "^$"),
}  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name == "another byte" else ())
        for name in BEFORE
    ],
)
def test_what_is_read_first_is_proved_in_place(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kernel that reads the bytes of a group before it writes there is run once."""
    planted, names, verdict, why = BEFORE[name]
    one, ran = proving.kernel(*NEON_C), []

    def task(prover: Prover, call: Call) -> str:
        ran.append(call.task.name)
        return proved(prover, call)

    proved = Prover._task
    monkeypatch.setattr(Prover, "_task", task)
    blank = Verdict(one.name, one.symbol, one.spec, one.isa, "", "open")
    image = _planted(tmp_path, FIRST.replace("PLANTED", planted))
    found = Prover(proving.ROOT, seconds=60).proved(blank, image, list(contracts.tasks(one)))
    assert (ran, found.verdict) == (names, verdict), found.why
    assert re.search(why, found.why), found.why
    if verdict == "proved":
        assert set(found.scope) == {"separate", "in place"}
        assert len(set(found.scope.values())) == 1


INDEXED = """size_t at = START;
for (; groups > 0; groups--) {
    __asm__("" : "+r"(at));
    body(out + TIMES * at, in + TIMES * at, 1, keys);
    at += STEP;
}"""
# What the loop with an index is, and what it may be called.
WITH_INDEX = {
    "bytes": ({}, "proved", "^$"),
    "groups": ({"STEP": "1", "TIMES": "32"}, "proved", "^$"),
    "down from its end": (
        {"START": "32 * groups", "STEP": "(size_t)-32", "out + TIMES * at": "out + (total - at)"}
        | {"in + TIMES * at": "in + (total - at)", "total = groups": "total = 32 * groups"},
        "proved",
        "^$",
    ),
    "half a group": ({"STEP": "16"}, "counterexample|refused", "differs|bytes|never written"),
    "two groups": ({"STEP": "64"}, "refused", "bytes 64 to"),
    "from the second group": ({"START": "32"}, "refused", "bytes 32 to"),
    "none in the output": ({"out + TIMES * at": "out"}, "counterexample|refused", "out"),
    "the last but seven": ({"STEP": "groups == 8 ? 0 : 32"}, "open", "for more"),
    "behind some groups": ({"STEP": "at == 320 ? 0 : 32"}, "open", "for more"),
}
INDEXED_IN_CI = ("bytes", "behind some groups")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in INDEXED_IN_CI else pytest.mark.slow)
        for name in WITH_INDEX
    ],
)
def test_loop_of_an_index(name: str, tmp_path: Path) -> None:
    """Pointers that stay, and a number that each group moves on."""
    changes, verdict, why = WITH_INDEX[name]
    text = f"const size_t total = groups; (void)total;\n{INDEXED}"
    plain = {"STEP": "32", "START": "0", "TIMES": "1"}
    for old, new in (*changes.items(), *plain.items()):
        assert old in text or old in plain
        text = text.replace(old, new)
    one = proving.kernel(*NEON_C)
    image = _planted(tmp_path, text)
    blank = Verdict(one.name, one.symbol, one.spec, one.isa, "", "open")
    found = Prover(proving.ROOT, seconds=60).proved(blank, image, list(contracts.tasks(one))[:1])
    assert re.fullmatch(verdict, found.verdict), found.why
    assert re.search(why, found.why), found.why


def test_counter_of_many_groups_is_proved() -> None:
    """CTR in C for AArch64: the loop carries what it made of the counter for the next group."""
    one = proving.kernel("simon/simon64_neon.c", "simon64_128_neon_ctr_x4")
    proving.need(one)
    prover = Prover(proving.ROOT)
    task = next(iter(contracts.tasks(one)))
    call = Call(Graph(seconds=proving.SECONDS), prover.image(one), task)
    call.fixed(1)
    head, invariant = call._head()
    iv = call.lifted.counter
    assert iv is not None
    assert any(not set(bits) <= set(iv) for bits in invariant.carried.values())
    loop = Loop(call, head, invariant)
    loop.step()
    counting.end(loop)


def test_stack_protector_of_aarch64_is_public(tmp_path: Path) -> None:
    """A function with an array on the stack reads a number that is unknown, and compares it."""
    one = proving.kernel(*NEON_C)
    proving.need(one)
    path = tmp_path / "speck64_neon.c"
    path.write_text(
        "#include <stdint.h>\n#include <stddef.h>\n#include <string.h>\n"
        f"void {one.symbol}(uint8_t *out, const uint8_t *in, size_t groups, const void *keys)\n"
        "{ volatile char a[32]; (void)keys; for (; groups; groups--) { a[3] = (char)in[5];\n"
        "memcpy(out, in, 32); out[5] = (uint8_t)a[3]; out += 32; in += 32; } }\n"
    )
    image = image_of(linked(proving.ROOT, path, one.isa, tmp_path), one.isa)
    assert isinstance(image, A64Image)
    call = Call(Graph(), image, next(iter(contracts.tasks(one))))
    with pytest.raises(MismatchError):  # it copies, and does so to its end
        call.fixed(1)
    places = sorted(call.image.symbols[name] for name in ("__stack_chk_guard", one.symbol))
    assert image.guard in places
    m = image.machine(Graph(), {})
    assert m.load(image.guard, 8) == Lin(0, {"canary": 1})
    with pytest.raises(RefusedError):
        m.load(image.guard, 4)


def test_functions_of_a_counter_are_rebuilt() -> None:
    """The graph puts other literals into the places of inputs."""
    g = Graph()
    x, y = g.word("x", 4), g.word("y", 4)
    made = [g.xor(g.and_(x[0], x[1] ^ 1), x[2]), g.or_(x[3], x[0]) ^ 1, 1, x[2] ^ 1]
    places = {a >> 1: b ^ (i & 1) for i, (a, b) in enumerate(zip(x, y, strict=True))}
    again = g.substituted(made, places)
    values = {n: g.value(literal) for n, literal in places.items()}
    assert g.evaluate(values, made, RUNS) == [g.value(literal) for literal in again]
    assert g.substituted(made, {}) == tuple(made)


def test_counterexample_is_a_case_that_is_wrong(tmp_path: Path) -> None:
    """The inputs of a counterexample give what it says by the specification, and are small."""
    change = ("    and     t, t, bit16\n", "    li      t, 0\n")
    one = proving.spoilt(proving.kernel(*SPECK), tmp_path, change)
    found = proving.verdict(one)
    assert found.verdict == "counterexample"
    path = report.write_case(found, tmp_path)
    assert path is not None
    case = json.loads(path.read_text())
    cipher = spec.algorithm("speck32_64")
    pairs = bytes.fromhex(case["contents"]["keys"])
    keys = [int.from_bytes(pairs[at : at + 2], "little") for at in range(0, len(pairs), 4)]
    data = bytes.fromhex(case["contents"]["in"])
    right = b"".join(
        cipher.words_to_block(cipher.encrypt_words(cipher.block_to_words(data[at : at + 4]), keys))
        for at in range(0, len(data), 4)
    )
    assert right.hex() == case["wanted"]["out"] != case["found"]["out"]
    ones = sum(byte.bit_count() for byte in data + pairs)
    assert ones <= 16, f"{ones} bits are set: the case is not minimised"


def test_machines_run_a_counterexample(tmp_path: Path) -> None:
    """The emulated core finds the kernel wrong on the case, too, and right once it is mended."""
    debian.need("qemu-system-misc")
    change = ("    and     t, t, bit16\n", "    li      t, 0\n")
    proving.machine_runs(*SPECK, change, "qemu:hifive1", tmp_path)


def test_case_of_a_file_of_any_name(tmp_path: Path) -> None:
    """A case of a stranger's file is read whatever it is called; one of a file that has lost its
    header says so.
    """
    change = ("    and     t, t, bit16\n", "    li      t, 0\n")
    one = proving.spoilt(proving.kernel(*SPECK), tmp_path, change)
    place = Path(one.source).rename(tmp_path / "mine.S")
    path = report.write_case(proving.verdict(replace(one, source=str(place))), tmp_path)
    assert path is not None
    case = replay.load(path, proving.ROOT)
    assert case.kernel.symbol == one.symbol
    place.write_text(place.read_text().replace("kernel:", "core:"))
    with pytest.raises(LabError, match="no header that begins with"):
        replay.load(path, proving.ROOT)


def test_no_time_gives_no_proof() -> None:
    found = proving.verdict(proving.kernel(*A64), seconds=0.01)
    assert found.verdict == "open"
    assert "time" in found.why


def test_no_memory_gives_no_proof() -> None:
    one = proving.kernel(*A64)
    proving.need(one)
    prover = Prover(proving.ROOT)
    task = next(iter(contracts.tasks(one)))
    with pytest.raises(Exception, match="more than 2000 nodes"):
        Call(Graph(nodes=2000), prover.image(one), task).fixed(1)


def test_kernel_without_harness_is_open() -> None:
    one = replace(proving.kernel(*SPECK_ZBKB), operation="expand")
    found = proving.verdict(one)
    assert found.verdict == "open"
    assert "no harness" in found.why


def test_verdict_is_kept_until_something_changes(tmp_path: Path) -> None:
    one = proving.kernel(*SPECK_ZBKB)
    proving.need(one)
    prover = Prover(proving.ROOT, kept=tmp_path)
    assert not prover.prove(one).cached
    assert prover.prove(one).cached
    assert not prover.prove(replace(one, stack=16)).cached
    assert not Prover(proving.ROOT, "2", kept=tmp_path).prove(one).cached


def test_command_proves_a_file(tmp_path: Path) -> None:
    """A file without header is proved as --spec says, and one that is wrong ends with status 1."""
    one = proving.kernel(*SPECK4)
    proving.need(one)
    text = (proving.ROOT / one.source).read_text().replace("/* kernel:", "/* once:")
    path = tmp_path / "mine.S"
    path.write_text(text)
    options = ["--isa", "rv32i", "--spec", "speck32_64.encrypt", "--blocks", "4"]
    options += ["--layout", "pairs", "--json"]
    runner = CliRunner()
    made = runner.invoke(cli.app, ["prove", str(path), *options, "--root", str(proving.ROOT)])
    assert made.exit_code == 0, made.output
    (row,) = json.loads(made.stdout)
    assert row["verdict"] == "proved"
    path.write_text(text.replace("    slli    \\y, \\y, 2\n", "    slli    \\y, \\y, 3\n"))
    made = runner.invoke(cli.app, ["prove", str(path), *options, "--root", str(proving.ROOT)])
    assert made.exit_code == 1
    (row,) = json.loads(made.stdout)
    assert row["verdict"] == "counterexample"


def test_nothing_follows_from_unknown_bits() -> None:
    g = Blind()
    known, other = g.word("x", 2)
    a, b = g.unknown(), g.unknown()
    assert a != b and min(a, b) > STRANGE
    assert (g.xor(a, a), g.xor(a, a ^ 1), g.and_(a, a ^ 1), g.and_(0, b)) == (0, 1, 0, 0)
    assert g.and_(a, 1) == g.and_(1, a) == g.and_(a, a) == a
    made = [g.xor(a, b), g.xor(a, b), g.and_(a, b), g.xor(known, a), g.and_(b, known), g.or_(a, b)]
    assert len(set(made)) == len(made)  # what is the same is not known to be
    assert all(x > STRANGE for x in made)
    for x, y in ((a, b), (a, known), (other, b), (a ^ 1, b), (a, known ^ 1)):  # but of a sum
        made_of = g.xor(x, y)
        assert (g.xor(made_of, x), g.xor(y, made_of), g.xor(made_of, y ^ 1)) == (y, x, x ^ 1)
        assert g.xor(made_of, g.unknown()) not in (x, y) and g.xor(made_of, 0) == made_of
        assert g.xor(g.and_(x, y), x) not in (y, y ^ 1, 0, 1)
    assert not g.same(a, b) and not g.same(a, known) and g.difference(a, known) is None
    assert g.same(g.xor(known, other), g.xor(other, known))
    assert g.difference(known, other)


def test_counters_meet_keys_behind_a_veil() -> None:
    g = Veiled()
    counter, key = g.counter("counter", 4), g.word("key", 2)
    number = add(g, counter, number_bits(3, 4))
    g.aim(number)
    inputs = len(g.names)
    mixed = [g.xor(number[3], key[0]), g.and_(key[1], number[3] ^ 1)]
    assert len(g.names) == inputs + 1  # one for the bit of the number, wherever it meets a key
    assert mixed == [g.xor(g.veil(number[3]), key[0]), g.and_(g.veil(number[3]) ^ 1, key[1])]
    again = add(g, add(g, counter, number_bits(1, 4)), number_bits(2, 4))
    assert again == number  # counters themselves are as they were
    both = g.and_(number[3], number[1])
    assert g.xor(both, key[0]) == g.xor(key[0], g.and_(g.veil(number[1]), g.veil(number[3])))
    other = add(g, counter, number_bits(5, 4))
    assert not g.same(g.xor(other[3], key[0]), mixed[0])
    assert g.veil(key[0]) == key[0] and g.veil(1) == 1
    (unwanted,) = g.counter("of a block of which nothing is wanted", 1)
    g.hide([unwanted >> 1])
    assert g.xor(unwanted, key[0]) > STRANGE and g.veil(unwanted) > STRANGE


def test_carries_have_one_form() -> None:
    """A sum and what is chosen by its carry are the same nodes, whatever the order of products."""
    g = Veiled()
    counter = g.counter("counter", 64)
    low, high = counter[:32], counter[32:]
    number = add(g, counter, number_bits(200, 64))
    added = add(g, low, number_bits(200, 32))
    carry = less(g, added, low)
    assert carry == less(g, added, number_bits(200, 32)) == carry_out(g, low, number_bits(200, 32))
    above = sub(g, high, (carry,) * 32)  # ones in all places are -1
    assert added + above == number
    over = carry_out(g, counter[:8], number_bits(200, 8))
    later = add(g, counter[8:], number_bits(1, 56))
    chosen = tuple(map(g.choose, (over,) * 56, later, counter[8:]))
    assert added[:8] + chosen == number


class Asking(Veiled):
    """Says how often a solver was asked, and how often in vain."""

    asked_for = in_vain = 0

    def refuted(self, x: int, y: int, cones: Sequence[int], whole: bool) -> bool:
        said = super().refuted(x, y, cones, whole)
        self.asked_for, self.in_vain = self.asked_for + 1, self.in_vain + (not said)
        return said


def test_further_runs_spare_a_solver_questions() -> None:
    """Carries of 256 numbers into many places are alike in all runs of the graph. Further runs tell
    them apart, and what is the same is found: here the numbers of the next group.
    """
    g = Asking()
    counter, blocks = g.counter("counter", 40), 64
    for group in range(2):
        for i in range(blocks):
            g.aim(add(g, counter, number_bits(256 * group + 4 * i + 1, 40)))
    assert g.in_vain == 0
    for i in range(0, blocks, 8):
        number = add(g, counter, number_bits(4 * i + 1, 40))
        later = add(g, number, number_bits(256, 40))
        wanted = add(g, counter, number_bits(256 + 4 * i + 1, 40))
        assert all(map(g.same, later, wanted))
        other = add(g, counter, number_bits(256 + 4 * i + 2, 40))
        assert not g.same(other[0], wanted[0]) and g.difference(other[39], wanted[39])
    with pytest.raises(ValueError, match="an input of this graph expected"):
        g.further(g.and_(counter[0], counter[1]), bytes(FURTHER // 8))
    with pytest.raises(ValueError, match="128 of random runs expected"):
        g.further(counter[0], b"1")


def test_products_of_counters_are_what_they_stand_for() -> None:
    """Many products and sums of what was made before, each with its whole truth table."""
    width, random = 13, Random(7)
    g = Veiled()
    counter = g.counter("counter", width)
    ones = (1 << (1 << width)) - 1
    made = {x: ones // ((1 << (1 << i)) + 1) << (1 << i) for i, x in enumerate(counter)}
    y, z, r, t = counter[12], counter[11], counter[10], counter[9]

    def put(literal: int, table: int) -> int:
        made.setdefault(literal & ~1, table ^ (ones if literal & 1 else 0))
        assert made[literal & ~1] == table ^ (ones if literal & 1 else 0)
        return literal

    def table(literal: int) -> int:
        return made[literal & ~1] ^ (ones if literal & 1 else 0)

    def both(a: int, b: int) -> int:
        return put(g.and_(a, b), table(a) & table(b))

    def either(a: int, b: int) -> int:
        return put(g.xor(a, b), table(a) ^ table(b))

    made[0] = 0
    p = either(both(y, r), both(both(y, z), t))  # no product, but what x & y turns out to be
    x = either(p, either(y ^ 1, both(y ^ 1, t)))
    assert both(x, y) == p and x in g.factors(p)
    assert both(x, both(y, z)) != both(y, z)  # x is no reason for itself
    for _ in range(4000):
        pool = [n for n in made if n > 1][-40:] + list(counter)
        a, b = (n ^ random.getrandbits(1) for n in random.sample(pool, 2))
        if random.randrange(40) == 0:
            g.aim((a,))
        (both if random.randrange(3) else either)(a, b)
    literals = list(made)
    inputs = {n >> 1: made[n] for n in counter}
    assert g.evaluate(inputs, literals, 1 << width) == list(made.values())
    assert g.product_steps > 200 and g.low_tables > 100


@pytest.mark.parametrize("kind", [Graph, Blind, Plain])
def test_nodes_are_what_they_stand_for(kind: type[Graph]) -> None:
    """Many nodes, of single bits and of words, each with its whole truth table."""
    width, random, g = 12, Random(9), kind()
    g.mixed, g.asked = True, (100,)
    ones = (1 << (1 << width)) - 1
    inputs = g.word("x", width)
    made = {0: 0} | {x: ones // ((1 << (1 << i)) + 1) << (1 << i) for i, x in enumerate(inputs)}

    def table(literal: int) -> int:
        return made[literal & ~1] ^ (ones if literal & 1 else 0)

    def put(literal: int, wanted: int) -> None:
        made.setdefault(literal & ~1, wanted ^ (ones if literal & 1 else 0))
        assert table(literal) == wanted

    def draw() -> int:
        return random.choice([*list(made)[-50:], *inputs]) ^ random.getrandbits(1)

    for _ in range(1500):
        a, b, c = draw(), draw(), draw()
        p, q, r = map(table, (a, b, c))
        put(g.xor(a, b), p ^ q)
        put(g.and_(a, b), p & q)
        put(g.or_(a, c), p | r)
        put(g.choose(a, b, c), p & q | (p ^ ones) & r)
        for literal, wanted in zip(
            g.full_add(a, b, c), (p ^ q ^ r, p & q | r & (p ^ q)), strict=True
        ):
            put(literal, wanted)
    for _ in range(100):
        a, b = (tuple(draw() for _ in range(4)) for _ in range(2))
        which, carry = draw(), draw()
        p, q = ([*map(table, word)] for word in (a, b))
        for literals, values in (
            (g.xors(a, b), [x ^ y for x, y in zip(p, q, strict=True)]),
            (g.ands(a, b), [x & y for x, y in zip(p, q, strict=True)]),
            (g.ors(a, b), [x | y for x, y in zip(p, q, strict=True)]),
        ):
            for literal, value in zip(literals, values, strict=True):
                put(literal, value)
        for literal, x, y in zip(g.chosen(which, a, b), p, q, strict=True):
            put(literal, table(which) & x | (table(which) ^ ones) & y)
        over = table(carry)
        put(g.carry_out(a, b, carry), _carry(p, q, over))
        for literal, x, y in zip(g.ripple(a, b, carry), p, q, strict=True):
            put(literal, x ^ y ^ over)
            over = x & y | over & (x ^ y)
    given = dict(zip((x >> 1 for x in inputs), map(table, inputs), strict=True))
    assert g.evaluate(given, list(made), 1 << width) == list(made.values())
    if kind is not Plain:
        assert set(g.methods()) == {"sum", "table", "solver"} and min(g.methods().values()) > 0


def test_what_is_no_literal_is_refused() -> None:
    g = Graph(nodes=100)
    x = g.word("x", 2)
    for wrong in (-1, 2 * g.size, 1 << 70):
        with pytest.raises((ValueError, OverflowError)):
            g.xor(wrong, x[0])
        with pytest.raises((ValueError, OverflowError)):
            g.ands(x, (x[0], wrong))
    with pytest.raises(TypeError):
        g.xor(x[0], "x")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a word of 1 bits given, 2 expected"):
        g.ripple(x, x[:1], 0)
    with pytest.raises(ValueError, match="a node of this graph expected"):
        g.cone([g.size])
    with pytest.raises(ValueError, match="a literal of this graph expected"):
        g.xor(STRANGE + 2, x[0])
    blind = Blind()
    with pytest.raises(ValueError, match="unknown bit"):
        blind.value(blind.unknown())
    unknown = blind.unknown()
    for call in (
        lambda: blind.counted([unknown]),
        lambda: blind.lowest([unknown]),
        lambda: blind.lowest([]),
        lambda: blind.clauses((unknown, 0), 10),
        lambda: blind.substituted([unknown], {}),
        lambda: blind.evaluate({}, [unknown], 1),
    ):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(ValueError, match="63 bytes given, 64"):
        g.new_input(bytes(63))


@pytest.mark.parametrize("kind", [Graph, Forms])
def test_lanes_are_what_words_are(kind: type[Graph]) -> None:
    """Of numbers, words, parts of them, and values that only the machine has bits of."""
    g, asked = kind(), list[object]()
    word = g.word("x", 64)
    lazy = Flag(lambda: word)

    def bits(value: object, width: int) -> tuple[int, ...]:
        if isinstance(value, int):
            return number_bits(value, width)
        asked.append(value)
        assert value is lazy and width == 64
        return word

    x = [(word, i, 8) for i in range(8)] + [(0x1234, i, 2) for i in (1, 0)] + [(7, 0, 1)] * 6
    y = [(0xFF00FF, i, 16) for i in range(16)]
    z = [(lazy, i, 8) for i in (4, 5, 6, 7, 0, 1, 2, 3)] + [
        (g.word("w", 32), i, 4) for i in (0, 1)
    ] * 4
    a, b, c = [g.flat(cells, bits) for cells in (x, y, z)]
    assert a == word + number_bits(0x3412, 16) + number_bits(7, 8) * 6 and b == number_bits(
        0xFF00FF, 128
    )
    assert c[:64] == word[32:] + word[:32] and asked == [lazy] * 2

    def word_of(cells: list[tuple[object, int, int]], lane: int) -> tuple[int, ...]:
        assert [cell[1:] for cell in cells] == [(i % lane, lane) for i in range(16)]
        return g.flat(cells, bits)

    for lane in (2, 8, 16):
        assert word_of(g.bitwise("^", x, z, lane, bits), lane) == g.xors(a, c)
        assert word_of(g.bitwise("&", x, y, lane, bits), lane) == g.ands(a, b)
        assert word_of(g.bitwise("|", x, y, lane, bits), lane) == g.ors(a, b)
        assert word_of(g.bitwise("~", y, x, lane, bits), lane) == g.ands(tuple(i ^ 1 for i in b), a)
        least = g.xors(g.ands(b, a), tuple(i ^ 1 for i in c))  # 1 + x + yz, of y, z and x
        assert word_of(g.table(0b01000011, y, x, z, lane, bits), lane) == least
        for n in (0, 1, 8 * lane - 1, 8 * lane, 1 << 70):
            for how in "<>so":
                made = word_of(g.shifted(how, n, x, lane, bits), lane)
                for i in range(0, 128, 8 * lane):
                    old, fill = a[i : i + 8 * lane], a[i + 8 * lane - 1] if how == "s" else 0
                    by = n % (8 * lane) if how == "o" else min(n, 8 * lane)
                    right = old[by:] + (old[:by] if how == "o" else (fill,) * by)
                    left = (0,) * by + old[: 8 * lane - by]
                    assert made[i : i + 8 * lane] == (left if how == "<" else right)
    assert all(type(cell[0]) is int for cell in g.bitwise("&", y, y, 8, bits))


def test_nodes_that_hang_on_some_inputs_are_those_above_them() -> None:
    g, source = Graph(), Random(5)
    bits = list(g.word("x", 24))
    inputs = list(bits)
    for _ in range(300):
        a, b = source.sample(bits, 2)
        bits.append(source.choice((g.xor, g.and_, g.or_))(a, b ^ source.getrandbits(1)))
    for few in (inputs[:1], inputs[7:9], [], inputs):
        nodes = {x >> 1 for x in few}
        flags, others = g.hanging(nodes, False), g.hanging(nodes, True)
        assert len(flags) == len(others) == g.size
        for x in bits:
            below, _ = g.below([x >> 1])
            assert flags[x >> 1] == (not below.isdisjoint(nodes))
            assert others[x >> 1] == any(g.is_input(n) for n in below - nodes)


def test_what_are_no_lanes_is_refused() -> None:
    g = Graph(nodes=100)

    def bits(value: object, width: int) -> tuple[int, ...]:
        return (0,) * (width // 2 - 1)

    cells: Any = [(g.word("x", 16), i, 2) for i in range(2)]
    for wrong in (
        lambda: g.bitwise("+", cells, cells, 2, bits),
        lambda: g.bitwise("^", cells, cells[:1], 1, bits),
        lambda: g.bitwise("^", cells, cells, 0, bits),
        lambda: g.shifted("^", 1, cells, 2, bits),
        lambda: g.shifted("<", 1, cells, 3, bits),
        lambda: g.bitwise("^", cells, [((1 << 20,) * 8, 0, 1)] * 2, 1, bits),
    ):
        with pytest.raises(ValueError):
            wrong()
    for missing in (
        lambda: g.flat(cells[0], bits),
        lambda: g.flat([(None, 0, 2)], bits),
        lambda: g.flat([((0,) * 8, 1, 2), (None, 1, 2)], bits),
        lambda: g.flat(iter(cells), bits),
        lambda: g.shifted("<", "1", cells, 2, bits),
    ):
        with pytest.raises(TypeError):
            missing()


def _carry(p: list[int], q: list[int], carry: int) -> int:
    for x, y in zip(p, q, strict=True):
        carry = x & y | carry & (x ^ y)
    return carry


@pytest.mark.parametrize("only", [None, range(1, 3)])
@pytest.mark.parametrize("name", ["simeck32_64", "speck48_96", "cham64_128"])
def test_what_is_wanted_behind_a_veil_is_so_for_counters(name: str, only: range | None) -> None:
    """With the counters' values for what stands for them, the blocks are those of the graph that
    has no veil; of other blocks nothing is wanted.
    """
    cipher, blocks, made, held = spec.algorithm(name), 4, [], []
    for g in (Graph(), Veiled()):
        lifted = lift.blocks(g, cipher, "ctr", blocks, "keys", "canonical", only)
        data = [g.word(f"in {i}", 8) for i in range(lifted.size)]
        made.append(lifted.compute(data, lifted.counter))
        values = {n: g.value(2 * n) for n in g.names}
        if isinstance(g, Veiled):
            veils = {n: x for n, x in g.veils().items() if g.behind_the_veil([x >> 1])}
            values |= {x >> 1: g.value(2 * n) for n, x in veils.items()}
            assert len(veils) > 8 * cipher.block_size
        held.append((g, values))
    ((plain, _), (veiled, values)), size = held, cipher.block_size
    for i, (wanted, byte) in enumerate(zip(*made, strict=True)):
        if only is not None and i // size not in only:
            assert byte == ()
            continue
        assert veiled.evaluate(values, byte, RUNS) == [plain.value(x) for x in wanted]
