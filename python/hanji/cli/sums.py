# SPDX-License-Identifier: Apache-2.0
"""Digests of files and lists of digests, in the layout of sha256sum (GNU coreutils)."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hanji import hashes
from hanji._bytes import compare_digest
from hanji._text import escaped
from hanji.cli.status import FAILED, RIGHT, WRONG
from hanji.cli.terminal import complain, describe, input_stream, refuse_standard_output, write_text

FUNCTIONS: dict[str, Any] = {
    "ascon-hash256": hashes.AsconHash256,
    "ascon-xof128": hashes.AsconXOF128,
    "ascon-cxof128": hashes.AsconCXOF128,
    "esch256": hashes.Esch256,
    "esch384": hashes.Esch384,
    "xoesch256": hashes.XOEsch256,
    "xoesch384": hashes.XOEsch384,
}
EXTENDABLE = {
    "ascon-xof128": 32,
    "ascon-cxof128": 32,
    "xoesch256": 32,
    "xoesch384": 48,
}  # and their digests when no length is given: twice the security level
MAX_LENGTH = 1 << 20

_BUFFER = 1 << 18
# of a line: a digest, and a name of 4096 bytes, each of them escaped
_LONGEST = 2 * MAX_LENGTH + 3 + 2 * 4096
# coreutils put two blanks, or a blank and an asterisk, before the name; others put one blank
_LINE = re.compile(rb"(\\?)([0-9a-fA-F]+)(?: [ *]| (?![ *]))([^\0]+)", re.DOTALL)
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"  # which editors of Windows put before UTF-8 text
_ESCAPES = {b"\\\\": b"\\", b"\\n": b"\n", b"\\r": b"\r"}


def digest_file(path: str, algorithm: str, length: int) -> bytes:
    """The digest of one file, "-" for standard input; OSError names the file."""
    state = FUNCTIONS[algorithm]()
    absorb(path, state)
    return bytes(state.digest(length) if algorithm in EXTENDABLE else state.digest())


def absorb(path: str, state: Any) -> None:
    """Feed a file to anything with ``update``."""
    buffer = memoryview(bytearray(_BUFFER))
    try:
        with input_stream(path) as stream:
            refuse_standard_output(path)
            while count := stream.readinto(buffer):
                state.update(buffer[:count])
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None


def shown(name: str) -> str:
    """A file name on one line: backslashes and line breaks escaped."""
    return name.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")


def verdict(name: str, word: str) -> str:
    """A line such as ``name: OK``; the name may be a stranger's, out of a list, and does nothing to
    a terminal.
    """
    return f"{escaped(shown(name))}: {word}\n"


def line(digest: bytes, path: str) -> str:
    """One line of output; a name with a backslash or a line break is escaped and marked by a
    leading backslash.
    """
    escaped = shown(path)
    return f"{'' if escaped == path else chr(92)}{digest.hex()}  {escaped}\n"


def parse_line(raw: bytes) -> tuple[bytes, str] | None:
    """Digest and file name of one line without its line end; None when it is not such a line."""
    match = _LINE.fullmatch(raw) if len(raw) <= _LONGEST else None
    if match is None or len(match[2]) % 2:
        return None
    name = match[3]
    if match[1]:
        if re.fullmatch(rb"(?:[^\\]|\\[\\nr])*", name) is None:
            return None
        name = re.sub(rb"\\[\\nr]", lambda found: _ESCAPES[found[0]], name)
    return bytes.fromhex(match[2].decode("ascii")), os.fsdecode(name)


@dataclass
class Check:
    """Verification of lists of digests, counted as sha256sum counts."""

    algorithm: str
    length: int | None
    quiet: bool = False
    status: bool = False
    ignore_missing: bool = False
    strict: bool = False

    def run(self, listing: str) -> int:
        """Check one list; the exit status, which is that of the files in it."""
        verified = malformed = unreadable = different = lines = 0
        for raw in _read_lines(listing):
            parsed = parse_line(raw)
            if parsed is None or not self._fits(parsed[0]):
                malformed += 1
                continue
            lines += 1
            expected, name = parsed
            try:
                if name == listing == "-":
                    raise OSError(errno.EINVAL, "is the list itself; give the list as a file", "-")
                actual = digest_file(name, self.algorithm, len(expected))
            except FileNotFoundError as error:
                if not self.ignore_missing:
                    unreadable += 1
                    self._unreadable(name, error)
            except OSError as error:
                unreadable += 1
                self._unreadable(name, error)
            else:
                same = compare_digest(actual, expected)
                verified += same
                different += not same
                if not self.status and not (self.quiet and same):
                    write_text(verdict(name, "OK" if same else "FAILED"))
        return self._summary(listing, lines, verified, malformed, unreadable, different)

    def _fits(self, digest: bytes) -> bool:
        if self.algorithm in EXTENDABLE:
            return (
                len(digest) == self.length
                if self.length is not None
                else 16 <= len(digest) <= MAX_LENGTH
            )
        return len(digest) == int(FUNCTIONS[self.algorithm]().digest_size)

    def _unreadable(self, name: str, error: OSError) -> None:
        complain(describe(error))
        if not self.status:
            write_text(verdict(name, "FAILED open or read"))

    def _summary(
        self,
        listing: str,
        lines: int,
        verified: int,
        malformed: int,
        unreadable: int,
        different: int,
    ) -> int:
        if not lines:
            complain(f"{listing}: no properly formatted {self.algorithm} line found")
            return WRONG
        if not self.status:
            for count, one, many in (
                (malformed, "line is improperly formatted", "lines are improperly formatted"),
                (unreadable, "listed file could not be read", "listed files could not be read"),
                (different, "computed digest did NOT match", "computed digests did NOT match"),
            ):
                if count:
                    complain(f"WARNING: {count} {one if count == 1 else many}")
        if self.ignore_missing and not verified and not different and not unreadable:
            complain(f"{listing}: no file was verified")
            return WRONG
        wrong = different or (malformed and self.strict)
        return FAILED if unreadable else WRONG if wrong else RIGHT


def _read_lines(listing: str) -> Iterator[bytes]:
    """The lines of a list, one after the other; of one that is too long a part that is too long."""
    with input_stream(listing) as stream:
        refuse_standard_output(listing)
        rest, piece, first = b"", b"\n", True
        while piece:
            try:
                piece = stream.read(_BUFFER) or b""
            except OSError as error:
                raise OSError(error.errno, error.strerror, listing) from None
            *lines, rest = (rest + (piece or b"\n")).split(b"\n")
            rest = rest[: _LONGEST + 1]
            for raw in lines:
                if first:
                    raw, first = raw.removeprefix(_BYTE_ORDER_MARK), False
                if raw and not raw.startswith(b"#"):
                    yield raw.removesuffix(b"\r")
