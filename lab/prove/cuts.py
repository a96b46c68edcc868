# SPDX-License-Identifier: Apache-2.0
"""Functions for x86-64 that take a whole message, loop behind loop: SCHWAEMM's kernels for one
message, from the nonce to the tag (src/sparkle/schwaemm_halves.h).

A call is proved in parts, which meet at cuts. The first part begins at the entry and ends where the
code asks for the length of the associated data; the second one ends where it asks for that of the
text; the third one returns. A cut is an address with a form, as the head of a loop is (engines.py):
addresses and lengths as expressions in the symbols of the call; inputs of the call; bits of the
state that `lab/spec` has there; nothing of all else.

1. The first part is one run for all lengths.
2. From each cut, with any state, there is a run without text, and for each length of the last chunk
   a proof for any number of chunks in front of it, by the induction of engines.py. All of them
   arrive at a cut, or return, with the state and the output that `lab/spec` makes.
3. What runs arrive with at one address differs; the form there has what all have in common, and the
   part behind it is proved from that.

So each call is a row of proved parts: any length is none, or chunks and a last one. Where the cuts
are needs no trust, because what begins at a cut is proved from its form alone. In a part only the
key and the part's own text may be accessed. The output may be the input: what does not access
either does not see the difference, so only the third part is proved twice.

A cut has no counterexample, as its state may be none that a key and a nonce lead to. Where a part
is not proved, calls of some lengths run from their entry to the return, and may have one.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import partial

from .. import spec
from ..kernels import Kernel
from ..spec.schwaemm import Schwaemm
from ..spec.sparkle import Sparkle
from . import nothing
from .contracts import ISAS
from .engines import (
    ORDER,
    Bytes,
    Case,
    EngineCall,
    EngineTask,
    Form,
    Key,
    Linear,
    Names,
    Piece,
    flat_of,
    octets,
    words_of,
)
from .graph import Bits, BudgetError, Graph
from .induct import STACKS, MismatchError, _byte, same_cell
from .pcode import Cell, Machine, OpenError, Region
from .sponges import Inputs, _at, _buffer, _padded, _words
from .values import Lin, RefusedError, UndecidedError, Value, combined, made, parts, scaled
from .words import Word, xor
from .x86 import X86, X86Machine

MESSAGES = "messages of every length"
UNROLLED = "no loop has the permutation behind a last chunk"
WIDTH = 32  # of SPARKLE's words
# Of calls that run whole: chunks in front of the last ones of both texts, and bytes of these.
WHOLE = ((0, 0, 0, 0), (0, 0, 1, 32), (0, 0, 32, 7), (1, 1, 11, 13), (2, 2, 32, 1))


ASKS, PERMUTES, RETURNS = "asks", "permutes", "returns"  # how a part ends


@dataclass
class Cut:
    """Where parts meet, with the chunks in front of the last one of the text."""

    form: Form
    chunks: int | Lin = 0


@dataclass
class Part(Case):
    """A case between cuts. It begins at one, or at the entry, where symbols of the call are what
    `said` says; it returns, or ends at a cut with the state that `after` makes of the one behind
    all units.
    """

    cut: Cut | None = None
    ends: str = RETURNS
    after: Callable[[Bits], Bits] = lambda state: state
    said: Callable[[int | Lin], dict[str, int | Lin]] = lambda _: {}


@dataclass(frozen=True)
class Phase:
    """A text: its symbol and that of its length; the number of its domain; whether something comes
    out, in place or apart.
    """

    text: str
    length: str
    number: int
    out: str = ""

    def places(self) -> dict[str, int | Lin]:
        """Where the output is."""
        return {"out": Lin(0, {self.out: 1})} if self.out else {}


AD = Phase("ad", "ad_bytes", 0)
APART = Phase("in", "bytes", 2, "out")
IN_PLACE = Phase("in", "bytes", 2, "in")


class Still(Sparkle):
    """No permutation."""

    def permute_words(self, state: Sequence[Word], steps: int) -> list[Word]:
        return list(state)


class Message:
    """What a call for one message is."""

    def __init__(self, g: Graph, found: Schwaemm, opened: bool) -> None:
        self.g, self.found, self.opened = g, found, opened
        self.inputs = Inputs(g)
        self.key = self.inputs.bytes_of("key", found.key_size)
        self.nonce = self.inputs.bytes_of("nonce", found.nonce_size)
        size = found.permutation.state_size
        self.state: Bits = tuple(x for one in self.inputs.bytes_of("state", size) for x in one)

    def initial(self) -> Bits:
        """The state behind nonce and key."""
        words = self.found.initial_words(
            _words(self.g, self.nonce, WIDTH), _words(self.g, self.key, WIDTH)
        )
        return flat_of(words, WIDTH)

    def absorbed(self, phase: Phase, state: Bits, data: Bytes, last: bool) -> tuple[Bytes, Bits]:
        """What comes out of a chunk, and the state behind it."""
        found, g = self.found, self.g
        out = [xor(g, a, b) for a, b in zip(data, octets(state), strict=False)]
        taken = out if phase.out and self.opened else data
        domain = None
        if last:
            domain = (1 << found.capacity // 8) ^ phase.number ^ int(len(data) == found.rate)
        chunk = _words(g, _padded(taken, found.rate), WIDTH)
        behind = found.absorb_words(words_of(g, state, WIDTH), chunk, domain)
        return out, flat_of(behind, WIDTH)

    def tag(self, state: Bits) -> Piece:
        """The tag of a state, and where it goes."""
        words = self.found.tag_words(
            words_of(self.g, state, WIDTH), _words(self.g, self.key, WIDTH)
        )
        wanted = dict(enumerate(octets(flat_of(words, WIDTH))))
        return Piece("tag", Lin(0, {"tag": 1}), "w", (), wanted, self.found.tag_size)

    def held_key(self) -> Piece:
        """The key."""
        return _buffer("key", "r", self.key)

    def texts(self, phase: Phase, name: str, at: int | Lin, data: Bytes, out: Bytes) -> list[Piece]:
        """A chunk, whose number of chunks in front of it is given, and what comes out."""
        address = _at(phase.text, at, self.found.rate, 64)
        wanted = dict(enumerate(out))
        cells = _buffer("", "", data).held
        name = f"{phase.text} {name}"
        if phase.out == phase.text:
            return [Piece(name, address, "rw", cells, wanted)]
        pieces = [Piece(name, address, "r", cells)]
        if phase.out:
            there = _at(phase.out, at, self.found.rate, 64)
            pieces.append(Piece(f"{name} out", there, "w", (), wanted, len(data)))
        return pieces

    def begin(self) -> Part:
        """From the entry to where the length of the associated data is asked for."""
        pieces = [self.held_key(), _buffer("nonce", "r", self.nonce)]
        return Part(
            "begin", (), lambda _: arguments(), lambda *_: pieces,
            ends=ASKS, after=lambda _: self.initial(),
        )  # fmt: skip

    def _part(
        self, name: str, phase: Phase, cut: Cut, ends: str, pieces: Callable[..., list[Piece]]
    ) -> Part:
        where = f"{phase.text} in place" if phase.out == phase.text else phase.text
        return Part(f"{where}, {name}", self.state, lambda _: [], pieces, cut=cut, ends=ends)

    def none(self, phase: Phase, cut: Cut) -> Part:
        """No text."""
        ends = [self.tag(self.state)] if phase.out else []
        part = self._part(
            "no text",
            phase,
            cut,
            RETURNS if phase.out else ASKS,
            lambda *_: [self.held_key(), *ends],
        )
        part.said = lambda _: phase.places() | {phase.length: 0}
        return part

    def chunks(self, phase: Phase, cut: Cut) -> Part:
        """A text up to its last chunk."""
        rate = self.found.rate

        def step(
            before: Bits, tag: str, done: int | Lin, total: int | Lin
        ) -> tuple[Bits, list[Piece]]:
            data = self.inputs.bytes_of(tag, rate)
            out, behind = self.absorbed(phase, before, data, False)
            return behind, self.texts(phase, tag, done, data, out)

        def said(total: int | Lin) -> dict[str, int | Lin]:
            size = combined(scaled(total, rate, 64), Lin(0, {LAST: 1}), 1, 64)
            return phase.places() | {phase.length: size}

        part = self._part("chunks", phase, cut, ASKS, lambda *_: [self.held_key()])
        part.step, part.unit, part.said = step, rate, said
        return part

    def last(self, phase: Phase, cut: Cut, size: int, ends: str) -> Part:
        """A last chunk of so many bytes, up to the permutation behind it, or to the end."""
        data = self.inputs.bytes_of("last", self.found.rate)[:size]
        message = self if ends != PERMUTES else self.unpermuted()
        out, behind = message.absorbed(phase, self.state, data, True)

        def pieces(_: Bits | None, total: int | Lin) -> list[Piece]:
            tag = [self.tag(behind)] if ends == RETURNS else []
            return [self.held_key(), *tag, *self.texts(phase, "last", total, data, out)]

        part = self._part(f"{size} bytes in the last chunk", phase, cut, ends, pieces)
        part.after, part.said = lambda _: behind, lambda _: {LAST: size}
        return part

    def permuted(self, phase: Phase, cut: Cut) -> Part:
        """The permutation behind a last chunk."""
        permutation = self.found.permutation
        words = permutation.permute_words(words_of(self.g, self.state, WIDTH), permutation.big)
        behind = flat_of(words, WIDTH)
        ends = [self.tag(behind)] if phase.out else []
        part = self._part(
            "permutation", phase, cut, RETURNS if phase.out else ASKS,
            lambda *_: [self.held_key(), *ends],
        )  # fmt: skip
        part.after = lambda _: behind
        return part

    def unpermuted(self) -> Message:
        """The same, where a chunk is absorbed and no permutation follows."""
        other = copy.copy(self)
        other.found = replace(self.found, permutation=Still(**asdict(self.found.permutation)))
        return other

    def whole(self, ad_bytes: int, size: int, phase: Phase) -> Part:
        """A call with these lengths from its entry to the return."""
        state = self.initial()
        pieces = [self.held_key(), _buffer("nonce", "r", self.nonce)]
        for one, length in ((AD, ad_bytes), (phase, size)):
            rate = self.found.rate
            for i in range(-(-length // rate)):
                data = self.inputs.bytes_of(f"{one.text} {i}", min(rate, length - rate * i))
                out, state = self.absorbed(one, state, data, rate * (i + 1) >= length)
                pieces += self.texts(one, str(i), i, data, out)
        pieces.append(self.tag(state))
        lengths: dict[str, int | Lin] = {"bytes": size, "ad_bytes": ad_bytes}
        lengths |= phase.places()
        return Part(
            f"{ad_bytes} and {size} bytes", (), lambda _: arguments(lengths), lambda *_: pieces
        )


NAMES = ("out", "tag", "in", "bytes", "ad", "ad_bytes", "nonce", "key")
CALL = frozenset((*NAMES, *STACKS, "return", "canary"))
LAST, CHUNKS = "last", "chunks"  # bytes of a last chunk, and what is in front of it


def arguments(said: dict[str, int | Lin] | None = None) -> list[Value]:
    """Those of hanji_schwaemm_message_fn: each a symbol where nothing is said of it."""
    return [(said or {}).get(name, Lin(0, {name: 1})) for name in NAMES]


@dataclass(frozen=True)
class CutTask(EngineTask):
    """One proof of all parts of a function."""

    message: Callable[[Graph], Message] | None = None


class CutCall(EngineCall):
    """Runs the parts."""

    task: CutTask
    symbols = CALL
    lengths: tuple[str, ...] = ("bytes", "ad_bytes")

    def prove(self, seconds: float, units: int | None = None) -> str:
        assert self.task.message
        message = self.task.message(self.g)
        try:
            return self._all_parts(message)
        except (OpenError, RefusedError, MismatchError) as problem:
            self._some_calls(seconds)
            if isinstance(problem, MismatchError):
                raise OpenError(str(problem)) from problem
            raise

    def _all_parts(self, message: Message) -> str:
        self.arrived: dict[int, list[Cut]] = {}
        self.own = {
            x >> 1
            for data in (*self.saved.values(), *message.key, *message.nonce)
            for x in data
            if x > 1
        }
        self.from_state = message.state
        self.rate = message.found.rate
        self._part(message.begin())
        self._phase(message, self._cuts(), AD)
        asks = self._cuts()
        for phase in (APART, IN_PLACE):
            self._phase(message, asks, phase)
        return "0 and more"

    def _phase(self, message: Message, asks: list[Cut], phase: Phase) -> None:
        """All parts of a text; where it ends with a cut, this one is among those arrived at."""
        for cut in asks:
            self._part(message.chunks(phase, cut))
        lasts = self._cuts()
        sizes = range(1, self.rate + 1)
        try:
            for cut in lasts:
                for size in sizes:
                    self._part(message.last(phase, cut, size, PERMUTES))
            permutes = self._cuts()
            for cut in permutes:
                self._part(message.permuted(phase, cut))
        except UnrolledError:
            self.arrived = {}
            for cut in lasts:
                for size in sizes:
                    ends = RETURNS if phase.out else ASKS
                    self._part(message.last(phase, cut, size, ends))
        for cut in asks:
            self._part(message.none(phase, cut))

    def _cuts(self) -> list[Cut]:
        """The cuts that runs have arrived at since the last call: one for an address, or for each
        number of chunks where none stands for all.
        """
        arrived, self.arrived = self.arrived, {}
        m = self._new([], {}, "at a cut")
        found: list[Cut] = []
        for pc in sorted(arrived):
            held: list[Cut] = []
            for cut in sorted(arrived[pc], key=lambda one: isinstance(one.chunks, int)):
                for one in held:
                    if isinstance(one.chunks, Lin) or one.chunks == cut.chunks:
                        one.form = self._common(m, one, cut)
                        break
                else:
                    held.append(cut)
            found += held
        return found

    def _part(self, part: Part) -> None:
        def run() -> None:
            if part.step is None:
                self._begin(part)
                self.counted(part, part.cut.chunks if part.cut else 0)
            else:
                self._case(part, None)

        self._named(part, run)

    def _none(self, case: Case) -> str:
        try:
            self.counted(case, 0)
        except (OpenError, RefusedError, MismatchError) as problem:
            raise OpenError("a text of one chunk is not right") from problem
        return nothing.LEAVES

    def _named(self, part: Part, run: Callable[[], None]) -> None:
        """Run a part; what goes wrong has its name."""
        try:
            run()
        except (OpenError, RefusedError, MismatchError) as problem:
            said = f"{part.name}: {problem}"
            if isinstance(problem, MismatchError):
                raise OpenError(said) from problem
            raise type(problem)(said) from None

    def _some_calls(self, seconds: float) -> None:
        """MismatchError where a call of some lengths goes wrong."""
        assert self.task.message
        for i, (ad_chunks, chunks, ad_last, last) in enumerate(WHOLE):
            g = Graph(seconds=seconds)
            again, message = CutCall(g, self.image, self.task), self.task.message(g)
            again.rate = rate = message.found.rate
            sizes = (rate * ad_chunks + min(ad_last, rate), rate * chunks + min(last, rate))
            part = message.whole(*sizes, IN_PLACE if i % 2 else APART)
            again._begin(part)
            with suppress(OpenError, RefusedError, BudgetError):
                again.counted(part, 0)

    # Where a part begins

    def replaced(self, value: Lin, known: Mapping[str, int | Lin]) -> int | Lin:
        """An expression with others for its symbols."""
        return _replaced(value, known)

    def _begin(self, case: Case) -> None:
        super()._begin(case)
        if isinstance(case, Part) and case.cut:
            self.start = case.cut.form.head

    def entered(self, case: Case, total: int | Lin, pieces: Iterable[Piece]) -> Machine:
        assert isinstance(case, Part)
        if case.cut is None:
            return self._called(case, total, pieces)
        m = self._new(pieces, self.fresh, "at a cut")
        self._put(case.cut.form, m, {}, 0, 0)
        known = case.said(total)
        done: dict[tuple[int, int], Value] = {}  # parts of one value are one object
        for cells in m.spaces.values():
            for at, (value, i, size) in cells.items():
                if isinstance(value, Lin):
                    key = (id(value), size)
                    if key not in done:
                        done[key] = self.replaced(value, known)
                    cells[at] = (done[key], i, size)
        self._bounded(m)
        return m

    def _bounded(self, m: Machine) -> None:
        most = (1 << 63) - 1
        for name in self.lengths:
            m.bounds.setdefault(name, (0, most))
        m.bounds.setdefault(LAST, (1, self.rate))
        m.bounds.setdefault(CHUNKS, (0, most // self.rate - 1))

    def _called(self, case: Part, total: int | Lin, pieces: Iterable[Piece]) -> Machine:
        """A call in front of its first instruction; its last arguments are on the stack."""
        order = ORDER[self.isa.name]
        values = case.arguments(total)
        first = replace(case, arguments=lambda _: values[: len(order)])
        m = super().entered(first, 0, pieces)
        behind = values[len(order) :]
        m.regions["stack"] = Region(-self.stack, 8 * len(behind), "rw", 16)
        for i, value in enumerate(behind):
            m.write("stack", 8 * i, value, 8)
        self._bounded(m)
        return m

    def _at_head(
        self, case: Case, form: Form, now: Bits, left: int | None, least: int
    ) -> tuple[Machine, Bits, list[Piece], list[Piece]]:
        found = super()._at_head(case, form, now, left, least)
        self._bounded(found[0])
        return found

    # And where it ends

    def _to_end(
        self, case: Case, m: Machine, pc: int, behind: Bits, until: Callable[[int], bool]
    ) -> Machine:
        assert isinstance(case, Part)
        if case.ends == RETURNS:
            return super()._to_end(case, m, pc, behind, until)
        if case.ends == PERMUTES:
            return self._to_permutation(m, pc, case.after(behind))
        kept: X86Machine | None = None
        while True:
            until(pc)
            if self.image.mnemonic(pc) in ("cmp", "test"):
                kept, at = _copied(m), pc
            try:
                following = m.step(pc)
            except UndecidedError:
                if kept is None:
                    raise
                kept.pc = at
                return kept
            if not isinstance(following, int):
                raise OpenError("the kernel returns in front of its text")
            pc = following

    def _to_permutation(self, m: Machine, pc: int, behind: Bits) -> Machine:
        """The head of the first loop where the state is that behind the last chunk."""
        whole = {x >> 1 for x in self.from_state}
        while True:
            if pc in self.heads:
                m.pc = pc
                held = self._arrival(m, behind, None).form.carried.values()
                if whole <= {x >> 1 for bits in held for x in bits}:
                    return m
            try:
                following = m.step(pc)
            except RefusedError:  # a length is asked for, or an output is begun
                raise UnrolledError(UNROLLED) from None
            if not isinstance(following, int):
                raise UnrolledError(UNROLLED)
            pc = following

    def _ended(self, case: Case, m: Machine, behind: Bits, total: int | Lin) -> None:
        assert isinstance(case, Part)
        if case.ends == RETURNS:
            super()._ended(case, m, behind, total)
            return
        within = case.step is not None or case.ends == PERMUTES
        cut = self._arrival(m, case.after(behind), total if within else None)
        self.arrived.setdefault(cut.form.head, []).append(cut)

    def _arrival(self, m: Machine, state: Bits, total: int | Lin | None) -> Cut:
        """What the machine holds at a cut, where `lab/spec` has this state; within a text behind so
        many chunks.
        """
        form = Form(m.pc, regions={name: m.regions[name] for name in STACKS if name in m.regions})
        names = Names(self.g, state, self.from_state)

        def named(x: int) -> tuple[int, bool] | None:
            """A bit as one of the state, or of the call's inputs; whether it is of the state."""
            if x < 2 or (x >> 1 in self.own and x >> 1 not in names.names):
                return x, False
            held = names.name(x)
            return None if held is None else (held, True)

        counted = isinstance(total, Lin)
        symbols = self.symbols
        if total is not None:
            symbols |= {LAST, CHUNKS} if counted else {LAST}
        for space in ("register", *STACKS):
            for at, cell in m.spaces.get(space, {}).items():
                key, value = (space, at), cell[0]
                if isinstance(value, Lin):
                    if counted and "done" in value.factors:
                        value = _replaced(value, {"done": Lin(-1, {CHUNKS: 1})})
                    line = _line((value, *cell[1:]), symbols)
                    if line:
                        form.linear[key] = line
                    continue
                if isinstance(value, int):
                    form.keep[key] = cell
                    continue
                byte = _byte(m, cell)
                found = [named(x) for x in byte] if byte is not None else [None]
                known = [one for one in found if one is not None]
                if len(known) < len(found):
                    continue
                bits = tuple(x for x, _ in known)
                if any(of_state for _, of_state in known):
                    form.carried[key] = bits
                else:
                    form.keep[key] = (bits, 0, 1)
        return Cut(form, Lin(0, {CHUNKS: 1}) if isinstance(total, Lin) else total or 0)

    def _common(self, m: Machine, one: Cut, other: Cut) -> Form:
        """What two cuts at one address have in common; of the other one the chunks may be known."""
        first, second = one.form, other.form
        if first.regions != second.regions:
            raise OpenError(f"runs arrive at {first.head:#x} with different stacks")

        def value(line: Linear, chunks: int | Lin) -> int | Lin:
            expression = made(line[0], dict(line[1]), 64)
            known = {CHUNKS: chunks} if isinstance(chunks, int) else {}
            return self.replaced(expression, known) if isinstance(expression, Lin) else expression

        def held(key: Key) -> Cell | None:
            line = second.linear.get(key)
            return (value(line, other.chunks), *line[4:]) if line else second.keep.get(key)

        def same(a: Cell, b: Cell | None) -> bool:
            if b is None or same_cell(a, b):
                return b is not None
            if isinstance(a[0], Lin) or isinstance(b[0], Lin):
                return False
            return _byte(m, a) == _byte(m, b)

        return Form(
            first.head,
            {
                key: line
                for key, line in first.linear.items()
                if same((value(line, other.chunks), *line[4:]), held(key))
            },
            {key: cell for key, cell in first.keep.items() if same(cell, held(key))},
            {key: x for key, x in first.carried.items() if second.carried.get(key) == x},
            set(),
            first.regions,
        )


def _line(cell: Cell, symbols: frozenset[str]) -> Linear | None:
    """An expression in these symbols."""
    if not isinstance(cell[0], Lin):
        return None
    c, t = parts(cell[0])
    return (c, tuple(sorted(t.items())), 0, 0, cell[1], cell[2]) if symbols.issuperset(t) else None


def _replaced(value: Lin, known: Mapping[str, int | Lin]) -> int | Lin:
    """An expression with others for its symbols."""
    c, t = parts(value)
    total: int | Lin = c
    for symbol, factor in t.items():
        other = known.get(symbol)
        term = made(0, {symbol: factor}, 64) if other is None else scaled(other, factor, 64)
        total = combined(total, term, 1, 64)
    return total


def _copied(m: Machine) -> X86Machine:
    """The same state, which goes on by itself."""
    assert isinstance(m, X86Machine)
    other = copy.copy(m)
    other.spaces = {name: dict(cells) for name, cells in m.spaces.items()}
    other.regions, other.bounds = dict(m.regions), dict(m.bounds)
    other.alignment, other.stores = dict(m.alignment), list(m.stores)
    return other


class UnrolledError(OpenError):
    """No loop has the permutation behind a last chunk."""


def of_one_message(kernel: Kernel) -> object:
    """What a kernel for one message on x86-64 computes; None where it is no such kernel."""
    if ISAS.get(kernel.isa) is not X86 or not kernel.source.endswith("_x1.c"):
        return None
    try:
        return spec.algorithm(kernel.spec.partition(".")[0])
    except spec.UnknownSpecificationError:
        return None


def cut_tasks(kernel: Kernel) -> Iterator[CutTask]:
    """The proof that a kernel for one message of SCHWAEMM needs, or none."""
    found = of_one_message(kernel)
    if isinstance(found, Schwaemm) and kernel.operation in ("seal", "open"):
        build = partial(Message, found=found, opened=kernel.operation == "open")
        yield CutTask(
            kernel, MESSAGES, lambda _: (), "", kernel.symbol, counted=False, message=build
        )
