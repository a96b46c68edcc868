# SPDX-License-Identifier: Apache-2.0
"""Kernels over fields, matrices and shares (AIMer, Rainbow): one call with fixed public sizes, on
polynomials (forms.py), for all elements.

The wanted polynomials come of the specification on a basis: its products are bilinear, its
squarings and matrices linear, which their text shows and the tests try on random elements. The
kernel has no such trust: its outputs are what its instructions make.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial

from ..cases import arguments_of
from ..kernels import Kernel
from ..spec.aimer import Field as BinaryField
from ..spec.field import FIELDS
from ..spec.field import Field as TowerField
from .contracts import align_of
from .forms import Forms
from .graph import Bits
from .induct import A64_ARGUMENTS, Call, Counterexample, Evidence, MismatchError, minimised
from .pcode import A64, Cell, Image, Machine, OpenError, Region
from .values import LAZY, Lin, RefusedError, Value
from .words import folded, number_bits
from .x86 import ARGUMENTS, FRAME_MOST, X86

Bytes = list[Bits]
SIZES = "these sizes"
OCTET = 8  # parties whose words lie side by side
U32 = ("words", "count", "squarings", "accumulate")  # of AIMer, in registers or on the stack


@dataclass
class Setup:
    """A call: what its buffers hold, who may read or write them, its arguments in order (numbers
    or names of buffers), and the bytes that it must leave.
    """

    contents: dict[str, list[Cell]]
    access: dict[str, str]
    arguments: list[tuple[str, int | str]]
    wanted: dict[str, dict[int, Bits]]
    scratch: tuple[str, ...] = ()  # buffers that hold nothing at first, and anything at the end
    align: Mapping[str, int] = field(default_factory=dict)  # of buffers, beside that of the header


@dataclass(frozen=True)
class FieldTask:
    """One proof: a kernel with fixed sizes."""

    kernel: Kernel
    name: str
    build: Callable[[Forms], Setup]
    shared: bool = False
    in_place: bool = False
    counted: bool = False
    values: dict[str, int] = field(default_factory=dict)


class FieldCall(Call):
    """Runs one call and compares what it leaves."""

    def __init__(self, g: Forms, image: Image, task: FieldTask) -> None:
        if image.isa not in (X86, A64):
            raise OpenError("fields are proved on x86-64 and AArch64 alone")
        self.g: Forms = g
        self.image, self.task = image, task  # type: ignore[assignment]
        self.isa = image.isa
        self.evidence = Evidence()
        names = self.isa.kept(task.kernel.source)
        self.saved = {name: self._saved_word(name) for name in names}

    def prove(self) -> str:
        """One run, from the entry to the return."""
        assert isinstance(self.task, FieldTask)
        self._once(self.task.build(self.g))
        return SIZES

    def _once(self, setup: Setup) -> None:
        """One call."""
        g = self.g
        m = self._entered(setup)
        before = {name: list(cells) for name, cells in setup.contents.items()}
        kept = [x for cells in before.values() for x in _literals(cells)]
        kept += [x for bits in self.saved.values() for x in bits]
        kept += [x for places in setup.wanted.values() for bits in places.values() for x in bits]

        def until(pc: int) -> bool:
            if g.full and (live := _live(m)) is not None:
                g.sweep([*live, *kept])
            return False

        m.run(self.image.symbols[self.task.kernel.symbol], until)
        self._ran(m)
        for name, access in setup.access.items():
            if "w" in access and name not in setup.scratch:
                self._compare(m, name, setup, before)
        self.check_return(m)

    def right_on_numbers(self, seed: int) -> bool:
        """Whether a run on random numbers leaves what the wanted polynomials are there: a second
        opinion on the polynomials, by the rules for numbers.
        """
        assert isinstance(self.task, FieldTask)
        g, setup = self.g, self.task.build(self.g)
        source = random.Random(seed)
        held = {
            n: int(source.random() < min(0.5, 6 / len(nodes))) for nodes in g.members for n in nodes
        }

        def number(byte: Sequence[int]) -> int:
            return sum(bit << i for i, bit in enumerate(g.evaluate(held, byte, 1)))

        contents: dict[str, list[Cell]] = {}
        for name, cells in setup.contents.items():
            contents[name] = [
                (number(value[8 * i : 8 * i + 8]), 0, 1)
                if isinstance(value, tuple)
                else (value, i, size)
                for value, i, size in cells
            ]
        m = self._entered(replace(setup, contents=contents))
        m.run(self.image.symbols[self.task.kernel.symbol], lambda pc: False)
        self.check_return(m)
        return all(
            at in m.spaces.get(name, {}) and m.read(name, at, 1) == number(byte)
            for name, places in setup.wanted.items()
            for at, byte in places.items()
        )

    def _started(self, regions: Mapping[str, Region]) -> Machine:
        return self.image.machine(self.g, regions)

    def _entered(self, setup: Setup) -> Machine:
        align = align_of(self.task.kernel)
        regions = {
            name: Region(0, len(held), setup.access[name], max(align, setup.align.get(name, 1)))
            for name, held in setup.contents.items()
        }
        order, x86 = (ARGUMENTS, True) if self.isa is X86 else (A64_ARGUMENTS, False)
        beyond = max(0, len(setup.arguments) - len(order))
        regions["stack"] = Region(-FRAME_MOST - 8 * x86, 8 * beyond, "rw", 16)
        m = self._started(regions)
        m.tag = "at entry"
        m.alignment = {name: region.align for name, region in regions.items()} | {"return": 4}
        for name, region in regions.items():
            if name != "stack":
                m.bounds[name] = (1, (1 << 64) - 1 - max(region.high, 1))
        for name, word in self.saved.items():
            m.set_register(name, word)
        if x86:
            m.write("stack", -8, Lin(0, {"return": 1}), 8)
        else:
            m.set_register(self.isa.link, Lin(0, {"return": 1}))
        m.set_register("sp", Lin(-8 * x86, {"stack": 1}))
        for i, (name, what) in enumerate(setup.arguments):
            value: Value = Lin(0, {what: 1}) if isinstance(what, str) else what
            if i >= len(order):
                m.write("stack", 8 * (i - len(order)), value, 8)
                if name in U32:
                    m.write("stack", 8 * (i - len(order)) + 4, self.g.word(f"above {i}", 32), 4)
                    m.write("stack", 8 * (i - len(order)), value, 4)
            else:
                m.set_register(self._lower(order[i]) if name in U32 else order[i], value)
        for name, cells in setup.contents.items():
            if setup.access[name] == "w" or name in setup.scratch:
                continue
            into = m.spaces.setdefault(name, {})
            for at, cell in enumerate(cells):
                into[at] = cell
        return m

    def _compare(
        self, m: Machine, name: str, setup: Setup, before: Mapping[str, Sequence[Cell]]
    ) -> None:
        held, wanted = m.spaces.get(name, {}), setup.wanted[name]
        for at in range(len(setup.contents[name])):
            if at not in wanted:
                if setup.access[name] == "w" and at in held:
                    raise RefusedError(f"byte {at} of {name} is written, and no output is there")
                if setup.access[name] == "w" or held[at] == before[name][at]:
                    continue
                raise RefusedError(f"byte {at} of {name} is changed, and no output is there")
            if at not in held:
                raise RefusedError(f"byte {at} of {name} is never written")
            got = m.bits(m.read(name, at, 1), 8)
            for bit, (x, y) in enumerate(zip(got, wanted[at], strict=True)):
                model = self.g.difference(x, y)
                if model is not None:
                    said = f"bit {bit} of byte {at} of {name} differs from the specification"
                    raise MismatchError(said, self._case(m, name, setup, before, model))

    def _case(
        self,
        m: Machine,
        name: str,
        setup: Setup,
        before: Mapping[str, Sequence[Cell]],
        model: Mapping[int, int],
    ) -> Counterexample:
        """The inputs, and the wrong bytes of one buffer."""
        held, wanted = m.spaces.get(name, {}), setup.wanted[name]
        got = {at: m.bits(m.read(name, at, 1), 8) for at in wanted if at in held}
        pairs = [(x, y) for at, bits in got.items() for x, y in zip(bits, wanted[at], strict=True)]
        model = minimised(self.g, model, pairs)

        def shown(cells: Iterable[Bits]) -> str:
            flat = [x for byte in cells for x in byte]
            values = self.g.evaluate(model, flat, 1)
            numbers = (values[i : i + 8] for i in range(0, len(values), 8))
            return bytes(sum(x << i for i, x in enumerate(byte)) for byte in numbers).hex()

        data = {
            space: [m.bits(value, 8 * size)[8 * i : 8 * i + 8] for value, i, size in cells]
            for space, cells in before.items()
            if not any(isinstance(value, Lin) for value, _, _ in cells)
        }
        contents = {space: shown(cells) for space, cells in data.items()}
        return Counterexample(
            1,
            contents,
            {name: shown(wanted[at] for at in got)},
            {name: shown(got.values())},
        )


def _literals(cells: Iterable[Cell]) -> Iterator[int]:
    for value, _, _ in cells:
        if isinstance(value, tuple):
            yield from value


def _live(m: Machine) -> set[int] | None:
    """The literals that a machine holds; None where a lazy value hides some."""
    found: set[int] = set()
    values: list[Value] = [cell[0] for cells in m.spaces.values() for cell in cells.values()]
    for flags in (getattr(m, "flags", None), getattr(m, "carry", None)):
        if flags is not None:
            values += [flags.a, flags.b, flags.result]
    for value in values:
        if isinstance(value, LAZY):
            return None
        if isinstance(value, tuple):
            found.update(value)
    for bits in m.fresh.values():
        found.update(bits)
    return found


# Buffers


def cells_of(data: Iterable[Bits]) -> list[Cell]:
    """Bytes as cells."""
    return [(folded(byte), 0, 1) for byte in data]


def bytes_of(bits: Sequence[int]) -> Bytes:
    """Bits as bytes, the lowest first."""
    return [tuple(bits[i : i + 8]) for i in range(0, len(bits), 8)]


def unknown(g: Forms, name: str, size: int) -> Bytes:
    """Bytes that may be anything, one group each."""
    return [g.group(f"{name} {i}", 8) for i in range(size)]


def pointers(names: Iterable[tuple[str, int] | int]) -> list[Cell]:
    """Addresses and numbers of 64 bits in memory."""
    out: list[Cell] = []
    for entry in names:
        value: Value = entry if isinstance(entry, int) else Lin(entry[1], {entry[0]: 1})
        out += [(value, i, 8) for i in range(8)]
    return out


@dataclass(frozen=True)
class Octets:
    """Shares of parties: word i of party p stands at word 8 i + p of its octet."""

    words: int
    stride: int
    count: int

    @property
    def size(self) -> int:
        """Bytes of the buffer."""
        return 8 * (self.stride * (self.count - 1) + OCTET * self.words) if self.count else 0

    def place(self, octet: int, party: int, byte: int) -> int:
        """Where a byte of an element stands."""
        return 8 * (self.stride * octet + OCTET * (byte // 8) + party) + byte % 8

    def each(self) -> Iterator[tuple[int, int]]:
        """Octets and parties."""
        for octet in range(self.count):
            for party in range(OCTET):
                yield octet, party

    def elements(self, g: Forms, name: str) -> dict[tuple[int, int], Bits]:
        """An element for each party, of one group."""
        return {
            (octet, party): g.group(f"{name} of party {party} of octet {octet}", 64 * self.words)
            for octet, party in self.each()
        }

    def spread(self, elements: Mapping[tuple[int, int], Sequence[int]]) -> dict[int, Bits]:
        """Where the bytes of elements stand."""
        return {
            self.place(octet, party, i): byte
            for (octet, party), bits in elements.items()
            for i, byte in enumerate(bytes_of(bits))
        }

    def buffer(self, g: Forms, name: str, places: Mapping[int, Bits]) -> list[Cell]:
        """The buffer with these bytes; between octets it holds anything."""
        return cells_of(
            places[at] if at in places else g.group(f"{name} {at}", 8) for at in range(self.size)
        )


# What the specification makes of a basis


@cache
def product_forms(n: int, squarings: int = 0) -> list[int]:
    """For every bit of a * b^(2^squarings) its monomials a_i b_j, at place n i + j."""
    spec = BinaryField(n)
    images = [spec.sqr(1 << j, squarings) for j in range(n)]
    return _collected(n, ((i, j, spec.mul(images[j], 1 << i)) for i in range(n) for j in range(n)))


@cache
def tower_forms(bits: int) -> list[int]:
    """The same of a product in GF(16) or GF(256)."""
    spec = FIELDS[f"gf{1 << bits}"]
    pairs = [(i, j) for i in range(bits) for j in range(bits)]
    return _collected(bits, ((i, j, spec.multiply(1 << i, 1 << j)) for i, j in pairs))


def _collected(n: int, images: Iterable[tuple[int, int, int]]) -> list[int]:
    """By output bit, from the image of every pair of a basis."""
    rows: list[list[int]] = [[0] * n for _ in range(n)]
    for i, j, image in images:
        for k in range(n):
            if image >> k & 1:
                rows[k][i] |= 1 << j
    out = []
    for row in rows:
        total = 0
        for i, monomials in enumerate(row):
            total |= monomials << n * i
        out.append(total)
    return out


# AIMer

WORDS = (2, 3, 4)


def shape(words: int, count: int, out: int, base: int, in_: int, term: int) -> int:
    """Counts and strides in one word: aimer_packed.h."""
    return words | count << 4 | out << 8 | base << 20 | in_ << 32 | term << 44


def products(
    g: Forms, packed: bool, words: int, count: int, octets: int, gap: int, how: str
) -> Setup:
    """out = base + the sum of shares times coefficients; `how`: apart, in place, or no base."""
    n, stride = 64 * words, OCTET * words + gap
    shares = Octets(words, stride, octets)
    coefficients = [g.group(f"coefficient {t}", n) for t in range(count)]
    base = shares.elements(g, "base")
    terms = [shares.elements(g, f"share {t}") for t in range(count)]
    forms = product_forms(n)
    total: dict[tuple[int, int], list[int]] = {}
    for who in shares.each():
        bits = list(base[who]) if how != "no base" else [0] * n
        for factor, own in zip(coefficients, terms, strict=True):
            groups = (g.number_of(factor), g.number_of(own[who]))
            bits = [g.xor(x, g.form(groups, forms[k])) for k, x in enumerate(bits)]
        total[who] = bits
    out = "base" if how == "in place" else "out"
    contents = {"out": cells_of([(0,) * 8] * shares.size)} if out == "out" else {}
    if how != "no base":
        contents["base"] = shares.buffer(g, "base", shares.spread(base))
    access = {"out": "w", "base": "rw" if how == "in place" else "r"}
    first: list[tuple[str, int | str]]
    buffers = [shares.buffer(g, f"in {t}", shares.spread(own)) for t, own in enumerate(terms)]
    if packed:
        whole: list[Cell] = []
        for buffer in buffers:
            whole += buffer + cells_of(unknown(g, "gap", 8 * stride * octets - len(buffer)))
        contents["in"] = whole
        contents["coefficients"] = cells_of(x for bits in coefficients for x in bytes_of(bits))
        shaped = shape(words, count, stride, stride, stride, stride * octets)
        first = [
            *(("out", out), ("base", "base"), ("in", "in"), ("coefficients", "coefficients")),
            *(("octets", octets), ("shape", shaped)),
        ]
        access |= {"in": "r", "coefficients": "r"}
    else:
        listed: list[tuple[str, int] | int] = []
        for t, buffer in enumerate(buffers):
            contents[f"in {t}"] = buffer
            contents[f"coefficient {t}"] = cells_of(bytes_of(coefficients[t]))
            access |= {f"in {t}": "r", f"coefficient {t}": "r"}
            listed += [(f"in {t}", 0), stride, (f"coefficient {t}", 0)]
        contents["terms"] = pointers(listed)
        access["terms"] = "r"
        first = [
            *(("out", out), ("out_stride", stride)),
            *(("base", 0 if how == "no base" else "base"), ("base_stride", stride)),
            *(("terms", "terms"), ("count", count), ("octets", octets), ("words", words)),
        ]
    access = {name: access[name] for name in contents}
    return Setup(contents, access, first, {out: shares.spread(total)})


def power(g: Forms, words: int, squarings: int, how: str) -> Setup:
    """out = base^(2^squarings) * factor."""
    n = 64 * words
    factor, base = g.group("factor", n), g.group("base", n)
    groups = (g.number_of(factor), g.number_of(base))
    made = [g.form(groups, monomials) for monomials in product_forms(n, squarings)]
    contents = {"base": cells_of(bytes_of(base)), "factor": cells_of(bytes_of(factor))}
    access = {"base": "r", "factor": "r"}
    out = {"over base": "base", "over factor": "factor"}.get(how, "out")
    contents.setdefault(out, cells_of([(0,) * 8] * (8 * words)))
    access[out] = "rw" if out in access else "w"
    arguments: list[tuple[str, int | str]] = [
        *(("out", out), ("base", "base"), ("squarings", squarings)),
        *(("factor", "factor"), ("words", words)),
    ]
    return Setup(contents, access, arguments, {out: dict(enumerate(bytes_of(made)))})


def rows_of(g: Forms, n: int) -> list[Bits]:
    """A matrix: bit j of row k is bit k of column j. Each row is a group."""
    return [g.group(f"row {k}", n) for k in range(n)]


def columns_of(rows: Sequence[Bits]) -> list[Cell]:
    """The matrix by octets of columns: word w of column 8 j + c at word 8 (words j + w) + c."""
    words = len(rows) // 64
    out: Bytes = []
    for j in range(OCTET * words):
        for w in range(words):
            for c in range(8):
                out += bytes_of([rows[64 * w + k][8 * j + c] for k in range(64)])
    return cells_of(out)


def blocks_of(rows: Sequence[Bits]) -> Bytes:
    """As AVX-512 keeps a matrix: for byte j of the input and word w of the output eight blocks of
    8 x 8 bits, whose byte 7 - r has the columns of bit r of the output byte.
    """
    words = len(rows) // 64
    return [
        tuple(rows[64 * w + 8 * i + r][8 * j : 8 * j + 8])
        for j in range(OCTET * words)
        for w in range(words)
        for i in range(8)
        for r in reversed(range(8))
    ]


def nibbles_of(g: Forms, rows: Sequence[Bits]) -> Bytes:
    """As AVX2 and NEON keep it: for word w of the output, byte j of the input and output byte i the
    sums of columns for the low and the high half of the input byte.
    """
    words = len(rows) // 64
    out: Bytes = []
    for w in range(words):
        for j in range(OCTET * words):
            for i in range(8):
                byte = rows[64 * w + 8 * i : 64 * w + 8 * i + 8]
                for half in (0, 4):
                    for x in range(16):
                        chosen = [8 * j + half + b for b in range(4) if x >> b & 1]
                        out.append(tuple(_sum_of(g, [row[c] for c in chosen]) for row in byte))
    return out


def _sum_of(g: Forms, literals: Iterable[int]) -> int:
    total = 0
    for literal in literals:
        total = g.xor(total, literal)
    return total


def prepare(g: Forms, packed: bool, words: int) -> Setup:
    """A matrix in the form of its tier."""
    rows = rows_of(g, 64 * words)
    made = blocks_of(rows) if packed else nibbles_of(g, rows)
    return Setup(
        {"matrix": cells_of([(0,) * 8] * len(made)), "columns": columns_of(rows)},
        {"matrix": "w", "columns": "r"},
        [("matrix", "matrix"), ("columns", "columns"), ("words", words)],
        {"matrix": dict(enumerate(made))},
    )


def apply(
    g: Forms, packed: bool, words: int, octets: int, gap: int, accumulate: bool, how: str
) -> Setup:
    """out = M in, or out + M in; in place the old out is the input."""
    n, stride = 64 * words, OCTET * words + gap
    shares = Octets(words, stride, octets)
    rows = rows_of(g, n)
    vectors = shares.elements(g, "in")
    diagonal = sum(1 << (n * j + j) for j in range(n))
    old = vectors if how == "in place" else shares.elements(g, "out") if accumulate else {}
    total: dict[tuple[int, int], list[int]] = {}
    for who in shares.each():
        own = g.number_of(vectors[who])
        bits = [g.form((g.number_of(row), own), diagonal) for row in rows]
        if accumulate:
            bits = [g.xor(x, y) for x, y in zip(bits, old[who], strict=True)]
        total[who] = bits
    matrix = cells_of(blocks_of(rows) if packed else nibbles_of(g, rows))
    contents = {"matrix": matrix, "in": shares.buffer(g, "in", shares.spread(vectors))}
    access = {"matrix": "r", "in": "rw" if how == "in place" else "r"}
    out = "in" if how == "in place" else "out"
    if out == "out":
        contents["out"] = shares.buffer(g, "out", shares.spread(old))
        access["out"] = "rw" if accumulate else "w"
    arguments: list[tuple[str, int | str]]
    if packed:
        shaped = shape(words, int(accumulate), stride, 0, stride, 0)
        arguments = [("out", out), ("in", "in"), ("octets", octets), ("matrix", "matrix")]
        arguments.append(("shape", shaped))
    else:
        arguments = [
            *(("out", out), ("out_stride", stride), ("in", "in"), ("in_stride", stride)),
            *(("octets", octets), ("matrix", "matrix"), ("words", words)),
            ("accumulate", int(accumulate)),
        ]
    return Setup(contents, access, arguments, {out: shares.spread(total)})


# Rainbow


def multiplied(g: Forms, bits: int, constant: Bits, element: Bits) -> Bits:
    """The product of two elements, each of its group or a part of one, by the forms of a basis."""
    out = []
    for monomials in tower_forms(bits):
        pairs = [
            (constant[i], element[j])
            for i in range(bits)
            for j in range(bits)
            if monomials >> (bits * i + j) & 1
        ]
        out.append(g.dot(pairs))
    return tuple(out)


def times_number(g: Forms, spec: TowerField, constant: Bits, x: int) -> Bits:
    """The product of an element and a number."""
    return tuple(
        _sum_of(g, (c for i, c in enumerate(constant) if spec.multiply(1 << i, x) >> k & 1))
        for k in range(spec.bits)
    )


def multiplier(g: Forms, spec: TowerField, constant: Bits) -> Bytes:
    """A multiplier: a row of products, and in GF(256) that of 16 times the element."""
    bits = spec.bits
    rows = [1] if bits == 4 else [1, 16]
    made = [
        times_number(g, spec, constant, spec.multiply(x, row)) for row in rows for x in range(16)
    ]
    return [(*product, *(0,) * (8 - bits)) for product in made]


def elements_of(byte: Bits, bits: int) -> list[Bits]:
    """The elements of a packed byte."""
    return [byte] if bits == 8 else [byte[:4], byte[4:]]


def constants(g: Forms, bits: int, count: int) -> list[Bits]:
    """Elements, each a group."""
    return [g.group(f"constant {t}", bits) for t in range(count)]


def tower_prepare(g: Forms, spec: TowerField, count: int) -> Setup:
    """The multipliers of packed elements; those of a last, not full group are zero's."""
    bits, group = spec.bits, 16
    held = constants(g, bits, count)
    flat = [x for constant in held for x in constant]
    flat += [0] * (-len(flat) % 8) if not len(flat) % 8 else g.group("rest", -len(flat) % 8)
    data = bytes_of(flat)
    beyond = [tuple(data[-1][4:])] if bits == 4 and count % 2 else []
    rest = [*held, *beyond]
    zero: Bits = (0,) * bits
    rest += [zero] * (-len(rest) % group)
    made = [byte for constant in rest for byte in multiplier(g, spec, constant)]
    return Setup(
        {"multipliers": cells_of([(0,) * 8] * len(made)), "elements": cells_of(data)},
        {"multipliers": "w", "elements": "r"},
        [("multipliers", "multipliers"), ("elements", "elements"), ("size", count)],
        {"multipliers": dict(enumerate(made))},
    )


def tower_accumulate(g: Forms, spec: TowerField, size: int, count: int, gap: int) -> Setup:
    """out + the sum of constants times columns."""
    bits, stride = spec.bits, size + gap
    held = constants(g, bits, count)
    data = unknown(g, "in", stride * (count - 1) + size if count else 0)
    old = unknown(g, "out", size)
    total = {}
    for at in range(size):
        byte = list(old[at])
        for t, constant in enumerate(held):
            for i, element in enumerate(elements_of(data[stride * t + at], bits)):
                for k, x in enumerate(multiplied(g, bits, constant, element)):
                    byte[bits * i + k] = g.xor(byte[bits * i + k], x)
        total[at] = tuple(byte)
    made = [byte for constant in held for byte in multiplier(g, spec, constant)]
    return Setup(
        {"out": cells_of(old), "in": cells_of(data), "multipliers": cells_of(made)},
        {"out": "rw", "in": "r", "multipliers": "r"},
        [
            *(("out", "out"), ("in", "in"), ("stride", stride), ("bytes", size)),
            *(("multipliers", "multipliers"), ("size", count)),
        ],
        {"out": total},
    )


SCRATCH, ALIGN = 256 * 128, 64  # bytes: HANJI_EVALUATE_SCRATCH, HANJI_MATRIX_ALIGN


def tower_evaluate(g: Forms, spec: TowerField, size: int, count: int, seed: int) -> Setup:
    """The sum over i <= j of x[i] x[j] * coefficients, for any coefficients and one public x."""
    bits, source = spec.bits, random.Random(seed)
    x = [source.randrange(1 << bits) for _ in range(count)]
    pairs = [(i, j) for i in range(count) for j in range(i, count)]
    data = unknown(g, "in", size * len(pairs))
    total = {}
    for at in range(size):
        byte = [0] * 8
        for number, (i, j) in enumerate(pairs):
            factor = spec.multiply(x[i], x[j])
            for e, element in enumerate(elements_of(data[size * number + at], bits)):
                for k, literal in enumerate(times_number(g, spec, element, factor)):
                    byte[bits * e + k] = g.xor(byte[bits * e + k], literal)
        total[at] = tuple(byte)
    held = [number_bits(one, 8) for one in x] + [(0,) * 8] * (-count % 16)
    nothing = [(0,) * 8]
    return Setup(
        {
            "out": cells_of(nothing * size),
            "in": cells_of(data),
            "x": cells_of(held),
            "scratch": cells_of(nothing * SCRATCH),
        },
        {"out": "w", "in": "r", "x": "r", "scratch": "rw"},
        [
            *(("out", "out"), ("in", "in"), ("bytes", size), ("x", "x"), ("size", count)),
            ("scratch", "scratch"),
        ],
        {"out": total},
        ("scratch",),
        {"scratch": ALIGN},
    )


# Which kernels, and for which sizes

TIERS = ("avx2", "avx512", "neon", "pmull", "sha3")
# operation -> access to the buffers, and which of them the header must call secret
HEADERS: dict[str, dict[str, str]] = {
    "products": {"out": "w", "base": "r", "terms": "r", "in": "r", "coefficients": "r"},
    "power": {"out": "w", "base": "r", "factor": "r"},
    "prepare": {"matrix": "w", "columns": "r", "multipliers": "w", "elements": "r"},
    "apply": {"out": "rw", "in": "r", "matrix": "r"},
    "accumulate": {"out": "rw", "in": "r", "multipliers": "r"},
    "evaluate": {"out": "w", "in": "r", "x": "r", "scratch": "rw"},
    "solve": {"system": "rw"},
}
EVALUATED = {"gf16": (32, 64), "gf256": (80, 100)}  # bytes; other sizes are portable C's
PUBLIC = {  # buffers that the header need not call secret
    "aimer.prepare": ("matrix", "columns"),
    "aimer.apply": ("matrix",),
    "aimer.products": ("coefficients",),
    "gf16.evaluate": ("out", "in", "x", "scratch"),
    "gf256.evaluate": ("out", "in", "x", "scratch"),
}
SQUARINGS = (0, 1, 2, 3, 5, 49)
COUNTS = (1, 2, 7, 8, 9, 16, 17)
# bytes of a column, columns, and bytes between two; those of Rainbow's levels are among them
COLUMNS = (
    *((16, 1, 0), (16, 9, 0), (32, 5, 0), (32, 8, 0), (32, 3, 32)),
    *((48, 2, 0), (64, 3, 0), (80, 2, 16), (500, 2, 0)),
)
LEVELS = {
    "gf16": ((16, 36, 0), (18, 32, 0), (32, 100, 0), (512, 2, 0)),
    "gf256": ((36, 3, 0), (48, 36, 0), (80, 20, 0), (100, 9, 0), (1024, 2, 0), (1296, 2, 0)),
}


def checked(kernel: Kernel) -> None:
    """RefusedError where the header does not say what the operation does."""
    known = HEADERS[kernel.operation]
    for what in arguments_of(kernel).values():
        if "buffer" not in what:
            continue
        name = str(what["buffer"])
        if what["access"] != known.get(name):
            raise RefusedError(
                f"the header gives {name} access {what['access']!r}, {known.get(name)!r} expected"
            )
        if name not in (*PUBLIC.get(kernel.spec, ()), *kernel.secrets):
            raise RefusedError(f"the header does not name {name} among the secrets")


def field_tasks(kernel: Kernel) -> Iterator[FieldTask]:
    """The proofs of a kernel of a field; none where it is no such kernel."""
    family, _, operation = kernel.spec.partition(".")
    if kernel.isa not in TIERS or operation not in HEADERS or operation == "solve":
        return  # of systems solving.py has the proofs
    packed = kernel.isa == "avx512"

    def task(name: str, build: Callable[[Forms], Setup]) -> FieldTask:
        return FieldTask(kernel, name, build)

    if family == "aimer":
        checked(kernel)
        yield from _aimer(operation, packed, task)
    elif family in FIELDS:
        checked(kernel)
        yield from _tower(operation, FIELDS[family], task)


Make = Callable[[str, Callable[[Forms], Setup]], FieldTask]


def _aimer(operation: str, packed: bool, task: Make) -> Iterator[FieldTask]:
    for words in WORDS:
        n = 64 * words
        if operation == "prepare":
            yield task(f"{n} bits", partial(prepare, packed=packed, words=words))
        if operation == "power":
            for s in SQUARINGS:
                for how in ("apart", "over base", "over factor") if s == 1 else ("apart",):
                    yield task(
                        f"{n} bits, {s} squarings, {how}",
                        partial(power, words=words, squarings=s, how=how),
                    )
        if operation == "products":
            rows = [(1, 1, 0, "apart"), (1, 1, 0, "in place"), (1, 2, 8, "apart")]
            rows += [(2, 1, 0, "in place"), (3, 1, 0, "in place"), (4, 1, 0, "in place")]
            rows += [] if packed else [(1, 1, 0, "no base")]
            for count, octets, gap, how in rows:
                yield task(
                    f"{n} bits, {count} terms, {octets} octets, gap {gap}, {how}",
                    partial(
                        products,
                        packed=packed,
                        words=words,
                        count=count,
                        octets=octets,
                        gap=gap,
                        how=how,
                    ),
                )
        if operation == "apply":
            cases = [(1, 0, False, "in place"), (2, 8, True, "apart")]
            if words == 2:
                cases += [(1, 0, False, "apart"), (4 if packed else 3, 0, False, "in place")]
            for octets, gap, accumulate, how in cases:
                yield task(
                    f"{n} bits, {octets} octets, {'added' if accumulate else 'set'}, {how}",
                    partial(
                        apply,
                        packed=packed,
                        words=words,
                        octets=octets,
                        gap=gap,
                        accumulate=accumulate,
                        how=how,
                    ),
                )


def _tower(operation: str, spec: TowerField, task: Make) -> Iterator[FieldTask]:
    if operation == "prepare":
        for count in COUNTS:
            yield task(f"{count} elements", partial(tower_prepare, spec=spec, count=count))
    if operation == "accumulate":
        for size, count, gap in (*COLUMNS, *LEVELS[spec.name]):
            yield task(
                f"{count} columns of {size} bytes, gap {gap}",
                partial(tower_accumulate, spec=spec, size=size, count=count, gap=gap),
            )
    if operation == "evaluate":
        for size in EVALUATED[spec.name]:
            for count, seed in ((1, 1), (5, 2), (17 if size <= 80 else 9, 3)):
                yield task(
                    f"{count} variables, {size} bytes, x of seed {seed}",
                    partial(tower_evaluate, spec=spec, size=size, count=count, seed=seed),
                )
