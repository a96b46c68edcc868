# SPDX-License-Identifier: Apache-2.0
"""A linked RV32I program as a program for RV64: every instruction decoded and exchanged for its
32-bit form.

Rocket is a 64-bit core, its pipeline that of the 32-bit E31. RV64 has an instruction for every
RV32I one that works on the low 32 bits and sign-extends the result (RISC-V Unprivileged ISA
20191213, chapter 5). If every register holds a sign-extended 32-bit number, then

    add sub sll srl sra, addi slli srli srai    become their forms that end in w;
    xor or and, slt sltu, branches              give the right result as they are: sign extension keeps order and bits;
    lui, lw lh lb lhu lbu                       sign-extend by themselves, or load what is short enough;
    addresses                                   are right if all of them lie below 2 GiB.

Only what can be reached from a function is an instruction; constants between functions stay as they
are.

The last is arranged by a page table (cores/rocket.cpp). So nothing moves: frames, offsets and
pointers in memory stay those of RV32, saved registers are words (the caller is rewritten, too), and
programs of a compiler pass like hand-written ones. The number of instructions, their order and
their dependences are the same.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

from ...checkout import LabError

ALLOCATED, EXECUTABLE, NO_BITS, SYMBOLS = 2, 4, 8, 2
FUNCTION, GLOBAL = 2, 1

OP, OP_32, OP_IMM, OP_IMM_32 = 0x33, 0x3B, 0x13, 0x1B
LUI, AUIPC, LOAD, STORE, BRANCH, JAL, JALR, FENCE, SYSTEM = (
    0x37,
    0x17,
    0x03,
    0x23,
    0x63,
    0x6F,
    0x67,
    0x0F,
    0x73,
)
UNCHANGED = {  # opcode: the values of funct3 that RV32I has
    LUI: range(8),
    AUIPC: range(8),
    LOAD: (0, 1, 2, 4, 5),
    STORE: (0, 1, 2),
    BRANCH: (0, 1, 4, 5, 6, 7),
    JAL: range(8),
    JALR: (0,),
    FENCE: (0, 1),
    SYSTEM: (1, 2, 3),  # control registers
}
ADD, SLL, SRL = 0, 1, 5  # funct3; with bit 30 set, ADD is sub and SRL is sra
BIT_30 = 0x20  # in funct7


class UnknownInstructionError(Exception):
    """An instruction that is not of RV32I, at this address."""

    def __init__(self, address: int, word: int) -> None:
        super().__init__(f"{word:#010x} at {address:#x}")
        self.address, self.word = address, word


def rewrite(word: int, address: int = 0) -> int:
    """One RV32I instruction as RV64 computes it on sign-extended registers."""
    opcode, funct3, funct7 = word & 0x7F, word >> 12 & 7, word >> 25
    if funct3 in UNCHANGED.get(opcode, ()):
        return word
    if opcode == OP_IMM:
        if (
            funct3 == ADD
            or (funct3 == SLL and funct7 == 0)
            or (funct3 == SRL and funct7 in (0, BIT_30))
        ):
            return word - OP_IMM + OP_IMM_32
        if funct3 not in (SLL, SRL):
            return word
    if opcode == OP and (funct7 == 0 or (funct7 == BIT_30 and funct3 in (ADD, SRL))):
        return word - OP + OP_32 if funct3 in (ADD, SLL, SRL) else word
    raise UnknownInstructionError(address, word)


@dataclass(frozen=True)
class Section:
    """A section of a program that lies in memory."""

    name: str
    address: int
    data: bytes
    executable: bool


def sections(program: Path) -> list[Section]:
    """The sections of a 32-bit little-endian ELF program that have contents in memory (System V
    ABI, chapter 4).
    """
    file = program.read_bytes()
    if file[:6] != b"\x7fELF\x01\x01":
        raise LabError(f"{program} is not a 32-bit little-endian ELF file")
    table, size, count, names = struct.unpack_from("<I10xHHH", file, 32)
    rows = [struct.unpack_from("<10I", file, table + i * size) for i in range(count)]
    strings = file[rows[names][4] :]
    return [
        Section(
            strings[row[0] : strings.index(b"\0", row[0])].decode(),
            row[3],
            file[row[4] : row[4] + row[5]],
            bool(row[2] & EXECUTABLE),
        )
        for row in rows
        if row[2] & ALLOCATED and row[1] != NO_BITS and row[5]
    ]


def _program(program: Path) -> tuple[list[Section], list[int]]:
    """The sections, and the addresses of all functions and global labels in code."""
    found = sections(program)
    file = program.read_bytes()
    table, size, count, _ = struct.unpack_from("<I10xHHH", file, 32)
    entries = []
    for row in (struct.unpack_from("<10I", file, table + i * size) for i in range(count)):
        if row[1] == SYMBOLS:
            for _, value, _, info, _, _ in struct.iter_unpack(
                "<IIIBBH", file[row[4] : row[4] + row[5]]
            ):
                if info & 15 == FUNCTION or (info >> 4 == GLOBAL and info & 15 == 0):
                    entries.append(value)
    return found, entries


def _successors(word: int, address: int) -> list[int]:
    """Where execution may go on after an instruction, as far as it says so itself."""
    opcode = word & 0x7F
    following = address + 4
    if opcode == JALR:
        return [following] if word >> 7 & 31 else []
    if opcode == JAL:
        offset = (
            (word >> 21 & 0x3FF) << 1
            | (word >> 20 & 1) << 11
            | (word >> 12 & 0xFF) << 12
            | (word >> 31) << 20
        )
        target = address + offset - (word >> 31 << 21)
        return [target, following] if word >> 7 & 31 else [target]
    if opcode == BRANCH:
        offset = (
            (word >> 8 & 15) << 1
            | (word >> 25 & 0x3F) << 5
            | (word >> 7 & 1) << 11
            | (word >> 31) << 12
        )
        return [address + offset - (word >> 31 << 13), following]
    return [following]


def code(found: list[Section], entries: list[int]) -> dict[int, int]:
    """Address and word of every instruction that is reached from the entries."""
    words = {
        section.address + at: word[0]
        for section in found
        if section.executable
        for at, word in zip(
            range(0, len(section.data), 4),
            struct.iter_unpack("<I", section.data[: len(section.data) & ~3]),
            strict=True,
        )
    }
    reached: dict[int, int] = {}
    open_ends = [address for address in entries if address in words]
    while open_ends:
        address = open_ends.pop()
        if address in reached or address not in words:
            continue
        reached[address] = words[address]
        open_ends += _successors(words[address], address)
    return reached


def image(program: Path, base: int, for_rv64: bool = False) -> bytes:
    """The memory from `base` as the program wants it before it starts; UnknownInstructionError when
    it cannot be rewritten.
    """
    found, entries = _program(program)
    memory = bytearray()
    for section in found:
        if section.address < base:
            raise LabError(
                f"{program}: section {section.name} lies at {section.address:#x}, below the "
                f"memory at {base:#x}"
            )
        end = section.address - base + len(section.data)
        memory += bytes(max(0, end - len(memory)))
        memory[section.address - base : end] = section.data
    if for_rv64:
        for address, word in sorted(code(found, entries).items()):
            memory[address - base : address - base + 4] = rewrite(word, address).to_bytes(
                4, "little"
            )
    return bytes(memory)
