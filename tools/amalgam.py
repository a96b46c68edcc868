# SPDX-License-Identifier: Apache-2.0
"""Write the library, or a part of it, as one C file and one header: hanji.c, hanji.h, and the
kernels of one instruction set.

Usage: python tools/amalgam.py --algorithms "schwaemm256-128, speck-64/128-eax" [--isa
portable|rv32i|armv6m|armv7m|avr, or several] [--profile full|tiny] [--prefix boot]
[--out build/amalgam]
A set of SLH-DSA with "-verify" behind its name has the calls that verify a signature in pieces, and
no others. "selftest" and "error-texts" in the list add hanji_selftest(),
and hanji_error_name() and hanji_error_text().

The sources are put behind each other with their own headers in place. Then whatever the chosen
algorithms do not reach goes: the C preprocessor says what stands on which line, and every
declaration, function, macro and comment stays or goes as a whole. Comments and layout of what stays
are those of the sources. Static names that two files have in common get the name of their file.

With a prefix, every name that begins with hanji_ or HANJI_ begins with the prefix instead, in the C
and in the assembly, so that several amalgams, or one and the library, link into one program.
"""

from __future__ import annotations

import argparse
import difflib
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import folders

import tiny

ROOT = Path(__file__).resolve().parent.parent
PUBLIC = ("common", "block", "mac", "aead", "hash")
CATALOGUE = ROOT / "src/catalog/algorithms.c"


def of_kind(*kinds: str) -> list[str]:
    """The algorithms of some kinds, in the order of the catalogue."""
    row = rf'\{{"([^"]+)",[^{{]*?HANJI_KIND_(?:{"|".join(kinds)})\b'
    return re.findall(row, CATALOGUE.read_text(encoding="utf-8"))


def families(*kinds: str) -> list[str]:
    """Their families."""
    return list(dict.fromkeys(re.split("[-0-9]", name)[0] for name in of_kind(*kinds)))


BLOCK_FAMILIES = families("BLOCK")  # each has a room of its name
# Signature schemes by their rooms: how the names of the sets begin, and the header.
SIGNATURES = {"aimer": ("aimer", "sign"), "slhdsa": ("slh-dsa-", "slhdsa")}
# Behind the name of a set: only the verification of signatures in pieces, for boot loaders, where
# the scheme has it; the beginnings of its calls.
VERIFY = "-verify"
VERIFIERS = {
    "slhdsa": tuple(
        f"hanji_slhdsa_{name}"
        for name in ("stream_", "by_name", "name", "mode", "public_key_bytes", "signature_bytes")
    )
}
# SPARKLE comes first: lanes/portable.h, which comes with the block ciphers, gives UNROLL a
# meaning of its own.
ROOMS = ("support", "sparkle", "ascon", "modes", *BLOCK_FAMILIES, "keccak", *SIGNATURES)
MODES = {"ctr": ("hanji_ctr",), "cmac": ("hanji_cmac",), "eax": ("hanji_eax_",)}
ALWAYS = ("version", "version_number", "wipe", "equal", "force", "selection")
# In the list of algorithms, beside them: what each adds.
WITH_SELFTEST = "selftest"
WITH_ERRORS = "error-texts"
EXTRAS = {WITH_SELFTEST: ("selftest",), WITH_ERRORS: ("error_name", "error_text")}
# For callers that find algorithms by number; they bring all of a family.
NEVER = re.compile(rf"fleet|hanji_(?:{'|'.join(families('AEAD', 'HASH'))})_\w+_bytes$")
# What the preprocessor must have seen for a line to count: a host, firmware, and firmware for RV32.
MACHINES = {
    "portable": [
        ["-DHANJI_PORTABLE"],
        ["-DHANJI_PORTABLE", "-DHANJI_FREESTANDING", "-ffreestanding"],
    ],
    "rv32i": [
        ["-DHANJI_PORTABLE"],
        ["-DHANJI_PORTABLE", "-DHANJI_FREESTANDING", "-ffreestanding"],
        [
            "-U__x86_64__",
            "-U__aarch64__",
            "-D__riscv",
            "-D__riscv_xlen=32",
            "-DHANJI_FREESTANDING",
            "-ffreestanding",
        ],
    ],
}
# What the compiler of a microcontroller defines, for the other instruction sets; and the name that
# the library has for each of them (src/support/cpu.h).
DEFINED = {
    "armv6m": ["__ARM_ARCH_6M__"],
    "armv7m": ["__ARM_ARCH_7M__"],
    "avr": ["__AVR__", "__AVR_HAVE_LPMX__", "__AVR_HAVE_MOVW__"],
}
# Instruction sets whose kernels stand beside those of another one; the compiler says which it has.
WITHIN = {"armv7m": ("armv7em",)}
TIERS = {
    "rv32i": "HANJI_RV32",
    "armv6m": "HANJI_ARMV6M",
    "armv7m": "HANJI_ARMV7M",
    "avr": "HANJI_AVR",
}
MACHINES |= {
    isa: [
        *MACHINES["portable"],
        [
            "-U__x86_64__",
            "-U__aarch64__",
            *(f"-D{name}" for name in names),
            "-DHANJI_FREESTANDING",
            "-ffreestanding",
        ],
    ]
    for isa, names in DEFINED.items()
}
MACHINES["armv7m"].append([*MACHINES["armv7m"][-1], "-D__ARM_FEATURE_DSP"])
TOKEN = re.compile(
    r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[A-Za-z_]\w*|0[xX][0-9a-fA-F]+\w*|\d[\w.]*|->|##|\S'
)
COMMENT_OR_TEXT = re.compile(
    r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL
)
NAME = re.compile(r"[A-Za-z_]\w*")


# What a user passes with -D, or in the environment, has one name for all amalgams of a program.
OPTIONS = {"HANJI_PORTABLE", "HANJI_FREESTANDING", "HANJI_SMALL", "HANJI_FORCE"}
OWN = "hanji"
# A header of such a name would be found in the place of the standard one.
STANDARD_HEADERS = """
    assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign
    stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar
    wchar wctype unistd
"""


class AmalgamError(Exception):
    """What was asked for cannot be made."""


@dataclass
class Line:
    """One line of all sources in their order; `file` is where it comes from."""

    text: str
    file: str


@dataclass
class Unit:
    """Declarations that share lines: they stay or go together."""

    first: int
    last: int
    defines: set[str] = field(default_factory=set)
    declares: set[str] = field(default_factory=set)  # without defining
    uses: set[str] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)


def known_algorithms() -> dict[str, str]:
    """Every name that may be chosen, with the identifier of its functions."""
    text = CATALOGUE.read_text(encoding="utf-8")
    names: dict[str, str] = {}
    for name, kind, block in re.findall(
        r'\{"([^"]+)",.*?HANJI_KIND_(\w+),\s*\d+,\s*(\d+)', text, re.DOTALL
    ):
        if kind in ("MODE", "SIGNATURE"):  # modes go with a cipher; of signatures: signature_sets()
            continue
        identifier = re.sub(r"[-/]", "_", re.sub(r"^(?!ascon)([a-z]+)-", r"\1", name))
        names[name] = identifier
        if kind == "BLOCK":
            modes = MODES if block in ("8", "16") else ("ctr",)
            names |= {f"{name}-{mode}": identifier for mode in modes}
    return names


def signature_sets() -> dict[str, str]:
    """Every parameter set of a signature scheme, with its status if it is broken, else ""."""
    text = CATALOGUE.read_text(encoding="utf-8")
    row = (
        r'\{"([^"]+)", "[^"]*",\s*((?:"[^"]*"\s*)+),\s*HANJI_KIND_SIGNATURE,'
        r"(?:\s*\d+,){6}\s*HANJI_ADVICE_(\w+)\}"
    )
    return {
        name: "".join(re.findall(r'"([^"]*)"', status)) if advice == "BROKEN" else ""
        for name, status, advice in re.findall(row, text)
    }


def words(text: str) -> list[str]:
    """The words of a list, between which there are commas, blanks or both."""
    return re.findall(r"[^\s,]+", text)


def instruction_sets(wanted: str) -> list[str]:
    """The instruction sets of a list; none for portable C."""
    found = list(dict.fromkeys(words(wanted)))
    for name in found:
        if name not in MACHINES:
            raise AmalgamError(
                f"there is no instruction set {name!r}; known are {', '.join(sorted(MACHINES))}"
            )
    return sorted(name for name in found if name != "portable")


def similar(name: str, known: list[str]) -> list[str]:
    """At most four names that a wrong one may stand for: first those that begin with it, in the
    order of the catalogue's advice.
    """
    text = CATALOGUE.read_text(encoding="utf-8")
    rows = re.findall(r'\{"([^"]+)",.*?HANJI_ADVICE_(\w+)\}', text, re.DOTALL)
    order = ["RECOMMENDED", "OK", "LEGACY", "RESEARCH", "BROKEN"]
    rank = {row: order.index(advice) for row, advice in rows}
    begun = [one for one in known if len(name) >= 3 and one.startswith(name)]
    begun.sort(key=lambda one: rank.get(re.sub(rf"-({'|'.join(MODES)})$", "", one), len(order)))
    return list(dict.fromkeys(begun + difflib.get_close_matches(name, known, n=3)))[:4]


def chosen(wanted: str, broken: bool = False) -> dict[str, str]:
    """The names in a list, each checked; those of `broken` schemes only if that is known."""
    sets = signature_sets()
    known = known_algorithms() | {name: name.replace("-", "_") for name in sets}
    known |= {
        f"{name}{VERIFY}": name.replace("-", "_")
        for room in VERIFIERS
        for name in sets
        if name.startswith(SIGNATURES[room][0])
    }
    found: dict[str, str] = {}
    for name in words(wanted):
        if name in EXTRAS:
            continue
        if name not in known:
            near = similar(name, [*known, *EXTRAS])
            hint = (
                f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(known)}."
            )
            raise AmalgamError(f"there is no algorithm {name!r}; {hint}")
        if sets.get(name) and not broken:
            raise AmalgamError(
                f"{name}: {sets[name]}. Nothing was made; to have it nevertheless give BROKEN=1 "
                "(--i-know-it-is-broken)"
            )
        found[name] = known[name]
    if not found:
        raise AmalgamError(
            'no algorithm was chosen; for example: make amalgam ALGORITHMS="schwaemm256-128, speck-64/128-eax"'
        )
    return found


def extras(wanted: str) -> set[str]:
    """What a list asks for beside algorithms."""
    return set(words(wanted)) & set(EXTRAS)


def sources(held: list[str]) -> list[Path]:
    """The C files of the library without fleets, catalogue and the kernels of other machines."""
    isas = re.search(
        r"^set\(hanji_isas ([^)]*)\)", (ROOT / "cmake/kernels.cmake").read_text(), re.MULTILINE
    )
    assert isas
    other = re.compile(
        rf"_(?:{'|'.join(name for name in isas[1].split() if name not in held)})(?:_|\.)"
    )
    files = [path for room in ROOMS for path in sorted((ROOT / "src" / room).glob("*.c"))]
    fleets = re.compile("fleet|chain_lanes")
    files = [p for p in files if not other.search(p.name) and not fleets.search(p.name)]
    # What asks the C library for more than standard C stands before all of its headers. Kernels
    # stand last in their room: they include headers under conditions. Kernel tables stand first:
    # they declare the portable kernels, which have no other prototypes.
    rank = {room: place for place, room in enumerate(ROOMS)}
    return sorted(
        files,
        key=lambda path: (
            path.name != "random.c",
            rank[path.parent.name],
            not set(held).isdisjoint(path.stem.split("_")),
            not path.stem.endswith("_kernels"),
        ),
    )


class Inliner:
    """Puts own headers in the place of their includes: those with a guard once, the others every
    time.
    """

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._seen: set[Path] = set()

    def add(self, path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        name = str(path.relative_to(ROOT))
        guard = re.search(r"^#ifndef (HANJI_\w+_H)$\n#define \1$", text, re.MULTILINE)
        whole = guard and "\n#" not in text[: guard.start()]
        if whole:
            if path in self._seen:
                return
            self._seen.add(path)
            assert guard
            text = (
                text[: guard.start()]
                + text[guard.end() + 1 :].rstrip().removesuffix("#endif")
                + "\n"
            )
        for row in text.splitlines():
            include = re.match(r'#include "(.+)"', row)
            if include is None:
                self.lines.append(Line(row, name))
                continue
            found = next(
                (
                    folder / include[1]
                    for folder in (ROOT / "src", ROOT / "include")
                    if (folder / include[1]).exists()
                ),
                None,
            )
            if found is None:
                raise AmalgamError(
                    f"{name} includes {include[1]}, which is neither in src nor in include"
                )
            self.add(found)


def without_comments(text: str) -> str:
    """The text with comments blanked out, line for line."""

    def blank(found: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", found[0]) if found[0][0] == "/" else found[0]

    return COMMENT_OR_TEXT.sub(blank, text)


def select_sets(lines: list[Line], identifiers: set[str]) -> None:
    """Drop the rows of the tables of sets of signatures that belong to other algorithms."""
    kept: list[Line] = []
    for line in lines:
        one_set = re.match(r'\s+\{"(\w+-[\w-]+)", (?:&\w+|\d+),.*\},$', line.text)
        if one_set is None or one_set[1].replace("-", "_") in identifiers:
            kept.append(line)
    lines[:] = kept


def settle_conditions(lines: list[Line], undefined: set[str]) -> None:
    """Take out what stands under #ifdef of names that no amalgam of this kind defines, and what
    stands beside its #else stays.
    """
    kept: list[Line] = []
    # of every open condition: "keep", or whether its lines are "in" or "out"
    levels: list[str] = []
    for line in lines:
        directive = re.match(r"#\s*(if|ifdef|ifndef|else|elif|endif)\b\s*(\w*)", line.text)
        word = directive[1] if directive else ""
        if word in ("if", "ifdef", "ifndef"):
            assert directive
            settled = word == "ifdef" and directive[2] in undefined
            levels.append("out" if settled else "keep")
            if settled:
                continue
        elif word in ("else", "endif") and levels[-1] != "keep":
            if word == "else":
                levels[-1] = "in"
            else:
                levels.pop()
            continue
        elif word == "endif":
            if "out" not in levels:
                kept.append(line)
            levels.pop()
            continue
        if "out" not in levels:
            kept.append(line)
    lines[:] = kept


def preprocessor() -> str:
    """The host's compiler, which is used as a preprocessor."""
    found = next((name for name in ("cc", "gcc", "clang", "clang-14") if shutil.which(name)), None)
    if found is None:
        raise AmalgamError(
            "no C compiler; its preprocessor is needed. On Debian: apt-get install gcc"
        )
    return found


def system_names(*options: str) -> set[str]:
    """What the host's headers declare that the library includes; with -dD their macros, too."""
    headers = "".join(
        f"#include <{name}.h>\n" for name in ("stdatomic", "stdint", "stdlib", "string", "unistd")
    )
    done = subprocess.run(
        [preprocessor(), "-E", "-D_DEFAULT_SOURCE", *options, "-"],
        input=headers,
        capture_output=True,
        text=True,
    )
    return set(NAME.findall(done.stdout))


def replaced(pattern: re.Pattern[str], mapping: dict[str, str], text: str) -> str:
    """The text with what the first group of the pattern matched mapped, and the rest as it was."""
    return pattern.sub(lambda found: mapping.get(found[1], found[0]), text)


def rename_shared_statics(lines: list[Line]) -> None:
    """Static names of one C file that others use too, for whatever, get the name of their file
    before them.
    """
    pattern = re.compile(
        r"^(?:static|HANJI_INLINE|typedef)\b[^=;{]*?\b(\w+)(?=\s*(?:\(|=|\[|;))|^\} "
        r"(\w+);|^typedef struct (\w+) \{",
        re.MULTILINE,
    )
    texts: dict[str, list[int]] = defaultdict(list)
    for number, line in enumerate(lines):
        if line.file.endswith(".c"):
            texts[line.file].append(number)
    defined: dict[str, set[str]] = {}
    for file, numbers in texts.items():
        body = without_comments("\n".join(lines[n].text for n in numbers))
        defined[file] = {next(filter(None, found.groups())) for found in pattern.finditer(body)} - {
            "HANJI_NOINLINE"
        }
    used: dict[str, set[str]] = defaultdict(set)
    for line in lines:
        used[line.file] |= set(NAME.findall(re.sub(r"(?:\.|->)\s*\w+", "", line.text)))
    shared = Counter(name for names in used.values() for name in names) + Counter(system_names())
    for file, names in defined.items():
        mapping = {name: f"{Path(file).stem}_{name}" for name in names if shared[name] > 1}
        if not mapping:
            continue
        use = re.compile(
            rf"{COMMENT_OR_TEXT.pattern}|(?<![\w.>])(?<!## "
            rf")(?<!##)\b({'|'.join(map(re.escape, mapping))})\b(?!\s*##)",
            re.DOTALL,
        )
        changed = replaced(use, mapping, "\n".join(lines[number].text for number in texts[file]))
        for number, text in zip(texts[file], changed.split("\n"), strict=True):
            lines[number].text = text


def end_macros(lines: list[Line]) -> None:
    """Undefine at the end of each C file what it defines."""
    files = dict.fromkeys(line.file for line in lines if line.file.endswith(".c"))
    last = {
        file: max(number for number, line in enumerate(lines) if line.file == file)
        for file in files
    }
    ends: dict[int, list[Line]] = defaultdict(list)
    for file in files:
        own = [
            found[1]
            for line in lines
            if line.file == file and (found := re.match(r"#\s*define (\w+)", line.text))
        ]
        # What a header that comes with the file is made of: it is the last that the file includes.
        ends[last[file]] = [Line(f"#undef {name}", file) for name in dict.fromkeys(own)]
    after = list(lines)
    for number in sorted(ends, reverse=True):
        end = number + 1
        while (
            end < len(after)
            and not after[end].file.endswith(".c")
            and end < len(lines)
            and lines[end].file == lines[number].file
        ):
            end += 1
        after[end:end] = ends[number]
    lines[:] = after


def declarations(expanded: str, count: int) -> list[tuple[int, int, list[str]]]:
    """(first line, last line, tokens) of every declaration at file scope, lines counted in the
    unexpanded text.
    """
    found: list[tuple[int, int, list[str]]] = []
    tokens: list[str] = []
    first = here = 0
    ours = True
    depth = 0
    body = False
    for row in expanded.splitlines():
        marker = re.match(r'# (\d+) "([^"]*)"', row)
        if marker:
            here, ours = int(marker[1]) - 1, marker[2].endswith("all.c")
            continue
        if ours and here < count:
            for token in TOKEN.findall(row):
                if not tokens:
                    if token == ";":
                        continue
                    first, body = here, False
                if token in "([{" and len(token) == 1:
                    if token == "{" and depth == 0:
                        body = tokens[-1] == ")"
                    depth += 1
                tokens.append(token)
                if token in ")]}" and len(token) == 1:
                    depth -= 1
                if depth == 0 and (token == ";" or (token == "}" and body)):
                    found.append((first, here, tokens))
                    tokens = []
        here += 1
    return found


def described(tokens: list[str]) -> tuple[set[str], set[str], set[str]]:
    """(names that it defines, names that it only declares, names that it uses)."""
    names: list[str] = []
    depth = 0
    inner: set[str] = set()
    tags: set[str] = set()
    for at, token in enumerate(tokens):
        following = tokens[at + 1] if at + 1 < len(tokens) else ""
        if token in "([{" and len(token) == 1:
            depth += 1
        elif token in ")]}" and len(token) == 1:
            depth -= 1
        elif NAME.fullmatch(token):
            if (
                depth == 0
                and token in ("struct", "enum", "union")
                and NAME.fullmatch(following)
                and "{" in tokens[at : at + 3]
            ):
                tags.add(following)
            if (
                depth == 0
                and following in ("(", "=", "[", ";", ",")
                and token not in ("__attribute__", "_Pragma", "sizeof")
            ):
                names.append(token)
            if (
                depth == 1
                and tokens[0] in ("enum", "typedef")
                and "enum" in tokens[:2]
                and tokens[at - 1] in ("{", ",")
            ):
                inner.add(token)
        if token == "=" and depth == 0:
            break
    if "(" in tokens and names and tokens[0] != "typedef":
        first_paren = next(
            (n for n in names if tokens[tokens.index(n) + 1 : tokens.index(n) + 2] == ["("]), None
        )
        names = [first_paren] if first_paren and "{" in tokens else names
    uses = {
        t
        for at, t in enumerate(tokens)
        if NAME.fullmatch(t) and (at == 0 or tokens[at - 1] not in (".", "->"))
    }
    own = set(names) | tags | inner
    if tokens[0] == "typedef" or "{" in tokens or "=" in tokens or "static" in tokens:
        return own, set(), uses - own
    return set(), own, uses - own


def machines(held: list[str]) -> list[list[str]]:
    """What the preprocessor must be told to see every line that a build may have."""
    found = list(MACHINES["portable"])
    for isa in held:
        found += [options for options in MACHINES[isa] if options not in found]
    return found


def units_of(text: str, count: int, held: list[str]) -> list[Unit]:
    """All declarations as every machine sees them, joined where they share a line."""
    spans: list[tuple[int, int, list[str]]] = []
    with tempfile.TemporaryDirectory() as work:  # not in the checkout: two may run at a time
        file = Path(work) / "all.c"
        file.write_text(text, encoding="utf-8")
        for options in machines(held):
            done = subprocess.run(
                [preprocessor(), "-E", "-O1", "-std=c11", *options, str(file)],
                capture_output=True,
                text=True,
            )
            if done.returncode:
                (why, *_) = done.stderr.strip().splitlines() or ["it does not say why"]
                raise AmalgamError(f"the preprocessor refuses the sources: {why}")
            spans += declarations(done.stdout, count)
    spans.sort(key=lambda span: span[:2])
    units: list[Unit] = []
    for first, last, tokens in spans:
        defines, declares, uses = described(tokens)
        if units and first <= units[-1].last:
            units[-1].last = max(units[-1].last, last)
        else:
            units.append(Unit(first, last))
        unit = units[-1]
        unit.defines |= defines
        unit.declares |= declares
        unit.uses |= uses
        unit.texts.add(" ".join(tokens))
    return units


def reached(units: list[Unit], roots: set[str]) -> set[int]:
    """Units that the roots need: definitions, and declarations of what is defined."""
    by_name: dict[str, list[int]] = defaultdict(list)
    for number, unit in enumerate(units):
        for name in unit.defines | unit.declares:
            by_name[name].append(number)
    seen: set[int] = set()
    waiting = list(roots)
    known = set(roots)
    while waiting:
        for number in by_name.get(waiting.pop(), ()):
            if number in seen:
                continue
            seen.add(number)
            fresh = units[number].uses - known
            if units[number].defines:
                fresh |= units[number].defines - known
            known |= fresh
            waiting += fresh
    earlier: set[str] = set()
    once: set[int] = set()
    for number in sorted(seen):
        if units[number].texts <= earlier:
            continue  # a header that is included again with the same word size
        earlier |= units[number].texts
        once.add(number)
    return once


def comment_before(rows: list[str], code: list[str], first: int) -> int:
    """The first line of the comment that ends right above a line, or the line itself."""
    at = first
    while at > 0 and rows[at - 1].strip() and not code[at - 1].strip():
        at -= 1
    return at


def pasted(text: str, identifiers: set[str]) -> re.Pattern[str]:
    """The names that ## makes of the identifiers of chosen algorithms."""
    one = "|".join(sorted(identifiers | {identifier.upper() for identifier in identifiers}))
    found = {"(?!)"}
    for chain in re.findall(r"\w+(?:\s*##\s*\w+)+", text):
        parts = re.split(r"\s*##\s*", chain)
        found |= {"".join([*parts[:i], f"(?:{one})", *parts[i + 1 :]]) for i in range(len(parts))}
    found |= {rf"{prefix}\w+" for prefix in re.findall(r"\bHANJI_JOIN\((\w+_),", text)}
    return re.compile("|".join(sorted(found)))


def drop_macros(rows: list[str | None], identifiers: set[str]) -> None:
    """Remove definitions whose names nothing names, and conditions with nothing inside, until
    nothing changes.
    """
    public = "|".join(sorted(identifier.upper() for identifier in identifiers))
    always = re.compile(rf"_\w+|HANJI_(?:OK|E_\w+|VERSION\w*|(?:{public})_\w+)")
    while True:
        changed = False
        text = without_comments("\n".join(row or "" for row in rows))
        uses = Counter(NAME.findall(re.sub(r"^#\s*undef .*$", "", text, flags=re.MULTILINE)))
        made = pasted(text, identifiers)
        code = text.split("\n")
        number = 0
        while number < len(rows):
            found = re.match(r"#\s*(define|undef) (\w+)", rows[number] or "")
            if (
                found
                and not always.fullmatch(found[2])
                and not made.fullmatch(found[2])
                and uses[found[2]] <= (1 if found[1] == "define" else 0)
            ):
                last = number
                while (rows[last] or "").endswith("\\"):
                    last += 1
                at = (
                    comment_before([row or "" for row in rows], code, number)
                    if found[1] == "define"
                    else number
                )
                rows[at : last + 1] = [None] * (last + 1 - at)
                changed = True
                number = last
            elif re.match(r"#\s*if", rows[number] or ""):
                last = number + 1
                while last < len(rows) and (
                    not rows[last] or re.match(r"\s*$|#\s*el", rows[last] or "")
                ):
                    last += 1
                if last < len(rows) and re.match(r"#\s*endif", rows[last] or ""):
                    at = comment_before([row or "" for row in rows], code, number)
                    rows[at : last + 1] = [None] * (last + 1 - at)
                    changed = True
            number += 1
        defined = Counter(
            found[1] for row in rows if (found := re.match(r"#\s*define (\w+)", row or ""))
        )
        for number, row in enumerate(rows):
            found = re.match(r"#\s*undef (\w+)", row or "")
            if found and not defined[found[1]]:
                rows[number] = None
                changed = True
        if not changed:
            return


def drop_idle_macros(rows: list[str | None]) -> None:
    """Remove definitions that end before any code: those of headers that were included for what is
    gone.
    """
    code = without_comments("\n".join(row or "" for row in rows)).split("\n")
    for number, row in enumerate(rows):
        found = re.match(r"#\s*define (\w+)", row or "")
        if not found or (row or "").endswith("\\"):
            continue
        depth = 0
        for later in range(number + 1, len(rows)):
            text = code[later].strip()
            if depth == 0 and re.match(rf"#\s*(undef|define) {found[1]}\b", text):
                rows[number] = None
                break
            depth += bool(re.match(r"#\s*if", text)) - bool(re.match(r"#\s*endif", text))
            ends = depth < 0 or (depth == 0 and re.match(r"#\s*el", text))
            if ends or (
                text
                and (
                    not text.startswith("#") or re.match(rf"#\s*(?:if|elif).*\b{found[1]}\b", text)
                )
            ):
                break


def drop_idle_undefs(rows: list[str | None]) -> None:
    """Remove the #undef of what is not defined at that place."""
    live: set[str] = set()
    for number, row in enumerate(rows):
        found = re.match(r"#\s*(define|undef) (\w+)", row or "")
        if not found:
            continue
        if found[1] == "define":
            live.add(found[2])
        elif found[2] in live:
            live.discard(found[2])
        else:
            rows[number] = None


def tidy(rows: list[str | None]) -> str:
    """One blank line at most between what is left, and every standard header once."""
    seen: set[str] = set()
    kept: list[str] = []
    for row in rows:
        if (
            row is None
            or row in seen
            or "SPDX-License-Identifier" in row
            or "@cond" in row
            or "@endcond" in row
        ):
            continue
        if re.match(r"#include <std(def|int)\.h>", row):
            seen.add(row)
        kept.append(row)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip() + "\n"


NO_KERNELS = """\
/* There are no kernels beside this file: it is portable C, whatever the processor. */
#ifndef HANJI_PORTABLE
#define HANJI_PORTABLE
#endif
"""
FOR = """\
/* The kernels beside this file are for WHAT; elsewhere this file is portable C. */
#if !defined(HANJI_PORTABLE) && !(TEST)
#define HANJI_PORTABLE
#endif
"""
# What the processors of each instruction set are called; tiny.PROCESSORS says how a compiler names
# them. Kernels compile to nothing elsewhere.
CALLED = {
    "armv6m": "Armv6-M and the baseline of Armv8-M",
    "armv7m": "Armv7-M and the mainline of Armv8-M",
    "avr": "AVR with movw and lpm of any register",
    "rv32i": "RV32 with all 31 registers",
}


def portable_elsewhere(held: list[str]) -> str:
    """The lines that make the file portable C on processors without kernels."""
    if not held:
        return NO_KERNELS
    *most, last = (CALLED[isa] for isa in held)
    what = f"{', '.join(most)} and {last}" if most else last
    tests = [tiny.PROCESSORS[isa] for isa in held]
    test = tests[0] if len(tests) == 1 else " || \\\n    ".join(f"({one})" for one in tests)
    return FOR.replace("WHAT", what).replace("TEST", test)


CPP = """\
/* C++ has other words for these of C. */
#ifdef __cplusplus
#if !defined(__clang__) && __GNUC__ < 8
#error "hanji.c as C++ needs g++ 8 or newer, or clang: give it to a C compiler"
#endif
#define _Alignas alignas
#define restrict __restrict
#define _Static_assert static_assert
#endif
"""
FREESTANDING = """\
/* Firmware: what -ffreestanding says, or a compiler without headers of an operating system. */
#ifndef HANJI_FREESTANDING
#if defined(__AVR__) || (defined(__STDC_HOSTED__) && __STDC_HOSTED__ == 0)
#define HANJI_FREESTANDING
#elif defined(__has_include)
#if !__has_include(<unistd.h>)
#define HANJI_FREESTANDING
#endif
#endif
#endif
"""


def amalgamate(
    names: dict[str, str], held: list[str], more: set[str]
) -> tuple[str, str, dict[Path, str]]:
    """(text of hanji.h, text of hanji.c, kernel files with their instruction sets) for chosen
    algorithms.
    """
    identifiers = set(names.values())
    sparkle = any(
        identifier.startswith(("schwaemm", "esch", "xoesch", "sparkle"))
        for identifier in identifiers
    )
    rooms = {"support"} | ({"sparkle"} if sparkle else set())
    rooms |= (
        {"ascon"} if any(identifier.startswith("ascon") for identifier in identifiers) else set()
    )
    signatures = sorted({name.removesuffix(VERIFY) for name in names} & set(signature_sets()))
    if signatures and WITH_SELFTEST in more:
        raise AmalgamError(
            "an amalgam has no self-test of signatures; leave out selftest or "
            f"{', '.join(signatures)}"
        )
    schemes = [
        room
        for room, (begin, _) in SIGNATURES.items()
        if any(name.startswith(begin) for name in signatures)
    ]
    rooms |= {"keccak", *schemes} if schemes else set()
    blocks = {
        identifier for identifier in identifiers if identifier.startswith(tuple(BLOCK_FAMILIES))
    }
    if blocks:
        rooms |= {"modes"} | {match[0] for name in blocks if (match := re.match("[a-z]+", name))}
    inliner = Inliner()
    for header in (*PUBLIC, *(SIGNATURES[room][1] for room in schemes)):
        inliner.add(ROOT / f"include/hanji/{header}.h")
    for path in sources(held):
        if path.parent.name in rooms:
            inliner.add(path)
    lines = inliner.lines
    select_sets(lines, identifiers)
    settle_conditions(
        lines,
        {"HANJI_X86", "HANJI_X86_ASSEMBLY", "HANJI_A64", "HANJI_TEST_TIERS", "__riscv_zbkb"}
        | {name for tier, name in TIERS.items() if tier not in held},
    )
    rename_shared_statics(lines)
    end_macros(lines)

    texts = [line.text for line in lines]
    units = units_of("\n".join(texts) + "\n", len(texts), held)
    every = {name for unit in units for name in unit.defines | unit.declares}
    prefixes = [f"hanji_{identifier}_" for identifier in identifiers]
    prefixes += ["hanji_block_"] if blocks else []
    whole = [name for name in names if not name.endswith(VERIFY)]  # all calls of these
    for room in schemes:
        is_whole = any(name.startswith(SIGNATURES[room][0]) for name in whole)
        prefixes += [f"hanji_{room}_"] if is_whole else VERIFIERS[room]
    prefixes += [prefix for name in names for prefix in MODES.get(name.rpartition("-")[2], ())]
    roots = {f"hanji_{name}" for name in ALWAYS} | {
        f"hanji_{identifier}" for identifier in identifiers
    }
    roots |= {"hanji_random"} if whole else set()
    roots |= {f"hanji_{name}" for extra in more for name in EXTRAS[extra]}
    others = tuple(
        f"hanji_{identifier}_original"
        for identifier in identifiers
        if f"{identifier}_original" not in identifiers
    )
    roots |= {
        name
        for name in every
        if name.startswith(tuple(prefixes))
        and not NEVER.search(name)
        and not (others and name.startswith(others))
    }
    families = {
        "schwaemm": "hanji_schwaemm_wipe",
        "esch": "hanji_esch_wipe",
        "xoesch": "hanji_esch_wipe",
        "sparkle": "hanji_sparkle_permute",
    }
    families |= {
        f"ascon_{name}": "hanji_ascon_hash_wipe" for name in ("hash256", "xof128", "cxof128")
    }
    families |= {"ascon_p": "hanji_ascon_permute"}
    roots |= {
        root
        for family, root in families.items()
        if any(identifier.startswith(family) for identifier in identifiers)
    }
    keep = reached(units, roots)

    code = without_comments("\n".join(texts)).split("\n")
    rows: list[str | None] = [None] * len(texts)
    directive = False
    for number, text in enumerate(texts):
        if not text.strip():
            rows[number] = ""
        if directive or code[number].startswith("#"):
            at = number if directive else comment_before(texts, code, number)
            rows[at : number + 1] = texts[at : number + 1]
            directive = text.endswith("\\")
    for kept in keep:
        at = comment_before(texts, code, units[kept].first)
        rows[at : units[kept].last + 1] = texts[at : units[kept].last + 1]
    while True:
        before = list(rows)
        # The old rounds of CHAM have the sizes of the present ones.
        drop_macros(
            rows, identifiers | {identifier.removesuffix("_original") for identifier in identifiers}
        )
        drop_idle_macros(rows)
        drop_idle_undefs(rows)
        if rows == before:
            break
    split = next(
        number for number, line in enumerate(lines) if not line.file.startswith("include/")
    )
    needed = {name for kept in keep for name in units[kept].uses}
    kernels = {
        path: isa
        for room in sorted(rooms)
        for isa in held
        for name in (isa, *WITHIN.get(isa, ()))
        for path in sorted((ROOT / "src" / room).rglob(f"*_{name}*.S"))
    }
    kernels = {
        path: isa
        for path, isa in kernels.items()
        if not needed.isdisjoint(re.findall(r"\.global (\w+)", path.read_text(encoding="utf-8")))
    }
    title = f"hanji {version()}: {', '.join(names)}"
    header = f"/* SPDX-License-Identifier: Apache-2.0 */\n/* {title}. Written by tools/amalgam.py; do not edit. */\n#ifndef HANJI_H\n#define HANJI_H\n\n"
    extern = '#ifdef __cplusplus\nextern "C" {\n#endif\n\n'
    header_rows = (
        tidy(rows[:split]).replace(extern, "").replace("#ifdef __cplusplus\n}\n#endif\n", "")
    )
    includes = "".join(re.findall(r"#include <.*>\n", header_rows))
    declarations_text = re.sub(r"#include <.*>\n", "", header_rows).strip()
    header += f"{includes}\n{extern}{declarations_text}\n\n#ifdef __cplusplus\n}}\n#endif\n#endif\n"
    kinds = ", ".join(held) or "portable"
    about = f"{title}; kernels: {kinds}. Written by tools/amalgam.py; do not edit."
    source = f"/* SPDX-License-Identifier: Apache-2.0 */\n/* {about} */\n"
    features = [number for number, row in enumerate(rows) if re.match(r"#define _", row or "")]
    source += (
        CPP
        + portable_elsewhere(held)
        + FREESTANDING
        + "".join(f"{rows[number]}\n" for number in features)
        + '#include "hanji.h"\n\n'
    )
    for number in features:
        rows[number] = None
    # Kernels in assembly have names of C.
    source += extern + tidy(rows[split:])
    if WITH_SELFTEST in more:
        source += "\n" + selftest(names)
    source += "\n#ifdef __cplusplus\n}\n#endif\n"
    return re.sub(r"\n{3,}", "\n\n", header), source, kernels


SELFTEST = """\
/* The self-test: a known answer of every algorithm in this file, computed with the kernels in use. */
enum {{ SELFTEST_MESSAGE = {message}, SELFTEST_AD = {ad}, SELFTEST_BLOCKS = 35 }};
{count}{answers}{functions}
int hanji_selftest(const char **failed)
{{
    static const struct {{
        const char *name;
        int (*test)(void);
    }} tests[] = {{
{rows}    }};
    int rc = hanji_selection();
    if (failed != NULL)
        *failed = NULL;
    for (size_t i = 0; rc == HANJI_OK && i < sizeof tests / sizeof tests[0]; i++)
        if (!tests[i].test()) {{
            rc = HANJI_E_TAG;
            if (failed != NULL)
                *failed = tests[i].name;
        }}
    return rc;
}}
"""
# What is tested of an algorithm, by kind; names in capitals are put in.
TEST_AEAD = """
static int selftest_ID(void)
{
    uint8_t count[SELFTEST_MESSAGE], out[sizeof ID_answer];
    selftest_count(count, sizeof count);
    int right = hanji_ID_encrypt(out, count, sizeof count, count, SELFTEST_AD, count, count) == HANJI_OK && hanji_equal(out, ID_answer, sizeof out);
    right &= hanji_ID_decrypt(out, out, sizeof out, count, SELFTEST_AD, count, count) == HANJI_OK && hanji_equal(out, count, sizeof count);
    for (size_t i = 0; i < sizeof out; i++)
        out[i] = ID_answer[i];
    out[SELFTEST_MESSAGE] ^= 1;
    return right && hanji_ID_decrypt(out, out, sizeof out, count, SELFTEST_AD, count, count) == HANJI_E_TAG;
}
"""
TEST_HASH = """
static int selftest_ID(void)
{
    uint8_t count[SELFTEST_MESSAGE], out[sizeof ID_answer];
    selftest_count(count, sizeof count);
    return hanji_ID(outSIZE, count, sizeof count) == HANJI_OK && hanji_equal(out, ID_answer, sizeof out);
}
"""
TEST_SPARKLE = """
static int selftest_ID(void)
{
    uint8_t state[BITS / 8];
    selftest_count(state, sizeof state);
    int right = hanji_sparkle_permute(state, 1, BITS, SLIM) == HANJI_OK && hanji_equal(state, ID_slim, sizeof state);
    selftest_count(state, sizeof state);
    return right && hanji_sparkle_permute(state, 1, BITS, BIG) == HANJI_OK && hanji_equal(state, ID_big, sizeof state);
}
"""
TEST_ASCON = """
static int selftest_ID(void)
{
    uint8_t state[HANJI_ASCON_STATE_BYTES];
    selftest_count(state, sizeof state);
    return hanji_ascon_permute(state, 1, 12) == HANJI_OK &&
           hanji_equal(state, ID12_answer, sizeof state);
}
"""
TEST_BLOCK = """
static int selftest_ID(void)
{
    CONTEXT key;
    uint8_t blocks[SELFTEST_BLOCKS * sizeof ID_plaintext];
    for (size_t i = 0, j = 0; i < sizeof blocks; i++, j = j + 1 == sizeof ID_plaintext ? 0 : j + 1)
        blocks[i] = ID_plaintext[j];
    int right = hanji_block_init(ID_key, sizeof ID_key, hanji_ID(), &key.head, sizeof key) == HANJI_OK &&
                hanji_block_encrypt(blocks, blocks, SELFTEST_BLOCKS, &key.head) == HANJI_OK;
    for (size_t i = 0; i < sizeof blocks; i += sizeof ID_plaintext)
        right &= hanji_equal(blocks + i, ID_ciphertext, sizeof ID_ciphertext);
    right &= hanji_block_decrypt(blocks, blocks, SELFTEST_BLOCKS, &key.head) == HANJI_OK;
    for (size_t i = 0; i < sizeof blocks; i += sizeof ID_plaintext)
        right &= hanji_equal(blocks + i, ID_plaintext, sizeof ID_plaintext);
    hanji_block_wipe(&key.head);
    return right;
}
"""
TEST_MODE = """
static int selftest_ID_MODE(void)
{
    CONTEXT block;
    hanji_MODE_ctx mode;
    uint8_t count[SELFTEST_MESSAGE], out[sizeof ID_MODE_answer];
    selftest_count(count, sizeof count);
    int right = hanji_block_init(count, KEY_BYTES, hanji_ID(), &block.head, sizeof block) == HANJI_OK &&
                CALL;
    hanji_block_wipe(&block.head);
    hanji_MODE_wipe(&mode);
    return right;
}
"""
CALLS = {
    "eax": """hanji_eax_init(BLOCK_BYTES, &block.head, &mode) == HANJI_OK &&
                hanji_eax_encrypt(out, count, sizeof count, count, SELFTEST_AD, count, 16, &mode) == HANJI_OK &&
                hanji_equal(out, ID_MODE_answer, sizeof out) &&
                hanji_eax_decrypt(out, out, sizeof out, count, SELFTEST_AD, count, 16, &mode) == HANJI_OK &&
                hanji_equal(out, count, sizeof count)""",
    "ctr": """hanji_ctr_init(ID_MODE_iv, sizeof ID_MODE_iv, &block.head, &mode) == HANJI_OK &&
                hanji_ctr_update(out, count, sizeof out, &mode) == HANJI_OK && hanji_equal(out, ID_MODE_answer, sizeof out) &&
                hanji_ctr(out, out, sizeof out, ID_MODE_iv, sizeof ID_MODE_iv, count, KEY_BYTES, hanji_ID()) == HANJI_OK &&
                hanji_equal(out, count, sizeof out)""",
    "cmac": """hanji_cmac_init(&block.head, &mode) == HANJI_OK &&
                hanji_cmac_update(count, sizeof count, &mode) == HANJI_OK && hanji_cmac_final(out, sizeof out, &mode) == HANJI_OK &&
                hanji_equal(out, ID_MODE_answer, sizeof out)""",
}
COUNT = """
static void selftest_count(uint8_t *out, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        out[i] = (uint8_t)i;
}
"""


def c_array(data: bytes) -> str:
    """The initialiser of an array."""
    return "{" + ", ".join(f"0x{byte:02x}" for byte in data) + "}"


def selftest(names: dict[str, str]) -> str:
    """hanji_selftest() of the chosen algorithms, with the known answers of the library's own
    self-test.
    """
    vectors = (ROOT / "src/catalog/generated/selftest_vectors.h").read_text(encoding="utf-8")
    arrays = dict(
        re.findall(r"^static const uint8_t (\w+)\[\d+\] = (\{.*\});$", vectors, re.MULTILINE)
    )
    examples = {
        name: bodies
        for name, *bodies in re.findall(
            r'\{"([^"]+)", (\{[^}]*\}), (\{[^}]*\}), (\{[^}]*\})\},', vectors
        )
    }
    sparkles = {
        name: values
        for name, *values in re.findall(
            r'\{"(sparkle\d+)", (\d+), (\d+), (\d+), (\{[^}]*\}), (\{[^}]*\})\},', vectors
        )
    }
    listed = (ROOT / "src/catalog/generated/amalgam_answers.h").read_text(encoding="utf-8")
    modes = dict(re.findall(r'\{"([^"]+)", (\{[^}]*\})\},', listed))
    answers: dict[str, str] = {}
    functions: dict[str, tuple[str, str]] = {}
    for name, identifier in names.items():
        cipher, _, mode = name.rpartition("-")
        if mode not in MODES:
            cipher, mode = name, ""
        context = f"hanji_{identifier.removesuffix('_original')}_ctx"
        if cipher in examples:
            answers |= {
                f"{identifier}_{part}": body
                for part, body in zip(
                    ("key", "plaintext", "ciphertext"), examples[cipher], strict=True
                )
            }
            functions[identifier] = (
                cipher,
                TEST_BLOCK.replace("ID", identifier).replace("CONTEXT", context),
            )
            if mode:
                function = f"{identifier}_{mode}"
                answers[f"{function}_answer"] = modes[name]
                key_bytes, block_bytes = (
                    len(re.findall("0x", text)) for text in examples[cipher][:2]
                )
                if mode == "ctr":
                    answers[f"{function}_iv"] = c_array(bytes([0xFF] * (block_bytes - 1) + [0xFE]))
                body = TEST_MODE.replace("CALL", CALLS[mode]).replace("CONTEXT", context)
                body = body.replace("KEY_BYTES", str(key_bytes)).replace(
                    "BLOCK_BYTES", str(block_bytes)
                )
                functions[function] = name, body.replace("ID", identifier).replace("MODE", mode)
        elif name in sparkles:
            bits, slim, big, answers[f"{identifier}_slim"], answers[f"{identifier}_big"] = sparkles[
                name
            ]
            body = TEST_SPARKLE.replace("ID", identifier).replace("BITS", bits)
            functions[identifier] = name, body.replace("SLIM", slim).replace("BIG", big)
        elif name == "ascon-p":
            answers["ascon_p12_answer"] = arrays["ascon_p12_answer"]
            functions[identifier] = name, TEST_ASCON.replace("ID", identifier)
        else:
            answers[f"{identifier}_answer"] = arrays[f"{identifier}_answer"]
            aead = name in of_kind("AEAD")
            size = ", sizeof out" if name in of_kind("XOF") else ""
            size += ", count, 9" if identifier == "ascon_cxof128" else ""  # the customization
            body = (
                (TEST_AEAD if aead else TEST_HASH).replace("ID", identifier).replace("SIZE", size)
            )
            functions[identifier] = name, body
    sizes = dict(re.findall(r"#define SELFTEST_(MESSAGE|AD)_BYTES (\d+)", vectors))
    return SELFTEST.format(
        message=sizes["MESSAGE"],
        ad=sizes["AD"],
        count=COUNT if any("selftest_count" in body for _, body in functions.values()) else "",
        answers="".join(
            f"\nstatic const uint8_t {name}[] = {body};" for name, body in answers.items()
        )
        + "\n",
        functions="".join(body for _, body in functions.values()),
        rows="".join(
            f'        {{"{name}", selftest_{function}}},\n'
            for function, (name, _) in functions.items()
        ),
    )


def version() -> str:
    """The version of the library."""
    found = re.search(
        r'#define HANJI_VERSION "(.*)"',
        (ROOT / "include/hanji/common.h").read_text(encoding="utf-8"),
    )
    assert found
    return found[1]


def checked_prefix(prefix: str) -> str:
    """A prefix without the underscore that may end it; AmalgamError if no names can begin so."""
    name = prefix.rstrip("_")
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name):
        raise AmalgamError(
            f"PREFIX={prefix} given, a name of C expected: letters, digits and underscores, with a "
            "letter first"
        )
    if name.lower() in words(STANDARD_HEADERS):
        raise AmalgamError(
            f"PREFIX={prefix}: {name}.h would hide the header of the C library; choose another name"
        )
    return name


def renamed(text: str, prefix: str) -> str:
    """A text whose names begin with the prefix in the place of hanji."""

    def name(found: re.Match[str]) -> str:
        if found[0] in OPTIONS:
            return found[0]
        first, rest = found[0].split("_", 1)
        return f"{prefix.upper() if first.isupper() else prefix}_{rest}"

    if prefix == OWN:
        return text
    text = text.replace(f'#include "{OWN}.h"', f'#include "{prefix}.h"')
    # also behind -D, where an error says which option of the compiler helps
    return re.sub(r"(?:\b|(?<=-D))(?:hanji|HANJI)_\w*", name, text)


def refuse_taken(texts: list[str], prefix: str) -> None:
    """AmalgamError when a name that begins with the prefix belongs to somebody else."""
    if prefix == OWN:
        return
    before = {name for text in texts for name in NAME.findall(text)}
    ours = {after for name in before if (after := renamed(name, prefix)) != name}
    library = " ".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "include/hanji").glob("*.h")
    )
    taken = ours & (before | system_names("-dD") | set(NAME.findall(library)))
    if taken:
        raise AmalgamError(
            f"PREFIX={prefix} would make the name {min(taken)}, which there is already; choose "
            "another prefix"
        )


def write(
    names: dict[str, str], isa: str, more: set[str], out: Path, prefix: str = OWN
) -> list[Path]:
    """Write hanji.h, hanji.c and the kernels into a folder, which then holds nothing else of an
    earlier call; what others have put there stays. The instruction sets are a list as
    instruction_sets() takes it. With another prefix it stands before the names, those of the files
    included.
    """
    held = instruction_sets(isa)
    header, source, kernels = amalgamate(names, held, more)
    files = {f"{OWN}.h": header, f"{OWN}.c": source}
    for path, of_isa in kernels.items():
        licence, text = tiny.inlined(path).split("\n", 1)
        files[path.name] = f"{licence}\n#if {tiny.PROCESSORS[of_isa]}\n{text}#endif\n"
    return put(files, out, prefix)


def put(files: dict[str, str], out: Path, prefix: str) -> list[Path]:
    """Write the files of an amalgam under a prefix, in the place of those of an earlier call."""
    refuse_taken(list(files.values()), prefix)
    out.mkdir(parents=True, exist_ok=True)
    folders.without_sources(out, prefix)
    made = []
    for name, text in files.items():
        made.append(out / folders.with_prefix(name, prefix))
        made[-1].write_text(renamed(text, prefix), encoding="utf-8")
    return made


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and exit."""
        self.exit(2, f"amalgam: {message}\n")


def main() -> int:
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--algorithms",
        required=True,
        help='such as "schwaemm256-128, speck-64/128-eax", with commas or blanks; a block cipher takes -ctr, -cmac or -eax, '
        "and a set of SLH-DSA -verify, for the verification of signatures in pieces alone; "
        "selftest adds hanji_selftest(), error-texts adds hanji_error_name() and hanji_error_text()",
    )
    parser.add_argument(
        "--isa",
        default="portable",
        help="kernels to add to portable C, of one instruction set or of several: "
        f"{', '.join(sorted(MACHINES))}",
    )
    parser.add_argument(
        "--prefix",
        default=OWN,
        help="what names begin with in the place of hanji, those of the files included: for two "
        "amalgams, or one and the library, in one program",
    )
    parser.add_argument(
        "--profile",
        choices=("full", "tiny"),
        default="full",
        help="tiny: the smallest code, for one block cipher or for algorithms of Ascon and "
        "SPARKLE, or aimer3-128f; the calls for whole messages; with --isa the kernels take the "
        "place of the C",
    )
    parser.add_argument("--out", type=Path, default=ROOT / "build/amalgam")
    parser.add_argument(
        "--i-know-it-is-broken",
        action="store_true",
        help="take signature schemes that anybody can forge, too",
    )
    given = parser.parse_args()
    try:
        prefix = checked_prefix(given.prefix)
        wanted = chosen(given.algorithms, given.i_know_it_is_broken)
        if given.profile == "tiny":
            if extras(given.algorithms):
                raise AmalgamError(
                    "the tiny profile has no self-test and no texts of errors; leave out "
                    f"{', '.join(EXTRAS)}, or PROFILE=tiny"
                )
            held = instruction_sets(given.isa) or [tiny.PORTABLE]
            if len(held) > 1:
                raise AmalgamError(
                    f"the tiny profile has kernels of one instruction set, not of {len(held)} "
                    f"({', '.join(held)}); name one, or leave out PROFILE=tiny"
                )
            files = tiny.files(list(wanted), version(), held[0])
            made = put(files, given.out, prefix)
        else:
            made = write(wanted, given.isa, extras(given.algorithms), given.out, prefix)
    except (AmalgamError, tiny.TinyError) as error:
        print(f"amalgam: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        place = error.filename or given.out
        why = "it is no folder" if isinstance(error, FileExistsError) else error.strerror
        print(f"amalgam: {place} cannot be written: {why}", file=sys.stderr)
        return 1
    for path in made:
        text = path.read_text(encoding="utf-8")
        print(f"{path}: {text.count(chr(10))} lines")
    return 0


if __name__ == "__main__":
    sys.exit(main())
