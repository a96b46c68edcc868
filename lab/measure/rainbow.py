# SPDX-License-Identifier: Apache-2.0
"""Rainbow's speed: core cycles on this machine, and executed instructions on AArch64 under qemu."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from .. import depends
from ..checkout import FAST, LabError, build_library, exclusive, fast_build, find_compiler, run
from ..ct.rainbow import ARM_CRYPTO as ARM_CRYPTO
from ..ct.rainbow import is_built as rainbow_is_built
from ..processor import machine, processor
from ..results import Provenance, Result, tool_version
from ..trace import AARCH64, library, watch
from . import quiet

SOURCE, CHAIN = "lab/measure/rainbow.c", "lab/measure/chain.h"
LEVELS = ("i", "iii", "v")
VARIANTS = ("classic", "cz", "compressed")
SETS = [f"rainbow-{level}-{variant}" for level in LEVELS for variant in VARIANTS]
ROUNDS = {"keypair": 21, "sign": 201, "verify": 201, "sign-expanded": 201, "verify-expanded": 201}


def operations(name: str) -> list[str]:
    """What is measured of a set; expanded keys only where the key is not expanded already."""
    return [
        "keypair",
        "sign",
        "verify",
        *(["sign-expanded"] if "compressed" in name else []),
        *([] if "classic" in name else ["verify-expanded"]),
    ]


def provenance(root: Path, tool: str, tier: str, command: str, *more: str) -> Provenance:
    """Where the figures of a tier come from."""
    measured = depends.library(
        root, ("src/rainbow/*",), depends.TIERS[tier], more=(SOURCE, CHAIN, *more)
    )
    return Provenance(measured, [tool_version(tool)], FAST, command)


def host(root: Path, family: str, command: str) -> Iterator[Result]:
    """Median core cycles of every set and operation in portable C, a message of 32 bytes."""
    if not rainbow_is_built():
        raise LabError(
            "libhanji-rainbow is not built here: it needs OpenSSL 3; on Debian: apt-get "
            "install libssl-dev pkg-config"
        )
    compiler = find_compiler(family)
    archive = build_library(
        root, fast_build(family), compiler, FAST, "hanji_rainbow_static"
    ).with_name("libhanji-rainbow.a")
    program = archive.with_name("rainbow")
    libraries: list[str | Path] = [archive, archive.with_name("libhanji.a"), "-lcrypto"]
    with exclusive(archive.parent):
        run(
            [
                compiler,
                "-O2",
                "-std=gnu11",
                "-I",
                root / "include",
                root / SOURCE,
                *libraries,
                "-o",
                program,
            ]
        )
    where = machine()
    origin = provenance(root, compiler, "portable", command)
    origin.tools.append(processor())
    for index, name in enumerate(SETS):
        for operation in operations(name):
            rounds = max(3, ROUNDS[operation] // 10)
            done = subprocess.run(
                [program, str(index), operation, str(rounds)],
                env=os.environ | {"HANJI_FORCE": "portable"},
                capture_output=True,
                text=True,
            )
            if done.returncode:
                raise LabError(f"{operation} of {name}: {done.stderr.strip()}")
            cycles, rounds_disturbed = done.stdout.split()
            quiet.hear(int(rounds_disturbed) > 0)
            yield Result(
                f"{name} portable", where, "host", operation, None, origin, cycles=float(cycles)
            )


def counting_program(root: Path) -> Path:
    """lab/measure/rainbow.c for AArch64 with marks, linked with libcrypto of Debian's arm64."""
    if not ARM_CRYPTO.exists():
        raise LabError(
            f"{ARM_CRYPTO} is not there; on Debian: dpkg --add-architecture arm64 && apt-get "
            "update && apt-get install libssl-dev:arm64"
        )
    archive = library(root, AARCH64, FAST)
    run(["cmake", "--build", archive.parent, "--target", "hanji_rainbow_static"])
    program = archive.with_name("rainbow")
    options: list[str | Path] = [
        "-O2",
        "-std=gnu11",
        "-static",
        "-DHANJI_LAB_MARKS",
        "-I",
        root / "include",
        "-I",
        root / "lab/trace",
    ]
    with exclusive(archive.parent):
        run(
            [
                AARCH64.compiler,
                *options,
                root / SOURCE,
                archive.with_name("libhanji-rainbow.a"),
                archive,
                ARM_CRYPTO,
                "-o",
                program,
            ]
        )
    return program


def count(root: Path, name: str, operation: str, tier: str) -> int:
    """Executed AArch64 instructions of one call."""
    arguments = [str(SETS.index(name)), operation, "2"]
    regions, _ = watch(
        root,
        AARCH64,
        counting_program(root),
        arguments=arguments,
        environment={"HANJI_FORCE": tier},
    )
    return regions[0].instructions


def counts(
    root: Path,
    command: str,
    names: list[str] | None = None,
    tiers_: tuple[str, ...] = ("portable", "neon"),
    known: Mapping[tuple[str, str], Result] | None = None,
) -> Iterator[Result]:
    """Executed AArch64 instructions of the sets, libcrypto's included (its AES and SHA-2
    instructions are used).

    Results in `known`, by kernel and operation, are not counted again when they come from the same
    sources, tools and flags.
    """
    for tier in tiers_:
        origin = provenance(root, AARCH64.compiler, tier, command)
        for name in names or SETS:
            for operation in operations(name):
                before = (known or {}).get((f"{name} {tier}", operation))
                if before is not None and before.provenance.same_origin(origin):
                    yield before
                    continue
                instructions = count(root, name, operation, tier)
                yield Result(
                    f"{name} {tier}",
                    "qemu:aarch64",
                    "count",
                    operation,
                    None,
                    origin,
                    cache=None,
                    instructions=instructions,
                )
