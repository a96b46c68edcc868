# SPDX-License-Identifier: Apache-2.0
"""Specifications that lie in a file of the user's, `FILE.py:FUNCTION`, as bits.

The function is plain Python over bytes (lab/spec/outside.py). It runs once, on bytes whose bits are
symbols: while it runs, `struct`, `int` and `bytes` of its module know such bytes, and what they
unpack are integers of any size, as Python's are. A branch, an index or a size that depends on data
has no value here: the proof stays open, and the error says what the function did.
"""

from __future__ import annotations

import builtins
import copy
import re
import struct
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import MappingProxyType, ModuleType
from typing import Any, NoReturn

from ..cases import arguments_of, evaluate
from ..checkout import LabError
from ..kernels import Kernel
from ..spec import outside
from .contracts import APART, ISAS, NoHarnessError, Task
from .graph import Bits, Graph
from .induct import Evidence
from .launch import Case, Grid, Launch, Numbers
from .lift import Bytes, Lifted
from .pcode import OpenError
from .ptx import Program, Thread, Window
from .values import Lin, RefusedError, Value
from .words import add, and_, not_, number_bits, or_, product, xor

NOTHING = "no input"  # the source of a kernel that has none with the size of its output


def _unknown(what: str) -> NoReturn:
    frame = sys._getframe(2)
    while frame.f_back is not None and frame.f_globals.get("__name__") == __name__:
        frame = frame.f_back
    raise OpenError(f"line {frame.f_lineno} of the specification {what}, which depends on data")


class Integer:
    """An integer in two's complement: its bits, the lowest first, and the one that follows for
    ever, 0 unless it may be negative.
    """

    __slots__ = ("g", "sign", "v")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, g: Graph, bits: Iterable[int], sign: int = 0) -> None:
        held = list(bits)
        while held and held[-1] == sign:
            held.pop()
        self.g, self.v, self.sign = g, tuple(held), sign

    def wide(self, n: int) -> Bits:
        """So many bits of it."""
        return self.v[:n] + (self.sign,) * (n - len(self.v))

    def _of(self, other: object) -> Integer | None:
        if isinstance(other, Integer):
            return other
        if isinstance(other, int):
            n = other.bit_length()
            return Integer(self.g, number_bits(other % (1 << n), n) if n else (), int(other < 0))
        return None

    def _bitwise(self, other: object, rule: Callable[[Graph, Bits, Bits], Bits]) -> Any:
        b = self._of(other)
        if b is None:
            return NotImplemented
        n = max(len(self.v), len(b.v)) + 1
        made = rule(self.g, self.wide(n), b.wide(n))
        return Integer(self.g, made[:-1], made[-1])

    def __xor__(self, other: object) -> Any:
        return self._bitwise(other, xor)

    def __and__(self, other: object) -> Any:
        return self._bitwise(other, and_)

    def __or__(self, other: object) -> Any:
        return self._bitwise(other, or_)

    def __invert__(self) -> Integer:
        return Integer(self.g, not_(self.v), self.sign ^ 1)

    def __add__(self, other: object) -> Any:
        b = self._of(other)
        if b is None:
            return NotImplemented
        n = max(len(self.v), len(b.v)) + 2
        made = add(self.g, self.wide(n), b.wide(n))
        return Integer(self.g, made[:-1], made[-1])

    def __neg__(self) -> Any:
        return ~self + 1

    def __pos__(self) -> Integer:
        return self

    def __sub__(self, other: object) -> Any:
        b = self._of(other)
        return NotImplemented if b is None else self + -b

    def __rsub__(self, other: object) -> Any:
        a = self._of(other)
        return NotImplemented if a is None else a - self

    def __mul__(self, other: object) -> Any:
        b = self._of(other)
        if b is None:
            return NotImplemented
        a, number = (self, b._number()) if b._number() is not None else (b, self._number())
        if number is None:
            _unknown("multiplies two words")
        n = len(a.v) + number.bit_length() + 1
        made = product(self.g, a.wide(n), number % (1 << n))
        return Integer(self.g, made[:-1], made[-1])

    __rxor__, __rand__, __ror__, __radd__, __rmul__ = __xor__, __and__, __or__, __add__, __mul__

    def __lshift__(self, n: object) -> Integer:
        return Integer(self.g, (0,) * _index(n) + self.v, self.sign)

    def __rshift__(self, n: object) -> Integer:
        return Integer(self.g, self.v[_index(n) :], self.sign)

    def __mod__(self, other: object) -> Any:
        return self & (_power(other) - 1)

    def __floordiv__(self, other: object) -> Integer:
        return self >> (_power(other).bit_length() - 1)

    def _number(self) -> int | None:
        if any(x > 1 for x in (*self.v, self.sign)):
            return None
        return sum(x << i for i, x in enumerate(self.v)) - (self.sign << len(self.v))

    def _public(self, what: str) -> int:
        number = self._number()
        if number is None:
            _unknown(what)
        return number

    def __index__(self) -> int:
        return self._public("uses an index, a size or a count")

    def __bool__(self) -> bool:
        return bool(self._public("branches on a word"))

    def _compared(self, other: object) -> int:
        b = self._of(other)
        return 0 if b is None else (self - b)._public("compares words")

    def __eq__(self, other: object) -> bool:
        return self._of(other) is not None and self._compared(other) == 0

    def __lt__(self, other: object) -> bool:
        return self._compared(other) < 0

    def __le__(self, other: object) -> bool:
        return self._compared(other) <= 0

    def __gt__(self, other: object) -> bool:
        return self._compared(other) > 0

    def __ge__(self, other: object) -> bool:
        return self._compared(other) >= 0

    def to_bytes(self, length: int = 1, byteorder: str = "big", *, signed: bool = False) -> Text:
        """As int.to_bytes."""
        n = 8 * length
        if signed or any(x for x in self.v[n:]) or self.sign:
            _unknown(f"makes {length} bytes of a word that may not fit them")
        bits = self.wide(n)
        data = [bits[i : i + 8] for i in range(0, n, 8)]
        return Text(self.g, data if byteorder == "little" else data[::-1])

    def __str__(self) -> str:
        return str(self._public("makes text of a word"))

    __repr__ = __str__


def _index(n: object) -> int:
    return n.__index__()  # type: ignore[attr-defined,no-any-return]


def _power(other: object) -> int:
    number = _index(other)
    if number <= 0 or number & (number - 1):
        raise OpenError(f"the specification divides a word by {number}, which is no power of two")
    return number


class Text:
    """Bytes whose bits are symbols."""

    __slots__ = ("data", "g")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, g: Graph, data: Iterable[Bits]) -> None:
        self.g, self.data = g, list(data)

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return Text(self.g, self.data[at])
        return Integer(self.g, self.data[_index(at)])

    def __iter__(self) -> Iterator[Integer]:
        return (Integer(self.g, byte) for byte in self.data)

    def __add__(self, other: object) -> Text:
        return Text(self.g, self.data + _bytes_of(other))

    def __radd__(self, other: object) -> Text:
        return Text(self.g, _bytes_of(other) + self.data)

    def __mul__(self, n: object) -> Text:
        return Text(self.g, self.data * _index(n))

    def __eq__(self, other: object) -> bool:
        _unknown("compares bytes")

    def __bool__(self) -> bool:
        return bool(self.data)


def _bytes_of(data: object) -> Bytes:
    if isinstance(data, Text):
        return list(data.data)
    if isinstance(data, str) or not isinstance(data, Iterable):
        raise OpenError(f"the specification makes bytes of {type(data).__name__}")
    found: Bytes = []
    for byte in data:
        if isinstance(byte, Integer):
            if byte.sign or any(byte.v[8:]):
                _unknown("makes a byte of a word that may not fit it")
            found.append(byte.wide(8))
        else:
            found.append(number_bits(int(byte) & 255, 8))
    return found


# What the module of a specification has in place of `struct`, `int` and `bytes`


class _Shown(type):
    """A type as which others count, too."""

    def __instancecheck__(cls, one: object) -> bool:
        return isinstance(one, cls.kinds)  # type: ignore[attr-defined]


def _known(items: Iterable[object]) -> bool:
    return not any(isinstance(item, Integer) for item in items)


def _symbolic(g: Graph) -> dict[str, Any]:
    """The names, and what stands for them."""

    class OwnInt(int, metaclass=_Shown):
        kinds = (int, Integer)

        def __new__(cls, value: Any = 0, *more: Any) -> Any:
            return value if isinstance(value, Integer) else int(value, *more)

        @staticmethod
        def from_bytes(data: Any, byteorder: str = "big", *, signed: bool = False) -> Any:
            held = _bytes_of(data)
            bits = [x for byte in (held if byteorder == "little" else held[::-1]) for x in byte]
            return Integer(g, bits, bits[-1] if signed and bits else 0)

    class OwnBytes(bytes, metaclass=_Shown):
        kinds = (bytes, Text)

        def __new__(cls, value: Any = b"", *more: Any) -> Any:
            if isinstance(value, Text):
                return value
            if isinstance(value, int | str | bytes | bytearray | memoryview):
                return bytes(value, *more)
            items = list(value)
            return bytes(items) if _known(items) else Text(g, _bytes_of(items))

    class OwnArray(bytearray, metaclass=_Shown):
        kinds = (bytearray, Text)

        def __new__(cls, value: Any = b"", *more: Any) -> Any:
            raise OpenError("the specification uses bytearray; lists of integers are understood")

    made = ModuleType("struct")
    own = {name: getattr(_Struct(g), name) for name in _Struct.NAMES}
    made.__dict__.update(own, error=struct.error)
    return {"struct": made, "int": OwnInt, "bytes": OwnBytes, "bytearray": OwnArray, **own}


class _Struct:
    """Functions of `struct`, for integers of fixed sizes."""

    NAMES = ("pack", "unpack", "unpack_from", "iter_unpack", "calcsize")
    SIZES: Mapping[str, int] = MappingProxyType({"b": 1, "h": 2, "i": 4, "l": 4, "q": 8})

    def __init__(self, g: Graph) -> None:
        self.g = g

    def _fields(self, form: str | bytes) -> tuple[str, list[tuple[str, int]]]:
        text = form.decode() if isinstance(form, bytes) else form
        found = re.fullmatch(r"([<>!=]?)((?:\s*\d*[bBhHiIlLqQ])+)\s*", text)
        kinds = re.findall(r"(\d*)([a-zA-Z])", found[2]) if found else []
        if not found or (not found[1] and len({kind.lower() for _, kind in kinds}) > 1):
            raise OpenError(
                f"the format {text!r} of the specification; < or > and integers expected"
            )
        if not found[1] and kinds[0][1] in "lL":
            raise OpenError(f"the format {text!r} has another size on other machines; write <")
        order = "big" if found[1] in (">", "!") else "little"
        return order, [
            (kind, self.SIZES[kind.lower()]) for n, kind in kinds for _ in range(int(n or 1))
        ]

    def calcsize(self, form: str | bytes) -> int:
        return sum(size for _, size in self._fields(form)[1])

    def unpack_from(self, form: str | bytes, data: Any, offset: int = 0) -> tuple[Any, ...]:
        order, fields = self._fields(form)
        held, found = _bytes_of(data), []
        if len(held) < offset + self.calcsize(form):
            raise OpenError(f"the specification unpacks {form!r} of {len(held) - offset} bytes")
        for kind, size in fields:
            part = held[offset : offset + size]
            bits = [x for byte in (part if order == "little" else part[::-1]) for x in byte]
            found.append(Integer(self.g, bits, bits[-1] if kind.islower() else 0))
            offset += size
        return tuple(found)

    def unpack(self, form: str | bytes, data: Any) -> tuple[Any, ...]:
        if len(data) != self.calcsize(form):
            raise OpenError(f"the specification unpacks {form!r} of {len(data)} bytes")
        return self.unpack_from(form, data)

    def iter_unpack(self, form: str | bytes, data: Any) -> Iterator[tuple[Any, ...]]:
        size = self.calcsize(form)
        if len(data) % size:
            raise OpenError(f"the specification unpacks {form!r} of {len(data)} bytes")
        return (self.unpack_from(form, data, at) for at in range(0, len(data), size))

    def pack(self, form: str | bytes, *values: Any) -> Text:
        order, fields = self._fields(form)
        if len(values) != len(fields):
            raise OpenError(f"the specification packs {len(values)} values as {form!r}")
        made = Text(self.g, [])
        for value, (kind, size) in zip(values, fields, strict=True):
            word = value if isinstance(value, Integer) else Integer(self.g, ()) + value
            if kind.islower():
                raise OpenError(f"the specification packs {form!r}; unsigned integers expected")
            made += word.to_bytes(size, order)
        return made


@contextmanager
def _inside(g: Graph, function: Callable[..., Any]) -> Iterator[None]:
    """While the function and others of its module run on symbols."""
    names, own = function.__globals__, _symbolic(g)
    before = dict(names)
    for name in ("int", "bytes", "bytearray"):
        if names.get(name, getattr(builtins, name)) is getattr(builtins, name):
            names[name] = own[name]
    for name, value in before.items():
        if value is struct:
            names[name] = own["struct"]
        elif name in _Struct.NAMES and value is getattr(struct, name):
            names[name] = own[name]
    try:
        yield
    finally:
        names.clear()
        names.update(before)


def called(g: Graph, name: str, target: str, given: Mapping[str, Bytes | int]) -> Bytes:
    """What FILE.py:FUNCTION makes of buffers and numbers, for the buffer `target`."""
    function = outside.function(name)
    passed = {
        key: given[key] if isinstance(given[key], int) else Text(g, given[key])  # type: ignore[arg-type]
        for key in outside.parameters(name)
    }
    with _inside(g, function):
        try:
            made = function(**passed)
        except (OpenError, LabError):
            raise
        except Exception as problem:
            raise OpenError(
                f"--spec {name} does not run on symbols: {type(problem).__name__}: {problem}"
            ) from problem
        return _bytes_of(made[target] if isinstance(made, dict) else made)


@dataclass(frozen=True)
class _Shape:
    """What the arguments of a kernel say: values, and for each buffer its bytes per group, or in
    all, and its access.
    """

    values: dict[str, int]
    buffers: dict[str, tuple[int, int, str]]
    target: str
    counted: bool


def _shape(kernel: Kernel) -> _Shape:
    values: dict[str, int] = {}
    buffers: dict[str, tuple[int, int, str]] = {}
    counted = False
    for what in arguments_of(kernel).values():
        if "value" in what:
            name = str(what["value"])
            counted |= name == "groups"
            if name != "groups" and name not in (kernel.values or {}):
                raise NoHarnessError(f"the value {name!r} is unknown; give it as {name}=NUMBER")
            if name != "groups":
                values[name] = (kernel.values or {})[name]
            continue
        name = str(what["buffer"])
        sizes = [evaluate(what["bytes"], values | {"groups": n, "blocks": 1}) for n in (0, 1, 2)]
        per = sizes[1] - sizes[0]
        if sizes[2] - sizes[1] != per or (per and sizes[0]):
            raise NoHarnessError(f"{name} has {what['bytes']} bytes: N, or N * groups, expected")
        buffers[name] = (per, sizes[1], str(what["access"]))
    targets = [name for name, (_, _, access) in buffers.items() if "w" in access]
    if len(targets) != 1:
        raise NoHarnessError(
            f"{len(targets)} buffers are written: {', '.join(targets)}; 1 expected"
        )
    if counted != bool(buffers[targets[0]][0]):
        raise NoHarnessError(
            f"{targets[0]} needs a size N * groups exactly where the kernel takes groups"
        )
    return _Shape(values, buffers, targets[0], counted)


def _wanted(g: Graph, kernel: Kernel, shape: _Shape, given: Mapping[str, Bytes]) -> Bytes:
    """What the specification makes of the buffers of a group."""
    made = called(g, kernel.spec, shape.target, {**shape.values, "groups": 1, **given})
    size = shape.buffers[shape.target][1]
    if len(made) != size:
        raise RefusedError(
            f"the specification makes {len(made)} bytes of {shape.target}, which has {size}"
        )
    return made


def own_tasks(kernel: Kernel) -> Iterator[Task]:
    """The proof that a kernel equals FILE.py:FUNCTION."""
    if kernel.isa not in ISAS:
        raise NoHarnessError(f"no front end for {kernel.isa}; one of {', '.join(ISAS)} expected")
    shape = _shape(kernel)
    per, size, access = shape.buffers[shape.target]
    source = shape.target if "r" in access else NOTHING
    for name, (each, whole, held) in shape.buffers.items():
        if source == NOTHING and (each, whole, held) == (per, size, "r"):
            source = name
    others = [name for name in shape.buffers if name not in (source, shape.target)]
    if strange := [name for name in others if shape.buffers[name][0]]:
        raise NoHarnessError(
            f"{strange[0]} has {shape.buffers[strange[0]][0]} bytes per group; one buffer that is"
            f" read may have some, as many as {shape.target}"
        )

    def lifted(g: Graph) -> Lifted:
        fixed = {
            name: [g.word(f"{name} {i}", 8) for i in range(shape.buffers[name][1])]
            for name in others
        }

        def compute(data: Bytes, counter: Bits | None) -> Bytes:
            return _wanted(g, kernel, shape, {**fixed, source: data})

        return Lifted(source, shape.target, size, compute, fixed)

    in_place = source == shape.target
    yield Task(kernel, ISAS[kernel.isa], APART, in_place, shape.values, (), lifted, True)


# PTX: a thread for each group

GROUPS_MOST, THREADS_MOST = 1 << 30, 1024


@dataclass(frozen=True)
class OwnLaunch(Launch):
    """The proof that a kernel in PTX equals FILE.py:FUNCTION: one thread for each group, in CTAs of
    any size, and threads behind the last group do nothing.
    """


def own_launches(kernel: Kernel) -> Iterator[OwnLaunch]:
    """The proof for a kernel in PTX."""
    shape = _shape(kernel)
    if not shape.counted or "r" in shape.buffers[shape.target][2]:
        raise NoHarnessError(
            "a kernel in PTX without header takes groups, and writes a buffer that it does not read"
        )

    def cases(n: Numbers) -> Iterator[Case]:
        yield _active(n, kernel, shape)
        special, bounds = _special(Lin(0, {"groups": 1, "beyond": 1}))
        bounds |= {"groups": (0, GROUPS_MOST), "beyond": (0, GROUPS_MOST)}
        windows = {
            _inner(name, shape): Window({}, (), "w" if name == shape.target else "r")
            for name in shape.buffers
        }
        values: dict[str, Value] = {**shape.values, "groups": Lin(0, {"groups": 1})}
        yield Case("a thread behind the groups", special, values, bounds, windows, {}, {}, {})

    yield OwnLaunch(kernel, APART, False, cases)


def _inner(name: str, shape: _Shape) -> str:
    """What the proof of a launch calls a buffer; the one that is written is its `out`."""
    return "out" if name == shape.target else f"{name}'" if name == "out" else name


def _special(number: Lin) -> tuple[dict[str, Value], dict[str, tuple[int, int]]]:
    """Special registers of the thread with a number, whatever the size of a CTA is."""
    special: dict[str, Value] = {
        "%ctaid.x": Lin(0, {"cta": 1}),
        "%ntid.x": Lin(0, {"size": 1}),
        "%tid.x": Lin(0, {**dict(number.t), "cta * size": -1}),
    }
    return special, {"cta": (0, GROUPS_MOST - 1), "size": (1, THREADS_MOST)}


def _active(n: Numbers, kernel: Kernel, shape: _Shape) -> Case:
    special, bounds = _special(Lin(0, {"thread": 1}))
    bounds |= {"thread": (0, GROUPS_MOST - 1), "left": (1, GROUPS_MOST)}
    windows, contents = {}, {}
    sizes: dict[str, int | Lin] = {}
    given: dict[str, Bytes] = {}
    for name, (per, size, access) in shape.buffers.items():
        inner = _inner(name, shape)
        windows[inner] = Window({"thread": per} if per else {}, ((0, size),), access)
        sizes[inner] = Lin(0, {"thread": per, "left": per}) if per else size
        if name != shape.target:
            given[name] = [n.byte(f"{name} {i}") for i in range(size)]
            contents[inner] = dict(enumerate(given[name]))
    want = dict(enumerate(_wanted(n.g, kernel, shape, given)))
    values: dict[str, Value] = {**shape.values, "groups": Lin(0, {"thread": 1, "left": 1})}
    return Case("a thread with a group", special, values, bounds, windows, contents, want, sizes)


class OwnGrid(Grid):
    """The proof of an OwnLaunch. Parameters have the names of the signature, in its order."""

    def __init__(self, g: Graph, program: Program, task: Launch) -> None:
        shape = _shape(task.kernel)
        names = [
            str(what["value"]) if "value" in what else _inner(str(what["buffer"]), shape)
            for what in arguments_of(task.kernel).values()
        ]
        held = [name for name, _ in program.parameters]
        if len(held) != len(names):
            raise RefusedError(
                f"the entry has {len(held)} parameters, and the signature {len(names)}"
            )
        renamed = {f"[{old}]": f"[{new}]" for old, new in zip(held, names, strict=True)}
        own = copy.copy(program)
        own.parameters = [
            (new, kind) for new, (_, kind) in zip(names, program.parameters, strict=True)
        ]
        own.lines = [
            replace(one, operands=(one.operands[0], renamed[one.operands[1]]))
            if "param" in one.name
            else one
            for one in program.lines
        ]
        self.most = program.threads[0] if program.threads else THREADS_MOST
        self.g, self.program, self.evidence = g, own, Evidence()
        self.task = replace(task, kernel=replace(task.kernel, args={name: {} for name in names}))
        self.numbers = Numbers(g, None)

    def thread(self, case: Case) -> Thread:
        return super().thread(replace(case, bounds=case.bounds | {"size": (1, self.most)}))
