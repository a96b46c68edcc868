# SPDX-License-Identifier: Apache-2.0
"""Kernels in C for RV32, Cortex-M and AVR as gcc makes them for firmware: proofs, spoilt kernels and
mutants.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from functools import cache
from pathlib import Path

import proving
import pytest

from hanji_lab.checkout import LabError
from hanji_lab.kernels import Kernel
from hanji_lab.prove import avr, build, induct, mutants
from hanji_lab.prove.avr import AvrMachine
from hanji_lab.prove.graph import Graph
from hanji_lab.prove.pcode import RV32, Image, Machine, OpenError, Region
from hanji_lab.prove.report import Prover
from hanji_lab.prove.values import Ahead, Lin, RefusedError, Value

FIRST = '#include "support/cpu.h"\n'  # of every file; behind it goes a header that is spoilt
WORDS, MCU = "lanes/rv32.h", "lanes/mcu.h"
SPECK32 = ("speck/speck32_rv32i.c", "rv32i_ctr_x2", WORDS)
SPECK32X4 = ("speck/speck32_rv32i.c", "rv32i_ctr_x4", WORDS)
SPECK32Z = ("speck/speck32_zbkb.c", "zbkb_ctr_x2", WORDS)
CHAM = ("cham/cham64_rv32i.c", "rv32i_ctr_x2", WORDS)
CHAMZ = ("cham/cham64_zbkb.c", "zbkb_ctr_x2", WORDS)
SPECK6 = ("speck/speck64_armv6m.c", "speck64_128_armv6m_ctr_x1", MCU)
SPECK7 = ("speck/speck64_armv7m.c", "speck64_128_armv7m_ctr_x1", MCU)
CHAM7 = ("cham/cham64_armv7m.c", "armv7m_ctr_x1", MCU)
SPECKA = ("speck/speck64_avr.c", "speck64_128_avr_ctr_x1", MCU)
CHAMA = ("cham/cham64_avr.c", "avr_ctr_x1", MCU)
Row = tuple[str, str, str]

PROVED = {
    "0 and more": (
        *(SPECK32, SPECK32X4, SPECK32Z, CHAM, CHAMZ),
        *(SPECK6, SPECK7, CHAM7, SPECKA, CHAMA),
    ),
}


@pytest.mark.parametrize(
    ("row", "groups"), [(row, groups) for groups, rows in PROVED.items() for row in rows]
)
def test_kernels_are_proved(row: Row, groups: str) -> None:
    found = proving.verdict(proving.kernel(*row[:2]))
    assert found.verdict == "proved", found.why
    assert found.scope == {"separate": groups, "in place": groups}
    assert found.binary.startswith("gcc ")


@pytest.mark.slow
@pytest.mark.parametrize("level", ["-O1", "-O2", "-O3"])
@pytest.mark.parametrize("row", [row for rows in PROVED.values() for row in rows])
def test_kernels_are_proved_at_other_levels(
    row: Row, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What gcc makes of them with another level than the presets have; -O3 on AVR adds to pairs of
    registers that hold data, which has no rule.
    """
    other = tuple(level if flag == "-Os" else flag for flag in build.FIRMWARE)
    monkeypatch.setattr(build, "FIRMWARE", other)
    found = proving.verdict(proving.kernel(*row[:2]))
    if "_avr" in row[0] and level == "-O3":
        assert "no rule for adiw of data" in found.why
        return
    assert found.verdict == "proved", found.why


def test_flags_are_those_of_the_presets() -> None:
    """What CMake gives to every file of the library in firmware stands in FIRMWARE."""
    text = (proving.ROOT / "CMakeLists.txt").read_text()
    shown = {"-Os", "-DNDEBUG"}  # of MinSizeRel
    for flag in set(build.FIRMWARE) - shown - {"-fvisibility=hidden"}:
        assert flag.removeprefix("-D") in text, flag
    presets = json.loads((proving.ROOT / "CMakePresets.json").read_text())["configurePresets"]
    by_name = {one["name"]: one for one in presets}
    areas = {"rv32i": "freestanding", "zbkb": "freestanding"}
    for isa in (*build.MARCH, *build.CORES, "avr"):
        preset = by_name[areas.get(isa, "microcontroller")]["cacheVariables"]
        assert preset["CMAKE_BUILD_TYPE"] == "MinSizeRel"
        assert preset["HANJI_FREESTANDING"] == "ON"
        told = build.flags(proving.ROOT, isa, True)
        area = preset.get("HANJI_KEY_AREA_BYTES", "0")
        assert f"-DHANJI_KEY_AREA_BYTES={area}" in told
        assert shown < set(told)


def _spoilt(row: Row, directory: Path, *changes: tuple[str, str]) -> Kernel:
    """The kernel with these changes of its header."""
    source, function, header = row
    text = (proving.ROOT / "src" / header).read_text()
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return proving.spoilt(proving.kernel(source, function), directory, (FIRST, FIRST + text))


ADVANCE = "        counter_advance(counter, 8, 1);\n"
CARRY = "            high += ((low | (0u - low)) >> 31) ^ 1u;\n"
KEPT = "    for (; groups > 0; groups--) {\n        uint32_t *to"
# What is put in the place of what, and what the verdict or its reason must have.
SPOILT = {
    "a counter that stays": (SPECK32, "            low++;\n", "", "counterexample"),
    "a counter that stays, AVR": (SPECKA, ADVANCE, "", "counterexample"),
    "a counter that stays, Armv6-M": (SPECK6, ADVANCE, "", "counterexample"),
    "a counter that stays, Armv7-M": (SPECK7, ADVANCE, "", "counterexample"),
    "a counter by two": (CHAM7, "advance(counter, 8, 1)", "advance(counter, 8, 2)", "counterexample"),
    "a carry lost": (CHAM, CARRY, "", "counterexample"),
    "a carry lost, Zbkb": (CHAMZ, CARRY, "            high += (low & 1) & ~low;\n", "differs"),
    "a carry lost, AVR": (
        CHAMA, "advance(counter, 8, 1)", "advance(counter + 1, 7, 1)", "differs",
    ),
    "a carry lost, Armv7-M": (
        SPECK7, "advance(counter, 8, 1)", "advance(counter + 1, 7, 1)", "differs",
    ),
    "a counter one too far": (
        SPECK32, "    store_be32(counter + (block_bytes - 4), low);", "    low++;\n"
        "    store_be32(counter + (block_bytes - 4), low);", "counterexample",
    ),
    "a text that stays": (SPECK7, "        in += 8;\n", "", "counterexample"),
    "a text that goes too far": (CHAM, "        in += blocks", "        in += 2 * blocks", "of in"),
    "a text that goes too far, AVR": (CHAMA, "        in += 8;", "        in += 9;", "of in"),
    "an output that stays": (SPECK6, "        out += 8;\n", "", "counterexample"),
    "another group": (
        SPECK32Z, "rv32_load(in + i)", "rv32_load(in + (i ^ 4))", "counterexample",
    ),
    "words that change places": (
        SPECKA, "load_le32(in + 4) ^ load_le32(block + 4)", "load_le32(in + 4) ^ load_le32(block)",
        "counterexample",
    ),
    "other keys": (CHAM7, "encrypt(block, block, 1, keys)",
        "encrypt(block, block, 1, (const uint8_t *)keys + 4)", "of keys"),
    "other keys, AVR": (SPECKA, "encrypt(block, block, 1, keys)",
        "encrypt(block, block, 1, (const uint8_t *)keys + 4)", "of keys"),
    "other keys, RV32": (SPECK32, "stream, 1, keys)",
        "stream, 1, (const uint8_t *)keys + 4)", "of keys"),
    "two groups at a time": (SPECK6, "encrypt(block, block, 1, keys)",
        "encrypt(block, block, 2, keys)", "nothing has written"),
    "a branch on data": (SPECK7, "        in += 8;\n",
        "        in += 8;\n        if (block[0] & 1)\n            __asm__ volatile(\"nop\");\n",
        "depends on data"),
    "a branch on data, AVR": (CHAMA, "        in += 8;\n",
        "        in += 8;\n        if (block[0] & 1)\n            __asm__ volatile(\"nop\");\n",
        "depends on data"),
    "a branch on data, RV32": (SPECK32, "            low++;\n",
        "            low++;\n            if (low & 8)\n                __asm__ volatile(\"nop\");\n",
        "depends on data"),
    "a branch on rare data": (SPECK32Z, KEPT,
        "    if (((load_le32(keys) ^ 0x12345678) | (load_le32(in) ^ 0x9abcdef0)) == 0)\n"
        "        __asm__ volatile(\"nop\");\n" + KEPT, "depends on data"),
    "a secret index": (SPECKA, "load_le32(block + 4)", "load_le32(block + (block[0] & 4))",
        "mixed with data"),
    "a secret index, Armv7-M": (SPECK7, "load_le32(block + 4)",
        "load_le32(block + (block[0] & 4))", "mixed with data"),
    "a secret index, RV32": (CHAM, "^ stream[i / 4]", "^ stream[(i / 4) ^ (high & 1)]",
        "mixed with data"),
    "a stack that nothing has written": (SPECK7, "        memcpy(block, counter, 8);\n",
        "        memcpy(block, counter, 7);\n", "is read"),
    "a stack that an interrupt may write": (SPECK7, "        memcpy(block, counter, 8);\n",
        "        memcpy(block, counter, 8);\n"
        "        __asm__ volatile(\"add sp, #8\\n\\tsub sp, #8\" : : : \"memory\");\n",
        "nothing has written"),
    "a function that is nowhere": (SPECK7, "        in += 8;\n",
        "        in += 8;\n        hanji_cpu_features();\n", "of another file"),
    "a product by libgcc": (CHAMA, "        in += 8;\n",
        "        in += 8;\n        block[0] = (uint8_t)(load_le32(in - 8) / load_le32(block));\n",
        "of another file"),
    "many groups": (SPECK32, "    store_be32(counter + (block_bytes - 4), low);",
        "    low ^= (uint32_t)(out - in) & 0;\n"
        "    store_be32(counter + (block_bytes - 4), low + (n & 4));", "for more"),
}  # fmt: skip
QUICK = (
    *("a counter that stays", "a carry lost, AVR", "other keys", "a branch on rare data"),
    *("a branch on data, AVR", "a secret index, Armv7-M", "an output that stays"),
)


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in SPOILT],
)
def test_spoilt_kernels_are_not_proved(name: str, tmp_path: Path) -> None:
    row, old, new, said = SPOILT[name]
    changes = [(old, new)]
    if name == "many groups":
        changes.append((KEPT, "    const size_t n = groups;\n" + KEPT))
    found = proving.verdict(_spoilt(row, tmp_path, *changes))
    assert found.verdict != "proved"
    assert said in f"{found.verdict} {found.why}"


def test_first_counter_is_so_many_blocks_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: with another number of blocks, or where the step moves it, nothing is proved."""
    one = proving.kernel(*SPECK32[:2])
    rule = induct.Loop._kept

    def wrong(self: induct.Loop, *given: object) -> object:
        value, *rest = rule(self, *given)  # type: ignore[arg-type]
        if isinstance(value, Ahead):
            value = Ahead(value.base, Lin(value.by.c + 1, value.by.factors))
        return (value, *rest)

    monkeypatch.setattr(induct.Loop, "_kept", wrong)
    found = proving.verdict(one)
    assert found.verdict == "open"
    assert "at the end" in found.why or "of the induction" in found.why


def _machine(row: Row, regions: dict[str, Region]) -> Machine:
    return _image(row).machine(Graph(), regions)


@cache
def _image(row: Row) -> Image:
    one = proving.kernel(*row[:2])
    proving.need(one)
    return Prover(proving.ROOT).image(one)


def test_counters_ahead_are_those_of_numbers() -> None:
    """Sums and differences, and what is read too early or meets something else."""
    source = random.Random(5)
    m = _machine(SPECK32, {})
    for _ in range(40):
        number = source.getrandbits(32)
        word = tuple(
            m.g.input("c", i, source.getrandbits(60) << 1 | number >> i & 1) for i in range(32)
        )
        value: Value = Ahead(word, Lin(source.getrandbits(8), {"d": -2}))
        for d in (0, 1, source.getrandbits(31)):
            got = number + value.by.c - 2 * d
            made: Value = value
            for _ in range(3):
                more = source.randrange(-9, 9)
                name = source.choice(("INT_ADD", "INT_SUB"))
                pair = [made, more & 0xFFFFFFFF]
                if name == "INT_ADD" and source.random() < 0.5:
                    pair.reverse()
                made = m._alu(name, pair, [32, 32], 32)
                got += more if name == "INT_ADD" else -more
            made = m._alu("INT_ADD", [made, Lin(7, {"d": 2})], [32, 32], 32)
            bits = m.bits(made, 32)
            assert (
                sum(m.g.first(bits[i : i + 1]) << i for i in range(32)) == (got + 7 + 2 * d) % 2**32
            )
        for name, other in (("INT_XOR", 1), ("INT_ADD", word), ("INT_SUB", value)):
            with pytest.raises(OpenError, match="no rule for"):
                m._alu(name, [value, other], [32, 32], 32)
        with pytest.raises(OpenError, match="no rule for"):
            m._alu("INT_SUB", [1, value], [32, 32], 32)
        with pytest.raises(OpenError, match="is ahead by"):
            m.bits(value, 32)


def test_bits_that_are_the_same_for_all_inputs_are_known() -> None:
    """A branch on such a bit is public; on one that is rarely another it depends on data."""
    m = _machine(SPECK32, {})
    g = m.g
    x, y = g.word("x", 32), g.word("y", 32)
    rare = 1
    for a, b in zip(x, y, strict=True):
        rare = g.and_(rare, g.and_(a, b))
    total = m.bits(m._alu("INT_ADD", [x, y], [32, 32], 32), 32)
    never = total[31]  # where both are below 2^30
    for bit in (*x[30:], *y[30:]):
        never = g.and_(never, bit ^ 1)
    assert never > 1
    assert m._taken((never, *(0,) * 7)) is False
    assert m._taken((never ^ 1, *(0,) * 7)) is True
    for literal in (rare, rare ^ 1, x[0]):
        with pytest.raises(RefusedError, match="depends on data"):
            m._taken((literal, *(0,) * 7))


@pytest.mark.parametrize("row", [SPECK32, SPECK6, SPECKA])
def test_functions_of_the_c_library_do_what_c_says(row: Row) -> None:
    """Bytes are copied or set; what a function need not give back is gone, and so is what lies below
    the stack pointer.
    """
    regions = {"out": Region(0, 9, "rw", 1), "stack": Region(-16, 0, "rw", 1)}
    for name in ("memcpy", "memset"):
        m = _machine(row, dict(regions))
        on_avr = isinstance(m, AvrMachine)
        start = next(at for at, said in m.image.library.items() if said == name)
        data = [m.g.word(f"{i}", 8) for i in range(9)]
        for i, byte in enumerate(data):
            m.write("out", i, byte, 1)
        m.called()
        m.set_register("sp", Lin(-8, {"stack": 1}))
        for at in (-12, -4):
            m.write("stack", at, data[0], 1)
        back = 0x1234
        if on_avr:
            m.spaces["stack"] |= {-7: (back // 2, 1, 2), -6: (back // 2, 0, 2)}
        else:
            m.set_register(m.isa.link, back | (m.isa is not RV32))
        source: Value = 0xA5 if name == "memset" else Lin(4, {"out": 1})
        for place, value in enumerate((Lin(1, {"out": 1}), source, 3)):
            m.argument(f"a{place}", value)
        kept = "r4" if m.isa is not RV32 else "s4"
        m.set_register(kept, 7)
        assert m.step(start) == back
        want = [0xA5] * 3 if name == "memset" else data[4:7]
        assert [m.read("out", i, 1) for i in range(9)] == [data[0], *want, *data[4:]]
        assert m.register(kept) == 7
        assert -12 not in m.spaces["stack"]
        assert -4 in m.spaces["stack"]
        assert m.register("sp") == Lin(-6 if on_avr else -8, {"stack": 1})
        gone = {"r22", "r30", "r0"} if on_avr else set(m.isa.lost) - {"NG", "ZR", "CY", "OV"}
        for register in gone:
            with pytest.raises(OpenError, match="leaves undefined"):
                m.bits(m.register(register), 8)
        if on_avr:
            continue
        m.set_register(m.isa.link, back | 1)
        for place, value in enumerate((Lin(-9, {"stack": 1}), source, 1)):
            m.argument(f"a{place}", value)
        with pytest.raises(RefusedError, match="below the stack pointer"):
            m.step(start)
        for target, other, said in ((7, 0, "which has 0 to 8"), (1, 3, "onto themselves")):
            for place, value in enumerate((Lin(target, {"out": 1}), Lin(other, {"out": 1}), 3)):
                m.argument(f"a{place}", value)
            if name == "memset":
                if said == "onto themselves":
                    continue
                m.argument("a1", 0)
            with pytest.raises(RefusedError, match=said):
                m.step(start)


def test_a_library_where_code_is_linked_is_no_library(tmp_path: Path) -> None:
    one = proving.kernel(*SPECK32[:2])
    proving.need(one)
    program = build.linked(proving.ROOT, proving.ROOT / one.source, one.isa, tmp_path)
    at = build.image_of(program, one.isa).symbols[one.symbol]
    before = dict(build.LIBRARY)
    build.LIBRARY["memset"] = at
    try:
        with pytest.raises(LabError, match="has code where"):
            build.image_of(program, one.isa)
    finally:
        build.LIBRARY.update(before)


# What is put over an instruction of the prologue on AVR, and what the verdict says.
STACKS = {
    "interrupts that stay on": ("cli", 0, 0x0000, "half a stack pointer"),
    "interrupts on too early": ("out", 0, 0xBF00 | 0x0F, "half a stack pointer"),
    "half a frame": ("out", 2, 0x0000, "stack pointer"),
    "another port": ("out", 1, 0xBE05, "the I/O register 0x35"),
}


@pytest.mark.parametrize("name", STACKS)
def test_stack_pointers_on_avr_are_whole_where_interrupts_come(name: str) -> None:
    mnemonic, index, word, said = STACKS[name]
    one = proving.kernel(*SPECKA[:2])
    proving.need(one)
    prover = Prover(proving.ROOT)
    image = prover.image(one)
    places, pc = [], image.symbols[one.symbol]
    while len(places) < 4:
        if image.mnemonic(pc) in ("cli", "out"):
            places.append(pc)
        pc += image.length(pc)
    found = [pc for pc in places if image.mnemonic(pc) == mnemonic]
    if name == "interrupts on too early":  # the flags come back before the first half is written
        first, second = (image.bytes_at(pc, 2) for pc in found[:2])
        image.patched(found[0], second or b"")
        image.patched(found[1], first or b"")
    else:
        image.patched(found[index], word.to_bytes(2, "little"))
    verdict = prover.prove(one)
    assert verdict.verdict != "proved"
    assert said in verdict.why


def test_bytes_below_a_moved_stack_pointer_are_gone() -> None:
    """An interrupt may have written there while the pointer was above them."""
    m = _machine(SPECKA, {"stack": Region(-16, 0, "rw", 1)})
    assert isinstance(m, AvrMachine)
    m.called()
    m.set_register("sp", Lin(-10, {"stack": 1}))
    for at in range(-12, -2):
        m.write("stack", at, m.g.word(f"{at}", 8), 1)
    for place in (-6, -9):
        m.put(avr.ON, 0)
        m.write("register", 28, Lin(place, {"stack": 1}), 2)
        for port, register in ((0x3E, 29), (0x3D, 28)):
            m._port(avr.Instruction("out", d=register, k=port))
        assert not m.torn
        assert min(m.spaces["stack"]) == -5
    m.write("register", 28, Lin(-300, {"stack": 1}), 2)
    m._port(avr.Instruction("out", d=29, k=0x3E))
    assert m.torn


def test_halves_of_two_expressions_are_those_of_numbers() -> None:
    """CP and CPC, SUB and SBC, ADD and ADC of two pairs, for all values of a symbol."""
    source = random.Random(6)
    decided = 0
    for _ in range(200):
        m = _avr()
        pair = [Lin(source.randrange(-300, 300), {"n": source.choice((1, 2, 8))}) for _ in (0, 1)]
        names = source.choice((("cp", "cpc"), ("sub", "sbc"), ("add", "adc")))
        ends = sorted(source.sample(range(900), 2))
        m.bounds["n"] = (ends[0], ends[1])
        for at, lin in zip((20, 18), pair, strict=True):
            m.write("register", at, lin, 2)
        for i, name in enumerate(names):
            m._arithmetic(avr.Instruction(name, 20 + i, 18 + i))
        held = m.pair(20)
        flags = [m.cell(at)[0] for at in (avr.C, avr.Z)]
        for n in ends:
            a, b = ((lin.c + lin.factors["n"] * n) % 65536 for lin in pair)
            after = {"cp": a, "sub": a - b, "add": a + b}[names[0]] % 65536
            if isinstance(held, int):
                assert held == after
            else:
                assert held is not None
                assert (held.c + held.factors["n"] * n) % 65536 == after
            for flag, truth in zip(flags, (a < b, a == b), strict=True):
                if not isinstance(flag, avr.Cond):
                    assert names[0] == "add"
                    continue
                try:
                    assert flag.decide(m.bounds) == truth
                except RefusedError:
                    continue
                decided += 1
    assert decided > 100
    for n in (0, 1, 2):  # OR of the halves says whether the expression is zero
        m = _avr()
        m.bounds["n"] = (n, n)
        m.write("register", 20, Lin(-1, {"n": 1}), 2)
        m._arithmetic(avr.Instruction("or", 20, 21))
        zero = m.cell(avr.Z)[0]
        assert isinstance(zero, avr.Cond)
        assert zero.decide(m.bounds) == (n == 1)
        with pytest.raises(OpenError, match="read as one"):
            m.bits(m.value(m.cell(20)), 8)
    m = _avr()
    m.spaces["register"] |= {20: (Lin(1, {"p": 1}), 0, 2), 21: (Lin(1, {"p": 1}), 1, 2)}
    m.spaces["register"] |= {18: (Lin(1, {"q": 1}), 0, 2), 19: (Lin(2, {"q": 1}), 1, 2)}
    m._arithmetic(avr.Instruction("cp", 20, 18))
    with pytest.raises(OpenError, match="no rule for a half"):
        m._arithmetic(avr.Instruction("cpc", 21, 19))


def _avr() -> AvrMachine:
    m = _machine(SPECKA, {})
    assert isinstance(m, AvrMachine)
    return m


def test_arguments_that_a_function_keeps_are_given_back() -> None:
    """AVR passes the keys in r16 and r17, which a function gives back."""
    one = proving.kernel(*SPECKA[:2])
    proving.need(one)
    prover = Prover(proving.ROOT)
    image = prover.image(one)
    assert isinstance(image, avr.AvrImage)
    pc, popped = image.symbols[one.symbol], {}
    while image.mnemonic(pc) != "ret":
        if image.mnemonic(pc) == "pop":
            popped[image.instruction(pc).d] = pc
        pc += image.length(pc)
    words = {register: image.bytes_at(popped[register], 2) or b"" for register in (16, 17)}
    image.patched(popped[16], words[17])
    image.patched(popped[17], words[16])
    found = prover.prove(one)
    assert found.verdict == "refused"
    assert found.why == "separate: r16 is not given back as it was"


def _attacked(source: str, function: str, count: int) -> None:
    """An accepted mutant computes the same in the emulator; on AVR, which it does not have, it is
    one of hanji_wipe, or of what is zero.
    """
    one = proving.kernel(source, function)
    proving.need(one)
    prover = Prover(proving.ROOT)
    image = prover.image(one)
    path = Path(prover.directory.name) / f"{Path(one.source).stem}.elf"
    task = next(iter(mutants.proofs_of(one)))
    assert isinstance(task, mutants.Task)
    seen: Counter[str] = Counter()
    for mutant in mutants.mutants(prover, one, count):
        seen[mutant.verdict.verdict] += 1
        if mutant.verdict.verdict != "proved":
            continue
        said = f"{mutant.at:#x} bit {mutant.bit}: {mutant.before} became {mutant.after}"
        if one.isa == "avr":
            start = image.symbols["hanji_wipe"]
            wipes = start <= mutant.at < start + 0x20
            same = ZERO.match(f"{mutant.before} {mutant.after}")
            assert wipes or same, f"{said} is accepted"
            continue
        seed = mutants.disagreement(image, path, mutant, task)
        assert seed is None, f"{said} is accepted, and wrong for seed {seed}"
    print(function, dict(seen))
    assert 2 * (seen["counterexample"] + seen["refused"]) >= count
    assert 6 * seen["proved"] <= count


# On AVR: the upper bytes of the carry of the counter, and the carry in front of SPECK's sum.
ZERO = re.compile(r"(adc|eor) r2[67],|add r20,r18,.* adc r20,r18,")
MUTANTS = [(*row[:2], 6) for row in (CHAMZ, SPECK7, SPECKA)]  # of these the slow set has more
MORE_MUTANTS = [(*row[:2], 60) for rows in PROVED.values() for row in rows]


@pytest.mark.parametrize(
    ("source", "function", "count"),
    [*MUTANTS, *(pytest.param(*row, marks=pytest.mark.slow) for row in MORE_MUTANTS)],
)
def test_mutants_are_not_accepted(source: str, function: str, count: int) -> None:
    _attacked(source, function, count)


def test_emulator_runs_firmware() -> None:
    """The control: kernels that call memcpy and memset, and the same with another counter."""
    for row in (CHAM, SPECK6):
        one = proving.kernel(*row[:2])
        image = _image(row)
        task = next(iter(mutants.proofs_of(one)))
        assert isinstance(task, mutants.Task)
        contents = mutants.random_contents(task, 3, 1)
        after = mutants.Emulated(image, task).run(contents, 3)
        assert after is not None
        count = int.from_bytes(contents["counter"], "big") + 3 * one.blocks
        assert after["counter"] == (count % 2**64).to_bytes(8, "big")
        assert after["out"] != contents["out"]
        assert after["in"] == contents["in"]
