# SPDX-License-Identifier: Apache-2.0
"""One call of a kernel against its specification: for a fixed number of groups, and by induction
for any number.

The induction. Let n be the groups that are left where the kernel stands at the head of its loop.

1. Entry: a call with 1 + m groups, m >= 1 unknown, arrives at the head with n = 1 + m, having stored
   nothing into the buffers of groups. What the machine holds there and one group later suggests an
   invariant: values that stay, pointers that move on by a group, counts of groups that are left,
   functions of the counter, and indexes: numbers to which each group adds the same. All else may
   be anything.
2. Step: from any state of the invariant with n >= 2, over a group of its own, the kernel arrives at
   the head again, has done that group, and the invariant holds for n - 1 and the next group. Where
   the body asks whether another group follows, n = 2, 3 ... are steps of their own, and behind
   them less of the invariant may hold: the next step has no more than that.
3. End: from any such state with n = 1, it does the last group and returns as a function must.

No and one group are calls of their own. The suggestion needs no trust: 1 to 3 are checked on it. In
2 and 3 the group lies at a symbol of its own, so that a pointer that did not move on points
outside; its bytes are unknown, and nothing in the invariant hangs on them. With d groups done, a
symbol, a buffer begins d groups before this group, and m = d + n - 1: so are what stays and indexes
written, and a buffer with an index d groups on is this group, whatever d is. The lowest word of the
first counter, where a kernel keeps it, is that of this group less the blocks of d groups, modulo
2^width: so it may add those of the call to it at the end. Where 1 to 3 fail, a call with two groups
says whether the kernel is at fault. Of a group that takes more than a gigabyte some blocks are
proved at a time, and the others are unknown bits in 1 to 3: what is wanted hangs on none of these,
and the invariant holds none. A loop may do a group in parts: the head is looked at once in a group
then. CTR whose loop over groups has a loop over at most so many of them in it has an induction of
its own: laps.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import gcd
from typing import Any

from . import nothing
from .contracts import NARROW, NoHarnessError, Task, align_of
from .graph import CONES, RUNS, STRANGE, Bits, Blind, Graph
from .lift import Bytes, Lifted, big_endian
from .pcode import A64, Cell, Image, Machine, OpenError, Order, Region
from .values import Ahead, Lin, RefusedError, UndecidedError, Value, combined, made, signed
from .x86 import ARGUMENTS, FRAME_MOST, X86

WEAKENED_MOST = 12
LONGEST = 15  # bytes of an instruction
MANY = 64  # groups that are left where an invariant is looked for
PARTS_MOST = 4  # of a group that a loop does one by one
SPLIT_MOST = 4  # numbers of groups left that the step treats one by one
CARRIED_MOST = 6000  # nodes of a byte that the loop carries as a function of the counter
ONE = "of the group"  # runs over one group share its bytes, so that they share nodes
STACKS = ("stack", "frame")
A64_ARGUMENTS = tuple(f"x{i}" for i in range(8))
PLACES = tuple(f"a{i}" for i in range(8))  # of arguments of RV32, Thumb and AVR
DONE = "done"  # groups before this one
NOW = " now"  # added to a buffer's name: its group at the head of the loop
Place = tuple[str, int]  # of a byte: the space, and where


class MismatchError(Exception):
    """An output differs from the specification for the inputs in `model`."""

    def __init__(self, what: str, case: Counterexample) -> None:
        super().__init__(what)
        self.case = case


@dataclass(frozen=True)
class Counterexample:
    """Contents of all buffers for which a call goes wrong, what comes out and what should."""

    groups: int
    contents: dict[str, str]  # buffer -> hexadecimal bytes before the call
    wanted: dict[str, str]
    found: dict[str, str]


@dataclass
class Evidence:
    """What a proof ran over."""

    groups: list[str] = field(default_factory=list)
    executed: set[int] = field(default_factory=set)
    instructions: int = 0
    lowest: int = 0  # byte of the stack, from where its pointer is at the entry
    notes: list[str] = field(default_factory=list)


BROUGHT = re.compile(r"a[0-7]")  # what brought.py calls the arguments on every machine


def registers_of(task: Task) -> Iterator[tuple[str, dict[str, object]]]:
    """Registers, and what each is at the entry: those of the header, or in the order of a prototype
    in C.
    """
    order = {X86.name: ARGUMENTS, A64.name: A64_ARGUMENTS}.get(task.isa.name, PLACES)
    in_c = task.kernel.source.endswith(".c")  # then the header has the names of parameters
    for i, (register, what) in enumerate(task.arguments.items()):
        if BROUGHT.fullmatch(register):  # of a file without header
            named = task.isa not in (X86, A64)
        else:
            named = register in order if task.isa is X86 else not in_c
        if not named and i >= len(order):
            raise NoHarnessError(f"{i + 1} arguments: {task.isa.name} passes the last on the stack")
        yield (register if named else order[i]), what


class Call:
    """Runs one task on a graph."""

    given: Mapping[str, Sequence[Cell]] = {}  # saved registers that have arguments, on AVR
    orders: tuple[Order, ...] = ()  # of all runs, where the buffers lie apart

    def __init__(self, g: Graph, image: Image, task: Task) -> None:
        self.g, self.image, self.task = g, image, task
        self.lifted: Lifted = task.lifted(g)
        self.isa = task.isa
        self.evidence = Evidence()
        names = self.isa.kept(task.kernel.source)
        self.saved = {name: self._saved_word(name) for name in names}
        stack = task.kernel.stack
        # in C the compiler decides; on x86 the return address lies there, too
        any_stack = self.isa in (X86, A64) or task.kernel.source.endswith(".c")
        most = min(FRAME_MOST, 1 << self.isa.width - 6)
        self.stack = most if stack is None and any_stack else stack or 0
        self.stack += 8 if self.isa is X86 else 0
        self.reached: dict[str, Region] = {}  # of the stack, at the head of the loop
        self.fresh: dict[int, Bits] = {}
        self.groups: dict[str, Bytes] = {}  # input bytes by tag
        self.made: dict[str, Bytes] = {}  # output bytes, where there is no counter
        self.streams: dict[tuple[str, Bits], Bytes] = {}  # and where there is one
        self.hanging: dict[str, tuple[int, bytes]] = {}  # by a name: how many nodes, and which
        held = self.lifted.size
        self.most = ((1 << (self.isa.width - 1)) - 1) // max(held, 1)

    def _saved_word(self, name: str) -> Bits:
        return self.g.word(f"saved {name}", 8 * self.image.registers[name][2])

    # The parts of a call

    @property
    def source(self) -> str:
        """The buffer with the input of a group."""
        return self.lifted.source

    @property
    def target(self) -> str:
        """The buffer with its output, which is the other one in place."""
        return self.source if self.task.in_place else self.lifted.target

    @property
    def reads_first(self) -> bool:
        """Whether no run has read a byte of its input behind a store to that place of its output:
        what is proved of it holds in place, too.
        """
        return bool(self.orders) and all(order.reads_first for order in self.orders)

    def _regions(self, groups: int, suffix: str) -> dict[str, Region]:
        align = gcd(align_of(self.task.kernel), self.lifted.size)
        size = groups * self.lifted.size
        shared = self.source == self.target
        found = {self.source + suffix: Region(0, size, "rw" if shared else "r", align)}
        if not shared:
            found[self.target + suffix] = Region(0, size, "w", align)
        for name, data in self.lifted.fixed.items():
            access = "rw" if name == "counter" else "r"
            found[name] = Region(0, len(data), access, align_of(self.task.kernel, name))
        found["stack"] = Region(-self.stack, 0, "rw", self.isa.called)
        return found | (self.reached if suffix else {})

    def _machine(self, groups: int, suffix: str, fresh: dict[int, Bits], tag: str) -> Machine:
        m = self.image.machine(self.g, self._regions(groups, suffix))
        m.fresh, m.tag = fresh, tag
        if self.source != self.target:
            m.order = Order(self.source + suffix, self.target + suffix)
            self.orders = (*self.orders, m.order)
        m.alignment = {name: region.align for name, region in m.regions.items()} | {"return": 4}
        whole = 1 << self.isa.width
        for name, region in m.regions.items():
            if name not in STACKS:  # an object is not at address 0 and does not wrap around
                m.bounds[name] = (1, whole - 1 - region.high)
            elif name == "frame":  # as where the stack pointer was aligned
                m.bounds[name] = (1 - region.low, whole - 1)
        m.bounds["more"] = m.bounds["left"] = (1, self.most - 1)
        m.bounds[DONE] = (0, self.most - 1)
        return m

    def entry(self, groups: int | Lin, there: int | None = None) -> Machine:
        """A call, before its first instruction; with unknown groups only the first ones are there,
        one of them unless `there` says more.
        """
        held = there if there is not None else groups if isinstance(groups, int) else 1
        m = self._machine(held, "", self.fresh, "at entry")
        for name, word in self.saved.items():
            m.set_register(name, word)
        self.called(m)
        for register, what in self.arguments():
            if "value" in what:
                name = str(what["value"])
                value: Value = groups if name == "groups" else self.task.values[name]
                narrow = name in NARROW and self.isa.width == 64
                m.argument(self._lower(register) if narrow else register, value)
                continue
            name = str(what["buffer"])
            if name in self.task.absent:
                m.argument(register, 0)
                continue
            symbol = self.target if name == self.lifted.target else name
            m.argument(register, Lin(0, {symbol: 1}))
        rows = {name: m._cells(self.image.registers[name]) for name in self.saved}
        self.given = {name: row for name, row in rows.items() if isinstance(row[0][0], Lin)}
        for name, data in self.lifted.fixed.items():
            _fill(m, name, data)
        return m

    def called(self, m: Machine) -> None:
        """Put the return address where a call does, and the stack pointer."""
        if self.isa is X86:
            m.write("stack", -8, Lin(0, {"return": 1}), 8)
            m.set_register("sp", Lin(-8, {"stack": 1}))
        else:
            m.called()

    def arguments(self) -> Iterator[tuple[str, dict[str, object]]]:
        """Registers, and what each is at the entry."""
        yield from registers_of(self.task)

    def _lower(self, register: str) -> str:
        """The lower half of a register."""
        if self.isa is not X86:
            return register.replace("x", "w")
        return f"{register}d" if register[1].isdigit() else f"e{register[1:]}"

    def group(self, m: Machine, tag: str, at: int, suffix: str, counter: Bits | None) -> Bytes:
        """Put a new group into memory; the bytes that the kernel must make of it."""
        data = self.data(m, tag, at, suffix)
        if counter is not None:
            key = (tag, counter)
            if key not in self.streams:
                self.streams[key] = self.lifted.compute(data, counter)
            return self.streams[key]
        if tag not in self.made:
            self.made[tag] = self.lifted.compute(data, None)
        return self.made[tag]

    def behind(self, counter: Bits, groups: int) -> Bits:
        """The counter so many groups later."""
        assert self.lifted.advanced is not None
        return self.lifted.advanced(counter, groups) if groups else counter

    def over(
        self, held: Mapping[Place, Bits], counter: Bits, into: Graph | None = None
    ) -> dict[Place, Bits]:
        """Bytes that are functions of the counter of the call, for another counter; of this graph,
        or of the graph `into`.
        """
        iv = self.lifted.counter
        assert iv is not None
        places = {x >> 1: y for x, y in zip(iv, counter, strict=True)}
        flat = self.g.substituted([x for bits in held.values() for x in bits], places, into)
        return {key: tuple(flat[8 * i : 8 * i + 8]) for i, key in enumerate(held)}

    def count(self, c: int, k: int, symbol: str, left: int | None, gone: int = 0) -> int | Lin:
        """A count c + k * `left`, with None of a symbol; and behind some that are gone."""
        if left is None:
            return made(c - k * gone, {symbol: k}, self.isa.width)
        return made(c + k * (left - gone), {}, self.isa.width)

    def data(self, m: Machine, tag: str, at: int, suffix: str) -> Bytes:
        """Put the group called `tag` into memory; its bytes."""
        if tag not in self.groups:
            size = self.lifted.size
            self.groups[tag] = [self._byte_of(tag, i) for i in range(size)]
        for i, byte in enumerate(self.groups[tag]):
            m.write(self.source + suffix, at + i, byte, 1)
        return self.groups[tag]

    def _byte_of(self, tag: str, at: int) -> Bits:
        if at not in self.lifted.others:
            return self.g.word(f"{self.source} {tag} {at}", 8)
        if isinstance(self.g, Blind):
            return tuple(self.g.unknown() for _ in range(8))
        return (0,) * 8

    # What must hold

    def check_bytes(
        self, m: Machine, space: str, at: int, want: Bytes, say: Say, cones: Sequence[int] = CONES
    ) -> None:
        """The bytes at a place of memory are those wanted; of an empty one nothing is."""
        held = m.spaces.get(space, {})
        for i, wanted in enumerate(want):
            if at + i not in held:
                raise RefusedError(f"byte {at + i} of {space} is never written")
            if not wanted:
                continue
            got = m.bits(m.read(space, at + i, 1), 8)
            for bit, (x, y) in enumerate(zip(got, wanted, strict=True)):
                if self.g.same(x, y, cones):
                    continue
                where = f"bit {bit} of byte {at + i} of {space}"
                model = self.g.model or self.g.difference(x, y)
                if model is None:
                    raise OpenError(f"{where} is neither proved nor refuted")
                store = m.writers.get((space, at + i))
                last = "" if store is None else f"; {store:#x} stores it"
                raise say(f"{where} differs from the specification{last}", model)

    def check_return(self, m: Machine) -> None:
        """The registers that a function gives back are as they were."""
        for name, value in self.saved.items():
            if name in self.given:
                cells = m._cells(self.image.registers[name])
                if not all(map(same_cell, cells, self.given[name])):
                    raise RefusedError(f"{name} is not given back as it was")
                continue
            held = m.register(name)
            if isinstance(held, Lin) or m.bits(held, len(value)) != value:
                raise RefusedError(f"{name} is not given back as it was")
        if m.register("sp") != Lin(0, {"stack": 1}):
            raise RefusedError("the stack pointer is not given back as it was")

    def check_counter(self, m: Machine, number: Bits | None, say: Say) -> None:
        """The counter block is advanced."""
        if number is not None:
            self.check_bytes(m, "counter", 0, big_endian(number), say, (*CONES, CARRIED_MOST))

    # Fixed numbers of groups

    def fixed(self, groups: int) -> None:
        """A call with so many groups, from its entry to its return."""
        m = self.entry(groups)
        counter, want = self.lifted.counter, []
        for i in range(groups):
            tag = ONE if groups == 1 else f"of group {i}"
            want.append(self.group(m, tag, i * self.lifted.size, "", counter))
            counter = self.behind(counter, 1) if counter else None
        before = {name: dict(m.spaces.get(name, {})) for name in (self.source, *self.lifted.fixed)}
        m.run(self.image.symbols[self.task.kernel.symbol], lambda pc: False)

        def say(what: str, model: Mapping[int, int]) -> Exception:
            if isinstance(self.g, Blind):  # a run with zeros in the other bytes makes a case of it
                return OpenError(what)
            wanted = {self.target: [byte for one in want for byte in one]}
            if counter is not None:
                wanted["counter"] = big_endian(counter)
            return MismatchError(what, self._counterexample(groups, m, before, wanted, model))

        for i, one in enumerate(want):
            self.check_bytes(m, self.target, i * self.lifted.size, one, say)
        self.check_counter(m, counter, say)
        # the counter may be written: it was compared with what it was
        if groups == 0 and any(name not in (*STACKS, "counter") for name, _, _ in m.stores):
            raise RefusedError("a call without groups writes")
        self.check_return(m)
        self._ran(m)

    def none(self) -> str:
        """What a call without groups does, as part of a verdict; RefusedError for what none may."""
        try:
            self.fixed(0)
            return nothing.LEAVES
        except (OpenError, RefusedError, MismatchError):
            return nothing.beyond(self._beside, self.image.symbols[self.task.kernel.symbol])

    def _beside(self, there: int) -> tuple[Machine, Machine, Callable[[Machine, bool], bool]]:
        """Calls with no groups and with many, of which so many are there."""
        calls = [self.entry(0, there), self.entry(Lin(1, {"more": 1}), there)]
        calls[1].bounds["more"] = (MANY, self.most - 1)
        counter = self.lifted.counter
        want: Bytes = []
        for i in range(there):
            tag = ONE if there == 1 else f"of group {i}"
            for m in calls:
                made = self.group(m, tag, i * self.lifted.size, "", counter)
            want = want or made
            counter = self.behind(counter, 1) if counter else None

        def say(what: str, model: Mapping[int, int]) -> Exception:
            return RefusedError(f"a call without groups: {what}")

        def done(m: Machine, returned: bool) -> bool:
            if not {(self.target, i) for i in range(self.lifted.size)} <= {
                (name, at + i) for name, at, size in m.stores for i in range(size)
            }:
                return False
            self.check_bytes(m, self.target, 0, want, say)
            if returned:
                first = self.lifted.counter
                self.check_counter(m, self.behind(first, 1) if first else None, say)
                self.check_return(m)
            self._ran(m)
            return True

        return calls[0], calls[1], done

    def _ran(self, m: Machine) -> None:
        self.evidence.executed |= m.executed
        self.evidence.instructions += m.count
        self.evidence.lowest = min(self.evidence.lowest, m.lowest)

    def _counterexample(
        self,
        groups: int,
        m: Machine,
        before: Mapping[str, Mapping[int, Cell]],
        wanted: Mapping[str, Bytes],
        model: Mapping[int, int],
    ) -> Counterexample:
        pairs = []
        for name, data in wanted.items():
            for at, byte in enumerate(data):
                if at in m.spaces.get(name, {}):
                    got = m.bits(m.read(name, at, 1), 8)
                    pairs += list(zip(got, byte, strict=True))
        model = minimised(self.g, model, pairs)

        def shown(cells: Sequence[Bits]) -> str:
            flat = [x for byte in cells for x in byte]
            values = self.g.evaluate(model, flat, 1)
            return bytes(
                sum(values[at + i] << i for i in range(8)) for at in range(0, len(values), 8)
            ).hex()

        contents = {
            name: shown([m.bits(cells[at][0], 8) for at in sorted(cells)])
            for name, cells in before.items()
        }
        return Counterexample(
            groups,
            contents,
            {name: shown(data) for name, data in wanted.items()},
            {
                name: shown([m.bits(m.read(name, at, 1), 8) for at in range(len(data))])
                for name, data in wanted.items()
                if all(at in m.spaces.get(name, {}) for at in range(len(data)))
            },
        )

    # Any number of groups

    def loop(self, joins: bool = False) -> Loop:
        """The loop over groups of a call with two or more; its step and end are to prove."""
        return Loop(self, *self._head(joins))

    def _head(self, joins: bool = False) -> tuple[int, Invariant]:
        """The head of the loop over groups, and what holds there. It is entered again by a jump
        back; with `joins` it may be any place to which a jump has led, and be entered otherwise.
        """
        count = Lin(1, {"more": 1})
        start = self.image.symbols[self.task.kernel.symbol]
        m = self.entry(count)
        m.bounds["more"] = (MANY, self.most - 1)  # what this run suggests needs no trust
        self.data(m, ONE, 0, "")
        seen: set[int] = set()
        entered: set[int] = set()  # places to which a jump has led
        failed: set[int] = set()
        parts: dict[int, int] = {}  # of a group, done between two times at a place
        found: list[tuple[int, Invariant]] = []
        before = Arrival(self, count)

        def at_head(pc: int) -> bool:
            back = m.count > 0 and pc <= m.pc
            if joins and m.count > 0 and (back or pc > m.pc + LONGEST):
                entered.add(pc)
            if (back or pc in entered) and pc in seen and pc not in failed:
                first = before.at(pc)
                if first is not None:
                    invariant = self._invariant(first, m)
                    if invariant is not None:
                        found.append((pc, invariant))
                        self.reached = {
                            name: m.regions[name] for name in STACKS if name in m.regions
                        }
                        return True
                    parts[pc] = parts.get(pc, 1) + 1
                    if parts[pc] <= PARTS_MOST and self._part_done(first, m):
                        return False
                failed.add(pc)
            seen.add(pc)
            return False

        if m.run(start, at_head) is None or not found:
            raise OpenError("the kernel has no loop over groups that the prover understands")
        self._ran(m)
        return found[0]

    def _part_done(self, first: Machine, second: Machine) -> bool:
        """Whether a pointer has moved on, but not by a group: a loop over parts of groups comes to
        its head with a group done later.
        """
        size = self.lifted.size
        for space, cells in second.spaces.items():
            for at, (new, *_) in cells.items():
                old = first.spaces.get(space, {}).get(at, (0,))[0]
                if isinstance(old, Lin) and isinstance(new, Lin):
                    moved = combined(new, old, -1, self.isa.width)
                    if (
                        old.factors in ({self.source: 1}, {self.target: 1})
                        and isinstance(moved, int)
                        and 0 < moved < size
                    ):
                        return True
        return False

    def _apart(self, value: Value) -> bool:
        """Whether a value does not hang on the bytes of the group that the step is about: these must
        stand for any bytes beside it. Sums that nothing has read are not looked into, and unknown
        bits may be such bytes.
        """
        if isinstance(value, int | Lin):
            return True
        if not isinstance(value, tuple) or any(x >= STRANGE for x in value):
            return False
        return not self._hangs(value, ONE, self.groups[ONE])

    def _hangs(self, value: Bits, name: str, on: Sequence[Bits], others: bool = False) -> bool:
        """Whether a value hangs on some bits of these words, which have a name; with `others` on an
        input that is not among them.
        """
        size, flags = self.hanging.get(name, (0, b""))
        if size != self.g.size:
            given = {x >> 1 for word in on for x in word if x < STRANGE} - {0}
            flags = self.g.hanging(given, others)
            self.hanging[name] = self.g.size, flags
        return any(flags[x >> 1] for x in value if x < STRANGE)

    def _invariant(self, first: Machine, second: Machine) -> Invariant | None:
        """What is the same at the head twice, and what moves on; None if no count goes down."""
        width, size = self.isa.width, self.lifted.size
        windows = (self.source, self.target)
        if any(name in windows for name, _, _ in first.stores):
            return None
        found = Invariant()
        iv = self.lifted.counter
        after = self.behind(iv, 1) if iv else ()
        low: dict[Place, Bits] = {}  # bytes that hang on bits of the counter which may stay
        changed: dict[Place, tuple[Bits, Bits]] = {}  # and those that changed, with what they are
        for space, cells in second.spaces.items():
            if space == "unique" or space in windows:
                continue
            before = first.spaces.get(space, {})
            for at, new in cells.items():
                old = before.get(at)
                if old is None:
                    continue
                if same_cell(old, new):
                    if iv and (bits := self._of_low_bits(first, old, iv, after)):
                        low[space, at] = bits
                    elif self._apart(new[0]):
                        found.keep[space, at] = new
                    continue
                if isinstance(old[0], int) and isinstance(new[0], int):
                    step = signed(new[0] - old[0], width)
                    if old[1:] == new[1:] and 8 * old[2] == width and step:
                        found.index[space, at] = (old[0], step, old[1], old[2])
                        continue
                if isinstance(old[0], Lin) and isinstance(new[0], Lin) and old[1:] == new[1:]:
                    moved = combined(new[0], old[0], -1, width)
                    factors = old[0].factors
                    if moved == size and len(factors) == 1 and factors.get(windows[0]) == 1:
                        found.moved[space, at] = (old[0].c, windows[0], old[1], old[2])
                    elif moved == size and len(factors) == 1 and factors.get(windows[1]) == 1:
                        found.moved[space, at] = (old[0].c, windows[1], old[1], old[2])
                    elif set(factors) == {"more"} and isinstance(moved, int):
                        k = factors["more"]
                        if signed(moved, width) == -k:
                            found.counts[space, at] = (old[0].c, k, old[1], old[2])
                    continue
                if iv and not isinstance(old[0], Lin) and not isinstance(new[0], Lin):
                    bits = self._of_counter(first, old, iv)
                    now = _byte(second, new) if bits else None
                    if bits and now:
                        changed[space, at] = bits, now
        if not found.counts:
            return None
        if iv:
            pairs = {key: (bits, bits) for key, bits in low.items()} | changed
            alike = self.alike(pairs, iv, after)
            for key, (bits, _) in pairs.items():
                cell = second.spaces[key[0]][key[1]]
                if key in alike:
                    found.carried[key] = bits
                elif key in low and self._apart(cell[0]):
                    found.keep[key] = cell
        return found

    def _of_counter(self, m: Machine, cell: Cell, iv: Bits) -> Bits | None:
        """The bits of a byte that hangs on nothing but the first counter: one that is zero above a
        word of 24 bits, too, beside what changes.
        """
        bits = _byte(m, cell)
        if bits is None or any(x >= STRANGE for x in bits):
            return None
        if self._hangs(bits, "other inputs", [iv], others=True):
            return None
        _, whole = self.g.cone_of({x >> 1 for x in bits}, CARRIED_MOST)
        return bits if whole else None

    def _of_low_bits(self, m: Machine, cell: Cell, iv: Bits, after: Bits) -> Bits | None:
        """The bits of a byte that hangs on those bits of the counter which no group changes."""
        low = next((i for i, (x, y) in enumerate(zip(iv, after, strict=True)) if x != y), 0)
        if not isinstance(cell[0], tuple) or not self._hangs(cell[0], "low bits", [iv[:low]]):
            return None
        return self._of_counter(m, cell, iv)

    def alike(self, pairs: Mapping[Place, tuple[Bits, Bits]], iv: Bits, after: Bits) -> set[Place]:
        """Which bytes are, in the runs of the graph, the same function of the counter of one group
        and of the next: a suggestion, which the step checks.
        """
        asked = {key: pair for key, pair in pairs.items() if max(pair[1]) < STRANGE}
        values = {x >> 1: self.g.value(y) for x, y in zip(iv, after, strict=True)}
        made = self.g.evaluate(values, [x for bits, _ in asked.values() for x in bits], RUNS)
        return {
            key
            for i, (key, (_, now)) in enumerate(asked.items())
            if made[8 * i : 8 * i + 8] == [self.g.value(x) for x in now]
        }


class Arrival:
    """A call with one group and `count` - 1 more, where it first comes to some place: it goes on
    from where it is, unless it has been there already.
    """

    def __init__(self, call: Call, count: Lin) -> None:
        self.call, self.count = call, count
        self.m: Machine | None = None
        self.pc = 0
        self.been: set[int] = set()

    def at(self, pc: int) -> Machine | None:
        """The call there; None unless it arrives for all numbers of groups from two on."""
        if self.m is None or pc in self.been:
            self.m = self.call.entry(self.count)
            self.call.data(self.m, ONE, 0, "")
            self.pc = self.call.image.symbols[self.call.task.kernel.symbol]
            self.been.clear()

        def there(at: int) -> bool:
            if at != pc:
                self.been.add(at)
            return at == pc

        try:
            arrived = self.m.run(self.pc, there)
        except UndecidedError:
            arrived = None
        if arrived is None:
            self.m = None
        self.pc = pc
        return self.m


@dataclass
class Invariant:
    """Bytes of registers and memory at the head of the loop: those that stay; pointers to the group
    (offset, buffer, byte, size); counts c + k * (n - 1) as (c, k, byte, size); indexes c + k * d as
    (c, k, byte, size); bytes that are a function of the counter, written over the counter of the
    call.
    """

    keep: dict[Place, Cell] = field(default_factory=dict)
    moved: dict[Place, tuple[int, str, int, int]] = field(default_factory=dict)
    counts: dict[Place, tuple[int, int, int, int]] = field(default_factory=dict)
    index: dict[Place, tuple[int, int, int, int]] = field(default_factory=dict)
    carried: dict[Place, Bits] = field(default_factory=dict)

    @property
    def parts(self) -> tuple[dict[Place, Any], ...]:
        """All of it."""
        return self.keep, self.moved, self.counts, self.index, self.carried


class Loop:
    """The step and the end of the induction over one loop."""

    def __init__(self, call: Call, head: int, invariant: Invariant) -> None:
        self.call, self.head, self.invariant = call, head, invariant
        self.counters: dict[str, Bits] = {}
        self.equal: dict[tuple[int, int], bool] = {}
        self.lacking: dict[int, set[Place]] = {}  # of the invariant, by groups left
        self.least = 1  # groups behind this one; from so many on one step stands for all

    def state(self, left: int | None, tag: str) -> tuple[Machine, Bits | None, Bytes]:
        """Any state of the invariant with so many groups left behind this one, with None `least` or
        more; its counter, and what the group must become.
        """
        call = self.call
        m = call._machine(1, NOW, {}, tag)
        m.bounds["left"] = (self.least, call.most - 1)
        lacking = self.lacking.get(-1 if left is None else left, set())

        def put(key: Place, cell: Cell) -> None:
            if key not in lacking:
                m.spaces.setdefault(key[0], {})[key[1]] = cell

        counter = None
        if call.lifted.counter is not None:
            counter = self.counter_of(tag)
        values: dict[object, Value] = {}
        for key, cell in self.invariant.keep.items():
            value, i, size = self._kept(cell, left, counter)
            put(key, (values.setdefault(value, value) if value is not cell[0] else value, i, size))
        for key, (c, name, i, size) in self.invariant.moved.items():
            put(key, (values.setdefault((c, name, size), Lin(c, {name + NOW: 1})), i, size))
        for key, (c, k, i, size) in self.invariant.counts.items():
            put(key, (values.setdefault((c, k, size), self._count(c, k, left)), i, size))
        for key, (c, k, i, size) in self.invariant.index.items():
            put(key, (values.setdefault((c, k, size, DONE), self._index(c, k)), i, size))
        # first: what the kernel holds joins its nodes
        want = call.group(m, ONE, 0, NOW, counter)
        if counter is not None:
            for key, bits in self.carried(counter).items():
                put(key, (bits, 0, 1))
        return m, counter, want

    def counter_of(self, tag: str) -> Bits:
        """Any counter. A step that is done again has the same nodes."""
        assert self.call.lifted.counter is not None
        if tag not in self.counters:
            self.counters[tag] = self.call.g.counter(tag, len(self.call.lifted.counter))
        return self.counters[tag]

    def _count(self, c: int, k: int, left: int | None, gone: int = 0) -> int | Lin:
        """A count c + k * (n - 1) where so many groups are left, and behind some more."""
        return self.call.count(c, k, "left", left, gone)

    def _index(self, c: int, k: int) -> int | Lin:
        """An index c + k * d."""
        return made(c, {DONE: k}, self.call.isa.width)

    def _kept(self, cell: Cell, left: int | None, counter: Bits | None) -> Cell:
        """A byte that stays, where buffers and the number of groups are written over this group, d
        and the groups that are left; and the lowest word of the first counter over that of this
        group, from which d groups are taken off.
        """
        value, i, size = cell
        call = self.call
        if counter is not None and self.is_first(value, size):
            by = made(0, {DONE: -call.task.kernel.blocks}, call.isa.width)
            assert isinstance(by, Lin)
            return Ahead(counter[: call.isa.width], by), i, size
        if not isinstance(value, Lin) or 8 * size != call.isa.width:
            return cell
        factors, c = value.factors, value.c
        for name in {call.source, call.target}:
            if f := factors.pop(name, 0):
                factors[name + NOW] = f
                factors[DONE] = factors.get(DONE, 0) - f * call.lifted.size
        if f := factors.pop("more", 0):
            factors[DONE] = factors.get(DONE, 0) + f
            if left is None:
                factors["left"] = f
            c += f * (left or 0)
        return made(c, factors, call.isa.width), i, size

    def is_first(self, value: Value, size: int) -> bool:
        """Whether a value is the lowest word of the first counter, as a number of as many bits as
        the count of groups has.
        """
        iv, width = self.call.lifted.counter, self.call.isa.width
        whole = iv is not None and len(iv) >= width == 8 * size == 32
        return whole and isinstance(value, tuple) and value == iv[:width]  # type: ignore[index]

    def carried(self, counter: Bits) -> dict[Place, Bits]:
        """The bytes that are a function of the counter, for another counter."""
        return self.call.over(self.invariant.carried, counter)

    def _say(self, what: str, model: Mapping[int, int]) -> OpenError:
        return OpenError(f"in the step of the induction {what}")

    def step(self) -> None:
        """From n >= 2 groups left to n - 1. What the suggestion has too much is taken off it, and
        the step is done again. Where a branch asks whether one group follows, or two, these numbers
        are steps of their own.
        """
        for _ in range(WEAKENED_MOST):
            wrong = self._steps()
            if not wrong:
                return
            for key in wrong:
                for part in self.invariant.parts:
                    part.pop(key, None)
        raise OpenError("no invariant of the loop holds from group to group")

    def _steps(self) -> list[Place]:
        """Steps for all numbers of groups; what does not hold behind the one for many. Behind one
        for a single number less may hold: then there is less to begin the next one with.
        """
        while True:
            try:
                wrong = self._step(None)
                break
            except UndecidedError:
                if self.least > SPLIT_MOST:
                    raise
                self.least += 1
        self.lacking.clear()
        if not wrong:
            for left in range(self.least - 1, 0, -1):
                self.lacking[left - 1] = set(self._step(left))
        return wrong

    def _step(self, left: int | None) -> list[Place]:
        call = self.call
        m, counter, want = self.state(left, "in the step")
        first = m.step(self.head)
        if not isinstance(first, int):
            raise OpenError("the head of the loop is a jump that the prover does not follow")
        if m.run(first, lambda pc: pc == self.head and self._arrived(m, left)) is None:
            raise OpenError("the loop ends although groups are left")
        wrong = self._wrong(m, counter, left)
        if not wrong or left is not None:
            call.check_bytes(m, call.target + NOW, 0, want, self._say)
            call._ran(m)
        return wrong

    def _arrived(self, m: Machine, left: int | None) -> bool:
        if not self.invariant.counts:
            raise OpenError("no count of groups goes down from group to group")
        (space, at), (c, k, i, size) = next(iter(self.invariant.counts.items()))
        cell = m.spaces[space].get(at)
        return cell is not None and same_cell(cell, (self._count(c, k, left, 1), i, size))

    def _wrong(self, m: Machine, counter: Bits | None, left: int | None) -> list[Place]:
        """The bytes that do not hold what the invariant says for the next group."""
        call = self.call
        wrong = []

        def must(key: Place, cell: Cell) -> None:
            held = m.spaces.get(key[0], {}).get(key[1])
            if held is None or not same_cell(held, cell):
                wrong.append(key)

        for key, cell in self.invariant.keep.items():
            must(key, self._kept(cell, left, counter))
        for key, (c, k, i, size) in self.invariant.index.items():
            must(key, (self._index(c + k, k), i, size))
        for key, (c, name, i, size) in self.invariant.moved.items():
            must(key, (Lin(c + call.lifted.size, {name + NOW: 1}), i, size))
        for key, (c, k, i, size) in self.invariant.counts.items():
            must(key, (self._count(c, k, left, 1), i, size))
        if counter is not None:
            found: dict[Place, list[tuple[int, int]]] = {}
            for key, after in self.carried(call.behind(counter, 1)).items():
                held = m.spaces.get(key[0], {}).get(key[1])
                bits = _byte(m, held) if held else None
                if bits:
                    found[key] = list(zip(bits, after, strict=True))
                else:
                    wrong.append(key)
            wrong += self.unequal(found)
        return wrong

    def unequal(self, found: Mapping[Place, Iterable[tuple[int, int]]]) -> list[Place]:
        """The bytes of which two bits are not proved equal: functions of the counter, which are
        small and of which all lanes hold copies.
        """
        g = self.call.g
        new = {pair for pairs in found.values() for pair in pairs if pair not in self.equal}
        self.equal |= g.same_in_turn(new, CARRIED_MOST)
        wrong = []
        for key, pairs in found.items():
            for x, y in pairs:
                if not self.equal[x, y]:  # asked once more, alone
                    self.equal[x, y] = g.value(x) == g.value(y) and g.same(x, y, (CARRIED_MOST,))
                if not self.equal[x, y]:
                    wrong.append(key)
                    break
        return wrong

    def ended(self, m: Machine, counter: Bits | None, want: Bytes) -> None:
        """What must hold at the return behind the last group."""
        call = self.call
        call.check_bytes(m, call.target + NOW, 0, want, self._say)
        if counter is not None:
            call.check_counter(m, call.behind(counter, 1), self._say)
        call.check_return(m)
        call._ran(m)


Say = Callable[[str, Mapping[int, int]], Exception]


def _fill(m: Machine, name: str, data: Bytes) -> None:
    for i, byte in enumerate(data):
        m.write(name, i, byte, 1)


def same_cell(a: Cell, b: Cell) -> bool:
    """Whether two bytes are the same part of the same value."""
    if a[1:] != b[1:]:
        return False
    return a[0] is b[0] or (
        isinstance(a[0], int | tuple | Lin | Ahead) and type(a[0]) is type(b[0]) and a[0] == b[0]
    )


def _byte(m: Machine, cell: Cell) -> Bits | None:
    """The bits of a byte that is data."""
    value, i, size = cell
    try:
        return m.bits(value, 8 * size)[8 * i : 8 * i + 8]
    except (OpenError, UndecidedError):
        return None


def minimised(
    g: Graph, model: Mapping[int, int], pairs: Sequence[tuple[int, int]]
) -> dict[int, int]:
    """Fewer inputs that are one, by words and then by bits, while some pair still differs."""
    held = {n: bit for n, bit in model.items() if bit}
    flat = [x for pair in pairs for x in pair]

    def wrong(candidates: Sequence[Mapping[int, int]]) -> list[bool]:
        inputs: dict[int, int] = {}
        for run, candidate in enumerate(candidates):
            for n, bit in candidate.items():
                inputs[n] = inputs.get(n, 0) | bit << run
        values = g.evaluate(inputs, flat, len(candidates))
        differs = 0
        for i in range(0, len(values), 2):
            differs |= values[i] ^ values[i + 1]
        return [bool(differs >> run & 1) for run in range(len(candidates))]

    by_word: dict[str, list[int]] = {}
    for n in held:
        by_word.setdefault(g.names[n][0], []).append(n)
    for groups in (list(by_word.values()), None):
        while held:
            chunks = groups if groups is not None else [[n] for n in held]
            chunks = [chunk for chunk in chunks if any(n in held for n in chunk)]
            answers = wrong([_less(held, chunk) for chunk in chunks]) if chunks else []
            able = [chunk for chunk, still in zip(chunks, answers, strict=True) if still]
            if not able:
                break
            fewer, gone = [], set[int]()
            for chunk in able:
                gone |= set(chunk)
                fewer.append(_less(held, gone))
            held = next(
                one
                for one, still in zip(reversed(fewer), reversed(wrong(fewer)), strict=True)
                if still
            )
    return held


def _less(held: Mapping[int, int], gone: Iterable[int]) -> dict[int, int]:
    taken = set(gone)
    return {n: bit for n, bit in held.items() if n not in taken}
