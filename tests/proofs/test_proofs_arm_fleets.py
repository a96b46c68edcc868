# SPDX-License-Identifier: Apache-2.0
"""Short texts, key streams and chains of lanes in C for AArch64: proofs, spoilt kernels, mutants,
and attacks on the runs of all lengths there.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import proving
import pytest
from test_proofs_fleets import BODIES, COPY, ENTRY, few, lengths_are_seen, spoilt

from hanji_lab.prove import mutants
from hanji_lab.prove.build import image_of, linked
from hanji_lab.prove.fleets import fleet_tasks
from hanji_lab.prove.graph import Graph
from hanji_lab.prove.lengths import ArmLengthMachine
from hanji_lab.prove.pcode import GONE, A64Image, OpenError, Region
from hanji_lab.prove.report import Prover, Verdict
from hanji_lab.prove.values import Lin, RefusedError

SPECK, WIDE = "speck/speck64_neon.c", "speck/speck128_neon.c"
TEXT, STREAMS = (SPECK, "speck64_128_neon_short_x64"), (SPECK, "speck64_128_neon_streams_x4")
CHAINS = (SPECK, "speck64_128_neon_chains_x4")


def _verdict(source: str, function: str, path: Path, room: Path, blocks: int = 9) -> Verdict:
    """The verdict on a file in place of the kernel's own, from few blocks or lanes."""
    one = proving.kernel(source, function)
    proving.need(one)
    blank = Verdict(one.name, one.symbol, one.spec, one.isa, one.source, "open")
    image = image_of(linked(proving.ROOT, path, one.isa, room), one.isa)
    return Prover(proving.ROOT, seconds=250).proved(blank, image, [few(one, blocks)])


SLOW = [
    TEXT,
    CHAINS,
    (WIDE, "speck128_256_neon_short_x32"),
    ("cham/cham64_neon.c", "128_neon_streams_x8"),
]


@pytest.mark.parametrize(
    ("source", "function"), [STREAMS, *(pytest.param(*row, marks=pytest.mark.slow) for row in SLOW)]
)
def test_few_blocks_are_proved(source: str, function: str, tmp_path: Path) -> None:
    found = _verdict(source, function, proving.ROOT / "src" / source, tmp_path)
    assert (found.verdict, found.why) == ("proved", "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "function", "scope"),
    [(*TEXT, "1 to 512 bytes"), (*STREAMS, "all flags"), (*CHAINS, "0 to 8 blocks")],
)
def test_kernel_is_proved(source: str, function: str, scope: str) -> None:
    one = proving.kernel(source, function)
    proving.need(one)
    found = Prover(proving.ROOT, seconds=250).prove(one)
    assert (found.verdict, found.why) == ("proved", "")
    assert set(found.scope.values()) == {scope}
    assert len(found.scope) == len(list(fleet_tasks(one)))


SHORT, LANES = "lanes/vector_short.h", "lanes/vector_streams.h"
LINKS = "lanes/vector_chains.h"
# kernel, header, what is changed, the verdict and words of its reason
SPOILT: dict[str, tuple[tuple[str, str], str, str, str, str, str]] = {
    "one byte less": (
        TEXT, SHORT, "for (; at < bytes; at++)", "for (; at + 1 < bytes; at++)",
        "refused", "is never written",
    ),
    "one byte more": (
        TEXT, SHORT, "for (; at < bytes; at++)", "for (; at <= bytes; at++)",
        "refused", "which has 0 to",
    ),
    "a whole vector of a part": (
        TEXT, SHORT, "if (bytes >= at + VECTOR_BYTES)\n                vector_store",
        "if (bytes + 1 >= at + VECTOR_BYTES)\n                vector_store",
        "refused", "which has 0 to",
    ),
    "the counter of a full block": (
        TEXT, SHORT, "(bytes - 1) / COUNTER_BYTES + 1", "bytes / COUNTER_BYTES + 1",
        "counterexample", "of counter, for 8 bytes, differs",
    ),
    "the key stream of another block": (
        TEXT, SHORT, "end + (bytes - part), n)", "end, n)",
        "counterexample", "of keystream, for 9 bytes, differs",
    ),
    "no carry into the upper half": (
        (WIDE, "speck128_128_neon_short_x32"), SHORT, "(before & ~sum) >> 63",
        "(before & sum) >> 63", "counterexample", "differs",
    ),
    "a secret branch": (
        TEXT, SHORT, "const vector first = counter_everywhere(counter);",
        "const vector first = counter_everywhere(counter);\n    if (counter[0] & 1)\n"
        "        return;", "refused", "depends on data",
    ),
    "the numbers of blocks": (
        STREAMS, LANES, "(W(number))(at * BLOCKS_16 + b)", "(W(number))(at * BLOCKS_16)",
        "counterexample", "of streams",
    ),
    "counters behind the pieces": (
        STREAMS, LANES, "HANJI_STREAM_SLOTS * BLOCKS_16))",
        "HANJI_STREAM_SLOTS * BLOCKS_16 - 1))", "counterexample", "of streams",
    ),
    "a block behind the text": (
        CHAINS, LINKS, "(count[g] - number)", "(count[g] - number + 1)",
        "counterexample", "of chains",
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", SPOILT)
def test_spoilt_kernel_is_not_proved(name: str, tmp_path: Path) -> None:
    (source, function), header, old, new, wanted, why = SPOILT[name]
    found = _verdict(source, function, spoilt(source, header, old, new, tmp_path), tmp_path, 18)
    assert found.verdict == wanted, (found.verdict, found.why)
    assert why in found.why


MUTANTS: list[tuple[str, str, int]] = []  # the slow set alone has some
MORE_MUTANTS = [(*TEXT, 24), (*STREAMS, 24), (*CHAINS, 12)]


@pytest.mark.slow
@pytest.mark.parametrize(("source", "function", "count"), MORE_MUTANTS)
def test_mutants_are_wrong_or_compute_the_same(source: str, function: str, count: int) -> None:
    """Accepted are those alone that give what is wanted on random numbers, too, as changes of what
    wipes the stack do.
    """
    one = proving.kernel(source, function)
    proving.need(one)
    proving.wrong_or_the_same(
        mutants.mutants(Prover(proving.ROOT), one, count, fleet=few(one)), count
    )


# Bodies of test_proofs_fleets.py that have machine code of x86-64 in them, as they are here.
OWN = {
    "stack below a call": (
        "uint8_t *p = __builtin_alloca(0); (void)p; bytes_of(out, in, n);"
        "uint64_t x; __asm__ volatile(\"ldur %0, [sp, -24]\" : \"=r\"(x));"
        "__asm__ volatile(\"\" : : \"r\"(x)); }", "refused", "",
    ),
    "a saved register": (
        "bytes_of(out, in, n); __asm__ volatile(\"mov x25, 0\" ::); }",
        "refused", "is not given back",
    ),
}  # fmt: skip


@pytest.mark.parametrize("merge", [pytest.param(False, marks=pytest.mark.slow), True])
@pytest.mark.parametrize(
    "name",
    [
        name if name == "wrong for one length" else pytest.param(name, marks=pytest.mark.slow)
        for name in BODIES
    ],
)
def test_lengths_are_all_seen(name: str, merge: bool, tmp_path: Path) -> None:
    body, wanted, why = OWN.get(name, BODIES[name])
    path = tmp_path / "copied.c"
    path.write_text(f"{COPY}{ENTRY} {body}\n")
    one = replace(proving.kernel(*TEXT), function="copied")
    proving.need(one)
    image = image_of(linked(proving.ROOT, path, one.isa, tmp_path), one.isa)
    lengths_are_seen(image, one, merge, wanted, why)


def test_functions_of_the_c_library_do_what_c_says(tmp_path: Path) -> None:
    """Bytes are copied or set, as many as said; what need not be given back is gone."""
    path = tmp_path / "empty.c"
    path.write_text("void empty(void) {}\n")
    proving.need(proving.kernel(*TEXT))
    image = image_of(linked(proving.ROOT, path, "neon", tmp_path), "neon")
    assert isinstance(image, A64Image)
    for start, name in image.library.items():
        fill = name == "memset"
        m = ArmLengthMachine(Graph(), image, {"out": Region(0, 9, "rw", 1)})
        data = [m.g.word(f"{i}", 8) for i in range(9)]
        for i, byte in enumerate(data):
            m.write("out", i, byte, 1)
        m.set_register("sp", Lin(0, {"stack": 1}))
        m.set_register("x0", Lin(1, {"out": 1}))
        m.set_register("x1", 0x1A5 if fill else Lin(4, {"out": 1}))
        m.set_register("x2", 3)
        m.set_register("x19", 7)
        m.set_register("x30", 0x1234)
        assert m.step(start) == 0x1234
        want = [0xA5] * 3 if fill else data[4:7]
        left = [m.read("out", i, 1) for i in range(9)]
        assert left == [data[0], *want, *data[4:]]
        assert (m.register("x0"), m.register("x19")) == (Lin(1, {"out": 1}), 7)
        assert m.spaces["register"][image.registers["x9"][1]][0] is GONE
        for register in ("x1", "x17", "q3"):
            with pytest.raises(OpenError, match="leaves undefined"):
                m.bits(m.register(register), 8)
        m.set_register("x0", Lin(7, {"out": 1}))
        m.set_register("x1", 0 if fill else Lin(0, {"out": 1}))
        m.set_register("x2", 3)
        with pytest.raises(RefusedError, match="which has 0 to 8"):
            m.step(start)
