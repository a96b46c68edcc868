# SPDX-License-Identifier: Apache-2.0
"""Engines of sponges: functions that take a state through whole blocks of texts, or through one
step, for all states, keys and texts.

A call is one run where all lengths are numbers. For any number of units (of blocks, in each lane)
it is an induction over them. Let the kernel stand at the head of its loop, `done` units behind it
and `left` behind the next one. A form says what the machine holds there: addresses and counts as
c + a * done + b * left + symbols of the call; bytes that stay; bytes that are functions of the
state, of which the specification says how a unit changes it; any bytes.

1. Entry: a call with 1 + m units, m >= 0 unknown, arrives at the head in the form, with done = 0,
   left = m and the state of the call. Where the code asks for the second unit, m >= 1, and one
   unit is a call of its own.
2. Step: from any state of the form with left >= 1, over a unit of its own, the kernel arrives at
   the head again, in the form for done + 1, left - 1 and the state that the specification makes of
   this one; what comes out is what the specification says. Where the body asks whether one unit
   follows, or two, left = 1, 2 ... are steps of their own.
3. End: from any state of the form with left = 0 the kernel does the unit, and what is behind it,
   and returns as a function must.

No unit is a call of its own. Two arrivals suggest the form, which 1 and 2 check. The
state in 2 and 3 is a word of inputs of its own, and so is the unit; nothing else in the form hangs
on them. Every byte of a unit lies at its own address, c + factors * symbols, and the other units
cannot be accessed.

Many lanes: each has a proof of its own. All of its bytes are inputs, and those of the other lanes
unknown (`Blind`), so that what comes out of it hangs on none of them. Lengths, addresses and masks
of lanes are public numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice

from ..kernels import Kernel
from . import nothing
from .avr import ARGUMENTS as AVR_ARGUMENTS
from .contracts import align_of
from .graph import STRANGE, Bits, Blind, Graph
from .induct import (
    SPLIT_MOST,
    STACKS,
    WEAKENED_MOST,
    Call,
    Counterexample,
    Evidence,
    MismatchError,
    Say,
    _byte,
    minimised,
    same_cell,
)
from .pcode import FILE_PLACE, ISA, Cell, Image, Machine, OpenError, Region
from .thumb import ARGUMENTS as THUMB_ARGUMENTS
from .thumb import THUMB
from .values import Lin, RefusedError, UndecidedError, Value, combined, made, parts, scaled
from .words import Word, bits_of
from .x86 import ARGUMENTS, FRAME_MOST, VECTORS, X86, X86Image

Bytes = list[Bits]
ORDER = {"X86": ARGUMENTS, "A64": tuple(f"x{i}" for i in range(8))}
ORDER["AVR"] = AVR_ARGUMENTS
ORDER |= {isa.name: THUMB_ARGUMENTS for isa in THUMB.values()}
NOW = " now"
COUNTS = frozenset(("more", "left", "done"))
MANY = 64  # units that are left where a form is looked for
CONE_MOST = 400  # nodes of a byte that is a function of the state
LONGEST = 15  # bytes of an instruction
SWEPT_MOST = 1 << 16  # bytes of a function in which heads of loops are looked for


@dataclass
class Piece:
    """Bytes from an address on, by the name of a space: what they hold, who may access them, and
    what they must hold at the end. What a buffer without contents holds is never read.
    """

    name: str
    address: Lin
    access: str
    held: Sequence[Cell] = ()
    wanted: Mapping[int, Bits] = field(default_factory=dict)
    size: int = 0
    align: int = 0  # of its address without the number; that of the kernel's buffers where it is 0

    @property
    def length(self) -> int:
        """In bytes."""
        return self.size or len(self.held)


@dataclass
class Case:
    """A call. `total` is its number of units; a call without units in its contract has no step.

    `pieces` are those of the whole call, with what they must hold at the end for the state behind
    all units, unless that is None. `step` is what a unit does: from the state in front of it, its
    name, its number and `total` to the state behind it and to its pieces. A call begins with the
    state `initial`, where it is not any state.
    """

    name: str
    state: Bits
    arguments: Callable[[int | Lin], Sequence[Value]]
    pieces: Callable[[Bits | None, int | Lin], list[Piece]]
    step: Callable[[Bits, str, int | Lin, int | Lin], tuple[Bits, list[Piece]]] | None = None
    unit: int = 1  # bytes of a unit, at least
    narrow: Sequence[int] = ()  # arguments whose upper half may be anything
    bounds: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # of symbols of its own
    entry: int = 0  # of the task's table
    initial: Bits | None = None
    otherwise: Case | None = None  # the same calls, whose units are parted in another way

    @property
    def begins(self) -> Bits:
        """The state of a call at its entry."""
        return self.state if self.initial is None else self.initial


@dataclass(frozen=True)
class EngineTask:
    """One proof. The functions are entries of a table of the library, or a symbol."""

    kernel: Kernel
    name: str
    build: Callable[[Graph], Iterable[Case]]
    table: str = ""
    symbol: str = ""
    blind: bool = False
    in_place: bool = False
    shared: bool = False
    counted: bool = True
    values: dict[str, int] = field(default_factory=dict)

    def address(self, image: Image, entry: int) -> int:
        """Where a function is."""
        symbol = self.table or self.symbol
        if symbol not in image.symbols:
            raise RefusedError(f"the file has no {symbol}")
        if not self.table:
            return image.symbols[symbol]
        if not isinstance(image, X86Image):
            raise OpenError(f"{symbol} is read on x86-64 alone")
        place = image.symbols[symbol] + 8 * entry
        for base, data in image.tables:
            if base <= place and place + 8 <= base + len(data):
                return int.from_bytes(data[place - base : place - base + 8], "little")
        raise RefusedError(f"{symbol} has no entry {entry}")


Key = tuple[str, int]
Linear = tuple[int, tuple[tuple[str, int], ...], int, int, int, int]


@dataclass
class Form:
    """What the machine holds at the head: (c, symbols, a, b, byte, size) for addresses and counts,
    bytes that stay, bits as functions of the state of the call, and places of any bytes.
    """

    head: int
    linear: dict[Key, Linear] = field(default_factory=dict)
    keep: dict[Key, Cell] = field(default_factory=dict)
    carried: dict[Key, Bits] = field(default_factory=dict)
    anything: set[Key] = field(default_factory=set)
    regions: dict[str, Region] = field(default_factory=dict)


class Names:
    """Bits of a state, by the names of those of another one."""

    def __init__(self, g: Graph, state: Bits, names: Bits) -> None:
        self.g = g
        pairs = [(x, y) for x, y in zip(state, names, strict=True) if x > 1]
        self.names = {x >> 1: y ^ (x & 1) for x, y in pairs}
        self.alike = {g.value(x ^ i): (x ^ i, y ^ i) for x, y in pairs for i in (0, 1)}

    def name(self, x: int) -> int | None:
        """The name of a bit that is proved to be one of the state, or constant."""
        if x < 2:
            return x
        if x >> 1 in self.names:
            return self.names[x >> 1] ^ (x & 1)
        held = self.alike.get(self.g.value(x))
        return held[1] if held and self.g.same(x, held[0]) else None


class EngineCall(Call):
    """Runs a task. `counts` are symbols in addresses that are none of a buffer."""

    counts: frozenset[str] = COUNTS

    def __init__(self, g: Graph, image: Image, task: EngineTask) -> None:
        self.g, self.image = g, image
        self.task: EngineTask = task  # type: ignore[assignment]
        self.isa: ISA = image.isa
        self.evidence = Evidence()
        names = self.isa.kept(task.kernel.source)
        self.saved = {name: self._saved_word(name) for name in names}
        stack = task.kernel.stack
        self.stack = FRAME_MOST if stack is None else stack
        self.stack += 8 if self.isa is X86 else 0
        self.fresh: dict[int, Bits] = {}
        self.fresh_now: dict[int, Bits] = {}
        self.dropped: dict[Key, Bits] = {}
        self.nows: dict[int, int] = {}
        self.now: dict[int, int] = {}  # input of the state of the call -> that of the state now
        self.start, self.least = 0, 0
        self.heads: tuple[int, ...] = ()
        self.seen: set[int] = set()  # where a run has jumped back to

    # Machines

    def _started(self, regions: Mapping[str, Region]) -> Machine:
        return self.image.machine(self.g, regions)

    def _new(self, pieces: Iterable[Piece], fresh: dict[int, Bits], tag: str) -> Machine:
        m = self._started({"stack": Region(-self.stack, 0, "rw", self.isa.called)})
        m.fresh, m.tag = fresh, tag
        m.alignment = {"stack": self.isa.called, "return": 4}
        whole = 1 << self.isa.width
        for piece in pieces:
            places = m.pieces.setdefault(piece.address.t, {})
            for i in range(piece.length):
                if piece.address.c + i in places:
                    raise ValueError(f"{piece.name} and {places[piece.address.c + i][0]} overlap")
                places[piece.address.c + i] = (piece.name, i, piece.access)
            m.spaces[piece.name] = dict(enumerate(piece.held))
            m.bounds[str(piece.address)] = (1, whole - 1)  # no byte of an object is at address 0
            for symbol, _ in piece.address.t:
                if symbol not in self.counts:
                    m.alignment[symbol] = piece.align or align_of(self.task.kernel)
                    m.bounds[symbol] = (1, whole - 1 - piece.length)
        return m

    def entered(self, case: Case, total: int | Lin, pieces: Iterable[Piece]) -> Machine:
        """A call in front of its first instruction."""
        m = self._new(pieces, self.fresh, "at entry")
        for name, word in self.saved.items():
            m.set_register(name, word)
        self.called(m)
        m.bounds |= case.bounds
        order = ORDER.get(self.isa.name) or tuple(f"a{i}" for i in range(8))
        for i, value in enumerate(case.arguments(total)):
            name = order[i]
            if i in case.narrow:
                name = self._lower(name)
            m.argument(name, value)
        return m

    def _most(self, case: Case) -> int:
        return ((1 << (self.isa.width - 1)) - 1) // max(case.unit, 1)

    # What must hold

    def check(self, m: Machine, pieces: Iterable[Piece], say: Say) -> None:
        """Pieces hold what they must."""
        for piece in pieces:
            for i, wanted in sorted(piece.wanted.items()):
                self.check_bytes(m, piece.name, i, [wanted], say)

    # Fixed numbers of units

    def counted(self, case: Case, total: int | Lin) -> None:
        """A call with so many units, from its entry to its return."""
        state, pieces = case.begins, []
        for i in range(total if case.step and isinstance(total, int) else 0):
            assert case.step
            state, more = case.step(state, f"unit {i}", i, total)
            pieces += more
        pieces = case.pieces(state, total) + pieces
        m = self.entered(case, total, pieces)
        before = {name: dict(cells) for name, cells in m.spaces.items()}
        passed: set[int] = set()

        def until(pc: int) -> bool:
            if pc in passed and not m.pc < pc <= m.pc + LONGEST:
                self.seen.add(pc)
            passed.add(pc)
            return False

        m = self._to_end(case, m, self.start, state, until)

        def say(what: str, model: Mapping[int, int]) -> Exception:
            units = total if isinstance(total, int) else 0
            return MismatchError(what, self._counter(units, m, pieces, before, model))

        self.check(m, pieces, say)
        self._ended(case, m, state, total)
        self._ran(m)

    # How a case ends: with the return

    def _to_end(
        self, case: Case, m: Machine, pc: int, behind: Bits, until: Callable[[int], bool]
    ) -> Machine:
        """Run to the end of a case, with the state behind all units; the machine there."""
        if m.run(pc, until) is not None:
            raise OpenError("the kernel does not return")
        return m

    def _ended(self, case: Case, m: Machine, behind: Bits, total: int | Lin) -> None:
        """The machine is at the end as it must be, with the state behind all units."""
        self.check_return(m)

    def _counter(
        self,
        total: int,
        m: Machine,
        pieces: Sequence[Piece],
        before: Mapping[str, Mapping[int, Cell]],
        model: Mapping[int, int],
    ) -> Counterexample:
        places = [
            (one.name, i, wanted) for one in pieces for i, wanted in sorted(one.wanted.items())
        ]
        found = [(name, m.bits(m.read(name, at, 1), 8), wanted) for name, at, wanted in places]
        pairs = [
            (x, y)
            for _, got, wanted in found
            for x, y in zip(got, wanted, strict=True)
            if x < STRANGE and y < STRANGE
        ]
        model = minimised(self.g, model, pairs)

        def shown(data: Iterable[Bits]) -> str:
            flat = [x if x < STRANGE else 0 for byte in data for x in byte]
            values = self.g.evaluate(model, flat, 1)
            return bytes(
                sum(values[at + i] << i for i in range(8)) for at in range(0, len(values), 8)
            ).hex()

        names = dict.fromkeys(one.name for one in pieces)
        contents = {
            name: shown(
                bits
                for _, cell in sorted(before.get(name, {}).items())
                if not isinstance(cell[0], Lin) and (bits := _byte(m, cell)) is not None
            )
            for name in names
        }
        return Counterexample(
            total,
            contents,
            {name: shown(want for n, _, want in found if n == name) for name in names},
            {name: shown(got for n, got, _ in found if n == name) for name in names},
        )

    # Any number of units

    def inducted(self, case: Case) -> None:
        """A call with two units or more, by induction."""
        problem: Exception = OpenError("the kernel has no loop that the prover understands")
        for form in self._forms(case):
            try:
                self._proved(case, form)
                return
            except (OpenError, RefusedError) as found:
                problem = found
        raise problem

    def _forms(self, case: Case) -> Iterator[Form]:
        """What two arrivals at a head suggest."""
        assert case.step
        total = Lin(1, {"more": 1})
        behind, unit = case.step(case.begins, "unit 0", 0, total)
        m = self.entered(case, total, [*case.pieces(None, total), *unit])
        m.bounds["more"] = (MANY, self._most(case) - 1)
        first: dict[int, dict[str, dict[int, Cell]]] = {}
        tried: set[int] = set()
        found: list[tuple[bool, Form]] = []

        def until(pc: int) -> bool:
            if pc in self.heads and pc not in first:
                first[pc] = {name: dict(cells) for name, cells in m.spaces.items()}
            elif pc in self.heads and pc not in tried:
                tried.add(pc)
                form = self._form(case, pc, first[pc], m, behind, unit)
                if form is not None:
                    counts = any(b and (a or b) for _, _, a, b, _, _ in form.linear.values())
                    found.append((not counts, form))
            return False

        with suppress(OpenError, RefusedError):  # at the unit behind this one
            m.run(self.start, until)
        self._ran(m)
        yield from (form for _, form in sorted(found, key=lambda one: one[0]))

    def _form(
        self,
        case: Case,
        pc: int,
        first: Mapping[str, dict[int, Cell]],
        m: Machine,
        behind: Bits,
        unit: Sequence[Piece],
    ) -> Form | None:
        width = self.isa.width
        form = Form(pc, regions={name: m.regions[name] for name in STACKS if name in m.regions})
        places = {x >> 1: y ^ (x & 1) for x, y in zip(case.state, behind, strict=True) if x > 1}
        named = Names(self.g, behind, case.state) if case.initial is not None else None
        own = {one.name for one in unit}
        moving = False
        for space, cells in m.spaces.items():
            if space == "unique" or space in own:
                continue
            before = first.get(space, {})
            for at, new in cells.items():
                key, old = (space, at), before.get(at)
                if old is None:
                    if not isinstance(new[0], int | Lin):
                        form.anything.add(key)
                    continue
                number = isinstance(old[0], int) and isinstance(new[0], int)
                vector = self.isa is X86 and space == "register" and at >= VECTORS
                counted = number and old[0] != new[0] and 8 * old[2] == width and not vector
                if isinstance(old[0], Lin) or isinstance(new[0], Lin) or counted:
                    line = _line(old, new, width)
                    if line is not None:
                        form.linear[key] = line
                        moving |= old[0] != new[0] and not _of_file(old[0])
                    elif not any(isinstance(x, Lin) and not _of_file(x) for x in (old[0], new[0])):
                        form.anything.add(key)  # an address of code where other things were
                    continue
                if same_cell(old, new):
                    form.keep[key] = old
                    continue
                p, q = _byte(m, old), _byte(m, new)
                if p is None or q is None:
                    continue
                if p == q:
                    form.keep[key] = (p, 0, 1)
                elif named:
                    bits = [named.name(x) for x in q]
                    if None in bits:
                        form.anything.add(key)
                    else:
                        form.carried[key] = tuple(x for x in bits if x is not None)
                elif (carried := self._carried(p, q, places)) is not None:
                    form.carried[key] = carried
                else:
                    form.anything.add(key)
        return form if moving else None

    def _carried(self, p: Bits, q: Bits, places: Mapping[int, int]) -> Bits | None:
        """The bits of a byte that is the same function of the state twice."""
        if any(x >= STRANGE for x in (*p, *q)):
            return None
        _, whole = self.g.cone({x >> 1 for x in p}, CONE_MOST)
        if not whole or not self._equal(self.g.substituted(p, places), q):
            return None
        return p

    def _equal(self, p: Sequence[int], q: Sequence[int]) -> bool:
        """Whether bits are proved to be the same; those of which nothing is known never are."""
        if any(x >= STRANGE for x in (*p, *q)):
            return False
        g = self.g
        return all(g.value(x) == g.value(y) and g.same(x, y) for x, y in zip(p, q, strict=True))

    def _put(
        self, form: Form, m: Machine, state: Mapping[int, int], done: Value, left: int | None
    ) -> None:
        """The machine at the head, in the form."""
        m.regions.update(form.regions)
        for name in form.regions:
            m.alignment[name] = form.regions[name].align
        for (space, at), line in form.linear.items():
            m.spaces.setdefault(space, {})[at] = (self._linear(line, done, left), *line[4:])
        for (space, at), cell in form.keep.items():
            m.spaces.setdefault(space, {})[at] = cell
        for (space, at), bits in self._functions(form, state).items():
            m.spaces.setdefault(space, {})[at] = (bits, 0, 1)
        for key in form.anything:
            if key not in self.dropped:
                blind = isinstance(self.g, Blind)
                self.dropped[key] = (
                    tuple(self.g.unknown() for _ in range(8))
                    if blind
                    else self.g.word(f"{key[0]} {key[1]:#x} at the head", 8)
                )
            m.spaces.setdefault(key[0], {})[key[1]] = (self.dropped[key], 0, 1)
        values: dict[tuple[Value, int], Value] = {}  # parts of one value are one object
        for cells in m.spaces.values():
            for at, (value, i, size) in cells.items():
                if isinstance(value, Lin):
                    cells[at] = (values.setdefault((value, size), value), i, size)

    def _functions(self, form: Form, state: Mapping[int, int]) -> dict[Key, Bits]:
        flat = self.g.substituted([x for bits in form.carried.values() for x in bits], state)
        return {key: tuple(flat[8 * i : 8 * i + 8]) for i, key in enumerate(form.carried)}

    def _linear(self, line: Linear, done: Value, left: int | None, gone: int = 0) -> int | Lin:
        """A value so many units later."""
        c, symbols, a, b, _, _ = line
        assert isinstance(done, int | Lin)
        total = combined(
            made(c + a * gone, dict(symbols), self.isa.width),
            scaled(done, a, self.isa.width),
            1,
            self.isa.width,
        )
        rest: int | Lin = Lin(-gone, {"left": 1}) if left is None else left - gone
        return combined(total, scaled(rest, b, self.isa.width), 1, self.isa.width)

    def _wrong(
        self,
        form: Form,
        m: Machine,
        state: Mapping[int, int],
        done: Value,
        left: int | None,
        gone: int,
    ) -> list[Key]:
        """The places that do not hold what the form says."""
        wrong: list[Key] = []
        for key, line in form.linear.items():
            cell = m.spaces.get(key[0], {}).get(key[1])
            if cell is None or not same_cell(
                cell, (self._linear(line, done, left, gone), *line[4:])
            ):
                wrong.append(key)
        for key, kept in form.keep.items():
            cell = m.spaces.get(key[0], {}).get(key[1])
            if cell is None:
                wrong.append(key)
            elif not same_cell(cell, kept):
                held = None if isinstance(cell[0], Lin) else _byte(m, cell)
                if held is None or held != _byte(m, kept):
                    wrong.append(key)
        for key, bits in self._functions(form, state).items():
            cell = m.spaces.get(key[0], {}).get(key[1])
            held = None if cell is None or isinstance(cell[0], Lin) else _byte(m, cell)
            if held is None or not self._equal(held, bits):
                wrong.append(key)
        for key in form.anything:
            cell = m.spaces.get(key[0], {}).get(key[1])
            if cell is None or (isinstance(cell[0], Lin)):
                wrong.append(key)
        return wrong

    def _proved(self, case: Case, form: Form) -> None:
        """Entry, step and end; what the suggestion has too much is taken off it."""
        now: list[int] = []
        for i, x in enumerate(case.state):
            now.append(x if x < 2 else self._now(i))
        self.now = {x >> 1: y ^ (x & 1) for x, y in zip(case.state, now, strict=True) if x > 1}
        for _ in range(WEAKENED_MOST):
            wrong = self._entry(case, form) or self._steps(case, form, tuple(now))
            if not wrong:
                break
            for key in wrong:
                line = form.linear.get(key)
                had = (
                    key in form.keep
                    or key in form.carried
                    or (line and not line[1] and not line[3])
                )
                for part in (form.linear, form.keep, form.carried):
                    part.pop(key, None)
                form.anything.discard(key)
                if had:
                    form.anything.add(key)
        else:
            raise OpenError("no invariant of the loop holds from unit to unit")
        self._end(case, form, tuple(now))

    def _now(self, i: int) -> int:
        """A bit of the state at the head."""
        if i not in self.nows:
            self.nows[i] = self.g.word(f"state{NOW} {i}", 1)[0]
        return self.nows[i]

    def _entry(self, case: Case, form: Form) -> list[Key]:
        """Where the code asks whether there is one unit, one is a call of its own."""
        if self.least == 0:
            try:
                return self._entered_with(case, form, 0)
            except UndecidedError:
                self.least = 1
        return self._entered_with(case, form, 1)

    def _entered_with(self, case: Case, form: Form, least: int) -> list[Key]:
        assert case.step
        total = Lin(1, {"more": 1})
        _, unit = case.step(case.begins, "unit 0", 0, total)
        m = self.entered(case, total, [*case.pieces(None, total), *unit])
        m.bounds["more"] = (least, self._most(case) - 1)
        if m.run(self.start, lambda pc: pc == form.head) is None:
            raise OpenError("a call with two units or more does not arrive at its loop")
        if {name: m.regions[name] for name in STACKS if name in m.regions} != form.regions:
            raise OpenError("the stack is another one at the head of the loop")
        for at in list(m.spaces):  # m is called `left` behind the entry
            for k, (value, i, size) in m.spaces[at].items():
                if isinstance(value, Lin) and "more" in value.factors:
                    factors = value.factors
                    factors["left"] = factors.pop("more")
                    m.spaces[at][k] = (Lin(value.c, factors), i, size)
        pairs = zip(case.state, case.begins, strict=True)
        same = {x >> 1: y ^ (x & 1) for x, y in pairs if x > 1}
        self._ran(m)
        own = [name for name, _, _ in m.stores if name not in STACKS]
        unit_spaces = {one.name for one in unit}
        if unit_spaces & set(own):
            raise OpenError("the kernel writes a unit in front of its loop")
        return self._wrong(form, m, same, 0, None, 0)

    def _at_head(
        self, case: Case, form: Form, now: Bits, left: int | None, least: int
    ) -> tuple[Machine, Bits, list[Piece], list[Piece]]:
        assert case.step
        rest: int | Lin = Lin(0, {"left": 1}) if left is None else left
        done = Lin(0, {"done": 1})
        total = combined(combined(rest, done, 1, self.isa.width), 1, 1, self.isa.width)
        behind, unit = case.step(now, f"unit{NOW}", done, total)
        whole = case.pieces(behind, total)
        m = self._new([*whole, *unit], self.fresh_now, "at the head")
        for piece in whole:  # they hold what the form says
            m.spaces[piece.name] = {}
        self._put(form, m, self.now, done, left)
        m.bounds |= case.bounds
        m.bounds["left"] = (least, self._most(case) - 1)
        m.bounds["done"] = (0, self._most(case) - 1)
        return m, behind, unit, whole

    def _steps(self, case: Case, form: Form, now: Bits) -> list[Key]:
        least = 1
        while True:
            try:
                wrong = self._step(case, form, now, None, least)
                break
            except UndecidedError:
                if least > SPLIT_MOST:
                    raise
                least += 1
        for left in range(least - 1, 0, -1):
            wrong += self._step(case, form, now, left, 0)
        return wrong

    def _step(self, case: Case, form: Form, now: Bits, left: int | None, least: int) -> list[Key]:
        m, behind, unit, _ = self._at_head(case, form, now, left, least)
        following = m.step(form.head)
        if not isinstance(following, int):
            raise OpenError("the head of the loop is a jump that the prover does not follow")
        moving = max(
            ((key, line) for key, line in form.linear.items() if line[2] != line[3]),
            key=lambda one: (  # a count, else an address, else what moves by a unit or by one
                *(bool(one[1][3]), bool(one[1][1])),
                abs(one[1][2] - one[1][3]) in (1, case.unit),
            ),
            default=None,
        )
        if moving is None:
            raise OpenError("nothing tells one unit from the next")
        done = Lin(0, {"done": 1})

        def arrived(pc: int) -> bool:
            if pc != form.head:
                return False
            cell = m.spaces[moving[0][0]].get(moving[0][1])
            want = self._linear(moving[1], done, left, 0)
            after = combined(
                want, made(moving[1][2] - moving[1][3], {}, self.isa.width), 1, self.isa.width
            )
            return cell is not None and same_cell(cell, (after, *moving[1][4:]))

        if m.run(following, arrived) is None:
            raise OpenError("the loop ends although units are left")
        state = {x >> 1: y ^ (x & 1) for x, y in zip(case.state, behind, strict=True) if x > 1}
        wrong = self._wrong(form, m, state, done, left, 1)
        if not wrong:
            self.check(m, unit, self._say)
            self._ran(m)
        return wrong

    def _say(self, what: str, model: Mapping[int, int]) -> Exception:
        return OpenError(f"in the induction {what}")

    def _end(self, case: Case, form: Form, now: Bits) -> None:
        m, behind, unit, whole = self._at_head(case, form, now, 0, 0)
        m.bounds.pop("left")
        m = self._to_end(case, m, form.head, behind, lambda pc: False)
        self.check(m, [*unit, *whole], self._say)
        self._ended(case, m, behind, Lin(1, {"done": 1}))
        self._ran(m)

    # The whole

    def prove(self, seconds: float, units: int | None = None) -> str:
        """All cases, for any number of units or for one number; for which. Where a lane is open, a
        run with zeros for what is unknown may have a counterexample.
        """
        said = set()
        for i, case in enumerate(self.task.build(self.g)):
            try:
                said.add(self._case(case, units))
            except (OpenError, RefusedError) as problem:
                if isinstance(self.g, Blind) and isinstance(problem, OpenError):
                    self._with_zeros(i, seconds)
                raise type(problem)(
                    f"{case.name}: {problem}" if case.name else str(problem)
                ) from None
        return " or ".join(sorted(said - {"one"})) or "one"

    def _with_zeros(self, at: int, seconds: float) -> None:
        """MismatchError where a case goes wrong with zeros in the other lanes."""
        g = Graph(seconds=seconds)
        again = EngineCall(g, self.image, self.task)
        case = next(islice(self.task.build(g), at, None))
        again.start = self.task.address(self.image, case.entry)
        for total in (0, 1, 2) if case.step else (0,):
            try:
                again.counted(case, total)
            except (OpenError, RefusedError):
                continue

    def _begin(self, case: Case) -> None:
        """Where a case begins, and where loops may have their heads."""
        self.start = self.task.address(self.image, case.entry)
        self.heads = tuple(_heads(self.image, self.start))

    def _case(self, case: Case, units: int | None) -> str:
        try:
            return self._parted(case, units)
        except (OpenError, RefusedError):
            if case.otherwise is None:
                raise
            return self._parted(case.otherwise, units)

    def _parted(self, case: Case, units: int | None) -> str:
        self._begin(case)
        if case.step is None:
            self.counted(case, 0)
            return "one"
        if units is not None:
            self.counted(case, units)
            return str(units)
        self.least = 0
        try:
            try:
                self.inducted(case)
            except (OpenError, RefusedError):  # jumps back to addresses in registers
                self.seen = set()
                self.counted(case, 2)
                if self.seen <= set(self.heads):
                    raise
                self.heads = tuple(self.seen | set(self.heads))
                self.inducted(case)
        except (OpenError, RefusedError) as problem:
            said = "no number of units is right"
            try:
                self.counted(case, 1)
                said = "one unit is right"
                self.counted(case, 2)
            except OpenError:
                raise OpenError(f"{said}; for more: {problem}") from problem
            raise OpenError(f"one and two units are right; for more: {problem}") from problem
        if self.least:
            self.counted(case, 1)
        return self._none(case)

    def _none(self, case: Case) -> str:
        """What a call without units does, as part of a verdict."""
        try:
            self.counted(case, 0)
            return nothing.LEAVES
        except (OpenError, RefusedError, MismatchError):
            return nothing.beyond(lambda there: self._both(case, there), self.start)

    def _both(
        self, case: Case, there: int
    ) -> tuple[Machine, Machine, Callable[[Machine, bool], bool]]:
        """Calls with no units and with many, of which so many are there."""
        assert case.step
        calls, firsts = [], []
        for total in (0, Lin(1, {"more": 1})):
            state, pieces = case.begins, list[Piece]()
            for i in range(there):
                state, more = case.step(state, f"unit {i}", i, total)
                pieces += more
                if i == 0:
                    firsts.append((state, more))
            m = self.entered(case, total, case.pieces(None, total) + pieces)
            m.bounds["more"] = (MANY, self._most(case) - 1)
            calls.append(m)
        state, units = firsts[0]

        def say(what: str, model: Mapping[int, int]) -> Exception:
            return RefusedError(f"a call without units: {what}")

        def done(m: Machine, returned: bool) -> bool:
            written = {(name, at + i) for name, at, size in m.stores for i in range(size)}
            if not {(one.name, i) for one in units for i in one.wanted} <= written:
                return False
            self.check(m, units, say)
            if returned:
                self.check(m, case.pieces(state, 1), say)
                self.check_return(m)
            self._ran(m)
            return True

        return calls[0], calls[1], done


def _of_file(value: Value) -> bool:
    return isinstance(value, Lin) and value.t == FILE_PLACE


def _line(old: Cell, new: Cell, width: int) -> Linear | None:
    """A value at done = 0, left = more, and at done = 1, left = more - 1, as one expression."""
    p, q = old[0], new[0]
    if old[1:] != new[1:] or not isinstance(p, int | Lin) or not isinstance(q, int | Lin):
        return None
    (c, t), (d, u) = parts(p), parts(q)
    b = t.pop("more", 0)
    if u.pop("more", 0) != b or t != u:
        return None
    step = combined(made(d, {}, width), made(c, {}, width), -1, width)
    assert isinstance(step, int)
    a = step + b
    a = a - (1 << width) if a >> (width - 1) else a
    return c, tuple(sorted(t.items())), a, b, old[1], old[2]


def _heads(image: Image, start: int) -> Iterator[int]:
    """Where the jumps of a function go, and of those that it calls."""
    found: set[int] = set()
    waiting, known = [start], {start}
    while waiting:
        calls = _swept(image, waiting.pop(), found)
        waiting += sorted(calls - known)
        known |= calls
    return iter(sorted(found))


def _swept(image: Image, start: int, found: set[int]) -> set[int]:
    """Targets of the jumps between a symbol and the next, added to `found`; and those of calls."""
    later = sorted(at for at in image.symbols.values() if at > start)
    end = min([*later[:1], start + SWEPT_MOST])
    symbols = set(image.symbols.values())
    calls: set[int] = set()
    pc = start
    while pc < end:
        try:
            if isinstance(image, X86Image):
                one = image.instruction(pc)
                if (one.name[0] == "j" or one.name == "call") and one.ops[0].number is not None:
                    (calls if one.ops[0].number in symbols else found).add(one.ops[0].number)
                pc = one.following
                continue
            for name, inputs, _, _ in image.operations(pc):
                if name in ("BRANCH", "CBRANCH", "CALL") and inputs[0][0] == "ram":
                    found.add(inputs[0][1])
                    if inputs[0][1] in symbols:
                        calls.add(inputs[0][1])
        except (OpenError, RefusedError):
            if isinstance(image, X86Image):
                break
        pc += image.length(pc)
    return calls - {0}


def cells_of(data: Iterable[Bits]) -> list[Cell]:
    """Bytes of data as cells."""
    return [(byte, 0, 1) for byte in data]


def words_of(g: Graph, bits: Bits, width: int) -> list[Word]:
    """A state as words."""
    return [Word(g, bits[i : i + width]) for i in range(0, len(bits), width)]


def flat_of(words: Iterable[object], width: int) -> Bits:
    """Words as one row of bits."""
    return tuple(x for word in words for x in bits_of(word, width))


def octets(bits: Bits) -> Bytes:
    """A row of bits as bytes."""
    return [bits[i : i + 8] for i in range(0, len(bits), 8)]


def wanted_of(data: Iterable[Bits]) -> dict[int, Bits]:
    """What bytes must hold."""
    return dict(enumerate(data))
