# SPDX-License-Identifier: Apache-2.0
"""CTR in laps: kernels whose loop over groups has a loop over at most so many of them in it, such
kernels with an error, plans that say something wrong, and kernels that hand their calls on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import debian
import proving
import pytest
from test_proofs_x86 import COUNTER, need

from hanji_lab.prove import contracts, laps
from hanji_lab.prove.build import image_of, linked
from hanji_lab.prove.contracts import Task, tasks
from hanji_lab.prove.graph import Bits, Graph, Veiled
from hanji_lab.prove.induct import Call
from hanji_lab.prove.inner import inner_of
from hanji_lab.prove.laps import Held, Laps, Plan
from hanji_lab.prove.lift import Bytes, Lifted, big_endian
from hanji_lab.prove.pcode import OpenError
from hanji_lab.prove.report import Prover, Verdict
from hanji_lab.prove.values import RefusedError
from hanji_lab.prove.words import add, number_bits
from hanji_lab.prove.x86 import X86Image

LAPS = """#include <stddef.h>
#include <stdint.h>
#pragma GCC optimize("O1")
static uint32_t load(const void *p) { return __builtin_bswap32(*(const uint32_t *)p); }
void FUNCTION(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter, const void *keys)
{
    uint32_t next = load(counter);
    (void)keys;
    while (groups > 0) {
        const size_t part = groups < 4 ? groups : 4;
        const uint32_t now = next;
        next += (uint32_t)part;
        groups -= part;
        for (size_t i = 0; i < part; i++) {
            *(uint32_t *)out = *(const uint32_t *)in ^ __builtin_bswap32(now + (uint32_t)i);
            in += 4;
            out += 4;
        }
    }
    *(uint32_t *)counter = __builtin_bswap32(next);
}
"""
# A kernel whose cipher is none: its loop over groups has a loop over at most four of them in it.
WRONG_LAPS = {  # and why it is not proved
    "counter of whole laps": ("next += (uint32_t)part", "next += 4", "of counter differs"),
    "first counter in each lap": (
        "now = next",
        "now = load(counter)",
        "with 0 groups of a lap done .* of out now differs",
    ),
    "counter of three groups": (
        "next += (uint32_t)part",
        "next += groups == 3 ? 2 : (uint32_t)part",
        "of counter differs|of out now differs",
    ),
    "last group of a lap": (
        "(uint32_t)i)",
        "(uint32_t)i + (i == 3))",
        "with 3 groups of a lap done .* of out now differs",
    ),
    "last group of all": (
        "(uint32_t)i)",
        "(uint32_t)i + (groups == 0 && i == 2))",
        "with 2 groups of a lap done .* of out now differs",
    ),
    "groups left": ("groups -= part", "groups -= groups > 4 ? 5 : part", "for more: "),
    "input of the lap before": ("in += 4", "in += i < 3 ? 4 : -12", "for more: |no rule for sbb"),
    "one group too many": ("i < part", "i <= part", "bytes 4 to 7 of in"),
}


def _lifted(g: Graph) -> Lifted:
    first = g.counter("counter", 32)

    def stream(data: Bytes, counter: Bits | None) -> Bytes:
        assert counter is not None
        pairs = zip(data, big_endian(counter), strict=True)
        return [tuple(map(g.xor, a, b)) for a, b in pairs]

    def later(counter: Bits, n: int) -> Bits:
        return add(g, counter, number_bits(n, 32))

    fixed: dict[str, Bytes] = {"counter": big_endian(first), "rk": []}
    return Lifted("in", "out", 4, stream, fixed, first, later, later)


def _task() -> Task:
    """CTR of a cipher that is none: the counter is the key stream."""
    one = replace(proving.kernel(*COUNTER), blocks=1)
    return replace(next(iter(contracts.tasks(one))), kernel=one, lifted=_lifted, shared=False)


def _image(text: str, directory: Path) -> X86Image:
    path = directory / "laps.c"
    path.write_text(text)
    return X86Image(linked(proving.ROOT, path, "avx2", directory))


def _verdict(text: str, change: Sequence[str], directory: Path) -> Verdict:
    """The verdict on a function, in which a text is changed into another."""
    task = _task()
    one = task.kernel
    if change:
        assert text.count(change[0]) == 1
        text = text.replace(change[0], change[1])
    image = _image(text.replace("FUNCTION", one.symbol), directory)
    blank = Verdict(one.name, one.symbol, one.spec, one.isa, "", "open")
    tasks = [task, replace(task, name="in place", in_place=True)]
    return Prover(proving.ROOT, seconds=30).proved(blank, image, tasks)


@pytest.mark.parametrize("name", ["", *WRONG_LAPS])
def test_laps_of_groups_are_proved_and_wrong_ones_are_not(name: str, tmp_path: Path) -> None:
    need()
    found = _verdict(LAPS, WRONG_LAPS[name] if name else (), tmp_path)
    assert (found.verdict == "proved") == (not name), found.why
    assert not name or re.search(WRONG_LAPS[name][2], found.why), found.why
    if not name:
        assert set(found.scope.values()) == {"0 and more"}
        task = _task()
        image = _image(LAPS.replace("FUNCTION", task.kernel.symbol), tmp_path)
        call = Call(Graph(), image, task)
        plan = laps.suggested(call)
        assert plan is not None and plan.lap == 4


PARTS = """#include <stddef.h>
#include <stdint.h>
#pragma GCC optimize("O1")
void FUNCTION(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter, const void *keys)
{
    uint32_t next = __builtin_bswap32(*(const uint32_t *)counter), second = 0;
    (void)keys;
    for (size_t parts = 2 * groups; parts > 0; parts--) {
        const uint32_t now = __builtin_bswap32(next) >> 16 * second;
        next += second;
        second ^= 1;
        *(uint16_t *)out = *(const uint16_t *)in ^ (uint16_t)now;
        in += 2;
        out += 2;
        __asm__("" : "+r"(in), "+r"(out), "+r"(parts)); /* which gcc would make one index of */
    }
    *(uint32_t *)counter = __builtin_bswap32(next);
}
"""
WRONG_PARTS = {
    "first part twice": (" >> 16 * second", ""),
    "the next counter too early": ("next += second", "next += !second"),
    "three parts": ("2 * groups", "3 * groups"),
    "a part of the last group": ("(uint16_t)now", "(uint16_t)(now + (parts == 1))"),
    "a part of an early group": ("(uint16_t)now", "(uint16_t)(now + (parts == 9))"),
}


@pytest.mark.parametrize("name", ["", *WRONG_PARTS])
def test_groups_in_two_parts_are_proved_and_wrong_ones_are_not(name: str, tmp_path: Path) -> None:
    need()
    found = _verdict(PARTS, WRONG_PARTS[name] if name else (), tmp_path)
    assert (found.verdict == "proved") == (not name), found.why


COUNTING = """#include <stddef.h>
#include <stdint.h>
#pragma GCC optimize("O1")
static uint32_t load(const void *p) { return __builtin_bswap32(*(const uint32_t *)p); }
void FUNCTION(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter, const void *keys)
{
    uint32_t next = load(counter), behind = load(counter);
    (void)keys;
    for (size_t left = groups; left > 0; left--) {
        *(uint32_t *)out = *(const uint32_t *)in ^ __builtin_bswap32(next++);
        in += 4;
        out += 4;
        __asm__("" : "+r"(in), "+r"(out), "+r"(left));
    }
    for (; groups > 0; groups--) {
        behind += 1;
        __asm__("" : "+r"(behind)); /* which gcc would make one sum of */
    }
    *(uint32_t *)counter = __builtin_bswap32(behind);
}
"""
WRONG_COUNTING = {
    "by two": ("behind += 1", "behind += 2", "no invariant|counter differs"),
    "from the next one": (
        "behind = load(counter)",
        "behind = load(counter) + 1",
        "counter differs",
    ),
    "one round less": ("; groups > 0;", "; groups > 1;", ""),
    "one round more": ("; groups > 0;", "; groups + 1 > 0;", ""),
    "the last by two": ("behind += 1", "behind += groups == 1 ? 2 : 1", "counter differs"),
    "the third last by two": ("behind += 1", "behind += groups == 3 ? 2 : 1", ""),
    "until some counter": ("behind += 1", "if (behind == 7) break; behind += 1", "on data"),
    "by a key": ("behind += 1", "behind += *(const uint8_t *)keys", ""),
    "and an output": ("behind += 1", "behind += 1, out[-1] ^= 1", ""),
}


@pytest.mark.parametrize("name", ["", *WRONG_COUNTING])
def test_counters_that_are_counted_on_behind_all_groups(name: str, tmp_path: Path) -> None:
    need()
    found = _verdict(COUNTING, WRONG_COUNTING[name] if name else (), tmp_path)
    assert (found.verdict == "proved") == (not name), found.why
    assert not name or re.search(WRONG_COUNTING[name][2], found.why), found.why


def _numbers(plan: Plan, by: int) -> None:
    """Another number at every place of F(1) that has one."""
    shot = plan.full[1]
    for key, held in shot.items():
        if isinstance(held.value, int):
            shot[key] = replace(held, value=held.value + by)


def _functions(shot: dict[tuple[str, int], Held]) -> None:
    """Complements at every place that is a function of the counter."""
    for key, held in shot.items():
        if held.value is None and not held.unknown and any(x > 1 for x in held.bits):
            shot[key] = replace(held, bits=tuple(x ^ 1 for x in held.bits))


def _another_last(plan: Plan) -> None:
    """The counter behind the call is that of a lap with a group more."""
    plan.last[2], plan.last[3] = plan.last[3], plan.last[2]


WRONG_PLANS: dict[str, Callable[[Plan], object]] = {
    "shorter laps": lambda plan: setattr(plan, "lap", 2),
    "the head elsewhere": lambda plan: setattr(plan, "head", plan.hints.image.symbols["laps"]),
    "numbers": lambda plan: _numbers(plan, 1),
    "functions at F(0)": lambda plan: _functions(plan.full[0]),
    "functions at F(1)": lambda plan: _functions(plan.full[1]),
    "functions at S(0)": lambda plan: _functions(plan.short[0]),
    "functions at S(2)": lambda plan: _functions(plan.short[2]),
    "the counter behind the call": _another_last,
    "nothing at F(0)": lambda plan: plan.full[0].clear(),
    "nothing at S(1)": lambda plan: plan.short[1].clear(),
}


@pytest.mark.parametrize("kind", [Graph, Veiled])
@pytest.mark.parametrize("name", ["", *WRONG_PLANS])
def test_a_wrong_plan_proves_nothing(name: str, kind: type[Graph], tmp_path: Path) -> None:
    """The suggestion needs no trust: what it says wrongly is found, and then missing."""
    need()
    task = _task()
    image = _image(LAPS.replace("FUNCTION", task.kernel.symbol), tmp_path)
    image.symbols["laps"] = image.symbols[task.kernel.symbol]
    call = Call(kind(), image, task)
    plan = laps.suggested(call)
    assert plan is not None
    if not name:
        Laps(call, plan).prove()
        return
    WRONG_PLANS[name](plan)
    with pytest.raises((OpenError, RefusedError)):
        Laps(call, plan).prove()


def test_a_literal_stands_in_for_another() -> None:
    """What is made behind `stand_in` has the second literal, whatever way it comes about."""
    g = Graph()
    x, y, z = g.word("x", 3)
    since = g.rows
    node, other = g.xor(x, y), g.xor(g.and_(x, z), y)
    g.aim([node])
    g.stand_in(since, [(node, z ^ 1)])
    assert g.xor(x, y) == g.xor(y, x) == z ^ 1
    assert g.xor(x ^ 1, y) == z
    assert g.xor(g.or_(x, y), g.and_(x, y)) == z ^ 1  # found equal to the node
    assert g.xor(g.and_(x, z), y) == other
    with pytest.raises(AssertionError):
        g.stand_in(since, [(x, y)])  # an input


@pytest.mark.parametrize("near", [1, 16, 100])
def test_counters_of_a_group_look_different(near: int) -> None:
    """The numbers of its blocks differ in some run, and in all bits that carries alone reach."""
    g = Graph()
    g.near = near
    first = g.counter("counter", 64)
    counters = [add(g, first, number_bits(i, 64)) for i in range(near + 1)]
    for bit in range(7, 64):
        assert len({g.value(counter[bit]) for counter in counters}) == near + 1


SPECK_LAPS = ("speck/speck64_avx2.c", "speck64_128_avx2_ctr_x8")
# Each of them is right for one group, or for two.
WRONG_IN_LAPS = {
    "the limit of the next group": ("of->limit -= n;", "of->limit -= n + n;"),
    "the group behind a carry": ("of->past[0] += n;", "of->past[0] += n + n;"),
    "the counter of the next lap": (
        "            W(group_of)(&of, c, turn, width);\n        for",
        "            W(group_of)(&of, now.at[0], turn, width);\n        for",
    ),
    "a lap too long": (
        "(size_t)(256 / (width * BLOCKS)) : 1",
        "(size_t)(512 / (width * BLOCKS)) : 1",
    ),
    "the counter behind the call": (
        "(part * (size_t)(width * BLOCKS))",
        "((part - (part == 5)) * (size_t)(width * BLOCKS))",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["", *WRONG_IN_LAPS])
def test_wrong_laps_of_a_cipher_are_not_proved(name: str, tmp_path: Path) -> None:
    """CTR of SPECK, compiled with an error in its laps."""
    need()
    source = proving.ROOT / "src" / SPECK_LAPS[0]
    (tmp_path / "lanes").mkdir()
    for beside in (proving.ROOT / "src/lanes").glob("*.h"):
        text = beside.read_text().replace('"lanes/', f'"{tmp_path}/lanes/')
        if name and beside.name == "vector_ctr.h":
            old, new = WRONG_IN_LAPS[name]
            assert text.count(old) == 1
            text = text.replace(old, new)
        (tmp_path / "lanes" / beside.name).write_text(text)
    path = tmp_path / source.name
    path.write_text(source.read_text().replace('"lanes/', f'"{tmp_path}/lanes/'))
    one = proving.kernel(*SPECK_LAPS)
    image = X86Image(linked(proving.ROOT, path, one.isa, tmp_path))
    blank = Verdict(one.name, one.symbol, one.spec, one.isa, "", "open")
    found = Prover(proving.ROOT, seconds=120).proved(blank, image, list(contracts.tasks(one))[:1])
    assert (found.verdict == "proved") == (not name), found.why
    if name:
        assert "for more: " in found.why or found.verdict == "counterexample", found.why


HANDS_ON = ("speck/speck64_avx2.c", "speck64_128_avx2_ctr_x112")
HANDED_ON = """
    .intel_syntax noprefix
    .text
    .globl hanji_{name}
hanji_{name}:
    {body}
hanji_{name}_parts:
    ret
    .section .note.GNU-stack, "", @progbits
"""
CALLED = "push rbp; mov rbp, rsp; and rsp, -16; add rdx, rdx; call 1f; mov rsp, rbp; pop rbp; ret"


@pytest.mark.parametrize(
    ("body", "blocks"),
    [
        ("add rdx, rdx; jmp 1f", 56),
        ("lea rdx, [4 * rdx]; jmp 1f", 28),
        (CALLED, 56),
        ("jmp 1f", None),
        ("lea rdx, [2 * rdx + 1]; jmp 1f", None),
        ("lea rdx, [rdx + 2 * rdx]; jmp 1f", None),  # 112 blocks are no three parts
        ("add rdx, rdx; xchg rdi, rsi; jmp 1f", None),
        ("add rdx, rdx; inc r8; jmp 1f", None),
        ("add rdx, rdx; mov byte ptr [rcx], 0; jmp 1f", None),
        ("add rdx, rdx; mov rbx, rdi; jmp 1f", None),
        ("add rdx, rdx; push rax; jmp 1f", None),
        ("add rdx, rdx; ret", None),
        ("add rdx, rdx; call 1f; ret", None),  # with a stack that is not aligned
        (CALLED.replace("mov rsp, rbp;", "mov rsp, rbp; mov byte ptr [rsp - 1], 0;"), 56),
        (CALLED.replace("pop rbp;", "pop rbp; mov [rcx], al;"), None),
        (CALLED.replace("pop rbp;", "pop rbx;"), None),
        (CALLED.replace("pop rbp; ret", "ret"), None),
        (CALLED.replace("call 1f;", "call 1f; test byte ptr [rdi], 1; jz 2f; 2:"), None),
        (CALLED.replace("add rdx, rdx;", "add rdx, rdx; mov rcx, rsp;"), None),
    ],
)
def test_calls_that_are_handed_on(tmp_path: Path, body: str, blocks: int | None) -> None:
    debian.need("gcc")
    one = proving.kernel(*HANDS_ON)
    name = one.symbol.removeprefix("hanji_")
    path = tmp_path / "handed_on.S"
    path.write_text(HANDED_ON.format(name=name, body=body.replace("1f", f"hanji_{name}_parts")))
    image = image_of(linked(proving.ROOT, path, one.isa, tmp_path), one.isa)
    found = inner_of(one, image, next(iter(tasks(one))))
    assert (found.kernel.blocks if found else None) == blocks
    if found:
        assert found.kernel.symbol == f"{one.symbol}_parts"
        assert image.symbols[one.symbol] in found.executed
