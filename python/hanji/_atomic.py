# SPDX-License-Identifier: Apache-2.0
"""Files that appear under their names whole, or not at all; every file that hanji writes is written
here.

A file is written beside its target under a name of its own, ``.hanji-<16 hexadecimal
digits>.part``, with mode 0600 and a lock that the process holds until the end. Its final mode comes
when it is published, right before its name. docs/format.md, section "How files are written", says
what is left after a power failure or SIGKILL.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import io
import os
import re
import secrets
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from hanji._pieces import write_pieces

# What link() says on file systems that have no hard links (FAT, some network and FUSE file
# systems).
_NO_HARD_LINKS = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV}
_TEMPORARY = re.compile(r"\.hanji-[0-9a-f]{16}\.part")
_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_CLOEXEC
_MOST_LINKS = 40  # as the kernel
_ACL = "system.posix_acl_access"
_NEW_FILE = 0o666
_STORED_AT_ONCE = 32 << 20  # bytes

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


class ProcessLinkError(OSError):
    """A link into /proc: it stands for an open file of a process. ``descriptor`` is its number if
    the process is this one.
    """

    descriptor: int | None = None


class Place(NamedTuple):
    """Where a file is or will be, with all symbolic links followed."""

    folder: int  # descriptor of the folder
    name: str  # in the folder
    status: os.stat_result | None  # None: there is no such file


def _enter(path: str, base: int | None) -> tuple[int, str]:
    head, name = os.path.split(path)
    if name in ("", ".", ".."):
        raise IsADirectoryError(errno.EISDIR, "is a directory; give the name of a file", path)
    return os.open(head or ".", _FOLDER, dir_fd=base), name


def locate(path: str) -> Place:
    """Follow ``path`` to its end, link by link, as open() does; the caller closes the descriptor of
    the folder.

    Links of others in a folder where everybody may write are not followed, as the kernel does not
    where fs.protected_symlinks is set. Errors: :class:`ProcessLinkError`, other OSError with
    ``path`` as the file name.
    """
    folder = -1
    try:
        if not path:
            raise FileNotFoundError(errno.ENOENT, "the name is empty; give the name of a file")
        folder, name = _enter(path, None)
        for _ in range(_MOST_LINKS):
            try:
                status = os.stat(name, dir_fd=folder, follow_symlinks=False)
            except FileNotFoundError:
                return Place(folder, name, None)
            if not stat.S_ISLNK(status.st_mode):
                return Place(folder, name, status)
            _refuse_process_link(folder, name)
            above = os.fstat(folder)
            everybody = above.st_mode & stat.S_ISVTX and above.st_mode & stat.S_IWOTH
            if everybody and status.st_uid not in (os.geteuid(), above.st_uid):
                raise PermissionError(
                    errno.EACCES,
                    "is a link of another user in a folder where everybody may write; it is not followed",
                )
            following, name = _enter(os.readlink(name, dir_fd=folder), folder)
            os.close(folder)
            folder = following
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    except OSError as error:
        if folder >= 0:
            os.close(folder)
        error.filename, error.filename2 = path, None
        raise


def _refuse_process_link(folder: int, name: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        if os.fstat(folder).st_dev != Path("/proc").stat().st_dev:
            return
        error = ProcessLinkError(
            errno.EINVAL, "stands for an open file of a process; give the name of a file"
        )
        here = str(Path(f"/proc/self/fd/{folder}").readlink())
        ours = rf"/proc/{Path('/proc/self').readlink()}(?:/task/[0-9]+)?/fd"
        if name.isdecimal() and re.fullmatch(ours, here):
            error.descriptor = int(name)
        raise error


def _umask() -> int:
    # os.umask() cannot ask without setting, which other threads would feel.
    with contextlib.suppress(OSError):
        found = re.search(
            r"^Umask:\s*([0-7]+)$",
            Path("/proc/self/status").read_text(encoding="ascii", errors="replace"),
            re.MULTILINE,
        )
        if found:
            return int(found[1], 8)
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


# The temporary files that exist now, each by its folder's descriptor and its name, for whoever has
# to end the process.
_temporaries: set[tuple[int, str]] = set()
# folders whose leftovers have been looked for, by device and inode
_cleaned: set[tuple[int, int]] = set()
_publishing = 0  # calls that are giving out names now
on_published: Callable[[], None] | None = None  # called after that


def is_publishing() -> bool:
    """Whether names are being given out, which is not to be left half done."""
    return _publishing > 0


def remove_temporaries() -> None:
    """Remove every temporary file of this process. Meant for a signal handler; what is being
    written is lost.
    """
    for folder, name in tuple(_temporaries):
        with contextlib.suppress(OSError):
            os.unlink(name, dir_fd=folder)


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


def remove_leftovers(folder: str | os.PathLike[str]) -> list[str]:
    """Remove what processes that were killed have left in a folder, and return the names.

    Removed are only regular files of this user with a name that hanji gives to temporary files, and
    only when no process holds their lock. Errors: OSError when the folder cannot be read.
    """
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        return _remove_leftovers_in(opened)
    finally:
        os.close(opened)


def _remove_leftovers_in(folder: int) -> list[str]:
    return [
        name
        for name in sorted(os.listdir(folder))
        if _TEMPORARY.fullmatch(name) and _remove_leftover(folder, name)
    ]


def _remove_leftover(folder: int, name: str) -> bool:
    with contextlib.suppress(OSError):
        seen = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if not stat.S_ISREG(seen.st_mode) or seen.st_uid != os.geteuid():
            return False
        file = os.open(
            name,
            os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC,
            dir_fd=folder,
        )
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(file), seen) and os.path.samestat(
                os.stat(name, dir_fd=folder, follow_symlinks=False), seen
            ):
                os.unlink(name, dir_fd=folder)
                return True
        finally:
            os.close(file)
    return False


class AtomicOutput:
    """Binary output to a temporary file beside ``path``, renamed onto it when the ``with`` block
    ends well.

    Leaving the block through an exception removes the temporary file and leaves ``path`` as it was.
    Unless ``overwrite`` is set, an existing ``path`` is never replaced, not even one that appears
    meanwhile; with it, only a regular file is, at the end of symbolic links, which stay. The
    contents are on disk (fsync) before the name is. ``mode`` is subject to the umask. A file that
    is replaced gives its mode, and its owner where that is allowed; a ``mode`` other than 0666
    takes bits away from it.
    Errors: FileExistsError, IsADirectoryError, other OSError with the final path in the message.
    """

    def __init__(
        self, path: str | os.PathLike[str], *, overwrite: bool = False, mode: int = _NEW_FILE
    ) -> None:
        self.name = os.fsdecode(path)
        self._overwrite = overwrite
        self._mode = mode
        self._place: Place | None = None
        self._temporary = ""
        self._kept = ""  # the replaced file's second name, while others are published
        self._raw: io.FileIO | None = None
        # bytes that were written, and those of them that the system was told to store
        self._written = self._storing = 0

    def __enter__(self) -> AtomicOutput:
        self._begin()
        return self

    def write(self, data: bytes | bytearray | memoryview) -> int:
        """Write all of ``data``; OSError names the final path (no space left, for example)."""
        assert self._raw is not None
        view = memoryview(data).cast("B")
        done = 0
        try:
            while done < view.nbytes:
                done += self._raw.write(view[done:]) or 0
        except OSError as error:
            raise OSError(error.errno, error.strerror, self.name) from None
        self._wrote(done)
        return done

    def write_pieces(self, pieces: Sequence[memoryview]) -> None:
        """Write all of several pieces, one after the other, as :meth:`write` does."""
        assert self._raw is not None
        try:
            write_pieces(self._raw.fileno(), pieces)
        except OSError as error:
            raise OSError(error.errno, error.strerror, self.name) from None
        self._wrote(sum(piece.nbytes for piece in pieces))

    def _wrote(self, count: int) -> None:
        """Have the system begin to store what was written while more is made: the fsync at the end
        then waits for little.
        """
        self._written += count
        if self._written - self._storing >= _STORED_AT_ONCE and hasattr(os, "posix_fadvise"):
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
        place = self._place = locate(self.name)
        try:
            with self._named():
                if place.status is not None:
                    self._require_replaceable(place.status)
                self._clean(place.folder)
                descriptor = self._create(place.folder)
                self._raw = io.FileIO(descriptor, "r+")
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

    def _create(self, folder: int) -> int:
        """A new file of ours with a lock that says so. Whoever looks for leftovers may come between
        creation and lock: then another name.
        """
        while True:
            self._temporary = f".hanji-{secrets.token_hex(8)}.part"
            _temporaries.add((folder, self._temporary))
            flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            descriptor = os.open(self._temporary, flags, 0o600, dir_fd=folder)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
                _temporaries.discard((folder, self._temporary))
                continue
            except (
                OSError
            ):  # a file system without locks: then nobody can take this one for a leftover, either
                return descriptor
            if self._is_ours(descriptor, folder):
                return descriptor
            os.close(descriptor)
            _temporaries.discard((folder, self._temporary))

    def _is_ours(self, descriptor: int, folder: int) -> bool:
        try:
            return os.path.samestat(
                os.fstat(descriptor), os.stat(self._temporary, dir_fd=folder, follow_symlinks=False)
            )
        except FileNotFoundError:
            return False

    @staticmethod
    def _clean(folder: int) -> None:
        status = os.fstat(folder)
        if (status.st_dev, status.st_ino) not in _cleaned:
            _cleaned.add((status.st_dev, status.st_ino))
            with contextlib.suppress(OSError):
                opened = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=folder)
                try:
                    _remove_leftovers_in(opened)
                finally:
                    os.close(opened)

    def _finish(self) -> None:
        """Everything on disk."""
        assert self._raw is not None
        with self._named():
            os.fsync(self._raw.fileno())

    def _publish(self, *, keep: bool = False) -> None:
        """Give the file its mode and its name; the replaced file keeps a second one if `keep`."""
        assert self._raw is not None
        assert self._place is not None
        folder, name, _ = self._place
        with self._named():
            try:
                old = os.stat(name, dir_fd=folder, follow_symlinks=False)
            except FileNotFoundError:
                old = None
            if old is not None:
                self._require_replaceable(old)
            if not self._is_ours(self._raw.fileno(), folder):
                raise FileNotFoundError(errno.ENOENT, "was not written: its temporary file is gone")
            self._give_mode(self._raw.fileno(), old)
            if old is None:
                self._link(folder, name)
            else:
                if keep:
                    self._keep(folder, name)
                os.replace(self._temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
            # Some file systems refuse to sync a directory; the file itself is safe by now.
            with contextlib.suppress(OSError):
                opened = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=folder)
                try:
                    os.fsync(opened)
                finally:
                    os.close(opened)

    def _give_mode(self, descriptor: int, old: os.stat_result | None) -> None:
        if old is None:
            os.fchmod(descriptor, self._mode & ~_umask())
            return
        mode = old.st_mode & 0o777
        if self._mode != _NEW_FILE:
            mode &= self._mode
        ours = os.fstat(descriptor)
        if (old.st_uid, old.st_gid) != (ours.st_uid, ours.st_gid):
            try:
                os.fchown(descriptor, old.st_uid, old.st_gid)
            except OSError:
                try:
                    os.fchown(descriptor, -1, old.st_gid)
                except OSError:
                    mode &= ~0o070  # they were for another group
        if self._had_list():
            # they were the mask of an access control list, which the new file has not
            mode &= ~0o070
        os.fchmod(descriptor, mode)

    def _had_list(self) -> bool:
        assert self._place is not None
        if not hasattr(os, "listxattr"):
            return False
        with contextlib.suppress(OSError):
            return _ACL in os.listxattr(
                f"/proc/self/fd/{self._place.folder}/{self._place.name}", follow_symlinks=False
            )
        return False

    def _link(self, folder: int, name: str) -> None:
        try:
            os.link(
                self._temporary, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False
            )
        except FileExistsError:
            raise self._exists() from None
        except OSError as error:
            if error.errno not in _NO_HARD_LINKS:
                raise
            self._claim_and_replace(folder, name)

    def _claim_and_replace(self, folder: int, name: str) -> None:
        """Take the name with an empty file of our own, then replace that."""
        try:
            os.close(
                os.open(
                    name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=folder
                )
            )
        except FileExistsError:
            raise self._exists() from None
        try:
            os.replace(self._temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            os.unlink(name, dir_fd=folder)
            raise

    def _keep(self, folder: int, name: str) -> None:
        second = f".hanji-{secrets.token_hex(8)}.old"
        try:
            os.link(name, second, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        except OSError as error:
            if error.errno not in _NO_HARD_LINKS:
                raise
            os.rename(name, second, src_dir_fd=folder, dst_dir_fd=folder)
        self._kept = second

    def _take_back(self) -> None:
        """Undo _publish, wherever it stopped."""
        assert self._place is not None
        assert self._raw is not None
        folder, name, _ = self._place
        if self._kept:
            os.replace(self._kept, name, src_dir_fd=folder, dst_dir_fd=folder)
            self._forget()  # replace() does nothing when both names are of one file
            return
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(
                os.fstat(self._raw.fileno()), os.stat(name, dir_fd=folder, follow_symlinks=False)
            ):
                os.unlink(name, dir_fd=folder)

    def _forget(self) -> None:
        assert self._place is not None
        if self._kept:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self._kept, dir_fd=self._place.folder)
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
                        os.unlink(self._temporary, dir_fd=folder)
                finally:
                    _temporaries.discard((folder, self._temporary))
                    os.close(folder)

    def _exists(self) -> FileExistsError:
        return FileExistsError(errno.EEXIST, "exists already and is left as it is", self.name)

    @contextlib.contextmanager
    def _named(self) -> Iterator[None]:
        """An OSError is about the final path, never about the temporary file."""
        try:
            yield
        except OSError as error:
            error.filename, error.filename2 = self.name, None
            raise


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


def _require_different(outputs: Sequence[AtomicOutput]) -> None:
    # by folder and name; a file that is there, by itself
    seen: dict[tuple[int, int, str], str] = {}
    for output in outputs:
        assert output._place is not None
        folder, name, status = output._place
        above = os.fstat(folder)
        marks = [(above.st_dev, above.st_ino, name)] + (
            [] if status is None else [(status.st_dev, status.st_ino, "")]
        )
        for mark in marks:
            if mark in seen:
                raise ValueError(
                    f"{seen[mark]} and {output.name} are the same file; give another output"
                )
        seen.update(dict.fromkeys(marks, output.name))
