# SPDX-License-Identifier: Apache-2.0
"""Cargo for the tests: where it is, and that its dependencies can be had."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CRATE = ROOT / "rust"
# Debian 12 has an older one, so it is no package of tests/debian-packages.txt.
OLDEST = (1, 85)


@cache
def missing() -> str:
    """What is missing to run cargo, or an empty text."""
    if shutil.which("cargo") is None:
        return "no cargo; install Rust 1.85 or newer with rustup"
    said = subprocess.run(["cargo", "--version"], capture_output=True, text=True).stdout
    found = re.match(r"cargo (\d+)\.(\d+)", said)
    if not found or (int(found[1]), int(found[2])) < OLDEST:
        return f"{said.strip() or 'cargo'} is too old; Rust 1.85 or newer is needed"
    fetched = subprocess.run(
        ["cargo", "fetch", "--quiet"], cwd=CRATE, capture_output=True, text=True
    )
    if fetched.returncode:
        return f"the dependencies of rust/Cargo.toml cannot be fetched: {fetched.stderr[-300:]}"
    return ""


def need_cargo() -> None:
    """Skip the test where there is no cargo, or no dependencies for it."""
    if missing():
        pytest.skip(missing())


def cargo(*words: str, folder: Path = CRATE, **more: str) -> str:
    """Run cargo in a folder, with all builds in build/rust; its output."""
    where = {"CARGO_TARGET_DIR": str(ROOT / "build/rust"), "CARGO_TERM_COLOR": "never"}
    environment = os.environ | where | more
    done = subprocess.run(
        ["cargo", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, (
        f"cargo {' '.join(words)} failed:\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    )
    return done.stdout
