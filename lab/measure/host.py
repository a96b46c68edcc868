# SPDX-License-Identifier: Apache-2.0
"""The C library in core cycles: by algorithm, tier and length, beside Crypto++, OpenSSL and a loop
that only copies; and two threads beside one.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from .. import depends
from ..kernels import own_tiers, table
from ..papers import load
from ..processor import machine
from ..results import Provenance, Result
from ..spec import ALGORITHMS, algorithm, identifier
from ..spec.block import BlockCipher
from ..spec.esch import Esch
from ..spec.schwaemm import Schwaemm
from . import Harness, sponges

ROUNDS = 31
BOTH_WAYS = "schwaemm256-128"  # decryption is measured of the default alone
ONE = tuple(
    (name, operation)
    for name, found in ALGORITHMS.items()
    for operation in {Schwaemm: ("encrypt", "decrypt"), Esch: ("hash",)}.get(type(found), ())
    if operation != "decrypt" or name == BOTH_WAYS
)
ONE_SIZES = (16, 64, 1024, 16384, 1 << 20)
# Ascon: one message, many messages of one length (how many, bytes), and of unequal lengths.
ASCON = {"ascon-aead128": ("encrypt", "decrypt"), "ascon-hash256": ("hash",)}
ASCON_SIZES = (16, 64, 1024, 16384, 1 << 20)
ASCON_FLEETS = ((16, 1024), (1000, 64), (1000, 1024), (1 << 20, 64))
ASCON_RAGGED = (1000, 64, 2048)
ASCON_TURNS = 5
# With a key of one or two blocks; of what is superseded, with 128 bits.
BLOCK_CIPHERS = tuple(
    name
    for name, cipher in ALGORITHMS.items()
    if isinstance(cipher, BlockCipher)
    and cipher.key_size in (cipher.block_size, 2 * cipher.block_size)
    and (not name.endswith("-original") or cipher.key_size == 16)
)
BLOCKS_AT = (16384, 1 << 20)
# CTR, EAX and CMAC over a message, not in place: with a key that is ready, and with its schedule.
MESSAGE_CIPHERS = [
    name
    for name, cipher in ALGORITHMS.items()
    if isinstance(cipher, BlockCipher)
    and cipher.block_size in (8, 16)
    and cipher.key_size == 16
    and not name.endswith("-original")
]
MESSAGES = {
    f"{mode}, {what}": units
    for mode, units in {"ctr": depends.CTR, "eax": depends.EAX, "cmac": depends.CMAC}.items()
    for what in ("message", "key and message")
}
MESSAGE_SIZES = (16, 64, 300, 1024, 16384, 1 << 20)
# Algorithm, messages at once, bytes of each.
FLEETS = (
    ("schwaemm256-128", 16, 1024),
    ("esch256", 16, 1024),
    ("schwaemm256-128", 1000, 64),
    ("schwaemm256-128", 1000, 1024),
    ("schwaemm256-128", 1 << 15, 1024),
    ("speck-64/128", 1 << 15, 1024),
    ("schwaemm256-128", 1 << 20, 64),
    ("speck-64/128", 1 << 20, 64),
    ("copy", 1 << 20, 64),
)
# The same with EAX and CMAC, and few messages beside one: mode, cipher, messages, bytes.
TAGGED_FLEETS = tuple(
    (mode, name, count, size)
    for mode in ("eax", "cmac")
    for name in ("speck-64/128", "speck-128/128")
    for count, size in ((1, 64), (2, 64), (16, 64), (17, 64), (1000, 1024), (1 << 20, 64))
)
TAGGED = {"eax": depends.EAX_FLEET, "cmac": depends.CMAC_FLEET}
# The paper whose ciphers and numbers of messages, of one block each, are measured: its table 3 has
# a processor next to the GPU.
ONE_BLOCK = "speck-simon-simeck-ptx"
# Messages of unequal lengths, beside as many bytes in equal ones: algorithm, messages at once,
# bytes of the shortest and of the longest.
RAGGED = tuple((name, 1000, 64, 2048) for name in ("schwaemm256-128", "esch256", "speck-64/128"))
MANY = 1 << 20  # so many messages are not timed with the portable kernels
THREADED = (
    ("schwaemm256-128", 1 << 16, 1024),
    ("schwaemm256-128", 100_000, 1024),
    ("schwaemm256-128", 1 << 20, 64),
)


def host(harness: Harness, command: str) -> Iterator[Result]:
    """All of it; a peer stands directly after each cipher that it has."""
    yield from _ascon(harness, command)
    yield from _single(harness, command)
    yield from _blocks(harness, command)
    yield from _messages(harness, command)
    yield from _openssl(harness, command)
    yield from _fleets(harness, command)
    yield from _one_block(harness, command)
    harness.force(own_tiers(harness.root)[-1])
    if len(os.sched_getaffinity(0)) > 1:
        yield from _threads(harness, command)


def _result(
    kernel: str, operation: str, size: int, cycles: float, provenance: Provenance, **more: object
) -> Result:
    """A figure of this machine; `size` in bytes, `cycles` those of one message."""
    per_byte = round(cycles / size, 3)
    return Result(
        kernel,
        machine(),
        "host",
        operation,
        size,
        provenance,
        cycles=round(cycles, 1),
        cycles_per_byte=per_byte,
        more=more,
    )


def _single(harness: Harness, command: str) -> Iterator[Result]:
    """One message of an algorithm over SPARKLE, with every tier that has a kernel of its
    permutation for one state.
    """
    served = {(row.spec.partition(".")[0], row.isa) for row in table(harness.root)}
    for name, operation in ONE:
        made = algorithm(name)
        assert isinstance(made, Schwaemm | Esch)
        for tier in own_tiers(harness.root):
            if (made.permutation.name, tier) not in served:
                continue
            harness.force(tier)
            provenance = sponges(harness, command, name, tier=tier)
            for size in ONE_SIZES:
                yield _result(
                    f"{name} {tier}",
                    operation,
                    size,
                    harness.measure(name, operation, size, ROUNDS)[0],
                    provenance,
                )


def cipher_provenance(
    harness: Harness, command: str, name: str, tier: str, units: tuple[str, ...] = depends.CTR
) -> Provenance:
    """Where a figure of a block cipher comes from: its room, without the kernels of other word
    sizes, and `units`.
    """
    family = name.split("-")[0]
    return harness.provenance(
        command, f"src/{family}/*", *units, tier=tier, named={identifier(name).split("_")[0]}
    )


def _ascon(harness: Harness, command: str) -> Iterator[Result]:
    """Ascon: one message and many, with every tier that has a kernel for them.

    `ratio_to_portable` is the time of a message over one alone in portable C (words of 64 bits, of
    the same lengths), in turns of the same run: the least of each.
    """
    served = {(row.name.split("_")[1], row.operation, row.isa) for row in table(harness.root)}
    for tier in own_tiers(harness.root):
        provenance = harness.provenance(command, *depends.ASCON, tier=tier)
        for name, operations in ASCON.items():
            if ("aead" if "aead" in name else "hash", "absorb", tier) in served:
                for operation in operations:
                    for size in ASCON_SIZES:
                        cycles, ratio = _beside_portable(harness, name, operation, size, tier)
                        yield _result(
                            f"{name} {tier}", operation, size, cycles, provenance, **ratio
                        )
            if (name.split("-")[1], "fleet", tier) in served:
                yield from _ascon_fleets(harness, name, tier, operations[0], provenance)


def _beside_portable(
    harness: Harness, name: str, operation: str, size: int, tier: str, messages: int = 1
) -> tuple[float, dict[str, float]]:
    """Core cycles of a message, alone or in a fleet of so many, and what they are of those of one
    alone in portable C.
    """
    ours = portable = float("inf")
    for _ in range(ASCON_TURNS):
        harness.force("portable")
        portable = min(portable, harness.measure(name, operation, size, ROUNDS)[0])
        harness.force(tier)
        here = (
            harness.measure(name, operation, size, ROUNDS)[0]
            if messages == 1
            else harness.measure_fleet(name, messages, size, ROUNDS if messages < MANY else 5)
        )
        ours = min(ours, here / messages)
    return ours, {"ratio_to_portable": round(ours / portable, 3)} if tier != "portable" else {}


def _ascon_fleets(
    harness: Harness, name: str, tier: str, operation: str, provenance: Provenance
) -> Iterator[Result]:
    for count, size in ASCON_FLEETS:
        if tier == "portable" and count >= MANY:
            continue
        cycles, ratio = _beside_portable(harness, name, operation, size, tier, count)
        yield _result(f"{name} {tier}", "fleet", size, cycles, provenance, messages=count, **ratio)
    count, shortest, longest = ASCON_RAGGED
    mean = harness.fleet_bytes(count, shortest, longest) // count
    equal = harness.measure_fleet(name, count, mean, ROUNDS) / count
    ragged = harness.measure_fleet(name, count, shortest, ROUNDS, longest) / count
    more = {
        "messages": count,
        "shortest": shortest,
        "longest": longest,
        "ratio_to_equal": round(ragged / equal, 3),
    }
    yield _result(f"{name} {tier}", "fleet, unequal", mean, ragged, provenance, **more)


def _blocks(harness: Harness, command: str) -> Iterator[Result]:
    """Block ciphers: whole blocks, and counter mode. 16 KiB are a few bytes less where they are no
    whole number of blocks.
    """
    from hanji.cli import peers

    served = {(row.spec.partition(".")[0], row.isa) for row in table(harness.root)}
    peer_sources = harness.provenance(
        command, more=("python/hanji/cli/peers/__init__.py", "python/hanji/cli/peers/*.cpp")
    )
    try:
        crypto = peers.cryptopp()
    except peers.PeerUnavailableError:
        crypto = None
    for name in BLOCK_CIPHERS:
        cipher = algorithm(identifier(name))
        assert isinstance(cipher, BlockCipher)
        whole = 3 if cipher.block_size % 3 == 0 else 1
        sizes = [size // (16 * whole) * (16 * whole) for size in BLOCKS_AT]
        best: dict[int, float] = {}
        portable: dict[int, float] = {}
        for tier in own_tiers(harness.root):
            if (identifier(name), tier) not in served:
                continue
            harness.force(tier)
            provenance = cipher_provenance(harness, command, name, tier)
            for operation in ("encrypt", "ctr"):
                for size in sizes:
                    best[size] = harness.measure(name, operation, size, ROUNDS)[0]
                    yield _result(f"{name} {tier}", operation, size, best[size], provenance)
            portable = portable or dict(best)
        if crypto is not None and name in peers.CIPHERS:
            size = sizes[0]
            theirs = crypto.ctr_seconds(name, size, ROUNDS, 4) * harness.hertz()
            ratios = {
                "ratio_to_hanji": round(theirs / best[size], 2),
                "ratio_to_portable": round(theirs / portable[size], 2),
            }
            yield _result(f"{name} {crypto.name}", "ctr", size, theirs, peer_sources, **ratios)


def _messages(harness: Harness, command: str) -> Iterator[Result]:
    """CTR, EAX and CMAC over single messages, short and long, with the key schedule and without."""
    served = {(row.spec.partition(".")[0], row.isa) for row in table(harness.root)}
    here = own_tiers(harness.root)
    for name in MESSAGE_CIPHERS:
        for tier in here:
            if (identifier(name), tier) not in served:
                continue
            harness.force(tier)
            for operation, units in MESSAGES.items():
                provenance = cipher_provenance(harness, command, name, tier, units)
                for size in MESSAGE_SIZES:
                    cycles = harness.measure(name, operation, size, ROUNDS)[0]
                    yield _result(f"{name} {tier}", operation, size, cycles, provenance)


def _openssl(harness: Harness, command: str) -> Iterator[Result]:
    """What processors have instructions for, by OpenSSL."""
    from hanji.cli import peers
    from hanji.cli.peers import openssl

    try:
        context = openssl.openssl()
    except peers.PeerUnavailableError:
        return
    provenance = harness.provenance(
        command, more=("python/hanji/cli/peers/__init__.py", "python/hanji/cli/peers/openssl*")
    )
    for name in openssl.CONTEXT:
        for size in BLOCKS_AT:
            yield _result(
                f"{name} {context.name}",
                "encrypt",
                size,
                context.seconds(name, size, ROUNDS, 8) * harness.hertz(),
                provenance,
            )


def _fleets(harness: Harness, command: str) -> Iterator[Result]:
    """Messages under a key each, many in one call; cycles and bytes are those of one message."""
    here = own_tiers(harness.root)
    for tier in here:
        harness.force(tier)
        for name, count, size in FLEETS:
            if (name == "copy" and tier != here[-1]) or (
                name != "copy" and tier == "portable" and count >= MANY
            ):
                continue
            cycles = harness.measure_fleet(name, count, size, ROUNDS if count < MANY else 5) / count
            if name == "copy":
                yield _result(
                    name, "fleet", size, cycles, harness.provenance(command), messages=count
                )
                continue
            yield _result(
                f"{name} {tier}",
                "fleet",
                size,
                cycles,
                _fleet_provenance(harness, command, name, tier),
                messages=count,
            )
        for mode, name, count, size in TAGGED_FLEETS:
            if tier == "portable" and count >= MANY:
                continue
            rounds = ROUNDS if count < MANY else 5
            cycles = harness.measure_fleet(f"{mode} {name}", count, size, rounds) / count
            provenance = cipher_provenance(harness, command, name, tier, TAGGED[mode])
            yield _result(
                f"{name} {tier}", f"{mode}, fleet", size, cycles, provenance, messages=count
            )
        for name, count, shortest, longest in RAGGED:
            mean = harness.fleet_bytes(count, shortest, longest) // count
            equal = harness.measure_fleet(name, count, mean, ROUNDS) / count
            ragged = harness.measure_fleet(name, count, shortest, ROUNDS, longest) / count
            provenance = _fleet_provenance(harness, command, name, tier)
            more = {
                "messages": count,
                "shortest": shortest,
                "longest": longest,
                "ratio_to_equal": round(ragged / equal, 3),
            }
            yield _result(f"{name} {tier}", "fleet, unequal", mean, ragged, provenance, **more)


def _fleet_provenance(harness: Harness, command: str, name: str, tier: str) -> Provenance:
    return (
        cipher_provenance(harness, command, name, tier, depends.CTR_FLEET)
        if "/" in name
        else sponges(harness, command, name, tier=tier)
    )


def _one_block(harness: Harness, command: str) -> Iterator[Result]:
    """Messages of one block under a key each; milliseconds are those of all of them, in one thread."""
    published = load(ONE_BLOCK, harness.root)["rows"]
    names = dict.fromkeys(f"{row['cipher']}-64/128" for row in published)
    counts = dict.fromkeys(row["messages"] for row in published)
    served = {(row.spec.partition(".")[0], row.isa) for row in table(harness.root)}
    for tier in own_tiers(harness.root):
        harness.force(tier)
        for name in names:
            if (identifier(name), tier) not in served:
                continue
            provenance = cipher_provenance(harness, command, name, tier, depends.CTR_FLEET)
            for count in counts:
                cycles = harness.measure_fleet(name, count, 8, ROUNDS)
                more = {"messages": count, "milliseconds": round(1e3 * cycles / harness.hertz(), 4)}
                yield _result(f"{name} {tier}", "fleet", 8, cycles / count, provenance, **more)


def _threads(harness: Harness, command: str) -> Iterator[Result]:
    """Sealing a fleet from Python in one thread and in two, in place, turn by turn; the best of
    each.
    """
    import numpy as np

    from hanji import fleet

    for name, count, size in THREADED:
        keys, nonces, data = (np.zeros((count, width), np.uint8) for width in (16, 32, size))
        best = {1: float("inf"), 2: float("inf")}
        for _ in range(15):
            for threads in best:
                begin = time.perf_counter()
                fleet.encrypt(name, keys, nonces, data, out=data, threads=threads)
                best[threads] = min(best[threads], time.perf_counter() - begin)
        provenance = sponges(
            harness, command, name, more=("python/src/*.[ch]pp", "python/hanji/fleet.py")
        )
        seconds = {"seconds_one": round(best[1], 5), "seconds_two": round(best[2], 5)}
        more = {"messages": count, **seconds, "ratio_of_threads": round(best[1] / best[2], 3)}
        yield Result(
            f"{name} python", machine(), "host", "fleet, two threads", size, provenance, more=more
        )
