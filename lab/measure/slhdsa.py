# SPDX-License-Identifier: Apache-2.0
"""SLH-DSA's speed on this machine: core cycles of every set and tier, and of OpenSSL in turns of the
same run where there is one with SLH-DSA, which is 3.5 or newer.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from .. import depends
from ..checkout import FAST, LabError, build_library, exclusive, fast_build, find_compiler, run
from ..kernels import own_tiers
from ..processor import machine, processor
from ..results import Provenance, Result, tool_version
from ..spec.slhdsa import VARIANTS
from . import quiet

SOURCE, CHAIN = "lab/measure/slhdsa.c", "lab/measure/chain.h"
VARIABLE = "HANJI_LIBCRYPTO"
OLDEST = 0x30500000  # OpenSSL 3.5.0, as OpenSSL_version_num() gives it
MESSAGE = 32
OPERATIONS = ("keypair", "sign", "verify", "verify-batch")
COMPARED = OPERATIONS[:3]  # OpenSSL has no batches
# Rounds of the sets that sign fast, and of the others.
ROUNDS = {
    "keypair": (101, 5),
    "sign": (21, 3),
    "verify": (201, 201),
    "verify-batch": (11, 21),
}


def libcrypto() -> tuple[str | None, str]:
    """The libcrypto to compare with and an empty text, or None and why there is none."""
    path = os.environ.get(VARIABLE) or ctypes.util.find_library("crypto")
    if not path:
        return None, f"no OpenSSL is installed; {VARIABLE} takes the path of a libcrypto.so.3"
    try:
        number = ctypes.CDLL(path).OpenSSL_version_num
        number.restype = ctypes.c_ulong
        found = number()
    except (OSError, AttributeError) as error:
        return None, f"{path} is not a libcrypto of OpenSSL 3: {error}"
    if found < OLDEST:
        version = f"{found >> 28}.{found >> 20 & 0xFF}.{found >> 4 & 0xFF}"
        return None, (
            f"{path} is OpenSSL {version}, and 3.5 is the first with SLH-DSA; {VARIABLE} takes the "
            "path of a newer libcrypto.so.3"
        )
    return path, ""


def program(root: Path, family: str) -> Path:
    """lab/measure/slhdsa.c with the C library of the checkout."""
    compiler = find_compiler(family)
    archive = build_library(root, fast_build(family), compiler, FAST, "hanji_static")
    target = archive.with_name("slhdsa")
    options: list[str | Path] = ["-O2", "-std=gnu11", "-I", root / "include"]
    options += [root / SOURCE, archive, "-ldl", "-o", target]
    with exclusive(archive.parent):
        run([compiler, *options])
    return target


def figures(
    made: Path, name: str, operation: str, tier: str, rounds: int, peer: str | None = None
) -> list[tuple[str, float]]:
    """Whose figure it is, and the median of core cycles: ours, and OpenSSL's with its version."""
    words = [str(made), name, operation, str(rounds), *([peer] if peer else [])]
    done = subprocess.run(
        words, env=os.environ | {"HANJI_FORCE": tier}, capture_output=True, text=True
    )
    if done.returncode:
        raise LabError(f"{operation} of {name} [{tier}]: {done.stderr.strip()}")
    found = []
    for line in done.stdout.splitlines():
        cycles, disturbed, who = line.split(maxsplit=2)
        quiet.hear(int(disturbed))
        found.append((" ".join(who.split()[:2]), float(cycles)))
    return found


def host(
    root: Path,
    family: str,
    command: str,
    names: Sequence[str] = tuple(VARIANTS),
    most_rounds: int = 1000,
) -> Iterator[Result]:
    """Median core cycles of every set, operation and tier; of the best tier beside OpenSSL."""
    peer, missing = libcrypto()
    if missing:
        print(f"measured without OpenSSL: {missing}", file=sys.stderr)
    made, compiler, where = program(root, family), find_compiler(family), machine()
    tiers = own_tiers(root)
    for tier in tiers:
        measured = depends.library(root, depends.SLHDSA, depends.TIERS[tier], more=(SOURCE, CHAIN))
        origin = Provenance(measured, [tool_version(compiler), processor()], FAST, command)
        for name in names:
            for operation in OPERATIONS:
                rounds = min(most_rounds, ROUNDS[operation][name.endswith("s")])
                beside = peer if tier == tiers[-1] and operation in COMPARED else None
                for who, cycles in figures(made, name, operation, tier, rounds, beside):
                    kernel = f"{name} {tier if who == 'hanji' else who}"
                    yield Result(
                        kernel, where, "host", operation, MESSAGE, origin, cycles=round(cycles)
                    )
