# SPDX-License-Identifier: Apache-2.0
"""Kwon et al., "Look-up the Rainbow": their tables 1, 3 and 4 beside ours.

There is no such processor here: ours are executed instructions under qemu, theirs clock cycles of
an Apple M1. Ratios are within one unit only. Below them stand core cycles of whole calls on x86-64,
where they have been measured.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hanji_lab import results
from hanji_lab.checkout import FAST, LabError, exclusive, run
from hanji_lab.measure import rainbow
from hanji_lab.papers import Cell, Chart, Report, Series, Table
from hanji_lab.results import Entry, Provenance, Result
from hanji_lab.trace import AARCH64, library, watch

SETS = "src/rainbow/sets.c"
# in a row of SETS: the name, and bytes of the public key, the secret key and the signature. Where
# the secret key is compressed, it is two seeds.
SIZES = re.compile(
    r'\{"(rainbow-[\w-]+)",[^}]*?[A-Z]+,\s+(\d+),\s+([\w* ]+),\s+(\d+),\s+\d+,\s+1\}'
)
KERNELS = "papers/rainbow-armv8/kernels"
MULTIPLIER = (f"{KERNELS}/rainbow_multiplier.S", f"{KERNELS}/rainbow_multiplier.c")
# field: (bits, bytes of a column, columns): the products by the vinegar values in layer 1 of level
# I, and in layer 2 of level III
SHAPES = {"gf16": (4, 512, 36), "gf256": (8, 2304, 68)}


def multipliers(root: Path, command: str) -> dict[tuple[str, str], Result]:
    """Instructions per 32 products by (field, design): the published code, and ours with the making
    of the rows.
    """
    rainbow.counting_program(root)
    archive = library(root, AARCH64, FAST)
    program = archive.with_name("rainbow_multiplier")
    include: list[str | Path] = [
        "-I",
        root / "include",
        "-I",
        root / "src",
        "-I",
        root / "lab/trace",
    ]
    with exclusive(archive.parent):
        linked = [archive.with_name("libhanji-rainbow.a"), archive, rainbow.ARM_CRYPTO]
        run(
            [
                AARCH64.compiler,
                "-O2",
                "-std=gnu11",
                "-static",
                *include,
                *(root / path for path in MULTIPLIER),
                *linked,
                "-o",
                program,
            ]
        )
    found = {}
    for field, (bits, size, columns) in SHAPES.items():
        for design, tier in (("paper", "neon"), ("ours", "portable"), ("ours", "neon")):
            arguments = [design, str(bits), str(size), str(columns)]
            regions, _ = watch(
                root, AARCH64, program, arguments=arguments, environment={"HANJI_FORCE": tier}
            )
            products = 32 if design == "paper" else size * 8 // bits * columns
            # The published code has neither call nor return: what surrounds it in C is left out.
            name = f"paper_{field}_multiply"
            body = (
                sum(
                    site.times
                    for site in regions[0].sites
                    if regions[0].symbols and regions[0].symbols.name(site.pc) == name
                )
                - 1
            )
            instructions = body if design == "paper" else regions[0].instructions
            label = design if design == "paper" else tier
            origin = rainbow.provenance(root, AARCH64.compiler, tier, command, *MULTIPLIER)
            result = Result(
                f"{field} {label}", "qemu:aarch64", "count", "multiply-32", None, origin, cache=None
            )
            found[field, label] = replace(
                result, instructions=round(instructions * 32 / products, 2)
            )
    return found


def _bytes(text: str) -> int:
    """A number of SETS; two seeds of 32 bytes are written as a product."""
    return 64 if text == "2 * SEED_BYTES" else int(text)


def sizes(root: Path, command: str) -> Iterator[Result]:
    """Bytes of the keys and signatures of every set, from the library's own table of sets."""
    origin = Provenance(results.sources(root, [SETS]), [], "", command)
    found = SIZES.findall((root / SETS).read_text(encoding="utf-8"))
    if [row[0] for row in found] != rainbow.SETS:
        raise LabError(f"{SETS} has not the nine sets, each with its sizes")
    for name, *numbers in found:
        parts = dict(
            zip(("public_key", "private_key", "signature"), map(_bytes, numbers), strict=True)
        )
        yield Result(name, "any", "size", "sizes", None, origin, cache=None, more=parts)


def measure(published: dict[str, Any], root: Path, command: str) -> Iterator[Result]:
    """The sizes, and instructions of the multipliers and of every set and operation.

    Counting takes minutes. What has been counted is kept in build/lab until all is done, so that an
    interrupted run goes on where it stopped.
    """
    kept = root / "build/lab/paper-rainbow-armv8.json"
    known = (
        {(one.kernel, one.operation): one for one in map(Result.from_json, results.read(kept))}
        if kept.is_file()
        else {}
    )
    yield from sizes(root, command)
    yield from multipliers(root, command).values()
    for result in rainbow.counts(root, command, known=known):
        if known.get((result.kernel, result.operation)) is not result:
            known[result.kernel, result.operation] = result
            results.write(kept, known.values())
        yield result
    kept.unlink(missing_ok=True)


def compare(published: dict[str, Any], entries: Sequence[Entry]) -> Report:
    """Both tables, and portable C on x86-64 below them."""
    counted = {
        (entry["kernel"], entry["operation"]): entry
        for entry in entries
        if entry["machine"] == "qemu:aarch64"
    }
    value = {
        (row.get("field") or row["algorithm"], row.get("operation"), row["design"]): row["value"]
        for row in published["rows"]
        if row["table"] != 1
    }
    table1 = []
    for row in (row for row in published["rows"] if row["table"] == 1):
        entry = next(e for e in entries if (e["kernel"], e["kind"]) == (row["algorithm"], "size"))
        size = entry[row["operation"].replace(" ", "_")]
        own = f"{size / 1024:,.1f}" if row["unit"] == "KB" else f"{8 * size:,}"
        table1.append([row["what"], f"{row['value']:,}", Cell(own, entry), row["unit"]])
    table3 = []
    for field in SHAPES:
        theirs = [value[field, None, design] for design in ("previous", "paper")]
        found = [
            counted[f"{field} {label}", "multiply-32"] for label in ("paper", "portable", "neon")
        ]
        cells = [Cell(f"{entry['instructions']:g}", entry) for entry in found]
        table3.append([field, *(f"{v:g}" for v in theirs), f"{theirs[0] / theirs[1]:.1f}", *cells])
    table4 = []
    for name in rainbow.SETS:
        for operation in ("keypair", "sign", "verify"):
            theirs = [value[name, operation, design] for design in ("previous", "paper")]
            both = [counted.get((f"{name} {tier}", operation)) for tier in ("portable", "neon")]
            ours = [
                Cell(f"{entry['instructions'] / 1e6:.3f}", entry) if entry else "" for entry in both
            ]
            counts = [entry["instructions"] for entry in both if entry]
            table4.append(
                [
                    name,
                    operation,
                    *(f"{v:g}" for v in theirs),
                    f"{theirs[0] / theirs[1]:.2f}",
                    *ours,
                    f"{counts[0] / counts[1]:.2f}" if len(counts) == 2 else "",
                ]
            )
    hosts, findings = _hosts(entries)
    instructions = "instructions, qemu"
    heads = [*(f"{who}, clock cycles, M1 (published)" for who in ("previous", "paper")), "ratio"]
    return Report(
        [
            Table(
                "table 1: sizes of keys and signatures; KB are 1,024 bytes",
                ["what", "published", "ours", "unit"],
                table1,
            ),
            Table(
                (
                    "table 3: multipliers; instructions per 32 products (our rows are made "
                    "without a secret address, and that is counted)"
                ),
                [
                    "field",
                    *heads,
                    *(
                        f"{who}, {instructions}"
                        for who in ("paper's code", "our portable", "our NEON")
                    ),
                ],
                table3,
            ),
            Table(
                "table 4: whole calls, in millions",
                [
                    "set",
                    "operation",
                    *heads,
                    f"our portable, {instructions}",
                    f"our NEON, {instructions}",
                    "ratio",
                ],
                table4,
            ),
            *hosts,
        ],
        list(entries),
        [
            (
                "The paper fetches the row of its table at an address that shows the constant, "
                "in signing a secret. Ours makes the row."
            ),
            (
                "The paper's clock cycles and our instructions are different things; only the "
                "ratios inside each may be compared."
            ),
            *findings,
        ],
        [_gains(published, counted)],
    )


def _hosts(entries: Sequence[Entry]) -> tuple[list[Table], list[str]]:
    """Whole calls in portable C on the machines that were measured (`hanji-lab measure rainbow`);
    and what to say when there are none.
    """
    tables = []
    for machine, origin in dict.fromkeys(
        (entry["machine"], entry["provenance"]["tools"][0])
        for entry in entries
        if entry["kind"] == "host"
    ):
        found = {
            (entry["kernel"], entry["operation"]): entry
            for entry in entries
            if (entry["machine"], entry["provenance"]["tools"][:1]) == (machine, [origin])
        }
        rows: list[list[str]] = []
        for name in rainbow.SETS:
            for operation in rainbow.operations(name):
                entry = found.get((f"{name} portable", operation))
                cycles = Cell(f"{entry['cycles'] / 1e3:.1f}", entry) if entry else ""
                rows.append([name, operation, cycles])
        title = f"whole calls in portable C on {machine}, {origin}: thousand core cycles"
        tables.append(Table(title, ["set", "operation", "portable"], rows))
    return tables, [] if tables else [
        "No processor of x86-64 has been measured: `hanji-lab measure rainbow --save` does it."
    ]


def _gains(published: dict[str, Any], counted: dict[tuple[str, str], Entry]) -> Chart:
    """What each wins over its own starting point, set by set, in signing and verifying."""
    value = {
        (row["algorithm"], row["operation"], row["design"]): row["value"]
        for row in published["rows"]
        if row["table"] == 4
    }
    theirs, ours = {}, {}
    for name in rainbow.SETS:
        for operation in ("sign", "verify"):
            place = f"{name.removeprefix('rainbow-')} {operation}"
            theirs[place] = value[name, operation, "previous"] / value[name, operation, "paper"]
            found = [counted.get((f"{name} {tier}", operation)) for tier in ("portable", "neon")]
            counts = [entry["instructions"] for entry in found if entry]
            if len(counts) == 2:
                ours[place] = counts[0] / counts[1]
    series = [
        Series("published: cycles, previous work / this work", theirs, published=True),
        Series("ours: instructions, portable / NEON", ours),
    ]
    return Chart(
        "gains",
        "Times fewer than the own starting point",
        "bars",
        "set and operation",
        "times",
        series,
        {"no gain": 1.0},
        logarithmic=True,
    )
