# SPDX-License-Identifier: Apache-2.0
"""Where data can go in one function of machine code.

The analysis follows all ways through the function, over registers, flags, masks, vectors and the
function's own stack.

Public at the beginning are the arguments in general registers and on the stack: addresses, lengths,
counts. Data is what a load brings from an address that came in as an argument, and every vector and
mask that the caller left. Public, too, are constants of the object file, what the function itself
put on its stack, and what stands in a table of addresses and lengths, where the function has one.

Refused are: data in an address, in a jump or in the mask of a load or store; an instruction that is
not on the lists of x86.py; a call or a jump whose target is not known or not ours. Where a function
is `strict`, as most compiled kernels are, data in a general register may go on into a vector, to
memory or nowhere: nothing may be computed from them there, and nothing may bring them there but a
load.

Memory of the caller is one place that holds data, and the function's frame is another: arguments do
not point into the frame of the function that they are given to. A store to a place of the frame
that is not known changes all of the frame. A call of a function in the same file is followed with
what is known of its arguments.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from . import x86
from .values import (
    ADDRESSES,
    CONSTANTS,
    DATA,
    GIVEN,
    LEFT,
    MASK,
    NUMBERS_MAX,
    PLAIN,
    PUBLIC,
    SECRETS,
    TABLE,
    Frame,
    Functions,
    Low,
    Number,
    Value,
    added,
    computed,
    cut,
    frame,
    met,
    negated,
    number,
    only_number,
    only_place,
    passed,
    scaled,
    whole,
)
from .x86 import Function, Instruction, Memory, ObjectFile, Operand

APART = 160
CHANGED_BY_CALLS = ("rax", *x86.ARGUMENTS, "r10", "r11")


class Asked(NamedTuple):
    """What the flags say of a register."""

    register: str
    size: int
    equal: int  # the zero flag: that the register is equal to this
    less: int | None  # the carry: that it is less than this number without sign
    compared: bool  # all flags are those of a comparison with `equal`


@dataclass
class State:
    """What is known before an instruction. Bytes of the frame that are not in `stack` hold data."""

    general: dict[str, Value]
    vectors: dict[str, Value]  # and masks
    flags: Value  # all but the carry
    carry: Value
    asked: Asked | None
    # a byte: the value that it is part of, which byte of it, how many there are
    stack: dict[tuple[str, int], tuple[Value, int, int]]
    realigned: tuple[str, int] | None = None  # the base below which another one begins
    incoming: Value = PUBLIC  # the arguments on the stack

    def copy(self) -> State:
        """A second one."""
        return State(
            dict(self.general),
            dict(self.vectors),
            self.flags,
            self.carry,
            self.asked,
            dict(self.stack),
            self.realigned,
            self.incoming,
        )

    def meet(self, other: State) -> bool:
        """Forget what does not hold in the other as well; whether that was anything."""
        changed = False
        for mine, theirs in ((self.general, other.general), (self.vectors, other.vectors)):
            for name, value in mine.items():
                if value != theirs[name] and (both := met(value, theirs[name])) != value:
                    mine[name] = both
                    changed = True
        if self.flags != other.flags and (both := met(self.flags, other.flags)) != self.flags:
            self.flags, changed = both, True
        if self.carry != other.carry and (both := met(self.carry, other.carry)) != self.carry:
            self.carry, changed = both, True
        if self.asked is not None and self.asked != other.asked:
            self.asked, changed = None, True
        for place, part in list(self.stack.items()):
            their = other.stack.get(place)
            if their == part:
                continue
            if their is None:
                del self.stack[place]
                changed = True
                continue
            both = (
                met(part[0], their[0])
                if part[1:] == their[1:]
                else met(_piece(part), _piece(their))
            )
            kept = (both, *part[1:]) if part[1:] == their[1:] else (both, 0, 1)
            if both in SECRETS:
                del self.stack[place]
                changed = True
            elif kept != part:
                self.stack[place] = kept
                changed = True
        if self.incoming != other.incoming and self.incoming == PUBLIC:
            self.incoming, changed = other.incoming, True
        if self.realigned != other.realigned and self.realigned is None:
            self.realigned, changed = other.realigned, True
        return changed


Key = tuple[Value, ...]


def _key(state: State) -> Key:
    """What tells the turns of a loop apart: the registers that hold one number, or one place."""
    return tuple(
        value
        for value in state.general.values()
        if (isinstance(value, Number) and len(value.values) == 1)
        or (isinstance(value, Frame) and value.offsets is not None and len(value.offsets) == 1)
    )


def _all_of(states: list[State]) -> State:
    """What holds in all of them."""
    first = states[0].copy()
    for other in states[1:]:
        first.meet(other)
    return first


def _piece(part: tuple[Value, int, int]) -> Value:
    """What a single byte of a value is."""
    value = part[0]
    return PUBLIC if isinstance(value, Number) or value in PLAIN else value


@dataclass(frozen=True)
class Call:
    """A function outside the object file that kernels may call.

    How many arguments it has, which of them is a place that it writes, and which says how many
    bytes.
    """

    arguments: int
    writes: int | None = None
    length: int | None = None
    returns_place: bool = False  # its first argument


# Of the C library and our own.
CALLS = {
    "memcpy": Call(3, 0, 2, True),
    "memmove": Call(3, 0, 2, True),
    "memset": Call(3, 0, 2, True),
    "hanji_wipe": Call(2, 0, 1),
    "hanji_wipe_stack": Call(0),
    "hanji_wipe_stack_shallow": Call(0),
    "hanji_wipe_stack_least": Call(0),
}


@dataclass
class Summary:
    """What a function was found to do."""

    problems: list[str] = field(default_factory=list)
    written: set[str] = field(default_factory=set)
    arguments_on_stack: int = 0  # bytes
    returns: Value = LEFT
    # What it writes behind arguments that are addresses in the caller's frame: from, to; None:
    # anywhere.
    stores: dict[str, tuple[int, int] | None] = field(default_factory=dict)

    def stored(self, register: str, span: tuple[int, int] | None) -> None:
        """Note what is written behind an argument."""
        before = self.stores.get(register, span)
        self.stores[register] = (
            None
            if before is None or span is None
            else (min(before[0], span[0]), max(before[1], span[1]))
        )


@dataclass
class Analysis:
    """The functions of one object file."""

    file: ObjectFile
    strict: bool = True
    tables: Callable[[str], bool] = lambda name: False
    # functions that compute with data in general registers all the same
    schedules: Callable[[str], bool] = lambda name: False
    apart: int = 0  # a loop of so many turns is followed turn by turn
    steps_max: int = 4_000_000
    _done: dict[tuple[str, tuple[Value, ...]], Summary] = field(default_factory=dict)

    def unreached(self) -> list[str]:
        """Functions of the file alone that nothing called so far: somebody may have their
        addresses.
        """
        return [
            name for name in self.file.functions if name not in {done for done, _ in self._done}
        ]

    def problems(self, name: str) -> list[str]:
        """What is wrong in a function that the rest of the library may call."""
        given = [PUBLIC] * 6
        if self.tables(name):
            given[1] = TABLE
        found = self.summary(name, tuple(given)).problems
        if found and not self.apart:  # turn by turn, which takes longer
            closer = replace(self, apart=APART, _done={})
            return closer.summary(name, tuple(given)).problems
        return found

    def summary(self, name: str, given: tuple[Value, ...]) -> Summary:
        """What a function does when it is called with such arguments."""
        key = (name, given)
        if key not in self._done:
            self._done[key] = Summary(
                [f"{name} calls itself, which is not followed"], set(x86.ARGUMENTS)
            )  # until it is known
            self._done[key] = _Walk(self, self.file.functions[name], given).run()
        return self._done[key]


class _Walk:
    """One function with one kind of arguments."""

    def __init__(self, analysis: Analysis, function: Function, given: tuple[Value, ...]) -> None:
        self.analysis, self.function, self.given = analysis, function, given
        self.places = {one.address: place for place, one in enumerate(function.body)}
        self.found: dict[str, None] | None = None
        self.summary = Summary()
        self.strict = analysis.strict and not analysis.schedules(function.name)
        self.here = Instruction(0, "", (), "")

    # What is wrong is collected once everything is known.

    def wrong(self, what: str) -> None:
        if self.found is not None:
            self.found[f"{what}: {self.here.text}"] = None

    def run(self) -> Summary:
        body = self.function.body
        leaders = {0}
        for place, one in enumerate(body):
            if one.mnemonic.startswith("j"):
                leaders.add(place + 1)
                if (target := self.target(one)) is not None:
                    leaders.add(target)
        general: dict[str, Value] = dict.fromkeys(x86.KEPT_BY_CALLS, PUBLIC)
        general |= dict(zip(x86.ARGUMENTS, self.given, strict=True))
        general |= {"rax": LEFT, "r10": LEFT, "r11": LEFT, "rsp": frame("entry", {0})}
        names = [*(f"mm{i}" for i in range(32)), *(f"k{i}" for i in range(8))]
        vectors: dict[str, Value] = dict.fromkeys(names, LEFT)
        start = State(
            general, vectors, LEFT, LEFT, None, {("entry", i): (PUBLIC, i, 8) for i in range(8)}
        )
        states: dict[int, dict[Key | None, State]] = {0: {None: start}}
        waiting: set[tuple[int, Key | None]] = {(0, None)}
        order: list[tuple[int, int, Key | None]] = [(0, 0, None)]
        steps = count = 0
        while order:
            place, _, key = heapq.heappop(order)
            if (place, key) not in waiting:
                continue
            waiting.discard((place, key))
            if key not in states[place]:
                continue  # met with the others meanwhile
            after, passed = self.block(place, states[place][key].copy(), leaders)
            steps += passed
            if steps > self.analysis.steps_max:
                return Summary(
                    [f"{self.function.name}: not understood after {steps} steps"],
                    set(vectors) | set(general),
                )
            for where, state in after:
                known = states.setdefault(where, {})
                kind = None if None in known or not self.analysis.apart else _key(state)
                if kind is not None and kind not in known and len(known) >= self.analysis.apart:
                    kind, state = None, _all_of([*known.values(), state])
                    known.clear()
                if kind not in known:
                    known[kind] = state
                elif not known[kind].meet(state):
                    continue
                if (where, kind) not in waiting:
                    count += 1
                    waiting.add((where, kind))
                    heapq.heappush(order, (where, count, kind))
        self.found = {}
        for place, known in states.items():
            for state in known.values():
                self.block(place, state.copy(), leaders)
        self.summary.problems = list(self.found)
        return self.summary

    def target(self, one: Instruction) -> int | None:
        """Where in this function a jump goes, if it stays in it."""
        if one.target is not None and one.symbol is None:
            return self.places.get(one.target)
        if one.symbol is not None:
            section, address = self.place_of(one.symbol, 4)
            if section == self.function.section:
                return self.places.get(address)
        return None

    def place_of(self, symbol: tuple[str, int], after: int) -> tuple[str, int]:
        """Section and address that a relocation names; what counts from the end of the instruction
        is `after` bytes short.
        """
        section, at = self.analysis.file.symbols.get(symbol[0], (symbol[0], 0))
        return section, at + symbol[1] + after

    def block(
        self, place: int, state: State, leaders: set[int]
    ) -> tuple[list[tuple[int, State]], int]:
        """Follow the instructions up to a jump or to where one leads; what is known behind them."""
        body, passed = self.function.body, 0
        while True:
            if place >= len(body):
                self.wrong("runs into what follows the function")
                return [], passed
            one = self.here = body[place]
            passed += 1
            if one.mnemonic in x86.JUMPS:
                return self.branch(one, place, state), passed
            if one.mnemonic == "jmp":
                return self.jump(one, state), passed
            if one.mnemonic == "ret":
                self.returned(state)
                return [], passed
            if one.mnemonic == "ud2":
                return [], passed
            if one.plain is not None:
                to, sources, constant = one.plain
                vectors = state.vectors
                value = PUBLIC
                if not constant:
                    for source in sources:
                        if vectors[source] not in PLAIN:
                            value = DATA
                            break
                vectors[to] = value
                self.summary.written.add(to)
            else:
                self.step(one, state)
            place += 1
            if place in leaders:
                return [(place, state)], passed

    # Jumps, calls, returns.

    def branch(self, one: Instruction, place: int, state: State) -> list[tuple[int, State]]:
        condition = one.mnemonic[1:]
        if read_flags(state, condition) in SECRETS:
            self.wrong("data decide a jump")
        target = self.target(one)
        after = []
        if (stays := _narrowed(state, condition, False)) is not None:
            after.append((place + 1, stays))
        if target is None:
            if (gone := _narrowed(state, condition, True)) is not None:
                self.leave(one, gone)
        elif (taken := _narrowed(state, condition, True)) is not None:
            after.append((target, taken))
        return after

    def jump(self, one: Instruction, state: State) -> list[tuple[int, State]]:
        target = self.target(one)
        if target is not None:
            return [(target, state)]
        self.leave(one, state)
        return []

    def leave(self, one: Instruction, state: State) -> None:
        """A jump out of the function, which is a call whose return is ours."""
        if self.called(one, state, 0):
            self.returned(state)

    def returned(self, state: State) -> None:
        if state.general["rsp"] != frame("entry", {0}):
            self.wrong("the stack is not as it was on entry")
        self.summary.returns = (
            met(self.summary.returns, state.general["rax"])
            if self.summary.returns != LEFT
            else state.general["rax"]
        )
        if state.general["rax"] == DATA and self.strict and self.function.exported:
            self.wrong("data are returned")

    def call_targets(self, one: Instruction, state: State) -> list[str] | None:
        """The names of what is called; None where that is not known."""
        file = self.analysis.file
        if one.symbol is not None and not one.operands:
            name, distance = one.symbol
            if name in file.symbols and name not in file.functions:
                found = file.function_at(*self.place_of(one.symbol, 4))
                return [found] if found else None
            return [name] if distance == -4 else None
        if one.target is not None:
            found = file.function_at(self.function.section, one.target)
            return [found] if found else None
        if len(one.operands) == 1 and one.operands[0].kind == "general":
            value = state.general[one.operands[0].register or ""]
            return sorted(value.names) if isinstance(value, Functions) else None
        return None

    def called(self, one: Instruction, state: State, pushed: int) -> bool:
        names = self.call_targets(one, state)
        if not names:
            self.wrong("goes where is not known")
            return False
        arguments = [whole(state.general[name]) for name in x86.ARGUMENTS]
        clobbered: set[str] = set()
        result = None
        for name in names:
            returns: Value = LEFT
            if name in self.analysis.file.functions:
                given = tuple(
                    passed(value, register, self.analysis.apart > 0)
                    for value, register in zip(arguments, x86.ARGUMENTS, strict=True)
                )
                summary = self.analysis.summary(name, given)
                for problem in summary.problems:
                    self.wrong(f"{name}, {problem}, called by")
                clobbered |= summary.written
                if summary.returns == DATA:
                    returns = DATA
                elif summary.returns != LEFT and not any(
                    isinstance(value, Frame) for value in arguments
                ):
                    returns = PUBLIC  # no address in the frame, for it knows none
                for register, span in summary.stores.items():
                    value = arguments[x86.ARGUMENTS.index(register)]
                    assert isinstance(value, Frame)  # it was GIVEN, which only these are
                    if span is None or value.offsets is None:
                        self.write(state, Frame(value.base, None), 1, DATA)
                    else:
                        for offset in value.offsets:
                            self.write(
                                state,
                                frame(value.base, {offset + span[0]}),
                                span[1] - span[0],
                                DATA,
                            )
                at = state.general["rsp"]
                for i in range(summary.arguments_on_stack):
                    top = only_place(at)
                    if (
                        top is None
                        or self.read_at(state, top[0], top[1] + 8 - pushed + i, 1) in SECRETS
                    ):
                        self.wrong(f"data for {name} on the stack")
                        break
            elif name in CALLS:
                known_call = CALLS[name]
                used = arguments[: known_call.arguments]
                if name == "memset":
                    used = [used[0], used[2]]
                if any(value in SECRETS for value in used):
                    self.wrong(f"data decide an argument of {name}")
                if known_call.writes is not None and known_call.length is not None:
                    self.filled(state, arguments[known_call.writes], arguments[known_call.length])
                clobbered |= {*CHANGED_BY_CALLS, *state.vectors}
                if known_call.returns_place:
                    returns = arguments[0]
            else:
                self.wrong("calls what is not on the list of our functions")
                clobbered |= {*CHANGED_BY_CALLS, *state.vectors}
            result = returns if result is None else met(result, returns)
        for name in clobbered:
            if name in state.vectors:
                state.vectors[name] = LEFT
            elif name not in x86.KEPT_BY_CALLS:
                state.general[name] = LEFT
        self.summary.written |= clobbered
        if "rax" in clobbered and result is not None:
            state.general["rax"] = result
        state.flags, state.carry, state.asked = LEFT, LEFT, None
        pointer = state.general["rsp"]
        if isinstance(pointer, Frame) and pointer.offsets is not None:
            lowest = min(pointer.offsets)
            for place in [
                place for place in state.stack if place[0] == pointer.base and place[1] < lowest
            ]:
                del state.stack[place]
        return True

    def filled(self, state: State, where: Value, length: Value) -> None:
        """So many bytes are written there, if it is in our frame."""
        if not isinstance(where, Frame):
            return
        if isinstance(length, Number) and where.offsets is not None:
            for offset in where.offsets:
                self.write(state, frame(where.base, {offset}), max(length.values), DATA)
        else:
            self.write(state, Frame(where.base, None), 1, DATA)

    # Addresses and memory.

    def locate(self, state: State, memory: Memory) -> Value:
        """Which memory an operand means: the frame, a table, constants, or PUBLIC, the caller's;
        DATA if data are in the address.
        """
        if memory.segment is not None:
            return CONSTANTS if memory.segment == "fs" and memory.base is None else DATA
        if memory.base == "rip":
            if memory.symbol is None:
                return DATA
            section = self.analysis.file.symbols.get(memory.symbol, (memory.symbol, 0))[0]
            return CONSTANTS if section.startswith((".rodata", ".data.rel.ro")) else DATA
        value = number(memory.displacement)
        for name, scale in ((memory.base, 1), (memory.index, memory.scale)):
            if name is None:
                continue
            part = whole(state.general[x86.GENERAL[name][0]])
            value = added(value, part if scale == 1 else scaled(part, scale))
        return PUBLIC if isinstance(value, Number) else value

    def load(self, state: State, memory: Memory, size: int) -> Value:
        """What stands in memory."""
        where = self.locate(state, memory)
        if where in SECRETS:
            self.wrong("data in an address")
            return DATA
        if isinstance(where, Functions):
            self.wrong("a function is read")
            return DATA
        if isinstance(where, Frame):
            return self.read(state, where, size)
        return PUBLIC if where in (TABLE, CONSTANTS) else DATA

    def read(self, state: State, where: Frame, size: int) -> Value:
        if where.offsets is None:
            return DATA
        value: Value | None = None
        for offset in where.offsets:
            one = self.read_at(state, where.base, offset, size)
            value = one if value is None else met(value, one)
        return value if value is not None else DATA

    def read_at(self, state: State, base: str, offset: int, size: int) -> Value:
        if base.startswith(GIVEN):
            return DATA
        if base == "entry" and offset >= 8:  # arguments of ours
            self.summary.arguments_on_stack = max(
                self.summary.arguments_on_stack, offset + size - 8
            )
            return state.incoming
        if not self.apart(state, base, offset, size):
            return DATA
        parts = [state.stack.get((base, offset + i)) for i in range(size)]
        if None in parts:
            return DATA
        first = parts[0]
        assert first is not None
        if first[2] == size and all(part == (first[0], i, size) for i, part in enumerate(parts)):
            return first[0]
        value: Value = PUBLIC
        for part in parts:
            assert part is not None
            value = met(value, _piece(part))
        return value

    def apart(self, state: State, base: str, offset: int, size: int) -> bool:
        """Whether this place cannot be one that is named from another base: after the stack was
        aligned, there are two.
        """
        if state.realigned is None:
            return True
        limit = state.realigned[1]
        return offset >= limit if base == state.realigned[0] else offset + size <= 0

    def store(self, state: State, operand: Operand, size: int, value: Value) -> None:
        """A value goes to memory."""
        assert operand.memory is not None
        where = self.locate(state, operand.memory)
        if where in SECRETS:
            self.wrong("data in an address")
        elif (
            isinstance(where, Frame)
            and where.base.startswith(GIVEN)
            and isinstance(value, ADDRESSES)
        ):
            self.wrong("an address of the own stack goes to memory that is not its own")
        elif isinstance(where, Frame):
            if operand.mask is not None and value not in SECRETS:
                value = met(self.read(state, where, size), value)
            self.write(state, where, size, value)
        elif where != PUBLIC:
            self.wrong("writes to what only is read")
        elif isinstance(value, ADDRESSES):
            self.wrong("an address of the own stack goes to memory that is not its own")

    def write(self, state: State, where: Frame, size: int, value: Value) -> None:
        base, offsets = where
        if base.startswith(GIVEN):
            span = None if offsets is None else (min(offsets), max(offsets) + size)
            self.summary.stored(base.removeprefix(GIVEN), span)
            return
        if offsets is None:
            self.forget(state, value)
            return
        certain = len(offsets) == 1
        for offset in offsets:
            if certain and base == "entry" and offset < 8 and offset + size > 0:
                self.wrong("the return address is overwritten")
            if not self.apart(state, base, offset, size) or (base == "entry" and offset + size > 0):
                self.forget(state, value)
                continue
            if value in SECRETS and size > 64:
                for place in [
                    place
                    for place in state.stack
                    if place[0] == base and offset <= place[1] < offset + size
                ]:
                    del state.stack[place]
                continue
            for i in range(size):
                place = (base, offset + i)
                if value in SECRETS:
                    state.stack.pop(place, None)
                elif certain:
                    state.stack[place] = (value, i, size)
                elif (old := state.stack.get(place)) is not None:
                    both = (
                        met(old[0], value)
                        if old[1:] == (i, size)
                        else met(_piece(old), _piece((value, i, size)))
                    )
                    if both in SECRETS:
                        del state.stack[place]
                    else:
                        state.stack[place] = (
                            (both, i, size) if old[1:] == (i, size) else (both, 0, 1)
                        )

    def forget(self, state: State, value: Value) -> None:
        """Something was written to a place of the frame that is not known."""
        if value in SECRETS or isinstance(value, ADDRESSES):
            state.incoming = DATA
        for place, part in list(state.stack.items()):
            both = DATA if value in SECRETS else met(_piece(part), _piece((value, 0, 1)))
            if both in SECRETS:
                del state.stack[place]
            else:
                state.stack[place] = (both, 0, 1)

    # Single instructions.

    def step(self, one: Instruction, state: State) -> None:
        name = one.mnemonic
        if not one.followed:
            self.wrong("an operand that is not followed")
            self.spoil(one, state)
        elif name in x86.NOTHING:
            for operand in one.operands:
                if (
                    operand.memory is not None
                    and name.startswith("prefetch")
                    and self.locate(state, operand.memory) in SECRETS
                ):
                    self.wrong("data in an address")
        elif name == "call":
            self.called(one, state, 8)
        elif name.startswith(("v", "k")):
            self.vector(one, state)
        else:
            self.scalar(one, state)

    def spoil(self, one: Instruction, state: State) -> None:
        """After what is not followed nothing is known of what it may have written."""
        for operand in one.operands:
            if operand.kind == "general":
                state.general[operand.register or ""] = DATA
            elif operand.kind in ("vector", "mask"):
                state.vectors[operand.register or ""] = DATA
        for register in ("rax", "rcx", "rdx", "rsi", "rdi"):
            state.general[register] = DATA
        state.flags, state.carry, state.asked = DATA, DATA, None
        self.forget(state, DATA)

    def get(self, state: State, operand: Operand, size: int | None = None) -> Value:
        """The value of an operand."""
        if operand.number is not None:
            return number(operand.number)
        if operand.memory is not None:
            return self.load(state, operand.memory, size or operand.memory.size)
        if operand.kind == "general":
            value = state.general[operand.register or ""]
            return whole(value) if operand.size == 8 else cut(value, operand.size, operand.high)
        return whole(state.vectors[operand.register or ""])

    def put(self, state: State, operand: Operand, value: Value) -> None:
        """Write a general register or memory."""
        if operand.memory is not None:
            self.store(state, operand, operand.memory.size, value)
            return
        register = operand.register or ""
        if operand.size < 4:  # the rest stays
            before = state.general[register]
            if value in SECRETS or computed(value) in SECRETS:
                value = DATA
            elif isinstance(before, Low) or computed(before) in SECRETS:
                known = before.size if isinstance(before, Low) else 0
                value = DATA if operand.high else Low(max(operand.size, known))
            else:
                value = PUBLIC
        elif operand.size == 4:
            value = cut(value, 4)
        state.general[register] = value
        self.summary.written.add(register)
        if state.asked is not None and state.asked[0] == register:
            state.asked = None

    def scalar(self, one: Instruction, state: State) -> None:
        name, operands = one.mnemonic, one.operands
        count = len(operands)
        vectors = any(operand.kind in ("vector", "mask") for operand in operands)
        if vectors:
            self.wrong("not on the list of instructions")
            self.spoil(one, state)
        elif name in x86.MOVES and count == 2:
            value = self.get(state, operands[1])
            if name.startswith("movs") and isinstance(value, Number):
                value = PUBLIC
            self.put(state, operands[0], value)
        elif name == "lea" and count == 2 and operands[1].memory is not None:
            self.put(state, operands[0], self.address(state, one))
        elif name in x86.COMPARES and count == 2:
            self.compare(one, state)
        elif (
            (name in x86.COMBINES or name in x86.SHIFTS or name in x86.SINGLE)
            and 1 <= count <= 3
            and not (name == "imul" and count == 1)
        ):
            self.combine(one, state)
        elif name in ("mul", "imul") and count == 1 and operands[0].size in (0, 4, 8):
            values = [self.get(state, operands[0]), state.general["rax"]]
            if any(value in SECRETS for value in values):
                self.wrong("its time may depend on data")
            for register in ("rax", "rdx"):
                self.put(state, Operand(register, register, 8, kind="general"), computed(*values))
            state.flags = state.carry = state.general["rax"]
            state.asked = None
        elif name in x86.THREE and count == 3:
            values = [self.get(state, operand) for operand in operands[1:]]
            self.computed(one, state, values)
            self.put(state, operands[0], computed(*values))
            if name not in x86.LEAVES_FLAGS:
                state.flags = state.carry = (
                    DATA if any(value in SECRETS for value in values) else PUBLIC
                )
                state.asked = None
        elif name in x86.CONDITIONAL_MOVES and count == 2:
            old, new = self.get(state, operands[0]), self.get(state, operands[1])
            flags = read_flags(state, name[4:])
            self.computed(one, state, [flags])
            self.put(state, operands[0], DATA if flags in SECRETS else met(old, new))
        elif name in x86.SETS and count == 1:
            flags = read_flags(state, name[3:])
            self.computed(one, state, [flags])
            self.put(state, operands[0], DATA if flags in SECRETS else number(0, 1))
        elif name in ("cdqe", "cwde"):
            self.put(
                state, Operand("rax", "rax", 8, kind="general"), computed(state.general["rax"])
            )
        elif (
            name == "xchg"
            and count == 2
            and all(operand.kind == "general" and operand.size >= 4 for operand in operands)
        ):
            one_value, two = self.get(state, operands[0]), self.get(state, operands[1])
            self.put(state, operands[0], two)
            self.put(state, operands[1], one_value)
        elif name == "xchg" and count == 2 and operands[0] == operands[1]:
            pass
        elif name == "push" and count == 1:
            value = self.get(state, operands[0], 8)
            self.moved_stack(state, -8)
            self.write_top(state, value)
        elif (
            name == "pop" and count == 1 and operands[0].kind == "general" and operands[0].size == 8
        ):
            value = self.top(state)
            self.moved_stack(state, 8)
            self.put(state, operands[0], value)
        elif name == "leave":
            state.general["rsp"] = state.general["rbp"]
            value = self.top(state)
            self.moved_stack(state, 8)
            self.put(state, Operand("rbp", "rbp", 8, kind="general"), value)
        else:
            self.wrong("not on the list of instructions")
            self.spoil(one, state)

    def top(self, state: State) -> Value:
        pointer = state.general["rsp"]
        if not isinstance(pointer, Frame):
            self.wrong("the stack pointer is not known")
            return DATA
        return self.read(state, pointer, 8)

    def write_top(self, state: State, value: Value) -> None:
        pointer = state.general["rsp"]
        if isinstance(pointer, Frame):
            self.write(state, pointer, 8, value)

    def moved_stack(self, state: State, by: int) -> None:
        pointer = state.general["rsp"]
        if not isinstance(pointer, Frame) or pointer.offsets is None:
            self.wrong("the stack pointer is not known")
            return
        state.general["rsp"], state.asked = added(pointer, number(by)), None

    def address(self, state: State, one: Instruction) -> Value:
        """What lea computes."""
        memory = one.operands[1].memory
        assert memory is not None
        if memory.base == "rip":
            file, place = self.analysis.file, self.places[one.address] + 1
            if one.symbol is None:  # in the same section
                here = (
                    place < len(self.function.body)
                    and self.function.body[place].address + memory.displacement
                )
                found = file.function_at(self.function.section, int(here))
                return Functions(frozenset({found})) if found else DATA
            section = file.symbols.get(one.symbol[0], (one.symbol[0], 0))[0]
            if section.startswith((".rodata", ".data.rel.ro")):
                return CONSTANTS
            function = file.function_at(*self.place_of(one.symbol, 4))
            return Functions(frozenset({function})) if function else DATA
        value = number(memory.displacement)
        parts = []
        for name, scale in ((memory.base, 1), (memory.index, memory.scale)):
            if name is not None:
                part = whole(state.general[x86.GENERAL[name][0]])
                parts.append(part)
                value = added(value, part if scale == 1 else scaled(part, scale))
        self.computed(one, state, parts)
        return value

    def computed(self, one: Instruction, state: State, values: list[Value]) -> None:
        """Something is computed from these in general registers: with data only where the function
        may do that, in even time.
        """
        if any(value in SECRETS for value in values):
            if self.strict:
                self.wrong("data into a register or flags")
            elif one.mnemonic not in (
                *x86.EVEN,
                "lea",
                *x86.COMPARES,
            ) and not one.mnemonic.startswith(("cmov", "set")):
                self.wrong("its time may depend on data")

    def compare(self, one: Instruction, state: State) -> None:
        left, right = one.operands
        values = [
            self.get(state, left, right.size or None),
            self.get(state, right, left.size or None),
        ]
        self.computed(one, state, values)
        state.flags = state.carry = DATA if any(value in SECRETS for value in values) else PUBLIC
        state.asked = None
        if left.kind != "general" or left.high or left.size < 4:
            return
        if one.mnemonic == "test":
            if left == right:
                state.asked = Asked(left.register or "", left.size, 0, 0, True)
            return
        one_value, two = values
        against = only_number(two) if isinstance(one_value, Number) else None
        place = only_place(two)
        if isinstance(one_value, Frame) and place is not None and place[0] == one_value.base:
            against = place[1]
        if against is not None:
            state.asked = Asked(left.register or "", left.size, against, against, True)

    def combine(self, one: Instruction, state: State) -> None:
        name, operands = one.mnemonic, one.operands
        to = operands[0]
        sources = operands[1:] if name == "imul" and len(operands) == 3 else operands
        values = [
            self.get(state, operand, to.memory.size if to.memory else None) for operand in sources
        ]
        if name in x86.READS_CARRY:
            alike = name == "sbb" and operands[0] == operands[1]
            values = [state.carry] if alike else [*values, state.carry]
        elif name in ("xor", "sub") and operands[0] == operands[1]:
            values = [number(0)]
        secret = any(value in SECRETS for value in values)
        self.computed(one, state, values)
        by = operands[1] if name in x86.SHIFTS and len(operands) == 2 else None
        if (
            by is not None
            and by.kind == "general"
            and not self.strict
            and self.get(state, by) in SECRETS
        ):
            self.wrong("a shift by data")
        result = DATA if secret else self.result(one, values, to, state)
        self.put(state, to, result)
        if name in x86.LEAVES_FLAGS:
            return
        now: Value = DATA if secret else PUBLIC
        state.asked = None
        if name in ("inc", "dec"):
            state.flags = now
        elif name in x86.SHIFTS:  # by 0 they leave all flags, and rotations most of them
            always = name not in ("rol", "ror") and (
                len(operands) == 1 or operands[1].number not in (None, 0)
            )
            state.flags, state.carry = (
                (now, now) if always else (met(state.flags, now), met(state.carry, now))
            )
        else:
            state.flags = state.carry = now
        if (
            to.kind == "general"
            and to.size >= 4
            and name in ("add", "sub", "inc", "dec", "and")
            and isinstance(result, Number)
        ):
            more = only_number(values[1]) if name == "add" else None
            more = None if more is None else more & ((1 << 8 * to.size) - 1)
            state.asked = Asked(to.register or "", to.size, 0, more, False)

    def result(self, one: Instruction, values: list[Value], to: Operand, state: State) -> Value:
        name = one.mnemonic
        if values == [number(0)]:
            return number(0)
        if name in ("add", "inc"):
            return added(values[0], values[1] if name == "add" else number(1))
        if name in ("sub", "dec"):
            taken = values[1] if name == "sub" else number(1)
            if (
                isinstance(values[0], Frame)
                and isinstance(taken, Frame)
                and values[0].base == taken.base
            ):
                return PUBLIC
            return added(values[0], negated(taken))
        if name == "and" and isinstance(values[0], Frame):
            return self.aligned(values[0], values[1], to, state)
        if any(isinstance(value, ADDRESSES) for value in values):
            return DATA
        if name == "neg":
            return negated(values[0])
        numbers = [value.values for value in values if isinstance(value, Number)]
        if len(numbers) != len(values) or len(values) > 2 or to.size != 8:
            return PUBLIC
        if len(values) == 2 and len(numbers[0]) * len(numbers[1]) <= NUMBERS_MAX:
            if name == "shl":
                return number(*(a << (b & 63) for a in numbers[0] for b in numbers[1]))
            if name == "shr":
                return number(*(a >> (b & 63) for a in numbers[0] for b in numbers[1]))
            if name == "and":
                return number(*(a & b for a in numbers[0] for b in numbers[1]))
            if name == "or":
                return number(*(a | b for a in numbers[0] for b in numbers[1]))
            if name == "xor":
                return number(*(a ^ b for a in numbers[0] for b in numbers[1]))
            if name == "imul":
                return number(*(a * b for a in numbers[0] for b in numbers[1]))
        return PUBLIC

    def aligned(self, pointer: Frame, by: Value, to: Operand, state: State) -> Value:
        """The stack pointer, aligned: another base, at or below the old place."""
        mask, place = only_number(by), only_place(pointer)
        if to.register != "rsp" or mask is None or place is None:
            return DATA
        distance, step = place[1], (1 << 64) - mask
        if (
            state.realigned is not None
            or pointer.base != "entry"
            or step & (step - 1)
            or step > 4096
        ):
            self.wrong("the stack is aligned twice")
            return DATA
        state.realigned = ("entry", distance)
        return frame("aligned", {0})

    def vector(self, one: Instruction, state: State) -> None:
        name, operands = one.mnemonic, one.operands
        known = (
            x86.VECTOR_MOVES.match(name) or x86.VECTOR_PARTS.match(name) or x86.PURE.match(name) or x86.CHANGED.match(name)
            or x86.MASK_MOVES.match(name) or x86.MASKS.match(name)
        )  # fmt: skip
        if not known or not operands:
            self.wrong("not on the list of instructions")
            self.spoil(one, state)
            return
        to, sources = operands[0], operands[1:]
        masks = [operand.mask for operand in operands if operand.mask]
        secret_mask = any(self.governs(state, name, mask, operands) for mask in masks)
        values = []
        for operand in sources:
            values.append(self.get(state, operand, self.accessed(name, operand, operands)))
            if (
                operand.memory is not None
                and secret_mask
                and not self.is_own(self.locate(state, operand.memory))
            ):
                self.wrong("data decide the mask of a load")
        if to.memory is not None and secret_mask:
            self.wrong("data decide the mask of a store")
        if to.kind in ("vector", "mask"):
            merges = bool(to.mask) and not to.zeroing and not name.startswith(("vpcmp", "vptest"))
            if merges or x86.CHANGED.match(name):
                values.append(state.vectors[to.register or ""])
        general = to.kind == "general"
        alike = len(sources) == 2 and sources[0] == sources[1] and sources[0].kind == "vector"
        value: Value
        if (not masks and alike and x86.ALIKE_CANCEL.match(name)) or (
            name.startswith(("kxor", "kxnor")) and sources[0] == sources[1]
        ):
            value = PUBLIC
        elif (
            to.kind == "mask"
            and name == "kmovd"
            and sources[0].kind == "general"
            and isinstance(state.general[sources[0].register or ""], Low)
        ):
            value = state.general[sources[0].register or ""]
        elif secret_mask or any(found in SECRETS for found in values):
            value = DATA
        elif name in ("vmovq", "kmovq") and len(values) == 1:
            value = values[0] if isinstance(values[0], ADDRESSES) else PUBLIC
        elif any(isinstance(found, ADDRESSES) for found in values):
            value = DATA  # an address of the frame that is not followed any more
        else:
            value = PUBLIC
        if general:
            if value in SECRETS and self.strict:
                self.wrong("data from a vector into a register")
            self.put(state, to, value)
        elif to.memory is not None:
            self.store(state, to, self.accessed(name, to, operands) or 64, value)
        else:
            state.vectors[to.register or ""] = value
            self.summary.written.add(to.register or "")

    @staticmethod
    def is_own(where: Value) -> bool:
        """Whether memory is the function's frame or constants: a load of it can be whole."""
        return isinstance(where, Frame) or where == CONSTANTS

    @staticmethod
    def governs(state: State, name: str, mask: str, operands: tuple[Operand, ...]) -> bool:
        """Whether data decide what a mask lets through: of its bits, one for each element counts."""
        value = state.vectors[mask]
        if not isinstance(value, Low):
            return value in SECRETS
        element = re.search(r"(?:dq[au](8|16|32|64)|([bwdq]))$", name)
        size = max((one.size for one in operands if one.kind == "vector"), default=64)
        each = (
            int(element[1]) // 8
            if element and element[1]
            else {"b": 1, "w": 2, "d": 4, "q": 8}[element[2]]
            if element
            else 1
        )
        return size // each > 8 * value.size

    @staticmethod
    def accessed(name: str, operand: Operand, operands: tuple[Operand, ...]) -> int | None:
        """The bytes of a memory operand: what the disassembly says, else as many as the largest
        register has.
        """
        if operand.memory is None or operand.memory.size:
            return operand.memory.size if operand.memory else None
        return max((other.size for other in operands if other.memory is None), default=64)


_COMPARED: Mapping[str, Callable[[int, int, int], bool]] = {
    "e": lambda a, b, bits: a == b,
    "b": lambda a, b, bits: a < b,
    "be": lambda a, b, bits: a <= b,
    "l": lambda a, b, bits: _of(a, bits) < _of(b, bits),
    "le": lambda a, b, bits: _of(a, bits) <= _of(b, bits),
}
_NEGATED = {"ne": "e", "ae": "b", "a": "be", "ge": "l", "g": "le"}
_SAME = {
    "z": "e",
    "nz": "ne",
    "c": "b",
    "nae": "b",
    "nb": "ae",
    "nc": "ae",
    "na": "be",
    "nbe": "a",
    "nge": "l",
    "nl": "ge",
    "ng": "le",
    "nle": "g",
}


def _of(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value


_CARRY = ("b", "c", "nae", "ae", "nb", "nc")
_BOTH = ("be", "na", "a", "nbe")


def read_flags(state: State, condition: str) -> Value:
    """What decides a condition."""
    if condition in _CARRY:
        return state.carry
    return met(state.flags, state.carry) if condition in _BOTH else state.flags


def _narrowed(state: State, condition: str, taken: bool) -> State | None:
    """The state where a condition holds, or does not; None where it cannot be so."""
    state = state.copy()
    if state.asked is None:
        return state
    condition = _SAME.get(condition, condition)
    if condition in _NEGATED:
        condition, taken = _NEGATED[condition], not taken
    if condition not in _COMPARED:
        return state
    register, size, against, less, compared = state.asked
    if condition == "b":
        if less is None:
            return state
        against = less
    elif condition != "e" and not compared:
        return state
    value, holds = state.general[register], _COMPARED[condition]
    bits, whole = 8 * size, (1 << 8 * size) - 1
    if isinstance(value, Number):
        left = [one for one in value.values if holds(one & whole, against & whole, bits) == taken]
        if not left:
            return None
        state.general[register] = number(*left)
    elif isinstance(value, Frame) and value.offsets is not None and size == 8:
        signed = {"b": "l", "be": "le"}.get(condition, condition)  # distances within one frame
        near = [
            one
            for one in value.offsets
            if _COMPARED[signed](one & MASK, against & MASK, 64) == taken
        ]
        if not near:
            return None
        state.general[register] = frame(value.base, near)
    return state
