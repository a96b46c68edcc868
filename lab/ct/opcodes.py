# SPDX-License-Identifier: Apache-2.0
"""Scan of compiled vector kernels that valgrind cannot run: no data ever leaves the vector registers but by a store.

Kernels in C keep everything secret in vectors. So it suffices that no instruction brings data into a general register or
into the flags: then branches and addresses can depend on pointers, lengths and loop counts only. Allowed are loads
of what the function itself spilled from a general register to the stack, what it kept in a vector register instead, the
caller's registers from where they were pushed, a loaded word that goes on into a vector at once, what stands in a table of addresses
and lengths (TABLES), and the answer of a function in ANSWERS, which goes straight into its return value.

Kernels in assembly may keep data in general registers. There every register that data reach anywhere in the function counts as data everywhere in it,
and none of those may be part of an address, decide a jump, divide, or be pushed to be popped into another one.

Seen: every instruction of every function in the object file, whatever path is taken. Not seen: other compilers and levels.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..checkout import build_library, find_compiler, find_program, run
from ..checks import Report

HERE = Path(__file__).resolve().parent
TIERS = ("avx512",)  # valgrind 3.19 stops at AVX-512
# Of kernels of these tiers alone: scanned with them.
HEADERS = (
    "lanes/folds.h", "lanes/messages.h", "simeck/simeck_folds.h", "simon/simon_folds.h", "sparkle/sponge_same.h", "sparkle/sponge_ragged.h",
)  # fmt: skip
FLAGS = "-O3 -DNDEBUG"
# Functions whose second argument is a table of addresses and lengths, which are public; the engine makes it, and valgrind sees of what.
TABLES = re.compile(r"^\w+_ragged_\w+$")
TABLE_REGISTER = "si"
# Functions that return something secret, which their callers make public; why they may.
ANSWERS = {
    f"hanji_{field}_avx512_solve": "whether a linear system is regular: the number of draws is public (hanji_rainbow_regular)"
    for field in ("gf16", "gf256")
} | dict.fromkeys(("quiet_answer", "leak_answer_in_a_branch", "leak_answer_in_an_address"), "a control")
CONTROL_FLAGS = ("-O2", "-mavx512f", "-mavx512bw", "-mavx512vl", "-mavx512dq")

_GENERAL = re.compile(r"^(?:[re]?(?:[abcd]x|[sd]i|bp|sp)|[abcd][lh]|(?:si|di|bp|sp)l|r(?:8|9|1[0-5])[dwb]?)$")
_SCATTERED = re.compile(r"^v?p?(?:gather|scatter)")
_PACKED = re.compile(r"^v?p?(?:compress|expand)")  # within a register no address depends on the mask
_MASKS = re.compile(r"^(?:kmov|kand|kor(?!test)|kx|knot|kshift)")  # from masks to a mask
_TO_FLAGS = re.compile(r"^(?:v?ptest(?!n?m)|vtestp[sd]|kortest|ktest|v?u?comis|vpmovmskb|v?movmskp|v?pextr|v?cvtt?s[sd]2)")
_LINE = re.compile(r"^\s+([0-9a-f]+):\t(\S+)\s*(.*?)\s*(?:#.*|<.*)?$")
_FUNCTION = re.compile(r"^[0-9a-f]+ <([^>]+)>:$")
_PLAIN_ADDRESS = re.compile(r"^\[(\w+)(?:[+-]0x[0-9a-f]+)?\]$")
_WIDTH = re.compile(r"^(?:[A-Z]+ PTR )+")


@dataclass(frozen=True)
class Instruction:
    """One line of a disassembly."""

    mnemonic: str
    operands: tuple[str, ...]
    address: int = 0

    @property
    def to_general(self) -> bool:
        """Whether the first operand is a general register, which most instructions write."""
        return bool(self.operands) and bool(_GENERAL.match(self.operands[0]))

    @property
    def memory(self) -> str | None:
        """The memory that it reads, without its width."""
        if self.mnemonic in ("lea", "nop", "endbr64") or self.mnemonic.startswith(("prefetch", "nop")):
            return None
        reads = self.operands if self.mnemonic.startswith(("cmp", "test", "push", "call", "jmp", "bt")) else self.operands[1:]
        return next((_WIDTH.sub("", operand) for operand in reads if "[" in operand), None)


def rainbow_is_built() -> bool:
    """Whether libhanji-rainbow is built here: where OpenSSL 3 has its headers."""
    said = subprocess.run(["pkg-config", "--atleast-version=3.0", "libcrypto"], capture_output=True) if shutil.which("pkg-config") else None
    return said is not None and said.returncode == 0


def parse(disassembly: str) -> Iterator[tuple[str, list[Instruction]]]:
    """Name and instructions of every function in the output of objdump -M intel."""
    name, body = "", list[Instruction]()
    for line in disassembly.splitlines():
        if found := _FUNCTION.match(line):
            if name:
                yield name, body
            name, body = found[1], []
        elif found := _LINE.match(line):
            operands = re.findall(r"(?:[^,\[{]|\[[^\]]*\]|\{[^}]*\})+", found[3])
            body.append(Instruction(found[2], tuple(operand.strip() for operand in operands), int(found[1], 16)))
    if name:
        yield name, body


def leaks(body: list[Instruction], answers: bool = False, table: bool = False) -> list[str]:
    """What brings data into general registers or flags in one function.

    With `answers` but for its return value, with `table` but for what stands in its second argument.
    """
    overwritten = {_WIDTH.sub("", one.operands[0]) for one in body if one.mnemonic.startswith("v") and one.operands and "[" in one.operands[0]}
    framed = next((place for place, one in enumerate(body) if one.mnemonic == "mov" and one.operands == ("rbp", "rsp")), None)
    kept, spilled = _flow(body, frozenset(), _kept_after), _flow(body, frozenset(), _spills_after)
    tables = _flow(body, frozenset({TABLE_REGISTER}), _tables_after) if table else None
    pushed = [one.operands[0] for one in body[framed:] if one.mnemonic == "push"] if framed is not None else []
    saved = {f"[rbp-{8 * (i + 1):#x}]": register for i, register in enumerate(pushed)}
    found = []
    for place, one in enumerate(body):
        text = f"{one.mnemonic} {','.join(one.operands)}"
        memory = one.memory
        if _SCATTERED.match(one.mnemonic) or (_PACKED.match(one.mnemonic) and any("[" in operand for operand in one.operands)):
            found.append(f"addresses from a vector: {text}")
        elif _TO_FLAGS.match(one.mnemonic) or (one.mnemonic.startswith(("v", "kmov")) and one.to_general):
            moved = one.mnemonic.startswith(("kmov", "vmov")) and one.to_general
            if moved and (_vector(one.operands[1]) in kept[place] or (answers and _only_returned(body[place + 1 :], one.operands[0]))):
                continue
            found.append(f"from a vector into a register or flags: {text}")
        elif memory is not None and (one.to_general or one.mnemonic.startswith(("cmp", "test", "bt", "jmp", "call", "inc", "dec"))):
            base = re.match(r"\[(\w+)", memory)
            own = base is not None and (base[1] == "rsp" or (base[1] == "rbp" and framed is not None))
            restored = one.mnemonic == "mov" and saved.get(memory) == one.operands[0]
            if one.mnemonic == "pop" or (own and (_spilled(one, spilled[place]) or (restored and memory not in overwritten))):
                continue
            if tables is not None and (address := _PLAIN_ADDRESS.match(memory)) and _family(address[1]) in tables[place]:
                continue
            if one.mnemonic in ("mov", "movzx") and _only_broadcast(body[place + 1 :], one.operands[0]):
                continue
            found.append(f"data into a register or flags: {text}")
    return found


_WRITES_NOTHING = ("cmp", "test", "push", "jmp", "call", "nop", "endbr64", "ret", "bt", "prefetch")
_FLAGS_KEPT = ("mov", "v", "lea", "push", "pop", "nop", "endbr64", "rorx", "shlx", "shrx", "j", "not", "prefetch")
_UNEVEN = ("div", "idiv", "loop", "rep", "xlat", "cpuid", "jrcxz", "jecxz")
_IMPLICIT = ("mul", "imul", "cmpxchg", "xadd", "lods", "cwd", "cdq", "cqo", "bsf", "bsr")  # registers that no operand names, or odd ones


def _general_words(operand: str) -> list[str]:
    """The general registers that an operand names, by families."""
    return [_family(word) for word in re.findall(r"\w+", operand) if _GENERAL.match(word)]


def mixed_leaks(body: list[Instruction]) -> list[str]:
    """The same for one function in assembly, which may have data in general registers: where data decide an address or a jump."""
    data: set[str] = set()
    while True:
        before = set(data)
        for one in body:
            if not one.to_general or one.mnemonic.startswith((*_WRITES_NOTHING, "pop")) or one.mnemonic == "lea":
                continue
            sources = {word for operand in one.operands[1:] for word in _general_words(operand)}
            if one.memory is not None or one.mnemonic.startswith(("v", "kmov")) or data & sources:
                data.add(_family(one.operands[0]))
            if one.mnemonic.startswith("xchg"):
                data.update(word for operand in one.operands for word in _general_words(operand) if before & set(_general_words(operand)))
        if data == before:
            break
    found, setter = [], Instruction("", ())
    for one in body:
        text = f"{one.mnemonic} {','.join(one.operands)}"
        if re.match(r"(?:data16 |cs )*nop", text):
            continue
        inside = [word for operand in one.operands for address in re.findall(r"\[[^\]]*\]", operand) for word in _general_words(address)]
        if data & set(inside):
            found.append(f"data in an address: {text}")
        if _SCATTERED.match(one.mnemonic) or (_TO_FLAGS.match(one.mnemonic) and not one.mnemonic.startswith("vpextr")):
            found.append(f"from a vector into addresses or flags: {text}")
        elif one.mnemonic.startswith(_IMPLICIT):
            found.append(f"not followed by this check: {text}")
        elif one.mnemonic.startswith(_UNEVEN) or (one.mnemonic in ("call", "jmp") and ("[" in text or data & set(_general_words(text)))):
            found.append(f"its time or its target depends on data: {text}")
        elif one.mnemonic.startswith(("cmov", "set", "adc", "sbb", "rcl", "rcr")):
            found.append(f"flags that go on into a register: {text}")
        elif one.mnemonic.startswith("j") and one.mnemonic != "jmp":
            words = [word for operand in setter.operands for word in _general_words(operand)]
            if setter.memory is not None or "[" in "".join(setter.operands) or not words or data & set(words):
                found.append(f"a jump that data decide: {setter.mnemonic} {','.join(setter.operands)}; {text}")
        if not one.mnemonic.startswith(_FLAGS_KEPT):
            setter = one
    saved = [one.operands[0] for one in body if one.mnemonic == "push"]
    for i, register in enumerate(one.operands[0] for one in body if one.mnemonic == "pop"):
        if register != saved[len(saved) - 1 - i]:
            found.append(f"popped into another register than it was pushed from: {register}")
    return found


def _vector(operand: str) -> str:
    """The name that xmm5, ymm5 and zmm5 share; masks have one."""
    return re.sub(r"^[xyz]mm(\d+)\b.*", r"mm\1", re.sub(r"^(k[0-7])\b.*", r"\1", operand))


def _flow(body: list[Instruction], start: frozenset[str], after: Callable[[Instruction, frozenset[str]], frozenset[str]]) -> list[frozenset[str]]:
    """For each instruction what holds before it on every way that leads to it; `after` says what an instruction leaves of that."""
    places = {one.address: place for place, one in enumerate(body)}
    before: list[frozenset[str] | None] = [start] + [None] * (len(body) - 1)
    waiting = [0]
    while waiting:
        place = waiting.pop()
        one, held = body[place], after(body[place], before[place] or frozenset())
        following = [] if one.mnemonic in ("ret", "jmp") else [place + 1]
        if one.mnemonic.startswith("j") and re.fullmatch(r"[0-9a-f]+", one.operands[0]):
            target = int(one.operands[0], 16)
            next_one = body[place + 1].address if place + 1 < len(body) else None
            if one.mnemonic != "jmp" or target != next_one:  # else it leaves the file, as the linker will say
                following.append(places.get(target, len(body)))
        elif one.mnemonic == "jmp":  # anywhere
            following = list(range(len(body)))
            held = frozenset()
        for where in following:
            known = before[where] if where < len(body) else held
            met = held if known is None else known & held
            if where < len(body) and met != known:
                before[where] = met
                waiting.append(where)
    return [held or frozenset() for held in before]


def _kept_after(one: Instruction, held: frozenset[str]) -> frozenset[str]:
    """The vector and mask registers that hold what was moved there from a general register."""
    if one.operands and re.match(r"^(?:[xyz]mm|k[0-7])", one.operands[0]):
        name, *sources = map(_vector, one.operands)
        moved = one.mnemonic.startswith(("kmov", "vmov")) and len(sources) == 1 and bool(_GENERAL.match(sources[0]))
        made = _MASKS.match(one.mnemonic) and all(source in held or source.isdigit() for source in sources)
        return held | {name} if moved or made else held - {name}
    return frozenset() if one.mnemonic.startswith("call") else held


_CALLEE_SAVES = ("b", "bp", "r12", "r13", "r14", "r15")
_SLOT = re.compile(r"^(?:([XYZ]MM|[QD]?)WORD PTR |BYTE PTR )?\[(rsp|rbp)([+-]0x[0-9a-f]+)?\]$")
_SLOT_BYTES = {"XMM": 16, "YMM": 32, "ZMM": 64, "Q": 8, "D": 4, "": 2, None: 1}


def _slot(operand: str) -> tuple[str, int, int] | None:
    """The register, the distance and the bytes of a place on the stack."""
    found = _SLOT.match(operand)
    return (found[2], int(found[3] or "0", 16), _SLOT_BYTES[found[1]]) if found else None


def _spills_after(one: Instruction, held: frozenset[str]) -> frozenset[str]:
    """The places on the stack, as `register distance bytes`, that hold what was stored there from a general register."""
    if one.mnemonic in ("push", "pop", "leave") or (one.operands and one.operands[0] == "rsp" and not one.mnemonic.startswith(("cmp", "test"))):
        return frozenset(place for place in held if not place.startswith("rsp"))
    if not one.operands or one.mnemonic.startswith(_WRITES_NOTHING) or (slot := _slot(one.operands[0])) is None:
        return held
    register, begin, size = slot
    left = set()
    for place in held:
        other, at, bytes_ = place.split()
        if other != register or int(at) + int(bytes_) <= begin or begin + size <= int(at):
            left.add(place)
    whole = f"{register} {begin} {size}"
    from_general = not one.mnemonic.startswith(("v", "k", "mov")) and whole in held  # add and the like: a general register or a number into it
    if from_general or (one.mnemonic == "mov" and _GENERAL.match(one.operands[1])):
        left.add(whole)
    return frozenset(left)


def _spilled(one: Instruction, held: frozenset[str]) -> bool:
    """Whether what an instruction reads of the stack is in such a place."""
    for operand in one.operands:
        if (slot := _slot(operand)) is not None:
            return any(f"{slot[0]} {slot[1]} {size}" in held for size in (1, 2, 4, 8) if size >= slot[2])
    return False


def _tables_after(one: Instruction, held: frozenset[str]) -> frozenset[str]:
    """The general registers and places on the stack that hold the address of a table, or one within it."""
    if one.mnemonic.startswith("call"):
        return frozenset(where for where in held if where.startswith("[") or where in _CALLEE_SAVES)
    if one.mnemonic.startswith((*_IMPLICIT, *_UNEVEN, "xchg")) and len(set(one.operands)) != 1:  # xchg ax,ax does nothing
        held -= {"a", "c", "d", "si", "di", *(_family(operand) for operand in one.operands)}
    if not one.operands or one.mnemonic.startswith((*_WRITES_NOTHING, "xchg")):
        return held
    to = _WIDTH.sub("", one.operands[0])
    to = _family(to) if one.to_general else to if to.startswith("[") else ""
    within = one.mnemonic in ("add", "sub") and one.to_general and to in held and bool(re.match(r"^(?:0x)?[0-9a-f]+$", one.operands[1]))
    moved = one.mnemonic == "mov" and len(one.operands) == 2 and (one.to_general or bool(_GENERAL.match(one.operands[1])))
    source = _WIDTH.sub("", one.operands[1]) if len(one.operands) > 1 else ""
    address = _PLAIN_ADDRESS.match(source)
    if within or (moved and (source if source.startswith("[") else _family(source)) in held):
        return held | {to}
    if one.mnemonic == "lea" and address and _family(address[1]) in held:
        return held | {to}
    return held - {to}


def _family(register: str) -> str:
    """The name that rax, eax, ax and al share."""
    return re.sub(r"^(?:[re])?([abcd])[xlh]$", r"\1", re.sub(r"^r?e?(si|di|bp|sp)l?$", r"\1", re.sub(r"^(r\d+)[dwb]$", r"\1", register)))


def _only_broadcast(after: list[Instruction], register: str) -> bool:
    """Whether the next instruction that names the register only moves it into a vector, and the one after that overwrites it.

    In the order of the listing up to the return: a reader elsewhere that jumps in between would be missed.
    """
    name, moved = _family(register), False
    for one in after:
        if one.mnemonic == "ret":
            break
        words = [operand for operand in one.operands if any(_family(word) == name for word in re.findall(r"\w+", operand))]
        if not words:
            if one.mnemonic.startswith("j") and not moved:
                return False
            continue
        to_vector = not _GENERAL.match(one.operands[0]) and "[" not in one.operands[0]
        if to_vector and one.mnemonic.startswith(("vpbroadcast", "vmovd", "vmovq", "vpinsr")):
            moved = True
            continue
        writes = bool(one.operands) and one.operands[0] in words and "[" not in one.operands[0]
        reads_too = len(words) > 1 or one.mnemonic not in ("mov", "movzx", "lea", "xor", "pop")
        return moved and writes and (not reads_too or one.mnemonic == "xor")
    return moved


def _only_returned(after: list[Instruction], register: str) -> bool:
    """Whether up to the return there is no jump, and no address is made of a register or of what is computed from it."""
    secret = {_family(register)}
    for one in after:
        if one.mnemonic == "ret":
            return True
        if one.mnemonic.startswith(("j", "call", "cmov", "rep")):
            return False
        named = [{_family(word) for word in re.findall(r"\w+", operand)} & secret for operand in one.operands]
        if any(found and "[" in operand and one.mnemonic != "lea" for found, operand in zip(named, one.operands, strict=True)):
            return False
        if any(named) and one.to_general:
            secret.add(_family(one.operands[0]))
    return False


@dataclass(frozen=True)
class OpcodeScan:
    """The scan of the kernels of TIERS as one compiler makes them."""

    root: Path
    family: str

    @property
    def name(self) -> str:
        """For example scan-gcc."""
        return f"scan-{self.family}"

    @property
    def covers(self) -> str:
        """What this check sees."""
        return f"data that leave vector registers in the {', '.join(TIERS)} kernels that {self.family} makes at -O3"

    @property
    def sources(self) -> list[Path]:
        """The kernel files that this check covers: those of Rainbow where OpenSSL is, without which they are not built."""
        found = sorted(path for tier in TIERS for path in (self.root / "src").rglob(f"*_{tier}*.[cS]"))
        return [path for path in found if path.parent.name != "rainbow" or rainbow_is_built()]

    def scan(self, objects: Path, judge: Callable[[list[Instruction]], list[str]] = leaks) -> dict[str, list[str]]:
        """Function by function, what is wrong."""
        objdump = find_program("objdump", "binutils", "the opcode scan")
        said = run([objdump, "-d", "-M", "intel", "--no-show-raw-insn", objects])
        return {name: leaks(body, name in ANSWERS, bool(TABLES.match(name))) if judge is leaks else judge(body) for name, body in parse(said)}

    def run(self) -> Report:
        """The controls, then every kernel file."""
        compiler = find_compiler(self.family)
        with tempfile.TemporaryDirectory() as directory:
            object_file = Path(directory, "controls.o")
            run([compiler, *CONTROL_FLAGS, "-c", HERE / "opcode_controls.c", "-o", object_file])
            controls = self.scan(object_file)
            for assembly, judging in (("opcode_controls_c.S", leaks), ("opcode_controls.S", mixed_leaks)):
                run([compiler, "-c", HERE / assembly, "-o", object_file])
                more = self.scan(object_file, judging)
                if len([name for name in more if name.startswith("leak_")]) < 6 or not any(name.startswith("quiet_") for name in more):
                    controls = {}
                controls |= more
        problems = [
            f"control {name!r} {'was taken for a leak' if found else 'was not caught'}: the scan means nothing here, and no result is given"
            for name, found in controls.items()
            if bool(found) != name.startswith("leak_")
        ]
        about = {"checker": self.name, "secrets": "all data", "released": sorted(set(ANSWERS.values()) - {"a control"})}
        entries = [
            {"kind": "control", **about, "group": "leak" if name.startswith("leak_") else "quiet", "subject": name, "errors": len(found)}
            for name, found in controls.items()
        ]
        if len([name for name in controls if name.startswith("leak_")]) < 6 or len(controls) < 10:
            problems.append(f"controls are missing: {', '.join(controls)}")
        if problems:
            return Report(self.name, entries, problems)
        rooms = {source.parent.name for source in self.sources}
        archive = build_library(self.root, self.name, compiler, FLAGS, "hanji_rainbow_static" if "rainbow" in rooms else "hanji_static")
        for source in self.sources:
            where = source.relative_to(self.root)
            judge = mixed_leaks if source.suffix == ".S" else leaks
            objects = "hanji_rainbow_objects" if source.parent.name == "rainbow" else "hanji_objects"
            functions = self.scan(archive.parent / f"CMakeFiles/{objects}.dir" / f"{where}.o", judge)
            if not functions:
                problems.append(f"{where}: no function was found in its object")
            for name, found in functions.items():
                entries.append({"kind": "check", **about, "group": "opcodes", "subject": name, "source": str(where), "errors": len(found)})
                problems += [f"{where}: {name}: {problem}" for problem in found]
        return Report(self.name, entries, problems)
