# SPDX-License-Identifier: Apache-2.0
"""Kernels for x86-64 and NEON of block ciphers that are neither blocks nor CTR over groups: short
texts, texts with their key, and key streams and chains of messages with keys of their own in the
lanes of vectors.

What they must do follows from src/support/kernel.h and src/lanes. Short texts (`short`) have any
round keys, any counter block and any text of 1 to the kernel's blocks; wanted are the text xor the
key stream of `lab/spec`, the counter block past every block begun, and of an unfinished last block
its key stream, where there is a place for it. Of texts with their key (`once`) the key is any, and
the round keys are those that `lab/spec` makes of it. Every length is run (lengths.py): lengths are
public, texts, counter blocks and keys are secret.

Key streams (`streams`) and chains (`chains`) have any keys, counters, texts and chain values. What
a call with HANJI_STREAMS_EXPAND leaves as round keys is what the calls behind it are given. It must
hang on no counter, and every other call must leave it as it is: so it is the same for every row of
calls. Some lanes are seen at a time. Of the others nothing is known (`Blind` in graph.py), so that
what is wanted of a lane hangs on no other one. Of a chain the number of its own blocks is any, too,
and a block behind them does not count.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from .. import spec
from ..kernels import Kernel
from ..layouts import WORDS, container
from ..spec import modes
from ..spec.block import BlockCipher
from .contracts import align_of
from .graph import RUNS, STRANGE, Bits, Blind, Graph
from .induct import A64_ARGUMENTS, Call, Counterexample, Evidence, MismatchError, minimised
from .lengths import LENGTH, ArmLengthMachine, LengthMachine, Lengths, Runner
from .lift import Bytes, big_endian, crypted, from_bytes, round_key_count, to_bytes
from .pcode import A64, Image, OpenError, Order, Region
from .values import Lin, RefusedError
from .words import Word, bits_of, number_bits, sub
from .x86 import ARGUMENTS, FRAME_MOST, X86, X86Image

Places = dict[int, Bits]
NOTHING = "NULL"
LANES = ", lanes "  # in the name of a task about some of them
WORK = 24_576  # rounds times width times lanes in one proof: of chains up to three million nodes


@dataclass
class Plan:
    """A call for all lengths from the first to the last of `lengths`: what its buffers hold, how
    many bytes they have (LENGTH: as many), who may read or write them, its arguments in order, and
    by length the bytes that it must leave. `free` buffers may hold anything where nothing is wanted.
    """

    contents: dict[str, Bytes | Places]
    sizes: dict[str, int | str]
    access: dict[str, str]
    arguments: list[int | str | tuple[int]]  # (n,): the upper half of the register is anything
    lengths: tuple[int, int]
    target: str
    wanted: Callable[[int], dict[str, Places]]
    free: tuple[str, ...] = ()
    merge: bool = False
    scope: str = ""
    align: int = 1  # of its buffers, beside that of the header

    @cached_property
    def before(self) -> dict[str, Places]:
        """The contents by their places."""
        return {name: dict(_placed(data)) for name, data in self.contents.items()}


# The calls of a proof one after the other; each is given the state that the one before it left.
Plans = Generator[Plan, Lengths, None]


@dataclass(frozen=True)
class FleetTask:
    """One proof: a kernel with its buffers apart or in place."""

    kernel: Kernel
    name: str
    build: Callable[[Graph], Plans]
    in_place: bool = False
    shared: bool = True
    blind: bool = False
    counted: bool = False
    values: dict[str, int] = field(default_factory=dict)


def at_once(cipher: BlockCipher, work: int = WORK) -> int:
    """How many lanes of a kernel have one proof: a power of two, and each run of the kernel is for
    so many.
    """
    return 1 << max(1, work // (cipher.rounds * cipher.width)).bit_length() - 1


class FleetCall(Call):
    """Runs a call for all of its lengths and compares what it leaves."""

    def __init__(self, g: Graph, image: Image, task: FleetTask) -> None:
        if image.isa not in (X86, A64):
            raise OpenError("fleets are proved on x86-64 and AArch64 alone")
        self.g, self.image, self.task = g, image, task  # type: ignore[assignment]
        self.isa = image.isa
        self.evidence = Evidence()
        names = self.isa.kept(task.kernel.source)
        self.saved = {name: self._saved_word(name) for name in names}

    def _saved_word(self, name: str) -> Bits:
        return self.g.word(f"saved {name}", 64)

    def prove(self) -> str:
        """All runs of all calls; for which lengths or sizes."""
        assert isinstance(self.task, FleetTask)
        try:
            return self._all()
        except OpenError:
            if isinstance(self.g, Blind):  # zeros for what is unknown may make a counterexample
                left = max(1.0, self.g.deadline - time.process_time())
                FleetCall(Graph(seconds=left), self.image, self.task)._all()
            raise

    def _all(self) -> str:
        assert isinstance(self.task, FleetTask)
        calls = self.task.build(self.g)
        plan = next(calls)
        while True:
            state = self._proved(plan)
            try:
                plan = calls.send(state)
            except StopIteration:
                return plan.scope

    def right_on_numbers(self, run: int) -> bool:
        """Whether runs on the numbers of one of the graph's runs leave what is wanted there: a
        second opinion on the proof, by the rules for numbers.
        """
        assert isinstance(self.task, FleetTask)

        def number(byte: Sequence[int]) -> int:
            return sum(
                (self.g.value(x) >> run & 1 if x < STRANGE else self.g.random.getrandbits(1)) << i
                for i, x in enumerate(byte)
            )

        calls = self.task.build(self.g)
        plan = next(calls)
        while True:
            held: dict[str, Bytes | Places] = {
                name: {at: number_bits(number(byte), 8) for at, byte in _placed(data)}
                for name, data in plan.contents.items()
            }
            low, high = plan.lengths
            for length in range(low, high + 1):
                m = self._entered(replace(plan, contents=held, lengths=(length, length)))
                runner = Runner(plan.target, lambda *_: None, False)
                (m,) = runner.run(m, self.image.symbols[self.task.kernel.symbol])
                self.check_return(m)
                for name, places in plan.wanted(length).items():
                    for at, byte in places.items():
                        left = m.spaces.get(name, {}).get(at)
                        if left is None or m.bits(m.read(name, at, 1), 8) != number_bits(
                            number(byte), 8
                        ):
                            return False
            try:
                plan = calls.send(self._proved(plan))
            except StopIteration:
                return True

    def _proved(self, plan: Plan) -> Lengths:
        """The runs of one call; the last state."""
        m = self._entered(plan)

        def check(state: Lengths, first: int, end: int, length: int) -> None:
            want = plan.wanted(length)[plan.target]
            places = {at: want[at] for at in range(first, end)}
            self._compare(state, plan, {plan.target: places}, length)

        runner = Runner(plan.target, check, plan.merge)
        states = runner.run(m, self.image.symbols[self.task.kernel.symbol])
        for state in states:
            self._finished(state, plan)
            self._ran(state)
        return states[-1]

    def _finished(self, state: Lengths, plan: Plan) -> None:
        low, high = state.lengths
        for length in range(low, high + 1):
            wanted = plan.wanted(length)
            if state.right is not None:
                held = wanted[plan.target]
                wanted[plan.target] = {at: x for at, x in held.items() if at < state.right}
            self._compare(state, plan, wanted, length)
            self._rest(state, plan, wanted, length)
        self.check_return(state)

    def _entered(self, plan: Plan) -> Lengths:
        low, high = plan.lengths
        align = max(align_of(self.task.kernel), plan.align)
        regions = {
            name: Region(0, low if size == LENGTH else int(size), plan.access[name], align)
            for name, size in plan.sizes.items()
        }
        regions["stack"] = Region(-FRAME_MOST - 8, 0, "rw", 16)
        m: Lengths
        if isinstance(self.image, X86Image):
            m = LengthMachine(self.g, self.image, regions)
        else:
            m = ArmLengthMachine(self.g, self.image, regions)
        self.ordered(m, plan.sizes)
        m.scaled = tuple(name for name, size in plan.sizes.items() if size == LENGTH)
        m.tag = "at entry"
        m.alignment = {name: region.align for name, region in regions.items()}
        for name, size in plan.sizes.items():
            most = high if size == LENGTH else int(size)
            m.bounds[name] = (1, (1 << 64) - 1 - most)
        m.bounds[LENGTH] = (low, high)
        for name, word in self.saved.items():
            m.set_register(name, word)
        self.called(m)
        order = ARGUMENTS if self.isa is X86 else A64_ARGUMENTS
        for register, what in zip(order, plan.arguments, strict=False):
            if what == NOTHING:
                m.set_register(register, 0)
            elif isinstance(what, str):
                m.set_register(register, Lin(0, {what: 1}))
            elif isinstance(what, tuple):
                m.set_register(self._lower(register), what[0])
            else:
                m.set_register(register, what)
        for name, data in plan.contents.items():
            for at, byte in _placed(data):
                m.write(name, at, byte, 1)
        return m if low < high else m.narrowed(low, high)

    def ordered(self, m: Lengths, buffers: Iterable[str]) -> None:
        """Watch whether a run reads its input before it writes there, where it has both."""
        if {"in", "out"} <= set(buffers):
            m.order = Order("in", "out")
            self.orders = (*self.orders, m.order)

    def _compare(self, m: Lengths, plan: Plan, wanted: Mapping[str, Places], length: int) -> None:
        """The bytes of a run are those wanted for a length."""
        for name, places in wanted.items():
            held = m.spaces.get(name, {})
            for at, want in places.items():
                where = f"byte {at} of {name}, for {length} bytes,"
                if at not in held:
                    raise RefusedError(f"{where} is never written")
                got = m.bits(m.read(name, at, 1), 8)
                for bit, (x, y) in enumerate(zip(got, want, strict=True)):
                    if x == y or self.g.same(x, y):
                        continue
                    model = self.g.difference(x, y)
                    if model is None:
                        raise OpenError(f"bit {bit} of {where} is neither proved nor refuted")
                    if isinstance(self.g, Blind):
                        raise OpenError(f"bit {bit} of {where} differs from the specification")
                    raise MismatchError(
                        f"bit {bit} of {where} differs from the specification",
                        self._case(m, plan, wanted, length, model),
                    )

    def _rest(self, m: Lengths, plan: Plan, wanted: Mapping[str, Places], length: int) -> None:
        """Nothing else of a buffer is changed."""
        for name, access in plan.access.items():
            if "w" not in access or name in plan.free:
                continue
            places, old = wanted.get(name, {}), plan.before.get(name, {})
            for at in m.spaces.get(name, {}):
                if at in places or (plan.sizes[name] == LENGTH and at >= length):
                    continue
                value = m.bits(m.read(name, at, 1), 8)
                if value != old.get(at):
                    raise RefusedError(f"byte {at} of {name} is changed, and no output is there")

    def _case(
        self,
        m: Lengths,
        plan: Plan,
        wanted: Mapping[str, Places],
        length: int,
        model: Mapping[int, int],
    ) -> Counterexample:
        """The inputs, and what should come out and does."""
        got = {
            name: {
                at: m.bits(m.read(name, at, 1), 8) for at in places if at in m.spaces.get(name, {})
            }
            for name, places in wanted.items()
        }
        pairs = [
            pair
            for name, held in got.items()
            for at, byte in held.items()
            for pair in zip(byte, wanted[name][at], strict=True)
        ]
        few = minimised(self.g, model, pairs)

        def shown(cells: Sequence[Bits]) -> str:
            values = self.g.evaluate(few, [x for byte in cells for x in byte], 1)
            numbers = (values[i : i + 8] for i in range(0, len(values), 8))
            return bytes(sum(x << i for i, x in enumerate(byte)) for byte in numbers).hex()

        return Counterexample(
            0,
            {
                name: shown(
                    [
                        byte
                        for at, byte in sorted(data.items())
                        if plan.sizes[name] != LENGTH or at < length
                    ]
                )
                for name, data in plan.before.items()
            },
            {name: shown(list(places.values())) for name, places in wanted.items()},
            {name: shown(list(held.values())) for name, held in got.items()},
        )


def _placed(data: Bytes | Places) -> Iterable[tuple[int, Bits]]:
    return data.items() if isinstance(data, dict) else enumerate(data)


# What kernels must do


class Stream:
    """The key stream of CTR from any first counter block, block by block."""

    def __init__(
        self, g: Graph, cipher: BlockCipher, keys: Sequence[Word], first: Bits, blocks: int
    ) -> None:
        self.g, self.cipher, self.keys = g, cipher, keys
        self.blocks: dict[int, Bytes] = {}
        size = cipher.block_size
        self.numbers = [  # the counter so many blocks behind the first
            bits_of(modes.numbered(Word(g, first), i, size), 8 * size) for i in range(blocks + 1)
        ]
        g.aim(x for number in self.numbers for x in number)

    def block(self, i: int) -> Bytes:
        """Block i of the key stream."""
        if i not in self.blocks:
            counter = big_endian(self.numbers[i])
            self.blocks[i] = crypted(self.g, self.cipher, self.keys, counter, True)
        return self.blocks[i]

    def text(self, data: Bytes) -> Places:
        """The text xor the key stream."""
        size = self.cipher.block_size
        return {
            at: tuple(map(self.g.xor, byte, self.block(at // size)[at % size]))
            for at, byte in enumerate(data)
        }


def _text(g: Graph, size: int) -> Bytes:
    return [g.word(f"text {i}", 8) for i in range(size)]


def _near(g: Graph, name: str, width: int, blocks: int) -> Bits:
    """Any counter. In the graph's runs it is close below a multiple of a power of two, so that so
    many blocks behind it differ where a carry goes.
    """
    numbers = []
    for run in range(RUNS):
        end = width if run % 4 == 0 else g.random.randrange(4, width)
        behind = run // 4 + 1 if run % 4 == 0 else g.random.randrange(1, blocks + 2)
        numbers.append(((g.random.getrandbits(width) >> end << end) - behind) % (1 << width))
    bits = g.numbered(name, numbers, width)
    g.look_at_carries(bits)
    return bits


def _counter(g: Graph, size: int, blocks: int) -> Bits:
    """Any first counter block, the same one in all proofs of a kernel."""
    assert g.known is not None
    if "counter" not in g.known:
        g.known["counter"] = _near(g, "counter", 8 * size, blocks)
    return g.known["counter"]


def _buffers(in_place: bool) -> tuple[str, str]:
    return ("out", "out") if in_place else ("in", "out")


def short(cipher: BlockCipher, blocks: int, keystream: bool, in_place: bool, g: Graph) -> Plans:
    """A short text under any round keys."""
    size = cipher.block_size
    keys = [Word(g, g.word(f"round key {i}", cipher.width)) for i in range(round_key_count(cipher))]
    laid_out = to_bytes(*WORDS["canonical"](cipher, keys))
    first = _counter(g, size, blocks)
    stream = Stream(g, cipher, keys, first, blocks)
    data = _text(g, size * blocks)
    source, target = _buffers(in_place)
    whole = stream.text(data)

    def wanted(length: int) -> dict[str, Places]:
        count = -(-length // size)
        found = {
            target: {at: whole[at] for at in range(length)},
            "counter": dict(enumerate(big_endian(stream.numbers[count]))),
        }
        if keystream:
            found["keystream"] = dict(enumerate(stream.block(count - 1))) if length % size else {}
        return found

    room = ["keystream"] if keystream else []
    sizes: dict[str, int | str] = {source: LENGTH, target: LENGTH, "counter": size}
    sizes |= {"rk": len(laid_out)} | dict.fromkeys(room, size)
    yield Plan(
        {source: data, "counter": big_endian(first), "rk": laid_out},
        sizes,
        {source: "r", target: "rw" if in_place else "w", "counter": "rw", "rk": "r"}
        | dict.fromkeys(room, "w"),
        [target, source, LENGTH, "counter", "keystream" if keystream else NOTHING, "rk"],
        (1, size * blocks),
        target,
        wanted,
        free=("keystream",),
        scope=f"1 to {size * blocks} bytes",
    )


def once(cipher: BlockCipher, blocks: int, in_place: bool, g: Graph) -> Plans:
    """A text with any key."""
    size = cipher.block_size
    key = [g.word(f"key {i}", 8) for i in range(cipher.key_size)]
    keys = cipher.expand(from_bytes(g, key, cipher.width))
    first = _counter(g, size, blocks)
    stream = Stream(g, cipher, keys, first, blocks)
    data = _text(g, size * blocks)
    source, target = _buffers(in_place)
    whole = stream.text(data)
    yield Plan(
        {source: data, "iv": big_endian(first), "key": key},
        {source: LENGTH, target: LENGTH, "iv": size, "key": len(key)},
        {source: "r", target: "rw" if in_place else "w", "iv": "r", "key": "r"},
        [target, source, LENGTH, "iv", "key"],
        (1, size * blocks),
        target,
        lambda length: {target: {at: whole[at] for at in range(length)}},
        merge=True,
        scope=f"1 to {size * blocks} bytes",
    )


# Lanes: src/lanes/streams.h and chains.h

SLOTS, LANES_MAX, KEYS_MAX, VECTOR_MAX = 4, 32, 72, 64
ROUND_KEYS, KEY_STREAM = 0, KEYS_MAX * VECTOR_MAX  # places in hanji_streams
KEYS = KEY_STREAM + SLOTS * 16 * LANES_MAX
COUNTERS = KEYS + 2 * 16 * LANES_MAX
STREAMS_BYTES = COUNTERS + 16 * LANES_MAX
EXPAND, SHORT, CONTINUE = 1, 2, 4


@dataclass
class Lane:
    """A message in a lane: its key, the next counter, and its key stream."""

    key: Bytes
    keys: list[Word]
    counter: Bits
    stream: Stream


def known(places: Places) -> Places:
    """Those of which something is known."""
    return {at: byte for at, byte in places.items() if all(x < STRANGE for x in byte)}


class Fleet:
    """Messages with keys of their own, one in each lane of a vector: where their bytes lie in
    hanji_streams, `base` bytes behind the begin of the buffer. Of lanes that are not `seen` nothing
    is known, and of what they leave nothing is wanted.
    """

    def __init__(
        self, g: Graph, cipher: BlockCipher, lanes: int, seen: Sequence[int], base: int = 0
    ) -> None:
        self.g, self.cipher, self.lanes, self.base = g, cipher, lanes, base
        self.words = 128 // container(cipher.width)
        self.slot = 12 if cipher.block_size in (6, 12) else 16
        self.blocks = SLOTS * self.slot // cipher.block_size
        self.lane: dict[int, Lane] = {}
        for i in seen:
            key = [g.word(f"key {base} {i} {at}", 8) for at in range(cipher.key_size)]
            first = _near(g, f"counter {base} {i}", 8 * cipher.block_size, self.blocks)
            keys = cipher.expand(from_bytes(g, key, cipher.width))
            stream = Stream(g, cipher, keys, first, self.blocks)
            self.lane[i] = Lane(key, keys, first, stream)

    def place(self, at: int, lane: int) -> int:
        """Where piece or slot 0 of a lane lies in an array of them."""
        words = self.words
        return self.base + at + 16 * (lane % words * (self.lanes // words) + lane // words)

    def slots(self, at: int, count: int, of: Callable[[int], Bytes], whole: bool) -> Places:
        """So many slots of every lane with these bytes of it; with `whole` all else of them may be
        anything.
        """
        found: Places = {}
        for lane in range(self.lanes):
            data = of(lane) if lane in self.lane else []
            for piece in range(count):
                begin = self.place(at, lane) + 16 * self.lanes * piece
                part = data[piece * self.slot : (piece + 1) * self.slot]
                found |= {begin + i: byte for i, byte in enumerate(part)}
                if whole:
                    found |= {begin + i: self.anything() for i in range(len(part), 16)}
        return found

    def anything(self) -> Bits:
        """A byte that may be anything; without `Blind`, of which a case is made, a zero."""
        if isinstance(self.g, Blind):
            return tuple(self.g.unknown() for _ in range(8))
        return (0,) * 8

    @property
    def keys(self) -> Places:
        """The keys of all lanes."""
        count = -(-self.cipher.key_size // self.slot)
        return self.slots(KEYS, count, lambda i: self.lane[i].key, True)

    @property
    def counters(self) -> Places:
        """The counter blocks of all lanes."""
        return self.slots(COUNTERS, 1, lambda i: big_endian(self.lane[i].counter), True)

    def key_streams(self, flags: int) -> Places:
        """Key stream and counter blocks that a call leaves."""
        found: Places = {}
        size, pieces = self.cipher.block_size, 1 if flags & SHORT else SLOTS * self.slot // 16
        for lane, one in self.lane.items():
            for at in range(16 * pieces):
                place = self.place(KEY_STREAM, lane) + at // 16 * 16 * self.lanes + at % 16
                found[place] = one.stream.block(at // size)[at % size]
        count = self.blocks if flags & CONTINUE else 0
        return found | self.slots(
            COUNTERS, 1, lambda i: big_endian(self.lane[i].stream.numbers[count]), False
        )

    def round_keys(self, m: Lengths, name: str) -> Places:
        """The kernel's own round keys, as a call has left them; OpenError if those of a lane that is
        seen hang on a counter, as they must be good for any.
        """
        bits = container(self.cipher.width) // 8
        vector = bits * self.lanes
        found: Places = {}
        for i in range(round_key_count(self.cipher) * vector):
            at = self.base + ROUND_KEYS + i
            if at not in m.spaces[name]:
                continue
            byte = m.bits(m.read(name, at, 1), 8)
            known = all(x < STRANGE for x in byte)
            found[at] = byte if known else self.anything()
        counters = {x >> 1 for one in self.lane.values() for x in one.counter}
        used = {x >> 1 for byte in found.values() for x in byte if x < STRANGE}
        if not self.g.below(used)[0].isdisjoint(counters):
            raise OpenError("the round keys of a lane hang on its counter")
        return found


def streams(cipher: BlockCipher, lanes: int, seen: Sequence[int], g: Graph) -> Plans:
    """Key streams of lanes: calls that make the round keys, and calls that have them."""
    fleet, name = Fleet(g, cipher, lanes, seen), "streams"

    def plan(flags: int, held: Places) -> Plan:
        given = fleet.counters | (fleet.keys if flags & EXPAND else {})
        return Plan(
            {name: given | ({} if flags & EXPAND else held)},
            {name: STREAMS_BYTES},
            {name: "rw"},
            [name, (flags,)],
            (0, 0),
            name,
            lambda _: {name: known(held) | fleet.key_streams(flags)},
            free=(name,),
            scope="all flags",
            align=VECTOR_MAX,
        )

    state = yield plan(EXPAND, {})
    held = fleet.round_keys(state, name)
    for flags in (EXPAND | SHORT, EXPAND | CONTINUE, 0, SHORT, CONTINUE):
        yield plan(flags, held)


TEXT_SLOTS = STREAMS_BYTES  # places in hanji_chains
MACS = TEXT_SLOTS + SLOTS * 16 * LANES_MAX
STARTS = MACS + 16 * LANES_MAX
COUNTS = STARTS + 3 * 16 * LANES_MAX
CHAINS_BYTES = COUNTS + VECTOR_MAX
START, STREAM, ZERO = 8, 16, 32


class Chains(Fleet):
    """The lanes of one vector in hanji_chains: texts, chain values, numbers of blocks."""

    def __init__(
        self, g: Graph, cipher: BlockCipher, lanes: int, seen: Sequence[int], base: int
    ) -> None:
        super().__init__(g, cipher, lanes, seen, base)
        size = cipher.block_size
        self.text, self.mac, self.count = (
            {i: [g.word(f"{what} {base} {i} {at}", bits) for at in range(n)] for i in seen}
            for what, n, bits in (("text", 16 * SLOTS, 8), ("mac", size, 8), ("count", 1, 4))
        )
        self.after: dict[tuple[int, int], Bytes] = {}

    @property
    def texts(self) -> Places:
        """Texts, chain values and numbers of blocks of all lanes."""
        width = container(self.cipher.width) // 8
        counts: Places = {}
        for lane in range(self.lanes):
            at = self.base + COUNTS + lane * width
            for i in range(width):
                counts[at + i] = (
                    (0,) * 8
                    if lane in self.lane and i
                    else (*self.count[lane][0], 0, 0, 0, 0)
                    if lane in self.lane
                    else self.anything()
                )
        return (
            self.slots(TEXT_SLOTS, SLOTS, lambda i: self.text[i], True)
            | self.slots(MACS, 1, lambda i: self.mac[i], True)
            | counts
        )

    def chain(self, lane: int, blocks: int) -> Bytes:
        """The chain value of a lane behind so many blocks, of which it takes its own."""
        if blocks == 0:
            return self.mac[lane]
        if (lane, blocks) not in self.after:
            g, size, before = self.g, self.cipher.block_size, self.chain(lane, blocks - 1)
            text = self.text[lane][(blocks - 1) * size : blocks * size]
            block = [tuple(map(g.xor, a, b)) for a, b in zip(before, text, strict=True)]
            new = crypted(g, self.cipher, self.lane[lane].keys, block, True)
            count = (*self.count[lane][0], 0)
            behind = sub(g, count, number_bits(blocks, 5))[-1]
            self.after[lane, blocks] = [
                tuple(g.choose(behind, x, y) for x, y in zip(old, byte, strict=True))
                for old, byte in zip(before, new, strict=True)
            ]
        return self.after[lane, blocks]

    def macs(self, blocks: int) -> Places:
        """The chain values behind so many blocks."""
        return self.slots(MACS, 1, lambda i: self.chain(i, blocks), False)

    def starts(self, count: int) -> Places:
        """The cipher of the blocks 0, 1, ..."""
        found: Places = {}
        size = self.cipher.block_size
        for t in range(count):
            block = big_endian(number_bits(t, 8 * size))
            for i, lane in self.lane.items():
                made = crypted(self.g, self.cipher, lane.keys, block, True)
                at = self.place(STARTS, i) + t * 16 * self.lanes
                found |= {at + k: byte for k, byte in enumerate(made)}
        return found


def chains(cipher: BlockCipher, lanes: int, vectors: int, seen: Sequence[int], g: Graph) -> Plans:
    """Chains of blocks of `vectors` vectors of lanes, of which some are seen."""
    name, most = "chains", 16 * SLOTS // cipher.block_size
    parts = [
        Chains(g, cipher, lanes, [i - v * lanes for i in seen if i // lanes == v], v * CHAINS_BYTES)
        for v in range(vectors)
    ]

    def plan(
        flags: int, lengths: tuple[int, int], given: Places, wanted: Callable[[int], Places]
    ) -> Plan:
        return Plan(
            {name: given},
            {name: vectors * CHAINS_BYTES},
            {name: "rw"},
            [name, vectors, LENGTH, (flags,)],
            lengths,
            name,
            lambda blocks: {name: wanted(blocks)},
            free=(name,),
            scope=f"0 to {most} blocks",
            align=VECTOR_MAX,
        )

    def joined(of: Callable[[Chains], Places]) -> Places:
        return {at: byte for part in parts for at, byte in of(part).items()}

    keys = joined(lambda part: part.keys)
    held: Places = {}
    for flags, count in ((EXPAND | START, 3), (EXPAND | ZERO, 1)):
        starts = joined(lambda part: part.starts(count)) | known(held)  # noqa: B023
        state = yield plan(flags, (0, 0), keys, lambda _: starts)  # noqa: B023
        held = held or joined(lambda part: part.round_keys(state, name))  # noqa: B023
    texts = joined(lambda part: part.texts)
    yield plan(
        0, (0, most), texts | held, lambda n: joined(lambda part: part.macs(n)) | known(held)
    )
    counters = joined(lambda part: part.counters)
    for flags in (STREAM, STREAM | SHORT, STREAM | CONTINUE):
        made = joined(lambda part: part.key_streams(flags)) | known(held)  # noqa: B023
        yield plan(
            flags,
            (0, most),
            texts | held | counters,
            lambda n: made | joined(lambda part: part.macs(n)),  # noqa: B023
        )


# Headers: parameter -> buffer, bytes and access, or a value; and what is secret.
Argument = tuple[str, str, str] | str
TEXT: dict[str, Argument] = {
    "out": ("out", "bytes", "w"),
    "in": ("in", "bytes", "r"),
    "bytes": LENGTH,
}
HEADERS: dict[str, tuple[dict[str, Argument], str, tuple[str, ...]]] = {
    "short": (
        TEXT
        | {
            "counter": ("counter", "block", "rw"),
            "keystream": ("keystream", "block", "w"),
            "keys": ("rk", "round keys in canonical layout", "r"),
        },
        "out == in allowed",
        ("in", "counter", "rk"),
    ),
    "once": (
        TEXT | {"iv": ("iv", "block", "r"), "key": ("key", "the key", "r")},
        "out == in allowed",
        ("in", "key"),
    ),
    "streams": (
        {
            "s": (
                "streams",
                "keys and counters in and key stream out of all lanes",
                "rw",
            ),
            "flags": "flags",
        },
        "none",
        ("streams",),
    ),
    "chains": (
        {
            "c": (
                "chains",
                "keys and texts in and chain values out of all lanes",
                "rw",
            ),
            "vectors": "vectors",
            "blocks": "blocks of a lane",
            "flags": "flags",
        },
        "none",
        ("chains",),
    ),
}


Headers = Mapping[str, tuple[dict[str, Argument], str, tuple[str, ...]]]


def checked(kernel: Kernel, headers: Headers = HEADERS) -> None:
    """RefusedError where a header is not that of its operation."""
    args, aliasing, secrets = headers[kernel.operation]
    wanted = {
        name: {"value": what}
        if isinstance(what, str)
        else dict(zip(("buffer", "bytes", "access"), what, strict=True))
        for name, what in args.items()
    }
    for what, given, expected in (
        ("arguments", list((kernel.args or {}).items()), list(wanted.items())),
        ("aliasing", kernel.aliasing, aliasing),
        ("secrets", kernel.secrets, secrets),
        ("layout", kernel.layout, "canonical"),
    ):
        if given != expected:
            raise RefusedError(f"the header gives {what} {given}, {expected} expected")


ONCE_MOST = 16  # vectors of every word of a text: longer ones go through the kernel of CTR


def fleet_tasks(kernel: Kernel) -> Iterator[FleetTask]:
    """The proofs of a kernel of these operations; none where it is no such kernel."""
    family, _, operation = kernel.spec.partition(".")
    if kernel.isa not in ("avx2", "avx512", "neon") or operation not in HEADERS:
        return
    cipher = spec.algorithm(family)
    if not isinstance(cipher, BlockCipher):
        return
    checked(kernel)
    if operation == "short":
        for how, keystream, in_place in (
            ("separate", True, False),
            ("in place", True, True),
            ("no place for key stream", False, False),
        ):
            build = partial(short, cipher, kernel.blocks, keystream, in_place)
            yield FleetTask(kernel, how, build, in_place)
    if operation in ("streams", "chains"):
        many = at_once(cipher)
        for vectors in (1, 2)[: 1 + (operation == "chains")]:
            for first in range(0, vectors * kernel.blocks, many):
                seen = range(first, min(first + many, vectors * kernel.blocks))
                build = (
                    partial(streams, cipher, kernel.blocks, seen)
                    if operation == "streams"
                    else partial(chains, cipher, kernel.blocks, vectors, seen)
                )
                name = f"{vectors} vectors{LANES}{first} to {seen[-1]}"
                yield FleetTask(kernel, name, build, shared=False, blind=True)
    if operation == "once":
        vector = {"avx2": 32, "avx512": 64}[kernel.isa] // (cipher.width // 8)
        most = min(kernel.blocks, ONCE_MOST * vector)
        for how, in_place in (("separate", False), ("in place", True)):
            yield FleetTask(kernel, how, partial(once, cipher, most, in_place), in_place)
