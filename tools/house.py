#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draw docs/architecture.svg from the sources: the rooms, who includes whom, and their kernels.

Usage: tools/house.py [--check]

A folder of src is a room. An arrow goes from a room to each room whose headers it includes; every
room includes `support`, whose arrows are left out. The instruction sets of a room are read from
the names of its kernel files. With --check nothing is written, and the exit status is 1 when the
picture is not up to date.
"""

from __future__ import annotations

import re
import sys
from html import escape
from pathlib import Path

from generated import ROOT, write_or_check

PICTURE = "docs/architecture.svg"
COLUMNS = 9  # rooms side by side
BOX, GAP, TALL = 98, 10, 74  # width, distance and height of a room
FRAME = COLUMNS * (BOX + GAP) + GAP
WIDTH = FRAME + 40
SOURCES = {".c", ".h", ".S", ".inc", ".ptx"}
STYLE = """\
  .paper { fill: #fdfcf8; } .room { fill: #ffffff; stroke: #55606e; }
  .public { fill: #e3eefb; stroke: #2b5f9e; } .outside { fill: #f3efe2; stroke: #8a7433; }
  .frame { fill: none; stroke: #b9c0c8; }
  text { font-family: system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1c232b; }
  .title { font-size: 14px; font-weight: 600; } .small { font-size: 11.5px; }
  .arrow { stroke: #2b5f9e; stroke-width: 1.2; fill: none; } .tip { fill: #2b5f9e; }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #14181d; } .room { fill: #1f262e; stroke: #93a0ae; }
    .public { fill: #1b3049; stroke: #79ace4; } .outside { fill: #2d2818; stroke: #cdb264; }
    .frame { stroke: #4a5561; } text { fill: #e8ecf0; }
    .arrow { stroke: #79ace4; } .tip { fill: #79ace4; }
  }
"""
INCLUDE = re.compile(r'^\s*#\s*include\s+"(\w+)/', re.MULTILINE)


def sources(room: Path) -> list[Path]:
    """The files of a room, the generated ones too."""
    return sorted(p for p in room.glob("**/*") if p.suffix in SOURCES)


def rooms(root: Path) -> dict[str, set[str]]:
    """Room -> the other rooms whose headers it includes."""
    found = sorted(p for p in (root / "src").iterdir() if p.is_dir() and sources(p))
    names = {p.name for p in found}
    return {
        p.name: {
            name
            for file in sources(p)
            for name in INCLUDE.findall(file.read_text(encoding="utf-8", errors="replace"))
            if name in names and name != p.name
        }
        for p in found
    }


def levels(graph: dict[str, set[str]]) -> dict[str, int]:
    """Room -> its height above `support`: one more than the highest room that it includes."""
    known: dict[str, int] = {}

    def level(name: str, above: tuple[str, ...] = ()) -> int:
        if name in above:
            raise ValueError(
                f"rooms include each other in a circle: {' -> '.join([*above, name])};"
                " a call goes in one direction only (ARCHITECTURE.md, Direction)"
            )
        if name not in known:
            known[name] = max(
                (1 + level(other, (*above, name)) for other in graph[name]),
                default=0 if name == "support" else 1,
            )
        return known[name]

    for name in graph:
        level(name)
    return known


def instruction_sets(root: Path, room: str) -> list[str]:
    """The instruction sets in the names of the room's kernel files, as cmake/kernels.cmake lists
    them; PTX for GPUs.
    """
    listed = re.search(r"set\(hanji_isas ([\w ]+)\)", (root / "cmake/kernels.cmake").read_text())
    assert listed, "cmake/kernels.cmake has no line set(hanji_isas ...)"
    files = sources(root / "src" / room)
    stems = [p.stem.split("_")[1:] for p in files if p.suffix in (".c", ".S")]
    found = [isa for isa in listed[1].split() if any(isa in parts for parts in stems)]
    return found + (["ptx"] if any(p.suffix == ".ptx" for p in files) else [])


def box(kind: str, x: float, y: float, wide: float, lines: list[str], tall: float = TALL) -> str:
    """A box whose first line is its title."""
    middle = x + wide / 2
    drawn = [
        f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{wide:g}" height="{tall:g}" rx="6"/>'
    ]
    for at, line in enumerate(lines):
        drawn.append(
            f'<text class="{"small" if at else "title"}" x="{middle:g}" y="{y + 19 + 15 * at:g}"'
            f' text-anchor="middle">{escape(line)}</text>'
        )
    return "\n".join(drawn)


def arrow(x1: float, y1: float, x2: float, y2: float) -> str:
    bend = (y1 + y2) / 2
    path = f"M{x1:g} {y1:g}C{x1:g} {bend:g} {x2:g} {bend:g} {x2:g} {y2:g}"
    return f'<path class="arrow" d="{path}" marker-end="url(#tip)"/>'


def wrapped(words: list[str], columns: int) -> list[str]:
    """The words in lines of at most `columns` characters."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + 1 + len(word) <= columns:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def modules(folder: Path) -> list[str]:
    """The public modules and packages of a Python package."""
    found = {p.stem for p in folder.glob("*.py")} | {
        p.parent.name for p in folder.glob("*/__init__.py")
    }
    return sorted(name for name in found if not name.startswith("_"))


def folders(folder: Path) -> list[str]:
    """The folders below `folder` that have files of the project."""
    found = (p for p in folder.iterdir() if p.is_dir() and p.name[0] not in "._")
    return sorted(p.name for p in found if any(p.glob("*.*")) and not p.match("*-info"))


def picture(root: Path) -> str:
    """The picture as SVG."""
    graph = rooms(root)
    height = levels(graph)
    rows = [sorted(n for n in graph if height[n] == k) for k in range(max(height.values()) + 1)]
    rows = [
        row[at : at + COLUMNS]
        for row in reversed(rows)
        for at in range(0, max(len(row), 1), COLUMNS)
        if row
    ]
    drawn: list[str] = []
    python = root / "python"
    cores = sorted(p.stem for p in (python / "src").glob("*.cpp"))
    headers = sorted(p.name for p in (root / "include/hanji").glob("*.h"))
    y = 20
    for title, names in (
        ("python/hanji: the package; cli is the command", modules(python / "hanji")),
        ("python/src: the compiled modules", cores),
        ("include/hanji: the public C interface", headers),
    ):
        lines = [title, *wrapped(names, 130)]
        tall = 12 + 15 * len(lines)
        drawn.append(box("public", 20, y, FRAME, lines, tall))
        drawn.append(arrow(WIDTH / 2, y + tall, WIDTH / 2, y + tall + 22))
        y += tall + 24
    top = y
    y += 28
    place: dict[str, tuple[float, float]] = {}
    for row in rows:
        left = 20 + (FRAME - len(row) * (BOX + GAP) + GAP) / 2
        for at, name in enumerate(row):
            place[name] = (left + at * (BOX + GAP), y)
        y += TALL + 46
    bottom = y - 32
    drawn.append(
        f'<rect class="frame" x="20" y="{top}" width="{FRAME}" height="{bottom - top}" rx="8"/>'
    )
    drawn.append(f'<text class="title" x="32" y="{top + 19}">src: a room each</text>')
    edges = [(a, b) for a in graph for b in sorted(graph[a]) if b != "support"]
    for one, other in edges:
        (x1, y1), (x2, y2) = place[one], place[other]
        drawn.append(arrow(x1 + BOX / 2, y1 + TALL, x2 + BOX / 2, y2))
    for name, (x, at_y) in place.items():
        drawn.append(box("room", x, at_y, BOX, [name, *wrapped(instruction_sets(root, name), 14)]))
    y = bottom + 12
    wide = (FRAME - 2 * GAP) / 3
    outside = {
        "lab: hanji-lab": folders(root / "lab"),
        "tests": folders(root / "tests"),
        "tools, examples": [
            "generate,",
            "check",
            "and",
            "install;",
            "firmware",
            "and",
            "a",
            "demo",
        ],
    }
    texts = [[title, *wrapped(names, 46)] for title, names in outside.items()]
    tall = 12 + 15 * max(map(len, texts))
    for at, lines in enumerate(texts):
        drawn.append(box("outside", 20 + at * (wide + GAP), y, wide, lines, tall))
    y += tall + 20
    said = "; ".join(
        f"{name} includes {', '.join(sorted(graph[name] - {'support'})) or 'support only'}"
        for name in graph
        if name != "support"
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}"'
            f' height="{y}" role="img" aria-labelledby="t d">',
            "<!-- SPDX-License-Identifier: Apache-2.0 -->",
            "<!-- Generated by tools/house.py from the sources. Do not edit. -->",
            '<title id="t">The house of hanji</title>',
            f'<desc id="d">{escape(said)}.</desc>',
            f"<style>\n{STYLE}</style>",
            '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="6"'
            ' markerHeight="6" orient="auto"><path class="tip" d="M0 0L10 5L0 '
            '10z"/></marker></defs>',
            f'<rect class="paper" width="{WIDTH}" height="{y}" rx="10"/>',
            *drawn,
            "</svg>\n",
        ]
    )


if __name__ == "__main__":
    sys.exit(write_or_check(lambda: {PICTURE: picture(ROOT)}, "house.py", __doc__))
