# SPDX-License-Identifier: Apache-2.0
"""A file that appears under its name whole, or not at all."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import secrets
from pathlib import Path
from types import TracebackType

# What link() says on file systems that have no hard links (FAT, some network and FUSE file systems).
_NO_HARD_LINKS = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV}


class AtomicOutput:
    """Binary output to a temporary file beside ``path``, renamed onto it when the ``with`` block ends well.

    Leaving the block through an exception removes the temporary file and leaves ``path`` as it was. Unless
    ``overwrite`` is set, an existing ``path`` is never replaced, not even one that appears meanwhile.
    The contents are on disk (fsync) before the name is. ``mode`` is subject to the umask and
    to the mode of a file that is overwritten.
    Errors: FileExistsError, IsADirectoryError, other OSError with the final path in the message.
    """

    def __init__(self, path: str | os.PathLike[str], *, overwrite: bool = False, mode: int = 0o666) -> None:
        self.name = os.fspath(path)
        self._path = Path(path)
        self._overwrite = overwrite
        self._mode = mode
        self._temporary = self._path.parent / f".hanji-{secrets.token_hex(8)}.part"
        self._raw: io.FileIO | None = None

    def __enter__(self) -> AtomicOutput:
        mode = self._mode
        with contextlib.suppress(FileNotFoundError):
            status = self._path.lstat()
            if self._path.is_dir():
                raise IsADirectoryError(errno.EISDIR, "is a directory; give the name of a file", self.name)
            if not self._overwrite:
                raise self._exists()
            mode &= status.st_mode
        try:
            descriptor = os.open(self._temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        except OSError as error:
            raise OSError(error.errno, error.strerror, self.name) from None
        self._raw = io.FileIO(descriptor, "r+")
        return self

    def _exists(self) -> FileExistsError:
        return FileExistsError(errno.EEXIST, "exists already and is left as it is", self.name)

    def write(self, data: bytes | bytearray | memoryview) -> int:
        """Write all of ``data``; OSError names the final path (no space left, for example)."""
        assert self._raw is not None
        view = memoryview(data)
        done = 0
        try:
            while done < view.nbytes:
                done += self._raw.write(view[done:]) or 0
        except OSError as error:
            raise OSError(error.errno, error.strerror, self.name) from None
        return done

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        assert self._raw is not None
        try:
            if kind is None:
                os.fsync(self._raw.fileno())
            self._raw.close()
            if kind is None:
                self._publish()
        finally:
            self._raw.close()
            with contextlib.suppress(FileNotFoundError):
                self._temporary.unlink()

    def _publish(self) -> None:
        if self._overwrite:
            self._temporary.replace(self._path)
        else:
            try:
                os.link(self._temporary, self._path)
            except FileExistsError:
                raise self._exists() from None
            except OSError as error:
                if error.errno not in _NO_HARD_LINKS:
                    raise
                self._claim_and_replace()
        self._sync_directory()

    def _claim_and_replace(self) -> None:
        """Take the name with an empty file of our own, then replace that."""
        try:
            os.close(os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            raise self._exists() from None
        try:
            self._temporary.replace(self._path)
        except BaseException:
            self._path.unlink()
            raise

    def _sync_directory(self) -> None:
        # Some file systems refuse to sync a directory; the file itself is safe by now.
        with contextlib.suppress(OSError):
            descriptor = os.open(self._path.parent, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
