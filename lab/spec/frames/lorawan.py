# SPDX-License-Identifier: Apache-2.0
"""LoRaWAN 1.0 and 1.1: data frames and joins.

Sections are those of the LoRaWAN 1.1 Specification (LoRa Alliance, 11 October 2017); 1.0 is
LoRaWAN 1.0.2 (July 2016). FOpts are encrypted as the change request "FCntDwn usage in FOpts
encryption" (November 2020) says, not as in the text of 2017. All fields are little-endian on the
air. EUIs are here as printed, most significant byte first. Authenticated are all bytes of a data
frame; metadata of the gateway are not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..modes import xor
from . import (
    COUNTER_END,
    WINDOW,
    Reader,
    Refusal,
    Result,
    Status,
    Table,
    check_keys,
    cmac,
    decrypt,
    encrypt,
    read,
)

JOIN_REQUEST, JOIN_ACCEPT, REJOIN_REQUEST = 0, 1, 6  # MType: section 4.2.1
DATA = (2, 3, 4, 5)  # unconfirmed up and down, confirmed up and down
ACK = 0x20
SHORTEST, LONGEST = 12, 255
JOIN_REQUEST_SIZE = 23
JOIN_ACCEPT_SIZES = (17, 33)
REJOIN_SIZES = {0: 19, 1: 24, 2: 19}
FOR_JOIN = 0xFF  # JoinReqType of an answer to a join request: section 6.2.3
NEGOTIATED = 0x80  # OptNeg of DLSettings

KEYS = ("nwk_s_key", "f_nwk_s_int_key", "s_nwk_s_int_key", "nwk_s_enc_key", "app_s_key")


@dataclass(frozen=True)
class Session:
    """A row of the key table: a session of a device, of version "1.0" or "1.1".

    Several rows may have one DevAddr. Without app_s_key the MIC is checked and the payload stays
    shut. `allow_reset` also reports frames of a device that began to count at 0 again (as
    replayed), `fcnt16` is for devices that count with 16 bits, and `allow_unauthenticated` delivers
    the payload of 1.1 frames of whose MIC only one half could be checked, as unverified.
    """

    dev_addr: int
    version: str = "1.0"
    nwk_s_key: bytes | None = None
    app_s_key: bytes | None = None
    f_nwk_s_int_key: bytes | None = None
    s_nwk_s_int_key: bytes | None = None
    nwk_s_enc_key: bytes | None = None
    allow_reset: bool = False
    fcnt16: bool = False
    allow_unauthenticated: bool = False

    def check(self) -> None:
        """ValueError for what no session can be."""
        if self.version not in ("1.0", "1.1"):
            raise ValueError(f"version: {self.version!r} given, '1.0' or '1.1' expected")
        check_keys(self, dict.fromkeys(KEYS, (16,)))

    def usable(self) -> bool:
        """Whether the keys are there that its MICs need."""
        keys = (self.f_nwk_s_int_key, self.s_nwk_s_int_key, self.nwk_s_enc_key)
        return None not in (keys if self.version == "1.1" else (self.nwk_s_key,))


@dataclass(frozen=True)
class Frame:
    """A data frame in its parts, before any key is known: sections 4.1 to 4.3."""

    whole: bytes
    fopts: bytes
    port: int | None
    payload: bytes
    parts: Mapping[str, tuple[int, int]]

    @property
    def mtype(self) -> int:
        """The message type of MHDR."""
        return self.whole[0] >> 5

    @property
    def up(self) -> bool:
        """Whether a device sent it."""
        return self.mtype in (2, 4)

    @property
    def dev_addr(self) -> int:
        """The address, which several sessions may have."""
        return int.from_bytes(self.whole[1:5], "little")

    @property
    def fctrl(self) -> int:
        """The flags, and the size of FOpts."""
        return self.whole[5]

    @property
    def fcnt16(self) -> int:
        """The low half of the counter."""
        return int.from_bytes(self.whole[6:8], "little")

    def counter_name(self, version: str) -> str:
        """Which counter it has (section 4.3.1.5): 1.1 has a second one for downlinks of
        applications.
        """
        if self.up:
            return "up"
        return "a_down" if version == "1.1" and self.port else "n_down"


def parse(whole: bytes) -> Frame:
    """A data frame in its parts, or Refusal."""
    if len(whole) < SHORTEST:
        raise Refusal(Status.TRUNCATED, ("frame", len(whole)))
    if len(whole) > LONGEST:
        raise Refusal(Status.OVERLONG, ("frame", LONGEST))
    reader = Reader(whole[:-4], "little")
    _check_mhdr(reader, DATA)
    reader.take("DevAddr", 4)
    fctrl = reader.number("FCtrl", 1)
    reader.take("FCnt", 2)
    fopts = reader.take("FOpts", fctrl & 15)
    port = reader.number("FPort", 1) if reader.rest else None
    if fopts and port == 0:  # MAC commands in two places: section 4.3.1.6
        raise Refusal(Status.MALFORMED, reader.place("FPort"))
    payload = reader.end("FRMPayload")
    return Frame(whole, fopts, port, payload, reader.parts)


def full_counter(last: int | None, fcnt16: int) -> int:
    """The counter of 32 bits whose low half is fcnt16: the first one from `last` on (4.3.1.5)."""
    if last is None:
        return fcnt16
    return (last + (fcnt16 - last) % (1 << 16)) % COUNTER_END


def _block(first: int, middle: bytes, up: bool, dev_addr: int, fcnt: int, end: int) -> bytes:
    """B0, B1 (section 4.4) and A (sections 4.3.1.6 and 4.3.3) have one layout."""
    place = bytes([not up]) + dev_addr.to_bytes(4, "little") + fcnt.to_bytes(4, "little")
    return bytes([first]) + middle + place + bytes([0, end])


def mic_half(
    key: bytes, message: bytes, up: bool, dev_addr: int, fcnt: int, middle: bytes = bytes(4)
) -> bytes:
    """CMAC of B0 or B1 and the message, the first four bytes: section 4.4."""
    return cmac(key, _block(0x49, middle, up, dev_addr, fcnt, len(message)) + message)[:4]


def mic(
    session: Session,
    message: bytes,
    fcnt: int,
    conf_fcnt: int | None = None,
    tx_dr: int | None = None,
    tx_ch: int | None = None,
) -> tuple[bytes, bytes]:
    """The MIC of a message (a frame without its MIC), as two parts that follow each other.

    The first part needs what is not in a 1.1 frame, and is empty without it: the counter of the
    confirmed frame that this one acknowledges, data rate and channel of an uplink.
    """
    up = message[0] >> 5 in (2, 4)
    place = (message, up, int.from_bytes(message[1:5], "little"), fcnt)
    if session.version == "1.0":
        assert session.nwk_s_key is not None
        return mic_half(session.nwk_s_key, *place), b""
    assert session.f_nwk_s_int_key is not None and session.s_nwk_s_int_key is not None
    acknowledged = conf_fcnt if message[5] & ACK else 0
    sender = (tx_dr, tx_ch) if up else (0, 0)
    first = b""
    if acknowledged is not None and None not in sender:
        middle = acknowledged.to_bytes(2, "little") + bytes(part or 0 for part in sender)
        first = mic_half(session.s_nwk_s_int_key, *place, middle)
    if not up:
        return first, b""
    return first[:2], mic_half(session.f_nwk_s_int_key, *place)[:2]


def crypt_payload(key: bytes, up: bool, dev_addr: int, fcnt: int, text: bytes) -> bytes:
    """FRMPayload, in both directions: section 4.3.3."""
    count = -(-len(text) // 16)
    blocks = (_block(1, bytes(4), up, dev_addr, fcnt, i + 1) for i in range(count))
    return xor(text, encrypt(key)(b"".join(blocks)))


def crypt_fopts(key: bytes, kind: int, up: bool, dev_addr: int, fcnt: int, text: bytes) -> bytes:
    """FOpts of 1.1, in both directions; `kind` is 2 for AFCntDown, otherwise 1."""
    return xor(text, encrypt(key)(_block(1, bytes([0, 0, 0, kind]), up, dev_addr, fcnt, 1)))


def _payload_key(session: Session, port: int | None) -> bytes | None:
    """Port 0 belongs to the network: section 4.3.3."""
    if port:
        return session.app_s_key
    return session.nwk_s_enc_key if session.version == "1.1" else session.nwk_s_key


def _decrypted(frame: Frame, session: Session, fcnt: int) -> tuple[bytes, bytes | None]:
    """FOpts and payload; without a key the payload is None."""
    fopts, place = frame.fopts, (frame.up, frame.dev_addr, fcnt)
    if session.version == "1.1":
        assert session.nwk_s_enc_key is not None
        kind = 2 if frame.counter_name("1.1") == "a_down" else 1
        fopts = crypt_fopts(session.nwk_s_enc_key, kind, *place, fopts)
    key = _payload_key(session, frame.port)
    return fopts, None if key is None else crypt_payload(key, *place, frame.payload)


class Opener(Table):
    """Opens data frames in the order in which they are given.

    At most `limit` sessions of a DevAddr are tried for a frame; the field `candidates` says how
    many were, and `untried` how many were left out.
    """

    def __init__(
        self, rows: Sequence[Session], counters: str | None = "strict", limit: int = 1024
    ) -> None:
        super().__init__(rows, lambda row: row.dev_addr, counters)
        self.limit = limit

    def open(
        self,
        frame: bytes | None,
        fcnt: int | None = None,
        conf_fcnt: int | None = None,
        tx_dr: int | None = None,
        tx_ch: int | None = None,
    ) -> Result:
        """One frame. `fcnt` is the whole counter where it is known; None stands for what is
        unknown.
        """
        if frame is None:
            return Result(Status.NULL)
        return read(lambda: self._open(parse(frame), fcnt, (conf_fcnt, tx_dr, tx_ch)))

    def _open(
        self, frame: Frame, fcnt: int | None, beside: tuple[int | None, int | None, int | None]
    ) -> Result:
        found = self.find(frame.dev_addr)
        tried = {"candidates": len(found[: self.limit]), "untried": len(found[self.limit :])}
        message, tag = frame.whole[:-4], frame.whole[-4:]
        half: tuple[int, int] | None = None  # the first row and counter that fit as far as known
        unknown = False
        for row in found[: self.limit]:
            session = self.rows[row]
            for counter, moves in self._counters(row, frame, fcnt):
                first, second = mic(session, message, counter, *beside)
                complete = len(first) + len(second) == 4
                if complete and first + second == tag:
                    return self._opened(frame, row, counter, moves, tried)
                if not complete and not second:
                    unknown = True  # nothing of a downlink can be checked without ConfFCnt
                elif not complete and second == tag[2:]:
                    half = half or (row, counter)
        if half:
            return self._half(frame, *half, tried)
        if unknown:
            raise Refusal(Status.UNAUTHENTICATED)
        for row in found[: self.limit]:
            self.failures[row] += 1
        raise Refusal(Status.FORGED, dev_addr=frame.dev_addr, fcnt16=frame.fcnt16, **tried)

    def _counters(self, row: int, frame: Frame, given: int | None) -> list[tuple[int, bool]]:
        """Counters to try, at most two, and whether each may move `last`."""
        if given is not None:
            return [(given, True)]
        session = self.rows[row]
        if session.fcnt16:
            return [(frame.fcnt16, True)]
        last = self.last(row, frame.counter_name(session.version))
        counter = full_counter(last, frame.fcnt16)
        older = (counter - (1 << 16)) % COUNTER_END
        if self.rule == "window" and last is not None and 0 <= last - older < WINDOW:
            return [(counter, True), (older, True)]
        if session.allow_reset and counter != frame.fcnt16:
            return [(counter, True), (frame.fcnt16, False)]
        return [(counter, True)]

    def _opened(
        self, frame: Frame, row: int, counter: int, moves: bool, tried: dict[str, int]
    ) -> Result:
        session = self.rows[row]
        fopts, payload = _decrypted(frame, session, counter)
        status = Status.REPLAYED
        if moves:
            status = self.accept(row, counter, frame.counter_name(session.version))
        fields = _fields(frame, counter, fopts) | tried
        return Result(status, row, True, payload, fields=fields)

    def _half(self, frame: Frame, row: int, counter: int, tried: dict[str, int]) -> Result:
        """16 bits of the MIC fit, the others need what the caller does not know: section 4.4.2."""
        if not self.rows[row].allow_unauthenticated:
            return Result(Status.UNAUTHENTICATED, row)
        fopts, payload = _decrypted(frame, self.rows[row], counter)
        fields = _fields(frame, counter, fopts) | tried
        return Result(Status.UNAUTHENTICATED, row, unverified_payload=payload, fields=fields)


def _fields(frame: Frame, counter: int, fopts: bytes) -> dict[str, Any]:
    return {
        "dev_addr": frame.dev_addr,
        "mtype": frame.mtype,
        "up": frame.up,
        "fctrl": frame.fctrl,
        "fcnt": counter,
        "port": frame.port,
        "fopts": fopts,
    }


def seal(
    session: Session,
    mtype: int,
    fcnt: int,
    port: int | None = None,
    payload: bytes = b"",
    fopts: bytes = b"",
    flags: int = 0,
    conf_fcnt: int = 0,
    tx_dr: int = 0,
    tx_ch: int = 0,
) -> bytes:
    """A data frame. `flags` is FCtrl without the size of FOpts."""
    if port is None and payload:
        raise ValueError("payload: a frame without a port has none")
    if len(fopts) > 15 or (fopts and port == 0):
        raise ValueError("fopts: at most 15 bytes expected, and none with port 0")
    dev_addr, low = session.dev_addr.to_bytes(4, "little"), fcnt % (1 << 16)
    head = bytes([mtype << 5]) + dev_addr + bytes([flags | len(fopts)]) + low.to_bytes(2, "little")
    clear = head + fopts + (b"" if port is None else bytes([port])) + payload
    if len(clear) + 4 > LONGEST:
        raise ValueError(f"frame: {len(clear) + 4} bytes, at most {LONGEST} expected")
    # Both ciphers are their own inverses.
    hidden, body = _decrypted(parse(clear + bytes(4)), session, fcnt)
    if body is None:
        raise ValueError("app_s_key: none given, and the payload needs it")
    message = head + hidden + (b"" if port is None else bytes([port])) + body
    return message + b"".join(mic(session, message, fcnt, conf_fcnt, tx_dr, tx_ch))


@dataclass(frozen=True)
class Device:
    """A row of the table of joins. `root_key` is the AppKey of 1.0 or the NwkKey of 1.1.

    s_nwk_s_int_key is of the current session: rejoin requests of types 0 and 2 need it, and their
    counter RJcount0 begins again with each session. So forget its state with the old key. DevNonce
    counts since 1.0.4 and in 1.1 (`random_nonces` False); before, devices drew it.
    """

    dev_eui: bytes
    version: str = "1.0"
    root_key: bytes | None = None
    app_key: bytes | None = None
    s_nwk_s_int_key: bytes | None = None
    random_nonces: bool = False

    def check(self) -> None:
        """ValueError for what no device can be."""
        if self.version not in ("1.0", "1.1"):
            raise ValueError(f"version: {self.version!r} given, '1.0' or '1.1' expected")
        keys = ("root_key", "app_key", "s_nwk_s_int_key")
        check_keys(self, {"dev_eui": (8,)} | dict.fromkeys(keys, (16,)))

    def usable(self) -> bool:
        """Whether it has a root key."""
        return self.root_key is not None


class Joins(Table):
    """Opens join requests, rejoin requests and join accepts (section 6.2)."""

    def __init__(self, rows: Sequence[Device], counters: str | None = "strict") -> None:
        super().__init__(rows, lambda row: row.dev_eui, counters)
        self.used: set[tuple[int, bytes, int]] = set()  # random DevNonces by row and JoinEUI

    def request(self, frame: bytes | None) -> Result:
        """A join request: fields join_eui, dev_eui, dev_nonce."""
        if frame is None:
            return Result(Status.NULL)
        return read(lambda: self._request(frame))

    def _request(self, frame: bytes) -> Result:
        fields = parse_request(frame)
        nonce, join_eui = fields["dev_nonce"], fields["join_eui"]

        def attempt(row: int) -> Result:
            _check_mic(self.rows[row].root_key, frame, fields)
            if self.rule and self.rows[row].random_nonces:
                drawn = (row, join_eui, nonce)
                status = Status.REPLAYED if drawn in self.used else Status.OPENED
                self.used.add(drawn)
            else:
                status = self.accept(row, nonce, ("dev_nonce", join_eui))
            return Result(status, row, True, fields=fields)

        return self.first(fields["dev_eui"], attempt)

    def rejoin(self, frame: bytes | None) -> Result:
        """A rejoin request: fields type, counter, dev_eui, and net_id or join_eui."""
        if frame is None:
            return Result(Status.NULL)
        return read(lambda: self._rejoin(frame))

    def _rejoin(self, frame: bytes) -> Result:
        fields = parse_rejoin(frame)
        kind, eui, counter = fields["type"], fields["dev_eui"], fields["counter"]

        def attempt(row: int) -> Result:
            device = self.rows[row]
            key = js_keys(device.root_key, eui)[0] if kind == 1 else device.s_nwk_s_int_key
            if key is None:
                raise Refusal(Status.UNAUTHENTICATED)
            _check_mic(key, frame, {})
            status = self.accept(row, counter, "rj_count_1" if kind == 1 else "rj_count_0")
            return Result(status, row, True, fields=fields)

        return self.first(eui, attempt)

    def answer(
        self, frame: bytes | None, dev_eui: bytes, request: tuple[int, bytes, int] | None = None
    ) -> Result:
        """A join accept. It names no device: `dev_eui` is of the request that it answers, and so
        are the JoinReqType (FOR_JOIN, or the type of a rejoin), JoinEUI and nonce that 1.1 needs.
        """
        if frame is None:
            return Result(Status.NULL)
        return read(lambda: self._answer(frame, dev_eui, request))

    def _answer(
        self, frame: bytes, dev_eui: bytes, request: tuple[int, bytes, int] | None
    ) -> Result:
        parse_accept(frame)

        def attempt(row: int) -> Result:
            device = self.rows[row]
            root, keys = device.root_key, {False: device.root_key}
            enc = root
            if device.version == "1.1":
                keys[True], js_enc = js_keys(root, dev_eui)
                enc = js_enc if request and request[0] != FOR_JOIN else root
            fields = open_accept(frame, enc, keys, request)
            # JoinNonce must grow in 1.1 and 1.0.4; in older 1.0 the network drew it.
            status = Status.OPENED
            if not device.random_nonces:
                status = self.accept(row, fields["join_nonce"], "join_nonce")
            return Result(status, row, True, fields=fields)

        return self.first(dev_eui, attempt)


def _check_mhdr(reader: Reader, mtypes: Sequence[int]) -> None:
    mhdr = reader.number("MHDR", 1)
    if mhdr >> 5 not in mtypes:
        raise Refusal(Status.NOT_OF_THIS_FAMILY, reader.place("MHDR"))
    if mhdr & 3:
        raise Refusal(Status.UNKNOWN_VERSION, reader.place("MHDR"))


def _join_reader(frame: bytes, mtype: int) -> Reader:
    """A reader behind MHDR; other types and versions are refused."""
    if not frame:
        raise Refusal(Status.TRUNCATED, ("frame", 0))
    reader = Reader(frame, "little")
    _check_mhdr(reader, (mtype,))
    return reader


def _check_join_size(frame: bytes, *sizes: int) -> None:
    """Refuse other sizes than a message of a join has."""
    if len(frame) > sizes[-1]:
        raise Refusal(Status.OVERLONG, ("frame", sizes[-1]))
    if len(frame) not in sizes:
        raise Refusal(Status.TRUNCATED, ("frame", len(frame)))


def parse_request(frame: bytes) -> dict[str, Any]:
    """The fields of a join request, or Refusal: join_eui, dev_eui, dev_nonce."""
    reader = _join_reader(frame, JOIN_REQUEST)
    _check_join_size(frame, JOIN_REQUEST_SIZE)
    euis = {name: reader.take(name, 8)[::-1] for name in ("join_eui", "dev_eui")}
    return {**euis, "dev_nonce": reader.number("DevNonce", 2)}


def parse_rejoin(frame: bytes) -> dict[str, Any]:
    """The fields of a rejoin request, or Refusal: type, counter, dev_eui, net_id or join_eui."""
    if len(frame) < 2:
        raise Refusal(Status.TRUNCATED, ("frame", len(frame)))
    reader = _join_reader(frame, REJOIN_REQUEST)
    kind = reader.number("rejoin type", 1)
    if kind not in REJOIN_SIZES:
        raise Refusal(Status.UNSUPPORTED, reader.place("rejoin type"))
    _check_join_size(frame, REJOIN_SIZES[kind])
    fields: dict[str, Any] = {"type": kind}
    if kind == 1:
        fields["join_eui"] = reader.take("JoinEUI", 8)[::-1]
    else:
        fields["net_id"] = reader.number("NetID", 3)
    fields["dev_eui"] = reader.take("DevEUI", 8)[::-1]
    fields["counter"] = reader.number("RJcount", 2)
    return fields


def parse_accept(frame: bytes) -> bytes:
    """The ciphertext of a join accept, or Refusal."""
    reader = _join_reader(frame, JOIN_ACCEPT)
    _check_join_size(frame, *JOIN_ACCEPT_SIZES)
    return reader.end("sealed")


def parse_accepted(plain: bytes) -> dict[str, Any]:
    """The fields of a join accept that is decrypted, without MHDR and MIC, or Refusal."""
    _check_join_size(plain, *(size - 1 for size in JOIN_ACCEPT_SIZES))
    reader = Reader(plain[:-4], "little")
    sizes = {"join_nonce": 3, "net_id": 3, "dev_addr": 4, "dl_settings": 1, "rx_delay": 1}
    fields: dict[str, Any] = {name: reader.number(name, size) for name, size in sizes.items()}
    return fields | {"cflist": reader.end("CFList")}


def _check_mic(key: bytes, frame: bytes, fields: dict[str, Any]) -> None:
    if cmac(key, frame[:-4])[:4] != frame[-4:]:
        raise Refusal(Status.FORGED, **fields)


def _accept_prefix(request: tuple[int, bytes, int]) -> bytes:
    """What the MIC of a 1.1 join accept covers beside the frame: section 6.2.3."""
    kind, join_eui, nonce = request
    return bytes([kind]) + join_eui[::-1] + nonce.to_bytes(2, "little")


def open_accept(
    frame: bytes,
    encryption_key: bytes,
    mic_keys: Mapping[bool, bytes],
    request: tuple[int, bytes, int] | None = None,
) -> dict[str, Any]:
    """The fields of a join accept, or Refusal. `mic_keys` are by OptNeg; 1.0 has no OptNeg, and
    only a key for False.

    The network deciphers the accept so that devices need AES in one direction only.
    """
    plain = encrypt(encryption_key)(parse_accept(frame))
    fields = parse_accepted(plain)
    negotiated = bool(fields["dl_settings"] & NEGOTIATED) and True in mic_keys
    if negotiated and request is None:
        raise Refusal(Status.UNAUTHENTICATED)
    prefix = _accept_prefix(request) if negotiated and request else b""
    if cmac(mic_keys[negotiated], prefix + frame[:1] + plain[:-4])[:4] != plain[-4:]:
        raise Refusal(Status.FORGED)
    return fields


def seal_request(key: bytes, join_eui: bytes, dev_eui: bytes, dev_nonce: int) -> bytes:
    """A join request under the AppKey (1.0) or NwkKey (1.1): section 6.2.2."""
    message = b"\0" + join_eui[::-1] + dev_eui[::-1] + dev_nonce.to_bytes(2, "little")
    return message + cmac(key, message)[:4]


def seal_rejoin(key: bytes, kind: int, place: bytes, dev_eui: bytes, counter: int) -> bytes:
    """A rejoin request (section 6.2.4) under SNwkSIntKey, or JSIntKey for type 1. `place` is the
    NetID (3 bytes) or, for type 1, the JoinEUI, both most significant byte first.
    """
    message = bytes([REJOIN_REQUEST << 5, kind]) + place[::-1] + dev_eui[::-1]
    message += counter.to_bytes(2, "little")
    return message + cmac(key, message)[:4]


def seal_accept(
    encryption_key: bytes,
    mic_key: bytes,
    fields: Mapping[str, Any],
    request: tuple[int, bytes, int] | None = None,
) -> bytes:
    """A join accept from the fields that `open_accept` gives; `request` where OptNeg is set."""
    sizes = {"join_nonce": 3, "net_id": 3, "dev_addr": 4, "dl_settings": 1, "rx_delay": 1}
    plain = b"".join(fields[name].to_bytes(size, "little") for name, size in sizes.items())
    plain += fields.get("cflist", b"")
    head = bytes([JOIN_ACCEPT << 5])
    prefix = _accept_prefix(request) if request else b""
    return head + decrypt(encryption_key)(plain + cmac(mic_key, prefix + head + plain)[:4])


def _derived(key: bytes, kind: int, *parts: bytes) -> bytes:
    return encrypt(key)((bytes([kind]) + b"".join(parts)).ljust(16, b"\0"))


def session_keys_10(
    root_key: bytes, join_nonce: int, net_id: int, dev_nonce: int
) -> tuple[bytes, bytes]:
    """NwkSKey and AppSKey of 1.0 (its section 6.2.5), and of 1.1 without OptNeg."""
    place = join_nonce.to_bytes(3, "little") + net_id.to_bytes(3, "little")
    place += dev_nonce.to_bytes(2, "little")
    return _derived(root_key, 1, place), _derived(root_key, 2, place)


def session_keys_11(
    nwk_key: bytes, app_key: bytes, join_nonce: int, join_eui: bytes, nonce: int
) -> dict[str, bytes]:
    """The four keys of a 1.1 session with OptNeg, by their names in `Session`: section 6.2.3.

    `nonce` is the DevNonce, or RJcount0 or RJcount1 of the rejoin request that was answered.
    """
    place = join_nonce.to_bytes(3, "little") + join_eui[::-1] + nonce.to_bytes(2, "little")
    return {
        "f_nwk_s_int_key": _derived(nwk_key, 1, place),
        "app_s_key": _derived(app_key, 2, place),
        "s_nwk_s_int_key": _derived(nwk_key, 3, place),
        "nwk_s_enc_key": _derived(nwk_key, 4, place),
    }


def js_keys(nwk_key: bytes, dev_eui: bytes) -> tuple[bytes, bytes]:
    """JSIntKey and JSEncKey: section 6.1.1.4."""
    return _derived(nwk_key, 6, dev_eui[::-1]), _derived(nwk_key, 5, dev_eui[::-1])
