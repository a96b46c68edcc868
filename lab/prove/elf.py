# SPDX-License-Identifier: Apache-2.0
"""ELF files, as far as the prover looks into them: sections, symbols and relocations."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

PROGBITS, SYMTAB, RELA, NOBITS, REL = 1, 2, 4, 8, 9  # types of sections
WRITE, ALLOC, EXECUTE = 1, 2, 4  # their flags
UNDEFINED, ABSOLUTE, COMMON = 0, 0xFFF1, 0xFFF2  # numbers of sections that are none
LOCAL, GLOBAL, WEAK = 0, 1, 2  # how a symbol is bound
NO_TYPE, OBJECT, FUNCTION, SECTION, FILE = range(5)  # what a symbol names


@dataclass(frozen=True)
class Section:
    """A section; `data` is empty where the file has no bytes for it."""

    name: str
    kind: int
    flags: int
    address: int
    data: bytes
    size: int
    link: int
    info: int
    align: int = 1


@dataclass(frozen=True)
class Symbol:
    """A symbol; `section` is the number of the section that it is in."""

    name: str
    value: int
    size: int
    binding: int
    kind: int
    visibility: int
    section: int


@dataclass(frozen=True)
class Relocation:
    """A place that the linker fills: the number of its section, where in it, how, and with what."""

    section: int
    offset: int
    kind: int
    symbol: Symbol
    addend: int


class Elf:
    """An ELF file with little-endian numbers."""

    def __init__(self, data: bytes) -> None:
        self.wide = data[4] == 2
        self.machine = struct.unpack_from("<H", data, 18)[0]
        at, size, count, named = (
            (struct.unpack_from("<Q", data, 40)[0], *struct.unpack_from("<HHH", data, 58))
            if self.wide
            else (struct.unpack_from("<I", data, 32)[0], *struct.unpack_from("<HHH", data, 46))
        )
        form = "<IIQQQQIIQQ" if self.wide else "<IIIIIIIIII"
        headers = [struct.unpack_from(form, data, at + i * size) for i in range(count)]
        names = headers[named][4] if headers else 0
        self.sections = [
            Section(
                _text(data, names + name),
                kind,
                flags,
                address,
                b"" if kind == NOBITS else data[offset : offset + length],
                length,
                link,
                info,
                max(align, 1),
            )
            for name, kind, flags, address, offset, length, link, info, align, _ in headers
        ]

    @cached_property
    def symbols(self) -> list[Symbol]:
        """The symbols in their order; the first one is no symbol."""
        found = []
        form = "<IBBHQQ" if self.wide else "<IIIBBH"
        for table in self.sections:
            if table.kind != SYMTAB:
                continue
            strings = self.sections[table.link].data
            for fields in struct.iter_unpack(form, table.data):
                if self.wide:
                    name, info, other, section, value, size = fields
                else:
                    name, value, size, info, other, section = fields
                found.append(
                    Symbol(
                        *(_text(strings, name), value, size),
                        *(info >> 4, info & 15, other & 3, section),
                    )
                )
        return found

    def relocations(self) -> Iterator[Relocation]:
        """All relocations; an addend that is in the section itself is left out."""
        for table in self.sections:
            if table.kind not in (RELA, REL):
                continue
            form = ("<QQ" if self.wide else "<II") + ("q" if self.wide else "i") * (
                table.kind == RELA
            )
            shift, mask = (32, 0xFFFFFFFF) if self.wide else (8, 0xFF)
            for offset, info, *addend in struct.iter_unpack(form, table.data):
                symbol = self.symbols[info >> shift]
                yield Relocation(table.info, offset, info & mask, symbol, *(addend or [0]))

    def loaded(self, table: str = "") -> list[tuple[int, bytes]]:
        """Addresses and bytes of what is loaded and cannot be written, and of the section called
        `table`, which is taken as constant, too.
        """
        return [
            (one.address, one.data)
            for one in self.sections
            if one.kind == PROGBITS
            and one.flags & ALLOC
            and (not one.flags & WRITE or (table and one.name == table))
        ]

    def executable(self) -> list[tuple[int, int]]:
        """Where what is loaded may be executed, and not written: first addresses, and those behind
        the last ones.
        """
        wanted = ALLOC | EXECUTE
        return [
            (one.address, one.address + one.size)
            for one in self.sections
            if one.kind == PROGBITS and one.flags & (wanted | WRITE) == wanted
        ]

    def alignments(self) -> list[tuple[int, int, int]]:
        """Of what is loaded: first address, the one behind the last, and of what the linker makes
        the first a multiple.
        """
        return [
            (one.address, one.address + one.size, one.align)
            for one in self.sections
            if one.flags & ALLOC and one.size and not one.name.startswith((".eh_frame", ".note"))
        ]

    def filled(self) -> dict[int, int]:
        """Where the linker has filled something into code, and by which kind of relocation."""
        return {
            one.offset: one.kind
            for one in self.relocations()
            if self.sections[one.section].flags & EXECUTE
        }

    def places(self) -> dict[str, int]:
        """The symbols' values by their names, without labels that relocations alone keep."""
        return {one.name: one.value for one in self.symbols if not one.name.startswith(".L")}


def _text(data: bytes, at: int) -> str:
    return data[at : data.index(b"\0", at)].decode() if at < len(data) else ""
