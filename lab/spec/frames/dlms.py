# SPDX-License-Identifier: Apache-2.0
"""DLMS/COSEM: general-glo-ciphering and the ciphered services with a global key.

IEC 62056-5-3 and DLMS UA 1000-2 (Green Book), section 9.2.7. All fields are big-endian.
Authenticated are security control, invocation counter, system title (through the IV) and text; the
outer tag and the lengths are not. Dedicated keys and general-ciphering are parsed and not opened:
their keys are of one association, or come from a key agreement.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..modes import InvalidTag, ctr
from ..modes128 import gcm_open, gcm_seal
from . import Reader, Refusal, Result, Status, Table, check_keys, encrypt

GENERAL = 0xDB  # general-glo-ciphering, which names the system title
GENERAL_DEDICATED, GENERAL_CIPHERING = 0xDC, 0xDD
# Services with a global key: initiate-request, read, write, initiate-response, read- and
# write-response, confirmedServiceError, unconfirmedWrite, informationReport; and by logical names
# get, set, event-notification, action, and the responses to get, set and action.
SERVICES = (
    *(0x21, 0x25, 0x26, 0x28, 0x2C, 0x2D, 0x2E, 0x36, 0x38),
    *(0xC8, 0xC9, 0xCA, 0xCB, 0xCC, 0xCD, 0xCF),
)
# The same with a dedicated key have tags of their own.
DEDICATED = tuple(tag + (0x20 if tag < 0x80 else 0x08) for tag in SERVICES)
AUTHENTICATED, ENCRYPTED, BROADCAST = 0x10, 0x20, 0x40  # of the security control
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
    """A ciphered APDU in its parts. `title` is empty where the frame names none.

    `key` says which key encrypts: "global unicast", "global broadcast", "dedicated" (of the
    association), "wrapped" or "agreed" (in key-info), or "known" (key-info is absent). `associated`
    is what general-ciphering has in its associated data beside those of other APDUs.
    """

    title: bytes
    security: int
    counter: int
    content: bytes
    key: str = "global unicast"
    associated: bytes = b""
    parts: Mapping[str, tuple[int, int]] = field(default_factory=dict)


def _length(reader: Reader) -> int:
    """A length: one byte below 0x80, or 0x81 to 0x84 and 1 to 4 bytes.

    It may be longer than it need be, as some meters send it.
    """
    first = reader.number("length", 1)
    if first < 0x80:
        return first
    if not 1 <= first - 0x80 <= 4:
        raise Refusal(Status.MALFORMED, reader.place("length"))
    return reader.number("length", first - 0x80)


def _title(reader: Reader, name: str) -> bytes:
    """A system title behind its length."""
    at = reader.at
    title = reader.take(name, _length(reader))
    if len(title) not in (0, TITLE_SIZE):
        raise Refusal(Status.MALFORMED, (name, at))
    return title


def _key_info(reader: Reader) -> str:
    """Which key general-ciphering names: A-XDR of an optional choice of three."""
    if not (present := reader.number("key-info", 1)):
        return "known"
    if present != 1:
        raise Refusal(Status.MALFORMED, reader.place("key-info"))
    match reader.number("key-info", 1):
        case 0:
            names = {0: "global unicast", 1: "global broadcast"}
            return _named(reader, names)
        case 1:
            found = _named(reader, {0: "wrapped"})  # under the master key
            reader.take("key-ciphered-data", _length(reader))
            return found
        case 2:
            reader.take("key-parameters", _length(reader))
            reader.take("key-ciphered-data", _length(reader))
            return "agreed"
    raise Refusal(Status.MALFORMED, reader.place("key-info"))


def _named(reader: Reader, names: Mapping[int, str]) -> str:
    found = names.get(reader.number("key-id", 1))
    if found is None:
        raise Refusal(Status.UNSUPPORTED, reader.place("key-id"))
    return found


def parse(frame: bytes) -> Apdu:
    """The parts of an APDU, or Refusal."""
    reader = Reader(frame, "big")
    tag = reader.number("APDU tag", 1)
    title, associated = b"", b""
    dedicated = tag in (GENERAL_DEDICATED, *DEDICATED)
    key = "dedicated" if dedicated else "global unicast"
    if tag in (GENERAL, GENERAL_DEDICATED):
        place = ("system title", reader.at)
        size = reader.number("system title", 1)
        if size not in (0, TITLE_SIZE) or len(reader.rest) < size:
            raise Refusal(Status.MALFORMED, place)
        title = reader.take("system title", size)
    elif tag == GENERAL_CIPHERING:
        reader.take("transaction-id", _length(reader))
        title = _title(reader, "system title")
        _title(reader, "recipient-system-title")
        reader.take("date-time", _length(reader))
        reader.take("other-information", _length(reader))
        associated = frame[1 : reader.at]
        key = _key_info(reader)
    elif not dedicated and tag not in SERVICES:
        raise Refusal(Status.UNSUPPORTED, reader.place("APDU tag"))
    size = _length(reader)
    if len(reader.rest) < size:
        raise Refusal(Status.TRUNCATED, ("content", reader.at))
    if len(reader.rest) > size:
        raise Refusal(Status.OVERLONG, ("content", reader.at + size))
    security = reader.number("security control", 1)
    counter = reader.number("invocation counter", 4)
    if security & 15 not in KEY_SIZES:
        raise Refusal(Status.UNKNOWN_ALGORITHM, reader.place("security control"))
    if not security & (AUTHENTICATED | ENCRYPTED):
        raise Refusal(Status.NOT_ENCRYPTED, reader.place("security control"))
    content = reader.rest
    after = TAG_SIZE if security & AUTHENTICATED else 0
    if len(content) < after:
        raise Refusal(Status.TRUNCATED, ("authentication tag", reader.at))
    reader.take("text", len(content) - after)
    reader.take("authentication tag", after)
    if tag in (GENERAL, *SERVICES) and security & BROADCAST:
        key = "global broadcast"
    return Apdu(title, security, counter, content, key, associated, reader.parts)


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
            if frame and frame[0] not in (GENERAL, *SERVICES):
                raise Refusal(Status.UNSUPPORTED)
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
