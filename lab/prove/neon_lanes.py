# SPDX-License-Identifier: Apache-2.0
"""What the engines for several messages on NEON and SHA3 must do: of Ascon five messages
(src/ascon/ascon_lanes.h), two in vectors and three in registers, of SCHWAEMM and ESCH four
(src/sparkle/sponge_four.h).

Whole blocks of Ascon: absorb, seal and open(state, ragged, blocks) take all lanes, whatever
`active` says: which lane takes part is the caller's (ascon_aarch64.c). All five lanes are one
induction over blocks (engines.py), each with a state and texts of its own, in place or apart.

A round of SCHWAEMM or ESCH (src/sparkle/sponge_lanes.h): round(state, stage, control, flags). Of
all lanes the states, chunks, domains, what is opened and which lanes begin are any data. Which
lanes take the big permutation is public, as the engine knows lengths: the code branches on it, and
each choice is a run. Only a lane that is big may begin, and one that begins has no domain. The
permutation is in a file of its own, which is linked.

Rounds of whole chunks: run(state, run, rounds) takes them straight from the messages and, of
SCHWAEMM, writes what comes out. From round to round a lane's addresses move on by steps that may be
any numbers: behind `done` rounds by a product, which is a symbol of its own (`RunCall`). Which
lanes are opened is any data.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from .. import spec
from ..kernels import Kernel
from ..spec.ascon import Aead, Hash
from ..spec.esch import Esch
from ..spec.schwaemm import Schwaemm
from .ascon_lanes import STATE, addresses
from .engines import (
    COUNTS,
    Case,
    EngineCall,
    EngineTask,
    Form,
    Linear,
    Piece,
    cells_of,
    flat_of,
    octets,
    wanted_of,
    words_of,
)
from .graph import Bits, Graph
from .induct import STACKS, Say
from .lift import Bytes
from .pcode import A64Machine, Cell, Machine, OpenError, Region
from .sponges import (
    ALONE,
    BEGIN,
    BIG,
    FRESH,
    ONES,
    PARTIAL,
    RATE_MOST,
    ROUND,
    WIDTH,
    ZERO,
    Inputs,
    Lanes,
    _at,
    _buffer,
    _once,
    _words,
)
from .values import Lin, Unreadable, Value, combined, made, parts, scaled
from .words import Word, and_, xor

FIVE, PLACES = 5, 8  # lanes of Ascon, and places of each table in hanji_ascon_ragged
ASCON = re.compile(r"hanji_ascon_\w+_(?:neon|sha3)_(absorb|seal|open)_x5$")


def _states(states: list[Bits], made: list[Bits] | None) -> Piece:
    """Word by word those of all lanes, and what they must be."""

    def laid_out(of: list[Bits]) -> Bytes:
        words = [state[i : i + WIDTH] for i in range(0, WIDTH * STATE, WIDTH) for state in of]
        return [byte for word in words for byte in octets(word)]

    wanted = wanted_of(laid_out(made)) if made else {}
    return Piece("state", Lin(0, {"state": 1}), "rw", cells_of(laid_out(states)), wanted)


def _ragged(in_place: bool) -> Piece:
    """Where the messages are; what else is there may not be read."""
    return Piece("ragged", Lin(0, {"ragged": 1}), "r", addresses(PLACES, in_place))


def _blocks(g: Graph, found: Aead | Hash, verb: str, in_place: bool) -> Iterator[Case]:
    """absorb, seal and open(state, ragged, blocks) in all lanes."""
    inputs, rate = Inputs(g), found.rate
    size = 8 * STATE
    own = [
        tuple(x for byte in inputs.bytes_of(f"state {lane}", size) for x in byte)
        for lane in range(FIVE)
    ]

    def step(before: Bits, tag: str, done: int | Lin, total: int | Lin) -> tuple[Bits, list[Piece]]:
        behind: list[Bits] = []
        pieces: list[Piece] = []
        for lane in range(FIVE):
            data = inputs.bytes_of(f"{tag} {lane}", rate)
            state = before[8 * size * lane : 8 * size * (lane + 1)]
            out = [xor(g, a, b) for a, b in zip(octets(state), data, strict=False)]
            taken = out if verb == "open" else data
            block = words_of(g, tuple(x for byte in taken for x in byte), WIDTH)
            behind.append(flat_of(found.absorb_words(words_of(g, state, WIDTH), block), WIDTH))
            here = _at(f"in {lane}", done, rate, 64)
            name = f"{tag} of lane {lane}"
            access, made = ("rw", wanted_of(out)) if in_place else ("r", {})
            pieces.append(Piece(f"in {name}", here, access, cells_of(data), made))
            if verb != "absorb" and not in_place:
                there = _at(f"out {lane}", done, rate, 64)
                pieces.append(Piece(f"out {name}", there, "w", (), wanted_of(out), rate))
        return tuple(x for state in behind for x in state), pieces

    def arguments(total: int | Lin) -> list[Value]:
        return [Lin(0, {"state": 1}), Lin(0, {"ragged": 1}), total]

    def pieces(behind: Bits | None, total: int | Lin) -> list[Piece]:
        made = None
        if behind is not None:
            made = [behind[8 * size * i : 8 * size * (i + 1)] for i in range(FIVE)]
        return [_states(own, made), _ragged(in_place)]

    yield Case("", tuple(x for state in own for x in state), arguments, pieces, step, rate)


# Rounds of SCHWAEMM and ESCH

FOUR = 4  # lanes, HANJI_LANES_MAX
ALL = (1 << FOUR) - 1  # masks of lanes: all are big


class Four(Lanes):
    """States and chunks one after the other."""

    def word(self, word: int, lane: int) -> int:
        return 4 * (self.words * lane + word)

    def piece(self, lane: int, at: int) -> int:
        return RATE_MOST * lane + at


BYTES = 4  # of a word
# Kinds of rounds: names, flags, and what the lanes that are big may be
KINDS = {
    "no lane ends": 0,
    "lanes end": BIG,
    "lanes end or begin": BIG | FRESH,
    "parts of chunks": BIG | PARTIAL,
    "parts of chunks, and lanes begin": BIG | PARTIAL | FRESH,
    "all lanes begin": BIG | FRESH | BEGIN,
}
HASH_KINDS = ("no lane ends", "lanes end", "lanes end or begin")


def _spread(inputs: Inputs, name: str, size: int, own: dict[int, Bits]) -> Bytes:
    """Bytes of which some are given, and the others may be anything."""
    data = list(inputs.bytes_of(name, size))
    for at, byte in own.items():
        data[at] = byte
    return data


def _mask_words(inputs: Inputs, name: str, words: Sequence[Bytes]) -> Bytes:
    """A word of each lane."""
    own = {BYTES * i + k: byte for i, word in enumerate(words) for k, byte in enumerate(word)}
    return _spread(inputs, f"other {name}", BYTES * FOUR, own)


def _round(g: Graph, found: Schwaemm | Esch, kind: str, masks: Sequence[int]) -> Iterator[Case]:
    """Rounds of one kind, for some choices of the lanes that are big."""
    flags, hashing = KINDS[kind], isinstance(found, Esch)
    inputs, lanes = Inputs(g), Four(FOUR, 2 * found.permutation.branches, FOUR)
    rate = 16 if isinstance(found, Esch) else found.rate
    size = BYTES * lanes.words
    slim, big = found.permutation.slim, found.permutation.big
    still = replace(found, permutation=replace(found.permutation, slim=0, big=0))
    own = [inputs.bytes_of(f"state {i}", size) for i in range(FOUR)]
    chunks = [inputs.bytes_of(f"chunk {i}", rate) for i in range(FOUR)]
    fresh = [inputs.bytes_of(f"fresh {i}", size) for i in range(FOUR)]
    kept = [inputs.bytes_of(f"keep {i}", rate) for i in range(FOUR)]
    pads = [inputs.bytes_of(f"pad {i}", rate) for i in range(FOUR)]
    domains = [inputs.bytes_of(f"domain {i}", 1)[0] for i in range(FOUR)]
    opened = [(inputs.bytes_of(f"opened {i}", 1)[0][0],) * 8 for i in range(FOUR)]
    begins = [(inputs.bytes_of(f"begins {i}", 1)[0][0],) * 8 for i in range(FOUR)]

    def absorbed(state: Bytes, data: Bytes, said: Word | None) -> Sequence[Word]:
        """The words behind a chunk, in front of the permutation."""
        words, chunk = _words(g, state, 32), _words(g, data, 32)
        return still.absorb_words(words, chunk, said)  # type: ignore[arg-type]

    def lane_of(i: int, large: bool) -> tuple[Bits, Bits, Bytes, Bytes | None]:
        """Of a lane its domain, whether it begins, its state behind the round, and its output."""
        begun = begins[i] if large and flags & FRESH else ZERO
        begun = ONES if flags & BEGIN else begun
        domain = and_(g, domains[i], tuple(x ^ 1 for x in begun)) if large else ZERO
        said = Word(g, domain) if large else None
        steps = big if large else slim
        before = [ZERO] * size if hashing else fresh[i]
        if hashing:
            state = [tuple(map(g.choose, begun, a, b)) for a, b in zip(before, own[i], strict=True)]
            words = absorbed(state, chunks[i], said)
            out = None
        else:
            out = [xor(g, a, b) for a, b in zip(chunks[i], own[i], strict=False)]
            taken = out
            if flags & PARTIAL:
                triples = zip(out, kept[i], pads[i], strict=True)
                taken = [xor(g, and_(g, o, k), p) for o, k, p in triples]
            pairs = zip(taken, chunks[i], strict=True)
            taken = [tuple(map(g.choose, opened[i], a, b)) for a, b in pairs]
            words = absorbed(own[i], taken, said)
            pairs = zip(before, octets(flat_of(words, 32)), strict=True)
            words = _words(g, [tuple(map(g.choose, begun, a, b)) for a, b in pairs], 32)
        made = octets(flat_of(found.permutation.permute_words(words, steps), 32))
        return domain, begun, made, None if flags & BEGIN else out

    done: dict[tuple[int, bool], tuple[Bits, Bits, Bytes, Bytes | None]] = {}

    def placed(of: Sequence[Bytes], place: str) -> dict[int, Bits]:
        """Bytes of each lane where they are in the state, or in the stage."""
        if place == "state":
            parts = [lanes.state_of(i, data) for i, data in enumerate(of)]
        else:
            parts = [{lanes.piece(i, k): x for k, x in enumerate(d)} for i, d in enumerate(of)]
        return {at: byte for part in parts for at, byte in part.items()}

    for mask in masks:
        larges = [bool(mask >> i & 1) for i in range(FOUR)]
        for i, large in enumerate(larges):
            if (i, large) not in done:
                done[i, large] = lane_of(i, large)
        seen = [done[i, large] for i, large in enumerate(larges)]
        control = [
            *_mask_words(inputs, "domains", [[ZERO] * 3 + [one[0]] for one in seen]),
            *_mask_words(inputs, "opened", [[one] * BYTES for one in opened]),
            *_mask_words(inputs, "begins", [[one[1]] * BYTES for one in seen]),
            *_mask_words(inputs, "big", [[ONES if x else ZERO] * BYTES for x in larges]),
            *_spread(inputs, "other fresh", 16 * BYTES * FOUR, placed(fresh, "state")),
            *_spread(inputs, "other keep", RATE_MOST * FOUR, placed(kept, "stage")),
            *_spread(inputs, "other pad", RATE_MOST * FOUR, placed(pads, "stage")),
        ]
        held = placed(own, "state")
        stage = _spread(inputs, "other stage", RATE_MOST * FOUR, placed(chunks, "stage"))
        outs = [one[3] or [] for one in seen]
        pieces = [
            _buffer(
                "state", "rw", [held[i] for i in range(size * FOUR)],
                placed([one[2] for one in seen], "state"),
            ),
            _buffer("stage", "r" if hashing else "rw", stage, placed(outs, "stage")),
            _buffer("control", "r", control),
        ]  # fmt: skip
        arguments: list[Value] = [Lin(0, {one.name: 1}) for one in pieces]
        yield _once(f"masks {mask:0{FOUR}b}", [*arguments, flags], pieces, narrow=(3,))


# Rounds of whole chunks

RUNS = "whole chunks"
TIMES = " * done"  # in the name of a product
TABLES = ("in", "out")


def step_of(table: str, lane: int) -> str:
    """The symbol of a lane's step."""
    return f"{table} {lane} step"


STEPS = frozenset(step_of(table, lane) for table in TABLES for lane in range(FOUR))


def times(step: str, number: int | Lin) -> int | Lin:
    """The symbol of a step, so many times."""
    c, t = parts(number)
    return made(0, {step: c, **{f"{step} * {name}": k for name, k in t.items()}}, WIDTH)


@dataclass
class Pointers(Piece):
    """A piece that must hold these addresses at the end."""

    moved: Mapping[int, int | Lin] = field(default_factory=dict)


class Pair(Unreadable):
    """Two addresses or counts in one vector, which nothing but a copy may read as a whole."""

    __slots__ = ("halves",)

    def __init__(self, halves: Sequence[Value]) -> None:
        super().__init__("two addresses or counts are read as one")
        self.halves = halves


class RunMachine(A64Machine):
    """A run in which vectors hold addresses, two each."""

    def read(self, space: str, at: int, size: int) -> Value:
        if size == 16:
            held = self.spaces.get(space, {})
            cells = (held.get(at + i) for i in (0, 8))
            if any(cell and isinstance(cell[0], Lin) for cell in cells):
                return Pair([super(RunMachine, self).read(space, at + i, 8) for i in (0, 8)])
        return super().read(space, at, size)

    def write(self, space: str, at: int, value: Value, size: int) -> None:
        if isinstance(value, Pair):
            for i, half in enumerate(value.halves):
                super().write(space, at + 8 * i, half, 8)
            return
        super().write(space, at, value, size)


class RunCall(EngineCall):
    """Runs a task with steps that are symbols."""

    counts = COUNTS | STEPS | {f"{step}{TIMES}" for step in STEPS}

    def _started(self, regions: Mapping[str, Region]) -> Machine:
        return RunMachine(self.g, self.image, regions)

    def _form(
        self,
        case: Case,
        pc: int,
        first: Mapping[str, dict[int, Cell]],
        m: Machine,
        behind: Bits,
        unit: Sequence[Piece],
    ) -> Form | None:
        form = super()._form(case, pc, first, m, behind, unit)
        if form is None:
            return None
        for space in ("register", "run", *STACKS):
            for at, new in m.spaces.get(space, {}).items():
                old = first.get(space, {}).get(at)
                if old is None or old[1:] != new[1:]:
                    continue
                p, q = old[0], new[0]
                if not isinstance(p, Lin) or not isinstance(q, Lin):
                    continue
                c, steps = parts(combined(q, p, -1, WIDTH))
                if c or not steps or not STEPS.issuperset(steps):
                    continue
                symbols = p.factors | {f"{step}{TIMES}": k for step, k in steps.items()}
                form.linear[space, at] = (p.c, tuple(sorted(symbols.items())), 0, 0, *old[1:])
        return form

    def _linear(self, line: Linear, done: Value, left: int | None, gone: int = 0) -> int | Lin:
        c, symbols, a, b, byte, size = line
        assert isinstance(done, int | Lin)
        still = tuple(one for one in symbols if not one[0].endswith(TIMES))
        total = super()._linear((c, still, a, b, byte, size), done, left, gone)
        behind = combined(done, gone, 1, WIDTH)
        for name, factor in symbols:
            if name.endswith(TIMES):
                moved = times(name.removesuffix(TIMES), behind)
                total = combined(total, scaled(moved, factor, WIDTH), 1, WIDTH)
        return total

    def check(self, m: Machine, pieces: Iterable[Piece], say: Say) -> None:
        pieces = list(pieces)
        super().check(m, pieces, say)
        for piece in pieces:
            for at, address in piece.moved.items() if isinstance(piece, Pointers) else ():
                if m.read(piece.name, at, 8) != address:
                    raise OpenError(f"byte {at} of {piece.name} does not hold {address}")


@dataclass(frozen=True)
class RunTask(EngineTask):
    """One proof of rounds of whole chunks."""


def _run(g: Graph, found: Schwaemm | Esch, in_place: bool) -> Iterator[Case]:
    """run(state, run, rounds)."""
    inputs, lanes = Inputs(g), Four(FOUR, 2 * found.permutation.branches, FOUR)
    rate = 16 if isinstance(found, Esch) else found.rate
    size = BYTES * lanes.words
    own = [inputs.bytes_of(f"state {i}", size) for i in range(FOUR)]
    opened = [(inputs.bytes_of(f"opened {i}", 1)[0][0],) * 8 for i in range(FOUR)]
    state = tuple(x for data in own for byte in data for x in byte)

    def named(table: str) -> str:
        return "in" if in_place else table

    def step_in(table: str, lane: int) -> str:
        return step_of(named(table), lane)

    def at(table: str, lane: int, rounds: int | Lin) -> Lin:
        begin = Lin(0, {f"{named(table)} {lane}": 1})
        address = combined(begin, times(step_in(table, lane), rounds), 1, WIDTH)
        assert isinstance(address, Lin)
        return address

    def of_lane(states: Bits, lane: int) -> Bits:
        return states[8 * size * lane : 8 * size * (lane + 1)]

    def step(before: Bits, tag: str, done: int | Lin, total: int | Lin) -> tuple[Bits, list[Piece]]:
        behind: list[Bits] = []
        pieces: list[Piece] = []
        for lane in range(FOUR):
            data, mine = inputs.bytes_of(f"{tag} {lane}", rate), of_lane(before, lane)
            name, here = f"{tag} of lane {lane}", at("in", lane, done)
            taken, out = data, None
            if isinstance(found, Schwaemm):
                out = [xor(g, a, b) for a, b in zip(data, octets(mine), strict=False)]
                pairs = zip(out, data, strict=True)
                taken = [tuple(map(g.choose, opened[lane], a, b)) for a, b in pairs]
            words, chunk = words_of(g, mine, 32), _words(g, taken, 32)
            behind.append(flat_of(found.absorb_words(words, chunk, None), 32))
            if out and in_place:
                pieces.append(
                    Piece(f"in {name}", here, "rw", cells_of(data), wanted_of(out), align=1)
                )
                continue
            pieces.append(Piece(f"in {name}", here, "r", cells_of(data), align=1))
            if out:
                there = at("out", lane, done)
                pieces.append(Piece(f"out {name}", there, "w", (), wanted_of(out), rate, align=1))
        return tuple(x for one in behind for x in one), pieces

    def arguments(total: int | Lin) -> list[Value]:
        return [Lin(0, {"state": 1}), Lin(0, {"run": 1}), total]

    def placed(states: Bits) -> dict[int, Bits]:
        parts_of = [lanes.state_of(i, octets(of_lane(states, i))) for i in range(FOUR)]
        return {at: byte for part in parts_of for at, byte in part.items()}

    def pieces(behind: Bits | None, total: int | Lin) -> list[Piece]:
        values: list[Value] = [
            Lin(0, {f"{named(table)} {lane}": 1}) for table in TABLES for lane in range(FOUR)
        ]
        for table in TABLES:
            for lane in range(FOUR):
                values.append(Lin(0, {step_in(table, lane): 1}))
        cells: list[Cell] = [(value, i, 8) for value in values for i in range(8)]
        cells += cells_of(_mask_words(inputs, "opened", [[one] * BYTES for one in opened]))
        moved = {
            8 * (FOUR * number + lane): at(
                table, lane, 0 if table == "out" and isinstance(found, Esch) else total
            )
            for number, table in enumerate(TABLES)
            for lane in range(FOUR)
        }
        held = placed(state)
        states = [held[i] for i in range(size * FOUR)]
        return [
            _buffer("state", "rw", states, placed(behind) if behind else None),
            Pointers("run", Lin(0, {"run": 1}), "rw", cells, moved=moved),
        ]

    yield Case("", state, arguments, pieces, step, rate)


def _run_tasks(kernel: Kernel, found: Schwaemm | Esch) -> Iterator[EngineTask]:
    hashing = isinstance(found, Esch)  # it has no output
    for in_place in (False,) if hashing else (False, True):
        where = ALONE if hashing else "in place" if in_place else "separate"
        yield RunTask(
            kernel,
            f"{where}: {RUNS}",
            partial(_run, found=found, in_place=in_place),
            symbol=kernel.symbol.replace("absorb_blocks", "run"),
            in_place=in_place,
            counted=False,
        )


def _round_tasks(kernel: Kernel, found: Schwaemm | Esch) -> Iterator[EngineTask]:
    for kind in HASH_KINDS if isinstance(found, Esch) else KINDS:
        masks = range(1 << FOUR) if KINDS[kind] & BIG else (0,)
        yield EngineTask(
            kernel,
            f"{ROUND}: {kind}",
            partial(
                _round, found=found, kind=kind, masks=(ALL,) if kind == "all lanes begin" else masks
            ),
            symbol=kernel.symbol.replace("absorb_words", "round"),
            counted=False,
        )


def neon_lane_tasks(kernel: Kernel) -> Iterator[EngineTask]:
    """Every proof that such a kernel needs, or none."""
    named = ASCON.match(kernel.symbol)
    if named is None:
        if kernel.isa == "neon" and kernel.operation in ("absorb_words", "absorb_blocks"):
            found = spec.algorithm(kernel.spec.partition(".")[0])
            if isinstance(found, Schwaemm | Esch):
                rounds = kernel.operation == "absorb_words"
                yield from (_round_tasks if rounds else _run_tasks)(kernel, found)
        return
    found, verb = spec.algorithm(kernel.spec.partition(".")[0]), named[1]
    assert isinstance(found, Aead | Hash)
    for in_place in (False, True) if verb != "absorb" else (False,):
        yield EngineTask(
            kernel,
            ALONE if verb == "absorb" else "in place" if in_place else "separate",
            partial(_blocks, found=found, verb=verb, in_place=in_place),
            symbol=kernel.symbol,
            in_place=in_place,
        )
