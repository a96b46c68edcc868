# SPDX-License-Identifier: Apache-2.0
"""``hanji telemetry``: frames in Parquet files opened, sealed and looked at."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from hanji._text import escaped
from hanji.cli.commands import PATH, SEVERAL, CommandGroup, argument, json_option
from hanji.cli.terminal import (
    complain,
    console,
    fail,
    load_key,
    read_passphrase,
    refuse_standard_output,
    write_text,
)


@click.group("telemetry", cls=CommandGroup)
def app() -> None:
    """Open and seal telemetry frames in Parquet files (docs/telemetry.md, docs/scale.md)."""


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


def _masters(
    path: Path | None, function: str | None, key: Path | None, passphrase_file: Path | None
) -> Any:
    """The master keys as an opener takes them: a path, a table in memory, or a function."""
    from hanji import _system, telemetry
    from hanji._master_tables import FromModule, is_sealed

    if (path is None) == (function is None):
        raise click.BadParameter(
            "give either --masters FILE or --masters-from MODULE:FUNCTION", param_hint="--masters"
        )
    if function is not None:
        try:
            service = FromModule(function)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--masters-from") from None
        service.load()
        return service
    assert path is not None
    refuse_standard_output(str(path))
    if not path.is_file() or not is_sealed(path):
        if who := path.is_file() and _system.readers(path):
            complain(f"warning: {path} {who}")
        return str(path)
    unlocked = None if key is None else load_key(key, passphrase_file)
    ask = None if key is not None else lambda: read_passphrase(passphrase_file, str(path))
    return telemetry.read_masters(path, key=unlocked, passphrase=ask)


output_option = click.option(
    "--output", "-o", metavar="OUT", type=PATH, required=True, help="Folder to fill."
)
column_option = click.option("--column", default="frame", help="Column of frames.")
compression_option = click.option(
    "--compression", default="zstd", help="Of the outputs: zstd, snappy or none."
)
DIRECTIONS = ("from-device", "to-device")


def _inputs(patterns: tuple[str, ...]) -> list[Path]:
    import glob

    found: list[Path] = []
    for pattern in patterns:
        matches = glob.glob(pattern)  # noqa: PTH207 - a pattern may begin with a folder or /
        here = [Path(pattern)] if Path(pattern).exists() else [*map(Path, matches)]
        if not here:
            raise FileNotFoundError(2, "no file has this name or fits this pattern", pattern)
        found += sorted(here)
    for path in found:
        if path.is_dir():
            raise IsADirectoryError(21, "is a folder; give files: 'FOLDER/*.parquet'", str(path))
        refuse_standard_output(str(path))
    return [*dict.fromkeys(found)]


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
def _progress(paths: list[Path]) -> Iterator[Callable[[int], None]]:
    """Frames, frames per second and time left, where standard error is a terminal."""
    if not sys.stderr.isatty():
        yield lambda rows: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from hanji._telemetry_files import rows_of

    total = 0
    for path in paths:
        with contextlib.suppress(Exception):  # what cannot be read is reported when it is opened
            total += rows_of(path)
    rate = TextColumn("{task.completed:,.0f} frames, {task.fields[rate]:,.0f}/s")
    columns = (BarColumn(), rate, TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total or None, rate=0.0)

        def advance(rows: int) -> None:
            bar.update(task, advance=rows)
            bar.update(task, rate=bar.tasks[0].speed or 0.0)

        yield advance


def _print(summary: Any, as_json: bool, done: str) -> None:
    rejected = summary.read - summary.rows[done]
    if as_json:
        import json

        about = {"files": summary.files, "read": summary.read, done: summary.rows[done]}
        about |= {"rejected": rejected, "reasons": dict(sorted(summary.rows.items()))}
        write_text(json.dumps(about | {"failed": summary.failed}, indent=2) + "\n")
        return
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column("frames")
    table.add_column("number", justify="right")
    for name, count in sorted(summary.rows.items(), key=lambda item: (item[0] != done, item[0])):
        table.add_row(name, f"{count:,}")
    console().print(table)
    write_text(
        f"{summary.rows[done]:,} {done} + {rejected:,} rejected = {summary.read:,} read,"
        f" {summary.files} files\n"
    )


def _end(summary: Any) -> None:
    for path, reason in summary.failed.items():
        complain(f"{path}: {reason}")
    if summary.failed:
        fail(f"{len(summary.failed)} files were not read; all others are done")


@app.command("open")
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
    default="100%",
    help="More than so many fail the run: 0.1%, or 50.",
)
@click.option("--threads", type=click.IntRange(1, 64), help="Default: all cores.")
@column_option
@click.option("--direction", default=DIRECTIONS[0], help="Who has sealed: from-device, to-device.")
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

    A run that was ended is taken up by giving the same command again. Frames that come twice, in
    one file or in several, are opened once; the others are rejected as replayed.
    """
    from hanji._telemetry_files import Opening

    limit, share = _limit(max_rejected)
    paths = _inputs(inputs)
    keys = _masters(masters, masters_from, masters_key, passphrase_file)
    with _progress(paths) as progress:
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
        summary = job.run(paths)
    _print(summary, as_json, "opened")
    _end(summary)
    refused = summary.read - summary.opened
    if refused > (limit / 100 * summary.read if share else limit):
        fail(f"{refused:,} of {summary.read:,} frames were rejected; the limit is {max_rejected}")


@app.command()
@inputs_argument
@output_option
@masters_option
@masters_from_option
@masters_key_option
@masters_passphrase_option
@click.option(
    "--algorithm",
    default="ascon-aead128",
    help="ascon-aead128, schwaemm256-128 or speck-64/128-eax.",
)
@click.option("--direction", default=DIRECTIONS[1], help="from-device or to-device.")
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
    """
    from hanji._seal_state import place_for
    from hanji._telemetry_files import Sealing

    paths = _inputs(inputs)
    keys = _masters(masters, masters_from, masters_key, passphrase_file)
    with _progress(paths) as progress:
        place = place_for(None if masters is None else str(masters), state)
        job = Sealing(keys, output, algorithm, direction, compression, progress, place)
        summary = job.run(paths)
    _print(summary, as_json, "sealed")
    _end(summary)
    if summary.read > summary.rows["sealed"]:
        fail(f"{summary.read - summary.rows['sealed']:,} payloads were not sealed")


@app.command()
@inputs_argument
@column_option
@json_option
def inspect(inputs: tuple[str, ...], column: str, as_json: bool) -> None:
    """Say what the headers of frames tell, without any key: frames, devices, algorithms."""
    from hanji._telemetry_files import InputError
    from hanji._telemetry_files import inspect as look

    found, failed = [], {}
    for path in _inputs(inputs):
        try:
            found.append(look(path, column))
        except InputError as error:
            failed[path] = str(error)
    if as_json:
        import json

        write_text(json.dumps(found, indent=2) + "\n")
    for about in [] if as_json else found:
        kinds = "; ".join(f"{count:,} {name}" for name, count in about["kinds"].items())
        write_text(
            f"{escaped(about['file'])}: {about['frames']:,} frames, {about['bytes']:,} bytes,"
            f" {about['devices']:,} devices: {kinds or 'nothing'}\n"
        )
    for path, reason in failed.items():
        complain(f"{path}: {reason}")
    if failed:
        fail(f"{len(failed)} files were not read")
