# SPDX-License-Identifier: Apache-2.0
"""DLMS/COSEM: general-glo-ciphering and the ciphered services with a global key.

IEC 62056-5-3 and DLMS UA 1000-2 (Green Book), section 9.2.7. All fields are big-endian.
Authenticated are security control, invocation counter, system title (through the IV) and text; the
outer tag and the lengths are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..modes import InvalidTag, ctr
from ..modes128 import gcm_open, gcm_seal
from . import Refusal, Result, Status, Table, check_keys, encrypt

GENERAL = 0xDB  # general-glo-ciphering, which names the system title
# glo-initiate-request and -response, and get, set, event notification and action with a global key.
SERVICES = (0x21, 0x28, 0xC8, 0xC9, 0xCA, 0xCB, 0xCC, 0xCD, 0xCF)
AUTHENTICATED, ENCRYPTED = 0x10, 0x20  # of the security control
KEY_SIZES = {0: 16, 1: 16, 2: 32}  # by security suite
TITLE_SIZE, TAG_SIZE = 8, 12


@dataclass(frozen=True)
class Sender:
    """A row of the key table: encryption key and authentication key of what has a system title.

    The authentication key is associated data of GCM. Without it no tag can be checked. What is not
    authentic is only taken with `allow_unauthenticated`, and then as unverified.
    """

    system_title: bytes
    ek: bytes | None
    ak: bytes | None = None
    allow_unauthenticated: bool = False

    def check(self) -> None:
        """ValueError for what no sender can be."""
        sizes = tuple(sorted(set(KEY_SIZES.values())))
        check_keys(self, {"system_title": (TITLE_SIZE,), "ek": sizes, "ak": sizes})

    def usable(self) -> bool:
        """Whether it has an encryption key."""
        return self.ek is not None


@dataclass(frozen=True)
class Apdu:
    """A ciphered APDU in its parts. `title` is empty where the frame names none."""

    title: bytes
    security: int
    counter: int
    content: bytes


def _length(rest: bytes) -> tuple[int, bytes]:
    """A length and what follows it: one byte below 0x80, or 0x81 to 0x84 and 1 to 4 bytes.

    It may be longer than it need be, as some meters send it.
    """
    if not rest:
        raise Refusal(Status.TRUNCATED)
    first, rest = rest[0], rest[1:]
    if first < 0x80:
        return first, rest
    size = first - 0x80
    if not 1 <= size <= 4:
        raise Refusal(Status.MALFORMED)
    if len(rest) < size:
        raise Refusal(Status.TRUNCATED)
    return int.from_bytes(rest[:size], "big"), rest[size:]


def parse(frame: bytes) -> Apdu:
    """The parts of an APDU, or Refusal."""
    if not frame:
        raise Refusal(Status.TRUNCATED)
    title, rest = b"", frame[1:]
    if frame[0] == GENERAL:
        if not rest:
            raise Refusal(Status.TRUNCATED)
        if rest[0] not in (0, TITLE_SIZE) or len(rest) <= rest[0]:
            raise Refusal(Status.MALFORMED)
        title, rest = rest[1 : 1 + rest[0]], rest[1 + rest[0] :]
    elif frame[0] not in SERVICES:
        raise Refusal(Status.UNSUPPORTED)
    size, content = _length(rest)
    if len(content) != size:
        raise Refusal(Status.TRUNCATED if len(content) < size else Status.OVERLONG)
    if size < 5:
        raise Refusal(Status.TRUNCATED)
    security, counter, content = content[0], int.from_bytes(content[1:5], "big"), content[5:]
    if security & 15 not in KEY_SIZES:
        raise Refusal(Status.UNKNOWN_ALGORITHM)
    if not security & (AUTHENTICATED | ENCRYPTED):
        raise Refusal(Status.NOT_ENCRYPTED)
    if security & AUTHENTICATED and len(content) < TAG_SIZE:
        raise Refusal(Status.TRUNCATED)
    return Apdu(title, security, counter, content)


def _iv(title: bytes, counter: int) -> bytes:
    return title + counter.to_bytes(4, "big")


class Opener(Table):
    """Opens APDUs in the order in which they are given."""

    def __init__(self, rows: Sequence[Sender], counters: str | None = "strict") -> None:
        super().__init__(rows, lambda row: row.system_title, counters)

    def open(self, frame: bytes | None, system_title: bytes | None = None) -> Result:
        """One APDU. `system_title` is of its sender where the frame does not name it."""
        if frame is None:
            return Result(Status.NULL)
        try:
            apdu = parse(frame)
            title = apdu.title or system_title or b""
            if len(title) not in (0, TITLE_SIZE):
                raise Refusal(Status.MALFORMED)
            return self.first(title, lambda row: self._open(apdu, title, row))
        except Refusal as refusal:
            return Result(refusal.status, fields=refusal.fields)

    def _open(self, apdu: Apdu, title: bytes, row: int) -> Result:
        """What is associated data and what is ciphertext depends on the security control."""
        sender, security = self.rows[row], apdu.security
        fields: dict[str, Any] = {"security": security, "counter": apdu.counter}
        fields["system_title"] = title
        tagged = bool(security & AUTHENTICATED)
        used = [sender.ek, sender.ak] if tagged and sender.ak is not None else [sender.ek]
        if any(len(key) != KEY_SIZES[security & 15] for key in used):
            raise Refusal(Status.KEY_SIZE)
        iv = _iv(title, apdu.counter)
        text = apdu.content[:-TAG_SIZE] if tagged else apdu.content
        if not tagged or sender.ak is None:
            if not sender.allow_unauthenticated:
                raise Refusal(Status.UNAUTHENTICATED, **fields)
            if security & ENCRYPTED:
                text = ctr(encrypt(sender.ek), 16, iv + b"\0\0\0\2", text)
            return Result(Status.OPENED, row, unverified_payload=text, fields=fields)
        clear = b"" if security & ENCRYPTED else text
        data = bytes([security]) + sender.ak + clear
        sealed = apdu.content[len(clear) :]
        try:
            opened = gcm_open(encrypt(sender.ek), iv, data, sealed, TAG_SIZE)
        except InvalidTag:
            raise Refusal(Status.FORGED, **fields) from None
        status = self.accept(row, apdu.counter)
        return Result(status, row, True, clear + opened, fields=fields)


def gmac(sender: Sender, counter: int, challenge: bytes, suite: int = 0) -> bytes:
    """The answer to a challenge in high-level security 5 : a tag of 12 bytes."""
    if sender.ek is None or sender.ak is None:
        raise ValueError("ek, ak: both keys expected")
    data = bytes([AUTHENTICATED | suite]) + sender.ak + challenge
    return gcm_seal(encrypt(sender.ek), _iv(sender.system_title, counter), data, b"", TAG_SIZE)


def _encoded_length(size: int, width: int) -> bytes:
    """A length in the shortest form, or with `width` bytes behind the first."""
    if not width:
        width = 0 if size < 0x80 else (size.bit_length() + 7) // 8
    return bytes([0x80 + width]) + size.to_bytes(width, "big") if width else bytes([size])


def seal(
    sender: Sender,
    text: bytes,
    counter: int,
    security: int = AUTHENTICATED | ENCRYPTED,
    *,
    tag: int = GENERAL,
    named: bool = True,
    width: int = 0,
) -> bytes:
    """An APDU. With `named` False general-glo-ciphering has an empty system title; `width` makes
    the length longer than it need be.
    """
    if sender.ek is None or (security & AUTHENTICATED and sender.ak is None):
        raise ValueError("ek, ak: none given, and the frame needs it")
    title, body = sender.system_title, text
    block, iv = encrypt(sender.ek), _iv(title, counter)
    head = bytes([security])
    if security & AUTHENTICATED:
        data = head + (sender.ak or b"")
        if security & ENCRYPTED:
            body = gcm_seal(block, iv, data, text, TAG_SIZE)
        else:
            body = text + gcm_seal(block, iv, data + text, b"", TAG_SIZE)
    elif security & ENCRYPTED:
        body = ctr(block, 16, iv + b"\0\0\0\2", text)
    content = head + counter.to_bytes(4, "big") + body
    before = bytes([tag])
    if tag == GENERAL:
        before += bytes([TITLE_SIZE]) + title if named else b"\0"
    return before + _encoded_length(len(content), width) + content
