# SPDX-License-Identifier: Apache-2.0
"""Digests of sources that change with what a file means, not with how it is written or where it is.

Figures and verdicts record such a digest of each file they rest on. Comments, blank lines and the
folders in `#include` do not count, so that a comment or a move makes no result stale.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

DIGITS = 16  # of a digest in hexadecimal
C = frozenset({".c", ".h", ".S", ".inc", ".cu", ".cpp", ".hpp", ".ptx"})
HASHED = frozenset({".cmake", ".yaml", ".yml", ".toml", ".sh"})  # comments begin with #
# Literals, which stay as they are, and else what is one blank to the preprocessor.
_TOKEN = re.compile(
    r"""(?P<literal>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
    r"""|(?:[^\S\n]|//[^\n]*|/\*.*?\*/)+""",
    re.DOTALL,
)
_SPLICE = re.compile(r"\\[^\S\n]*\n")
_FOLDERS = re.compile(r"""^(#\s*include\s*[<"])(?:[\w.-]+/)+(?=[\w.-]+[>"])""", re.MULTILINE)
# Folders of a checkout that hold no sources.
_NO_SOURCES = frozenset({"build", "dist", "node_modules", "target"})


def digest(*parts: object) -> str:
    """The digest of texts and of anything else that JSON can express."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:DIGITS]


@cache
def code(text: str) -> str:
    """A file in C, assembly or PTX without comments and blank lines. Literals stay whole, as do
    comments that only an assembler knows.
    """
    joined = _SPLICE.sub("", text)
    lines = _TOKEN.sub(lambda found: found["literal"] or " ", joined).split("\n")
    return "\n".join(line.strip() for line in lines if line.strip())


def without_folders(text: str) -> str:
    """Code in which `#include` names files without folders, so that a move changes nothing."""
    return _FOLDERS.sub(r"\1", text)


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


def text_of(path: Path) -> str:
    """The part of a file that counts, by its kind; of an unknown kind everything counts."""
    data = path.read_bytes()
    if path.suffix in C | HASHED | {".py"}:
        text = data.decode("utf-8")
        if path.suffix == ".py":
            try:
                return meaning(ast.parse(text))
            except SyntaxError:  # half-written: everything counts
                return text
        if path.suffix in HASHED:
            lines = (line.rstrip() for line in text.splitlines())
            return "\n".join(line for line in lines if line and not line.lstrip().startswith("#"))
        return without_folders(code(text))
    return hashlib.sha256(data).hexdigest()


def fingerprint(path: Path) -> str:
    """The digest of a file that a figure or a verdict rests on."""
    return digest(text_of(path))


@cache
def _by_name(root: Path) -> dict[str, list[Path]]:
    """The files of a checkout by their name."""
    found: dict[str, list[Path]] = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [one for one in folders if not one.startswith(".") and one not in _NO_SOURCES]
        for name in names:
            found.setdefault(name, []).append(Path(folder, name))
    return found


def unchanged(root: Path, path: str, recorded: str) -> bool:
    """Whether a file of the checkout has the recorded fingerprint. A file that is no longer at its
    place may have moved, under the same name, to another folder.
    """
    place = root / path
    if place.is_file():
        return fingerprint(place) == recorded
    return any(fingerprint(one) == recorded for one in _by_name(root).get(place.name, []))


def changed(recorded: Mapping[str, str], root: Path) -> Iterator[str]:
    """The recorded files whose meaning is another one now, or which are gone."""
    return (path for path, mark in recorded.items() if not unchanged(root, path, mark))
