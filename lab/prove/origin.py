# SPDX-License-Identifier: Apache-2.0
"""Where a verdict comes from: a digest of the sources of the kernel, and one of the prover.

Comments and blank lines do not count in either; the header of a kernel does, as its contract. No
compiler runs: headers are found by their names, whatever `#if` stands around them. Those of the
compiler do not count, nor the place where the prover links the file; the latter is the prover's.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import cache, partial
from pathlib import Path

from ..depends import included
from ..kernels import HEADER, Kernel
from . import build
from .contracts import ISAS

DIGITS = 16  # of a digest in hexadecimal
# Literals, which stay as they are, and else what is one blank to the preprocessor.
_TOKEN = re.compile(
    r"""(?P<literal>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
    r"""|(?:[^\S\n]|//[^\n]*|/\*.*?\*/)+""",
    re.DOTALL,
)
_SPLICE = re.compile(r"\\[^\S\n]*\n")
# Files that are not found by a plain name behind #include, and lines that are counted.
_HIDDEN = re.compile(
    r"^#\s*include(?!\s*[<\"][\w./-]+[>\"])|^#\s*embed\b|\.(?:include|incbin)\b"
    r"|\b__LINE__\b",
    re.MULTILINE,
)
# What a kernel's contract does not hang on.
PLACE = ("source", "line", "usable")


def digest(*parts: object) -> str:
    """The digest of texts and of what JSON can say."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:DIGITS]


@cache
def code(text: str, ptx: bool = False) -> str:
    """A file in C, assembly or PTX without comments and blank lines. Literals stay whole, as do
    comments that only an assembler knows.
    """
    if ptx:  # what the prover reads
        lines = [line.partition("//")[0] for line in HEADER.sub("", text).splitlines()]
    else:
        joined = _SPLICE.sub("", text)
        lines = _TOKEN.sub(lambda found: found["literal"] or " ", joined).split("\n")
    return "\n".join(line.strip() for line in lines if line.strip())


def contract(kernel: Kernel) -> dict[str, object]:
    """What a kernel's header promises, without what it does not hang on."""
    return {name: value for name, value in asdict(kernel).items() if name not in PLACE and value}


class Sources:
    """The files of a checkout that kernels are made of, each read once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.flags = cache(partial(build.flags, root))
        self._read = cache(self._read_once)
        self._files = cache(self._files_once)

    def digest(self, kernel: Kernel, compiler: str = build.COMPILERS[0]) -> str:
        """The digest of a kernel's contract, the flags of its build, and its file with all that
        this includes and is linked with; for x86-64 as this compiler is told. It is empty, as
        nothing can be said, where a file includes another one whose name does not stand there,
        counts its lines, or has a trigraph that joins lines.
        """
        told = []  # of PTX
        if kernel.isa in ISAS:
            told = self.flags(kernel.isa, kernel.source.endswith(".c"), compiler)
        files = self._files(self.root / kernel.source)  # an absolute path stays
        return digest(contract(kernel), told, files) if all(files.values()) else ""

    def _files_once(self, source: Path) -> dict[str, str]:
        """Name and digest of each file."""
        folders = build.folders(self.root, source)
        found: dict[Path, str] = {}
        waiting = [source, *build.called(self.root, source)]
        while waiting:
            path = Path(os.path.normpath(waiting.pop()))
            if path in found:
                continue
            found[path], text = self._read(path)
            waiting += included(text, (path.parent, *folders))
        return {self._name(path): found[path] for path in sorted(found)}

    def _name(self, path: Path) -> str:
        root = Path(os.path.normpath(self.root))
        return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name

    def _read_once(self, path: Path) -> tuple[str, str]:
        ptx = path.suffix == ".ptx"
        whole = path.read_text(encoding="utf-8")
        text = code(whole, ptx)
        hidden = not ptx and ("??/" in whole or _HIDDEN.search(text))
        return "" if hidden else digest(text), "" if ptx else text


def meaning(node: object) -> str:
    """A syntax tree of Python as text, the same in all versions of Python: without docstrings,
    places and what is empty.
    """
    if isinstance(node, list):
        return f"[{','.join(map(meaning, node))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    said = [type(node).__name__]
    for name in node._fields:
        value = getattr(node, name, None)
        if name == "body" and isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            value = node.body[_documented(node) :]
        if value is not None and value != []:
            said.append(f"{name}={meaning(value)}")
    return f"({' '.join(said)})"


def _documented(node: ast.Module | ast.ClassDef | ast.FunctionDef) -> bool:
    first = node.body[0] if node.body else None
    text = first.value if isinstance(first, ast.Expr) else None
    return isinstance(text, ast.Constant) and isinstance(text.value, str)


def prover_digest(folder: Path, files: Iterable[Path], versions: Mapping[str, str]) -> str:
    """The digest of a prover that is made of these files, below a folder, and instruments. Of files
    that are not Python all counts.
    """
    said = {}
    for path in sorted(files):
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(folder).as_posix()
        said[name] = meaning(ast.parse(text)) if path.suffix == ".py" else text
    return digest(said, sorted(versions.items()))
