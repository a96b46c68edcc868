# SPDX-License-Identifier: Apache-2.0
"""What the functions of Ascon's engines for eight and sixteen messages in lockstep must do, on
AVX2 and AVX-512 (src/ascon/ascon_lanes.h).

Each lane has a proof of its own, beside others of which nothing is known (engines.py): not their
states, texts and masks. The own mask is any bit, so that a lane takes part or not: where it does
not, its state stays. A unit is a row as long as a vector; behind all rows there are blocks, fewer
than a row has. A lane has some numbers of these, and all lanes together have each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from .. import spec
from ..kernels import Kernel
from ..spec.ascon import PERMUTATION as ASCON
from ..spec.ascon import Aead, Hash
from .contracts import EACH
from .engines import NOW, Case, EngineTask, Piece, cells_of, flat_of, octets, wanted_of, words_of
from .graph import Bits, Graph
from .lift import Bytes
from .pcode import Cell
from .sponges import VERBS, WIDTH, Inputs, _at, _once, _words, others
from .values import Lin, Value, combined, scaled
from .words import xor

LOCKSTEP = "messages in lockstep"
PLACES = 16  # of each table in hanji_ascon_ragged
STATE, KEYED = 5, 7  # words of a lane: of a hash, and of an AEAD with its key
VECTOR = {"avx2": 32, "avx512": 64}  # bytes
Build = Callable[[Graph], Iterator[Case]]
TABLES = ("key", "nonce", "in", "out")


def addresses(places: int, in_place: bool) -> list[Cell]:
    """Where the messages of so many places are: the tables of hanji_ascon_ragged."""
    cells: list[Cell] = []
    for table in TABLES:
        for lane in range(places):
            named = "in" if table == "out" and in_place else table
            address = Lin(0, {f"{named} {lane}": 1})
            cells += [(address, i, 8) for i in range(8)]
    return cells


@dataclass(frozen=True)
class Lanes:
    """Lanes side by side, of which one is known."""

    lanes: int
    lane: int

    def place(self, word: int) -> int:
        """Where a word of the lane's state is, in bytes."""
        return 8 * (word * self.lanes + self.lane)

    def states(self, g: Graph, own: Bytes, made: Bytes, words: int) -> Piece:
        """The states, and what the lane's must be; what is not given of it may be anything."""
        data = others(g, 8 * words * self.lanes)
        wanted = {}
        for i, byte in enumerate(own):
            data[self.place(i // 8) + i % 8] = byte
        for i, byte in enumerate(made):
            wanted[self.place(i // 8) + i % 8] = byte
        return Piece("state", Lin(0, {"state": 1}), "rw", cells_of(data), wanted)

    def ragged(self, g: Graph, active: Bits, in_place: bool) -> Piece:
        """Where the messages are, and which take part."""
        cells = addresses(PLACES, in_place)
        for lane in range(PLACES):
            cells += cells_of([active] * 8 if lane == self.lane else others(g, 8))
        return Piece("ragged", Lin(0, {"ragged": 1}), "r", cells)

    def rows(
        self,
        g: Graph,
        name: str,
        table: str,
        at: int | Lin,
        own: Bytes | int,
        access: str,
        made: Bytes = (),  # type: ignore[assignment]
    ) -> list[Piece]:
        """Of each lane bytes from a place on: those of the lane, or how many there are to be
        written; and what the lane's must be at the end.
        """
        pieces = []
        size = own if isinstance(own, int) else len(own)
        for lane in range(self.lanes if size else 0):
            data: Bytes = []
            if not isinstance(own, int):
                data = own if lane == self.lane else others(g, size)
            wanted = wanted_of(made) if lane == self.lane else {}
            address = _at(f"{table} {lane}", at, 1, 64)
            pieces.append(
                Piece(f"{name} of lane {lane}", address, access, cells_of(data), wanted, size)
            )
        return pieces


def _ends(g: Graph, found: Aead, lanes: Lanes) -> Iterator[Case]:
    """begin(state, ragged), and end(state, ragged)."""
    inputs = Inputs(g)
    nonce = inputs.bytes_of("nonce", found.nonce_size)
    key = inputs.bytes_of("key", found.key_size)
    ragged = lanes.ragged(g, inputs.bytes_of("active", 1)[0], False)
    arguments: list[Value] = [Lin(0, {"state": 1}), Lin(0, {"ragged": 1})]
    words = found.initial_words(_words(g, nonce, WIDTH), _words(g, key, WIDTH))
    made = octets(flat_of(words, WIDTH)) + key
    pieces = [
        lanes.states(g, [], made, KEYED),
        ragged,
        *lanes.rows(g, "key", "key", 0, key, "r"),
        *lanes.rows(g, "nonce", "nonce", 0, nonce, "r"),
    ]
    yield _once("begin", arguments, pieces)
    own = inputs.bytes_of("state", 8 * STATE)
    final = found._final_words(_words(g, own, WIDTH), _words(g, key, WIDTH))
    tag = octets(flat_of(final, WIDTH))[-found.tag_size :]
    pieces = [
        lanes.states(g, own + key, [], KEYED),
        ragged,
        *lanes.rows(g, "tag", "out", 0, found.tag_size, "w", tag),
    ]
    yield _once("end", arguments, pieces, 4)


def _blocks(
    g: Graph,
    found: Aead | Hash,
    lanes: Lanes,
    verb: str,
    entry: int,
    vector: int,
    left: int,
    in_place: bool,
) -> Iterator[Case]:
    """absorb, seal and open(state, ragged, blocks), for a number of blocks behind rows."""
    g.mixed = True  # what a lane keeps has been made in front of what it takes
    inputs, rate = Inputs(g), found.rate
    own = inputs.bytes_of("state", 8 * STATE)
    state = tuple(x for byte in own for x in byte)
    active = (inputs.bytes_of("active", 1)[0][0],) * 8
    words = KEYED if isinstance(found, Aead) else STATE
    for tag in ("last", "unit 0", f"unit{NOW}"):  # inputs older than all nodes are found as leaves
        inputs.bytes_of(tag, vector)

    def absorbed(before: Bits, data: Bytes) -> tuple[Bytes, Bits]:
        """What comes out of blocks, and the state behind them."""
        made: Bytes = []
        for i in range(0, len(data), rate):
            block = data[i : i + rate]
            out = [xor(g, a, b) for a, b in zip(octets(before), block, strict=False)]
            taken = _words(g, out if verb == "open" else block, WIDTH)
            before = flat_of(found.absorb_words(words_of(g, before, WIDTH), taken), WIDTH)
            made += out
        return made, before

    def texts(name: str, at: int | Lin, data: Bytes, out: Bytes) -> list[Piece]:
        if verb == "absorb":
            return lanes.rows(g, f"in {name}", "in", at, data, "r")
        if in_place:
            return lanes.rows(g, f"in {name}", "in", at, data, "rw", out)
        rows = lanes.rows(g, f"in {name}", "in", at, data, "r")
        return rows + lanes.rows(g, f"out {name}", "out", at, len(data), "w", out)

    def step(before: Bits, tag: str, done: int | Lin, total: int | Lin) -> tuple[Bits, list[Piece]]:
        data = inputs.bytes_of(tag, vector)
        out, behind = absorbed(before, data)
        return behind, texts(tag, scaled(done, vector, 64), data, out)

    def arguments(total: int | Lin) -> list[Value]:
        blocks = combined(scaled(total, vector // rate, 64), left, 1, 64)
        return [Lin(0, {"state": 1}), Lin(0, {"ragged": 1}), blocks]

    def pieces(behind: Bits | None, total: int | Lin) -> list[Piece]:
        data = inputs.bytes_of("last", vector)[: rate * left]
        out, made = data, own
        if behind is not None:
            out, after = absorbed(behind, data)
            pairs = zip(octets(after), own, strict=True)
            made = [tuple(map(g.choose, active, a, b)) for a, b in pairs]
        return [
            lanes.states(g, own, made, words),
            lanes.ragged(g, active, in_place),
            *texts("last", scaled(total, vector, 64), data, out),
        ]

    name = f"{left} blocks behind rows"
    yield Case(name, state, arguments, pieces, step, vector, entry=entry)


def _permuted(g: Graph, lanes: Lanes) -> Iterator[Case]:
    """permute(state, ragged): p[12] of all lanes."""
    inputs = Inputs(g)
    own = inputs.bytes_of("state", 8 * STATE)
    made = octets(flat_of(ASCON.permute_words(_words(g, own, WIDTH), ASCON.big), WIDTH))
    pieces = [
        lanes.states(g, own, made, STATE),
        lanes.ragged(g, inputs.bytes_of("active", 1)[0], False),
    ]
    yield _once("", [Lin(0, {"state": 1}), Lin(0, {"ragged": 1})], pieces, 1)


def _parts(kernel: Kernel, found: Aead | Hash, lanes: Lanes) -> Iterator[tuple[str, Build]]:
    """What a function must do in one lane, in parts with a graph each."""
    verb, vector = VERBS[kernel.operation], VECTOR[kernel.isa]
    entry = ("", "absorb", "seal", "open").index(verb) if isinstance(found, Aead) else 0
    if isinstance(found, Aead) and verb == "absorb":
        yield "begin and end", partial(_ends, found=found, lanes=lanes)
    for in_place in (False, True) if verb != "absorb" else (False,):
        left = (lanes.lane + in_place) % (vector // found.rate)
        yield (
            f"{verb} in place" if in_place else verb,
            partial(
                _blocks, found=found, lanes=lanes, verb=verb, entry=entry, vector=vector,
                left=left, in_place=in_place,
            ),
        )  # fmt: skip


def ascon_lane_tasks(kernel: Kernel) -> Iterator[EngineTask]:
    """Every proof that a kernel of lanes of Ascon needs, or none."""
    if not kernel.source.endswith(("ascon_avx2_x8.c", "ascon_avx512_x16.c")):
        return
    name = kernel.spec.partition(".")[0]
    found = None if name == "ascon_p" else spec.algorithm(name)
    kind = "aead" if isinstance(found, Aead) else "hash"
    table = f"hanji_ascon_{kind}_{kernel.isa}_x{kernel.blocks}"
    for lane in range(kernel.blocks):
        lanes = Lanes(kernel.blocks, lane)
        parts: Iterable[tuple[str, Build]] = [("p[12]", partial(_permuted, lanes=lanes))]
        if found is not None:
            parts = _parts(kernel, found, lanes)
        for part, build in parts:
            name = f"{LOCKSTEP}: {part}{EACH}{lane}"
            yield EngineTask(kernel, name, build, table, blind=True, counted=False)
