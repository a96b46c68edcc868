# SPDX-License-Identifier: Apache-2.0
"""The command hanji-lab."""

from __future__ import annotations

import functools
import inspect
import json
import os
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, TypeVar

import click
from click.exceptions import Exit
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from . import __version__, brought, charts, doctor, forge, gates, machines, papers, results, spec
from . import calls as library_calls
from . import cycles as counting
from . import report as pages
from . import size as sizing
from .cases import CaseError, default_values
from .checkout import LabError, find_checkout
from .checks import Checker, Report
from .ct import LEVELS, Coverage, FileCoverage, Valgrind
from .ct import mcu as ct_mcu
from .ct.opcodes import OpcodeScan
from .ct.plants import NOT_SEEN
from .ct.rainbow import RainbowCheck, RainbowTraces, traceable
from .ct.rainbow import is_built as rainbow_is_built
from .ct.traces import Traces, with_traces
from .gpu import bench as gpu_bench
from .kernels import Kernel, chosen, inventory
from .layouts import LAYOUTS
from .machines.rv32.rtl import bring as bring_core
from .measure import messages, quiet
from .measure import parts as measuring
from .measure import sweep as sweeping
from .papers import like, rows
from .trace import TARGETS


class _Command(click.Command):
    def get_short_help_str(self, limit: int = 45) -> str:
        """The first sentence, however long: it is wrapped, not cut."""
        return super().get_short_help_str(1000)


class _Group(click.Group):
    """Commands in the order of the source."""

    command_class = _Command

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help())
            ctx.exit(2)
        return super().parse_args(ctx, args)


@click.group(
    "hanji-lab",
    cls=_Group,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "show_default": True,
    },
)
@click.version_option(
    __version__, prog_name="hanji-lab", message="%(prog)s %(version)s", help="Print the version."
)
def app() -> None:
    """The laboratory of hanji: executable specifications of the ciphers, and checks of the kernels.

    Exit status: 0 good, 1 a check failed, 2 wrong usage; `leak` has 3, no verdict, too.
    """


# A table that goes into a file or a pipe is not squeezed into 80 columns.
out = Console(width=None if sys.stdout.isatty() else 160, emoji=False)

Function = TypeVar("Function", bound=Callable[..., Any])
COMPILERS = ["gcc", "clang"]
PATH = click.Path(path_type=Path)
FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print a list of JSON objects instead of a table."
)
root_option = click.option(
    "--root", type=FOLDER, help="Root of the checkout; by default the one around you."
)
cc_option = click.option(
    "--cc",
    "compiler",
    type=click.Choice(COMPILERS),
    default="gcc",
    help="Compiler.",
)
# of a file without header, for `cycles` and `prove`
blocks_option = click.option(
    "--blocks",
    type=click.IntRange(1),
    default=1,
    help="Of a FILE without header: blocks per group.",
)
kernel_option = click.option("--kernel", help="Of a FILE: the function, if it has more than one.")
layout_option = click.option(
    "--layout",
    default="canonical",
    help="Of a FILE without header: layout of its round keys (lab/layouts.py).",
)


def glob(what: str) -> Callable[[Function], Function]:
    """The argument `pattern`, which is * when it is not given."""
    return click.argument("pattern", metavar="[GLOB]", default="*", help=f"{what}; default: all.")


def save_option(what: str) -> Callable[[Function], Function]:
    return click.option("--save", is_flag=True, help=what)


def fail(text: str) -> None:
    """Say on standard error what is wrong."""
    print(f"hanji-lab: {text}", file=sys.stderr)


def print_json(objects: list[dict[str, Any]]) -> None:
    """Print machine-readable results, without wrapping or colour."""
    print(json.dumps(objects, indent=1))


def print_table(title: str, columns: list[str], rows: list[list[str]]) -> None:
    """Print a table without frame; names are never broken."""
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for i, column in enumerate(columns):
        table.add_column(column, overflow="fold", no_wrap=i == 0)
    for row in rows:
        table.add_row(*map(escape, row))
    if out.is_terminal:
        out.print(table)
        return
    with out.capture() as text:  # into a file or a pipe: no spaces at the ends of lines
        out.print(table)
    print("\n".join(line.rstrip() for line in text.get().splitlines()))


@app.command()
@glob("Names to list, such as 'speck*' or '*.encrypt'")
@json_option
def specs(pattern: str, as_json: bool) -> None:
    """List the executable specifications that a kernel header can name."""
    found = [name for name in spec.names() if fnmatch(name, pattern)]
    if not found:
        fail(
            f"no specification matches {pattern!r}; without a pattern all "
            f"{len(spec.names())} are listed"
        )
        raise Exit(1)
    entries = [
        {
            "name": name,
            "arguments": ", ".join(inspect.signature(spec.resolve(name)).parameters),
            "summary": (inspect.getdoc(spec.resolve(name)) or "").splitlines()[0],
        }
        for name in found
    ]
    if as_json:
        print_json(entries)
        return
    print_table(
        f"{len(entries)} executable specifications",
        ["name", "arguments", "what"],
        [[entry["name"], entry["arguments"], entry["summary"]] for entry in entries],
    )


@app.command()
@glob("Names to list, such as 'speck*'")
@root_option
@json_option
def kernels(pattern: str, root: Path | None, as_json: bool) -> None:
    """List the kernels of the checkout: their headers, and the rows of the library's tables.

    Builds the library in build/lab/listing to ask it for its tables. A header that is wrong is an
    error (status 1).
    """
    found, errors = inventory(find_checkout(root))
    chosen = [kernel for kernel in found if fnmatch(kernel.name, pattern)]
    if as_json:
        print_json([kernel.to_json() for kernel in chosen])
    elif chosen:
        print_table(
            f"{len(chosen)} kernels",
            ["name", "equals", "isa", "group", "stack", "usable here", "source"],
            [
                [
                    kernel.name,
                    kernel.spec,
                    kernel.isa,
                    str(kernel.blocks),
                    "" if kernel.stack is None else str(kernel.stack),
                    {True: "yes", False: "no", None: ""}[kernel.usable],
                    kernel.source if kernel.line is None else f"{kernel.source}:{kernel.line}",
                ]
                for kernel in chosen
            ],
        )
    for error in errors:
        fail(str(error))
    if not chosen and not errors:
        fail(f"no kernel matches {pattern!r}; without a pattern all {len(found)} are listed")
    if errors or not chosen:
        raise Exit(1)


@app.command()
@cc_option
@click.option("-O", "level", type=click.IntRange(1, 3), default=2, help="Optimisation level.")
@click.option("--all", "everything", is_flag=True, help="Both compilers at levels 1, 2 and 3.")
@click.option(
    "--on",
    multiple=True,
    help="host, or a processor under qemu; by default all of these that can run here. "
    "Of microcontrollers (simavr:atmega328p, qemu:cortex-m0, -m3, -m4) only by its name.",
)
@click.option(
    "--check",
    "only",
    multiple=True,
    help="Only the check of this name, such as ct-gcc-O2.",
)
@root_option
@json_option
def ct(
    compiler: str,
    level: int,
    everything: bool,
    on: tuple[str, ...],
    only: tuple[str, ...],
    root: Path | None,
    as_json: bool,
) -> None:
    """Check that no secret decides a branch or an address: with valgrind, by a scan of what it
    cannot run, and by traces under qemu.

    Compiles the library in build/lab, marks keys, plaintexts and states as secret, and runs every
    algorithm and mode. Known leaks are run first: when one of them is not caught, no result is
    given (status 1).
    """
    checkout = find_checkout(root)
    configurations = (
        [(c, o) for c in COMPILERS for o in LEVELS] if everything else [(compiler, level)]
    )
    processors = on or [
        "host",
        *(name for name, target in TARGETS.items() if target.why_not() is None),
    ]
    if unknown := [name for name in processors if name not in ("host", *TARGETS, *ct_mcu.BOARDS)]:
        known = ", ".join([*TARGETS, *ct_mcu.BOARDS])
        raise LabError(f"--on {unknown[0]} given, host or one of {known} expected")
    if missing := [
        f"{name}: {reason}"
        for name in processors
        if name in TARGETS and (reason := TARGETS[name].why_not())
    ]:
        raise LabError("\n".join(missing))
    traces = [Traces(checkout, TARGETS[name]) for name in processors if name in TARGETS]
    checkers: list[Checker] = []
    if "host" in processors:
        checkers += [
            Valgrind(checkout, family, optimisation) for family, optimisation in configurations
        ]
        checkers += [
            RainbowCheck(checkout, family, optimisation)
            for family, optimisation in configurations
            if rainbow_is_built()
        ]
    of_library = not set(processors) <= set(ct_mcu.BOARDS)
    if of_library:
        checkers += [
            OpcodeScan(checkout, family)
            for family in dict.fromkeys(family for family, _ in configurations)
        ]
    checkers += traces
    checkers += [
        ct_mcu.Microcontroller(checkout, messages.board(name))
        for name in processors
        if name in ct_mcu.BOARDS
    ]
    checkers += [
        RainbowTraces(checkout, TARGETS[name])
        for name in processors
        if name == "aarch64" and traceable()
    ]
    if strange := sorted(set(only) - {checker.name for checker in checkers}):
        raise LabError(
            f"--check {', '.join(strange)} given, one of "
            f"{', '.join(checker.name for checker in checkers)} expected"
        )
    checkers = [checker for checker in checkers if not only or checker.name in only]

    def check(checker: Checker) -> Report:
        if not as_json and len(checkers) > 1:
            print(f"{checker.name}: {checker.covers} ...", file=sys.stderr)
        return checker.run()

    # each waits for a compiler, valgrind or qemu
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        reports = list(pool.map(check, checkers))
    files = [] if only or not of_library else with_traces(Coverage(checkout).files, traces)
    bare = [file.source for file in files if file.bare]
    problems = [f"{report.checker}: {problem}" for report in reports for problem in report.problems]
    if as_json:
        covered = [{"kind": "file", **asdict(file)} for file in files]
        print_json([entry for report in reports for entry in report.objects] + covered)
    else:
        _print_ct(reports, files)
    for problem in problems:
        fail(problem)
    if bare:
        fail(f"no check reaches {', '.join(bare)}: add one to lab/ct/harness.c")
    if problems or bare:
        raise Exit(1)


def _print_ct(reports: list[Report], files: list[FileCoverage]) -> None:
    rows: dict[str, dict[str, Any]] = {}
    for report in reports:
        for entry in report.objects:
            if entry["kind"] not in ("check", "control"):
                continue
            name = entry["group"] if entry["kind"] == "check" else f"control: {entry['group']}"
            row = rows.setdefault(
                name, {"secrets": entry["secrets"], "subjects": set(), "errors": {}}
            )
            row["subjects"].add(entry["subject"])
            row["errors"][report.checker] = row["errors"].get(report.checker, 0) + entry["errors"]
    print_table(
        "errors by check (a control: leak must have some)",
        ["check", "subjects", "secret", *(report.checker for report in reports)],
        [
            [
                name,
                str(len(row["subjects"])),
                row["secrets"],
                *(str(row["errors"].get(report.checker, "")) for report in reports),
            ]
            for name, row in rows.items()
        ],
    )
    if not files:
        return
    print_table(
        "functions of each source file that the checks reach",
        ["source", "reached", "checks", "note"],
        [
            [
                file.source,
                f"{file.functions - len(file.unreached)} of {file.functions}",
                ", ".join(file.checks),
                file.note,
            ]
            for file in files
            if file.functions or not file.source.endswith(".h")
        ],
    )
    checks = [entry for report in reports for entry in report.objects if entry["kind"] == "check"]
    released = {reason for entry in checks for reason in entry["released"]}
    print("made public on the way: " + "; ".join(sorted(released)))
    for method, unseen in NOT_SEEN.items():
        print(
            f"{method} does not see: "
            + (
                "; ".join(f"{kind} ({reason})" for kind, reason in unseen.items())
                or "none of the planted kinds"
            )
        )
    for report in reports:
        print(
            f"{report.checker}: {'no secret in a branch or an address' if report.passed else f'{len(report.problems)} problems'}"
        )


def _figures(found: list[results.Result]) -> list[list[str]]:
    return [
        [
            result.kernel,
            result.machine,
            result.operation,
            "" if result.bytes is None else str(result.bytes),
            "" if result.instructions is None else f"{result.instructions:.0f}",
            "" if result.cycles is None else f"{result.cycles:.0f}",
            "" if result.cycles_per_byte is None else f"{result.cycles_per_byte:.2f}",
            ", ".join(
                f"{name.replace('_', ' ')} {value}"
                for name, value in result.more.items()
                if isinstance(value, int | float | str)
            ),
        ]
        for result in found
    ]


FIGURES = ["kernel", "machine", "operation", "bytes", "instructions", "cycles", "c/B", "more"]


@app.command()
@click.argument(
    "what",
    metavar="[PART|all]...",
    nargs=-1,
    help="What to measure; by default host, python and seal.",
)
@cc_option
@save_option(
    "Write results/PART-MACHINE-COMPILER.json of the checkout, or, on another core than the "
    "reference, results/cores/CORE/PART-MACHINE-COMPILER.json; rainbow into "
    "papers/rainbow-armv8/results instead; `all` always does."
)
@click.option(
    "--again", is_flag=True, help="With all: begin again instead of going on where it stopped."
)
@root_option
@json_option
def measure(
    what: tuple[str, ...],
    compiler: str,
    save: bool,
    again: bool,
    root: Path | None,
    as_json: bool,
) -> None:
    """Measure this machine, or with `all` everything that it can measure, into results/.

    host gives core cycles of the library with every tier of kernels, and of Crypto++ and OpenSSL in the same run where they are installed;
    python is Python beside C; seal is sealing 1 GiB. `hanji-lab doctor` lists all parts. `all`
    takes under 20 minutes, shows how far it is, and goes on where it stopped when it is
    interrupted. Let nothing else run meanwhile.
    """
    checkout = find_checkout(root)
    bench = measuring.Bench(checkout, compiler)
    if what and "all" in what:
        if len(what) > 1:
            raise LabError(f"{' '.join(what)} given; `all` stands alone")
        _measure_all(bench, again)
        return
    made: list[results.Result] = []
    for part in measuring.find(what or ["host", "python", "seal"]):

        def tell(result: results.Result, name: str = part.name) -> None:
            if sys.stderr.isatty():
                print(
                    (
                        f"{name}: {result.kernel} {result.operation} "
                        f"{'' if result.bytes is None else f'{result.bytes} B'}"
                    ),
                    file=sys.stderr,
                )

        found = measuring.run(part, bench, tell)
        made += found
        if save:
            results.write(part.path(bench), found)
            print(f"written: {part.path(bench).relative_to(checkout)}", file=sys.stderr)
        if remark := quiet.remark():
            print(f"{part.name}: {remark}", file=sys.stderr)
    if as_json:
        print_json([result.to_json() for result in made])
    else:
        print_table(
            f"{made[0].provenance.tools[0]}, {made[0].provenance.flags}", FIGURES, _figures(made)
        )


def _numbers(text: str, option: str, least: int, most: int) -> list[int]:
    """Parse numbers and ranges such as "1-64,128"."""
    expected = f"numbers from {least} to {most} expected, such as 1-64,128"
    found: set[int] = set()
    for part in text.split(","):
        ends = part.split("-")
        if len(ends) > 2 or not all(end.isascii() and end.isdecimal() for end in ends):
            raise LabError(f"{option} {text!r} given; {expected}")
        first, last = int(ends[0]), int(ends[-1])
        if not least <= first <= last <= most:
            raise LabError(f"{option} {text!r} given; {expected}")
        found |= set(range(first, last + 1))
    return sorted(found)


@app.command()
@click.argument("old", default="HEAD", help="The build to compare with.")
@click.argument("new", default=".", help="The build that may have become slower.")
@click.option(
    "--only",
    multiple=True,
    metavar="GLOB",
    help="Only calls whose 'ALGORITHM OPERATION' matches, such as '*eax*'; may be repeated.",
)
@click.option(
    "--lengths", help="Bytes of a message, such as 1-64,128; default: 0-130 and a grid to 2048."
)
@click.option("--counts", help="Messages of a fleet, such as 1-8,16; default: 1-130.")
@click.option(
    "--minutes",
    type=click.FloatRange(0.01, 600),
    default=10.0,
    help="How long to measure, not counting the builds.",
)
@click.option(
    "--tolerance",
    type=click.FloatRange(1, 100),
    default=5.0,
    help="Report calls that became slower by more than this percentage.",
)
@click.option(
    "--plant",
    type=click.IntRange(0, sweeping.LONGEST),
    metavar="BYTES",
    help="A control: make NEW 10 % slower where messages have this length.",
)
@cc_option
@root_option
@json_option
def sweep(
    old: str,
    new: str,
    only: tuple[str, ...],
    lengths: str | None,
    counts: str | None,
    minutes: float,
    tolerance: float,
    plant: int | None,
    compiler: str,
    root: Path | None,
    as_json: bool,
) -> None:
    """Compare the speed of two builds of the library at all small sizes.

    Prints the calls that became slower; if there are any, the exit status is 1.

    OLD and NEW are each a git revision, a source tree or a CMake build folder. Append @TIER to use
    only the kernels of that tier. By default, the last commit is compared with the working tree.
    Short slices of both builds alternate in one process, so that other programs disturb both alike;
    an idle machine still shows smaller differences.

    Example: hanji-lab sweep main . --only 'speck* ctr*' --minutes 2

    Example with two tiers: hanji-lab sweep .@avx2 .@avx512
    """
    checkout = find_checkout(root)
    chosen = sweeping.points(
        only,
        sweeping.LENGTHS
        if lengths is None
        else _numbers(lengths, "--lengths", 0, sweeping.LONGEST),
        sweeping.COUNTS
        if counts is None
        else _numbers(counts, "--counts", 1, max(sweeping.COUNTS)),
    )
    sides = [sweeping.side(checkout, text, compiler) for text in (old, new)]
    console = Console(stderr=True, emoji=False)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    with Progress(
        *columns, TimeElapsedColumn(), console=console, disable=not console.is_terminal
    ) as progress:
        bar = progress.add_task("", total=1.0)

        def tell(what: str, done: float) -> None:
            progress.update(bar, description=escape(what), completed=done)

        found, hertz = sweeping.sweep(
            checkout, sides[0], sides[1], chosen, minutes, tolerance / 100, compiler, tell, plant
        )
    slower = sweeping.stretches(found)
    if as_json:
        print_json(
            [
                asdict(one.point)
                | {"seconds_old": one.old, "seconds_new": one.new, "ratio": round(one.ratio, 4)}
                | {"ratio_of_pairs": round(one.paired, 4), "slower": one.confirmed}
                for one in found
            ]
        )
    else:
        names = ["the working tree" if text == "." else text for text in (old, new)]
        _print_sweep(found, slower, hertz, names, tolerance)
    if missing := len(chosen) - len(found):
        fail(f"{missing} of {len(chosen)} points were skipped: one of the builds lacks the call")
    if slower:
        raise Exit(1)


def _print_sweep(
    found: list[sweeping.Comparison],
    slower: list[sweeping.Stretch],
    hertz: float,
    names: list[str],
    tolerance: float,
) -> None:
    old, new = names
    print_table(
        f"time of {new} over time of {old}",
        ["algorithm", "operation", "average", "best", "worst"],
        [
            [*series, *(f"{ratio:.3f}" for ratio in ratios)]
            for series, ratios in sweeping.averages(found).items()
        ],
    )
    if slower:
        print_table(
            f"more than {tolerance:g} % slower",
            ["algorithm", "operation", "bytes or messages", "worst", "cycles (approximate)"],
            [
                [
                    *stretch.series,
                    f"{stretch.first}"
                    if stretch.first == stretch.last
                    else f"{stretch.first} to {stretch.last}",
                    f"{1 + stretch.worst.slower:.2f} at {stretch.worst.point.place}",
                    f"{stretch.worst.old * hertz:.0f} -> {stretch.worst.new * hertz:.0f}",
                ]
                for stretch in slower
            ],
        )
    print(
        f"{len(found)} points; on average (geometric mean over the rows above) {new} takes "
        f"{sweeping.average(found):.3f} times as long as {old}; "
        + (
            f"more than {tolerance:g} % slower: {sum(one.confirmed for one in found)}"
            if slower
            else f"no point is more than {tolerance:g} % slower"
        )
    )


def _measure_all(bench: measuring.Bench, again: bool) -> None:
    """Every part, with a bar that knows about how long each takes."""
    campaign = measuring.Campaign(bench, list(measuring.PARTS.values()))
    if again:
        campaign.forget()
    elif done := campaign.done():
        print(
            (
                f"goes on where it stopped: {len(done)} of {len(campaign.parts)} parts are done "
                f"({', '.join(done)}); --again begins again"
            ),
            file=sys.stderr,
        )
    console = Console(stderr=True, emoji=False)
    total = sum(part.seconds for part in campaign.parts)
    left = TextColumn("about {task.fields[minutes]} min left")
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        left,
    )
    outcomes = []
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        bar = progress.add_task("", total=total, minutes=-(-total // 60))
        before, begun, now = 0, 0.0, campaign.parts[0]

        def show(description: str) -> None:
            """Within a part the bar goes with the clock, up to nearly all of what the part is
            expected to take.
            """
            done = before + min(0.95 * now.seconds, time.monotonic() - begun)
            progress.update(
                bar,
                description=description[:60],
                completed=done,
                minutes=-(-int(total - done) // 60),
            )

        def start(part: measuring.Part) -> None:
            nonlocal begun, now
            begun, now = time.monotonic(), part
            show(part.name)
            if not console.is_terminal:
                console.print(
                    f"{part.name}: about {part.seconds} s ..",
                    markup=False,
                    highlight=False,
                    soft_wrap=True,
                )

        def tell(result: results.Result) -> None:
            show(f"{now.name}: {result.kernel} {result.operation}")

        try:
            for outcome in measuring.all_parts(campaign, start, tell):
                outcomes.append(outcome)
                before += outcome.part.seconds
                progress.update(bar, completed=before, minutes=-(-(total - before) // 60))
                spent = f" in {outcome.seconds:.0f} s" if outcome.seconds else ""
                console.print(
                    f"{outcome.part.name}: {outcome.word}{spent}: {outcome.said}",
                    markup=False,
                    highlight=False,
                    soft_wrap=True,
                )
        except KeyboardInterrupt:
            progress.stop()
            fail(
                f"interrupted; {len(campaign.done())} of {len(campaign.parts)} parts are "
                "done. The same command goes on from there"
            )
            raise Exit(130) from None
    undone = [outcome for outcome in outcomes if outcome.word in ("missing", "failed")]
    if not any(outcome.word == "failed" for outcome in outcomes):
        campaign.forget()
    if undone:
        fail(
            f"not measured: {', '.join(outcome.part.name for outcome in undone)}; their old "
            "results stay as they were. See `hanji-lab doctor`"
        )
    if any(outcome.word == "failed" for outcome in outcomes):
        raise Exit(1)


@app.command()
@click.argument(
    "pattern",
    metavar="[GLOB]",
    required=False,
    help="Names of kernels; without it, whole firmware is measured.",
)
@save_option("Write results/rv32-size.json, or rv32-kernel-size.json, of the checkout.")
@root_option
@json_option
def size(pattern: str | None, save: bool, root: Path | None, as_json: bool) -> None:
    """Measure what hanji costs RV32 firmware: code, constants, RAM, stack.

    Of programs with SCHWAEMM256-128, with SPECK-64/128 in counter mode, and with both; the compiler
    stands beside the figures. With names of kernels: the code, constants, round keys and stack of
    each of them, for RV32, Cortex-M and AVR.
    """
    checkout = find_checkout(root)
    if pattern is None:
        found, file, options = (
            list(sizing.measure_sizes(checkout, "hanji-lab size")),
            "rv32-size",
            "-Os",
        )
    else:
        command = shlex.join(["hanji-lab", "size", pattern])
        found, file, options = (
            list(sizing.kernel_sizes(checkout, pattern, command)),
            "rv32-kernel-size",
            "-O3",
        )
    if save:
        results.write(checkout / f"results/{file}.json", found)
        print(f"written: results/{file}.json", file=sys.stderr)
    if as_json:
        print_json([result.to_json() for result in found])
        return
    print_table(
        f"bytes in firmware, {found[0].provenance.tools[0]}, {options}",
        ["what", "machine", "operation", "bytes", "more"],
        [
            [
                result.kernel,
                result.machine,
                result.operation,
                str(result.bytes),
                ", ".join(
                    f"{name.replace('_', ' ')} {value}" for name, value in result.more.items()
                ),
            ]
            for result in found
        ],
    )


@app.command("machines")
@click.argument(
    "pattern",
    metavar="[NAME]...",
    nargs=-1,
    help="Names, beginnings or globs: rtl:ibex, 'qemu:*'.",
)
@json_option
def list_machines(pattern: tuple[str, ...], as_json: bool) -> None:
    """List the machines that kernels can be run on, and whether they can run here."""
    found = machines.find(pattern) if pattern else machines.machines()
    entries = [
        {
            "name": m.name,
            "kind": m.kind,
            "isas": sorted(m.isas),
            "about": m.about,
            "why_not": m.why_not(),
        }
        for m in found
    ]
    if as_json:
        print_json(entries)
        return
    print_table(
        f"{len(entries)} machines",
        ["name", "kind", "runs", "ready", "what"],
        [
            [
                str(e["name"]),
                str(e["kind"]),
                ", ".join(e["isas"] or ()),
                str(e["why_not"] or "yes"),
                str(e["about"]),
            ]
            for e in entries
        ],
    )


@app.command()
@click.argument(
    "what",
    metavar="GLOB...|FILE",
    nargs=-1,
    required=True,
    help="Names of kernels, such as 'speck32_rv32i*', or your own .S or .c file.",
)
@click.option(
    "--on",
    multiple=True,
    required=True,
    help="Machine, the beginning of names, or a glob; may be repeated. See `machines`.",
)
@click.option(
    "--spec",
    "spec_name",
    help="Of a FILE without header: what it must equal, such as speck32_64.encrypt,"
    " or your own specification, FILE.py:FUNCTION.",
)
@click.option(
    "--isa",
    help="Of a FILE without header: rv32i, zbkb, a64, neon, sha3, c or ptx,"
    " where its name does not say so.",
)
@blocks_option
@kernel_option
@click.option(
    "--signature",
    help="Of a FILE without header: its arguments in order; by default those of the"
    " library, out,in,groups,keys. With your own specification: out:8,in:8,key:16.",
)
@layout_option
@click.option(
    "--allow",
    multiple=True,
    help="Of a FILE: a reserved register that it may change: x18, gp, tp.",
)
@click.option(
    "--value",
    metavar="NAME=NUMBER",
    multiple=True,
    help="Of a FILE: a value argument, such as steps=10 or in_bytes=1024.",
)
@click.option(
    "--core",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    multiple=True,
    help="Your own RTL core: its file of settings; --on rtl:NAME then means it.",
)
@click.option(
    "--groups",
    type=click.IntRange(1),
    help="Groups per call; by default 1, and 32 threads of PTX.",
)
@click.option(
    "--flags",
    default="",
    show_default=False,
    help="Further flags of the compiler or assembler.",
)
@click.option("--case", is_flag=True, help="The FILEs are counterexamples of `hanji-lab prove`.")
@click.option("--save", metavar="NAME", help="Write results/NAME.json of the checkout.")
@root_option
@json_option
def cycles(
    what: tuple[str, ...],
    on: tuple[str, ...],
    spec_name: str | None,
    isa: str | None,
    blocks: int,
    kernel: str | None,
    signature: str | None,
    layout: str,
    allow: tuple[str, ...],
    value: tuple[str, ...],
    core: tuple[Path, ...],
    groups: int | None,
    flags: str,
    case: bool,
    save: str | None,
    root: Path | None,
    as_json: bool,
) -> None:
    """Measure kernels on machines: cycles of simulated cores, counted instructions.

    Every output is compared with the executable specification first; a kernel that is wrong, spoils
    a register or writes outside of its buffers has no figures (status 1).
    """
    checkout = find_checkout(root)
    for settings in core:
        bring_core(settings)
    # What is wrong in the command is said before tools are looked for.
    instruments = machines.find(on)
    if any(machine.kind == "gpu" for machine in instruments):
        if len(instruments) > 1:
            raise LabError("kernels for GPUs run on no other machine; give --on gpu alone")
        gpu_bench.matching(what)
        machines.ready(on)
        _show_cycles(
            gpu_bench.cycles(checkout, what, shlex.join(["hanji-lab", *sys.argv[1:]])),
            checkout,
            save,
            as_json,
        )
        return
    if case:
        _replay(checkout, what, machines.ready(on), save, as_json)
        return
    said = brought.Said(
        spec_name,
        isa,
        blocks,
        kernel,
        signature,
        layout,
        allow,
        tuple(_values(value).items()),
    )
    found: list[Kernel] = []
    named: set[str] = set()  # the values that kernels of files take
    for given in what:
        path = Path(given)
        if path.suffix in (".S", ".s", ".c", ".ptx") and not path.is_file():
            raise LabError(
                f"{given} does not exist; a file or a glob over the names of kernels expected"
            )
        if path.is_file():
            found += (own := brought.kernels(path, checkout, said))
            if value:
                named.update(*map(default_values, own))
        else:
            found += counting.chosen(checkout, given)
    if unknown := [name for name, _ in said.values if name not in named]:
        there = ", ".join(sorted(named)) or "none"
        raise LabError(f"--value {unknown[0]} given, but no FILE takes it; there are: {there}")
    counting.refuse_others(found, instruments)
    machines.ready(on)
    try:
        made = counting.measure(found, instruments, checkout, sys.argv[2:], groups, flags)
    except CaseError as error:
        otherwise = (
            (
                "; if it takes its round keys or arguments otherwise: --layout "
                f"({', '.join(LAYOUTS)}) and --signature"
            )
            if spec_name and ".py:" not in spec_name and " of out: " in str(error)
            else ""
        )
        raise LabError(f"{error}{otherwise}") from None
    _show_cycles(made, checkout, save, as_json)


def _value(text: str) -> tuple[str, int]:
    name, equals, number = text.partition("=")
    if not equals or not name.isidentifier() or not number.isdigit():
        raise LabError(f"--value {text} given, NAME=NUMBER expected, such as steps=10")
    return name, int(number)


def _values(given: Sequence[str]) -> dict[str, int]:
    """The values of --value; LabError for one that is given twice."""
    found: dict[str, int] = {}
    for name, number in map(_value, given):
        if name in found:
            raise LabError(f"--value {name} given twice, {found[name]} and {number}; once expected")
        found[name] = number
    return found


def _replay(
    checkout: Path,
    what: Sequence[str],
    instruments: list[machines.Machine],
    save: str | None,
    as_json: bool,
) -> None:
    """Run counterexamples: the machines say what is wrong, or give figures of what is right."""
    from .prove import replay

    command = shlex.join(["hanji-lab", *sys.argv[1:]])
    made: list[results.Result] = []
    for given in what:
        found = replay.load(Path(given), checkout)
        able = [machine for machine in instruments if found.kernel.isa in machine.isas]
        if not able:
            raise LabError(f"{given}: none of the machines runs {found.kernel.isa}")
        for machine in able:
            made += machine.measure(found, command)
    _show_cycles(made, checkout, save, as_json)


def _show_cycles(
    made: list[results.Result], checkout: Path, save: str | None, as_json: bool
) -> None:
    if save:
        results.write(checkout / f"results/{save}.json", made)
        print(f"written: results/{save}.json", file=sys.stderr)
    if as_json:
        print_json([result.to_json() for result in made])
        return
    print_table(
        "figures by kernel and machine; every output equals the specification",
        [
            "kernel",
            "machine",
            "operation",
            "bytes",
            "cache",
            "instructions",
            "cycles",
            "c/B",
            "more",
        ],
        [
            [
                result.kernel,
                result.machine,
                result.operation,
                str(result.bytes),
                result.cache or "",
                "" if result.instructions is None else f"{result.instructions:.0f}",
                "" if result.cycles is None else f"{result.cycles:.0f}",
                "" if result.cycles_per_byte is None else f"{result.cycles_per_byte:.2f}",
                ", ".join(
                    f"{name.replace('_', ' ')} {value}"
                    for name, value in result.more.items()
                    if isinstance(value, int | str)
                ),
            ]
            for result in made
        ],
    )


def _with_contract(kernel: Kernel, stack: int) -> Kernel:
    """A kernel without header under the strictest contract: all buffers are secret and apart, and
    one that has no other buffer to write works in place.
    """
    held = [what for what in (kernel.args or {}).values() if "buffer" in what]
    aliasing = "none" if any(what["access"] == "w" for what in held) else "in place"
    secrets = tuple(what["buffer"] for what in held)
    return replace(kernel, aliasing=aliasing, stack=stack, secrets=secrets)


def _with_status(status: int) -> Callable[[Function], Function]:
    """Whatever the user can put right ends the command with this status: 1 has a meaning of its own
    there.
    """

    def wrapped(command: Function) -> Function:
        @functools.wraps(command)
        def called(*args: Any, **named: Any) -> Any:
            try:
                return command(*args, **named)
            except LabError as error:
                error.status = status
                raise

        return called  # type: ignore[return-value]

    return wrapped


def _to_prove(what: Sequence[str], root: Path, said: brought.Said, stack: int) -> list[Kernel]:
    """The kernels of files and of globs; LabError that says what is wrong with one of them."""
    found: list[Kernel] = []
    for given in what or ["*"]:
        path = Path(given)
        if not path.is_file() and path.suffix in (".S", ".s", ".c", ".ptx"):
            raise LabError(
                f"{given} does not exist; a file or a glob over the names of kernels expected"
            )
        if not path.is_file():
            if said.spec or said.signature:
                raise LabError(
                    f"--spec and --signature are for a file of yours, and {given!r} is none; the"
                    " kernels of the library have headers"
                )
            found += chosen(root, given)
            continue
        own = brought.kernels(path, root, said)
        for one in own if said.spec else []:
            if one.isa == "c":
                raise LabError(
                    f"{path.name} is C: give --isa, for which machine it is compiled"
                    " (avx2, a64, rv32i, armv7m, avr ...)"
                )
        found += own if said.spec is None else [_with_contract(one, stack) for one in own]
    return found


@app.command()
@click.argument(
    "what",
    metavar="[GLOB...|FILE]",
    nargs=-1,
    help="Names of kernels, such as 'sparkle*_rv32i*', or your own .S, .c or .ptx file; all by "
    "default.",
)
@click.option(
    "--spec",
    "spec_name",
    help="Of a FILE without header: what it must equal, such as speck32_64.encrypt, or your own"
    " specification, FILE.py:FUNCTION.",
)
@click.option(
    "--isa",
    help="Of a FILE without header: rv32i, a64 ...; the name NAME_ISA.S says it, too.",
)
@blocks_option
@kernel_option
@click.option(
    "--signature", help="Of a FILE without header: its arguments in order, as in `cycles`."
)
@layout_option
@click.option(
    "--stack",
    type=click.IntRange(0),
    default=256,
    help="Of a FILE without header: bytes of stack that it may use.",
)
@click.option(
    "--groups",
    metavar="any|N",
    default="any",
    help="For any number of groups, or for N of them.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(1),
    default=600.0,
    help="Processor time that one proof may take.",
)
@click.option("--again", is_flag=True, help="Prove anew what build/proofs has a verdict on.")
@click.option(
    "--compiler",
    metavar="gcc|clang",
    default="gcc",
    help="What compiles kernels for x86-64.",
)
@root_option
@json_option
@_with_status(2)
def prove(
    what: tuple[str, ...],
    spec_name: str | None,
    isa: str | None,
    blocks: int,
    kernel: str | None,
    signature: str | None,
    layout: str,
    stack: int,
    groups: str,
    seconds: float,
    again: bool,
    compiler: str,
    root: Path | None,
    as_json: bool,
) -> None:
    """Prove kernels equal to their specifications for all inputs, or find where they are not.

    A verdict is proved, counterexample (written into build/proofs as a case), open (the prover
    cannot tell) or refused (the kernel does what no kernel may). docs/proofs.md says what they
    mean. Exit status 1 when a kernel has a counterexample or is refused, 2 for wrong usage.
    """
    checkout = find_checkout(root)
    said = brought.Said(spec_name, isa, blocks, kernel, signature, layout)
    found = _to_prove(what, checkout, said, stack)
    try:
        from .prove import report as proofs
    except ImportError as problem:
        raise LabError(
            f"{problem.name} is not installed; pip install './lab[prove]' brings it"
        ) from None
    kept = checkout / "build/proofs"
    cache = None if again else kept / "cache"
    prover = proofs.Prover(checkout, groups, seconds, cache, compiler)
    verdicts = []
    for i, one in enumerate(found):
        if sys.stderr.isatty():
            print(f"{i + 1} of {len(found)}: {one.name}", file=sys.stderr)
        verdicts.append(prover.explained(one, prover.prove(one)))
        case = proofs.write_case(verdicts[-1], kept)
        if case:
            print(f"written: {case}", file=sys.stderr)
    if as_json:
        print_json([asdict(verdict) for verdict in verdicts])
    else:
        counts = {said: sum(v.verdict == said for v in verdicts) for said in proofs.VERDICTS}
        print_table(
            f"{len(verdicts)} kernels: {', '.join(f'{n} {said}' for said, n in counts.items())}",
            ["kernel", "verdict", "groups", "seconds", "why, or for what"],
            [
                [
                    verdict.function.removeprefix("hanji_"),
                    verdict.verdict,
                    ", ".join(sorted(set(verdict.scope.values()))),
                    "cached" if verdict.cached else f"{verdict.seconds:.1f}",
                    verdict.why or proofs.shown_scope(verdict),
                ]
                for verdict in verdicts
            ],
        )
    if any(verdict.verdict in ("counterexample", "refused") for verdict in verdicts):
        raise Exit(1)


@app.command()
@click.argument(
    "what",
    metavar="[GLOB...|FILE]",
    nargs=-1,
    help="Names of masked kernels, or your own .S or .c file with a header that has `masking`.",
)
@click.option(
    "--on",
    type=click.Choice(["rtl:ibex", "isa:armv7m"]),
    required=True,
    help="rtl:ibex: all nets of a simulated core; isa:armv7m: a model of registers and buses.",
)
@click.option(
    "--traces",
    type=click.IntRange(100, 10_000_000),
    default=25_000,
    help="Traces of each kernel; with fewer than 25000 nothing is said to pass.",
)
@click.option(
    "--value",
    metavar="NAME=NUMBER",
    multiple=True,
    help="A value argument of the kernel, such as rounds=2; may be repeated.",
)
@kernel_option
@click.option(
    "--controls",
    is_flag=True,
    help="First run the planted faults: unless every one is found, no kernel is judged.",
)
@click.option("--seed", type=click.IntRange(0), default=1, help="Of secrets, masks and classes.")
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=os.cpu_count() or 1,
    show_default="all processors",
    help="Batches of traces that are made at the same time.",
)
@click.option("--again", is_flag=True, help="Make the traces again that build/leak holds.")
@click.option(
    "--all", "everything", is_flag=True, help="Show every leaking cycle, not the worst 8."
)
@root_option
@json_option
@_with_status(2)
def leak(
    what: tuple[str, ...],
    on: str,
    traces: int,
    value: tuple[str, ...],
    kernel: str | None,
    controls: bool,
    seed: int,
    jobs: int,
    again: bool,
    everything: bool,
    root: Path | None,
    as_json: bool,
) -> None:
    """Look for first-order leakage of masked kernels in simulated toggles: fixed secrets against
    random ones, Welch's t-test in every cycle and for every net.

    Traces are kept in build/leak: an interrupted command continues, and more --traces add to those
    that are there. docs/leakage.md says what is seen and what is not. Exit status 0 when every
    kernel passes, 1 when one leaks or is wrong, 2 for wrong usage, 3 when there is no verdict.

    Example: hanji-lab leak mine.S --on rtl:ibex --value rounds=2 --controls
    """
    checkout = find_checkout(root)
    if not what and not controls:
        raise LabError("no kernel given: names of masked kernels, a FILE, or --controls expected")
    try:
        from .leak import session as leakage
    except ImportError as problem:
        raise LabError(
            f"{problem.name} is not installed; pip install './lab[leak]' brings it"
        ) from None
    if missing := leakage.MACHINES[on].why_not():
        raise LabError(f"{on}: {missing}")
    try:
        found = _to_prove(what, checkout, brought.Said(function=kernel), 0) if what else []
    except LabError as error:
        said, without, _ = str(error).partition("; a file without header")
        hint = "; docs/leakage.md says how to write one" if without else ""
        raise LabError(f"{said}{hint}") from None
    subjects = leakage.subjects(found, on, checkout, _values(value))
    tried: list[leakage.Control] = []
    made: list[leakage.Finding] = []
    wrong: dict[str, CaseError] = {}  # by the name of the kernel
    stopped: LabError | None = None
    console = Console(stderr=True, emoji=False)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    try:
        with Progress(
            *columns, TimeElapsedColumn(), console=console, disable=not console.is_terminal
        ) as progress:
            bar = progress.add_task("", total=1)

            def tell(name: str, done: int, whole: int) -> None:
                progress.update(bar, description=escape(name[:40]), completed=done, total=whole)

            if controls:
                tried.extend(leakage.controls(on, checkout, jobs, again, tell))
            for one in subjects if all(control.good for control in tried) else []:
                try:
                    made.append(leakage.test(one, on, checkout, traces, seed, jobs, again, tell))
                except CaseError as problem:
                    wrong[one.kernel.name] = problem
    except LabError as problem:
        if not (tried or made or wrong):
            raise
        stopped = problem  # what was found before is told first
    except KeyboardInterrupt:
        fail("interrupted; the same command goes on from the traces in build/leak")
        raise Exit(130) from None
    if as_json:
        print_json(
            [
                {"kind": "control", "control": control.name, "about": control.about}
                | {"good": control.good, **leakage.to_json(control.finding)}
                for control in tried
            ]
            + [{"kind": "kernel", **leakage.to_json(finding)} for finding in made]
            + [
                {"kind": "kernel", "kernel": name, "machine": on}
                | {"verdict": "wrong", "why": str(problem)}
                for name, problem in wrong.items()
            ]
        )
    else:
        _print_leaks(tried, made, None if everything else leakage.SHOWN)
        print(f"seen: {leakage.LIMITS[on]}")
    bad = [control for control in tried if not control.good]
    for control in bad:
        fail(f"no kernel is judged: {leakage.why(control)}")
    for each in wrong.values():
        fail(str(each))
    undecided = [one for one in made if one.verdict == "undecided"]
    for finding in undecided:
        fail(
            f"no verdict on {finding.kernel.name}: "
            + (
                f"nothing was found, but {traces} traces are too few to say that it passes; "
                f"--traces {leakage.LEAST} or more expected"
                if finding.judgement.tests
                else "nothing toggles differently in any two traces, so there is nothing to test; "
                "does the kernel use its shares?"
            )
        )
    if stopped:
        raise stopped
    if wrong or any(one.verdict == "leaks" for one in made):
        raise Exit(1)
    if bad or undecided:
        raise Exit(3)


def _print_leaks(tried: Sequence[Any], made: Sequence[Any], most: int | None) -> None:
    """The controls and findings of `leak` as tables."""
    if tried:
        good = sum(control.good for control in tried)
        print_table(
            f"{len(tried)} controls, {good} as expected",
            ["control", "traces", "found", "sum |t|", "net |t|", "what"],
            [
                [
                    control.name,
                    str(control.finding.traces),
                    control.finding.verdict,
                    _t(control.finding.judgement.worst_sum),
                    _t(control.finding.judgement.worst_net),
                    control.about,
                ]
                for control in tried
            ],
        )
    if made:
        print_table(
            f"{_many(len(made), 'kernel')}: Welch's t-test, fixed against random",
            ["kernel", "verdict", "traces", "cycles", "tests", "sum |t|", "net |t|"],
            [
                [
                    one.kernel.name,
                    one.verdict,
                    f"{one.traces} on {one.machine.name}",
                    str(len(one.made.path)),
                    str(one.judgement.tests),
                    f"{_t(one.judgement.worst_sum)} of 4.5",
                    f"{_t(one.judgement.worst_net)} of {one.judgement.limit:.2f}",
                ]
                for one in made
            ],
        )
    for one in made:
        shown = one.leaks[:most]
        if not shown:
            continue
        print_table(
            f"{one.kernel.name}: leaks in {_many(len(one.leaks), 'cycle')}"
            + (f"; the {len(shown)} worst" if len(shown) < len(one.leaks) else ""),
            ["cycle", "|t|", "instruction, behind the two before it", "nets over the threshold"],
            [
                [
                    str(leak.cycle),
                    f"{leak.t:.1f}",
                    "\n".join((*leak.before, leak.instruction)),
                    _nets(leak),
                ]
                for leak in shown
            ],
        )


def _many(number: int, what: str) -> str:
    """The number with its noun."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _t(worst: Any) -> str:
    return "" if worst is None else f"{abs(worst.t):.1f}"


def _nets(leak: Any) -> str:
    """The worst nets of a leaking cycle, and how many more there are."""
    named = [f"{net} ({abs(t):.1f})" for net, t in leak.nets[:3]]
    more = len(leak.nets) - len(named)
    alone = [] if leak.sum_t is None else [f"sum of all nets ({abs(leak.sum_t):.1f})"]
    return "\n".join([*named, *([f"and {more} more"] if more else []), *alone])


@app.command()
@glob("Calls to count, such as 'schwaemm*'")
@click.option(
    "--tier",
    multiple=True,
    help="portable, neon, crypto or sha3; may be repeated.",
)
@click.option("--model/--no-model", default=True, help="Estimate the cycles of short calls, too.")
@save_option("Write results/calls-aarch64.json of the checkout.")
@root_option
@json_option
def calls(
    pattern: str,
    tier: tuple[str, ...],
    model: bool,
    save: bool,
    root: Path | None,
    as_json: bool,
) -> None:
    """Count whole calls of the library on AArch64 with its tiers of kernels, and estimate their
    cycles on a Cortex-A72.
    """
    checkout = find_checkout(root)
    command = "hanji-lab calls" + ("" if model else " --no-model")
    made = list(
        library_calls.measure(
            checkout,
            library_calls.chosen(pattern),
            command,
            tier or tuple(library_calls.COUNTED),
            model,
        )
    )
    if save:
        results.write(checkout / "results/calls-aarch64.json", made)
        print("written: results/calls-aarch64.json", file=sys.stderr)
    if as_json:
        print_json([result.to_json() for result in made])
        return
    print_table(
        (
            "whole calls of the library: instructions are counted under qemu, cycles are a model "
            "of the Cortex-A72"
        ),
        [
            "call",
            "operation",
            "messages",
            "bytes",
            "machine",
            "instructions",
            "per byte",
            "cycles",
            "c/B",
        ],
        [
            [
                result.kernel,
                result.operation,
                str(result.more["messages"]),
                str(result.bytes),
                result.machine,
                f"{result.instructions:.0f}",
                f"{(result.instructions or 0) / (result.bytes or 1):.2f}",
                "" if result.cycles is None else f"{result.cycles:.0f}",
                "" if result.cycles_per_byte is None else f"{result.cycles_per_byte:.2f}",
            ]
            for result in made
        ],
    )


@app.command()
@click.argument(
    "name",
    metavar="[ID|all]",
    required=False,
    help="Which paper, or all of them; without one, they are listed.",
)
@click.option(
    "--on",
    multiple=True,
    help="Measure on this machine, as in `cycles`, instead of those that the paper's file lists.",
)
@click.option("--plot", metavar="FILE", type=PATH, help="Draw the comparison: .svg, .png or .pdf.")
@click.option(
    "--again",
    is_flag=True,
    help="Measure, even when the stored results are of these very sources.",
)
@click.option(
    "--stored",
    is_flag=True,
    help="Measure nothing: show the stored results, and say when they are stale.",
)
@save_option("Measure, and write papers/ID/results/measured.json of the checkout.")
@click.option(
    "--authors",
    type=FOLDER,
    help="A folder into which you have fetched the authors' code: it is measured, too.",
)
@root_option
@json_option
def paper(
    name: str | None,
    on: tuple[str, ...],
    plot: Path | None,
    again: bool,
    stored: bool,
    save: bool,
    authors: Path | None,
    root: Path | None,
    as_json: bool,
) -> None:
    """Put the published figures of a paper beside ours.

    Ours are those that are stored while the sources are the same; when one has changed, or there are
    none, they are measured now. Where this machine cannot measure them, the stored ones are shown
    and marked as stale.
    """
    checkout = find_checkout(root)
    if name is None:
        entries = [
            {"id": one, "citation": papers.load(one, checkout)["citation"]}
            for one in papers.names(checkout)
        ]
        if as_json:
            print_json(entries)
        else:
            print_table(
                f"{len(entries)} papers",
                ["id", "citation"],
                [[e["id"], e["citation"]] for e in entries],
            )
        return
    chosen = papers.names(checkout) if name == "all" else [name]
    if len(chosen) > 1 and (on or plot or authors):
        raise LabError("`all` given with --on, --plot or --authors; they need one paper")
    objects: list[results.Entry] = []
    for one in chosen:
        made = _compared(one, checkout, on, again or save, stored, save)
        if plot:
            if not made.charts:
                raise LabError(f"the report on {one} has no plot")
            charts.draw(made.charts, plot)
            print(f"written: {plot}", file=sys.stderr)
        content = papers.load(one, checkout)
        theirs: list[results.Entry] = []
        if authors:
            command = f"hanji-lab paper {one} --authors {shlex.quote(str(authors))}"
            measured = papers.measure_authors(one, authors, checkout, command)
            theirs = [result.to_json() for result in measured]
        every = [*theirs, *made.entries, *papers.reviewed(one, checkout)]
        found = rows.pairs(content, every)
        objects += [
            *rows.objects(papers.published_entries(one, checkout), found),
            *theirs,
            *made.entries,
        ]
        if as_json:
            continue
        if len(chosen) > 1:
            out.rule(one)
        for table in rows.tables(
            content, found, lambda entry: bool(papers.stale([entry], checkout))
        ):
            print_table(
                table.title, table.columns, [[str(cell) for cell in row] for row in table.rows]
            )
        for table in made.tables:
            print_table(
                table.title, table.columns, [[str(cell) for cell in row] for row in table.rows]
            )
        alike = like.likes(content, every)
        if alike:
            print_table(
                "like for like: above 1, ours is better",
                ["what", "theirs", "ours", "unit", "ratio"],
                [
                    [
                        one_.what,
                        rows.number(one_.theirs.figure),
                        rows.number(one_.ours.figure),
                        one_.unit,
                        rows.ratio(one_.ratio),
                    ]
                    for one_ in alike
                ],
            )
        for finding in [like.verdict(content, alike), *made.findings]:
            out.print(finding, markup=False, highlight=False)
    if as_json:
        print_json(objects)


def _few(paths: list[str]) -> str:
    """The first of some paths, and how many there are beside it."""
    return paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more"


def _compared(
    name: str, checkout: Path, on: Sequence[str], again: bool, stored: bool, save: bool
) -> papers.Report:
    """The comparison of one paper: with stored results, or measured now."""
    papers.load(name, checkout)
    missing = measuring.PARTS[f"paper-{name}"].why_not(checkout)
    if not (on or again):
        try:
            changed = papers.stale(papers.own(name, checkout), checkout)
        except LabError as error:
            if stored or missing:
                raise
            changed = [str(error)]
        if stored or missing or not changed:
            if changed:
                fail(f"{name}: stale figures: {_few(changed)} changed since they were made")
            return papers.stored(name, checkout)
        print(f"{name}: measured now, because {_few(changed)} changed", file=sys.stderr)
    command = " ".join(["hanji-lab paper", name, *(f"--on {machine}" for machine in on)])
    found = []
    for result in papers.measure(name, checkout, command, on):
        found.append(result)
        if sys.stderr.isatty():
            print(
                f"{name}: {result.kernel} {result.operation} on {result.machine}", file=sys.stderr
            )
    if save:
        path = papers.stored_path(name, checkout)
        results.write(path, found)
        print(f"written: {path.relative_to(checkout).as_posix()}", file=sys.stderr)
    return papers.compare(
        name, checkout, [*(result.to_json() for result in found), *papers.also(name, checkout)]
    )


@app.command("doctor")
@root_option
@json_option
def examine(root: Path | None, as_json: bool) -> None:
    """Say what this machine can measure, what is missing, and the command that installs it.

    Exit status 0 whatever is missing: nothing of it is needed to use the library.
    """
    checkout = find_checkout(root)
    groups = {
        "this machine": doctor.surroundings(checkout),
        "parts of `hanji-lab measure`": doctor.parts(measuring.Bench(checkout)),
        "simulated and modelled machines": doctor.instruments(),
    }
    every = [finding for findings in groups.values() for finding in findings]
    if as_json:
        print_json(
            [
                {"group": group, **asdict(finding)}
                for group, findings in groups.items()
                for finding in findings
            ]
        )
        return
    for group, findings in groups.items():
        rows = [
            [finding.what, "yes" if finding.good else "no", finding.said] for finding in findings
        ]
        print_table(
            f"{group}: {sum(finding.good for finding in findings)} of {len(findings)}",
            ["what", "ready", "about"],
            rows,
        )
    if commands := doctor.commands(every):
        print("To install what is missing (or `make deps` for all that the tests need):")
        for command in commands:
            print(f"    {command}")


@app.command()
@click.option(
    "--out",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("build/report"),
    help="Folder to write index.html into.",
)
@click.option(
    "--measure",
    "anew",
    is_flag=True,
    help="First measure every paper whose stored results are stale, where this machine can.",
)
@root_option
def report(folder: Path, anew: bool, root: Path | None) -> None:
    """Write the papers and ours as one HTML page, with tables, plots and provenance; it needs
    no network.

    The figures are those in results/ and papers/*/results. Exit status 1 when a file of them is
    missing or damaged: the page is written all the same, and says so.
    """
    checkout = find_checkout(root)
    bench = measuring.Bench(checkout)
    for name in papers.names(checkout) if anew else ():
        part = measuring.PARTS[f"paper-{name}"]
        try:
            fresh = not papers.stale(papers.own(name, checkout), checkout)
        except LabError:
            fresh = False
        if fresh:
            continue
        if missing := part.why_not(checkout):
            fail(f"{name}: {'; '.join(missing)}")
            continue
        print(f"measuring {name} ..", file=sys.stderr)
        results.write(part.path(bench), measuring.run(part, bench))
    path, made = pages.write(checkout, folder)
    for problem in made.problems:
        fail(problem)
    for section in made.sections:
        if section.stale:
            fail(
                f"{section.title}: stale figures: {_few(section.stale)} changed since; "
                "`hanji-lab measure all` makes them anew"
            )
    print(path.resolve())
    if made.problems:
        raise Exit(1)


@app.command("gates")
@click.argument(
    "name",
    metavar="[NAME]",
    default="rv32",
    help=f"One of {', '.join(gates.GATES)}; default: rv32.",
)
@click.option("--update", is_flag=True, help="Hold the present figures from now on.")
@root_option
@json_option
def check_gates(name: str, update: bool, root: Path | None, as_json: bool) -> None:
    """Compare exact counts of our assembly with those that lab/gates/NAME.json holds: nothing may
    get worse (status 1).
    """
    before = gates.held(name)
    now = gates.measure(find_checkout(root), name)
    found = [] if update else gates.problems(name, before, now)
    if update:
        print(f"written: {gates.write(name, now)}", file=sys.stderr)
    rows = [
        {"kernel": row, "machine": what, "held": before.get(row, {}).get(what), "now": figure}
        for row in now
        for what, figure in now[row].items()
    ]
    if as_json:
        print_json(rows)
    else:
        changed = [row for row in rows if row["held"] != row["now"]]
        cells = [
            [str(row["kernel"]), str(row["machine"]), str(row["held"] or ""), str(row["now"])]
            for row in changed
        ]
        print_table(
            f"{len(rows)} figures, {len(changed)} of them changed",
            ["kernel", "machine", "held", "now"],
            cells,
        )
    for problem in found:
        fail(problem)
    if found:
        fail(f"if that is meant: hanji-lab gates {name} --update, and say why in the commit")
        raise Exit(1)


@app.command("forge")
@click.argument(
    "name",
    metavar="SET",
    help="A set of AIMer v2.1 or v1.0, such as aimer2-128f; hanji list names them.",
)
@click.option("--message", metavar="TEXT", default="I never signed this.", help="What is signed.")
def forge_(name: str, message: str) -> None:
    """Forge a signature from a public key alone, step by step: why AIMer v1.0 and v2.1 are broken
    (ePrint 2026/2235).

    The key pair is one that the command makes and forgets. The larger the set the longer it takes:
    a second for aimer2-128f, a minute for aimer1-l5-param4.
    """
    for line in forge.lesson(name, message.encode()):
        print(line, flush=True)


def main() -> None:
    """Entry point of the installed command."""
    try:
        app()
    except LabError as error:
        fail(str(error))
        sys.exit(error.status)


if __name__ == "__main__":
    main()
