# SPDX-License-Identifier: Apache-2.0
"""Where a verdict comes from: a digest of what was proved, and one of the rules that proved it.

The first covers the kernel's sources and contract, the flags of its build, and the specification
that it must equal. The second covers the modules of the prover that a proof of this kind runs: the
front end of the instruction set, the claim, and what these import. Comments, blank lines and
folders do not count; the header of a kernel does, as its contract. No compiler runs: headers are
found by their names, whatever `#if` stands around them. Those of the compiler do not count, nor the
place where the prover links the file; the latter is the prover's.
"""

from __future__ import annotations

import ast
import importlib.metadata
import inspect
import os
import re
from collections.abc import Collection, Iterable
from dataclasses import asdict
from functools import cache, partial
from pathlib import Path

from .. import spec
from ..depends import included
from ..fingerprints import code, digest, fingerprint, without_folders
from ..kernels import Kernel
from ..spec import outside
from . import build
from .contracts import ISAS

# A file whose code hangs on something that its text does not show: headers and data that are not
# named by a plain #include, lines that are counted, and places and times of the build.
_HIDDEN = re.compile(
    r"^#\s*include(?!\s*[<\"][\w./-]+[>\"]\s*$)|^(?!#\s*include\b).*\binclude\b|^%:|\?\?[=/'()!<>-]"
    r"|\b(?:incbin|embed|import|include_next|__has_include|__has_include_next|__has_embed)\b"
    r"|\b(?:__LINE__|__COUNTER__|__FILE__|__BASE_FILE__|__FILE_NAME__|__INCLUDE_LEVEL__)\b"
    r"|\b(?:__DATE__|__TIME__|__TIMESTAMP__)\b",
    re.MULTILINE,
)
_LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"')
# Escapes by which a literal could hide a directive of the assembler.
_ESCAPED = re.compile(r"\\(?![nt\\\"'])")
_ADJACENT = re.compile(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+')
# What a kernel's contract does not hang on.
PLACE = ("source", "line", "usable")
INSTRUMENTS = ("pypcode", "capstone", "python-sat")
# The modules of the prover that belong to one front end: no proof of another one runs them.
FRONTS = {
    "x86": {"x86", "forms_x86"},
    "avr": {"avr"},
    "thumb": {"thumb"},
    "ptx": {"ptx", "ptx_text"},
}
# What every proof of machine code runs besides its claim: checks of the file and of its header.
CHECKS = ("elf", "objects", "extensions", "promises")
PROVE = Path(__file__).resolve().parent


def contract(kernel: Kernel) -> dict[str, object]:
    """What a kernel's header promises, without what it does not hang on."""
    return {name: value for name, value in asdict(kernel).items() if name not in PLACE and value}


def hidden(text: str) -> bool:
    """Whether the code of a file, without comments, hangs on something that it does not show."""

    def one(adjacent: re.Match[str]) -> str:
        """Adjacent literals, which the compiler joins."""
        return '"' + "".join(part[1:-1] for part in _LITERAL.findall(adjacent[0])) + '"\n'

    joined = _ADJACENT.sub(one, text)
    return bool(_HIDDEN.search(joined)) or any(map(_ESCAPED.search, _LITERAL.findall(joined)))


class Sources:
    """The files of a checkout that kernels are made of, each read once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.flags = cache(partial(build.flags, root))
        self._read = cache(self._read_once)
        self._files = cache(self._files_once)

    def digest(self, kernel: Kernel, compiler: str = build.COMPILERS[0]) -> str:
        """The digest of a kernel's contract, its specification, the flags of its build, and its
        file with everything that this includes and is linked with; for x86-64 with the flags for
        this compiler. It is empty, because nothing can be said, where the code of a file hangs on
        something that does not show in it (see `hidden`).
        """
        told = []  # of PTX
        if kernel.isa in ISAS:
            told = self.flags(kernel.isa, kernel.source.endswith(".c"), compiler)
        files = self._files(self.root / kernel.source)  # an absolute path stays
        if not all(mark for _, mark in files):
            return ""
        return digest(contract(kernel), told, files, specification(kernel.spec))

    def _files_once(self, source: Path) -> list[tuple[str, str]]:
        """Name and digest of each file; the folders do not count."""
        folders = build.folders(self.root, source)
        found: dict[Path, str] = {}
        waiting = [source, *build.called(self.root, source)]
        while waiting:
            path = Path(os.path.normpath(waiting.pop()))
            if path in found:
                continue
            found[path], text = self._read(path)
            waiting += included(text, (path.parent, *folders))
        return sorted((path.name, mark) for path, mark in found.items())

    def _read_once(self, path: Path) -> tuple[str, str]:
        text = code(path.read_text(encoding="utf-8"))
        mark = "" if hidden(text) else digest(without_folders(text))
        return mark, "" if path.suffix == ".ptx" else text


@cache
def imported(path: Path) -> frozenset[Path]:
    """The modules of the laboratory that a module imports, by their files."""
    package = PROVE.parent
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        folder = path.parents[node.level - 1]
        base = folder.joinpath(*(node.module or "").split(".")) if node.module else folder
        names = [
            base.with_suffix(".py"),
            *((base / name.name).with_suffix(".py") for name in node.names),
        ]
        found |= {name for name in names if name.is_file() and package in name.parents}
    return frozenset(found)


def closure(first: Iterable[Path], without: Collection[str] = ()) -> list[Path]:
    """These modules and all that they import in their own folder, but for those of these names."""
    found: set[Path] = set()
    waiting = list(first)
    while waiting:
        path = waiting.pop()
        if path not in found and path.stem not in without:
            found.add(path)
            waiting += (one for one in imported(path) if one.parent == path.parent)
    return sorted(found)


@cache
def specification(name: str) -> str:
    """The digest of the specification of this name: its module, and those that it imports."""
    if outside.is_outside(name):
        return digest(name, outside.path(name).read_text(encoding="utf-8"))
    function = spec.resolve(name)
    owner = getattr(function, "__self__", None)
    modules = {function.__module__, type(owner).__module__} - {"builtins"}
    if name.partition(".")[0] in spec.REGISTERED:
        return digest(name, [Path(inspect.getfile(type(owner))).read_text(encoding="utf-8")])
    files = [PROVE.parent / "spec" / f"{one.rpartition('.')[2]}.py" for one in sorted(modules)]
    told = repr(owner)
    constants = "" if " at 0x" in told else told
    return digest(name, constants, [(one.name, _mark(one)) for one in closure(files)])


@cache
def _mark(path: Path) -> str:
    return fingerprint(path)


@cache
def rules(front: str, claims: tuple[str, ...]) -> str:
    """The digest of the rules that prove claims of these modules on a front end: the modules of the
    prover that such a proof runs, the graph in C++, and the versions of the instruments.
    """
    others = set().union(*(own for name, own in FRONTS.items() if name != front))
    wanted = {*claims, *FRONTS.get(front, ()), *CHECKS, "pcode"} - others
    modules = closure((PROVE / f"{name}.py" for name in sorted(wanted)), others)
    more = [
        PROVE / "report.py",
        PROVE / "core.cpp",
        PROVE.parent / "layouts.py",
        PROVE.parent / "cases.py",
    ]
    if front == "x86":
        more.append(PROVE / "x86_forms.txt")
    versions = [(name, importlib.metadata.version(name)) for name in INSTRUMENTS]
    return digest([(one.name, _mark(one)) for one in (*modules, *more)], versions)
