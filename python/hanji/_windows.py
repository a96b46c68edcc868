# SPDX-License-Identifier: Apache-2.0
"""Windows: see hanji._system.

A file is locked by being open: it was opened so that others may read, rename and remove it, and not
write to it. Who may read a file says its access control list; a file of mode 0600 has one with its
owner and the system, and inherits nothing of its folder. Names are given by MoveFileEx, which
returns when the name is on the disk.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import functools
import msvcrt
import ntpath
import os
import re
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from ctypes import wintypes
from pathlib import Path
from typing import Any

assert sys.platform == "win32"  # type checkers leave the rest out elsewhere

# A file cannot be replaced while it is open.
CLOSE_BEFORE_REPLACING = True

_READ, _WRITE, _DELETE = 0x80000000, 0x40000000, 0x00010000
_SHARE_READ, _SHARE_DELETE = 1, 4
_CREATE_NEW, _OPEN_EXISTING = 1, 3
_OPEN_LINK, _DELETE_ON_CLOSE = 0x00200000, 0x04000000  # the link itself; when the last handle goes
_REPLACE, _WRITE_THROUGH = 1, 8
_LIST = 4  # DACL_SECURITY_INFORMATION
_INHERITED = 0x20000000  # UNPROTECTED_DACL_SECURITY_INFORMATION
_EMPTY_LIST = b"\x02\0\x08\0\0\0\0\0"  # revision 2, 8 bytes, no entries
_EXCLUSIVE, _AT_ONCE = 2, 1
_LOCK_VIOLATION, _PENDING = 33, 997
_FILE_OBJECT = 1  # SE_FILE_OBJECT
_TOKEN_QUERY, _TOKEN_USER = 8, 1
_NO_HARD_LINKS = {1, 50, 1142}  # INVALID_FUNCTION, NOT_SUPPORTED, TOO_MANY_LINKS
_NO_HANDLE = ctypes.c_void_p(-1).value
# the system, administrators, and whoever is the owner
_TRUSTED = {"SY", "BA", "OW", "CO"}
_ENTRY = re.compile(r"\((\w+);([^;()]*);([^;()]*);[^;()]*;[^;()]*;([^;()]*)[^()]*\)")
_READING = re.compile(r"(?:..)*?(?:FA|FR|GA|GR|CC)")  # in words of two letters
_LOCKED_BYTE = 0x7FFFFFFE  # beyond what a manifest has: a locked byte is not for others to read


class _Attributes(ctypes.Structure):
    """SECURITY_ATTRIBUTES"""

    _fields_ = (
        ("size", wintypes.DWORD),
        ("descriptor", wintypes.LPVOID),
        ("inherited", wintypes.BOOL),
    )


class _Overlapped(ctypes.Structure):
    """OVERLAPPED"""

    _fields_ = (
        ("internal", ctypes.c_void_p * 2),
        ("offset", wintypes.DWORD),
        ("offset_high", wintypes.DWORD),
        ("event", wintypes.LPVOID),
    )


_kernel = ctypes.WinDLL("kernel32", use_last_error=True)
_security = ctypes.WinDLL("advapi32", use_last_error=True)


def _declare(function: Any, result: Any, *arguments: Any) -> Any:
    function.restype, function.argtypes = result, arguments
    return function


_text, _number, _flag, _memory = (
    wintypes.LPCWSTR,
    wintypes.DWORD,
    wintypes.BOOL,
    wintypes.LPVOID,
)
_create_file = _declare(
    _kernel.CreateFileW, _memory, _text, _number, _number, _memory, _number, _number, _memory
)
_close_handle = _declare(_kernel.CloseHandle, _flag, _memory)
_create_directory = _declare(_kernel.CreateDirectoryW, _flag, _text, _memory)
_lock_file = _declare(
    _kernel.LockFileEx, _flag, _memory, _number, _number, _number, _number, _memory
)
_move_file = _declare(_kernel.MoveFileExW, _flag, _text, _text, _number)
_local_free = _declare(_kernel.LocalFree, _memory, _memory)
_this_process = _declare(_kernel.GetCurrentProcess, _memory)
_open_token = _declare(_security.OpenProcessToken, _flag, _memory, _number, _memory)
_token_about = _declare(
    _security.GetTokenInformation, _flag, _memory, ctypes.c_int, _memory, _number, _memory
)
_sid_text = _declare(_security.ConvertSidToStringSidW, _flag, _memory, _memory)
_from_text = _declare(
    _security.ConvertStringSecurityDescriptorToSecurityDescriptorW,
    _flag,
    _text,
    _number,
    _memory,
    _memory,
)
_to_text = _declare(
    _security.ConvertSecurityDescriptorToStringSecurityDescriptorW,
    _flag,
    _memory,
    _number,
    _number,
    _memory,
    _memory,
)
_get_security = _declare(
    _security.GetFileSecurityW, _flag, _text, _number, _memory, _number, _memory
)
_set_security = _declare(_security.SetFileSecurityW, _flag, _text, _number, _memory)
_set_named = _declare(
    _security.SetNamedSecurityInfoW,
    _number,
    _text,
    ctypes.c_int,
    _number,
    _memory,
    _memory,
    _memory,
    _memory,
)


class LockedError(Exception):
    """Somebody else holds the lock of a file."""


def _failed(path: str | None = None, code: int | None = None) -> OSError:
    """The error of the last call, as the functions of `os` raise it."""
    number = ctypes.get_last_error() if code is None else code
    return OSError(0, ctypes.FormatError(number).strip(), path, number)


@functools.cache
def _user() -> str:
    """The identifier of the user as text, such as S-1-5-21-..."""
    token = wintypes.LPVOID()
    if not _open_token(_this_process(), _TOKEN_QUERY, ctypes.byref(token)):
        raise _failed()
    try:
        room, size = ctypes.create_string_buffer(1024), wintypes.DWORD()
        if not _token_about(token, _TOKEN_USER, room, len(room), ctypes.byref(size)):
            raise _failed()
        # a structure that begins with the address of the identifier
        found, words = ctypes.c_void_p.from_buffer(room), wintypes.LPWSTR()
        if not _sid_text(found, ctypes.byref(words)):
            raise _failed()
        try:
            return words.value or ""
        finally:
            _local_free(words)
    finally:
        _close_handle(token)


@contextlib.contextmanager
def _private(inherit: str = "") -> Any:
    """SECURITY_ATTRIBUTES of what only this user and the system may read or change."""
    words = f"D:P(A;{inherit};FA;;;{_user()})(A;{inherit};FA;;;SY)"
    descriptor = wintypes.LPVOID()
    if not _from_text(words, 1, ctypes.byref(descriptor), None):
        raise _failed()
    try:
        yield ctypes.byref(_Attributes(ctypes.sizeof(_Attributes), descriptor, False))
    finally:
        _local_free(descriptor)


def _list_of(path: str) -> Any:
    """The access control list of a file, in a security descriptor."""
    size = wintypes.DWORD()
    _get_security(path, _LIST, None, 0, ctypes.byref(size))
    room = ctypes.create_string_buffer(max(size.value, 64))
    if not _get_security(path, _LIST, room, len(room), ctypes.byref(size)):
        raise _failed(path)
    return room


def _inherit(path: str) -> None:
    """Let a file have the access control list that its folder gives."""
    kind = _LIST | _INHERITED
    if code := _set_named(path, _FILE_OBJECT, kind, None, None, _EMPTY_LIST, None):
        raise _failed(path, code)


def list_text(path: Path) -> str:
    """The access control list of a file, in the language of security descriptors."""
    words = wintypes.LPWSTR()
    if not _to_text(_list_of(str(path)), 1, _LIST, ctypes.byref(words), None):
        raise _failed(str(path))
    try:
        return words.value or ""
    finally:
        _local_free(words)


def lock(descriptor: int) -> None:
    """Take the lock of a file, which the process holds until it closes the file.

    Errors: :class:`LockedError`; OSError where the file system has no locks.
    """
    place = _Overlapped(offset=_LOCKED_BYTE)
    handle = msvcrt.get_osfhandle(descriptor)
    if not _lock_file(handle, _EXCLUSIVE | _AT_ONCE, 0, 1, 0, ctypes.byref(place)):
        if ctypes.get_last_error() in (_LOCK_VIOLATION, _PENDING):
            raise LockedError
        raise _failed()


@contextlib.contextmanager
def hold(folder: Path) -> Iterator[None]:
    """Have the lock of a folder for a while: of a file in it, which is there as long. Errors: as
    `lock`.
    """
    path = folder / ".hanji-lock"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_BINARY | os.O_NOINHERIT)
    try:
        lock(descriptor)
        yield
    finally:
        os.close(descriptor)
        with contextlib.suppress(OSError):  # somebody else has it open
            path.unlink()


def store(path: Path) -> None:
    """Have the contents of a file on the disk."""
    with path.open("r+b") as file:  # who only reads cannot ask for that
        os.fsync(file.fileno())


def rename(old: Path, new: Path) -> None:
    """Give a file its final name, so that the name is on the disk, too, and the rights of others
    that the folder gives.
    """
    if not _move_file(str(old), str(new), _REPLACE | _WRITE_THROUGH):
        raise _failed(str(new))
    _inherit(str(new))


def make_private_folder(path: Path) -> None:
    """A folder that nobody else reads, if it is not there."""
    with _private("OICI") as attributes:
        if not _create_directory(str(path), attributes) and not path.is_dir():
            raise _failed(str(path))


def readers(path: Path) -> str | None:
    """How others can read a file, and what takes that away, in words; None when they cannot."""
    if not path.is_file():
        return None
    words = list_text(path)
    others = [
        who
        for kind, flags, rights, who in _ENTRY.findall(words)
        if kind == "A"
        and "IO" not in re.findall("..", flags)
        and (int(rights, 16) & 0x80000001 if rights[:2] == "0x" else _READING.match(rights))
        and who not in (_TRUSTED | {_user()})
    ]
    if not others and words != "D:NO_ACCESS_CONTROL" and words:
        return None
    who = ", ".join(dict.fromkeys(others)) or "everybody"
    return (
        f"can be read by other users ({who}); do: "
        f'icacls "{path}" /inheritance:r /grant:r "%USERNAME%:F"'
    )


def mark_of(status: os.stat_result) -> tuple[int, int] | None:
    """What all names of a file have in common, and no other file has; None for pipes and consoles,
    which have no numbers.
    """
    return (status.st_dev, status.st_ino) if status.st_ino else None


def disk_of(status: os.stat_result) -> int:
    """The number of a block device, which no name of Windows stands for."""
    return status.st_dev


def open_device(path: str) -> int:
    """A device or a pipe for writing."""
    return os.open(path, os.O_WRONLY | os.O_BINARY | os.O_NOINHERIT)


def has_terminal() -> bool:
    """Whether there is a console to ask on, wherever standard input comes from."""
    try:
        os.close(os.open("CONIN$", os.O_RDWR | os.O_NOINHERIT))
    except OSError:
        return False
    return True


@contextlib.contextmanager
def same_umask() -> Iterator[None]:
    """There is no umask here."""
    yield


def leave_after(seconds: float, leave: Callable[[], object]) -> None:
    """Call `leave` after some time, if the process is still there."""
    waiting = threading.Timer(seconds, leave)
    waiting.daemon = True
    waiting.start()


class Folder:
    """A folder by its name. Nothing holds it: Windows opens names in a folder by the whole path."""

    def __init__(self, path: str, base: Folder | None = None) -> None:
        self._path: str = ntpath.abspath(path if base is None else ntpath.join(base._path, path))
        if not stat.S_ISDIR(Path(self._path).stat().st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)

    def _in(self, name: str) -> str:
        if ":" in name:
            raise OSError(errno.EINVAL, "is a stream of a file; give the name of a file", name)
        return ntpath.join(self._path, name)

    def close(self) -> None:
        """Nothing is open."""

    def status(self) -> os.stat_result:
        return Path(self._path).stat()

    def look(self, name: str) -> os.stat_result:
        """The status of a name, which may be a link."""
        return Path(self._in(name)).lstat()

    def follow(self, name: str) -> str:
        """Where a link leads."""
        return str(Path(self._in(name)).readlink())

    def trusts_link(self, status: os.stat_result) -> bool:
        """Whether a link may be followed: making one takes a right of its own on Windows."""
        return stat.S_ISLNK(status.st_mode)

    def process_link(self, name: str, status: os.stat_result) -> tuple[bool, int | None]:
        """No name stands for an open file of a process."""
        del name, status
        return False, None

    def names(self) -> list[str]:
        return [path.name for path in Path(self._path).iterdir()]

    def create(self, name: str) -> int | None:
        """A new file that only its owner reads, and only this process writes while it is open."""
        rights, shared = _READ | _WRITE | _DELETE, _SHARE_READ | _SHARE_DELETE
        with _private() as attributes:
            handle = _create_file(self._in(name), rights, shared, attributes, _CREATE_NEW, 0, None)
        if handle == _NO_HANDLE:
            raise _failed(self._in(name))
        try:
            return msvcrt.open_osfhandle(handle, os.O_RDWR | os.O_BINARY | os.O_NOINHERIT)
        except BaseException:
            _close_handle(handle)
            self.remove(name)
            raise

    def remove_unused(self, name: str) -> bool:
        """Remove a regular file that no process has open."""
        with contextlib.suppress(OSError):
            if not stat.S_ISREG(self.look(name).st_mode):
                return False
            flags = _OPEN_LINK | _DELETE_ON_CLOSE
            rights = _READ | _DELETE
            handle = _create_file(self._in(name), rights, 0, None, _OPEN_EXISTING, flags, None)
            if handle != _NO_HANDLE:
                _close_handle(handle)
                return True
        return False

    def is_file(self, name: str, status: os.stat_result) -> bool:
        """Whether a name is that of a file."""
        try:
            return os.path.samestat(status, self.look(name))
        except FileNotFoundError:
            return False

    def remove(self, name: str) -> None:
        Path(self._in(name)).unlink()

    def store_contents(self, descriptor: int) -> None:
        """Have the contents of a file on the disk."""
        os.fsync(descriptor)

    def store(self) -> None:
        """The names are on the disk: see _move."""

    def _move(self, name: str, new: str, flags: int) -> None:
        if not _move_file(self._in(name), self._in(new), flags | _WRITE_THROUGH):
            raise _failed(self._in(new))

    def give_name(self, temporary: str, name: str) -> None:
        """Another name for a file. FileExistsError when it is taken."""
        self._move(temporary, name, 0)

    def replace(self, temporary: str, name: str) -> None:
        self._move(temporary, name, _REPLACE)

    def keep(self, name: str, second: str) -> None:
        """A second name for a file; where there are no links, instead of the first."""
        try:
            Path(self._in(second)).hardlink_to(self._in(name))
        except OSError as error:
            if error.winerror not in _NO_HARD_LINKS:
                raise
            self._move(name, second, 0)

    def give_mode(
        self, descriptor: int, temporary: str, mode: int, old: tuple[str, os.stat_result] | None
    ) -> None:
        """Who may do what with a file that gets its name now: with a `mode` of its owner alone,
        nobody else; otherwise those whom `old`, which it replaces, or the folder lets.
        """
        del descriptor
        if not mode & 0o077:
            return  # as it was created
        if old is None:
            _inherit(self._in(temporary))
            return
        if not _set_security(self._in(temporary), _LIST, _list_of(self._in(old[0]))):
            raise _failed(self._in(temporary))
