# SPDX-License-Identifier: Apache-2.0
"""Functions for AVX-512 that take messages of one length, one behind the other in memory, from
their beginning to their end: Ascon's for groups of twenty-four (src/ascon/ascon_rows.h), which
seal, open or hash them.

A call has any number of groups. The lengths of text and of associated data are rows of 64 bytes,
any number of them, and up to 63 bytes behind them. A proof is for one message of a group, beside
others of which nothing is known (`Blind` in graph.py), and parts meet at cuts (cuts.py): there the
kernel holds addresses and counts as expressions in the symbols of the call, and bits of the
message's state. Among the symbols are `gone`, the groups that are done, and `waiting`, those behind
this one.

1. Entry: a call with 1 + waiting groups arrives where it asks for the first length, with the state
   that `lab/spec` makes of key and nonce. What it holds there, with what a run over a group shows
   to move on, is the invariant of groups: over `gone`, which is 0 at the entry.
2. Group: from any state of the invariant first associated data, then text: none, what is behind
   rows alone, rows by the induction of engines.py up to where the code asks what is behind them,
   and that. All of them arrive at the cuts where the next phase begins.
3. End: where the code asks whether a group waits, it returns without one. With one it arrives where
   the invariant holds, with gone + 1 for `gone`, and the state of the next message.

Where a part says numbers of symbols, an expression may stand in the cut behind it for the number
that it has for these: then it is true there, as expressions of other parts are for theirs. What all
parts that arrive at an address have in common holds for all their lengths.

Message i lies at i * length. The product of a length and `gone` is a symbol of its own, and the
rule for products knows it (`RowsMachine`). A length that is a number takes the place of the symbol.
Where fewer messages than lanes are in a group, the lanes behind the last message do the same as the
last one, and are seen with it.

A message to be hashed begins with a state that is given, and has no associated data. What is behind
its rows is a number in all of a proof, because compilers ask for it once, in front of all groups.
So a group has two parts: no rows, and rows; both take what is behind them, and make the digest.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from .. import spec
from ..kernels import Kernel
from ..spec.ascon import DOMAIN, Aead, Hash
from ..spec.ascon import PERMUTATION as ASCON
from .contracts import EACH
from .cuts import ASKS, RETURNS, Cut, CutCall, CutTask, Part, _copied
from .engines import (
    COUNTS,
    NOW,
    Bytes,
    Case,
    EngineCall,
    Form,
    Key,
    Linear,
    Names,
    Piece,
    cells_of,
    flat_of,
    octets,
    wanted_of,
    words_of,
)
from .graph import CONES, STRANGE, Bits, Blind, BudgetError, Graph
from .induct import STACKS, MismatchError, _byte, same_cell
from .pcode import Cell, Machine, OpenError, Region
from .sponges import Inputs, others
from .values import (
    Lin,
    RefusedError,
    UndecidedError,
    Value,
    combined,
    fits,
    made,
    parted_low,
    parts,
    scaled,
)
from .words import Word, number_bits, xor
from .x86 import Operand, X86Image, X86Machine, low_part

ROWS = "messages one behind the other"
WIDTH, ROW = 64, 64  # bits of a word, and bytes of a row
LANES, LEAST = 24, 18  # of a group, and the fewest messages that are one
KEYED, WORDS = 7, 5  # words of a lane: with its key, and without
WORK = 8 * (KEYED + 8) * LANES  # bytes of the memory for a kernel's own use
GONE, WAITING = "gone", "waiting"
ASKING = frozenset(("cmp", "test", "sub", "dec", "shr"))
TIMES = f" * {GONE}"  # in the name of a product
WEAKENED = 4


@dataclass(frozen=True)
class Length:
    """A length: rows, and what is behind them."""

    name: str

    @property
    def rows(self) -> str:
        """The symbol of the number of rows."""
        return f"{self.name} in rows"

    @property
    def last(self) -> str:
        """The symbol of what is behind them."""
        return f"{self.name} behind rows"

    def of(self, rows: int | Lin, last: int | Lin) -> int | Lin:
        """The length."""
        return combined(scaled(rows, ROW, WIDTH), last, 1, WIDTH)

    @property
    def any(self) -> int | Lin:
        """Any length."""
        return self.of(Lin(0, {self.rows: 1}), Lin(0, {self.last: 1}))


TEXT, DATA = Length("bytes"), Length("ad_bytes")
STRIDE = "key_stride"
POINTERS = ("work", "rows", "in", "out", "keys", "nonces", "ad", "tags", "start")
NUMBERS = frozenset((GONE, WAITING, STRIDE, "words"))
NUMBERS |= {x for one in (TEXT, DATA) for x in (one.rows, one.last, one.name)}
PRODUCTS = frozenset(f"{name}{TIMES}" for name in NUMBERS)
CALL = frozenset((*POINTERS, *STACKS, "return", "canary")) | NUMBERS | PRODUCTS


def multiplied(x: int | Lin, y: int | Lin, lengths: Mapping[str, int | Lin]) -> int | Lin | None:
    """A product of a number of groups and a multiple of a length; None of others."""
    for a, b in ((x, y), (y, x)):
        if isinstance(a, int):
            return scaled(b, a, WIDTH)
        if set(a.factors) != {GONE}:
            continue
        for name, length in lengths.items():
            if not isinstance(length, Lin) or not isinstance(b, Lin):
                continue
            times = b.t[0][1] // length.t[0][1]
            if scaled(length, times, WIDTH) != b:
                continue
            product = made(0, {f"{name}{TIMES}": a.factors[GONE] * times}, WIDTH)
            return combined(scaled(b, a.c, WIDTH), product, 1, WIDTH)
    return None


class RowsMachine(X86Machine):
    """A run in which lengths, as they are here, and a number of groups have products."""

    lengths: Mapping[str, int | Lin] = {}

    def low_bits(self, op: Operand, mask: int, size: int) -> int | Lin | None:
        """Besides: where they are a count."""
        if op.register is None or size == 8:
            return None
        cells = self.held(op, size)
        if not low_part(cells):
            return None
        ones = mask & ((1 << 8 * size) - 1)
        found = parted_low(cells[0][0], ones, "INT_AND", WIDTH, self.bounds)
        return found if found is None or fits(found, 8 * size, self.bounds) else None

    def put(self, op: Operand, value: Value, size: int) -> None:
        """Besides: a count of 32 bits is one of 64, whose upper half is clear."""
        if size == 4 and op.register and isinstance(value, Lin) and fits(value, 32, self.bounds):
            self.write(*op.register[:2], value, 8)
            return
        super().put(op, value, size)

    def joined(self, cells: list[Cell]) -> Value:
        """Besides: the low part of a count that fits into it."""
        value, _, size = cells[0]
        if (
            isinstance(value, Lin)
            and len(cells) < size
            and all(cell[0] is value and cell[1:] == (i, size) for i, cell in enumerate(cells))
            and fits(value, 8 * len(cells), self.bounds)
        ):
            return value
        return super().joined(cells)

    def _linear(self, name: str, values: list[Value], width: int, out: int) -> Value:
        if name == "INT_MULT" and width == WIDTH and all(isinstance(x, Lin) for x in values):
            x, y = values
            assert isinstance(x, Lin)
            assert isinstance(y, Lin)
            product = multiplied(x, y, self.lengths)
            if product is not None:
                return product
        return super()._linear(name, values, width, out)


@dataclass(frozen=True)
class Shape:
    """Which messages: so many in a group, of which one is seen; in place or apart; the bytes from
    one key to the next, STRIDE for any other number than those of a key; the lengths behind rows.
    """

    count: int
    message: int
    in_place: bool
    stride: int | str
    lasts: tuple[int, ...]

    @property
    def lanes(self) -> range:
        """The lanes that do the message."""
        last = self.message == self.count - 1
        return range(self.message, LANES if last else self.message + 1)


@dataclass
class Phase:
    """A length, and what is done with its bytes: what a row, of a state, becomes and its pieces,
    and the same of a last row, for the number of rows in front of it, and its bytes.
    """

    length: Length
    row: Callable[[Bits, str, int | Lin, Mapping[str, int | Lin]], tuple[Bits, list[Piece]]]
    last: Callable[[Bits, int | Lin, int], tuple[Bits, list[Piece]]]
    lasts: Sequence[int]
    none: Callable[[Bits], Bits] | None = None  # the state where the length is 0; None: as the last


# Of calls that run whole: groups, bytes of associated data and of text.
WHOLE = ((1, 0, 0), (1, 1, 17), (2, 64, 33), (1, 145, 128))


class Messages:
    """What a call is, of which one message is seen."""

    seen = True  # whether the message is
    words: int | Lin = Lin(0, {"words": 1})  # of a digest
    fixed: Mapping[str, int] = {}  # what is said of lengths in all parts
    calls: Sequence[tuple[int, int, int]] = WHOLE
    least = 16  # bytes that each message has at least: of its nonce, or of its digest; or of a key

    def __init__(self, g: Graph, found: Aead, shape: Shape, opened: bool) -> None:
        self.found, self.opened = found, opened
        self._of(g, shape, KEYED)

    def _of(self, g: Graph, shape: Shape, words: int) -> None:
        """Messages whose state has so many words."""
        self.g, self.shape = g, shape
        self.inputs = Inputs(g)
        own = self.inputs.bytes_of("state", 8 * words)
        self.state: Bits = tuple(x for byte in own for x in byte)
        for kind in ("data", "text"):  # inputs older than all nodes are found as leaves
            for tag in (f"{kind} unit 0", f"{kind} unit{NOW}", f"last {kind}"):
                self.inputs.bytes_of(tag, ROW)

    # Memory

    def lengths(self, said: Mapping[str, int | Lin]) -> dict[str, int | Lin]:
        """Lengths and distances, as they are in a part."""
        found: dict[str, int | Lin] = {}
        said = {**said, **self.fixed}
        for one in (TEXT, DATA):
            rows, last = (said.get(x, Lin(0, {x: 1})) for x in (one.rows, one.last))
            found[one.name] = one.of(rows, last)
        stride = self.shape.stride
        found[STRIDE] = stride if isinstance(stride, int) else Lin(0, {STRIDE: 1})
        return found

    def call(self, said: Mapping[str, int | Lin]) -> list[Piece]:
        """What the kernel may access in all parts: its memory, and what says where all else is."""
        g, lengths = self.g, self.lengths(said)
        target = "in" if self.shape.in_place else "out"
        values: list[Value] = [
            Lin(0, {"in": 1}),
            Lin(0, {target: 1}),
            lengths[TEXT.name],
            Lin(0, {"keys": 1}),
            lengths[STRIDE],
            Lin(0, {"nonces": 1}),
            Lin(0, {"ad": 1}),
            lengths[DATA.name],
            Lin(0, {"tags": 1}),
            Lin(0, {"start": 1}),
            self.words,
            self.shape.count,
        ]
        cells: list[Cell] = [(value, i, 8) for value in values for i in range(8)]
        return [
            Piece("rows", Lin(0, {"rows": 1}), "r", cells),
            Piece("work", Lin(0, {"work": 1}), "rw", cells_of(others(g, WORK)), align=64),
        ]

    def places(
        self,
        name: str,
        symbol: str,
        distance: str | int,
        said: Mapping[str, int | Lin],
        gone: int | Lin,
        at: int | Lin,
        own: Bytes | int,
        access: str,
        wanted: Bytes = (),  # type: ignore[assignment]
        messages: int = 0,
    ) -> list[Piece]:
        """Of each message of a group bytes from a place on: those of the message, or how many there
        are to be written, and what they must be.
        """
        lengths = self.lengths(said)
        far = distance if isinstance(distance, int) else lengths[distance]
        size = own if isinstance(own, int) else len(own)
        many = (messages or self.shape.count) if size else 0
        pieces = []
        for k in range(many if far else min(many, 1)):
            number = combined(scaled(gone, self.shape.count, WIDTH), k, 1, WIDTH)
            moved = multiplied(number, far, lengths)
            assert moved is not None
            address = combined(Lin(0, {symbol: 1}), moved, 1, WIDTH)
            address = combined(address, at, 1, WIDTH)
            assert isinstance(address, Lin)
            seen = k == self.shape.message or not far
            data: Bytes = []
            if not isinstance(own, int):
                data = own if seen else others(self.g, size)
            made_of = wanted_of(wanted) if seen else {}
            title = f"{name} of message {k}"
            one = Piece(title, address, access, cells_of(data), made_of, size, align=1)
            pieces.append(one)
        return [_together(pieces)] if pieces and far == size else pieces

    # States

    def words_of(self, state: Bits) -> list[Word]:
        """Words of a state."""
        return words_of(self.g, state, WIDTH)

    def data(self, name: str, size: int) -> Bytes:
        """Bytes of the message."""
        return self.inputs.bytes_of(name, size) if self.seen else others(self.g, size)

    def begun(self, gone: int | Lin, said: Mapping[str, int | Lin]) -> tuple[Bits, list[Piece]]:
        """The state in front of the first length, and what is read for it."""
        g, found = self.g, self.found
        nonce, key = self.data("nonce", found.nonce_size), self.data("key", found.key_size)
        parts_of = [tuple(x for byte in data for x in byte) for data in (nonce, key)]
        words = found.initial_words(*(words_of(g, x, WIDTH) for x in parts_of))
        stride = self.shape.stride
        pieces = [
            *self.places("nonce", "nonces", found.nonce_size, said, gone, 0, nonce, "r"),
            *self.places("key", "keys", stride, said, gone, 0, key, "r"),
        ]
        return flat_of(words, WIDTH) + parts_of[1], pieces

    def phases(self, gone: int | Lin) -> list[Phase]:
        """What is done with a message."""
        lasts = self.shape.lasts
        data = Phase(
            DATA, partial(self._data_row, gone), partial(self._data_last, gone),
            [x for x in lasts if x] or [1], self._behind_data,
        )  # fmt: skip
        if 0 in lasts:
            data.lasts = [0, *data.lasts]
        text = Phase(TEXT, partial(self._row, gone), partial(self._last, gone), lasts)
        return [data, text]

    def _split(self, state: Bits) -> tuple[Bits, Bits]:
        return state[: WIDTH * WORDS], state[WIDTH * WORDS :]

    def _behind_data(self, state: Bits) -> Bits:
        """The bit that parts associated data and text."""
        *words, last = self.words_of(self._split(state)[0])
        return flat_of([*words, last ^ DOMAIN], WIDTH) + self._split(state)[1]

    def _absorbed(self, state: Bits, data: Bytes) -> Bits:
        words = self.words_of(self._split(state)[0])
        for at in range(0, len(data), self.found.rate):
            block = tuple(x for byte in data[at : at + self.found.rate] for x in byte)
            words = self.found.absorb_words(words, words_of(self.g, block, WIDTH))
        return flat_of(words, WIDTH) + self._split(state)[1]

    def _data_row(
        self, gone: int | Lin, state: Bits, tag: str, done: int | Lin, said: Mapping[str, int | Lin]
    ) -> tuple[Bits, list[Piece]]:
        data, at = self.data(f"data {tag}", ROW), scaled(done, ROW, WIDTH)
        pieces = self.places(f"ad {tag}", "ad", DATA.name, said, gone, at, data, "r")
        return self._absorbed(state, data), pieces

    def _data_last(
        self, gone: int | Lin, state: Bits, rows: int | Lin, size: int
    ) -> tuple[Bits, list[Piece]]:
        data = self.data("last data", ROW)[:size]
        said = {DATA.rows: rows, DATA.last: size}
        at = scaled(rows, ROW, WIDTH)
        pieces = self.places("ad last", "ad", DATA.name, said, gone, at, data, "r")
        return self._behind_data(self._absorbed(state, _padded(data, self.found.rate))), pieces

    def _crypted(self, state: Bits, data: Bytes) -> tuple[Bytes, Bits]:
        """What comes out of bytes, and the state behind whole blocks, with the last ones padded."""
        rate, out = self.found.rate, []
        whole = len(data) - len(data) % rate
        for at in range(0, whole + rate, rate):
            block = data[at : at + rate]
            some = [xor(self.g, a, b) for a, b in zip(block, octets(state), strict=False)]
            out += some
            taken = some if self.opened else block
            if at < whole:
                state = self._absorbed(state, taken)
            elif len(data) % ROW or not data:
                last = [*taken, *_padded([], rate)[: rate - len(taken)]]
                front = [xor(self.g, a, b) for a, b in zip(octets(state), last, strict=False)]
                state = tuple(x for byte in front for x in byte) + state[8 * rate :]
        return out, state

    def _text(
        self, name: str, said: Mapping[str, int | Lin], gone: int | Lin, at: int | Lin,
        data: Bytes, out: Bytes,
    ) -> list[Piece]:  # fmt: skip
        if self.shape.in_place:
            return self.places(f"in {name}", "in", TEXT.name, said, gone, at, data, "rw", out)
        size = len(data)
        return [
            *self.places(f"in {name}", "in", TEXT.name, said, gone, at, data, "r"),
            *self.places(f"out {name}", "out", TEXT.name, said, gone, at, size, "w", out),
        ]

    def _row(
        self, gone: int | Lin, state: Bits, tag: str, done: int | Lin, said: Mapping[str, int | Lin]
    ) -> tuple[Bits, list[Piece]]:
        data = self.data(f"text {tag}", ROW)
        out, behind = self._crypted(state, data)
        at = scaled(done, ROW, WIDTH)
        return behind, self._text(tag, said, gone, at, data, out)

    def _last(
        self, gone: int | Lin, state: Bits, rows: int | Lin, size: int
    ) -> tuple[Bits, list[Piece]]:
        data = self.data("last text", ROW)[:size]
        out, behind = self._crypted(state, data)
        words, key = self._split(behind)
        tag = self.found.tag_words(self.words_of(words), self.words_of(key))
        said = {TEXT.rows: rows, TEXT.last: size}
        made_tag = octets(flat_of(tag, WIDTH))
        pieces = [
            *self._text("last", said, gone, scaled(rows, ROW, WIDTH), data, out),
            *self.places(
                "tag", "tags", self.found.tag_size, said, gone, 0, self.found.tag_size, "w",
                made_tag, LANES,
            ),
        ]  # fmt: skip
        return behind, pieces

    def whole(
        self, groups: int, ad_bytes: int, size: int
    ) -> tuple[dict[str, int | Lin], list[Piece]]:
        """What is said of a call with numbers, and what it accesses besides."""
        said: dict[str, int | Lin] = {WAITING: groups - 1}
        for length, number in ((TEXT, size), (DATA, ad_bytes)):
            said |= {length.rows: number // ROW, length.last: number % ROW}
        pieces: dict[Lin, Piece] = {}
        for group in range(groups):
            state, found = self.begun(group, said)
            for phase in self.phases(group):
                number = size if phase.length is TEXT else ad_bytes
                if phase.none and not number:
                    state = phase.none(state)
                    continue
                for i in range(number // ROW):
                    state, more = phase.row(state, f"row {i}", i, said)
                    found += more
                state, more = phase.last(state, number // ROW, number % ROW)
                found += more
            for piece in found:
                named = replace(piece, name=f"{piece.name}, group {group}")
                pieces.setdefault(piece.address, named)
        return said, list(pieces.values())


class Digests(Messages):
    """What a call for digests is, of which one message is seen."""

    nodes = 2_400_000  # eight permutations of twelve rounds in a row

    def __init__(self, g: Graph, found: Hash, shape: Shape) -> None:
        self.hash = found
        self.words, self.least = found.digest_size // 8, found.digest_size
        (last,) = shape.lasts
        self.fixed = {TEXT.last: last}
        self.calls = tuple((groups, 0, ROW * rows + last) for groups, rows in ((1, 0), (2, 1)))
        self._of(g, shape, WORDS)

    def begun(self, gone: int | Lin, said: Mapping[str, int | Lin]) -> tuple[Bits, list[Piece]]:
        start = self.inputs.bytes_of("start", 8 * WORDS)
        piece = Piece("start", Lin(0, {"start": 1}), "r", cells_of(start))
        return tuple(x for byte in start for x in byte), [piece]

    def phases(self, gone: int | Lin) -> list[Phase]:
        return [Phase(TEXT, partial(self._row, gone), partial(self._last, gone), self.shape.lasts)]

    def _absorbed(self, state: Bits, data: Bytes) -> Bits:
        words = self.words_of(state)
        for at in range(0, len(data), self.hash.rate):
            block = tuple(x for byte in data[at : at + self.hash.rate] for x in byte)
            words = self.hash.absorb_words(words, words_of(self.g, block, WIDTH))
        return flat_of(words, WIDTH)

    def _row(
        self, gone: int | Lin, state: Bits, tag: str, done: int | Lin, said: Mapping[str, int | Lin]
    ) -> tuple[Bits, list[Piece]]:
        data, at = self.data(f"text {tag}", ROW), scaled(done, ROW, WIDTH)
        pieces = self.places(f"in {tag}", "in", TEXT.name, said, gone, at, data, "r")
        return self._absorbed(state, data), pieces

    def _last(
        self, gone: int | Lin, state: Bits, rows: int | Lin, size: int
    ) -> tuple[Bits, list[Piece]]:
        data = self.data("last text", ROW)[:size]
        state = self._absorbed(state, _padded(data, self.hash.rate))
        made = octets(state)[: self.hash.rate]
        while len(made) < self.hash.digest_size:
            state = flat_of(ASCON.permute_words(self.words_of(state), ASCON.big), WIDTH)
            made += octets(state)[: self.hash.rate]
        said, many = {TEXT.rows: rows, TEXT.last: size}, self.hash.digest_size
        at = scaled(rows, ROW, WIDTH)
        return state, [
            *self.places("in last", "in", TEXT.name, said, gone, at, data, "r"),
            *self.places("digest", "tags", many, said, gone, 0, many, "w", made),
        ]


def _together(pieces: Sequence[Piece]) -> Piece:
    """Bytes side by side as one piece."""
    held: list[Cell] = []
    wanted: dict[int, Bits] = {}
    size = 0
    for one in pieces:
        held += one.held
        wanted |= {size + i: byte for i, byte in one.wanted.items()}
        size += one.size
    return replace(pieces[0], held=held, wanted=wanted, size=size)


def _padded(data: Bytes, rate: int) -> Bytes:
    """Bytes, 1, and zeros up to a whole block."""
    zeros = rate - 1 - len(data) % rate
    return [*data, number_bits(1, 8), *[(0,) * 8] * zeros]


@dataclass
class RowPart(Part):
    """A part with the least number of rows of its phase, where they are a symbol."""

    least: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class RowTask(CutTask):
    """One proof of all parts of a function, for one message."""

    messages: Callable[[Graph], Messages] | None = None
    entry: int = 0  # of the task's table

    @property
    def call(self) -> type[RowsCall]:
        """What runs it."""
        return DigestsCall if self.kernel.operation == "digest" else RowsCall


class RowsCall(CutCall):
    """Runs the parts."""

    task: RowTask
    symbols = CALL
    counts = COUNTS | NUMBERS | PRODUCTS
    messages: Messages
    invariant: Form | None = None  # of groups
    spaces = ("register", *STACKS, "work")

    def prove(self, seconds: float, units: int | None = None) -> str:
        assert self.task.messages
        self.messages = self.task.messages(self.g)
        self.g.asked = CONES[:1]  # sums of new bits may be old ones, which no small cut shows
        try:
            return self._groups()
        except (OpenError, RefusedError, MismatchError, BudgetError) as problem:
            self._some_calls(seconds)
            if isinstance(problem, MismatchError | RefusedError):  # a state need not occur
                raise OpenError(f"in a part of the induction {problem}") from problem
            raise

    # The parts

    def _groups(self) -> str:
        self.arrived, self.invariant = {}, None
        self.from_state = self.messages.state
        self.own = {x >> 1 for data in self.saved.values() for x in data if x > 1}
        none = self._part_of("no groups", None, RETURNS, {WAITING: -1}, [])
        self._run(none)
        self._run(self._beginning(None, 0))
        first = self._cuts()
        if len(first) != 1:
            raise OpenError("a call asks for its first length at more than one place")
        invariant = self._suggested(first[0].form)
        for _ in range(WEAKENED):
            wrong = self._unlike(first[0].form, invariant, {GONE: 0}) or self._group(invariant)
            if not wrong:
                return "0 and more"
            for key in wrong:
                for places in (invariant.linear, invariant.keep, invariant.carried):
                    places.pop(key, None)
        raise OpenError("no invariant of the loop over groups holds from group to group")

    def _group(self, invariant: Form) -> list[Key]:
        """A group from the invariant; the places where the next one does not have it."""
        self.invariant = invariant
        cuts = [Cut(invariant)]
        for phase in self.messages.phases(Lin(0, {GONE: 1})):
            self._phase_of(phase, cuts)
            cuts = self._cuts()
        wrong: list[Key] = []
        for cut in cuts:
            self._run(self._part_of("no group waits", cut, RETURNS, {WAITING: 0}, []))
            self._run(self._beginning(cut, Lin(1, {GONE: 1})))
            for arrived in self._cuts():
                wrong += self._unlike(arrived.form, invariant, {GONE: Lin(1, {GONE: 1})})
        return wrong

    def _phase_of(self, phase: Phase, cuts: Sequence[Cut]) -> None:
        """All lengths of a phase that are asked for."""
        length, state = phase.length, self.messages.state
        for cut in cuts:
            self._run(self._rows(phase, cut))
        behind = self._cuts()
        rows = Lin(0, {length.rows: 1})
        for cut in behind:
            for size in phase.lasts:
                after, pieces = phase.last(state, rows, size)
                self._run(
                    self._part_of(
                        f"{length.name}: {size} behind rows", cut, ASKS, {length.last: size},
                        pieces, after, {length.rows: 1},
                    )
                )  # fmt: skip
        for cut in cuts:
            if phase.none:
                said: dict[str, int | Lin] = {length.rows: 0, length.last: 0}
                after = phase.none(state)
                self._run(self._part_of(f"{length.name}: none", cut, ASKS, said, [], after))
            for size in phase.lasts:
                if size or not phase.none:
                    said = {length.rows: 0, length.last: size}
                    after, pieces = phase.last(state, 0, size)
                    name = f"{length.name}: {size} alone"
                    self._run(self._part_of(name, cut, ASKS, said, pieces, after))

    def _part_of(
        self,
        name: str,
        cut: Cut | None,
        ends: str,
        said: Mapping[str, int | Lin],
        pieces: Sequence[Piece],
        after: Bits | None = None,
        least: Mapping[str, int] | None = None,
    ) -> RowPart:
        """A part without rows. The state behind it is the one in front of it, or another one."""
        state = self.messages.state
        known = dict(said)
        waiting = combined(known.get(WAITING, Lin(0, {WAITING: 1})), 1, 1, WIDTH)
        call = self.messages.call(known)
        return RowPart(
            name,
            state,
            lambda _: [Lin(0, {"work": 1}), Lin(0, {"rows": 1}), waiting],
            lambda *_: [*call, *pieces],
            cut=cut,
            ends=ends,
            entry=self.task.entry,
            after=lambda state: after or state,
            said=lambda _: known,
            least=least or {},
        )

    def _beginning(self, cut: Cut | None, gone: int | Lin) -> RowPart:
        """From the entry, or the end of a group, to where the first length is asked for."""
        said = {WAITING: Lin(1, {WAITING: 1})} if cut else {}
        after, pieces = self.messages.begun(gone, said)
        return self._part_of("begin", cut, ASKS, said, pieces, after)

    def _rows(self, phase: Phase, cut: Cut) -> RowPart:
        """Rows, up to where the code asks what is behind them."""
        rows = phase.length.rows
        key = self.messages.state[WIDTH * WORDS :]  # it stays

        def step(
            state: Bits, tag: str, done: int | Lin, total: int | Lin
        ) -> tuple[Bits, list[Piece]]:
            behind, made_of = phase.row(state + key, tag, done, {rows: total})
            return behind[: WIDTH * WORDS], made_of

        part = self._part_of(f"{phase.length.name}: rows", cut, ASKS, {}, [])
        part.state, part.step = self.messages.state[: WIDTH * WORDS], step
        part.after = lambda state: state + key
        part.unit, part.said = ROW * self.messages.shape.count, lambda total: {rows: total}
        part.pieces = lambda _, total: self.messages.call({rows: total})
        return part

    def _run(self, part: RowPart) -> None:
        def run() -> None:
            self._begin(part)
            self.least = 0
            if part.step is None:
                self.counted(part, 0)
                return
            self.inducted(part)
            if self.least:
                self.counted(part, 1)

        self._named(part, run)

    # Machines

    def _started(self, regions: Mapping[str, Region]) -> Machine:
        if not isinstance(self.image, X86Image):
            raise OpenError("these messages are proved on x86-64 alone")
        return RowsMachine(self.g, self.image, regions)

    def replaced(self, value: Lin, known: Mapping[str, int | Lin]) -> int | Lin:
        """Besides: a product where the number of groups or the length is another one."""
        c, t = parts(value)
        total: int | Lin = c
        lengths = self.messages.lengths(known)
        for symbol, factor in t.items():
            term: int | Lin = Lin(0, {symbol: 1})
            if symbol in known:
                term = known[symbol]
            elif symbol.endswith(TIMES):
                name = symbol.removesuffix(TIMES)
                gone, length = known.get(GONE, Lin(0, {GONE: 1})), lengths[name]
                product = multiplied(gone, length, lengths)
                assert product is not None
                term = product
            total = combined(total, scaled(term, factor, WIDTH), 1, WIDTH)
        return total

    def _limited(self, m: Machine, said: Mapping[str, int | Lin], part: Case) -> None:
        """Put lengths into a machine, and what their symbols can be."""
        assert isinstance(m, RowsMachine)
        lengths = self.messages.lengths(said)
        m.lengths = {name: x for name, x in lengths.items() if isinstance(x, Lin)}
        half = (1 << 63) - 1  # what objects have together at most: messages, nonces, keys
        count = self.messages.shape.count
        least = part.least if isinstance(part, RowPart) else {}
        for one in (TEXT, DATA):
            m.bounds[one.rows] = (least.get(one.rows, 0), half // (ROW * count))
            m.bounds[one.last] = (0, ROW - 1)
        m.bounds[GONE] = m.bounds[WAITING] = (0, half // (self.messages.least * count))
        m.bounds[STRIDE] = (self.messages.least + 1, half // count)

    def entered(self, case: Case, total: int | Lin, pieces: Iterable[Piece]) -> Machine:
        assert isinstance(case, RowPart)
        if case.cut is None:
            m = EngineCall.entered(self, case, total, pieces)
        else:
            m = super().entered(case, total, pieces)
        self._limited(m, case.said(total), case)
        return m

    def _bounded(self, m: Machine) -> None:
        """See `_limited`."""

    def _at_head(
        self, case: Case, form: Form, now: Bits, left: int | None, least: int
    ) -> tuple[Machine, Bits, list[Piece], list[Piece]]:
        assert isinstance(case, RowPart)
        found = super()._at_head(case, form, now, left, least)
        rest: int | Lin = Lin(0, {"left": 1}) if left is None else left
        total = combined(combined(rest, Lin(0, {"done": 1}), 1, WIDTH), 1, 1, WIDTH)
        self._limited(found[0], case.said(total), case)
        return found

    # Cuts

    def _to_end(
        self, case: Case, m: Machine, pc: int, behind: Bits, until: Callable[[int], bool]
    ) -> Machine:
        assert isinstance(case, RowPart)
        if case.ends == RETURNS:
            return EngineCall._to_end(self, case, m, pc, behind, until)
        kept: tuple[X86Machine, int] | None = None
        while True:
            until(pc)
            if self._asks(pc):
                kept = _copied(m), pc
            try:
                following = m.step(pc)
            except (UndecidedError, OpenError):
                if kept is None:
                    raise
                kept[0].pc = kept[1]
                return kept[0]
            if not isinstance(following, int):
                raise OpenError("the kernel returns in front of the end of a group")
            pc = following

    def _asks(self, pc: int) -> bool:
        """Whether a branch may be on the flags of an instruction: clang adds -1 to counts."""
        assert isinstance(self.image, X86Image)
        one = self.image.instruction(pc)
        return one.name in ASKING or (one.name == "add" and one.ops[-1].number == -1)

    def _ended(self, case: Case, m: Machine, behind: Bits, total: int | Lin) -> None:
        assert isinstance(case, RowPart)
        if case.ends == RETURNS:
            self.check_return(m)
            return
        said = dict(case.said(total))
        rows = next((x for x, y in said.items() if isinstance(y, Lin) and "done" in y.factors), "")
        done = {"done": Lin(-1, {rows: 1})} if rows else {}
        origin = case.cut.form if case.cut and WAITING not in said else None
        cut = self._arrived_at(m, case.after(behind), said, done, origin)
        self.arrived.setdefault(cut.form.head, []).append(cut)

    def _arrived_at(
        self,
        m: Machine,
        state: Bits,
        said: Mapping[str, int | Lin],
        done: Mapping[str, int | Lin],
        origin: Form | None,
    ) -> Cut:
        """What the machine holds at a cut, where `lab/spec` has this state. Where numbers are said
        of symbols, an expression of a cut there, of the form in front, or of the next group's, may
        stand for what they make of it.
        """
        form = Form(m.pc, regions={name: m.regions[name] for name in STACKS if name in m.regions})
        names = Names(self.g, state, self.from_state)
        numbers = {name: value for name, value in said.items() if isinstance(value, int)}

        def candidates(key: Key) -> list[Linear]:
            there = [cut.form for cut in self.arrived.get(m.pc, ())]
            forms = [form for form in (*there, origin, self.invariant) if form]
            return [form.linear[key] for form in forms if key in form.linear]

        def known_as(key: Key, cell: Cell) -> int | Lin:
            value = cell[0]
            assert isinstance(value, int | Lin)
            if isinstance(value, Lin) and done:
                value = self.replaced(value, done)
            for line in candidates(key) if numbers else ():
                if line[4:] != cell[1:]:
                    continue
                for gone in (Lin(0, {GONE: 1}), Lin(1, {GONE: 1})):
                    before = self.replaced(Lin(line[0], dict(line[1])), {GONE: gone})
                    if isinstance(before, Lin) and self.replaced(before, numbers) == value:
                        return before
            return value

        for space in self.spaces:
            for at, cell in m.spaces.get(space, {}).items():
                key = (space, at)
                if isinstance(cell[0], int | Lin):
                    value = known_as(key, cell)
                    if isinstance(value, int):
                        form.keep[key] = (value, *cell[1:])
                    elif self.symbols.issuperset(value.factors):
                        c, t = parts(value)
                        form.linear[key] = (c, tuple(sorted(t.items())), 0, 0, *cell[1:])
                    continue
                byte = _byte(m, cell)
                if byte is None or max(byte) >= STRANGE:
                    continue
                bits, of_state = [], False
                for x in byte:
                    if x < 2 or (x >> 1 in self.own and x >> 1 not in names.names):
                        bits.append(x)
                    elif (named := names.name(x)) is not None:
                        bits.append(named)
                        of_state = True
                if len(bits) < len(byte):
                    continue
                if of_state:
                    form.carried[key] = tuple(bits)
                else:
                    form.keep[key] = (tuple(bits), 0, 1)
        return Cut(form)

    def _cuts(self) -> list[Cut]:
        """The cuts that runs have arrived at since the last call, one for an address, with what all
        have in common.
        """
        arrived, self.arrived = self.arrived, {}
        m = self._new([], {}, "at a cut")
        found = []
        for pc in sorted(arrived):
            one, *others_there = arrived[pc]
            for other in others_there:
                one = Cut(self._common(m, one, other))
            found.append(one)
        return found

    # Groups

    def _unlike(self, form: Form, invariant: Form, known: Mapping[str, int | Lin]) -> list[Key]:
        """Where a form does not say what the invariant does."""
        if form.head != invariant.head or form.regions != invariant.regions:
            raise OpenError("a group ends where no other one does")
        wrong = []
        m = self._new([], {}, "at a cut")
        for key, line in invariant.linear.items():
            value = self.replaced(Lin(line[0], dict(line[1])), known)
            if not self._says(m, form, key, (value, *line[4:])):
                wrong.append(key)
        wrong += [x for x, cell in invariant.keep.items() if not self._says(m, form, x, cell)]
        wrong += [x for x, bits in invariant.carried.items() if form.carried.get(x) != bits]
        return wrong

    def _says(self, m: Machine, form: Form, key: Key, wanted: Cell) -> bool:
        line: Linear | None = form.linear.get(key)
        if line:
            return same_cell((Lin(line[0], dict(line[1])), *line[4:]), wanted)
        cell = form.keep.get(key)
        if cell is None or isinstance(wanted[0], Lin):
            return False
        return same_cell(cell, wanted) or _byte(m, cell) == _byte(m, wanted)

    def _suggested(self, first: Form) -> Form:
        """What a group moves on, as runs over a group show that has no bytes, and a row of text."""
        runs = [self._group_later(first, rows) for rows in (0, 1)]
        form = Form(first.head, regions=first.regions, carried=dict(first.carried))
        lengths = self.messages.lengths({})
        last = self.messages.fixed.get(TEXT.last, 0)

        def moved(m: Machine, key: Key, cell: Cell, rows: int) -> int | None:
            """By how much, as a number."""
            now = m.spaces.get(key[0], {}).get(key[1])
            if now is None or now[1:] != cell[1:] or not isinstance(now[0], int | Lin):
                return None
            said = {TEXT.rows: rows, TEXT.last: last, DATA.rows: 0, DATA.last: 0}
            value = cell[0]
            assert isinstance(value, int | Lin)
            before = self.replaced(value, said) if isinstance(value, Lin) else value
            step = combined(now[0], before, -1, 8 * cell[2])
            return step if isinstance(step, int) else None

        cells: dict[Key, Cell] = {
            key: (Lin(line[0], dict(line[1])), *line[4:]) for key, line in first.linear.items()
        }
        for key, cell in (first.keep | cells).items():
            value = cell[0]
            if not isinstance(value, int | Lin):
                now = runs[0].spaces.get(key[0], {}).get(key[1])
                if now is not None and same_cell(now, cell):
                    form.keep[key] = cell
                continue
            none, row = (moved(m, key, cell, rows) for rows, m in enumerate(runs))
            if none is None or row is None or (row - none) % ROW:
                continue
            lengths_on = (row - none) // ROW
            none -= lengths_on * last
            total: int | Lin = value
            if none or lengths_on:
                gone = Lin(0, {GONE: 1})
                far = scaled(lengths[TEXT.name], lengths_on, WIDTH)
                times = multiplied(gone, far, lengths)
                if 8 * cell[2] != WIDTH or times is None:
                    continue
                total = combined(
                    value, combined(times, scaled(gone, none, WIDTH), 1, WIDTH), 1, WIDTH
                )
            if isinstance(total, int):
                form.keep[key] = (total, *cell[1:])
            else:
                form.linear[key] = (total.c, total.t, 0, 0, *cell[1:])
        return form

    def _group_later(self, first: Form, rows: int) -> Machine:
        """The machine behind a group with so many rows of text that begins with a form, where the
        next one asks.
        """
        messages = self.messages
        said: dict[str, int | Lin] = {TEXT.rows: rows, TEXT.last: 0, WAITING: Lin(1, {WAITING: 1})}
        said |= {DATA.rows: 0, DATA.last: 0, **messages.fixed}
        messages.seen = False
        state = tuple(x for byte in others(self.g, len(messages.state) // 8) for x in byte)
        pieces: dict[Lin, Piece] = {}
        for phase in messages.phases(0):
            length = phase.length
            for i in range(rows if length is TEXT else 0):
                for piece in phase.row(state, f"row {i}", i, said)[1]:
                    pieces[piece.address] = piece
            size = said[length.last]
            assert isinstance(size, int)
            for piece in phase.last(state, said[length.rows], size)[1]:
                pieces[piece.address] = piece
        for piece in messages.begun(1, said)[1]:
            pieces[piece.address] = piece
        messages.seen = True
        start = Cut(replace(first, carried={}, anything=set(first.carried)))
        part = self._part_of("a group", start, ASKS, said, list(pieces.values()))
        self._begin(part)
        m = self.entered(part, 0, part.pieces(None, 0))
        following = m.step(first.head)
        if not isinstance(following, int) or m.run(following, lambda pc: pc == first.head) is None:
            raise OpenError("a second group does not arrive where the first one does")
        self._ran(m)
        return m

    # Calls with numbers

    def _some_calls(self, seconds: float) -> None:
        """Calls with numbers, of which one may show what is wrong with the kernel: on a graph where
        messages that are not seen are zeros, and on one where they are unknown.
        """
        assert self.task.messages
        calls = self.messages.calls
        for kind, (groups, ad_bytes, size) in itertools.product((Graph, Blind), calls):
            g = kind(seconds=seconds)
            again = type(self)(g, self.image, self.task)
            again.messages = self.task.messages(g)
            full = again.messages.shape.count == LANES  # others are one group
            part = again.whole(groups if full else 1, ad_bytes, size)
            again._begin(part)
            with suppress(OpenError, BudgetError):
                again.counted(part, 0)

    def whole(self, groups: int, ad_bytes: int, size: int) -> RowPart:
        """A call with numbers, from its entry to the return."""
        said, pieces = self.messages.whole(groups, ad_bytes, size)
        name = f"{groups} groups with {ad_bytes} and {size} bytes"
        return self._part_of(name, None, RETURNS, said, pieces)


class DigestsCall(RowsCall):
    """Runs the parts of digests. What is behind rows is a number in all of a call, as compilers ask
    for it in front of the first group; a group asks for its rows alone.
    """

    def _phase_of(self, phase: Phase, cuts: Sequence[Cut]) -> None:
        size, state = self.messages.fixed[phase.length.last], self.messages.state
        rows = phase.length.rows
        for cut in cuts:
            part = self._rows(phase, cut)
            part.after = lambda state: phase.last(state, 0, size)[0]

            def pieces(behind: Bits | None, total: int | Lin) -> list[Piece]:
                last = phase.last(state if behind is None else behind, total, size)[1]
                return [*self.messages.call({rows: total}), *last]

            part.pieces = pieces
            self._run(part)
            after, last = phase.last(state, 0, size)
            self._run(self._part_of("no rows", cut, ASKS, {rows: 0}, last, after))


ENTRIES = {"seal": 0, "open": 1, "digest": 0}  # of hanji_ascon_aead_rows, hanji_ascon_hash_rows


def shapes(key_size: int) -> Iterator[Shape]:
    """The messages that are proved: in full groups each, in place every second one, with each
    length of what is behind rows in one of them at least; in others the last one.
    """
    strides: tuple[int | str, ...] = (key_size, 0, STRIDE)
    for message in range(LANES):
        lasts = tuple(sorted(message + LANES * i for i in range(3) if message + LANES * i < ROW))
        yield Shape(LANES, message, bool(message % 2), strides[message // 2 % 3], lasts)
    for count in range(LEAST, LANES):
        stride = strides[count // 2 % 3]
        yield Shape(count, count - 1, bool(count % 2), stride, (7 * count % ROW,))


def row_tasks(kernel: Kernel) -> Iterator[RowTask]:
    """The proofs of a kernel for messages that lie one behind the other, or none."""
    if not kernel.source.endswith("ascon_avx512_x24.c") or kernel.operation not in ENTRIES:
        return
    found = spec.algorithm(kernel.spec.partition(".")[0])
    assert isinstance(found, Aead | Hash)
    kind = "aead" if isinstance(found, Aead) else "hash"
    for shape in shapes(getattr(found, "key_size", 0)):
        builds: dict[str, Callable[[Graph], Messages]] = {}
        if isinstance(found, Aead):
            opened = kernel.operation == "open"
            builds[""] = partial(Messages, found=found, shape=shape, opened=opened)
        else:  # a graph of its own for each length, as rows take a third of what a graph holds
            shape = replace(shape, in_place=False)
            for last in shape.lasts:
                one = replace(shape, lasts=(last,))
                builds[f", {last} bytes behind rows"] = partial(Digests, found=found, shape=one)
        how = "in place" if shape.in_place else "apart"
        for name, build in builds.items():
            yield RowTask(
                kernel,
                f"{ROWS}, {shape.count} in a group, {how}{EACH}{shape.message}{name}",
                lambda _: (),
                f"hanji_ascon_{kind}_rows_{kernel.isa}_x{kernel.blocks}",
                blind=True,
                counted=False,
                entry=ENTRIES[kernel.operation],
                messages=build,
            )
