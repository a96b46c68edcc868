# SPDX-License-Identifier: Apache-2.0
"""Keys of SLH-DSA in PEM: those that OpenSSL wrote, and everything that is not one strict encoding.

The hostile inputs are built here from lengths and tags, by other code than that of hanji.
"""

from __future__ import annotations

import base64
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import vectors_io

from hanji import keys, sign

pytestmark = pytest.mark.quick

TESTS = vectors_io.document("slhdsa/keys")["tests"]
SHORT = "slh-dsa-shake-128f"  # its private key has a root that is quick to compute
FIRST = next(test for test in TESTS if test["variant"] == SHORT)
NIST = bytes.fromhex("6086480165030403")  # 2.16.840.1.101.3.4.3


def der_of(text: str) -> bytes:
    return base64.b64decode("".join(text.splitlines()[1:-1]))


def pem(label: str, der: bytes, width: int = 64) -> str:
    body = base64.b64encode(der).decode()
    lines = [body[at : at + width] for at in range(0, len(body), width)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""])


def tlv(tag: int, *parts: bytes) -> bytes:
    contents = b"".join(parts)
    size = len(contents)
    if size < 128:
        return bytes([tag, size]) + contents
    octets = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(octets)]) + octets + contents


def algorithm(oid: bytes, parameters: bytes = b"") -> bytes:
    return tlv(0x30, tlv(0x06, oid), parameters)


OURS = algorithm(NIST + b"\x1b")
PUBLIC, PRIVATE = der_of(FIRST["public"])[-32:], der_of(FIRST["private"])[-64:]


def public(*parts: bytes, identifier: bytes = OURS) -> bytes:
    return tlv(0x30, identifier, *(parts or (tlv(0x03, b"\x00", PUBLIC),)))


def private(*more: bytes, version: bytes = b"\x00", identifier: bytes = OURS) -> bytes:
    return tlv(0x30, tlv(0x02, version), identifier, tlv(0x04, PRIVATE), *more)


def test_keys_of_openssl_are_read_and_written_again() -> None:
    assert [test["variant"] for test in TESTS] == keys.pem_algorithms()
    for test in TESTS:
        for kind in ("private", "public"):
            key = keys.loads(test[kind])
            assert (key.algorithm, key.kind, key.comment) == (test["variant"], kind, "")
            assert keys.dumps(key, format="pem") == test[kind]
            assert keys.loads(keys.dumps(key)) == key  # the same key in our container
        pair = keys.loads(test["private"]), keys.loads(test["public"])
        assert pair[0].material[len(pair[1].material) :] == pair[1].material
        if test["variant"].endswith("f"):  # the root is computed: the keys belong together
            loaded = sign.load(pair[0])
            assert isinstance(loaded, sign.PrivateKey)
            assert loaded.public_key == sign.load(pair[1])


def test_a_signature_of_openssl() -> None:
    test = TESTS[0]
    message, signature = (base64.b64decode(test[name]) for name in ("msg", "signature"))
    key = sign.load(keys.loads(test["public"]))
    assert isinstance(key, sign.PublicKey)
    key.verify(signature, message)
    with pytest.raises(sign.InvalidSignature):
        key.verify(signature, message + b"x")


def test_control_keys_built_here_are_those_of_openssl() -> None:
    assert pem("PUBLIC KEY", public()) == FIRST["public"]
    assert pem("PRIVATE KEY", private()) == FIRST["private"]


def test_a_private_key_may_bring_its_public_key() -> None:
    text = pem("PRIVATE KEY", private(tlv(0x81, b"\x00", PUBLIC), version=b"\x01"))
    key = keys.loads(text)
    assert key == keys.loads(FIRST["private"])
    assert keys.dumps(key, format="pem") == FIRST["private"]


@pytest.mark.parametrize(
    "text",
    [
        FIRST["private"].replace("\n", "\r\n"),
        "\n" + FIRST["private"] + " \n",
        FIRST["private"].rstrip("\n"),
        pem("PRIVATE KEY", private(), 76),
        pem("PRIVATE KEY", private(), 4),
    ],
    ids=["CRLF", "blank lines around", "no final line end", "long lines", "short lines"],
)
def test_harmless_changes_are_accepted(text: str) -> None:
    assert keys.loads(text) == keys.loads(FIRST["private"])


def long_length(der: bytes, octets: int) -> bytes:
    """The same value with its length in more octets than necessary."""
    start = 2 if der[1] < 128 else 2 + (der[1] & 127)
    return (
        der[:1] + bytes([0x80 | octets]) + (len(der) - start).to_bytes(octets, "big") + der[start:]
    )


REFUSED: list[tuple[str, bytes, str]] = [
    ("PUBLIC KEY", b"", "at byte 0, the key: there is nothing; expected is SEQUENCE"),
    ("PUBLIC KEY", b"\x30", "the length is missing"),
    ("PUBLIC KEY", b"\x30\x82\x01", "the length is cut off"),
    ("PUBLIC KEY", b"\x30\xff" + bytes(40), "the length is cut off"),
    ("PUBLIC KEY", b"\x30\x84\xff\xff\xff\xff", "more bytes are announced than the 0 that follow"),
    ("PUBLIC KEY", b"\x30\x80" + public()[2:] + b"\x00\x00", "indefinite"),
    ("PUBLIC KEY", long_length(public(), 1), "not in its shortest form"),
    ("PUBLIC KEY", long_length(public(), 2), "not in its shortest form"),
    ("PUBLIC KEY", public() + b"\x00", "after the key: 1 bytes are left over"),
    ("PUBLIC KEY", public() + public(), "after the key: 50 bytes are left over"),
    ("PUBLIC KEY", public(tlv(0x03, b"\x00", PUBLIC), b"\x05\x00"), "2 bytes are left over"),
    ("PUBLIC KEY", public(identifier=algorithm(NIST + b"\x1b", b"\x05\x00")), "parameters of"),
    ("PUBLIC KEY", public(tlv(0x03, b"\x01", PUBLIC)), "all of its bits are used"),
    ("PUBLIC KEY", public(tlv(0x03)), "all of its bits are used"),
    ("PUBLIC KEY", public(tlv(0x03, b"\x00", PUBLIC[1:])), "has 32 bytes; 31 were found"),
    ("PUBLIC KEY", public(tlv(0x03, b"\x00", PUBLIC, b"x")), "has 32 bytes; 33 were found"),
    ("PUBLIC KEY", public(tlv(0x04, PUBLIC)), "expected is BIT STRING"),
    ("PUBLIC KEY", private(), "expected is SEQUENCE"),
    ("PUBLIC KEY", public(identifier=OURS[2:]), "expected is SEQUENCE"),
    ("PUBLIC KEY", public(identifier=algorithm(b"")), "identifier is cut off"),
    ("PUBLIC KEY", public(identifier=algorithm(NIST + b"\x9b")), "identifier is cut off"),
    ("PUBLIC KEY", public(identifier=algorithm(NIST + b"\x80\x1b")), "not in its shortest form"),
    ("PRIVATE KEY", public(), "expected is INTEGER"),
    ("PRIVATE KEY", private() + b"\x00", "after the key: 1 bytes are left over"),
    ("PRIVATE KEY", long_length(private(), 1), "not in its shortest form"),
    ("PRIVATE KEY", private(version=b"\x02"), "neither v1"),
    ("PRIVATE KEY", private(version=b"\x00\x00"), "neither v1"),
    ("PRIVATE KEY", private(version=b""), "neither v1"),
    ("PRIVATE KEY", private(version=b"\x01"), "there is nothing; expected is public key"),
    ("PRIVATE KEY", private(tlv(0x81, b"\x00", PUBLIC)), "35 bytes are left over"),
    (
        "PRIVATE KEY",
        private(tlv(0x81, b"\x00", PUBLIC[::-1]), version=b"\x01"),
        "belongs to another one",
    ),
    (
        "PRIVATE KEY",
        private(tlv(0x81, b"\x00", PUBLIC[:-1]), version=b"\x01"),
        "belongs to another one",
    ),
    (
        "PRIVATE KEY",
        private(tlv(0x81, b"\x00", PUBLIC), tlv(0x81, b"\x00", PUBLIC), version=b"\x01"),
        "35 bytes are left over",
    ),
    ("PRIVATE KEY", private(tlv(0xA0, tlv(0x30))), "has attributes"),
    (
        "PRIVATE KEY",
        tlv(0x30, tlv(0x02, b"\x00"), OURS, tlv(0x04, tlv(0x04, PRIVATE))),
        "has 64 bytes; 66 were found",
    ),
    (
        "PRIVATE KEY",
        private(identifier=algorithm(NIST + b"\x1c")),
        "slh-dsa-shake-192s has 96 bytes; 64 were found",
    ),
]


@pytest.mark.parametrize(("label", "der", "message"), REFUSED, ids=lambda value: None)
def test_what_is_not_one_strict_encoding(label: str, der: bytes, message: str) -> None:
    with pytest.raises(keys.KeyFileError) as caught:
        keys.loads(pem(label, der))
    assert message in str(caught.value)
    assert "the key is not usable: " in str(caught.value)
    assert caught.value.__context__ is None  # which could carry the key along


OTHERS = {
    "2a864886f70d010101": "RSA",
    "2a8648ce3d0201": "elliptic curve",
    "2b6570": "Ed25519",
    "2b6571": "Ed448",
    "608648016503040402": "ML-KEM-768",
    **{(NIST + bytes([17 + i])).hex(): f"ML-DSA-{s}" for i, s in enumerate((44, 65, 87))},
    **{
        (NIST + bytes([first + i])).hex(): f"{name}-{s}"
        for first, name in (
            (20, "SLH-DSA-SHA2"),
            (35, "HashSLH-DSA-SHA2"),
            (41, "HashSLH-DSA-SHAKE"),
        )
        for i, s in enumerate(("128s", "128f", "192s", "192f", "256s", "256f"))
    },
    (NIST + b"\x2f").hex(): "object identifier 2.16.840.1.101.3.4.3.47",
    "2b0601040182371514": "object identifier 1.3.6.1.4.1.311.21.20",
    "883703": "object identifier 2.999.3",
    (NIST + b"\x81\x80\x80\x00").hex(): "an algorithm that hanji does not know; hanji reads",
}


@pytest.mark.parametrize("oid", OTHERS)
def test_keys_of_other_algorithms_are_refused_by_name(oid: str) -> None:
    """With the parameters that their keys have: what matters is the name."""
    for parameters in (b"", b"\x05\x00"):
        identifier = algorithm(bytes.fromhex(oid), parameters)
        for label, der in (
            ("PUBLIC KEY", public(identifier=identifier)),
            ("PRIVATE KEY", private(identifier=identifier)),
        ):
            with pytest.raises(keys.KeyFileError) as caught:
                keys.loads(pem(label, der))
            assert OTHERS[oid] in str(caught.value)


def test_every_altered_bit_and_every_cut_is_refused_or_is_another_key() -> None:
    """Each altered bit in front of the key, and each length but the right one."""
    for label, der, size in (("PUBLIC KEY", public(), 32), ("PRIVATE KEY", private(), 64)):
        whole = keys.loads(pem(label, der))
        for place in range(8 * len(der)):
            altered = bytearray(der)
            altered[place // 8] ^= 1 << place % 8
            # 128s, whose identifier differs in one bit, has keys of the same size
            other_set = altered == der.replace(OURS, algorithm(NIST + b"\x1a"))
            if place // 8 >= len(der) - size or other_set:
                assert keys.loads(pem(label, altered)) != whole
                continue
            with pytest.raises(keys.KeyFileError):
                keys.loads(pem(label, altered))
        for length in range(len(der)):
            with pytest.raises(keys.KeyFileError):
                keys.loads(pem(label, der[:length]))


def test_errors_show_no_byte_of_a_private_key() -> None:
    """Whatever lengths are altered, so that a part of the key stands where a name should."""
    source = random.Random(1)
    shown = set()
    lengths = [1, 3, 6, 8, 19]  # of the whole, the version, the identifier, its numbers, the key
    assert [private()[at] for at in lengths] == [82, 1, 11, 9, 64]
    for _ in range(3000):
        der = bytearray(private())
        for _ in range(source.randrange(1, 4)):
            der[source.choice(lengths)] = source.randrange(256)
        try:
            keys.loads(pem("PRIVATE KEY", bytes(der)))
        except keys.KeyFileError as error:
            shown.add(str(error))
    for more in range(3, 70):  # the numbers of the algorithm reach into the key
        der = bytearray(private())
        der[6], der[8] = 11 + more, 9 + more
        with pytest.raises(keys.KeyFileError) as caught:
            keys.loads(pem("PRIVATE KEY", bytes(der)))
        assert "object identifier 2" not in str(caught.value)
        shown.add(str(caught.value))
    assert len(shown) > 100
    text = " ".join(shown)
    for at in range(len(PRIVATE) - 1):
        pair = PRIVATE[at : at + 2]
        assert pair.hex() not in text
        assert f".{pair[0]}.{pair[1]}" not in text
        for size in range(2, len(PRIVATE) - at + 1):
            assert str(int.from_bytes(PRIVATE[at : at + size], "big")) not in text


TEXTS = [
    (FIRST["private"] + FIRST["public"], "holds 2 keys"),
    ("Bag Attributes\n" + FIRST["private"], "the first line is not"),
    (FIRST["private"].replace("END PRIVATE", "END PUBLIC"), "cut off or has text around"),
    (FIRST["private"].replace("PRIVATE", "RSA PRIVATE"), "the container holds 'RSA PRIVATE KEY'"),
    (
        FIRST["private"].replace("PRIVATE", "ENCRYPTED PRIVATE"),
        "the container holds 'ENCRYPTED PRIVATE KEY'",
    ),
    (
        FIRST["private"].replace("PRIVATE", "ENCRYPTED PRIVATE"),
        "such as: openssl pkcs8 -in FILE -out UNLOCKED",
    ),
    (pem("CERTIFICATE", public()), "openssl x509"),
    (FIRST["private"].replace("KEY-----\n", "KEY-----\nDEK-Info: x\n", 1), "header lines"),
    (FIRST["private"].replace("MFI", "MF!"), "not base64"),
    (pem("PUBLIC KEY", public() + bytes(2)).replace("AA==", "AB=="), "not canonical base64"),
]


@pytest.mark.parametrize(("text", "message"), TEXTS, ids=lambda value: None)
def test_texts_that_are_not_one_key(text: str, message: str) -> None:
    with pytest.raises(keys.KeyFileError) as caught:
        keys.loads(text)
    assert message in str(caught.value)


def test_a_private_key_with_the_root_of_another_one_is_not_used() -> None:
    wrong = PRIVATE[:-1] + bytes([PRIVATE[-1] ^ 1])
    der = tlv(0x30, tlv(0x02, b"\x00"), OURS, tlv(0x04, wrong))
    with pytest.raises(ValueError, match="public half does not belong"):
        sign.load(keys.loads(pem("PRIVATE KEY", der)))


def test_what_pem_does_not_hold_is_refused() -> None:
    key = keys.loads(FIRST["private"])
    with pytest.raises(ValueError, match="not locked with a passphrase"):
        keys.dumps(key, "passphrase", format="pem")
    for other in (keys.generate(), keys.Key("aimer3-128f", bytes(48), kind="private")):
        with pytest.raises(ValueError, match="official object identifiers"):
            keys.dumps(other, format="pem")
    with pytest.raises(ValueError, match="is not one of 'hanji', 'pem'"):
        keys.dumps(key, format="der")


def test_the_algorithm_is_asked_for_before_a_key_is_taken() -> None:
    asked: list[str] = []
    keys.loads(FIRST["public"], accept=asked.append)
    assert asked == [SHORT]

    def refuse(name: str) -> None:
        raise LookupError(name)

    with pytest.raises(LookupError, match=SHORT):
        keys.loads(FIRST["public"], accept=refuse)


def hanji_(folder: Path, *arguments: str, status: int = 0) -> Any:
    command = [sys.executable, "-m", "hanji.cli", *arguments]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, env=os.environ | {"COLUMNS": "200"}
    )
    assert done.returncode == status, done.stderr.decode()
    return done.stdout.decode(), " ".join(done.stderr.decode().split())


def test_commands_write_and_read_pem(tmp_path: Path) -> None:
    hanji_(tmp_path, "sign-keygen", "-o", "key", "-a", SHORT, "--format", "pem")
    texts = [(tmp_path / name).read_text() for name in ("key", "key.pub")]
    assert [text.splitlines()[0] for text in texts] == [
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN PUBLIC KEY-----",
    ]
    if os.name == "posix":
        assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    (tmp_path / "a").write_bytes(b"23.5 C")
    hanji_(tmp_path, "sign", "-k", "key", "a", "--no-check")
    assert hanji_(tmp_path, "verify", "-k", "key.pub", "a") == ("a: OK\n", "")
    assert hanji_(tmp_path, "verify", "-k", "key", "a") == ("a: OK\n", "")
    _, said = hanji_(tmp_path, "seal", "-k", "key.pub", "a", "-o", "b", status=2)
    assert SHORT in said
    _, said = hanji_(tmp_path, "sign-keygen", "-o", "key", "-a", SHORT, "--format", "pem", status=3)
    assert "already exists" in said
    assert [(tmp_path / name).read_text() for name in ("key", "key.pub")] == texts


# Made by: openssl genpkey -algorithm RSA -aes256 -pass pass:mulberry, its first and last lines.
LOCKED = """-----BEGIN ENCRYPTED PRIVATE KEY-----
MIIBvTBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQI8G1zD0d0mKYCAggA
-----END ENCRYPTED PRIVATE KEY-----
"""


@pytest.mark.parametrize("verb", ["sign", "verify"])
def test_commands_say_how_a_locked_key_is_unlocked(tmp_path: Path, verb: str) -> None:
    """PKCS#8 with a passphrase is refused by name, whether a passphrase is given or not."""
    (tmp_path / "locked").write_text(LOCKED)
    (tmp_path / "word").write_text("mulberry\n")
    (tmp_path / "a").write_bytes(b"23.5 C")
    (tmp_path / "a.sig").write_bytes(b"1")
    force = ["--force"] if verb == "sign" else []  # else the signature that is there comes first
    words = ["-k", "locked", "a", "--passphrase-file", "word", *force]
    _, said = hanji_(tmp_path, verb, *words, status=1)
    assert "locked: the container holds 'ENCRYPTED PRIVATE KEY'" in said
    assert "openssl pkcs8 -in FILE -out UNLOCKED" in said
    assert (tmp_path / "a.sig").read_bytes() == b"1"


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["-a", "aimer3-128f"], "keys of aimer3-128f are not written in PEM"),
        (["-a", SHORT, "--comment", "x"], "no place for a comment"),
        (["-a", SHORT, "--passphrase-file", "word"], "not locked with a passphrase"),
        (["-a", SHORT, "-p"], "not locked with a passphrase"),
    ],
)
def test_the_command_refuses_what_pem_does_not_hold(
    tmp_path: Path, more: list[str], message: str
) -> None:
    (tmp_path / "word").write_text("word\n")
    _, said = hanji_(tmp_path, "sign-keygen", "-o", "key", "--format", "pem", *more, status=2)
    assert message in said
    assert not (tmp_path / "key").exists()
