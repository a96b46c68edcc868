# SPDX-License-Identifier: Apache-2.0
"""The disassembly of an object file for x86-64 as functions and instructions, and the instructions
that a kernel may use.

The lists are complete on purpose: what stands in none of them is refused by the analysis
(taint.py). Of every instruction in a list all that it reads and writes is known, and that its time
does not depend on its operands.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_LEGACY = {"a": "ax", "b": "bx", "c": "cx", "d": "dx"}


def _general() -> dict[str, tuple[str, int]]:
    found: dict[str, tuple[str, int]] = {}
    for letter, name in _LEGACY.items():
        found |= {
            f"r{name}": (f"r{name}", 8),
            f"e{name}": (f"r{name}", 4),
            name: (f"r{name}", 2),
            f"{letter}l": (f"r{name}", 1),
        }
        found[f"{letter}h"] = (f"r{name}", 0)  # the second byte
    for name in ("si", "di", "bp", "sp"):
        found |= {
            f"r{name}": (f"r{name}", 8),
            f"e{name}": (f"r{name}", 4),
            name: (f"r{name}", 2),
            f"{name}l": (f"r{name}", 1),
        }
    for number in range(8, 16):
        name = f"r{number}"
        found |= {
            name: (name, 8),
            f"{name}d": (name, 4),
            f"{name}w": (name, 2),
            f"{name}b": (name, 1),
        }
    return found


GENERAL = _general()  # the name of a register -> the whole register, and the bytes of it
ARGUMENTS = ("rdi", "rsi", "rdx", "rcx", "r8", "r9")
KEPT_BY_CALLS = ("rbx", "rbp", "rsp", "r12", "r13", "r14", "r15")
BYTES = {"BYTE": 1, "WORD": 2, "DWORD": 4, "QWORD": 8, "XMMWORD": 16, "YMMWORD": 32, "ZMMWORD": 64}

_LINE = re.compile(r"^\s+([0-9a-f]+):\t(.*?)\s*(?:#.*)?$")
_FUNCTION = re.compile(r"^[0-9a-f]+ <([^>]+)>:$")
_SECTION = re.compile(r"^Disassembly of section ([^:]+):$")
_RELOCATION = re.compile(r"^\s+[0-9a-f]+: (R_X86_64_\w+)\s+(\S+?)([+-]0x[0-9a-f]+)?$")
_SYMBOL = re.compile(
    r"^([0-9a-f]{16}) (.{7}) (\S+)\s+[0-9a-f]+ (?:\.hidden |\.internal |\.protected )?(\S+)$"
)
_PREFIXES = re.compile(
    r"^(?:(?:data16|cs|ds|es|notrack|bnd|addr32|rex\S*) )+(?=nop|ret|xchg\s+ax,ax|jmp|call)"
)
_OPERANDS = re.compile(r"(?:[^,\[{]|\[[^\]]*\]|\{[^}]*\})+")
_MEMORY = re.compile(
    r"^(?:(\w+) (?:PTR|BCST) )?(?:(\w\w):)?(?:\[([^\]]*)\]|(0x[0-9a-f]+))((?:\{[^}]*\})*)$"
)
_REGISTER = re.compile(r"^(\w+)((?:\{[^}]*\})*)$")
_TERM = re.compile(r"([+-]?)([^+-]+)")


@dataclass(frozen=True, slots=True)
class Memory:
    """A memory operand: what its address is made of, and how many bytes are accessed (0: the
    instruction says it).
    """

    base: str | None
    index: str | None
    scale: int
    displacement: int
    size: int
    segment: str | None = None
    symbol: str | None = None  # where it is relative to rip: what the relocation names
    broadcast: bool = False


@dataclass(frozen=True, slots=True)
class Operand:
    """A register, a number or memory, with the mask that governs it."""

    text: str
    # general: the whole register; rip, vectors: mm and the number; masks: k and the number
    register: str | None = None
    size: int = 0
    high: bool = False  # ah, bh, ch, dh
    number: int | None = None
    memory: Memory | None = None
    mask: str | None = None
    zeroing: bool = False
    kind: str = "unknown"  # or general, vector, mask, memory, number


@dataclass(frozen=True, slots=True)
class Instruction:
    """One line of a disassembly. `symbol` is what its relocation names, with the distance, and
    `target` where a jump or call goes without one.
    """

    address: int
    mnemonic: str
    operands: tuple[Operand, ...]
    text: str
    symbol: tuple[str, int] | None = None
    target: int | None = None
    # between vectors alone: the result, what it is made of, whether it is a constant
    plain: tuple[str, tuple[str, ...], bool] | None = None
    followed: bool = True  # all operands are understood


@dataclass
class Function:
    """A symbol in the text of an object file, and the instructions up to the next one."""

    name: str
    section: str
    body: list[Instruction] = field(default_factory=list)
    exported: bool = True


@dataclass
class ObjectFile:
    """Functions by name, and where symbols are defined: section and distance."""

    functions: dict[str, Function]
    symbols: dict[str, tuple[str, int]]

    def function_at(self, section: str, address: int) -> str | None:
        """The function that begins there."""
        for function in self.functions.values():
            if (
                function.section == section
                and function.body
                and function.body[0].address == address
            ):
                return function.name
        return None


def parse(disassembly: str) -> ObjectFile:
    """What `objdump -dtr -M intel --no-show-raw-insn` prints."""
    functions: dict[str, Function] = {}
    symbols: dict[str, tuple[str, int]] = {}
    local: set[str] = set()
    section, current = "", None
    pending: list[tuple[int, str, tuple[str, int] | None]] = []

    def close() -> None:
        if current is not None:
            current.body = [_instruction(*line) for line in pending]
        pending.clear()

    for line in disassembly.splitlines():
        if found := _LINE.match(line):
            if current is not None:
                pending.append((int(found[1], 16), found[2], None))
        elif found := _RELOCATION.match(line):
            if pending:
                pending[-1] = (pending[-1][0], pending[-1][1], (found[2], int(found[3] or "0", 16)))
        elif found := _FUNCTION.match(line):
            close()
            current = functions[found[1]] = Function(
                found[1], section, exported=found[1] not in local
            )
        elif found := _SECTION.match(line):
            close()
            section, current = found[1], None
        elif found := _SYMBOL.match(line):
            if found[3] != "*UND*":
                symbols[found[4]] = (found[3], int(found[1], 16))
            if found[2].startswith("l"):
                local.add(found[4])
    close()
    return ObjectFile(functions, symbols)


def _instruction(address: int, text: str, symbol: tuple[str, int] | None) -> Instruction:
    text = _PREFIXES.sub("", text)
    mnemonic, _, rest = text.partition(" ")
    rest = rest.strip()
    jumps = mnemonic == "call" or mnemonic.startswith("j")
    if jumps and (found := re.match(r"^([0-9a-f]+)(?: <[^>]*>)?$", rest)):
        return Instruction(address, mnemonic, (), text, symbol, int(found[1], 16))
    rest = re.sub(r"\s*<[^>]*>$", "", rest)
    operands = tuple(_operand(part.strip(), symbol) for part in _OPERANDS.findall(rest))
    followed = all(operand.kind != "unknown" for operand in operands)
    return Instruction(
        address,
        mnemonic,
        operands,
        text,
        symbol,
        plain=_between_vectors(mnemonic, operands),
        followed=followed,
    )


def _between_vectors(
    mnemonic: str, operands: tuple[Operand, ...]
) -> tuple[str, tuple[str, ...], bool] | None:
    """What an instruction does that reads and writes nothing but vectors and masks, without a mask
    that governs it.
    """
    if (
        len(operands) < 2
        or not mnemonic.startswith("v")
        or not any(rule.match(mnemonic) for rule in (PURE, CHANGED, VECTOR_MOVES))
    ):
        return None
    if (
        any(
            operand.mask or operand.kind not in ("vector", "mask", "number") for operand in operands
        )
        or operands[0].kind == "number"
    ):
        return None
    to, sources = (
        operands[0].register or "",
        [operand.register or "" for operand in operands[1:] if operand.kind != "number"],
    )
    cancels = (
        len(operands) == 3 and operands[1] == operands[2] and bool(ALIKE_CANCEL.match(mnemonic))
    )
    cancels = cancels or (mnemonic.startswith("vpternlog") and operands[-1].number in (0, 0xFF))
    if mnemonic == "vmovq":
        return None
    return to, (*sources, to) if CHANGED.match(mnemonic) else tuple(sources), cancels


def _operand(text: str, symbol: tuple[str, int] | None) -> Operand:
    if re.fullmatch(r"-?(?:0x[0-9a-f]+|\d+)", text):
        return Operand(text, number=int(text, 0), kind="number")
    if found := _MEMORY.match(text):
        width, segment, inside, absolute, decorations = found.groups()
        mask, zeroing, broadcast = _decorations(decorations)
        if " BCST " in text:
            broadcast = True
        memory = _memory(inside, absolute, BYTES.get(width or "", 0), segment, symbol, broadcast)
        return (
            Operand(text, memory=memory, mask=mask, zeroing=zeroing, kind="memory")
            if memory
            else Operand(text)
        )
    if found := _REGISTER.match(text):
        mask, zeroing, _ = _decorations(found[2])
        if found[1] in GENERAL:
            whole, size = GENERAL[found[1]]
            return Operand(text, register=whole, size=size or 1, high=size == 0, kind="general")
        if vector := re.fullmatch(r"([xyz])mm(\d+)", found[1]):
            size = {"x": 16, "y": 32, "z": 64}[vector[1]]
            return Operand(
                text,
                register=f"mm{vector[2]}",
                size=size,
                mask=mask,
                zeroing=zeroing,
                kind="vector",
            )
        if re.fullmatch(r"k[0-7]", found[1]):
            return Operand(text, register=found[1], size=8, mask=mask, kind="mask")
    return Operand(text)


def _decorations(text: str) -> tuple[str | None, bool, bool]:
    mask = re.search(r"\{(k[0-7])\}", text)
    return (mask[1] if mask else None), "{z}" in text, "{1to" in text


def _memory(
    inside: str | None,
    absolute: str | None,
    size: int,
    segment: str | None,
    symbol: tuple[str, int] | None,
    broadcast: bool,
) -> Memory | None:
    if inside is None:
        return Memory(None, None, 1, int(absolute or "0", 16), size, segment, None, broadcast)
    base = index = None
    scale, displacement = 1, 0
    for sign, term in _TERM.findall(inside):
        if re.fullmatch(r"0x[0-9a-f]+|\d+", term):
            displacement += int(term, 0) * (-1 if sign == "-" else 1)
        elif "*" in term:
            index, factor = term.split("*")
            scale = int(factor)
        elif base is None:
            base = term
        else:
            index = term
    if index in ("riz", "eiz"):
        index = None
    if base == "rip":
        return Memory(
            "rip", None, 1, displacement, size, segment, symbol[0] if symbol else None, broadcast
        )
    for name in (base, index):
        if name is not None and (name not in GENERAL or GENERAL[name][1] != 8):
            return None  # addresses of 32 bits and vectors of addresses
    return Memory(base, index, scale, displacement, size, segment, None, broadcast)


# What an instruction does with general registers and flags.
MOVES = ("mov", "movabs", "movzx", "movsx", "movsxd")
# the first operand with the second; flags
COMBINES = ("add", "sub", "and", "or", "xor", "adc", "sbb", "imul")
SHIFTS = ("shl", "shr", "sar", "rol", "ror")
SINGLE = ("inc", "dec", "neg", "not", "bswap")
THREE = ("andn", "rorx", "shlx", "shrx", "sarx")  # the first from the others
COMPARES = ("cmp", "test")
READS_CARRY = ("adc", "sbb")
LEAVES_FLAGS = ("not", "bswap", "rorx", "shlx", "shrx", "sarx")
# With data in them: what processors do in the same time whatever the data are. Multiplication is
# not among them, nor shifts by data.
EVEN = (
    "add",
    "sub",
    "and",
    "or",
    "xor",
    "adc",
    "sbb",
    "shl",
    "shr",
    "sar",
    "rol",
    "ror",
    "inc",
    "dec",
    "neg",
    "not",
    "bswap",
    "andn",
    "rorx",
)

CONDITIONS = (
    "o", "no", "b", "c", "nae", "ae", "nb", "nc", "e", "z", "ne", "nz", "be", "na", "a", "nbe", "s", "ns", "p", "pe", "np", "po", "l", "nge",
    "ge", "nl", "le", "ng", "g", "nle",
)  # fmt: skip
JUMPS = frozenset(f"j{condition}" for condition in CONDITIONS)
SETS = frozenset(f"set{condition}" for condition in CONDITIONS)
CONDITIONAL_MOVES = frozenset(f"cmov{condition}" for condition in CONDITIONS)
NOTHING = frozenset(
    (
        "nop",
        "endbr64",
        "vzeroupper",
        "prefetcht0",
        "prefetcht1",
        "prefetcht2",
        "prefetchnta",
        "prefetchw",
    )
)

# Whole registers or memory, with or without a mask.
VECTOR_MOVES = re.compile(
    r"^v(?:mov(?:dq[au](?:8|16|32|64)?|[au]p[sd]|ntdq|ntdqa|ntp[sd]|d|q|ddup|s[hl]dup)|lddqu)$"
)
# A word of memory into a vector that is zero elsewhere, or back; between vectors the rest comes
# from the second operand.
VECTOR_PARTS = re.compile(r"^vmov(?:s[sd]|[lh]p[sd]|hlps|lhps)$")
_PURE = r"""
vp(?:and|andn|or|xor)[dq]?|v(?:and|andn|or|xor)p[sd]
vp(?:add|sub)[bwdq]|vp(?:adds|subs|addus|subus)[bw]|vpmul(?:lw|ld|lq|hw|huw|udq|dq)|vpmadd(?:wd|ubsw)|vpsadbw|vpavg[bw]
vp(?:max|min)[su][bwdq]|vpabs[bwdq]
vps(?:ll|rl|ra)[wdq]|vps(?:ll|rl|ra)v[wdq]|vps(?:ll|rl)dq|vpro[lr]v?[dq]|vpsh[lr]d[wdq]
vpcmp(?:n?eq|gt|ge|n?lt|n?le)?u?[bwdq]|vptestn?m[bwdq]
vpunpck[hl](?:bw|wd|dq|qdq)|vunpck[hl]p[sd]|vpack[su]s(?:wb|dw)
vpshuf(?:b|d|hw|lw)|vshufp[sd]|vshuf[if](?:32x4|64x2)|vperm(?:b|w|d|q|ps|pd)|vperm2[if]128|vpermilp[sd]|vpalignr|valign[dq]
vpblendm?[bwdq]|vpblendvb|vpblendw|vblendp[sd]|vblendmp[sd]|vpmultishiftqb|vpopcnt[bwdq]
vpbroadcast[bwdq]|vbroadcasts[sd]|vbroadcast[if](?:128|32x2|32x4|32x8|64x2|64x4)
vinsert(?:[if]128|[if]32x4|[if]32x8|[if]64x2|[if]64x4|ps)|vextract(?:[if]128|[if]32x4|[if]32x8|[if]64x2|[if]64x4)|vpinsr[bwdq]|vpextr[bwdq]
vpmov(?:[sz]x(?:bw|bd|bq|wd|wq|dq)|wb|dw|db|qd|qw|qb)|vpmovm2[bwdq]|vpmov[bwdq]2m
vpcompress[bwdq]|vpexpand[bwdq]
vaes(?:enc|enclast|dec|declast|imc|keygenassist)|vpclmul(?:qdq|lqlqdq|hqlqdq|lqhqdq|hqhqdq)
vgf2p8(?:mulb|affineqb|affineinvqb)
"""
PURE = re.compile("^(?:" + "|".join(_PURE.split()) + ")$")  # the first operand from the others
# the first operand from the others and from itself
CHANGED = re.compile(r"^v(?:pternlog[dq]|perm[it]2(?:b|w|d|q|ps|pd)|psh[lr]dv[wdq])$")
# of two equal operands: a constant
ALIKE_CANCEL = re.compile(r"^v(?:pxor[dq]?|xorp[sd]|psub[bwdq]|pandn[dq]?|pcmp(?:eq|gt)u?[bwdq])$")
MASK_MOVES = re.compile(r"^kmov[bwdq]$")
MASKS = re.compile(r"^k(?:and|andn|or|xor|xnor|not|add|unpck|shift[lr])(?:bw|wd|dq|[bwdq])$")
