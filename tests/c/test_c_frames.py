# SPDX-License-Identifier: Apache-2.0
"""The parsers of frames in C against the executable specifications of lab/spec/frames.

Both get the vectors, frames of every form, all their prefixes, and changed frames, and must say the
same: the same fields at the same places, or the same refusal for the same field at the same offset.
The program tests/c/frames_main.c answers for C.
"""

from __future__ import annotations

import random
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import ModuleType
from typing import Any

import pytest
import vectors_io
from builds import environment, program

from hanji_lab.spec.frames import Counter, Refusal, cmac, decrypt, dlms, encrypt, lorawan, wmbus
from hanji_lab.spec.modes import ctr
from hanji_lab.spec.modes128 import cbc_decrypt, gcm_open, gcm_seal

PRESETS = ("host-gcc", "asan", "s390x", "rv32i")
FORMS = ("none", "A", "B")
Request = tuple[str, int, bytes]  # operation, option, frame


def key(number: int) -> bytes:
    """Keys that differ in every byte."""
    return bytes(range(16 * number, 16 * number + 16))


# What the specifications say, in the words of the program


def said(**fields: object) -> str:
    """A line of the program, or some words of it."""
    words = []
    for name, value in fields.items():
        shown = int(value) if isinstance(value, bool) else value
        words.append(f"{name}={shown.hex() if isinstance(shown, bytes) else shown}")
    return " ".join(words)


def refused(refusal: Refusal) -> str:
    assert refusal.place is not None, "every refusal of a parser names a field"
    name, at = refusal.place
    return said(status=int(refusal.status), field=name, at=at)


def part(parts: Mapping[str, tuple[int, int]], name: str) -> str:
    at, size = parts.get(name, (0, 0))
    return f"{at}+{size}" if size else "0+0"


def mic_parts(size: int) -> dict[str, str]:
    return {"message": f"0+{size - 4}", "mic": f"{size - 4}+4"}


def lorawan_data(_option: int, whole: bytes) -> str:
    frame = lorawan.parse(whole)
    return said(
        status=0,
        mtype=frame.mtype,
        up=frame.up,
        ack=bool(frame.fctrl & lorawan.ACK),
        fctrl=frame.fctrl,
        dev_addr=frame.dev_addr,
        fcnt=frame.fcnt16,
        port=-1 if frame.port is None else frame.port,
        fopts=part(frame.parts, "FOpts"),
        payload=part(frame.parts, "FRMPayload"),
        **mic_parts(len(whole)),
    )


def join_request(_option: int, frame: bytes) -> str:
    return said(status=0, **lorawan.parse_request(frame), **mic_parts(len(frame)))


def rejoin(_option: int, frame: bytes) -> str:
    fields = lorawan.parse_rejoin(frame)
    return said(
        status=0,
        type=fields["type"],
        key="js_int_key" if fields["type"] == 1 else "s_nwk_s_int_key",
        net_id=fields.get("net_id", 0),
        join_eui=fields.get("join_eui", bytes(8)),
        dev_eui=fields["dev_eui"],
        counter=fields["counter"],
        **mic_parts(len(frame)),
    )


def join_accept(_option: int, frame: bytes) -> str:
    return said(status=0, sealed=f"1+{len(lorawan.parse_accept(frame))}")


def accepted(_option: int, plain: bytes) -> str:
    fields = lorawan.parse_accepted(plain)
    cflist = fields["cflist"]
    return said(
        status=0,
        join_nonce=fields["join_nonce"],
        net_id=fields["net_id"],
        dev_addr=fields["dev_addr"],
        dl_settings=fields["dl_settings"],
        opt_neg=bool(fields["dl_settings"] & lorawan.NEGOTIATED),
        rx_delay=fields["rx_delay"],
        cflist=f"12+{len(cflist)}" if cflist else "0+0",
        **mic_parts(len(plain)),
    )


WMBUS_ELL = 0x100  # the mode of a frame that the extended link layer encrypts


def bare_meter(_option: int, data: bytes) -> str:
    try:
        frame = wmbus.parse_bare(data)
    except Refusal as refusal:
        known = refusal.fields
        if not known:
            raise
        return f"{refused(refusal)} {said(identified=1, **known)}"
    ell = frame.mode == "ell"
    parts, at = frame.parts, frame.parts["CI"][0]
    body = (at, len(data) - at)
    pieces = [parts.get(name, (0, 0)) for name in ("MCL", "MCR", "ML")]
    if frame.message:  # what the MAC covers is MCL, MCR, ML and body
        assert frame.message == b"".join(data[a : a + n] for a, n in [*pieces, body])
    line = said(
        status=0,
        identified=not ell,
        meter=frame.address,
        mode=WMBUS_ELL if ell else frame.mode,
        acc=0 if ell else data[parts["ACC"][0]],
        c=data[1],
        from_meter=frame.from_meter,
        ci=data[at],
        st=0 if ell else data[parts["ST"][0]],
        kdf=frame.derived and frame.mode == 7,
        counter=frame.counter or bytes(4),
        iv=frame.iv,
        sealed=part(parts, "ciphertext"),
        clear=part(parts, "clear"),
        mac=part(parts, "MAC"),
        mcl=part(parts, "MCL"),
        mcr=part(parts, "MCR"),
        ml=part(parts, "ML"),
        body="0+0" if ell else f"{body[0]}+{body[1]}",
    )
    for mac in range(2 if frame.mode == 7 else 0):
        constant = mac if frame.from_meter else 0x10 + mac
        block = bytes([constant]) + frame.counter + frame.address[2:6] + bytes([7] * 7)
        line += " " + said(kdf=block)
    return line


def meter(option: int, frame: bytes) -> str:
    data = wmbus.unframed(frame, FORMS[option])
    before = said(status=0, bare=data)
    try:
        return f"{before} {bare_meter(0, data)}"
    except Refusal as refusal:
        return f"{before} {refused(refusal)}"


def apdu(_option: int, frame: bytes) -> str:
    found = dlms.parse(frame)
    line = said(
        status=0,
        tag=frame[0],
        security=found.security,
        counter=found.counter,
        key=found.key.replace(" ", "-"),
        key_bytes=dlms.KEY_SIZES[found.security & 15],
        title=part(found.parts, "system title"),
        text=part(found.parts, "text"),
        mac=part(found.parts, "authentication tag"),
        associated=f"1+{len(found.associated)}" if found.associated else "0+0",
        transaction_id=part(found.parts, "transaction-id"),
        recipient=part(found.parts, "recipient-system-title"),
        date_time=part(found.parts, "date-time"),
        other_information=part(found.parts, "other-information"),
        key_parameters=part(found.parts, "key-parameters"),
        key_data=part(found.parts, "key-ciphered-data"),
    )
    return f"{line} {said(nonce=dlms._iv(found.title, found.counter))}" if found.title else line


PARSERS: dict[str, Callable[[int, bytes], str]] = {
    "d": lorawan_data,
    "j": join_request,
    "r": rejoin,
    "a": join_accept,
    "p": accepted,
    "w": meter,
    "b": bare_meter,
    "m": apdu,
}


def specified(request: Request) -> str:
    operation, option, frame = request
    try:
        return PARSERS[operation](option, frame)
    except Refusal as refusal:
        return refused(refusal)


def answers(preset: str, requests: list[Request]) -> list[str]:
    """The lines of the program; it says which request it did not survive."""
    sent = b"".join(
        operation.encode() + bytes([option]) + len(frame).to_bytes(2, "little") + frame
        for operation, option, frame in requests
    )
    # Through files: a line at a time through a pipe would wake both processes for each.
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as taken:
        given.write(sent)
        given.seek(0)
        done = subprocess.run(
            program(preset, "frames"),
            stdin=given,
            stdout=taken,
            stderr=subprocess.PIPE,
            env=environment(),
        )
        taken.seek(0)
        lines = taken.read().decode().splitlines()
    assert done.returncode == 0, (
        f"{preset}: died of {requests[len(lines) : len(lines) + 1]}: {done.stderr.decode()[-3000:]}"
    )
    assert len(lines) == len(requests)
    return lines


def differences(got: list[str], wanted: list[str], requests: list[Request]) -> list[str]:
    return [
        f"operation {operation}, option {option}, {frame.hex()}:\n  C    {a}\n  spec {b}"
        for a, b, (operation, option, frame) in zip(got, wanted, requests, strict=True)
        if a != b
    ]


# Frames

ADDRESS, ADAPTER = bytes.fromhex("2423117855860107"), bytes.fromhex("93441122334401ff")
TITLE, OTHER = b"HAN\x01\x02\x03\x04\x05", b"HES\x00\x00\x00\x00\x09"


def lorawan_samples() -> Iterator[Request]:
    old = lorawan.Session(0x260B1234, "1.0", key(0), key(1))
    new = lorawan.Session(0x260B1234, "1.1", None, key(1), key(2), key(3), key(4))
    for session in (old, new):
        for mtype in lorawan.DATA:
            for port, payload, fopts in [
                (None, b"", b""),
                (None, b"", b"\2\3\4"),
                (0, b"\2\3", b""),
                (0, b"", b""),
                (1, b"", bytes(15)),
                (223, b"payload of a reading", b"\2"),
                (255, bytes(242), b""),
            ]:
                flags = 0xA0 if port else 0x40
                yield "d", 0, lorawan.seal(session, mtype, 0x12345678, port, payload, fopts, flags)
    eui, join_eui = bytes.fromhex("70b3d57ed0001234"), bytes.fromhex("70b3d57ed0005678")
    yield "j", 0, lorawan.seal_request(key(0), join_eui, eui, 0x1234)
    for kind, place in enumerate([b"\1\2\3", join_eui, b"\4\5\6"]):
        yield "r", 0, lorawan.seal_rejoin(key(1), kind, place, eui, 0x4321)
    for cflist, settings in [(b"", 0x80), (bytes(range(16)), 0x03)]:
        names = ("join_nonce", "net_id", "dev_addr", "dl_settings", "rx_delay")
        fields = dict(zip(names, (0x010203, 0x040506, 0x0708090A, settings, 5), strict=True))
        frame = lorawan.seal_accept(key(0), key(1), fields | {"cflist": cflist})
        yield "a", 0, frame
        yield "p", 0, encrypt(key(0))(frame[1:])


def meter_samples() -> Iterator[Request]:
    a, b = (wmbus.Meter(ADDRESS, key(2), mode) for mode in (5, 7))
    text = bytes.fromhex("0c1427048502046d32371f1502fd170000")  # two blocks
    # CC ACC [receiver] without encryption; then with a session number.
    ell = (bytes.fromhex("8c2075"), bytes.fromhex("8e2075") + ADAPTER)
    frames = [wmbus.seal(a, bytes(size), b"open") for size in (0, 13, 14, 15, 100, 200)]
    for c in sorted(wmbus.FROM_METER | wmbus.TO_METER | {0x99}):
        frames += [wmbus.seal(meter, text, c=c, acc=c) for meter in (a, b)]
        frames.append(wmbus.seal_ell(a, b"\x78" + text, session=1 << 29, c=c))
    for ci in sorted(wmbus.SHORT_HEADERS | wmbus.LONG_HEADERS):
        frames += [wmbus.seal(meter, text, ci=ci, adapter=ADAPTER, ell=ell[0]) for meter in (a, b)]
    for at in (None, *wmbus.MAC_SIZES):
        for size in (None, 77):
            more = {"counter": 0x01020304, "at": at, "size": size}
            frames += [wmbus.seal(b, text, b"tail", **more, ell=one) for one in (b"", *ell)]
            frames += [wmbus.seal(b, text, **more, in_header=True, version=3, kdf=0)]
    sealed = wmbus.seal(
        b, text, counter=5
    )  # 10: 90 0f 002c 25 05000000 MAC(8) 27: 7a 00 00 2007 10
    for at, old, new in [
        (12, "002c", "016c"),  # fragments
        (12, "002c", "006c"),
        (12, "002c", "026c"),
        (10, "900f002c25", "9011002e250000"),  # KI
        (10, "900f002c25", "900e000c"),  # a MAC without MCL
        (10, "900f002c25", "900f002c28"),  # GMAC
        (10, "900f002c25", "9010002c25"),  # longer than its fields
        (27, "7a00002007", "7a00002027"),  # a counter in the header, too
        (27, "7a0000200710", "7a0000200720"),  # KDF 2
        (27, "7a0000200710", "7a0000200750"),  # a version of the key
        *((27, "7a00002007", f"7a000020{mode:02x}") for mode in range(32)),
        *((27, "7a", f"{ci:02x}") for ci in (0x78, 0x86, 0xA0, 0x90, 0x8D)),
    ]:
        before = bytes.fromhex(old)
        assert sealed[at : at + len(before)] == before
        frames.append(sealed[:at] + bytes.fromhex(new) + sealed[at + len(before) :])
    every = bytes.fromhex(
        "003e 75 0102 05000000 a1a2a3a4a5a6a7a8 4d00 ff"
    )  # an AFL with all fields
    for size in range(len(every) + 1):
        frames.append(sealed[:10] + bytes([0x90, size]) + every[:size] + sealed[27:])
    for session in (0, 1 << 29, 2 << 29, 7 << 29, 0x21234567):
        for receiver in (b"", ADAPTER):
            inner = frames[1][10:]
            frames.append(wmbus.seal_ell(a, inner, session=session, receiver=receiver, cc=0xFF))
    frames += [wmbus.seal_ell(a, b"", session=session) for session in (0, 1 << 29)]
    for frame in frames:
        for option, form in enumerate(FORMS):
            yield "w", option, wmbus.framed(frame, form)
        yield "b", 0, frame
    for size in (*range(6, 14), *range(125, 133)):  # L too small; a second block of format B
        block = bytes([size]) + bytes(125)
        whole = block + wmbus.crc(block).to_bytes(2, "big") + b"\xff\xff\0\0"
        yield from (("w", option, whole[: size + 1]) for option in range(3))
    for size in [*range(10, 30), *range(120, 136), 240, 252]:  # the borders of blocks
        for option, form in enumerate(FORMS):
            yield "w", option, wmbus.framed(ADDRESS * (size // 8) + bytes(size % 8), form)


def dlms_samples() -> Iterator[Request]:
    suites = {0: dlms.Sender(TITLE, key(0), key(1)), 2: dlms.Sender(TITLE, key(0) * 2, key(1) * 2)}
    for suite, sender in suites.items():
        for security in (0x30, 0x10, 0x20, 0x70, 0xB0, 0x60):
            frame = dlms.seal(sender, b"notification", 0x01020304, security | suite)
            yield "m", 0, frame
            yield "m", 0, b"\xdc" + frame[1:]
    for tag in (*dlms.SERVICES, *dlms.DEDICATED):
        for security in (0x30, 0x70):
            yield "m", 0, dlms.seal(suites[0], b"service", 7, security, tag=tag)
    for width in range(5):
        for size in (0, 1, 110, 111, 238, 239, 300):
            if not width or (size + 17) >> 8 * width == 0:
                yield "m", 0, dlms.seal(suites[0], bytes(size), 7, width=width)
    for size in range(18):  # security control, counter and tag are cut
        for security in (0x30, 0x20):
            yield "m", 0, b"\xdb\0" + bytes([size]) + bytes([security] * size)
    yield "m", 0, dlms.seal(suites[0], b"", 7, named=False)
    yield "m", 0, dlms.seal(suites[0], bytes(65_000), 7)
    content = dlms.seal(suites[0], b"general-ciphering", 9)[10:]
    first = b"\xdd\x08" + bytes(7) + b"\x01"
    for header in (
        first + b"\x08" + TITLE + b"\x08" + OTHER + b"\0\0",
        b"\xdd\0\x08" + TITLE + b"\0" + b"\x0c" + bytes(range(12)) + b"\x81\x03abc",
        b"\xdd\0\0\0\0\0",
    ):
        for info in (
            b"\0",
            b"\1\0\0",
            b"\1\0\1",
            b"\1\0\2",
            b"\1\1\0\x18" + bytes(range(24)),
            b"\1\1\1\0",
            b"\1\2\1\2\0",
            b"\1\2\1\1\x81\x80" + bytes(128),
            b"\1\2\x7f",
            b"\1\3\0",
            b"\2\0\0",
        ):
            yield "m", 0, header + info + content
    for title in (b"\x07" + bytes(7), b"\x09" + bytes(9)):
        yield "m", 0, b"\xdd\0" + title + b"\0\0\0\0" + content
        yield "m", 0, b"\xdd\0\0" + title + b"\0\0\0" + content


SAMPLES = {"lorawan": lorawan_samples, "wmbus": meter_samples, "dlms": dlms_samples}
OPERATIONS = {
    "lorawan": [("d", 0), ("j", 0), ("r", 0), ("a", 0), ("p", 0)],
    "wmbus": [("w", 0), ("w", 1), ("w", 2), ("b", 0)],
    "dlms": [("m", 0)],
}


def vector_frames(family: str) -> list[bytes]:
    tests = vectors_io.document(f"frames/{family}")["tests"]
    return [bytes.fromhex(test["frame"]) for test in tests if "frame" in test]


def repaired(drawn: random.Random, request: Request) -> Request:
    """A length that fits again lets changed frames come further."""
    operation, option, frame = request
    if operation == "b" or not frame:
        return request
    if operation == "w":
        data = frame[:1] + bytes(9) if len(frame) < 10 else frame[:240]
        return operation, option, wmbus.framed(data, FORMS[option])
    at = 10 if frame[:2] == b"\xdb\x08" else 1
    if operation == "m" and drawn.randrange(2) and len(frame) > at + 1 and frame[0] != 0xDD:
        size = len(frame) - at - 1
        if size < 0x80:
            return operation, option, frame[:at] + bytes([size]) + frame[at + 1 :]
    return request


def changed(drawn: random.Random, samples: list[Request], count: int) -> Iterator[Request]:
    """Samples that are cut, extended, spliced and changed, and random bytes."""
    for _ in range(count):
        operation, option, sample = drawn.choice(samples)
        frame = bytearray(sample[:400])
        # Formats A and B are changed before they get their CRCs, or nothing else would be reached.
        crcs = operation == "w" and option > 0 and drawn.randrange(3) > 0
        if crcs:
            try:
                frame = bytearray(wmbus.unframed(sample, FORMS[option]))
            except Refusal:
                crcs = False
        match drawn.randrange(8):
            case 0:
                frame = bytearray(drawn.randbytes(drawn.randrange(300)))
            case 1:
                frame[drawn.randrange(len(frame) + 1) :] = b""
            case 2:
                frame += drawn.randbytes(drawn.choice([1, 2, 16, drawn.randrange(1, 260)]))
            case 3:
                other = drawn.choice(samples)[2]
                frame[drawn.randrange(len(frame) + 1) :] = other[: drawn.randrange(len(other) + 1)]
        for _ in range(drawn.randrange(4) if frame else 0):
            at = drawn.randrange(min(len(frame), drawn.choice([2, 12, 30, 400])))
            some = [0, 1, 8, 0x0F, 0x7F, 0x80, 0x90, 0xFF, frame[at] ^ 1 << drawn.randrange(8)]
            frame[at] = drawn.choice([*some, drawn.randrange(256)])
        request = (operation, option, bytes(frame))
        yield repaired(drawn, request) if crcs or drawn.randrange(2) else request


@cache
def requests_of(family: str, seed: int, count: int) -> list[Request]:
    samples = list(SAMPLES[family]())
    samples += [
        (operation, option, frame)
        for frame in vector_frames(family)
        for operation, option in OPERATIONS[family]
    ]
    drawn = random.Random(seed)
    own = [one for one in SAMPLES[family]() if len(one[2]) < 300 and one[1] == 0]
    prefixes = [
        (operation, option, frame[:size])
        for operation, option, frame in drawn.sample(own, min(len(own), 25))
        for size in range(len(frame))
    ]
    return samples + prefixes + list(changed(drawn, samples, count))


@cache
def specified_all(family: str, seed: int, count: int) -> list[str]:
    return [specified(request) for request in requests_of(family, seed, count)]


def compare(preset: str, family: str, seed: int, count: int) -> None:
    requests, wanted = requests_of(family, seed, count), specified_all(family, seed, count)
    found = differences(answers(preset, requests), wanted, requests)
    assert not found, f"{len(found)} of {len(requests)} differ:\n" + "\n".join(found[:5])


@pytest.mark.parametrize("family", SAMPLES)
@pytest.mark.parametrize("preset", PRESETS)
def test_parsers_say_what_the_specification_says(preset: str, family: str) -> None:
    compare(preset, family, 48, 4000)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("family", SAMPLES)
def test_many_frames(family: str, seed: int) -> None:
    compare("asan", family, 1000 + seed, 50_000)


# What is refused, and for which field; the frames above must reach all of it.
REACHED = {
    "lorawan": {
        -16: "frame FOpts",
        -17: "frame",
        -18: "MHDR",
        -23: "rejoin_type",
        -24: "FPort",
        -29: "MHDR",
    },
    "wmbus": {
        -16: "frame L C address CI CC ACC receiver SN CRC AFLL AFL FCL MCL KI MCR MAC ML ST CF CFE "
        "counter key_version ciphertext",
        -17: "frame AFL",
        -23: "C CI SN MCL CF CFE KI",
        -24: "FCL",
        -25: "CI CF",
        -27: "CRC",
        -28: "FCL",
    },
    "dlms": {
        -16: "APDU_tag length system_title transaction-id recipient-system-title date-time "
        "other-information key-info key-id key-parameters key-ciphered-data content "
        "security_control invocation_counter authentication_tag",
        -17: "content",
        -19: "security_control",
        -23: "APDU_tag key-id",
        -24: "length system_title recipient-system-title key-info",
        -25: "security_control",
    },
}


@pytest.mark.parametrize("family", REACHED)
def test_every_refusal_is_reached(family: str) -> None:
    seen = set()
    for line in specified_all(family, 48, 4000):
        seen |= set(re.findall(r"status=(-\d+) field=(.+?) at=", line))
    wanted = {
        (str(status), name.replace("_", " "))
        for status, names in REACHED[family].items()
        for name in names.split()
    }
    assert seen == wanted


@pytest.mark.parametrize(
    ("module", "name", "value"),
    [
        (lorawan, "LONGEST", 254),
        (lorawan, "DATA", (2, 3, 4, 6)),
        (lorawan, "JOIN_ACCEPT_SIZES", (17, 34)),
        (wmbus, "HOP_BITS", 0x10),
        (wmbus, "LONG_HEADERS", wmbus.LONG_HEADERS | {0x7A}),
        (wmbus, "MAC_SIZES", wmbus.MAC_SIZES | {6: 11}),
        (wmbus, "TO_METER", wmbus.TO_METER - {0x06}),
        (dlms, "TAG_SIZE", 11),
        (dlms, "BROADCAST", 0x80),
        (dlms, "DEDICATED", dlms.DEDICATED[1:]),
    ],
)
def test_control_a_difference_is_found(
    module: ModuleType, name: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A specification with one constant changed is not what the program does."""
    family = module.__name__.rpartition(".")[2]
    requests = requests_of(family, 48, 0)
    got = answers("host-gcc", requests)
    assert differences(got, [specified(request) for request in requests], requests) == []
    monkeypatch.setattr(module, name, value)
    assert differences(got, [specified(request) for request in requests], requests)


def test_names() -> None:
    """Every field of a refusal has a name of its own, and numbers that are none have none."""
    (line,) = answers("host-gcc", [("n", 0, b"")])
    *names, last = line.split("|")
    fields, modes = names[:-33], names[-33:]
    assert fields[:2] == ["-", "-"] and fields[-1] == "-" and last == ""
    reached = {name for by in REACHED.values() for text in by.values() for name in text.split()}
    assert sorted(fields[2:-1]) == sorted(name.replace("_", " ") for name in reached)
    assert {number for number, mode in enumerate(modes) if mode != "reserved"} == {
        *range(6), 7, 8, 9, 10, 13, 32
    }  # fmt: skip


@pytest.mark.parametrize("preset", ["host-gcc", "asan"])
def test_sizes_beyond_every_frame(preset: str) -> None:
    """Nothing is read behind the bytes that decide."""
    (line,) = answers(preset, [("h", 0, b"")])
    assert line == (
        "data=-17 request=-17 rejoin=-17 accept=-17 accepted=-17 bare=-17 bare=-17 bare=-17 bare=-1"
        " meter=-17 apdu=-17 at=4294967295"
    )


# What C says is enough to open frames: with keys, and the modes of the specification


def words(line: str) -> list[tuple[str, str]]:
    return [tuple(word.split("=")) for word in line.split()]  # type: ignore[misc]


def cut(frame: bytes, place: str) -> bytes:
    at, size = map(int, place.split("+"))
    return frame[at : at + size]


def protection_request(
    frame: bytes, version: int, fcnt: int, beside: tuple[int, int, int]
) -> Request:
    sizes = zip(beside, (4, 2, 2), strict=True)
    more = b"".join(value.to_bytes(size, "little", signed=True) for value, size in sizes)
    return "k", version, fcnt.to_bytes(4, "little") + more + frame


def opened_lorawan(keys: Mapping[str, bytes], frame: bytes, answer: str) -> tuple[bytes, bytes]:
    """FOpts and payload from the blocks and keys that the program names; the MIC must be right."""
    parsed, said_words = lorawan.parse(frame), iter(words(answer))
    mic = b""
    for _ in range(2):
        (_, name), (_, at), (_, size), (_, block) = (next(said_words) for _ in range(4))
        if name == "-":
            assert (at, size, block) == ("0", "0", "00" * 16)
            continue
        assert len(mic) == int(at)
        mic += cmac(keys[name], bytes.fromhex(block) + frame[:-4])[: int(size)]
    assert mic == frame[-4:]
    next(said_words)
    found = []
    for text in (parsed.payload, parsed.fopts):
        (_, name), (_, block) = next(said_words), next(said_words)
        if name != "-":
            text = ctr(encrypt(keys[name]), 16, bytes.fromhex(block), text)
        else:
            assert block == "00" * 16
        found.append(text)
    return found[1], found[0]


def test_lorawan_is_opened_with_what_c_says() -> None:
    drawn = random.Random(5)
    requests, wanted = [], []
    names = ("f_nwk_s_int_key", "s_nwk_s_int_key", "nwk_s_enc_key", "app_s_key", "nwk_s_key")
    keys = {name: key(number) for number, name in enumerate(names)}
    for version in (0, 1) * 40:
        session = lorawan.Session(drawn.getrandbits(32), ("1.0", "1.1")[version], **keys)
        mtype, port = drawn.choice(lorawan.DATA), drawn.choice([None, 0, 1, 255])
        payload = b"" if port is None else drawn.randbytes(drawn.choice([0, 5, 40]))
        fopts = b"" if port == 0 else drawn.randbytes(drawn.choice([0, 3, 15]))
        ack, fcnt = drawn.choice([0, lorawan.ACK]), drawn.getrandbits(32)
        beside = (drawn.getrandbits(16), drawn.getrandbits(8), drawn.getrandbits(8))
        frame = lorawan.seal(session, mtype, fcnt, port, payload, fopts, ack, *beside)
        requests.append(protection_request(frame, version, fcnt, beside))
        wanted.append((frame, fopts, payload, lorawan.parse(frame).counter_name(session.version)))
    for request, answer, (frame, fopts, payload, counter) in zip(
        requests, answers("host-gcc", requests), wanted, strict=True
    ):
        assert opened_lorawan(keys, frame, answer) == (fopts, payload), request
        assert dict(words(answer))["counter"] == str(["up", "n_down", "a_down"].index(counter))


def test_lorawan_with_unknown_values() -> None:
    """Half of the MIC of an uplink of 1.1 needs them; all of that of an acknowledging downlink."""
    session = lorawan.Session(1, "1.1", None, *(key(number) for number in range(4)))
    for mtype, flags, beside, known in [
        (2, 0, (-1, 3, 4), True),
        (2, lorawan.ACK, (-1, 3, 4), False),
        (2, 0, (5, -1, 4), False),
        (2, 0, (5, 3, -1), False),
        (3, 0, (-1, -1, -1), True),
        (3, lorawan.ACK, (-1, 3, 4), False),
        (3, lorawan.ACK, (5, -1, -1), True),
    ]:
        frame = lorawan.seal(session, mtype, 7, 1, b"text", b"", flags)
        for version, name in enumerate(["nwk_s_key", "s_nwk_s_int_key"]):
            (answer,) = answers("host-gcc", [protection_request(frame, version, 7, beside)])
            keys = [value for word, value in words(answer) if word == "mic"]
            first = name if known or not version else "-"
            assert keys == [first, "f_nwk_s_int_key" if version and mtype == 2 else "-"]


@pytest.mark.parametrize("preset", ["host-gcc", "s390x"])
def test_lorawan_counters(preset: str) -> None:
    drawn = random.Random(6)
    requests, wanted = [], []
    for _ in range(3000):
        seen, window, reset, fcnt16 = (drawn.randrange(2) for _ in range(4))
        fcnt16 &= drawn.randrange(2)
        last = drawn.choice([5, 65_535, 65_540, (1 << 32) - 3, drawn.getrandbits(32)])
        low = (
            last + drawn.choice([0, 1, drawn.randrange(-70, 70), drawn.getrandbits(16)])
        ) % 65_536
        flags = bytes([seen, window, reset, fcnt16])
        requests.append(("c", 0, last.to_bytes(4, "little") + flags + low.to_bytes(2, "little")))
        session = lorawan.Session(0, "1.0", key(0), allow_reset=bool(reset), fcnt16=bool(fcnt16))
        opener = lorawan.Opener([session], "window" if window else "strict")
        if seen:
            opener.state[0, "up"] = Counter(last)
        frame = lorawan.parse(b"\x40" + bytes(5) + low.to_bytes(2, "little") + bytes(4))
        tried = opener._counters(0, frame, None)
        wanted.append(" ".join(said(counter=counter, moves=moves) for counter, moves in tried))
    assert differences(answers(preset, requests), wanted, requests) == []
    assert {line.count("counter") for line in wanted} == {1, 2}


def opened_meter(secret: bytes, answer: str) -> bytes:
    """The payload; a MAC must be right."""
    fields = dict(words(answer))
    data, iv = bytes.fromhex(fields["bare"]), bytes.fromhex(fields["iv"])
    sealed, clear = cut(data, fields["sealed"]), cut(data, fields["clear"])
    if fields["mode"] == str(WMBUS_ELL):
        text = ctr(encrypt(secret), 16, iv, sealed)
        assert wmbus.crc(text[2:]) == int.from_bytes(text[:2], "little")
        return text[2:]
    if fields["mode"] == "7":
        kdf = [value for name, value in words(answer) if name == "kdf"]
        assert kdf[0] == "1"
        secret, authentic = (cmac(secret, bytes.fromhex(block)) for block in kdf[1:])
        covered = b"".join(cut(data, fields[name]) for name in ("mcl", "mcr", "ml", "body"))
        mac = cut(data, fields["mac"])
        assert mac and cmac(authentic, covered)[: len(mac)] == mac
    return cbc_decrypt(decrypt(secret), iv, sealed) + clear


def opened_apdu(ek: bytes, ak: bytes, title: bytes, frame: bytes, answer: str) -> bytes:
    fields = dict(words(answer))
    security, nonce = int(fields["security"]), title + int(fields["counter"]).to_bytes(4, "big")
    assert fields.get("nonce", nonce.hex()) == nonce.hex()
    text, tag = cut(frame, fields["text"]), cut(frame, fields["mac"])
    clear = b"" if security & dlms.ENCRYPTED else text
    data = bytes([security]) + ak + cut(frame, fields["associated"]) + clear
    return clear + gcm_open(encrypt(ek), nonce, data, text[len(clear) :] + tag, dlms.TAG_SIZE)


def test_meters_are_opened_with_what_c_says() -> None:
    """Both directions, both headers, all places of the counter, sizes of MACs, and formats."""
    text, tail, secret = b"0123456789abcdefgh", b"in the clear", key(3)
    five, seven = (wmbus.Meter(ADDRESS, secret, mode) for mode in (5, 7))
    ell = bytes.fromhex("8e2075") + ADAPTER
    padded = wmbus.CHECK + text + b"\x2f" * 12
    frames = [
        (wmbus.seal(five, text, tail, acc=0x42), padded + tail),
        (wmbus.seal(five, text, acc=0x42, ci=0x72, adapter=ADAPTER, ell=ell), padded),
        *((wmbus.seal(seven, text, tail, counter=5, at=at), padded + tail)
          for at in wmbus.MAC_SIZES),
        (wmbus.seal(seven, text, counter=6, ci=0x5B, c=0x53, adapter=ADAPTER), padded),
        (wmbus.seal(seven, text, counter=7, ell=ell, size=77), padded),
        (wmbus.seal(seven, text, counter=8, in_header=True, version=1), padded),
        *((wmbus.seal_ell(five, text, session=1 << 29 | 5, cc=0xFF, receiver=receiver), text)
          for receiver in (b"", ADAPTER)),
    ]  # fmt: skip
    requests = [
        ("w", option, wmbus.framed(frame, form))
        for frame, _ in frames
        for option, form in enumerate(FORMS)
    ]
    for at, answer in enumerate(answers("host-gcc", requests)):
        assert opened_meter(secret, answer) == frames[at // 3][1], answer


def test_apdus_are_opened_with_what_c_says() -> None:
    """General-ciphering, which the specification does not seal, has its header as associated
    data.
    """
    text, requests, wanted = b"notification", [], []
    for suite in dlms.KEY_SIZES:
        ek, ak = (key(number) * (dlms.KEY_SIZES[suite] // 16) for number in (4, 5))
        sender = dlms.Sender(TITLE, ek, ak)
        for security in (0x30 | suite, 0x10 | suite):
            requests.append(("m", 0, dlms.seal(sender, text, 0x01020304, security)))
            head = b"\x02\x00\x07\x08" + TITLE + b"\x08" + OTHER + b"\x00\x01\xff"
            covered = bytes([security]) + ak + head
            clear = b"" if security & dlms.ENCRYPTED else text
            nonce = TITLE + bytes.fromhex("01020304")
            sealed = gcm_seal(encrypt(ek), nonce, covered + clear, text[len(clear) :], 12)
            content = bytes([security]) + nonce[8:] + clear + sealed
            requests.append(
                ("m", 0, b"\xdd" + head + b"\x01\x00\x00" + bytes([len(content)]) + content)
            )
            wanted += [(ek, ak)] * 2
    for (_, _, frame), keys, answer in zip(
        requests, wanted, answers("host-gcc", requests), strict=True
    ):
        assert opened_apdu(*keys, TITLE, frame, answer) == text, answer


def public_vectors(family: str, kind: str) -> list[dict[str, Any]]:
    return [
        test
        for test in vectors_io.document(f"frames/{family}")["tests"]
        if (test["origin"], test["kind"], test["result"]) == ("public", kind, "valid")
    ]


def test_public_vectors_are_opened_with_what_c_says() -> None:
    """Frames of the standards and of other implementations."""
    opened = 0
    for version in (0, 1):
        for test in public_vectors("lorawan", f"data-1.{version}"):
            frame = bytes.fromhex(test["frame"])
            keys = {
                re.sub("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower(): value
                for name, value in test["keys"].items()
            }
            wanted = test["expected"]
            beside = tuple(test.get(name, 0) for name in ("conf_fcnt", "tx_dr", "tx_ch"))
            request = protection_request(frame, version, wanted["fcnt"], beside)
            secrets = {name: bytes.fromhex(value) for name, value in keys.items()}
            fopts, payload = opened_lorawan(secrets, frame, answers("host-gcc", [request])[0])
            assert (fopts.hex(), payload.hex()) == (wanted["fopts"], wanted["payload"]), test
            opened += 1
    for test in public_vectors("wmbus", "frame"):
        frame, option = bytes.fromhex(test["frame"]), FORMS.index(test["format"])
        (answer,) = answers("host-gcc", [("w", option, frame)])
        payload = opened_meter(bytes.fromhex(test["keys"]["key"]), answer)
        assert payload.hex() == test["expected"]["payload"], test
        opened += 1
    for test in public_vectors("dlms", "apdu"):
        if "AK" not in test["keys"] or not test["expected"]["authenticated"]:
            continue
        frame = bytes.fromhex(test["frame"])
        keys = [bytes.fromhex(test["keys"][name]) for name in ("EK", "AK")]
        title = bytes.fromhex(test["expected"]["system_title"])
        (answer,) = answers("host-gcc", [("m", 0, frame)])
        assert opened_apdu(*keys, title, frame, answer).hex() == test["expected"]["payload"], test
        opened += 1
    assert opened == 27
