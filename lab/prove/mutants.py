# SPDX-License-Identifier: Apache-2.0
"""Mutants: one bit of one executed instruction is flipped, and the prover must not accept it.

A mutant that is accepted must be equivalent: EQUIVALENT says by which kind of change that can be,
and the emulator runs mutant and kernel on the same random inputs.
"""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..kernels import Kernel
from .avr import AvrImage
from .contracts import Task
from .engines import EngineTask
from .fields import FieldCall, FieldTask
from .fleets import FleetCall, FleetTask
from .forms import Forms
from .graph import Blind, Graph
from .induct import Call, registers_of
from .pcode import A64, RV32, Image
from .ptx import Instruction
from .ptx_sponges import SpongeLaunch, Sponges
from .ragged import call_of
from .report import Prover, Verdict, engine_call, proofs_of
from .solving import SolveCall, SolveTask, Tabled
from .thumb import ARGUMENTS, ThumbImage, place_of
from .x86 import REGISTERS, VECTORS, Operand, X86Image
from .x86 import Instruction as X86Instruction

SECONDS = 8.0  # of processor time for one mutant
# Bytes of associated data and of text of messages that an accepted mutant of an AEAD must do.
MESSAGES = [*((n, 33 - n) for n in range(0, 34, 3)), (70, 64), (16, 16), (0, 0)]
# Mnemonics before and behind the flip, and why both can mean the same.
DISJOINT = "the operands have no bit in common, so that or, xor and add are the same"
EQUIVALENT: dict[frozenset[str], str] = {
    frozenset(("or", "xor")): DISJOINT,
    frozenset(("or", "add")): DISJOINT,
    frozenset(("xor", "add")): DISJOINT,
    frozenset(("add", "sub")): "x + 2^31 = x - 2^31",
    frozenset(("orr", "eor")): DISJOINT,
    frozenset(("srli", "srai")): "the copies of the sign are masked, or the sign is zero",
    frozenset(("sri", "sli")): "no bit of the register is left over",
    frozenset(("bne", "blt")): "a count goes down to zero, or a number of rounds up to the last",
    frozenset(("bne", "bltu")): "a count goes down to zero, or a number of rounds up to the last",
    frozenset(("beq", "bge")): "a count goes down to zero, or a number of rounds up to the last",
    frozenset(("beq", "bgeu")): "a count goes down to zero, or a number of rounds up to the last",
    frozenset(("beq", "bcs")): "a number of rounds goes up to the last",
}


@dataclass(frozen=True)
class Mutant:
    """A flipped bit, in PTX a changed instruction, what it was and is, and the verdict."""

    kernel: str
    at: int
    bit: int
    before: str
    after: str
    verdict: Verdict
    same: bool = False  # whether an accepted one computes the same on random numbers

    @property
    def reason(self) -> str | None:
        """Why the mutant can be equivalent, if it can."""
        if re.sub(r", (lsl|lsr|asr|ror) #0x0$", "", self.after) == self.before:
            return "a shift by zero bits is none"
        if self.after.replace("s.w ", ".w ", 1) == self.before:
            return "nothing reads the flags"
        kinds = {re.sub("lsr|asr|ror", "shift", text) for text in (self.before, self.after)}
        if len(kinds) == 1 and self.before.startswith("and"):
            return "the bits that differ are masked"
        if re.sub(r", #0x0\]!$", "]", self.after) == self.before:
            return "an address that moves by zero bytes stays"
        if _halves(self.before, self.after):
            return "both are parts of one word in their places, and have no bit in common"
        names = frozenset(text.split()[0].removeprefix("c.") for text in (self.before, self.after))
        return EQUIVALENT.get(names)


def disassembled(image: Image, pc: int) -> str:
    """The instruction at an address as text."""
    if isinstance(image, AvrImage):
        return image.shown(pc)
    code = image.code(pc) or b""
    found = image.context.disassemble(code, pc, max_instructions=1).instructions
    return f"{found[0].mnem} {found[0].body}".lower() if found else "none"


def _first_run(image: Image, task: Task | FieldTask | EngineTask | FleetTask) -> Call:
    """A run of a task that ends well."""
    call: Call
    if isinstance(task, FieldTask):
        call = _field_call(image, task)
        call.prove()
    elif isinstance(task, EngineTask):
        call = engine_call(task)((Blind if task.blind else Graph)(seconds=60), image, task)
        call.prove(60)
    elif isinstance(task, FleetTask):
        call = fleet_call(image, task)
        call.prove()
    else:
        call = Call(Graph(seconds=SECONDS), image, task)
        call.fixed(1)
    return call


def _same(image: Image, task: Task | FieldTask, found: Verdict) -> bool:
    """Whether an accepted mutant of a field kernel computes the same on random numbers."""
    if found.verdict != "proved" or not isinstance(task, FieldTask):
        return False
    return all(_field_call(image, task).right_on_numbers(n) for n in range(2))


def _field_call(image: Image, task: FieldTask) -> FieldCall:
    if isinstance(task, SolveTask):
        return SolveCall(Tabled(seconds=SECONDS), image, task)
    return FieldCall(Forms(seconds=SECONDS), image, task)


def mutants(
    prover: Prover,
    kernel: Kernel,
    count: int,
    seed: int = 1,
    named: str = "",
    fleet: FleetTask | None = None,
) -> Iterator[Mutant]:
    """`count` mutants of a kernel; each is put to the proof of `fleet`, else of the kernel's first
    task whose name begins with `named`.
    """
    source = random.Random(f"{seed} {kernel.symbol}")
    image = prover.image(kernel)
    task = fleet or next(
        task
        for task in proofs_of(kernel)
        if isinstance(task, Task | FieldTask | EngineTask) and task.name.startswith(named)
    )
    call = _first_run(image, task)
    places = sorted(call.evidence.executed)
    quick = Prover(prover.root, prover.groups, SECONDS)
    for _ in range(count):
        at = source.choice(places)
        size = image.length(at)
        bit, old = source.randrange(8 * size), image.bytes_at(at, size)
        assert old is not None
        new = (int.from_bytes(old, "little") ^ 1 << bit).to_bytes(size, "little")
        before = disassembled(image, at)
        image.patched(at, new)
        try:
            blank = Verdict(kernel.name, kernel.symbol, kernel.spec, kernel.isa, "", "open")
            try:
                after = disassembled(image, at)
            except Exception:  # pypcode has no type for bytes that are no instruction
                after = "none"
            found = quick.proved(blank, image, [task])
            if fleet is None:
                same = isinstance(task, FieldTask) and _same(image, task, found)
            else:
                same = found.verdict == "proved" and fleet_call(image, fleet).right_on_numbers(1)
            yield Mutant(kernel.name, at, bit, before, after, found, same)
        finally:
            image.patched(at, old)


def ptx_mutants(prover: Prover, kernel: Kernel, count: int, seed: int = 1) -> Iterator[Mutant]:
    """`count` mutants of a kernel in PTX: of one instruction an operand is another register of the
    entry, a number is another one, or the name is that of another instruction.
    """
    source = random.Random(f"{seed} {kernel.symbol}")
    lines = prover.program(kernel).lines
    registers = {
        kind: sorted({o for one in lines for o in one.operands if re.fullmatch(rf"%{kind}\d+", o)})
        for kind in "rdp"
    }
    quick = Prover(prover.root, prover.groups, SECONDS)
    blank = Verdict(kernel.name, kernel.symbol, kernel.spec, kernel.isa, "", "open")
    done = 0
    while done < count:
        at = source.randrange(len(lines))
        changed = _changed(lines[at], registers, source)
        if changed is None:
            continue
        done += 1
        program = copy.copy(prover.program(kernel))
        program.lines = [*lines[:at], changed, *lines[at + 1 :]]
        listed = list(proofs_of(kernel))
        found = quick.proved(blank, program, listed)
        same = found.verdict == "proved" and all(
            Sponges(Graph(), program, task).on_numbers(MESSAGES) is None
            for task in listed
            if isinstance(task, SpongeLaunch)
        )
        yield Mutant(kernel.name, at, 0, _shown(lines[at]), _shown(changed), found, same)


# Names of x86-64 that are put in the place of each other.
X86_NAMES = (
    *(("vpaddd", "vpsubd"), ("vpaddq", "vpsubq"), ("vpaddw", "vpsubw"), ("vpxor", "vpand")),
    *(("vpxord", "vpandd"), ("vpxorq", "vpandq"), ("vpslld", "vpsrld"), ("vpsllq", "vpsrlq")),
    *(("vpsllw", "vpsrlw"), ("vprold", "vprord"), ("vprolq", "vprorq"), ("vpor", "vpand")),
    *(("vpunpckldq", "vpunpckhdq"), ("vpunpcklqdq", "vpunpckhqdq"), ("vpandn", "vpand")),
    *(("add", "sub"), ("xor", "and"), ("je", "jne"), ("rol", "ror"), ("shl", "shr")),
    *(("vpunpcklwd", "vpunpckhwd"), ("andn", "and"), ("mov", "lea"), ("push", "pop")),
)
X86_SWAPPED = dict((*X86_NAMES, *((b, a) for a, b in X86_NAMES[:-2])))


def x86_mutants(
    prover: Prover,
    kernel: Kernel,
    count: int,
    seed: int = 1,
    named: Sequence[str] = (),
    fleet: FleetTask | None = None,
) -> Iterator[Mutant]:
    """`count` mutants of a kernel for x86-64: of one executed instruction a register is another
    one that the kernel uses, a number or an offset has another bit, or the name is another one.
    Proved are the tasks whose names begin with one of `named`, without those the first, or `fleet`.
    """
    source = random.Random(f"{seed} {kernel.symbol}")
    image = prover.image(kernel)
    assert isinstance(image, X86Image)
    listed = list(proofs_of(kernel))
    chosen = (
        [task for task in listed if task.name.startswith(tuple(named))] if named else listed[:1]
    )
    if fleet is not None:
        chosen = [fleet]
    executed: set[int] = set()
    for task in chosen:
        assert isinstance(task, Task | FieldTask | EngineTask | FleetTask)
        call = _first_run(image, task)
        executed |= call.evidence.executed
    places = [pc for pc in sorted(executed) if image.instruction(pc).ops]
    used = sorted({op.register for pc in places for op in image.instruction(pc).ops if op.register})
    quick = Prover(prover.root, prover.groups, SECONDS)
    blank = Verdict(kernel.name, kernel.symbol, kernel.spec, kernel.isa, "", "open")
    done = 0
    while done < count:
        at = source.choice(places)
        old = image.instruction(at)
        new = _changed_x86(old, used, source)
        if new is None:
            continue
        done += 1
        image.decodes(at, new)
        try:
            found = quick.proved(blank, image, chosen)
            fields = [task for task in chosen if isinstance(task, FieldTask)]
            same = found.verdict == "proved" and all(_same(image, task, found) for task in fields)
            if fleet is not None:
                same = found.verdict == "proved" and fleet_call(image, fleet).right_on_numbers(1)
        except (AssertionError, IndexError):  # no instruction of the other name has these operands
            done -= 1
            continue
        finally:
            image.decodes(at, old)
        yield Mutant(kernel.name, at, 0, _said(old), _said(new), found, same)


def fleet_call(image: Image, task: FleetTask) -> FleetCall:
    """A call with a graph of its own."""
    g = (Blind if task.blind else Graph)(seconds=4 * SECONDS)
    g.known = {} if task.shared else None
    return call_of(task)(g, image, task)


def _said(one: X86Instruction) -> str:
    """The instruction as text, with what its operands became."""
    return " ".join([one.name, ", ".join(_operand(op) for op in one.ops)])


def _operand(op: Operand) -> str:
    if op.number is not None:
        return hex(op.number)
    if op.register:
        names = [name for name, node in REGISTERS.items() if node == op.register]
        return names[-1]
    return f"[{' + '.join(f'{name}*{k}' for name, k in op.terms)} + {op.offset:#x}]:{op.size}"


def _changed_x86(
    one: X86Instruction, used: Sequence[tuple[str, int, int]], source: random.Random
) -> X86Instruction | None:
    """Another instruction, or None where this one has nothing to change."""
    if one.name in X86_SWAPPED and source.random() < 0.4:
        return replace(one, name=X86_SWAPPED[one.name])
    i = source.randrange(len(one.ops))
    op = one.ops[i]
    if op.number is not None:
        if one.name[0] == "j" or one.name == "call":
            return None
        low = 1 << source.randrange(5)
        new = replace(op, number=op.number ^ low)
    elif op.register:
        others = [
            node for node in used if node != op.register and node[2] == op.register[2]
            and (node[1] < VECTORS) == (op.register[1] < VECTORS)
        ]  # fmt: skip
        if not others:
            return None
        new = replace(op, register=source.choice(others))
    else:
        new = replace(
            op, offset=op.offset + source.choice((-64, -32, -16, -4, -1, 1, 4, 8, 32, 64))
        )
    return replace(one, ops=(*one.ops[:i], new, *one.ops[i + 1 :]))


NAMES = (("add", "sub"), ("and", "or"), ("or", "xor"), ("xor", "and"), ("shl", "shr"))
PTX_NAMES = dict((*NAMES, *((b, a) for a, b in NAMES[:1]), ("l", "r"), ("r", "l"), ("lt", "le")))
PTX_NAMES |= {"gt": "ge", "ge": "gt", "eq": "ne", "ne": "eq", "addc": "add", "madc": "mad"}


def _shown(one: Instruction) -> str:
    """The instruction as text."""
    guard = f"@{'!' if one.negated else ''}{one.guard} " if one.guard else ""
    return f"{guard}{'.'.join(one.name)} {', '.join(one.operands)}"


def _halves(before: str, after: str) -> bool:
    """Whether two LOP3 differ only where both of their first operands are one."""
    pairs = [text.rpartition(", ") for text in (before, after)]
    if not before.startswith("lop3.b32 ") or pairs[0][0] != pairs[1][0]:
        return False
    return not (int(pairs[0][2], 0) ^ int(pairs[1][2], 0)) & 0x3F


def _changed(
    one: Instruction, registers: Mapping[str, list[str]], source: random.Random
) -> Instruction | None:
    """Another instruction, or None where this one has nothing to change."""
    places = [i for i, o in enumerate(one.operands) if i and re.fullmatch(r"%[rdp]\d+|-?\w+", o)]
    what = source.choice(("operand", "name", "guard"))
    if what == "operand" and places:
        i = source.choice(places)
        old = one.operands[i]
        if old.startswith("%"):
            others = [name for name in registers[old[1]] if name != old]
            new = source.choice(others) if others else None
        else:
            new = str(int(old, 0) ^ 1 << source.randrange(8)) if old[-1].isalnum() else None
        operands = (*one.operands[:i], new, *one.operands[i + 1 :]) if new else None
        return replace(one, operands=operands) if operands else None
    if what == "name" and any(part in PTX_NAMES for part in one.name[:2]):
        i = next(i for i, part in enumerate(one.name) if part in PTX_NAMES)
        return replace(one, name=(*one.name[:i], PTX_NAMES[one.name[i]], *one.name[i + 1 :]))
    if what == "guard" and one.guard:
        return (
            replace(one, negated=not one.negated)
            if source.random() < 0.5
            else replace(one, guard="")
        )
    return None


RETURNS = {A64.name: "c0035fd6", RV32.name: "67800000"}  # and in Thumb BX LR


class Emulated:
    """A kernel in the emulator, on inputs of a task."""

    STACK, BUFFERS, PAGE, BACK = 0x800000, 0x900000, 0x10000, 0x700000

    def __init__(self, image: Image, task: Task) -> None:
        import unicorn
        from unicorn import arm64_const, arm_const, riscv_const

        self.image, self.task = image, task
        self.state = int(isinstance(image, ThumbImage))  # of an address of code
        if isinstance(image, ThumbImage):
            mode = unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS
            self.machine = unicorn.Uc(unicorn.UC_ARCH_ARM, mode)
            self.machine.ctl_set_cpu_model(arm_const.UC_CPU_ARM_CORTEX_M4)
            prefix, names = "UC_ARM_REG_", arm_const
        elif image.isa is A64:
            self.machine = unicorn.Uc(unicorn.UC_ARCH_ARM64, unicorn.UC_MODE_ARM)
            self.machine.ctl_set_cpu_model(arm64_const.UC_CPU_ARM64_MAX)
            prefix, names = "UC_ARM64_REG_", arm64_const
        else:
            self.machine = unicorn.Uc(unicorn.UC_ARCH_RISCV, unicorn.UC_MODE_RISCV32)
            prefix, names = "UC_RISCV_REG_", riscv_const
        self.names, self.prefix = names, prefix
        self.error = unicorn.UcError
        self.machine.mem_map(0x10000, 0x100000)
        back = bytes.fromhex(RETURNS.get(task.isa.name, "7047"))
        for at in image.library:
            if at >= 0x110000:
                self.machine.mem_map(at, 0x1000)
            self.machine.mem_write(at, back)
            self.machine.hook_add(unicorn.UC_HOOK_CODE, self._library, begin=at, end=at)
        self.machine.mem_map(self.STACK, self.PAGE)
        self.machine.mem_map(self.BUFFERS, 16 * self.PAGE)
        self.machine.mem_map(self.BACK, 0x1000)

    def register(self, name: str) -> int:
        """The emulator's number of a register."""
        found: int = getattr(self.names, self.prefix + name.upper())
        return found

    def _library(self, machine: Any, at: int, size: int, data: object) -> None:
        """What memcpy and memset do, in front of their return."""
        target, source, many = (machine.reg_read(self.register(x)) for x in self.task.isa.passed)
        if self.image.library[at] == "memcpy":
            machine.mem_write(target, bytes(machine.mem_read(source, many)))
        else:
            machine.mem_write(target, bytes([source & 255]) * many)

    def run(self, contents: Mapping[str, bytes], groups: int) -> dict[str, bytes] | None:
        """The buffers behind a call; None where it faults."""
        for base, data in self.image.sections:
            self.machine.mem_write(base, data)
        if hasattr(self.machine, "ctl_flush_tb"):
            self.machine.ctl_flush_tb()
        places = {}
        for i, (name, data) in enumerate(contents.items()):
            places[name] = self.BUFFERS + i * self.PAGE
            self.machine.mem_write(places[name], data)
        stack = self.STACK + self.PAGE // 2
        self.machine.reg_write(self.register("sp"), stack)
        self.machine.reg_write(self.register(self.task.isa.link), self.BACK | self.state)
        for name, what in registers_of(self.task):
            value = self.task.values.get(str(what.get("value")), groups)
            if "buffer" in what:
                value = places.get(str(what["buffer"]), 0)
            place = place_of(name) if self.state else 0
            if place >= len(ARGUMENTS):
                at = stack + 4 * (place - len(ARGUMENTS))
                self.machine.mem_write(at, value.to_bytes(4, "little"))
                continue
            self.machine.reg_write(self.register(f"r{place}" if self.state else name), value)
        start = self.image.symbols[self.task.kernel.symbol] | self.state
        try:
            self.machine.emu_start(start, self.BACK, count=200_000)
        except self.error:
            return None
        return {
            name: bytes(self.machine.mem_read(places[name], len(data)))
            for name, data in contents.items()
        }


def random_contents(task: Task, groups: int, seed: int) -> dict[str, bytes]:
    """Random contents of all buffers of a task, apart."""
    source = random.Random(seed)
    lifted = task.lifted(Graph())
    sizes = {name: len(data) for name, data in lifted.fixed.items()}
    sizes |= dict.fromkeys((lifted.source, lifted.target), groups * lifted.size)
    return {name: source.randbytes(size) for name, size in sizes.items()}


def disagreement(
    image: Image, path: Path, mutant: Mutant, task: Task, runs: int = 20
) -> int | None:
    """The seed of inputs on which an accepted mutant and the kernel differ in the emulator."""
    other = (ThumbImage if isinstance(image, ThumbImage) else Image)(path, task.isa)
    other.library = image.library
    size = image.length(mutant.at)
    word = int.from_bytes(other.bytes_at(mutant.at, size) or b"", "little") ^ 1 << mutant.bit
    other.patched(mutant.at, word.to_bytes(size, "little"))
    right, wrong = Emulated(image, task), Emulated(other, task)
    for seed in range(runs):
        contents = random_contents(task, 2, seed)
        if right.run(contents, 2) != wrong.run(contents, 2):
            return seed
    return None
