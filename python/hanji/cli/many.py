# SPDX-License-Identifier: Apache-2.0
"""Many files in one call: which files there are, where their outputs go, and what happened.

Folders are entered as ``cp -r`` enters them. Symbolic links, devices and pipes are named and left
out. Everything that can be refused is refused before the first file is written; what goes wrong
later concerns one file, is said with its name, and does not stop the others.

Others may be able to write in the folders of the inputs and of the outputs. What was found to be a
folder is known by its device and inode from then on, so that a link or another folder in its place
does not lead a run elsewhere.
"""
# Names are joined as strings, ten thousand in a call; Path would lose a "/." at an end.
# ruff: noqa: PTH100, PTH112, PTH116, PTH118, PTH119, PTH120

from __future__ import annotations

import contextlib
import errno
import io
import os
import stat
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from hanji import HanjiError, _system
from hanji._atomic import AtomicOutputs, Mark, is_temporary, kind_of, new_temporary
from hanji._text import Shown, count_of
from hanji.cli.commands import Function
from hanji.cli.status import FAILED, RIGHT, status_of, worst
from hanji.cli.terminal import complain, describe, operands, progress_columns, tell, unchanged

SUFFIX = ".hanji"  # of sealed files
Progress = Callable[[int], None] | None
_MAX_NAMED = 3  # clashes of names that a message shows
# whether the system has descriptors of folders; Windows has none
_HOLDS_FOLDERS = os.scandir in os.supports_fd and os.open in os.supports_dir_fd


def options(function: Function) -> Function:
    """The options of a command that takes many files."""
    skip = click.option(
        "--skip-existing",
        is_flag=True,
        help="With a folder: leave out files whose output exists, to go on after an interruption.",
    )
    return relative_option(skip(function))


def relative_option(function: Function) -> Function:
    """How the outputs are named in their folder."""
    return click.option(
        "--relative-to",
        metavar="FOLDER",
        help="Keep the folders of each input below FOLDER; default: the name of the input alone.",
    )(function)


def is_many(paths: Sequence[str], output: str | None, relative_to: str | None) -> bool:
    """Whether the output is a folder: there are several inputs, or a folder among them, or the
    output is one.
    """
    if output is None or output == "-":
        return output == "-" and len(paths) > 1
    one_file = len(paths) == 1 and (paths[0] == "-" or not Path(paths[0]).is_dir())
    is_folder = output.endswith(("/", os.sep)) or Path(output).is_dir()
    return not one_file or relative_to is not None or is_folder


@dataclass(frozen=True, slots=True)
class Job:
    """An input, where its output goes, and how large the input was when it was found."""

    source: str
    target: str
    size: int


# what is done for a job: it writes to a writer and tells the bytes done so far
Work = Callable[[Job, Any, Progress], None]


def sealed_name(name: str) -> str:
    """The name of a sealed file."""
    return name + SUFFIX


def opened_name(name: str) -> str:
    """The name of an opened file."""
    folder, base = os.path.split(name)
    plain = base.removesuffix(SUFFIX)
    return os.path.join(folder, base if plain in ("", ".", "..") else plain)


@dataclass
class Plan:
    """What is to be done: files, folders that are made, and inputs that are left out."""

    folder: str
    jobs: list[Job] = field(default_factory=list)
    folders: dict[str, int] = field(default_factory=dict)  # with the modes of the inputs
    left_out: list[OSError] = field(default_factory=list)
    # of the folders of inputs, and of outputs, by their paths
    marks: dict[str, Mark | None] = field(default_factory=dict)
    made: dict[str, Mark | None] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return sum(job.size for job in self.jobs)

    def mark_of_output(self, path: str) -> Mark | None:
        """The mark of the folder that an output is in; None where folders are not held."""
        return self.made[os.path.dirname(path)] if _HOLDS_FOLDERS else None

    @contextlib.contextmanager
    def open(self, path: str) -> Iterator[io.FileIO]:
        """An input. It is not waited for if it has become a pipe, and not followed if it has become
        a link. A warning when it changes while it is read.
        """
        flags = _flags("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY")
        above, last = os.path.split(path)
        try:
            with _folder(above, self.marks[above]) as descriptor:
                opened = os.open(path if descriptor is None else last, flags, dir_fd=descriptor)
        except OSError as error:
            raise _about(error, path) from None
        with io.FileIO(opened, "r") as file:
            before = os.fstat(opened)
            if not stat.S_ISREG(before.st_mode):
                raise _left_out(path, before)
            with unchanged(file, path, before):
                yield file


def refuse_words(paths: Sequence[str], asks_for_passphrase: bool) -> None:
    """Refuse arguments that are no files and may be a passphrase, without showing them: all behind
    the first where -p is given, which takes none, and else those with blanks.
    """
    words = [
        path
        for path in paths[1:]
        if (asks_for_passphrase or any(map(str.isspace, path))) and not os.path.lexists(path)
    ]
    if words:
        raise click.UsageError(
            f"{count_of(len(words), 'argument')} too many: there is no such file (not shown,"
            " because a passphrase may be among them); no passphrase is taken from the command"
            " line, and names with spaces need quotes"
        )


def plan(
    paths: Sequence[str],
    folder: str,
    relative_to: str | None,
    rename: Callable[[str], str],
    secrets: Sequence[tuple[str, Path | None]] | None,
) -> Plan:
    """Find all inputs. ValueError when two of them have one output, when an output is an input or
    a secret, and when the outputs would be inside an input folder. Without ``secrets`` what has the
    names of outputs is there already and is read.
    """
    if folder == "-":
        raise ValueError("standard output takes one file; give a folder for several: -o FOLDER")
    if not folder:
        raise FileNotFoundError(errno.ENOENT, "the name is empty; give the name of a folder", "")
    if Path(folder).exists() and not Path(folder).is_dir():
        raise NotADirectoryError(
            errno.ENOTDIR, "is not a folder; the outputs of several files go to a folder", folder
        )
    found = Plan(folder)
    marks: dict[Mark, str] = {}
    names: dict[str, str] = {}  # of outputs: the input that each comes from
    similar: dict[str, str] = {}  # the same, by _key
    clashes: list[str] = []
    where: list[str] = []  # clashes if the folder has such a file system
    output = frozenset() if secrets is None else _marks_above(folder)
    for path, name, status in _walk(paths, folder, output, relative_to, found):
        if status is None or stat.S_ISDIR(status.st_mode):
            if name:
                found.folders.setdefault(name, 0o777 if status is None else status.st_mode & 0o777)
            continue
        renamed = rename(name)
        if names.get(renamed) == path:
            raise ValueError(f"{path} is given twice; name it once. Nothing was written")
        if renamed in names:
            clashes.append(f"{names[renamed]} and {path} are both {renamed}")
            continue
        names[renamed] = path
        if (key := _key(renamed)) in similar:
            where.append(f"{similar[key]} and {path} are both {renamed}")
        similar.setdefault(key, path)
        mark = _system.mark_of(status)
        if mark is not None:
            marks.setdefault(mark, path)
        found.jobs.append(Job(path, os.path.join(folder, renamed), status.st_size))
    for name in found.folders if secrets is not None else ():
        for known, clash in ((names.get(name), clashes), (similar.get(_key(name)), where)):
            if known is not None:
                clash.append(f"the output of {known} and a folder are both {name}")
    if where and not clashes and secrets is not None and _ignores_case(folder):
        clashes = where
    if clashes:
        more = len(clashes) - _MAX_NAMED
        listed = "; ".join(clashes[:_MAX_NAMED]) + (f"; and {more} more" if more > 0 else "")
        raise ValueError(
            f"{listed} in {folder}; keep their folders with --relative-to. Nothing was written"
        )
    if secrets is not None:
        _refuse_inputs_as_outputs(found, marks, secrets)
    return found


def _key(name: str) -> str:
    """Equal for names that are one file where the file system ignores case or Unicode normal forms."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _ignores_case(folder: str) -> bool:
    """Whether names that differ in case are one file in a folder that may not be there yet."""
    if sys.platform in ("win32", "darwin"):
        return True
    folder = os.path.realpath(folder)
    while not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    try:
        with new_temporary(folder) as name:
            return os.path.lexists(os.path.join(folder, name.upper()))
    except OSError:
        return False  # nothing can be written there


def _marks_above(folder: str) -> frozenset[Mark]:
    """The marks of a folder, as far as it is there, and of all folders that it is in."""
    found = set()
    path = os.path.realpath(folder)
    while True:
        with contextlib.suppress(OSError):
            if (mark := _system.mark_of(os.stat(path))) is not None:
                found.add(mark)
        above = os.path.dirname(path)
        if above == path:
            return frozenset(found)
        path = above


def _flags(*names: str) -> int:
    """Flags to open something for reading, as far as the system has them."""
    flags = os.O_RDONLY
    for name in names:
        flags |= getattr(os, name, 0)
    return flags


@contextlib.contextmanager
def _folder(path: str, mark: Mark | None) -> Iterator[int | None]:
    """A descriptor of a folder that was found before; OSError if another one is in its place. None
    where folders are not held.
    """
    if not _HOLDS_FOLDERS:
        yield None
        return
    descriptor = os.open(path or ".", _flags("O_DIRECTORY", "O_CLOEXEC"))
    try:
        if _system.mark_of(os.fstat(descriptor)) != mark:
            raise OSError(errno.ESTALE, "was moved or replaced while hanji worked", path)
        yield descriptor
    finally:
        os.close(descriptor)


def _walk(
    paths: Sequence[str],
    folder: str,
    output: frozenset[Mark],
    relative_to: str | None,
    found: Plan,
) -> Iterator[tuple[str, str, os.stat_result | None]]:
    """(path, name in the output folder, status) of all folders and regular files; no status for a
    folder that is only part of a name.
    """
    for given in paths:
        if given == "-":
            raise ValueError("standard input has no name for its output; read it alone, to -o FILE")
        name = _name(given, relative_to)
        try:
            # a name that ends in a slash or /. is a folder and no link, whatever leads there
            status = Path(given).stat() if _is_inside(given) else Path(given).lstat()
            if not stat.S_ISDIR(status.st_mode):
                there = os.path.dirname(given)
                found.marks[there] = _system.mark_of(os.stat(there or "."))
        except OSError as error:
            found.left_out.append(_about(error, given))
            continue
        if stat.S_ISDIR(status.st_mode) and _system.mark_of(status) in output:
            raise ValueError(
                f"the output folder {folder} is inside the input {given}; give another folder"
            )
        above = os.path.dirname(name)
        while above:
            yield given, above, None
            above = os.path.dirname(above)
        yield from _enter(given, name, status, found)


def _enter(
    path: str, name: str, status: os.stat_result, found: Plan
) -> Iterator[tuple[str, str, os.stat_result]]:
    waiting = [(path, name, status)]
    while waiting:
        path, name, status = waiting.pop()
        if stat.S_ISREG(status.st_mode):
            yield path, name, status
            continue
        if not stat.S_ISDIR(status.st_mode):
            found.left_out.append(_left_out(path, status))
            continue
        yield path, name, status
        inside = []
        mark = _system.mark_of(status)
        try:
            with (
                _folder(path, mark) as descriptor,
                os.scandir(path if descriptor is None else descriptor) as entries,
            ):
                for entry in entries:
                    if is_temporary(entry.name):
                        continue
                    whole = os.path.join(path, entry.name)
                    found.marks[os.path.dirname(whole)] = mark
                    try:
                        below = entry.stat(follow_symlinks=False)
                    except OSError as error:
                        found.left_out.append(_about(error, whole))
                        continue
                    inside.append((whole, os.path.join(name, entry.name), below))
        except OSError as error:
            found.left_out.append(_about(error, path))
        waiting += sorted(inside, reverse=True, key=lambda one: one[0])


def _left_out(path: str, status: os.stat_result) -> OSError:
    hint = "give the file that it names" if stat.S_ISLNK(status.st_mode) else "give it alone"
    return OSError(errno.EINVAL, f"is {kind_of(status)} and was left out; {hint}", path)


def _about(error: OSError, path: str) -> OSError:
    error.filename, error.filename2 = path, None
    return error


def _is_inside(path: str) -> bool:
    return os.path.basename(path) in ("", ".", "..")


def _name(path: str, relative_to: str | None) -> str:
    """What an input is called in the output folder; "" for a folder whose contents go there."""
    if relative_to is None:
        if os.path.basename(path) in (".", ".."):
            return ""
        return os.path.basename(path.rstrip("/" + os.sep))
    plain = os.path.abspath(path), os.path.abspath(relative_to)
    head, tail = os.path.split(plain[0])
    followed = os.path.join(os.path.realpath(head), tail), os.path.realpath(relative_to)
    # through a link upwards "..": only what the system finds there is right
    up = ".." in (*Path(path).parts, *Path(relative_to).parts)
    for whole, base in (followed,) if up else (plain, followed):
        if whole == base:
            return ""
        if whole.startswith(os.path.join(base, "")):
            return os.path.relpath(whole, base)
    raise ValueError(f"{path} is not below {relative_to}, which --relative-to names")


def _refuse_inputs_as_outputs(
    found: Plan, marks: dict[Mark, str], secrets: Sequence[tuple[str, Path | None]]
) -> None:
    if not Path(found.folder).exists():
        return
    others = operands(*secrets)
    for job in found.jobs:
        try:
            status = os.stat(job.target)
        except OSError:
            continue
        mark = _system.mark_of(status)
        if mark is not None and mark in marks:
            raise ValueError(
                f"the output {job.target} is the input {marks[mark]}; give another folder"
            )
        if (secret := others.find(status)) is not None:
            raise ValueError(f"the output {job.target} is {secret[0]}; give another folder")


def signature_name(name: str) -> str:
    """The name of the signature of a file."""
    return name + ".sig"


def make_folders(found: Plan) -> None:
    """The folders of the outputs. New ones have the modes of those that they stand for."""
    Path(found.folder).mkdir(parents=True, exist_ok=True)
    top = os.path.dirname(os.path.join(found.folder, "."))  # as of every output in it
    found.made[top] = _system.mark_of(os.stat(found.folder))
    for name, mode in sorted(found.folders.items()):
        path = os.path.join(found.folder, name)
        above, last = os.path.split(path)
        with _folder(above, found.mark_of_output(path)) as descriptor:
            if descriptor is None:
                last = path
            with contextlib.suppress(FileExistsError):
                os.mkdir(last, mode | 0o700, dir_fd=descriptor)
            status = os.stat(last, dir_fd=descriptor, follow_symlinks=False)
        if not stat.S_ISDIR(status.st_mode):
            raise NotADirectoryError(
                errno.ENOTDIR, "is not a folder; its outputs cannot be written", path
            )
        found.made[path] = _system.mark_of(status)


class Run:
    """The files of a plan, one after the other; ``status`` is that of the command."""

    def __init__(self, found: Plan, verb: str) -> None:
        self._plan, self._verb = found, verb
        self.status = RIGHT
        self._done = self._skipped = 0
        for error in found.left_out:
            self.failed(error)

    def failed(self, error: Exception, path: str | None = None) -> None:
        """Say what is wrong with one file. What is wrong with an input begins with its name."""
        if path is not None and not isinstance(error, OSError):
            complain(f"{path}: {error}")
        else:
            complain(describe(error))
        self.status = worst(self.status, FAILED if path is None else status_of(error))

    def _finished(self, job: Job, error: Exception | None) -> None:
        if error is None:
            self._done += 1
        else:
            self.failed(error, job.source)

    def run(
        self,
        work: Work,
        *,
        force: bool,
        skip_existing: bool,
    ) -> int:
        """Call ``work`` with each job, a writer, and a function that takes the bytes done so far.

        The status is 3 when only some of the outputs are there at the end; when none is, that of
        the worst error.
        """
        try:
            make_folders(self._plan)
            with (
                _bar(self._verb, self._plan) as show,
                AtomicOutputs(self._finished, overwrite=force) as outputs,
            ):
                done = 0
                for job in self._plan.jobs:
                    if not (skip_existing and Path(job.target).is_file()):
                        self._one(job, outputs, work, show and _offset(show, done))
                    else:
                        self._skipped += 1
                    done += job.size
                    if show is not None:
                        show(done)
        finally:
            self._summary()
        if self.status and self._done + self._skipped:
            self.status = FAILED  # some outputs are there and others are not, whatever the reasons
        return self.status

    def _one(
        self,
        job: Job,
        outputs: AtomicOutputs,
        work: Work,
        progress: Progress,
    ) -> None:
        try:
            above = self._plan.mark_of_output(job.target)
            with outputs.output(job, Shown(job.target), above) as writer:
                work(job, writer, progress)
        except BrokenPipeError:
            raise
        except (HanjiError, OSError, ValueError, MemoryError) as error:
            self.failed(error, job.source)

    def _summary(self) -> None:
        """How far it came, where somebody looks on or something is missing."""
        total = len(self._plan.jobs) + len(self._plan.left_out)
        if self._done + self._skipped == total and not sys.stderr.isatty():
            return
        skipped = f"; {self._skipped} were there already" if self._skipped else ""
        tell(f"{self._verb} {self._done:,} of {count_of(total, 'file')}{skipped}")


def _offset(show: Callable[[int], None], begin: int) -> Callable[[int], None]:
    return lambda done: show(begin + done)


@contextlib.contextmanager
def _bar(verb: str, found: Plan) -> Iterator[Progress]:
    """A progress bar over all files, on a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    with progress_columns(f"{verb} {count_of(len(found.jobs), 'file')}", found.size) as show:
        yield show
