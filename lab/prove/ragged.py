# SPDX-License-Identifier: Apache-2.0
"""Kernels on AVX-512 for CTR over messages with keys of their own that lie anywhere and are as long
as they are, one in each lane (`ragged`).

What a call promises (src/lanes/streams.h): where each lane's key, counter block, text and output
are; how long each message is, which is public, with fewer than 2^15 blocks; a `longest` that no
message exceeds and a `shortest` that none falls short of; an output is the lane's text or lies
apart, and what is written has nothing else in common with what is read. So addresses and lengths
are symbols, and nothing but these inequalities is known of lengths.

The induction is over spans of all messages (64 bytes, or 48 where blocks have 6 or 12), of which t
are done.

1. Entry: a call with a longest of zero returns, and writes no output. Any other arrives at the head
   of the loop over spans. What it holds there and one span later suggests an invariant: values that
   stay, and numbers that move on with every span, c + d * t.
2. Span: from any state of the invariant, with any t, the kernel does this span of every message. If
   the longest is more than span * (t + 1) it arrives at that head again, where the invariant holds
   for t + 1; else it returns. This is run with a shortest of span * (t + 1) and more, where every
   message has a whole span left, and with a smaller one; the run parts where the kernel asks
   whether the span is the last one.

All messages are done then, of whatever lengths: of a message with L bytes span t has the bytes
from span * t on to the next span or to L, and all of the spans below the longest are run.

Lanes. Where an instruction loads the length of lane k, the run parts: into one for each number of
bytes, from none to a span, that this span has of message k, one for more, and one for messages that
end a byte or more ahead of the span. In each the text and the output of the lane have so many bytes
and the length is what it is then; before, with a small shortest, they have none, so that who has
not asked for the length of a lane may not touch it. The runs go on apart until all have stored what
they store for this lane, and what it must be is compared there, in each. Then they go on as one:
what they hold alike stays, all else may not be read any more, and neither may the lane in this
span. So the number of runs is that of lanes times lengths, and every combination of lengths is
among them. Where that place lies needs no trust: a run that does not come there goes on by itself.
A lane that is seen and is not done at the end of a span is an error.

Some lanes are seen in one proof; of the keys, counter blocks and texts of the others nothing is
known (`Blind` in graph.py), while their bounds are checked all the same. A byte of a text may not
be read once its output is written: so it makes no difference whether the output is the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ..kernels import Kernel
from .cuts import MESSAGES
from .fleets import (
    LANES,
    LANES_MAX,
    VECTOR_MAX,
    WORK,
    Argument,
    FleetCall,
    FleetTask,
    Places,
    Plan,
    Plans,
    at_once,
)
from .graph import Graph
from .induct import same_cell
from .lengths import Lengths
from .lift import Bytes, round_key_count
from .messages import (
    HELD,
    MANY,
    SPAN,
    WEAKENED_MOST,
    MessageCall,
    MessageMachine,
    MessageTask,
    Shape,
    Template,
    _made,
    cipher_of,
    message,
)
from .pcode import Cell, OpenError, Region
from .values import Cond, Lin, RefusedError, Unreadable
from .x86 import FRAME_MOST, X86Image

RAGGED, ROUND_KEYS = "ragged", "round_keys"  # the buffers of a call
SHORTEST, LONGEST = "shortest", "longest"  # symbols, and fields of the call behind those of lanes
END = "end"  # the symbol of what the longest message has behind the begin of a span
FIELDS = ("keys", "nonces", "in", "out", "bytes")
ENTRY = 8  # bytes of a field
RAGGED_BYTES = ENTRY * (len(FIELDS) * LANES_MAX + 2)
OVER = Unreadable("a text is read behind its output")
APART = Unreadable("what differs with the length of another lane is read")
BEFORE = -1  # stands for messages that end a byte or more ahead of a span
WROTE_MOST = 4000  # instructions from a length to the last store of its lane


def of(what: str, k: int) -> str:
    """The symbol of a lane's address or length."""
    return f"{what} {k}"


class RaggedMachine(MessageMachine):
    """A run in which lanes ask for their lengths: `asked` gives the bytes that a lane has in this
    span, where the run has parted, and `behind` the lanes that are done and closed.
    """

    stated = (*HELD, ROUND_KEYS)
    texts_of: Mapping[str, str] = {}  # output of a message -> its text
    places: Mapping[str, tuple[str, int]] = {}  # symbol of an address -> text and lane
    asked: Mapping[int, int] = {}
    behind: frozenset[int] = frozenset()

    def _scouted(self, address: Lin, size: int) -> tuple[str, int]:
        for i in range(size):
            self.write("scouted", i, self.anything(), 1)
        return "scouted", 0

    def _in_message(self, address: Lin) -> Lin:
        """The byte of a message that an address in a text is, in the span of the run."""
        factors = address.factors
        if len(factors) == 2 and factors.get(SPAN) == self.span:
            for name, (text, k) in self.places.items():
                if factors.get(name) == 1:
                    return Lin(address.c, {message(text, k): 1})
        return address

    def stored(self, op: Any, cells: Sequence[Cell]) -> None:
        """Besides: a text whose output is written may not be read."""
        before = len(self.stores)
        super().stored(op, cells)
        for name, at, size in self.stores[before:]:
            text = self.texts_of.get(name)
            if text is not None:
                self.spaces[text] |= {at + i: (OVER, 0, 1) for i in range(size)}

    def asks(self, pc: int) -> int | None:
        """The lane whose length the next instruction loads."""
        one = self.image.instruction(pc)  # type: ignore[attr-defined]
        if self.scouts or one.name in ("lea", "nop") or one.name.startswith("prefetch"):
            return None
        begin = ENTRY * LANES_MAX * FIELDS.index("bytes")
        for op in one.ops:
            if op.memory and not op.segment:
                address = self.address(op)
                if not isinstance(address, Lin) or address.t != ((RAGGED, 1),):
                    continue
                k, rest = divmod(address.c - begin, ENTRY)
                if 0 <= k < self.messages and rest == 0 and k not in self.asked:
                    return k
        return None

    def ends_here(self, pc: int) -> bool:
        """Whether the next instruction asks whether this is the last span."""
        one = self.image.instruction(pc)  # type: ignore[attr-defined]
        least, most = self.bounds.get(END, (0, 0))
        if not least <= self.span < most or not one.name.startswith(("j", "cmov", "set")):
            return False
        flags = [held for held in (self.flags, self.carry) if held is not None]
        return any(
            isinstance(x, Lin) and END in x.factors
            for held in flags
            for x in (held.a, held.b, held.result)
        )

    def with_length(self, k: int, size: int, most: int) -> RaggedMachine:
        """The run for messages k of which this span has so many bytes: a number above a span stands
        for all that go on behind it, `BEFORE` for all that end a byte or more ahead.
        """
        m = self.copied()
        assert isinstance(m, RaggedMachine)
        length = Lin(size, {SPAN: self.span})
        if size == BEFORE:
            length, size = Lin(0, {SPAN: self.span, of("gone", k): -1}), 0
            m.bounds[of("gone", k)] = (1, most)
            m.bounds[str(length)] = (0, most)
        elif size > self.span:
            length = Lin(size, {SPAN: self.span, of("more", k): 1})
            m.bounds[of("more", k)] = (0, most)
        m.put_field("bytes", k, length)
        m.asked = {**self.asked, k: size}
        for text in ("in", "out"):
            m.open(message(text, k), min(size, self.span))
        return m

    def put_field(self, name: str, k: int, value: int | Lin) -> None:
        """What the call says of a lane."""
        self.write(RAGGED, ENTRY * (LANES_MAX * FIELDS.index(name) + k), value, ENTRY)

    def put_ends(self, shortest: int | Lin, longest: int | Lin) -> None:
        """What the call says of all lanes."""
        at = ENTRY * LANES_MAX * len(FIELDS)
        self.write(RAGGED, at, shortest, ENTRY)
        self.write(RAGGED, at + ENTRY, longest, ENTRY)

    def open(self, name: str, size: int) -> None:
        """Let a text have so many bytes in this span."""
        self.regions[name] = replace(self.regions[name], high=size)


@dataclass
class RaggedShape(Shape):
    """What CTR of messages that lie anywhere works on."""

    least = 0

    @property
    def scope(self) -> str:
        return "fewer than 2^15 blocks each, 0 and more spans"

    @property
    def calls(self) -> tuple[tuple[int, ...], ...]:  # type: ignore[override]
        """Lengths of all lanes in calls that may show an error: whole spans, and others."""
        span, size = self.span, self.cipher.block_size
        some = (span + 1, 0, 1, size + 1, span, 2 * span, span - 1, size)
        each = [some[k % len(some)] for k in range(self.messages)]
        return (2 * span,) * self.messages, tuple(each), tuple(reversed(each))


@dataclass(frozen=True)
class RaggedTask(MessageTask):
    """One proof: some lanes, whose outputs are their texts or lie apart."""

    shape: RaggedShape = field(kw_only=True)


Ended = list[tuple[RaggedMachine, "int | None"]]  # runs, and where they stand: None has returned


class RaggedCall(MessageCall):
    """The induction over the spans of one kernel."""

    task: RaggedTask

    def _induction(self) -> str:
        shape = self.shape = self.task.shape
        self.messages = shape.lifted(self.g)
        self.contents = self._own()
        start = self.image.symbols[self.task.kernel.symbol]
        m = self._begun(0)
        for k in range(shape.messages):
            m.put_field("bytes", k, 0)
        m.put_ends(0, 0)
        self._forward(m, start, None)
        self.check_return(m)
        self._ran(m)
        spans, head = self._suggested(start)
        rough = self._unknown(spans)
        with suppress(OpenError, RefusedError):  # what does not hold, by runs that take less time
            self._kept(rough, head, False)
            spans.drop(rough.free)
        self._kept(spans, head, True)
        return shape.scope

    def _own(self) -> dict[str, Places]:
        """The keys and counter blocks, each a buffer of its own."""
        found: dict[str, Places] = {}
        cipher, count = self.shape.cipher, self.shape.messages
        for name, size in (("keys", cipher.key_size), ("nonces", cipher.block_size)):
            every = self.messages.contents(name, size)
            for k in range(count):
                found[of(name, k)] = {i: every[k * size + i] for i in range(size)}
        return found

    # Runs

    def _begun(self, longest: int | Lin) -> RaggedMachine:
        """A call before its first instruction."""
        shape = self.shape
        count, most = shape.messages, shape.most
        regions = {
            RAGGED: Region(0, RAGGED_BYTES, "r", ENTRY),
            ROUND_KEYS: Region(0, VECTOR_MAX * round_key_count(shape.cipher), "rw", VECTOR_MAX),
            "stack": Region(-FRAME_MOST - 8, 0, "rw", 16),
        }
        for name, data in self.contents.items():
            regions[name] = Region(0, len(data), "r", 1)
        for k in range(count):
            regions[message("in", k)] = Region(0, 0, "r", 1)
            regions[message("out", k)] = Region(0, 0, "w", 1)
        assert isinstance(self.image, X86Image)
        m = RaggedMachine(self.g, self.image, regions)
        m.tag = "at entry"
        m.messages, m.span, m.numbers = count, shape.span, self.messages.numbers
        m.places = {of(text, k): (text, k) for text in ("in", "out") for k in range(count)}
        m.texts = tuple(m.places)
        m.texts_of = {message("out", k): message("in", k) for k in range(count)}
        m.alignment = {name: region.align for name, region in regions.items()}
        for name in (RAGGED, ROUND_KEYS, *self.contents, *m.texts):
            m.bounds[name] = (1, (1 << 64) - 1 - max(most, RAGGED_BYTES, VECTOR_MAX * 128))
        m.bounds[SPAN] = (0, (1 << shape.number_width) - 1)
        m.bounds[SHORTEST], m.bounds[LONGEST] = (0, most), (1, most)
        for k in range(count):
            m.bounds[of("bytes", k)] = (0, most)
            for name in FIELDS:
                m.put_field(name, k, Lin(0, {of(name, k): 1}))
        m.put_ends(Lin(0, {SHORTEST: 1}), longest)
        self._called(m, [Lin(0, {name: 1}) for name in (ROUND_KEYS, RAGGED)])
        return m

    def _suggested(self, start: int) -> tuple[Template, int]:
        """What holds at the head of the loop over spans, and the head: suggested by a run of which
        nothing is known, with long messages.
        """
        scout = self._begun(Lin(0, {LONGEST: 1}))
        scout.scouts = True
        for name in (SHORTEST, LONGEST, *(of("bytes", k) for k in range(scout.messages))):
            scout.bounds[name] = (MANY * self.shape.span, self.shape.most)
        for name, data in self.contents.items():
            for at, byte in zip(data, self.messages.anything(len(data)), strict=True):
                scout.write(name, at, byte, 1)
        head = self._looped(scout.copied(), start, LONGEST)
        self._forward(scout, start, head)
        before = {space: dict(scout.spaces.get(space, {})) for space in scout.stated}
        self._forward(scout, head, head)
        first = self._begun(Lin(0, {LONGEST: 1}))
        self._forward(first, start, head)
        self._ran(first)
        spans = Template(self, first)
        spans.suggest(before, scout)
        return spans, head

    def _unknown(self, spans: Template) -> Template:
        """The same invariant, of which no data is known."""
        m = spans.m.copied()
        assert isinstance(m, RaggedMachine)
        for space in m.stated:
            for at, (value, _, _) in list(m.spaces.get(space, {}).items()):
                if not isinstance(value, int | Lin | Cond | Unreadable):
                    m.spaces[space][at] = (m.anything(), 0, 1)
        rough = Template(self, m)
        rough.free = set(spans.free)
        return rough

    def _kept(self, spans: Template, head: int, known: bool) -> None:
        """The invariant holds from span to span; what does not hold is taken off it. If not `known`
        the runs show no more than that.
        """
        for _ in range(WEAKENED_MOST):
            wrong: set[tuple[str, int]] = set()
            for whole in (True, False):
                wrong |= self._span(spans, head, whole, known)
                if wrong:
                    break
            if not wrong:
                return
            spans.drop(wrong)
        raise OpenError("no invariant holds from span to span")

    def _span(self, spans: Template, head: int, whole: bool, known: bool) -> set[tuple[str, int]]:
        """A span from any state of the invariant, with a whole span left of all messages or not;
        what does not hold for the next one.
        """
        shape = self.shape
        m = spans.state("in a span")
        assert isinstance(m, RaggedMachine)
        longest = Lin(0, {SPAN: shape.span, END: 1})
        m.bounds[END] = (shape.span if whole else 1, shape.most)
        shortest = Lin(shape.span, {SPAN: shape.span, "beyond": 1 if whole else -1})
        m.bounds["beyond"] = (0 if whole else 1, shape.most)
        if not whole:
            m.bounds[str(shortest)] = (0, shape.most)
        places: dict[str, int | Lin] = {SHORTEST: shortest, LONGEST: longest}
        m.taken_for(places)
        m.put_ends(shortest, longest)
        for k in range(shape.messages):
            text = self.messages.text.get(k) if known else None
            for i, byte in enumerate(text or self.messages.anything(m.span)):
                m.write(message("in", k), i, byte, 1)
            for name in ("in", "out"):
                m.open(message(name, k), m.span if whole else 0)
        self.whole, self.known = whole, known
        wrong: set[tuple[str, int]] = set()
        for state, at in self._lanes_run(m, head, head):
            least, most = state.bounds[END]
            if known:
                self._all_done(state)
                self._ran(state)
            if at is None:
                if most > shape.span:
                    raise OpenError("the kernel returns although something is left")
                self.check_return(state)
            elif least <= shape.span:
                raise OpenError("the kernel goes on although nothing is left")
            else:
                wrong |= spans.wrong(state, {SPAN: Lin(1, {SPAN: 1})} | places)
        return wrong

    def _sizes(self) -> Sequence[int]:
        """The bytes of a message that a span may have, one more for all others, and `BEFORE`."""
        span = self.shape.span
        return range(span if self.whole else BEFORE, span + 2)

    def _lanes_run(self, m: RaggedMachine, pc: int, stop: int, join: int | None = None) -> Ended:
        """Run to the head of the loop, to the return, or to where runs go on as one."""
        ends: Ended = []
        while True:
            k = m.asks(pc)
            if m.ends_here(pc):
                least, most = m.bounds[END]
                for bounds in ((least, m.span), (m.span + 1, most)):
                    part = m.copied()
                    assert isinstance(part, RaggedMachine)
                    part.bounds[END] = bounds
                    ends += self._lanes_run(part, pc, stop, join)
                return ends
            if k is not None:
                others, going = self._parted_by(m, pc, k, stop)
                ends += others
                if going is None:
                    return ends
                m, pc = going
            else:
                pc = self._next(m, pc)
                if pc < 0:
                    return [*ends, (m, None)]
            if pc in (stop, join):
                return [*ends, (m, pc)]

    def _next(self, m: RaggedMachine, pc: int) -> int:
        """One instruction; the address of the next, or a negative number for the return."""
        following = m.step(pc)
        if isinstance(following, Lin) and following == Lin(0, {"return": 1}):
            return -1
        if not isinstance(following, int):
            raise RefusedError(f"the jump at {pc:#x} depends on data or goes elsewhere")
        return following

    def _parted_by(
        self, m: RaggedMachine, pc: int, k: int, stop: int
    ) -> tuple[Ended, tuple[RaggedMachine, int] | None]:
        """Runs for all lengths of a lane: those that have ended, and the one that all others go on
        as, with its place.
        """
        if k in m.behind:
            raise OpenError(f"at {pc:#x} the length of lane {k} is loaded again")
        join = self._meeting(m, pc, k, stop)
        ends: Ended = []
        there: list[RaggedMachine] = []
        for size in self._sizes():
            part = m.with_length(k, size, self.shape.most)
            for state, at in self._lanes_run(part, pc, stop, join):
                if at != join or at is None:
                    ends.append((state, at))
                    continue
                self._share_done(state, k)
                there.append(state)
        if not there:
            return ends, None
        assert join is not None
        return ends, (self._one(m, there, k), join)

    def _meeting(self, m: RaggedMachine, pc: int, k: int, stop: int) -> int | None:
        """Where the runs of a lane may go on as one: behind the stores of a run that has a whole
        span, and where one that has nothing comes. This needs no trust.
        """
        most, stops = self.shape.most, (-1, stop)
        full = m.with_length(k, self.shape.span, most)
        at, wrote = pc, full.spaces.setdefault(message("out", k), {})
        for _ in range(WROTE_MOST):
            at = self._next(full, at)
            if at in stops or full.ends_here(at):
                return None
            if len(wrote) == self.shape.span:
                break
        join, behind = at, {at}
        while full.asks(at) is None and not full.ends_here(at) and len(behind) < WROTE_MOST:
            at = self._next(full, at)
            if at in stops:
                break
            behind.add(at)
        if self.whole:
            return join
        none, at = m.with_length(k, 0, most), pc
        for _ in range(WROTE_MOST):
            at = self._next(none, at)
            if at in behind:
                return at
            if at in stops or none.asks(at) is not None or none.ends_here(at):
                break
        return join

    def _one(self, m: RaggedMachine, states: Sequence[RaggedMachine], k: int) -> RaggedMachine:
        """One run for those of all lengths of a lane, which is closed then; `m` is the run before
        they parted.
        """
        one = states[0].copied()
        assert isinstance(one, RaggedMachine)
        texts = [message(text, k) for text in ("in", "out")]
        for state in states:
            if state.asked.keys() != {*m.asked, k} or state.behind != m.behind:
                raise OpenError(f"at {state.pc:#x} lengths of several lanes are asked for at once")
            if state.register("sp") != one.register("sp") or state.frame_of != one.frame_of:
                raise OpenError(f"at {state.pc:#x} lengths have different stack pointers")
            for name in {*state.regions, *one.regions} - {*texts}:
                if state.regions.get(name) != one.regions.get(name):
                    raise OpenError(f"at {state.pc:#x} lengths have different frames")
        for space in set().union(*(state.spaces for state in states)) - {RAGGED, *texts}:
            cells = one.spaces.setdefault(space, {})
            for state in states[1:]:
                other = state.spaces.get(space, {})
                if cells == other:
                    continue
                for at in cells.keys() | other.keys():
                    mine, its = cells.get(at), other.get(at)
                    if mine is its:
                        continue
                    if mine is None or its is None or not same_cell(mine, its):
                        cells[at] = (APART, 0, 1)
        one.spaces[RAGGED] = dict(m.spaces[RAGGED])
        for name in texts:
            one.spaces[name] = {}
            one.open(name, 0)
        one.asked, one.behind = m.asked, m.behind | {k}
        if len(states) > 1:
            one.bounds = dict(m.bounds)
        one.flags = one.carry = None
        one.stores = []
        one.executed = set().union(*(state.executed for state in states))
        one.count = max(state.count for state in states)
        return one

    # What must hold

    def _share_done(self, m: RaggedMachine, k: int) -> None:
        """What this span has of a lane whose length is known is done."""
        if k in self.shape.seen and self.known:
            self._lane_done(m, k, min(m.asked[k], m.span), True)

    def _all_done(self, m: RaggedMachine) -> None:
        """All lanes that are seen are done at the end of a span."""
        for k in self.shape.seen:
            if k in m.asked:
                self._share_done(m, k)
            elif k not in m.behind:
                if not self.whole:
                    raise OpenError(f"the length of lane {k} is not asked for")
                self._lane_done(m, k, m.span, True)

    # Calls with numbers

    def _entered(self, plan: Plan) -> Lengths:
        """A call with numbers: the addresses and lengths are put where the call has them."""
        m = super()._entered(plan)
        ends = [size for name, size in plan.sizes.items() if name.startswith("in ")]
        lengths = [int(size) for size in ends]
        shape = self.task.shape

        def put(i: int, value: int | Lin) -> None:
            m.write(RAGGED, ENTRY * i, value, ENTRY)

        for k, length in enumerate(lengths):
            for i, name in enumerate(FIELDS[:-1]):
                here = of(name, k)
                if here not in plan.sizes:  # in place
                    here = of("in", k)
                put(i * LANES_MAX + k, Lin(0, {here: 1}))
            put(FIELDS.index("bytes") * LANES_MAX + k, length)
        assert len(lengths) == shape.messages
        put(len(FIELDS) * LANES_MAX, min(lengths))
        put(len(FIELDS) * LANES_MAX + 1, max(lengths))
        return m


def calls_of(shape: RaggedShape, calls: Sequence[Sequence[int]], g: Graph) -> Plans:
    """Calls with messages of some lengths, every other one in place; lanes that are not seen have
    zeros, and nothing is wanted of them.
    """
    cipher = shape.cipher
    for number, lengths in enumerate(calls):
        contents: dict[str, Bytes | Places] = {RAGGED: []}
        sizes: dict[str, int | str] = {
            RAGGED: RAGGED_BYTES,
            ROUND_KEYS: VECTOR_MAX * round_key_count(cipher),
        }
        access = {RAGGED: "r", ROUND_KEYS: "rw"}
        wanted: dict[str, Places] = {}
        for k, length in enumerate(lengths):
            in_place = (k + number) % 2 == 0
            own = {"keys": cipher.key_size, "nonces": cipher.block_size, "in": length}
            parts: dict[str, Bytes] = {}
            for name, size in own.items():
                parts[name] = (
                    [g.word(f"{name} {k} {number} {i}", 8) for i in range(size)]
                    if k in shape.seen
                    else [(0,) * 8] * size
                )
                contents[of(name, k)] = parts[name]
                sizes[of(name, k)] = size
                access[of(name, k)] = "rw" if in_place and name == "in" else "r"
            target = of("in" if in_place else "out", k)
            sizes[target], access[target] = length, access.get(target, "w")
            if k in shape.seen:
                wanted[target] = dict(enumerate(_made(g, shape, parts)))
        yield Plan(
            contents,
            sizes,
            access,
            [ROUND_KEYS, RAGGED],
            (0, 0),
            next(iter(wanted)),
            lambda _: wanted,  # noqa: B023
            free=(ROUND_KEYS, *(name for name in sizes if _is_text(name) and name not in wanted)),
            scope="some lengths",
            align=VECTOR_MAX,
        )


def _is_text(name: str) -> bool:
    return name.startswith(("in ", "out "))


HEADERS: dict[str, tuple[dict[str, Argument], str, tuple[str, ...]]] = {
    "ragged": (
        {
            "round_keys": (ROUND_KEYS, "64 for each round key", "w"),
            "r": (RAGGED, "addresses and lengths of the messages", "r"),
        },
        "outputs may be the inputs",
        (ROUND_KEYS,),
    )
}


def ragged_tasks(kernel: Kernel) -> Iterator[RaggedTask]:
    """The proofs of a kernel of this operation; none where it is no such kernel."""
    cipher = cipher_of(kernel, HEADERS)
    if cipher is None:
        return
    most = at_once(cipher, 2 * WORK)
    for first in range(0, kernel.blocks, most):
        seen = range(first, min(first + most, kernel.blocks))
        shape = RaggedShape(cipher, kernel.blocks, seen, False)
        yield RaggedTask(
            kernel,
            f"{MESSAGES}{LANES}{first} to {seen[-1]}",
            partial(calls_of, shape, shape.calls),
            shared=False,
            blind=True,
            shape=shape,
        )


def call_of(task: FleetTask) -> Callable[..., FleetCall]:
    """What proves a task of this module, of messages.py, or of fleets.py."""
    if isinstance(task, RaggedTask):
        return RaggedCall
    return MessageCall if isinstance(task, MessageTask) else FleetCall
