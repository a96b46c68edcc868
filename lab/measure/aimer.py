# SPDX-License-Identifier: Apache-2.0
"""AIMer's speed on this machine: core cycles of every set and tier, what signing spends them on,
and two threads beside one.
"""

from __future__ import annotations

import bisect
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

from .. import depends
from ..checkout import run
from ..kernels import own_tiers, table
from ..processor import machine
from ..results import Result
from ..spec import aimer, aimer3
from . import Harness

VARIANTS = aimer3.VARIANTS | aimer.VARIANTS
KEY_EXPANDED_ANEW = ("keypair", "sign", "verify")
OPERATIONS = (*KEY_EXPANDED_ANEW, "sign-expanded", "verify-expanded", "sign-batch", "verify-batch")
MESSAGE = 32
SECONDS = 0.06  # for each figure
SIGNATURES, THREADS = 1000, 2

# What a function of the library belongs to, by what its name holds; anything else is the rest.
SHARES = {
    "Keccak": ("keccak",),
    "field": ("products", "power"),
    "linear": ("apply", "prepare", "transpose64"),
}


def kind_of_work(function: str) -> str:
    """A key of SHARES, or "rest"."""
    return next(
        (kind for kind, words in SHARES.items() if any(word in function for word in words)), "rest"
    )


def functions(harness: Harness) -> tuple[list[int], list[str]]:
    """The addresses of the harness's functions in this process, ascending, and their names."""
    rows = [
        line.split()
        for line in run(["nm", "--defined-only", "--numeric-sort", harness.path]).splitlines()
    ]
    known = [(int(row[0], 16), row[2]) for row in rows if len(row) == 3 and row[1] in "tTiI"]
    base = harness.address("profile_aimer") - next(
        at for at, name in known if name == "profile_aimer"
    )
    return [base + at for at, _ in known], [name for _, name in known]


def shares(harness: Harness, name: str, operation: str) -> dict[str, float]:
    """Parts of the time by kind of work, from samples of the program counter."""
    addresses, names = functions(harness)
    end = max(addresses) + 0x10000
    found = dict.fromkeys([*SHARES, "rest"], 0)
    samples = harness.profile_aimer(name, operation)
    for pc in samples:
        place = bisect.bisect_right(addresses, pc) - 1
        found[kind_of_work(names[place]) if place >= 0 and pc < end else "rest"] += 1
    return {kind: round(count / len(samples), 3) for kind, count in found.items()}


def cycles(harness: Harness, command: str) -> Iterator[Result]:
    """Median core cycles of one call; those of a batch are per message. Signing says what it spends
    them on. Of v1.0 what its authors measured.
    """
    where = machine()
    for tier in own_tiers(harness.root):
        harness.force(tier)
        origin = harness.provenance(command, *depends.AIMER, tier=tier)
        for name, one in VARIANTS.items():
            for operation in OPERATIONS if one.version > 1 else KEY_EXPANDED_ANEW:
                if tier == "portable" and operation.endswith("-batch"):
                    continue  # one lane: nothing is shared
                more: dict[str, Any] = {"tier": tier}
                if operation == "sign":
                    more |= {"shares": shares(harness, name, operation)}
                count = harness.measure_aimer(name, operation, SECONDS)
                yield Result(
                    f"{name} {tier}",
                    where,
                    "host",
                    operation,
                    MESSAGE,
                    origin,
                    cycles=round(count),
                    more=more,
                )
    harness.force(own_tiers(harness.root)[-1])


def permutations(harness: Harness, command: str) -> Iterator[Result]:
    """Core cycles of one call of each kernel of Keccak-f[1600], over one state or several."""
    for kernel in table(harness.root):
        if kernel.spec == "keccak.permute" and kernel.usable:
            origin = harness.provenance(command, "src/keccak/*", tier=kernel.isa)
            count = harness.measure_keccak(kernel.name)
            more = {"states": kernel.blocks, "cycles_per_state": round(count / kernel.blocks)}
            yield Result(
                kernel.name,
                machine(),
                "host",
                "permute",
                200 * kernel.blocks,
                origin,
                cycles=round(count),
                more=more,
            )


def threads(
    harness: Harness, command: str, name: str = "aimer3-128f", rounds: int = 7
) -> Iterator[Result]:
    """verify_many and sign_many of the Python package: many messages by two threads and by one,
    turn by turn; the least time of each counts.
    """
    from hanji import sign

    private = sign.scheme(name).generate()
    public, messages = (
        private.public_key,
        [i.to_bytes(MESSAGE, "little") for i in range(SIGNATURES)],
    )
    signatures = private.sign_many(messages)
    origin = harness.provenance(
        command,
        *depends.AIMER,
        tier=own_tiers(harness.root)[-1],
        more=("python/src/sign.cpp", "python/hanji/sign.py"),
    )
    calls: dict[str, Callable[[int], object]] = {
        "verify-many": lambda count: public.verify_many(signatures, messages, threads=count),
        "sign-many": lambda count: private.sign_many(messages, threads=count),
    }
    for operation, call in calls.items():
        best = {1: float("inf"), THREADS: float("inf")}
        for _ in range(rounds):
            for count in best:
                begin = time.perf_counter()
                call(count)
                best[count] = min(best[count], time.perf_counter() - begin)
        more = {
            "messages": SIGNATURES,
            "threads": THREADS,
            "processors": len(os.sched_getaffinity(0)),
            "microseconds_per_message": round(best[THREADS] / SIGNATURES * 1e6, 2),
            "times_one_thread": round(best[1] / best[THREADS], 2),
        }
        yield Result(f"{name} python", machine(), "host", operation, MESSAGE, origin, more=more)


def host(harness: Harness, command: str) -> Iterator[Result]:
    """All of it."""
    yield from permutations(harness, command)
    yield from cycles(harness, command)
    yield from threads(harness, command)
