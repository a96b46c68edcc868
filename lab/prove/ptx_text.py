# SPDX-License-Identifier: Apache-2.0
"""The text of a PTX module, read as NVIDIA's assembler reads it: by tokens, not by lines.

Comments are dropped first. What is left must be a module of the grammar below, to its last token;
anything else is an `UnknownError` that names the line. The grammar holds what the rules of ptx.py
were tested for, and nothing that would change the meaning of such a statement: no nested scopes,
no functions, no variables of a module, no directives of debuggers, no modifiers of instructions
that are not listed in FORMS.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
TOKEN = re.compile(
    r"""(?P<word>[%.]?[A-Za-z_$][\w$]*(?:\.[A-Za-z_][\w]*)*)
    |(?P<number>(?:0[xX][0-9a-fA-F]+|0|[1-9][0-9]*)U?(?![\w.$%]))
    |(?P<string>"[^"\n]*")
    |(?P<mark>[][(){}<>,;:@!+-])""",
    re.VERBOSE,
)
NAME = re.compile(r"[A-Za-z_$][\w$]*")
REGISTER = re.compile(r"%[A-Za-z_$][\w$]*")
VERSION = re.compile(r"\s*([678])\.(\d)(?![\w.])")  # of the PTX ISA; later ones may differ
TARGET = re.compile(r"sm_\d+")
# Registers by their declared type. The type says how wide one is; instructions say the rest.
WIDTHS = {"pred": 1} | {f"{kind}{width}": width for kind in "bus" for width in (32, 64)}
SPECIAL = ("%tid.x", "%ntid.x", "%ctaid.x", "%nctaid.x", "%nctaid.y")
PREDEFINED = {
    *("tid", "ntid", "ctaid", "nctaid", "laneid", "warpid", "nwarpid", "smid", "nsmid", "gridid"),
    *("clock", "clock_hi", "clock64", "globaltimer", "globaltimer_lo", "globaltimer_hi"),
    *("is_explicit_cluster", "clusterid", "nclusterid", "cluster_ctaid", "cluster_nctaid"),
    *("cluster_ctarank", "cluster_nctarank", "total_smem_size", "aggr_smem_size"),
    *("dynamic_smem_size", "current_graph_exec"),
}
RESERVED = re.compile(r"%(?:pm\d+(?:_64)?|envreg\d+|lanemask_\w+|reserved_smem_\w+)")
ENTRIES_MOST, REGISTERS_MOST, LOCAL_MOST = 1000, 1 << 16, 1 << 19

# What an instruction takes, one letter for each operand:
#   r d p  a register of 32 or 64 bits, or a predicate, which it writes or reads
#   R D    one of them, or a number                n    a number of 32 bits, or a register with one
#   s      a special register, an array of the thread, or R
#   L G M  an address in local memory, in global memory, of a parameter
#   2 4    that many registers of 32 bits in braces
FORMS: dict[str, tuple[str, ...]] = {}


def _forms() -> None:
    def known(names: str, *operands: str) -> None:
        FORMS.update({name: (*FORMS.get(name, ()), *operands) for name in names.split()})

    known("bra", "T")
    known("ret", "")
    known("ld.param.u32", "rM")
    known("ld.param.u64", "dM")
    known("ld.local.u32", "rL")
    known("st.local.u32", "LR")
    for order in ("", ".nc", ".relaxed.cta"):
        name = "ld.relaxed.cta.global{}" if "cta" in order else f"ld.global{order}{{}}"
        known(name.format(".u32"), "rG")
        known(name.format(".u8"), "rG")
        known(name.format(".u64"), "dG")
        known(name.format(".v2.u32"), "2G")
        known(name.format(".v4.u32"), "4G")
    known("st.global.u32 st.global.u8", "Gr")
    known("st.global.u64", "Gd")
    known("st.global.v2.u32", "G2")
    known("st.global.v4.u32", "G4")
    known("mov.u32", "rs")
    known("mov.b32", "rR")
    known("mov.u64", "dD")
    known("mov.b64", "dD", "2d", "d2")
    known("cvta.to.global.u64", "dd")
    known("cvt.u32.u64", "rd")
    known("cvt.u64.u32", "dr")
    known("add.u32 add.s32 sub.u32 sub.s32", "rRR")
    known("add.u64 add.s64 sub.u64 sub.s64", "dDD")
    known("add.cc.u32 addc.u32 addc.cc.u32 sub.cc.u32 subc.u32 subc.cc.u32", "rRR")
    known("mul.lo.u32 mul.lo.s32 mul.hi.u32 mul.hi.s32", "rRR")
    known("mul.wide.u32", "dRR")
    known("mad.lo.u32 mad.lo.s32 madc.lo.u32", "rRRR")
    known("mad.wide.u32", "dRRD")
    known("and.b32 or.b32 xor.b32", "rRR")
    known("and.b64 or.b64 xor.b64", "dDD")
    known("and.pred or.pred", "ppp")
    known("not.b32", "rR")
    known("not.b64", "dD")
    known("shl.b32 shr.b32 shr.u32 shr.s32", "rRn")
    known("shl.b64 shr.b64 shr.u64", "dDn")
    known("shf.l.wrap.b32 shf.r.wrap.b32", "rRRn")
    known("prmt.b32", "rRRn")
    known("lop3.b32", "rRRRn")
    known("bfe.u32 bfe.s32", "rRnn")
    for how in ("eq", "ne", "lt", "le", "gt", "ge"):
        kinds = ("u", "s", "b") if how in ("eq", "ne") else ("u", "s")
        for kind in kinds:
            known(f"setp.{how}.{kind}32", "pRR")
            known(f"setp.{how}.{kind}64", "pDD")
            known(f"setp.{how}.and.{kind}32 setp.{how}.or.{kind}32", "pRRp")
    known("selp.b32 selp.u32 selp.s32", "rRRp")
    known("selp.b64 selp.u64 selp.s64", "dDDp")
    known("min.u32 max.u32 min.s32 max.s32", "rRR")
    known("min.u64 max.u64", "dDD")


_forms()


class UnknownError(Exception):
    """A statement that the grammar does not have; the text names its line."""


@dataclass(frozen=True)
class Token:
    """A word, a number, a string or a mark; `at` is its place in the text, `line` its line."""

    kind: str
    text: str
    at: int
    line: int


@dataclass(frozen=True)
class Statement:
    """An instruction: its guard, its name, its operands as `%r1`, `7`, `[%d1+4]` or `{%r1,%r2}`."""

    guard: str
    negated: bool
    name: str
    operands: tuple[str, ...]
    line: int


@dataclass
class Entry:
    """A kernel of a module: `text` is its part of the file, from .entry to its last brace."""

    name: str
    text: str = ""
    parameters: list[tuple[str, str]] = field(default_factory=list)
    threads: tuple[int, ...] = ()  # of .maxntid
    statements: list[Statement] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    local: dict[str, int] = field(default_factory=dict)  # arrays, and their bytes
    registers: dict[str, int] = field(default_factory=dict)  # and their bits


def uncommented(text: str) -> str:
    """The text with a space, and the ends of lines, for every comment."""

    def kept(found: re.Match[str]) -> str:
        return " " + "\n" * found[0].count("\n")

    return COMMENT.sub(kept, text)


def entry_names(text: str) -> list[str]:
    """The names of the kernels of a module, which need not be of the grammar."""
    return re.findall(r"\.entry\s+([A-Za-z_$%][\w$]*)", uncommented(text))


def _tokens(text: str) -> Iterator[Token]:
    at, line = 0, 1
    while at < len(text):
        if comment := COMMENT.match(text, at):
            line += comment[0].count("\n")
            inside = comment[0][2:-2] if comment[0].startswith("/*") else comment[0][2:]
            if "/*" in inside or "\\" in inside:  # other readers may see its end elsewhere
                raise UnknownError(f"line {line}: a comment has a backslash or /* inside")
            at = comment.end()
        elif text[at] in " \t\n":
            line += text[at] == "\n"
            at += 1
        elif found := TOKEN.match(text, at):
            assert found.lastgroup
            yield Token(found.lastgroup, found[0], at, line)
            if found[0] == ".version":  # whose number is no other number
                version = VERSION.match(text, found.end())
                if version is None:
                    raise UnknownError(f"line {line}: a .version from 6.0 to 8.9 expected")
                yield Token("version", version[0].strip(), version.start(), line)
                line += version[0].count("\n")
                at = version.end()
            else:
                at = found.end()
        else:
            raise UnknownError(f"line {line}: {text[at : at + 12]!r} begins no token")


def decoded(data: bytes) -> str:
    """The text of a file. Its control characters may only be tabs and ends of lines: what reads a
    file up to a zero byte, or takes another character for the end of a line, would see less.
    """
    try:
        text = data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise UnknownError("the file is not UTF-8") from None
    for number, line in enumerate(text.split("\n"), 1):
        if not line.isprintable() and not line.replace("\t", " ").isprintable():
            raise UnknownError(f"line {number}: a control character")
    return text


class Reader:
    """A module, read from its first token to its last."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(_tokens(text))
        self.at = 0
        self.entries: dict[str, Entry] = {}
        self._module()

    # Tokens

    def _next(self) -> Token:
        if self.at < len(self.tokens):
            return self.tokens[self.at]
        return Token("end", "the end of the file", len(self.text), self.text.count("\n") + 1)

    def _unknown(self, token: Token, expected: str) -> UnknownError:
        return UnknownError(f"line {token.line}: {token.text!r} given, {expected} expected")

    def _take(self, *texts: str) -> Token:
        """The next token, which is one of these."""
        token = self._next()
        if token.text not in texts or token.kind in ("string", "end"):
            raise self._unknown(token, " or ".join(texts))
        self.at += 1
        return token

    def _taken(self, text: str) -> bool:
        if self._next().text != text or self._next().kind == "string":
            return False
        self.at += 1
        return True

    def _word(self, shape: re.Pattern[str], expected: str) -> str:
        token = self._next()
        if token.kind != "word" or not shape.fullmatch(token.text):
            raise self._unknown(token, expected)
        self.at += 1
        return token.text

    def _number(self, least: int, most: int) -> int:
        token = self._next()
        if token.kind != "number":
            raise self._unknown(token, "a number")
        value = int(token.text.rstrip("U"), 0)
        if not least <= value <= most:
            raise self._unknown(token, f"a number from {least} to {most}")
        self.at += 1
        return value

    # Module

    def _module(self) -> None:
        self._take(".version")
        self.at += 1
        self._take(".target")
        self._word(TARGET, "one target such as sm_75")
        self._take(".address_size")
        self._number(64, 64)
        while self._next().kind != "end":
            self._take(".visible")
            self._entry()

    def _entry(self) -> None:
        begin = self._take(".entry")
        name = self._word(NAME, "the name of a kernel")
        if name in self.entries:
            raise UnknownError(f"line {begin.line}: a second kernel is called {name}")
        entry = self.entries[name] = Entry(name)
        self._take("(")
        while not self._taken(")"):
            if entry.parameters:
                self._take(",")
            self._take(".param")
            kind = self._take(".u32", ".u64").text[1:]
            parameter = self._word(NAME, "the name of a parameter")
            self._new(entry, parameter)
            entry.parameters.append((parameter, kind))
        if self._taken(".maxntid"):
            entry.threads = (self._number(1, 1024),)
            while len(entry.threads) < 3 and self._taken(","):
                entry.threads += (self._number(1, 1024),)
        self._take("{")
        while self._next().text != "}":
            self._statement(entry)
        end = self._take("}")
        entry.text = self.text[begin.at : end.at + 1]
        for one in entry.statements:
            if one.name == "bra" and one.operands[0] not in entry.labels:
                raise UnknownError(
                    f"line {one.line}: a jump to {one.operands[0]}, which is no label"
                )

    def _new(self, entry: Entry, name: str) -> None:
        """Refuse a name that something else in the kernel has."""
        parameters = {parameter for parameter, _ in entry.parameters}
        if name in entry.labels or name in entry.local or name in parameters:
            raise UnknownError(f"line {self._next().line}: a second {name}")

    # Statements

    def _statement(self, entry: Entry) -> None:
        token = self._next()
        if token.text == ".reg":
            self._registers(entry)
        elif token.text == ".local":
            self._array(entry)
        elif token.text == ".pragma":
            self._take(".pragma")
            if self._next().text != '"nounroll"':
                raise self._unknown(self._next(), '"nounroll"')
            self.at += 1
            self._take(";")
        elif token.kind == "word" and self._label_follows():
            name = self._word(NAME, "a label")
            self._new(entry, name)
            self._take(":")
            entry.labels[name] = len(entry.statements)
        else:
            entry.statements.append(self._instruction(entry))

    def _label_follows(self) -> bool:
        return self.at + 1 < len(self.tokens) and self.tokens[self.at + 1].text == ":"

    def _registers(self, entry: Entry) -> None:
        self._take(".reg")
        kind = self._take(*(f".{name}" for name in WIDTHS)).text[1:]
        while True:
            name = self._word(REGISTER, "the name of a register, such as %r1")
            names = [name]
            if self._taken("<"):
                names = [f"{name}{i}" for i in range(self._number(1, REGISTERS_MOST))]
                self._take(">")
            for one in names:
                if one[1:] in PREDEFINED or RESERVED.fullmatch(one) or one in entry.registers:
                    raise UnknownError(f"line {self._next().line}: a second {one}")
                entry.registers[one] = WIDTHS[kind]
            if not self._taken(","):
                break
        self._take(";")

    def _array(self, entry: Entry) -> None:
        self._take(".local")
        self._take(".align")
        self._number(4, 4)
        self._take(".b8")
        name = self._word(NAME, "the name of an array")
        self._new(entry, name)
        self._take("[")
        size = self._number(4, LOCAL_MOST)
        self._take("]")
        self._take(";")
        entry.local[name] = size

    def _instruction(self, entry: Entry) -> Statement:
        first, guard, negated = self._next(), "", False
        if self._taken("@"):
            negated = self._taken("!")
            guard = self._register(entry, 1)
        token = self._next()
        if token.kind != "word" or token.text not in FORMS:
            raise UnknownError(f"line {token.line}: no rule for {token.text!r}")
        self.at += 1
        begin = self.at
        for form in FORMS[token.text]:
            self.at = begin
            try:
                operands = self._operands(entry, form)
            except UnknownError as problem:
                last = problem
                continue
            return Statement(guard, negated, token.text, operands, first.line)
        raise UnknownError(f"{last}, as an operand of {token.text}")

    def _operands(self, entry: Entry, form: str) -> tuple[str, ...]:
        found = []
        for i, kind in enumerate(form):
            if i:
                self._take(",")
            found.append(self._operand(entry, kind))
        self._take(";")
        return tuple(found)

    def _operand(self, entry: Entry, kind: str) -> str:
        if kind in "rdp":
            return self._register(entry, {"r": 32, "d": 64, "p": 1}[kind])
        if kind == "T":
            return self._word(NAME, "a label")
        if kind == "M":
            return self._parameter(entry)
        if kind in "LG":
            return self._address(entry, 32 if kind == "L" else 64)
        if kind in "24":
            self._take("{")
            names = [self._register(entry, 32)]
            while len(names) < int(kind):
                self._take(",")
                names.append(self._register(entry, 32))
            self._take("}")
            if len(set(names)) < len(names) and kind == "4":
                raise UnknownError(f"line {self._next().line}: a register twice in braces")
            return "{" + ",".join(names) + "}"
        token = self._next()
        if kind == "s" and token.text in (*SPECIAL, *entry.local):
            self.at += 1
            return token.text
        if token.kind == "number" or token.text == "-":
            return self._constant(64 if kind == "D" else 32)
        return self._register(entry, 64 if kind == "D" else 32)

    def _constant(self, width: int) -> str:
        minus = self._taken("-")
        value = self._number(0, (1 << width - 1) if minus else (1 << width) - 1)
        return str(-value if minus else value)

    def _register(self, entry: Entry, width: int) -> str:
        token = self._next()
        if token.kind != "word" or entry.registers.get(token.text) != width:
            what = "a predicate" if width == 1 else f"a register of {width} bits"
            raise self._unknown(token, what)
        self.at += 1
        return token.text

    def _address(self, entry: Entry, width: int) -> str:
        self._take("[")
        name, offset = self._register(entry, width), 0
        if self._taken("+"):
            offset = int(self._constant(31))
        self._take("]")
        return f"[{name}+{offset}]"

    def _parameter(self, entry: Entry) -> str:
        self._take("[")
        name = self._word(NAME, "the name of a parameter")
        self._take("]")
        kinds = dict(entry.parameters)
        if name not in kinds:
            raise UnknownError(f"line {self._next().line}: {name} is no parameter")
        return f"[{name}]"
