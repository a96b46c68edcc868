# SPDX-License-Identifier: Apache-2.0
"""Break-even points: from how many blocks or messages on a kernel over lanes is faster than what
else would run, and up to which length.

Libraries are measured that differ from the real one in nothing but these points. In one the kernels
over lanes take whatever comes. Beside it stand, for blocks, the library itself with the tier
before, which is what else would run; and for messages a library that leaves them all to the kernels
for one message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from .. import depends
from ..kernels import least, own_tiers
from ..processor import machine
from ..results import Provenance, Result
from ..spec import algorithm, esch, identifier, schwaemm
from ..spec.block import BlockCipher
from . import Harness, sponges
from .host import BLOCK_CIPHERS, cipher_provenance

ROUNDS = 31
TURNS = 5  # of one library and the other; the least counts
COUNTS = range(1, 9)  # blocks, or messages
NOISE = 1.05  # of long messages: so much slower is not slower
# of CTR only the first: the longer ones of a few go alone, by their length
MESSAGE_SIZES = (64, 1024)
SPONGES = (*schwaemm.VARIANTS, *(name for name in esch.VARIANTS if not name.startswith("x")))
LANES = ("streams", "uniform", "ragged")
LONG_CIPHERS = ("speck-64/128", "speck-128/128", "simon-64/128", "cham-128/128")
LENGTHS = (512, 1024, 2048, 4096, 8192, 16384)
LONG_MESSAGES = 64
NEVER = {"HANJI_STREAMS_MINIMUM": 0xFFFF, "HANJI_LANES_MINIMUM": 0xFFFF}
ALWAYS = {
    "HANJI_BLOCKS_MINIMUM": 1,
    "HANJI_STREAMS_MINIMUM": 1,
    "HANJI_LANES_MINIMUM": 1,
    "HANJI_LONG_IN_LANES": 1,
}


Table = Mapping[tuple[str, str, str], tuple[int, int]]  # lab.kernels.least


def loss(
    point: int | None, points: Sequence[int], alone: Sequence[float], lanes: Sequence[float]
) -> float:
    """How many times as long as the faster way it takes at worst when the lanes are taken from
    `point` on; None: from none of these points.
    """
    return max(
        (many if point is not None and n >= point else one) / min(one, many)
        for n, one, many in zip(points, alone, lanes, strict=True)
    )


def first(points: Sequence[int], alone: Sequence[float], lanes: Sequence[float]) -> int | None:
    """The point from which on to take the lanes: that with the least loss, of like ones the least;
    None when it is beyond the last.
    """
    return min((*points, None), key=lambda point: round(loss(point, points, alone, lanes), 2))


def last(points: Sequence[int], alone: Sequence[float], lanes: Sequence[float]) -> int | None:
    """The greatest point up to which the lanes are never slower; None when they are at the first."""
    found = None
    for point, one, many in zip(points, alone, lanes, strict=True):
        if many > NOISE * one:
            break
        found = point
    return found


def chosen(table: Table, name: str, tier: str, *operations: str) -> tuple[int, int] | None:
    """What the library has: the least number that any kernel over lanes of a tier takes, and how
    many fill it; None where there is no such kernel.
    """
    return min(
        (
            table[name, tier, operation]
            for operation in operations
            if (name, tier, operation) in table
        ),
        default=None,
    )


def counts(group: int) -> list[int]:
    """The numbers at which to measure a kernel over `group` lanes: the first few, and where one of
    half as many is full.

    From a whole group on there is no choice.
    """
    return sorted({n for n in (*COUNTS, group // 2, group // 2 + 1) if n < group})


class Libraries:
    """The three libraries, the real one and those of NEVER and ALWAYS; and the real one's points."""

    def __init__(self, root: Path, family: str) -> None:
        self.tiers = own_tiers(root)
        self.table = least(root)
        self.real = Harness(root, family)
        self.never = Harness(root, family, "never", NEVER)
        self.always = Harness(root, family, "always", ALWAYS)

    def force(self, tier: str) -> None:
        """Keep to a tier; the real library to the one before it."""
        self.real.force(self.tiers[self.tiers.index(tier) - 1])
        self.never.force(tier)
        self.always.force(tier)


Measure = Callable[[Harness, int], float]


def _both(
    alone: Harness, lanes: Harness, points: Sequence[int], measure: Measure
) -> tuple[list[float], list[float]]:
    """The cycles at every point with each library, which take turns."""
    turns = [
        [(measure(alone, point), measure(lanes, point)) for point in points] for _ in range(TURNS)
    ]
    one, many = (
        [min(turn[i][side] for turn in turns) for i in range(len(points))] for side in range(2)
    )
    return one, many


def break_even(root: Path, family: str, command: str) -> Iterator[Result]:
    """All of them, for every tier of this machine with kernels over lanes; cycles by number or
    length stand in the results.
    """
    libraries = Libraries(root, family)
    for tier in libraries.tiers[1:]:
        libraries.force(tier)
        yield from _blocks(libraries, tier, command)
        yield from _messages(libraries, tier, command)
        yield from _lengths(libraries, tier, command)


def _result(
    name: str, tier: str, operation: str, size: int | None, points: Sequence[int], cycles: tuple[list[float], list[float]], provenance: Provenance,
    **more: object,
) -> Result:  # fmt: skip
    alone, lanes = ([round(number, 1) for number in side] for side in cycles)
    more = {**more, "points": list(points), "cycles_alone": alone, "cycles_in_lanes": lanes}
    return Result(f"{name} {tier}", machine(), "host", operation, size, provenance, more=more)


def _numbers(
    points: Sequence[int], cycles: tuple[list[float], list[float]], has: int
) -> dict[str, object]:
    """The break-even point of a number of blocks or messages, what the library has, and what it
    loses by that at worst.
    """
    return {
        "break_even": first(points, *cycles),
        "library_has": has,
        "library_loses": round(loss(has, points, *cycles) - 1, 3),
    }


def _blocks(libraries: Libraries, tier: str, command: str) -> Iterator[Result]:
    """Blocks of one message: the kernel of the fewest vectors beside what the tier before has."""
    for name in BLOCK_CIPHERS:
        cipher = algorithm(identifier(name))
        assert isinstance(cipher, BlockCipher)
        provenance = cipher_provenance(libraries.always, command, name, tier)
        for operation in ("encrypt", "decrypt", "ctr"):
            has = chosen(libraries.table, name, tier, operation)
            if has is None:
                continue

            def measure(
                harness: Harness,
                count: int,
                name: str = name,
                operation: str = operation,
                block: int = cipher.block_size,
            ) -> float:
                return harness.measure(name, operation, count * block, ROUNDS)[0]

            points = counts(has[1])
            cycles = _both(libraries.real, libraries.always, points, measure)
            yield _result(
                name,
                tier,
                operation,
                cipher.block_size,
                points,
                cycles,
                provenance,
                **_numbers(points, cycles, has[0]),
            )


def _messages(libraries: Libraries, tier: str, command: str) -> Iterator[Result]:
    """Messages under a key each: all of them in lanes, beside one after the other."""
    for name in (*SPONGES, *BLOCK_CIPHERS):
        sponge = name in SPONGES
        has = chosen(libraries.table, name, tier, *(("fleet",) if sponge else LANES))
        if has is None:
            continue
        # one message is not a fleet for CTR
        points = [n for n in COUNTS if n < has[1] and (sponge or n > 1)]
        if not points:
            continue
        harness = libraries.always
        provenance = (
            sponges(harness, command, name, tier=tier)
            if sponge
            else cipher_provenance(harness, command, name, tier, depends.CTR_FLEET)
        )
        for size in MESSAGE_SIZES if sponge else MESSAGE_SIZES[:1]:

            def measure(harness: Harness, count: int, name: str = name, size: int = size) -> float:
                return harness.measure_fleet(name, count, size, ROUNDS)

            cycles = _both(libraries.never, libraries.always, points, measure)
            yield _result(
                name,
                tier,
                "fleet",
                size,
                points,
                cycles,
                provenance,
                **_numbers(points, cycles, has[0]),
            )


def _lengths(libraries: Libraries, tier: str, command: str) -> Iterator[Result]:
    """Long messages in CTR: in lanes, beside one after the other, where all vectors work for one
    key.
    """
    for name in LONG_CIPHERS:
        if chosen(libraries.table, name, tier, *LANES) is None:
            continue

        def measure(harness: Harness, size: int, name: str = name) -> float:
            return harness.measure_fleet(name, LONG_MESSAGES, size, ROUNDS)

        provenance = cipher_provenance(libraries.always, command, name, tier, depends.CTR_FLEET)
        cycles = _both(libraries.never, libraries.always, LENGTHS, measure)
        longest = last(LENGTHS, *cycles)
        yield _result(
            name,
            tier,
            "longest in lanes",
            None,
            LENGTHS,
            cycles,
            provenance,
            break_even=longest,
            library_has=None,
            messages=LONG_MESSAGES,
        )
