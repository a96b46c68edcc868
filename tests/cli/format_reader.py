# SPDX-License-Identifier: Apache-2.0
"""A reader of sealed files and key files written from docs/format.md alone, over the executable
specifications.

It shares no code with the package. Every refusal is a Refused with the word of the table "What a
reader reports".
"""

from __future__ import annotations

import base64
import unicodedata

from argon2.low_level import Type, hash_secret_raw

from hanji_lab.spec import algorithm
from hanji_lab.spec.ascon import Aead
from hanji_lab.spec.modes import InvalidTag
from hanji_lab.spec.schwaemm import Schwaemm

AEADS = {1: algorithm("schwaemm256-128"), 2: algorithm("ascon-aead128")}
HASH = algorithm("esch256")
XOF = algorithm("xoesch256")


class Refused(Exception):
    """The input is refused."""


def number(data: bytes) -> int:
    return int.from_bytes(data, "little")


def require(condition: bool, report: str) -> None:
    if not condition:
        raise Refused(report)


def expand(label: str, *fields: bytes, n: int) -> bytes:
    data = b"".join(len(field).to_bytes(8, "little") + field for field in (label.encode(), *fields))
    return XOF.digest(data, n)


def stretch(passphrase: str, salt: bytes, t: int, m: int, p: int) -> bytes:
    require(1 <= t <= 16 and 1 <= p <= 16 and 8 * p <= m <= 1048576, "parameter")
    secret = unicodedata.normalize("NFC", passphrase).encode()
    return hash_secret_raw(
        secret,
        salt,
        time_cost=t,
        memory_cost=m,
        parallelism=p,
        hash_len=32,
        type=Type.ID,
        version=0x13,
    )


def key_id(name: str, key: bytes) -> bytes:
    return expand("hanji key id v1", name.encode(), key, n=8)


def open_sealed(data: bytes, secret: bytes | str) -> bytes:
    """The plaintext of a sealed file; `secret` is the key or the passphrase."""
    require(len(data) > 0, "empty")
    require(bytes.fromhex("89 68 61 6e 6a 69 0d 0a").startswith(data[:8]), "foreign")
    require(len(data) >= 128, "truncated")
    header = data[:128]
    require(number(header[8:10]) == 1, "version")
    require(HASH.digest(header[:96]) == header[96:], "header")
    require(header[10] in AEADS, "version")
    aead = AEADS[header[10]]
    source, log2, t, p = header[11], header[12], header[13], header[14]
    m, salt = number(header[16:20]), header[32:64]
    require(source in (1, 2, 3) and header[15] == 0 and header[20:24] == bytes(4), "header")
    require(12 <= log2 <= 24, "parameter")
    if source == 1:
        require((t, p, m) == (0, 0, 0), "header")
        assert isinstance(secret, bytes)
        require(key_id(aead.name, secret) == header[24:32], "key")
    else:
        assert isinstance(secret, str)
        require(header[24:32] == bytes(8), "header")
        secret = stretch(secret, salt[:16] if source == 3 else salt, t, m, p)
    both = expand("hanji sealed file v1", secret, salt, header[:32], n=48)
    require(both[16:] == header[64:96], "header" if source == 1 else "passphrase")
    return _open_chunks(aead, header, data[128:], both[:16], 1 << log2)


def _open_chunks(
    aead: Aead | Schwaemm, header: bytes, data: bytes, file_key: bytes, chunk_size: int
) -> bytes:
    plain = b""
    expected = 0
    while True:
        require(len(data) >= 16, "truncated")
        frame = data[:16]
        index, length, last = number(frame[:8]), number(frame[8:12]), frame[12]
        usual = (
            length == chunk_size
            if last == 0
            else length <= chunk_size and (length > 0 or index == 0)
        )
        require(last in (0, 1) and frame[13:] == bytes(3) and usual, "altered")
        sealed, data = data[16 : 32 + length], data[32 + length :]
        require(len(sealed) == length + 16, "truncated")
        try:
            piece = aead.open(frame + bytes(aead.nonce_size - 16), header, sealed, file_key)
        except InvalidTag:
            raise Refused("altered") from None
        require(index >= expected, "duplicated")
        require(index <= expected, "reordered")
        plain += piece
        expected += 1
        if last:
            require(not data, "appended")
            return plain


def read_key(text: str, passphrase: str = "") -> tuple[str, bytes]:
    """Algorithm and key of a key file."""
    lines = text.split("\n")
    begin, end = lines[0], lines[-2]
    require(
        begin.startswith("-----BEGIN ")
        and end == begin.replace("BEGIN", "END")
        and lines[-1] == "",
        "fence",
    )
    label = begin.removeprefix("-----BEGIN ").removesuffix("-----")
    gap = lines.index("")
    head = "\n".join(
        [label, *(line for line in lines[1:gap] if not line.startswith("Checksum"))]
    ).encode()
    values = dict(line.split(": ", 1) for line in lines[1:gap])
    body = base64.b64decode("".join(lines[gap + 1 : -2]))
    require(HASH.digest(head + b"\n\n" + body)[:8].hex() == values["Checksum"], "checksum")
    if values["Protection"] != "none":
        costs = dict(word.split("=") for word in values["Protection"].split()[1:])
        salt = bytes.fromhex(costs["salt"])
        stretched = stretch(passphrase, salt, int(costs["t"]), int(costs["m"]), int(costs["p"]))
        both = expand("hanji key protection v1", stretched, head, n=48)
        require(both[16:] == body[:32], "passphrase")
        body = AEADS[1].open(bytes(32), head, body[32:], both[:16])
    require(key_id(values["Algorithm"], body).hex() == values["Key-Id"], "key id")
    return values["Algorithm"], body
