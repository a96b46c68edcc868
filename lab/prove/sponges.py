# SPDX-License-Identifier: Apache-2.0
"""What the functions of Ascon's, SCHWAEMM's and ESCH's kernels must do (src/ascon/ascon.h,
src/sparkle/sponge_lanes.h), by the word functions of lab/spec.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from .. import spec
from ..kernels import Kernel
from ..spec.ascon import PERMUTATION as ASCON
from ..spec.ascon import Aead, Hash
from ..spec.esch import RATE as BLOCK
from ..spec.esch import Esch
from ..spec.schwaemm import Schwaemm
from .contracts import EACH, ISAS
from .engines import (
    Case,
    EngineTask,
    Piece,
    cells_of,
    flat_of,
    octets,
    wanted_of,
    words_of,
)
from .graph import Bits, Blind, Graph
from .lift import Bytes
from .values import Lin, Value, combined, scaled
from .words import Word, and_, number_bits, xor

WIDTH = 64  # of Ascon's words

# Names of tasks.
ALONE, ROUND, UNIFORM = "input alone", "a round", "messages of one length"
ENDS = "the last block and output"


def _at(symbol: str, place: int | Lin, factor: int, width: int) -> Lin:
    """The address `factor` * place bytes behind a buffer's begin."""
    moved = scaled(place, factor, width)
    if isinstance(moved, int):
        return Lin(moved, {symbol: 1})
    return Lin(moved.c, {symbol: 1, **moved.factors})


def _buffer(
    name: str, access: str, held: Bytes, wanted: Bytes | dict[int, Bits] | None = None
) -> Piece:
    """A buffer of its own."""
    made = wanted_of(wanted) if isinstance(wanted, list) else wanted or {}
    return Piece(name, Lin(0, {name: 1}), access, cells_of(held), made)


def _once(
    name: str,
    arguments: Sequence[Value],
    pieces: list[Piece],
    entry: int = 0,
    narrow: Sequence[int] = (),
) -> Case:
    """A call without units."""
    return Case(name, (), lambda _: arguments, lambda *_: pieces, narrow=narrow, entry=entry)


class Inputs:
    """Bytes of a call by name: the same name has the same bytes."""

    def __init__(self, g: Graph) -> None:
        self.g = g
        self.held: dict[tuple[str, int], Bytes] = {}

    def bytes_of(self, name: str, size: int) -> Bytes:
        """So many bytes that may be anything."""
        key = (name, size)
        if key not in self.held:
            self.held[key] = [self.g.word(f"{name} {i}", 8) for i in range(size)]
        return self.held[key]


# Whole blocks of Ascon for one state


def _blocks(
    g: Graph,
    found: Aead | Hash,
    verb: str,
    width: int,
    in_place: bool,
    entry: int,
    texts: Texts,
) -> Iterator[Case]:
    """absorb(state, in, blocks), or seal and open (state, out, in, blocks)."""
    inputs = Inputs(g)
    alone = verb == "absorb" or in_place
    for from_, to in texts.places(alone):
        name = texts.name(from_, to, alone)
        yield _blocks_at(
            inputs, found, verb, width, in_place, entry, texts.align, (from_, to), name
        )


def _blocks_at(
    inputs: Inputs,
    found: Aead | Hash,
    verb: str,
    width: int,
    in_place: bool,
    entry: int,
    align: int,
    offsets: tuple[int, int],
    name: str,
) -> Case:
    """The same with texts so many bytes behind what is aligned."""
    g = inputs.g
    rate = found.rate
    state = tuple(x for byte in inputs.bytes_of("state", 40) for x in byte)
    begins = {"in": Lin(offsets[0], {"in": 1}), "out": Lin(offsets[1], {"out": 1})}

    def at(buffer: str, done: int | Lin) -> Lin:
        place = _at(buffer, done, rate, width)
        return Lin(place.c + begins[buffer].c, place.factors)

    def step(before: Bits, tag: str, done: int | Lin, total: int | Lin) -> tuple[Bits, list[Piece]]:
        data = inputs.bytes_of(tag, rate)
        block = words_of(g, tuple(x for byte in data for x in byte), WIDTH)
        words = words_of(g, before, WIDTH)
        out = [a ^ b for a, b in zip(words, block, strict=False)]
        behind = found.absorb_words(words, out if verb == "open" else block)
        made = wanted_of(octets(flat_of(out, WIDTH)))
        held = cells_of(data)
        if verb == "absorb":
            pieces = [Piece(f"in {tag}", at("in", done), "r", held, align=align)]
        elif in_place:
            pieces = [Piece(f"in {tag}", at("in", done), "rw", held, made, align=align)]
        else:
            pieces = [
                Piece(f"in {tag}", at("in", done), "r", held, align=align),
                Piece(f"out {tag}", at("out", done), "w", (), made, rate, align),
            ]
        return flat_of(behind, WIDTH), pieces

    def arguments(total: int | Lin) -> list[int | Lin]:
        target = "in" if in_place else "out"
        texts = [begins["in"]] if verb == "absorb" else [begins[target], begins["in"]]
        return [Lin(0, {"state": 1}), *texts, total]

    def pieces(behind: Bits | None, total: int | Lin) -> list[Piece]:
        return [_buffer("state", "rw", octets(state), octets(behind or ()))]

    return Case(name, state, arguments, pieces, step, rate, entry=entry)


@dataclass(frozen=True)
class Texts:
    """Where texts may begin: at multiples of `align`, and so many bytes behind them; 0 is what the
    kernel's header says.
    """

    align: int = 0
    behind: tuple[int, ...] = (0,)

    def places(self, alone: bool) -> list[tuple[int, int]]:
        """Bytes behind, of the input and of the output; `alone` where these are one or one is."""
        if alone:
            return [(i, i) for i in self.behind]
        return [(i, j) for i in self.behind for j in self.behind]

    def name(self, from_: int, to: int, alone: bool) -> str:
        """What a case is called."""
        if len(self.behind) == 1:
            return ""
        return f"input at {from_}" if alone else f"input at {from_}, output at {to}"


# Kernels whose texts lie anywhere, though their states do not.
ANYWHERE = {"armv6m": Texts(4, (0, 1, 2, 3)), "armv7m": Texts(1)}


VERBS = {"absorb_blocks": "absorb", "seal_blocks": "seal", "open_blocks": "open"}


KEYED = {"start": "the state behind the key", "finish": "the state with the tag"}


def _ascon_blocks(
    kernel: Kernel, found: Aead | Hash, table: str, entry: int
) -> Iterator[EngineTask]:
    verb = VERBS[kernel.operation]
    isa = ISAS[kernel.isa]
    for in_place in (False, True) if verb != "absorb" else (False,):
        name = ALONE if verb == "absorb" else "in place" if in_place else "separate"
        yield EngineTask(
            kernel,
            name,
            partial(
                _blocks,
                found=found,
                verb=verb,
                width=isa.width,
                in_place=in_place,
                entry=entry,
                texts=ANYWHERE.get(kernel.isa, Texts()),
            ),
            table,
            kernel.symbol,
            in_place=in_place,
        )


def _keyed(g: Graph, found: Aead, start: bool) -> Iterator[Case]:
    """start(state, nonce, key), or finish(state, key)."""
    inputs = Inputs(g)
    own, key = inputs.bytes_of("state", 40), inputs.bytes_of("key", found.key_size)
    words = _words(g, key, WIDTH)
    if start:
        nonce = inputs.bytes_of("nonce", found.nonce_size)
        made = found.initial_words(_words(g, nonce, WIDTH), words)
        state = Piece("state", Lin(0, {"state": 1}), "w", (), _state_of(made), len(own))
        pieces = [state, _buffer("nonce", "r", nonce)]
    else:
        made = found._final_words(_words(g, own, WIDTH), words)
        pieces = [_buffer("state", "rw", own, _state_of(made))]
    pieces.append(_buffer("key", "r", key))
    yield _once("", [Lin(0, {one.name: 1}) for one in pieces], pieces)


def _permuted(g: Graph, rounds: int) -> Iterator[Case]:
    """permute(state, rounds)."""
    own = Inputs(g).bytes_of("state", 40)
    made = _state_of(ASCON.permute_words(_words(g, own, WIDTH), rounds))
    arguments: list[Value] = [Lin(0, {"state": 1}), rounds]
    yield _once("", arguments, [_buffer("state", "rw", own, made)], narrow=(1,))


def _state_of(words: Sequence[object]) -> dict[int, Bits]:
    return wanted_of(octets(flat_of(words, WIDTH)))


# Lanes of SCHWAEMM and ESCH: src/sparkle/sponge_lanes.h

PARTIAL, BIG, FRESH, BEGIN = 1, 2, 4, 8
RATE_MOST = 32  # bytes of a chunk
MOST_LANES = 16


def other(g: Graph) -> Bits:
    """A byte of another lane, of which nothing is known; zero in a graph that knows all."""
    if isinstance(g, Blind):
        return tuple(g.unknown() for _ in range(8))
    return (0,) * 8


def others(g: Graph, size: int) -> Bytes:
    """So many of them."""
    return [other(g) for _ in range(size)]


@dataclass(frozen=True)
class Lanes:
    """States of `words` words in lanes side by side; of each the bytes of a chunk and of the words
    in front of the capacity.
    """

    lanes: int
    words: int
    most: int

    def word(self, word: int, lane: int) -> int:
        """Where a word of a state is: hanji_lanes_word, in bytes."""
        return 4 * (word * self.lanes + lane)

    def piece(self, lane: int, at: int) -> int:
        """Where byte `at` of the chunk of a lane is: hanji_lanes_piece."""
        place = at // 16 * self.lanes + lane % 4 * (self.lanes // 4) + lane // 4
        return 16 * place + at % 16

    def state(self, g: Graph, lane: int, own: Bytes) -> Bytes:
        """States of which one lane is known."""
        data = others(g, 4 * self.words * self.lanes)
        for i, byte in enumerate(own):
            data[self.word(i // 4, lane) + i % 4] = byte
        return data

    def state_of(self, lane: int, own: Bytes) -> dict[int, Bits]:
        """What the state of a lane must be."""
        return {self.word(i // 4, lane) + i % 4: byte for i, byte in enumerate(own)}

    def stage(self, g: Graph, lane: int, own: Bytes) -> Bytes:
        """A stage of which the chunk of one lane is known."""
        data = others(g, RATE_MOST * self.most)
        for i, byte in enumerate(own):
            data[self.piece(lane, i)] = byte
        return data

    def masks(self, g: Graph, lane: int, own: Bytes) -> Bytes:
        """One word of each lane, of which one is known."""
        data = others(g, 4 * self.most)
        data[4 * lane : 4 * lane + 4] = own
        return data


ONES: Bits = (1,) * 8
ZERO: Bits = (0,) * 8


@dataclass(frozen=True)
class Round:
    """A round: its flags, and what the lane does."""

    name: str
    flags: int
    big: bool = False
    fresh: bool = False


ROUNDS = (
    Round("no lane ends", 0),
    Round("another lane ends", BIG),
    Round("the lane ends", BIG, True),
    Round("another lane begins", BIG | FRESH),
    Round("the lane ends and another begins", BIG | FRESH, True),
    Round("the lane begins", BIG | FRESH, True, True),
    Round("a part of another chunk", BIG | PARTIAL),
    Round("a part of a chunk", BIG | PARTIAL, True),
    Round("a part of another chunk, and a begin", BIG | PARTIAL | FRESH),
    Round("a part of a chunk, and a begin", BIG | PARTIAL | FRESH, True),
    Round("a part of another chunk, and the lane begins", BIG | PARTIAL | FRESH, True, True),
    Round("all lanes begin", BIG | FRESH | BEGIN, True, True),
)


BLOCKS = (
    Round("no lane ends", 0),
    Round("the lane begins", FRESH, False, True),
    Round("another lane ends", BIG),
    Round("the lane begins, another ends", BIG | FRESH, False, True),
    Round("the lane ends", BIG, True),
    Round("the lane begins and ends", BIG | FRESH, True, True),
)


def _word(byte: Bits) -> Bytes:
    return [byte] * 4


def _rounds(g: Graph, found: Schwaemm | Esch, lanes: Lanes, lane: int) -> Iterator[Case]:
    """round(state, stage, control, flags), in one lane."""
    inputs = Inputs(g)
    hashing = isinstance(found, Esch)
    rate = 16 if isinstance(found, Esch) else found.rate
    own = inputs.bytes_of("state", 4 * lanes.words)
    chunk = inputs.bytes_of("chunk", rate)
    fresh = inputs.bytes_of("fresh", 4 * lanes.words)
    kept, pad = inputs.bytes_of("keep", rate), inputs.bytes_of("pad", rate)
    domain, opened = inputs.bytes_of("domain", 1)[0], (inputs.bytes_of("opened", 1)[0][0],) * 8
    for one in BLOCKS if hashing else ROUNDS:
        partial = bool(one.flags & PARTIAL)
        last = one.big and (hashing or not one.fresh)  # a chunk with a domain
        mine = kept if last else [ONES] * rate
        behind_it = pad if last else [ZERO] * rate
        control = [
            *lanes.masks(g, lane, [ZERO, ZERO, ZERO, domain if last else ZERO]),
            *lanes.masks(g, lane, _word(opened)),
            *lanes.masks(g, lane, _word(ONES if one.fresh else ZERO)),
            *lanes.masks(g, lane, _word(ONES if one.big else ZERO)),
        ]
        control += lanes.state(g, lane, fresh)
        control += others(g, 4 * 4 * lanes.most + 4 * 16 * lanes.most - len(control))
        control += lanes.stage(g, lane, mine if partial else others(g, rate))
        control += lanes.stage(g, lane, behind_it if partial else others(g, rate))
        made: dict[int, Bits] = {}
        if hashing:
            before = [ZERO] * len(own) if one.fresh else own
            said = Word(g, domain) if last else None
            behind = found.absorb_words(
                _words(g, before, 32),
                _words(g, chunk, 32),
                said,  # type: ignore[arg-type]
            )
        elif one.fresh:
            behind = found.permutation.permute_words(_words(g, fresh, 32), found.permutation.big)
        else:
            out = [xor(g, a, b) for a, b in zip(chunk, own, strict=False)]
            taken = [
                tuple(map(g.choose, opened, xor(g, and_(g, o, k), p) if partial else o, d))
                for o, k, p, d in zip(out, mine, behind_it, chunk, strict=True)
            ]
            said = Word(g, domain) if last else None
            behind = found.absorb_words(
                _words(g, own, 32),
                _words(g, taken, 32),
                said,  # type: ignore[arg-type]
            )
            made = {lanes.piece(lane, i): byte for i, byte in enumerate(out)}
        pieces = [
            _buffer(
                "state", "rw", lanes.state(g, lane, own),
                lanes.state_of(lane, octets(flat_of(behind, 32))),
            ),
            _buffer("stage", "r" if hashing else "rw", lanes.stage(g, lane, chunk), made),
            _buffer("control", "r", control),
        ]  # fmt: skip
        arguments: list[Value] = [
            *(Lin(0, {name: 1}) for name in ("state", "stage", "control")),
            one.flags,
        ]
        yield _once(one.name, arguments, pieces, narrow=(3,))


def _words(g: Graph, data: Bytes, width: int) -> list[Word]:
    return words_of(g, tuple(x for byte in data for x in byte), width)


def _round_tasks(kernel: Kernel, found: Schwaemm | Esch) -> Iterator[EngineTask]:
    words = 2 * found.permutation.branches
    lanes = Lanes(kernel.blocks, words, MOST_LANES)
    for lane in range(kernel.blocks):
        yield EngineTask(
            kernel,
            f"{ROUND}{EACH}{lane}",
            partial(_rounds, found=found, lanes=lanes, lane=lane),
            symbol=kernel.symbol.replace("absorb_words", "round"),
            blind=True,
            counted=False,
        )


# Sixteen messages on AVX-512: hanji_lanes_uniform. States are in the order of the transpose.

SIXTEEN = 16
ORDERED = tuple(lane for four in (0, 2, 1, 3) for lane in range(4 * four, 4 * four + 4))


@dataclass(frozen=True)
class Wide:
    """States of sixteen lanes, of which one is known."""

    words: int
    lane: int

    def place(self, word: int) -> int:
        """Where a word of the lane's state is, in bytes."""
        return 4 * (SIXTEEN * word + ORDERED.index(self.lane))

    def states(self, g: Graph, own: Bytes) -> Bytes:
        """The states."""
        data = others(g, 4 * SIXTEEN * self.words)
        for at, byte in self.wanted(own).items():
            data[at] = byte
        return data

    def wanted(self, own: Bytes) -> dict[int, Bits]:
        """What the lane's state must be."""
        return {self.place(i // 4) + i % 4: byte for i, byte in enumerate(own)}

    def buffer(self, g: Graph, own: Bytes | None, behind: Bytes | None) -> Piece:
        """The buffer of the states; without contents it is written before it is read."""
        held = self.states(g, own) if own is not None else []
        made = self.wanted(behind) if behind else {}
        return Piece(
            "state", Lin(0, {"state": 1}), "rw", cells_of(held), made, 4 * SIXTEEN * self.words
        )

    def rows(
        self,
        g: Graph,
        name: str,
        buffer: str,
        stride: int | Lin,
        at: int | Lin,
        own: Bytes | int,
        access: str,
        made: Bytes | None = None,
    ) -> list[Piece]:
        """Of each lane the same bytes of its row: those of the lane, or how many there are to be
        written; and what the lane's must be at the end.
        """
        pieces = []
        size = own if isinstance(own, int) else len(own)
        for lane in range(SIXTEEN):
            address = combined(
                combined(Lin(0, {buffer: 1}), scaled(stride, lane, 64), 1, 64), at, 1, 64
            )
            assert isinstance(address, Lin)
            data: Bytes = []
            if not isinstance(own, int):
                data = own if lane == self.lane else others(g, size)
            wanted = wanted_of(made) if made and lane == self.lane else {}
            pieces.append(
                Piece(f"{name} of lane {lane}", address, access, cells_of(data), wanted, size)
            )
        return pieces


STRIDE = Lin(0, {"stride": 1})


def _padded(data: Bytes, rate: int) -> Bytes:
    """A last chunk as it is absorbed: 80 and zeros behind it, unless it is whole."""
    if len(data) == rate:
        return data
    return [*data, number_bits(0x80, 8), *[ZERO] * (rate - 1 - len(data))]


def _uniform_begin(g: Graph, found: Schwaemm, lane: int) -> Iterator[Case]:
    """begin(state, nonces, keys, key_stride)."""
    inputs, wide = Inputs(g), Wide(2 * found.permutation.branches, lane)
    nonce, key = inputs.bytes_of("nonce", found.nonce_size), inputs.bytes_of("key", found.key_size)
    behind = found.initial_words(_words(g, nonce, 32), _words(g, key, 32))
    arguments: list[Value] = [*(Lin(0, {name: 1}) for name in ("state", "nonces", "keys")), STRIDE]
    pieces = [
        wide.buffer(g, None, octets(flat_of(behind, 32))),
        *wide.rows(g, "nonce", "nonces", found.nonce_size, 0, nonce, "r"),
        *wide.rows(g, "key", "keys", STRIDE, 0, key, "r"),
    ]
    yield _once("begin", arguments, pieces)
    together = [*pieces[:17], *wide.rows(g, "key", "keys", found.key_size, 0, key, "r")]
    side_by_side = [*arguments[:3], found.key_size]
    yield _once("begin with keys side by side", side_by_side, together)


def _uniform_end(g: Graph, found: Schwaemm, lane: int) -> Iterator[Case]:
    """end(tags, state, keys, key_stride)."""
    inputs, wide = Inputs(g), Wide(2 * found.permutation.branches, lane)
    own, key = inputs.bytes_of("state", 4 * wide.words), inputs.bytes_of("key", found.key_size)
    tag = octets(flat_of(found.tag_words(_words(g, own, 32), _words(g, key, 32)), 32))
    arguments: list[Value] = [*(Lin(0, {name: 1}) for name in ("tags", "state", "keys")), STRIDE]
    pieces = [
        wide.buffer(g, own, None),
        *wide.rows(g, "tag", "tags", found.tag_size, 0, found.tag_size, "w", tag),
        *wide.rows(g, "key", "keys", STRIDE, 0, key, "r"),
    ]
    yield _once("end", arguments, pieces, 3)


@dataclass(frozen=True)
class Phase:
    """Texts of a phase: opened or not, with output (apart, in place) or without (None)."""

    name: str
    open: bool
    out: str | None


def _uniform_phase(
    g: Graph, found: Schwaemm, lane: int, phase: Phase, lasts: Iterable[tuple[int, bool]]
) -> Iterator[Case]:
    """seal and open(state, out, in, bytes, ahead, domain)."""
    inputs, wide, rate = Inputs(g), Wide(2 * found.permutation.branches, lane), found.rate
    own = inputs.bytes_of("state", 4 * wide.words)
    state = tuple(x for byte in own for x in byte)

    def crypted(before: Bits, data: Bytes) -> tuple[Bytes, Bytes]:
        """What comes out, and what is absorbed without its padding."""
        out = [xor(g, a, b) for a, b in zip(data, octets(before), strict=False)]
        return out, out if phase.open else data

    domain = inputs.bytes_of("domain", 1)[0]

    def case(left: int, ahead: int | Lin) -> Case:
        def stride(total: int | Lin) -> int | Lin:
            return combined(scaled(total, rate, 64), left, 1, 64)

        def texts(
            name: str, total: int | Lin, at: int | Lin, data: Bytes, out: Bytes
        ) -> list[Piece]:
            access, made = ("rw", out) if phase.out == "in" else ("r", None)
            pieces = wide.rows(g, f"in {name}", "in", stride(total), at, data, access, made)
            if phase.out == "out":
                size = len(data)
                pieces += wide.rows(g, f"out {name}", "out", stride(total), at, size, "w", out)
            return pieces

        def step(
            before: Bits, tag: str, done: int | Lin, total: int | Lin
        ) -> tuple[Bits, list[Piece]]:
            data = inputs.bytes_of(tag, rate)
            out, taken = crypted(before, data)
            words = words_of(g, before, 32)
            behind = found.absorb_words(words, _words(g, taken, 32), None)
            return flat_of(behind, 32), texts(tag, total, scaled(done, rate, 64), data, out)

        def arguments(total: int | Lin) -> list[Value]:
            out = Lin(0, {phase.out: 1}) if phase.out else 0
            texts: list[Value] = [Lin(0, {"state": 1}), out, Lin(0, {"in": 1})]
            return [*texts, stride(total), ahead, domain + (0,) * 24]

        def pieces(behind: Bits | None, total: int | Lin) -> list[Piece]:
            out = data = inputs.bytes_of("last", rate)[:left]
            made = None
            if behind is not None:
                out, taken = crypted(behind, data)
                said = Word(g, domain) ^ int(left == rate)
                words, chunk = words_of(g, behind, 32), _words(g, _padded(taken, rate), 32)
                after = found.absorb_words(words, chunk, said)  # type: ignore[arg-type]
                made = octets(flat_of(after, 32))
            rows = texts("last", total, scaled(total, rate, 64), data, out)
            return [wide.buffer(g, own, made), *rows]

        name = f"{phase.name} with a last chunk of {left} bytes"
        bounds = {"ahead": (1, (1 << 63) - 1)}
        entry = 2 if phase.open else 1
        return Case(name, state, arguments, pieces, step, SIXTEEN * rate, (5,), bounds, entry)

    for left, ahead in lasts:
        yield case(left, Lin(0, {"ahead": 1}) if ahead else 0)


def lengths_of(lane: int, rate: int) -> tuple[int, int]:
    """Lengths of last chunks that are proved in a lane: all lanes together have each length."""
    return lane + 1, lane + 1 + rate - SIXTEEN


def _uniform_rest(g: Graph, found: Schwaemm, lane: int) -> Iterator[Case]:
    """hanji_lanes_uniform but for messages, in one lane."""
    yield from _uniform_begin(g, found, lane)
    data = Phase("associated data", False, None)
    yield from _uniform_phase(
        g, found, lane, data, ((lengths_of(lane, found.rate)[lane % 2], False),)
    )
    yield from _uniform_end(g, found, lane)


def _uniform_text(g: Graph, found: Schwaemm, lane: int, opened: bool) -> Iterator[Case]:
    """Messages apart and in place, each with a length of its own, and with and without a look
    ahead.
    """
    name = "open" if opened else "seal"
    one, other_one = lengths_of(lane, found.rate)[:: -1 if lane % 2 else 1]
    ahead = bool(lane & 2)
    yield from _uniform_phase(g, found, lane, Phase(name, opened, "out"), ((one, ahead),))
    in_place = Phase(f"{name} in place", opened, "in")
    yield from _uniform_phase(g, found, lane, in_place, ((other_one, not ahead),))


def _uniform_tasks(kernel: Kernel, found: Schwaemm | Esch) -> Iterator[EngineTask]:
    table = f"hanji_{found.name.replace('-', '_')}_avx512_uniform_x16"
    if isinstance(found, Esch):
        for lane in range(SIXTEEN):
            build = partial(_uniform_hash, found=found, lane=lane)
            yield EngineTask(
                kernel, f"{UNIFORM}{EACH}{lane}", build, "", table, blind=True, counted=False
            )
        return
    for lane in range(SIXTEEN):
        for name, build in (
            ("begin, associated data and end", partial(_uniform_rest, found=found, lane=lane)),
            ("seal", partial(_uniform_text, found=found, lane=lane, opened=False)),
            ("open", partial(_uniform_text, found=found, lane=lane, opened=True)),
        ):
            yield EngineTask(
                kernel, f"{UNIFORM}: {name}{EACH}{lane}", build, table, blind=True, counted=False
            )


def _uniform_hash(g: Graph, found: Esch, lane: int) -> Iterator[Case]:
    """hanji_lanes_hash_fn(state, out, out_bytes, in, bytes, domain): pairs of blocks, then one or
    two.
    """
    inputs, wide, pair = Inputs(g), Wide(2 * found.permutation.branches, lane), 32
    own = inputs.bytes_of("state", 4 * wide.words)
    state = tuple(x for byte in own for x in byte)
    domain = inputs.bytes_of("domain", 1)[0]

    def absorbed(before: Bits, data: Bytes, said: object) -> Bits:
        words = words_of(g, before, 32)
        made = found.absorb_words(words, _words(g, data, 32), said)  # type: ignore[arg-type]
        return flat_of(made, 32)

    def last(before: Bits, data: Bytes) -> Bits:
        """One block or two, the last one padded."""
        if len(data) > 16:
            before, data = absorbed(before, data[:16], None), data[16:]
        kind = found.domain_full if len(data) == 16 else found.domain_short
        return absorbed(before, _padded(data, 16), Word(g, domain) ^ kind)

    def squeezed(before: Bits, size: int) -> tuple[Bytes, Bits]:
        out = octets(before)[:16]
        while len(out) < size:
            words = found.permutation.permute_words(words_of(g, before, 32), found.permutation.slim)
            before = flat_of(words, 32)
            out += octets(before)[:16]
        return out[:size], before

    def case(left: int, size: int) -> Case:
        def stride(total: int | Lin) -> int | Lin:
            return combined(scaled(total, pair, 64), left, 1, 64)

        def step(
            before: Bits, tag: str, done: int | Lin, total: int | Lin
        ) -> tuple[Bits, list[Piece]]:
            data = inputs.bytes_of(tag, pair)
            behind = absorbed(absorbed(before, data[:16], None), data[16:], None)
            at = scaled(done, pair, 64)
            return behind, wide.rows(g, f"in {tag}", "in", stride(total), at, data, "r")

        def arguments(total: int | Lin) -> list[Value]:
            texts: list[Value] = [Lin(0, {"state": 1}), Lin(0, {"out": 1}), size, Lin(0, {"in": 1})]
            return [*texts, stride(total), domain + (0,) * 24]

        def pieces(behind: Bits | None, total: int | Lin) -> list[Piece]:
            data = inputs.bytes_of("last", pair)[:left]
            made, out = None, None
            if behind is not None:
                out, after = squeezed(last(behind, data), size)
                made = octets(after)
            at = scaled(total, pair, 64)
            return [
                wide.buffer(g, own, made),
                *(wide.rows(g, "in last", "in", stride(total), at, data, "r") if left else ()),
                *wide.rows(g, "out", "out", size, 0, size, "w", out),
            ]

        name = f"{size} bytes of a message whose last blocks have {left}"
        if left == 0:
            return _once("an empty message", arguments(0), pieces(state, 0), narrow=(5,))
        return Case(name, state, arguments, pieces, step, SIXTEEN * pair, (5,))

    digest = found.digest_size
    if lane < 4:
        yield case(0, digest)
    for left, size in zip(lengths_of(lane, pair), (digest, lane + 1), strict=True):
        yield case(left, size)


# A message of ESCH that comes in pieces: src/sparkle/esch.h


def _state_in(found: Esch, inputs: Inputs) -> Bits:
    return tuple(x for one in inputs.bytes_of("state", found.permutation.state_size) for x in one)


def _hash_blocks(g: Graph, found: Esch) -> Iterator[Case]:
    """absorb(state, message, blocks): none of them is the last one."""
    inputs = Inputs(g)
    state = _state_in(found, inputs)

    def step(before: Bits, tag: str, done: int | Lin, total: int | Lin) -> tuple[Bits, list[Piece]]:
        data = inputs.bytes_of(tag, BLOCK)
        behind = found.absorb_words(words_of(g, before, 32), _words(g, data, 32), None)
        here = _at("message", done, BLOCK, 64)
        return flat_of(behind, 32), [Piece(f"message {tag}", here, "r", cells_of(data))]

    def pieces(behind: Bits | None, total: int | Lin) -> list[Piece]:
        return [_buffer("state", "rw", octets(state), octets(behind or ()))]

    def arguments(total: int | Lin) -> list[Value]:
        return [Lin(0, {"state": 1}), Lin(0, {"message": 1}), total]

    yield Case("", state, arguments, pieces, step, BLOCK)


def _hash_end(g: Graph, found: Esch) -> Iterator[Case]:
    """end(state, out, out_blocks, last, domain). Units are permutations between blocks of output:
    each with the block in front of it, or with the one behind it, as the code's loop has them.
    """
    inputs = Inputs(g)
    state = _state_in(found, inputs)
    last, domain = inputs.bytes_of("last", BLOCK), inputs.bytes_of("domain", 1)[0]
    words = found.absorb_words(
        words_of(g, state, 32),
        _words(g, last, 32),
        Word(g, domain),  # type: ignore[arg-type]
    )
    ended = flat_of(words, 32)

    def out(name: str, at: int | Lin, of: Bits | None) -> Piece:
        here = _at("out", at, BLOCK, 64)
        return Piece(f"out {name}", here, "w", (), wanted_of(octets(of or ())[:BLOCK]), BLOCK)

    def held(behind: Bits | None) -> list[Piece]:
        return [
            _buffer("state", "rw", octets(state), octets(behind or ())),
            _buffer("last", "r", last),
        ]

    def arguments(blocks: int | Lin) -> list[Value]:
        texts: list[Value] = [Lin(0, {"state": 1}), Lin(0, {"out": 1}), blocks]
        return [*texts, Lin(0, {"last": 1}), domain + (0,) * 24]

    def step(
        before: Bits, tag: str, done: int | Lin, total: int | Lin, later: int
    ) -> tuple[Bits, list[Piece]]:
        words = found.permutation.permute_words(words_of(g, before, 32), found.permutation.slim)
        behind = flat_of(words, 32)
        return behind, [out(tag, combined(done, later, 1, 64), behind if later else before)]

    first = out("first", 0, ended)
    yield _once("no output", arguments(0), held(ended), narrow=(4,))
    yield _once("a block of output", arguments(1), [*held(ended), first], narrow=(4,))
    case = Case(
        "output", state, lambda total: arguments(combined(total, 1, 1, 64)),
        lambda behind, _: [first, *held(behind)],
        partial(step, later=1), BLOCK, (4,), initial=ended,
    )  # fmt: skip
    case.otherwise = replace(
        case,
        pieces=lambda behind, total: [*held(behind), out("last", total, behind)],
        step=partial(step, later=0),
    )
    yield case


def _hash_tasks(kernel: Kernel, found: Esch) -> Iterator[EngineTask]:
    builds = {"absorb_blocks": (ALONE, _hash_blocks), "end": (ENDS, _hash_end)}
    if kernel.operation in builds:
        name, build = builds[kernel.operation]
        symbol = kernel.symbol.replace("absorb_blocks", "absorb")
        yield EngineTask(kernel, name, partial(build, found=found), symbol=symbol, counted=False)


def engine_tasks(kernel: Kernel) -> Iterator[EngineTask]:
    """Every proof that a kernel of a sponge needs, or none."""
    try:
        found = spec.algorithm(kernel.spec.partition(".")[0])
    except spec.UnknownSpecificationError:
        return
    if kernel.isa not in ISAS:
        return
    if found == ASCON and kernel.source.endswith("ascon_avx2_x1.c"):
        for table in ("hanji_ascon_aead_avx2_x1", "hanji_ascon_hash_avx2_x1"):
            for rounds in range(2, ASCON.big + 1, 2):
                name = f"{rounds} rounds"
                build = partial(_permuted, rounds=rounds)
                yield EngineTask(kernel, name, build, table, counted=False)
    if isinstance(found, Aead) and kernel.operation in KEYED and kernel.source.endswith(".S"):
        build = partial(_keyed, found=found, start=kernel.operation == "start")
        yield EngineTask(kernel, KEYED[kernel.operation], build, "", kernel.symbol, counted=False)
    if isinstance(found, Aead | Hash) and kernel.operation in VERBS:
        if kernel.source.endswith(".S"):
            yield from _ascon_blocks(kernel, found, "", 0)
        elif kernel.source.endswith("ascon_avx2_x1.c"):
            kind = "aead" if isinstance(found, Aead) else "hash"
            entry = {"absorb": 1, "seal": 2, "open": 3}[VERBS[kernel.operation]]
            yield from _ascon_blocks(kernel, found, f"hanji_ascon_{kind}_avx2_x1", entry)
    if isinstance(found, Esch) and kernel.source.endswith("_x1.c"):
        yield from _hash_tasks(kernel, found)
    if isinstance(found, Schwaemm | Esch) and kernel.operation == "absorb_words":
        if kernel.isa == "avx2":
            yield from _round_tasks(kernel, found)
        elif kernel.isa == "avx512":
            yield from _uniform_tasks(kernel, found)
