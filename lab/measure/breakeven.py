# SPDX-License-Identifier: Apache-2.0
"""Break-even points: from how many blocks or messages on a kernel over lanes is faster than what else would run, and up to which length.

Two libraries are measured that differ from the real one in nothing but these points: one leaves all that it may to the kernels for one block or one
message, the other gives all that it may to those over lanes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import hanji

from .. import depends
from ..kernels import own_tiers
from ..results import Provenance, Result
from ..spec import algorithm, identifier
from ..spec.block import BlockCipher
from . import Harness, machine, sponges
from .host import BLOCK_CIPHERS, cipher_provenance

ROUNDS = 31
COUNTS = range(1, 9)  # blocks, or messages
NOISE = 1.05  # so much slower is not slower
MESSAGE_SIZES = (64, 1024)  # of CTR only the first: the longer ones of a few go alone, by their length
SPONGES = ("schwaemm256-128", "esch256")
LONG_CIPHERS = ("speck-64/128", "speck-128/128", "simon-64/128", "cham-128/128")
LENGTHS = (512, 1024, 2048, 4096, 8192, 16384)
LONG_MESSAGES = 64
NEVER = {"HANJI_BLOCKS_MINIMUM": 1 << 20, "HANJI_STREAMS_MINIMUM": 1 << 20, "HANJI_LANES_MINIMUM": 1 << 20}
ALWAYS = {"HANJI_BLOCKS_MINIMUM": 1, "HANJI_STREAMS_MINIMUM": 1, "HANJI_LANES_MINIMUM": 1, "HANJI_LONG_IN_LANES": 1}


def first(points: Sequence[int], alone: Sequence[float], lanes: Sequence[float]) -> int | None:
    """The least point from which on the lanes are never slower; None when they still are at the last."""
    found = None
    for point, one, many in zip(reversed(points), reversed(alone), reversed(lanes), strict=True):
        if many > NOISE * one:
            break
        found = point
    return found


def last(points: Sequence[int], alone: Sequence[float], lanes: Sequence[float]) -> int | None:
    """The greatest point up to which the lanes are never slower; None when they are at the first."""
    found = None
    for point, one, many in zip(points, alone, lanes, strict=True):
        if many > NOISE * one:
            break
        found = point
    return found


def chosen(name: str, tier: str, operation: str) -> tuple[int, int] | None:
    """What the library has: the least number that any kernel over lanes of a tier takes, and how many fill it; None where there is no such kernel."""
    rows = [row for row in hanji.kernels() if row["algorithm"] == name and row["tier"] == tier and row["operation"] in operation.split("/")]
    return min(((row["minimum"], row["group"]) for row in rows if row["group"] > 1), default=None)


def break_even(root: Path, family: str, command: str) -> Iterator[Result]:
    """All of them, for every tier of this machine with kernels over lanes; cycles by number or length stand in the results."""
    alone, lanes = Harness(root, family, "never", NEVER), Harness(root, family, "always", ALWAYS)
    for tier in own_tiers(root)[1:]:
        alone.force(tier)
        lanes.force(tier)
        yield from _blocks(alone, lanes, tier, command)
        yield from _messages(alone, lanes, tier, command)
        yield from _lengths(alone, lanes, tier, command)


def _result(
    name: str, tier: str, operation: str, size: int | None, point: int | None, has: int | None, points: Sequence[int], alone: Sequence[float],
    lanes: Sequence[float], provenance: Provenance, **others: int,
) -> Result:  # fmt: skip
    more = {
        "break_even": point,
        "library_has": has,
        "points": list(points),
        "cycles_alone": [round(cycles, 1) for cycles in alone],
        "cycles_in_lanes": [round(cycles, 1) for cycles in lanes],
        **others,
    }
    return Result(f"{name} {tier}", machine(), "host", operation, size, provenance, more=more)


def _blocks(alone: Harness, lanes: Harness, tier: str, command: str) -> Iterator[Result]:
    """Blocks of one message: the kernel of the fewest vectors beside the one for single blocks."""
    for name in BLOCK_CIPHERS:
        has = chosen(name, tier, "encrypt")
        if has is None:
            continue
        counts = [n for n in COUNTS if n < has[1]]  # from a whole group on there is no choice
        cipher = algorithm(identifier(name))
        assert isinstance(cipher, BlockCipher)
        provenance = cipher_provenance(alone, command, name, tier)
        for operation in ("encrypt", "decrypt", "ctr"):
            one, many = ([harness.measure(name, operation, n * cipher.block_size, ROUNDS)[0] for n in counts] for harness in (alone, lanes))
            yield _result(name, tier, operation, cipher.block_size, first(counts, one, many), has[0], counts, one, many, provenance)


def _messages(alone: Harness, lanes: Harness, tier: str, command: str) -> Iterator[Result]:
    """Messages under a key each: all of them in lanes, beside one after the other."""
    for name in (*SPONGES, *BLOCK_CIPHERS):
        has = chosen(name, tier, "fleet" if name in SPONGES else "streams/messages/ragged")
        if has is None:
            continue
        counts = [n for n in COUNTS if n < has[1]]
        provenance = sponges(alone, command, name, tier=tier) if name in SPONGES else cipher_provenance(alone, command, name, tier, depends.CTR_FLEET)
        for size in MESSAGE_SIZES if name in SPONGES else MESSAGE_SIZES[:1]:
            one, many = ([harness.measure_fleet(name, n, size, ROUNDS) for n in counts] for harness in (alone, lanes))
            yield _result(name, tier, "fleet", size, first(counts, one, many), has[0], counts, one, many, provenance)


def _lengths(alone: Harness, lanes: Harness, tier: str, command: str) -> Iterator[Result]:
    """Long messages in CTR: in lanes, beside one after the other, where all vectors work for one key."""
    for name in LONG_CIPHERS:
        if chosen(name, tier, "streams/messages/ragged") is None:
            continue
        provenance = cipher_provenance(alone, command, name, tier, depends.CTR_FLEET)
        one, many = ([harness.measure_fleet(name, LONG_MESSAGES, size, ROUNDS) for size in LENGTHS] for harness in (alone, lanes))
        longest = last(LENGTHS, one, many)
        yield _result(name, tier, "longest in lanes", None, longest, None, LENGTHS, one, many, provenance, messages=LONG_MESSAGES)
