# SPDX-License-Identifier: Apache-2.0
"""Wireless M-Bus: security modes 5 and 7, and encryption in the extended link layer (ELL).

Link layer: EN 13757-4. Transport and authentication layer (TPL, AFL): EN 13757-7:2018. Profiles A
(mode 5) and B (mode 7): OMS Specification, volume 2 (4.x), and its annex N (2020-10-22). Fields are
little-endian; MACs and CRCs of the link layer come most significant byte first.

Only mode 7 with a MAC is authentic, and even there the MAC covers only what is behind the AFL, and
of the AFL MCL, MCR and ML. It does not cover the whole link layer (of which the identification and
the direction count through the keys), nor the ELL, nor the length and control fields of the AFL. So
keys are looked up by all eight bytes of an address, and nothing else of those layers is believed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..modes import ctr
from ..modes128 import cbc_decrypt, cbc_encrypt
from . import Reader, Refusal, Result, Status, Table, check_keys, cmac, decrypt, encrypt

FROM_METER = {0x44, 0x46, 0x47, 0x48, 0x08, 0x18, 0x28, 0x38, 0x00}  # the C field
TO_METER = {0x53, 0x73, 0x5A, 0x5B, 0x7A, 0x7B, 0x40, 0x43, 0x45, 0x06}
# The ELL by its CI: whether a receiver follows CC and ACC, and whether a session number does.
ELL = {0x8C: (False, False), 0x8E: (True, False), 0x8D: (False, True), 0x8F: (True, True)}
AFL = 0x90
SHORT_HEADERS = {0x7A, 0x5A, 0x6E, 0x74, 0x7B, 0x8A}
LONG_HEADERS = {0x72, 0x5B, 0x6F, 0x75, 0x73, 0x8B, 0x80}
NO_HEADER = 0x78
LONGEST = 256  # without CRCs: L counts 255 bytes behind it
CHECK = b"\x2f\x2f"  # begins every plaintext of modes 5 and 7
HOP_BITS = 0x12  # of CC: repeaters change them

# Bits of FCL, and sizes of MACs by AT of MCL (EN 13757-7).
MORE, WITH_MCL, WITH_ML, WITH_MCR, WITH_MAC, WITH_KI = 14, 13, 12, 11, 10, 9
MAC_SIZES = {3: 2, 4: 4, 5: 8, 6: 12, 7: 16}


def crc(data: bytes) -> int:
    """CRC-16/EN-13757."""
    value = 0
    for byte in data:
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1 ^ (0x3D65 if value & 0x8000 else 0)) & 0xFFFF
    return value ^ 0xFFFF


@dataclass(frozen=True)
class Meter:
    """A row of the key table. `address` has manufacturer, identification, version and type as on
    the air.

    `mode` is what the meter is set up for: 5 and "ell" have no MAC, so their payload is delivered
    as unverified; 7 asks for a MAC of at least `mac_size` bytes. With `allow_unauthenticated` the
    row also takes what has less protection than that.
    """

    address: bytes
    key: bytes | None
    mode: int | str = 7
    allow_unauthenticated: bool = False
    mac_size: int = 8

    def check(self) -> None:
        """ValueError for what no meter can be."""
        if self.mode not in (5, 7, "ell"):
            raise ValueError(f"mode: {self.mode!r} given, 5, 7 or 'ell' expected")
        if self.mac_size not in MAC_SIZES.values():
            raise ValueError(f"mac_size: {self.mac_size} given, 2, 4, 8, 12 or 16 expected")
        check_keys(self, {"address": (8,), "key": (16,)})

    def usable(self) -> bool:
        """Whether it has a key."""
        return self.key is not None


@dataclass(frozen=True)
class Frame:
    """What is known of a frame without keys. `fields` go with its failures."""

    address: bytes  # of the meter: link layer, or long header
    from_meter: bool
    mode: int | str
    sealed: bytes
    iv: bytes
    clear: bytes = b""
    counter: bytes = b""  # of mode 7, as on the air
    derived: bool = True  # KDF-A, not the key itself
    mac: bytes | None = None
    message: bytes = b""  # what the MAC covers
    fields: dict[str, Any] = field(default_factory=dict)
    parts: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # without CRCs


def unframed(frame: bytes, form: str = "none") -> bytes:
    """The frame without CRCs: formats A and B of EN 13757-4, or "none". L stays as it was."""
    if not frame:
        raise Refusal(Status.TRUNCATED, ("frame", 0))
    size = frame[0] + 1
    blocks = [size]
    if form == "A":
        blocks = [12, *[18] * ((size - 10) // 16)]
        blocks += [(size - 10) % 16 + 2] if (size - 10) % 16 else []
    elif form == "B":
        blocks = [size] if size <= 128 else [128, size - 128]
    elif form != "none":
        raise ValueError(f"form: {form!r} given, 'none', 'A' or 'B' expected")
    check = 0 if form == "none" else 2
    if size - (check if form == "B" else 0) < 10 or blocks[-1] <= check:
        raise Refusal(Status.TRUNCATED, ("L", 0))
    if len(frame) < sum(blocks):
        raise Refusal(Status.TRUNCATED, ("frame", len(frame)))
    if len(frame) > sum(blocks):
        raise Refusal(Status.OVERLONG, ("frame", sum(blocks)))
    data, at = b"", 0
    for block in blocks:
        part = frame[at : at + block - check]
        at += block
        if check and crc(part) != int.from_bytes(frame[at - 2 : at], "big"):
            raise Refusal(Status.DAMAGED, ("CRC", at - 2))
        data += part
    return data


def framed(data: bytes, form: str) -> bytes:
    """The inverse of `unframed`: L is set as the format counts."""
    body = data[1:]
    size = len(body)
    if form == "B":
        size += 2 if len(body) <= 125 else 4
    if size > 255:
        raise ValueError(f"frame: L is {size}, at most 255 expected")
    data = bytes([size]) + body
    cuts = {"A": [10, *range(26, len(data), 16)], "B": [126], "none": []}[form]
    if form == "none":
        return data
    cuts = [0, *[cut for cut in cuts if cut < len(data)], len(data)]
    parts = [data[cuts[i] : cuts[i + 1]] for i in range(len(cuts) - 1)]
    return b"".join(part + crc(part).to_bytes(2, "big") for part in parts)


def parse(frame: bytes, form: str = "none") -> Frame:
    """A frame up to its ciphertext, or Refusal. Places behind `unframed` are those without CRCs."""
    return parse_bare(unframed(frame, form))


def parse_bare(data: bytes) -> Frame:
    """A frame without CRCs up to its ciphertext, or Refusal."""
    if len(data) > LONGEST:
        raise Refusal(Status.OVERLONG, ("frame", LONGEST))
    reader = Reader(data, "little")
    reader.take("L", 1)
    c = reader.number("C", 1)
    link = reader.take("address", 8)
    from_meter = True if c in FROM_METER else False if c in TO_METER else None
    ci = reader.number("CI", 1)
    if ci in ELL:
        receiver, session = ELL[ci]
        cc = reader.number("CC", 1)
        reader.take("ACC", 1)
        if receiver:
            reader.take("receiver", 8)
        if session:
            sn = reader.take("SN", 4)
            if len(reader.rest) < 3:
                raise Refusal(Status.TRUNCATED, ("CRC", reader.at))
            if sn[3] >> 5 > 1:
                raise Refusal(Status.UNSUPPORTED, reader.place("SN"))
            if sn[3] >> 5:
                if from_meter is None:
                    raise Refusal(Status.UNSUPPORTED, reader.place("C"))
                iv = link + bytes([cc & ~HOP_BITS]) + sn + bytes(3)
                sealed = reader.end("ciphertext")
                return Frame(link, from_meter, "ell", sealed, iv, parts=reader.parts)
            if reader.number("CRC", 2) != crc(reader.rest):
                raise Refusal(Status.DAMAGED, reader.place("CRC"))
        ci = reader.number("CI", 1)
    if ci != AFL:
        return _transport(reader, ci, link, from_meter, _Afl())
    afl = _afl(reader)
    behind = reader.rest
    if afl.fragment is None:
        afl.message += behind
        return _transport(reader, reader.number("CI", 1), link, from_meter, afl)
    fields: dict[str, Any] = {}
    place = reader.place("FCL")
    if afl.fragment <= 1:  # only the first fragment has a transport header
        try:
            fields = _transport(reader, reader.number("CI", 1), link, from_meter, afl).fields
        except Refusal as refusal:
            fields = refusal.fields
    raise Refusal(Status.FRAGMENT, place, **fields)


@dataclass
class _Afl:
    """The authentication and fragmentation layer."""

    fragment: int | None = None
    mcr: bytes = b""
    mac: bytes | None = None
    message: bytes = b""
    key_information: bool = False


def _afl(reader: Reader) -> _Afl:
    inner = reader.inner("AFL", reader.number("AFLL", 1))
    fcl = inner.number("FCL", 2)
    afl = _Afl(fcl & 0xFF if fcl >> MORE & 1 or fcl & 0xFF else None)
    mcl = inner.take("MCL", 1) if fcl >> WITH_MCL & 1 else b""
    key_information = inner.take("KI", 2) if fcl >> WITH_KI & 1 else b""
    afl.mcr = inner.take("MCR", 4) if fcl >> WITH_MCR & 1 else b""
    if fcl >> WITH_MAC & 1:
        if not mcl:
            raise Refusal(Status.MALFORMED, inner.place("FCL"))
        if mcl[0] & 15 not in MAC_SIZES:
            raise Refusal(Status.UNSUPPORTED, inner.place("MCL"))
        afl.mac = inner.take("MAC", MAC_SIZES[mcl[0] & 15])
    ml = inner.take("ML", 2) if fcl >> WITH_ML & 1 else b""
    if inner.rest:
        raise Refusal(Status.OVERLONG, ("AFL", inner.at))
    afl.key_information = bool(key_information)
    afl.message = mcl + afl.mcr + ml
    return afl


def _transport(reader: Reader, ci: int, link: bytes, from_meter: bool | None, afl: _Afl) -> Frame:
    """The transport header (EN 13757-7) and the ciphertext behind it."""
    meter = link
    if ci in LONG_HEADERS:
        long = reader.take("address", 8)  # ID M V T, unlike the link layer
        meter = long[4:6] + long[:4] + long[6:]
    elif ci == NO_HEADER:
        raise Refusal(Status.NOT_ENCRYPTED, reader.place("CI"))
    elif ci not in SHORT_HEADERS:
        raise Refusal(Status.UNSUPPORTED, reader.place("CI"))
    acc = reader.number("ACC", 1)
    reader.take("ST", 1)
    cf = reader.number("CF", 2)
    mode, blocks = cf >> 8 & 31, cf >> 4 & 15
    fields = {"meter": meter, "mode": mode, "acc": acc}
    if from_meter is None:
        raise Refusal(Status.UNSUPPORTED, reader.place("C"), **fields)
    if mode not in (0, 5, 7):
        raise Refusal(Status.UNSUPPORTED, reader.place("CF"), **fields)
    if mode == 0:
        raise Refusal(Status.NOT_ENCRYPTED, reader.place("CF"), **fields)
    iv, counter, derived = meter + bytes([acc]) * 8, b"", True
    if mode == 7:
        cfe = reader.number("CFE", 1, **fields)
        iv, counter, derived = bytes(16), afl.mcr, bool(cfe >> 4 & 3)
        if cf >> 13 & 1:
            counter = reader.take("counter", 4, **fields)
        reader.take("key version", cfe >> 6 & 1, **fields)
        if cfe >> 4 & 3 > 1:
            raise Refusal(Status.UNSUPPORTED, reader.place("CFE"), **fields)
        if not counter:
            raise Refusal(Status.UNSUPPORTED, reader.place("CF"), **fields)
        if afl.key_information:
            raise Refusal(Status.UNSUPPORTED, reader.place("KI"), **fields)
    if blocks == 0:
        raise Refusal(Status.NOT_ENCRYPTED, reader.place("CF"), **fields)
    sealed = reader.take("ciphertext", 16 * blocks, **fields)
    clear = reader.end("clear")
    place = (meter, from_meter, mode, sealed, iv, clear, counter, derived)
    return Frame(*place, afl.mac, afl.message, fields, reader.parts)


def kdf_a(key: bytes, constant: int, counter: bytes, ident: bytes) -> bytes:
    """A key for one message, by KDF-A of EN 13757-7. The constant is 0 to encrypt and 1 for MACs
    from the meter, 0x10 and 0x11 to the meter.
    """
    return cmac(key, bytes([constant]) + counter + ident + bytes([7] * 7))


def message_keys(key: bytes, frame: Frame) -> tuple[bytes, bytes]:
    """The keys that encrypt and authenticate a message of mode 7."""
    if not frame.derived:
        return key, key
    base, place = (0 if frame.from_meter else 0x10), (frame.counter, frame.address[2:6])
    return kdf_a(key, base, *place), kdf_a(key, base + 1, *place)


class Opener(Table):
    """Opens frames in the order in which they are given. Each direction has its own counter."""

    def __init__(self, rows: Sequence[Meter], counters: str | None = "strict") -> None:
        super().__init__(rows, lambda row: row.address, counters)

    def open(self, frame: bytes | None, form: str = "none") -> Result:
        """One frame. `form` says which CRCs it has: "none", "A" or "B"."""
        if frame is None:
            return Result(Status.NULL)
        try:
            parsed = parse(frame, form)
            return self.first(parsed.address, lambda row: self._open(parsed, row))
        except Refusal as refusal:
            return Result(refusal.status, fields=refusal.fields)

    def _open(self, frame: Frame, row: int) -> Result:
        meter = self.rows[row]
        allowed = meter.allow_unauthenticated
        if frame.mode != 7:
            if frame.mode != meter.mode and not allowed:
                raise Refusal(Status.UNAUTHENTICATED, **frame.fields)
            return _ell(frame, row, meter.key) if frame.mode == "ell" else _mode5(frame, row, meter)
        enough = frame.mac is not None and len(frame.mac) >= meter.mac_size
        if not enough and not allowed:
            raise Refusal(Status.UNAUTHENTICATED, **frame.fields)
        encryption, authentication = message_keys(meter.key, frame)
        mac = cmac(authentication, frame.message)
        if frame.mac is not None and mac[: len(frame.mac)] != frame.mac:
            raise Refusal(Status.FORGED, **frame.fields)
        text = cbc_decrypt(decrypt(encryption), frame.iv, frame.sealed)
        if text[:2] != CHECK:
            wrong = Status.WRONG_KEY if frame.mac is None else Status.MALFORMED
            raise Refusal(wrong, **frame.fields)
        counter = int.from_bytes(frame.counter, "little")
        fields, payload = frame.fields | {"counter": counter}, text + frame.clear
        if not enough:
            return Result(Status.OPENED, row, unverified_payload=payload, fields=fields)
        status = self.accept(row, counter, "up" if frame.from_meter else "down")
        return Result(status, row, True, payload, fields=fields)


def _mode5(frame: Frame, row: int, meter: Meter) -> Result:
    """OMS, volume 2, profile A: the check bytes let one wrong key in 65,536 pass."""
    assert meter.key is not None
    text = cbc_decrypt(decrypt(meter.key), frame.iv, frame.sealed)
    if text[:2] != CHECK:
        raise Refusal(Status.WRONG_KEY, **frame.fields)
    payload = text + frame.clear
    return Result(Status.OPENED, row, unverified_payload=payload, fields=frame.fields)


def _ell(frame: Frame, row: int, key: bytes) -> Result:
    """ELL of EN 13757-4: a CRC inside the ciphertext is the only check."""
    text = ctr(encrypt(key), 16, frame.iv, frame.sealed)
    if int.from_bytes(text[:2], "little") != crc(text[2:]):
        raise Refusal(Status.WRONG_KEY)
    return Result(Status.OPENED, row, unverified_payload=text[2:], fields={"ell": 1})


def afl_of(
    counter: int | None, at: int | None = 5, size: int | None = None
) -> tuple[int, bytes, bytes]:
    """FCL, MCL and the fields MCR and ML of an AFL, for `seal`. `at` is the code of the MAC's size;
    None leaves the MAC out. `size` is ML.
    """
    flags = (WITH_MCL, WITH_MCR if counter is not None else 0, WITH_MAC if at is not None else 0)
    fcl = sum(1 << flag for flag in flags if flag) | (1 << WITH_ML if size is not None else 0)
    mcl = (at or 0) | 0x20 * (counter is not None) | 0x40 * (size is not None)
    mcr = b"" if counter is None else counter.to_bytes(4, "little")
    ml = b"" if size is None else size.to_bytes(2, "little")
    return fcl, bytes([mcl]) + mcr, ml


def seal(
    meter: Meter,
    text: bytes,
    tail: bytes = b"",
    *,
    acc: int = 0,
    status: int = 0,
    c: int = 0x44,
    ci: int = 0x7A,
    adapter: bytes | None = None,
    ell: bytes = b"",
    flags: int = 0,
    counter: int = 0,
    in_header: bool = False,
    at: int | None = 5,
    size: int | None = None,
    kdf: int = 1,
    version: int | None = None,
) -> bytes:
    """A frame of mode 5 or 7 (`meter.mode`) without CRCs; `text` gets its check bytes and fillers,
    `tail` stays in the clear.

    `ell` is an ELL in the clear with its CI. A long header (by `ci`) names the meter behind the
    radio `adapter`. `flags` are further bits of CF. Mode 7 has its counter in the header or in the
    AFL; `at` (None: no MAC) and `size` (ML) are for the AFL, `kdf` and `version` for CFE.
    """
    if meter.key is None:
        raise ValueError("key: none given, and the frame needs it")
    plain = CHECK + text
    plain += b"\x2f" * (-len(plain) % 16)
    blocks = len(plain) // 16
    if blocks > 15:
        raise ValueError(f"text: {len(text)} bytes given, at most 238 expected")
    link = adapter or meter.address
    from_meter = c in FROM_METER
    cf = flags | int(meter.mode) << 8 | blocks << 4 | in_header << 13
    long = meter.address[2:6] + meter.address[:2] + meter.address[6:] if ci in LONG_HEADERS else b""
    header = bytes([ci]) + long + bytes([acc, status]) + cf.to_bytes(2, "little")
    start = bytes([0, c]) + link + ell
    if meter.mode == 5:
        iv = meter.address + bytes([acc]) * 8
        body = header + cbc_encrypt(encrypt(meter.key), iv, plain) + tail
        return framed(start + body, "none")
    air = counter.to_bytes(4, "little")
    place = (meter.address, from_meter, 7, b"", bytes(16), b"", air, bool(kdf))
    encryption, authentication = message_keys(meter.key, Frame(*place))
    header += bytes([kdf << 4 | 0x40 * (version is not None)]) + air * in_header
    header += b"" if version is None else bytes([version])
    body = header + cbc_encrypt(encrypt(encryption), bytes(16), plain) + tail
    fcl, first, ml = afl_of(None if in_header else counter, at, size)
    mac = b"" if at is None else cmac(authentication, first + ml + body)[: MAC_SIZES[at]]
    afl = fcl.to_bytes(2, "little") + first + mac + ml
    return framed(start + bytes([AFL, len(afl)]) + afl + body, "none")


def seal_ell(
    meter: Meter,
    payload: bytes,
    *,
    session: int,
    cc: int = 0x20,
    acc: int = 0,
    c: int = 0x44,
    receiver: bytes = b"",
) -> bytes:
    """A frame whose payload, which begins with the inner CI, is encrypted in the ELL. The top bits
    of `session` say so (1 << 29) or not; with `receiver`, 8 bytes, the ELL is the long one.
    """
    if meter.key is None:
        raise ValueError("key: none given, and the frame needs it")
    sn = session.to_bytes(4, "little")
    text = crc(payload).to_bytes(2, "little") + payload
    if session >> 29:
        iv = meter.address + bytes([cc & ~HOP_BITS]) + sn + bytes(3)
        text = ctr(encrypt(meter.key), 16, iv, text)
    head = bytes([0, c]) + meter.address + bytes([0x8F if receiver else 0x8D, cc, acc])
    return framed(head + receiver + sn + text, "none")
