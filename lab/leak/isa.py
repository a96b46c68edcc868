# SPDX-License-Identifier: Apache-2.0
"""Traces of a model at the level of instructions: what changes in the registers and on the buses
that a description of the instruction set lets one expect, and nothing of a real core.

Every instruction runs on all traces of a batch at once, as p-code on arrays of numbers. What the
model looks at, after each instruction:

    A, B        the operand latches: first and last source register of an instruction that computes
    result      the result of an instruction, or the word that a load brings
    bus         the word that a load or store moves; the bytes of a narrower one are repeated
    rN          a register that is written: the distance of its old and new value, and `rN weight`,
                the number of ones of the new one
    memory      an aligned word of memory that is written

A latch, the result and the bus keep their word until their next use. All but the weight are
distances of the old and the new word; each is tested as a whole and bit by bit.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..cases import CaseError
from ..checkout import LabError, run
from ..results import tool_version
from .subject import Batch, Bytes, Subject
from .welch import ALL, Statistics

Words = npt.NDArray[Any]  # of np.uint64
Node = tuple[str, int, int]  # space, offset, bytes
Operation = tuple[str, tuple[Node, ...], Node | None, str]  # as lab/prove/pcode.py has it
Value = int | Words  # a public number, or one for each trace
CODE, BUFFERS, STACK, RETURN = 0x10000, 0x20000000, 0x20010000, 0xFFFFFFFE
STACK_MAX = 0x4000  # bytes, of a kernel whose header does not say how many it takes
STEPS_MOST = 1 << 20
ARM = ("arm-none-eabi-gcc", "gcc-arm-none-eabi")
# Register operands of which the model knows no more than that they are moved.
MOVING = ("ldr", "ldm", "pop", "str", "stm", "push")
ONE_SOURCE = ("mov", "mvn", "rev", "rbit", "uxt", "sxt", "neg", "clz")
COMPUTING = ("bic", "bics", "bfi", "bfc")  # and begin with b as branches do
COMPARING = ("cmp", "cmn", "tst", "teq")


def _width(size: int) -> int:
    return (1 << 8 * size) - 1


def _signed(value: Value, size: int) -> Any:
    """A value as an array or number with a sign."""
    shift = 64 - 8 * size
    if isinstance(value, int):
        return value - (1 << 8 * size) if value >> (8 * size - 1) & 1 else value
    return (value << np.uint64(shift)).view(np.int64) >> shift


@dataclass(frozen=True)
class _Place:
    """A part of memory that a call may know: its name, first byte, size, and whether the call may
    change it.
    """

    name: str
    at: int
    size: int
    written: bool

    def holds(self, at: int, size: int) -> bool:
        """Whether all of these bytes are in it."""
        return self.at <= at and at + size <= self.at + self.size


class _Machine:
    """One run of all traces of a batch."""

    def __init__(self, image: Any, traces: int, places: Sequence[_Place]) -> None:
        self.image, self.traces, self.places = image, traces, places
        self.registers: dict[int, Value] = {}  # bytes of the register space, by aligned word
        self.memory: dict[int, Value] = {}  # by aligned word
        self.unique: dict[int, Value] = {}
        self.changed: set[int] = set()  # aligned words of registers that this instruction writes
        self.loads: list[tuple[int, int, Value]] = []  # of this instruction: address, size, value
        self.stores: list[tuple[int, int, Value, Value]] = []  # address, size, old and new word

    # Values

    def public(self, value: Value, what: str) -> int:
        """A number that must be the same in all traces; CaseError where it is not."""
        if isinstance(value, int):
            return value
        if (value == value[0]).all():
            return int(value[0])
        raise CaseError(f"{what} depends on shares or random bytes")

    def array(self, value: Value) -> Words:
        """A value for each trace."""
        if isinstance(value, int):
            return np.full(self.traces, value, np.uint64)
        return value

    def register(self, name: str) -> Value:
        """The value of a register."""
        return self.read(self.image.registers[name])

    def read(self, node: Node) -> Value:
        space, at, size = node
        if space == "const":
            return at & _width(size)
        if space == "unique":
            return self.unique[at] & _width(size)
        if space != "register":
            return self.load(at, size)
        if size == 4 and at % 4 == 0:
            return self.registers.get(at, 0)
        found: Value = 0
        for k in range(0, size, 4):
            base, shift = (at + k) & ~3, 8 * ((at + k) & 3)
            part = (self.registers.get(base, 0) >> shift) & _width(min(size - k, 4))
            found = found | part << 8 * k if k else part
        if (at & 3) + min(size, 4) > 4:
            raise LabError(f"the model cannot read {size} bytes of registers at {at:#x}")
        return found

    def write(self, node: Node, value: Value) -> None:
        space, at, size = node
        if space == "unique":
            self.unique[at] = value & _width(size)
            return
        if space != "register" or (at & 3) + min(size, 4) > 4:
            raise LabError(f"the model cannot write {size} bytes to {space} {at:#x}")
        for k in range(0, size, 4):
            base, shift, many = (at + k) & ~3, 8 * ((at + k) & 3), min(size - k, 4)
            new = (value >> 8 * k) & _width(many)
            if many < 4:
                old = self.registers.get(base, 0) & (0xFFFFFFFF ^ _width(many) << shift)
                new = old | new << shift
            self.registers[base] = new
            self.changed.add(base)

    def load(self, at: int, size: int) -> Value:
        """Bytes of memory that one aligned access reaches."""
        if (at & 3) + size > 4:
            raise CaseError(f"loads {size} bytes from {at:#x}, which is not aligned")
        base, shift = at & ~3, 8 * (at & 3)
        if base not in self.memory:
            held = self.image.bytes_at(base, 4)
            if held is None:
                raise CaseError(f"loads from {at:#x}, which nobody has written")
            self.memory[base] = int.from_bytes(held, "little")
        return (self.memory[base] >> shift) & _width(size)

    def store(self, at: int, size: int, value: Value) -> None:
        if (at & 3) + size > 4:
            raise CaseError(f"stores {size} bytes to {at:#x}, which is not aligned")
        place = next((one for one in self.places if one.holds(at, size)), None)
        if place is None:
            known = ", ".join(one.name for one in self.places)
            raise CaseError(f"stores {size} bytes to {at:#x}, which is outside of {known}")
        if not place.written:
            raise CaseError(f"stores {size} bytes to {at:#x}, in {place.name}, which it only reads")
        base, shift = at & ~3, 8 * (at & 3)
        old = self.memory.get(base, 0)
        new = (old & (0xFFFFFFFF ^ _width(size) << shift)) | (value & _width(size)) << shift
        self.memory[base] = new
        self.stores.append((at, size, old, new))

    # Steps

    def step(self, pc: int) -> int:
        """Run one instruction; the address of the next one."""
        self.unique.clear()
        self.changed, self.loads, self.stores = set(), [], []
        following: int = pc + self.image.length(pc)
        operations: Sequence[Operation] = self.image.operations(pc)
        i = 0
        while i < len(operations):
            name, inputs, out, user = operations[i]
            i += 1
            if name == "IMARK":
                continue
            if name in ("BRANCH", "CALL"):
                if inputs[0][0] == "const":
                    i += inputs[0][1] - (1 << 64 if inputs[0][1] >> 63 else 0) - 1
                    continue
                return inputs[0][1]
            if name == "CBRANCH":
                taken = self.public(self.read(inputs[1]), "a branch") & 1
                if not taken:
                    continue
                if inputs[0][0] == "const":
                    i += inputs[0][1] - 1
                    continue
                return inputs[0][1]
            if name in ("BRANCHIND", "CALLIND", "RETURN"):
                return self.public(self.read(inputs[0]), "a jump")
            if name == "LOAD":
                assert out is not None
                at = self.public(self.read(inputs[1]), "an address")
                value = self.load(at, out[2])
                self.loads.append((at, out[2], value))
                self.write(out, value)
            elif name == "STORE":
                at = self.public(self.read(inputs[1]), "an address")
                self.store(at, inputs[2][2], self.read(inputs[2]))
            elif name == "CALLOTHER":
                if user != "setISAMode":
                    raise LabError(f"the model has no rule for {user}")
            else:
                assert out is not None
                if name not in RULES:
                    raise LabError(f"the model has no rule for {name}")
                values = [self.read(node) for node in inputs]
                made = RULES[name](values, [node[2] for node in inputs], out[2])
                self.write(out, made if isinstance(made, int) else made.astype(np.uint64))
        return following


Rule = Callable[[Sequence[Any], Sequence[int], int], Any]


def _shift(left: bool) -> Rule:
    def rule(v: Sequence[Any], sizes: Sequence[int], out: int) -> Any:
        by = v[1]
        if isinstance(by, int):
            if by >= 8 * sizes[0]:
                return v[0] & 0
            return v[0] << by if left else v[0] >> by
        big = by >= 8 * sizes[0]
        by = np.where(big, 0, by).astype(np.uint64)
        value = v[0] if not isinstance(v[0], int) else np.full(len(by), v[0], np.uint64)
        return np.where(big, np.uint64(0), value << by if left else value >> by)

    return rule


def _arithmetic_right(v: Sequence[Any], sizes: Sequence[int], out: int) -> Any:
    if not isinstance(v[1], int):
        raise LabError("the model has no rule for an arithmetic shift by a register")
    value = _signed(v[0], sizes[0]) >> min(v[1], 63)
    return value & _width(out) if isinstance(value, int) else value.view(np.uint64)


def _bit(found: Any) -> Any:
    return int(found) if isinstance(found, bool | np.bool_) else found.astype(np.uint64)


def _less(v: Sequence[Any], sizes: Sequence[int], out: int) -> Any:
    return _bit(_signed(v[0], sizes[0]) < _signed(v[1], sizes[1]))


def _overflow(subtract: bool) -> Rule:
    def rule(v: Sequence[Any], sizes: Sequence[int], out: int) -> Any:
        top = 8 * sizes[0] - 1
        a, b = v
        total = (a - b if subtract else a + b) & _width(sizes[0])
        differ = (a ^ b) if subtract else (a ^ b) ^ _width(sizes[0])
        return ((differ & (a ^ total)) >> top) & 1

    return rule


def _extended(v: Sequence[Any], sizes: Sequence[int], out: int) -> Any:
    value = _signed(v[0], sizes[0])
    return value & _width(out) if isinstance(value, int) else value.view(np.uint64)


RULES: dict[str, Rule] = {
    "COPY": lambda v, s, o: v[0],
    "INT_ZEXT": lambda v, s, o: v[0],
    "INT_SEXT": _extended,
    "SUBPIECE": lambda v, s, o: v[0] >> (8 * v[1]),
    "INT_XOR": lambda v, s, o: v[0] ^ v[1],
    "INT_AND": lambda v, s, o: v[0] & v[1],
    "INT_OR": lambda v, s, o: v[0] | v[1],
    "INT_NEGATE": lambda v, s, o: v[0] ^ _width(s[0]),
    "INT_2COMP": lambda v, s, o: (v[0] ^ _width(s[0])) + 1,
    "INT_ADD": lambda v, s, o: v[0] + v[1],
    "INT_SUB": lambda v, s, o: v[0] + (v[1] ^ _width(s[1])) + 1,
    "INT_MULT": lambda v, s, o: v[0] * v[1],
    "INT_LEFT": _shift(left=True),
    "INT_RIGHT": _shift(left=False),
    "INT_SRIGHT": _arithmetic_right,
    "INT_EQUAL": lambda v, s, o: _bit(v[0] == v[1]),
    "INT_NOTEQUAL": lambda v, s, o: _bit(v[0] != v[1]),
    "INT_LESS": lambda v, s, o: _bit(v[0] < v[1]),
    "INT_LESSEQUAL": lambda v, s, o: _bit(v[0] <= v[1]),
    "INT_SLESS": _less,
    "INT_CARRY": lambda v, s, o: ((v[0] + v[1]) >> (8 * s[0])) & 1,
    "INT_SCARRY": _overflow(subtract=False),
    "INT_SBORROW": _overflow(subtract=True),
    "BOOL_AND": lambda v, s, o: v[0] & v[1],
    "BOOL_OR": lambda v, s, o: v[0] | v[1],
    "BOOL_XOR": lambda v, s, o: v[0] ^ v[1],
    "BOOL_NEGATE": lambda v, s, o: v[0] ^ 1,
}

LATCHES = ("A", "B", "result", "bus")
NAMES = (*LATCHES, "memory", *(f"r{i}" for i in range(16)), *(f"r{i} weight" for i in range(16)))
NET = {name: i for i, name in enumerate(NAMES)}
PER_NET = 33  # the whole word, then its bits


@dataclass
class Model:
    """The traces of one kernel in the model of its instruction set."""

    subject: Subject
    root: Path
    name: str = "isa:armv7m"
    listing: dict[int, str] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)

    ISAS = frozenset({"armv7m", "armv7em"})

    @staticmethod
    def why_not() -> str | None:
        """What is missing to run the model."""
        if missing := [name for name in ("pypcode", "capstone") if find_spec(name) is None]:
            return f"{missing[0]} is not installed; pip install './lab[leak]' brings it"
        if shutil.which(ARM[0]) is None:
            return f"{ARM[0]} is not installed. On Debian: apt-get install {ARM[1]}"
        return None

    def prepare(self) -> None:
        """Assemble and link the kernel."""
        import capstone

        from ..prove.build import image_of, linked

        at = BUFFERS
        for buffer, size in self.subject.sizes.items():
            self.places[buffer] = at
            at += (-(-size // 64) + 1) * 64  # with a gap, so that a store behind it is noticed
        if at > STACK - STACK_MAX:
            raise LabError(f"{self.subject.kernel.name}: its buffers do not fit into the memory")
        isa = self.subject.kernel.isa
        with tempfile.TemporaryDirectory(prefix="hanji-lab-") as folder:
            program = linked(self.root, self.subject.file, isa, Path(folder))
            self.image = image_of(program, isa)
            said = run([ARM[0].replace("gcc", "objdump"), "-d", "--no-show-raw-insn", program])
            self.code = program.read_bytes()
        for address, text in re.findall(r"^\s*([0-9a-f]+):\s+(.*)$", said, re.MULTILINE):
            self.listing[int(address, 16)] = " ".join(re.sub(r"\s(@|;|//) .*", "", text).split())
        if self.subject.kernel.symbol not in self.image.symbols:
            raise LabError(f"{self.subject.file.name} defines no {self.subject.kernel.symbol}")
        self.decoder = capstone.Cs(
            capstone.CS_ARCH_ARM, capstone.CS_MODE_THUMB | capstone.CS_MODE_MCLASS
        )
        self.decoder.detail = True
        self.sources: dict[int, tuple[str | None, str | None]] = {}

    def key(self) -> bytes:
        """What decides the traces, besides their inputs."""
        return self.code + Path(__file__).read_bytes()

    def tools(self) -> list[str]:
        """The versions on which the traces depend."""
        from importlib.metadata import version

        return [
            tool_version(ARM[0]),
            f"pypcode {version('pypcode')}",
            f"capstone {version('capstone')}",
        ]

    def net_names(self, net: int) -> list[str]:
        """The name of a word or a bit of one."""
        if net == ALL:
            return ["sum of all words"]
        slot, rest = divmod(net, len(NAMES) * PER_NET)
        which, bit = divmod(rest, PER_NET)
        word = f" of transfer {slot + 1}" if slot else ""
        return [f"{NAMES[which]}{f'[{bit - 1}]' if bit else ''}{word}"]

    def about(self) -> Mapping[str, int]:
        """How much is looked at."""
        return {"words": len(NAMES)}

    def _operands(self, pc: int) -> tuple[str | None, str | None]:
        """The registers that go into latches A and B."""
        if pc in self.sources:
            return self.sources[pc]
        import capstone

        code = self.image.code(pc) or b""
        insn = next(self.decoder.disasm(code, pc, 1), None)
        found: tuple[str | None, str | None] = (None, None)
        if insn is not None:
            name = insn.mnemonic.split(".")[0]
            registers = [
                insn.reg_name(one.reg) if one.type == capstone.arm.ARM_OP_REG else ""
                for one in insn.operands
            ]
            if name.startswith(MOVING) or (name.startswith("b") and name not in COMPUTING):
                registers = []
            elif not name.startswith(COMPARING):
                both = len(registers) == 2 and not name.startswith((*ONE_SOURCE, "rsb"))
                registers = registers if both else registers[1:]
            names = [self._called(one) for one in registers if one]
            if len(names) > 1:
                found = (names[0], names[-1])
            elif names:
                alone = name.startswith(ONE_SOURCE)
                found = (None, names[0]) if alone else (names[0], None)
        self.sources[pc] = found
        return found

    @staticmethod
    def _called(name: str) -> str:
        """capstone's name of a register as SLEIGH says it."""
        return {"sb": "r9", "sl": "r10", "fp": "r11", "ip": "r12"}.get(name, name)

    def _known(self) -> list[_Place]:
        """The buffers, and the stack that the header names; of C the compiler decides about it."""
        stack = self.subject.kernel.stack
        stack = STACK_MAX if stack is None else stack
        return [
            *(
                _Place(f"buffer {name!r}", self.places[name], size, name in self.subject.written)
                for name, size in self.subject.sizes.items()
            ),
            _Place(f"its {stack} bytes of stack", STACK - stack, stack, True),
        ]

    def traced(self, batch: Batch) -> tuple[Statistics, list[int], dict[str, Bytes]]:
        """The statistics of a batch, the address of each instruction, and the written buffers
        behind each call.
        """
        traces = len(batch.classes)
        m = _Machine(self.image, traces, self._known())
        for buffer, size in self.subject.sizes.items():
            held = batch.contents[buffer]
            padded = np.hstack([held, np.zeros((traces, -size % 4), np.uint8)])
            words = np.ascontiguousarray(padded).view("<u4")
            for i in range(words.shape[1]):
                m.memory[self.places[buffer] + 4 * i] = words[:, i].astype(np.uint64)
        for number, what in self.subject.arguments:
            if number > 3:
                raise LabError(f"{self.subject.kernel.name}: the model passes four arguments")
            value = self.places[what] if isinstance(what, str) else what
            m.write(self.image.registers[f"r{number}"], value)
        m.write(self.image.registers["sp"], STACK)
        m.write(self.image.registers["lr"], RETURN | 1)
        probe = _Probe(batch.classes)
        latches: dict[str, Value] = dict.fromkeys(LATCHES, 0)
        path: list[int] = []
        pc = self.image.symbols[self.subject.kernel.symbol]
        names = (*(f"r{i}" for i in range(13)), "sp", "lr")
        general = {name: self.image.registers[name] for name in names}
        where = f"{self.subject.kernel.name} on {self.name}"
        while pc & ~1 != RETURN & ~1:
            if len(path) >= STEPS_MOST:
                raise CaseError(f"{where}: the call did not end: an endless loop?")
            before = {name: m.register(name) for name in general}
            try:
                following = m.step(pc & ~1)
            except CaseError as problem:
                raise CaseError(f"{where}: {self.listing.get(pc)} at {pc:#x} {problem}") from None
            except Exception as problem:
                if type(problem).__name__ not in ("OpenError", "RefusedError"):
                    raise
                raise LabError(f"{where}: {problem}") from None
            self._look(probe, m, len(path), pc & ~1, before, latches)
            path.append(pc & ~1)
            pc = following
        after = {}
        for buffer in self.subject.written:
            size, base = self.subject.sizes[buffer], self.places[buffer]
            columns = [m.array(m.memory[base + 4 * i]) for i in range(-(-size // 4))]
            held = np.stack(columns, axis=1).astype("<u4").view(np.uint8)
            after[buffer] = held[:, :size]
        return probe.statistics(), path, after

    def _look(
        self,
        probe: _Probe,
        m: _Machine,
        step: int,
        pc: int,
        before: Mapping[str, Value],
        latches: dict[str, Value],
    ) -> None:
        def through(latch: str, value: Value, slot: int = 0) -> None:
            probe.distance(step, latch, latches[latch], value, slot)
            latches[latch] = value

        for latch, register in zip("AB", self._operands(pc), strict=True):
            if register is not None:
                through(latch, before.get(register, 0))  # pc is public
        for slot, (_, size, value) in enumerate(m.loads):
            through("bus", _repeated(value, size), slot)
            through("result", value, slot)
        for slot, (at, size, old, new) in enumerate(m.stores):
            moved = (new >> 8 * (at & 3)) & _width(size)
            through("bus", _repeated(moved, size), slot)
            probe.distance(step, "memory", old, new, slot)
        slot = 0
        for name, old in before.items():
            if m.image.registers[name][1] not in m.changed:
                continue
            new = m.register(name)
            number = {"lr": "r14", "sp": "r13"}.get(name, name)
            probe.distance(step, number, old, new)
            probe.distance(step, f"{number} weight", 0, new)
            if not m.loads and not m.stores:  # those leave an address behind, which clears nothing
                through("result", new, slot)
                slot += 1


def _repeated(value: Value, size: int) -> Value:
    """What a narrow transfer puts onto the bus."""
    for shift in (8, 16):
        if size * 8 <= shift:
            value = value | value << shift
    return value


class _Probe:
    """Sums of the words that an instruction shows."""

    def __init__(self, classes: Bytes) -> None:
        self.random = classes.astype(bool)
        self.chosen = np.stack([~self.random, self.random]).astype(np.float32)
        self.rows: list[tuple[int, int]] = []
        self.sums: list[npt.NDArray[np.int64]] = []
        self.totals: dict[int, npt.NDArray[np.int64]] = {}

    def distance(self, step: int, name: str, old: Value, new: Value, slot: int = 0) -> None:
        """Take the bits in which two words differ."""
        changed = old ^ new
        if isinstance(changed, int):
            return  # the same in all traces: nothing to test
        bits = np.unpackbits(
            np.ascontiguousarray(changed.astype("<u4")).view(np.uint8).reshape(-1, 4),
            axis=1, bitorder="little",
        )  # fmt: skip
        weight = bits.sum(axis=1, dtype=np.int64)
        base = (slot * len(NAMES) + NET[name]) * PER_NET
        squares = weight * weight
        whole = [weight[~self.random].sum(), weight[self.random].sum()]
        whole += [squares[~self.random].sum(), squares[self.random].sum()]
        ones = (self.chosen @ bits.astype(np.float32)).astype(np.int64)  # exact below 2**24 traces
        self.rows.append((step, base))
        self.rows += [(step, base + 1 + i) for i in range(32)]
        self.sums.append(np.array([whole]))
        self.sums.append(np.concatenate([ones, ones]).T)
        self.totals[step] = self.totals.get(step, np.zeros(len(weight), np.int64)) + weight

    def statistics(self) -> Statistics:
        """All sums, with that of all words of each instruction."""
        rows, sums = list(self.rows), list(self.sums)
        for step, weight in self.totals.items():
            squares = weight * weight
            rows.append((step, ALL))
            values = [
                part[kind].sum()
                for part in (weight, squares)
                for kind in (~self.random, self.random)
            ]
            sums.append(np.array([values]))
        traces = (int((~self.random).sum()), int(self.random.sum()))
        if not rows:
            return Statistics(traces, np.zeros((0, 2), np.int64), np.zeros((0, 4), np.int64))
        order = np.lexsort(np.array(rows).T[::-1])
        return Statistics(
            traces, np.array(rows, np.int64)[order], np.concatenate(sums)[order].astype(np.int64)
        )
