# SPDX-License-Identifier: Apache-2.0
"""What the threads of a launch must do (src/gpu/gpu.h), and its proof for all of them at once.

Numbers of threads, CTAs and texts are symbols. Where a thread does more or less, there is a case
for each; the cases together are all values. For every case one thread runs on symbolic data: it
writes exactly the bytes of its texts, they are what the specification says, and it reads no byte
that is not its own. No two threads have a byte of the output in common (a test counts the bytes of
small launches), so that no thread sees what another one writes, in place, too.

Counters of streams: the low word must not overflow within a launch. Then the counter block of text
i has the other words as they are and the low word plus i; `Numbers` proves that of the counters of
lab/spec for all counters and all i below 2^32.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from .. import spec
from ..kernels import Kernel
from ..layouts import WORDS
from ..spec import modes
from ..spec.block import BlockCipher
from .contracts import NoHarnessError
from .graph import Bits, Graph
from .induct import Counterexample, Evidence, MismatchError, minimised
from .lift import Bytes, big_endian, crypted, from_bytes, round_key_count, to_bytes
from .pcode import OpenError
from .ptx import Program, Thread, Window
from .values import Lin, RefusedError, Value, combined, interval, made, scaled
from .words import High, Sum, Word, bits_of, carry_out

VECTOR = 16  # bytes
STREAM_THREADS, TAIL_THREADS, WARP = 256, 32, 32
STREAM_VECTORS = 4  # per thread
SINGLES = 2  # messages per thread
VECTORS_MOST = 1 << 30  # of a launch: src/gpu/launch.c, LAUNCH_BYTES
MESSAGES_MOST = (1 << 32) - 2
WHOLE = (0, (1 << 64) - 1)
ALL = "all threads"
NONE = "no message"
LEFT = Lin(0, {"size": 1})  # the bytes of a message


@dataclass(frozen=True)
class Case:
    """A thread for some of the public values: what it gets and what it must write.

    `sizes` are the bytes of buffers, in which all of its windows must lie. `sums` are counters and
    what is added to them, which does not overflow.
    """

    name: str
    special: dict[str, Value]
    values: dict[str, Value]
    bounds: dict[str, tuple[int, int]]
    windows: dict[str, Window]
    contents: dict[str, dict[int, Bits]]
    want: dict[int, Bits]
    sizes: dict[str, int | Lin]
    alignment: dict[str, int] = field(default_factory=dict)
    sums: tuple[tuple[Bits, Bits], ...] = ()


Cases = Callable[["Numbers"], Iterator[Case]]


@dataclass(frozen=True)
class Launch:
    """One proof: a kernel with its buffers apart or in place."""

    kernel: Kernel
    name: str
    in_place: bool
    cases: Cases
    looped: bool = False
    shared: bool = True
    counted: bool = False

    @property
    def values(self) -> dict[str, int]:
        """Public values that all cases have in common."""
        return {}


class Numbers:
    """The words that all cases of a proof share: keys, data, counters, public symbols."""

    def __init__(self, g: Graph, cipher: BlockCipher | None) -> None:
        self.g = g
        if cipher is not None:
            self.cipher = cipher
        if g.known is None:
            g.known = {}
        self.symbols: dict[str, Bits] = {}
        self.public: set[int] = set()
        self.counter: Bits = ()
        self.fixed: Bytes = []

    def byte(self, name: str) -> Bits:
        """A byte of an input."""
        return self.g.word(name, 8)

    def keys(self) -> list[Word]:
        """Any round keys, and so those of any key."""
        g, cipher = self.g, self.cipher
        return [
            Word(g, g.word(f"round key {i}", cipher.width)) for i in range(round_key_count(cipher))
        ]

    def symbol(self, name: str, width: int) -> Bits:
        """The bits of a public number that kernels compute with."""
        if name not in self.symbols:
            self.symbols[name] = self.g.word(f"the number {name}", width)
            self.public.update(x >> 1 for x in self.symbols[name])
        return self.symbols[name]

    def first_counter(self) -> None:
        """Any first counter block; OpenError if its numbers are not what they should be."""
        g, size = self.g, self.cipher.block_size
        if g.known is not None and "counter" in g.known:
            self.counter = g.known["counter"]
        else:
            self.counter = g.counter("counter", 32)
            assert g.known is not None
            g.known["counter"] = self.counter
        self.fixed = [g.word(f"fixed {i}", 8) for i in range(size - 4)]
        self.public.update(x >> 1 for byte in (self.counter, *self.fixed) for x in byte)
        whole = self.block(self.counter)
        number = tuple(x for byte in reversed(whole) for x in byte)
        added = g.word("blocks", 32)
        more: Any = Word(g, added)  # of any number of blocks: a symbolic one here
        found = bits_of(modes.numbered(Word(g, number), more, size), 8 * size)
        overflow = carry_out(g, self.counter, added)
        if found[:32] != Sum(g, (self.counter, added)).bits():
            raise OpenError("the low word of a counter is not proved")
        for x, y in zip(found[32:], number[32:], strict=True):
            if not g.same(g.and_(overflow ^ 1, g.xor(x, y)), 0):
                raise OpenError("the high words of a counter are not proved")

    def block(self, low: Bits) -> Bytes:
        """The counter block with this low word."""
        return [*self.fixed, *big_endian(low)]

    def words(self, count: int) -> list[Bits]:
        """The words of the first counter block as parameters: the number, then those in memory."""
        memory = [
            tuple(x for byte in self.fixed[4 * i : 4 * i + 4] for x in byte)
            for i in range(count - 1)
        ]
        return [self.counter, *memory]

    def added(self, thread: Lin | int, more: int, apart: bool) -> tuple[Bits, Bits]:
        """The counter's low word for a text, and the number that is added to it: what the thread
        has, and `more`. With `apart` that of the thread is added first; the sum is the same.
        """
        g = self.g
        factors = thread.factors if isinstance(thread, Lin) else {}
        own = tuple(
            ((0,) * (factor.bit_length() - 1) + self.symbols[name] + (0,) * 32)[:32]
            for name, factor in factors.items()
        )
        constant = tuple(more >> i & 1 for i in range(32))
        total = Sum(g, (*own, constant)).bits()
        if apart and more:
            return Sum(g, (Sum(g, (self.counter, *own)).bits(), constant)).bits(), total
        return Sum(g, (self.counter, total)).bits(), total


class Grid:
    """The proof of one task on a graph."""

    kind: type[Thread] = Thread

    def __init__(self, g: Graph, program: Program, task: Launch) -> None:
        self.g, self.program, self.task = g, program, task
        self.evidence = Evidence()
        cipher = spec.algorithm(task.kernel.spec.partition(".")[0])
        assert isinstance(cipher, BlockCipher)
        self.numbers = Numbers(g, cipher)

    def prove(self) -> str:
        """All cases."""
        for case in self.task.cases(self.numbers):
            self._case(case)
        return ALL

    def thread(self, case: Case) -> Thread:
        """The thread of a case, before its first instruction."""
        target = "in" if self.task.in_place else "out"
        parameters: dict[str, Value] = {}
        named = [name for name, _ in self.program.parameters]
        if named != list(self.task.kernel.args or {}):
            raise RefusedError(f"the entry has the parameters {', '.join(named)}, not the header's")
        bounds = dict(case.bounds)
        for name, kind in self.program.parameters:
            expected = "u64" if name in case.windows else "u32"
            if kind != expected:
                raise RefusedError(f"the parameter {name} is a {kind}, {expected} expected")
            address = Lin(0, {target if name == "out" else name: 1})
            parameters[name] = case.values.get(name, address)
        windows = dict(case.windows)
        if self.task.in_place:
            del windows["out"]
            windows["in"] = Window(windows["in"].base, windows["in"].spans, "rw")
        alignment = dict.fromkeys(windows, VECTOR) | case.alignment
        bounds |= dict.fromkeys(windows, WHOLE)
        thread = self.kind(
            self.g,
            self.program,
            parameters,
            {"%nctaid.y": 1} | case.special,
            windows,
            bounds,
            alignment,
            self.numbers.symbols,
            self.numbers.public,
        )
        for name, cells in case.contents.items():
            thread.memory[name].update(cells)
        self._launched(case, bounds)
        return thread

    def _launched(self, case: Case, bounds: Mapping[str, tuple[int, int]]) -> None:
        """RefusedError where .maxntid forbids the CTAs of a launch, as the driver would."""
        last = combined(_public(case.special, "%tid.x"), 1, 1, 64)
        ends = interval(_public(case.special, "%ntid.x", last), bounds)
        if self.program.threads and (ends is None or ends[1] > self.program.threads[0]):
            most = "?" if ends is None else ends[1]
            raise RefusedError(
                f".maxntid allows {self.program.threads[0]} threads in a CTA, and {case.name} has {most}"
            )

    def _case(self, case: Case) -> None:
        for name, window in case.windows.items():
            _inside(name, window, case)
        m = self.thread(case)
        try:
            m.run()
            self.check(case, m, case.want)
        finally:
            self.ran(m)

    def ran(self, m: Thread) -> None:
        """Note what a run went over."""
        self.evidence.executed |= m.executed
        self.evidence.instructions += m.count

    def check(self, case: Case, m: Thread, want: Mapping[int, Bits]) -> None:
        """Exactly the bytes of the texts are written, and they are right."""
        target = "in" if self.task.in_place else "out"
        if missing := sorted(set(want) - m.written[target]):
            raise RefusedError(f"{case.name}: byte {missing[0]} of the output is never written")
        if stray := sorted(m.written[target] - set(want)):
            raise RefusedError(f"{case.name}: byte {stray[0]} of the output is written")
        pairs = [
            (x, y)
            for at, wanted in sorted(want.items())
            for x, y in zip(m.memory[target][at], wanted, strict=True)
        ]
        for i, (x, y) in enumerate(pairs):
            if self.g.same(x, y):
                continue
            where = f"{case.name}: bit {i % 8} of byte {sorted(want)[i // 8]} of the output"
            model = self._model(case, x, y)
            if model is None:
                raise OpenError(f"{where} is neither proved nor refuted")
            raise MismatchError(
                f"{where} differs from the specification",
                self._counterexample(case, m, want, minimised(self.g, model, [(x, y)])),
            )

    def _model(self, case: Case, x: int, y: int) -> dict[int, int] | None:
        """Inputs for which two bits differ and no counter overflows."""
        g = self.g
        over = 0
        for counter, added in case.sums:
            over = g.or_(over, carry_out(g, counter, added))
        return g.difference(g.and_(over ^ 1, g.xor(x, y)), 0)

    def _counterexample(
        self, case: Case, m: Thread, want: Mapping[int, Bits], model: Mapping[int, int]
    ) -> Counterexample:
        def shown(cells: Mapping[int, Bits]) -> str:
            flat = [x for at in sorted(cells) for x in cells[at]]
            values = self.g.evaluate(model, flat, 1)
            return bytes(
                sum(values[at + i] << i for i in range(8)) for at in range(0, len(values), 8)
            ).hex()

        target = "in" if self.task.in_place else "out"
        contents = {name: shown(cells) for name, cells in case.contents.items()}
        if self.numbers.counter:
            words = self.numbers.block(self.numbers.counter)
            contents["first counter block"] = shown(dict(enumerate(words)))
        for name, bits in self.numbers.symbols.items():
            values = self.g.evaluate(model, bits, 1)
            contents[f"number {name}"] = hex(sum(v << i for i, v in enumerate(values)))
        found = {at: m.memory[target][at] for at in want}
        return Counterexample(1, contents, {"out": shown(want)}, {"out": shown(found)})


def _public(special: Mapping[str, Value], name: str, otherwise: int | Lin = 0) -> int | Lin:
    """What a special register holds: a public number."""
    value = special.get(name, otherwise)
    assert isinstance(value, int | Lin)
    return value


def _inside(name: str, window: Window, case: Case) -> None:
    """RefusedError where bytes of a window lie outside of their buffer."""
    for low, high in window.spans:
        first = made(low, window.base, 64)
        behind = combined(case.sizes[name], made(high, window.base, 64), -1, 64)
        for value in (first, behind):
            ends = interval(value, case.bounds)
            if ends is None or ends[0] < 0:
                raise RefusedError(f"{case.name}: a thread's part of {name} is not all in it")


class Ragged(Grid):
    """CTR of messages of any length, a thread per message, by induction over blocks.

    Let the thread stand at the head of its loop with `left` bytes to do, `place` bytes behind the
    begin of its text, and the number of the next counter block. Entry: it arrives there with the
    length of the message, at its begin, with its counter. Step: with a block or more left, and with
    1 byte, 2 bytes and so on up to a block less one, it does the block, and comes back with what is
    left, at the next place, with the number plus one. End: with nothing left it returns. What
    changes from block to block is found in a first step, and all steps are checked on it: the
    registers that any of them reads hold that, or what they held at entry.
    """

    def prove(self) -> str:
        """No message, then both paths: texts at multiples of blocks, and others."""
        for case in self.task.cases(self.numbers):
            if case.name == NONE:
                self._case(case)
            else:
                self._loop(case)
        return ALL

    def _head(self) -> int:
        """Where the loop over blocks begins: the longest jump back goes there."""
        lines, labels = self.program.lines, self.program.labels
        back = [
            (pc - labels[one.operands[0]], labels[one.operands[0]])
            for pc, one in enumerate(lines)
            if one.name[0] == "bra" and labels.get(one.operands[0], pc + 1) <= pc
        ]
        if not back:
            raise OpenError("the kernel has no loop over blocks")
        return max(back)[1]

    def _loop(self, case: Case) -> None:
        g, size, head = self.g, self.numbers.cipher.block_size, self._head()
        first = self.thread(case)
        if not first.run(0, (head,)):
            raise OpenError("the kernel does not arrive at its loop")
        self.ran(first)
        number = self.numbers.counter
        places = {literal: i for i, literal in enumerate(number)}
        changes = self._changes(case, first, places)
        now = g.known["number now"] if g.known and "number now" in g.known else None
        if now is None:
            assert g.known is not None
            now = g.known["number now"] = g.counter("number now", 8 * size)
        key = [case.contents["keys"][i] for i in range(self.numbers.cipher.key_size)]
        keys = self.numbers.cipher.expand(from_bytes(g, key, self.numbers.cipher.width))
        stream = crypted(g, self.numbers.cipher, keys, big_endian(now), True)
        read: set[str] = set()
        finals = []
        for count in reversed(range(size + 1)):
            m = self._at_head(case, first, changes, count, now)
            text = dict(enumerate(self.numbers.byte(f"in {i}") for i in range(count)))
            m.memory["in"].update(text)
            again = m.run(head, (head,))
            self.ran(m)
            read |= m.used
            want = {i: tuple(map(g.xor, text[i], stream[i])) for i in text}
            what = "nothing" if count == 0 else f"{count} bytes" if count < size else "a block"
            self.check(replace(case, name=f"{case.name}, {what} left"), m, want)
            if again != (count > 0):
                raise OpenError(f"with {what} left the loop goes on, or ends, in another place")
            if again:
                finals.append((count, m))
            elif moved := [r for r in sorted(m.used) if changes.get(r, "left") != "left"]:
                raise OpenError(f"with {what} left the kernel reads {moved[0]}")
        for count, m in finals:
            for name in read:
                self._keeps(name, m, first, changes, count, now)

    def _changes(
        self, case: Case, first: Thread, places: Mapping[int, int]
    ) -> dict[str, str | tuple[int, ...]]:
        """The registers that a block changes, and how: the name of a window whose pointer they are,
        "left", or the places of their bits in the counter.
        """
        size, head = self.numbers.cipher.block_size, self._head()
        m = self._at_head(case, first, {}, size, None)
        text = {i: self.numbers.byte(f"in {i}") for i in range(size)}
        m.memory["in"].update(text)
        if not m.run(head, (head,)):
            raise OpenError("a thread with more blocks to do ends")
        found: dict[str, str | tuple[int, ...]] = {}
        for name in m.used:
            old, new = first.registers.get(name), m.registers[name]
            if old is None or old is new or (isinstance(old, int | Lin | tuple) and old == new):
                continue
            if old == LEFT:
                found[name] = "left"
            elif isinstance(old, Lin) and old in (Lin(0, {"in": 1}), Lin(0, {"out": 1})):
                found[name] = next(iter(old.factors))
            elif isinstance(old, tuple) and all(x in places for x in old):
                found[name] = tuple(places[x] for x in old)
            else:
                raise OpenError(f"no rule for what a block changes in {name}")
        return found

    def _at_head(
        self,
        case: Case,
        first: Thread,
        changes: Mapping[str, str | tuple[int, ...]],
        count: int,
        now: Bits | None,
    ) -> Thread:
        """The thread at the head with so many bytes left, or with a block and any number more."""
        size = self.numbers.cipher.block_size
        moved = {"place": 1} if now else {}
        span = ((0, count),) if count else ()
        windows = dict(case.windows)
        for name, access in (("in", "r"), ("out", "w")):
            windows[name] = Window(moved, span, access)
        m = self.thread(replace(case, windows=windows))
        m.registers = dict(first.registers)
        left = Lin(size, {"rest": 1}) if count == size else count
        for name, value in first.registers.items():
            if value == LEFT and (not changes or changes.get(name) == "left"):
                m.registers[name] = left
        for name, what in changes.items():
            if isinstance(what, tuple):
                assert now is not None
                m.registers[name] = tuple(now[i] for i in what)
            elif what != "left":
                m.registers[name] = Lin(0, {what: 1, **moved})
        return m

    def _keeps(
        self,
        name: str,
        m: Thread,
        first: Thread,
        changes: Mapping[str, str | tuple[int, ...]],
        count: int,
        now: Bits,
    ) -> None:
        """OpenError where a register is not what the next step takes it for."""
        size, what = self.numbers.cipher.block_size, changes.get(name)
        held, whole = m.registers[name], count == size
        if what is None:
            old = first.registers.get(name)
            if old is held or (isinstance(old, int | Lin | tuple) and old == held):
                return
        elif what == "left":
            if held == (Lin(0, {"rest": 1}) if whole else 0):
                return
        elif not whole:
            return  # nothing is left, and a thread with nothing left reads no other of these
        elif isinstance(what, str):
            if held == Lin(size, {what: 1, "place": 1}):
                return
        elif isinstance(held, tuple | Sum | High):
            g = self.g
            number = bits_of(modes.numbered(Word(g, now), 1, size), 8 * size)
            bits = m.data(held, len(what))
            if all(g.same(x, number[i]) for x, i in zip(bits, what, strict=True)):
                return
        raise OpenError(f"{name} is not kept from block to block")


# Contracts


def launches(kernel: Kernel) -> Iterator[Launch]:
    """Every proof that a kernel in PTX needs; NoHarnessError where the prover cannot state it."""
    cipher = spec.algorithm(kernel.spec.partition(".")[0])
    if not isinstance(cipher, BlockCipher) or kernel.operation not in ("encrypt", "decrypt", "ctr"):
        raise NoHarnessError(f"no harness for {kernel.spec} in PTX")
    if kernel.aliasing != "out == in allowed":
        raise NoHarnessError(f"no meaning for aliasing: {kernel.aliasing}")
    arguments = kernel.args or {}
    for needed, make in KINDS:
        if set(needed) <= set(arguments) and cipher.width in (16, 32, 64):
            cases, wanted = make(kernel, cipher)
            checked(kernel, wanted)
            for name, in_place in (("separate", False), ("in place", True)):
                looped = "offsets" in arguments
                yield Launch(kernel, name, in_place, cases(in_place), looped)
            return
    raise NoHarnessError(f"no harness for the arguments {', '.join(arguments)}")


Made = tuple[Callable[[bool], Cases], dict[str, str]]


def checked(kernel: Kernel, wanted: Mapping[str, str], written: Collection[str] = ("out",)) -> None:
    """RefusedError where the header does not say what the specification needs: `wanted` holds the
    bytes of buffers; what has none is a value. The others are `written` or read.
    """
    arguments = dict(kernel.args or {})
    if list(arguments) != list(wanted):
        raise RefusedError(f"the header has {list(arguments)}, {list(wanted)} expected")
    secrets = []
    for name, what in arguments.items():
        if not wanted[name]:
            if "value" not in what:
                raise RefusedError(f"the header says that {name} is a buffer")
            continue
        if str(what.get("bytes")) != wanted[name]:
            raise RefusedError(
                f"the header gives {name} {what.get('bytes')} bytes, {wanted[name]} expected"
            )
        access = "w" if name in written else "r"
        if what["access"] != access:
            raise RefusedError(
                f"the header gives {name} access {what['access']!r}, {access!r} expected"
            )
        if name in ("in", "keys", "masks"):
            secrets.append(what["buffer"])
    if missing := [name for name in secrets if name not in kernel.secrets]:
        raise RefusedError(f"the header does not name {missing[0]} among the secrets")


def _counter_values(cipher: BlockCipher) -> list[str]:
    return ["counter", *(f"fixed{i}" for i in range(cipher.block_size // 4 - 1))]


def _start(n: Numbers, kernel: Kernel) -> dict[str, Value]:
    """The counter's parameters, where there are some."""
    if kernel.operation != "ctr":
        return {}
    n.first_counter()
    return dict(zip(_counter_values(n.cipher), n.words(n.cipher.block_size // 4), strict=True))


def _words_of(n: Numbers) -> dict[int, Bits]:
    """Round keys in memory: words of 32 bits, those of 64 bits low half first."""
    return dict(enumerate(to_bytes(n.keys(), max(32, n.cipher.width))))


def _masks_of(n: Numbers) -> dict[int, Bits]:
    return dict(enumerate(to_bytes(*WORDS["slices"](n.cipher, n.keys()))))


def _made(n: Numbers, kernel: Kernel, block: Bytes, number: tuple[Bits, Bits] | None) -> Bytes:
    """What a text of one block becomes."""
    g = n.g
    if number is None:
        return crypted(g, n.cipher, n.keys(), block, kernel.operation == "encrypt")
    stream = crypted(g, n.cipher, n.keys(), n.block(number[0]), True)
    return [tuple(map(g.xor, a, b)) for a, b in zip(block, stream, strict=True)]


def _texts(
    n: Numbers, kernel: Kernel, places: list[int], thread: Lin | int, more: list[int], apart: bool
) -> tuple[dict[int, Bits], dict[int, Bits], tuple[tuple[Bits, Bits], ...]]:
    """Contents of the input and of the output, blocks at these places whose numbers are those of
    the thread and `more`; and what is added to the counter.
    """
    size = n.cipher.block_size
    contents: dict[int, Bits] = {}
    want: dict[int, Bits] = {}
    sums = []
    for at, number in zip(places, more, strict=True):
        block = [n.byte(f"in {at + i}") for i in range(size)]
        added = n.added(thread, number, apart) if kernel.operation == "ctr" else None
        if added:
            sums.append((n.counter, added[1]))
        contents.update(zip(range(at, at + size), block, strict=True))
        want.update(zip(range(at, at + size), _made(n, kernel, block, added), strict=True))
    return contents, want, tuple(sums)


def _stream(kernel: Kernel, cipher: BlockCipher) -> Made:
    """Vectors of 16 bytes: thread t of CTA c does 1024 c + t + 256 j, where below `vectors`."""
    per = VECTOR // cipher.block_size
    if per < 1 or kernel.blocks != per * STREAM_VECTORS:
        raise RefusedError(f"{kernel.blocks} blocks given, {per * STREAM_VECTORS} expected")
    group = STREAM_THREADS * STREAM_VECTORS
    key_bytes = round_key_count(cipher) * max(32, cipher.width) // 8

    def cases(in_place: bool) -> Cases:
        def listed(n: Numbers) -> Iterator[Case]:
            values = _start(n, kernel)
            n.symbol("cta", 20)
            n.symbol("thread", 8)
            first = Lin(0, {"cta": group, "thread": 1})
            vectors = combined(first, Lin(0, {"left": 1}), 1, 64)
            base = {"cta": group * VECTOR, "thread": VECTOR}
            for count in reversed(range(STREAM_VECTORS + 1)):
                low = STREAM_THREADS * (count - 1) + 1 if count else 1 - STREAM_THREADS
                high = VECTORS_MOST if count == STREAM_VECTORS else STREAM_THREADS * count
                starts = [STREAM_THREADS * VECTOR * j for j in range(count)]
                spans = tuple((at, at + VECTOR) for at in starts)
                places = [at + cipher.block_size * b for at in starts for b in range(per)]
                more = [per * STREAM_THREADS * j + b for j in range(count) for b in range(per)]
                contents, want, sums = _texts(
                    n, kernel, places, scaled(first, per, 32), more, False
                )
                yield Case(
                    f"{count} vectors",
                    {"%ctaid.x": Lin(0, {"cta": 1}), "%tid.x": Lin(0, {"thread": 1})},
                    values | {"vectors": vectors},
                    {
                        "cta": (0, VECTORS_MOST // group - 1),
                        "thread": (0, STREAM_THREADS - 1),
                        "left": (low, high),
                        str(vectors): (1, VECTORS_MOST),
                    },
                    {
                        "in": Window(base, spans, "r"),
                        "out": Window(base, spans, "w"),
                        "keys": Window({}, ((0, key_bytes),), "r"),
                    },
                    {"in": contents, "keys": _words_of(n)},
                    want,
                    dict.fromkeys(("in", "out"), scaled(vectors, VECTOR, 64)) | {"keys": key_bytes},
                    sums=sums,
                )

        return listed

    wanted = dict.fromkeys(("out", "in"), f"{VECTOR} * vectors") | {"keys": str(key_bytes)}
    wanted |= {"vectors": ""}
    wanted |= dict.fromkeys(_counter_values(cipher) if kernel.operation == "ctr" else [], "")
    return cases, wanted


def _tail(kernel: Kernel, cipher: BlockCipher) -> Made:
    """The 1 to 15 bytes behind the last vector, in the first thread: the first bytes of what blocks
    become that are filled with zeros. Other threads do nothing.
    """
    size = cipher.block_size
    if kernel.blocks != VECTOR // size:
        raise RefusedError(f"{kernel.blocks} blocks given, {VECTOR // size} expected")
    key_bytes = round_key_count(cipher) * max(32, cipher.width) // 8

    def cases(in_place: bool) -> Cases:
        def listed(n: Numbers) -> Iterator[Case]:
            values = _start(n, kernel)
            keys = Window({}, ((0, key_bytes),), "r")
            for count in reversed(range(VECTOR)):
                block = [n.byte(f"in {i}") for i in range(count)]
                padded = block + [(0,) * 8] * (VECTOR - count)
                out: Bytes = []
                sums = []
                for b in range(-(-count // size)):
                    number = n.added(0, b, False) if kernel.operation == "ctr" else None
                    sums += [(n.counter, number[1])] if number else []
                    out += _made(n, kernel, padded[size * b : size * b + size], number)
                own = Window({}, ((0, count),) if count else (), "r")
                thread: Value = 0 if count else Lin(0, {"thread": 1})
                yield Case(
                    f"{count} bytes" if count else "other threads",
                    {"%ctaid.x": 0, "%ntid.x": TAIL_THREADS, "%tid.x": thread},
                    values | {"bytes": count or Lin(0, {"bytes": 1})},
                    {"thread": (1, TAIL_THREADS - 1), "bytes": (1, VECTOR - 1)},
                    {"in": own, "out": Window({}, own.spans, "w"), "keys": keys},
                    {"in": dict(enumerate(block)), "keys": _words_of(n)},
                    dict(enumerate(out[:count])),
                    {"in": count, "out": count, "keys": key_bytes},
                    dict.fromkeys(("in", "out"), 1),
                    tuple(sums),
                )

        return listed

    wanted = dict.fromkeys(("out", "in"), "bytes") | {"keys": str(key_bytes), "bytes": ""}
    wanted |= dict.fromkeys(_counter_values(cipher) if kernel.operation == "ctr" else [], "")
    return cases, wanted


def _warps(most: int) -> tuple[dict[str, Value], dict[str, tuple[int, int]], Lin]:
    """The thread's number in up to `most` whole warps: 32 * number + lane, in CTAs of 32 to 128
    threads. Gives special registers, bounds, and the number of threads in the launch.
    """
    # tid is what is left of the thread's number, whatever the size of a CTA is
    special: dict[str, Value] = {
        "%ctaid.x": Lin(0, {"cta": 1}),
        "%ntid.x": Lin(0, {"size": WARP}),
        "%tid.x": Lin(0, {"number": WARP, "lane": 1, "cta * size": -WARP}),
    }
    bounds = {
        "cta": (0, most - 1),
        "size": (1, 4),
        "number": (0, most - 1),
        "lane": (0, WARP - 1),
        "beyond": (0, most),
    }
    return special, bounds, Lin(WARP, {"number": WARP, "beyond": WARP})


def _sliced(kernel: Kernel, cipher: BlockCipher) -> Made:
    """32 blocks per thread in bit slices: vector j of lane l of a warp is 32 j + l."""
    size, vectors = cipher.block_size, 2 * cipher.block_size
    per = VECTOR // size
    if kernel.blocks != 32:
        raise RefusedError(f"{kernel.blocks} blocks given, 32 expected")
    mask_bytes = round_key_count(cipher) * cipher.width * 4

    def cases(in_place: bool) -> Cases:
        def listed(n: Numbers) -> Iterator[Case]:
            values = _start(n, kernel)
            special, bounds, threads = _warps(VECTORS_MOST // (WARP * vectors))
            n.symbol("number", bounds["number"][1].bit_length())
            n.symbol("lane", 5)
            first = Lin(0, {"number": WARP * vectors, "lane": 1})
            base = scaled(first, VECTOR, 64)
            assert isinstance(base, Lin)
            starts = [WARP * VECTOR * j for j in range(vectors)]
            spans = tuple((at, at + VECTOR) for at in starts)
            places = [at + size * b for at in starts for b in range(per)]
            more = [per * WARP * j + b for j in range(vectors) for b in range(per)]
            contents, want, sums = _texts(n, kernel, places, scaled(first, per, 32), more, True)
            yield Case(
                "whole warps",
                special,
                values,
                bounds,
                {
                    "in": Window(base.factors, spans, "r"),
                    "out": Window(base.factors, spans, "w"),
                    "masks": Window({}, ((0, mask_bytes),), "r"),
                },
                {"in": contents, "masks": _masks_of(n)},
                want,
                dict.fromkeys(("in", "out"), scaled(threads, 32 * size, 64))
                | {"masks": mask_bytes},
                sums=sums,
            )

        return listed

    wanted = dict.fromkeys(("out", "in"), f"{32 * size} * threads") | {"masks": str(mask_bytes)}
    wanted |= dict.fromkeys(_counter_values(cipher) if kernel.operation == "ctr" else [], "")
    return cases, wanted


def _own(n: Numbers, tag: str) -> tuple[Bytes, list[Word]]:
    """A key of a message, and its round keys."""
    key = [n.byte(f"key {tag} {i}") for i in range(n.cipher.key_size)]
    return key, n.cipher.expand(from_bytes(n.g, key, n.cipher.width))


def _message(n: Numbers, tag: str) -> tuple[Bytes, Bytes, Bytes, Bytes]:
    """A message of one block: key, counter, text, and what CTR makes of it."""
    size, g = n.cipher.block_size, n.g
    key, keys = _own(n, tag)
    counter = [n.byte(f"counter {tag} {i}") for i in range(size)]
    text = [n.byte(f"in {tag} {i}") for i in range(size)]
    stream = crypted(g, n.cipher, keys, counter, True)
    return key, counter, text, [tuple(map(g.xor, a, b)) for a, b in zip(text, stream, strict=True)]


def _fleet_sizes(cipher: BlockCipher, unit: str, per: int) -> dict[str, str]:
    sizes = {"out": cipher.block_size, "in": cipher.block_size}
    sizes |= {"keys": cipher.key_size, "counters": cipher.block_size}
    return {name: f"{per * size} * {unit}" for name, size in sizes.items()}


def _singles(kernel: Kernel, cipher: BlockCipher) -> Made:
    """Messages of one block with keys of their own: thread t of CTA c does the messages 512 c + t
    and 512 c + t + 256 below `messages`.
    """
    if kernel.operation != "ctr" or kernel.blocks != SINGLES:
        raise RefusedError(f"{kernel.blocks} blocks given, {SINGLES} of CTR expected")
    sizes = dict.fromkeys(("out", "in", "counters"), cipher.block_size) | {"keys": cipher.key_size}
    group = STREAM_THREADS * SINGLES

    def cases(in_place: bool) -> Cases:
        def listed(n: Numbers) -> Iterator[Case]:
            first = Lin(0, {"cta": group, "thread": 1})
            messages = combined(first, Lin(0, {"left": 1}), 1, 64)
            for count in reversed(range(SINGLES + 1)):
                low = STREAM_THREADS * (count - 1) + 1 if count else 1 - STREAM_THREADS
                high = MESSAGES_MOST if count == SINGLES else STREAM_THREADS * count
                cells: dict[str, dict[int, Bits]] = {name: {} for name in sizes}
                for j in range(count):
                    key, counter, text, made_ = _message(n, str(j))
                    for name, data in (
                        ("keys", key),
                        ("counters", counter),
                        ("in", text),
                        ("out", made_),
                    ):
                        at = STREAM_THREADS * j * sizes[name]
                        cells[name].update(enumerate(data, at))
                windows = {}
                for name, size in sizes.items():
                    base = {"cta": group * size, "thread": size}
                    starts = [STREAM_THREADS * j * size for j in range(count)]
                    spans = tuple((at, at + size) for at in starts)
                    windows[name] = Window(base, spans, "w" if name == "out" else "r")
                want = cells.pop("out")
                yield Case(
                    f"{count} messages",
                    {"%ctaid.x": Lin(0, {"cta": 1}), "%tid.x": Lin(0, {"thread": 1})},
                    {"messages": messages},
                    {
                        "cta": (0, MESSAGES_MOST // group),
                        "thread": (0, STREAM_THREADS - 1),
                        "left": (low, high),
                        str(messages): (1, MESSAGES_MOST),
                    },
                    windows,
                    cells,
                    want,
                    {name: scaled(messages, size, 64) for name, size in sizes.items()},
                )

        return listed

    return cases, _fleet_sizes(cipher, "messages", 1) | {"messages": ""}


def _fleet_sliced(kernel: Kernel, cipher: BlockCipher) -> Made:
    """The same in bit slices, 32 messages per thread: vector j of lane l of a warp is 32 j + l."""
    if kernel.operation != "ctr" or kernel.blocks != 32:
        raise RefusedError(f"{kernel.blocks} blocks given, 32 of CTR expected")
    size, per = cipher.block_size, VECTOR // cipher.block_size
    vectors = 32 // per

    def cases(in_place: bool) -> Cases:
        def listed(n: Numbers) -> Iterator[Case]:
            special, bounds, threads = _warps(MESSAGES_MOST // (32 * WARP))
            cells: dict[str, dict[int, Bits]] = {"in": {}, "counters": {}, "keys": {}, "out": {}}
            windows = {}
            for name in cells:
                bytes_ = cipher.key_size if name == "keys" else size
                base = {"number": 32 * WARP * bytes_, "lane": per * bytes_}
                starts = [WARP * per * bytes_ * j for j in range(vectors)]
                spans = tuple((at, at + per * bytes_) for at in starts)
                windows[name] = Window(base, spans, "w" if name == "out" else "r")
            for message in range(32):
                key, counter, text, made_ = _message(n, str(message))
                for name, data in (
                    ("keys", key),
                    ("counters", counter),
                    ("in", text),
                    ("out", made_),
                ):
                    at = (WARP * per * (message // per) + message % per) * len(data)
                    cells[name].update(enumerate(data, at))
            want = cells.pop("out")
            totals = dict.fromkeys(("out", "in", "counters"), 32 * size)
            totals |= {"keys": 32 * cipher.key_size}
            yield Case(
                "whole warps",
                special,
                {},
                bounds,
                windows,
                cells,
                want,
                {name: scaled(threads, total, 64) for name, total in totals.items()},
            )

        return listed

    return cases, _fleet_sizes(cipher, "threads", 32)


def _ragged(kernel: Kernel, cipher: BlockCipher) -> Made:
    """Messages of any length with keys of their own, a thread per message; offsets say where they
    begin and end. The symbol `in` is the address of the thread's text, `out` that of its output.
    """
    if kernel.operation != "ctr" or kernel.blocks != 1:
        raise RefusedError(f"{kernel.blocks} blocks given, 1 of CTR expected")
    size, key_size = cipher.block_size, cipher.key_size
    sizes = {"keys": key_size, "counters": size}

    def cases(in_place: bool) -> Cases:
        def listed(n: Numbers) -> Iterator[Case]:
            key = [n.byte(f"key {i}") for i in range(key_size)]
            assert n.g.known is not None
            if "counter" not in n.g.known:
                n.g.known["counter"] = n.g.counter("counter", 8 * size)
            n.counter = n.g.known["counter"]
            first = Lin(0, {"cta": STREAM_THREADS, "thread": 1})
            messages = combined(first, Lin(0, {"left": 1}), 1, 64)
            texts = ["in"] if in_place else ["in", "out"]
            ored = f"({texts[0]} + 0 | {texts[-1]} + 0) + 0"
            for name, active, unit in (
                (NONE, False, 1),
                ("texts at multiples of blocks", True, size),
                ("texts anywhere", True, 1),
            ):
                windows = {
                    buffer: Window(
                        {"cta": STREAM_THREADS * one, "thread": one},
                        ((0, one),) if active else (),
                        "r",
                    )
                    for buffer, one in sizes.items()
                }
                windows["offsets"] = Window(
                    {"cta": STREAM_THREADS * 8, "thread": 8},
                    ((0, 16),) if active else (),
                    "r",
                    {0: Lin(0, {"begin": 1}), 8: Lin(0, {"begin": 1, "size": 1})},
                )
                windows["in"], windows["out"] = Window({}, (), "r"), Window({}, (), "w")
                behind: dict[str, Value] = {
                    text: Lin(0, {where: 1, "begin": -1})
                    for text, where in (("in", texts[0]), ("out", texts[-1]))
                }
                yield Case(
                    name,
                    {
                        "%ctaid.x": Lin(0, {"cta": 1}),
                        "%ntid.x": STREAM_THREADS,
                        "%tid.x": Lin(0, {"thread": 1}),
                    },
                    {"messages": messages} | behind,
                    {
                        "cta": (0, MESSAGES_MOST // STREAM_THREADS),
                        "thread": (0, STREAM_THREADS - 1),
                        "left": (1, MESSAGES_MOST) if active else (1 - STREAM_THREADS, 0),
                        str(messages): (1, MESSAGES_MOST),
                        "rest": (0, 1 << 62),
                        "place": (0, 1 << 62),
                        **({f"({ored} & {size - 1})": (1, size - 1)} if unit == 1 else {}),
                    },
                    windows,
                    {
                        "keys": dict(enumerate(key)),
                        "counters": dict(enumerate(big_endian(n.counter))),
                    },
                    {},
                    {buffer: scaled(messages, one, 64) for buffer, one in sizes.items()}
                    | {"offsets": combined(scaled(messages, 8, 64), 8, 1, 64)}
                    | {"in": 0, "out": 0},
                    {"in": unit, "out": unit, "place": size},
                )

        return listed

    wanted = dict.fromkeys(("out", "in"), "last offset")
    wanted |= {"keys": f"{key_size} * messages", "counters": f"{size} * messages"}
    wanted |= {"offsets": "8 * messages + 8", "messages": ""}
    return cases, wanted


# By arguments of the header; the first that fits.
KINDS: tuple[tuple[tuple[str, ...], Callable[[Kernel, BlockCipher], Made]], ...] = (
    (("vectors",), _stream),
    (("bytes",), _tail),
    (("masks",), _sliced),
    (("counters", "offsets"), _ragged),
    (("counters", "messages"), _singles),
    (("counters",), _fleet_sliced),
)
