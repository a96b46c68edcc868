# SPDX-License-Identifier: Apache-2.0
"""Builds and runs the test programs of Rainbow, and reads its vectors."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

from debian import need

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests/c"))
import builds  # noqa: E402

VECTORS = ROOT / "tests/vectors/rainbow"
SETS = [
    f"rainbow-{level}-{variant}"
    for level in ("i", "iii", "v")
    for variant in ("classic", "cz", "compressed")
]


@cache
def vectors(name: str) -> dict[str, Any]:
    """One vector file."""
    found: dict[str, Any] = json.loads(gzip.decompress((VECTORS / f"{name}.json.gz").read_bytes()))
    return found


def program(preset: str, name: str) -> list[str]:
    """The command that runs a test program, built, through qemu where it is another machine's."""
    need("libssl-dev:arm64" if preset == "aarch64" else "libssl-dev")
    path = builds.build(preset) / "tests/rainbow" / f"rainbow_{name}"
    return [*builds.EMULATORS.get(preset, []), str(path)]


def ask(preset: str, name: str, *arguments: object, tier: str = "portable", **options: Any) -> str:
    """What a program prints; it must succeed."""
    command = [*program(preset, name), *map(str, arguments)]
    done = subprocess.run(
        command, capture_output=True, text=True, env=builds.environment(HANJI_FORCE=tier), **options
    )
    assert done.returncode == 0, (
        f"{' '.join(command)} [{tier}] ended with "
        f"{done.returncode}:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    )
    return done.stdout
