# SPDX-License-Identifier: Apache-2.0
"""The analysis of AIMer on ARMv8: its table of key generation, signing and verifying beside ours.

There is no such processor here. Executed instructions are counted exactly under qemu; core cycles
of x86-64 come from `hanji-lab measure aimer`. The published figures have no stated unit and no
stated parameter set, so only the gain of its optimised code over its reference code is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hanji_lab import depends
from hanji_lab.measure.aimer import SHARES, kind_of_work
from hanji_lab.papers import Cell, Chart, Report, Series, Table
from hanji_lab.results import Entry, Provenance, Result, tool_version
from hanji_lab.trace import AARCH64, Region, count_call

FLAGS = "-O3 -DNDEBUG"
TIERS = ("portable", "crypto", "sha3")
# and as `hanji-lab measure aimer` calls them
OPERATIONS = {"keygen": "keypair", "sign": "sign", "verify": "verify"}
SETS = {
    128: ("aimer1-l1-param1", "aimer2-128f"),
    192: ("aimer1-l3-param1", "aimer2-192f"),
    256: ("aimer1-l5-param1", "aimer2-256f"),
}

DECLARATIONS = """\
static uint8_t memory[4 << 20], public_key[65], secret_key[97], signature[31360], message[32];
static const hanji_aimer *set;
static int counting(uint8_t *out, size_t bytes, void *state)
{
    (void)state;
    for (size_t i = 0; i < bytes; i++)
        out[i] = (uint8_t)(7 * i + 3);
    return 0;
}
#define MEMORY memory, hanji_aimer_scratch_bytes(set)
#define KEYGEN hanji_aimer_keypair(public_key, secret_key, set, counting, 0, MEMORY)
#define SIGN hanji_aimer_sign(signature, message, 32, 0, 0, secret_key, hanji_aimer_secret_key_bytes(set), set, 0, counting, 0, MEMORY)
#define SIGNATURE signature, hanji_aimer_signature_bytes(set)
#define VERIFY hanji_aimer_verify(SIGNATURE, message, 32, 0, 0, public_key, hanji_aimer_public_key_bytes(set), set, MEMORY)
"""


def _count(root: Path, name: str, operation: str, tier: str) -> Region:
    return count_call(
        root,
        f"{operation} of {name} with {tier} kernels",
        DECLARATIONS,
        operation.upper(),
        prepare=f'set = hanji_aimer_by_name("{name}"); if (KEYGEN != 0 || SIGN != 0) return 9',
        head="#include <hanji/sign.h>\n",
        flags=FLAGS,
        cpu="max",
        tier=tier,
    )


def _shares(region: Region) -> dict[str, float]:
    """Parts of the instructions by kind of work."""
    found = dict.fromkeys([*SHARES, "rest"], 0)
    for function, count in region.by_function().items():
        found[kind_of_work(function)] += count
    return {kind: count / region.instructions for kind, count in found.items()}


def measure(published: dict[str, Any], root: Path, command: str) -> Iterator[Result]:
    """Count every operation of the sets with every tier."""
    tools = [tool_version(AARCH64.compiler), tool_version(AARCH64.emulator)]
    origins = {
        tier: Provenance(
            depends.library(root, depends.AIMER, depends.TIERS[tier]), tools, FLAGS, command
        )
        for tier in TIERS
    }
    for names in SETS.values():
        for name in names:
            for tier in TIERS:
                for operation in OPERATIONS:
                    region = _count(root, name, operation, tier)
                    more: Mapping[str, Any] = {
                        "tier": tier,
                        "shares": {kind: round(part, 4) for kind, part in _shares(region).items()},
                    }
                    yield Result(
                        name,
                        "qemu:aarch64",
                        "count",
                        operation,
                        32,
                        origins[tier],
                        cache=None,
                        instructions=float(region.instructions),
                        more=dict(more),
                    )


def compare(published: dict[str, Any], entries: Sequence[Entry]) -> Report:
    """The gains side by side, our counts, and what signing spends them on."""
    results = {
        (entry["kernel"], entry["tier"], entry["operation"]): entry
        for entry in entries
        if entry["machine"] == "qemu:aarch64"
    }

    def count(name: str, tier: str, operation: str) -> float:
        return float(results[name, tier, operation]["instructions"])

    values = {
        (row["n"], row["design"], row["operation"]): row["value"] for row in published["rows"]
    }
    gains, own, shares = [], [], []
    for n, names in SETS.items():
        for operation in OPERATIONS:
            optimized, reference = (
                values[n, "optimized", operation],
                values[n, "reference", operation],
            )
            cells = [
                f"{n} {operation}",
                f"{optimized}",
                f"{reference}",
                f"{optimized / reference:.2f}",
            ]
            for name in names:
                for tier in TIERS[1:]:
                    both = results[name, tier, operation], results[name, "portable", operation]
                    cells.append(
                        Cell(f"{both[0]['instructions'] / both[1]['instructions']:.2f}", *both)
                    )
            gains.append(cells)
        for name in names:
            for tier in TIERS:
                found = [results[name, tier, operation] for operation in OPERATIONS]
                own.append(
                    [
                        name,
                        tier,
                        *(Cell(f"{entry['instructions'] / 1e6:.3f}", entry) for entry in found),
                    ]
                )
                parts = results[name, tier, "sign"]["shares"]
                shares.append(
                    [name, tier, *(f"{100 * parts[kind]:.0f} %" for kind in (*SHARES, "rest"))]
                )
    columns = ["", "published, optimized", "published, reference", "its ratio"]
    columns += [f"ours, {version}, {tier}" for version in ("v1.0", "v2.1") for tier in TIERS[1:]]
    tables = [
        Table(
            (
                "Optimised code over reference code; ours: executed instructions over those of "
                "our own portable C"
            ),
            columns,
            gains,
        ),
        Table(
            "Million executed instructions, counted under qemu; 32-byte message, key expanded anew",
            ["set", "tier", *OPERATIONS],
            own,
        ),
        Table("What signing spends its instructions on", ["set", "tier", *SHARES, "rest"], shares),
    ]
    tables += _hosts(entries)
    ratio = count("aimer1-l1-param1", "crypto", "sign") / count(
        "aimer1-l1-param1", "portable", "sign"
    )
    theirs = values[128, "optimized", "sign"] / values[128, "reference", "sign"]
    findings = [
        (
            "The published unit and parameter sets are not stated and all figures are multiples "
            "of 64: only ratios are compared."
        ),
        (
            f"Signing at level 1 (v1.0) with PMULL and NEON takes {ratio:.2f} of our own "
            f"portable code; the paper reports {theirs:.2f} of the reference."
        ),
        (
            "Instructions are not time: nothing here was measured on an ARM processor, and "
            "cycles are those of the machine that is named."
        ),
    ]
    return Report(tables, list(entries), findings, [_gains(values, count)])


def _hosts(entries: Sequence[Entry]) -> list[Table]:
    """The same calls on x86-64, for each machine whose cycles are there, and what signing spends
    its time on.
    """
    tables = []
    for machine in dict.fromkeys(entry["machine"] for entry in entries if entry["kind"] == "host"):
        here = {
            (*entry["kernel"].partition(" ")[::2], entry["operation"]): entry
            for entry in entries
            if entry["machine"] == machine
        }
        tiers = list(
            dict.fromkeys(tier for _, tier, operation in here if operation in OPERATIONS.values())
        )
        cycles, shares = [], []
        for name in (name for names in SETS.values() for name in names):
            for tier in tiers:
                row: list[str] = [name, tier]
                for operation in OPERATIONS.values():
                    entry, portable = here[name, tier, operation], here[name, "portable", operation]
                    row += [
                        Cell(f"{entry['cycles'] / 1e3:.1f}", entry),
                        Cell(f"{entry['cycles'] / portable['cycles']:.2f}", entry, portable),
                    ]
                cycles.append(row)
                parts = here[name, tier, "sign"]["shares"]
                shares.append(
                    [name, tier, *(f"{100 * parts[kind]:.0f} %" for kind in (*SHARES, "rest"))]
                )
        columns = [cell for operation in OPERATIONS for cell in (operation, "of portable C")]
        tables.append(
            Table(
                f"{machine}: thousand core cycles, the same calls",
                ["set", "tier", *columns],
                cycles,
            )
        )
        tables.append(
            Table(
                f"{machine}: what signing spends its time on",
                ["set", "tier", *SHARES, "rest"],
                shares,
            )
        )
    return tables


def _gains(
    values: dict[tuple[int, str, str], float], count: Callable[[str, str, str], float]
) -> Chart:
    """Optimised over reference code by level and operation: theirs, and ours with the instructions
    that their processor has, too.
    """
    places = {f"{n} {operation}": (n, operation) for n in SETS for operation in OPERATIONS}
    theirs = {
        place: values[n, "optimized", operation] / values[n, "reference", operation]
        for place, (n, operation) in places.items()
    }
    series = [Series("published: optimised / reference", theirs, published=True)]
    for at, version in enumerate(("v1.0", "v2.1")):
        ours = {
            place: count(SETS[n][at], "crypto", operation)
            / count(SETS[n][at], "portable", operation)
            for place, (n, operation) in places.items()
        }
        series.append(Series(f"ours, {version}: NEON and PMULL / portable C (instructions)", ours))
    title = "Optimised code over its own starting point (lower is better)"
    return Chart("gains", title, "bars", "level and operation", "ratio", series, {"no gain": 1.0})
