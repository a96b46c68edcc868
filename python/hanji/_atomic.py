# SPDX-License-Identifier: Apache-2.0
"""Files that appear under their names whole, or not at all; every file that hanji writes is written
here.

A file is written beside its target under a name of its own, ``.hanji-<16 hexadecimal
digits>.part``, with mode 0600 and a lock that the process holds until the end. Its final mode comes
when it is published, right before its name. docs/format.md, section "How files are written", says
what is left after a power failure or SIGKILL. What systems do differently is in hanji._system.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from hanji import _system
from hanji._bytes import random_bytes
from hanji._pieces import write_pieces
from hanji._system import Folder
from hanji._text import file_name, hide_name, hiding

EXISTS = "already exists"  # what OSError.strerror says of a file that is not replaced
_TEMPORARY = re.compile(r"\.hanji-[0-9a-f]{16}\.part")
_MOST_LINKS = 40  # as the kernel
_NEW_FILE = 0o666
_ZEROS = bytes(1 << 16)  # the least that is a hole
_STORED_AT_ONCE = 32 << 20  # bytes
# of an AtomicOutputs: each file holds two descriptors, of which systems allow 256 at least
_GROUP_FILES = 64
_GROUP_BYTES = 64 << 20
_STORING_THREADS = 16

_KINDS = {
    stat.S_IFDIR: "a directory",
    stat.S_IFCHR: "a character device",
    stat.S_IFBLK: "a block device",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFLNK: "a symbolic link",
}


def kind_of(status: os.stat_result) -> str:
    """What a file is that is not regular, in words."""
    return _KINDS.get(stat.S_IFMT(status.st_mode), "a file of an unknown kind")


# What a file or a folder has in common under all its names: device and inode, or the like.
Mark = tuple[int, int]


class ProcessLinkError(OSError):
    """A link into /proc: it stands for an open file of a process. ``descriptor`` is its number if
    the process is this one.
    """

    descriptor: int | None = None


class Place(NamedTuple):
    """Where a file is or will be, with all symbolic links followed."""

    folder: Folder
    name: str  # in the folder
    status: os.stat_result | None  # None: there is no such file


def _enter(path: str, base: Folder | None) -> tuple[Folder, str]:
    head, name = os.path.split(path)
    if name in ("", ".", ".."):
        raise IsADirectoryError(errno.EISDIR, "is a directory; give the name of a file", path)
    try:
        return Folder(head or ".", base), name
    except (FileNotFoundError, NotADirectoryError) as error:
        problem = "does not exist" if isinstance(error, FileNotFoundError) else "is not a folder"
        if base is None:
            error.strerror = f"the folder {head or '.'} {problem}; make it, or give another name"
        else:
            error.strerror = f"is a link into the folder {head}, which {problem}; make it first"
        raise


def locate(path: str) -> Place:
    """Follow ``path`` to its end, link by link, as open() does; the caller closes the folder.

    Links of others in a folder where everybody may write are not followed, as the kernel does not
    where fs.protected_symlinks is set. Errors: :class:`ProcessLinkError`, other OSError with
    ``path`` as the file name.
    """
    folder: Folder | None = None
    try:
        if not path:
            raise FileNotFoundError(errno.ENOENT, "the name is empty; give the name of a file")
        folder, name = _enter(path, None)
        for _ in range(_MOST_LINKS):
            try:
                status = folder.look(name)
            except FileNotFoundError:
                return Place(folder, name, None)
            _refuse_process_link(folder, name, status)
            if not stat.S_ISLNK(status.st_mode):
                return Place(folder, name, status)
            if not folder.trusts_link(status):
                raise PermissionError(
                    errno.EACCES,
                    (
                        "is a link of another user in a folder where everybody may write; it is "
                        "not followed"
                    ),
                )
            following, name = _enter(folder.follow(name), folder)
            folder.close()
            folder = following
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    except OSError as error:
        if folder is not None:
            folder.close()
        error.filename, error.filename2 = path, None
        raise


def _refuse_process_link(folder: Folder, name: str, status: os.stat_result) -> None:
    is_link, descriptor = folder.process_link(name, status)
    if is_link:
        error = ProcessLinkError(
            errno.EINVAL, "stands for an open file of a process; give the name of a file"
        )
        error.descriptor = descriptor
        raise error


# The temporary files that exist now, each by its folder and its name, for whoever has to end the
# process.
_temporaries: set[tuple[Folder, str]] = set()
# folders whose leftovers have been looked for, by device and inode
_cleaned: set[Mark] = set()
_publishing = 0  # calls that are giving out names now
on_published: Callable[[], None] | None = None  # called after that


def is_temporary(name: str) -> bool:
    """Whether a name is one that hanji gives to temporary files."""
    return _TEMPORARY.fullmatch(name) is not None


def is_publishing() -> bool:
    """Whether names are being given out, which is not to be left half done."""
    return _publishing > 0


def remove_temporaries() -> None:
    """Remove every temporary file of this process. Meant for a signal handler; what is being
    written is lost.
    """
    for folder, name in tuple(_temporaries):
        with contextlib.suppress(OSError):
            folder.remove(name)


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    global _publishing
    _publishing += 1
    try:
        yield
    finally:
        _publishing -= 1
        if not _publishing and on_published is not None:
            on_published()


@contextlib.contextmanager
def new_temporary(path: str) -> Iterator[str]:
    """The name of an empty file in a folder, which is there for a ``with`` block."""
    folder = Folder(path)
    try:
        name = f".hanji-{random_bytes(8).hex()}.part"
        _temporaries.add((folder, name))
        try:
            descriptor = folder.create(name)
            try:
                yield name
            finally:
                if descriptor is not None:
                    os.close(descriptor)
        finally:
            with contextlib.suppress(FileNotFoundError):
                folder.remove(name)
            _temporaries.discard((folder, name))
    finally:
        folder.close()


def remove_leftovers(folder: str | os.PathLike[str]) -> list[str]:
    """Remove what processes that were killed have left in a folder, and return the names.

    Removed are only regular files of this user with a name that hanji gives to temporary files, and
    only when no process holds their lock. Errors: OSError when the folder cannot be read.
    """
    with hiding(folder):
        opened = Folder(file_name(folder))
    try:
        return _remove_leftovers_in(opened)
    finally:
        opened.close()


def _remove_leftovers_in(folder: Folder) -> list[str]:
    return [
        name
        for name in sorted(folder.names())
        if _TEMPORARY.fullmatch(name) and folder.remove_unused(name)
    ]


def _is_zero(block: memoryview) -> bool:
    # three bytes tell most blocks apart without a look at all of it
    return not (block[0] or block[-1] or block[len(block) // 2]) and bytes(block) == _ZEROS


def _runs(view: memoryview) -> Iterator[tuple[memoryview, bool]]:
    """The parts of a text one after the other, and whether each of them is a run of zeros, of whole
    blocks.
    """
    start, was_hole = 0, False
    for at in range(0, view.nbytes, len(_ZEROS)):
        block = view[at : at + len(_ZEROS)]
        is_hole = block.nbytes == len(_ZEROS) and _is_zero(block)
        if is_hole != was_hole and at > start:
            yield view[start:at], was_hole
            start = at
        was_hole = is_hole
    if start < view.nbytes:
        yield view[start:], was_hole


class AtomicOutput:
    """Binary output to a temporary file beside ``path``, renamed onto it when the ``with`` block
    ends well.

    Leaving the block through an exception removes the temporary file and leaves ``path`` as it was.
    Unless ``overwrite`` is set, an existing ``path`` is never replaced, not even one that appears
    meanwhile; with it, only a regular file is, at the end of symbolic links, which stay. The
    contents are on disk (fsync) before the name is; long runs of zeros are holes, where the file
    system has them. ``mode`` is subject to the umask. A file of this user that is replaced gives
    its mode, and its group where that is allowed; a ``mode`` other than 0666 takes bits away from
    it. In place of a file of another user, as root may replace it, there is a new one of this user.
    Errors: FileExistsError, IsADirectoryError, other OSError with the final path in the message.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        overwrite: bool = False,
        mode: int = _NEW_FILE,
        folder: Mark | None = None,
    ) -> None:
        self.name = file_name(path)
        self._folder = folder  # None: any
        self._given = path
        self._overwrite = overwrite
        self._mode = mode
        self._place: Place | None = None
        self._temporary = ""
        self._kept = ""  # the replaced file's second name, while others are published
        self._raw: io.FileIO | None = None
        self._status: os.stat_result | None = None  # of the file, once it is given a name
        # bytes that were written, and those of them that the system was told to store
        self._written = self._storing = 0
        self._ends_in_hole = False

    def __enter__(self) -> AtomicOutput:
        self._begin()
        return self

    def write(self, data: bytes | bytearray | memoryview) -> int:
        """Write all of ``data``; OSError names the final path (no space left, for example)."""
        assert self._raw is not None
        view = memoryview(data).cast("B")
        try:
            for run, is_hole in _runs(view):
                if is_hole:
                    self._raw.seek(run.nbytes, os.SEEK_CUR)
                done = run.nbytes if is_hole else 0
                while done < run.nbytes:
                    done += self._raw.write(run[done:]) or 0
                self._ends_in_hole = is_hole
        except OSError as error:
            raise OSError(error.errno, error.strerror, self.name) from None
        self._wrote(view.nbytes)
        return view.nbytes

    def write_pieces(self, pieces: Sequence[memoryview]) -> None:
        """Write all of several pieces, one after the other, as :meth:`write` does."""
        assert self._raw is not None
        if any(is_hole for piece in pieces for _, is_hole in _runs(piece)):
            for piece in pieces:
                self.write(piece)
            return
        try:
            write_pieces(self._raw.fileno(), pieces)
        except OSError as error:
            raise OSError(error.errno, error.strerror, self.name) from None
        self._ends_in_hole = False
        self._wrote(sum(piece.nbytes for piece in pieces))

    def _wrote(self, count: int) -> None:
        """Have the system begin to store what was written while more is made: the fsync at the end
        then waits for little.
        """
        self._written += count
        if self._written - self._storing < _STORED_AT_ONCE:
            return
        if sys.platform == "linux":
            assert self._raw is not None
            with contextlib.suppress(OSError):  # advice; fsync finds what is wrong
                os.posix_fadvise(
                    self._raw.fileno(),
                    self._storing,
                    self._written - self._storing,
                    os.POSIX_FADV_DONTNEED,
                )
            self._storing = self._written

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self._finish()
                with _uninterrupted():
                    self._publish()
        finally:
            self._discard()

    # The steps, for several outputs at once.

    def _begin(self) -> None:
        if not self._overwrite and os.path.lexists(self.name) and not Path(self.name).is_dir():
            raise self._exists()
        with hiding(self._given):
            place = self._place = locate(self.name)
        try:
            with self._named():
                if self._folder not in (None, _system.mark_of(place.folder.status())):
                    raise OSError(
                        errno.ESTALE,
                        "leads out of its folder (it is a link, or the folder was replaced while"
                        " hanji worked), and is left as it is",
                    )
                if place.status is not None:
                    self._require_replaceable(place.status)
                self._clean(place.folder)
                self._raw = io.FileIO(self._create(place.folder), "r+")
        except BaseException:
            self._discard()
            raise

    def _require_replaceable(self, status: os.stat_result) -> None:
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(
                errno.EISDIR, "is a directory; give the name of a file", self.name
            )
        if not self._overwrite:
            raise self._exists()
        if not stat.S_ISREG(status.st_mode):
            raise OSError(
                errno.EINVAL,
                f"is {kind_of(status)}, not a regular file, and is left as it is",
                self.name,
            )

    def _create(self, folder: Folder) -> int:
        """A new file of ours with a lock that says so. Whoever looks for leftovers may come between
        creation and lock: then another name.
        """
        while True:
            self._temporary = f".hanji-{random_bytes(8).hex()}.part"
            _temporaries.add((folder, self._temporary))
            descriptor = folder.create(self._temporary)
            if descriptor is not None:
                return descriptor
            _temporaries.discard((folder, self._temporary))

    @staticmethod
    def _clean(folder: Folder) -> None:
        mark = _system.mark_of(folder.status())
        if mark is not None and mark not in _cleaned:
            _cleaned.add(mark)
            with contextlib.suppress(OSError):
                _remove_leftovers_in(folder)

    def _finish(self) -> None:
        """Everything on disk."""
        assert self._raw is not None
        assert self._place is not None
        with self._named():
            if self._ends_in_hole:
                self._raw.truncate()  # to here: a seek alone makes a file no longer
            self._place.folder.store_contents(self._raw.fileno())

    def _publish(self, *, keep: bool = False, store: bool = True) -> None:
        """Give the file its mode and its name; the replaced file keeps a second one if `keep`.
        Without `store` the caller has the folder stored.
        """
        assert self._raw is not None
        assert self._place is not None
        folder, name, _ = self._place
        with self._named():
            try:
                old = folder.look(name)
            except FileNotFoundError:
                old = None
            if old is not None:
                self._require_replaceable(old)
            descriptor = self._raw.fileno()
            # now: wine does not know the disk of a file that was renamed while it is open
            self._status = os.fstat(descriptor)
            if not folder.is_file(self._temporary, self._status):
                raise FileNotFoundError(errno.ENOENT, "was not written: its temporary file is gone")
            replaced = None if old is None else (name, old)
            folder.give_mode(descriptor, self._temporary, self._mode, replaced)
            if old is None:
                try:
                    folder.give_name(self._temporary, name)
                except FileExistsError:
                    raise self._exists() from None
            else:
                if keep:
                    second = f".hanji-{random_bytes(8).hex()}.old"
                    folder.keep(name, second)
                    self._kept = second
                folder.replace(self._temporary, name)
            if store:
                folder.store()

    def _take_back(self) -> None:
        """Undo _publish, wherever it stopped."""
        assert self._place is not None
        assert self._raw is not None
        folder, name, _ = self._place
        if _system.CLOSE_BEFORE_REPLACING:
            self._raw.close()
        if self._kept:
            folder.replace(self._kept, name)
            self._forget()  # replace() does nothing when both names are of one file
        elif self._status is not None and folder.is_file(name, self._status):
            with contextlib.suppress(FileNotFoundError):
                folder.remove(name)

    def _forget(self) -> None:
        assert self._place is not None
        if self._kept:
            with contextlib.suppress(FileNotFoundError):
                self._place.folder.remove(self._kept)
        self._kept = ""

    def _discard(self) -> None:
        """Remove the temporary file, if it still has its name, and close everything."""
        try:
            if self._raw is not None:
                self._raw.close()
        finally:
            if self._place is not None:
                folder, self._place = self._place.folder, None
                try:
                    with contextlib.suppress(
                        FileNotFoundError if self._raw is not None else OSError
                    ):
                        folder.remove(self._temporary)
                finally:
                    _temporaries.discard((folder, self._temporary))
                    folder.close()

    def _exists(self) -> FileExistsError:
        return FileExistsError(errno.EEXIST, EXISTS, self.name)

    @contextlib.contextmanager
    def _named(self) -> Iterator[None]:
        """An OSError is about the final path, never about the temporary file."""
        try:
            yield
        except OSError as error:
            error.filename, error.filename2 = self.name, None
            hide_name(error, self._given)
            raise


def try_output(
    path: str | os.PathLike[str], *, overwrite: bool, folder: Mark | None = None
) -> None:
    """Raise what beginning an output would raise now, and leave nothing behind: for callers who
    work long before they write.
    """
    output = AtomicOutput(path, overwrite=overwrite, folder=folder)
    try:
        output._begin()
    finally:
        output._discard()


class NewFile(NamedTuple):
    """A file for :func:`write_together`: where, what, and with which mode."""

    path: str | os.PathLike[str]
    contents: bytes
    mode: int = _NEW_FILE


def write_together(new: Sequence[NewFile], *, overwrite: bool = False) -> None:
    """Write several small files, all of them or none: when one cannot be written, those before it
    are as they were.

    Errors: as :class:`AtomicOutput`; ValueError when two of them are one file.
    """
    outputs = [AtomicOutput(file.path, overwrite=overwrite, mode=file.mode) for file in new]
    try:
        for output in reversed(outputs):  # the first may be the one that must not be lost
            output._begin()
        _require_different(outputs)
        for output, file in zip(outputs, new, strict=True):
            output.write(file.contents)
            output._finish()
        with _uninterrupted():
            begun: list[AtomicOutput] = []
            try:
                for output in outputs:
                    begun.append(output)
                    output._publish(keep=True)
            except BaseException:
                with contextlib.ExitStack() as undoing:  # each, whatever happens to the others
                    for output in begun:
                        undoing.callback(output._take_back)
                raise
            for output in outputs:
                output._forget()
    finally:
        for output in outputs:
            output._discard()


class AtomicOutputs:
    """Many outputs that become files independently of each other, a group at a time.

    The disk is the slow part of a small file: each one waits until its contents and then its name
    are stored. The files of a group are stored side by side, and each folder once for the group.
    What holds for an :class:`AtomicOutput` holds for each of them, and an error of one does not
    affect the others. With ``overwrite``, no file that was written here replaces another one that
    was written here, as two names that differ in case would on some file systems.

    ``finished`` is called with the label of each output and its error, or None, in order.
    """

    def __init__(
        self, finished: Callable[[Any, Exception | None], None], *, overwrite: bool = False
    ) -> None:
        self._finished = finished
        self._overwrite = overwrite
        self._waiting: list[tuple[Any, AtomicOutput]] = []
        self._bytes = 0
        self._made: set[Mark] = set()

    def __enter__(self) -> AtomicOutputs:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                self.flush()
        finally:
            with contextlib.ExitStack() as discarding:
                for _, output in self._waiting:
                    discarding.callback(output._discard)
            self._waiting = []

    @contextlib.contextmanager
    def output(
        self, label: Any, path: str | os.PathLike[str], folder: Mark | None = None
    ) -> Iterator[AtomicOutput]:
        """An output for a ``with`` block. It becomes a file with its group, unless the block ends
        with an exception, which is not caught. With the mark of a ``folder``, OSError where the
        path leads elsewhere.
        """
        output = AtomicOutput(path, overwrite=self._overwrite, folder=folder)
        output._begin()
        try:
            if output._place is not None and output._place.status is not None:
                self._refuse_own(output, output._place.status)
            yield output
        except BaseException:
            output._discard()
            raise
        self._waiting.append((label, output))
        self._bytes += output._written
        if len(self._waiting) >= _GROUP_FILES or self._bytes >= _GROUP_BYTES:
            self.flush()

    def _refuse_own(self, output: AtomicOutput, status: os.stat_result) -> None:
        if _system.mark_of(status) in self._made:
            raise FileExistsError(
                errno.EEXIST, "is the output of another input of this run, too", output.name
            )

    def flush(self) -> None:
        """Store the outputs that wait, and give them their names."""
        waiting, self._bytes = self._waiting, 0
        if not waiting:
            return
        errors = _finish_all([output for _, output in waiting])
        folders: dict[Any, tuple[Folder, list[int]]] = {}
        try:
            with _system.same_umask():
                for number, (_, output) in enumerate(waiting):
                    if errors[number] is not None:
                        continue
                    try:
                        with _uninterrupted():
                            self._name(output)
                    except (OSError, ValueError) as error:
                        errors[number] = error
                        continue
                    assert output._place is not None
                    folder = output._place.folder
                    mark = _system.mark_of(folder.status())
                    folders.setdefault(mark, (folder, []))[1].append(number)
            for folder, numbers in folders.values():
                try:
                    folder.store()
                except OSError as error:  # the names are there, but may not survive a power failure
                    for number in numbers:
                        about = waiting[number][1].name
                        errors[number] = OSError(error.errno, error.strerror, about)
        finally:
            with contextlib.ExitStack() as discarding:  # each, whatever happens to the others
                for _, output in waiting:
                    discarding.callback(output._discard)
            self._waiting = []
        for (label, _), problem in zip(waiting, errors, strict=True):
            self._finished(label, problem)

    def _name(self, output: AtomicOutput) -> None:
        assert output._place is not None
        if self._overwrite:
            with contextlib.suppress(FileNotFoundError):
                self._refuse_own(output, output._place.folder.look(output._place.name))
        output._publish(store=False)
        assert output._status is not None
        mark = _system.mark_of(output._status)
        if mark is not None:
            self._made.add(mark)


def _finish_all(outputs: Sequence[AtomicOutput]) -> list[Exception | None]:
    """Have the contents of all outputs on the disk; what went wrong with each. Threads wait for the
    disk side by side, which merges what they wait for.
    """

    def finish(output: AtomicOutput) -> Exception | None:
        try:
            output._finish()
        except OSError as error:
            return error
        return None

    workers = min(_STORING_THREADS, len(outputs))
    if workers == 1:
        return [finish(output) for output in outputs]
    from hanji._pool import Pool  # which one file does not need

    def finish_some(start: int) -> list[Exception | None]:
        return [finish(output) for output in outputs[start::workers]]

    errors: list[Exception | None] = [None] * len(outputs)
    with Pool(workers) as pool:
        for start, found in enumerate(pool.map(finish_some, range(workers))):
            errors[start::workers] = found
    return errors


def _require_different(outputs: Sequence[AtomicOutput]) -> None:
    # by folder and name; a file that is there, by itself
    seen: dict[tuple[object, str], str] = {}
    for output in outputs:
        assert output._place is not None
        folder, name, status = output._place
        marks = [(_system.mark_of(folder.status()), os.path.normcase(name))] + (
            [] if status is None else [(_system.mark_of(status), "")]
        )
        for mark in marks:
            if mark in seen:
                raise ValueError(
                    f"{seen[mark]} and {output.name} are the same file; give another output"
                )
        seen.update(dict.fromkeys(marks, output.name))
