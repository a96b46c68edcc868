# SPDX-License-Identifier: Apache-2.0
"""Kernels on AVX-512 that take whole messages with keys of their own, one in each lane: CTR over
messages of one length (`uniform`), and their CMAC (`macs`).

The induction. A call has any number of groups of messages; of a group, a span of every message
after the other (64 bytes, or 48 where blocks have 6 or 12) is done in a loop. L is the length of a
message, t the number of its spans that are done, r = L - span * t what is left of it.

1. Entry: a call with 1 + n groups, n unknown, arrives at the head of the loop over groups. What it
   holds there, written over the addresses of the first group, over L and n, is the invariant of
   groups, less what a run with short messages shows to be something else one group later.
2. Group: from any state of that invariant, with n = 0 and with n >= 1, the kernel arrives at the
   head of the loop over spans. What it holds there and one span later suggests the invariant of
   spans: values that stay, those that move on by a number with every span, c + d * t, and with
   `macs` bytes of the chain value of a message, which may be any.
3. Span: from any state of the invariant of spans, with L = span * t + r, any t and any r greater
   than a span, the kernel does a span of every message and arrives at that head again, where the
   invariant holds for t + 1 and the same L; chain values are those behind one span more.
4. Last span: from any such state with r from 1 to a span, each a run of its own where it matters,
   the kernel does what is left. Then, with n >= 1, it is at the head of the loop over groups, where
   the invariant holds for n - 1 and the addresses of the next group; with n = 0 it returns.

A call without groups is a run of its own, and so is a group of CMAC of messages without bytes. The
suggestions need no trust: 2 to 4 are checked on what is left of the invariants. All else may hold
anything there. Where they fail, calls with numbers say whether the kernel is at fault.

An address in a text is out + L * k + span * t + c with numbers k and c, which is byte c of what the
span has of message k. So each message has a region of its own, of r bytes or a span, and what a
span writes elsewhere is refused. Of other keys, counter blocks and texts than those of the lanes
that are seen nothing is known (`Blind` in graph.py), so that a lane hangs on no other one. The bits
of t are data in vectors, where the kernel adds the number of a block; it is what `lab/spec` adds.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from .. import spec
from ..kernels import Kernel
from ..spec import modes
from ..spec.block import BlockCipher
from ..spec.word import REDUCTION
from .fleets import (
    LANES,
    WORK,
    Argument,
    FleetCall,
    FleetTask,
    Headers,
    Places,
    Plan,
    Plans,
    Stream,
    at_once,
    checked,
)
from .graph import RUNS, Bits, Blind, BudgetError, Graph
from .induct import same_cell
from .lengths import LENGTH, LengthMachine, _may_part, halved
from .lift import Bytes, big_endian, crypted, from_bytes
from .pcode import OF, Cell, OpenError, Region
from .values import Cond, Lin, RefusedError, UndecidedError, Value, combined, made, scaled, signed
from .words import Sum, Word, bits_of, number_bits
from .x86 import ARGUMENTS, FRAME_MOST, X86Image

SPAN = "span"  # the symbol t
LEFT = "left"  # and n
BLOCKS_MOST = (1 << 15) - 1  # of a message: src/lanes/streams.h
MAC_BITS = 40  # of the length of a message of CMAC
GROUPS_MOST = 1 << 40
MANY = 64  # groups or spans where an invariant is looked for
OTHERS_MOST = 3
WEAKENED_MOST = 12
HELD = ("register", "stack", "frame")  # what an invariant speaks about


class MessageMachine(LengthMachine):
    """A run over messages: `texts` are buffers with `messages` of them one after the other, of
    which a span is seen at a time. `numbers` are symbols whose bits are known.
    """

    texts: tuple[str, ...] = ()
    messages = 0
    span = 0
    numbers: Mapping[str, Bits] = {}
    scouts = False  # a run that only suggests: what it does to texts is not looked at
    stated: tuple[str, ...] = HELD

    def limited(self, low: int, high: int) -> None:
        self.bounds[LENGTH] = (low, high)
        for name in self.scaled:
            self.regions[name] = replace(self.regions[name], high=min(low, self.span))

    def _place(self, address: Value, size: int, what: str) -> tuple[str, int]:
        if isinstance(address, Lin):
            if self.scouts and any(name in self.texts for name, _ in address.t):
                return self._scouted(address, size)
            address = self._in_message(address)
        return super()._place(address, size, what)

    def _scouted(self, address: Lin, size: int) -> tuple[str, int]:
        """A place in the first span of a message, or one that holds anything."""
        factors = address.factors
        k = factors.pop(LENGTH, 0)
        (text, factor), *others = factors.items()
        inside = factor == 1 and not others and 0 <= address.c <= self.span - size
        if inside and message(text, k) in self.spaces:
            return message(text, k), address.c
        for i in range(size):
            self.write("scouted", i, self.anything(), 1)
        return "scouted", 0

    def anything(self) -> Bits:
        """A byte that may be anything."""
        g = self.g
        return g.unknowns(8) if isinstance(g, Blind) else g.word("anything", 8)

    def _in_message(self, address: Lin) -> Lin:
        """The byte of a message that an address in a text is, in the span of the run."""
        factors = address.factors
        text = next((name for name in self.texts if factors.get(name) == 1), None)
        if text is None or not factors.keys() <= {text, SPAN, LENGTH}:
            return address
        spans, rest = divmod(factors.get(SPAN, 0), self.span)
        k = spans - 1
        if rest or not 0 <= k < self.messages:
            return address
        low, high = self.lengths
        gap = factors.get(LENGTH, 0) - k  # the address has k * (span * t + r) + span * t
        if gap and low < high:
            raise UndecidedError(
                f"at {self.pc:#x}: {address} is not in one message for all lengths"
            )
        return Lin(address.c + gap * low, {message(text, k): 1})

    def public_bits(self, value: Lin, width: int) -> Bits:
        """The bits of a number of spans and what hangs on it; OpenError of other symbols."""
        total = number_bits(value.c % (1 << width), width)
        for symbol, factor in value.t:
            if symbol not in self.numbers or factor <= 0 or factor & (factor - 1):
                raise OpenError(f"at {self.pc:#x} the address or count {value} is used as data")
            shift = factor.bit_length() - 1
            term = ((0,) * shift + self.numbers[symbol] + (0,) * width)[:width]
            if all(0 in pair for pair in zip(total, term, strict=True)):
                total = tuple(x or y for x, y in zip(total, term, strict=True))
            else:
                total = Sum(self.g, (total, term)).bits()
        return total

    def bits(self, value: Value, width: int) -> Bits:
        if isinstance(value, Lin):
            return self.public_bits(value, width)
        return super().bits(value, width)

    def _linear(self, name: str, values: list[Value], width: int, out: int) -> Value:
        """Besides: the number of a span as data, where it meets data."""
        if all(isinstance(value, int | Lin) for value in values) or name in self.isa.slow:
            return super()._linear(name, values, width, out)
        bits: list[Value] = [
            self.public_bits(x, width) if isinstance(x, Lin) else x for x in values
        ]
        return self._data(name, bits, [width] * len(bits), out)

    def joined(self, cells: list[Cell]) -> Value:
        """Besides: the low part of an expression."""
        value, _, size = cells[0]
        if (
            isinstance(value, Lin)
            and len(cells) < size
            and all(cell[0] is value and cell[1:] == (i, size) for i, cell in enumerate(cells))
        ):
            return made(value.c, value.factors, 8 * len(cells))
        return super().joined(cells)

    def taken_for(self, places: Mapping[str, int | Lin]) -> None:
        """Write public values over other symbols."""
        done: dict[tuple[int, int], Value] = {}
        for space in self.stated:
            for at, (value, i, size) in list(self.spaces.get(space, {}).items()):
                if isinstance(value, Lin | Cond):
                    key = (id(value), size)
                    if key not in done:
                        done[key] = written(value, places, 8 * size)
                    self.spaces[space][at] = (done[key], i, size)
        self.forget_flags()


def message(text: str, k: int) -> str:
    """The buffer with what a span has of a message."""
    return f"{text}{OF}message {k}"


def written(value: Value, places: Mapping[str, int | Lin], width: int) -> Value:
    """A public value with other expressions for its symbols."""
    if isinstance(value, Lin):
        total: int | Lin = made(value.c, {k: f for k, f in value.t if k not in places}, width)
        for symbol, factor in value.t:
            if symbol in places:
                total = combined(total, scaled(places[symbol], factor, width), 1, width)
        return total
    if isinstance(value, Cond):
        a, b = (written(x, places, value.width) for x in (value.a, value.b))
        assert isinstance(a, int | Lin)
        assert isinstance(b, int | Lin)
        return Cond(value.op, a, b, value.width, value.negated)
    return value


@dataclass
class Shape:
    """What CTR of whole messages works on: `messages` in a group, of which some are seen."""

    cipher: BlockCipher
    messages: int
    seen: Sequence[int]
    in_place: bool
    least = 1  # the shortest message

    @property
    def span(self) -> int:
        """Bytes of a message that are done at a time."""
        return 48 if self.cipher.block_size in (6, 12) else 64

    @property
    def blocks(self) -> int:
        """Blocks of a span."""
        return self.span // self.cipher.block_size

    @property
    def number_width(self) -> int:
        """Bits of the number of a span: there are fewer than 2^15 blocks, and a power of two of
        them in a span.
        """
        return BLOCKS_MOST.bit_length() - self.blocks.bit_length() + 1

    @property
    def most(self) -> int:
        """The longest message."""
        return BLOCKS_MOST * self.cipher.block_size

    @property
    def source(self) -> str:
        """The buffer with the texts."""
        return "out" if self.in_place else "in"

    @property
    def texts(self) -> dict[str, str]:
        """All buffers with texts, and who may access them."""
        return {"out": "rw"} if self.in_place else {"in": "r", "out": "w"}

    @property
    def flat(self) -> dict[str, tuple[int, str]]:
        """Other buffers: bytes of a message, and who may access them."""
        return {"keys": (self.cipher.key_size, "r"), "nonces": (self.cipher.block_size, "r")}

    @property
    def arguments(self) -> tuple[str, ...]:
        """Arguments of a call, in order."""
        return ("out", self.source, LENGTH, "keys", "nonces", "groups")

    @property
    def calls(self) -> tuple[tuple[int, int], ...]:
        """Lengths and groups of calls that may show an error: a byte, a block, two spans."""
        return (1, 1), (self.cipher.block_size, 1), (self.span + 1, 2)

    @property
    def scope(self) -> str:
        """For which messages."""
        return f"1 to {BLOCKS_MOST} blocks, 0 and more groups"

    def lifted(self, g: Graph) -> Messages:
        """What the messages are and must become."""
        return Messages(g, self)


@dataclass
class MacShape(Shape):
    """The same of CMAC; a span is what a kernel reads at a time."""

    least = 0
    span = 16
    number_width = MAC_BITS - 4
    most = (1 << MAC_BITS) - 1
    source = "in"
    arguments = ("tags", "in", LENGTH, "keys", "groups")
    scope = f"fewer than 2^{MAC_BITS} bytes, 0 and more groups"

    @property
    def texts(self) -> dict[str, str]:
        return {"in": "r"}

    @property
    def flat(self) -> dict[str, tuple[int, str]]:
        return {"keys": (self.cipher.key_size, "r"), "tags": (self.cipher.block_size, "w")}

    def lifted(self, g: Graph) -> Messages:
        return Macs(g, self)


@dataclass(frozen=True)
class MessageTask(FleetTask):
    """One proof: some lanes, with buffers apart or in place. `build` gives calls with numbers."""

    shape: Shape = field(kw_only=True)


def near(g: Graph, name: str, width: int, number: Bits, blocks: int) -> Bits:
    """Any first counter block. In most of the graph's runs it is such that a carry goes far within
    the blocks from block `number` on.
    """
    numbers = []
    for run in range(RUNS):
        n = sum((g.value(x) >> run & 1) << i for i, x in enumerate(number))
        end = width if run % 4 == 0 else g.random.randrange(4, width + 1)
        behind = n + g.random.randrange(1, blocks + 2)
        numbers.append(((g.random.getrandbits(width) >> end << end) - behind) % (1 << width))
    return g.numbered(name, numbers, width)


class Messages:
    """The messages of a group whose lanes are seen, in their span number t, with CTR."""

    def __init__(self, g: Graph, shape: Shape) -> None:
        self.g, self.shape = g, shape
        cipher = shape.cipher
        self.keys: dict[int, Bytes] = {}
        self.round_keys: dict[int, list[Word]] = {}
        self.text: dict[int, Bytes] = {}
        self.chain: dict[int, Bytes] = {}  # any chain value, and the one behind a span
        self.behind: dict[int, Bytes] = {}
        self.numbers: dict[str, Bits] = {}
        for k in shape.seen:
            self.keys[k] = [g.word(f"key {k} {i}", 8) for i in range(cipher.key_size)]
            self.text[k] = [g.word(f"text {k} {i}", 8) for i in range(shape.span)]
            self.round_keys[k] = cipher.expand(from_bytes(g, self.keys[k], cipher.width))
        self._lift()

    def _lift(self) -> None:
        """The key streams, from any counter block on."""
        g, shape = self.g, self.shape
        size = shape.cipher.block_size
        number = self.numbers[SPAN] = g.word("number of the span", shape.number_width)
        shift = shape.blocks.bit_length() - 1
        self.first: dict[int, Bits] = {}
        self.stream: dict[int, Bytes] = {}
        for k in shape.seen:
            first = near(g, f"counter {k}", 8 * size, (0,) * shift + number, shape.blocks)
            self.first[k], self.stream[k] = first, []
            for b in range(shape.blocks):
                at: Any = Word(g, number_bits(b, shift) + number)
                counter = bits_of(modes.numbered(Word(g, first), at, size), 8 * size)
                g.aim(counter)
                block = crypted(g, shape.cipher, self.round_keys[k], big_endian(counter), True)
                self.stream[k] += block

    def after(self, k: int, chain: Bytes) -> Bytes:
        """The chain value behind a span that is not the last one; CTR has none."""
        return chain

    def anything(self, size: int) -> Bytes:
        """Bytes that may be anything; without `Blind`, of which a case is made, zeros."""
        g = self.g
        return [g.unknowns(8) if isinstance(g, Blind) else (0,) * 8 for _ in range(size)]

    def contents(self, name: str, size: int) -> Places:
        """Keys or counter blocks one after the other."""
        found: Places = {}
        for k in range(self.shape.messages):
            data = self.anything(size)
            if k in self.keys:
                data = self.keys[k] if name == "keys" else big_endian(self.first[k])
            found |= {k * size + i: byte for i, byte in enumerate(data)}
        return found

    def wanted(self, k: int, size: int, last: bool) -> dict[str, Places]:
        """What a span of a message, or the first bytes of its last one, must become."""
        pairs = zip(self.text[k][:size], self.stream[k], strict=False)
        made = (tuple(map(self.g.xor, a, b)) for a, b in pairs)
        return {message("out", k): dict(enumerate(made))}


class Macs(Messages):
    """The same with CMAC."""

    def _lift(self) -> None:
        g, size = self.g, self.shape.cipher.block_size
        self.subkeys: dict[int, tuple[Bytes, Bytes]] = {}
        for k in self.shape.seen:
            self.chain[k] = [g.word(f"chain value {k} {i}", 8) for i in range(size)]
            self.subkeys[k] = subkeys(g, self.shape.cipher, self.round_keys[k])
            self.behind[k] = self.after(k, self.chain[k])

    def after(self, k: int, chain: Bytes) -> Bytes:
        """The chain value behind a span that is not the last one."""
        return linked(self.g, self.shape.cipher, self.round_keys[k], chain, self.text[k])

    def wanted(self, k: int, size: int, last: bool) -> dict[str, Places]:
        """The tag, from any chain value; from zero where a message has no bytes."""
        if not last:
            return {}
        g, cipher = self.g, self.shape.cipher
        chain = self.chain[k] if size else zeros(cipher)
        rest = self.text[k][:size]
        tag = tagged(g, cipher, self.round_keys[k], self.subkeys[k], chain, rest)
        return {"tags": {k * cipher.block_size + i: byte for i, byte in enumerate(tag)}}


def zeros(cipher: BlockCipher) -> Bytes:
    """The first chain value."""
    return [number_bits(0, 8)] * cipher.block_size


def doubled(g: Graph, block: Bytes) -> Bytes:
    """A block times x in GF(2^n), as `double` of lab/spec/modes.py."""
    number = tuple(x for byte in reversed(block) for x in byte)
    modulus = number_bits(REDUCTION[len(number)], len(number))
    over = tuple(number[-1] & -bit for bit in modulus)
    return big_endian(tuple(map(g.xor, (0, *number[:-1]), over)))


def subkeys(g: Graph, cipher: BlockCipher, keys: Sequence[Word]) -> tuple[Bytes, Bytes]:
    """What comes to a last block that is whole, and to one that is not."""
    one = doubled(g, crypted(g, cipher, keys, zeros(cipher), True))
    return one, doubled(g, one)


def linked(g: Graph, cipher: BlockCipher, keys: Sequence[Word], chain: Bytes, text: Bytes) -> Bytes:
    """The chain value behind whole blocks."""
    size = cipher.block_size
    for at in range(0, len(text), size):
        block = [tuple(map(g.xor, a, b)) for a, b in zip(chain, text[at : at + size], strict=True)]
        chain = crypted(g, cipher, keys, block, True)
    return chain


def tagged(
    g: Graph,
    cipher: BlockCipher,
    keys: Sequence[Word],
    of: tuple[Bytes, Bytes],
    chain: Bytes,
    text: Bytes,
) -> Bytes:
    """The CMAC of a message that ends in a text, behind the blocks of a chain value."""
    size = cipher.block_size
    begin = max(len(text) - 1, 0) // size * size
    chain = linked(g, cipher, keys, chain, text[:begin])
    end = text[begin:]
    subkey = of[len(end) < size]
    if len(end) < size:
        end = [*end, number_bits(0x80, 8), *[(0,) * 8] * (size - 1 - len(end))]
    block = [tuple(map(g.xor, a, b)) for a, b in zip(end, subkey, strict=True)]
    return linked(g, cipher, keys, chain, block)


class MessageCall(FleetCall):
    """The induction over one kernel's groups and spans."""

    task: MessageTask  # type: ignore[assignment]

    def prove(self) -> str:
        try:
            return self._induction()
        except (OpenError, UndecidedError):  # a call with numbers may show what is at fault
            left = max(1.0, self.g.deadline - time.process_time())
            with suppress(OpenError, BudgetError):
                type(self)(Graph(seconds=left), self.image, self.task)._all()
            raise

    # Runs

    def _induction(self) -> str:
        shape = self.shape = self.task.shape
        self.messages = shape.lifted(self.g)
        self.contents = {
            name: self.messages.contents(name, size)
            for name, (size, access) in shape.flat.items()
            if "r" in access
        }
        start = self.image.symbols[self.task.kernel.symbol]
        m = self._call(0)
        self._forward(m, start, None)
        if any(name not in HELD for name, _, _ in m.stores):
            raise RefusedError("a call without groups writes")
        self.check_return(m)
        self._ran(m)
        self.group_head, later = self._later_group(start)
        m = self._call(Lin(1, {LEFT: 1}))
        self._forward(m, start, self.group_head)
        self._ran(m)
        groups = Template(self, m)
        groups.drop(groups.wrong(later, self._next_group(1)))
        for _ in range(WEAKENED_MOST):
            wrong = self._group(groups, (1, GROUPS_MOST))
            if not wrong:
                break
            groups.drop(wrong)
        else:
            raise OpenError("no invariant holds from group to group")
        self._group(groups, (0, 0))
        return shape.scope

    def _group(self, groups: Template, behind: tuple[int, int]) -> set[tuple[str, int]]:
        """One group, with so many behind it; what of the invariant does not hold for the next."""
        shape = self.shape

        def begin(least: int) -> MessageMachine:
            m = groups.state("in a group")
            m.bounds |= {LEFT: behind, LENGTH: (least, shape.most)}
            if behind == (0, 0):
                m.taken_for({LEFT: 0})
            return m

        spans, head = self._spans(begin(1))
        self._step(spans, head)
        m = spans.state("in the last span")
        m.taken_for({LENGTH: Lin(0, {SPAN: shape.span, LENGTH: 1})})
        self._texts(m, (1, shape.span))
        wrong = self._end(m, head, groups, behind)
        if shape.least == 0:
            m = begin(0)
            m.taken_for({LENGTH: 0})
            self._texts(m, (0, 0))
            wrong |= self._end(m, self.group_head, groups, behind, False)
        return wrong

    def _spans(self, m: MessageMachine) -> tuple[Template, int]:
        """The invariant of the loop over spans, and its head."""
        scout = m.copied()
        assert isinstance(scout, MessageMachine)
        scout.bounds[LENGTH] = (MANY * self.shape.span, self.shape.most)
        self._scouts(scout, bool(self.messages.chain))
        others: list[int] = []  # heads of loops inside, at which not all messages arrive alike
        while True:
            head = self._looped(scout.copied(), self.group_head, LENGTH, others)
            first = m.copied()
            assert isinstance(first, MessageMachine)
            try:
                self._forward(first, self.group_head, head)
                break
            except UndecidedError:
                if len(others) == OTHERS_MOST:
                    raise
                others.append(head)
        self._ran(first)
        self._forward(scout, self.group_head, head)
        before = {space: dict(scout.spaces.get(space, {})) for space in HELD}
        self._forward(scout, head, head)
        spans = Template(self, first)
        spans.suggest(before, scout)
        return spans, head

    def _step(self, spans: Template, head: int) -> None:
        """A span that is not the last one."""
        shape = self.shape
        whole = Lin(0, {SPAN: shape.span, LENGTH: 1})
        for _ in range(WEAKENED_MOST):
            m = spans.state("in a span")
            m.taken_for({LENGTH: whole})
            self._texts(m, (shape.span + 1, shape.most))
            self._forward(m, head, head)
            wrong = spans.wrong(m, {SPAN: Lin(1, {SPAN: 1}), LENGTH: whole})
            if not wrong:
                break
            spans.drop(wrong)
        else:
            raise OpenError("no invariant holds from span to span")
        self._done(m, shape.span, False)
        self._ran(m)

    def _end(
        self,
        m: MessageMachine,
        pc: int,
        groups: Template,
        behind: tuple[int, int],
        spans: bool = True,
    ) -> set[tuple[str, int]]:
        """The last span of a group, and the next group or the return; what does not hold there."""
        last = behind == (0, 0)
        wrong: set[tuple[str, int]] = set()
        for state in self._parted(m, pc, None if last else self.group_head):
            low, high = state.lengths
            for size in range(low, high + 1):
                self._done(state, size, True)
            if last:
                self.check_return(state)
            else:
                factors = {SPAN: self.shape.span * spans, LENGTH: int(low < high)}
                length = made(low if low == high else 0, factors, 64)
                wrong |= groups.wrong(state, self._next_group(length))
            self._ran(state)
        return wrong

    def _next_group(self, length: int | Lin) -> dict[str, int | Lin]:
        """What the invariant of groups is written over for the next group."""
        count = self.shape.messages
        found: dict[str, int | Lin] = {LENGTH: length, LEFT: Lin(-1, {LEFT: 1})}
        for name in self.shape.texts:
            found[name] = combined(Lin(0, {name: 1}), scaled(length, count, 64), 1, 64)
        for name, (size, _) in self.shape.flat.items():
            found[name] = Lin(count * size, {name: 1})
        return found

    def _later_group(self, start: int) -> tuple[int, MessageMachine]:
        """The head of the loop over groups, and what messages of a byte leave there behind the
        first group.
        """
        found = []
        for head in (None, 0):
            m = self._call(Lin(1, {LEFT: 1}))
            m.bounds[LEFT] = (MANY, GROUPS_MOST)
            m.taken_for({LENGTH: 1})
            m.limited(1, 1)
            self._scouts(m)
            if head is None:
                found.append(self._looped(m, start, LEFT))
            else:
                self._forward(m, start, found[0])
                self._forward(m, found[0], found[0])
        return found[0], m

    def _scouts(self, m: MessageMachine, known: bool = False) -> None:
        """Let a run suggest something: of lanes nothing is known, or the first span."""
        m.scouts = True
        if known:
            self._texts(m, m.lengths)
            return
        for name, data in self.contents.items():
            for at, byte in zip(data, self.messages.anything(len(data)), strict=True):
                m.write(name, at, byte, 1)

    def _call(self, groups: int | Lin) -> MessageMachine:
        """A call, before its first instruction."""
        shape = self.shape
        count = shape.messages
        regions = {
            name: Region(0, count * size, access, 1) for name, (size, access) in shape.flat.items()
        }
        regions["stack"] = Region(-FRAME_MOST - 8, 0, "rw", 16)
        assert isinstance(self.image, X86Image)
        m = MessageMachine(self.g, self.image, regions)
        m.tag = "at entry"
        m.texts, m.messages, m.span = tuple(shape.texts), count, shape.span
        m.numbers = self.messages.numbers
        m.alignment = {name: region.align for name, region in regions.items()}
        room = 2 * count * (shape.most + 1)
        for name in (*shape.texts, *shape.flat):
            m.bounds[name] = (1, (1 << 64) - 1 - room)
        m.bounds |= {LENGTH: (shape.least, shape.most), LEFT: (0, GROUPS_MOST)}
        m.bounds[SPAN] = (0, (1 << shape.number_width) - 1)
        self._called(m, [groups if x == "groups" else Lin(0, {x: 1}) for x in shape.arguments])
        return m

    def _called(self, m: MessageMachine, arguments: Sequence[int | Lin]) -> None:
        """What registers and memory hold when a call begins."""
        for name, word in self.saved.items():
            m.set_register(name, word)
        m.write("stack", -8, Lin(0, {"return": 1}), 8)
        m.set_register("sp", Lin(-8, {"stack": 1}))
        for register, value in zip(ARGUMENTS, arguments, strict=False):
            m.set_register(register, value)
        for name, data in self.contents.items():
            for at, byte in data.items():
                m.write(name, at, byte, 1)

    def _texts(self, m: MessageMachine, lengths: tuple[int, int]) -> None:
        """Put the span of every message into memory, of which so many bytes are left."""
        shape = self.shape
        self.ordered(m, shape.texts)
        m.scaled = tuple(message(name, k) for name in shape.texts for k in range(shape.messages))
        for name, access in shape.texts.items():
            for k in range(shape.messages):
                m.regions[message(name, k)] = Region(0, shape.span, access, 1)
                if name != shape.source:
                    continue
                text = self.messages.text.get(k) or self.messages.anything(shape.span)
                for i, byte in enumerate(text):
                    m.write(message(name, k), i, byte, 1)
        m.limited(*lengths)

    def _forward(self, m: MessageMachine, pc: int, stop: int | None) -> None:
        """Run to an address, or to the return."""
        while True:
            following = m.step(pc)
            if isinstance(following, Lin) and following == Lin(0, {"return": 1}):
                if stop is not None:
                    raise OpenError("the kernel returns although something is left")
                return
            if not isinstance(following, int):
                raise RefusedError(f"the jump at {pc:#x} depends on data or goes elsewhere")
            pc = following
            if pc == stop:
                return

    def _looped(self, m: LengthMachine, pc: int, about: str, others: Sequence[int] = ()) -> int:
        """The head of the loop whose end hangs on a symbol, and none of the others: the run jumps
        back to where it has been, or comes to where a jump has led, and has asked about the symbol
        since.
        """
        seen: dict[int, int] = {}
        entered: set[int] = set()
        asked = -1
        while True:
            seen.setdefault(pc, m.count)
            one = m.image.instruction(pc)  # type: ignore[attr-defined]
            if one.name[0] == "j" and one.name != "jmp":
                held = [f for f in (m.flags, m.carry) if f is not None]
                if any(
                    isinstance(x, Lin) and about in x.factors
                    for f in held
                    for x in (f.a, f.b, f.result)
                ):
                    asked = m.count
            following = m.step(pc)
            if not isinstance(following, int):
                raise OpenError(f"the kernel has no loop over the {about} that the prover finds")
            back = following <= pc or following in entered
            if back and seen.get(following, asked + 1) <= asked and following not in others:
                return following
            if following != one.following:
                entered.add(following)
            pc = following

    def _parted(self, m: MessageMachine, pc: int, stop: int | None) -> list[MessageMachine]:
        """Run to an address or to the return for all lengths, which part where they differ."""
        while True:
            low, high = m.lengths
            one = m.image.instruction(pc)  # type: ignore[attr-defined]
            before = m.copied() if low < high and _may_part(one) else None
            try:
                following = m.step(pc)
            except (UndecidedError, OpenError, RefusedError):
                if before is None or low == high:
                    raise
                middle = halved(low, high)
                found = []
                for ends in ((low, middle), (middle + 1, high)):
                    part = before.narrowed(*ends)
                    assert isinstance(part, MessageMachine)
                    found += self._parted(part, pc, stop)
                return found
            if isinstance(following, Lin) and following == Lin(0, {"return": 1}):
                if stop is not None:
                    raise OpenError("the kernel returns although groups are left")
                return [m]
            if not isinstance(following, int):
                raise RefusedError(f"the jump at {pc:#x} depends on data or goes elsewhere")
            pc = following
            if pc == stop:
                return [m]

    # What must hold

    def _done(self, m: MessageMachine, size: int, last: bool) -> None:
        """So many bytes of the span of every message that is seen are done as wanted."""
        for k in self.shape.seen:
            self._lane_done(m, k, size, last)

    def _lane_done(self, m: MessageMachine, k: int, size: int, last: bool) -> None:
        """So many bytes of the span of a message are done as wanted."""
        for name, places in self.messages.wanted(k, size, last).items():
            held = m.spaces.get(name, {})
            for at, want in places.items():
                if at not in held:
                    raise RefusedError(f"byte {at} of {name} is never written")
                got = m.bits(m.read(name, at, 1), 8)
                if not all(map(self.g.same, got, want)):
                    raise OpenError(
                        f"byte {at} of {name}, with {size} bytes of a span, is not proved"
                    )


class Template:
    """What registers and the stack hold at the head of a loop, written over symbols; some bytes are
    those of chain values, as (message, byte).
    """

    def __init__(self, call: MessageCall, m: MessageMachine) -> None:
        self.call, self.m = call, m
        self.free: set[tuple[str, int]] = set()
        self.chain: dict[tuple[str, int], tuple[int, int]] = {}

    def state(self, tag: str) -> MessageMachine:
        """Any state of it."""
        m = self.m.copied()
        assert isinstance(m, MessageMachine)
        m.fresh, m.tag, m.stores = {}, tag, []
        m.count, m.executed = 0, set()
        m.forget_flags()
        for space, at in self.free:
            m.spaces[space].pop(at, None)
            if space != "register":
                m.spaces[space][at] = (m.anything(), 0, 1)
        for (space, at), (k, i) in self.chain.items():
            m.spaces[space][at] = (self.call.messages.chain[k][i], 0, 1)
        return m

    def drop(self, keys: set[tuple[str, int]]) -> None:
        """What may hold anything."""
        self.free |= keys
        for key in keys:
            self.chain.pop(key, None)

    def wrong(self, m: MessageMachine, places: Mapping[str, int | Lin]) -> set[tuple[str, int]]:
        """Where a state does not hold what the template says over these expressions, behind one
        span more.
        """
        done: dict[tuple[int, int], Value] = {}
        found = set()
        for space in self.m.stated:
            held = m.spaces.get(space, {})
            for at, (value, i, size) in self.m.spaces.get(space, {}).items():
                key = (space, at)
                other = held.get(at)
                if key in self.free:
                    continue
                if key in self.chain:
                    k, byte = self.chain[key]
                    right = other is not None and self._alike(
                        m, other, self.call.messages.behind[k][byte]
                    )
                else:
                    if (id(value), size) not in done:
                        done[id(value), size] = written(value, places, 8 * size)
                    wanted = (done[id(value), size], i, size)
                    right = other is not None and same_cell(other, wanted)
                if not right:
                    found.add(key)
        if m.register("sp") != self.m.register("sp") or m.frame_of != self.m.frame_of:
            raise OpenError("the stack pointer is another one where a loop begins again")
        return found

    def _alike(self, m: MessageMachine, cell: Cell, want: Bits) -> bool:
        """Whether a byte is proved to be what is wanted."""
        return all(map(self.call.g.same, _bits(m, cell), want))

    def suggest(self, first: Mapping[str, Mapping[int, Cell]], second: MessageMachine) -> None:
        """Write what moves on by a number over t, let bytes be chain values that have become such,
        and drop what else changes, as a run shows at the first two spans.
        """
        messages = self.call.messages
        values: dict[tuple[int, int, int], Value] = {}
        start = zeros(self.call.shape.cipher)
        after = {
            byte: (k, i) for k in messages.chain for i, byte in enumerate(messages.after(k, start))
        }
        for space in self.m.stated:
            cells = self.m.spaces.get(space, {})
            for at, cell in list(cells.items()):
                value, i, size = cell
                old, new = first.get(space, {}).get(at), second.spaces.get(space, {}).get(at)
                if old is not None and new is not None and same_cell(old, new):
                    continue
                byte = _bits(second, new) if after and new is not None else ()
                if byte in after and _bits(self.m, cell) == (0,) * 8:
                    self.chain[space, at] = after[byte]
                    continue
                moved: Value = ()
                if old is not None and new is not None and old[1:] == new[1:] == (i, size):
                    x, y = old[0], new[0]
                    if isinstance(x, int | Lin) and isinstance(y, int | Lin):
                        moved = combined(y, x, -1, 8 * size)
                if isinstance(value, int | Lin) and isinstance(moved, int):
                    key = (id(value), size, moved)
                    if key not in values:
                        step = {SPAN: signed(moved, 8 * size)}
                        values[key] = combined(value, Lin(0, step), 1, 8 * size)
                    cells[at] = (values[key], i, size)
                else:
                    self.free.add((space, at))


def _bits(m: MessageMachine, cell: Cell) -> Bits:
    """The bits of a byte, none where it is no data."""
    value, i, size = cell
    try:
        return m.bits(value, 8 * size)[8 * i : 8 * i + 8]
    except (OpenError, UndecidedError):
        return ()


# Calls with numbers


def calls_of(shape: Shape, calls: Sequence[tuple[int, int]], g: Graph) -> Plans:
    """Calls with messages of some lengths, each with so many groups; lanes that are not seen have
    zeros, and nothing is wanted of them.
    """
    for length, groups in calls:
        count = groups * shape.messages
        seen = [k for k in range(count) if k % shape.messages in shape.seen]
        sizes = {shape.source: length} | {
            name: size for name, (size, access) in shape.flat.items() if "r" in access
        }
        data: dict[str, Bytes] = {}
        for name, size in sizes.items():
            data[name] = [(0,) * 8] * (count * size)
            for k in seen:
                for i in range(k * size, (k + 1) * size):
                    data[name][i] = g.word(f"{name} {length} {i}", 8)
        target = "tags" if isinstance(shape, MacShape) else "out"
        want: Places = {}
        for k in seen:
            parts = {n: data[n][k * size : (k + 1) * size] for n, size in sizes.items()}
            made = _made(g, shape, parts)
            want |= {k * len(made) + i: byte for i, byte in enumerate(made)}
        access = shape.texts | {name: access for name, (_, access) in shape.flat.items()}
        each = dict.fromkeys(shape.texts, length) | {n: size for n, (size, _) in shape.flat.items()}
        values: dict[str, int | str] = {LENGTH: length, "groups": groups}
        yield Plan(
            {**data},
            {name: count * size for name, size in each.items()},
            access,
            [values.get(name, name) for name in shape.arguments],
            (0, 0),
            target,
            lambda _: {target: want},  # noqa: B023
            free=(target,),
            scope=f"{length} bytes",
        )


def _made(g: Graph, shape: Shape, parts: Mapping[str, Bytes]) -> Bytes:
    """What a message becomes."""
    cipher, text = shape.cipher, parts[shape.source]
    keys = cipher.expand(from_bytes(g, parts["keys"], cipher.width))
    if isinstance(shape, MacShape):
        return tagged(g, cipher, keys, subkeys(g, cipher, keys), zeros(cipher), text)
    number = tuple(x for byte in reversed(parts["nonces"]) for x in byte)
    stream = Stream(g, cipher, keys, number, -(-len(text) // cipher.block_size))
    return list(stream.text(text).values())


HEADERS: dict[str, tuple[dict[str, Argument], str, tuple[str, ...]]] = {
    "uniform": (
        {
            "out": ("out", "bytes * blocks * groups", "w"),
            "in": ("in", "bytes * blocks * groups", "r"),
            "bytes": LENGTH,
            "keys": ("keys", "keys one after the other", "r"),
            "nonces": ("nonces", "counter blocks one after the other", "r"),
            "groups": "groups",
        },
        "out == in allowed",
        ("in", "keys", "nonces"),
    ),
    "macs": (
        {
            "tags": ("tags", "block * blocks * groups", "w"),
            "in": ("in", "bytes * blocks * groups", "r"),
            "bytes": LENGTH,
            "keys": ("keys", "keys one after the other", "r"),
            "groups": "groups",
        },
        "none",
        ("in", "keys"),
    ),
}


def cipher_of(kernel: Kernel, headers: Headers) -> BlockCipher | None:
    """The cipher of a kernel on AVX-512 of one of these operations, whose header is checked; None
    where it is no such kernel.
    """
    family, _, operation = kernel.spec.partition(".")
    if kernel.isa != "avx512" or operation not in headers:
        return None
    cipher = spec.algorithm(family)
    if not isinstance(cipher, BlockCipher):
        return None
    checked(kernel, headers)
    return cipher


def message_tasks(kernel: Kernel) -> Iterator[MessageTask]:
    """The proofs of a kernel of these operations; none where it is no such kernel."""
    cipher, operation = cipher_of(kernel, HEADERS), kernel.operation
    if cipher is None:
        return
    ways = (("separate", False), ("in place", True)) if operation == "uniform" else (("", False),)
    # with CMAC each last length has blocks of its own
    kind, most = (
        (Shape, at_once(cipher, 2 * WORK))
        if operation == "uniform"
        else (MacShape, at_once(cipher))
    )
    for how, in_place in ways:
        for first in range(0, kernel.blocks, most):
            seen = range(first, min(first + most, kernel.blocks))
            shape = kind(cipher, kernel.blocks, seen, in_place)
            yield MessageTask(
                kernel,
                f"{how or 'separate'}{LANES}{first} to {seen[-1]}",
                partial(calls_of, shape, shape.calls),
                in_place,
                shared=False,
                blind=True,
                shape=shape,
            )
