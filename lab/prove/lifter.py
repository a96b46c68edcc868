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
from unicorn import arm64_const, arm_const, riscv_const

from .graph import RUN_BYTES, RUNS, Bits, Graph
from .pcode import A64, ISA, Image, Machine, OpenError, in_file
from .thumb import ARMV6M, ARMV7EM, ARMV7M, ThumbImage, ThumbMachine
from .values import RefusedError, Value

CODE, DATA, PAGE = 0x1000000, 0x40000, 0x10000
REACH = 0x800000  # bytes of code on both sides, for branches
NEAR = 0x2000  # bytes of constants on both sides of an instruction of Thumb
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
GREATER = (("GE1", 16), ("GE2", 17), ("GE3", 18), ("GE4", 19))
CORES = {
    ARMV6M: arm_const.UC_CPU_ARM_CORTEX_M0,
    ARMV7M: arm_const.UC_CPU_ARM_CORTEX_M3,
    ARMV7EM: arm_const.UC_CPU_ARM_CORTEX_M4,
}
NOTHING = b"\x00\xbf"  # NOP of Thumb
SET, GET = bytes.fromhex("80f3008c"), bytes.fromhex("eff30080")  # MSR APSR_nzcvqg, r0; MRS r0, APSR


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
        value = in_file(value)
        if isinstance(value, int):
            return value & (1 << width) - 1
        return self.g.first(self.bits(value, width))


class FlatThumb(Flat, ThumbMachine):
    """The same on a Cortex-M, where constants lie around the code."""

    emulator: unicorn.Uc

    def load(self, address: Value, size: int) -> Value:
        at = self.concrete(address, 32)
        if CODE - REACH <= at <= CODE + REACH - size:
            return int.from_bytes(self.emulator.mem_read(at, size), "little")
        return super().load(at, size)


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
        word = int.from_bytes(_whole(image, pc), "little")
        name = image.mnemonic(pc).lower()
        key = name if forms is None else form(image, pc)
        if word not in found and count.get(key, 0) < of_each:
            count[key] = count.get(key, 0) + 1
            found[word] = name
    return found


def reached(image: Image, start: int) -> set[int]:
    """Where the instructions of a function begin, and of those that it calls."""
    places: set[int] = set()
    waiting = [start]
    while waiting:
        pc = waiting.pop()
        if pc in places or image.code(pc) is None:
            continue
        places.add(pc)
        following = [pc + image.length(pc)]
        if isinstance(image, ThumbImage) and (under := image.conditions(pc)):
            for _ in under:
                following.append(following[-1] + image.length(following[-1]))
        else:
            operations = image.operations(pc)
            if any(op[0] in ("BRANCH", "RETURN", "BRANCHIND") for op in operations):
                following = []
            jumps = [op for op in operations if op[0] in ("BRANCH", "CBRANCH", "CALL")]
            following += [op[1][0][1] for op in jumps if op[1][0][0] == "ram"]
        waiting += following
    return places


def _whole(image: Image, pc: int) -> bytes:
    """An instruction, in Thumb with all that stands under IT."""
    size = image.length(pc)
    if isinstance(image, ThumbImage):
        for _ in image.conditions(pc):
            size += image.length(pc + size)
    return image.bytes_at(pc, size) or b""


class Judge:
    """Compares single instructions of one instruction set, and in Thumb IT with its block."""

    start = CODE

    def __init__(self, isa: ISA, blank: Path, own: bool = True, seed: int = 1) -> None:
        self.isa, self.random = isa, random.Random(seed)
        self.symbols: dict[str, list[tuple[bytes, ...]]] | None = None
        self.image = (ThumbImage if isa in CORES else Image)(blank, isa)
        if not own:  # as SLEIGH has it
            self.image.isa = ISA(**{**vars(isa), "own": lambda image, word: None})
        self.flags: tuple[tuple[str, int], ...] = FLAGS if isa is A64 else ()
        if isa in CORES:
            self.emulator = unicorn.Uc(
                unicorn.UC_ARCH_ARM, unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS
            )
            self.emulator.ctl_set_cpu_model(CORES[isa])
            names = [*(f"r{i}" for i in range(13)), "lr", "sp"]
            self.known = {name: getattr(arm_const, f"UC_ARM_REG_{name.upper()}") for name in names}
            self.flags = FLAGS + (GREATER if isa is ARMV7EM else ())
            self.status, self.counter = arm_const.UC_ARM_REG_XPSR, arm_const.UC_ARM_REG_PC
            self.start = CODE | 1
        elif isa is A64:
            self.status, self.counter = arm64_const.UC_ARM64_REG_NZCV, arm64_const.UC_ARM64_REG_PC
            self.emulator = unicorn.Uc(unicorn.UC_ARCH_ARM64, unicorn.UC_MODE_ARM)
            self.emulator.ctl_set_cpu_model(arm64_const.UC_CPU_ARM64_MAX)
            self.known = {f"x{i}": _arm(f"X{i}") for i in range(31)} | {
                f"q{i}": _arm(f"Q{i}") for i in range(32)
            }
            self.known["sp"] = _arm("SP")
        else:
            self.status, self.counter = 0, riscv_const.UC_RISCV_REG_PC
            self.emulator = unicorn.Uc(unicorn.UC_ARCH_RISCV, unicorn.UC_MODE_RISCV32)
            low = [*(f"t{i}" for i in range(3)), "s0", "s1", *(f"a{i}" for i in range(8))]
            high = [*(f"s{i}" for i in range(2, 12)), *(f"t{i}" for i in range(3, 7))]
            names = ["ra", "sp", "gp", "tp", *low, *high]
            self.known = {name: _riscv(f"X{i + 1}") for i, name in enumerate(names)}
        # A load from the code is a fault, as in every state whose address is outside of the page.
        prot = unicorn.UC_PROT_EXEC | (unicorn.UC_PROT_READ if isa in CORES else 0)
        self.emulator.mem_map(CODE - REACH, 2 * REACH, prot)
        if isa in CORES:
            self.emulator.mem_write(CODE - NEAR, self.random.randbytes(2 * NEAR))
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
        if self.isa in CORES:  # a place in Thumb code, and none of an exception's return
            state["lr"] = 16 * PAGE + state["lr"] % (CODE // 4) | 1
        return state

    def judge(self, word: int, name: str) -> Finding | None:
        """None where all agree on ROUNDS states; an instruction that cannot run is a finding."""
        ran = 0
        for _ in range(40 * ROUNDS):
            state = self._state()
            memory = self.random.randbytes(PAGE)
            flags = {name: self.random.getrandbits(1) for name, _ in self.flags}
            expected = self._defined(word, name, state, memory, flags)
            if expected is None:
                continue  # an address outside of the page: another state
            for symbolic in (False, True):
                got = self._lifted(word, state, memory, flags, symbolic)
                if isinstance(got, str):
                    if "leaves Thumb state" in got:
                        break  # another state
                    if symbolic and got.startswith("public"):
                        continue
                    return Finding(name, word, got)
                for key, value in expected.items():
                    if got[key] != value:
                        kind = "symbolic" if symbolic else "on numbers"
                        return Finding(name, word, f"{key} differs, {kind}")
            else:
                ran += 1
            if ran == ROUNDS:
                return None
        return Finding(name, word, "no state runs")

    def _code(self, word: int) -> tuple[bytes, int]:
        """The bytes of an instruction, and how many instructions they are."""
        if self.isa not in CORES:
            return word.to_bytes(4, "little"), 1
        code = word.to_bytes((word.bit_length() + 15) // 16 * 2, "little")
        self.image.sections = [(CODE, code + 2 * NOTHING)]
        self.image.executable = [(CODE, CODE + len(code) + 2 * len(NOTHING))]
        assert isinstance(self.image, ThumbImage)
        return code, 1 + len(self.image.conditions(CODE))

    def _defined(
        self,
        word: int,
        name: str,
        state: Mapping[str, int],
        memory: bytes,
        flags: Mapping[str, int],
    ) -> dict[str, object] | None:
        if self.isa is not A64 and name in UNKNOWN:
            return self._zbkb(word, name, state, memory)
        emulator = self.emulator
        code, many = self._code(word)
        self._set_flags(flags)
        emulator.mem_write(CODE, code + (2 * NOTHING if self.isa in CORES else code))
        emulator.mem_write(DATA, memory)
        emulator.ctl_flush_tb()
        for key, value in state.items():
            emulator.reg_write(self.known[key], value)
        try:
            end = CODE + len(code) if many > 1 else CODE + REACH - 8
            emulator.emu_start(self.start, end, count=many + (many > 1))
        except unicorn.UcError as problem:  # a jump to where nothing is has been done
            if self.isa not in CORES or problem.errno != unicorn.UC_ERR_FETCH_UNMAPPED:
                return None
        found: dict[str, object] = {key: emulator.reg_read(self.known[key]) for key in state}
        found["memory"] = bytes(emulator.mem_read(DATA, PAGE))
        found["next"] = emulator.reg_read(self.counter)
        if self.flags:
            status = self._status()
            found |= {flag: status >> bit & 1 for flag, bit in self.flags}
        return found

    def _set_flags(self, flags: Mapping[str, int]) -> None:
        """Those of GE are written and read by instructions alone."""
        status = sum(flags[flag] << bit for flag, bit in self.flags)
        if self.isa is ARMV7EM:
            self.emulator.reg_write(self.known["r0"], status)
            self._ran(SET)
        elif self.flags:
            self.emulator.reg_write(self.status, status)

    def _status(self) -> int:
        if self.isa is ARMV7EM:
            self._ran(GET)
            return int(self.emulator.reg_read(self.known["r0"]))
        return int(self.emulator.reg_read(self.status))

    def _ran(self, code: bytes) -> None:
        """Run an instruction of the judge's own."""
        self.emulator.mem_write(CODE, code + 2 * NOTHING)
        self.emulator.ctl_flush_tb()
        self.emulator.emu_start(self.start, CODE + REACH - 8, count=1)

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
        """Inputs for all registers and flags, which have the state in run 0 and differ in others.
        The runs of an input that is 0 and of one that is 1 are made once, because thousands of
        states want them.
        """
        if self.symbols is None:
            draw = self.random.getrandbits
            self.symbols = {
                name: [
                    tuple((others | one).to_bytes(RUN_BYTES, "little") for one in (0, 1))
                    for _ in range(8 * self.image.registers[name][2] if name in self.known else 1)
                    for others in (draw(RUNS - 1) << 1,)
                ]
                for name in state
            }
        g, words = Graph(), dict[str, Bits]()
        for name, runs in self.symbols.items():
            value = state[name]
            chosen = [each[value >> i & 1] for i, each in enumerate(runs)]
            words[name] = tuple(map(g.new_input, chosen))
        return g, words

    def _lifted(
        self,
        word: int,
        state: Mapping[str, int],
        memory: bytes,
        flags: Mapping[str, int],
        symbolic: bool,
    ) -> dict[str, object] | str:
        g, symbols = Graph(), dict[str, Bits]()
        if symbolic:
            g, symbols = self._symbols({**state, **flags})
        image = self.image
        code, _ = self._code(word)
        image.sections = [(CODE, code + (2 * NOTHING if self.isa in CORES else 3 * code))]
        image.executable = [(CODE, CODE + len(image.sections[0][1]))]
        image._translated.clear()
        m: Flat
        if self.isa in CORES:
            m = FlatThumb(g, image, {})
            m.emulator = self.emulator
        else:
            m = Flat(g, image, {})
        m.memory = bytearray(memory)

        def held(value: int, name: str, width: int) -> int | Bits:
            if not symbolic or (name == "sp" and width > 1):
                return value
            return symbols[name]

        for name, value in state.items():
            m.set_register(name, held(value, name, 8 * image.registers[name][2]))
        for flag, value in flags.items():
            m.set_register(flag, held(value, flag, 1))
        try:
            following = m.step(CODE)
        except (RefusedError, OpenError) as problem:
            return f"public: {problem}" if symbolic else str(problem)
        got: dict[str, object] = {}
        for name in state:
            got[name] = m.concrete(m.register(name), 8 * image.registers[name][2])
        got |= {flag: m.concrete(m.register(flag), 8) & 1 for flag in flags}
        got["memory"] = bytes(m.memory)
        got["next"] = m.concrete(following, self.isa.width)
        return got


def _arm(name: str) -> int:
    found: int = getattr(arm64_const, f"UC_ARM64_REG_{name}")
    return found


def _riscv(name: str) -> int:
    found: int = getattr(riscv_const, f"UC_RISCV_REG_{name}")
    return found
