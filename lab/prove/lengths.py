# SPDX-License-Identifier: Apache-2.0
"""One call of a kernel for x86-64 or AArch64 for all values of a public length at once.

The length is a symbol with bounds. A run goes on for all of its values while every branch, address
and access is the same for them; else the values are halved, and each half goes on from before that
instruction, down to single values, where the symbol is a number. So every value from the first to
the last has a run, and what a run shows holds for its values. Buffers whose size is the length have
in a run the size of the least of its values, so that an access which one of them forbids parts it
from the others.

Where a function called by the kernel returns, the runs of its values may go on as one: what they
hold alike stays, a number stays the expression that it was before the call, and all else is
unknown. Bytes of the output on which they differ are compared with what is wanted then, and from
the first of them on no later access is allowed. Below the stack pointer nothing is left behind a
call: a frame that the function aligned is gone, and with it every address in it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

from .graph import Bits
from .induct import same_cell
from .pcode import GONE, A64Machine, Cell, Machine, OpenError, Region
from .values import (
    Cond,
    Lin,
    RefusedError,
    UndecidedError,
    Value,
    combined,
    interval,
    made,
)
from .x86 import VECTORS, Flags, Instruction, X86Machine

LENGTH = "bytes"


class Lengths(Machine):
    """A run for the lengths from `bounds`; the size of the buffers in `scaled` is the length, and
    from byte `right` on the output is as wanted and closed.
    """

    scaled: tuple[str, ...] = ()
    right: int | None = None
    joined_lengths = False  # whether runs went on as one, so that a place may be closed or lost

    @property
    def lengths(self) -> tuple[int, int]:
        """The least and the greatest length."""
        return self.bounds[LENGTH]

    def copied(self) -> Self:
        """The same state, which goes on by itself."""
        other = copy.copy(self)
        other.spaces = {name: dict(cells) for name, cells in self.spaces.items()}
        other.regions, other.bounds = dict(self.regions), dict(self.bounds)
        other.alignment = dict(self.alignment)
        other.stores = list(self.stores)
        other.order = self.order and self.order.copied()
        return other

    def narrowed(self, low: int, high: int) -> Self:
        """The state for some of the lengths alone."""
        other = self.copied()
        other.limited(low, high)
        if low == high:
            done: dict[tuple[int, int], Value] = {}
            for cells in other.spaces.values():
                for at, (value, i, size) in cells.items():
                    if isinstance(value, Lin | Cond):
                        key = (id(value), size)
                        if key not in done:
                            done[key] = _settled(value, low, 8 * size)
                        cells[at] = (done[key], i, size)
        return other

    def limited(self, low: int, high: int) -> None:
        """Take these for the lengths."""
        self.bounds[LENGTH] = (low, high)
        for name in self.scaled:
            most = low if self.right is None or "w" not in self.regions[name].access else self.right
            self.regions[name] = replace(self.regions[name], high=min(low, most))

    def _linear(self, name: str, values: list[Value], width: int, out: int) -> Value:
        """Besides: the quotient and the rest by a power of two, where all lengths have the same
        quotient.
        """
        x = values[0]
        y = values[1] if len(values) > 1 else 0
        if isinstance(y, Lin) and isinstance(x, int) and name == "INT_AND":
            x, y = y, x
        if isinstance(x, Lin) and isinstance(y, int) and name in ("INT_RIGHT", "INT_AND"):
            ends = interval(x, self.bounds)
            if ends and ends[0] >= 0 and ends[1] >> width == 0:
                if name == "INT_RIGHT" and ends[0] >> y == ends[1] >> y:
                    return ends[0] >> y
                ones = (1 << width) - 1
                low = y.bit_length()  # of a mask of low bits
                if y and y & (y + 1) == 0 and ends[0] >> low == ends[1] >> low:
                    return combined(x, ends[0] >> low << low, -1, width)
                clear = (~y & ones) + 1
                if y and clear & (clear - 1) == 0 and ends[0] // clear == ends[1] // clear:
                    return ends[0] // clear * clear
        return super()._linear(name, values, width, out)

    def _place(self, address: Value, size: int, what: str) -> tuple[str, int]:
        try:
            return super()._place(address, size, what)
        except RefusedError as problem:
            raise self._about(problem) from None

    def _missing(self, space: str, at: int) -> Bits:
        try:
            return super()._missing(space, at)
        except RefusedError as problem:
            raise self._about(problem) from None

    def _about(self, problem: RefusedError) -> Exception:
        return OpenError(str(problem)) if self.joined_lengths else problem

    def may_part(self, pc: int) -> bool:
        """Whether the instruction at an address could be right for some lengths and not for others:
        a guess, for which too few parts are an error.
        """
        raise NotImplementedError

    def behind_call(self, pc: int, following: int) -> tuple[int, int | Lin] | None:
        """Where the call that was the last instruction, at `pc`, comes back to, with which stack
        pointer; None where it was no call, or one of another file, which is done.
        """
        raise NotImplementedError

    def left_call(self, sp: int | Lin, framed: bool) -> None:
        """Forget what a call leaves behind on the stack below."""
        if not isinstance(sp, Lin) or self.register("sp") != sp:
            raise RefusedError(f"at {self.pc:#x} a call does not give the stack pointer back")
        (name, _), *_ = sp.t
        held = self.spaces.get(name, {})
        for at in [at for at in held if at < sp.c]:
            del held[at]


class LengthMachine(Lengths, X86Machine):
    """The same on x86-64."""

    def narrowed(self, low: int, high: int) -> Self:
        other = super().narrowed(low, high)
        if low == high:
            other.flags, other.carry = _settled_flags(other, low)
        return other

    def may_part(self, pc: int) -> bool:
        return _may_part(self.image.instruction(pc))  # type: ignore[attr-defined]

    def behind_call(self, pc: int, following: int) -> tuple[int, int | Lin] | None:
        one = self.image.instruction(pc)  # type: ignore[attr-defined]
        if one.name != "call" or following == one.following:
            return None
        back: int = one.following
        return back, combined(_linear_of(self.register("sp")), 8, 1, 64)

    def left_call(self, sp: int | Lin, framed: bool) -> None:
        """Besides: flags, and a frame of its own."""
        super().left_call(sp, framed)
        self.forget_flags()
        if framed or "frame" not in self.regions:
            return
        self.spaces.pop("frame", None)
        low = self.regions.pop("frame").low
        self.alignment.pop("frame", None)
        old = self.regions["stack"]
        self.regions["stack"] = Region(low, old.high, old.access, old.align)
        self.frame_of = None
        for cells in self.spaces.values():
            for at, (value, i, size) in list(cells.items()):
                if isinstance(value, Lin) and "frame" in value.factors:
                    cells[at] = (GONE, i, size)


class ArmLengthMachine(Lengths, A64Machine):
    """The same on AArch64."""

    def may_part(self, pc: int) -> bool:
        if self.elsewhere(pc):
            return True
        held = self.spaces["register"]
        for name, inputs, _, _ in self.image.operations(pc):
            if name in ("CBRANCH", "LOAD", "STORE"):
                return True
            for space, at, _ in inputs:
                if space == "register" and at in held and isinstance(held[at][0], Lin | Cond):
                    return True
        return False

    def behind_call(self, pc: int, following: int) -> tuple[int, int | Lin] | None:
        calls = ("CALL", "CALLIND")
        if self.elsewhere(pc) or all(op[0] not in calls for op in self.image.operations(pc)):
            return None
        return pc + 4, _linear_of(self.register("sp"))


def _settled(value: Value, length: int, width: int) -> Value:
    """A public value for one length."""
    if isinstance(value, Lin):
        factors = value.factors
        k = factors.pop(LENGTH, 0)
        return made(value.c + k * length, factors, width) if k else value
    if isinstance(value, Cond):
        a, b = (_settled(x, length, value.width) for x in (value.a, value.b))
        assert isinstance(a, int | Lin)
        assert isinstance(b, int | Lin)
        return Cond(value.op, a, b, value.width, value.negated)
    return value


def _settled_flags(m: X86Machine, length: int) -> tuple[Flags | None, Flags | None]:
    def of(flags: Flags | None) -> Flags | None:
        if flags is None:
            return None
        a, b, result = (_settled(x, length, flags.width) for x in (flags.a, flags.b, flags.result))
        return Flags(flags.kind, a, b, result, flags.width)

    same = m.flags is m.carry
    made_flags = of(m.flags)
    return made_flags, made_flags if same else of(m.carry)


Outputs = Callable[[Lengths, int, int, int], None]
"""Compare the output bytes of a run from one place on up to another for a length."""


@dataclass
class Runner:
    """Runs all lengths. `target` is the buffer with the output, `check` compares bytes of it;
    without `merge` the lengths stay apart once they are.
    """

    target: str
    check: Outputs
    merge: bool = True

    def run(self, m: Lengths, pc: int) -> list[Lengths]:
        """From an address to the return: the states there, which together have all lengths."""
        return self._run(m, pc, None)

    def _run(self, m: Lengths, pc: int, leave: tuple[int, Value] | None) -> list[Lengths]:
        while True:
            if leave is not None and pc == leave[0] and m.register("sp") == leave[1]:
                return [m]
            low, high = m.lengths
            before = m.copied() if low < high and m.may_part(pc) else None
            try:
                following = m.step(pc)
            except (UndecidedError, OpenError, RefusedError):
                if before is None or low == high:
                    raise
                middle = halved(low, high)
                return [
                    found
                    for ends in ((low, middle), (middle + 1, high))
                    for found in self._run(before.narrowed(*ends), pc, leave)
                ]
            if isinstance(following, Lin) and following == Lin(0, {"return": 1}):
                if leave is not None:
                    raise RefusedError(f"at {pc:#x} a function returns to where it was not called")
                return [m]
            if not isinstance(following, int):
                raise RefusedError(f"the jump at {pc:#x} depends on data or goes elsewhere")
            called = m.behind_call(pc, following)
            if called is None:
                pc = following
                continue
            back, sp = called
            framed = "frame" in m.regions
            entered = m.copied()
            states = self._run(m, following, called)
            for state in states:
                state.left_call(sp, framed)
            if len(states) > 1 and not self.merge:
                return [found for state in states for found in self._run(state, back, leave)]
            m = states[0] if len(states) == 1 else self.merged(entered, states)
            pc = back

    def merged(self, entered: Lengths, states: list[Lengths]) -> Lengths:
        """One state for the lengths of all; `entered` is that before the call."""
        m = states[0].copied()
        m.joined_lengths = True
        ends = [state.lengths for state in states]
        lost: list[int] = []
        if any(state.regions.keys() != m.regions.keys() for state in states):
            raise OpenError(f"at {m.pc:#x} lengths leave a call with different frames")
        for space in set().union(*(state.spaces for state in states)) - {"unique"}:
            cells, keep = m.spaces.setdefault(space, {}), {}
            places = set().union(*(state.spaces.get(space, {}) for state in states))
            for at in places:
                cell = self._common(entered.spaces.get(space, {}).get(at), space, at, states)
                if cell is not None:
                    keep[at] = cell
                elif space == "register":
                    keep[at] = (GONE, 0, 1)
                elif space == self.target:
                    lost.append(at)
            cells.clear()
            cells.update(keep)
        m.stores = [store for state in states for store in state.stores]
        for state in states:
            if m.order is not None and state.order is not None:
                m.order.written |= state.order.written
        if lost:
            first = min(lost)
            for state in states:
                for length in range(state.lengths[0], state.lengths[1] + 1):
                    self.check(state, first, length, length)
            m.right = first if m.right is None else min(first, m.right)
            for at in [at for at in m.spaces[self.target] if at >= first]:
                del m.spaces[self.target][at]
        m.limited(min(low for low, _ in ends), max(high for _, high in ends))
        return m

    @staticmethod
    def _common(old: Cell | None, space: str, at: int, states: list[Lengths]) -> Cell | None:
        """The byte that all states hold, or the expression from before the call whose values they
        hold.
        """
        cells = [state.spaces.get(space, {}).get(at) for state in states]
        first = cells[0]
        if first is not None and all(cell is not None and same_cell(cell, first) for cell in cells):
            return first
        if old is None or not isinstance(old[0], Lin):
            return None
        for state, cell in zip(states, cells, strict=True):
            low, high = state.lengths
            value = _settled(old[0], low, 8 * old[2]) if low == high else old[0]
            if cell is None or not same_cell(cell, (value, *old[1:])):
                return None
        return old


def halved(low: int, high: int) -> int:
    """Where to part lengths: at the multiple of the greatest power of two."""
    step = 1
    while 2 * step < high and (high - 1) // (2 * step) * 2 * step >= low:
        step *= 2
    return (high - 1) // step * step


def _may_part(one: Instruction) -> bool:
    """Whether an instruction could be right for some lengths and not for others: not where it moves
    vectors about alone.
    """
    return (
        bool(one.mask)
        or not all(
            op.number is not None or (op.register is not None and op.register[1] >= VECTORS)
            for op in one.ops
        )
        or one.name[0] != "v"
    )


def _linear_of(value: Value) -> int | Lin:
    if not isinstance(value, int | Lin):
        raise RefusedError("the stack pointer is none any more")
    return value
