# SPDX-License-Identifier: Apache-2.0
"""SLH-DSA's speed on this machine: core cycles of every set and tier, and in turns of the same run
those of OpenSSL, where there is one with SLH-DSA (3.5 or newer), and of the AVX2 code of the
reference implementation of SPHINCS+, where a checkout of it is named.
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
SPHINCSPLUS = "HANJI_SPHINCSPLUS"
# The flags of its Makefile but for the processor. FIPS 205 has its "simple" hash functions.
SPHINCSPLUS_FLAGS = ("-O3", "-std=c99", "-fomit-frame-pointer", "-flto")
SPHINCSPLUS_SOURCES = (
    *("hash_shake.c", "hash_shakex4.c", "thash_shake_simple.c", "thash_shake_simplex4.c"),
    *("address.c", "randombytes.c", "merkle.c", "wots.c", "utils.c", "utilsx4.c", "fors.c"),
    *("sign.c", "fips202.c", "fips202x4.c", "keccak4x/KeccakP-1600-times4-SIMD256.c"),
)
# Tier: what its build is called there, and the flags for the processor. It has no portable code.
SPHINCSPLUS_BUILDS = {
    "avx2": ("avx2", ("-mavx2", "-mbmi", "-mbmi2")),
    "avx512": ("native", ("-march=native",)),
}
MESSAGE = 32
OPERATIONS = ("keypair", "sign", "verify", "verify-batch")
COMPARED = OPERATIONS[:3]  # peers have no batches
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


def sphincsplus() -> tuple[Path | None, str]:
    """The folder with the AVX2 code of the SPHINCS+ reference, and its revision; or None and why
    there is none.
    """
    named = os.environ.get(SPHINCSPLUS)
    if not named:
        return None, f"{SPHINCSPLUS} takes a checkout of the reference implementation"
    folder = Path(named) / "shake-avx2"
    missing = [name for name in SPHINCSPLUS_SOURCES if not (folder / name).is_file()]
    if missing:
        return None, (
            f"{named} is no checkout of the reference implementation: shake-avx2/{missing[0]} is "
            "missing"
        )
    revision = subprocess.run(
        ["git", "-C", named, "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True
    )
    return folder, revision.stdout.strip() or "unknown"


def sphincsplus_library(
    root: Path, family: str, folder: Path, revision: str, name: str, tier: str
) -> Path:
    """The reference for one set, as a shared library that is built for a tier."""
    build, flags = SPHINCSPLUS_BUILDS[tier]
    target = root / f"build/lab/sphincsplus-{revision}" / f"{name}-{build}.so"
    target.parent.mkdir(parents=True, exist_ok=True)
    options = [*SPHINCSPLUS_FLAGS, *flags, "-fPIC", "-shared", "-w"]
    options.append("-DPARAMS=" + name.replace("slh-dsa", "sphincs"))
    with exclusive(target.parent):
        run(
            [
                find_compiler(family),
                *options,
                *(folder / s for s in SPHINCSPLUS_SOURCES),
                "-o",
                target,
            ]
        )
    return target


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
    made: Path, name: str, operation: str, tier: str, rounds: int, *peers: str
) -> list[tuple[str, float]]:
    """Whose figure it is, and the median of core cycles: ours, and those of peers, which are given
    as openssl=PATH or sphincsplus=PATH, with their versions.
    """
    words = [str(made), name, operation, str(rounds), *peers]
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
    """Median core cycles of every set, operation and tier; of the best tier beside OpenSSL, and of
    both tiers for which there is a build of SPHINCS+ beside that.
    """
    peer, missing = libcrypto()
    if missing:
        print(f"measured without OpenSSL: {missing}", file=sys.stderr)
    reference, revision = sphincsplus()
    if reference is None:
        print(f"measured without SPHINCS+: {revision}", file=sys.stderr)
    made, compiler, where = program(root, family), find_compiler(family), machine()
    tiers = own_tiers(root)
    for tier in tiers:
        measured = depends.library(root, depends.SLHDSA, depends.TIERS[tier], more=(SOURCE, CHAIN))
        tools = [tool_version(compiler), processor()]
        origin = Provenance(measured, tools, FAST, command)
        for name in names:
            beside = [f"openssl={peer}"] if peer and tier == tiers[-1] else []
            other, of_other = "", origin
            if reference is not None and tier in SPHINCSPLUS_BUILDS:
                build, flags = SPHINCSPLUS_BUILDS[tier]
                library = sphincsplus_library(root, family, reference, revision, name, tier)
                beside.append(f"sphincsplus={library}")
                other, options = f"SPHINCS+ {build}", " ".join((*SPHINCSPLUS_FLAGS, *flags))
                source = f"SPHINCS+ reference {revision}, shake-avx2, simple"
                of_other = Provenance(measured, [*tools, source], options, command)
            for operation in OPERATIONS:
                rounds = min(most_rounds, ROUNDS[operation][name.endswith("s")])
                peers = beside if operation in COMPARED else []
                for who, cycles in figures(made, name, operation, tier, rounds, *peers):
                    is_other = who.startswith("SPHINCS+")
                    called = tier if who == "hanji" else other if is_other else who
                    yield Result(
                        f"{name} {called}",
                        where,
                        "host",
                        operation,
                        MESSAGE,
                        of_other if is_other else origin,
                        cycles=round(cycles),
                    )
