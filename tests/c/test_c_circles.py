# SPDX-License-Identifier: Apache-2.0
"""Calls between the files of a folder of src go one way: no files use each other in a circle, and
the files of src/gpu lie in the layers that src/gpu/context.h lists. Read from the symbol tables of
the objects, so that macros and pointers to functions count, too.
"""

from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest
from builds import ROOT, build, run

pytestmark = pytest.mark.quick

Graph = dict[str, set[str]]  # file of a folder -> the files of this folder that it uses

LAYERS = ROOT / "src/gpu/context.h"
# keccak.c has the portable permutation, which the table of kernels lists, and asks the table for
# the fastest one.
KNOWN = {"keccak": ["keccak.c", "keccak_kernels.c"]}


def uses(objects: Iterable[Path]) -> Graph:
    """Which of these objects uses functions or data of which others."""
    defined: dict[str, str] = {}
    wanted: dict[str, set[str]] = defaultdict(set)
    listed = run(["nm", "-A", "-P", *objects]).stdout
    for path, symbol, kind in re.findall(r"^(.+): (\S+) (\w)\b", listed, re.MULTILINE):
        name = Path(path).name.removesuffix(".o")
        wanted[name]  # a file that uses nothing counts, too
        if kind == "U":
            wanted[name].add(symbol)
        elif kind.isupper():
            defined[symbol] = name
    return {
        name: {defined[symbol] for symbol in symbols if symbol in defined} - {name}
        for name, symbols in wanted.items()
    }


def circle(graph: Graph) -> list[str]:
    """The files that are in a circle, or between two of them."""
    left = dict(graph)
    while True:
        used = {other for name in left for other in left[name]}
        ends = [name for name in left if name not in used or not left[name] & left.keys()]
        if not ends:
            return sorted(left)
        for name in ends:
            del left[name]


def folders(root: Path) -> dict[str, list[Path]]:
    """Objects of a build by the folder of src that their sources lie in. Objects of sources that
    are gone may still lie there.
    """
    found: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(root.glob("**/CMakeFiles/*.dir/**/src/*/*.o")):
        if (ROOT / "src" / path.parent.name / path.stem).is_file():
            found[path.parent.name].append(path)
    return found


def layers(text: str) -> dict[str, int]:
    """File -> its layer, by the list in the comment."""
    rows = re.findall(r"^ \*   (\d)  (.*)$", text, re.MULTILINE)
    return {name: int(number) for number, row in rows for name in re.findall(r"\w+\.c\b", row)}


def upwards(graph: Graph, height: dict[str, int]) -> list[str]:
    """Uses of a file in a higher layer, and files without a layer or layers without a file."""
    return sorted(
        f"{name} uses {other}"
        for name in graph.keys() & height
        for other in graph[name] & height.keys()
        if height[other] > height[name]
    ) + sorted(graph.keys() ^ height.keys())


def test_no_files_of_a_folder_use_each_other_in_a_circle() -> None:
    found = folders(build("host-gcc"))
    assert {"gpu", "modes", "support"} <= found.keys() and len(found["gpu"]) > 15
    circles = {name: circle(uses(objects)) for name, objects in found.items()}
    assert {name: files for name, files in circles.items() if files} == KNOWN, (
        "these files use each other; move what both need to a file below them"
    )


def test_files_of_the_gpu_use_nothing_of_a_higher_layer() -> None:
    graph, height = uses(folders(build("host-gcc"))["gpu"]), layers(LAYERS.read_text())
    assert len(height) > 15 and set(height.values()) == {1, 2, 3, 4, 5}
    assert upwards(graph, height) == [], f"the layers are listed at the head of {LAYERS}"
    assert "copies.c uses keys.c" in upwards(graph | {"copies.c": {"keys.c"}}, height)
    assert upwards(graph | {"more.c": set()}, height) == ["more.c"]


def test_control_a_circle_is_named(tmp_path: Path) -> None:
    """A call upwards, hidden in a macro, and a table that points at a function."""
    sources = {
        "top.c": "int middle(void); int top(void) { return middle(); }",
        "middle.c": "#define CALL low()\nint low(void); int middle(void) { return CALL; }",
        "low.c": "int bottom(void); int low(void) { return bottom(); }",
        "bottom.c": "int bottom(void) { return 1; }",
    }

    def graph() -> Graph:
        for name, text in sources.items():
            (tmp_path / name).write_text(text)
            subprocess.run(
                ["gcc", "-O2", "-c", tmp_path / name, "-o", tmp_path / f"{name}.o"], check=True
            )
        return uses(tmp_path / f"{name}.o" for name in sources)

    assert graph()["middle.c"] == {"low.c"} and circle(graph()) == []
    sources["low.c"] = "int middle(void); int (*const low_table[])(void) = {middle};" + (
        "int bottom(void); int low(void) { return bottom(); }"
    )
    assert circle(graph()) == ["low.c", "middle.c"]
