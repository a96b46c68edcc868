# SPDX-License-Identifier: Apache-2.0
"""The Markdown documents as the tests see them: fenced blocks, links and headings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```([\w-]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[(?:[^][]|\[[^]]*\])*\]\(([^)\s]+)\)|(?:src|srcset|href)=\"([^\"]+)\"")


def documents(root: Path = ROOT) -> list[Path]:
    """The documents of the project for people."""
    return sorted(
        [
            *root.glob("*.md"),
            *root.glob("docs/*.md"),
            *root.glob("docs/site/*.md"),
            *root.glob("lab/*.md"),
            *root.glob("tests/*/*.md"),
            *root.glob("results/*.md"),
            *root.glob("papers/*.md"),
            *root.glob("papers/*/*.md"),
        ]
    )


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and the line on which the text begins."""

    language: str
    text: str
    line: int


def blocks(path: Path) -> list[Block]:
    """All fenced blocks of a document, in order."""
    text = path.read_text()
    return [
        Block(found[1], found[2], text.count("\n", 0, found.start()) + 2)
        for found in FENCE.finditer(text)
    ]


def prose(path: Path) -> str:
    """The document without fenced blocks."""
    return FENCE.sub("", path.read_text())


def links(path: Path) -> list[str]:
    """Targets of all links and pictures."""
    return [found[1] or found[2] for found in LINK.finditer(prose(path))]


def anchors(path: Path) -> set[str]:
    """The names that headings get on a page, as GitHub and GitLab make them."""
    names: set[str] = set()
    for title in re.findall(r"^#{1,6} (.+)$", prose(path), re.MULTILINE):
        words = re.sub(
            r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title).lower()
        ).replace(" ", "-")
        count = sum(1 for name in names if re.fullmatch(rf"{re.escape(words)}(-\d+)?", name))
        names.add(f"{words}-{count}" if count else words)
    return names


def broken_links(path: Path, root: Path = ROOT) -> list[str]:
    """Relative targets that are not there, or not in the project, and anchors that no heading
    makes.
    """
    broken = []
    for link in links(path):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        if (
            not target.exists()
            or not target.is_relative_to(root)
            or (anchor and anchor not in anchors(target))
        ):
            broken.append(link)
    return broken
