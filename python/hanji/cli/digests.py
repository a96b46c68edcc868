# SPDX-License-Identifier: Apache-2.0
"""``hanji hash`` and ``mac``: digests and CMACs of files."""

from __future__ import annotations

from pathlib import Path

import click
from click.exceptions import Exit

import hanji
from hanji import hazmat, keys
from hanji.cli import sums
from hanji.cli.commands import (
    AlgorithmChoice,
    argument,
    command,
    files_argument,
    key_option,
    passphrase_file_option,
)
from hanji.cli.status import FAILED, RIGHT, USAGE, WRONG, worst
from hanji.cli.terminal import (
    complain,
    describe,
    fail,
    load_key,
    refuse_secrets_as_output,
    refuse_standard_output,
    write_text,
)


@command("hash", example="hanji hash *.csv > SUMS && hanji hash --check SUMS")
@argument("paths", "[FILE]...", 'Files, "-" (the default) for standard input.', nargs=-1)
@click.option(
    "--algorithm",
    "-a",
    type=AlgorithmChoice(list(sums.FUNCTIONS)),
    default="ascon-hash256",
    help="Hash function.",
)
@click.option(
    "--length",
    "-l",
    type=click.IntRange(1, sums.MAX_LENGTH),
    help="Bytes of the digest (XOF and XOESCH only); default: 32, or 48 for xoesch384.",
)
@click.option(
    "--check",
    "-c",
    is_flag=True,
    help="Each FILE is a list of digests, as printed without -c: check the files in it.",
)
@click.option("--quiet", is_flag=True, help="With -c: no OK lines.")
@click.option("--status", is_flag=True, help="With -c: nothing but the exit status.")
@click.option(
    "--ignore-missing", is_flag=True, help="With -c: say nothing of files that are not there."
)
@click.option(
    "--strict", is_flag=True, help="With -c: exit status 1 for lines that are no digest, too."
)
def hash_(
    paths: tuple[str, ...],
    algorithm: str,
    length: int | None,
    check: bool,
    quiet: bool,
    status: bool,
    ignore_missing: bool,
    strict: bool,
) -> None:
    """Print or check digests of files, in the layout of sha256sum.

    sha256sum is faster on processors with SHA instructions, which most PCs and servers have. Take
    Ascon-Hash256 where the other side is a microcontroller that has Ascon already, for then one
    permutation serves both encryption and hashing there.
    """
    if length is not None and algorithm not in sums.EXTENDABLE:
        raise click.BadParameter(
            f"{algorithm} digests have one length; use -a ascon-xof128", param_hint="--length"
        )
    if not check and (quiet or status or ignore_missing or strict):
        raise click.BadParameter(
            "--quiet, --status, --ignore-missing and --strict go with --check", param_hint="-c"
        )
    refuse_standard_output(*(paths or ["-"]))
    outcome = RIGHT
    checker = sums.Check(algorithm, length, quiet, status, ignore_missing, strict)
    for path in paths or ["-"]:
        try:
            if check:
                outcome = worst(outcome, checker.run(path))
            else:
                digest = sums.digest_file(
                    path, algorithm, length or sums.EXTENDABLE.get(algorithm, 0)
                )
                write_text(sums.line(digest, path))
        except BrokenPipeError:
            raise
        except OSError as error:
            complain(describe(error))
            outcome = worst(outcome, FAILED)
    if outcome:
        raise Exit(outcome)


@command("mac", example="hanji mac firmware.bin -k mac.key")
@files_argument
@key_option("Key file, made by: hanji keygen --for mac -o KEY", required=True)
@click.option(
    "--tag-size",
    type=click.IntRange(1, 16),
    help="Bytes of the tag; default: the whole block, 8 or 16.",
)
@click.option(
    "--verify",
    metavar="TAG",
    help="Check one file against TAG, in hexadecimal, instead of printing tags.",
)
@passphrase_file_option("Unlock the key")
def mac(
    paths: tuple[str, ...],
    key: Path,
    tag_size: int | None,
    verify: str | None,
    passphrase_file: Path | None,
) -> None:
    """Print or verify the CMAC of files, with the block cipher of the key (by default
    SPECK-128/256).
    """
    refuse_secrets_as_output(key, passphrase_file)
    refuse_standard_output(*paths)
    missing = (
        "make a key: hanji keygen --for mac -o {}"
        if verify is None
        else "give the key that made the tag"
    )
    secret = load_key(key, passphrase_file, missing=missing)
    expected = b""
    if verify is not None:
        if len(paths) != 1:
            raise click.BadParameter(
                f"--verify checks one file; {len(paths)} were given", param_hint="--verify"
            )
        try:
            expected = bytes.fromhex(verify)
        except ValueError:
            raise click.BadParameter("the tag is not hexadecimal", param_hint="--verify") from None
    block_size = _mac_block_size(secret, key)
    wanted = tag_size or block_size
    if wanted > block_size:
        raise click.BadParameter(
            f"{secret.algorithm} makes tags of 1 to {block_size} bytes", param_hint="--tag-size"
        )
    if verify is not None and len(expected) != wanted:
        raise click.BadParameter(
            f"the tag has {len(expected)} bytes, expected are {wanted}; --tag-size accepts a "
            "shorter one",
            param_hint="--verify",
        )
    outcome = RIGHT
    fresh = hazmat.cmac(secret.algorithm, secret.material)
    for path in paths:
        state = fresh.copy()
        try:
            sums.absorb(path, state)
            if verify is None:
                write_text(sums.line(state.digest(wanted), path))
            else:
                state.verify(expected, wanted)
                write_text(sums.verdict(path, "OK"))
        except hanji.InvalidTag:
            write_text(sums.verdict(path, "FAILED"))
            complain(
                f"{path}: the tag does not verify: the file, the tag or the key is another one"
            )
            outcome = worst(outcome, WRONG)
        except BrokenPipeError:
            raise
        except OSError as error:
            complain(describe(error))
            outcome = worst(outcome, FAILED)
        except hanji.LimitError as error:
            complain(f"{path}: {error}")
            outcome = worst(outcome, WRONG)
    if outcome:
        raise Exit(outcome)


def _mac_block_size(secret: keys.Key, path: Path) -> int:
    size = next(
        (
            a.block_size
            for a in hanji.algorithms()
            if a.kind == "block" and a.name == secret.algorithm
        ),
        0,
    )
    if secret.kind != "secret" or size not in (8, 16):
        fail(
            f"{path}: the key is for {secret.algorithm}; CMAC needs a key for a block cipher with "
            "blocks of 64 or 128"
            " bits (hanji keygen --for mac makes one)",
            USAGE,
        )
    return size
