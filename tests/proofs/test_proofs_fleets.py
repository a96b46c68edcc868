# SPDX-License-Identifier: Apache-2.0
"""Short texts, texts with their key, key streams and chains of lanes on x86-64: proofs, spoilt
kernels, mutants, and attacks on the argument of lengths.py.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import proving
import pytest
from test_proofs_x86 import need

from hanji_lab import spec
from hanji_lab.kernels import Kernel
from hanji_lab.prove import fleets, mutants
from hanji_lab.prove.build import compiler, linked
from hanji_lab.prove.fleets import FleetCall, FleetTask, Plan, Plans, fleet_tasks
from hanji_lab.prove.graph import Blind, BudgetError, Graph
from hanji_lab.prove.induct import MismatchError
from hanji_lab.prove.lengths import LENGTH, LengthMachine, halved
from hanji_lab.prove.pcode import Image, OpenError, Region
from hanji_lab.prove.report import Prover, Verdict
from hanji_lab.prove.values import Lin, RefusedError, UndecidedError
from hanji_lab.prove.x86 import REGISTERS, X86, X86Image
from hanji_lab.spec.block import BlockCipher

AVX2, AVX512, WIDE = "speck/speck64_avx2.c", "speck/speck64_avx512.c", "speck/speck128_avx2.c"
TEXT, KEYED = "speck64_128_avx2_short_x64", "speck64_128_avx2_once_x512"
MASKED = "speck64_128_avx512_short_x64"
STREAMS, CHAINS = "speck64_128_avx2_streams_x8", "speck64_128_avx2_chains_x8"


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A file of the library, compiled by gcc once for all tests."""
    need()

    @cache
    def program(source: str) -> Path:
        isa = "avx512" if "avx512" in source else "avx2"
        directory = tmp_path_factory.mktemp(isa)
        return linked(proving.ROOT, proving.ROOT / "src" / source, isa, directory)

    return program


def few(one: Kernel, blocks: int = 9) -> FleetTask:
    """A task about few blocks, or one lane: it takes a second or two."""
    family, _, operation = one.spec.partition(".")
    cipher = spec.algorithm(family)
    assert isinstance(cipher, BlockCipher)
    build: dict[str, Callable[[Graph], Plans]] = {
        "short": partial(fleets.short, cipher, blocks, True, False),
        "once": partial(fleets.once, cipher, blocks, False),
        "streams": partial(fleets.streams, cipher, one.blocks, (3,)),
        "chains": partial(fleets.chains, cipher, one.blocks, 1, (2, 5)),
    }
    blind = operation in ("streams", "chains")
    return FleetTask(one, "few", build[operation], shared=not blind, blind=blind)


def verdict(one: Kernel, program: Path, *tasks: FleetTask) -> Verdict:
    """The verdict on a linked file."""
    blank = Verdict(one.name, one.symbol, one.spec, one.isa, one.source, "open")
    return Prover(proving.ROOT, seconds=250).proved(blank, X86Image(program), tasks)


@pytest.mark.parametrize(
    ("source", "function"),
    [
        *((AVX2, TEXT), (AVX2, KEYED), (AVX2, STREAMS)),
        *(pytest.param(*row, marks=pytest.mark.slow) for row in ((AVX512, MASKED), (AVX2, CHAINS))),
    ],
)
def test_few_blocks_are_proved(source: str, function: str, compiled: Callable[[str], Path]) -> None:
    one = proving.kernel(source, function)
    found = verdict(one, compiled(source), few(one))
    assert (found.verdict, found.why) == ("proved", "")


@pytest.mark.slow
@pytest.mark.parametrize("with_", ["gcc", "clang"])
@pytest.mark.parametrize(
    ("source", "function", "scope"),
    [
        (AVX2, TEXT, "1 to 512 bytes"),
        (AVX2, KEYED, "1 to 1024 bytes"),
        (AVX512, MASKED, "1 to 512 bytes"),
        (AVX2, STREAMS, "all flags"),
        (AVX2, CHAINS, "0 to 8 blocks"),
    ],
)
def test_kernel_is_proved(
    source: str, function: str, scope: str, with_: str, tmp_path: Path
) -> None:
    need()
    if shutil.which(compiler(with_)) is None:
        pytest.skip(f"{with_} is not installed")
    one = proving.kernel(source, function)
    program = linked(proving.ROOT, proving.ROOT / one.source, one.isa, tmp_path, with_)
    found = verdict(one, program, *fleet_tasks(one))
    assert (found.verdict, found.why) == ("proved", "")
    assert set(found.scope.values()) == {scope}


SHORT, ONCE = "lanes/vector_short.h", "lanes/vector_once.h"
LANES, LINKS, ROUNDS = "lanes/vector_streams.h", "lanes/vector_chains.h", "speck/speck_rounds.h"
# kernel, header, what is changed, the verdict and words of its reason
SPOILT: dict[str, tuple[tuple[str, str], str, str, str, str, str]] = {
    "one byte less": (
        (AVX2, TEXT), SHORT, "for (; at < bytes; at++)", "for (; at + 1 < bytes; at++)",
        "refused", "is never written",
    ),
    "one byte more": (
        (AVX2, TEXT), SHORT, "for (; at < bytes; at++)", "for (; at <= bytes; at++)",
        "refused", "which has 0 to",
    ),
    "one byte more under a mask": (
        (AVX512, MASKED), SHORT, "these = UINT64_MAX >> (64 - bytes);",
        "these = UINT64_MAX >> (63 - bytes);", "refused", "which has 0 to",
    ),
    "a whole vector of a part": (
        (AVX2, TEXT), SHORT, "if (bytes >= at + VECTOR_BYTES)\n                vector_store",
        "if (bytes + 1 >= at + VECTOR_BYTES)\n                vector_store",
        "refused", "which has 0 to",
    ),
    "the counter of a full block": (
        (AVX2, TEXT), SHORT, "(bytes - 1) / COUNTER_BYTES + 1", "bytes / COUNTER_BYTES + 1",
        "counterexample", "of counter, for 8 bytes, differs",
    ),
    "the key stream of another block": (
        (AVX2, TEXT), SHORT, "end + (bytes - part), n)", "end, n)",
        "counterexample", "of keystream, for 9 bytes, differs",
    ),
    "no carry into the upper half": (
        (WIDE, "speck128_128_avx2_short_x32"), SHORT, "(before & ~sum) >> 63", "(before & sum) >> 63",
        "counterexample", "differs",
    ),
    "a secret branch": (
        (AVX2, TEXT), SHORT, "const vector first = counter_everywhere(counter);",
        "const vector first = counter_everywhere(counter);\n    if (counter[0] & 1)\n        return;",
        "refused", "depends on data",
    ),
    "a round key of the schedule": (
        (AVX2, KEYED), ROUNDS, "^ (W(number))i ^ sum;", "^ (W(number))(i | 1) ^ sum;",
        "counterexample", "differs",
    ),
    "the numbers of blocks": (
        (AVX2, STREAMS), LANES, "(W(number))(at * BLOCKS_16 + b)", "(W(number))(at * BLOCKS_16)",
        "counterexample", "of streams",
    ),
    "counters behind the pieces": (
        (AVX2, STREAMS), LANES, "HANJI_STREAM_SLOTS * BLOCKS_16))",
        "HANJI_STREAM_SLOTS * BLOCKS_16 - 1))", "counterexample", "of streams",
    ),
    "a block behind the text": (
        (AVX2, CHAINS), LINKS, "(count[g] - number)", "(count[g] - number + 1)",
        "counterexample", "of chains",
    ),
    "a block of another lane": (
        (AVX2, CHAINS), LINKS, "(vector)block[i * step]", "repeat_eight(lowest_sixteen((vector)block[i * step]))",
        "counterexample", "of chains",
    ),
}  # fmt: skip
QUICK = ("the counter of a full block", "a part of a short text")


def spoilt(source: str, header: str, old: str, new: str, directory: Path) -> Path:
    """A file whose header has a text replaced."""
    path = proving.ROOT / "src" / header
    text = path.read_text()
    assert text.count(old) == 1, text.count(old)
    room = (directory / header).parent
    room.mkdir(exist_ok=True)

    def here(lines: str) -> str:
        return lines.replace(f'"{room.name}/', f'"{room}/')

    for beside in path.parent.glob("*.h"):
        (room / beside.name).write_text(here(beside.read_text()))
    (directory / header).write_text(here(text.replace(old, new)))
    changed = directory / Path(source).name
    changed.write_text(here((proving.ROOT / "src" / source).read_text()))
    return changed


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in SPOILT],
)
def test_spoilt_kernel_is_not_proved(name: str, tmp_path: Path) -> None:
    need()
    (source, function), header, old, new, wanted, why = SPOILT[name]
    one = proving.kernel(source, function)
    path = spoilt(source, header, old, new, tmp_path)
    found = verdict(one, linked(proving.ROOT, path, one.isa, tmp_path), few(one, 18))
    assert found.verdict == wanted, (found.verdict, found.why)
    assert why in found.why


WRITES_FIRST = {
    "a vector of a short text": (
        (AVX2, TEXT), "vector_store(out + at, (vector)(block[w] ^ vector_load(in + at)));",
        "vector_store(out + at, block[w]), vector_store(out + at, "
        "(vector)(block[w] ^ vector_load(in + at)));",
    ),
    "a part of a short text": (
        (AVX2, TEXT), "out[at] = (uint8_t)(in[at] ^ end[at]);",
        "((volatile uint8_t *)out)[at] = end[at], out[at] = (uint8_t)(in[at] ^ end[at]);",
    ),
    "a text with its key": (
        (AVX2, KEYED), "vector_store(out + at, (vector)(block[w] ^ vector_load(in + at)));",
        "vector_store(out + at, block[w]), vector_store(out + at, "
        "(vector)(block[w] ^ vector_load(in + at)));",
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [
        None,
        *(
            name if name in QUICK else pytest.param(name, marks=pytest.mark.slow)
            for name in WRITES_FIRST
        ),
    ],
)
def test_what_writes_before_it_reads_is_proved_apart_alone(
    name: str | None, tmp_path: Path
) -> None:
    need()
    (source, function), *change = WRITES_FIRST[name] if name else ((AVX2, TEXT),)
    one = proving.kernel(source, function)
    path = spoilt(source, SHORT, *change, tmp_path) if name else proving.ROOT / "src" / source
    cipher = spec.algorithm(one.spec.partition(".")[0])
    assert isinstance(cipher, BlockCipher)
    found = proving.verdict_of(
        one,
        linked(proving.ROOT, path, one.isa, tmp_path),
        *(
            replace(task, build=partial(*build, in_place))
            for in_place, task in zip((False, True), fleet_tasks(one), strict=False)
            for build in [
                (fleets.short, cipher, 18, True)
                if one.operation == "short"
                else (fleets.once, cipher, 18)
            ]
        ),
    )
    assert list(found.scope)[:1] == ["separate"]
    assert (found.verdict, len(found.scope)) == (("counterexample", 1) if name else ("proved", 2))
    if name:
        assert found.why.startswith("in place: ")


@pytest.mark.slow
def test_case_of_a_wrong_schedule_is_right_by_the_specification(tmp_path: Path) -> None:
    need()
    (source, function), header, old, new, _, _ = SPOILT["a round key of the schedule"]
    one = proving.kernel(source, function)
    path = spoilt(source, header, old, new, tmp_path)
    found = verdict(one, linked(proving.ROOT, path, one.isa, tmp_path), few(one, 1))
    assert found.case is not None
    contents, wanted, got = (found.case[key] for key in ("contents", "wanted", "found"))
    assert isinstance(contents, dict) and isinstance(wanted, dict) and isinstance(got, dict)
    cipher = spec.algorithm("speck64_128")
    assert isinstance(cipher, BlockCipher)
    text, key, iv = (bytes.fromhex(contents[name]) for name in ("in", "key", "iv"))
    assert cipher.once(text, key, iv).hex() == wanted["out"] != got["out"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("in: {buffer: in, bytes: bytes, access: r}", "in: {buffer: in, bytes: bytes, access: rw}"),
        ("secrets: in, counter, rk\n*/\n/*\n * And CTR over one", "secrets: in, rk\n*/\n/*\n * And CTR over one"),
        ("keystream: {buffer: keystream, bytes: block,", "keystream: {buffer: keystream, bytes: 9,"),
    ],
)  # fmt: skip
def test_header_that_says_otherwise_is_refused(old: str, new: str, tmp_path: Path) -> None:
    one = proving.spoilt(proving.kernel(AVX2, TEXT), tmp_path, (old, new))
    with pytest.raises(RefusedError, match="the header gives"):
        list(fleet_tasks(one))


# kernel, and how many mutants
MUTANTS = [(AVX2, TEXT, 2)]  # of these the slow set has more
MORE_MUTANTS = [
    *((AVX2, TEXT, 16), (AVX2, KEYED, 16), (AVX512, MASKED, 12)),
    *((AVX2, STREAMS, 16), (AVX2, CHAINS, 12)),
]


@pytest.mark.parametrize(
    ("source", "function", "count"),
    [*MUTANTS, *(pytest.param(*row, marks=pytest.mark.slow) for row in MORE_MUTANTS)],
)
def test_mutants_are_wrong_or_compute_the_same(
    source: str, function: str, count: int, compiled: Callable[[str], Path]
) -> None:
    """Accepted are those alone that give what is wanted on random numbers, too, as changes of what
    wipes the stack do.
    """
    one = proving.kernel(source, function)
    prover = Prover(proving.ROOT)
    prover.images[one.source, one.isa] = X86Image(compiled(source))
    proving.wrong_or_the_same(mutants.x86_mutants(prover, one, count, fleet=few(one)), count)


@pytest.mark.slow
def test_numbers_refute_a_wrong_kernel(tmp_path: Path) -> None:
    """The control of the second opinion."""
    need()
    (source, function), header, old, new, _, _ = SPOILT["the counter of a full block"]
    one = proving.kernel(source, function)
    for change, right in ((old, True), (new, False)):
        path = spoilt(source, header, old, change, tmp_path)
        image = X86Image(linked(proving.ROOT, path, one.isa, tmp_path))
        assert mutants.fleet_call(image, few(one, 1)).right_on_numbers(1) == right


# The argument of lengths.py: functions that copy `bytes` bytes, some of them wrongly.

COPY = """
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#define APART __attribute__((noinline, noclone))
#define HIDE(x) __asm__ volatile("" : "+r"(x) : : "memory")
static APART void bytes_of(uint8_t *out, const uint8_t *in, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = in[i];
        HIDE(out);
    }
}
static APART size_t upto(size_t n) { size_t most = 8; HIDE(most); return n < most ? n : most; }
"""
ENTRY = "void copied(uint8_t *out, const uint8_t *in, size_t n)\n{"
BODIES: dict[str, tuple[str, str, str]] = {
    "right": ("bytes_of(out, in, n); }", "proved", ""),
    "right in two parts": (
        "const size_t at = n / 8 * 8; bytes_of(out + at, in + at, n - at); bytes_of(out, in, at); }",
        "proved", "",
    ),
    "wrong for one length": (
        "bytes_of(out, in, n == 37 ? 36 : n); }", "refused", "for 37 bytes, is never written",
    ),
    "wrong data for one length": (
        "bytes_of(out, in, n); if (n == 37) out[36] = 1; }", "MismatchError", "for 37 bytes, differs",
    ),
    "wrong data in the merged part": (
        "const size_t at = n / 8 * 8; bytes_of(out + at, in + (n == 21 ? 0 : at), n - at);"
        "bytes_of(out, in, at); }", "MismatchError", "for 21 bytes, differs",
    ),
    "what is done is spoilt later": (
        "const size_t at = n / 8 * 8; bytes_of(out + at, in + at, n - at); bytes_of(out, in, at);"
        "if (n > 40) out[n - 1] = 0; }", "MismatchError", "",
    ),
    "what is done is spoilt at its begin": (
        "const size_t at = n / 8 * 8; bytes_of(out + at, in + at, n - at); bytes_of(out, in, at);"
        "if (at < n) out[at] = 0; }", "MismatchError", "",
    ),
    "more than the text": ("bytes_of(out, in, n + (n == 44)); }", "refused", "which has 0 to 43"),
    "a number that lengths differ in": (
        "size_t k = upto(n); bytes_of(out, in, k); bytes_of(out + k, in + k, n - k - (n == 3)); }",
        "refused", "",
    ),
    "stack below a call": (
        "uint8_t *p = __builtin_alloca(0); (void)p; bytes_of(out, in, n);"
        "uint64_t x; __asm__ volatile(\"mov -24(%%rsp), %0\" : \"=r\"(x));"
        "__asm__ volatile(\"\" : : \"r\"(x)); }", "refused", "",
    ),
    "a saved register": (
        "bytes_of(out, in, n); __asm__ volatile(\"xor %%ebx, %%ebx\" ::); }",
        "refused", "is not given back",
    ),
    "a changed input": (
        "bytes_of(out, in, n); if (n == 12) ((uint8_t *)in)[0] = 1; }", "refused", "only be read",
    ),
}  # fmt: skip


def copied(merge: bool, in_place: bool, g: Graph) -> Plans:
    """A copy of 1 to 47 bytes."""
    data = [g.word(f"text {i}", 8) for i in range(47)]
    source, target = fleets._buffers(in_place)
    yield Plan(
        {source: data},
        {source: LENGTH, target: LENGTH},
        {source: "r", target: "rw" if in_place else "w"},
        [target, source, LENGTH],
        (1, 47),
        target,
        lambda length: {target: {at: data[at] for at in range(length)}},
        merge=merge,
        scope="all",
    )


def lengths_are_seen(image: Image, one: Kernel, merge: bool, wanted: str, why: str) -> None:
    """The verdict on such a function is as wanted; where runs go on as one it may be open."""
    task = FleetTask(one, "copied", partial(copied, merge, False))
    g = Graph(seconds=60)
    g.known = {}
    try:
        FleetCall(g, image, task).prove()
        said, reason = "proved", ""
    except RefusedError as problem:
        said, reason = "refused", str(problem)
    except (OpenError, BudgetError, MismatchError) as problem:
        said, reason = type(problem).__name__, str(problem)
    assert said == wanted or (merge and wanted != "proved" and said == "OpenError"), reason
    assert said != wanted or why in reason


@pytest.mark.parametrize("merge", [pytest.param(False, marks=pytest.mark.slow), True])
@pytest.mark.parametrize("name", BODIES)
def test_lengths_are_all_seen(name: str, merge: bool, tmp_path: Path) -> None:
    need()
    body, wanted, why = BODIES[name]
    path = tmp_path / "copied.c"
    path.write_text(f"{COPY}{ENTRY} {body}\n")
    one = replace(proving.kernel(AVX2, TEXT), function="copied")
    image = X86Image(linked(proving.ROOT, path, "avx2", tmp_path))
    lengths_are_seen(image, one, merge, wanted, why)


@pytest.mark.parametrize("ends", [(1, 2), (0, 1), (1, 512), (33, 64), (5, 7), (128, 255)])
def test_halves_are_all_of_the_lengths(ends: tuple[int, int]) -> None:
    low, high = ends
    assert low <= halved(low, high) < high


def machine(low: int, high: int) -> LengthMachine:
    """A machine with a text of these lengths."""
    image = X86Image.__new__(X86Image)
    image.isa, image.registers = X86, REGISTERS
    m = LengthMachine(Graph(), image, {"text": Region(0, low, "rw", 1)})
    m.scaled, m.bounds = ("text",), {LENGTH: (low, high), "text": (1, 1 << 62)}
    m.alignment = {"text": 1}
    return m


@pytest.mark.parametrize("width", [32, 64])
def test_rules_for_lengths_agree_with_numbers(width: int) -> None:
    """Quotients and rests of lengths are what they are for each, or have no rule."""
    known = 0
    for low, high in ((1, 8), (8, 15), (9, 16), (64, 127), (3, 3), (1, 100)):
        for c in (-1, 0, 7, 31):
            for name in ("INT_RIGHT", "INT_AND"):
                for y in (0, 1, 3, 6, 7, 63, -8 % (1 << width), -64 % (1 << width), 5, 255):
                    m = machine(low, high)
                    try:
                        made = m._linear(name, [Lin(c, {LENGTH: 1}), y], width, width)
                    except (OpenError, RefusedError):
                        continue
                    known += 1
                    for length in range(low, high + 1):
                        x = (c + length) % (1 << width)
                        want = x & y if name == "INT_AND" else x >> y
                        got = (
                            made
                            if isinstance(made, int)
                            else made.c + length * made.factors[LENGTH]
                        )
                        assert got % (1 << width) == want, (name, c, y, length)
    assert known > 60


def test_no_access_behind_the_shortest_length() -> None:
    m = machine(5, 9)
    assert m._place(Lin(4, {"text": 1}), 1, "store") == ("text", 4)
    with pytest.raises(RefusedError):
        m._place(Lin(5, {"text": 1}), 1, "store")
    m.right = 2
    m.limited(5, 9)
    with pytest.raises(RefusedError):
        m._place(Lin(2, {"text": 1}), 1, "load")
    assert m.narrowed(7, 7).regions["text"].high == 2


def test_a_branch_on_lengths_is_not_decided_for_some() -> None:
    m = machine(5, 9)
    condition = m._linear("INT_LESS", [Lin(0, {LENGTH: 1}), 7], 64, 8)
    with pytest.raises(UndecidedError):
        m._taken(condition)
    assert m.narrowed(5, 6)._taken(condition)


def test_round_keys_that_hang_on_a_counter_are_open() -> None:
    g = Blind()
    cipher = spec.algorithm("speck64_128")
    assert isinstance(cipher, BlockCipher)
    fleet = fleets.Fleet(g, cipher, 8, (3,))
    m = machine(1, 1)
    m.g = g
    low, high = fleet.lane[3].counter[:8], fleet.lane[3].counter[8:16]
    for byte in (low, tuple(map(g.and_, low, high))):
        m.write("text", 0, byte, 1)
        with pytest.raises(OpenError, match="hang on its counter"):
            fleet.round_keys(m, "text")
    m.write("text", 0, fleet.lane[3].key[0], 1)
    assert fleet.round_keys(m, "text") == {0: fleet.lane[3].key[0]}
