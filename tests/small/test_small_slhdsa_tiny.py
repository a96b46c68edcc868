# SPDX-License-Identifier: Apache-2.0
"""SLH-DSA in the tiny profile: it accepts what NIST's tests call valid, refuses everything else, and
answers every wrong call as the library does.
"""

from __future__ import annotations

import base64
import ctypes
import itertools
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import vectors_io
from debian import need

from hanji_lab.spec.slhdsa import VARIANTS

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests/consumers")]
import amalgam  # noqa: E402
import test_residue  # noqa: E402
import test_small_tiny  # noqa: E402

import tiny  # noqa: E402

VALID, INVALID = 0x6A09E667, 0x95F61998
OK, ARGUMENT, LENGTH = 0, -1, -2
FLAGS = ("-O1", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-shared", "-fPIC")


class Verifier:
    """An amalgam for the host, with a context that has guards around it."""

    def __init__(self, folder: Path, name: str, profile: str) -> None:
        need("gcc")
        self.set_name = name.removesuffix("-verify")
        self.n = VARIANTS[self.set_name].n
        if profile == "tiny":
            tiny.write([name], "0", folder)
        else:
            amalgam.write(amalgam.chosen(name), "portable", set(), folder)
        library = folder / "hanji.so"
        subprocess.run(["gcc", *FLAGS, folder / "hanji.c", "-o", library], check=True)
        self.c = ctypes.CDLL(str(library))
        self.c.hanji_slhdsa_by_name.restype = ctypes.c_void_p
        self.c.hanji_slhdsa_stream_end.restype = ctypes.c_uint32
        self.set = self.c.hanji_slhdsa_by_name(self.set_name.encode())
        self.memory = ctypes.create_string_buffer(1024)
        self.ctx = ctypes.addressof(self.memory) + 8  # what alignof(uint64_t) is enough for

    def init(self, start, context, key, mode=0, other=None) -> int:
        """With other arguments in the place of these, by name, and other sizes (start_bytes)."""
        other = other or {}
        given = {"ctx": self.ctx, "start": start, "context": context, "key": key, "set": self.set}
        given |= other
        sizes = {
            name: other[f"{name}_bytes"] if f"{name}_bytes" in other else len(given[name] or b"")
            for name in ("start", "context", "key")
        }
        of = [
            value
            for name in ("start", "context")
            for value in (given[name], ctypes.c_size_t(sizes[name]))
        ]
        of += [ctypes.c_int(mode), given["key"], ctypes.c_size_t(sizes["key"])]
        return self.c.hanji_slhdsa_stream_init(_pointer(given["ctx"]), *of, _pointer(given["set"]))

    def message(self, data, count=None, ctx=True) -> int:
        size = ctypes.c_size_t(len(data) if count is None else count)
        return self.c.hanji_slhdsa_stream_message(data, size, _pointer(self.ctx if ctx else None))

    def signature(self, data, count=None, ctx=True) -> int:
        size = ctypes.c_size_t(len(data) if count is None else count)
        return self.c.hanji_slhdsa_stream_signature(data, size, _pointer(self.ctx if ctx else None))

    def end(self, ctx=True) -> int:
        return self.c.hanji_slhdsa_stream_end(_pointer(self.ctx if ctx else None))

    def verdict(self, test, piece: int = 64) -> int:
        """On a whole signature, which comes in pieces; INVALID after the first error."""
        signature, n = test["signature"], self.n
        if self.init(signature[:n], test["context"], test["pk"]) != OK:
            return self.end()
        for call, data in ((self.message, test["msg"]), (self.signature, signature[n:])):
            for at in range(0, len(data), piece):
                if call(data[at : at + piece]) != OK:
                    return self.end()
        return self.end()


def _pointer(value):
    return ctypes.c_void_p(value) if isinstance(value, int) or value is None else value


def vectors(name: str) -> Iterator[dict]:
    """The tests of NIST of a set in pure mode, with bytes in the place of their texts."""
    for test in vectors_io.document("slhdsa/signatures")["tests"]:
        if (test["mode"], test["variant"]) != ("VERIFY", name) or "preHash" in test:
            continue
        if test["interface"] == "external":
            fields = ("signature", "msg", "context", "pk")
            yield {"result": test["result"]} | {
                field: base64.b64decode(test.get(field, "")) for field in fields
            }


def valid(name: str) -> dict:
    return next(test for test in vectors(name) if test["result"] == "valid")


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> Verifier:
    return Verifier(tmp_path_factory.mktemp("tiny"), "slh-dsa-shake-128s-verify", "tiny")


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Verifier:
    return Verifier(tmp_path_factory.mktemp("full"), "slh-dsa-shake-128s-verify", "full")


@pytest.mark.parametrize("name", VARIANTS)
def test_known_answers(tmp_path: Path, name: str) -> None:
    one = Verifier(tmp_path, f"{name}-verify", "tiny")
    header = (tmp_path / "hanji.h").read_text()
    assert re.search(rf"SIGNATURE_BYTES {VARIANTS[name].signature_size}$", header, re.MULTILINE)
    results = set()
    for test in vectors(name):
        expected = VALID if test["result"] == "valid" else INVALID
        assert one.verdict(test) == expected
        results.add(test["result"])
    assert "valid" in results


@pytest.mark.parametrize("piece", [1, 15, 17, 136, 137, 10_000])
def test_pieces_may_have_any_size(small: Verifier, piece: int) -> None:
    assert small.verdict(valid(small.set_name), piece) == VALID


def test_every_part_is_verified(small: Verifier) -> None:
    """A bit of each field: the start, FORS secrets and paths, chains and paths of every layer."""
    test, one = valid(small.set_name), VARIANTS[small.set_name]
    n, fors = one.n, one.k * (1 + one.a)
    layer = one.chains + one.height
    places = [0, 1, 2, one.a + 1, fors, fors + 1]  # in values of n bytes
    for at in range(1 + fors, 1 + fors + one.d * layer, layer):
        places += [at, at + one.chains - 1, at + one.chains, at + layer - 1]
    for place in places:
        altered = bytearray(test["signature"])
        altered[n * place + place % n] ^= 1 << place % 8
        assert small.verdict(test | {"signature": bytes(altered)}) == INVALID, place
    for field in ("msg", "context", "pk"):
        altered = bytearray(test[field])
        altered[-1] ^= 1
        assert small.verdict(test | {field: bytes(altered)}) == INVALID, field
    for wrong in (test["signature"][:-1], test["signature"] + b"\0", test["signature"][:n]):
        assert small.verdict(test | {"signature": wrong}) == INVALID
    assert small.verdict(test | {"context": test["context"] + b"\0"}) == INVALID


def test_wrong_calls_are_answered_as_the_library_does(small: Verifier, library: Verifier) -> None:
    test = valid(small.set_name)
    n, context, key = 16, test["context"], test["pk"]
    start = test["signature"][:n]

    def answers(one: Verifier) -> list[object]:
        found: list[object] = []

        def said(code: int) -> None:
            found.append((code, hex(one.end())))

        said(one.init(start, context, key))
        said(one.init(start, None, key))
        said(one.init(start, b"c" * 255, key))
        said(one.init(start, b"c" * 256, key))
        said(one.init(start + b"\0", context, key))
        said(one.init(start, context, key[:-1]))
        said(one.init(start, context, key, mode=1))
        for missing in ("start", "key", "set", "ctx"):
            sizes = {f"{missing}_bytes": 2 * n if missing == "key" else n}
            said(one.init(start, context, key, other={missing: None, **sizes}))
        said(one.init(start, None, key, other={"context_bytes": 1}))
        within = {"start": _pointer(one.ctx + 8), "start_bytes": n}
        said(one.init(start, context, key, other=within))
        before = {"key": _pointer(one.ctx - 8), "key_bytes": 2 * n}
        said(one.init(start, context, key, other=before))
        for call in (one.message, one.signature):
            said(call(b"abc"))  # without a beginning
            assert one.init(start, context, key) == OK
            said(call(b"abc", ctx=False))
            assert one.init(start, context, key) == OK
            said(call(None, 1))
            assert one.init(start, context, key) == OK
            said(call(None, 0))
            assert one.init(start, context, key) == OK
            said(call(_pointer(one.ctx + 100), 4))
            assert one.init(start, context, key) == OK
            said(call(b"a" * 7857))
        assert one.init(start, context, key) == OK
        assert one.signature(b"") == OK
        said(one.message(b"late"))
        said(one.end(ctx=False))
        return found

    assert answers(small) == answers(library)


def test_pieces_and_errors_in_any_order(small: Verifier, library: Verifier) -> None:
    """The same calls to both, of random kinds and sizes."""
    source, test = random.Random(7), valid(small.set_name)
    signature = test["signature"]
    for _ in range(40):
        at = 16
        codes = [one.init(signature[:16], test["context"], test["pk"]) for one in (small, library)]
        assert codes == [OK, OK]
        for _ in range(source.randrange(1, 8)):
            if source.random() < 0.4:
                part = source.randbytes(source.choice((0, 1, 135, 136, 137, 300)))
                codes = [one.message(part) for one in (small, library)]
            else:
                part = signature[at : at + source.choice((0, 1, 15, 16, 17, 500, 9000))]
                at += len(part)
                codes = [one.signature(part) for one in (small, library)]
            assert codes[0] == codes[1]
        assert small.end() == library.end() == INVALID


def test_the_context_is_erased_and_nothing_is_written_beside_it(small: Verifier) -> None:
    size = 456 + 6 * small.n
    before, inside = bytes(small.memory.raw[:8]), slice(8, 8 + size)
    small.memory[8 + size : 1024] = b"\xaa" * (1016 - size)
    assert small.verdict(valid(small.set_name)) == VALID
    assert small.memory.raw[:8] == before
    assert small.memory.raw[8 + size :] == b"\xaa" * (1016 - size)
    assert not any(small.memory.raw[inside])
    assert small.init(b"s" * 16, b"", b"k" * 32) == OK
    assert any(small.memory.raw[inside])
    assert small.message(None, 1) == ARGUMENT
    assert not any(small.memory.raw[inside])


def test_one_set_at_a_time() -> None:
    names = [f"slh-dsa-shake-{size}-verify" for size in ("128s", "192s")]
    with pytest.raises(tiny.TinyError, match="one set of SLH-DSA at a time"):
        tiny.make(names, "0")
    header, source = tiny.make([names[0], "ascon-hash256"], "0")
    assert "hanji_ascon_hash256" in header and "slh_take" in source
    with pytest.raises(tiny.TinyError, match="no kernel of it for rv32i"):
        tiny.make(names[:1], "0", "rv32i")


DAMAGES = {
    "a rotation": ("by += i + 1;", "by += i + 2;"),
    "the last round": ("round < 24", "round < 23"),
    "a side": ("is_right ? v->value : v->node", "is_right ? v->node : v->value"),
    "the checksum": ("sum >> 8", "sum >> 9"),
    "the end is not looked at": ("hanji_equal(v->root, v->node, SLH_N)", "0"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_control_a_damage_is_found(tmp_path: Path, monkeypatch, damage: str) -> None:
    """What a valid signature does not show: none of them accepts one."""
    old, new = DAMAGES[damage]
    made = tiny.files

    def damaged(*given):
        texts = made(*given)
        assert texts["hanji.c"].count(old) == 1
        return texts | {"hanji.c": texts["hanji.c"].replace(old, new)}

    monkeypatch.setattr(tiny, "files", damaged)
    one = Verifier(tmp_path, "slh-dsa-shake-128s-verify", "tiny")
    assert one.verdict(valid(one.set_name)) == INVALID


BOARDS = {"portable": tuple(test_residue.MACHINES), "armv7m": ("cortex-m4",)}
CASES = [
    pytest.param(machine, isa, level, marks=() if level in ("-Os", "-O2") else pytest.mark.slow)
    for isa, machines in BOARDS.items()
    for machine, level in itertools.product(machines, ("-O0", *test_residue.LEVELS))
]


def left_on_the_stack(folder: Path, machine: str, isa: str, level: str) -> list[str]:
    need("gcc")
    tiny.write(["slh-dsa-shake-128f-verify"], "0", folder, isa)
    (folder / "jobs.h").write_text((HERE / "slhdsa_jobs.h").read_text())
    options = f"{level} -DHANJI_TINY -DONLY_PURE"
    lines = test_residue.lines_of(folder, folder, machine, options, is_roomy=True)
    assert not [line for line in lines if re.match("refused |.*overflow", line)]
    return [line for line in lines if line.startswith("residue ")]


@pytest.mark.parametrize(("machine", "isa", "level"), CASES)
def test_nothing_of_the_message_is_left_on_the_stack(
    tmp_path: Path, machine: str, isa: str, level: str
) -> None:
    found = left_on_the_stack(tmp_path, machine, isa, level)
    assert [line.split(",")[0] for line in found] == [
        "residue control leaves its key",
        "residue control leaves bytes of its text",
    ], "\n".join(found[2:])


def depths(folder: Path, machine: str, isa: str, compiler: str, level: str) -> dict[str, int]:
    """Bytes of stack below every call, as test_small_tiny.py finds them: with a wiper that goes
    deeper than all frames, and with one that does not.
    """
    totals = []
    for depth in (16, 480):
        tiny.write(["slh-dsa-shake-128f-verify"], "0", folder, isa)
        (folder / "jobs.h").write_text((HERE / "slhdsa_jobs.h").read_text())
        source = (folder / "hanji.c").read_text()
        made = re.sub(r"(?m)^#define (SLH_DEPTH) \d+$", rf"#define \1 {depth}", source)
        (folder / "hanji.c").write_text(made)
        flags = "-DHANJI_TINY -DONLY_PURE"
        whole = test_small_tiny.LTO in level
        library = None if whole else test_small_tiny.compiled(folder, machine, compiler, level)
        build = f"{level if whole else '-Os'} {flags}"
        roomy = machine != "avr"
        lines = test_residue.lines_of(
            folder, folder, machine, build, is_roomy=roomy, library=library
        )
        rows = [line[4:].rpartition(" ") for line in lines if line.startswith("job ")]
        totals.append({call: int(size) for call, _, size in rows if "control" not in call})
    short, deep = totals
    return {call: short[call] - (deep[call] - 480) for call in deep}


DEEP = [("avr", "portable", "gcc", "-Os"), ("cortex-m0", "portable", "gcc", "-Os")]
DEEP += [("cortex-m4", "armv7m", "clang", "-Os"), ("rv32imac", "portable", "gcc", "-O3")]
ALL_DEEP = [
    (machine, isa, compiler, level)
    for isa, machines in {**BOARDS, "portable": (*BOARDS["portable"], "avr")}.items()
    for machine in machines
    for compiler in ("gcc", "clang")
    for level in ("-Os", "-Os -flto", "-Oz", "-O0", "-O1", "-O2", "-O3")
    if level not in ({"-Os -flto"} if compiler == "clang" else {"-Oz"})
    if (machine, compiler) != ("avr", "clang")
]


@pytest.mark.parametrize(
    ("machine", "isa", "compiler", "level"),
    [pytest.param(*case, marks=() if case in DEEP else pytest.mark.slow) for case in ALL_DEEP],
)
def test_every_call_wipes_as_deep_as_it_goes(
    tmp_path: Path, machine: str, isa: str, compiler: str, level: str
) -> None:
    held = (
        list(tiny.DEPTHS.values())[{"avr": 0, "cortex-m0": 1}.get(machine, 2)]
        if isa == "portable"
        else tiny.KERNEL_DEPTHS[isa]
    )
    first = level.split()[0]
    most = held["SLH_DEPTH"][2 if first == "-O0" else 0 if first in ("-Os", "-Oz") else 1]
    found = depths(tmp_path, machine, isa, compiler, level)
    assert set(found) == {"message", "end of message", "end"}
    assert 16 < max(found.values()) <= most, found


def test_control_a_wiper_that_is_too_short_is_found(tmp_path: Path, monkeypatch) -> None:
    depths = {given: of | {"SLH_DEPTH": (16, 16, 16)} for given, of in tiny.DEPTHS.items()}
    monkeypatch.setattr(tiny, "DEPTHS", depths)
    assert len(left_on_the_stack(tmp_path, "cortex-m4", "portable", "-Os")) > 2


def test_permutations_are_within_the_bound_of_the_watchdog(tmp_path: Path, monkeypatch) -> None:
    """Counted in the signature that docs/firmware-updates.md measures, and between two pauses."""
    made = tiny.files
    counter = """static unsigned permutations, pauses, most, before;
unsigned counted(int which);
unsigned counted(int which) { return which == 0 ? permutations : which == 1 ? pauses : most; }
static void pause_(void)
{
    if (pauses++ != 0 && permutations - before > most)
        most = permutations - before;
    before = permutations;
}
"""

    def counting(*given):
        texts = made(*given)
        source = texts["hanji.c"]
        for old, new in (
            ("static NOINLINE void keccak_permute(keccak_half *s)\n{", "permutations++;"),
            ("__attribute__((weak)) void hanji_yield(void) {", "pause_();"),
        ):
            assert source.count(old) == 1
            source = source.replace(old, f"{old}\n    {new}")
        return texts | {
            "hanji.c": source.replace(
                "typedef uint32_t keccak_half", counter + "typedef uint32_t keccak_half", 1
            )
        }

    monkeypatch.setattr(tiny, "files", counting)
    one = Verifier(tmp_path, "slh-dsa-shake-128s-verify", "tiny")
    test = valid(one.set_name)
    assert one.verdict(test) == VALID
    permutations, pauses, most = (one.c.counted(which) for which in range(3))
    message = (3 * one.n + 2 + len(test["context"]) + len(test["msg"])) // 136 + 1
    text = " ".join((ROOT / "docs/firmware-updates.md").read_text().split())
    assert f"has {permutations - message:,} permutations and {message} for its message" in text
    assert pauses == len(test["signature"]) // one.n - 1
    assert most <= 17
    assert permutations - message <= 3853
