# SPDX-License-Identifier: Apache-2.0
"""No module of the package or the laboratory imports one that imports it: neither at the top, nor
inside a function, nor for types alone."""

from __future__ import annotations

import ast
import graphlib
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.quick

ROOT = Path(__file__).resolve().parents[2]


def modules(folder: Path, package: str) -> dict[str, Path]:
    """Names of the modules of a package, with their files."""
    found = {}
    for path in folder.rglob("*.py"):
        parts = [package, *path.relative_to(folder).with_suffix("").parts]
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def parents(name: str) -> Iterator[str]:
    """The packages in which a module lies."""
    while "." in name:
        name = name.rpartition(".")[0]
        yield name


def imported(name: str, path: Path, known: dict[str, Path]) -> set[str]:
    """The modules that one module imports, wherever in its text. To import a module runs the
    packages in which it lies; those in which the importing module lies run already, unless it takes
    names of theirs.
    """
    base = name if path.name == "__init__.py" else name.rpartition(".")[0]
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = base.split(".")[: len(base.split(".")) - node.level + 1] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            folder = known[source].parent if source in known else path.parent
            for alias in node.names:
                inner = f"{source}.{alias.name}"
                if inner in known:
                    found.add(inner)
                elif not (folder / f"{alias.name}.pyi").exists():  # a compiled module imports none
                    found.add(source)
    run_for_them = {parent for one in found for parent in parents(one)} - set(parents(name))
    return {one for one in found | run_for_them if one in known and one != name}


def circle(folder: Path, package: str) -> list[str]:
    """One circle of modules that import each other, empty when there is none."""
    known = modules(folder, package)
    graph = {name: imported(name, path, known) for name, path in known.items()}
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return list(error.args[1])
    return []


PACKAGES = [("python/hanji", "hanji"), ("lab", "hanji_lab")]


@pytest.mark.parametrize(("folder", "package"), PACKAGES)
def test_no_circles(folder: str, package: str) -> None:
    assert " imports ".join(circle(ROOT / folder, package)) == ""


@pytest.mark.parametrize(
    "files",
    [
        {"a": "from house import b", "b": "import house.a"},
        {"a": "from . import b", "b": "def f():\n    from .a import g"},
        {"a": "from house.b import f", "b": "if TYPE_CHECKING:\n    from house import a"},
        {"a": "from house import b", "b": "from house import c", "c": "from house.a import f"},
        {"__init__": "from house.a import f", "a": "from house import g"},
        {"p/__init__": "from house.p.x import f", "p/x": "import house.a", "a": "import house.p.y",
         "p/y": ""},
    ],
)  # fmt: skip
def test_control_a_circle_is_found(tmp_path: Path, files: dict[str, str]) -> None:
    (tmp_path / "p").mkdir()
    for name, text in ({"__init__": ""} | files).items():
        (tmp_path / f"{name}.py").write_text(text)
    assert circle(tmp_path, "house")


def test_control_a_package_may_import_its_modules(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_text("from house import a\nfrom house.b import f")
    (tmp_path / "a.py").write_text("from house import b")
    (tmp_path / "b.py").write_text("import os\nfrom house import _core")
    (tmp_path / "_core.pyi").write_text("")
    assert circle(tmp_path, "house") == []
