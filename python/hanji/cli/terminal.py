# SPDX-License-Identifier: Apache-2.0
"""What every command shares: streams, passphrases, progress, and errors told in one line."""

from __future__ import annotations

import contextlib
import errno
import getpass
import io
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click
from click.exceptions import Exit

from hanji import HanjiError, _system
from hanji._atomic import EXISTS, AtomicOutput, ProcessLinkError, kind_of, locate, try_output
from hanji._text import Shown, escaped
from hanji.cli.status import WRONG

if TYPE_CHECKING:
    from rich.console import Console

    from hanji.keys import Key

PASSPHRASE_VARIABLE = "HANJI_PASSPHRASE"
_MAX_PASSPHRASE = 4096
MAX_MESSAGE = 2000  # characters of a message; the middle of longer ones is left out


@contextlib.contextmanager
def on_standard_error() -> Iterator[None]:
    """A full or closed standard error changes no exit status. Python 3.13 flushes it once more at
    exit, and would end with 120: let that go nowhere.
    """
    try:
        yield
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


@contextlib.contextmanager
def keeping_keys() -> Iterator[None]:
    """Where a file in the way is probably a key, nothing advises to replace it."""
    try:
        yield
    except FileExistsError as error:
        if error.strerror == EXISTS:
            error.strerror += "; give another name (--force would destroy the key that is there)"
        raise


def complain(message: str) -> None:
    """One line on standard error; names and words of strangers in it can do nothing to the
    terminal.
    """
    with on_standard_error():
        click.secho("hanji: ", err=True, nl=False, fg="red")
        click.echo(escaped(message, MAX_MESSAGE), err=True)


def tell(message: str) -> None:
    """One line on standard error about what was done."""
    with on_standard_error():
        click.echo(escaped(message, MAX_MESSAGE), err=True)


def fail(message: str, status: int = WRONG) -> NoReturn:
    """End the command with one line and a status of hanji.cli.status."""
    complain(message)
    raise Exit(status)


def describe(error: BaseException) -> str:
    """An error in words, for OSError with the name of the file that it is about."""
    if isinstance(error, OSError) and error.strerror:
        name = (
            os.fsdecode(error.filename)
            if isinstance(error.filename, str | bytes)
            else "input or output"
        )
        advice = "; use --force to replace it" if error.strerror == EXISTS else ""
        return f"{name}: {error.strerror[:1].lower()}{error.strerror[1:]}{advice}"
    if isinstance(error, MemoryError):
        return f"not enough memory{': ' + str(error) if str(error) else ''}"
    return str(error) or type(error).__name__


def open_standard_streams() -> None:
    """Where the caller has closed standard input, output or error: no file that is opened later
    takes their place.
    """
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            # The wrong way round, so that to use it is an error, as it is with a closed stream.
            opened = os.open(os.devnull, os.O_WRONLY if number == 0 else os.O_RDONLY)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, closefd=False))  # noqa: SIM115


class StandardOutputError(BrokenPipeError):
    """Standard output takes no more: its disk is full, or it was closed. Every further line would
    fail likewise, so commands for several files end, as they do when a pipe is closed.
    """


def describe_output(error: OSError) -> str:
    """A failed write to standard output, in words."""
    if error.errno in (None, errno.EPIPE):
        return "standard output was closed before everything was written"
    reason = error.strerror or "cannot be written"
    return f"standard output: {reason[:1].lower()}{reason[1:]}"


@contextlib.contextmanager
def _to_standard_output() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StandardOutputError(error.errno, error.strerror) from None


def flush_standard_output() -> None:
    """Have everything written; StandardOutputError if that fails."""
    with _to_standard_output():
        sys.stdout.flush()


def give_up_standard_output() -> None:
    """The interpreter flushes standard output once more at exit; let that go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


@contextlib.contextmanager
def input_stream(path: str) -> Iterator[io.FileIO]:
    """Unbuffered binary input; "-" is standard input. A warning when the file changes meanwhile."""
    with (
        io.FileIO(0, closefd=False) if path == "-" else io.FileIO(path) as file,
        unchanged(file, path, os.fstat(file.fileno())),
    ):
        yield file


@contextlib.contextmanager
def unchanged(file: io.FileIO, path: str, before: os.stat_result) -> Iterator[None]:
    """A warning when a file is no longer as it was before the block, unless that failed."""
    yield
    after = os.fstat(file.fileno())
    changed = (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns)
    if changed and stat.S_ISREG(before.st_mode):
        name = "standard input" if path == "-" else path
        complain(f"warning: {name} changed while it was read; the result may fit neither state")


def read_most(stream: io.FileIO, most: int) -> bytes:
    """Up to so many bytes, in as many pieces as they come."""
    found = bytearray()
    while len(found) < most and (piece := stream.read(most - len(found))):
        found += piece
    return bytes(found)


def _descriptor(path: str) -> int | None:
    """The number of the open file of this process for which a name stands: "-", /dev/stdin and
    /dev/fd/0 are all 0. None for other names.
    """
    if path == "-":
        return 0
    try:
        locate(path).folder.close()
    except ProcessLinkError as error:
        return error.descriptor
    except OSError:
        return None
    return None


class Operands:
    """The files that a command reads, each with what it is to the command; "-" is standard input.

    They are looked at once, so that thousands of them cost a look each. What is not there is left
    out.
    """

    def __init__(self, pairs: Iterable[tuple[str, str | Path | None]]) -> None:
        self._files: dict[tuple[int, int], tuple[str, str]] = {}
        self._disks: dict[int, tuple[str, str]] = {}
        self._pipes: list[tuple[str, str, str, str]] = []
        for what, path in pairs:
            if path is not None:
                self._add(what, str(path))

    def _add(self, what: str, path: str) -> None:
        try:
            status = os.fstat(0) if path == "-" else Path(path).stat()
        except OSError:
            return
        mark = _system.mark_of(status)
        first, name = (what, path) if mark is None else self._files.setdefault(mark, (what, path))
        pipe = stat.S_ISFIFO(status.st_mode) or stat.S_ISSOCK(status.st_mode)
        one = _descriptor(name)
        if (first, name) != (what, path) and (
            pipe or (one is not None and one == _descriptor(path))
        ):
            self._pipes.append((first, name, what, path))
        if stat.S_ISBLK(status.st_mode):
            self._disks.setdefault(_system.disk_of(status), (what, path))

    def find(self, status: os.stat_result) -> tuple[str, str] | None:
        """What an output is to the command, and under which name, if the command reads it."""
        # A terminal or /dev/null may well be both, and so may a socket.
        if stat.S_IFMT(status.st_mode) not in (stat.S_IFREG, stat.S_IFBLK, stat.S_IFIFO):
            return None
        disk = self._disks.get(_system.disk_of(status)) if stat.S_ISBLK(status.st_mode) else None
        mark = _system.mark_of(status)
        return disk or (None if mark is None else self._files.get(mark))

    def refuse_one_pipe(self) -> None:
        """ValueError when two come out of one pipe: what one of them reads the other lacks."""
        for first, name, what, _ in self._pipes:
            where = "standard input" if _descriptor(name) == 0 else name
            raise ValueError(
                f"{first} and {what} both come from {where}; give one of them as a file"
            )


def operands(*pairs: tuple[str, str | Path | None]) -> Operands:
    """The operands of a command; those that were not given are None."""
    return Operands(pairs)


def refuse_operands(status: os.stat_result, name: str, others: Operands) -> None:
    """ValueError when the output is one of the files that the command reads, under whatever name."""
    found = others.find(status)
    if found is not None:
        what, path = found
        output = "standard output" if name == "-" else "output"
        shown = "" if path == name == "-" else f", {path if name == '-' else name}"
        raise ValueError(f"{what} and {output} are the same file{shown}; give another output")


def check_key_files(outputs: list[str], others: Operands, *, force: bool) -> None:
    """Raise what writing new key files would raise, before a passphrase is asked for or a key is
    made. ``others`` is what the command reads.
    """
    for output in outputs:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            refuse_operands(Path(output).stat(), output, others)
    with keeping_keys():
        for output in outputs:
            try_output(Shown(output), overwrite=force)


def refuse_secrets_as_output(key: Path, passphrase_file: Path | None) -> None:
    """Refuse to print to what is the key itself."""
    with contextlib.suppress(OSError):
        refuse_operands(
            os.fstat(1), "-", operands(("the key", key), ("the passphrase file", passphrase_file))
        )


def refuse_standard_output(*paths: str) -> None:
    """OSError when an input is standard output, too: it would be read while it is written, and
    nobody would have it as it was.
    """
    try:
        output = os.fstat(1)
    except OSError:
        return
    found = operands(*(("input", path) for path in paths)).find(output)
    if found is not None:
        raise OSError(
            errno.EINVAL,
            "is standard output, too, and is not read; write to another file",
            found[1],
        )


def _destination(path: str, others: Operands) -> tuple[os.stat_result | None, int | None]:
    """The status of an output that is there, and a descriptor where it stands for an open file of
    this process. ValueError when the command reads it.
    """
    if path == "-":
        standard = os.fstat(1)
        refuse_operands(standard, path, others)
        return standard, os.dup(1)
    try:
        status = Path(path).stat() if path else None
    except (FileNotFoundError, NotADirectoryError):  # AtomicOutput says which folder is missing
        status = None
    if status is None:
        return None, None
    refuse_operands(status, path, others)
    return status, _own_descriptor(path)


def _is_file(status: os.stat_result) -> bool:
    """Whether an output appears atomically, or is refused because it is a folder."""
    return stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)


def _refuse_terminal(direct: io.FileIO) -> None:
    if direct.isatty():
        raise ValueError(
            "sealed bytes and signatures are not written to a terminal; give -o FILE or "
            "redirect standard output"
        )


def check_output(path: str, others: Operands, *, force: bool, binary: bool) -> None:
    """Raise what output_stream() would raise, before a key is unlocked or anything is computed.
    Devices and pipes are not opened.
    """
    status, descriptor = _destination(path, others)
    if descriptor is not None:
        with io.FileIO(descriptor, "w") as direct:
            if binary:
                _refuse_terminal(direct)
    elif status is None or _is_file(status):
        try_output(Shown(path), overwrite=force)
    else:
        _refuse_device(path, status, force)


@contextlib.contextmanager
def output_stream(path: str, others: Operands, *, force: bool, binary: bool) -> Iterator[Any]:
    """Binary output, the only way by which commands write files; ``others`` is what the command
    reads.

    "-" is standard output; a device or a pipe is written directly, a block device with --force
    only; all else appears atomically and replaces nothing but a regular file. ``binary`` says that
    a terminal is no place for it.
    """
    status, descriptor = _destination(path, others)
    if descriptor is None:
        if status is None or _is_file(status):
            with AtomicOutput(Shown(path), overwrite=force) as output:
                yield output
            return
        descriptor = _open_device(path, status, force)
    with io.FileIO(descriptor, "w") as direct:
        if binary:
            _refuse_terminal(direct)
        yield _Direct(direct, "standard output" if path == "-" else path)


class _Direct:
    """A device, a pipe or standard output, to which everything is written or an error says why not."""

    def __init__(self, file: io.FileIO, name: str) -> None:
        self._file, self.name = file, name

    def write(self, data: bytes | bytearray | memoryview) -> int:
        view = memoryview(data).cast("B")
        done = 0
        while done < view.nbytes:
            count = self._file.write(view[done:])
            if count is None:
                raise BlockingIOError(
                    errno.EAGAIN, "is in non-blocking mode and takes no data", self.name
                )
            done += count
        return done


def _own_descriptor(path: str) -> int | None:
    """A copy of the open file of this process for which a name such as /dev/stdout stands; None for
    other names.
    """
    try:
        locate(path).folder.close()
    except ProcessLinkError as error:
        if error.descriptor is None:
            raise
        try:
            return os.dup(error.descriptor)
        except OSError as failed:
            raise OSError(failed.errno, failed.strerror, path) from None
    return None


def _refuse_device(path: str, status: os.stat_result, force: bool) -> None:
    kind = kind_of(status)
    if stat.S_ISSOCK(status.st_mode):
        raise OSError(errno.ENXIO, f"is {kind}; give the name of a file, or a pipe", path)
    if stat.S_ISBLK(status.st_mode) and not force:
        raise OSError(
            errno.EEXIST, f"is {kind}, whose contents would be lost; --force writes to it", path
        )


def _open_device(path: str, status: os.stat_result, force: bool) -> int:
    _refuse_device(path, status, force)
    descriptor = _system.open_device(path)
    if not os.path.samestat(os.fstat(descriptor), status):
        os.close(descriptor)
        raise OSError(errno.EAGAIN, "has changed in this moment; nothing was written", path)
    return descriptor


@contextlib.contextmanager
def progress_bar(title: str, source: io.FileIO) -> Iterator[Callable[[int | None], None] | None]:
    """A progress bar on standard error when that is a terminal; None otherwise.

    It is drawn from the first progress on, so that it does not paint over the question for a
    passphrase.
    """
    if not sys.stderr.isatty():
        yield None
        return
    status = os.fstat(source.fileno())
    total = status.st_size if stat.S_ISREG(status.st_mode) else None
    with progress_columns(title, total) as show:
        yield show


@contextlib.contextmanager
def progress_columns(
    title: str, total: int | None, *, of_bytes: bool = True
) -> Iterator[Callable[[int | None], None]]:
    """A progress bar on standard error, of bytes or, in percent, of anything else.

    It is drawn from the first progress on; None takes it away until there is more progress.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TransferSpeedColumn,
    )

    amount = (DownloadColumn(), TransferSpeedColumn()) if of_bytes else (TaskProgressColumn(),)
    columns = (TextColumn("{task.description}"), BarColumn(), *amount)
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(title, total=total)

    def show(done: int | None) -> None:
        if done is None:
            bar.stop()
            return
        bar.start()
        bar.update(task, completed=done)

    try:
        yield show
    finally:
        bar.stop()


def read_passphrase(file: Path | None, what: str, *, confirm: bool = False) -> str:
    """A passphrase from ``--passphrase-file``, else the environment, else the terminal; never from
    the command line.
    """
    if file is not None:
        with file.open("rb") as stream:
            raw = stream.read(_MAX_PASSPHRASE + 1)
        if len(raw) > _MAX_PASSPHRASE:
            raise HanjiError(f"{file}: a passphrase file has at most {_MAX_PASSPHRASE} bytes")
        # a UnicodeDecodeError would carry the passphrase along
        text = raw.decode("utf-8", errors="surrogateescape")
        if not text.isprintable() and any("\ud800" <= character <= "\udfff" for character in text):
            raise HanjiError(f"{file}: the passphrase is not UTF-8 text")
        text = text.removesuffix("\n").removesuffix("\r")
        if not text:
            raise ValueError(f"{file}: the passphrase is empty; nothing was done")
        return text
    if PASSPHRASE_VARIABLE in os.environ:
        text = os.environ[PASSPHRASE_VARIABLE]
        if not text:
            raise ValueError(
                f"the environment variable {PASSPHRASE_VARIABLE} is empty; set it or unset it"
            )
        return text
    return _ask(what, confirm)


def warn_unprotected() -> None:
    """For a new key without a passphrase, where HANJI_PASSPHRASE suggests that one was meant."""
    if PASSPHRASE_VARIABLE in os.environ:
        complain(
            f"warning: {PASSPHRASE_VARIABLE} is set, but without --passphrase the key file is not "
            "protected by it"
        )


def _ask(what: str, confirm: bool) -> str:
    if not _system.has_terminal():
        raise ValueError(
            f"a passphrase for {what} is needed and there is no terminal to ask on;"
            f" use --passphrase-file or the environment variable {PASSPHRASE_VARIABLE}"
        )
    text = _hidden(f"Passphrase for {escaped(what, MAX_MESSAGE)}: ")
    if not text:
        raise ValueError("the passphrase is empty; nothing was done")
    if confirm and _hidden("The same again: ") != text:
        raise ValueError("the two passphrases differ; nothing was done")
    return text


def _hidden(prompt: str) -> str:
    """What is typed and not shown; a UnicodeDecodeError would carry it along in the exception."""
    with contextlib.suppress(UnicodeDecodeError):
        return getpass.getpass(prompt)
    raise ValueError(
        "the passphrase is not text in the encoding of this terminal; nothing was done"
    )


def load_key(
    path: Path,
    passphrase_file: Path | None,
    accept: Callable[[str], None] | None = None,
    *,
    missing: str,
) -> Key:
    """A key file, unlocked when it is locked and `accept` takes its algorithm; a warning when
    others can read it. `missing` says what to do when there is no such file; a "{}" in it is the
    name, quoted for a shell.
    """
    from hanji.keys import load

    try:
        key = load(
            path, passphrase=lambda: read_passphrase(passphrase_file, f"key {path}"), accept=accept
        )
    except FileNotFoundError as error:
        if error.filename == str(path):  # and not the file of the passphrase
            import shlex

            advice = missing.format(shlex.quote(str(path)))
            error.strerror = f"{error.strerror}; {advice}"
        raise
    if key.kind != "public" and (who := _system.readers(path)):
        complain(f"warning: {path} {who}")
    return key


def console() -> Console:
    """Where tables go: as wide as the terminal, or wide enough for whole lines when the output is
    kept.
    """
    from rich.console import Console

    class Tables(Console):
        """rich leaves the process when a pipe is closed; here that is an error like others."""

        def on_broken_pipe(self) -> None:
            raise StandardOutputError(errno.EPIPE, os.strerror(errno.EPIPE))

        def print(self, *objects: Any, **options: Any) -> None:
            with _to_standard_output():
                super().print(*objects, **options)

    wide = None if sys.stdout.isatty() or "COLUMNS" in os.environ else 160
    return Tables(width=wide, highlight=False)


def write_text(text: str) -> None:
    """To standard output, with file names that are not valid text passed through unchanged, but
    escaped on a terminal.
    """
    if sys.stdout.isatty():
        text = "\n".join(escaped(line) for line in text.split("\n"))
    with _to_standard_output():
        sys.stdout.flush()
        sys.stdout.buffer.write(os.fsencode(text))
        sys.stdout.buffer.flush()
