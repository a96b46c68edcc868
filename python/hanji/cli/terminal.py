# SPDX-License-Identifier: Apache-2.0
"""What every command shares: streams, passphrases, progress, and errors told in one line."""

from __future__ import annotations

import contextlib
import functools
import getpass
import io
import os
import signal
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import typer

from hanji import HanjiError
from hanji.files import AtomicOutput, KeyNeededError
from hanji.files._stream import refuse_same_file
from hanji.keys import Key, load

if TYPE_CHECKING:
    from rich.console import Console

PASSPHRASE_VARIABLE = "HANJI_PASSPHRASE"
_MAX_PASSPHRASE = 4096

Command = TypeVar("Command", bound=Callable[..., Any])


def complain(message: str) -> None:
    """One line on standard error."""
    typer.secho("hanji: ", err=True, nl=False, fg=typer.colors.RED)
    typer.echo(message, err=True)


def fail(message: str) -> NoReturn:
    complain(message)
    raise typer.Exit(1)


def describe(error: BaseException) -> str:
    """An error in words, for OSError with the name of the file that it is about."""
    if isinstance(error, OSError) and error.strerror:
        name = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else "input or output"
        return f"{name}: {error.strerror[:1].lower()}{error.strerror[1:]}"
    return str(error) or type(error).__name__


def guarded(command: Command) -> Command:
    """Turn the errors that a user can meet into one clear line and an exit status; other errors stay loud."""

    @functools.wraps(command)
    def wrapper(*arguments: Any, **options: Any) -> Any:
        try:
            return command(*arguments, **options)
        except KeyNeededError as error:
            raise typer.BadParameter(f"{error}.", param_hint="--key") from None
        except BrokenPipeError:
            # The interpreter flushes standard output once more at exit; let that go nowhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            fail("standard output was closed before everything was written")
        except KeyboardInterrupt:
            complain("interrupted")
            raise typer.Exit(130) from None
        except (HanjiError, OSError, ValueError, ImportError, MemoryError) as error:
            fail(describe(error))

    return wrapper  # type: ignore[return-value]


def exit_on_sigterm() -> None:
    """Leave through an exception when asked to terminate, so that temporary files are removed."""

    def leave(number: int, frame: object) -> NoReturn:
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, leave)


@contextlib.contextmanager
def input_stream(path: str) -> Iterator[io.FileIO]:
    """Unbuffered binary input; "-" is standard input."""
    if path == "-":
        yield io.FileIO(0, closefd=False)
        return
    with io.FileIO(path) as file:
        yield file


@contextlib.contextmanager
def output_stream(path: str, source: io.FileIO, *, force: bool, secret_to_terminal: bool) -> Iterator[Any]:
    """Binary output; "-" is standard output, a device or pipe is written directly, all else appears atomically."""
    if path == "-":
        if os.isatty(1) and not secret_to_terminal:
            raise ValueError("sealed bytes are not written to a terminal; give -o FILE or redirect standard output")
        yield io.FileIO(1, "w", closefd=False)
        return
    refuse_same_file(source, path)
    with contextlib.suppress(FileNotFoundError):
        mode = Path(path).stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            with io.FileIO(path, "w") as device:
                yield device
            return
    with AtomicOutput(path, overwrite=force) as output:
        yield output


@contextlib.contextmanager
def progress_bar(title: str, source: io.FileIO) -> Iterator[Callable[[int], None] | None]:
    """A progress bar on standard error when that is a terminal; None otherwise.

    It is drawn from the first progress on, so that it does not paint over the question for a passphrase.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    status = os.fstat(source.fileno())
    total = status.st_size if stat.S_ISREG(status.st_mode) else None
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(title, total=total)

    def show(done: int) -> None:
        bar.start()
        bar.update(task, completed=done)

    try:
        yield show
    finally:
        bar.stop()


def read_passphrase(file: Path | None, what: str, *, confirm: bool = False) -> str:
    """A passphrase from ``--passphrase-file``, else the environment, else the terminal; never from the command line."""
    if file is not None:
        with file.open("rb") as stream:
            raw = stream.read(_MAX_PASSPHRASE + 1)
        if len(raw) > _MAX_PASSPHRASE:
            raise ValueError(f"{file}: a passphrase file has at most {_MAX_PASSPHRASE} bytes")
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            raise ValueError(f"{file}: the passphrase is not UTF-8 text") from None
        text = text.removesuffix("\n").removesuffix("\r")
        if not text:
            raise ValueError(f"{file}: the passphrase is empty")
        return text
    if PASSPHRASE_VARIABLE in os.environ:
        text = os.environ[PASSPHRASE_VARIABLE]
        if not text:
            raise ValueError(f"the environment variable {PASSPHRASE_VARIABLE} is empty; set it or unset it")
        return text
    return _ask(what, confirm)


def _ask(what: str, confirm: bool) -> str:
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        raise ValueError(
            f"a passphrase for {what} is needed and there is no terminal to ask on;"
            f" use --passphrase-file or the environment variable {PASSPHRASE_VARIABLE}"
        ) from None
    text = getpass.getpass(f"Passphrase for {what}: ")
    if not text:
        raise ValueError("the passphrase is empty; nothing was done")
    if confirm and getpass.getpass("The same again: ") != text:
        raise ValueError("the two passphrases differ; nothing was done")
    return text


def load_key(path: Path, passphrase_file: Path | None, accept: Callable[[str], None] | None = None) -> Key:
    """A key file, unlocked when it is locked and `accept` takes its algorithm; a warning when others can read it."""
    key = load(path, passphrase=lambda: read_passphrase(passphrase_file, f"key {path}"), accept=accept)
    mode = path.stat().st_mode
    if key.kind != "public" and stat.S_ISREG(mode) and mode & 0o077:
        complain(f"warning: {path} can be read by other users (mode {mode & 0o777:04o}); do: chmod 600 {path}")
    return key


def console() -> Console:
    """Where tables go: as wide as the terminal, or wide enough for whole lines when the output is kept."""
    from rich.console import Console

    wide = None if sys.stdout.isatty() or "COLUMNS" in os.environ else 160
    return Console(width=wide, highlight=False)


def write_text(text: str) -> None:
    """To standard output, with file names that are not valid text passed through unchanged."""
    sys.stdout.buffer.write(os.fsencode(text))
    sys.stdout.buffer.flush()
