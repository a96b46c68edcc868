# SPDX-License-Identifier: Apache-2.0
"""The executable specifications of other people's frames.

tests/vectors/README.md describes the files in frames/. What no vector there reaches is tested with
frames that the encoders of the specifications make.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import vectors_io

from hanji_lab.spec.frames import Counter, Result, Status, alone, cmac, lorawan, read

pytestmark = pytest.mark.quick

Test = dict[str, Any]

ROOT = Path(__file__).resolve().parents[2]
FILES = {"lorawan": 172}
FRESH = {Status.OPENED, Status.REPLAYED}
# Fields of the specifications that vectors do not have.
UNTOLD = {"candidates", "untried", "up"}


def key(number: int) -> bytes:
    """Keys that differ in every byte."""
    return bytes(range(16 * number, 16 * number + 16))


def told(result: Result) -> dict[str, Any]:
    """A result in the words of the vectors."""
    fields = {
        name: value.hex() if isinstance(value, bytes) else value
        for name, value in result.fields.items()
        if name not in UNTOLD
    }
    assert None in (result.payload, result.unverified_payload)
    assert result.authenticated or result.payload is None
    for text in (result.payload, result.unverified_payload):
        if text is not None:
            fields["payload"] = text.hex()
    return {"status": result.status.word, **fields}


# LoRaWAN: the vectors


def field_of(name: str) -> str:
    """f_nwk_s_int_key for FNwkSIntKey."""
    return re.sub("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def session(test: Test) -> lorawan.Session:
    """The session of a vector; its keys are for whatever DevAddr the frame has."""
    keys = {field_of(name): bytes.fromhex(value) for name, value in test["keys"].items()}
    address = int.from_bytes(bytes.fromhex(test["frame"])[1:5], "little")
    return lorawan.Session(address, test["kind"].removeprefix("data-"), **keys)


def beside(test: Test) -> dict[str, int]:
    """In the vectors, what a frame does not say itself counts as 0 if it is absent."""
    return {name: test.get(name, 0) for name in ("conf_fcnt", "tx_dr", "tx_ch")}


def data(test: Test) -> dict[str, Any]:
    one = session(test)
    opener = lorawan.Opener([one])
    if "last" in test:
        opener.state[0, "up"] = Counter(test["last"])
    result = opener.open(bytes.fromhex(test["frame"]), test.get("fcnt"), **beside(test))
    assert result.authenticated == (result.status in FRESH)
    if result.status in FRESH:
        known = {name: result.fields[name] for name in ("mtype", "fcnt", "port", "fopts")}
        flags = result.fields["fctrl"] & 0xF0
        again = lorawan.seal(one, payload=result.payload, flags=flags, **known, **beside(test))
        assert again.hex() == test["frame"]
    return told(result)


def primitives(test: Test) -> dict[str, Any]:
    message, every = bytes.fromhex(test["frame"]), bytes.fromhex(test["keys"]["all"])
    address, fcnt = test["dev_addr"], test["fcnt"]
    old = lorawan.Session(address, "1.0", every, every)
    new = lorawan.Session(address, "1.1", None, every, every, every, every)
    text = bytes.fromhex("01020304")  # as in the test of the source
    found = {
        "payload_up": lorawan.crypt_payload(every, True, address, fcnt, text),
        "payload_down": lorawan.crypt_payload(every, False, address, fcnt, text),
        "fopts_up": lorawan.crypt_fopts(every, 1, True, address, fcnt, text),
        "fopts_down": lorawan.crypt_fopts(every, 1, False, address, fcnt, text),
        "mic_up_10": b"".join(lorawan.mic(old, message, fcnt)),
        "mic_up_11": b"".join(lorawan.mic(new, message, fcnt, 0, 0, 0)),
        # The source computes it of a message with the MType of an uplink.
        "mic_down": lorawan.mic_half(every, message, False, address, fcnt),
    }
    return {"status": "opened"} | {name: value.hex() for name, value in found.items()}


def join_request(test: Test) -> dict[str, Any]:
    frame = bytes.fromhex(test["frame"])
    device = lorawan.Device(frame[16:8:-1], root_key=bytes.fromhex(test["keys"]["AppKey"]))
    result = lorawan.Joins([device]).request(frame)
    if result.status == Status.OPENED:
        assert lorawan.seal_request(device.root_key, *result.fields.values()) == frame
    return told(result)


def join_accept(test: Test) -> dict[str, Any]:
    frame = bytes.fromhex(test["frame"])
    enc, mic = (bytes.fromhex(test["keys"][name]) for name in ("enc", "mic"))
    keys, request = {False: mic}, None
    if "join" in test:
        kind, eui, nonce = test["join"]
        keys, request = {True: mic}, (kind, eui.to_bytes(8, "big"), nonce)

    def opened() -> Result:
        fields = lorawan.open_accept(frame, enc, keys, request)
        assert lorawan.seal_accept(enc, mic, fields, request) == frame
        return Result(Status.OPENED, 0, True, fields=fields)

    return told(read(opened))


def rejoin_request(test: Test) -> dict[str, Any]:
    frame, wanted = bytes.fromhex(test["frame"]), bytes.fromhex(test["keys"]["key"])
    kind, eui, counter = frame[1], frame[-7:-15:-1], int.from_bytes(frame[-6:-4], "little")
    assert lorawan.seal_rejoin(wanted, kind, frame[-15:1:-1], eui, counter) == frame
    if kind == 1:  # the key is JSIntKey, and there is no way back to the NwkKey of the table
        return {"status": "opened", "type": kind, "counter": counter}
    device = lorawan.Device(eui, "1.1", key(0), s_nwk_s_int_key=wanted)
    result = told(lorawan.Joins([device]).rejoin(frame))
    assert result.pop("dev_eui") == eui.hex()
    assert result.pop("net_id") == int.from_bytes(frame[2:5], "little")
    return result


def session_keys(test: Test) -> dict[str, Any]:
    keys = {name: bytes.fromhex(value) for name, value in test["keys"].items()}
    join_nonce, dev_nonce = test["join_nonce"], test["dev_nonce"]
    if test["kind"] == "session-keys-1.0":
        derived = lorawan.session_keys_10(keys["AppKey"], join_nonce, test["net_id"], dev_nonce)
        found = dict(zip(["NwkSKey", "AppSKey"], derived, strict=True))
    else:
        roots, eui = (keys["NwkKey"], keys["AppKey"]), test["join_eui"].to_bytes(8, "big")
        four = lorawan.session_keys_11(*roots, join_nonce, eui, dev_nonce)
        names = [name for name in test["expected"] if name != "status"]
        found = {name: four[field_of(name)] for name in names}
        assert len(found) == len(four)
    return {"status": "opened"} | {name: value.hex() for name, value in found.items()}


def js_keys(test: Test) -> dict[str, Any]:
    root = bytes.fromhex(test["keys"]["NwkKey"])
    derived = lorawan.js_keys(root, test["dev_eui"].to_bytes(8, "big"))
    return {"status": "opened", "JSIntKey": derived[0].hex(), "JSEncKey": derived[1].hex()}


def reconstruction(test: Test) -> dict[str, Any]:
    return {"status": "opened", "fcnt": lorawan.full_counter(test["last"], test["fcnt16"])}


CHECKS: dict[str, dict[str, Callable[[Test], dict[str, Any]]]] = {
    "lorawan": {
        "data-1.0": data,
        "data-1.1": data,
        "primitives-1.1": primitives,
        "join-request": join_request,
        "join-accept": join_accept,
        "rejoin-request": rejoin_request,
        "session-keys-1.0": session_keys,
        "session-keys-1.1": session_keys,
        "js-keys": js_keys,
        "counter": reconstruction,
    }
}


# All families: vectors, statuses and counters


def vectors(family: str) -> list[Test]:
    return vectors_io.document(f"frames/{family}")["tests"]


def check(family: str, test: Test) -> None:
    try:
        got = CHECKS[family][test["kind"]](test)
        assert got == test["expected"]
        assert (test["result"] == "valid") == (got["status"] in ("opened", "replayed"))
    except BaseException as problem:
        problem.add_note(f"{family}, tcId {test['tcId']}: {test['comment']}")
        raise


@pytest.mark.parametrize("family", FILES)
def test_vectors(family: str) -> None:
    every = vectors(family)
    assert [test["tcId"] for test in every] == list(range(1, FILES[family] + 1))
    assert {test["kind"] for test in every} == set(CHECKS[family])
    for test in every:
        check(family, test)


@pytest.mark.parametrize("family", FILES)
def test_a_changed_expectation_is_noticed(family: str) -> None:
    """The control of the test above: every field of every kind and status, changed."""
    seen = set()
    for test in vectors(family):
        for name, value in test["expected"].items():
            place = (test["kind"], test["expected"]["status"], name)
            if place in seen:
                continue
            seen.add(place)
            wrong = value + 1 if isinstance(value, int) else f"{value}00"
            with pytest.raises(AssertionError):
                check(family, test | {"expected": test["expected"] | {name: wrong}})
    assert len(seen) > 20


def test_statuses_have_the_numbers_of_the_library() -> None:
    header = (ROOT / "include/hanji/telemetry.h").read_text()
    numbers = dict(re.findall(r"#define HANJI_FRAME_(\w+) \((-\d+)\)", header))
    words = {"VERSION": "UNKNOWN_VERSION", "ALGORITHM": "UNKNOWN_ALGORITHM"}
    words["DEVICE"] = "UNKNOWN_DEVICE"
    assert {words.get(name, name): int(number) for name, number in numbers.items()} == {
        one.name: one for one in Status if -22 <= one <= -16
    }
    common = (ROOT / "include/hanji/common.h").read_text()
    assert f"HANJI_E_TAG ({int(Status.FORGED)})" in common
    assert sorted(Status, reverse=True) == [0, -3, *range(-16, -32, -1)]
    assert Status.NOT_OF_THIS_FAMILY.word == "not of this family"


def test_counters_follow_the_rule() -> None:
    """Against a plain set of what was accepted."""
    drawn = random.Random(48)
    for window in (False, True):
        counter, accepted = Counter(), set[int]()
        for _ in range(2000):
            largest = max(accepted, default=drawn.randrange(1000))
            new = max(0, largest + drawn.choice([1, 2, 63, 64, 65, 500, -1, -2, -63, -64, -65, 0]))
            above = not accepted or new > largest
            old = window and largest - new < 64 and new not in accepted
            assert counter.accept(new, window) == (above or old), (new, largest)
            if above or old:
                accepted.add(new)
            assert counter.last == max(accepted) and counter.seen < 1 << 64
    last = Counter((1 << 32) - 1)
    assert not last.accept(0) and not last.accept(0, True) and not last.accept((1 << 32) - 1)


def changed(frame: bytes) -> Iterator[tuple[int, bytes]]:
    """The frame with one byte changed: each single bit of the first bytes, all bits of the rest."""
    for at in range(len(frame)):
        for flip in [1 << bit for bit in range(8)] if at < 16 else [1 << at % 8, 0xFF]:
            yield at, frame[:at] + bytes([frame[at] ^ flip]) + frame[at + 1 :]


def hostile(seed: int, count: int, samples: list[bytes]) -> Iterator[bytes]:
    """Byte strings for parsers: random ones, and samples cut, extended, spliced and changed."""
    drawn = random.Random(seed)
    yield b""
    for _ in range(count):
        sample = bytearray(drawn.choice(samples))
        match drawn.randrange(6):
            case 0:
                yield drawn.randbytes(drawn.randrange(300))
                continue
            case 1:
                sample[drawn.randrange(len(sample)) :] = b""
            case 2:
                sample += drawn.randbytes(drawn.randrange(1, 260))
            case 3:
                other = drawn.choice(samples)
                sample[drawn.randrange(len(sample)) :] = other[drawn.randrange(len(other)) :]
        for _ in range(drawn.randrange(1, 4) if sample else 0):
            sample[drawn.randrange(min(len(sample), drawn.choice([4, 24, 400])))] = drawn.choice(
                [0, 1, 0x7F, 0x80, 0xFF, drawn.randrange(256)]
            )
        yield bytes(sample)


# LoRaWAN: what no vector reaches

OLD = lorawan.Session(0x260B1234, "1.0", key(0), key(1))
NEW = lorawan.Session(0x260B1234, "1.1", None, key(1), key(2), key(3), key(4))
EUI, JOIN_EUI = bytes.fromhex("70b3d57ed0001234"), bytes.fromhex("70b3d57ed0005678")
UP, DOWN, CONFIRMED_UP = 2, 3, 4


def test_lorawan_counters_are_apart() -> None:
    """8.1 of the contract: one of 1.0 for each direction; in 1.1 two for downlinks."""
    old = [(UP, 5), (DOWN, 5), (DOWN, None), (DOWN, 0)]
    assert [
        (result.status, result.fields["fcnt"]) for result in opened_with(OLD, old, same_counter=7)
    ] == [(Status.OPENED, 7), (Status.OPENED, 7), (Status.REPLAYED, 7), (Status.REPLAYED, 7)]
    new = [(UP, 5), (DOWN, 5), (DOWN, None), (DOWN, 0), (DOWN, 6), (UP, 0)]
    assert [result.status for result in opened_with(NEW, new, same_counter=7)] == [
        Status.OPENED,
        Status.OPENED,
        Status.OPENED,
        Status.REPLAYED,
        Status.REPLAYED,
        Status.REPLAYED,
    ]


def opened_with(
    one: lorawan.Session, sent: list[tuple[int, int | None]], same_counter: int
) -> list[Result]:
    opener = lorawan.Opener([one])
    results = []
    for mtype, port in sent:
        text = b"" if port is None else b"text"
        frame = lorawan.seal(one, mtype, same_counter, port, text)
        results.append(opener.open(frame, tx_dr=0, tx_ch=0))
        assert results[-1].payload == text
    return results


def test_lorawan_without_app_s_key() -> None:
    for one, port in [(OLD, 5), (NEW, 5)]:
        shut = lorawan.Opener([replace(one, app_s_key=None)], counters=None)
        told_of = shut.open(lorawan.seal(one, UP, 1, port, b"text", b"\2"), tx_dr=0, tx_ch=0)
        assert (told_of.status, told_of.payload) == (Status.OPENED, None)
        assert told_of.authenticated and told_of.fields["fopts"] == b"\2"
        for_network = lorawan.seal(one, UP, 1, 0, b"\2")
        assert shut.open(for_network, tx_dr=0, tx_ch=0).payload == b"\2"
        assert shut.open(lorawan.seal(one, UP, 1), tx_dr=0, tx_ch=0).payload == b""
    with pytest.raises(ValueError, match="app_s_key: none given"):
        lorawan.seal(replace(OLD, app_s_key=None), UP, 1, 5, b"text")


def test_lorawan_half_of_a_mic() -> None:
    """An uplink of 1.1 without data rate, channel or acknowledged counter."""
    frame = lorawan.seal(NEW, UP, 9, 5, b"text", b"\2", lorawan.ACK, 77, 3, 4)
    full = {"conf_fcnt": 77, "tx_dr": 3, "tx_ch": 4}
    allowed = replace(NEW, allow_unauthenticated=True)
    for missing in full:
        known = {name: value for name, value in full.items() if name != missing}
        opener = lorawan.Opener([NEW])
        assert opener.open(frame, **known) == Result(Status.UNAUTHENTICATED, 0)
        assert opener.last(0, "up") is None and opener.failures == [0]
        result = lorawan.Opener([allowed]).open(frame, **known)
        assert (result.status, result.authenticated) == (Status.UNAUTHENTICATED, False)
        assert (result.payload, result.unverified_payload) == (None, b"text")
        assert result.fields["fopts"] == b"\2" and result.fields["fcnt"] == 9
        # The half of SNwkSIntKey is unknown then, that of FNwkSIntKey is checked.
        for at, status in [(-4, Status.UNAUTHENTICATED), (-2, Status.FORGED), (-1, Status.FORGED)]:
            wrong = bytearray(frame)
            wrong[at] ^= 1
            assert lorawan.Opener([allowed]).open(bytes(wrong), **known).status == status
    for wrong_value in full:
        given = full | {wrong_value: full[wrong_value] + 1}
        assert lorawan.Opener([allowed]).open(frame, **given).status == Status.FORGED
    assert lorawan.Opener([NEW]).open(frame, **full).payload == b"text"
    # Without the ACK bit there is no acknowledged counter to know.
    plain = lorawan.seal(NEW, UP, 9, 5, b"text", conf_fcnt=77, tx_dr=3, tx_ch=4)
    assert lorawan.Opener([NEW]).open(plain, tx_dr=3, tx_ch=4).status == Status.OPENED
    assert lorawan.Opener([NEW]).open(plain, None, 78, 3, 4).status == Status.OPENED
    # A session that fits whole comes before one that fits by half.
    both = lorawan.Opener([allowed, replace(NEW, s_nwk_s_int_key=key(9)), OLD])
    assert both.open(lorawan.seal(OLD, UP, 9, 5, b"text")).row == 2


def test_lorawan_downlink_that_acknowledges_an_unknown_counter() -> None:
    frame = lorawan.seal(NEW, DOWN, 9, 5, b"text", flags=lorawan.ACK, conf_fcnt=77)
    allowed = lorawan.Opener([replace(NEW, allow_unauthenticated=True)])
    assert allowed.open(frame) == Result(Status.UNAUTHENTICATED)
    assert lorawan.Opener([NEW]).open(frame, conf_fcnt=78).status == Status.FORGED
    assert lorawan.Opener([NEW]).open(frame, conf_fcnt=77).payload == b"text"


def test_lorawan_candidates() -> None:
    rows = [replace(OLD, nwk_s_key=key(number), app_s_key=key(number + 1)) for number in range(5)]
    frame = lorawan.seal(rows[2], UP, 1, 5, b"text")
    every = lorawan.Opener(rows)
    result = every.open(frame)
    assert (result.row, result.payload) == (2, b"text")
    assert (result.fields["candidates"], result.fields["untried"]) == (5, 0)
    assert every.failures == [0] * 5
    few = lorawan.Opener(rows, limit=2)
    assert few.open(frame).fields == {
        "dev_addr": 0x260B1234,
        "fcnt16": 1,
        "candidates": 2,
        "untried": 3,
    }
    assert few.failures == [1, 1, 0, 0, 0]
    # Of two rows with the same keys the first one takes the frame.
    assert lorawan.Opener([rows[1], rows[2], rows[2]]).open(frame).row == 1
    # Each session counts for itself.
    assert every.open(lorawan.seal(rows[3], UP, 1, 5, b"text")).status == Status.OPENED
    assert every.open(frame).status == Status.REPLAYED


@pytest.mark.parametrize("rule", [None, "strict", "window"])
def test_lorawan_data_out_of_order(rule: str | None) -> None:
    opener = lorawan.Opener([OLD], rule)
    sent = [65_500, 65_540, 65_539, 65_539, 65_477, 65_476, 65_541]
    # 65,477 is 63 below the largest; 65,476 is 64 below, and taken for one that is ahead.
    wanted = {
        None: [0, 0, 0, 0, 0, 0, 0],
        "strict": [0, 0, -3, -3, -3, -3, 0],
        "window": [0, 0, 0, -21, 0, -3, 0],
    }
    stated = {None: sent, "strict": [None] * 7, "window": [None] * 7}[rule]
    results = [
        opener.open(lorawan.seal(OLD, UP, counter, 5, b"text"), given)
        for counter, given in zip(sent, stated, strict=True)
    ]
    assert [result.status for result in results] == wanted[rule]
    for counter, result in zip(sent, results, strict=True):
        if result.status in FRESH:
            assert (result.fields["fcnt"], result.payload) == (counter, b"text")


def test_lorawan_counter_that_begins_again() -> None:
    frame = lorawan.seal(OLD, UP, 3, 5, b"text")
    for allowed, status in [(False, Status.FORGED), (True, Status.REPLAYED)]:
        opener = lorawan.Opener([replace(OLD, allow_reset=allowed)])
        assert opener.open(lorawan.seal(OLD, UP, 70_000, 5), 70_000).status == Status.OPENED
        result = opener.open(frame)
        assert result.status == status and opener.last(0, "up") == 70_000
    assert (result.payload, result.fields["fcnt"]) == (b"text", 3)
    short = lorawan.Opener([replace(OLD, fcnt16=True)])
    short.state[0, "up"] = Counter(65_535)
    assert short.open(frame).status == Status.REPLAYED
    # 2^32 - 1 is the end of the key: 0 behind it is authentic, and a replay.
    ended = lorawan.Opener([OLD])
    ended.state[0, "up"] = Counter((1 << 32) - 1)
    assert ended.open(lorawan.seal(OLD, UP, 0, 5)).status == Status.REPLAYED
    assert ended.last(0, "up") == (1 << 32) - 1


def test_lorawan_never_tries_more_than_two_counters() -> None:
    drawn = random.Random(1)
    for rule in ("strict", "window"):
        opener = lorawan.Opener([replace(OLD, allow_reset=True)], rule)
        for _ in range(500):
            last = drawn.choice([5, 65_540, (1 << 32) - 3, drawn.randrange(1 << 32)])
            opener.state[0, "up"] = Counter(last)
            low = (last + drawn.randrange(-70, 70)) % (1 << 16)
            frame = lorawan.parse(b"\x40" + bytes(5) + low.to_bytes(2, "little") + bytes(4))
            tried = [counter for counter, _ in opener._counters(0, frame, None)]
            assert 1 <= len(set(tried)) == len(tried) <= 2
            assert all(counter % (1 << 16) == low and counter >> 32 == 0 for counter in tried)


def test_lorawan_order_of_refusals() -> None:
    right = lorawan.seal(OLD, UP, 1, 5, b"text")
    for frame, status in [
        (b"\xe3" + bytes(10), Status.TRUNCATED),
        (b"\xe3" + bytes(255), Status.OVERLONG),
        (b"\xe3" + bytes(11), Status.NOT_OF_THIS_FAMILY),
        (b"\x43" + bytes(4) + b"\x0f" + bytes(6), Status.UNKNOWN_VERSION),
        (b"\x40" + bytes(4) + b"\x01" + bytes(6), Status.TRUNCATED),
        (b"\x40" + bytes(4) + b"\x01" + bytes(8), Status.MALFORMED),
        (b"\x40" + bytes(4) + b"\x01" + bytes(7), Status.UNKNOWN_DEVICE),
        (b"\x40" + bytes(11), Status.UNKNOWN_DEVICE),
        (None, Status.NULL),
    ]:
        assert lorawan.Opener([OLD]).open(frame) == Result(status)
    for incomplete in (replace(OLD, nwk_s_key=None), replace(NEW, s_nwk_s_int_key=None)):
        assert lorawan.Opener([incomplete]).open(right) == Result(Status.UNKNOWN_DEVICE)


def test_lorawan_sizes_of_keys() -> None:
    short = replace(OLD, app_s_key=bytes(15))
    with pytest.raises(ValueError, match="row 1: app_s_key: 15 bytes given, 16 expected"):
        lorawan.Opener([OLD, short])
    frame = lorawan.seal(OLD, UP, 1, 5, b"text")
    for row, status in [(OLD, Status.OPENED), (short, Status.KEY_SIZE)]:
        assert alone(row, lambda row=row: lorawan.Opener([row]).open(frame)).status == status
    with pytest.raises(ValueError, match=r"row 0: version: '1.2' given"):
        lorawan.Opener([replace(OLD, version="1.2")])
    with pytest.raises(ValueError, match="counters: 'loose' given"):
        lorawan.Opener([OLD], "loose")
    with pytest.raises(ValueError, match="row 0: dev_eui: 7 bytes given, 8 expected"):
        lorawan.Joins([lorawan.Device(EUI[:7])])


def test_lorawan_encoder_refuses() -> None:
    for arguments, problem in [
        ((UP, 1, None, b"text"), "a frame without a port has none"),
        ((UP, 1, 0, b"", b"\2"), "none with port 0"),
        ((UP, 1, 1, b"", bytes(16)), "at most 15 bytes"),
        ((UP, 1, 1, bytes(243)), "256 bytes, at most 255"),
    ]:
        with pytest.raises(ValueError, match=problem):
            lorawan.seal(OLD, *arguments)


def test_lorawan_round_trips() -> None:
    drawn = random.Random(3)
    for number in range(60):
        one = drawn.choice([OLD, NEW])
        port = drawn.choice([None, 0, 1, 223, 224, 255])
        fopts = b"" if port == 0 else drawn.randbytes(drawn.randrange(16))
        text = b"" if port is None else drawn.randbytes(drawn.randrange(50))
        mtype, flags = drawn.choice(lorawan.DATA), 16 * drawn.randrange(16)
        metadata = {"conf_fcnt": number, "tx_dr": number % 16, "tx_ch": number % 3}
        counter = drawn.randrange(1 << 32)
        frame = lorawan.seal(one, mtype, counter, port, text, fopts, flags, **metadata)
        result = lorawan.Opener([one]).open(frame, counter, **metadata)
        assert (result.status, result.payload) == (Status.OPENED, text)
        assert result.fields == {
            "dev_addr": one.dev_addr,
            "mtype": mtype,
            "up": mtype in (2, 4),
            "fctrl": flags | len(fopts),
            "fcnt": counter,
            "port": port,
            "fopts": fopts,
            "candidates": 1,
            "untried": 0,
        }


def test_lorawan_every_byte_is_authenticated() -> None:
    """Data frames and joins: there is no byte that may change."""
    for one, mtype in [(OLD, UP), (OLD, DOWN), (NEW, CONFIRMED_UP), (NEW, DOWN)]:
        frame = lorawan.seal(one, mtype, 9, 5, b"reading", b"\2", 0, 0, 3, 4)
        given = {"conf_fcnt": 0, "tx_dr": 3, "tx_ch": 4}
        assert lorawan.Opener([one]).open(frame, **given).status == Status.OPENED
        for at, wrong in changed(frame):
            address = int.from_bytes(wrong[1:5], "little")
            rows = [one, replace(one, dev_addr=address, allow_reset=True)]
            result = lorawan.Opener(rows).open(wrong, **given)
            assert result.status not in FRESH and result.payload is None, at
    device = lorawan.Device(EUI, "1.1", key(0), key(1), key(2))
    request, fields = (lorawan.FOR_JOIN, JOIN_EUI, 7), accepted(lorawan.NEGOTIATED)
    js_int = lorawan.js_keys(key(0), EUI)[0]
    sealed = {
        "request": lorawan.seal_request(key(0), JOIN_EUI, EUI, 7),
        "rejoin": lorawan.seal_rejoin(key(2), 0, b"\0\0\x13", EUI, 7),
        "answer": lorawan.seal_accept(key(0), js_int, fields, request),
    }
    for call, frame in sealed.items():
        more = (EUI, request) if call == "answer" else ()
        assert getattr(lorawan.Joins([device]), call)(frame, *more).status == Status.OPENED
        for at, wrong in changed(frame):
            rows = [device, replace(device, dev_eui=wrong[16:8:-1])]
            rows.append(replace(device, dev_eui=wrong[-7:-15:-1]))
            result = getattr(lorawan.Joins(rows), call)(wrong, *more)
            assert result.status not in FRESH and not result.authenticated, (call, at)


def accepted(dl_settings: int, join_nonce: int = 0x010203) -> dict[str, Any]:
    place = {"join_nonce": join_nonce, "net_id": 0x13, "dev_addr": 0x260B1234}
    return place | {"dl_settings": dl_settings, "rx_delay": 1, "cflist": b""}


def test_lorawan_join_of_1_0() -> None:
    device = lorawan.Device(EUI, root_key=key(0))
    joins = lorawan.Joins([device])
    request = lorawan.seal_request(key(0), JOIN_EUI, EUI, 7)
    result = joins.request(request)
    assert (result.status, result.row) == (Status.OPENED, 0)
    assert result.fields == {"join_eui": JOIN_EUI, "dev_eui": EUI, "dev_nonce": 7}
    assert joins.request(request).status == Status.REPLAYED
    # DevNonce grows for each JoinEUI apart.
    elsewhere = lorawan.seal_request(key(0), EUI, EUI, 7)
    assert joins.request(elsewhere).status == Status.OPENED
    # OptNeg is a reserved bit in 1.0.
    for settings, nonce in [(0, 1), (lorawan.NEGOTIATED, 2)]:
        answer = lorawan.seal_accept(key(0), key(0), accepted(settings, nonce))
        result = joins.answer(answer, EUI)
        assert (result.status, result.fields) == (Status.OPENED, accepted(settings, nonce))
    assert joins.answer(answer, EUI).status == Status.REPLAYED
    nwk_s_key, app_s_key = lorawan.session_keys_10(key(0), nonce, 0x13, 7)
    one = lorawan.Session(result.fields["dev_addr"], "1.0", nwk_s_key, app_s_key)
    assert lorawan.Opener([one]).open(lorawan.seal(one, UP, 0, 1, b"text")).payload == b"text"


def test_lorawan_random_nonces() -> None:
    joins = lorawan.Joins([lorawan.Device(EUI, root_key=key(0), random_nonces=True)])
    sent = [9, 3, 9, 4, 3]
    results = [joins.request(lorawan.seal_request(key(0), JOIN_EUI, EUI, nonce)) for nonce in sent]
    assert [result.status for result in results] == [0, 0, -21, 0, -21]
    for _ in range(2):
        answer = lorawan.seal_accept(key(0), key(0), accepted(0))
        assert joins.answer(answer, EUI).status == Status.OPENED


def test_lorawan_join_and_rejoin_of_1_1() -> None:
    device = lorawan.Device(EUI, "1.1", key(0), key(1), key(2))
    joins = lorawan.Joins([device])
    js_int, js_enc = lorawan.js_keys(key(0), EUI)
    fields = accepted(lorawan.NEGOTIATED, 1)
    request = (lorawan.FOR_JOIN, JOIN_EUI, 7)
    answer = lorawan.seal_accept(key(0), js_int, fields, request)
    assert joins.answer(answer, EUI) == Result(Status.UNAUTHENTICATED)
    for other in [(0, JOIN_EUI, 7), (lorawan.FOR_JOIN, EUI, 7), (lorawan.FOR_JOIN, JOIN_EUI, 8)]:
        assert joins.answer(answer, EUI, other).status == Status.FORGED
    assert joins.answer(answer, EUI, request).fields == fields
    # A network of 1.0 answers without OptNeg, and NwkKey authenticates.
    old = lorawan.seal_accept(key(0), key(0), accepted(0, 2))
    assert joins.answer(old, EUI, request).status == Status.OPENED
    for number, (kind, place, wanted) in enumerate(
        [(0, b"\0\0\x13", key(2)), (1, JOIN_EUI, js_int), (2, b"\0\0\x13", key(2))]
    ):
        frame = lorawan.seal_rejoin(wanted, kind, place, EUI, number)
        result = joins.rejoin(frame)
        assert (result.status, result.row) == (Status.OPENED, 0)
        assert (result.fields["type"], result.fields["counter"]) == (kind, number)
        assert result.fields.get("join_eui", b"\0\0\x13") == place
        assert joins.rejoin(frame).status == Status.REPLAYED
        # JSEncKey enciphers the answer, and RJcount is the nonce.
        request = (kind, JOIN_EUI, number)
        fields = accepted(lorawan.NEGOTIATED, 10 + number)
        answer = lorawan.seal_accept(js_enc, js_int, fields, request)
        assert joins.answer(answer, EUI, request).fields == fields
        derived = lorawan.session_keys_11(key(0), key(1), 10 + number, JOIN_EUI, number)
        one = lorawan.Session(fields["dev_addr"], "1.1", **derived)
        sealed = lorawan.seal(one, DOWN, 0, 1, b"text")
        assert lorawan.Opener([one]).open(sealed).payload == b"text"
    without = lorawan.Joins([replace(device, s_nwk_s_int_key=None)])
    frame = lorawan.seal_rejoin(key(2), 0, b"\0\0\x13", EUI, 0)
    assert without.rejoin(frame) == Result(Status.UNAUTHENTICATED)


def test_lorawan_joins_of_wrong_forms() -> None:
    device = lorawan.Device(EUI, "1.1", key(0), key(1), key(2))
    for call, frame, status in [
        ("request", None, Status.NULL),
        ("request", b"", Status.TRUNCATED),
        ("request", bytes(22), Status.TRUNCATED),
        ("request", bytes(24), Status.OVERLONG),
        ("request", b"\x20" + bytes(22), Status.NOT_OF_THIS_FAMILY),
        ("request", b"\x01" + bytes(22), Status.UNKNOWN_VERSION),
        ("request", bytes(23), Status.UNKNOWN_DEVICE),
        ("rejoin", None, Status.NULL),
        ("rejoin", b"\xc0", Status.TRUNCATED),
        ("rejoin", b"\xc0\x03" + bytes(17), Status.UNSUPPORTED),
        ("rejoin", b"\xc0\x00" + bytes(16), Status.TRUNCATED),
        ("rejoin", b"\xc0\x00" + bytes(18), Status.OVERLONG),
        ("rejoin", b"\xc0\x01" + bytes(17), Status.TRUNCATED),
        ("rejoin", b"\xc0\x01" + bytes(22), Status.UNKNOWN_DEVICE),
        ("answer", None, Status.NULL),
        ("answer", b"\x20" + bytes(15), Status.TRUNCATED),
        ("answer", b"\x20" + bytes(17), Status.TRUNCATED),
        ("answer", b"\x20" + bytes(33), Status.OVERLONG),
        ("answer", b"\x20" + bytes(32), Status.FORGED),
        ("answer", b"\x00" + bytes(16), Status.NOT_OF_THIS_FAMILY),
    ]:
        more = (EUI, (lorawan.FOR_JOIN, JOIN_EUI, 7)) if call == "answer" else ()
        result = getattr(lorawan.Joins([device]), call)(frame, *more)
        assert result == Result(status), (call, frame)
    plain = bytes(12)
    sealed = b"\x20" + lorawan.decrypt(key(0))(plain + cmac(key(0), b"\x20" + plain)[:4])
    joins = lorawan.Joins([device])
    assert joins.answer(sealed, JOIN_EUI) == Result(Status.UNKNOWN_DEVICE)
    assert joins.answer(sealed, EUI).status == Status.OPENED


def test_lorawan_takes_every_byte_string() -> None:
    samples = [
        lorawan.seal(OLD, UP, 1, 5, b"text", b"\2\3"),
        lorawan.seal(OLD, DOWN, 1),
        lorawan.seal(NEW, CONFIRMED_UP, 1, 0, b"text"),
        lorawan.seal_request(key(0), JOIN_EUI, EUI, 7),
        lorawan.seal_rejoin(key(2), 1, JOIN_EUI, EUI, 7),
        lorawan.seal_accept(key(0), key(0), accepted(0)),
    ]
    opener = lorawan.Opener([OLD, NEW])
    joins = lorawan.Joins([lorawan.Device(EUI, "1.1", key(0), key(1), key(2))])
    seen = set()
    for frame in hostile(48, 3000, samples):
        for result in (
            opener.open(frame, tx_dr=0, tx_ch=0),
            joins.request(frame),
            joins.rejoin(frame),
            joins.answer(frame, EUI),
        ):
            assert result.status in Status
            assert result.status not in FRESH or frame in samples
            seen.add(result.status)
    assert {
        Status.FORGED,
        Status.TRUNCATED,
        Status.OVERLONG,
        Status.UNKNOWN_VERSION,
        Status.UNKNOWN_DEVICE,
        Status.MALFORMED,
        Status.NOT_OF_THIS_FAMILY,
        Status.UNSUPPORTED,
    } <= seen
