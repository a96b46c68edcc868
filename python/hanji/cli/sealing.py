# SPDX-License-Identifier: Apache-2.0
"""``hanji keygen``, ``seal`` and ``open``."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from click.exceptions import Exit

from hanji import HanjiError, files, keys
from hanji._text import Shown
from hanji.cli import MAC_ALGORITHM, many
from hanji.cli.commands import (
    argument,
    command,
    comment_option,
    complete,
    force_option,
    key_option,
    passphrase_file_option,
    passphrase_option,
)
from hanji.cli.terminal import (
    PASSPHRASE_VARIABLE,
    check_key_files,
    check_output,
    input_stream,
    keeping_keys,
    load_key,
    operands,
    output_stream,
    progress_bar,
    read_passphrase,
    tell,
    warn_unprotected,
)

seal_key_option = key_option("Key file, made by: hanji keygen -o KEY")
threads_option = click.option(
    "--threads",
    type=click.IntRange(1, 64),
    help="Threads; default: one per core, at most 8. Each works on 16 chunks of 64 KiB at once.",
)
input_argument = argument(
    "sources",
    "IN...",
    'File to read, "-" for standard input; or several files and folders.',
    nargs=-1,
    required=True,
)
output_option = click.option(
    "--output",
    "-o",
    metavar="OUT",
    required=True,
    help='File to write, "-" for standard output; for several inputs the folder to write to.',
)


@command("keygen", example="hanji keygen -o sealing.key")
@click.option("--output", "-o", metavar="KEY", required=True, help="Key file to write (mode 0600).")
@click.option(
    "--algorithm",
    "-a",
    shell_complete=complete("aead", "block"),
    help="What the key is for: an AEAD or a block cipher of hanji list.",
)
@click.option(
    "--for",
    "purpose",
    type=click.Choice(["seal", "mac"]),
    help=f"Instead of -a: seal is {keys.DEFAULT_ALGORITHM} (the default), mac is {MAC_ALGORITHM}.",
)
@comment_option("the key file")
@passphrase_option("Lock the key with a passphrase")
@passphrase_file_option("Lock the key")
@force_option
def keygen(
    output: str,
    algorithm: str | None,
    purpose: str | None,
    comment: str,
    passphrase: bool,
    passphrase_file: Path | None,
    force: bool,
) -> None:
    """Make a random key and keep it in a file that only you can read."""
    if algorithm is not None and purpose is not None:
        raise click.BadParameter("give --algorithm or --for, not both", param_hint="--for")
    name = algorithm or (MAC_ALGORITHM if purpose == "mac" else keys.DEFAULT_ALGORITHM)
    try:
        key = keys.generate(name, comment)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--algorithm") from None
    if output == "-":
        raise click.BadParameter(
            "a key is written to a file, not to standard output", param_hint="-o"
        )
    check_key_files([output], operands(("the passphrase file", passphrase_file)), force=force)
    secret = None
    if passphrase or passphrase_file is not None:
        secret = read_passphrase(passphrase_file, "the new key", confirm=True)
    else:
        warn_unprotected()
    with keeping_keys():
        keys.save(key, Shown(output), passphrase=secret, overwrite=force)
    tell(f"{output}: new key {key.key_id.hex()} for {key.algorithm}")


@command("seal", example="hanji seal photos report.pdf -o sealed -k sealing.key")
@input_argument
@output_option
@seal_key_option
@passphrase_option("Seal with a passphrase instead of a key")
@passphrase_file_option("Seal, or unlock the key,")
@many.options
@force_option
@threads_option
def seal(
    sources: tuple[str, ...],
    output: str,
    key: Path | None,
    passphrase: bool,
    passphrase_file: Path | None,
    relative_to: str | None,
    skip_existing: bool,
    force: bool,
    threads: int | None,
) -> None:
    """Encrypt and authenticate files of any size; hanji open gives them back.

    Give a key file or a passphrase. The output appears whole or not at all, and never replaces a
    file without --force. The passphrase is asked for on the terminal, or read from
    --passphrase-file or HANJI_PASSPHRASE.

    Several inputs go to the folder OUT, each under its name and ".hanji"; names are not encrypted.
    Folders are entered; symbolic links, pipes and devices are named and left out.
    """
    options: dict[str, Any] = {"threads": threads}
    secrets = (("the key", key), ("the passphrase file", passphrase_file))
    many.refuse_words(sources, passphrase)
    found = _plan(sources, output, relative_to, skip_existing, many.sealed_name, secrets)
    others = operands(*(("input", source) for source in sources[: found is None]), *secrets)
    others.refuse_one_pipe()
    if found is None:
        check_output(output, others, force=force, binary=True)
    if key is not None:
        if passphrase:
            raise click.BadParameter(
                "give --key or --passphrase, not both", param_hint="--passphrase"
            )
        options["key"] = load_key(key, passphrase_file, missing="make a key: hanji keygen -o {}")
    elif not passphrase and passphrase_file is None and PASSPHRASE_VARIABLE not in os.environ:
        raise click.BadParameter(
            f"give --key KEY, --passphrase, --passphrase-file FILE or {PASSPHRASE_VARIABLE}",
            param_hint="--key",
        )
    if found is not None:
        if key is None:
            options["passphrase"] = files.SharedPassphrase(
                read_passphrase(passphrase_file, "the sealed files", confirm=True)
            )

        def seal_one(job: many.Job, writer: Any, progress: many.Progress) -> None:
            with found.open(job.source) as reader:
                files.seal(reader, writer, progress=progress, **options)

        _run(found, "sealed", seal_one, force, skip_existing)
        return
    with (
        input_stream(sources[0]) as reader,
        output_stream(output, others, force=force, binary=True) as writer,
        progress_bar("sealing", reader) as progress,
    ):
        if key is None:
            options["passphrase"] = read_passphrase(
                passphrase_file, "the sealed file", confirm=True
            )
        files.seal(reader, writer, progress=progress, **options)


@command("open", example="hanji open sealed/report.pdf.hanji -o report.pdf -k sealing.key")
@input_argument
@output_option
@seal_key_option
@passphrase_file_option("Open the file, or unlock the key,")
@many.options
@force_option
@threads_option
def open_(
    sources: tuple[str, ...],
    output: str,
    key: Path | None,
    passphrase_file: Path | None,
    relative_to: str | None,
    skip_existing: bool,
    force: bool,
    threads: int | None,
) -> None:
    """Verify and decrypt sealed files.

    The output appears only when everything has verified. To standard output ("-o -") and to pipes,
    each chunk is written after its own verification: when the file turns out to be truncated or
    altered further on, the exit status is 1 and what was written must be thrown away.

    Several inputs go to the folder OUT, each under its name without ".hanji". A folder keeps its
    name there; FOLDER/. stands for what is in the folder.
    """
    secrets = (("the key", key), ("the passphrase file", passphrase_file))
    many.refuse_words(sources, False)
    found = _plan(sources, output, relative_to, skip_existing, many.opened_name, secrets)
    others = operands(*(("input", source) for source in sources[: found is None]), *secrets)
    others.refuse_one_pipe()
    if found is None:
        check_output(output, others, force=force, binary=False)
    missing = "give the key that sealed the file"
    secret = load_key(key, passphrase_file, missing=missing) if key is not None else None
    source = "the sealed files" if found is not None else sources[0]

    def ask() -> str:
        return read_passphrase(passphrase_file, source)

    if found is not None:
        passphrase = files.SharedPassphrase(ask) if key is None else None

        def open_one(job: many.Job, writer: Any, progress: many.Progress) -> None:
            with found.open(job.source) as reader:
                files.open(
                    reader,
                    writer,
                    key=secret,
                    passphrase=passphrase,
                    threads=threads,
                    progress=progress,
                )

        _run(found, "opened", open_one, force, skip_existing)
        return
    with (
        input_stream(source) as reader,
        output_stream(output, others, force=force, binary=False) as writer,
        progress_bar("opening", reader) as progress,
    ):
        try:
            files.open(
                reader,
                writer,
                key=secret,
                passphrase=ask if key is None else None,
                threads=threads,
                progress=progress,
            )
        except files.KeyNeededError as error:
            raise click.BadParameter(f"{source}: {error}.", param_hint="--key") from None
        except HanjiError as error:
            error.args = (f"{source}: {error}", *error.args[1:])
            raise


def _plan(
    sources: Sequence[str],
    output: str,
    relative_to: str | None,
    skip_existing: bool,
    rename: Callable[[str], str],
    secrets: Sequence[tuple[str, Path | None]],
) -> many.Plan | None:
    """The plan for several inputs; None for one file that goes to one file."""
    if not many.is_many(sources, output, relative_to):
        if skip_existing:
            raise click.BadParameter(
                "goes with a folder as the output", param_hint="--skip-existing"
            )
        return None
    return many.plan(sources, output, relative_to, rename, secrets)


def _run(found: many.Plan, verb: str, work: many.Work, force: bool, skip_existing: bool) -> None:
    status = many.Run(found, verb).run(work, force=force, skip_existing=skip_existing)
    if status:
        raise Exit(status)
