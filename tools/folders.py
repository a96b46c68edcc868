# SPDX-License-Identifier: Apache-2.0
"""Folders that tools fill: what an earlier call has made goes, and nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OURS = (ROOT / "build", ROOT / "dist")


class FolderError(OSError):
    """A folder has what no tool has put there."""


def anew(folder: Path, mark: str) -> None:
    """Make an empty folder, in the place of one of an earlier call.

    Outside of build/ and dist/ such a folder has `mark`; FolderError for another one that is not
    empty.
    """
    place = folder.resolve()
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        inside = any(place != ours and place.is_relative_to(ours) for ours in OURS)
        if not inside and not (place / mark).exists():
            raise FolderError(f"{folder} has other things in it; name a new folder or an empty one")
        shutil.rmtree(place)
    place.mkdir(parents=True, exist_ok=True)


def with_prefix(name: str, prefix: str) -> str:
    """The name of a file of an amalgam whose names begin with a prefix: hanji.c is prefix.c."""
    if prefix == "hanji":
        return name
    stem, dot, ending = name.partition(".")
    return f"{prefix}{dot}{ending}" if stem == "hanji" else f"{prefix}_{name}"


def without_sources(folder: Path, prefix: str = "hanji") -> None:
    """Remove from a folder what an amalgam of this prefix has put there: its C, and assembly of our
    kernels.
    """
    kernels = {path.name for path in (ROOT / "src").rglob("*.S")}
    for name in ("hanji.c", "hanji.h", *kernels):
        (folder / with_prefix(name, prefix)).unlink(missing_ok=True)
