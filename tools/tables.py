# SPDX-License-Identifier: Apache-2.0
"""Write the generated parts and pictures of the documents: what hanji.algorithms(), results/*.json
and the counts that tests hold say is never typed by hand.

Usage: python tools/tables.py [--check] A part stands between `<!-- generated: NAME -->` and
`<!-- end generated -->`; the text between them is replaced. With --check nothing is written, and
the exit status is 1 when a document is not up to date.
"""

from __future__ import annotations

import argparse
import functools
import json
import math
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import hanji
from hanji_lab import charts, papers, report, spec
from hanji_lab.gpu.calls import PLACES
from hanji_lab.measure import cores
from hanji_lab.papers import like, rows
from hanji_lab.prove import pages, soundness
from hanji_lab.results import read

ROOT = Path(__file__).resolve().parent.parent
COMMAND = ".venv/bin/python tools/tables.py"
PART = re.compile(r"(<!-- generated: ([\w-]+) -->\n).*?(<!-- end generated -->)", re.DOTALL)


def table(columns: list[str], rows: list[list[object]]) -> str:
    """A Markdown table; a vertical bar in a cell is escaped."""
    lines = [columns, ["---"] * len(columns), *rows]
    return (
        "\n".join(
            "| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in lines
        )
        + "\n"
    )


def permutations() -> dict[str, str]:
    """Which permutation a message runs on, one message at a time."""
    found: dict[str, str] = {}
    for name, algorithm in spec.ALGORITHMS.items():
        if permutation := getattr(algorithm, "permutation", None):
            found[name] = permutation.name
        elif isinstance(algorithm, spec.ascon.Hash):
            found[name] = "ascon-p"
    return found


TIERS = {"portable": "any machine", "avx2": "AVX2", "avx512": "AVX-512"}


def machines() -> dict[str, str]:
    """Algorithm -> the tiers of the kernels that it can run on."""
    served: dict[str, list[str]] = {}
    for row in hanji.kernels():
        served.setdefault(row["algorithm"], []).append(row["tier"])
    found = {}
    permutation = permutations()
    for a in hanji.algorithms():
        if a.kind == "mode":
            found[a.name] = "as its cipher"
        elif a.name.startswith(
            "rainbow-"
        ):  # in a library of its own, which hanji.kernels() does not list
            found[a.name] = "built on demand, with OpenSSL 3; any machine, NEON"
        else:
            # SLH-DSA hashes and does nothing else; AIMer has kernels of its own beside Keccak's.
            signing = served["keccak" if a.name.startswith("slh-dsa-") else "aimer"]
            served.setdefault(a.name, signing if a.kind == "signature" else [])
            names = {*served.get(a.name, ()), *served.get(permutation.get(a.name, ""), ())}
            found[a.name] = (
                ", ".join(
                    TIERS.get(tier["name"], tier["name"])
                    for tier in hanji.backends()
                    if tier["name"] in names
                )
                or "any machine"
            )
    return found


def power(text: str) -> str:
    """2^68 as a raised number."""
    return re.sub(r"\b2\^(\d+)", r"2<sup>\1</sup>", text)


def algorithm_tables() -> str:
    """One table per kind of algorithm but signatures, each under its heading."""
    kinds: list[tuple[str, tuple[str, ...], dict[str, str]]] = [
        (
            "Authenticated encryption",
            ("aead",),
            {"key": "key_size", "nonce": "nonce_size", "tag": "tag_size", "limit": "data_limit"},
        ),
        (
            "Hashing",
            ("hash", "xof"),
            {"digest": "digest_size", "block": "block_size", "limit": "data_limit"},
        ),
        (
            "Block ciphers",
            ("block",),
            {"key": "key_size", "block": "block_size", "limit": "data_limit"},
        ),
        ("Modes over the block ciphers", ("mode",), {}),
        ("Permutations", ("permutation",), {"state": "block_size"}),
    ]
    parts = []
    for title, names, sizes in kinds:
        wanted = [a for a in hanji.algorithms() if a.kind in names]
        parts.append(f"### {title}\n\n{algorithm_table(wanted, sizes)}")
    return "\n".join(parts)


def signature_sets(rainbow: bool = False) -> str:
    """The sets of the signature schemes: of Rainbow, or of all others. A table for each standard;
    every row has its status, so that nobody finds a broken set without it.
    """
    sizes = {"private key": "key_size", "public key": "block_size", "signature": "tag_size"}
    runs = machines()
    groups: dict[tuple[str, str], list[Any]] = {}
    for a in hanji.algorithms():
        if a.kind == "signature" and a.name.startswith("rainbow-") == rainbow:
            groups.setdefault((a.standard, runs[a.name]), []).append(a)
    parts = []
    for (standard, tiers), found in groups.items():
        said = f"{standard}. Runs on: {tiers}."
        rows: list[list[object]] = [
            [f"`{a.name}`", *(getattr(a, size) for size in sizes.values()), f"**{a.status}**"]
            for a in found
        ]
        parts.append(f"{said}\n\n{table(['name', *sizes, 'status'], rows)}")
    return "\n".join(parts)


def algorithm_table(wanted: Iterable[Any], sizes: dict[str, str]) -> str:
    """These algorithms: sizes in bytes, machines, standard, status."""
    runs = machines()
    free = {"data_limit": "none stated"}
    rows: list[list[object]] = []
    for a in wanted:
        cells = [
            getattr(a, attribute) or free.get(attribute, "free") for attribute in sizes.values()
        ]
        shown = [power(str(cell)).removesuffix(" by default") for cell in cells]
        rows.append([f"`{a.name}`", *shown, runs[a.name], a.standard, f"**{a.status}**"])
    return table(["name", *sizes, "runs on", "specified in", "status"], rows)


KINDS = {  # kind of hanji.algorithms() -> how the README calls it
    "aead": "authenticated encryption",
    "hash": "hashing",
    "xof": "hashing",
    "block": "block cipher",
    "signature": "signatures",
}


def families() -> str:
    """The README's list: the algorithms for each use, with many of one specification as a range;
    broken ones stand apart.
    """
    uses: dict[str, dict[str, list[str]]] = {}
    for a in hanji.algorithms():
        if a.kind in KINDS:
            use = KINDS[a.kind] + (", **broken**: only for study and old data" if a.broken else "")
            family = a.standard.partition(", section")[0]
            uses.setdefault(use, {}).setdefault(family, []).append(f"`{a.name}`")
    rows: list[list[object]] = []
    for use in sorted(uses, key=lambda use: list(KINDS.values()).index(use.partition(",")[0])):
        shown = [
            ", ".join(names) if len(names) <= 4 else f"{names[0]} to {names[-1]} ({len(names)})"
            for names in uses[use].values()
        ]
        rows.append([use, ", ".join(shown)])
    return table(["for", "algorithms"], rows)


def limit_table() -> str:
    """Default limits of the block ciphers by block size, and the limits that the designers state
    for SPARKLE.
    """
    ciphers: dict[int, Any] = {}
    for a in hanji.algorithms():
        if a.kind == "block":
            ciphers.setdefault(a.block_size, a)
    rows: list[list[object]] = [
        [
            f"CTR, CMAC, EAX over {8 * size}-bit blocks"
            if size in (8, 16)
            else f"CTR over {8 * size}-bit blocks",
            power(a.data_limit),
            "counted; past it `HANJI_E_LIMIT`",
        ]
        for size, a in sorted(ciphers.items())
    ]
    for a in hanji.algorithms():
        if a.kind in ("aead", "hash", "xof") and a.data_limit:
            counted = a.name == "ascon-aead128"
            kept = (
                "counted where it has a key to count for; past it `HANJI_E_LIMIT`"
                if counted
                else "not counted: out of reach"
            )
            rows.append([a.name, power(a.data_limit), kept])
    return table(["algorithm", "limit", "kept by the library"], rows)


def results() -> list[dict[str, Any]]:
    """All measured objects in results/*.json; those of papers are in papers/."""
    return [entry for path in sorted((ROOT / "results").glob("*.json")) for entry in read(path)]


def measured(entries: list[dict[str, Any]]) -> str:
    """Where figures come from, in the words of their provenance."""
    origins = [e["provenance"] for e in entries]
    return " ".join(
        dict.fromkeys(
            f"`{o['command']}`, {o['date']}, {o['tools'][0]}, {o['flags']}." for o in origins
        )
    )


def pivot(
    entries: list[dict[str, Any]],
    row: Callable[[dict[str, Any]], str],
    column: Callable[[dict[str, Any]], str],
    corner: str,
    order: Iterable[str] = (),
) -> str:
    """Cycles per byte, the rows in `order` if there is one; a figure of somebody else's program has
    its ratio to ours beside it.
    """
    columns = list(dict.fromkeys(map(column, entries)))
    there = set(map(row, entries))
    cells: dict[str, dict[str, str]] = {name: {} for name in order if name in there}
    for e in entries:
        ratio = f" ({e['ratio_to_hanji']:.1f} times ours)" if "ratio_to_hanji" in e else ""
        cells.setdefault(row(e), {})[column(e)] = f"{e['cycles_per_byte']:.2f}{ratio}"
    return table(
        [corner, *columns],
        [[name, *(found.get(c, "") for c in columns)] for name, found in cells.items()],
    )


HOST = "x86_64-gcc"  # machine and compiler of the documents' figures


def core() -> str:
    """The x86-64 core whose figures the documents show."""
    return cores.shown(ROOT, f"host-{HOST}.json", X86_WAYS)


def host(part: str = "host") -> list[dict[str, Any]]:
    """What `hanji-lab measure PART` has measured on the core of the documents."""
    return on_core(core(), part)


def on_core(name: str, part: str) -> list[dict[str, Any]]:
    """The same of a core."""
    return recorded(str((cores.of(ROOT, name) / f"{part}-{HOST}").relative_to(ROOT / "results")))


def cycles_on(found: list[dict[str, Any]]) -> str:
    """Whose cycles the figures are."""
    return f"Core cycles per byte on `{core()}` ({short(found[0]['machine'])})"


def short(machine: str) -> str:
    """A processor's name without what says nothing."""
    return machine.removesuffix(" (x86_64)").replace("(R)", "").removesuffix(" Processor")


def figures() -> str:
    """Speeds of the library on the host: one message of an AEAD or a hash by length, blocks, fleets;
    then what is not counted in cycles.
    """
    found = host()
    if not found:
        return (
            "No speeds have been recorded in `results/` yet. `make bench` measures your machine.\n"
        )
    parts = [f"{cycles_on(found)}, one thread. Measured by {measured(found)}\n"]
    counted = [e for e in found if e["cycles_per_byte"] is not None]
    single = [
        e
        for e in counted
        if "messages" not in e and "/" not in e["kernel"] and "OpenSSL" not in e["kernel"]
    ]
    if single:
        single.sort(key=lambda e: e["bytes"])
        names = dict.fromkeys(
            f"`{e['kernel']}` {e['operation']}" for e in counted if "messages" not in e
        )
        parts.append(
            "One message, by its length in bytes; a tier that is not listed has no kernel of its "
            "own for one message:\n"
        )
        parts.append(
            pivot(
                single,
                lambda e: f"`{e['kernel']}` {e['operation']}",
                lambda e: f"{e['bytes']:,}",
                "what",
                names,
            )
        )
    blocks = [
        e
        for e in counted
        if "messages" not in e
        and ("/" in e["kernel"] or "OpenSSL" in e["kernel"])
        and e["operation"] not in report.MESSAGES
    ]
    for size, name in ((1 << 14, "16 KiB"), (1 << 20, "1 MiB")):
        here = [e for e in blocks if size - 48 < e["bytes"] <= size]
        if here:
            parts.append(f"Whole blocks (encrypt) and counter mode, {name}:\n")
            parts.append(
                pivot(
                    here,
                    lambda e: f"`{e['kernel'].split()[0]}`",
                    lambda e: f"{e['operation']}, {e['kernel'].partition(' ')[2]}",
                    "cipher",
                )
            )
    fleets = [e for e in counted if "messages" in e]
    if fleets:
        parts.append("Many messages in one call, each under its own key:\n")
        parts.append(
            pivot(
                fleets,
                report.fleet_name,
                lambda e: e["kernel"].partition(" ")[2] or "only copied",
                "what",
            )
        )
    others = [e for e in [*found, *host("python"), *host("seal")] if e["cycles_per_byte"] is None]
    known = {
        "kernel",
        "machine",
        "kind",
        "operation",
        "bytes",
        "cache",
        "instructions",
        "cycles",
        "cycles_per_byte",
        "provenance",
    }
    if others:
        cells: list[list[object]] = []
        for e in others:
            rest = [
                f"{name.replace('_', ' ')}: {value}"
                for name, value in e.items()
                if name not in known
            ]
            cells.append([e["kernel"], e["operation"], f"{e['bytes']:,}", "; ".join(rest)])
        parts.append(
            f"Python and the command. Measured by {measured(others)}\n\n"
            + table(["what", "operation", "bytes", "figures"], cells)
        )
    return "\n".join(parts)


def figures_by_length() -> str:
    """Speeds of one message in the modes of block ciphers, by its length."""
    found = [e for e in host() if e["cycles_per_byte"] is not None]
    messages = [e for e in found if e["operation"] in report.MESSAGES and "messages" not in e]
    if not messages:
        return (
            "No speeds have been recorded in `results/` yet. `make bench` measures your machine.\n"
        )
    grid = report.message_grid(messages, report.Origins("host", ROOT))
    return (
        f"{cycles_on(messages)}, one thread. Measured by {measured(messages)}\n\n"
        f"{grid.title}:\n\n{in_text(grid)}\n{grid.note}\n"
    )


def break_even() -> str:
    """From how many blocks and messages on the kernels over lanes pay, and up to which length; the
    library's own points beside them.
    """
    found = recorded(f"break-even-{HOST}")
    if not found:
        return (
            "No break-even points have been recorded in `results/` yet. `hanji-lab measure "
            "break-even --save` measures them.\n"
        )
    parts = [f"{found[0]['machine']}. Measured by {measured(found)}\n"]
    titles = {
        "blocks": "Blocks of one message (encrypt, decrypt, CTR):",
        "messages": "Messages under a key each (of {sizes} bytes):",
        "lengths": (
            "Bytes of a message of CTR, 64 of them, up to which a message in each lane is faster "
            "than one after the other:"
        ),
    }
    rows: dict[str, dict[str, dict[str, list[str]]]] = {title: {} for title in titles}
    for e in found:
        name, _, tier = e["kernel"].partition(" ")
        kind = {"fleet": "messages", "longest in lanes": "lengths"}.get(e["operation"], "blocks")
        beyond = (
            f"more than {e['points'][-1]}" if kind != "lengths" else f"less than {e['points'][0]}"
        )
        point = beyond if e["break_even"] is None else f"{e['break_even']:,}"
        has = (
            ""
            if e["library_has"] in (None, e["break_even"] or e["points"][-1] + 1)
            else f" ({e['library_has']})"
        )
        rows[kind].setdefault(f"`{name}`", {}).setdefault(TIERS[tier], []).append(point + has)
    worst = max(
        (e for e in found if e["library_has"] is not None), key=lambda e: e["library_loses"]
    )
    what = (
        f"{worst['operation']} of `{worst['kernel'].partition(' ')[0]}` with "
        f"{TIERS[worst['kernel'].partition(' ')[2]]}"
    )
    parts.append(
        "Where the library has another point, it stands in brackets. By its points it loses at "
        "most "
        f"{worst['library_loses']:.0%} at any number measured: {what}.\n"
    )
    sizes = " and ".join(
        dict.fromkeys(f"{e['bytes']:,}" for e in found if e["operation"] == "fleet")
    )
    for kind, title in titles.items():
        columns = list(dict.fromkeys(column for row in rows[kind].values() for column in row))
        parts.append(title.format(sizes=sizes) + "\n")
        parts.append(
            table(
                ["what", *columns],
                [
                    [name, *("; ".join(row.get(c, [])) for c in columns)]
                    for name, row in rows[kind].items()
                ],
            )
        )
    return "\n".join(parts)


SPONGES = ("schwaemm256-128", "esch256")
PEERS = ("aes-128-ctr", "chacha20-poly1305")
# Beside them block ciphers with 128-bit keys or blocks of 32 bits.
SHOWN = (
    *SPONGES,
    *(
        a.name
        for a in hanji.algorithms()
        if a.kind == "block" and (a.key_size == 16 or a.block_size == 4)
    ),
    *PEERS,
)
X86_WAYS = {"portable": "portable C", "avx2": "AVX2", "avx512": "AVX-512"}


def x86_places(found: list[dict[str, Any]]) -> dict[str, dict[str, dict[str, Any]]]:
    """What docs/algorithms.md shows: place -> tier or peer -> result; block ciphers in CTR, 16 KiB."""
    places: dict[str, dict[str, dict[str, Any]]] = {}
    for e in found:
        name, _, way = e["kernel"].partition(" ")
        where = {
            ("encrypt", 1 << 20): f"{name}, 1 MiB",
            ("hash", 1 << 20): f"{name}, 1 MiB",
            ("ctr", 16384): f"{name} CTR, 16 KiB",
            ("fleet", 1024): f"{name}, 16 messages of 1 KiB",
        }.get((e["operation"], e["bytes"] if e["bytes"] != 16368 else 16384))
        block = "/" in name and e["operation"] == "encrypt"
        if where and way and not block and e.get("messages", 16) == 16 and name in SHOWN:
            places.setdefault(where, {})[X86_WAYS.get(way, way)] = e
    return places


def x86_speeds() -> str:
    """The table of x86-64 in docs/algorithms.md: cycles per byte, a column for each tier and one for
    other libraries; fleets and threads below.
    """
    found = host()
    places = x86_places(found)
    if not places:
        return (
            "No figures have been recorded in `results/` yet. `hanji-lab measure host --save` "
            "makes them.\n"
        )
    rows: list[list[object]] = []
    for place, ways in places.items():
        cells = [
            f"{ways[way]['cycles_per_byte']:.2f}" if way in ways else ""
            for way in X86_WAYS.values()
        ]
        others = [
            f"{way}: {e['cycles_per_byte']:.2f}"
            for way, e in ways.items()
            if way not in X86_WAYS.values()
        ]
        ratios = [
            f" ({e['ratio_to_hanji']:.1f} times ours)"
            for e in ways.values()
            if "ratio_to_hanji" in e
        ]
        rows.append([place, *cells, ", ".join(others) + "".join(ratios)])
    parts = [f"{cycles_on(found)}, one thread; measured by {measured(found)}\n"]
    parts.append(table(["what", *X86_WAYS.values(), "others"], rows))
    modes = {"fleet": "CTR", "eax, fleet": "EAX", "cmac, fleet": "CMAC"}
    many = [e for e in found if e["operation"] in modes and e.get("messages", 0) == 1 << 20]
    if many:
        said = [
            f"{re.sub(r'(?<=/128)', ' ' + modes[e['operation']], e['kernel'])} {e['cycles']:.0f}"
            for e in many
        ]
        parts.append(
            f"Cycles per message, {many[0]['messages']} messages of {many[0]['bytes']} bytes, each "
            f"under its own key: {'; '.join(said)}.\n"
        )
    threads = [
        f"{e['messages']:,} messages of {e['bytes']:,} bytes {e['ratio_of_threads']:.2f}"
        for e in found
        if "ratio_of_threads" in e
    ]
    if threads:
        parts.append(f"Two threads seal, from Python, {', '.join(threads)} times as fast as one.\n")
    return "\n".join(parts)


def ascon_beside() -> str:
    """One message of Ascon in cycles, ours and the public C."""
    grid = report.ascon_grid()
    return f"{in_text(grid)}\n{grid.title}. {grid.note}\n"


def in_text(grid: papers.Grid) -> str:
    """A table of the report's page in Markdown."""
    return table(list(grid.columns), [[cell.text for cell in row] for row in grid.rows])


FRONT_FLEET = (1000, 1024)  # messages, bytes of each: what the README shows of fleets
FRONT_WAYS = {"portable": "hanji, portable C", "": "hanji, fastest kernel"}


def front_jobs() -> dict[str, tuple[str, str]]:
    """What the README shows: algorithm -> its operation, and what the kernel of a peer is called.

    The first AEAD of each family, and the block ciphers with blocks and keys of 128 bits that are
    not superseded.
    """
    aeads: dict[str, str] = {}
    ciphers = []
    for a in hanji.algorithms():
        if a.kind == "aead":
            aeads.setdefault(re.split("[-0-9]", a.name)[0], a.name)
        elif a.kind == "block" and (a.block_size, a.key_size) == (16, 16):
            ciphers += [] if a.name.endswith("-original") else [a.name]
    return {
        **dict.fromkeys(aeads.values(), ("encrypt", "chacha20-poly1305")),
        **dict.fromkeys(ciphers, ("ctr", "aes-128-ctr")),
    }


def front_chart() -> list[papers.Chart]:
    """The picture of the README: one message and many, in portable C and by the fastest kernel,
    above the fastest other program that was measured for each job.
    """
    if not (found := [e for e in host() if e["cycles_per_byte"] is not None]):
        return []
    bars: dict[str, dict[str, float]] = {label: {} for label in FRONT_WAYS.values()}
    peers: dict[str, float] = {}
    jobs = front_jobs()

    def cost(name: str, operation: str, **sizes: int) -> dict[str, float]:
        return {
            e["kernel"].partition(" ")[2]: e["cycles_per_byte"]
            for e in found
            if e["kernel"].partition(" ")[0] == name and e["operation"] == operation
            if all(e.get(key) == value for key, value in sizes.items())
        }

    for name, (operation, peer) in jobs.items():
        mode = " CTR" if operation == "ctr" else ""
        places = {f"{name}{mode}, 1\N{NO-BREAK SPACE}MiB": cost(name, operation, bytes=1 << 20)}
        if operation == "encrypt":
            messages, size = FRONT_FLEET
            many_of = f"{name}, {messages:,} messages of {size // 1024}\N{NO-BREAK SPACE}KiB"
            places[many_of] = cost(name, "fleet", messages=messages, bytes=size)
        for place, ways in places.items():
            ours = {way: cycles for way, cycles in ways.items() if way in X86_WAYS}
            if ours:
                bars[FRONT_WAYS["portable"]][place] = ours["portable"]
                bars[FRONT_WAYS[""]][place] = min(ours.values())
        others = [
            (e["cycles_per_byte"], e["kernel"])
            for e in found
            if e["bytes"] == 1 << 20 and e["kernel"].partition(" ")[0] == peer
        ]
        if others:
            cycles, kernel = min(others)
            mode, _, program = kernel.partition(" ")
            peers[f"{program}: {mode}, 1\N{NO-BREAK SPACE}MiB"] = cycles
    series = [papers.Series(label, points) for label, points in bars.items() if points]
    if peers:
        series.append(papers.Series("fastest peer for the same job", peers, published=True))
    title = f"Cycles per byte on one core of an {short(found[0]['machine'])}; less is better"
    order = [place for label in bars for place in bars[label]]
    chart = papers.Chart(
        "front-speeds",
        title,
        "bars",
        "",
        "cycles per byte",
        series,
        order=list(dict.fromkeys([*order, *peers])),
    )
    return [chart] if order else []


def x86_chart() -> list[papers.Chart]:
    """The same table as bars."""
    places = x86_places(host())
    series = [
        papers.Series(
            label,
            {
                place: ways[label]["cycles_per_byte"]
                for place, ways in places.items()
                if label in ways
            },
        )
        for label in X86_WAYS.values()
    ]
    others = {
        place: e["cycles_per_byte"]
        for place, ways in places.items()
        for way, e in ways.items()
        if way not in X86_WAYS.values()
    }
    series.append(papers.Series("Crypto++ or OpenSSL", others, published=True))
    title = "x86-64: core cycles per byte, by tier"
    chart = papers.Chart(
        "x86-speeds",
        title,
        "bars",
        "",
        "cycles per byte",
        [s for s in series if s.points],
        logarithmic=True,
        order=list(places),
    )
    return [chart] if places else []


def footprints() -> str:
    """Code, stack and contexts of firmware: objects of kind size, a column per machine."""
    sizes = [
        e
        for e in results()
        if e["kind"] == "size" and "round_keys" not in e
        if not e["kernel"].startswith(("aimer", "rainbow"))
    ]
    if not sizes:
        return (
            "No footprint has been recorded in `results/` yet. The commands below show that of "
            "your own program.\n"
        )
    machines = sorted({e["machine"] for e in sizes})
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for e in sizes:
        constants = f" and {e['constants']} of constants" if "constants" in e else ""
        rows.setdefault((e["kernel"], e["operation"]), {})[e["machine"]] = (
            f"{e['bytes']}{constants}"
        )
    cells: list[list[object]] = [
        [kernel, what, *(row.get(machine, "") for machine in machines)]
        for (kernel, what), row in rows.items()
    ]
    return f"Bytes; measured by {measured(sizes)}\n\n" + table(
        ["program", "what", *machines], cells
    )


def firmware_messages() -> str:
    """What whole messages take on microcontrollers: the counts that a test holds."""
    held = json.loads((ROOT / "tests/small/message_counts.json").read_text())
    cells: list[list[object]] = [
        [name.replace(":", ", ") + " bytes", *(f"{counts[name]:,}" for counts in held.values())]
        for name in held["avr"]
    ]
    columns = {
        "avr": "ATmega328P, `avr`",
        "cortex-m0": "Cortex-M0, `armv6m`",
        "cortex-m4": "Cortex-M4, `armv7m`",
    }
    return table(["message", *(columns[machine] for machine in held)], cells)


def firmware_tiny_kernels() -> str:
    """The tiny profile with kernels: bytes, and what whole messages take, beside portable C and the
    goals that a test holds.
    """
    small = ROOT / "tests/small"
    sizes = json.loads((small / "tiny_kernel_sizes.json").read_text())
    portable = json.loads((small / "tiny_sizes.json").read_text())
    counts = json.loads((small / "tiny_kernel_counts.json").read_text())
    isas = {
        "Cortex-M4": "armv7m",
        "Cortex-M0": "armv6m",
        "rv32imac": "rv32i",
        "rv32i": "rv32i",
        "AVR": "avr",
    }
    cells: list[list[object]] = [
        [name, *(f"{of[target]:,}" if target in of else "" for target in isas)]
        for name, of in sizes.items()
        if not name.startswith("stack")
    ]
    goals = {"schwaemm256-128:128": 5900, "schwaemm256-128:1024": 35000}
    columns = {
        "avr portable": "ATmega328P, C",
        "avr avr": "`avr`",
        "cortex-m0 armv6m": "Cortex-M0, `armv6m`",
        "cortex-m4 portable": "Cortex-M4, C",
        "cortex-m4 armv7m": "`armv7m`",
    }
    calls = sorted(
        {call for of in counts.values() for call in of},
        key=lambda call: (call.split(":")[0], int(call.split(":")[1])),
    )
    messages: list[list[object]] = [
        [
            call.replace(":", ", ") + " bytes",
            *(f"{counts[of][call]:,}" if call in counts[of] else "" for of in columns),
            f"{goals[call]:,}" if call in goals else "",
        ]
        for call in calls
    ]
    (short, one), (long, another) = goals.items()
    found = counts["cortex-m4 armv7m"]
    stack, before = (of["stack Cortex-M4"] for of in (sizes, portable))
    said = (
        "With its kernel SCHWAEMM256-128 reaches the goals on a Cortex-M4: "
        f"{sizes['schwaemm256-128']['Cortex-M4']:,} bytes where 2,457 are allowed, "
        f"{found[short]:,} "
        f"instructions for 128 bytes where {one:,} are, and {found[long]:,} for a KiB where "
        f"{another:,} are. A message takes "
        f"{stack['sparkle decrypt']} bytes of stack with the frame of its caller, without a kernel "
        f"{before['sparkle decrypt']}; one of Ascon-AEAD128 {stack['ascon decrypt']} and "
        f"{before['ascon decrypt']}."
    )
    return (
        table(["bytes", *(f"{target}, `{isa}`" for target, isa in isas.items())], cells)
        + "\n"
        + table(["message", *columns.values(), "goal on a Cortex-M4"], messages)
        + f"\n{textwrap.fill(said, 100, break_on_hyphens=False)}\n"
    )


def firmware_slhdsa() -> str:
    """What it takes to verify SLH-DSA, by processor, profile and kernels."""
    held = json.loads((ROOT / "tests/small/slhdsa_counts.json").read_text())
    processors = {
        "cortex-m4": "Cortex-M4",
        "cortex-m0": "Cortex-M0",
        "rv32i": "RV32I",
        "avr": "ATmega328P",
    }
    cells: list[list[object]] = []
    for case, of in held.items():
        board, profile, isa = case.split()
        code = "portable C" if isa == "portable" else f"kernel, `{isa}`"
        unit = "cycles" if board == "avr" else "instructions"
        cells.append(
            [
                processors[board],
                profile,
                code,
                f"{of['count'] / 1e6:,.1f} million {unit}",
                f"{of['ram']:,}",
                f"{of['flash']:,}",
            ]
        )
    return table(["processor", "profile", "Keccak", "time", "RAM", "flash"], cells)


def recorded(name: str) -> list[dict[str, Any]]:
    """The objects of one results file; none when it is not there."""
    path = ROOT / f"results/{name}.json"
    return read(path) if path.is_file() else []


def per_byte(e: dict[str, Any]) -> str:
    """Cycles per byte of a simulated core, or executed instructions per byte."""
    return f"{e['cycles_per_byte'] if e['cycles_per_byte'] is not None else e['instructions'] / e['bytes']:.2f}"


def rv32_kernels() -> str:
    """The RV32 kernels on simulated cores: cycles per byte with warm caches; code, round keys and
    stack beside them.
    """
    found = [e for e in recorded("rv32-kernels") if e["cache"] != "cold"]
    if not found:
        return "No figures have been recorded in `results/` yet. `hanji-lab cycles` makes them.\n"
    sizes = {
        (e["kernel"], e["operation"].removeprefix("code of ")): e
        for e in recorded("rv32-kernel-size")
    }
    machines = list(dict.fromkeys(e["machine"] for e in found))
    rows: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
    for e in found:
        rows.setdefault((e["kernel"], e["operation"]), {})[e["machine"]] = e
    cells: list[list[object]] = []
    for (kernel, operation), row in rows.items():
        size = sizes.get((kernel, operation.partition("-")[0]))
        bytes_ = [size["bytes"], size["round_keys"], size["stack"]] if size else ["", "", ""]
        first = next(iter(row.values()))
        cells.append(
            [
                f"`{kernel}`",
                operation,
                first["bytes"],
                *(per_byte(row[m]) if m in row else "" for m in machines),
                *bytes_,
            ]
        )
    columns = [
        "kernel",
        "operation",
        "bytes per call",
        *(m.removeprefix("rtl:") for m in machines),
        "code",
        "round keys",
        "stack",
    ]
    return (
        "Cycles per byte with warm caches (qemu: instructions per byte); sizes in bytes. "
        f"{commands(found)}\n\n" + table(columns, cells)
    )


def commands(entries: list[dict[str, Any]]) -> str:
    """The commands and dates that figures come from."""
    return (
        "Made by "
        + ", ".join(
            dict.fromkeys(
                f"`{e['provenance']['command']}` on {e['provenance']['date']}" for e in entries
            )
        )
        + "."
    )


def paper(name: str) -> Callable[[], str]:
    """The published rows of a paper beside our stored results: what `hanji-lab paper NAME` prints."""

    def made() -> str:
        if not papers.stored_path(name, ROOT).is_file():
            return "No figures have been recorded yet. `hanji-lab paper --save` makes them.\n"
        report = papers.stored(name, ROOT)
        parts = [commands(report.entries) + "\n"]
        for one in report.tables:
            parts.append(f"{one.title}:\n\n" + table(one.columns, [list(row) for row in one.rows]))
        return "\n".join(parts)

    return made


def alike(name: str) -> Callable[[], str]:
    """The best of a paper compared with ours of the same kind, measured in the same way."""

    def made() -> str:
        content = papers.load(name, ROOT)
        entries = [*papers.own(name, ROOT), *papers.also(name, ROOT)]
        found = like.likes(content, entries)
        verdict = like.verdict(content, found) + "\n"
        if not found:
            return verdict
        cells: list[list[object]] = [
            [one.what, *both, one.unit, rows.ratio(one.ratio)]
            for one, both in zip(found, like.texts(found), strict=True)
        ]
        columns = ["what", "theirs", "ours", "unit", "ratio; above 1 ours is better"]
        return f"{verdict}\n{table(columns, cells)}"

    return made


def calls_aarch64() -> str:
    """Whole calls of the library on AArch64: instructions per byte by tier, and the model of the
    Cortex-A72.
    """
    found = recorded("calls-aarch64")
    if not found:
        return "No figures have been recorded in `results/` yet. `hanji-lab calls` makes them.\n"
    rows: dict[str, dict[str, str]] = {}
    for e in sorted(found, key=lambda e: e["kind"]):
        algorithm, _, tier = e["kernel"].partition(" ")
        many = (
            f"{e['messages']} messages of {e['bytes'] // e['messages']} bytes"
            if e["messages"] > 1
            else f"{e['bytes']} bytes"
        )
        column = f"{tier}" if e["kind"] == "count" else f"{tier}, A72 model c/B"
        value = (
            f"{e['instructions'] / e['bytes']:.2f}"
            if e["kind"] == "count"
            else f"{e['cycles_per_byte']:.2f}"
        )
        rows.setdefault(f"{algorithm} {e['operation']}, {many}", {})[column] = value
    columns = list(dict.fromkeys(column for row in rows.values() for column in row))
    return f"Instructions per byte by tier. {commands(found)}\n\n" + table(
        ["call", *columns],
        [[name, *(row.get(c, "") for c in columns)] for name, row in rows.items()],
    )


def headline() -> str:
    """The five papers in one table: where they were measured, what ours is, and how far it goes."""
    grid = report.headline(ROOT)
    cells: list[list[object]] = [[link.text for link in row] for row in grid.rows]
    return table(grid.columns, cells)


def figure_11() -> list[papers.Chart]:
    """Figure 11 of the paper on SPARKLE, with ours in it."""
    return papers.stored("sparkle-armv8", ROOT).charts


def rv32_cores() -> list[papers.Chart]:
    """SPECK and CHAM on every simulated core."""
    return papers.stored("speck-cham-rv32", ROOT).charts


def rv32_ratios() -> list[papers.Chart]:
    """The rows of the paper on SPECK and CHAM for RV32, divided by ours."""
    found = rows.pairs(papers.load("speck-cham-rv32", ROOT), papers.own("speck-cham-rv32", ROOT))
    return [chart for chart in [report.ratios("speck-cham-rv32", found)] if chart]


# Name of a picture in docs, for light ground and (with -dark) for dark: the charts in it.
PICTURES: dict[str, Callable[[], list[papers.Chart]]] = {
    "sparkle-armv8": figure_11,
    "speck-cham-rv32": rv32_cores,
    "rv32-ratios": rv32_ratios,
    "x86-speeds": x86_chart,
    "front-speeds": front_chart,
}
NARROW = {"front-speeds"}  # README is read on phones, and shows the picture at its own size


def pictures(check: bool) -> list[str]:
    """Draw the pictures of the documents whose figures have changed, or only name them."""
    late = []
    for name, made in PICTURES.items():
        wanted = made()
        for theme, ending in (("light", ""), ("dark", "-dark")):
            path = ROOT / f"docs/{name}{ending}.svg"
            if not path.is_file() or f"figures {charts.digest(wanted)}" not in path.read_text():
                late.append(str(path.relative_to(ROOT)))
                if not check:
                    charts.draw(wanted, path, theme, narrow=name in NARROW)
    return late


SPEEDS = {  # operation of `hanji-lab measure aimer`: how the table calls it
    "keypair": "key pair",
    "sign": "sign",
    "verify": "verify",
    "sign-expanded": "sign, key expanded",
    "verify-expanded": "verify, key expanded",
    "sign-batch": "sign in a batch",
    "verify-batch": "verify in a batch",
}


AIMER = "aimer3-"  # the generation that is not broken


def aimer_speed() -> str:
    """Core cycles of AIMer by set, tier and operation, on every core that was measured; Keccak; and
    two threads beside one.
    """
    stored = {name: on_core(name, "aimer") for name in (cores.REFERENCE, *cores.measured(ROOT))}
    parts = []
    for name, entries in stored.items():
        parts += aimer_on(name, [e for e in entries if e["kernel"].startswith(AIMER)])
        parts += keccak_on(name, entries)
    return "\n".join(parts) or (
        "No speeds have been recorded in `results/` yet. `hanji-lab measure aimer` makes them.\n"
    )


def aimer_broken_speed() -> str:
    """The same for the generations that are broken, without Keccak."""
    stored = {name: on_core(name, "aimer") for name in (cores.REFERENCE, *cores.measured(ROOT))}
    parts = []
    for name, entries in stored.items():
        parts += aimer_on(name, [e for e in entries if not e["kernel"].startswith(AIMER)])
    return "\n".join(parts) or (
        "No speeds have been recorded in `results/` yet. `hanji-lab measure aimer` makes them.\n"
    )


def aimer_on(where: str, entries: list[dict[str, Any]]) -> Iterator[str]:
    """The speeds of the sets of AIMer among these results of one core."""
    found = [e for e in entries if e["kind"] == "host" and e["kernel"].startswith("aimer")]
    counted = [e for e in found if e["cycles"] is not None]
    if not counted:
        return
    rows: dict[str, dict[str, str]] = {}
    for e in counted:
        name, _, tier = e["kernel"].partition(" ")
        rows.setdefault(f"`{name}` {tier}", {})[e["operation"]] = f"{e['cycles'] / 1000:,.0f}"
    text = (
        f"`{where}`, {counted[0]['machine']}: thousand core cycles, a message of 32 bytes; in a "
        f"batch per message. Measured by {measured(counted)}\n\n"
    )
    yield text + table(
        ["set and tier", *SPEEDS.values()],
        [[name, *(row.get(o, "") for o in SPEEDS)] for name, row in rows.items()],
    )
    for e in found:
        if "times_one_thread" in e:
            call, name = e["operation"].replace("-", "_"), e["kernel"].split()[0]
            many = (
                f"`{call}` of {e['messages']:,} messages with `{name}` in Python, {e['threads']} "
                f"threads on {e['processors']} processors"
            )
            each = (
                f"{e['microseconds_per_message']} microseconds each, {e['times_one_thread']} "
                "times as fast as one thread"
            )
            yield f"{many}: {each}.\n"


def keccak_on(where: str, entries: list[dict[str, Any]]) -> Iterator[str]:
    """The permutation under AIMer on one core."""
    cells: list[list[object]] = [
        [f"`{e['kernel']}`", e["states"], f"{e['cycles']:.0f}", e["cycles_per_state"]]
        for e in entries
        if e["kind"] == "host" and e["operation"] == "permute" and e["kernel"].startswith("keccak")
    ]
    if cells:
        yield f"Keccak-f[1600] on `{where}`, core cycles of one call:\n\n" + table(
            ["kernel", "states", "cycles", "per state"], cells
        )


SLHDSA_SPEEDS = {"keypair": "key pair", "sign": "sign", "verify": "verify"}


def slhdsa_speed() -> str:
    """Core cycles of SLH-DSA by set, tier and operation, on every core that was measured, and how
    many times as long others took in the same run.
    """
    stored = {name: on_core(name, "slh-dsa") for name in (cores.REFERENCE, *cores.measured(ROOT))}
    parts = [part for name, entries in stored.items() for part in slhdsa_on(name, entries)]
    return "\n".join(parts) or (
        "No speeds have been recorded in `results/` yet. `hanji-lab measure slh-dsa` makes them.\n"
    )


def slhdsa_on(where: str, entries: list[dict[str, Any]]) -> Iterator[str]:
    """The speeds of SLH-DSA among these results of one core, and of the others beside it."""
    cycles: dict[str, dict[str, dict[str, float]]] = {}  # by who, set and operation
    for e in entries:
        name, _, who = e["kernel"].partition(" ")
        cycles.setdefault(who, {}).setdefault(name, {})[e["operation"]] = e["cycles"]
    own = [who for who in cycles if " " not in who]
    if not own:
        return
    ours = [e for e in entries if e["kernel"].split(" ", 1)[1] in own]
    each = {**SLHDSA_SPEEDS, "verify-batch": "verify in a batch"}
    yield (
        f"`{where}`, {entries[0]['machine']}: thousand core cycles of one core, a message of 32 "
        f"bytes; in a batch per message. Measured by {measured(ours)}\n\n"
    ) + table(
        ["set and tier", *each.values()],
        [
            [f"`{name}` {who}", *(f"{row[o] / 1000:,.0f}" for o in each)]
            for who in own
            for name, row in cycles[who].items()
        ],
    )
    # The tier that each of the others was measured with, in turns.
    tiers = {who: "avx2" if who == "SPHINCS+ avx2" else own[-1] for who in cycles if who not in own}
    if not tiers:
        return
    yield (
        "How many times as long others took, in turns of the same run. Below 1 hanji was slower.\n\n"
    ) + table(
        ["set", "other", "tier of hanji", *SLHDSA_SPEEDS.values()],
        [
            [f"`{name}`", who, tier]
            + [f"{theirs[o] / cycles[tier][name][o]:.2f}" for o in SLHDSA_SPEEDS]
            for who, tier in tiers.items()
            for name, theirs in cycles[who].items()
        ],
    )


def aimer_memory() -> str:
    """Scratch memory of AIMer by set, with an expanded key: on this machine from the library, on
    RV32 as firmware says it.
    """
    firmware = {
        (e["kernel"], e["operation"]): e["bytes"]
        for e in results()
        if e["kind"] == "size" and e["operation"].endswith(" memory of sign")
    }
    rows: list[list[object]] = []
    for row in hanji._core.signature_sets():
        if not row["memory"]:
            continue
        cells = [row[name] for name in ("batch_memory", "memory", "small_memory")]
        cells.append(firmware.get((row["name"], "little memory of sign")))
        if row["least_memory"] < row["small_memory"]:
            cells += [row["least_memory"], firmware.get((row["name"], "least memory of sign"))]
        else:  # this set has no mode for less
            cells += [None, None]
        rows.append([f"`{row['name']}`", *("" if cell is None else f"{cell:,}" for cell in cells)])
    return table(
        ["set", "signing a batch", "full speed", "little", "little, RV32", "least", "least, RV32"],
        rows,
    )


def gpu_speeds() -> str:
    """What lab/gpu/run-all measured: the fastest kernel for each job, without transfers."""
    parts = []
    for path in sorted((ROOT / "results").glob("gpu-*.json")):
        entries = [e for e in read(path) if "blocks_per_s" in e and not e.get("transfers")]
        large = [e for e in entries if e.get("table") is None]

        def best(
            key: str, operation: str, layout: str, large: list[dict[str, Any]] = large
        ) -> dict[str, Any] | None:
            found = [
                e
                for e in large
                if e["operation"] == operation and re.fullmatch(f"{key}_sm75_{layout}", e["kernel"])
            ]
            return max(found, key=lambda e: e["blocks_per_s"], default=None)

        rows: list[list[object]] = []
        for name, algorithm in spec.ALGORITHMS.items():
            key = spec.identifier(name)
            jobs = [
                best(key, "ctr", r"ctr_x\d+"),
                best(key, "fleet", "fleet_x(2|32)"),
                best(key, "fleet", "fleet_x1"),
            ]
            if any(jobs):
                rows.append([algorithm.name, *(_gpu_cell(e) if e else "" for e in jobs)])
        copy = next(e for e in read(path) if e["operation"] == "copy")
        sponges = [e for e in large if e["operation"] == "seal"]
        name = path.stem.removeprefix("gpu-").upper()
        parts.append(
            f"NVIDIA {name}, {copy['multiprocessors']} multiprocessors at {copy['clock_ghz']:.2f} "
            f"GHz, kernels alone (`{copy['provenance']['command']}`, {copy['provenance']['date']}). "
            "Thousand millions a second; in brackets the share of what the ALU can do:\n\n"
            + table(
                [
                    "cipher",
                    "one key, CTR: blocks",
                    "a key per message, CTR: messages of a block",
                    "ragged: messages of a block",
                ],
                rows,
            )
            + "\n"
            + " ".join(
                f"{spec.algorithm(e['kernel'].split('_sm75')[0]).name} seals "
                f"{e['blocks_per_s'] / 1e9:.2f} thousand million messages of 64 bytes a second, "
                f"each with its own key ({100 * e['share_of_alu_bound']:.0f} % of the ALU)."
                for e in sponges
            )
            + f" A copy within the device moves {copy['copy_moved_gb_per_s']:,.0f} GB/s. With copies "
            "from and to page-locked host memory, CTR does "
            + ", ".join(
                f"{e['gb_per_s']:.1f} GB/s ({spec.algorithm(e['kernel'].split('_sm75')[0]).name})"
                for e in read(path)
                if e.get("transfers")
            )
            + f": PCIe moves {copy['two_way_gb_per_s_each']:.1f} GB/s in each direction at once.\n"
        )
    return "\n".join(parts)


def _gpu_cell(e: dict[str, Any]) -> str:
    layout = e["kernel"].rpartition("_")[2]
    slices = ", in slices" if layout == "x32" else ""
    return f"{e['blocks_per_s'] / 1e9:.1f} ({100 * e['share_of_alu_bound']:.0f} %{slices})"


def gpu_calls() -> str:
    """What whole calls of Python take, as lab/gpu/run-all measured them."""
    parts = []
    for path in sorted((ROOT / "results").glob("gpu-*.json")):
        found = [e for e in read(path) if e.get("place") in PLACES]
        if not found:
            continue
        most = max(e["messages"] for e in found)
        rows: dict[tuple[str, str], dict[str, str]] = {}
        for e in found:
            fewer = f" ({e['messages']:,} messages)" if e["messages"] < most else ""
            size = f"{e['bytes'] // e['messages']:,}{fewer}"
            call = f"{e['kernel']}, {e['operation'].removeprefix('call of ')}"
            rows.setdefault((call, size), {})[e["place"]] = _call_cell(e)
        origin, processors = found[0]["provenance"], found[0]["processors"]
        parts.append(
            f"Whole calls of Python on an NVIDIA {path.stem.removeprefix('gpu-').upper()} with "
            f"{processors} processors ({short(found[0]['processor'])}; `{origin['command']}`, "
            f"{origin['date']}): nanoseconds a message of {most:,}, each with its own key. Results "
            "are new arrays; texts of page-locked arrays go into a page-locked array. The last "
            f"column is the same call on the {processors} processors:\n\n"
            + table(
                ["call", "bytes", *PLACES],
                [[*row, *(cells.get(p, "") for p in PLACES)] for row, cells in rows.items()],
            )
        )
    return "\n".join(parts) or "Nothing is recorded yet; `lab/gpu/run-all` measures it.\n"


def _call_cell(e: dict[str, Any]) -> str:
    """Nanoseconds with two digits, or that the call is wrong."""
    if not e["correct"]:
        return "wrong"
    took = e["nanoseconds_per_message"]
    return f"{took:,.{2 if took < 0.995 else 1 if took < 9.95 else 0}f}"


def telemetry() -> str:
    """What opening telemetry costs: columns of frames, and files of them."""
    found = recorded(f"telemetry-{HOST}")
    if not found:
        return "Nothing is recorded yet; `hanji-lab measure telemetry --save` measures it.\n"
    parts = {  # fields of a result for hanji_telemetry_open -> what they are
        "open_ns": "`hanji_telemetry_open`, one thread",
        "two_threads_ns": "the same in two threads at once, of both processors together",
        "one_key_ns": "with one master key for all devices: nothing is looked up",
        "derive_ns": "deriving the epoch key alone, in the cache",
        "decrypt_ns": "SCHWAEMM256-128 alone, in the cache",
        "seal_ns": "`hanji_telemetry_seal`",
    }
    calls = [e for e in found if e["kernel"] == "hanji_telemetry_open"]
    rows: list[list[object]] = [
        [what, *(f"{e[field]:.0f}" for e in calls)] for field, what in parts.items()
    ]
    rows.append(["two threads, times as fast as one", *(e["two_threads_wall"] for e in calls)])
    if all("two_threads_processor" in e for e in calls):
        split = "the same by what frames cost of both processors, whoever else used them"
        rows.append([split, *(e["two_threads_processor"] for e in calls)])
    files = [e for e in found if e["kernel"] != "hanji_telemetry_open"]
    names = {
        ("Polars", "pass"): "Polars copies the files",
        ("Polars", "open"): "Polars opens them with an `Opener`",
        ("hanji telemetry open", "open"): "`hanji telemetry open`, with the search for replays",
        ("hanji telemetry open", "open with polars"): "`hanji telemetry open --engine polars`",
    }
    costs: list[list[object]] = [
        [
            names[e["kernel"], e["operation"]],
            f"{e['nanoseconds']:.0f}",
            f"{e['seconds']:.1f}",
            f"{e['peak_memory_bytes'] / 1e9:.2f} GB" if "peak_memory_bytes" in e else "",
        ]
        for e in files
    ]
    opened = next(e for e in files if e["kernel"] == "Polars" and e["operation"] == "open")
    columns = [f"{e['devices']:,} devices" for e in calls]
    return (
        f"{found[0]['machine']}: nanoseconds of a processor per frame, payloads of 64 bytes,"
        f" devices in random order. Measured by {measured(found)}\n\n"
        + table(["step", *columns], rows)
        + f"\n{opened['frames']:,} frames of {opened['devices']:,} devices from Parquet to Parquet,"
        f" on {opened['processors']} processors; 1 % forged, 1 % sent twice, 0.1 % of "
        "unknown devices."
        " Opening with Polars adds"
        f" {opened['added_nanoseconds']:.0f} ns of processor time a frame to copying:"
        f" {opened['ratio_to_pass']:.2f} times the time.\n\n"
        + table(["way", "ns of processors a frame", "seconds", "memory"], costs)
    )


def telemetry_machines(devices: int = 1_000_000_000, cores: int = 16, parts: int = 100) -> str:
    """How many machines a message a minute of so many devices takes, by what was measured."""
    found = recorded(f"telemetry-{HOST}")
    if not found:
        return "Nothing is recorded yet; `hanji-lab measure telemetry --save` measures it.\n"
    frames = devices / 60
    ways = {
        "reading, opening and writing with Polars": ("Polars", "open"),
        "`hanji telemetry open`, which looks for replays": ("hanji telemetry open", "open"),
    }
    rows: list[list[object]] = []
    for way, place in ways.items():
        cost = next(e["nanoseconds"] for e in found if (e["kernel"], e["operation"]) == place)
        busy = math.ceil(frames * cost / 1e9)
        rows.append([way, f"{cost:,.0f}", busy, math.ceil(busy / cores) + 1])
    slots = devices - devices // 4 + 1  # of 64 bytes, for three devices each: src/telemetry/keys.c
    keys = 64 * slots / devices
    return (
        f"For {devices:,} devices with a message a minute, {frames / 1e6:.1f} million frames come"
        " each second. At the cost that was measured they keep so many cores busy:\n\n"
        + table(["way", "ns a frame", "cores", f"machines of {cores}, one of them spare"], rows)
        + f"\nThe keys are what does not fit everywhere: at {keys:.0f} bytes a device they take"
        f" {keys * devices / 1e9:.0f} GB, in each process. Partition by device, into {parts}"
        f" folders; a worker then needs {keys * devices / parts / 1e6:.0f} MB of keys.\n"
    )


def proofs() -> str:
    """How many kernels there are for each instruction set, and how many of them are proved, by the
    rules of the checkout and by earlier ones.
    """
    proved = [row for row in soundness.held(ROOT) if row["verdict"] == "proved"]
    earlier = soundness.earlier(ROOT, proved)
    grid: list[list[object]] = []
    for isa, name in pages.SETS.items():
        for source, written in ((".S", "assembly"), (".c", "C"), (".ptx", "PTX")):
            kernels = {
                (k.source, k.symbol)
                for k in soundness.all_kernels(ROOT)
                if k.isa == isa and k.source.endswith(source)
            }
            if not kernels:
                continue
            counts: Counter[tuple[bool, bool]] = Counter()
            for row in proved:
                key = soundness.key_of(row)
                if key[:2] in kernels:
                    counts[key[2] == "clang", key in earlier] += 1
            asked = name.startswith("AVX") and source == ".c"
            of_clang = [counts[True, False], counts[True, True]] if asked else ["-", "-"]
            grid.append(
                [name, written, len(kernels), counts[False, False], counts[False, True], *of_clang]
            )
    heads = ["instructions", "in", "kernels", "proved", "by earlier rules"]
    return table([*heads, "made by clang: proved", "by earlier rules"], grid)


@functools.cache
def verdicts() -> list[pages.Line]:
    """All kernels of the library with the verdicts that hold for the checkout."""
    return pages.lines(ROOT, soundness.held(ROOT))


def proof_times() -> str:
    """What the proofs of each instruction set took, and the longest of them."""
    entries = read(ROOT / "results/proofs.json", "tools/prove_all.py --all")
    grid: list[list[object]] = []
    for entry in entries:
        isa, _, compiler = entry["kernel"].partition(" ")
        seconds, longest = f"{entry['seconds']:,.0f}", f"`{entry['longest']}`"
        took = f"{entry['longest_seconds']:.0f}"
        grid.append([pages.SETS[isa], compiler or "-", entry["proofs"], seconds, longest, took])
    seconds = sum(entry["seconds"] for entry in entries)
    minutes = round(seconds / 120)
    said = (
        f"The whole set took {seconds:,.0f} seconds of processor time, {minutes // 60} h "
        f"{minutes % 60} min on two cores ({entries[0]['machine']})."
    )
    heads = ["instructions", "made by", "proofs", "seconds", "the longest", "seconds"]
    return f"{table(heads, grid)}\n{said}"


def verdict_page(name: str) -> str:
    """The kernels of one page of verdicts."""
    return pages.page(verdicts(), pages.PAGES[name])


RECORDED = {  # kind of a figure -> how it came about, in the words of docs/platforms.md
    "host": "hardware",
    "gpu": "hardware",
    "rtl": "RTL",
    "count": "executed instructions",
    "model": "model",
}


def recorded_machines() -> str:
    """Every machine whose figures are stored, how they were taken, and when last."""
    newest: dict[tuple[str, str], str] = {}
    stored = [*(ROOT / "results").rglob("*.json"), *ROOT.glob("papers/*/results/*.json")]
    for path in sorted(stored):
        for entry in read(path):
            if (how := RECORDED.get(entry["kind"])) is None:
                continue
            name = entry["machine"]
            if name.startswith("simavr:"):
                how = "simavr"
            elif entry["kind"] == "count":
                how = f"{'emulator' if name.startswith('sass:') else 'qemu'}, {how}"
            elif entry["kind"] == "host":
                in_cores = path.parent.parent.name == "cores"
                name = f"{path.parent.name if in_cores else cores.REFERENCE} ({name})"
            date = entry["provenance"]["date"]
            newest[name, how] = max(date, newest.get((name, how), ""))
    listed: list[list[object]] = [
        [f"`{name}`", how, date]
        for (name, how), date in sorted(newest.items(), key=lambda item: item[0][::-1])
        if not name.startswith(f"{cores.REFERENCE} (processor beside")
    ]
    return table(["machine", "how", "newest figure"], listed)


PARTS: dict[str, Callable[[], str]] = {
    "recorded-machines": recorded_machines,
    "proofs": proofs,
    "proof-times": proof_times,
    "proved-families": lambda: pages.by_family(verdicts()),
    "not-proved": lambda: pages.not_proved(verdicts()),
    **{name: functools.partial(verdict_page, name) for name in pages.PAGES},
    "headline": headline,
    "families": families,
    "algorithms": algorithm_tables,
    "signature-sets": signature_sets,
    "rainbow-sets": lambda: signature_sets(rainbow=True),
    "limits": limit_table,
    "figures": figures,
    "figures-by-length": figures_by_length,
    "break-even": break_even,
    "x86-speeds": x86_speeds,
    "ascon-beside": ascon_beside,
    "footprints": footprints,
    "firmware-messages": firmware_messages,
    "firmware-tiny-kernels": firmware_tiny_kernels,
    "firmware-slhdsa": firmware_slhdsa,
    "rv32-kernels": rv32_kernels,
    **{name: paper(name) for name in papers.names(ROOT)},
    **{f"like-{name}": alike(name) for name in papers.names(ROOT)},
    "calls-aarch64": calls_aarch64,
    "gpu-speeds": gpu_speeds,
    "gpu-calls": gpu_calls,
    "slhdsa-speed": slhdsa_speed,
    "aimer-speed": aimer_speed,
    "aimer-broken-speed": aimer_broken_speed,
    "aimer-memory": aimer_memory,
    "telemetry": telemetry,
    "telemetry-machines": telemetry_machines,
}


def documents(root: Path = ROOT) -> list[Path]:
    """The Markdown files of the project that may have generated parts."""
    return sorted(
        [
            *root.glob("*.md"),
            *root.glob("docs/*.md"),
            *root.glob("papers/*.md"),
            *root.glob("papers/*/*.md"),
        ]
    )


def folded(text: str) -> str:
    """The text with its lines, but for rows of tables, broken at 100 columns; code stays whole."""
    lines = []
    for line in text.splitlines():
        if len(line) > 100 and not line.startswith("|"):
            whole = re.sub(r"`[^`]+`", lambda code: code[0].replace(" ", "\0"), line)
            line = textwrap.fill(
                whole, 100, break_long_words=False, break_on_hyphens=False
            ).replace("\0", " ")
        lines.append(line)
    return "\n".join(lines) + "\n"


def rewrite(text: str) -> str:
    """A document with its generated parts made anew; KeyError for a part that nobody makes."""
    return PART.sub(lambda found: f"{found[1]}\n{folded(PARTS[found[2]]())}\n{found[3]}", text)


def update(paths: Iterable[Path], check: bool = False) -> list[str]:
    """Write the generated parts of these documents, or with `check` nothing; those that were not
    up to date.
    """
    late = []
    for path in paths:
        text = path.read_text()
        if (new := rewrite(text)) != text:
            late.append(str(path.relative_to(ROOT)))
            if not check:
                path.write_text(new)
    return late


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args().check
    late = pictures(check) + update(documents(), check)
    if late:
        print(
            f"{'not up to date' if check else 'written'}: {', '.join(late)}"
            + (f"; run {COMMAND}" if check else "")
        )
    sys.exit(1 if check and late else 0)


if __name__ == "__main__":
    main()
