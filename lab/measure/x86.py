# SPDX-License-Identifier: Apache-2.0
"""Speed on x86-64 by cipher, tier and length, beside Crypto++, OpenSSL and a loop that only copies; and two threads beside one."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from ..kernels import own_tiers, table
from ..results import Result
from ..spec import identifier
from . import SPONGE, Harness, machine

CTR = (
    "speck-32/64", "speck-64/128", "speck-128/128", "simon-64/128", "simon-128/128", "simeck-32/64", "simeck-64/128",
    "cham-64/128", "cham-128/128", "cham-128/128-original",
)  # fmt: skip
CTR_SIZES = (16384, 1 << 20)
ONE = (("schwaemm256-128", "encrypt"), ("esch256", "hash"))
ONE_SIZES = (16, 1024, 16384, 1 << 20)
FLEETS = (
    ("schwaemm256-128", 16, 1024),
    ("esch256", 16, 1024),
    ("schwaemm256-128", 1 << 20, 64),
    ("speck-64/128", 1 << 20, 64),
    ("copy", 1 << 20, 64),
)
THREADED = ("schwaemm256-128", 1 << 16, 1024)


def x86(harness: Harness, command: str) -> Iterator[Result]:
    """Cycles of one message and of many, tier by tier; a peer directly after each cipher that it has; seconds of one thread and of two."""
    from hanji.cli import peers
    from hanji.cli.peers import openssl

    where, here, rounds = machine(), own_tiers(harness.root), 31
    served = {(row.spec.partition(".")[0], row.isa) for row in table(harness.root)}
    sponge = {tier: harness.provenance(command, *SPONGE, "lanes", tier=tier) for tier in here}
    peer_sources = harness.provenance(command, more=("python/hanji/cli/peers/*",))

    def result(kernel: str, operation: str, size: int, cycles: float, provenance: object, **more: object) -> Result:
        return Result(kernel, where, "host", operation, size, provenance, cycles=round(cycles, 1), cycles_per_byte=round(cycles / size, 3), more=more)  # type: ignore[arg-type]

    for name, operation in ONE:
        for tier in here:
            harness.force(tier)
            for size in ONE_SIZES:
                yield result(f"{name} {tier}", operation, size, harness.measure(name, operation, size, rounds)[0], sponge[tier])
    for name in CTR:
        best: dict[int, float] = {}
        for tier in (tier for tier in here if (identifier(name), tier) in served):
            harness.force(tier)
            provenance = harness.provenance(command, name.split("-")[0], "lanes", "modes", tier=tier)
            for operation in ("encrypt", "ctr"):
                for size in CTR_SIZES:
                    best[size] = harness.measure(name, operation, size, rounds)[0]
                    yield result(f"{name} {tier}", operation, size, best[size], provenance)
        if name in peers.CIPHERS:
            try:
                crypto = peers.cryptopp()
            except peers.PeerUnavailableError:
                continue
            size = CTR_SIZES[0]
            theirs = crypto.ctr_seconds(name, size, rounds, 4) * harness.hertz()
            yield result(f"{name} {crypto.name}", "ctr", size, theirs, peer_sources, ratio_to_hanji=round(theirs / best[size], 2))
    try:
        context = openssl.openssl()
    except peers.PeerUnavailableError:
        context = None
    for name in openssl.CONTEXT if context is not None else ():
        for size in CTR_SIZES:
            assert context is not None
            yield result(f"{name} {context.name}", "encrypt", size, context.seconds(name, size, rounds, 8) * harness.hertz(), peer_sources)
    for tier in here:
        harness.force(tier)
        for name, count, size in FLEETS:
            if (tier == "portable" and count > 16) or (name == "copy" and tier != here[-1]):
                continue
            family = ("speck", "modes", "fleet", "lanes") if name.startswith("speck") else (*SPONGE, "lanes")
            cycles = harness.measure_fleet(name, count, size, rounds if count == 16 else 5) / count
            provenance = harness.provenance(command, *family, tier=tier)
            yield result(f"{name}{'' if name == 'copy' else f' {tier}'}", "fleet", size, cycles, provenance, messages=count)
    harness.force(here[-1])
    if len(os.sched_getaffinity(0)) > 1:
        yield _threads(harness, command, where)


def _threads(harness: Harness, command: str, where: str) -> Result:
    """Sealing a fleet from Python in one thread and in two, turn by turn; the best of each."""
    import numpy as np

    from hanji import fleet

    name, count, size = THREADED
    keys, nonces, data = (np.zeros((count, width), np.uint8) for width in (16, 32, size))
    best = {1: float("inf"), 2: float("inf")}
    for _ in range(15):
        for threads in best:
            begin = time.perf_counter()
            fleet.encrypt(name, keys, nonces, data, out=data, threads=threads)
            best[threads] = min(best[threads], time.perf_counter() - begin)
    provenance = harness.provenance(command, *SPONGE, more=("python/src/*.[ch]pp", "python/hanji/fleet.py"))
    more = {"messages": count, "seconds_one": round(best[1], 5), "seconds_two": round(best[2], 5), "ratio_of_threads": round(best[1] / best[2], 3)}
    return Result(f"{name} python", where, "host", "fleet, two threads", size, provenance, more=more)
