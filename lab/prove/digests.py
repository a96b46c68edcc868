# SPDX-License-Identifier: Apache-2.0
"""Functions for x86-64 that hash a whole message, from its first byte to the last one of the
output: ESCH's and XOESCH's kernels for one message (src/sparkle/esch_halves.h), in parts that meet
at cuts (cuts.py).

1. The message, for each length of its last block. For any number of blocks in front of it there is
   the induction of engines.py, which begins with the zeros of the first state and ends at the head
   of the first loop where the state is that behind the last block, in front of its permutation.
   The invariant is suggested by the state behind the first block, and checked for zeros, too.
2. A message of one block, or of none: its state has constants, and bits that are the same, which
   say of no bit which one it is. It runs to a cut of 1, and what it does not hold of the form there
   goes.
3. The permutation behind the last block, from any state, up to where the code asks for the length
   of the output.
4. The output, from any state: none; and for each length of its last block any number of blocks in
   front of it, up to the return.

The domain is any byte: that of hash functions and that of extendable output are among them. The
message may be accessed in 1 and 2 alone, and the output in 4 alone: no part sees both, so they may
be the same buffer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import partial

from ..kernels import Kernel
from ..spec.esch import RATE, Esch
from .cuts import (
    ASKS,
    MESSAGES,
    PERMUTES,
    RETURNS,
    WIDTH,
    Cut,
    CutCall,
    CutTask,
    Part,
    Still,
    UnrolledError,
    of_one_message,
)
from .engines import Bytes, Piece, flat_of, octets, words_of
from .graph import Bits, BudgetError, Graph
from .induct import STACKS, MismatchError, _byte
from .pcode import OpenError
from .sponges import Inputs, _at, _buffer, _padded, _words
from .values import Lin, RefusedError, Value, combined, scaled
from .words import Word

HASHES = f"{MESSAGES} and output"
# Of calls that run whole: bytes of the message and of the output.
WHOLE = ((0, 32), (5, 16), (16, 48), (33, 0), (48, 17), (64, 33))


class Digest:
    """What a call for one message is."""

    def __init__(self, g: Graph, found: Esch) -> None:
        self.g, self.found = g, found
        self.inputs = Inputs(g)
        self.domain = self.inputs.bytes_of("domain", 1)[0]
        size = found.permutation.state_size
        self.state: Bits = tuple(x for one in self.inputs.bytes_of("state", size) for x in one)
        self.zeros: Bits = (0,) * len(self.state)
        self.known: dict[tuple[object, ...], Bits] = {}  # what has been made of states

    def arguments(self, said: Mapping[str, int | Lin]) -> list[Value]:
        """Those of hanji_esch_digest_fn: each a symbol where nothing is said of it."""
        names = ("out", "out_bytes", "message", "bytes")
        return [*(said.get(name, Lin(0, {name: 1})) for name in names), self.domain + (0,) * 24]

    def absorbed(self, state: Bits, data: Bytes, last: bool, found: Esch | None = None) -> Bits:
        """The state behind a block."""
        found = found or self.found
        key = (found, state, last, *data)
        if key not in self.known:
            domain = None
            if last:
                kind = found.domain_full if len(data) == RATE else found.domain_short
                domain = Word(self.g, self.domain) ^ kind
            block = _words(self.g, _padded(data, RATE), WIDTH)
            words = words_of(self.g, state, WIDTH)
            made = found.absorb_words(words, block, domain)  # type: ignore[arg-type]
            self.known[key] = flat_of(made, WIDTH)
        return self.known[key]

    def permuted(self, state: Bits, steps: int) -> Bits:
        """The state behind so many steps."""
        key = (state, steps)
        if key not in self.known:
            words = words_of(self.g, state, WIDTH)
            made = self.found.permutation.permute_words(words, steps)
            self.known[key] = flat_of(made, WIDTH)
        return self.known[key]

    def ended(self, state: Bits, size: int, ends: str) -> Bits:
        """The state behind a last block of so many bytes, in front of its permutation or behind."""
        found = self.found
        if ends == PERMUTES:
            still = Still(**asdict(found.permutation))
            found = replace(found, permutation=still)
        return self.absorbed(state, self.inputs.bytes_of("last", RATE)[:size], True, found)

    def block(self, tag: str, at: int | Lin) -> tuple[Bytes, list[Piece]]:
        """A block of the message."""
        data = self.inputs.bytes_of(tag, RATE)
        return data, self.of_message(tag, at, data)

    def of_message(self, name: str, at: int | Lin, data: Bytes) -> list[Piece]:
        """Bytes behind so many blocks of the message."""
        held = _buffer("", "", data).held
        return [Piece(f"message {name}", _at("message", at, RATE, 64), "r", held)] if data else []

    def of_output(self, name: str, at: int | Lin, size: int, state: Bits | None) -> list[Piece]:
        """Bytes behind so many blocks of the output, of a state where it is known."""
        made = dict(enumerate(octets(state)[:size])) if state else {}
        return [Piece(f"out {name}", _at("out", at, RATE, 64), "w", (), made, size)]

    def message(self, size: int, ends: str = PERMUTES) -> Part:
        """A message with so many bytes in its last block, up to the permutation behind it, or to
        where the code asks for the length of the output.
        """

        def step(
            before: Bits, tag: str, done: int | Lin, total: int | Lin
        ) -> tuple[Bits, list[Piece]]:
            data, pieces = self.block(tag, done)
            return self.absorbed(before, data, False), pieces

        def arguments(total: int | Lin) -> list[Value]:
            return self.arguments({"bytes": combined(scaled(total, RATE, 64), size, 1, 64)})

        def pieces(_: Bits | None, total: int | Lin) -> list[Piece]:
            return self.of_message("last", total, self.inputs.bytes_of("last", RATE)[:size])

        return Part(
            f"{size} bytes in the last block", self.state, arguments, pieces, step, RATE, (4,),
            initial=self.zeros, ends=ends, after=partial(self.ended, size=size, ends=ends),
        )  # fmt: skip

    def _part(self, name: str, cut: Cut, ends: str, pieces: Callable[..., list[Piece]]) -> Part:
        return Part(name, self.state, lambda _: [], pieces, cut=cut, ends=ends)

    def behind(self, cut: Cut) -> Part:
        """The permutation behind a last block."""
        part = self._part("permutation", cut, ASKS, lambda *_: [])
        part.after = lambda state: self.permuted(state, self.found.permutation.big)
        return part

    def no_output(self, cut: Cut) -> Part:
        """An output of no byte."""
        part = self._part("no output", cut, RETURNS, lambda *_: [])
        part.said = lambda _: {"out_bytes": 0}
        return part

    def output(self, cut: Cut, size: int) -> Part:
        """An output with so many bytes in its last block."""

        def step(
            before: Bits, tag: str, done: int | Lin, total: int | Lin
        ) -> tuple[Bits, list[Piece]]:
            behind = self.permuted(before, self.found.permutation.slim)
            return behind, self.of_output(tag, done, RATE, before)

        def pieces(behind: Bits | None, total: int | Lin) -> list[Piece]:
            return self.of_output("last", total, size, behind)

        part = self._part(f"{size} bytes in the last block of output", cut, RETURNS, pieces)
        part.step, part.unit = step, RATE
        part.said = lambda total: {"out_bytes": combined(scaled(total, RATE, 64), size, 1, 64)}
        return part

    def whole(self, size: int, out_bytes: int) -> Part:
        """A call with these lengths from its entry to the return."""
        state, at = self.zeros, 0
        pieces: list[Piece] = []
        while size - RATE * at > RATE:
            data, more = self.block(f"block {at}", at)
            state, pieces, at = self.absorbed(state, data, False), pieces + more, at + 1
        data = self.inputs.bytes_of("last", RATE)[: size - RATE * at]
        pieces += self.of_message("last", at, data)
        state = self.absorbed(state, data, True)
        for at in range(-(-out_bytes // RATE)):
            if at:
                state = self.permuted(state, self.found.permutation.slim)
            pieces += self.of_output(str(at), at, min(RATE, out_bytes - RATE * at), state)
        values = self.arguments({"bytes": size, "out_bytes": out_bytes})
        name = f"{size} bytes, {out_bytes} of output"
        return Part(name, (), lambda _: values, lambda *_: pieces, narrow=(4,))


@dataclass(frozen=True)
class DigestTask(CutTask):
    """One proof of all parts of a function."""

    digest: Callable[[Graph], Digest] | None = None


class DigestCall(CutCall):
    """Runs the parts."""

    task: DigestTask
    symbols = frozenset(("out", "out_bytes", "message", "bytes", *STACKS, "return", "canary"))
    lengths = ("bytes", "out_bytes")
    rate = RATE

    def prove(self, seconds: float, units: int | None = None) -> str:
        assert self.task.digest
        try:
            return self._parts(self.task.digest(self.g))
        except (OpenError, RefusedError, MismatchError, BudgetError) as problem:
            self._some_calls(seconds)
            if isinstance(problem, MismatchError):
                raise OpenError(str(problem)) from problem
            raise

    def _parts(self, digest: Digest) -> str:
        self.arrived = {}
        self.from_state = digest.state
        held = (*self.saved.values(), digest.domain)
        self.own = {x >> 1 for data in held for x in data if x > 1}
        try:
            for cut in self._messages(digest, PERMUTES):
                self._part(digest.behind(cut))
            asks = self._cuts()
        except UnrolledError:
            self.arrived = {}
            asks = self._messages(digest, ASKS)
        for cut in asks:
            self._part(digest.no_output(cut))
            for size in range(1, RATE + 1):
                self._part(digest.output(cut, size))
        return "0 and more"

    def _messages(self, digest: Digest, ends: str) -> list[Cut]:
        """All messages; the cuts that they arrive at."""
        parts = [digest.message(size, ends) for size in range(RATE + 1)]
        for part in parts[1:]:
            self._named(part, partial(self._long, part))
        cuts = self._cuts()
        self.arrived = {cut.form.head: [cut] for cut in cuts}
        for part in parts:
            self._named(part, partial(self._short, digest, part, cuts))
        return self._cuts()

    def _long(self, part: Part) -> None:
        """Two blocks and more."""
        self._begin(part)
        self.least = 0
        self.inducted(part)
        if self.least:
            self.counted(part, 1)

    def _short(self, digest: Digest, part: Part, cuts: Sequence[Cut]) -> None:
        """One block, or none: up to a cut where the state is that of the form there."""
        self._begin(part)
        forms = {cut.form.head: cut.form for cut in cuts}
        pairs = zip(self.from_state, part.after(digest.zeros), strict=True)
        known = {x >> 1: y ^ (x & 1) for x, y in pairs}
        whole = {x >> 1 for x in self.from_state}
        m = self.entered(part, 0, part.pieces(None, 0))

        def arrived(pc: int) -> bool:
            if pc not in forms:
                return False
            m.pc, form = pc, forms[pc]
            cut = self._arrival(m, digest.zeros, 0)
            for key, bits in self._functions(form, known).items():
                cell = m.spaces.get(key[0], {}).get(key[1])
                held = None if cell is None or isinstance(cell[0], Lin) else _byte(m, cell)
                if held is not None and self._equal(held, bits):
                    cut.form.carried[key] = form.carried[key]
            if not whole <= {x >> 1 for bits in cut.form.carried.values() for x in bits}:
                return False
            self.arrived[pc].append(cut)
            return True

        if m.run(self.start, arrived) is None:
            raise OpenError("a message of one block does not arrive where longer ones do")
        self._ran(m)

    def _some_calls(self, seconds: float) -> None:
        assert self.task.digest
        for size, out_bytes in WHOLE:
            g = Graph(seconds=seconds)
            again = DigestCall(g, self.image, self.task)
            part = self.task.digest(g).whole(size, out_bytes)
            again._begin(part)
            with suppress(OpenError, RefusedError, BudgetError):
                again.counted(part, 0)


def digest_tasks(kernel: Kernel) -> Iterator[DigestTask]:
    """The proof that a kernel for one message of ESCH needs, or none."""
    found = of_one_message(kernel)
    if isinstance(found, Esch) and kernel.operation == "digest":
        build = partial(Digest, found=found)
        yield DigestTask(
            kernel, HASHES, lambda _: (), "", kernel.symbol, counted=False, digest=build
        )
