# SPDX-License-Identifier: Apache-2.0
"""Linux, macOS and other systems of POSIX: see hanji._system."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import signal
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

assert sys.platform != "win32"  # type checkers leave the rest out on Windows

# What link() says on file systems that have no hard links (FAT, some network and FUSE file
# systems).
_NO_HARD_LINKS = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV}
_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_CLOEXEC
_LISTED = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_ACL = "system.posix_acl_access"

# A file may be replaced and get another name while it is open.
CLOSE_BEFORE_REPLACING = False


class LockedError(Exception):
    """Somebody else holds the lock of a file."""


def lock(descriptor: int) -> None:
    """Take the lock of a file, which the process holds until it closes the file.

    Errors: :class:`LockedError`; OSError where the file system has no locks.
    """
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise LockedError from None


@contextlib.contextmanager
def hold(folder: Path) -> Iterator[None]:
    """Have the lock of a folder for a while. Errors: as `lock`."""
    descriptor = os.open(folder, _LISTED)
    try:
        lock(descriptor)
        yield
    finally:
        os.close(descriptor)


def store_descriptor(descriptor: int) -> None:
    """Have the contents on the disk."""
    if sys.platform == "darwin":
        # fsync() of macOS leaves them in the memory of the disk; not all file systems know more.
        with contextlib.suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return
    os.fsync(descriptor)


def store(path: Path) -> None:
    """Have the contents of a file on the disk."""
    with path.open("rb") as file:
        store_descriptor(file.fileno())


def rename(old: Path, new: Path) -> None:
    """Give a file its final name, so that the name is on the disk, too."""
    old.replace(new)
    for folder in {old.parent, new.parent}:
        descriptor = os.open(folder, _LISTED)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def make_private_folder(path: Path) -> None:
    """A folder that nobody else reads, if it is not there."""
    path.mkdir(mode=0o700, exist_ok=True)


def readers(path: Path) -> str | None:
    """How others can read a file, and what takes that away, in words; None when they cannot."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) or not mode & 0o077:
        return None
    return f"can be read by other users (mode {mode & 0o777:04o}); do: chmod 600 {path}"


def mark_of(status: os.stat_result) -> tuple[int, int] | None:
    """What all names of a file have in common, and no other file has."""
    return status.st_dev, status.st_ino


def disk_of(status: os.stat_result) -> int:
    """The number of a block device."""
    return status.st_rdev


def open_device(path: str) -> int:
    """A device or a pipe for writing."""
    return os.open(path, os.O_WRONLY | os.O_NOCTTY | os.O_CLOEXEC)


def has_terminal() -> bool:
    """Whether there is a terminal to ask on, wherever standard input comes from."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True


def leave_after(seconds: float, leave: Callable[[], object]) -> None:
    """A signal after some time; its handler ends the process, so that `leave` is not called."""
    del leave
    signal.setitimer(signal.ITIMER_REAL, seconds)


_known_umask: int | None = None


@contextlib.contextmanager
def same_umask() -> Iterator[None]:
    """Ask for the umask once for all files that get their modes in the block."""
    global _known_umask
    _known_umask = _umask()
    try:
        yield
    finally:
        _known_umask = None


def _umask() -> int:
    if _known_umask is not None:
        return _known_umask
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


class Folder:
    """A folder that is held open, so that names in it stay names in it, whatever happens to its own
    name.
    """

    def __init__(self, path: str, base: Folder | None = None) -> None:
        above = None if base is None else base._descriptor
        self._descriptor: int = os.open(path, _FOLDER, dir_fd=above)

    def close(self) -> None:
        os.close(self._descriptor)

    def status(self) -> os.stat_result:
        return os.fstat(self._descriptor)

    def look(self, name: str) -> os.stat_result:
        """The status of a name, which may be a link."""
        return os.stat(name, dir_fd=self._descriptor, follow_symlinks=False)

    def follow(self, name: str) -> str:
        """Where a link leads."""
        return os.readlink(name, dir_fd=self._descriptor)

    def trusts_link(self, status: os.stat_result) -> bool:
        """Whether a link may be followed: not one of others where everybody may make links, as with
        fs.protected_symlinks of Linux.
        """
        above = self.status()
        everybody = above.st_mode & stat.S_ISVTX and above.st_mode & stat.S_IWOTH
        return not everybody or status.st_uid in (os.geteuid(), above.st_uid)

    def process_link(self, name: str, status: os.stat_result) -> tuple[bool, int | None]:
        """Whether a name stands for an open file of a process, and its number if the process is
        this one.
        """
        if sys.platform == "darwin":
            # /dev/fd has files, not links: those of the process that looks.
            with contextlib.suppress(OSError):
                if self.status().st_dev == Path("/dev/fd").stat().st_dev and name.isdecimal():
                    return True, int(name)
            return False, None
        with contextlib.suppress(FileNotFoundError):
            if not stat.S_ISLNK(status.st_mode):
                return False, None
            if self.status().st_dev != Path("/proc").stat().st_dev:
                return False, None
            here = str(Path(f"/proc/self/fd/{self._descriptor}").readlink())
            ours = rf"/proc/{Path('/proc/self').readlink()}(?:/task/[0-9]+)?/fd"
            return True, int(name) if name.isdecimal() and re.fullmatch(ours, here) else None
        return False, None

    def names(self) -> list[str]:
        opened = os.open(".", _LISTED, dir_fd=self._descriptor)
        try:
            return os.listdir(opened)  # noqa: PTH208, a descriptor
        finally:
            os.close(opened)

    def create(self, name: str) -> int | None:
        """A new file that only its owner reads, with a lock that says that it is in use. None:
        whoever looks for leftovers came between creation and lock.
        """
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(name, flags, 0o600, dir_fd=self._descriptor)
        try:
            lock(descriptor)
        except LockedError:
            os.close(descriptor)
            return None
        except OSError:
            # a file system without locks: then nobody can take this one for a leftover, either
            return descriptor
        if self.is_file(name, os.fstat(descriptor)):
            return descriptor
        os.close(descriptor)
        return None

    def remove_unused(self, name: str) -> bool:
        """Remove a regular file of this user whose lock nobody holds."""
        with contextlib.suppress(OSError, LockedError):
            seen = self.look(name)
            if not stat.S_ISREG(seen.st_mode) or seen.st_uid != os.geteuid():
                return False
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
            file = os.open(name, flags, dir_fd=self._descriptor)
            try:
                lock(file)
                if os.path.samestat(os.fstat(file), seen) and self.is_file(name, seen):
                    self.remove(name)
                    return True
            finally:
                os.close(file)
        return False

    def is_file(self, name: str, status: os.stat_result) -> bool:
        """Whether a name is that of a file."""
        try:
            return os.path.samestat(status, self.look(name))
        except FileNotFoundError:
            return False

    def remove(self, name: str) -> None:
        os.unlink(name, dir_fd=self._descriptor)

    def store_contents(self, descriptor: int) -> None:
        """Have the contents of a file on the disk."""
        store_descriptor(descriptor)

    def store(self) -> None:
        """Have the names on the disk. Some file systems refuse to sync a folder; the files
        themselves are safe by then.
        """
        with contextlib.suppress(OSError):
            opened = os.open(".", _LISTED, dir_fd=self._descriptor)
            try:
                os.fsync(opened)
            finally:
                os.close(opened)

    def give_name(self, temporary: str, name: str) -> None:
        """A new name for a file, which may keep the old one. FileExistsError when it is taken."""
        try:
            self._link(temporary, name)
        except FileExistsError:
            raise
        except OSError as error:
            if error.errno not in _NO_HARD_LINKS:
                raise
            self._claim_and_replace(temporary, name)

    def _claim_and_replace(self, temporary: str, name: str) -> None:
        """Take the name with an empty file of our own, then replace that."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        os.close(os.open(name, flags, 0o600, dir_fd=self._descriptor))
        try:
            self.replace(temporary, name)
        except BaseException:
            self.remove(name)
            raise

    def replace(self, temporary: str, name: str) -> None:
        os.replace(temporary, name, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)

    def keep(self, name: str, second: str) -> None:
        """A second name for a file; where there are no links, instead of the first."""
        try:
            self._link(name, second)
        except OSError as error:
            if error.errno not in _NO_HARD_LINKS:
                raise
            os.rename(name, second, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)

    def _link(self, name: str, second: str) -> None:
        here = self._descriptor
        os.link(name, second, src_dir_fd=here, dst_dir_fd=here, follow_symlinks=False)

    def give_mode(
        self, descriptor: int, temporary: str, mode: int, old: tuple[str, os.stat_result] | None
    ) -> None:
        """Who may do what with a file that gets its name now. A new one has `mode` without what the
        umask takes; one that replaces `old`, a name and its status, has its mode, and its group
        where that is allowed; a `mode` other than 0666 takes bits away.

        A file of another user is replaced by one of this user, as new: root must not give a key, or
        what a sealed file held, to whoever owned a file of that name.
        """
        del temporary
        ours = os.fstat(descriptor)
        if old is None or old[1].st_uid != ours.st_uid:
            os.fchmod(descriptor, mode & ~_umask())
            return
        name, status = old
        bits = status.st_mode & 0o777
        if mode != 0o666:
            bits &= mode
        if status.st_gid != ours.st_gid:
            try:
                os.fchown(descriptor, -1, status.st_gid)
            except OSError:
                bits &= ~0o070  # they were for another group
        if self._has_list(name):
            # they were the mask of an access control list, which the new file has not
            bits &= ~0o070
        os.fchmod(descriptor, bits)

    def _has_list(self, name: str) -> bool:
        if sys.platform != "linux":
            return False
        with contextlib.suppress(OSError):
            path = f"/proc/self/fd/{self._descriptor}/{name}"
            return _ACL in os.listxattr(path, follow_symlinks=False)
        return False
