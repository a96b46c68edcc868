# SPDX-License-Identifier: Apache-2.0
"""``hanji telemetry``: frames in Parquet files opened, sealed and looked at."""

from __future__ import annotations

import contextlib
import errno
import mmap
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click
from click.exceptions import Exit

from hanji._text import count_of, escaped
from hanji.cli.commands import (
    PATH,
    SEVERAL,
    AlgorithmChoice,
    CommandGroup,
    argument,
    json_option,
)
from hanji.cli.status import FAILED, WRONG
from hanji.cli.terminal import (
    complain,
    console,
    fail,
    load_key,
    read_passphrase,
    refuse_standard_output,
    tell,
    write_text,
)


@click.group("telemetry", cls=CommandGroup)
def app() -> None:
    """Open and seal telemetry frames in Parquet files (docs/telemetry.md, docs/scale.md)."""
    _require_memory()


_MEMORY = 384 << 20  # bytes of address space that NumPy and pyarrow take when they are loaded


def _require_memory() -> None:
    """End with a sentence where these libraries could not be loaded. They would print messages of
    their own, or abort.
    """
    try:
        mmap.mmap(-1, _MEMORY).close()
    except (OSError, ValueError, MemoryError):
        complain(
            f"not enough memory: Parquet files take {_MEMORY >> 20} MiB for libraries alone; raise"
            " the limit (ulimit -v shows it), or use a machine with more memory"
        )
        raise Exit(FAILED) from None


inputs_argument = argument("inputs", "IN...", "Parquet files, or patterns in quotes.", **SEVERAL)
masters_option = click.option(
    "--masters",
    metavar="FILE",
    type=PATH,
    help="Parquet file with columns device and master; it may be sealed (hanji seal).",
)
masters_from_option = click.option(
    "--masters-from",
    metavar="MODULE:FUNCTION",
    help="Ask this function for master keys, instead of --masters.",
)
masters_key_option = click.option(
    "--masters-key", metavar="KEY", type=PATH, help="Key file that opens a sealed --masters."
)
masters_passphrase_option = click.option(
    "--passphrase-file",
    metavar="FILE",
    type=PATH,
    help="Read the passphrase of --masters or --masters-key from here.",
)


@contextlib.contextmanager
def _asking() -> Iterator[None]:
    """End the command where the function for master keys fails: they could not be read."""
    from hanji._master_tables import KeyServiceError

    try:
        yield
    except KeyServiceError as error:
        fail(str(error), FAILED)


def _masters(
    path: Path | None, function: str | None, key: Path | None, passphrase_file: Path | None
) -> Any:
    """The master keys as an opener takes them: a path, a table in memory, or a function."""
    from hanji import HanjiError, _system, telemetry
    from hanji._master_tables import FromModule, is_sealed
    from hanji.files import KeyNeededError

    if (path is None) == (function is None):
        raise click.BadParameter(
            "give either --masters FILE or --masters-from MODULE:FUNCTION", param_hint="--masters"
        )
    if function is not None:
        if key is not None or passphrase_file is not None:
            raise click.BadParameter(
                "these open a sealed --masters FILE; a function opens its keys itself",
                param_hint="--masters-key and --passphrase-file",
            )
        try:
            service = FromModule(function)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--masters-from") from None
        with _asking():
            service.load()
        return service
    assert path is not None
    refuse_standard_output(str(path))
    if not path.is_file() or not is_sealed(path):
        # Whoever put this file in the place of the sealed one would choose the keys.
        if path.is_file() and (key is not None or passphrase_file is not None):
            raise HanjiError(
                f"{path} is not sealed, so nothing says who made it; leave out"
                f" {'--masters-key' if key is not None else '--passphrase-file'} to use it anyway"
            )
        if who := path.is_file() and _system.readers(path):
            complain(f"warning: {path} {who}")
        return str(path)
    unlocked = (
        None
        if key is None
        else load_key(
            key, passphrase_file, missing="give the key that sealed the table of master keys"
        )
    )
    ask = None if key is not None else lambda: read_passphrase(passphrase_file, str(path))
    try:
        return telemetry.read_masters(path, key=unlocked, passphrase=ask)
    except HanjiError as error:
        advice = ", with --masters-key KEY" if isinstance(error, KeyNeededError) else ""
        error.args = (f"{path}: {error}{advice}", *error.args[1:])
        raise


output_option = click.option(
    "--output", "-o", metavar="OUT", type=PATH, required=True, help="Folder to fill."
)
column_option = click.option("--column", default="frame", help="Column of frames.")
compression_option = click.option(
    "--compression",
    type=click.Choice(["zstd", "snappy", "none"]),
    default="zstd",
    help="Of the outputs.",
)
DIRECTIONS = ("from-device", "to-device")


def _require_packages() -> None:
    import importlib.util

    if not all(map(importlib.util.find_spec, ("numpy", "pyarrow"))):
        raise ImportError("hanji telemetry needs numpy and pyarrow: pip install numpy pyarrow")


def _here_and_above(path: Path) -> set[Path]:
    """A path and the folders above it, as they are without links."""
    try:
        found = path.resolve()
    except (OSError, RuntimeError):  # links in a circle, which are named when the file is read
        found = path.absolute()
    return {found, *found.parents}


def _inputs(patterns: tuple[str, ...], *outputs: Path) -> list[Any]:
    """The inputs, each once. A file that a pattern finds keeps its path below the part of the
    pattern without wildcards, so that equal names in folders of partitions stay apart. Patterns
    find nothing in the folders of outputs, which may be among those of the inputs.
    """
    import glob
    import os

    from hanji._telemetry_files import Input

    ours = {output.resolve() for output in outputs}
    found: dict[Path, str] = {}
    for pattern in patterns:
        if os.path.lexists(pattern):  # also where its name has characters of patterns
            literal = Path(pattern)
            name = literal.name if literal.name not in ("", "..") else literal.resolve().name
            found.setdefault(literal, name or "folder")
            continue
        fixed = Path(pattern)
        while glob.has_magic(str(fixed)):
            fixed = fixed.parent
        matches = {Path(match) for match in glob.glob(pattern, recursive=True)}  # noqa: PTH207
        matches = {match for match in matches if not ours & {*_here_and_above(match)}}
        if not matches - {fixed}:
            raise FileNotFoundError(2, "no file has this name or fits this pattern", pattern)
        # With ** folders match as well as what is in them, and are not inputs of their own.
        above = {fixed, *(parent for match in matches for parent in match.parents)}
        for match in sorted(matches - above):
            found.setdefault(match, match.relative_to(fixed).as_posix())
    for path in found:
        refuse_standard_output(str(path))
    return [Input(path, name) for path, name in found.items()]


def _refuse_files(*folders: Path) -> None:
    """NotADirectoryError for an output that is a file, before master keys are read or unlocked."""
    for folder in folders:
        if folder.exists() and not folder.is_dir():
            raise NotADirectoryError(
                errno.ENOTDIR, "is not a folder; give the name of a folder to fill", str(folder)
            )


def _limit(text: str) -> tuple[float, bool]:
    """A number of frames, or a share with % behind it."""
    share = text.endswith("%")
    try:
        value = float(text.removesuffix("%"))
    except ValueError:
        value = -1.0
    if not 0 <= value <= (100 if share else float(1 << 62)):
        raise click.BadParameter(
            f"{text!r} is no limit; give a number of frames, or a share as 0.1%",
            param_hint="--max-rejected",
        )
    return value, share


@contextlib.contextmanager
def _progress(inputs: list[Any]) -> Iterator[Callable[[int], None]]:
    """Frames, frames per second and time left, where standard error is a terminal."""
    if not sys.stderr.isatty():
        yield lambda rows: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from hanji._telemetry_files import rows_of

    total = 0
    for one in inputs:
        with contextlib.suppress(Exception):  # what cannot be read is reported when it is opened
            total += rows_of(one.path)
    # A stream of its own, because engines send what their libraries print to the null device.
    stream = os.fdopen(os.dup(2), "w", encoding=sys.stderr.encoding, errors="replace")
    rate = TextColumn("{task.completed:,.0f} frames, {task.fields[rate]:,.0f}/s")
    columns = (BarColumn(), rate, TimeRemainingColumn())
    with stream, Progress(*columns, console=Console(file=stream), transient=True) as bar:
        task = bar.add_task("", total=total or None, rate=0.0)

        def advance(rows: int) -> None:
            bar.update(task, advance=rows)
            bar.update(task, rate=bar.tasks[0].speed or 0.0)

        yield advance


def _print(summary: Any, as_json: bool, done: str) -> None:
    rejected = summary.read - summary.rows[done]
    if as_json:
        import json

        about = {"inputs": summary.inputs, "files": summary.files, "earlier": summary.earlier}
        about |= {"read": summary.read, done: summary.rows[done], "rejected": rejected}
        about |= {"reasons": dict(sorted(summary.rows.items()))}
        about |= {"opened_again": dict(summary.again)} if done == "opened" else {}
        about |= {"failed": summary.failed, "lost": summary.lost}
        write_text(json.dumps(about, indent=2) + "\n")
        return
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column("frames")
    table.add_column("number", justify="right")
    for name, count in sorted(summary.rows.items(), key=lambda item: (item[0] != done, item[0])):
        table.add_row(name, f"{count:,}")
    if summary.rows:
        console().print(table)
    # Where nothing opened, the error says so: see Opening.hint.
    if (unknown := summary.rows["unknown device"]) and summary.rows[done]:
        are = "is" if unknown == 1 else "are"
        write_text(f"{count_of(unknown, 'frame')} {are} of devices that have no master key\n")
    earlier = f", {summary.earlier} of them from earlier runs" if summary.earlier else ""
    write_text(
        f"{summary.rows[done]:,} {done} + {rejected:,} rejected = {summary.read:,} read,"
        f" {count_of(summary.files + summary.earlier, 'file')}{earlier}\n"
    )


def _end(failed: Mapping[Any, str], wrong: list[str]) -> None:
    """Name the inputs that failed and what is wrong with the others, and end with the status."""
    for path, reason in failed.items():
        complain(f"{path}: {reason}")
    for sentence in wrong:
        complain(sentence)
    if failed:
        were = "was" if len(failed) == 1 else "were"
        complain(f"{count_of(len(failed), 'file')} {were} not read; all others are done")
        raise Exit(FAILED)
    if wrong:
        raise Exit(WRONG)


# Frames that neither opened nor are what somebody sealed under a key of ours. Replays and nulls do
# not count, and frames of unknown devices are neither good nor bad.
_UNCOUNTED = ("opened", "replayed", "null", "unknown device")
_AGAIN = {
    "keys": "the master keys of devices whose frames did not open have changed",
    "outputs": "outputs were missing or damaged",
    "options": "nothing opened under the earlier options",
}


def _bad(rows: Mapping[str, int]) -> tuple[int, int]:
    """How many frames are forged or malformed, and of how many that could be judged."""
    bad = sum(count for name, count in rows.items() if name not in _UNCOUNTED)
    return bad, bad + rows.get("opened", 0)


def _judge(summary: Any, text: str, hint: Callable[[], str]) -> list[str]:
    """What is wrong with the frames: of all files, or of those that this run has done, so that
    many good files do not hide a bad one.
    """
    limit, share = _limit(text)
    wrong = []
    for rows, where in (
        (summary.fresh, "in the files of this run"),
        (summary.rows, "in all files"),
    ):
        bad, judged = _bad(rows)
        if not rows.get("opened") and judged + rows.get("unknown device", 0):
            wrong.append(f"no frame opened {where}; {hint()}")
            break
        if bad > (limit / 100 * judged if share else limit):
            wrong.append(
                f"{bad:,} of {judged:,} frames {where} are forged or malformed; the limit is {text}"
            )
            break
    return wrong


@app.command(
    "open",
    example="hanji telemetry open 'in/*.parquet' -o opened --rejected rejected --masters keys.parquet",
)
@inputs_argument
@output_option
@masters_option
@masters_from_option
@masters_key_option
@masters_passphrase_option
@click.option(
    "--rejected",
    metavar="FOLDER",
    type=PATH,
    required=True,
    help="Where frames that do not open go, with reasons.",
)
@click.option(
    "--max-rejected",
    metavar="LIMIT",
    default="10%",
    help="End with status 1 if more frames than LIMIT are forged or malformed, in this run or in all"
    " files of OUT. LIMIT is a count (50) or a percentage of the frames of known devices (0.1%);"
    " replays and nulls do not count.",
)
@click.option("--threads", type=click.IntRange(1, 64), help="Default: all cores.")
@column_option
@click.option(
    "--direction", type=click.Choice(DIRECTIONS), default=DIRECTIONS[0], help="Who has sealed."
)
@compression_option
@click.option(
    "--engine",
    default="",
    show_default=False,
    help="Who does the work: polars, spark or ray. Default: this process.",
)
@click.option("--cluster", metavar="ADDRESS", help="Of Spark or Ray. Default: on this machine.")
@json_option
def open_(
    inputs: tuple[str, ...],
    output: Path,
    masters: Path | None,
    masters_from: str | None,
    masters_key: Path | None,
    passphrase_file: Path | None,
    rejected: Path,
    max_rejected: str,
    threads: int | None,
    column: str,
    direction: str,
    compression: str,
    engine: str,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Open the frames of Parquet files: readings into OUT, file by file, all others into rejected.

    To continue a run that was interrupted, or to add files, give the same command again. Frames
    that come twice, in one file or in several, are opened once; the others are rejected as
    replayed. Files whose outputs are missing, and files with frames that new master keys may open,
    are opened again.

    The status is 1 if more frames are forged or malformed than --max-rejected allows, or if none
    opened.
    """
    _limit(max_rejected)
    _require_packages()
    from hanji._telemetry_files import Opening

    _refuse_files(output, rejected)
    given = _inputs(inputs, output, rejected)
    keys = _masters(masters, masters_from, masters_key, passphrase_file)
    with _progress(given) as progress, _asking():
        job = Opening(
            masters=keys,
            output=output,
            rejected=rejected,
            column=column,
            direction=direction,
            threads=threads,
            compression=compression,
            progress=progress,
            engine=engine,
            cluster=cluster,
        )
        summary = job.run(given)
    _print(summary, as_json, "opened")
    for reason, count in summary.again.items():
        were = "was" if count == 1 else "were"
        tell(f"{count_of(count, 'file')} {were} opened again: {_AGAIN[reason]}")
    _end(summary.failed | summary.lost, _judge(summary, max_rejected, job.hint))


@app.command(example="hanji telemetry seal commands.parquet -o sealed --masters keys.parquet")
@inputs_argument
@output_option
@masters_option
@masters_from_option
@masters_key_option
@masters_passphrase_option
@click.option(
    "--algorithm",
    type=AlgorithmChoice(["ascon-aead128", "schwaemm256-128", "speck-64/128-eax"]),
    default="ascon-aead128",
    help="How the frames are sealed.",
)
@click.option(
    "--direction",
    type=click.Choice(DIRECTIONS),
    default=DIRECTIONS[1],
    help="Whose frames they are.",
)
@click.option(
    "--state",
    metavar="FILE",
    type=PATH,
    help="Record of the numbers used so far. Default: in the folder of the master keys.",
)
@compression_option
@json_option
def seal(
    inputs: tuple[str, ...],
    output: Path,
    masters: Path | None,
    masters_from: str | None,
    masters_key: Path | None,
    passphrase_file: Path | None,
    algorithm: str,
    direction: str,
    state: Path | None,
    compression: str,
    as_json: bool,
) -> None:
    """Seal payloads of Parquet files with columns device, epoch, number and payload: commands to
    devices, under keys of their own, or, from-device, the frames of simulated devices.

    The numbers are recorded in --state before anything is sealed, and numbers that go back are
    refused. Never restore that file from a backup without raising the epoch.

    The status is 1 if a payload could not be sealed.
    """
    _require_packages()
    from hanji._seal_state import place_for
    from hanji._telemetry_files import Sealing

    _refuse_files(output)
    given = _inputs(inputs, output)
    keys = _masters(masters, masters_from, masters_key, passphrase_file)
    with _progress(given) as progress, _asking():
        place = place_for(None if masters is None else str(masters), state)
        job = Sealing(keys, output, algorithm, direction, compression, progress, place)
        summary = job.run(given)
    _print(summary, as_json, "sealed")
    left = summary.read - summary.rows["sealed"]
    _end(summary.failed, [f"{left:,} payloads were not sealed"] if left else [])


@app.command(example="hanji telemetry inspect 'frames/*.parquet'")
@inputs_argument
@column_option
@json_option
def inspect(inputs: tuple[str, ...], column: str, as_json: bool) -> None:
    """Say what the headers of frames tell, without any key: frames, devices, algorithms."""
    _require_packages()
    from hanji._telemetry_files import InputError
    from hanji._telemetry_files import inspect as look

    found: list[dict[str, Any]] = []
    failed = {}
    for one in _inputs(inputs):
        try:
            found.append(look(one.path, column))
        except (InputError, MemoryError) as error:
            reason = (
                str(error) if isinstance(error, InputError) else "needs more memory than there is"
            )
            failed[one.path] = reason
            found.append({"file": str(one.path), "failed": reason})
    if as_json:
        import json

        write_text(json.dumps(found, indent=2) + "\n")
    for about in [] if as_json else found:
        if "failed" in about:
            continue
        kinds = "; ".join(f"{count:,} {name}" for name, count in about["kinds"].items())
        write_text(
            f"{escaped(about['file'])}: {count_of(about['frames'], 'frame')},"
            f" {about['bytes']:,} bytes, {count_of(about['devices'], 'device')}:"
            f" {kinds or 'nothing'}\n"
        )
    _end(failed, [])
