# SPDX-License-Identifier: Apache-2.0
"""PTX kernels are proved for all threads; kernels that are spoilt are not."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import proving
import pytest

from hanji_lab import spec
from hanji_lab.prove import launch, mutants, report, soundness
from hanji_lab.prove.graph import Graph
from hanji_lab.prove.pcode import OpenError
from hanji_lab.prove.ptx import Program, Thread, looked_up
from hanji_lab.prove.report import Prover
from hanji_lab.prove.values import Lin
from hanji_lab.spec.block import BlockCipher

FILES = "gpu/generated/"
SPECK = (FILES + "speck64_sm75.ptx", "speck64_128_sm75_encrypt_x8")
CTR = (FILES + "speck64_sm75.ptx", "speck64_128_sm75_ctr_x8")
TAIL = (FILES + "speck64_sm75.ptx", "speck64_128_sm75_ctr_tail")
PART = (FILES + "speck64_sm75.ptx", "speck64_128_sm75_encrypt_tail")
SINGLE = (FILES + "speck64_sm75_fleet.ptx", "speck64_128_sm75_fleet_x2")
FLEET = (FILES + "speck64_sm75_fleet.ptx", "speck64_128_sm75_fleet_x1")
SPECK128 = (FILES + "speck128_sm75.ptx", "speck128_128_sm75_encrypt_tail")
SLICED = (FILES + "simon64_sm75_x32.ptx", "simon64_128_sm75_ctr_x32")

CI = [CTR, SINGLE, FLEET]
SLOW = [SPECK, TAIL, SPECK128, SLICED, (FILES + "cham128_sm75.ptx", "cham128_128_sm75_ctr_x4")]


@pytest.mark.parametrize(
    ("source", "function"), CI + [pytest.param(*one, marks=pytest.mark.slow) for one in SLOW]
)
def test_ptx_kernel_is_proved(source: str, function: str) -> None:
    found = proving.verdict(proving.kernel(source, function))
    assert (found.verdict, found.why) == ("proved", "")
    assert found.scope == {"separate": launch.ALL, "in place": launch.ALL}


ROUND = "    ld.local.u32 %r47, [%r40+4];\n"  # of SPECK: the words of a block have values
# A change of a proved kernel, and what must be said of it. No change may be proved.
SPOILT = {
    "other operand": (
        SPECK,
        ("xor.b32 %r60, %r59, %r58", "xor.b32 %r60, %r59, %r57"),
        "counterexample: .* differs",
    ),
    "wrong rotation": (
        SPECK,
        ("shf.r.wrap.b32 %r53, %r47, %r47, 8", "shf.r.wrap.b32 %r53, %r47, %r47, 9"),
        "counterexample: .* differs",
    ),
    "one vector too many": (
        SPECK,
        ("setp.gt.s32 %p4, %r5, 768", "setp.ge.s32 %p4, %r5, 768"),
        "open: .* goes both ways",
    ),
    "one vector too few": (
        SPECK,
        ("setp.gt.s32 %p2, %r5, 256", "setp.gt.s32 %p2, %r5, 257"),
        "open: .* goes both ways",
    ),
    "no bound": (
        SPECK,
        ("@%p4 st.global", "st.global"),
        "refused: .* are none of its own",
    ),
    "bound of another vector": (
        SPECK,
        ("@%p4 st.global", "@%p3 st.global"),
        "refused: .* are none of its own",
    ),
    "unsigned bound": (
        SPECK,
        ("setp.gt.s32 %p1, %r5, 0", "setp.gt.u32 %p1, %r5, 0"),
        "open: .* goes both ways",
    ),
    "stride of CTAs": (
        SPECK,
        ("mad.lo.u32 %r3, %r1, 1024, %r2", "mad.lo.u32 %r3, %r1, 1023, %r2"),
        "refused: .* goes both ways|refused: .* is in no part|open: .* goes both ways",
    ),
    "place of a vector": (
        SPECK,
        ("st.global.v4.u32 [%d6+4096]", "st.global.v4.u32 [%d6+4112]"),
        "refused: .* are none of its own",
    ),
    "past the keys": (
        SPECK,
        ("ld.global.nc.u32 %r36, [%d9+32]", "ld.global.nc.u32 %r36, [%d9+36]"),
        "refused: .* of keys are none",
    ),
    "write to the input": (
        SPECK,
        ("@%p1 st.global.v4.u32 [%d6+0]", "@%p1 st.global.v4.u32 [%d3+0]"),
        "refused: .* a store of in",
    ),
    "branch on data": (
        SPECK,
        (ROUND, "    setp.ne.u32 %p1, %r46, 0;\n    @%p1 bra L1;\n"),
        "refused: .* a branch depends on secret data",
    ),
    "comparison of data": (
        SPECK,
        (ROUND, "    setp.lt.u32 %p1, %r46, 5;\n"),
        "refused: .* a comparison of data",
    ),
    "address from data": (
        SPECK,
        (ROUND, "    mul.wide.u32 %d10, %r46, 8;\n    ld.global.nc.u32 %r47, [%d10+0];\n"),
        "refused: .* an address depends on data",
    ),
    "place in an array from data": (
        SPECK,
        ("ld.local.u32 %r47, [%r40+4]", "ld.local.u32 %r47, [%r46+4]"),
        "refused: .* an address of local memory depends on data",
    ),
    "past an array": (
        SPECK,
        ("array0[64]", "array0[60]"),
        "refused: .* byte 60 of array0 is no word of it",
    ),
    "word without a value": (
        SPECK,
        ("    st.local.u32 [%r25+32], %r36;\n", ""),
        r"refused: .* a load of array1\[32\], which has no value",
    ),
    "word of another array": (
        SPECK,
        ("ld.local.u32 %r48, [%r45+0]", "ld.local.u32 %r48, [%r40+0]"),
        "counterexample: .* differs",
    ),
    "half a word": (
        SPECK,
        ("ld.local.u32 %r47, [%r40+4]", "ld.local.u32 %r47, [%r40+2]"),
        "refused: .* is no word of it",
    ),
    "predicate on data": (
        SPECK,
        (
            ROUND,
            "    setp.eq.u32 %p1, %r46, 0;\n    @%p1 mov.u32 %r47, 0;\n",
        ),
        "refused: .* depends on data",
    ),
    "read-only load in place": (
        SPECK,
        ("@%p1 ld.global.v4.u32", "@%p1 ld.global.nc.v4.u32"),
        "refused: in place: .* which the launch writes",
    ),
    "number of a block": (
        CTR,
        ("mad.lo.u32 %r29, %r7, 512, %r27", "mad.lo.u32 %r29, %r7, 511, %r27"),
        "counterexample: .* differs",
    ),
    "blocks of a thread": (
        CTR,
        ("shl.b32 %r26, %r7, 1;", "shl.b32 %r26, %r7, 0;"),
        "counterexample: .* differs",
    ),
    "partial vector": (
        PART,
        ("setp.gt.s32 %p13, %r71, 3;", "setp.gt.s32 %p13, %r71, 4;"),
        "refused: .* byte 11 of the output is never written|counterexample",
    ),
    "all threads do the tail": (
        PART,
        ("setp.eq.u32 %p1, %r4, 0;", "setp.ne.u32 %p1, %r4, 32;"),
        "open|refused",
    ),
    "other message's key": (
        SINGLE,
        ("add.u64 %d13, %d9, 4096;", "add.u64 %d13, %d9, 0;"),
        "counterexample: .* differs",
    ),
    "other bound of messages": (
        SINGLE,
        ("setp.gt.and.u32", "setp.ge.and.u32"),
        "open: .* goes both ways",
    ),
    "carry of a counter": (
        FLEET,
        ("addc.u32 %r37, %r37, 0;", "add.u32 %r37, %r37, 0;"),
        "open: .* is not kept",
    ),
    "counter of the next block": (
        FLEET,
        ("add.cc.u32 %r40, %r40, 1;", "add.cc.u32 %r40, %r40, 2;"),
        "open: .* is not kept",
    ),
    "next block": (
        FLEET,
        ("sub.u64 %d18, %d18, 8;", "sub.u64 %d18, %d18, 4;"),
        "open|refused",
    ),
    "part of a block": (
        FLEET,
        ("setp.lt.u64 %p6, %d18, 8;", "setp.lt.u64 %p6, %d18, 7;"),
        "refused: .* are none of its own",
    ),
    "texts anywhere": (
        FLEET,
        ("or.pred %p7, %p4, %p6;", "or.pred %p7, %p6, %p6;"),
        "refused: .* are not aligned",
    ),
    "bytes of keys": (
        SPECK,
        ("keys: {buffer: rk, bytes: 108", "keys: {buffer: rk, bytes: 112"),
        "refused: the header gives keys 112 bytes",
    ),
    "secrets": (SPECK, ("secrets: in, rk", "secrets: in"), "refused: .* among the secrets"),
    "blocks": (SPECK, ("blocks: 8", "blocks: 4"), "refused: 4 blocks given, 8 expected"),
    "order of parameters": (
        SPECK,
        (".param .u64 out,\n    .param .u64 in,", ".param .u64 in,\n    .param .u64 out,"),
        "refused: .* the entry has the parameters",
    ),
}


# The others are slow tests.
QUICK = {
    "other operand",
    "wrong rotation",
    "one vector too many",
    "place of a vector",
    "branch on data",
    "number of a block",
    "partial vector",
    "other message's key",
    "carry of a counter",
    "part of a block",
    "bytes of keys",
    "place in an array from data",
    "past an array",
    "word without a value",
}


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in SPOILT],
)
def test_spoilt_ptx_kernel_is_not_proved(name: str, tmp_path: Path) -> None:
    (source, function), change, wanted = SPOILT[name]
    one = proving.spoilt(proving.kernel(source, function), tmp_path, change)
    found = proving.verdict(one)
    assert found.verdict != "proved"
    assert re.match(wanted, f"{found.verdict}: {found.why}", re.DOTALL), found.why
    if found.verdict == "counterexample":
        assert report.write_case(found, tmp_path) is not None


MUTANTS = [(*SINGLE, 20)]  # of these the slow set has more
MORE_MUTANTS = [(*SINGLE, 40), (*FLEET, 40)]


@pytest.mark.parametrize(
    ("source", "function", "count"),
    [*MUTANTS, *(pytest.param(*row, marks=pytest.mark.slow) for row in MORE_MUTANTS)],
)
def test_ptx_mutants_are_not_accepted(source: str, function: str, count: int) -> None:
    """One operand, number or name of one instruction is another one."""
    one = proving.kernel(source, function)
    seen: Counter[str] = Counter()
    for mutant in mutants.ptx_mutants(Prover(proving.ROOT), one, count):
        seen[mutant.verdict.verdict] += 1
        if mutant.verdict.verdict == "proved":
            assert mutant.reason, f"{mutant.before} became {mutant.after}"
    print(function, dict(seen))
    assert sum(seen.values()) == count
    assert seen["proved"] <= count // 4


@pytest.mark.slow
def test_counterexample_of_a_thread_is_right_by_the_specification(tmp_path: Path) -> None:
    """What a counterexample says should come out is what the cipher makes of its inputs."""
    (source, function), change, _ = SPOILT["wrong rotation"]
    one = proving.spoilt(proving.kernel(source, function), tmp_path, change)
    case = proving.verdict(one).case
    assert case is not None
    contents, wanted, found = (case[name] for name in ("contents", "wanted", "found"))
    assert isinstance(contents, dict) and isinstance(wanted, dict) and isinstance(found, dict)
    cipher = spec.algorithm("speck64_128")
    laid_out, data = bytes.fromhex(contents["keys"]), bytes.fromhex(contents["in"])
    keys = [int.from_bytes(laid_out[at : at + 4], "little") for at in range(0, 108, 4)]
    right = b"".join(
        cipher.words_to_block(cipher.encrypt_words(cipher.block_to_words(data[at : at + 8]), keys))
        for at in range(0, len(data), 8)
    )
    assert right.hex() == wanted["out"] != found["out"]


def _launches(source: str, function: str) -> list[launch.Case]:
    one = proving.kernel(source, function)
    task = next(launch.launches(one))
    g = Graph()
    cipher = spec.algorithm(one.spec.partition(".")[0])
    assert isinstance(cipher, BlockCipher)
    return list(task.cases(launch.Numbers(g, cipher)))


def _number(value: object, symbols: dict[str, int]) -> int:
    if isinstance(value, Lin):
        return value.c + sum(factor * symbols[name] for name, factor in value.t)
    assert isinstance(value, int)
    return value


COUNTED = [
    (SPECK, "vectors", 1024, 256, [1, 255, 256, 257, 1024, 1025, 2047, 2600]),
    (SINGLE, "messages", 512, 256, [1, 255, 256, 257, 512, 513, 1300]),
]


@pytest.mark.parametrize(("which", "unit", "group", "threads", "counts"), COUNTED)
def test_threads_share_out_every_byte(
    which: tuple[str, str], unit: str, group: int, threads: int, counts: list[int]
) -> None:
    """The windows of all threads of a launch together are each byte of the output, once."""
    cases = _launches(*which)
    for count in counts:
        seen: list[int] = []
        for cta in range(-(-count // group)):
            for thread in range(threads):
                symbols = {"cta": cta, "thread": thread}
                symbols["left"] = count - group * cta - thread
                (case,) = (
                    one
                    for one in cases
                    if one.bounds["left"][0] <= symbols["left"] <= one.bounds["left"][1]
                )
                assert _number(case.values[unit], symbols) == count
                window = case.windows["out"]
                base = sum(factor * symbols[name] for name, factor in window.base.items())
                seen += [base + at for low, high in window.spans for at in range(low, high)]
        size = _number(cases[0].sizes["out"], {"cta": 0, "thread": 0, "left": 1}) * count
        assert sorted(seen) == list(range(size))


SLICES = [SLICED, (FILES + "simon64_sm75_fleet.ptx", "simon64_128_sm75_fleet_x32")]


@pytest.mark.slow
@pytest.mark.parametrize("which", SLICES)
def test_warps_share_out_every_byte(which: tuple[str, str]) -> None:
    """The same of whole warps, in CTAs of any size; and what a thread takes for its number."""
    (case,) = _launches(*which)
    warps, seen = 8, []
    for size in (1, 2, 4):
        for cta in range(warps // size):
            for tid in range(32 * size):
                number, lane = divmod(32 * size * cta + tid, 32)
                symbols = {"cta": cta, "size": size, "number": number, "lane": lane}
                symbols["cta * size"] = cta * size
                assert _number(case.special["%tid.x"], symbols) == tid
                assert _number(case.special["%ntid.x"], symbols) == 32 * size
                if size == 4:
                    window = case.windows["out"]
                    base = sum(factor * symbols[name] for name, factor in window.base.items())
                    seen += [base + at for low, high in window.spans for at in range(low, high)]
    assert sorted(seen) == list(range(32 * warps * 256))


def test_tail_is_done_once() -> None:
    cases = _launches(*TAIL)
    assert [len(case.want) for case in cases] == [*range(15, 0, -1), 0]
    assert cases[-1].bounds["thread"] == (1, 31)


M32, M64 = (1 << 32) - 1, (1 << 64) - 1


def _signed(x: int) -> int:
    return x - (1 << 32) if x >> 31 else x


def _order(x: int, y: int, order: int) -> int:
    both = (y << 32 | x).to_bytes(8, "little")
    out = []
    for i in range(4):
        byte = both[order >> 4 * i & 7]
        out.append(255 * (byte >> 7) if order >> 4 * i & 8 else byte)
    return int.from_bytes(bytes(out), "little")


def _looked(x: int, y: int, z: int, table: int) -> int:
    return sum(
        (table >> (4 * (x >> i & 1) + 2 * (y >> i & 1) + (z >> i & 1)) & 1) << i for i in range(32)
    )


# As the PTX ISA has them: instruction with registers %r1 to %r3 and %d1, and what %r9 or %d9 is.
MEANING = {
    "mov.b32 %r9, %r1": lambda x, y, z, d: x,
    "mov.b64 %d9, {%r1, %r2}": lambda x, y, z, d: y << 32 | x,
    "mov.b64 {%r9, %r8}, %d1": lambda x, y, z, d: d & M32,
    "mov.b64 {%r8, %r9}, %d1": lambda x, y, z, d: d >> 32,
    "cvt.u32.u64 %r9, %d1": lambda x, y, z, d: d & M32,
    "cvt.u64.u32 %d9, %r1": lambda x, y, z, d: x,
    "add.u32 %r9, %r1, %r2": lambda x, y, z, d: x + y & M32,
    "add.u64 %d9, %d1, 5": lambda x, y, z, d: d + 5 & M64,
    "sub.u32 %r9, %r1, %r2": lambda x, y, z, d: x - y & M32,
    "sub.u64 %d9, %d1, 5": lambda x, y, z, d: d - 5 & M64,
    "add.cc.u32 %r8, %r1, %r2; addc.u32 %r9, %r3, %r1": lambda x, y, z, d: (
        z + x + (x + y >> 32) & M32
    ),
    "add.cc.u32 %r8, %r1, %r2; addc.cc.u32 %r8, %r3, %r1; addc.u32 %r9, 0, 0": lambda x, y, z, d: (
        z + x + (x + y >> 32) >> 32
    ),
    "add.cc.u32 %r8, %r1, %r2; madc.lo.u32 %r9, %r3, 512, %r1": lambda x, y, z, d: (
        512 * z + x + (x + y >> 32) & M32
    ),
    "add.cc.u32 %r8, %r1, %r2; addc.u32 %r7, %r3, %r1; add.cc.u32 %r8, %r8, %r3; "
    "addc.u32 %r9, %r7, %r2": lambda x, y, z, d: z + x + y + (x + y + z >> 32) & M32,
    "add.cc.u32 %r8, %r1, %r2; add.cc.u32 %r8, %r8, %r3; addc.u32 %r9, 0, 0": lambda x, y, z, d: (
        (x + y & M32) + z >> 32
    ),
    "sub.cc.u32 %r8, %r1, %r2; subc.u32 %r9, %r3, %r1": lambda x, y, z, d: z - x - (x < y) & M32,
    "mul.lo.u32 %r9, %r1, 77": lambda x, y, z, d: 77 * x & M32,
    "mul.hi.u32 %r9, %r1, 77777": lambda x, y, z, d: 77777 * x >> 32,
    "mul.hi.s32 %r9, %r1, 2": lambda x, y, z, d: (2 * _signed(x) >> 32) & M32,
    "mul.hi.s32 %r9, %r1, -3": lambda x, y, z, d: (-3 * _signed(x) >> 32) & M32,
    "mul.wide.u32 %d9, %r1, 77777": lambda x, y, z, d: 77777 * x,
    "mad.lo.u32 %r9, %r1, -65536, %r2": lambda x, y, z, d: y - 65536 * x & M32,
    "mad.lo.u32 %r9, %r1, 4096, %r2": lambda x, y, z, d: y + 4096 * x & M32,
    "shr.u32 %r8, %r1, 16; mad.lo.u32 %r9, %r8, -65536, %r1": lambda x, y, z, d: x & 0xFFFF,
    "mad.wide.u32 %d9, %r1, 16, %d1": lambda x, y, z, d: d + 16 * x & M64,
    "and.b32 %r9, %r1, %r2": lambda x, y, z, d: x & y,
    "or.b32 %r9, %r1, %r2": lambda x, y, z, d: x | y,
    "or.b64 %d9, %d1, 5": lambda x, y, z, d: d | 5,
    "xor.b32 %r9, %r1, 5": lambda x, y, z, d: x ^ 5,
    "not.b32 %r9, %r1": lambda x, y, z, d: x ^ M32,
    "shl.b32 %r9, %r1, 7": lambda x, y, z, d: x << 7 & M32,
    "shr.u32 %r9, %r1, 7": lambda x, y, z, d: x >> 7,
    "shr.s32 %r9, %r1, 7": lambda x, y, z, d: _signed(x) >> 7 & M32,
    "shr.u64 %d9, %d1, 1": lambda x, y, z, d: d >> 1,
    "shf.l.wrap.b32 %r9, %r1, %r2, 5": lambda x, y, z, d: (y << 5 | x >> 27) & M32,
    "shf.r.wrap.b32 %r9, %r1, %r2, 5": lambda x, y, z, d: (y << 32 | x) >> 5 & M32,
    "bfe.s32 %r9, %r1, 9, 1": lambda x, y, z, d: M32 * (x >> 9 & 1),
    "bfe.u32 %r9, %r1, 9, 4": lambda x, y, z, d: x >> 9 & 15,
    **{
        f"prmt.b32 %r9, %r1, %r2, {order:#x}": lambda x, y, z, d, order=order: _order(x, y, order)
        for order in (0x0123, 0x5410, 0x3456, 0xFA98)
    },
    "lop3.b32 %r9, %r1, %r2, %r3, 0x1b": lambda x, y, z, d: _looked(x, y, z, 0x1B),
    "setp.eq.u32 %p1, 3, 3; selp.u32 %r9, %r1, %r2, %p1": lambda x, y, z, d: x,
    "setp.gt.s32 %p1, -1, 0; selp.u32 %r9, %r1, %r2, %p1": lambda x, y, z, d: y,
    "setp.gt.u32 %p1, -1, 0; selp.u32 %r9, %r1, %r2, %p1": lambda x, y, z, d: x,
    "setp.eq.u32 %p1, 3, 2; selp.b32 %r9, %r1, %r2, %p1": lambda x, y, z, d: y,
    "setp.le.u32 %p1, 3, 3; selp.u32 %r9, %r1, %r2, %p1": lambda x, y, z, d: x,
    "setp.lt.u64 %p1, 3, 3; @!%p1 mov.u32 %r9, %r1": lambda x, y, z, d: x,
    "setp.ge.s32 %p1, -2, 0; @!%p1 mov.u32 %r9, %r1": lambda x, y, z, d: x,
    "setp.lt.u32 %p2, 1, 2; setp.gt.and.u32 %p1, 2, 3, %p2; selp.u32 %r9, %r1, %r2, %p1": (
        lambda x, y, z, d: y
    ),
    "setp.lt.u32 %p2, 1, 2; setp.ne.u32 %p3, 1, 1; or.pred %p1, %p2, %p3; "
    "selp.u32 %r9, %r1, %r2, %p1": lambda x, y, z, d: x,
    "min.u64 %d9, 5, 8": lambda x, y, z, d: 5,
    "min.u32 %r9, -1, 8": lambda x, y, z, d: 8,
    "max.s32 %r9, -1, 8": lambda x, y, z, d: 8,
    "max.s32 %r9, -1, -8": lambda x, y, z, d: M32,
    "sub.s32 %r8, 3, 4; max.s32 %r9, %r8, 0": lambda x, y, z, d: 0,
    "shl.b32 %r8, 1, 32; sub.u32 %r9, %r8, 1": lambda x, y, z, d: M32,
    "setp.eq.u32 %p2, 1, 1; setp.eq.u32 %p3, 1, 2; and.pred %p1, %p2, %p3; "
    "selp.u32 %r9, %r1, %r2, %p1": lambda x, y, z, d: y,
}


HEAD = ".version 7.0\n.target sm_75\n.address_size 64\n"
REGISTERS = ".reg .b32 %r<10>; .reg .b64 %d<10>; .reg .pred %p<4>;\n"


def _run(text: str) -> Thread:
    """Instructions on registers, on a graph whose runs are random values."""
    lines = "".join(f"    {line.strip()};\n" for line in text.split(";"))
    program = Program(f"{HEAD}.visible .entry one()\n{{\n{REGISTERS}{lines}    ret;\n}}\n", "one")
    g = Graph()
    g.known = {}
    thread = Thread(g, program, {}, {}, {}, {}, {}, {}, set())
    for name in ("%r1", "%r2", "%r3"):
        thread.put(name, g.word(name, 32))
    thread.put("%d1", g.word("%d1", 64))
    thread.run()
    return thread


@pytest.mark.parametrize("text", MEANING)
def test_instruction_does_what_ptx_says(text: str) -> None:
    """Each instruction of proved kernels, on symbolic words, in eight of their random runs."""
    thread = _run(text)

    def number(name: str, run: int) -> int:
        bits = thread.data(thread.get(name, 0), 64 if name.startswith("%d") else 32)
        return sum((thread.g.value(x) >> run & 1) << i for i, x in enumerate(bits))

    target = "%d9" if "%d9" in text else "%r9"
    for run in range(0, 512, 64):
        inputs = [number(name, run) for name in ("%r1", "%r2", "%r3", "%d1")]
        assert number(target, run) == MEANING[text](*inputs), text


def test_signed_shift_of_a_size_that_may_be_negative_is_open() -> None:
    """As a signed number the size is shifted with its sign, which the sizes of symbols have not."""
    for kind, most, good in (("u32", M32, True), ("s32", M32, False), ("s32", M32 >> 1, True)):
        head = f"{HEAD}.visible .entry one(.param .u32 n)\n{{\n{REGISTERS}"
        text = f"{head}ld.param.u32 %r1, [n];\nshr.{kind} %r2, %r1, 1;\nret;\n}}\n"
        size = {"n": Lin(0, {"n": 2})}
        bounds = {"n": (0, most >> 1)}
        thread = Thread(Graph(), Program(text, "one"), size, {}, {}, bounds, {}, {}, set())
        if good:
            thread.run()
            assert thread.get("%r2", 32) == Lin(0, {"n": 1})
        else:
            with pytest.raises(OpenError, match="may be negative"):
                thread.run()


def test_truth_tables_are_those_of_lop3() -> None:
    g = Graph()
    a, b, c = g.word("x", 3)
    x, y, z = (g.value(literal) for literal in (a, b, c))
    for table in range(256):
        wanted = 0
        for i in range(8):
            first, second, third = (
                v if i >> k & 1 else v ^ (1 << 512) - 1 for v, k in ((x, 2), (y, 1), (z, 0))
            )
            wanted |= first & second & third if table >> i & 1 else 0
        assert g.value(looked_up(g, table, a, b, c)) == wanted, table


def test_every_instruction_of_a_proof_has_a_meaning() -> None:
    """What kernels with a stored proof execute is in MEANING, or moves data and control."""
    other = ("ld.", "st.", "bra", "ret", "cvta.", "mov.u32", "mov.u64", "mov.b32", "setp.")
    named = {re.sub(r"^@!?%p\d ", "", part).split()[0] for t in MEANING for part in t.split("; ")}
    rows = json.loads((proving.ROOT / soundness.STORED).read_text())
    used = {name for row in rows if row["isa"] == "sm75" for name in row["mnemonics"]}
    assert used
    left = {name.replace("s64", "u64") for name in used if not name.startswith(other)}
    assert left <= named
