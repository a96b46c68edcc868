# SPDX-License-Identifier: Apache-2.0
"""The kernels of a checkout: what their headers promise, and the rows of the library's own tables.

A file that holds kernels is src/<room>/<cipher>_<isa>[_<lane layout>].<S|c|ptx>, or in
src/<room>/generated. Each kernel function in it has a comment that begins with `kernel:` and
continues as YAML; `parse` says what must be in it. In a C file, whose kernels come from one
template, one header may serve many: `spec` is then a list, and the numbers of blocks are those of
the functions in the file, hanji_<cipher>_<isa>_<operation>_x<blocks>, where the header has no list
`blocks` for every specification. A single number of blocks, without a list, is no part of names. A
header `like: <file> <operation>` takes what it does not say from the header of that file which has
that operation. The
portable kernels are plain C without such headers: the library lists them.
"""

from __future__ import annotations

import ctypes
import difflib
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import yaml

from . import spec
from .checkout import LabError, any_compiler, build_library
from .masking import Masking, MaskingError
from .masking import parse as parse_masking
from .spec import outside
from .spec.ascon import Aead, Hash, Permutation
from .spec.esch import Esch
from .spec.schwaemm import Schwaemm

REQUIRED = ("spec", "isa", "blocks", "args", "aliasing", "stack", "secrets")
OPTIONAL = ("cites", "layout", "align", "like", "masking")

HEADER = re.compile(r"/\*\s*(kernel:.*?)\*/", re.DOTALL)
PROTOTYPE = re.compile(r"\b(hanji_\w+)\s*\(")
ANY_PROTOTYPE = re.compile(r"\b(?:void|int|unsigned|size_t|u?int\d+_t)\s+\*?(\w+)\s*\(")
ENTRY = re.compile(r"\.entry\s+(\w+)\s*\(")
GPU_ISA = re.compile(r"sm\d+")


class HeaderError(Exception):
    """A kernel header, or the name of its file, is not as it must be."""

    def __init__(self, path: Path, line: int, key: str, problem: str) -> None:
        super().__init__(f"{path}:{line}: {key}: {problem}")


@dataclass(frozen=True)
class Kernel:
    """One kernel; sizes in bytes. Without a header `source` is its room and there is no line.

    `layout` is that of its round keys (layouts.py), `align` what its buffers need, `function` its
    symbol.
    """

    name: str
    spec: str
    isa: str
    operation: str
    blocks: int
    source: str
    line: int | None = None
    stack: int | None = None
    aliasing: str = ""
    secrets: tuple[str, ...] = ()
    args: dict[str, dict[str, Any]] | None = None
    layout: str = "canonical"
    align: int = 4
    usable: bool | None = None
    function: str = ""
    # of a kernel that a user brings: reserved registers that it may change, values of arguments
    allow: tuple[str, ...] = ()
    values: dict[str, int] | None = None
    masking: Masking | None = None  # of a masked kernel: its shares

    @property
    def symbol(self) -> str:
        """The function's name for the linker."""
        return self.function or f"hanji_{self.name}"

    def to_json(self) -> dict[str, Any]:
        """The kernel as a JSON object."""
        made = asdict(self)
        for key in ("allow", "values", *(() if self.masking else ("masking",))):
            del made[key]
        return made


def known_isas(root: Path) -> list[str]:
    """The instruction sets that the build knows, from cmake/kernels.cmake."""
    text = (root / "cmake/kernels.cmake").read_text(encoding="utf-8")
    found = re.search(r"^set\(hanji_isas ([^)]*)\)", text, re.MULTILINE)
    if not found:
        raise LabError(f"{root / 'cmake/kernels.cmake'} has no line set(hanji_isas ...)")
    return found[1].split()


def isa_flags(root: Path, isa: str) -> list[str]:
    """The flags that the build gives to the kernel files of an instruction set, from
    cmake/kernels.cmake.
    """
    text = (root / "cmake/kernels.cmake").read_text(encoding="utf-8")
    found = re.search(rf'^set\(hanji_isa_{re.escape(isa)}_flags "?([^")]*)"?\)', text, re.MULTILINE)
    return found[1].split() if found else []


def split_name(path: Path, isas: list[str]) -> tuple[str, str, str] | None:
    """(cipher, isa, layout) of a kernel file's name, or None if it has no part that is an
    instruction set.
    """
    parts = path.stem.split("_")
    for i, part in enumerate(parts[1:], start=1):
        if part in isas or (path.suffix == ".ptx" and GPU_ISA.fullmatch(part)):
            return "_".join(parts[:i]), part, "_".join(parts[i + 1 :])
    return None


def kernel_files(root: Path, isas: list[str]) -> Iterator[Path]:
    """Every file under src that holds kernels, or that says so in a header."""
    for path in sorted((root / "src").rglob("*.*")):
        assembly = path.suffix in (".S", ".s", ".ptx")
        if assembly or (
            path.suffix == ".c"
            and (split_name(path, isas) or HEADER.search(path.read_text("utf-8")))
        ):
            yield path


def _close(word: str, known: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(word, known, n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


# libyaml takes a tenth of the time; not every PyYAML has it
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Header:
    """One header block with the line of every key."""

    def __init__(self, path: Path, first_line: int, text: str) -> None:
        self.path, self.first_line = path, first_line
        try:
            loader = LOADER(text)
            node = loader.get_single_node()
            content = loader.construct_document(node)
        except yaml.MarkedYAMLError as problem:
            mark = problem.problem_mark
            line = first_line + (mark.line if mark else 0)
            raise HeaderError(
                path, line, "kernel", f"this is not YAML: {problem.problem}"
            ) from None
        content = content["kernel"] if isinstance(content, dict) else None
        if not isinstance(content, dict):
            raise HeaderError(
                path, first_line, "kernel", "keys and values expected below `kernel:`"
            )
        self.content: dict[str, Any] = content
        self.lines: dict[str, int] = {}
        assert isinstance(node, yaml.MappingNode)
        for key, _ in node.value[0][1].value:
            if key.value in self.lines:
                raise HeaderError(path, first_line + key.start_mark.line, key.value, "given twice")
            self.lines[key.value] = first_line + key.start_mark.line

    def error(self, key: str, problem: str) -> HeaderError:
        return HeaderError(self.path, self.lines.get(key, self.first_line), key, problem)

    def number(self, key: str, least: int) -> int:
        value = self.content[key]
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise self.error(key, f"{value!r} given, a whole number from {least} expected")
        return value

    def text(self, key: str) -> str:
        value = self.content[key]
        if not isinstance(value, str) or not value.strip():
            raise self.error(key, f"{value!r} given, a text expected")
        return value.strip()

    def numbers(self, key: str, least: int) -> list[int]:
        """One whole number, or a list of them where one header serves many kernels."""
        value = self.content[key]
        if not isinstance(value, list):
            return [self.number(key, least)]
        if not value or any(
            isinstance(n, bool) or not isinstance(n, int) or n < least for n in value
        ):
            raise self.error(key, f"{value!r} given, whole numbers from {least} expected")
        return value

    def texts(self, key: str) -> list[str]:
        """One text, or a list of them where one header serves many kernels."""
        value = self.content[key]
        if not isinstance(value, list):
            return [self.text(key)]
        if not value or any(not isinstance(text, str) or not text.strip() for text in value):
            raise self.error(key, f"{value!r} given, texts expected")
        return [text.strip() for text in value]

    def stack(self) -> int | None:
        """Bytes of stack; in C the compiler decides."""
        if self.path.suffix == ".c" and self.content["stack"] == "compiler":
            return None
        return self.number("stack", 0)

    def args(self) -> dict[str, dict[str, Any]]:
        value = self.content["args"]
        if not isinstance(value, dict) or not value:
            raise self.error(
                "args", "expected {register: {buffer: name, bytes: size, access: r|w|rw}, ...}"
            )
        for register, what in value.items():
            if not isinstance(what, dict) or ("buffer" in what) == ("value" in what):
                raise self.error(
                    "args",
                    f"{register}: expected {{buffer: ...}} or {{value: ...}}, {what!r} given",
                )
            if "value" in what:
                continue
            size = what.get("bytes")
            if (
                isinstance(size, bool)
                or not isinstance(size, int | str)
                or (isinstance(size, int) and size < 1)
            ):
                raise self.error(
                    "args", f"{register}: bytes is {size!r}; a size or an expression expected"
                )
            if what.get("access") not in ("r", "w", "rw"):
                raise self.error(
                    "args", f"{register}: access is {what.get('access')!r}; r, w or rw expected"
                )
            if what.get("align", 1) not in (1, 2, 4):
                raise self.error(
                    "args", f"{register}: align is {what['align']!r}; 1, 2 or 4 bytes expected"
                )
        return value

    def secrets(self, args: dict[str, dict[str, Any]]) -> tuple[str, ...]:
        value = self.content["secrets"]
        listed = (
            value if isinstance(value, list) else [part.strip() for part in str(value).split(",")]
        )
        if listed == ["none"]:
            return ()
        names = tuple(str(what.get("buffer", what.get("value"))) for what in args.values())
        for name in listed:
            if name not in names:
                raise self.error("secrets", f"{name!r} is none of the arguments {', '.join(names)}")
        return tuple(listed)

    def masking(
        self, args: dict[str, dict[str, Any]], isa: str, secrets: tuple[str, ...], text: str
    ) -> Masking | None:
        if "masking" not in self.content:
            return None
        try:
            found = parse_masking(self.content["masking"], args, isa, secrets)
        except MaskingError as problem:
            raise self.error("masking", str(problem)) from None
        if found.loop and not re.search(rf"^\s*{re.escape(found.loop.head)}:", text, re.MULTILINE):
            raise self.error("masking", f"loop: head: the file has no label {found.loop.head!r}")
        return found


def _like(header: _Header, path: Path, root: Path) -> None:
    """Fill a header that says `like: <file> <operation>` from that other header."""
    if "like" not in header.content:
        return
    stem, _, operation = header.text("like").partition(" ")
    for other in sorted((root / "src").glob(f"*/{stem}.c")):
        if other == path:
            continue
        text = other.read_text(encoding="utf-8")
        for found in HEADER.finditer(text):
            line = text.count("\n", 0, found.start(1)) + 1
            model = _Header(other.relative_to(root), line, found[1])
            names = model.texts("spec") if "spec" in model.content else []
            if "like" not in model.content and any(n.endswith(f".{operation}") for n in names):
                header.content = {**model.content, **header.content}
                return
    raise header.error(
        "like",
        f"{header.text('like')!r} given, <file> <operation> expected: another C file in src with a "
        "whole header for that operation",
    )


def _blocks_of(text: str, name: str, isa: str) -> list[int]:
    """The numbers of blocks for which a C file has functions of this specification."""
    algorithm, _, operation = name.partition(".")
    functions = rf"\bhanji_{algorithm}_{isa}_{operation}_x(\d+)\b"
    return [
        int(n)
        for n in dict.fromkeys(
            re.findall(functions, re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL))
        )
    ]


def parse(path: Path, root: Path, isas: list[str], free: bool = False) -> list[Kernel]:
    """The kernels of one file; HeaderError says file, line and key of the first thing that is
    wrong. `free`: a file that a user brings, whose file and functions may have any names.
    """
    shown = path.relative_to(root)
    text = path.read_text(encoding="utf-8")
    split = split_name(path, isas)
    if split is None and not free:
        wanted = "<cipher>_<isa>[_<layout>] with one of " + ", ".join(isas)
        raise HeaderError(
            shown, 1, "file name", f"{path.name!r} given, {wanted} expected (or sm<N> for .ptx)"
        )
    cipher, isa = split[:2] if split else ("", None)
    kernels = []
    for found in HEADER.finditer(text):
        first_line = text.count("\n", 0, found.start(1)) + 1
        header = _Header(shown, first_line, found[1])
        for key in header.content:
            if key not in REQUIRED + OPTIONAL:
                raise header.error(str(key), f"no such key{_close(str(key), REQUIRED + OPTIONAL)}")
        _like(header, path, root)
        named = path.suffix == ".c" and isinstance(header.content.get("spec"), list)
        for key in REQUIRED:
            if key not in header.content and not (named and key == "blocks"):
                raise HeaderError(shown, first_line, key, "missing")
        if isa is not None and header.text("isa") != isa:
            raise header.error(
                "isa", f"{header.text('isa')!r} given, but the file name {path.name} says {isa!r}"
            )
        args = header.args()
        names = header.texts("spec")
        listed = header.numbers("blocks", 1) if "blocks" in header.content else None
        suffixed = isinstance(header.content.get("blocks", []), list)
        many = isinstance(header.content["spec"], list) or suffixed
        if many and path.suffix != ".c":
            raise header.error(
                "spec",
                "a list is for kernels from a template in C; here every kernel has its own header",
            )
        symbol = _function(path, text, found, free)
        for name in names:
            if free and outside.is_outside(name):
                kernels.append(
                    _of_outside(header, path, name, isa or header.text("isa"), symbol, text)
                )
                continue
            try:
                spec.resolve(name)
            except spec.UnknownSpecificationError as problem:
                raise header.error("spec", str(problem)) from None
            algorithm, _, operation = name.partition(".")
            family = re.split(r"\d", algorithm)[0]
            belongs = cipher in (algorithm, family) or algorithm.startswith(cipher + "_")
            if not belongs and not free:
                raise header.error(
                    "spec", f"{name} does not belong to a file of {cipher!r} ({path.name})"
                )
            blocks = _blocks_of(text, name, isa or header.text("isa")) if listed is None else listed
            if not blocks:
                wanted = f"hanji_{algorithm}_{isa}_{operation}_x<blocks>"
                raise header.error("spec", f"{name} given, but the file has no function {wanted}")
            for count in blocks:
                own = symbol.removeprefix("hanji_")
                suffix = f"_x{count}" if suffixed else ""
                kernels.append(
                    Kernel(
                        name=f"{algorithm}_{isa}{suffix}" if many else own,
                        spec=name,
                        isa=isa or header.text("isa"),
                        operation=operation,
                        blocks=count,
                        source=str(shown),
                        line=first_line,
                        stack=header.stack(),
                        aliasing=header.text("aliasing"),
                        secrets=header.secrets(args),
                        args=args,
                        masking=header.masking(
                            args, isa or header.text("isa"), header.secrets(args), text
                        ),
                        layout=header.text("layout") if "layout" in header.content else "canonical",
                        align=header.number("align", 1) if "align" in header.content else 4,
                        function=f"hanji_{algorithm}_{isa}_{operation}{suffix}" if many else symbol,
                    )
                )
    if not kernels:
        raise HeaderError(
            shown, 1, "kernel", "the file has no header that begins with `/* kernel:`"
        )
    return kernels


def _of_outside(header: _Header, path: Path, name: str, isa: str, symbol: str, text: str) -> Kernel:
    """The kernel of a header whose specification is FILE.py:FUNCTION, beside the kernel's file."""
    args = header.args()
    secrets = header.secrets(args)
    try:
        outside.function(whole := str(path.parent / name))
    except LabError as problem:
        raise header.error("spec", str(problem).removeprefix("--spec ")) from None
    return Kernel(
        name=symbol.removeprefix("hanji_"),
        spec=whole,
        isa=isa,
        operation=name.rpartition(":")[2],
        blocks=header.number("blocks", 1),
        source=str(header.path),
        line=header.first_line,
        stack=header.stack(),
        aliasing=header.text("aliasing"),
        secrets=secrets,
        args=args,
        masking=header.masking(args, isa, secrets, text),
        align=header.number("align", 1) if "align" in header.content else 4,
        function=symbol,
    )


def _function(path: Path, text: str, header: re.Match[str], free: bool) -> str:
    """The symbol that a header describes: in PTX the entry behind it, elsewhere the prototype
    before it, of any name in a free file.
    """
    if path.suffix == ".ptx":
        named = ENTRY.search(text, header.end())
        return named[1] if named else f"hanji_{path.stem}"
    above = text[: header.start()]
    prototypes = PROTOTYPE.findall(above) or (ANY_PROTOTYPE.findall(above) if free else [])
    return prototypes[-1] if prototypes else f"hanji_{path.stem}"


def scan(root: Path) -> tuple[list[Kernel], list[HeaderError]]:
    """All kernels that have a header, and all headers that are wrong."""
    isas = known_isas(root)
    kernels: list[Kernel] = []
    errors: list[HeaderError] = []
    for path in kernel_files(root, isas):
        try:
            kernels += parse(path, root, isas)
        except HeaderError as error:
            errors.append(error)
    return kernels, errors


class _Info(ctypes.Structure):
    """hanji_kernel_info of include/hanji/common.h."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("tier", ctypes.c_char_p),
        ("operation", ctypes.c_char_p),
        ("algorithm", ctypes.c_char_p),
        ("group", ctypes.c_uint32),
        ("minimum", ctypes.c_uint32),
        ("usable", ctypes.c_int),
    )


# The room of each family, where it is not the family itself.
ROOMS = {
    "schwaemm": "sparkle",
    "esch": "sparkle",
    "xoesch": "sparkle",
    "ctr": "modes",
    "eax": "modes",
    "cmac": "modes",
}

# What a fleet kernel must equal, message by message.
FLEET_OPERATIONS = {Schwaemm: "seal", Esch: "digest", Aead: "seal", Hash: "digest"}
FLEET_MODES = {"ctr": "modes.ctr", "eax": "modes.eax_seal", "cmac": "modes.cmac"}


def all_kernels(root: Path) -> list[Kernel]:
    """Every kernel of the checkout that has a header, each function once."""
    found, errors = scan(root)
    if errors:
        raise LabError("\n".join(map(str, errors)))
    return found


def chosen(root: Path, pattern: str) -> list[Kernel]:
    """The kernels whose name or function matches; LabError when none does."""
    matching = [
        kernel
        for kernel in all_kernels(root)
        if fnmatchcase(kernel.name, pattern)
        or fnmatchcase(kernel.symbol.removeprefix("hanji_"), pattern)
    ]
    if not matching:
        raise LabError(
            f"no kernel with a header matches {pattern!r}; `hanji-lab kernels` lists the names"
        )
    return matching


def _library(root: Path) -> ctypes.CDLL:
    """A library that is built from this checkout, to be asked for its tables."""
    return ctypes.CDLL(str(build_library(root, "listing", any_compiler(), "-O0", "hanji_shared")))


def tiers(root: Path) -> list[str]:
    """The tiers of the library that this machine can run, the plainest first."""
    library = _library(root)
    library.hanji_tier_count.restype = ctypes.c_size_t
    library.hanji_tier_name.restype = ctypes.c_char_p
    count = range(library.hanji_tier_count())
    return [
        library.hanji_tier_name(ctypes.c_size_t(i)).decode()
        for i in count
        if library.hanji_tier_state(ctypes.c_size_t(i)) > 0
    ]


def own_tiers(root: Path) -> list[str]:
    """Those of them in which the library has kernels, and the portable one."""
    served = {"portable", *(row.isa for row in table(root))}
    return [tier for tier in tiers(root) if tier in served]


def _rows(root: Path) -> Iterator[_Info]:
    """What the library says of each row of its kernel tables."""
    library = _library(root)
    library.hanji_kernel_count.restype = ctypes.c_size_t
    for index in range(library.hanji_kernel_count()):
        info = _Info()
        if library.hanji_kernel_at(ctypes.byref(info), ctypes.c_size_t(index)) != 0:
            raise LabError(f"the library refuses to describe its kernel {index}")
        yield info


def least(root: Path) -> dict[tuple[str, str, str], tuple[int, int]]:
    """By algorithm, tier and operation: from how many blocks, states or messages on there is a
    kernel over lanes, and how many fill it.
    """
    found: dict[tuple[str, str, str], tuple[int, int]] = {}
    for info in _rows(root):
        key, row = (
            (info.algorithm.decode(), info.tier.decode(), info.operation.decode()),
            (info.minimum, info.group),
        )
        if info.group > 1:
            found[key] = min(found.get(key, row), row)
    return found


def table(root: Path) -> list[Kernel]:
    """The rows of the library's kernel tables."""
    kernels = []
    for info in _rows(root):
        algorithm, operation = info.algorithm.decode(), info.operation.decode()
        kernels.append(
            Kernel(
                name=info.name.decode(),
                spec=_table_spec(algorithm, operation),
                isa=info.tier.decode(),
                operation=operation,
                blocks=info.group,
                source=_table_room(root, algorithm),
                usable=bool(info.usable),
            )
        )
    return kernels


def _table_spec(algorithm: str, operation: str) -> str:
    """The specification of a row; LabError when the table names something that has none."""
    try:
        if algorithm in FLEET_MODES and operation == "fleet":
            return FLEET_MODES[algorithm]
        found = spec.algorithm(algorithm)
        # whole messages; those of block ciphers have specifications of their own
        if operation == "fleet" or (
            operation == "uniform" and isinstance(found, tuple(FLEET_OPERATIONS))
        ):
            operation = next(
                (name for kind, name in FLEET_OPERATIONS.items() if isinstance(found, kind)),
                operation,
            )
        # the kernel for one state of Ascon, which has all that its modes need of it
        if operation == "absorb":
            operation = (
                "permute" if isinstance(spec.algorithm(algorithm), Permutation) else "absorb_blocks"
            )
        name = f"{spec.identifier(algorithm)}.{operation}"
        spec.resolve(name)
    except spec.UnknownSpecificationError as problem:
        raise LabError(
            f"the library's kernel table has {algorithm!r} ({operation}): {problem}"
        ) from None
    return name


def _table_room(root: Path, algorithm: str) -> str:
    family = re.split(r"[-0-9]", algorithm)[0]
    room = f"src/{ROOMS.get(family, family)}"
    if not (root / room).is_dir():
        raise LabError(
            f"the library has kernels of {algorithm}, but there is no room {root / room}"
        )
    return room


def inventory(root: Path) -> tuple[list[Kernel], list[HeaderError]]:
    """Every kernel of the checkout, those with headers first, and all headers that are wrong.

    A kernel that has a header and a row in a table appears once.
    """
    kernels, errors = scan(root)
    rows = table(root)
    usable = {(row.name, row.operation): row.usable for row in rows}
    kernels = [
        replace(kernel, usable=usable.get((kernel.name, kernel.operation))) for kernel in kernels
    ]
    described = {(kernel.name, kernel.operation) for kernel in kernels}
    return kernels + [row for row in rows if (row.name, row.operation) not in described], errors
