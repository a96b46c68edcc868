# SPDX-License-Identifier: Apache-2.0
"""Wheels under test: built here, or those of a release in the folder that HANJI_RELEASE names."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import release
import system_wheels
from debian import need

ROOT = Path(__file__).resolve().parents[2]
WHEN = 1767225600


def given(platform: str) -> Path | None:
    """The wheel of a release for a platform; None where HANJI_RELEASE names no folder."""
    if not (name := os.environ.get("HANJI_RELEASE")):
        return None
    found = sorted(Path(name).resolve().glob(f"hanji-*-{platform}.whl"))
    assert len(found) == 1, f"HANJI_RELEASE={name}: {len(found)} wheels for {platform}, not one"
    return found[0]


def when() -> int:
    """The time in the wheels under test."""
    return release.epoch() if os.environ.get("HANJI_RELEASE") else WHEN


@cache
def system(name: str) -> Path:
    """A wheel for macOS or Windows; built once, unless HANJI_RELEASE gives it."""
    platform = system_wheels.WHEELS[name].tag.replace("-", "_").replace(".", "_")
    if found := given(platform):
        return found
    need("cmake", "ninja-build", "maven")
    return system_wheels.build(name, ROOT / "build/wheels/tested", when())
