# SPDX-License-Identifier: Apache-2.0
"""The rules for x86-64 against a processor: instructions of kernels, on random states.

Every instruction runs in the prover on numbers and on symbolic words whose first run is those
numbers, and once natively (native.c); registers, masks, flags, memory and the next address must
agree. Addresses are made to lie in one page of memory, and jumps to go to one place.
"""

from __future__ import annotations

import random
import re
import struct
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import capstone

from ..checkout import find_program, run
from .elf import Elf
from .graph import Graph
from .lifter import Finding
from .pcode import Cell, OpenError, in_file
from .values import Cond, RefusedError, Unreadable, Value
from .x86 import (
    MASKS,
    NAMES,
    REGISTERS,
    VECTORS,
    X86,
    Flags,
    Instruction,
    Operand,
    X86Image,
    X86Machine,
    decoded,
)

CODE, DATA, PAGE, TAKEN = 0x50000000, 0x50010000, 4096, 0x40
STATE = struct.Struct(f"<16QQ8Q2048s{PAGE}s16sQQQ")
NARROW = ("avx2", "bmi1", "bmi2", "pclmulqdq")
NEEDED = ("avx512bw", "avx512dq", "avx512vl", "avx512vbmi", "avx512_vbmi2", "gfni", "bmi2")
FLAGS = {"b": 0, "e": 6, "s": 7, "o": 11}  # condition -> its bit of RFLAGS
MIDDLE = DATA + PAGE // 2


def able(wide: bool = True) -> bool:
    """Whether this processor has the instructions of all kernels, or of those for AVX2 alone."""
    try:
        words = Path("/proc/cpuinfo").read_text().split()
    except OSError:
        return False
    return set(NEEDED if wide else NARROW) <= set(words)


@dataclass
class State:
    """What a processor holds."""

    general: list[int]
    flags: int
    masks: list[int]
    vectors: bytearray
    data: bytearray
    code: bytes = b""
    taken: int = 0
    fault: int = 0

    def packed(self) -> bytes:
        """As native.c takes it."""
        return STATE.pack(
            *self.general,
            self.flags,
            *self.masks,
            bytes(self.vectors),
            bytes(self.data),
            self.code,
            len(self.code),
            0,
            0,
        )

    @staticmethod
    def unpacked(data: bytes) -> State:
        """What native.c gives."""
        made = STATE.unpack(data)
        return State(
            list(made[:16]),
            made[16],
            list(made[17:25]),
            bytearray(made[25]),
            bytearray(made[26]),
            taken=made[29],
            fault=made[30],
        )


class Given(Flags):
    """Flags that a state has: numbers, or inputs of a graph whose first run has them."""

    def __init__(self, bits: int, g: Graph | None = None) -> None:
        super().__init__("given", 0, 0, 0, 64)
        held: dict[str, Value] = {name: bits >> at & 1 for name, at in FLAGS.items()}
        if g is not None:
            held = {
                name: (g.input(f"flag {name}", 0, bits >> at & 1), *(0,) * 7)
                for name, at in FLAGS.items()
            }
        object.__setattr__(self, "held", held)

    def _bit(self, name: str) -> Value:
        held: dict[str, Value] = self.__dict__["held"]
        return held[name]

    def _joined(self, m: X86Machine, how: str, a: Value, b: Value) -> Value:
        return m._alu(how, [a, b], [8, 8], 8)

    def equal(self, m: X86Machine) -> Value:
        return self._bit("e")

    def below(self, m: X86Machine) -> Value:
        return self._bit("b")

    def below_or_equal(self, m: X86Machine) -> Value:
        return self._joined(m, "BOOL_OR", self._bit("b"), self._bit("e"))

    def sign(self, m: X86Machine) -> Value:
        return self._bit("s")

    def overflow(self, m: X86Machine) -> Value:
        return self._bit("o")

    def less(self, m: X86Machine) -> Value:
        return self._joined(m, "BOOL_XOR", self._bit("s"), self._bit("o"))

    def less_or_equal(self, m: X86Machine) -> Value:
        return self._joined(m, "BOOL_OR", self.less(m), self._bit("e"))


class Flat(X86Machine):
    """A machine whose addresses are numbers, over one page of memory."""

    memory: bytearray

    def concrete(self, value: Value, width: int) -> int:
        """The number that a value has in run 0."""
        return self.g.first(self.bits(in_file(value), width))

    def readable(self, at: int) -> bool:
        """Whether a byte of a register is one that the rules give a value."""
        return not isinstance(self._row("register", at, 1)[0][0], Unreadable)

    def _flat(self, op: Operand, size: int) -> int:
        if op.segment:
            raise OpenError("no segment is tested")
        address = self.concrete(in_file(self.address(op)), 64)
        if not DATA <= address <= DATA + PAGE - size:
            raise OpenError(f"{address:#x} is no address of the test")
        return address - DATA

    def loaded(self, op: Operand, size: int) -> list[Cell]:
        at = self._flat(op, size)
        return [(byte, 0, 1) for byte in self.memory[at : at + size]]

    def stored(self, op: Operand, cells: Sequence[Cell]) -> None:
        at = self._flat(op, len(cells))
        cells = [(in_file(value), i, size) for value, i, size in cells]
        self.memory[at : at + len(cells)] = self.concrete(
            self.joined(list(cells)), 8 * len(cells)
        ).to_bytes(len(cells), "little")

    def _within_stack(self, name: str, lowest: int, pointers: Sequence[Value]) -> None:
        return


def form(one: Instruction) -> str:
    """The instruction without the numbers of its registers and without its addresses."""
    text = re.sub(r"\[[^]]*\]", "[]", one.text)
    text = re.sub(r"\b([xyz]mm|k)\d+", r"\1", text)
    text = re.sub(r"\b(r\d+[dwb]?|[er]?[abcd]x|[abcd]l|[er]?[sd]il?|[er]?[sb]pl?)\b", "r", text)
    return re.sub(r"-?\b(0x[0-9a-f]+|\d+)\b", "n", text)


def instructions(image: X86Image, functions: Iterable[str], of_each: int = 1) -> dict[str, int]:
    """Instructions of functions by their bytes in hexadecimal: some of every form. A function ends
    where another begins.
    """
    starts = sorted(set(image.symbols.values()))
    count: dict[str, int] = {}
    found: dict[str, int] = {}
    for name in functions:
        at = image.symbols[name]
        end = next((start for start in starts if start > at), at + (1 << 20))
        while at < end and image.fetched(at, 1):
            try:
                one = image.instruction(at)
            except OpenError:
                break
            key = form(one)
            if count.get(key, 0) < of_each and "fs:" not in one.text:
                count[key] = count.get(key, 0) + 1
                code = image.bytes_at(at, one.length)
                assert code is not None
                found[code.hex()] = at
            at = one.following
    return found


def blank() -> X86Image:
    """An image without code, for instructions that a judge puts there."""
    image = X86Image.__new__(X86Image)
    image.isa, image.registers, image.sections, image.executable = X86, REGISTERS, [], []
    image.decoder = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
    image._decoded, image.elsewhere = {}, {}
    return image


def _part(name: str, size: int) -> str:
    """What the low bytes of a general register are called."""
    at = REGISTERS[name][1]
    return next(
        one for one, node in REGISTERS.items() if node == ("register", at, size) and one != "sp"
    )


GENERAL = (*range(4), *range(10, 16))  # numbers of registers that no address of an example has
PARTS = {
    "r64": [NAMES[i] for i in GENERAL],
    "r32": [_part(NAMES[i], 4) for i in GENERAL],
    "r16": [_part(NAMES[i], 2) for i in GENERAL],
    "r8": [_part(NAMES[i], 1) for i in GENERAL],
    "h8": ["ah", "ch", "dh", "bh"],
    "k": [f"k{i}" for i in range(1, 8)],
}
POINTERS = {0: "", 1: "byte", 2: "word", 4: "dword", 8: "qword"}
POINTERS |= {16: "xmmword", 32: "ymmword", 64: "zmmword"}
ADDRESSES = ("[rsi]", "[rsi+0x40]", "[rsi+4*r9-8]", "[rbp+r9]", "[rip+0x1000]")
NUMBERS = (0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 137, 255)
BY_CL = ("shl", "shr", "sar", "rol", "ror", "shrd")


def example(form: str, source: random.Random, most: int, number: int | None = None) -> str:
    """An instruction of a form in the syntax of GNU as: registers of vectors have numbers below
    `most`, the immediate is `number` unless that is none.
    """
    name, _, kinds = form.rpartition(" ") if form != "rep stosq" else ("", "", "")
    if not kinds or not name or name == "rep stosq":
        return name or form
    said = []
    for i, kind in enumerate(kinds.split(",")):
        kind, brace, mask = kind.partition("{")
        if kind == "i" and (name[0] == "j" or name == "call"):
            text = ".+64"
        elif kind == "i":
            text = str(source.choice(NUMBERS) if number is None else number)
        elif kind[0] in "xyz":
            text = f"{kind}mm{source.randrange(most)}"
        elif kind == "r8" and i and name in BY_CL:
            text = "cl"
        elif kind[0] == "m":
            size, _, times = kind[1:].partition("b")
            pointer = f"{POINTERS[int(size)]} ptr " if int(size) else ""
            text = pointer + source.choice(ADDRESSES) + (f"{{1to{times}}}" if times else "")
        else:  # ah to dh are in no instruction with a register that has no older name
            text = source.choice(PARTS[kind][: 4 if "h8" in kinds else None])
            if name == "div" and text.endswith("dx"):  # the quotient by the high half never fits
                text = text.replace("d", "b")
        if brace:
            text += (brace + mask).replace("{k}", f"{{k{source.randrange(1, 8)}}}")
        said.append(text)
    prefix = "{evex} " if name.endswith("!") and "{" not in kinds and "z" not in kinds else ""
    return f"{prefix}{name.rstrip('!')} {', '.join(said)}"


def assembled(texts: Sequence[str], folder: Path) -> list[bytes | None]:
    """The machine code of each text; None where GNU as takes no such instruction."""
    find_program("as", "binutils", "the prover")
    path, made = folder / "examples.s", folder / "examples.o"
    lines = list(texts)
    for _ in range(2):
        body = "".join(f"at_{i}: {text}\n" for i, text in enumerate(lines))
        path.write_text(f".intel_syntax noprefix\n{body}at_end:\n")
        done = subprocess.run(
            ["as", "--64", str(path), "-o", str(made)], capture_output=True, text=True, check=False
        )
        if not done.returncode:
            break
        for number in re.findall(r":(\d+): Error", done.stderr):
            lines[int(number) - 2] = ""
    file = Elf(made.read_bytes())
    places, code = file.places(), next(one.data for one in file.sections if one.name == ".text")
    ends = [*(places[f"at_{i}"] for i in range(1, len(lines))), places["at_end"]]
    return [code[places[f"at_{i}"] : end] if lines[i] else None for i, end in enumerate(ends)]


@dataclass
class Judge:
    """Compares single instructions with this processor, which is `wide` where it has AVX-512."""

    image: X86Image
    directory: Path
    seed: int = 1
    wide: bool = True
    names: set[str] = field(default_factory=set)
    forms: set[str] = field(default_factory=set)  # of what was compared
    partly: bool = False  # whether a rule may leave open what some examples of a form do
    beside: int = 0  # bytes that addresses of memory are past a multiple of 64

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.image.alignments = [(DATA, DATA + PAGE, PAGE)]
        self.decoder = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
        self.decoder.detail = True
        find_program("gcc", "gcc", "the prover")
        self.program = self.directory / "native"
        source = Path(__file__).with_name("native.c")
        flags = ["-O1", "-no-pie"]
        flags += ["-mavx512f", "-mavx512bw"] if self.wide else ["-mavx2", "-DNARROW"]
        run(["gcc", *flags, source, "-o", self.program])

    def _state(self) -> State:
        draw = self.random.getrandbits
        vectors = bytearray(self.random.randbytes(2048))
        if self.random.random() < 0.4:  # small numbers, for the amounts of shifts
            vectors = bytearray(b"".join(struct.pack("<Q", draw(6)) for _ in range(2048 // 8)))
        if not self.wide:  # what such a processor does not have is zero, and stays so
            for i in range(32):
                vectors[64 * i + (32 if i < 16 else 0) : 64 * i + 64] = bytes(32 if i < 16 else 64)
        general = [draw(self.random.choice((4, 32, 64))) for _ in range(16)]
        general[4] = MIDDLE
        flags = 2 | sum(draw(1) << bit for bit in FLAGS.values())
        return State(
            general, flags, [draw(64) * self.wide for _ in range(8)], vectors,
            bytearray(self.random.randbytes(PAGE)),
        )  # fmt: skip

    def _placed(self, code: bytes, state: State) -> bytes:
        """The code with jumps to TAKEN and addresses in the page; the state is made to fit."""
        raw = next(self.decoder.disasm(code, CODE, 1))
        changed = bytearray(code)
        one = decoded(self.decoder, code, CODE)
        memory = [op for op in one.ops if op.memory]
        if one.name in ("call", "jmp") and one.ops[0].register:  # of a switch
            state.general[one.ops[0].register[1] // 8] = CODE + TAKEN
        elif one.name == "call" or one.name[0] == "j":
            size, at = raw.imm_size, raw.imm_offset
            changed[at : at + size] = (TAKEN - len(code)).to_bytes(size, "little", signed=True)
        if one.name == "ret":
            at = state.general[4] - DATA
            state.data[at : at + 8] = (CODE + TAKEN).to_bytes(8, "little")
        if one.name == "div" and one.ops[0].register:  # no fault
            state.general[NAMES.index("rdx")] = 0
            state.general[one.ops[0].register[1] // 8] |= 1
        if one.name == "rep stosq":
            state.general[NAMES.index("rcx")] = self.random.randrange(8)
        if one.name == "leave":
            state.general[5] = MIDDLE + 8 * self.random.randrange(8)
        wanted = MIDDLE + 64 * self.random.randrange(-8, 8) + self.beside
        for op in memory:
            if "rip" in one.text:
                at = raw.disp_offset
                changed[at : at + 4] = (wanted - CODE - len(code)).to_bytes(
                    4, "little", signed=True
                )
                continue
            singles = [name for name, factor in op.terms if factor == 1]
            if not singles and one.name == "lea":  # which takes any address
                continue
            if not singles:
                raise OpenError(f"no state for {one.text}")
            base = singles[0]
            rest = op.offset
            for name, factor in op.terms:
                if name != base:
                    state.general[NAMES.index(name)] = self.random.randrange(8)
                    rest += factor * state.general[NAMES.index(name)]
            state.general[NAMES.index(base)] = (wanted - rest) % (1 << 64)
        return bytes(changed)

    def judge(self, codes: Iterable[str], rounds: int = 3) -> list[Finding]:
        """Those of the instructions for which prover and processor disagree."""
        listed: list[tuple[str, State]] = []
        findings = []
        for code in codes:
            for _ in range(rounds):
                state = self._state()
                try:
                    state.code = self._placed(bytes.fromhex(code), state)
                except OpenError as problem:
                    findings.append(Finding(code, 0, str(problem)))
                    break
                listed.append((code, state))
        given = b"".join(state.packed() for _, state in listed)
        done = subprocess.run([self.program], input=given, capture_output=True, check=True)
        for i, (code, state) in enumerate(listed):
            result = State.unpacked(done.stdout[i * STATE.size : (i + 1) * STATE.size])
            findings += self._compared(code, state, result)
        return findings

    def _compared(self, code: str, state: State, result: State) -> list[Finding]:
        one = decoded(self.decoder, state.code, CODE)
        self.names.add(one.name)
        if result.fault and self.beside:
            try:
                self._lifted(state, result, False)
            except (OpenError, RefusedError):
                return []  # as it must be: the access is not aligned
        if result.fault:
            return [Finding(one.name, 0, f"{one.text}: signal {result.fault}")]
        ran = False
        for symbolic in (False, True):
            try:
                wrong = self._lifted(state, result, symbolic)
            except (OpenError, RefusedError) as problem:
                if self.partly and not symbolic and isinstance(problem, OpenError):
                    return []
                if symbolic or (self.beside and isinstance(problem, RefusedError)):
                    continue  # an address, a count or a place that must be a number
                wrong = str(problem)
            ran = True
            if wrong:
                kind = "symbolic" if symbolic else "on numbers"
                return [Finding(one.name, 0, f"{one.text} ({code}): {wrong}, {kind}")]
        self.forms.add(one.form)
        return [] if ran or self.beside else [Finding(one.name, 0, f"{one.text}: no state runs")]

    def _lifted(self, state: State, result: State, symbolic: bool) -> str:
        g = Graph()
        image = self.image
        kept = image.sections, image.executable
        image.sections = [(CODE, state.code + bytes(16))]
        image.executable = [(CODE, CODE + len(state.code) + 16)]
        image._decoded.clear()
        try:
            m = Flat(g, image, {})
            m.memory = bytearray(state.data)
            one = image.instruction(CODE)
            bases = {name for op in one.ops for name, _ in op.terms} | {"rsp"}
            used = {op.register[1] for op in one.ops if op.register}

            def put(at: int, value: int, size: int, fixed: bool) -> None:
                held: Value = value
                if symbolic and not fixed and at in used:
                    held = tuple(g.input(f"{at}", i, value >> i & 1) for i in range(8 * size))
                m.write("register", at, held, size)

            for i, name in enumerate(NAMES):
                put(8 * i, state.general[i], 8, name in bases)
            for i, mask in enumerate(state.masks):
                put(MASKS + 8 * i, mask, 8, False)
            for at in range(0, 2048, 8):
                number = int.from_bytes(state.vectors[at : at + 8], "little")
                register = VECTORS + at // 64 * 64
                if symbolic and register in used:
                    used.add(VECTORS + at)
                put(VECTORS + at, number, 8, False)
            m.flags = m.carry = Given(state.flags, g if symbolic else None)
            following = m.step(CODE)
            return self._difference(m, one, following, result)
        finally:
            image.sections, image.executable = kept
            image._decoded.clear()

    def _difference(self, m: Flat, one: Instruction, following: Value, result: State) -> str:
        def held(at: int, size: int = 8) -> int:
            return m.concrete(m.read("register", at, size), 8 * size)

        for i, name in enumerate(NAMES):
            if held(8 * i) != result.general[i]:
                return f"{name} differs"
        for i, mask in enumerate(result.masks):
            if held(MASKS + 8 * i) != mask:
                return f"k{i} differs"
        for at in range(0, 2048, 8):
            for i in range(at, at + 8):
                if m.readable(VECTORS + i) and held(VECTORS + i, 1) != result.vectors[i]:
                    return f"zmm{i // 64} differs in byte {i % 64}"
        if m.memory != result.data:
            return "memory differs"
        wanted = CODE + TAKEN if result.taken else CODE + one.length
        if m.concrete(following, 64) != wanted:
            return f"the next address differs: {wanted:#x}"
        assert m.carry and m.flags
        flags = m.flags
        bits = {name: result.flags >> at & 1 for name, at in FLAGS.items()}
        less = bits["s"] ^ bits["o"]
        truth = bits | {"be": bits["b"] | bits["e"], "l": less, "le": less | bits["e"]}
        for name, wanted in truth.items():
            try:
                value = flags.overflow(m) if name == "o" else m._condition(name)
                if isinstance(value, Cond):
                    value = int(value.decide(m.bounds))
                known = m.concrete(value, 8) & 1
            except OpenError:  # not defined: who reads it has no proof
                continue
            if known != wanted:
                return f"the condition {name} differs"
        return ""
