# SPDX-License-Identifier: Apache-2.0
"""The lifter against an emulator: instructions that proved kernels use, on random states.

Every instruction runs twice in the prover, on numbers and on symbolic words whose first runs are
those numbers, and once in unicorn; registers, flags, memory and the next address must agree. What
unicorn does not know (Zbkb) is compared with definitions of its own here.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import unicorn
from unicorn import arm64_const, riscv_const

from .graph import ONES, RUNS, Bits, Graph
from .pcode import A64, ISA, Image, Machine, OpenError
from .values import RefusedError, Value

CODE, DATA, PAGE = 0x1000000, 0x40000, 0x10000
REACH = 0x800000  # bytes of code on both sides, for branches
ROUNDS = 4
# Not in unicorn: what the instructions of Zbkb make of rs1, rs2 and the number in the place of rs2
# (RISC-V Cryptography Extensions Volume I 1.0, section 3). SLEIGH calls zip and unzip by the names
# of a draft.
UNKNOWN: dict[str, Callable[[int, int, int], int]] = {
    "pack": lambda a, b, _: a & 0xFFFF | (b & 0xFFFF) << 16,
    "andn": lambda a, b, _: a & (b ^ 0xFFFFFFFF),
    "orn": lambda a, b, _: a | b ^ 0xFFFFFFFF,
    "rori": lambda a, _, n: (a << 32 | a) >> n & 0xFFFFFFFF,
    "shfli": lambda a, _, n: _bits(f"{a:032b}"[i // 2 + 16 * (i % 2)] for i in range(32)),
    "unshfli": lambda a, _, n: int(f"{a:032b}"[::2] + f"{a:032b}"[1::2], 2),
}
FLAGS = (("NG", 31), ("ZR", 30), ("CY", 29), ("OV", 28))


def _bits(digits: Iterable[str]) -> int:
    return int("".join(digits), 2)


@dataclass(frozen=True)
class Finding:
    """An instruction for which the lifter and the emulator disagree."""

    mnemonic: str
    word: int
    what: str


class Flat(Machine):
    """A machine whose addresses are numbers, over one page of memory."""

    memory: bytearray

    def load(self, address: Value, size: int) -> Value:
        at = self._flat(address, size)
        return int.from_bytes(self.memory[at : at + size], "little")

    def store(self, address: Value, value: Value, size: int) -> None:
        at = self._flat(address, size)
        number = self.concrete(value, 8 * size)
        self.memory[at : at + size] = number.to_bytes(size, "little")

    def _flat(self, address: Value, size: int) -> int:
        if not isinstance(address, int):
            address = self.concrete(address, self.isa.width)
        if not DATA <= address <= DATA + PAGE - size:
            raise OpenError(f"{address:#x} is no address of the test")
        return address - DATA

    def concrete(self, value: Value, width: int) -> int:
        """The number that a value has in run 0."""
        if isinstance(value, int):
            return value & (1 << width) - 1
        values = self.g.values
        bits = self.bits(value, width)
        return _bits(["01"[(values[x >> 1] ^ x) & 1] for x in reversed(bits)])


def form(image: Image, pc: int) -> str:
    """The mnemonic at an address, and the lanes of its vectors."""
    code = image.bytes_at(pc, 4) or b""
    one = image.context.disassemble(code, pc, max_instructions=1).instructions[0]
    return " ".join([image.mnemonic(pc).lower(), *re.findall(r"\.\d*[bhsd]\b", one.body.lower())])


def instructions(
    image: Image, executed: set[int], of_each: int = 6, forms: dict[str, int] | None = None
) -> dict[int, str]:
    """Instruction words and their mnemonics: some of each mnemonic among those executed; with
    `forms`, which counts what files before had, some of each mnemonic for the same lanes.
    """
    count = {} if forms is None else forms
    found: dict[int, str] = {}
    for pc in sorted(executed):
        word = int.from_bytes(image.bytes_at(pc, 4) or b"", "little")
        name = image.mnemonic(pc).lower()
        key = name if forms is None else form(image, pc)
        if word not in found and count.get(key, 0) < of_each:
            count[key] = count.get(key, 0) + 1
            found[word] = name
    return found


class Judge:
    """Compares single instructions of one instruction set."""

    def __init__(self, isa: ISA, blank: Path, own: bool = True, seed: int = 1) -> None:
        self.isa, self.random = isa, random.Random(seed)
        self.symbols: tuple[Graph, dict[str, Bits]] | None = None
        self.image = Image(blank, isa)
        if not own:  # as SLEIGH has it
            self.image.isa = ISA(**{**vars(isa), "own": lambda image, word: None})
        if isa is A64:
            self.emulator = unicorn.Uc(unicorn.UC_ARCH_ARM64, unicorn.UC_MODE_ARM)
            self.emulator.ctl_set_cpu_model(arm64_const.UC_CPU_ARM64_MAX)
            self.known = {f"x{i}": _arm(f"X{i}") for i in range(31)} | {
                f"q{i}": _arm(f"Q{i}") for i in range(32)
            }
            self.known["sp"] = _arm("SP")
        else:
            self.emulator = unicorn.Uc(unicorn.UC_ARCH_RISCV, unicorn.UC_MODE_RISCV32)
            low = [*(f"t{i}" for i in range(3)), "s0", "s1", *(f"a{i}" for i in range(8))]
            high = [*(f"s{i}" for i in range(2, 12)), *(f"t{i}" for i in range(3, 7))]
            names = ["ra", "sp", "gp", "tp", *low, *high]
            self.known = {name: _riscv(f"X{i + 1}") for i, name in enumerate(names)}
        # A load from the code is a fault, as in every state whose address is outside of the page.
        self.emulator.mem_map(CODE - REACH, 2 * REACH, unicorn.UC_PROT_EXEC)
        self.emulator.mem_map(DATA, PAGE)

    def _state(self) -> dict[str, int]:
        """A random state: in half of all rounds, general registers are addresses of the page
        and small numbers."""
        addresses = self.random.random() < 0.5
        state = {}
        for name in self.known:
            size = 8 * self.image.registers[name][2]
            near = DATA + PAGE // 2 + 16 * self.random.randrange(64)
            value = self.random.getrandbits(size)
            if self.random.random() < 0.2:
                value = self.random.choice((0, 1, (1 << size) - 1, 1 << (size - 1)))
            if addresses and not name.startswith("q"):  # a base, or an index
                value = near if self.random.random() < 0.6 else self.random.randrange(8)
            state[name] = value
        state["sp"] = DATA + PAGE // 2 + 16 * self.random.randrange(64)
        return state

    def judge(self, word: int, name: str) -> Finding | None:
        """None where all agree on ROUNDS states; an instruction that cannot run is a finding."""
        ran = 0
        for _ in range(40 * ROUNDS):
            state = self._state()
            memory = self.random.randbytes(PAGE)
            flags = self.random.getrandbits(4)
            expected = self._defined(word, name, state, memory, flags)
            if expected is None:
                continue  # an address outside of the page: another state
            for symbolic in (False, True):
                got = self._lifted(word, state, memory, flags, symbolic)
                if isinstance(got, str):
                    if symbolic and got.startswith("public"):
                        continue
                    return Finding(name, word, got)
                for key, value in expected.items():
                    if got[key] != value:
                        kind = "symbolic" if symbolic else "on numbers"
                        return Finding(name, word, f"{key} differs, {kind}")
            ran += 1
            if ran == ROUNDS:
                return None
        return Finding(name, word, "no state runs")

    def _defined(
        self, word: int, name: str, state: Mapping[str, int], memory: bytes, flags: int
    ) -> dict[str, object] | None:
        if self.isa is not A64 and name in UNKNOWN:
            return self._zbkb(word, name, state, memory)
        emulator = self.emulator
        emulator.mem_write(CODE, word.to_bytes(4, "little") * 2)
        emulator.mem_write(DATA, memory)
        emulator.ctl_flush_tb()
        for key, value in state.items():
            emulator.reg_write(self.known[key], value)
        if self.isa is A64:
            emulator.reg_write(arm64_const.UC_ARM64_REG_NZCV, flags << 28)
        try:
            emulator.emu_start(CODE, CODE + REACH - 8, count=1)
        except unicorn.UcError:
            return None
        found: dict[str, object] = {key: emulator.reg_read(self.known[key]) for key in state}
        found["memory"] = bytes(emulator.mem_read(DATA, PAGE))
        if self.isa is A64:
            status = emulator.reg_read(arm64_const.UC_ARM64_REG_NZCV)
            found |= {flag: status >> bit & 1 for flag, bit in FLAGS}
            found["next"] = emulator.reg_read(arm64_const.UC_ARM64_REG_PC)
        else:
            found["next"] = emulator.reg_read(riscv_const.UC_RISCV_REG_PC)
        return found

    def _zbkb(
        self, word: int, name: str, state: Mapping[str, int], memory: bytes
    ) -> dict[str, object]:
        names = ["zero", *self.known]
        value = {**state, "zero": 0}
        second = word >> 20 & 31
        made: dict[str, object] = dict(state)
        if word >> 7 & 31:
            made[names[word >> 7 & 31]] = UNKNOWN[name](
                value[names[word >> 15 & 31]], value[names[second]], second
            )
        return made | {"memory": memory, "next": CODE + 4}

    def _symbols(self, state: Mapping[str, int]) -> tuple[Graph, dict[str, Bits]]:
        """Inputs for all registers and flags, which have the state in run 0 and differ in others:
        a copy of those made first, because thousands of runs want some.
        """
        if self.symbols is None:
            draw, made = self.random.getrandbits, Graph()
            words = {
                name: tuple(
                    made.input(name, i, draw(RUNS - 1) << 1)
                    for i in range(8 * self.image.registers[name][2] if name in self.known else 1)
                )
                for name in state
            }
            self.symbols = made, words
        (made, words), g = self.symbols, Graph()
        g.kind, g.left, g.right = made.kind[:], made.left[:], made.right[:]
        g.names, g.values = made.names, made.values[:]
        for name, value in state.items():
            n = words[name][0] >> 1
            for digit in reversed(f"{value:0{len(words[name])}b}"):
                g.values[n] |= digit == "1"
                n += 1
        g.alike |= {v ^ ONES if v & 1 else v: [2 * n | v & 1] for n, v in enumerate(g.values) if n}
        return g, words

    def _lifted(
        self, word: int, state: Mapping[str, int], memory: bytes, flags: int, symbolic: bool
    ) -> dict[str, object] | str:
        g, symbols = Graph(), dict[str, Bits]()
        if symbolic:
            bits = {flag: flags >> bit - 28 & 1 for flag, bit in FLAGS}
            g, symbols = self._symbols({**state, **bits})
        image = self.image
        image.sections = [(CODE, word.to_bytes(4, "little") * 4)]
        image._translated.clear()
        m = Flat(g, image, {})
        m.memory = bytearray(memory)

        def held(value: int, name: str, width: int) -> int | Bits:
            if not symbolic or (name == "sp" and width > 1):
                return value
            return symbols[name]

        for name, value in state.items():
            m.set_register(name, held(value, name, 8 * image.registers[name][2]))
        if self.isa is A64:
            for flag, bit in FLAGS:
                m.set_register(flag, (held(flags >> bit - 28 & 1, flag, 1), 0)[0])
        try:
            following = m.step(CODE)
        except (RefusedError, OpenError) as problem:
            return f"public: {problem}" if symbolic else str(problem)
        got: dict[str, object] = {}
        for name in state:
            got[name] = m.concrete(m.register(name), 8 * image.registers[name][2])
        if self.isa is A64:
            got |= {flag: m.concrete(m.register(flag), 8) & 1 for flag, _ in FLAGS}
        got["memory"] = bytes(m.memory)
        got["next"] = m.concrete(following, self.isa.width)
        return got


def _arm(name: str) -> int:
    found: int = getattr(arm64_const, f"UC_ARM64_REG_{name}")
    return found


def _riscv(name: str) -> int:
    found: int = getattr(riscv_const, f"UC_RISCV_REG_{name}")
    return found
