# SPDX-License-Identifier: Apache-2.0
"""What the functions of Ascon's, SCHWAEMM's and ESCH's kernels must do (src/ascon/ascon.h,
src/sparkle/sponge_lanes.h), by the word functions of lab/spec.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from .. import spec
from ..kernels import Kernel
from ..spec.ascon import Aead, Hash
from .contracts import ISAS, NoHarnessError
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
from .graph import Bits, Graph
from .lift import Bytes
from .pcode import RV32
from .values import Lin, scaled
from .words import Word, xor
from .x86 import X86

WIDTH = 64  # of Ascon's words


def _at(symbol: str, place: int | Lin, factor: int, width: int) -> Lin:
    """The address `factor` * place bytes behind a buffer's begin."""
    moved = scaled(place, factor, width)
    if isinstance(moved, int):
        return Lin(moved, {symbol: 1})
    return Lin(moved.c, {symbol: 1, **moved.factors})


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


def _blocks(g: Graph, found: Aead | Hash, verb: str, width: int, in_place: bool) -> Iterator[Case]:
    """absorb(state, in, blocks), or seal and open (state, out, in, blocks)."""
    inputs = Inputs(g)
    rate = found.rate
    state = tuple(x for byte in inputs.bytes_of("state", 40) for x in byte)
    target = "in" if in_place else "out"

    def step(
        before: Bits, tag: str, done: int | Lin, total: int | Lin
    ) -> tuple[Bits, list[Piece]]:
        data = inputs.bytes_of(tag, rate)
        block = words_of(g, tuple(x for byte in data for x in byte), WIDTH)
        words = words_of(g, before, WIDTH)
        out = [a ^ b for a, b in zip(words, block)]
        behind = found.absorb_words(words, out if verb == "open" else block)
        here = _at("in", done, rate, width)
        made = wanted_of(octets(flat_of(out, WIDTH)))
        if verb == "absorb":
            pieces = [Piece(here, "r", cells_of(data))]
        elif in_place:
            pieces = [Piece(here, "rw", cells_of(data), made)]
        else:
            there = _at("out", done, rate, width)
            pieces = [Piece(here, "r", cells_of(data)), Piece(there, "w", (), made, rate)]
        return flat_of(behind, WIDTH), pieces

    def arguments(total: int | Lin) -> list[int | Lin]:
        texts = [Lin(0, {"in": 1})] if verb == "absorb" else [Lin(0, {target: 1}), Lin(0, {"in": 1})]
        return [Lin(0, {"state": 1}), *texts, total]

    def pieces(behind: Bits, total: int | Lin) -> list[Piece]:
        held = cells_of(octets(state))
        return [Piece(Lin(0, {"state": 1}), "rw", held, wanted_of(octets(behind)))]

    yield Case("", state, arguments, pieces, step, rate)


VERBS = {"absorb_blocks": "absorb", "seal_blocks": "seal", "open_blocks": "open"}


def _ascon_blocks(kernel: Kernel, found: Aead | Hash, table: str, entry: int) -> Iterator[EngineTask]:
    verb = VERBS[kernel.operation]
    isa = ISAS[kernel.isa]
    for in_place in (False, True) if verb != "absorb" else (False,):
        name = {False: "apart", True: "in place"}[in_place] if verb != "absorb" else "blocks"
        yield EngineTask(
            kernel,
            name,
            lambda g, p=in_place: _blocks(g, found, verb, isa.width, p),  # type: ignore[misc]
            table,
            entry,
            in_place=in_place,
        )


def engine_tasks(kernel: Kernel) -> Iterator[EngineTask]:
    """Every proof that a kernel of a sponge needs, or none."""
    try:
        found = spec.algorithm(kernel.spec.partition(".")[0])
    except spec.UnknownSpecificationError:
        return
    if kernel.isa not in ISAS:
        return
    if isinstance(found, Aead | Hash) and kernel.operation in VERBS:
        if kernel.source.endswith(".S"):
            yield from _ascon_blocks(kernel, found, "", 0)
        elif kernel.source.endswith("ascon_avx2_x1.c"):
            kind = "aead" if isinstance(found, Aead) else "hash"
            entry = {"absorb": 1, "seal": 2, "open": 3}[VERBS[kernel.operation]]
            yield from _ascon_blocks(kernel, found, f"hanji_ascon_{kind}_avx2_x1", entry)
