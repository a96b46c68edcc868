# SPDX-License-Identifier: Apache-2.0
"""What the linker decides, and a proof of one file therefore cannot know: refused before linking.

A proof runs the code of one file. Weak symbols, indirect functions, sections that run by
themselves, section groups, common symbols and symbols that another library may replace all mean
that the program has other code, or other addresses, than the file shows. The lists below name what
the assembler and the compilers make of kernels; everything else is refused.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from .elf import (
    ABSOLUTE,
    ALLOC,
    COMMON,
    EXECUTE,
    FILE,
    FUNCTION,
    GLOBAL,
    LOCAL,
    NO_TYPE,
    NOBITS,
    OBJECT,
    PROGBITS,
    REL,
    RELA,
    SECTION,
    SYMTAB,
    UNDEFINED,
    WEAK,
    WRITE,
    Elf,
    Relocation,
    Section,
    Symbol,
)
from .values import RefusedError

X86_64, AARCH64, RISCV, ARM, AVR = 62, 183, 243, 40, 83
SHARED = (X86_64, AARCH64)  # whose objects go into libraries that others can interpose
INDIRECT, UNIQUE, THREAD = 10, 10, 6  # kinds and a binding of symbols
KINDS = (NO_TYPE, OBJECT, FUNCTION, SECTION, FILE)
HIDDEN = (1, 2)  # visibilities: internal and hidden
STRINGS, NOTE = 3, 7
# Types of sections: beside those above unwind tables and attributes of processors.
TYPES = (0, PROGBITS, SYMTAB, STRINGS, RELA, NOTE, NOBITS, REL)
OF_PROCESSORS = (0x70000001, 0x70000003, 0x6FFF4C03)
BY_THEMSELVES = {14: "INIT_ARRAY", 15: "FINI_ARRAY", 16: "PREINIT_ARRAY", 17: "GROUP"}
FLAGS = WRITE | ALLOC | EXECUTE | 0x10 | 0x20 | 0x40 | 0x80  # and merged, of strings, linked
CODE = re.compile(r"\.text([._-].*)?")
LOADED = re.compile(
    r"\.s?(rodata|data|bss)([._].*)?|\.eh_frame|\.note\.gnu\.property|\.progmem([._].*)?"
    r"|\.ARM\.(exidx|extab)([._].*)?"
)
UNREAD = (".eh_frame", ".note", ".ARM.ex")  # how sections begin that no code reads

# Relocations of code, by their numbers: of branches, which may go to another file, and of addresses
# in this file, all relative to the place but for the last bits of a page.
BRANCHES = {
    X86_64: (4,),  # PLT32
    AARCH64: (279, 280, 282, 283),  # TSTBR14, CONDBR19, JUMP26, CALL26
    RISCV: (16, 17, 18, 19),  # BRANCH, JAL, CALL, CALL_PLT
    ARM: (10, 30, 51),  # THM_CALL, THM_JUMP24, THM_JUMP19
    AVR: (2, 3, 18),  # 7_PCREL, 13_PCREL, CALL
}
ADDRESSES = {
    X86_64: (2, 4),  # PC32, PLT32
    # ADR_PREL_LO21, ADR_PREL_PG_HI21, ADD_ABS_LO12_NC and LDST8, 16, 32, 64 and 128
    AARCH64: (274, 275, 277, 278, 284, 285, 286, 299),
    RISCV: (23, 24, 25),  # PCREL_HI20 and PCREL_LO12, of loads and of stores
    ARM: (),
    AVR: (9, 10),  # LO8_LDI_NEG and HI8_LDI_NEG: avr.py makes an address of the pair
}
# Of constants: differences, which do not hang on where the file lies, and addresses in tables.
CONSTANTS = {
    X86_64: (1, 2),  # 64, PC32
    AARCH64: (257, 261),  # ABS64, PREL32
    RISCV: (35, 39),  # ADD32, SUB32
    ARM: (),
    AVR: (),
}
ABSOLUTES = {X86_64: (1,), AARCH64: (257,), RISCV: (), ARM: (), AVR: ()}  # of CONSTANTS
GUARD = {AARCH64: ("__stack_chk_guard", (311, 312))}  # ADR_GOT_PAGE, LD64_GOT_LO12_NC


def check(path: Path, given: Collection[str]) -> None:
    """RefusedError for an object file of which the linker decides more than where it lies. `given`
    are the symbols that the prover itself defines.
    """
    file = Elf(path.read_bytes())
    for section in file.sections[1:]:
        _section(section)
    places: dict[tuple[int, int], str] = {}
    for symbol in file.symbols[1:]:
        _symbol(symbol, file, given)
        if symbol.binding == GLOBAL and symbol.section not in (UNDEFINED, ABSOLUTE):
            other = places.setdefault((symbol.section, symbol.value), symbol.name)
            if other != symbol.name:
                raise RefusedError(f"the file has two names for one place: {other}, {symbol.name}")
    for one in file.relocations():
        target = file.sections[one.section]
        if target.flags & ALLOC and not target.name.startswith(UNREAD):
            _relocation(one, target, file)


def _section(section: Section) -> None:
    name, said = section.name, f"the file has a section {section.name}"
    if section.kind in BY_THEMSELVES:
        raise RefusedError(f"{said} of type {BY_THEMSELVES[section.kind]}, which the linker reads")
    if section.kind not in (*TYPES, *OF_PROCESSORS):
        raise RefusedError(f"{said} of type {section.kind:#x}, which no kernel needs")
    if name.startswith(".gnu.lto"):
        raise RefusedError(f"{said}: its code is made when it is linked")
    if name == ".note.GNU-stack" and section.flags & EXECUTE:
        raise RefusedError(f"{said} that asks for an executable stack")
    if not section.flags & ALLOC:
        return
    if section.flags & ~FLAGS:
        raise RefusedError(f"{said} with the flags {section.flags:#x}, which no kernel needs")
    if section.flags & EXECUTE:
        if not CODE.fullmatch(name) or section.kind != PROGBITS or section.flags & WRITE:
            raise RefusedError(f"{said} that is executable; code in .text expected")
    elif not LOADED.fullmatch(name) and not (CODE.fullmatch(name) and not section.size):
        raise RefusedError(f"{said}; code in .text and constants in .rodata expected")


def _symbol(symbol: Symbol, file: Elf, given: Collection[str]) -> None:
    said = f"the file has a symbol {symbol.name}"
    if symbol.kind == INDIRECT:
        raise RefusedError(f"{said} that is an indirect function: a resolver chooses the code")
    if symbol.kind == THREAD:
        raise RefusedError(f"{said} in the storage of a thread")
    if symbol.kind not in KINDS:
        raise RefusedError(f"{said} of type {symbol.kind}, which no kernel needs")
    if symbol.binding == WEAK:
        raise RefusedError(f"{said} that is weak: the linker decides where it is")
    if symbol.binding not in (LOCAL, GLOBAL):
        raise RefusedError(f"{said} that is bound in another way than local and global")
    if symbol.section == COMMON:
        raise RefusedError(f"{said} that is common: the linker joins it with others")
    if symbol.section >= 0xFF00 and symbol.section != ABSOLUTE:
        raise RefusedError(f"{said} in the section {symbol.section:#x}, which no kernel needs")
    if "@" in symbol.name or symbol.name.startswith(("__wrap_", "__real_")):
        raise RefusedError(f"{said}, of which the linker chooses a version")
    if symbol.binding == GLOBAL and symbol.section == ABSOLUTE:
        raise RefusedError(f"{said} at an absolute address")
    if symbol.binding == GLOBAL and symbol.section != UNDEFINED and symbol.name in given:
        raise RefusedError(f"{said}, which is a function of another library")


def _relocation(one: Relocation, target: Section, file: Elf) -> None:
    symbol, machine = one.symbol, file.machine
    at = f"{target.name} + {one.offset:#x}"
    in_code = bool(target.flags & EXECUTE)
    guard, kinds = GUARD.get(machine, ("", ()))
    if in_code and symbol.name == guard and symbol.section == UNDEFINED and one.kind in kinds:
        return
    allowed = ADDRESSES[machine] + BRANCHES[machine] if in_code else CONSTANTS[machine]
    if one.kind not in allowed:
        raise RefusedError(
            f"the linker fills {at} by relocation {one.kind} to {_named(symbol, file)}, which the "
            "prover does not know"
        )
    if one.kind in ABSOLUTES[machine] and not target.flags & WRITE:
        raise RefusedError(f"{at} holds an address, which depends on where the file is linked")
    if symbol.section == ABSOLUTE:
        raise RefusedError(f"the linker fills {at} with the absolute address {symbol.name}")
    if symbol.section == UNDEFINED:
        if not in_code or not _branches(one, target, machine):
            raise RefusedError(f"{at} takes the address of {symbol.name}, which is not in the file")
    elif machine in SHARED and symbol.binding == GLOBAL and symbol.visibility not in HIDDEN:
        raise RefusedError(
            f"{at} refers to {symbol.name}, which another library may replace; hidden visibility "
            "expected"
        )


def _branches(one: Relocation, target: Section, machine: int) -> bool:
    """Whether the relocation is of a branch; on x86-64 its opcode stands in front of it."""
    if one.kind not in BRANCHES[machine]:
        return False
    code = target.data[max(0, one.offset - 2) : one.offset]
    near = code[-1:] in (b"\xe8", b"\xe9") or (code[:1] == b"\x0f" and code[1] & 0xF0 == 0x80)
    return machine != X86_64 or near


def _named(symbol: Symbol, file: Elf) -> str:
    if symbol.kind == SECTION and symbol.section < len(file.sections):
        return file.sections[symbol.section].name
    return symbol.name or "no symbol"
