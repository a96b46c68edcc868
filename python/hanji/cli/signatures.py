# SPDX-License-Identifier: Apache-2.0
"""``hanji sign-keygen``, ``sign`` and ``verify``."""

from __future__ import annotations

import collections
import contextlib
import errno
import io
import os
import sys
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
from click.exceptions import Exit

import hanji
from hanji import keys, sign
from hanji._atomic import try_output
from hanji._text import Shown
from hanji._threads import usable_processors
from hanji.cli import many, sums
from hanji.cli.commands import (
    command,
    comment_option,
    complete,
    files_argument,
    force_option,
    key_option,
    passphrase_file_option,
    passphrase_option,
)
from hanji.cli.status import FAILED, RIGHT, USAGE, WRONG, status_of, worst
from hanji.cli.terminal import (
    Operands,
    check_key_files,
    check_output,
    complain,
    describe,
    fail,
    input_stream,
    keeping_keys,
    load_key,
    operands,
    output_stream,
    progress_bar,
    progress_columns,
    read_most,
    read_passphrase,
    refuse_secrets_as_output,
    refuse_standard_output,
    tell,
    warn_unprotected,
    write_text,
)

SIGNATURE_SCHEME = "slh-dsa-shake-128s"
_T = TypeVar("_T")

broken_option = click.option(
    "--i-know-it-is-broken",
    "broken",
    is_flag=True,
    help="Use a scheme whose signatures anybody can forge.",
)
context_option = click.option(
    "--context",
    metavar="TEXT",
    default="",
    show_default=False,
    help="What the signatures are for, up to 255 bytes; whoever verifies them must give the same. "
    "SLH-DSA and AIMer v3 take it.",
)
pre_hash_option = click.option(
    "--pre-hash",
    type=click.Choice(sign.PRE_HASHES),
    help="Sign the hash of each file, which is then read once; whoever verifies must give the same. "
    "SLH-DSA only, and SHAKE128 only sets with 128 in their names. X.509 and CMS do not use it.",
)


def _context(text: str) -> bytes:
    """The context string of a signature, as the bytes that the shell gave."""
    context = os.fsencode(text)
    if len(context) > sign.CONTEXT_MAX:
        raise click.BadParameter(
            f"a context has 0 to {sign.CONTEXT_MAX} bytes; {len(context)} were given",
            param_hint="--context",
        )
    return context


def _refuse_broken(algorithm: str, known: bool) -> None:
    """Say that a scheme is broken, and unless it is `known` end before anything is computed."""
    about = next((a for a in hanji.algorithms() if a.name == algorithm), None)
    if about is None or not about.broken:
        return
    if not known:
        fail(
            f"{algorithm}: {about.status}. Nothing was done; to use it nevertheless give "
            "--i-know-it-is-broken",
            USAGE,
        )
    complain(f"warning: {algorithm}: {about.status}")
    warnings.simplefilter("ignore", sign.BrokenSchemeWarning)  # it has been said


def _refuse_pem(algorithm: str, comment: str, locked: bool) -> None:
    """End, before a key is made, when PEM cannot hold what was asked for."""
    problem = None
    if algorithm not in keys.pem_algorithms():
        problem = (
            f"keys of {algorithm} are not written in PEM; it is for "
            f"{', '.join(keys.pem_algorithms())}"
        )
    elif comment:
        problem = "PEM has no place for a comment; leave out --comment"
    elif locked:
        problem = (
            "keys in PEM are not locked with a passphrase; leave it out, or take --format hanji"
        )
    if problem is not None:
        raise click.BadParameter(problem, param_hint="--format")


@command("sign-keygen", example="hanji sign-keygen -o signing.key")
@click.option(
    "--output",
    "-o",
    metavar="FILE",
    required=True,
    help="Key file to write; the public key goes to FILE.pub.",
)
@click.option(
    "--algorithm",
    "-a",
    default=SIGNATURE_SCHEME,
    shell_complete=complete("signature"),
    help="A signature scheme of hanji list.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(keys.FORMATS),
    default="hanji",
    help="What both files are: key files of hanji, or PEM for other programs (PKCS#8 and "
    "SubjectPublicKeyInfo; SLH-DSA only). Every command reads both.",
)
@comment_option("both files")
@passphrase_option("Lock the private key with a passphrase")
@passphrase_file_option("Lock the private key")
@force_option
@broken_option
def sign_keygen(
    output: str,
    algorithm: str,
    format_: str,
    comment: str,
    passphrase: bool,
    passphrase_file: Path | None,
    force: bool,
    broken: bool,
) -> None:
    """Make a key pair for signatures: a private key in FILE, which only you can read, and the
    public key in FILE.pub.
    """
    try:
        scheme = sign.scheme(algorithm)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--algorithm") from None
    if output == "-":
        raise click.BadParameter(
            "keys are written to files, not to standard output", param_hint="-o"
        )
    _refuse_broken(algorithm, broken)
    if format_ == "pem":
        _refuse_pem(algorithm, comment, passphrase or passphrase_file is not None)
    reads = operands(("the passphrase file", passphrase_file))
    check_key_files([output, f"{output}.pub"], reads, force=force)
    secret = None
    if passphrase or passphrase_file is not None:
        secret = read_passphrase(passphrase_file, "the new key", confirm=True)
    else:
        warn_unprotected()
    private = scheme.generate()
    public = private.public_key.to_key(comment)
    with keeping_keys():
        keys.save_pair(
            private.to_key(comment),
            public,
            Shown(output),
            passphrase=secret,
            overwrite=force,
            format=format_,
        )
    tell(f"{output}, {output}.pub: new key pair {public.key_id.hex()} for {scheme.algorithm}")


def _signature_key(
    path: Path, passphrase_file: Path | None, known: bool, missing: str
) -> sign.PrivateKey | sign.PublicKey:
    """The key. When its scheme is broken and that is not `known`, it is not even unlocked."""
    try:
        return sign.load(
            load_key(
                path,
                passphrase_file,
                accept=lambda algorithm: _refuse_broken(algorithm, known),
                missing=missing,
            )
        )
    except ValueError as error:
        fail(f"{path}: {error}", USAGE)


def _refuse_purpose(
    key: sign.PrivateKey | sign.PublicKey, context: bytes, pre_hash: str | None
) -> None:
    """End when the scheme takes no such context or hash function, before any file is read."""
    option = "--context"
    try:
        key.message(context=context)
        option = "--pre-hash"
        key.message(pre_hash=pre_hash)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=option) from None


class _Watched:
    """An open file; `progress` gets how much has been read of it since the start, and None at its
    end.
    """

    def __init__(self, file: io.FileIO, progress: Callable[[int | None], None]) -> None:
        self._file, self._progress, self._done = file, progress, 0
        self.seekable, self.tell = file.seekable, file.tell

    def read(self, size: int, /) -> bytes | None:
        piece = self._file.read(size)
        self._done += len(piece or b"")
        self._progress(self._done if piece else None)
        return piece

    def seek(self, offset: int, /) -> int:
        self._done = 0  # only back to the start, for another reading
        return self._file.seek(offset)


@contextlib.contextmanager
def _opened(
    path: str,
    *,
    alone: bool,
    to_stdout: bool = False,
    opened: Callable[[str], contextlib.AbstractContextManager[io.FileIO]] = input_stream,
) -> Iterator[io.FileIO | _Watched]:
    """A message in a file of any size, "-" being standard input; a file that is `alone` has a
    progress bar.
    """
    with (
        opened(path) as reader,
        progress_bar("hashing", reader) if alone else contextlib.nullcontext() as progress,
    ):
        if to_stdout:
            refuse_standard_output(path)
        yield reader if progress is None else _Watched(reader, progress)


def _refuse_folder(path: str, advice: str) -> None:
    if path != "-" and Path(path).is_dir():
        raise IsADirectoryError(errno.EISDIR, f"is a folder; {advice}", path)


@contextlib.contextmanager
def _signing(alone: bool) -> Iterator[sign.Progress | None]:
    """What shows, on a terminal, how far the signature of the only file is."""
    if not alone or not sys.stderr.isatty():
        yield None
        return
    with progress_columns("signing", 100, of_bytes=False) as show:
        yield lambda done, total: show(done * 100 // total)


_AHEAD = 4  # files that wait for each thread


def _each_file(
    paths: Sequence[str], work: Callable[[str], _T]
) -> Generator[tuple[str, Callable[[], _T]], None, None]:
    """(path, a function that returns what `work` did for it, or raises what it raised), in order;
    several files at a time.
    """
    if len(paths) == 1:
        yield paths[0], lambda: work(paths[0])
        return
    import concurrent.futures  # with logging, which neither help nor one file needs

    workers = usable_processors()
    waiting: collections.deque[tuple[str, concurrent.futures.Future[_T]]] = collections.deque()
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        try:
            for path in paths:
                waiting.append((path, pool.submit(work, path)))
                if len(waiting) >= _AHEAD * workers:
                    first, future = waiting.popleft()
                    yield first, future.result
            for path, future in waiting:
                yield path, future.result
        finally:
            pool.shutdown(cancel_futures=True)


@command("sign", example="hanji sign report.pdf -k signing.key")
@files_argument
@key_option("Private key, made by: hanji sign-keygen -o KEY", required=True)
@click.option(
    "--output",
    "-o",
    metavar="SIG",
    help="Signature of one FILE, or the folder for those of several; default: FILE.sig for each.",
)
@many.options
@context_option
@pre_hash_option
@click.option(
    "--check/--no-check",
    default=True,
    help="Protect against faults of the machine: verify each signature of AIMer before it is "
    "written; make each one of SLH-DSA twice.",
)
@click.option(
    "--deterministic",
    is_flag=True,
    help="Use no random bytes: the same file has the same signature.",
)
@passphrase_file_option("Unlock the key")
@force_option
@broken_option
def sign_(
    paths: tuple[str, ...],
    key: Path,
    output: str | None,
    relative_to: str | None,
    skip_existing: bool,
    context: str,
    pre_hash: str | None,
    check: bool,
    deterministic: bool,
    passphrase_file: Path | None,
    force: bool,
    broken: bool,
) -> None:
    """Sign files of any size; each signature goes to a file of its own, FILE.sig. Several files are
    read at the same time.

    With a folder as the output, the signatures of several files go there, each under the name of
    its file and ".sig". Folders are entered; symbolic links, pipes and devices are named and left
    out.
    """
    purpose = _context(context)
    secrets = (("the key", key), ("the passphrase file", passphrase_file))
    found = None
    if many.is_many(paths, output, relative_to):
        found = many.plan(paths, str(output), relative_to, many.signature_name, secrets)
    elif relative_to is not None or skip_existing:
        raise click.BadParameter(
            "goes with a folder for the signatures: -o FOLDER",
            param_hint="--skip-existing" if skip_existing else "--relative-to",
        )
    if output is None and "-" in paths:
        raise click.BadParameter("standard input has no name; give -o SIG", param_hint="-o")
    others = operands(*(("input", path) for path in (paths if found is None else ())), *secrets)
    others.refuse_one_pipe()
    status = RIGHT
    if found is None:
        targets, status = _check_targets(paths, output, others, force)
        if not targets:
            raise Exit(status)
    missing = "make a key pair: hanji sign-keygen -o {}"
    private = _signature_key(key, passphrase_file, broken, missing)
    if not isinstance(private, sign.PrivateKey):
        fail(f"{key}: a public key cannot sign; give the private key", USAGE)
    _refuse_purpose(private, purpose, pre_hash)
    scheme_key = private
    alone = found is None and len(paths) == 1

    def work(path: str) -> bytes:
        if found is None:
            _refuse_folder(
                path, "to sign the files in it, give a folder for the signatures: -o FOLDER"
            )
        opened = input_stream if found is None else found.open
        with _opened(path, alone=alone, opened=opened) as file, _signing(alone) as progress:
            return scheme_key.sign_file(
                file,
                context=purpose,
                pre_hash=pre_hash,
                check=check,
                deterministic=deterministic,
                progress=progress,
            )

    if found is not None:
        _sign_into(found, work, force, skip_existing)
        return
    signed = _each_file([path for path, _ in targets], work)
    for number, (path, result) in enumerate(signed, start=1):
        target = targets[number - 1][1]
        try:
            signature = result()
            with output_stream(target, others, force=force, binary=True) as writer:
                writer.write(signature)
            if len(paths) > 1 and sys.stderr.isatty():
                tell(f"{number} of {len(targets)}: {target}")
        except BrokenPipeError:
            raise
        except hanji.HanjiError as error:
            complain(f"{path}: {describe(error)}")
            status = worst(status, status_of(error))
        except (OSError, ValueError) as error:
            complain(describe(error))
            status = worst(status, status_of(error))
    if status:
        raise Exit(status)


def _check_targets(
    paths: Sequence[str], output: str | None, others: Operands, force: bool
) -> tuple[list[tuple[str, str]], int]:
    """The files with the names of their signatures, and a status. A signature that could not be
    written is named now, before anything is signed, and its file left out.
    """
    targets, status = [], RIGHT
    for path in paths:
        target = output or f"{path}.sig"
        try:
            if path == "-" or os.path.lexists(path):  # else the input is what is missing
                check_output(target, others, force=force, binary=True)
            targets.append((path, target))
        except (OSError, ValueError) as error:
            complain(describe(error))
            status = worst(status, status_of(error))
    return targets, status


def _sign_into(
    found: many.Plan, work: Callable[[str], bytes], force: bool, skip_existing: bool
) -> None:
    """Write the signatures of a plan into its folder."""
    if skip_existing:  # those are not even read
        found.jobs = [job for job in found.jobs if not Path(job.target).is_file()]
    targets = {job.source: job.target for job in found.jobs}

    def checked(path: str) -> bytes:
        """The signature; no work for one whose output cannot be begun, as the run will say."""
        target = targets[path]
        try_output(Shown(target), overwrite=force, folder=found.mark_of_output(target))
        return work(path)

    signed = _each_file([job.source for job in found.jobs], checked)

    def write(job: many.Job, writer: Any, _progress: many.Progress) -> None:
        # An output that could not be begun was left out, so there may be results before this one.
        result = next(result for path, result in signed if path == job.source)
        writer.write(result())

    with contextlib.closing(signed):
        status = many.Run(found, "signed").run(write, force=force, skip_existing=False)
    if status:
        raise Exit(status)


@command("verify", example="hanji verify report.pdf -k signing.key.pub")
@files_argument
@key_option("Public key, the file KEY.pub of hanji sign-keygen.", required=True)
@click.option(
    "--signature",
    "-s",
    metavar="SIG",
    help="Signature of one FILE, or the folder with those of several; default: FILE.sig of each.",
)
@many.relative_option
@context_option
@pre_hash_option
@passphrase_file_option("Unlock the key, if it is a locked private one,")
@broken_option
def verify(
    paths: tuple[str, ...],
    key: Path,
    signature: str | None,
    relative_to: str | None,
    context: str,
    pre_hash: str | None,
    passphrase_file: Path | None,
    broken: bool,
) -> None:
    """Verify the signatures of files, several at the same time. The exit status is 0 only when all
    are right.
    """
    purpose = _context(context)
    status, places = RIGHT, {path: signature or f"{path}.sig" for path in paths}
    if many.is_many(paths, signature, relative_to):
        found = many.plan(paths, str(signature), relative_to, many.signature_name, None)
        places = {job.source: job.target for job in found.jobs}
        for error in found.left_out:
            complain(describe(error))
            status = FAILED
    elif relative_to is not None:
        raise click.BadParameter(
            "goes with the folder of the signatures: -s FOLDER", param_hint="--relative-to"
        )
    if signature is None and "-" in paths:
        raise click.BadParameter("standard input has no name; give -s SIG", param_hint="-s")
    operands(
        *(("input", path) for path in places),
        ("the signature", signature),
        ("the key", key),
        ("the passphrase file", passphrase_file),
    ).refuse_one_pipe()
    refuse_secrets_as_output(key, passphrase_file)
    refuse_standard_output(*places, *places.values())
    missing = "give the public key, the file KEY.pub that hanji sign-keygen -o KEY wrote"
    public = _signature_key(key, passphrase_file, broken, missing)
    if isinstance(public, sign.PrivateKey):
        public = public.public_key
    _refuse_purpose(public, purpose, pre_hash)
    public_key = public

    def check(path: str) -> None:
        named = places[path]
        _refuse_folder(
            path, "to verify the files in it, give the folder of the signatures: -s FOLDER"
        )
        with input_stream(named) as reader:
            refuse_standard_output(named)
            given = read_most(reader, public_key.signature_size + 1)
        with _opened(path, alone=len(places) == 1, to_stdout=True) as file:
            public_key.verify_file(given, file, context=purpose, pre_hash=pre_hash)

    for path, result in _each_file(list(places), check):
        try:
            result()
            proves = ", but it proves nothing: the scheme is broken" if public_key.broken else ""
            write_text(sums.verdict(path, f"OK{proves}"))
        except sign.InvalidSignature as error:
            write_text(sums.verdict(path, "FAILED"))
            complain(f"{path}: {error}")
            status = worst(status, WRONG)
        except BrokenPipeError:
            raise
        except OSError as error:
            complain(describe(error))
            status = worst(status, FAILED)
    if status:
        raise Exit(status)
