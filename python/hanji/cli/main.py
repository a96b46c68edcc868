# SPDX-License-Identifier: Apache-2.0
"""The commands of ``hanji``; each is a thin layer over the package."""

from __future__ import annotations

import collections
import concurrent.futures
import contextlib
import enum
import json
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

import hanji
from hanji import files, hazmat, keys, sign
from hanji._threads import usable_processors
from hanji.cli import MAC_ALGORITHM, sums, telemetry
from hanji.cli.signals import catch_signals
from hanji.cli.terminal import (
    CommandGroup,
    Operands,
    complain,
    console,
    describe,
    fail,
    guarded,
    input_stream,
    load_key,
    open_standard_streams,
    operands,
    output_stream,
    progress_bar,
    read_most,
    read_passphrase,
    refuse_operands,
    refuse_standard_output,
    tell,
    write_text,
)

SIGNATURE_SCHEME = "aimer3-128f"
_T = TypeVar("_T")

app = typer.Typer(
    name="hanji",
    cls=CommandGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Lightweight cryptography: seal and open files, hash them, authenticate them, measure.",
    epilog="Exit status: 0 done, 1 failed, 2 wrong usage, 128 and the number of the signal that ended it (130: interrupted).",
)

app.add_typer(telemetry.app)

HashName = enum.Enum("HashName", {name: name for name in sums.FUNCTIONS}, type=str)  # type: ignore[misc]


class Purpose(enum.StrEnum):
    """What ``keygen --for`` makes a key for."""

    seal = "seal"
    mac = "mac"


def _complete_algorithm(incomplete: str) -> list[str]:
    return [
        a.name
        for a in hanji.algorithms()
        if a.kind in ("aead", "block") and a.name.startswith(incomplete)
    ]


KeyOption = Annotated[
    Path | None,
    typer.Option("--key", "-k", metavar="KEY", help="Key file, made by: hanji keygen -o KEY"),
]


def _passphrase_file(use: str) -> Any:
    return typer.Option(
        "--passphrase-file",
        metavar="FILE",
        help=f"{use} with the passphrase in FILE (its line end does not count).",
    )


Force = Annotated[bool, typer.Option("--force", "-f", help="Replace the output if it exists.")]
Threads = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=64,
        help="Threads; default: one per core, at most 8. Each works on 16 chunks of 64 KiB at once.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
InputArgument = Annotated[
    str, typer.Argument(metavar="IN", help='File to read, "-" for standard input.')
]
OutputOption = Annotated[
    str,
    typer.Option("--output", "-o", metavar="OUT", help='File to write, "-" for standard output.'),
]


def _version(wanted: bool) -> None:
    if wanted:
        write_text(
            f"hanji {hanji.__version__} "
            f"({', '.join(b['name'] for b in hanji.backends() if b['selected'])})\n"
        )
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_version,
            is_eager=True,
            help="Print the version and the backends in use, and leave.",
        ),
    ] = False,
) -> None:
    open_standard_streams()
    catch_signals()


@app.command()
@guarded
def keygen(
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="KEY", help="Key file to write (mode 0600).")
    ],
    algorithm: Annotated[
        str | None,
        typer.Option(
            "--algorithm",
            "-a",
            help="What the key is for: an AEAD or a block cipher of hanji list.",
            autocompletion=_complete_algorithm,
        ),
    ] = None,
    purpose: Annotated[
        Purpose | None,
        typer.Option(
            "--for",
            help=f"Instead of -a: seal is {keys.DEFAULT_ALGORITHM} (the default), mac is {MAC_ALGORITHM}.",
        ),
    ] = None,
    comment: Annotated[
        str, typer.Option(help="One line of text to keep in the key file; it is not secret.")
    ] = "",
    passphrase: Annotated[
        bool,
        typer.Option(
            "--passphrase", "-p", help="Lock the key with a passphrase, asked for on the terminal."
        ),
    ] = False,
    passphrase_file: Annotated[Path | None, _passphrase_file("Lock the key")] = None,
    force: Force = False,
) -> None:
    """Make a random key and keep it in a file that only you can read."""
    if algorithm is not None and purpose is not None:
        raise typer.BadParameter("give --algorithm or --for, not both", param_hint="--for")
    name = algorithm or (MAC_ALGORITHM if purpose is Purpose.mac else keys.DEFAULT_ALGORITHM)
    try:
        key = keys.generate(name, comment)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    if output == "-":
        raise typer.BadParameter(
            "a key is written to a file, not to standard output", param_hint="-o"
        )
    _refuse_outputs([output], operands(("the passphrase file", passphrase_file)))
    secret = None
    if passphrase or passphrase_file is not None:
        secret = read_passphrase(passphrase_file, "the new key", confirm=True)
    keys.save(key, output, passphrase=secret, overwrite=force)
    tell(f"{output}: new key {key.key_id.hex()} for {key.algorithm}")


def _refuse_outputs(outputs: list[str], others: Operands) -> None:
    """Refuse outputs that are what the command reads."""
    for output in outputs:
        with contextlib.suppress(FileNotFoundError):
            refuse_operands(Path(output).stat(), output, others)


@app.command()
@guarded
def seal(
    source: InputArgument,
    output: OutputOption,
    key: KeyOption = None,
    passphrase: Annotated[
        bool,
        typer.Option(
            "--passphrase",
            "-p",
            help="Seal with a passphrase instead of a key, asked for on the terminal.",
        ),
    ] = False,
    passphrase_file: Annotated[Path | None, _passphrase_file("Seal, or unlock the key,")] = None,
    force: Force = False,
    threads: Threads = None,
) -> None:
    """Encrypt and authenticate a file of any size; hanji open gives it back.

    Give a key file or a passphrase. The output appears whole or not at all, and never replaces a
    file without --force. The passphrase is asked for on the terminal, or read from
    --passphrase-file or HANJI_PASSPHRASE.
    """
    options: dict[str, Any] = {"threads": threads}
    others = operands(("input", source), ("the key", key), ("the passphrase file", passphrase_file))
    others.refuse_one_pipe()
    if key is not None:
        if passphrase:
            raise typer.BadParameter(
                "give --key or --passphrase, not both", param_hint="--passphrase"
            )
        options["key"] = load_key(key, passphrase_file)
    elif not passphrase and passphrase_file is None:
        raise typer.BadParameter(
            "give --key KEY, --passphrase or --passphrase-file FILE", param_hint="--key"
        )
    with (
        input_stream(source) as reader,
        output_stream(output, others, force=force, binary=True) as writer,
        progress_bar("sealing", reader) as progress,
    ):
        if key is None:
            options["passphrase"] = read_passphrase(
                passphrase_file, "the sealed file", confirm=True
            )
        files.seal(reader, writer, progress=progress, **options)


@app.command("open")
@guarded
def open_(
    source: InputArgument,
    output: OutputOption,
    key: KeyOption = None,
    passphrase_file: Annotated[
        Path | None, _passphrase_file("Open the file, or unlock the key,")
    ] = None,
    force: Force = False,
    threads: Threads = None,
) -> None:
    """Verify and decrypt a sealed file.

    The output appears only when everything has verified. To standard output ("-o -") and to pipes,
    each chunk is written after its own verification: when the file turns out to be truncated or
    altered further on, the exit status is 1 and what was written must be thrown away.
    """
    others = operands(("input", source), ("the key", key), ("the passphrase file", passphrase_file))
    others.refuse_one_pipe()
    secret = load_key(key, passphrase_file) if key is not None else None

    def ask() -> str:
        return read_passphrase(passphrase_file, source)

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
        except hanji.HanjiError as error:
            error.args = (f"{source}: {error}", *error.args[1:])
            raise


@app.command("hash")
@guarded
def hash_(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE", help='Files, "-" (the default) for standard input.'),
    ] = None,
    algorithm: Annotated[
        HashName, typer.Option("--algorithm", "-a", help="Hash function.")
    ] = HashName["ascon-hash256"],
    length: Annotated[
        int | None,
        typer.Option(
            "--length",
            "-l",
            min=1,
            max=sums.MAX_LENGTH,
            help="Bytes of the digest (XOF and XOESCH only); default: 32, or 48 for xoesch384.",
        ),
    ] = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            "-c",
            help="Each FILE is a list of digests, as printed without -c: check the files in it.",
        ),
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="With -c: no OK lines.")] = False,
    status: Annotated[
        bool, typer.Option("--status", help="With -c: nothing but the exit status.")
    ] = False,
    ignore_missing: Annotated[
        bool,
        typer.Option("--ignore-missing", help="With -c: say nothing of files that are not there."),
    ] = False,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="With -c: exit status 1 for lines that are no digest, too."),
    ] = False,
) -> None:
    """Print or check digests of files, in the layout of sha256sum."""
    name = algorithm.value
    if length is not None and name not in sums.EXTENDABLE:
        raise typer.BadParameter(
            f"{name} digests have one length; use -a ascon-xof128", param_hint="--length"
        )
    if not check and (quiet or status or ignore_missing or strict):
        raise typer.BadParameter(
            "--quiet, --status, --ignore-missing and --strict go with --check", param_hint="-c"
        )
    refuse_standard_output(*(paths or ["-"]))
    good = True
    checker = sums.Check(name, length, quiet, status, ignore_missing, strict)
    for path in paths or ["-"]:
        try:
            if check:
                good &= checker.run(path)
            else:
                digest = sums.digest_file(path, name, length or sums.EXTENDABLE.get(name, 0))
                write_text(sums.line(digest, path))
        except BrokenPipeError:
            raise
        except OSError as error:
            complain(describe(error))
            good = False
    if not good:
        raise typer.Exit(1)


@app.command()
@guarded
def mac(
    paths: Annotated[
        list[str], typer.Argument(metavar="FILE", help='Files, "-" for standard input.')
    ],
    key: Annotated[
        Path,
        typer.Option(
            "--key", "-k", metavar="KEY", help="Key file, made by: hanji keygen --for mac -o KEY"
        ),
    ],
    tag_size: Annotated[
        int | None,
        typer.Option(min=1, max=16, help="Bytes of the tag; default: the whole block, 8 or 16."),
    ] = None,
    verify: Annotated[
        str | None,
        typer.Option(
            metavar="TAG",
            help="Check one file against TAG, in hexadecimal, instead of printing tags.",
        ),
    ] = None,
    passphrase_file: Annotated[Path | None, _passphrase_file("Unlock the key")] = None,
) -> None:
    """Print or verify the CMAC of files, with the block cipher of the key (by default
    SPECK-128/256).
    """
    _refuse_secrets_as_output(key, passphrase_file)
    refuse_standard_output(*paths)
    secret = load_key(key, passphrase_file)
    expected = b""
    if verify is not None:
        if len(paths) != 1:
            raise typer.BadParameter(
                f"--verify checks one file; {len(paths)} were given", param_hint="--verify"
            )
        try:
            expected = bytes.fromhex(verify)
        except ValueError:
            raise typer.BadParameter("the tag is not hexadecimal", param_hint="--verify") from None
    block_size = _mac_block_size(secret, key)
    wanted = tag_size or block_size
    if wanted > block_size:
        raise typer.BadParameter(
            f"{secret.algorithm} makes tags of 1 to {block_size} bytes", param_hint="--tag-size"
        )
    if verify is not None and len(expected) != wanted:
        raise typer.BadParameter(
            f"the tag has {len(expected)} bytes, expected are {wanted}; --tag-size accepts a "
            "shorter one",
            param_hint="--verify",
        )
    good = True
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
            good = False
        except BrokenPipeError:
            raise
        except OSError as error:
            complain(describe(error))
            good = False
        except hanji.LimitError as error:
            complain(f"{path}: {error}")
            good = False
    if not good:
        raise typer.Exit(1)


def _refuse_secrets_as_output(key: Path, passphrase_file: Path | None) -> None:
    """Refuse to print to what is the key itself."""
    with contextlib.suppress(OSError):
        refuse_operands(
            os.fstat(1), "-", operands(("the key", key), ("the passphrase file", passphrase_file))
        )


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
            " bits (hanji keygen --for mac makes one)"
        )
    return size


def _complete_scheme(incomplete: str) -> list[str]:
    return [
        a.name
        for a in hanji.algorithms()
        if a.kind == "signature" and a.name.startswith(incomplete)
    ]


Broken = Annotated[
    bool,
    typer.Option("--i-know-it-is-broken", help="Use a scheme whose signatures anybody can forge."),
]


Context = Annotated[
    str,
    typer.Option(
        "--context",
        metavar="TEXT",
        help="What the signatures are for, up to 255 bytes; whoever verifies them must give the same. AIMer v3 takes it.",
    ),
]


def _context(text: str) -> bytes:
    """The context string of a signature, as the bytes that the shell gave."""
    context = os.fsencode(text)
    if len(context) > sign.CONTEXT_MAX:
        raise typer.BadParameter(
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
            "--i-know-it-is-broken"
        )
    complain(f"warning: {algorithm}: {about.status}")
    warnings.simplefilter("ignore", sign.BrokenSchemeWarning)  # it has been said


@app.command("sign-keygen")
@guarded
def sign_keygen(
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Key file to write; the public key goes to FILE.pub.",
        ),
    ],
    algorithm: Annotated[
        str,
        typer.Option(
            "--algorithm",
            "-a",
            help="A signature scheme of hanji list.",
            autocompletion=_complete_scheme,
        ),
    ] = SIGNATURE_SCHEME,
    comment: Annotated[
        str, typer.Option(help="One line of text to keep in both files; it is not secret.")
    ] = "",
    passphrase: Annotated[
        bool,
        typer.Option(
            "--passphrase",
            "-p",
            help="Lock the private key with a passphrase, asked for on the terminal.",
        ),
    ] = False,
    passphrase_file: Annotated[Path | None, _passphrase_file("Lock the private key")] = None,
    force: Force = False,
    broken: Broken = False,
) -> None:
    """Make a key pair for signatures: a private key in FILE, which only you can read, and the
    public key in FILE.pub.
    """
    try:
        scheme = sign.scheme(algorithm)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--algorithm") from None
    if output == "-":
        raise typer.BadParameter(
            "keys are written to files, not to standard output", param_hint="-o"
        )
    _refuse_broken(algorithm, broken)
    _refuse_outputs([output, f"{output}.pub"], operands(("the passphrase file", passphrase_file)))
    secret = None
    if passphrase or passphrase_file is not None:
        secret = read_passphrase(passphrase_file, "the new key", confirm=True)
    private = scheme.generate()
    public = private.public_key.to_key(comment)
    keys.save_pair(private.to_key(comment), public, output, passphrase=secret, overwrite=force)
    tell(f"{output}, {output}.pub: new key pair {public.key_id.hex()} for {scheme.algorithm}")


def _signature_key(
    path: Path, passphrase_file: Path | None, known: bool
) -> sign.PrivateKey | sign.PublicKey:
    """The key. When its scheme is broken and that is not `known`, it is not even unlocked."""
    try:
        return sign.load(
            load_key(
                path, passphrase_file, accept=lambda algorithm: _refuse_broken(algorithm, known)
            )
        )
    except ValueError as error:
        fail(f"{path}: {error}")


def _refuse_context(key: sign.PrivateKey | sign.PublicKey, context: bytes) -> None:
    """End when the scheme takes no context, before any file is read."""
    try:
        key.message(context=context)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--context") from None


def _hash_file(
    path: str,
    key: sign.PrivateKey | sign.PublicKey,
    context: bytes,
    *,
    alone: bool,
    to_stdout: bool = False,
) -> sign.Message:
    """The message in a file of any size, "-" being standard input; a file that is `alone` has a
    progress bar.
    """
    message, done = key.message(context=context), 0
    with (
        input_stream(path) as reader,
        progress_bar("hashing", reader) if alone else contextlib.nullcontext() as progress,
    ):
        if to_stdout:
            refuse_standard_output(path)
        while piece := reader.read(1 << 18):
            message.update(piece)
            done += len(piece)
            if progress is not None:
                progress(done)
    return message


_AHEAD = 4  # files that wait for each thread


def _each_file(
    paths: list[str], work: Callable[[str], _T]
) -> Iterator[tuple[str, Callable[[], _T]]]:
    """(path, a function that returns what `work` did for it, or raises what it raised), in order;
    several files at a time.
    """
    if len(paths) == 1:
        yield paths[0], lambda: work(paths[0])
        return
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


@app.command("sign")
@guarded
def sign_(
    paths: Annotated[
        list[str], typer.Argument(metavar="FILE", help='Files, "-" for standard input.')
    ],
    key: Annotated[
        Path,
        typer.Option(
            "--key", "-k", metavar="KEY", help="Private key, made by: hanji sign-keygen -o KEY"
        ),
    ],
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="SIG",
            help="Signature of one FILE; default: FILE.sig for each.",
        ),
    ] = None,
    context: Context = "",
    check: Annotated[
        bool,
        typer.Option(
            "--check/--no-check", help="Verify each signature before it is written, against faults."
        ),
    ] = True,
    deterministic: Annotated[
        bool,
        typer.Option(
            "--deterministic", help="Use no random bytes: the same file has the same signature."
        ),
    ] = False,
    passphrase_file: Annotated[Path | None, _passphrase_file("Unlock the key")] = None,
    force: Force = False,
    broken: Broken = False,
) -> None:
    """Sign files of any size; each signature goes to a file of its own, FILE.sig. Several files are
    read at the same time.
    """
    purpose = _context(context)
    if output is not None and len(paths) != 1:
        raise typer.BadParameter(
            f"one signature file for {len(paths)} files; leave -o out for FILE.sig of each",
            param_hint="-o",
        )
    if output is None and "-" in paths:
        raise typer.BadParameter("standard input has no name; give -o SIG", param_hint="-o")
    others = operands(
        *(("input", path) for path in paths),
        ("the key", key),
        ("the passphrase file", passphrase_file),
    )
    others.refuse_one_pipe()
    private = _signature_key(key, passphrase_file, broken)
    if not isinstance(private, sign.PrivateKey):
        fail(f"{key}: a public key cannot sign; give the private key")
    _refuse_context(private, purpose)
    good, scheme_key = True, private

    def work(path: str) -> bytes:
        return _hash_file(path, scheme_key, purpose, alone=len(paths) == 1).sign(
            check=check, deterministic=deterministic
        )

    signed = _each_file(paths, work)
    for number, (path, result) in enumerate(signed, start=1):
        target = output or f"{path}.sig"
        try:
            signature = result()
            with output_stream(target, others, force=force, binary=True) as writer:
                writer.write(signature)
            if len(paths) > 1 and sys.stderr.isatty():
                tell(f"{number} of {len(paths)}: {target}")
        except BrokenPipeError:
            raise
        except (OSError, ValueError) as error:
            complain(describe(error))
            good = False
    if not good:
        raise typer.Exit(1)


@app.command("verify")
@guarded
def verify(
    paths: Annotated[
        list[str], typer.Argument(metavar="FILE", help='Files, "-" for standard input.')
    ],
    key: Annotated[
        Path,
        typer.Option(
            "--key", "-k", metavar="KEY", help="Public key, the file KEY.pub of hanji sign-keygen."
        ),
    ],
    signature: Annotated[
        str | None,
        typer.Option(
            "--signature",
            "-s",
            metavar="SIG",
            help="Signature of one FILE; default: FILE.sig of each.",
        ),
    ] = None,
    context: Context = "",
    passphrase_file: Annotated[
        Path | None, _passphrase_file("Unlock the key, if it is a locked private one,")
    ] = None,
    broken: Broken = False,
) -> None:
    """Verify the signatures of files, several at the same time. The exit status is 0 only when all
    are right.
    """
    purpose = _context(context)
    if signature is not None and len(paths) != 1:
        raise typer.BadParameter(
            f"one signature file for {len(paths)} files; leave -s out for FILE.sig of each",
            param_hint="-s",
        )
    if signature is None and "-" in paths:
        raise typer.BadParameter("standard input has no name; give -s SIG", param_hint="-s")
    operands(
        *(("input", path) for path in paths),
        ("the signature", signature),
        ("the key", key),
        ("the passphrase file", passphrase_file),
    ).refuse_one_pipe()
    _refuse_secrets_as_output(key, passphrase_file)
    refuse_standard_output(*paths, *(signature or f"{path}.sig" for path in paths))
    public = _signature_key(key, passphrase_file, broken)
    if isinstance(public, sign.PrivateKey):
        public = public.public_key
    _refuse_context(public, purpose)
    good, public_key = True, public

    def check(path: str) -> None:
        named = signature or f"{path}.sig"
        with input_stream(named) as reader:
            refuse_standard_output(named)
            given = read_most(reader, public_key.signature_size + 1)
        _hash_file(path, public_key, purpose, alone=len(paths) == 1, to_stdout=True).verify(given)

    for path, result in _each_file(paths, check):
        try:
            result()
            proves = ", but it proves nothing: the scheme is broken" if public_key.broken else ""
            write_text(sums.verdict(path, f"OK{proves}"))
        except sign.InvalidSignature as error:
            write_text(sums.verdict(path, "FAILED"))
            complain(f"{path}: {error}")
            good = False
        except BrokenPipeError:
            raise
        except OSError as error:
            complain(describe(error))
            good = False
    if not good:
        raise typer.Exit(1)


@app.command("list")
@guarded
def list_(as_json: AsJson = False) -> None:
    """List all algorithms with their sizes in bytes, data limits and status, and the backends and
    GPUs of this machine.
    """
    import dataclasses

    if as_json:
        write_text(json.dumps([dataclasses.asdict(a) for a in hanji.algorithms()], indent=2) + "\n")
        return
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE, pad_edge=False)
    for column in ("algorithm", "sizes in bytes", "data limit", "status"):
        table.add_column(column, no_wrap=column == "algorithm")
    for a in hanji.algorithms():
        sizes = {
            "key": a.key_size,
            "nonce": a.nonce_size,
            "block": a.block_size,
            "tag": a.tag_size,
            "digest": a.digest_size,
        }
        if a.kind == "signature":
            sizes = {"private key": a.key_size, "public key": a.block_size, "signature": a.tag_size}
        shown = ", ".join(f"{name} {size}" for name, size in sizes.items() if size)
        table.add_row(a.name, shown, a.data_limit.removesuffix(" by default"), a.status)
    output = console()
    output.print(table)
    for backend in hanji.backends():
        state = (
            "in use"
            if backend["selected"]
            else "available, not in use (HANJI_FORCE)"
            if backend["available"]
            else "not on this machine"
        )
        output.print(f"backend {backend['name']}: {state}")
    for line in _gpu_lines():
        output.print(line, markup=False)


def _gpu_lines() -> list[str]:
    """A line per GPU, or one that says why there is none."""
    try:
        from hanji import gpu

        found = gpu.devices()
    except (ImportError, hanji.HanjiError) as error:
        return [f"GPU: none; {error}"]
    about = [
        f"GPU {device}: {device.name}, {device.memory / (1 << 30):.0f} GiB, compute capability "
        f"{'.'.join(map(str, device.compute_capability))}, "
        f"{device.multiprocessors} multiprocessors"
        + (f"; cannot be used: {device.problem}" if device.problem else "")
        for device in found
    ]
    return about or [f"GPU: none; {gpu.reason()}"]


@app.command()
@guarded
def bench(
    pattern: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME",
            help="Algorithms to measure, such as 'speck*' (quoted); default: a selection.",
        ),
    ] = None,
    size: Annotated[
        list[int] | None,
        typer.Option(
            "--size",
            min=1,
            max=1 << 28,
            help="Bytes of a message; may be given more than once. Default: 16 B to 1 MiB.",
        ),
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0.001, max=10, help="Time spent on each figure.")
    ] = 0.1,
    backends: Annotated[
        bool,
        typer.Option(
            "--all-backends",
            help="Measure every backend that runs here, not only the selected one.",
        ),
    ] = False,
    peers: Annotated[
        bool,
        typer.Option(
            "--peers/--no-peers",
            help="Measure Crypto++ and OpenSSL in the same run, where they are installed.",
        ),
    ] = True,
    clock_ghz: Annotated[
        float | None,
        typer.Option(
            min=0.01,
            max=20,
            help="Clock by which seconds become cycles; default: that of the time stamp counter.",
        ),
    ] = None,
    device: Annotated[
        str | None,
        typer.Option(
            "--device",  # typer 0.27 would make --DEVICE of the metavar
            metavar="DEVICE",
            help='Measure a GPU instead, "cuda" or "cuda:1"; by default 1, 16 and 256 MiB in a call.',
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure speed through the Python API, by algorithm, message size and backend, beside Crypto++
    where it is installed.

    Without names, OpenSSL's AES-128-CTR and ChaCha20-Poly1305 stand at the end for comparison.
    Figures are the best of several runs in one thread. With --device each call is waited for;
    arrays are in device memory, then in host memory and are copied there and back.
    """
    from hanji.cli import bench as measure

    if device is not None:
        if backends or clock_ghz is not None:
            raise typer.BadParameter(
                "--all-backends and --clock-ghz are for the processor", param_hint="--device"
            )
        measure.run_device(pattern or [], size or [], seconds, device, as_json)
        return
    measure.run(pattern or [], size or [], seconds, backends, peers, clock_ghz, as_json)


@app.command()
@guarded
def selftest() -> None:
    """Check every algorithm against a known answer, on this machine."""
    results = hanji.selftest()
    for name in results:
        write_text(f"{name}: OK\n")
    write_text(f"{len(results)} algorithms answer as they should\n")
